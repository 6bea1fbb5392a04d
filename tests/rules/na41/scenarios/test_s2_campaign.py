"""S2 The campaign game."""

from __future__ import annotations

import pytest

from sandtable.games.na41.table import captures
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_VICTORY, RESERVE, SCHEDULED
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.scenarios import script
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.verbs import V_REPLACE
from sandtable.games.na41.turn import victory
from sandtable.games.na41.turn.replacements import USE

from ..kit import H, U, at, board, controlled_by, do, empty, hexes, mask, new, of_kind, place, start
from ..phasekit import END
from ..turnkit import moving, prepare, prepared, schedule

FIELDS = ("3212", "3629", "3041", "2851", "2365")  # Benina, Martuba, Gambut, Sidi Barrani, Fuka
SCENARIO = "s2_campaign"


@pytest.mark.rule("na41", "S2.1", "S2.2a")
def test_it_is_set_up_like_s1_and_lasts_19_turns() -> None:
    s = new(SCENARIO)
    assert (s.turn, s.impulse, s.active) == (1, 3, AXIS)
    assert s.malta == -2
    assert (script(s).first_turn, script(s).last_turn) == (1, 19)
    assert all(s.at[U(name)] == SCHEDULED for name in ("NZ_6", "SA_3", "SA_6"))


@pytest.mark.rule("na41", "S2.2b")
def test_reserves_arrive_in_the_reserve_box() -> None:
    s = new(SCENARIO)
    for turn, names in ((6, ["NZ_6"]), (7, ["SA_3", "SA_6"]), (8, ["NZ_4"]), (9, ["NZ_5", "SA_4"])):
        s.turn = turn
        prepare(s, "reinforce")
        assert [at(s, name) for name in names] == ["reserve"] * len(names)
    assert at(s, "SA_1") == "nile_delta"  # 1st South African Division


def reserves(turn: int) -> State:
    s = prepared(turn)
    for name in ("NZ_4", "NZ_5", "NZ_6", "SA_3", "SA_4", "SA_6"):
        put(s, U(name), RESERVE)
    return s


def released(s: State) -> set[str]:
    prepare(s, "release")
    return {name for name in ("NZ_4", "NZ_5", "NZ_6", "SA_3", "SA_4", "SA_6") if at(s, name) == "nile_delta"}


@pytest.mark.rule("na41", "S2.2c", "S2.2d", "S2.2e")
def test_reserves_are_released_by_their_turn() -> None:
    assert released(reserves(11)) == set()
    assert released(reserves(12)) == {"NZ_4", "NZ_5", "NZ_6"}
    assert released(reserves(13)) == {"NZ_4", "NZ_5", "NZ_6"}
    assert released(reserves(14)) == {"NZ_4", "NZ_5", "NZ_6", "SA_3", "SA_4", "SA_6"}


@pytest.mark.rule("na41", "S2.2c")
def test_the_new_zealanders_are_released_when_the_axis_enters_sidi_barrani() -> None:
    s = reserves(9)
    captures.enter(s, ALLIED, H("2851"))
    assert released(s) == set()
    captures.enter(s, AXIS, H("2851"))
    assert released(s) == {"NZ_4", "NZ_5", "NZ_6"}


@pytest.mark.rule("na41", "S2.2d")
def test_the_south_africans_are_released_when_the_axis_enters_mersa_matruh() -> None:
    s = reserves(9)
    captures.enter(s, AXIS, H("2660"))
    assert released(s) == {"SA_3", "SA_4", "SA_6"}


@pytest.mark.rule("na41", "S2.2e", "19.3.3")
def test_reserves_take_replacements_as_if_in_the_nile_delta() -> None:
    s = prepared(9)
    s.active = ALLIED
    put(s, U("NZ_4"), RESERVE)
    s.step[U("NZ_4")] = 1
    place(s, "NZ_RI1", "nile_delta")
    assert USE[1].actions(s, (), None) == [(V_REPLACE, U("NZ_4"), U("NZ_RI1"))]
    place(s, "NZ_RI1", "2478")
    assert USE[1].actions(s, (), None) == []


def points(turn: int, *fields: str, before: int = 0) -> State:
    """The Victory Point Phase of a turn, the Axis controlling these airfields along an open road."""
    s = empty("axis", "victory_points", turn=turn)
    place(s, "GE_I5_5L", "1701")
    controlled_by(s, "axis", *fields, "3211", "3828", "3138", "2946", "2660")
    s.vp = before
    start(s, END, (F_VICTORY, 1))
    return s


