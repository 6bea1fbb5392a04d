"""Lines of sight over boards with art: what a line touches, pixel by pixel.

Only hexes whose pixels differ in what matters to a line (their levels, their obstacles and Hindrances) are looked
into; in all others the hex says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.games.asl.boards.art import BoardArt, read_art
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.layout import BOARD_COLUMNS, BOARD_ROWS, Placed
from sandtable.games.asl.boards.locations import Spot
from sandtable.games.asl.boards.terrain import TerrainKind
from sandtable.games.asl.los.geometry import TOUCH, VERTEX_OFFSETS


class Traced(NamedTuple):
    """What a line touches inside one hex."""

    level: int
    """The highest ground that it crosses there, in half levels."""
    terrain: tuple[tuple[TerrainKind, int], ...]
    """Obstacles and Hindrances with the level that each stands on."""
    bed: bool
    """Does it stay on the bed of a wadi?"""


class Sheet(NamedTuple):
    """A board's art where it lies on the map."""

    art: BoardArt
    left: int
    top: int
    wide: float
    """Pixels for one step of x in `geometry`; negative on a turned board."""
    high: float
    right: float
    bottom: float
    raised: int

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        return self.right + (x - self.left) * self.wide, self.bottom + (y - self.top) * self.high


Steps = Sequence[tuple[int, int, int, int, int, tuple[int, ...], tuple[int, ...], float, float]]
"""The steps of a `Way`."""


class Art:
    """All art of one battlefield."""

    def __init__(self, field: Battlefield) -> None:
        self.field = field
        self.sheets: dict[Hex, list[Sheet]] = {}
        self.mixed: Mask = 0
        self.leafy: Mask = 0
        """Of those, the hexes with an obstacle or Hindrance in them."""
        size = field.grid.size
        self.lowest, self.highest = [0] * size, [0] * size
        """Hex -> the lowest and the highest ground of its pixels, beds of wadis left out, in half levels."""
        self.known: dict[tuple[int, frozenset[int]], Traced] = {}
        for one in field.placed:
            if one.board.pixels is not None:
                self._lay(one, read_art(one.board.pixels))

    def _lay(self, one: Placed, art: BoardArt) -> None:
        sheet = _sheet(one, art)
        for h in self.field.grid.hexes:
            if self.field.boards[one.board.id] >> h & 1 and not self.field.covered >> h & 1:
                self.sheets.setdefault(h, []).append(sheet)
                if self._differs(h, sheet):
                    self.mixed |= 1 << h

    def _differs(self, h: Hex, sheet: Sheet) -> bool:
        """Do the pixels of a hex differ from one another, or from what the hex says, in what a line minds?"""
        c, y = self.field.place[h]
        found: set[int] = set()
        art = sheet.art
        for x in range(-20, 21):
            reach = 1.0 if abs(x) <= 10 else 2.0 - abs(x) / 10
            px, first = sheet.pixel(3 * c + x / 10, y - reach)
            _, last = sheet.pixel(3 * c + x / 10, y + reach)
            first, last = sorted((first, last))
            if 0 <= px < art.width and last >= 0:
                column = int(px) * art.height
                found.update(art.pixels[column + max(0, int(first)) : column + min(art.height, int(last) + 1)])
        plain = (self.field.base[h], self.field.terrain[h] if self._matters(self.field.terrain[h]) else "")
        meanings = set()
        for code in found:
            level, word = art.meanings[code]
            if word != "wadi":
                meanings.add((level + sheet.raised, word if self._matters(word) else ""))
        levels = [level for level, _ in meanings] or [self.field.base[h]]
        twice = len(self.sheets[h]) > 1
        self.lowest[h] = min(levels + [self.lowest[h]] * twice)
        self.highest[h] = max(levels + [self.highest[h]] * twice)
        if any(word for _, word in meanings):
            self.leafy |= 1 << h
        return bool(meanings - {plain})

    def _matters(self, word: str) -> bool:
        kind = self.field.kinds.get(word)
        return kind is not None and bool(kind.obstacle or kind.obstacle_from_above or kind.hindrance)

    def tracer(self, steps: Steps, a: Spot, b: Spot) -> Tracer:
        """What the line from a to b touches, hex by hex, worked out where it is asked for."""
        return Tracer(self, steps, a, b)

    def traced(self, sheet: Sheet, codes: frozenset[int]) -> Traced:
        key = (id(sheet.art), codes)
        known = self.known.get(key)
        if known is None:
            meanings = [sheet.art.meanings[code] for code in codes]
            level = max(level for level, _ in meanings) + sheet.raised
            best: dict[str, int] = {}
            for height, word in meanings:
                if self._matters(word):
                    best[word] = max(best.get(word, height), height)
            terrain = tuple((self.field.kinds[word], height + sheet.raised) for word, height in sorted(best.items()))
            known = self.known[key] = Traced(level, terrain, all(word in ("wadi", "road") for _, word in meanings))
        return known


