"""Hexside features: smoothed once, so that they still lie on their side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees, hypot

from sandtable.engine.drawing.field import chance, thin_line
from sandtable.engine.drawing.scene import Scene, chains, resample
from sandtable.engine.drawing.style import SideLook
from sandtable.engine.drawing.svg import Point, group, num, pair, scattered, steps_path, tag
from sandtable.engine.hexes import Hex, hexes_of
from sandtable.engine.packs import Edge

_STEP = 2.5
GAP = 11.0


@dataclass(frozen=True)
class Run:
    """A smoothed line along hexsides: its points, and for each the side that it lies on."""

    points: list[Point]
    sides: list[int]


def smooth(chain: Sequence[tuple[Point, int]], cut: float = 0.34, step: float = _STEP) -> Run:
    """A chain of corners with each corner cut by a curve, at even distances."""
    corners = [point for point, _ in chain]
    closed = len(corners) > 3 and hypot(corners[0][0] - corners[-1][0], corners[0][1] - corners[-1][1]) < 1
    if closed:
        corners, numbers = corners[:-1], [number for _, number in chain[:-1]]
        middle = _part(corners[-1], corners[0], 0.5)
        corners, numbers = [middle, *corners, middle], [numbers[-1], *numbers]
    else:
        numbers = [number for _, number in chain[:-1]]
    points: list[Point] = [corners[0]]
    sides = [numbers[0]]
    for i in range(1, len(corners) - 1):
        before, corner, after = corners[i - 1], corners[i], corners[i + 1]
        near = 0.5 - cut / 2 if i > 1 or not closed else cut
        start, end = _part(corner, before, min(near, cut)), _part(corner, after, cut)
        for k in range(9):
            t = k / 8
            points.append(_part(_part(start, corner, t), _part(corner, end, t), t))
            sides.append(numbers[i - 1] if t < 0.5 else numbers[i])
    points.append(corners[-1])
    sides.append(numbers[-1])
    even = resample(points, step)
    return Run(even, _nearest(points, sides, even))


def _part(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _nearest(points: Sequence[Point], sides: Sequence[int], wanted: Sequence[Point]) -> list[int]:
    """The side of the point at the same place along the line."""
    lengths = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        lengths.append(lengths[-1] + hypot(bx - ax, by - ay))
    found, at, gone = [], 0, 0.0
    for number, point in enumerate(wanted):
        if number:
            gone += hypot(point[0] - wanted[number - 1][0], point[1] - wanted[number - 1][1])
        while at < len(points) - 1 and lengths[at + 1] <= gone:
            at += 1
        found.append(sides[at])
    return found


def draw_hexsides(scene: Scene) -> str:
    """All features of hexsides.csv, and the borders between regions."""
    parts = [_border(scene, *border.tags, look=border.look) for border in scene.style.borders]
    for kind, look in scene.style.hexsides.items():
        plain = scene.terrain(look.ground)
        edges = [
            edge
            for edge in scene.pack.hexsides
            if edge.kind == kind and not (plain >> edge.hex | plain >> edge.neighbour) & 1
        ]
        if edges and look.form in _FORMS:
            parts.append(group(_feature(scene, edges, look), class_=f"side {kind}"))
    return group(parts, class_="hexsides", fill="none", stroke_linecap="round", stroke_linejoin="round")


def _border(scene: Scene, one: str, other: str, look: SideLook) -> str:
    here, there = scene.pack.tagged(one), scene.pack.tagged(other)
    wet = {
        frozenset((edge.hex, edge.neighbour))
        for edge in scene.pack.hexsides
        if (found := scene.style.hexsides.get(edge.kind)) and found.form == "channel"
    }
    segments = [
        scene.side(h, d)
        for h in hexes_of(here)
        for d, n in scene.grid.neighbours[h]
        if there >> n & 1 and frozenset((h, n)) not in wet
    ]
    runs = [smooth(chain) for chain in chains(segments)]
    return group(_frontier(scene, runs, look, []), class_="border")


def _feature(scene: Scene, edges: Sequence[Edge], look: SideLook) -> str:
    segments = [scene.side(edge.hex, edge.direction) for edge in edges]
    gaps = [scene.middle(e.hex, e.direction) for e in edges if look.gap and e.row.yes(look.gap)]
    runs = [piece for chain in chains(segments) for piece in _open(smooth(chain), gaps)]
    for run in runs:
        scene.obstacles.add_points(run.points, 2.2)
    return _FORMS[look.form](scene, runs, look, edges) + _gorges(scene, edges, look)


def _open(run: Run, gaps: Sequence[Point]) -> list[Run]:
    """The pieces of a line that are left between its gaps."""
    pieces: list[Run] = []
    points: list[Point] = []
    sides: list[int] = []
    for point, side in zip(run.points, run.sides, strict=True):
        if any(hypot(point[0] - x, point[1] - y) < GAP for x, y in gaps):
            if len(points) > 1:
                pieces.append(Run(points, sides))
            points, sides = [], []
        else:
            points.append(point)
            sides.append(side)
    if len(points) > 1:
        pieces.append(Run(points, sides))
    return pieces


def _gorges(scene: Scene, edges: Iterable[Edge], look: SideLook) -> str:
    """A gap with two curves, across the side, wherever the feature can be passed."""
    if not look.gap:
        return ""
    drawn = []
    for edge in edges:
        if edge.row.yes(look.gap):
            x, y = scene.middle(edge.hex, edge.direction)
            a, b = scene.side(edge.hex, edge.direction)
            turn = degrees(atan2(b[1] - a[1], b[0] - a[0]))
            curves = "M-9 -6.5Q-4.5 0 -9 6.5M9 -6.5Q4.5 0 9 6.5"
            drawn.append(tag("path", d=curves, transform=f"translate({pair(x, y)}) rotate({num(turn)})"))
            scene.obstacles.add_box((x - 10, y - 10, 20, 20), 0.12)
    return group(drawn, stroke=scene[look.ink], stroke_width=2.1 * scene.style.line)


# ---------------------------------------------------------------- forms

Form = Callable[[Scene, Sequence[Run], SideLook, Sequence[Edge]], str]


def _lines(runs: Sequence[Run], **attributes: str | float) -> str:
    return tag("path", d="".join(steps_path(thin_line(run.points, 0.2)) for run in runs), **attributes)


def _hachures(
    scene: Scene,
    runs: Sequence[Run],
    edges: Sequence[Edge],
    lengths: tuple[float, float],
    spacing: int,
) -> list[str]:
    """Short strokes across the line: long on the low side, short on the high one (0: none)."""
    drawn = []
    for run in runs:
        for k in range(1, len(run.points) - 1, spacing):
            (ax, ay), (x, y), (bx, by) = run.points[k - 1], run.points[k], run.points[k + 1]
            length = hypot(bx - ax, by - ay) or 1.0
            nx, ny = -(by - ay) / length, (bx - ax) / length
            low = _low_side(scene, edges[run.sides[k]], (x, y), (nx, ny))
            vary = 0.78 + 0.44 * chance(round(x), round(y), 3)
            for toward, reach in ((low, lengths[0]), (-low, lengths[1])):
                if reach:
                    drawn.append(f"M{pair(x, y)}l{pair(nx * toward * reach * vary, ny * toward * reach * vary)}")
    return drawn


def _low_side(scene: Scene, edge: Edge, at: Point, normal: Point) -> int:
    """1 if the normal points to the low hex, else -1; without a high hex, to the south."""
    low: Hex = edge.neighbour if edge.high == edge.hex else edge.hex
    if edge.high < 0:
        return 1 if normal[1] > 0 else -1
    x, y = scene.xy(low)
    return 1 if (x - at[0]) * normal[0] + (y - at[1]) * normal[1] > 0 else -1


def _escarpment(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    return _steep(scene, runs, look, edges, (8.0, 0.0), 9)


def _mountain(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    return _steep(scene, runs, look, edges, (8.5, 5.2), 11)


def _steep(
    scene: Scene,
    runs: Sequence[Run],
    look: SideLook,
    edges: Sequence[Edge],
    hachures: tuple[float, float],
    shade: float,
) -> str:
    """A line in a shade so wide, with hachures so long on its low and its high side."""
    w = scene.style.line
    strokes = _hachures(scene, runs, edges, (hachures[0] * w, hachures[1] * w), 2)
    ink = scene[look.ink]
    return (
        _lines(runs, stroke=scene["esc-shade"], stroke_width=shade * w)
        + scattered(strokes, stroke=ink, stroke_width=0.95 * w)
        + _lines(runs, stroke=ink, stroke_width=look.width * w)
    )


def _ridge(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w = scene.style.line
    strokes = _hachures(scene, runs, edges, (6.2 * w, 3.6 * w), 2)
    ink = scene[look.ink]
    return scattered(strokes, stroke=ink, stroke_width=0.85 * w) + _lines(runs, stroke=ink, stroke_width=look.width * w)


def _marsh(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w, ink = scene.style.line, scene[look.ink]
    tufts = []
    for run in runs:
        for k in range(4, len(run.points) - 4, 9):
            x, y = run.points[k]
            stems = ((0.0, 0.0), (-2.0, -1.8), (2.0, 1.8))
            tufts += [f"M{pair(x + at, y - 1)}l{pair(lean, -5.0)}" for at, lean in stems]
    return (
        _lines(runs, stroke=ink, stroke_width=8 * w, opacity=".28")
        + _lines(runs, stroke=ink, stroke_width=1.3 * w, stroke_linecap="butt", stroke_dasharray="6 3")
        + scattered(tufts, stroke=ink, stroke_width=1.0 * w)
    )


def _river(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w = look.width * scene.style.line
    return _lines(runs, stroke=scene["halo"], stroke_width=w + 1.6, opacity=".55") + _lines(
        runs, stroke=scene[look.ink], stroke_width=w
    )


def _wadi(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w = look.width * scene.style.line
    bed = _lines(runs, stroke=scene[look.bed], stroke_width=w * 3.2) if look.bed else ""
    return bed + _lines(
        runs,
        stroke=scene[look.ink],
        stroke_width=w,
        stroke_linecap="butt",
        stroke_dasharray=f"{num(4.5 * w)} {num(1.7 * w)}",
    )


def _lake(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w = look.width * scene.style.line
    return _lines(runs, stroke=scene["coast"], stroke_width=w + 2.4) + _lines(runs, stroke=scene["sea"], stroke_width=w)


def _perimeter(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w, ink = scene.style.line, scene[look.ink]
    return (
        _lines(runs, stroke=scene["halo"], stroke_width=6 * w, opacity=".9")
        + _lines(runs, stroke=ink, stroke_width=1.5 * w)
        + _lines(
            runs,
            stroke=ink,
            stroke_width=5.5 * w,
            stroke_linecap="butt",
            stroke_dasharray=f"{num(1.9 * w)} {num(5.6 * w)}",
        )
    )


def _frontier(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    w, ink = scene.style.line, scene[look.ink]
    dashes = " ".join(num(part * w) for part in (6.5, 3.2, 1.2, 3.2))
    return _lines(runs, stroke=ink, stroke_width=5.6 * w, opacity=".16") + _lines(
        runs, stroke=ink, stroke_width=look.width * w, stroke_linecap="butt", stroke_dasharray=dashes
    )


def _alpine(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    """A snow crest: a pale core between two dark edges, hachures down both flanks."""
    w = scene.style.line
    strokes = _hachures(scene, runs, edges, (7.5 * w, 7.5 * w), 2)
    return (
        scattered(strokes, stroke=scene["jebel-ink"], stroke_width=0.9 * w)
        + _lines(runs, stroke=scene["jebel-ink"], stroke_width=(look.width + 1.6) * w)
        + _lines(runs, stroke=scene[look.ink], stroke_width=look.width * w)
    )


def _pass(scene: Scene, runs: Sequence[Run], look: SideLook, edges: Sequence[Edge]) -> str:
    """The whole side open, with the two curves of a gap."""
    drawn = []
    for edge in edges:
        x, y = scene.middle(edge.hex, edge.direction)
        a, b = scene.side(edge.hex, edge.direction)
        turn = degrees(atan2(b[1] - a[1], b[0] - a[0]))
        curves = "M-13 -8Q-6 0 -13 8M13 -8Q6 0 13 8"
        drawn.append(tag("path", d=curves, transform=f"translate({pair(x, y)}) rotate({num(turn)})"))
    return group(drawn, stroke=scene[look.ink], stroke_width=2.6 * scene.style.line)


_FORMS: dict[str, Form] = {
    "escarpment": _escarpment,
    "mountain": _mountain,
    "ridge": _ridge,
    "marsh": _marsh,
    "river": _river,
    "wadi": _wadi,
    "lake": _lake,
    "perimeter": _perimeter,
    "frontier": _frontier,
    "alpine": _alpine,
    "pass": _pass,
}
