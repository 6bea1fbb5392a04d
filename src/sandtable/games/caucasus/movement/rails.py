"""7.22 Rail and sea movement, 16.23 landings, 15.3a the flotilla, 15.6 the armoured train, 15.9 the 454th.

All of them leave the ordinary way of moving (routes.py) aside: a unit goes by rail or by sea and that is
its whole move.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action, Reason
from sandtable.engine.hexes import Hex, Mask, Sides, touching
from sandtable.engine.reach import flood, layers
from sandtable.mechanics.masks import enemy, hexes_in
from sandtable.mechanics.telling import emit

from ..combat.support import air_range, ready
from ..paths.legs import Reach, reachable, tables
from ..table import verbs
from ..table.ids import AXIS, AZOV, FLEET, SEAS, SOVIET
from ..table.state import State, controlled, enter, zone

KEPT_LINES = 1_000  # positions of which the joined rail hexes are kept

# 7.22i to 7.22q Rail movement


def rail_hexes(s: State) -> Mask:
    """7.22k, 7.22q the hexes of railways that may be used for rail movement."""
    kept = s.ground.kept
    found: Mask | None = kept.get("rail_hexes")
    if found is None:
        found = kept["rail_hexes"] = touching(_tracks(s))
    return found


def _tracks(s: State) -> Sides:
    """The rails of 7.22q across hexsides that can be crossed."""
    kept = s.ground.kept
    found: Sides | None = kept.get("tracks")
    if found is None:
        found = kept["tracks"] = tuple(rails & free for rails, free in zip(s.board.rails, s.ground.open, strict=True))
    return found


def open_rails(s: State, side: int) -> Mask:
    """7.22k, 7.22m, 7.22o, A13 the rail hexes that are friendly to this side now.

    Free of enemy units and EZOC, not an enemy-controlled place, and connected by such hexes to a friendly
    major city or entry hex. Tbilisi and entry hex F, the ends of the off-map railway (7.22p), are both
    such hexes themselves.
    """
    foe, board = enemy(side), s.board
    mine = controlled(s, side)
    good = rail_hexes(s) & ~(s.occ[foe] | zone(s, foe) | board.barred[side]) & ~(board.places & ~mine)
    sources = (board.major_cities | board.entry_hexes[side]) & mine & good
    return flood(board.grid, sources, _tracks(s), board.grid.all & ~good) if sources else 0


def rail_reach(s: State, u: int) -> tuple[Mask, Mask]:
    """Where a unit can go by rail: along the railway, and (7.22p) over the off-map link to its far end."""
    board, side, h = s.board, s.board.side[u], s.at[u]
    usable = s.rail_open & ~(s.occ[enemy(side)] | zone(s, enemy(side)))  # 7.22l, 7.22o
    if not usable >> h & 1 or not board.ma[u][s.step[u]]:  # 7.22n
        return 0, 0
    barred = board.grid.all & ~usable
    start = 1 << h
    if s.oos >> u & 1:  # 14.4c
        steps = layers(board.grid, start, _tracks(s), tables(s).oos_hexes, barred)
        return sum(steps) & ~start, 0
    found = _line(s, h, usable)
    linked = 0
    if side == SOVIET:
        one, other = board.off_map_rail
        if found >> one & 1:
            linked |= 1 << other
        if found >> other & 1:
            linked |= 1 << one
    return found & ~start, linked & usable & ~found


def _line(s: State, h: Hex, usable: Mask) -> Mask:
    """All usable rail hexes that are joined to this one: kept, since rails change hands seldom in a phase."""
    lines: dict[Mask, list[Mask]] = s.ground.kept.setdefault("rail_lines", {})
    parts = lines.get(usable)
    if parts is None:
        if len(lines) > KEPT_LINES:
            lines.clear()
        parts = lines[usable] = []
    for part in parts:
        if part >> h & 1:
            return part
    grid = s.board.grid
    parts.append(flood(grid, 1 << h, _tracks(s), grid.all & ~usable))
    return parts[-1]


def rail_actions(s: State, u: int) -> list[Action]:
    """7.22 `rail H`: one unit a side in a First Movement Phase."""
    if s.rail_used or s.rebuilt >> u & 1 or not s.rail_open >> s.at[u] & 1:
        return []
    near, linked = rail_reach(s, u)
    return tables(s).rail(near | linked)


def rail_path(s: State, u: int, h: Hex) -> list[Hex]:
    """7.22k the rail hexes that lead there; over the off-map link (7.22p) the map is left and entered again."""
    board = s.board
    usable = s.rail_open & ~(s.occ[enemy(board.side[u])] | zone(s, enemy(board.side[u])))
    near, _ = rail_reach(s, u)
    if near >> h & 1:
        return along(s, s.at[u], h, usable)
    one, other = board.off_map_rail
    end = one if h == other else other
    return [*along(s, s.at[u], end, usable), h]


def along(s: State, start: Hex, end: Hex, usable: Mask) -> list[Hex]:
    """The shortest way along the railway through usable hexes: the hexes entered."""
    if start == end:
        return []
    lines = _rail_lines(s)
    far, ring = {start: 0}, [start]  # how far the railway has been followed, and its last hexes
    while end not in far:
        away = far[ring[0]] + 1
        following = []
        for h in ring:
            for n in lines[h]:
                if n not in far and usable >> n & 1:
                    far[n] = away
                    following.append(n)
        ring = following
    way = [end]
    for away in range(far[end] - 1, 0, -1):
        way.append(next(n for n in lines[way[-1]] if far.get(n) == away))
    way.reverse()
    return way


def _rail_lines(s: State) -> list[tuple[Hex, ...]]:
    """By hex, the hexes that the rails of 7.22q join it to."""
    kept = s.ground.kept
    found: list[tuple[Hex, ...]] | None = kept.get("rail_lines_of_hexes")
    if found is None:
        tracks, neighbours = _tracks(s), s.board.grid.neighbours
        found = kept["rail_lines_of_hexes"] = [
            tuple(n for d, n in neighbours[h] if tracks[d] >> h & 1) for h in range(s.board.size)
        ]
    return found


def ride(s: State, u: int, h: Hex) -> None:
    """7.22i the unit goes by rail."""
    path, start = rail_path(s, u, h), s.at[u]
    s.rail_used = 1  # 7.22j
    emit(s, "railed", "7.22i", {"unit": u, "side": s.board.side[u], "from": start, "to": h, "path": path})
    enter(s, u, h)


# 7.22c to 7.22h Sea movement, 16.14 air cover


def ports_for(s: State, u: int) -> list[tuple[Hex, int]]:
    """7.22d where a Soviet unit can go by sea, and how many air markers cover it (16.14)."""
    board, h = s.board, s.at[u]
    sea = board.port_sea.get(h, -1)
    if sea < 0 or s.sea_used >> sea & 1 or (sea == AZOV and not board.naval >> u & 1):  # 7.22f, 7.22g
        return []
    mine = controlled(s, SOVIET)
    if not mine >> h & 1 or not board.ma[u][s.step[u]] or (s.oos | s.rebuilt) >> u & 1:
        return []
    ezoc = zone(s, AXIS)
    flown = air_range(s, SOVIET) if ezoc & board.ports_of[sea] else 0
    leaving = ezoc >> h & 1
    if leaving and not flown >> h & 1:
        return []
    most = len(ready(s, SOVIET))
    found = []
    for port in hexes_in(board.ports_of[sea] & mine & ~(1 << h) & ~s.occ[AXIS]):
        arriving = ezoc >> port & 1
        if arriving and (s.disrupted >> u & 1 or not flown >> port & 1):  # 11.5b, 15.1e
            continue
        if leaving + arriving <= most:  # 7.22h, 16.14b
            found.append((port, leaving + arriving))
    return found


def ship_actions(s: State, u: int) -> list[Action]:
    """7.22c `ship H AIR`: from port to port with the air markers that it takes."""
    if s.active != SOVIET or s.board.special_movers >> u & 1 or s.at[u] not in s.board.port_sea:
        return []
    return [(verbs.SHIP, port, air) for port, air in ports_for(s, u)]


def sail(s: State, u: int, h: Hex, air: int) -> None:
    """7.22e the unit goes by sea, which takes its whole MA."""
    start = s.at[u]
    used = ready(s, SOVIET)[:air]
    for marker in used:
        s.air_used |= 1 << marker
        emit(s, "air_cover", "16.14a", {"support": marker, "unit": u, "side": SOVIET})
    s.sea_used |= 1 << s.board.port_sea[start]
    emit(s, "shipped", "7.22d", {"unit": u, "side": SOVIET, "from": start, "to": h})
    enter(s, u, h)


# 16.23 Amphibious landings


def landing_hexes(s: State, u: int) -> Mask:
    """16.23a, 16.23b where a naval brigade in Poti can land: an unoccupied Black Sea coastal hex, EZOC or not.

    Taman is no such hex on the map (coast:black).
    """
    board = s.board
    if not s.fleet_ready or not board.naval >> u & 1 or s.at[u] != board.fleet_base or (s.oos | s.rebuilt) >> u & 1:
        return 0
    found = board.black_coast & s.ground.land & ~(s.occ[0] | s.occ[1])
    return found & ~zone(s, AXIS) if s.disrupted >> u & 1 else found  # 11.5b


def land_actions(s: State, u: int) -> list[Action]:
    """16.23a, A18 `land H`, in the Soviet First Movement Phase."""
    if s.active != SOVIET or not s.fleet_ready:
        return []
    return [(verbs.LAND, h) for h in hexes_in(landing_hexes(s, u))]


def storm_ashore(s: State, u: int, h: Hex) -> None:
    """16.23c the landing: the fleet marker goes back to the unavailable box (16.21b)."""
    start = s.at[u]
    s.fleet_ready -= 1
    s.fleet_away += 1
    emit(s, "landed", "16.23a", {"unit": u, "side": SOVIET, "from": start, "to": h, "support": FLEET})
    enter(s, u, h)


# 15.3a, 15.6a, 15.9 Units that move by rules of their own


def own_reach(s: State, u: int, second: int) -> Mask:
    """7.9 where a unit with special movement can go with `to H`."""
    board = s.board
    if u == board.flotilla:
        return _flotilla(s)
    if u == board.train:
        return _train(s)
    return _security(s, reachable(s, u, second))


def _flotilla(s: State) -> Mask:
    """15.3a, A40 any other Soviet-controlled port on the Sea of Azov, in EZOC or not, OOS or not."""
    u = s.board.flotilla
    ports = s.board.ports_of[AZOV] & controlled(s, SOVIET) & ~(1 << s.at[u]) & ~s.occ[AXIS]
    return ports & ~zone(s, AXIS) if s.disrupted >> u & 1 else ports  # 11.5b


def _train(s: State) -> Mask:
    """15.6a, 15.6e any distance along the railway; it stops in the first EZOC hex that it enters."""
    board, u = s.board, s.board.train
    h, tracks, ezoc = s.at[u], _tracks(s), zone(s, AXIS)
    barred = s.occ[AXIS] | board.barred[SOVIET]
    start = 1 << h
    leave = tuple(rails & (~ezoc | start) for rails in tracks)
    if s.oos >> u & 1:  # 14.4c
        found: Mask = sum(layers(board.grid, start, leave, tables(s).oos_hexes, barred))
    else:
        found = flood(board.grid, start, leave, barred)
        one, other = board.off_map_rail  # 7.22p
        for end, far in ((one, other), (other, one)):
            if found >> end & 1 and (end == h or not ezoc >> end & 1) and not barred >> far & 1:
                found |= 1 << far
    if s.disrupted >> u & 1:  # 11.5b
        found &= ~ezoc
    return found & ~start


def _security(s: State, r: Reach) -> Mask:
    """15.9a, 15.9b, A42 the 454th goes to Rostov and stays; where it cannot get there at once, it comes nearer."""
    board = s.board
    h, rostov = s.at[board.security], board.rostov
    if h == rostov:
        return 0
    if r.hexes >> rostov & 1:
        return 1 << rostov
    away = board.grid.distance(h, rostov)
    return r.hexes & board.grid.within(rostov, away - 1)


def own_path(s: State, u: int, h: Hex, second: int) -> list[Hex]:
    """The hexes that such a unit enters: all those of the train's railway; the flotilla only its port."""
    board = s.board
    if u == board.security:
        return reachable(s, u, second).path(h)
    if u == board.flotilla:
        return [h]
    start, ezoc = s.at[u], zone(s, AXIS)
    usable = board.grid.all & ~s.occ[AXIS] & ~(ezoc & ~(1 << start | 1 << h))
    one, other = board.off_map_rail
    rings = flood(board.grid, 1 << start, _tracks(s), board.grid.all & ~usable)
    if rings >> h & 1:
        return along(s, start, h, usable)
    return [*along(s, start, one if h == other else other, usable), h]


