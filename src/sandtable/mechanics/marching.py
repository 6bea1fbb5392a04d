"""Movement by points where a step may end the move, or may only be the first one.

`engine.reach` knows hexes in which a move ends. Here it is the step that decides: a hex may be entered
along a road and left again, or across country and then the unit stops; a river may be crossed only by
setting out from its bank. Rates are made ready once for a map and a kind of unit; a march is one move.
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.hexes import Grid, Hex, Mask

GO, HALTS, FIRST = 0, 1, 2  # flags of a step: it ends the move; it must be the first one
Rate = Callable[[Hex, int, Hex], tuple[int, int]]
"""What the step from a hex in a direction to the next costs, and its flags. 0 or less: impossible."""

Entries = tuple[int, Mask, Mask, Mask, tuple[Mask, Mask, Mask, Mask, Mask, Mask]]
"""Points; the hexes entered for so many; those of them that are so from every side; all others of this class; and
these by direction, in the order of the grid's shifts."""

Limits = tuple[int, Mask, Mask, bool]
"""toll, tolled, stop, setting_out: see `march`."""


class Rates:
    """What every step of a map costs one kind of unit."""

    __slots__ = (
        "_straight",
        "entrances",
        "exits",
        "first",
        "flat",
        "go",
        "grid",
        "halting",
        "halting_in",
        "halts",
        "least",
        "leave",
        "order",
        "price",
        "ways",
    )

    def __init__(self, grid: Grid, rate: Rate) -> None:
        self.grid = grid
        self.order = sorted(range(6), key=lambda d: grid.shift[d])  # from the farthest back to the farthest on
        self.price: list[list[int]] = [[-1] * grid.size for _ in range(6)]  # by direction and hex left
        self.halts: list[Mask] = [0] * 6  # by direction: the hexes from which such a step ends the move
        self.leave: list[Mask] = [0] * 6  # by direction: the hexes that such a step leads out of
        self.exits: list[Mask] = [0] * grid.size  # by hex: where one step leads
        self.entrances: list[Mask] = [0] * grid.size  # by hex: where one step comes from
        self.first: list[tuple[tuple[Hex, int, int, int], ...]] = [()] * grid.size  # to, direction, points, halts
        # by hex: the steps that lead into it, as hex left, direction, points, flags
        self.ways: list[list[tuple[Hex, int, int, int]]] = [[] for _ in range(grid.size)]
        into: dict[tuple[int, int], list[Mask]] = {}
        for h in grid.hexes:
            only_first = []
            for d, n in grid.neighbours[h]:
                points, flags = rate(h, d, n)
                if points <= 0:
                    continue
                self.price[d][h] = points
                self.leave[d] |= 1 << h
                self.exits[h] |= 1 << n
                self.entrances[n] |= 1 << h
                self.ways[n].append((h, d, points, flags))
                if flags & HALTS:
                    self.halts[d] |= 1 << h
                if flags & FIRST:
                    only_first.append((n, d, points, flags & HALTS))
                else:
                    into.setdefault((flags & HALTS, points), [0] * 6)[d] |= 1 << n
            self.first[h] = tuple(only_first)
        self.go: list[Entries] = self._sorted(into, GO)
        self.halting: list[Entries] = self._sorted(into, HALTS)
        self.halting_in: Mask = 0  # the hexes where a step may end the move
        for entries in self.halting:
            self.halting_in |= entries[1]
        self.least = min((points for _, points in into), default=1)
        self.flat: Rates | None = None
        self._straight: dict[tuple[Hex, int], list[tuple[Hex, int, int, int]]] = {}

    def _sorted(self, into: dict[tuple[int, int], list[Mask]], wanted: int) -> list[Entries]:
        """The classes of steps by cost. Most hexes cost the same from all sides: for these one mask will do."""
        grid, order = self.grid, self.order
        found: list[Entries] = []
        for (flags, points), masks in sorted(into.items()):
            if flags != wanted:
                continue
            every = grid.all
            for d in range(6):
                every &= masks[d] | ~grid.step(grid.all, d)  # what cannot be entered from there at all does not count
            some = 0
            for d in range(6):
                some |= masks[d] & ~every
            a, b, c, d, e, f = (masks[x] & some for x in order)
            found.append((points, every | some, every, some, (a, b, c, d, e, f)))
        return found

    def around(self, m: Mask) -> Mask:
        """The hexes that one step leads to from these."""
        step = self.grid.step
        found = 0
        for d in range(6):
            leaving = m & self.leave[d]
            if leaving:
                found |= step(leaving, d)
        return found

    def straight(self, h: Hex, d: int) -> list[tuple[Hex, int, int, int]]:
        """The steps that lead into a hex, one in this direction before the others."""
        found = self._straight.get((h, d))
        if found is None:
            found = self._straight[h, d] = sorted(self.ways[h], key=lambda way: way[1] != d)
        return found

    def by_hexes(self) -> Rates:
        """The same steps at one point each: for moves that are counted in hexes."""
        if self.flat is None:
            starts = [{n: FIRST for n, _, _, _ in first} for first in self.first]
            self.flat = Rates(
                self.grid,
                lambda h, d, n: (
                    1 if self.price[d][h] > 0 else -1,
                    (HALTS if self.halts[d] >> h & 1 else 0) | starts[h].get(n, 0),
                ),
            )
        return self.flat


