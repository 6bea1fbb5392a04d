"""16 Supply and attrition."""

from __future__ import annotations

import pytest

from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import ALLIED, AXIS, POOL
from sandtable.games.na41.table.position import put, touch
from sandtable.games.na41.table.state import State

from ..kit import (
    H,
    U,
    board,
    controlled_by,
    do,
    empty,
    mask,
    names,
    of_kind,
    place,
    supplies,
    texts,
    units,
    why,
)
from ..phasekit import over, supply_phase
from .ch16supplykit import DEEP, besieged, full

"""In the desert, three hexes and more of it on every side: whoever stands here is out of supply."""


def reaches(s: State, side: int, from_: str, to: str, n: int) -> bool:
    return bool(supply_lines.within(s, side, H(to), n) >> H(from_) & 1)


# 16.1 The check


@pytest.mark.rule("na41", "16.1a", "16.1b", "16.1c", "3.2g")
def test_all_kinds_of_units_are_checked_and_marked() -> None:
    s = empty("allied", "supply")
    place(s, ["BR_2R", "AL_TR1", "BR_RI1"], DEEP)
    place(s, "BR_6R", "2660")
    place(s, "GE_I5_5L", "1422")
    supply_phase(s)
    assert over(s)
    assert names(s.oos) == {"BR_2R", "AL_TR1", "BR_RI1"}
    assert not s.isolated


@pytest.mark.rule("na41", "16.1c")
def test_a_second_time_turns_the_marker_to_red() -> None:
    s = empty("allied", "supply")
    place(s, "BR_2R", DEEP, oos=True)
    place(s, "AL_TR1", DEEP)
    events = supply_phase(s)
    assert names(s.oos) == {"BR_2R", "AL_TR1"}
    assert names(s.isolated) == {"BR_2R"}
    (event,) = of_kind(events, "supply")
    assert event.data["units"] == [U("AL_TR1")]
    assert event.data["red"] == ["BR_2R"]


@pytest.mark.rule("na41", "16.1d")
def test_a_line_takes_the_marker_off() -> None:
    s = empty("allied", "supply")
    place(s, "BR_2R", "2660", isolated=True)
    place(s, "BR_6R", "nile_delta", oos=True)
    place(s, "GE_I5_5L", DEEP, isolated=True)
    supply_phase(s)
    assert names(s.oos) == names(s.isolated) == {"GE_I5_5L"}


# 16.2 Sources


@pytest.mark.rule("na41", "16.2a", "6.2c")
def test_full_supply_comes_from_the_own_boxes() -> None:
    s = empty()
    assert full(s, AXIS, "tripoli")
    assert full(s, AXIS, "italy")
    assert not full(s, AXIS, "nile_delta")
    assert full(s, ALLIED, "nile_delta")
    assert not full(s, ALLIED, "tripoli")
    assert full(s, AXIS, "1701")
    assert full(s, ALLIED, "2480")


@pytest.mark.rule("na41", "16.2b")
def test_a_port_supplies_those_who_are_cut_off() -> None:
    s = besieged("AU_18")
    assert not full(s, ALLIED, "3138")
    assert supply_lines.fed_by_port(s, ALLIED) >> H("3138") & 1
    supply_phase(s)
    assert not s.oos
    assert names(s.fed) == {"AU_18"}
    controlled_by(s, "axis", "3138")
    assert not supply_lines.fed_by_port(s, ALLIED) >> H("3138") & 1


@pytest.mark.rule("na41", "16.2c", "16.2d")
def test_ex_16_2() -> None:
    """EX-16.2 Tobruk at capacity 4 supplies any eight units, as the owner decides."""
    garrison = ["AU_18", "AU_20", "AU_24", "AU_26", "BR_RNF", "AL_TR1", "BR_RI1", "BR_1R", "BR_3H"]
    s = besieged(*garrison)
    supply_phase(s)
    assert texts(s) == sorted((f"feed {name}" for name in garrison), key=lambda t: U(t[5:]))
    for name in garrison[1:8]:
        do(s, f"feed {name}")
    assert set(texts(s)) == {"feed AU_18", "feed BR_3H"}
    answer = why(s, "feed AU_20")
    assert answer is not None
    assert answer.rule == "16.2d"
    do(s, "feed BR_3H")
    assert over(s)
    assert names(s.oos) == {"AU_18"}


