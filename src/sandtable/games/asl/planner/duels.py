"""Gun against armour at a glance: what a shot takes of a vehicle on average, by range, side and ground, without laying
it. Used where many places are compared; the shot itself is reckoned in gunnery.py."""

from __future__ import annotations

from functools import lru_cache

from sandtable.engine.hexes import Hex

from ..los.arcs import aspect
from ..ordnance import to_hit, to_kill
from ..ordnance.aim import supply_of, tube_of
from ..ordnance.ammunition import AP, HE, HEAT
from ..ordnance.to_hit import VEHICLE, Shot
from ..ordnance.weapons import Tube
from ..table.hardware import MA, SA
from ..table.state import State
from .gunnery import hit_shares, kill_share

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
        armour, size = self.target(u)
        side = aspect(self.s.stage.field, at, h, vca)
        span = self.s.stage.grid.distance(at, h)
        best = 0.0
        for shell in self.shells(gun, tube):
            best = max(best, duel(tube, shell, span, armour, side, size + drm))
        return best


def tubes(s: State, u: int) -> list[Tube]:
    """The guns of a vehicle."""
    found = (tube_of(s, u, weapon) for weapon in (MA, SA))
    jam = s.jam[u] | s.off[u]
    return [one for one in found if one is not None and one.tk_key and not jam & (MA if one.weapon == "ma" else SA)]
