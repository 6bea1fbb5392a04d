"""Who can be served by sources that serve a few each: units that only ports with little capacity can supply."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.hexes import Hex, Mask, hexes_of

from .masks import units_of


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