def security_due(s: State) -> bool:
    """15.9a the 454th has yet to go to Rostov in the Axis First Impulse of turn 2, and can."""
    board, u = s.board, s.board.security
    table = board.pack.tables["security_454"]
    if s.turn != table["arrives_turn"] or s.active != AXIS or s.second or s.at[u] < 0 or s.at[u] == board.rostov:
        return False
    if (s.moved | s.assault | s.marked | s.pinned) >> u & 1:  # 8.5c a marked unit does not move
        return False
    return bool(reachable(s, u, 0).hexes >> board.rostov & 1)


# Why not


def why_no_rail(s: State, u: int, h: Hex, second: int) -> Reason:
    """Why a unit does not go there by rail."""
    board, side = s.board, s.board.side[u]
    who, there = board.unit_names[u], board.hex_name(h)
    foe = enemy(side)
    if second:
        return Reason("7.22a", "rail movement is for the First Movement Phase")
    if not board.ma[u][s.step[u]]:
        return Reason("7.22n", f"{who} has no movement allowance and does not go by rail")
    if s.rail_used:
        return Reason("7.22j", "one unit a side goes by rail in a First Movement Phase, and one has")
    if s.rebuilt >> u & 1:
        return Reason("17.2i", f"{who} got a replacement: it moves at most one hex")
    excluded = touching(board.supply_rails) | touching(board.unfinished_rails)
    for x, what in ((s.at[u], "starts"), (h, "would end")):
        if not rail_hexes(s) >> x & 1:
            if excluded >> x & 1:
                return Reason("7.22q", f"that railway serves supply alone: {who} {what} on it")
            return Reason("7.22k", f"{who} {what} off the railway")
        if zone(s, foe) >> x & 1:
            return Reason("7.22l", f"{board.hex_name(x)} is in an enemy zone of control")
    if board.places >> h & 1 and not controlled(s, side) >> h & 1:
        return Reason("7.22m", f"the enemy controls {there}")
    if not s.rail_open >> h & 1:
        return Reason("7.22k", f"{there} was not a friendly rail hex at the start of the phase")
    if s.oos >> u & 1:
        return Reason("14.4c", f"{who} is out of supply: it moves at most two hexes")
    return Reason("7.22o", f"no line of friendly rail hexes leads from {board.hex_name(s.at[u])} to {there}")


