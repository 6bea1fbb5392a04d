"""7 Engagement, and 8.1 to 8.3: entering and leaving battle hexes, whose the hexsides are, who is what.

How far a unit gets is `reach`; this module is what happens when it arrives, and how units leave a
battle in their own turn (10.3, 10.4) after what `reach` and `withdrawal` allow.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.phases import Phase, Routes
from sandtable.mechanics.walk import Walk, WalkAt, walking

from ..paths.reach import OPPOSITE, Path, Reach, destinations, reach, why_unreachable
from ..paths.withdrawal import Lines, at_start
from ..supply.victory import victory_at_once
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    EXITED,
    F_ENGAGED,
    F_GOING,
    F_GOING_OFF,
    F_LEAVE,
    F_LEAVE_HEX,
    F_PROBE,
    F_PURSUIT,
    F_ROUT,
    NO_DIR,
    PASS,
)
from ..table.minefields import disclose
from ..table.state import State, begin_battle, disrupt, emit, firm_in, in_sight, owns_side, put, reveal
from ..table.steps import BlitzAt, EngagedAt, LeaveHexAt, ProbeAt, PursuitAt, RoutAt

# What a unit did in this movement phase (s.moved_far), all of it seen by both players:
# hexes moved, the grade of road kept all the way, whether it was the Rommel move, and whether a regroup move.
HEX_WORTH = 8
GRADE_WORTH = 2
GATHERED = 128


def hexes_moved(s: State, u: int) -> int:
    return s.moved_far[u] % GATHERED // HEX_WORTH


def grade_kept(s: State, u: int) -> int:
    return s.moved_far[u] % HEX_WORTH // GRADE_WORTH


def in_rommel_move(s: State, u: int) -> int:
    return s.moved_far[u] & 1


def has_gathered(s: State, u: int) -> int:
    """5.2a it has gone to the one destination of a regroup move, or is to leave its battle for it."""
    return s.moved_far[u] & GATHERED


# 7.0, 7.1 Engaging


def count_entry(s: State, h: Hex, via: int) -> None:
    """7.1a one more unit engages through this side of the hex in this movement phase."""
    b = 1 << h
    if s.entered[via] & b:
        s.entered[6 + via] |= b
    s.entered[via] |= b


def enter(s: State, u: int, h: Hex, via: int = NO_DIR, counted: bool = False) -> None:
    """7.0 a unit ends its move in a hex; if there are enemies in it, it engages them through side `via`.

    `counted`: the hexside limit was counted when a forced march was declared.
    """
    side = s.board.side[u]
    b = 1 << h
    if not s.occ[1 - side] & b:
        put(s, u, h)
        return
    attack = not s.occ[side] & b  # 8.2b: to reinforce a battle is no attack
    if not counted:
        count_entry(s, h, via)
    put(s, u, h)
    if attack:
        begin_battle(s, h, side)  # 8.2a, 8.3a
        emit(s, "attacked", "8.2a", {"hex": h, "side": side})
        if not s.firm[1 - side] & b:
            s.overrun |= b  # 11.4a, 8.2e
    s.via[u] = via
    take_side(s, u, h, via)


# 8.1 Hexside control


def take_side(s: State, u: int, h: Hex, d: int) -> None:
    """8.1b side d of a battle hex belongs to whoever crossed it last; not so for raiders (12.5e, A11)."""
    if s.unsupplied >> u & 1:
        return
    b = 1 << h
    if s.defends[s.board.side[u]] & b:
        s.att_side[d] &= ~b
    else:
        s.att_side[d] |= b


def mark_raiders(s: State) -> None:
    """12.5f, A11 an unsupplied unit is a raider while the hexside it entered by is still the enemy's."""
    side = s.active
    suspects = s.raiders
    for u in units_of(s.unsupplied & s.moved & s.board.of_side[side]):
        if s.via[u] != NO_DIR and s.start[u] >= 0:
            suspects |= 1 << u
    for u in sorted(units_of(suspects), key=lambda u: in_sight(s, u)):
        h, b = s.at[u], 1 << u
        if not owns_side(s, h, s.via[u], s.board.side[u]):
            if not s.raiders & b:
                s.raiders |= b
                emit(s, "raider", "12.5f", {"hex": h, "side": side, "via": s.via[u]}, side, {"unit": u})
        else:
            s.raiders &= ~b


# 6.0 Moving

RULES = ("5.1a", "5.2a", "5.3a", "6.4d", "10.3a", "10.4a", "17.1a")
"""By which of these a unit goes is the errand of its walk."""


def go(s: State, u: int, path: Path, rommel: int, rule: str) -> None:
    """A unit makes its move of this player turn (6.0d)."""
    b = 1 << u
    s.moved |= b
    s.leaving &= ~b
    s.plan[u] = -1
    s.start[u] = s.at[u]
    s.moved_far[u] = path.grade * GRADE_WORTH + rommel
    s.stack.append(walking(F_GOING, u, path.hexes, RULES.index(rule)))


