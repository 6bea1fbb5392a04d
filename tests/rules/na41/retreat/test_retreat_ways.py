"""The ways of retreat_ways.py against a plain search that tries every way hex by hex (12.1.3, 12.2, 12.4)."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from sandtable.games.na41.retreat.search import choice
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import ALLIED, AXIS
from sandtable.games.na41.table.position import put, set_order, touch
from sandtable.games.na41.table.state import State

from ..kit import board, empty, hexes

CASES = 40
PACK, GRID = board.pack, board.grid
LAND = {h for h in GRID.hexes if not PACK.impassable >> h & 1}
LENGTHS = {2: (2, 2), 3: (2, 3), 4: (4, 4)}  # 10.1 how far: a D1 leaves 2 or 3 to the owner
WALK = 2  # 12.1.1c


def neighbours(h: int) -> list[int]:
    around = [n for d, n in GRID.neighbours[h] if n in LAND and not PACK.sides["all_sea"][d] >> h & 1]
    return around if h in LAND else []


def may_step(foot: bool, h: int, n: int) -> bool:
    """5.7, and the chart: on foot everywhere; others across an escarpment or into marsh by road alone."""
    d = GRID.direction(h, n)
    if foot or any(PACK.links[kind][d] >> h & 1 for kind in ("highway", "track")):
        return True
    return not PACK.sides["escarpment"][d] >> h & 1 and not PACK.terrain["marsh"] >> n & 1


class Way(NamedTuple):
    """What speaks against a way, the weightiest first; and the hexes that it enters."""

    overruns: bool  # 12.1.3h
    extra: bool  # 12.2.1e
    zones: int  # 12.1.3d
    not_away: int  # 12.1.3f
    path: tuple[int, ...]


class Plain:
    """All ways on which one unit lives."""

    def __init__(self, s: State, u: int, errand: int, origin: int, party: int) -> None:
        self.s, self.origin, self.foot = s, origin, bool(board.foot >> u & 1)
        side = board.side[u]
        self.routed = bool(s.routed >> u & 1)
        self.least, self.most = LENGTHS[errand]
        self.reach = min(self.most, WALK) if self.foot else self.most
        placed = [(v, h) for v, h in enumerate(s.at) if h in LAND]
        foes = [(v, h) for v, h in placed if board.side[v] != side]
        self.men = {h for v, h in foes if board.combat >> v & 1}
        self.soft = {h for _, h in foes} | set(s.sp[1 - side])
        self.soft -= self.men
        reached: dict[int, set[int]] = {}
        for v, h in foes:
            if board.combat >> v & 1 and not s.routed >> v & 1:
                for n in neighbours(h):
                    reached.setdefault(n, set()).add(h)
        gone = s.retreated | party | (s.routed if self.routed else 0)  # A25, 13.3.2c
        friends = {h for v, h in placed if board.side[v] == side and board.combat >> v & ~gone >> v & 1}
        self.zone = {h for h in reached if h not in friends}
        self.overlaps = {
            h for h in self.zone if any(a != b and not GRID.adjacent(a, b) for a in reached[h] for b in reached[h])
        }
        own = {h for h in LAND if bool(s.control >> h & 1) == (side == AXIS)}
        tagged = {tag: {h for h in LAND if PACK.tagged(tag) >> h & 1} for tag in ("port", "airfield")}
        city = {h for h in LAND if PACK.terrain["city"] >> h & 1}
        self.stops = tagged["port"] & own | {h for h in LAND if s.forts[side] >> h & 1}  # 12.4
        self.banned: set[int] = set()
        if self.routed or board.trucks >> u & 1:  # 13.3.2d, 5.8.3
            self.banned |= self.soft
        if self.routed:  # 13.3.2d
            self.banned |= (tagged["port"] | tagged["airfield"] | city) - own
            self.banned |= {h for h in LAND if s.forts[1 - side] >> h & 1}
        self.box = board.tripoli if side == AXIS else board.delta
        self.ways: list[Way] = []
        self.follow((origin,), 0, Way(False, False, 0, 0, ()))

    def follow(self, path: tuple[int, ...], run: int, way: Way) -> None:
        h, hexes_gone = path[-1], len(path) - 1
        far = hexes_gone > self.most
        if hexes_gone and h not in self.zone and (hexes_gone >= self.least or h in self.stops):
            self.ways.append(way._replace(extra=far, path=path[1:]))
        escapes = not self.foot and hexes_gone == self.most and h in self.zone
        if hexes_gone >= self.reach and not escapes:
            return
        if board.entry_hexes[self.box] >> h & 1:  # 12.2.1f
            self.ways.append(way._replace(extra=hexes_gone + 1 > self.most, path=(*path[1:], self.box)))
        for n in neighbours(h):
            if n in path or n in self.men or n in self.banned or n in self.overlaps or not may_step(self.foot, h, n):
                continue
            dry = run + 1 if PACK.terrain["desert"] >> n & 1 else 0
            zones = way.zones + (n in self.zone)
            if dry > 2 or zones > (0 if self.routed else 1):  # 5.5b, 12.2.1c, A28
                continue
            back = GRID.distance(self.origin, n) <= GRID.distance(self.origin, h)
            overruns = way.overruns or n in self.soft
            self.follow((*path, n), dry, Way(overruns, False, zones, way.not_away + back, ()))

    def next_hexes(self) -> set[int]:
        """12.1.3 where the best of them begin, 12.1.3g those that end in supply if there are any."""
        if not self.ways:
            return set()
        best = min(way[:4] for way in self.ways)
        good = [way.path for way in self.ways if way[:4] == best]
        supplied = supply_lines.full(self.s, ALLIED) | supply_lines.fed_by_port(self.s, ALLIED)
        fed = [path for path in good if supplied >> path[-1] & 1]
        return {path[0] for path in fed or good}


def scattered(rng: Random) -> tuple[State, int]:
    """Both sides in a tangle, and a hex from which Allied units have to go."""
    s = empty("axis", "combat")
    middle = rng.choice(sorted(LAND))
    close = [h for h in sorted(LAND) if GRID.distance(h, middle) <= 4]
    origin = rng.choice(close)
    counters = [u for u in range(len(board.units)) if not (board.replacements | board.remnant_counters) >> u & 1]
    for u in rng.sample(counters, 30):
        h = origin if board.side[u] == ALLIED and rng.random() < 0.4 else rng.choice(close)
        if s.here.get(h, 0) & board.of_side[1 - board.side[u]] or (board.side[u] == AXIS and h == origin):
            continue
        put(s, u, h)
        if board.combat >> u & 1 and rng.random() < 0.15:
            set_order(s, u, 2)
        elif h != origin and rng.random() < 0.2:
            s.retreated |= 1 << u
    for h in rng.sample(close, min(4, len(close))):
        if h not in s.here:
            s.forts[rng.choice((AXIS, ALLIED))] |= 1 << h
        if h not in s.here and rng.random() < 0.3:
            s.sp[AXIS][h] = 1
    s.control = rng.getrandbits(board.size) & board.controllable
    touch(s)
    return s, origin


@pytest.mark.rule("na41", "12.1.3a", "12.1.3b", "12.1.3c", "12.1.3d", "12.1.3f", "12.1.3g", "12.2.1e", "12.4")
@pytest.mark.parametrize("case", range(CASES))
def test_the_ways_agree_with_a_plain_search(case: int) -> None:
    s, origin = scattered(Random(case))
    party = s.here.get(origin, 0) & board.of_side[ALLIED]
    s.retreating, s.fight.origin = party, origin
    for u in range(len(board.units)):
        for errand in LENGTHS if party >> u & 1 else ():
            wanted = Plain(s, u, errand, origin, party).next_hexes()
            found = choice(s, u, errand, (origin,), 0).to
            names = hexes(sum(1 << h for h in wanted))
            assert hexes(found) == names, (board.units[u], errand, GRID.names[origin])


def test_enough_of_them_are_looked_at() -> None:
    """Of the units in these tangles many have a way, and some have none."""
    fates = []
    for case in range(CASES):
        s, origin = scattered(Random(case))
        party = s.here.get(origin, 0) & board.of_side[ALLIED]
        s.retreating = party
        fates += [bool(choice(s, u, 2, (origin,), 0).to) for u in range(len(board.units)) if party >> u & 1]
    assert fates.count(True) > 60
    assert fates.count(False) > 10
