"""Chapter 5: land movement, by road, in the desert and across escarpments."""

from __future__ import annotations

import pytest

from sandtable.games.na41.table.ids import AXIS, MODES

from ..kit import (
    H,
    U,
    at,
    board,
    do,
    empty,
    mask,
    names,
    of_kind,
    place,
    supplies,
    texts,
)
from ..marchkit import cost, goes, phase, reached, refusal, verbs, way

rule = pytest.mark.rule


# 5.1 The basics


@rule("na41", "5.1a", "2.3.2c", "2.2.1c")
def test_each_hex_costs_what_the_chart_says() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2454")  # flat to the east, rough in 2448 behind a track
    place(s, "IT_27", "2454")
    assert cost(s, "GE_I5_5L", "2456") == 2
    assert cost(s, "IT_27", "2456") == 2
    assert max(cost(s, "GE_I5_5L", h) for h in goes(s, "GE_I5_5L")) == 5  # its MA
    assert max(cost(s, "IT_27", h) for h in goes(s, "IT_27")) == 3
    place(s, ["GE_I5_5L", "IT_27"], "2251")  # rough all around
    assert (cost(s, "GE_I5_5L", "2250"), cost(s, "IT_27", "2250")) == (2, 1)
    place(s, ["GE_I5_5L", "IT_27"], "3419")  # jebel 3418
    assert (cost(s, "GE_I5_5L", "3418"), cost(s, "IT_27", "3418")) == (3, 2)
    place(s, ["GE_I5_5L", "IT_27"], "1749")  # desert
    assert (cost(s, "GE_I5_5L", "1748"), cost(s, "IT_27", "1748")) == (2, 2)
    place(s, ["GE_I5_5L", "IT_27"], "1206")  # marsh 1207
    assert (cost(s, "GE_I5_5L", "1207"), cost(s, "IT_27", "1207")) == (-1, 3)


@rule("na41", "5.1a")
def test_reduced_units_have_the_ma_of_that_side() -> None:
    s = empty()
    place(s, "BR_22GM", "2050", "remnant")
    remnant = next(r for r in board.pack.units.values() if r["id"] == "AL_REM_MOT1")
    assert max(cost(s, "BR_22GM", h) for h in goes(s, "BR_22GM")) == int(remnant["ma"])


@rule("na41", "5.1b")
def test_a_stack_moves_at_the_rate_of_its_slowest_unit() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L", "IT_27"], "2251")
    assert goes(s, "GE_AA3_5L", "normal", "IT_27") <= goes(s, "IT_27") & goes(s, "GE_AA3_5L")
    pair = reached(s, "GE_AA3_5L", "IT_27")
    assert pair.way(H("2250"), 0)[0] == 12  # rough: 2 for the vehicles, not 1
    assert pair.ma == 3 * 6
    assert not pair.masks[MODES.index("extended")]
    phase(s)
    do(s, "move GE_AA3_5L", "join IT_27", "to 2250 normal")
    assert at(s, "IT_27") == at(s, "GE_AA3_5L") == "2250"
    assert at(s, "GE_I5_5L") == "2251"


@rule("na41", "5.1b")
def test_nobody_joins_from_elsewhere_or_on_the_way() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L"], "2050")
    place(s, "GE_II5_5L", "2052")
    phase(s)
    do(s, "move GE_AA3_5L")
    assert refusal(s, "join GE_II5_5L") == "5.1b"
    do(s, "join GE_I5_5L", "to 2052 normal")
    assert refusal(s, "join GE_II5_5L") == "5.1b"


@rule("na41", "5.1c")
def test_units_left_behind_may_not_move_further() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L"], "2050")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L")
    assert refusal(s, "leave GE_I5_5L") == "5.1c"  # it has not set out
    do(s, "to 2052 normal")
    assert {"leave GE_AA3_5L", "leave GE_I5_5L", "halt"} <= set(texts(s))
    do(s, "leave GE_I5_5L")
    # 2 of 6 MPs are spent: 4 more, and 3 by extended movement
    assert "to 2056 normal" in texts(s)
    assert "to 2057 normal" not in texts(s)
    do(s, "to 2056 normal")
    assert (at(s, "GE_AA3_5L"), at(s, "GE_I5_5L")) == ("2056", "2052")
    assert verbs(s) == {"end-moves"}
    assert refusal(s, "move GE_I5_5L") == "5.1d"


