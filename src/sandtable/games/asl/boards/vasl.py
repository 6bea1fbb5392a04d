"""A player's own VASL board archive as a board of ours.

The archive is a zip file. Its `LOSData` is a gzip'd stream of Java block data: four whole numbers (columns, rows, and
the width and height of the picture), then for each pixel, column by column, a byte for its elevation and one for its
terrain, and at last one byte a hex. `BoardMetadata.xml` names the board. Nothing of the archive is in this program;
what is read goes into the player's own folder.
"""

from __future__ import annotations

import csv
import gzip
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandtable.engine.hexes import letters
from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.art import BoardArt
from sandtable.games.asl.boards.layout import BOARD_COLUMNS, BOARD_ROWS, STEPS
from sandtable.games.asl.boards.pack import DATA
from sandtable.games.asl.boards.terrain import LEVEL

TERRAIN = {
    0: "open",
    25: "brush",
    26: "crag",
    30: "wadi",
    40: "building_stone",
    63: "orchard",
    65: "road",
    72: "wall",
    73: "hedge",
    75: "cliff",
    82: "road",  # a bridge, whose road leads on
    100: "scrub",
    101: "hammada",
}
"""What the terrain bytes mean, as far as the desert boards use them; a player may name others."""

WORDS = (*dict.fromkeys(TERRAIN.values()), "woods", "grain", "vineyard", "sand")
NOT_GROUND = ("open", "wadi", "road", "wall", "hedge", "cliff")
"""Words that do not name the terrain of a hex."""

PICTURE, SPARE = (1800, 645), 2
"""Width and height of the picture of a board, which stand for where its hexes are (`boards.art`); a pixel or two more
or less do no harm."""

BANK = 4
"""How far, in fortieths of the way from a hexside to the centre, a wadi's own cliff may stand from its bed."""

DESERT_BOARDS = tuple(str(n) for n in range(25, 32))

_NAME = re.compile(rb"""<boardMetadata[^>]*?\bname\s*=\s*["']([^"']+)["']""")


@dataclass(frozen=True)
class VaslBoard:
    """What an archive says: elevation (in levels) and terrain of every pixel."""

    name: str
    art: BoardArt


