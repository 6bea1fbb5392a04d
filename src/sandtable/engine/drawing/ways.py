"""Roads, tracks and railways: from centre to centre, relaxed into curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise
from math import hypot

from sandtable.engine.drawing.field import noise
from sandtable.engine.drawing.scene import UNIT, Scene
from sandtable.engine.drawing.style import WayLook
from sandtable.engine.drawing.svg import Point, curve_path, curve_pieces, curve_points, group, num, pair, scattered, tag
from sandtable.engine.hexes import Hex

_RELAXED = 0.24 * UNIT
"""How far a bend may move from its centre."""
_IN_THE_WAY = {"trail": 1.3, "highway": 4.0}
"""How much a name dislikes a point of a way under it."""
_STRAIGHT = -0.25
"""Two links at a crossing run on as one line if the cosine between them is below this."""

_WANDERS = 0.13 * UNIT
"""How far a way between two centres may leave the straight line."""

_PIECE = 8
"""Of how many half links a piece of a dashed line is."""


def draw_ways(scene: Scene) -> str:
    """All links of links.csv, the lesser ways below the greater ones."""
    looks = sorted(scene.style.ways.items(), key=lambda item: item[1].order)
    spots = way_spots(scene)
    parts = []
    for kind, look in looks:
        pairs = [(edge.hex, edge.neighbour) for edge in scene.pack.ways if edge.kind == kind]
        if not pairs:
            continue
        others = {frozenset((e.hex, e.neighbour)) for e in scene.pack.ways if e.kind != kind} if look.aside else set()
        lines = [_wandering(_beside(line, spots, others, look.aside)) for line in lines_through(scene, pairs)]
        for line in lines:
            scene.obstacles.add_points(curve_points(line, 16), _IN_THE_WAY.get(look.form, 2.4))
        parts.append(group(_FORMS[look.form](scene, lines, look), class_=f"way {kind}"))
    return group([*parts, _bridges(scene, spots)], class_="ways", fill="none")


def _bridges(scene: Scene, spots: Mapping[Hex, Point]) -> str:
    """Two winged bars where a way crosses a hexside that it bridges."""
    kinds = {frozenset((edge.hex, edge.neighbour)): edge.kind for edge in scene.pack.hexsides}
    w = scene.style.line
    drawn = []
    for edge in scene.pack.ways:
        look = scene.style.ways.get(edge.kind)
        if look is None or kinds.get(frozenset((edge.hex, edge.neighbour))) not in look.bridges:
            continue
        a, (x, y), b = _wandering([spots[edge.hex], spots[edge.neighbour]])
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        (ux, uy), off = ((b[0] - a[0]) / length, (b[1] - a[1]) / length), (look.width / 2 + 2.6) * w
        for turn in (1, -1):
            nx, ny = -uy * turn, ux * turn
            bar = [(-9.5, off + 3.4 * w), (-6.0, off), (6.0, off), (9.5, off + 3.4 * w)]
            line = [(x + ux * along * w + nx * out, y + uy * along * w + ny * out) for along, out in bar]
            drawn.append("M" + "L".join(pair(*point) for point in line))
        scene.obstacles.add_box((x - 10, y - 10, 20, 20), 0.1)
    return scattered(drawn, class_="bridges", stroke=scene["name-2"], stroke_width=1.7 * w, stroke_linejoin="round")


def way_spots(scene: Scene) -> dict[Hex, Point]:
    """Where the ways go through each hex: its centre, or a little aside where that makes a bend gentler."""
    beside: dict[Hex, set[Hex]] = {}
    for edge in scene.pack.ways:
        beside.setdefault(edge.hex, set()).add(edge.neighbour)
        beside.setdefault(edge.neighbour, set()).add(edge.hex)
    fixed = {place.hex for place in scene.pack.places if _is_marked(scene, place.kind)}
    spots = {h: scene.xy(h) for h in beside}
    for _ in range(3):
        moved = dict(spots)
        for h, around in beside.items():
            if len(around) == 2 and h not in fixed:
                (ax, ay), (bx, by) = (spots[n] for n in sorted(around))
                x, y = scene.xy(h)
                dx, dy = (ax + bx) / 2 - x, (ay + by) / 2 - y
                part = min(0.55, _RELAXED / (hypot(dx, dy) or 1.0))
                moved[h] = (x + dx * part, y + dy * part)
        spots = moved
    return spots


def _beside(line: Sequence[Hex], spots: Mapping[Hex, Point], others: Set[frozenset[Hex]], aside: float) -> list[Point]:
    """The points of a line; where other ways share its links it keeps to the north of them."""
    points = [spots[h] for h in line]
    if not others:
        return points
    if points[0] > points[-1]:
        return _beside(line[::-1], spots, others, aside)[::-1]
    shared = [frozenset(pair) in others for pair in pairwise(line)]
    moved = []
    for k, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(k - 1, 0)], points[min(k + 1, len(points) - 1)]
        length = hypot(bx - ax, by - ay) or 1.0
        part = aside / length if any(shared[max(k - 1, 0) : k + 1]) else 0.0
        moved.append((x + (by - ay) * part, y - (bx - ax) * part))
    return moved


def _wandering(points: Sequence[Point]) -> list[Point]:
    """A way goes as the land does, not by the ruler: between two hexes a little to one side, always the same there."""
    found = [points[0]]
    for (ax, ay), (bx, by) in pairwise(points):
        x, y, length = (ax + bx) / 2, (ay + by) / 2, hypot(bx - ax, by - ay) or 1.0
        turned = 1 if (ax, ay) < (bx, by) else -1
        aside = turned * _WANDERS * noise(x / UNIT * 0.9, y / UNIT * 0.9, 5) / length
        found += [(x + (by - ay) * aside, y - (bx - ax) * aside), (bx, by)]
    return found


def _is_marked(scene: Scene, kind: str) -> bool:
    look = scene.style.sites.get(kind)
    return look is not None and look.mark not in ("none", "pass")


def lines_through(scene: Scene, pairs: Iterable[tuple[Hex, Hex]]) -> list[list[Hex]]:
    """Links joined to long lines: at each hex those two run on that lie straightest."""
    beside: dict[Hex, list[Hex]] = {}
    for a, b in pairs:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    onward: dict[tuple[Hex, Hex], Hex] = {}
    for h, around in beside.items():
        for a, b in _joined(scene, h, around):
            onward[a, h] = b
            onward[b, h] = a
    lines: list[list[Hex]] = []
    used: set[tuple[Hex, Hex]] = set()

    def walk(a: Hex, b: Hex) -> None:
        line = [a, b]
        used.update(((a, b), (b, a)))
        while (following := onward.get((line[-2], line[-1]))) is not None:
            if (line[-1], following) in used:
                break
            used.update(((line[-1], following), (following, line[-1])))
            line.append(following)
        lines.append(line)

    for h, around in sorted(beside.items()):
        for n in around:
            if (n, h) not in onward and (h, n) not in used:
                walk(h, n)
    for h, around in sorted(beside.items()):
        for n in around:
            if (h, n) not in used:
                walk(h, n)
    return lines


def _joined(scene: Scene, h: Hex, around: Sequence[Hex]) -> list[tuple[Hex, Hex]]:
    """The pairs of neighbours between which a way runs on through a hex."""
    if len(around) == 2:
        return [(around[0], around[1])]
    toward = {n: scene.toward(scene.grid.direction(h, n)) for n in around}
    options = sorted(
        (toward[a][0] * toward[b][0] + toward[a][1] * toward[b][1], a, b)
        for i, a in enumerate(around)
        for b in around[i + 1 :]
    )
    pairs, taken = [], set[Hex]()
    for cosine, a, b in options:
        if cosine < _STRAIGHT and a not in taken and b not in taken:
            pairs.append((a, b))
            taken.update((a, b))
    return pairs


# ---------------------------------------------------------------- forms


Lines = Sequence[Sequence[Point]]


def _solid(lines: Lines, **attributes: str | float) -> str:
    return scattered(map(curve_path, lines), **attributes)


def _dashed(lines: Lines, dash: float, gap: float, **attributes: str | float) -> str:
    """Dashes along lines, in pieces: the dashes of a piece go on where those before it ended."""
    dashes = f"{num(dash)} {num(gap)}"
    period = sum(map(float, dashes.split()))
    pieces = (piece for line in lines for piece in curve_pieces(line, _PIECE))
    paths = (tag("path", d=path, stroke_dashoffset=along % period) for path, along in pieces)
    return group(paths, stroke_dasharray=dashes, **attributes)


def _highway(scene: Scene, lines: Lines, look: WayLook) -> str:
    w = look.width * scene.style.line
    return _solid(lines, stroke=scene[look.ink], stroke_width=w, stroke_linecap="round") + _solid(
        lines, stroke=scene["hwy-case"], stroke_width=w * 0.5, stroke_linecap="round"
    )


def _road(scene: Scene, lines: Lines, look: WayLook) -> str:
    w = look.width * scene.style.line
    return _solid(lines, stroke=scene["halo"], stroke_width=w * 2.2, opacity=".8") + _solid(
        lines, stroke=scene[look.ink], stroke_width=w, stroke_linecap="round"
    )


def _track(scene: Scene, lines: Lines, look: WayLook) -> str:
    w = look.width * scene.style.line
    return _solid(lines, stroke=scene["halo"], stroke_width=w * 2.2, opacity=".75") + _dashed(
        lines, 4 * w, 2 * w, stroke=scene[look.ink], stroke_width=w
    )


def _trail(scene: Scene, lines: Lines, look: WayLook) -> str:
    w = look.width * scene.style.line
    return _dashed(lines, w, 2.9 * w, stroke=scene[look.ink], stroke_width=w, stroke_linecap="round")


def _railway(scene: Scene, lines: Lines, look: WayLook) -> str:
    w = look.width * scene.style.line
    return _solid(lines, stroke=scene[look.ink], stroke_width=w) + _dashed(
        lines, 0.9 * w, 4.6 * w, stroke=scene[look.ink], stroke_width=4.6 * w
    )


def _rail_dashed(scene: Scene, lines: Lines, look: WayLook) -> str:
    w = look.width * scene.style.line
    ink = scene[look.ink]
    return group(
        _dashed(lines, 4 * w, 2 * w, stroke=ink, stroke_width=w)
        + _dashed(lines, 0.9 * w, 4.6 * w, stroke=ink, stroke_width=4.6 * w),
        opacity=".55",
    )


_FORMS = {
    "highway": _highway,
    "road": _road,
    "track": _track,
    "trail": _trail,
    "railway": _railway,
    "rail_dashed": _rail_dashed,
}
