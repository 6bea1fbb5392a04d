"""Hexes are bits.

A hex is a bit number and a set of hexes is one Python `int`. The bits are laid out so that each of the
six directions is one constant shift for the whole map: the rows of a pointy grid (the columns of a flat
one) lie one after the other, each slid half a hex against the last, with at least one padding bit between
them. A step off the map therefore always lands on padding, which is outside `Grid.all`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from struct import unpack
from typing import TypeAlias

Hex: TypeAlias = int
"""A bit number. -1 stands for "off the map"."""

Mask: TypeAlias = int
"""A set of hexes, one bit each."""

Sides: TypeAlias = tuple[Mask, ...]
"""Six masks: `sides[d]` holds the hexes whose side (or link, or exit) in direction d has the feature."""

Cell: TypeAlias = tuple[str, int, int]
"""Book number, row, column."""

NOWHERE: Hex = -1
NO_SIDES: Sides = (0, 0, 0, 0, 0, 0)

POINTY = ("E", "NE", "NW", "W", "SW", "SE")
FLAT = ("N", "NE", "SE", "S", "SW", "NW")

_ROW_HEIGHT = sqrt(3) / 2

# ------------------------------------------------------------------------------------------- sets


def bit(h: Hex) -> Mask:
    """The set of this one hex."""
    return 1 << h


def mask_of(hexes: Iterable[Hex]) -> Mask:
    """The set of these hexes."""
    m = 0
    for h in hexes:
        m |= 1 << h
    return m


def count(m: Mask) -> int:
    """How many hexes the set holds."""
    return m.bit_count()


def lowest(m: Mask) -> Hex:
    """The first hex of the set (-1 if it is empty)."""
    return (m & -m).bit_length() - 1


class _Words(dict[int, tuple[int, ...]]):
    """The bits of every word of 16 that has been met."""

    def __missing__(self, word: int) -> tuple[int, ...]:
        found = self[word] = tuple([i for i in range(16) if word >> i & 1])
        return found


_BITS = _Words()


def hexes_of(m: Mask) -> list[Hex]:
    """The hexes of the set, ascending."""
    if not m:
        return []
    first = (m & -m).bit_length() - 1
    m >>= first  # what lies together is soon read, wherever it lies
    length = m.bit_length()
    if m.bit_count() > 6 + (length >> 6):  # dense: word by word; sparse: hex by hex from the top
        width = (length + 15) >> 4
        words = unpack(f"<{width}H", m.to_bytes(2 * width, "little"))
        pairs = zip(range(first, first + (width << 4), 16), words, strict=True)
        return [base + i for base, word in pairs if word for i in _BITS[word]]
    found = []
    while m:
        h = m.bit_length() - 1
        found.append(first + h)
        m ^= 1 << h
    found.reverse()
    return found


def opposite(d: int) -> int:
    """The direction that leads back."""
    return (d + 3) % 6


# ------------------------------------------------------------------------------------------- specs


@dataclass(frozen=True)
class GridSpec:
    """What a data pack says about its grid.

    Rows and columns are the book's own numbers. `shifted` and `shift` say which rows (pointy) or columns
    (flat) lie half a hex further, and where: ("even", "east") means that even rows lie half a hex east of
    odd ones. Cells may leave holes and ragged edges; their order is the book order.
    """

    orientation: str  # "pointy" or "flat"
    cells: tuple[Cell, ...]
    shifted: str = "even"  # "odd" or "even"
    shift: str = ""  # pointy: "east" or "west", flat: "south" or "north"; "" is east or south
    rows: str = "south"  # where row numbers grow: "south" or "north"
    columns: str = "east"  # where column numbers grow: "east" or "west"
    boxes: tuple[str, ...] = ()  # off-map boxes, adjacent to nothing
    aliases: Mapping[str, str] = field(default_factory=dict)  # other names of hexes -> book number

    def __post_init__(self) -> None:
        along = {"pointy": ("east", "west"), "flat": ("south", "north")}
        if self.orientation not in along:
            raise ValueError(f"orientation {self.orientation!r}: must be 'pointy' or 'flat'")
        checks = (
            ("shifted", self.shifted, ("odd", "even")),
            ("shift", self.shift, ("", *along[self.orientation])),
            ("rows", self.rows, ("south", "north")),
            ("columns", self.columns, ("east", "west")),
        )
        for name, value, allowed in checks:
            if value not in allowed:
                raise ValueError(f"{name} {value!r}: must be one of {', '.join(map(repr, allowed))}")
        if not self.cells:
            raise ValueError("a grid needs at least one hex")

    def axial(self, row: int, column: int) -> tuple[int, int]:
        """(line, place): the row (pointy) or column (flat) counted south or east, and the axial
        coordinate along it, such that the centre lies at place + line / 2 along the line."""
        south = row if self.rows == "south" else -row
        east = column if self.columns == "east" else -column
        if self.orientation == "pointy":
            number, line, along = row, south, east
        else:
            number, line, along = column, east, south
        halves = 2 * along
        if number % 2 == (1 if self.shifted == "odd" else 0):
            halves += -1 if self.shift in ("west", "north") else 1
        if self.shifted == "even":
            line += 1  # so that line and halves are always both even or both odd
        return line, (halves - line) // 2


def letters(n: int) -> str:
    """ASL column letters: 1 is A, 26 Z, 27 AA, 33 GG."""
    return chr(ord("A") + (n - 1) % 26) * ((n - 1) // 26 + 1)


def numbered(numbering: str, cells: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    """Give (row, column) cells their book numbers: "RRCC" 3138, "CCRR" 7004, "letters" K5."""
    if numbering == "RRCC":
        return tuple((f"{r:02}{c:02}", r, c) for r, c in cells)
    if numbering == "CCRR":
        return tuple((f"{c:02}{r:02}", r, c) for r, c in cells)
    if numbering == "letters":
        return tuple((f"{letters(c)}{r}", r, c) for r, c in cells)
    raise ValueError(f"numbering {numbering!r}: must be 'RRCC', 'CCRR' or 'letters'")


# ------------------------------------------------------------------------------------------- grid


class Grid:
    """The hexes of a map and how they lie. Immutable; made once per map."""

    orientation: str
    size: int
    hexes: tuple[Hex, ...]
    all: Mask
    index: dict[str, Hex]
    names: list[str]
    directions: tuple[str, ...]
    shift: tuple[int, ...]
    neighbours: list[tuple[tuple[int, Hex], ...]]
    boxes: dict[str, int]
    stride: int

    def __init__(self, spec: GridSpec) -> None:
        self.spec = spec
        self.orientation = spec.orientation
        self._lay_out()
        self._join()
        self._within: dict[tuple[Hex, int], Mask] = {}

    def __repr__(self) -> str:
        return f"<Grid {self.orientation}, {len(self.hexes)} hexes>"

    def _lay_out(self) -> None:
        """Give each cell its bit."""
        spec = self.spec
        axial = [spec.axial(row, column) for _, row, column in spec.cells]
        first = min(line for line, _ in axial)
        axial = [(line - first, place) for line, place in axial]
        halves = [2 * place + line for line, place in axial]
        self._lines = 1 + max(line for line, _ in axial)
        self._west, self._east = west, east = min(halves), max(halves)

        # Two neighbouring lines must not touch: the last place of one and the first of the next need a
        # padding bit between them, whichever of the two is the slid one.
        self.stride = stride = max((east - n) // 2 + (n + 1 - west) // 2 + 2 for n in (0, 1))
        self._base = base = -_half_up(west)
        self.hexes = tuple(base + line * stride + place for line, place in axial)
        self._end = max(self.hexes) + 1
        box_base = self._end + stride if spec.boxes else self._end  # out of reach of any shift
        self.size = box_base + len(spec.boxes)
        self.all = mask_of(self.hexes)

        self.index = {}
        self.names = [""] * self.size
        self._line = [0] * self.size
        self._place = [0] * self.size
        self._at: dict[tuple[int, int], Hex] = {}
        for h, (name, _, _), (line, place) in zip(self.hexes, spec.cells, axial, strict=True):
            if name in self.index:
                raise ValueError(f"hex {name} is there twice")
            if (line, place) in self._at:
                raise ValueError(f"hexes {self.names[self._at[line, place]]} and {name} lie on one another")
            self.index[name] = h
            self.names[h] = name
            self._line[h], self._place[h] = line, place
            self._at[line, place] = h
        self.boxes = {name: box_base + i for i, name in enumerate(spec.boxes)}
        for name, box in self.boxes.items():
            self.names[box] = name

        self._lookup = {name.casefold(): h for name, h in (*self.boxes.items(), *self.index.items())}
        if len(self._lookup) != len(self.hexes) + len(spec.boxes):
            raise ValueError("two hexes or boxes have the same name")
        for alias, name in spec.aliases.items():
            if name not in self.index:
                raise ValueError(f"{alias} is to be another name of {name}, which is no hex")
            self._lookup.setdefault(alias.casefold(), self.index[name])

    def _join(self) -> None:
        """Directions, and who lies beside whom."""
        steps: tuple[tuple[int, int], ...]
        if self.orientation == "pointy":
            self.directions = POINTY
            steps = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
        else:
            self.directions = FLAT
            steps = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
        self._steps = steps
        self.shift = tuple(line * self.stride + place for line, place in steps)
        self._direction = {s: d for d, s in enumerate(self.shift)}
        self._next = [[NOWHERE] * self.size for _ in range(6)]
        self.neighbours = [()] * self.size
        for h in self.hexes:
            around = []
            for d, (line, place) in enumerate(steps):
                n = self._at.get((self._line[h] + line, self._place[h] + place), NOWHERE)
                self._next[d][h] = n
                if n != NOWHERE:
                    around.append((d, n))
            self.neighbours[h] = tuple(around)
        self._slant = self.stride - 1  # to the nearer of the two neighbours in the next line

    # ---------------------------------------------------------------------------------- numbers

    def index_of(self, text: str) -> Hex:
        """The hex (or box) of a book number, in any case; a ValueError names the nearest valid numbers."""
        h = self._lookup.get(text.strip().casefold())
        if h is None:
            nearest = ", ".join(self._nearest(text))
            raise ValueError(f"no hex {text.strip()!r} on this map; nearest: {nearest}")
        return h

    def _nearest(self, text: str) -> list[str]:
        """Up to three book numbers closest to a wrong one."""
        wanted = _parts(text)
        if wanted:
            board, major, minor = wanted
            away = []
            for order, name in enumerate(self.index):
                parts = _parts(name)
                if parts:
                    off = abs(parts[1] - major) + abs(parts[2] - minor)
                    away.append((parts[0] != board, off, order, name))
            if away:
                return [name for *_, name in sorted(away)[:3]]
        close = difflib.get_close_matches(text.strip().casefold(), self._lookup, n=3, cutoff=0.5)
        return [self.names[self._lookup[name]] for name in close] or list(self.index)[:3]

    # --------------------------------------------------------------------------------- geometry

    def neighbour(self, h: Hex, d: int) -> Hex:
        """The next hex in this direction, -1 if that is off the map."""
        return self._next[d][h]

    def direction(self, a: Hex, b: Hex) -> int:
        """The direction from a hex to one beside it, -1 if they are not adjacent."""
        d = self._direction.get(b - a, -1)
        return d if d >= 0 and self._next[d][a] == b else -1

    def adjacent(self, a: Hex, b: Hex) -> bool:
        """Do these hexes share a side?"""
        return self.direction(a, b) >= 0

    def distance(self, a: Hex, b: Hex) -> int:
        """Hexes from one to the other, as the crow flies."""
        line = self._line[b] - self._line[a]
        place = self._place[b] - self._place[a]
        if (a >= self._end or b >= self._end) and a != b:
            self._refuse_boxes(a, b)
        if line < 0:
            line, place = -line, -place
        return line + place if place >= 0 else max(line, -place)

    def within(self, h: Hex, n: int) -> Mask:
        """The hexes at distance n or less."""
        key = h, n
        m = self._within.get(key)
        if m is None:
            m = self._within[key] = self._disc(h, n) if h < self._end else 1 << h
        return m

    def _disc(self, h: Hex, n: int) -> Mask:
        line, place = self._line[h], self._place[h]
        m = 0
        for other in range(max(0, line - n), min(self._lines, line + n + 1)):
            drop = other - line
            # clipped to the map's width, lest the ends spill into the lines beside this one
            first = max(place - n + max(0, -drop), _half_up(self._west - other))
            last = min(place + n - max(0, drop), (self._east - other) // 2)
            if first <= last:
                m |= ((1 << (last - first + 1)) - 1) << (self._base + other * self.stride + first)
        return m & self.all

    def line(self, a: Hex, b: Hex) -> list[Hex]:
        """The straight line of hexes from a to b, both included, by cube rounding.

        Where it runs along a hexside, the same of the two hexes is taken from either end. Places that are
        off the map are left out.
        """
        n = self.distance(a, b)
        if n == 0:
            return [a]
        line_a, place_a = self._line[a], self._place[a]
        lines, places = self._line[b] - line_a, self._place[b] - place_a
        # Of the three cube coordinates, the one that changes by n is whole at every step; if it is the
        # third, the two that are kept here must be rounded so as to sum up to it.
        third = abs(lines + places) == n
        found = []
        for i in range(n + 1):
            line = line_a + (2 * lines * i + n) // (2 * n)
            place = place_a + (2 * places * i + n) // (2 * n)
            if third:
                place = line_a + place_a + (lines + places) * i // n - line
            h = self._at.get((line, place), NOWHERE)
            if h != NOWHERE:
                found.append(h)
        return found

    def ray(self, h: Hex, d: int, n: int) -> Hex:
        """The hex that lies n hexes away in this direction, -1 if that is off the map."""
        if h >= self._end:
            return h if n == 0 else NOWHERE
        line, place = self._steps[d]
        return self._at.get((self._line[h] + n * line, self._place[h] + n * place), NOWHERE)

    def centre(self, h: Hex) -> tuple[float, float]:
        """(x, y) of the hex's centre: x east, y south, unit the distance between neighbouring centres.
        The westernmost centre has x = 0 and the northernmost y = 0."""
        if h >= self._end:
            self._refuse_boxes(h)
        across = self._line[h] * _ROW_HEIGHT
        along = (2 * self._place[h] + self._line[h] - self._west) / 2
        return (along, across) if self.orientation == "pointy" else (across, along)

    def _refuse_boxes(self, *places: int) -> None:
        names = [self.names[p] for p in places if p >= self._end]
        raise ValueError(f"{', '.join(names)}: not a hex of the map")

    # ------------------------------------------------------------------------------- whole sets

    def dilate(self, m: Mask) -> Mask:
        """These hexes and all their neighbours."""
        up, down = m | m << 1, m | m >> 1
        return (up | down | up << self._slant | down >> self._slant) & self.all

    def around(self, m: Mask) -> Mask:
        """The neighbours of these hexes, without the hexes themselves."""
        return self.dilate(m) & ~m

    def beside(self, m: Mask) -> Mask:
        """The hexes that have a neighbour among these."""
        up, down = m | m << 1, m | m >> 1
        return (m << 1 | m >> 1 | up << self._slant | down >> self._slant) & self.all

    def step(self, m: Mask, d: int) -> Mask:
        """Every hex moved one hex in this direction; what would leave the map is gone."""
        s = self.shift[d]
        return (m << s if s > 0 else m >> -s) & self.all


def _half_up(n: int) -> int:
    return (n + 1) // 2


_NUMBER = re.compile(r"(?P<board>.*?)(?P<major>[A-Za-z]+|\d\d)(?P<minor>\d{1,2})")


def _parts(name: str) -> tuple[str, int, int] | None:
    """A book number as (board, row, column) or (board, column, row): "3138", "K5", "D1.GG10"."""
    found = _NUMBER.fullmatch(name.strip())
    if not found:
        return None
    major = found["major"].upper()
    value = int(major) if major.isdigit() else 26 * (len(major) - 1) + ord(major[0]) - ord("A") + 1
    return found["board"].casefold(), value, int(found["minor"])


# ------------------------------------------------------------------------------------------- sides


def sides_from_pairs(grid: Grid, pairs: Iterable[tuple[Hex, Hex]]) -> Sides:
    """The sides (or links) between these pairs of adjacent hexes, noted in both hexes."""
    sides = [0] * 6
    for a, b in pairs:
        d = grid.direction(a, b)
        if d < 0:
            raise ValueError(f"hexes {grid.names[a]} and {grid.names[b]} are not adjacent")
        sides[d] |= 1 << a
        sides[opposite(d)] |= 1 << b
    return tuple(sides)


def pairs_from_sides(grid: Grid, sides: Sides) -> list[tuple[Hex, Hex]]:
    """Each side once, as the pair of hexes that it lies between."""
    return [(h, grid.neighbour(h, d)) for d in range(3) for h in hexes_of(sides[d])]


def either(*many: Sides) -> Sides:
    """The sides that are in any of these."""
    merged = list(NO_SIDES)
    for sides in many:
        for d in range(6):
            merged[d] |= sides[d]
    return tuple(merged)


def without(sides: Sides, *fewer: Sides) -> Sides:
    """These sides except those in any of the others."""
    gone = either(*fewer)
    return tuple(sides[d] & ~gone[d] for d in range(6))


def touching(sides: Sides) -> Mask:
    """The hexes with at least one such side."""
    m = 0
    for mask in sides:
        m |= mask
    return m


def steps_into(grid: Grid, targets: Mask, starts: Mask | None = None) -> Sides:
    """The steps that end in one of the targets (from one of the starts, if given): `[d]` holds the hexes
    from which a step in direction d does."""
    starts = grid.all if starts is None else starts
    return tuple(grid.step(targets, opposite(d)) & starts for d in range(6))
