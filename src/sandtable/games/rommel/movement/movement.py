"""5.1 and 5.2 Group moves and regroup moves.

A move is chosen step by step: the kind of move and its hex (F_MOVES, in moves.py), for a regroup move
the destination (F_GATHER), then unit by unit who goes (F_GROUP, F_REGROUP) and in a group move where
to (F_DEST).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.engine.contract import Action, Choices, Prompt, Reason
from sandtable.engine.frames import F, Frame
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
    V_END_MOVE,
    V_EXIT,
    V_GATHER,
    V_JOIN,
    V_MOVE,
    V_TO,
)
from ..table.state import State, emit
from .moves import Move, Moves, area, can_leave, carry_out, lines_for, ready, way, why_unit_stays

__all__ = ["FRAMES", "redeploy_reach"]


# 5.1 Group move


class Group(Move):
    """5.1 Units of one hex move, each on its own. Frame: hex, rommel, withdrawal, begun."""

    def pool(self, s: State, f: F) -> int:
        return ready(s, s.here[f[1]])

    def orders(self, s: State, f: F) -> list[Action]:
        lines = lines_for(s, f[3])
        return [(V_MOVE, u) for u in units_of(self.pool(s, f)) if can_leave(s, u, lines)]

    def order_for(self, s: State, f: F, u: int, lines: Lines | None) -> Action | None:
        return (V_MOVE, u) if can_leave(s, u, lines) else None

    def order(self, s: State, f: F, action: Action) -> None:
        s.stack[-1] = (*f[:4], 1)
        s.stack.append((F_DEST, action[1], f[2], f[3]))

    def prompt(self, s: State, f: F) -> Prompt:
        text = "the Rommel move: each unit may go one hex farther" if f[2] else ""
        rules = ("5.3a", "5.3f") if f[3] else ("5.1a", "6.3b") if f[2] else ("5.1a",)
        kind = "Withdraw" if f[3] else "Move"
        return Prompt(f"{kind} units from {name(s, f[1])}", text, rules, "movement")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != V_MOVE:
            return super().why_not(s, f, action)
        u = action[1]
        who = s.board.unit_names[u]
        if s.board.side[u] != s.active:
            return Reason("3.4b", f"{who} is not yours")
        if s.start[u] == f[1] and s.moved >> u & 1:
            return Reason("6.0d", f"{who} has moved this turn")
        if s.at[u] != f[1]:
            return Reason("5.1a", f"{who} is not in {name(s, f[1])}: a group move moves units of one hex")
        return why_unit_stays(s, u, lines_for(s, f[3]))


class Destination(Frame[State]):
    """5.1b Where one unit of a group move goes. Frame: unit, rommel, withdrawal."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active

    def legal(self, s: State, f: F) -> list[Action]:
        u = f[1]
        r = way(s, u, f[2], lines_for(s, f[3]))
        return list(moves_of(s, r, u)) if not f[3] else [a for a in moves_of(s, r, u) if a[0] == V_TO]

    def take(self, s: State, f: F, action: Action) -> None:
        _, u, rommel, withdrawal = f
        s.stack.pop()
        r = way(s, u, rommel, lines_for(s, withdrawal))
        if action[0] == V_EXIT:
            exit_map(s, u, r.exit_path(s.board, action[1]), action[1], rommel)
        else:
            carry_out(s, u, r, action[1], action[2], rommel, "5.3a" if withdrawal else "5.1a")

    def prompt(self, s: State, f: F) -> Prompt:
        _, u, rommel, withdrawal = f
        board = s.board
        text = f"{board.unit_names[u]}, speed {board.speed[u] + rommel}, from {name(s, s.at[u])}"
        rules = ("5.3e", "5.3g") if withdrawal else ("6.0a", "6.2a")
        return Prompt("Where does it go?", text, rules, "movement")

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        r = way(s, f[1], f[2], lines_for(s, f[3]))
        return way_shown(s, r, action[1], action[2]) if action[0] == V_TO else None

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        _, u, rommel, withdrawal = f
        lines = lines_for(s, withdrawal)
        if action[0] == V_EXIT:
            return why_no_exit(s, u, way(s, u, rommel, lines), action[1], withdrawal)
        if action[0] != V_TO:
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


