"""2.3, 6.3, 7 What a step costs, where a unit may go and how: chapter 7 without its decisions.

Movement is counted in half points (board.HALF). What the chart says is made ready once for each season
and kind of unit (`Kind`). What a unit can reach depends on its kind, allowance and hex (its spot), and on the
enemies and the enemy zones of control near it: where there are none, it is kept for good.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.bars import Bar, Bars
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import Memory, remembered
from sandtable.mechanics.offers import Offers
from sandtable.mechanics.paths.charts import Chart
from sandtable.mechanics.paths.legs import Leg, Mode

from ..table import verbs
from ..table.board import HALF, Board, Ground
from ..table.state import State, zone
from .chart import FOOT, MECH, MIXED, Kind, kind_of

KEPT, RECENT = 6000, 100  # reaches kept at most before the memory is cleared

Spot = tuple[int, int, int, int, int]
"""What a reach depends on besides the enemy: kind, how far (ALL to NONE), hex, MA, whether disrupted."""


class Tables:
    """What routes need of one season."""

    def __init__(self, board: Board, ground: Ground) -> None:
        self.kinds: list[Kind] = [Kind(board, ground, kind) for kind in range(MIXED + 1)]
        self.kind_of: list[int] = [kind_of(board, u) for u in range(len(board.units))]
        # where no enemy is near: all that matters to it, and the reach
        self.free: Memory[Spot, tuple[Mask, Reach]] = Memory(KEPT)
        # one hex and a road: by the enemies that matter to it
        self.close: Memory[tuple[Spot, Mask, Mask], Reach] = Memory(KEPT)
        # 7.5 where roads lead without enemies, and with enemies on them
        self.roads: Memory[tuple[Chart, Hex, int], Road] = Memory(KEPT)
        self.blocked_roads: Memory[tuple[tuple[Chart, Hex, int], Mask], Road] = Memory(KEPT)
        # near enemies: the last one by spot, to go by it
        self.recent: Memory[Spot, tuple[Mask, Mask, Reach]] = Memory(RECENT)
        self.within = board.grid.within
        self.go, self.rail = Offers(verbs.TO, board.size), Offers(verbs.RAIL, board.size)
        self.rail_exits: list[Mask] = [
            sum(1 << n for d, n in steps if board.rails[d] >> h & 1) for h, steps in enumerate(ground.steps)
        ]
        # by side: where a unit may have no hex to step into though no enemy is near
        dead_ends = sum(1 << h for h in board.grid.hexes if any(not kind.walk.exits[h] for kind in self.kinds))
        self.corners: list[Mask] = [
            dead_ends | sum(1 << h for h, near in enumerate(ground.around) if near & board.barred[side])
            for side in range(len(board.barred))
        ]
        limits = board.pack.tables["limits"]
        self.toll = int(limits["ezoc_exit_mp"])  # 6.3a
        self.extended = int(limits["extended_movement_bonus"])  # 7.21a
        self.assault = int(limits["assault_mp"]) * HALF  # 7.3d
        self.oos_hexes = int(limits["oos_max_hexes"])  # 14.4c
        self.bonus = int(board.pack.tables["artificial"]["road"]["strategic_bonus_hexes_non_mechanised"])  # 7.5c


def tables(s: State) -> Tables:
    return _tables(s.ground)


@remembered()
def _tables(ground: Ground) -> Tables:
    return Tables(ground.board, ground)


# One step, for whoever moves, retreats or advances


def exits(s: State, u: int, h: Hex) -> Mask:
    """The hexes that this unit could step into from here in some movement phase: terrain, hexside, closed entry hexes
    (4.1d). Enemies are not asked for. The armoured train keeps to its railway (15.6b), the flotilla to its ports.
    """
    board, t = s.board, tables(s)
    if board.special_movers >> u & 1:
        return t.rail_exits[h] & ~board.barred[board.side[u]] if u == board.train else 0
    return t.kinds[t.kind_of[u]].walk.exits[h] & ~board.barred[board.side[u]]


def unbridged_major(s: State, a: Hex, d: int) -> bool:
    """7.7b whether this step crosses a major river where there is no bridge (7.1i)."""
    return bool((s.ground.major_rivers[d] & ~s.ground.bridges[d]) >> a & 1)


def stops(s: State, u: int, a: Hex, d: int) -> bool:
    """7.6b, 7.8a, 7.8b whether this unit must stop after this step."""
    t = tables(s)
    return bool(t.kinds[t.kind_of[u]].walk.halts[d] >> a & 1)


# 7.1 to 7.5 Where a unit can go


class Mover(NamedTuple):
    """Who moves, for the bars."""

    unit: int
    side: int
    foe: int


class Moving(Protocol):
    """The same as a part of what a list needs to know."""

    @property
    def unit(self) -> int: ...

    @property
    def side(self) -> int: ...

    @property
    def foe(self) -> int: ...


CLOSED: Bars[State, Moving] = Bars(
    Bar("7.1d", "the enemy is in {hex}", lambda s, now: s.occ[now.foe]),
    Bar("4.1d", "{hex} is an entry hex of the enemy that nobody else enters", lambda s, now: s.board.barred[now.side]),
)
ENDS: Bars[State, Moving] = Bars(
    Bar(
        "11.5b",
        "{unit} is disrupted and may not end its move in {hex}, an enemy zone of control",
        lambda s, now: zone(s, now.foe) if s.disrupted >> now.unit & 1 else 0,
    ),
)
WALK: Mode[State, Moving] = Mode(0, "7.1b", CLOSED, ENDS)
FARTHER: Mode[State, Moving] = Mode(1, "7.21a", CLOSED, ENDS)  # nor does it end in an EZOC
ONE_HEX: Mode[State, Moving] = Mode(2, "7.4a", CLOSED, ENDS)
BY_ROAD: Mode[State, Moving] = Mode(3, "7.5b", CLOSED, ENDS)  # nor does it enter an EZOC


class Road:
    """7.5 strategic road movement: a leg along roads out of enemy ZOCs, and the hexes that additional steps add."""

    __slots__ = ("bonus", "half", "hexes", "leg")

    def __init__(self, leg: Leg, bonus: int, half: int) -> None:
        self.leg = leg
        self.half = half  # half points in a point of the leg
        self.bonus: list[Mask] = []  # 7.5c what each additional road hex adds
        found = front = leg.found.hexes
        for _ in range(bonus):
            front = leg.chart.around(front) & ~found & ~leg.closed
            self.bonus.append(front)
            found |= front
        self.hexes: Mask = found

    def path(self, h: Hex) -> list[Hex]:
        """The hexes entered."""
        found = self.leg.found
        for i in range(len(self.bonus) - 1, -1, -1):
            if self.bonus[i] >> h & 1:
                known = found.hexes if i == 0 else self.bonus[i - 1]
                before = hexes_in(self.leg.chart.exits[h] & known)
                best = min(before, key=lambda n: (found.cost(n), n))
                return [*self.path(best), h]
        return found.path(h)

    def cost(self, h: Hex) -> int:
        """Half points on the way there, -1 if the points alone do not pay for it."""
        return self.leg.found.cost(h) * self.half


class Reach:
    """Where one unit can go, by which of the rules, for how many half points, and how."""

    __slots__ = ("farther", "half", "hexes", "ma", "road", "to", "walk")

    def __init__(self, walk: Leg, farther: Leg | None, half: int, ma: int, hexes: Mask, road: Road | None) -> None:
        self.walk = walk
        self.farther = farther  # 7.21 extended movement
        self.half = half  # half points in a point of these legs
        self.ma = ma  # half points, without those of extended movement
        self.hexes = hexes  # all destinations; where the unit stands is none
        self.road = road
        self.to: list[Action] = []  # the actions that lead there, once somebody has asked for them

    def cost(self, h: Hex) -> int:
        """Half points spent on the way there, -1 if it is out of reach. Minimum movement costs the whole MA."""
        return self.way(h)[0]

    def path(self, h: Hex) -> list[Hex]:
        """The hexes entered, in order."""
        return self.way(h)[1]

    def way(self, h: Hex) -> tuple[int, list[Hex], str]:
        """Half points, the hexes entered, and the rule that lets the unit get there."""
        if not self.hexes >> h & 1:
            return -1, [], ""
        rule, way = WALK.rule, self.walk.to(h)
        if way is None and self.farther is not None:
            rule, way = FARTHER.rule, self.farther.to(h)
        road = self.road
        # 7.5b only mechanised units, who have no bonus, go faster by road than they would anyway
        if road is not None and (way is None or not road.bonus) and road.hexes >> h & 1:
            spent = road.cost(h)
            if spent < 0 and way is None:  # 7.5c the additional hex comes on top of what the MPs pay
                path = road.path(h)
                return road.cost(path[-2]) if len(path) > 1 else 0, path, "7.5c"
            if spent >= 0 and (way is None or spent < way.cost * self.half):
                return spent, road.path(h), BY_ROAD.rule
        return (self.ma, [h], ONE_HEX.rule) if way is None else (way.cost * self.half, way.path, rule)

    def running(self, path: list[Hex], rule: str) -> list[int]:
        """The half points spent at each hex of a way that leads to its last hex by this rule."""
        if rule == ONE_HEX.rule:
            return [self.ma]
        if self.road is not None and rule in (BY_ROAD.rule, "7.5c"):
            costs = [self.road.cost(x) for x in path]
            return [cost if cost >= 0 else costs[max(i - 1, 0)] for i, cost in enumerate(costs)]
        return [points * self.half for points in self.walk.running(path)]

    def within(self, half_points: int) -> Mask:
        """What ordinary movement reaches for so many half points, the start included."""
        return self.walk.found.within(half_points // self.half) if half_points >= 0 else 0


ALL, SHORT, PACE, STEP, LIMP, NONE = range(6)
"""How far a unit may go: with extended movement (7.21), by its MA alone (7.3a), one hex and the road (7.3b, 7.5c),
one hex (17.2i), two hexes (14.4c), not at all (7.1g)."""


def reachable(s: State, u: int, second: int) -> Reach:
    """7.2 to 7.5, 14.4c, 17.2i: every hex in which this unit could end an ordinary move in this phase.

    Units with movement of their own (15.3, 15.6, 15.9) and rail and sea movement are in rails.py.
    """
    board, t = s.board, tables(s)
    b, side, h = 1 << u, board.side[u], s.at[u]
    ma = board.ma[u][s.step[u]]
    if not ma:
        how = NONE
    elif (s.oos | s.rebuilt) & b:  # A17
        how = STEP if s.rebuilt & b or (second and board.foot & b) else LIMP
    else:
        how = ALL if not second else PACE if board.foot & b else SHORT
    foe = 1 - side
    spot = (t.kind_of[u], how, h, ma, s.disrupted >> u & 1)
    return _kept(t, spot, CLOSED.held(s, tuple.__new__(Mover, (u, side, foe))), zone(s, foe))


def _kept(t: Tables, spot: Spot, closed: Mask, ezoc: Mask) -> Reach:
    """A reach that has been worked out before, or one that is worked out now.

    Enemies make a reach smaller, never larger, so those outside the hexes that could be reached without any do not
    matter. Near enemies the same reach hardly ever comes twice, unless it is one of a hex or two.
    """
    last = t.recent.get(spot)
    if last is not None and last[0] == closed and last[1] == ezoc:
        return last[2]
    free = t.free.get(spot)
    if free is not None and not (closed | ezoc) & free[0]:
        return free[1]
    kind, how, h, ma, _ = spot
    if how > SHORT:
        near = t.within(h, t.oos_hexes + t.bonus)
        key = (spot, closed & near, ezoc & near)
        return t.close.get(key) or t.close.keep(key, _reach(t, spot, closed & near, ezoc & near))
    found = _reach(t, spot, closed, ezoc)
    t.recent.keep(spot, (closed, ezoc, found))
    if free is None and not ezoc >> h & 1:
        around = t.within(h, (ma + t.extended) * t.kinds[kind].pace + t.bonus)
        if not (closed | ezoc) & around:
            t.free.keep(spot, (found.hexes | found.walk.found.hexes, found))
    return found


def _reach(t: Tables, spot: Spot, closed: Mask, ezoc: Mask) -> Reach:
    """7.1 to 7.5 the legs of one unit and where they lead."""
    number, how, h, ma, disrupted = spot
    kind = t.kinds[number]
    ends = ezoc if disrupted else 0  # 11.5b
    if how == NONE:  # 7.1g
        return Reach(Leg(WALK.number, kind.walk, h, 0), None, HALF, 0, 0, None)
    road: Road | None = None
    farther: Leg | None = None
    by_road = bool(kind.road_hexes & ~ezoc & 1 << h)  # A16
    if how > SHORT:
        half = HALF
        walk = Leg(WALK.number, kind.walk.by_hexes(), h, t.oos_hexes if how == LIMP else 1, closed, ends)
        hexes = walk.everywhere()
        if how == PACE and by_road:  # 7.5c
            road = _road(t, kind.road.by_hexes(), h, 1, closed | ezoc, t.bonus, HALF)
    else:
        half = kind.half
        scale = HALF // half
        tolls = ((t.toll * scale, ezoc),)  # 6.3a
        if how == ALL:  # 7.21a who ends in EZOC has only his MA
            farther = Leg(FARTHER.number, kind.walk, h, (ma + t.extended) * scale, closed, ezoc, 0, tolls)
            walk = farther.shorter(WALK.number, ma * scale, ends)
            hexes = farther.everywhere()
            if ezoc & ~ends & farther.found.hexes:
                hexes |= walk.everywhere()
        else:
            walk = Leg(WALK.number, kind.walk, h, ma * scale, closed, ends, 0, tolls)
            hexes = walk.everywhere()
        hexes |= kind.walk.exits[h] & ~(closed | ends)  # 7.4a
        if by_road:  # 7.5
            bonus = 0 if number == MECH else t.bonus
            road = _road(t, kind.road, h, (ma + (t.extended if farther else 0)) * HALF, closed | ezoc, bonus, 1)
    if road is not None:
        hexes |= road.hexes & ~(1 << h)
    return Reach(walk, farther, half, ma * HALF, hexes, road)


def _road(t: Tables, chart: Chart, h: Hex, points: int, closed: Mask, bonus: int, half: int) -> Road:
    """7.5 a strategic leg: on roads alone, into no EZOC. Kept by the enemies on those roads: others do not matter."""
    spot = (chart, h, points)
    free = t.roads.get(spot) or t.roads.keep(spot, Road(Leg(BY_ROAD.number, chart, h, points), bonus, half))
    closed &= free.hexes
    if not closed:
        return free
    key = (spot, closed)
    return t.blocked_roads.get(key) or t.blocked_roads.keep(
        key, Road(Leg(BY_ROAD.number, chart, h, points, closed), bonus, half)
    )


def strolls(s: State, u: int, points: int) -> Mask:
    """Where ordinary movement alone leads for so many whole MPs, the start included: for those who need no more."""
    board, t = s.board, tables(s)
    side = board.side[u]
    return _ordinary(s, t.kinds[t.kind_of[u]].walk, Mover(u, side, enemy(side)), points).found.hexes


def _ordinary(s: State, chart: Chart, who: Mover, points: int, setting_out: bool = True) -> Leg:
    """7.1 a leg of ordinary movement."""
    t, ezoc = tables(s), zone(s, who.foe)
    closed, ends = WALK.closed.held(s, who), WALK.ends.held(s, who)
    return Leg(WALK.number, chart, s.at[who.unit], points, closed, ends, 0, ((t.toll, ezoc),), (), setting_out)


# 13.1 A stack that moves together


def stack_kind(s: State, units: int) -> int:
    """7.1c how a stack of mechanised units and cavalry moves."""
    if not units & ~s.board.mech:
        return MECH
    return MIXED if units & s.board.mech else FOOT


def stack_leg(s: State, units: int, points: int, setting_out: bool) -> Leg:
    """7.1c, 13.1c where a stack can go for so many whole MPs; only one that sets out crosses a major river (7.7b)."""
    disrupted = units & s.disrupted
    u = units_of(disrupted or units)[0]  # 11.5b one disrupted unit keeps all of it out of EZOC
    side = s.board.side[u]
    return _ordinary(s, tables(s).kinds[stack_kind(s, units)].walk, Mover(u, side, enemy(side)), points, setting_out)


def beside(s: State, side: int) -> Mask:
    """The hexes from which a hex with units of this side could be attacked (A11), 4.1d entry hexes left out."""
    return _beside(s.ground, s.occ[side] & ~s.board.special_entries[side])


@remembered(1_000)
def _beside(ground: Ground, targets: Mask) -> Mask:
    step, found = ground.board.grid.step, 0
    for d in range(6):
        found |= step(targets & ground.open[d], d)
    return found
