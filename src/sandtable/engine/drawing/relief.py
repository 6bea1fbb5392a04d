"""Relief: the heights of terrain as light and shade, with the light from the north-west.

Heights are blurred like the shapes of terrain, broken up by ridges, and cut a little where a way runs. The slope
towards the light is contoured into thin veils: the drawing stays lines, and follows the palette of the page.
"""

from __future__ import annotations

from math import exp

from sandtable.engine.drawing.field import ACROSS, ALONG, Field, distance_to_line, noise, thin
from sandtable.engine.drawing.scene import Scene
from sandtable.engine.drawing.svg import group, loop_path, tag

_PLAIN = 0.09
"""Heights below this are flat."""
_SHADES = (0.16, 0.34, 0.56, 0.84, 1.18, 1.6)
_LIGHTS = (0.22, 0.5, 0.86, 1.3)
_TOLERANCE = 0.022
_SMALLEST = 9
"""Points of an outline below which nobody would see it."""
_CUT, _CUT_WIDTH = 0.5, 0.13
"""How much of a height a way takes away, and how wide in hexes."""


def draw_relief(scene: Scene) -> str:
    """Veils of shade and light over the land, or nothing for a style without heights."""
    if not scene.style.heights:
        return ""
    slope = _slope(scene, _heights(scene))
    shades = [_veil(scene, slope, level, -1, "relief-shade") for level in _SHADES]
    lights = [_veil(scene, slope, level, 1, "relief-light") for level in _LIGHTS]
    return group([*shades, *lights], class_="relief")


Values = list[list[float]]


def _heights(scene: Scene) -> Values:
    lattice = scene.lattice
    found = [[0.0] * lattice.columns for _ in range(lattice.rows)]
    for terrain, height in scene.style.heights.items():
        mask = scene.terrain((terrain,)) & scene.grid.all
        if not mask:
            continue
        for line, part in zip(found, lattice.field(mask).values, strict=True):
            for column, value in enumerate(part):
                if value:
                    line[column] += height * value
    for row, line in enumerate(found):
        for column, height in enumerate(line):
            if height > 0.02:
                x, y = lattice.point(row, column)
                line[column] = max(0.0, height * (0.42 + 0.8 * _ridged(x, y)) - _PLAIN)
    _cut_ways(scene, found)
    return found


def _ridged(x: float, y: float) -> float:
    """From 0 to 1, with sharp crests: mountains are not bubbles."""
    large = 1 - abs(noise(x * 0.8 + 0.2 * y, y * 0.8, 41))
    middle = 1 - abs(noise(x * 2.1 - 0.4 * y, y * 2.1, 42))
    small = 1 - abs(noise(x * 5.3, y * 5.3, 43))
    return 0.34 * large * large + 0.38 * middle * middle + 0.28 * small


def _cut_ways(scene: Scene, heights: Values) -> None:
    lattice = scene.lattice
    for edge in scene.pack.ways:
        a, b = scene.grid.centre(edge.hex), scene.grid.centre(edge.neighbour)
        spots = [lattice.spot(point) for point in (a, b)]
        rows = range(int(min(s[0] for s in spots)) - 3, int(max(s[0] for s in spots)) + 5)
        columns = range(int(min(s[1] for s in spots)) - 3, int(max(s[1] for s in spots)) + 5)
        for i in rows:
            for j in columns:
                if 0 <= i < lattice.rows and 0 <= j < lattice.columns and heights[i][j]:
                    away = distance_to_line(lattice.point(i, j), a, b)
                    heights[i][j] *= 1 - _CUT * exp(-((away / _CUT_WIDTH) ** 2))


def _slope(scene: Scene, heights: Values) -> Values:
    """How steeply the ground rises to the south-east: what rises there faces the light."""
    step = 2 * ((1 / ALONG) ** 2 + (3**0.5 / 2 / ACROSS) ** 2) ** 0.5
    found = [[0.0] * scene.lattice.columns for _ in range(scene.lattice.rows)]
    for i in range(1, scene.lattice.rows - 1):
        before, after, line = heights[i - 1], heights[i + 1], found[i]
        for j in range(1, scene.lattice.columns - 1):
            a, b = before[j - 1], after[j + 1]
            if a or b:
                line[j] = (b - a) / step
    return found


def _veil(scene: Scene, slope: Values, level: float, way: int, token: str) -> str:
    """All that is steeper than the level, towards the light or away from it."""
    field = Field(scene.lattice, slope if way > 0 else [[-value for value in line] for line in slope])
    loops = (thin(loop, _TOLERANCE) for loop in field.contour(level) if len(loop) >= _SMALLEST)
    shape = "".join(loop_path([scene.place(point) for point in loop]) for loop in loops)
    return tag("path", d=shape, fill=scene[token], fill_rule="evenodd") if shape else ""
