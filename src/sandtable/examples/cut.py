"""A part cut out of a drawing: an SVG with nothing in it but what lies in a box, so small that a page can hold many.

What a path does outside of the box is drawn straight: a piece of it that lies wholly to one side of the box changes
nothing within. What stands in a system of coordinates of its own (symbols, patterns, moved groups) is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Box = tuple[float, float, float, float]
"""Left, top, width, height."""
Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Point = tuple[float, float]

_TAG = re.compile(r"<(/?)([A-Za-z]+)([^<>]*?)(/?)>")
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
_OWN = frozenset({"pattern", "symbol", "marker", "radialGradient", "linearGradient", "filter", "style"})
_COUNT = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "S": 4, "T": 2, "Z": 0}
_REACH = 30.0
"""How far strokes and textures stand out beyond their lines."""
_LONG = 400
"""Letters from which on a line is worth straightening."""
_PIECE = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


class Segment:
    """A piece of a path in absolute numbers: where it ends, and what it may touch."""

    __slots__ = ("bounds", "end", "text")

    def __init__(self, text: str, end: Point, bounds: Bounds) -> None:
        self.text = text
        self.end = end
        self.bounds = bounds


def segments(path: str) -> Iterator[list[Segment]]:
    """The lines of a path, each from its M to the next."""
    tokens = _TOKEN.findall(path)
    i, command, here, start = 0, "", (0.0, 0.0), (0.0, 0.0)
    line: list[Segment] = []
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
        kind = command.upper()
        many = _COUNT[kind]
        values = [float(one) for one in tokens[i : i + many]]
        i += many
        x, y = here if command.islower() else (0.0, 0.0)
        if kind == "Z":
            line.append(Segment("Z", start, _around([here, start])))
            here = start
            continue
        points = _points(kind, values, here, (x, y))
        before, here = here, points[-1]
        if kind == "M":
            if line:
                yield line
            line, start = [], here
            command = "l" if command == "m" else "L"
            bounds = _around([here])
        elif kind == "A":
            wide, high = abs(values[0]), abs(values[1])
            bounds = _around([before, here, (here[0] - 2 * wide, here[1] - 2 * high)])
            bounds = _joined(bounds, _around([(here[0] + 2 * wide, here[1] + 2 * high)]))
        else:
            bounds = _around([before, *points])
        line.append(Segment(_written(kind, values, points), here, bounds))
    if line:
        yield line


def extent(path: str) -> Bounds:
    """What the pieces of one line may touch: the same as `segments` say, at once."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for command, words in _PIECE.findall(path):
        values = [float(one) for one in _NUMBER.findall(words)]
        kind, near = command.upper(), command.islower()
        if kind == "H":
            for value in values:
                x = x + value if near else value
                xs.append(x)
        elif kind == "V":
            for value in values:
                y = y + value if near else value
                ys.append(y)
        elif kind == "A":
            for k in range(0, len(values), 7):
                wide, high = 2 * abs(values[k]), 2 * abs(values[k + 1])
                x, y = (x + values[k + 5], y + values[k + 6]) if near else (values[k + 5], values[k + 6])
                xs += (x - wide, x + wide)
                ys += (y - high, y + high)
        elif kind != "Z":
            step = 2 if kind == "M" else _COUNT[kind]
            for k in range(0, len(values), step):
                for j in range(k, k + step, 2):
                    xs.append(x + values[j] if near else values[j])
                    ys.append(y + values[j + 1] if near else values[j + 1])
                x, y = xs[-1], ys[-1]
    return min(xs), min(ys), max(xs), max(ys)


def _points(kind: str, values: list[float], here: Point, base: Point) -> list[Point]:
    """The points of a piece, the last one its end."""
    if kind == "H":
        return [(values[0] + base[0], here[1])]
    if kind == "V":
        return [(here[0], values[0] + base[1])]
    if kind == "A":
        return [(values[5] + base[0], values[6] + base[1])]
    return [(values[k] + base[0], values[k + 1] + base[1]) for k in range(0, len(values), 2)]


