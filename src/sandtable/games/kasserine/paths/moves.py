"""6 What a unit's move may do: what is closed to it, what costs more, where it must stop or may not end."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from sandtable.engine.hexes import Hex, Mask, hexes_of, mask_of
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.paths.charts import GO, HALTS, Chart, Tolls, due
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.paths.waves import Waves

from ..supply.lines import supplied
from ..table.charts import Charts
from ..table.ground import HALF, Ground
from ..table.ids import MOTORIZED, ROAD_BOUND
from ..table.ratings import allowance, mover
from ..table.script import Ban, Script, script
from ..table.state import State
from ..table.zones import zone


def bans(s: State, kind: str, u: int) -> list[Ban]:
    """15 the special rules of this kind that bind a unit now."""
    return [ban for ban in in_force(s, kind) if ban.units >> u & 1]


def in_force(s: State, kind: str) -> tuple[Ban, ...]:
    """The special rules of this kind that hold now."""
    return _in_force(script(s), kind, s.turn, s.phase, s.command_free)


@remembered()
def _in_force(play: Script, kind: str, turn: int, phase: int, command_free: int) -> tuple[Ban, ...]:
    return tuple(
        ban
        for ban in play.bans_of.get(kind, ())
        if ban.first <= turn <= ban.last
        and (turn < ban.last or phase <= ban.last_phase)
        and (not ban.phases or phase in ban.phases)
        and not (command_free and ban.rule == play.command_ban)  # 16.3
    )


def off_limits(s: State, u: int) -> Mask:
    """15.05, 15.13d, 15.13e, 15.33b the hexes that a scenario keeps a unit out of."""
    return _off_limits(script(s), s.turn, s.phase, s.command_free, 1 << u)


@remembered()
def _off_limits(play: Script, turn: int, phase: int, command_free: int, units: int) -> Mask:
    found = play.outside
    for ban in _in_force(play, "may_not_enter", turn, phase, command_free):
        if ban.units & units:
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


def held_units(s: State) -> int:
    """The units that such a rule may hold: those that stand in its hexes."""
    found = 0
    for kind in ("may_not_move", "may_not_leave"):
        for ban in in_force(s, kind):
            for h in hexes_of(ban.hexes & (s.occ[0] | s.occ[1])):
                found |= s.here[h] & ban.units
    return found


def tolls(s: State, side: int, in_zone: bool = True) -> Tolls:
    """6.21a, 11.12a, 11.32a what it costs more to enter a hex: an EZOC, an enemy strongpoint, an enemy minefield."""
    other = enemy(side)
    return _tolls(s.board.charts, zone(s, other) if in_zone else 0, s.strongpoints[other], s.mines[other])


@remembered()
def _tolls(charts: Charts, ezoc: Mask, strongpoints: Mask, mines: Mask) -> Tolls:
    constants = charts.constants
    sums: dict[int, Mask] = {0: -1}
    for price, mask in (
        (constants["ezoc_entry_mp"] * HALF, ezoc),
        (constants["strongpoint_entry_mp"] * HALF, strongpoints),
        (constants["enemy_minefield_entry_mp"] * HALF, mines),
    ):
        if mask:
            more: dict[int, Mask] = {}
            for total, hexes in sums.items():
                for extra, part in ((total, hexes & ~mask), (total + price, hexes & mask)):
                    if part:
                        more[extra] = more.get(extra, 0) | part
            sums = more
    return tuple((total, hexes) for total, hexes in sorted(sums.items()) if total)


def chart(s: State, kind: int) -> Chart:
    """6.3 what every step of the map costs one kind of mover in this weather, worked out once."""
    return _chart(s.ground, kind)


@remembered()
def _chart(ground: Ground, kind: int) -> Chart:
    def price(h: Hex, d: int, n: Hex) -> tuple[int, int]:
        cost, stops = ground.step(kind, h, d, n)
        return cost, HALTS if stops else GO

    found = Chart(ground.terrain.grid, price)
    found.waves = Waves(found)
    return found


@remembered()
def cheapest_step(ground: Ground, kind: int, h: Hex) -> int:
    """The half points of the cheapest step into a hex; 0 if there is none."""
    return min((price for _, _, price, _ in _chart(ground, kind).ways[h]), default=0)


def move_leg(s: State, u: int, points: int | None = None, start: Hex = -1, fresh: bool = True) -> Leg:
    """6.1-6.2 one move in a movement phase, with so many half points: its whole MA, if not fewer.

    Once it has spent something (not `fresh`) it has no minimum move (6.13).
    """
    return stack_leg(s, 1 << u, mover(s, u), allowance(s, u) if points is None else points, start, fresh)


def stack_leg(s: State, units: int, kind: int, points: int, start: Hex = -1, fresh: bool = True) -> Leg:
    """The same for units that move together: what is closed to one is closed to all (6.02)."""
    board = s.board
    first = units_of(units)[0]
    side = board.side[first]
    other = enemy(side)
    start = s.at[first] if start < 0 else start
    points = max(points, 0)
    closed = closed_to(s, side, units)
    stop = s.mines[other] if units & board.motorized else 0  # 11.32c
    chain = 0 if units & (board.red | board.leaders) else zone(s, other)  # 6.22
    least = 0
    if fresh and points:
        least = s.ground.exits[kind][start] | (s.ground.escapes(start) if kind in (MOTORIZED, ROAD_BOUND) else 0)
    entering = tolls(s, side, in_zone=not units & board.leaders)
    return Leg(0, chart(s, kind), start, points, closed, 0, stop, (), entering, chain=chain, least=least & ~closed)


def closed_to(s: State, side: int, units: int) -> Mask:
    """What units that move together may not enter."""
    other = enemy(side)
    found = s.occ[other] | _off_limits(script(s), s.turn, s.phase, s.command_free, units)  # 6.14a
    if units & s.board.leaders:  # 6.23
        found |= zone(s, other) & ~s.occ[side]
    return found


def step_away(s: State, u: int) -> Mask:
    """6.13 where a unit's minimum move may lead."""
    side = s.board.side[u]
    around: Mask = s.ground.exits[mover(s, u)][s.at[u]] & ~closed_to(s, side, 1 << u)
    return around and around & ends(s, u)