def exit_map(s: State, u: int, path: Path, rommel: int, rule: str = "17.1a") -> None:
    """17.1a A unit makes its way off the map; A45 through the empty enemy base it goes no farther."""
    if s.board.base[1 - s.active] in path.hexes:
        go(s, u, path, rommel, rule)
        return
    s.moved |= 1 << u
    s.plan[u] = -1
    s.stack.append(walking(F_GOING_OFF, u, path.hexes, RULES.index(rule)))


class OnTheWay(Walk[State]):
    """A unit on its way."""

    def enter(self, s: State, f: WalkAt, h: Hex) -> bool:
        """14.2b a secret enemy minefield that is entered will be disclosed at the end of the phase."""
        s.mines_touched |= s.mines[1 - s.board.side[f.who]] & 1 << h
        return True


class Going(OnTheWay):
    """6.0 A unit on its way to its last hex: if enemies are there, it engages them (6.0c, 7.0)."""

    def enter(self, s: State, f: WalkAt, h: Hex) -> bool:
        """A45 who passes through the empty enemy base has won there."""
        super().enter(s, f, h)
        return h != s.board.base[1 - s.active]

    def arrive(self, s: State, f: WalkAt) -> None:
        u, side, path = f.who, s.active, f.path
        enemies, start, h = s.occ[1 - side], s.at[u], path[-1]
        if enemies >> h & 1:
            via = OPPOSITE[s.board.grid.direction(path[-2] if len(path) > 1 else start, h)]
            s.moved_far[u] &= GATHERED | 1
        else:
            via = NO_DIR
            s.moved_far[u] += len(path) * HEX_WORTH
        data = {"from": start, "to": h, "path": path, "via": via, "side": side}
        emit(s, "moved", RULES[f.errand], data, side, {"unit": u})
        enter(s, u, h, via, counted=RULES[f.errand] == "6.4d")
        if h == s.board.base[1 - side] or start == s.board.base[side]:  # 17.1b he may have left his own to the enemies
            victory_at_once(s)
        if enemies >> start & 1:
            disengage(s, u)


class GoingOff(OnTheWay):
    """17.1a, M12 A supplied unit leaves by the enemy map edge for good; with the third its side has won."""

    def arrive(self, s: State, f: WalkAt) -> None:
        u, side, path = f.who, s.active, f.path
        b, start = 1 << u, s.at[u]
        data = {"from": start, "hex": path[-1] if path else start, "path": path, "side": side}
        emit(s, "exited", RULES[f.errand], data, side, {"unit": u})
        put(s, u, EXITED)
        s.fort_supply &= ~b
        s.oasis_supply &= ~b
        s.exited[side] += 1
        victory_at_once(s)


# 7.2 Disengaging


# 10.3, 10.4, A22 kinds of retreat: some units leave, all leave, some leave a hex that has been probed
PARTIAL, FULL, UNPROBED = 0, 1, 2


def way_out(s: State, u: int) -> Reach:
    """7.2b, 10.1 where a leaving unit can go; in a Pass turn by withdrawal (10.3a)."""
    bonus = in_rommel_move(s, u) + (s.marching >> u & 1)
    if s.option == PASS:
        return Lines(s, at_start(s)).way(u, bonus)
    return reach(s, u, bonus)


def plan_to_leave(s: State, u: int, h: Hex, rommel: int) -> None:
    """10.4c a unit is declared to leave its battle hex; it does so after the other moves."""
    b = 1 << u
    side = s.board.side[u]
    s.leaving |= b
    s.moved |= b
    s.start[u] = s.at[u]
    s.plan[u] = h
    s.moved_far[u] = rommel
    emit(s, "leaving", "7.2a", {"hex": s.at[u], "side": side}, side, {"unit": u, "to": h})


def next_to_leave(s: State, h: Hex) -> tuple[int, Reach, bool]:
    """Who of those that leave a hex is next, where it can go, and whether it can go where it planned to.

    They go in the order of what the enemy sees of it, their destinations and ways (0.3b).
    """
    going = [(u, way_out(s, u)) for u in units_of(s.leaving & s.here[h])]
    ready = [(u, r, s.plan[u] >= 0 and bool(r.free >> s.plan[u] & 1)) for u, r in going]
    if len(ready) == 1:
        return ready[0]

    def order(one: tuple[int, Reach, bool]) -> tuple[int, tuple[Hex, ...], tuple[int, ...]]:
        u, r, planned = one
        return s.plan[u], r.path(s.board, s.plan[u]).hexes if planned else (), in_sight(s, u)

    return min(ready, key=order)


def full_retreats(s: State) -> list[Hex]:
    """7.2g, 10.3a, A24 battle hexes that all undisrupted units of the Active side are leaving."""
    if not s.leaving:
        return []
    hexes = {s.at[u] for u in units_of(s.leaving)}
    return sorted(h for h in hexes if not firm_in(s, h, s.active) & ~s.leaving)


