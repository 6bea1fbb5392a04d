"""5.9 The railway, and 5.8.4 the special transfer of trucks."""

from __future__ import annotations

from sandtable.engine.contract import Action
from sandtable.engine.floods import flood
from sandtable.engine.hexes import Hex, Mask, Sides, either
from sandtable.mechanics.masks import enemy, hexes_in
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import fresh_points, pinned
from ..paths.modes import supplied_hexes
from ..retreat import displacement
from ..supply.supply_lines import full, hostile
from ..table import captures
from ..table.board import Board
from ..table.ids import ALLIED
from ..table.position import add_sp, put, touch
from ..table.state import State
from ..table.verbs import V_RAIL, V_RAIL_SP, V_TRANSFER
from ..table.zones import ezoc

# 5.9 The railway


class Line:
    """5.9.1a, 5.9.2a the railway as it is in a turn, and its stations."""

    __slots__ = ("hexes", "known", "link", "rails", "stations")

    def __init__(self, board: Board, extended: bool) -> None:
        chart = board.pack.tables["railway"]
        self.rails: Sides = either(board.railway, board.railway_extension) if extended else board.railway
        self.hexes: Mask = 0
        for mask in self.rails:
            self.hexes |= mask
        self.link: Hex = board.grid.index[chart["box_link_hex"]]
        self.hexes |= 1 << self.link
        # 5.9.1e a city, town or landmark on the line
        self.stations: Mask = self.hexes & (board.city | board.towns | board.landmarks)
        self.known: dict[tuple[int, Mask], Mask] = {}


def line(s: State) -> Line:
    """5.9.2a the railway reaches Misheifa on turn 17, whatever the Axis does (5.9.2b)."""
    found: tuple[int, Line, Line] | None = s.board.kept.get("railway")
    if found is None:
        turn = int(s.board.pack.tables["railway"]["extension_turn"])
        found = s.board.kept["railway"] = turn, Line(s.board, False), Line(s.board, True)
    turn, short, extended = found
    return extended if s.turn >= turn else short


def stations_from(s: State, place: int) -> Mask:
    """5.9.1 the stations, and the Nile Delta, to which a train can go from here.

    5.9.1d through no EZOC, limited ones included, and out of none; not through enemy units or places that the enemy
    controls, which 27.4b opens only when nobody does.
    """
    board, way = s.board, line(s)
    delta = 1 << board.delta
    if not (way.stations | delta) >> place & 1:
        return 0
    foe = enemy(ALLIED)
    closed = ezoc(s, ALLIED) | s.occ[foe] | supplied_hexes(s, foe) | hostile(s, ALLIED)
    closed &= way.hexes
    key = place, closed
    found = way.known.get(key)
    if found is None:
        start = way.link if place == board.delta else place
        if closed >> start & 1:
            found = 0
        else:
            on_line = flood(board.grid, 1 << start, way.rails, closed)
            found = on_line & way.stations
            if on_line >> way.link & 1:
                found |= delta
            found &= ~(1 << place)
        if len(way.known) > 500:
            way.known.clear()
        way.known[key] = found
    return found


def rideable(s: State) -> int:
    """5.9.1b, 5.9.1f one combat unit or replacement of the Allies in a phase; 13.2.1a, 13.3.3, 16.4a, 19.5b not one
    that is Disrupted, in Full Retreat, out of supply or under a replacement marker."""
    board = s.board
    if s.active != ALLIED or s.rail_used:
        return 0
    kinds = (board.combat | board.replacements) & ~(s.disrupted | s.routed | s.oos | s.refreshed)
    return kinds & ~(s.moved | s.auto | s.shipped | pinned(s)) & board.of_side[ALLIED]


def may_ride(s: State, u: int) -> bool:
    """5.9.1b whether this unit is one of them."""
    return bool(rideable(s) >> u & 1)


def riders(s: State, place: int) -> int:
    """5.9.1e the units of a place for which there is a station to go to."""
    units = s.here.get(place, 0) & rideable(s)
    return units if units and stations_from(s, place) else 0


def ride_actions(s: State, u: int) -> list[Action]:
    """5.9.1e every station that this unit can go to by rail."""
    if not may_ride(s, u):
        return []
    return [(V_RAIL, u, h) for h in hexes_in(stations_from(s, s.at[u]))]


