"""The way to one hex.

Where a cheapest way of the survey meets nobody, it is the way. Otherwise one around whoever is in the way is searched
for from that hex back to the start: what the survey says of a place is the least that it can cost, so that only places
are looked at from which the start could still be made. The way is the one that a search of everything would take.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of

from .charts import Tolls, due
from .surveys import NEVER, Survey


def way_to(
    survey: Survey, h: Hex, points: int, shut: Mask, closed: Mask, stop: Mask, leaving: Tolls, entering: Tolls
) -> tuple[int, list[Hex]] | None:
    """What a hex costs once the start is left and the hexes entered on the way; None if it is out of reach. `shut`: all
    hexes that may not be entered, or where a move stops or pays."""
    cost = survey.costs[2][h]
    if cost > points or closed >> h & 1:
        return None
    if not (entering and due(entering, h)):
        found = survey.back(h, shut)
        if found is not None:
            return found
    detour = Detour(survey, h, points, closed, stop, leaving, entering)
    return (detour.cost, detour.path) if detour.cost >= 0 else None


class Detour:
    """The cheapest way from the start of a survey to one hex, with enemies, zones and markers."""

    __slots__ = ("_entering", "_failed", "_least", "_tolled", "_tolls", "cost", "path", "survey")

    def __init__(
        self, survey: Survey, h: Hex, points: int, closed: Mask, stop: Mask, leaving: Tolls, entering: Tolls
    ) -> None:
        """As `legs.Leg`, but that leaving the start costs nothing besides."""
        self.survey = survey
        # the least that a hex can cost: where nobody may go through, no points are enough
        self._least = least = survey.costs[2][:]
        for n in hexes_of((closed | stop) & survey.hexes & ~(1 << survey.start)):
            least[n] = NEVER
        self._entering = entering
        self._tolls = leaving + entering  # of hexes on the way
        self._tolled = 0
        for _, mask in self._tolls:
            self._tolled |= mask
        self._failed: dict[int, int] = {}
        self.cost = -1  # out of reach
        self.path: list[Hex] = []
        if points >= 0:
            self.cost = self._search(h, min(points, survey.points))
        if self.cost >= 0:
            toll = due(entering, h)
            size = survey.surveyor.size
            path = self._way(h, toll, -1)
            if path is None:
                path = self._way(h + size, toll, -1)
            if path is None:
                raise AssertionError("a hex was reached from nowhere")
            self.path = path

    def _search(self, h: Hex, points: int) -> int:
        """The fewest points to the hex, -1 if they do not suffice.

        From place to place back to the start; next is always the one over which the whole way could be cheapest.
        """
        survey, least, tolls, tolled = self.survey, self._least, self._tolls, self._tolled
        surveyor, start, coming = survey.surveyor, survey.start, survey.coming
        cost_a, _, free = survey.costs
        size, firm, ways = surveyor.size, surveyor.firm, surveyor.chart.ways
        best: dict[int, int] = {}  # by place: what it costs from there, with what entering it costs besides
        queue: dict[int, list[tuple[int, int]]] = {}  # by what the whole way may cost
        toll = due(self._entering, h)
        if toll + free[h] > points:
            return -1
        if toll + cost_a[h] <= points:
            best[h] = toll
            queue[toll + cost_a[h]] = [(h, toll)]
        if not firm[h]:
            best[h + size] = toll
            queue.setdefault(toll + free[h], []).append((h + size, toll))
        while queue:
            total = min(queue)
            places = queue[total]
            while places:
                place, onward = places.pop()
                if place == start:
                    return total
                if best[place] < onward:
                    continue
                second = place >= size
                h = place - size if second else place
                if coming and not second and h in coming and onward + coming[h] <= points:
                    queue.setdefault(onward + coming[h], []).append((start, onward))
                solid = firm[h]
                for n, _, price, _ in ways[h]:
                    more = onward + price
                    if more + least[n] > points:
                        continue
                    if n == start:
                        if not second:
                            queue.setdefault(more, []).append((start, more))
                        continue
                    if tolled and tolled >> n & 1:
                        for toll, mask in tolls:
                            if mask >> n & 1:
                                more += toll
                    if firm[n]:
                        if not second:
                            at = more + cost_a[n]
                            if at <= points and more < best.get(n, NEVER):
                                best[n] = more
                                queue.setdefault(at if at > total else total, []).append((n, more))
                        continue
                    if second or solid:
                        at = more + cost_a[n]
                        if at <= points and more < best.get(n, NEVER):
                            best[n] = more
                            queue.setdefault(at if at > total else total, []).append((n, more))
                    if solid:
                        # the second dry hex of a run: no survey knows it where the first would cost no more
                        at = more + least[n]
                        if at <= points and more < best.get(n + size, NEVER):
                            best[n + size] = more
                            queue.setdefault(at if at > total else total, []).append((n + size, more))
            del queue[total]
        return -1

    def _way(self, place: int, spent: int, ahead: int) -> list[Hex] | None:
        """The hexes entered up to a place from which so much is spent to the end; None if the way costs more then.

        A step in the same direction as the next one is taken before any other.
        """
        survey, cost, least = self.survey, self.cost, self._least
        surveyor, start = survey.surveyor, survey.start
        size, firm, chart = surveyor.size, surveyor.firm, surveyor.chart
        second = place >= size
        h = place - size if second else place
        solid = firm[h]
        for n, d, price, _ in chart.ways[h] if ahead < 0 else chart.straight(h, ahead):
            more = spent + price
            if n == start:
                if more == cost and not second:
                    return [h]
                continue
            left = cost - more
            if left < least[n]:
                continue
            if self._tolled >> n & 1:
                tolls = sum([toll for toll, mask in self._tolls if mask >> n & 1])
                more += tolls
                left -= tolls
                if left < 0:
                    continue
            for last in (n, n + size):
                if last == n:
                    if second if firm[n] else not (second or solid):
                        continue
                elif second or not solid or firm[n]:
                    continue
                if left > self._failed.get(last, -1):
                    way = self._way(last, more, d)
                    if way is not None:
                        way.append(h)
                        return way
                    self._failed[last] = left
        if not second and spent + survey.coming.get(h, NEVER) == cost:
            return [h]
        return None
