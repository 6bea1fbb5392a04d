"""What all parts of a drawing share: places on the sheet, colours, and what is in the way of names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import hypot, sqrt

from sandtable.engine.drawing.field import Lattice
from sandtable.engine.drawing.palette import Palette, palette_named
from sandtable.engine.drawing.style import MapStyle
from sandtable.engine.drawing.svg import Point
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.packs import Pack

UNIT = 100.0
"""Drawing units from one centre to the next."""
RADIUS = UNIT / sqrt(3)
MARGIN = 12.0

Box = tuple[float, float, float, float]
"""x and y of the upper left corner, width, height."""
_BIN = 40.0
_NEAR = 2.0
"""How near a line may come to a name."""


@dataclass
class Obstacles:
    """Points and boxes that a name should keep clear of, sorted into bins."""

    points: dict[tuple[int, int], list[tuple[float, float, float]]] = field(default_factory=dict)
    boxes: dict[tuple[int, int], list[tuple[Box, float]]] = field(default_factory=dict)

    def add_points(self, points: Iterable[Point], weight: float) -> None:
        for x, y in points:
            self.points.setdefault((int(x // _BIN), int(y // _BIN)), []).append((x, y, weight))

    def add_box(self, box: Box, weight: float) -> None:
        for key in _bins(box):
            self.boxes.setdefault(key, []).append((box, weight))

    def remove_box(self, box: Box, weight: float) -> None:
        for key in _bins(box):
            self.boxes[key].remove((box, weight))

    def cost(self, box: Box) -> float:
        """How badly a box would cover what is there."""
        x, y, w, h = box
        total = 0.0
        seen: set[tuple[Box, float]] = set()
        for key in _bins(box):
            for px, py, weight in self.points.get(key, ()):
                if x - _NEAR <= px <= x + w + _NEAR and y - _NEAR <= py <= y + h + _NEAR:
                    total += weight
            for other in self.boxes.get(key, ()):
                if other not in seen:
                    seen.add(other)
                    total += other[1] * _overlap(box, other[0])
        return total


def _bins(box: Box) -> list[tuple[int, int]]:
    x, y, w, h = box
    columns = range(int(x // _BIN), int((x + w) // _BIN) + 1)
    return [(i, j) for j in range(int(y // _BIN), int((y + h) // _BIN) + 1) for i in columns]


def _overlap(a: Box, b: Box) -> float:
    """The common area of two boxes, with a floor so that a touch costs too."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return 40.0 + wide * high if wide > 0 and high > 0 else 0.0


