"""A4.31 Infantry Bypass: along one or two hexsides of an obstacle's hex, for the cost of its other terrain."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.bypass import Corner, Leg, legs, names, obstructed
from ..boards.locations import Place, Spot
from ..table.ids import ABOVE
from ..table.state import State, men
from .points import cost, landing
from .walking import MoverAt, Walk, too_few

MOST = 2
"""Hexsides for one payment."""


def open_leg(s: State, leg: Leg) -> bool:
    """AMB-55 whether the art of no obstacle touches a hexside: one can see along it."""
    n = s.stage.grid.neighbour(leg.hex, leg.side)
    first = Spot(leg.hex, vertex=(leg.side - 1) % 6)
    return s.stage.sights.sees(first, Spot(n, vertex=(leg.side + 2) % 6))


def starts(s: State, now: Walk) -> list[Corner]:
    """The corners that the movers can turn from: those of their hex, or the one that they are at in Bypass."""
    field = s.stage.field
    if now.start.place == Place.BYPASS:
        return names(field, now.here, now.start.vertex)
    if now.start.place != Place.GROUND or now.under != ABOVE:
        return []
    return [one for v in range(6) for one in names(field, now.here, v) if one.hex != now.here]


def corners(s: State, now: Walk) -> frozenset[Corner]:
    """Where one payment leads: along one hexside of a hex, or two. From one place it is always the same."""
    key = ("corners", s.stage.sights, now.start, now.under)
    found: frozenset[Corner] | None = s.stage.told.get(key)
    if found is None:
        found = s.stage.told[key] = frozenset(_corners(s, now))
    return found


def _corners(s: State, now: Walk) -> set[Corner]:
    found: set[Corner] = set()
    field = s.stage.field
    if not any(obstructed(field, n) for n in (now.here, *(n for _, n in field.grid.neighbours[now.here]))):
        return found
    for start in starts(s, now):
        for first in legs(field, start.hex, start.vertex):
            at, way = start.vertex, first
            for _ in range(MOST):
                if not open_leg(s, way):
                    break
                at = way.to
                found.add(Corner(start.hex, at))
                onward = [one for one in legs(field, start.hex, at) if one.side != way.side]
                if not onward:
                    break
                way = onward[0]
    if now.start.place == Place.BYPASS:
        found -= set(names(field, now.here, now.start.vertex))
    return found


def at_corner(one: Corner) -> Spot:
    return Spot(one.hex, Place.BYPASS, vertex=one.vertex)


def exits(s: State, at: Spot) -> list[Hex]:
    """The hexes that one in Bypass may enter: those that meet at his corner, that of the obstacle among them."""
    return [one.hex for one in names(s.stage.field, at.hex, at.vertex)]


def no_way_on(s: State, now: Walk, one: Corner) -> bool:
    """AMB-103 Infantry does not stop in Bypass: MF to enter a hex at the corner must be left."""
    spot = at_corner(one)
    left = now.left - cost(s, now.start, spot, s.phasing)
    return all(cost(s, spot, landing(s, h), s.phasing) > left for h in exits(s, spot))


def why_bypass(s: State, now: Walk, one: Corner) -> Reason | None:
    if now.move.ended:
        return Reason("A4.15", "their move is over")
    if now.move.assault:
        return Reason("A4.61", "Bypass is no Assault Movement")
    if one not in corners(s, now):
        return Reason("A4.31", "no hexsides of an obstacle's hex lead there, or the obstacle touches them")
    if men(s, one.hex, 1 - s.phasing) & ~s.concealed:
        return Reason("A4.14", "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase")
    reason = too_few(now, cost(s, now.start, at_corner(one), s.phasing))
    if reason is None and no_way_on(s, now, one):
        return Reason("A4.31", "they could not go on from there, and Infantry does not stop in Bypass")
    return reason


def bypasses(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    if now.move.ended or now.move.assault:
        return []
    out = s.stage.out
    found = [one for one in corners(s, now) if one.hex in out and why_bypass(s, now, one) is None]
    return sorted((out[one.hex], one.vertex) for one in found)


def no_bypass(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    h = s.stage.into[args[0]]
    if h < 0:
        return Reason("A4.31", "it is not on the map")
    return why_bypass(s, now, Corner(h, args[1]))


def step_inside(s: State, units: int) -> None:
    """AMB-103 whoever's move ends in Bypass, by fire or for want of MF, is in the obstacle from then on."""
    for u in units_of(units):
        if s.place[u] == Place.BYPASS:
            s.place[u], s.cafp[u] = Place.GROUND, 0
