"""C2, D1, C8, C13 The weapons that fire by the To Hit table, and what they have to fire.

A `Tube` is a value: whether it stands on wheels, in a turret or on a shoulder, it is fired by the same rules.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ..boards.pack import asl_pack
from ..table.counters import Type
from ..table.hardware import MA, SA, SHELLS, UNLIMITED, Shell, shells

MTR, ATR, BAZ, PIAT, MG = "MTR", "ATR", "BAZ", "PIAT", "MG"
LATW = (BAZ, PIAT)
BLACK, RED = "black", "red"


class Tube(NamedTuple):
    """One weapon with all that its shots depend on."""

    id: str
    name: str
    nation: str
    kind: str
    """AT, INF, ART, AA, MTR; MA (of a vehicle); ATR, BAZ, PIAT, MG."""
    caliber: float
    barrel: str = ""
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
    ammo: tuple[Shell, ...] = ()
    fp: float = 0
    """Support Weapon: the FP of a hit, halved for the Area type already (C9.1)."""
    gunshield: bool = False
    size: int = 0
    qsu: bool = False
    stabilized: bool = False
    rear_arc: bool = False
    weapon: str = "ma"
    in_hand: bool = False
    """A Support Weapon: it has no CA (C3.2), unlike the MG or ATR of a turret."""

    @property
    def mortar(self) -> bool:
        return self.kind == MTR

    @property
    def carried(self) -> bool:
        """A Support Weapon, or what is one elsewhere: it has no Intensive Fire."""
        return self.kind in (ATR, MG, *LATW) or (self.mortar and bool(self.fp))

    def shells(self, month: str, special: tuple[Shell, ...] = ()) -> dict[int, int]:
        """C8.3 what it has to fire in a month: shell -> depletion number."""
        if self.kind in LATW:
            return {HEAT: 99}
        found = supply(self.ammo, month, self.mortar, self.weapon, special)
        if self.kind in (ATR, MG) or self.caliber <= 15:
            found.pop(0, None)  # what they do to Infantry they do on the IFT
        return found


def colour_of(nation: str) -> str:
    """C4.1 the column of a nation; a weapon in another nation's use takes the red one (`Shot.captured`)."""
    return str(asl_pack().tables["to_hit"]["colour"][nation])


@cache
def tube(kind: Type, weapon: int = MA, limbered: bool = False) -> Tube | None:
    """The weapon of a counter: of a Gun, of a vehicle (its MA or SA), or a Support Weapon; None if it rolls no TH."""
    if kind.gun is not None:
        return _limbered(kind) if limbered else _gun(kind)
    if kind.vehicle is not None:
        return _second(kind) if weapon == SA else _main(kind)
    return _support(kind)


def _gun(kind: Type) -> Tube:
    made = kind.gun
    assert made is not None
    return Tube(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=made.kind,
        caliber=float(made.caliber),
        barrel=made.length,
        rof=made.rof,
        breakdown=made.breakdown,
        ife=made.ife,
        mount=made.mount,
        least=made.least,
        most=made.most,
        colour=colour_of(kind.nation),
        tk_key=made.tk_key,
        tk_rolls=made.tk_dr,
        ammo=made.ammo,
        gunshield=made.gunshield,
        size=made.size,
        qsu=made.qsu,
    )


def _limbered(kind: Type) -> Tube | None:
    """C2.6, C10.1 the Gun as it fires while limbered; None if it does not."""
    made = kind.gun
    if made is None or made.limbered_rof < 0:
        return None
    return _gun(kind)._replace(rof=made.limbered_rof, breakdown=made.limbered_b or 12, mount=made.limbered_mount)


