"""16.51 Redeployment by land, 16.52 return for refit, 16.53 sea movement.

All of it happens inside the network that was fixed at the start of the Buildup (16.2a), which is
`State.nets`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.masks import hexes_in

from ..paths.reach import redeploy_reach
from ..supply.fortresses import besieged
from ..table import verbs
from ..table.board import Board
from ..table.choices import NO_TAIL, Rows
from ..table.ids import F_PORT, F_REDEPLOY, NO_DIR, REFIT, SIDES
from ..table.state import State, emit, firm_in, put
from ..table.steps import BlockAt

COST = 1  # 16.51b

NO_SIDE = ((NO_DIR,),)
"""16.51g What follows the hex: it is entered through no side in particular, as nobody is engaged."""

# 16.51 Redeployment


def open_ground(s: State, side: int) -> Mask:
    """16.51e to 16.51g The hexes a redeploying unit of this side may enter.

    Its own network without the part that overlaps the enemy's (16.51f); A41: its base always.
    Never a hex with enemies in it: that is a battle hex, or would become one.
    """
    ground = s.nets[side] & ~s.nets[1 - side] | s.board.base_mask[side]
    return ground & ~s.occ[1 - side]


def can_leave(s: State, side: int) -> Mask:
    """11.1g, 16.51h The hexes from which an undisrupted unit may go.

    From a battle hex only if an undisrupted friend stays: were the rest disrupted it would rout
    at once (11.11a), and leaving by redeployment carries no penalty (16.51h).
    """
    hexes = s.firm[side]
    fights = hexes & s.occ[1 - side]
    if fights:
        for h in hexes_in(fights):
            if firm_in(s, h, side).bit_count() < 2:
                hexes &= ~(1 << h)
    return hexes


def redeployable(s: State, side: int) -> Mask:
    """16.51 The hexes from which one movement could take a unit somewhere."""
    return beside(s.board, open_ground(s, side)) & s.nets[side]


@lru_cache(maxsize=1024)
def beside(board: Board, ground: Mask) -> Mask:
    """The hexes from which one step leads into some ground, or out of it: every hexside is open both ways."""
    hexes = 0
    for d in range(6):
        hexes |= board.grid.step(ground & board.open[d], d)
    return hexes


def why_not_redeploy(s: State, u: int, side: int) -> Reason:
    """Why a unit may not redeploy at all."""
    return _why_not_leave(s, u, side) or _why_not_start(s, u, side)


def _why_not_leave(s: State, u: int, side: int) -> Reason | None:
    """What forbids a unit to leave its hex by any of the ways of this chapter."""
    board = s.board
    name = board.units[u]
    h = s.at[u]
    if board.side[u] != side:
        return Reason("16.51a", f"{name} is not yours")
    if h == REFIT:
        return Reason("16.52b", f"{name} is in refit for a month")
    if h < 0:
        return Reason("16.51a", f"{name} is not on the map")
    if s.disrupted >> u & 1:
        return Reason("11.1g", f"{name} is disrupted: it can neither redeploy nor return to base")
    if not can_leave(s, side) >> h & 1:
        return Reason("16.51h", f"an undisrupted friend must stay in the battle in {board.hex_name(h)}")
    return None


def _why_not_start(s: State, u: int, side: int) -> Reason:
    board = s.board
    if not s.nets[side] >> s.at[u] & 1:
        return Reason("16.51e", f"{board.units[u]} is not in your supply network")
    return Reason("16.51f", f"around {board.units[u]} your network ends, is in battle or overlaps")


def reach(s: State, u: int, side: int) -> Mask:
    """16.51b, 16.51c Two hexes and the road bonus, whatever the unit's speed, without Rommel's."""
    return redeploy_reach(s, u, side, open_ground(s, side)) & ~(1 << s.at[u])


class Redeploy(Frame[State, BlockAt]):
    """16.51b Where one redeployment movement takes a unit."""

    at = BlockAt

    def actor(self, s: State, f: BlockAt) -> int | None:
        return f.side

    def legal(self, s: State, f: BlockAt) -> list[Action]:
        return self.offer(s, f).listed()

    def offer(self, s: State, f: BlockAt) -> Rows:
        return Rows([(verbs.TO, reach(s, f.unit, f.side), NO_SIDE)])

    def take(self, s: State, f: BlockAt, action: Action) -> None:
        side, u = f.side, f.unit
        s.stack.pop()
        s.bp[side] -= COST
        _move(s, u, action[1], "redeployed", "16.51b")

    def prompt(self, s: State, f: BlockAt) -> Prompt:
        text = f"{s.board.unit_names[f.unit]}: two hexes and the road bonus for 1 point, inside your network"
        return Prompt("Redeploy", text, ("16.51b", "16.51e", "16.51f"), "buildup")

    def why_not(self, s: State, f: BlockAt, action: Action) -> Reason | None:
        if action[0] != verbs.TO:
            return None
        side, u, h = f.side, f.unit, action[1]
        bit = 1 << h
        name = s.board.hex_name(h)
        if h == s.at[u]:
            return Reason("16.51b", f"{s.board.units[u]} is in {name} already")
        if s.occ[0] & s.occ[1] & bit:
            return Reason("16.51g", f"{name} is a battle hex: it may not be entered by redeployment")
        if s.occ[1 - side] & bit:
            return Reason("16.51g", f"enemies are in {name}: a redeploying unit may not start a battle")
        if not s.nets[side] & bit:
            return Reason("16.51e", f"{name} is not in your supply network")
        if not open_ground(s, side) & bit:
            return Reason("16.51f", f"{name} is in the enemy's supply network too")
        if action[2] != NO_DIR:
            return Reason("16.51g", "a redeploying unit engages nobody: write '-' for the hexside")
        return Reason("16.51b", f"{name} is farther than 2 hexes and the road bonus")


def _move(s: State, u: int, h: Hex, kind: str, rule: str) -> None:
    """A hidden block moves in sight of both; it may then not return for refit in this Buildup (16.52a)."""
    data = {"from": s.at[u], "to": h, "side": s.board.side[u]}
    put(s, u, h)
    s.moved |= 1 << u
    emit(s, kind, rule, data, s.board.side[u], {"unit": u})


# 16.52 Return to base for refit


@lru_cache(maxsize=1024)
def _joined(board: Board, base: Hex, ground: Mask) -> Mask:
    """The hexes of some ground from which the base can be reached over land."""
    found = 0
    new = 1 << base
    while new:
        found |= new
        new = beside(board, new) & ground & ~found
    return found


def overland(s: State, side: int) -> Mask:
    """16.52c The hexes with a route to the base inside the network; it may not run through enemies (6.0c)."""
    board = s.board
    base = board.base[side]
    ground = s.nets[side] & ~s.occ[1 - side]
    if s.occ[1 - side] >> base & 1:
        return 0
    routes = _joined(board, base, ground)
    # A42: the battle hex it leaves may be its first
    return routes | beside(board, routes) & s.nets[side] & s.occ[side]


def refittable(s: State, side: int) -> Mask:
    """16.52a The hexes from which units may return for refit instead of redeploying."""
    return overland(s, side) & ~s.board.base_mask[side]


def why_not_refit(s: State, u: int, side: int) -> Reason:
    """Why a unit may not return for refit."""
    reason = _why_not_leave(s, u, side)
    if reason is not None:
        return reason
    name = s.board.units[u]
    if s.at[u] == s.board.base[side]:
        return Reason("16.52a", f"{name} is at the base already")
    if s.moved >> u & 1:
        return Reason("16.52a", f"{name} has redeployed; a unit returns for refit instead of that")
    if s.occ[1 - side] & s.board.base_mask[side]:
        return Reason("16.52c", "your base is a battle hex: no unit can return to it")
    return Reason("16.52c", f"{name} has no overland route to the base inside your network")


def send_to_refit(s: State, u: int, side: int) -> None:
    """16.52d It is laid face down beside the base, for one whole month."""
    h = s.at[u]
    put(s, u, REFIT)
    s.moved |= 1 << u
    emit(s, "refit", "16.52a", {"from": h, "side": side}, side, {"unit": u})


# 16.53 Sea movement


def ports(s: State, side: int) -> Mask:
    """16.53a The base and the fortresses a side controls (13.1)."""
    found = s.board.base_mask[side]
    for i, h in enumerate(s.board.fortresses):
        if s.fort_owner[i] == side:
            found |= 1 << h
    return found


def ports_in_use(s: State, side: int) -> Mask:
    """16.53f, A25 The fortresses where no more units may embark or land; 16.53g: a base never is one."""
    full = 0
    for i, h in enumerate(s.board.fortresses):
        if s.port_used[i] >= s.board.capacity[i][side]:
            full |= 1 << h
    return full


def use_port(s: State, h: Hex) -> None:
    """A25 Each unit that leaves or arrives takes one point of the port's capacity."""
    if h in s.board.fortresses:
        s.port_used[s.board.fortresses.index(h)] += 1


