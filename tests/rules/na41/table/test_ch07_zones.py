"""Chapter 7: zones of control."""

from __future__ import annotations

import pytest

from sandtable.games.na41.table.ids import ALLIED, AXIS
from sandtable.games.na41.table.position import zone
from sandtable.games.na41.table.zones import (
    beside,
    beside_any,
    ezoc,
    full_zoc,
    limited_zoc,
    next_to_enemy,
    overlapping,
    overlapping_ezoc,
)

from ..kit import H, board, do, empty, hexes, mask, place, supplies
from ..marchkit import cost, goes, phase, refusal, verbs

rule = pytest.mark.rule
AROUND_2050 = {"2051", "2049", "2150", "2151", "1950", "1951"}


@rule("na41", "7.1a")
def test_the_six_hexes_around_a_combat_unit_are_its_zoc() -> None:
    s = empty()
    place(s, "BR_22G", "2050")
    assert hexes(zone(s, ALLIED)) == AROUND_2050
    assert hexes(ezoc(s, AXIS)) == AROUND_2050
    assert hexes(full_zoc(s, ALLIED)) == AROUND_2050
    assert zone(s, AXIS) == 0


@rule("na41", "7.1a", "16.3.2c")
def test_no_zoc_leads_across_an_all_sea_hexside() -> None:
    s = empty()
    place(s, "BR_22G", "2365")
    assert "2464" not in hexes(zone(s, ALLIED))
    assert "2364" in hexes(zone(s, ALLIED))


@rule("na41", "7.1b")
def test_non_combat_units_have_no_zoc() -> None:
    s = empty()
    place(s, "AL_TR1", "2050")
    place(s, "BR_RI1", "2054")
    place(s, "BR_RT1", "2057")
    supplies(s, "allied", "2045", 3)
    s.delay_allied[0] = H("2047")
    assert zone(s, ALLIED) == full_zoc(s, ALLIED) == 0
    assert hexes(beside_any(s, ALLIED)) >= AROUND_2050
    assert beside(s, ALLIED) == 0


@rule("na41", "7.1b", "13.3.2b")
def test_units_in_full_retreat_have_no_zoc() -> None:
    s = empty()
    place(s, "BR_22G", "2050", routed=True)
    assert zone(s, ALLIED) == full_zoc(s, ALLIED) == overlapping(s, ALLIED) == 0
    assert hexes(beside(s, ALLIED)) == AROUND_2050
    assert next_to_enemy(s, AXIS, H("2051"))
    place(s, "BR_KDG", "2050")  # but a friend beside it has one
    assert hexes(zone(s, ALLIED)) == AROUND_2050


@rule("na41", "7.1c")
@pytest.mark.parametrize(
    ("unit", "shows"), [("AL_XIII", "full"), ("AL_7M", "full"), ("BR_22G", "remnant"), ("BR_KDG", "full")]
)
def test_asus_and_remnants_have_a_zoc(unit: str, shows: str) -> None:
    s = empty()
    place(s, unit, "2050", shows)
    assert hexes(zone(s, ALLIED)) == AROUND_2050


@rule("na41", "7.2a")
def test_a_unit_stops_on_entering_an_ezoc() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "2047")
    place(s, "BR_22G", "2050")
    there = goes(s, "GE_AA3_5L")
    assert "2049" in there  # into the zone
    assert "2051" not in there  # not on behind it, which is 4 hexes away through it and 6 around
    assert {"2148", "1948"} <= there
    phase(s)
    do(s, "move GE_AA3_5L", "to 2049 normal")
    assert "move" not in verbs(s)
    assert s.group == 0


@rule("na41", "7.2a", "5.1c")
def test_a_stack_that_enters_an_ezoc_does_not_go_on() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L"], "2047")
    place(s, "BR_22G", "2050")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L", "to 2049 normal")
    assert verbs(s) == {"end-moves"}


