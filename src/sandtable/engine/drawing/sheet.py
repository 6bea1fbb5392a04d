"""The drawings: an empty map, or a position on it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from sandtable.engine.drawing.counters import Counter, Marker, draw_counters, draw_markers, draw_minefields
from sandtable.engine.drawing.ground import draw_grid, draw_ground
from sandtable.engine.drawing.hexsides import draw_hexsides
from sandtable.engine.drawing.names import draw_lettering, draw_names, draw_numbers, draw_sites
from sandtable.engine.drawing.scene import Obstacles, Scene, chains
from sandtable.engine.drawing.style import MapStyle
from sandtable.engine.drawing.svg import curve_path, group, line_path, num, safe, tag
from sandtable.engine.drawing.ways import draw_ways
from sandtable.engine.hexes import Hex, Mask, hexes_of, mask_of
from sandtable.engine.packs import Pack

_SHADE = (
    '<radialGradient id="shade"><stop offset="0" stop-color="#1c1406" stop-opacity=".42"/>'
    '<stop offset="1" stop-color="#1c1406" stop-opacity="0"/></radialGradient>'
)
_HATCH = (
    '<pattern id="hatch-{palette}" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)">'
    '<path d="M0 0V7" stroke="{ink}" stroke-width="1.3" opacity=".45"/></pattern>'
)

_kept: WeakKeyDictionary[Pack, list[tuple[MapStyle, str, int, str, Obstacles]]] = WeakKeyDictionary()
_KEEP = 4


def draw_map(
    pack: Pack,
    style: MapStyle,
    palette: str = "light",
    *,
    numbers: bool = False,
    names: bool = True,
    width: int = 2000,
) -> str:
    """The map of a pack as SVG, `width` pixels wide."""
    return draw_position(pack, style, (), palette=palette, numbers=numbers, names=names, width=width)


def draw_position(
    pack: Pack,
    style: MapStyle,
    counters: Iterable[Counter],
    markers: Iterable[Marker] = (),
    palette: str = "light",
    *,
    highlight: Mask = 0,
    danger: Mask = 0,
    path: Sequence[Hex] = (),
    numbers: bool = False,
    names: bool = True,
    width: int = 2000,
    title: str = "",
    ground: str = "",
) -> str:
    """A position as SVG: the map, what is lit up on it, the counters, and names that make room for them.

    A game that draws its own ground gives it as an SVG of the same size.
    """
    scene = Scene(pack, style, palette, width)
    shown, laid = list(counters), list(markers)
    base = ground or _base(scene, width)
    covered = mask_of(counter.hex for counter in shown)
    layers = [
        base,
        draw_numbers(scene) if numbers else "",
        draw_sites(scene, covered),
        _highlight(scene, highlight, "hl", "hl-fill"),
        _highlight(scene, danger, "illegal", "illegal-fill", hatch=True),
        draw_minefields(scene, laid),
        _path(scene, path),
    ]
    pieces = draw_counters(scene, shown)
    signs = draw_markers(scene, laid)
    written = draw_names(scene) if names else ""
    layers += [written, pieces, signs] if style.blocks else [pieces, signs, written]
    return _svg(scene, "".join(layers), width, title or style.title)


def _base(scene: Scene, width: int) -> str:
    """Ground, grid, features and ways: kept for the next drawing of the same map."""
    kept = _kept.setdefault(scene.pack, [])
    for style, palette, pixels, drawn, obstacles in kept:
        if style is scene.style and palette == scene.palette and pixels == width:
            scene.obstacles = copy.deepcopy(obstacles)
            return drawn
    above = draw_grid(scene) + draw_hexsides(scene) + draw_ways(scene)
    drawn = draw_ground(scene) + draw_lettering(scene) + above
    kept.append((scene.style, scene.palette, width, drawn, copy.deepcopy(scene.obstacles)))
    del kept[:-_KEEP]
    return drawn


def _highlight(scene: Scene, mask: Mask, edge: str, fill: str, hatch: bool = False) -> str:
    """A tint over some hexes and a firm line around them."""
    hexes = hexes_of(mask & scene.grid.all)
    if not hexes:
        return ""
    shape = "".join(line_path(scene.outline(h)) + "Z" for h in hexes)
    sides = [
        scene.side(h, d) for h in hexes for d in range(6) if (n := scene.grid.neighbour(h, d)) < 0 or not mask >> n & 1
    ]
    around = "".join(line_path([point for point, _ in chain]) for chain in chains(sides))
    drawn = tag("path", d=shape, fill=scene[fill])
    if hatch:
        drawn += tag("path", d=shape, fill=f"url(#hatch-{scene.palette})")
    drawn += tag(
        "path",
        d=around,
        fill="none",
        stroke=scene[edge],
        stroke_width=2.4,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
    return group(drawn, class_="highlight" if not hatch else "danger")


def _path(scene: Scene, path: Sequence[Hex]) -> str:
    """A move from hex to hex: a line with a point at its end."""
    if len(path) < 2:
        return ""
    points = [scene.xy(h) for h in path]
    line = curve_path(points)
    x, y = points[-1]
    return group(
        tag("path", d=line, stroke=scene["hl-case"], stroke_width=7)
        + tag("path", d=line, stroke=scene["path"], stroke_width=4)
        + tag("circle", cx=x, cy=y, r=7, fill=scene["path"], stroke=scene["hl-case"], stroke_width=2),
        class_="path",
        fill="none",
        stroke_linecap="round",
    )


def _svg(scene: Scene, body: str, width: int, title: str) -> str:
    height = round(width * scene.height / scene.width)
    hatch = _HATCH.format(ink=scene["illegal"], palette=scene.palette)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {num(scene.width)} {num(scene.height)}" role="img">'
        f"<title>{safe(title)}</title><defs>{_SHADE}{hatch}</defs>{body}</svg>\n"
    )
