"""The enemy as a side sees him: where he could fire, with how much, and what that would cost somebody who is there.

Only what the side knows goes in: what lies under a "?" counts as something or nothing, what is hidden not at all.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.locations import Place, Spot
from ..fire.ift import FIRST_K, FIRST_KIA, ift
from ..fire.sights import blast_area, smoke_in
from ..los.screens import MOST_SMOKE
from ..los.sight import MOST_HINDRANCE
from ..los.tables import GROUND, IN, posture
from ..los.veils import END, HEX, ways_of
from ..ordnance.aim import tube_of
from ..ordnance.ffe import column_of
from ..ordnance.weapons import MTR, Tube
from ..table.forces import ENTRY, forces
from ..table.hardware import MA, SA
from ..table.ids import LEADER
from ..table.smoke import clouds
from ..table.state import State, good_order, gun_of
from ..table.works import mines_in, spot
from .goals import Aims, aims_of
from .lurkers import Lurker, lurkers
from .params import Params
from .worth import DICE, LOST, REDUCED, on_column, share_lost, value

VEILED_ARMS = (3.0, 6)
"""FP and range with which a "?" is reckoned: some are dummies, some are machine guns."""
FFNAM, FFMO = -1, -1
MINED = 0.35
"""What walking through a minefield may cost."""
STEP = 0.5
"""How much of the fire that a hex lies under is met by somebody who passes through."""
WAITS = 2
"""Turns to spare with which one waits for those who are still to enter."""
VOLLEYS = 2
"""So often shells fall on who stays in an FFE until he moves again: C1.51 in each PFPh and DFPh."""
DUSTY = 2
"""F11.74d, D10.1 what the dust of vehicles and the smoke of wrecks add."""


class Foe(NamedTuple):
    """The enemies of one Location who could fire."""

    hex: Hex
    spot: Spot
    arms: tuple[tuple[float, int], ...]
    """FP and range of each."""
    guns: tuple[tuple[int, Tube], ...]
    """Pieces with a gun that could hurt a vehicle, in plain view."""
    known: bool
    reach: int
    """The longest of their ranges."""


def he_power(gun: Tube) -> float:
    """FP on the IFT that a gun counts for, its misses included."""
    if gun.caliber < 20:
        return 0.0
    return 2.0 if gun.caliber < 40 else 4.0 if gun.caliber < 70 else 7.0


def held_arms(s: State) -> dict[int, list[int]]:
    """Unit -> the weapons and Guns that it has and that work."""
    found: dict[int, list[int]] = {}
    for w in s.stage.roster.armoury:
        if s.holder[w] >= 0 and not s.jammed >> w & 1:
            found.setdefault(s.holder[w], []).append(w)
    return found


def arms_of(s: State, u: int, weapons: list[int]) -> list[tuple[float, int]]:
    """FP and range of a unit with what it holds, or of a vehicle."""
    kind = s.kind(u)
    if kind.vehicle is not None:
        made = kind.vehicle
        found = [(float(made.bmg + made.cmg), 8)]
        gun = tube_of(s, u)
        if gun is not None and made.ma == "gun":
            found.append((he_power(gun), 20))
        return found
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


def guns_of(s: State, u: int, weapons: list[int] | None = None) -> list[tuple[int, Tube]]:
    """The pieces with which a unit (or a vehicle) could fire at vehicles."""
    if s.kind(u).vehicle is not None:
        tubes = [(u, tube_of(s, u, weapon)) for weapon in (MA, SA)]
    else:
        tubes = [(w, tube_of(s, w)) for w in (held_arms(s).get(u, []) if weapons is None else weapons)]
    return [(w, gun) for w, gun in tubes if gun is not None and gun.tk_key and gun.kind != "MG"]


def foes_of(s: State, me: int) -> list[Foe]:
    """All enemies who could fire, Location by Location."""
    roster = s.stage.roster
    theirs = roster.of_side[1 - me] & ~(s.captive | s.broken | s.hip)
    held = held_arms(s)
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
            weapons = held.get(u, [])
            old[1].extend(arms_of(s, u, weapons))
            old[2].extend(guns_of(s, u, weapons))
            found[at] = (*old[:3], True)
    return [
        Foe(at[0], one[0], tuple(one[1]), tuple(one[2]), one[3], max((reach for _, reach in one[1]), default=0))
        for at, one in sorted(found.items())
    ]


def clouds_of(s: State) -> dict[Hex, int]:
    """Hex -> the Hindrance of the SMOKE, dust and burning wrecks in it."""
    found = {h: smoke_in(s, h) for h in clouds(s)}
    for h in s.trail.values():
        found[h] = min(MOST_SMOKE, found.get(h, 0) + DUSTY)
    for u in units_of(s.burning):
        if s.at[u] >= 0:
            found[s.at[u]] = min(MOST_SMOKE, found.get(s.at[u], 0) + DUSTY)
    return found


class Outlook:
    """A table as a side looks at it before it decides."""

    def __init__(self, s: State, me: int, params: Params) -> None:
        self.s, self.me, self.params = s, me, params
        self.foes = foes_of(s, me)
        self.aims: Aims = aims_of(s, me)
        self._fire: dict[tuple[Hex, int], list[tuple[float, int]]] = {}
        self._risk: dict[tuple[Hex, int, bool], float] = {}
        self._seers: dict[Hex, list[Foe]] = {}
        self.clouds = clouds_of(s)
        self._cloudy = sum(1 << h for h in self.clouds)
        self._ways = ways_of(s.stage.sights)

    @cached_property
    def _barrages(self) -> tuple[tuple[int, int], ...]:
        """The sides whose FFE falls now, and where."""
        return tuple((side, area) for side in (0, 1) if (area := blast_area(self.s, side)))

    def blasted(self, h: Hex, tem: int, morale: int = 7) -> float:
        """C1.51 what the shells of either side take of a unit in a hex at each time that they fall there."""
        found = 0.0
        for side, area in self._barrages:
            if area >> h & 1:
                found = max(found, share_lost(column_of(self.s, side, h), tem, morale, 1))
        return found

    def wrecked(self, h: Hex, armoured: bool) -> float:
        """The same of a vehicle: destroyed by a KIA, immobilized by a K; one without armour by less."""
        found = 0.0
        for side, area in self._barrages:
            if area >> h & 1:
                column = column_of(self.s, side, h)
                results = [(ift().result(column, roll), chance) for roll, chance in DICE]
                hard = sum((LOST if one >= FIRST_KIA else REDUCED) * part for one, part in results if one >= FIRST_K)
                found = max(found, hard if armoured else min(1.0, 2 * hard))
        return found

    @cached_property
    def lurking(self) -> list[Lurker]:
        """The enemy's Guns that nobody has found yet."""
        return lurkers(self.s, self.me)

    @cached_property
    def marchers(self) -> int:
        """Own Infantry in Good Order on the map that serves no Gun."""
        s, roster = self.s, self.s.stage.roster
        own = good_order(s, roster.men & roster.of_side[self.me]) & ~s.mounted
        return sum(1 << u for u in units_of(own) if s.at[u] >= 0 and gun_of(s, u) < 0)

    @cached_property
    def awaited(self) -> float:
        """The share of the own side that is still to enter: for them one can wait."""
        s, roster = self.s, self.s.stage.roster
        fighters = roster.of_side[self.me] & (roster.men | roster.vehicles)
        due = sum(
            force.members
            for force in forces(s.stage.scenario)
            if force.side == self.me and force.when == ENTRY and force.turn > s.turn
        )
        later = sum(value(s, u) for u in units_of(fighters & due))
        here = sum(value(s, u) for u in units_of(fighters & ~due & ~s.mounted) if s.at[u] >= 0)
        return later / (later + here) if later else 0.0

    def pressed(self, press: tuple[float, ...], spare: int) -> float:
        """What is left of an attacker's fear with so many turns to spare: the fewer these are the less, but who has
        time to wait for others who are still to come does not attack without them."""
        left = press[max(0, min(len(press) - 1, spare))]
        return left + (1 - left) * self.awaited if spare >= WAITS else left

    @cached_property
    def leaders(self) -> int:
        """Own leaders in Good Order on the map."""
        s, roster = self.s, self.s.stage.roster
        own = good_order(s, roster.men & roster.of_side[self.me]) & ~s.mounted
        return sum(1 << u for u in units_of(own) if s.at[u] >= 0 and s.kind(u).kind == LEADER)

    def sees(self, foe: Foe, h: Hex, inside: bool = False) -> int:
        """1 more than the Hindrances of the line from an enemy to a hex, 0 if there is none."""
        mine, theirs = posture(foe.spot), IN if inside else GROUND
        seen = self.s.stage.sights.row(foe.hex, mine, theirs).hindrance[h]
        return self._through(foe.hex, mine, h, theirs, seen) if seen and self._cloudy else seen

    def _through(self, a: Hex, mine: int, b: Hex, theirs: int, seen: int) -> int:
        """The same through what hangs in the air: as much as there is at most, one more for fire out of it (A24.21)."""
        met, _ = self._ways.line((a << HEX | mine) << END | b << HEX | theirs)
        for h in hexes_in(met & self._cloudy):
            seen += self.clouds[h] + (h == a)
        return seen if seen - 1 <= MOST_HINDRANCE else 0

    def seen_by(self, h: Hex) -> list[Foe]:
        """The enemies who see a hex."""
        found = self._seers.get(h)
        if found is None:
            inside = self.inside(h)
            found = self._seers[h] = [foe for foe in self.foes if self.sees(foe, h, inside)]
        return found

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
        if not moving and self._barrages:
            left *= (1 - self.blasted(h, tem, morale)) ** VOLLEYS
        self._risk[key] = 1 - left
        return 1 - left

    def passing(self, h: Hex, tem: int, morale: int = 7) -> float:
        """The same for somebody who walks through it: not everybody fires at him; A8.22 what lies there he meets."""
        left = 1 - STEP * self.risk(h, tem, True, morale)
        if h in self.s.residual:
            left *= 1 - on_column(self.s.residual[h], tem - 2, morale)
        if self._barrages:
            left *= 1 - self.blasted(h, tem, morale)
        return 1 - left * (1 - (MINED if mines_in(self.s, h) else 0.0))

    def cover(self, h: Hex) -> int:
        """The TEM that the ground of a hex gives to those who move through it."""
        return max(0, self.s.stage.field.kind(h).tem_direct)

    def stands(self, h: Hex, place: int = Place.GROUND) -> Spot:
        return Spot(h, Place.IN if self.inside(h) else Place(place))
