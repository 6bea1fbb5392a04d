"""5.1 and 5.2 Group moves and regroup moves.

A move is chosen step by step: the kind of move and its hex (F_MOVES, in moves.py), for a regroup move
the destination (F_GATHER), then unit by unit who goes (F_GROUP, F_REGROUP) and in a group move where
to (F_DEST).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.engine.contract import Action, Choices, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.mechanics.offers import nth

from ..combat.engagement import GATHERED, exit_map
from ..paths.reach import (
    Reach,
    enterable,
    leavable,
    moves_of,
    name,
    reach,
    redeploy_reach,
    undisturbed,
    ways_into,
    why_no_land,
    why_unreachable,
)
from ..paths.withdrawal import Lines, why_not_back
from ..table import verbs
from ..table.board import units_of
from ..table.choices import NO_TAIL, Drawer, Rows
from ..table.ids import (
    F_DEST,
    F_GATHER,
    F_GROUP,
    F_MOVES,
    F_REGROUP,
    GRADES,
    NO_DIR,
    NO_ROAD,
)
from ..table.state import State, emit
from ..table.steps import DestAt, GatherAt, GroupAt, RegroupAt
from .moves import Move, Moves, area, can_leave, carry_out, lines_for, ready, way, why_unit_stays

__all__ = ["FRAMES", "redeploy_reach"]


# 5.1 Group move


class Group(Move[GroupAt]):
    """5.1 Units of one hex move, each on its own. Frame: hex, rommel, withdrawal, begun."""

    at = GroupAt

    def pool(self, s: State, f: GroupAt) -> int:
        return ready(s, s.here[f.hex])

    def orders(self, s: State, f: GroupAt) -> list[Action]:
        lines = lines_for(s, f.withdrawal)
        return [(verbs.MOVE, u) for u in units_of(self.pool(s, f)) if can_leave(s, u, lines)]

    def order_for(self, s: State, f: GroupAt, u: int, lines: Lines | None) -> Action | None:
        return (verbs.MOVE, u) if can_leave(s, u, lines) else None

    def order(self, s: State, f: GroupAt, action: Action) -> None:
        s.stack[-1] = f._replace(begun=1)
        s.stack.append(DestAt(F_DEST, action[1], f.rommel, f.withdrawal))

    def prompt(self, s: State, f: GroupAt) -> Prompt:
        text = "the Rommel move: each unit may go one hex farther" if f.rommel else ""
        rules = ("5.3a", "5.3f") if f.withdrawal else ("5.1a", "6.3b") if f.rommel else ("5.1a",)
        kind = "Withdraw" if f.withdrawal else "Move"
        return Prompt(f"{kind} units from {name(s, f.hex)}", text, rules, "movement")

    def why_not(self, s: State, f: GroupAt, action: Action) -> Reason | None:
        if action[0] != verbs.MOVE:
            return super().why_not(s, f, action)
        u = action[1]
        who = s.board.unit_names[u]
        if s.board.side[u] != s.active:
            return Reason("3.4b", f"{who} is not yours")
        if s.start[u] == f.hex and s.moved >> u & 1:
            return Reason("6.0d", f"{who} has moved this turn")
        if s.at[u] != f.hex:
            return Reason("5.1a", f"{who} is not in {name(s, f.hex)}: a group move moves units of one hex")
        return why_unit_stays(s, u, lines_for(s, f.withdrawal))


class Destination(Frame[State, DestAt]):
    """5.1b Where one unit of a group move goes. Frame: unit, rommel, withdrawal."""

    at = DestAt

    def actor(self, s: State, f: DestAt) -> int | None:
        return s.active

    def legal(self, s: State, f: DestAt) -> list[Action]:
        u = f.unit
        r = way(s, u, f.rommel, lines_for(s, f.withdrawal))
        return list(moves_of(s, r, u)) if not f.withdrawal else [a for a in moves_of(s, r, u) if a[0] == verbs.TO]

    def take(self, s: State, f: DestAt, action: Action) -> None:
        _, u, rommel, withdrawal = f
        s.stack.pop()
        r = way(s, u, rommel, lines_for(s, withdrawal))
        if action[0] == verbs.EXIT:
            exit_map(s, u, r.exit_path(s.board, action[1]), action[1], rommel)
        else:
            carry_out(s, u, r, action[1], action[2], rommel, "5.3a" if withdrawal else "5.1a")

    def prompt(self, s: State, f: DestAt) -> Prompt:
        _, u, rommel, withdrawal = f
        board = s.board
        text = f"{board.unit_names[u]}, speed {board.speed[u] + rommel}, from {name(s, s.at[u])}"
        rules = ("5.3e", "5.3g") if withdrawal else ("6.0a", "6.2a")
        return Prompt("Where does it go?", text, rules, "movement")

    def hint(self, s: State, f: DestAt, action: Action) -> Hint | None:
        r = way(s, f.unit, f.rommel, lines_for(s, f.withdrawal))
        return way_shown(s, r, action[1], action[2]) if action[0] == verbs.TO else None

    def why_not(self, s: State, f: DestAt, action: Action) -> Reason | None:
        _, u, rommel, withdrawal = f
        lines = lines_for(s, withdrawal)
        if action[0] == verbs.EXIT:
            return why_no_exit(s, u, way(s, u, rommel, lines), action[1], withdrawal)
        if action[0] != verbs.TO:
            return Reason("5.1c", f"first say where {s.board.unit_names[u]} goes")
        return why_not_to(s, u, way(s, u, rommel, lines), action[1], action[2], lines)


def way_shown(s: State, r: Reach, h: Hex, via: int) -> Hint:
    """6.0a the hexes that a move takes, and how many; 6.0c it stops where enemies are."""
    path = r.path(s.board, h, via)
    names = s.board.grid.names
    road = "" if path.grade == NO_ROAD else f"by {GRADES[path.grade].replace('_', ' ')} (6.2a)"
    return {"cost": str(len(path.hexes)), "path": [names[x] for x in path.hexes], "stop": via != NO_DIR, "note": road}


def why_not_to(s: State, u: int, r: Reach, h: Hex, via: int, lines: Lines | None) -> Reason:
    """Why a unit cannot go to a hex, through this side of it."""
    return why_unreachable(s, u, r, h, via) if lines is None else why_not_back(s, lines, u, r, h, via)


def why_no_exit(s: State, u: int, r: Reach, h: Hex, withdrawal: int = 0) -> Reason | None:
    """17.1a, M12 why a unit cannot leave the map from this hex."""
    if withdrawal:
        return Reason("17.1a", "no unit leaves the map by withdrawal")
    if not s.board.exits[s.board.side[u]] >> h & 1:
        return Reason("17.1a", f"{name(s, h)} is not on the enemy's map edge")
    if s.unsupplied >> u & 1:
        return Reason("17.1a", "only a unit supplied at its initial supply check may leave the map")
    if s.occ[1 - s.active] >> s.at[u] & 1:
        return Reason("17.1a", "a unit that disengages may not leave the map")
    if not leavable(s, r, u) >> h & 1:
        return Reason("17.1a", f"it cannot reach {name(s, h)} with a hex of movement left to cross the edge")
    return None


# 5.2 Regroup move


def entries(s: State, u: int, bonus: int, lines: Lines | None, h: Hex) -> Sequence[int]:
    """By which sides a unit can enter a hex in this move. Who could not get there even without enemies, and off the
    line, is not asked for his line."""
    if not undisturbed(s.board, s.at[u], s.board.speed[u] + bonus) >> h & 1:
        return ()
    return ways_into(s, way(s, u, bonus, lines), h)


class Gather(Drawer[GatherAt]):
    """5.2c, 5.2e The destination of a regroup move. Frame: command point, rommel, withdrawal."""

    at = GatherAt

    def actor(self, s: State, f: GatherAt) -> int | None:
        return s.active

    def legal(self, s: State, f: GatherAt) -> list[Action]:
        return self.places(s, f).listed()

    def places(self, s: State, f: GatherAt) -> Rows:
        lines = lines_for(s, f.withdrawal)
        hexes: Mask = 0
        for u in self.foremost(s, f, 0 if lines is None else lines.special):
            hexes |= enterable(s, way(s, u, f.rommel + (lines is None), lines))  # 6.4f or by forced march
        return Rows([(verbs.GATHER, hexes, NO_TAIL)])

    def foremost(self, s: State, f: GatherAt, special: int = 0) -> list[int]:
        """Units who get wherever any around the command point get: the fastest of each hex, and who is special."""
        speed, at = s.board.speed, s.at
        units = ready(s, area(s, f.hex))
        fastest: dict[Hex, int] = {}
        for u in units_of(units & ~special):
            known = fastest.get(at[u], -1)
            if known < 0 or speed[u] > speed[known]:
                fastest[at[u]] = u
        return [*fastest.values(), *units_of(units & special)]

    def offer(self, s: State, f: GatherAt) -> list[Action] | Choices:
        return self.places(s, f) if f.withdrawal else super().offer(s, f)

    def draw(self, s: State, f: GatherAt, random: Callable[[], float]) -> Action:
        """From all hexes in reach if there were no enemies; not in a withdrawal, which reaches few of these."""
        board, bonus = s.board, f.rommel + 1  # 6.4f or by forced march
        open_ways = [(undisturbed(board, s.at[u], board.speed[u] + bonus), u) for u in self.foremost(s, f)]
        hexes = 0
        for ground, _ in open_ways:
            hexes |= ground
        while True:
            h = nth(hexes, int(random() * hexes.bit_count()))
            for ground, u in open_ways:
                if ground >> h & 1 and ways_into(s, reach(s, u, bonus), h):
                    return (verbs.GATHER, h)
            hexes ^= 1 << h

    def take(self, s: State, f: GatherAt, action: Action) -> None:
        s.stack[-1] = RegroupAt(F_REGROUP, f.hex, f.rommel, f.withdrawal, action[1], 0)
        emit(s, "gathering", "5.2e", {"hex": f.hex, "to": action[1], "side": s.active})

    def prompt(self, s: State, f: GatherAt) -> Prompt:
        text = f"units in and beside {name(s, f.hex)} go to one hex"
        return Prompt("Where do they gather?", text, ("5.2c", "5.2a"), "movement")

    def why_not(self, s: State, f: GatherAt, action: Action) -> Reason | None:
        if action[0] != verbs.GATHER:
            return Reason("5.2e", "first name the hex in which the units gather")
        lines = lines_for(s, f.withdrawal)
        h = action[1]
        reason = why_no_land(s, h)
        for u in units_of(ready(s, area(s, f.hex))):
            reason = reason or why_not_to(s, u, way(s, u, f.rommel, lines), h, NO_DIR, lines)
        if reason is None:
            return None
        return Reason(reason.rule, f"no unit in or beside {name(s, f.hex)} can get there; of the first, {reason.why}")


class Regroup(Move[RegroupAt]):
    """5.2 Units around a command point go to one hex.

    Frame: command point, rommel, withdrawal, destination, begun.
    """

    at = RegroupAt

    def pool(self, s: State, f: RegroupAt) -> int:
        return ready(s, area(s, f.hex) & ~s.here[f.to])

    def orders(self, s: State, f: RegroupAt) -> list[Action]:
        units = units_of(self.pool(s, f))
        if f.withdrawal:
            lines = lines_for(s, f.withdrawal)
            return [(verbs.JOIN, u, via) for u in units for via in entries(s, u, f.rommel, lines, f.to)]
        into = self.ways_by_start(s, f, units)
        return [(verbs.JOIN, u, via) for u in units for via in into[s.at[u], s.board.speed[u]]]

    def ways_by_start(
        self, s: State, f: RegroupAt, units: Sequence[int], more: int = 0
    ) -> dict[tuple[Hex, int], Sequence[int]]:
        """How the destination can be entered, by the hex and the speed of a unit: the same for all who share them."""
        speed = s.board.speed
        into: dict[tuple[Hex, int], Sequence[int]] = {}
        for u in units:
            key = (s.at[u], speed[u])
            if key not in into:
                into[key] = ways_into(s, reach(s, u, f.rommel + more), f.to)
        return into

    def offer(self, s: State, f: RegroupAt) -> list[Action] | Choices:
        if s.occ[1 - s.active] >> f.to & 1:  # there may be several ways for one unit
            return self.legal(s, f)
        return super().offer(s, f)

    def order_for(self, s: State, f: RegroupAt, u: int, lines: Lines | None) -> Action | None:
        return (verbs.JOIN, u, NO_DIR) if entries(s, u, f.rommel, lines, f.to) else None

    def ends(self, s: State, f: RegroupAt) -> list[Action]:
        return super().ends(s, f) if f.begun or f.withdrawal else [(verbs.END_MOVE,)]

    def end(self, s: State, f: RegroupAt, action: Action) -> Action | None:
        if f.begun or f.withdrawal:
            return super().end(s, f, action)
        return action if self.can_march(s, f) else None

    def order(self, s: State, f: RegroupAt, action: Action) -> None:
        _, u, via = action
        s.stack[-1] = f._replace(begun=1)
        r = way(s, u, f.rommel, lines_for(s, f.withdrawal))
        carry_out(s, u, r, f.to, via, f.rommel, "5.3a" if f.withdrawal else "5.2a")
        s.moved_far[u] |= GATHERED

    def legal(self, s: State, f: RegroupAt) -> list[Action]:
        actions = super().legal(s, f)
        return actions if f.begun or f.withdrawal or not self.can_march(s, f) else [*actions, (verbs.END_MOVE,)]

    def can_march(self, s: State, f: RegroupAt) -> bool:
        """6.4f whether a unit could join by forced march alone: the move may consist of such marches."""
        units = units_of(self.pool(s, f))
        marched = self.ways_by_start(s, f, units, 1)
        return any(marched[start] and not ways for start, ways in self.ways_by_start(s, f, units).items())

    def take(self, s: State, f: RegroupAt, action: Action) -> None:
        if action[0] == verbs.END_MOVE:
            self.note_marchers(s, f)
        super().take(s, f, action)

    def run(self, s: State, f: RegroupAt) -> None:
        self.note_marchers(s, f)
        super().run(s, f)

    def note_marchers(self, s: State, f: RegroupAt) -> None:
        """6.4f units that could reach the destination only by a forced march may attempt one later."""
        lines = lines_for(s, f.withdrawal)
        for u in units_of(self.pool(s, f)):
            if lines is not None and s.occ[1 - s.active] >> s.at[u] & 1:
                continue
            if entries(s, u, f.rommel, lines, f.to):
                continue
            # whoever waits to join another regroup move of this phase goes on waiting, unless he could march here
            if s.plan[u] < 0 or entries(s, u, f.rommel + 1, lines, f.to):
                s.plan[u] = f.to
                s.moved_far[u] = f.rommel

    def prompt(self, s: State, f: RegroupAt) -> Prompt:
        text = f"units in and beside {name(s, f.hex)}{', one hex farther as the Rommel move' if f.rommel else ''}"
        return Prompt(f"Gather units in {name(s, f.to)}", text, ("5.2a", "5.2f"), "movement")

    def hint(self, s: State, f: RegroupAt, action: Action) -> Hint | None:
        if action[0] != verbs.JOIN:
            return None
        return way_shown(s, way(s, action[1], f.rommel, lines_for(s, f.withdrawal)), f.to, action[2])

    def why_not(self, s: State, f: RegroupAt, action: Action) -> Reason | None:
        if action[0] != verbs.JOIN:
            return super().why_not(s, f, action)
        u, via = action[1], action[2]
        who = s.board.unit_names[u]
        if s.board.side[u] != s.active:
            return Reason("3.4b", f"{who} is not yours")
        if s.at[u] == f.to:
            return Reason("5.2a", f"{who} is in {name(s, f.to)}")
        if not area(s, f.hex) >> u & 1:
            return Reason("5.2a", f"{who} is neither in {name(s, f.hex)} nor beside it")
        lines = lines_for(s, f.withdrawal)
        reason = why_unit_stays(s, u, lines)
        if reason is not None:
            return reason
        reason = why_not_to(s, u, way(s, u, f.rommel, lines), f.to, via, lines)
        rule = "5.2f" if reason.rule in ("6.0a", "6.2a") and lines is None else reason.rule
        return Reason(rule, reason.why)


FRAMES: dict[int, Frame[State, Any]] = {
    F_MOVES: Moves(),
    F_GROUP: Group(),
    F_GATHER: Gather(),
    F_REGROUP: Regroup(),
    F_DEST: Destination(),
}
