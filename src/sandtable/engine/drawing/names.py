"""Sites and names. A name looks for a place beside its site, clear of ways, features and counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, degrees, pi, sin

from sandtable.engine.drawing.emblems import airfield, draw_emblems
from sandtable.engine.drawing.palette import FONT_COUNTER, FONT_MAP
from sandtable.engine.drawing.scene import UNIT, Box, Obstacles, Scene
from sandtable.engine.drawing.style import Lettering, MapStyle, SiteLook
from sandtable.engine.drawing.svg import Point, group, num, pair, tag, text
from sandtable.engine.hexes import Mask, hexes_of
from sandtable.engine.packs import Place

_BADGE = 1.4
"""Room for a badge before a name, in sizes of its type."""
LEAST_PIXELS = 11.0
"""The size of a town's name on screen below which names are drawn larger than the map."""


@dataclass(frozen=True)
class TypeLook:
    size: float
    weight: str = "600"
    italic: bool = False
    ink: str = "name"
    spacing: float = 0.0


TYPES = {
    "capital": TypeLook(17.0, "700"),
    "city": TypeLook(15.0, "700"),
    "town": TypeLook(12.6, "600"),
    "pass": TypeLook(11.6, "600", True, "pass"),
    "landmark": TypeLook(11.6, "500", True, "name-2"),
    "small": TypeLook(9.8, "500", True, "name-2"),
    "road": TypeLook(10.6, "500", True, "track", 0.12),
    "area": TypeLook(25.0, "500", True, "rough-ink", 0.28),
}
_ORDER = ("capital", "city", "pass", "town", "landmark", "road", "small")


@lru_cache(maxsize=4096)
def text_width(content: str, size: float, weight: str = "600", spacing: float = 0.0) -> float:
    """About how wide a serif sets the text; rather too wide than too narrow."""
    total = 0.0
    for character in content:
        if character in "ijl.,;:'’|!()[] -/":
            total += 0.33
        elif character in "frtIJ":
            total += 0.43
        elif character in "mwMW":
            total += 0.92
        elif ord(character) > 0x2E80:
            total += 1.0
        elif character.isupper():
            total += 0.70
        else:
            total += 0.56
    heavy = 1.07 if int(weight) >= 600 else 1.0
    return size * (total * heavy + spacing * len(content))


# ---------------------------------------------------------------- sites


def draw_sites(scene: Scene, covered: Mask = 0) -> str:
    """The mark of every place that has one; marks under counters are left out."""
    drawn = []
    for place in scene.pack.places:
        look = scene.style.sites.get(place.kind)
        if look is None or look.mark not in _MARKS or covered >> place.hex & 1:
            continue
        x, y = site_spot(scene, place)
        w = scene.style.line
        drawn.append(_MARKS[look.mark](scene, x, y, w))
        reach = 9 * w if look.mark in ("base", "city", "oasis", "airfield") else 6 * w
        scene.obstacles.add_box((x - reach, y - reach, 2 * reach, 2 * reach), 2.0)
    drawn.extend(draw_emblems(scene, covered))
    return group(drawn, class_="sites")


def site_spot(scene: Scene, place: Place) -> Point:
    """The centre of the hex, or the middle of the side the place belongs to."""
    if place.side >= 0:
        return scene.middle(place.hex, scene.grid.direction(place.hex, place.side))
    look = scene.style.sites.get(place.kind)
    if look is not None and look.mark == "border":
        for one, other in (border.tags for border in scene.style.borders):
            beyond = scene.pack.tagged(other if scene.pack.tagged(one) >> place.hex & 1 else one)
            for d, n in scene.grid.neighbours[place.hex]:
                if beyond >> n & 1:
                    return scene.middle(place.hex, d)
    return scene.xy(place.hex)


def _dot(scene: Scene, x: float, y: float, w: float) -> str:
    return tag("circle", cx=x, cy=y, r=3.6 * w, fill=scene["name"], stroke=scene["halo"], stroke_width=1.2 * w)


def _ring(scene: Scene, x: float, y: float, w: float) -> str:
    return tag("circle", cx=x, cy=y, r=3.0 * w, fill=scene["halo"], stroke=scene["name-2"], stroke_width=1.5 * w)


def _square(scene: Scene, x: float, y: float, w: float) -> str:
    a = 4.6 * w
    shape = tag("rect", x=x - a, y=y - a, width=2 * a, height=2 * a)
    return group(shape, fill=scene["name"], stroke=scene["halo"], stroke_width=1.4 * w)


