"""Surveys: what every place costs from one start if nobody is in the way.

A survey is made once for a start and a kind of movement and kept. What it knows are the fewest points to every place
and the steps that lie on cheapest ways. When enemies are on the map, a cheapest way that meets none of them still is
one: `Survey.back` finds such a way to one hex, courses.py everything else.

A place is a hex with the run of desert hexes that ends there (5.5b). The places of `a` are hexes off the desert and
desert hexes that are the first of their run; those of `b` are desert hexes that are the second. The start counts as
off the desert.
"""

from __future__ import annotations

from array import array

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.paths.charts import Chart as Rates

from .treks import Starts

Planes = tuple[Mask, ...]
"""A number for each of many places: by bit, the places whose number has it."""

Steps = tuple[tuple[int, int], ...]
"""Places and the price of the step there."""

Backward = tuple[tuple[Hex, int, int, int], ...]
"""Steps into a hex: the hex left, the direction, the price, and whether that hex is desert, or both are."""

BEHIND, BOTH = 1, 2

Found = tuple["Costs", "array[int]", list[int]]
"""What places cost, all hexes with the cheapest first, and by points how many of these they lead to."""

Costs = tuple[bytearray, bytearray, bytearray]
"""By hex, what it costs as a place of a, as one of b, and as the cheaper of them; `NEVER` out of reach."""

NEVER = 255  # more points than anybody has


# For bytes.translate, a digit for every cost: whether it is no more than so many points, or has this bit (`NEVER` is in
# none); and costs of which those from a number on are `NEVER`.
_WITHIN = [b"1" * (most + 1) + b"0" * (NEVER - most) for most in range(NEVER)]
_WITH_BIT = [b"".join(b"%d" % (cost >> bit & 1) for cost in range(NEVER)) + b"0" for bit in range(8)]
_NEVER_FROM = [bytes(range(cost)) + b"\xff" * (NEVER + 1 - cost) for cost in range(NEVER + 1)]


def _set_of(costs: bytearray, digits: bytes) -> Mask:
    """The hexes whose cost is in."""
    return int(costs.translate(digits)[::-1], 2)


def moved(m: Mask, shift: int) -> Mask:
    """All hexes of a set moved by so many bits."""
    return m << shift if shift > 0 else m >> -shift


