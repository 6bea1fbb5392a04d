"""Lines of sight kept: for each hex the set of hexes that it sees, and what hinders the view of each.

A row is made when it is first asked for, and `prepare` makes all rows between units on the ground. A table that has a
folder (the player's cache) keeps its rows there under a name that stands for all that they depend on, the code that
makes them included, so that each arrangement of boards is worked out once.
"""

from __future__ import annotations

import os
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.los.answer import Los, counted
from sandtable.games.asl.los.sight import Sightlines
from sandtable.mechanics.memory import Memory

PAIRS = 1 << 16
"""So many single lines are kept."""

KEEP = 64
"""After so many new rows the table is kept."""

BLOCKED = 0
"""In a row: no line of sight; n + 1 is a line of sight with Hindrances of n."""

GROUND, DUG_IN, IN, DUG_IN_IN, HIGH = range(5)
"""How a unit is in its hex, as far as sight goes (a Crest unit is on the ground); HIGH is an observer above the map."""


PLACES = (Place.GROUND, Place.GROUND, Place.IN, Place.IN, Place.ABOVE)


class Row(NamedTuple):
    """What one spot sees of all hexes."""

    seen: Mask
    hindrance: bytes


def posture(spot: Spot) -> int:
    """The posture of a spot."""
    if spot.place == Place.ABOVE:
        return HIGH
    return (IN if spot.place == Place.IN else GROUND) + (DUG_IN if spot.dug_in else 0)


def as_spot(h: Hex, how: int) -> Spot:
    return Spot(h, PLACES[how], bool(how & DUG_IN))


