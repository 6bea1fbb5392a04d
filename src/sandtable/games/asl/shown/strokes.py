"""Lines that lie on hexsides: outlines of sets of hexes, rounded, lit from the north-west, and hachured.

What stops or raises lies on the hexside itself: a curve through its middle with the corners rounded off. What only
slows has soft edges. Light always falls from the north-west: what stands up is dark in the south-east, what lies low
is dark in the north-west.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin

from sandtable.engine.drawing.scene import MARGIN, RADIUS, UNIT
from sandtable.engine.drawing.svg import Point, num, pair
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.games.asl.boards.battlefield import Battlefield

LIGHT = (-0.64, -0.77)
CORNERS = (-60, 0, 60, 120, 180, 240)
"""The angle of each vertex, in the order of facings."""


class Paper:
    """Where the hexes of a battlefield lie on the drawing, in the units of all maps."""

    def __init__(self, field: Battlefield) -> None:
        self.field = field
        self.grid = field.grid
        self.left, self.top = RADIUS + MARGIN, UNIT / 2 + MARGIN
        centres = [self.grid.centre(h) for h in self.grid.hexes]
        self.width = max(x for x, _ in centres) * UNIT + 2 * self.left
        self.height = max(y for _, y in centres) * UNIT + 2 * self.top

    def centre(self, h: Hex) -> Point:
        x, y = self.grid.centre(h)
        return x * UNIT + self.left, y * UNIT + self.top

    def corner(self, h: Hex, v: int) -> Point:
        x, y = self.centre(h)
        return x + RADIUS * cos(radians(CORNERS[v])), y + RADIUS * sin(radians(CORNERS[v]))

    def side(self, h: Hex, d: int) -> tuple[Point, Point]:
        """A hexside, clockwise as seen from the hex: the hex lies on its right hand."""
        return self.corner(h, (d - 1) % 6), self.corner(h, d)

    def middle(self, h: Hex, d: int) -> Point:
        (ax, ay), (bx, by) = self.side(h, d)
        return (ax + bx) / 2, (ay + by) / 2

    def outline(self, hexes: Mask) -> list[list[Point]]:
        """Closed lines around a set of hexes, the inside on the right hand."""
        found = []
        for h in hexes_of(hexes):
            for d in range(6):
                n = self.grid.neighbour(h, d)
                if n < 0 or not hexes >> n & 1:
                    found.append(self.side(h, d))
        return joined(found)

    def owned(self, kind: str) -> list[list[Point]]:
        """The lines of a hexside feature, the hex that it stands on to the right."""
        found = []
        for h in self.grid.hexes:
            for d, n in self.grid.neighbours[h]:
                if self.field.side(kind, h, d):
                    mine, theirs = self.field.owns(kind, h, d), self.field.owns(kind, n, (d + 3) % 6)
                    if mine or (not theirs and h < n):
                        found.append(self.side(h, d))
        return joined(found)


def joined(segments: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Directed segments as lines; a closed one ends where it begins."""
    starts: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
    ends: dict[tuple[int, int], int] = {}
    listed = list(segments)
    for p, q in listed:
        starts.setdefault(_key(p), []).append((p, q))
        ends[_key(q)] = ends.get(_key(q), 0) + 1
    first = [one for one in listed if not ends.get(_key(one[0]))]
    lines = []
    for p, q in [*first, *listed]:
        if (p, q) not in starts.get(_key(p), ()):
            continue
        starts[_key(p)].remove((p, q))
        line = [p, q]
        while starts.get(_key(line[-1])):
            line.append(starts[_key(line[-1])].pop(0)[1])
        lines.append(line)
    return lines


def _key(p: Point) -> tuple[int, int]:
    return round(p[0]), round(p[1])


def rounded(line: Sequence[Point], wobble: float = 0.0, seed: int = 0, steps: int = 6) -> list[Point]:
    """A curve through the middle of every segment; where it wobbles, it does so the same every time."""
    closed = _key(line[0]) == _key(line[-1])
    points: list[Point] = []
    corners = list(line[:-1]) if closed else list(line)
    if closed:
        for i, corner in enumerate(corners):
            a, b = _mid(corners[i - 1], corner), _mid(corner, corners[(i + 1) % len(corners)])
            points += [_bend(a, corner, b, j / steps) for j in range(steps)]
        points.append(points[0])
    else:
        points.append(corners[0])
        for i in range(1, len(corners) - 1):
            a, b = _mid(corners[i - 1], corners[i]), _mid(corners[i], corners[i + 1])
            points += [_bend(a, corners[i], b, j / steps) for j in range(steps + 1)]
        points.append(corners[-1])
    return _wobbled(points, closed, wobble, seed) if wobble else points


