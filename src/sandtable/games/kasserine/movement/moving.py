"""6.1-6.5 The movement phases: unit by unit."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.phases import Each, Elsewhere, Listed, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.moves import ends, held_back, held_units
from ..table import steps, verbs
from ..table.ids import C1_MOVEMENT, EXITED, PHASES, RAIN
from ..table.position import builders, clear_marks, control, enter, put
from ..table.ratings import mover
from ..table.state import State
from ..table.steps import At, SideAt, UnitAt
from ..table.surprises import meet
from .arrivals import ENTER, begin_entry, expected, reroute, reroute_reason, reroutes
from .orders import (
    exits,
    in_motorized_phase,
    lasting,
    leg_of,
    perhaps_stuck,
    stuck,
    way_hint,
    why_far,
    why_held,
    why_no_exit,
)
from .stacks import passing
from .walking import set_out


class Now(NamedTuple):
    """What a list of the phase needs to know once."""

    side: int
    own: int  # units of the side that stand in hexes
    slow: int  # 6.12 those that do not move in this phase
    builders: int  # 11.23b
    expected: int  # 14.11 reinforcements that may enter
    mobile: int = 0  # those whom nothing keeps from moving but want of a way


MOBILE: Bars[State, Now] = Bars(
    Need("3.11a", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Bar("10.11", "{unit} is an air unit and has no place on the map", lambda s, now: s.board.air),
    Need("6.11", "{unit} is not on the map", lambda s, now: now.own),
    Bar("6.12", "{unit} does not move in the Motorized Movement Phase: only red-box units do", lambda s, now: now.slow),
    Bar("6.11", "{unit} has finished its move in this phase", lambda s, now: s.moved),
    Bar("12.35", "{unit} is a Fire Net headquarters and cannot move", lambda s, now: s.fire_net),
    Bar("11.23b", "{unit} builds a strongpoint and stays", lambda s, now: now.builders),
    Doubt("15.13a", why_held, lambda s, now, u: held_back(s, u) is not None, about=lambda s, now: held_units(s)),
)

WAYS: Bars[State, Now] = Bars(
    Doubt(
        "6.13",
        "{unit} has nowhere to go",
        lambda s, now, u: stuck(s, u),
        about=lambda s, now: perhaps_stuck(s, now.side),
    ),
)
MOVE: Bars[State, Now] = Bars(MOBILE, WAYS)


def begin_move(s: State, f: At, u: int) -> None:
    s.stack.append(UnitAt(steps.MOVE_TO, u))


# 12.34 Fire Net headquarters

CONVERT: Bars[State, Now] = Bars(
    Need("12.36", "{unit} cannot be a Fire Net headquarters", lambda s, now: s.board.fire_net),
    Need("6.11", "{unit} is not yours or not on the map", lambda s, now: now.own),
    Need(
        "12.34a",
        "headquarters are converted in the Allied Movement Phase alone",
        lambda s, now: -1 if s.phase == C1_MOVEMENT else 0,
    ),
    Bar("12.34a", "{unit} has been converted in this turn", lambda s, now: s.converted),
    Bar("12.34b", "{unit} has moved: it is converted before it moves", lambda s, now: s.moved),
)


def convert(s: State, f: At, u: int) -> None:
    """12.34 to its Fire Net side, or back; it costs no MP."""
    s.fire_net ^= 1 << u
    s.converted |= 1 << u
    s.memo = {}
    emit(s, "converted", "12.34a", {"unit": u, "hex": s.at[u], "net": s.fire_net >> u & 1})


# 6.61 stacks that overrun

OVERRUNS: Bars[State, Now] = Bars(
    Need("6.61", "{unit} has no red box: it cannot overrun", lambda s, now: s.board.red),
    Bar("6.61", "{unit} is out of supply or disrupted and cannot overrun", lambda s, now: s.oos | s.disrupted),
    Bar("6.62a", "there are no overruns in Rain", lambda s, now: -1 if s.weather == RAIN else 0),
    Doubt(
        "7.14a",
        "{unit} cannot attack",
        lambda s, now, u: s.board.attack[u][s.step[u]] == 0,
        about=lambda s, now: s.board.toothless,
    ),
    Doubt(
        "6.13",
        "{unit} has nowhere to go",
        lambda s, now, u: stuck(s, u) and not overruns_beyond(s, u),
        about=lambda s, now: perhaps_stuck(s, now.side),
    ),
)
STACK: Bars[State, Now] = Bars(MOBILE, OVERRUNS)


def foes_beside(s: State, u: int) -> Mask:
    """6.6b the enemy hexes that a unit could overrun from where it stands, as far as it has the way: A83 neither supply
    nor a ring of enemies keeps it from that."""
    return s.ground.exits[mover(s, u)][s.at[u]] & s.occ[enemy(s.board.side[u])]


def overruns_beyond(s: State, u: int) -> bool:
    """A83 whether a unit that may end its move nowhere could still overrun: from its hex, or from one on its way."""
    known, key = lasting(s, s.board.side[u]), ("beyond", u, s.at[u], s.step[u])
    found: bool | None = known.get(key)
    if found is None:
        found = known[key] = bool(foes_beside(s, u) or passing(s, 1 << u, leg_of(s, u), ends(s, u)))
    return found


def begin_stack(s: State, f: At, u: int) -> None:
    s.stack_units = 1 << u
    s.stack_spent = -1
    s.stack.append(At(steps.STACK_MOVES))


def end_moves(s: State, f: At) -> None:
    s.stack.pop()


class Moves(Phase[State, At, Now]):
    """6.11, 6.12 a side moves any or all of its units, each up to its MA."""

    at = At
    does = (
        Each(verbs.MOVE, bars=MOVE, worked=lambda s, now: WAYS.free(now.mobile, s, now), take=begin_move),
        Each(
            verbs.STACK,
            bars=STACK,
            worked=lambda s, now: OVERRUNS.free(now.mobile, s, now),
            take=begin_stack,
        ),
        Each(verbs.CONVERT, of=lambda s, now: now.own & s.board.fire_net, bars=CONVERT, take=convert),
        Each(verbs.ENTER, of=lambda s, now: now.expected, bars=ENTER, take=begin_entry),
        Listed(verbs.REROUTE, of=reroutes, reason=reroute_reason, take=reroute),
        Once(verbs.END_MOVES, take=end_moves),
        Once(verbs.ORDERS, take=lambda s, f: s.stack.append(SideAt(steps.STANDING_ORDERS, s.active))),
        Elsewhere("7.11a", "attacks are declared when all movement is done", verbs.DECLARE),
    )

    def actor(self, s: State, f: At) -> int | None:
        return s.active

    def now(self, s: State, f: At) -> Now:
        side, board = s.active, s.board
        slow = ~(board.red | board.leaders) if in_motorized_phase(s) else 0
        own, staying, due = s.on_map[side], builders(s), expected(s, side)
        mobile = MOBILE.free(own, s, Now(side, own, slow, staying, due))
        return Now(side, own, slow, staying, due, mobile)

    def prompt(self, s: State, f: At) -> Prompt:
        if in_motorized_phase(s):
            text = term("Move red-box units, or end the phase")
            return Prompt("Motorized movement", text, ("6.12", "6.6a"), PHASES[s.phase])
        return Prompt("Movement", "Move units, or end movement", ("6.11", "6.6a", "14.11a"), PHASES[s.phase])


# One unit


class Move(NamedTuple):
    """One unit's move: where it can go."""

    unit: int
    leg: Leg
    everywhere: Mask
    ends: Mask
    exits: Mask


