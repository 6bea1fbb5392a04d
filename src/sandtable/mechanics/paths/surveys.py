"""Surveys: what every place costs from one start if nobody is in the way.

A survey is made once for a chart and a start, and kept. It knows the fewest points to every place and the steps that
lie on cheapest ways. When enemies are on the map, a cheapest way that meets none of them still is one: `Survey.back`
finds such a way to one hex, spreads.py everything else. So surveys pay on large maps, where most moves meet nobody.

A place is a hex with the run of dry hexes that ends there. The places of `a` are hexes that are not dry and dry hexes
that are the first of their run; those of `b` are dry hexes that are the second. The start counts as not dry.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.hexes import Hex, Mask, hexes_of, opposite

from . import swift
from .charts import Chart, Starts

Planes = tuple[Mask, ...]
"""A number for each of many places: by bit, the places whose number has it."""

Steps = tuple[tuple[int, int], ...]
"""Places and the price of the step there."""

Backward = tuple[tuple[Hex, int, int, int], ...]
"""Steps into a hex: the hex left, the direction, the price, and whether that hex is dry, or both are."""

BEHIND, BOTH = 1, 2

Costs = tuple[bytearray, bytearray, bytearray]
"""By hex, what it costs as a place of a, as one of b, and as the cheaper of them; `NEVER` out of reach."""

NEVER = 255  # more points than anybody has


# For bytes.translate, a digit for every cost: whether it is no more than so many points, or has this bit (`NEVER` is in
# none); and costs of which those from a number on are `NEVER`.
_WITHIN = [b"1" * (most + 1) + b"0" * (NEVER - most) for most in range(NEVER)]
_WITH_BIT = [b"".join(b"%d" % (cost >> bit & 1) for cost in range(NEVER)) + b"0" for bit in range(8)]
_NEVER_FROM = [bytes(range(cost)) + b"\xff" * (NEVER + 1 - cost) for cost in range(NEVER + 1)]


def _set_of(costs: bytes | bytearray, digits: bytes) -> Mask:
    """The hexes whose cost is in."""
    return int(costs.translate(digits)[::-1], 2)


def set_within(costs: bytes | bytearray, points: int) -> Mask:
    """The hexes that cost no more than so many points."""
    return _set_of(costs, _WITHIN[points]) if swift.within is None else swift.within(costs, points)


def moved(m: Mask, shift: int) -> Mask:
    """All hexes of a set moved by so many bits."""
    return m << shift if shift > 0 else m >> -shift


class Surveyor:
    """Makes surveys of one chart, and keeps them."""

    __slots__ = (
        "across",
        "backward",
        "chart",
        "dearer",
        "dry",
        "firm",
        "ground",
        "into",
        "order",
        "ordered",
        "other",
        "out",
        "prices",
        "shifts",
        "size",
        "steps",
        "surveys",
        "twin",
        "usual",
    )

    def __init__(self, chart: Chart, usual: int = 0, twin: Surveyor | None = None) -> None:
        """`usual`: how far surveys go at least. A `twin` has a chart on which most steps cost the same, none more."""
        grid = chart.grid
        far = grid.stride
        self.chart = chart
        self.dry = dry = chart.dry
        self.usual = usual
        self.size = size = grid.size
        self.shifts = grid.shift
        self.order = tuple(grid.shift.index(shift) for shift in (1, -1, far - 1, far, 1 - far, -far))
        self.surveys: dict[Hex, Survey] = {}  # as many as the map has hexes
        width = max(points for row in chart.price for points in row).bit_length()
        self.prices: list[Planes] = [  # by direction: what it costs to leave a hex
            tuple(
                sum(1 << h for h in grid.hexes if chart.leave[d] >> h & 1 and chart.price[d][h] >> bit & 1)
                for bit in range(width)
            )
            for d in range(6)
        ]
        # by direction: the places left by steps inside a, from a to b, and from b to a
        onto_firm = [chart.leave[d] & moved(grid.all & ~dry, -self.shifts[d]) for d in range(6)]
        onto_dry = [chart.leave[d] & moved(dry, -self.shifts[d]) for d in range(6)]
        self.into = [onto_firm[d] | onto_dry[d] & ~dry for d in range(6)]
        self.across = [onto_dry[d] & dry for d in range(6)]
        self.out = [onto_firm[d] & dry for d in range(6)]
        # by place, those of b behind those of a: where steps lead, and their price
        self.steps: list[Steps] = [()] * (2 * size)
        for h in grid.hexes:
            steps = [(n, chart.price[d][h]) for d, n in grid.neighbours[h] if chart.leave[d] >> h & 1]
            self.steps[h] = tuple((n + size if dry >> h & dry >> n & 1 else n, price) for n, price in steps)
            if dry >> h & 1:
                self.steps[h + size] = tuple((n, price) for n, price in steps if not dry >> n & 1)
        # by hex and direction, see `steps_back`: made when they are asked for
        self.backward: list[list[Backward | None]] = [[None] * 7 for _ in range(size)]
        self.firm = bytes(not dry >> h & 1 for h in range(size))  # by hex: not dry
        # for `swift`: the directions in the order in which the steps into a hex stand in the chart
        places = {h: place for place, h in enumerate(grid.hexes)}
        middle = max(grid.hexes, key=lambda h: len(grid.neighbours[h]))
        order = [opposite(d) for d, n in sorted(grid.neighbours[middle], key=lambda side: places[side[1]])]
        order += [d for d in range(6) if d not in order]
        prices = bytes(max(chart.price[d][h], 0) for h in range(size) for d in order)
        self.ground = tuple(grid.shift[d] for d in order), prices, self.firm
        ranks = ([order.index(d) for _, d, _, _ in ways] for ways in chart.ways)
        self.ordered = all(rank == sorted(rank) for rank in ranks)  # whether they stand so everywhere
        self.twin = twin
        self.other = 0  # the hexes that are left in some direction at another price than on the twin
        self.dearer: list[tuple[Hex, Hex, int]] = []  # these steps, and what they cost there, which is less
        if twin is not None:
            self.other = sum(1 << h for h in grid.hexes if self.steps[h] != twin.steps[h])
            for h in grid.hexes:
                for d, n in grid.neighbours[h]:
                    mine, other = chart.price[d][h], twin.chart.price[d][h]
                    if mine != other:
                        if 0 < mine < other or other <= 0:
                            raise ValueError("a twin has no step that costs more")
                        self.dearer.append((h, n, other))

    def explore(self, start: Hex, starts: Starts, points: int) -> Costs:
        """All places that so many points lead to if nobody is in the way, step by step.

        No place of b is in it which as one of a costs no more: who has one dry hex behind him can do all that one with
        two can.
        """
        if swift.flood is not None:
            _, a, b, cheaper = swift.flood(*self.ground, start, starts, points, 0, 0, (), ())
            return a, b, cheaper
        size, steps, firm = self.size, self.steps, self.firm
        beyond = bytes((points + 1,))
        first, second = bytearray(beyond * size), bytearray(beyond * size)  # the fewest points found so far
        due: list[list[Hex]] = [[] for _ in range(points + 1)]  # by points: places of a that they lead to, if not fewer
        due_second: dict[int, list[Hex]] = {}  # the same of b
        dry: list[Hex] = []  # the places of b
        for spent, hexes, _ in starts:
            for h in hexes_of(hexes):
                if spent < first[h]:
                    first[h] = spent
                    due[spent].append(h)
        for spent, places in enumerate(due):
            for h in places:
                if first[h] != spent:
                    continue
                if h == start or firm[h]:
                    for to, price in steps[h] if h != start else self.first_steps(h):
                        total = spent + price
                        if total < first[to]:
                            first[to] = total
                            due[total].append(to)
                    continue
                for to, price in steps[h]:
                    total = spent + price
                    if to >= size:
                        if total < second[to - size]:
                            due_second.setdefault(total, []).append(to - size)
                    elif total < first[to]:
                        first[to] = total
                        due[total].append(to)
            for h in due_second.get(spent, ()):
                if first[h] <= spent or second[h] <= spent:
                    continue
                second[h] = spent
                dry.append(h)
                for to, price in steps[h + size]:
                    total = spent + price
                    if total < first[to]:
                        first[to] = total
                        due[total].append(to)
        never = _NEVER_FROM[points + 1]
        first, second = first.translate(never), second.translate(never)
        least = first
        if dry:
            least = first[:]
            for h in dry:
                least[h] = second[h]
        return first, second, least

    def first_steps(self, h: Hex) -> Steps:
        """The first steps of a move: the start counts as not dry."""
        return tuple((to % self.size, price) for to, price in self.steps[h])

    def steps_back(self, h: Hex, onward: int) -> Backward:
        """The steps that lead into a hex, one in this direction before the others (-1: none is preferred).

        They are asked for all the time: each stands in memory once, for all directions, and for a twin too.
        """
        if onward >= 0:
            steps = self.backward[h][-1] or self.steps_back(h, -1)
            steps = tuple(sorted(steps, key=lambda step: step[1] != onward))
        else:
            dry, found = self.dry, []
            for n, d, price, _ in self.chart.ways[h]:
                behind, ahead = dry >> n & 1, dry >> h & 1
                found.append((n, d, price, BOTH if behind and ahead else BEHIND if behind else 0))
            steps = tuple(found)
        if self.twin is not None:
            same = self.twin.backward[h][onward] or self.twin.steps_back(h, onward)
            if same == steps:
                steps = same
        self.backward[h][onward] = steps
        return steps

    def survey(self, start: Hex, starts: Starts, points: int) -> Survey:
        """What places cost from this start, as far as so many points lead at least."""
        found = self.surveys.get(start)
        if found is None or found.points < points:
            if self.twin is not None and self.chart.ways[start]:  # onto the map the first step has a price of its own
                found = self.twin.survey(start, starts, points)
                if not found.hexes & self.other:
                    self.surveys[start] = found
                    return found
                if not any(found.uses(*step) for step in self.dearer):  # all that is cheapest there is so here
                    found = self.surveys[start] = Survey(self, start, starts, found.points, found)
                    return found
            found = self.surveys[start] = Survey(self, start, starts, max(points, self.usual))
        return found


class Survey:
    """What every place costs from one start if nobody is in the way, and the steps of cheapest ways.

    The costs are enough for one way (`back`); what a spread needs besides is made when the first one asks (`charted`).
    """

    __slots__ = (
        "_by",
        "_hexes",
        "_within",
        "across",
        "all_a",
        "all_b",
        "away",
        "coming",
        "cost_a",
        "cost_b",
        "costs",
        "dry",
        "first",
        "into",
        "kept",
        "known",
        "out",
        "points",
        "start",
        "starts",
        "surveyor",
    )

    costs: Costs
    all_a: Mask
    all_b: Mask
    away: Steps  # first steps
    cost_a: Planes
    cost_b: Planes
    into: list[Mask]  # by direction: the places that a step of a cheapest way leaves
    across: list[Mask]
    out: list[Mask]

    def __init__(self, surveyor: Surveyor, start: Hex, starts: Starts, points: int, same: Survey | None = None) -> None:
        """`same`: a survey of another chart on which all places cost the same."""
        self.surveyor = surveyor
        self.start = start  # the hex, or the place off the map that the move comes from
        self.starts = starts
        self.points = points  # how far it goes
        self.known = False  # whether the planes and steps are
        self.kept: tuple[Any, ...] = ()  # the last spreads: the same ones are asked for again by others from this start
        self._hexes: Mask = -1
        self._by: dict[int, Mask] = {}
        self._within: dict[int, tuple[Mask, Mask]] = {}
        self.costs = surveyor.explore(start, starts, points) if same is None else same.costs
        self.dry = self.costs[2] is not self.costs[0]  # whether there are places of b
        # onto the map: the first hexes and their prices
        self.coming = {hexes.bit_length() - 1: spent for spent, hexes, _ in starts if spent}
        self.first = 0  # the places where cheapest ways begin
        for spent, hexes, _ in starts:
            for h in hexes_of(hexes):
                if self.costs[0][h] == spent:
                    self.first |= 1 << h

    @property
    def hexes(self) -> Mask:
        """All of them."""
        found = self._hexes
        if found < 0:
            found = self._hexes = self.by(self.points)
        return found

    def by(self, points: int) -> Mask:
        """The hexes that so many points lead to."""
        found = self._by.get(points)
        if found is None:
            found = self._by[points] = set_within(self.costs[2], points)
        return found

    def within(self, points: int) -> tuple[Mask, Mask]:
        """The places that so many points lead to."""
        found = self._within.get(points)
        if found is None:
            a = set_within(self.costs[0], points)
            found = self._within[points] = a, set_within(self.costs[1], points) if self.dry else 0
        return found

    def charted(self) -> Survey:
        """The same, with all costs as planes and all steps of cheapest ways."""
        surveyor, start = self.surveyor, self.start
        if self.known:
            return self
        self.known = True
        here = 1 << start
        self.all_a, self.all_b = self.within(self.points)
        self.cost_a, self.cost_b = (
            tuple(_set_of(costs, _WITH_BIT[bit]) for bit in range(self.points.bit_length())) for costs in self.costs[:2]
        )
        into = [steps | surveyor.chart.leave[d] & here for d, steps in enumerate(surveyor.into)]
        self.into = self._cheapest(into, self.all_a, self.cost_a, self.all_a, self.cost_a)
        self.across = self.out = [0] * 6
        if self.all_b:
            across = [steps & ~here for steps in surveyor.across]
            self.across = self._cheapest(across, self.all_a, self.cost_a, self.all_b, self.cost_b)
            self.out = self._cheapest(surveyor.out, self.all_b, self.cost_b, self.all_a, self.cost_a)
        self.away = surveyor.first_steps(start)
        return self

    def uses(self, h: Hex, n: Hex, price: int) -> bool:
        """Whether a step of this price from a hex to another lies on a cheapest way."""
        a, b, _ = self.costs
        return any(cost != NEVER and cost + price in (a[n], b[n]) for cost in (a[h], b[h]))

    def cost(self, place: int) -> int:
        """What one place costs; those of b stand behind those of a."""
        size = self.surveyor.size
        return self.costs[0][place] if place < size else self.costs[1][place - size]

    def back(self, h: Hex, shut: Mask) -> tuple[int, list[Hex]] | None:
        """What a hex costs and the hexes entered on a cheapest way there that leaves none of those that are shut,
        found step by step from its end: straight on where that costs no more. None if it runs against them.

        There may be another way then (detours.py). But a way that is found is the one that a search of everything would
        choose: it takes the same steps in the same order, of those that can be made from places which it can reach; and
        these are such.
        """
        cost = self.costs[2][h]
        if cost == NEVER:
            return None
        way = self._way_back(h, shut) if shut or self.dry else self._free_way_back(h)
        if way is None:
            return None
        way.reverse()
        return cost, way

    def _free_way_back(self, h: Hex) -> list[Hex] | None:
        """The way with nobody to meet and no second dry hex in a row: there is less to look at."""
        surveyor, start, cost = self.surveyor, self.start, self.costs[0]
        backward, spent, onward, way = surveyor.backward, cost[h], -1, [h]
        while True:
            for n, d, price, dry in backward[h][onward] or surveyor.steps_back(h, onward):
                if cost[n] <= spent - price and (dry != BOTH or n == start):
                    if n == start:
                        return way
                    way.append(n)
                    h, onward = n, d
                    spent -= price
                    break
            else:
                return way if self.coming and self.first >> h & 1 else None

    def _way_back(self, h: Hex, shut: Mask) -> list[Hex] | None:
        """The way in general."""
        surveyor, start = self.surveyor, self.start
        cost_a, cost_b, least = self.costs
        backward, spent, onward, way = surveyor.backward, least[h], -1, [h]
        second = cost_a[h] > spent
        while True:
            for n, d, price, dry in backward[h][onward] or surveyor.steps_back(h, onward):
                at = spent - price
                if dry == BOTH and n != start:  # from the first dry hex of a run to the second
                    if second and cost_a[n] <= at and not shut >> n & 1:
                        second, onward = False, d
                        break
                elif not second:
                    if cost_a[n] <= at:
                        if not shut >> n & 1:
                            onward = d
                            break
                    elif dry == BEHIND and cost_b[n] <= at and not shut >> n & 1:
                        second, onward = True, d
                        break
            else:
                return way if self.coming and self.first >> h & 1 else None
            if n == start:
                return way
            way.append(n)
            h, spent = n, at

    def _cheapest(self, steps: list[Mask], left: Mask, before: Planes, reached: Mask, after: Planes) -> list[Mask]:
        """Of these steps, by direction, those with which the cost before them and their price are the cost after."""
        found = []
        for d in range(6):
            back = -self.surveyor.shifts[d]
            same = steps[d] & left & moved(reached, back)
            if same:
                prices, carry = self.surveyor.prices[d], 0
                for bit, mine in enumerate(before):
                    price = prices[bit] if bit < len(prices) else 0
                    odd = mine ^ price
                    same &= ~(odd ^ carry ^ moved(after[bit], back))
                    carry = mine & price | odd & carry
                same &= ~carry
            found.append(same)
        return found
