"""5 Where a unit or stack may go and how: chapter 5 without its decisions.

Movement is counted in sixths of a point (board.SIXTHS). What a stack can reach is kept where no enemy, zone of control
or marker is within its reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import Memory
from sandtable.mechanics.offers import Offers, picked_out
from sandtable.mechanics.paths.charts import Starts, Tolls
from sandtable.mechanics.paths.legs import Door, Leg

from ..table.board import SIXTHS, Board
from ..table.ids import AXIS, EXTENDED, NORMAL, ROAD_BONUS, TACTICAL
from ..table.position import supply_points
from ..table.state import State
from ..table.verbs import V_FLEE, V_JOIN, V_LEAVE, V_LOAD, V_MOVE, V_SURRENDER, V_TO
from ..table.zones import full_zoc
from .chart import FOOT, FOOT_MECH, FOOT_VEHICLE, MECH, VEHICLE, Kind, kind_of, roads
from .modes import ALL_MODES, CLOSED, MODE, NOT_BESIDE, OUT_OF_ZOCS, Movers

if TYPE_CHECKING:
    from .reaches import Reach

KEPT = 4_000  # reaches kept at most before the memory is cleared: some 80 MB


class Tables:
    """What moves need of the board, worked out once."""

    def __init__(self, board: Board) -> None:
        units = len(board.units)
        general = board.general
        foot, mech = Kind(board, FOOT), Kind(board, MECH)
        mixed = [Kind(board, kind) for kind in (FOOT_MECH, FOOT_VEHICLE)]
        self.kinds: list[Kind] = [foot, mech, Kind(board, VEHICLE, mech), *mixed]
        self.highways, self.roads = roads(board, True), roads(board, False)  # 5.2.2a, 5.2.2b
        self.kind_of: list[int] = [kind_of(board, u) for u in range(units)]
        self.toll = int(general["ezoc_exit_mp"]) * SIXTHS  # 7.2c
        self.limited_toll = int(general["limited_ezoc_exit_mp"]) * SIXTHS  # 7.3c
        self.extended = int(general["extended_move_mp"]) * SIXTHS  # 5.3a
        self.rommel = int(general["rommel_move_mp"]) * SIXTHS  # 18.5a
        self.tactical = int(general["tactical_move_hexes"])  # 5.4a
        self.refreshed = int(general["replacement_marker_move_hexes"])  # 19.5b
        self.highway = int(general["foot_highway_bonus_hexes"]) * SIXTHS  # 5.2.2a
        self.track = int(general["foot_track_bonus_hexes"]) * SIXTHS  # 5.2.2b
        # 6.3.3a, 6.3.3b by side: the box that adjoins the map, by points and in tactical movement
        boxes = [(box, board.entry_hexes[box]) for box in (board.tripoli, board.delta)]
        self.doors = [Door(*box, int(general["box_entry_mp"]) * SIXTHS) for box in boxes]
        self.hops = [Door(*box, 1) for box in boxes]
        tables = board.pack.tables
        self.delay = int(tables["delay"]["effect_mp"]) * SIXTHS  # 24.2a
        self.strafing = int(tables["strafing"]["effect_mp"]) * SIXTHS  # 18.7.5c
        self.lrdg = int(tables["lrdg"]["effect_mp"]) * SIXTHS  # 18.8c
        # by side: where they lay when last asked for
        self.markers: list[tuple[tuple[int, ...], Tolls]] = [((), ())] * 2
        self.leaving: tuple[Mask, Mask, Tolls] = (0, 0, ())  # what EZOCs cost when last asked for
        self.near_by: Memory[tuple[int, ...], Leg] = Memory(2 * KEPT)  # tactical movement with nobody in the way
        self.around: Memory[Spot, Mask] = Memory(8 * KEPT)  # what can matter for a move
        self.free: Memory[Spot, Reach] = Memory(KEPT)  # where it leads if there are no enemies
        self._to: list[Action] = [(V_TO, h, mode) for h in range(board.size) for mode in range(4)]
        self.move, self.join, self.load, self.leave, self.surrender, self.flee = (
            Offers(verb, units) for verb in (V_MOVE, V_JOIN, V_LOAD, V_LEAVE, V_SURRENDER, V_FLEE)
        )

    def listed(self, masks: tuple[Mask, ...]) -> list[Action]:
        """All `to PLACE MODE`, in order, for the destinations in each mode."""
        return picked_out(self._to, masks)


def tables(s: State) -> Tables:
    return tables_of(s.board)


def tables_of(board: Board) -> Tables:
    found: Tables | None = board.kept.get("routes")
    if found is None:
        found = board.kept["routes"] = Tables(board)
    return found


# One step, for whoever moves, retreats, advances or attacks


def exits(s: State, u: int, h: Hex, carried: bool = False) -> Mask:
    """5.7, 8.1g all hexes that this unit could step into from here in some Movement Phase: terrain and hexside alone,
    neither enemies nor runs of desert hexes (5.5b), which depend on the way; none out of a box.

    `carried`: a truck carries it (5.8.1c), or it is asked for the truck.
    """
    t = tables(s)
    return t.kinds[MECH if carried else t.kind_of[u]].walk.exits[h]


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
    if u == s.board.tobruk_asu:
        return Reason("17.1.2c", Text("{unit} may not move", unit=u))
    return Reason("S1.2d", Text("{unit} must stay in {hex} until turn 11", unit=u, hex=s.at[u]))


# 5.1 to 5.4 The legs of a stack


class Spot(NamedTuple):
    """Of a move, what has nothing to do with enemies."""

    kind: int
    place: int
    points: int  # sixths, Rommel included
    gone: int  # what has been spent of them, or of the hexes of tactical movement
    run: int  # desert hexes behind it
    modes: int  # those that are open to it
    hexes: int  # of tactical movement
    box: bool  # whether it may enter an off-map box
    side: int


class Terms(NamedTuple):
    """Everything that decides where a stack can go. Nothing in it changes: it holds good for this position."""

    spot: Spot
    closed: Mask  # may not be entered
    zoned: Mask  # in EZOCs, limited ones included
    full: Mask  # in EZOCs that are not limited
    near: Mask  # beside an enemy, for whoever may have the road bonus (5.2.2a)
    tolls: Tolls  # what markers cost


def terms(s: State, now: Movers, run: int = 0, box: bool = True) -> Terms:
    """What decides where this stack can go; see `reach`."""
    board = s.board
    t = tables_of(board)
    group, _, units, side, foe, h, kind, spent, _, rommel = now
    ma, step = board.ma, s.step
    if group & group - 1:
        points = min([ma[u][step[u]] for u in units_of(group)]) * SIXTHS  # 5.1b
    else:
        u = group.bit_length() - 1
        points = ma[u][step[u]] * SIXTHS
    if rommel:
        points += t.rommel  # 18.5a
    modes = MODE.free(ALL_MODES, s, now)
    hexes = t.refreshed if units & s.refreshed else t.tactical
    may_enter = box and not board.box_mask >> h & 1
    spot = tuple.__new__(Spot, (kind, h, points, max(spent, 0), run, modes, hexes, may_enter, side))
    near = NOT_BESIDE.held(s, now) if modes >> ROAD_BONUS & 1 else 0
    closed, zoned = CLOSED.held(s, now), OUT_OF_ZOCS.held(s, now)
    return tuple.__new__(Terms, (spot, closed, zoned, full_zoc(s, foe), near, markers(s, side)))


def legs(board: Board, terms: Terms) -> Iterator[Leg]:
    """5.1 to 5.3 the ways in which a stack can move by points, in the order in which it prefers them."""
    t = tables_of(board)
    spot, closed, zoned, full, near, tolls = terms
    kind, h, points, gone, run, modes, _, _, _ = spot
    chart, door = t.kinds[kind].walk, t.doors[spot.side] if spot.box else None
    leaving = leaving_tolls(t, zoned, full)
    starts = starts_from(board, t, kind, h)
    farther: Leg | None = None
    if modes >> EXTENDED & 1:  # 5.3a
        more, shut = points + t.extended - gone, closed | zoned
        farther = Leg(EXTENDED, chart, h, more, shut, 0, full, leaving, tolls, True, run, starts, door)
    if modes >> NORMAL & 1 and points >= gone:
        yield Leg(
            NORMAL, chart, h, points - gone, closed, 0, full, leaving, tolls, True, run, starts, door, wider=farther
        )
    if farther is not None:
        yield farther
    if modes >> ROAD_BONUS & 1 and t.roads.exits[h]:  # 5.2.2
        if t.highways.exits[h]:
            yield Leg(ROAD_BONUS, t.highways, h, points + t.highway, closed, near, full, leaving, tolls, True, run)
        yield Leg(ROAD_BONUS, t.roads, h, points + t.track, closed, near, full, leaving, tolls, True, run)


def tactical_leg(board: Board, terms: Terms) -> Leg | None:
    """5.4a one hex or two, whatever they cost, if that is still allowed. Two are never too many desert hexes (5.5b)."""
    t = tables_of(board)
    spot, closed, full = terms.spot, terms.closed, terms.full
    if not spot.modes >> TACTICAL & 1:
        return None
    left = max(spot.hexes - spot.gone, 0)
    key = spot.kind, spot.place, left, spot.box, spot.side
    free = t.near_by.get(key) or t.near_by.keep(key, _tactical(board, t, spot, left, 0, 0))
    if (closed | full) & free.found.hexes & ~(1 << spot.place):
        return _tactical(board, t, spot, left, closed, full)
    return free


def _tactical(board: Board, t: Tables, spot: Spot, left: int, closed: Mask, full: Mask) -> Leg:
    h, kind = spot.place, t.kinds[spot.kind]
    starts = ((1, sum(1 << n for _, n in kind.leave.get(h, ())), 0),) if board.box_mask >> h & 1 else ()
    door = t.hops[spot.side] if spot.box else None
    return Leg(TACTICAL, kind.hexes, h, left, closed, 0, full, (), (), True, 0, starts, door)


def starts_from(board: Board, t: Tables, kind: int, h: Hex) -> Starts:
    """6.3.3c out of a box: where a move begins, and what its first hex costs."""
    if not board.box_mask >> h & 1:
        return ()
    return tuple((cost, 1 << n, 1 if board.desert >> n & 1 else 0) for cost, n in t.kinds[kind].leave.get(h, ()))


def leaving_tolls(t: Tables, zoned: Mask, full: Mask) -> Tolls:
    """7.2c, 7.3c what it costs to leave an EZOC, and a limited one."""
    last_zoned, last_full, found = t.leaving
    if zoned != last_zoned or full != last_full:
        tolls = ((t.toll, full), (t.limited_toll, zoned & ~full))
        found = tuple((toll, mask) for toll, mask in tolls if mask)
        t.leaving = zoned, full, found
    return found
