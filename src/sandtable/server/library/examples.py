"""The diagrams of the worked examples: what stands on each, and the ground below it."""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable import registry
from sandtable.engine.drawing.scene import RADIUS
from sandtable.examples.form import examples
from sandtable.examples.picture import Picture, frame, own_ground, picture, taken_apart

from ..wire.library import ExampleText, GridInfo, HexInfo
from .catalogue import Document, document, drawn
from .maps import in_palette, style_of


@cache
def listed(name: str) -> Document:
    """All diagrams of a game, by the order of its data."""
    shown = [id for id, one in examples(registry.get(name)).items() if not one.none]
    return document(msgspec.json.encode([_told(name, id) for id in shown]))


@cache
def ground(name: str, id: str, palette: str) -> Document | None:
    """The part of the map that an example stands on, or None if there is none of that name."""
    game = registry.get(name)
    one = examples(game).get(id)
    if one is None or one.none:
        return None
    style = style_of(game)
    assert style is not None
    whole = own_ground(game, one, palette) or in_palette(drawn(name, False), palette)
    return document(taken_apart(whole).cut(frame(game, style, one), f"{id}-").encode(), "image/svg+xml")


@cache
def _picture(name: str, id: str) -> Picture:
    game = registry.get(name)
    style = style_of(game)
    assert style is not None
    return picture(game, style, examples(game)[id])


def _told(name: str, id: str) -> ExampleText:
    one, shown = examples(registry.get(name))[id], _picture(name, id)
    grid = shown.pack.grid
    hexes = []
    for h in shown.inside():
        row, (x, y) = shown.pack.hexes[h], shown.sheet.xy(h)
        hexes.append(HexInfo(row.id, round(x, 1), round(y, 1), row.terrain, row.name, []))
    sized = GridInfo(
        grid.orientation,
        list(grid.directions),
        round(RADIUS, 3),
        round(shown.sheet.width, 1),
        round(shown.sheet.height, 1),
        hexes,
    )
    left, top, width, height = (round(value, 1) for value in shown.box)
    return ExampleText(
        id=id,
        rules=list(one.rules),
        box=(left, top, width, height),
        grid=sized,
        counters=shown.counters,
        markers=shown.markers,
        ways=[list(way) for way in one.ways],
        barred=[list(way) for way in one.barred],
        notes=list(one.notes),
        sights=[list(way) for way in one.sights],
        blocked=[list(way) for way in one.blocked],
        letters=dict(one.letters),
        lit=list(one.lit),
        danger=list(one.danger),
        own=one.ground is not None,
    )
