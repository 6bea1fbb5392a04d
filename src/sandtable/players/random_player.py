"""The player that takes any legal action."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.contract import Action, Game

from .base import Seat


class RandomPlayer:
    """Uniform over the legal actions."""

    __slots__ = ("_random",)

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self._random = rng.random

    def choose(self, seat: Seat) -> Action:
        return seat.pick(self._random)
