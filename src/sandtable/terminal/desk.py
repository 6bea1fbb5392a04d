"""What a player can ask at the table: which actions there are, what a typed line means, why not, what odds.

Nothing here prints. Everything is asked for the side that decides; `Session` sees to it that nobody else
looks at the answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from sandtable.engine.actions import Codec, Kind
from sandtable.engine.contract import Action, Game, Illegal, Odds, Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.packs import Pack

MANY = 14
"""A verb with more actions than this is split by its first argument."""

NEAR = 8
"""How many readings of an ambiguous line are named."""


class Entry(NamedTuple):
    """One legal action as it is listed."""

    number: int
    action: Action
    text: str
    label: str

    @property
    def verb(self) -> str:
        return self.text.partition(" ")[0]


class Group(NamedTuple):
    """Actions that belong together."""

    title: str
    entries: tuple[Entry, ...]


class Answer(NamedTuple):
    """What the rules say of one action: None means that it is legal."""

    text: str
    reason: Reason | None


@dataclass(frozen=True)
class Unclear(Exception):
    """A typed line that means nothing here, or more than one thing."""

    why: str
    readings: tuple[Entry, ...] = ()

    def __str__(self) -> str:
        return self.why


class Names:
    """The names of one game's hexes and units, and the numbers that the notation wants for them."""

    def __init__(self, pack: Pack | None) -> None:
        self.pack = pack
        aliases: dict[str, str] = {}
        if pack is not None:
            for unit, row in pack.units.items():
                aliases.setdefault(row.get("name", unit).casefold(), unit)
            for hexrow in pack.hexes.values():
                if hexrow.name:
                    aliases[hexrow.name.casefold()] = pack.grid.names[hexrow.hex]
        self.aliases = aliases
        longest_first = sorted((a for a in aliases if not a.isdigit()), key=lambda a: (-len(a), a))
        self._pattern = (
            re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, longest_first)) + r")(?![\w-])")
            if longest_first
            else None
        )

    def numbered(self, text: str) -> str:
        """The line with names of hexes and units replaced by their numbers."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self.aliases[found[0]], text.casefold())

    def hex(self, text: str) -> Hex | None:
        """The hex of a number or a name, or None."""
        if self.pack is None:
            return None
        name = self.aliases.get(text.strip().casefold(), text)
        try:
            return self.pack.grid.index_of(name)
        except ValueError:
            return None


class Desk:
    """One decision, as the side that makes it sees it."""

    def __init__(self, game: Game[Any], state: Any, names: Names) -> None:
        self.game = game
        self.state = state
        self.names = names
        self.codec: Codec | None = getattr(game, "codec", None)
        self.legal: Sequence[Action] = game.legal(state)
        self._legal = set(self.legal)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        game, s = self.game, self.state
        return tuple(Entry(i, a, game.text(a), str(game.action_label(s, a))) for i, a in enumerate(self.legal, start=1))

    def groups(self, containing: str = "") -> list[Group]:
        """The actions by verb, long ones by verb and first argument; only those that contain these words."""
        words = containing.casefold().split()
        kept = [e for e in self.entries if all(w in f"{e.text} {e.label}".casefold() for w in words)]
        by_verb: dict[str, list[Entry]] = {}
        for entry in kept:
            by_verb.setdefault(entry.verb, []).append(entry)
        out: list[Group] = []
        for verb, entries in by_verb.items():
            if len(entries) <= MANY or all(e.text.count(" ") < 2 for e in entries):
                out.append(Group(verb, tuple(entries)))
                continue
            by_first: dict[str, list[Entry]] = {}
            for entry in entries:
                by_first.setdefault(" ".join(entry.text.split()[:2]), []).append(entry)
            out.extend(Group(title, tuple(group)) for title, group in by_first.items())
        return out

    # ------------------------------------------------------------------------------- reading a line

    def read(self, line: str) -> Action:
        """The legal action that a typed line means; Illegal or Unclear if there is none."""
        text = line.strip()
        if text.isdigit() and not text.startswith("0") and int(text) <= len(self.entries):
            return self.entries[int(text) - 1].action
        for candidate in (text, self.names.numbered(text)):
            exact = next((e for e in self.entries if e.text.casefold() == candidate.casefold()), None)
            if exact is not None:
                return exact.action
        fault: Illegal
        try:
            action = self.game.parse(self.names.numbered(text))
        except Illegal as error:
            fault = error
        else:
            reason = self.game.why_not(self.state, action)
            if reason is None:
                return action
            raise Illegal(reason.rule, reason.why)
        found = self._matching(text)
        if len(found) == 1:
            return found[0].action
        if found:
            raise Unclear(f"{text!r} could be {len(found)} things", tuple(found[:NEAR]))
        if text.isdigit() and len(text) < 4:
            raise Unclear(f"{text} is not in the list: it has 1 to {len(self.entries)}")
        raise Unclear(str(fault.why))

    def _matching(self, text: str) -> list[Entry]:
        """The entries whose notation has every typed word as a word, else whose label has."""
        words = self.names.numbered(text).casefold().split()
        if not words:
            return []
        by_text = [e for e in self.entries if set(words) <= set(e.text.casefold().split())]
        if by_text:
            return by_text
        typed = text.casefold().split()
        by_label = [e for e in self.entries if _words_begin(typed, e.label.casefold())]
        return by_label or [e for e in self.entries if _words_begin(words, e.text.casefold())]

    # ------------------------------------------------------------------------------- why not

    def why_not(self, line: str) -> list[Answer]:
        """What the rules say of an action, or of every present use of a hex or a unit."""
        text = self.names.numbered(line.strip())
        try:
            action = self.read(line) if line.strip().isdigit() else self.game.parse(text)
        except (Illegal, Unclear) as error:
            about = self._about(text.split()) if self.codec is not None else []
            if about:
                return about
            found = self._matching(line)
            if found:
                return [Answer(e.label, None) for e in found[:NEAR]]
            if self._is_thing(text):
                raise Unclear(f"nothing that can be decided here has to do with {line.strip()}") from None
            if isinstance(error, Unclear):
                raise
            raise Unclear(str(error.why)) from None
        return [Answer(self._label(action), self.game.why_not(self.state, action))]

    def _is_thing(self, word: str) -> bool:
        """Whether the notation has a name like this at all."""
        kinds = [kind for verb in self.codec.verbs for _, kind in verb.args] if self.codec is not None else []
        return any(_number(kind, word) is not None for kind in kinds)

    def _label(self, action: Action) -> str:
        return str(self.game.action_label(self.state, action)) if action in self._legal else self.game.text(action)

    def _about(self, words: Sequence[str]) -> list[Answer]:
        """Put the named things into each present action in turn and ask the rules."""
        assert self.codec is not None
        answers: dict[Action, Reason | None] = {}
        for template in self.legal:
            for action in self._with(template, words):
                if action not in answers:
                    answers[action] = self.game.why_not(self.state, action)
        legal = [Answer(self._label(a), None) for a, reason in answers.items() if reason is None]
        if legal:
            return legal[:NEAR]
        by_reason: dict[Reason, str] = {}
        for action, reason in answers.items():
            if reason is not None:
                by_reason.setdefault(reason, self.game.text(action))
        return [Answer(text, reason) for reason, text in list(by_reason.items())[:NEAR]]

    def _with(self, template: Action, words: Sequence[str]) -> Iterator[Action]:
        """The template with one of its arguments replaced by each word that can stand there."""
        assert self.codec is not None
        for place, (_, kind) in enumerate(self.codec.verbs[template[0]].args, start=1):
            for word in words:
                number = _number(kind, word)
                if number is not None:
                    yield (*template[:place], number, *template[place + 1 :])

    # ------------------------------------------------------------------------------- odds

    def odds(self, line: str = "") -> list[tuple[str, Odds]]:
        """The odds of one action, or of every action that leads to dice."""
        actions = [self.read(line)] if line.strip() else self.legal
        found = ((a, self.game.odds(self.state, a)) for a in actions)
        return [(self._label(a), odds) for a, odds in found if odds is not None]

    # ------------------------------------------------------------------------------- where

    def targets(self) -> Mask:
        """The hexes that the legal actions name."""
        mask = 0
        grid = self.names.pack.grid if self.names.pack is not None else None
        if self.codec is None or grid is None:
            return 0
        for action in self.legal:
            for value, (_, kind) in zip(action[1:], self.codec.verbs[action[0]].args, strict=True):
                if kind.name == "hex":
                    h = grid.index.get(kind.values[value])
                    if h is not None:
                        mask |= 1 << h
        return mask

    def units(self) -> set[str]:
        """The names of the units that the legal actions name."""
        if self.codec is None:
            return set()
        return {
            kind.values[value]
            for action in self.legal
            for value, (_, kind) in zip(action[1:], self.codec.verbs[action[0]].args, strict=True)
            if kind.name == "unit"
        }


def _number(kind: Kind, word: str) -> int | None:
    try:
        return kind.number(word)
    except Illegal:
        return None


def _words_begin(typed: Sequence[str], text: str) -> bool:
    """Whether every typed word begins some word of the text."""
    words = re.split(r"[\s,]+", text)
    return bool(typed) and all(any(word.startswith(t) for word in words) for t in typed)


def event_hexes(names: Names, seen: Mapping[str, Any]) -> set[Hex]:
    """The hexes that an event in its JSON form names."""
    if names.pack is None:
        return set()
    index = names.pack.grid.index
    found: set[Hex] = set()
    stack: list[Any] = list(seen.values())
    while stack:
        value = stack.pop()
        if isinstance(value, str) and value in index:
            found.add(index[value])
        elif isinstance(value, Mapping):
            stack.extend(value.values())
        elif isinstance(value, list | tuple):
            stack.extend(value)
    return found
