"""Chapter 2: what is printed on a counter is what lies on the table."""

from __future__ import annotations

from typing import Any

import pytest

from ..kit import ALLIED, AXIS, GAME, U, new


def counter(name: str, s: Any = None) -> Any:
    scene = GAME.scene(GAME.view(s or new("s1_historical"), AXIS))
    return next(item for item in scene["counters"] if item["unit"] == name)


@pytest.mark.rule("kasserine", "2.21", "2.22", "2.23")
@pytest.mark.parametrize(
    ("unit", "strength", "movement", "disc", "boxed"),
    [
        ("ger_10pz_i_7_pz", "7-5", ["8"], "7", ["armor", "", "red"]),
        ("ger_10pz_90_pzjg", "1-4", ["8"], "7", ["", "armor", "orange"]),
        ("ger_army_1_501_tiger", "5-6", ["6"], "8", ["armor", "armor", "red"]),
        ("us_34id_2_168", "3-4", ["6"], "4", ["", "", ""]),
        ("ger_10pz_i_90", "(4)-1", ["8"], "7", ["", "", "orange"]),
        ("ger_10pz_10_pz_hq", "–-1", ["8"], "3", ["", "", "red"]),
    ],
)
def test_a_counter_shows_its_values_its_rating_and_its_class(
    unit: str, strength: str, movement: list[str], disc: str, boxed: list[str]
) -> None:
    shown = counter(unit)
    assert (shown["strength"], shown["values"], shown["tank"], shown["boxed"]) == (strength, movement, disc, boxed)
    assert shown["tank_hollow"]


@pytest.mark.rule("kasserine", "2.21", "9.13c", "12.22b")
def test_guns_show_their_range_and_what_is_spent_is_gone() -> None:
    assert counter("ger_10pz_iii_90")["range"] == "R4"
    assert "range" not in counter("ger_10pz_i_7_pz")
    s = new("s1_historical")
    s.fired |= 1 << U("ger_10pz_i_90")
    s.spent |= 1 << U("ger_10pz_10_pz_hq")
    assert counter("ger_10pz_i_90", s)["strength"] == "–-1"
    assert counter("ger_10pz_10_pz_hq", s)["tank"] == "0"


@pytest.mark.rule("kasserine", "2.21")
def test_an_air_unit_shows_close_support_bombs_and_its_rating() -> None:
    scene = GAME.scene(GAME.view(new("s1_historical"), ALLIED))
    shown = {item["unit"]: item for item in scene["counters"]}
    air = next(item for item in shown.values() if item.get("label") == "II/StG 3")
    assert (air["strength"], air["values"], air["tank"], air["nation"]) == ("2-3", [], "7", "Luftwaffe")
    fighters = next(item for item in shown.values() if item.get("label") == "I/JG 77")
    assert fighters["strength"] == "1-–"
