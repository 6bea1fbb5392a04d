"""Everywhere that a move can lead, read off a survey.

When enemies are on the map, a cheapest way that meets none of them still is one. A spread finds the places at the end
of such ways by going along the steps that its survey knows, whole sets at once, and searches place by place for the
few that are left: those for which somebody is in the way.

Places are those of surveys.py.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of

from . import swift
from .charts import Tolls, due
from .detours import way_to
from .surveys import NEVER, Planes, Survey, moved, set_within


def within(numbers: Planes, places: Mask, most: int) -> Mask:
    """Those of these places whose number is not above `most`."""
    if most >> len(numbers):
        return places
    found = 0
    for bit in range(len(numbers) - 1, -1, -1):
        if most >> bit & 1:
            found |= places & ~numbers[bit]
            places &= numbers[bit]
        else:
            places &= ~numbers[bit]
    return found | places


def lowest(numbers: Planes, places: Mask) -> int:
    """The lowest number of these places."""
    found = 0
    for bit in range(len(numbers) - 1, -1, -1):
        lower = places & ~numbers[bit]
        if lower:
            places = lower
        else:
            found |= 1 << bit
    return found


def _tolled(tolls: Tolls) -> Mask:
    """All hexes with a toll."""
    found = 0
    for _, mask in tolls:
        found |= mask
    return found


def spread(
    survey: Survey,
    points: int,
    closed: Mask,
    stop: Mask,
    leaving: Tolls,
    entering: Tolls,
    wider: Spread | None = None,
) -> Spread:
    """Where one move can lead: one of the last that were asked for from this start, if nothing has changed and it goes
    far enough."""
    for kept in survey.kept:
        if kept.closed == closed and kept.stop == stop and kept.leaving == leaving and kept.entering == entering:
            if kept.left + kept.away >= points:
                found: Spread = kept
                return found
            break
    if swift.flood is not None:
        found = Flooded(survey, points, closed, stop, leaving, entering)
    else:
        found = Spread(survey, points, closed, stop, leaving, entering, wider)
    survey.kept = (found, *survey.kept[:1])
    return found


class Spread:
    """Where one move can lead. What it costs and how to get there is asked for one hex at a time."""

    __slots__ = ("a", "away", "b", "closed", "entering", "found", "hexes", "leaving", "left", "shut", "stop", "survey")

    def __init__(
        self,
        survey: Survey,
        points: int,
        closed: Mask,
        stop: Mask,
        leaving: Tolls,
        entering: Tolls,
        wider: Spread | None = None,
    ) -> None:
        """As `legs.Leg`. `wider`: a spread from the same start with no fewer points, on which nothing is different but
        that the places to stop in and those with a toll for leaving were closed too."""
        start = survey.charted().start
        self.survey = survey
        self.closed = closed
        self.stop = stop
        self.leaving = leaving
        self.entering = entering
        self.found: dict[int, int] = {}  # places that do not cost what the survey says; those of b behind those of a
        self.away = due(leaving, start)  # what it costs to leave the start
        self.left = left = points - self.away
        others = ~(1 << start)
        tolled = _tolled(entering)
        self.shut = shut = (
            closed | stop | _tolled(leaving) | tolled
        ) & others  # cheapest ways of the survey end here at the latest
        if left < 0:
            self.a, self.b = survey.all_a & ~others, 0
        else:
            self.a, self.b = survey.within(left)
            if shut & (self.a | self.b):
                a, b = self._along(wider)
                closed &= others
                never = ~(closed | tolled & others)
                self.a &= a & never
                self.b &= b & never
                self._search(closed, wider)
        self.hexes = self.a | self.b
        if self.found:
            size = survey.surveyor.size
            for place in self.found:
                self.hexes |= 1 << (place if place < size else place - size)

    # What the survey knows

    def _along(self, wider: Spread | None) -> tuple[Mask, Mask]:
        """The places that cheapest ways of the survey lead to, as far as nothing is shut."""
        survey, shut = self.survey, self.shut
        surveyor = survey.surveyor
        if wider is None:  # up to the cost of the first place that is shut, there is nobody to meet
            met_a, met_b = survey.all_a & shut, survey.all_b & shut
            most = lowest(survey.cost_a, met_a) if met_a else NEVER
            if met_b:
                most = min(most, lowest(survey.cost_b, met_b))
            a = within(survey.cost_a, survey.all_a, most) | survey.first
            b = within(survey.cost_b, survey.all_b, most) if survey.all_b else 0
        else:
            a, b = wider.a, wider.b
        far = surveyor.chart.grid.stride
        near = far - 1
        free = ~shut
        ahead, back, near_down, far_down, near_up, far_up = [
            steps ^ steps & shut for steps in map(survey.into.__getitem__, surveyor.order)
        ]
        while True:
            while True:
                last = a
                # each direction goes on from what the one before it has added: fewer rounds than there are steps
                a |= (a & ahead) << 1
                a |= (a & back) >> 1
                a |= (a & near_down) << near
                a |= (a & far_down) << far
                a |= (a & near_up) >> near
                a |= (a & far_up) >> far
                if a == last:
                    break
            if not survey.all_b:
                return a, 0
            if survey.all_b & ~b:
                dry = a & free
                for d, shift in enumerate(surveyor.shifts):
                    b |= moved(dry & survey.across[d], shift)
            dry = b & free
            for d, shift in enumerate(surveyor.shifts):
                a |= moved(dry & survey.out[d], shift)
            if a == last:
                return a, b

    # What is otherwise than in the survey

    def _search(self, closed: Mask, wider: Spread | None) -> None:
        """The places for which somebody is in the way, one by one."""
        survey, left, stop = self.survey, self.left, self.stop
        surveyor = survey.surveyor
        size, cost_a, cost_b = surveyor.size, survey.costs[0], survey.costs[1]
        rest_a, rest_b = survey.within(left)
        rest_a &= ~(self.a | closed)
        rest_b = (rest_b & ~closed | rest_a & surveyor.dry) & ~self.b
        if not rest_a and not rest_b:
            return
        near = (self.a | self.b | rest_a | rest_b) & ~stop & ~(1 << survey.start)
        tolls = tuple([toll for toll in self.leaving if toll[1] & near])
        if wider is not None and not tolls:  # who may not go on from where it was closed finds nothing else there
            for place, spent in wider.found.items():
                if spent <= left:
                    self.found[place] = spent
            rest_a &= stop
            rest_b &= stop
        rest = rest_a | rest_b
        dilate = surveyor.chart.grid.dilate
        # where ways of the survey are left
        edge = [(h, cost_a[h]) for h in hexes_of(self.a & ~(stop & self.shut) & dilate(rest))]
        if self.b and rest_a:
            edge += [(h + size, cost_b[h]) for h in hexes_of(self.b & ~stop & dilate(rest_a))]
        edge += self.found.items()
        best = bytearray(2 * size)  # by place: what it costs at most so far; nothing leads to those that are not wanted
        more = left + 1
        for h in hexes_of(rest_a):
            best[h] = more
        for h in hexes_of(rest_b):
            best[h + size] = more
        for place, spent in self.found.items():
            if best[place]:
                best[place] = spent
        halts = set(hexes_of(stop & rest))
        paid = {h: toll for toll, mask in self.entering for h in hexes_of(mask & rest)}
        for spent, hexes, _ in survey.starts:
            if spent and hexes & rest_a:  # onto the map
                h = hexes.bit_length() - 1
                spent += paid.get(h, 0)
                if spent <= left:
                    self.found[h] = best[h] = spent
                    if h not in halts:
                        edge.append((h, spent))
        if tolls or paid:
            self._go_on_paying(edge, best, halts, tolls, paid)
        else:
            self._go_on(edge, best, halts)

    def _go_on(self, edge: list[tuple[int, int]], best: bytearray, halts: set[Hex]) -> None:
        """On from the edge, places and their costs, to those that are wanted, but not on from where it halts."""
        survey, found = self.survey, self.found
        start, steps, size = survey.start, survey.surveyor.steps, survey.surveyor.size
        for place, spent in edge:  # which grows meanwhile
            if spent > best[place] > 0:
                continue
            for to, price in steps[place] if place != start else survey.away:
                total = spent + price
                if total < best[to]:
                    found[to] = best[to] = total
                    if (to if to < size else to - size) not in halts:
                        edge.append((to, total))

    def _go_on_paying(
        self, edge: list[tuple[int, int]], best: bytearray, halts: set[Hex], tolls: Tolls, paid: dict[Hex, int]
    ) -> None:
        """The same where leaving or entering costs something besides."""
        survey, found = self.survey, self.found
        start, steps, size = survey.start, survey.surveyor.steps, survey.surveyor.size
        away = {h: toll for toll, mask in tolls for h in hexes_of(mask & survey.hexes)}
        for place, spent in edge:  # which grows meanwhile
            if spent > best[place] > 0:
                continue
            if place != start:
                spent += away.get(place if place < size else place - size, 0)
            for to, price in steps[place] if place != start else survey.away:
                total = spent + price
                if total < best[to]:
                    h = to if to < size else to - size
                    total += paid.get(h, 0)
                    if total < best[to]:
                        found[to] = best[to] = total
                        if h not in halts:
                            edge.append((to, total))

    # Answers

    def within(self, points: int) -> Mask:
        left = points - self.away
        if left >= self.left:
            return self.hexes
        if left < 0:
            return self.a & 1 << self.survey.start
        a, b = self.survey.within(left)
        found = self.a & a | self.b & b
        size = self.survey.surveyor.size
        for place, spent in self.found.items():
            if spent <= left:
                found |= 1 << (place if place < size else place - size)
        return found

    def cost(self, h: Hex) -> int:
        if h == self.survey.start:
            return 0
        return self._way(h)[0] if self.hexes >> h & 1 else -1

    def path(self, h: Hex) -> list[Hex]:
        return self._way(h)[1] if self.hexes >> h & 1 and h != self.survey.start else []

    def halts(self, h: Hex) -> bool:
        return False

    def _way(self, h: Hex) -> tuple[int, list[Hex]]:
        found = way_to(self.survey, h, self.left, self.shut, self.closed, self.stop, self.leaving, self.entering)
        if found is None:
            raise AssertionError("a hex was reached from nowhere")
        return found[0] + self.away, found[1]


class Flooded(Spread):
    """The same where the kernel is compiled: everything is searched for, and what it costs is known."""

    __slots__ = ("_terms", "costs", "first", "second")

    def __init__(self, survey: Survey, points: int, closed: Mask, stop: Mask, leaving: Tolls, entering: Tolls) -> None:
        start, surveyor = survey.start, survey.surveyor
        self.survey = survey
        self.closed = closed
        self.stop = stop
        self.leaving = leaving
        self.entering = entering
        self.away = due(leaving, start)
        self.left = left = points - self.away
        there = surveyor.chart.grid.all if left >= 0 else 0
        self._terms = (stop & there, leaving, entering) if left >= 0 else (0, (), ())
        assert swift.flood is not None
        self.hexes, self.first, self.second, self.costs = swift.flood(
            *surveyor.ground, start, survey.starts, max(left, 0), closed & there, *self._terms
        )

    def within(self, points: int) -> Mask:
        left = points - self.away
        return self.hexes if left >= self.left else set_within(self.costs, max(left, 0))

    def cost(self, h: Hex) -> int:
        if h == self.survey.start:
            return 0
        spent = self.costs[h]
        return spent + self.away if spent != NEVER else -1

    def path(self, h: Hex) -> list[Hex]:
        if not self.hexes >> h & 1 or h == self.survey.start:
            return []
        start, ground = self.survey.start, self.survey.surveyor.ground
        if swift.trace is None or not self.survey.surveyor.ordered:
            self.shut = (self.closed | self.stop | _tolled(self.leaving) | _tolled(self.entering)) & ~(1 << start)
            return self._way(h)[1]
        return swift.trace(*ground, start, self.first, self.second, *self._terms, h)
