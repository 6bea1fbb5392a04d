"""6.1 What a unit can do with its move: where it can go, where it may end, by which hex it can leave the map."""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Mask, hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.paths.legs import Leg

from ..paths.moves import bans, ends, move_leg, off_limits
from ..supply.lines import supplied
from ..table.ground import HALF
from ..table.ids import B4_MOTORIZED, C4_MOTORIZED
from ..table.ratings import allowance, mover
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
    if not gates or not board.ground >> u & 1 or bans(s, "may_not_exit", u):
        return 0
    points = allowance(s, u) - board.charts.constants["exit_mp"] * HALF
    return (leg_of(s, u).found.within(points) | 1 << s.at[u]) & gates if points >= 0 else 0


def stuck(s: State, u: int) -> bool:
    """6.13 nowhere to go: every hex around is closed, or it may not end its move in any that it can reach."""
    key = ("stuck", u)
    found: bool | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = allowance(s, u) <= 0 or not (step_away(s, u) or destinations(s, u) or exits(s, u))
    return found


def step_away(s: State, u: int) -> Mask:
    """6.13 where its minimum move may lead: most that can move at all can do so."""
    if s.board.leaders >> u & 1:
        return 0
    around: Mask = s.ground.exits[mover(s, u)][s.at[u]]
    around &= ~(s.occ[enemy(s.board.side[u])] | off_limits(s, u))
    return around and around & ends(s, u)


def perhaps_stuck(s: State, side: int) -> int:
    """The units for which `stuck` has to be asked: all others stand next to a hex into which anybody can make a minimum
    move (6.13) and in which he would be in supply."""
    key = ("perhaps stuck", side)
    known: int | None = s.memo.get(key)
    if known is not None:
        return known
    board, grid, here = s.board, s.board.grid, s.here
    own, theirs = s.occ[side], s.occ[enemy(side)]
    asked = s.on_map[side] & (board.leaders | (board.tigers if s.tigers_bound else 0))
    refuge = s.ground.easy & script(s).area & ~theirs & supplied(s, side)
    for h in hexes_of(own & ~grid.beside(refuge)):
        asked |= here[h]
    free = board.roamers | s.oos
    for h in hexes_of(own & zone(s, enemy(side))):  # its leaving may cut its own line
        asked |= here[h] & ~free
    for ban in script(s).bans_of.get("may_not_enter", ()):
        if ban.first <= s.turn <= ban.last:
            for h in hexes_of(own & grid.dilate(ban.hexes)):
                asked |= here[h] & ban.units
    s.memo[key] = asked
    return asked


def why_far(s: State, u: int, h: int, leg: Leg) -> Reason:
    """6.01 what keeps a unit from a hex."""
    if s.occ[enemy(s.board.side[u])] >> h & 1:
        return Reason("6.14a", Text("an enemy stands in {hex}", hex=h))
    if off_limits(s, u) >> h & 1:
        rules = [ban.rule for ban in bans(s, "may_not_enter", u) if ban.hexes >> h & 1]
        return Reason(rules[0] if rules else "15.05", Text("{hex} is closed to {unit}", hex=h, unit=u))
    if h == leg.start:
        return Reason("6.01", Text("{unit} is in {hex} already", unit=u, hex=h))
    needs = _farther(s, leg).found.cost(h)
    if needs > leg.points:
        text = term("{unit} needs {needs} MP to get to {hex}, and has {points}")
        return Reason("6.01", Text(text, unit=u, hex=h, needs=needs / HALF, points=leg.points / HALF))
    return Reason("6.01", Text("no way leads {unit} to {hex} in this phase", unit=u, hex=h))


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
