"""C7 To Kill: the number that a hit needs against a vehicle, and what its dice do."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.texts.text import Text, term

from ..boards.pack import asl_pack
from ..los.arcs import FRONT, REAR
from ..table.hardware import SHELLS, Vehicle
from .to_hit import Piece, column
from .weapons import APCR, HE, HEAT, LATW, MG, Tube

HULL, TURRET = range(2)
LOCATIONS = (term("hull"), term("turret"))

NOTHING, SHOCK, IMMOBILIZED, DESTROYED, BURNING = range(5)
OUTCOMES = ("-", "shock", "immobilized", "destroyed", "burning")


class Armour(NamedTuple):
    """The armour of a vehicle, by hull and turret, front and side; no armour at all is `unarmored`."""

    hull_front: int = 0
    hull_side: int = 0
    turret_front: int = 0
    turret_side: int = 0
    unarmored: bool = False
    open_topped: bool = False
    brews_up: bool = False
    aerial: int = 0

    def factor(self, location: int, side: int) -> int:
        """C7.3 the AF of an aspect; the rear is as thick as the side (its weakness is the +1 of C7.1)."""
        if location == TURRET:
            return self.turret_front if side == FRONT else self.turret_side
        return self.hull_front if side == FRONT else self.hull_side


def armour(vehicle: Vehicle) -> Armour:
    """The armour of a vehicle."""
    return Armour(
        vehicle.hull_front,
        vehicle.hull_side,
        vehicle.turret_front,
        vehicle.turret_side,
        not vehicle.armoured,
        vehicle.top == "OT",
        vehicle.brews_up,
        vehicle.aerial,
    )


class Strike(NamedTuple):
    """A hit on a vehicle."""

    gun: Tube
    shell: int
    range: int
    armour: Armour
    location: int = HULL
    aspect: int = FRONT
    critical: bool = False
    underbelly: bool = False
    """D4.3 a turret hit on a vehicle that shows its belly strikes the Aerial AF."""
    deliberate: bool = False
    """C5.7 armour does not count."""
    skirts: bool = False
    """C7.2 by the note of its counter a hit in the side of the hull immobilizes it on a further dr alone."""
    eased: bool = False
    """As it was ruled before version 6: a MG at a vehicle without armour as AP, C5.7 without what the rear adds."""

    @property
    def final_already(self) -> bool:
        """C7.31 HE and AP at a vehicle without armour have a number of their own; A9.6 a MG has the one that it has."""
        shelled = self.gun.kind not in LATW and self.shell != HEAT and (self.eased or self.gun.kind != MG)
        return self.armour.unarmored and shelled


def _by_caliber(chart: Any, caliber: float, row: str) -> int:
    at = sum(1 for one in chart["min_caliber"] if one <= caliber) - 1
    return int(chart[row][at]) if at >= 0 else 0


def basic(strike: Strike) -> Piece | None:
    """C7.1, C7.32, C7.31 the Basic TK# of a shell; None if there is none for it."""
    tables, gun, shell = asl_pack().tables, strike.gun, strike.shell
    name = Text("{shell} of {name}", shell=SHELLS[shell], name=gun.name)
    if strike.final_already:
        if shell == HE:
            return Piece(_by_caliber(tables["tk_he"], gun.caliber, "vs_unarmored_final"), "C7.31", name)
        chart = tables["tk_unarmored_ap"]
        at = next(i for i, most in enumerate(chart["max_mm"]) if gun.caliber <= most)
        return Piece(int(chart["final_tk"][at]), "C7.31", name)
    if shell == HE and gun.kind not in LATW:
        return Piece(_by_caliber(tables["tk_he"], gun.caliber, "vs_armored_basic"), "C7.32", name)
    key = "tk_heat" if gun.kind in LATW else tables["ammo_codes"]["tk_table"][SHELLS[shell]]
    value = tables[key].get(gun.tk_key)
    rule = "C13.3" if gun.kind in LATW else "C13.2" if gun.kind == "ATR" else "A9.6" if gun.kind == "MG" else "C7.1"
    return None if value is None else Piece(int(value), rule, name)