@rule("na41", "7.2b")
def test_entering_an_ezoc_costs_nothing_more() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2047")
    place(s, "BR_22G", "2050")
    assert cost(s, "GE_I5_5L", "2049") == 2


@rule("na41", "7.2c")
def test_leaving_an_ezoc_costs_two_mps() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2049")
    assert cost(s, "GE_I5_5L", "2048") == 1
    place(s, "BR_22G", "2050")
    assert cost(s, "GE_I5_5L", "2048") == 3
    assert cost(s, "GE_I5_5L", "2046") == 5
    assert "2045" not in goes(s, "GE_I5_5L")


@rule("na41", "7.2c", "5.4a")
def test_it_costs_nothing_in_tactical_movement() -> None:
    s = empty()
    place(s, "IT_27", "2049")
    place(s, "BR_22G", "2050")
    assert cost(s, "IT_27", "2047", "tactical") == 2


@rule("na41", "7.2d")
def test_from_ezoc_to_ezoc_at_the_start_of_a_move() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2049")
    place(s, "BR_22G", "2050")
    assert cost(s, "GE_I5_5L", "1950") == 3  # 2 to leave and 1
    assert "1951" not in goes(s, "GE_I5_5L")  # it stops in the first
    assert "1950" in goes(s, "GE_I5_5L", "tactical")
    assert "1951" not in goes(s, "GE_I5_5L", "tactical")


@rule("na41", "7.3a", "9.5.2")
def test_a_zoc_is_limited_up_an_escarpment_and_into_a_fortification() -> None:
    s = empty()
    place(s, "BR_22G", "1240")  # 1340 and 1341 are up an escarpment
    assert hexes(limited_zoc(s, ALLIED)) == {"1340", "1341"}
    assert hexes(zone(s, ALLIED)) - hexes(full_zoc(s, ALLIED)) == {"1340", "1341"}
    place(s, "BR_22G", "1340")  # down is a normal one
    assert {"1239", "1240"} <= hexes(full_zoc(s, ALLIED))
    place(s, "BR_22G", "2050")
    s.forts[AXIS] = mask("2049")
    s.forts[ALLIED] = mask("2051")  # one's own does not matter
    s.memo.clear()
    assert hexes(limited_zoc(s, ALLIED)) == {"2049"}
    s.building[AXIS], s.forts[AXIS] = s.forts[AXIS], 0  # 9.5.4b
    s.memo.clear()
    assert limited_zoc(s, ALLIED) == 0


@rule("na41", "7.3a")
def test_a_full_zoc_from_another_hex_counts() -> None:
    s = empty()
    place(s, "BR_22G", "1240")
    place(s, "BR_16", "1441")  # beside 1341, on the same level
    assert "1341" in hexes(full_zoc(s, ALLIED))
    assert hexes(limited_zoc(s, ALLIED)) == {"1340"}


@rule("na41", "7.3b")
def test_a_limited_zoc_does_not_stop_anybody() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2048")
    place(s, "BR_22G", "2050")
    place(s, "BR_16", "1849")  # the way south of 2049 ends in its zone
    assert "1950" not in goes(s, "GE_I5_5L")
    s.forts[AXIS] = mask("2049")
    s.memo.clear()
    assert cost(s, "GE_I5_5L", "1950") == 3  # 2049, +1 to leave it, 1950
    phase(s)
    do(s, "move GE_I5_5L", "to 1950 normal")
    assert s.at[board.unit_index["GE_I5_5L"]] == H("1950")


@rule("na41", "7.3b", "5.5b", "24.2a")
def test_a_limited_zoc_is_entered_as_the_second_desert_hex_whatever_a_marker_costs_there() -> None:
    s = empty("allied")
    place(s, "BR_KDG", "1648")
    place(s, "GE_AA3_5L", "1650")
    s.forts[ALLIED] = mask("1550")
    s.delay_axis[0] = H("1550")
    assert all(board.desert >> H(h) & 1 for h in ("1549", "1550"))
    assert hexes(limited_zoc(s, AXIS)) == {"1550"}
    assert cost(s, "BR_KDG", "1550") == 2 + 2 + 1


