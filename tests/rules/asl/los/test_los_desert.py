"""Chapters F2 to F7 and F10: line of sight over the terrain of the desert."""

from __future__ import annotations

from functools import partial

import pytest

from ..kit import blocked_by, filled, ground, hill, hillock, look, sees

rule = partial(pytest.mark.rule, "asl")


@rule("F2.2a", "F3.2a", "F7.2a")
@pytest.mark.parametrize("terrain", ["scrub", "hammada", "sand", "sand_scrub"])
def test_scrub_hammada_and_sand_neither_block_nor_hinder(terrain: str) -> None:
    field = ground(filled(terrain, "M3", "M4", "M5", "M6"))
    los = look(field, "M8", "M1")
    assert los.clear
    assert los.hindrance == 0


# F4 deirs


def deir(inner: tuple[str, ...], rim: tuple[str, ...]) -> dict[str, dict[str, object]]:
    cells: dict[str, dict[str, object]] = {name: {"forms": {"deir"}, "mass": "deir"} for name in inner}
    return cells | {name: {"forms": {"deir", "lip"}, "mass": "deir"} for name in rim}


RIM = ("M4", "N4", "N5", "M6", "L5", "L4")
OUT = [("M4", "M3"), ("M6", "M7"), ("N4", "N3"), ("N4", "O4"), ("N4", "O5"), ("N5", "O6"), ("N5", "N6"), ("L5", "L6")]


@rule("F4.4a", "F4.4b")
def test_dug_in_inside_a_deir() -> None:
    field = ground({**deir(("M5",), RIM), **hill(1, "M1"), **hillock("h", "Q5")}, [(a, b, "lip", a) for a, b in OUT])
    assert sees(field, "M5", "M4", "M3", "M2", "M1", "M8") == ["M4", "M3", "M2", "M1", "M8"]
    assert sees(field, "M5 dug", "M4", "M6") == ["M4", "M6"]  # inside the deir
    assert sees(field, "M5 dug", "M3", "M7") == ["M3", "M7"]  # the hexes that the lip hexside forms
    assert blocked_by(field, "M5 dug", "M2") == "F4.4b"
    assert look(field, "M5 dug", "M1").clear  # higher
    assert look(field, "M4 dug", "M2").clear  # in a lip hex it sees out normally (AMB-03)
    assert look(field, "M5 dug", "Q5").clear


@rule("F4.51b", "F4.51c")
def test_half_level_hindrances_in_a_deir() -> None:
    cells = deir(("M5",), RIM)
    for terrain in ("brush", "grain", "crag"):
        field = ground({**cells, "M5": {**cells["M5"], "terrain": terrain}, **hill(1, "M1")})
        assert look(field, "M6", "M2").hindrance == 1  # one of them is in the deir
        assert look(field, "M8", "M2").hindrance == 0
        assert look(field, "M6", "M1").hindrance == 0  # not at the same level
        assert look(ground(filled(terrain, "M5")), "M8", "M2").hindrance == 1


# F6 hillocks


@rule("F6.2b")
def test_a_hillock_fills_its_hexsides() -> None:
    field = ground(hillock("a", "M5"))
    assert blocked_by(field, "P4", "J4") == "F6.44d"  # the line follows the side between M4 and M5
    assert look(ground(filled("building_stone", "M5")), "P4", "J4").clear


@rule("F6.4b")
def test_on_the_same_hillock() -> None:
    field = ground(hillock("a", "M3", "M4", "M5", "M6"))
    assert sees(field, "M3", "M4", "M5", "M6") == ["M4", "M5", "M6"]
    summit = ground(hillock("a", "M2", "M3", "M5", "M6", summit=["M4"]))
    assert blocked_by(summit, "M2", "M6") == "F6.44d"  # its summit is a hillock of its own
    assert look(summit, "M3", "M5").clear  # both right behind it


@rule("F6.4a", "F6.4c", "F6.44d")
def test_neither_on_behind_nor_above() -> None:
    field = ground(hillock("a", "M5"))
    assert look(field, "M8", "M4").clear  # right behind it
    assert blocked_by(field, "M8", "M3") == "F6.44d"
    assert look(field, "M8", "M6").clear
    block = look(field, "M8", "M3").block
    assert block is not None
    assert field.name(block.hex) == "D1.M5"
    raised = ground({**hillock("a", "M5"), **hill(-1, "M4")})
    assert blocked_by(raised, "M8", "M4") in ("F6.43a", "F6.44d")  # not exactly half a level lower


