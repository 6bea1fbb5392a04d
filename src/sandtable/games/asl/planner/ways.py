"""How far it is: what every step over the ground costs, and how far each hex is from a goal. The ground never changes,
so what has been worked out for it is kept."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in

from ..boards.battlefield import Battlefield
from ..boards.costs import ROAD, TRACK, Mover, entry_price
from ..boards.hazards import ROCKS, SAND
from ..boards.locations import Place, Spot

FAR = 10_000
"""Farther than anywhere."""
FOOT = Mover("infantry")
SHY = 8
"""Halves of MP by which rough ground is avoided by what may bog or be immobilized there."""


@lru_cache(maxsize=64)
def chart(field: Battlefield, mover: Mover) -> tuple[tuple[tuple[Hex, int], ...], ...]:
    """Hex -> the hexes beside it that this mover can enter, with the halves of points that each costs."""
    grid = field.grid
    steps: list[tuple[tuple[Hex, int], ...]] = [()] * grid.size
    for h in grid.hexes:
        found = []
        for d in range(6):
            n = grid.neighbour(h, d)
            if n < 0:
                continue
            way = ROAD if field.roads[d] >> h & 1 else TRACK if field.tracks[d] >> h & 1 else ""
            price = entry_price(field, mover, _standing(field, h), _standing(field, n), way)
            if price is not None:
                found.append((n, price.halves))
        steps[h] = tuple(found)
    return tuple(steps)


def _standing(field: Battlefield, h: Hex) -> Spot:
    return Spot(h, Place.IN if field.has("wadi", h) else Place.GROUND)


@lru_cache(maxsize=512)
def distances(field: Battlefield, mover: Mover, goals: Mask) -> tuple[int, ...]:
    """Hex -> halves of points from there to the nearest of some hexes."""
    steps = chart(field, mover)
    back: list[list[tuple[Hex, int]]] = [[] for _ in steps]
    for h, ways in enumerate(steps):
        for n, halves in ways:
            back[n].append((h, halves + (SHY if rough(field, mover, n) else 0)))
    far = [FAR] * len(steps)
    heap: list[tuple[int, Hex]] = []
    for h in hexes_in(goals):
        far[h] = 0
        heap.append((0, h))
    while heap:
        spent, h = heappop(heap)
        if spent > far[h]:
            continue
        for n, halves in back[h]:
            if spent + halves < far[n]:
                far[n] = spent + halves
                heappush(heap, (far[n], n))
    return tuple(far)


@lru_cache(maxsize=64)
def _rough(field: Battlefield, words: tuple[str, ...]) -> Mask:
    found = 0
    for word in words:
        found |= field.ground.get(word, 0)
    return found


def rough(field: Battlefield, mover: Mover, h: Hex) -> bool:
    """F3.31, F7.31 ground on which a vehicle like this may be lost: rocks for wheels, sand for all."""
    if mover.kind == "infantry":
        return False
    words = SAND if mover.kind == "tracked" else (*ROCKS, *SAND)
    return bool(_rough(field, words) >> h & 1)
