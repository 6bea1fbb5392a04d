"""C3.32, C3.7, C8.3 What a hit does on the Infantry Fire Table: FP by caliber, ground, Critical Hits, Guns.

`Burst` holds all facts of one hit in one Location; `fp` and `column` are reckoned as terms, as the number To Hit is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.texts.text import Said, Text

from ..boards.pack import asl_pack
from ..fire.ift import FIRST_K, FIRST_KIA, ift
from .to_hit import AREA, Term
from .weapons import AP, APCR, ATR, CANISTER, HE, HEAT, LATW, Tube

SAND = ("sand", "sand_scrub")
WET = ("Wet", "Mud")
SHELL_HOLES = 70  # F8.41a, F7.42c the caliber from which HE destroys sangars and foxholes


class Factor(NamedTuple):
    """One step on the way from a shell to its FP."""

    fp: float
    """The FP after this step."""
    rule: str
    text: Said


class Burst(NamedTuple):
    """A hit against unarmored targets in one Location."""

    gun: Tube
    shell: int
    target: int
    """INFANTRY or AREA."""
    critical: bool = False
    terrain: str = "open"
    ec: str = "Dry"
    direct_hit: bool = False
    """F7.4b Whether it is judged as a Direct Hit on a Gun: the sand does not help there."""


def caliber_fp(caliber: float) -> int:
    """C3.32 the IFT column of a caliber."""
    chart = asl_pack().tables["ift"]
    at = sum(1 for one in chart["columns_min_caliber"] if one <= caliber) - 1
    return int(chart["columns_fp"][at]) if at >= 0 else 0


def equivalent_fp(gun: Tube, shell: int) -> int:
    """C8.3, C11.6 what AP is worth against Infantry and Guns; APCR nothing."""
    mods = asl_pack().tables["tk_modifiers"]
    if shell == APCR:
        return int(mods["apcr_he_equivalency"])
    return int(mods["ap_he_equivalency_under_37" if gun.caliber < 37 else "ap_he_equivalency_37_up"])


def steps(burst: Burst) -> list[Factor]:
    """C3.32 the FP of a hit, step by step."""
    gun = burst.gun
    found: list[Factor] = []
    if gun.kind in LATW:
        found.append(Factor(gun.fp, "C13.3", Text("{name}", name=gun.name)))
    elif gun.kind == ATR or burst.shell in (AP, APCR):
        found.append(Factor(float(equivalent_fp(gun, burst.shell)), "C8.3", "HE equivalency of a solid shell"))
    elif burst.shell == CANISTER:
        found.append(Factor(float(canister()["fp"]), "C8.3", "canister"))
    elif gun.mortar and gun.fp:
        found.append(Factor(gun.fp, "C9.1", Text("{name}, halved for its area already", name=gun.name)))
    else:
        found.append(Factor(float(caliber_fp(gun.caliber)), "C3.32", Text("{mm}mm HE", mm=f"{gun.caliber:g}")))
        if burst.target == AREA:
            found.append(Factor(found[-1].fp / 2, "C3.32", "Area Target Type, halved"))
    if burst.critical:
        found.append(Factor(found[-1].fp * 2, "C3.7", "Critical Hit, doubled"))
    elif muffled(burst):
        found.append(Factor(float(-(-found[-1].fp // 2)), "F7.4b", "in sand, halved"))
    return found


def muffled(burst: Burst) -> bool:
    """F7.4b, F7.4e sand halves what bursts in it, unless it is wet; not a Direct Hit on a Gun."""
    bursts = burst.shell in (HE, HEAT, AP, APCR)
    return bursts and burst.terrain in SAND and burst.ec not in WET and not burst.direct_hit and not burst.critical


def fp(burst: Burst) -> float:
    return steps(burst)[-1].fp


def column(burst: Burst) -> int:
    """The column of the IFT; AMB-14 the FP rounded up in sand, then the column not above it."""
    return ift().column(fp(burst))


def is_he(burst: Burst) -> bool:
    """Whether it bursts: HE, HEAT and canister do, solid shot has only its equivalency."""
    return burst.shell not in (AP, APCR) and burst.gun.kind != ATR


# F3.4 Hammada


def splinters(terrain: str, burst: Burst) -> Term | None:
    """F3.4a stones make it worse by 1 for unarmored targets of HE in hammada; not for HE equivalency."""
    if terrain != "hammada" or not is_he(burst) or burst.shell == CANISTER:
        return None
    return Term(-1, "F3.4a", "HE among stones")


def residual(burst: Burst, outside: int = 0) -> int:
    """A8.2, A8.24, F3.4b the Residual FP of a First Fire hit, one counter higher in hammada."""
    if not is_he(burst):
        return 0
    left = ift().residual_of(column(burst), outside)
    if not left or splinters(burst.terrain, burst) is None:
        return left
    counters = ift().counters
    return counters[min(len(counters) - 1, counters.index(left) + 1)]


# C3.7 Critical Hits


def critical_tem(tem: int) -> int:
    """C3.7 a positive TEM counts as a negative one against the unit that is struck."""
    return -tem if tem > 0 else tem


# C11 Guns as targets

NEAR_MISS, MALFUNCTION, DIRECT_HIT = range(3)


def gun_struck(result: int) -> int:
    """C11.4 what a result of the IFT (without gunshield) does to a Gun: a KIA destroys it with its crew, a K breaks it
    and reduces the crew; anything else is a Near Miss."""
    return DIRECT_HIT if result >= FIRST_KIA else MALFUNCTION if result >= FIRST_K else NEAR_MISS


# F8.41, F7.42 What is left of works


def sangar_falls(caliber: float, result: int, critical: bool, he: bool) -> bool:
    """F8.41a a KIA of HE of 70mm or more, or of any HE Critical Hit, removes the sangar; solid shot never."""
    return he and result >= FIRST_KIA and (critical or caliber >= SHELL_HOLES)


def canister() -> Any:
    """C8.3 canister is fired without a To Hit roll, to its own range."""
    return asl_pack().tables["ammo_codes"]["canister"]


# C1 Offboard Artillery on the IFT


def battery_fp(caliber: int, blast: str, terrain: str, ec: str, critical: bool = False) -> int:
    """C1.51, F7.4b the IFT column (as FP) of an FFE: full for a Concentration, a third for Harassing Fire, one column
    lower for a Barrage; halved in dry sand unless it is a Critical Hit, which doubles it."""
    chart = asl_pack().tables["oba"]
    area, table = chart["blast_area"][blast], ift()
    value = float(chart["fp_by_caliber"][str(caliber)])
    if area["fp_factor"] != 1.0:
        value = value / 3
    at = table.column(value) + int(area["column_shift"])
    value = float(table.columns[at]) if area["column_shift"] else value
    if critical:
        value *= 2
    elif terrain in SAND and ec not in WET:
        value = -(-value // 2)
    at = table.column(value)
    return table.columns[at] if at >= 0 else 0
