"""The registry: games, scenarios and players by name, and the nearest right name for a wrong one."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from sandtable import registry
from sandtable.players.random_player import RandomPlayer
from tests.toygame import GAME, First, ToyGame


def test_games_by_name(toy: ToyGame) -> None:
    assert registry.get("toy") is GAME
    assert "rommel" in registry.names()


@pytest.mark.parametrize(
    ("name", "near"),
    [("romel", "rommel"), ("Rommel", "rommel"), ("rom", "rommel"), ("tooy", "toy")],
)
def test_wrong_games_suggest_the_right_ones(name: str, near: str, toy: ToyGame) -> None:
    with pytest.raises(registry.UnknownName) as caught:
        registry.get(name)
    assert near in caught.value.near
    assert str(caught.value).startswith(f"no game is called {name!r}; did you mean ")


def test_names_with_nothing_near_list_all(toy: ToyGame) -> None:
    with pytest.raises(registry.UnknownName) as caught:
        registry.get("xxxxxxxx")
    assert caught.value.near == ()
    assert str(caught.value) == "no game is called 'xxxxxxxx'; there are: " + ", ".join(registry.GAMES)


def test_scenarios_by_name(toy: ToyGame) -> None:
    assert registry.scenario(GAME, "close").title == "At close quarters"
    with pytest.raises(registry.UnknownName, match="no scenario of toy is called 'closed'; did you mean close"):
        registry.scenario(GAME, "closed")


def test_players_by_name(toy: ToyGame) -> None:
    assert registry.player(GAME, "random") is RandomPlayer
    assert registry.player(GAME, "first") is First
    assert isinstance(registry.player(GAME, "first")(GAME, Random(1)), First)
    assert registry.player_names(GAME) == ["random", "first"]
    with pytest.raises(registry.UnknownName, match="no player of toy is called 'frist'; did you mean first"):
        registry.player(GAME, "frist")


def test_games_are_imported_only_when_asked_for() -> None:
    code = "import sys, sandtable.registry; sys.exit(any(m.startswith('sandtable.games.') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