@rule("na41", "5.1d")
def test_one_move_is_finished_before_the_next() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L"], "2050")
    phase(s)
    assert refusal(s, "to 2051 normal") == "5.1d"
    do(s, "move GE_AA3_5L")
    assert refusal(s, "move GE_I5_5L") == "5.1d"
    events = do(s, "to 2051 normal")
    assert of_kind(events, "moved")[0].data["unit"] == U("GE_AA3_5L")
    assert texts(s) == ["move GE_I5_5L", "end-moves"]


@rule("na41", "5.1d", "3.2c")
def test_any_all_or_none_may_move() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L"], "2050")
    place(s, "BR_22G", "2057")
    phase(s)
    assert texts(s) == ["move GE_AA3_5L", "move GE_I5_5L", "end-moves"]
    assert refusal(s, "move BR_22G") == "5.1a"
    do(s, "move GE_AA3_5L", "halt")
    assert at(s, "GE_AA3_5L") == "2050"
    assert texts(s) == ["move GE_I5_5L", "end-moves"]


@rule("na41", "5.1e")
def test_no_unit_enters_a_hex_with_an_enemy_combat_unit() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050")
    place(s, "BR_22G", "2051", routed=True)  # whatever its order
    place(s, "AL_TR1", "2049")
    for mode in ("normal", "extended", "tactical"):
        assert "2051" not in goes(s, "GE_I5_5L", mode)
    assert "2049" in goes(s, "GE_I5_5L")  # 8.7 non-combat units are no hindrance
    place(s, "BR_KDG", "2051")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 2051 normal") == "5.1e"


# 5.2 Roads


@rule("na41", "5.2.1a")
def test_highway_and_track_have_their_own_rates_along_their_course() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2421")
    place(s, "GE_I5_5L", "1604")  # on the highway
    assert cost(s, "GE_I5_5L", "1605") == pytest.approx(1 / 3)
    assert cost(s, "GE_I5_5L", "1602") == pytest.approx(2 / 3)
    assert cost(s, "GE_I5_5L", "1504") == 1  # beside it
    place(s, "GE_I5_5L", "1509")  # on a track
    assert cost(s, "GE_I5_5L", "1508") == pytest.approx(1 / 2)


@rule("na41", "5.2.1a")
def test_a_road_hex_entered_across_country_costs_its_ground() -> None:
    s = empty()
    place(s, "GE_I5_5L", "1504")
    assert cost(s, "GE_I5_5L", "1604") == 1


@rule("na41", "5.2.1b")
def test_road_and_country_mix_in_one_move() -> None:
    s = empty()
    place(s, "GE_I5_5L", "1602")
    assert way(s, "GE_I5_5L", "1406") == ["1603", "1604", "1605", "1506", "1406"]  # highway, track, rough
    assert cost(s, "GE_I5_5L", "1406") == 3 * 1 / 3 + 1 / 2 + 2
    phase(s)
    do(s, "move GE_I5_5L", "to 1406 normal")
    assert at(s, "GE_I5_5L") == "1406"


HIGHWAY = ["1604", "1605", "1606", "1707", "1708", "1808", "1809", "1910", "1911"]


def on_the_highway(s_unit: str = "IT_27", where: str = "1604") -> tuple[set[str], set[str]]:
    s = empty()
    place(s, s_unit, where)
    return goes(s, s_unit), goes(s, s_unit, "road")


@rule("na41", "5.2.2a", "5.2.2b")
def test_ex_5_2_2() -> None:
    s = empty()
    place(s, "IT_27", "1604")
    bonus = goes(s, "IT_27", "road")
    along = [h for h in bonus if h in HIGHWAY]
    assert max(cost(s, "IT_27", h, "road") for h in bonus) == 8
    assert cost(s, "IT_27", HIGHWAY[8], "road") == 8  # 8 highway hexes
    assert {HIGHWAY[4], HIGHWAY[8]} <= set(along)
    assert HIGHWAY[3] not in bonus  # the third is reached anyhow
    place(s, "IT_27", "1611")  # a track
    assert {cost(s, "IT_27", h, "road") for h in goes(s, "IT_27", "road")} == {4}
    place(s, "IT_27", "2050")  # no road
    assert not goes(s, "IT_27", "road")