def depart(s: State, u: int, path: Path, rule: str) -> None:
    """7.2 a unit leaves. If the probe has cleared the hex of enemies it does not disengage any more, it just moves."""
    s.marching &= ~(1 << u)
    gathered = has_gathered(s, u)
    go(s, u, path, in_rommel_move(s, u), rule)
    s.moved_far[u] |= gathered


def disengage(s: State, u: int) -> None:
    """7.2 a unit has left a battle: it is disrupted (7.2c) and may not engage again this turn (7.2f)."""
    s.disengaged |= 1 << u
    disrupt(s, u)
    emit(s, "disrupted", "7.2c", {"hex": s.at[u], "side": s.active}, s.active, {"unit": u})


class Leave(Frame[State, BlitzAt]):
    """10.4c The partial retreats of this phase, hex by hex, after all other moves. Frame: blitz."""

    at = BlitzAt

    def run(self, s: State, f: BlitzAt) -> None:
        if s.leaving:
            s.stack.append(LeaveHexAt(F_LEAVE_HEX, min(s.at[u] for u in units_of(s.leaving)), 0, PARTIAL))
        else:
            s.stack.pop()


def leave_for(s: State, f: LeaveHexAt, h: Hex, via: int) -> None:
    s.plan[next_to_leave(s, f.hex)[0]] = h


class LeaveHex(Phase[State, LeaveHexAt, tuple[int, Reach]]):
    """10.3, 10.4 Units leave one battle hex. Frame: hex, step, kind of retreat.

    A full retreat suffers pursuit fire (10.3b); a partial one may be probed (10.41a), and forbids a
    battle there this turn (10.4e). The survivors go where they planned to; if enemies have got in the
    way meanwhile, their owner chooses again.
    """

    at = LeaveHexAt
    does = (
        Routes(
            verbs.TO,
            of=lambda s, f, now: destinations(s, now[1]),
            reason=lambda s, f, now, args: why_unreachable(s, *now, *args),
            take=leave_for,
        ),
    )

    def actor(self, s: State, f: LeaveHexAt) -> int | None:
        if f.step == 0 or not s.leaving & s.here[f.hex]:
            return None
        _, r, planned = next_to_leave(s, f.hex)
        return s.active if r.free and not planned else None

    def run(self, s: State, f: LeaveHexAt) -> None:
        _, h, step, kind = f
        going = s.leaving & s.here[h]
        if step == 0:
            s.retreating = going
            s.stack[-1] = LeaveHexAt(F_LEAVE_HEX, h, 1, kind)
            data = {"hex": h, "side": s.active, "count": going.bit_count()}
            if kind == FULL:
                emit(s, "full_retreat", "10.3a", data)
                s.stack.append(PursuitAt(F_PURSUIT, h, s.active, 0))
            else:
                emit(s, "partial_retreat", "10.4a", data)
                s.no_fight |= 1 << h  # 10.4e
                if kind == PARTIAL:
                    s.stack.append(ProbeAt(F_PROBE, h))
        elif going:
            u, r, _ = next_to_leave(s, h)
            if r.free:
                depart(s, u, r.path(s.board, s.plan[u]), "10.3a" if kind == FULL else "10.4a")
            else:  # it is not forced to leave (10.1c), so it stays
                s.leaving &= ~(1 << u)
                s.marching &= ~(1 << u)
                s.plan[u] = -1
        else:
            s.retreating = 0
            s.stack[-1] = RoutAt(F_ROUT, h, s.active, 0)  # A24, 11.3b whoever was left without protection

    def now(self, s: State, f: LeaveHexAt) -> tuple[int, Reach]:
        u, r, _ = next_to_leave(s, f.hex)
        return u, r

    def prompt(self, s: State, f: LeaveHexAt) -> Prompt:
        text = Text("{unit} cannot go where it was to go any more", unit=next_to_leave(s, f.hex)[0])
        return Prompt("Where does it retreat to?", text, ("10.1a", "7.2b"), "movement")


# 7.3 Revealing


class Engaged(Frame[State, EngagedAt]):
    """7.3a, 8.5b After all movement raiders are marked, minefields disclosed and blocks revealed."""

    at = EngagedAt

    def run(self, s: State, f: EngagedAt) -> None:
        mark_raiders(s)
        disclose(s)
        for h in hexes_in(s.occ[0] & s.occ[1]):
            reveal(s, s.here[h] & ~s.disrupted, "7.3a")
        s.stack.pop()


FRAMES: dict[int, Frame[State, Any]] = {
    F_LEAVE: Leave(),
    F_LEAVE_HEX: LeaveHex(),
    F_ENGAGED: Engaged(),
    F_GOING: Going(),
    F_GOING_OFF: GoingOff(),
}
