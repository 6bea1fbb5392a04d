"""16 Supply and attrition."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import advance
from sandtable.games.na41.combat.strengths import armour, defence_total, quality
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import ALLIED, AXIS, PHASES, POOL, SURRENDER_LEFT
from sandtable.games.na41.table.position import put, touch, zone
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn import replacements
from sandtable.games.na41.turn.supply_phase import claimants, has_water, isolation_terms
from sandtable.mechanics.masks import hexes_in

from .kit import (
    H,
    U,
    at,
    board,
    controlled_by,
    do,
    empty,
    hexes,
    kinds,
    mask,
    names,
    of_kind,
    place,
    roll,
    supplies,
    texts,
    units,
    why,
)
from .phasekit import over, supply_phase
from .turnkit import moving

DEEP = "1622"
"""In the desert, three hexes and more of it on every side: whoever stands here is out of supply."""


def full(s: State, side: int, hex_: str) -> bool:
    return bool(supply_lines.full(s, side) >> H(hex_) & 1)


def reaches(s: State, side: int, from_: str, to: str, n: int) -> bool:
    return bool(supply_lines.within(s, side, H(to), n) >> H(from_) & 1)


def besieged(*garrison: str) -> State:
    """Tobruk with Axis units around it, and these Allied units in the port."""
    s = empty("allied", "supply")
    place(s, garrison, "3138")
    for unit, h in (("GE_I5_5L", "3136"), ("GE_II5_5L", "2936"), ("GE_MG8_5L", "2938"), ("GE_MG2_5L", "3040")):
        place(s, unit, h)
    return s


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


# 16.5 Isolation


def cut_off(unit: str) -> State:
    """An Allied unit deep in the desert with a white marker, an enemy beside it."""
    s = empty("allied", "supply")
    place(s, unit, DEEP, oos=True)
    place(s, "GE_I5_5L", "1623")
    return s


@pytest.mark.rule("na41", "16.5.1a", "16.5.2a", "16.5.3")
@pytest.mark.parametrize(("face", "lost"), [(1, True), (4, True), (5, False), (6, False)])
def test_a_unit_out_of_supply_twice_rolls(face: int, lost: bool) -> None:
    s = cut_off("BR_2R")
    supply_phase(s)
    events = roll(s, face)
    assert over(s)
    assert bool(of_kind(events, "step_lost")) == lost
    assert s.step[U("BR_2R")] == lost
    roll_again = empty("allied", "supply")
    place(roll_again, "BR_2R", DEEP)
    supply_phase(roll_again)
    assert over(roll_again)  # the first time there is no roll


@pytest.mark.rule("na41", "16.5.1a")
def test_a_line_to_a_friend_in_supply_saves_from_the_roll() -> None:
    garrison = ["AU_18", "AU_20"]
    s = besieged(*garrison)
    port = board.port_at[H("3138")]
    s.port_level[port] = board.port_track[port].index(1)
    place(s, "AU_24", "3138", oos=True)
    place(s, "GE_FL33", "3037")  # the enemy is beside it: water is no excuse (16.5.1c)
    supply_phase(s)
    do(s, *(f"feed {name}" for name in garrison))
    assert names(s.isolated) == {"AU_24"}
    assert over(s)
    assert at(s, "AU_24") == "3138"
    s.port_level[port] = len(board.port_track[port]) - 1  # now the friends have nothing either
    s.stack = []
    supply_phase(s)
    assert not over(s)


@pytest.mark.rule("na41", "16.5.1a", "2.3.1b")
def test_trucks_do_not_roll() -> None:
    s = cut_off("AL_TR1")
    supply_phase(s)
    assert names(s.isolated) == {"AL_TR1"}
    assert over(s)


@pytest.mark.rule("na41", "16.5.1c")
@pytest.mark.parametrize("source", ["sp", "msu", "asu", "truck", "depleted", "far", "beside"])
def test_water_within_three_hexes_spares_the_roll(source: str) -> None:
    s = empty("allied", "supply")
    place(s, "BR_2R", DEEP, oos=True)
    if source in ("sp", "beside"):
        supplies(s, "allied", "1625")
    elif source == "far":
        supplies(s, "allied", "1626")
    elif source in ("msu", "truck"):
        place(s, "AL_TR1", "1625", msu=source == "msu")
    else:
        place(s, "AL_XIII", "1625", depleted=source == "depleted")
    if source == "beside":
        place(s, "AX_TR1", "1621")
    supply_phase(s)
    assert over(s) == (source in ("sp", "msu", "asu"))


@pytest.mark.rule("na41", "16.5.1c")
def test_towns_and_landmarks_give_water() -> None:
    for hex_, dry in (("1243", False), ("1245", True)):  # three and five hexes from Giarabub, cut off by a ring
        s = empty("axis", "supply")
        place(s, "GE_AA3_5L", hex_, oos=True)
        for unit, h in (("BR_2R", "1341"), ("BR_6R", "1141"), ("BR_1R", "1344")):
            place(s, unit, h)
        put(s, U("BR_1R"), H("1442"))
        touch(s)
        supply_phase(s)
        assert names(s.isolated) == {"GE_AA3_5L"}
        assert over(s) != dry


@pytest.mark.rule("na41", "16.5.1b", "16.5.2b", "16.5.2c", "16.5.2e")
def test_asus_do_not_roll_but_die_alone() -> None:
    s = cut_off("AL_XIII")
    place(s, "BR_2R", "1620", oos=True)
    supply_phase(s)
    assert over(s)
    assert at(s, "AL_XIII") == DEEP
    s = cut_off("AL_XIII")
    events = supply_phase(s)
    assert over(s)
    assert s.at[U("AL_XIII")] == SURRENDER_LEFT
    assert of_kind(events, "surrendered")[0].rule == "16.5.2c"
    s = cut_off("AL_XIII")
    place(s, "AL_TR1", DEEP, isolated=True)  # a truck is a unit that is no ASU
    supply_phase(s)
    assert at(s, "AL_XIII") == DEEP
    s = empty("allied", "supply")
    place(s, "AL_XIII", DEEP)
    supply_phase(s)
    assert at(s, "AL_XIII") == DEEP  # the marker is white


@pytest.mark.rule("na41", "16.5.2d", "16.5.2e")
def test_the_last_step_goes_to_the_surrender_box() -> None:
    s = cut_off("BR_2R")
    s.step[U("BR_2R")] = board.steps_of[U("BR_2R")] - 1
    supply_phase(s)
    roll(s, 4)
    assert at(s, "BR_2R") == "surrender_left"


@pytest.mark.rule("na41", "16.5.4a", "16.5.4b", "16.5.4c", "16.5.4d", "17.1.2d")
def test_isolation_modifiers_add_up() -> None:
    def rules(s: State, unit: str) -> list[tuple[int, str]]:
        return [(value, rule) for value, rule, _ in isolation_terms(s, U(unit))]

    s = empty("axis", "supply")
    place(s, "GE_I5_5L", DEEP, isolated=True)
    place(s, "IT_16", DEEP, isolated=True)
    place(s, "GE_DAK", "1621", isolated=True)
    s.forts[AXIS] = mask("1623")
    touch(s)
    assert rules(s, "GE_I5_5L") == [(1, "16.5.4a"), (1, "16.5.4b"), (1, "16.5.4c")]
    assert rules(s, "IT_16") == [(1, "16.5.4a"), (1, "16.5.4b"), (-1, "16.5.4c")]
    place(s, "BR_2R", "1620")
    assert rules(s, "GE_I5_5L") == [(1, "16.5.4b"), (1, "16.5.4c")]  # the HQ has an enemy beside it
    s.forts[AXIS], s.building[AXIS] = 0, s.forts[AXIS]  # 9.5.4b
    touch(s)
    assert rules(s, "GE_I5_5L") == [(1, "16.5.4c")]


@pytest.mark.rule("na41", "16.5.4a")
def test_a_friendly_airfield_helps_and_an_enemy_one_does_not() -> None:
    s = empty("axis", "supply")
    place(s, "IT_16", "2852", isolated=True)
    controlled_by(s, "axis", "2851")
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4a", "16.5.4c"]
    place(s, "AL_TR1", "2850")  # only a combat unit beside it makes it unusable
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4a", "16.5.4c"]
    place(s, "BR_2R", "2850")
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4c"]
    put(s, U("BR_2R"), POOL)
    controlled_by(s, "allied", "2851")
    assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == ["16.5.4c"]


@pytest.mark.rule("na41", "16.5.3", "16.5.4d")
def test_the_modifiers_count_for_the_roll() -> None:
    s = empty("axis", "supply")
    place(s, "GE_I5_5L", DEEP, oos=True)
    place(s, "BR_2R", "1623")
    supply_phase(s)
    roll(s, 4)  # elite: 5
    assert s.step[U("GE_I5_5L")] == 0
    place(s, "IT_16", "1620", oos=True)
    place(s, "BR_6R", "1619")
    s.stack.clear()
    supply_phase(s)
    events = roll(s, 5, 3)  # low quality: 4; elite: 4
    assert [e.data["lost"] for e in of_kind(events, "isolation")] == [True, True]


def test_ex_16_5() -> None:
    """EX-16.5 seven units out of supply for two Supply Phases: all but A and B roll; B, an ASU, dies if the others
    are gone. (The picture is lost: A is taken to have water, A41.)"""
    s = empty("allied", "supply")
    six = ["BR_2R", "BR_6R", "BR_1R", "BR_3H", "BR_7H"]
    place(s, [*six, "AL_XIII"], DEEP, oos=True)
    place(s, "BR_RNF", "1620", oos=True)
    supplies(s, "allied", "1619")
    place(s, "GE_I5_5L", "1623")
    events = supply_phase(s)
    rolled = 0
    while not over(s):
        events += roll(s, 6)
        rolled += 1
    assert rolled == len(six)
    assert {board.units[e.data["unit"]] for e in of_kind(events, "isolation")} == set(six)
    assert at(s, "AL_XIII") == DEEP
    for name in (*six, "BR_RNF"):
        s.step[U(name)] = board.steps_of[U(name)] - 1
    put(s, U("BR_RNF"), H("1422"))
    place(s, "GE_II5_5L", "1423")
    s.stack.clear()
    supply_phase(s)
    while not over(s):
        roll(s, 1)
    assert at(s, "AL_XIII") == "surrender_left"
    assert "eliminated" not in kinds(events)


@pytest.mark.rule("na41", "7.1a", "16.2a", "16.2b")
def test_overlays_show_supply_and_zones() -> None:
    from sandtable.games.na41.game import GAME

    s = besieged("AU_18")
    place(s, "BR_2R", DEEP)
    found = {overlay["id"]: overlay for overlay in GAME.overlays(GAME.view(s, ALLIED))}
    assert "3138" in found["port_supply_allied"]["hexes"]
    assert found["port_supply_allied"]["numbers"]["3138"] == "8"
    assert found["supply_allied"]["cut"] == [DEEP]
    assert set(found["supply_axis"]["hexes"]) == hexes(supply_lines.full(s, AXIS) & board.land)
    assert "3037" in found["zoc_axis"]["hexes"]


# 16.4 Penalties (movement: chapter 5, attack: chapter 9, advance: chapter 14, replacements: chapter 19)


@pytest.mark.rule("na41", "16.4e")
def test_units_out_of_supply_keep_defence_zoc_and_quality() -> None:
    s = empty("axis", "combat")
    place(s, ["BR_2R", "AU_18"], "2240")
    defenders = units("BR_2R", "AU_18")
    place(s, "GE_I5_5L", "2241")

    def worth() -> tuple[object, ...]:
        shift = armour(s, H("2240"), units("GE_I5_5L"), defenders)
        return defence_total(s, H("2240"), defenders), zone(s, ALLIED), quality(s, U("AU_18")), shift

    before = worth()
    s.oos = s.isolated = defenders
    touch(s)
    assert worth() == before


@pytest.mark.rule("na41", "16.4c")
def test_a_unit_out_of_supply_advances_one_hex() -> None:
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2240")
    s.allowance = 4
    assert advance.length(s, U("GE_I5_5L")) == 4
    s.oos = units("GE_I5_5L")
    assert advance.length(s, U("GE_I5_5L")) == 1


@pytest.mark.rule("na41", "16.4d")
def test_a_unit_out_of_supply_takes_no_replacement() -> None:
    s = empty("axis", "initial")
    place(s, "GE_I5_5L", "2011", "reduced")
    place(s, "GE_RT1", "2011")
    assert names(replacements.TAKERS.free(replacements.reduced(s), s, U("GE_RT1"))) == {"GE_I5_5L"}
    s.oos = units("GE_I5_5L")
    assert not replacements.TAKERS.free(replacements.reduced(s), s, U("GE_RT1"))


@pytest.mark.rule("na41", "16.4a")
def test_a_marker_counts_at_once_for_where_a_unit_can_go() -> None:
    """What was worked out about its reach before it was marked is forgotten."""
    s = empty("allied", "movement")
    place(s, "BR_2R", DEEP)
    moving(s)
    do(s, "move BR_2R")
    assert any(text.endswith("normal") for text in texts(s))
    do(s, "halt")
    s.stack, s.phase = [], PHASES.index("supply")
    supply_phase(s)
    assert names(s.oos) == {"BR_2R"}
    s.stack, s.phase = [], PHASES.index("movement")
    moving(s)
    do(s, "move BR_2R")
    assert not any(text.endswith("normal") for text in texts(s))


# What each of these leaves out was left out by nothing before


@pytest.mark.rule("na41", "16.2b", "16.2c")
def test_units_in_full_supply_take_nothing_of_a_port() -> None:
    s = empty("allied", "supply")
    place(s, ["AU_18", "AU_20", "AU_24"], "2660")
    port = board.port_ids.index("mersa_matruh")
    s.port_level[port] = board.port_track[port].index(1)
    assert full(s, ALLIED, "2660")
    assert claimants(s, ALLIED) == {}
    event = of_kind(supply_phase(s), "supply")[0]
    assert over(s)
    assert (event.data["full"], event.data["by_port"]) == (3, 0)


@pytest.mark.rule("na41", "16.2b", "16.2d")
def test_who_can_trace_to_two_ports_goes_where_there_is_room() -> None:
    s = empty("allied", "supply")
    for port, name in enumerate(board.port_ids[:5]):
        s.port_level[port] = board.port_track[port].index(1 if name in ("tobruk", "bardia") else 0)
    for unit, h in (("GE_I5_5L", "2642"), ("GE_II5_5L", "2746"), ("GE_MG8_5L", "2847"), ("IT_16", "2747")):
        place(s, unit, h)
    both = (
        supply_lines.fed_by(s, ALLIED, H("3138"))
        & supply_lines.fed_by(s, ALLIED, H("2946"))
        & ~supply_lines.full(s, ALLIED)
    )
    between = min(hexes(both & board.land & ~mask("3138", "2946")))
    place(s, ["AU_18", "AU_20", "AU_24", "AU_26"], between)
    found = claimants(s, ALLIED)
    assert set(found.values()) == {mask("3138", "2946")}
    supply_phase(s)
    assert over(s)
    assert not s.oos  # two of each


@pytest.mark.rule("na41", "16.5.2a", "16.5.2c")
def test_the_enemys_units_neither_roll_nor_die_in_this_supply_phase() -> None:
    s = empty("axis", "supply")
    place(s, "GE_I5_5L", "1622")
    place(s, "BR_2R", "1623", isolated=True)
    supply_phase(s)
    assert over(s)
    s = empty("axis", "supply")
    place(s, "GE_I5_5L", "1619", isolated=True)
    place(s, "AL_XIII", "1623", isolated=True)
    place(s, "GE_DAK", "1620", isolated=True)
    supply_phase(s)
    assert at(s, "AL_XIII") == "1623"


@pytest.mark.rule("na41", "16.5.1c")
def test_a_town_alone_gives_water() -> None:
    town = next(h for h in hexes_in(board.towns) if not board.landmarks & board.grid.within(h, 3))
    s = empty("allied", "supply")
    place(s, "BR_2R", board.grid.names[town])
    assert has_water(s, U("BR_2R"))


@pytest.mark.rule("na41", "16.5.4b")
def test_a_fortification_helps_only_at_the_end_of_a_line() -> None:
    s = empty("axis", "supply")
    place(s, "IT_16", DEEP, isolated=True)
    for hex_, rules in (("1623", ["16.5.4b", "16.5.4c"]), ("1630", ["16.5.4c"])):
        s.forts[AXIS] = mask(hex_)
        touch(s)
        assert [rule for _, rule, _ in isolation_terms(s, U("IT_16"))] == rules


@pytest.mark.rule("na41", "16.1d")
def test_the_check_tells_who_is_supplied_how() -> None:
    s = besieged("AU_18", "BR_2R")
    s.oos = units("AU_18", "GE_I5_5L")
    place(s, "BR_6R", DEEP)
    data = of_kind(supply_phase(s), "supply")[0].data
    assert (data["full"], data["by_port"]) == (0, 2)
    assert (data["units"], data["red"], data["back"]) == ([U("BR_6R")], [], ["AU_18"])
    assert names(s.oos) == {"BR_6R", "GE_I5_5L"}