@rule("F6.44b")
def test_behind_a_hillock() -> None:
    field = ground({**hillock("a", "M7"), **hillock("b", "M4")})
    assert look(field, "M8", "M5").clear  # past the one it is behind
    assert look(field, "M8", "M3").clear  # past the second, right behind it
    assert blocked_by(field, "M8", "M2") == "F6.44b"
    three = ground({**hillock("a", "M7"), **hillock("b", "M5"), **hillock("c", "M3")})
    assert blocked_by(three, "M8", "M2") == "F6.44b"


@rule("F6.41a", "F6.41b")
def test_on_a_hillock() -> None:
    field = ground({**hillock("a", "M9", "M8"), **hillock("b", "M6"), **hillock("c", "M4")})
    assert look(field, "M9", "M7").clear  # over its own
    assert look(field, "M9", "M5").clear  # and the next
    assert look(field, "M9", "M3").clear  # past the one after that only right behind it
    assert blocked_by(field, "M9", "M2") == "F6.41b"
    assert look(field, "M9 dug", "M5").clear  # dug in or not
    high = ground({**hillock("a", "M9"), **hillock("b", "M6"), **hillock("c", "M4"), **hillock("d", "M1")})
    assert look(high, "M9", "M1").clear  # a Location at least as high as its own


@rule("F6.42")
def test_from_above() -> None:
    field = ground({**hill(1, "M9"), **hillock("a", "M7"), **hillock("b", "M5"), **hillock("c", "M3")})
    assert sees(field, "M9 dug", "M6", "M4", "M2", "M1 dug") == ["M6", "M4", "M2", "M1 dug"]
    summit = ground({**hillock("a", "M8", summit=["M9"]), **hillock("b", "M5"), **hillock("c", "M3")})
    assert look(summit, "M9", "M1").clear


@rule("F6.43a")
def test_a_full_level_below_the_hillock() -> None:
    low = {"M4": {"forms": {"wadi"}}}
    field = ground({**hillock("a", "M5"), **low, **hill(-1, "M3")})
    assert blocked_by(field, "M6", "M3") == "F6.43a"
    top = ground({**hillock("a", "M7", summit=["M6"]), **hillock("b", "M4", summit=["M3"])})
    assert blocked_by(top, "M6", "M1") == "F6.43a"  # past another summit nothing at level 0 from a summit
    assert look(top, "M6", "M9").clear  # its own does not count (AMB-47)
    broad = ground(hillock("a", summit=["M6", "M7"]))
    assert look(broad, "M6", "M9").clear  # nor where it lies on the line


@rule("F6.43b", "F6.44c")
def test_dug_in_behind_a_hillock() -> None:
    field = ground({**hillock("a", "M5"), **hillock("b", "M2")})
    assert blocked_by(field, "M7", "M4 dug") == "F6.43b"
    assert blocked_by(field, "M4 dug", "M7") == "F6.44c"
    assert blocked_by(field, "M6", "M4 dug") == "F6.43b"
    assert look(field, "M5", "M4 dug").clear
    on = ground({**hillock("a", "M5"), **hillock("b", "M8")})
    assert look(on, "M8", "M4 dug").clear
    assert look(ground({**hillock("a", "M5"), **hill(1, "M8")}), "M8", "M4 dug").clear


@rule("F6.411a", "F6.411b")
def test_walls_seen_from_a_hillock() -> None:
    walls = [("M7", "M6", "wall"), ("M5", "M4", "hedge")]
    field = ground({**hillock("a", "M9"), **hillock("b", "M1")}, walls)
    assert look(field, "M9", "M6").clear
    assert look(field, "M9", "M5").clear  # past the first
    assert look(field, "M9", "M4").clear  # directly behind the second
    assert blocked_by(field, "M9", "M3") == "F6.411b"
    assert look(field, "M9", "M1").clear  # as high as the viewer
    assert blocked_by(ground({}, walls), "M9", "M5") == "A6.21"
    lower = ground({**hillock("a", "M8", summit=["M9"])}, walls)
    assert look(lower, "M9", "M2").clear  # lower than the viewer: all of them


