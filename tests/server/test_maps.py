"""Maps are drawn and games listed once: palettes are style sheets over one drawing; what was kept is never old."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sandtable import registry
from sandtable.engine.drawing import PALETTES
from sandtable.engine.packs import Joined, pack_of
from sandtable.server.library import build, catalogue, kept, maps


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "BUILT", tmp_path / "built")
    monkeypatch.setattr(kept, "_own", lambda: tmp_path / "own")
    return tmp_path


def test_a_palette_is_a_style_sheet_over_the_one_drawing(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bool] = []
    draw = maps.draw
    monkeypatch.setattr(maps, "draw", lambda pack, style, names: drawn.append(names) or draw(pack, style, names))
    catalogue._map_svg.cache_clear()
    catalogue.drawn.cache_clear()
    found = {palette: catalogue.map_svg("rommel", palette, names=False) for palette in PALETTES}
    assert drawn == [False]
    plain = found["css"]
    assert plain is not None
    for palette, document in found.items():
        assert document is not None
        text = document.body.decode()
        ElementTree.fromstring(text)
        if palette != "css":
            assert f"--sea:{PALETTES[palette]['sea']};" in text
            assert len(text) - len(plain.body.decode()) < 8000
    # The next start finds it kept.
    catalogue._map_svg.cache_clear()
    catalogue.drawn.cache_clear()
    catalogue.map_svg("rommel", "dark", names=False)
    assert drawn == [False]
    catalogue._map_svg.cache_clear()
    catalogue.drawn.cache_clear()


def test_what_is_built_is_taken_and_what_is_old_goes(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "draw", lambda pack, style, names: f"<svg><title/>{pack.folder.parent.name}</svg>")
    (folders / "built").mkdir()
    (folders / "built" / "rommel-0123.svg").write_text("old")
    build.main()
    built = {path.name.split("-")[0] for path in (folders / "built").glob("*.svg")}
    found = {name: registry.get(name) for name in registry.names()}
    assert built == {name for name, game in found.items() if catalogue.has_map(game) and not isinstance(game, Joined)}
    assert not (folders / "built" / "rommel-0123.svg").exists()
    game = registry.get("rommel")
    pack, style = pack_of(game), maps.style_of(game)
    assert pack is not None
    assert style is not None
    monkeypatch.setattr(maps, "draw", lambda *_: pytest.fail("it was built already"))
    assert maps.map_of(game, pack, style, names=False) == "<svg><title/>rommel</svg>"


def test_another_style_is_another_map() -> None:
    game = registry.get("rommel")
    pack, style = pack_of(game), maps.style_of(game)
    assert pack is not None
    assert style is not None
    assert maps.fingerprint(pack, style) == maps.fingerprint(pack, style)
    assert maps.fingerprint(pack, style) != maps.fingerprint(pack, replace(style, line=2.0))


COLD = """
import sys
from pathlib import Path
from sandtable import registry
from sandtable.engine.drawing import scene
from sandtable.engine.packs import pack
from sandtable.server import app
from sandtable.server.library import catalogue, kept, maps

def never(*_, **__):
    raise AssertionError("the lobby does not need this")

maps.draw = scene.Scene.__init__ = pack.load_pack = never
kept.BUILT, kept._own = Path(sys.argv[1]), lambda: Path(sys.argv[2])
sys.stdout.buffer.write(catalogue.catalogue(tuple(registry.names())).body)
games = sorted(name for name in sys.modules if name.startswith("sandtable.games.") and name.count(".") > 2)
assert not games, games
"""


def test_the_first_lobby_of_a_cold_server_loads_no_game(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted is what is done, not the time: no rules imported, no pack or board read, no map drawn."""
    monkeypatch.setattr(maps, "draw", lambda *_, **__: "<svg/>")
    (folders / "built").mkdir()
    (folders / "built" / "catalogue-0123.json").write_text("old")
    build.main()
    assert len(list((folders / "built").glob("catalogue-*.json"))) == 1
    command = [sys.executable, "-c", COLD, str(folders / "built"), str(folders / "own")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [game["id"] for game in found] == registry.names()
    assert found == json.loads(catalogue.listing(tuple(registry.names())))
    assert not (folders / "own").exists()


def test_a_changed_game_is_listed_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "newgame"
    (home / "data").mkdir(parents=True)
    (home / "game.py").write_text("GAME = 1")
    scenario = home / "data" / "one.toml"
    scenario.write_text('title = "One"')
    (home / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(registry.GAMES, "newgame", "newgame.game:GAME")
    before = kept.sources(["rommel", "newgame"])
    assert kept.sources(["rommel", "newgame"]) == before
    scenario.write_text('title = "Two"')
    assert kept.sources(["rommel", "newgame"]) != before
    assert kept.sources(["rommel"]) != kept.sources(["rommel", "newgame"])
