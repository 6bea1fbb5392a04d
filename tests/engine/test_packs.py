"""The pack loader: the Rommel pack as it is, and small packs broken in one way each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import sandtable.games.rommel
from sandtable.engine.hexes import count, opposite, touching
from sandtable.engine.packs import Fault, Pack, PackError, check_pack, config_overrides, load_pack, placements
from sandtable.engine.packs.files import key_lines
from sandtable.engine.packs.gridforms import grid_spec

ROMMEL = Path(sandtable.games.rommel.__file__).parent / "data"

FILES = {
    "grid.toml": """\
orientation = "pointy"
numbering = "RRCC"
rows = [1, 3]
columns_odd_rows = [1, 4]
columns_even_rows = [1, 3]
offset_rows = "even"
hex_count = 11
[neighbours]
odd_rows = { E = [0, 1], W = [0, -1], NE = [-1, 0], NW = [-1, -1], SE = [1, 0], SW = [1, -1] }
even_rows = { E = [0, 1], W = [0, -1], NE = [-1, 1], NW = [-1, 0], SE = [1, 1], SW = [1, 0] }
""",
    "hexes.csv": """\
hex,terrain,tags,name,source
0101,sea,,,book
0102,sea,,,book
0103,land,coastal,,book
0104,land,coastal|capacity:2,Port,book
0201,land,,,book
0202,land,,Well,book
0203,land,,,book
0301,land,,,book
0302,land,,,book
0303,land,,,book
0304,land,impassable,,book
""",
    "hexsides.csv": """\
hex,neighbour,kind,high,source
0201,0202,ridge,0202,book
0202,0302,ridge,,book
""",
    "links.csv": """\
hex,neighbour,kind,source
0103,0104,road,book
0202,0203,track,book
0202,0203,rail,book
""",
    "places.csv": """\
name,name_ja,hex,kind,lat,lon,attributes,source
Port,,0104,town,31.5,24.25,port;capacity=2,book
Gap,,0202,pass,,,hexside=0201/0202,book
""",
    "units.csv": """\
id,name,side,nation,type,steps,source
A1,First,axis,german,armour,2,book
A2,"Second, the",axis,german,infantry,1,book
B1,Third,allied,british,armour,2,book
""",
    "tables.toml": """\
[combat]
results = ["hit", "miss"]
[costs]
clear = 1
rough = 2
""",
    "pack.toml": """\
[units]
whole = ["steps"]
choices = { side = ["axis", "allied"] }
[tables]
needed = ["combat.results", "costs"]
[scenarios]
needed = ["title"]
hexes = ["areas.*"]
units = ["reserve"]
once = ["arrivals.*"]
""",
    "scenarios/first.toml": """\
id = "first"
title = "The first"

[setup]
A1 = "0103"
B1 = "0302"

[arrivals]
"2" = ["A2"]

