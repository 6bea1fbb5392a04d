"""2.3, 6.3, 7 What a step costs, where a unit may go and how: chapter 7 without its decisions.

Movement is counted in half points (board.HALF). What the chart says is made ready once for each season
and kind of unit (`Kind`). What a unit can reach depends on its kind, allowance and hex (its spot), and on the
enemies and the enemy zones of control near it: where there are none, it is kept for good.
"""

from __future__ import annotations

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.marching import FIRST, GO, HALTS, March, Rates, march
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.offers import Offers

from ..table.board import HALF, Board, Ground
from ..table.ids import V_ASSAULT, V_MOVE, V_RAID, V_RAIL, V_REMOVE, V_TO
from ..table.state import State, zone

KEPT, RECENT = 6000, 100  # reaches kept at most before the memory is cleared

Spot = tuple[int, int, int, int, int]
"""What a reach depends on besides the enemy: kind, how far (ALL to NONE), hex, MA, whether disrupted."""

# 2.22, 7.6, 7.8, 15.5, 15.8: the ways in which units move
MECH, FOOT, MOUNTAIN, BICYCLE, MIXED = range(5)  # FOOT: cavalry too; MIXED: mechanised and cavalry in one stack


# 2.3, 7.6 to 7.8 The terrain effects chart


class Kind:
    """One way of moving on the map of one season: ordinary rates, and the road alone (7.5)."""

    __slots__ = ("half", "pace", "road", "road_hexes", "walk")

    def __init__(self, board: Board, ground: Ground, kind: int) -> None:
        chart = Chart(board, ground)
        self.half = 1 if kind == BICYCLE else HALF  # how many half points a point of `walk` is
        self.pace = 2 if kind in (MECH, BICYCLE) else 1  # hexes that a unit may come along a road for one MP
        if kind == MIXED:  # 7.1c a stack moves at the rate of its slowest unit
            self.walk = Rates(board.grid, chart.mixed)
        else:
            self.walk = Rates(board.grid, lambda h, d, n: chart.step(kind, h, d, n))
        self.road = Rates(board.grid, lambda h, d, n: chart.road_step(kind, h, d, n))
        self.road_hexes: Mask = sum(1 << h for h, to in enumerate(self.road.exits) if to)


class Chart:
    """2.3 the terrain effects chart, read step by step while the rates are made."""

    def __init__(self, board: Board, ground: Ground) -> None:
        tables = board.pack.tables
        self.ground = ground
        special = board.special_entries[0] | board.special_entries[1]
        self.natural = [
            # 4.1d entry hexes A to E are treated as clear terrain
            "clear" if special >> h & 1 else ground.terrain_at(h)
            for h in range(board.size)
        ]
        self.terrain: dict[str, list[int]] = {name: row["mp"] for name, row in tables["terrain"].items()}
        road = tables["artificial"]["road"]
        self.road_rate = {
            MECH: road["mp_mechanised"],
            FOOT: road["mp_non_mechanised"],
            MOUNTAIN: road["mp_non_mechanised"],
            BICYCLE: road["mp_bicycle_regiment"],  # 15.8
        }
        self.strategic = {**self.road_rate, MECH: road["mp_strategic_mechanised"]}  # 7.5b
        self.river = int(tables["hexside"]["river_minor"]["mp_unbridged"])
        self.major = int(tables["hexside"]["river_major"]["mp_unbridged"])
        self.mountain_pass = int(tables["hexside"]["pass"]["mp"])

    def step(self, kind: int, h: Hex, d: int, n: Hex) -> tuple[int, int]:
        """7.1b what one step costs in points of this kind, and whether it stops the unit or must be its first."""
        ground, scale = self.ground, HALF if kind == BICYCLE else 1
        if not ground.open[d] >> h & 1:  # 6.4, 7.8d, 2.32b
            return -1, GO
        extra = self.mountain_pass if ground.passes[d] >> h & 1 else 0
        if ground.roads[d] >> h & 1:  # 7.1h
            return round(scale * (self.road_rate[kind] + extra)), GO
        terrain = self.natural[n]
        points = self.terrain[terrain][0 if kind == MECH else 1]
        if points < 0:  # 7.6a
            return -1, GO
        flags = GO
        if (
            (terrain == "forest" and kind == MECH)  # 7.6b
            or (terrain == "marsh" and kind != MECH)  # 7.8a
            or (terrain == "mountain" and kind not in (MECH, MOUNTAIN))  # 7.8b, 15.5a
        ):
            flags = HALTS
        if not ground.bridges[d] >> h & 1:
            if ground.major_rivers[d] >> h & 1:  # 7.7b, 7.7c
                return scale * (points + self.major + extra), flags | FIRST
            if ground.minor_rivers[d] >> h & 1:  # 7.7a
                extra += self.river
        return scale * (points + extra), flags

    def mixed(self, h: Hex, d: int, n: Hex) -> tuple[int, int]:
        """7.1c mechanised units and cavalry together."""
        (a, stops), (b, halts) = self.step(MECH, h, d, n), self.step(FOOT, h, d, n)
        return (-1 if a < 0 or b < 0 else max(a, b)), stops | halts

    def road_step(self, kind: int, h: Hex, d: int, n: Hex) -> tuple[int, int]:
        """7.5b, 7.5e in half points: a step along a road in strategic movement, with the +1 of a pass."""
        if kind == MIXED or not self.ground.roads[d] >> h & 1:
            return -1, GO
        extra = self.mountain_pass if self.ground.passes[d] >> h & 1 else 0
        return round(HALF * (self.strategic[kind] + extra)), GO


