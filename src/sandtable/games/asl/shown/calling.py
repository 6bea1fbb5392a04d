"""What counters are called: by what they are, or were when something was told of them.

A squad that is reduced is a half-squad from then on, and a counter out of the box is a half-squad or a vehicle's crew.
Events say beside the units of which type they were (`table.telling`); everything else is named by the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.texts.text import Fact, Said, Text
from sandtable.engine.texts.words import Words

from ..table.counters import Roster
from ..table.state import State
from ..table.telling import AS, INTO

FACING_WORDS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
VERTEX_WORDS = ("north-northeast", "east", "south-southeast", "south-southwest", "west", "north-northwest")


class Called(Words):
    """The names of ASL."""

    def __init__(self, roster: Roster, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.roster = roster

    def name(self, key: str, value: Any) -> Any:
        """Types in events go by their ids, as in views."""
        types = self.roster.types
        if key == AS:
            return {self.units[u]: types[kind].id for u, kind in sorted(value.items())}
        return types[value].id if key == INTO else super().name(key, value)

    def unit(self, ident: str) -> str:
        """A12.1 one whom a "?" hides is called by it."""
        return super().unit(ident) or "?"

    def spoken(self, seen: Mapping[str, Any]) -> dict[str, Any]:
        words = super().spoken(seen)
        kinds = words.pop(AS, {})  # it has served to name them: no text tells it
        for key, value in seen.items():
            if key == INTO:
                words[key] = self._title(value)
            elif kinds and key in self.unit_keys and value in kinds:
                words[key] = self._title(kinds[value])
            elif kinds and key in self.units_keys:
                words[key] = tuple(self._title(kinds[one]) if one in kinds else self.unit(one) for one in value)
        return words

    def _title(self, kind: str) -> Fact:
        return self.roster.titles[self.roster.type_of[kind]]

    def now(self, said: Said, s: State, label: bool = False) -> Said:
        """A text with names for the numbers among its facts, as everybody is called in a position."""
        if isinstance(said, str):
            return said
        return self.text(Text.of(said.template, {**said.facts, **self.now_called(said, s)}), label)

    def now_called(self, said: Text, s: State) -> dict[str, Fact]:
        """Those facts of a text that name somebody who is not called as when the game began."""
        found: dict[str, Fact] = {}
        for key, value in said.facts.items():
            if isinstance(value, Text):
                inner = self.now_called(value, s)
                if inner:
                    found[key] = Text.of(value.template, {**value.facts, **inner})
            elif key in self.unit_keys or key in self.units_keys:
                called = self._called(value, s)
                if called != value:
                    found[key] = called
        return found

    def _called(self, value: Fact, s: State) -> Fact:
        if isinstance(value, list | tuple):
            return tuple(self._called(one, s) for one in value)
        if not isinstance(value, int) or value < 0 or s.type[value] == self.roster.plain[value]:
            return value
        return self.roster.titles[s.type[value]] if s.type[value] else value
