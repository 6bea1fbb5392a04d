"""Choices without a list (see `engine.contract.Choices`): whoever takes any action, or one that he knows, needs none.

Either they are rows of a verb with each unit or hex of a mask, only a number until somebody asks for the list; or
one is drawn from more than there are, and another if it proves impossible, until one is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.engine.contract import Action, Choices
from sandtable.engine.frames import A, Frame
from sandtable.mechanics.offers import nth

from .board import Tails, listed
from .state import State

NO_TAIL: Tails = ((),)

Row = tuple[int, int, Tails]
"""A verb, a mask of units or hexes that follow it, and what follows these."""


class Rows(Choices):
    """Rows of actions, sorted by their verbs, and single actions after them. They know nothing of the table."""

    __slots__ = ("_last", "_rows")

    def __init__(self, rows: Sequence[Row], last: Sequence[Action] = ()) -> None:
        self._rows = rows
        self._last = last

    def listed(self) -> list[Action]:
        out: list[Action] = []
        for verb, mask, tails in self._rows:
            out += listed(verb, mask, tails)
        out += self._last
        return out

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, tuple):
            return False
        if action in self._last:
            return True
        if len(action) > 1:
            verb, which = action[:2]
            for each, mask, tails in self._rows:
                if each == verb:
                    return which >= 0 and bool(mask >> which & 1) and action[2:] in tails
        return False

    def pick(self, random: Callable[[], float]) -> Action:
        rows = self._rows
        count = len(self._last)
        for _, mask, tails in rows:
            count += mask.bit_count() * len(tails)
        n = int(random() * count)
        for verb, mask, tails in rows:
            ends = len(tails)
            count = mask.bit_count() * ends
            if n < count:
                if ends == 1:
                    return (verb, nth(mask, n), *tails[0])
                return (verb, nth(mask, n // ends), *tails[n % ends])
            n -= count
        return self._last[n]


class Drawer(Frame[State, A]):
    """A step in which it is quicker to find out about some actions than to list them all."""

    def offer(self, s: State, f: A) -> list[Action] | Choices:
        return Drawn(self, s, f)

    def draw(self, s: State, f: A, random: Callable[[], float]) -> Action:
        """Any legal action, each with the same chance.

        One is drawn from a set that holds all of them and more; one that proves impossible is left aside and
        another drawn, so that those that are possible stay equal.
        """
        raise NotImplementedError(type(self).__name__)


class Drawn(Choices):
    """What a player may do on this table, found out for one action after the other."""

    __slots__ = ("_f", "_frame", "_known", "_s")

    def __init__(self, frame: Drawer[Any], s: State, f: tuple[Any, ...]) -> None:
        self._frame = frame
        self._s = s
        self._f = f
        self._known: Action | None = None  # one that is legal

    def listed(self) -> list[Action]:
        return self._frame.legal(self._s, self._f)

    def __contains__(self, action: object) -> bool:
        return action is self._known or action in self.listed()

    def pick(self, random: Callable[[], float]) -> Action:
        self._known = action = self._frame.draw(self._s, self._f, random)
        return action
