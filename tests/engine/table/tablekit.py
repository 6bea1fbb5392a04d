"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.contract import Event
from sandtable.engine.dice import derive_seed
from sandtable.engine.table import Table
from tests.toygame import GAME, State

SEED = derive_seed(5)
RED, BLUE = 0, 1


def table(scenario: str = "line", seed: bytes = SEED, **more: Any) -> Table[State]:
    return Table.new(GAME, scenario, seed=seed, **more)


def do(t: Table[State], *texts: str) -> list[Event]:
    return [event for text in texts for event in t.act(GAME.parse(text))]


def set_up(t: Table[State]) -> None:
    do(t, *(f"assign {block}" for block in ("A 1", "B 2", "C 3", "X 1", "Y 2", "Z 3")))


def play(t: Table[Any], rng: Random, most: int = 10_000) -> None:
    while t.to_act is not None and most:
        t.act(rng.choice(t.legal()))
        most -= 1


def turn_of(side: int, scenario: str = "line") -> Table[State]:
    """A table at the beginning of a turn in which this side goes first."""
    for number in range(50):
        t = table(scenario, derive_seed(number))
        set_up(t)
        if t.to_act == side:
            return t
    raise AssertionError
