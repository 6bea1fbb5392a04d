"""What comes and goes on a line of sight: vehicles and wrecks, SMOKE, Vehicle Dust and Fires For Effect.

A state makes `Screens` of what lies on its map; `screened` lays them over the answer of the ground. The first end of
the line is the firer: SMOKE in his own hex adds one more when he fires out of it (A24.21).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.boards.locations import Place, Spot, elevation
from sandtable.games.asl.boards.terrain import LEVEL
from sandtable.games.asl.los.answer import SIX, Block, Hindrance, Los, counted
from sandtable.games.asl.los.geometry import ALONG, THROUGH
from sandtable.games.asl.los.sight import MOST_HINDRANCE, Sightlines, blind_hexes, half_level_hinders
from sandtable.mechanics.memory import remembered

MOST_SMOKE = 3
"""A24.22 At most this much SMOKE counts in one Location."""
SMOKY = ("smoke", "vehicle_dust")
"""What that limit is for."""
END_OF_LINE = -1
"""How a line meets the hexes of its own ends."""


class Screen(NamedTuple):
    """One thing in one hex that hinders lines of sight."""

    hex: Hex
    kind: str
    """"vehicle" (an AFV or wreck), "smoke", "vehicle_dust" or "fire_for_effect"."""
    drm: int
    base: int
    """The level that it stands on, in half levels (F5.424c: smoke of a Crest wreck from Crest level)."""
    height: int
    """In half levels; 1 is a half-level Hindrance."""
    rule: str
    group: int = -1
    """C1.57 Screens of one group count once along a line; -1 is none."""


@remembered()
def vehicle(field: Battlefield, h: Hex, inside: bool = False) -> Screen:
    """D9.4 An AFV or wreck; `inside`: IN a wadi. A Crest vehicle hinders nothing (F5.424b): make no screen of it."""
    return Screen(h, "vehicle", 1, field.level[h] - (LEVEL if inside else 0), 1, "D9.4")


def smoke(field: Battlefield, h: Hex, drm: int, levels: int = 2, rule: str = "A24.21") -> Screen:
    """SMOKE of so many levels: two, WP and the smoke of a burning wreck four (D10.1)."""
    return Screen(h, "smoke", drm, field.level[h], LEVEL * levels, rule)


def vehicle_dust(field: Battlefield, h: Hex) -> Screen:
    """F11.74d As Dispersed Smoke: +2, two levels high, at the base level of its hex."""
    return Screen(h, "vehicle_dust", 2, field.level[h], 2 * LEVEL, "F11.74d")


def fire_for_effect(field: Battlefield, hexes: Mask, kind: str, dusty: bool, number: int) -> list[Screen]:
    """C1.57 One +1 for the whole FFE; where Light Dust is possible (`dusty`) each hex of it by F11.75.

    `kind` is "concentration", "harassing", "barrage" or "creeping_barrage"; `number` tells one FFE from another.
    """
    each = {"concentration": ("F11.75b", 1), "barrage": ("F11.75d", 1), "creeping_barrage": ("F11.75e", 2)}
    if dusty and kind in each:
        rule, drm = each[kind]
        group = -1
    else:
        rule, drm, group = ("F11.75c" if dusty else "C1.57"), 1, number
    return [Screen(h, "fire_for_effect", drm, field.level[h], 2 * LEVEL, rule, group) for h in hexes_of(hexes)]


class Screens:
    """All screens on the map, by hex."""

    def __init__(self, screens: Iterable[Screen] = ()) -> None:
        self.at: dict[Hex, list[Screen]] = {}
        self.mask: Mask = 0
        for one in screens:
            self.at.setdefault(one.hex, []).append(one)
            self.mask |= 1 << one.hex


Line = tuple[Spot, Spot, int, int, Mask]
"""Both ends, their elevations, and the hexes that the line meets."""
Sees = Callable[[Spot, Spot], bool]
"""Whether the ground lets one spot see another."""


def screened(
    lines: Sightlines, a: Spot, b: Spot, screens: Screens, plain: Los | None = None, sees: Sees | None = None
) -> Los:
    """The line of sight from a firer to a target with what lies on the map. `plain` is what the ground says of it, and
    `sees` what it says of any line, where that is known already."""
    los, sees = plain or lines.look(a, b), sees or lines.sees
    if los.block is not None or not screens.mask:
        return los
    more = _on_line(lines, a, b, screens, sees)
    if not more and los.hindrance + _lying(lines, a, b, screens) <= MOST_HINDRANCE:
        return los
    there = counted([*los.hindrances, *more])
    worst = there if _sum(there) > MOST_HINDRANCE else _back(lines, a, b, screens, los, sees)  # A6.5
    if _sum(worst) > MOST_HINDRANCE:
        return Los(los.range, Block("B.10", SIX, (there or worst)[-1].hex), ())
    return los._replace(hindrances=tuple(there))


def _sum(found: list[Hindrance]) -> int:
    return sum(one.drm for one in found)


def _lying(lines: Sightlines, a: Spot, b: Spot, screens: Screens) -> int:
    """What lies on a line, whoever sees it."""
    between = lines.met(lines.way(a, b), a.hex) if a.hex != b.hex else 0
    on_line = (between | 1 << a.hex | 1 << b.hex) & screens.mask
    return sum([one.drm for h in hexes_of(on_line) for one in screens.at[h]])


def _back(lines: Sightlines, a: Spot, b: Spot, screens: Screens, plain: Los, sees: Sees) -> list[Hindrance]:
    """A6.5 The Hindrances from the target: what is blocked from there is blocked from the firer."""
    turned = [one._replace(range=lines.field.grid.distance(one.hex, b.hex)) for one in plain.hindrances]
    return counted([*turned, *_on_line(lines, b, a, screens, sees)])


def wreck_would_hinder(lines: Sightlines, a: Spot, b: Spot, h: Hex) -> bool:
    """F4.52b Would a wreck in this hex hinder the line? A Fire Lane passes over what it would not."""
    wreck = Screens([vehicle(lines.field, h)])
    return any(one.hex == h for one in _on_line(lines, a, b, wreck, lines.sees))


def _on_line(lines: Sightlines, a: Spot, b: Spot, screens: Screens, sees: Sees) -> list[Hindrance]:
    """The Hindrances of screens from a firer to a target, the hexes of both included where they count."""
    field = lines.field
    ea, eb = elevation(field, a), elevation(field, b)
    found: list[Hindrance] = []
    groups: set[int] = set()
    if a.hex == b.hex:
        return _in_hex(screens.at.get(a.hex, ()), 0, False, groups)
    found += _in_hex(screens.at.get(a.hex, ()), 0, True, groups)
    way = lines.way(a, b)
    met, ends = lines.met(way, a.hex), 1 << a.hex | 1 << b.hex
    left = met & screens.mask & ~ends
    if left:
        rolling = bool((met | ends) & field.form["hillock"])
        on_it = set(hexes_of(left))
        for step in way.steps:
            h = a.hex + step[0]
            if h not in on_it:
                continue
            how, near, far = step[1:4]
            if how > ALONG:
                continue
            here = [
                one
                for one in screens.at[h]
                if _hinders(field, one, how, a.hex, b.hex, ea, eb, way.range, near, far, rolling, lines.former)
                and (one.height > 1 or lines.former or sees(a, _stands(field, one)))
            ]
            if here:
                found += _capped(here, near, groups)
    found += _in_hex(screens.at.get(b.hex, ()), way.range, False, groups)
    return found


def weighed(
    lines: Sightlines, line: Line, screens: list[Screen], at: tuple[int, int, int], sees: Sees
) -> tuple[int, int] | None:
    """What the screens of one hex add to a line from each end, by how and where it meets the hex: the sums of what
    `_on_line` lists. None if one of a group is among them, for it depends on the other hexes of the group."""
    field, (a, b, ea, eb, met), (how, near, far) = lines.field, line, at
    if how == END_OF_LINE:
        here = [one for one in screens if one.height > 1]
    elif how > ALONG:
        return 0, 0
    else:
        span = field.grid.distance(a.hex, b.hex), near, far
        rolling = bool((met | 1 << a.hex | 1 << b.hex) & field.form["hillock"])
        here = [one for one in screens if _hinders(field, one, how, a.hex, b.hex, ea, eb, *span, rolling, lines.former)]
    if not here:
        return 0, 0
    if any(one.group >= 0 for one in here):
        return None
    if how == END_OF_LINE:
        drm = _total(here)
        return drm + (not near), drm + (not far)
    if lines.former or all(one.height > 1 for one in here):
        drm = _total(here)
        return drm, drm
    there, back = ([one for one in here if one.height > 1 or sees(end, _stands(field, one))] for end in (a, b))
    return _total(there), _total(back)


def _total(here: Iterable[Screen]) -> int:
    """The sum of the screens of one hex: of SMOKE up to its limit."""
    clouds = others = 0
    for one in here:
        if one.kind in SMOKY:
            clouds += one.drm
        else:
            others += one.drm
    return min(clouds, MOST_SMOKE) + others


def _stands(field: Battlefield, vehicle: Screen) -> Spot:
    """Where a vehicle is: F4.51c, D9.4 it hinders a firer who sees it (EX-F6.6-9)."""
    return Spot(vehicle.hex, Place.IN if vehicle.base < field.level[vehicle.hex] else Place.GROUND)


def _hinders(
    field: Battlefield,
    one: Screen,
    how: int,
    a: Hex,
    b: Hex,
    ea: int,
    eb: int,
    span: int,
    near: int,
    far: int,
    rolling: bool,
    former: bool,
) -> bool:
    """Does a screen between firer and target hinder this line?"""
    if one.height == 1:
        return how == THROUGH and half_level_hinders(field, one.hex, one.base, a, b, ea, eb, rolling)
    top = one.base + one.height
    high, low = (ea, eb) if ea >= eb else (eb, ea)
    floor = one.base
    if not former:  # AMB-144 a hillock is seen past; what is not a wreck's at the rim rises from the bed of a wadi
        floor = min(floor, field.base[one.hex]) - LEVEL * (field.has("wadi", one.hex) and one.rule != "D10.1")
    if high < floor or low >= top:
        return False
    if high <= top:
        return True
    reach = near if ea >= eb else far  # looking down over it, it hides what it would hide as an obstacle
    return span - reach <= blind_hexes(one.height, reach, high - top)


def _in_hex(here: Iterable[Screen], at: int, out: bool, groups: set[int]) -> list[Hindrance]:
    """A24.21 SMOKE, dust and FFE count in the target's hex, and with one more for a firer in it who fires out."""
    found = _capped([one for one in here if one.height > 1], at, groups)
    if out and found:
        found.append(Hindrance("A24.22", "smoke", found[0].hex, 1, at))
    return found


def _capped(here: list[Screen], at: int, groups: set[int]) -> list[Hindrance]:
    """The screens of one hex: SMOKE up to its limit, each FFE once along the line."""
    found = []
    left = MOST_SMOKE
    for one in sorted(here, key=lambda one: -one.drm) if len(here) > 1 else here:
        drm = one.drm
        if one.kind in SMOKY:
            drm = min(drm, left)
            left -= drm
        if one.group >= 0:
            if one.group in groups:
                continue
            groups.add(one.group)
        if drm:
            found.append(Hindrance(one.rule, one.kind, one.hex, drm, at))
    return found
