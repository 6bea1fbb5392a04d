"""Names for the numbers in a game's events, and for the sentences made of them.

The key says what a number is: a unit, a place, a side, or an entry of one of the game's own tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from sandtable.engine.contract import Event
from sandtable.engine.texts.text import ENGLISH_LIST, Fact, Said, Text

OFF_MAP = "off map"

HEX_KEYS = frozenset(("hex", "from", "to"))
HEXES_KEYS = frozenset(("hexes", "path"))
SIDE_KEYS = frozenset(("side", "winner"))


def count(n: int, one: str, many: str = "") -> str:
    """So many of something: 1 hit, 2 hits; 1 die, 2 dice."""
    return f"{n} {one}" if n == 1 else f"{n} {many or one + 's'}"


class Names(tuple[str, ...]):
    """Names in a row: a text puts between them what its language does."""

    def __str__(self) -> str:
        return ENGLISH_LIST.join(self)


class Places(Protocol):
    """Hexes by number and by name, as a grid has them."""

    @property
    def names(self) -> Sequence[str]: ...

    @property
    def index(self) -> Mapping[str, int]: ...

    @property
    def boxes(self) -> Mapping[str, int]: ...


class Words:
    """The names of one game."""

    def __init__(
        self,
        grid: Places,
        units: Sequence[str],
        *,
        sides: Sequence[str],
        unit_names: Sequence[str],
        hex_name: Callable[[int], str],
        tables: Mapping[str, Sequence[str] | Mapping[int, str]],
        unit_keys: Sequence[str] = ("unit", "lead", "other"),
        units_keys: Sequence[str] = ("units", "attackers", "defenders"),
        hex_label: Callable[[int], str] | None = None,
        phrases: Mapping[str, Sequence[str]] | None = None,
        labels: Mapping[str, Sequence[str] | Mapping[int, str]] | None = None,
    ) -> None:
        """`phrases`: by key, entries of a table as a sentence says them, where that is not their name. `hex_label`,
        `labels`: what is called otherwise in a list of actions."""
        self.grid = grid
        self.units = units
        self.sides = sides
        self._tables = {key: _numbered(table) for key, table in tables.items()}
        self._labels = {key: _numbered(table) for key, table in (labels or {}).items()}
        self.unit_keys = frozenset(unit_keys)
        self.units_keys = frozenset(units_keys)
        self._phrases = dict(phrases or {})
        self._phrased = {
            key: {self._tables[key][i]: phrase for i, phrase in enumerate(phrases)}
            for key, phrases in self._phrases.items()
            if key in self._tables
        }
        self._hex_name = hex_name
        self._hex_label = hex_label or hex_name
        self._unit_names = tuple(unit_names)
        self._spoken = dict(zip(units, unit_names, strict=True))

    def event(self, event: Event, side: int) -> dict[str, Any] | None:
        """An event as one side sees it, names for numbers; None if it sees nothing of it."""
        seen = event.seen_by(side)
        if seen is None:
            return None
        out: dict[str, Any] = {"event": event.kind, "rule": event.rule}
        for key, value in seen.items():
            out[key] = self.name(key, value)
        return out

    def name(self, key: str, value: Any) -> Any:
        """The name of a number, by the key it stands under."""
        if value is None:
            return None
        if key in self.unit_keys:
            return self.units[value] if value >= 0 else ""
        if key in self.units_keys:
            return [self.units[u] for u in value]
        if key in HEX_KEYS:
            return self.grid.names[value] if value >= 0 else OFF_MAP
        if key in HEXES_KEYS:
            return [self.grid.names[h] for h in value]
        if key in SIDE_KEYS:
            return self.sides[value] if value >= 0 else ""
        if key in self._tables:
            return self._tables[key][value]
        return value

    def text(self, said: Said, label: bool = False) -> Said:
        """A text with names for the numbers among its facts. `label`: hexes as they are called in a list of actions."""
        if isinstance(said, str):
            return said
        return Text.of(said.template, {key: self._fact(key, value, label) for key, value in said.facts.items()})

    def _fact(self, key: str, value: Fact, label: bool) -> Fact:
        if isinstance(value, Text):
            return self.text(value, label)
        if isinstance(value, list | tuple):
            if key in HEXES_KEYS:
                return tuple(self._fact("hex", h, label) for h in value)
            return tuple(self._fact("unit" if key in self.units_keys else key, one, label) for one in value)
        if not isinstance(value, int):
            return value
        if key in self.unit_keys:
            return self._unit_names[value] if value >= 0 else ""
        if key in HEX_KEYS:
            name = self._hex_label if label else self._hex_name
            return name(value) if value >= 0 else OFF_MAP
        if key in SIDE_KEYS:
            return self.sides[value].capitalize() if value >= 0 else ""
        if label and key in self._labels:
            return self._labels[key][value]
        if key in self._phrases:
            return self._phrases[key][value]
        return self._tables[key][value] if key in self._tables else value

    def place(self, number: str) -> str:
        """A hex or box by its name on the map, for log lines."""
        h = self.grid.index.get(number, self.grid.boxes.get(number, -1))
        return self._hex_name(h) if h >= 0 else number

    def unit(self, ident: str) -> str:
        return self._spoken.get(ident, ident)

    def spoken(self, seen: Mapping[str, Any]) -> dict[str, Any]:
        """The facts of an event in words for a sentence: names of units, places and sides."""
        words: dict[str, Any] = dict(seen)
        for key, value in seen.items():
            if key in HEX_KEYS and isinstance(value, str):
                words[key] = self.place(value)
            elif key in HEXES_KEYS:
                words[key] = Names(self.place(v) for v in value)
            elif key in self.unit_keys:
                words[key] = self.unit(value)
            elif key in self.units_keys:
                words[key] = Names(self.unit(v) for v in value)
            elif key in SIDE_KEYS:
                words[key] = str(value).capitalize()
            elif key in self._phrased:
                words[key] = self._phrased[key].get(value, value)
        return words


def _numbered(table: Sequence[str] | Mapping[int, str]) -> Mapping[int, str]:
    """A table by number; in a list of names -1 stands for none of them."""
    return table if isinstance(table, Mapping) else {-1: "", **dict(enumerate(table))}
