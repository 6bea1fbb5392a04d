"""Boards laid side by side, turned or not, with overlays on them: the cells of one map, before it is a battlefield.

A cell is named by its coordinates (column, doubled row): columns count east over all boards, the doubled row counts
half hexes south, so that each direction is one step whatever the column. A2.1, A2.3, A2.7, F12.1-F12.2, F12.41a.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from sandtable.engine.hexes import letters
from sandtable.engine.packs import PackError, Row
from sandtable.games.asl.boards.pack import AslPack, BoardSheets
from sandtable.games.asl.boards.terrain import LEVEL

At: TypeAlias = tuple[int, int]
"""(column, doubled row) on the whole map."""

STEPS: tuple[At, ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""N, NE, SE, S, SW, NW."""

BOARD_COLUMNS = 33
BOARD_ROWS = 10
FORMS = ("deir", "lip", "wadi", "hillock", "summit", "dune")
"""The tags that are landforms; an overlay replaces those of the hexes that it covers."""

_HEX = re.compile(r"([A-Z]{1,2})(\d{1,2})")
_NAMED = re.compile(r"(?P<board>[^.]+?)(?:\.|o)(?P<hex>[A-Z]{1,2}\d{1,2})")


class Placed(NamedTuple):
    """A board on the map: x and y in boards from the top left one, half a board (16 columns) being possible."""

    board: BoardSheets
    x: float
    y: int
    rotated: bool
    level: int = 0
    """F12.5b The level, in half levels, on which the whole board stands."""
    columns: tuple[int, int] = (1, BOARD_COLUMNS)
    """The playable columns, by the board's own count."""

    def at(self, column: int, row: int) -> At:
        """Where a hex of this board lies on the map."""
        if self.rotated:
            row = (11 if column % 2 else 10) - row
            column = BOARD_COLUMNS + 1 - column
        c = round(32 * self.x) + column
        return c, 2 * (BOARD_ROWS * self.y + row) - column % 2

    def direction(self, d: int) -> int:
        """A direction of the board on the map."""
        return (d + 3) % 6 if self.rotated else d


@dataclass
class Cell:
    """One hex of the map while it is being laid out; levels in half levels."""

    names: list[str]
    board: str
    level: int
    terrain: str
    forms: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    mass: str = ""
    """Which hillock, deir or dune it is part of."""
    overlay: str = ""
    base: int = 0
    """The level of the ground under a hillock."""
    inherent: bool = False
    half: bool = False
    desert: bool = True
    chapter_b: bool = False
    boards: set[str] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)
    """(board, edge) as the board itself is printed."""


@dataclass
class Layout:
    """The cells of a map and what lies between them."""

    placed: tuple[Placed, ...]
    cells: dict[At, Cell] = field(default_factory=dict)
    sides: dict[tuple[At, At, str], set[At]] = field(default_factory=dict)
    """(hex, neighbour, kind) in order of their coordinates -> the hexes that own it: the high one, the deir's …"""
    tracks: set[tuple[At, At]] = field(default_factory=set)
    roads: set[tuple[At, At]] = field(default_factory=set)
    overlays: list[str] = field(default_factory=list)
    alternates: list[str] = field(default_factory=list)
    """F13 The alternate terrain that a special rule has made of it."""

    def find(self, name: str) -> At:
        """The cell of "D4.S3", "D4oS3" or, on a map of one board, "S3"."""
        found = _NAMED.fullmatch(name.strip())
        board, hex_ = (found["board"], found["hex"]) if found else ("", name.strip())
        for one in self.placed:
            if board in ("", one.board.id):
                at = one.at(*hex_numbers(hex_))
                if at in self.cells:
                    return at
        raise PackError("map", 0, f"there is no hex {name} on this map")

    def between(self, a: At, b: At, kind: str) -> set[At] | None:
        """The owners of a feature between two hexes; None if it is not there."""
        return self.sides.get((min(a, b), max(a, b), kind))

    def add_side(self, a: At, b: At, kind: str, owners: Iterable[At]) -> None:
        self.sides.setdefault((min(a, b), max(a, b), kind), set()).update(owners)

    def accessible(self, a: At) -> list[At]:
        """The neighbours that Infantry could advance into: all but those across a cliff."""
        around = []
        for step in STEPS:
            b = (a[0] + step[0], a[1] + step[1])
            if b in self.cells and not any(self.between(a, b, kind) is not None for kind in ("cliff", "wadi_cliff")):
                around.append(b)
        return around


