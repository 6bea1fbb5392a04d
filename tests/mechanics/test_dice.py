"""Rolls of two dice: the chances are those of the 36 ways in which they can fall."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.mechanics.dice import DicePair, TwoDice

S: Any = None


@pytest.mark.parametrize("dice", [TwoDice[Any](7), DicePair[Any](7)])
def test_chances_are_how_often_a_roll_falls(dice: TwoDice[Any] | DicePair[Any]) -> None:
    fallen: Counter[tuple[int, ...]] = Counter()
    for a in range(1, 7):
        for b in range(1, 7):
            faces = [b, a]
            roll = dice.roll(S, (0,), lambda n, faces=faces: faces.pop())  # type: ignore[misc]
            assert roll.faces == (a, b)
            fallen[roll.action] += 1
    assert dict(dice.chances(S, (0,))) == {action: Fraction(n, 36) for action, n in fallen.items()}
    assert dice.legal(S, (0,)) == sorted(fallen)
    assert dice.actor(S, (0,)) == CHANCE


def test_two_dice_are_added_up_and_a_pair_is_read_singly() -> None:
    faces = iter((5, 2, 5, 2))
    assert TwoDice[Any](7).roll(S, (0,), lambda n: next(faces)).action == (7, 7)
    assert DicePair[Any](7).roll(S, (0,), lambda n: next(faces)).action == (7, 2, 5)
