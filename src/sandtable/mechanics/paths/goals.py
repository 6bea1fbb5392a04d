"""How far it is to a goal, for computer players: the points that are left from every hex, enemies left out."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from sandtable.engine.hexes import Hex

from .charts import Chart


def costs_to(chart: Chart, goals: dict[Hex, int], far: int) -> list[int]:
    """The points it takes from every hex to the cheapest of some goals, each with what it costs itself; `far` where
    there is no way."""
    found = [far] * chart.grid.size
    due = [(cost, h) for h, cost in goals.items()]
    for cost, h in due:
        found[h] = cost
    heapify(due)
    while due:
        points, h = heappop(due)
        if points > found[h]:
            continue
        for n, _, cost, _ in chart.ways[h]:
            if points + cost < found[n]:
                found[n] = points + cost
                heappush(due, (points + cost, n))
    return found
