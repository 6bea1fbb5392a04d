"""25 The Supply Attrition Phase."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import Event
from sandtable.games.na41.game import GAME
from sandtable.games.na41.sequence import ATTRITION
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_ATTRITION
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn.attrition import points_of, ready_asus, sector_of

from ..kit import H, at, board, do, empty, kinds, names, of_kind, place, roll, start, supplies, texts, units, why

END = (F_ATTRITION, ALLIED, 9)


def attrition(s: State, side: int, total: int) -> list[Event]:
    start(s, END, (F_ATTRITION, side, 0))
    first = min(6, total - 1)
    return roll(s, first, total - first)


def example() -> State:
    """EX-25.1.1 Axis units in the Tobruk and Mersa Matruh sectors, SP A in the Benghazi, SP B in the Tobruk sector."""
    s = empty("axis", "supply_attrition")
    place(s, "GE_I5_5L", "2937")
    place(s, "GE_AA3_5L", "2749")
    supplies(s, "axis", "2011")
    supplies(s, "axis", "3035")
    return s


@pytest.mark.parametrize("total", range(2, 6))
@pytest.mark.rule("na41", "25.1.1a", "25.1.1b", "25.1.1c", "3.1j")
def test_ex_25_1_1a(total: int) -> None:
    """EX-25.1.1a the Axis rolls 2 to 5: SP A is removed."""
    s = example()
    attrition(s, AXIS, total)
    assert s.sp[AXIS] == {H("3035"): 1}


@pytest.mark.parametrize("total", range(6, 10))
def test_ex_25_1_1b(total: int) -> None:
    """EX-25.1.1b the Axis rolls 6 to 9: SP B is removed, for 9 as the one that is nearest."""
    s = example()
    attrition(s, AXIS, total)
    assert s.sp[AXIS] == {H("2011"): 1}


@pytest.mark.parametrize("total", range(10, 13))
@pytest.mark.rule("na41", "25.1.1b")
def test_ex_25_1_1c(total: int) -> None:
    """EX-25.1.1c the Axis rolls 10 to 12: nobody is in the Alexandria sector, nothing is removed."""
    s = example()
    events = attrition(s, AXIS, total)
    assert s.sp[AXIS] == {H("2011"): 1, H("3035"): 1}
    assert not of_kind(events, "supply_attrition")[0].data["bites"]
    assert s.stack == [END]


@pytest.mark.rule("na41", "25.1.1a")
def test_each_side_has_its_own_table_and_two_dice() -> None:
    names_ = board.sectors
    assert [names_[sector_of(board, AXIS, n)] for n in (2, 6, 9, 10)] == [
        "benghazi",
        "tobruk",
        "mersa_matruh",
        "alexandria",
    ]
    assert [names_[sector_of(board, ALLIED, n)] for n in (2, 3, 6, 9)] == [
        "alexandria",
        "mersa_matruh",
        "tobruk",
        "benghazi",
    ]
    assert sector_of(board, AXIS, 12) == sector_of(board, ALLIED, 11) == -1
    s = empty()
    start(s, END, (F_ATTRITION, AXIS, 0))
    assert dict(GAME.chances(s))[GAME.parse("rolled 7")] == Fraction(1, 6)
    assert sum(chance for _, chance in GAME.chances(s)) == 1


@pytest.mark.rule("na41", "25.1.1b")
def test_beyond_is_east_for_the_axis_and_west_for_the_allies() -> None:
    for side, unit, hex_, total, bites in (
        (AXIS, "GE_I5_5L", "2660", 6, True),
        (AXIS, "GE_I5_5L", "2011", 6, False),
        (ALLIED, "BR_2R", "2011", 6, True),
        (ALLIED, "BR_2R", "2660", 6, False),
        (ALLIED, "AL_TR1", "2011", 6, False),  # no combat unit
    ):
        s = empty()
        place(s, unit, hex_)
        supplies(s, ("axis", "allied")[side], "2937", 2)
        events = attrition(s, side, total)
        assert of_kind(events, "supply_attrition")[0].data["bites"] == bites
        assert s.sp[side][H("2937")] == (1 if bites else 2)


@pytest.mark.rule("na41", "25.1.1c")
def test_the_owner_picks_an_sp_or_a_ready_asu_of_the_sector() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2937")
    place(s, "GE_DAK", "2936")
    place(s, "IT_X", "2935", depleted=True)
    place(s, "AX_TR1", "2934", msu=True)
    place(s, "AX_TR2", "2933")
    supplies(s, "axis", "3035", 2)
    supplies(s, "axis", "2011")
    attrition(s, AXIS, 7)
    assert set(texts(s)) == {"pay-sp 3035", "pay-sp 2934", "deplete GE_DAK"}
    assert texts(s) == [GAME.text(a) for a in sorted(GAME.legal(s))]
    for text, rule in (("pay-sp 2933", "25.1.1c"), ("deplete IT_X", "25.1.1c"), ("pay-sp 2011", "25.1.1d")):
        reason = why(s, text)
        assert reason is not None
        assert reason.rule == rule
    other = s.copy()
    do(s, "deplete GE_DAK")
    assert names(s.depleted) == {"IT_X", "GE_DAK"}
    assert s.sp[AXIS][H("3035")] == 2
    do(other, "pay-sp 2934")
    assert names(other.depleted) == {"IT_X"}
    assert not other.msu  # 17.2.4b a truck again
    assert at(other, "AX_TR1") == "2934"


@pytest.mark.rule("na41", "25.1.1d")
def test_with_nothing_in_the_sector_the_nearest_hex_pays() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2937")
    place(s, "GE_DAK", "2423")
    supplies(s, "axis", "2011")
    attrition(s, AXIS, 7)
    assert names(s.depleted) == {"GE_DAK"}
    assert s.sp[AXIS] == {H("2011"): 1}
    s = empty("axis")
    place(s, "GE_I5_5L", "2937")
    place(s, "GE_DAK", "2423")
    supplies(s, "axis", "2523")  # both are five columns from the sector
    attrition(s, AXIS, 7)
    assert set(texts(s)) == {"pay-sp 2523", "deplete GE_DAK"}


@pytest.mark.rule("na41", "25.1.1e")
def test_with_nothing_at_all_everybody_is_out_of_supply() -> None:
    s = empty("axis")
    place(s, ["GE_I5_5L", "AX_TR1"], "2937")
    place(s, "GE_II5_5L", "2936", isolated=True)
    place(s, "IT_X", "2935", depleted=True)
    place(s, "GE_MG8_5L", "tripoli")
    place(s, "BR_2R", "2660")
    events = attrition(s, AXIS, 7)
    assert names(s.oos) == {"GE_I5_5L", "AX_TR1", "GE_II5_5L", "IT_X"}
    assert names(s.isolated) == {"GE_II5_5L"}  # A35 white for the others
    assert "starving" in kinds(events)


@pytest.mark.rule("na41", "25.1.2")
def test_boxes_belong_to_no_sector() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2937")
    place(s, "IT_X", "tripoli")
    supplies(s, "axis", "tripoli", 3)
    attrition(s, AXIS, 3)
    assert s.sp[AXIS] == {H("tripoli"): 3}
    assert not s.depleted
    assert names(s.oos) == {"GE_I5_5L"}
    s = empty("allied")
    place(s, "BR_2R", "nile_delta")
    supplies(s, "allied", "nile_delta")
    events = attrition(s, ALLIED, 2)
    assert not of_kind(events, "supply_attrition")[0].data["bites"]


@pytest.mark.rule("na41", "25.1.2")
def test_why_a_box_does_not_pay() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2937")
    supplies(s, "axis", "tripoli")
    supplies(s, "axis", "3035")
    supplies(s, "axis", "3037")
    attrition(s, AXIS, 7)
    reason = why(s, "pay-sp tripoli")
    assert reason is not None
    assert reason.rule == "25.1.2"


@pytest.mark.rule("na41", "3.1j")
def test_both_sides_roll_in_the_supply_attrition_phase() -> None:
    from sandtable.games.na41.table.ids import F_GAME_TURN

    s = empty("axis", "delay")
    events = start(s, (F_GAME_TURN, ATTRITION))
    assert s.stack[-2:] == [(F_ATTRITION, ALLIED, 0), (F_ATTRITION, AXIS, 0)]
    assert of_kind(events, "phase")[0].data["phase"] == "supply_attrition"


@pytest.mark.rule("na41", "27.1e")
@pytest.mark.parametrize(("side", "total", "gone"), [(0, 11, True), (0, 12, True), (0, 10, False), (1, 12, False)])
def test_captured_trucks_break_down(side: int, total: int, gone: bool) -> None:
    s = empty("axis")
    place(s, ["AX_CT1"], "2011", msu=True)
    place(s, ["AX_TR1"], "2011")
    attrition(s, side, total)
    assert (at(s, "AX_CT1") == "aside") == gone
    assert bool(s.msu & units("AX_CT1")) != gone
    assert at(s, "AX_TR1") == "2011"


@pytest.mark.rule("na41", "25.1.1a", "25.1.1b")
def test_a_total_without_a_sector_costs_nothing_wherever_one_is() -> None:
    for side, unit, hex_, total in ((AXIS, "GE_I5_5L", "2477", 12), (ALLIED, "BR_1R", "2011", 12)):
        s = empty("axis", "supply_attrition")
        place(s, unit, hex_)
        supplies(s, ("axis", "allied")[side], hex_)
        event = of_kind(attrition(s, side, total), "supply_attrition")[0]
        assert (event.data["sector"], event.data["bites"]) == ("none", False)
        assert s.sp[side] == {H(hex_): 1}
    s = example()
    assert of_kind(attrition(s, AXIS, 6), "supply_attrition")[0].data["sector"] == "tobruk"


@pytest.mark.rule("na41", "25.1.1c", "25.1.1e")
def test_what_the_enemy_has_pays_for_nobody() -> None:
    s = empty("axis", "supply_attrition")
    place(s, "GE_I5_5L", "2937")
    place(s, ["AL_XIII", "AL_TR1"], "3035")
    s.msu = units("AL_TR1")
    assert points_of(s, AXIS) == ready_asus(s, AXIS) == 0
    events = attrition(s, AXIS, 6)
    assert kinds(events) == ["supply_attrition", "starving"]
    assert names(s.oos) == {"GE_I5_5L"}
    assert (names(s.msu), names(s.depleted)) == ({"AL_TR1"}, set())


@pytest.mark.rule("na41", "25.1.1c", "17.2.4b")
def test_one_msu_of_two_pays() -> None:
    s = empty("axis", "supply_attrition")
    place(s, ["GE_I5_5L", "AX_TR1", "AX_TR2"], "3035")
    place(s, "AX_TR3", "2011")
    s.msu = units("AX_TR1", "AX_TR2", "AX_TR3")
    attrition(s, AXIS, 6)
    assert names(s.msu) == {"AX_TR2", "AX_TR3"}
