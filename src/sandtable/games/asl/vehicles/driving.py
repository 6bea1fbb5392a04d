"""D2 A vehicle's move: Start, Stop, VCA, hex by hex, Motion, Reverse, Minimum Move, Delay and ESB.

DRIVER asks what the vehicle does next. After every expenditure of MP come the DRs for the ground (risks), whatever
Residual FP lies there, and then the other side's fire (movement.watch).
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Action, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of

from ..boards.bypass import names
from ..boards.costs import HALF
from ..boards.locations import Place, crest_exits
from ..fire.crews import inert, vehicle_of
from ..fire.fate import bail_out
from ..movement import exits
from ..movement.rousing import no_start_before
from ..movement.watch import ResidualAt, WatchAt
from ..table.hardware import Vehicle
from ..table.ids import (
    F_DRIVER,
    F_LONE,
    F_ONWARD,
    F_RELIABILITY,
    F_RESIDUAL,
    F_WATCH,
)
from ..table.state import Move, State, passengers, put, vehicles
from ..table.telling import emit, tell
from . import company, dust, fields
from .company import LoneAt, alone
from .points import (
    allotment,
    astray,
    base_cost,
    friendly_edges,
    left,
    overrun_share,
    place_in,
    price,
    shows_belly,
    start_cost,
    stop_cost,
    turn_cost,
    why_closed,
)
from .risks import ReliabilityAt, among_rocks, push_checks, unreliable

QUIET = 3 * HALF
"""F11.74e the MP from which entering a hex raises no dust."""


class DriverAt(NamedTuple):
    """The vehicle's move in hand."""

    frame: int


class Drive(NamedTuple):
    """What the list of a driver goes by."""

    move: Move
    unit: int
    kind: Vehicle
    here: Hex
    left: int
    going: bool
    """It has started and not stopped."""
    back: bool
    """It goes in reverse."""
    side: int


def drive_of(s: State) -> Drive:
    move = s.move
    assert move is not None
    u = move.vehicle
    going, back = bool(s.motion >> u & 1), bool(s.backing >> u & 1)
    return Drive(move, u, vehicle_of(s, u), s.at[u], left(s), going, back, s.phasing)


# Beginning and ending


def begin(s: State, u: int, frame: tuple[int, ...] = DriverAt(F_DRIVER)) -> None:
    """A vehicle begins its move."""
    s.marches += 1
    s.move = Move(movers=1 << u, vehicle=u, allowed=allotment(s, u), came=s.at[u], hex=s.at[u])
    s.shots = {}
    s.faced = 0
    s.track[u] = ()
    s.stack.append(frame)


def spend(s: State, halves: int, entered: bool = False) -> None:
    """A8.1, D2.1 MP are spent: then Residual FP attacks, and the other side may fire."""
    move = s.move
    assert move is not None
    u = move.vehicle
    lone = alone(s)
    if not move.spent and not entered:  # on entering a hex the new dust takes the old one's place
        dust.settle_motion(s, u)
    move.spent += halves
    move.turned = move.loading = move.belly = 0
    if entered:
        s.rolled |= 1 << u
        move.here = 0
        s.shots = {}
        s.faced = 0
    move.here += halves
    s.track[u] = (*s.track.get(u, ()), (s.at[u], halves))
    s.stack.append(WatchAt(F_WATCH, 1))
    s.stack.append(ResidualAt(F_RESIDUAL))
    if lone:
        s.stack.append(LoneAt(F_LONE, u))


def finish(s: State) -> None:
    """A4.15, D2.4 the move is over; a vehicle that has not Stopped is in Motion."""
    move = s.move
    assert move is not None
    s.moved |= 1 << move.vehicle
    for one in passengers(s, move.vehicle):
        s.moved |= 1 << one
    s.moved |= move.escort
    emit(s, "halted", "A4.15", {"side": s.phasing})
    if s.platoon:  # D14.2 the others of the Platoon go on
        s.move = s.platoon.pop(0)
        return
    s.move = None
    s.stack.pop()


# D2.1 Start and Stop


def start(s: State, f: DriverAt) -> None:
    set_off(s, False)


def reverse(s: State, f: DriverAt) -> None:
    set_off(s, True)