class Ground:
    """What the steps of one kind of movement cost, and which of them lead where in the desert."""

    __slots__ = (
        "across",
        "backward",
        "dearer",
        "firm",
        "into",
        "order",
        "other",
        "out",
        "prices",
        "rates",
        "sand",
        "shifts",
        "size",
        "steps",
        "surveys",
        "twin",
        "usual",
    )

    def __init__(self, rates: Rates, sand: Mask, usual: int = 0, twin: Ground | None = None) -> None:
        """`usual`: how far surveys go at least. A `twin` is ground on which most steps cost the same."""
        grid = rates.grid
        far = grid.stride
        self.rates = rates
        self.sand = sand
        self.usual = usual
        self.size = size = grid.size
        self.shifts = grid.shift
        self.order = tuple(grid.shift.index(shift) for shift in (1, -1, far - 1, far, 1 - far, -far))
        self.surveys: dict[Hex, Survey] = {}
        width = max(points for row in rates.price for points in row).bit_length()
        self.prices: list[Planes] = [  # by direction: what it costs to leave a hex
            tuple(
                sum(1 << h for h in grid.hexes if rates.leave[d] >> h & 1 and rates.price[d][h] >> bit & 1)
                for bit in range(width)
            )
            for d in range(6)
        ]
        # by direction: the places left by steps inside a, from a to b, and from b to a
        firm = [rates.leave[d] & moved(grid.all & ~sand, -self.shifts[d]) for d in range(6)]
        dry = [rates.leave[d] & moved(sand, -self.shifts[d]) for d in range(6)]
        self.into = [firm[d] | dry[d] & ~sand for d in range(6)]
        self.across = [dry[d] & sand for d in range(6)]
        self.out = [firm[d] & sand for d in range(6)]
        # by place, those of b behind those of a: where steps lead, and their price
        self.steps: list[Steps] = [()] * (2 * size)
        for h in grid.hexes:
            steps = [(n, rates.price[d][h]) for d, n in grid.neighbours[h] if rates.leave[d] >> h & 1]
            self.steps[h] = tuple((n + size if sand >> h & sand >> n & 1 else n, price) for n, price in steps)
            if sand >> h & 1:
                self.steps[h + size] = tuple((n, price) for n, price in steps if not sand >> n & 1)
        # by hex and direction, see `steps_back`: made when they are asked for
        self.backward: list[list[Backward | None]] = [[None] * 7 for _ in range(size)]
        self.firm = bytes(not sand >> h & 1 for h in range(size))  # by hex: off the desert
        self.twin = twin
        self.other = 0  # the hexes that are left in some direction at another price than on the twin
        self.dearer: list[tuple[Hex, Hex, int]] = []  # these steps, and what they cost there, which is less
        if twin is not None:
            self.other = sum(1 << h for h in grid.hexes if self.steps[h] != twin.steps[h])
            for h in grid.hexes:
                for d, n in grid.neighbours[h]:
                    mine, other = rates.price[d][h], twin.rates.price[d][h]
                    if mine != other:
                        if 0 < mine < other or other <= 0:
                            raise ValueError("a twin has no step that costs more")
                        self.dearer.append((h, n, other))

    def explore(self, start: Hex, starts: Starts, points: int) -> Found:
        """All places that so many points lead to if nobody is in the way, step by step.

        No place of b is in it which as one of a costs no more: who has one desert hex behind him can do all that one
        with two can.
        """
        size, steps, firm = self.size, self.steps, self.firm
        beyond = bytes((points + 1,))
        first, second = bytearray(beyond * size), bytearray(beyond * size)  # the fewest points found so far
        order, counts = array("H"), []
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
                if second[h] > spent:
                    order.append(h)
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
                order.append(h)
                for to, price in steps[h + size]:
                    total = spent + price
                    if total < first[to]:
                        first[to] = total
                        due[total].append(to)
            counts.append(len(order))
        never = _NEVER_FROM[points + 1]
        first, second = first.translate(never), second.translate(never)
        least = first
        if dry:
            least = first[:]
            for h in dry:
                least[h] = second[h]
        return (first, second, least), order, counts

    def first_steps(self, h: Hex) -> Steps:
        """The first steps of a move: the start counts as off the desert."""
        return tuple((to % self.size, price) for to, price in self.steps[h])

    def steps_back(self, h: Hex, onward: int) -> Backward:
        """The steps that lead into a hex, one in this direction before the others (-1: none is preferred).

        They are asked for all the time: each stands in memory once, for all directions, and for a twin too.
        """
        if onward >= 0:
            steps = self.backward[h][-1] or self.steps_back(h, -1)
            steps = tuple(sorted(steps, key=lambda step: step[1] != onward))
        else:
            sand, found = self.sand, []
            for n, d, price, _ in self.rates.ways[h]:
                behind, ahead = sand >> n & 1, sand >> h & 1
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
            if self.twin is not None and self.rates.ways[start]:  # out of a box the first step has a price of its own
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

    The costs are enough for one way (`back`); what a course needs besides is made when the first one asks (`charted`).
    """

    __slots__ = (
        "_by",
        "_hexes",
        "_within",
        "across",
        "all_a",
        "all_b",
        "away",
        "box",
        "cost_a",
        "cost_b",
        "costs",
        "counts",
        "dry",
        "first",
        "ground",
        "into",
        "known",
        "order",
        "out",
        "points",
        "start",
        "starts",
    )

    costs: Costs
    order: array[int]
    counts: list[int]
    all_a: Mask
    all_b: Mask
    away: Steps  # first steps
    cost_a: Planes
    cost_b: Planes
    into: list[Mask]  # by direction: the places that a step of a cheapest way leaves
    across: list[Mask]
    out: list[Mask]

    def __init__(self, ground: Ground, start: Hex, starts: Starts, points: int, same: Survey | None = None) -> None:
        """`same`: a survey of other ground on which all places cost the same."""
        self.ground = ground
        self.start = start  # the hex, or the box that the move comes out of
        self.starts = starts
        self.points = points  # how far it goes
        self.known = False  # whether the planes and steps are
        self._hexes: Mask = -1
        self._by: dict[int, Mask] = {}
        self._within: dict[int, tuple[Mask, Mask]] = {}
        found = ground.explore(start, starts, points) if same is None else (same.costs, same.order, same.counts)
        self.costs, self.order, self.counts = found
        self.dry = self.costs[2] is not self.costs[0]  # whether there are places of b
        # 6.3.3c out of a box: the first hexes and their prices
        self.box = {hexes.bit_length() - 1: spent for spent, hexes, _ in starts if spent}
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
            found = self._by[points] = _set_of(self.costs[2], _WITHIN[points])
        return found

    def within(self, points: int) -> tuple[Mask, Mask]:
        """The places that so many points lead to."""
        found = self._within.get(points)
        if found is None:
            a = _set_of(self.costs[0], _WITHIN[points])
            found = self._within[points] = a, _set_of(self.costs[1], _WITHIN[points]) if self.dry else 0
        return found

    def charted(self) -> Survey:
        """The same, with all costs as planes and all steps of cheapest ways."""
        ground, start = self.ground, self.start
        if self.known:
            return self
        self.known = True
        here = 1 << start
        self.all_a, self.all_b = self.within(self.points)
        self.cost_a, self.cost_b = (
            tuple(_set_of(costs, _WITH_BIT[bit]) for bit in range(self.points.bit_length())) for costs in self.costs[:2]
        )
        into = [steps | ground.rates.leave[d] & here for d, steps in enumerate(ground.into)]
        self.into = self._cheapest(into, self.all_a, self.cost_a, self.all_a, self.cost_a)
        self.across = self.out = [0] * 6
        if self.all_b:
            across = [steps & ~here for steps in ground.across]
            self.across = self._cheapest(across, self.all_a, self.cost_a, self.all_b, self.cost_b)
            self.out = self._cheapest(ground.out, self.all_b, self.cost_b, self.all_a, self.cost_a)
        self.away = ground.first_steps(start)
        return self

    def uses(self, h: Hex, n: Hex, price: int) -> bool:
        """Whether a step of this price from a hex to another lies on a cheapest way."""
        a, b, _ = self.costs
        return any(cost != NEVER and cost + price in (a[n], b[n]) for cost in (a[h], b[h]))

    def cost(self, place: int) -> int:
        """What one place costs; those of b stand behind those of a."""
        size = self.ground.size
        return self.costs[0][place] if place < size else self.costs[1][place - size]

    def back(self, h: Hex, shut: Mask) -> tuple[int, list[Hex]] | None:
        """What a hex costs and the hexes entered on a cheapest way there that leaves none of those that are shut,
        found step by step from its end: straight on where that costs no more. None if it runs against them.

        There may be another way then. But a way that is found is the one that a course would choose: it takes the
        same steps in the same order, of those that can be made from places which it can reach; and these are such.
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
        """The way with nobody to meet and no second desert hex in a row: there is less to look at."""
        ground, start, cost = self.ground, self.start, self.costs[0]
        backward, spent, onward, way = ground.backward, cost[h], -1, [h]
        while True:
            for n, d, price, dry in backward[h][onward] or ground.steps_back(h, onward):
                if cost[n] <= spent - price and (dry != BOTH or n == start):
                    if n == start:
                        return way
                    way.append(n)
                    h, onward = n, d
                    spent -= price
                    break
            else:
                return way if self.box and self.first >> h & 1 else None  # 6.3.3c

    def _way_back(self, h: Hex, shut: Mask) -> list[Hex] | None:
        """The way in general."""
        ground, start = self.ground, self.start
        cost_a, cost_b, least = self.costs
        backward, spent, onward, way = ground.backward, least[h], -1, [h]
        second = cost_a[h] > spent
        while True:
            for n, d, price, dry in backward[h][onward] or ground.steps_back(h, onward):
                at = spent - price
                if dry == BOTH and n != start:  # 5.5b from the first desert hex of a run to the second
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
                return way if self.box and self.first >> h & 1 else None  # 6.3.3c
            if n == start:
                return way
            way.append(n)
            h, spent = n, at

    def _cheapest(self, steps: list[Mask], left: Mask, before: Planes, reached: Mask, after: Planes) -> list[Mask]:
        """Of these steps, by direction, those with which the cost before them and their price are the cost after."""
        found = []
        for d in range(6):
            back = -self.ground.shifts[d]
            same = steps[d] & left & moved(reached, back)
            if same:
                prices, carry = self.ground.prices[d], 0
                for bit, mine in enumerate(before):
                    price = prices[bit] if bit < len(prices) else 0
                    odd = mine ^ price
                    same &= ~(odd ^ carry ^ moved(after[bit], back))
                    carry = mine & price | odd & carry
                same &= ~carry
            found.append(same)
        return found
