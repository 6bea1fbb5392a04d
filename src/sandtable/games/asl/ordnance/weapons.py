"""C2, D1, C13 The weapons that fire by the To Hit table, read from the counters of the pack.

A `Gun` is a value: whether it stands on wheels, in a turret or on a shoulder, it is fired by the same rules.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ..boards.pack import asl_pack
from .ammunition import supply

MTR, ATR, BAZ, PIAT, MG = "MTR", "ATR", "BAZ", "PIAT", "MG"
LATW = (BAZ, PIAT)
AP_ONLY = (ATR, MG)
BLACK, RED = "black", "red"

MG_RANGE = {"bmg": 8, "cmg": 12, "aamg": 8}
"""D3.5 how far the machine guns of a vehicle reach."""


class Gun(NamedTuple):
    """One weapon with all that its shots depend on."""

    id: str
    name: str
    nation: str
    kind: str
    """AT, INF, ART, AA, MTR; MA (of a vehicle); ATR, BAZ, PIAT, MG."""
    caliber: float
    barrel: str
    """"", "*", "L" or "LL"."""
    rof: int = 0
    breakdown: int = 12
    ife: int = 0
    mount: str = "NT"
    """T, ST, 1MT, NT, or "none"."""
    least: int = 0
    most: int = 0
    colour: str = BLACK
    tk_key: str = ""
    tk_rolls: int = 1
    ammo: str = ""
    fp: float = 0
    """SW: the FP of a hit, halved for the Area type already (C9.1)."""
    gunshield: bool = False
    size: int = 0
    manhandling: int = 0
    qsu: bool = False
    stabilized: bool = False
    rear_arc: bool = False
    weapon: str = "ma"

    @property
    def mortar(self) -> bool:
        return self.kind == MTR

    @property
    def small(self) -> bool:
        """A Support Weapon: carried and fired by Infantry."""
        return self.kind in (ATR, *LATW) or (self.mortar and bool(self.fp))

    def shells(self, month: str, special: str = "") -> dict[int, int]:
        """C8.3 what it has to fire in a month: shell -> depletion number."""
        return supply(self.ammo, month, self.mortar, self.weapon, special)


def colour_of(nation: str, user: str = "") -> str:
    """C4.1 the column of a nation; a weapon in another nation's use takes the red one."""
    chart = asl_pack().tables["to_hit"]["colour"]
    if user and _one_nation(user) != _one_nation(nation):
        return str(chart["captured"])
    return str(chart[nation])


def _one_nation(nation: str) -> str:
    """A25.4 the British of all kinds are one."""
    return "british" if nation in ("anzac", "indian", "free_french") else nation


@cache
def gun(id: str) -> Gun:
    """A Gun on its wheels."""
    row = asl_pack().counters["guns"][id]
    return Gun(
        id=id,
        name=str(row["name"]),
        nation=row["nation"],
        kind=row["kind"],
        caliber=float(row["caliber"]),
        barrel=row["length"],
        rof=_int(row["rof"]),
        breakdown=_int(row["breakdown"]) or 12,
        ife=_int(row["ife"]),
        mount=row["mount"],
        least=_int(row["min_range"]),
        most=_int(row["max_range"]),
        colour=colour_of(row["nation"]),
        tk_key=row["tk_key"],
        tk_rolls=_int(row["tk_dr"]) or 1,
        ammo=row["ammo"],
        gunshield=row["gunshield"] == "1",
        size=_int(row["size_drm"]),
        manhandling=_int(row["manhandling"]),
        qsu=row["qsu"] == "1",
    )


def limbered(id: str) -> Gun | None:
    """C2.6, C10.1 the Gun as it fires while limbered; None if it does not."""
    row = asl_pack().counters["guns"][id]
    if not row["limbered_mount"]:
        return None
    return gun(id)._replace(
        rof=_int(row["limbered_rof"]), breakdown=_int(row["limbered_b"]) or 12, mount=row["limbered_mount"]
    )


