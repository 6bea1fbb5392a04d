"""Phases as lists of what is done in them.

A phase lists its deeds: a verb, who or what it can be done with, the bars that hold them, and what it does. The legal
list, the choice of any one, the reason why not, odds, hints and what is done all come from that list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from sandtable.engine.actions import Codec
from sandtable.engine.contract import Action, Odds, Reason, State
from sandtable.engine.frames import Frame
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Fact, Text

from .deeds import A, Deed, Each, Elsewhere, Linked, Listed, N, Once, Only, Pairs, Routes, S, Ways


class Phase(Frame[S, A], Generic[S, A, N]):
    """A step of the sequence in which a side does what `does` lists. The order of the list is that of the verbs."""

    does: ClassVar[Sequence[Deed[Any, Any, Any]]] = ()
    _deeds: Sequence[Deed[S, A, N]] = ()
    _by_verb: dict[int, Deed[S, A, N]]
    _lists: Sequence[Callable[[S, A, N], list[Action]]] = ()
    _counts: Sequence[Callable[[S, A, N], int]] = ()  # the easy ones first
    _elsewhere: dict[int, Elsewhere[S, A, N]]

    def now(self, s: S, f: A) -> N:
        """What a list needs to know once: the facts of the frame, if it is nothing else."""
        return cast(N, f)

    def run(self, s: S, f: A) -> None:
        """Nobody has anything to decide here: the step is over."""
        s.stack.pop()

    def facts(self, s: S, f: A) -> Mapping[str, Fact]:
        """What the texts for verbs of another moment speak of."""
        return {}

    def bind(self, codec: Codec) -> None:
        deeds = [deed for deed in self.does if not isinstance(deed, Elsewhere)]
        self._deeds = sorted(deeds, key=lambda deed: int(deed.verb))
        self._by_verb = {int(deed.verb): deed for deed in deeds}
        for deed in deeds:
            deed.bind(codec)
        self._lists = [deed.lister() for deed in self._deeds]
        self._counts = [deed.many for deed in sorted(self._deeds, key=lambda deed: not isinstance(deed, Once))]
        if len(self._by_verb) != len(deeds):
            raise ValueError(f"{type(self).__name__} does one verb in two ways")
        self._elsewhere = {
            number: row
            for row in self.does
            if isinstance(row, Elsewhere)
            for number in (map(int, row.verbs) if row.verbs else range(len(codec.verbs)))
        }

    def legal(self, s: S, f: A) -> list[Action]:
        now = self.now(s, f)
        found: list[Action] = []
        for listed in self._lists:
            found += listed(s, f, now)
        return found

    def several(self, s: S, f: A) -> bool:
        """Whether there is more than one thing to do: for somebody who has not asked for the list."""
        now, found = self.now(s, f), 0
        for many in self._counts:
            found += many(s, f, now)
            if found > 1:
                return True
        return False

    def allows(self, s: S, f: A, action: Action) -> bool:
        """Only what is done by its verb is asked; where a phase makes its list otherwise, the list."""
        if type(self).legal is not Phase.legal:
            return super().allows(s, f, action)
        for part in action:
            if not isinstance(part, int):
                return super().allows(s, f, action)
        deed = self._by_verb.get(action[0]) if action else None
        return deed is not None and deed.can(s, f, self.now(s, f), action)

    def take(self, s: S, f: A, action: Action) -> None:
        self._by_verb[action[0]].do(s, f, action)

    def why_not(self, s: S, f: A, action: Action) -> Reason | None:
        deed = self._by_verb.get(action[0])
        if deed is not None:
            return deed.why(s, f, self.now(s, f), action)
        row = self._elsewhere.get(action[0])
        return None if row is None else Reason(row.rule, Text.of(row.text, self.facts(s, f)))

    def odds(self, s: S, f: A, action: Action) -> Odds | None:
        deed = self._by_verb.get(action[0])
        return deed.odds(s, f, action) if deed is not None and deed.odds is not None else None

    def hint(self, s: S, f: A, action: Action) -> Hint | None:
        deed = self._by_verb.get(action[0])
        return deed.hint(s, f, action) if deed is not None and deed.hint is not None else None

    def disagreements(self, s: S, f: A) -> list[str]:
        now = self.now(s, f)
        found = []
        for deed in self._deeds:
            listed = set(deed.actions(s, f, now))
            if deed.many(s, f, now) != len(listed):
                found.append(f"{type(self).__name__}: {deed.verb!r} is done in {deed.many(s, f, now)} ways")
            can = listed.__contains__ if type(deed).can is Deed.can else partial(deed.can, s, f, now)
            for action in {*deed.asked(s, f, now), *listed}:
                reason = deed.why(s, f, now, action)
                if (reason is None) != (action in listed) or can(action) != (action in listed):
                    found.append(f"{type(self).__name__}: {deed.verb!r} {action} listed: {action in listed}, {reason}")
        return found


class Forced(Phase[S, A, N]):
    """A phase that takes its only action by itself; `chooser` decides where there are more."""

    def chooser(self, s: S, f: A) -> int:
        """Whose choice it is: the side's that the frame names, or that of the side whose phase it is."""
        side: int = getattr(f, "side", -1)
        return side if side >= 0 else s.active  # type: ignore[attr-defined]

    def actor(self, s: S, f: A) -> int | None:
        choices = s.choices = self.legal(s, f)
        return self.chooser(s, f) if len(choices) > 1 else None

    def run(self, s: S, f: A) -> None:
        choices = self.legal(s, f) if s.choices is None else s.choices  # as `actor` has found them
        s.choices = None
        if choices:
            self.take(s, f, choices[0])
        else:
            self.nothing(s, f)

    def nothing(self, s: S, f: A) -> None:
        """There is nothing that can be done; must change the stack."""
        s.stack.pop()


# Decisions that settle themselves where there is nothing to decide, or nothing that would be of use


class Phased(State, Protocol):
    """A state that knows whose phase it is."""

    active: int


P = TypeVar("P", bound=Phased)


class Choose(Phase[P, A, N], Generic[P, A, N]):
    """One of the legal actions, chosen by the side whose phase it is. Takes the only one by itself."""

    def actor(self, s: P, f: A) -> int | None:
        return s.active if self.several(s, f) else None

    def run(self, s: P, f: A) -> None:
        self.take(s, f, self.legal(s, f)[0])


class Offered(Forced[S, A, N]):
    """A phase whose last action is to do without the others: taken by itself if there are none, or none of use."""

    def of_use(self, s: S, f: A) -> bool:
        """Whether anything hangs on it."""
        return True

    def actor(self, s: S, f: A) -> int | None:
        who = super().actor(s, f)
        return who if who is not None and self.of_use(s, f) else None

    def run(self, s: S, f: A) -> None:
        last = (self.legal(s, f) if s.choices is None else s.choices)[-1]
        s.choices = None
        self.take(s, f, last)


__all__ = [
    "Choose",
    "Deed",
    "Each",
    "Elsewhere",
    "Forced",
    "Linked",
    "Listed",
    "Offered",
    "Once",
    "Only",
    "Pairs",
    "Phase",
    "Routes",
    "Ways",
]