def set_off(s: State, back: bool) -> None:
    move = s.move
    assert move is not None
    u = move.vehicle
    s.motion |= 1 << u
    if back:
        s.backing |= 1 << u
    move.started = 1
    tell(s, "started", "D2.1", 1 << u, s.phasing, {"hex": s.at[u], "back": back})
    spend(s, start_cost(s))
    if unreliable(s, u):
        s.stack.append(ReliabilityAt(F_RELIABILITY, u))


def no_start(s: State, now: Drive) -> Reason | None:
    if now.going:
        return Reason("D2.1", "it has started already")
    if s.bogged >> now.unit & 1:
        return Reason("D8.3", "it is bogged and must be got out first")
    if now.left < start_cost(s):
        return Reason("D2.1", "a Start costs 1 MP, and none is left")
    early = no_start_before(s, now.unit)
    if s.turn < early:
        return Reason("D2.1", Text("by the scenario it may not start before turn {turn}", turn=early))
    return None


def no_reverse(s: State, now: Drive) -> Reason | None:
    reason = no_start(s, now)
    if reason is not None:
        return reason
    if any(s.stage.roster.guns >> one & 1 for one in passengers(s, now.unit)):
        return Reason("D2.2", "a vehicle that tows does not go in reverse")
    if now.kind.move == "motorcycle":
        return Reason("D15.1", "a motorcycle does not go in reverse")
    return None


def stop(s: State, f: DriverAt) -> None:
    move = s.move
    assert move is not None
    s.motion &= ~(1 << move.vehicle)
    s.backing &= ~(1 << move.vehicle)
    tell(s, "stopped", "D2.1", 1 << move.vehicle, s.phasing, {"hex": s.at[move.vehicle]})
    spend(s, stop_cost(s))


def no_stop(s: State, now: Drive) -> Reason | None:
    if not now.going:
        return Reason("D2.1", "it stands still")
    if now.left < stop_cost(s):
        return Reason("D2.1", "a Stop costs 1 MP, and none is left")
    return None


def no_drive_off(s: State, now: Drive) -> Reason | None:
    reason = exits.no_drive_off(s, now.unit, now.going, now.back, now.left)
    if reason is None and s.recalled >> now.unit & 1 and s.edition > 6:
        own = friendly_edges(s, s.stage.roster.side[now.unit])
        if not any(exits.EDGES[one] in own for one in exits.edges_of(s, now.here)):
            return Reason("D5.341", "a Recalled vehicle leaves the map by its own edge alone")
    return reason


def drive_off(s: State, f: DriverAt) -> None:
    """A2.6"""
    now = drive_of(s)
    finish(s)
    exits.leave_map(s, 1 << now.unit, exits.edge_ahead(s, now.unit, now.back))


# D2.11 Entering hexes


def ahead(kind_facing: int, back: bool) -> tuple[int, int]:
    """D2.11 the two hexsides of its facing; in reverse the two opposite."""
    first = kind_facing + (3 if back else 0)
    return first % 6, (first + 1) % 6


def heading(s: State, now: Drive) -> int:
    """The vertex toward which it goes."""
    return (s.vca[now.unit] + (3 if now.back else 0)) % 6


def reachable(s: State, now: Drive) -> Mask:
    """The hexes that its VCA lets it enter, in the numbers of actions; from Bypass those before it at its corner."""
    out, found = s.stage.out, 0
    if s.place[now.unit] == Place.BYPASS:
        way = heading(s, now)
        for one in names(s.stage.field, now.here, s.cafp[now.unit]):
            if (way - one.vertex - 3) % 6 in (0, 1, 5) and one.hex in out:
                found |= 1 << out[one.hex]
        return found
    for d in ahead(s.vca[now.unit], now.back):
        n = s.stage.grid.neighbour(now.here, d)
        if n in out:
            found |= 1 << out[n]
    return found


def not_going(s: State, now: Drive) -> int:
    return 0 if now.going else -1


def minimum_move(s: State, now: Drive) -> bool:
    """D2.13 nothing but a Start has been spent: it may spend its whole allotment on one hex or one vertex."""
    fresh = not now.move.entered or s.edition < 7  # who has come on has entered a hex
    return fresh and now.move.spent <= (start_cost(s) if now.move.started else 0) and not now.move.strained