def why_no_ship(s: State, u: int, h: Hex, air: int, second: int) -> Reason:
    """Why a unit does not go there by sea."""
    board = s.board
    who, there, here = board.unit_names[u], board.hex_name(h), board.hex_name(s.at[u])
    if board.side[u] != SOVIET:
        return Reason("7.22c", "only the Soviet player moves by sea")
    if second:
        return Reason("7.22a", "sea movement is for the First Movement Phase")
    if u == board.flotilla:
        return Reason("15.3a", "the flotilla moves between Azov ports by its own rule, with `to`")
    sea, other = board.port_sea.get(s.at[u], -1), board.port_sea.get(h, -1)
    for port, kind in ((here, sea), (there, other)):
        if kind < 0:
            return Reason("7.22d", f"{port} is no port")
    if sea != other:
        return Reason("7.22d", f"{here} and {there} are not on the same sea")
    if sea == AZOV and not board.naval >> u & 1:
        return Reason("7.22g", "only naval brigades use sea movement on the Sea of Azov")
    if not board.ma[u][s.step[u]]:
        return Reason("7.1g", f"{who} has no movement allowance")
    if s.sea_used >> sea & 1:
        return Reason("7.22f", f"one unit has moved on that sea ({SEAS[sea]}) already")
    if s.rebuilt >> u & 1:
        return Reason("17.2i", f"{who} got a replacement: it moves at most one hex")
    if s.oos >> u & 1:
        return Reason("14.4c", f"{who} is out of supply: it moves at most two hexes")
    for x, port in ((s.at[u], here), (h, there)):
        if not controlled(s, SOVIET) >> x & 1:
            return Reason("7.22d", f"{port} is not under Soviet control")
    return _why_no_cover(s, u, (s.at[u], h), air)


