"""How a game is read: `data/legend.toml` of each game, from which browsers make cards, a legend and a glossary.

    mark = [{ id = "disrupted", name = "disrupted", text = "…", rule = "3.91" }]         # signs on counters
    marker = [{ id = "minefield", name = "minefield", text = "…", rule = "11.3" }]       # signs in hexes
    ground = [{ of = "terrain", id = "rough", name = "rough", text = "…", rule = "6.3" }]
    term = [{ term = "zone of control", also = ["ZOC"], text = "…", rule = "3.2" }]      # words of the rules

    [[counter]]                         # how counters are read; the first whose `kinds` hold a counter's symbol
    kinds = ["hq"]                      # without kinds: all others
    name = "headquarters"
    parts = [{ part = "strength.0", name = "Command Points", text = "…", rule = "12.2" }]

    [[chart]]                           # where tables.toml has the effects of such ground, and how they are called
    of = "terrain"
    at = "tec.hex"                      # a table by id (and a `suffix`), or a list of rows with `key`
    columns = [{ at = "mot_dry", name = "Motorized", rule = "6.31" }]
    words = { P = "no entry" }          # what is said for a value; a column may be `signed`, and may tell a `zero`

Ground is of a terrain, a tag, a hexside or a way; `text` is for what charts do not say, and `rows` names its rows of
charts where they are not called by its id.

A part is a place in a counter as scenes show it (`strength.0`, `values.1`, `steps`, `tank`, `formation`), or a fact of
its row in the counter sheets (`row.fp`). Numbers of charts are never written again: they are read where the rules read
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandtable.engine.packs.faults import Fault, refuse
from sandtable.engine.packs.files import Document, read_toml

GROUNDS = ("terrain", "tag", "hexside", "way")


@dataclass(frozen=True, slots=True)
class Part:
    """A number or sign of a counter, what it is called, what it is for, and its rule; a fact of 0 may be told too."""

    part: str
    name: str
    text: str
    rule: str
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """How one kind of counters is read."""

    kinds: tuple[str, ...]
    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """A mark on a counter, or a marker in a hex."""

    id: str
    name: str
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Effect:
    """A cell of a chart: what it is called, its value (a number, words, or "" where the name says it all), its rule."""

    name: str
    value: str
    rule: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A terrain, a tag, a hexside feature or a way, with its effects."""

    of: str
    id: str
    name: str
    text: str
    rule: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the rules, with other forms of it."""

    term: str
    also: tuple[str, ...]
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Legend:
    """All of a game's legend."""

    counters: tuple[Reading, ...]
    marks: tuple[Sign, ...]
    markers: tuple[Sign, ...]
    grounds: tuple[Ground, ...]
    terms: tuple[Term, ...]


FIELDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "counter": (("name", "parts"), ("kinds",)),
    "mark": (("id", "name", "text", "rule"), ()),
    "marker": (("id", "name", "text", "rule"), ()),
    "ground": (("of", "id", "name", "rule"), ("text", "rows")),
    "chart": (("of", "at", "columns"), ("key", "suffix", "words")),
    "term": (("term", "text", "rule"), ("also",)),
    "part": (("part", "name", "text", "rule"), ("zero",)),
    "column": (("at", "name", "rule"), ("zero", "signed")),
}
"""What each entry must say, and what it may."""


def read_legend(path: Path, tables: Mapping[str, Any]) -> Legend:
    """The legend in a file, with its numbers from the tables; PackError with file and line if something is wrong."""
    faults: list[Fault] = []
    document = read_toml(path, path.name, faults)
    refuse(faults)
    for kind in document.data:
        if kind not in ("counter", "mark", "marker", "ground", "chart", "term"):
            faults.append(document.fault((kind,), f"nothing is called '{kind}' here"))
    refuse(faults)
    found = {kind: list(_entries(document, kind, faults)) for kind in document.data}
    refuse(faults)
    charts = [one for _, one in found.get("chart", ())]
    for at, one in found.get("chart", ()):
        for column in one["columns"]:
            _whole(document, at, "column", column, faults)
    refuse(faults)
    legend = Legend(
        counters=tuple(_reading(document, at, one, faults) for at, one in found.get("counter", ())),
        marks=tuple(_sign(one) for _, one in found.get("mark", ())),
        markers=tuple(_sign(one) for _, one in found.get("marker", ())),
        grounds=tuple(_ground(document, at, one, charts, tables, faults) for at, one in found.get("ground", ())),
        terms=tuple(
            Term(one["term"], tuple(one.get("also", ())), _tidy(one["text"]), one["rule"])
            for _, one in found.get("term", ())
        ),
    )
    refuse(faults)
    return legend