@pytest.mark.rule("na41", "16.2c")
def test_a_damaged_port_supplies_fewer_units_and_a_dead_one_none() -> None:
    s = besieged("AU_18", "AU_20", "AU_24")
    port = board.port_at[H("3138")]
    s.port_level[port] = board.port_track[port].index(1)
    assert supply_lines.source_limits(s, ALLIED)[H("3138")] == 2
    supply_phase(s)
    do(s, "feed AU_24", "feed AU_18")
    assert names(s.oos) == {"AU_20"}
    s.port_level[port] = board.port_track[port].index(0)
    touch(s)
    assert not supply_lines.fed_by_port(s, ALLIED) >> H("3138") & 1
    supply_phase(s)
    assert names(s.oos) == {"AU_18", "AU_20", "AU_24"}
    assert names(s.isolated) == {"AU_20"}


@pytest.mark.rule("na41", "16.2d")
def test_units_of_two_ports_make_room_for_each_other() -> None:
    """Bardia can take those whom Tobruk cannot; nothing has to be asked when all find a place."""
    s = besieged("AU_18")
    for name in ("tobruk", "bardia"):
        s.port_level[board.port_ids.index(name)] = board.port_track[board.port_ids.index(name)].index(1)
    place(s, "IT_16", "2845")
    place(s, "IT_85", "2944")
    place(s, ["AU_20", "AU_24"], "2946")
    supply_phase(s)
    assert over(s)
    assert names(s.fed) == {"AU_18", "AU_20", "AU_24"}


@pytest.mark.rule("na41", "16.2e", "17.2.1a")
def test_supply_points_are_no_source() -> None:
    s = empty("allied", "supply")
    place(s, "BR_2R", DEEP)
    supplies(s, "allied", DEEP, 3)
    supply_phase(s)
    assert names(s.oos) == {"BR_2R"}


# 16.3.1 Lines


@pytest.mark.rule("na41", "16.3.1a", "16.3.3a")
def test_a_line_goes_across_country_to_a_road_and_along_it_for_any_distance() -> None:
    s = empty()
    assert full(s, ALLIED, "1054")  # Qara, twenty hexes of track from the highway
    assert full(s, ALLIED, "1051")  # three hexes from the track


@pytest.mark.rule("na41", "16.3.1b", "16.3.3b")
def test_the_overland_part_comes_before_the_road() -> None:
    """An enemy truck on the track: whoever is near goes around it, from Qara no line can leave the road again."""
    s = empty()
    place(s, "AX_TR1", "1757")
    assert full(s, ALLIED, "1656")
    assert not full(s, ALLIED, "1054")


@pytest.mark.rule("na41", "16.3.1c")
def test_a_line_may_lead_to_the_source_without_a_road() -> None:
    s = empty()
    place(s, "BR_2R", "1602")
    assert not full(s, AXIS, "1605")
    assert full(s, AXIS, "1101")
    assert full(s, AXIS, "1102")


# 16.3.2 The overland part


@pytest.mark.rule("na41", "16.3.2a")
def test_five_hexes_at_most() -> None:
    s = empty()
    assert full(s, AXIS, "2032")
    assert not full(s, AXIS, "2033")
    assert reaches(s, AXIS, "2219", "2224", 5)
    assert not reaches(s, AXIS, "2218", "2224", 5)


@pytest.mark.rule("na41", "16.3.2b")
def test_rough_and_jebel_hexes_count_two_off_road() -> None:
    s = empty()
    assert reaches(s, AXIS, "2719", "2721", 4)
    assert not reaches(s, AXIS, "2719", "2721", 3)
    assert reaches(s, AXIS, "2424", "2427", 3)  # rough, but along the track
    assert reaches(s, AXIS, "3517", "3518", 2)
    assert not reaches(s, AXIS, "3517", "3518", 1)  # jebel


@pytest.mark.rule("na41", "16.3.2c")
def test_no_line_into_a_marsh_or_across_the_sea() -> None:
    s = empty()
    assert not reaches(s, AXIS, "1606", "1607", 5)
    assert reaches(s, AXIS, "1607", "1606", 1)  # out of the marsh it may lead
    assert not reaches(s, ALLIED, "2365", "2464", 1)
    assert reaches(s, ALLIED, "2365", "2464", 2)


@pytest.mark.rule("na41", "16.3.2d")
def test_escarpments_are_crossed_by_road_or_beside_the_unit() -> None:
    s = empty()
    assert reaches(s, ALLIED, "2713", "2714", 1)  # the hexside is the unit's own
    assert not reaches(s, ALLIED, "2712", "2714", 2)  # here it would be the second
    assert reaches(s, ALLIED, "2612", "2614", 2)  # by road


@pytest.mark.rule("na41", "16.3.2e")
def test_no_more_than_two_desert_hexes_in_a_row() -> None:
    s = empty()
    assert full(s, AXIS, "1319")  # 1318, 1317 and then the track
    assert not full(s, AXIS, "1320")