def closed(s: State, now: Drive, g: int) -> bool:
    return price(s, now.unit, s.stage.into[g], now.back) is None


def too_dear(s: State, now: Drive, g: int) -> bool:
    found = price(s, now.unit, s.stage.into[g], now.back)
    return found is not None and found.halves > now.left and not minimum_move(s, now)


def why_dear(s: State, now: Drive, g: int) -> Reason:
    found = price(s, now.unit, s.stage.into[g], now.back)
    assert found is not None
    text = Text("entering it costs {price} MP, {left} are left", price=found.halves / HALF, left=now.left / HALF)
    return Reason("D2.1", text)


def at_rim(s: State, now: Drive) -> int:
    return -1 if s.place[now.unit] == Place.CREST else 0


def outpaces(s: State, now: Drive, g: int) -> bool:
    found = price(s, now.unit, s.stage.into[g], now.back)
    return found is not None and company.lags(s, now.move, s.stage.into[g], found.halves)


def rim_shut(s: State, now: Drive) -> int:
    """F5.422a all but the hexes across the hexsides that form its Crest CAFP."""
    if s.place[now.unit] != Place.CREST:
        return 0
    out, found = s.stage.out, 0
    for d in crest_exits(s.stage.field, now.here, s.cafp[now.unit]):
        n = s.stage.grid.neighbour(now.here, d)
        if n in out:
            found |= 1 << out[n]
    return ALL & ~found


AHEAD: Bars[State, Drive] = Bars(
    Bar("D2.1", "it must Start first", not_going),
    Need("D2.11", "a vehicle enters the two hexes before it, in reverse the two behind it", reachable),
    Doubt("F.2b", lambda s, now, g: why_closed(s, now.unit, s.stage.into[g]), closed),
    Doubt(
        "D5.341",
        "a Recalled vehicle goes toward its own edge of the map",
        lambda s, now, g: astray(s, now.unit, now.here, s.stage.into[g]),
        about=lambda s, now: ALL if s.recalled >> now.unit & 1 else 0,
    ),
)
ACROSS_RIM: Bar[State, Drive] = Bar(
    "F5.422a", "from the rim of a wadi it goes across the hexsides at its vertex, or down", rim_shut
)
TO: Bars[State, Drive] = Bars(
    AHEAD,
    ACROSS_RIM,
    Doubt("D2.1", why_dear, too_dear),
    Doubt("D9.31", "the Infantry that goes with it cannot keep pace", outpaces),
)


def care_cost(s: State, now: Drive, g: int) -> int:
    """F3.31e double the cost, surcharges once."""
    found = price(s, now.unit, s.stage.into[g], now.back)
    return 0 if found is None else found.halves + base_cost(found)


def rocky(s: State, now: Drive, g: int) -> bool:
    """Whether care would help: a Hammada Immobilization DR is due there."""
    return among_rocks(s, now.unit, now.here, s.stage.into[g])


WITHOUT_ESCORT: Bar[State, Drive] = Bar(
    "D9.31", "the Infantry that goes with it cannot keep pace", lambda s, now: ALL if now.move.escort else 0
)
ESCORTED: Bar[State, Drive] = Bar(  # AMB-106 an Overrun and the rim of a wadi are closed to those who go with it
    "D9.31", WITHOUT_ESCORT.text, lambda s, now: ALL if now.move.escort and s.edition > 6 else 0
)
CAREFULLY: Bars[State, Drive] = Bars(
    AHEAD,
    WITHOUT_ESCORT,
    ACROSS_RIM,
    Doubt("F3.31e", "there are no rocks there to be careful of", lambda s, now, g: not rocky(s, now, g)),
    Doubt("F3.31e", "that costs more MP than are left", lambda s, now, g: care_cost(s, now, g) > now.left),
)


def dusty(s: State, now: Drive, g: int) -> bool:
    found = price(s, now.unit, s.stage.into[g], now.back)
    return found is not None and dust.raised_by(s, now.unit, found.halves, now.here, s.stage.into[g])


SLOWLY: Bars[State, Drive] = Bars(
    AHEAD,
    WITHOUT_ESCORT,
    ACROSS_RIM,
    Doubt("F11.74e", "it would raise no dust in any case", lambda s, now, g: not dusty(s, now, g)),
    Bar("F11.74e", "3 MP are needed for that", lambda s, now: -1 if now.left < QUIET else 0),
)


