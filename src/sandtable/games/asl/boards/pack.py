"""The data of the desert game: boards, overlays, charts, counters and scenarios.

A folder holds `boards/grid.toml` with one `[[board]]` table a board and its three sheets (`<id>_hexes.csv`,
`<id>_hexsides.csv`, `<id>_tracks.csv`), `boards/places.csv`, `overlays.toml`, `tables.toml`, `counters/*.csv` and
`scenarios/*.toml`. A folder of a player's own has the same files with what differs: boards and overlays are added
or replaced by id, rows of counters by id, charts key by key. An imported board (`sandtable packs import-vasl`) also
has `<id>_pixels.bin`, the art on which its lines of sight are traced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from sandtable.engine.packs import Fault, PackError, Row, config_overrides
from sandtable.engine.packs.faults import refuse
from sandtable.engine.packs.files import Document, Sheet, merge, read_sheet, read_toml
from sandtable.engine.packs.overrides import lay_rows
from sandtable.games.asl.boards.terrain import HexsideKind, TerrainKind, hexside_kinds, terrain_kinds

DATA = Path(__file__).resolve().parent.parent / "data"

COUNTERS = ("infantry", "leaders", "support_weapons", "guns", "vehicles")
HEX_COLUMNS = ("hex", "level", "terrain", "tags")
SIDE_COLUMNS = ("hex", "neighbour", "kind", "high")
TRACK_COLUMNS = ("hex", "neighbour", "kind", "line")
SIDE_KINDS = ("lip", "wadi", "wadi_cliff", "crest", "cliff", "dune_crest", "wall", "hedge")


@dataclass(frozen=True)
class BoardSheets:
    """One geomorphic board as its files have it; nothing is laid out yet."""

    id: str
    name: str
    name_ja: str
    hexes: Sheet
    hexsides: Sheet
    tracks: Sheet
    desert: bool = True
    """F.1a, F.1b Is it desert terrain?"""
    chapter_b_hills: bool = False
    """F.2Aa Do its hill hexes use the costs of Chapter B, as those of board 25?"""
    pixels: Path | None = None


@dataclass(frozen=True)
class AslPack:
    """Everything that the files say. `tables` holds the charts under the names that the rulebook gives them."""

    folders: tuple[Path, ...]
    boards: Mapping[str, BoardSheets]
    overlays: Mapping[str, Mapping[str, Any]]
    tables: Mapping[str, Any]
    terrain: Mapping[str, TerrainKind]
    hexsides: Mapping[str, HexsideKind]
    counters: Mapping[str, Mapping[str, Row]]
    """File -> id -> row: `counters["vehicles"]["ge_pz3g"]`."""
    scenarios: Mapping[str, dict[str, Any]]
    places: tuple[Row, ...]
    laid: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """Battlefields already laid out of this pack."""

    def counter(self, id: str) -> Row:
        """The row of a counter, whichever file has it."""
        for rows in self.counters.values():
            if id in rows:
                return rows[id]
        raise KeyError(f"no counter has the id {id!r}")


def load_asl_pack(overrides: Sequence[Path] = (), folder: Path = DATA) -> AslPack:
    """The pack with these folders laid over it, whole or not at all: a PackError holds every fault."""
    pack, faults = _read(folder, tuple(overrides))
    refuse(faults)
    return pack


def check_asl_pack(overrides: Sequence[Path] = (), folder: Path = DATA) -> list[Fault]:
    """Everything that is wrong with the pack under these folders, by file and line."""
    try:
        return _read(folder, tuple(overrides))[1]
    except PackError as error:
        return list(error.faults)


@cache
def asl_pack() -> AslPack:
    """The pack with what stands in the player's own folder laid over it, read once."""
    own = config_overrides("asl")
    return load_asl_pack([own] if own is not None else ())


