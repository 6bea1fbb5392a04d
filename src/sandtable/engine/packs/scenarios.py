"""The scenarios of a pack: who stands where, in any of the forms in use, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandtable.engine.hexes import Grid, Mask
from sandtable.engine.packs.faults import Fault
from sandtable.engine.packs.files import Document, Row, TomlPath
from sandtable.engine.packs.schema import Schema, find, matches

BOX = "box:"
_NOTES = ("source", "note", "rule", "title", "comment", "state", "reduced_at_start")


@dataclass(frozen=True)
class Placement:
    """A unit and the hex or box where a scenario puts it."""

    unit: str
    at: str
    path: TomlPath


def scenario_id(data: Mapping[str, Any], stem: str) -> str:
    """The id that a scenario gives itself, or else its file's name."""
    named = data.get("id") or find(dict(data), ("scenario", "id"))
    return str(named) if named else stem


def placements(data: Mapping[str, Any]) -> list[Placement]:
    """The set-up of a scenario, whichever way it is written.

    A table `unit = hex`, split by side or zone as one likes; an array of tables with `unit` and `at`; or
    one of tables with `hex` and `units`.
    """
    return [
        placed
        for key, value in data.items()
        if key == "setup" or key.startswith("setup_")
        for placed in _placed(value, (key,))
    ]


def _placed(value: Any, path: TomlPath) -> Iterator[Placement]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            if isinstance(item, dict):
                yield from _placed(item, (*path, number))
        return
    if not isinstance(value, dict):
        return
    place = value.get("at", value.get("hex"))
    if isinstance(place, str):
        single = value.get("unit", value.get("id"))
        several = value.get("units", [single] if single else [])
        for unit in several if isinstance(several, list) else []:
            yield Placement(str(unit), place, (*path, "units" if "units" in value else "unit"))
        return
    for key, item in value.items():
        if key in _NOTES:
            continue
        if isinstance(item, str):
            yield Placement(key, item, (*path, key))
        elif isinstance(item, (dict, list)):
            yield from _placed(item, (*path, key))


def check_scenario(
    document: Document, schema: Schema, grid: Grid, units: Mapping[str, Row], impassable: Mask
) -> list[Fault]:
    """Units unknown or placed twice, hexes off the grid or impassable, keys missing."""
    faults = [
        Fault(document.file, 1, f"'{pattern}' is missing")
        for pattern in schema.scenario_needs
        if not any(True for _ in matches(document.data, pattern))
    ]
    seen: dict[str, TomlPath] = {}

    def once(unit: str, path: TomlPath) -> None:
        if unit not in units:
            faults.append(document.fault(path, f"unit '{unit}' is not in units.csv"))
        elif unit in seen:
            line = document.where(seen[unit])[1]
            faults.append(document.fault(path, f"unit '{unit}' is placed twice (see line {line})"))
        else:
            seen[unit] = path

    for placed in placements(document.data):
        once(placed.unit, placed.path)
        faults.extend(_place_faults(document, placed, grid, impassable))
    for pattern in schema.scenario_once:
        for path, unit in _words(document, pattern, faults):
            once(unit, path)
    for pattern in schema.scenario_units:
        for path, unit in _words(document, pattern, faults):
            if unit not in units:
                faults.append(document.fault(path, f"unit '{unit}' is not in units.csv"))
    for pattern in schema.scenario_hexes:
        for path, name in _words(document, pattern, faults):
            if name not in grid.index:
                faults.append(document.fault(path, f"hex '{name}' is not on the grid"))
    return faults


def _place_faults(document: Document, placed: Placement, grid: Grid, impassable: Mask) -> Iterator[Fault]:
    if placed.at.startswith(BOX) or placed.at in grid.boxes:
        return
    hex_ = grid.index.get(placed.at)
    if hex_ is None:
        yield document.fault(placed.path, f"hex '{placed.at}' is not on the grid")
    elif impassable >> hex_ & 1:
        yield document.fault(placed.path, f"unit '{placed.unit}' stands on the impassable hex '{placed.at}'")


def _words(document: Document, pattern: str, faults: list[Fault]) -> Iterator[tuple[TomlPath, str]]:
    """The words in all lists at a pattern, each with the path of its list."""
    for path, value in matches(document.data, pattern):
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, list) and all(isinstance(word, str) for word in value):
            for word in value:
                yield path, word
        else:
            faults.append(document.fault(path, f"{path[-1]} is not a list of words"))
