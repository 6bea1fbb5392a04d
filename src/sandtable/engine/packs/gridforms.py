"""grid.toml in any of the ways that the packs describe a grid, as one `GridSpec`.

Common keys: `orientation` ("pointy", "flat"), `numbering` ("RRCC", "CCRR", "letters"; words after a colon are
a note), `offset_rows` or `offset_columns` ("odd", "even": those that lie half a hex further), `hex_count`,
`off_rectangle` (numbers that the rectangle has and the map has not), `boxes`, and `row_direction`,
`col_direction`, `offset_direction` where they are not south, east, and east (pointy) or south (flat).
The ranges come in one of these forms:
- `rows`, `columns_odd_rows`, `columns_even_rows`: rows of two lengths;
- `rows`, `columns`: a rectangle;
- `row_first`, `row_last`, `col_first`, `col_last`, or the same with `_min` and `_max`.
A `[neighbours]` table (steps by direction for odd and even rows) settles directions that no key names,
and must agree with the grid that comes out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sandtable.engine.hexes import FLAT, NOWHERE, POINTY, Grid, GridSpec, numbered
from sandtable.engine.packs.faults import Fault
from sandtable.engine.packs.files import Document

Ranges = tuple[range, range, range]
"""The rows, and the columns of even and of odd rows."""
Steps = dict[str, dict[str, tuple[int, int]]]
"""Parity of the row (flat: of the column) -> direction -> (row step, column step)."""

_SHORT = {"east": "E", "west": "W", "north": "N", "south": "S"}
_OFFSET_SENTENCE = re.compile(r"(odd|even) (?:columns|rows) are half a hex (?:lower|further (east|west|south|north))")


def read_grid(document: Document, aliases: Mapping[str, str], faults: list[Fault]) -> Grid | None:
    """The grid, or None and the reasons."""
    try:
        grid = Grid(grid_spec(document.data, aliases))
    except (ValueError, TypeError, KeyError) as error:
        faults.append(Fault(document.file, 1, str(error)))
        return None
    stated = document.data.get("hex_count", len(grid.hexes))
    if stated != len(grid.hexes):
        text = f"hex_count is {stated}, but the ranges give {len(grid.hexes)} hexes"
        faults.append(document.fault(("hex_count",), text))
    faults.extend(_disagreements(document, grid))
    return grid


def grid_spec(data: Mapping[str, Any], aliases: Mapping[str, str]) -> GridSpec:
    """The specification of a grid from the keys of a grid.toml."""
    orientation = str(_need(data, "orientation"))
    numbering = str(_need(data, "numbering")).partition(":")[0].strip()
    rows, even, odd = _ranges(data)
    steps = _declared(data)
    gone = {str(name) for name in data.get("off_rectangle", data.get("hexes_off_rectangle", ()))}
    cells = numbered(numbering, ((r, c) for r in rows for c in (odd if r % 2 else even)))
    known = {name for name, _, _ in cells}
    for name in gone - known:
        raise ValueError(f"off_rectangle: hex '{name}' is not in the rectangle")
    shifted, shift = _offset(data, orientation, steps)
    return GridSpec(
        orientation=orientation,
        cells=tuple(cell for cell in cells if cell[0] not in gone),
        shifted=shifted,
        shift=shift,
        rows=str(data.get("row_direction", "south")),
        columns=str(data.get("col_direction", _columns_direction(steps))),
        boxes=tuple(str(box) for box in data.get("boxes", ())),
        aliases={alias: name for alias, name in aliases.items() if name in known - gone},
    )


def _need(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise ValueError(f"'{key}' is missing")
    return data[key]


# ---------------------------------------------------------------- ranges, one function a form


def _ranges(data: Mapping[str, Any]) -> Ranges:
    if "columns_odd_rows" in data:
        return _two_lengths(data)
    if "rows" in data:
        return _rectangle(data)
    for first, last in (("first", "last"), ("min", "max")):
        if f"row_{first}" in data:
            return _bounds(data, first, last)
    raise ValueError("the rows and columns are not described in a known form (see the packs' guide)")


def _two_lengths(data: Mapping[str, Any]) -> Ranges:
    return _span(data, "rows"), _span(data, "columns_even_rows"), _span(data, "columns_odd_rows")


def _rectangle(data: Mapping[str, Any]) -> Ranges:
    columns = _span(data, "columns")
    return _span(data, "rows"), columns, columns


def _bounds(data: Mapping[str, Any], first: str, last: str) -> Ranges:
    columns = _inclusive("col", _need(data, f"col_{first}"), _need(data, f"col_{last}"))
    return _inclusive("row", _need(data, f"row_{first}"), _need(data, f"row_{last}")), columns, columns


def _span(data: Mapping[str, Any], key: str) -> range:
    value = _need(data, key)
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"'{key}' is not a pair of numbers such as [1, 10]")
    return _inclusive(key, *value)


def _inclusive(key: str, first: Any, last: Any) -> range:
    if not isinstance(first, int) or not isinstance(last, int) or last < first:
        raise ValueError(f"'{key}': {first!r} to {last!r} is not a range")
    return range(first, last + 1)


# ---------------------------------------------------------------- directions


def _offset(data: Mapping[str, Any], orientation: str, steps: Steps) -> tuple[str, str]:
    """Which rows (flat: columns) lie half a hex further, and where to."""
    shift = str(data.get("offset_direction", ""))
    for key in ("offset_rows", "offset_columns"):
        if key in data:
            return str(data[key]), shift or _shift_of(str(data[key]), orientation, steps)
    sentence = _OFFSET_SENTENCE.search(str(_need(data, "offset")))
    if sentence is None:
        raise ValueError(f"'offset': {data['offset']!r} does not say 'odd' or 'even' in a known way")
    return sentence[1], shift or sentence[2] or ""


def _shift_of(shifted: str, orientation: str, steps: Steps) -> str:
    """East or west: the north-east neighbour of a row shifted east lies one column further east."""
    if orientation != "pointy" or shifted not in steps:
        return ""
    east = 1 if _columns_direction(steps) == "east" else -1
    return "east" if steps[shifted]["NE"][1] * east > 0 else "west"


def _columns_direction(steps: Steps) -> str:
    for table in steps.values():
        if "E" in table:
            return "east" if table["E"][1] > 0 else "west"
    return "east"


def _declared(data: Mapping[str, Any]) -> Steps:
    """The neighbour steps that the file spells out, by parity and direction."""
    tables = data.get("neighbours", {})
    flat = data.get("orientation") == "flat"
    steps: Steps = {}
    for parity in ("odd", "even"):
        for key in (f"{parity}_rows", f"{parity}_row", f"{parity}_columns", f"{parity}_column"):
            table = tables.get(key)
            if isinstance(table, list):
                table = dict(zip(tables.get("order", FLAT if flat else POINTY), table, strict=True))
            if isinstance(table, dict):
                steps[parity] = {_short(name): _step(step, flat) for name, step in table.items()}
    return steps


def _short(name: str) -> str:
    """north_east and NE are the same direction."""
    return "".join(_SHORT.get(word, word) for word in name.split("_"))


def _step(step: Any, flat: bool) -> tuple[int, int]:
    """(row step, column step); a flat grid's file writes the column first."""
    first, second = step
    return (int(second), int(first)) if flat else (int(first), int(second))


def _disagreements(document: Document, grid: Grid) -> list[Fault]:
    """Where the neighbours that the file spells out are not those of the grid."""
    steps = _declared(document.data)
    cells = {(row, column): name for name, row, column in grid.spec.cells}
    checked: set[tuple[str, str]] = set()
    faults = []
    for (row, column), name in cells.items():
        number = column if grid.orientation == "flat" else row
        parity = "odd" if number % 2 else "even"
        for direction, (down, right) in steps.get(parity, {}).items():
            other = cells.get((row + down, column + right))
            if other is None or (parity, direction) in checked or direction not in grid.directions:
                continue
            checked.add((parity, direction))
            there = grid.neighbour(grid.index[name], grid.directions.index(direction))
            if there == NOWHERE or grid.names[there] != other:
                text = f"[neighbours] puts {other} {direction} of {name}, the grid does not"
                faults.append(document.fault(("neighbours",), text))
    return faults
