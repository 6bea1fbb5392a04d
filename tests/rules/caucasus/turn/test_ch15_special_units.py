"""Chapter 15: HQs, the Brandenburg battalion, the flotilla, the train and the cavalry corps.

What these units do in movement, combat and retreat stands with those chapters.
"""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import (
    AXIS,
    AZOV,
    BRANDENBURG,
    CADRE,
    CORPS_GONE,
    F_ARRIVE,
    F_ATTRITION,
    F_COMBAT,
    F_MOVES,
    F_SUPPLY,
    F_TABLE,
    REMOVED,
    RETURNING,
    SOVIET,
    T_BRANDENBURG,
    TRACK,
)
from sandtable.games.caucasus.table.stacking import counted
from sandtable.games.caucasus.table.state import State, eliminate, enter, lose_step, put, units_in
from sandtable.games.caucasus.turn.arrivals import HEADQUARTERS

from ..kit import GAME, H, U, at, board, controlled_by, do, empty, kinds, of_kind, place, roll, start, texts
from ..phases import STOP, arrive, due, initial, over, phase, places, why


def moves(s: State) -> None:
    begin_moves(s)
    start(s, STOP, (F_MOVES, s.second))


def hqs(s: State) -> None:
    """Step (4) of an Initial Phase."""
    start(s, STOP, (F_ARRIVE, s.active, HEADQUARTERS))


# 15.1 HQs


@pytest.mark.rule("caucasus", "15.1d", "14.6e", "14.6f")
def test_an_hq_helps_isolated_units_and_suffers_no_attrition_itself() -> None:
    def isolated(hq: bool) -> State:
        """A German division in the middle of nowhere, surrounded, in the Axis Supply Phase."""
        s = empty("axis", 3, "axis_supply")
        place(s, "GE-73", "1526")
        for name, where in (("SU-4RD", "1425"), ("SU-74RD", "1427"), ("SU-176RD", "1625"), ("SU-261RD", "1627")):
            place(s, name, where)
        place(s, ["SU-91RD"], "1524")
        place(s, ["SU-138RD"], "1528")
        if hq:
            place(s, "GE-17A-HQ", "1526")
        start(s, STOP, (F_SUPPLY, AXIS, 0))
        return s

    s = isolated(hq=False)
    assert s.stack[-1] == (F_ATTRITION, U("GE-73"))
    roll(s, 3)  # +1 for a German unit: 4
    assert s.step[U("GE-73")] == 1
    s = isolated(hq=True)
    assert s.oos >> U("GE-17A-HQ") & 1
    assert s.stack[-1] == (F_ATTRITION, U("GE-73"))
    roll(s, 3)  # +1, and +2 for the HQ: 6
    assert s.step[U("GE-73")] == 0
    assert over(s)  # no roll for the HQ


@pytest.mark.rule("caucasus", "15.1e", "16.11a")
def test_air_support_needs_an_hq_within_eight_hexes_in_whatever_supply() -> None:
    def supported(hq: str, oos: bool = False) -> bool:
        s = empty("axis", 3, "axis_first_combat")
        place(s, "GE-13Pz", "1333")
        place(s, "SU-4RD", "1433")
        place(s, "GE-1PzA-HQ", hq, oos=oos)
        start(s, STOP, (F_COMBAT, 0))
        do(s, "attack 1433", "commit")
        return "support AX-VIII" in texts(s)

    near, far = "1325", "1324"
    assert board.grid.distance(H("1333"), H(near)) == 8
    assert board.grid.distance(H("1333"), H(far)) == 9
    assert supported(near)
    assert supported(near, oos=True)
    assert not supported(far)


