"""One game as a sequence of parts: what all adapters stand on."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandtable.engine.contract import CHANCE, Action, Game
from sandtable.engine.dice import QuickDice

from .features import Reader
from .heads import Choosing, Heads

Observation = dict[str, Any]


class Desk:
    """A game in progress whose decisions are made part by part; dice fall by themselves."""

    def __init__(self, game: Game[Any], scenario: str, options: dict[str, bool] | None = None) -> None:
        self.game, self.scenario, self.options = game, scenario, dict(options or {})
        self.heads, self.reader = Heads(game), Reader(game)
        self.deal(0)

    def deal(self, seed: int | str) -> None:
        """Begin anew; the same seed and the same choices give the same game."""
        self.rng = Random(f"sandtable {seed}")
        self.state = self.game.new(self.scenario, self.options)
        self.decisions = 0
        self._settle()

    def _settle(self) -> None:
        dice = QuickDice(self.rng)
        while self.game.to_act(self.state) == CHANCE:
            self.game.apply(self.state, self.game.roll(self.state, dice).action)
        over = self.game.to_act(self.state) is None
        self.choosing = Choosing(self.heads, [] if over else self.game.legal(self.state))

    @property
    def side(self) -> int | None:
        """Who chooses the next part; None when the game is over."""
        return self.game.to_act(self.state)

    def choices(self) -> list[int]:
        return self.choosing.choices()

    def nearest(self, part: int) -> int:
        """A choice for any number: itself if it is one, or else the one at this place, counted around."""
        some = self.choices()
        return part if part in some else some[part % len(some)]

    def choose(self, part: int) -> Action | None:
        """Take a part; what was done, if the action is whole."""
        action = self.choosing.choose(part)
        if action is not None:
            self.game.apply(self.state, action)
            self.decisions += 1
            self._settle()
        return action

    def take(self, action: Action) -> None:
        """Do a whole action at once."""
        self.game.apply(self.state, action)
        self.decisions += 1
        self._settle()

    def scores(self) -> list[float]:
        """1 for who has won, -1 for who has lost, 0 for a draw or a game that goes on."""
        end = self.game.outcome(self.state)
        count = len(self.game.info.sides)
        if end is None or end.winner is None:
            return [0.0] * count
        return [1.0 if side == end.winner else -1.0 for side in range(count)]

    def mask(self) -> NDArray[np.int8]:
        found = np.zeros(self.heads.size, np.int8)
        found[self.choices()] = 1
        return found

    def begun(self) -> NDArray[np.float32]:
        """The parts chosen so far, each plus one; zeros for those to come."""
        found = np.zeros(self.heads.longest, np.float32)
        found[: len(self.choosing.begun)] = [part + 1 for part in self.choosing.begun]
        return found

    def observe(self, side: int) -> Observation:
        """What a side may know as arrays."""
        planes, units, table = self.reader.features(self.game.view(self.state, side))
        mine = side == self.side
        return {
            "planes": planes,
            "units": units,
            "globals": table,
            "begun": self.begun() if mine else np.zeros(self.heads.longest, np.float32),
        }
