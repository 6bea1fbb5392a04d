"""F11.1 to F11.5 and F11.7: weather, Environmental Conditions, wind and dust of arid lands."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield, battlefield
from sandtable.games.asl.boards.climate import (
    ARID,
    EC,
    NORTH_AFRICA,
    Climate,
    Dust,
    TimeOfDay,
    after_rain,
    after_wind_change,
    arid_ec,
    arid_weather,
    at_dawn,
    desert_mud,
    dust_at_start,
    early_morning_ec,
    ec_drm,
    haze_possible,
    heavy_dust_possible,
    light_dust_possible,
    month_number,
    sun_possible,
    time_of_day,
    vehicle_dust_possible,
    wind_force,
)
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.table.stage import Stage, roster

rule = partial(pytest.mark.rule, "asl")

PACK = asl_pack()
DESERT = battlefield({"boards": [{"id": "D1"}]})
STEPPE = battlefield({"boards": [{"id": "D1"}], "alternate": ["steppe"]})
DRY = Climate(ec="Dry")


def mixed() -> Battlefield:
    """A desert board beside another."""
    pack = replace(PACK, boards={**PACK.boards, "D2": replace(PACK.boards["D2"], desert=False)}, laid={})
    return battlefield({"boards": [{"id": "D1"}, {"id": "D2", "x": 1}]}, pack)


def green() -> Battlefield:
    pack = replace(PACK, boards={**PACK.boards, "D2": replace(PACK.boards["D2"], desert=False)}, laid={})
    return battlefield({"boards": [{"id": "D2"}]}, pack)


@rule("F11.2a")
def test_arid_lands() -> None:
    assert set(NORTH_AFRICA) == {"Egypt", "Libya", "Tunisia", "Morocco", "Algeria"}
    assert {"Syria", "Iraq", "Persia", "East Africa", "Mediterranean islands", *NORTH_AFRICA} <= set(ARID)
    assert "Russia" not in ARID


@rule("F11.2b")
def test_arid_weather() -> None:
    assert [arid_weather(PACK, 4, n) for n in (2, 7, 12)] == ["Mud", "Clear with Gusts", "Mud & Overcast"]
    assert [arid_weather(PACK, 7, n) for n in (2, 9, 12)] == ["Clear", "Clear with Gusts", "Overcast"]
    assert [arid_weather(PACK, 11, n) for n in (2, 8, 11)] == ["Mud", "Clear with Gusts", "Clear"]
    assert [arid_weather(PACK, 1, n) for n in (2, 7, 9, 10)] == [
        "Clear with Gusts",
        "Overcast",
        "Mud",
        "Mud & Overcast",
    ]


@rule("F11.3a", "F11.3b", "F11.3c")
def test_time_of_day() -> None:
    clear = Climate()
    assert time_of_day(PACK, 1, clear, 1) == TimeOfDay(sun="early_morning", mist=True)
    assert time_of_day(PACK, 7, clear, 1) == TimeOfDay(sun="early_morning")
    assert time_of_day(PACK, 7, clear, 2).haze == "intense"
    assert time_of_day(PACK, 11, clear, 2).haze == "haze"
    assert [time_of_day(PACK, 11, clear, dr).haze for dr in (3, 4)] == ["intense", "haze"]
    assert time_of_day(PACK, 7, clear, 5).sun == "late_afternoon"
    assert time_of_day(PACK, 7, clear, 6).night
    assert not time_of_day(PACK, 7, clear, 6, night_by_consent=False).night
    assert time_of_day(PACK, 7, replace(clear, north_africa=False), 3) == TimeOfDay()
    overcast = Climate(weather="Mud & Overcast")
    assert {time_of_day(PACK, 7, overcast, dr) for dr in range(1, 6)} == {TimeOfDay()}
    assert time_of_day(PACK, 7, overcast, 6).night


@rule("F11.4")
def test_arid_conditions() -> None:
    assert [arid_ec(PACK, 10, dr) for dr in range(1, 7)] == list(EC)
    assert [arid_ec(PACK, 1, dr) for dr in (1, 2, 3, 6)] == ["Mud", "Mud", "Wet", "Dry"]
    assert [arid_ec(PACK, 6, dr) for dr in (1, 2, 3, 6)] == ["Moderate", "Dry", "Very Dry", "Very Dry"]
    assert [ec_drm(PACK, ec) for ec in EC] == [-3, -2, -1, 0, 1, 2]
    assert month_number("June") == month_number(6) == 6


@rule("F11.5")
def test_arid_wind() -> None:
    assert [wind_force(PACK, dr) for dr in range(1, 7)] == ["No Wind", *["Mild Breeze"] * 4, "Heavy Wind"]


@rule("F11.1", "F11.61", "F11.62a")
def test_sun_and_haze_need_a_clear_desert_day() -> None:
    clear = Climate()
    assert sun_possible(clear, DESERT)
    assert sun_possible(clear, mixed())
    assert not sun_possible(clear, green())
    assert not sun_possible(Climate(weather="Overcast"), DESERT)
    assert not sun_possible(Climate(night=True), DESERT)
    assert haze_possible(clear, DESERT)
    assert not haze_possible(Climate(north_africa=False), DESERT)
    assert not haze_possible(Climate(weather="Mud & Overcast"), DESERT)


@rule("F11.71a", "F11.73a", "F13.2b")
def test_where_dust_is_possible() -> None:
    assert [light_dust_possible(Climate(ec=ec), DESERT) for ec in EC] == [False] * 4 + [True, True]
    assert [light_dust_possible(Climate(ec=ec), STEPPE) for ec in EC] == [False] * 5 + [True]
    assert light_dust_possible(DRY, mixed())
    assert not light_dust_possible(DRY, green())
    assert heavy_dust_possible(DRY, DESERT)
    assert not heavy_dust_possible(DRY, mixed())
    assert not heavy_dust_possible(Climate(ec="Very Dry"), STEPPE)
    assert not heavy_dust_possible(Climate(ec="Moist"), DESERT)


@rule("F11.74b")
def test_wind_blows_vehicle_dust_away() -> None:
    assert vehicle_dust_possible(DRY, DESERT)
    assert not vehicle_dust_possible(replace(DRY, heavy_wind=True), DESERT)
    assert not vehicle_dust_possible(replace(DRY, gusts=True), DESERT)
    assert vehicle_dust_possible(replace(DRY, mild_breeze=True), DESERT)


@rule("F11.6111")
def test_a_moist_morning() -> None:
    assert early_morning_ec("Very Dry", raining=False, mud=False) == "Moist"
    assert early_morning_ec("Very Dry", raining=True, mud=False) == "Wet"
    assert early_morning_ec("Mud", raining=False, mud=True) == "Mud"


@rule("F11.6111")
def test_at_dawn_there_is_no_dust() -> None:
    """A scenario's own EC gives way to that of an early morning in which the sun blinds."""
    told = {"ec": "Very Dry", "weather": "Clear", "sun": "early_morning"}

    def ec(**more: str) -> str:
        return str(at_dawn({**told, **more}, DESERT)["ec"])

    assert ec() == "Moist"
    assert not light_dust_possible(Climate.of(at_dawn(told, DESERT)), DESERT)
    assert ec(sun="early_morning_east") == "Moist"
    assert ec(sun="late_afternoon") == ec(sun="none") == ec(weather="Overcast") == "Very Dry"
    assert ec(weather="Rain") == "Wet"
    assert ec(weather="Mud") == "Mud"
    name = "s01_capuzzo_outpost"
    script = PACK.scenarios[name]
    sunny = {**script, "conditions": {**script["conditions"], **told}}
    pack = replace(PACK, scenarios={**PACK.scenarios, name: sunny}, laid={})
    assert Stage(pack, name, roster()).script["conditions"]["ec"] == "Moist"


