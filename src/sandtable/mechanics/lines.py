"""Lines of supply as sets of hexes, worked out backwards from where supply comes from.

Asking every unit for a way to its source would search the map once a unit. Here a line is followed the
other way: `Net.flood` runs from the sources along railways or roads, and `Steps.widen` then lets lines
leave in any direction for a few hexes. One pass answers for every hex of the map.

A line is a way of hexes from a unit to a source. The hexes that it enters have to be open to it; the hex
in which it begins does not, because there stands the unit. So everything here returns the hexes in which a
line may *begin*, and carries on only from those which are open.
"""

from __future__ import annotations

from sandtable.engine.hexes import Grid, Hex, Mask, Sides, hexes_of, opposite, touching


class Steps:
    """Steps against the direction of a line, over certain hexsides only, for whole sets of hexes."""

    __slots__ = ("_a", "_b", "_c", "_masks", "hexes")

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self.hexes: Mask = touching(sides)
        down = [d for d in range(6) if grid.shift[d] > 0]
        self._a, self._b, self._c = (grid.shift[d] for d in down)
        masks = []
        for d in down:
            # whoever comes by +shift[d] has made, seen along the line, a step in the opposite direction
            masks += [sides[opposite(d)], sides[d]]
        self._masks: tuple[Mask, ...] = tuple(masks)

    def back(self, m: Mask) -> Mask:
        """The hexes from which one step leads into one of these."""
        a, b, c = self._a, self._b, self._c
        a_down, a_up, b_down, b_up, c_down, c_up = self._masks
        return m << a & a_down | m >> a & a_up | m << b & b_down | m >> b & b_up | m << c & c_down | m >> c & c_up

    def widen(self, targets: Mask, through: Mask, n: int) -> Mask:
        """Where a line of up to n hexes to one of the targets may begin, if it enters only hexes of `through`.

        The targets themselves are among them.
        """
        found = targets
        front = targets & through
        while front and n:
            front = self.back(front) & ~found
            found |= front
            front &= through
            n -= 1
        return found

    def flood(self, targets: Mask, through: Mask) -> Mask:
        """The same for a line of any length."""
        found = targets
        front = targets & through
        back = self.back
        while front:
            front = back(front) & ~found
            found |= front
            front &= through
        return found

    def widen_hard(self, targets: Mask, through: Mask, n: int, hard: Mask, eased: Steps, allowed: int) -> Mask:
        """The same as `widen` for lines that may leave at most `allowed` hard hexes by a hard step.

        A step is hard if it leaves a hex of `hard`, the line's first hex included, other than over a hexside
        of `eased` (a road through the mountains). What is left by an eased step costs nothing.
        """
        found = [targets] + [0] * allowed  # by hard steps made: where such a line may begin
        fronts = [targets & through] + [0] * allowed
        eases = hard & eased.hexes
        for _ in range(n):
            known = harder = 0  # reached with so few hard steps already; reached with one more than the front
            for k, front in enumerate(fronts):
                known |= found[k]
                fresh, harder = harder, 0
                if front:
                    around = self.back(front)
                    fresh |= around & ~hard
                    harder = around & hard
                    if harder & eases:
                        easy = eased.back(front) & hard
                        fresh |= easy
                        harder &= ~easy
                fresh &= ~known
                known |= fresh
                found[k] |= fresh
                fronts[k] = fresh & through
        everywhere = 0
        for reached in found:
            everywhere |= reached
        return everywhere


class Net:
    """A net of railways or roads: hexes joined by links, followed whole stretches at a time.

    A stretch is a chain of hexes between two knots (ends and junctions). A flood steps from knot to knot
    where a stretch is open from end to end, and hex by hex only along stretches that are cut.
    """

    __slots__ = ("_inside", "_stretches", "hexes", "joined", "knots")

    def __init__(self, grid: Grid, links: Sides) -> None:
        self.hexes: Mask = touching(links)
        self.joined: dict[Hex, tuple[Hex, ...]] = {
            h: tuple(n for d, n in grid.neighbours[h] if links[d] >> h & 1) for h in hexes_of(self.hexes)
        }
        self.knots: Mask = sum(1 << h for h, near in self.joined.items() if len(near) != 2)
        self._close_rings()
        self._stretches: dict[Hex, list[tuple[Mask, tuple[Hex, ...], Hex]]] = {h: [] for h in hexes_of(self.knots)}
        self._inside: dict[Hex, tuple[tuple[Hex, ...], tuple[Hex, ...]]] = {}
        for knot in self._stretches:
            for first in self.joined[knot]:
                self._add_stretch(knot, first)

    def _close_rings(self) -> None:
        """A ring without a junction gets a knot, so that every hex lies at a knot or on a stretch."""
        left = self.hexes
        for h in hexes_of(self.knots):
            left &= ~self._component(h)
        while left:
            h = left.bit_length() - 1
            self.knots |= 1 << h
            left &= ~self._component(h)

    def _component(self, h: Hex) -> Mask:
        found, todo = 1 << h, [h]
        while todo:
            for n in self.joined[todo.pop()]:
                if not found >> n & 1:
                    found |= 1 << n
                    todo.append(n)
        return found

    def _add_stretch(self, knot: Hex, first: Hex) -> None:
        """The chain that leaves a knot towards one of its neighbours, up to the next knot."""
        chain: list[Hex] = []
        before, h = knot, first
        while not self.knots >> h & 1:
            chain.append(h)
            near = self.joined[h]
            before, h = h, near[0] if near[1] == before else near[1]
        self._stretches[knot].append((sum(1 << c for c in chain), tuple(chain), h))
        for i, c in enumerate(chain):
            onward = (*chain[i + 1 :], h)
            back = (*reversed(chain[:i]), knot)
            self._inside[c] = (onward, back)

    def flood(self, targets: Mask, through: Mask) -> Mask:
        """The hexes of the net that links join to one of the targets, all of them (targets too) in `through`."""
        blocked = ~through
        targets &= through & self.hexes
        found = 0
        todo: list[Hex] = []
        for h in hexes_of(targets):
            if self.knots >> h & 1:
                if not found >> h & 1:
                    found |= 1 << h
                    todo.append(h)
                continue
            found |= 1 << h
            for way in self._inside[h]:
                for n in way:
                    if blocked >> n & 1:
                        break
                    if self.knots >> n & 1:
                        if not found >> n & 1:
                            found |= 1 << n
                            todo.append(n)
                        break
                    found |= 1 << n
        stretches = self._stretches
        while todo:
            for mask, chain, end in stretches[todo.pop()]:
                if mask & blocked:
                    for h in chain:
                        if blocked >> h & 1:
                            break
                        found |= 1 << h
                    continue
                found |= mask
                if not (found | blocked) >> end & 1:
                    found |= 1 << end
                    todo.append(end)
        return found