class Scene:
    """One drawing of one pack."""

    def __init__(self, pack: Pack, style: MapStyle, palette: str, width: int) -> None:
        self.pack = pack
        self.grid = pack.grid
        self.style = style
        self.colours: Palette = palette_named(palette)
        self.palette = palette
        pointy = self.grid.orientation == "pointy"
        half = (UNIT / 2, RADIUS) if pointy else (RADIUS, UNIT / 2)
        self.left, self.top = half[0] + MARGIN, half[1] + MARGIN
        centres = [self.grid.centre(h) for h in self.grid.hexes]
        self.width = max(x for x, _ in centres) * UNIT + 2 * self.left
        self.height = max(y for _, y in centres) * UNIT + 2 * self.top
        self.pixels = width * UNIT / self.width
        """Pixels from one centre to the next."""
        self.obstacles = Obstacles()
        self.stacks: dict[Hex, Box] = {}
        """The room that the counters of each hex take."""

    @cached_property
    def lattice(self) -> Lattice:
        return Lattice(self.grid, self._sea_beyond())

    def _sea_beyond(self) -> set[Point]:
        """Centres of hexes outside the edges at which the map ends in the sea."""
        centres = [self.grid.centre(h) for h in self.grid.hexes]
        right, bottom = max(x for x, _ in centres), max(y for _, y in centres)
        outside = {
            "north": lambda x, y: y < -0.1,
            "south": lambda x, y: y > bottom + 0.1,
            "west": lambda x, y: x < -0.1,
            "east": lambda x, y: x > right + 0.1,
        }
        found: set[Point] = set()
        for d in range(6):
            dx, dy = self.toward(d)
            for h in self.grid.hexes:
                x, y = self.grid.centre(h)
                if any(outside[edge](x + dx, y + dy) for edge in self.style.sea_edges):
                    found.add((round(x + dx, 4), round(y + dy, 4)))
        return found

    def __getitem__(self, token: str) -> str:
        return self.colours[token]

    def place(self, point: Point) -> Point:
        """A point in hex units on the sheet."""
        return point[0] * UNIT + self.left, point[1] * UNIT + self.top

    def unplace(self, point: Point) -> Point:
        """A point of the sheet in hex units."""
        return (point[0] - self.left) / UNIT, (point[1] - self.top) / UNIT

    def xy(self, h: Hex) -> Point:
        """The centre of a hex."""
        return self.place(self.grid.centre(h))

    def toward(self, d: int) -> Point:
        """The unit vector to the neighbour in a direction."""
        return _TOWARD[self.grid.directions[d]][self.grid.orientation == "flat"]

    def side(self, h: Hex, d: int) -> tuple[Point, Point]:
        """The two ends of a hexside, clockwise as seen from the hex."""
        (x, y), (dx, dy) = self.xy(h), self.toward(d)
        mx, my = x + dx * UNIT / 2, y + dy * UNIT / 2
        return (mx + dy * RADIUS / 2, my - dx * RADIUS / 2), (mx - dy * RADIUS / 2, my + dx * RADIUS / 2)

    def middle(self, h: Hex, d: int) -> Point:
        """The middle of a hexside."""
        (x, y), (dx, dy) = self.xy(h), self.toward(d)
        return x + dx * UNIT / 2, y + dy * UNIT / 2

    def outline(self, h: Hex, inset: float = 0.0) -> list[Point]:
        """The six corners of a hex."""
        x, y = self.xy(h)
        part = 1 - inset / RADIUS
        corners = [self.side(h, d)[0] for d in range(6)]
        return [(x + (cx - x) * part, y + (cy - y) * part) for cx, cy in corners]

    @cached_property
    def sea(self) -> Mask:
        return self.terrain(self.style.sea)

    @cached_property
    def void(self) -> Mask:
        return self.terrain(self.style.void)

    @cached_property
    def land(self) -> Mask:
        """All that is not sea."""
        return self.grid.all & ~self.sea

    def terrain(self, kinds: Sequence[str]) -> Mask:
        mask = 0
        for kind in kinds:
            mask |= self.pack.terrain.get(kind, 0)
        return mask

    def tagged(self, tags: Sequence[str]) -> Mask:
        mask = 0
        for name in tags:
            mask |= self.pack.tagged(name)
        return mask


_S = sqrt(3) / 2
_TOWARD: dict[str, tuple[Point, Point]] = {
    "E": ((1.0, 0.0), (1.0, 0.0)),
    "W": ((-1.0, 0.0), (-1.0, 0.0)),
    "N": ((0.0, -1.0), (0.0, -1.0)),
    "S": ((0.0, 1.0), (0.0, 1.0)),
    "NE": ((0.5, -_S), (_S, -0.5)),
    "NW": ((-0.5, -_S), (-_S, -0.5)),
    "SE": ((0.5, _S), (_S, 0.5)),
    "SW": ((-0.5, _S), (-_S, 0.5)),
}
"""Direction -> unit vector on a pointy and on a flat grid."""


def chains(segments: Iterable[tuple[Point, Point]]) -> list[list[tuple[Point, int]]]:
    """Segments joined end to end: each chain as its points, with the number of the segment that starts there.

    A chain breaks where more than two segments meet; the last point repeats the last segment's number. A
    closed chain ends where it began. Segments may be run through backwards.
    """
    listed = list(segments)
    ends: dict[tuple[int, int], list[int]] = {}
    for number, segment in enumerate(listed):
        for end in segment:
            ends.setdefault(_key(end), []).append(number)
    todo = set(range(len(listed)))

    def walk(start: int, point: Point) -> list[tuple[Point, int]]:
        """Along unused segments from one end of this one."""
        chain = [(point, start)]
        number = start
        while True:
            todo.discard(number)
            a, b = listed[number]
            point = b if _key(a) == _key(point) else a
            meeting = ends[_key(point)]
            following = [other for other in meeting if other in todo]
            if len(meeting) != 2 or not following:
                chain.append((point, number))
                return chain
            number = following[0]
            chain.append((point, number))

    found = []
    for number, (a, b) in enumerate(listed):
        for end in (a, b):
            if number in todo and len(ends[_key(end)]) != 2:
                found.append(walk(number, end))
    while todo:
        number = min(todo)
        found.append(walk(number, listed[number][0]))
    return found


def _key(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def resample(points: Sequence[Point], step: float) -> list[Point]:
    """Points at even distances along a polyline, its ends among them."""
    found = [points[0]]
    left = step
    for (ax, ay), (bx, by) in pairwise(points):
        length = hypot(bx - ax, by - ay)
        at = left
        while at < length:
            found.append((ax + (bx - ax) * at / length, ay + (by - ay) * at / length))
            at += step
        left = at - length
    found.append(points[-1])
    return found
