"""Chapter 5: stacking."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.table.ids import AFTER_ADVANCE, AFTER_MOVES, AFTER_RETREAT, AXIS, F_OVERSTACK, SOVIET
from sandtable.games.caucasus.table.stacking import excess

from ..kit import GAME, H, at, do, empty, of_kind, place, start, texts
from ..movekit import goes, phase, refusal

rule = pytest.mark.rule


@rule("caucasus", "5.1a")
def test_three_units_of_a_side_may_be_in_one_hex() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-198"], "1235")
    assert excess(s, H("1235"), AXIS) == 0
    place(s, "GE-9", "1235")
    assert excess(s, H("1235"), AXIS) == 1
    place(s, "GE-111", "1235")
    assert excess(s, H("1235"), AXIS) == 2
    # markers are no units: supply, disruption and assault markers change nothing
    s.assault = s.disrupted = s.oos = s.here[H("1235")]
    assert excess(s, H("1235"), AXIS) == 2
    assert excess(s, H("1235"), SOVIET) == 0


@rule("caucasus", "5.1b", "2.2e")
def test_one_of_each_free_stacking_kind_does_not_count() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-198", "GE-17A-HQ", "GE-210StG", "GE-7Flak", "GE-Brand"], "1235")
    assert excess(s, H("1235"), AXIS) == 0
    # A9 a second one of the same kind counts
    place(s, "GE-203StG", "1235")
    assert excess(s, H("1235"), AXIS) == 1
    place(s, "GE-1PzA-HQ", "1235")
    assert excess(s, H("1235"), AXIS) == 2
    place(s, ["SU-77RD", "SU-4RD", "SU-74RD", "SU-98AT", "SU-Train", "SU-PG-Tuapse", "SU-North-HQ"], "2536")
    assert excess(s, H("2536"), SOVIET) == 0
    place(s, "SU-186AT", "2536")
    assert excess(s, H("2536"), SOVIET) == 1
    # the flotilla has no white box: it counts
    s = empty("soviet")
    place(s, ["SU-77RD", "SU-4RD", "SU-74RD", "SU-Azov"], "2041")
    assert excess(s, H("2041"), SOVIET) == 1


@rule("caucasus", "5.1c", "15.7b")
def test_three_cavalry_divisions_with_the_corps_marker_count_as_one() -> None:
    s = empty("soviet", turn=7)
    place(s, ["SU-12CD", "SU-13CD", "SU-15CD", "SU-4RD", "SU-74RD"], "1435")
    assert excess(s, H("1435"), SOVIET) == 2
    s.corps = H("1435")
    assert excess(s, H("1435"), SOVIET) == 0
    place(s, "SU-116CD", "1435")  # a fourth division counts for itself
    assert excess(s, H("1435"), SOVIET) == 1
    s.corps = H("1436")  # the marker lies elsewhere
    assert excess(s, H("1435"), SOVIET) == 3


@rule("caucasus", "5.2a")
def test_the_limit_may_be_exceeded_in_the_course_of_movement() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-198"], "1434")
    place(s, "GE-9", "1433")
    assert "1434" in goes(s, "GE-9")
    phase(s)
    do(s, "move GE-9", "to 1434")
    assert excess(s, H("1434"), AXIS) == 1
    assert "move GE-73" in texts(s)
    do(s, "move GE-73", "to 1435")  # one leaves again, and all is well
    events = do(s, "end-moves")
    assert not of_kind(events, "overstacked")


@rule("caucasus", "5.2b")
def test_the_limit_is_enforced_at_the_end_of_a_movement_phase() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-198", "GE-9"], "1434")
    start(s, (F_OVERSTACK, AXIS, AFTER_MOVES), (F_OVERSTACK, AXIS, AFTER_MOVES))
    assert texts(s) == ["drop GE-73", "drop GE-125", "drop GE-198", "drop GE-9"]
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-198", "GE-9"], "1434")
    s.stack.append(GAME.framed((F_OVERSTACK, SOVIET, AFTER_MOVES)))  # something to come back to
    place(s, ["SU-4RD", "SU-74RD", "SU-77RD", "SU-176RD"], "1634")
    phase(s)
    do(s, "end-moves")
    assert s.actor == AXIS
    assert set(texts(s)) == {"drop GE-73", "drop GE-125", "drop GE-198", "drop GE-9"}


@rule("caucasus", "5.2b")
@pytest.mark.parametrize("moment", [AFTER_RETREAT, AFTER_ADVANCE])
def test_the_limit_is_enforced_after_retreats_and_advances(moment: int) -> None:
    s = empty()
    place(s, ["SU-4RD", "SU-74RD", "SU-77RD", "SU-176RD"], "1634")
    start(s, (F_OVERSTACK, SOVIET, moment), (F_OVERSTACK, SOVIET, moment))
    assert s.actor == SOVIET
    assert len(texts(s)) == 4


@rule("caucasus", "5.2c")
def test_the_owner_eliminates_units_of_his_choice_until_the_limit_is_met() -> None:
    s = empty()
    place(s, ["GE-73", "GE-125", "GE-198", "GE-9", "GE-454Sec", "GE-210StG"], "1434")
    s.stack.append(GAME.framed((F_OVERSTACK, SOVIET, AFTER_MOVES)))
    place(s, ["SU-4RD", "SU-74RD", "SU-77RD", "SU-176RD"], "1634")  # so that play stops after the Axis
    start(s, (F_OVERSTACK, AXIS, AFTER_MOVES))
    assert "drop GE-210StG" not in texts(s)  # it does not count, so its loss would not help
    assert refusal(s, "drop GE-210StG") == "5.1b"
    assert refusal(s, "drop SU-4RD") == "5.2c"
    do(s, "drop GE-9")
    assert at(s, "GE-9") == "cadre"  # A10 the whole unit, not a step
    assert s.actor == AXIS  # still one too many
    events = do(s, "drop GE-454Sec")
    assert at(s, "GE-454Sec") == "removed"  # A52 nothing rebuilds it
    assert [e.rule for e in of_kind(events, "eliminated")] == ["5.2c"]
    assert s.actor == SOVIET