def read_archive(path: Path, words: Mapping[int, str] | None = None) -> VaslBoard:
    """The board of an archive; `words` names terrain bytes that this program does not know."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "LOSData" not in names:
                raise PackError(str(path), 0, "the archive has no LOSData: it holds no lines of sight")
            data = archive.read("LOSData")
            metadata = archive.read("BoardMetadata.xml") if "BoardMetadata.xml" in names else b""
    except FileNotFoundError:
        raise PackError(str(path), 0, "there is no such file") from None
    except (zipfile.BadZipFile, OSError) as error:
        raise PackError(str(path), 0, f"this is not a VASL board archive: {error}") from error
    found = _NAME.search(metadata)
    name = found[1].decode("utf-8", "replace").strip() if found else path.name.removeprefix("bd")
    return VaslBoard(re.sub(r"[^A-Za-z0-9]", "", name) or "vasl", _art(path, data, {**TERRAIN, **(words or {})}))


def _art(path: Path, data: bytes, words: Mapping[int, str]) -> BoardArt:
    try:
        plain = _block_data(gzip.decompress(data))
        columns, rows, width, height = struct.unpack(">4i", plain[:16])
    except (OSError, EOFError, struct.error, IndexError) as error:
        raise PackError(f"{path}:LOSData", 0, f"the LOS data cannot be read: {error}") from error
    if (columns, rows) != (BOARD_COLUMNS, BOARD_ROWS):
        size = f"{BOARD_COLUMNS} by {BOARD_ROWS}"
        raise PackError(f"{path}:LOSData", 0, f"the board has {columns} by {rows} hexes; only {size} can be used")
    if abs(width - PICTURE[0]) > SPARE or abs(height - PICTURE[1]) > SPARE:
        size = f"{PICTURE[0]} by {PICTURE[1]}"
        raise PackError(f"{path}:LOSData", 0, f"the picture has {width} by {height} pixels; only {size} can be read")
    count = width * height
    if len(plain) < 16 + 2 * count:
        raise PackError(f"{path}:LOSData", 0, f"the LOS data end early: {len(plain) - 16} of {2 * count} bytes")
    elevations, terrains = plain[16 : 16 + 2 * count : 2], plain[17 : 16 + 2 * count : 2]
    unknown = sorted(set(terrains) - set(words))
    if unknown:
        numbers = ", ".join(map(str, unknown))
        raise PackError(
            f"{path}:LOSData", 0, f"terrain of unknown numbers: {numbers}; name it with --terrain NUMBER=WORD"
        )
    return _coded(width, height, elevations, terrains, words)


def _coded(width: int, height: int, elevations: bytes, terrains: bytes, words: Mapping[int, str]) -> BoardArt:
    """One byte a pixel for each pair of elevation and terrain that the board has."""
    pairs = Counter(zip(elevations, terrains, strict=True))
    order = [pair for pair, _ in pairs.most_common()]
    if len(order) > 256:
        raise PackError("LOSData", 0, f"the board has {len(order)} kinds of ground; at most 256 can be kept")
    codes = {pair: code for code, pair in enumerate(order)}
    pixels = bytes(map(codes.__getitem__, zip(elevations, terrains, strict=True)))
    meanings = tuple((LEVEL * (e - 256 if e > 127 else e), words[t]) for e, t in order)
    return BoardArt(width, height, meanings, pixels)


def _block_data(stream: bytes) -> bytes:
    """The bytes of a Java object stream that holds block data alone."""
    if stream[:4] != b"\xac\xed\x00\x05":
        raise OSError("it is not a Java object stream")
    parts = []
    at = 4
    while at < len(stream):
        mark = stream[at]
        if mark == 0x77:  # a short block: one byte for its length
            size, at = stream[at + 1], at + 2
        elif mark == 0x7A:  # a long block: four
            size, at = struct.unpack(">I", stream[at + 1 : at + 5])[0], at + 5
        else:
            raise OSError(f"there is something other than block data at byte {at}")
        parts.append(stream[at : at + size])
        at += size
    return b"".join(parts)


# ------------------------------------------------------------------------------- from pixels to hexes


@dataclass
class HexFacts:
    """What the pixels of one hex add up to."""

    level: int
    terrain: str
    wadi: bool
    tags: list[str]


class Survey:
    """The hexes of a board by its pixels."""

    def __init__(self, art: BoardArt) -> None:
        self.art = art
        self.wide = art.width / (BOARD_COLUMNS - 1)
        self.high = art.height / BOARD_ROWS
        self.places = {(c, r): self.centre(c, r) for c in range(1, BOARD_COLUMNS + 1) for r in range(c % 2, 11)}
        self.hexes = {at: self._hex(*at) for at in self.places}

    def centre(self, column: int, row: int) -> tuple[float, float]:
        """The pixel of a hex's centre dot."""
        return self.wide * (column - 1), self.high * (row - 0.5 if column % 2 else row)

    def vertex(self, column: int, row: int, v: int) -> tuple[float, float]:
        """The pixel of a vertex, numbered as facings."""
        x, y = self.centre(column, row)
        dx = (1, 2, 1, -1, -2, -1)[v] * self.wide / 3
        dy = (-1, 0, 1, 1, 0, -1)[v] * self.high / 2
        return x + dx, y + dy

    def _meaning(self, x: float, y: float) -> tuple[int, str]:
        return self.art.meanings[self.art.at(x, y)]

    def _hex(self, column: int, row: int) -> HexFacts:
        x, y = self.centre(column, row)
        level, word = self._meaning(x, y)
        found = self._found_in(x, y)
        counts: Counter[str] = Counter()
        for (_, one), n in found.items():
            counts[one] += n
        total = sum(counts.values())
        wadi = word == "wadi" or counts["wadi"] >= total * 0.1  # less than that is a trace (F5.11)
        if word != "wadi" and (wadi or word in ("cliff", "wall", "hedge")):
            # The dot stands on a line or on a bare patch of the bed: the hex is what lies around it.
            around = {key: n for key, n in found.items() if key[1] not in ("wadi", "cliff")}
            level = max(around or found, key=lambda key: found[key])[0] - (LEVEL if wadi else 0)
            beds = {key: n for key, n in found.items() if key[1] == "wadi"}
            bed = max(beds, key=lambda key: beds[key])[0] if beds else level
            if wadi and abs(bed - level) <= LEVEL:  # where a wadi only reaches in, its depth is not kept
                level = bed
        terrain = "open"
        ground = [(n, w) for w, n in counts.items() if w not in NOT_GROUND]
        if ground:
            n, most = max(ground)
            # Buildings are small; art that only reaches in from the next hex is not this hex's.
            if n >= total * (0.04 if most == "building_stone" else 0.08):
                terrain = most
            if counts.get("building_stone", 0) >= total * 0.04:
                terrain = "building_stone"
        tags = ["wadi"] if wadi else []
        if column in (1, BOARD_COLUMNS) or (column % 2 == 0 and row in (0, BOARD_ROWS)):
            tags.append("half")
        if row == column % 2:
            tags.append("edge:N")
        if row == BOARD_ROWS:
            tags.append("edge:S")
        if column == 1:
            tags.append("edge:W")
        if column == BOARD_COLUMNS:
            tags.append("edge:E")
        return HexFacts(level + (LEVEL if wadi else 0), terrain, wadi, tags)

    def _found_in(self, x: float, y: float) -> Counter[tuple[int, str]]:
        """How many pixels of each level and terrain lie in the hex, well inside its sides."""
        found: Counter[tuple[int, str]] = Counter()
        reach_x, reach_y = self.wide * 0.58, self.high * 0.44
        height, pixels, meanings = self.art.height, self.art.pixels, self.art.meanings
        for column in range(max(0, int(x - reach_x)), min(self.art.width, int(x + reach_x) + 1)):
            lean = abs(column - x) / self.wide  # a hex narrows toward its east and west vertices
            half = min(reach_y, self.high * (2 / 3 - lean) * 1.4)
            first, last = max(0, int(y - half)), min(height, int(y + half) + 1)
            if first < last:
                run = pixels[column * height + first : column * height + last]
                for code, n in Counter(run).items():
                    found[meanings[code]] += n
        return found

    def along(self, column: int, row: int, d: int, spread: float) -> dict[str, float]:
        """The share of a hexside's length at which each terrain lies within so many pixels of it."""
        (x1, y1), (x2, y2) = self.vertex(column, row, (d - 1) % 6), self.vertex(column, row, d)
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        nx, ny = (y2 - y1) / length, (x1 - x2) / length
        samples = 24
        seen: Counter[str] = Counter()
        for i in range(1, samples):
            t = 0.08 + 0.84 * i / samples
            x, y = x1 + t * (x2 - x1), y1 + t * (y2 - y1)
            words = {self._meaning(x + k * nx, y + k * ny)[1] for k in _around(spread)}
            seen.update(words)
        return {word: n / (samples - 1) for word, n in seen.items()}

    def behind_cliff(self, column: int, row: int, d: int) -> bool:
        """F5.3a Is this side of a wadi hex cut off from the bed by a cliff that stands right on its bank?"""
        (x1, y1), (x2, y2) = self.vertex(column, row, (d - 1) % 6), self.vertex(column, row, d)
        x0, y0 = self.centre(column, row)
        hits = 0
        for i in range(1, 12):
            x, y = x1 + (x2 - x1) * i / 12, y1 + (y2 - y1) * i / 12
            cliff = -1
            for k in range(46):
                word = self._meaning(x + (x0 - x) * k / 40, y + (y0 - y) * k / 40)[1]
                if word == "cliff":
                    cliff = k
                elif word == "wadi":  # a cliff out at the hexside is one of the hill, not of the wadi
                    hits += cliff >= 0 and k - cliff <= BANK
                    break
        return hits >= 6