@pytest.mark.rule("na41", "16.3.2f", "16.3.3b", "19.2.1a")
def test_no_line_through_enemy_units_but_replacements_hinder_nobody() -> None:
    s = empty()
    assert reaches(s, AXIS, "2222", "2224", 2)
    place(s, "AL_TR1", "2223")
    assert not reaches(s, AXIS, "2222", "2224", 2)
    put(s, U("AL_TR1"), POOL)
    place(s, "BR_RI1", "2223")
    assert reaches(s, AXIS, "2222", "2224", 2)


@pytest.mark.rule("na41", "16.3.2g")
def test_only_the_first_hex_may_be_in_an_ezoc() -> None:
    s = empty()
    assert reaches(s, AXIS, "2221", "2224", 3)
    place(s, "BR_2R", "2322")  # its ZOC is in 2221 and 2222
    assert reaches(s, AXIS, "2221", "2224", 3)
    put(s, U("BR_2R"), H("2323"))  # in 2222 and 2223
    touch(s)
    assert not reaches(s, AXIS, "2221", "2224", 3)
    assert reaches(s, AXIS, "2222", "2224", 2)


@pytest.mark.rule("na41", "16.3.2g", "7.4b")
def test_never_into_an_overlapping_ezoc() -> None:
    s = empty()
    place(s, "BR_2R", "2323")
    assert reaches(s, AXIS, "2222", "2224", 2)
    place(s, "BR_6R", "2123")  # 2223 lies between the two
    assert not reaches(s, AXIS, "2222", "2224", 2)


@pytest.mark.rule("na41", "16.3.2h", "7.4c")
def test_friendly_units_negate_ezocs_in_their_hexes() -> None:
    s = empty()
    place(s, "BR_2R", "2323")
    place(s, "BR_6R", "2123")
    place(s, "AX_TR1", "2223")
    assert reaches(s, AXIS, "2222", "2224", 2)
    assert not reaches(s, AXIS, "2221", "2224", 3)  # 2222 is in a ZOC, and now the first hex is 2222
    place(s, "AX_TR2", "2222")
    assert reaches(s, AXIS, "2221", "2224", 3)
    for unit, h in (("GE_I5_5L", "2814"), ("GE_II5_5L", "2614"), ("AL_TR1", "2714")):
        place(s, unit, h)
    assert reaches(s, ALLIED, "2713", "2714", 1)  # across the escarpment too


@pytest.mark.rule("na41", "2.3.1b", "16.3.2f", "16.3.2h", "16.3.3b")
def test_supply_points_are_units_that_occupy_their_hex() -> None:
    s = empty()
    place(s, "BR_2R", "2323")
    place(s, "BR_6R", "2123")  # 2223 lies between the two
    assert not reaches(s, AXIS, "2222", "2224", 2)
    supplies(s, "axis", "2223")
    assert reaches(s, AXIS, "2222", "2224", 2)
    s = empty()
    assert supply_lines.open_to(s, AXIS)[0] >> H("2223") & 1
    supplies(s, "allied", "2223")
    assert not supply_lines.open_to(s, AXIS)[1] >> H("2223") & 1
    assert supply_lines.open_to(s, ALLIED)[0] >> H("2223") & 1
    supplies(s, "allied", "nile_delta")
    assert supply_lines.full(s, ALLIED) >> H("2480") & 1


@pytest.mark.rule("na41", "16.3.2i")
def test_no_line_through_enemy_airfields_and_fortifications() -> None:
    s = empty()
    assert reaches(s, ALLIED, "2850", "2852", 2)
    controlled_by(s, "axis", "2851")
    assert not reaches(s, ALLIED, "2850", "2852", 2)
    assert reaches(s, AXIS, "2222", "2224", 2)
    s.building[ALLIED] = mask("2223")
    touch(s)
    assert reaches(s, AXIS, "2222", "2224", 2)  # 9.5.4b
    s.forts[ALLIED] = mask("2223")
    touch(s)
    assert not reaches(s, AXIS, "2222", "2224", 2)


@pytest.mark.rule("na41", "16.3.2i", "16.3.3d")
@pytest.mark.parametrize("hex_", ["2478", "3138", "2365"])
def test_enemy_cities_ports_and_airfields_are_closed(hex_: str) -> None:
    s = empty()
    assert not supply_lines.open_to(s, AXIS)[0] >> H(hex_) & 1
    assert supply_lines.open_to(s, ALLIED)[0] >> H(hex_) & 1
    controlled_by(s, "axis", hex_)
    assert supply_lines.open_to(s, AXIS)[1] >> H(hex_) & 1
    assert not supply_lines.open_to(s, ALLIED)[1] >> H(hex_) & 1


