"""F11.6 to F11.79: sun, haze, dust, wind and night as far as they bear on what is seen."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.fire.sights import sees
from sandtable.games.asl.los.visibility import (
    Air,
    dust_die,
    dust_range,
    haze_drm,
    in_darkness,
    in_dust,
    in_sun,
    light_radius,
    low_visibility,
    negates_ffmo,
    upwind,
)

from ..kit import filled, ground, hill, look, spot
from ..vehiclekit import Desk

rule = partial(pytest.mark.rule, "asl")

MORNING, EVENING = Air(sun="early_morning"), Air(sun="late_afternoon")


def blinded(air: Air, field: Battlefield, a: str, b: str) -> bool:
    return in_sun(air, field, spot(field, a), spot(field, b))


@rule("F11.611a", "F11.611c", "F11.611f", "F11.612")
def test_sun_blindness_is_a_wedge_to_the_east_or_west() -> None:
    """EX-F11.611-1: same-letter hexrows run north and south."""
    field = ground()
    assert blinded(MORNING, field, "M5", "O5")
    assert blinded(MORNING, field, "M5", "N4")  # a centre on the border of the wedge is inside
    assert blinded(MORNING, field, "M5", "N5")
    assert not blinded(MORNING, field, "M5", "M4")
    assert not blinded(MORNING, field, "M5", "N3")
    assert not blinded(MORNING, field, "M5", "K5")
    assert not blinded(MORNING, field, "M5", "N4 v5")  # at a vertex outside it
    assert blinded(MORNING, field, "M5", "N4 v2")
    assert blinded(EVENING, field, "M5", "K5")
    assert not blinded(EVENING, field, "M5", "O5")
    found = low_visibility(MORNING, field, spot(field, "M5"), spot(field, "O5"), vehicle=False)
    assert [(one.rule, one.drm) for one in found] == [("F11.611a", 2)]
    found = low_visibility(EVENING, field, spot(field, "M5"), spot(field, "K5"), vehicle=True)
    assert [(one.rule, one.drm) for one in found] == [("F11.612", 2)]


@rule("F11.611c")
def test_the_wedge_follows_the_compass() -> None:
    """EX-F11.611-2: same-letter hexrows run east and west when north is at a short side."""
    field = ground()
    air = Air(sun="early_morning", north="left")  # east is at the top
    assert blinded(air, field, "M5", "M3")
    assert blinded(air, field, "M5", "N3")  # along a hexspine: the border runs through hex centres
    assert not blinded(air, field, "M5", "N4")
    assert not blinded(air, field, "M5", "O5")
    assert not blinded(air, field, "M5", "M7")


@rule("F11.611d", "F11.611e")
def test_shade_and_height_save_the_eyes() -> None:
    field = ground({**hill(2, "M5"), **hill(2, "S5", "S6"), **hill(1, "E5", "E6")})
    alone = ground(hill(2, "M5"))
    assert not blinded(MORNING, alone, "M5", "O5")  # two levels higher than the target
    assert blinded(MORNING, ground(hill(1, "M5")), "M5", "O5")
    assert not blinded(MORNING, field, "O5", "Q5")  # a hill two levels higher stands behind the target
    assert blinded(MORNING, field, "U5", "W5")
    assert blinded(EVENING, field, "K5", "G5")  # one level is not enough
    assert not blinded(MORNING, field, "M5", "M5")
    wood = ground({**filled("woods", "S5", "S6"), **hill(1, "T4", "T5")})
    assert blinded(MORNING, wood, "O5", "Q5")
    wadi = ground({**{name: {"forms": {"wadi"}} for name in ("O5", "Q5")}, **hill(1, "S5", "S6")})
    assert blinded(MORNING, wadi, "O5", "Q5")
    assert not blinded(MORNING, wadi, "O5 in", "Q5 in")  # two levels above the bed


@rule("F11.62c", "F11.62d", "F11.621")
def test_heat_haze() -> None:
    """EX-F11.62, EX-F11.621 and the chart of the book."""
    assert [haze_drm("haze", n, vehicle=False) for n in (12, 13, 18, 19, 24, 25, 42, 43)] == [0, 1, 1, 2, 2, 3, 5, 6]
    assert [haze_drm("haze", n, vehicle=True) for n in (24, 25, 36, 37, 48)] == [0, 1, 1, 2, 2]
    assert [haze_drm("intense", n, vehicle=False) for n in (6, 7, 12, 13, 18)] == [0, 1, 1, 2, 2]
    assert [haze_drm("intense", n, vehicle=True) for n in (12, 13, 24, 25, 36)] == [0, 1, 1, 2, 2]
    assert haze_drm("none", 40, vehicle=False) == 0
    table = asl_pack().tables["haze"]
    spans = [tuple(map(int, text.split("-"))) for text in table["ranges"]]
    for haze in ("haze", "intense"):
        for word, vehicle in (("infantry", False), ("vehicle", True)):
            row = table[f"{haze}_{word}"]
            for (first, last), drm in zip(spans, row, strict=True):
                assert haze_drm(haze, first, vehicle) == haze_drm(haze, last, vehicle) == drm


@rule("F11.71b", "F11.72", "F11.73b", "F11.731a", "F11.732a", "F11.7b")
def test_dust_by_die_and_range() -> None:
    """EX-F11.732 and the chart of the book."""
    assert [dust_die("light", n) for n in range(1, 7)] == [0, 1, 1, 2, 2, 3]
    assert [dust_die("moderate", n) for n in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [dust_die("heavy", n) for n in range(1, 7)] == [dust_die("light", n) for n in range(1, 7)]
    assert [dust_die("very_heavy", n) for n in range(1, 7)] == [dust_die("light", n) for n in range(1, 7)]
    assert [dust_die("extremely_heavy", n) for n in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [dust_range(dust, 3) for dust in DUSTS] == [0, 0, 0, 2, 3, 3]
    assert [dust_range(dust, 0) for dust in DUSTS] == [0] * 6
    assert tuple(asl_pack().tables["dust"]["order"]) == DUSTS


@rule("F11.6c", "F11.7c", "F11.73d", "F11.711a")
def test_only_the_range_part_of_dust_counts_toward_blocking() -> None:
    field = ground(filled("brush", "M6"))
    target = field.hex("D1.M4")
    plain = look(field, "M8", "M4")
    assert in_dust(plain, Air(dust="moderate"), target) == plain
    heavy = in_dust(plain, Air(dust="heavy"), target)
    assert (heavy.hindrance, heavy.hindrances[-1].kind) == (3, "dust")
    assert in_dust(plain, Air(dust="very_heavy"), target).hindrance == 5
    far = in_dust(look(field, "M8", "M2"), Air(dust="very_heavy"), field.hex("D1.M2"))
    assert far.block is not None
    assert far.block.rule == "B.10"
    assert [negates_ffmo(dust) for dust in DUSTS] == [False, False, False, True, True, True]
    found = low_visibility(Air(dust="light"), field, spot(field, "M8"), spot(field, "M2"), vehicle=False, dr=6)
    assert [(one.rule, one.drm) for one in found] == [("F11.71b", 3)]


@rule("F11.761a", "F11.761b")
def test_fire_upwind_in_a_heavy_wind() -> None:
    field = ground()
    air = Air(dust="light", wind=0)  # it blows toward the north
    m5 = spot(field, "M5")
    assert [upwind(air, field, m5, spot(field, name)) for name in ("M8", "O6", "K6", "M2", "O4")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    found = low_visibility(air, field, m5, spot(field, "M6"), vehicle=False)
    assert [(one.rule, one.drm) for one in found] == [("F11.761a", 1)]  # even adjacent
    assert not low_visibility(Air(wind=0), field, m5, spot(field, "M6"), vehicle=False)  # no dust
    assert not low_visibility(Air(dust="light"), field, m5, spot(field, "M6"), vehicle=False)


@rule("F11.78a", "F11.78b", "F11.78c", "F11.78d")
def test_light_in_the_dust_of_night() -> None:
    sources = ("starshell", "ir", "fire")
    rows = {dust: [light_radius(dust, source, 2) for source in sources] for dust in DUSTS[1:]}
    assert rows["light"][:2] == rows["moderate"][:2] == [2, 4]
    assert rows["light"][2] == rows["moderate"][2] == light_radius("none", "fire", 2)
    assert rows["heavy"] == [1, 2, 2]
    assert rows["very_heavy"] == [-1, 0, 2]
    assert rows["extremely_heavy"] == [-1, -1, 0]
    field = ground()
    los, target = look(field, "M8", "M4"), field.hex("D1.M4")
    assert in_darkness(los, Air(night=3), target).block is not None
    assert in_darkness(los, Air(night=4), target).clear
    assert in_darkness(los, Air(night=1, lit=1 << target), target).clear
    assert in_darkness(los, Air(), target).clear


@rule("F11.78a")
def test_at_night_one_sees_as_far_as_the_scenario_says() -> None:
    d = Desk(field=ground()).under(night=True, night_range=3)
    d.put("br_457#1", "M8")
    assert [sees(d.s, d.unit("br_457#1"), d.hex(name), 0) for name in ("M5", "M4")] == [True, False]


def test_the_air_of_scenarios() -> None:
    pack = asl_pack()
    assert Air.of(pack.scenarios["s04_cauldron_sunset"]["conditions"]) == Air(dust="moderate", sun="late_afternoon")
    assert Air.of(pack.scenarios["s05_hafid_ridge"]["conditions"]) == Air(haze="intense")
    assert Air.of({"wind_force": "Heavy Wind", "wind_direction": 3}).wind == 2
