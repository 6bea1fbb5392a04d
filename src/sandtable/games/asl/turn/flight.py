"""A10.5-A10.51 Who must rout, from whom, and where to."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import asked_once

from ..boards.locations import Spot, elevation
from ..fire.bursts import MGS
from ..fire.crews import known_unbroken
from ..fire.firepower import dummies_in
from ..fire.mounts import RANGES
from ..fire.protection import tem_of
from ..fire.sights import adjacent, clear, line
from ..movement.cover import LINKED, joined
from ..movement.points import HALF, NEVER, cost, landing, overfull
from ..table.hardware import CMG, MA, SA, WEAPONRY
from ..table.ids import ABOVE, BENEATH
from ..table.state import State, all_men, all_vehicles, known_enemies, men, vehicles, weapons_of
from ..table.works import room, spot

FAR = 16  # A10.5, A10.53


class RouterAt(NamedTuple):
    """A unit that routs: MF spent in halves, and whether it was interdicted in the hex it is in."""

    frame: int
    unit: int
    spent: int
    checked: int
    under: int = ABOVE
    """B27.3 what it has still to come out of."""


@asked_once
def near(s: State, side: int) -> Mask:
    """Hexes ADJACENT to (or of) a Known unbroken enemy."""
    found = 0
    if s.edition > 3:
        for e in units_of(known_unbroken(s, side)):
            around, mine = s.stage.field.accessible(s.at[e]), spot(s, e)
            found |= 1 << s.at[e] | sum(1 << h for h in hexes_in(around) if clear(s, mine, landing(s, h)))
        return found
    for e in units_of(known_unbroken(s, side)):
        found |= s.stage.grid.within(s.at[e], 1)
    return found


def armed(s: State, e: int) -> int:
    """A10.5 the Normal Range of an enemy and his weapons, 16 at the most; 0 if he has none."""
    kind = s.kind(e)
    if s.edition < 3:
        return min(FAR, kind.range)
    if kind.vehicle is None:
        arms = [s.kind(w) for w in units_of(weapons_of(s, e) & s.stage.roster.machine_guns & ~(s.jammed | s.apart))]
        guns = [one for one in arms if one.weapon in MGS or s.edition < 5]  # AMB-121 no mortar, no rifle against tanks
        return min(FAR, max([kind.range, *(one.range for one in guns)]))
    able = kind.vehicle.weapons & ~(s.off[e] | s.jam[e])
    if able & (MA | SA) and "gun" in (kind.vehicle.ma, kind.vehicle.sa):
        return FAR
    return max((RANGES.get(one, RANGES[CMG]) for one in WEAPONRY if able & one), default=0)


def presses(s: State, e: int, u: int) -> bool:
    """A10.5 whether an enemy is armed and ADJACENT."""
    if s.stage.grid.distance(s.at[e], s.at[u]) > 1 or (s.edition > 3 and not adjacent(s, spot(s, e), spot(s, u))):
        return False
    return s.kind(e).vehicle is None or bool(armed(s, e))


def pressed(s: State, u: int) -> bool:
    """A10.5 whether a Known unbroken armed enemy is ADJACENT."""
    return any(presses(s, e, u) for e in units_of(known_unbroken(s, s.stage.roster.side[u])))


def threatens(s: State, e: int, u: int, unhindered: bool = False) -> bool:
    """A10.5 whether an enemy sees a unit in Open Ground within his range; A10.53, A24.8 with nothing in between for
    Interdiction. F7.2c, B.1 ground where a TEM protects against him (a lip, a hillock, a dune crest, a wall, height)
    is not open to him."""
    h, reach = s.at[u], armed(s, e)
    if not reach or s.stage.grid.distance(s.at[e], h) > reach:
        return False
    seen = line(s, e, h, 1 << u)
    if not seen.clear or (unhindered and seen.hindrance):
        return False
    return s.edition < 5 or not tem_of(s, [spot(s, e)], u)


def threat(s: State, u: int, unhindered: bool = False) -> bool:
    """A10.5 in Open Ground in LOS and Normal Range (at most 16) of a Known unbroken armed enemy; A10.53 for
    Interdiction of one who could fire (AMB-149)."""
    if not s.stage.field.kind(s.at[u]).ffmo:
        return False
    foes = known_unbroken(s, s.stage.roster.side[u])
    if unhindered and s.edition > 2:
        foes &= ~(s.melee | s.ti)  # A11.15, A4.9 they cannot fire
    return any(threatens(s, e, u, unhindered) for e in units_of(foes))


def above_ground(s: State, u: int) -> bool:
    """Whether nothing that is dug lies above a unit."""
    return s.under[u] not in BENEATH if s.edition > 2 else s.under[u] == ABOVE


def must(s: State, u: int) -> bool:
    """A10.5 a broken unit must rout if ADJACENT to a Known enemy, or seen in the open within his range."""
    return pressed(s, u) or (above_ground(s, u) and threat(s, u))


def ways(s: State, f: RouterAt) -> Mask:
    """A10.501, A10.51 the hexes that a router may enter next."""
    return toward_cover(s, f, open_hexes(s, f))


def open_hexes(s: State, f: RouterAt) -> Mask:
    """A10.501 those that it could enter, whether its way to cover leads there or not."""
    return sum(1 << n for n in way_out(s, f.unit, spot(s, f.unit), f.spent, f.under))


@asked_once
def held(s: State, h: Hex, side: int) -> bool:
    """A10.501 whether the enemy of a side occupies a hex, as far as it knows."""
    foes = men(s, h, 1 - side)
    if s.edition > 2:
        foes |= vehicles(s, h, 1 - side) & ~s.abandoned | dummies_in(s, h, 1 - side)  # A12.11 nobody can tell
    return bool(foes & ~s.hip)


def climb_out(s: State, at: Spot, n: Hex, under: int) -> int:
    """B27.3 1 MF to come out of an entrenchment; F8.6a not for him who goes down from a trench or sangar."""
    field = s.stage.field
    down = under in LINKED and elevation(field, landing(s, n)) < elevation(field, at)
    return HALF if under in BENEATH and not down else 0


def tunnels(s: State, f: RouterAt) -> dict[Hex, tuple[int, int]]:
    """B27.5, F8.6 the hexes with a trench or sangar that a router may go beneath directly, without coming out: what it
    would lie under, and the MF that it will have spent."""
    u, side = f.unit, s.stage.roster.side[f.unit]
    if s.edition < 5:
        return {}
    at, found = spot(s, u), {}
    for n, points in way_out(s, u, at, f.spent).items():
        for under in joined(s, at, f.under, n, side):
            if n not in found and room(s, n, under, side) >= s.kind(u).equivalents:
                found[n] = under, points
    return found


def steps(s: State, u: int, at: Spot, spent: int, under: int = ABOVE) -> dict[Hex, int]:
    """A10.501, A10.51 the hexes that a router could enter next from a spot, with the MF that it will have spent."""
    found = {}
    for n, points in away(s, s.stage.roster.side[u], at).items():
        whole = spent + climb_out(s, at, n, under) + points
        if whole <= pace(s, u):
            found[n] = whole
    return found


def pace(s: State, u: int) -> int:
    """A10.501 6 MF, in halves; A17.1 a wounded man has 3."""
    return HALF * (3 if s.wounded >> u & 1 and s.edition > 6 else 6)


@asked_once
def away(s: State, side: int, at: Spot) -> dict[Hex, int]:
    """A10.501 what those of a side pay in each hex that they may rout to from a spot: not those of the enemy, nor
    nearer to a Known enemy who sees it there."""
    grid = s.stage.grid
    foes = known_enemies(s, side)
    if s.edition > 2:  # broken ones and vehicles are Known enemy units too
        foes = (all_men(s, 1 - side) | all_vehicles(s, 1 - side) & ~s.abandoned) & ~(s.concealed | s.hip)
    eyes = [s.at[e] for e in units_of(foes) if clear(s, spot(s, e), at)]
    found = {}
    for n in hexes_in(s.stage.field.accessible(at.hex)):
        points = cost(s, at, landing(s, n), side)
        if points > 6 * HALF or held(s, n, side):
            continue
        if not any(grid.distance(e, n) < grid.distance(e, at.hex) for e in eyes):
            found[n] = points
    return found


def way_out(s: State, u: int, at: Spot, spent: int, under: int = ABOVE) -> dict[Hex, int]:
    """A10.501 the same without those ADJACENT to a Known unbroken enemy beside whom it was not, unless it can leave
    them at once."""
    side, found = s.stage.roster.side[u], steps(s, u, at, spent, under)
    close = near(s, side)
    if s.edition < 3:
        return {n: points for n, points in found.items() if not close >> n & 1 or close >> at.hex & 1}
    mine = beside(s, at.hex, side)
    return {
        n: points
        for n, points in found.items()
        if not beside(s, n, side) & ~mine or any(not close >> m & 1 for m in steps(s, u, landing(s, n), points))
    }


@asked_once
def beside(s: State, h: Hex, side: int) -> int:
    """The Known unbroken enemies who are ADJACENT to a hex."""
    around = s.stage.grid.within(h, 1)
    found = [e for e in units_of(known_unbroken(s, side)) if around >> s.at[e] & 1]
    if s.edition > 3:
        found = [e for e in found if adjacent(s, spot(s, e), landing(s, h))]
    return sum(1 << e for e in found)


def refuges(s: State, u: int) -> Mask:
    """A10.51 woods and buildings near enough in which it could stay (A10.501, A5.1)."""
    field, side = s.stage.field, s.stage.roster.side[u]
    goals = sum(field.ground.get(word, 0) for word in s.stage.pack.tables["rout"]["destinations"])
    goals &= s.stage.grid.within(s.at[u], 6)
    if not goals:
        return 0
    goals &= ~sum(1 << h for h in s.here if held(s, h, side))
    if s.edition > 2:
        goals &= ~near(s, side)
    if s.edition > 4:
        goals &= ~sum(1 << h for h in hexes_in(goals) if overfull(s, h, side, 1 << u))
    return goals


def toward_cover(s: State, f: RouterAt, open_to: Mask) -> Mask:
    """A10.51, F.1Ca, F.1Cb of these hexes those on the shortest way to the nearest woods or building that the router
    can reach in this phase; all of them if it can reach none."""
    return onto_cover(s, f, open_to) or open_to


def onto_cover(s: State, f: RouterAt, open_to: Mask) -> Mask:
    """The same, or none."""
    u, side = f.unit, s.stage.roster.side[f.unit]
    goals = refuges(s, u)
    if not goals:
        return 0
    best, found = NEVER, 0
    for first in hexes_in(open_to):
        start = f.spent + climb_out(s, spot(s, u), first, f.under) + cost(s, spot(s, u), landing(s, first), side)
        far = _reach(s, u, first, start, goals)
        if far < best:
            best, found = far, 0
        if far == best and far < NEVER:
            found |= 1 << first
    return found


def _reach(s: State, u: int, start: Hex, spent: int, goals: Mask) -> int:
    """The least MF in all by which one of the goals is reached from a hex, within 6 MF."""
    side = s.stage.roster.side[u]
    left = {start: spent}
    done: set[Hex] = set()
    while left:
        h = min(left, key=lambda one: (left[one], one))
        points = left.pop(h)
        if points > pace(s, u):
            return NEVER
        if goals >> h & 1:
            return points
        done.add(h)
        if s.edition > 2:
            onward = way_out(s, u, landing(s, h), points)
        else:
            free = [n for n in hexes_in(s.stage.field.accessible(h)) if not held(s, n, side)]
            onward = {n: points + cost(s, landing(s, h), landing(s, n), side) for n in free}
        for n, more in onward.items():
            if n not in done:
                left[n] = min(more, left.get(n, NEVER))
    return NEVER
