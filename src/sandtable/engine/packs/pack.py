"""A pack: the map, counters, charts and scenarios of a game, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandtable.engine.hexes import NO_SIDES, NOWHERE, Grid, Hex, Mask, Sides, sides_from_pairs
from sandtable.engine.packs.faults import Fault, refuse
from sandtable.engine.packs.files import Document, Row, Sheet
from sandtable.engine.packs.gridforms import read_grid
from sandtable.engine.packs.overrides import Files, read_files
from sandtable.engine.packs.scenarios import Placement, check_scenario, placements, scenario_id
from sandtable.engine.packs.schema import Schema, check_sheet, matches, read_schema

IMPASSABLE = "impassable"


@dataclass(frozen=True)
class HexRow:
    """A hex of the map."""

    hex: Hex
    id: str
    terrain: str
    tags: frozenset[str]
    name: str
    source: str
    row: Row

    def tag(self, key: str) -> str:
        """The value of a tag such as `capacity:5`, or ''."""
        return next((tag.partition(":")[2] for tag in self.tags if tag.startswith(f"{key}:")), "")


@dataclass(frozen=True)
class Edge:
    """A hexside feature or a link between two adjacent hexes; `high` is the upper hex, -1 if none is."""

    hex: Hex
    neighbour: Hex
    direction: int
    kind: str
    high: Hex
    name: str
    row: Row


@dataclass(frozen=True)
class Place:
    """A name on the map; `side` is the other hex of the hexside it belongs to, -1 if it lies in its hex."""

    name: str
    hex: Hex
    kind: str
    attributes: Mapping[str, str]
    side: Hex
    row: Row


@dataclass(frozen=True, eq=False)
class Pack:
    """The data of a game. Masks and sides are keyed by the words of the files themselves."""

    folder: Path
    overrides: tuple[Path, ...]
    grid: Grid
    hexes: Mapping[Hex, HexRow]
    terrain: Mapping[str, Mask]
    tags: Mapping[str, Mask]
    impassable: Mask
    hexsides: tuple[Edge, ...]
    sides: Mapping[str, Sides]
    rises: Mapping[str, Sides]
    ways: tuple[Edge, ...]
    links: Mapping[str, Sides]
    places: tuple[Place, ...]
    units: Mapping[str, Row]
    tables: Mapping[str, Any]
    scenarios: Mapping[str, dict[str, Any]]

    def hex(self, text: str) -> Hex:
        """The hex of a book number or of a name that only one hex has."""
        return self.grid.index_of(text)

    def id(self, hex_: Hex) -> str:
        """The book number of a hex."""
        return self.grid.names[hex_]

    def name(self, hex_: Hex) -> str:
        """The name of a hex, or else its number."""
        return self.hexes[hex_].name or self.grid.names[hex_]

    def place(self, name: str) -> Place:
        """A place by its name."""
        return next(place for place in self.places if place.name == name)

    def tagged(self, tag: str) -> Mask:
        """The hexes with a tag."""
        return self.tags.get(tag, 0)

    def sides_where(self, wanted: Callable[[Edge], bool]) -> Sides:
        """The hexsides of hexsides.csv that fulfil a condition."""
        return _sides(self.grid, (edge for edge in self.hexsides if wanted(edge)))

    def links_where(self, wanted: Callable[[Edge], bool]) -> Sides:
        """The links of links.csv that fulfil a condition."""
        return _sides(self.grid, (edge for edge in self.ways if wanted(edge)))

    def setup(self, scenario: str) -> list[Placement]:
        """Who stands where at the start of a scenario, whichever way its file says it."""
        return placements(self.scenarios[scenario])


Extra = Callable[[Pack], list[Fault]]
"""A game's own checks of its pack."""


def load_pack(folder: Path, overrides: Sequence[Path] = (), extra: Extra | None = None) -> Pack:
    """The pack in this folder under these overrides, whole or not at all: a PackError holds every fault."""
    pack, faults = _read(folder, overrides, extra)
    refuse(faults)
    assert pack is not None
    return pack


def check_pack(folder: Path, overrides: Sequence[Path] = (), extra: Extra | None = None) -> list[Fault]:
    """Everything that is wrong with a pack under these overrides, by file and line."""
    return _read(folder, overrides, extra)[1]