def ends(s: State, u: int) -> Mask:
    """6.15a, 6.16 where a unit may end its move: most may not leave the reach of supply of their own will."""
    return stack_ends(s, 1 << u)


def stack_ends(s: State, units: int) -> Mask:
    """The same for units that move together: what they leave behind keeps no EZOC open any more (5.25)."""
    board = s.board
    if not units & ~(board.roamers | s.oos):
        return board.grid.all
    first = units_of(units)[0]
    side, h = board.side[first], s.at[first]
    friends = s.fighting[side]
    if h >= 0 and board.combat & units and not s.here[h] & board.combat & ~units:
        friends &= ~(1 << h)
    return supplied(s, side, friends)


def ways_on(leg: Leg, ends: Mask, overruns: Mapping[Hex, int]) -> Mask:
    """6.16 the hexes out of the reach of supply that a move may pass through: from each it can still get to one where
    it may end, or make one of these overruns (by hex from which: the half points)."""
    found, chart, start, ends = leg.found, leg.chart, 1 << leg.start, ends & ~leg.closed
    outside = leg.everywhere() & ~(ends | leg.stop)
    if not outside:
        return 0
    on: dict[Hex, int] = {}  # half points from a hex to the next end
    queue = []
    for h in hexes_of((outside | start) & (chart.grid.beside(ends) | mask_of(overruns))):
        prices = [price + due(leg.entering, n) for n, _, price, _ in chart.steps[h] if ends >> n & 1]
        least = min([*prices, overruns.get(h, leg.points + 1)])
        if least <= leg.points:
            queue.append((least, h))
    heapify(queue)
    while queue:
        spent, h = heappop(queue)
        if h not in on:
            on[h] = spent
            toll = due(leg.entering, h)
            for n, _, price, flags in chart.ways[h]:
                further = spent + price + toll
                if (outside | start) >> n & 1 and n not in on and not flags & HALTS and further <= leg.points:
                    heappush(queue, (further, n))
    passed = [h for h, spent in on.items() if outside >> h & 1 and 0 <= found.cost(h) <= leg.points - spent]
    return mask_of(h for h in passed if not found.halts(h))


def reaction_leg(s: State, u: int) -> Leg:
    """7.31, 7.33 half the MA; no surcharge for EZOCs but a stop; next to the enemy only where friends stand."""
    board = s.board
    side = board.side[u]
    other = enemy(side)
    near = board.grid.around(s.occ[other]) & ~s.occ[side]  # 7.33a
    closed = s.occ[other] | near | off_limits(s, u)
    stop = zone(s, other) | s.mines[other]
    points = allowance(s, u) // 2
    return Leg(1, chart(s, mover(s, u)), s.at[u], points, closed, 0, stop, (), tolls(s, side, in_zone=False))


def enterable(s: State, u: int, h: Hex, n: Hex) -> bool:
    """7.15, 8.25a, 8.81b whether a unit could step from one hex into the next at all."""
    return bool(s.ground.exits[mover(s, u)][h] >> n & 1)
