"""Surveys: what every place costs from one start if nobody is in the way.

A survey is made once for a start and a kind of movement and kept. What it knows are the fewest points to every place
and the steps that lie on cheapest ways. When enemies are on the map, a cheapest way that meets none of them still is
one: `Survey.back` finds such a way to one hex, courses.py everything else.

A place is a hex with the run of desert hexes that ends there (5.5b). The places of `a` are hexes off the desert and
desert hexes that are the first of their run; those of `b` are desert hexes that are the second. The start counts as
off the desert.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from sandtable.engine.hexes import Hex, Mask, Sides, hexes_of
from sandtable.mechanics.lines import first_with
from sandtable.mechanics.marching import Rates

from .treks import Starts

Planes = tuple[Mask, ...]
"""A number for each of many places: by bit, the places whose number has it."""

Steps = tuple[tuple[int, int], ...]
"""Places and the price of the step there."""

Backward = tuple[tuple[Hex, int, int, int], ...]
"""Steps into a hex: the hex left, the direction, the price, and whether that hex is desert, or both are."""

BEHIND, BOTH = 1, 2

Costs = tuple[bytearray, bytes | bytearray, bytearray]
"""By hex, what it costs as a place of a, as one of b, and as the cheaper of them; `NEVER` out of reach."""

NEVER = 255  # more points than anybody has


def moved(m: Mask, shift: int) -> Mask:
    """All hexes of a set moved by so many bits."""
    return m << shift if shift > 0 else m >> -shift


class Ground:
    """What the steps of one kind of movement cost, and which of them lead where in the desert."""

    __slots__ = (
        "across",
        "backward",
        "dearer",
        "entries",
        "into",
        "nowhere",
        "order",
        "other",
        "out",
        "prices",
        "rates",
        "sand",
        "shifts",
        "sides",
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
        self.nowhere = b"\xff" * size
        self._sort_entries()
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

    def _sort_entries(self) -> None:
        """What most hexes cost from everywhere, and what some cost from some sides.

        A hex that can be entered from all the land around it has its highest price for all sides: who comes by a road
        has it for less besides, and the lesser counts.
        """
        rates, grid = self.rates, self.rates.grid
        land = sum(1 << h for h in grid.hexes if rates.exits[h] or rates.ways[h])
        entries: dict[int, Mask] = {}
        sides: dict[int, list[Mask]] = {}
        for h in grid.hexes:
            ways = rates.ways[h]
            highest = NEVER
            if ways and len(ways) == sum(land >> n & 1 for _, n in grid.neighbours[h]):
                highest = max(price for _, _, price, _ in ways)
                entries[highest] = entries.get(highest, 0) | 1 << h
            for _, d, price, _ in ways:
                if price < highest:
                    sides.setdefault(price, [0] * 6)[d] |= 1 << h
        self.entries = tuple(sorted(entries.items()))  # price and hexes
        self.sides: tuple[tuple[int, Mask, Sides], ...] = (
            tuple(  # price, where such steps begin, where they end by shift
                (
                    price,
                    reduce(or_, (moved(into[d], -self.shifts[d]) for d in range(6))),
                    tuple(into[d] for d in rates.order),
                )
                for price, into in sorted(sides.items())
            )
        )

    def explore(self, start: Hex, starts: Starts, points: int) -> tuple[list[Mask], list[Mask]]:
        """By points, all places of a and of b that so many lead to if nobody is in the way.

        No place of b is in it which as one of a costs no more: who has one desert hex behind him can do all that one
        with two can.
        """
        grid = self.rates.grid
        here = 1 << start
        sand = self.sand & ~here
        left_a, left_b = grid.all & ~here, sand  # what is not yet settled
        due_a, due_b = [0] * (points + 1), [0] * (points + 1)
        for spent, hexes, _ in starts:
            if spent <= points:
                due_a[spent] |= hexes
        if due_a[0] and not self.rates.exits[start]:
            return [here] * (points + 1), due_b
        by_a, by_b = [], []
        all_a = all_b = 0
        near = grid.stride - 1
        entries, sides = self.entries, self.sides
        last = points - self.rates.least
        for spent in range(points + 1):
            front = due_a[spent]
            if front:
                if spent:
                    front &= left_a
                all_a |= front
                left_a &= ~front
                left_b &= ~front
            second = due_b[spent]
            if second:
                second &= left_b
                all_b |= second
                left_b ^= second
            by_a.append(all_a)
            by_b.append(all_b)
            if spent > last:
                continue
            first = front & sand
            for run, left in enumerate((front ^ first, first, second)):
                if not left:
                    continue
                b, c, e, f = left >> near, left >> 1, left << 1, left << near
                a, g = c >> near, e << near
                around = a | b | c | e | f | g
                onward = around & left_a if not run else around & left_a & ~sand
                across = around & left_b if run == 1 else 0
                for price, hexes in entries:
                    at = spent + price
                    if at > points:
                        break
                    due_a[at] |= onward & hexes
                    if across:
                        due_b[at] |= across & hexes
                for price, leave, into in sides:
                    if left & leave:
                        at = spent + price
                        if at > points:
                            break
                        m, n, o, p, q, r = into
                        hit = a & m | b & n | c & o | e & p | f & q | g & r
                        if not run:
                            due_a[at] |= hit
                        else:
                            due_a[at] |= hit & ~sand
                            if run == 1:
                                due_b[at] |= hit & sand
        return by_a, by_b

    def steps_back(self, h: Hex, onward: int) -> Backward:
        """The steps that lead into a hex, one in this direction before the others (-1: none is preferred)."""
        sand = self.sand
        found = []
        for n, d, price, _ in self.rates.ways[h] if onward < 0 else self.rates.straight(h, onward):
            behind, ahead = sand >> n & 1, sand >> h & 1
            found.append((n, d, price, BOTH if behind and ahead else BEHIND if behind else 0))
        self.backward[h][onward] = steps = tuple(found)
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


def _numbers(reached: list[Mask]) -> Planes:
    """For each place the number of the first of these sets, each of which holds the one before, that it is in."""
    planes = [0] * (len(reached) - 1).bit_length()
    last = 0
    for number, places in enumerate(reached):
        layer = places ^ last
        if layer:
            last = places
            for bit in range(number.bit_length()):
                if number >> bit & 1:
                    planes[bit] |= layer
    return tuple(planes)


class Survey:
    """What every place costs from one start if nobody is in the way, and the steps of cheapest ways.

    `by_a` and `by_b` hold, by points, all the places that so many lead to, and `by` their hexes. That is enough for one
    way (`back`); what a course needs besides is made when the first one asks (`charted`).
    """

    __slots__ = (
        "_costs",
        "across",
        "all_a",
        "all_b",
        "away",
        "box",
        "by",
        "by_a",
        "by_b",
        "cost_a",
        "cost_b",
        "counts",
        "first",
        "ground",
        "hexes",
        "into",
        "known",
        "order",
        "out",
        "points",
        "start",
        "starts",
    )

    by_a: list[Mask]
    by_b: list[Mask]
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
        self._costs: Costs | None = None
        self.order: list[Hex] = []  # all hexes, the cheapest first, and by points how many of them these lead to:
        self.counts: list[int] = []  # known with the costs
        self.by_a, self.by_b = ground.explore(start, starts, points) if same is None else (same.by_a, same.by_b)
        self.all_a, self.all_b = self.by_a[-1], self.by_b[-1]
        self.by = [a | b for a, b in zip(self.by_a, self.by_b, strict=True)] if self.all_b else self.by_a
        self.hexes = self.by[-1]
        # 6.3.3c out of a box: the first hexes and their prices
        self.box = {hexes.bit_length() - 1: spent for spent, hexes, _ in starts if spent}
        self.away: Steps = ()  # first steps
        self.first = 0  # the places where cheapest ways begin
        for spent, hexes, _ in starts:
            for h in hexes_of(hexes & self.all_a):
                if self.cost(h) == spent:
                    self.first |= 1 << h

    def charted(self) -> Survey:
        """The same, with all costs as planes and all steps of cheapest ways."""
        ground, start = self.ground, self.start
        if self.known:
            return self
        self.known = True
        here = 1 << start
        self.cost_a, self.cost_b = _numbers(self.by_a), _numbers(self.by_b)
        into = [steps | ground.rates.leave[d] & here for d, steps in enumerate(ground.into)]
        self.into = self._cheapest(into, self.all_a, self.cost_a, self.all_a, self.cost_a)
        self.across = self.out = [0] * 6
        if self.all_b:
            across = [steps & ~here for steps in ground.across]
            self.across = self._cheapest(across, self.all_a, self.cost_a, self.all_b, self.cost_b)
            self.out = self._cheapest(ground.out, self.all_b, self.cost_b, self.all_a, self.cost_a)
        self.away = tuple((to % ground.size, price) for to, price in ground.steps[start])
        return self

    def uses(self, h: Hex, n: Hex, price: int) -> bool:
        """Whether a step of this price from a hex to another lies on a cheapest way."""
        if not self.hexes >> h & 1 or not self.hexes >> n & 1:
            return False
        before, after = ([first_with(by, x) for by in (self.by_a, self.by_b) if by[-1] >> x & 1] for x in (h, n))
        return any(spent + price in after for spent in before)

    def within(self, points: int) -> tuple[Mask, Mask]:
        """The places that so many points lead to."""
        points = min(points, self.points)
        return self.by_a[points], self.by_b[points]

    def cost(self, place: int) -> int:
        """What one place costs; those of b stand behind those of a."""
        size = self.ground.size
        if place < size:
            return first_with(self.by_a, place)
        return first_with(self.by_b, place - size)

    def costs(self) -> Costs:
        """What every hex costs, one by one: for ways to single hexes."""
        found = self._costs
        if found is not None:
            return found
        nowhere, order, counts = self.ground.nowhere, self.order, self.counts
        least, last = bytearray(nowhere), 0
        for points, hexes in enumerate(self.by):
            if hexes != last:
                layer = hexes_of(hexes ^ last)
                for h in layer:
                    least[h] = points
                order += layer
                last = hexes
            counts.append(len(order))
        found = self._costs = least, nowhere, least
        if self.all_b:  # `explore`: no place of b is known that costs more than the same hex as one of a
            first, second = least[:], bytearray(nowhere)
            for h in hexes_of(self.all_b):
                second[h] = least[h]
                first[h] = first_with(self.by_a, h) if self.all_a >> h & 1 else NEVER
            found = self._costs = first, second, least
        return found

    def back(self, h: Hex, shut: Mask) -> tuple[int, list[Hex]] | None:
        """What a hex costs and the hexes entered on a cheapest way there that leaves none of those that are shut,
        found step by step from its end: straight on where that costs no more. None if it runs against them.

        There may be another way then. But a way that is found is the one that a course would choose: it takes the
        same steps in the same order, of those that can be made from places which it can reach; and these are such.
        """
        ground, start = self.ground, self.start
        cost_a, cost_b, least = self._costs or self.costs()
        backward = ground.backward
        cost = spent = least[h]
        if cost == NEVER:
            return None
        second = cost_a[h] > spent
        way = [h]
        onward = -1
        if not shut and not self.all_b:  # the same with less to look at
            while True:
                for n, d, price, dry in backward[h][onward] or ground.steps_back(h, onward):  # noqa: B007
                    at = spent - price
                    if cost_a[n] <= at and (dry != BOTH or n == start):
                        break
                else:
                    if self.box and self.first >> h & 1:  # 6.3.3c
                        break
                    return None
                if n == start:
                    break
                way.append(n)
                h, spent, onward = n, at, d
            way.reverse()
            return cost, way
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
                if self.box and self.first >> h & 1:  # 6.3.3c
                    break
                return None
            if n == start:
                break
            way.append(n)
            h, spent = n, at
        way.reverse()
        return cost, way

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
