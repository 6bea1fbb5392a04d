"""Maps and positions as SVG. A game's `MapStyle` says how; `draw_map` and `draw_position` do it."""

from sandtable.engine.drawing.counters import Counter, Marker
from sandtable.engine.drawing.palette import PALETTES
from sandtable.engine.drawing.sheet import draw_map, draw_position
from sandtable.engine.drawing.style import (
    AreaLook,
    BorderLook,
    Lettering,
    MapStyle,
    SideColours,
    SideLook,
    SiteLook,
    WayLook,
    read_style,
)
from sandtable.engine.drawing.symbols import size_mark, symbol

__all__ = [
    "PALETTES",
    "AreaLook",
    "BorderLook",
    "Counter",
    "Lettering",
    "MapStyle",
    "Marker",
    "SideColours",
    "SideLook",
    "SiteLook",
    "WayLook",
    "draw_map",
    "draw_position",
    "read_style",
    "size_mark",
    "symbol",
]
