"""The data of the desert: whole, sound, and refused with a reason where they are not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sandtable.engine.ledger import book
from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.battlefield import scenario_battlefield
from sandtable.games.asl.boards.checks import all_faults
from sandtable.games.asl.boards.pack import DATA, asl_pack, load_asl_pack


def test_the_pack_has_no_faults() -> None:
    assert [str(fault) for fault in all_faults()] == []


def test_what_the_pack_holds() -> None:
    pack = asl_pack()
    assert len(pack.boards) == 6
    assert len(pack.overlays) == 43
    assert len(pack.scenarios) == 11
    assert sum(len(rows) for rows in pack.counters.values()) >= 340
    assert pack.counter("ge_pz3g")["id"] == "ge_pz3g"
    with pytest.raises(KeyError, match="no counter has the id 'tiger'"):
        pack.counter("tiger")


def test_the_rulebook_has_both_books() -> None:
    rules = book("asl")
    assert rules is not None
    assert sum(id.startswith("F") for id in rules.rules) == 451
    assert len(rules.rules) == 750


@pytest.mark.parametrize("name", list(asl_pack().scenarios))
def test_every_scenario_has_its_ground(name: str) -> None:
    field = scenario_battlefield(name)
    assert field.grid.hexes
    assert set(field.boards) == {entry["id"] for entry in asl_pack().scenarios[name]["map"]["boards"]}


def copy(tmp_path: Path) -> Path:
    """The pack's own files, to be broken."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("boards/D1_hexes.csv", "C3,0,scrub", "C3,0,jungle", "D1_hexes.csv:25: terrain 'jungle' is none of open"),
        ("boards/D1_hexes.csv", "C3,0,scrub", "C3,0.3,scrub", "level '0.3' is neither whole nor a half"),
        ("boards/D1_hexes.csv", "C3,0,scrub,\n", "", "hex 'C3' has no row"),
        ("boards/D2_hexsides.csv", "C4,D4,lip,", "C4,D4,fence,", "kind 'fence' is none of lip"),
        ("boards/D6_hexsides.csv", "T4,U5,wall,U5", "T4,U5,wall,A1", "high 'A1' is neither of the two hexes"),
        ("scenarios/s05_hafid_ridge.toml", 'hex = "D4.S3"', 'hex = "D9.S3"', "no hex 'D9.S3' on this map"),
        ("scenarios/s05_hafid_ridge.toml", 'hex1 = "M7"', 'hex1 = "M9"', "not adjacent"),
        (
            "scenarios/s05_hafid_ridge.toml",
            '{ id = "ge_aa88", n = 2 }',
            '{ id = "ge_aa88", n = 1 }',
            "the side has 1 of them",
        ),
        ("scenarios/s05_hafid_ridge.toml", '{ id = "ge_pz3h", n = 1 }', '{ id = "ge_pz9", n = 1 }', "the id 'ge_pz9'"),
        (
            "scenarios/s05_hafid_ridge.toml",
            "gusts_at_start = false",
            "night = true\ngusts_at_start = false",
            "no night_range says how far one sees",
        ),
        ("scenarios/s05_hafid_ridge.toml", '"F11.621"', '"F11.999"', "there is no rule F11.999"),
    ],
)
def test_faults_are_named(file: str, old: str, new: str, why: str, tmp_path: Path) -> None:
    folder = copy(tmp_path)
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert any(why in str(fault) for fault in all_faults(folder=folder)), all_faults(folder=folder)


def test_a_folder_of_ones_own_lies_over_the_pack(tmp_path: Path) -> None:
    (tmp_path / "counters").mkdir()
    (tmp_path / "counters" / "infantry.csv").write_text("id,morale\nge_467,9\n")
    (tmp_path / "tables.toml").write_text("[sun_blindness]\ndrm = 3\n")
    pack = load_asl_pack([tmp_path])
    assert pack.counter("ge_467")["morale"] == "9"
    assert pack.counter("ge_467")["id"] == asl_pack().counter("ge_467")["id"]
    assert pack.tables["sun_blindness"]["drm"] == 3
    assert pack.tables["sun_blindness"]["wedge_degrees"] == 60
    with pytest.raises(PackError, match="there is no such folder"):
        load_asl_pack([tmp_path / "nowhere"])
