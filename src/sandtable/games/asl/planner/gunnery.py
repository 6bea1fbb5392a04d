"""Ordnance: at what a gun fires, with which shell, and what the shot promises.

Targets come from the game's own lists, the number to hit and its cases from the game's own `Shot`; the chances are
summed over the dice here, without the panel's exact fractions, which would take a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.verbs import Verb
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Memory, remembered

from ..boards.battlefield import Battlefield
from ..los.arcs import aspect
from ..los.tables import GROUND, IN
from ..ordnance import to_hit, to_kill
from ..ordnance.aim import IFE, Aiming, hull_down, loads, marks, shot_of, span_to, spent, supply_of, tube_of
from ..ordnance.bursts import strike_of
from ..ordnance.effects import effect, on_the_ift
from ..ordnance.laying import worst
from ..ordnance.targets import AT_AREA, AT_IFE, AT_INFANTRY, AT_VEHICLE, Laid, foe_hexes, laid, vehicles_there
from ..ordnance.to_hit import AREA, INFANTRY, VEHICLE, Shot
from ..ordnance.to_kill import BURNING, DESTROYED, IMMOBILIZED, SHOCK
from ..ordnance.weapons import AP, APCR, CANISTER, HE, HEAT, PLACED, Tube
from ..table import verbs
from ..table.hardware import MA, SA
from ..table.ids import DUMMY, PREP
from ..table.state import Shoot, State
from ..table.weather import die_drms
from .fires import VEILED_MORALE, menace
from .lurkers import Lurker
from .outlook import Outlook, guns_of
from .worth import VEILED, above, seen_value, share_lost, value

KILLING = (AP, APCR, HEAT, HE)
"""Shells that are reckoned with."""
SHARES = {SHOCK: 0.5, IMMOBILIZED: 0.6, DESTROYED: 1.0, BURNING: 1.0}
ROF_WORTH = 0.15
SMOKE_WORTH = 0.02
"""What SMOKE takes off a point of FP for each of those who go on."""
HARMLESS = 0.6
"""How much less a vehicle counts that can hurt no other."""
GUN_THREAT = 8.0
"""The FP that a gun which could kill tanks counts for."""
BLINDED = 12
"""From so far away they are fired at."""
STAKE = 6.0
"""What a Gun counts that must not break down."""
SURE = 6
"""So near a hidden Gun has no better shot to wait for."""
SUREST = 0.9
"""How sure one can be at most that a Gun which nobody has found yet sees a hex."""
BEST_AIM = -4
"""What acquisition, a leader and standing still may take off the dice at most."""
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
    if not to_kill.kill_number(strike):
        return 0.0
    goal = to_kill.final(strike)
    single = sorted(SHARES.get(to_kill.dealt(strike, goal, a, b), 0.0) for a in range(1, 7) for b in range(1, 7))
    rolls = strike.gun.tk_rolls
    return sum(share * (((i + 1) / 36) ** rolls - (i / 36) ** rolls) for i, share in enumerate(single))


def hit_shares(shot: to_hit.Shot, clouds: list[int]) -> Iterator[tuple[int, int, float, bool]]:
    """The dice that hit: both faces, their chance, and whether it is a Critical Hit."""
    goal, drm = to_hit.needed(shot), to_hit.drm(shot)
    most = to_hit.breakdown(shot)
    for a in range(1, 7):
        for b in range(1, 7):
            final = to_hit.rolled(shot, a, b) + drm
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
    if on_the_ift(shoot):  # a crew behind armour that is stunned is not a vehicle that is lost
        there = [u for u in there if not s.stage.roster.armoured >> u & 1]
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
    worth = value(s, u) * (menace(out, u) if sign > 0 else 1.0)
    return sign * worth * share_lost(one.column, one.drm, morale, count, broken)


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
    harmless = HARMLESS if not guns_of(s, u) else 1.0
    return found * harmless * value(s, u) * out.aims.blood * (1.3 if out.aims.prey >> u & 1 else 1.0)


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


def best_lay(out: Outlook, aiming: Aiming, u: int, weapon: int = MA, least: float = 0.0) -> Lay | None:
    """The shot of one weapon that promises most, what it costs taken off. Vehicles that at a glance promise less than
    the `least` that is asked for are not looked at."""
    s, params = out.s, out.params
    worn = 1 if spent(s, u, weapon) else 0
    base = Shoot(fire=aiming.fire, side=aiming.side, gun=1 << u, weapon=weapon, movers=aiming.movers, intensive=worn)
    now = laid(s, base)
    found = sorted(_targets(s, now), key=lambda one: (one[0] != VEHICLE, one[3], one[1], one[0]))
    best: Lay | None = None
    for kind, at, verb, span in found[: params.marks]:
        shoot = base.copy()
        h: Hex = s.at[at] if kind == VEHICLE else s.stage.into[at]
        if kind == VEHICLE and glance(s, u, now.gun, at, h) * (1 + ROF_WORTH * now.gun.rof) < least:
            continue
        shoot.type, shoot.hex, shoot.target = kind, h, 1 << at if kind == VEHICLE else 0
        for shell in loads(s, u, weapon, kind, span):
            if shell not in (*KILLING, *PLACED, CANISTER) or (shell == AP and kind == INFANTRY):
                continue
            shoot.shell = shell
            if shell in PLACED:
                gain = blinding(out, shoot)
            else:
                gain = worth_of_shot(out, shoot) * (1 + ROF_WORTH * now.gun.rof) * (WORN if worn else 1.0)
                stake = STAKE if out.aims.treasure >> u & 1 else 1.0
                gain -= stake * above(now.gun.breakdown - (3 if worn else 1))  # C5.6
            if best is None or gain > best.gain:
                best = Lay(gain, shoot.copy(), verb, at)
    if best is None:
        return None
    return best._replace(gain=best.gain - unveiling(out, u))


def glance(s: State, u: int, tube: Tube, at: int, h: Hex) -> float:
    """The most that a shot at a vehicle could promise: with the best of aims, and nothing in between."""
    own = s.at[s.holder[u]] if s.holder[u] >= 0 else s.at[u]
    return seen_value(s, at) * Range(s).share(u, tube, own, at, h, s.vca[at], BEST_AIM)


def blinding(out: Outlook, shoot: Shoot) -> float:
    """A24 what SMOKE in a hex is worth before the own Movement Phase: the fire that it takes from those who go on."""
    s = out.s
    if shoot.fire != PREP or not out.aims.attacks or s.smoke.get(shoot.hex, 0):
        return 0.0
    there = [foe for foe in out.foes if foe.hex == shoot.hex]
    roster = s.stage.roster
    fp = sum(power for foe in there for power, _ in foe.arms)
    if roster.of_side[out.me] & roster.vehicles:
        fp += GUN_THREAT * sum(len(foe.guns) for foe in there)
    own = roster.of_side[out.me] & (roster.men | roster.vehicles) & ~(s.broken | s.fired | s.wreck)
    going = sum(1 for u in units_of(own) if s.at[u] >= 0 and s.stage.grid.distance(s.at[u], shoot.hex) <= BLINDED)
    hits = sum(chance for *_, chance, _ in hit_shares(worst(s, shoot), die_drms(s)))
    return SMOKE_WORTH * hits * fp * min(6, going)


def unveiling(out: Outlook, u: int) -> float:
    """What it costs a gun to be seen firing."""
    s, params = out.s, out.params
    user = s.holder[u] if s.holder[u] >= 0 else u
    near = min((s.stage.grid.distance(foe.hex, s.at[user]) for foe in out.foes), default=SURE)
    waits = (
        min(1.0, near / SURE) * (1 + s.stage.turns - s.turn) / s.stage.turns
    )  # the later, the less is there to wait for
    if (s.hip >> u | s.hip >> user) & 1:
        return params.ambush * waits
    if not s.concealed >> user & 1:
        return 0.0
    return params.unmask * waits if s.stage.roster.guns >> u & 1 else params.reveal


# Gun against armour at a glance: what a shot takes of a vehicle, without laying it, where many places are compared

STANDING = (AP, HEAT, HE)
"""Shells that a gun is taken to have."""


@lru_cache(maxsize=1 << 15)
def duel(gun: Tube, shell: int, span: int, armour: to_kill.Armour, side: int, drm: int) -> float:
    """The share of a vehicle that a shot takes."""
    if not gun.least <= span <= gun.most:
        return 0.0
    shot = Shot(gun=gun, target=VEHICLE, range=span, shell=shell, size=drm)
    found = 0.0
    for a, b, chance, critical in hit_shares(shot, [0]):
        where = to_kill.TURRET if to_hit.turret(a, b) else to_kill.HULL
        found += chance * kill_share(to_kill.Strike(gun, shell, span, armour, where, side, critical))
    return found


@remembered(1 << 16)
def side_struck(field: Battlefield, at: Hex, h: Hex, vca: int) -> int:
    """D3.21 which side of a vehicle a line of fire strikes."""
    return aspect(field, at, h, vca)


_SHOTS: Memory[tuple[Any, ...], float] = Memory(1 << 16)
"""By the kinds of gun and target, the shells there are, range, side and DRM: what a shot takes."""
_FACINGS: Memory[tuple[Any, ...], tuple[float, ...]] = Memory(1 << 17)
"""By the hexes of gun and target, their kinds, the shells there are and DRM: what a shot takes at every facing."""


class Range:
    """What guns do to vehicles on one table; what is asked again and again is kept."""

    def __init__(self, s: State) -> None:
        self.s = s
        self._shells: dict[tuple[int, str], tuple[int, ...]] = {}
        self._armour: dict[int, tuple[to_kill.Armour, int]] = {}

    def shells(self, gun: int, tube: Tube) -> tuple[int, ...]:
        """What a gun is taken to load against vehicles."""
        found = self._shells.get((gun, tube.weapon))
        if found is None:
            supply = supply_of(self.s, gun, MA if tube.weapon == "ma" else SA)
            found = self._shells[gun, tube.weapon] = tuple(one for one in STANDING if one in supply)
        return found

    def target(self, u: int) -> tuple[to_kill.Armour, int]:
        """Armour and size of a vehicle."""
        found = self._armour.get(u)
        if found is None:
            kind = self.s.kind(u).vehicle
            assert kind is not None
            found = self._armour[u] = (to_kill.armour(kind), kind.size)
        return found

    def share(self, gun: int, tube: Tube, at: Hex, u: int, h: Hex, vca: int, drm: int = 0) -> float:
        """The share of vehicle u, standing in h and facing so, that one shot of a gun at another hex takes."""
        side = side_struck(self.s.stage.field, at, h, vca)
        return self.struck(gun, tube, self.s.stage.grid.distance(at, h), u, side, drm)

    def struck(self, gun: int, tube: Tube, span: int, u: int, side: int, drm: int) -> float:
        """The same by range and the side that is struck."""
        s, shells = self.s, self.shells(gun, tube)
        key = (s.stage.roster, s.type[gun], tube.weapon, shells, span, s.type[u], side, drm)
        found = _SHOTS.get(key)
        if found is None:
            armour, size = self.target(u)
            shots = (duel(tube, shell, span, armour, side, size + drm) for shell in shells)
            found = _SHOTS.keep(key, max(shots, default=0.0))
        return found

    def shares(self, gun: int, tube: Tube, at: Hex, u: int, h: Hex, drm: int = 0) -> tuple[float, ...]:
        """The same for every facing that the vehicle could have there."""
        s, shells = self.s, self.shells(gun, tube)
        key = (s.stage.field, at, h, s.type[gun], tube.weapon, shells, s.type[u], drm)
        found = _FACINGS.get(key)
        if found is None:
            span, field = s.stage.grid.distance(at, h), s.stage.field
            sides = [side_struck(field, at, h, vca) for vca in range(6)]
            by_side = {side: self.struck(gun, tube, span, u, side, drm) for side in set(sides)}
            found = _FACINGS.keep(key, tuple(by_side[side] for side in sides))
        return found

    def ambush(self, lurking: list[Lurker], u: int, h: Hex, inside: bool, drm: int = 0) -> list[float]:
        """The share of a vehicle that a shot of each Gun that nobody has found yet and that may see it would take, for
        every facing."""
        seen, left = self.s.stage.sights.row(h, IN if inside else GROUND).seen, [1.0] * 6
        for one in lurking:
            eyes = seen & one.where & ~(1 << h)
            if eyes:
                sure = min(SUREST, one.many * eyes.bit_count() / one.among)
                ends = {(eyes & -eyes).bit_length() - 1, eyes.bit_length() - 1}
                shares = [self.shares(one.gun, one.tube, at, u, h, drm) for at in ends]
                for vca in range(6):
                    left[vca] *= 1 - sure * sum(some[vca] for some in shares) / len(ends)
        return [1 - one for one in left]


def tubes(s: State, u: int) -> list[Tube]:
    """The guns of a vehicle."""
    found = (tube_of(s, u, weapon) for weapon in (MA, SA))
    jam = s.jam[u] | s.off[u]
    return [one for one in found if one is not None and one.tk_key and not jam & (MA if one.weapon == "ma" else SA)]