@rule("F11.701a", "F11.701b")
def test_dust_at_the_start() -> None:
    assert [dust_at_start(DRY, DESERT, dr) for dr in (1, 5, 6)] == ["none", "none", "light"]
    breeze = replace(DRY, mild_breeze=True)
    assert [dust_at_start(breeze, DESERT, dr) for dr in (4, 5, 6)] == ["none", "light", "light"]
    assert dust_at_start(replace(DRY, heavy_wind=True), DESERT, 5) == "light"
    assert [dust_at_start(breeze, DESERT, 6, bombardments=n) for n in (0, 1)] == ["light", "heavy"]
    assert dust_at_start(DRY, DESERT, 5, bombardments=1) == "moderate"
    assert dust_at_start(Climate(ec="Very Dry", mild_breeze=True), STEPPE, 6, bombardments=1) == "moderate"
    assert dust_at_start(Climate(ec="Moist"), DESERT, 6, bombardments=2) == "none"


@rule("F11.76a", "F11.76b", "F11.76c", "F11.76d", "F11.76e")
def test_ex_f11_76_wind_raises_dust() -> None:
    """EX-F11.76: Gusts alone nothing, Heavy Wind alone nothing, both Light, both again Moderate, one ceases: Light."""
    winds = [(False, True), (True, False), (True, True), (True, True), (True, False), (True, False)]
    dust = Dust()
    seen = []
    for heavy, gusts in winds:
        dust = after_wind_change(dust, replace(DRY, heavy_wind=heavy, gusts=gusts), DESERT)
        seen.append(dust.density)
    assert seen == ["none", "none", "light", "moderate", "light", "light"]
    both = replace(DRY, heavy_wind=True, gusts=True)
    assert after_wind_change(Dust("extremely_heavy"), both, DESERT).density == "extremely_heavy"
    assert after_wind_change(Dust("light"), DRY, DESERT).density == "light"
    assert after_wind_change(Dust(), both, mixed()).density == "none"


@rule("F11.77")
def test_rain_ends_dust_for_good() -> None:
    dust = after_rain(Dust("heavy", raised=True))
    assert dust.density == "none"
    assert after_wind_change(dust, replace(DRY, heavy_wind=True, gusts=True), DESERT).density == "none"


@rule("F11.8d")
def test_where_mud_is_the_deserts() -> None:
    mud = Climate(weather="Mud")
    assert desert_mud(mud, DESERT)
    assert not desert_mud(mud, STEPPE)
    assert not desert_mud(mud, mixed())
    assert not desert_mud(DRY, DESERT)


def test_the_climate_of_scenarios() -> None:
    for scenario in PACK.scenarios.values():
        field = battlefield(scenario["map"])
        conditions = scenario["conditions"]
        climate = Climate.of(conditions)
        assert climate.ec in EC
        if conditions["dust"] in ("light", "moderate") or conditions["vehicle_dust"]:
            assert light_dust_possible(climate, field)
        if conditions["haze"] != "none":
            assert haze_possible(climate, field)
        if conditions["sun"] != "none":
            assert sun_possible(climate, field)