def hex_numbers(name: str) -> tuple[int, int]:
    """Column and row of a hex of a board: K5 is (11, 5)."""
    found = _HEX.fullmatch(name)
    if not found or len(set(found[1])) != 1:
        raise PackError("map", 0, f"'{name}' is not the name of a hex")
    return 26 * (len(found[1]) - 1) + ord(found[1][0]) - 64, int(found[2])


def lay_out(pack: AslPack, map_: Mapping[str, Any]) -> Layout:
    """The layout of a scenario's `[map]` table."""
    placed = tuple(sorted((_placed(pack, one, map_) for one in map_["boards"]), key=lambda p: (p.y, p.x)))
    if not placed:
        raise PackError("map", 0, "a map needs at least one board")
    layout = Layout(placed)
    for one in placed:
        _lay_board(layout, one)
    for one in placed:
        _lay_hexsides(layout, one)
    for entry in map_.get("overlays", ()):
        lay_overlay(pack, layout, entry)
    _join_wadis(layout)
    _designate(layout, map_)
    for one in placed:
        _lay_printed_roads(layout, one)
    for kind, ways in (("tracks", layout.tracks), ("roads", layout.roads)):
        for name in map_.get(kind, ()):
            _lay_way(layout, str(name), ways)
    return layout


def _placed(pack: AslPack, entry: Mapping[str, Any], map_: Mapping[str, Any]) -> Placed:
    id = str(entry["id"])
    if id not in pack.boards:
        raise PackError("map", 0, f"there is no board {id}; there are {', '.join(pack.boards)}")
    x = float(entry.get("x", 0))
    if (2 * x) % 1:
        raise PackError("map", 0, f"board {id}: x is {x}, but boards lie whole or half a board apart")
    ends = map_.get("playable_columns", {}).get(id)
    columns = (hex_numbers(f"{ends[0]}1")[0], hex_numbers(f"{ends[1]}1")[0]) if ends else (1, BOARD_COLUMNS)
    level = round(LEVEL * float(entry.get("level", 0)))
    return Placed(pack.boards[id], x, int(entry.get("y", 0)), bool(entry.get("rotated", False)), level, columns)


def board_hexes(board: BoardSheets) -> dict[tuple[int, int], Row]:
    """The rows of a board's hexes by column and row, every hex of the board once (A2.1)."""
    rows: dict[tuple[int, int], Row] = {}
    for row in board.hexes.rows:
        column, number = hex_numbers(row["hex"])
        if not (1 <= column <= BOARD_COLUMNS and column % 2 <= number <= BOARD_ROWS):
            raise row.error(f"hex '{row['hex']}' is not on a board of {BOARD_COLUMNS} columns and {BOARD_ROWS} rows")
        if (column, number) in rows:
            raise row.error(f"hex '{row['hex']}' is there twice")
        rows[column, number] = row
    for column in range(1, BOARD_COLUMNS + 1):
        for number in range(column % 2, BOARD_ROWS + 1):
            if (column, number) not in rows:
                raise PackError(board.hexes.file, 0, f"hex '{letters(column)}{number}' has no row")
    return rows


def _lay_board(layout: Layout, one: Placed) -> None:
    board = one.board
    for (column, number), row in board_hexes(board).items():
        if not one.columns[0] <= column <= one.columns[1]:
            continue
        tags = set(row.parts("tags"))
        forms = tags & set(FORMS)
        level = round(LEVEL * row.number("level")) + one.level
        mass = next((f"{board.id}:{t}" for t in sorted(tags) if re.match(r"(hillock|deir|dune)_id:", t)), "")
        rise = (LEVEL if "summit" in forms else 1) if "hillock" in forms else 0
        cell = Cell([f"{board.id}.{row['hex']}"], board.id, level, row["terrain"], forms, tags, mass)
        cell.base = level - rise
        cell.half = "half" in tags
        cell.inherent = "inherent" in tags
        cell.desert = board.desert
        hill = cell.base > one.level and "wadi" not in forms and row["terrain"] not in ("scrub", "hammada")
        cell.chapter_b = board.chapter_b_hills and hill
        cell.boards = {board.id}
        cell.edges = {(board.id, tag[5:]) for tag in tags if tag.startswith("edge:")}
        at = one.at(column, number)
        known = layout.cells.get(at)
        if known is None:
            layout.cells[at] = cell
        else:
            _merge(known, cell)


