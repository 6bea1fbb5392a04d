"""Moves counted in steps, by ways of several classes side by side: by good roads alone, by any road, anywhere.

Each class has steps of its own and may go so many steps farther; a hex is in reach if a way of one class gets there.
The map lies several times over in one number, a lane for each class, so that one shift moves the fronts of all of them.
A leg answers as `legs.Leg` does: `everywhere`, `to`, `draw`, `why`. Where it must stop (`stop`), it also knows by which
side it comes in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.floods import layers
from sandtable.engine.hexes import Grid, Hex, Mask, Sides, opposite

from .legs import CLOSED, ENDS, NO_WAY, NOTHING, STOPPED, TOO_FAR, Hindrance

ANYWHERE = -1  # by whatever side


class Lanes:
    """The classes of way on one map, the best roads first, that of all steps last."""

    __slots__ = (
        "alive",
        "at",
        "bonus",
        "edge",
        "exits",
        "folds",
        "grid",
        "near",
        "ones",
        "open",
        "sheet",
        "steps",
        "width",
    )

    def __init__(
        self, grid: Grid, classes: Sequence[Sides], bonus: Sequence[int], exits: Sequence[Mask], width: int
    ) -> None:
        """By class: the hexes that may be left in each direction, the steps it goes farther, and the hexes from which
        its way goes on over the edge of the map."""
        count = len(classes)
        self.grid = grid
        self.open = classes[-1]
        self.bonus = tuple(bonus)
        self.exits = tuple(exits)
        self.width = width
        self.at = at = tuple((count - 1 - c) * width for c in range(count))  # the first bit of each lane
        self.ones = sum(1 << first for first in at)  # bit 0 of every lane
        self.sheet: Mask = (1 << width) - 1  # the whole lane of all steps: the last class, which lies first
        # by direction, the hexes that may be left so, on each lane by the ways of its class
        self.steps: Sides = tuple(
            sum(sides[d] << first for first, sides in zip(at, classes, strict=True)) for d in range(6)
        )
        # [k]: the lanes that go k steps farther, or more
        self.alive = tuple(
            sum(self.sheet << at[c] for c in range(count) if bonus[c] >= k) for k in range(max(bonus) + 1)
        )
        self.edge: Mask = sum(mask << first for first, mask in zip(at, exits, strict=True))
        self.near = grid.stride - 1
        self.folds = tuple(width << i for i in range((count - 1).bit_length() - 1, -1, -1))

    def fold(self, m: Mask) -> Mask:
        """The hexes that lie on any lane."""
        for shift in self.folds:
            m |= m >> shift
        return m & self.sheet

    def only_through(self, steps: Sides, start: Hex, sides: int) -> Sides:
        """The same steps, but the start is left only through these of its sides (a bit a direction)."""
        shut = ~(self.ones << start)
        return tuple(mask if sides >> d & 1 else mask & shut for d, mask in enumerate(steps))

    def only_by(self, sides: Sequence[Mask]) -> Sides:
        """The steps of every class that leave these hexes in these directions."""
        ones = self.ones
        return tuple(mask & sides[d] * ones if sides[d] else 0 for d, mask in enumerate(self.steps))


class LaneWay(NamedTuple):
    """The steps, the hexes entered in order, and the class of the way."""

    cost: int
    path: tuple[Hex, ...]
    lane: int


class LaneLeg:
    """One move from one hex."""

    __slots__ = (
        "_lanes",
        "_steps",
        "by_side",
        "engaged",
        "exits",
        "free",
        "fronts",
        "passable",
        "points",
        "start",
        "stop",
    )

    def __init__(
        self, lanes: Lanes, start: Hex, points: int, passable: Mask, stop: Mask = 0, steps: Sides | None = None
    ) -> None:
        """It goes on through passable hexes, ends in those of `stop` and enters no other. `steps`, if given, are the
        only steps that it may make (on each lane)."""
        self._lanes = lanes
        self.start = start
        self.points = points
        self.passable = passable
        self.stop = stop
        self.free: Mask = 0  # passable hexes that can be reached
        self.by_side: tuple[Mask, ...] = (0,) * 6  # hexes to stop in that can be entered through their side d
        self.engaged: Mask = 0  # the same through any side
        self.exits: Mask = 0  # hexes from which the map can be left
        self._steps = lanes.steps if steps is None else steps
        self.fronts: list[Mask] = []  # [n]: the hexes first reached after n steps, on each lane
        self._spread()

    def _spread(self) -> None:
        """Step by step, all classes at once."""
        lanes, points = self._lanes, self.points
        alive, near = lanes.alive, lanes.near
        east, north_east, north_west, west, south_west, south_east = self._steps
        front = lanes.ones << self.start
        left = self.passable
        for shift in reversed(lanes.folds):
            left |= left << shift
        left &= ~front
        self.fronts = fronts = [front]
        reached = sources = 0  # sources: with at least one step left
        for n in range(1, points + len(alive)):
            if n > points:
                front &= alive[n - points]
            sources |= front
            down = front & south_west | (front & south_east) << 1
            up = front & north_east | (front & north_west) >> 1
            front = ((front & east) << 1 | (front & west) >> 1 | down << near | up >> near) & left
            if not front:
                break
            left ^= front
            reached |= front
            fronts.append(front)
        self.free = lanes.fold(reached)
        out = sources & lanes.edge
        if out:
            self.exits = lanes.fold(out)
        if self.stop:
            self._meet(sources)

    def _meet(self, sources: Mask) -> None:
        """Where it must stop, by the side of the hex."""
        fold, shift = self._lanes.fold, self._lanes.grid.shift
        by_side = [0] * 6
        for d, steps in enumerate(self._steps):
            met, n = fold(sources & steps), shift[d]
            by_side[opposite(d)] = met = (met << n if n > 0 else met >> -n) & self.stop
            self.engaged |= met
        self.by_side = tuple(by_side)

    # What can be asked

    def everywhere(self) -> Mask:
        """All hexes in which it can end."""
        return self.free | self.engaged

    def to(self, h: Hex, via: int = ANYWHERE) -> LaneWay | None:
        """The shortest way to a hex, through its side `via` if it must stop there; among equals by the best road. None
        if there is none."""
        lanes = self._lanes
        last = h if via == ANYWHERE else lanes.grid.neighbour(h, via)
        across = lanes.ones if via == ANYWHERE else self._steps[opposite(via)] >> last & lanes.ones
        for n, front in enumerate(self.fronts):
            there = front >> last & across
            while there:
                lane = len(lanes.at) - 1 - (there.bit_length() - 1) // lanes.width
                if via == ANYWHERE:
                    return LaneWay(n, tuple(self._back(h, lane, n)), lane)
                if n < self.limit(lane):
                    return LaneWay(n + 1, (*self._back(last, lane, n), h), lane)
                there ^= 1 << there.bit_length() - 1
        return None

    def off(self, h: Hex) -> LaneWay | None:
        """The shortest way to a hex with one step left to go over the edge of the map."""
        ways = [
            (n, lane)
            for lane, exits in enumerate(self._lanes.exits)
            if exits >> h & 1 and 0 <= (n := self.steps_to(h, lane)) < self.limit(lane)
        ]
        if not ways:
            return None
        n, lane = min(ways)
        return LaneWay(n, tuple(self._back(h, lane, n)), lane)

    def why(self, h: Hex) -> Hindrance:
        """What keeps it from a hex."""
        lanes, has = self._lanes, self.points
        if h == self.start or self.everywhere() >> h & 1:
            return Hindrance(ENDS if h == self.start else NOTHING, -1, has)
        away = layers(lanes.grid, 1 << self.start, lanes.open)
        needs = next((n for n, hexes in enumerate(away) if hexes >> h & 1), -1)
        if needs < 0:
            return Hindrance(NO_WAY, -1, has)
        if LaneLeg(lanes, self.start, has, lanes.sheet).free >> h & 1:
            return Hindrance(STOPPED if (self.passable | self.stop) >> h & 1 else CLOSED, needs, has)
        return Hindrance(TOO_FAR, needs, has)

    def limit(self, lane: int) -> int:
        """How many steps a way of this class may have."""
        return self.points + self._lanes.bonus[lane]

    def steps_to(self, h: Hex, lane: int) -> int:
        """How many steps a way of this class needs to a passable hex, -1 if it does not get there."""
        bit = self._lanes.at[lane] + h
        for n, front in enumerate(self.fronts):
            if front >> bit & 1:
                return n
        return -1

    def _back(self, h: Hex, lane: int, n: int) -> list[Hex]:
        """The hexes entered on the way of n steps to h, found from its end; the first direction that fits is taken."""
        shift, first = self._lanes.grid.shift, self._lanes.at[lane]
        way: list[Hex] = []
        while n:
            way.append(h)
            n -= 1
            front = self.fronts[n] >> first
            for d in range(6):
                before = h - shift[d]
                if before >= 0 and front >> before & 1 and self._steps[d] >> first + before & 1:
                    h = before
                    break
        way.reverse()
        return way