@rule("na41", "5.2.2a")
def test_ex_5_7_b_the_highway_bonus() -> None:
    s = empty()
    place(s, "IT_27", "1604")
    phase(s)
    events = do(s, "move IT_27", f"to {HIGHWAY[8]} road")
    assert at(s, "IT_27") == HIGHWAY[8]
    assert of_kind(events, "moved")[0].rule == "5.2.2a"
    assert names(s.extended) == {"IT_27"}  # A14
    s = empty()
    place(s, "GE_AA3_5L", "1604")  # not for mechanised units
    assert not goes(s, "GE_AA3_5L", "road")
    phase(s)
    do(s, "move GE_AA3_5L")
    assert refusal(s, f"to {HIGHWAY[8]} road") == "5.2.2a"


@rule("na41", "5.2.2a")
def test_no_bonus_for_who_starts_beside_an_enemy() -> None:
    s = empty()
    place(s, "IT_27", "1604")
    place(s, "BR_22G", "1504", routed=True)  # A17 even in Full Retreat
    assert not goes(s, "IT_27", "road")
    phase(s)
    do(s, "move IT_27")  # 13.3.2e drives it away, but there it was
    assert at(s, "BR_22G") != "1504"
    assert refusal(s, f"to {HIGHWAY[8]} road") == "5.2.2a"


@rule("na41", "5.2.2a")
def test_no_bonus_to_a_hex_beside_an_enemy() -> None:
    s = empty()
    place(s, "IT_27", "1604")
    assert {"1809", "1910", "1911"} <= goes(s, "IT_27", "road")
    place(s, "BR_22G", "1912", routed=True)
    assert "1910" in goes(s, "IT_27", "road")
    assert "1911" not in goes(s, "IT_27", "road")
    place(s, "BR_22G", "1810")  # a ZOC on the way stops it
    assert not {"1809", "1910", "1911"} & goes(s, "IT_27", "road")


@rule("na41", "5.2.2b")
def test_a_mix_of_track_and_highway_gives_one_hex() -> None:
    s = empty()
    place(s, "IT_27", "1306")  # three track hexes, then the highway
    assert way(s, "IT_27", "1707", "road") == ["1405", "1506", "1606", "1707"]
    assert cost(s, "IT_27", "1707", "road") == 4
    assert "1708" not in goes(s, "IT_27", "road")  # a fifth
    phase(s)
    do(s, "move IT_27", "to 1707 road")
    assert at(s, "IT_27") == "1707"


@rule("na41", "5.2.2c")
def test_enemy_non_combat_units_do_not_prevent_the_road_bonus() -> None:
    s = empty()
    place(s, "IT_27", "1604")
    free = goes(s, "IT_27", "road")
    place(s, "AL_TR1", "1504")
    place(s, "BR_RI1", "1912")
    supplies(s, "allied", "1707", 2)
    assert goes(s, "IT_27", "road") == free


# 5.3 Extended movement


@rule("na41", "5.3a")
def test_mechanised_units_may_have_three_mps_more() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "2056")
    far = goes(s, "GE_AA3_5L", "extended")
    assert "2050" in goes(s, "GE_AA3_5L")
    assert "2047" in far
    assert max(cost(s, "GE_AA3_5L", h, "extended") for h in far) == 9
    assert not far & goes(s, "GE_AA3_5L")  # what its MA reaches needs no extended movement
    phase(s)
    events = do(s, "move GE_AA3_5L", "to 2047 extended")
    assert of_kind(events, "moved")[0].rule == "5.3a"
    assert names(s.extended) == {"GE_AA3_5L"}


@rule("na41", "5.3a", "5.8.1c", "5.8.1f")
def test_so_may_a_unit_that_a_truck_carries() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "2044")
    phase(s)
    do(s, "move AX_TR1", "load IT_27", "to 2053 extended")
    assert at(s, "IT_27") == at(s, "AX_TR1") == "2053"
    assert names(s.extended) == {"IT_27", "AX_TR1"}  # A14 it may not attack
    assert s.zocs[AXIS] == mask("2053")


@rule("na41", "5.3b")
def test_extended_movement_enters_no_ezoc() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2044")
    assert {"2050", "2051"} <= goes(s, "GE_I5_5L", "extended")
    place(s, "BR_22G", "2052")
    assert "2050" in goes(s, "GE_I5_5L", "extended")
    assert "2051" not in goes(s, "GE_I5_5L", "extended")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 2051 extended") == "5.3b"