@lru_cache(maxsize=16)
def fares(board: Board, side: int) -> tuple[int | None, ...]:
    """16.53b to 16.53e The cost of a unit by the number of besieged ports on its way; None: not allowed."""
    name, costs = SIDES[side], board.sea_cost
    return tuple(costs[row].get(name) for row in ("none_besieged", "one_besieged", "both_besieged"))


def sea_cost(s: State, a: Hex, b: Hex, side: int) -> int | None:
    """16.53b to 16.53e The cost of a unit from port to port, None if it is not allowed."""
    return fares(s.board, side)[besieged(s, a, side) + besieged(s, b, side)]  # 13.5b; A26: a base never is


def landings(s: State, side: int) -> Mask:
    """A27 The ports where a unit of a side may land, whatever that costs.

    A friendly port counts as part of the network, so that the enemy's network keeps units out of
    it as on land (16.51f). A port that is a battle hex may be left but not entered.
    """
    return ports(s, side) & ~s.occ[1 - side] & (~s.nets[1 - side] | s.board.base_mask[side])


def sailings(s: State, side: int) -> list[tuple[Hex, Mask]]:
    """16.53 The friendly ports, each with those its units can sail to with the points of their side."""
    board, enemies = s.board, s.occ[1 - side]
    usable, ringed = board.base_mask[side], 0  # 13.5b; A26: a base never is besieged
    for i, h in enumerate(board.fortresses):
        if s.fort_owner[i] == side and s.port_used[i] < board.capacity[i][side]:
            usable |= 1 << h
            if board.siege_ring[i] & enemies:
                ringed |= 1 << h
    goals = usable & ~enemies & (~s.nets[1 - side] | board.base_mask[side])  # as `landings` has it
    if not goals:
        return []
    points = s.bp[side]
    within = [cost is not None and cost <= points for cost in fares(board, side)]
    out = []
    for a in hexes_in(usable):
        sieges = ringed >> a & 1
        found = goals & ~ringed if within[sieges] else 0
        if within[sieges + 1]:
            found |= goals & ringed
        out.append((a, found & ~(1 << a)))
    return out


