"""6.1-6.3 Where one move can lead, for how many half points, and by which hexes.

Layers of hexes by points spent, as in mechanics: besides terrain there are surcharges for entering some hexes
(EZOCs, works), hexes that end the move, and chains that a unit may not follow: from one EZOC into another (6.22).
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.marching import GO, HALTS, Rates

from ..table.board import Board
from ..table.ground import Ground
from ..table.ids import ALPINE, FOOT, MOTORIZED, ROAD_BOUND

Tolls = tuple[tuple[int, Mask], ...]
"""Half points more to enter these hexes; the sets do not overlap."""


class Terms(NamedTuple):
    """What one move may do."""

    points: int
    closed: Mask  # never entered
    tolls: Tolls = ()
    stop: Mask = 0  # entered, and the move is over
    chain: Mask = 0  # no step from one of these into another
    fresh: bool = True  # nothing has been spent: the minimum move is open (6.13)
    first: Mask = 0  # more hexes that the minimum move may lead to (6.44)


def rates(board: Board, ground: Ground, kind: int) -> Rates:
    """What every step of the map costs one kind of mover, worked out once."""
    key = f"rates {ground.column} {kind}"
    found: Rates | None = board.kept.get(key)
    if found is None:

        def rate(h: Hex, d: int, n: Hex) -> tuple[int, int]:
            cost, stops = ground.step(kind, h, d, n)
            return cost, HALTS if stops else GO

        found = board.kept[key] = Rates(board.grid, rate)
    return found


class Reach:
    """Where one move can lead."""

    __slots__ = ("ended", "hexes", "layers", "least", "rates", "start", "terms")

    def __init__(self, of: Rates, start: Hex, terms: Terms) -> None:
        self.rates = of
        self.start = start
        self.terms = terms
        self._spread()

    def _spread(self) -> None:
        of, terms, start = self.rates, self.terms, self.start
        points, closed, tolls, stop, chain = terms.points, terms.closed, terms.tolls, terms.stop, terms.chain
        tolled = 0
        for _, mask in tolls:
            tolled |= mask
        due, ended = [0] * (points + 1), [0] * (points + 1)
        due[0] = 1 << start
        left = of.grid.all & ~closed | 1 << start
        go, halting = of.go, of.halting
        halting_in = of.halting_in
        last = points - of.least
        near = of.grid.stride - 1
        for spent in range(points + 1):
            front = due[spent] & left
            due[spent] = front
            left ^= front
            if stop and spent:
                front &= ~stop
            if spent > last or not front:
                continue
            for part, barred in ((front & ~chain, 0), (front & chain, chain)) if front & chain else ((front, 0),):
                if not part:
                    continue
                b, c, e, f = part >> near, part >> 1, part << 1, part << near
                a, g = c >> near, e << near
                around = a | b | c | e | f | g
                if not around & left & ~barred:
                    continue
                for cost, entered, every, some, (m, n, o, p, q, r) in go:
                    at = spent + cost
                    if at > points:
                        break
                    if around & entered:
                        new = around & every
                        if around & some:
                            new |= a & m | b & n | c & o | e & p | f & q | g & r
                        new &= left & ~barred
                        if new & tolled:
                            for toll, mask in tolls:
                                if at + toll <= points:
                                    due[at + toll] |= new & mask
                            new &= ~tolled
                        due[at] |= new
                if around & halting_in:
                    for cost, entered, every, _, (m, n, o, p, q, r) in halting:
                        at = spent + cost
                        if at > points:
                            break
                        if around & entered:
                            new = around & every | a & m | b & n | c & o | e & p | f & q | g & r
                            new &= ~closed & ~barred
                            if new & tolled:
                                for toll, mask in tolls:
                                    if at + toll <= points:
                                        ended[at + toll] |= new & mask
                                new &= ~tolled
                            ended[at] |= new
        # 6.13 the minimum move: one hex for the whole MA
        self.least: Mask = (of.exits[start] | terms.first) & ~closed if terms.fresh else 0
        found = self.least
        for layer in due:
            found |= layer
        for layer in ended:
            found |= layer
        self.layers = due
        self.ended = ended
        self.hexes: Mask = found & ~(1 << start)

    def within(self, points: int) -> Mask:
        """All hexes that so many half points lead to, the start excepted; the minimum move takes all of them."""
        found = self.least if points >= self.terms.points else 0
        for layer in self.layers[: points + 1]:
            found |= layer
        for layer in self.ended[: points + 1]:
            found |= layer
        return found & ~(1 << self.start)

    def cost(self, h: Hex) -> int:
        """The fewest half points to get there; a minimum move costs the whole MA; -1 if it is out of reach."""
        bit = 1 << h
        for points, layer in enumerate(self.layers):
            if (layer | self.ended[points]) & bit:
                return points
        return self.terms.points if self.least & bit else -1

    def goes_on(self, h: Hex) -> bool:
        """Whether a move may go on from there: no step into it and nothing in it has ended the move."""
        bit = 1 << h
        if self.terms.stop & bit:
            return False
        return any(layer & bit for layer in self.layers)

    def path(self, h: Hex) -> list[Hex]:
        """The hexes entered on a cheapest way there, in order; [] if it is out of reach."""
        bit = 1 << h
        points = -1
        halted = False
        for spent, layer in enumerate(self.layers):
            if (layer | self.ended[spent]) & bit:
                points, halted = spent, not layer & bit
                break
        if points < 0:
            return [h] if self.least & bit else []
        way = [h]
        n, points = self._before(h, points, halted)
        while n != self.start:
            way.append(n)
            n, points = self._before(n, points, False)
        way.reverse()
        return way

    def _before(self, h: Hex, points: int, halted: bool) -> tuple[Hex, int]:
        terms = self.terms
        toll = next((toll for toll, mask in terms.tolls if mask >> h & 1), 0)
        chained = terms.chain >> h & 1
        for n, _, price, flags in self.rates.ways[h]:
            at = points - price - toll
            if at < 0 or bool(flags & HALTS) != halted or not self.layers[at] >> n & 1:
                continue
            if chained and terms.chain >> n & 1:
                continue
            if n != self.start and terms.stop >> n & 1:
                continue
            return n, at
        raise AssertionError("a hex was reached from nowhere")


__all__ = ["ALPINE", "FOOT", "MOTORIZED", "ROAD_BOUND", "Reach", "Terms", "Tolls", "rates"]
