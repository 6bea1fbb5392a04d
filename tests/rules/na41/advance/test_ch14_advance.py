"""Chapter 14: advance after combat; 8.9.2 Auto DS; 17.4 the free supply point."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.table.ids import (
    AXIS,
    COMBAT,
)
from sandtable.games.na41.table.stacking import excess

from ..advancekit import (
    EAST,
    FAR_EAST,
    FIELD,
    FOE,
    GUNNERS,
    NORTH_EAST,
    NORTH_WEST,
    ON_FOOT,
    OTHER_FOE,
    RECON,
    SOUTH_WEST,
    TANK,
    TANKS,
    TRUCK,
    WEST,
    advance,
    march,
    over,
    plod,
    prepared,
    steps,
    won,
)
from ..kit import (
    GAME,
    H,
    at,
    do,
    mask,
    start,
    texts,
    units,
)
from ..retreatkit import REST, forbidden
from .ch14advancekit import reach

rule = pytest.mark.rule

MATILDA = "BR_7R"
"""A Matilda, of the Allies."""


# 14.1


@rule("na41", "14.1a")
def test_whoever_took_part_may_advance_and_nobody_else() -> None:
    s = won({WEST: TANK}, others={NORTH_WEST: GUNNERS, WEST: RECON})
    assert steps(s, TANK)
    assert not steps(s, GUNNERS)
    assert not steps(s, RECON)
    assert forbidden(s, f"advance {RECON} {FIELD}") == "14.1a"
    march(s, TANK, FIELD)
    do(s, "done")
    assert over(s)
    assert at(s, TANK) == FIELD


@rule("na41", "14.1a")
def test_nobody_advances_while_a_defender_is_left() -> None:
    s = prepared({WEST: TANK}, {FIELD: FOE})
    advance(s, {WEST: TANK}, "A1")
    assert over(s)


@rule("na41", "14.1a")
@pytest.mark.parametrize("fired", [False, True])
def test_an_asu_that_gave_a_shift_stays(fired: bool) -> None:
    s = prepared({WEST: [TANK, "GE_ARKO"]}, tag_along=True)
    advance(s, {WEST: TANK}, guns=units("GE_ARKO") if fired else 0)
    plod(s)
    assert bool(steps(s, "GE_ARKO")) != fired
    assert not fired or forbidden(s, f"advance GE_ARKO {FIELD}") == "14.1a"


@rule("na41", "19.5c")
def test_a_unit_with_a_replacement_marker_does_not_advance() -> None:
    s = prepared({WEST: [TANK, TANKS]})
    s.refreshed = units(TANKS)
    advance(s, {WEST: [TANK, TANKS]})
    assert steps(s, TANK)
    assert forbidden(s, f"advance {TANKS} {FIELD}") == "19.5c"


@rule("na41", "14.1b")
def test_hexes_are_counted_whatever_they_would_cost() -> None:
    """Four rough hexes would cost a tank 8 points, and markers more still."""
    s = prepared({"3415": TANK})
    s.lrdg = mask("3416")
    advance(s, {"3415": TANK}, "DR2", "3416")
    assert reach(s, TANK, "3416") == 1
    assert forbidden(won({WEST: TANK}), f"advance {TANK} {EAST}") == "14.1b"


@rule("na41", "14.1c", "4.4.1a")
def test_the_stacking_limit_applies_when_the_advance_is_over() -> None:
    crowd = {WEST: [ON_FOOT, "GE_361", GUNNERS]}
    s = won(crowd, others={EAST: ["GE_115"]})
    for unit in (ON_FOOT, "GE_361", GUNNERS):
        march(s, unit, FIELD, EAST)
        if unit == GUNNERS:
            do(s, "done")
    assert {text.split()[0] for text in texts(s)} == {"drop"}
    while not over(s):
        do(s, texts(s)[0])
    assert not excess(s, H(EAST), AXIS)


# 14.2


@rule("na41", "14.2.1a")
@pytest.mark.parametrize(
    ("result", "hexes"),
    [("DS", 4), ("DR4", 4), ("D1", 3), ("A1/DR2", 2), ("DR2", 2), ("DRX", 2), ("A1/D1", 2)],
)
def test_mechanised_units_advance_as_far_as_the_result_says(result: str, hexes: int) -> None:
    s = won({WEST: TANK}, result)
    assert reach(s, TANK, FIELD, EAST, FAR_EAST, "1948", "1949") == hexes
    assert over(s)


@rule("na41", "14.2.1a", "5.8.2c", "5.8.1f")
def test_units_carried_by_trucks_advance_as_far_and_the_truck_comes_along() -> None:
    s = won({WEST: ON_FOOT}, others={WEST: TRUCK}, grouping=True)
    do(s, f"carry {TRUCK} {ON_FOOT}")
    plod(s)
    assert forbidden(s, f"advance {TRUCK} {FIELD}") == "5.8.2c" or not steps(s, TRUCK)
    assert reach(s, ON_FOOT, FIELD, EAST, FAR_EAST, "1948", "1949") == 4
    assert at(s, TRUCK) == at(s, ON_FOOT) == "1948"
    assert set(s.carried) == {-1}, "the truck has set it down"
    s = won({WEST: ON_FOOT}, "EX", others={WEST: TRUCK}, grouping=True)
    do(s, f"carry {TRUCK} {ON_FOOT}")
    march(s, ON_FOOT, FIELD)
    assert at(s, TRUCK) == at(s, ON_FOOT) == FIELD, "into the vacated hex too"
    assert over(s)


@rule("na41", "14.2.1b", "10.1l")
def test_units_on_foot_advance_two_hexes_at_most() -> None:
    s = won({WEST: ON_FOOT})
    assert reach(s, ON_FOOT, FIELD, EAST, FAR_EAST) == 2


@rule("na41", "14.2.1b", "10.1l")
def test_matildas_advance_two_hexes_at_most() -> None:
    s = won({WEST: MATILDA}, active="allied")
    march(s, MATILDA, FIELD)
    assert FAR_EAST not in steps(s, MATILDA)
    assert reach(s, MATILDA, EAST, FAR_EAST) == 1


@rule("na41", "16.4c")
def test_a_unit_out_of_supply_advances_one_hex() -> None:
    s = prepared({WEST: TANK})
    s.oos = units(TANK)
    advance(s, {WEST: TANK})
    assert reach(s, TANK, FIELD, EAST) == 1


@rule("na41", "14.2.2")
def test_after_an_exchange_only_the_vacated_hex_is_entered() -> None:
    s = won({WEST: TANK, NORTH_WEST: TANKS}, "EX")
    assert steps(s, TANK) == steps(s, TANKS) == {FIELD}
    assert forbidden(s, f"advance {TANK} {SOUTH_WEST}") == "14.2.2"
    march(s, TANK, FIELD)
    assert not steps(s, TANK)


@rule("na41", "14.2.2", "11.4.2")
def test_after_a_costly_determined_defence_only_the_vacated_hex_is_entered() -> None:
    s = prepared({WEST: TANK})
    effects.begin(s, COMBAT, H(FIELD), units(TANK))
    s.fight.result = results.cell("DR4")
    s.fight.held = 1
    s.stack.append(REST)
    effects.follow_up(s)
    start(s)
    assert steps(s, TANK) == {FIELD}
    march(s, TANK, FIELD)
    assert over(s)


# 14.3, 14.4


@rule("na41", "14.3")
def test_an_advance_goes_in_any_direction() -> None:
    s = won({WEST: TANK})
    assert steps(s, TANK) == {FIELD, NORTH_WEST, "2043", "1943", "1843", SOUTH_WEST}


@rule("na41", "14.4a")
def test_nobody_goes_from_one_zone_of_an_enemy_unit_into_another() -> None:
    s = won({WEST: TANK}, foes={"1843": FOE})
    assert steps(s, TANK) == {FIELD, NORTH_WEST, "2043"}
    assert forbidden(s, f"advance {TANK} {SOUTH_WEST}") == "14.4a"


@rule("na41", "14.4a")
def test_a_zone_of_another_unit_may_be_entered() -> None:
    s = won({WEST: TANK}, foes={"1843": FOE, "2145": OTHER_FOE})
    assert NORTH_WEST in steps(s, TANK)


@rule("na41", "14.4a", "14.4c")
def test_entering_and_leaving_the_vacated_hex_is_free() -> None:
    """An enemy beside both the start and the vacated hex, and beside the hexes on the far side."""
    s = won({WEST: TANK}, foes={SOUTH_WEST: FOE, "1845": OTHER_FOE})
    assert FIELD in steps(s, TANK)
    march(s, TANK, FIELD)
    assert EAST in steps(s, TANK)


@rule("na41", "14.4b")
def test_an_advance_stops_in_an_enemy_zone_even_beside_a_friend() -> None:
    s = won({WEST: TANK}, foes={"2245": FOE}, others={"2145": RECON})
    march(s, TANK, NORTH_WEST)
    assert "2145" in steps(s, TANK)
    hint = GAME.hint(s, GAME.parse(f"advance {TANK} 2145"))
    assert hint is not None
    assert hint["stop"]
    march(s, TANK, "2145")
    assert not steps(s, TANK)


@rule("na41", "7.3b", "14.4b")
def test_a_limited_zone_does_not_stop_an_advance() -> None:
    s = prepared({WEST: TANK}, {"2245": FOE})
    s.forts[AXIS] = mask("2145")
    advance(s, {WEST: TANK})
    plod(s)
    march(s, TANK, NORTH_WEST, "2145")
    assert "2144" in steps(s, TANK)


@rule("na41", "14.4c")
def test_ex_14_4() -> None:
    """Two hexes through the vacated hex, which is in EZOCs, in any direction."""
    s = won({WEST: TANK}, "DR2", foes={"1745": FOE, "2146": OTHER_FOE})
    assert steps(s, TANK) >= {FIELD, NORTH_WEST, SOUTH_WEST}
    s = won({WEST: TANK}, "DR2", foes={NORTH_EAST: FOE, "1846": OTHER_FOE})
    march(s, TANK, FIELD)
    assert steps(s, TANK) >= {NORTH_WEST, EAST}
    march(s, TANK, EAST)
    assert at(s, TANK) == EAST


@rule("na41", "14.4d")
def test_overlapping_zones_are_like_others() -> None:
    """2045 lies between 2146 and 2044's neighbour: two enemies that are not adjacent reach it."""
    s = won({WEST: TANK}, foes={"2146": FOE, EAST: OTHER_FOE})
    march(s, TANK, FIELD)
    assert NORTH_EAST in steps(s, TANK)
    march(s, TANK, NORTH_EAST)
    assert at(s, TANK) == NORTH_EAST
