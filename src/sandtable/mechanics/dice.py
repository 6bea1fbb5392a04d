"""Rolls of two six-sided dice: added up, or read singly. (One die: mechanics/odds.py.)"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from sandtable.engine.contract import CHANCE, Action, Die, Roll, State
from sandtable.engine.frames import F, Frame

S = TypeVar("S", bound=State)

_36TH = Fraction(1, 36)


class _Dice(Frame[S]):
    """A decision of dice whose outcomes are the same every time."""

    outcomes: list[tuple[Action, Fraction]]

    def actor(self, s: S, f: F) -> int | None:
        return CHANCE

    def legal(self, s: S, f: F) -> list[Action]:
        return [action for action, _ in self.outcomes]

    def chances(self, s: S, f: F) -> list[tuple[Action, Fraction]]:
        return list(self.outcomes)


class TwoDice(_Dice[S]):
    """Two dice added up. `take` gets (verb, total)."""

    def __init__(self, verb: int) -> None:
        self.verb = verb
        self.outcomes = [((verb, total), _36TH * (6 - abs(7 - total))) for total in range(2, 13)]

    def roll(self, s: S, f: F, die: Die) -> Roll:
        faces = die(6), die(6)
        return Roll((self.verb, sum(faces)), faces)


class DicePair(_Dice[S]):
    """Two dice read singly, in no order. `take` gets (verb, smaller, greater)."""

    def __init__(self, verb: int) -> None:
        self.verb = verb
        self.outcomes = [((verb, a, b), _36TH * (1 + (a < b))) for a in range(1, 7) for b in range(a, 7)]

    def roll(self, s: S, f: F, die: Die) -> Roll:
        faces = die(6), die(6)
        return Roll((self.verb, min(faces), max(faces)), faces)
