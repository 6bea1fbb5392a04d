"""C3.3 At what a weapon is laid: vehicles, the Infantry or Guns of a hex, or the hex itself, within its range, bearing
and sight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sandtable.engine.hexes import Mask
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import asked_once

from ..boards.locations import Place, Spot
from ..fire.crews import soft_targets
from ..fire.sights import clear, in_view, sees, stances
from ..los.cover import entry_sides
from ..table.state import Shoot, State, places
from ..table.works import spot
from . import aim
from .acquisition import user_of
from .aim import IFE
from .to_hit import AREA, INFANTRY, VEHICLE
from .weapons import LATW, Tube


class Laid(NamedTuple):
    """What the lists of a shot go by."""

    shoot: Shoot
    u: int
    user: int
    gun: Tube
    types: list[int]


def laid(s: State, shoot: Shoot) -> Laid:
    u = aim.piece(shoot)
    gun = aim.of_shot(s, shoot)
    return Laid(shoot, u, user_of(s, u), gun, aim.target_types(s, u, shoot.weapon, gun))


def area_hexes(s: State, u: int, gun: Tube, eye: int) -> Mask:
    """C3.3, C9.3 the hexes that can be fired at as an area: all that it, or its spotter, sees within its range."""
    return aim.seen_hexes(s, eye) & aim.area_reach(s, u, gun)


def any_area(s: State, u: int, gun: Tube) -> bool:
    """Whether there is any hex to fire at as an area: one of those around it, as a rule."""
    mine = spot(s, user_of(s, u))
    there = aim.area_reach(s, u, gun) & aim.bearing(s, u, gun) & ~melees(s)
    near = there & s.stage.grid.within(s.at[u], max(1, gun.least))
    rim = aim.on_rim(s, u, gun)
    for hexes in (near, there & ~near):
        for h in hexes_in(hexes):
            if clear(s, mine, Spot(h)) and not (rim and aim.plunges(s, u, gun, Spot(h))):
                return True
    return False


@asked_once
def melees(s: State) -> Mask:
    """A11.15 the hexes of Melees: nobody fires into one."""
    return sum([1 << h for h, units in s.here.items() if units & s.melee]) if s.melee else 0


def sees_unit(s: State, u: int, target: int) -> bool:
    return sees(s, user_of(s, u), s.at[target], 1 << target)


def has_target(s: State, now: Laid) -> bool:
    """Whether there is anything to fire at."""
    if AREA in now.types and not now.shoot.movers and any_area(s, now.u, now.gun):
        return True
    if VEHICLE in now.types and has_vehicle(s, now):
        return True
    if (INFANTRY in now.types or IFE in now.types) and (AT_INFANTRY.some(ALL, s, now) or AT_IFE.some(ALL, s, now)):
        return True
    return AREA in now.types and AT_AREA.some(foe_hexes(s, now), s, now)


def has_vehicle(s: State, now: Laid) -> bool:
    """As the table of vehicles says, but by hexes where nothing depends on the one vehicle."""
    motors = aim.motors_about(s, now.shoot.side)
    if now.shoot.movers or now.shoot.type >= 0 or aim.on_rim(s, now.u, now.gun):
        return AT_VEHICLE.some(motors, s, now)
    if not motors:
        return False
    wanted = aim.reached(s, now.u, now.gun, VEHICLE) & aim.bearing(s, now.u, now.gun)
    return bool(in_view(s, now.user, aim.motor_stances(s, now.shoot.side), wanted))


def unnamed(s: State, now: Laid) -> int:
    """All, until the target has been named."""
    return ALL if now.shoot.type < 0 else 0


def of_type(target: int) -> Callable[[State, Laid], int]:
    return lambda s, now: ALL if target in now.types else 0


def vehicles_there(s: State, now: Laid) -> int:
    """The enemy's vehicles in plain view; in First Fire those that move."""
    found = aim.motors_about(s, now.shoot.side)
    return found & now.shoot.movers if now.shoot.movers else found


def foe_hexes(s: State, now: Laid) -> int:
    """Hexes with enemy Infantry, Guns or dummies that are not in Melee; in First Fire the mover's."""
    return s.stage.numbers(_foe_hexes(s, now))


