"""B20.9, F5.4-F5.422 The Crest of a wadi hex: where Infantry may take it, and at which vertices a vehicle may stand."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.games.asl.boards.battlefield import Battlefield


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