class Tables:
    """What routes need of one season."""

    def __init__(self, board: Board, ground: Ground) -> None:
        self.kinds: list[Kind] = [Kind(board, ground, kind) for kind in range(MIXED + 1)]
        self.kind_of: list[int] = [kind_of(board, u) for u in range(len(board.units))]
        self.free: dict[Spot, tuple[Mask, Reach]] = {}  # where no enemy is near: all that matters to it, and the reach
        self.close: dict[tuple[Spot, Mask, Mask], Reach] = {}  # one hex and a road: by the enemies that matter to it
        self.roads: dict[tuple[Rates, Hex, int], Road] = {}  # 7.5 where roads lead without enemies
        self.blocked_roads: dict[tuple[tuple[Rates, Hex, int], Mask], Road] = {}  # and with enemies on them
        self.recent: dict[Spot, tuple[Mask, Mask, Reach]] = {}  # near enemies: the last one by spot, to go by it
        self.within = board.grid.within
        self.go, self.rail = Offers(V_TO, board.size), Offers(V_RAIL, board.size)
        units = len(board.units)
        self.move, self.remove, self.mark, self.raid = (
            Offers(verb, units) for verb in (V_MOVE, V_REMOVE, V_ASSAULT, V_RAID)
        )
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


def kind_of(board: Board, u: int) -> int:
    """How a unit moves."""
    if board.mech >> u & 1:
        return MECH
    if u == board.bicycles:
        return BICYCLE
    return MOUNTAIN if board.mountain_units >> u & 1 else FOOT


def tables(s: State) -> Tables:
    kept = s.ground.kept
    found: Tables | None = kept.get("routes")
    if found is None:
        found = kept["routes"] = Tables(s.board, s.ground)
    return found


# One step, for whoever moves, retreats or advances


def may_cross(s: State, u: int, a: Hex, d: int) -> bool:
    """Whether a unit could take this step in some movement phase: terrain, hexside, closed entry hexes (4.1d).

    Enemies are not asked for. The armoured train keeps to its railway (15.6b), the flotilla to its ports.
    """
    board = s.board
    n = board.grid.neighbour(a, d)
    if n < 0 or board.barred[board.side[u]] >> n & 1:
        return False
    if board.special_movers >> u & 1:
        return u == board.train and bool((board.rails[d] & s.ground.open[d]) >> a & 1)
    t = tables(s)
    return t.kinds[t.kind_of[u]].walk.price[d][a] >= 0


def exits(s: State, u: int, h: Hex) -> Mask:
    """All hexes that this unit could step into from here (as `may_cross`), enemies or not."""
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


