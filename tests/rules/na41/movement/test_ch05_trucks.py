"""Chapter 5: trucks (5.8) and their special transfers (5.8.4)."""

from __future__ import annotations

import pytest

from sandtable.games.na41.paths.legs import fresh_points
from sandtable.games.na41.supply.supply_lines import fed_by_port, full
from sandtable.games.na41.table.ids import ALLIED, AXIS
from sandtable.games.na41.table.position import supply_points

from ..kit import (
    GAME,
    H,
    U,
    at,
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
)
from ..marchkit import goes, phase, refusal, verbs

rule = pytest.mark.rule

# 5.8 Trucks


@rule("na41", "5.8.1a", "2.3.1b")
def test_a_truck_is_a_non_combat_unit() -> None:
    s = empty()
    place(s, "AX_TR1", "2050")
    assert s.occ[AXIS] == mask("2050")
    assert s.men[AXIS] == s.zocs[AXIS] == 0
    phase(s)
    assert texts(s) == ["move AX_TR1", "end-moves"]


@rule("na41", "5.8.1b")
def test_a_truck_carries_one_combat_unit_or_replacement_or_sp() -> None:
    s = empty()
    place(s, ["AX_TR1", "AX_TR2", "IT_27", "IT_28", "GE_RI1", "GE_RT1"], "2050")
    supplies(s, "axis", "2050", 2)
    phase(s)
    do(s, "move AX_TR1")
    assert {"load IT_27", "load IT_28", "load GE_RI1", "load-sp"} <= set(texts(s))
    assert refusal(s, "load AX_TR2") == "5.8.1b"
    assert refusal(s, "load GE_RT1") == "5.8.1b"  # 19.2.1c only those on foot
    do(s, "load IT_27")
    assert refusal(s, "load IT_28") == "5.8.2a"
    assert refusal(s, "load-sp") == "5.8.2a"
    do(s, "to 2052 normal", "move AX_TR2", "load-sp")
    assert refusal(s, "load IT_28") == "5.8.2a"
    assert refusal(s, "load-sp") == "5.8.2a"


@rule("na41", "5.8.1b")
def test_a_unit_without_a_truck_loads_nothing() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "IT_27"], "2050")
    supplies(s, "axis", "2050")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "load IT_27") == "5.8.1b"
    assert refusal(s, "load-sp") == "17.2.1f"


@rule("na41", "5.8.1c", "5.8.1f")
def test_truck_and_load_move_at_the_mechanised_rate() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "2251")  # rough: 2 MPs
    phase(s)
    do(s, "move AX_TR1", "load IT_27")
    hint = GAME.hint(s, GAME.parse("to 2250 normal"))
    assert hint is not None
    assert hint["cost"] == "2"
    assert hint["of"] == "6 MP"
    assert any(text.endswith("extended") for text in texts(s))
    do(s, "to 2250 normal")
    assert at(s, "IT_27") == at(s, "AX_TR1") == "2250"
    assert names(s.moved) == {"AX_TR1", "IT_27"}


@rule("na41", "5.8.1d")
def test_loading_costs_no_mps_and_the_truck_goes_on() -> None:
    s = empty()
    place(s, "AX_TR1", "2056")
    place(s, "IT_27", "2053")
    phase(s)
    do(s, "move AX_TR1", "to 2053 normal")
    assert s.spent == 3 * 6
    do(s, "load IT_27")
    assert s.spent == 3 * 6
    assert "to 2050 normal" in texts(s)  # 3 more of 6
    do(s, "to 2050 normal")
    assert at(s, "IT_27") == at(s, "AX_TR1") == "2050"
    assert verbs(s) == {"end-moves"}


@rule("na41", "5.8.1d", "5.3a")
def test_it_may_still_go_over_to_extended_movement() -> None:
    s = empty()
    place(s, "AX_TR1", "2056")
    place(s, "IT_27", "2053")
    phase(s)
    do(s, "move AX_TR1", "to 2053 normal", "load IT_27", "to 2048 extended")
    assert at(s, "IT_27") == "2048"
    assert names(s.extended) == {"AX_TR1", "IT_27"}


@rule("na41", "5.8.1e")
def test_who_has_moved_is_not_picked_up() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "2050")
    supplies(s, "axis", "2052", 1)
    place(s, "AX_TR2", "2054", msu=True)
    phase(s)
    do(s, "move IT_27", "to 2051 tactical", "move AX_TR1", "to 2051 normal")
    assert refusal(s, "load IT_27") in ("5.8.1e", "5.1d")
    assert "load IT_27" not in texts(s)


