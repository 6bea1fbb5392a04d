"""D2.3 Vehicular Bypass: along the hexside that lies straight before a vehicle, from corner to corner."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Reason

from ..boards.bypass import Leg, legs, names
from ..boards.locations import Place
from ..movement.bypass import open_leg
from ..table.state import State
from .driving import Drive, DriverAt, go, heading
from .points import astray, price


def before_it(s: State, now: Drive) -> list[Leg]:
    """The hexsides that it can go along: of the hexes on both sides of the line that it faces."""
    field, way = s.stage.field, heading(s, now)
    place = s.place[now.unit]
    if place == Place.BYPASS:
        corner = names(field, now.here, s.cafp[now.unit])
    elif place == Place.GROUND:
        corner = [one for one in names(field, now.here, way) if one.hex != now.here]
    else:
        return []
    found = [leg for one in corner for leg in legs(field, one.hex, one.vertex) if leg.heading == way]
    return [leg for leg in found if open_leg(s, leg)]


def skirts(s: State, f: DriverAt, now: Drive) -> list[tuple[int, ...]]:
    out = s.stage.out
    found = [leg for leg in before_it(s, now) if leg.hex in out and why_skirt(s, now, leg) is None]
    return sorted({(out[leg.hex], leg.to) for leg in found})


def why_skirt(s: State, now: Drive, leg: Leg) -> Reason | None:
    if not now.going:
        return Reason("D2.1", "it must Start first")
    if now.move.escort:
        return Reason("D9.31", "the Infantry that goes with it cannot keep pace")
    if astray(s, now.unit, now.here, leg.hex):
        return Reason("D5.341", "a Recalled vehicle goes toward its own edge of the map")
    found = price(s, now.unit, leg.hex, now.back, Place.BYPASS)
    if found is None:
        return Reason("D2.3", "no vehicle like this can go there")
    return None if found.halves <= now.left else Reason("D2.1", "there are not enough MP left for it")


def no_skirt(s: State, f: DriverAt, now: Drive, args: Sequence[int]) -> Reason | None:
    g, vertex = args
    h = s.stage.into[g]
    leg = next((one for one in before_it(s, now) if (one.hex, one.to) == (h, vertex)), None)
    if leg is None:
        return Reason("D2.3", "a vehicle bypasses along the hexside straight before it, past an obstacle beside it")
    return why_skirt(s, now, leg)


def skirt(s: State, f: DriverAt, g: int, vertex: int) -> None:
    """D2.3 twice the Open Ground cost for each hexside; it is at the corner, in the hex that it bypasses."""
    move = s.move
    assert move is not None
    h = s.stage.into[g]
    found = price(s, move.vehicle, h, bool(s.backing >> move.vehicle & 1), Place.BYPASS)
    assert found is not None
    go(s, h, found.halves, place=Place.BYPASS, vertex=vertex)
