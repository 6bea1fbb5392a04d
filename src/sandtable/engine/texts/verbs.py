"""The verbs of a game, each declared once: word, label, arguments and the part it plays at the table.

Numbers go by the order of declaration: saves hold words, but trained networks know the numbers, so new verbs come last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sandtable.engine.actions import Codec, Kind
from sandtable.engine.actions import Verb as Word
from sandtable.engine.contract import Action
from sandtable.engine.texts.text import Fact, Text


class Verb(int):
    """A verb: its number, so that an action is ``(MOVE, unit, hex)``, with all that is known of it."""

    word: str
    label: str | Mapping[int, str]
    args: tuple[tuple[str, str], ...]
    roles: tuple[str, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return int, (int(self),)

    def __repr__(self) -> str:
        return f"<{self.word}>"


class Vocabulary:
    """All verbs of one game, in order.

    `verb = Vocabulary()` stands on top of a game's `table/verbs.py`, and
    ``MOVE = verb("move", "Move {unit}", unit="unit")`` declares one. Arguments are given by name, each with the kind of
    things that it ranges over. Where one argument decides how the sentence runs, the label is a table of sentences by
    the number of the last argument.
    """

    def __init__(self) -> None:
        self.verbs: list[Verb] = []

    def __call__(self, word: str, label: str | Mapping[int, str] = "", *, role: str = "", **args: str) -> Verb:
        """Declare a verb. `role` names what a client does with it, of `ROLES`, with blanks between."""
        roles = tuple(role.split())
        if not set(roles) <= set(ROLES):
            raise ValueError(f"'{word}' plays {role!r}; the parts are {', '.join(ROLES)}")
        verb = Verb(len(self.verbs))
        verb.word, verb.label, verb.args, verb.roles = word, label, tuple(args.items()), roles
        self.verbs.append(verb)
        return verb

    def __iter__(self) -> Iterator[Verb]:
        return iter(self.verbs)

    def __len__(self) -> int:
        return len(self.verbs)

    def codec(self, kinds: Mapping[str, Kind]) -> Codec:
        """The notation of actions, with the names of each kind of thing."""
        return Codec([Word(v.word, tuple((name, kinds[kind]) for name, kind in v.args)) for v in self.verbs])

    def label(self, action: Action) -> Text:
        """An action as a player would say it, with bare numbers for names."""
        verb = self.verbs[action[0]]
        label = verb.label if isinstance(verb.label, str) else verb.label[action[-1]]
        facts: dict[str, Fact] = {name: value for (name, _), value in zip(verb.args, action[1:], strict=True)}
        return Text.of(label or verb.word, facts)

    def roles(self) -> dict[str, list[str]]:
        """The words of the verbs that play a part, by part, in order."""
        found: dict[str, list[str]] = {}
        for verb in self.verbs:
            for role in verb.roles:
                found.setdefault(role, []).append(verb.word)
        return found


ROLES: Mapping[str, str] = {
    "aside": "waits behind a button until it is asked for",
    "listed": "its choices are written out although they can be pointed at",
    "gathers": "gathers units, of which one may want all",
    "musters": "begins a fight and leads to the question who takes part",
    "onward": "ends a part of the turn: the main button while nothing else is chosen",
    "weighs": "its chances are shown as soon as it can be done, while it is still being put together",
    "ends": "is done with what it names: the next decision is not about it",
    "chance": "is done by dice or a draw, by no player",
}
"""The parts that a verb can play in a client."""
