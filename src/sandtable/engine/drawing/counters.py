"""Counters, upright blocks, stacks of either, and the markers that lie among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandtable.engine.drawing.palette import FONT_COUNTER
from sandtable.engine.drawing.scene import Box, Scene
from sandtable.engine.drawing.style import SideColours
from sandtable.engine.drawing.svg import Point, group, num, pair, safe, tag, text
from sandtable.engine.drawing.symbols import size_mark, symbol
from sandtable.engine.hexes import Hex


@dataclass(frozen=True)
class Counter:
    """A counter or block as one side sees it.

    `side` is a name of the style's sides or its number. `strength` stands on the top edge of a block; on a
    counter it is cut at its dashes (attack-defence-movement). Marks: disrupted, out_of_supply, moved,
    revealed (a block lies flat), besieged. `edges` are the strengths on a block's other edges. Of a hidden
    counter nothing is drawn but its side and its marks.
    """

    hex: Hex
    side: str | int
    label: str = ""
    strength: str = ""
    symbol: str = ""
    size: str = ""
    hidden: bool = False
    marks: tuple[str, ...] = ()
    steps: int = 0
    nation: str = ""
    detail: str = ""
    edges: tuple[str, ...] = ()
    tank: str = ""
    tank_hollow: bool = False
    boxed: tuple[str, ...] = ()  # for each value what is around it: see `CounterItem.boxed`
    band: str = ""  # colour of the formation, a token of the palette
    range: str = ""  # above the steps


@dataclass(frozen=True)
class Marker:
    """Something else in a hex: battle, minefield, control (with its side) or badge (with its text)."""

    hex: Hex
    kind: str
    text: str = ""
    side: str | int = ""


# Blocks of one hex: up to this many, columns, size of a block
_LAYOUTS = (
    (1, 1, 40.0),
    (2, 2, 36.0),
    (4, 2, 32.5),
    (6, 3, 27.0),
    (9, 3, 25.0),
    (12, 4, 20.5),
    (16, 4, 19.0),
)
_DEPTH = 0.15


def side_colours(scene: Scene, side: str | int) -> SideColours:
    """The colours of a side, by name or number."""
    sides = scene.style.sides
    if isinstance(side, int):
        listed = list(sides.values())
        return listed[side] if 0 <= side < len(listed) else SideColours()
    return sides.get(side, SideColours())


def side_name(scene: Scene, side: str | int) -> str:
    names = list(scene.style.sides)
    return names[side] if isinstance(side, int) and 0 <= side < len(names) else str(side)


def draw_counters(scene: Scene, counters: Iterable[Counter]) -> str:
    """All counters, hex by hex; and their room is marked as taken."""
    stacks: dict[Hex, list[Counter]] = {}
    for counter in counters:
        stacks.setdefault(counter.hex, []).append(counter)
    drawn = []
    for h in sorted(stacks, key=lambda h: (scene.xy(h)[1], scene.xy(h)[0])):
        stack = _ordered(scene, stacks[h])
        drawn.append(_blocks(scene, h, stack) if scene.style.blocks else _pile(scene, h, stack))
    return group(drawn, class_="counters", font_family=FONT_COUNTER, font_stretch="condensed", text_anchor="middle")


def _ordered(scene: Scene, stack: Sequence[Counter]) -> list[Counter]:
    """Sides apart, the first side last (in front); hidden ones behind, so that their order tells nothing."""
    names = list(scene.style.sides)

    def rank(counter: Counter) -> tuple[int, bool, tuple[str, ...]]:
        name = side_name(scene, counter.side)
        place = names.index(name) if name in names else len(names)
        return -place, counter.hidden, counter.marks if counter.hidden else ()

    return sorted(stack, key=rank)


# ---------------------------------------------------------------- blocks


def _blocks(scene: Scene, h: Hex, stack: Sequence[Counter]) -> str:
    """The blocks of a hex side by side, in rows that keep the sides apart."""
    many = len(stack)
    sides = {side_name(scene, counter.side) for counter in stack}
    columns, size = next(((c, s) for most, c, s in _LAYOUTS if many <= most), (5, 16.0))
    if len(sides) > 1 and many <= 4:
        columns, size = 3 if many > 3 else 2, 27.0
    rows = [row for side in _by_side(scene, stack) for row in _rows(side, columns)]
    step = size * (1 + _DEPTH) + 1.2
    x0, y0 = scene.xy(h)
    size = min(size, (92.0 / len(rows) - 1.2) / (1 + _DEPTH))
    y = y0 - 3 - (len(rows) - 1) * (size * (1 + _DEPTH) + 1.2) / 2 + size * _DEPTH / 2
    drawn = []
    boxes: list[Box] = []
    for row in rows:
        x = x0 - (len(row) - 1) * step / 2 - size * _DEPTH / 2
        for counter in row:
            drawn.append(_block(scene, counter, (x, y), size))
            reach = size / 2 + 2
            box = (x - reach, y - reach - size * _DEPTH, 2 * reach + size * _DEPTH, 2 * reach + size * _DEPTH)
            scene.obstacles.add_box(box, 4.0)
            boxes.append(box)
            x += step
        y += size * (1 + _DEPTH) + 1.2
    scene.stacks[h] = _around(boxes)
    return group(drawn, class_="stack", data_hex=scene.pack.id(h))


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top


def _by_side(scene: Scene, stack: Sequence[Counter]) -> list[list[Counter]]:
    groups: dict[str, list[Counter]] = {}
    for counter in stack:
        groups.setdefault(side_name(scene, counter.side), []).append(counter)
    return list(groups.values())


def _rows(counters: Sequence[Counter], columns: int) -> list[Sequence[Counter]]:
    """Rows of nearly one length, the longer ones below; three make two and one."""
    many = len(counters)
    count = -(-many // columns)
    if many == 3 and columns == 2:
        return [counters[:2], counters[2:]]
    rows, at = [], 0
    for k in range(count):
        length = many // count + (1 if k >= count - many % count else 0)
        rows.append(counters[at : at + length])
        at += length
    return rows


def _block(scene: Scene, counter: Counter, at: Point, size: float) -> str:
    colours = side_colours(scene, counter.side)
    wood = colours.block
    a = size / 2
    d = size * _DEPTH
    if "revealed" in counter.marks and not counter.hidden:
        body = _face(scene, counter, colours, size * 0.94)
        shade = tag("rect", x=-a * 0.94, y=-a * 0.94 + 1.4, width=size * 0.94, height=size * 0.94, rx=2)
        return _finished(scene, counter, at, size, group(shade, fill=scene[f"{wood}-2"]) + body)
    shadow = tag("ellipse", cx=d * 0.6, cy=a + 0.8, rx=size * 0.62, ry=size * 0.1, fill="url(#shade)")
    right = tag("path", d=f"M{pair(a, -a)}l{pair(d, -d)}v{num(size)}l{pair(-d, d)}z", fill=scene[f"{wood}-2"])
    top = tag("path", d=f"M{pair(-a, -a)}l{pair(d, -d)}h{num(size)}l{pair(-d, d)}z", fill=scene[f"{wood}-3"])
    front = tag("rect", x=-a, y=-a, width=size, height=size, rx=1.2, fill=scene[wood])
    inside = _back(scene, wood, size) if counter.hidden else _face(scene, counter, colours, size * 0.9)
    return _finished(scene, counter, at, size, shadow + right + top + front + inside)


def _back(scene: Scene, wood: str, size: float) -> str:
    """The plain back: a hexagon pressed into the wood. It says nothing but whose it is."""
    r = size * 0.26
    corners = [
        (0.0, -r),
        (r * 0.87, -r / 2),
        (r * 0.87, r / 2),
        (0.0, r),
        (-r * 0.87, r / 2),
        (-r * 0.87, -r / 2),
    ]
    shape = "M" + "L".join(pair(*corner) for corner in corners) + "Z"
    width = max(0.7, size * 0.025)
    dark = tag("path", d=shape, fill="none", stroke=scene[f"{wood}-2"], stroke_width=width)
    light = group(tag("path", d=shape, fill="none"), transform="translate(.5 .6)", stroke=scene[f"{wood}-3"])
    return light + dark


def _face(scene: Scene, counter: Counter, colours: SideColours, size: float) -> str:
    """The label: strength on the top edge, symbol, name."""
    label = scene.style.nations.get(counter.nation, colours.label)
    ink = scene[f"{label}-ink"]
    a = size / 2
    drawn = [
        tag("rect", x=-a, y=-a, width=size, height=size, rx=size * 0.05, fill=scene[label]),
        text(counter.strength, 0, -a + size * 0.36, font_size=size * 0.42, font_weight="700"),
        symbol(counter.symbol, 0, size * 0.085, size * 0.54, ink) if counter.symbol else "",
        text(
            counter.label,
            0,
            a - size * 0.07,
            font_size=_fitting(counter.label, size * 0.215, size * 0.94),
            font_weight="600",
        ),
    ]
    for edge, turn in zip(counter.edges, (-90, 90, 180), strict=False):
        where = f"rotate({turn}) translate(0 {num(-a + size * 0.17)})"
        drawn.append(text(edge, 0, 0, font_size=size * 0.19, opacity=".6", transform=where))
    return group(drawn, fill=ink)


def _fitting(content: str, size: float, room: float) -> float:
    """A font size at which the text fits."""
    wide = sum(0.33 if c in "ijlt.,/ I|" else 0.92 if c in "mwMW" else 0.63 for c in content) * size
    return size if wide <= room else size * room / wide


# ---------------------------------------------------------------- counters


def _pile(scene: Scene, h: Hex, stack: Sequence[Counter]) -> str:
    """Counters one on another, the first on top, each below it a step up and right; the count above."""
    x0, y0 = scene.xy(h)
    size = scene.style.counter
    shown = stack[:4]
    step = size * 0.055
    drawn = []
    for depth, counter in enumerate(shown):
        at = x0 + depth * step - (len(shown) - 1) * step / 2, y0 - depth * step + (len(shown) - 1) * step / 2
        drawn.append(_counter(scene, counter, at, size, whole=depth == 0))
    drawn.reverse()
    if len(stack) > 1:
        drawn.append(_count(scene, (x0 + size * 0.5, y0 - size * 0.5 - 1), size * 0.135, str(len(stack))))
    reach = size / 2 + 5
    scene.stacks[h] = (x0 - reach, y0 - reach, 2 * reach, 2 * reach)
    scene.obstacles.add_box(scene.stacks[h], 4.0)
    return group(drawn, class_="stack", data_hex=scene.pack.id(h))


def _count(scene: Scene, at: Point, r: float, content: str) -> str:
    plate = tag("circle", cx=at[0], cy=at[1], r=r, fill=scene["ink"], stroke=scene["surface"], stroke_width=r * 0.16)
    return plate + text(content, at[0], at[1] + r * 0.46, font_size=r * 1.35, font_weight="700", fill=scene["surface"])


def _counter(scene: Scene, counter: Counter, at: Point, size: float, whole: bool) -> str:
    """A square counter, drawn in 48 units."""
    colours = side_colours(scene, counter.side)
    nation = "neutral" if counter.hidden else scene.style.nations.get(counter.nation, "neutral")
    ink = scene["counter-ink"]
    plate = tag(
        "rect",
        x=-23,
        y=-23,
        width=46,
        height=46,
        rx=2.2 if colours.square else 7,
        fill=scene[nation],
        stroke=scene[colours.edge],
        stroke_width=1.5,
    )
    shade = tag("rect", x=-22.6, y=-21.6, width=46, height=46, rx=4, fill="#1c1406", opacity=".25")
    inside = "" if counter.hidden else _printed(scene, counter, nation, ink)
    body = group(shade + plate + (group(inside, fill=ink) if whole else _hint(counter, inside)))
    scaled = group(body, transform=f"scale({size / 48:.3g})")
    return _finished(scene, counter, at, size, scaled)


def _hint(counter: Counter, inside: str) -> str:
    """A counter under another shows its edge only; its title still names it."""
    return "" if counter.hidden or not inside else tag("rect", x=-21, y=-21, width=42, height=3, opacity=".18")


def _printed(scene: Scene, counter: Counter, nation: str, ink: str) -> str:
    band = tag("path", d="M-21.1 -22.2h42.2v3.6h-42.2z", fill=scene[counter.band]) if counter.band else ""
    name = text(
        counter.label,
        -20,
        -9.6,
        font_size=_fitting(counter.label, 9.6, 30),
        font_weight="600",
        text_anchor="start",
    )
    size = text(size_mark(counter.size), 20.5, -9.9, font_size=8.4, font_weight="600", text_anchor="end")
    sign = symbol(counter.symbol, 0, 0.6, 26.4, ink, scene[f"{nation}-box"]) if counter.symbol else ""
    dots = "".join(tag("circle", cx=-18.4, cy=6.6 - 5 * k, r=2) for k in range(min(counter.steps, 4)))
    far = text(counter.range, -17.6, -2.6, font_size=7.6, font_weight="700")
    tank = ""
    if counter.tank:
        plate, number = (scene["low"], ink) if counter.tank_hollow else (ink, scene["low"])
        tank = tag("circle", cx=18, cy=1.2, r=4.9, fill=plate, stroke=ink, stroke_width=0.9) + text(
            counter.tank, 18, 4, font_size=7.6, font_weight="700", fill=number
        )
    return band + name + size + sign + dots + far + tank + _values(scene, counter)


def _values(scene: Scene, counter: Counter) -> str:
    """Attack, defence and movement along the bottom, each in its box if it has one."""
    values = [value for value in counter.strength.split("-") if value]
    spread = {1: (0.0,), 2: (-9.5, 9.5), 3: (-13.5, 0.0, 13.5)}.get(len(values))
    if spread is None:
        return text(counter.strength, 0, 20.8, font_size=_fitting(counter.strength, 13, 42), font_weight="700")
    drawn = []
    for k, (value, x) in enumerate(zip(values, spread, strict=True)):
        boxed = counter.boxed[k] if k < len(counter.boxed) else ""
        if boxed in _BOXES:
            drawn.append(tag("rect", x=x - 5.6, y=9.9, width=11.2, height=12, rx=1.6, fill=scene[_BOXES[boxed]]))
        elif boxed == "orange":
            drawn.append(tag("circle", cx=x, cy=16, r=6.4, fill=scene["ma-orange"]))
        elif boxed == "armor":
            drawn.append(tag("path", d=f"M{num(x - 4)} 22.2h8", stroke=scene["red-ink"], stroke_width=1.2))
        fill = scene[_INKS[boxed]] if boxed in _INKS else ""
        size = (14.0, 12.0, 9.5)[min(len(value), 3) - 1]
        drawn.append(text(value, x, 21.0, font_size=size, font_weight="700", fill=fill))
    return "".join(drawn)


_BOXES = {"elite": "elite", "low": "low", "red": "ma-red"}
_INKS = {"elite": "elite-ink", "red": "ma-red-ink", "orange": "ma-orange-ink", "armor": "red-ink"}


# ---------------------------------------------------------------- both


def _finished(scene: Scene, counter: Counter, at: Point, size: float, body: str) -> str:
    """A counter with its title and marks, in its place."""
    side = side_name(scene, counter.side)
    if counter.hidden:
        title = f"hidden, {side}"
    else:
        title = ", ".join(part for part in (counter.label, counter.strength, counter.detail) if part)
    marks = "".join(
        _mark(scene, mark, (size * (0.46 - 0.34 * k), -size * 0.46), size * 0.155)
        for k, mark in enumerate(mark for mark in counter.marks if mark in _MARKS)
    )
    faded = ".78" if "moved" in counter.marks else ""
    return group(
        tag("title", safe(title)) + group(body, opacity=faded) + marks,
        class_=f"counter {side}" + (" hidden" if counter.hidden else ""),
        transform=f"translate({pair(*at)})",
    )


_MARKS = {
    "disrupted": ("warn", "M1-5L-3.4 1H-.4L-1 5L3.4-1H.4Z", True),
    "out_of_supply": ("bad", "M0-4.6C2-1.6 3.4 0 3.4 1.8A3.4 3.4 0 0 1-3.4 1.8C-3.4 0-2-1.6 0-4.6Z", True),
    "moved": ("ink-2", "M-3.2 0L-1 2.4L3.4-2.6", False),
}


def _mark(scene: Scene, mark: str, at: Point, r: float) -> str:
    token, shape, filled = _MARKS[mark]
    ink = scene[token]
    plate = tag("circle", r=7.4, fill=scene["surface"], stroke=ink, stroke_width=1.6)
    if filled:
        sign = tag("path", d=shape, fill=ink)
    else:
        sign = tag("path", d=shape, fill="none", stroke=ink, stroke_width=1.8)
    return group(plate + sign, transform=f"translate({pair(*at)}) scale({r / 7.4:.3g})", class_=f"mark {mark}")


def draw_minefields(scene: Scene, markers: Iterable[Marker]) -> str:
    """Rings of mines just inside the hexes, under the counters."""
    drawn = []
    for marker in markers:
        if marker.kind == "minefield":
            shape = "M" + "L".join(pair(*corner) for corner in scene.outline(marker.hex, 7.5)) + "Z"
            drawn.append(tag("path", d=shape, stroke=scene["halo"], stroke_width=5, opacity=".8"))
            drawn.append(tag("path", d=shape, stroke=scene["perimeter"], stroke_width=4.2, stroke_dasharray="0 8.35"))
    return group(drawn, class_="minefields", fill="none", stroke_linecap="round", stroke_linejoin="round")


def draw_markers(scene: Scene, markers: Iterable[Marker]) -> str:
    """Battles, control and badges, over the counters."""
    drawn = []
    for marker in markers:
        x, y = scene.xy(marker.hex)
        if marker.kind == "battle":
            drawn.append(_battle(scene, (x, y - 46)))
            scene.obstacles.add_box((x - 10, y - 56, 20, 20), 4.0)
        elif marker.kind == "control":
            drawn.append(_flag(scene, (x - 30, y - 30), side_colours(scene, marker.side)))
            scene.obstacles.add_box((x - 32, y - 41, 18, 20), 4.0)
        elif marker.kind == "badge":
            drawn.append(_count(scene, (x + 32, y - 34), 9, marker.text))
            scene.obstacles.add_box((x + 23, y - 43, 18, 18), 4.0)
    return group(drawn, class_="markers", font_family=FONT_COUNTER, text_anchor="middle")


def _battle(scene: Scene, at: Point) -> str:
    plate = tag("circle", r=9, fill=scene["illegal"], stroke=scene["surface"], stroke_width=1.8)
    swords = tag(
        "path",
        d="M-4.6 -4.6L4.4 4.4M4.6 -4.6L-4.4 4.4M1.6 4.6L4.6 1.6M-1.6 4.6L-4.6 1.6",
        stroke=scene["surface"],
        stroke_width=1.5,
        stroke_linecap="round",
    )
    return group(plate + swords, transform=f"translate({pair(*at)})", class_="battle")


def _flag(scene: Scene, at: Point, colours: SideColours) -> str:
    round_ = 0.8 if colours.square else 4
    flag = tag(
        "rect",
        x=0,
        y=-9,
        width=14,
        height=9,
        rx=round_,
        fill=scene[colours.block],
        stroke=scene["name"],
        stroke_width=0.6,
    )
    pole = tag("path", d="M0 -9.5V7", stroke=scene["name"], stroke_width=1.4)
    return group(flag + pole, transform=f"translate({pair(*at)})", class_="control")
