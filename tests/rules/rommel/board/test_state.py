"""The state: copies, equality, pickles."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from sandtable.games.rommel.game import GAME
from sandtable.games.rommel.table.state import State


def played_on(s: State, decisions: int) -> None:
    rng = Random(7)
    for _ in range(decisions):
        chance = GAME.is_chance(s)
        GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action if chance else rng.choice(GAME.legal(s)))


@pytest.mark.parametrize("options", [{}, {"infantry_tanks": True}])
def test_a_pickled_state_is_small_and_comes_back_equal(options: dict[str, bool]) -> None:
    s = GAME.new("crusader", options)
    played_on(s, 150)
    data = pickle.dumps(s)
    assert len(data) < 8_000
    again = pickle.loads(data)
    assert again == s
    assert again.key() == s.key()
    assert again.board is s.board
    assert GAME.legal(again) == GAME.legal(s)


def test_equal_positions_have_equal_keys_and_any_change_makes_another() -> None:
    s = GAME.new("crusader")
    played_on(s, 60)
    other = s.copy()
    assert other == s
    assert hash(other) == hash(s)
    GAME.apply(other, Random(4).choice(GAME.legal(other)))
    assert other != s
    back = s.copy()
    back.bp[1] += 1
    assert back.key() != s.key()