class SightTable:
    """The lines of sight of one battlefield, from memory where they are known."""

    def __init__(self, field: Battlefield, month: int = 6, folder: Path | None = None, former: bool = False) -> None:
        self.field = field
        self.lines = Sightlines(field, month, former)
        self.rows: dict[tuple[int, int], list[Row | None]] = {}
        self._pairs: Memory[tuple[Spot, Spot], bool] = Memory(PAIRS)
        self._looks: Memory[tuple[Spot, Spot], Los] = Memory(PAIRS)
        self._digits: dict[tuple[Hex, int, int], tuple[Mask, Mask, Mask]] = {}
        self.folder = folder
        """Where rows are kept; nowhere if it is None."""
        self._kept: dict[tuple[int, int, Hex], bytes] | None = None if folder is not None else {}
        self._new = 0

    # ------------------------------------------------------------------------------- questions

    def sees(self, a: Spot, b: Spot) -> bool:
        """Is there a line of sight?"""
        if a.vertex >= 0 or b.vertex >= 0:
            return self.lines.sees(a, b)
        mine, theirs = posture(a), posture(b)
        rows = self.rows.get((mine, theirs))
        if (rows is not None and rows[a.hex] is not None) or (mine, theirs, a.hex) in self.kept():
            return bool(self.row(a.hex, mine, theirs).seen >> b.hex & 1)
        found = self._pairs.get((a, b))  # a row is made for those who ask for many of it
        return found if found is not None else self._pairs.keep((a, b), self.lines.sees(a, b))

    def hindrance(self, a: Spot, b: Spot) -> int:
        """The sum of the Hindrances of terrain from a firer to a target that it sees."""
        if a.vertex >= 0 or b.vertex >= 0:
            return self.lines.look(a, b).hindrance
        return self.row(a.hex, posture(a), posture(b)).hindrance[b.hex] - 1

    def seen_from(self, a: Spot, how: int = GROUND) -> Mask:
        """The hexes in which a unit of this posture would be seen from here."""
        return self.row(a.hex, posture(a), how).seen

    def look(self, a: Spot, b: Spot) -> Los:
        """The whole answer, with rules and places."""
        found = self._looks.get((a, b))
        return found if found is not None else self._looks.keep((a, b), self.lines.look(a, b))

    # ------------------------------------------------------------------------------- rows

    def row(self, h: Hex, mine: int = GROUND, theirs: int = GROUND) -> Row:
        """What a unit in this hex sees of units in every other, by the postures of both."""
        rows = self.rows.get((mine, theirs))
        if rows is None:
            rows = self.rows[mine, theirs] = [None] * self.field.grid.size
        found = rows[h]
        if found is None:
            values = self.kept().get((mine, theirs, h))
            if values is None:
                values = self.kept()[mine, theirs, h] = self._make(h, mine, theirs)
                self._new += 1
                if self._new >= KEEP:
                    self.keep()
            found = rows[h] = Row(_where(values, SEEN), values)
        return found

    def _make(self, h: Hex, mine: int, theirs: int) -> bytes:
        values = bytearray(self.field.grid.size)
        one = as_spot(h, mine)
        wadi = self.field.form["wadi"]
        for other in self.field.grid.hexes:
            if PLACES[theirs] != Place.IN or wadi >> other & 1:
                values[other] = self._value(one, as_spot(other, theirs))
        return bytes(values)

    def digits(self, a: Spot, how: int) -> tuple[Mask, Mask, Mask]:
        """The Hindrances of a row as sums are written: the hexes where they hold a one, a two and a four."""
        key = (a.hex, posture(a), how)
        found = self._digits.get(key)
        if found is None:
            values = self.row(*key).hindrance
            ones, twos, fours = (_where(values, digit) for digit in DIGITS)
            found = self._digits[key] = (ones, twos, fours)
        return found

    def _value(self, a: Spot, b: Spot) -> int:
        block, found = self.lines.judge(a, b)
        if block is not None:
            return BLOCKED
        return 1 + sum(one.drm for one in counted(found)) if found else 1

    # ------------------------------------------------------------------------------- the whole table

    def prepare(self) -> None:
        """All rows between units on the ground, from the folder or made now and kept there."""
        kept = self.kept()
        if any((GROUND, GROUND, h) not in kept for h in self.field.grid.hexes):
            for h, values in self._all().items():
                kept[GROUND, GROUND, h] = bytes(values)
            self.keep()

    def _all(self) -> dict[Hex, bytearray]:
        """Every pair once; a blocked or free line is the same from both ends, its Hindrances may differ (A6.7)."""
        hexes, size = self.field.grid.hexes, self.field.grid.size
        judge = self.lines.judge
        distance = self.field.grid.distance
        table = {h: bytearray(size) for h in hexes}
        spots = [Spot(h) for h in hexes]
        for i, a in enumerate(spots):
            mine = table[a.hex]
            mine[a.hex] = 1
            for b in spots[i + 1 :]:
                block, found = judge(a, b)
                if block is None:
                    there = back = 1
                    if found:
                        there += sum(one.drm for one in counted(found))
                        turned = [one._replace(range=distance(one.hex, b.hex)) for one in found]
                        back += sum(one.drm for one in counted(turned))
                    mine[b.hex] = there
                    table[b.hex][a.hex] = back
        return table

    # ------------------------------------------------------------------------------- the cache folder

    def path(self) -> Path:
        """Where the table of this battlefield is kept."""
        folder = self.folder or cache_folder()
        former = "-former" * self.lines.former
        return folder / f"asl-{self.field.fingerprint()}-{self.lines.month}{former}-{_code()}.los"

    def kept(self) -> dict[tuple[int, int, Hex], bytes]:
        """The rows that are known: postures of both and hex -> values. Those of the folder first."""
        if self._kept is None:
            self._kept = self._read()
        return self._kept

    def _read(self) -> dict[tuple[int, int, Hex], bytes]:
        """The rows as they were kept; none if the file is not there or not whole."""
        size = self.field.grid.size
        try:
            data = zlib.decompress(self.path().read_bytes()) if _code() else b""
        except (OSError, zlib.error):
            return {}
        if len(data) % (HEAD + size):
            return {}
        found = {}
        for start in range(0, len(data), HEAD + size):
            mine, theirs, low, high = data[start : start + HEAD]
            found[mine, theirs, low | high << 8] = data[start + HEAD : start + HEAD + size]
        return found

    def keep(self) -> None:
        """Keep all rows that are known; where that cannot be done, they are made again another time."""
        self._new = 0
        if self.folder is None or not _code():
            return
        rows = list(self.kept().items())
        heads = (bytes((mine, theirs, h & 255, h >> 8)) + values for (mine, theirs, h), values in rows)
        path = self.path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_bytes(zlib.compress(b"".join(heads), 1))
            part.replace(path)
        except OSError:
            return


HEAD = 4
"""Bytes before a row that is kept: the postures and the hex."""
SEEN = bytes(48 if value == BLOCKED else 49 for value in range(256))
DIGITS = tuple(bytes(49 if value and (value - 1) & digit else 48 for value in range(256)) for digit in (1, 2, 4))
"""For each value of a row the character of a binary number."""


def _where(values: bytes, digit: bytes) -> Mask:
    """The hexes whose value has this digit."""
    return int(values.translate(digit)[::-1], 2)


LAID_OVER = ("arcs", "cover", "line", "screens", "veils", "visibility", "costs", "hazards", "climate")
"""Modules that lay something over the rows, or have nothing to do with them."""


@cache
def _code() -> str:
    """A name for the rules of sight as they are coded here; "" where the code cannot be read."""
    here = Path(__file__).parent
    files = sorted([*here.glob("*.py"), *here.parent.joinpath("boards").glob("*.py")])
    digest = sha256()
    for file in (file for file in files if file.stem not in LAID_OVER):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16] if files else ""


def cache_folder() -> Path:
    """The player's cache folder for this program."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if home else Path.home() / ".cache") / "sandtable"
