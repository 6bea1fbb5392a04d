"""Chapter 17: replacements."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import (
    CADRE,
    F_COMBAT,
    F_CORPS,
    F_EVENT,
    F_MOVES,
    F_TABLE,
    F_TURN,
    PHASES,
    R_ALLIES,
    R_ELITE,
    R_INFANTRY,
    R_MECHANISED,
    R_SOVIET_CAVALRY,
    R_SOVIET_INFANTRY,
    REDUCED,
    REMNANT,
    T_EVENT,
    T_REPLACEMENT,
)
from sandtable.games.caucasus.table.state import State, eliminate, put

from ..kit import U, at, board, controlled_by, do, empty, of_kind, place, roll, start, texts, units
from ..kit import why as refusal

STOP = (F_CORPS,)


def moves(s: State) -> State:
    begin_moves(s)
    start(s, STOP, (F_MOVES, s.second))
    return s


def axis(**held: int) -> State:
    """A First Movement Phase of the Axis, with replacements on the track."""
    s = empty("axis", 3)
    for name, n in held.items():
        s.replacements[{"infantry": R_INFANTRY, "elite": R_ELITE, "allies": R_ALLIES, "mech": R_MECHANISED}[name]] = n
    return s


def soviet(infantry: int = 0, cavalry: int = 0) -> State:
    s = empty("soviet", 3)
    s.replacements[R_SOVIET_INFANTRY] = infantry
    s.replacements[R_SOVIET_CAVALRY] = cavalry
    return s


def rebuilt(s: State) -> set[str]:
    return {text.split()[1] for text in texts(s) if text.startswith("rebuild")}


def why(s: State, text: str) -> str:
    reason = refusal(s, text)
    assert reason is not None
    return reason.rule


@pytest.mark.rule("caucasus", "17.1")
def test_replacements_are_received_from_the_tables_and_recorded() -> None:
    s = empty("axis", 3, "axis_initial")
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    events = roll(s, 2)
    assert s.replacements == [1, 0, 0, 0, 0, 0]
    assert [e.data["held"] for e in of_kind(events, "replacement")] == [1]
    s = empty("soviet", 3, "soviet_initial")
    start(s, STOP, (F_TABLE, T_EVENT, 0))
    roll(s, 3)
    assert s.replacements == [0, 0, 0, 0, 1, 0]


@pytest.mark.rule("caucasus", "17.2a")
def test_a_replacement_restores_a_reduced_unit_in_the_first_movement_phase() -> None:
    s = axis(elite=1)
    place(s, "GE-1Mtn", "1333", "reduced")
    place(s, "GE-4Mtn", "1433")
    moves(s)
    assert rebuilt(s) == {"GE-1Mtn"}
    assert why(s, "rebuild GE-4Mtn german_elite_infantry") == "17.2a"
    do(s, "rebuild GE-1Mtn german_elite_infantry")
    assert s.step[U("GE-1Mtn")] == 0
    assert s.replacements[R_ELITE] == 0
    assert rebuilt(s) == set()
    assert why(s, "rebuild GE-1Mtn german_elite_infantry") == "17.1"


@pytest.mark.rule("caucasus", "17.2a")
def test_no_replacement_in_the_second_movement_phase_nor_of_a_wrong_type() -> None:
    s = empty("axis", 3, "axis_second_movement")
    s.replacements[R_ELITE] = 1
    place(s, "GE-1Mtn", "1333", "reduced")
    moves(s)
    assert rebuilt(s) == set()
    assert why(s, "rebuild GE-1Mtn german_elite_infantry") == "17.2a"
    s = axis(infantry=1)
    place(s, "GE-1Mtn", "1333", "reduced")
    moves(s)
    assert rebuilt(s) == set()
    assert why(s, "rebuild GE-1Mtn german_regular_infantry") == "17.2a"


@pytest.mark.rule("caucasus", "17.2a", "17.2b", "15.1c")
def test_a_unit_comes_out_of_the_cadre_box_reduced_at_an_hq_or_in_a_connected_major_city() -> None:
    s = axis(allies=1)
    put(s, U("RO-5Cav"), CADRE)
    s.step[U("RO-5Cav")] = REDUCED
    place(s, "GE-17A-HQ", "1333")
    moves(s)
    do(s, "rebuild RO-5Cav axis_allies")
    assert s.stack[-1] == (F_EVENT, U("RO-5Cav"), CADRE)
    assert set(texts(s)) == {"place RO-5Cav 1134", "place RO-5Cav 1333"}
    assert why(s, "place RO-5Cav 1033") == "17.2b"
    do(s, "place RO-5Cav 1333")
    assert at(s, "RO-5Cav") == "1333"
    assert s.step[U("RO-5Cav")] == REDUCED
    assert s.replacements == [0] * 6
    assert s.rebuilt == units("RO-5Cav")


@pytest.mark.rule("caucasus", "17.2b", "15.1c")
def test_no_unit_leaves_the_cadre_box_without_a_supplied_hq_or_connected_city() -> None:
    for supply in ("", "limited", "oos"):
        s = axis(allies=1)
        put(s, U("RO-5Cav"), CADRE)
        s.control = board.special_entries[0]  # Rostov is lost
        place(s, "GE-17A-HQ", "1333", limited=supply == "limited", oos=supply == "oos")
        moves(s)
        assert rebuilt(s) == (set() if supply else {"RO-5Cav"})
        if supply:
            assert why(s, "rebuild RO-5Cav axis_allies") == "17.2b"


@pytest.mark.rule("caucasus", "17.2b")
def test_a_major_city_must_be_on_a_connected_rail_hex() -> None:
    s = axis(allies=1)
    put(s, U("RO-5Cav"), CADRE)
    controlled_by(s, "axis", "2818")  # Grozny is held, but far from any Axis railhead
    place(s, "SU-4RD", "2819")
    place(s, "GE-17A-HQ", "1333")
    moves(s)
    do(s, "rebuild RO-5Cav axis_allies")
    assert "place RO-5Cav 2818" not in texts(s)
    assert "place RO-5Cav 1134" in texts(s)


@pytest.mark.rule("caucasus", "15.1c")
def test_units_are_placed_before_the_hq_moves() -> None:
    s = axis(allies=1)
    put(s, U("RO-5Cav"), CADRE)
    s.control = board.special_entries[0]
    place(s, "GE-17A-HQ", "1333")
    moves(s)
    assert rebuilt(s) == {"RO-5Cav"}
    do(s, "move GE-17A-HQ", "to 1334")
    assert rebuilt(s) == set()


@pytest.mark.rule("caucasus", "17.2c", "14.4d")
def test_a_unit_needs_full_or_limited_supply() -> None:
    s = axis(elite=1)
    place(s, "GE-1Mtn", "1333", "reduced", limited=True)
    place(s, "GE-4Mtn", "1433", "reduced", oos=True)
    moves(s)
    assert rebuilt(s) == {"GE-1Mtn"}
    assert why(s, "rebuild GE-4Mtn german_elite_infantry") == "17.2c"


@pytest.mark.rule("caucasus", "11.5f")
def test_a_disrupted_unit_may_not_receive_one() -> None:
    s = axis(elite=1)
    place(s, "GE-1Mtn", "1333", "reduced", disrupted=True)
    moves(s)
    assert rebuilt(s) == set()
    assert why(s, "rebuild GE-1Mtn german_elite_infantry") == "11.5f"


@pytest.mark.rule("caucasus", "17.2d")
def test_a_unit_in_ezoc_may_receive_one() -> None:
    s = axis(elite=1)
    place(s, "GE-1Mtn", "1333", "reduced")
    place(s, "SU-4RD", "1433")
    moves(s)
    assert rebuilt(s) == {"GE-1Mtn"}


@pytest.mark.rule("caucasus", "17.2e")
def test_no_unit_receives_two_replacements_in_a_turn() -> None:
    s = axis(infantry=3)
    place(s, "GE-73", "1333", "remnant")
    moves(s)
    do(s, "rebuild GE-73 german_regular_infantry")
    assert s.step[U("GE-73")] == REDUCED
    assert s.replacements[R_INFANTRY] == 2
    assert rebuilt(s) == set()
    assert why(s, "rebuild GE-73 german_regular_infantry") == "17.2e"


@pytest.mark.rule("caucasus", "17.2f")
def test_soviet_infantry_replacements_are_for_all_infantry_and_mountain_units() -> None:
    s = soviet(infantry=1)
    for name in ("SU-4RD", "SU-223RD", "SU-2Gds", "SU-10GRC", "SU-9MD"):
        place(s, name, "2130", "reduced")
    place(s, "SU-12CD", "2130", "reduced")
    for name in ("SU-83NB", "SU-68RB"):  # A53
        put(s, U(name), CADRE)
    moves(s)
    assert rebuilt(s) == {"SU-4RD", "SU-223RD", "SU-2Gds", "SU-10GRC", "SU-9MD", "SU-83NB", "SU-68RB"}


@pytest.mark.rule("caucasus", "17.2g")
def test_soviet_cavalry_replacements_are_for_all_cavalry() -> None:
    s = soviet(cavalry=1)
    for name in ("SU-12CD", "SU-110CD", "SU-30CD"):
        place(s, name, "2130", "reduced")
    place(s, "SU-4RD", "2130", "reduced")
    moves(s)
    assert rebuilt(s) == {"SU-12CD", "SU-110CD", "SU-30CD"}
    assert why(s, "rebuild SU-4RD soviet_cavalry") == "17.2a"


@pytest.mark.rule("caucasus", "17.2h")
def test_nkvd_units_receive_none() -> None:
    s = soviet(infantry=1)
    place(s, "SU-11NKVD", "2130", "reduced")
    moves(s)
    assert rebuilt(s) == set()
    assert why(s, "rebuild SU-11NKVD soviet_infantry") == "17.2h"


@pytest.mark.rule("caucasus", "15.9c")
def test_the_454th_security_division_receives_none() -> None:
    s = axis(infantry=1)
    place(s, "GE-454Sec", "1134")
    moves(s)
    assert why(s, "rebuild GE-454Sec german_regular_infantry") == "15.9c"
    assert board.rebuilt_by[board.security] == -1
    assert not board.cadre[board.security]


@pytest.mark.rule("caucasus", "17.2i")
def test_a_unit_with_a_replacement_moves_one_hex_at_most() -> None:
    s = axis(elite=1)
    place(s, "GE-1Mtn", "1333", "reduced")
    moves(s)
    do(s, "rebuild GE-1Mtn german_elite_infantry", "move GE-1Mtn")
    beside = {board.grid.names[n] for _, n in board.grid.neighbours[board.grid.index["1333"]]}
    assert {text.split()[1] for text in texts(s) if text.startswith("to ")} <= beside


@pytest.mark.rule("caucasus", "17.2i")
def test_a_unit_that_has_moved_receives_none() -> None:
    s = axis(elite=1)
    place(s, "GE-1Mtn", "1333", "reduced")
    moves(s)
    do(s, "move GE-1Mtn", "to 1433")
    assert rebuilt(s) == set()
    assert why(s, "rebuild GE-1Mtn german_elite_infantry") == "17.2i"


@pytest.mark.rule("caucasus", "17.2i")
def test_a_unit_with_a_replacement_does_not_attack_in_the_first_combat_phase() -> None:
    s = empty("axis", 3, "axis_first_combat")
    place(s, ["GE-1Mtn", "GE-13Pz"], "1333")
    place(s, "SU-4RD", "1433", "reduced")
    s.rebuilt = units("GE-1Mtn")
    start(s, STOP, (F_COMBAT, 0))
    do(s, "attack 1433")
    assert s.fight.attackers == units("GE-13Pz")
    assert texts(s) == ["commit"]


@pytest.mark.rule("caucasus", "17.2i", "17.2e")
def test_the_marker_of_a_replacement_comes_off_after_the_first_combat_phase() -> None:
    s = empty("axis", 3, "axis_first_movement")
    place(s, "GE-1Mtn", "1333", "reduced")
    place(s, "GE-13Pz", "1333")
    place(s, "SU-4RD", "1434")
    s.rebuilt = units("GE-1Mtn", "GE-13Pz")
    start(s, (F_TURN, 3))  # the Axis First Combat Phase: neither may attack, so it passes
    do(s, "end-moves")  # the Soviet Second Movement Phase
    assert s.phase == PHASES.index("axis_second_movement")
    assert not s.rebuilt
    assert {"assault GE-1Mtn", "assault GE-13Pz"} <= set(texts(s))
    do(s, "move GE-13Pz")
    assert "to 1034" in texts(s)  # farther than one hex


@pytest.mark.rule("caucasus", "17.2j", "10.3b")
def test_a_three_step_unit_comes_back_as_its_remnant() -> None:
    s = axis(infantry=1)
    put(s, U("GE-73"), CADRE)
    s.step[U("GE-73")] = REMNANT
    place(s, "GE-17A-HQ", "1333")
    moves(s)
    do(s, "rebuild GE-73 german_regular_infantry", "place GE-73 1134")
    assert s.step[U("GE-73")] == REMNANT
    assert (board.att[U("GE-73")][REMNANT], board.dfn[U("GE-73")][REMNANT]) == (1, 2)


@pytest.mark.rule("caucasus", "17.2a", "17.2j", "10.3a")
def test_whoever_is_eliminated_waits_in_the_cadre_box_at_its_weakest() -> None:
    s = axis()
    for name, weakest in (("GE-73", 2), ("GE-1Mtn", 1), ("GE-210StG", 0)):
        place(s, name, "1333")
        eliminate(s, U(name), "test")
        assert at(s, name) == "cadre"
        assert s.step[U(name)] == weakest


@pytest.mark.rule("caucasus", "17.2k")
def test_three_of_a_type_may_be_held_and_the_excess_is_lost() -> None:
    s = empty("axis", 3, "axis_initial")
    s.replacements = [3, 2, 0, 0, 0, 0]
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    events = roll(s, 2)
    assert s.replacements == [3, 2, 0, 0, 0, 0]
    assert [e.data["lost"] for e in of_kind(events, "replacement")] == [1]
    s.stack = []
    start(s, STOP, (F_TABLE, T_REPLACEMENT, 0))
    roll(s, 3)
    assert s.replacements == [3, 3, 0, 0, 0, 0]
