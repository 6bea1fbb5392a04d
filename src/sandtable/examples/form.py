"""What a diagram of a worked example is, and how it is read from `games/<game>/data/examples/*.toml`.

    [[example]]
    id = "X5"                           # as the rulebook's worked examples name it
    rules = ["8.93"]                    # the rules that it is about
    counters = { "6733" = ["ger_21pz_i_5 shows=reduced oos"], "6732" = "us_1ad_ii_13" }
    ways = [["6733", "6732"]]           # arrows from hex to hex
    barred = [["6734", "6732"]]         # arrows that may not be gone
    notes = ["4"]                       # beside the heads of the ways, in their order: numbers and signs, no words
    sights = [["6733", "6731"]]         # straight lines that are clear; `blocked`: those that are not
    letters = { "6733" = "A" }          # beside the counters of a hex
    lit = ["6731"]                      # tinted hexes; `danger`: hatched ones
    markers = { "6732" = "minefield" }  # as a scene calls them; "side:kind" where it is somebody's
    scenario = "s1_historical"          # whose map it is, where each has its own
    room = 2                            # hexes around all that is named (1 is usual)

    [example.ground]                    # a board laid out for it, in a game that can (`Modelled`)
    board = "D1"                        # whose hexes the example names without it

    [[example]]
    id = "X1"
    none = "A sum: it has no position." # why there is nothing to draw

A counter is its id and what its row of a view says besides (`key=value`; a bare word is one of its marks). The words of
the diagram are those of the example in the rulebook, in whichever language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sandtable import texts
from sandtable.engine.contract import Game
from sandtable.engine.ledger import ENGLISH, book
from sandtable.engine.packs import Pack, pack_of
from sandtable.engine.packs.faults import Fault, refuse
from sandtable.engine.packs.files import Document, TomlPath, read_toml

Way = tuple[str, ...]
"""Hexes from the beginning to the head."""

_NOTE = re.compile(r"[\d+½−×=:()/?!. A-Z-]{1,12}")
"""What can be read in every language."""


@runtime_checkable
class Modelled(Protocol):
    """A game whose examples stand on boards laid out for them, with counters by their kind."""

    def model(self, ground: Mapping[str, Any], palette: str) -> tuple[Pack, str]:
        """That ground as a map, and as SVG; ValueError where it cannot be laid."""
        ...

    def model_piece(self, kind: str) -> dict[str, Any]:
        """The row of a view for a counter of this kind; KeyError if there is none."""
        ...


@dataclass(frozen=True)
class Example:
    """A worked example: a position with what is to be seen in it, or the reason why it has none."""

    id: str
    rules: tuple[str, ...] = ()
    none: str = ""
    scenario: str = ""
    units: tuple[Mapping[str, Any], ...] = ()
    """The rows of a view."""
    ways: tuple[Way, ...] = ()
    barred: tuple[Way, ...] = ()
    notes: tuple[str, ...] = ()
    sights: tuple[Way, ...] = ()
    blocked: tuple[Way, ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    lit: tuple[str, ...] = ()
    danger: tuple[str, ...] = ()
    markers: tuple[tuple[str, str, str], ...] = ()
    """Hex, kind and side."""
    ground: Mapping[str, Any] | None = None
    room: int = 1

    def hexes(self) -> list[str]:
        """All that are named, each once."""
        lines = (*self.ways, *self.barred, *self.sights, *self.blocked)
        named = [unit["hex"] for unit in self.units] + [hex_ for line in lines for hex_ in line]
        named += [*self.letters, *self.lit, *self.danger, *(hex_ for hex_, _, _ in self.markers)]
        return list(dict.fromkeys(named))


LISTS = ("lit", "danger", "notes")
LINES = ("ways", "barred", "sights", "blocked")
TABLES = ("counters", "letters", "markers", "ground")
KNOWN = ("id", "rules", "none", "scenario", "room", *LISTS, *LINES, *TABLES)


class Reader:
    """Reads one file; every fault says file, line and what is wrong."""

    def __init__(self, game: Game[Any], document: Document, faults: list[Fault]) -> None:
        self.game = game
        self.document = document
        self.faults = faults
        shelf = book(game.id)
        self.rules = set(shelf.rules) if shelf is not None else set()

    def examples(self) -> Iterator[Example]:
        for key in self.document.data.keys() - {"example"}:
            self.fault((key,), f"a file of examples has no '{key}': it has [[example]]")
        for i, row in enumerate(self.document.data.get("example", [])):
            known = len(self.faults)
            found = self._example(row, ("example", i))
            if len(self.faults) == known:
                yield found

    def fault(self, path: TomlPath, text: str) -> None:
        self.faults.append(self.document.fault(path, text))

    def _example(self, row: dict[str, Any], at: TomlPath) -> Example:
        known = len(self.faults)
        for key in row.keys() - set(KNOWN):
            self.fault((*at, key), f"'{key}' is not known here; known are {', '.join(KNOWN)}")
        for key in ("id", "none", "scenario"):
            if not isinstance(row.get(key, ""), str):
                self.fault((*at, key), f"'{key}' is a word")
        for key in ("rules", *LISTS):
            if not _words(row.get(key, [])):
                self.fault((*at, key), f"'{key}' is a list of words")
        for key in LINES:
            if not isinstance(row.get(key, []), list) or not all(_words(one) and one for one in row.get(key, [])):
                self.fault((*at, key), f"'{key}' is a list of lists of hexes")
        for key in TABLES:
            if not isinstance(row.get(key, {}), dict):
                self.fault((*at, key), f"'{key}' is a table")
        if not row.get("id"):
            self.fault(at, "an example has an id, as the rulebook names it")
        shown = row.keys() - {"id", "none", "rules"}
        if bool(row.get("none")) == bool(shown):
            self.fault(at, "an example has a position or the reason why it has none ('none'), not both")
        if len(self.faults) > known:
            return Example("")
        row = _on_board(row)
        if shown and not row.get("rules"):
            self.fault(at, "a diagram names its rules")
        for rule in row.get("rules", ()):
            if self.rules and not any(one == rule or one.startswith(f"{rule}") for one in self.rules):
                self.fault((*at, "rules"), f"the rulebook of {self.game.id} has no rule {rule}")
        found = Example(
            id=row["id"],
            rules=tuple(row.get("rules", ())),
            none=row.get("none", ""),
            scenario=row.get("scenario", ""),
            units=tuple(self._units(row.get("counters", {}), (*at, "counters"))),
            letters=row.get("letters", {}),
            markers=tuple(_marker(hex_, one) for hex_, words in row.get("markers", {}).items() for one in _many(words)),
            ground=row.get("ground"),
            room=row.get("room", 1),
            lit=tuple(row.get("lit", ())),
            danger=tuple(row.get("danger", ())),
            notes=tuple(row.get("notes", ())),
            ways=_lines(row, "ways"),
            barred=_lines(row, "barred"),
            sights=_lines(row, "sights"),
            blocked=_lines(row, "blocked"),
        )
        self._check(found, at)
        return found

    def _units(self, counters: Mapping[str, Any], at: TomlPath) -> Iterator[Mapping[str, Any]]:
        seen: dict[str, int] = {}
        for hex_, words in counters.items():
            for one in _many(words):
                name, *said = one.split()
                try:
                    row = self._piece(name)
                except KeyError:
                    self.fault((*at, hex_), f"{self.game.id} has no counter '{name}'")
                    continue
                seen[name] = seen.get(name, 0) + 1
                if "type" in row:
                    row["id"] = f"{name}-{seen[name]}"
                row["hex"] = hex_
                for word in said:
                    key, is_, value = word.partition("=")
                    if is_:
                        row[key] = int(value) if value.lstrip("-").isdigit() else value
                    else:
                        row.setdefault("marks", []).append(word)
                yield row

    def _piece(self, name: str) -> dict[str, Any]:
        if isinstance(self.game, Modelled):
            return self.game.model_piece(name)
        pack = pack_of(self.game)
        assert pack is not None
        row = pack.units[name]
        whole = {"cv": row.whole("cv_max")} if "cv_max" in row else {}
        return {"id": name, "side": row["side"], **whole}

    def _check(self, one: Example, at: TomlPath) -> None:
        if one.none:
            return
        if one.scenario and one.scenario not in {known.id for known in self.game.scenarios()}:
            self.fault((*at, "scenario"), f"{self.game.id} has no scenario '{one.scenario}'")
            return
        try:
            pack = map_of(self.game, one)
        except ValueError as error:
            self.fault((*at, "ground"), str(error))
            return
        for hex_ in one.hexes():
            if hex_ not in pack.grid.index:
                self.fault(at, f"there is no hex {hex_} on its map")
        for way in (*one.ways, *one.barred):
            for a, b in pairwise(pack.grid.index.get(hex_, -1) for hex_ in way):
                if a >= 0 <= b and b not in {n for _, n in pack.grid.neighbours[a]}:
                    self.fault(at, f"{pack.id(a)} and {pack.id(b)} do not touch: an arrow goes from hex to hex")
        for note in (*one.notes, *one.letters.values()):
            if note and not _NOTE.fullmatch(note):
                self.fault(at, f"'{note}' is not a number or a sign: words stand in the rulebook")


def _on_board(row: dict[str, Any]) -> dict[str, Any]:
    """The same with the board before its hexes, where they stand on one that is laid out for it."""
    if "ground" not in row:
        return row
    board = row["ground"].get("board", "")

    def whole(name: str) -> str:
        return name if "." in name else f"{board}.{name}"

    found = dict(row)
    for key in ("counters", "letters", "markers"):
        found[key] = {whole(name): value for name, value in row.get(key, {}).items()}
    for key in ("lit", "danger"):
        found[key] = [whole(name) for name in row.get(key, ())]
    for key in LINES:
        found[key] = [[whole(name) for name in line] for line in row.get(key, ())]
    return found


def _many(words: Any) -> list[str]:
    return [words] if isinstance(words, str) else list(words)


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _lines(row: dict[str, Any], key: str) -> tuple[Way, ...]:
    return tuple(tuple(one) for one in row.get(key, ()))


def _marker(hex_: str, words: str) -> tuple[str, str, str]:
    side, _, kind = words.rpartition(":")
    return hex_, kind, side


def map_of(game: Game[Any], one: Example) -> Pack:
    """The map that an example stands on."""
    if one.ground is not None:
        if not isinstance(game, Modelled):
            raise ValueError(f"{game.id} has one map for all its examples")
        return game.model(one.ground, "css")[0]
    pack = pack_of(game, one.scenario)
    if pack is None:
        raise ValueError(f"{game.id} has no map")
    return pack


def read_examples(game: Game[Any], path: Path) -> dict[str, Example]:
    """The examples in a file; PackError with file and line if something is wrong with them."""
    faults: list[Fault] = []
    document = read_toml(path, f"examples/{path.name}", faults)
    refuse(faults)
    found: dict[str, Example] = {}
    for one in Reader(game, document, faults).examples():
        if one.id in found:
            faults.append(Fault(f"examples/{path.name}", 0, f"{one.id} stands there twice"))
        found[one.id] = one
    refuse(faults)
    return found


def examples(game: Game[Any]) -> Mapping[str, Example]:
    """The examples of a game by their ids; read once."""
    one: Any = game
    return _examples(one)


@cache
def _examples(game: Any) -> Mapping[str, Example]:
    folder = texts.home(game) / "data" / "examples"
    found: dict[str, Example] = {}
    for path in sorted(folder.glob("*.toml")):
        found |= read_examples(game, path)
    return found


def drawn_ids(game: Game[Any]) -> list[str]:
    """The examples that have a diagram; nothing of them is checked or laid out for it."""
    folder = texts.home(game) / "data" / "examples"
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))]
    return [str(row["id"]) for file in files for row in file["example"] if "none" not in row]


# ------------------------------------------------------------------------------ the rulebook's own words

_TITLE = "## Worked examples"
_ROW = re.compile(r"^\| ([A-Z]+-?\d[\w.-]*|E?X-[\w.-]+) \| (.*) \|\s*$|^- \[([A-Z][\w.-]*)\] (.*)$")


@cache
def captions(game: str, language: str = ENGLISH) -> Mapping[str, str]:
    """What the rulebook says of each worked example, by its id, in the order of the book."""
    shelf, english = book(game, language=language), book(game)
    if shelf is None or english is None:
        return {}
    part = english.source.partition(f"\n{_TITLE}\n")[2].partition("\n## ")[0]
    wanted = [found[1] or found[3] for line in part.splitlines() if (found := _ROW.match(line))]
    told: dict[str, str] = {}
    for line in shelf.source.splitlines():
        found = _ROW.match(line)
        if found is not None and (found[1] or found[3]) in wanted:
            told[found[1] or found[3]] = (found[2] or found[4]).replace(" | ", " → ")
    return {id: told[id] for id in wanted if id in told}
