"""One move, hex by hex: the cheapest place first.

It knows everything that a leg can ask for, and is quick enough for what is asked rarely: what is in the way, and moves
that begin in the middle of a run of dry hexes.
"""

from __future__ import annotations

from heapq import heappop, heappush

from sandtable.engine.hexes import Hex, Mask, hexes_of

from .charts import FIRST, HALTS, Chart, Starts, Tolls, due

RUN = 2  # dry hexes that may be entered in a row


class Plain:
    """Where one move can lead, for how many points, and how."""

    __slots__ = ("_chain", "_costs", "_ended", "_entering", "_leaving", "_out", "_stop", "chart", "hexes", "start")

    def __init__(
        self, chart: Chart, start: Hex, stop: Mask, leaving: Tolls, entering: Tolls, setting_out: bool, chain: Mask
    ) -> None:
        self.chart = chart
        self.start = start
        self._stop = stop
        self._leaving = leaving
        self._entering = entering
        self._out = setting_out
        self._chain = chain
        self._costs: tuple[dict[Hex, int], ...] = tuple({} for _ in range(RUN + 1))  # by run: hexes and points
        self._ended: dict[Hex, int] = {}  # hexes that a step ending the move leads to
        self.hexes: Mask = 0

    def within(self, points: int) -> Mask:
        found = 0
        for known in (*self._costs, self._ended):
            for h, cost in known.items():
                if cost <= points:
                    found |= 1 << h
        return found

    def cost(self, h: Hex) -> int:
        found = [known[h] for known in (*self._costs, self._ended) if h in known]
        return min(found) if found else -1

    def halts(self, h: Hex) -> bool:
        cost = self.cost(h)
        return cost >= 0 and all(known.get(h, -1) != cost for known in self._costs)

    def path(self, h: Hex) -> list[Hex]:
        points = self.cost(h)
        if points < 0 or h == self.start:
            return []
        halted = HALTS if self.halts(h) else 0
        run = next((r for r in range(RUN + 1) if self._costs[r].get(h, -1) == points), 0)
        way = [h]
        onward = -1
        while True:
            h, run, points, onward = self._before(h, run, points, onward, halted)
            halted = 0
            if h < 0 or (h == self.start and points == 0):
                break
            way.append(h)
        way.reverse()
        return way

    def _before(self, h: Hex, run: int, points: int, onward: int, halted: int) -> tuple[Hex, int, int, int]:
        """What comes before h on a cheapest way: hex (-1: it came onto the map here), run, points, direction."""
        points -= due(self._entering, h)
        runs = range(RUN + 1) if not run else (run - 1,)
        linked = self._chain if self._chain >> h & 1 else 0
        for n, d, price, flags in self.chart.ways[h] if onward < 0 else self.chart.straight(h, onward):
            at = points - price - due(self._leaving, n)
            first = n == self.start and at == 0
            if at < 0 or flags & HALTS != halted or (self._stop >> n & 1 and not first) or linked >> n & 1:
                continue
            if flags & FIRST and not (first and self._out):
                continue
            for r in runs:
                if self._costs[r].get(n, -1) == at:
                    return n, r, at, d
        return -1, 0, 0, -1


def search(
    chart: Chart,
    start: Hex,
    points: int,
    closed: Mask,
    stop: Mask,
    leaving: Tolls,
    entering: Tolls,
    setting_out: bool,
    starts: Starts,
    dry: Mask,
    chain: Mask = 0,
) -> Plain:
    """One move: see `legs.Leg`."""
    found = Plain(chart, start, stop, leaving, entering, setting_out, chain)
    costs, ended = found._costs, found._ended
    queue: list[tuple[int, int, Hex]] = []  # points, run, hex
    for spent, hexes, run in starts:
        for h in hexes_of(hexes):
            heappush(queue, (spent + (due(entering, h) if spent else 0), run, h))
    while queue:
        spent, run, h = heappop(queue)
        if spent > points or h in costs[run] or (run == RUN and h in costs[1]):
            continue  # who has one dry hex behind him can do all that one with two can
        setting = h == start and not spent
        if closed >> h & 1 and not setting:
            continue
        costs[run][h] = spent
        found.hexes |= 1 << h
        if stop >> h & 1 and not setting:
            continue
        away = spent + due(leaving, h)
        shut = closed | chain if chain >> h & 1 else closed
        for n, _, price, flags in chart.steps[h]:
            if shut >> n & 1 or (flags & FIRST and not (setting and setting_out)):
                continue
            total = away + price + due(entering, n)
            after = run + 1 if dry >> n & 1 else 0
            if total > points or after > RUN:
                continue
            if flags & HALTS:
                if total < ended.get(n, total + 1):
                    ended[n] = total
                    found.hexes |= 1 << n
                continue
            if n not in costs[after]:
                heappush(queue, (total, after, n))
    return found