def _around(spread: float) -> list[float]:
    steps = int(spread)
    return [float(k) for k in range(-steps, steps + 1)] or [0.0]


def hexside_rows(survey: Survey) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The rows of the hexsides sheet and of the tracks sheet."""
    sides: list[tuple[str, ...]] = []
    roads: list[tuple[str, ...]] = []
    for (column, row), facts in survey.hexes.items():
        for d in (1, 2, 3):
            step = STEPS[d]
            c = column + step[0]
            y = 2 * row - column % 2 + step[1]
            other = (c, (y + c % 2) // 2)
            if other not in survey.hexes:
                continue
            names = (_name(column, row), _name(*other))
            theirs = survey.hexes[other]
            near, wide = survey.along(column, row, d, 0), survey.along(column, row, d, 6)
            high = "" if facts.level == theirs.level else names[facts.level < theirs.level]
            if near.get("wadi", 0) >= 0.15:
                sides.append((*names, "wadi", ""))
            elif facts.wadi and survey.behind_cliff(column, row, d):
                sides.append((*names, "wadi_cliff", names[1]))
            elif theirs.wadi and survey.behind_cliff(*other, (d + 3) % 6):
                sides.append((*names, "wadi_cliff", names[0]))
            elif high and wide.get("cliff", 0) >= 0.5:
                sides.append((*names, "cliff", high))
            if high and abs(facts.level - theirs.level) >= LEVEL:
                sides.append((*names, "crest", high))
            for word in ("wall", "hedge"):
                if wide.get(word, 0) >= 0.5:
                    sides.append((*names, word, high))
            if near.get("road", 0) >= 0.12:
                roads.append((*names, "road", "ROAD"))
    return sides, roads


def _name(column: int, row: int) -> str:
    return f"{letters(column)}{row}"


# ------------------------------------------------------------------------------- the player's folder


@dataclass(frozen=True)
class Imported:
    """What an import has made."""

    id: str
    folder: Path
    hexes: int
    hexsides: int
    terrain: Mapping[str, int]


def import_vasl(file: Path, folder: Path, words: Mapping[int, str] | None = None) -> Imported:
    """Read a VASL board archive into a folder of the player's own, beside the boards that are there."""
    for number, word in (words or {}).items():
        if word not in WORDS:
            raise PackError(str(file), 0, f"terrain {number}: '{word}' is none of {', '.join(WORDS)}")
    board = read_archive(file, words)
    survey = Survey(board.art)
    sides, roads = hexside_rows(survey)
    boards = folder / "boards"
    boards.mkdir(parents=True, exist_ok=True)
    rows = []
    terrain: Counter[str] = Counter()
    for (column, row), facts in survey.hexes.items():
        terrain[facts.terrain] += 1
        level = f"{facts.level / LEVEL:g}"
        rows.append((_name(column, row), level, facts.terrain, "|".join(facts.tags)))
    _write_sheet(boards / f"{board.name}_hexes.csv", ("hex", "level", "terrain", "tags"), rows)
    _write_sheet(boards / f"{board.name}_hexsides.csv", ("hex", "neighbour", "kind", "high"), sides)
    _write_sheet(boards / f"{board.name}_tracks.csv", ("hex", "neighbour", "kind", "line"), roads)
    board.art.write(boards / f"{board.name}_pixels.bin")
    _list_board(boards / "grid.toml", board.name)
    _write_scenario(folder / "scenarios", board.name, survey)
    return Imported(board.name, folder, len(rows), len(sides), dict(terrain))


