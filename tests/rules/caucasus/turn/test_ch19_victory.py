"""Chapter 19: victory."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Outcome
from sandtable.games.caucasus.table.ids import AXIS, F_CORPS, F_VICTORY, SOVIET
from sandtable.games.caucasus.table.state import State, enter, vp

from ..kit import H, U, board, controlled_by, empty, kinds, place, start

STOP = (F_CORPS,)


def holding(points: int, turn: int, scenario: str = "campaign") -> State:
    """A table on which the Axis controls places worth so many points."""
    s = empty("axis", turn, "victory", scenario)
    for h, value in sorted(board.vp.items(), key=lambda item: -item[1]):
        if vp(s) + value <= points:
            s.control |= 1 << h
    assert vp(s) == points
    return s


def judged(s: State) -> Outcome | None:
    start(s, STOP, (F_VICTORY,))
    return s.ended


@pytest.mark.rule("caucasus", "19.1a")
def test_points_are_the_values_of_the_places_that_the_axis_controls() -> None:
    s = empty("axis", 3)
    assert vp(s) == 0
    controlled_by(s, "axis", "2333", "2130", "1430")  # Maikop 2, Armavir 1, Salsk 1
    assert vp(s) == 4
    place(s, "GE-13Pz", "2137")
    enter(s, U("GE-13Pz"), H("2136"))
    assert vp(s) == 6
    place(s, "SU-4RD", "2334")
    enter(s, U("SU-4RD"), H("2333"))
    assert vp(s) == 4
    controlled_by(s, "axis", "2817")  # Gudermes is worth nothing
    assert vp(s) == 4


@pytest.mark.rule("caucasus", "19.1b")
def test_the_five_points_belong_to_3510_and_not_to_derbent() -> None:
    s = empty("axis", 3)
    assert board.names[H("3411")] == "Derbent"
    controlled_by(s, "axis", "3411")
    assert vp(s) == 0
    place(s, "GE-13Pz", "3411")
    enter(s, U("GE-13Pz"), H("3510"))
    assert vp(s) == 5


@pytest.mark.rule("caucasus", "19.2a", "19.2b", "3.0e")
def test_eighteen_points_win_the_campaign() -> None:
    """After the last turn 19.2 decides: below par or far above it, no victory is sudden any more."""
    assert judged(holding(18, 14)) == Outcome(AXIS, "victory", 18, "19.2a")
    assert judged(holding(25, 14)) == Outcome(AXIS, "victory", 25, "19.2a")
    assert judged(holding(17, 14)) == Outcome(SOVIET, "victory", 17, "19.2b")
    rostov = holding(18, 14)
    rostov.control &= ~(1 << H("1134"))
    assert judged(rostov) == Outcome(SOVIET, "sudden death: Rostov", 18, "19.3d")


@pytest.mark.rule("caucasus", "19.2a", "4.2e")
def test_twenty_points_are_needed_with_the_alpini() -> None:
    for points, winner in ((19, SOVIET), (20, AXIS)):
        s = holding(points, 14)
        s.alpini_came = 1
        found = judged(s)
        assert found is not None
        assert found.winner == winner
    assert judged(holding(19, 14)) == Outcome(AXIS, "victory", 19, "19.2a")


@pytest.mark.rule("caucasus", "19.2a")
def test_eighteen_points_do_not_win_before_the_last_turn() -> None:
    assert judged(holding(18, 13)) is None  # A45; 21 would be par + 7


@pytest.mark.rule("caucasus", "19.2b")
def test_the_soviet_wins_if_the_axis_does_not() -> None:
    s = holding(18, 14)
    s.alpini_came = 1  # 18 points are par, but do not win
    assert judged(s) == Outcome(SOVIET, "victory", 18, "19.2b")


@pytest.mark.rule("caucasus", "19.3a")
def test_par_is_printed_from_turn_6_on() -> None:
    pars = [board.turns[turn]["par"] for turn in range(1, 15)]
    assert pars[:5] == [-1] * 5
    assert pars[5:] == sorted(set(pars[5:]))
    assert pars[10:] == [12, 13, 14, 18]


@pytest.mark.rule("caucasus", "19.3b")
def test_the_axis_wins_at_once_with_par_plus_seven() -> None:
    for turn in (6, 8, 13):
        par = board.turns[turn]["par"]
        assert judged(holding(par + 7, turn)) == Outcome(AXIS, "sudden death", par + 7, "19.3b")
        assert judged(holding(par + 6, turn)) is None
    assert judged(holding(20, 5)) is None  # not before turn 6


@pytest.mark.rule("caucasus", "19.3c")
def test_the_soviet_wins_at_once_if_the_axis_is_below_par() -> None:
    for turn in (6, 8, 13):
        par = board.turns[turn]["par"]
        found = judged(holding(par - 1, turn))
        assert found is not None
        assert (found.winner, found.rule) == (SOVIET, "19.3c")
        assert judged(holding(par, turn)) is None
    assert judged(holding(0, 5)) is None


@pytest.mark.rule("caucasus", "19.3d")
@pytest.mark.parametrize("turn", [2, 8])
def test_the_soviet_wins_at_once_with_rostov(turn: int) -> None:
    s = holding(10, turn)
    place(s, "SU-4RD", "1234")
    enter(s, U("SU-4RD"), H("1134"))
    assert s.ended is None  # not before the Victory Determination Phase
    found = judged(s)
    assert found is not None
    assert (found.winner, found.rule) == (SOVIET, "19.3d")


@pytest.mark.rule("caucasus", "19.3e")
def test_play_continues_if_nobody_wins() -> None:
    s = holding(9, 8)
    events = start(s, STOP, (F_VICTORY,))
    assert s.ended is None
    assert s.stack == [STOP]
    assert kinds(events) == ["victory_check"]
    s = holding(0, 8)
    place(s, "GE-13Pz", "2137")
    enter(s, U("GE-13Pz"), H("2136"))  # sudden death is not looked at while units move
    assert s.ended is None
