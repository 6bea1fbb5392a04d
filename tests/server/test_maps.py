"""Maps are drawn once: palettes are style sheets over one drawing, and what was kept is never old."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sandtable import registry
from sandtable.engine.drawing import PALETTES
from sandtable.engine.packs import Joined, pack_of
from sandtable.server.library import catalogue, maps


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(maps, "BUILT", tmp_path / "built")
    monkeypatch.setattr(maps, "_own", lambda: tmp_path / "own")
    return tmp_path


def test_a_palette_is_a_style_sheet_over_the_one_drawing(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bool] = []
    draw = maps.draw
    monkeypatch.setattr(maps, "draw", lambda pack, style, names: drawn.append(names) or draw(pack, style, names))
    catalogue._map_svg.cache_clear()
    catalogue._drawn.cache_clear()
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
    catalogue._drawn.cache_clear()
    catalogue.map_svg("rommel", "dark", names=False)
    assert drawn == [False]
    catalogue._map_svg.cache_clear()
    catalogue._drawn.cache_clear()


def test_what_is_built_is_taken_and_what_is_old_goes(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "draw", lambda pack, style, names: f"<svg><title/>{pack.folder.parent.name}</svg>")
    (folders / "built").mkdir()
    (folders / "built" / "rommel-0123.svg").write_text("old")
    maps.main()
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