@rule("F6.412a", "F6.412b")
def test_rubble_seen_from_a_hillock() -> None:
    field = ground({**hillock("a", "M9"), **filled("cactus_patch", "M7", "M5")})
    assert look(field, "M9", "M6").clear
    assert look(field, "M9", "M4").clear  # directly behind the second
    assert blocked_by(field, "M9", "M3") == "F6.412b"
    assert blocked_by(ground(filled("cactus_patch", "M7")), "M9", "M6") == "A6.21"
    summit = ground({**hillock("a", "M8", summit=["M9"]), **filled("cactus_patch", "M6", "M5", "M4")})
    assert look(summit, "M9", "M2").clear


@rule("F6.52b")
def test_half_level_hindrances_among_hillocks() -> None:
    field = ground({**hillock("a", "M9"), **hillock("b", "M1"), **filled("brush", "M5", "M4")})
    assert look(field, "M9", "M1").hindrance == 0  # both are above its base
    assert look(field, "M9", "M3").hindrance == 2  # half a level apart, one of them at its base
    on = ground({**hillock("a", "M9"), **hillock("b", "M1"), "M5": {**hillock("c", "M5")["M5"], "terrain": "brush"}})
    assert look(on, "M9", "M1").hindrance == 1
    summit = ground({**hillock("a", "M8", summit=["M9"]), **filled("brush", "M5")})
    assert look(summit, "M9", "M3").hindrance == 0


@rule("F6.6b")
def test_summits_are_hillocks_on_hillocks() -> None:
    field = ground(hillock("a", "M7", "M4", summit=["M5", "M6"]))
    assert blocked_by(field, "M8", "M3") == "F6.43a"
    assert look(field, "M7", "M4").clear  # at half a level, right behind the summit on both sides
    apart = ground({**hillock("a", "M8"), **hillock("b", summit=["M5"]), **hillock("c", "M2")})
    assert blocked_by(apart, "M8", "M2") == "F6.44d"


# F7 dunes


@rule("F7.512a", "F7.512b")
def test_dune_crests() -> None:
    low = {"M5": {"terrain": "sand", "forms": {"dune"}, "mass": "d"}}
    high = {"M5": {"terrain": "sand", "forms": {"dune", "hillock", "high_dune"}, "mass": "d"}}
    crest = [("M5", "M6", "dune_crest", "M5")]
    field = ground({**low, **hill(1, "M9"), **hillock("h", "M1")}, crest)
    assert blocked_by(field, "M7", "M4") == "F7.512a"
    assert look(field, "M6", "M3").clear  # of its own hex
    assert look(field, "M7", "M5").clear
    assert look(field, "M9", "M3").clear
    assert look(field, "M7", "M1").clear  # EX-F7.513-1: past it what is at level half or higher
    assert look(field, "M6 dug", "M3").clear  # unlike a wall, dug-in units see through their own
    assert look(field, "M5 dug", "M8").clear
    raised = ground({**high, **hill(1, "M9")}, crest)
    assert raised.wall_height("dune_crest", raised.hex("D1.M5"), 3) == 2
    assert blocked_by(raised, "M9", "M3") == "F7.512a"  # a level-1 obstacle in total
    assert blocked_by(field, "M8", "M3") == "F7.512a"


@rule("F7.5b", "F7.5c")
def test_a_high_dune_is_a_hillock_for_sight() -> None:
    low = ground({"M5": {"terrain": "sand", "forms": {"dune"}, "mass": "d"}})
    high = ground({"M5": {"terrain": "sand", "forms": {"dune", "hillock", "high_dune"}, "mass": "d"}})
    assert look(low, "M8", "M3").clear
    assert blocked_by(high, "M8", "M3") == "F6.44d"
    assert look(high, "M8", "M4").clear


# F10 hillside walls


@rule("F10.2a", "F10.2b", "F10.3a")
def test_hillside_walls_are_ignored_between_levels() -> None:
    cells = hill(1, "M1", "M2", "M3", "M4", "M5")
    field = ground(cells, [("M5", "M6", "wall", "M5")])
    assert field.hillside("wall", field.hex("D1.M5"), 3)
    assert field.wall_height("wall", field.hex("D1.M5"), 3) == 3
    assert look(field, "M4", "M8").clear
    assert look(ground(cells), "M1", "M9").clear == look(field, "M1", "M9").clear
    level = ground({}, [("M5", "M6", "wall")])
    assert blocked_by(level, "M4", "M8") == "A6.21"
    assert blocked_by(field, "M5 dug", "M8") == "B9.21"  # Entrenched behind it is still limited
    assert look(field, "M6 dug", "M3").clear
