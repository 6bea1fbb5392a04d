"""F13 Alternate terrain: what a special rule makes of scrub, hammada, sand, hedges and orchards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.layout import Layout

SAND = ("sand", "sand_scrub")


def broken_terrain(layout: Layout) -> None:
    """F13.1 Scrub is brush, hammada is crag and a half-level obstacle, Open Ground beside it is broken."""
    _plain_deir_sand(layout)
    broken = []
    for at, cell in layout.cells.items():
        # F13.1c pure Open Ground, no Depression, Accessible to what was hammada
        pure = cell.desert and cell.terrain == "open" and "wadi" not in cell.forms
        if pure and any(layout.cells[b].terrain == "hammada" for b in layout.accessible(at)):
            broken.append(cell)
    for cell in layout.cells.values():
        if not cell.desert:
            continue
        if cell.terrain in ("scrub", "sand_scrub"):
            cell.terrain, cell.inherent = "brush", True
        elif cell.terrain == "hammada":
            cell.terrain = "hammada_crag"
    for cell in broken:
        cell.terrain = "broken_hex"


def steppe_terrain(layout: Layout) -> None:
    """F13.2a Hammada is brush, scrub is woods, sand is grain, all of them Inherent Terrain."""
    _plain_deir_sand(layout)
    becomes = {"hammada": "brush", "scrub": "woods", "sand_scrub": "woods", "sand": "grain"}
    for cell in layout.cells.values():
        if cell.desert and cell.terrain in becomes:
            cell.terrain, cell.inherent = becomes[cell.terrain], True


def _plain_deir_sand(layout: Layout) -> None:
    """F12.421 With Broken or Steppe Terrain the sand inside a deir is plain Open Ground."""
    for cell in layout.cells.values():
        if "deir" in cell.forms and cell.terrain in SAND:
            cell.terrain = "open"


def _orchards(word: str) -> Callable[[Layout], None]:
    def change(layout: Layout) -> None:
        for cell in layout.cells.values():
            if cell.terrain == "orchard":
                cell.terrain = word

    return change


def cactus_hedges(layout: Layout) -> None:
    """F13.3a Walls and hedges are cactus hedges: hedges that bar Infantry's ordinary movement."""
    for a, b, kind in list(layout.sides):
        if kind in ("wall", "hedge"):
            owners = layout.sides.pop((a, b, kind))
            layout.add_side(a, b, "hedge", owners)
            layout.add_side(a, b, "cactus", ())


ALTERNATES: Mapping[str, Callable[[Layout], None]] = {
    "broken": broken_terrain,
    "steppe": steppe_terrain,
    "cactus_hedge": cactus_hedges,
    "cactus_patch": _orchards("cactus_patch"),
    "olive_grove": _orchards("olive_grove"),
}
"""The words of a map's `alternate` list."""


def apply_alternates(layout: Layout, map_: Mapping[str, Any]) -> None:
    """Change the layout as the map's `alternate` words and `vineyards` hexes say."""
    for word in map_.get("alternate", ()):
        if word not in ALTERNATES:
            raise PackError("map", 0, f"alternate terrain '{word}' is none of {', '.join(ALTERNATES)}")
        ALTERNATES[word](layout)
        layout.alternates.append(str(word))
    for name in map_.get("vineyards", ()):
        cell = layout.cells[layout.find(str(name))]
        cell.terrain, cell.inherent = "vineyard", True
