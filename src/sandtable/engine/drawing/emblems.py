"""Small emblems on the map: anchors of ports, letters of entry hexes."""

from __future__ import annotations

from sandtable.engine.drawing.palette import FONT_COUNTER
from sandtable.engine.drawing.scene import Scene
from sandtable.engine.drawing.svg import num, pair, tag
from sandtable.engine.hexes import Mask, hexes_of


def draw_emblems(scene: Scene, covered: Mask = 0) -> list[str]:
    """What the style asks for: see `MapStyle.anchors` and `MapStyle.letters`."""
    return _anchors(scene, covered) + _letters(scene, covered)


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
    """The value of a tag such as entry:A in a ring at the top of its hexes, in its side's colour."""
    if not scene.style.letters:
        return []
    drawn = []
    w = scene.style.line
    key = f"{scene.style.letters}:"
    for word, mask in sorted(scene.pack.tags.items()):
        if not word.startswith(key):
            continue
        for h in hexes_of(mask & ~covered):
            cx, cy = scene.xy(h)
            side = scene.pack.hexes[h].tag(f"{scene.style.letters}_side")
            colours = scene.style.sides.get(side)
            ink = scene[colours.edge if colours else "name"]
            y = cy - 31 * w
            drawn.append(tag("circle", cx=cx, cy=y, r=9.5 * w, fill=scene["halo"], stroke=ink, stroke_width=1.8 * w))
            drawn.append(
                tag(
                    "text",
                    word.removeprefix(key),
                    x=cx,
                    y=y + 4.6 * w,
                    text_anchor="middle",
                    font_family=FONT_COUNTER,
                    font_weight="700",
                    font_size=13 * w,
                    fill=scene["name"],
                )
            )
            scene.obstacles.add_box((cx - 10 * w, y - 10 * w, 20 * w, 20 * w), 2.0)
    return drawn