@pytest.mark.rule("caucasus", "15.1f")
def test_an_eliminated_hq_returns_in_its_owners_next_initial_phase() -> None:
    s = phase("axis", 4)
    place(s, "GE-1PzA-HQ", "1333")
    eliminate(s, U("GE-1PzA-HQ"), "test")
    assert s.at[U("GE-1PzA-HQ")] == RETURNING
    hqs(s)
    axis = {f"10{column}" for column in range(25, 39)}
    assert places(s, "GE-1PzA-HQ") == axis | {"1134"}
    assert "delay" not in texts(s)  # it returns automatically
    assert why(s, "delay")[0] == "15.1f"
    assert why(s, "place GE-1PzA-HQ 2043")[0] == "15.1f"
    do(s, "place GE-1PzA-HQ 1134")
    assert over(s)
    assert at(s, "GE-1PzA-HQ") == "1134"
    assert not (s.moved | s.limited | s.oos) >> U("GE-1PzA-HQ") & 1  # it may move and function normally


@pytest.mark.rule("caucasus", "15.1f")
def test_a_soviet_hq_returns_to_connected_major_cities_and_entry_hexes() -> None:
    s = phase("soviet", 4)
    put(s, U("SU-North-HQ"), RETURNING)
    controlled_by(s, "axis", "2136", "3719")
    hqs(s)
    assert places(s, "SU-North-HQ") == {"1511", "2818", "3621", "1013", "1014", "3510", "3721", "3629"}


@pytest.mark.rule("caucasus", "15.1f")
def test_the_hqs_come_last_in_the_initial_phase() -> None:
    s = phase("axis", 4)
    put(s, U("GE-17A-HQ"), RETURNING)
    initial(s)
    roll(s, 2)  # the replacement
    assert s.stack[-1] == (F_ARRIVE, AXIS, HEADQUARTERS)


@pytest.mark.rule("caucasus", "15.1g")
def test_an_hq_may_be_removed_in_any_friendly_movement_phase() -> None:
    for name in ("soviet_first_movement", "soviet_second_movement"):
        s = empty("soviet", 4, name)
        place(s, "SU-North-HQ", "3021", oos=True)
        place(s, "SU-4RD", "3021")
        place(s, "GE-1PzA-HQ", "1333")
        moves(s)
        assert [text for text in texts(s) if text.startswith("remove")] == ["remove SU-North-HQ"]
        assert why(s, "remove SU-4RD")[0] == why(s, "remove GE-1PzA-HQ")[0] == "15.1g"
        events = do(s, "remove SU-North-HQ")
        assert s.at[U("SU-North-HQ")] == RETURNING
        assert "removed" in kinds(events)
        assert not s.oos


@pytest.mark.rule("caucasus", "15.1g")
def test_a_removed_hq_returns_next_turn_and_not_before() -> None:
    s = empty("soviet", 4, "soviet_second_movement")
    place(s, "SU-North-HQ", "3021")
    place(s, "SU-4RD", "3021")
    moves(s)
    do(s, "remove SU-North-HQ")
    s.stack = []
    hqs(s)  # the Soviet Initial Phase of turn 4 comes after its Second Impulse
    assert over(s)
    s.stack, s.turn = [], 5
    hqs(s)
    assert "3621" in places(s, "SU-North-HQ")


# 15.2 The Brandenburg battalion


@pytest.mark.rule("caucasus", "15.2b")
def test_after_its_shift_it_goes_on_the_turn_track_by_a_die() -> None:
    s = phase("axis", 5)
    place(s, "GE-Brand", "1333", disrupted=True)
    start(s, STOP, (F_TABLE, T_BRANDENBURG, 0))
    roll(s, 4)
    assert s.at[U("GE-Brand")] == TRACK
    assert s.due[U("GE-Brand")] == 9
    assert not s.disrupted


@pytest.mark.rule("caucasus", "15.2b")
def test_it_returns_at_a_fully_supplied_hq_or_in_a_connected_major_city() -> None:
    s = phase("axis", 9)
    due(s, 9, "GE-Brand")
    place(s, "GE-1PzA-HQ", "1333")
    place(s, "GE-17A-HQ", "1434", limited=True)
    arrive(s)
    assert places(s, "GE-Brand") == {"1134", "1333"}
    assert "delay" not in texts(s)
    assert why(s, "place GE-Brand 1033")[0] == why(s, "place GE-Brand 1434")[0] == "15.2b"


