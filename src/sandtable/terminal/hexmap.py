"""The map as characters: hexes laid as bricks, so that six neighbours touch on six sides.

A pointy grid's rows lie like courses of a wall, each half a brick along; a flat grid's columns likewise,
half a brick down. Three scales: near (names, roads, hexsides), far and tiny (who stands where).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.packs import Pack, Place

from . import palette
from .canvas import Canvas

_ROW = sqrt(3) / 2


@dataclass(frozen=True)
class Scale:
    """How many characters a hex takes; a framed hex has its sides drawn."""

    name: str
    width: int
    height: int
    framed: bool = False


POINTY_SCALES = (Scale("near", 8, 3, True), Scale("middle", 6, 2), Scale("far", 4, 2), Scale("tiny", 2, 1))
FLAT_SCALES = (Scale("near", 8, 4, True), Scale("middle", 6, 2), Scale("far", 4, 2), Scale("tiny", 2, 2))

NOT_SETTLED = frozenset(
    ("area", "border", "road", "ridge", "landmark", "mountain", "hill", "pass", "entry", "road_exit")
)
"""Kinds of place that name a stretch of country, not a hex."""


@dataclass(frozen=True)
class Tag:
    """What stands in a hex, in a word: "A3" on the colours of its side."""

    text: str
    ink: str
    ground: str


@dataclass(frozen=True)
class Window:
    """A part of the map as drawn, and what could not be shown of it."""

    canvas: Canvas
    scale: Scale
    cut: tuple[bool, bool, bool, bool]  # more to the west, north, east, south


class HexMap:
    """One map, ready to be drawn at any scale around any hex."""

    def __init__(self, pack: Pack) -> None:
        grid = pack.grid
        self.grid = grid
        self.pointy = grid.orientation == "pointy"
        self.scales = POINTY_SCALES if self.pointy else FLAT_SCALES
        self._at: dict[Hex, tuple[int, int]] = {}
        for h in grid.hexes:
            x, y = grid.centre(h)
            self._at[h] = (round(2 * x), round(y / _ROW)) if self.pointy else (round(x / _ROW), round(2 * y))
        self._grounds: dict[Hex, palette.Ground] = {}
        for kind, mask in pack.terrain.items():
            ground = palette.find(palette.GROUNDS, kind, palette.LAND)
            for h in hexes_of(mask & grid.all):
                self._grounds[h] = ground
        self._sides = _by_side(pack.sides)
        self._ways = _by_side({k: pack.links[k] for k in sorted(pack.links, key=_way_rank)})
        self._gorges = pack.sides_where(lambda edge: edge.row.get("gorge") == "yes")
        self._names = {place.hex: place.name for place in reversed(pack.places) if _is_in_hex(place)}

    # ------------------------------------------------------------------------------- layout

    def size(self, scale: Scale) -> tuple[int, int]:
        """Characters across and down of the whole map."""
        spots = [self._spot(h, scale) for h in self._at]
        frame = 1 if scale.framed else 0
        return (
            max(x for x, _ in spots) + scale.width + frame,
            max(y for _, y in spots) + scale.height + frame,
        )

    def _spot(self, h: Hex, scale: Scale) -> tuple[int, int]:
        across, down = self._at[h]
        if self.pointy:
            return across * scale.width // 2, down * scale.height
        return across * scale.width, down * scale.height // 2

    def scale(self, name: str) -> Scale:
        return next(s for s in self.scales if s.name == name)

    def best_scale(self, focus: Iterable[Hex], width: int, height: int) -> Scale:
        """The nearest scale that shows all these hexes (the whole map without any), or the smallest."""
        hexes = [h for h in focus if h in self._at]
        for scale in self.scales:
            across, down = self.size(scale)
            if hexes:
                spots = [self._spot(h, scale) for h in hexes]
                across = max(x for x, _ in spots) - min(x for x, _ in spots) + 2 * scale.width
                down = max(y for _, y in spots) - min(y for _, y in spots) + 2 * scale.height
            if across <= width and down <= height:
                return scale
        return self.scales[-1]

    def height_around(self, focus: Iterable[Hex], scale: Scale, rows: int = 3) -> int:
        """Lines that show these hexes and so many rows above and below them."""
        lines = [self._spot(h, scale)[1] for h in focus if h in self._at]
        return max(lines) - min(lines) + (2 * rows + 1) * scale.height + 1 if lines else self.size(scale)[1]

    def key(self) -> list[tuple[str, str, str]]:
        """The lines on this map: kind, characters, colour."""
        ways = {kind: palette.find(palette.WAYS, kind, palette.WAY) for kind in set(self._ways.values())}
        sides = {k: palette.find(palette.HEXSIDES, k, palette.HEXSIDE) for k in set(self._sides.values())}
        found = [(kind, line.level * 2, line.ink) for kind, line in sorted({**ways, **sides}.items())]
        return [*found, ("gorge", ")(", palette.HEXSIDE.ink)] if any(self._gorges) else found

    def window(
        self,
        width: int,
        height: int,
        *,
        scale: Scale,
        focus: Iterable[Hex] = (),
        tags: Mapping[Hex, Sequence[Tag]] | None = None,
        marked: Mask = 0,
        selected: Mask = 0,
    ) -> Window:
        """As much of the map as fits, with the focus in the middle of it."""
        whole_width, whole_height = self.size(scale)
        width, height = min(width, whole_width), min(height, whole_height)
        left, top = self._corner(focus, scale, width, height, whole_width, whole_height)
        canvas = Canvas(width, height)
        spots = {
            h: (x - left, y - top)
            for h in self._at
            for x, y in (self._spot(h, scale),)
            if -scale.width < x - left < width and -scale.height < y - top < height
        }
        for h, spot in spots.items():
            self._paint_ground(canvas, h, spot, scale, marked >> h & 1, selected >> h & 1)
        if scale.framed:
            for h, spot in spots.items():
                self._draw_frame(canvas, h, spot, scale)
            for h, spot in spots.items():
                self._draw_features(canvas, h, spot, scale)
        for h, spot in spots.items():
            mark = "»" if selected >> h & 1 else "›" if marked >> h & 1 else ""
            self._write(canvas, h, spot, scale, (tags or {}).get(h, ()), mark)
        cut = (left > 0, top > 0, left + width < whole_width, top + height < whole_height)
        return Window(canvas, scale, cut)

    def _corner(
        self, focus: Iterable[Hex], scale: Scale, width: int, height: int, whole_width: int, whole_height: int
    ) -> tuple[int, int]:
        spots = [self._spot(h, scale) for h in focus if h in self._at]
        if not spots:
            return 0, 0
        middle_x = (min(x for x, _ in spots) + max(x for x, _ in spots) + scale.width) // 2
        middle_y = (min(y for _, y in spots) + max(y for _, y in spots) + scale.height) // 2
        return (
            max(0, min(middle_x - width // 2, whole_width - width)),
            max(0, min(middle_y - height // 2, whole_height - height)),
        )

    # ------------------------------------------------------------------------------- ground

    def _paint_ground(
        self, canvas: Canvas, h: Hex, spot: tuple[int, int], scale: Scale, marked: int, selected: int
    ) -> None:
        ground = self._grounds.get(h, palette.LAND)
        across, down = self._at[h]
        even = (across // 2 if self.pointy else down // 2) % 2 == 0
        if selected:
            colour = palette.SELECTED
        elif marked:
            colour = palette.REACH if even or scale.framed else palette.REACH_SHADE
        else:
            colour = ground.colour if even or scale.framed else ground.shade
        canvas.ground(*spot, scale.width, scale.height, colour)

    def _is_sea(self, h: Hex) -> bool:
        return h < 0 or self._grounds.get(h, palette.LAND).mark == "~"

    # ------------------------------------------------------------------------------- sides

    def _side_cells(self, spot: tuple[int, int], scale: Scale, d: int) -> tuple[list[tuple[int, int]], bool]:
        """The characters between the corners of a side, and whether it lies level."""
        x, y = spot
        w, h = scale.width, scale.height
        if self.pointy:  # E NE NW W SW SE
            if d in (0, 3):
                return [(x + (w if d == 0 else 0), y + i) for i in range(1, h)], False
            start = x + (w // 2 if d in (1, 5) else 0)
            row = y + (h if d > 3 else 0)
            return [(start + i, row) for i in range(1, w // 2)], True
        if d in (0, 3):  # N NE SE S SW NW
            return [(x + i, y + (h if d == 3 else 0)) for i in range(1, w)], True
        column = x + (w if d in (1, 2) else 0)
        start = y + (h // 2 if d in (2, 4) else 0)
        return [(column, start + i) for i in range(h // 2)], False

    def _draw_frame(self, canvas: Canvas, h: Hex, spot: tuple[int, int], scale: Scale) -> None:
        x, y = spot
        for d in range(6):
            if self._is_sea(h) and self._is_sea(self.grid.neighbour(h, d)):
                continue
            cells, level = self._side_cells(spot, scale, d)
            for cx, cy in cells:
                canvas.put(cx, cy, "─" if level else "│", palette.GRID)
        if self._is_sea(h):
            return
        w, t = scale.width, scale.height
        if self.pointy:
            corners = [(0, 0, "┬"), (w // 2, 0, "┴"), (w, 0, "┬"), (0, t, "┴"), (w // 2, t, "┬"), (w, t, "┴")]
        else:
            corners = [(0, 0, "├"), (0, t // 2, "┤"), (0, t, "├"), (w, 0, "┤"), (w, t // 2, "├"), (w, t, "┤")]
        for dx, dy, char in corners:
            canvas.put(x + dx, y + dy, char, palette.GRID)

    def _draw_features(self, canvas: Canvas, h: Hex, spot: tuple[int, int], scale: Scale) -> None:
        x, y = spot
        for d in range(6):
            side, way = self._sides.get((h, d)), self._ways.get((h, d))
            cells, level = self._side_cells(spot, scale, d)
            if side is not None:
                line = palette.find(palette.HEXSIDES, side, palette.HEXSIDE)
                for cx, cy in cells:
                    canvas.put(cx, cy, line.level if level else line.upright, line.ink, bold=True)
                if self._gorges[d] >> h & 1 and way is None:
                    cx, cy = cells[len(cells) // 2]
                    canvas.put(cx, cy, ")(" if level else "╳", line.ink, bold=True)
            if way is not None:
                self._draw_way(canvas, (x, y), scale, d, cells, palette.find(palette.WAYS, way, palette.WAY))

    def _draw_way(
        self,
        canvas: Canvas,
        spot: tuple[int, int],
        scale: Scale,
        d: int,
        cells: list[tuple[int, int]],
        line: palette.Line,
    ) -> None:
        x, y = spot
        middle = cells[len(cells) // 2]
        if self.pointy:
            if d in (0, 3):
                row = y + scale.height - 1
                start = x + scale.width // 2 if d == 0 else x
                canvas.put(start, row, line.level * (scale.width // 2 + 1), line.ink)
            else:
                canvas.put(*middle, line.falling if d in (2, 5) else line.rising, line.ink, bold=True)
        elif d in (0, 3):
            canvas.put(*middle, line.upright, line.ink)
        else:
            canvas.put(*middle, line.falling if d in (2, 5) else line.rising, line.ink, bold=True)

    # ------------------------------------------------------------------------------- words

    def _write(
        self,
        canvas: Canvas,
        h: Hex,
        spot: tuple[int, int],
        scale: Scale,
        tags: Sequence[Tag],
        mark: str,
    ) -> None:
        inset = 1 if scale.framed else 0
        x, y = spot[0] + inset, spot[1] + inset
        width, height = scale.width - inset, scale.height - inset
        if height > 1:
            self._write_name(canvas, h, x, y, width, height, mark)
        self._write_tags(canvas, x, y + height - 1, width, tags, mark if height == 1 else "")

    def _write_name(self, canvas: Canvas, h: Hex, x: int, y: int, width: int, height: int, mark: str) -> None:
        ground = self._grounds.get(h, palette.LAND)
        number = self.grid.names[h]
        name = self._names.get(h, "")
        if mark:
            text = f"{mark}{number}" if len(number) < width else number[:width]
            canvas.put(x, y, text, palette.ACCENT, bold=True)
        elif name and height < 3:
            canvas.put(x, y, name[: width if width > 6 else width - 1], palette.INK)
        elif width > 4 and not self._is_sea(h):
            canvas.put(x, y, number[:width], palette.INK_SOFT)
        elif ground.mark:
            canvas.put(x + width // 2, y, ground.mark, ground.ink)
        if name and height >= 3:
            canvas.put(x, y + 1, name[:width], palette.INK)

    def _write_tags(self, canvas: Canvas, x: int, y: int, width: int, tags: Sequence[Tag], mark: str) -> None:
        if not tags:
            canvas.put(x, y, mark, palette.ACCENT, bold=True)
            return
        words = [tag.text for tag in tags]
        gap = 1 if sum(map(len, words)) + len(words) - 1 <= width else 0
        if sum(map(len, words)) + gap * (len(words) - 1) > width:
            words = [word[: max(1, width // len(words))] for word in words]
        start = x + max(0, (width - sum(map(len, words)) - gap * (len(words) - 1)) // 2)
        for word, tag in zip(words, tags, strict=True):
            room = x + width - start
            if room <= 0:
                return
            canvas.put(start, y, word[:room], tag.ink, tag.ground, bold=True)
            start += len(word) + gap


def _by_side(kinds: Mapping[str, Sequence[Mask]]) -> dict[tuple[Hex, int], str]:
    """The kind on each side of each hex; of two kinds on one side the later one counts."""
    return {(h, d): kind for kind, sides in kinds.items() for d, mask in enumerate(sides) for h in hexes_of(mask)}


def _way_rank(kind: str) -> int:
    """Ways from the worst to the best, so that the best one is drawn."""
    order = list(palette.WAYS.values())
    return -order.index(palette.find(palette.WAYS, kind, palette.WAY))


def _is_in_hex(place: Place) -> bool:
    return place.side < 0 and place.kind not in NOT_SETTLED
