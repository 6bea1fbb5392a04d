"""Ordnance: at what a gun fires, with which shell, and what the shot promises.

Targets come from the game's own lists, the number to hit and its cases from the game's own `Shot`; the chances are
summed over the dice here, without the panel's exact fractions, which would take a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.verbs import Verb
from sandtable.mechanics.masks import units_of

from ..ordnance import to_hit, to_kill
from ..ordnance.aim import IFE, Aiming, hull_down, loads, marks, shot_of, span_to, spent
from ..ordnance.ammunition import AP, APCR, CANISTER, HE, HEAT, PLACED
from ..ordnance.bursts import strike_of
from ..ordnance.effects import effect, on_the_ift
from ..ordnance.laying import AT_AREA, AT_IFE, AT_INFANTRY, AT_VEHICLE, Laid, foe_hexes, laid, vehicles_there, worst
from ..ordnance.to_hit import AREA, INFANTRY, VEHICLE
from ..ordnance.to_kill import BURNING, DESTROYED, IMMOBILIZED, SHOCK
from ..table import verbs
from ..table.hardware import MA
from ..table.ids import DUMMY, PREP
from ..table.state import Shoot, State
from ..table.weather import die_drms
from .damage import share_lost
from .fires import VEILED_MORALE
from .outlook import Outlook
from .worth import VEILED, value

KILLING = (AP, APCR, HEAT, HE)
"""Shells that are reckoned with."""
SHARES = {SHOCK: 0.5, IMMOBILIZED: 0.6, DESTROYED: 1.0, BURNING: 1.0}
ROF_WORTH = 0.15
SMOKE_WORTH = 0.02
"""What SMOKE takes off a point of FP for each of those who go on."""
BLINDED = 12
"""From so far away they are fired at."""
WORN = 0.7
"""What is left of the worth of Intensive Fire, which may wreck the gun."""


class Lay(NamedTuple):
    """A shot that could be fired."""

    gain: float
    shoot: Shoot
    verb: Verb
    at: int
    """The vehicle, or the hex in the numbers of actions."""


@lru_cache(maxsize=1 << 14)
def kill_share(strike: to_kill.Strike) -> float:
    """What a hit takes of a vehicle on average; a weapon with several TK DR takes the best."""
    single = sorted(SHARES.get(to_kill.outcome(strike, a, b), 0.0) for a in range(1, 7) for b in range(1, 7))
    rolls = strike.gun.tk_rolls
    return sum(share * (((i + 1) / 36) ** rolls - (i / 36) ** rolls) for i, share in enumerate(single))


def hit_shares(shot: to_hit.Shot, clouds: list[int]) -> Iterator[tuple[int, int, float, bool]]:
    """The dice that hit: both faces, their chance, and whether it is a Critical Hit."""
    goal, drm = to_hit.needed(shot), to_hit.drm(shot)
    most = to_hit.breakdown(shot)
    for a in range(1, 7):
        for b in range(1, 7):
            doubled = min(a, b) if shot.motion and not shot.bounding else 0
            final = a + b + doubled + drm
            chance = sum(1 for cloud in clouds if final + cloud <= goal) / len(clouds) / 36
            if chance and a + b < most:
                critical = final < (goal + 1) // 2 if shot.target == INFANTRY else a + b == 2
                yield a, b, chance, critical


def worth_of_shot(out: Outlook, shoot: Shoot) -> float:
    """What a shot promises, in victory points."""
    s = out.s
    clouds = die_drms(s)
    if shoot.type == VEHICLE:
        return _at_vehicle(out, shoot, clouds)
    there = [u for u in units_of(marks(s, shoot)) if not s.hip >> u & 1]
    if not there:
        return 0.0
    if on_the_ift(shoot):
        return sum(_burst(out, shoot, u, len(there), False) for u in there)
    shot = worst(s, shoot)
    found = list(hit_shares(shot, clouds))
    plain = sum(chance for *_, chance, critical in found if not critical)
    double = sum(chance for *_, chance, critical in found if critical)
    total = 0.0
    for u in there:
        total += plain * _burst(out, shoot, u, len(there), False) + double * _burst(out, shoot, u, len(there), True)
    return total


def _burst(out: Outlook, shoot: Shoot, u: int, count: int, critical: bool) -> float:
    """What a hit on the IFT takes of one unit; one's own count against it."""
    s, one = out.s, effect(out.s, shoot, u, critical)
    sign = -1.5 if s.stage.roster.side[u] == out.me else 1.0
    if s.concealed >> u & 1 and sign > 0:
        return VEILED * share_lost(one.column, one.drm, VEILED_MORALE, count)
    kind = s.kind(u)
    if kind.kind == DUMMY:
        return 0.0
    broken = bool(s.broken >> u & 1)
    morale = kind.broken_morale if broken else kind.morale or VEILED_MORALE
    worth = value(s, u) * (1.5 if _prey(out, u) else 1.0)
    return sign * worth * share_lost(one.column, one.drm, morale, count, broken)


