"""7.22 Rail and sea movement, 16.23 landings, 15.3a the flotilla, 15.6 the armoured train, 15.9 the 454th.

All of them leave the ordinary way of moving (routes.py) aside: a unit goes by rail or by sea and that is
its whole move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from sandtable.engine.contract import Reason
from sandtable.engine.floods import flood, layers
from sandtable.engine.hexes import Hex, Mask, Sides, touching
from sandtable.engine.texts.text import Fact, Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, hexes_in
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import emit

from ..combat.support import air_range, ready
from ..paths.legs import Reach, reachable, tables
from ..table.board import Ground
from ..table.ids import AXIS, AZOV, FLEET, SOVIET
from ..table.state import State, controlled, enter, zone

KEPT_LINES = 1_000  # positions of which the joined rail hexes are kept


class Goes(Protocol):
    """Who goes."""

    @property
    def unit(self) -> int: ...

    @property
    def side(self) -> int: ...

    @property
    def foe(self) -> int: ...

    @property
    def second(self) -> int: ...

    @property
    def rail(self) -> Mask: ...


# 7.22i to 7.22q Rail movement


def rail_hexes(s: State) -> Mask:
    """7.22k, 7.22q the hexes of railways that may be used for rail movement."""
    return _rail_hexes(s.ground)


def _tracks(s: State) -> Sides:
    """The rails of 7.22q across hexsides that can be crossed."""
    return _tracks_of(s.ground)


@remembered()
def _tracks_of(ground: Ground) -> Sides:
    return tuple(rails & free for rails, free in zip(ground.board.rails, ground.open, strict=True))


@remembered()
def _rail_hexes(ground: Ground) -> Mask:
    return touching(_tracks_of(ground))


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
    """All usable rail hexes that are joined to this one, which is usable too."""
    return next(part for part in _lines(s.ground, usable) if part >> h & 1)


@remembered(KEPT_LINES)
def _lines(ground: Ground, usable: Mask) -> tuple[Mask, ...]:
    """The parts of the usable railway; rails change hands seldom in a phase."""
    grid, tracks = ground.board.grid, _tracks_of(ground)
    found, left = [], usable
    while left:
        part = flood(grid, left & -left, tracks, grid.all & ~usable)
        found.append(part)
        left &= ~part
    return tuple(found)


def rail_hexes_for(s: State, u: int) -> Mask:
    """7.22 where a unit can go by rail now: one unit a side in a First Movement Phase."""
    if s.rail_used or s.rebuilt >> u & 1 or not s.rail_open >> s.at[u] & 1:
        return 0
    near, linked = rail_reach(s, u)
    return near | linked


def _held(s: State, now: Goes, units: int) -> Mask:
    """A bar for the unit that goes, wherever it goes."""
    return ALL if units >> now.unit & 1 else 0


def _without_ma(s: State, now: Goes) -> Mask:
    return 0 if s.board.ma[now.unit][s.step[now.unit]] else ALL


def _supply_only(s: State) -> Mask:
    """7.22q hexes of railways that serve supply alone."""
    return ~rail_hexes(s) & (touching(s.board.supply_rails) | touching(s.board.unfinished_rails))


def _from(s: State, now: Goes, hexes: Mask) -> Mask:
    """A bar for everybody who starts in one of these hexes."""
    return ALL if hexes >> s.at[now.unit] & 1 else 0


LATE_REPLACEMENT: Bars[State, Goes] = Bars(
    Bar("17.2i", "{unit} got a replacement: it moves at most one hex", lambda s, now: _held(s, now, s.rebuilt)),
)
UNSUPPLIED: Bars[State, Goes] = Bars(
    Bar("14.4c", "{unit} is out of supply: it moves at most two hexes", lambda s, now: _held(s, now, s.oos)),
)

RAIL: Bars[State, Goes] = Bars(
    Bar("7.22a", "rail movement is for the First Movement Phase", lambda s, now: ALL if now.second else 0),
    Bar("7.22n", "{unit} has no movement allowance and does not go by rail", _without_ma),
    Bar(
        "7.22j",
        "one unit a side goes by rail in a First Movement Phase, and one has",
        lambda s, now: ALL if s.rail_used else 0,
    ),
    LATE_REPLACEMENT,
    Bar(
        "7.22q",
        "that railway serves supply alone: {unit} starts on it",
        lambda s, now: _from(s, now, _supply_only(s)),
    ),
    Bar("7.22k", "{unit} starts off the railway", lambda s, now: _from(s, now, ~rail_hexes(s))),
    Bar("7.22l", "{from} is in an enemy zone of control", lambda s, now: _from(s, now, zone(s, now.foe))),
    Bar("7.22q", "that railway serves supply alone: {unit} would end on it", lambda s, now: _supply_only(s)),
    Need("7.22k", "{unit} would end off the railway", lambda s, now: rail_hexes(s)),
    Bar("7.22l", "{hex} is in an enemy zone of control", lambda s, now: zone(s, now.foe)),
    Bar(
        "7.22m",
        "the enemy controls {hex}",
        lambda s, now: s.board.places & ~controlled(s, now.side),
    ),
    Need("7.22k", "{hex} was not a friendly rail hex at the start of the phase", lambda s, now: s.rail_open),
    Bar(
        "14.4c",
        "{unit} is out of supply: it moves at most two hexes",
        lambda s, now: _held(s, now, s.oos) & ~now.rail,
    ),
    Need("7.22o", "no line of friendly rail hexes leads from {from} to {hex}", lambda s, now: now.rail),
)


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
    return _rail_lines_of(s.ground)


@remembered()
def _rail_lines_of(ground: Ground) -> list[tuple[Hex, ...]]:
    tracks, neighbours = _tracks_of(ground), ground.board.grid.neighbours
    return [tuple(n for d, n in neighbours[h] if tracks[d] >> h & 1) for h in range(ground.board.size)]


def ride(s: State, u: int, h: Hex) -> None:
    """7.22i the unit goes by rail."""
    path, start = rail_path(s, u, h), s.at[u]
    s.rail_used = 1  # 7.22j
    emit(s, "railed", "7.22i", {"unit": u, "side": s.board.side[u], "from": start, "to": h, "path": path})
    enter(s, u, h)


# 7.22c to 7.22h Sea movement, 16.14 air cover


def _sea(s: State, now: Goes) -> int:
    """The sea on which the unit's port lies, -1 if it is in none."""
    return s.board.port_sea.get(s.at[now.unit], -1)


