"""A4 The Movement Phase of Infantry: MOVES asks who moves, MOVER what he does next.

After every expenditure of MF the other side may fire (watch).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Deed, Each, Elsewhere, Listed, Once, Phase

from ..boards.locations import Place, Spot
from ..fire.attack import reveal
from ..fire.bursts import FROM_COVER
from ..table import verbs
from ..table.captives import take_control
from ..table.ids import (
    ABOVE,
    BENEATH,
    F_ENTER,
    F_MINES,
    F_MOVER,
    F_RECOVER_ROLL,
    GRENADE,
    LEADER,
    ON_WIRE,
    PHASES,
)
from ..table.state import Move, State, all_men, gun_of, men, put, takeable
from ..table.telling import emit, tell
from ..table.weather import DENSE, density
from ..works.mines import MinesAt, mined
from .arrival import arrive
from .bypass import bypasses, exits, no_bypass, step_inside
from .cover import (
    LINKED,
    beneath,
    climb_crest,
    come_out,
    crests,
    cross_wire,
    descend,
    dive_to,
    dives,
    leaves_crest_wrongly,
    no_cover,
    no_crest,
    no_descent,
    no_dive,
    no_wire,
    not_beneath,
    straight_down,
)
from .deeds import (
    CLIMB,
    GRENADES,
    SEARCH,
    begin_climb,
    begin_search,
    cliffs,
    fresh,
    lob,
    no_setting,
    searchers,
    set_charge,
    settings,
    throwers,
)
from .exits import edge_of, leave_map, no_walk_off
from .points import HALF, NEVER, cost, landing, left, overfull, price, thorny
from .pushing import crest_pushes, no_crest_push, no_sangar, push, push_crest, push_in, push_odds, pushes, sangared
from .pushing import why_not as why_no_push
from .walking import MoverAt, Walk, known_foes, lose_cover, out, spend, walk_of

# A3.3 Who moves


class MovesAt(NamedTuple):
    """The Movement Phase."""

    frame: int


MOVES: Bars[State, object] = Bars(
    Need("A3.3", "{unit} is not one of the Infantry that moves now", lambda s, _: all_men(s, s.phasing)),
    Bar("A10.41", "{unit} is broken", lambda s, _: s.broken),
    Bar("A7.8", "{unit} is pinned", lambda s, _: s.pinned),
    Bar("A11.15", "{unit} is held in Melee", lambda s, _: s.melee),
    Bar("A3.2", "{unit} has fired in the Prep Fire Phase", lambda s, _: s.fired | s.served),
    Bar("A3.3", "{unit} has moved", lambda s, _: s.moved),
    Bar("A4.9", "{unit} is busy in this Player Turn", lambda s, _: s.ti),
    Bar("A7.25", "{unit} waits to fire and may not move", lambda s, _: s.waits),
)


def begin_move(s: State, f: MovesAt, u: int) -> None:
    bit = 1 << u
    s.marches += 1
    s.move = Move(movers=bit, came=s.at[u], hex=s.at[u], spent=s.paces.get(u, 0))
    s.cx &= ~bit
    s.hip &= ~bit  # A12.3
    s.shots = {}
    s.faced = 0
    s.stack.append(MoverAt(F_MOVER))


def end_moves(s: State, f: MovesAt) -> None:
    """A24.1, A9.221 grenade SMOKE and Fire Lanes last until the end of the MPh."""
    s.stack.pop()
    s.lanes, s.lobbed = {}, 0
    own = 3 << 2 * GRENADE
    s.smoke = {h: bits & ~own for h, bits in s.smoke.items() if bits & ~own}


class Moves(Phase[State, MovesAt, object]):
    """A3.3 one stack at a time; each is finished before the next starts."""

    at = MovesAt
    does: ClassVar[Sequence[Deed[Any, Any, Any]]] = (
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


ALSO: Bars[State, Walk] = Bars(
    MOVES,
    Need("A4.2", "{unit} does not stand with those who move", lambda s, now: now.stack),
    Bar("A4.2", "{unit} moves with them already", lambda s, now: now.move.movers),
    Bar("A4.2", "they have begun to move", lambda s, now: -1 if begun(s, now) else 0),
    Bar("D6.1", "{unit} has spent MF in this phase, and they have not", lambda s, now: ahead(s, now)),
)


def begun(s: State, now: Walk) -> bool:
    """A4.2, A4.5 whether it is too late to join: Double Time, too, is their first act."""
    return bool(now.move.spent or (now.move.double and s.edition > 6))


def ahead(s: State, now: Walk) -> int:
    """D6.1 those who have dismounted, and so have fewer MF left than the others."""
    return sum([1 << u for u in units_of(now.stack) if s.paces.get(u, 0)]) if s.edition > 6 and s.paces else 0


def beside(s: State, now: Walk) -> Mask:
    """The hexes of the playing area beside the movers, in the numbers of actions; in Bypass those at their corner."""
    if now.start.place == Place.BYPASS:
        return out(s, sum(1 << h for h in exits(s, now.start)))
    return out(s, s.stage.field.accessible(now.here))


def price_to(s: State, now: Walk, g: int) -> int:
    """What entering a hex costs the movers."""
    return cost(s, now.start, landing(s, s.stage.into[g]), s.phasing)


def too_dear(s: State, now: Walk, g: int) -> bool:
    """A4.13 it cannot pay; but A4.134 one hex may always be entered by spending everything."""
    halves = price_to(s, now, g)
    return halves >= NEVER or (halves > now.left and not minimum_move(s, now))


def minimum_move(s: State, now: Walk) -> bool:
    """A4.134 nothing has been spent: a Minimum Move is possible (not by Assault Movement, nor without any MF)."""
    return now.move.spent == 0 and not now.move.assault and (now.left >= HALF or s.edition < 7)


def why_dear(s: State, now: Walk, g: int) -> Reason:
    halves = price_to(s, now, g)
    if halves >= NEVER:
        return Reason("B.2", "Infantry cannot enter it that way")
    text = Text("entering it costs {price} MF, {left} are left", price=halves / HALF, left=now.left / HALF)
    return Reason("A4.13", text)


def under_cover(s: State, now: Walk, g: int) -> bool:
    """B27.3 whoever lies beneath an entrenchment must come out first, unless the way leads down (F8.6a)."""
    return now.under in BENEATH and not straight_down(s, now, landing(s, s.stage.into[g]))


def cliffs_beside(s: State, now: Walk) -> Mask:
    """B11.4 the hexes beyond a cliff: whoever goes there climbs."""
    return 0 if now.start.place == Place.BYPASS else cliffs(s, now)


TO: Bars[State, Walk] = Bars(
    Bar("B11.4", "a cliff is crossed by climbing alone", cliffs_beside),
    Need("A4.13", "a unit moves from hex to adjacent hex", beside),
    Bar("A4.14", "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase", known_foes),
    Bar("A4.15", "their move is over", lambda s, now: -1 if now.move.ended else 0),
    Bar("B26.4", "they are on wire and must get beneath it first", lambda s, now: -1 if now.under == ON_WIRE else 0),
    Bar(
        "A4.61",
        "Assault Movement enters one Location only",
        lambda s, now: -1 if now.move.assault and now.move.entered else 0,
    ),
    Doubt("B27.3", "they must come out of the entrenchment first", under_cover),
    Doubt(
        "B20.9",
        "from the Crest they leave across its front, or go down first",
        lambda s, now, g: leaves_crest_wrongly(s, now, s.stage.into[g]),
    ),
    Doubt("A4.13", why_dear, too_dear),
    Doubt(
        "F13.3a",
        "a cactus hedge is crossed by a Minimum Move, a Low Crawl or an advance alone",
        lambda s, now, g: thorny(s, now.here, s.stage.into[g]) and not minimum_move(s, now),
    ),
    Doubt(
        "A4.61",
        "Assault Movement must leave some MF unspent",
        lambda s, now, g: bool(now.move.assault) and price_to(s, now, g) >= now.left,
    ),
)


OFF_MAP = -1
"""Where who leaves the map goes."""


class EnterAt(NamedTuple):
    """The movers are about to enter a Location: first the mines of the hex they leave have their say."""

    frame: int
    hex: int
    place: int
    side: int
    under: int
    halves: int
    minimum: int


def step(s: State, f: MoverAt, g: int) -> None:
    go(s, landing(s, s.stage.into[g]))


def to_crest(s: State, f: MoverAt, g: int, d: int) -> None:
    h = s.stage.into[g]
    if h == walk_of(s).here:
        climb_crest(s, d)
    else:
        go(s, Spot(h, Place.CREST), d)


def bypass(s: State, f: MoverAt, g: int, v: int) -> None:
    """A4.31 they go past an obstacle, to one of the corners of its hex."""
    go(s, Spot(s.stage.into[g], Place.BYPASS, vertex=v), v)


def dive(s: State, f: MoverAt, g: int) -> None:
    h = s.stage.into[g]
    go(s, landing(s, h), under=dive_to(s, h))


def go(s: State, end: Spot, d: int = 0, under: int = ABOVE) -> None:
    """A4.13 the movers enter a Location, unless a hidden enemy is there (A4.14, A12.15)."""
    now = walk_of(s)
    halves = cost(s, now.start, end, s.phasing)
    minimum = halves > now.left or thorny(s, now.here, end.hex)
    s.stack.append(EnterAt(F_ENTER, end.hex, end.place, d, under, now.left if minimum else halves, minimum))
    if mined(s, now.here) and (end.hex != now.here or s.edition < 7):  # in Bypass one may stay in it
        s.stack.append(MinesAt(F_MINES, now.here, now.move.movers))


class Enter(Frame[State, EnterAt]):
    """A4.13 those who are still able to go, go."""

    at = EnterAt

    def run(self, s: State, f: EnterAt) -> None:
        s.stack.pop()
        move = s.move
        assert move is not None
        able = sum(1 << u for u in units_of(move.movers) if s.at[u] >= 0) & ~(s.broken | s.pinned)
        if not able:
            return
        s.moved |= move.movers & ~able
        step_inside(s, move.movers & ~able)
        move.movers = able
        if s.edition > 4:  # A26.1 they have held what they go through
            take_control(s, s.at[units_of(able)[0]], s.phasing)
        if f.hex == OFF_MAP:
            go_off(s)
        else:
            enter(s, f)


def enter(s: State, f: EnterAt) -> None:
    move, h = s.move, f.hex
    assert move is not None
    first = units_of(move.movers)[0]
    here, linked = s.at[first], s.under[first] in LINKED
    roster = s.stage.roster
    theirs = roster.of_side[1 - s.phasing]
    reveal(s, s.here.get(h, 0) & roster.dummies & theirs)
    foes = men(s, h, 1 - s.phasing)
    if foes:
        detect(s, h, foes, f.halves)
        return
    for u in units_of(move.movers):
        put(s, u, h)
        s.place[u], s.cafp[u], s.under[u] = f.place, f.side, f.under
    move.came, move.hex, move.entered = here, h, move.entered + 1
    s.walled &= ~move.movers  # B9.32
    for u in units_of(move.movers):
        s.climbs.pop(u, None)
    s.encircled &= ~move.movers  # A7.7
    spend(s, f.halves, True)
    if linked and s.edition > 5:  # F8.6d from beneath a trench or sangar
        move.crossing = FROM_COVER
    if f.minimum:
        s.cx |= move.movers
        s.pinned |= move.movers
    tell(s, "moved", "A4.134" if f.minimum else "A4.13", move.movers, s.phasing, {"from": here, "to": h, "path": [h]})
    arrive(s, h, move.movers, fresh=h != here or s.edition < 7)
    if s.under[units_of(move.movers)[0]] == ON_WIRE:
        move.ended = 1
    lose_cover(s)


def detect(s: State, h: Hex, foes: int, halves: int) -> None:
    """A12.15, A12.3 concealed enemies are found: the mover stays where it was, those hidden are under a "?" now."""
    move = s.move
    assert move is not None
    s.hip &= ~foes
    emit(s, "detected", "A12.15", {"hex": h, "units": list(units_of(move.movers)), "side": s.phasing}, final=True)
    spend(s, halves, False)
    move.ended = 1


def also(s: State, f: MoverAt, u: int) -> None:
    assert s.move is not None
    s.move.movers |= 1 << u
    s.cx &= ~(1 << u)
    s.hip &= ~(1 << u)


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
    if density(s) in DENSE:
        return Reason("F11.731c", "there is no Double Time in dust as heavy as this")
    wounded = any(s.wounded >> u & 1 for u in units_of(now.move.movers))
    return Reason("A17.1", "a wounded man has 3 MF") if wounded else None


def mans_gun(s: State, now: Walk) -> bool:
    """Whether he who would take a weapon up has a Gun."""
    return gun_of(s, units_of(now.move.movers)[0]) >= 0


TAKE: Bars[State, Walk] = Bars(
    Need("A4.44", "{weapon} does not lie here", lambda s, now: s.here.get(now.here, 0) & takeable(s, s.phasing)),
    Bar("A4.44", "somebody has {weapon}", lambda s, now: sum(1 << w for w, u in enumerate(s.holder) if u >= 0)),
    Bar("C2.1", "they man a Gun already", lambda s, now: s.stage.roster.guns if mans_gun(s, now) else 0),
    Bar("A4.44", "it has been tried for {weapon} in this Player Turn", lambda s, now: s.tried),
    Bar(
        "A4.44",
        "it costs 1 MF, and none is left",
        lambda s, now: -1 if now.left < HALF + now.kept or now.move.ended else 0,
    ),
)


def lying(s: State, now: Walk) -> int:
    """The weapons and Guns that are where the movers are: as a rule there are none."""
    return s.here.get(now.here, 0) & (s.stage.roster.weapons | s.stage.roster.guns)


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


def too_many(s: State, now: Walk) -> Reason | None:
    """A5.1 a move may not end where there are too many, nor in Bypass (AMB-103), as long as it can go on."""
    if now.start.place == Place.BYPASS and TO.free(beside(s, now), s, now):
        return Reason("A4.31", "Infantry does not stop in Bypass as long as it can go on")
    if not overfull(s, now.here, s.phasing) or not TO.free(beside(s, now), s, now):
        return None
    return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")


def halt(s: State, f: MoverAt) -> None:
    finish(s)


def walk_off(s: State, f: MoverAt) -> None:
    """A2.6"""
    move = s.move
    assert move is not None
    here = walk_of(s).here
    if s.edition > 6 and mined(s, here):  # B28.41
        s.stack += [EnterAt(F_ENTER, OFF_MAP, 0, 0, ABOVE, HALF, 0), MinesAt(F_MINES, here, move.movers)]
    else:
        go_off(s)


def go_off(s: State) -> None:
    assert s.move is not None
    movers, edge = s.move.movers, edge_of(s, walk_of(s).here, s.phasing)
    finish(s)
    leave_map(s, movers, edge)


def finish(s: State) -> None:
    """A4.15 the move is over; the hex entered last is controlled (A26.1)."""
    move = s.move
    assert move is not None
    s.moved |= move.movers
    step_inside(s, move.movers)
    emit(s, "halted", "A4.15", {"side": s.phasing})
    for u in units_of(move.movers):
        s.paces[u] = move.spent
        if s.at[u] >= 0 and not s.broken >> u & 1:
            take_control(s, s.at[u], s.phasing)
    s.move = None
    s.stack.pop()


class Mover(Phase[State, MoverAt, Walk]):
    """A4.2 the next thing that those who move do."""

    at = MoverAt
    does = (
        Each(verbs.ALSO, bars=ALSO, take=also),
        Once(verbs.ASSAULT, take=declare_assault, shut=no_assault),
        Once(verbs.DOUBLE, take=declare_double, shut=no_double),
        Each(verbs.TO, bars=TO, take=step, hint=lambda s, f, action: way(s, action)),
        Once(verbs.UNDER, take=beneath, shut=no_cover),
        Once(verbs.OUT, take=come_out, shut=not_beneath),
        Each(verbs.TAKE, of=lying, bars=TAKE, take=take_up),
        Listed(verbs.BYPASS, of=bypasses, reason=no_bypass, take=bypass),
        Listed(verbs.CREST, of=crests, reason=no_crest, take=to_crest),
        Once(verbs.DESCEND, take=descend, shut=no_descent),
        Listed(verbs.DIVE, of=dives, reason=no_dive, take=dive),
        Once(verbs.THROUGH, take=cross_wire, shut=no_wire),
        Each(verbs.LOB, of=throwers, bars=GRENADES, take=lob),
        Each(verbs.SEARCH, of=searchers, bars=SEARCH, take=begin_search),
        Listed(verbs.SET_CHARGE, of=settings, reason=no_setting, take=set_charge),
        Each(verbs.CLIMB, of=fresh, bars=CLIMB, take=begin_climb),
        Listed(verbs.PUSH, of=pushes, reason=why_no_push, take=push, odds=push_odds),
        Listed(verbs.PUSH_CREST, of=crest_pushes, reason=no_crest_push, take=push_crest),
        Listed(verbs.PUSH_IN, of=sangared, reason=no_sangar, take=push_in),
        Once(verbs.HALT, take=halt, shut=too_many),
        Once(verbs.EXIT, take=walk_off, shut=no_walk_off),
        Elsewhere("A3.3", "first finish the move in hand", verbs.MOVE, verbs.END_MOVES),
    )

    def now(self, s: State, f: MoverAt) -> Walk:
        return walk_of(s)

    def actor(self, s: State, f: MoverAt) -> int | None:
        """A4.15 who breaks, is pinned or lost ends his move; a leader is with them if he is from the start."""
        move = s.move
        assert move is not None
        out = sum(1 << u for u in units_of(move.movers) if s.at[u] < 0 or (s.broken | s.pinned) >> u & 1)
        if out:
            s.moved |= out
            step_inside(s, out)
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
        here = move.hex
        text = Text("{left} MF are left", left=left(s) / HALF)
        return Prompt(
            Text("The move from {hex}", hex=s.stage.field.name(here)), text, ("A4.13", "A4.5", "A4.61"), PHASES[s.phase]
        )


def way(s: State, action: Action) -> Hint | None:
    """What a step costs, and what for."""
    now, h = walk_of(s), s.stage.into[action[1]]
    found = price(s, now.start, landing(s, h), s.phasing)
    if found is None:
        return None
    return {"cost": f"{found.points:g}", "of": f"{now.left / HALF:g} MF", "path": [s.stage.field.name(h)]}


FRAMES: dict[int, Frame[State, Any]] = {F_MOVER: Mover(), F_ENTER: Enter()}
"""F_MOVES stands in vehicles.moves, where the vehicles' part is added."""