@pytest.mark.rule("na41", "S2.3.1a", "S2.3.1b")
def test_airfields_above_and_below_the_index_are_counted() -> None:
    assert [board.turns[t]["vp_index"] for t in (1, 2, 3, 4, 16, 17, 19)] == [0, 1, 2, 3, 3, 2, 0]
    goals = script(empty()).points
    assert goals is not None
    assert hexes(goals.airfields) == set(FIELDS)
    assert list(goals.index) == [board.turns[t]["vp_index"] for t in range(1, 20)]
    assert points(4, *FIELDS).vp == 2
    assert points(4, *FIELDS[:3]).vp == 0
    assert points(4, *FIELDS[:1]).vp == -2
    assert points(5, *FIELDS, before=3).vp == 5


@pytest.mark.rule("na41", "S2.3.1c")
def test_an_airfield_counts_only_in_full_supply() -> None:
    s = empty("axis", "victory_points", turn=4)
    controlled_by(s, "axis", *FIELDS, "3211", "3828", "3138", "2946", "2660")
    goals = script(s).points
    assert goals is not None
    assert victory.supplied_airfields(s, goals) == 5
    s.control &= ~mask("2660")  # Mersa Matruh bars the road, and Fuka lies behind it
    s.memo = {}
    place(s, ["BR_1R", "BR_11H"], "2365")
    place(s, "AU_18", "3013")
    place(s, "AU_20", "3113")
    controlled_by(s, "allied", "3211")
    assert victory.supplied_airfields(s, goals) < 5


@pytest.mark.rule("na41", "S2.3.2a", "S2.3.2b")
def test_twelve_points_win_at_once() -> None:
    assert new(SCENARIO).vp == 0
    s = points(4, *FIELDS, before=10)
    assert s.ended is not None
    assert (s.vp, s.ended.winner, s.ended.rule) == (12, AXIS, "S2.3.2b")
    s = points(4, before=-10)
    assert s.ended is not None
    assert (s.vp, s.ended.winner, s.ended.rule) == (-12, ALLIED, "S2.3.2b")
    assert points(4, *FIELDS, before=9).ended is None


@pytest.mark.rule("na41", "S2.3.3")
def test_after_turn_19_the_sign_decides() -> None:
    for before, winner in ((1, AXIS), (-1, ALLIED), (0, None)):
        s = points(19, before=before)
        assert s.ended is not None
        assert (s.ended.winner, s.ended.rule) == (winner, "S2.3.3")
    assert points(18, *FIELDS[:2], before=1).ended is None


@pytest.mark.rule("na41", "3.1k")
def test_points_are_recorded_in_the_campaign_alone() -> None:
    for scenario, recorded in ((SCENARIO, 1), ("s1_enter_rommel", 0)):
        s = empty("axis", turn=4, scenario=scenario)
        events = start(s, END, (F_VICTORY, 1))
        assert len(of_kind(events, "victory_points")) == recorded


def test_schedule_puts_units_on_the_track() -> None:
    s = prepared(5)
    schedule(s, 6, "BR_4R")
    prepare(s, "reinforce")
    assert at(s, "BR_4R") == "scheduled"


@pytest.mark.rule("na41", "S2.2c", "S2.2d", "S2.2e")
def test_they_are_released_at_once_and_who_arrives_later_goes_straight_through() -> None:
    """Not in the next Preparation Phase: the Allies move with them in their next player turn."""
    s = reserves(9)
    s.active = AXIS
    put(s, U("NZ_5"), SCHEDULED)
    s.due[U("NZ_5")] = 10
    place(s, "GE_AA3_5L", "2850")
    controlled_by(s, "axis", "3211", "3828", "3138", "2946", "3041", "3629", "3212")
    moving(s)
    events = do(s, "move GE_AA3_5L", "to 2851 normal")
    assert {event.data["unit"] for event in of_kind(events, "released")} == {U("NZ_4"), U("NZ_6")}
    assert (at(s, "NZ_4"), at(s, "NZ_6"), at(s, "SA_3")) == ("nile_delta", "nile_delta", "reserve")
    s.turn = 10
    prepare(s, "reinforce", "release")
    assert at(s, "NZ_5") == "nile_delta"