def _merge(known: Cell, other: Cell) -> None:
    """A2.3 Two half-hexes are one hex, named after the board on the left or above, with the terrain of both."""
    known.names += other.names
    if known.terrain == "open":
        known.terrain, known.inherent = other.terrain, other.inherent
    known.level, known.base = max(known.level, other.level), max(known.base, other.base)
    known.forms |= other.forms
    known.tags |= other.tags
    known.mass = known.mass or other.mass
    known.boards |= other.boards
    known.edges |= other.edges
    known.half = False
    known.desert = known.desert and other.desert
    known.chapter_b = known.chapter_b or other.chapter_b


def _lay_hexsides(layout: Layout, one: Placed) -> None:
    for row in one.board.hexsides.rows:
        a, b = (one.at(*hex_numbers(row[column])) for column in ("hex", "neighbour"))
        if (b[0] - a[0], b[1] - a[1]) not in STEPS:
            raise row.error(f"hexes '{row['hex']}' and '{row['neighbour']}' are not adjacent")
        if a not in layout.cells or b not in layout.cells:
            continue
        if row["kind"] == "lip":
            owners = {h for h in (a, b) if "deir" in layout.cells[h].forms}
        else:
            owners = {one.at(*hex_numbers(row["high"]))} if row["high"] else set()
        layout.add_side(a, b, row["kind"], owners)


def turned(offset: Sequence[int], times: int) -> tuple[int, int]:
    """An axial offset turned clockwise by sixty degrees, so many times."""
    q, r = offset
    for _ in range(times % 6):
        q, r = -r, q + r
    return q, r


def overlay_cells(pack: AslPack, layout: Layout, entry: Mapping[str, Any]) -> tuple[dict[At, Mapping[str, Any]], int]:
    """F12.2a The hexes that an overlay covers with its hexes 1 and 2 where the entry says, and how far it is turned."""
    id = str(entry["id"])
    shape = pack.overlays.get(id)
    if shape is None:
        raise PackError("map", 0, f"there is no overlay {id}")
    board = str(entry["board"])
    first = layout.find(f"{board}.{entry['hex1']}")
    times = 0
    if entry.get("hex2"):
        second = layout.find(f"{board}.{entry['hex2']}")
        step = (second[0] - first[0], second[1] - first[1])
        if step not in STEPS:
            raise PackError("map", 0, f"overlay {id}: {entry['hex1']} and {entry['hex2']} are not adjacent")
        times = STEPS.index(step)
    covered = {}
    for hex_ in shape["hexes"]:
        q, r = turned(hex_["at"], times)
        covered[first[0] + q, first[1] + 2 * r + q] = hex_
    return covered, times


def lay_overlay(pack: AslPack, layout: Layout, entry: Mapping[str, Any]) -> None:
    """F12.2 Lay one overlay; what would lie outside the playing area is not used (F12.33c)."""
    covered, times = overlay_cells(pack, layout, entry)
    id = str(entry["id"])
    shape = pack.overlays[id]
    layout.overlays.append(id)
    high = bool(entry.get("high", False))
    for at, hex_ in covered.items():
        if at in layout.cells:
            _cover(layout.cells[at], hex_, f"{id}@{entry['hex1']}", id, high)
    # F12.1b The board's own hexsides govern along the edge; those inside are the overlay's.
    inside = [key for key in layout.sides if key[0] in covered and key[1] in covered]
    for key in inside:
        del layout.sides[key]
    centre = next(at for at, hex_ in covered.items() if list(hex_["at"]) == [0, 0])
    for side in shape["hexsides"]:
        q, r = turned(side["at"], times)
        a = (centre[0] + q, centre[1] + 2 * r + q)
        step = STEPS[(side["dir"] - 1 + times) % 6]
        b = (a[0] + step[0], a[1] + step[1])
        if a not in layout.cells or b not in layout.cells:
            continue
        kind = side["kind"]
        layout.add_side(a, b, kind, {b} if kind == "wadi_cliff" else set() if kind == "wadi" else {a})