[areas]
axis = ["0201", "0202"]
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small pack without a fault."""
    return write(tmp_path / "pack", FILES)


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def change(folder: Path, name: str, old: str, new: str) -> Path:
    text = FILES[name]
    assert old in text
    return write(folder, {name: text.replace(old, new, 1)})


def texts(folder: Path, *overrides: Path) -> list[str]:
    return [str(fault) for fault in check_pack(folder, overrides)]


# ---------------------------------------------------------------- the Rommel pack


@pytest.fixture(scope="module")
def rommel() -> Pack:
    return load_pack(ROMMEL)


def test_rommel_has_no_fault() -> None:
    assert check_pack(ROMMEL) == []


def test_rommel_map(rommel: Pack) -> None:
    assert len(rommel.hexes) == len(rommel.grid.hexes) == 265
    assert {kind: count(mask) for kind, mask in rommel.terrain.items()} == {
        "land": 169,
        "sea": 89,
        "depression": 7,
    }
    assert rommel.impassable == rommel.terrain["sea"] | rommel.terrain["depression"]
    tobruk = rommel.hexes[rommel.hex("Tobruk")]
    assert (tobruk.id, tobruk.tag("capacity")) == ("0313", "5")
    assert rommel.tagged("coastal") & 1 << tobruk.hex
    assert rommel.name(rommel.hex("0313")) == "Tobruk"
    assert rommel.place("Tobruk").attributes["axis_capacity"] == "2"


def test_rommel_sides_and_links(rommel: Pack) -> None:
    assert {kind: sum(map(count, sides)) // 2 for kind, sides in rommel.sides.items()} == {
        "ridge": 25,
        "mountain": 21,
        "marsh": 19,
        "sea": 1,
    }
    assert {kind: sum(map(count, links)) // 2 for kind, links in rommel.links.items()} == {
        "trail": 80,
        "track": 50,
        "coast_road": 36,
    }
    assert count(touching(rommel.links["coast_road"])) == 37  # one line of 36 steps
    for edge in (*rommel.hexsides, *rommel.ways):
        table = rommel.sides if edge in rommel.hexsides else rommel.links
        assert table[edge.kind][edge.direction] >> edge.hex & 1
        assert table[edge.kind][opposite(edge.direction)] >> edge.neighbour & 1


def test_rommel_sides_by_condition(rommel: Pack) -> None:
    gorges = rommel.sides_where(lambda edge: edge.row.yes("gorge"))
    halfaya = rommel.place("Halfaya Pass")
    assert halfaya.side == rommel.hex("0615")
    assert gorges[rommel.grid.direction(halfaya.hex, halfaya.side)] >> halfaya.hex & 1
    road = rommel.links_where(lambda edge: edge.name == "Coast road")
    assert road == rommel.links["coast_road"]


def test_rommel_units_and_scenarios(rommel: Pack) -> None:
    assert len(rommel.units) == 120
    panzer = rommel.units["GE-PZ5"]
    assert (panzer.whole("speed"), panzer.number("victory_weight"), panzer.yes("elite")) == (3, 1.5, True)
    assert panzer.parts("cv_values") == ("6", "4", "2")
    assert panzer.whole("optional_speed", 0) == 0
    assert (panzer.file, panzer.line) == ("units.csv", 3)
    assert set(rommel.scenarios) == {
        "1940",
        "1941",
        "1942",
        "battleaxe",
        "campaign",
        "crusader",
        "gazala",
        "pursuit",
    }
    setup = rommel.setup("1941")
    assert len(setup) == 20
    assert {placed.unit: placed.at for placed in setup}["CW-24A"] == "0313"


def test_grid_is_that_of_the_book(rommel: Pack) -> None:
    grid = rommel.grid
    capuzzo, bardia = rommel.hex("Fort Capuzzo"), rommel.hex("Bardia")
    assert grid.directions[grid.direction(bardia, capuzzo)] == "SW"


# ---------------------------------------------------------------- forms of grid.toml


def test_columns_that_rise_westward() -> None:
    spec = grid_spec(
        {
            "orientation": "pointy",
            "numbering": "RRCC",
            "rows": [10, 12],
            "columns": [10, 14],
            "offset_rows": "odd",
            "neighbours": {
                "even_row": {"east": [0, -1], "west": [0, 1], "north_east": [-1, -1], "north_west": [-1, 0]},
                "odd_row": {"east": [0, -1], "west": [0, 1], "north_east": [-1, 0], "north_west": [-1, 1]},
            },
        },
        {},
    )
    assert (spec.columns, spec.shifted, spec.shift) == ("west", "odd", "west")


def test_rows_that_rise_northward() -> None:
    spec = grid_spec(
        {
            "orientation": "pointy",
            "numbering": "RRCC",
            "row_first": 10,
            "row_last": 40,
            "row_direction": "north",
            "col_first": 1,
            "col_last": 80,
            "col_direction": "east",
            "offset_rows": "even",
        },
        {},
    )
    assert (len(spec.cells), spec.rows, spec.shifted) == (31 * 80, "north", "even")


def test_flat_columns() -> None:
    spec = grid_spec(
        {
            "orientation": "flat",
            "numbering": "CCRR: two digits column, two digits row",
            "col_min": 1,
            "col_max": 70,
            "row_min": 1,
            "row_max": 48,
            "offset": "even columns are half a hex lower (further south) than odd columns",
        },
        {},
    )
    assert (spec.orientation, len(spec.cells), spec.shifted) == ("flat", 3360, "even")
    assert ("7004", 4, 70) in spec.cells


def test_hexes_cut_from_the_rectangle(folder: Path) -> None:
    change(folder, "grid.toml", "hex_count = 11", 'hex_count = 10\noff_rectangle = ["0304"]')
    change(folder, "hexes.csv", "0304,land,impassable,,book\n", "")
    assert "0304" not in load_pack(folder).grid.index


def test_other_packs_of_the_project() -> None:
    """The grid forms against other packs, in the folder that SANDTABLE_PACKS names."""
    folder = os.environ.get("SANDTABLE_PACKS", "")
    found = [path for path in Path(folder).glob("*") if folder and (path / "grid.toml").is_file()]
    if not found:
        pytest.skip("SANDTABLE_PACKS names no folder of packs")
    assert {path.name: check_pack(path) for path in found} == {path.name: [] for path in found}


# ---------------------------------------------------------------- a small pack, whole


def test_small_pack(folder: Path) -> None:
    pack = load_pack(folder)
    assert pack.rises["ridge"][pack.grid.direction(pack.hex("0201"), pack.hex("0202"))] == 1 << pack.hex("0201")
    assert sum(map(count, pack.rises["ridge"])) == 1
    assert pack.units["A2"]["name"] == "Second, the"
    assert pack.tables["costs"]["rough"] == 2
    assert pack.hex("well") == pack.hex("0202")
    with pytest.raises(PackError, match=r"^units\.csv:2: there is no column 'colour'$"):
        pack.units["A1"]["colour"]


def test_set_ups_in_every_form() -> None:
    nested = {"setup": {"axis": {"A": "0101"}, "zone": {"z": {"hexes": ["0102"], "default": {"B": "0102"}}}}}
    assert [(p.unit, p.at) for p in placements(nested)] == [("A", "0101"), ("B", "0102")]
    array = {"setup": [{"unit": "A", "at": "box:tripoli", "state": "full"}]}
    assert [(p.unit, p.at) for p in placements(array)] == [("A", "box:tripoli")]
    stacks = {"setup_axis": [{"hex": "0101", "units": ["A", "B"], "source": "book"}]}
    assert [(p.unit, p.at) for p in placements(stacks)] == [("A", "0101"), ("B", "0101")]


def test_toml_keys_know_their_lines() -> None:
    text = 'a = 1\n[b]\n"c.d" = """\n[not]\nx = 1\n"""\ne = [\n  1,\n]\n[[f]]\ng = 1\n[[f]]\ng = { h = 2 }\n'
    assert key_lines(text) == {
        ("a",): 1,
        ("b",): 2,
        ("b", "c.d"): 3,
        ("b", "e"): 7,
        ("f", 0): 10,
        ("f", 0, "g"): 11,
        ("f", 1): 12,
        ("f", 1, "g"): 13,
    }


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
