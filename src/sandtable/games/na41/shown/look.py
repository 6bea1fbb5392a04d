"""How the map and the counters of North Africa '41 are drawn."""

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

STYLE = MapStyle(
    title="North Africa '41",
    sea_edges=("north",),
    areas=(
        AreaLook("desert", terrain=("desert",), texture="stipple", ink="desert-ink"),
        AreaLook("upland", terrain=("rough",), texture="stones", ink="rough-ink"),
        AreaLook("mountain", terrain=("jebel",), texture="summits", ink="mountain-ink"),
        AreaLook("marsh", terrain=("marsh",), texture="reeds", ink="marsh-ink"),
        AreaLook("city", terrain=("city",), texture="blocks", ink="rail"),
    ),
    heights={"rough": 0.3, "jebel": 0.8},
    hexsides={
        "all_sea": SideLook("channel"),
        "escarpment": SideLook("escarpment", "esc", 2.2),
        "ridge": SideLook("ridge", "ridge", 1.7),
        "tobruk_perimeter": SideLook("perimeter", "perimeter"),
    },
    ways={
        "track": WayLook("track", "track", 1.8, 0),
        "railway": WayLook("railway", "rail", 1.5, 1, 3.0),
        "railway_ext": WayLook("rail_dashed", "rail", 1.5, 1, 3.0),
        "highway": WayLook("highway", "hwy", 5.4, 2),
    },
    sites={
        "city": SiteLook("city", "capital", badge="capacity"),
        "port": SiteLook("square", "capital", badge="capacity"),
        "town": SiteLook("dot", "town", 30),
        "airfield": SiteLook("airfield", "town", 20),
        "oasis": SiteLook("oasis", "town", 20),
        "landmark": SiteLook("ring", "landmark", 48),
    },
    letterings=(
        Lettering("Mediterranean Sea", "3860", 90),
        Lettering("Jebel el Akhdar", "3420", 34, 0.16, "area"),
        Lettering("Gulf of Sirte", "2405", 46, 0.14),
        Lettering("Qattara Depression", "1463", 40, 0.16, "area"),
        Lettering("Libyan Desert", "1329", 60, 0.3, "area"),
    ),
    anchors="capacity",
    line=1.35,
    type=1.3,
    sides={"axis": SideColours("axis-edge", True), "allied": SideColours("allied-edge", False)},
    nations={
        "german": "de",
        "luftwaffe": "lw",
        "italian": "it",
        "axis": "de",
        "british": "gb",
        "indian": "cw",
        "australian": "cw",
        "new_zealand": "cw",
        "south_african": "za",
        "polish": "pl",
        "czech": "cz",
        "allied": "gb",
    },
)
