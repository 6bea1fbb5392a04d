"""5.9 The railway, and 5.8.4 the special transfer of trucks."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Reason
from sandtable.engine.floods import flood
from sandtable.engine.hexes import Hex, Mask, Sides, either
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.masks import enemy, hexes_in
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Linked
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import fresh_points
from ..retreat import displacement
from ..supply.supply_lines import full, hostile
from ..table import captures
from ..table.board import Board
from ..table.ids import ALLIED
from ..table.position import add_sp, dumps, put, stores, touch
from ..table.state import State
from ..table.verbs import V_RAIL, V_RAIL_SP
from ..table.zones import ezoc

# 5.9 The railway


class Line:
    """5.9.1a, 5.9.2a the railway as it is in a turn, and its stations."""

    __slots__ = ("board", "hexes", "link", "passed", "rails", "stations", "stops", "unbuilt")

    def __init__(self, board: Board, extended: bool) -> None:
        self.board = board
        self.rails: Sides = either(board.railway, board.railway_extension) if extended else board.railway
        self.link: Hex = board.grid.index[board.pack.tables["railway"]["box_link_hex"]]
        self.hexes: Mask = 1 << self.link
        for mask in self.rails:
            self.hexes |= mask
        # 5.9.1e a city, town or landmark on the line
        self.stations: Mask = self.hexes & (board.city | board.towns | board.landmarks)
        self.stops: Mask = self.stations | 1 << board.delta
        self.passed: Mask = self.hexes & ~self.stations
        self.unbuilt: Mask = 1 << board.grid.index[board.pack.tables["railway"]["extension_end"]] & ~self.hexes


@remembered()
def _lines(board: Board) -> tuple[int, Line, Line]:
    return int(board.pack.tables["railway"]["extension_turn"]), Line(board, False), Line(board, True)


def line(s: State) -> Line:
    """5.9.2a the railway reaches Misheifa on turn 17, whatever the Axis does (5.9.2b)."""
    turn, short, extended = _lines(s.board)
    return extended if s.turn >= turn else short


@remembered()
def _open(way: Line, place: int, closed: Mask) -> Mask:
    """5.9.1 the stations, and the Nile Delta, to which a train can go from here past these hexes."""
    delta = way.board.delta
    start = way.link if place == delta else place
    if closed >> start & 1:
        return 0
    on_line = flood(way.board.grid, 1 << start, way.rails, closed)
    found = on_line & way.stations | (1 << delta if on_line >> way.link & 1 else 0)
    return found & ~(1 << place)


def stations_from(s: State, place: int) -> Mask:
    """5.9.1 the stations, and the Nile Delta, to which a train can go from here.

    5.9.1d through no EZOC, limited ones included, and out of none; not through enemy units or places that the enemy
    controls, which 27.4b opens only when nobody does.
    """
    way, foe = line(s), enemy(ALLIED)
    if not way.stops >> place & 1:
        return 0
    closed = ezoc(s, ALLIED) | s.occ[foe] | dumps(s, foe) | hostile(s, ALLIED)
    return _open(way, place, closed & way.hexes)


TRAINS: Bars[State, object] = Bars(
    Bar("5.9.1f", "the Axis may not use the railway", lambda s, _: all_if(s.active != ALLIED)),
    Bar("5.9.1b", "the railway carries one unit or SP in a phase, and has done so", lambda s, _: all_if(s.rail_used)),
)
NO_LINE = term("the railway does not lead to {hex}")
STOPS: Bars[State, object] = Bars(
    Bar(
        "5.9.1e",
        "{hex} is no station: trains stop in cities, towns and landmarks",
        lambda s, _: line(s).passed,
    ),
    Bar("5.9.2a", NO_LINE, lambda s, _: line(s).unbuilt),
    Need("5.9.1a", NO_LINE, lambda s, _: line(s).stops),
)
GOALS: Bars[State, int] = Bars(
    Bar("5.9.1e", "a train that stays in {hex} carries nobody", lambda s, place: 1 << place),
    STOPS,
    Need("5.9.1d", "the railway to {hex} is blocked: no train enters or leaves an enemy ZOC", stations_from),
)
"""5.9.1 where a train goes from a place."""


def _off_line(s: State, _: object, u: int) -> Reason:
    """5.9.1a, 5.9.1e the unit is at no station."""
    reason = STOPS.why(s.at[u], s, None, {"hex": s.at[u]})
    assert reason is not None
    return reason


RIDERS: Bars[State, object] = Bars(
    TRAINS,
    Need(
        "5.9.1b",
        "{unit}: the railway carries combat units, replacements and SPs",
        lambda s, _: s.board.combat | s.board.replacements,
    ),
    Bar("13.2.1a", "{unit} is not in Good Order and may not use the railway", lambda s, _: s.disrupted | s.routed),
    Bar("16.4a", "{unit} is out of supply and uses tactical movement only", lambda s, _: s.oos),
    Bar("19.5b", "{unit} took a replacement and may not use the railway", lambda s, _: s.refreshed),
    Doubt("5.9.1a", _off_line, lambda s, _, u: STOPS.holds(s.at[u], s, None)),
)
"""5.9.1b one combat unit or replacement of the Allies in a phase (5.9.1f)."""


def riders(s: State, place: int) -> int:
    """5.9.1e the units of a place for which there is a station to go to."""
    if s.active != ALLIED or s.rail_used:
        return 0
    units = RIDERS.unheld(s.here.get(place, 0), s, None)
    return units if units and stations_from(s, place) else 0  # from what is no station (5.9.1a) none is to be had


def ride_actions(s: State, u: int) -> list[Action]:
    """5.9.1e every station that this unit can go to by rail."""
    if RIDERS.holds(u, s, None):
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


BY_TRAIN: Bars[State, object] = Bars(
    TRAINS,
    Need(
        "5.9.1b",
        "{hex} has no supply point that could go by rail",
        lambda s, _: sum(1 << h for h in s.sp[ALLIED] if fresh_points(s, ALLIED, h) > 0),
    ),
    STOPS,
)
RAIL_SP: Linked[State, Any, Any] = Linked(
    V_RAIL_SP,
    first=BY_TRAIN,
    of=lambda s, _: 0 if s.active != ALLIED or s.rail_used else stores(s, ALLIED) & line(s).stops,
    second=GOALS,
    to=stations_from,
    facts=lambda s, place: {"hex": place},
    take=lambda s, f, place, to: ride_sp(s, place, to),
)
"""5.9.1b every SP that could go by rail, and where."""


def ride_sp(s: State, place: int, to: int) -> None:
    """5.9.1b, 5.9.1i an SP goes by rail; it cannot be used until the marker is removed."""
    add_sp(s, ALLIED, place, -1)
    add_sp(s, ALLIED, to, 1)
    s.sp_held[ALLIED][to] = s.sp_held[ALLIED].get(to, 0) + 1
    s.rail_used = 1
    touch(s)
    emit(s, "sp_railed", "5.9.1b", {"side": ALLIED, "from": place, "to": to})


# 5.8.4 Special transfer


TRUCKS: Bars[State, object] = Bars(
    Need("5.8.4a", "{unit} is no truck", lambda s, _: s.board.trucks),
    Bar("5.8.4c", "{unit} is an MSU: a truck carries nothing in a special transfer", lambda s, _: s.msu),
    Bar("6.3.2c", "Italy is left and entered by sea or air only", lambda s, _: s.here.get(s.board.italy, 0)),
    Bar("19.5b", "{unit} is under a replacement marker and moves at most 1 hex", lambda s, _: s.refreshed),
    Doubt(
        "5.8.4b",
        "{unit} is out of supply, or a port is its only source",
        lambda s, _, u: not full(s, s.board.side[u]) >> s.at[u] & 1,
    ),
)
"""5.8.4b, 5.8.4c a truck without a load in full supply."""

NOBODY_THERE = term("{hex} holds no friendly combat unit or SP in full supply")
DEPOTS: Bars[State, int] = Bars(
    Bar("6.3.2c", "Italy is left and entered by sea or air only", lambda s, _: 1 << s.board.italy),
    Bar("5.8.4a", "{hex} is marsh without a road: no mechanised unit can be there", lambda s, _: s.board.bog),
    Need("5.8.4a", NOBODY_THERE, lambda s, u: _depots(s, s.board.side[u]) & ~(1 << s.at[u])),
    Doubt("5.8.4a", NOBODY_THERE, lambda *_: True, lambda s, u: ~(full(s, s.board.side[u]) | s.board.box_mask)),
)
"""5.8.4a the friendly box that adjoins the map (A39), and every hex with a combat unit or SP in full supply."""


def _depots(s: State, side: int) -> Mask:
    """The hexes with a combat unit or SP where trucks could be, and the box."""
    return s.men[side] | dumps(s, side) | 1 << (s.board.tripoli if side != ALLIED else s.board.delta)


def transfer(s: State, u: int, to: int) -> None:
    """5.8.4a a truck is placed somewhere else instead of moving."""
    emit(s, "transferred", "5.8.4a", {"unit": u, "side": s.active, "from": s.at[u], "to": to})
    put(s, u, to)
    s.moved |= 1 << u
    s.moved_at_all = 1  # 17.4a
