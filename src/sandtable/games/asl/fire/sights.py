"""A6 Who sees whom on this table: the lines of the ground, with what lies on it in between (A24 SMOKE)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Memory, asked_once

from ..boards.climate import Climate, light_dust_possible
from ..boards.locations import Place, Spot
from ..boards.terrain import LEVEL
from ..los.answer import Los
from ..los.screens import Screen, Screens, fire_for_effect, smoke, vehicle, vehicle_dust
from ..los.tables import DUG_IN, GROUND, IN, posture
from ..los.veils import Stance, Stances, Veils
from ..table.ids import SMOKES
from ..table.smoke import clouds
from ..table.state import BATTERY, BLAST, FFE_1, SHELLED, STAGE, State, of_each, on_map, places
from ..table.weather import FORCES, air
from ..table.works import bare, postures, spot

MOST_SMOKE = 3  # A24.22
BLASTS = ("concentration", "harassing")
"""C1.51 the kinds of FFE."""


def smoke_in(s: State, h: Hex) -> int:
    """A24.22 the Hindrance of the SMOKE of a hex."""
    chart, bits = s.stage.pack.tables["smoke"], clouds(s).get(h, 0)
    return min(MOST_SMOKE, sum(int(chart[word]) for i, word in enumerate(SMOKES) if bits >> 2 * i & 3))


_VEILS: Memory[tuple[Any, ...], Veils] = Memory(1 << 10)
"""By scenario and all that lies on the map or is in the air: the lines of sight of that moment."""


@asked_once
def veils(s: State) -> Veils:
    """The lines of sight with what hinders them besides the ground: SMOKE, vehicles and wrecks, their smoke and dust,
    FFE, night and the dust of the air. Kept for as long as nothing of it changes, whoever asks."""
    motors = in_the_way(s)
    each = of_each(motors)
    key = (
        s.stage.sights,
        s.wind,
        s.toward,
        s.gusts,
        s.density,
        s.raised,
        s.settled,
        s.wreck,
        s.burning,
        motors,
        each(s.at),
        each(s.place),
        tuple(s.trail.values()),
        tuple(s.smoke.items()),
        tuple(s.oba),
    )
    found = _VEILS.get(key)
    return found if found is not None else _VEILS.keep(key, Veils(s.stage.sights, screens_of(s), air(s)))


def in_the_way(s: State) -> int:
    """D9.4, D10.1 the vehicles that could hinder sight: AFV and wrecks. Where others go changes no line."""
    roster = s.stage.roster
    return on_map(s) & (roster.armoured | roster.vehicles & (s.wreck | s.burning))


def screens_of(s: State) -> Screens:
    """What lies on the map and hinders sight."""
    dust = (vehicle_dust(s.stage.field, h) for h in s.trail.values())
    return Screens([*_smokes(s), *_motors(s), *dust, *_shells(s)])


def blast_area(s: State, side: int) -> Mask:
    """C1.51 the hexes of a side's FFE: seven of a Concentration, radius 2 of Harassing Fire; none without one."""
    at = side * BATTERY
    if s.oba[at + STAGE] < FFE_1:
        return 0
    chart = s.stage.pack.tables["oba"]["blast_area"]
    return s.stage.grid.within(s.oba[at + SHELLED], int(chart[BLASTS[s.oba[at + BLAST]]]["radius"]))


def _shells(s: State) -> list[Screen]:
    """C1.57, F11.75 an FFE of 70mm or more hinders sight."""
    found: list[Screen] = []
    for side in range(2):
        hexes = blast_area(s, side)
        if hexes and s.oba[side * BATTERY] >= int(s.stage.pack.tables["oba"]["blast_area"]["hindrance_min_caliber"]):
            kind = BLASTS[s.oba[side * BATTERY + BLAST]]
            found += fire_for_effect(s.stage.field, hexes, kind, dusty(s), side)
    return found


def dusty(s: State) -> bool:
    """F11.71a whether Light Dust is possible."""
    return light_dust_possible(Climate.of(s.stage.script["conditions"]), s.stage.field)


def _smokes(s: State) -> list[Screen]:
    found: list[Screen] = []
    chart = s.stage.pack.tables["smoke"]
    for h, bits in clouds(s).items():
        for i, word in enumerate(SMOKES):
            if bits >> 2 * i & 3:
                levels = int(chart["height_levels_wp" if word.startswith("wp") else "height_levels"])
                found.append(smoke(s.stage.field, h, int(chart[word]), levels))
    return found