TO: Bars[State, Move] = Bars(
    Need(
        "6.01",
        lambda s, now, h: why_far(s, now.unit, h, now.leg),
        lambda s, now: now.everywhere,
    ),
    Need(
        "6.15a",
        lambda s, now, h: Text("{unit} may not leave the reach of supply of its own will", unit=now.unit),
        lambda s, now: now.ends,
    ),
)

OUT: Bars[State, Move] = Bars(
    Need("14.31b", lambda s, now, h: why_no_exit(s, now.unit, h), lambda s, now: now.exits),
)


def move_to(s: State, f: UnitAt, h: int) -> None:
    way = leg_of(s, f.unit).to(h)
    assert way is not None
    s.stack.pop()
    s.moved |= 1 << f.unit
    set_out(s, 1 << f.unit, way.path, way.cost)


def leave_map(s: State, f: UnitAt, h: int) -> None:
    """14.31, 14.35 a unit leaves by an exit hex and never returns (14.34)."""
    u, side = f.unit, s.board.side[f.unit]
    way = leg_of(s, u).to(h)
    path = way.path if way is not None else []
    s.stack.pop()
    told = {"unit": u, "hex": h, "side": side, "steps": s.board.steps[u] - s.step[u]}
    emit(s, "left_map", "14.31a", {**told, "from": s.at[u], "path": path})
    if not s.oos >> u & 1:  # 14.36
        s.left_at[u] = h
    s.exited_by[side] |= 1 << h
    for step in path:
        if s.edition > 3:
            enter(s, u, step)
            meet(s, side, step)
        else:
            put(s, u, step)
            control(s)
    clear_marks(s, u)
    put(s, u, EXITED)
    control(s)


def move_hint(s: State, f: UnitAt, action: Action) -> Hint | None:
    return way_hint(s, leg_of(s, f.unit), action[1])


class MoveTo(Phase[State, UnitAt, Move]):
    """6.01 where the unit goes."""

    at = UnitAt
    does = (
        Each(verbs.TO, of=lambda s, now: now.everywhere, bars=TO, take=move_to, hint=move_hint),
        Each(verbs.EXIT, of=lambda s, now: now.exits, bars=OUT, take=leave_map),
    )

    def actor(self, s: State, f: UnitAt) -> int | None:
        return s.active

    def now(self, s: State, f: UnitAt) -> Move:
        leg = leg_of(s, f.unit)
        return Move(f.unit, leg, leg.everywhere(), ends(s, f.unit), exits(s, f.unit))

    def prompt(self, s: State, f: UnitAt) -> Prompt:
        return Prompt(Text("Move {unit}", unit=f.unit), "Choose where it goes", ("6.01", "6.21a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.MOVES: Moves(),
    steps.MOVE_TO: MoveTo(),
}
