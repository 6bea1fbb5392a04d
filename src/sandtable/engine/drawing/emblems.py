"""Small emblems on the map: anchors of ports, airfields beside towns, passes, letters of entry hexes."""

from __future__ import annotations

from math import atan2, cos, degrees, pi, sin

from sandtable.engine.drawing.palette import FONT_COUNTER
from sandtable.engine.drawing.scene import Scene
from sandtable.engine.drawing.svg import group, num, pair, tag
from sandtable.engine.drawing.ways import way_spots
from sandtable.engine.hexes import Hex, Mask, hexes_of


def draw_emblems(scene: Scene, covered: Mask = 0) -> list[str]:
    """What the style asks for: see `MapStyle.anchors`, `airfields` and `letters`, and passes in `SiteLook`."""
    return _anchors(scene, covered) + _passes(scene) + _airfields(scene, covered) + _letters(scene, covered)


def _passes(scene: Scene) -> list[str]:
    """Two curves across the way through a pass, at the point that the way runs through."""
    passes = [p for p in scene.pack.places if (look := scene.style.sites.get(p.kind)) and look.mark == "pass"]
    if not passes:
        return []
    spots, drawn, w = way_spots(scene), [], scene.style.line
    for place in passes:
        x, y = spots.get(place.hex, scene.xy(place.hex))
        around = [
            spots[edge.neighbour if edge.hex == place.hex else edge.hex]
            for edge in sorted(scene.pack.ways, key=lambda way: (way.kind == "railway", way.kind))
            if place.hex in (edge.hex, edge.neighbour)
        ][:2]
        (ax, ay), (bx, by) = (around[0], around[-1]) if len(around) > 1 else ((x, y), (x + 1, y))
        turn = degrees(atan2(by - ay, bx - ax))
        curves = "M-9 -15Q0 -7 9 -15M-9 15Q0 7 9 15"
        place_at = f"translate({pair(x, y)}) rotate({num(turn)}) scale({num(w)})"
        drawn.append(tag("path", d=curves, transform=place_at))
        scene.obstacles.add_box((x - 14 * w, y - 14 * w, 28 * w, 28 * w), 1.0)
    ink = scene["pass"]
    return [group(drawn, class_="passes", fill="none", stroke=ink, stroke_linecap="round", stroke_width=3.0)]


def _airfields(scene: Scene, covered: Mask) -> list[str]:
    """A disc beside the mark of every place with an airfield, where least is in the way."""
    if not scene.style.airfields:
        return []
    drawn, w = [], scene.style.line
    for place in scene.pack.places:
        if scene.style.airfields not in place.attributes or covered >> place.hex & 1:
            continue
        cx, cy = scene.xy(place.hex)
        angles = [k * pi / 6 for k in range(12)]
        at = [(cx + 26 * w * cos(angle), cy + 26 * w * sin(angle)) for angle in angles]
        boxes = [(x - 10 * w, y - 10 * w, 20 * w, 20 * w) for x, y in at]
        x, y = min(zip(at, boxes, strict=True), key=lambda one: scene.obstacles.cost(one[1]))[0]
        drawn.append(airfield(scene, x, y, w))
        scene.obstacles.add_box((x - 10 * w, y - 10 * w, 20 * w, 20 * w), 2.0)
    return drawn


def airfield(scene: Scene, x: float, y: float, w: float) -> str:
    plate = tag("circle", cx=x, cy=y, r=7.6 * w, fill=scene["halo"], stroke=scene["sea-ink"], stroke_width=1.5 * w)
    plane = f"M{pair(x, y - 4.6 * w)}v{num(9 * w)}M{pair(x - 4.4 * w, y - 0.8 * w)}h{num(8.8 * w)}"
    tail = f"M{pair(x - 2 * w, y + 3.6 * w)}h{num(4 * w)}"
    return plate + tag("path", d=plane + tail, stroke=scene["sea-ink"], stroke_width=1.7 * w)


