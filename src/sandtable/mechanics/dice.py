"""Dice of any number of sides, read as their sum, one by one without order, or as hits."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from sandtable.engine.contract import CHANCE, Action, Die, Roll
from sandtable.engine.frames import A, Frame, S


class Dice(Frame[S, A]):
    """A decision of dice whose outcomes are the same every time. `take` gets the verb and what was read."""

    def __init__(self, verb: int, count: int = 1, sides: int = 6) -> None:
        self.verb = int(verb)
        self.count = count
        self.sides = sides
        found = Counter(self.read(faces) for faces in product(range(1, sides + 1), repeat=count))
        every = sides**count
        self.outcomes: list[tuple[Action, Fraction]] = [
            ((self.verb, *read), Fraction(n, every)) for read, n in sorted(found.items())
        ]
        self._actions = [action for action, _ in self.outcomes]

    def read(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What the faces say: their sum."""
        return (sum(faces),)

    def actor(self, s: S, f: A) -> int | None:
        return CHANCE

    def legal(self, s: S, f: A) -> list[Action]:
        return self._actions[:]

    def chances(self, s: S, f: A) -> list[tuple[Action, Fraction]]:
        return list(self.outcomes)

    def roll(self, s: S, f: A, die: Die) -> Roll:
        faces = tuple(die(self.sides) for _ in range(self.count))
        return Roll((self.verb, *self.read(faces)), faces)


class OneDie(Dice[S, A]):
    """One die. `take` gets (verb, face)."""


class TwoDice(Dice[S, A]):
    """Two dice added up. `take` gets (verb, total)."""

    def __init__(self, verb: int, count: int = 2, sides: int = 6) -> None:
        super().__init__(verb, count, sides)


class DicePair(TwoDice[S, A]):
    """Two dice read singly, in no order. `take` gets (verb, smaller, greater)."""

    def read(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(faces))


class ColoredDice(TwoDice[S, A]):
    """Two dice of different colours, read in their order. `take` gets (verb, first, second)."""

    def read(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        return faces
