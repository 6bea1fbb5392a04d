"""Locations: where in a hex a unit is, and how high.

`GROUND` is the hex itself (on a hillock, on a hill, in a deir, in a building); `IN` is the bottom of a wadi, a full
level below its rim; `CREST` is the rim of a wadi hex. A `Spot` is one end of a line of sight: a Location, whether the
unit there is Entrenched or Emplaced (`dug_in`), and the vertex at which it is in Bypass, if it is.

B20.9, F5.4-F5.422 the Crest of a wadi hex besides: where Infantry may take it, and at which vertices a vehicle may.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.terrain import LEVEL

VERTICES = ("NNE", "E", "SSE", "SSW", "W", "NNW")
"""Vertex v lies between the directions v and v + 1: 0 between N and NE. Facings are vertices too."""

CENTRE = -1


class Place(IntEnum):
    """Where in its hex a Location is."""

    GROUND = 0
    IN = 1
    CREST = 2
    ABOVE = 3
    """C1.63 Two levels above the hex: where an observer off the map looks from."""
    BYPASS = 4
    """A4.31, D2.3 Beside the obstacle of the hex, at one of its vertices."""


class Spot(NamedTuple):
    """One end of a line of sight."""

    hex: Hex
    place: Place = Place.GROUND
    dug_in: bool = False
    """Is the unit Entrenched (foxhole, trench, sangar) or Emplaced?"""
    vertex: int = CENTRE
    """The vertex at which a unit in Bypass is; otherwise LOS is traced to the centre (F5.424a: Crest too)."""


def places_of(field: Battlefield, h: Hex) -> tuple[Place, ...]:
    """The Locations of a hex: a wadi hex has its bottom and its Crest (B19.4, B20.9), any other hex one."""
    return (Place.IN, Place.CREST) if field.has("wadi", h) else (Place.GROUND,)


def elevation(field: Battlefield, spot: Spot) -> int:
    """The elevation of a unit there, in half levels: a wadi's bottom is a level below its rim (B19.4)."""
    raised = {Place.IN: -LEVEL, Place.ABOVE: 2 * LEVEL}
    return field.level[spot.hex] + raised.get(spot.place, 0)


def may_centre(field: Battlefield, h: Hex, d: int) -> bool:
    """F5.4b May a Crest front be centred on this hexside? Not across the bed, nor along a Depression cliff.

    An ordinary cliff or an abrupt change of level does not bar it.
    """
    return field.has("wadi", h) and not field.side("wadi", h, d) and not field.side("wadi_cliff", h, d)


def crest_front(field: Battlefield, h: Hex, d: int) -> tuple[int, ...]:
    """B20.9 The hexsides that a Crest front centred here protects: it and its neighbours, the bed's left out."""
    around = ((d - 1) % 6, d, (d + 1) % 6)
    return tuple(side for side in around if not field.side("wadi", h, side))


def crest_vertices(field: Battlefield, h: Hex) -> tuple[int, ...]:
    """F5.421 The vertices that may be a vehicle's Crest CAFP.

    AMB-09: none from which a wadi cliff would stand before the bed; none formed by two wadi hexsides.
    """
    if not field.has("wadi", h):
        return ()
    found = []
    for v in range(6):
        sides = (v, (v + 1) % 6)
        cliff = any(field.side("wadi_cliff", h, d) for d in sides)
        if not cliff and not all(field.side("wadi", h, d) for d in sides):
            found.append(v)
    return tuple(found)


def crest_exits(field: Battlefield, h: Hex, v: int) -> tuple[int, ...]:
    """F5.422a The hexsides across which a vehicle may leave its Crest at this vertex.

    Not into a wadi hex on whose cliff side the vertex lies.
    """
    found = []
    for d in (v, (v + 1) % 6):
        n = field.grid.neighbour(h, d)
        if n < 0:
            continue
        # The third hexside at the vertex is the one between the two other hexes.
        third = (d + 2) % 6 if d == v else (d + 4) % 6
        if field.has("wadi", n) and field.side("wadi_cliff", n, third):
            continue
        found.append(d)
    return tuple(found)