def _mid(p: Point, q: Point) -> Point:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def _bend(a: Point, c: Point, b: Point, t: float) -> Point:
    u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return u * a[0] + v * c[0] + w * b[0], u * a[1] + v * c[1] + w * b[1]


def _wobbled(points: list[Point], closed: bool, much: float, seed: int) -> list[Point]:
    phase = seed * 1.7
    found = []
    last = len(points) - 1
    for i, (x, y) in enumerate(points[:-1] if closed else points):
        before = points[i - 1] if i else points[-2 if closed else 0]
        after = points[i + 1] if i < last else (x, y)
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = hypot(dx, dy) or 1
        wave = sin(x / 13 + y / 20 + phase) + 0.6 * sin(x / 6.1 - y / 7 + 2 * phase) + 0.35 * sin(y / 3.3 + x / 4.3)
        shift = much * wave / 1.6
        found.append((x - dy / length * shift, y + dx / length * shift))
    if closed:
        found.append(found[0])
    return found


def drawn(lines: Iterable[Sequence[Point]], close: bool = True) -> str:
    """The path of these lines."""
    return "".join("M" + "L".join(pair(x, y) for x, y in line) + ("Z" if close else "") for line in lines)


def moved(lines: Iterable[Sequence[Point]], dx: float, dy: float) -> list[list[Point]]:
    return [[(x + dx, y + dy) for x, y in line] for line in lines]


def beside(line: Sequence[Point], far: float) -> list[Point]:
    """The same line, so far to its left hand."""
    found = []
    for i, (x, y) in enumerate(line):
        a, b = line[max(0, i - 1)], line[min(len(line) - 1, i + 1)]
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1
        found.append((x + far * (b[1] - a[1]) / length, y - far * (b[0] - a[0]) / length))
    return found


def contour(lines: Iterable[Sequence[Point]], lit: str, shade: str, width: float = 1.3) -> str:
    """An illuminated contour: pale toward the light, dark and heavier away from it."""
    bins: dict[int, list[str]] = {}
    for line in lines:
        for p, q in pairwise(line):
            length = hypot(q[0] - p[0], q[1] - p[1])
            if length > 0.01:
                bright = ((q[1] - p[1]) * LIGHT[0] - (q[0] - p[0]) * LIGHT[1]) / length
                bins.setdefault(round(bright * 3), []).append(f"M{pair(*p)}L{pair(*q)}")
    found = []
    for step, pieces in sorted(bins.items(), reverse=True):
        part = abs(step) / 3
        colour, wide, strong = (
            (lit, width * (0.9 + 0.5 * part), 0.35 + 0.6 * part)
            if step > 0
            else (shade, width * (0.9 + part), 0.42 + 0.4 * part)
        )
        found.append(
            f'<path d="{"".join(pieces)}" fill="none" stroke="{colour}" stroke-width="{wide:.2f}" '
            f'opacity="{strong:.2f}" stroke-linecap="round"/>'
        )
    return "".join(found)


def hachures(
    lines: Iterable[Sequence[Point]],
    ink: str,
    length: float,
    gap: float,
    width: float = 1.0,
    shaded: bool = True,
    hollow: bool = False,
    inward: bool = False,
) -> str:
    """Short strokes to the left hand of a line (to the right, inward), heavier in the shade."""
    bins: dict[int, list[str]] = {}
    way = -1 if inward else 1
    for line in lines:
        carried = 0.0
        for number, (p, q) in enumerate(pairwise(line)):
            dx, dy = q[0] - p[0], q[1] - p[1]
            span = hypot(dx, dy)
            if span < 0.01:
                continue
            nx, ny = dy / span, -dx / span
            bright = (nx * LIGHT[0] + ny * LIGHT[1]) * (-1 if hollow else 1)
            shade = (0 if bright > 0.3 else 1 if bright > -0.3 else 2) if shaded else 1
            t = gap - carried
            while t <= span:
                long = length * (0.82 + 0.36 * ((number * 37 + round(t * 11)) % 10) / 10) * way
                at = pair(p[0] + dx * t / span, p[1] + dy * t / span)
                bins.setdefault(shade, []).append(f"M{at}l{pair(nx * long, ny * long)}")
                t += gap
            carried = (carried + span) % gap
    strong = (0.30, 0.55, 0.85) if shaded else (0.8, 0.8, 0.8)
    return "".join(
        f'<path d="{"".join(pieces)}" stroke="{ink}" stroke-width="{num(width * (0.75, 1.0, 1.3)[shade])}" '
        f'opacity="{strong[shade]}" fill="none" stroke-linecap="round"/>'
        for shade, pieces in sorted(bins.items())
    )