def _read(folder: Path, overrides: Sequence[Path], extra: Extra | None) -> tuple[Pack | None, list[Fault]]:
    faults: list[Fault] = []
    files = read_files(folder, overrides, faults)
    schema = read_schema(files.schema, faults)
    whole = [check_sheet(files.sheets.get(n, Sheet(n)), rules, faults) for n, rules in schema.sheets.items()]
    if files.tables.data or not faults:
        faults.extend(
            Fault(files.tables.file, 0, f"table '{needed}' is missing")
            for needed in schema.tables
            if not any(True for _ in matches(files.tables.data, needed))
        )
    pack: Pack | None = None
    if all(whole) and (files.grid.data or not faults):
        grid = read_grid(files.grid, _aliases(files.sheets["hexes"]), faults)
        if grid is not None:
            pack = _build(folder, tuple(overrides), files, schema, grid, faults)
    if pack is not None and extra is not None and not faults:
        faults.extend(extra(pack))
    return pack, sorted(set(faults))


def _aliases(sheet: Sheet) -> dict[str, str]:
    """The hex names that only one hex has."""
    numbers: dict[str, list[str]] = {}
    for row in sheet.rows:
        if row["name"]:
            numbers.setdefault(row["name"], []).append(row["hex"])
    return {name: found[0] for name, found in numbers.items() if len(found) == 1}


def _build(
    folder: Path, overrides: tuple[Path, ...], files: Files, schema: Schema, grid: Grid, faults: list[Fault]
) -> Pack:
    hexes = _hexes(files.sheets["hexes"], grid, faults)
    terrain: dict[str, Mask] = {}
    tags: dict[str, Mask] = {}
    for row in hexes.values():
        terrain[row.terrain] = terrain.get(row.terrain, 0) | 1 << row.hex
        for tag in row.tags:
            tags[tag] = tags.get(tag, 0) | 1 << row.hex
    impassable = tags.get(IMPASSABLE, 0)
    for kind in schema.impassable:
        impassable |= terrain.get(kind, 0)
    hexsides = _edges(files.sheets["hexsides"], grid, faults)
    ways = _edges(files.sheets["links"], grid, faults)
    units = _keyed(files.sheets["units"], "id", "unit", faults)
    for document in files.scenarios.values():
        faults.extend(check_scenario(document, schema, grid, units, impassable))
    return Pack(
        folder=folder,
        overrides=overrides,
        grid=grid,
        hexes=hexes,
        terrain=terrain,
        tags=tags,
        impassable=impassable,
        hexsides=hexsides,
        sides={kind: _sides(grid, _of_kind(hexsides, kind)) for kind in _kinds(hexsides)},
        rises={kind: _rises(_of_kind(hexsides, kind)) for kind in _kinds(hexsides)},
        ways=ways,
        links={kind: _sides(grid, _of_kind(ways, kind)) for kind in _kinds(ways)},
        places=_places(files.sheets["places"], grid, faults),
        units=units,
        tables=files.tables.data,
        scenarios=_scenarios(files.scenarios, faults),
    )


def _keyed(sheet: Sheet, column: str, what: str, faults: list[Fault]) -> dict[str, Row]:
    """The rows by a column that names each only once."""
    rows: dict[str, Row] = {}
    for row in sheet.rows:
        key = row[column]
        if key in rows:
            faults.append(row.fault(f"{what} '{key}' is there twice (see line {rows[key].line})"))
        elif key:
            rows[key] = row
    return rows


def _hexes(sheet: Sheet, grid: Grid, faults: list[Fault]) -> dict[Hex, HexRow]:
    rows = _keyed(sheet, "hex", "hex", faults)
    hexes: dict[Hex, HexRow] = {}
    for name, row in rows.items():
        hex_ = _hex(row, "hex", grid, faults)
        if hex_ != NOWHERE:
            tags = frozenset(row.parts("tags"))
            hexes[hex_] = HexRow(hex_, name, row["terrain"], tags, row["name"], row["source"], row)
    for hex_ in grid.hexes:
        if hex_ not in hexes:
            faults.append(sheet.fault(0, f"hex '{grid.names[hex_]}' has no row"))
    return dict(sorted(hexes.items()))