class Road:
    """7.5 strategic road movement: a march along roads out of enemy ZOCs, and the hexes one bonus step adds."""

    __slots__ = ("base", "bonus", "half", "hexes")

    def __init__(self, base: March, blocked: Mask, bonus: int, half: int) -> None:
        self.base = base
        self.half = half  # half points in a point of the march
        self.bonus: list[Mask] = []  # 7.5c what each additional road hex adds
        found = front = base.hexes
        rates = base.rates
        for _ in range(bonus):
            front = rates.around(front) & ~found & ~blocked
            self.bonus.append(front)
            found |= front
        self.hexes: Mask = found

    def path(self, h: Hex) -> list[Hex]:
        """The hexes entered."""
        for i in range(len(self.bonus) - 1, -1, -1):
            if self.bonus[i] >> h & 1:
                known = self.base.hexes if i == 0 else self.bonus[i - 1]
                before = hexes_in(self.base.rates.exits[h] & known)
                best = min(before, key=lambda n: (self.base.cost(n), n))
                return [*self.path(best), h]
        return self.base.path(h)


class Reach:
    """Where one unit can go, by which of the rules, for how many half points, and how."""

    __slots__ = ("ezoc", "half", "hexes", "ma", "march", "road", "to")

    def __init__(
        self, walk: March, half: int, ma: int, hexes: Mask, road: Road | None, ezoc: Mask, to: list[Action]
    ) -> None:
        self.march = walk
        self.half = half  # half points in a point of the march
        self.ma = ma  # half points, without those of extended movement
        self.hexes = hexes  # all destinations; where the unit stands is none
        self.road = road
        self.ezoc = ezoc
        self.to = to

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
        cost = self.march.cost(h) * self.half
        road = self.road
        # 7.5b only mechanised units, who have no bonus, go faster by road than they would anyway
        if road is not None and (cost < 0 or not road.bonus) and road.hexes >> h & 1:
            spent = road.base.cost(h) * road.half
            if spent < 0 and cost < 0:  # 7.5c the additional hex comes on top of what the MPs pay
                path = road.path(h)
                return road.base.cost(path[-2]) * road.half if len(path) > 1 else 0, path, "7.5c"
            if spent >= 0 and (cost < 0 or spent < cost):
                return spent, road.path(h), "7.5b"
        if cost < 0 or (cost > self.ma and self.ezoc >> h & 1):  # 7.21a does not lead into EZOC
            return self.ma, [h], "7.4a"
        return cost, self.march.path(h, cost // self.half), "7.21a" if cost > self.ma else "7.1b"

    def within(self, half_points: int) -> Mask:
        """What ordinary movement reaches for so many half points, the start included."""
        return self.march.within(half_points // self.half) if half_points >= 0 else 0


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
    return _kept(t, spot, s.occ[foe] | board.barred[side], zone(s, foe))


def _kept(t: Tables, spot: Spot, blocked: Mask, ezoc: Mask) -> Reach:
    """A reach that has been worked out before, or one that is worked out now.

    Enemies make a reach smaller, never larger, so those outside the hexes that could be reached without any do not
    matter. Near enemies the same reach hardly ever comes twice, unless it is one of a hex or two.
    """
    last = t.recent.get(spot)
    if last is not None and last[0] == blocked and last[1] == ezoc:
        return last[2]
    free = t.free.get(spot)
    if free is not None and not (blocked | ezoc) & free[0]:
        return free[1]
    kind, how, h, ma, _ = spot
    if how > SHORT:
        near = t.within(h, t.oos_hexes + t.bonus)
        key = (spot, blocked & near, ezoc & near)
        found = t.close.get(key)
        if found is None:
            if len(t.close) > KEPT:
                t.close.clear()
            found = t.close[key] = _reach(t, spot, blocked & near, ezoc & near)
        return found
    found = _reach(t, spot, blocked, ezoc)
    if len(t.recent) > RECENT:
        t.recent.clear()
    t.recent[spot] = (blocked, ezoc, found)
    if free is None and not ezoc >> h & 1:
        around = t.within(h, (ma + t.extended) * t.kinds[kind].pace + t.bonus)
        if not (blocked | ezoc) & around:
            if len(t.free) > KEPT:
                t.free.clear()
            t.free[spot] = (found.hexes | found.march.hexes, found)
    return found


def _reach(t: Tables, spot: Spot, blocked: Mask, ezoc: Mask) -> Reach:
    number, how, h, ma, disrupted = spot
    kind = t.kinds[number]
    road: Road | None = None
    if how == NONE:  # 7.1g
        return Reach(march(kind.walk, h, 0), HALF, 0, 0, None, ezoc, [])
    by_road = bool(kind.road_hexes & ~ezoc & 1 << h)  # A16
    if how > SHORT:
        walk = march(kind.walk.by_hexes(), h, t.oos_hexes if how == LIMP else 1, blocked)
        hexes = walk.hexes
        if how == PACE and by_road:  # 7.5c
            road = _road(t, kind.road.by_hexes(), h, 1, blocked | ezoc, t.bonus, HALF)
            hexes |= road.hexes
        half = HALF
    else:
        half = kind.half
        scale = HALF // half
        farther = t.extended if how == ALL else 0
        walk = march(kind.walk, h, (ma + farther) * scale, blocked, t.toll * scale, ezoc)
        hexes = walk.hexes
        if farther and hexes & ezoc:  # 7.21a who ends in EZOC has only his MA
            hexes = hexes & ~ezoc | walk.within(ma * scale)
        hexes |= kind.walk.exits[h] & ~blocked  # 7.4a
        if by_road:  # 7.5
            bonus = 0 if number == MECH else t.bonus
            road = _road(t, kind.road, h, (ma + farther) * HALF, blocked | ezoc, bonus, 1)
            hexes |= road.hexes
    if disrupted:  # 11.5b
        hexes &= ~ezoc
    hexes &= ~(1 << h)
    return Reach(walk, half, ma * HALF, hexes, road, ezoc, t.go.listed(hexes))


def _road(t: Tables, rates: Rates, h: Hex, points: int, blocked: Mask, bonus: int, half: int) -> Road:
    """7.5 a strategic march: on roads alone, into no EZOC. Kept by the enemies on those roads: others do not matter."""
    spot = (rates, h, points)
    free = t.roads.get(spot)
    if free is None:
        free = t.roads[spot] = Road(march(rates, h, points), 0, bonus, half)
    blocked &= free.hexes
    if not blocked:
        return free
    key = (spot, blocked)
    found = t.blocked_roads.get(key)
    if found is None:
        if len(t.blocked_roads) > KEPT:
            t.blocked_roads.clear()
        found = t.blocked_roads[key] = Road(march(rates, h, points, blocked), blocked, bonus, half)
    return found


def strolls(s: State, u: int, points: int) -> Mask:
    """Where ordinary movement alone leads for so many whole MPs, the start included: for those who need no more."""
    board, t = s.board, tables(s)
    number, side = t.kind_of[u], board.side[u]
    foe = enemy(side)
    return march(t.kinds[number].walk, s.at[u], points, s.occ[foe] | board.barred[side], t.toll, zone(s, foe)).hexes


# 13.1 A stack that moves together


def stack_kind(s: State, units: int) -> int:
    """7.1c how a stack of mechanised units and cavalry moves."""
    if not units & ~s.board.mech:
        return MECH
    return MIXED if units & s.board.mech else FOOT


def stack_march(s: State, units: int, points: int, setting_out: bool) -> March:
    """7.1c, 13.1c where a stack can go for so many whole MPs; only one that sets out crosses a major river (7.7b)."""
    board, t = s.board, tables(s)
    u = units_of(units)[0]
    h, side = s.at[u], board.side[u]
    foe = enemy(side)
    rates = t.kinds[stack_kind(s, units)].walk
    blocked = s.occ[foe] | board.barred[side]
    return march(rates, h, points, blocked, t.toll, zone(s, foe), 0, setting_out)


def beside(s: State, side: int) -> Mask:
    """The hexes from which a hex with units of this side could be attacked (A11), 4.1d entry hexes left out."""
    targets = s.occ[side] & ~s.board.special_entries[side]
    kept = s.ground.kept
    last: tuple[Mask, Mask] | None = kept.get(("beside", side))
    if last is None or last[0] != targets:
        grid, ground = s.board.grid, s.ground
        found = 0
        for d in range(6):
            found |= grid.step(targets & ground.open[d], d)
        last = kept["beside", side] = (targets, found)
    return last[1]
