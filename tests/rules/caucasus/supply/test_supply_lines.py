"""The masks of lines.py against a plain search for one line of supply at a time (14.3)."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from random import Random

import pytest

from sandtable.engine.hexes import NO_SIDES, Grid, GridSpec, hexes_of, numbered, sides_from_pairs
from sandtable.games.caucasus.supply import supply_lines
from sandtable.games.caucasus.table.ids import AXIS, AZOV, SOVIET
from sandtable.games.caucasus.table.state import State, put, touch
from sandtable.mechanics.lines import Steps

from ..kit import H, board, empty, hexes

CASES = 30
HEXES_A_CASE = 60


class Plain:
    """Lines of supply as a player traces them: hex by hex, with no masks but those of the map's data."""

    def __init__(self, s: State, side: int) -> None:
        self.s, self.side, self.foe = s, side, 1 - side
        self.pack = board.pack
        self.winter = s.turn >= 10
        self.near: dict[int, list[int]] = {}  # what has been looked up, or the search would take minutes
        self.links: dict[tuple[tuple[str, ...], int], list[int]] = {}
        self.followed: dict[tuple[tuple[str, ...], int], bool] = {}
        terrain = self.pack.terrain
        hard = terrain["mountain"] | terrain["marsh"] | (terrain["seasonal_marsh"] if self.winter else 0)
        self.hard = {h for h in board.grid.hexes if hard >> h & 1}
        self.land = {h for h in board.grid.hexes if not self.pack.impassable >> h & 1}
        self.own = {h for u, h in enumerate(s.at) if h >= 0 and board.side[u] == side}
        self.enemies = {h for u, h in enumerate(s.at) if h >= 0 and board.side[u] == self.foe}
        self.zoc = {
            n
            for u, h in enumerate(s.at)
            if h >= 0 and board.side[u] == self.foe and not board.white >> u & 1
            for n in self.neighbours(h)
        }
        self.sources = {h for h in board.grid.hexes if board.entry_hexes[side] >> h & 1 and self.controls(h)}
        self.ports = {h for h in board.port_sea if self.controls(h) and not self.useless(h)}

    def controls(self, h: int) -> bool:
        return bool(self.s.control >> h & 1) == (self.side == AXIS)

    def useless(self, h: int) -> bool:
        """14.22d, 14.22e"""
        if self.side == AXIS:
            return False
        lost = bool(self.s.control >> H("Temryuk") & 1) and board.port_sea[h] == AZOV
        return lost or h in {H("Taman"), H("Kagalnik"), H("Taganrog")} or bool(self.s.oos_hexes >> h & 1)

    def crossable(self, d: int, h: int) -> bool:
        sides = self.pack.sides
        if sides["pass"][d] >> h & 1:
            krestovy = {H("3222"), H("3121")}
            return not self.winter or {h, board.grid.neighbour(h, d)} == krestovy
        return not any(sides.get(kind, NO_SIDES)[d] >> h & 1 for kind in ("alpine", "lake", "sea"))

    def neighbours(self, h: int) -> list[int]:
        if h not in self.near:
            pairs = board.grid.neighbours[h] if h in self.land else ()
            self.near[h] = [n for d, n in pairs if n in self.land and self.crossable(d, h)]
        return self.near[h]

    def linked(self, kinds: tuple[str, ...], h: int) -> list[int]:
        if (kinds, h) not in self.links:
            near = [(board.grid.direction(h, n), n) for n in self.neighbours(h)]
            self.links[kinds, h] = [n for d, n in near if any(self.pack.links[k][d] >> h & 1 for k in kinds)]
        return self.links[kinds, h]

    @property
    def rails(self) -> tuple[str, ...]:
        return ("rail", "rail_supply_only", *(["rail_unfinished"] if self.s.turn >= 8 else []))

    def enterable(self, h: int) -> bool:
        if board.special_entries[self.side] >> h & 1:
            return True
        if board.special_entries[self.foe] >> h & 1 or h in self.enemies:
            return False
        return h not in self.zoc or h in self.own

    def follow(self, kinds: tuple[str, ...], h: int, ends: set[int]) -> bool:
        """14.3c along the railway (or the road) and nowhere else."""
        if (kinds, h) not in self.followed:
            self.followed[kinds, h] = self.search(kinds, h, ends)
        return self.followed[kinds, h]

    def search(self, kinds: tuple[str, ...], h: int, ends: set[int]) -> bool:
        seen, todo = {h}, [h]
        while todo:
            x = todo.pop()
            if x in ends:
                return True
            for n in self.linked(kinds, x):
                if n not in seen and self.enterable(n):
                    seen.add(n)
                    todo.append(n)
        return False

    def state(self, start: int) -> int:
        """2 full, 1 limited, 0 OOS (14.1)."""
        best = 0
        seen = {(start, 0): 0}  # hex, hard hexes left the hard way (2 stands for two or more) -> length
        todo = deque([(start, 0, 0)])
        while todo:
            h, hard, length = todo.popleft()
            if h in self.sources or self.follow(self.rails, h, self.sources):
                if hard <= 1:
                    return 2
                best = 1
            if h in self.ports or self.follow(("road",), h, self.sources | self.ports):
                best = 1
            if length == 5:
                continue
            made = set(self.linked((*self.rails, "road"), h))
            for n in self.neighbours(h):
                if self.enterable(n):
                    k = min(2, hard + (h in self.hard and n not in made))
                    if (n, k) not in seen:
                        seen[n, k] = length + 1
                        todo.append((n, k, length + 1))
        return best

    def isolated(self, start: int) -> bool:
        seen, todo = {start}, [start]
        while todo:
            x = todo.pop()
            if x in self.sources or x in self.ports:
                return False
            fresh = [n for n in self.neighbours(x) if n not in seen and self.enterable(n)]
            seen.update(fresh)
            todo += fresh
        return True