@pytest.mark.rule("caucasus", "15.2c")
def test_past_the_last_turn_it_is_out_of_the_game() -> None:
    for scenario, last in (("campaign", 14), ("tournament", 7)):
        for turn, out in ((last - 3, False), (last - 2, True)):
            s = empty("axis", turn, "axis_initial", scenario)
            put(s, U("GE-Brand"), BRANDENBURG)
            start(s, STOP, (F_TABLE, T_BRANDENBURG, 0))
            roll(s, 3)
            assert s.at[U("GE-Brand")] == (REMOVED if out else TRACK)


@pytest.mark.rule("caucasus", "15.2d")
def test_eliminated_it_goes_to_the_cadre_box_and_no_replacement_rebuilds_it() -> None:
    s = empty("axis", 3)
    place(s, "GE-Brand", "1333")
    place(s, "GE-17A-HQ", "1134")
    lose_step(s, U("GE-Brand"), "test")
    assert s.at[U("GE-Brand")] == CADRE
    s.replacements[:4] = [1, 1, 1, 1]
    moves(s)
    assert not any(text.startswith("rebuild GE-Brand") for text in texts(s))
    assert why(s, "rebuild GE-Brand german_mechanised")[0] == "4.5g"


@pytest.mark.rule("caucasus", "15.2e")
def test_x_15_2_and_x_t1_br_the_roll_of_turn_1() -> None:
    for die, turn in ((1, 2), (3, 4)):
        s = phase("axis", 1)
        put(s, U("GE-Brand"), BRANDENBURG)
        initial(s)
        assert s.stack[-1] == (F_TABLE, T_BRANDENBURG, 0)
        roll(s, die)
        assert s.due[U("GE-Brand")] == turn


# 15.3 The Azov Flotilla, 15.6 the armoured train


@pytest.mark.rule("caucasus", "15.3d")
def test_the_flotilla_is_lost_with_the_last_azov_port() -> None:
    s = empty("axis", 5)
    place(s, "SU-Azov", "2041")
    ports = sorted(board.grid.names[h] for h in board.grid.hexes if board.ports_of[AZOV] >> h & 1)
    assert len(ports) == 6
    controlled_by(s, "axis", *(p for p in ports if p != "1338"))
    place(s, "GE-13Pz", "1337")
    assert at(s, "SU-Azov") == "2041"
    enter(s, U("GE-13Pz"), H("1338"))
    assert s.at[U("SU-Azov")] == REMOVED


@pytest.mark.rule("caucasus", "15.3d", "15.6d")
@pytest.mark.parametrize("name", ["SU-Azov", "SU-Train"])
def test_flotilla_and_train_have_one_step_and_are_never_replaced(name: str) -> None:
    s = empty("soviet", 5)
    place(s, name, "2041")
    place(s, "SU-North-HQ", "3021")
    lose_step(s, U(name), "test")
    assert s.at[U(name)] == REMOVED
    s.replacements = [0, 0, 0, 0, 3, 3]
    moves(s)
    assert not any(name in text for text in texts(s))
    assert why(s, f"rebuild {name} soviet_infantry")[0] == "17.2f"


@pytest.mark.rule("caucasus", "15.3f")
def test_the_flotilla_retakes_no_port() -> None:
    s = empty("soviet", 5)
    place(s, "SU-Azov", "2041")
    controlled_by(s, "axis", "1338")  # Yeisk, ungarrisoned
    moves(s)
    do(s, "move SU-Azov")
    assert "to 1638" in texts(s)
    assert "to 1338" not in texts(s)
    enter(s, U("SU-Azov"), H("1338"))  # A40 it never changes the control of a port
    assert s.control >> H("1338") & 1


# 15.7 The 4th Guards Cavalry Corps


def corps(*cavalry: str, where: str = "1435") -> State:
    s = empty("soviet", 8)
    place(s, list(cavalry), where)
    s.corps = H(where)
    return s