def _own_sea(s: State, now: Goes) -> Mask:
    sea = _sea(s, now)
    return s.board.ports_of[sea] if sea >= 0 else 0


def cover(s: State) -> int:
    """16.14b how many air markers could cover ships."""
    return len(ready(s, SOVIET))


def _uncovered(s: State, now: Goes) -> Mask:
    """15.1e the hexes in EZOC that no aircraft can cover."""
    ezoc = zone(s, AXIS)
    return ezoc & ~air_range(s, SOVIET) if ezoc & _own_sea(s, now) else 0


def _asking_for(s: State, now: Goes, markers: int) -> Mask:
    """7.22h, 16.14b the ports to which a passage takes so many air markers: one for each end in EZOC."""
    ezoc = zone(s, AXIS)
    arriving = markers - (ezoc >> s.at[now.unit] & 1)
    return ezoc if arriving == 1 else ~ezoc if arriving == 0 else 0


SHIP: Bars[State, Goes] = Bars(
    Bar(
        "7.22c",
        "only the Soviet player moves by sea",
        lambda s, now: ALL if now.side != SOVIET else 0,
    ),
    Bar("7.22a", "sea movement is for the First Movement Phase", lambda s, now: ALL if now.second else 0),
    Bar(
        "15.3a",
        "the flotilla moves between Azov ports by its own rule, with `to`",
        lambda s, now: _held(s, now, 1 << s.board.flotilla),
    ),
    Bar("7.22d", "{from} is no port", lambda s, now: 0 if _own_sea(s, now) else ALL),
    Need("7.22d", "{hex} is no port", lambda s, now: s.board.ports),
    Need("7.22d", "{from} and {hex} are not on the same sea", _own_sea),
    Bar(
        "7.22g",
        "only naval brigades use sea movement on the Sea of Azov",
        lambda s, now: _held(s, now, ~s.board.naval) if _sea(s, now) == AZOV else 0,
    ),
    Bar("7.1g", "{unit} has no movement allowance", _without_ma),
    Bar(
        "7.22f",
        "one unit has moved on that sea ({sea}) already",
        lambda s, now: ALL if _sea(s, now) >= 0 and s.sea_used >> _sea(s, now) & 1 else 0,
    ),
    LATE_REPLACEMENT,
    UNSUPPLIED,
    Bar(
        "7.22d",
        "{from} is not under Soviet control",
        lambda s, now: _from(s, now, ~controlled(s, SOVIET)),
    ),
    Need("7.22d", "{hex} is not under Soviet control", lambda s, now: controlled(s, SOVIET)),
    Bar("7.1a", "{unit} is there", lambda s, now: 1 << s.at[now.unit]),
    Bar("7.1d", "the enemy is in {hex}", lambda s, now: s.occ[AXIS]),
    Bar(
        "11.5b",
        "a disrupted unit may not end its move in an enemy zone of control",
        lambda s, now: zone(s, AXIS) if s.disrupted >> now.unit & 1 else 0,
    ),
    Bar(
        "15.1e",
        "{from} is in EZOC and no HQ within 8 hexes lets aircraft cover it",
        lambda s, now: _from(s, now, _uncovered(s, now)),
    ),
    Bar("15.1e", "{hex} is in EZOC and no HQ within 8 hexes lets aircraft cover it", _uncovered),
    Bar(
        "7.22h",
        "ports in EZOC take 1 air support markers, {ready} are ready",
        lambda s, now: _asking_for(s, now, 1) if cover(s) < 1 else 0,
    ),
    Bar(
        "16.14b",
        "ports in EZOC take 2 air support markers, {ready} are ready",
        lambda s, now: _asking_for(s, now, 2) if cover(s) < 2 else 0,
    ),
)
"""7.22d to which ports a unit goes by sea."""


