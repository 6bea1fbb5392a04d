"""What boards are made of: who owns a lip, where a vertex lies, and what an imported board is read as."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.alternate import broken_terrain
from sandtable.games.asl.boards.art import BoardArt
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.layout import lay_out
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.boards.vasl import Survey, _same_area, _write_scenario
from sandtable.games.asl.los.sight import Sightlines

from ..kit import ground

marked = partial(pytest.mark.rule, "asl")


@marked("F4.4b")
def test_the_lip_of_a_deir_is_the_deirs() -> None:
    found = 0
    for id in asl_pack().boards:
        field = Battlefield(asl_pack(), lay_out(asl_pack(), {"boards": [{"id": id}]}))
        for d in range(6):
            for h in hexes_of(field.sides["lip"][d]):
                found += 1
                assert bool(field.owned["lip"][d] >> h & 1) is field.has("deir", h)
    assert found


@marked("A2.1")
def test_three_hexes_share_a_vertex_of_an_imported_board() -> None:
    survey = Survey(BoardArt(330, 200, ((0, "open"),), bytes(66000)))
    east = survey.vertex(5, 5, 1)
    assert survey.vertex(6, 4, 3) == pytest.approx(east)
    assert survey.vertex(6, 5, 5) == pytest.approx(east)
    west = survey.vertex(5, 5, 4)
    assert survey.vertex(4, 4, 2) == pytest.approx(west)
    assert survey.vertex(4, 5, 0) == pytest.approx(west)


@marked("F5.3a")
def test_a_cliff_on_the_bank_cuts_off_the_side_behind_it() -> None:
    """A wadi through the middle of a hex, with a cliff right on its northern bank."""
    wide, high = 330, 200
    cx, cy = Survey(BoardArt(wide, high, ((0, "open"),), bytes(wide * high))).centre(5, 5)
    rows = bytes(2 if cy - 3 <= y < cy + 3 else 1 if cy - 5 <= y < cy - 3 else 0 for y in range(high))
    art = BoardArt(wide, high, ((0, "open"), (0, "cliff"), (-2, "wadi")), rows * wide)
    survey = Survey(art)
    assert survey.behind_cliff(5, 5, 0)
    assert not survey.behind_cliff(5, 5, 3)
    assert int(cx) == 41


@marked("A2.1")
def test_houses_of_the_next_hexes_make_no_building_hex() -> None:
    """They stand beyond all four slanting hexsides, and none of them in the hex itself."""
    wide, high = 1056, 645
    plain = Survey(BoardArt(wide, high, ((0, "open"),), bytes(wide * high)))
    cx, cy = plain.centre(5, 5)
    corners = bytes(
        0.45 < abs(x - cx) / plain.wide < 0.58 and 0.3 < abs(y - cy) / plain.high < 0.43
        for x in range(wide)
        for y in range(high)
    )
    survey = Survey(BoardArt(wide, high, ((0, "open"), (0, "building_stone")), corners))
    assert survey.hexes[5, 5].terrain == "open"


@marked("A2.9")
@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("H5", "L5", True),
        ("H5", "M5", False),
        ("H5", "G5", False),
        ("R5", "X9", True),
        ("R5", "Y9", False),
        ("R5", "X10", False),
        ("AA5", "S5", True),
        ("AA5", "L5", False),
    ],
)
def test_forces_on_an_imported_board_stay_in_their_area(name: str, other: str, same: bool) -> None:
    assert _same_area(name, other) is same


@marked("A2.9")
@pytest.mark.parametrize(("word", "there"), [("open", True), ("wadi", False), ("woods", False)])
def test_the_first_scenario_is_laid_on_plain_ground_of_a_board(word: str, there: bool, tmp_path: Path) -> None:
    _write_scenario(tmp_path, "T9", Survey(BoardArt(330, 200, ((0, word),), bytes(66000))))
    assert (tmp_path / "s01_on_T9.toml").is_file() is there


@marked("A6.3b")
@pytest.mark.parametrize(("bed", "rule"), [(True, ""), (False, "A6.3b"), (None, "")])
def test_the_line_along_a_wadi_stays_on_its_drawn_bed(bed: bool | None, rule: str, monkeypatch: Any) -> None:
    """Where the art of a hex says nothing of the line, nothing is in its way."""
    hexes = {name: {"forms": {"wadi"}} for name in ("M4", "M5", "M6")}
    field = ground(hexes, [("M4", "M5", "wadi"), ("M5", "M6", "wadi")])
    lines = Sightlines(field)
    drawn = SimpleNamespace(at=lambda h: None if bed is None else SimpleNamespace(bed=bed))
    monkeypatch.setattr(lines, "_trace", lambda a, b, met: drawn)
    monkeypatch.setattr(lines, "mixed", lambda h: True)
    a, b = (Spot(field.hex(f"D1.{name}"), Place.IN) for name in ("M4", "M6"))
    block = lines._off_the_bed(lines.way(a, b), a, b)
    assert (block.rule if block else "") == rule


@marked("F12.41a")
def test_a_wadi_cliff_keeps_two_wadis_apart() -> None:
    """The end of a wadi overlay beside another wadi joins it, but not across a cliff that stands between them."""
    plain = Battlefield(asl_pack(), lay_out(asl_pack(), {"boards": [{"id": "D3"}]}))
    cliffs = joins = 0
    for h in hexes_of(plain.form["wadi"] & ~plain.half):
        for d, n in plain.grid.neighbours[h]:
            beyond = plain.grid.neighbour(n, d)
            if plain.has("wadi", n) or beyond < 0 or plain.has("wadi", beyond) or plain.half >> beyond & 1:
                continue
            if plain.half >> n & 1 or (cliffs and joins):
                continue
            first, second = (plain.name(one).partition(".")[2] for one in (n, beyond))
            entry = {"id": "ovW4", "board": "D3", "hex1": first, "hex2": second}
            field = Battlefield(asl_pack(), lay_out(asl_pack(), {"boards": [{"id": "D3"}], "overlays": [entry]}))
            if field.covered >> h & 1:
                continue
            apart = plain.side("wadi_cliff", h, d)
            assert field.side("wadi", h, d) is not apart, plain.name(h)
            cliffs, joins = cliffs + apart, joins + (not apart)
    assert cliffs
    assert joins


@marked("F13.1c")
def test_no_wadi_becomes_broken() -> None:
    """Only Open Ground that is no Depression does."""
    layout = lay_out(asl_pack(), {"boards": [{"id": "D3"}]})
    wadi = next(at for at, cell in layout.cells.items() if "wadi" in cell.forms and cell.terrain == "open")
    rocks = next(at for at in layout.accessible(wadi) if "wadi" not in layout.cells[at].forms)
    layout.cells[rocks].terrain = "hammada"
    plain = Battlefield(asl_pack(), layout)
    broken_terrain(layout)
    broken = Battlefield(asl_pack(), layout)
    beside = plain.accessible_to(plain.ground["hammada"]) & plain.ground["open"]
    assert beside & broken.form["wadi"]
    assert not broken.ground["broken_hex"] & broken.form["wadi"]
    assert {broken.terrain[h] for h in hexes_of(beside & broken.form["wadi"])} == {"open"}


@marked("F.2c")
def test_a_mixed_hex_that_holds_a_wadi_is_desert() -> None:
    pack = asl_pack()
    mixed = replace(pack, boards={**pack.boards, "D2": replace(pack.boards["D2"], desert=False)}, laid={})
    layout = lay_out(mixed, {"boards": [{"id": "D1"}, {"id": "D2", "y": 1}]})
    plain = Battlefield(mixed, layout)
    shared = hexes_of(plain.boards["D1"] & plain.boards["D2"] & ~plain.desert)
    at = plain.place[shared[0]]
    layout.cells[at].forms.add("wadi")
    field = Battlefield(mixed, layout)
    assert field.desert >> shared[0] & 1
    assert not field.desert >> shared[1] & 1


@marked("F4.5b", "F6.4b", "F12.2a")
def test_each_overlay_is_a_deir_or_hillock_of_its_own() -> None:
    entries = [{"id": "ovH1", "board": "D1", "hex1": one, "hex2": two} for one, two in (("H5", "H4"), ("T5", "T4"))]
    layout = lay_out(asl_pack(), {"boards": [{"id": "D1"}], "overlays": entries})
    field = Battlefield(asl_pack(), layout)
    masses = [{field.mass[field.hex(name)] for name in names} for names in (("D1.H5", "D1.H4"), ("D1.T5", "D1.T4"))]
    assert [len(one) for one in masses] == [1, 1]
    assert 0 not in masses[0] | masses[1]
    assert masses[0] != masses[1]
