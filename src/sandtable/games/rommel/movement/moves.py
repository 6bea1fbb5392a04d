"""5.0 Moves: what group moves and regroup moves have in common, and 6.3 the Rommel move.

The Active player makes the moves that his option allows (F_MOVES); in each, units go one by one until
the move is over, and what has been begun is resolved: overruns (11.4) and full retreats (10.3). What
each unit can do is `reach` (6.0 to 6.2) or, in a Pass turn, `withdrawal` (5.3).
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.phases import Deed, Each, Elsewhere, Once, Pairs, Phase

from ..combat.engagement import FULL, full_retreats, go, plan_to_leave
from ..paths.reach import LAND, Reach, moves_of, reach
from ..paths.withdrawal import Lines, at_start, shrinks, why_cannot_go
from ..table import verbs
from ..table.board import units_of
from ..table.ids import (
    ASSAULT,
    AXIS,
    BASIC,
    BLITZ,
    F_GATHER,
    F_GROUP,
    F_LEAVE_HEX,
    F_ROUT,
    OFFENSIVE,
    PASS,
)
from ..table.scenarios import script
from ..table.state import State, emit, put, units_in
from ..table.steps import GatherAt, GroupAt, LeaveHexAt, MovesAt, RegroupAt, RoutAt

# 4.1 to 4.5 moves in one movement phase, and the rule that says so
MOVES = {
    BASIC: (1, "4.1"),
    OFFENSIVE: (2, "4.2a"),
    ASSAULT: (1, "4.3a"),
    BLITZ: (1, "4.4a"),
    PASS: (1, "4.5b"),
}


LED = 1 << 1
"""6.3 The Rommel move among 0 and 1."""

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


ROMMEL: Bars[State, None] = Bars(
    Bar("6.3d", "only the Axis player makes Rommel moves", lambda s, _: LED if s.active != AXIS else 0),
    Bar("6.3c", "there is no Rommel move in the 1940 campaign", lambda s, _: 0 if script(s).rommel_move else LED),
    Bar("6.3a", "the Rommel move of this turn has been made", lambda s, _: LED if s.rommel_used else 0),
)
"""6.3 Whether a move may be the Rommel move: of 0 (it is none) and 1."""


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


# Who stays


def why_shut_in(s: State, lines: Lines | None, u: int) -> Reason:
    """Why a unit that may move has nowhere to go."""
    if lines is not None:
        return why_cannot_go(s, lines, u)
    h = s.at[u]
    if s.occ[1 - s.active] >> h & 1:
        text = Text("no friendly hexside leads {unit} out of {hex} into a hex without enemies", unit=u, hex=h)
        return Reason("7.2b", text)
    return Reason("6.0c", Text("enemies all around {hex} leave {unit} nowhere to go", unit=u, hex=h))


MOVED_RULES = {OFFENSIVE: "4.2b", BLITZ: "3.45b"}

STAYING: Bars[State, Lines | None] = Bars(
    Bar("11.1a", "{unit} is disrupted and cannot move", lambda s, _: s.disrupted),
    Bar(
        "6.0d",
        lambda s, _, u: Reason(MOVED_RULES.get(s.option, "6.0d"), Text("{unit} has moved this turn", unit=u)),
        lambda s, _: s.moved,
    ),
    Doubt("6.0c", why_shut_in, lambda s, lines, u: not can_leave(s, u, lines)),
)
"""Why a unit cannot move now."""


def why_none_moves(s: State, units: int, withdrawal: bool) -> Reason:
    """Why none of these units can move; the reason of the one that comes nearest to moving."""
    lines = lines_for(s, withdrawal)
    reasons = (STAYING.why(u, s, lines, {"unit": u}) for u in units_of(ready(s, units) or units))
    return next(reason for reason in reasons if reason is not None)


# 5.0 Making moves


def command_points(s: State, groups: Mask) -> Mask:
    """5.2b the command points for units in these hexes: friendly, empty or battle hexes; they must be land."""
    return s.board.grid.dilate(groups) & s.board.land & (s.occ[s.active] | ~s.occ[1 - s.active])


class Choice:
    """What can be moved next; worked out when it is asked for."""

    __slots__ = ("_groups", "_s", "made")

    def __init__(self, s: State, made: int) -> None:
        self.made = made
        self._s = s
        self._groups: Mask | None = None

    @property
    def groups(self) -> Mask:
        if self._groups is None:
            self._groups = mobile_hexes(self._s)
        return self._groups


def why_no_more(s: State, now: Choice, _: int) -> Reason:
    allowed, rule = MOVES[s.option]
    if s.option == OFFENSIVE:
        return Reason(rule, Text("an {option} turn allows {n} moves", option=s.option, n=allowed))
    if s.option == ASSAULT:
        return Reason(rule, Text("an {option} turn allows {n} move", option=s.option, n=allowed))
    return Reason(rule, Text("a {option} turn allows {n} move", option=s.option, n=allowed))


LED_BY_ROMMEL: Bars[State, Choice] = Bars(
    Bar("5.0c", why_no_more, lambda s, now: ALL if now.made >= MOVES[s.option][0] else 0),
    ROMMEL.asked_of(lambda now: None),
)

GROUPS: Bars[State, Choice] = Bars(
    LAND,
    Need("5.0a", "no unit of yours is in {hex}", lambda s, now: s.occ[s.active]),
    Need(
        "5.1c",
        lambda s, now, h: why_none_moves(s, units_in(s, h, s.active), s.option == PASS),
        lambda s, now: now.groups,
    ),
)

POINTS: Bars[State, Choice] = Bars(
    LAND,
    Bar("5.2b", "{hex} is an enemy hex: no command point", lambda s, now: s.occ[1 - s.active] & ~s.occ[s.active]),
    Need("5.2a", "no unit of yours is in or beside {hex}", lambda s, now: s.board.grid.dilate(s.occ[s.active])),
    Need(
        "5.2e",
        lambda s, now, h: why_none_moves(s, area(s, h) & s.board.of_side[s.active], s.option == PASS),
        lambda s, now: command_points(s, now.groups),
    ),
)


def begin_move(s: State, f: MovesAt, rommel: int) -> int:
    """One more move is made; says whether it is a withdrawal (4.5b)."""
    s.stack[-1] = f._replace(made=f.made + 1)
    if rommel:
        s.rommel_used = 1
    return int(s.option == PASS)


def begin_group(s: State, f: MovesAt, h: Hex, rommel: int) -> None:
    withdrawal = begin_move(s, f, rommel)
    data = {"hex": h, "side": s.active, "rommel": rommel, "withdrawal": withdrawal}
    emit(s, "group_move", "5.3a" if withdrawal else "5.1c", data)
    s.stack.append(GroupAt(F_GROUP, h, rommel, withdrawal, 0))


def begin_regroup(s: State, f: MovesAt, h: Hex, rommel: int) -> None:
    withdrawal = begin_move(s, f, rommel)
    data = {"hex": h, "side": s.active, "rommel": rommel, "withdrawal": withdrawal}
    emit(s, "regroup_move", "5.3a" if withdrawal else "5.2e", data)
    s.stack.append(GatherAt(F_GATHER, h, rommel, withdrawal))


def end_moves(s: State, f: MovesAt) -> None:
    s.stack.pop()


class Moves(Phase[State, MovesAt, Choice]):
    """3.43a, 5.0c The Active player makes the moves that his option allows.

    The option is secret: after the first move he has to say that he makes no more, even if he could not.
    """

    at = MovesAt
    does = (
        Pairs(verbs.GROUP, first=GROUPS, second=LED_BY_ROMMEL, second_first=True, take=begin_group),
        Pairs(verbs.REGROUP, first=POINTS, second=LED_BY_ROMMEL, second_first=True, take=begin_regroup),
        Once(verbs.END_MOVES, take=end_moves),
        Elsewhere(
            "5.1c",
            "first name the group, or the command point of a regroup move",
            verbs.MOVE,
            verbs.TO,
            verbs.EXIT,
            verbs.JOIN,
            verbs.GATHER,
        ),
    )

    def actor(self, s: State, f: MovesAt) -> int | None:
        return None if f.made and (f.made > 1 or f.blitz or s.option == PASS) else s.active

    def now(self, s: State, f: MovesAt) -> Choice:
        return Choice(s, f.made)

    def prompt(self, s: State, f: MovesAt) -> Prompt:
        allowed, rule = MOVES[s.option]
        if s.option == PASS:
            return Prompt("Withdraw, or end your turn", "one withdrawal move may be made", ("4.5b", "5.3a"), "movement")
        text = Text.many(
            allowed,
            "{left} of {n} move left in this phase",
            "{left} of {n} moves left in this phase",
            left=allowed - f.made,
        )
        # The title stands on both screens: it must not tell how many moves the secret option allows
        return Prompt("Choose a move, or end movement", text, ("5.0d", rule), "movement")


# Carrying a move out


def carry_out(s: State, u: int, r: Reach, h: Hex, via: int, rommel: int, rule: str) -> None:
    """One unit of the move goes; out of a battle only after the other moves (10.4c)."""
    if s.occ[1 - s.active] >> s.at[u] & 1:
        plan_to_leave(s, u, h, rommel)
    else:
        go(s, u, r.path(s.board, h, via), rommel, rule)


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


def not_shorter(s: State) -> Reason | None:
    """5.3f, 10.4b why a withdrawal move cannot stand as it is."""
    whole = full_retreats(s)
    for u in units_of(s.leaving):
        if s.at[u] not in whole:
            return Reason("10.4b", Text("a withdrawal may not take only some of the units out of {hex}", hex=s.at[u]))
    if not shrinks(s):
        return Reason("5.3f", "no hex has dropped out of your supply network")
    return None


class InHand(Generic[M]):
    """A group or regroup move in hand, with what its lists need to know; worked out when it is asked for."""

    def __init__(self, s: State, f: M) -> None:
        self.s = s
        self.f: M = f
        self.lines = lines_for(s, f.withdrawal)
        self._fault: list[Reason | None] = []

    @property
    def fault(self) -> Reason | None:
        """5.3f, 10.4b why it cannot stand as it is."""
        if not self._fault:
            self._fault.append(not_shorter(self.s) if self.f.withdrawal else None)
        return self._fault[0]

    def way(self, u: int) -> Reach:
        return way(self.s, u, self.f.rommel, self.lines)


def end_in_hand(s: State, f: GroupAt | RegroupAt) -> None:
    end_move(s)


def give_up(s: State, f: GroupAt | RegroupAt) -> None:
    abandon(s)


def rout_now(s: State, f: GroupAt | RegroupAt, h: Hex) -> None:
    """11.4b, 11.4d an overrun is resolved at once."""
    s.overrun &= ~(1 << h)
    s.stack.append(RoutAt(F_ROUT, h, 1 - s.active))


def not_begun(s: State, now: InHand[Any]) -> Reason | None:
    """Why a move cannot end now."""
    return now.fault if now.f.begun else Reason("5.1a", "a move moves at least one unit")


def not_in_vain(s: State, now: InHand[Any]) -> Reason | None:
    """5.3f Why a move cannot be given up."""
    if now.f.begun and now.fault is not None:
        return None
    return Reason("5.3f", "only a withdrawal that does not shorten the network is given up")


OVERRUNS: Bars[State, InHand[Any]] = Bars(
    Bar(
        "11.4b",
        "in a withdrawal overruns are resolved when the move ends",
        lambda s, now: s.overrun if now.f.withdrawal else 0,
    ),
    Need("11.4a", "no disrupted enemies wait to be routed in {hex}", lambda s, now: s.overrun),
)

MEANWHILE: tuple[Deed[Any, Any, Any], ...] = (
    Each(verbs.ROUT, of=lambda s, now: s.overrun, bars=OVERRUNS, take=rout_now),
    Once(verbs.ABANDON, shut=not_in_vain, take=give_up),
    Elsewhere("5.0b", "end this move first", verbs.GROUP, verbs.REGROUP, verbs.END_MOVES),
    Elsewhere("5.1c", "first pick the unit that goes there", verbs.TO),
)
"""What group and regroup moves have in common besides their orders and their end."""


class Move(Phase[State, M, InHand[M]]):
    """Units go one by one until the move is over."""

    def pool(self, s: State, f: M) -> int:
        """The units that may still take part."""
        raise NotImplementedError

    def actor(self, s: State, f: M) -> int | None:
        """All units have gone and no dice will follow: nothing is left to decide (all of it public)."""
        if f.begun and not f.withdrawal and not s.overrun and not s.leaving and not self.pool(s, f):
            return None
        return s.active

    def run(self, s: State, f: M) -> None:
        end_move(s)

    def now(self, s: State, f: M) -> InHand[M]:
        return InHand(s, f)