@cache
def main_armament(id: str) -> Gun | None:
    """D1.8 the MA of a vehicle; None if it has none."""
    row = asl_pack().counters["vehicles"][id]
    if not row["ma_caliber"] or row["ma_caliber"] == "FT":
        return None
    kind = row["ma_caliber"] if row["ma_caliber"] in (MG, ATR) else MTR if not row["ma_tk_key"] else "MA"
    return _vehicular(row, kind, "ma")


@cache
def second_armament(id: str) -> Gun | None:
    """The SA of a vehicle that fires by itself: the hull gun of a Grant, the ATR of a Carrier."""
    row = asl_pack().counters["vehicles"][id]
    if row["sa_kind"] not in ("gun", "atr"):
        return None
    return _vehicular(row, ATR if row["sa_kind"] == "atr" else "MA", "sa")


def _vehicular(row: Any, kind: str, weapon: str) -> Gun:
    word = row[f"{weapon}_caliber"]
    mount = row["turret"] if weapon == "ma" else row["sa_mount"]
    red = row["id"] in asl_pack().tables["to_hit"]["red_vehicles"]
    reach = asl_pack().tables["to_hit"]["range_of"]
    return Gun(
        id=row["id"],
        name=row["name"],
        nation=row["nation"],
        kind=kind,
        caliber=_caliber(word),
        barrel=row[f"{weapon}_length"],
        rof=_int(row[f"{weapon}_rof"]),
        breakdown=_int(row[f"{weapon}_b"]) or 12,
        ife=_int(row["ma_ife"]) if weapon == "ma" else 0,
        mount=mount,
        least=_int(row["ma_min_range"]) if weapon == "ma" else 0,
        most=(_int(row["ma_max_range"]) if weapon == "ma" else 0) or int(reach.get(kind, reach["gun"])),
        colour=RED if red else colour_of(row["nation"]),
        tk_key=row[f"{weapon}_tk_key"],
        tk_rolls=_int(row["tk_dr"]) or 1,
        ammo=row["ammo"],
        stabilized=row["stabilized"] == "1",
        rear_arc=row["rear_arc"] == "1",
        weapon=weapon,
    )


@cache
def support(id: str) -> Gun | None:
    """C9.1, C13 a Support Weapon that rolls To Hit: light mortar, ATR, bazooka, PIAT; MG against vehicles (A9.6)."""
    row = asl_pack().counters["support_weapons"][id]
    kind = MG if row["kind"].endswith("MG") else row["kind"]
    if kind not in (MTR, ATR, BAZ, PIAT, MG):
        return None
    tables = asl_pack().tables
    key = tables["latw"]["tk_key"].get(kind, "")
    smoke = f"SMOKE:{row['smoke_depletion']}" if row["smoke_depletion"] else ""
    return Gun(
        id=id,
        name=row["name"],
        nation=row["nation"],
        kind=kind,
        caliber=_caliber(row["caliber"] or kind),
        barrel="",
        rof=_int(row["rof"]),
        breakdown=_int(row["breakdown"]) or 12,
        mount="T",
        least=_int(row["range_min"]),
        most=_int(row["range"]),
        colour=BLACK if kind in (ATR, MG) else colour_of(row["nation"]),
        tk_key=key or _small_key(kind, row),
        ammo=smoke,
        fp=float(_int(row["fp"])),
    )


def _small_key(kind: str, row: Any) -> str:
    if kind == ATR:
        return "ATR_20L" if _int(row["tk"]) == 6 else "ATR"
    if kind == MG:
        return "12.7" if row["caliber"] == "12.7" else "MG"
    return ""


def _caliber(word: str) -> float:
    """In mm; MG and ATR count as the smallest."""
    return float(word) if word.replace(".", "", 1).isdigit() else 7.9 if word in (MG, ATR) else 13.0


def _int(value: Any) -> int:
    word = str(value or "").strip()
    return int(word) if word.lstrip("+-").isdigit() else 0