def ships(s: State, now: Goes) -> list[tuple[Hex, int]]:
    """7.22c `ship H AIR`: from port to port with the air markers that it takes (16.14)."""
    if now.second or now.side != SOVIET or s.at[now.unit] not in s.board.port_sea:
        return []
    return [(port, _markers(s, now, port)) for port in hexes_in(SHIP.free(_own_sea(s, now), s, now))]


def _markers(s: State, now: Goes, port: Hex) -> int:
    ezoc = zone(s, AXIS)
    return (ezoc >> s.at[now.unit] & 1) + (ezoc >> port & 1)


def why_no_ship(s: State, now: Goes, way: Sequence[int], facts: Mapping[str, Fact]) -> Reason | None:
    """What keeps a unit from a port, or from going there with so many air markers."""
    port, air = way
    reason = SHIP.why(port, s, now, {**facts, "hex": port})
    if reason is not None:
        return reason
    needed = _markers(s, now, port)
    if needed == air:
        return None
    text = Text("that passage takes {needed} air support markers, not {air}", needed=needed, air=air)
    return Reason("16.14b" if needed == 2 else "7.22h", text)


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


LAND: Bars[State, Goes] = Bars(
    Bar(
        "16.23a",
        "only a naval brigade lands, not {unit}",
        lambda s, now: _held(s, now, ~s.board.naval),
    ),
    Bar("16.23a", "landings are for the Soviet First Movement Phase", lambda s, now: ALL if now.second else 0),
    Bar(
        "16.23b",
        "{unit} must start in {poti} to land",
        lambda s, now: _from(s, now, ~(1 << s.board.fleet_base)),
    ),
    Bar("16.23a", "no Black Sea Fleet marker is available", lambda s, now: 0 if s.fleet_ready else ALL),
    Need(  # Taman is no such hex on the map (coast:black)
        "16.23a",
        "{hex} is not on the Black Sea coast",
        lambda s, now: s.board.black_coast & s.ground.land,
    ),
    Bar("16.23a", "{hex} is occupied", lambda s, now: s.occ[0] | s.occ[1]),
    LATE_REPLACEMENT,
    UNSUPPLIED,
    Bar(
        "11.5b",
        "{unit} is disrupted and may not end its move in an enemy zone of control",
        lambda s, now: zone(s, AXIS) if s.disrupted >> now.unit & 1 else 0,
    ),
)
"""16.23a, A18 where a naval brigade in Poti can land in the Soviet First Movement Phase: EZOC or not."""


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
    usable = board.grid.all & ~s.occ[AXIS] & ~(ezoc & ~(1 << h))
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