def enter(s: State, f: DriverAt, g: int) -> None:
    now, h = drive_of(s), s.stage.into[g]
    found = price(s, now.unit, h, now.back)
    assert found is not None
    minimum = found.halves > now.left
    go(s, h, now.left if minimum else found.halves, minimum=minimum)


def enter_carefully(s: State, f: DriverAt, g: int) -> None:
    now = drive_of(s)
    go(s, s.stage.into[g], care_cost(s, now, g), doubled=True)


def enter_slowly(s: State, f: DriverAt, g: int) -> None:
    go(s, s.stage.into[g], QUIET)


def go(
    s: State,
    h: Hex,
    halves: int,
    minimum: bool = False,
    doubled: bool = False,
    place: Place | None = None,
    vertex: int = 0,
) -> None:
    """D2.11 it enters a hex, after the mines of the one it leaves have had their turn (B28.41)."""
    move = s.move
    assert move is not None
    where = -1 if place is None else int(place)
    s.stack.append(OnwardAt(F_ONWARD, h, halves, minimum, doubled, where, vertex))
    if fields.mined(s, move.hex):
        fields.push_mines(s, move.vehicle, move.hex)
        company.push_mines(s, move)
    else:
        onward(s)


class OnwardAt(NamedTuple):
    """A vehicle is about to enter a hex."""

    frame: int
    hex: int
    halves: int
    minimum: int
    doubled: int
    place: int
    vertex: int


class Onward(Frame[State, OnwardAt]):
    """D2.11 what the mines have left goes on."""

    at = OnwardAt

    def run(self, s: State, f: OnwardAt) -> None:
        move = s.move
        if move is None or stuck(s, move.vehicle):
            s.stack.pop()
        else:
            onward(s)


def onward(s: State) -> None:
    """Dust rises behind it (F11.74a), the ground is tried, then it may be fired at."""
    f = s.stack.pop()
    assert isinstance(f, OnwardAt)
    h, halves, minimum, doubled, vertex = f.hex, f.halves, bool(f.minimum), bool(f.doubled), f.vertex
    place = None if f.place < 0 else Place(f.place)
    move = s.move
    assert move is not None
    u, here = move.vehicle, move.hex
    belly = shows_belly(s, u, here, h)
    company.follow(s, move, h)
    if minimum:
        dust.settle_motion(s, u)
    else:
        dust.follow(s, u, here, h, halves - overrun_share(s, h))
    settle_in(s, u, h, place_in(s, h) if place is None else place, vertex)
    move.came, move.hex, move.entered, move.started = here, h, move.entered + 1, 0
    tell(
        s,
        "moved",
        "D2.13" if minimum else "D2.11",
        1 << u,
        s.phasing,
        {"from": here, "to": h, "path": [h]},
    )
    spend(s, halves, True)
    move.impulse, move.belly = 1, belly
    if minimum:
        move.minimum = move.over = 1
    fields.push_wire(s, u, h)
    push_checks(s, u, here, doubled)
    fields.push_mines(s, u, h)
    company.meet(s, move, h)


def settle_in(s: State, u: int, h: Hex, place: Place, vertex: int = 0) -> None:
    """A vehicle and all aboard are in a Location now."""
    put(s, u, h)
    for one in (u, *passengers(s, u)):
        s.place[one] = place
        if one == u or place == Place.BYPASS:
            s.cafp[one] = vertex


# D2.1 VCA


def neighbours_of_facing(s: State, now: Drive) -> int:
    v = s.vca[now.unit]
    return 1 << (v + 1) % 6 | 1 << (v - 1) % 6


def turn_dear(s: State, now: Drive) -> int:
    dear = turn_cost(s, now.unit) > now.left and not minimum_move(s, now)
    return -1 if dear else 0