def _fort(scene: Scene, x: float, y: float, w: float) -> str:
    a = 3.6 * w
    shape = tag("rect", x=x - a, y=y - a, width=2 * a, height=2 * a)
    return group(shape, fill=scene["halo"], stroke=scene["name"], stroke_width=1.9 * w)


def _city(scene: Scene, x: float, y: float, w: float) -> str:
    a, b = 6.4 * w, 2.6 * w
    outer = tag("rect", x=x - a, y=y - a, width=2 * a, height=2 * a, fill=scene["name"], stroke=scene["halo"])
    return outer + tag("rect", x=x - b, y=y - b, width=2 * b, height=2 * b, fill=scene["halo"])


def _base(scene: Scene, x: float, y: float, w: float) -> str:
    star = "".join(
        ("M" if k == 0 else "L") + pair(x + r * sin(k * pi / 5), y - r * cos(k * pi / 5))
        for k in range(10)
        for r in ((6.2 if k % 2 == 0 else 2.6) * w,)
    )
    plate = tag("circle", cx=x, cy=y, r=8.6 * w, fill=scene["name"], stroke=scene["halo"], stroke_width=1.5 * w)
    return plate + tag("path", d=star + "Z", fill=scene["halo"])


def _oasis(scene: Scene, x: float, y: float, w: float) -> str:
    """A palm on a green disc."""
    plate = tag("circle", cx=x, cy=y, r=8 * w, fill=scene["forest"], stroke=scene["forest-ink"], stroke_width=1.3 * w)
    trunk = f"M{pair(x - 0.6 * w, y + 6 * w)}q{pair(1.6 * w, -4 * w)} {pair(0.8 * w, -8 * w)}"
    leaves = "".join(
        f"M{pair(x + 0.2 * w, y - 2 * w)}q{pair(dx * 0.5 * w, -2.8 * w)} {pair(dx * w, dy * w)}"
        for dx, dy in ((-5.2, 0.8), (5.2, 0.8), (-3.4, -3.0), (3.4, -3.0))
    )
    return plate + tag(
        "path",
        d=trunk + leaves,
        fill="none",
        stroke=scene["name"],
        stroke_width=1.2 * w,
        stroke_linecap="round",
    )


def _peak(scene: Scene, x: float, y: float, w: float) -> str:
    shape = f"M{pair(x - 4.5 * w, y + 3.5 * w)}h{num(9 * w)}L{pair(x, y - 4.5 * w)}Z"
    return tag("path", d=shape, fill=scene["name-2"], stroke=scene["halo"], stroke_width=1.1 * w)


_MARKS = {
    "dot": _dot,
    "ring": _ring,
    "square": _square,
    "fort": _fort,
    "city": _city,
    "base": _base,
    "oasis": _oasis,
    "airfield": airfield,
    "peak": _peak,
}


# ---------------------------------------------------------------- names


@dataclass
class Label:
    """A name to be placed, and where it has been put."""

    place: Place
    look: SiteLook
    type: TypeLook
    size: float
    anchor: Point
    clear: float
    badge: str = ""
    lines: tuple[str, ...] = ()
    at: Point = (0.0, 0.0)
    cost: float = 0.0

    def box(self, lines: Sequence[str], at: Point) -> Box:
        """The room that these lines need with their middle here."""
        wide, high = self.measure(lines)
        return at[0] - wide / 2, at[1] - high / 2, wide, high

    def measure(self, lines: Sequence[str]) -> tuple[float, float]:
        wide = max(text_width(line, self.size, self.type.weight, self.type.spacing) for line in lines)
        badge = _BADGE * self.size if self.badge else 0.0
        return wide + badge + 3, len(lines) * self.size * 1.04


def draw_lettering(scene: Scene) -> str:
    """Seas, deserts and regions: large, spaced, under everything that matters."""
    drawn = []
    for words in scene.style.letterings:
        x, y = scene.xy(scene.pack.hex(words.hex))
        drawn.append(_letters(scene, words, (x + words.dx * UNIT, y + words.dy * UNIT), 1.0, words.text.split("\n")))
    drawn += [_crest(scene, name, points) for name, points in crests(scene).items()]
    lettered = {words.text.replace("\n", " ") for words in scene.style.letterings}
    expected = Obstacles()
    for label in _labels(scene):
        aside = label.measure((label.place.name,))[1] / 2 + label.clear
        below = -aside if label.look.name == "road" else aside
        box = label.box((label.place.name,), (label.anchor[0], label.anchor[1] + below))
        expected.add_box(box, 0.05)
    for place in scene.pack.places:
        look = scene.style.sites.get(place.kind)
        if look is not None and look.name == "area" and place.name not in lettered and scene.pixels >= look.shown_from:
            words = Lettering(place.name, "", TYPES["area"].size, TYPES["area"].spacing, "area")
            at, part, lines = _open_ground(scene, words, scene.xy(place.hex), expected)
            drawn.append(_letters(scene, words, at, part, lines))
    return group(
        drawn,
        class_="lettering",
        font_family=FONT_MAP,
        font_style="italic",
        font_stretch="condensed",
        text_anchor="middle",
    )


