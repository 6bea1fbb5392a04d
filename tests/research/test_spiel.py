"""The adapter for OpenSpiel, by OpenSpiel's own test where it is installed."""

from __future__ import annotations

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install open_spiel")


def test_openspiel_plays_it_at_random() -> None:
    from sandtable.research.spiel import load, random_game

    game = load("rommel", "battleaxe")
    assert game.num_players() == 2
    state = random_game(game, 3)
    assert state.is_terminal()
    assert sum(state.returns()) == 0.0
    again = random_game(game, 3)
    assert again.history() == state.history()
    pyspiel.random_sim_test(game, 1, serialize=False, verbose=False)