def _foe_hexes(s: State, now: Laid) -> Mask:
    if not now.shoot.movers:
        return aim.foe_places(s, now.shoot.side)
    foes, found = aim.foes_about(s, now.shoot.side) & ~s.melee & now.shoot.movers, 0
    for u in units_of(foes):
        found |= 1 << s.at[u]
    return found


@asked_once
def soft_motors(s: State, side: int) -> int:
    """C2.29, A7.308, D5.31, AMB-174 the enemy's vehicles in plain view that a MG could hurt, or those aboard them."""
    if s.edition < 6:
        return 0
    motors = aim.motors_about(s, side)
    found = soft_targets(s, motors)
    return found & motors | sum([1 << u for u in {s.aboard[one] for one in units_of(found & ~motors)}])


def soft_hexes(s: State, now: Laid) -> int:
    """The hexes that rapid fire can be fired at, as far as who is there goes."""
    return s.stage.numbers(_soft_hexes(s, now))


def _soft_hexes(s: State, now: Laid) -> Mask:
    return _foe_hexes(s, now) | places(s, _soft_there(s, now))


def _soft_there(s: State, now: Laid) -> int:
    found = soft_motors(s, now.shoot.side)
    return found & now.shoot.movers if now.shoot.movers else found


def seen_soft(s: State, now: Laid) -> int:
    """Of those the hexes in which the firer sees any of them."""
    near = aim.reached(s, now.u, now.gun, IFE)
    there = aim.bearing(s, now.u, now.gun) & near
    found = seen_on(IFE)(s, now)
    motors = sum([1 << u for u in units_of(_soft_there(s, now)) if there >> s.at[u] & 1])
    return found | s.stage.numbers(in_view(s, now.user, stances(s, motors), there)) if motors else found


def seen_foes(s: State, now: Laid, wanted: Mask = -1) -> int:
    """Of the hexes wanted those in which the firer, or his spotter, sees any of them."""
    if not now.shoot.movers:
        there = aim.foe_stances(s, now.shoot.side)
    else:
        beside = 0
        for u in units_of(now.shoot.movers):
            beside |= s.here.get(s.at[u], 0)
        there = stances(s, aim.foes_about(s, now.shoot.side) & beside)
    return s.stage.numbers(in_view(s, _eye(s, now), there, wanted))


def seen_on(target: int) -> Callable[[State, Laid], int]:
    """The same of the hexes that it can fire at on this target type, the only ones that are asked about."""

    def seen(s: State, now: Laid) -> int:
        wanted = _foe_hexes(s, now) & aim.reached(s, now.u, now.gun, target)
        wanted &= aim.bearing(s, now.u, now.gun) if wanted else 0
        return seen_foes(s, now, wanted) if wanted else 0

    return seen


def area_targets(s: State, now: Laid) -> int:
    """The hexes that the weapon or its spotter sees within its range; in First Fire the mover's."""
    if not now.shoot.movers:
        return s.stage.numbers(area_hexes(s, now.u, now.gun, _eye(s, now)))
    there = {s.at[u] for u in units_of(now.shoot.movers) if s.at[u] >= 0}
    reach = aim.area_reach(s, now.u, now.gun)
    return s.stage.numbers(sum(1 << h for h in there if reach >> h & 1 and sees(s, now.user, h, now.shoot.movers)))


def _eye(s: State, now: Laid) -> int:
    """Who sees the target: the user, or a mortar's spotter (C9.3)."""
    return units_of(now.shoot.spotter)[0] if now.shoot.spotter else now.user


def melee_hexes(s: State, now: Laid) -> int:
    """A11.15 nobody fires into a Melee."""
    return s.stage.numbers(melees(s))


def near_units(s: State, now: Laid) -> int:
    return _standing(s, vehicles_there(s, now), aim.reached(s, now.u, now.gun, VEHICLE))


def near_hexes(target: int) -> Callable[[State, Laid], int]:
    return lambda s, now: s.stage.numbers(aim.reached(s, now.u, now.gun, target))


def borne_units(s: State, now: Laid) -> int:
    return _standing(s, vehicles_there(s, now), aim.bearing(s, now.u, now.gun))


def borne_hexes(s: State, now: Laid) -> int:
    return s.stage.numbers(aim.bearing(s, now.u, now.gun))


