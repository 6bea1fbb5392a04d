"""5 What a step costs, where a unit or stack may go and how: chapter 5 without its decisions.

Movement is counted in sixths of a point (board.SIXTHS). What the chart says is made ready once for each kind of
unit; what a stack can reach is kept by everything that can change it: its kind, allowance and place, and the
enemies, zones of control and markers within its reach.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.offers import Offers
from sandtable.mechanics.paths.charts import GO
from sandtable.mechanics.paths.charts import Chart as Rates

from ..supply.supply_lines import hostile
from ..table.board import SIXTHS, Board
from ..table.ids import ALLIED, AXIS, EXTENDED, MODES, NORMAL, ROAD_BONUS, TACTICAL
from ..table.position import supply_points, zone
from ..table.state import State
from ..table.verbs import V_FLEE, V_JOIN, V_LEAVE, V_LOAD, V_MOVE, V_SURRENDER, V_TO
from ..table.zones import beside, full_zoc, overlapping_ezoc
from .chart import FOOT, FOOT_MECH, FOOT_VEHICLE, MECH, VEHICLE, Chart, Kind
from .courses import Course
from .surveys import Ground
from .treks import Hop, Starts, Tolls, Way, trek

KEPT = 4_000  # reaches kept at most before the memory is cleared: some 80 MB

# What `State.spent` says before the first step; the second of a unit that began its move beside an enemy and so has no
# road bonus (5.2.2a), though a unit in Full Retreat may have left at once (13.3.2e)
UNMOVED, BESIDE_ENEMY = -1, -2


class Tables:
    """What routes need of the board, worked out once."""

    def __init__(self, board: Board) -> None:
        units = len(board.units)
        general = board.general
        foot, mech = Kind(board, FOOT), Kind(board, MECH)
        mixed = [Kind(board, kind) for kind in (FOOT_MECH, FOOT_VEHICLE)]
        self.kinds: list[Kind] = [foot, mech, Kind(board, VEHICLE, mech.ground), *mixed]
        chart = Chart(board)
        highways = Rates(board.grid, lambda h, d, n: (chart.road_step(h, d, True), GO))  # 5.2.2a
        roads = Rates(board.grid, lambda h, d, n: (chart.road_step(h, d, False), GO))  # 5.2.2b
        self.highways, self.roads = Ground(highways, board.desert), Ground(roads, board.desert)
        self.kind_of: list[int] = [kind_of(board, u) for u in range(units)]
        self.toll = int(general["ezoc_exit_mp"]) * SIXTHS  # 7.2c
        self.limited_toll = int(general["limited_ezoc_exit_mp"]) * SIXTHS  # 7.3c
        self.extended = int(general["extended_move_mp"]) * SIXTHS  # 5.3a
        self.rommel = int(general["rommel_move_mp"]) * SIXTHS  # 18.5a
        self.tactical = int(general["tactical_move_hexes"])  # 5.4a
        self.refreshed = int(general["replacement_marker_move_hexes"])  # 19.5b
        self.highway = int(general["foot_highway_bonus_hexes"]) * SIXTHS  # 5.2.2a
        self.track = int(general["foot_track_bonus_hexes"]) * SIXTHS  # 5.2.2b
        self.box = int(general["box_entry_mp"]) * SIXTHS  # 6.3.3b
        tables = board.pack.tables
        self.delay = int(tables["delay"]["effect_mp"]) * SIXTHS  # 24.2a
        self.strafing = int(tables["strafing"]["effect_mp"]) * SIXTHS  # 18.7.5c
        self.lrdg = int(tables["lrdg"]["effect_mp"]) * SIXTHS  # 18.8c
        self.markers: list[tuple[tuple[int, ...], Tolls]] = [
            ((), ())
        ] * 2  # by side: where they lay when last asked for
        self.hops: dict[tuple[int, ...], Hop] = {}  # tactical movement with nobody in the way
        self.around: dict[Spot, Mask] = {}  # what can matter for a move
        self.free: dict[Spot, Reach] = {}  # where it leads if there are no enemies
        # 6.3.3a by side: the hexes beside the box that adjoins the map
        self.entrances = [hexes_in(board.entry_hexes[box]) for box in (board.tripoli, board.delta)]
        # by side and place: where tactical movement might lead
        self.near_by = [[self._near_by(board, side, h) for h in range(board.size)] for side in (AXIS, ALLIED)]
        self._to: list[dict[tuple[int, ...], list[Action]]] = [{} for _ in range(board.size + 7 >> 3)]  # see `listed`
        self.move, self.join, self.load, self.leave, self.surrender, self.flee = (
            Offers(verb, units) for verb in (V_MOVE, V_JOIN, V_LOAD, V_LEAVE, V_SURRENDER, V_FLEE)
        )

    def _near_by(self, board: Board, side: int, h: Hex) -> tuple[Hex, ...]:
        """5.4a the places that lie no farther from a hex, or from the entrances of a box, than tactical movement."""
        grid, box = board.grid, board.tripoli if side == AXIS else board.delta
        if board.box_mask >> h & 1:
            entrances = board.entry_hexes.get(h, 0)
            return hexes_in(entrances | grid.dilate(entrances)) if entrances else ()
        found = hexes_in(grid.within(h, self.tactical) & board.land & ~(1 << h))
        return (*found, box) if grid.within(h, 1) & board.entry_hexes[box] else found

    def listed(self, masks: list[Mask]) -> list[Action]:
        """All `to PLACE MODE`, in order, for the destinations in each mode. Read eight places at a time: what these
        say in all modes stands for a piece of the list, which is remembered."""
        every = masks[0] | masks[1] | masks[2] | masks[3]
        found: list[Action] = []
        width = every.bit_length() + 7 >> 3
        a, b, c, d = [mask.to_bytes(width, "little") for mask in masks]
        for here, any_mode in enumerate(every.to_bytes(width, "little")):
            if any_mode:
                known = self._to[here]
                key = a[here], b[here], c[here], d[here]
                piece = known.get(key)
                if piece is None:
                    piece = known[key] = [
                        (V_TO, here * 8 + i, mode) for i in range(8) for mode in range(len(MODES)) if key[mode] >> i & 1
                    ]
                found += piece
        return found


def kind_of(board: Board, u: int) -> int:
    """2.3.3a, 2.3.3e how a unit moves; trucks are no vehicle units (A15)."""
    if board.foot >> u & 1:
        return FOOT
    return VEHICLE if board.vehicles >> u & 1 else MECH


def tables(s: State) -> Tables:
    return tables_of(s.board)


def tables_of(board: Board) -> Tables:
    found: Tables | None = board.kept.get("routes")
    if found is None:
        found = board.kept["routes"] = Tables(board)
    return found


# One step, for whoever moves, retreats, advances or attacks


def may_cross(s: State, u: int, a: Hex, d: int, carried: bool = False) -> bool:
    """5.7, 8.1g whether a unit could take this step in some Movement Phase: terrain and hexside alone.

    `carried`: a truck carries it (5.8.1c), or it is asked for the truck. Enemies are not asked for, nor runs of
    desert hexes (5.5b), which depend on the way.
    """
    t = tables(s)
    kind = MECH if carried else t.kind_of[u]
    return t.kinds[kind].walk.price[d][a] >= 0


def exits(s: State, u: int, h: Hex, carried: bool = False) -> Mask:
    """All hexes that this unit could step into from here (as `may_cross`), enemies or not; none out of a box."""
    t = tables(s)
    return t.kinds[MECH if carried else t.kind_of[u]].walk.exits[h]


def along_road(s: State, a: Hex, d: int) -> bool:
    """5.2.1a whether this step follows the course of a road."""
    return bool(s.board.roads[d] >> a & 1)


def across_escarpment(s: State, a: Hex, d: int) -> bool:
    """5.7 whether this step crosses an escarpment hexside where there is no road."""
    return bool((s.board.escarpments[d] & ~s.board.roads[d]) >> a & 1)


def desert_run(s: State, run: int, h: Hex) -> int:
    """5.5b the run of desert hexes after entering this place; above 2 it may not be entered."""
    return run + 1 if s.board.desert >> h & 1 else 0


def box_beside(s: State, side: int, h: Hex) -> int:
    """6.3.3a the friendly off-map box that this hex adjoins, -1 if none."""
    box = s.board.tripoli if side == AXIS else s.board.delta
    return box if s.board.entry_hexes[box] >> h & 1 else -1


# What markers, enemies and states do to a move


def markers(s: State, side: int) -> Tolls:
    """24.2a, 24.2c, 18.7.5c, 18.8c what the markers of the enemy cost on entering their hexes, in sixths."""
    t, foe = tables_of(s.board), 1 - side
    delays = s.delay_axis if foe == AXIS else s.delay_allied
    lie = (*delays, s.strafing[foe], s.lrdg if side == AXIS else 0)
    last, found = t.markers[side]
    if last == lie:
        return found
    by_hex: dict[Hex, int] = {}
    for h in delays:
        if h >= 0:
            by_hex[h] = by_hex.get(h, 0) + t.delay
    for h in hexes_in(s.strafing[foe]):
        by_hex[h] = by_hex.get(h, 0) + t.strafing
    if side == AXIS:
        for h in hexes_in(s.lrdg):
            by_hex[h] = by_hex.get(h, 0) + t.lrdg
    by_cost: dict[int, Mask] = {}
    for h, cost in by_hex.items():
        by_cost[cost] = by_cost.get(cost, 0) | 1 << h
    found = tuple(sorted(by_cost.items()))
    t.markers[side] = lie, found
    return found


def fresh_points(s: State, side: int, place: int) -> int:
    """5.8.1e, 17.1.4b the SPs of a place that have not moved in this phase and are under no marker."""
    return supply_points(s, side, place) - s.sp_moved.count(place)


def pinned(s: State) -> int:
    """17.1.2c, S1.2d the units that may not move at all: the Tobruk ASU, and the Poles until turn 11."""
    board = s.board
    key = ("pinned", s.scenario)
    found: tuple[int, int, int] | None = board.kept.get(key)
    if found is None:
        special = board.pack.scenarios[s.scenario].get("special", {}).get("polish_brigade", {})
        poles = 1 << board.unit_index[special["unit"]] if "hex" in special else 0
        found = board.kept[key] = 1 << board.tobruk_asu, poles, special.get("may_leave_from_turn", 0)
    always, poles, turn = found
    return always | poles if s.turn < turn else always


def why_pinned(s: State, u: int) -> Reason:
    """17.1.2c, S1.2d why a unit never moves, advances or disengages: the Tobruk ASU, or the Poles for a while."""
    who = s.board.unit_names[u]
    if u == s.board.tobruk_asu:
        return Reason("17.1.2c", f"{who} may not move")
    return Reason("S1.2d", f"{who} must stay in {s.board.hex_name(s.at[u])} until turn 11")


def stack_kind(s: State, units: int) -> int:
    """5.1b how a stack moves; those that trucks carry (5.8.1c) are left out by the caller."""
    board = s.board
    foot, vehicles, mech = units & board.foot, units & board.vehicles, units & board.mech
    if foot:
        return FOOT_VEHICLE if vehicles else FOOT_MECH if mech else FOOT
    return VEHICLE if vehicles else MECH


def barred(s: State, side: int, units: int) -> Mask:
    """The hexes that a stack, loads included, may not enter."""
    board, foe = s.board, enemy(side)
    closed = s.men[foe]  # 5.1e
    if not units & (s.routed | s.oos | board.trucks):
        return closed
    if not units & board.combat & ~s.routed and (units & s.routed or units & board.trucks):
        closed |= s.occ[foe] | supplied_hexes(s, foe)  # 5.8.3, 13.3.2d nor where enemy non-combat units are
    if units & s.routed:
        closed |= s.occ[foe] | supplied_hexes(s, foe) | s.forts[foe]  # 13.3.2d
        closed |= hostile(s, side)
        if not units & board.combat & ~s.routed:
            closed |= beside(s, foe) & ~s.zocs[side]  # 13.3.2c
    if units & s.oos:
        closed |= overlapping_ezoc(s, side)  # 16.4a
    return closed


def supplied_hexes(s: State, side: int) -> Mask:
    """The hexes with SPs of a side: SPs are non-combat units (2.3.1b)."""
    return sum(1 << h for h in s.sp[side] if not s.board.box_mask >> h & 1)


# 5.1 to 5.4 Where a stack can go


class Reach:
    """Where a stack can go, in which mode, for how much, and how."""

    __slots__ = ("_actions", "hexes", "ma", "masks", "start", "ways")

    def __init__(self, start: int, ma: int, masks: list[Mask], ways: list[tuple[Way | Hop, ...]]) -> None:
        self.start = start
        self.ma = ma  # sixths, Rommel included
        self.masks = masks  # by mode: destinations
        self.hexes = masks[0] | masks[1] | masks[2] | masks[3]
        self.ways = ways  # by mode
        self._actions: list[Action] | None = None

    def actions(self, t: Tables) -> list[Action]:
        """All `to PLACE MODE`, in order."""
        found = self._actions
        if found is None:
            found = self._actions = t.listed(self.masks)
        return found

    def best(self, h: Hex, mode: int) -> Way | Hop:
        """The cheapest way to a destination."""
        if len(self.ways[mode]) == 1:
            return self.ways[mode][0]
        return min((way for way in self.ways[mode] if way.cost(h) >= 0), key=lambda way: way.cost(h))

    def way(self, h: Hex, mode: int) -> tuple[int, list[Hex]]:
        """What is spent on the way (sixths; in tactical movement hexes) and the places entered; -1 out of reach."""
        if not self.masks[mode] >> h & 1:
            return -1, []
        best = self.best(h, mode)
        return best.cost(h), best.path(h)

    def costs(self, path: list[Hex], mode: int) -> list[int]:
        """The running total at each place of a path to a destination."""
        return self.best(path[-1], mode).running(path)


Spot = tuple[int, int, int, int, int, int, int, bool, bool, bool, bool, int]
"""Of a move, what has nothing to do with enemies: kind, place, points, spent, run, mode, hexes of tactical movement,
slow, Rommel, box, alone on foot, side."""


class Terms(NamedTuple):
    """Everything that decides where a stack can go. Nothing in it changes: it holds good for this position."""

    spot: Spot
    closed: Mask  # may not be entered
    zoned: Mask  # in EZOCs, limited ones included
    full: Mask  # in EZOCs that are not limited
    near: Mask  # beside an enemy, for whoever may have the road bonus (5.2.2a)
    tolls: Tolls  # what markers cost
    bound: bool  # it may not leave its box


def terms(
    s: State,
    group: int,
    loads: int = 0,
    *,
    spent: int = -1,
    run: int = 0,
    mode: int = -1,
    rommel: bool = False,
    box: bool = True,
) -> Terms:
    """What decides where this stack can go; see `reach`."""
    board = s.board
    t = tables_of(board)
    first = (group & -group).bit_length() - 1
    h, side = s.at[first], board.side[first]
    everybody = group | loads
    slow = everybody & (s.oos | s.disrupted | s.refreshed)  # 16.4a, 13.2.1a, 13.2.3b, 19.5b
    if group & group - 1:
        points, kind = min(board.ma[u][s.step[u]] for u in units_of(group)), stack_kind(s, group)
    else:
        points, kind = board.ma[first][s.step[first]], t.kind_of[first]
    points *= SIXTHS
    if rommel:
        points += t.rommel
    steps = t.refreshed if everybody & s.refreshed else t.tactical
    inside = bool(board.box_mask >> h & 1)
    bound = inside and bool(group & board.foot or everybody & (s.disrupted | s.routed | s.refreshed))  # 6.3.4, 19.5b
    alone = not group & ~board.foot and not loads
    if not alone:
        spent = max(spent, UNMOVED)
    spot = (kind, h, points, spent, run, mode, steps, bool(slow), rommel, box and not inside, alone, side)
    foe = 1 - side
    # whether an enemy is beside the start matters for the road bonus alone (5.2.2a)
    near = beside(s, foe) if alone and spent < 0 else 0
    closed = barred(s, side, everybody) if everybody & (s.routed | s.oos | board.trucks) else s.men[foe]
    zoned = s.zones[foe]
    if zoned < 0:
        zoned = zone(s, foe)
    return tuple.__new__(Terms, (spot, closed, zoned, full_zoc(s, foe), near, markers(s, side), bound))


def reach(
    s: State,
    group: int,
    loads: int = 0,
    *,
    spent: int = -1,
    run: int = 0,
    mode: int = -1,
    rommel: bool = False,
    box: bool = True,
) -> Reach:
    """5 every place in which this stack could end its move, or this leg of it.

    group    the units of the stack that move by themselves, all in one place; `loads` are carried by trucks of it
    spent    what it has spent on its way (-1: it has not yet moved), `run` its desert hexes, `mode` how it moves
             (-1: by points, and it may still go over to extended movement)
    box      whether it may enter an off-map box (6.3.3d)
    """
    return spread(s.board, terms(s, group, loads, spent=spent, run=run, mode=mode, rommel=rommel, box=box))


def spread(board: Board, terms: Terms) -> Reach:
    """5 every place in which a stack can end its move on these terms."""
    t = tables_of(board)
    spot = terms.spot
    if terms.bound:
        return Reach(spot[1], spot[2], [0] * len(MODES), [()] * len(MODES))
    around = t.around.get(spot)
    if around is None:
        around = t.around[spot] = _around(board, t, spot)
    enemies = terms.closed | terms.zoned | terms.full | terms.near
    for _, mask in terms.tolls:
        enemies |= mask
    if enemies & around:
        return _spread(board, t, terms)
    free = t.free.get(spot)
    if free is None:
        if len(t.free) > KEPT:
            t.free.clear()
        free = t.free[spot] = _spread(board, t, Terms(spot, 0, 0, 0, 0, (), False))
    return free


def _around(board: Board, t: Tables, spot: Spot) -> Mask:
    """All that can matter for this move: the hexes that it could lead to if there were no enemies, and the start."""
    kind, h, points, _, _, _, _, slow, _, _, alone, _ = spot
    found = board.grid.within(h, t.tactical) | 1 << h
    if slow:
        return found
    grounds = [(t.kinds[kind].ground, t.extended if kind in (MECH, VEHICLE) else 0)]
    if alone and t.roads.rates.exits[h]:
        grounds.append((t.roads, t.track))
        if t.highways.rates.exits[h]:
            grounds.append((t.highways, t.highway))
    for ground, more in grounds:
        a, b = ground.survey(h, starts_from(board, t, kind, h), points + more).within(points + more)
        found |= a | b
    return found


def starts_from(board: Board, t: Tables, kind: int, h: Hex) -> Starts:
    """Where a move begins, and for how much: 6.3.3c out of a box with its first hex."""
    if board.box_mask >> h & 1:
        return [(cost, 1 << n, 1 if board.desert >> n & 1 else 0) for cost, n in t.kinds[kind].leave.get(h, ())]
    return ((0, 1 << h, 0),)


def home_box(board: Board, spot: Spot) -> tuple[int, Mask]:
    """6.3.3a the box that a move may end in, and the hexes that it adjoins: none if it may not."""
    box = board.tripoli if spot[11] == AXIS else board.delta
    return box, board.entry_hexes[box] if spot[9] else 0


def hop(board: Board, t: Tables, spot: Spot, closed: Mask, full: Mask) -> Hop | None:
    """5.4 tactical movement on these terms, if it is still allowed."""
    kind, h, _, spent, _, mode, steps, _, rommel, box, _, side = spot
    if (mode != TACTICAL and (mode >= 0 or spent >= 0)) or rommel:  # 5.4, 18.5c
        return None
    left = max(steps - spent, 0) if spent > 0 else steps
    key = kind, h, left, box, side
    free = t.hops.get(key)
    if free is None:
        free = t.hops[key] = _hop(board, t, spot, left, 0, 0)
    if (closed | full) & (free.first | free.second):
        return _hop(board, t, spot, left, closed, full)
    return free


def _hop(board: Board, t: Tables, spot: Spot, left: int, closed: Mask, full: Mask) -> Hop:
    """So many hexes of tactical movement."""
    h, rates = spot[1], t.kinds[spot[0]]
    home, out = home_box(board, spot)
    near_by = rates.walk.exits[h]
    if board.box_mask >> h & 1:
        near_by = sum(1 << n for _, n in rates.leave.get(h, ()))
    found = Hop(rates.walk, near_by, left, closed, full, home if out else -1, out)
    if left and out >> h & 1:  # 6.3.3b
        found.box_cost = 1
    return found


def _spread(board: Board, t: Tables, terms: Terms) -> Reach:
    """The reach of a stack by all modes that it may use."""
    spot, closed, all_ezoc, full, near, tolls, _ = terms
    kind, h, points, spent, run, mode, _, slow, _, _, alone, _ = spot
    rates = t.kinds[kind]
    leaving = leaving_tolls(t, all_ezoc, full)
    masks: list[Mask] = [0] * len(MODES)
    ways: list[tuple[Way | Hop, ...]] = [()] * len(MODES)
    home, out = home_box(board, spot)
    there = ~(1 << h)
    gone = max(spent, 0)

    def go(by: Ground, allowance: int, shut: Mask, wider: Way | None = None) -> Way:
        way: Way
        if run:
            way = trek(by.rates, board.desert, h, ((0, 1 << h, run),), allowance, shut, full, leaving, tolls)
        else:
            before = wider if isinstance(wider, Course) else None
            survey = by.survey(h, starts_from(board, t, kind, h), allowance)
            way = Course(survey, allowance, shut, full, leaving, tolls, before)
        if out & way.hexes:
            _enter_box(way, home, out, allowance, t.box, leaving)
        return way

    tactical = hop(board, t, spot, closed, full)
    if tactical is not None:
        ways[TACTICAL] = (tactical,)
        masks[TACTICAL] = tactical.within(t.tactical) & there
    if slow or mode == TACTICAL:
        return Reach(h, points, masks, ways)
    farther: Way | None = None
    if mode in (-1, EXTENDED) and kind in (MECH, VEHICLE):  # 5.3a, 5.3d
        more = points + t.extended - gone
        farther = go(rates.ground, more, closed | all_ezoc)  # 5.3b, A16
        ways[EXTENDED] = (farther,)
        masks[EXTENDED] = farther.within(more) & there
    if mode in (-1, NORMAL) and points >= gone:
        # where it meets no EZOC, in the hexes that it can begin with neither, it is the same way with fewer points
        first = board.entry_hexes.get(h, 0) or 1 << h
        if farther is None or all_ezoc & board.grid.dilate(farther.hexes | first):
            way = go(rates.ground, points - gone, closed, farther)
        else:
            way = farther
        ways[NORMAL] = (way,)
        masks[NORMAL] = way.within(points - gone) & there
        masks[EXTENDED] &= ~masks[NORMAL]
    if alone and spent == UNMOVED and t.roads.rates.exits[h] and not near >> h & 1:  # 5.2.2
        shut = closed | full
        road = go(t.roads, points + t.track, shut)
        ways[ROAD_BONUS] = (road,)
        found = road.hexes
        if t.highways.rates.exits[h]:
            highway = go(t.highways, points + t.highway, shut)
            ways[ROAD_BONUS] = (highway, road)
            found |= highway.hexes
        masks[ROAD_BONUS] = found & there & ~near & ~masks[NORMAL]
    return Reach(h, points, masks, ways)


def leaving_tolls(t: Tables, all_ezoc: Mask, full: Mask) -> Tolls:
    """7.2c, 7.3c what it costs to leave an EZOC, and a limited one."""
    limited = all_ezoc & ~full
    tolls = ((t.toll, full), (t.limited_toll, limited))
    return tuple((toll, mask) for toll, mask in tolls if mask)


def _enter_box(way: Way, box: int, entry: Mask, allowance: int, price: int, leaving: Tolls) -> None:
    """6.3.3a, 6.3.3b the friendly box that adjoins the map: 1 MP, or 1 hex of tactical movement."""
    for h in hexes_in(way.hexes & entry):
        cost = way.cost(h)
        if way.stop >> h & 1 and cost:
            continue
        cost += price + next((toll for toll, mask in leaving if mask >> h & 1), 0)
        if cost <= allowance and not 0 <= way.box_cost <= cost:
            way.box, way.box_cost, way.box_from = box, cost, h
