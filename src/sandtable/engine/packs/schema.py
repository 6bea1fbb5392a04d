"""What the files of a pack must look like, and the checks that follow from it alone.

A pack may carry a `pack.toml` that says more about its own files than the defaults here do:

    [units]                       # or hexes, hexsides, links, places
    columns = ["id", "name"]      # all columns that must be there; others are faults
    optional = ["note"]           # columns that may be there
    filled = ["id"]               # cells that may not be empty
    whole = ["steps"]             # whole numbers where filled
    numbers = ["weight"]          # numbers where filled
    lists = ["cv_values"]         # whole numbers separated by |
    choices = { side = ["axis", "allied"] }   # the words allowed where filled

    [hexes]
    impassable = ["sea"]          # terrain on which no scenario may place a unit (the tag `impassable` too)

    [tables]
    needed = ["combat.results"]   # tables that must be there

    [scenarios]
    needed = ["title"]            # keys that must be there
    hexes = ["areas.*"]           # where lists of hexes stand; * is any key
    units = ["reserve.units"]     # where lists of units stand
    once = ["arrivals.*"]         # such lists in which, with the set-up, a unit may stand only once
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sandtable.engine.packs.faults import Fault
from sandtable.engine.packs.files import Document, Row, Sheet, TomlPath, is_number, is_whole


@dataclass(frozen=True)
class SheetRules:
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    any_column: bool = False
    filled: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Schema:
    sheets: Mapping[str, SheetRules]
    impassable: tuple[str, ...] = ("sea",)
    tables: tuple[str, ...] = ()
    scenario_needs: tuple[str, ...] = ()
    scenario_hexes: tuple[str, ...] = ()
    scenario_units: tuple[str, ...] = ()
    scenario_once: tuple[str, ...] = ()


DEFAULTS = {
    "hexes": SheetRules(("hex", "terrain", "tags", "name", "source"), filled=("hex", "terrain", "source")),
    "hexsides": SheetRules(
        ("hex", "neighbour", "kind", "high", "source"),
        optional=("name", "gorge"),
        filled=("hex", "neighbour", "kind", "source"),
    ),
    "links": SheetRules(
        ("hex", "neighbour", "kind", "source"),
        optional=("name",),
        filled=("hex", "neighbour", "kind", "source"),
    ),
    "places": SheetRules(
        ("name", "name_ja", "hex", "kind", "lat", "lon", "attributes", "source"),
        filled=("name", "hex", "kind", "source"),
        numbers=("lat", "lon"),
    ),
    "units": SheetRules(
        ("id", "name", "side", "nation", "type", "source"),
        any_column=True,
        filled=("id", "name", "side", "source"),
    ),
}


def read_schema(document: Document, faults: list[Fault]) -> Schema:
    """The defaults with what pack.toml says."""
    sheets = {name: _sheet_rules(document, name, rules, faults) for name, rules in DEFAULTS.items()}
    schema = Schema(sheets)
    return replace(
        schema,
        impassable=_words(document, ("hexes", "impassable"), faults, schema.impassable),
        tables=_words(document, ("tables", "needed"), faults),
        scenario_needs=_words(document, ("scenarios", "needed"), faults),
        scenario_hexes=_words(document, ("scenarios", "hexes"), faults),
        scenario_units=_words(document, ("scenarios", "units"), faults),
        scenario_once=_words(document, ("scenarios", "once"), faults),
    )


def _sheet_rules(document: Document, name: str, rules: SheetRules, faults: list[Fault]) -> SheetRules:
    choices = find(document.data, (name, "choices"))
    kinds = choices if isinstance(choices, dict) else {}
    columns = _words(document, (name, "columns"), faults)
    return SheetRules(
        columns=columns or rules.columns,
        optional=_words(document, (name, "optional"), faults, () if columns else rules.optional),
        any_column=rules.any_column and not columns,
        filled=_words(document, (name, "filled"), faults, rules.filled),
        whole=_words(document, (name, "whole"), faults, rules.whole),
        numbers=_words(document, (name, "numbers"), faults, rules.numbers),
        lists=_words(document, (name, "lists"), faults, rules.lists),
        choices={column: _words(document, (name, "choices", column), faults) for column in kinds},
    )


def _words(document: Document, path: TomlPath, faults: list[Fault], default: tuple[str, ...] = ()) -> tuple[str, ...]:
    value = find(document.data, path)
    if value is None:
        return default
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    faults.append(document.fault(path, f"{path[-1]} is not a list of words"))
    return default


def find(data: Any, path: TomlPath) -> Any:
    """The value at a path, or None."""
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return None
        data = data[key]
    return data


def matches(data: Any, pattern: str) -> Iterator[tuple[TomlPath, Any]]:
    """The paths and values that a dotted pattern finds; * stands for any key or element."""
    found: list[tuple[TomlPath, Any]] = [((), data)]
    for part in pattern.split("."):
        deeper: list[tuple[TomlPath, Any]] = []
        for path, value in found:
            if isinstance(value, list):
                items: list[tuple[str | int, Any]] = list(enumerate(value))
            elif isinstance(value, dict):
                items = list(value.items())
            else:
                items = []
            deeper.extend(((*path, key), item) for key, item in items if part in ("*", str(key)))
        found = deeper
    yield from found


def check_sheet(sheet: Sheet, rules: SheetRules, faults: list[Fault]) -> bool:
    """Columns and cells of a sheet against its rules; whether all its columns are there."""
    missing = [column for column in rules.columns if column not in sheet.columns]
    if sheet.columns:
        faults.extend(sheet.fault(1, f"column '{column}' is missing") for column in missing)
    if not rules.any_column:
        known = {*rules.columns, *rules.optional, ""}
        strange = [column for column in sheet.columns if column not in known]
        faults.extend(sheet.fault(1, f"column '{column}' is unknown") for column in strange)
    for row in sheet.rows:
        faults.extend(_row_faults(row, rules))
    return not missing


def _row_faults(row: Row, rules: SheetRules) -> Iterator[Fault]:
    for column in rules.filled:
        if column in row and not row[column]:
            yield row.fault(f"{column} is empty")
    for column in rules.whole:
        if (text := row.get(column)) and not is_whole(text):
            yield row.fault(f"{column} '{text}' is not a whole number")
    for column in rules.numbers:
        if (text := row.get(column)) and not is_number(text):
            yield row.fault(f"{column} '{text}' is not a number")
    for column in rules.lists:
        for text in row.parts(column):
            if not is_whole(text):
                yield row.fault(f"{column} '{row[column]}': '{text}' is not a whole number")
    for column, words in rules.choices.items():
        if (text := row.get(column)) and text not in words:
            yield row.fault(f"{column} '{text}' is none of {', '.join(words)}")
