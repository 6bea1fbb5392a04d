"""6 What a unit's move may do: what is closed to it, what costs more, where it must stop or may not end."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy

from ..supply.lines import supplied
from ..table.ground import HALF
from ..table.ids import MOTORIZED, ROAD_BOUND
from ..table.ratings import allowance, mover
from ..table.script import Ban, script
from ..table.state import State
from ..table.zones import zone
from .reach import Reach, Terms, Tolls, rates


def bans(s: State, kind: str, u: int) -> list[Ban]:
    """15 the special rules of this kind that bind a unit now."""
    return [
        ban
        for ban in script(s).bans
        if ban.kind == kind
        and ban.units >> u & 1
        and ban.first <= s.turn <= ban.last
        and (s.turn < ban.last or s.phase <= ban.last_phase)
        and (not ban.phases or s.phase in ban.phases)
        and not (s.command_free and ban.rule == script(s).command_ban)  # 16.3
    ]


def off_limits(s: State, u: int) -> Mask:
    """15.05, 15.13d, 15.13e, 15.33b the hexes that a scenario keeps a unit out of."""
    found = s.board.grid.all & ~script(s).area
    for ban in bans(s, "may_not_enter", u):
        found |= ban.hexes
    return found


def held_back(s: State, u: int) -> Ban | None:
    """15.13a, 15.13b the special rule that lets a unit not leave its hex by moving."""
    h = s.at[u]
    for kind in ("may_not_move", "may_not_leave"):
        for ban in bans(s, kind, u):
            if ban.hexes >> h & 1:
                return ban
    return None


def tolls(s: State, side: int, in_zone: bool = True) -> Tolls:
    """6.21a, 11.12a, 11.32a what it costs more to enter a hex: an EZOC, an enemy strongpoint, an enemy minefield."""
    other = enemy(side)
    constants = s.board.charts.constants
    parts = (
        (constants["ezoc_entry_mp"] * HALF, zone(s, other) if in_zone else 0),
        (constants["strongpoint_entry_mp"] * HALF, s.strongpoints[other]),
        (constants["enemy_minefield_entry_mp"] * HALF, s.mines[other]),
    )
    sums: dict[int, Mask] = {0: -1}
    for price, mask in parts:
        if mask:
            more: dict[int, Mask] = {}
            for total, hexes in sums.items():
                for extra, part in ((total, hexes & ~mask), (total + price, hexes & mask)):
                    if part:
                        more[extra] = more.get(extra, 0) | part
            sums = more
    return tuple((total, hexes) for total, hexes in sorted(sums.items()) if total)


def move_terms(s: State, u: int, points: int, fresh: bool = True) -> Terms:
    """6.1-6.2 what a unit's move may do in a movement phase, with so many half points."""
    board, b = s.board, 1 << u
    side = board.side[u]
    other = enemy(side)
    ezoc = zone(s, other)
    closed = s.occ[other] | off_limits(s, u)  # 6.14a
    if board.leaders & b:  # 6.23
        return Terms(points, closed | ezoc & ~s.occ[side], tolls(s, side, in_zone=False), fresh=fresh)
    stop = s.mines[other] if board.motorized & b else 0  # 11.32c
    chain = 0 if board.red & b else ezoc  # 6.22
    kind = mover(s, u)
    caught = fresh and kind in (MOTORIZED, ROAD_BOUND) and s.at[u] >= 0
    first = s.ground.escapes(s.at[u]) & ~closed if caught else 0
    return Terms(points, closed, tolls(s, side), stop, chain, fresh, first)


def move_reach(s: State, u: int, points: int | None = None, fresh: bool = True) -> Reach:
    """Where a unit can go from its hex."""
    if points is None:
        points = allowance(s, u)
    terms = move_terms(s, u, points, fresh and points > 0)
    return Reach(rates(s.board, s.ground, mover(s, u)), s.at[u], terms)


def ends(s: State, u: int) -> Mask:
    """6.15a, 6.16 where a unit may end its move: most may not leave the reach of supply of their own will."""
    board, b = s.board, 1 << u
    if (board.roamers | s.oos) & b:
        return board.grid.all
    side, h = board.side[u], s.at[u]
    friends = s.fighting[side]
    if h >= 0 and board.combat & b and not s.here[h] & board.combat & ~b:
        friends &= ~(1 << h)
    return supplied(s, side, friends)


def reaction_reach(s: State, u: int) -> Reach:
    """7.31, 7.33 half the MA; no surcharge for EZOCs but a stop; next to the enemy only where friends stand."""
    board = s.board
    side = board.side[u]
    other = enemy(side)
    ezoc = zone(s, other)
    near = board.grid.around(s.occ[other]) & ~s.occ[side]  # 7.33a
    closed = s.occ[other] | near | off_limits(s, u)
    stop = ezoc | s.mines[other]
    terms = Terms(allowance(s, u) // 2, closed, tolls(s, side, in_zone=False), stop, fresh=False)
    return Reach(rates(board, s.ground, mover(s, u)), s.at[u], terms)


def enterable(s: State, u: int, h: Hex, n: Hex) -> bool:
    """7.15, 8.25a, 8.81b whether a unit could step from one hex into the next at all."""
    return bool(s.ground.exits[mover(s, u)][h] >> n & 1)