def _write_sheet(path: Path, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _list_board(path: Path, id: str) -> None:
    """Add the board to the folder's list, once."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if re.search(rf'^id = "{re.escape(id)}"$', text, re.MULTILINE):
        return
    desert = id in DESERT_BOARDS
    entry = [
        "[[board]]",
        f'id = "{id}"',
        f'name = "Board {id} (imported)"',
        f"desert = {str(desert).lower()}",
        f"chapter_b_hills = {str(id == '25').lower()}",
    ]
    path.write_text("\n".join([*([text.rstrip(), ""] if text else []), *entry]) + "\n", encoding="utf-8")


# ------------------------------------------------------------------------------- the first scenario, on the new board

FIRST = "s01_capuzzo_outpost"
PLAIN = ("open", "scrub", "brush", "hammada", "orchard")
"""Ground on which the scenario's units can be set up, with or without a sangar."""


def _write_scenario(folder: Path, id: str, survey: Survey) -> None:
    """The forces of the first scenario on an imported board, to begin with; a file that is there is the player's."""
    path = folder / f"s01_on_{id}.toml"
    if path.is_file():
        return
    text = (DATA / "scenarios" / f"{FIRST}.toml").read_text(encoding="utf-8")
    plain = {_name(*at) for at, facts in survey.hexes.items() if facts.terrain in PLAIN and not facts.wadi}
    spots = re.findall(r'hex = "D1\.([A-Z]+\d+)"', text)
    moved: dict[str, str] = {}
    for name in dict.fromkeys(spots):
        ways = [one for one in plain if _same_area(name, one) and one not in moved.values()]
        if not ways:
            return  # nowhere to stand: no scenario for this board
        moved[name] = min(ways, key=lambda one: (_apart(name, one), one))
    text = re.sub(r'hex = "D1\.([A-Z]+\d+)"', lambda found: f'hex = "{id}.{moved[found[1]]}"', text)
    text = text.replace('"D1"', f'"{id}"').replace("{ D1 = ", f'{{ "{id}" = ').replace("of D1", f"of board {id}")
    text = text.replace(f'id = "{FIRST}"', f'id = "s01_on_{id}"')
    text = re.sub(r'^title = "(.*)"$', rf'title = "\1 (board {id})"', text, flags=re.MULTILINE)
    text = re.sub(r'^title_ja = "(.*)"$', rf'title_ja = "\1（盤{id}）"', text, flags=re.MULTILINE)
    text = re.sub(r"^reach = .*\n", "", text, flags=re.MULTILINE)  # it was measured on the other board
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _column(name: str) -> int:
    word = name.rstrip("0123456789")
    return ord(word[0]) - ord("A") + 26 * (len(word) - 1)


def _same_area(name: str, other: str) -> bool:
    """Whether two hexes lie in the same of the two set-up areas: columns H to L, and R to X of rows 2 to 9."""
    west, row = _column(name) < 12, int(other.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return 7 <= _column(other) <= 11 and 1 <= row <= 10 if west else 17 <= _column(other) <= 23 and 2 <= row <= 9


def _apart(name: str, other: str) -> int:
    rows = [int(one.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for one in (name, other)]
    return abs(_column(name) - _column(other)) + abs(rows[0] - rows[1])
