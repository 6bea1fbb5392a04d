"""Texts as templates with facts: thought once in English, said in other languages by the same template.

A text without facts is a plain string; a text with facts is a `Text`. Both stand in a catalogue under their English
(`catalogue.py`). Facts are numbers while a rule speaks; `words.Words` names them when somebody asks, so that lists of
actions build no sentences. Nobody reads a rendered sentence again to find out what it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

Fact = Union[int, float, str, "Text", Sequence[Any], None]
"""What fills a hole of a template: a number (or its name), a text of its own, or several of them in a row."""

Speech = Callable[[str], str | None]
"""The same template in another language, if it is known there."""

HOLE = re.compile(r"\{(\w+)\}")


@dataclass(init=False, eq=False, repr=False, slots=True)
class Text:
    """A template and what fills its holes: ``Text("{unit} may not move", unit=u)``. Never changed.

    It goes over the wire as it is, facts named; a client renders it in its language.
    """

    template: str
    facts: Mapping[str, Any]

    def __init__(self, template: str, /, **facts: Fact) -> None:
        self.template = template
        self.facts = facts

    @staticmethod
    def of(template: str, facts: Mapping[str, Fact]) -> Text:
        """The same from a mapping: for facts whose names are words of Python, such as `from`."""
        text = Text(template)
        text.facts = facts
        return text

    @staticmethod
    def many(n: int, one: str, many: str, **facts: Fact) -> Text:
        """One sentence for one, another for several; both know the number as {n}."""
        return Text(one if n == 1 else many, n=n, **facts)

    def __str__(self) -> str:
        return say(self)

    def __repr__(self) -> str:
        inner = "".join(f", {key}={value!r}" for key, value in self.facts.items())
        return f"Text({self.template!r}{inner})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Text):
            return self.template == other.template and dict(self.facts) == dict(other.facts)
        return str(self) == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __contains__(self, part: str) -> bool:
        return part in str(self)


Said = str | Text
"""What is said to a player: plain words, or a template with facts."""


def term(text: str) -> str:
    """Marks words that stand in a table and are said to players: the catalogues know them too."""
    return text


ENGLISH_LIST = ", "


def say(said: Said, speech: Speech | None = None, between: str = ENGLISH_LIST) -> str:
    """A text in words, in another language where `speech` knows its template; `between` stands between listed facts."""
    template = said if isinstance(said, str) else said.template
    spoken = (speech(template) if speech is not None else None) or template
    if isinstance(said, str):
        return spoken
    facts = said.facts
    return HOLE.sub(lambda hole: _fact(facts[hole[1]], speech, between) if hole[1] in facts else hole[0], spoken)


def _fact(value: Fact, speech: Speech | None, between: str) -> str:
    if isinstance(value, str | Text):
        return say(value, speech, between)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return between.join(_fact(one, speech, between) for one in value)
    return "" if value is None else str(value)


def holes(template: str) -> list[str]:
    """The names of the facts that a template asks for, in order of the alphabet, each as often as it stands there."""
    return sorted(HOLE.findall(template))


def unwire(data: Any) -> Said:
    """A text as it has come over the wire."""
    if isinstance(data, str):
        return data
    return Text.of(data["template"], {key: _unwired(value) for key, value in data["facts"].items()})


def _unwired(value: Any) -> Fact:
    if isinstance(value, dict):
        return unwire(value)
    if isinstance(value, list):
        return tuple(_unwired(one) for one in value)
    fact: Fact = value
    return fact
