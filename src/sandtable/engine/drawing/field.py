"""Soft shapes of sets of hexes: a blurred mask on a lattice, with a little noise, and its contour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, exp, floor, hypot, sqrt

from sandtable.engine.drawing.svg import Point
from sandtable.engine.hexes import Grid, Mask, hexes_of

ALONG = 8
"""Lattice steps in the distance of two neighbouring centres of one row."""
ACROSS = 7
"""Lattice steps between two rows."""
BLUR = 0.40
REACH = 1.5
PAD = 2.0
"""How far the lattice goes beyond the outermost centres."""

_ROW = sqrt(3) / 2
_PRIMES = (73856093, 19349663, 83492791)


def chance(i: int, j: int, seed: int = 0) -> float:
    """A number in [0, 1) that depends on its arguments only."""
    n = (i * _PRIMES[0] ^ j * _PRIMES[1] ^ seed * _PRIMES[2]) & 0xFFFFFFFF
    n = (n ^ n >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    n = (n ^ n >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (n ^ n >> 15) / 0x100000000


def noise(x: float, y: float, seed: int = 0) -> float:
    """Smooth noise in [-1, 1], with features of about one unit."""
    i, j = floor(x), floor(y)
    u, v = x - i, y - j
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    north = chance(i, j, seed) * (1 - u) + chance(i + 1, j, seed) * u
    south = chance(i, j + 1, seed) * (1 - u) + chance(i + 1, j + 1, seed) * u
    return 2 * (north * (1 - v) + south * v) - 1


def _wobble(x: float, y: float, seed: int) -> float:
    """Noise of three sizes, for lines that look drawn by nature."""
    slow, quick, fine = (
        noise(x * 1.3, y * 1.3, seed),
        noise(x * 3.1, y * 3.1, seed + 1),
        noise(x * 6.3, y * 6.3, seed),
    )
    return slow + 0.6 * quick + 0.3 * fine


class Lattice:
    """The lattice over a grid. Values are told per point in hex units, as `Grid.centre` has them.

    `beyond` are centres outside the map that belong to no set of hexes: with them a shape ends at the
    map's edge, without them it runs on over it.
    """

    def __init__(self, grid: Grid, beyond: Iterable[Point] = ()) -> None:
        self.grid = grid
        self.pointy = grid.orientation == "pointy"
        centres = [self._turn(grid.centre(h)) for h in grid.hexes]
        wide, high = max(a for a, _ in centres), max(b for _, b in centres)
        self.left, self.top = ceil(PAD * ALONG), ceil(PAD / _ROW * ACROSS)
        self.columns = round(wide * ALONG) + 2 * self.left + 1
        self.rows = round(high / _ROW * ACROSS) + 2 * self.top + 1
        self.kernel = self._kernel()
        self.total = self._scatter([*map(grid.centre, grid.hexes), *beyond])

    def _turn(self, point: Point) -> Point:
        """(along the rows, across them): the same for pointy and flat grids."""
        return point if self.pointy else (point[1], point[0])

    def point(self, row: float, column: float) -> Point:
        """The place of a lattice point in hex units."""
        return self._turn(((column - self.left) / ALONG, (row - self.top) / ACROSS * _ROW))

    def spot(self, point: Point) -> tuple[float, float]:
        """Row and column (with fractions) of a place in hex units."""
        along, across = self._turn(point)
        return across / _ROW * ACROSS + self.top, along * ALONG + self.left

    def _kernel(self) -> list[tuple[int, int, list[float]]]:
        """Rows of the blur: row offset, first column offset, weights."""
        kernel = []
        for row in range(-floor(REACH / _ROW * ACROSS), floor(REACH / _ROW * ACROSS) + 1):
            y = row / ACROSS * _ROW
            half = floor(sqrt(REACH * REACH - y * y) * ALONG)
            weights = [exp(-(y * y + (c / ALONG) ** 2) / (2 * BLUR * BLUR)) for c in range(-half, half + 1)]
            kernel.append((row, -half, weights))
        return kernel

    def _scatter(self, centres: Iterable[Point]) -> list[list[float]]:
        values = [[0.0] * self.columns for _ in range(self.rows)]
        for centre in centres:
            along, across = self._turn(centre)
            row0, column0 = round(across / _ROW * ACROSS) + self.top, round(along * ALONG) + self.left
            for row, column, weights in self.kernel:
                line = values[row0 + row]
                for at, weight in enumerate(weights, column0 + column):
                    line[at] += weight
        return values

    def field(self, mask: Mask, rough: float = 0.0, seed: int = 0) -> Field:
        """How much each point belongs to the mask, from 0 to 1."""
        values = self._scatter(map(self.grid.centre, hexes_of(mask)))
        for row, line in enumerate(values):
            total = self.total[row]
            for column, value in enumerate(line):
                if value:
                    value /= total[column]
                    if rough and 0.02 < value < 0.98:
                        x, y = self.point(row, column)
                        value += rough * _wobble(x, y, seed)
                    line[column] = value
        for line in (values[0], values[-1]):
            line[:] = [0.0] * self.columns
        for line in values:
            line[0] = line[-1] = 0.0
        return Field(self, values)


class Field:
    """Values on a lattice, to be looked up and contoured."""

    def __init__(self, lattice: Lattice, values: list[list[float]]) -> None:
        self.lattice = lattice
        self.values = values

    def at(self, point: Point) -> float:
        """The value at the lattice point nearest to a place in hex units."""
        row, column = self.lattice.spot(point)
        i, j = round(row), round(column)
        if 0 <= i < self.lattice.rows and 0 <= j < self.lattice.columns:
            return self.values[i][j]
        return 0.0

    def carve(self, a: Point, b: Point, width: float = 0.15) -> None:
        """Take a channel along a line out of the shape."""
        reach = 3 * width
        spots = [self.lattice.spot(p) for p in (a, b)]
        rows, columns = [s[0] for s in spots], [s[1] for s in spots]
        for i in range(floor(min(rows) - reach * 9), ceil(max(rows) + reach * 9) + 1):
            for j in range(floor(min(columns) - reach * 9), ceil(max(columns) + reach * 9) + 1):
                if 0 <= i < self.lattice.rows and 0 <= j < self.lattice.columns:
                    away = distance_to_line(self.lattice.point(i, j), a, b)
                    if away < reach:
                        self.values[i][j] -= exp(-((away / width) ** 2))

    def contour(self, level: float = 0.5) -> list[list[Point]]:
        """The closed outlines of what lies above the level, in hex units."""
        after: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        for i in range(self.lattice.rows - 1):
            upper, lower = self.values[i], self.values[i + 1]
            if max(upper) < level and max(lower) < level:
                continue
            above = [value > level for value in upper]
            below = [value > level for value in lower]
            for j in range(self.lattice.columns - 1):
                case = above[j] | above[j + 1] << 1 | below[j + 1] << 2 | below[j] << 3
                if case in (0, 15):
                    continue
                if case in (5, 10):
                    middle = (upper[j] + upper[j + 1] + lower[j] + lower[j + 1]) / 4 > level
                    case = 16 + case if middle else case
                for start, end in _CASES[case]:
                    after[_edge(i, j, start)] = _edge(i, j, end)
        loops: list[list[Point]] = []
        while after:
            first = edge = next(iter(after))
            loop: list[Point] = []
            while edge in after:
                loop.append(self._crossing(edge, level))
                edge = after.pop(edge)
            assert edge == first
            loops.append(loop)
        return loops

    def _crossing(self, edge: tuple[int, int, int], level: float) -> Point:
        i, j, down = edge
        a = self.values[i][j]
        b = self.values[i + 1][j] if down else self.values[i][j + 1]
        part = min(0.98, max(0.02, (level - a) / (b - a)))
        return self.lattice.point(i + part, j) if down else self.lattice.point(i, j + part)


# The four sides of a lattice cell: 0 north, 1 east, 2 south, 3 west. For each set of corners inside
# (1 north-west, 2 north-east, 4 south-east, 8 south-west) the sides where the outline enters and leaves,
# the inside on its left. 5 and 10 are the saddles, 21 and 26 the same with the middle inside.
_CASES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),),
    2: ((0, 1),),
    3: ((3, 1),),
    4: ((1, 2),),
    5: ((3, 0), (1, 2)),
    6: ((0, 2),),
    7: ((3, 2),),
    8: ((2, 3),),
    9: ((2, 0),),
    10: ((0, 1), (2, 3)),
    11: ((2, 1),),
    12: ((1, 3),),
    13: ((1, 0),),
    14: ((0, 3),),
    21: ((1, 0), (3, 2)),
    26: ((0, 3), (2, 1)),
}


def _edge(i: int, j: int, side: int) -> tuple[int, int, int]:
    """A lattice edge: its first point, and whether it goes down."""
    if side == 0:
        return i, j, 0
    if side == 1:
        return i, j + 1, 1
    if side == 2:
        return i + 1, j, 0
    return i, j, 1


def distance_to_line(p: Point, a: Point, b: Point) -> float:
    """From a point to the segment a-b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def thin(points: Sequence[Point], tolerance: float) -> list[Point]:
    """A closed outline without the points that its neighbours already tell."""
    if len(points) < 8:
        return list(points)
    half = len(points) // 2
    first = thin_line(points[: half + 1], tolerance)
    second = thin_line([*points[half:], points[0]], tolerance)
    return first[:-1] + second[:-1]


def thin_line(points: Sequence[Point], tolerance: float) -> list[Point]:
    """An open line without the points that its neighbours already tell."""
    keep = [False] * len(points)
    keep[0] = keep[-1] = True
    todo = [(0, len(points) - 1)]
    while todo:
        low, high = todo.pop()
        worst, where = 0.0, -1
        for k in range(low + 1, high):
            away = distance_to_line(points[k], points[low], points[high])
            if away > worst:
                worst, where = away, k
        if worst > tolerance:
            keep[where] = True
            todo += [(low, where), (where, high)]
    return [point for point, kept in zip(points, keep, strict=True) if kept]
