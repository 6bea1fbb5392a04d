"""Movement by points over ground of which no unit may cross more than two hexes in a row (5.5).

`mechanics.marching` makes the rates; a trek is one move. What it adds: the length of the run of desert hexes is
part of where a unit is, entering a hex may cost more than its ground (24.2), and leaving may cost more by degrees
(7.2c, 7.3c). All of it is done for whole sets of hexes at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.paths.charts import Chart as Rates

Tolls = tuple[tuple[int, Mask], ...]
"""Points to pay on top, and the hexes for which they are due; no hex stands in two."""

Starts = Sequence[tuple[int, Mask, int]]
"""Points spent, hexes, run of desert hexes: where a move begins. More than one where it comes out of a box."""

RUN = 2  # 5.5b


class Way:
    """What all moves by points have in common."""

    __slots__ = ("box", "box_cost", "box_from", "entering", "hexes", "leaving", "rates", "start", "stop")

    hexes: Mask

    def __init__(self, rates: Rates, start: Hex, stop: Mask, leaving: Tolls, entering: Tolls) -> None:
        self.rates = rates
        self.start = start  # the hex, or the box that the move comes out of
        self.stop = stop
        self.leaving = leaving
        self.entering = entering
        self.box = -1  # 6.3.3a the box that can be entered, for how many points, from where
        self.box_cost = -1
        self.box_from = -1

    def within(self, points: int) -> Mask:
        """All places that so many points lead to, the start included."""
        raise NotImplementedError

    def cost(self, h: Hex) -> int:
        """The fewest points to get there, -1 if it is out of reach."""
        raise NotImplementedError

    def path(self, h: Hex) -> list[Hex]:
        """The places entered on a cheapest way there, in order: always the same way, and a straight one where
        that costs no more. Empty for the start and for what is out of reach."""
        raise NotImplementedError

    def running(self, path: list[Hex]) -> list[int]:
        """The points spent at each place of a path of this move."""
        grid, price = self.rates.grid, self.rates.price
        total, last = 0, self.start
        out = []
        for h in path:
            if h == self.box:
                total = self.box_cost
            elif not self.rates.ways[last]:  # out of a box
                total = self.cost(h)
            else:
                total += price[grid.direction(last, h)][last] + due(self.leaving, last) + due(self.entering, h)
            out.append(total)
            last = h
        return out


class Trek(Way):
    """Where one move can lead, for how many points, and how."""

    __slots__ = ("layers",)

    def __init__(
        self,
        rates: Rates,
        start: Hex,
        layers: list[list[Mask]],
        stop: Mask,
        leaving: Tolls,
        entering: Tolls,
    ) -> None:
        super().__init__(rates, start, stop, leaving, entering)
        self.layers = layers  # by run and points: the hexes reached for so many
        found = 0
        for layer in layers[0]:
            found |= layer
        for layer in layers[1]:
            found |= layer
        for layer in layers[2]:
            found |= layer
        self.hexes = found

    def within(self, points: int) -> Mask:
        found = 0
        for run in self.layers:
            for layer in run[: points + 1]:
                found |= layer
        if 0 <= self.box_cost <= points:
            found |= 1 << self.box
        return found

    def cost(self, h: Hex) -> int:
        if h == self.box:
            return self.box_cost
        for points, (a, b, c) in enumerate(zip(*self.layers, strict=True)):
            if (a | b | c) >> h & 1:
                return points
        return -1

    def path(self, h: Hex) -> list[Hex]:
        if h == self.box:
            return [*self.path(self.box_from), h] if self.box_from != self.start else [h]
        points = self.cost(h)
        if points < 0 or h == self.start:
            return []
        run = next(r for r in range(RUN + 1) if self.layers[r][points] >> h & 1)
        way = [h]
        onward = -1
        while True:
            h, run, points, onward = self._before(h, run, points, onward)
            if h < 0 and self.rates.ways[self.start]:
                raise AssertionError("a hex was reached from nowhere")
            if h < 0 or (h == self.start and points == 0):
                break
            way.append(h)
        way.reverse()
        return way

    def _before(self, h: Hex, run: int, points: int, onward: int) -> tuple[Hex, int, int, int]:
        """What comes before h on a cheapest way: hex (-1: the box it came out of), run, points, direction."""
        points -= due(self.entering, h)
        found = (-1, 0, 0, -1)
        runs = range(RUN + 1) if not run else (run - 1,)
        for n, d, price, _ in self.rates.ways[h]:
            at = points - price - due(self.leaving, n)
            if at < 0 or (self.stop >> n & 1 and not (n == self.start and at == 0)):
                continue
            for r in runs:
                if self.layers[r][at] >> n & 1:
                    if d == onward:
                        return n, r, at, d
                    if found[0] < 0:
                        found = n, r, at, d
                    break
        return found


class Hop:
    """5.4a one hex or two, whatever they cost. Two can never be too many desert hexes (5.5b)."""

    __slots__ = ("box", "box_cost", "entry", "exits", "first", "second", "stop")

    def __init__(self, rates: Rates, first: Mask, hexes: int, barred: Mask, stop: Mask, box: int, entry: Mask) -> None:
        self.exits = rates.exits
        self.first = first & ~barred if hexes else 0
        self.stop = stop
        self.box = box
        self.entry = entry  # the hexes that the box adjoins
        self.box_cost = -1
        self.second: Mask = 0
        if hexes > 1:
            onward = self.first & ~stop
            found = 0
            for h in hexes_of(onward):
                found |= self.exits[h]
            self.second = found & ~barred & ~self.first
            if onward & entry:
                self.box_cost = 2

    def within(self, hexes: int) -> Mask:
        found = (self.first if hexes else 0) | (self.second if hexes > 1 else 0)
        return found | 1 << self.box if 0 <= self.box_cost <= hexes else found

    def cost(self, h: Hex) -> int:
        if h == self.box:
            return self.box_cost
        return 1 if self.first >> h & 1 else 2 if self.second >> h & 1 else -1

    def path(self, h: Hex) -> list[Hex]:
        cost = self.cost(h)
        if cost < 2:
            return [h] if cost == 1 else []
        before = self.first & ~self.stop
        if h == self.box:
            return [hexes_of(before & self.entry)[0], h]
        return [next(n for n in hexes_of(before) if self.exits[n] >> h & 1), h]

    def running(self, path: list[Hex]) -> list[int]:
        return [i + 1 for i in range(len(path))]


def due(tolls: Tolls, h: Hex) -> int:
    """What tolls ask for a hex."""
    for toll, mask in tolls:
        if mask >> h & 1:
            return toll
    return 0


def trek(
    rates: Rates,
    sand: Mask,
    start: Hex,
    starts: Starts,
    points: int,
    barred: Mask = 0,
    stop: Mask = 0,
    leaving: Tolls = (),
    entering: Tolls = (),
) -> Trek:
    """One move.

    sand      hexes of which no more than `RUN` may be entered in a row
    start     where the unit is; it may be left even if it is barred or a place to stop in
    barred    may not be entered
    stop      the move ends in these hexes
    leaving   points to pay for leaving hexes, the start too
    entering  points to pay for entering hexes
    """
    grid = rates.grid
    layers = [[0] * (points + 1) for _ in range(RUN + 1)]
    held = [[0] * (points + 1) for _ in range(RUN + 1)] if leaving else []
    paid = [[0] * (points + 1) for _ in range(RUN + 1)] if entering else []
    firm, sand_now = grid.all & ~barred & ~sand, sand & ~barred
    left = [firm, sand_now, sand_now]
    for at, hexes, run in starts:
        if at <= points:
            layers[run][at] |= hexes
        if not at:
            left[run] |= hexes
    firm_now = layers[0]
    onto: tuple[list[Mask] | None, ...] = (layers[1], layers[2], None)
    near = grid.stride - 1
    last = points - rates.least
    go = rates.go
    runs: tuple[int, ...] = (0,) if not any(run for _, _, run in starts) else (0, 1, 2)
    for spent in range(points + 1):
        for run in runs:
            due = layers[run]
            front = due[spent]
            if front:
                front &= left[run]
                if spent:
                    for toll, mask in entering:
                        hit = front & mask
                        if hit:
                            front ^= hit
                            if spent + toll <= points:
                                paid[run][spent + toll] |= hit
            if entering:
                front |= paid[run][spent] & left[run]
            due[spent] = front
            if front:
                left[run] ^= front
                if run == 1:  # who has one desert hex behind him can do all that one with two can
                    left[2] &= ~front
                if spent and stop:
                    front &= ~stop
                for toll, mask in leaving:
                    hit = front & mask
                    if hit:
                        front ^= hit
                        if spent + toll <= points:
                            held[run][spent + toll] |= hit
            if leaving:
                front |= held[run][spent]
            if spent > last or not front:
                continue
            b, c, e, f = front >> near, front >> 1, front << 1, front << near
            a, g = c >> near, e << near
            around = a | b | c | e | f | g
            sandy = onto[run]
            firm_around = around & left[0]  # what is not yet settled
            sand_around = around & sand_now
            for cost, _, every, some, by_side in go:
                at = spent + cost
                if at > points:
                    break
                hit = firm_around & every if every else 0
                if around & some:
                    m, n, o, p, q, r = by_side
                    more = a & m | b & n | c & o | e & p | f & q | g & r
                    hit |= more & firm
                    if sandy is not None and sand_around:
                        sandy[at] |= (more | sand_around & every) & sand_now
                        runs = (0, 1, 2)
                elif sandy is not None and sand_around & every:
                    sandy[at] |= sand_around & every
                    runs = (0, 1, 2)
                if hit:
                    firm_now[at] |= hit
    return Trek(rates, start, layers, stop, leaving, entering)
