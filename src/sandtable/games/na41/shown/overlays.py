"""What can be laid over the map on demand: zones of control (7.1), supply of both sides with its lines (16.2), what
the enemy could attack (8.1), the range of aircraft (18.7.3). Control (16.3.5) stands in the scene itself."""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random
from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.scene import Overlay
from sandtable.engine.texts.text import term
from sandtable.mechanics.lines import way_along
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.showing import Overlays

from ..paths.legs import pinned
from ..paths.reaches import reach
from ..supply.supply_lines import fed_by_port, full, msu_hexes, open_to, source_limits, ways
from ..supply.support import air_range
from ..table.ids import AXIS, NORMAL, SIDES, TACTICAL
from ..table.position import zone
from ..table.state import State
from ..table.zones import overlapping

if TYPE_CHECKING:
    from ..game import NorthAfrica

TITLES = ("Axis", "Allied")


def overlays(game: NorthAfrica, view: View) -> list[Overlay]:
    """What each side wants to know; nothing in this game is secret."""
    s = game.imagine(view, Random(0))
    own = SIDES.index(view["side"]) if view["side"] else AXIS
    foe = enemy(own)
    return [
        zone_of_control(s, foe),
        zone_of_control(s, own),
        overlapping_zones(s, foe),
        full_supply(s, own),
        full_supply(s, foe),
        port_supply(s, own),
        threat(s, foe),
        range_of_aircraft(s, own),
    ]


def _on(s: State) -> Overlays:
    return Overlays(s.board.grid, SIDES, TITLES)


# 16 Supply


def full_supply(s: State, side: int) -> Overlay:
    """16.2a where a unit would be in full supply now, with the lines of those that are; cut off are the hexes of units
    that could be in none."""
    supplied = full(s, side)
    names = s.board.grid.names
    lines = [line(s, side, h) for h in hexes_of(s.occ[side] & supplied)]
    return {
        **_on(s).area(side, "supply", term("{side} full supply"), "16.2a", supplied),
        "paths": [[names[h] for h in path] for path in lines if len(path) > 1],
        "cut": _on(s).names(s.occ[side] & ~supplied & ~fed_by_port(s, side)),
    }


def port_supply(s: State, side: int) -> Overlay:
    """16.2b where a unit could have port supply, and no better; the ports with how many units they supply (16.2c)."""
    return {
        **_on(s).area(side, "port_supply", term("{side} port supply"), "16.2b", fed_by_port(s, side) & ~full(s, side)),
        "numbers": {s.board.grid.names[h]: str(n) for h, n in source_limits(s, side).items()},
    }


def line(s: State, side: int, start: Hex) -> list[Hex]:
    """16.3.1 a line of supply from this hex: across country to a road that leads to a source, to the edge beside an
    own box, or to an MSU that is supplied (16.3.4a; its own line goes on from there); then along the road."""
    way = ways(s.board)
    through, _ = open_to(s, side)
    goals = way.along(way.source_roads[side], through)
    chain = msu_hexes(s, side) & full(s, side) & ~(1 << start)
    path = _overland(s, side, start, goals, way.near[side], chain)
    if path and goals >> path[-1] & 1:
        path += way_along(s.board.steps, s.board.roads, through, path[-1], way.source_roads[side])  # 16.3.3a
    return path


def _overland(s: State, side: int, start: Hex, goals: Mask, near: Mask, chain: Mask) -> list[Hex]:
    """16.3.2 the shortest way across country into one of the goals or to an MSU on a road to it; [] if there is none.

    From a hex of `near` one more hex leads off the map.
    """
    board, way = s.board, ways(s.board)
    through, first = open_to(s, side)
    ends = goals | way.along(chain, through)
    length, run = way.length, board.general["desert_run_hexes"]
    heap: list[tuple[int, int, Hex, int, tuple[Hex, ...]]] = [(0, 0, start, 0, (start,))]
    seen: set[tuple[Hex, int]] = set()
    while heap:
        cost, steps, h, dry, path = heappop(heap)
        if ends >> h & 1 or (near >> h & 1 and cost < length):
            return list(path)
        if (h, dry) in seen:
            continue
        seen.add((h, dry))
        for d, n in board.steps[h]:
            road = bool(board.roads[d] >> h & 1)
            if not (first if not steps else through) >> n & 1 or n in path:
                continue
            if not road and (board.trackless >> n & 1 or (steps and board.escarpments[d] >> h & 1)):
                continue  # 16.3.2c, 16.3.2d
            more = cost + (2 if board.hard >> n & 1 and not road else 1)  # 16.3.2b
            dries = dry + 1 if board.desert >> n & 1 else 0
            if more <= length and dries <= run:  # 16.3.2a, 16.3.2e
                heappush(heap, (more, steps + 1, n, dries, (*path, n)))
    return []


# 7 Zones of control


def zone_of_control(s: State, side: int) -> Overlay:
    """7.1a the ZOC of a side, limited ZOCs included."""
    return _on(s).area(side, "zoc", term("{side} zones of control"), "7.1a", zone(s, side))


def overlapping_zones(s: State, side: int) -> Overlay:
    """7.4a the overlapping ZOCs of a side, through which the enemy neither retreats nor draws supply."""
    return _on(s).area(side, "overlapping", term("{side} overlapping zones of control"), "7.4a", overlapping(s, side))


# 8 What the enemy could attack


def threat(s: State, side: int) -> Overlay:
    """8.1a the hexes that a side could attack in its next Combat Phase: how many attack points its units could bring
    up by normal or tactical movement, before anything is halved, doubled or limited."""
    board = s.board
    able = board.of_side[side] & board.combat & ~(s.disrupted | s.routed | s.shipped | s.refreshed) & ~pinned(s)
    points: dict[Hex, int] = {}
    for u in units_of(able):
        h = s.at[u]
        attack = board.att[u][s.step[u]]
        if h < 0 or not attack or (board.is_box(h) and h not in board.entry_hexes):  # 6.3.2c
            continue
        found = reach(s, 1 << u)
        ends = (found.masks[NORMAL] | found.masks[TACTICAL] | 1 << h) & board.land
        attacked = 0
        for n in hexes_of(ends):
            attacked |= board.around[n]
        for n in hexes_of(attacked & ~s.men[side]):
            points[n] = points.get(n, 0) + attack
    return _on(s).threat(side, "8.1a", points)


# 18.7 Aircraft


def range_of_aircraft(s: State, side: int) -> Overlay:
    """18.7.3 the hexes in which a side can use its air support and strafing."""
    return _on(s).area(side, "air", term("{side} air range"), "18.7.3", air_range(s, side) & s.board.land)
