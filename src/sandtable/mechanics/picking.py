"""Decisions that settle themselves where there is nothing to decide, or nothing that would be of use."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from sandtable.engine.contract import State
from sandtable.engine.frames import A, Frame

from .phases import Forced

S = TypeVar("S", bound=State)
B = TypeVar("B", bound=tuple[Any, ...])
N = TypeVar("N")


class Phased(State, Protocol):
    """A state that knows whose phase it is."""

    active: int


P = TypeVar("P", bound=Phased)


class Choose(Frame[P, A], Generic[P, A]):
    """One of the legal actions, chosen by the side whose phase it is. Takes the only one by itself."""

    def actor(self, s: P, f: A) -> int | None:
        choices = self.legal(s, f)
        if len(choices) == 1:
            return None
        s.choices = choices
        return s.active

    def run(self, s: P, f: A) -> None:
        self.take(s, f, self.legal(s, f)[0])


class Offered(Forced[S, B, N]):
    """A phase whose last action is to do without the others: taken by itself if there are none, or none of use."""

    def of_use(self, s: S, f: B) -> bool:
        """Whether anything hangs on it."""
        return True

    def actor(self, s: S, f: B) -> int | None:
        who = super().actor(s, f)
        return who if who is not None and self.of_use(s, f) else None

    def run(self, s: S, f: B) -> None:
        last = s.choices[-1] if isinstance(s.choices, list) else self.legal(s, f)[-1]
        s.choices = None
        self.take(s, f, last)
