"""What comes forward: trucks and what they carry, convoys, the railway."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..paths.legs import fresh_points
from ..table.ids import ALLIED, AXIS
from ..table.position import combat_units_in, zone
from ..table.stacking import fits
from ..table.state import State
from ..table.verbs import V_CONVOY, V_HALT, V_LOAD, V_LOAD_SP, V_RAIL, V_TO, V_TRANSFER, V_UNLOAD_SP
from .moves import front_of, supplied
from .worth import distance

COLUMNS = 3  # MSUs that a side wants on the map
HARBOUR = 12  # defence strength wanted in Tobruk
CLOSE = 3  # 17.2.1e hexes from the front at which an SP needs no truck any more
URGENT = 4  # how many units an SP counts as that waits for a truck


def convoy(s: State, side: int, legal: Sequence[Action]) -> Action | None:
    """21 everything from Italy to Tripoli; SPs and men on to the port that lies nearest to the front."""
    board = s.board
    found = [a for a in legal if a[0] == V_CONVOY]
    if not found:
        return None
    place = board.port_place
    for action in found:
        if place[action[1]] == board.italy and place[action[2]] == board.tripoli:
            return action
    if side == ALLIED:
        return _relief(s, found)
    front = front_of(s, side)
    for action in found:
        start, goal = place[action[1]], place[action[2]]
        if start != board.tripoli or fresh_points(s, side, start) <= 0 or front < 0:
            continue
        if distance(s, front, True, goal) < 45.0 and not zone(s, enemy(side)) >> goal & 1:
            return action
    return None


def _relief(s: State, found: list[Action]) -> Action | None:
    """Tobruk is kept in men and supply from Alexandria."""
    board = s.board
    place = board.port_place
    for action in found:
        start, goal = place[action[1]], place[action[2]]
        if goal != board.tobruk or start not in (board.alexandria, board.delta):
            continue
        held = combat_units_in(s, goal, ALLIED)
        strength = sum(board.dfn[u][s.step[u]] for u in units_of(held))
        if s.sp[ALLIED].get(goal, 0) < 2 and fresh_points(s, ALLIED, start) > 0:
            return action
        walkers = s.here.get(start, 0) & board.of_side[ALLIED] & board.foot & board.combat
        if strength < HARBOUR and walkers.bit_count() > (start == board.alexandria):  # 26.1 the last man stays
            return action
    return None


def truck(s: State, side: int, legal: Sequence[Action]) -> Action:
    """5.8 the next thing that a truck does: load, drive on, drop, or go back for more."""
    board = s.board
    u = units_of(s.group)[0]
    here = s.at[u]
    fresh = s.spent < 0
    base = board.tripoli if side == AXIS else board.delta
    front = front_of(s, side)
    halt: Action = (V_HALT,)
    if front < 0:
        return halt
    laden = bool(s.msu >> u & 1 or s.loads)
    idle = s.here.get(here, 0) & s.depleted & board.asus & board.of_side[side]
    if s.msu >> u & 1 and idle and (V_UNLOAD_SP,) in legal:
        return (V_UNLOAD_SP,)
    far = distance(s, front, True, here)
    if not laden and fresh:
        got = _load(s, side, legal, here)
        if got is not None:
            return got
        depot = _depot(s, side, base, front)
        transfers = [a for a in legal if a[0] == V_TRANSFER and a[2] == depot]
        if transfers and here != depot:
            return transfers[0]
        return halt
    if not fresh and not laden:
        return halt
    return _drive(s, side, legal, front, far)


def _load(s: State, side: int, legal: Sequence[Action], here: int) -> Action | None:
    """An SP while there are few on the road, else the strongest who waits for a ride far from the front."""
    board = s.board
    if not board.is_box(here) and board.grid.distance(here, front_of(s, side)) <= CLOSE:
        return None
    columns = sum(1 for v in units_of(s.msu & board.of_side[side]) if s.at[v] >= 0 and not board.is_box(s.at[v]))
    if (V_LOAD_SP,) in legal and columns < COLUMNS:
        return (V_LOAD_SP,)
    walkers = [a for a in legal if a[0] == V_LOAD and board.foot >> a[1] & 1 and board.combat >> a[1] & 1]
    if walkers and board.is_box(here):
        return max(walkers, key=lambda a: (board.att[a[1]][s.step[a[1]]] + board.dfn[a[1]][s.step[a[1]]], -a[1]))
    return (V_LOAD_SP,) if (V_LOAD_SP,) in legal else None


def _depot(s: State, side: int, base: int, front: Hex) -> int:
    """Where something waits for a truck that does not stand there already; -1 if nothing does."""
    board = s.board
    trucks = board.trucks & board.of_side[side] & ~s.msu
    found: list[tuple[int, int]] = []
    for place in {base, *s.sp[side]}:
        near = not board.is_box(place) and board.grid.distance(place, front) <= CLOSE
        goods = 0 if near else URGENT * s.sp[side].get(place, 0)
        if place == base:
            goods += (s.here.get(base, 0) & board.of_side[side] & board.foot & board.combat).bit_count()
        spare = goods - URGENT * (s.here.get(place, 0) & trucks).bit_count()
        if spare > 0 and place != board.italy:
            found.append((spare, place))
    if not found and side == AXIS and s.sp[AXIS].get(board.italy, 0):
        return board.tripoli  # where the next convoy lands
    return max(found)[1] if found else -1


def _drive(s: State, side: int, legal: Sequence[Action], front: Hex, far: float) -> Action:
    """Forward, in supply, to where friends stand and no enemy is near."""
    board = s.board
    fed, hostile = supplied(s, side), zone(s, enemy(side))
    start = s.at[units_of(s.group)[0]]
    best = 1e9 if board.is_box(start) else far - 0.5
    result: Action = (V_HALT,)
    for action in legal:
        if action[0] != V_TO or not fed >> action[1] & 1:
            continue
        h = action[1]
        friends = s.here.get(h, 0) & board.of_side[side] & board.combat & ~board.asus & ~s.routed
        if board.box_mask >> h & 1 or (hostile >> h & 1 and not friends):
            continue
        if s.loads and not fits(s, h, s.loads):  # 4.4.1c who is too many is lost
            continue
        away = max(distance(s, front, True, h), 1.0) - (1.5 if friends else 0.0)
        if away < best:
            best, result = away, action
    return result


def rail(s: State, legal: Sequence[Action]) -> Action | None:
    """5.9 the railway takes the strongest unit in the rear as far west as it goes."""
    board = s.board
    rides = [
        a for a in legal if a[0] == V_RAIL and distance(s, board.tobruk, True, a[2]) < 90.0 and fits(s, a[2], 1 << a[1])
    ]
    if not rides:
        return None
    best = min(rides, key=lambda a: (distance(s, board.tobruk, True, a[2]), a))
    now = distance(s, board.tobruk, True, s.at[best[1]])
    return best if distance(s, board.tobruk, True, best[2]) < now - 4.0 else None


def site(s: State, side: int, legal: Sequence[Action], verb: int, attackers: int) -> Action | None:
    """9.5 a fortification where a place that matters is held and threatened, and nobody attacks from it."""
    board = s.board
    foes = s.men[enemy(side)]
    best, chosen = 0.0, None
    busy = 0
    for u in units_of(attackers):
        if s.at[u] >= 0:
            busy |= 1 << s.at[u]
    for action in legal:
        if action[0] != verb:
            continue
        h = action[1]
        held = sum(board.dfn[u][s.step[u]] for u in units_of(combat_units_in(s, h, side) & ~board.vehicles))
        if busy >> h & 1 or not held or not (board.controllable | board.groundworks) >> h & 1:
            continue
        near = min((board.grid.distance(h, x) for x in hexes_in(foes)), default=99)
        value = held + (6.0 if board.controllable >> h & 1 else 0.0) + (8.0 if board.groundworks >> h & 1 else 0.0)
        value += 6.0 if h == board.tobruk else 0.0
        value = value * 10.0 / (6.0 + near)
        if value > max(best, 6.0):
            best, chosen = value, action
    return chosen