@rule("na41", "7.3c")
def test_leaving_a_limited_zoc_costs_one_mp() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2049")
    place(s, "BR_22G", "2050")
    s.forts[AXIS] = mask("2049")
    assert cost(s, "GE_I5_5L", "2048") == 2


@rule("na41", "7.3d", "5.3b")
def test_otherwise_a_limited_zoc_is_a_zoc() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2042")
    assert "2049" in goes(s, "GE_I5_5L", "extended")  # more than its 5 MPs away
    place(s, "BR_22G", "2050")
    assert "2049" not in goes(s, "GE_I5_5L", "extended")
    s.forts[AXIS] = mask("2049")
    s.memo.clear()
    assert "2049" not in goes(s, "GE_I5_5L", "extended")  # A16
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 2049 extended") == "5.3b"
    place(s, "BR_16", "2048")  # overlapping with it
    assert "2049" in hexes(overlapping(s, ALLIED))


@rule("na41", "7.3d", "5.3b")
def test_nor_is_it_entered_at_the_end_of_a_way_that_meets_the_enemy_nowhere_else() -> None:
    """A16: the tanks below the escarpment are out of reach, and so is every hex of their full ZOC."""
    s = empty()
    place(s, "GE_I5_5L", "3526")
    assert {"3821", "3822"} <= goes(s, "GE_I5_5L", "extended")
    place(s, "BR_5R", "3922")
    reach = goes(s, "GE_I5_5L", "extended") | goes(s, "GE_I5_5L")
    assert not reach & hexes(full_zoc(s, ALLIED) | 1 << H("3922"))
    assert {"3821", "3822"} <= hexes(limited_zoc(s, ALLIED))
    assert not reach & {"3821", "3822"}
    assert "3823" in reach, "the hex before them on the road"


@rule("na41", "7.4a")
def test_overlapping_zocs_come_from_hexes_that_are_not_adjacent() -> None:
    s = empty()
    place(s, ["BR_22G", "BR_KDG"], "2050")  # A45 one hex is one
    assert overlapping(s, ALLIED) == 0
    place(s, "BR_16", "2051")
    assert overlapping(s, ALLIED) == 0  # adjacent to each other
    place(s, "BR_16", "2052")
    assert hexes(overlapping(s, ALLIED)) == {"2051"}


@rule("na41", "7.4a")
@pytest.mark.parametrize("first", range(6))
@pytest.mark.parametrize("second", range(6))
def test_every_pair_of_directions(first: int, second: int) -> None:
    s = empty()
    around = ["2051", "2151", "2150", "2049", "1950", "1951"]  # in the order of the compass
    place(s, "BR_22G", around[first])
    place(s, "BR_16", around[second])
    apart = min((first - second) % 6, (second - first) % 6) > 1
    assert ("2050" in hexes(overlapping(s, ALLIED))) == apart


@rule("na41", "7.4b", "7.4c", "16.4a")
def test_units_out_of_supply_may_not_enter_overlapping_ezocs_unless_a_friend_negates_them() -> None:
    s = empty()
    place(s, "IT_27", "2150", oos=True)
    place(s, "BR_22G", "2051")
    place(s, "BR_16", "2049")
    assert "2050" in hexes(overlapping_ezoc(s, AXIS))
    assert "2050" not in goes(s, "IT_27", "tactical")
    phase(s)
    do(s, "move IT_27")
    assert refusal(s, "to 2050 tactical") == "16.4a"
    for friend in ("IT_28", "AX_TR1"):  # any unit does, a truck too
        place(s, friend, "2050")
        assert "2050" not in hexes(overlapping_ezoc(s, AXIS))
        assert "2050" in goes(s, "IT_27", "tactical")
        place(s, friend, "2350")