class Tracer:
    """One line over the art, always followed from the same end, so that sight is mutual to the pixel."""

    def __init__(self, art: Art, steps: Steps, a: Spot, b: Spot) -> None:
        self.art = art
        place = art.field.place
        (ac, ay), (bc, by) = place[a.hex], place[b.hex]
        adx, ady = VERTEX_OFFSETS[a.vertex] if a.vertex >= 0 else (0, 0)
        bdx, bdy = VERTEX_OFFSETS[b.vertex] if b.vertex >= 0 else (0, 0)
        self.x, self.y = 3 * ac + adx, ay + ady
        self.dx, self.dy = 3 * bc + bdx - self.x, by + bdy - self.y
        self.spans = {a.hex + step[0]: step for step in steps}
        self.seen: dict[Hex, Traced | None] = {}

    def at(self, h: Hex) -> Traced | None:
        """What it touches in a hex that has to be looked into; None if none of the art lies under it."""
        if h not in self.seen:
            self.seen[h] = self._look(h)
        return self.seen[h]

    def _look(self, h: Hex) -> Traced | None:
        step = self.spans[h]
        begin, end = step[7], step[8]
        if step[1] == TOUCH:
            return None
        for sheet in self.art.sheets[h]:
            x1, y1 = sheet.pixel(self.x + self.dx * begin, self.y + self.dy * begin)
            x2, y2 = sheet.pixel(self.x + self.dx * end, self.y + self.dy * end)
            codes = _codes(sheet.art, x1, y1, x2, y2)
            if codes:
                return self.art.traced(sheet, codes)
        return None


def _sheet(one: Placed, art: BoardArt) -> Sheet:
    wide, high = art.width / (3 * (BOARD_COLUMNS - 1)), art.height / (2 * BOARD_ROWS)
    left, top = 3 * (round(32 * one.x) + 1), 2 * BOARD_ROWS * one.y
    if one.rotated:
        return Sheet(art, left, top, -wide, -high, art.width - 1e-6, art.height - 1e-6, one.level)
    return Sheet(art, left, top, wide, high, 0.0, 0.0, one.level)


def _codes(art: BoardArt, x1: float, y1: float, x2: float, y2: float) -> frozenset[int]:
    """The bytes of the pixels along a stretch of a line, those off the board left out."""
    count = int(max(abs(x2 - x1), abs(y2 - y1))) + 1
    dx, dy = (x2 - x1) / count, (y2 - y1) / count
    height, pixels = art.height, art.pixels
    x, y = x1 + dx / 2, y1 + dy / 2
    right, bottom = art.width, art.height
    if min(x1, x2) >= 0 and max(x1, x2) < right and min(y1, y2) >= 0 and max(y1, y2) < bottom:
        return frozenset([pixels[int(x + i * dx) * height + int(y + i * dy)] for i in range(count)])
    places = [(int(x + i * dx), int(y + i * dy)) for i in range(count)]
    return frozenset(pixels[c * height + r] for c, r in places if 0 <= c < right and 0 <= r < bottom)
