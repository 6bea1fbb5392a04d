"""Locations: where in a hex a unit is, and how high.

`GROUND` is the hex itself (on a hillock, on a hill, in a deir, in a building); `IN` is the bottom of a wadi, a full
level below its rim; `CREST` is the rim of a wadi hex. A `Spot` is one end of a line of sight: a Location, whether the
unit there is Entrenched or Emplaced (`dug_in`), and the vertex at which it is in Bypass, if it is.
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
