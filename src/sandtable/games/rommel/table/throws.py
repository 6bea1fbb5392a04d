"""Throws of several dice that count hits (9.4, 10.5f), with their exact chances.

A die that hits on n faces hits on the n highest: single fire on 6, double on 5 and 6, triple on 4 to 6.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from sandtable.engine.contract import CHANCE, Action, Die, Roll
from sandtable.engine.frames import A, Frame
from sandtable.engine.texts.text import Said, Text

from . import verbs
from .state import State


@cache
def hit_chances(dice: int, faces: int) -> tuple[tuple[Action, Fraction], ...]:
    """The chance of each number of hits of `dice` dice that each hit on `faces` of six faces."""
    p = Fraction(faces, 6)
    chances = ((n, comb(dice, n) * p**n * (1 - p) ** (dice - n)) for n in range(dice + 1))
    return tuple(((verbs.HITS, n), chance) for n, chance in chances if chance)


@cache
def _outcomes(dice: int, faces: int) -> tuple[Action, ...]:
    return tuple(action for action, _ in hit_chances(dice, faces))


def in_words(dice: int, faces: int) -> tuple[tuple[Said, Fraction], ...]:
    """The chances as a player reads them."""
    return tuple((Text.many(a[1], "{n} hit", "{n} hits"), p) for a, p in hit_chances(dice, faces))


def so_many_dice(n: int) -> Text:
    """The number of dice as a player says it."""
    return Text.many(n, "{n} die", "{n} dice")


class Throw(Frame[State, A]):
    """A throw of dice that counts hits; its kinds say how many dice and how many faces hit."""

    def throw(self, s: State, f: A) -> tuple[int, int]:
        """The number of dice, and of the faces that hit."""
        raise NotImplementedError

    def actor(self, s: State, f: A) -> int | None:
        return CHANCE

    def legal(self, s: State, f: A) -> list[Action]:
        return list(_outcomes(*self.throw(s, f)))

    def chances(self, s: State, f: A) -> list[tuple[Action, Fraction]]:
        return list(hit_chances(*self.throw(s, f)))

    def roll(self, s: State, f: A, die: Die) -> Roll:
        dice, faces = self.throw(s, f)
        fell = tuple(die(6) for _ in range(dice))
        return Roll((verbs.HITS, sum(1 for face in fell if face > 6 - faces)), fell)
