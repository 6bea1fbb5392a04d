"""A4 The Movement Phase of Infantry: MOVES asks who moves, MOVER what he does next.

After every expenditure of MF the other side may fire (watch).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Each, Elsewhere, Once, Phase

from ..fire.attack import reveal
from ..fire.firepower import sees
from ..table import verbs
from ..table.ids import (
    ABOVE,
    F_MOVER,
    F_MOVES,
    F_RECOVER_ROLL,
    F_RESIDUAL,
    F_WATCH,
    LEADER,
    PHASES,
    UNDER_SANGAR,
)
from ..table.state import Move, State, all_men, equivalents, good_order, men, put
from ..table.telling import emit, tell
from ..table.works import has_sangar, room_under
from .points import HALF, cost, left
from .watch import ResidualAt, WatchAt

# A3.3 Who moves


class MovesAt(NamedTuple):
    """The Movement Phase."""

    frame: int


MOVES: Bars[State, object] = Bars(
    Need("A3.3", "{unit} is not one of the Infantry that moves now", lambda s, _: all_men(s, s.phasing)),
    Bar("A10.41", "{unit} is broken", lambda s, _: s.broken),
    Bar("A7.8", "{unit} is pinned", lambda s, _: s.pinned),
    Bar("A11.15", "{unit} is held in Melee", lambda s, _: s.melee),
    Bar("A3.2", "{unit} has fired in the Prep Fire Phase", lambda s, _: s.fired),
    Bar("A3.3", "{unit} has moved", lambda s, _: s.moved),
)


def begin_move(s: State, f: MovesAt, u: int) -> None:
    bit = 1 << u
    s.move = Move(movers=bit, came=s.at[u], hex=s.at[u])
    s.cx &= ~bit
    s.shots = {}
    s.faced = 0
    s.stack.append(MoverAt(F_MOVER))


def end_moves(s: State, f: MovesAt) -> None:
    s.stack.pop()


class Moves(Phase[State, MovesAt, object]):
    """A3.3 one stack at a time; each is finished before the next starts."""

    at = MovesAt
    does = (
        Each(verbs.MOVE, bars=MOVES, take=begin_move),
        Once(verbs.END_MOVES, take=end_moves),
        Elsewhere("A3.3", "first say who moves", verbs.TO, verbs.ALSO, verbs.HALT),
    )

    def now(self, s: State, f: MovesAt) -> object:
        return None

    def actor(self, s: State, f: MovesAt) -> int | None:
        return s.phasing

    def prompt(self, s: State, f: MovesAt) -> Prompt:
        return Prompt("Movement Phase", "Move one unit or stack at a time", ("A3.3", "A4.2"), PHASES[s.phase])


# A4.2 What the movers do


class MoverAt(NamedTuple):
    """The move in hand."""

    frame: int


class Walk(NamedTuple):
    """What the list of a mover goes by."""

    move: Move
    here: Hex
    left: int
    stack: int


ALSO: Bars[State, Walk] = Bars(
    MOVES,
    Need("A4.2", "{unit} does not stand with those who move", lambda s, now: now.stack),
    Bar("A4.2", "{unit} moves with them already", lambda s, now: now.move.movers),
    Bar("A4.2", "they have begun to move", lambda s, now: -1 if now.move.spent else 0),
)


def beside(s: State, now: Walk) -> Mask:
    """The hexes of the playing area beside the movers, in the numbers of actions."""
    return _out(s, s.stage.field.accessible(now.here))


def _out(s: State, mask: Mask) -> int:
    out = s.stage.out
    return sum(1 << out[h] for h in hexes_in(mask) if h in out)


def known_foes(s: State, now: Walk) -> int:
    """A4.14 hexes with Known enemy Infantry."""
    roster = s.stage.roster
    foes = roster.of_side[1 - s.phasing] & roster.men & ~s.concealed & ~s.captive
    return _out(s, sum(1 << h for h, units in s.here.items() if units & foes))


def too_dear(s: State, now: Walk, g: int) -> bool:
    """A4.13 it cannot pay; but A4.134 one hex may always be entered by spending everything."""
    price = cost(s, now.here, s.stage.into[g], s.phasing)
    return price > now.left and not minimum_move(now)


def minimum_move(now: Walk) -> bool:
    """A4.134 nothing has been spent: a Minimum Move is possible (not by Assault Movement)."""
    return now.move.spent == 0 and not now.move.assault


def why_dear(s: State, now: Walk, g: int) -> Reason:
    price = cost(s, now.here, s.stage.into[g], s.phasing)
    text = Text("entering it costs {price} MF, {left} are left", price=price / HALF, left=now.left / HALF)
    return Reason("A4.13", text)


def under_cover(s: State, now: Walk) -> int:
    """F8.1 whoever lies beneath a sangar must come out first."""
    return -1 if any(s.under[u] == UNDER_SANGAR for u in units_of(now.move.movers)) else 0


TO: Bars[State, Walk] = Bars(
    Need("A4.13", "a unit moves from hex to adjacent hex", beside),
    Bar("A4.14", "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase", known_foes),
    Bar("F8.1", "they must come out of the sangar first", under_cover),
    Bar(
        "A4.61",
        "Assault Movement enters one Location only",
        lambda s, now: -1 if now.move.assault and now.move.entered else 0,
    ),
    Doubt("A4.13", why_dear, too_dear),
    Doubt(
        "A4.61",
        "Assault Movement must leave some MF unspent",
        lambda s, now, g: bool(now.move.assault) and cost(s, now.here, s.stage.into[g], s.phasing) >= now.left,
    ),
)


def step(s: State, f: MoverAt, g: int) -> None:
    """A4.13 the movers enter a hex, unless a hidden enemy is there (A4.14, A12.15)."""
    move, h = s.move, s.stage.into[g]
    assert move is not None
    here = s.at[units_of(move.movers)[0]]
    price = cost(s, here, h, s.phasing)
    most = left(s)
    minimum = price > most
    foes = men(s, h, 1 - s.phasing) | (
        s.here.get(h, 0) & s.stage.roster.dummies & s.stage.roster.of_side[1 - s.phasing]
    )
    if foes:
        detect(s, here, h, foes, price)
        return
    for u in units_of(move.movers):
        put(s, u, h)
    move.came, move.hex, move.entered = here, h, move.entered + 1
    spend(s, most if minimum else price, True)
    if minimum:
        s.cx |= move.movers
        s.pinned |= move.movers
    tell(s, "moved", "A4.134" if minimum else "A4.13", move.movers, s.phasing, {"from": here, "to": h, "path": [h]})
    lose_cover(s)


def detect(s: State, here: Hex, h: Hex, foes: int, price: int) -> None:
    """A12.15, A12.11 concealed enemies are found: the mover stays where it was; dummies come off."""
    move = s.move
    assert move is not None
    real = foes & s.stage.roster.men
    reveal(s, foes & s.stage.roster.dummies)
    emit(s, "detected", "A12.15", {"hex": h, "units": list(units_of(move.movers)), "side": s.phasing}, final=True)
    if real:
        move.spent = max(move.spent, 99)
    spend(s, price, False)


def spend(s: State, halves: int, entered: bool) -> None:
    """A8.1 MF are spent: Residual FP attacks, then the other side may fire."""
    move = s.move
    assert move is not None
    move.spent += halves
    if entered:
        move.here = 0
        s.shots = {}
        s.faced = 0
    move.here += halves
    s.stack.append(WatchAt(F_WATCH, 1))
    s.stack.append(ResidualAt(F_RESIDUAL))


def lose_cover(s: State) -> None:
    """A12.14b moving other than by Assault Movement, or into Open Ground, in sight of the enemy takes the "?" off."""
    move = s.move
    assert move is not None
    foes = good_order(s, all_men(s, 1 - s.phasing))
    for u in units_of(move.movers & s.concealed):
        h = s.at[u]
        if move.assault and not s.stage.field.kind(h).ffmo:
            continue
        if any(s.stage.grid.distance(s.at[e], h) <= 16 and sees(s, e, h, 1 << u) for e in units_of(foes)):
            reveal(s, 1 << u)


def also(s: State, f: MoverAt, u: int) -> None:
    assert s.move is not None
    s.move.movers |= 1 << u
    s.cx &= ~(1 << u)


def declare_assault(s: State, f: MoverAt) -> None:
    assert s.move is not None
    s.move.assault = 1


def no_assault(s: State, now: Walk) -> Reason | None:
    if now.move.spent or now.move.double:
        return Reason("A4.61", "Assault Movement is declared before anything else")
    return Reason("A4.61", "it is declared already") if now.move.assault else None


def declare_double(s: State, f: MoverAt) -> None:
    """A4.5 two MF more as the first act, one later; those who do it are CX."""
    move = s.move
    assert move is not None
    chart = s.stage.pack.tables["movement"]["infantry_mf"]
    move.double = HALF * int(chart["double_time_later"] if move.spent else chart["double_time_start"])
    s.cx |= move.movers
    tell(s, "double_time", "A4.5", move.movers, s.phasing, {"hex": s.at[units_of(move.movers)[0]]})


def no_double(s: State, now: Walk) -> Reason | None:
    if now.move.assault:
        return Reason("A4.61", "Assault Movement leaves no MF for it")
    if s.cx & now.move.movers or now.move.double:
        return Reason("A4.51", "a CX unit may not Double Time")
    wounded = any(s.wounded >> u & 1 for u in units_of(now.move.movers))
    return Reason("A17.1", "a wounded man has 3 MF") if wounded else None


def beneath(s: State, f: MoverAt) -> None:
    """F8.1 as a foxhole: 1 MF to go beneath it."""
    move = s.move
    assert move is not None
    for u in units_of(move.movers):
        s.under[u] = UNDER_SANGAR
    tell(s, "took_cover", "F8.1", move.movers, s.phasing, {"hex": s.at[units_of(move.movers)[0]]})
    spend(s, HALF, False)


def no_sangar(s: State, now: Walk) -> Reason | None:
    if not has_sangar(s, now.here):
        return Reason("F8.1", "there is no sangar here")
    if under_cover(s, now):
        return Reason("F8.1", "they are beneath it already")
    if now.left < HALF:
        return Reason("A4.13", "it costs 1 MF, and none is left")
    if equivalents(s, now.move.movers) > room_under(s, now.here):
        return Reason("F8.3a", "a sangar shelters one squad, both sides together")
    return None


def come_out(s: State, f: MoverAt) -> None:
    move = s.move
    assert move is not None
    for u in units_of(move.movers):
        s.under[u] = ABOVE
    tell(s, "came_out", "F8.1", move.movers, s.phasing, {"hex": s.at[units_of(move.movers)[0]]})
    spend(s, HALF, False)


def not_beneath(s: State, now: Walk) -> Reason | None:
    if not under_cover(s, now):
        return Reason("F8.1", "they lie beneath no sangar")
    return None if now.left >= HALF else Reason("A4.13", "it costs 1 MF, and none is left")


TAKE: Bars[State, Walk] = Bars(
    Need("A4.44", "{weapon} does not lie here", lambda s, now: s.here.get(now.here, 0) & s.stage.roster.weapons),
    Bar("A4.44", "somebody has {weapon}", lambda s, now: sum(1 << w for w, u in enumerate(s.holder) if u >= 0)),
    Bar("A4.44", "it has been tried for {weapon} in this Player Turn", lambda s, now: s.tried),
    Bar("A4.44", "it costs 1 MF, and none is left", lambda s, now: -1 if now.left < HALF else 0),
)


class RecoverAt(NamedTuple):
    """A4.44 a unit tries to take up a weapon."""

    frame: int
    unit: int
    weapon: int


def take_up(s: State, f: MoverAt, w: int) -> None:
    move = s.move
    assert move is not None
    s.tried |= 1 << w
    spend(s, HALF, False)
    s.stack.append(RecoverAt(F_RECOVER_ROLL, units_of(move.movers)[0], w))


def halt(s: State, f: MoverAt) -> None:
    finish(s)


def finish(s: State) -> None:
    """A4.15 the move is over; the hex entered last is controlled (A26.1)."""
    move = s.move
    assert move is not None
    s.moved |= move.movers
    for u in units_of(move.movers):
        if s.at[u] >= 0 and not s.broken >> u & 1:
            take_control(s, s.at[u], s.phasing)
    s.move = None
    s.stack.pop()


def take_control(s: State, h: Hex, side: int) -> None:
    """A26.1 a hex is controlled by the side whose Good Order MMC was in it last without an enemy."""
    if men(s, h, 1 - side):
        return
    bit = 1 << h
    if side:
        s.control |= bit
    else:
        s.control &= ~bit


class Mover(Phase[State, MoverAt, Walk]):
    """A4.2 the next thing that those who move do."""

    at = MoverAt
    does = (
        Each(verbs.ALSO, bars=ALSO, take=also),
        Once(verbs.ASSAULT, take=declare_assault, shut=no_assault),
        Once(verbs.DOUBLE, take=declare_double, shut=no_double),
        Each(verbs.TO, bars=TO, take=step, hint=lambda s, f, action: way(s, action)),
        Once(verbs.UNDER, take=beneath, shut=no_sangar),
        Once(verbs.OUT, take=come_out, shut=not_beneath),
        Each(verbs.TAKE, bars=TAKE, take=take_up),
        Once(verbs.HALT, take=halt),
        Elsewhere("A3.3", "first finish the move in hand", verbs.MOVE, verbs.END_MOVES),
    )

    def now(self, s: State, f: MoverAt) -> Walk:
        move = s.move
        assert move is not None
        here = s.at[units_of(move.movers)[0]]
        together = men(s, here, s.phasing) if not move.spent else 0
        return Walk(move, here, left(s), together)

    def actor(self, s: State, f: MoverAt) -> int | None:
        """A4.15 who breaks, is pinned or lost ends his move; a leader is with them if he is from the start."""
        move = s.move
        assert move is not None
        out = sum(1 << u for u in units_of(move.movers) if s.at[u] < 0 or (s.broken | s.pinned) >> u & 1)
        if out:
            s.moved |= out
            if move.movers == out:
                return None
            move.movers &= ~out
        leaders = sum(1 << u for u in units_of(move.movers) if s.kind(u).kind == LEADER)
        if not move.spent:
            move.led = leaders
        else:
            move.led &= leaders
        return s.phasing

    def run(self, s: State, f: MoverAt) -> None:
        finish(s)

    def prompt(self, s: State, f: MoverAt) -> Prompt:
        move = s.move
        assert move is not None
        here = s.at[units_of(move.movers)[0]]
        text = Text("{left} MF are left", left=left(s) / HALF)
        return Prompt(
            Text("The move from {hex}", hex=s.stage.field.name(here)), text, ("A4.13", "A4.5", "A4.61"), PHASES[s.phase]
        )


def way(s: State, action: Action) -> Hint | None:
    move = s.move
    assert move is not None
    here, h = s.at[units_of(move.movers)[0]], s.stage.into[action[1]]
    price = cost(s, here, h, s.phasing)
    return {"cost": f"{price / HALF:g}", "of": f"{left(s) / HALF:g} MF", "path": [s.stage.field.name(h)]}


FRAMES: dict[int, Frame[State, Any]] = {F_MOVES: Moves(), F_MOVER: Mover()}
