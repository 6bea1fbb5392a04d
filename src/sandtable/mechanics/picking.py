"""Decisions that settle themselves where there is nothing to decide, or nothing that would be of use; and draws of any
one action without a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from sandtable.engine.contract import Action, Choices, State

from .phases import Draws, Forced, Phase

S = TypeVar("S", bound=State)
B = TypeVar("B", bound=tuple[Any, ...])
N = TypeVar("N")


class Phased(State, Protocol):
    """A state that knows whose phase it is."""

    active: int


P = TypeVar("P", bound=Phased)


class Choose(Phase[P, B, N], Generic[P, B, N]):
    """One of the legal actions, chosen by the side whose phase it is. Takes the only one by itself."""

    def actor(self, s: P, f: B) -> int | None:
        return s.active if self.several(s, f) else None

    def run(self, s: P, f: B) -> None:
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


class Unlisted(Choices):
    """All that can be done in a phase, without a list. What no set holds is drawn from, doubts are asked about what was
    drawn; if it cannot be done, the draw is made again, so that all that can be done has the same chance."""

    __slots__ = ("_draws", "_f", "_phase", "_picked", "_s", "_total")

    def __init__(self, phase: Phase[Any, Any, Any], s: State, f: tuple[Any, ...]) -> None:
        self._phase, self._s, self._f = phase, s, f
        self._draws: list[Draws] = []
        self._total = 0
        self._picked: Action | None = None

    def listed(self) -> list[Action]:
        return self._phase.legal(self._s, self._f)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, tuple) or action is self._picked:
            return action is not None and action is self._picked
        phase, s, f = self._phase, self._s, self._f
        deed = phase._by_verb.get(action[0]) if action else None
        return deed is not None and deed.can(s, f, phase.now(s, f), action)

    def most(self) -> int:
        """How many there are at most."""
        if not self._draws:
            phase, s, f = self._phase, self._s, self._f
            now = phase.now(s, f)
            self._draws = [draws for deed in phase._deeds if (draws := deed.draws(s, f, now))[0]]
            self._total = sum(size for size, _ in self._draws)
        return self._total

    def pick(self, random: Callable[[], float]) -> Action:
        total = self.most()
        while True:
            n = int(random() * total)
            for size, drawn in self._draws:
                if n < size:
                    found = drawn(n)
                    break
                n -= size
            if found is not None:
                self._picked = found
                return found