@rule("na41", "5.3b")
def test_nor_passes_one_that_does_not_stop() -> None:
    s = empty()
    place(s, ["GE_AA3_5L", "GE_I5_5L"], "2049")
    place(s, "BR_22G", "2050")
    s.forts[AXIS] = mask("2049", "2150")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L", "to 2150 normal", "leave GE_I5_5L")
    assert "to 2151 normal" in texts(s)  # 1 + 1, 1 + 1 of 6 MPs
    assert not [text for text in texts(s) if text.endswith("extended")]
    assert refusal(s, "to 2158 extended") == "5.3b"


@rule("na41", "5.3c")
def test_from_an_ezoc_the_first_hex_must_be_out_of_ezocs() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2053")
    place(s, "BR_22G", "2054")
    assert cost(s, "GE_I5_5L", "2047", "extended") == 8
    assert not goes(s, "GE_I5_5L", "extended") & {"2154", "1954"}
    place(s, "BR_16", "2152")  # 2153 and 2052 are in its zone
    place(s, "BR_14", "1853")  # and 1953 in this one's
    assert not goes(s, "GE_I5_5L", "extended")
    assert goes(s, "GE_I5_5L") == {"2153", "2052", "1953", "2154", "1954"}


@rule("na41", "5.3d")
def test_units_on_foot_have_no_extended_movement() -> None:
    s = empty()
    place(s, "IT_27", "2044")
    assert not goes(s, "IT_27", "extended")
    phase(s)
    do(s, "move IT_27")
    assert refusal(s, "to 2048 extended") == "5.3d"


@rule("na41", "5.3e")
def test_full_retreat_and_non_combat_units_do_not_prevent_it() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2044")
    free = goes(s, "GE_I5_5L", "extended")
    place(s, "BR_22G", "2052", routed=True)
    place(s, "AL_TR1", "2049")
    assert goes(s, "GE_I5_5L", "extended") == free - {"2052"}


# 5.4 Tactical movement


@rule("na41", "5.4a")
def test_tactical_movement_is_one_or_two_hexes_without_mps() -> None:
    s = empty()
    place(s, "IT_27", "3419")  # in the jebel: 2 MPs a hex
    there = goes(s, "IT_27", "tactical")
    assert "3417" in there
    assert "3417" not in goes(s, "IT_27")
    assert all(cost(s, "IT_27", h, "tactical") in (1, 2) for h in there)
    assert "3416" not in there
    place(s, "GE_I5_5L", "3419")
    assert "3417" in goes(s, "GE_I5_5L", "tactical")  # 6 MPs otherwise
    phase(s)
    do(s, "move GE_I5_5L", "to 3417 tactical")
    assert at(s, "GE_I5_5L") == "3417"


@rule("na41", "5.4a", "17.4a")
def test_it_is_not_normal_movement() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_AA3_5L"], "2050")
    phase(s)
    do(s, "move GE_I5_5L", "to 2052 tactical")
    assert not s.moved_at_all
    do(s, "move GE_AA3_5L", "to 2052 normal")
    assert s.moved_at_all


@rule("na41", "5.4b")
def test_who_used_it_may_attack() -> None:
    s = empty()
    place(s, "GE_I5_5L", "2050")
    phase(s)
    do(s, "move GE_I5_5L", "to 2052 tactical")
    assert not s.extended


@rule("na41", "5.4c")
def test_tactical_movement_stops_in_an_ezoc_but_not_in_a_limited_one() -> None:
    s = empty()
    place(s, "IT_27", "2048")
    place(s, "BR_22G", "2050")
    place(s, "BR_16", "1849")
    assert "2049" in goes(s, "IT_27", "tactical")
    assert "1950" not in goes(s, "IT_27", "tactical")
    s.forts[AXIS] = mask("2049")
    s.memo.clear()
    assert "1950" in goes(s, "IT_27", "tactical")


@rule("na41", "5.4c", "5.7b")
def test_nor_crosses_a_prohibited_hexside() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "IT_27"], "1243")
    assert "1344" not in goes(s, "GE_I5_5L", "tactical")
    assert "1344" in goes(s, "IT_27", "tactical")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to 1344 tactical") == "5.4c", "it is near enough"
    assert refusal(s, "to 1246 tactical") == "5.4a"


@rule("na41", "5.4a")
def test_a_stack_does_not_mix_modes() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_AA3_5L"], "2050")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L", "to 2051 tactical", "leave GE_I5_5L")
    assert {text.split()[2] for text in texts(s) if text.startswith("to ")} == {"tactical"}
    assert refusal(s, "to 2054 normal") == "5.4a"
    do(s, "to 2052 tactical")
    assert verbs(s) == {"end-moves"}  # two hexes are all
