"""Many games at once, in step: for self-play with one network that answers for all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable import registry

from .desk import Desk


class Batch(NamedTuple):
    """What all games ask: arrays with the game as their first side."""

    observations: dict[str, NDArray[np.float32]]
    masks: NDArray[np.int8]
    sides: NDArray[np.int64]
    """Who chooses in each game."""


class Ended(NamedTuple):
    """A game that came to its end, and what each side got."""

    place: int
    scores: list[float]
    decisions: int


class Tables:
    """`count` games of one scenario. One that ends is told, and another begins in its place.

    The same seed and the same choices give the same games: the number of a game decides its dice, not its place.
    """

    def __init__(self, game: str, scenario: str, count: int, seed: int = 0, most: int = 20_000) -> None:
        rules = registry.get(game)
        registry.scenario(rules, scenario)
        if count < 1:
            raise ValueError(f"at least one game is played, not {count}")
        self.seed, self.most, self.begun = seed, most, 0
        self.desks = [Desk(rules, scenario) for _ in range(count)]
        for desk in self.desks:
            self._deal(desk)

    @property
    def size(self) -> int:
        """How many numbers a part may be chosen from."""
        return self.desks[0].heads.size

    def _deal(self, desk: Desk) -> None:
        desk.deal(f"{self.seed} {self.begun}")
        self.begun += 1

    def observe(self) -> Batch:
        """The view of whoever chooses, in each game."""
        sides = [desk.side or 0 for desk in self.desks]
        seen = [desk.observe(side) for desk, side in zip(self.desks, sides, strict=True)]
        arrays: dict[str, Any] = {name: np.stack([one[name] for one in seen]) for name in seen[0]}
        return Batch(arrays, np.stack([desk.mask() for desk in self.desks]), np.array(sides))

    def step(self, parts: Sequence[int] | NDArray[Any]) -> list[Ended]:
        """One part in each game; those that ended with it."""
        ended = []
        for place, (desk, part) in enumerate(zip(self.desks, parts, strict=True)):
            desk.choose(int(part))
            if desk.side is None or desk.decisions >= self.most:
                ended.append(Ended(place, desk.scores(), desk.decisions))
                self._deal(desk)
        return ended
