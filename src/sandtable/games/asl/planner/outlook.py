"""The enemy as a side sees him: where he could fire, with how much, and what that would cost somebody who is there.

Only what the side knows goes in: what lies under a "?" counts as something or nothing, what is hidden not at all.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place, Spot
from ..los.tables import GROUND, IN, posture
from ..ordnance.aim import tube_of
from ..ordnance.weapons import MTR, Tube
from ..table.hardware import MA, SA
from ..table.state import State
from ..table.works import mines_in, spot
from .damage import on_column
from .goals import Aims, aims_of
from .params import Params

VEILED_ARMS = (3.0, 6)
"""FP and range with which a "?" is reckoned: some are dummies, some are machine guns."""
FFNAM, FFMO = -1, -1
MINED = 0.35
"""What walking through a minefield may cost."""


class Foe(NamedTuple):
    """The enemies of one Location who could fire."""

    hex: Hex
    spot: Spot
    arms: tuple[tuple[float, int], ...]
    """FP and range of each."""
    guns: tuple[tuple[int, Tube], ...]
    """Pieces with a gun that could hurt a vehicle, in plain view."""
    known: bool


def he_power(gun: Tube) -> float:
    """FP on the IFT that a gun counts for, its misses included."""
    if gun.caliber < 20:
        return 0.0
    return 2.0 if gun.caliber < 40 else 4.0 if gun.caliber < 70 else 7.0


def arms_of(s: State, u: int) -> list[tuple[float, int]]:
    """FP and range of a unit with what it holds, or of a vehicle."""
    kind = s.kind(u)
    if kind.vehicle is not None:
        made = kind.vehicle
        found = [(float(made.bmg + made.cmg), 8)]
        gun = tube_of(s, u)
        if gun is not None and made.ma == "gun":
            found.append((he_power(gun), 20))
        return found
    weapons = [w for w in s.stage.roster.armoury if s.holder[w] == u and not s.jammed >> w & 1]
    found = [(float(kind.fp), kind.range)] if kind.fp else []
    for w in weapons:
        held = s.kind(w)
        gun = tube_of(s, w)
        if held.gun is not None and gun is not None:
            found.append((he_power(gun), 24))
        elif held.weapon == MTR:
            found.append((2.0, held.range))
        elif held.fp:
            found.append((float(held.fp), held.range))
    return found


def guns_of(s: State, u: int) -> list[tuple[int, Tube]]:
    """The pieces with which a unit (or a vehicle) could fire at vehicles."""
    if s.kind(u).vehicle is not None:
        tubes = [(u, tube_of(s, u, weapon)) for weapon in (MA, SA)]
    else:
        armoury = s.stage.roster.armoury
        tubes = [(w, tube_of(s, w)) for w in armoury if s.holder[w] == u and not s.jammed >> w & 1]
    return [(w, gun) for w, gun in tubes if gun is not None and gun.tk_key and gun.kind != "MG"]


def foes_of(s: State, me: int) -> list[Foe]:
    """All enemies who could fire, Location by Location."""
    roster = s.stage.roster
    theirs = roster.of_side[1 - me] & ~(s.captive | s.broken | s.hip)
    found: dict[tuple[Hex, int], tuple[Spot, list[tuple[float, int]], list[tuple[int, Tube]], bool]] = {}
    for h, pieces in s.here.items():
        here = pieces & theirs
        able = here & (roster.men | roster.dummies) & ~s.mounted
        able |= here & roster.vehicles & ~(s.wreck | s.abandoned | s.stunned | s.shocked)
        for u in units_of(able):
            place = spot(s, u)
            at = (h, posture(place))
            old = found.setdefault(at, (place, [], [], False))
            if s.concealed >> u & 1:
                old[1].append(VEILED_ARMS)
                continue
            old[1].extend(arms_of(s, u))
            old[2].extend(guns_of(s, u))
            found[at] = (*old[:3], True)
    return [Foe(at[0], one[0], tuple(one[1]), tuple(one[2]), one[3]) for at, one in sorted(found.items())]


class Outlook:
    """A table as a side looks at it before it decides."""

    def __init__(self, s: State, me: int, params: Params) -> None:
        self.s, self.me, self.params = s, me, params
        self.foes = foes_of(s, me)
        self.aims: Aims = aims_of(s, me)
        self._fire: dict[tuple[Hex, int], list[tuple[float, int]]] = {}
        self._risk: dict[tuple[Hex, int, bool], float] = {}

    def sees(self, foe: Foe, h: Hex, inside: bool = False) -> int:
        """1 more than the Hindrances of the line from an enemy to a hex, 0 if there is none."""
        row = self.s.stage.sights.row(foe.hex, posture(foe.spot), IN if inside else GROUND)
        return row.hindrance[h]

    def inside(self, h: Hex) -> bool:
        """Whether one who enters a hex stands IN a wadi."""
        return self.s.stage.field.has("wadi", h)

    def fire(self, h: Hex) -> list[tuple[float, int]]:
        """FP that each enemy Location could bring to bear on a hex, with the Hindrances in between."""
        inside = self.inside(h)
        known = self._fire.get((h, inside))
        if known is not None:
            return known
        distance, found = self.s.stage.grid.distance, []
        for foe in self.foes:
            span = distance(foe.hex, h)
            fp = 0.0
            for power, reach in foe.arms:
                if span > 2 * reach:
                    continue
                fp += power * (2 if span <= 1 else 1 if span <= reach else 0.5)
            if fp >= 1 and (seen := self.sees(foe, h, inside)):
                found.append((fp, seen - 1))
        self._fire[h, inside] = found
        return found

    def risk(self, h: Hex, tem: int, moving: bool, morale: int = 7) -> float:
        """The share of a unit that it may expect to lose there by the fire of all who see it."""
        key = (h, tem * 16 + morale, moving)
        known = self._risk.get(key)
        if known is not None:
            return known
        open_ground = self.s.stage.field.kind(h).ffmo and tem <= 0
        left = 1.0
        for fp, hindrance in self.fire(h):
            drm = tem + hindrance
            if moving:
                drm += FFNAM + (FFMO if open_ground and not hindrance else 0)
            left *= 1 - on_column(fp, drm, morale)
        if moving:  # A8.22, and whatever mines may lie there
            left *= 1 - on_column(self.s.residual.get(h, 0), tem - 2, morale)
            left *= 1 - (MINED if mines_in(self.s, h) else 0.0)
        self._risk[key] = 1 - left
        return 1 - left

    def cover(self, h: Hex) -> int:
        """The TEM that the ground of a hex gives to those who move through it."""
        return max(0, self.s.stage.field.kind(h).tem_direct)

    def stands(self, h: Hex, place: int = Place.GROUND) -> Spot:
        return Spot(h, Place.IN if self.inside(h) else Place(place))