def crests(scene: Scene) -> dict[str, list[Point]]:
    """The names that two hexes or more share, and where these are: see `MapStyle.crests`."""
    shared: dict[str, list[Point]] = {}
    for row in scene.pack.hexes.values():
        if scene.style.crests and row.name.startswith(scene.style.crests):
            shared.setdefault(row.name, []).append(scene.xy(row.hex))
    return {name: points for name, points in sorted(shared.items()) if len(points) > 1}


def on_crest(place: Place, lettered: Iterable[str], style: MapStyle) -> bool:
    """Whether a height's name stands along its crest already: Djebel Chambi is Dj. Chambi there."""
    look = style.sites.get(place.kind)
    return (
        look is not None
        and look.mark == "peak"
        and place.name.endswith(tuple(name.removeprefix(style.crests) for name in lettered))
    )


def _crest(scene: Scene, name: str, points: Sequence[Point]) -> str:
    """A name along the longest way through some points, read from the left or from below."""
    (x, y), size = (sum(p[k] for p in points) / len(points) for k in (0, 1)), 12.5 * scene.style.type
    across = sum((px - x) * (py - y) for px, py in points)
    turn = atan2(2 * across, sum((px - x) ** 2 - (py - y) ** 2 for px, py in points)) / 2
    along = max(abs((px - x) * cos(turn) + (py - y) * sin(turn)) for px, py in points) * 2
    spacing = min(max((along * 0.8 - text_width(name, size, "500")) / len(name) / size, 0.02), 0.5)
    wide = text_width(name, size, "500", spacing)
    for k in range(int(wide // size) + 1):
        at = k * size - wide / 2
        scene.obstacles.add_box((x + at * cos(turn) - size / 2, y + at * sin(turn) - size / 2, size, size), 0.3)
    return group(
        text(name, x + size * spacing / 2, y + size * 0.34),
        font_size=size,
        letter_spacing=size * spacing,
        fill=scene["mountain-ink"],
        transform=f"rotate({num(degrees(turn))} {pair(x, y)})",
        data_place=name,
        stroke=scene["halo"],
        stroke_opacity=".75",
        stroke_width=size * 0.2,
        paint_order="stroke",
    )


def _open_ground(scene: Scene, words: Lettering, at: Point, names: Obstacles) -> tuple[Point, float, tuple[str, ...]]:
    """Where near its middle a region's name crosses least, at what part of its full size, in which lines."""
    best = float("inf")
    found: tuple[Point, float, tuple[str, ...]] = (at, 1.0, (words.text,))
    forms: list[tuple[tuple[str, ...], float]] = [
        ((words.text,), 0.0),
        *((split, 8.0) for split in _halves(words.text)),
    ]
    for part, smaller in ((1.0, 0.0), (0.8, 6.0), (0.64, 14.0)):
        size = words.size * scene.style.type * part
        for lines, price in forms:
            wide = max(text_width(line, size, "500", words.spacing) for line in lines)
            high = size * (1.1 * len(lines) - 0.25)
            for i in range(-7, 8):
                for j in range(-6, 7):
                    x, y = at[0] + i * 0.16 * UNIT, at[1] + j * 0.16 * UNIT
                    box = (x - wide / 2, y - high / 2, wide, high)
                    cost = price + smaller + 0.5 * (i * i + j * j) + _off_sheet(scene, box)
                    if cost < best and (cost := cost + scene.obstacles.cost(box) + names.cost(box)) < best:
                        best, found = cost, ((x, y), part, lines)
    return found


def _letters(scene: Scene, words: Lettering, at: Point, part: float, lines: Sequence[str]) -> str:
    ink, strength = (scene["sea-ink"], ".85") if words.kind == "water" else (scene["name-2"], ".6")
    size = words.size * scene.style.type * part
    wide = max(text_width(line, size, "500", words.spacing) for line in lines)
    x, y = min(max(at[0], wide / 2 + 8), scene.width - wide / 2 - 8), at[1]
    high = size * (1.1 * len(lines) - 0.2)
    scene.obstacles.add_box((x - wide / 2, y - high / 2, wide, high), 0.02)
    first = y + size * 0.34 - (len(lines) - 1) * size * 0.55
    drawn = [text(line, x + size * words.spacing / 2, first + number * size * 1.1) for number, line in enumerate(lines)]
    turned = f"rotate({num(words.turn)} {pair(x, y)})" if words.turn else ""
    return group(
        drawn,
        font_size=size,
        letter_spacing=size * words.spacing,
        fill=ink,
        opacity=strength,
        transform=turned,
        data_place=words.text.replace("\n", " "),
        stroke=scene["halo"] if words.kind == "area" else "",
        stroke_width=size * 0.16 if words.kind == "area" else "",
        paint_order="stroke" if words.kind == "area" else "",
    )


def draw_names(scene: Scene) -> str:
    """The names of all places that are shown at this size."""
    labels = _labels(scene)
    names = Obstacles()
    for label in labels:
        _settle(scene, label, names)
    for _ in range(2):
        for label in labels:
            names.remove_box(label.box(label.lines, label.at), 1.0)
            _settle(scene, label, names)
    return group(
        (_set(scene, label) for label in labels if not (scene.stacks and _is_idle(label))),
        class_="names",
        font_family=FONT_MAP,
        font_stretch="condensed",
        text_anchor="middle",
        stroke=scene["halo"],
        stroke_linejoin="round",
        paint_order="stroke",
    )


def _labels(scene: Scene) -> list[Label]:
    town = TYPES["town"].size * scene.pixels / UNIT
    grow = scene.style.type * min(1.5, max(1.0, LEAST_PIXELS / town))
    labels, lettered = [], crests(scene)
    for place in scene.pack.places:
        look = scene.style.sites.get(place.kind)
        if look is None or look.name not in _ORDER or scene.pixels < look.shown_from:
            continue
        if on_crest(place, lettered, scene.style):
            continue
        kind = TYPES[look.name]
        clear = {"base": 10.0, "city": 8.0, "oasis": 9.5, "airfield": 9.0}.get(look.mark, 5.5) * scene.style.line
        labels.append(
            Label(
                place,
                look,
                kind,
                kind.size * grow,
                site_spot(scene, place),
                clear,
                badge=place.attributes.get(look.badge, "") if look.badge else "",
            )
        )
    labels.sort(key=lambda label: _ORDER.index(label.look.name))
    return labels


def _is_idle(label: Label) -> bool:
    """Whether a lesser name found no place clear of the counters: it is then left out."""
    return label.look.name in ("small", "road") and label.cost > 60


def _settle(scene: Scene, label: Label, names: Obstacles) -> None:
    """Give a label its best place, and tell the others."""
    best = float("inf")
    for lines, at, dislike in sorted(_spots(scene, label), key=lambda spot: spot[2]):
        if dislike >= best:
            break
        box = label.box(lines, at)
        cost = dislike + scene.obstacles.cost(box) + names.cost(box) + _off_sheet(scene, box)
        if cost < best:
            best, label.lines, label.at, label.cost = cost, lines, at, cost
    names.add_box(label.box(label.lines, label.at), 1.0)


def _off_sheet(scene: Scene, box: Box) -> float:
    x, y, w, h = box
    over = max(0.0, 4 - x) + max(0.0, x + w + 4 - scene.width) + max(0.0, 4 - y) + max(0.0, y + h + 4 - scene.height)
    return 60 * over


def _spots(scene: Scene, label: Label) -> Iterator[tuple[tuple[str, ...], Point, float]]:
    """Where a name may go, with how little each place is liked."""
    name = label.place.name
    x, y = label.anchor
    stack = scene.stacks.get(label.place.hex) if label.anchor == scene.xy(label.place.hex) else None
    for lines, price in ((name,), 0.0), *((split, 9.0) for split in _halves(name)):
        wide, high = label.measure(lines)
        if stack is not None:
            yield from ((lines, at, price + more) for at, more in _beside(stack, wide, high))
            continue
        for gap, more in ((label.clear, 0.0), (label.clear + 6, 4.0), (label.clear + 14, 10.0)):
            up, side = high / 2 + gap, wide / 2 + gap
            yield lines, (x, y + up), price + more
            yield lines, (x, y - up), price + more + 3
            yield lines, (x + side, y), price + more + 5
            yield lines, (x - side, y), price + more + 6
            for part, extra in ((0.5, 5.0), (0.85, 7.0)):
                yield lines, (x + side * part, y + up), price + more + extra
                yield lines, (x - side * part, y + up), price + more + extra + 0.5
                yield lines, (x + side * part, y - up), price + more + extra + 2
                yield lines, (x - side * part, y - up), price + more + extra + 2.5
        if label.look.mark in ("none", "border"):
            for dx, dy in _AWAY:
                yield lines, (x + dx * UNIT, y + dy * UNIT), price + 9 + 60 * (dx * dx + dy * dy)


def _beside(stack: Box, wide: float, high: float) -> Iterator[tuple[Point, float]]:
    """Places around a stack of counters."""
    left, top, across, down = stack
    x, y = left + across / 2, top + down / 2
    for gap, more in ((1.5, 0.0), (7.0, 5.0), (14.0, 12.0)):
        for slide, extra in ((0.0, 0.0), (-14.0, 3.0), (14.0, 3.0), (-28.0, 8.0), (28.0, 8.0)):
            yield (x + slide, top + down + high / 2 + gap), more + extra
            yield (x + slide, top - high / 2 - gap), more + extra + 2
        for slide, extra in ((0.0, 0.0), (-14.0, 3.0), (14.0, 3.0), (-26.0, 6.0), (26.0, 6.0)):
            yield (left + across + wide / 2 + gap, y + slide), more + extra + 6
            yield (left - wide / 2 - gap, y + slide), more + extra + 7


_AWAY = tuple(
    (dx / 100, dy / 100)
    for dx in (-70, -50, -30, -15, 0, 15, 30, 50, 70)
    for dy in (-62, -52, -44, -36, -28, -20, 20, 28, 36, 44, 52, 62)
)


def _halves(name: str) -> list[tuple[str, ...]]:
    """A long name in two lines."""
    words = name.split(" ")
    if len(name) < 10 or len(words) < 2:
        return []
    cut = min(range(1, len(words)), key=lambda k: abs(len(" ".join(words[:k])) - len(" ".join(words[k:]))))
    return [(" ".join(words[:cut]), " ".join(words[cut:]))]


def _set(scene: Scene, label: Label) -> str:
    x, y = label.at
    kind, size = label.type, label.size
    left = x - label.measure(label.lines)[0] / 2
    first = y - (len(label.lines) - 1) * size * 0.52 + size * 0.33
    drawn = "".join(
        text(
            line,
            left + _BADGE * size if label.badge else x,
            first + number * size * 1.04,
            font_size=size,
            font_weight=kind.weight,
            font_style="italic" if kind.italic else "",
            letter_spacing=size * kind.spacing if kind.spacing else "",
            text_anchor="start" if label.badge else "",
            fill=scene[kind.ink],
            stroke_width=size * 0.24,
        )
        for number, line in enumerate(label.lines)
    )
    if label.badge:
        drawn += badge(scene, (left + size * 0.62, y), size * 0.6, label.badge)
    return group(drawn, data_place=label.place.name)


def badge(scene: Scene, at: Point, radius: float, content: str) -> str:
    """A number in a dark hexagon."""
    x, y = at
    corners = [(x + radius * sin(k * pi / 3), y - radius * cos(k * pi / 3)) for k in range(6)]
    shape = "M" + "L".join(pair(*corner) for corner in corners) + "Z"
    plate = tag("path", d=shape, fill=scene["ink"], stroke=scene["halo"], stroke_width=radius * 0.2)
    words = text(
        content,
        x,
        y + radius * 0.42,
        font_size=radius * 1.2,
        font_weight="700",
        font_family=FONT_COUNTER,
        fill=scene["surface"],
        stroke="none",
    )
    return plate + words


def draw_numbers(scene: Scene) -> str:
    """The number of every hex that is not sea, at its top."""
    drawn = []
    for h in hexes_of(scene.land & ~scene.void):
        x, y = scene.xy(h)
        top = y - (41 if scene.grid.orientation == "pointy" else 38)
        drawn.append(text(scene.pack.id(h), x, top))
        scene.obstacles.add_box((x - 12, top - 8, 24, 9), 0.02)
    return group(
        drawn,
        class_="numbers",
        font_family=FONT_COUNTER,
        font_size=10.5,
        text_anchor="middle",
        fill=scene["hexno"],
    )
