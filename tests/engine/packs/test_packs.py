"""The pack loader: the Rommel pack as it is, and small packs broken in one way each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.engine.hexes import count, opposite, touching
from sandtable.engine.packs import Pack, PackError, check_pack, load_pack, placements
from sandtable.engine.packs.files import key_lines
from sandtable.engine.packs.gridforms import grid_spec

from .packskit import ROMMEL, change


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
        "first_battle",
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
