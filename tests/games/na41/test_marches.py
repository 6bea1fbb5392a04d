"""North Africa '41: where stacks can go, against a search hex by hex that knows nothing but the rules of chapter 5."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from random import Random

import pytest

from sandtable.engine.hexes import Hex, hexes_of
from sandtable.games.na41.paths.legs import terms
from sandtable.games.na41.paths.modes import movers
from sandtable.games.na41.paths.reaches import Reach, reach
from sandtable.games.na41.table.ids import AXIS, EXTENDED, MODES, NORMAL, ROAD_BONUS, SIDES, TACTICAL
from sandtable.games.na41.table.position import put, set_order, touch
from sandtable.games.na41.table.state import State
from sandtable.mechanics.masks import enemy, units_of
from tests.rules.na41.kit import board, empty, place

GRID, PACK = board.grid, board.pack
GROUND = {"flat": (6, 6), "rough": (6, 12), "jebel": (12, 18), "desert": (12, 12), "marsh": (18, -1), "city": (6, 6)}
"""Sixths of an MP on foot and mechanised; -1: not allowed."""
TERRAIN = {h: name for name in GROUND for h in hexes_of(PACK.terrain[name])}
LAND = sorted(TERRAIN)
FOOT, MECH, VEHICLE = range(3)

Found = dict[int, dict[Hex, int]]
"""By mode the places that can be reached, and what they cost (sixths)."""


def lies(kind: str, h: Hex, d: int) -> bool:
    return bool(PACK.sides[kind][d] >> h & 1)


def runs(kind: str, h: Hex, d: int) -> bool:
    return bool(PACK.links[kind][d] >> h & 1)


def price(kind: int, h: Hex, d: int, n: Hex) -> int:
    """5.1a, 5.2.1a, 5.7 one step; -1 if it is not allowed."""
    if n not in TERRAIN or lies("all_sea", h, d):
        return -1
    for road, cost in (("highway", 2), ("track", 3)):
        if runs(road, h, d):
            return cost if kind else 6
    cost = GROUND[TERRAIN[n]][kind > FOOT]
    if cost < 0 or (kind and lies("escarpment", h, d)):
        return -1
    cost += 6 * (not kind and lies("escarpment", h, d))
    return cost + 6 * (bool(kind) and lies("ridge", h, d)) + 6 * (kind == VEHICLE and lies("tobruk_perimeter", h, d))


def beside(h: Hex) -> Iterator[tuple[int, Hex]]:
    return ((d, n) for d, n in GRID.neighbours[h] if n in TERRAIN and not lies("all_sea", h, d))


class Table:
    """What the position is for one side, set by set."""

    def __init__(self, s: State, side: int) -> None:
        foe = enemy(side)
        self.men = {h for h in LAND if s.here.get(h, 0) & board.of_side[foe] & board.combat}
        self.others = {h for h in LAND if s.here.get(h, 0) & board.of_side[foe]} | set(s.sp[foe])
        self.friends = {h for h in LAND if s.here.get(h, 0) & board.of_side[side]}
        self.full: set[Hex] = set()  # 7.2
        self.zone: set[Hex] = set()  # 7.1, 7.3
        self.near = {n for h in self.men for _, n in beside(h)}
        sources: dict[Hex, list[Hex]] = {}
        for h in self.men:
            if s.here[h] & board.of_side[foe] & board.combat & ~s.routed:
                for d, n in beside(h):
                    self.zone.add(n)
                    sources.setdefault(n, []).append(h)
                    if not PACK.rises["escarpment"][d] >> h & 1 and not s.forts[side] >> n & 1:  # 7.3a
                        self.full.add(n)
        self.overlap = {n for n, by in sources.items() if any(GRID.distance(a, b) > 1 for a in by for b in by)}  # 7.4a
        self.tolls = {h: 6 for h in (s.delay_axis if foe == AXIS else s.delay_allied) if h >= 0}  # 24.2a
        for h in hexes_of(s.strafing[foe]):
            self.tolls[h] = self.tolls.get(h, 0) + 6  # 18.7.5c
        for h in hexes_of(s.lrdg if side == AXIS else 0):
            self.tolls[h] = self.tolls.get(h, 0) + 12  # 18.8c

    def closed(self, s: State, units: int) -> set[Hex]:
        """5.1e, 5.8.3, 16.4a what these units may not enter."""
        found = set(self.men)
        if units & board.trucks and not units & board.combat:
            found |= self.others
        if units & s.oos:
            found |= self.overlap - self.friends
        return found

    def leave(self, h: Hex) -> int:
        return 12 if h in self.full else 6 if h in self.zone else 0  # 7.2c, 7.3c


def by_hand(s: State, table: Table, group: int, loads: int) -> Found:
    """5 all that a stack can reach."""
    units = units_of(group)
    start, side = s.at[units[0]], board.side[units[0]]
    kinds = {FOOT if board.foot >> u & 1 else VEHICLE if board.vehicles >> u & 1 else MECH for u in units}
    box = board.tripoli if side == AXIS else board.delta
    edge = set(hexes_of(board.entry_hexes[box]))
    shut = table.closed(s, group | loads)

    def slowest(costs: list[int]) -> int:
        return -1 if min(costs) < 0 else max(costs)

    def entry(h: Hex) -> int:
        """6.3.3c out of the box."""
        road = {"highway": 2, "track": 3}.get(board.entry_road.get((box, h), ""), 0)
        return slowest([(road if k else 6) if road else GROUND[TERRAIN[h]][k > FOOT] for k in kinds])

    def step(h: Hex, d: int, n: Hex) -> int:
        return slowest([price(k, h, d, n) for k in kinds])

    def search(points: int, barred: set[Hex], roads: tuple[str, ...] = ()) -> dict[Hex, int]:
        queue = [(0, start, 0)]
        done: set[tuple[Hex, int]] = set()
        found: dict[Hex, int] = {}

        def push(cost: int, h: Hex, run: int) -> None:
            if h not in barred and cost + table.tolls.get(h, 0) <= points:
                run = run + 1 if TERRAIN[h] == "desert" else 0
                if run <= 2:  # 5.5b
                    heappush(queue, (cost + table.tolls.get(h, 0), h, run))

        while queue:
            cost, h, run = heappop(queue)
            if (h, run) in done:
                continue
            done.add((h, run))
            if h == box:
                for n in edge:
                    if entry(n) > 0:
                        push(entry(n), n, 0)
                continue
            if h != start:
                found.setdefault(h, cost)
                if h in table.full:
                    continue  # 7.2a
            cost += table.leave(h)
            if h in edge and start != box and not roads and cost + 6 <= points:
                found[box] = min(found.get(box, points), cost + 6)  # 6.3.3b
            for d, n in beside(h):
                toll = step(h, d, n) if not roads else 6 if any(runs(road, h, d) for road in roads) else -1
                if toll > 0:
                    push(cost + toll, n, run)
        return {h: cost for h, cost in found.items() if h != start}

    hops: dict[Hex, int] = {}
    front = {start}
    for n_hex in (1, 2):  # 5.4
        ahead: set[Hex] = set()
        for h in front - {box} if n_hex > 1 else front:
            if h == box:
                ahead |= {n for n in edge if entry(n) > 0}
            elif n_hex == 1 or h not in table.full:
                ahead |= {n for d, n in beside(h) if step(h, d, n) > 0}
                ahead |= {box} if h in edge and start != box else set()
        front = ahead - shut
        for h in front - {start}:
            hops.setdefault(h, n_hex)
    found: Found = {TACTICAL: hops}
    if (group | loads) & (s.oos | s.disrupted):  # 16.4a, 13.2.1a, 13.2.3b
        return found
    ma = min(board.ma[u][s.step[u]] for u in units) * 6
    normal = found[NORMAL] = search(ma, shut)
    if FOOT not in kinds:  # 5.3
        far = search(ma + 18, shut | table.zone)
        found[EXTENDED] = {h: cost for h, cost in far.items() if h not in normal}
    if kinds == {FOOT} and not loads and start not in table.near:  # 5.2.2
        by_road = search(ma + 6, shut, ("highway", "track"))
        for h, cost in search(ma + 30, shut, ("highway",)).items():
            by_road[h] = min(cost, by_road.get(h, cost))
        found[ROAD_BONUS] = {h: c for h, c in by_road.items() if h not in normal and h not in table.near}
    return found


def position(random: Random) -> tuple[State, int, list[int]]:
    """A crowded corner of the map, and the units of the side that moves."""
    side = random.randrange(2)
    s = empty(SIDES[side], turn=random.choice((4, 18)))
    box = board.tripoli if side == AXIS else board.delta
    at_the_edge = random.random() < 0.4
    centre = random.choice(hexes_of(board.entry_hexes[box])) if at_the_edge else random.choice(LAND)
    pool = [h for h in LAND if GRID.distance(centre, h) <= 6]
    pinned = 1 << board.tobruk_asu | 1 << board.unit_index["PO_CAR"]
    units = list(units_of((board.of_side[0] | board.of_side[1]) & ~(board.remnant_counters | board.captured | pinned)))
    random.shuffle(units)
    mine: list[int] = []
    for u in units[:50]:
        h, b = random.choice(pool), 1 << u
        if s.here.get(h, 0) & board.of_side[1 - board.side[u]] or (board.side[u] != side and random.random() < 0.5):
            continue
        place(s, board.units[u], GRID.names[h])
        if board.combat & b and random.random() < 0.15:
            set_order(s, u, 1 if board.side[u] == side else 2)
        s.oos |= b if random.random() < 0.1 else 0
        if board.side[u] == side:
            mine.append(u)
    for u in [u for u in units[50:] if board.side[u] == side and board.mech >> u & 1][:2]:
        put(s, u, box)
        mine.append(u)
    for h in random.sample(pool, 8):
        if s.here.get(h, 0) & board.of_side[side]:
            s.forts[side] |= 1 << h
    for h in random.sample(pool, 2):
        s.strafing[1 - side] |= 1 << h
    markers = s.delay_allied if side == AXIS else s.delay_axis
    markers[0], markers[1] = random.sample(pool, 2)
    s.lrdg = 1 << random.choice(pool)
    touch(s)
    return s, side, mine


SEEDS = (*range(16), 160, 171, 284, 296, 309, 656)  # the last ones lead out of boxes into EZOCs, and into limited ones


@pytest.mark.parametrize("seed", SEEDS)
def test_stacks_go_where_a_search_hex_by_hex_finds_a_way(seed: int) -> None:
    random = Random(seed)
    s, side, mine = position(random)
    table = Table(s, side)
    for u in mine:
        group, loads = 1 << u, 0
        others = [v for v in units_of(s.here[s.at[u]] & board.of_side[side]) if v != u]
        if random.random() < 0.3:
            group |= sum(1 << v for v in others if random.random() < 0.5)
        riders = [v for v in others if (board.combat & ~group) >> v & 1]
        if group & board.trucks and riders:
            loads = 1 << random.choice(riders)
        wanted = by_hand(s, table, group, loads)
        found = reach(s, group, loads)
        single = Reach(board, terms(s, movers(s, group, loads)))
        for mode in range(len(MODES)):
            ways = wanted.get(mode, {})
            who = f"{[board.units[v] for v in units_of(group | loads)]} {MODES[mode]}"
            assert set(hexes_of(found.masks[mode])) == set(ways), who
            assert {h: found.way(h, mode)[0] for h in ways} == ways, who
            for h in random.sample(sorted(ways), min(4, len(ways))):
                assert single.way(h, mode)[0] == ways[h], who
