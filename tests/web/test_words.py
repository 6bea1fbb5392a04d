"""The browser's words for a game keep step with the game's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.games.rommel import scene, texts
from sandtable.games.rommel.game import GAME

WEB = Path(__file__).resolve().parents[2] / "web" / "src" / "lib"
JAPANESE = (WEB / "games" / "rommel.ja.ts").read_text(encoding="utf-8")


def keys(name: str) -> set[str]:
    """The keys of an object of the module."""
    body = re.search(rf"const {name}: [^=]+ = \{{\n(.*?)\n\}};", JAPANESE, re.DOTALL)
    assert body is not None, name
    return {match[1] or match[2] for match in re.finditer(r'^  (?:"([^"]+)"|([\w]+)):', body[1], re.MULTILINE)}


def test_every_event_has_a_japanese_line() -> None:
    assert set(texts.LINES) - keys("EVENTS") == set()


def test_every_action_of_a_player_has_a_japanese_line() -> None:
    chance = {"rolled", "hits", "dealt"}
    assert {verb.word for verb in GAME.codec.verbs} - chance - keys("ACTIONS") == set()


def test_phases_and_sides_are_japanese() -> None:
    assert {title for _, title in scene.PHASES} | set(GAME.info.side_titles) <= keys("TERMS")


@pytest.mark.parametrize("scenario", [one.id for one in GAME.scenarios()])
def test_scenarios_stand_in_the_lobby(scenario: str) -> None:
    lobby = (WEB / "games" / "lobby" / "rommel.ts").read_text(encoding="utf-8")
    assert re.search(rf'^    "?{scenario}"?: \{{ dates: "', lobby, re.MULTILINE)


def test_no_module_names_a_game_but_its_presentation() -> None:
    """Nothing in web/ or server/ names a game, but the small modules for its presentation."""
    server = WEB.parents[2] / "src" / "sandtable" / "server"
    files = [*WEB.parent.rglob("*.ts"), *WEB.parent.rglob("*.svelte"), *server.rglob("*.py")]
    found = [
        str(path)
        for path in files
        if WEB / "games" not in path.parents and "rommel" in path.read_text(encoding="utf-8").lower()
    ]
    assert found == []
