"""The masks of lines.py against a plain search for one line of supply at a time (16.3, 17.3)."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.ids import ALLIED, AXIS
from sandtable.games.na41.table.position import put, set_order, touch
from sandtable.games.na41.table.state import State

from ..kit import H, board, empty, hexes, place

CASES = 16
HEXES_A_CASE = 120
PACK, GRID = board.pack, board.grid
ROADS = ("highway", "track")
HELD = {h for tag in ("port", "airfield", "city") for h in GRID.hexes if PACK.tagged(tag) >> h & 1}


def is_at(kind: str, h: int) -> bool:
    return bool(PACK.terrain[kind] >> h & 1)


def has_side(kind: str, h: int, n: int) -> bool:
    return bool(PACK.sides[kind][GRID.direction(h, n)] >> h & 1)


def by_road(h: int, n: int) -> bool:
    return any(PACK.links[kind][GRID.direction(h, n)] >> h & 1 for kind in ROADS)


class Plain:
    """Lines of supply as a player traces them: hex by hex, with no masks but those of the map's data."""

    def __init__(self, s: State, side: int) -> None:
        self.s, self.side, self.foe = s, side, 1 - side
        self.land = {h for h in GRID.hexes if not PACK.impassable >> h & 1}
        self.near: dict[int, list[int]] = {}
        placed = [(u, h) for u, h in enumerate(s.at) if h in self.land]
        self.own = {h for u, h in placed if board.side[u] == side} | set(s.sp[side])
        self.enemies = set(s.sp[self.foe]) | {
            h for u, h in placed if board.side[u] == self.foe and not board.types[u].startswith("replacement")
        }
        self.enemy_men = {h for u, h in placed if board.side[u] == self.foe and board.combat >> u & 1}
        zocs: dict[int, set[int]] = {}
        for u, h in placed:
            if board.side[u] == self.foe and board.combat >> u & 1 and not s.routed >> u & 1:
                for n in self.neighbours(h):
                    zocs.setdefault(n, set()).add(h)
        self.zoc = {h for h in zocs if h not in self.own}
        self.overlapping = {
            h for h in self.zoc if any(a != b and not GRID.adjacent(a, b) for a in zocs[h] for b in zocs[h])
        }
        self.msus = [h for u, h in placed if board.side[u] == side and s.msu >> u & 1 and not s.shipped >> u & 1]
        self.closed = {h for h in self.land if self.is_closed(h)}
        self.roads: dict[int, list[int]] = {h: [n for n in self.neighbours(h) if by_road(h, n)] for h in self.land}

    def neighbours(self, h: int) -> list[int]:
        """The hexes beside it, no all-sea hexside between."""
        if h not in self.near:
            around = [n for _, n in GRID.neighbours[h] if n in self.land]
            self.near[h] = [n for n in around if not has_side("all_sea", h, n)] if h in self.land else []
        return self.near[h]

    def is_closed(self, h: int) -> bool:
        """16.3.2i, 16.3.3d"""
        if self.s.forts[self.foe] >> h & 1:
            return True
        return h in HELD and bool(self.s.control >> h & 1) == (self.foe == AXIS)

    def enterable(self, h: int, first: bool) -> bool:
        if h in self.enemies or h in self.closed:
            return False
        return h not in (self.overlapping if first else self.zoc)

    def ends(self, sources: set[int], box: str) -> set[int]:
        """The hexes from which a line along roads leads to a source, or into a box of the side."""
        into = {"tripoli": {H("1701")}, "nile_delta": {H("2480"), H("1980"), H("1680")}, "": set[int]()}[box]
        good = into | sources
        for start in (h for h in self.land if self.roads[h]):
            seen, todo = {start}, [start]
            while todo:
                h = todo.pop()
                if h in sources or h in good:
                    good.add(start)
                    break
                fresh = [n for n in self.roads[h] if n not in seen and self.enterable(n, False)]
                seen.update(fresh)
                todo += fresh
        return good

    def leads(self, start: int, ends: set[int], beside: set[int], length: int = 5) -> bool:
        """16.3.2 up to five hexes across country; from `beside` it is one more into the box."""
        if start in self.enemy_men:
            return False
        todo, seen = [(start, 0, 0)], {(start, 0, 0)}
        while todo:
            h, cost, run = todo.pop()
            if h in ends or (h in beside and cost + 1 <= length):
                return True
            for n in self.neighbours(h):
                first = h == start and cost == 0
                road = by_road(h, n)
                if not self.enterable(n, first) or is_at("marsh", n):
                    continue
                if has_side("escarpment", h, n) and not road and not first:
                    continue
                state = n, cost + self.counts(n, road), run + 1 if is_at("desert", n) else 0
                if state[1] <= length and state[2] <= 2 and state not in seen:
                    seen.add(state)
                    todo.append(state)
        return False

    def counts(self, h: int, road: bool) -> int:
        return 2 if (is_at("rough", h) or is_at("jebel", h)) and not road else 1

    def chain(self, sources: set[int], box: str) -> tuple[set[int], set[int]]:
        """16.3.4 ends and box hexes, with the MSUs that reach a source by way of others."""
        columns = {"tripoli": "01", "nile_delta": "80"}
        beside = {h for h in self.land if box and GRID.names[h].endswith(columns[box])}
        sources = set(sources)
        while True:
            ends = self.ends(sources, box)
            more = {h for h in self.msus if h not in sources and self.leads(h, ends, beside)}
            if not more:
                return ends, beside
            sources |= more


