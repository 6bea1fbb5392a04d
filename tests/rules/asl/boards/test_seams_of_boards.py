"""What boards are made of: who owns a lip, where a vertex lies, and what an imported board is read as."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.engine.hexes import hexes_of
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
