"""Actions as words: a stable text notation, a JSON form and a flat number for each action."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from .contract import Action, Illegal

KEPT = 1 << 14  # texts whose actions are kept


@dataclass(frozen=True)
class Kind:
    """What an argument ranges over: the names of its values, by number. "" marks an unused number."""

    name: str
    values: Sequence[str]

    def number(self, text: str) -> int:
        """The number of a value by its name, or an error that names the nearest right ones."""
        lookup: dict[str, int] | None = self.__dict__.get("_lookup")
        if lookup is None:
            lookup = self.__dict__["_lookup"] = {v.lower(): i for i, v in enumerate(self.values) if v}
        found = lookup.get(text.lower())
        if found is None:
            near = get_close_matches(text.lower(), lookup, n=3, cutoff=0.5)
            hint = f"; near it: {', '.join(self.values[lookup[n]] for n in near)}" if near else ""
            raise Illegal("", f"no {self.name} is called {text!r}{hint}")
        return found


def numbers(name: str, count: int) -> Kind:
    """A kind whose values are plain numbers from 0."""
    return Kind(name, tuple(str(i) for i in range(count)))


@dataclass(frozen=True)
class Verb:
    """One verb: its word, and the name and kind of each argument."""

    word: str
    args: tuple[tuple[str, Kind], ...] = ()


class Codec:
    """Translates actions of one game between tuples, text, JSON and flat numbers."""

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self.verbs = tuple(verbs)
        self._by_word = {v.word: i for i, v in enumerate(self.verbs)}
        if len(self._by_word) != len(self.verbs):
            raise ValueError("two verbs share one word")
        self._offset: list[int] = []
        size = 0
        for verb in self.verbs:
            self._offset.append(size)
            span = 1
            for _, kind in verb.args:
                span *= len(kind.values)
            size += span
        self.size = size
        self.parse: Callable[[str], Action] = lru_cache(maxsize=KEPT)(self._parsed)
        """The action that a text stands for. Games say the same again and again: the last ones are kept."""

    def _check(self, action: Action) -> Verb:
        if not action or not 0 <= action[0] < len(self.verbs):
            raise Illegal("", f"{action!r} is not an action of this game")
        verb = self.verbs[action[0]]
        if len(action) != len(verb.args) + 1:
            raise Illegal("", f"'{verb.word}' takes {len(verb.args)} arguments, not {len(action) - 1}")
        for value, (name, kind) in zip(action[1:], verb.args, strict=True):
            if not 0 <= value < len(kind.values) or not kind.values[value]:
                raise Illegal("", f"'{verb.word}': {value} is not a {kind.name} for '{name}'")
        return verb

    def text(self, action: Action) -> str:
        verb = self._check(action)
        words = [k.values[v] for v, (_, k) in zip(action[1:], verb.args, strict=True)]
        return " ".join([verb.word, *words])

    def _verb(self, word: str) -> int:
        number = self._by_word.get(word.lower())
        if number is None:
            near = get_close_matches(word.lower(), self._by_word, n=3, cutoff=0.5)
            hint = f"; near it: {', '.join(near)}" if near else ""
            raise Illegal("", f"no action is called {word!r}{hint}")
        return number

    def _parsed(self, text: str) -> Action:
        words = text.split()
        if not words:
            raise Illegal("", "an action is a verb and its arguments; this is empty")
        number = self._verb(words[0])
        verb = self.verbs[number]
        if len(words) != len(verb.args) + 1:
            usage = " ".join([verb.word, *(f"<{name}>" for name, _ in verb.args)])
            raise Illegal("", f"write '{usage}', not {text!r}")
        return (number, *(k.number(w) for w, (_, k) in zip(words[1:], verb.args, strict=True)))

    def json(self, action: Action) -> dict[str, Any]:
        verb = self._check(action)
        out: dict[str, Any] = {"do": verb.word}
        for value, (name, kind) in zip(action[1:], verb.args, strict=True):
            out[name] = kind.values[value]
        return out

    def from_json(self, data: Mapping[str, Any]) -> Action:
        if not isinstance(data, Mapping) or not isinstance(data.get("do"), str):
            raise Illegal("", "an action is an object with 'do', the verb, and its arguments by name")
        number = self._verb(data["do"])
        verb = self.verbs[number]
        wanted = {name for name, _ in verb.args}
        given = set(data) - {"do"}
        if wanted != given:
            missing, extra = sorted(wanted - given), sorted(given - wanted)
            parts = [f"lacks {', '.join(missing)}"] if missing else []
            parts += [f"does not know {', '.join(extra)}"] if extra else []
            raise Illegal("", f"'{verb.word}' {' and '.join(parts)}")
        return (number, *(k.number(str(data[name])) for name, k in verb.args))

    def flat(self, action: Action) -> int:
        """The action's number among all actions the game could ever offer (for masks and networks)."""
        verb = self._check(action)
        value = 0
        for arg, (_, kind) in zip(action[1:], verb.args, strict=True):
            value = value * len(kind.values) + arg
        return self._offset[action[0]] + value

    def unflat(self, number: int) -> Action:
        if not 0 <= number < self.size:
            raise Illegal("", f"{number} is not between 0 and {self.size - 1}")
        index = max(i for i, start in enumerate(self._offset) if start <= number)
        value = number - self._offset[index]
        args: list[int] = []
        for _, kind in reversed(self.verbs[index].args):
            value, arg = divmod(value, len(kind.values))
            args.append(arg)
        return (index, *reversed(args))
