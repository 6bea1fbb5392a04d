"""What else can be wrong with a pack: maps that cannot be laid, hexes not on them, counters that nobody has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sandtable.engine.ledger import book
from sandtable.engine.packs import Fault, PackError
from sandtable.games.asl.boards.battlefield import Battlefield, battlefield
from sandtable.games.asl.boards.layout import board_hexes
from sandtable.games.asl.boards.pack import DATA, AslPack, check_asl_pack, load_asl_pack


def all_faults(overrides: Sequence[Path] = (), folder: Path = DATA) -> list[Fault]:
    """Everything that is wrong with the pack under these folders: its files, its boards and its scenarios."""
    faults = check_asl_pack(overrides, folder)
    if faults:
        return faults
    pack = load_asl_pack(overrides, folder)
    return [*_boards(pack), *(fault for name in pack.scenarios for fault in scenario_faults(pack, name))]


def _boards(pack: AslPack) -> Iterator[Fault]:
    for board in pack.boards.values():
        try:
            board_hexes(board)
        except PackError as error:
            yield from error.faults


def scenario_faults(pack: AslPack, name: str) -> list[Fault]:
    """What is wrong with one scenario."""
    file = f"scenarios/{name}.toml"
    scenario = pack.scenarios[name]
    try:
        field = battlefield(scenario["map"], pack)
    except KeyError as error:
        return [Fault(file, 0, f"the map has no {error}")]
    except PackError as error:
        return [Fault(file, 0, error.fault)]
    faults = [Fault(file, 0, text) for text in (*_unknown_rules(scenario), *_dark(scenario))]
    for side in scenario.get("side", ()):
        counts: dict[str, int] = {}
        for group in side.get("group", ()):
            for unit in group.get("units", ()):
                counts[str(unit["id"])] = counts.get(str(unit["id"]), 0) + int(unit.get("n", 1))
        placed: set[str] = set()
        for group in side.get("group", ()):
            where = f"group '{group.get('id', '')}'"
            faults += [Fault(file, 0, f"{where}: {text}") for text in _group(pack, field, group, counts, placed)]
    return faults


def _unknown_rules(scenario: Mapping[str, Any]) -> Iterator[str]:
    """Special rules name rules of the book."""
    rules = book("asl")
    for entry in scenario.get("ssr", ()):
        for id in entry.get("rules", ()):
            if rules is not None and id not in rules.rules:
                yield f"there is no rule {id}"


def _dark(scenario: Mapping[str, Any]) -> Iterator[str]:
    """F11.78 At night it is said how far one sees."""
    conditions = scenario.get("conditions", {})
    if conditions.get("night") and not conditions.get("night_range"):
        yield "it is night, and no night_range says how far one sees"


def _group(
    pack: AslPack, field: Battlefield, group: Mapping[str, Any], counts: Mapping[str, int], placed: set[str]
) -> Iterator[str]:
    """The hexes and counters of one group; a side places each counter that it has once."""
    for name in group.get("entry_hexes", ()):
        yield from _hex(field, name)
    for unit in group.get("units", ()):
        if not any(unit["id"] in rows for rows in pack.counters.values()):
            yield f"no counter has the id '{unit['id']}'"
    for entry in (*group.get("default_setup", ()), *group.get("default_entry", ())):
        yield from _hex(field, entry["hex"])
        for text in (entry["unit"], entry.get("crew", ""), *entry.get("sw", ())):
            id, _, number = str(text).partition("#")
            if not id:
                continue
            if not number:  # a fortification, by its word
                if id not in group.get("fortifications", {}):
                    yield f"'{id}' is placed, but the group has none"
                continue
            if int(number) > counts.get(id, 0):
                yield f"'{text}' is placed, but the side has {counts.get(id, 0)} of them"
            if text in placed:
                yield f"'{text}' is placed twice"
            placed.add(text)


def _hex(field: Battlefield, name: str) -> Iterator[str]:
    try:
        field.hex(str(name))
    except ValueError as error:
        yield str(error)
