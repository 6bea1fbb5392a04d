"""Who decides and how it ended, as a view says it: a state that is set up from the view has the same."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.engine.contract import CHANCE, Outcome
from sandtable.mechanics.masks import by_hex
from sandtable.mechanics.shown.viewing import (
    actor_of,
    actor_shown,
    counter_of,
    counter_shown,
    outcome_of,
    outcome_shown,
)

SIDES = ("axis", "allied")


def table(actor: int, ended: Outcome | None = None) -> Any:
    return SimpleNamespace(actor=actor, ended=ended)


@pytest.mark.parametrize(("actor", "shown"), [(0, "axis"), (1, "allied"), (CHANCE, "chance")])
def test_a_view_says_who_decides(actor: int, shown: str) -> None:
    assert actor_shown(table(actor), SIDES) == shown
    assert actor_of(shown, SIDES) == actor


def test_nobody_decides_when_the_game_is_over() -> None:
    assert actor_shown(table(1, Outcome(0, "victory")), SIDES) is None
    assert actor_of(None, SIDES) == CHANCE


@pytest.mark.parametrize(
    ("outcome", "winner"), [(Outcome(1, "decisive", 7, "26.1"), "allied"), (Outcome(None, "draw", 0, "26.2"), None)]
)
def test_a_view_says_how_it_ended(outcome: Outcome, winner: str | None) -> None:
    shown = outcome_shown(table(0, outcome), SIDES)
    assert shown == {"winner": winner, "level": outcome.level, "points": outcome.points, "rule": outcome.rule}
    assert outcome_of(shown, SIDES) == outcome


def test_a_game_that_goes_on_has_no_outcome() -> None:
    assert outcome_shown(table(0), SIDES) is None
    assert outcome_of(None, SIDES) is None


def test_a_counter_is_set_up_as_it_is_shown() -> None:
    board = SimpleNamespace(
        units=("a", "b"), unit_index={"a": 0, "b": 1}, side=(0, 1), grid=SimpleNamespace(names=["0101", "0102"])
    )

    def counters() -> Any:
        return SimpleNamespace(board=board, at=[1, -3], step=bytearray((0, 1)), due=[0, 4], tired=0b10)

    s, t = counters(), counters()
    t.step, t.due, t.tired = bytearray(2), [0, 0], 0
    marks, shows, boxes = [("tired", s.tired)], ("full", "reduced"), {-3: "cup"}
    shown = [counter_shown(s, u, marks, SIDES, shows, boxes) for u in (0, 1)]
    put = [counter_of(t, one, shows, {"0101": 0, "0102": 1}, {"cup": -3}) for one in shown]
    assert put == [(0, 1), (1, -3)]
    assert (t.step, t.due, t.tired) == (s.step, s.due, s.tired)


def test_units_are_told_by_their_hexes() -> None:
    assert by_hex([5, -1, 7, 5]) == {5: 0b1001, 7: 0b100}
