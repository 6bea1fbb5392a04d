"""Sea, land, coast, terrain and grid: all that is drawn once for a map."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

from sandtable.engine.drawing.field import Field, chance, thin
from sandtable.engine.drawing.relief import draw_relief
from sandtable.engine.drawing.scene import Scene
from sandtable.engine.drawing.style import AreaLook
from sandtable.engine.drawing.svg import Point, group, loop_path, loop_pieces, num, pair, scattered, steps_path, tag
from sandtable.engine.hexes import Mask, hexes_of

COAST_ROUGH = 0.15
_COAST_TOLERANCE = 0.006
_AREA_TOLERANCE = 0.010
_SHORE = 24
"""Of how many curves a piece of the shore is."""

# Waterlines: how far from the coast each lies, and how strong it is
_WATERLINES = ((41.0, 0.22), (28.0, 0.32), (16.5, 0.45), (7.6, 0.60))
_SHALLOWS = ((240.0, 0.35), (168.0, 0.45), (104.0, 0.55))


def draw_ground(scene: Scene) -> str:
    """The sheet up to and including the coast."""
    field = land_field(scene)
    loops = _loops(scene, field, _COAST_TOLERANCE)
    shape = "".join(map(loop_path, loops))
    name = f"land-{crc32(shape.encode()):08x}"  # so that several maps can stand in one page
    land, shore = f"#{name}", f"#shore-{name}"
    parts = [tag("rect", width=scene.width, height=scene.height, fill=scene["sea-deep"])]
    if scene.sea:
        parts.append(_water(scene, shore))
    parts.append(tag("use", href=land, fill=scene[scene.style.land]))
    inland = [_area(scene, area, seed) for seed, area in enumerate(scene.style.areas)]
    parts.append(group([*inland, _void(scene), draw_relief(scene)], clip_path=f"url(#on-{name})"))
    if scene.sea:
        coast = tag("use", href=shore, stroke=scene["coast"], stroke_width=1.9 * scene.style.line)
        parts.append(group(coast, fill="none", stroke_linecap="round", stroke_linejoin="round"))
    defs = tag("path", id=name, d=shape, fill_rule="evenodd")
    if scene.sea:
        defs += scattered((piece for loop in loops for piece in loop_pieces(loop, _SHORE)), id=shore[1:])
    clip = tag("clipPath", tag("use", href=land, clip_rule="evenodd"), id=f"on-{name}")
    return tag("defs", defs + clip) + group(parts, class_="ground")


def land_field(scene: Scene) -> Field:
    """The land, with channels cut where a hexside is sea."""
    field = scene.lattice.field(scene.land, COAST_ROUGH if scene.sea else 0.0, seed=11)
    for edge in scene.pack.hexsides:
        look = scene.style.hexsides.get(edge.kind)
        if look is not None and look.form == "channel":
            a, b = scene.side(edge.hex, edge.direction)
            field.carve(scene.unplace(a), scene.unplace(b))
    return field


def _loops(scene: Scene, field: Field, tolerance: float, level: float = 0.5) -> list[list[Point]]:
    """The outlines of a field, on the sheet."""
    loops = (thin(loop, tolerance) for loop in field.contour(level) if len(loop) > 5)
    return [[scene.place(point) for point in loop] for loop in loops]


def _water(scene: Scene, shore: str) -> str:
    """Shallows that grow paler to the shore, and four waterlines.

    The caps are round as the joins are, so that the pieces of the shore draw what one line would.
    """
    strokes = [
        tag("use", href=shore, stroke=scene["sea"], stroke_width=width, opacity=f"{strength:g}")
        for width, strength in _SHALLOWS
    ]
    for away, strength in _WATERLINES:
        width = 2 * away * scene.style.line
        strokes.append(tag("use", href=shore, stroke=scene["sea-line"], stroke_width=width, opacity=f"{strength:g}"))
        strokes.append(tag("use", href=shore, stroke=scene["sea"], stroke_width=width - 1.5))
    return group(strokes, fill="none", stroke_linecap="round", stroke_linejoin="round")


def _area(scene: Scene, area: AreaLook, seed: int) -> str:
    mask = scene.terrain(area.terrain) | scene.tagged(area.tags)
    mask &= scene.grid.all
    if not mask:
        return ""
    field = scene.lattice.field(mask, area.rough, seed=20 + 3 * seed)
    if area.sharp:
        shape = "".join(steps_path(scene.outline(h)) + "Z" for h in hexes_of(mask))
    else:
        shape = "".join(map(loop_path, _loops(scene, field, _AREA_TOLERANCE, area.level)))
    parts = [tag("path", d=shape, fill=scene[area.fill], fill_rule="evenodd")] if area.fill else []
    if area.texture:
        parts.append(_texture(scene, area, field, mask, seed))
    if area.rim:
        dashes = "7 4" if area.dashed else ""
        line = {"fill": "none", "stroke": scene[area.rim], "stroke_dasharray": dashes}
        parts.append(tag("path", d=shape, **line, stroke_width=1.3 * scene.style.line))
    return "".join(parts)


def _void(scene: Scene) -> str:
    """Land that is no part of the map, as blank paper: its coast is as soft as any."""
    if not scene.void:
        return ""
    shape = "".join(map(loop_path, _loops(scene, scene.lattice.field(scene.void), _AREA_TOLERANCE)))
    return tag("path", d=shape, fill=scene["void"], opacity=".55", fill_rule="evenodd")


# ---------------------------------------------------------------- textures

Glyph = Callable[[float, float, float, float], str]
"""A small drawing at x, y, of a size, with a number in [0, 1) to vary it."""


def _stipple(x: float, y: float, size: float, vary: float) -> str:
    return f"M{pair(x, y)}h.1"


def _strokes(x: float, y: float, size: float, vary: float) -> str:
    wide = size * (0.7 + 0.6 * vary)
    return f"M{pair(x - wide / 2, y)}q{pair(wide * 0.45, -wide * 0.62)} {pair(wide, -wide * 0.08)}"


def _humps(x: float, y: float, size: float, vary: float) -> str:
    wide = size * (0.8 + 0.5 * vary)
    far = f"q{pair(wide * 0.26, -wide * 0.42)} {pair(wide * 0.55, -wide * 0.04)}"
    return (
        f"M{pair(x - wide / 2, y)}q{pair(wide * 0.32, -wide * 0.7)} {pair(wide * 0.66, 0)}m{pair(-wide * 0.2, 0)}{far}"
    )


def _peaks(x: float, y: float, size: float, vary: float) -> str:
    wide = size * (0.75 + 0.5 * vary)
    high = wide * 0.85
    shade = f"M{pair(x + wide * 0.1, y - high * 0.62)}l{pair(wide * 0.2, high * 0.44)}"
    second = f"M{pair(x + wide * 0.3, y - high * 0.36)}l{pair(wide * 0.12, high * 0.26)}"
    return f"M{pair(x - wide / 2, y)}L{pair(x, y - high)}L{pair(x + wide / 2, y)}{shade}{second}"


def _reeds(x: float, y: float, size: float, vary: float) -> str:
    wide = size * (0.7 + 0.6 * vary)
    water = f"M{pair(x - wide / 2, y)}h{num(wide)}M{pair(x - wide * 0.2, y + 4)}h{num(wide * 0.5)}"
    if vary < 0.45:
        return water
    stems = ((0.0, 0.0), (-2.0, -1.6), (2.0, 1.6))
    return water + "".join(f"M{pair(x + at, y - 1.5)}l{pair(lean, -4.4)}" for at, lean in stems)


def _crowns(x: float, y: float, size: float, vary: float) -> str:
    r = size * (0.28 + 0.16 * vary)
    return f"M{pair(x - r, y)}a{pair(r, r)} 0 1 1 {pair(2 * r, 0)}q{pair(-r, r * 0.9)} {pair(-2 * r, 0)}"


def _olive(x: float, y: float, size: float, vary: float) -> str:
    r = size * 0.27
    return f"M{pair(x - r, y)}a{pair(r, r)} 0 1 1 {pair(2 * r, 0)}a{pair(r, r)} 0 1 1 {pair(-2 * r, 0)}"


def _pear(x: float, y: float, size: float, vary: float) -> str:
    """Prickly pear: a stem with two lobes, the hedge around a grove."""
    a = size * 0.3
    lobes = "".join(f"M{pair(x, y - a * 0.3)}l{pair(dx * a, dy * a)}" for dx, dy in ((-0.75, -0.8), (0.75, -1.0)))
    return f"M{pair(x, y)}v{num(-a)}{lobes}"


def _flats(x: float, y: float, size: float, vary: float) -> str:
    return f"M{pair(x - size * (0.3 + 0.4 * vary), y)}h{num(size * (0.6 + 0.8 * vary))}"


def _ice(x: float, y: float, size: float, vary: float) -> str:
    wide = size * (0.8 + 0.5 * vary)
    return (
        f"M{pair(x - wide / 2, y)}l{pair(wide * 0.3, -wide * 0.75)} {pair(wide * 0.14, wide * 0.3)}"
        f" {pair(wide * 0.14, -wide * 0.2)} {pair(wide * 0.42, wide * 0.65)}"
    )


def _blocks(x: float, y: float, size: float, vary: float) -> str:
    return f"M{pair(x - size / 3, y)}h{num(size * (0.4 + 0.3 * vary))}v{num(size * 0.4)}h{num(-size * 0.5)}z"


# glyph, spacing, size, stroke width, opacity
_TEXTURES: dict[str, tuple[Glyph, float, float, float, float]] = {
    "stipple": (_stipple, 10.5, 1.0, 1.15, 0.60),
    "strokes": (_strokes, 19.0, 7.0, 0.9, 0.55),
    "sparse": (_strokes, 34.0, 5.0, 0.85, 0.38),
    "humps": (_humps, 36.0, 11.0, 0.9, 0.50),
    "rows": (_olive, 13.0, 9.0, 0.9, 0.75),
    "flats": (_flats, 17.0, 9.0, 0.9, 0.65),
    "peaks": (_peaks, 19.5, 12.0, 0.95, 0.60),
    "summits": (_peaks, 40.0, 13.0, 0.95, 0.55),
    "stones": (_strokes, 40.0, 7.0, 0.9, 0.50),
    "reeds": (_reeds, 19.0, 15.0, 0.95, 0.70),
    "crowns": (_crowns, 12.5, 11.0, 0.8, 0.60),
    "ice": (_ice, 19.0, 12.0, 0.9, 0.75),
    "blocks": (_blocks, 13.0, 9.0, 0.9, 0.8),
}


_HEDGE = 0.64
"""How much a point at the rim of a grove belongs to it."""


def _texture(scene: Scene, area: AreaLook, field: Field, mask: Mask, seed: int) -> str:
    """Small strokes scattered over a shape, evenly but not in rows; what was planted stands in rows, with a hedge."""
    glyph, spacing, size, width, opacity = _TEXTURES[area.texture]
    spread = scene.style.line
    spacing *= spread
    xs = [scene.xy(h) for h in hexes_of(scene.grid.dilate(mask))]
    left, right = min(x for x, _ in xs) - 60, max(x for x, _ in xs) + 60
    top, bottom = min(y for _, y in xs) - 60, max(y for _, y in xs) + 60
    rows = range(int(top / (spacing * 0.8)), int(bottom / (spacing * 0.8)) + 1)
    columns = range(int(left / spacing) - 1, int(right / spacing) + 1)
    inside = 0.55 if area.texture in ("stipple", "rows") else 0.62
    loose = 0.0 if area.texture == "rows" else 0.62
    drawn = []
    for j in rows:
        for i in columns:
            x = (i + 0.5 * (j % 2) * bool(loose) + loose * (chance(i, j, seed) - 0.5)) * spacing
            y = (j + loose * (chance(i, j, seed + 77) - 0.5)) * spacing * 0.8
            within = field.at(scene.unplace((x, y - size * 0.3)))
            if within > inside and _on_sheet(scene, (x, y)):
                shape = _pear if area.texture == "rows" and within < _HEDGE else glyph
                drawn.append(shape(round(x), round(y), size * spread, chance(j, i, seed + 5)))
    return scattered(
        drawn,
        fill="none",
        stroke=scene[area.ink],
        stroke_width=width * spread,
        stroke_linecap="round",
        stroke_linejoin="round",
        opacity=f"{opacity:g}",
    )


def _on_sheet(scene: Scene, point: Point) -> bool:
    return 0 < point[0] < scene.width and 0 < point[1] < scene.height


# ---------------------------------------------------------------- grid


def draw_grid(scene: Scene) -> str:
    """The outlines of all hexes that are not sea; each side once."""
    if scene.pixels < scene.style.grid_from:
        return ""
    shown = scene.land & ~scene.void
    pointy = scene.grid.orientation == "pointy"
    lines = []
    for h in hexes_of(shown):
        ends = [scene.side(h, d) for d in range(6)]
        first = [ends[d][0] for d in range(3)]  # the first three sides lie end to end
        three = [*reversed(first), ends[0][1]] if pointy else [*first, ends[2][1]]
        lines.append(steps_path(three))
        for d in range(3, 6):
            other = scene.grid.neighbour(h, d)
            if other < 0 or not shown >> other & 1:
                lines.append(steps_path(ends[d]))
    return scattered(lines, class_="grid", fill="none", stroke=scene["grid"], stroke_width=0.9)
