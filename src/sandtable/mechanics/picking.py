"""Decisions that settle themselves where there is nothing to decide: of one action, of one unit of a set."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from sandtable.engine.contract import Action, State
from sandtable.engine.frames import A, Frame

from .masks import units_of
from .phases import Forced

S = TypeVar("S", bound=State)
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


class PickUnit(Frame[S, A], Generic[S, A]):
    """One unit out of `candidates`, picked by the side that `picker` names. Settles itself if there is one at most."""

    def __init__(self, verb: int) -> None:
        self.verb = verb

    def picker(self, s: S, f: A) -> int:
        """The side that picks: the first fact of the frame, if it is nothing else."""
        side: int = f[1]
        return side

    def candidates(self, s: S, f: A) -> int:
        """The units that may be picked, as a set."""
        raise NotImplementedError(type(self).__name__)

    def picked(self, s: S, f: A, u: int) -> None:
        """What becomes of the one; the frame is off the stack."""
        raise NotImplementedError(type(self).__name__)

    def actor(self, s: S, f: A) -> int | None:
        units = self.candidates(s, f)
        return self.picker(s, f) if units & (units - 1) else None

    def run(self, s: S, f: A) -> None:
        s.stack.pop()
        units = self.candidates(s, f)
        if units:
            self.picked(s, f, units.bit_length() - 1)

    def legal(self, s: S, f: A) -> list[Action]:
        return [(self.verb, u) for u in units_of(self.candidates(s, f))]

    def take(self, s: S, f: A, action: Action) -> None:
        s.stack.pop()
        self.picked(s, f, action[1])


class Offered(Forced[S, A, N]):
    """A phase whose last action is to do without the others: taken by itself if there are none, or none of use."""

    def of_use(self, s: S, f: A) -> bool:
        """Whether anything hangs on it."""
        return True

    def actor(self, s: S, f: A) -> int | None:
        who = super().actor(s, f)
        return who if who is not None and self.of_use(s, f) else None

    def run(self, s: S, f: A) -> None:
        last = s.choices[-1] if isinstance(s.choices, list) else self.legal(s, f)[-1]
        s.choices = None
        self.take(s, f, last)
