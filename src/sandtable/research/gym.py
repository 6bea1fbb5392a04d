"""A seat of a game as a Gymnasium environment; the other seat is played by a computer."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from sandtable import registry
from sandtable.engine.seats import seat_at

from .desk import Desk, Observation

MOST = 20_000
"""Decisions after which an episode is cut off."""


def observation_space(desk: Desk) -> spaces.Dict:
    """The arrays of an observation, none of them bounded."""
    shapes = {**desk.reader.shapes._asdict(), "begun": (desk.heads.longest,)}
    return spaces.Dict({name: spaces.Box(-np.inf, np.inf, shape, np.float32) for name, shape in shapes.items()})


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """`side` learns against `opponent`, a player by its name. An action is a part of a decision: the verb, then each
    argument; `info["action_mask"]` says which numbers may be chosen. Any other number stands for the choice at its
    place, counted around, or is an error with `strict`. The reward is 1 for a win and -1 for a loss, at the end."""

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str = "rommel",
        scenario: str = "gazala",
        side: str = "axis",
        opponent: str = "random",
        strict: bool = False,
        most: int = MOST,
    ) -> None:
        self.game = registry.get(game)
        registry.scenario(self.game, scenario)
        self.side = self.game.info.sides.index(side)
        self.opponent, self.strict, self.most = opponent, strict, most
        self.desk = Desk(self.game, scenario)
        self.observation_space = observation_space(self.desk)
        self.action_space = spaces.Discrete(self.desk.heads.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.desk.deal(int(self.np_random.integers(2**31)))
        self.player = registry.player(self.game, self.opponent)(self.game, self.desk.rng)
        self._answer()
        return self.desk.observe(self.side), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        desk = self.desk
        if desk.side is None:
            raise gymnasium.error.ResetNeeded("the game is over: reset the environment")
        desk.choose(int(action) if self.strict else desk.nearest(int(action)))
        self._answer()
        over = desk.side is None
        cut = not over and desk.decisions >= self.most
        return desk.observe(self.side), desk.scores()[self.side], over, cut, self._info()

    def _answer(self) -> None:
        """Let the other side decide until it is this one's turn."""
        desk = self.desk
        while desk.side is not None and desk.side != self.side and desk.decisions < self.most:
            desk.take(self.player.choose(seat_at(self.game, desk.state, desk.side)))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.desk.mask(), "head": self.desk.heads.head(self.desk.choosing.begun)}
