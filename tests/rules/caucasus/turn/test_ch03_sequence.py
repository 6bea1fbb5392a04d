"""Chapter 3: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.engine.contract import Outcome
from sandtable.engine.frames import F, Frame
from sandtable.games.caucasus.table.ids import (
    AXIS,
    F_COMBAT,
    F_INITIAL,
    F_MOVES,
    F_SUPPLY,
    F_TURN,
    PHASES,
    SIDES,
    SOVIET,
)
from sandtable.games.caucasus.table.state import State, vp

from ..kit import GAME, board, empty, of_kind, start

FAIR = [
    "axis_initial",
    "axis_first_movement",
    "axis_first_combat",
    "soviet_second_movement",
    "soviet_second_combat",
    "axis_second_movement",
    "axis_second_combat",
    "axis_supply",
    "soviet_initial",
    "soviet_first_movement",
    "soviet_first_combat",
    "soviet_supply",
]
BAD = [name for name in FAIR if "_second_" not in name]


class Passed(Frame[State]):
    """A phase in which nobody does anything; it is noted with what holds at its beginning."""

    def __init__(self, seen: list[tuple[int, str]], look: Callable[[State, F], None]) -> None:
        self.seen = seen
        self.look = look

    def run(self, s: State, f: F) -> None:
        s.stack.pop()
        self.seen.append((s.turn, PHASES[s.phase]))
        self.look(s, f)


def played(
    monkeypatch: pytest.MonkeyPatch, look: Callable[[State, F], None] = lambda s, f: None
) -> tuple[State, list[tuple[int, str]]]:
    """A whole campaign in which every phase is passed; the Axis stays a little above par."""
    seen: list[tuple[int, str]] = []

    def at_par(s: State, f: F) -> None:
        if f[0] == F_INITIAL and f[1] == AXIS:
            s.bad = int(s.turn in (7, 11))
            for h, value in sorted(board.vp.items()):
                if vp(s) + value <= board.turns[s.turn]["par"] + 3:
                    s.control |= 1 << h
        look(s, f)

    frames = list(GAME.frames)
    for number in (F_INITIAL, F_MOVES, F_COMBAT, F_SUPPLY):
        frames[number] = Passed(seen, at_par)
    monkeypatch.setattr(GAME, "frames", frames)
    s = empty("axis", 0)
    start(s, (F_TURN, 0))
    return s, seen


@pytest.mark.rule("caucasus", "3.0a", "3.0b")
def test_a_turn_is_an_axis_turn_a_soviet_turn_and_a_victory_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    s, seen = played(monkeypatch)
    assert [phase for turn, phase in seen if turn == 1] == FAIR
    told = [e.data["phase"] for e in of_kind(s.events, "phase")]
    assert told[: len(FAIR) + 1] == [*FAIR, "victory"]


@pytest.mark.rule("caucasus", "3.0b")
def test_the_four_impulses_and_whose_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    impulses: list[tuple[str, int]] = []

    def look(s: State, f: F) -> None:
        if f[0] in (F_MOVES, F_COMBAT) and s.turn == 1:
            assert f[1] == s.second
            impulses.append((SIDES[s.active], s.second))

    played(monkeypatch, look)
    assert impulses[::2] == impulses[1::2] == [("axis", 0), ("soviet", 1), ("axis", 1), ("soviet", 0)]


@pytest.mark.rule("caucasus", "3.0c", "4.8c")
def test_in_bad_weather_there_are_no_second_impulses(monkeypatch: pytest.MonkeyPatch) -> None:
    _, seen = played(monkeypatch)
    for turn in range(1, 15):
        assert [phase for t, phase in seen if t == turn] == (BAD if turn in (7, 11) else FAIR)


@pytest.mark.rule("caucasus", "3.0d", "16.11c")
def test_the_air_markers_of_both_sides_are_ready_at_the_start_of_every_impulse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[int] = []

    def look(s: State, f: F) -> None:
        if f[0] == F_MOVES:
            found.append(s.air_used)
        if f[0] == F_COMBAT:
            found.append(-s.air_used)
        s.air_used = 0b1111 if f[0] == F_MOVES else s.air_used

    played(monkeypatch, look)
    assert set(found[::2]) == {0}  # at the start of a movement phase
    assert set(found[1::2]) == {-0b1111}  # and not at the start of the combat phase after it


@pytest.mark.rule("caucasus", "3.0e", "20.3c")
def test_the_turn_marker_advances_until_the_last_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    s, seen = played(monkeypatch)
    assert [e.data["turn"] for e in of_kind(s.events, "turn")] == list(range(1, 15))
    assert s.ended == Outcome(AXIS, "victory", vp(s), "19.2a")
    assert seen[-1] == (14, "soviet_supply")


@pytest.mark.rule("caucasus", "3.0e", "19.3e")
def test_sudden_death_ends_the_game_in_the_victory_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(s: State, f: F) -> None:
        if f[0] == F_INITIAL and f[1] == AXIS and s.turn == 8:
            s.control &= ~(1 << board.rostov)

    s, seen = played(monkeypatch, lose)
    assert seen[-1] == (8, "soviet_supply")  # the turn is played to its end
    assert s.ended is not None
    assert (s.ended.winner, s.ended.rule) == (SOVIET, "19.3d")
    assert s.phase == PHASES.index("victory")
