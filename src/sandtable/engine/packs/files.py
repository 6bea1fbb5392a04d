"""Reading the two kinds of file in a pack, CSV and TOML, so that every value knows its file and line."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandtable.engine.packs.faults import Fault, PackError

TomlPath = tuple[str | int, ...]

_KEY_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.|=|\]|$)""")
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_TRIPLE = ('"""', "'''")


def read_text(path: Path, label: str, faults: list[Fault]) -> str | None:
    """The text of a UTF-8 file, or None with a fault."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        faults.append(Fault(label, 0, "the file is missing"))
    except OSError as error:
        faults.append(Fault(label, 0, f"the file cannot be read: {error.strerror}"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        faults.append(Fault(label, line, "the file is not UTF-8 text"))
    return None


# ---------------------------------------------------------------- CSV


@dataclass(frozen=True)
class Row:
    """One row of a CSV file: its cells by column, and where it stands."""

    file: str
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        try:
            return self.cells[column]
        except KeyError:
            raise self.error(f"there is no column '{column}'") from None

    def __contains__(self, column: object) -> bool:
        return column in self.cells

    def get(self, column: str, default: str = "") -> str:
        """The cell, or the default where the column is missing or the cell empty."""
        return self.cells.get(column, "") or default

    def whole(self, column: str, default: int | None = None) -> int:
        """The cell as a whole number; an empty cell gives the default, if there is one."""
        text = self[column]
        if not text and default is not None:
            return default
        if not is_whole(text):
            raise self.error(f"{column} '{text}' is not a whole number")
        return int(text)

    def number(self, column: str, default: float | None = None) -> float:
        """The cell as a number; an empty cell gives the default, if there is one."""
        text = self[column]
        if not text and default is not None:
            return default
        if not is_number(text):
            raise self.error(f"{column} '{text}' is not a number")
        return float(text)

    def yes(self, column: str) -> bool:
        """Whether the cell says yes."""
        return self.get(column).lower() in ("yes", "true", "1")

    def parts(self, column: str, separator: str = "|") -> tuple[str, ...]:
        """The cell cut at the separator."""
        return tuple(part.strip() for part in self.get(column).split(separator) if part.strip())

    def attributes(self, column: str = "attributes") -> dict[str, str]:
        """A cell such as 'port;capacity=5' as a dictionary; a bare word has the value 'yes'."""
        pairs = (part.partition("=") for part in self.parts(column, ";"))
        return {key.strip(): value.strip() or "yes" for key, _, value in pairs}

    def fault(self, text: str) -> Fault:
        return Fault(self.file, self.line, text)

    def error(self, text: str) -> PackError:
        return PackError(self.file, self.line, text)


@dataclass(frozen=True)
class Sheet:
    """A CSV file: its columns and its rows."""

    file: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()

    def fault(self, line: int, text: str) -> Fault:
        return Fault(self.file, line, text)


def is_whole(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d+", text, re.ASCII) is not None


def is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)", text, re.ASCII) is not None


def read_sheet(path: Path, label: str, faults: list[Fault]) -> Sheet:
    """A CSV file with a header; rows of the wrong length are faults and left out."""
    text = read_text(path, label, faults)
    if text is None:
        return Sheet(label)
    reader = csv.reader(io.StringIO(text), strict=True)
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    line = 1
    try:
        for record in reader:
            cells = [cell.strip() for cell in record]
            if not columns:
                columns = tuple(cells)
                faults.extend(_header_faults(label, line, columns))
            elif any(cells):
                if len(cells) == len(columns):
                    rows.append(Row(label, line, dict(zip(columns, cells, strict=True))))
                else:
                    faults.append(Fault(label, line, f"{len(cells)} cells under {len(columns)} columns"))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(label, line, f"this is not CSV: {error}"))
    if not columns:
        faults.append(Fault(label, 0, "the file is empty: it has no header"))
    return Sheet(label, columns, tuple(rows))


def _header_faults(label: str, line: int, columns: Sequence[str]) -> list[Fault]:
    seen: set[str] = set()
    faults = []
    for column in columns:
        if not column:
            faults.append(Fault(label, line, "a column has no name"))
        elif column in seen:
            faults.append(Fault(label, line, f"column '{column}' stands twice"))
        seen.add(column)
    return faults


# ---------------------------------------------------------------- TOML


@dataclass
class Document:
    """A TOML file, or several merged: its data, and where each key stands."""

    file: str
    data: dict[str, Any] = field(default_factory=dict)
    places: dict[TomlPath, tuple[str, int]] = field(default_factory=dict)

    def where(self, path: TomlPath) -> tuple[str, int]:
        """File and line of a key, or of the nearest table around it."""
        for length in range(len(path), 0, -1):
            found = self.places.get(path[:length])
            if found is not None:
                return found
        return self.file, 1

    def fault(self, path: TomlPath, text: str) -> Fault:
        file, line = self.where(path)
        return Fault(file, line, text)


def read_toml(path: Path, label: str, faults: list[Fault]) -> Document:
    text = read_text(path, label, faults)
    if text is None:
        return Document(label)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        faults.append(_toml_fault(label, text, str(error)))
        return Document(label)
    return Document(label, data, {path: (label, line) for path, line in key_lines(text).items()})


def _toml_fault(label: str, text: str, message: str) -> Fault:
    place = _TOML_PLACE.search(message)
    if place is None:
        return Fault(label, 0, message)
    line = int(place[1]) if place[1] else text.rstrip("\n").count("\n") + 1
    return Fault(label, line, message[: place.start()])


def merge(base: Document, patch: Document) -> Document:
    """The patch over the base: tables are joined key by key, anything else is replaced."""
    data, places = dict(base.data), dict(base.places)
    _merge_into(data, patch.data, (), places)
    places.update(patch.places)
    return Document(base.file, data, places)


def _merge_into(
    data: dict[str, Any], patch: Mapping[str, Any], path: TomlPath, places: dict[TomlPath, tuple[str, int]]
) -> None:
    for key, value in patch.items():
        here = (*path, key)
        old = data.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            data[key] = dict(old)
            _merge_into(data[key], value, here, places)
            continue
        for stale in [known for known in places if known[: len(here)] == here]:
            del places[stale]
        data[key] = value


def key_lines(text: str) -> dict[TomlPath, int]:
    """The line of every table and key of a TOML text that is known to be well formed."""
    lines: dict[TomlPath, int] = {}
    counts: dict[TomlPath, int] = {}
    prefix: TomlPath = ()
    depth = 0
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if depth == 0 and not quote and stripped and not stripped.startswith("#"):
            if stripped.startswith("["):
                double = stripped.startswith("[[")
                keys = _dotted(stripped[2 if double else 1 :])
                prefix = _resolve(keys, counts, double)
                lines.setdefault(prefix, number)
                continue
            keys = _dotted(stripped)
            for length in range(1, len(keys) + 1):
                lines.setdefault((*prefix, *keys[:length]), number)
        depth, quote = _scan(line, depth, quote)
    return lines


def _dotted(text: str) -> tuple[str, ...]:
    """The parts of a dotted key at the start of the text."""
    parts: list[str] = []
    at = 0
    while found := _KEY_PART.match(text, at):
        parts.append(next(group for group in found.groups()[:3] if group is not None))
        at = found.end()
        if found[4] != ".":
            break
    return tuple(parts)


def _resolve(keys: tuple[str, ...], counts: dict[TomlPath, int], double: bool) -> TomlPath:
    """The path of a header, with the number of the element where it goes through an array of tables."""
    path: TomlPath = ()
    for position, key in enumerate(keys):
        path = (*path, key)
        if double and position == len(keys) - 1:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def _scan(line: str, depth: int, quote: str) -> tuple[int, str]:
    """Bracket depth and open multi-line string after this line."""
    at = 0
    while at < len(line):
        if quote:
            if quote.startswith('"') and line[at] == "\\":
                at += 2
            elif line.startswith(quote, at):
                at += len(quote)
                quote = ""
            else:
                at += 1
            continue
        character = line[at]
        if character == "#":
            break
        if character in "\"'":
            quote = character * 3 if line.startswith(_TRIPLE, at) else character
            at += len(quote)
            continue
        depth += (character in "[{") - (character in "]}")
        at += 1
    return depth, quote if quote in _TRIPLE else ""
