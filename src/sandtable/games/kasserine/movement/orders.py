"""6.1 What a unit can do with its move: where it can go, where it may end, by which hex it can leave the map."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.scene import Hint
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.paths.legs import Leg

from ..paths.moves import bans, ends, held_back, in_force, move_leg, off_limits, step_away
from ..supply.lines import supplied
from ..table.ground import HALF
from ..table.ids import ALLIED, B4_MOTORIZED, C4_MOTORIZED
from ..table.ratings import allowance
from ..table.script import script
from ..table.state import State
from ..table.zones import zone

FARTHER = 3  # a reason names the points that are needed up to so many times those at hand


def in_motorized_phase(s: State) -> bool:
    """6.12 whether this is a Motorized Movement Phase."""
    return s.phase in (B4_MOTORIZED, C4_MOTORIZED)


def leg_of(s: State, u: int) -> Leg:
    """A unit's move with its whole MA."""
    key = ("leg", u)
    found: Leg | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = move_leg(s, u)
    return found


def destinations(s: State, u: int) -> Mask:
    """Where a unit can end its move."""
    return leg_of(s, u).everywhere() & ends(s, u)


def exits(s: State, u: int) -> Mask:
    """14.31-14.33, 14.35 the exit hexes that a unit can reach with 1 MP left to leave the map."""
    board = s.board
    gates = script(s).exits[board.side[u]]
    if not gates or not board.ground >> u & 1:
        return 0
    leg = leg_of(s, u)
    if not (leg.found.hexes | 1 << s.at[u]) & gates or bans(s, "may_not_exit", u):
        return 0
    points = leg.points - board.charts.constants["exit_mp"] * HALF
    if points < 0:
        return 0
    reached = leg.found.within(points)
    if s.edition > 3:
        reached &= ~leg.stop  # 11.32c whom a minefield stops goes no further
    return (reached | 1 << s.at[u]) & gates


def why_no_exit(s: State, u: int, h: Hex) -> Reason:
    """14.3 what keeps a unit from leaving the map by a hex."""
    side = s.board.side[u]
    barred = bans(s, "may_not_exit", u)
    if not script(s).exits[side] >> h & 1 or not s.board.ground >> u & 1:
        rule = "14.33" if side == ALLIED else "14.32"
        return Reason(rule, Text("{unit} cannot leave the map at {hex}", unit=u, hex=h))
    if barred:
        return Reason(barred[0].rule, Text("{unit} may not leave the map yet", unit=u))
    return Reason("14.31b", Text("{unit} does not get to {hex} with 1 MP left to leave the map", unit=u, hex=h))


def why_held(s: State, now: object, u: int) -> Reason:
    """15.13a, 15.13b the special rule that holds a unit back."""
    ban = held_back(s, u)
    assert ban is not None
    return Reason(ban.rule, Text("{unit} is held back by a special rule of the scenario", unit=u))


def stuck(s: State, u: int) -> bool:
    """6.13 nowhere to go: every hex around is closed, or it may not end its move in any that it can reach."""
    if s.board.leaders >> u & 1:
        return not _goes(s, u)
    known, key = lasting(s, s.board.side[u]), ("stuck", u, s.at[u], allowance(s, u), s.oos >> u & 1)
    found: bool | None = known.get(key)
    if found is None:
        found = known[key] = not _goes(s, u)
    return found


def _goes(s: State, u: int) -> bool:
    return allowance(s, u) > 0 and bool(step_away(s, u) or destinations(s, u) or exits(s, u))


def lasting(s: State, side: int) -> dict[Any, Any]:
    """What has been worked out about moves that others of this side do not change: as long as the enemy stays as he is,
    the same EZOCs are kept open (5.25) and the same hexes are in supply."""
    other = enemy(side)
    ezoc = zone(s, other)
    held, works = s.fighting[side] & ezoc, (s.mines[other], s.strongpoints[other])
    hangs_on = (s.turn, s.phase, side, s.occ[other], ezoc, works, held, supplied(s, side))
    if s.lasting[0] != hangs_on:
        s.lasting = (hangs_on, {})
    return s.lasting[1]