def _entries(
    document: Document, kind: str, faults: list[Fault]
) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    for number, one in enumerate(document.data.get(kind, ())):
        if _whole(document, (kind, number), kind, one, faults):
            yield (kind, number), one


def _whole(document: Document, at: tuple[str | int, ...], kind: str, one: dict[str, Any], faults: list[Fault]) -> bool:
    """Whether an entry says what it must, and nothing else."""
    must, may = FIELDS[kind]
    named = f"the {kind} '{next((one[key] for key in ('id', 'term', 'name', 'part', 'at') if key in one), '')}'"
    missing = [key for key in must if not one.get(key)]
    unknown = sorted(set(one) - {*must, *may})
    if missing:
        faults.append(document.fault(at, f"{named} needs {', '.join(missing)}"))
    if unknown:
        faults.append(document.fault(at, f"{named} has no {', '.join(unknown)}"))
    return not missing and not unknown


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _sign(one: dict[str, Any]) -> Sign:
    return Sign(one["id"], one["name"], _tidy(one["text"]), one["rule"])


def _reading(document: Document, at: tuple[str | int, ...], one: dict[str, Any], faults: list[Fault]) -> Reading:
    parts = [part for part in one["parts"] if _whole(document, at, "part", part, faults)]
    return Reading(
        tuple(one.get("kinds", ())),
        one["name"],
        tuple(
            Part(part["part"], part["name"], _tidy(part["text"]), part["rule"], bool(part.get("zero")))
            for part in parts
        ),
    )


def _ground(
    document: Document,
    at: tuple[str | int, ...],
    one: dict[str, Any],
    charts: list[dict[str, Any]],
    tables: Mapping[str, Any],
    faults: list[Fault],
) -> Ground:
    if one["of"] not in GROUNDS:
        faults.append(document.fault((*at, "of"), f"'{one['of']}' is none of {', '.join(GROUNDS)}"))
    effects: dict[str, Effect] = {}
    for chart in charts:
        for id_ in one.get("rows", (one["id"],)) if chart["of"] == one["of"] else ():
            for effect in _effects(chart, id_, tables):
                effects.setdefault(effect.name, effect)
    return Ground(one["of"], one["id"], one["name"], _tidy(one.get("text", "")), one["rule"], tuple(effects.values()))


def _effects(chart: dict[str, Any], id_: str, tables: Mapping[str, Any]) -> Iterator[Effect]:
    """The cells of a chart's row for one ground. No, nothing, and a row that is not there have no effect to tell."""
    row = _row(lookup(tables, chart["at"]), chart.get("key", ""), id_ + chart.get("suffix", ""))
    if row is None:
        return
    words = chart.get("words", {})
    for column in chart["columns"]:
        value = lookup(row, column["at"])
        if value is None or value is False or value in ("", "+0") or (value == 0 and not column.get("zero")):
            continue
        written = f"{value:+d}".replace("-", "−") if column.get("signed") and isinstance(value, int) else str(value)
        yield Effect(column["name"], "" if value is True else words.get(str(value), written), column["rule"])


def _row(table: Any, key: str, id_: str) -> Any:
    if isinstance(table, list):
        return next((row for row in table if row.get(key) == id_), None)
    return table.get(id_) if isinstance(table, dict) else None


def lookup(of: Any, path: str) -> Any:
    """What stands at a path of keys and places with dots between, or None."""
    for key in path.split("."):
        if isinstance(of, Mapping):
            of = of.get(key)
        elif isinstance(of, list | tuple) and key.isdigit() and int(key) < len(of):
            of = of[int(key)]
        else:
            return None
    return of


def said(source: Mapping[str, Any]) -> set[str]:
    """What the file of a game's legend says, for the catalogues."""
    found: set[str] = set()
    for row in [row for rows in source.values() for row in rows]:
        found |= {_tidy(row[key]) for key in ("name", "text", "term") if row.get(key)}
        found |= set(row.get("also", ())) | set(row.get("words", {}).values())
        for inner in (*row.get("parts", ()), *row.get("columns", ())):
            found |= {_tidy(inner[key]) for key in ("name", "text") if inner.get(key)}
    return found