@pytest.mark.rule("caucasus", "15.7b", "5.1c")
def test_the_marker_and_three_divisions_count_as_one_unit() -> None:
    four = ("SU-12CD", "SU-13CD", "SU-15CD", "SU-116CD")
    for names, count in ((four[:1], 1), (four[:2], 1), (four[:3], 1), (four, 2)):
        s = corps(*names)
        assert counted(s, H("1435"), units_in(s, H("1435"), SOVIET)) == count
    s = corps(*four[:3])
    place(s, "SU-4RD", "1435")
    assert counted(s, H("1435"), units_in(s, H("1435"), SOVIET)) == 2
    s.corps = CORPS_GONE
    assert counted(s, H("1435"), units_in(s, H("1435"), SOVIET)) == 4


@pytest.mark.rule("caucasus", "15.7d")
def test_divisions_join_and_leave_by_moving_at_no_cost() -> None:
    s = corps("SU-12CD", "SU-13CD")
    place(s, "SU-15CD", "1436")
    moves(s)
    do(s, "move SU-15CD", "to 1435")
    assert counted(s, H("1435"), units_in(s, H("1435"), SOVIET)) == 1
    do(s, "move SU-12CD")
    with_marker = texts(s)
    do(s, "to 1535")
    assert s.corps == H("1435")  # the marker stays with the others
    s = corps("SU-12CD", "SU-13CD")
    place(s, "SU-15CD", "1436")
    s.corps = CORPS_GONE
    moves(s)
    do(s, "move SU-12CD")
    assert texts(s) == with_marker


@pytest.mark.rule("caucasus", "15.7h")
def test_the_marker_goes_with_the_last_division_that_moves_away() -> None:
    """It must stay with a cavalry unit, so whoever is the last of the corps to go has it with him."""
    s = corps("SU-12CD", "SU-13CD")
    place(s, "SU-4RD", "1435")
    moves(s)
    do(s, "move SU-12CD", "to 1535")
    assert s.corps == H("1435")
    do(s, "move SU-4RD", "to 1436")
    assert s.corps == H("1435")
    do(s, "move SU-13CD", "to 1535")
    assert s.corps == H("1535")
    assert counted(s, H("1535"), units_in(s, H("1535"), SOVIET)) == 1
    assert not of_kind(s.events, "corps_gone")


@pytest.mark.rule("caucasus", "15.7e")
def test_the_marker_is_no_step() -> None:
    s = corps("SU-110CD")
    lose_step(s, U("SU-110CD"), "test")
    assert s.step[U("SU-110CD")] == 1
    assert s.corps == H("1435")
    assert "SU-4GCC" not in board.unit_index  # nobody can be asked to lose it


@pytest.mark.rule("caucasus", "15.7f")
def test_the_marker_is_gone_with_its_last_division() -> None:
    s = corps("SU-12CD", "SU-110CD")
    place(s, "SU-4RD", "1435")
    eliminate(s, U("SU-12CD"), "test")
    assert s.corps == H("1435")
    eliminate(s, U("SU-110CD"), "test")
    assert s.corps == CORPS_GONE
    s.none_chits = 0
    place(s, "SU-13CD", "1436")
    s.phase = 9
    initial(s)
    roll(s, 3)
    assert over(s)  # it never comes back (the marker is not offered again)
    assert not of_kind(s.events, "corps")


@pytest.mark.rule("caucasus", "15.7g")
def test_the_marker_has_no_effect_on_quality() -> None:
    def terms(marker: bool) -> list[str]:
        s = empty("axis", 8, "axis_first_combat")
        place(s, "GE-1Mtn", "1333")
        place(s, "SU-110CD", "1433")
        s.corps = H("1433") if marker else CORPS_GONE
        start(s, STOP, (F_COMBAT, 0))
        do(s, "attack 1433")
        odds = GAME.odds(s, GAME.parse("commit"))
        assert odds is not None
        return [term.rule for term in odds.terms]

    assert terms(True) == terms(False)
    assert "9.6a" in terms(True)  # Elite against a Regular division, marker or not
