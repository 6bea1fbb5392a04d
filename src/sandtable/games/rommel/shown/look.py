"""How the map and the blocks of Rommel in the Desert are drawn."""

from __future__ import annotations

from sandtable.engine.drawing import (
    AreaLook,
    BorderLook,
    Counter,
    Lettering,
    MapStyle,
    SideColours,
    SideLook,
    SiteLook,
    WayLook,
)
from sandtable.engine.packs import Pack, Row

STYLE = MapStyle(
    title="Rommel in the Desert",
    sea_edges=("north",),
    areas=(
        AreaLook("", terrain=("land",), texture="sparse", ink="rough-ink"),
        AreaLook("desert", tags=("art:sand",), texture="stipple", ink="desert-ink"),
        AreaLook("rough", tags=("art:jebel",), texture="peaks", ink="jebel-ink"),
        AreaLook("marsh", tags=("art:salt_marsh",), texture="reeds", ink="marsh-ink"),
        AreaLook("marsh", terrain=("depression",), texture="reeds", ink="marsh-ink"),
    ),
    hexsides={
        "sea": SideLook("channel"),
        "marsh": SideLook("marsh", "marsh-ink", gap="gorge"),
        "mountain": SideLook("mountain", "esc", 2.2),
        "ridge": SideLook("ridge", "ridge", 1.8, gap="gorge"),
    },
    borders=(BorderLook(("region:libya", "region:egypt")),),
    ways={
        "trail": WayLook("trail", "track", 1.35, 0),
        "track": WayLook("track", "track", 1.9, 1),
        "coast_road": WayLook("highway", "hwy", 5.6, 2),
    },
    sites={
        "base": SiteLook("base", "capital"),
        "fortress": SiteLook("square", "capital", badge="capacity"),
        "town": SiteLook("dot", "town"),
        "oasis": SiteLook("oasis", "town"),
        "fort": SiteLook("fort", "landmark"),
        "crossroads": SiteLook("ring", "landmark"),
        "well": SiteLook("ring", "landmark"),
        "landmark": SiteLook("peak", "small"),
        "ridge": SiteLook("none", "small"),
        "pass": SiteLook("none", "small"),
        "minor": SiteLook("none", "small"),
        "border": SiteLook("border", "small"),
        "road": SiteLook("none", "road"),
        "area": SiteLook("none", "area"),
    },
    letterings=(
        Lettering("Mediterranean Sea", "0220", 40, 0.16),
        Lettering("Jebel\nel Akhdar", "0107", 14, 0.14, "area", dx=-0.04, dy=0.02),
        Lettering("Gulf of Sirte", "0702", 19, 0.14, dx=-0.3),
        Lettering("Gulf of Bomba", "0212", 15, 0.1),
        Lettering("Gulf of Sollum", "0417", 15, 0.1, dx=0.3),
    ),
    blocks=True,
    sides={
        "axis": SideColours("axis-edge", True, "block-axis", "label-de"),
        "commonwealth": SideColours("allied-edge", False, "block-cw", "label-cw"),
    },
    nations={"german": "label-de", "italian": "label-it"},
)

_SHORT = (
    ("Panzer-Rgt", "Pz"),
    ("Aufkl.Abt", "AA"),
    ("MG-Btl", "MG"),
    ("Pz.Jäger", "PzJ"),
    ("Kradschützen", "K"),
    ("Schützen-Rgt", ""),
    ("Inf.Rgt", ""),
    ("Art.Rgt", "AR"),
    ("Flak-Rgt", "Flak"),
    ("Sonderverband", "SV"),
    ("Brigade Ramcke", "Ramcke"),
    ("s.IG-Kp", "sIG"),
    (" Corps artillery", " Art"),
    (" Army artillery", " A Art"),
    ("Army artillery", "Army Art"),
    ("Giovani Fascisti", "G. Fasc."),
    ("Nizza Cavalleria", "Nizza"),
    ("Semoventi", "Sem."),
    ("Raggruppamento ", ""),
    ("Libyan Tank Command", "Lib Tank"),
    ("Brigata ", ""),
    ("Bersaglieri", "Bers"),
    ("South African", "SA"),
    ("New Zealand", "NZ"),
    ("Free French", "FF"),
    ("Australian", "Aus"),
    ("Army Tank", "Tank"),
    ("Support Group", "Sup"),
    ("Armoured Car", "Cars"),
    ("Armoured", "Arm"),
    ("Anti-Tank", "AT"),
    ("Brigade", "Bde"),
    ("Indian", "Ind"),
    ("Guards", "Gds"),
    ("Hussars", "Hus"),
    ("King's Dragoon Gds", "KDG"),
    ("Motor", "Mot"),
    ("Selby Force", "Selby"),
    (" 707/708", ""),
    (" 75/18", ""),
    ("Carpathian", "Carp"),
)


def short_name(name: str) -> str:
    """A unit's name as it stands on its block."""
    for long, short in _SHORT:
        name = name.replace(long, short)
    return name.strip()


def block(
    pack: Pack,
    unit: str,
    hex_: int,
    cv: int,
    *,
    hidden: bool = False,
    marks: tuple[str, ...] = (),
) -> Counter:
    """The block of a unit at its current CV, as its owner sees it or from behind."""
    row = pack.units[unit]
    if hidden:
        return Counter(hex_, row["side"], hidden=True, marks=marks)
    return Counter(
        hex_,
        row["side"],
        label=short_name(row["name"]),
        strength=str(cv),
        symbol=row["type"],
        size=row["size"],
        marks=marks,
        steps=_steps_left(row, cv),
        nation=row["nation"],
        detail=f"{row['name']}, {row['type'].replace('_', ' ')}, speed {row['speed']}",
        edges=_edges(row, cv),
    )


def _values(row: Row) -> list[int]:
    return [int(value) for value in row.parts("cv_values")]


def _steps_left(row: Row, cv: int) -> int:
    return sum(1 for value in _values(row) if value <= cv)


def _edges(row: Row, cv: int) -> tuple[str, ...]:
    """The next lower and the next higher strength, on the left and the right edge."""
    lower = [value for value in _values(row) if value < cv]
    higher = [value for value in _values(row) if value > cv]
    return (str(max(lower)) if lower else "", str(min(higher)) if higher else "")