def _hex(row: Row, column: str, grid: Grid, faults: list[Fault]) -> Hex:
    """The hex that a cell names; -1 and a fault if there is none."""
    name = row[column]
    hex_ = grid.index.get(name, NOWHERE)
    if hex_ == NOWHERE and name:
        faults.append(row.fault(f"{column} '{name}' is not on the grid"))
    return hex_


def _edges(sheet: Sheet, grid: Grid, faults: list[Fault]) -> tuple[Edge, ...]:
    edges: list[Edge] = []
    seen: dict[tuple[Hex, Hex, str], Row] = {}
    for row in sheet.rows:
        hex_, neighbour = _hex(row, "hex", grid, faults), _hex(row, "neighbour", grid, faults)
        if NOWHERE in (hex_, neighbour):
            continue
        direction = grid.direction(hex_, neighbour)
        if direction < 0:
            faults.append(row.fault(f"hexes '{row['hex']}' and '{row['neighbour']}' are not adjacent"))
            continue
        key = (min(hex_, neighbour), max(hex_, neighbour), row["kind"])
        if key in seen:
            between = f"{row['kind']} between '{row['hex']}' and '{row['neighbour']}'"
            faults.append(row.fault(f"{between} is there twice (see line {seen[key].line})"))
            continue
        seen[key] = row
        high = grid.index.get(row.get("high"), NOWHERE)
        if row.get("high") and high not in (hex_, neighbour):
            faults.append(row.fault(f"high '{row['high']}' is neither of the two hexes"))
        edges.append(Edge(hex_, neighbour, direction, row["kind"], high, row.get("name"), row))
    return tuple(edges)


def _kinds(edges: Sequence[Edge]) -> list[str]:
    return sorted({edge.kind for edge in edges})


def _of_kind(edges: Sequence[Edge], kind: str) -> list[Edge]:
    return [edge for edge in edges if edge.kind == kind]


def _sides(grid: Grid, edges: Iterable[Edge]) -> Sides:
    return sides_from_pairs(grid, ((edge.hex, edge.neighbour) for edge in edges))


def _rises(edges: Sequence[Edge]) -> Sides:
    """The sides as seen from below: `[d]` holds the hexes from which a step in direction d goes up."""
    up = list(NO_SIDES)
    for edge in edges:
        if edge.high == edge.neighbour:
            up[edge.direction] |= 1 << edge.hex
        elif edge.high == edge.hex:
            up[(edge.direction + 3) % 6] |= 1 << edge.neighbour
    return tuple(up)


def _places(sheet: Sheet, grid: Grid, faults: list[Fault]) -> tuple[Place, ...]:
    places = []
    for row in _keyed(sheet, "name", "place", faults).values():
        hex_ = _hex(row, "hex", grid, faults)
        if hex_ == NOWHERE:
            continue
        attributes = row.attributes()
        side = _place_side(attributes.get("hexside", ""), hex_, grid)
        if side == NOWHERE and "hexside" in attributes:
            faults.append(row.fault(f"'{attributes['hexside']}' is not a side of hex '{row['hex']}'"))
        places.append(Place(row["name"], hex_, row["kind"], attributes, side, row))
    return tuple(places)


def _place_side(text: str, hex_: Hex, grid: Grid) -> Hex:
    """The other hex of a hexside such as 0516/0615, -1 if it is not a side of this hex."""
    pair = [grid.index.get(name.strip(), NOWHERE) for name in text.split("/")]
    if len(pair) != 2 or hex_ not in pair:
        return NOWHERE
    other = pair[0] if pair[1] == hex_ else pair[1]
    return other if other != NOWHERE and grid.adjacent(hex_, other) else NOWHERE


def _scenarios(documents: Mapping[str, Document], faults: list[Fault]) -> dict[str, dict[str, Any]]:
    scenarios: dict[str, dict[str, Any]] = {}
    for stem, document in documents.items():
        name = scenario_id(document.data, stem)
        if name in scenarios:
            faults.append(document.fault(("id",), f"scenario '{name}' is there twice"))
        scenarios[name] = document.data
    return scenarios
