"""What every step of a map costs one kind of unit: a terrain effects chart made ready for the kernels.

A step may end the move (HALTS), or may only be the first one (FIRST): a hex may be entered along a road and left
again, or across country and then the unit stops; a river may be crossed only by setting out from its bank. Of dry
hexes no more than two may be entered in a row. A chart is made once for a map and a kind of unit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sandtable.engine.hexes import Grid, Hex, Mask

if TYPE_CHECKING:
    from .surveys import Surveyor
    from .waves import Waves

GO, HALTS, FIRST = 0, 1, 2  # flags of a step: it ends the move; it must be the first one
Price = Callable[[Hex, int, Hex], tuple[int, int]]
"""What the step from a hex in a direction to the next costs, and its flags. 0 or less: impossible."""

Tolls = tuple[tuple[int, Mask], ...]
"""Points to pay on top, and the hexes for which they are due; no hex stands in two."""

Starts = tuple[tuple[int, Mask, int], ...]
"""Points spent, hexes, dry hexes in a row up to there: where a move begins."""

Entries = tuple[int, Mask, Mask, Mask, tuple[Mask, Mask, Mask, Mask, Mask, Mask]]
"""Points; the hexes entered for so many; those of them that are so from every side; all others of this class; and
these by direction, in the order of the grid's shifts."""


class Chart:
    """What every step of a map costs one kind of unit."""

    __slots__ = (
        "_sheet",
        "_straight",
        "dry",
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
        "steps",
        "surveyor",
        "waves",
        "ways",
    )

    def __init__(self, grid: Grid, price: Price, dry: Mask = 0) -> None:
        self.grid = grid
        self.dry = dry  # hexes of which no more than two may be entered in a row
        self.surveyor: Surveyor | None = None  # who keeps surveys of it, if anybody does
        self.waves: Waves | None = None  # who keeps waves of it, if anybody does
        self.order = sorted(range(6), key=lambda d: grid.shift[d])  # from the farthest back to the farthest on
        self.price: list[list[int]] = [[-1] * grid.size for _ in range(6)]  # by direction and hex left
        self.halts: list[Mask] = [0] * 6  # by direction: the hexes from which such a step ends the move
        self.leave: list[Mask] = [0] * 6  # by direction: the hexes that such a step leads out of
        self.exits: list[Mask] = [0] * grid.size  # by hex: where one step leads
        self.entrances: list[Mask] = [0] * grid.size  # by hex: where one step comes from
        self.first: list[tuple[tuple[Hex, int, int, int], ...]] = [()] * grid.size  # to, direction, points, halts
        # by hex: the steps that lead out of it, as hex entered, direction, points, flags
        self.steps: list[list[tuple[Hex, int, int, int]]] = [[] for _ in range(grid.size)]
        # by hex: the steps that lead into it, as hex left, direction, points, flags
        self.ways: list[list[tuple[Hex, int, int, int]]] = [[] for _ in range(grid.size)]
        into: dict[tuple[int, int], list[Mask]] = {}
        for h in grid.hexes:
            only_first = []
            for d, n in grid.neighbours[h]:
                points, flags = price(h, d, n)
                if points <= 0:
                    continue
                self.price[d][h] = points
                self.leave[d] |= 1 << h
                self.exits[h] |= 1 << n
                self.entrances[n] |= 1 << h
                self.steps[h].append((n, d, points, flags))
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
        self.flat: Chart | None = None
        self._sheet: tuple[tuple[int, ...], bytes, bytes] | None = None
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

    def sheet(self) -> tuple[tuple[int, ...], bytes, bytes]:
        """The shifts of the six directions; price and flags of every step, byte by byte: for the compiled kernel."""
        if self._sheet is None:
            prices, flags = bytearray(6 * self.grid.size), bytearray(6 * self.grid.size)
            for h, steps in enumerate(self.steps):
                for _, d, points, how in steps:
                    prices[6 * h + d], flags[6 * h + d] = points, how
            self._sheet = (tuple(self.grid.shift), bytes(prices), bytes(flags))
        return self._sheet

    def by_hexes(self) -> Chart:
        """The same steps at one point each: for moves that are counted in hexes."""
        if self.flat is None:
            starts = [{n: FIRST for n, _, _, _ in first} for first in self.first]
            self.flat = Chart(
                self.grid,
                lambda h, d, n: (
                    1 if self.price[d][h] > 0 else -1,
                    (HALTS if self.halts[d] >> h & 1 else 0) | starts[h].get(n, 0),
                ),
            )
        return self.flat


def due(tolls: Tolls, h: Hex) -> int:
    """What tolls ask for a hex."""
    for toll, mask in tolls:
        if mask >> h & 1:
            return toll
    return 0
