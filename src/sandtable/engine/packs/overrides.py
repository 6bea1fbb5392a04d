"""Overrides: a folder of the same file names whose rows and tables go over those of a pack.

In an override folder
- `hexes.csv`, `hexsides.csv`, `links.csv`, `places.csv`, `units.csv` change single rows. The header needs the
  key columns (`hex`; `hex` and `neighbour`; `name`; `id`); a row with a known key replaces the old one and
  keeps its cells in columns that the override does not have; a row with a new key is added. A missing
  `source` column is filled with "override". All rows of one hexside are replaced together, in either order
  of the two hexes; the kind `none` takes the feature away;
- `tables.toml`, `grid.toml` and `scenarios/<name>.toml` are merged table by table: keys replace keys, arrays
  are replaced whole, new keys and new scenarios are added;
- `<name>.replace.csv` or `<name>.replace.toml` stands in for the whole file.
Any other file, save notes (`*.md`, `*.txt`) and hidden files, is refused: it would be a slip of the pen.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandtable.engine.packs.faults import Fault
from sandtable.engine.packs.files import Document, Row, Sheet, merge, read_sheet, read_toml

KEYS: dict[str, tuple[str, ...]] = {
    "hexes": ("hex",),
    "hexsides": ("hex", "neighbour"),
    "links": ("hex", "neighbour"),
    "places": ("name",),
    "units": ("id",),
}
TOMLS = ("grid", "tables")
SCHEMA = "pack.toml"
NONE = "none"


def config_folder(game: str) -> Path:
    """Where the user's own override folder for a game is, or would be."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(home) if home else Path.home() / ".config"
    return base / "sandtable" / "packs" / game


def config_overrides(game: str) -> Path | None:
    """The user's own override folder for a game, if there is one."""
    folder = config_folder(game)
    return folder if folder.is_dir() else None


@dataclass
class Files:
    """All files of a pack with the overrides applied, before anything is made of them."""

    sheets: dict[str, Sheet] = field(default_factory=dict)
    grid: Document = field(default_factory=lambda: Document("grid.toml"))
    tables: Document = field(default_factory=lambda: Document("tables.toml"))
    schema: Document = field(default_factory=lambda: Document(SCHEMA))
    scenarios: dict[str, Document] = field(default_factory=dict)


def read_files(folder: Path, overrides: Sequence[Path], faults: list[Fault]) -> Files:
    """The files of a pack folder, with each override folder laid over them in turn."""
    files = Files()
    if not folder.is_dir():
        faults.append(Fault(str(folder), 0, "there is no such folder"))
        return files
    for name in KEYS:
        files.sheets[name] = read_sheet(folder / f"{name}.csv", f"{name}.csv", faults)
    files.grid = read_toml(folder / "grid.toml", "grid.toml", faults)
    files.tables = read_toml(folder / "tables.toml", "tables.toml", faults)
    if (folder / SCHEMA).is_file():
        files.schema = read_toml(folder / SCHEMA, SCHEMA, faults)
    for path in sorted((folder / "scenarios").glob("*.toml")):
        files.scenarios[path.stem] = read_toml(path, f"scenarios/{path.name}", faults)
    for override in overrides:
        _lay_over(files, override, faults)
    return files


def _lay_over(files: Files, folder: Path, faults: list[Fault]) -> None:
    if not folder.is_dir():
        faults.append(Fault(str(folder), 0, "there is no such override folder"))
        return
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not _is_expected(path.relative_to(folder)):
            faults.append(Fault(str(path), 0, "this is not a file of a pack"))
    for name, keys in KEYS.items():
        whole, rows = folder / f"{name}.replace.csv", folder / f"{name}.csv"
        if whole.is_file():
            files.sheets[name] = read_sheet(whole, str(whole), faults)
        if rows.is_file():
            patch = read_sheet(rows, str(rows), faults)
            files.sheets[name] = lay_rows(files.sheets[name], patch, keys, faults)
    files.grid = _lay_toml(files.grid, folder / "grid", faults)
    files.tables = _lay_toml(files.tables, folder / "tables", faults)
    names = {path.name.removesuffix(".toml").removesuffix(".replace") for path in folder.glob("scenarios/*.toml")}
    for name in sorted(names):
        base = files.scenarios.get(name, Document(str(folder / "scenarios" / f"{name}.toml")))
        files.scenarios[name] = _lay_toml(base, folder / "scenarios" / name, faults)


def _is_expected(path: Path) -> bool:
    """Whether a file of an override folder has a name that will be read, or is a note."""
    if path.suffix in (".md", ".txt") or any(part.startswith(".") for part in path.parts):
        return True
    if path.parent.name == "scenarios" and len(path.parts) == 2:
        return path.suffix == ".toml"
    stem = path.stem.removesuffix(".replace")
    known = {".csv": KEYS, ".toml": TOMLS}.get(path.suffix, ())
    return len(path.parts) == 1 and stem in known


def _lay_toml(base: Document, stem: Path, faults: list[Fault]) -> Document:
    whole, part = stem.with_name(f"{stem.name}.replace.toml"), stem.with_name(f"{stem.name}.toml")
    if whole.is_file():
        base = read_toml(whole, str(whole), faults)
    if part.is_file():
        base = merge(base, read_toml(part, str(part), faults))
    return base


def lay_rows(base: Sheet, patch: Sheet, keys: Sequence[str], faults: list[Fault]) -> Sheet:
    """The rows of an override over those of a sheet, by key."""
    missing = [key for key in keys if key not in patch.columns]
    unknown = [column for column in patch.columns if column and column not in base.columns]
    faults.extend(patch.fault(1, f"column '{key}' is missing: it says which row is meant") for key in missing)
    faults.extend(patch.fault(1, f"column '{column}' is unknown") for column in unknown)
    if missing or unknown:
        return base
    old: dict[tuple[str, ...], list[Row]] = {}
    for row in base.rows:
        old.setdefault(_key(row, keys), []).append(row)
    new: dict[tuple[str, ...], list[Row]] = {}
    for row in patch.rows:
        key = _key(row, keys)
        new.setdefault(key, []).append(_filled(row, old.get(key, ()), base.columns))
    rows: list[Row] = []
    for key, group in old.items():
        rows.extend(new.pop(key, group))
    for group in new.values():
        rows.extend(group)
    return Sheet(base.file, base.columns, tuple(row for row in rows if row.get("kind") != NONE))


def _key(row: Row, keys: Sequence[str]) -> tuple[str, ...]:
    key = tuple(row[column] for column in keys)
    return tuple(sorted(key)) if "neighbour" in keys else key


def _filled(row: Row, old: Sequence[Row], columns: Sequence[str]) -> Row:
    """An override's row with the cells that it leaves out taken from the row it replaces."""
    if "neighbour" in columns and "kind" in row:
        old = [known for known in old if known["kind"] == row["kind"]]
    before = old[0].cells if old else {}
    cells = {column: row.cells.get(column, before.get(column, "")) for column in columns}
    if "source" in columns and "source" not in row:
        cells["source"] = "override"
    return Row(row.file, row.line, cells)