def perhaps_stuck(s: State, side: int) -> int:
    """The units for which `stuck` has to be asked, of those who have not moved: all others stand next to a hex into
    which anybody can make a minimum move (6.13) and in which he would be in supply."""
    known, combat = lasting(s, side), s.board.combat
    seen: tuple[int, int, list[Hex]] = known.get("doubtful", (-1, 0, []))
    then, asked, front = seen
    if then != s.on_map[side]:
        front = hexes_of(s.fighting[side] & zone(s, enemy(side)))
        asked = _doubtful(s, side)
        known["doubtful"] = (s.on_map[side], asked, front)
    bound = combat & ~(s.board.roamers | s.oos)
    for h in front:  # its leaving may cut its own line
        units = s.here[h] & combat
        if not units & units - 1:
            asked |= units & bound
    return asked


def _doubtful(s: State, side: int) -> int:
    """The same but for what hangs on those who stay."""
    board, here, own = s.board, s.here, s.occ[side]
    asked = s.on_map[side] & (board.leaders | (board.tigers if s.tigers_bound else 0))
    refuge = s.ground.easy & script(s).area & ~s.occ[enemy(side)] & supplied(s, side)
    for h in hexes_of(own & ~board.grid.beside(refuge)):
        asked |= here[h]
    for ban in in_force(s, "may_not_enter"):
        for h in hexes_of(own & board.grid.dilate(ban.hexes)):
            asked |= here[h] & ban.units
    return asked


def why_far(s: State, u: int, h: int, leg: Leg) -> Reason:
    """6.01 what keeps a unit from a hex."""
    if s.occ[enemy(s.board.side[u])] >> h & 1:
        return Reason("6.14a", Text("an enemy stands in {hex}", hex=h))
    if off_limits(s, u) >> h & 1:
        return why_closed(s, 1 << u, h)
    if h == leg.start:
        return Reason("6.01", Text("{unit} is in {hex} already", unit=u, hex=h))
    needs = _farther(s, leg).found.cost(h)
    if needs > leg.points:
        text = term("{unit} needs {needs} MP to get to {hex}, and has {points}")
        return Reason("6.01", Text(text, unit=u, hex=h, needs=needs / HALF, points=leg.points / HALF))
    return Reason("6.01", Text("no way leads {unit} to {hex} in this phase", unit=u, hex=h))


def why_closed(s: State, units: int, h: Hex) -> Reason:
    """15 the special rule that keeps one of these units out of a hex."""
    u = next(one for one in units_of(units) if off_limits(s, one) >> h & 1)
    rules = [ban.rule for ban in bans(s, "may_not_enter", u) if ban.hexes >> h & 1]
    return Reason(rules[0] if rules else "15.05", Text("{hex} is closed to {unit}", hex=h, unit=u))


def way_hint(s: State, leg: Leg, h: Hex) -> Hint | None:
    """6.01 what a way costs, of how many points, and where it leads."""
    way = leg.to(h)
    if way is None:
        return None
    names = s.board.grid.names
    return {"cost": f"{way.cost / HALF:g}", "of": f"{leg.points / HALF:g} MP", "path": [names[h] for h in way.path]}


def _farther(s: State, leg: Leg) -> Leg:
    """The same move with a few times as many points: how far off is what it cannot reach."""
    key = ("farther", id(leg.chart), leg.start, leg.points, leg.closed, leg.stop, leg.chain)
    found: Leg | None = s.memo.get(key)
    if found is None:
        points = FARTHER * (leg.points + HALF)
        found = Leg(
            0, leg.chart, leg.start, points, leg.closed, 0, leg.stop, (), leg.entering, leg.setting_out, chain=leg.chain
        )
        s.memo[key] = found
    return found
