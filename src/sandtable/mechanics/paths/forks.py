"""Several legs from one place, in order of preference: each hex is for the first that leads there."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.hexes import Hex, Mask

from .legs import Leg, Way

FEW = 4  # after so many places out of reach it is better to search for all that are not


class Fork:
    """Legs of a move in modes that exclude each other. Legs of the same mode are one: the cheapest of them counts."""

    __slots__ = ("_masks", "_refused", "_ways", "legs")

    def __init__(self, legs: Sequence[Leg]) -> None:
        self.legs = legs
        self._ways: dict[Hex, tuple[Leg, Way] | None] = {}
        self._masks: dict[int, Mask] | None = None
        self._refused = 0  # places that proved out of reach

    def everywhere(self) -> dict[int, Mask]:
        """By mode, the places for which it is the first that leads there."""
        found = self._masks
        if found is None:
            found = {}
            taken = last = 0
            mode = -1
            for leg in self.legs:
                if leg.mode != mode:
                    taken |= last
                    mode, last = leg.mode, 0
                last |= leg.everywhere()
                found[mode] = last & ~taken
            self._masks = found
        return found

    def to(self, h: Hex) -> tuple[Leg, Way] | None:
        """The leg that leads there, its cost and way; None if there is none."""
        if h in self._ways:
            return self._ways[h]
        best: tuple[Leg, Way] | None = None
        masks = self._masks
        for leg in self.legs:
            if best is not None and leg.mode != best[0].mode:
                break
            if masks is not None and not masks[leg.mode] >> h & 1:
                continue
            way = leg.to(h)
            if way is not None and (best is None or way.cost < best[1].cost):
                best = leg, way
        if best is None:
            self._refused += 1
        self._ways[h] = best
        return best

    def possible(self) -> Mask:
        """The places that can be reached and perhaps some that cannot."""
        found = 0
        if self._refused >= FEW or self._masks is not None:
            for mask in self.everywhere().values():
                found |= mask
            return found
        for leg in self.legs:
            found |= leg.possible()
        return found
