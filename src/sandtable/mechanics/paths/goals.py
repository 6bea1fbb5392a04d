"""How far it is to a goal, for computer players: the points left from every hex, past whoever is in the way."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from sandtable.engine.hexes import Hex, Mask, hexes_of

from . import swift
from .charts import Chart, Tolls


def costs_to(
    chart: Chart, goals: dict[Hex, int], far: int, most: int | None = None, closed: Mask = 0, entering: Tolls = ()
) -> list[int]:
    """The points it takes from every hex to the cheapest of some goals, each with what it costs itself; `far` where
    there is no way. Nobody starts from hexes that are closed or goes through them, and others cost more to enter. What
    takes more than `most` points is gone to by others, but not gone through."""
    most = far if most is None else most
    if swift.costs_to is not None:
        shifts, prices, _ = chart.sheet()
        return swift.costs_to(shifts, prices, tuple(goals.items()), far, most, closed, entering)
    found = [far] * chart.grid.size
    more = [0] * chart.grid.size
    for toll, hexes in entering:
        for h in hexes_of(hexes):
            more[h] += toll
    due = [(cost, h) for h, cost in goals.items()]
    for cost, h in due:
        found[h] = cost
    heapify(due)
    while due:
        points, h = heappop(due)
        if points > most:
            break
        if points > found[h]:
            continue
        so_far = points + more[h]
        for n, _, cost, _ in chart.ways[h]:
            if so_far + cost < found[n] and not closed >> n & 1:
                found[n] = so_far + cost
                heappush(due, (so_far + cost, n))
    return found
