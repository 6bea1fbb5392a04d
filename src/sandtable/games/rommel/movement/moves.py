"""5.0 Moves: what group moves and regroup moves have in common, and 6.3 the Rommel move.

The Active player makes the moves that his option allows (F_MOVES); in each, units go one by one until
the move is over, and what has been begun is resolved: overruns (11.4) and full retreats (10.3). What
each unit can do is `reach` (6.0 to 6.2) or, in a Pass turn, `withdrawal` (5.3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sandtable.engine.contract import Action, Choices, Prompt, Reason
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.offers import nth

from ..combat.engagement import FULL, full_retreats, go, plan_to_leave
from ..paths.reach import Reach, moves_of, name, reach, why_no_land
from ..paths.withdrawal import Lines, at_start, shrinks, why_cannot_go
from ..table import verbs
from ..table.board import units_of
from ..table.choices import Drawer, Rows
from ..table.ids import (
    ASSAULT,
    AXIS,
    BASIC,
    BLITZ,
    F_GATHER,
    F_GROUP,
    F_LEAVE_HEX,
    F_MOVES,
    F_ROUT,
    OFFENSIVE,
    OPTIONS,
    PASS,
)
from ..table.scenarios import script
from ..table.state import State, emit, put
from ..table.steps import GatherAt, GroupAt, LeaveHexAt, MovesAt, RegroupAt, RoutAt

# 4.1 to 4.5 moves in one movement phase, and the rule that says so
MOVES = {
    BASIC: (1, "4.1"),
    OFFENSIVE: (2, "4.2a"),
    ASSAULT: (1, "4.3a"),
    BLITZ: (1, "4.4a"),
    PASS: (1, "4.5b"),
}


M = TypeVar("M", GroupAt, RegroupAt)
"""A move in hand."""


# Who may move


def ready(s: State, units: int) -> int:
    """6.0d, 11.1a the units of the Active side among these that may still move this turn."""
    return units & s.board.of_side[s.active] & ~(s.disrupted | s.moved)


def area(s: State, h: Hex) -> int:
    """5.2a the units in a command point and in the hexes adjacent to it, whatever the hexsides."""
    units = 0
    for n in hexes_in(s.board.grid.within(h, 1) & (s.occ[0] | s.occ[1])):
        units |= s.here[n]
    return units


def can_rommel(s: State) -> bool:
    """6.3 whether the next move may be the Rommel move: Axis turns only, once, not in 1940."""
    return s.active == AXIS and not s.rommel_used and script(s).rommel_move


def lines_for(s: State, withdrawal: int) -> Lines | None:
    """5.3d the lines along which this move withdraws; None if it is paid for."""
    return Lines(s, at_start(s)) if withdrawal else None


def way(s: State, u: int, rommel: int, lines: Lines | None) -> Reach:
    """Where a unit can go in this move (6.3b: one hex more in the Rommel move, also in a Pass turn, A17)."""
    return reach(s, u, rommel) if lines is None else lines.way(u, rommel, overruns=True)


def can_leave(s: State, u: int, lines: Lines | None) -> bool:
    """Whether a unit can go anywhere at all."""
    if lines is not None:
        return lines.can_go(u, overruns=True)
    h = s.at[u]
    enemies = s.occ[1 - s.active]
    if not enemies >> h & 1:
        for _, n in s.board.steps[h]:
            if not enemies >> n & 1:
                return True
    return bool(moves_of(s, reach(s, u), u))


def manned_hexes(s: State) -> Mask:
    """The hexes in which at least one unit of the Active side may still move."""
    hexes = s.firm[s.active]
    if s.moved:
        for u in units_of(s.moved & s.board.of_side[s.active]):
            h = s.at[u]
            if h >= 0 and hexes >> h & 1 and not ready(s, s.here[h]):
                hexes &= ~(1 << h)
    return hexes


def backed_hexes(s: State, lines: Lines, hexes: Mask) -> Mask:
    """5.3 those of these hexes from which at least one unit of the Active side can withdraw."""
    side = s.active
    special = (s.fort_supply | s.raiders) & s.board.of_side[side]
    back = 0 if special else lines.left_by(side, hexes)
    met = s.occ[1 - side] & ~s.firm[1 - side]
    if special or met or hexes & s.occ[1 - side]:
        for h in hexes_in(hexes & ~back):
            if lines.can_any_go(ready(s, s.here[h]), overruns=True):
                back |= 1 << h
    return back


def mobile_hexes(s: State) -> Mask:
    """The hexes from which at least one unit of the Active side can move."""
    side = s.active
    hexes = manned_hexes(s)
    if s.option == PASS:
        return backed_hexes(s, Lines(s), hexes)
    board = s.board
    enemies = s.occ[1 - side]
    free = board.land & ~enemies
    shift, open_ = board.grid.shift, board.open
    anywhere = out = 0
    fights = hexes & enemies
    for d in range(6):
        n = shift[d]
        beside = open_[d] & (free >> n if n > 0 else free << -n)  # hexes with a free hex in this direction
        anywhere |= beside
        if fights:  # 7.2b
            out |= beside & (s.att_side[d] ^ s.defends[side])
    shut_in = hexes & ~enemies & ~anywhere
    if shut_in:
        for h in hexes_of(shut_in):
            if not any(can_leave(s, u, None) for u in units_of(ready(s, s.here[h]))):
                hexes &= ~(1 << h)
    return hexes & ~enemies | fights & out


# 5.0 Making moves


ORDINARY, OR_ROMMEL = ((0,),), ((0,), (1,))
"""6.3 What follows the hex of a move: 1 for the Rommel move."""


NO_MORE: Action = (verbs.END_MOVES,)


def command_points(s: State, groups: Mask) -> Mask:
    """5.2b the command points for units in these hexes: friendly, empty or battle hexes; they must be land."""
    return s.board.grid.dilate(groups) & s.board.land & (s.occ[s.active] | ~s.occ[1 - s.active])


def choice_of_moves(groups: Mask, points: Mask, can_rommel: bool) -> Rows:
    """5.0d, 6.3 Group moves from these hexes and regroup moves around those, each as a Rommel move too if
    that is possible, and the end of all moves."""
    kinds = OR_ROMMEL if can_rommel else ORDINARY
    return Rows([(verbs.GROUP, groups, kinds), (verbs.REGROUP, points, kinds)], [NO_MORE])


class Moves(Drawer[MovesAt]):
    """3.43a, 5.0c The Active player makes the moves that his option allows. Frame: moves made, blitz.

    The option is secret: after the first move he has to say that he makes no more, even if he could not.
    """

    at = MovesAt

    def actor(self, s: State, f: MovesAt) -> int | None:
        _, made, blitz = f
        return None if made and (made > 1 or blitz or s.option == PASS) else s.active

    def run(self, s: State, f: MovesAt) -> None:
        s.stack.pop()

    def legal(self, s: State, f: MovesAt) -> list[Action]:
        return self.moves(s, f).listed()

    def moves(self, s: State, f: MovesAt) -> Rows:
        _, made, _ = f
        if made >= MOVES[s.option][0]:
            return Rows((), [NO_MORE])
        groups = mobile_hexes(s)
        return choice_of_moves(groups, command_points(s, groups), can_rommel(s))

    def offer(self, s: State, f: MovesAt) -> list[Action] | Choices:
        return super().offer(s, f) if s.option == PASS else self.moves(s, f)

    def draw(self, s: State, f: MovesAt, random: Callable[[], float]) -> Action:
        """A withdrawal from any hex with units, or the end: where the lines run is asked for one hex alone."""
        groups, lines = manned_hexes(s), Lines(s)
        kinds = 1 + can_rommel(s)
        while True:
            points = command_points(s, groups)
            first = kinds * groups.bit_count()
            n = int(random() * (first + kinds * points.bit_count() + 1))
            if n < first:
                h = nth(groups, n // kinds)
                asked = 1 << h
                action = (verbs.GROUP, h, n % kinds)
            else:
                n -= first
                if n == kinds * points.bit_count():
                    return NO_MORE
                h = nth(points, n // kinds)
                asked = s.board.grid.within(h, 1) & groups
                action = (verbs.REGROUP, h, n % kinds)
            if backed_hexes(s, lines, asked):
                return action
            groups &= ~asked

    def take(self, s: State, f: MovesAt, action: Action) -> None:
        if action[0] == verbs.END_MOVES:
            s.stack.pop()
            return
        verb, h, rommel = action
        withdrawal = int(s.option == PASS)
        s.stack[-1] = MovesAt(F_MOVES, f.made + 1, f.blitz)
        if rommel:
            s.rommel_used = 1
        data = {"hex": h, "side": s.active, "rommel": rommel, "withdrawal": withdrawal}
        if verb == verbs.GROUP:
            emit(s, "group_move", "5.3a" if withdrawal else "5.1c", data)
            s.stack.append(GroupAt(F_GROUP, h, rommel, withdrawal, 0))
        else:
            emit(s, "regroup_move", "5.3a" if withdrawal else "5.2e", data)
            s.stack.append(GatherAt(F_GATHER, h, rommel, withdrawal))

    def prompt(self, s: State, f: MovesAt) -> Prompt:
        allowed, rule = MOVES[s.option]
        left = allowed - f.made
        if s.option == PASS:
            return Prompt("Withdraw, or end your turn", "one withdrawal move may be made", ("4.5b", "5.3a"), "movement")
        text = f"{left} of {allowed} move{'s' if allowed > 1 else ''} left in this phase"
        # The title stands on both screens: it must not tell how many moves the secret option allows
        return Prompt("Choose a move, or end movement", text, ("5.0d", rule), "movement")

    def why_not(self, s: State, f: MovesAt, action: Action) -> Reason | None:
        verb = action[0]
        if verb in (verbs.MOVE, verbs.TO, verbs.EXIT, verbs.JOIN, verbs.GATHER):
            return Reason("5.1c", "first name the group, or the command point of a regroup move")
        if verb not in (verbs.GROUP, verbs.REGROUP):
            return None
        allowed, rule = MOVES[s.option]
        if f.made >= allowed:
            return Reason(rule, f"a {OPTIONS[s.option]} turn allows {allowed} move{'s' if allowed > 1 else ''}")
        h, rommel = action[1], action[2]
        if rommel and (reason := why_no_rommel(s)) is not None:
            return reason
        if (reason := why_no_land(s, h)) is not None:
            return reason
        units = area(s, h) if verb == verbs.REGROUP else s.here[h]
        own = units & s.board.of_side[s.active]
        if verb == verbs.REGROUP and s.occ[1 - s.active] >> h & 1 and not s.occ[s.active] >> h & 1:
            return Reason("5.2b", f"{name(s, h)} is an enemy hex: no command point")
        if not own:
            if verb == verbs.REGROUP:
                return Reason("5.2a", f"no unit of yours is in or beside {name(s, h)}")
            return Reason("5.0a", f"no unit of yours is in {name(s, h)}")
        return why_none_moves(s, own, s.option == PASS)


def why_no_rommel(s: State) -> Reason | None:
    """6.3 why a move may not be the Rommel move."""
    if s.active != AXIS:
        return Reason("6.3d", "only the Axis player makes Rommel moves")
    if not script(s).rommel_move:
        return Reason("6.3c", "there is no Rommel move in the 1940 campaign")
    if s.rommel_used:
        return Reason("6.3a", "the Rommel move of this turn has been made")
    return None


def why_none_moves(s: State, units: int, withdrawal: bool) -> Reason | None:
    """Why none of these units can move; the reason of the one that comes nearest to moving."""
    able = ready(s, units)
    lines = lines_for(s, withdrawal)
    for u in units_of(able or units):
        reason = why_unit_stays(s, u, lines)
        if reason is not None:
            return reason
    return None


def why_unit_stays(s: State, u: int, lines: Lines | None) -> Reason | None:
    """Why this unit cannot move now."""
    who = s.board.unit_names[u]
    if s.disrupted >> u & 1:
        return Reason("11.1a", f"{who} is disrupted and cannot move")
    if s.moved >> u & 1:
        rule = {OFFENSIVE: "4.2b", BLITZ: "3.45b"}.get(s.option, "6.0d")
        return Reason(rule, f"{who} has moved this turn")
    if can_leave(s, u, lines):
        return None
    if lines is not None:
        return why_cannot_go(s, lines, u)
    if s.occ[1 - s.active] >> s.at[u] & 1:
        return Reason("7.2b", f"no friendly hexside leads {who} out of {name(s, s.at[u])} into a hex without enemies")
    return Reason("6.0c", f"enemies all around {name(s, s.at[u])} leave {who} nowhere to go")


# Carrying a move out


def carry_out(s: State, u: int, r: Reach, h: Hex, via: int, rommel: int, rule: str) -> None:
    """One unit of the move goes; out of a battle only after the other moves (10.4c)."""
    if s.occ[1 - s.active] >> s.at[u] & 1:
        plan_to_leave(s, u, h, rommel)
    else:
        go(s, u, r.path(s.board, h, via), via, rommel, rule)


def end_move(s: State) -> None:
    """11.4, 10.3 a move is over: overruns that wait are resolved, then full retreats."""
    s.stack.pop()
    emit(s, "move_over", "5.0b", {"side": s.active})
    for h in reversed(full_retreats(s)):
        s.stack.append(LeaveHexAt(F_LEAVE_HEX, h, 0, FULL))
    for h in reversed(hexes_of(s.overrun)):
        s.stack.append(RoutAt(F_ROUT, h, 1 - s.active, 0))
    s.overrun = 0


def abandon(s: State) -> None:
    """5.3f a withdrawal that shortens nothing is taken back; the one withdrawal of the turn is used up."""
    s.stack.pop()
    for u in units_of(s.moved & s.board.of_side[s.active]):
        if s.start[u] >= 0 and not s.leaving >> u & 1:
            put(s, u, s.start[u])
        s.start[u] = s.plan[u] = -1
        s.moved_far[u] = 0
    s.moved = s.leaving = 0
    s.overrun = s.attacked = s.mines_touched = 0
    s.entered = [0] * 12
    emit(s, "withdrawal_abandoned", "5.3f", {"side": s.active})


def why_no_end(s: State) -> Reason | None:
    """5.3f, 10.4b why a withdrawal move cannot stand as it is."""
    whole = full_retreats(s)
    for u in units_of(s.leaving):
        if s.at[u] not in whole:
            return Reason("10.4b", f"a withdrawal may not take only some of the units out of {name(s, s.at[u])}")
    if not shrinks(s):
        return Reason("5.3f", "no hex has dropped out of your supply network")
    return None


class Move(Drawer[M]):
    """What group and regroup moves have in common: units go one by one until the move is over.

    Frame: hex, rommel, withdrawal, …, and last 1 once a unit has gone.
    """

    def pool(self, s: State, f: M) -> int:
        """The units that may still take part."""
        raise NotImplementedError

    def orders(self, s: State, f: M) -> list[Action]:
        """The orders that units of the pool can be given, sorted."""
        raise NotImplementedError

    def actor(self, s: State, f: M) -> int | None:
        """All units have gone and no dice will follow: nothing is left to decide (all of it public)."""
        if f.begun and not f.withdrawal and not s.overrun and not s.leaving and not self.pool(s, f):
            return None
        return s.active

    def run(self, s: State, f: M) -> None:
        end_move(s)

    def legal(self, s: State, f: M) -> list[Action]:
        actions: list[Action] = self.orders(s, f)
        if not f.begun:
            return actions
        if not f.withdrawal:
            if s.overrun:  # 11.4b, 11.4d
                actions = actions + [(verbs.ROUT, h) for h in hexes_of(s.overrun)]
            return [*actions, (verbs.END_MOVE,)]
        return [*actions, (verbs.END_MOVE,) if why_no_end(s) is None else (verbs.ABANDON,)]

    def draw(self, s: State, f: M, random: Callable[[], float]) -> Action:
        """From all units of the pool and the ways to end: above all it takes long to say how a withdrawal may end."""
        pool = self.pool(s, f)
        units = pool.bit_count()
        ends = self.ends(s, f)
        lines = lines_for(s, f.withdrawal)
        while True:
            n = int(random() * (units + len(ends)))
            if n < units:
                u = nth(pool, n)
                order = self.order_for(s, f, u, lines)
                if order is not None:
                    return order
                pool ^= 1 << u
                units -= 1
            else:
                end = self.end(s, f, ends[n - units])
                if end is not None:
                    return end
                del ends[n - units]

    def order_for(self, s: State, f: M, u: int, lines: Lines | None) -> Action | None:
        """The one order that a unit of the pool can be given, if it can."""
        raise NotImplementedError

    def ends(self, s: State, f: M) -> list[Action]:
        """What may come after the orders, of which `end` says whether it does."""
        if not f.begun:
            return []
        if s.overrun and not f.withdrawal:
            return [*((verbs.ROUT, h) for h in hexes_of(s.overrun)), (verbs.END_MOVE,)]
        return [(verbs.END_MOVE,)]

    def end(self, s: State, f: M, action: Action) -> Action | None:
        """5.3f how a move may end: a withdrawal that may not stand is given up."""
        return action if not f.withdrawal or why_no_end(s) is None else (verbs.ABANDON,)

    def take(self, s: State, f: M, action: Action) -> None:
        verb = action[0]
        if verb == verbs.END_MOVE:
            end_move(s)
        elif verb == verbs.ABANDON:
            abandon(s)
        elif verb == verbs.ROUT:
            s.overrun &= ~(1 << action[1])
            s.stack.append(RoutAt(F_ROUT, action[1], 1 - s.active, 0))
        else:
            self.order(s, f, action)

    def order(self, s: State, f: M, action: Action) -> None:
        raise NotImplementedError

    def why_not(self, s: State, f: M, action: Action) -> Reason | None:
        verb = action[0]
        if verb == verbs.END_MOVE:
            if not f.begun:
                return Reason("5.1a", "a move moves at least one unit")
            return why_no_end(s)
        if verb == verbs.ABANDON:
            return Reason("5.3f", "only a withdrawal that does not shorten the network is given up")
        if verb == verbs.ROUT:
            if f.withdrawal and s.overrun >> action[1] & 1:
                return Reason("11.4b", "in a withdrawal overruns are resolved when the move ends")
            return Reason("11.4a", f"no disrupted enemies wait to be routed in {name(s, action[1])}")
        if verb in (verbs.GROUP, verbs.REGROUP, verbs.END_MOVES):
            return Reason("5.0b", "end this move first")
        if verb == verbs.TO:
            return Reason("5.1c", "first pick the unit that goes there")
        return None
