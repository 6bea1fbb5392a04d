"""6.1 What a unit can do with its move: where it can go, where it may end, by which hex it can leave the map."""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Mask
from sandtable.engine.text import Text
from sandtable.mechanics.masks import enemy

from ..paths.moves import bans, ends, move_reach, off_limits
from ..paths.reach import Reach
from ..table.ground import HALF
from ..table.ids import B4_MOTORIZED, C4_MOTORIZED
from ..table.ratings import allowance, mover
from ..table.script import script
from ..table.state import State


def in_motorized_phase(s: State) -> bool:
    """6.12 whether this is a Motorized Movement Phase."""
    return s.phase in (B4_MOTORIZED, C4_MOTORIZED)


def reach_of(s: State, u: int) -> Reach:
    """Where a unit can go with its whole MA."""
    key = ("reach", u)
    found: Reach | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = move_reach(s, u)
    return found


def destinations(s: State, u: int) -> Mask:
    """Where a unit can end its move."""
    return reach_of(s, u).hexes & ends(s, u)


def exits(s: State, u: int) -> Mask:
    """14.31-14.33, 14.35 the exit hexes that a unit can reach with 1 MP left to leave the map."""
    board = s.board
    gates = script(s).exits[board.side[u]]
    if not gates or not board.ground >> u & 1 or bans(s, "may_not_exit", u):
        return 0
    points = allowance(s, u) - board.charts.constants["exit_mp"] * HALF
    if points < 0:
        return 0
    reach = reach_of(s, u)
    found = 1 << s.at[u]
    for layer in (*reach.layers[: points + 1], *reach.ended[: points + 1]):
        found |= layer
    return found & gates


def stuck(s: State, u: int) -> bool:
    """6.13 nowhere to go: every hex around is closed, or it may not end its move in any that it can reach."""
    board = s.board
    if allowance(s, u) <= 0:
        return True
    if (board.roamers & ~board.leaders | s.oos) >> u & 1:  # what it may enter by its minimum move is enough
        near = s.ground.exits[mover(s, u)][s.at[u]] & ~s.occ[enemy(board.side[u])] & ~off_limits(s, u)
        if near:
            return False
    return not destinations(s, u) and not exits(s, u)


def why_far(s: State, u: int, h: int, points: int) -> Reason:
    """6.01 what keeps a unit from a hex."""
    if s.occ[enemy(s.board.side[u])] >> h & 1:
        return Reason("6.14a", Text("an enemy stands in {hex}", hex=h))
    if off_limits(s, u) >> h & 1:
        rules = [ban.rule for ban in bans(s, "may_not_enter", u) if ban.hexes >> h & 1]
        return Reason(rules[0] if rules else "15.05", Text("{hex} is closed to {unit}", hex=h, unit=u))
    if h == s.at[u]:
        return Reason("6.01", Text("{unit} is in {hex} already", unit=u, hex=h))
    return Reason("6.01", Text("{unit} does not get to {hex} with {points} MP", unit=u, hex=h, points=points / HALF))