def _main(kind: Type) -> Tube | None:
    """D1.8 the MA of a vehicle."""
    made = kind.vehicle
    assert made is not None
    if made.ma not in ("gun", MG, ATR):
        return None
    what = made.ma if made.ma != "gun" else "MA" if made.tk_key else MTR
    reach = asl_pack().tables["to_hit"]["range_of"]
    red = kind.id in asl_pack().tables["to_hit"]["red_vehicles"]
    return Tube(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=what,
        caliber=made.caliber or 7.9,
        barrel=made.length,
        rof=made.rof,
        breakdown=made.breakdown,
        ife=made.ife,
        mount=made.turret,
        least=made.least,
        most=made.most or int(reach.get(what, reach["gun"])),
        colour=RED if red else colour_of(kind.nation),
        tk_key=made.tk_key,
        tk_rolls=made.tk_dr or 1,
        ammo=made.ammo,
        stabilized=made.stabilized,
        rear_arc=made.rear_arc,
    )


def _second(kind: Type) -> Tube | None:
    """The SA of a vehicle that fires by itself: the hull gun of a Grant, the ATR of a Carrier."""
    made = kind.vehicle
    assert made is not None
    if made.sa not in ("gun", "atr"):
        return None
    what = ATR if made.sa == "atr" else "MA"
    reach = asl_pack().tables["to_hit"]["range_of"]
    return Tube(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=what,
        caliber=made.sa_caliber or 13.0,
        barrel=made.sa_length,
        rof=made.sa_rof,
        breakdown=made.sa_b,
        mount=made.sa_mount,
        most=int(reach.get(what, reach["gun"])),
        colour=colour_of(kind.nation),
        tk_key=made.sa_tk_key,
        ammo=made.ammo,
        weapon="sa",
    )


def _support(kind: Type) -> Tube | None:
    """C9.1, C13 light mortar, ATR, bazooka, PIAT; MG against vehicles (A9.6)."""
    what = MG if kind.weapon.endswith("MG") else kind.weapon
    if what not in (MTR, ATR, BAZ, PIAT, MG):
        return None
    row = asl_pack().counters["support_weapons"][kind.id]
    small = {"ATR": "ATR_20L" if row["tk"] == "6" else "ATR", "MG": "12.7" if row["caliber"] == "12.7" else "MG"}
    keys = {**small, **asl_pack().tables["latw"]["tk_key"]}
    printed = float(row["caliber"]) if row["caliber"] else 0.0
    return Tube(
        id=kind.id,
        name=kind.name,
        nation=kind.nation,
        kind=what,
        caliber=printed or (20.0 if keys.get(what) == "ATR_20L" else 7.9),
        rof=kind.rof,
        breakdown=kind.breakdown,
        mount="T",
        least=kind.least,
        most=kind.range,
        colour=BLACK if what in (ATR, MG) else colour_of(kind.nation),
        tk_key=str(keys.get(what, "")),
        ammo=shells(f"SMOKE:{row['smoke_depletion']}") if row["smoke_depletion"] else (),
        fp=float(kind.fp),
        in_hand=True,
    )


HE, AP, APCR, HEAT, SMOKE, WP, CANISTER, IR = range(8)

PLACED = (SMOKE, WP)
"""A24.2 Shells that leave a screen and attack nobody on the IFT."""


def supply(
    codes: tuple[Shell, ...], month: str, mortar: bool = False, weapon: str = "ma", special: tuple[Shell, ...] = ()
) -> dict[int, int]:
    """C8.3 shell -> depletion number of what a weapon has in a month (YYYY-MM); `special` are codes of a scenario that
    stand in for those of the counter for the same shell."""
    chart = asl_pack().tables["ammo_codes"]
    default = chart["default_mortar" if mortar else "default_gun"]
    found = {SHELLS.index(word): UNLIMITED if value == "U" else int(value) for word, value in default.items()}
    for code in (*codes, *special):
        if code.weapon == weapon and code.holds(month):
            found[SHELLS.index(code.type)] = code.number
    return {shell: number for shell, number in sorted(found.items()) if number}


# C8.9 Depletion

AVAILABLE, LAST, DEPLETED = range(3)


def depletion(original: int, number: int) -> int:
    """C8.9 what the Original TH DR says of a special shell: there, the last one, or none left."""
    if original < number:
        return AVAILABLE
    return LAST if original == number else DEPLETED


def limited(number: int) -> bool:
    """Whether a shell has a depletion number."""
    return number < UNLIMITED