class Gather(Drawer):
    """5.2c, 5.2e The destination of a regroup move. Frame: command point, rommel, withdrawal."""

    def actor(self, s: State, f: F) -> int | None:
        return s.active

    def legal(self, s: State, f: F) -> list[Action]:
        return self.places(s, f).listed()

    def places(self, s: State, f: F) -> Rows:
        lines = lines_for(s, f[3])
        hexes: Mask = 0
        for u in self.foremost(s, f, 0 if lines is None else lines.special):
            hexes |= enterable(s, way(s, u, f[2] + (lines is None), lines))  # 6.4f or by forced march
        return Rows([(V_GATHER, hexes, NO_TAIL)])

    def foremost(self, s: State, f: F, special: int = 0) -> list[int]:
        """Units who get wherever any around the command point get: the fastest of each hex, and who is special."""
        speed, at = s.board.speed, s.at
        units = ready(s, area(s, f[1]))
        fastest: dict[Hex, int] = {}
        for u in units_of(units & ~special):
            known = fastest.get(at[u], -1)
            if known < 0 or speed[u] > speed[known]:
                fastest[at[u]] = u
        return [*fastest.values(), *units_of(units & special)]

    def offer(self, s: State, f: F) -> list[Action] | Choices:
        return self.places(s, f) if f[3] else super().offer(s, f)

    def draw(self, s: State, f: F, random: Callable[[], float]) -> Action:
        """From all hexes in reach if there were no enemies; not in a withdrawal, which reaches few of these."""
        board, bonus = s.board, f[2] + 1  # 6.4f or by forced march
        open_ways = [(undisturbed(board, s.at[u], board.speed[u] + bonus), u) for u in self.foremost(s, f)]
        hexes = 0
        for ground, _ in open_ways:
            hexes |= ground
        while True:
            h = nth(hexes, int(random() * hexes.bit_count()))
            for ground, u in open_ways:
                if ground >> h & 1 and ways_into(s, reach(s, u, bonus), h):
                    return (V_GATHER, h)
            hexes ^= 1 << h

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack[-1] = (F_REGROUP, f[1], f[2], f[3], action[1], 0)
        emit(s, "gathering", "5.2e", {"hex": f[1], "to": action[1], "side": s.active})

    def prompt(self, s: State, f: F) -> Prompt:
        text = f"units in and beside {name(s, f[1])} go to one hex"
        return Prompt("Where do they gather?", text, ("5.2c", "5.2a"), "movement")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != V_GATHER:
            return Reason("5.2e", "first name the hex in which the units gather")
        lines = lines_for(s, f[3])
        h = action[1]
        reason = why_no_land(s, h)
        for u in units_of(ready(s, area(s, f[1]))):
            reason = reason or why_not_to(s, u, way(s, u, f[2], lines), h, NO_DIR, lines)
        if reason is None:
            return None
        return Reason(reason.rule, f"no unit in or beside {name(s, f[1])} can get there; of the first, {reason.why}")


