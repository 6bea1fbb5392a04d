"""Chapter 18: merging and withdrawals (18.2 stands with movement)."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import (
    AXIS,
    CADRE,
    F_CORPS,
    F_INITIAL,
    F_MOVES,
    F_TABLE,
    F_TYPE,
    R_MECHANISED,
    REMOVED,
    T_REPLACEMENT,
    T_WEATHER,
    WAITING,
)
from sandtable.games.caucasus.table.state import State, eliminate, put

from ..kit import H, U, at, do, empty, of_kind, place, roll, start, texts
from ..kit import why as refusal

STOP = (F_CORPS,)


def moves(phase: str = "soviet_first_movement", **stacks: tuple[str, ...]) -> State:
    """A movement phase of the side named; every stack is (hex, side of the counter, units…)."""
    s = empty(phase.split("_", maxsplit=1)[0], 3, phase)
    for hex_, shows, *names in stacks.values():
        place(s, names, hex_, shows)
    begin_moves(s)
    start(s, STOP, (F_MOVES, s.second))
    return s


def mergers(s: State) -> list[str]:
    return [text for text in texts(s) if text.startswith("merge")]


def why(s: State, text: str) -> str:
    reason = refusal(s, text)
    assert reason is not None
    return reason.rule


@pytest.mark.rule("caucasus", "18.1a", "18.1c")
def test_two_reduced_divisions_merge_into_a_full_one() -> None:
    s = moves(a=("2130", "reduced", "SU-4RD", "SU-74RD"))
    assert mergers(s) == ["merge SU-4RD SU-74RD", "merge SU-74RD SU-4RD"]
    events = do(s, "merge SU-4RD SU-74RD")
    assert s.step[U("SU-4RD")] == 0
    assert at(s, "SU-4RD") == "2130"
    assert s.at[U("SU-74RD")] == CADRE
    assert s.step[U("SU-74RD")] == 1
    assert len(of_kind(events, "merged")) == 1


@pytest.mark.rule("caucasus", "18.1a", "18.1d")
def test_a_reduced_division_and_a_brigade_merge() -> None:
    s = moves(a=("2130", "reduced", "SU-223RD"), b=("2130", "full", "SU-68RB", "SU-76RB"))
    assert mergers(s) == ["merge SU-223RD SU-68RB", "merge SU-223RD SU-76RB"]  # the brigade's quality is irrelevant
    assert why(s, "merge SU-68RB SU-223RD") == "18.1d"
    assert why(s, "merge SU-68RB SU-76RB") == "18.1d"
    do(s, "merge SU-223RD SU-76RB")
    assert s.step[U("SU-223RD")] == 0
    assert s.at[U("SU-76RB")] == CADRE
    assert at(s, "SU-68RB") == "2130"


@pytest.mark.rule("caucasus", "18.1a")
def test_full_divisions_do_not_merge() -> None:
    s = moves(a=("2130", "reduced", "SU-4RD"), b=("2130", "full", "SU-74RD"))
    assert mergers(s) == []
    assert why(s, "merge SU-4RD SU-74RD") == "18.1a"


@pytest.mark.rule("caucasus", "18.1b")
def test_both_must_end_their_movement_in_one_hex() -> None:
    s = moves(a=("2130", "reduced", "SU-4RD"), b=("2131", "reduced", "SU-74RD"))
    assert mergers(s) == []
    assert why(s, "merge SU-4RD SU-74RD") == "18.1b"
    do(s, "move SU-74RD", "to 2130")
    assert "merge SU-4RD SU-74RD" in mergers(s)
    do(s, "merge SU-4RD SU-74RD")
    assert "move SU-4RD" not in texts(s)  # its movement is over


@pytest.mark.rule("caucasus", "18.1b")
def test_merging_in_both_movement_phases_of_the_owner_and_no_other() -> None:
    stack = ("2130", "reduced", "SU-4RD", "SU-74RD")
    s = moves("soviet_second_movement", a=stack)
    do(s, "merge SU-74RD SU-4RD")
    assert s.step[U("SU-74RD")] == 0
    s = moves("axis_first_movement", a=stack, b=("1333", "full", "GE-73"))
    assert mergers(s) == []
    assert why(s, "merge SU-4RD SU-74RD") == "18.1b"


@pytest.mark.rule("caucasus", "18.1b")
def test_a_merger_cures_too_large_a_stack_and_an_assault_marker_stays() -> None:
    stack = ("2130", "reduced", "SU-4RD", "SU-74RD", "SU-176RD", "SU-261RD")
    s = moves("soviet_second_movement", a=stack, b=("2131", "full", "GE-73"))
    do(s, "assault SU-4RD", "merge SU-4RD SU-74RD")
    assert s.assault >> U("SU-4RD") & 1  # the merged unit may fight in the following combat phase
    do(s, "end-moves")
    assert s.here[H("2130")].bit_count() == 3


@pytest.mark.rule("caucasus", "18.1b", "7.3e")
def test_a_unit_merged_where_both_stood_may_still_take_an_assault_marker() -> None:
    front = {"a": ("2130", "reduced", "SU-4RD", "SU-74RD"), "b": ("2131", "full", "GE-73")}
    s = moves("soviet_second_movement", **front)
    do(s, "merge SU-4RD SU-74RD")
    assert "assault SU-4RD" in texts(s)
    assert "move SU-4RD" not in texts(s)  # but its movement is over
    assert why(s, "move SU-4RD") == "18.1b"
    s = moves("soviet_second_movement", **front)
    do(s, "assault SU-74RD", "merge SU-4RD SU-74RD")  # the marker goes with the unit that goes
    assert "assault SU-4RD" in texts(s)
    s = moves("soviet_second_movement", a=("2130", "reduced", "SU-4RD"), b=front["b"], c=("2129", "reduced", "SU-74RD"))
    do(s, "move SU-74RD", "to 2130", "merge SU-4RD SU-74RD")  # one of them has moved
    assert "assault SU-4RD" not in texts(s)
    assert why(s, "assault SU-4RD") == "7.3b"


@pytest.mark.rule("caucasus", "18.1c")
def test_of_two_qualities_the_lower_is_kept() -> None:
    s = moves(a=("2130", "reduced", "SU-4RD", "SU-223RD"))  # Regular and Poor
    assert mergers(s) == ["merge SU-223RD SU-4RD"]
    assert why(s, "merge SU-4RD SU-223RD") == "18.1c"


@pytest.mark.rule("caucasus", "18.1e")
def test_mountain_nkvd_and_guards_divisions_and_naval_brigades_do_not_merge() -> None:
    s = moves(
        a=("2130", "reduced", "SU-4RD", "SU-9MD", "SU-11NKVD", "SU-2Gds"),
        b=("2130", "full", "SU-83NB", "SU-2TB"),
    )
    assert mergers(s) == []
    for name in ("SU-9MD", "SU-11NKVD", "SU-2Gds", "SU-83NB", "SU-2TB"):
        assert why(s, f"merge SU-4RD {name}") == "18.1e"


# 18.3 Withdrawals


def withdrawal(turn: int, unit: str, where: str | int, shows: str = "full") -> State:
    s = empty("axis", turn, "axis_initial")
    if isinstance(where, str):
        place(s, unit, where, shows)
    else:
        put(s, U(unit), where)
    start(s, STOP, (F_INITIAL, AXIS, 0))
    return s


@pytest.mark.rule("caucasus", "18.3a", "18.3b")
@pytest.mark.parametrize(("turn", "unit"), [(2, "GE-14Pz"), (9, "GE-298")])
def test_two_divisions_are_withdrawn_wherever_they_are(turn: int, unit: str) -> None:
    assert withdrawal(turn, unit, "1433").at[U(unit)] == REMOVED
    assert withdrawal(turn, unit, WAITING).at[U(unit)] == REMOVED
    assert withdrawal(turn, unit, CADRE).at[U(unit)] == REMOVED
    assert withdrawal(turn, unit, CADRE).no_roll  # 18.3b eliminated, whatever side of the counter shows there
    assert not withdrawal(turn, unit, WAITING).no_roll
    assert withdrawal(turn + 1, unit, "1433").at[U(unit)] == H("1433")


@pytest.mark.rule("caucasus", "18.3a")
def test_x_t2_0_the_14th_panzer_division_at_full_strength_costs_nothing() -> None:
    s = withdrawal(2, "GE-14Pz", "1433")
    assert s.stack[-1] == (F_TABLE, T_REPLACEMENT, 0)
    roll(s, 2)
    assert s.replacements == [1, 0, 0, 0, 0, 0]
    assert s.stack == [STOP]  # no weather roll on turn 2


@pytest.mark.rule("caucasus", "18.3b")
def test_a_reduced_or_eliminated_division_costs_the_roll() -> None:
    for shows in ("reduced", "remnant"):
        s = withdrawal(2, "GE-14Pz", "1433", shows)
        assert s.stack == [STOP]
        assert s.replacements == [0] * 6
    s = empty("axis", 2, "axis_initial")
    place(s, "GE-14Pz", "1433")
    eliminate(s, U("GE-14Pz"), "test")
    start(s, STOP, (F_INITIAL, AXIS, 0))
    assert s.stack == [STOP]
    assert s.replacements == [0] * 6


@pytest.mark.rule("caucasus", "18.3b")
def test_the_second_replacement_of_turn_9_is_still_received() -> None:
    s = withdrawal(9, "GE-298", "1433", "reduced")
    assert s.stack[-1] == (F_TYPE, 0b1111, 0)
    do(s, "type german_mechanised")
    assert s.replacements[R_MECHANISED] == 1
    assert sum(s.replacements) == 1
    assert s.stack[-1] == (F_TABLE, T_WEATHER, 0)
