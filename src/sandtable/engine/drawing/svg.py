"""Writing SVG: numbers short, text escaped, paths from points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from math import dist

Point = tuple[float, float]

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def num(value: float) -> str:
    """A number with one decimal, without idle zeros."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text.replace("0.", ".") if text.startswith(("0.", "-0.")) else text


def pair(x: float, y: float) -> str:
    """Two numbers of a path, without a space where the sign parts them."""
    second = num(y)
    return num(x) + (second if second.startswith("-") else f" {second}")


def safe(text: str) -> str:
    """Text that may stand in XML, in an element or an attribute."""
    return escape(_FORBIDDEN.sub("", text), quote=True)


def tag(name: str, body: str = "", /, **attributes: str | float) -> str:
    """An element. `font_size=8` becomes font-size="8"; attributes that are empty are left out."""
    words = [name]
    for key, value in attributes.items():
        text = num(value) if isinstance(value, (int, float)) else safe(value)
        if text:
            words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    start = " ".join(words)
    return f"<{start}>{body}</{name}>" if body else f"<{start}/>"


def group(body: Iterable[str] | str, /, **attributes: str | float) -> str:
    """A `<g>`, or nothing if there is nothing in it."""
    inside = body if isinstance(body, str) else "".join(body)
    return tag("g", inside, **attributes) if inside else ""


def text(content: str, x: float, y: float, /, **attributes: str | float) -> str:
    return tag("text", safe(content), x=x, y=y, **attributes) if content else ""


CELL = 400.0
"""How far the pieces that `scattered` puts into one path may lie apart."""
_START = re.compile(r"M(-?[\d.]+) ?(-?[\d.]+)")


def scattered(pieces: Iterable[str], /, **attributes: str | float) -> str:
    """Many small paths of one look, gathered by where they lie.

    Whoever draws a part of a map then passes over the paths that lie elsewhere; a single path with all of them would
    be worked out whole for every part. The look, opacity too, is that of the group: it stays one picture.
    """
    cells: dict[tuple[int, int], list[str]] = {}
    for piece in pieces:
        start = _START.match(piece)
        if start is None:
            raise ValueError(f"a piece of a path must begin with M and a point: {piece[:20]!r}")
        cell = int(float(start[1]) // CELL), int(float(start[2]) // CELL)
        cells.setdefault(cell, []).append(piece)
    return group((tag("path", d="".join(found)) for found in cells.values()), **attributes)


def line_path(points: Sequence[Point]) -> str:
    """An open polyline."""
    return "M" + "L".join(pair(x, y) for x, y in points)


def steps_path(points: Sequence[Point]) -> str:
    """An open polyline as a start and the steps from point to point: shorter to write."""
    (x, y), *others = points
    parts = ["M" + pair(x, y)]
    x, y = round(x, 1), round(y, 1)
    for to_x, to_y in others:
        dx, dy = round(to_x - x, 1), round(to_y - y, 1)
        parts.append("l" + pair(dx, dy))
        x, y = x + dx, y + dy
    return "".join(parts)


def loop_path(points: Sequence[Point]) -> str:
    """A closed outline, rounded: quadratic curves through the midpoints."""
    count = len(points)
    middles = [((points[i - 1][0] + points[i][0]) / 2, (points[i - 1][1] + points[i][1]) / 2) for i in range(count)]
    parts = ["M" + pair(*middles[0])]
    parts += [f"Q{pair(*points[i])} {pair(*middles[(i + 1) % count])}" for i in range(count)]
    return "".join(parts) + "Z"


def loop_pieces(points: Sequence[Point], length: int) -> list[str]:
    """The outline that `loop_path` draws, as open pieces of so many curves that lie end to end."""
    count = len(points)
    middles = [((points[i - 1][0] + points[i][0]) / 2, (points[i - 1][1] + points[i][1]) / 2) for i in range(count)]
    return [
        "M"
        + pair(*middles[start])
        + "".join(
            f"Q{pair(*points[i])} {pair(*middles[(i + 1) % count])}" for i in range(start, min(start + length, count))
        )
        for start in range(0, count, length)
    ]


def curve_path(points: Sequence[Point]) -> str:
    """A smooth open curve through all the points (Catmull-Rom as Bézier curves)."""
    if len(points) == 2:
        return line_path(points)
    parts = ["M" + pair(*points[0])]
    parts += [f"C{pair(*c)} {pair(*d)} {pair(*b)}" for _, c, d, b in _curves(points)]
    return "".join(parts)


def curve_pieces(points: Sequence[Point], length: int) -> Iterator[tuple[str, float]]:
    """The line that `curve_path` draws, as pieces of so many curves, each with how far along the line it begins."""
    along = 0.0
    for start in range(0, len(points) - 1, length):
        curves = list(_curves(points))[start : start + length]
        steps = "".join(f"C{pair(*c)} {pair(*d)} {pair(*b)}" for _, c, d, b in curves)
        yield f"M{pair(*curves[0][0])}{steps}", along
        walked = [curves[0][0], *(point for curve in curves for point in _points(curve, 16))]
        along += sum(dist(a, b) for a, b in pairwise(walked))


def curve_points(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """Points along the curve that `curve_path` draws."""
    return [points[0], *(point for curve in _curves(points) for point in _points(curve, steps))]


Curve = tuple[Point, Point, Point, Point]


def _points(curve: Curve, steps: int) -> Iterator[Point]:
    """So many points along a curve, after its start."""
    a, c, d, b = curve
    for step in range(1, steps + 1):
        t = step / steps
        u = 1 - t
        w = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        x, y = (w[0] * a[k] + w[1] * c[k] + w[2] * d[k] + w[3] * b[k] for k in (0, 1))
        yield x, y


def _curves(points: Sequence[Point]) -> Iterator[Curve]:
    """The Bézier curves (start, two controls, end) of a smooth line through the points."""
    last = len(points) - 1
    for i in range(last):
        before, a, b, after = points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, last)]
        c = a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6
        d = b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6
        yield a, c, d, b
