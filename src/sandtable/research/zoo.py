"""A game as a PettingZoo environment (AEC): its sides are the agents, and choose their decisions part by part."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from sandtable import registry

from .desk import Desk
from .gym import MOST, observation_space


class TableEnv(AECEnv):  # type: ignore[misc]
    """Every side of a game. An observation holds `observation`, the arrays of the side's view, and `action_mask`."""

    metadata = {"name": "sandtable_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str = "rommel", scenario: str = "gazala", most: int = MOST) -> None:
        super().__init__()
        self.game = registry.get(game)
        registry.scenario(self.game, scenario)
        self.desk, self.most = Desk(self.game, scenario), most
        self.render_mode = None
        self.possible_agents = list(self.game.info.sides)
        size = self.desk.heads.size
        seen = spaces.Dict(
            {"observation": observation_space(self.desk), "action_mask": spaces.Box(0, 1, (size,), np.int8)}
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.desk.deal(int(self.rng.integers(2**31)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def _turn(self) -> None:
        side = self.desk.side
        if side is not None:
            self.agent_selection = self.possible_agents[side]
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> Any:
        side = self.desk.side
        mine = side is not None and agent == self.possible_agents[side]
        return self.desk.mask() if mine else np.zeros(self.desk.heads.size, np.int8)

    def observe(self, agent: str) -> dict[str, Any]:
        side = self.possible_agents.index(agent)
        return {"observation": self.desk.observe(side), "action_mask": self._mask(agent)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.desk.choose(int(action))
        over = self.desk.side is None
        cut = not over and self.desk.decisions >= self.most
        for side, one in enumerate(self.agents):
            self.rewards[one] = self.desk.scores()[side]
            self.terminations[one], self.truncations[one] = over, cut
        self._turn()
        self._accumulate_rewards()

    def render(self) -> None:
        """Nothing is drawn: `sandtable replay --svg` draws saves."""

    def close(self) -> None:
        """There is nothing to close."""
