"""16.51 Redeployment by land, 16.52 return for refit, 16.53 sea movement.

All of it happens inside the network that was fixed at the start of the Buildup (16.2a), which is
`State.nets`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import hexes_in
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Pairs, Phase

from ..paths.reach import redeploy_reach
from ..supply.fortresses import besieged
from ..supply.supply import units_in_hexes
from ..table import verbs
from ..table.board import Board
from ..table.ids import F_PORT, F_REDEPLOY, NO_DIR, REFIT
from ..table.scenarios import Menu
from ..table.state import State, emit, firm_in, put
from ..table.steps import BlockAt, SideAt

COST = 1  # 16.51b


class Spender(NamedTuple):
    """16.5 Who spends, how many points he has, and what this Buildup lets him do."""

    side: int
    points: int
    menu: Menu


# 16.51 Redeployment


def open_ground(s: State, side: int) -> Mask:
    """16.51e to 16.51g The hexes a redeploying unit of this side may enter.

    Its own network without the part that overlaps the enemy's (16.51f); A41: its base always.
    Never a hex with enemies in it: that is a battle hex, or would become one.
    """
    ground = s.nets[side] & ~s.nets[1 - side] | s.board.base_mask[side]
    return ground & ~s.occ[1 - side]


def held_in_battle(s: State, side: int) -> Mask:
    """11.1g, 16.51h The hexes that no unit of this side may leave.

    From a battle hex one goes only if an undisrupted friend stays: were the rest disrupted it would rout
    at once (11.11a), and leaving by redeployment carries no penalty (16.51h).
    """
    hexes = 0
    for h in hexes_in(s.firm[side] & s.occ[1 - side]):
        if firm_in(s, h, side).bit_count() < 2:
            hexes |= 1 << h
    return hexes


def redeployable(s: State, side: int) -> Mask:
    """16.51 The hexes from which one movement could take a unit somewhere."""
    return beside(s.board, open_ground(s, side)) & s.nets[side]


@remembered(1024)
def beside(board: Board, ground: Mask) -> Mask:
    """The hexes from which one step leads into some ground, or out of it: every hexside is open both ways."""
    hexes = 0
    for d in range(6):
        hexes |= board.grid.step(ground & board.open[d], d)
    return hexes


# Who may leave his hex by any of the ways of this chapter


LEAVING: Bars[State, Spender] = Bars(
    Need("16.51a", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Need(
        "16.51a",
        lambda s, now, u: (
            Reason("16.52b", Text("{unit} is in refit for a month", unit=u))
            if s.at[u] == REFIT
            else Text("{unit} is not on the map", unit=u)
        ),
        lambda s, now: s.placed,
    ),
    Bar("11.1g", "{unit} is disrupted: it can neither redeploy nor return to base", lambda s, now: s.disrupted),
    Bar(
        "16.51h",
        lambda s, now, u: Text("an undisrupted friend must stay in the battle in {hex}", hex=s.at[u]),
        lambda s, now: units_in_hexes(s, now.side, held_in_battle(s, now.side)),
    ),
)

REDEPLOYING: Bars[State, Spender] = Bars(
    Bar("16.51b", "you have no points left", lambda s, now: ALL if now.points < COST else 0),
    LEAVING,
    Need(
        "16.51f",
        lambda s, now, u: (
            Text("around {unit} your network ends, is in battle or overlaps", unit=u)
            if s.nets[now.side] >> s.at[u] & 1
            else Reason("16.51e", Text("{unit} is not in your supply network", unit=u))
        ),
        lambda s, now: units_in_hexes(s, now.side, redeployable(s, now.side)),
    ),
)


def reach(s: State, u: int, side: int) -> Mask:
    """16.51b, 16.51c Two hexes and the road bonus, whatever the unit's speed, without Rommel's."""
    return redeploy_reach(s, u, side, open_ground(s, side)) & ~(1 << s.at[u])


def in_hex_already(s: State, now: Redeployed, h: Hex) -> Text:
    return Text("{unit} is in {hex} already", unit=now.unit, hex=h)


class Redeployed(NamedTuple):
    """A unit on its redeployment movement."""

    side: int
    unit: int


ENTERED: Bars[State, Redeployed] = Bars(
    Bar("16.51b", in_hex_already, lambda s, now: 1 << s.at[now.unit]),
    Bar(
        "16.51g",
        "{hex} is a battle hex: it may not be entered by redeployment",
        lambda s, now: s.occ[0] & s.occ[1],
    ),
    Bar(
        "16.51g",
        "enemies are in {hex}: a redeploying unit may not start a battle",
        lambda s, now: s.occ[1 - now.side],
    ),
    Need(
        "16.51e", "{hex} is not in your supply network", lambda s, now: s.nets[now.side] | s.board.base_mask[now.side]
    ),
    Need("16.51f", "{hex} is in the enemy's supply network too", lambda s, now: open_ground(s, now.side)),
    Need("16.51b", "{hex} is farther than 2 hexes and the road bonus", lambda s, now: reach(s, now.unit, now.side)),
)

THROUGH_NO_SIDE: Bars[State, Redeployed] = Bars(
    Need("16.51g", "a redeploying unit engages nobody: write '-' for the hexside", lambda s, now: 1 << NO_DIR)
)
"""16.51g The hex is entered through no side in particular, as nobody is engaged."""


def redeploy(s: State, f: BlockAt, h: Hex, via: int) -> None:
    s.stack.pop()
    s.bp[f.side] -= COST
    _move(s, f.unit, h, "redeployed", "16.51b")


class Redeploy(Phase[State, BlockAt, Redeployed]):
    """16.51b Where one redeployment movement takes a unit."""

    at = BlockAt
    does = (Pairs(verbs.TO, first=ENTERED, second=THROUGH_NO_SIDE, take=redeploy),)

    def actor(self, s: State, f: BlockAt) -> int | None:
        return f.side

    def now(self, s: State, f: BlockAt) -> Redeployed:
        return Redeployed(f.side, f.unit)

    def prompt(self, s: State, f: BlockAt) -> Prompt:
        text = Text("{unit}: two hexes and the road bonus for 1 point, inside your network", unit=f.unit)
        return Prompt("Redeploy", text, ("16.51b", "16.51e", "16.51f"), "buildup")


def _move(s: State, u: int, h: Hex, kind: str, rule: str) -> None:
    """A hidden block moves in sight of both; it may then not return for refit in this Buildup (16.52a)."""
    data = {"from": s.at[u], "to": h, "side": s.board.side[u]}
    put(s, u, h)
    s.moved |= 1 << u
    emit(s, kind, rule, data, s.board.side[u], {"unit": u})


# 16.52 Return to base for refit


@remembered(1024)
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


REFITTING: Bars[State, Spender] = Bars(
    LEAVING,
    Bar("16.52a", "{unit} is at the base already", lambda s, now: s.here[s.board.base[now.side]]),
    Bar("16.52a", "{unit} has redeployed; a unit returns for refit instead of that", lambda s, now: s.moved),
    Bar(
        "16.52c",
        "your base is a battle hex: no unit can return to it",
        lambda s, now: ALL if s.occ[1 - now.side] & s.board.base_mask[now.side] else 0,
    ),
    Need(
        "16.52c",
        "{unit} has no overland route to the base inside your network",
        lambda s, now: units_in_hexes(s, now.side, overland(s, now.side)),
    ),
)


def send_to_refit(s: State, f: SideAt, u: int) -> None:
    """16.52d It is laid face down beside the base, for one whole month."""
    h = s.at[u]
    put(s, u, REFIT)
    s.moved |= 1 << u
    emit(s, "refit", "16.52a", {"from": h, "side": f.side}, f.side, {"unit": u})


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


def sea_cost(s: State, a: Hex, b: Hex, side: int) -> int | None:
    """16.53b to 16.53e The cost of a unit from port to port, None if it is not allowed."""
    return s.board.fares[side][besieged(s, a, side) + besieged(s, b, side)]  # 13.5b; A26: a base never is


class Voyage(NamedTuple):
    """A unit that would sail from a port."""

    side: int
    start: Hex
    unit: int


def besieged_ports(s: State, side: int) -> Mask:
    """13.5a, A18 The fortresses beside or in which enemies of a side stand; A26: a base never is one."""
    found = 0
    for h, ring in zip(s.board.fortresses, s.board.siege_ring, strict=True):
        if ring & s.occ[1 - side]:
            found |= 1 << h
    return found


def paid_for(s: State, side: int, start: Hex, sieges: Mask) -> Mask:
    """16.53b to 16.53e The ports to which the points of a side pay for a voyage from this one."""
    free, dear = s.board.fares[side][sieges >> start & 1 :][:2]
    points, found = s.bp[side], 0
    if free is not None and free <= points:
        found = s.board.ports[side] & ~sieges
    return found | sieges if dear is not None and dear <= points else found


def within_means(s: State, now: Voyage) -> Mask:
    return paid_for(s, now.side, now.start, besieged_ports(s, now.side))


def why_too_dear(s: State, now: Voyage, b: Hex) -> Reason:
    """16.53b to 16.53e What a voyage would cost, or why it cannot be had for any price."""
    cost = sea_cost(s, now.start, b, now.side)
    if cost is not None:
        rule = "16.53c" if cost > COST else "16.53b"
        return Reason(
            rule, Text("sea movement to {hex} costs {cost}, you have {points}", hex=b, cost=cost, points=s.bp[now.side])
        )
    if besieged(s, now.start, now.side) and besieged(s, b, now.side):
        return Reason("16.53e", Text("no sea movement to {hex}: both ports are besieged", hex=b))
    return Reason("16.53d", Text("no sea movement to {hex}: a port is besieged, which stops the Axis", hex=b))


OPEN_PORTS: Bars[State, int] = Bars(
    Need("16.53a", "{hex} is not a port", lambda s, side: s.board.ports[side]),
    Need("16.53a", "the port of {hex} is not yours", ports),
    # A27: a friendly port counts as part of the network, so that the enemy's keeps units out of it as on land
    Bar("16.51g", "{hex} is a battle hex: no unit may land there", lambda s, side: s.occ[1 - side]),
    Bar(
        "16.51f",
        "{hex} is in the enemy's supply network",
        lambda s, side: s.nets[1 - side] & ~s.board.base_mask[side],
    ),
    Bar("16.53f", "the port of {hex} has no capacity left in this Buildup", ports_in_use),
)
"""A27 Where a unit of a side may land, whatever that costs."""

LANDING: Bars[State, Voyage] = Bars(
    Bar(
        "16.53a",
        lambda s, now, b: Text("{unit} is in {hex} already", unit=now.unit, hex=b),
        lambda s, now: 1 << now.start,
    ),
    OPEN_PORTS.asked_of(lambda now: now.side),
    Need("16.53b", why_too_dear, within_means),
)


SAILING: Bars[State, int] = Bars(
    Need("16.53a", "{unit} is not in a port: {hex} is none", lambda s, side: s.board.ports[side]),
    Need("16.53a", "the port of {hex} is not yours", ports),
    Bar("16.53f", "the port of {hex} has no capacity left in this Buildup", ports_in_use),
)
"""16.53 Where a unit can embark."""


def harbours(s: State, side: int) -> Mask:
    """16.53 The ports from which units can move by sea."""
    found, goals = 0, OPEN_PORTS.free(s.board.ports[side], s, side)
    if goals:
        sieges = besieged_ports(s, side)
        for a in hexes_in(SAILING.free(s.firm[side], s, side)):
            if goals & ~(1 << a) & paid_for(s, side, a, sieges):
                found |= 1 << a
    return found


def why_no_voyage(s: State, now: Spender, u: int) -> Reason:
    """Its own port; or the port that comes nearest to being possible: too dear, besieged, anything else."""
    a = s.at[u]
    reason = SAILING.why(a, s, now.side, {"unit": u, "hex": a})
    if reason is not None:
        return reason
    voyage = Voyage(now.side, a, u)
    reasons = [LANDING.why(b, s, voyage, {"hex": b}) for b in hexes_of(s.board.ports[now.side] & ~(1 << a))]
    telling = ("16.53b", "16.53c", "16.53d", "16.53e")
    return min(
        [one for one in reasons if one is not None],
        key=lambda one: telling.index(one.rule) if one.rule in telling else len(telling),
    )


SHIPPING: Bars[State, Spender] = Bars(
    Bar("16.53b", "you have no points left", lambda s, now: ALL if now.points < COST else 0),
    LEAVING,
    Need("16.53b", why_no_voyage, lambda s, now: units_in_hexes(s, now.side, harbours(s, now.side))),
)


def sail(s: State, f: BlockAt, b: Hex) -> None:
    a = s.at[f.unit]
    cost = sea_cost(s, a, b, f.side)
    s.stack.pop()
    s.bp[f.side] -= cost or 0
    use_port(s, a)
    use_port(s, b)
    _move(s, f.unit, b, "shipped", "16.53a")


class Port(Phase[State, BlockAt, Voyage]):
    """16.53 To which port a unit sails."""

    at = BlockAt
    does = (Each(verbs.PORT, bars=LANDING, take=sail),)

    def actor(self, s: State, f: BlockAt) -> int | None:
        return f.side

    def now(self, s: State, f: BlockAt) -> Voyage:
        return Voyage(f.side, s.at[f.unit], f.unit)

    def prompt(self, s: State, f: BlockAt) -> Prompt:
        a = s.at[f.unit]
        prices = tuple(
            Text("{hex} for {cost}", hex=h, cost=sea_cost(s, a, h, f.side))
            for h in hexes_of(LANDING.free(s.board.ports[f.side], s, self.now(s, f)))
        )
        text = Text("{unit}: {prices}", unit=f.unit, prices=prices)
        return Prompt("Sea movement", text, ("16.53a", "16.53b", "16.53f"), "buildup")


FRAMES: dict[int, Frame[State, Any]] = {F_REDEPLOY: Redeploy(), F_PORT: Port()}