def _cover(cell: Cell, hex_: Mapping[str, Any], mass: str, id: str, high: bool) -> None:
    tags = set(hex_["tags"])
    if hex_["terrain"] != "base":
        cell.terrain = str(hex_["terrain"])
        cell.inherent = "inherent" in tags
    cell.level = cell.base + round(LEVEL * hex_["level"])
    cell.forms = tags & set(FORMS)
    if high and "dune" in cell.forms:
        _raise_dune(cell)
    cell.tags = {tag for tag in cell.tags if tag.startswith(("half", "edge:"))} | tags
    cell.mass = mass if cell.forms & {"deir", "hillock", "dune", "high_dune"} else ""
    cell.overlay = id
    cell.desert = True  # F.1D
    cell.chapter_b = False
    cell.names += [name.replace(".", "o", 1) for name in cell.names if "." in name]


def _raise_dune(cell: Cell) -> None:
    """F7.5c A High dune has the elevation and all properties of a hillock."""
    cell.forms |= {"hillock", "high_dune"}
    cell.level = cell.base + 1


def _designate(layout: Layout, map_: Mapping[str, Any]) -> None:
    """F7.5a, F6.6c What special rules make of dunes and hillocks: `high_dunes`, `summits`, lists of hexes."""
    for name in map_.get("high_dunes", ()):
        first = layout.cells[layout.find(str(name))]
        if "dune" not in first.forms:
            raise PackError("map", 0, f"{name} is not a dune")
        for cell in layout.cells.values():
            if "dune" in cell.forms and cell.mass == first.mass and "high_dune" not in cell.forms:
                _raise_dune(cell)
    for name in map_.get("summits", ()):
        cell = layout.cells[layout.find(str(name))]
        if "hillock" not in cell.forms:
            raise PackError("map", 0, f"{name} is not a hillock")
        cell.forms.add("summit")
        cell.level = cell.base + LEVEL


def _join_wadis(layout: Layout) -> None:
    """F12.41a A wadi that ends beside another, on another board or overlay, is one wadi with it."""
    ends = {at for at, cell in layout.cells.items() if "wadi" in cell.forms and _wadi_sides(layout, at) <= 1}
    for a in ends:
        for step in STEPS:
            b = (a[0] + step[0], a[1] + step[1])
            other = layout.cells.get(b)
            if other is None or "wadi" not in other.forms:
                continue
            one = layout.cells[a]
            if (one.overlay, one.boards) == (other.overlay, other.boards):
                continue
            if layout.between(a, b, "wadi_cliff") is None:
                layout.add_side(a, b, "wadi", ())


def _wadi_sides(layout: Layout, at: At) -> int:
    steps = ((at[0] + dx, at[1] + dy) for dx, dy in STEPS)
    return sum(layout.between(at, b, "wadi") is not None for b in steps)


def _lay_printed_roads(layout: Layout, one: Placed) -> None:
    """F9.3a Roads that are printed on the board itself, as on board 25."""
    for row in one.board.tracks.rows:
        if row["kind"] == "road":
            a, b = (one.at(*hex_numbers(row[column])) for column in ("hex", "neighbour"))
            if a in layout.cells and b in layout.cells:
                layout.roads.add((min(a, b), max(a, b)))


def _lay_way(layout: Layout, name: str, ways: set[tuple[At, At]]) -> None:
    """F9.1a A line of a board's tracks, "D4:EW"; or a list of hexes, "D4.A5-D4.B5-…"."""
    board, colon, line = name.partition(":")
    if not colon:
        hexes = [layout.find(part) for part in name.split("-")]
        _lay_steps(name, hexes, ways)
        return
    found = False
    for one in layout.placed:
        if one.board.id != board:
            continue
        for row in one.board.tracks.rows:
            if row["line"] == line:
                found = True
                a, b = (one.at(*hex_numbers(row[column])) for column in ("hex", "neighbour"))
                if a in layout.cells and b in layout.cells:
                    ways.add((min(a, b), max(a, b)))
    if not found:
        raise PackError("map", 0, f"there is no track {name}")


def _lay_steps(name: str, hexes: Sequence[At], ways: set[tuple[At, At]]) -> None:
    for a, b in itertools.pairwise(hexes):
        if (b[0] - a[0], b[1] - a[1]) not in STEPS:
            raise PackError("map", 0, f"track {name}: its hexes are not adjacent")
        ways.add((min(a, b), max(a, b)))
