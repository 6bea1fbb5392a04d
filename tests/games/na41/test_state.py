"""The state is small when it is pickled, comes back equal, and counts nothing twice."""

from __future__ import annotations

import pickle
from random import Random

from sandtable.games.na41.game import GAME


def test_a_pickled_state_is_small_and_comes_back_equal() -> None:
    s, rng = GAME.new("s2_campaign"), Random(41)
    for _ in range(400):
        action = (
            GAME.roll(s, lambda sides: rng.randint(1, sides)).action if GAME.is_chance(s) else GAME.pick(s, rng.random)
        )
        GAME.apply(s, action)
    data = pickle.dumps(s)
    assert len(data) < 20_000
    again = pickle.loads(data)
    assert again == s
    assert again.board is s.board
    assert GAME.view(again, 0) == GAME.view(s, 0)
    assert GAME.legal(again) == GAME.legal(s)
