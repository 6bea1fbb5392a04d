"""The pack loader: faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.engine.packs import Fault, Pack, PackError, check_pack, config_overrides, load_pack

from .packskit import FILES, change, write


def texts(folder: Path, *overrides: Path) -> list[str]:
    return [str(fault) for fault in check_pack(folder, overrides)]


# ---------------------------------------------------------------- one fault each

BROKEN = {
    "hex off the grid": (
        "hexes.csv",
        "0304,land",
        "9999,land",
        "hexes.csv:12: hex '9999' is not on the grid",
    ),
    "hex twice": ("hexes.csv", "0102,sea", "0101,sea", "hexes.csv:3: hex '0101' is there twice (see line 2)"),
    "hex without a row": ("hexes.csv", "0101,sea,,,book\n", "", "hexes.csv: hex '0101' has no row"),
    "unknown column": (
        "hexes.csv",
        "name,source",
        "nane,source",
        "hexes.csv:1: column 'nane' is unknown",
    ),
    "missing column": ("links.csv", "kind,source", "sort,source", "links.csv:1: column 'kind' is missing"),
    "column twice": ("links.csv", "kind,source", "kind,kind", "links.csv:1: column 'kind' stands twice"),
    "empty field": ("hexes.csv", "0201,land", "0201,", "hexes.csv:6: terrain is empty"),
    "too few cells": ("hexes.csv", "0201,land,,,book", "0201,land", "hexes.csv:6: 2 cells under 5 columns"),
    "open quote": ("units.csv", 'the"', "the", "units.csv:3: this is not CSV: unexpected end of data"),
    "not a whole number": (
        "units.csv",
        "armour,2",
        "armour,x",
        "units.csv:2: steps 'x' is not a whole number",
    ),
    "not a number": ("places.csv", "31.5", "31°", "places.csv:2: lat '31°' is not a number"),
    "not a choice": ("units.csv", "axis", "axes", "units.csv:2: side 'axes' is none of axis, allied"),
    "side between hexes that do not touch": (
        "hexsides.csv",
        "0201,0202",
        "0201,0203",
        "hexsides.csv:2: hexes '0201' and '0203' are not adjacent",
    ),
    "side twice": (
        "hexsides.csv",
        "0202,0302,ridge",
        "0202,0201,ridge",
        "hexsides.csv:3: ridge between '0202' and '0201' is there twice (see line 2)",
    ),
    "high on neither side": (
        "hexsides.csv",
        "ridge,0202",
        "ridge,0303",
        "hexsides.csv:2: high '0303' is neither of the two hexes",
    ),
    "link between hexes that do not touch": (
        "links.csv",
        "0103,0104",
        "0103,0304",
        "links.csv:2: hexes '0103' and '0304' are not adjacent",
    ),
    "neighbour off the grid": (
        "links.csv",
        "0103,0104",
        "0103,0105",
        "links.csv:2: neighbour '0105' is not on the grid",
    ),
    "place off the grid": ("places.csv", "0104", "0109", "places.csv:2: hex '0109' is not on the grid"),
    "place on no side": (
        "places.csv",
        "0201/0202",
        "0201/0301",
        "places.csv:3: '0201/0301' is not a side of hex '0202'",
    ),
    "unit twice": ("units.csv", "B1,", "A1,", "units.csv:4: unit 'A1' is there twice (see line 2)"),
    "table missing": (
        "tables.toml",
        "results",
        "result",
        "tables.toml: table 'combat.results' is missing",
    ),
    "TOML syntax": ("tables.toml", "clear = 1", "clear = ", "tables.toml:4: Invalid value"),
    "grid without a form": (
        "grid.toml",
        "rows = [1, 3]",
        "lines = [1, 3]",
        "grid.toml:1: 'rows' is missing",
    ),
    "count of hexes": (
        "grid.toml",
        "hex_count = 11",
        "hex_count = 12",
        "grid.toml:7: hex_count is 12, but the ranges give 11 hexes",
    ),
    "neighbours that contradict the offset": (
        "grid.toml",
        "NE = [-1, 0]",
        "NE = [-1, -1]",
        "grid.toml:8: [neighbours] puts 0201 NE of 0302, the grid does not",
    ),
    "unit unknown": (
        "scenarios/first.toml",
        "B1 =",
        "B9 =",
        "scenarios/first.toml:6: unit 'B9' is not in units.csv",
    ),
    "unit placed twice": (
        "scenarios/first.toml",
        '["A2"]',
        '["A2", "A1"]',
        "scenarios/first.toml:9: unit 'A1' is placed twice (see line 5)",
    ),
    "unit twice in the set-up": (
        "scenarios/first.toml",
        "B1 =",
        "A1 =",
        "scenarios/first.toml:6: Cannot overwrite a value",
    ),
    "unit off the grid": (
        "scenarios/first.toml",
        '"0302"',
        '"0399"',
        "scenarios/first.toml:6: hex '0399' is not on the grid",
    ),
    "unit at sea": (
        "scenarios/first.toml",
        '"0302"',
        '"0102"',
        "scenarios/first.toml:6: unit 'B1' stands on the impassable hex '0102'",
    ),
    "unit on an impassable hex": (
        "scenarios/first.toml",
        '"0302"',
        '"0304"',
        "scenarios/first.toml:6: unit 'B1' stands on the impassable hex '0304'",
    ),
    "area off the grid": (
        "scenarios/first.toml",
        '"0202"]',
        '"0222"]',
        "scenarios/first.toml:12: hex '0222' is not on the grid",
    ),
    "key of a scenario missing": (
        "scenarios/first.toml",
        "title",
        "name",
        "scenarios/first.toml:1: 'title' is missing",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_fault(folder: Path, case: str) -> None:
    name, old, new, expected = BROKEN[case]
    change(folder, name, old, new)
    assert expected in texts(folder)
    with pytest.raises(PackError) as error:
        load_pack(folder)
    assert expected in map(str, error.value.faults)


def test_error_text_is_file_line_fault(folder: Path) -> None:
    change(folder, "hexes.csv", "0304,land", "9999,land")
    with pytest.raises(PackError) as error:
        load_pack(folder)
    assert error.value.faults[1] == Fault("hexes.csv", 12, "hex '9999' is not on the grid")
    assert str(PackError("hexes.csv", 17, "hex '9999' is not on the grid")) == (
        "hexes.csv:17: hex '9999' is not on the grid"
    )


def test_all_faults_are_told(folder: Path) -> None:
    change(folder, "hexes.csv", "0304,land", "9999,land")
    change(folder, "units.csv", "armour,2", "armour,x")
    change(folder, "scenarios/first.toml", '"0302"', '"0102"')
    assert texts(folder) == [
        "hexes.csv: hex '0304' has no row",
        "hexes.csv:12: hex '9999' is not on the grid",
        "scenarios/first.toml:6: unit 'B1' stands on the impassable hex '0102'",
        "units.csv:2: steps 'x' is not a whole number",
    ]


def test_missing_files(folder: Path, tmp_path: Path) -> None:
    (folder / "links.csv").unlink()
    (folder / "grid.toml").unlink()
    assert texts(folder) == ["grid.toml: the file is missing", "links.csv: the file is missing"]
    assert texts(tmp_path / "nowhere") == [f"{tmp_path / 'nowhere'}: there is no such folder"]


def test_empty_and_unreadable_files(folder: Path) -> None:
    (folder / "links.csv").write_bytes(b"")
    (folder / "units.csv").write_bytes(b"id,name\n\xff\xfe,x\n")
    (folder / "grid.toml").write_bytes(b"")
    assert "links.csv: the file is empty: it has no header" in texts(folder)
    assert "units.csv:2: the file is not UTF-8 text" in texts(folder)
    write(folder, {name: FILES[name] for name in ("links.csv", "units.csv")})
    assert texts(folder) == ["grid.toml:1: 'orientation' is missing"]


def test_a_game_adds_its_own_checks(folder: Path) -> None:
    def extra(pack: Pack) -> list[Fault]:
        return [row.fault("no step") for row in pack.units.values() if row.whole("steps") < 2]

    assert list(map(str, check_pack(folder, extra=extra))) == ["units.csv:3: no step"]
    with pytest.raises(PackError, match=r"^units\.csv:3: no step$"):
        load_pack(folder, extra=extra)


# ---------------------------------------------------------------- overrides


def test_override_replaces_rows_and_adds_new_ones(folder: Path, tmp_path: Path) -> None:
    over = write(
        tmp_path / "over",
        {
            "hexes.csv": "hex,terrain\n0103,rough\n",
            "links.csv": "hex,neighbour,kind\n0203,0202,road\n0301,0302,track\n",
            "places.csv": "name,kind\nPort,city\n",
            "units.csv": "id,name,side,source\nB1,Third renamed,allied,box\nB2,Fourth,allied,box\n",
            "notes.md": "Corrections from my copy.",
        },
    )
    before, after = load_pack(folder), load_pack(folder, [over])
    changed = after.hexes[after.hex("0103")]
    assert (changed.terrain, changed.tags, changed.source) == ("rough", frozenset({"coastal"}), "override")
    assert after.terrain["land"] == before.terrain["land"] & ~(1 << changed.hex)
    assert {edge.kind for edge in after.ways if after.id(edge.hex) == "0203"} == {"road"}
    assert set(after.links) == {"road", "track"}
    assert (after.place("Port").kind, after.place("Port").attributes["capacity"]) == ("city", "2")
    assert (after.units["B1"]["name"], after.units["B1"].whole("steps")) == ("Third renamed", 2)
    assert list(after.units) == ["A1", "A2", "B1", "B2"]
    assert after.units["B1"].file == str(over / "units.csv")


def test_override_takes_a_side_away(folder: Path, tmp_path: Path) -> None:
    over = write(tmp_path / "over", {"hexsides.csv": "hex,neighbour,kind\n0202,0201,none\n"})
    pack = load_pack(folder, [over])
    assert [(pack.id(edge.hex), pack.id(edge.neighbour)) for edge in pack.hexsides] == [("0202", "0302")]


def test_override_merges_tables(folder: Path, tmp_path: Path) -> None:
    over = write(
        tmp_path / "over",
        {
            "tables.toml": "[costs]\nrough = 3\n[new]\nx = 1\n",
            "scenarios/first.toml": '[setup]\nB1 = "0303"\n',
            "scenarios/second.toml": 'id = "second"\ntitle = "Mine"\n[setup]\nA1 = "0103"\n',
        },
    )
    pack = load_pack(folder, [over])
    assert pack.tables == {
        "combat": {"results": ["hit", "miss"]},
        "costs": {"clear": 1, "rough": 3},
        "new": {"x": 1},
    }
    assert pack.scenarios["first"]["setup"] == {"A1": "0103", "B1": "0303"}
    assert pack.scenarios["second"]["title"] == "Mine"


def test_override_replaces_whole_files(folder: Path, tmp_path: Path) -> None:
    over = write(
        tmp_path / "over",
        {
            "links.replace.csv": "hex,neighbour,kind,source\n0301,0302,road,mine\n",
            "scenarios/first.replace.toml": 'id = "first"\ntitle = "Bare"\n',
        },
    )
    pack = load_pack(folder, [over])
    assert set(pack.links) == {"road"}
    assert len(pack.ways) == 1
    assert pack.scenarios["first"] == {"id": "first", "title": "Bare"}


def test_later_overrides_win(folder: Path, tmp_path: Path) -> None:
    first = write(tmp_path / "a", {"tables.toml": "[costs]\nclear = 5\nrough = 5\n"})
    second = write(tmp_path / "b", {"tables.toml": "[costs]\nrough = 7\n"})
    assert load_pack(folder, [first, second]).tables["costs"] == {"clear": 5, "rough": 7}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("hexes.csv", "hex,terrain\n0101,sea\n0999,land\n", "hexes.csv:3: hex '0999' is not on the grid"),
        ("hexes.csv", "terrain\nland\n", "hexes.csv:1: column 'hex' is missing: it says which row is meant"),
        ("hexes.csv", "hex,colour\n0101,red\n", "hexes.csv:1: column 'colour' is unknown"),
        ("hexes.csv", "hex,terrain\n0101,a\n0101,b\n", "hexes.csv:3: hex '0101' is there twice (see line 2)"),
        ("hexes.cvs", "hex\n", "hexes.cvs: this is not a file of a pack"),
        ("unit.csv", "id\n", "unit.csv: this is not a file of a pack"),
        ("tables.toml", "[costs\n", "tables.toml:1: Expected ']' at the end of a table declaration"),
        (
            "scenarios/first.toml",
            '[setup]\n\nB1 = "0101"\n',
            "first.toml:3: unit 'B1' stands on the impassable",
        ),
    ],
)
def test_faulty_override(folder: Path, tmp_path: Path, name: str, text: str, expected: str) -> None:
    over = write(tmp_path / "over", {name: text})
    with pytest.raises(PackError) as error:
        load_pack(folder, [over])
    assert any(expected in str(fault) for fault in error.value.faults)
    assert str(over) in str(error.value)


def test_override_folder_missing(folder: Path, tmp_path: Path) -> None:
    assert texts(folder, tmp_path / "none") == [f"{tmp_path / 'none'}: there is no such override folder"]


def test_config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_overrides("rommel") is None
    mine = tmp_path / "sandtable" / "packs" / "rommel"
    mine.mkdir(parents=True)
    assert config_overrides("rommel") == mine
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    theirs = tmp_path / "home" / ".config" / "sandtable" / "packs" / "na41"
    theirs.mkdir(parents=True)
    assert config_overrides("na41") == theirs