def voyages(s: State, a: Hex, side: int) -> Mask:
    """16.53 The ports a unit in port `a` can sail to with the points its side has."""
    return dict(sailings(s, side)).get(a, 0)


def harbours(s: State, side: int) -> Mask:
    """16.53 The ports from which units can move by sea."""
    found = 0
    if s.occ[side] & s.board.ports[side]:
        for a, goals in sailings(s, side):
            if goals:
                found |= 1 << a
    return found


def why_not_ship(s: State, u: int, side: int) -> Reason:
    """Why a unit may not move by sea at all."""
    reason = _why_not_leave(s, u, side)
    if reason is not None:
        return reason
    a = s.at[u]
    name = s.board.hex_name(a)
    if not s.board.ports[side] >> a & 1:
        return Reason("16.53a", f"{s.board.units[u]} is not in a port: {name} is none")
    if not ports(s, side) >> a & 1:
        return Reason("16.53a", f"the port of {name} is not yours")
    if ports_in_use(s, side) >> a & 1:
        return Reason("16.53f", f"the port of {name} has no capacity left in this Buildup")
    reasons = [_why_not_land(s, a, b, side) for b in hexes_of(s.board.ports[side] & ~(1 << a))]
    # The port that comes nearest to being possible gives the answer: too dear, besieged, anything else
    telling = ("16.53b", "16.53c", "16.53d", "16.53e")
    return min(reasons, key=lambda r: telling.index(r.rule) if r.rule in telling else len(telling))


