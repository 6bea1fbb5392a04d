"""14.2, 14.3 Lines of supply: in which hexes a unit would be in full or limited supply at this moment.

The hexes are worked out backwards, from the sources along railways and roads and then up to five hexes
across country (mechanics/lines.py), for the whole map at once.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, either, hexes_of
from sandtable.mechanics.lines import Steps, way_along
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.memory import forget, remembered

from ..table.board import FINISHED_RAILWAY_TURN, Ground
from ..table.ids import AXIS, AZOV, SOVIET
from ..table.state import State, controlled, controls, zone

LENGTH = 5  # 14.3b, A37
KEPT_LINES = 1_000  # states of the railway that are kept
SINGLE = 1  # 14.3i mountain and marsh hexes that leave full supply as it is


# 14.2 Supply sources


def entry_sources(s: State, side: int) -> Mask:
    """14.21 the full supply sources of a side: its entry hexes, while it controls them."""
    return s.board.entry_hexes[side] & controlled(s, side)


def port_sources(s: State, side: int) -> Mask:
    """14.22a the limited supply sources: the ports that a side controls, for the Soviets by 14.22d and 14.22e."""
    board = s.board
    ports = board.ports & controlled(s, side)
    if side == SOVIET:
        ports &= ~(board.no_soviet_supply | s.oos_hexes)  # 14.22e, A56
        if controls(s, AXIS, board.temryuk):  # 14.22d
            ports &= ~board.ports_of[AZOV]
    return ports


# 14.3 Lines of supply


class Ways:
    """What a line may follow in one season, before or after the unfinished railway is finished (2.33)."""

    __slots__ = ("country", "hard", "made", "made_sides", "rail_sides", "rails", "roads")

    def __init__(self, ground: Ground, finished: bool) -> None:
        board, grid = ground.board, ground.board.grid
        rails = either(board.rails, board.supply_rails)  # 2.34 the Sochi to Sukhumi railway is good for this
        if finished:  # 2.33b
            rails = either(rails, board.unfinished_rails)
        rails = tuple(r & o for r, o in zip(rails, ground.open, strict=True))
        self.rail_sides = rails
        self.made_sides = either(rails, ground.roads)
        self.rails = Steps(grid, rails)
        self.roads = Steps(grid, ground.roads)
        self.country = Steps(grid, ground.open)  # 14.3e no sea, lake or alpine hexside, no closed pass
        self.made = Steps(grid, self.made_sides)
        self.hard = ground.having("los_off_road_limited")


def ways(s: State) -> Ways:
    return _ways(s.ground, s.turn >= FINISHED_RAILWAY_TURN)


_ways = remembered()(Ways)


def passable(s: State, side: int, own: Mask) -> Mask:
    """14.3e, 14.3f the hexes that a line may enter: none with enemy units, and no empty one in EZOC.

    `own` are the hexes with friendly units. The enemy cannot block an entry hex A to E (4.1d), and has no
    lines through those of the other side.
    """
    foe = enemy(side)
    free = s.ground.land & ~(zone(s, foe) & ~own) & ~s.occ[foe] & ~s.board.barred[side]
    return free | s.board.special_entries[side]


def beginnings(s: State, side: int) -> Mask:
    """Where a unit of this side could stand, so that a line could begin there."""
    return s.ground.land & ~s.occ[enemy(side)] & ~s.board.barred[side]


def full_with(s: State, side: int, own: Mask) -> Mask:
    """14.1c full supply, were the friendly units in the hexes of `own`.

    A line of five hexes to an entry hex or to a rail hex that leads there along the railway (14.3b to d).
    Mountain and marsh hexes off road count, the unit's own too: one does no harm, a second spoils it
    (14.3h, 14.3i). A hex is passed along a railway or road if the line leaves it along one.
    """
    way = ways(s)
    through = passable(s, side, own)
    sources = entry_sources(s, side)
    ends = sources | _railway(s, sources, through)
    return way.country.widen_hard(ends, through, LENGTH, way.hard, way.made, SINGLE) & beginnings(s, side)


def line(s: State, side: int, start: Hex) -> list[Hex]:
    """14.3b to 14.3d a line of full supply from this hex to its source, short across country; [] if there is none."""
    way, ground = ways(s), s.ground
    through = passable(s, side, s.occ[side])
    sources = entry_sources(s, side)
    ends = (sources | _railway(s, sources, through)) & through
    queue: list[tuple[tuple[Hex, ...], int]] = [((start,), 0)]
    seen: set[tuple[Hex, int]] = set()
    for path, rough in queue:
        h = path[-1]
        if ends >> h & 1:
            return [*path, *way_along(s.board.grid.neighbours, way.rail_sides, through, h, sources)]
        if (h, rough) in seen or len(path) > LENGTH:
            continue
        seen.add((h, rough))
        for d, n in s.board.grid.neighbours[h]:
            more = rough + (way.hard >> h & 1 and not way.made_sides[d] >> h & 1)
            if ground.open[d] >> h & 1 and through >> n & 1 and more <= SINGLE:
                queue.append(((*path, n), more))
    return []


def limited_with(s: State, side: int, own: Mask, ports: Mask) -> Mask:
    """14.1d, 14.3h at least limited supply, were the friendly units in the hexes of `own` and these ports sources.

    A line of five hexes to a port (A37), or to a road that leads to a port or entry hex, or one that would
    give full supply but for mountains and marshes.
    """
    way = ways(s)
    through = passable(s, side, own)
    sources = entry_sources(s, side)
    by_road = way.roads.along(sources | ports, through)
    ends = sources | ports | by_road | _railway(s, sources, through)
    return way.country.widen(ends, through, LENGTH) & beginnings(s, side)


def _railway(s: State, sources: Mask, through: Mask) -> Mask:
    """14.3d the rail hexes that lead to a source along the railway. Kept: nothing but the railway matters to it."""
    rails = ways(s).rails
    return _joined(rails, sources, through & rails.hexes)


@remembered(KEPT_LINES)
def _joined(rails: Steps, sources: Mask, through: Mask) -> Mask:
    return rails.along(sources, through)


def fed_by(s: State, side: int, ports: Mask) -> dict[Hex, Mask]:
    """14.1d, A37 by port, the hexes from which a line of five hexes leads to it or to a road that leads there.

    Ports on one open road serve the same hexes.
    """
    way = ways(s)
    through = passable(s, side, s.occ[side])
    begin = beginnings(s, side)
    found: dict[Hex, Mask] = {}
    joined: list[tuple[Mask, Mask]] = []  # open roads, and what they serve
    for port in hexes_of(ports):
        for road, served in joined:
            if road >> port & 1:
                found[port] = served
                break
        else:
            road = way.roads.along(1 << port, through)
            found[port] = way.country.widen(road | 1 << port, through, LENGTH) & begin
            joined.append((road, found[port]))
    return found


def full(s: State, side: int) -> Mask:
    """The hexes where a unit of this side would be in full supply now."""
    found: Mask | None = s.memo.get(("full", side))
    if found is None:
        found = s.memo["full", side] = full_with(s, side, s.occ[side])
    return found


def limited(s: State, side: int) -> Mask:
    """The hexes where a unit of this side would be at least in limited supply now, small ports included (14.22c)."""
    found: Mask | None = s.memo.get(("limited", side))
    if found is None:
        found = s.memo["limited", side] = limited_with(s, side, s.occ[side], port_sources(s, side))
    return found


def connected_rail(s: State, side: int) -> Mask:
    """14.3g, A38 the connected rail hexes, by the letter: the railway to a friendly-controlled entry hex is free
    of enemy units and of enemy ZOC, whoever stands there. Nobody can block the entry hexes A to E (4.1d)."""
    found: Mask | None = s.memo.get(("connected", side))
    if found is None:
        found = s.memo["connected", side] = _railway(s, entry_sources(s, side), passable(s, side, 0))
    return found


def traces(s: State, side: int, targets: Mask) -> Mask:
    """14.6b, A39 the hexes from which a line of any length leads to one of the targets."""
    way = ways(s)
    return way.country.flood(targets, passable(s, side, s.occ[side])) & beginnings(s, side)


def connected_to(s: State, side: int) -> Mask:
    """14.6b the hexes where a unit would not be isolated: a line of any length leads to a supply source."""
    found: Mask | None = s.memo.get(("connected_to", side))
    if found is None:
        found = s.memo["connected_to", side] = traces(s, side, entry_sources(s, side) | port_sources(s, side))
    return found


def temryuk_cut_off(s: State) -> bool:
    """A56 a Soviet unit in Temryuk could trace neither full supply nor limited supply without the Azov ports."""
    board = s.board
    held: Hex = board.temryuk
    if full(s, SOVIET) >> held & 1:
        return False
    ports = port_sources(s, SOVIET) & ~board.ports_of[AZOV]
    return not limited_with(s, SOVIET, s.occ[SOVIET], ports) >> held & 1


def supply_of_the_map(s: State) -> tuple[Mask, ...]:
    """14.1 where units would be in full and in limited supply, both sides, with nothing known from before."""
    s.memo = {}
    s.zones = [-1, -1]
    forget(_joined)
    return tuple(find(s, side) for side in (AXIS, SOVIET) for find in (full, limited))
