"""20 Reinforcements, removals, withdrawals, upgrades and conversions."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.supply.supply_lines import fed_by_port, full, port_fed
from sandtable.games.na41.table.ids import (
    ASIDE,
    ELIMINATED,
    RESERVE,
    SCHEDULED,
    SURRENDER_LEFT,
    SURRENDER_RIGHT,
    WITHDRAWN,
)
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.scenarios import _departures, script
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import hexes_in, units_of

from ..kit import GAME, H, U, at, board, do, empty, kinds, names, new, of_kind, place, roll, texts, units
from ..phasekit import over
from ..turnkit import dead, moving, prepare, prepared, rule_of, schedule


@pytest.mark.rule("na41", "3.1e", "3.1f", "20.4.1b")
def test_the_surrender_boxes_advance_before_the_upgrades() -> None:
    s = prepared(6)
    schedule(s, 6, "BR_6RC")
    put(s, U("BR_3H"), SURRENDER_RIGHT)
    put(s, U("BR_7H"), SURRENDER_LEFT)
    prepare(s)
    while s.actor == CHANCE:
        roll(s, 1)
    assert texts(s) == ["upgrade BR_6RC BR_3H", "put-off"]


# 20.1 Reinforcements


@pytest.mark.rule("na41", "20.1a", "20.1b", "3.1b", "6.1.1a", "6.1.3")
def test_reinforcements_come_to_the_base_of_their_side() -> None:
    s = new("s2_campaign")
    s.turn = 5
    prepare(s, "reinforce")
    assert {name: at(s, name) for name in ("GE_II8", "IT_XXI", "BR_4R", "AL_7M", "GE_I8", "BR_2R")} == {
        "GE_II8": "italy",
        "IT_XXI": "italy",
        "BR_4R": "nile_delta",
        "AL_7M": "nile_delta",
        "GE_I8": "scheduled",  # turn 4 has been skipped by this test
        "BR_2R": "scheduled",
    }
    assert not s.depleted & units("IT_XXI", "AL_7M")
    assert all(s.step[U(name)] == 0 for name in ("GE_II8", "BR_4R"))


# 20.2, 20.3 Removals and withdrawals


@pytest.mark.rule("na41", "20.2a", "20.2b")
def test_a_unit_of_the_same_kind_leaves_the_game() -> None:
    s = prepared(12)
    place(s, "AU_18", "3138")
    place(s, "AU_20", "2478")
    place(s, "IN_5", "2478")
    prepare(s, "depart")
    assert s.actor == 1
    assert texts(s) == ["remove AU_20", "remove AU_18"] or texts(s) == ["remove AU_18", "remove AU_20"]
    assert rule_of(s, "remove IN_5") == "20.2b"
    do(s, "remove AU_20")
    assert at(s, "AU_20") == "removed"
    assert at(s, "AU_18") == "3138"
    assert over(s)


@pytest.mark.rule("na41", "20.2b", "20.2c")
def test_a_battalion_may_go_for_a_brigade_and_who_surrendered_last_of_all() -> None:
    """A69"""
    s = prepared(7)
    place(s, ["BR_16", "BR_1DLI", "BR_THR"], "2478")
    put(s, U("BR_14"), SURRENDER_LEFT)
    dead(s, "BR_23")
    prepare(s, "depart")
    assert set(texts(s)) == {"remove BR_16", "remove BR_1DLI"}  # the rifles are motorised
    for name in ("BR_16", "BR_1DLI"):
        put(s, U(name), SCHEDULED)
    prepare(s, "depart")
    assert set(texts(s)) == {"remove BR_14", "remove BR_23"}


@pytest.mark.rule("na41", "20.2b")
def test_tanks_are_of_the_same_tank_value() -> None:
    row = {"turn": 4, "side": "allied", "unit": "BR_3H"}
    found = _departures(GAME.board, {"removal": [row]})[4][0]
    values = {GAME.board.tank_value[u] for u in units_of(found.likes)}
    assert values == {GAME.board.tank_value[U("BR_3H")]}
    assert found.likes & units("BR_7H")
    assert not found.likes & units("BR_7R", "GE_I5_5L")


@pytest.mark.rule("na41", "20.2c")
def test_the_best_placed_go_first() -> None:
    s = prepared(12)
    place(s, "AU_18", "3138", "reduced")
    place(s, "AU_20", "2240", oos=True)
    place(s, "AU_24", "2478", "remnant")
    place(s, "AU_26", "2244", "remnant", oos=True)
    expected = ["AU_18", "AU_20", "AU_24", "AU_26"]
    for name in expected:
        prepare(s, "depart")  # with one candidate the frame settles itself
        assert at(s, name) == "removed"
    dead(s, "AU_20")
    prepare(s, "depart")
    assert at(s, "AU_20") == "removed"
    assert over(s)
    for box in (SURRENDER_LEFT, SURRENDER_RIGHT):  # 20.2a wherever it is
        put(s, U("AU_24"), box)
        prepare(s, "depart")
        assert at(s, "AU_24") == "removed"


@pytest.mark.rule("na41", "20.2c")
def test_a_lower_class_may_not_be_chosen() -> None:
    s = prepared(12)
    place(s, ["AU_18", "AU_20"], "3138")
    place(s, "AU_24", "2240", oos=True)
    prepare(s, "depart")
    assert rule_of(s, "remove AU_24") == "20.2c"
    assert rule_of(s, "remove AU_26") == "20.2a"


@pytest.mark.rule("na41", "20.3a")
def test_a_withdrawn_unit_keeps_its_steps_and_returns() -> None:
    s = prepared(5)
    place(s, "IN_5", "2478", "reduced")
    prepare(s, "depart")
    assert (at(s, "IN_5"), s.step[U("IN_5")], s.due[U("IN_5")]) == ("withdrawn", 1, 12)
    s.turn = 11
    prepare(s, "reinforce")
    assert at(s, "IN_5") == "withdrawn"
    s.turn = 12
    prepare(s, "reinforce")
    assert (at(s, "IN_5"), s.step[U("IN_5")]) == ("nile_delta", 1)


@pytest.mark.rule("na41", "20.3c")
def test_an_eliminated_unit_is_withdrawn_at_its_lowest_step() -> None:
    s = prepared(5)
    dead(s, "IN_5")
    events = prepare(s, "depart")
    assert (at(s, "IN_5"), s.step[U("IN_5")]) == ("withdrawn", 2)
    assert of_kind(events, "withdrawn")[0].rule == "20.3c"


# 20.4.1 Upgrades


def turn_6() -> State:
    s = prepared(6)
    schedule(s, 6, "BR_6RC")
    return s


@pytest.mark.rule("na41", "20.4.1a", "20.4.1b", "20.4.1c", "20.4.1d")
def test_ex_20_4_1() -> None:
    s = turn_6()
    place(s, "BR_6R", "3138")
    place(s, "BR_3H", "nile_delta", "reduced")
    place(s, "BR_7H", "2478", "reduced")
    for name, h in (("GE_I5_5L", "2936"), ("GE_II5_5L", "2938"), ("IT_27", "3036"), ("IT_28", "3039")):
        place(s, name, h)
    assert not full(s, 1) >> H("3138") & 1
    assert fed_by_port(s, 1) >> H("3138") & 1
    prepare(s, "upgrade")
    assert texts(s) == ["upgrade BR_6RC BR_3H", "upgrade BR_6RC BR_7H", "put-off"]
    assert rule_of(s, "upgrade BR_6RC BR_6R") == "20.4.1b"
    do(s, "upgrade BR_6RC BR_3H")
    assert (at(s, "BR_6RC"), at(s, "BR_3H")) == ("nile_delta", "removed")
    assert texts(s) == ["give BR_7H", "put-off"]
    do(s, "give BR_7H")
    assert s.step[U("BR_7H")] == 0
    assert names(s.refreshed) == {"BR_7H"}
    assert over(s)


@pytest.mark.rule("na41", "20.4.1a")
def test_an_upgrade_may_move_in_the_coming_movement_phase() -> None:
    s = turn_6()
    dead(s, "BR_3H")
    prepare(s, "upgrade")
    do(s, "upgrade BR_6RC BR_3H")
    s.stack = []
    moving(s)
    assert "move BR_6RC" in texts(s)


@pytest.mark.rule("na41", "20.4.1c")
def test_no_steps_come_from_the_eliminated_box_nor_to_better_tanks() -> None:
    s = turn_6()
    dead(s, "BR_3H")
    place(s, "BR_7H", "2478", "reduced")
    prepare(s, "upgrade")
    do(s, "upgrade BR_6RC BR_3H")
    assert over(s)
    s = turn_6()
    place(s, "BR_3H", "nile_delta")  # tank value 0
    place(s, ["BR_5R", "BR_7R"], "2478", "reduced")  # better ones
    prepare(s, "upgrade")
    events = do(s, "upgrade BR_6RC BR_3H")
    assert of_kind(events, "steps_forfeited")[0].data["steps"] == 2


@pytest.mark.rule("na41", "20.4.1c", "20.4.1d")
def test_two_steps_may_go_to_an_eliminated_unit() -> None:
    s = turn_6()
    place(s, "BR_5R", "nile_delta")
    dead(s, "BR_6R")
    place(s, "BR_3H", "3138", "reduced")  # in the middle of enemies: no supply at all
    for name, h in (("GE_I5_5L", "2936"), ("GE_II5_5L", "2938"), ("IT_27", "3036"), ("IT_28", "3039")):
        place(s, name, h)
    prepare(s, "upgrade")
    do(s, "upgrade BR_6RC BR_5R")
    assert texts(s) == ["give BR_6R", "put-off"]
    assert rule_of(s, "give BR_3H") == "20.4.1c"
    do(s, "give BR_6R")
    assert (at(s, "BR_6R"), s.step[U("BR_6R")]) == ("nile_delta", 1)
    do(s, "give BR_6R")
    assert s.step[U("BR_6R")] == 0
    assert names(s.refreshed) == {"BR_6R"}


@pytest.mark.rule("na41", "20.4.1e")
def test_steps_that_are_not_given_are_lost() -> None:
    s = turn_6()
    place(s, "BR_3H", "nile_delta", "reduced")
    place(s, "BR_7H", "2478", "reduced")
    prepare(s, "upgrade")
    assert str(GAME.action_label(s, GAME.parse("put-off"))) == "Not this turn"  # 20.4.1f
    do(s, "upgrade BR_6RC BR_3H")
    assert str(GAME.action_label(s, GAME.parse("put-off"))) == "What is left is lost"
    do(s, "put-off")
    assert s.step[U("BR_7H")] == 1
    assert over(s)


@pytest.mark.rule("na41", "20.4.1f")
def test_an_upgrade_may_be_put_off() -> None:
    s = turn_6()
    place(s, "BR_3H", "nile_delta")
    prepare(s, "upgrade")
    do(s, "put-off")
    assert (at(s, "BR_6RC"), s.due[U("BR_6RC")], at(s, "BR_3H")) == ("scheduled", 7, "nile_delta")
    prepare(s, "reinforce", "upgrade")
    assert over(s)
    s.turn = 7
    prepare(s, "reinforce", "upgrade")
    assert at(s, "BR_6RC") == "scheduled"
    assert "upgrade BR_6RC BR_3H" in texts(s)


# 20.4.2, 20.4.4 Conversions in place

FIFTH_LIGHT = ("GE_AA3", "GE_I5", "GE_II5", "GE_MG2", "GE_MG8")


def changing(turn: int) -> State:
    s = prepared(turn)
    for change in script(s).conversions:
        for u in change.new:
            put(s, u, ASIDE)
    return s


@pytest.mark.rule("na41", "20.4.2")
def test_5th_light_becomes_21st_panzer_wherever_it_is() -> None:
    s = changing(9)
    place(s, ["GE_I5_5L", "GE_AA3_5L"], "2240")
    place(s, "GE_II5_5L", "2241", "reduced", disrupted=True)
    dead(s, "GE_MG2_5L")
    put(s, U("GE_MG8_5L"), SURRENDER_LEFT)
    prepare(s, "convert")
    assert at(s, "GE_I5_5L") == "2240"
    s.turn = 10
    prepare(s, "convert")
    assert {name: at(s, f"{name}_21") for name in FIFTH_LIGHT} == {
        "GE_AA3": "2240",
        "GE_I5": "2240",
        "GE_II5": "2241",
        "GE_MG2": "eliminated",
        "GE_MG8": "surrender_left",
    }
    assert all(at(s, f"{name}_5L") == "removed" for name in FIFTH_LIGHT)
    assert s.step[U("GE_II5_21")] == 1
    assert s.step[U("GE_I5_21")] == 0
    assert names(s.disrupted) == {"GE_II5_21"}
    assert not s.refreshed
    assert over(s)


@pytest.mark.rule("na41", "20.4.4")
def test_22nd_guards_becomes_motorised_on_turn_6() -> None:
    for place_, step in (("2478", "reduced"), ("eliminated", "remnant")):
        s = changing(6)
        if place_ == "eliminated":
            dead(s, "BR_22G")
        else:
            place(s, "BR_22G", place_, step)
        prepare(s, "convert")
        assert (at(s, "BR_22GM"), at(s, "BR_22G")) == (place_, "removed")
        assert s.step[U("BR_22GM")] == (1 if step == "reduced" else 2)
    s = changing(5)
    place(s, "BR_22G", "2478")
    prepare(s, "convert")
    assert at(s, "BR_22G") == "2478"


# 20.4.3 Pairs


def pairs(turn: int = 13) -> State:
    s = changing(turn)
    for name in FIFTH_LIGHT:
        put(s, U(f"{name}_21"), ELIMINATED)
    put(s, U("BR_22GM"), ELIMINATED)
    for name in ("GE_MG2_21", "GE_K15", "GE_MG8_21", "GE_104_15"):
        put(s, U(name), RESERVE)  # out of the way
    return s


@pytest.mark.rule("na41", "20.4.3a", "20.4.3b")
def test_a_pair_becomes_one_unit_with_all_their_steps() -> None:
    s = pairs()
    place(s, ["GE_MG2_21", "GE_K15"], "1604")
    prepare(s, "convert")
    assert texts(s) == ["convert GE_200", "put-off"]
    events = do(s, "convert GE_200")
    assert (at(s, "GE_200"), s.step[U("GE_200")]) == ("1604", 0)
    assert (at(s, "GE_MG2_21"), at(s, "GE_K15")) == ("removed", "removed")
    assert not s.refreshed
    assert kinds(events) == ["converted"]
    s = pairs()
    place(s, "GE_MG2_21", "1604", "reduced")
    place(s, "GE_K15", "1604")
    prepare(s, "convert")
    do(s, "convert GE_200")
    assert s.step[U("GE_200")] == 1  # two steps of three


@pytest.mark.rule("na41", "20.4.3a")
def test_a_pair_must_be_stacked_and_in_full_supply() -> None:
    s = pairs()
    place(s, "GE_MG2_21", "1604")
    place(s, "GE_K15", "1603")
    prepare(s, "convert")
    assert over(s)
    s = pairs()
    place(s, ["GE_MG2_21", "GE_K15"], "2240")
    ring = hexes_in(board.around[H("2240")])  # enemies all around
    for h, name in zip(ring, ("BR_1R", "BR_2R", "BR_4R", "BR_7R", "BR_5R", "BR_6R"), strict=True):
        place(s, name, board.grid.names[h])
    prepare(s, "convert")
    assert over(s)
    s = pairs(12)
    place(s, ["GE_MG2_21", "GE_K15"], "1604")
    prepare(s, "convert")
    assert over(s)


@pytest.mark.rule("na41", "20.4.3b")
def test_the_owner_shares_the_steps_between_two_new_units() -> None:
    s = pairs()
    place(s, ["GE_MG8_21", "GE_104_15"], "1604")
    prepare(s, "convert")
    do(s, "convert GE_104_21")
    while not over(s):
        do(s, texts(s)[0])
    assert (s.step[U("GE_104_21")], s.step[U("GE_III104")]) == (0, 0)  # five of five
    s = pairs()
    place(s, ["GE_MG8_21", "GE_104_15"], "1604", "reduced")
    prepare(s, "convert")
    do(s, "convert GE_104_21")
    assert texts(s) == ["give GE_104_21", "give GE_III104"]
    do(s, "give GE_III104", "give GE_III104")  # the third can go to one unit alone
    assert (s.step[U("GE_104_21")], s.step[U("GE_III104")]) == (2, 0)
    assert over(s)


@pytest.mark.rule("na41", "20.4.3b")
def test_a_conversion_may_be_delayed() -> None:
    s = pairs()
    place(s, ["GE_MG2_21", "GE_K15"], "1604")
    prepare(s, "convert")
    do(s, "put-off")
    assert over(s)
    assert at(s, "GE_K15") == "1604"
    s.turn = 15
    prepare(s, "convert")
    assert "convert GE_200" in texts(s)


@pytest.mark.rule("na41", "20.4.3c")
def test_eliminated_units_of_a_pair() -> None:
    s = pairs()
    place(s, "GE_MG2_21", "1604")
    dead(s, "GE_K15")
    prepare(s, "convert")
    do(s, "convert GE_200")
    assert (at(s, "GE_200"), s.step[U("GE_200")]) == ("1604", 1)
    s = pairs()
    dead(s, "GE_MG2_21", "GE_K15")
    prepare(s, "convert")
    do(s, "convert GE_200")
    assert (at(s, "GE_200"), s.step[U("GE_200")]) == ("eliminated", 2)


def test_withdrawn_units_are_not_withdrawn_again() -> None:
    s = empty(turn=5)
    put(s, U("IN_5"), WITHDRAWN)
    prepare(s, "depart")
    assert at(s, "IN_5") == "withdrawn"
    assert over(s)


@pytest.mark.rule("na41", "20.4.3b", "21.1.5a")
def test_a_pair_under_a_transport_marker_stays_under_it() -> None:
    s = pairs()
    place(s, ["GE_MG2_21", "GE_K15"], "1604")
    s.shipped |= units("GE_K15")
    prepare(s, "convert")
    do(s, "convert GE_200")
    assert s.shipped == units("GE_200")


@pytest.mark.rule("na41", "20.4.3b")
def test_nothing_is_asked_when_all_steps_are_given() -> None:
    s = pairs()
    place(s, "GE_MG8_21", "1604", "reduced")
    place(s, "GE_104_15", "1604", "remnant")
    prepare(s, "convert")
    do(s, "convert GE_104_21", "give GE_104_21", "give GE_III104")
    assert over(s)
    assert (s.step[U("GE_104_21")], s.step[U("GE_III104")]) == (2, 1)


@pytest.mark.rule("na41", "20.4.2")
def test_a_successor_takes_its_own_markers_over_and_nobody_elses() -> None:
    s = changing(10)
    place(s, "GE_I5_5L", "1604", disrupted=True)
    place(s, "GE_FL33", "1604", disrupted=True)
    prepare(s, "convert")
    assert names(s.disrupted) == {"GE_I5_21", "GE_FL33"}


@pytest.mark.rule("na41", "20.4.4", "16.2d")
def test_a_successor_keeps_the_place_at_a_port_that_was_given_to_the_old_unit() -> None:
    """A port of capacity 1 supplies two: the 22nd Guards were chosen, the Durhams were not."""
    s = changing(6)
    place(s, ["BR_22G", "AU_20", "BR_1DLI"], "3138")
    place(s, "GE_I5_5L", "3037")
    place(s, "GE_II5_5L", "3038")
    s.port_level[board.port_ids.index("tobruk")] = 3
    s.fed = units("BR_22G", "AU_20")
    assert not port_fed(s, U("BR_1DLI"))
    prepare(s, "convert")
    assert names(s.fed) == {"BR_22GM", "AU_20"}
    assert not port_fed(s, U("BR_1DLI"))


@pytest.mark.rule("na41", "20.4.3b", "20.4.3c")
def test_a_new_unit_without_a_step_lies_in_the_eliminated_box() -> None:
    s = pairs()
    dead(s, "GE_MG8_21")
    place(s, "GE_104_15", "1604", "remnant")
    prepare(s, "convert")
    do(s, "convert GE_104_21", "give GE_104_21")
    assert over(s)
    assert (at(s, "GE_104_21"), at(s, "GE_III104")) == ("1604", "eliminated")


@pytest.mark.rule("na41", "20.4.3b", "13.1.1a")
def test_a_pair_takes_the_worse_order_and_leaves_others_as_they_are() -> None:
    s = pairs()
    place(s, "GE_MG2_21", "1604", disrupted=True)
    place(s, "GE_K15", "1604", routed=True)
    place(s, "GE_FL33", "1604", routed=True)
    prepare(s, "convert")
    do(s, "convert GE_200")
    assert names(s.routed) == {"GE_200", "GE_FL33"}
    assert not s.disrupted


@pytest.mark.rule("na41", "20.4.1c", "20.4.1e")
def test_two_steps_go_to_allied_tanks_that_have_lost_one_and_then_it_is_over() -> None:
    s = prepared(6)
    schedule(s, 6, "BR_6RC")
    place(s, ["BR_5R", "BR_1R"], "nile_delta")  # at full strength
    place(s, ["BR_3H", "BR_7H"], "nile_delta", "reduced")
    place(s, "GE_I5_5L", "tripoli", "reduced")
    place(s, "IT_32", "tripoli", "reduced")
    prepare(s, "upgrade")
    do(s, "upgrade BR_6RC BR_5R")
    assert texts(s) == ["give BR_3H", "give BR_7H", "put-off"]
    do(s, "give BR_7H")
    assert texts(s) == ["give BR_3H", "put-off"]
    do(s, "give BR_3H")
    assert over(s)
    assert (s.step[U("BR_3H")], s.step[U("BR_7H")]) == (0, 0)