def _why_no_cover(s: State, u: int, ends: Sequence[Hex], air: int) -> Reason:
    """16.14 the air markers that ports in EZOC ask for."""
    board, ezoc = s.board, zone(s, AXIS)
    needed = [x for x in ends if ezoc >> x & 1]
    if s.disrupted >> u & 1 and ends[-1] in needed:
        return Reason("11.5b", "a disrupted unit may not end its move in an enemy zone of control")
    for x in needed:
        if not air_range(s, SOVIET) >> x & 1:
            return Reason("15.1e", f"{board.hex_name(x)} is in EZOC and no HQ within 8 hexes lets aircraft cover it")
    rule = "16.14b" if len(needed) == 2 else "7.22h"
    most = len(ready(s, SOVIET))
    if len(needed) > most:
        return Reason(rule, f"ports in EZOC take {len(needed)} air support markers, {most} are ready")
    return Reason(rule, f"that passage takes {len(needed)} air support markers, not {air}")


def why_no_landing(s: State, u: int, h: Hex, second: int) -> Reason:
    """Why a unit does not land there."""
    board = s.board
    who, there = board.unit_names[u], board.hex_name(h)
    if not board.naval >> u & 1:
        return Reason("16.23a", f"only a naval brigade lands, not {who}")
    if second:
        return Reason("16.23a", "landings are for the Soviet First Movement Phase")
    if s.at[u] != board.fleet_base:
        return Reason("16.23b", f"{who} must start in {board.hex_name(board.fleet_base)} to land")
    if not s.fleet_ready:
        return Reason("16.23a", "no Black Sea Fleet marker is available")
    if not board.black_coast >> h & 1 or not s.ground.land >> h & 1:
        return Reason("16.23a", f"{there} is not on the Black Sea coast")
    if (s.occ[0] | s.occ[1]) >> h & 1:
        return Reason("16.23a", f"{there} is occupied")
    if s.rebuilt >> u & 1:
        return Reason("17.2i", f"{who} got a replacement: it moves at most one hex")
    if s.oos >> u & 1:
        return Reason("14.4c", f"{who} is out of supply: it moves at most two hexes")
    return Reason("11.5b", f"{who} is disrupted and may not end its move in an enemy zone of control")
