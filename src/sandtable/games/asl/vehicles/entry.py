"""A2.5 Units enter the map from beyond its edge.

Whoever is due pays the cost of an edge hex as if coming from an identical hex beyond it, in the turn that the scenario
names or later. Passengers enter with their vehicles; a vehicle comes on in Motion.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import asked_once

from ..boards.costs import Mover, Price, Weather, offboard_price
from ..boards.locations import Spot
from ..fire.attack import reveal
from ..fire.crews import dismay_beside
from ..movement import walking
from ..movement.arrival import arrive
from ..movement.infantry import MovesAt
from ..movement.points import allotment as feet
from ..movement.points import landing
from ..table.forces import ENTRY, INWARD, Force, force_of
from ..table.ids import F_MOVER, OFFMAP, ON_WIRE
from ..table.smoke import clouded
from ..table.state import Move, State, men, passengers, put
from ..table.telling import emit, tell
from ..table.weather import density
from . import driving, fields
from .points import allotment, in_the_way, mover, place_in, way_in, wet
from .risks import push_checks


def due(s: State) -> list[int]:
    """Those of the phasing side who may enter now: who rides with a vehicle enters with it."""
    roster, found = s.stage.roster, []
    for u in units_of(roster.of_side[s.phasing] & (roster.men | roster.vehicles) & ~(s.mounted | s.moved)):
        force = force_of(s.stage.scenario, u) if s.at[u] == OFFMAP else None
        if force is not None and force.when == ENTRY and arrival(s, force) <= s.turn:
            found.append(u)
    return found


def arrival(s: State, force: Force) -> int:
    """The turn from which a group may enter."""
    return force.turn


@asked_once
def entry_price(s: State, u: int, h: Hex) -> Price | None:
    """What the edge hex costs this unit."""
    smoke = clouded(s, h) if s.edition > 2 else 0  # A24.7, D2.14
    if s.stage.roster.vehicles >> u & 1:
        others = in_the_way(s, u, h, h, place_in(s, h)) if s.edition > 2 else 0
        weather = Weather(wet=wet(s), dust=density(s), smoke=smoke, vehicles=others)
        return offboard_price(s.stage.field, mover(s, u, False), Spot(h, place_in(s, h)), weather, way_in(s, h))
    weather = Weather(wet=wet(s), smoke=smoke)
    return offboard_price(s.stage.field, Mover("infantry"), landing(s, h), weather, way_in(s, h))


def doors(s: State, f: MovesAt, now: object) -> list[tuple[int, int]]:
    """Unit and hex."""
    found: list[tuple[int, int]] = []
    alike: dict[tuple[int, Mask], tuple[int, ...]] = {}  # where one of a type can go, all of them can
    for u in due(s):
        force = force_of(s.stage.scenario, u)
        assert force is not None
        key = (s.type[u], force.doors)
        if key not in alike:
            open_ = _open_ground(s, u, force.doors) & ~_held(s)
            alike[key] = hexes_in(s.stage.numbers(open_))
        found += [(u, g) for g in alike[key]]
    return found


def _held(s: State) -> Mask:
    """Hexes with enemies in plain view."""
    roster = s.stage.roster
    foes = roster.of_side[1 - s.phasing] & (roster.men | roster.vehicles) & ~(s.wreck | s.hip | s.concealed)
    return sum([1 << h for h, units in s.here.items() if units & foes])


def _open_ground(s: State, u: int, doors: Mask) -> Mask:
    """Those of some hexes that a unit can enter at any cost; for one kind of mover and of weather always the same."""
    motor = bool(s.stage.roster.vehicles >> u & 1)
    key = ("doors", doors, mover(s, u, False) if motor else None, wet(s), density(s) if motor else "")
    told = s.stage.told
    if key not in told:
        told[key] = sum(1 << h for h in hexes_of(doors) if entry_price(s, u, h) is not None)
    found: Mask = told[key]
    return found


def open_to(s: State, u: int, h: Hex) -> bool:
    """Whether it can be entered: at any cost that the unit can pay, by a Minimum Move too, and with no enemy there."""
    return entry_price(s, u, h) is not None and not _held(s) >> h & 1


def no_entry(s: State, f: MovesAt, now: object, args: Any) -> Reason | None:
    u, g = args
    h = s.stage.into[g]
    force = force_of(s.stage.scenario, u)
    if s.at[u] != OFFMAP or force is None or s.stage.roster.side[u] != s.phasing or force.when != ENTRY:
        return Reason("A2.5", Text("{unit} is not beyond the edge of the map", unit=u))
    if s.moved >> u & 1:
        return Reason("A12.15", Text("{unit} has met the enemy at the edge and enters no more in this turn", unit=u))
    if u not in due(s):
        turn = arrival(s, force)
        if turn > s.turn:
            return Reason("A2.5", Text("{unit} may enter from turn {turn} on", unit=u, turn=turn))
        return Reason("D6.1", Text("{unit} enters with its vehicle", unit=u))
    if h < 0 or not force.doors >> h & 1:
        return Reason("A2.5", Text("{unit} does not enter there", unit=u))
    return None if open_to(s, u, h) else Reason("A2.5", Text("{unit} cannot enter that hex", unit=u))


def enter(s: State, f: MovesAt, u: int, g: int) -> None:
    """It comes on, and has spent what the hex costs; the other side may fire."""
    h = s.stage.into[g]
    found = entry_price(s, u, h)
    force = force_of(s.stage.scenario, u)
    assert found is not None
    assert force is not None
    vehicle = bool(s.stage.roster.vehicles >> u & 1)
    if vehicle:
        s.vca[u] = s.tca[u] = INWARD.get(force.edge, s.vca[u])
        s.motion |= 1 << u
        place = place_in(s, h)
        put(s, u, h)
        for one in (u, *passengers(s, u)):
            s.place[one] = place
        tell(s, "entered", "A2.5", 1 << u, s.phasing, {"hex": h})
        driving.begin(s, u)
        assert s.move is not None
        s.move.started, s.move.entered = 1, int(s.edition > 6)
        driving.spend(s, min(found.halves, allotment(s, u)), True)
        if s.edition > 4:  # what meets whoever comes from beyond a hexside: stones, sand, mines, whom it dismays
            push_checks(s, u, h)
            fields.push_mines(s, u, h)
            dismay_beside(s)
        return
    if s.edition > 4 and ambushed(s, u, h):
        return
    put(s, u, h)
    s.place[u] = landing(s, h).place
    tell(s, "entered", "A2.5", 1 << u, s.phasing, {"hex": h})
    s.marches += 1
    s.move = Move(movers=1 << u, came=h, hex=h, entered=1, exposed=int(s.stage.field.kind(h).ffmo))
    s.shots = {}
    s.faced = 0
    s.stack.append(walking.MoverAt(F_MOVER))
    walking.spend(s, min(found.halves, feet(s, u, False)), True)
    if s.edition > 4:
        arrive(s, h, 1 << u)  # B28.41, B26.4, A12.33
        s.move.ended = int(s.under[u] == ON_WIRE)
        walking.lose_cover(s)


def ambushed(s: State, u: int, h: Hex) -> bool:
    """A4.14, A12.15 a hidden or concealed enemy in the edge hex is found, and it stays beyond the edge in this MPh."""
    roster = s.stage.roster
    reveal(s, s.here.get(h, 0) & roster.dummies & roster.of_side[1 - s.phasing])
    foes = men(s, h, 1 - s.phasing)
    if not foes:
        return False
    s.hip &= ~foes
    s.moved |= 1 << u
    emit(s, "detected", "A12.15", {"hex": h, "units": [u], "side": s.phasing}, final=True)
    return True