def _written(kind: str, values: list[float], points: list[Point]) -> str:
    if kind == "A":
        turned = f"{values[0]:g} {values[1]:g} {values[2]:g} {values[3]:g} {values[4]:g}"
        return f"A{turned} {_number(points[0][0])} {_number(points[0][1])}"
    word = "L" if kind in "HV" else kind
    return word + " ".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _around(points: list[Point]) -> Bounds:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _joined(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _beside(bounds: Bounds, view: Bounds) -> str:
    """On which side of the view something lies wholly, or ""."""
    if bounds[2] < view[0]:
        return "left"
    if bounds[0] > view[2]:
        return "right"
    if bounds[3] < view[1]:
        return "above"
    return "below" if bounds[1] > view[3] else ""


class Drawing:
    """An SVG taken apart once, so that many parts can be cut out of it."""

    def __init__(self, svg: str) -> None:
        self.parts: list[str | tuple[str, list[tuple[Bounds, str]], str] | tuple[Bounds, str]] = []
        """Text as it is; a path before, in and behind its lines; or something with its place."""
        body = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
        self._read(re.sub(r"^<title>[^<]*</title>", "", body))

    def _read(self, body: str) -> None:
        at, own, dropped = 0, 0, ""
        stack: list[bool] = []
        for found in _TAG.finditer(body):
            between, at = body[at : found.start()], found.end()
            closes, name, attributes, alone = found.groups()
            if between:
                self._add(between, dropped)
            if dropped:
                self._add(found[0], dropped)
                dropped = "" if closes and name == dropped else dropped
                continue
            if closes:
                own -= stack.pop() if name in ("g", *_OWN) and stack else 0
                self.parts.append(found[0])
                continue
            moved = name in _OWN or (name == "g" and "transform=" in attributes)
            if name in ("g", *_OWN) and not alone:
                stack.append(moved)
                own += moved
            if own or "transform=" in attributes:
                self.parts.append(found[0])
            elif name == "path":
                self._path(found[0])
            elif name in ("circle", "rect", "use", "text", "ellipse") and (spot := _spot(attributes)) is not None:
                self.parts.append((spot, found[0]))
                if name == "text" and not alone:
                    dropped = name
            else:
                self.parts.append(found[0])

    def _add(self, text: str, dropped: str) -> None:
        """Text that belongs to what stands before it, if that may be left out."""
        last = self.parts[-1] if self.parts else ""
        if dropped and isinstance(last, tuple) and len(last) == 2:
            self.parts[-1] = (last[0], last[1] + text)
        else:
            self.parts.append(text)

    def _path(self, tag: str) -> None:
        found = re.search(r'\bd="([^"]*)"', tag)
        if found is None:
            self.parts.append(tag)
            return
        lines = [(extent(line), line) for line in re.findall(r"M[^M]*", found[1])]
        self.parts.append((tag[: found.start(1)], lines, tag[found.end(1) :]))

    def cut(self, box: Box, prefix: str) -> str:
        """The part in a box, with names of its own for what is referred to."""
        left, top, width, height = box
        view = (left - _REACH, top - _REACH, left + width + _REACH, top + height + _REACH)
        kept = []
        for part in self.parts:
            if isinstance(part, str):
                kept.append(part)
            elif len(part) == 2:
                spot, text = part
                if not _beside(spot, view):
                    kept.append(text)
            else:
                before, lines, behind = part
                shown = "".join(_line(line, view) for bounds, line in lines if not _beside(bounds, view))
                if shown or 'id="' in before or 'id="' in behind:
                    kept.append(before + shown + behind)
        body = "".join(kept)
        while (less := re.sub(r"<g(?![^<>]*\bid=)[^<>]*></g>", "", body)) != body:
            body = less
        body = _renamed(body, prefix)
        size = " ".join(_number(one) for one in box)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{round(width)}" height="{round(height)}" '
            f'viewBox="{size}">{body}</svg>\n'
        )


def _spot(attributes: str) -> Bounds | None:
    """Where something with a place of its own may be seen."""
    given: dict[str, str] = dict(_ATTRIBUTE.findall(attributes))
    try:
        x, y = float(given.get("x") or given.get("cx", "nan")), float(given.get("y") or given.get("cy", "nan"))
        wide, high = float(given.get("width", 0)), float(given.get("height", 0))
    except ValueError:
        return None
    if x != x or y != y:
        return None
    reach = 120.0 if "font-size" in given or not wide else 0.0
    return x - reach, y - reach, x + wide + reach, y + high + reach


def _line(path: str, view: Bounds) -> str:
    if len(path) < _LONG:
        return path
    line = next(segments(path))
    out, outside, last = [line[0].text], "", line[0].end
    for segment in line[1:]:
        side = "" if segment.text == "Z" else _beside(segment.bounds, view)
        if outside and side != outside:
            out.append(f"L{_number(last[0])} {_number(last[1])}")
        if not side:
            out.append(segment.text)
        outside, last = side, segment.end
    if outside:
        out.append(f"L{_number(last[0])} {_number(last[1])}")
    return "".join(out)


def _renamed(body: str, prefix: str) -> str:
    for name in set(re.findall(r'\bid="([^"]+)"', body)):
        body = body.replace(f'id="{name}"', f'id="{prefix}{name}"')
        body = body.replace(f"url(#{name})", f"url(#{prefix}{name})").replace(f'"#{name}"', f'"#{prefix}{name}"')
    return body
