"""Chapters F1 to F7, F10, F12 and B: what the boards show, and what each terrain is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.games.asl.boards.battlefield import battlefield
from sandtable.games.asl.boards.layout import STEPS
from sandtable.games.asl.boards.pack import asl_pack

from ..kit import ground, hill, hillock, look

rule = partial(pytest.mark.rule, "asl")

PACK = asl_pack()


@rule("F2.1", "F3.1", "F7.1", "F4.1", "F5.1", "F6.1")
def test_the_boards_show_every_terrain_of_the_desert() -> None:
    fields = {id: battlefield({"boards": [{"id": id}]}) for id in PACK.boards}
    assert fields["D1"].ground["scrub"]
    assert fields["D1"].ground["hammada"]
    assert fields["D5"].ground["sand"]
    assert fields["D2"].form["deir"]
    assert fields["D3"].form["wadi"]
    assert fields["D4"].form["hillock"]
    overlays = {shape["kind"] for shape in PACK.overlays.values()}
    assert {"sand", "deir", "wadi", "hillock", "dune", "scrub", "hammada"} <= overlays
    for field in fields.values():
        for h in field.grid.hexes:
            assert sum(field.has(word, h) for word in ("deir", "wadi", "hillock")) <= 1


@rule("F1.1b", "B.1")
def test_what_counts_as_open_ground() -> None:
    """Scrub, hammada and sand have no TEM, no obstacle and no Hindrance, and FFMO applies in them."""
    for word in ("open", "scrub", "hammada", "sand", "sand_scrub"):
        kind = PACK.terrain[word]
        assert (kind.obstacle, kind.hindrance, kind.tem_direct, kind.ffmo) == (0, 0, 0, True)
    for word in ("building_stone", "orchard", "brush", "crag", "woods", "broken_hex"):
        assert not PACK.terrain[word].ffmo


@rule("F13.1b", "F13.4a", "F13.5a", "F13.6a")
def test_what_a_rule_makes_of_terrain_conceals_as_that_does() -> None:
    """Crag that was hammada, cactus patches and olive groves (as orchards) are Concealment Terrain too."""
    found = set(PACK.tables["concealment"]["terrain"])
    assert {"hammada_crag", "cactus_patch", "olive_grove", "vineyard", "orchard", "crag"} <= found
    assert found == {word for word, kind in PACK.terrain.items() if kind.concealment == "yes"}


@rule("F4.2c")
def test_a_deir_is_open_ground_unless_something_grows_in_it() -> None:
    field = battlefield({"boards": [{"id": "D2"}]})
    assert {field.terrain[h] for h in hexes_of(field.form["deir"])} <= {"open", "scrub", "sand"}


@rule("F5.3a", "F5.4b")
def test_wadi_cliffs_stand_on_the_hex_outside() -> None:
    field = battlefield({"boards": [{"id": "D3"}]})
    found = 0
    for h in field.grid.hexes:
        for d, n in field.grid.neighbours[h]:
            if field.side("wadi_cliff", h, d):
                found += 1
                assert field.has("wadi", h) or field.has("wadi", n)
                assert field.owns("wadi_cliff", h, d) != field.owns("wadi_cliff", n, (d + 3) % 6)
                assert not field.side("wadi", h, d)
                assert not field.accessible(h) >> n & 1
    assert found


@rule("B.4")
def test_over() -> None:
    """A LOS runs OVER a hillock from above it and not from beside it."""
    field = ground({**hillock("a", "M5"), **hill(1, "M8")})
    assert look(field, "M8", "M2").clear
    assert not look(field, "M7", "M2").clear


@rule("F.2c")
def test_a_hex_of_two_halves() -> None:
    """A hex of a desert half and another is desert if it is Accessible to hammada or sand, or holds a wadi."""
    other = replace(PACK.boards["D2"], desert=False)
    pack = replace(PACK, boards={**PACK.boards, "D2": other}, laid={})
    field = battlefield({"boards": [{"id": "D5"}, {"id": "D2", "y": 1}]}, pack)
    shared = field.boards["D5"] & field.boards["D2"]
    sandy = field.accessible_to(field.ground["sand"] | field.ground.get("hammada", 0))
    assert shared & field.desert == shared & sandy
    assert 0 < (shared & field.desert).bit_count() < shared.bit_count()
    assert not field.desert & field.boards["D2"] & ~shared
    assert field.desert & field.boards["D5"] & ~shared == field.boards["D5"] & ~shared


@rule("F10.1c", "B9.3")
def test_walls_and_hedges() -> None:
    wall, hedge = PACK.hexsides["wall"], PACK.hexsides["hedge"]
    assert (wall.tem_direct, wall.tem_indirect, wall.hull_down, wall.obstacle) == (2, 1, True, 1)
    assert (hedge.tem_direct, hedge.tem_indirect, hedge.hull_down, hedge.obstacle) == (1, 0, False, 1)


@rule("F12.1c", "F12.1d", "F12.4")
def test_the_marked_hexes_of_overlays() -> None:
    mixed = 0
    for shape in PACK.overlays.values():
        places = [tuple(hex_["at"]) for hex_ in shape["hexes"]]
        assert len(set(places)) == len(places)
        assert (0, 0) in places
        if len(places) > 1:
            assert (0, -1) in places  # hex 2 lies beside hex 1
        mixed += len({hex_["terrain"] for hex_ in shape["hexes"]}) > 1
        for side in shape["hexsides"]:
            assert tuple(side["at"]) in places
            assert 1 <= side["dir"] <= len(STEPS)
    assert mixed


@rule("F12.2c")
def test_an_overlay_of_one_hex() -> None:
    for second in ("M4", "N5", ""):
        entry = {"id": "ovX4", "board": "D1", "hex1": "M5", **({"hex2": second} if second else {})}
        field = battlefield({"boards": [{"id": "D1"}], "overlays": [entry]})
        assert field.hexes(field.covered) == ["D1.M5"]


@rule("F13.1d", "F13.2c")
def test_alternate_terrain_stays_desert() -> None:
    for word in ("broken", "steppe"):
        field = battlefield({"boards": [{"id": "D1"}], "alternate": [word]})
        assert field.desert == field.grid.all
        assert field.alternates == {word}
    assert not battlefield({"boards": [{"id": "D1"}]}).alternates
