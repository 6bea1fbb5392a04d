"""C3.32, C3.7, C11.4, A7.308 What a hit does to each of those in the hex: their columns and DRM, Guns, vehicles."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.masks import units_of

from ..fire.bursts import LIMIT
from ..fire.crews import crew_drm, crew_exposed, exposed_riders, immobilize, prc_drm, shock, vehicle_of
from ..fire.fate import destroy
from ..fire.firepower import behind_armour, bonus
from ..fire.ift import FIRST_K, FIRST_KIA, NO_EFFECT, ift
from ..fire.morale import lose, reduce
from ..fire.protection import ground_tem, gunshield
from ..fire.sights import line
from ..los.answer import Los
from ..los.arcs import turns
from ..table.ids import ADVANCING, BOUNDING, UNDER_SANGAR
from ..table.state import Shoot, State, eliminate, equivalents, gun_of, men
from ..table.telling import emit
from ..works.ruin import ruin, undermine
from . import shells
from .acquisition import user_of
from .aim import (
    IFE,
    RAPID_RANGE,
    burst_of,
    cramped,
    facing,
    hampered,
    hindrances_of,
    indirect,
    moves_openly,
    of_shot,
    piece,
    span_to,
    tem_of,
    vehicles_hit,
)
from .shells import Burst
from .to_hit import AREA, INFANTRY, Term, turning
from .to_kill import BURNING, DESTROYED, IMMOBILIZED, NOTHING, SHOCK
from .weapons import CANISTER


class Effect(NamedTuple):
    """The attack on one unit: its FP, and every DRM."""

    fp: float
    drms: tuple[Term, ...]

    @property
    def column(self) -> int:
        return ift().column(self.fp)

    @property
    def drm(self) -> int:
        return sum(one.value for one in self.drms)

    def result(self, original: int) -> int:
        return ift().result(self.column, original + self.drm)


def on_the_ift(shoot: Shoot) -> bool:
    """Canister and rapid fire are fired without a To Hit roll."""
    return shoot.type == IFE or shoot.shell == CANISTER


def rapid(s: State, shoot: Shoot) -> bool:
    """C2.29, AMB-146 what is fired as a machine gun is: rapid fire, and canister."""
    return shoot.type == IFE or (shoot.shell == CANISTER and s.edition > 4)


def effect(s: State, shoot: Shoot, u: int, critical: bool = False, direct_hit: bool = False) -> Effect:
    """C3.32 the attack of a hit on one unit; as a `direct_hit` neither sand nor gunshield counts (F7.4b, C11.4)."""
    burst = burst_of(s, shoot, critical, direct_hit)
    fp = rapid_fp(s, shoot, u) if rapid(s, shoot) else shells.fp(burst)
    found: list[Term] = []
    inside = shoot.type == IFE and bool((s.stage.roster.vehicles | s.mounted) >> u & 1)  # AMB-174
    plates = [Term(one.value, one.rule, one.text) for one in behind_armour(s, 1 << u)] if inside else []
    tem = tuple(plates) if inside else tem_of(s, shoot, u)
    if critical:  # C3.7
        found += [one._replace(value=shells.critical_tem(one.value)) for one in tem if one.value > 0]
        found += [one for one in tem if one.value < 0 and shoot.type == AREA]
    elif shoot.type == AREA or on_the_ift(shoot):
        found += tem
    sight = line(s, user_of(s, piece(shoot)), shoot.hex, 1 << u)
    if on_the_ift(shoot):
        found += hindrances_of(s, user_of(s, piece(shoot)), shoot, sight, inside)
    if (shoot.type == AREA or on_the_ift(shoot)) and not inside:
        found += moving_drms(s, shoot, u, tem, sight)
    found += firer_drms(s, shoot)
    if not direct_hit:
        shield = gunshield(s, [s.at[piece(shoot)]], u, indirect(of_shot(s, shoot)))
        if shield is not None:
            found.append(Term(shield.value, shield.rule, shield.text))
    crowd = equivalents(s, men(s, shoot.hex, s.stage.roster.side[u])) - LIMIT
    if crowd > 0:
        found.append(Term(-((crowd + 1) // 2), "A5.12", "the targets are overstacked"))
    return Effect(fp, tuple(found))


def moving_drms(s: State, shoot: Shoot, u: int, tem: tuple[Term, ...], sight: Los) -> list[Term]:
    """AMB-42 FFNAM, FFMO and Hazardous Movement against the Area type, on the IFT."""
    if not shoot.movers >> u & 1 or s.move is None:
        return []
    if s.move.hazardous:
        return [Term(-2, "A4.62", "Hazardous Movement")]
    found = [] if s.move.assault else [Term(-1, "A4.6a", "moves, and not by Assault Movement")]
    if moves_openly(s, u, tem, sight):
        found.append(Term(-1, "A4.6b", "moves in Open Ground"))
    return found


def firer_drms(s: State, shoot: Shoot) -> list[Term]:
    """C2.29, D1.8 rapid fire is a machine gun's: A7.531 its leader, what hampers who fires, D3.4, D5.34 its crew, D3.5
    its turret; C3.2 a Gun has turned by its mount."""
    if s.edition < 2 or not rapid(s, shoot):
        return []
    who, user, gun = piece(shoot), user_of(s, piece(shoot)), of_shot(s, shoot)
    found = [Term(bonus(s, one), "A7.531", "leadership") for one in units_of(shoot.leader)]
    if s.cx >> user & 1:
        found.append(Term(1, "A4.51", "a firer is CX"))
    found += [Term(one.value, one.rule, one.text) for one in hampered(s, 1 << user, shoot.side)]
    way = facing(s, who, gun)
    turned = turns(s.stage.field, s.at[who], way, shoot.hex) if way >= 0 else 0
    if turned and s.edition > 4 and s.stage.roster.guns >> who & 1:
        text = Text.many(turned, "{n} vertex of turn", "{n} vertices of turn")
        found.append(Term(turning(gun.mount, turned, cramped(s, who)), "C3.2", text))
    if s.stage.roster.vehicles >> who & 1:
        each = int(s.stage.pack.tables["ift_drm"]["vehicle_mg_ca_change_each"])
        found += [Term(each * turned, "D3.5", "the turret turns"), Term(crew_drm(s, who), "D3.4", "the crew")]
    return [one for one in found if one.value]


def rapid_steps(s: State, shoot: Shoot, u: int) -> list[tuple[float, str, Said]]:
    """C2.29, A7.2 the FP of rapid fire, as of a machine gun; AMB-146 that of canister, which range does not change."""
    gun, who = of_shot(s, shoot), piece(shoot)
    user, span = user_of(s, who), span_to(s, who, shoot.hex)
    found: list[tuple[float, str, Said]] = [(float(gun.ife), "C2.29", term("rapid fire"))]
    if shoot.type != IFE:
        found = [(one.fp, one.rule, one.text) for one in shells.steps(burst_of(s, shoot))]
        span = RAPID_RANGE
    fp = found[-1][0]

    def times(factor: float, rule: str, text: str) -> None:
        nonlocal fp
        fp *= factor
        found.append((fp, rule, text))

    if span <= 1:
        times(3 if span == 0 else 2, "A7.21", "same Location, tripled" if span == 0 else "point blank, doubled")
    elif span > RAPID_RANGE:
        times(0.5, "A7.22", "long range, halved")
    if s.pinned >> user & 1:
        times(0.5, "A7.8", "pinned, halved")
    if shoot.fire == BOUNDING:
        times(0.5, "D3.3", "Bounding First Fire, halved")
    elif s.motion >> who & 1:
        times(0.5, "D2.4", "in Motion, halved")
    late = shoot.fire == ADVANCING and not (s.edition > 1 and s.waits >> user & 1)  # A7.25
    if late and (s.edition > 2 or not s.motion >> who & 1):  # A7.2 each of them counts
        times(0.5, "A3.5", "Advancing Fire, halved")
    if s.concealed >> u & 1:
        times(0.5, "A7.23", "concealed, halved")
    return found


def rapid_fp(s: State, shoot: Shoot, u: int) -> float:
    return rapid_steps(s, shoot, u)[-1][0]


# C11.4 Guns


def gun_fate(s: State, shoot: Shoot, u: int, original: int, critical: bool) -> int:
    """C11.4 what becomes of the Gun that a unit mans (or of a Gun alone): Near Miss, malfunction or Direct Hit.

    AMB-69 small arms and rapid fire do not hurt it.
    """
    if gun_of(s, u) < 0 or shoot.type == IFE:
        return shells.NEAR_MISS
    return shells.gun_struck(effect(s, shoot, u, critical, direct_hit=True).result(original))


def strike_gun(s: State, u: int, fate: int) -> None:
    """C11.4 a Direct Hit destroys it, a malfunction stops it."""
    g = gun_of(s, u)
    told = {"unit": g, "hex": s.at[g], "side": s.stage.roster.side[g]}
    s.concealed &= ~(1 << g)
    if fate == shells.DIRECT_HIT:
        emit(s, "gun_destroyed", "C11.4", told)
        s.holder[g] = -1
        eliminate(s, g)
    else:
        s.jammed |= 1 << g
        s.aim.pop(g, None)  # C6.5
        emit(s, "jammed", "C11.4", told)


def doom(s: State, u: int, fate: int) -> None:
    """C11.4 a Direct Hit or a malfunction of a Gun, and what it does to whoever mans it."""
    strike_gun(s, u, fate)
    if s.at[u] >= 0 and s.stage.roster.men >> u & 1:
        s.concealed &= ~(1 << u)
        if fate == shells.DIRECT_HIT:
            lose(s, u, "C11.4")
        else:
            reduce(s, u, "C11.4")


# F8.41 Sangars


def batter(s: State, shoot: Shoot, results: dict[int, int], critical: int) -> None:
    """F8.41a, F8.41c a sangar falls with a KIA (before any gunshield) on whoever lies beneath it."""
    gun = of_shot(s, shoot)
    he = shells.is_he(burst_of(s, shoot)) and shoot.type != IFE
    for u, result in results.items():
        if s.under[u] == UNDER_SANGAR and shells.sangar_falls(gun.caliber, result, bool(critical >> u & 1), he):
            ruin(s, shoot.hex, True)
            return


def caves_in(s: State, h: Hex, caliber: float, result: int, hit: int) -> None:
    """F7.42c a burst of 70mm or more in sand: when its results are taken, the foxhole may have shrunk."""
    if caliber >= shells.SHELL_HOLES:
        undermine(s, h, result, hit)


# A7.308, C1 Vehicles in the burst


def motors_struck(s: State, shoot: Shoot) -> int:
    """C3.32 the vehicles that a hit on the Area type attacks; before version 4 all that were there."""
    return vehicles_hit(s, shoot) if s.edition < 4 else shoot.hit & vehicles_hit(s, shoot)


def soft_tem(s: State, u: int, splinters: bool, from_above: bool, critical: bool = False) -> int:
    """A7.308, F3.4a, C3.7 what the ground adds to the DR against a vehicle without armour and those aboard it."""
    if vehicle_of(s, u).armoured or s.edition < 3:
        return 0
    ground = ground_tem(s, u, from_above)
    stones = splinters and s.stage.field.terrain[s.at[u]] == "hammada"
    value = ground.value if ground is not None else 0
    return (shells.critical_tem(value) if critical else value) - int(stones)


def best_armour(s: State, u: int) -> int:
    kind = vehicle_of(s, u)
    return max(kind.hull_front, kind.hull_side, kind.turret_front, kind.turret_side)


def afv_drm(s: State, u: int) -> int:
    """Table ift.vs_afv: what armour adds to the DR; an open top takes 1 off."""
    chart = s.stage.pack.tables["ift"]["vs_afv"]
    rows = {int(af): int(drm) for af, drm in chart["armour_drm_by_best_af"].items()}
    best = max(af for af in rows if af <= max(0, best_armour(s, u)))
    return rows[best] + (int(chart["open_topped_drm"]) if vehicle_of(s, u).top == "OT" else 0)


def motor_columns(s: State, shoot: Shoot, u: int, double: bool) -> tuple[int, int]:
    """The columns of a hit against a vehicle and against those aboard it: F7.4b sand muffles nothing for armour."""
    column = shells.column(burst_of(s, shoot, double))
    hard = column if s.edition < 3 else shells.column(burst_of(s, shoot, double, direct_hit=True))
    return hard if vehicle_of(s, u).armoured else column, column


def armour_terms(s: State, shoot: Shoot, u: int) -> tuple[Term, ...]:
    """For the panel: what the armour of a vehicle, or the ground of one without, adds to the DR of a burst."""
    if vehicle_of(s, u).armoured:
        found = [Term(afv_drm(s, u), "C1.51", "armour")]
    else:
        splinters = shells.is_he(burst_of(s, shoot))
        found = [Term(soft_tem(s, u, splinters, indirect(of_shot(s, shoot))), "A7.308", "the ground")]
    return tuple(one for one in found if one.value)


def shaken(s: State, u: int, column: int, first: int, second: int, drm: int = 0) -> int:
    """C1, A7.308 what a burst on the IFT does to a vehicle, with the TEM of one that has no armour."""
    if column < 0:
        return NOTHING
    if not vehicle_of(s, u).armoured:  # below the Kill Number it is destroyed, at most at half of it it burns
        final, number = first + second + drm, int(s.stage.pack.tables["ift"]["kill_number_unarmored"][column])
        if final < number:
            return BURNING if 2 * final <= number else DESTROYED
        return IMMOBILIZED if final == number else NOTHING
    final = first + second + afv_drm(s, u)
    result = ift().result(column, final)
    if result >= FIRST_K:
        return DESTROYED if result >= FIRST_KIA else IMMOBILIZED
    if ift().result(column, final - 1) >= FIRST_K:  # AMB-68 one row above a K
        return IMMOBILIZED if first <= 3 else SHOCK
    return NOTHING


def shake(s: State, u: int, column: int, first: int, second: int, rule: str, drm: int = 0) -> bool:
    """C1, A7.308 a burst on the IFT against a vehicle; True if it is destroyed."""
    found = shaken(s, u, column, first, second, drm)
    if found >= DESTROYED:
        destroy(s, u, rule, burns=found == BURNING)
    elif found == IMMOBILIZED:
        immobilize(s, u, rule)
    elif found == SHOCK:
        shock(s, u, rule)
    return found >= DESTROYED


def prc(s: State, u: int) -> int:
    """D.8, D5.31 those of a vehicle whom a burst can hurt: an exposed crew (as the vehicle) and exposed PRC."""
    return (1 << u if crew_exposed(s, u) else 0) | exposed_riders(s, u)


def prc_results(s: State, u: int, column: int, original: int, drm: int = 0) -> list[tuple[int, int]]:
    """D.8 result and units of the attack on crew and PRC of a vehicle; `drm` is the TEM of the hex without armour."""
    found: dict[int, int] = {}
    for one in units_of(prc(s, u)):
        result = ift().result(column, original + prc_drm(s, one) + drm)
        if result != NO_EFFECT:
            found[result] = found.get(result, 0) | 1 << one
    return sorted(found.items())


def collateral_column(s: State, shoot: Shoot) -> int:
    """D.8 the column of the shell; neither sand nor hammada counts (F3.4a, F7.4b)."""
    gun = of_shot(s, shoot)
    return shells.column(Burst(gun, shoot.shell, INFANTRY))
