"""Guns and vehicles as their counters say: every printed value, read once from the pack.

Facings are the vertices of `boards.locations`: 0 (NNE) to 5 (NNW); the pack's files count them from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

# D1.8, D3.5 the weapons of a vehicle, as bits: what has fired, what has malfunctioned, what is disabled
MA, SA, BMG, CMG, AAMG = 1, 2, 4, 8, 16
WEAPONRY = {MA: "MA", SA: "SA", BMG: "BMG", CMG: "CMG", AAMG: "AAMG"}
UNLIMITED = 99
"""A depletion number that no DR exceeds."""
SHELLS = ("HE", "AP", "APCR", "HEAT", "SMOKE", "WP", "CANISTER", "IR")


class Shell(NamedTuple):
    """C8.3 one code of special ammunition: its depletion number in a span of months, for the MA or the SA."""

    type: str  # of SHELLS
    number: int  # 0: there is none; UNLIMITED
    first: str  # "1942-09", or "" for ever before
    last: str
    weapon: str  # "ma" or "sa"

    def holds(self, month: str) -> bool:
        """Whether it counts in this month (YYYY-MM)."""
        return (not self.first or self.first <= month) and (not self.last or month <= self.last)


def shells(codes: str) -> tuple[Shell, ...]:
    """The codes of an ammo column: TYPE:NUMBER[@FROM..TO][#WEAPON], separated by semicolons."""
    found = []
    for part in filter(None, codes.split(";")):
        code, _, weapon = part.partition("#")
        code, _, span = code.partition("@")
        first, _, last = span.partition("..")
        type_, colon, number = code.partition(":")
        if type_ not in SHELLS or not colon or not (number == "U" or number.isdigit()):
            raise ValueError(f"ammunition '{part}': expected TYPE:NUMBER[@FROM..TO][#WEAPON] with one of {SHELLS}")
        if weapon not in ("", "ma", "sa"):
            raise ValueError(f"ammunition '{part}': '{weapon}' is neither ma nor sa")
        found.append(Shell(type_, UNLIMITED if number == "U" else int(number), first, last, weapon or "ma"))
    return tuple(found)


class Gun(NamedTuple):
    """C2 a non-vehicular Gun."""

    kind: str  # AT, AA, ART, INF, MTR
    caliber: int
    length: str  # "", "*", "L", "LL"
    rof: int
    ife: int
    breakdown: int
    size: int
    manhandling: int
    mount: str  # T or NT
    least: int
    most: int
    qsu: bool
    gunshield: bool
    ammo: tuple[Shell, ...]
    tk_key: str
    tk_dr: int
    limbered_rof: int  # -1: it does not fire limbered
    limbered_b: int
    limbered_mount: str
    dm_pp: int
    """A9.8 the PP of a mortar that is dismantled, 0 if it cannot be."""


class Vehicle(NamedTuple):
    """D1 a vehicle."""

    group: str  # "medium tank", "truck", …
    mp: int
    red_mp: bool
    move: str  # the class of movement, one of boards.costs.CLASSES
    pressure: str  # Low, Normal, High
    tons: float
    size: int
    hull_front: int
    hull_side: int
    turret_front: int
    turret_side: int
    top: str  # CT, OT, UN (unarmoured)
    turret: str  # T, ST, 1MT, NT, none
    caliber: float  # of the MA in mm; 0 if it is no ordnance
    ma: str  # "gun", "MG", "ATR", "FT" or ""
    length: str
    rof: int
    ife: int
    breakdown: int
    tk_key: str
    tk_dr: int
    least: int
    most: int
    sa: str  # "gun", "atr", "cargo_mortar" or ""
    sa_caliber: float
    sa_length: str
    sa_mount: str
    sa_rof: int
    sa_b: int
    sa_tk_key: str
    bmg: int
    cmg: int
    aamg: int
    radio: bool
    pp: int
    tow: int  # -1: it tows nothing
    cs: int
    ammo: tuple[Shell, ...]
    smoke: str  # "", "sD", "sM", "sP"
    smoke_number: int
    reverse: int
    dvp: int
    dvp_without_ma: int  # F.3Aa; the same as dvp for all others
    british_made: bool
    brews_up: bool
    inherent: str  # crew, hs or none
    stabilized: bool
    always_ce: bool
    rear_arc: bool

    @property
    def armoured(self) -> bool:
        """Whether it is an AFV."""
        return self.top != "UN"

    @property
    def tracked(self) -> bool:
        return self.move == "tracked"

    @property
    def weapons(self) -> int:
        """The weapons that it has, as bits."""
        found = MA if self.ma else 0
        found |= SA if self.sa in ("gun", "atr") else 0
        for bit, fp in ((BMG, self.bmg), (CMG, self.cmg), (AAMG, self.aamg)):
            found |= bit if fp else 0
        return found

    @property
    def main_mg(self) -> int:
        """D1.8 where the MA is a MG: the CMG, else the AAMG, else the BMG."""
        if self.ma != "MG":
            return 0
        return CMG if self.cmg else AAMG if self.aamg else BMG

    def fp(self, weapon: int) -> int:
        """The FP of one of its weapons on the IFT."""
        if weapon == MA:
            return self.fp(self.main_mg) if self.ma == "MG" else self.ife
        return {BMG: self.bmg, CMG: self.cmg, AAMG: self.aamg}.get(weapon, 0)

    @property
    def aerial(self) -> int:
        """The Aerial AF: two steps below the side of the turret; open-topped 0 (table tk_modifiers)."""
        if self.top != "CT":
            return 0
        return STEPS[max(0, STEPS.index(self.turret_side) - 2)]


STEPS = (0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26)
"""D1 the steps of armour factors, as in table armour_factor_steps."""


def whole(value: Any, other: int = 0) -> int:
    """A column's number, or another if it has none."""
    return int(value) if str(value or "").lstrip("+-").isdigit() else other


def number(value: Any) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0


def gun(row: Mapping[str, Any]) -> Gun:
    return Gun(
        kind=row["kind"],
        caliber=whole(row["caliber"]),
        length=row["length"],
        rof=whole(row["rof"]),
        ife=whole(row["ife"]),
        breakdown=whole(row["breakdown"], 12),
        size=whole(row["size_drm"]),
        manhandling=whole(row["manhandling"]),
        mount=row["mount"],
        least=whole(row["min_range"]),
        most=whole(row["max_range"]),
        qsu=row["qsu"] == "1",
        gunshield=row["gunshield"] == "1",
        ammo=shells(row["ammo"]),
        tk_key=row["tk_key"],
        tk_dr=whole(row["tk_dr"], 1),
        limbered_rof=whole(row["limbered_rof"], -1),
        limbered_b=whole(row["limbered_b"]),
        limbered_mount=row["limbered_mount"],
        dm_pp=whole(row["dm_pp"]),
    )


def vehicle(row: Mapping[str, Any]) -> Vehicle:
    caliber = number(row["ma_caliber"])
    smoke = "" if row["smoke"] == "none" else row["smoke"]
    dvp = whole(row["dvp"])
    return Vehicle(
        group=row["class"],
        mp=whole(row["mp"]),
        red_mp=row["red_mp"] == "1",
        move=row["move"],
        pressure={"L": "Low", "N": "Normal", "H": "High"}[row["gp"]],
        tons=number(row["weight_t"]),
        size=whole(row["size"]),
        hull_front=whole(row["af_hull_front"]),
        hull_side=whole(row["af_hull_side"]),
        turret_front=whole(row["af_turret_front"]),
        turret_side=whole(row["af_turret_side"]),
        top=row["top"],
        turret=row["turret"],
        caliber=caliber,
        ma="gun" if caliber else row["ma_caliber"],
        length=row["ma_length"],
        rof=whole(row["ma_rof"]),
        ife=whole(row["ma_ife"]),
        breakdown=whole(row["ma_b"], 12),
        tk_key=row["ma_tk_key"],
        tk_dr=whole(row["tk_dr"], 1),
        least=whole(row["ma_min_range"]),
        most=whole(row["ma_max_range"]),
        sa=row["sa_kind"],
        sa_caliber=number(row["sa_caliber"]),
        sa_length=row["sa_length"],
        sa_mount=row["sa_mount"],
        sa_rof=whole(row["sa_rof"]),
        sa_b=whole(row["sa_b"], 12),
        sa_tk_key=row["sa_tk_key"],
        bmg=whole(row["bmg"]),
        cmg=whole(row["cmg"]),
        aamg=whole(row["aamg"]),
        radio=row["radio"] == "1",
        pp=whole(row["pp"]),
        tow=whole(row["tow"], -1),
        cs=whole(row["cs"]),
        ammo=shells(row["ammo"]),
        smoke=smoke[:2],
        smoke_number=whole(smoke[2:]),
        reverse=whole(row["reverse_mult"], 1),
        dvp=dvp,
        dvp_without_ma=whole(row["dvp_without_ma"], dvp),
        british_made=row["british_made"] == "1",
        brews_up=row["brew_up_cs"] == "1",
        inherent=row["inherent"],
        stabilized=row["stabilized"] == "1",
        always_ce=row["always_ce"] == "1",
        rear_arc=row["rear_arc"] == "1",
    )
