"""F3.31, F3.32 and F7.31: Hammada Immobilization and Sand Bog, with their charts and examples."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.hazards import (
    Vehicle,
    hammada_check,
    hammada_result,
    is_bogged,
    sand_bog_check,
)

from ..kit import filled, ground

rule = partial(pytest.mark.rule, "asl")

LIGHT = Vehicle("truck", 2.5)
BRITISH = Vehicle("truck", 6, british_made=True)
OPEL = Vehicle("truck", 6.5)
CAR = Vehicle("armoured_car", 7)
HALFTRACK = Vehicle("halftrack", 8)
TANK = Vehicle("tracked", 20)
BIKE = Vehicle("motorcycle")

ROCKY = ground({**filled("hammada", "M5"), **filled("scrub", "L5"), **filled("sand", "N5")})
ROCKS, BESIDE, AWAY = (ROCKY.hex(f"D1.{name}") for name in ("M5", "M6", "M8"))


def number(vehicle: Vehicle, h: int, doubled: bool) -> int:
    check = hammada_check(ROCKY, vehicle, h, doubled=doubled)
    return check.number if check else 0


@rule("F3.31a", "F3.31b", "F3.31c", "F3.31d", "F3.31e", "F3.31f", "F3.31g")
def test_the_chart_of_hammada_immobilization() -> None:
    columns = ((ROCKS, False), (ROCKS, True), (BESIDE, False), (BESIDE, True))
    for vehicle, row in (
        (LIGHT, [11, 12, 12, 13]),
        (BRITISH, [11, 12, 12, 13]),
        (OPEL, [10, 11, 11, 12]),
        (CAR, [11, 12, 12, 13]),
        (HALFTRACK, [11, 12, 12, 13]),
        (BIKE, [10, 11, 11, 12]),
    ):
        assert [number(vehicle, h, doubled) for h, doubled in columns] == row, vehicle
    assert hammada_check(ROCKY, TANK, ROCKS) is None
    assert hammada_check(ROCKY, OPEL, ROCKS, on_way=True) is None
    assert hammada_check(ROCKY, OPEL, AWAY) is None


@rule("F3.31h")
def test_british_made() -> None:
    assert not BRITISH.heavy_truck
    assert OPEL.heavy_truck
    assert not LIGHT.heavy_truck


@rule("F3.31j", "F3.31l")
def test_only_open_ground_beside_hammada_counts() -> None:
    """Scrub and sand beside hammada call for no Hammada DR; many hammada hexes for one."""
    for name in ("L5", "N5"):
        assert hammada_check(ROCKY, OPEL, ROCKY.hex(f"D1.{name}")) is None
    ring = ground(filled("hammada", "M4", "M6", "N4", "N5", "L4", "L5"))
    check = hammada_check(ring, OPEL, ring.hex("D1.M5"), doubled=False)
    assert check is not None
    assert check.number == 11
    cliff = ground(filled("hammada", "M5"), [("M5", "M6", "cliff", "M5")])
    assert hammada_check(cliff, OPEL, cliff.hex("D1.M6")) is None  # not Accessible


@rule("F3.31b", "F3.31e")
def test_ex_f3_31_the_opel() -> None:
    """EX-F3.31-1 to -3."""
    careful = hammada_check(ROCKY, OPEL, BESIDE, doubled=True)
    plain = hammada_check(ROCKY, OPEL, BESIDE)
    rocks = hammada_check(ROCKY, OPEL, ROCKS)
    assert careful
    assert plain
    assert rocks
    assert [one.number for one in (careful, plain, rocks)] == [12, 11, 10]
    assert hammada_result(OPEL, careful, 11) == ""
    assert hammada_result(OPEL, careful, 12) == "immobilized"
    assert hammada_result(OPEL, rocks, 10) == "immobilized"


@rule("F3.32a", "F3.32b")
def test_motorcycles() -> None:
    check = hammada_check(ROCKY, BIKE, ROCKS)
    assert check is not None
    assert [hammada_result(BIKE, check, n) for n in (9, 10, 11, 12)] == ["", "rider breaks", "eliminated", "eliminated"]


@rule("F11.8b")
def test_no_hammada_check_beside_it_in_mud() -> None:
    assert hammada_check(ROCKY, OPEL, BESIDE, mud=True) is None
    assert hammada_check(ROCKY, OPEL, ROCKS, mud=True) is not None
    assert hammada_check(ROCKY, BIKE, BESIDE, mud=True) is not None


SANDY = ground(
    {**filled("sand", "M5"), **filled("sand_scrub", "M4"), **filled("scrub", "L5"), **filled("hammada", "N5")}
)


@rule("F7.31a", "F7.31b", "F7.31c")
def test_the_chart_of_sand_bog() -> None:
    sand, beside = SANDY.hex("D1.M5"), SANDY.hex("D1.M6")
    rows = {"Low": (10, 11, 11, 12, 12, 13), "Normal": (9, 10, 10, 11, 11, 12), "High": (8, 9, 9, 10, 10, 11)}
    for pressure, row in rows.items():
        vehicles = (
            Vehicle("truck", 6, pressure=pressure),
            Vehicle("truck", 6, british_made=True, pressure=pressure),
            Vehicle("tracked", 20, pressure=pressure),
        )
        found = []
        for vehicle in vehicles:
            for h in (sand, beside):
                check = sand_bog_check(SANDY, vehicle, h)
                assert check is not None
                found.append(check.number)
                assert is_bogged(check, check.number)
                assert not is_bogged(check, check.number - 1)
                wet = sand_bog_check(SANDY, vehicle, h, wet=True)
                assert wet is not None
                assert wet.number == check.number + 1
        assert tuple(found) == row
    light = sand_bog_check(SANDY, Vehicle("truck", 2, pressure="Low"), sand)
    assert light is not None
    assert light.number == 11
    assert sand_bog_check(SANDY, BIKE, sand) is None
    assert sand_bog_check(SANDY, TANK, sand, on_way=True) is None
    assert sand_bog_check(SANDY, Vehicle("cavalry"), sand) is not None  # a wagon


@rule("F7.31d", "F7.31g")
def test_what_lies_beside_sand() -> None:
    """Scrub beside sand is Open Ground here; hammada is not."""
    scrub, rocks = (SANDY.hex(f"D1.{name}") for name in ("L5", "N5"))
    check = sand_bog_check(SANDY, TANK, scrub)
    assert check is not None
    assert ("near sand", -1) in [(one.what, one.drm) for one in check.modifiers]
    assert sand_bog_check(SANDY, TANK, rocks) is None
    assert sand_bog_check(SANDY, TANK, SANDY.hex("D1.M8")) is None


@rule("F7.31c")
def test_ex_f7_511_3_across_a_dune_crest() -> None:
    """EX-F7.511-3: the +1 for entering sand across the crest; none for the crest from Open Ground's side."""
    field = ground({**filled("sand", "M5", "M4")}, [("M5", "M4", "dune_crest", "M5")])
    m4 = field.hex("D1.M4")
    plain, crest = sand_bog_check(field, TANK, m4), sand_bog_check(field, TANK, m4, came_from=3)
    assert plain
    assert crest
    assert crest.number == plain.number - 1
    turned = sand_bog_check(field, TANK, m4, came_from=0)
    assert turned == plain


@rule("F3.31c", "F7.31c")
def test_a_truck_of_just_four_tons_is_heavy() -> None:
    four, less = Vehicle("truck", 4), Vehicle("truck", 3.9)
    assert (number(four, ROCKS, False), number(less, ROCKS, False)) == (10, 11)
    assert number(Vehicle("truck", 4, british_made=True), ROCKS, False) == 11
    sand = ROCKY.hex("D1.N5")
    found = [sand_bog_check(ROCKY, one, sand) for one in (four, less)]
    assert [one.number for one in found if one is not None] == [9, 10]


@rule("F7.31c")
def test_a_dune_crest_makes_it_worse_in_the_sand_alone() -> None:
    """The chart lowers the numbers of its sand columns by it: not those of Open Ground on the other side."""
    field = ground(filled("sand", "M5"), [("M5", "M6", "dune_crest", "M5")])
    into = sand_bog_check(field, TANK, field.hex("D1.M5"), came_from=3)
    out = sand_bog_check(field, TANK, field.hex("D1.M6"), came_from=0)
    assert into is not None
    assert out is not None
    assert (into.number, out.number) == (10, 12)
