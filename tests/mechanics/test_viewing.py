"""Who decides and how it ended, as a view says it: a state that is set up from the view has the same."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.engine.contract import CHANCE, Outcome
from sandtable.mechanics.shown.viewing import actor_of, actor_shown, outcome_of, outcome_shown

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
