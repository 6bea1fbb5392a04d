"""A4.31, D2.3 Bypass: the way along the hexsides of a hex whose obstacle does not touch them, from corner to corner.

A corner has three names, one for each hex that meets there. Vertex v of a hex lies between its directions v and v + 1;
hexside d joins the vertices d - 1 and d. Whoever goes along a hexside from vertex v goes in the direction of vertex
v + 2 (clockwise) or v + 4, whatever hex he names them by: so a vehicle's facing says which hexside lies before it.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.games.asl.boards.battlefield import Battlefield

OBSTACLES = ("building_stone", "tomb", "woods")
"""What is bypassed."""
BARRED = ("cliff", "wadi_cliff", "wadi")


class Corner(NamedTuple):
    """A vertex by the name that one of its hexes gives it."""

    hex: Hex
    vertex: int


def names(field: Battlefield, h: Hex, v: int) -> list[Corner]:
    """All names of a corner; fewer than three at the edge of the map."""
    found = [Corner(h, v % 6)]
    for d, vertex in ((v % 6, v + 2), ((v + 1) % 6, v + 4)):
        n = field.grid.neighbour(h, d)
        if n >= 0:
            found.append(Corner(n, vertex % 6))
    return found


def obstructed(field: Battlefield, h: Hex) -> bool:
    """Whether the hex has an obstacle that can be bypassed: not one that fills it to its hexsides (B.6)."""
    return field.terrain[h] in OBSTACLES and not field.inherent >> h & 1


def barred(field: Battlefield, h: Hex, d: int) -> bool:
    """Whether nobody passes along a hexside: it is a cliff, a wadi's, or the edge of the map."""
    return field.grid.neighbour(h, d) < 0 or any(field.side(kind, h, d) for kind in BARRED)


class Leg(NamedTuple):
    """One hexside of a hex, passed from one corner to the next."""

    hex: Hex
    side: int
    to: int
    heading: int
    """The vertex toward which it leads."""


def legs(field: Battlefield, h: Hex, v: int) -> list[Leg]:
    """The hexsides of a hex that lead away from one of its vertices."""
    if not obstructed(field, h):
        return []
    both = (Leg(h, v % 6, (v - 1) % 6, (v + 4) % 6), Leg(h, (v + 1) % 6, (v + 1) % 6, (v + 2) % 6))
    return [leg for leg in both if not barred(field, h, leg.side)]
