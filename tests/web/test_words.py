"""The browser's words for a game keep step with the game's own, for every game of the registry."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sandtable import registry

WEB = Path(__file__).resolve().parents[2] / "web" / "src" / "lib"
GAMES = registry.names()
CHANCE = {"rolled", "hits", "dealt"}  # what no player does


def keys(game: str, *names: str) -> set[str]:
    """The keys of objects of these names, in all Japanese modules of a game."""
    found: set[str] = set()
    for file in sorted((WEB / "games" / game).glob("*ja.ts")):
        text = file.read_text(encoding="utf-8")
        for name in names:
            for body in re.finditer(rf"const {name}: [^=]+ = \{{\n(.*?)\n\}};", text, re.DOTALL):
                pattern = r'^  (?:"([^"]+)"|(\w+))(?::|,$)'
                found |= {match[1] or match[2] for match in re.finditer(pattern, body[1], re.MULTILINE)}
    assert found, names
    return found


def lines(game: str) -> set[str]:
    one: Any = registry.get(game)
    return set(one.lines)


def verbs(game: str) -> set[str]:
    one: Any = registry.get(game)
    return {verb.word for verb in one.codec.verbs}


@pytest.mark.parametrize("game", GAMES)
def test_every_event_has_a_japanese_line(game: str) -> None:
    assert lines(game) - keys(game, "EVENTS") == set()


@pytest.mark.parametrize("game", GAMES)
def test_no_japanese_line_is_of_an_event_that_is_no_more(game: str) -> None:
    assert keys(game, "EVENTS") - lines(game) == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_player_has_a_japanese_line(game: str) -> None:
    assert verbs(game) - CHANCE - keys(game, "ACTIONS") == set()
    assert keys(game, "ACTIONS") - verbs(game) == set()


@pytest.mark.parametrize("game", GAMES)
def test_phases_and_sides_are_japanese(game: str) -> None:
    scene = import_module(f"sandtable.games.{game}.shown.scene")
    phases: dict[str, str] = dict(scene.PHASE_TITLES if hasattr(scene, "PHASE_TITLES") else scene.PHASES)
    assert set(phases.values()) | set(registry.get(game).info.side_titles) <= keys(game, "TERMS", "SCENE")


@pytest.mark.parametrize("game", GAMES)
def test_title_notes_and_options_are_japanese(game: str) -> None:
    text = (WEB / "games" / game / "ja.ts").read_text(encoding="utf-8")
    one = registry.get(game)
    assert f'  title: "{one.info.title_ja}",' in text
    wanted = {scenario.id for scenario in one.scenarios()} | {option.id for option in one.options()}
    assert {name for name in wanted if not re.search(rf'^    "?{name}"?: "', text, re.MULTILINE)} == set()


@pytest.mark.parametrize(
    ("game", "scenario"), [(game, one.id) for game in GAMES for one in registry.get(game).scenarios()]
)
def test_scenarios_stand_in_the_lobby(game: str, scenario: str) -> None:
    lobby = (WEB / "games" / game / "lobby.ts").read_text(encoding="utf-8")
    assert re.search(rf'^    "?{scenario}"?: \{{\s*dates: "', lobby, re.MULTILINE)


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