def kill_number(strike: Strike) -> list[Piece]:
    """C7.1 the Final TK# as its parts."""
    found = basic(strike)
    if found is None:
        return []
    gun, shell = strike.gun, strike.shell
    pieces = [found]
    if strike.critical:
        pieces.append(Piece(found.value, "C3.7", "Critical Hit: the Basic TK# twice"))
    if strike.final_already:
        return pieces  # C7.31 that number is final
    if shell not in (HE, HEAT) and gun.kind not in LATW:
        pieces.append(Piece(range_modifier(gun, shell, strike.range), "C7.1", "range"))
    if strike.underbelly and strike.location == TURRET and (strike.eased or not strike.deliberate):
        pieces.append(Piece(-strike.armour.aerial, "D4.3", "Underbelly: the Aerial AF"))
    elif strike.deliberate and not strike.eased:
        if strike.aspect == REAR:  # C5.7 all but armour counts
            pieces.append(Piece(int(asl_pack().tables["tk_modifiers"]["rear_facing"]), "C7.1", "in the rear"))
    elif not strike.deliberate:
        if strike.aspect == REAR:
            pieces.append(Piece(int(asl_pack().tables["tk_modifiers"]["rear_facing"]), "C7.1", "in the rear"))
        factor = strike.armour.factor(strike.location, strike.aspect)
        pieces.append(Piece(-factor, "C7.3", "armour"))
    return [one for one in pieces if one.value or one is found]


def range_modifier(gun: Tube, shell: int, span: int) -> int:
    """C7.1 Case D: what range adds to or takes from an AP or APCR shell."""
    tables = asl_pack().tables
    at = column(tables["tk_ap_range"]["ranges"], span)
    if shell == APCR:
        row = tables["tk_apcr_range"]["mm57_or_less" if gun.caliber <= 57 else "mm65_or_more"]
    else:
        small = "mm25_or_less" if gun.caliber <= 25 else "mm28_57" if gun.caliber <= 57 else "mm65_or_more"
        row = tables["tk_ap_range"][small]
    return int(row[at]) if row[at] != "NA" else -99


def final(strike: Strike) -> int:
    """The Final TK#."""
    return sum(one.value for one in kill_number(strike))


def outcome(strike: Strike, first: int, second: int) -> int:
    """C7.2, C7.32, C7.31, C5.7 what a TK DR does."""
    pieces = kill_number(strike)
    return dealt(strike, sum(one.value for one in pieces), first, second) if pieces else NOTHING


def dealt(strike: Strike, goal: int, first: int, second: int) -> int:
    """The same where the Final TK# is known."""
    original = first + second
    if original == 12:
        return NOTHING
    if strike.deliberate:
        return IMMOBILIZED if original <= goal else NOTHING
    if original < goal:
        return BURNING if original <= half(goal, strike.armour.brews_up) else DESTROYED
    if strike.armour.unarmored:
        return NOTHING  # C7.31 it destroys or it does not
    hull = strike.location == HULL
    if original == goal:
        return IMMOBILIZED if hull else SHOCK
    if original == goal + 1:
        if strike.shell == HE and strike.gun.kind not in LATW:
            return IMMOBILIZED if hull else SHOCK
        return SHOCK if not hull and first <= 2 else NOTHING
    return NOTHING


def half(goal: int, brews_up: bool) -> int:
    """C7.2, AMB-67 the DR at which it burns, at the most: half of the TK#, rounded up if it brews up easily."""
    return (goal + 1) // 2 if brews_up else goal // 2


def may_hurt(strike: Strike) -> bool:
    """Whether any TK DR has an effect."""
    return any(outcome(strike, a, b) for a in range(1, 7) for b in range(1, 7))


# C7.42 Shock


def shock_recovery(die: int, unconfirmed: bool) -> str:
    """C7.42 the RPh dr of a shocked AFV: "recovers", "unconfirmed_kill" or "wreck"; nothing else is possible."""
    chart = asl_pack().tables["shock"]
    row = chart["second_rally"] if unconfirmed else chart["first_rally"]
    if die in row["recover"]:
        return "recovers"
    return "wreck" if unconfirmed else "unconfirmed_kill"


# C7.346 Demolition charges and A22.4 flamethrowers


def charge_position(total: int) -> str:
    """C7.346 where a DC lies: against the Aerial AF, the side facing the placer, exposed PRC only, or nowhere."""
    chart = asl_pack().tables["dc"]
    at = next(i for i, most in enumerate(chart["position_max_dr"]) if total <= most)
    return str(chart["position_result"][at])


def charge_number(position: str, target: Armour, side: int) -> int:
    """C7.346 the TK# of a DC in this position; 0 if it does not attack the vehicle itself."""
    if position not in ("aerial_af", "normal_af"):
        return 0
    factor = target.aerial if position == "aerial_af" else target.factor(HULL, side)
    return int(asl_pack().tables["dc"]["tk_basic_vs_afv"]) - factor


def flame_number(target: Armour) -> int:
    """A22.4 the TK# of a flamethrower, whatever the AF."""
    return int(asl_pack().tables["flamethrower"]["tk_vs_afv"]["OT" if target.open_topped else "CT"])