def _anchors(scene: Scene, covered: Mask) -> list[str]:
    """An anchor to the upper left of every port, in a ring if the port is a large one."""
    if not scene.style.anchors:
        return []
    drawn = []
    w = scene.style.line
    for place in scene.pack.places:
        size = place.attributes.get(scene.style.anchors, "")
        if not size or covered >> place.hex & 1:
            continue
        cx, cy = scene.xy(place.hex)
        x, y = cx - 24 * w, cy - 15 * w
        if size == "large":
            ink = scene["sea-ink"]
            ring = tag("circle", cx=x, cy=y, r=9.6 * w, fill=scene["halo"], stroke=ink, stroke_width=1.3 * w)
            drawn.append(ring)
        shape = (
            f"M{pair(x, y - 3.6 * w)}v{num(9.4 * w)}M{pair(x - 3 * w, y - 1.8 * w)}h{num(6 * w)}"
            f"M{pair(x - 5 * w, y + 2.2 * w)}q{pair(0.6 * w, 3.8 * w)} {pair(5 * w, 3.8 * w)}"
            f"q{pair(4.4 * w, 0)} {pair(5 * w, -3.8 * w)}"
        )
        look = {"fill": "none", "stroke": scene["sea-ink"], "stroke_linecap": "round"}
        drawn.append(tag("path", d=shape, **look, stroke_width=1.5 * w))
        drawn.append(tag("circle", cx=x, cy=y - 5 * w, r=1.6 * w, **look, stroke_width=1.2 * w))
        scene.obstacles.add_box((x - 9 * w, y - 9 * w, 18 * w, 18 * w), 2.0)
    return drawn


def _letters(scene: Scene, covered: Mask) -> list[str]:
    """The value of a tag such as entry:A in a ring at the top of its hexes, in its side's colour.

    A side whose counters have square corners has a square plate; a source of supply (supply:<side>_A) is filled, a mere
    entry dashed; an arrow outward is the enemy's way off the map (<side>_exit), in the enemy's colour.
    """
    if not scene.style.letters:
        return []
    drawn = []
    key = f"{scene.style.letters}:"
    for word, mask in sorted(scene.pack.tags.items()):
        if not word.startswith(key):
            continue
        for h in hexes_of(mask & ~covered):
            row = scene.pack.hexes[h]
            source = row.tag("supply").partition("_")[0]
            drawn.append(
                _plate(scene, h, word.removeprefix(key), source or row.tag(f"{scene.style.letters}_side"), bool(source))
            )
            for side, colours in scene.style.sides.items():
                if f"{side}_exit" in row.tags:
                    drawn.append(_arrow(scene, h, scene[colours.edge]))
    return drawn


def _plate(scene: Scene, h: Hex, letter: str, side: str, source: bool) -> str:
    (cx, cy), w = scene.xy(h), scene.style.line
    colours = scene.style.sides.get(side)
    ink = scene[colours.edge if colours else "name"]
    sources = any(word.startswith("supply:") for word in scene.pack.tags)
    y, r = cy - 31 * w, 9.5 * w
    look: dict[str, str | float] = {"fill": ink if source else scene["halo"], "stroke": ink, "stroke_width": 1.8 * w}
    if sources and not source:
        look["stroke_dasharray"] = f"{num(4 * w)} {num(2.4 * w)}"
    square = sources and colours is not None and colours.square
    shape = (
        tag("rect", x=cx - r, y=y - r, width=2 * r, height=2 * r, **look)
        if square
        else tag("circle", cx=cx, cy=y, r=r, **look)
    )
    scene.obstacles.add_box((cx - 10 * w, y - 10 * w, 20 * w, 20 * w), 2.0)
    return shape + tag(
        "text",
        letter,
        x=cx,
        y=y + 4.6 * w,
        text_anchor="middle",
        font_family=FONT_COUNTER,
        font_weight="700",
        font_size=13 * w,
        fill=scene["halo" if source else "name"],
    )


def _arrow(scene: Scene, h: Hex, ink: str) -> str:
    """Out over the nearest edge of the map."""
    (x, y), w = scene.xy(h), scene.style.line
    away = {(0, -1): y, (0, 1): scene.height - y, (-1, 0): x, (1, 0): scene.width - x}
    (dx, dy), _ = min(away.items(), key=lambda item: item[1])
    tip = (x + dx * 44 * w, y + dy * 44 * w)
    base, (nx, ny) = (x + dx * 34 * w, y + dy * 34 * w), (-dy * 6 * w, dx * 6 * w)
    points = [tip, (base[0] + nx, base[1] + ny), (base[0] - nx, base[1] - ny)]
    return tag("path", d="M" + "L".join(pair(*point) for point in points) + "Z", fill=ink, stroke=scene["halo"])
