"""A24, C1.57, D9.4, F5.424, F11.74 and F11.75: what comes and goes on a line of sight."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.engine.hexes import mask_of
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.los.answer import Hindrance, Los
from sandtable.games.asl.los.screens import Screen, Screens, fire_for_effect, screened, smoke, vehicle, vehicle_dust
from sandtable.games.asl.los.sight import Sightlines

from ..kit import filled, ground, hill, hillock, spot

rule = partial(pytest.mark.rule, "asl")


def see(field: Battlefield, a: str, b: str, *screens: Screen) -> Los:
    """The line with these screens, after making sure that it is free or blocked from both ends."""
    lines, all_ = Sightlines(field), Screens(screens)
    there, back = (screened(lines, spot(field, x), spot(field, y), all_) for x, y in ((a, b), (b, a)))
    assert there.clear == back.clear
    return there


@rule("D9.4")
def test_a_vehicle_or_wreck_hinders_at_its_own_level() -> None:
    field = ground(hill(1, "M9"))
    tank = vehicle(field, field.hex("D1.M5"))
    assert see(field, "M7", "M3", tank).hindrance == 1
    assert see(field, "M7", "M5", tank).hindrance == 0  # not in the target's own hex
    assert see(field, "M5", "M3", tank).hindrance == 0
    assert see(field, "M9", "M3", tank).hindrance == 0
    los = see(field, "M7", "M3", tank)
    assert [(one.rule, field.name(one.hex)) for one in los.hindrances] == [("D9.4", "D1.M5")]


@rule("F4.51b", "F6.52b")
def test_vehicles_in_deirs_and_on_hillocks() -> None:
    deir = ground({"M5": {"forms": {"deir"}, "mass": "d"}, "M6": {"forms": {"deir", "lip"}, "mass": "d"}})
    tank = vehicle(deir, deir.hex("D1.M5"))
    assert see(deir, "M6", "M3", tank).hindrance == 1
    assert see(deir, "M7", "M3", tank).hindrance == 0  # nobody in the deir
    field = ground({**hillock("a", "M9"), **hillock("b", "M5"), **hillock("c", "M1")})
    on, low = vehicle(field, field.hex("D1.M5")), vehicle(field, field.hex("D1.M3"))
    assert see(field, "M9", "M1", on).hindrance == 1
    assert see(field, "M9", "M1", low).hindrance == 0


@rule("F5.424b", "F5.424c")
def test_vehicles_in_and_at_the_crest_of_wadis() -> None:
    bed = [("M4", "M5", "wadi"), ("M5", "M6", "wadi")]
    field = ground({name: {"forms": {"wadi"}} for name in ("M4", "M5", "M6")}, bed)
    down = vehicle(field, field.hex("D1.M5"), inside=True)
    assert see(field, "M8", "M2", down).hindrance == 0
    assert see(field, "M6 in", "M4 in", down).hindrance == 1
    assert down.base == -2
    wreck = smoke(field, field.hex("D1.M5"), 2, 4, "D10.1")
    assert wreck.base == 0  # the smoke of a burning Crest wreck rises from Crest level
    assert see(field, "M8", "M2", wreck).hindrance == 2


@rule("A24.21", "A24.22")
def test_smoke_counts_in_both_hexes() -> None:
    field = ground()
    here = smoke(field, field.hex("D1.M5"), 2)
    assert see(field, "M8", "M2", here).hindrance == 2
    assert see(field, "M8", "M5", here).hindrance == 2
    assert see(field, "M5", "M8", here).hindrance == 3  # one more for firing out of it
    assert see(field, "M6", "M5", here).hindrance == 2
    assert see(field, "M5", "M5", here).hindrance == 2
    full = smoke(field, field.hex("D1.M5"), 3)
    assert see(field, "M8", "M2", here, full).hindrance == 3  # at most three of it
    assert see(field, "M5", "M8", here, full).hindrance == 4
    assert see(field, "M5", "M8", full, smoke(field, field.hex("D1.M7"), 2)).block is not None


@rule("A24.21", "B.10")
def test_smoke_is_seen_over_from_high_ground_and_adds_to_six() -> None:
    field = ground({**hill(3, "M9"), **filled("brush", "M4", "M3")})
    here = smoke(field, field.hex("D1.M6"), 3)
    assert see(field, "M9", "M1", here).hindrance == 0  # over it
    assert see(field, "M9", "M5", here).hindrance == 3  # behind it
    assert see(field, "M8", "M1", here).hindrance == 5
    block = see(field, "M8", "M1", here, vehicle(field, field.hex("D1.M7"))).block
    assert block is not None
    assert block.rule == "B.10"


@rule("F11.74d")
def test_vehicle_dust_is_dispersed_smoke() -> None:
    field = ground()
    dust = vehicle_dust(field, field.hex("D1.M5"))
    assert (dust.drm, dust.height) == (2, 4)
    los = see(field, "M8", "M2", dust)
    assert [(one.rule, one.drm) for one in los.hindrances] == [("F11.74d", 2)]
    # AMB-63 with a wreck in the same hex
    assert see(field, "M8", "M2", dust, vehicle(field, field.hex("D1.M5"))).hindrance == 3
    assert see(field, "M8", "M2", dust, vehicle_dust(field, field.hex("D1.M6"))).hindrance == 4


@rule("A6.7")
def test_of_two_hexes_at_equal_range_the_larger_counts() -> None:
    field = ground(filled("brush", "M4", inherent=True))
    here = smoke(field, field.hex("D1.M5"), 3)
    assert see(field, "N4", "L4", here).hindrance == 3  # the line runs between M4 and M5


@rule("C1.57", "F11.75a", "F11.75b", "F11.75c", "F11.75d", "F11.75e")
def test_fires_for_effect() -> None:
    field = ground()
    hexes = mask_of(field.hex(f"D1.M{n}") for n in (4, 5, 6))

    def total(kind: str, dusty: bool) -> int:
        return see(field, "M8", "M2", *fire_for_effect(field, hexes, kind, dusty, 1)).hindrance

    assert total("concentration", dusty=False) == 1  # once for the whole of it
    assert total("concentration", dusty=True) == 3
    assert total("harassing", dusty=True) == 1
    assert total("barrage", dusty=True) == 3
    creeping = see(field, "M8", "M2", *fire_for_effect(field, hexes, "creeping_barrage", True, 1))
    assert creeping.block is not None  # +2 for each of three hexes
    two = [*fire_for_effect(field, hexes, "harassing", True, 1), *fire_for_effect(field, hexes, "harassing", True, 2)]
    assert see(field, "M8", "M2", *two).hindrance == 2


@rule("A24.21", "F5.424c", "F11.74a")
def test_smoke_fills_its_hex_from_the_bottom() -> None:
    """AMB-144 It hides what is past a hillock, and those IN a wadi from each other; a wreck at the rim smokes above."""
    rolling = ground(hillock("a", "M5"))
    cloud = smoke(rolling, rolling.hex("D1.M5"), 2)
    assert see(rolling, "M6", "M4", cloud).hindrance == 2
    bed = ground(
        {name: {"forms": {"wadi"}} for name in ("M4", "M5", "M6")}, [("M4", "M5", "wadi"), ("M5", "M6", "wadi")]
    )
    h = bed.hex("D1.M5")
    assert see(bed, "M6 in", "M4 in", smoke(bed, h, 2)).hindrance == 2
    assert see(bed, "M6 in", "M4 in", vehicle_dust(bed, h)).hindrance == 2
    assert see(bed, "M6 in", "M4 in", smoke(bed, h, 2, 4, "D10.1")).hindrance == 0
    assert see(bed, "M6 crest", "M4 crest", smoke(bed, h, 2, 4, "D10.1")).hindrance == 2
    former = screened(Sightlines(bed, former=True), spot(bed, "M6 in"), spot(bed, "M4 in"), Screens([smoke(bed, h, 2)]))
    assert former.hindrance == 0, "as it was ruled before version 4"


@rule("A24.22", "D10.1")
def test_smoke_that_counts_several_times_in_a_hex_is_told_apart() -> None:
    ways = ("A24.21", "D10.1", "A24.22")
    assert [str(Hindrance(way, "smoke", 0, 1, 0).said("S9")) for way in ways] == [
        "smoke in S9",
        "smoke of a wreck in S9",
        "firing out of the smoke in S9",
    ]