class Regroup(Move):
    """5.2 Units around a command point go to one hex.

    Frame: command point, rommel, withdrawal, destination, begun.
    """

    def pool(self, s: State, f: F) -> int:
        return ready(s, area(s, f[1]) & ~s.here[f[4]])

    def orders(self, s: State, f: F) -> list[Action]:
        units = units_of(self.pool(s, f))
        if f[3]:
            lines = lines_for(s, f[3])
            return [(V_JOIN, u, via) for u in units for via in entries(s, u, f[2], lines, f[4])]
        into = self.ways_by_start(s, f, units)
        return [(V_JOIN, u, via) for u in units for via in into[s.at[u], s.board.speed[u]]]

    def ways_by_start(
        self, s: State, f: F, units: Sequence[int], more: int = 0
    ) -> dict[tuple[Hex, int], Sequence[int]]:
        """How the destination can be entered, by the hex and the speed of a unit: the same for all who share them."""
        speed = s.board.speed
        into: dict[tuple[Hex, int], Sequence[int]] = {}
        for u in units:
            key = (s.at[u], speed[u])
            if key not in into:
                into[key] = ways_into(s, reach(s, u, f[2] + more), f[4])
        return into

    def offer(self, s: State, f: F) -> list[Action] | Choices:
        if s.occ[1 - s.active] >> f[4] & 1:  # there may be several ways for one unit
            return self.legal(s, f)
        return super().offer(s, f)

    def order_for(self, s: State, f: F, u: int, lines: Lines | None) -> Action | None:
        return (V_JOIN, u, NO_DIR) if entries(s, u, f[2], lines, f[4]) else None

    def ends(self, s: State, f: F) -> list[Action]:
        return super().ends(s, f) if f[-1] or f[3] else [(V_END_MOVE,)]

    def end(self, s: State, f: F, action: Action) -> Action | None:
        if f[-1] or f[3]:
            return super().end(s, f, action)
        return action if self.can_march(s, f) else None

    def order(self, s: State, f: F, action: Action) -> None:
        _, u, via = action
        s.stack[-1] = (*f[:5], 1)
        r = way(s, u, f[2], lines_for(s, f[3]))
        carry_out(s, u, r, f[4], via, f[2], "5.3a" if f[3] else "5.2a")
        s.moved_far[u] |= GATHERED

    def legal(self, s: State, f: F) -> list[Action]:
        actions = super().legal(s, f)
        return actions if f[-1] or f[3] or not self.can_march(s, f) else [*actions, (V_END_MOVE,)]

    def can_march(self, s: State, f: F) -> bool:
        """6.4f whether a unit could join by forced march alone: the move may consist of such marches."""
        units = units_of(self.pool(s, f))
        marched = self.ways_by_start(s, f, units, 1)
        return any(marched[start] and not ways for start, ways in self.ways_by_start(s, f, units).items())

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == V_END_MOVE:
            self.note_marchers(s, f)
        super().take(s, f, action)

    def run(self, s: State, f: F) -> None:
        self.note_marchers(s, f)
        super().run(s, f)

    def note_marchers(self, s: State, f: F) -> None:
        """6.4f units that could reach the destination only by a forced march may attempt one later."""
        lines = lines_for(s, f[3])
        for u in units_of(self.pool(s, f)):
            if lines is not None and s.occ[1 - s.active] >> s.at[u] & 1:
                continue
            if entries(s, u, f[2], lines, f[4]):
                continue
            # whoever waits to join another regroup move of this phase goes on waiting, unless he could march here
            if s.plan[u] < 0 or entries(s, u, f[2] + 1, lines, f[4]):
                s.plan[u] = f[4]
                s.moved_far[u] = f[2]

    def prompt(self, s: State, f: F) -> Prompt:
        text = f"units in and beside {name(s, f[1])}{', one hex farther as the Rommel move' if f[2] else ''}"
        return Prompt(f"Gather units in {name(s, f[4])}", text, ("5.2a", "5.2f"), "movement")

    def hint(self, s: State, f: F, action: Action) -> Hint | None:
        if action[0] != V_JOIN:
            return None
        return way_shown(s, way(s, action[1], f[2], lines_for(s, f[3])), f[4], action[2])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != V_JOIN:
            return super().why_not(s, f, action)
        u, via = action[1], action[2]
        who = s.board.unit_names[u]
        if s.board.side[u] != s.active:
            return Reason("3.4b", f"{who} is not yours")
        if s.at[u] == f[4]:
            return Reason("5.2a", f"{who} is in {name(s, f[4])}")
        if not area(s, f[1]) >> u & 1:
            return Reason("5.2a", f"{who} is neither in {name(s, f[1])} nor beside it")
        lines = lines_for(s, f[3])
        reason = why_unit_stays(s, u, lines)
        if reason is not None:
            return reason
        reason = why_not_to(s, u, way(s, u, f[2], lines), f[4], via, lines)
        rule = "5.2f" if reason.rule in ("6.0a", "6.2a") and lines is None else reason.rule
        return Reason(rule, reason.why)


FRAMES: dict[int, Frame[State]] = {
    F_MOVES: Moves(),
    F_GROUP: Group(),
    F_GATHER: Gather(),
    F_REGROUP: Regroup(),
    F_DEST: Destination(),
}
