"""The browser's words for a game keep step with the game's own, for every game of the registry."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sandtable import registry, texts
from sandtable.engine.texts.catalogue import catalogue

WEB = Path(__file__).resolve().parents[2] / "web" / "src" / "lib"
GAMES = registry.names()
LOBBIES = [
    (game, one.id)
    for game in GAMES
    for one in registry.get(game).scenarios()
    if (WEB / "games" / game / "lobby.ts").exists()
]


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_of_a_player_has_a_label(game: str) -> None:
    one: Any = registry.get(game)
    assert [verb.word for verb in one.verbs if not verb.label and "chance" not in verb.roles] == []


@pytest.mark.parametrize("game", GAMES)
def test_phases_sides_summary_and_options_are_japanese(game: str) -> None:
    one = registry.get(game)
    known = texts.speech(one, "ja")
    scene = import_module(f"sandtable.games.{game}.shown.scene")
    phases: dict[str, str] = dict(scene.PHASE_TITLES if hasattr(scene, "PHASE_TITLES") else scene.PHASES)
    wanted = {*phases.values(), *one.info.side_titles, one.info.summary, *(option.title for option in one.options())}
    assert {text for text in wanted if texts.is_words(text)} - set(known) == set()


@pytest.mark.parametrize("game", GAMES)
def test_what_the_lobby_says_of_a_scenario_is_japanese(game: str) -> None:
    one = registry.get(game)
    known = {**texts.speech(one, "ja"), **catalogue(WEB.parents[1] / "text" / "ja.po")}
    assert [found.note for found in one.scenarios() if texts.is_words(found.note) and found.note not in known] == []


@pytest.mark.parametrize(("game", "scenario"), LOBBIES)
def test_scenarios_stand_in_the_lobby(game: str, scenario: str) -> None:
    lobby = (WEB / "games" / game / "lobby.ts").read_text(encoding="utf-8")
    assert re.search(rf'\b"?{scenario}"?: \{{\s*dates: "', lobby)


@pytest.mark.parametrize("game", GAMES)
def test_no_module_names_a_game_but_its_presentation(game: str) -> None:
    """Nothing in web/ or server/ names a game, but the small modules for its presentation."""
    server = WEB.parents[2] / "src" / "sandtable" / "server"
    files = [*WEB.parent.rglob("*.ts"), *WEB.parent.rglob("*.svelte"), *server.rglob("*.py")]
    found = [
        str(path)
        for path in files
        if WEB / "games" not in path.parents and game in path.read_text(encoding="utf-8").lower()
    ]
    assert found == []
