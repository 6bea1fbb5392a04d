"""A worked example set on its map: the part of the map, what stands on it, and the ground cut out of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sandtable.engine.contract import SPECTATOR, Game, View
from sandtable.engine.drawing import MapStyle
from sandtable.engine.drawing.scene import Scene as Sheet
from sandtable.engine.packs import Joined, Pack
from sandtable.engine.packs.maps import game_first
from sandtable.engine.scene import CounterItem, MarkerItem

from .cut import Box, Drawing
from .form import Example, Modelled, map_of

PITCH = 100.0
"""From one centre to the next."""
LEAST = (5.2, 3.6)
"""Hexes across and down that a diagram has at least."""
WIDTH = 2400


@dataclass(frozen=True)
class Picture:
    """What a client draws over the ground."""

    pack: Pack
    sheet: Sheet
    box: Box
    counters: list[CounterItem]
    markers: list[MarkerItem]

    def inside(self) -> list[int]:
        """The hexes that can be seen."""
        left, top, width, height = self.box
        found = []
        for h in self.pack.grid.hexes:
            x, y = self.sheet.xy(h)
            if left - PITCH < x < left + width + PITCH and top - PITCH < y < top + height + PITCH:
                found.append(h)
        return found


def picture(game: Game[Any], style: MapStyle, one: Example) -> Picture:
    pack = map_of(game, one)
    sheet = Sheet(pack, style, "css", WIDTH)
    return Picture(pack, sheet, _frame(sheet, one), counters(game, one), markers(one))


def frame(game: Game[Any], style: MapStyle, one: Example) -> Box:
    """All hexes that are named with some room around them, within the edges of the map."""
    return _frame(Sheet(map_of(game, one), style, "css", WIDTH), one)


def _frame(sheet: Sheet, one: Example) -> Box:
    spots = [sheet.xy(sheet.grid.index[hex_]) for hex_ in one.hexes()]
    across = _span([x for x, _ in spots], one.room, LEAST[0], sheet.width)
    down = _span([y for _, y in spots], one.room, LEAST[1], sheet.height)
    return across[0], down[0], across[1], down[1]


def _span(values: list[float], room: int, least: float, whole: float) -> tuple[float, float]:
    """From where, and how far."""
    low, high = min(values) - (room + 0.15) * PITCH, max(values) + (room + 0.15) * PITCH
    short = least * PITCH - (high - low)
    if short > 0:
        low, high = low - short / 2, high + short / 2
    low, high = (0.0, high - low) if low < 0 else (low, high)
    low, high = (whole - (high - low), whole) if high > whole else (low, high)
    low = max(0.0, low)
    return low, min(high, whole) - low


def view_of(game: Game[Any], one: Example) -> View:
    """The position as a view: nothing on the map but what the example names."""
    rules: Any = game
    begun, whole = _begun(rules, one.scenario or game_first(game))
    return {**begun, "units": [{**whole, **unit} for unit in one.units]}


@cache
def _begun(game: Any, scenario: str) -> tuple[View, Mapping[str, str]]:
    """A scenario at its beginning, and what its counters show while they are whole."""
    found: View = game.view(game.new(scenario), SPECTATOR)
    shown = Counter(unit["shows"] for unit in found["units"] if "shows" in unit)
    return found, {"shows": shown.most_common(1)[0][0]} if shown else {}


def counters(game: Game[Any], one: Example) -> list[CounterItem]:
    """As the game's own scene shows them."""
    if not one.units:
        return []
    placed = {unit["id"] for unit in one.units}
    return [item for item in game.scene(view_of(game, one))["counters"] if item.get("unit") in placed]


def markers(one: Example) -> list[MarkerItem]:
    found: list[MarkerItem] = []
    for hex_, kind, side in one.markers:
        item: MarkerItem = {"hex": hex_, "kind": kind}
        if side:
            item["side"] = side
        found.append(item)
    return found


@cache
def taken_apart(svg: str) -> Drawing:
    """A whole map, which many examples are cut out of."""
    return Drawing(svg)


def own_ground(game: Game[Any], one: Example, palette: str) -> str | None:
    """The whole drawing of a ground that no map of the pack shows; None where the map of the game is meant."""
    if one.ground is not None and isinstance(game, Modelled):
        return game.model(one.ground, palette)[1]
    if isinstance(game, Joined):
        return game.draw(one.scenario or game_first(game), palette)
    return None
