"""C7.346, A22.4 What a Demolition Charge or a flamethrower does to the vehicles of its target hex."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice

from ..fire.attack import ResultAt
from ..fire.crews import immobilize, told, vehicle_of
from ..fire.fate import destroy, soft_outcome, strike_soft
from ..fire.ift import ift
from ..los.arcs import ASPECTS, FRONT, REAR, aspect
from ..ordnance.effects import doom, prc, prc_results, soft_tem
from ..ordnance.shells import NEAR_MISS, gun_struck
from ..ordnance.to_kill import armour, charge_number, charge_position, flame_number, half
from ..table import verbs
from ..table.ids import F_CHARGE_KILL, F_HULL, F_RESULT, PHASES
from ..table.state import State, gun_of
from ..table.telling import emit
from ..works.blast import FLAME, THROWN, HullAt

DUD = 12


class ChargeKillAt(NamedTuple):
    """C7.346 the TK DR of a charge that lies against a vehicle."""

    frame: int
    vehicle: int
    number: int


def position_drms(s: State, f: HullAt) -> list[tuple[str, int]]:
    """C7.346 the DRM of the Position DR."""
    chart = s.stage.pack.tables["dc"]["position_drm"]
    u, bit = f.vehicle, 1 << f.vehicle
    side = aspect(s.stage.field, f.origin, s.at[u], s.vca[u])
    holds = {
        "motion": bool(s.motion & bit),
        "concealed": bool(s.concealed & bit),
        "thrown": f.how == THROWN,
        "front": side == FRONT,
        "rear": side == REAR,
        "immobile": bool((s.immobile | s.bogged) & bit),
        "open_topped": vehicle_of(s, u).top == "OT",
    }
    return [(key, int(chart[key])) for key, there in holds.items() if there]


def soft(s: State, f: HullAt) -> bool:
    return not vehicle_of(s, f.vehicle).armoured


def soft_drm(s: State, f: HullAt) -> int:
    """A23.3, A23.6, F3.4a what TEM, stones and a throw add to the DR of a charge against a vehicle without armour."""
    if f.how == FLAME or s.edition < 3:
        return 0
    thrown = int(s.stage.pack.tables["dc"]["thrown_drm_vs_target"]) if f.how == THROWN else 0
    return soft_tem(s, f.vehicle, True, False) + thrown


class Hull(ColoredDice[State, HullAt]):
    """A22.4 a flamethrower's own DR decides at once; C7.346 a charge rolls for where it lies."""

    at = HullAt

    def actor(self, s: State, f: HullAt) -> int | None:
        away = s.wreck >> f.vehicle & 1 or s.at[f.vehicle] < 0
        return None if away or gunner(s, f) or soft(s, f) or f.how == FLAME else super().actor(s, f)

    def run(self, s: State, f: HullAt) -> None:
        s.stack.pop()
        u = f.vehicle
        if s.wreck >> u & 1 or s.at[u] < 0:
            return
        if gunner(s, f):
            shatter(s, f)
            return
        if not vehicle_of(s, u).armoured:  # A7.308
            strike_soft(s, u, soft_outcome(s, u, f.column, f.original + soft_drm(s, f)))
        else:
            kill(s, u, flame_number(armour(vehicle_of(s, u))), f.original, "A22.4")
        scorch(s, f)

    def take(self, s: State, f: HullAt, action: Action) -> None:
        s.stack.pop()
        u = f.vehicle
        final = action[1] + action[2] + sum(drm for _, drm in position_drms(s, f))
        where = charge_position(final)
        side = aspect(s.stage.field, f.origin, s.at[u], s.vca[u])
        number = charge_number(where, armour(vehicle_of(s, u)), side)
        facts = {**told(s, u), "dice": list(action[1:]), "final": final, "aspect": ASPECTS[side]}
        emit(s, f"charge_{where}", "C7.346", facts, final=True)
        if where != "none":
            scorch(s, f)
        if number:
            s.stack.append(ChargeKillAt(F_CHARGE_KILL, u, number))

    def prompt(self, s: State, f: HullAt) -> Prompt:
        return Prompt(Text("Where the charge lies at {unit}", unit=f.vehicle), "", ("C7.346",), PHASES[s.phase])


def gunner(s: State, f: HullAt) -> bool:
    """C11.4 whether it is a Gun, or who mans one, that the charge meets."""
    return not s.stage.roster.vehicles >> f.vehicle & 1


def shatter(s: State, f: HullAt) -> None:
    """C11.4, AMB-69 a Direct Hit, a malfunction, or its crew alone suffers."""
    u, result = f.vehicle, ift().result(f.column, f.original)
    fate = gun_struck(result)
    if fate == NEAR_MISS or gun_of(s, u) < 0:
        s.stack.append(ResultAt(F_RESULT, result, 1 << u))
    else:
        doom(s, u, fate)


def scorch(s: State, f: HullAt) -> None:
    """D.8, A22.1 exposed crew and PRC suffer the attack as well; a flamethrower minds no armour before them."""
    if f.how == FLAME:
        result = ift().result(f.column, f.original)
        found = [(result, prc(s, f.vehicle))] if result else []
    else:
        found = prc_results(s, f.vehicle, f.column, f.original, soft_drm(s, f) if soft(s, f) else 0)
    s.stack += [ResultAt(F_RESULT, result, units) for result, units in reversed(found) if units]


def kill(s: State, u: int, number: int, original: int, rule: str) -> None:
    """C7.2 below the number it destroys, at half of it or less it burns, equal to it immobilizes; C7.32 so does one
    above it, but for a flame, which is no HE."""
    if original == DUD:
        return
    if original < number:
        quick = s.edition > 4 and vehicle_of(s, u).brews_up  # AMB-67
        destroy(s, u, rule, burns=original <= half(number, quick))
    elif original <= number + (0 if rule == "A22.4" and s.edition > 3 else 1) and not s.immobile >> u & 1:
        immobilize(s, u, rule)


class ChargeKill(ColoredDice[State, ChargeKillAt]):
    """C7.346 TK# 16 less the AF that it lies against."""

    at = ChargeKillAt

    def actor(self, s: State, f: ChargeKillAt) -> int | None:
        return None if s.wreck >> f.vehicle & 1 or s.at[f.vehicle] < 0 else super().actor(s, f)

    def run(self, s: State, f: ChargeKillAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: ChargeKillAt, action: Action) -> None:
        s.stack.pop()
        facts = {**told(s, f.vehicle), "dice": list(action[1:]), "number": f.number}
        emit(s, "charge_kill", "C7.346", facts, final=True)
        kill(s, f.vehicle, f.number, action[1] + action[2], "C7.346")

    def prompt(self, s: State, f: ChargeKillAt) -> Prompt:
        return Prompt(Text("The charge against {unit}", unit=f.vehicle), "", ("C7.346",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_HULL: Hull(verbs.ROLLED), F_CHARGE_KILL: ChargeKill(verbs.ROLLED)}
