"""The same as `reach`, hex by hex with a queue or a heap: what tests and benchmarks compare with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from .hexes import Grid, Hex, Mask

Adjacency: TypeAlias = list[list[tuple[Hex, int]]]
"""By hex: (hex beside it, points to go there)."""


def adjacency(
    grid: Grid,
    classes: Sequence[tuple[int, Sequence[Mask]]],
    barred: Mask = 0,
    leaving: tuple[int, Mask] = (0, 0),
    entering: tuple[int, Mask] = (0, 0),
    apart: Mask = 0,
) -> Adjacency:
    """Every possible step with its price, tolls included."""
    steps: Adjacency = [[] for _ in range(grid.size)]
    for h in grid.hexes:
        for d, n in grid.neighbours[h]:
            prices = [cost for cost, exits in classes if exits[d] >> h & 1]
            if prices and not barred >> n & 1 and not (apart >> h & 1 and apart >> n & 1):
                tolls = leaving[0] * (leaving[1] >> h & 1) + entering[0] * (entering[1] >> n & 1)
                steps[h].append((n, min(prices) + tolls))
    return steps


def heap_reach(
    steps: Adjacency, starts: Collection[Hex], points: int, stop: Collection[Hex] = frozenset()
) -> dict[Hex, int]:
    """Dijkstra: the fewest points to each hex within reach. Stop hexes are not left, starts always are."""
    best = dict.fromkeys(starts, 0)
    heap = [(0, h) for h in starts]
    while heap:
        spent, h = heappop(heap)
        if spent > best[h] or (h in stop and h not in starts):
            continue
        for n, price in steps[h]:
            then = spent + price
            if then <= points and then < best.get(n, points + 1):
                best[n] = then
                heappush(heap, (then, n))
    return best


def queue_flood(steps: Adjacency, starts: Collection[Hex], limit: int = 1 << 30) -> dict[Hex, int]:
    """Breadth-first search: the fewest steps to each hex, whatever they cost."""
    found = dict.fromkeys(starts, 0)
    front = list(starts)
    away = 0
    while front and away < limit:
        away += 1
        following = []
        for h in front:
            for n, _ in steps[h]:
                if n not in found:
                    found[n] = away
                    following.append(n)
        front = following
    return found