def scattered(rng: Random) -> State:
    """Counters, fortifications and control at random; most of them close together, so that zones overlap."""
    s = empty()
    road_hexes = [h for h in GRID.hexes if any(by_road(h, n) for _, n in GRID.neighbours[h])]
    land = [h for h in GRID.hexes if board.land >> h & 1]
    middle = rng.choice(road_hexes)
    close = [h for h in land if GRID.distance(h, middle) <= 12]
    units = [u for u in range(len(board.units)) if not board.remnant_counters >> u & 1]
    trucks = [u for u in units if board.trucks >> u & 1]
    chosen = rng.sample(units, 34) + rng.sample(trucks, 8)
    for u in chosen:
        h = rng.choice(rng.choice((close, close, road_hexes, land)))
        if s.here.get(h, 0) & board.of_side[1 - board.side[u]]:
            continue
        put(s, u, h)
        if board.combat >> u & 1 and rng.random() < 0.1:
            set_order(s, u, rng.choice((1, 2)))
        if board.trucks >> u & 1 and rng.random() < 0.7:
            s.msu |= 1 << u
            if rng.random() < 0.1:
                s.shipped |= 1 << u
    for h in rng.sample(land, 40):
        side = rng.choice((AXIS, ALLIED))
        if s.occ[1 - side] >> h & 1:
            continue
        s.forts[side] |= 1 << h
    for h in rng.sample(close, 12):  # 2.3.1b SPs are units
        side = rng.choice((AXIS, ALLIED))
        if not s.occ[1 - side] >> h & 1:
            s.sp[side][h] = 1
    for h in land:
        if board.controllable >> h & 1:
            owner = AXIS if s.occ[AXIS] >> h & 1 else ALLIED if s.occ[ALLIED] >> h & 1 else rng.choice((AXIS, ALLIED))
            s.control = s.control & ~(1 << h) | (1 << h if owner == AXIS else 0)
    for port in range(6):
        s.port_level[port] = rng.randrange(len(board.port_track[port]))
    touch(s)
    return s


def probes(rng: Random, s: State, m: int) -> list[int]:
    """Hexes to look at: half of them at the edge of the mask, where mistakes show."""
    land = [h for h in GRID.hexes if board.land >> h & 1]
    edge = [h for h in land if any((m >> h ^ m >> n) & 1 for _, n in GRID.neighbours[h])]
    units = [h for h in s.here if not board.is_box(h)]
    found = rng.sample(land, HEXES_A_CASE // 2) + rng.sample(edge, min(len(edge), HEXES_A_CASE // 2)) + units
    return sorted(set(found))


@pytest.mark.rule("na41", "16.3.1a", "16.3.2a", "16.3.3a", "16.3.4a")
@pytest.mark.parametrize("case", range(CASES))
def test_the_masks_agree_with_a_plain_search(case: int) -> None:
    rng = Random(case)
    s = scattered(rng)
    for side, box in ((AXIS, "tripoli"), (ALLIED, "nile_delta")):
        plain = Plain(s, side)
        full = supply_lines.full(s, side)
        ends, beside = plain.chain(set(), box)
        for h in probes(rng, s, full):
            assert bool(full >> h & 1) == plain.leads(h, ends, beside), ("full", side, GRID.names[h])
        open_ports = {
            board.port_place[p]
            for p in range(6)
            if board.port_track[p][s.port_level[p]] and bool(s.control >> board.port_place[p] & 1) == (side == AXIS)
        }
        fed = supply_lines.fed_by_port(s, side)
        ends, beside = plain.chain(open_ports, "")
        for h in probes(rng, s, fed):
            assert bool(fed >> h & 1) == plain.leads(h, ends, beside), ("port", side, GRID.names[h])


@pytest.mark.rule("na41", "17.3")
@pytest.mark.parametrize("case", range(12))
def test_ranges_agree_with_a_plain_search(case: int) -> None:
    rng = Random(1000 + case)
    s = scattered(rng)
    for side in (AXIS, ALLIED):
        plain = Plain(s, side)
        centre = rng.choice(sorted(plain.own))
        n = rng.randrange(1, 7)
        found = supply_lines.within(s, side, centre, n)
        for h in plain.land:
            if GRID.distance(h, centre) <= n + 1:
                assert bool(found >> h & 1) == plain.leads(h, {centre}, set(), n), (
                    n,
                    GRID.names[centre],
                    GRID.names[h],
                )
        assert not {h for h in hexes(found) if GRID.distance(H(h), centre) > n}


@pytest.mark.rule("na41", "6.2c", "16.2a")
def test_units_in_boxes_are_in_full_supply() -> None:
    s = empty()
    assert supply_lines.full(s, AXIS) & board.box_mask == 1 << H("italy") | 1 << H("tripoli")
    assert supply_lines.full(s, ALLIED) & board.box_mask == 1 << H("nile_delta")
    place(s, "GE_I5_5L", "1701")
    assert supply_lines.full(s, AXIS) >> H("1701") & 1