def _standing(s: State, units: int, hexes: Mask) -> int:
    """Those of some units who are in these hexes."""
    at = s.at
    return sum([1 << u for u in units_of(units) if hexes >> at[u] & 1])


def from_rim(s: State, now: Laid) -> int:
    """F5.426b all, if the weapon is at the Crest of a wadi."""
    return ALL if aim.on_rim(s, now.u, now.gun) else 0


def low_unit(s: State, now: Laid, u: int) -> bool:
    return aim.plunges(s, now.u, now.gun, Spot(s.at[u], Place(s.place[u])))


def low_hex(s: State, now: Laid, g: int) -> bool:
    h = s.stage.into[g]
    there = [spot(s, u) for u in units_of(aim.foes_in(s, h, now.shoot.side) & ~s.hip)] or [Spot(h)]
    return all(aim.plunges(s, now.u, now.gun, one) for one in there)


def unseen_unit(s: State, now: Laid, u: int) -> bool:
    return not sees_unit(s, now.u, u)


def latw(s: State, now: Laid) -> int:
    """C13.3 all, if it is a bazooka or PIAT."""
    return ALL if now.gun.kind in LATW else 0


def no_cover(s: State, now: Laid, g: int) -> bool:
    """C13.3 a bazooka or PIAT is fired at Infantry in a building or behind a wall only."""
    h = s.stage.into[g]
    if s.stage.field.terrain[h] in ("building_stone", "tomb"):
        return False
    if s.edition > 2:
        sides = entry_sides(s.stage.sights.lines, spot(s, now.user), Spot(h))
        return not any(s.stage.field.side("wall", h, d) for d in sides)
    return not any(s.stage.field.side("wall", h, d) for d in range(6))


UNNAMED: Need[State, Laid] = Need("C3.3", "its target has been named", unnamed)
AT_VEHICLE: Bars[State, Laid] = Bars(
    UNNAMED,
    Need("C3.3", "it does not fire at vehicles", of_type(VEHICLE)),
    Need("C3.3", "{unit} is no vehicle in plain view that can be fired at now", vehicles_there),
    Need("C3.3", "{unit} is out of range", near_units),
    Need("C3.2", "it cannot be turned on {unit} now", borne_units),
    Doubt("F5.426b", "from the Crest it does not fire so far down", low_unit, from_rim),
    Doubt("A6.1", "there is no line of sight to {unit}", unseen_unit),
)
AT_INFANTRY: Bars[State, Laid] = Bars(
    UNNAMED,
    Need("C3.3", "it does not fire on the Infantry Target Type", of_type(INFANTRY)),
    Need("C3.3", "no enemy Infantry or Gun that can be fired at now is in {hex}", foe_hexes),
    Need("C3.3", "{hex} is out of range", near_hexes(INFANTRY)),
    Need("C3.2", "it cannot be turned on {hex} now", borne_hexes),
    Need("A6.1", "there is no line of sight to {hex}", seen_on(INFANTRY)),
    Doubt("C13.3", "it is fired at Infantry in a building or behind a wall only", no_cover, latw),
    Doubt("F5.426b", "from the Crest it does not fire so far down", low_hex, from_rim),
)
AT_IFE: Bars[State, Laid] = Bars(
    UNNAMED,
    Need("C2.29", "it has no rapid fire", of_type(IFE)),
    Need("C5.6", "rapid fire is never intensive", lambda s, now: 0 if now.shoot.intensive else ALL),
    Need("C2.29", "no enemy Infantry or Gun that can be fired at now is in {hex}", soft_hexes),
    Need("C2.29", "{hex} is out of range", near_hexes(IFE)),
    Need("C3.2", "it cannot be turned on {hex} now", borne_hexes),
    Need("A6.1", "there is no line of sight to {hex}", seen_soft),
    Doubt("F5.426b", "from the Crest it does not fire so far down", low_hex, from_rim),
)
AT_AREA: Bars[State, Laid] = Bars(
    UNNAMED,
    Need("C3.3", "it does not fire on the Area Target Type", of_type(AREA)),
    Need("C3.3", "{hex} is no hex that it sees within its range", area_targets),
    Need("C3.2", "it cannot be turned on {hex} now", borne_hexes),
    Bar("A11.15", "there is a Melee in {hex}", melee_hexes),
    Doubt("F5.426b", "from the Crest it does not fire so far down", low_hex, from_rim),
)
