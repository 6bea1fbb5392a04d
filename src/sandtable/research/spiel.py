"""A game for OpenSpiel: its sides are players, dice are chance nodes, and a decision is made part by part.

`load(game, scenario)` gives a `pyspiel.Game`. OpenSpiel is not among the requirements: install `open_spiel`.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pyspiel

from sandtable import registry
from sandtable.engine.contract import CHANCE

from .heads import Choosing, Heads

MOST_OUTCOMES = 100_000
LONGEST = 100_000
"""Parts of a game at most."""

TYPE = pyspiel.GameType(
    short_name="python_sandtable",
    long_name="Sandtable: board wargames",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"game": "rommel", "scenario": "battleaxe"},
)


class SandtableGame(pyspiel.Game):  # type: ignore[misc]
    """The rules, for OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"game": "rommel", "scenario": "battleaxe", **(params or {})}
        self.rules = registry.get(given["game"])
        registry.scenario(self.rules, given["scenario"])
        self.scenario: str = given["scenario"]
        self.heads = Heads(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.heads.size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TYPE, info, given)

    def new_initial_state(self) -> SandtableState:
        return SandtableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        return Observer()


class SandtableState(pyspiel.State):  # type: ignore[misc]
    """A table, with the parts of a decision that have been chosen."""

    def __init__(self, game: SandtableGame) -> None:
        super().__init__(game)
        self.rules, self.heads = game.rules, game.heads
        self.table = game.rules.new(game.scenario)
        self._ask()

    def _ask(self) -> None:
        side = self.rules.to_act(self.table)
        legal = self.rules.legal(self.table) if side is not None and side != CHANCE else []
        self.choosing = Choosing(self.heads, legal)

    def current_player(self) -> int:
        side = self.rules.to_act(self.table)
        if side is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if side == CHANCE else side

    def _legal_actions(self, player: int) -> list[int]:
        return self.choosing.choices()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, float(chance)) for i, (_, chance) in enumerate(self.rules.chances(self.table))]

    def _apply_action(self, action: int) -> None:
        if self.rules.to_act(self.table) == CHANCE:
            self.rules.apply(self.table, self.rules.chances(self.table)[action][0])
            self._ask()
        elif (whole := self.choosing.choose(action)) is not None:
            self.rules.apply(self.table, whole)
            self._ask()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return self.rules.text(self.rules.chances(self.table)[action][0])
        return f"{self.heads.head(self.choosing.begun)} {action}"

    def is_terminal(self) -> bool:
        return self.rules.to_act(self.table) is None

    def returns(self) -> list[float]:
        end = self.rules.outcome(self.table)
        if end is None or end.winner is None:
            return [0.0, 0.0]
        return [1.0 if side == end.winner else -1.0 for side in range(2)]

    def __str__(self) -> str:
        """What has been done, in numbers: it tells one table of a game from another."""
        return " ".join(map(str, self.history()))


class Observer:
    """What a player may know, as text."""

    def __init__(self) -> None:
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SandtableState, player: int) -> None:
        """There are no arrays here: see `features`."""

    def string_from(self, state: SandtableState, player: int) -> str:
        view = state.rules.view(state.table, player)
        begun = state.choosing.begun if state.current_player() == player else ()
        return json.dumps([view, begun], default=int)


def load(game: str, scenario: str) -> Any:
    """A game of Sandtable as OpenSpiel has games."""
    return SandtableGame({"game": game, "scenario": scenario})


def random_game(game: SandtableGame, seed: int, most: int = LONGEST) -> SandtableState:
    """A game of random choices, through OpenSpiel's own interface."""
    rng, state = Random(seed), game.new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state