TURN: Bars[State, Drive] = Bars(
    Bar("D2.1", "it must Start first", not_going),
    Bar("F5.42g", "a vehicle at the rim of a wadi does not change its VCA", at_rim),
    Need("D2.1", "it turns one vertex at a time", neighbours_of_facing),
    Bar("D2.1", "there are not enough MP left to turn", turn_dear),
)
TURN_CAREFULLY: Bars[State, Drive] = Bars(
    Bar("D2.1", "it must Start first", not_going),
    Bar("F5.42g", "a vehicle at the rim of a wadi does not change its VCA", at_rim),
    Need("D2.1", "it turns one vertex at a time", neighbours_of_facing),
    Bar(
        "F3.31e",
        "there are no rocks here to be careful of",
        lambda s, now: 0 if among_rocks(s, now.unit, now.here, now.here) else -1,
    ),
    Bar(
        "F3.31e",
        "that costs more MP than are left",
        lambda s, now: -1 if 2 * turn_cost(s, now.unit) > now.left else 0,
    ),
)


def turn(s: State, f: DriverAt, v: int) -> None:
    face(s, v, turn_cost(s, drive_of(s).unit), False)


def turn_carefully(s: State, f: DriverAt, v: int) -> None:
    face(s, v, 2 * turn_cost(s, drive_of(s).unit), True)


def face(s: State, v: int, halves: int, doubled: bool) -> None:
    """D2.1 the vehicle turns, and its turret with it; D2.13 a Minimum Move may be one vertex."""
    now = drive_of(s)
    u, before, step = now.unit, s.vca[now.unit], (v - s.vca[now.unit]) % 6
    minimum = halves > now.left
    s.vca[u] = v
    s.tca[u] = (s.tca[u] + step) % 6
    tell(s, "turned", "D2.1", 1 << u, s.phasing, {"hex": now.here, "vertex": v})
    spend(s, now.left if minimum else halves)
    if minimum:
        now.move.minimum = now.move.over = 1
    push_checks(s, u, now.here, doubled, before)


# D3.11 TCA


TURRETS = ("T", "ST", "1MT")


def other_facings(s: State, now: Drive) -> int:
    return 0x3F & ~(1 << s.tca[now.unit])


TURRET: Bars[State, Drive] = Bars(
    Bar("D1.3", "it has no turret", lambda s, now: 0 if now.kind.turret in TURRETS else -1),
    Need("D3.11", "the turret points there", other_facings),
    Bar("D3.11", "the turret has turned since the last MP was spent", lambda s, now: -1 if now.move.turned else 0),
)


def turn_turret(s: State, f: DriverAt, v: int) -> None:
    move = s.move
    assert move is not None
    s.tca[move.vehicle] = v
    move.turned = 1
    bail_out(s, move.vehicle)
    tell(s, "turret_turned", "D3.11", 1 << move.vehicle, s.phasing, {"hex": s.at[move.vehicle], "vertex": v})


# D2.4 The end


def halt(s: State, f: DriverAt) -> None:
    """D2.1 MP may be left only when Stopped: one that has not spends the rest where it is, and is in Motion."""
    now = drive_of(s)
    now.move.over = 1
    if now.going and now.left > 0:
        spend(s, now.left)


def no_halt(s: State, now: Drive) -> Reason | None:
    if crowded(s, now) and can_go(s, now):
        return Reason("A5.1", "a Location holds one vehicle of a side at the end of the phase, and it can still go on")
    return None


def crowded(s: State, now: Drive) -> bool:
    """A5.1, AMB-56 another vehicle of its side is in its Location."""
    others = vehicles(s, now.here, s.phasing) & ~(1 << now.unit)
    return any(s.place[one] == s.place[now.unit] for one in units_of(others))


def can_go(s: State, now: Drive) -> bool:
    if s.immobile >> now.unit & 1:
        return False
    return bool(TO.free(reachable(s, now), s, now)) if now.going else no_start(s, now) is None


def stuck(s: State, u: int) -> bool:
    """A4.15 a vehicle that is immobilized, bogged, stunned, shocked or destroyed ends its MPh."""
    return s.at[u] < 0 or bool((s.immobile | inert(s)) >> u & 1)


def way(s: State, action: Action) -> Hint | None:
    now = drive_of(s)
    h = s.stage.into[action[1]]
    found = price(s, now.unit, h, now.back)
    if found is None:
        return None
    return {
        "cost": f"{min(found.halves, now.left) / HALF:g}",
        "of": f"{now.left / HALF:g} MP",
        "path": [s.stage.field.name(h)],
    }
