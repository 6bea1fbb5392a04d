"""How the map and the counters of Kasserine are drawn."""

from __future__ import annotations

from sandtable.engine.drawing import (
    AreaLook,
    Lettering,
    MapStyle,
    SideColours,
    SideLook,
    SiteLook,
    WayLook,
)

# fmt: off
GROUND_WORDS = (
    "clear", "rough", "hill", "mountain", "marsh", "woods", "orchard",
    "village", "town", "pass", "airfield", "landmark", "Axis exit hex", "Allied exit hex",
    "primary road", "secondary road", "trail", "railway", "wadi", "escarpment",
)
MARK_WORDS = (
    "disrupted", "out of supply", "limited supply", "fired", "spent", "fire net", "moved",
    "strongpoint", "construction", "minefield", "no retreat", "battle",
)
# fmt: on
"""What the card of a hex says of its ground, and of counters and markers there."""

STYLE = MapStyle(
    title="Kasserine",
    areas=(
        AreaLook("rough", terrain=("rough",), texture="strokes", ink="rough-ink"),
        AreaLook("rough", terrain=("hill",), texture="peaks", ink="rough-ink"),
        AreaLook("marsh", terrain=("marsh",), texture="stipple", ink="marsh-ink"),
        AreaLook("jebel", terrain=("mountain",), texture="peaks", ink="jebel-ink"),
        AreaLook("forest", tags=("woods", "orchard"), texture="crowns", ink="forest-ink"),
    ),
    hexsides={
        "wadi": SideLook("wadi", "river", 1.6),
        "escarpment": SideLook("escarpment", "esc", 2.2),
    },
    ways={
        "railway": WayLook("railway", "rail", 1.0, 0, 3.2),
        "trail": WayLook("track", "track", 1.1, 0),
        "secondary": WayLook("road", "hwy", 1.3, 1),
        "primary": WayLook("road", "hwy", 2.1, 1),
    },
    sites={
        "town": SiteLook("square", "city", badge="vp"),
        "village": SiteLook("dot", "town", badge="vp"),
        "pass": SiteLook("none", "small", badge="vp"),
        "mountain": SiteLook("none", "small"),
        "hill": SiteLook("none", "small"),
        "landmark": SiteLook("ring", "landmark"),
        "supply_point": SiteLook("ring", "small"),
        "road_exit": SiteLook("ring", "small"),
    },
    letterings=(
        Lettering("Western Dorsale", "2520", 26, 0.2, "area"),
        Lettering("Eastern Dorsale", "6018", 26, 0.2, "area"),
    ),
    letters="entry",
    sides={
        "axis": SideColours("axis-edge", True),
        "allied": SideColours("allied-edge", False),
    },
    nations={
        "German": "de",
        "Italian": "it",
        "US": "us",
        "British": "gb",
        "French": "fr",
    },
)