def _motors(s: State) -> list[Screen]:
    """D9.4, D10.1, F5.424b AFV and wrecks hinder, not those at the rim of a wadi; what burns smokes, by the wind."""
    field, chart = s.stage.field, s.stage.pack.tables["smoke"]
    wind = FORCES[s.wind].lower().replace(" ", "_")
    levels = int(chart["burning_wreck_levels"].get(wind, 4))
    found: list[Screen] = []
    for u in units_of(in_the_way(s)):
        h, kind = s.at[u], s.kind(u).vehicle
        if kind is None:
            continue
        inside = s.place[u] == Place.IN
        if s.place[u] != Place.CREST and (kind.armoured or s.wreck >> u & 1):
            found.append(vehicle(field, h, inside))
        if s.burning >> u & 1 and levels:
            cloud = smoke(field, h, int(chart["burning_wreck"]), levels, "D10.1")
            found.append(cloud._replace(base=cloud.base - (LEVEL if inside else 0)))
    return found


def look(s: State, a: Spot, b: Spot) -> Los:
    """The line of sight from one spot to another with everything on it."""
    return veils(s).look(a, b)


def clear(s: State, a: Spot, b: Spot) -> bool:
    """Whether one spot sees another."""
    return veils(s).sees(a, b)


def veiled(s: State, h: Hex, side: int) -> bool:
    """Whether an enemy of this side lies under a "?" in a hex: it may be anything (A12.1)."""
    return bool(s.here.get(h, 0) & s.stage.roster.of_side[1 - side] & s.concealed & ~s.hip)


def target_spots(s: State, targets: int) -> list[Spot]:
    """The places in a hex where its units can be seen."""
    if not targets & targets - 1:  # one alone, as a rule
        return [spot(s, targets.bit_length() - 1)] if targets else []
    found = {spot(s, u) for u in units_of(targets)}
    return sorted(found) if len(found) > 1 else list(found)


def seen_by_all(s: State, users: int, units: int) -> int:
    """A7.4 of some units of one hex those whom all of these see: they may be differently high, or dug in."""
    spots, eyes = target_spots(s, units), [spot(s, u) for u in units_of(users)]
    if len(spots) < 2 or not eyes:
        return units
    seen = [one for one in spots if all(clear(s, eye, one) for eye in eyes)]
    return sum(1 << u for u in units_of(units) if spot(s, u) in seen)


def adjacent(s: State, a: Spot, b: Spot) -> bool:
    """ADJACENT: Accessible and in LOS (the rulebook's reading conventions), or in one hex."""
    return a.hex == b.hex or (bool(s.stage.field.accessible(a.hex) >> b.hex & 1) and clear(s, a, b))


def stances(s: State, units: int) -> Stances:
    """The hexes in which some of these units are so, for each way to be there."""
    dug, inside, aside = postures(s)
    units &= on_map(s)
    found: dict[Stance, Mask] = {}
    for u in units_of(units & aside):
        one = spot(s, u)
        how: Stance = one if one.vertex >= 0 else posture(one)
        found[how] = found.get(how, 0) | 1 << one.hex
    units &= ~aside
    ways = [(GROUND, units & ~(inside | dug)), (DUG_IN, units & dug & ~inside)]
    if units & inside:
        ways += [(IN, units & inside & ~dug), (IN + DUG_IN, units & inside & dug)]
    for posed, those in ways:
        if those:
            found[posed] = found.get(posed, 0) | places(s, those)
    return tuple(found.items())


def in_view(s: State, u: int, there: Stances, wanted: Mask = -1) -> Mask:
    """Of the hexes wanted those in which a unit sees any of those whose stances these are."""
    return veils(s).view(spot(s, u), there, wanted)


def line(s: State, u: int, h: Hex, targets: int) -> Los:
    """A6.1 the line of sight from a firer to a target hex: the best of those to the units in it."""
    mine = spot(s, u)
    lines = [look(s, mine, one) for one in target_spots(s, targets) or [bare(h)]]
    if len(lines) == 1:
        return lines[0]
    free = [one for one in lines if one.clear]
    return min(free, key=lambda one: one.hindrance) if free else lines[0]


def sees(s: State, u: int, h: Hex, targets: int) -> bool:
    """Whether a unit sees any of these units in a hex (or, without any, the hex)."""
    return in_sight(s, spot(s, u), h, targets)


def in_sight(s: State, mine: Spot, h: Hex, targets: int) -> bool:
    """The same from a spot."""
    now = veils(s)
    if not targets:
        return now.sees(mine, bare(h))
    spots = target_spots(s, targets)
    return now.sees(mine, spots[0]) if len(spots) == 1 else any(now.sees(mine, one) for one in spots)
