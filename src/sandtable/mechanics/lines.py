"""Lines of supply as sets of hexes, worked out backwards from where supply comes from.

Asking every unit for a way to its source would search the map once a unit. Here a line is followed the
other way: `along` runs from the sources over railways or roads, and `widen` then lets lines leave in any
direction for a few hexes. One pass answers for every hex of the map.

A line is a way of hexes from a unit to a source. The hexes that it enters have to be open to it; the hex
in which it begins does not, because there stands the unit. So everything here returns the hexes in which a
line may *begin*, and carries on only from those which are open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine.hexes import Grid, Hex, Mask, Sides, hexes_of, opposite, touching

from .masks import units_of

Neighbours = Sequence[Sequence[tuple[int, Hex]]] | Mapping[Hex, Sequence[tuple[int, Hex]]]
"""By hex: the direction of each step, and where it leads."""


class Steps:
    """Steps against the direction of a line, over certain hexsides only, for whole sets of hexes."""

    __slots__ = ("_a", "_b", "_c", "_masks", "_stretches", "hexes")

    def __init__(self, grid: Grid, sides: Sides, stretch: int = 0) -> None:
        """`stretch`: cut long railways or roads, all of them two-way, into stretches of about so many hexes: a flood
        takes those that are open from end to end at one stride."""
        self.hexes: Mask = touching(sides)
        down = [d for d in range(6) if grid.shift[d] > 0]
        self._a, self._b, self._c = (grid.shift[d] for d in down)
        masks = []
        for d in down:
            # whoever comes by +shift[d] has made, seen along the line, a step in the opposite direction
            masks += [sides[opposite(d)], sides[d]]
        self._masks: tuple[Mask, ...] = tuple(masks)
        self._stretches: list[tuple[Mask, Mask]] = []  # their hexes, and these with all beside them
        if stretch:
            self._cut(grid, sides, stretch)

    def _cut(self, grid: Grid, sides: Sides, stretch: int) -> None:
        if any(grid.step(sides[d], d) != sides[opposite(d)] for d in range(6)):
            raise ValueError("only what leads both ways can be cut into stretches")
        left = self.hexes
        while left:
            part = front = left & -left
            while front and part.bit_count() < stretch:
                front = self.back(part) & left & ~part
                part |= front
            left &= ~part
            self._stretches.append((part, part | self.back(part)))

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
        return self.flood_on(targets, targets & through, through)

    def flood_on(self, found: Mask, front: Mask, through: Mask) -> Mask:
        """The same where some beginnings are known, and from a front of them lines have still to be followed."""
        back = self.back
        whole = [stretch for stretch in self._stretches if not stretch[0] & ~through]
        while front:
            if whole:
                cut_off = []
                for stretch in whole:
                    part, reach = stretch
                    if part & front:
                        found |= reach
                        front |= reach & through
                    else:
                        cut_off.append(stretch)
                if len(cut_off) < len(whole):
                    cut_off.reverse()  # lines run up and down the map
                    whole = cut_off
                    continue
            front = back(front) & ~found
            found |= front
            front &= through
        return found

    def along(self, targets: Mask, through: Mask) -> Mask:
        """The same for a railway or road that is open from end to end, the hex where one joins it included."""
        return self.flood(targets & through & self.hexes, through) & through

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


class Country:
    """Ways across country on which a hex counts one or two, and which may not run on through certain hexes.

    `hard` hexes count two unless they are entered by road; no more than `run` hexes of `dry` may follow one
    another. What is more, the first step of a way may be easier than the others: it may lead over the hexsides
    of `first`, and into hexes that are open to a first step alone. Roads count as country too.
    """

    __slots__ = ("country", "dry", "first", "hard", "roads", "run", "soft")

    def __init__(self, grid: Grid, country: Sides, first: Sides, roads: Steps, hard: Mask, dry: Mask, run: int) -> None:
        self.country = Steps(grid, country)
        self.first = Steps(grid, first)
        self.roads = roads
        self.hard = hard
        self.dry = dry
        self.soft = ~(hard | dry)
        self.run = run

    def widen(self, targets: Mask, through: Mask, first: Mask, n: int, near: Mask = 0) -> Mask:
        """Where a way of up to n to one of the targets may begin.

        It enters hexes of `through` only, its first hex may also be one of `first`. From the hexes `near` one
        step that counts one leads to a target off the map. The targets themselves are among the beginnings.
        """
        dry, hard, soft, run = self.dry, self.hard, self.soft, self.run
        back, by_road = self.country.back, self.roads.back
        # the hexes from which what is left of a way counts c, in the round of c: those that are not dry, and the
        # dry ones by how many dry hexes follow at once; with `run` of them behind it a dry hex may not be entered
        plain, dries = targets & ~dry, [targets & dry] + [0] * run
        known, known_dry = 0, [0] * (run + 1)  # the same up to this round, dry hexes with so many behind them or fewer
        late = 0  # hard hexes of the round before, which count one more
        reached = reached_before = 0  # what a first step may lead into; the same without the last round
        for c in range(n):
            fresh = plain & ~known
            known |= fresh
            reached_before = reached
            reached |= fresh
            fresh &= through
            around = back(fresh & soft | late)
            late = fresh & hard
            if late:
                around |= by_road(late)
            if c == 0:
                around |= near
            plain, following = around & ~dry, [around & dry]
            for r in range(run):
                fresh = dries[r] & ~known_dry[r]
                if fresh:
                    for more in range(r, run + 1):
                        known_dry[more] |= fresh
                    reached |= fresh
                    around = back(fresh & through)
                    plain |= around & ~dry
                    following.append(around & dry)
                else:
                    following.append(0)
            known_dry[run] |= dries[run]
            dries = following
        found = known | plain | known_dry[run]
        for part in dries:
            found |= part
        if n:
            easier = reached & first
            found |= self.first.back(easier & ~hard) | by_road(easier & hard)
            found |= self.first.back(reached_before & first & hard)
        return found


def way_along(steps: Neighbours, sides: Sides, through: Mask, start: Hex, goals: Mask) -> list[Hex]:
    """The shortest way over these hexsides, through open hexes into a goal; the start left out, [] if there is none."""
    came: dict[Hex, Hex] = {start: -1}
    queue = [start]
    for h in queue:
        if goals >> h & 1:
            path = []
            while h != start:
                path.append(h)
                h = came[h]
            return path[::-1]
        for d, n in steps[h]:
            if sides[d] >> h & 1 and through >> n & 1 and n not in came:
                came[n] = h
                queue.append(n)
    return []


def first_with(growing: list[Mask], h: Hex) -> int:
    """The number of the first of these sets, each a part of the next, that holds a hex; how many there are if none."""
    low, high = 0, len(growing)
    while low < high:
        middle = low + high >> 1
        if growing[middle] >> h & 1:
            high = middle
        else:
            low = middle + 1
    return low


class Berths:
    """Some units, each with a place at one of its sources; others may ask whether there is room for them too.

    `claims` are the sources (as a mask) of each unit, `room` is how many units each source serves. A unit finds room
    if need be by moving others to another of their sources.
    """

    __slots__ = ("_claims", "_room", "_taken", "all_served")

    def __init__(self, claims: Mapping[int, Mask], room: Mapping[Hex, int], units: int) -> None:
        self._claims = claims
        self._room = room
        self._taken: dict[Hex, list[int]] = {source: [] for source in room}
        self.all_served = True
        """Whether every one of the units has found a place."""
        for u in units_of(units):
            self.all_served = self._find(u, set(), True) and self.all_served

    def has_room(self, u: int) -> bool:
        """Whether one more unit can be served beside those that are."""
        return self._find(u, set(), False)

    def _find(self, u: int, seen: set[Hex], settle: bool) -> bool:
        """Look for a place, trying no source twice. With `settle` the places change hands."""
        for source in hexes_of(self._claims[u]):
            if source in seen:
                continue
            seen.add(source)
            there = self._taken[source]
            if len(there) < self._room[source]:
                if settle:
                    there.append(u)
                return True
            for i, other in enumerate(there):
                if self._find(other, seen, settle):
                    if settle:
                        there[i] = u
                    return True
        return False