# 16.3.3 The road part


@pytest.mark.rule("na41", "16.3.3c")
def test_no_ezoc_of_any_kind_on_the_road_unless_a_friend_stands_there() -> None:
    s = empty()
    place(s, "GE_I5_5L", "1855")
    assert full(s, ALLIED, "1054")
    put(s, U("GE_I5_5L"), H("1856"))  # its ZOC is in 1757 and 1857
    touch(s)
    assert not full(s, ALLIED, "1054")
    place(s, "AL_TR1", "1757")
    assert not full(s, ALLIED, "1054")
    place(s, "AL_TR2", "1857")
    assert full(s, ALLIED, "1054")


@pytest.mark.rule("na41", "16.3.3d")
def test_no_road_through_an_enemy_fortification_even_an_empty_one() -> None:
    s = empty()
    s.forts[AXIS] = mask("1757")
    assert not full(s, ALLIED, "1054")
    assert full(s, ALLIED, "1757")


def test_ex_16_3() -> None:
    """EX-16.3 A, B, C reach the road with at most their first hex in an ordinary EZOC; D has overlapping ones before
    it. (The picture is lost: the hexes are ours.)"""
    s = empty()
    for unit, h in (("GE_I5_5L", "1153"), ("GE_II5_5L", "1155"), ("GE_MG8_5L", "1555")):
        place(s, unit, h)
    wanted = {"1757": True, "1655": True, "1455": True, "1054": False}
    for unit, h in zip(("BR_1R", "BR_2R", "BR_6R", "BR_3H"), wanted, strict=True):
        place(s, unit, h)
    assert {h: full(s, ALLIED, h) for h in wanted} == wanted
    put(s, U("GE_I5_5L"), H("1154"))  # beside the other: what they reach together is no overlapping ZOC (7.4a)
    touch(s)
    assert not full(s, ALLIED, "1054")  # but now the track itself is held


# 16.3.4 MSUs


@pytest.mark.rule("na41", "16.3.4a", "17.2.4c")
def test_an_msu_in_supply_extends_the_line() -> None:
    s = empty()
    assert not full(s, AXIS, "1321")
    place(s, "AX_TR1", "1319")
    assert not full(s, AXIS, "1321")  # a truck will not do
    s.msu |= units("AX_TR1")
    touch(s)
    assert full(s, AXIS, "1321")
    assert not full(s, AXIS, "1322")
    s.shipped |= units("AX_TR1")
    touch(s)
    assert not full(s, AXIS, "1321")


@pytest.mark.rule("na41", "16.3.4a", "16.3.4b")
def test_msus_make_a_chain_whose_end_has_a_source() -> None:
    s = empty()
    place(s, ["AX_TR1"], "1319", msu=True)
    place(s, ["AX_TR2"], "1321", msu=True)
    assert full(s, AXIS, "1323")
    put(s, U("AX_TR1"), H("2011"))
    touch(s)
    assert not full(s, AXIS, "1323")
    assert not full(s, AXIS, "1321")


@pytest.mark.rule("na41", "16.3.4c")
def test_msus_pass_on_the_supply_that_they_have() -> None:
    """South of Tobruk an MSU reaches the port, and only the port."""
    s = besieged("AU_18")
    s.control |= board.controllable & ~mask("3138")
    touch(s)
    place(s, "AL_TR1", "3037", msu=True)
    assert not full(s, ALLIED, "3037")
    assert supply_lines.fed_by_port(s, ALLIED) >> H("3037") & 1
    s2 = empty()
    place(s2, "AX_TR1", "1319", msu=True)
    assert full(s2, AXIS, "1321")
    assert not supply_lines.fed_by_port(s2, AXIS) >> H("1321") & 1


# 16.3.5 Control


@pytest.mark.rule("na41", "16.3.5a")
def test_whoever_was_there_last_controls_a_place() -> None:
    from sandtable.games.na41.table.captures import enter

    s = empty()
    enter(s, AXIS, H("2851"))
    enter(s, AXIS, H("2850"))
    assert s.control >> H("2851") & 1
    assert not s.control >> H("2850") & 1
    enter(s, ALLIED, H("2851"))
    assert not s.control >> H("2851") & 1


@pytest.mark.rule("na41", "16.3.5b")
def test_other_empty_hexes_are_open_to_both() -> None:
    s = empty()
    assert reaches(s, AXIS, "2222", "2224", 2)
    assert reaches(s, ALLIED, "2222", "2224", 2)
    assert supply_lines.open_to(s, AXIS)[0] >> H("2937") & 1  # El Adem is an objective, but bars nobody