def _prey(out: Outlook, u: int) -> bool:
    """Whether the scenario asks for this unit, or for the Gun that it mans."""
    s = out.s
    return bool(out.aims.prey >> u & 1) or any(s.holder[g] == u for g in units_of(out.aims.prey))


def _at_vehicle(out: Outlook, shoot: Shoot, clouds: list[int]) -> float:
    s, u = out.s, shoot.target.bit_length() - 1
    shot = shot_of(s, shoot, u)
    low = hull_down(s, shoot, u) is not None
    shares: dict[tuple[bool, bool], float] = {}
    found = 0.0
    for a, b, chance, critical in hit_shares(shot, clouds):
        turret = to_hit.turret(a, b)
        if low and not turret:
            continue
        share = shares.get((turret, critical))
        if share is None:
            share = shares[turret, critical] = kill_share(strike_of(s, shoot, a, b, critical))
        found += chance * share
    return found * value(s, u) * out.aims.blood * (1.3 if out.aims.prey >> u & 1 else 1.0)


# What could be fired at


def _targets(s: State, now: Laid) -> Iterator[tuple[int, int, Verb, int]]:
    """Target type, the piece or hex as the game's lists number it, the verb, and how far it is."""
    for u in units_of(AT_VEHICLE.free(vehicles_there(s, now), s, now)):
        yield VEHICLE, u, verbs.AT_VEHICLE, span_to(s, now.u, s.at[u])
    there = foe_hexes(s, now)
    if not there:
        return
    for kind, bars, verb in (
        (INFANTRY, AT_INFANTRY, verbs.AT_INFANTRY),
        (IFE, AT_IFE, verbs.AT_IFE),
        (AREA, AT_AREA, verbs.AT_AREA),
    ):
        if kind in now.types:
            for g in units_of(bars.free(there, s, now)):
                yield kind, g, verb, span_to(s, now.u, s.stage.into[g])


def best_lay(out: Outlook, aiming: Aiming, u: int, weapon: int = MA) -> Lay | None:
    """The shot of one weapon that promises most, what it costs taken off."""
    s, params = out.s, out.params
    worn = 1 if spent(s, u, weapon) else 0
    base = Shoot(fire=aiming.fire, side=aiming.side, gun=1 << u, weapon=weapon, movers=aiming.movers, intensive=worn)
    now = laid(s, base)
    found = sorted(_targets(s, now), key=lambda one: (one[0] != VEHICLE, one[3], one[1], one[0]))
    best: Lay | None = None
    for kind, at, verb, span in found[: params.marks]:
        shoot = base.copy()
        h: Hex = s.at[at] if kind == VEHICLE else s.stage.into[at]
        shoot.type, shoot.hex, shoot.target = kind, h, 1 << at if kind == VEHICLE else 0
        for shell in loads(s, u, weapon, kind, span):
            if shell not in (*KILLING, *PLACED, CANISTER) or (shell == AP and kind == INFANTRY):
                continue
            shoot.shell = shell
            if shell in PLACED:
                gain = blinding(out, shoot)
            else:
                gain = worth_of_shot(out, shoot) * (1 + ROF_WORTH * now.gun.rof) * (WORN if worn else 1.0)
            if best is None or gain > best.gain:
                best = Lay(gain, shoot.copy(), verb, at)
    if best is None:
        return None
    return best._replace(gain=best.gain - unveiling(out, u))


def blinding(out: Outlook, shoot: Shoot) -> float:
    """A24 what SMOKE in a hex is worth before the own Movement Phase: the fire that it takes from those who go on."""
    s = out.s
    if shoot.fire != PREP or not out.aims.attacks or s.smoke.get(shoot.hex, 0):
        return 0.0
    fp = sum(power for foe in out.foes if foe.hex == shoot.hex for power, _ in foe.arms)
    roster = s.stage.roster
    own = roster.of_side[out.me] & (roster.men | roster.vehicles) & ~(s.broken | s.fired | s.wreck)
    going = sum(1 for u in units_of(own) if s.at[u] >= 0 and s.stage.grid.distance(s.at[u], shoot.hex) <= BLINDED)
    hits = sum(chance for *_, chance, _ in hit_shares(worst(s, shoot), die_drms(s)))
    return SMOKE_WORTH * hits * fp * min(6, going)


def unveiling(out: Outlook, u: int) -> float:
    """What it costs a gun to be seen firing."""
    s, params = out.s, out.params
    user = s.holder[u] if s.holder[u] >= 0 else u
    if (s.hip >> u | s.hip >> user) & 1:
        return params.ambush
    return params.reveal if s.concealed >> user & 1 else 0.0