def _why_not_land(s: State, a: Hex, b: Hex, side: int) -> Reason:
    """Why a unit in port `a` may not sail to hex `b`."""
    name = s.board.hex_name(b)
    if not s.board.ports[side] >> b & 1:
        return Reason("16.53a", f"{name} is not a port")
    if not ports(s, side) >> b & 1:
        return Reason("16.53a", f"the port of {name} is not yours")
    if s.occ[1 - side] >> b & 1:
        return Reason("16.51g", f"{name} is a battle hex: no unit may land there")
    if not landings(s, side) >> b & 1:
        return Reason("16.51f", f"{name} is in the enemy's supply network")
    if ports_in_use(s, side) >> b & 1:
        return Reason("16.53f", f"the port of {name} has no capacity left in this Buildup")
    cost = sea_cost(s, a, b, side)
    if cost is None:
        both = besieged(s, a, side) and besieged(s, b, side)
        why = "both ports are besieged" if both else "a port is besieged, which stops the Axis"
        return Reason("16.53e" if both else "16.53d", f"no sea movement to {name}: {why}")
    rule = "16.53c" if cost > COST else "16.53b"
    return Reason(rule, f"sea movement to {name} costs {cost}, you have {s.bp[side]}")


class Port(Frame[State, BlockAt]):
    """16.53 To which port a unit sails."""

    at = BlockAt

    def actor(self, s: State, f: BlockAt) -> int | None:
        return f.side

    def legal(self, s: State, f: BlockAt) -> list[Action]:
        return self.offer(s, f).listed()

    def offer(self, s: State, f: BlockAt) -> Rows:
        return Rows([(verbs.PORT, voyages(s, s.at[f.unit], f.side), NO_TAIL)])

    def take(self, s: State, f: BlockAt, action: Action) -> None:
        side, u, b = f.side, f.unit, action[1]
        a = s.at[u]
        cost = sea_cost(s, a, b, side)
        s.stack.pop()
        s.bp[side] -= cost or 0
        use_port(s, a)
        use_port(s, b)
        _move(s, u, b, "shipped", "16.53a")

    def prompt(self, s: State, f: BlockAt) -> Prompt:
        a = s.at[f.unit]
        prices = [(h, sea_cost(s, a, h, f.side)) for h in hexes_of(voyages(s, a, f.side))]
        text = ", ".join(f"{s.board.hex_name(h)} for {cost}" for h, cost in prices)
        rules = ("16.53a", "16.53b", "16.53f")
        return Prompt("Sea movement", f"{s.board.unit_names[f.unit]}: {text}", rules, "buildup")

    def why_not(self, s: State, f: BlockAt, action: Action) -> Reason | None:
        if action[0] != verbs.PORT:
            return None
        a = s.at[f.unit]
        if action[1] == a:
            return Reason("16.53a", f"{s.board.units[f.unit]} is in {s.board.hex_name(a)} already")
        return _why_not_land(s, a, action[1], f.side)


FRAMES: dict[int, Frame[State, Any]] = {F_REDEPLOY: Redeploy(), F_PORT: Port()}
