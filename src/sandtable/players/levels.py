"""How strong the computer plays: the levels, and what each of them spends on a decision."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.contract import Action, Game
from sandtable.engine.seats import Player, Seat

from .search import Searcher, Work, planner_of

STRONG = Work(8, 1)
PATIENT = Work(12, 10)
HINT = Work(5, 0.5, 1_000)
"""What a hint may spend: who asks for one waits for it, so it looks at half of what strong play does."""


def strong(game: Game[Any], rng: Random) -> Player:
    """Plans, imagined worlds and playouts."""
    return Searcher(game, rng, STRONG)


def patient(game: Game[Any], rng: Random) -> Player:
    """The same with ten times the work, for slow play."""
    return Searcher(game, rng, PATIENT)


LAPSE = 0.08
"""How often the easy player does something that came to its mind first."""


class Easy:
    """The planner with a light setting and human lapses: now and then it does the first thing that comes to mind."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self.rng = rng
        self.planner: Any = planner_of(game)(game, rng).light(rng)

    def choose(self, seat: Seat) -> Action:
        action: Action = self.planner.choose(seat)
        if self.rng.random() < LAPSE:
            return self.rng.choice(seat.legal)
        return action