@rule("na41", "5.8.1e", "17.2.1b")
def test_nor_a_supply_point_that_has() -> None:
    s = empty()
    place(s, "AX_TR1", "2050")
    place(s, "AX_TR2", "2054", msu=True)
    phase(s)
    do(s, "move AX_TR2", "to 2050 normal", "unload-sp")
    assert (supply_points(s, AXIS, H("2050")), fresh_points(s, AXIS, H("2050"))) == (1, 0)
    do(s, "move AX_TR1")
    assert refusal(s, "load-sp") == "5.8.1e"


@rule("na41", "5.8.1f")
def test_a_carried_unit_keeps_its_zoc() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "2050")
    phase(s)
    do(s, "move AX_TR1", "load IT_27", "to 2052 normal")
    assert s.zocs[AXIS] == mask("2052")
    assert not s.extended  # it may attack


@rule("na41", "5.8.2a")
def test_truck_and_load_stay_together() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27", "GE_I5_5L"], "2050")
    place(s, "IT_28", "2052")
    phase(s)
    do(s, "move AX_TR1", "load IT_27", "join GE_I5_5L", "to 2052 normal")
    assert refusal(s, "leave IT_27") == "5.1c"
    assert refusal(s, "load IT_28") == "5.8.2a"
    do(s, "leave AX_TR1")  # both are left
    assert names(s.moved) == {"AX_TR1", "IT_27"}
    do(s, "to 2053 normal")
    assert at(s, "IT_27") == at(s, "AX_TR1") == "2052"


@rule("na41", "5.8.2a", "17.2.4a")
def test_nor_does_it_drop_a_supply_point_that_it_picked_up() -> None:
    s = empty()
    place(s, "AX_TR1", "2050")
    supplies(s, "axis", "2050", 2)
    phase(s)
    do(s, "move AX_TR1", "load-sp")
    assert supply_points(s, AXIS, H("2050")) == 1
    assert names(s.msu) == {"AX_TR1"}
    assert refusal(s, "unload-sp") == "5.8.2a"
    do(s, "to 2052 normal")
    assert verbs(s) == {"destroy-sp", "end-moves"}
    assert names(s.msu) == {"AX_TR1"}


@rule("na41", "5.8.2b")
def test_a_truck_may_leave_what_it_is_stacked_with_and_fetch_another() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "2050")
    place(s, "IT_28", "2052")
    phase(s)
    do(s, "move AX_TR1", "to 2052 normal", "load IT_28", "to 2054 normal")
    assert (at(s, "IT_27"), at(s, "IT_28")) == ("2050", "2054")


@rule("na41", "5.8.2b", "17.2.4b")
def test_an_msu_may_put_its_supply_point_down_and_drive_off_empty() -> None:
    s = empty()
    place(s, "AX_TR1", "2050", msu=True)
    place(s, "IT_28", "2052")
    phase(s)
    do(s, "move AX_TR1", "unload-sp")
    assert fresh_points(s, AXIS, H("2050")) == 1
    assert not s.msu
    do(s, "to 2052 normal", "load IT_28", "to 2053 normal")
    assert at(s, "IT_28") == "2053"


@rule("na41", "17.2.4b")
def test_or_carry_it_and_put_it_down_at_the_end_of_its_move() -> None:
    s = empty()
    place(s, "AX_TR1", "2050", msu=True)
    phase(s)
    events = do(s, "move AX_TR1", "to 2052 normal", "unload-sp")
    assert of_kind(events, "sp_unloaded")
    assert supply_points(s, AXIS, H("2052")) == 1
    assert not s.msu
    assert verbs(s) == {"destroy-sp", "end-moves"}  # its move is over


@rule("na41", "5.8.1d", "17.2.4a", "17.2.4b", "7.2a")
def test_where_it_must_stop_a_truck_can_still_put_an_sp_down_or_pick_one_up() -> None:
    s = empty()
    place(s, "AX_TR1", "2046", msu=True)
    place(s, "AX_TR2", "2046")
    place(s, "GE_I5_5L", "2049")
    place(s, "BR_22G", "2050")
    phase(s)
    do(s, "move AX_TR1", "to 2049 normal")
    assert texts(s) == ["unload-sp", "halt"]
    assert refusal(s, "to 2048 normal") == refusal(s, "load GE_I5_5L") == "7.2a"
    do(s, "unload-sp")
    assert s.sp[AXIS] == {H("2049"): 1}
    supplies(s, "axis", "2049")  # one that has not moved
    do(s, "move AX_TR2", "to 2049 normal")
    assert texts(s) == ["load-sp", "halt"]
    do(s, "load-sp")
    assert names(s.msu) == {"AX_TR2"}
    assert s.group == 0