class March:
    """Where one move can lead, for how many points, and how."""

    __slots__ = ("ended", "hexes", "layers", "limits", "rates", "start")

    def __init__(
        self, rates: Rates, start: Hex, limits: Limits, layers: list[Mask], ended: list[Mask], hexes: Mask
    ) -> None:
        self.rates = rates
        self.start = start
        self.limits = limits
        self.layers = layers  # by points: hexes first reached for so many from which the move may go on
        self.ended = ended  # by points: hexes that a step ending the move leads to
        self.hexes = hexes  # all of them, the start included

    def within(self, points: int) -> Mask:
        """All hexes that so many points lead to, the start included."""
        found = 0
        for layer in self.layers[: points + 1]:
            found |= layer
        for layer in self.ended[: points + 1]:
            found |= layer
        return found

    def cost(self, h: Hex) -> int:
        """The fewest points to get there, -1 if it is out of reach."""
        bit, ended = 1 << h, self.ended
        for points, layer in enumerate(self.layers):
            if layer & bit or ended[points] & bit:
                return points
        return -1

    def path(self, h: Hex, points: int = -1) -> list[Hex]:
        """The hexes entered on a cheapest way there, in order: always the same way, and a straight one
        where that costs no more. Empty for the start and for what is out of reach. `points` is its cost, if known."""
        if points < 0:
            points = self.cost(h)
        if points <= 0:
            return []
        way = [h]
        halted = 0 if self.layers[points] >> h & 1 else HALTS
        n, onward, points = self._before(h, points, -1, halted)
        while n != self.start:
            way.append(n)
            n, onward, points = self._before(n, points, onward, GO)
        way.reverse()
        return way

    def _before(self, h: Hex, points: int, onward: int, halted: int) -> tuple[Hex, int, int]:
        """The hex before h on a cheapest way, the direction of the step and the points spent there.

        A step in the same direction as the next one is taken before any other.
        """
        start, layers = self.start, self.layers
        toll, tolled, stop, setting_out = self.limits
        for n, d, price, flags in self.rates.ways[h] if onward < 0 else self.rates.straight(h, onward):
            at = points - price
            if at < 0 or flags & HALTS != halted:
                continue
            if tolled >> n & 1:
                at -= toll
                if at < 0:
                    continue
            if layers[at] >> n & 1:
                if n == start:
                    if flags & FIRST and not setting_out:
                        continue
                elif flags & FIRST or stop >> n & 1:
                    continue
                return n, d, at
        raise AssertionError("a hex was reached from nowhere")


def march(
    rates: Rates,
    start: Hex,
    points: int,
    barred: Mask = 0,
    toll: int = 0,
    tolled: Mask = 0,
    stop: Mask = 0,
    setting_out: bool = True,
) -> March:
    """One move from one hex.

    barred       may not be entered
    toll, tolled so many points more to leave these hexes, the start too
    stop         the move ends in these hexes, however they are entered; the start may be left
    setting_out  False when the unit has already moved: steps that must be the first are not for it
    """
    grid = rates.grid
    points = max(points, 0)
    due, ended = [0] * (points + 1), [0] * (points + 1)
    due[0] = 1 << start
    if setting_out:
        away = toll if tolled >> start & 1 else 0
        for n, _, cost, halts in rates.first[start]:
            if cost + away <= points and not barred >> n & 1:
                (ended if halts else due)[cost + away] |= 1 << n
    left = everywhere = grid.all & ~barred | 1 << start
    held = [0] * (points + 1) if tolled else []
    go, halting, halting_in = rates.go, rates.halting, rates.halting_in
    last = points - rates.least
    far = grid.stride
    near = far - 1
    for spent in range(points + 1):
        front = due[spent] & left
        due[spent] = front
        left ^= front
        if stop and spent:
            front &= ~stop
        if tolled:
            leaving = front & tolled
            if leaving and spent + toll <= points:
                held[spent + toll] |= leaving
            front = front ^ leaving | held[spent]
        if spent > last or not front:
            continue
        b, c, e, f = front >> near, front >> 1, front << 1, front << near
        a, g = c >> near, e << near
        around = a | b | c | e | f | g
        for cost, entered, every, some, by_side in go:
            at = spent + cost
            if at > points:
                break
            if around & some:
                m, n, o, p, q, r = by_side
                due[at] |= around & every | a & m | b & n | c & o | e & p | f & q | g & r
            elif around & entered:
                due[at] |= around & every
        if around & halting_in:
            for cost, entered, every, _, by_side in halting:
                at = spent + cost
                if at > points:
                    break
                if around & entered:
                    m, n, o, p, q, r = by_side
                    ended[at] |= (around & every | a & m | b & n | c & o | e & p | f & q | g & r) & ~barred
    found = everywhere ^ left
    for layer in ended:
        if layer:
            found |= layer
    return March(rates, start, (toll, tolled, stop, setting_out), due, ended, found)
