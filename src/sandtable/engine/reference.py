"""The same as `floods`, hex by hex with a queue: what tests and benchmarks compare with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from .hexes import Grid, Hex, Mask

Adjacency: TypeAlias = list[list[Hex]]
"""By hex: the hexes beside it that a step leads to."""


def adjacency(grid: Grid, open_: Sequence[Mask], barred: Mask = 0) -> Adjacency:
    """Every possible step: `open_[d]` holds the hexes that may be left in direction d."""
    return [[n for d, n in grid.neighbours[h] if open_[d] >> h & 1 and not barred >> n & 1] for h in range(grid.size)]


def queue_flood(steps: Adjacency, starts: Collection[Hex], limit: int = 1 << 30) -> dict[Hex, int]:
    """Breadth-first search: the fewest steps to each hex."""
    found = dict.fromkeys(starts, 0)
    front = list(starts)
    away = 0
    while front and away < limit:
        away += 1
        following = []
        for h in front:
            for n in steps[h]:
                if n not in found:
                    found[n] = away
                    following.append(n)
        front = following
    return found
