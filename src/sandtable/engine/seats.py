"""A seat at the table: what a player is given, and what it must do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from .contract import Action, Game, Odds, Prompt, View


class Seat:
    """One side's place at the table: all that its player may know.

    `legal` are the actions to choose from; it belongs to the game, and must not be changed. `pick(random)` is any of
    them, each with the same chance, for a player that wants no list.
    `legal`, `prompt()`, `view()` and `odds(action)` are made when they are asked for.
    """

    __slots__ = ("_list", "odds", "pick", "prompt", "side", "view")

    def __init__(
        self,
        side: int,
        legal: Callable[[], Sequence[Action]],
        pick: Callable[[Callable[[], float]], Action],
        prompt: Callable[[], Prompt],
        view: Callable[[], View],
        odds: Callable[[Action], Odds | None],
    ) -> None:
        self.side = side
        self._list = legal
        self.pick = pick
        self.prompt = prompt
        self.view = view
        self.odds = odds

    @property
    def legal(self) -> Sequence[Action]:
        return self._list()


def seat_at(game: Game[Any], state: Any, side: int) -> Seat:
    """The seat of a side at a state; it stays right while the game changes that state in place."""
    return Seat(
        side,
        lambda: game.legal(state),
        lambda random: game.pick(state, random),
        lambda: game.prompt(state),
        lambda: game.view(state, side),
        lambda action: game.odds(state, action),
    )


class Player(Protocol):
    """Chooses one of the legal actions, from what its seat may know."""

    def choose(self, seat: Seat) -> Action: ...


class PlayerFactory(Protocol):
    """Makes a player for one side of one game."""

    def __call__(self, game: Game[Any], rng: Random) -> Player: ...