def scatter(rng: Random) -> State:
    """Units of both sides anywhere on the map, and places in anybody's hands."""
    s = empty(turn=rng.choice([1, 5, 8, 9, 10, 14]))
    land = [h for h in board.grid.hexes if s.ground.land >> h & 1]
    density = rng.choice([0.05, 0.2, 0.5, 0.9])
    for u in range(len(board.units)):
        if rng.random() < density:
            h = rng.choice(land)
            if not board.barred[board.side[u]] >> h & 1 and not s.occ[1 - board.side[u]] >> h & 1:
                put(s, u, h)
    for h in hexes_of(board.places & ~board.special_entries[0] & ~board.special_entries[1]):
        if rng.random() < 0.3:
            s.control ^= 1 << h
        if s.occ[AXIS] >> h & 1:
            s.control |= 1 << h
        elif s.occ[SOVIET] >> h & 1:
            s.control &= ~(1 << h)
    if rng.random() < 0.2:
        s.oos_hexes = board.ports_of[AZOV]
    touch(s)
    return s


@pytest.mark.parametrize("seed", range(CASES))
@pytest.mark.rule("caucasus", "14.3a", "14.3b", "14.3c", "14.3d", "14.3e", "14.3f", "14.3h", "14.3i", "14.6b")
def test_masks_agree_with_a_plain_search(seed: int) -> None:
    rng = Random(seed)
    s = scatter(rng)
    for side in (AXIS, SOVIET):
        plain = Plain(s, side)
        full, limited, linked = (
            supply_lines.full(s, side),
            supply_lines.limited(s, side),
            supply_lines.connected_to(s, side),
        )
        assert not full & ~limited
        begin = supply_lines.beginnings(s, side)
        assert not limited & ~begin
        for h in rng.sample(hexes_of(begin), HEXES_A_CASE):
            expected = plain.state(h)
            assert ((full >> h & 1) + (limited >> h & 1)) == expected, (board.grid.names[h], side)
            assert bool(linked >> h & 1) != plain.isolated(h), (board.grid.names[h], side)


@pytest.mark.parametrize("seed", range(CASES))
@pytest.mark.rule("caucasus", "14.3g")
def test_connected_rail_hexes_agree_with_a_plain_search(seed: int) -> None:
    """A38 by the letter: EZOC breaks the railway even where a friendly unit stands."""
    s = scatter(Random(seed))
    for side in (AXIS, SOVIET):
        plain = Plain(s, side)
        plain.own = set()
        expected = {
            board.grid.names[h]
            for h in board.grid.hexes
            if plain.enterable(h) and plain.linked(plain.rails, h) and plain.follow(plain.rails, h, plain.sources)
        }
        assert hexes(supply_lines.connected_rail(s, side)) == expected


@pytest.mark.parametrize("seed", range(0, CASES, 3))
@pytest.mark.rule("caucasus", "14.3b", "14.3c")
def test_a_line_that_is_shown_leads_to_a_source_as_a_line_may(seed: int) -> None:
    s = scatter(Random(seed))
    for side in (AXIS, SOVIET):
        plain, full = Plain(s, side), supply_lines.full(s, side)
        for h in hexes_of(s.occ[side]):
            path = supply_lines.line(s, side, h)
            assert bool(path) == bool(full >> h & 1), board.grid.names[h]
            if not path:
                continue
            assert path[0] == h
            assert path[-1] in plain.sources
            assert all(b in plain.neighbours(a) and plain.enterable(b) for a, b in pairwise(path))
            by_rail = next(i for i, x in enumerate(path) if plain.follow(plain.rails, x, plain.sources))
            assert by_rail <= supply_lines.LENGTH or len(path) <= supply_lines.LENGTH + 1
            assert all(b in plain.linked(plain.rails, a) for a, b in pairwise(path[by_rail:]))


# mechanics/lines.py on maps of its own


def small_grid() -> Grid:
    return Grid(GridSpec("pointy", numbered("RRCC", [(r, c) for r in range(1, 9) for c in range(1, 11)])))


def test_links_join_both_ways() -> None:
    grid = small_grid()
    pair = (grid.index["0303"], grid.index["0304"])
    steps = Steps(grid, sides_from_pairs(grid, [pair]))
    assert steps.back(1 << pair[0]) == 1 << pair[1]
    assert steps.back(1 << pair[1]) == 1 << pair[0]
    assert steps.back(1 << grid.index["0403"]) == 0


@pytest.mark.rule("caucasus", "14.3d")
def test_railways_that_are_kept_are_those_of_the_position() -> None:
    """The same few enemies come and go along the railways, in both seasons and before and after 2.33b."""
    rng = Random(7)
    s = empty()
    rails = hexes_of(supply_lines.ways(s).rails.hexes & s.ground.land)
    for case in range(300):
        s.turn = rng.choice((7, 8, 10))
        s.ground = s.board.ground(s.turn)
        s.zones = [-1, -1]
        put(s, board.unit_index[rng.choice(("GE-73", "GE-17A-HQ"))], rng.choice(rails[::9]))
        put(s, board.unit_index["SU-216RD"], rng.choice(rails[1::9]))
        s.control = rng.choice(
            (s.control, board.entry_hexes[AXIS], board.entry_hexes[AXIS] | board.entry_hexes[SOVIET])
        )
        touch(s)
        side = case % 2
        for own in (0, s.occ[side]):
            through = supply_lines.passable(s, side, own)
            sources = supply_lines.entry_sources(s, side)
            assert supply_lines._railway(s, sources, through) == supply_lines.ways(s).rails.along(sources, through)