def crossed(s: State, place: int, to: int) -> list[Hex]:
    """9.5.7a, 16.3.5a the hexes of the line in which something may change when a train goes from one place to another:
    empty fortifications, and 27.4b ports that nobody holds."""
    board, way = s.board, line(s)
    start, goal = (way.link if end == board.delta else end for end in (place, to))
    found = captures.matters(s, ALLIED, list(hexes_in(way.hexes & ~(1 << place))))
    return [h for h in found if h in (start, goal) or not flood(board.grid, 1 << start, way.rails, 1 << h) >> goal & 1]


def ride(s: State, u: int, to: int) -> None:
    """5.9.1c, 5.9.1g the unit goes by rail and has a marker until the next Allied Initial Phase."""
    on_the_way = crossed(s, s.at[u], to)
    emit(s, "railed", "5.9.1b", {"unit": u, "side": s.active, "from": s.at[u], "to": to})
    put(s, u, to)
    for h in on_the_way:
        captures.enter(s, ALLIED, h)
    s.shipped |= 1 << u
    s.railed |= 1 << u
    s.moved |= 1 << u
    s.rail_used = 1
    displacement.check(s, 1 << u)  # 13.3.2e


def ride_sp_actions(s: State) -> list[Action]:
    """5.9.1b every SP that could go by rail, and where."""
    if s.active != ALLIED or s.rail_used:
        return []
    stops = line(s).stations | 1 << s.board.delta
    return [
        (V_RAIL_SP, place, h)
        for place in sorted(s.sp[ALLIED])
        if stops >> place & 1 and fresh_points(s, ALLIED, place) > 0
        for h in hexes_in(stations_from(s, place))
    ]


def ride_sp(s: State, place: int, to: int) -> None:
    """5.9.1b, 5.9.1i an SP goes by rail; it cannot be used until the marker is removed."""
    add_sp(s, ALLIED, place, -1)
    add_sp(s, ALLIED, to, 1)
    s.sp_held[ALLIED][to] = s.sp_held[ALLIED].get(to, 0) + 1
    s.rail_used = 1
    touch(s)
    emit(s, "sp_railed", "5.9.1b", {"side": ALLIED, "from": place, "to": to})


# 5.8.4 Special transfer


def may_transfer(s: State, u: int) -> bool:
    """5.8.4b, 5.8.4c a truck without a load in full supply; not out of Italy (6.3.2c), nor one that may not leave a
    box or goes one hex (19.5b)."""
    return _transferable(s, u) and bool(full(s, s.board.side[u]) >> s.at[u] & 1)


def _transferable(s: State, u: int) -> bool:
    """The same, supply aside."""
    board = s.board
    return bool(board.trucks & ~(s.msu | s.refreshed | s.moved | s.shipped) & 1 << u) and s.at[u] != board.italy


def transfer_actions(s: State, u: int) -> list[Action]:
    """5.8.4a the friendly box that adjoins the map (A39), and every hex with a combat unit or SP in full supply."""
    if not may_transfer(s, u):
        return []
    return [(V_TRANSFER, u, h) for h in hexes_in(transfer_places(s, s.board.side[u]) & ~(1 << s.at[u]))]


def transfer_places(s: State, side: int) -> Mask:
    """5.8.4a where trucks may be transferred to; not into ground that is closed to them."""
    box = s.board.tripoli if side != ALLIED else s.board.delta
    return _depots(s, side) & full(s, side) | 1 << box


def _depots(s: State, side: int) -> Mask:
    """The hexes with a combat unit or SP where trucks could be."""
    places = s.men[side]
    for h in s.sp[side]:
        places |= 1 << h
    return places & ~(s.board.box_mask | s.board.bog)


def imaginable_transfers(s: State, u: int) -> Mask:
    """5.8.4 where a truck could be transferred to if supply reached everywhere."""
    if not _transferable(s, u):
        return 0
    side = s.board.side[u]
    box = s.board.tripoli if side != ALLIED else s.board.delta
    return (_depots(s, side) | 1 << box) & ~(1 << s.at[u])


def can_transfer(s: State, u: int, to: int) -> bool:
    """5.8.4 whether a truck can be transferred to this of them."""
    return may_transfer(s, u) and bool(transfer_places(s, s.board.side[u]) >> to & 1)


def transfer(s: State, u: int, to: int) -> None:
    """5.8.4a a truck is placed somewhere else instead of moving."""
    emit(s, "transferred", "5.8.4a", {"unit": u, "side": s.active, "from": s.at[u], "to": to})
    put(s, u, to)
    s.moved |= 1 << u
    s.moved_at_all = 1  # 17.4a
