"""The front of a game's planner: what search players and analysis ask of it, and games played out for them.

A planner counts its work and never times it: the same seed gives the same play on any machine and under any load.
It reads the table that it is given. A player who may not see all of it imagines tables from his view, and asks about
those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from sandtable.engine.contract import CHANCE, Action, Game, State
from sandtable.engine.dice import QuickDice

S = TypeVar("S", bound=State)
P = TypeVar("P")
C = TypeVar("C", bound=State, contravariant=True)  # noqa: PLC0105

Mark = Callable[[S], bool]
"""A moment up to which a game is played out: asked after every action."""


class Front(Protocol[C, P]):
    """A planner with its parameters, for one game; P is what it calls a plan."""

    def plans(self, s: C, side: int, k: int) -> Sequence[P]:
        """The k plans that promise most to a side, the best first."""
        ...

    def play(self, plan: P, s: C, side: int) -> Sequence[Action]:
        """A plan as actions, in order."""
        ...

    def decide(self, s: C, side: int) -> Action:
        """One of the legal actions of the side that is to act."""
        ...

    def evaluate(self, s: C, side: int) -> float:
        """How good a table is for a side; more is better."""
        ...


def playout(
    game: Game[S],
    s: S,
    players: Sequence[Front[S, Any]],
    rng: Random,
    until: Mark[S] | None = None,
    most: int = 20_000,
) -> int:
    """Play a table on in place, up to a mark or to its end; says how many actions that took.

    `players` decide by side, on the table itself; the dice are drawn from `rng`. At least one action is taken before
    the mark is asked for, so that a game can be played from one such moment to the next.
    """
    dice = QuickDice(rng)
    for taken in range(most):
        who = game.to_act(s)
        if who is None or (taken and until is not None and until(s)):
            return taken
        game.apply(s, game.roll(s, dice).action if who == CHANCE else players[who].decide(s, who))
    return most
