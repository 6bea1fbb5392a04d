"""Tables of sight: the same answers as the rules give afresh, kept in a folder and taken up again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.games.asl.boards.battlefield import battlefield, scenario_battlefield
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.los import tables
from sandtable.games.asl.los.tables import DUG_IN, GROUND, IN, SightTable


@pytest.mark.parametrize("id", ["D3", "D4", "D6"])
def test_the_table_says_what_the_rules_say(id: str) -> None:
    field = battlefield({"boards": [{"id": id}]})
    table = SightTable(field)
    hexes = field.grid.hexes
    for a in hexes[::17]:
        for how, theirs in ((GROUND, GROUND), (DUG_IN, GROUND), (GROUND, DUG_IN)):
            one = Spot(a, dug_in=how == DUG_IN)
            seen = table.row(a, how, theirs).seen
            for b in hexes[::5]:
                other = Spot(b, dug_in=theirs == DUG_IN)
                los = table.look(one, other)
                assert los.clear == bool(seen >> b & 1) == table.sees(one, other)
                if los.clear:
                    assert table.hindrance(one, other) == los.hindrance
                assert (los.block is None) == los.clear
                if los.block is not None:
                    assert los.block.rule
                    assert field.grid.names[los.block.hex]


def test_what_is_seen_of_units_in_wadis() -> None:
    field = battlefield({"boards": [{"id": "D3"}]})
    table = SightTable(field)
    p6 = field.hex("D3.P6")
    assert table.seen_from(Spot(p6, Place.IN), IN) & ~field.form["wadi"] == 0
    assert table.seen_from(Spot(p6, Place.IN)).bit_count() < table.seen_from(Spot(p6, Place.CREST)).bit_count()


def test_a_table_is_kept_and_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    field = scenario_battlefield("s01_capuzzo_outpost")
    table = SightTable(field, folder=tmp_path)
    table.prepare()
    kept = list(tmp_path.iterdir())
    assert kept == [table.path()]
    assert "asl-" + field.fingerprint() in kept[0].name
    again = SightTable(field, folder=tmp_path)
    monkeypatch.setattr(again, "_all", lambda: pytest.fail("it was made again"))
    again.prepare()
    assert [again.row(h) for h in field.grid.hexes] == [table.row(h) for h in field.grid.hexes]
    kept[0].write_bytes(b"not a table")
    broken = SightTable(field, folder=tmp_path)
    broken.prepare()
    assert [broken.row(h) for h in field.grid.hexes] == [table.row(h) for h in field.grid.hexes]


def test_rows_are_kept_as_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    field = battlefield({"boards": [{"id": "D3"}]})
    monkeypatch.setattr(tables, "KEEP", 5)
    table = SightTable(field, folder=tmp_path)
    spots = [(h, how, theirs) for h in field.grid.hexes[:2] for how in (GROUND, IN) for theirs in (GROUND, DUG_IN)]
    made = [table.row(*spot) for spot in spots]
    again = SightTable(field, folder=tmp_path)
    assert len(again.kept()) == 5, "three rows are still to be kept"
    table.keep()
    again = SightTable(field, folder=tmp_path)
    monkeypatch.setattr(again, "_make", lambda *spot: pytest.fail("it was made again"))
    assert [again.row(*spot) for spot in spots] == made
    nowhere = SightTable(field)
    nowhere.keep()
    assert nowhere.kept() == {}
    assert list(tmp_path.iterdir()) == [table.path()]


def test_the_whole_table_is_made_of_the_rules() -> None:
    field = battlefield({"boards": [{"id": "D6"}]})
    whole, rows = SightTable(field), SightTable(field)
    kept = whole._all()
    for h in field.grid.hexes[::13]:
        assert bytes(kept[h]) == rows.row(h).hindrance


def test_tables_of_different_ground_have_different_names(tmp_path: Path) -> None:
    one = battlefield({"boards": [{"id": "D1"}]})
    entry = {"id": "ovH5", "board": "D1", "hex1": "M5", "hex2": "M4"}
    other = battlefield({"boards": [{"id": "D1"}], "overlays": [entry]})
    assert SightTable(one, folder=tmp_path).path() != SightTable(other, folder=tmp_path).path()
    assert SightTable(one, 6, tmp_path).path() != SightTable(one, 1, tmp_path).path()