@rule("na41", "5.8.2c")
def test_after_the_move_the_truck_is_free_for_another_load() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27", "IT_28"], "2050")
    phase(s)
    do(s, "move AX_TR1", "load IT_27")
    assert s.carried[U("IT_27")] == U("AX_TR1")
    do(s, "to 2052 normal")
    assert s.carried[U("IT_27")] == -1
    assert (s.group, s.loads) == (0, 0)


@rule("na41", "5.8.3")
def test_an_empty_truck_does_not_enter_a_hex_with_enemy_non_combat_units() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27", "GE_RI1"], "2050")
    place(s, "AL_TR1", "2051")
    supplies(s, "allied", "2049")
    assert not goes(s, "AX_TR1") & {"2051", "2049"}
    assert {"2051", "2049"} <= goes(s, "GE_RI1")  # a truck alone is kept out
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "to 2051 normal") == "5.8.3"
    do(s, "load IT_27", "to 2051 normal")
    assert at(s, "AL_TR1") == "eliminated"


# 5.8.4 Special transfer


@rule("na41", "5.8.4a")
def test_a_truck_may_be_placed_where_friends_are_in_full_supply() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "1604")
    place(s, "IT_28", "1707")
    supplies(s, "axis", "1702")
    place(s, "IT_39", "1326")  # deep in the desert
    place(s, "AX_TR2", "1606")
    phase(s)
    do(s, "move AX_TR1")
    there = {text.split()[2] for text in texts(s) if text.startswith("transfer")}
    assert there == {"tripoli", "1707", "1702"}  # A39 not Italy; not to a truck alone
    assert refusal(s, "transfer AX_TR1 1326") == "5.8.4a"
    assert refusal(s, "transfer AX_TR1 italy") == "6.3.2c"
    do(s, "transfer AX_TR1 1707")
    assert at(s, "AX_TR1") == "1707"
    assert names(s.moved) == {"AX_TR1"}  # instead of moving
    assert s.moved_at_all  # 17.4a


@rule("na41", "5.8.4a", "2.2.1c")
def test_not_into_ground_that_is_closed_to_trucks() -> None:
    s = empty("allied")
    place(s, ["AL_TR1", "AU_18"], "2478")
    place(s, "AU_20", "2379")
    assert board.bog >> H("2379") & 1  # marsh without a road
    assert full(s, ALLIED) >> H("2379") & 1
    phase(s)
    do(s, "move AL_TR1")
    assert "transfer AL_TR1 2379" not in texts(s)
    assert "transfer AL_TR1 nile_delta" in texts(s)
    assert refusal(s, "transfer AL_TR1 2379") == "5.8.4a"


@rule("na41", "5.8.4a")
def test_it_is_for_trucks_alone() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "IT_27"], "1604")
    place(s, "IT_28", "1707")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "transfer GE_I5_5L 1707") == "5.8.4a"


@rule("na41", "5.8.4b")
def test_not_a_truck_out_of_supply_or_with_port_supply_only() -> None:
    s = empty()
    place(s, ["AX_TR1", "IT_27"], "1326")  # deep in the desert
    place(s, ["AX_TR2", "IT_39"], "3138")  # Tobruk: a port under siege
    controlled_by(s, "axis", "3138")
    for unit, h in (("BR_22G", "2937"), ("BR_16", "2939"), ("BR_14", "3036"), ("BR_23", "3039"), ("AU_18", "3136")):
        place(s, unit, h)
    assert fed_by_port(s, AXIS) >> H("3138") & 1
    place(s, "IT_28", "1707")
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "transfer AX_TR1 1707") == "5.8.4b"
    do(s, "halt", "move AX_TR2")
    assert refusal(s, "transfer AX_TR2 1707") == "5.8.4b"


@rule("na41", "5.8.4c")
def test_nor_one_with_a_load() -> None:
    s = empty()
    place(s, "AX_TR1", "1604", msu=True)
    place(s, ["AX_TR2", "IT_27"], "1604")
    place(s, "IT_28", "1707")
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "transfer AX_TR1 1707") == "5.8.4c"
    do(s, "halt", "move AX_TR2", "load IT_27")
    assert refusal(s, "transfer AX_TR2 1707") == "5.1d"


@rule("na41", "5.8.4a", "19.5b")
def test_nor_one_under_a_replacement_marker() -> None:
    s = empty()
    place(s, "AX_TR1", "1604")
    place(s, "IT_28", "1707")
    s.refreshed = units("AX_TR1")
    phase(s)
    do(s, "move AX_TR1")
    assert refusal(s, "transfer AX_TR1 1707") == "19.5b"