def _read(folder: Path, overrides: tuple[Path, ...]) -> tuple[AslPack, list[Fault]]:
    faults: list[Fault] = []
    folders = (folder, *overrides)
    faults.extend(Fault(str(one), 0, "there is no such folder") for one in folders if not one.is_dir())
    refuse(faults)
    boards: dict[str, BoardSheets] = {}
    overlays: dict[str, Mapping[str, Any]] = {}
    places: list[Row] = []
    scenarios: dict[str, Document] = {}
    tables = Document("tables.toml")
    counters: dict[str, Sheet] = {}
    for number, one in enumerate(folders):
        _read_boards(one, boards, faults)
        if (one / "overlays.toml").is_file() or not number:
            found = read_toml(one / "overlays.toml", _label(one / "overlays.toml", number), faults)
            overlays |= {str(o.get("id", "")): o for o in found.data.get("overlay", ())}
        if (one / "tables.toml").is_file() or not number:
            tables = merge(tables, read_toml(one / "tables.toml", _label(one / "tables.toml", number), faults))
        for name in COUNTERS:
            path = one / "counters" / f"{name}.csv"
            if path.is_file() or not number:
                sheet = read_sheet(path, _label(path, number), faults)
                counters[name] = lay_rows(counters[name], sheet, ("id",), faults) if number else sheet
        if (one / "boards" / "places.csv").is_file():
            places += read_sheet(one / "boards" / "places.csv", "boards/places.csv", faults).rows
        for path in sorted((one / "scenarios").glob("*.toml")):
            document = read_toml(path, _label(path, number), faults)
            scenarios[path.stem] = merge(scenarios[path.stem], document) if path.stem in scenarios else document
    terrain = terrain_kinds(tables.data.get("terrain", ()))
    sides = hexside_kinds(tables.data.get("hexside", ()))
    for board in boards.values():
        faults.extend(_board_faults(board, terrain))
    refuse(faults)
    pack = AslPack(
        folders=folders,
        boards=boards,
        overlays=overlays,
        tables=tables.data,
        terrain=terrain,
        hexsides=sides,
        counters={name: _by_id(sheet, faults) for name, sheet in counters.items()},
        scenarios={str(document.data.get("id", stem)): document.data for stem, document in scenarios.items()},
        places=tuple(places),
    )
    return pack, faults


def _label(path: Path, number: int) -> str:
    """The pack's own files by their short names, a player's by their paths."""
    return str(path) if number else path.name if path.parent.name == "data" else f"{path.parent.name}/{path.name}"


def _read_boards(folder: Path, boards: dict[str, BoardSheets], faults: list[Fault]) -> None:
    index = folder / "boards" / "grid.toml"
    if not index.is_file():
        return
    document = read_toml(index, str(index), faults)
    for number, entry in enumerate(document.data.get("board", ())):
        id = str(entry.get("id", ""))
        if not id:
            faults.append(document.fault(("board", number), "a board needs an id"))
            continue
        sheets = []
        for what in ("hexes", "hexsides", "tracks"):
            name = f"{id}_{what}.csv"
            sheets.append(read_sheet(folder / "boards" / name, f"boards/{name}", faults))
        pixels = folder / "boards" / f"{id}_pixels.bin"
        boards[id] = BoardSheets(
            id=id,
            name=str(entry.get("name", id)),
            name_ja=str(entry.get("name_ja", "")),
            hexes=sheets[0],
            hexsides=sheets[1],
            tracks=sheets[2],
            desert=bool(entry.get("desert", True)),
            chapter_b_hills=bool(entry.get("chapter_b_hills", False)),
            pixels=pixels if pixels.is_file() else None,
        )


def _board_faults(board: BoardSheets, terrain: Mapping[str, TerrainKind]) -> list[Fault]:
    """Columns and words of a board's sheets; where its hexes lie is checked when it is laid out."""
    faults: list[Fault] = []
    wanted = ((board.hexes, HEX_COLUMNS), (board.hexsides, SIDE_COLUMNS), (board.tracks, TRACK_COLUMNS))
    for sheet, columns in wanted:
        missing = [column for column in columns if column not in sheet.columns]
        faults.extend(sheet.fault(1, f"column '{column}' is missing") for column in missing)
        if missing:
            return faults
    for row in board.hexes.rows:
        if row["terrain"] not in terrain:
            faults.append(row.fault(f"terrain '{row['terrain']}' is none of {', '.join(terrain)}"))
        if (2 * row.number("level")) % 1:
            faults.append(row.fault(f"level '{row['level']}' is neither whole nor a half"))
    for row in board.hexsides.rows:
        if row["kind"] not in SIDE_KINDS:
            faults.append(row.fault(f"kind '{row['kind']}' is none of {', '.join(SIDE_KINDS)}"))
        if row["high"] and row["high"] not in (row["hex"], row["neighbour"]):
            faults.append(row.fault(f"high '{row['high']}' is neither of the two hexes"))
    return faults


def _by_id(sheet: Sheet, faults: list[Fault]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for row in sheet.rows:
        if row["id"] in rows:
            faults.append(row.fault(f"counter '{row['id']}' is there twice (see line {rows[row['id']].line})"))
        rows[row["id"]] = row
    return rows
