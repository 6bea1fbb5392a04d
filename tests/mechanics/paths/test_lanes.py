"""Ways of several classes against a walk step by step of each class by itself."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import Hex, Sides, hexes_of, opposite
from sandtable.mechanics.paths.lanes import LaneLeg, Lanes
from sandtable.mechanics.paths.legs import CLOSED, NO_WAY, NOTHING, STOPPED, TOO_FAR

from .slow import GRID, some


def some_lanes(rng: Random, count: int) -> tuple[Lanes, list[Sides], list[int]]:
    """Every class has all the steps of the one before it, and more."""
    classes: list[Sides] = []
    for c in range(count):
        share = 1 if c == count - 1 and rng.random() < 0.7 else (c + 1) / count
        masks = [some(rng, share) for _ in range(6)]
        pairs = [0] * 6
        for h in GRID.hexes:
            for d, n in GRID.neighbours[h]:
                if masks[d % 3] >> (h if d < 3 else n) & 1:
                    pairs[d] |= 1 << h
        before = classes[-1] if classes else (0,) * 6
        classes.append(tuple(pairs[d] | before[d] for d in range(6)))
    bonus = sorted((rng.randint(0, 4) for _ in range(count)), reverse=True)
    return Lanes(GRID, classes, bonus, [some(rng, 0.1)] * count, GRID.size), classes, bonus


def walk(steps: Sides, start: Hex, passable: int, limit: int) -> dict[Hex, int]:
    """The fewest steps to every passable hex."""
    found, front = {start: 0}, [start]
    for n in range(1, limit + 1):
        ahead = {to for h in front for d, to in GRID.neighbours[h] if steps[d] >> h & 1 and passable >> to & 1}
        front = [h for h in ahead if h not in found]
        found |= dict.fromkeys(front, n)
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_a_hex_is_in_reach_if_a_way_of_one_class_gets_there(seed: int, count: int) -> None:
    rng = Random(seed)
    lanes, classes, bonus = some_lanes(rng, count)
    for _ in range(6):
        start, points = rng.choice(GRID.hexes), rng.randint(0, 4)
        enemies = some(rng, 0.15) & ~(1 << start)
        passable = GRID.all & ~enemies
        leg = LaneLeg(lanes, start, points, passable, enemies)
        ways = [walk(classes[c], start, passable, points + bonus[c]) for c in range(count)]
        reached = {h for way in ways for h in way if h != start}
        assert set(hexes_of(leg.free)) == reached
        sides = {
            (n, opposite(d))
            for c, way in enumerate(ways)
            for h, spent in way.items()
            for d, n in GRID.neighbours[h]
            if spent < points + bonus[c] and classes[c][d] >> h & 1 and enemies >> n & 1
        }
        assert {(h, d) for d in range(6) for h in hexes_of(leg.by_side[d])} == sides
        assert leg.everywhere() == leg.free | leg.engaged
        out = {
            h for c, way in enumerate(ways) for h, n in way.items() if n < points + bonus[c] and lanes.exits[c] >> h & 1
        }
        assert set(hexes_of(leg.exits)) == out
        for h in out:
            off = leg.off(h)
            assert off is not None
            assert off.cost == min(way[h] for c, way in enumerate(ways) if h in way and way[h] < points + bonus[c])
        for h in reached:
            found = leg.to(h)
            assert found is not None
            assert (found.cost, len(found.path)) == (min(way[h] for way in ways if h in way),) * 2
            assert_steps(classes[found.lane], start, found.path, passable)
        for h, d in sides:
            found = leg.to(h, d)
            assert found is not None
            assert found.path[-1] == h
            assert (found.path[-2] if len(found.path) > 1 else start) == GRID.neighbour(h, d)
            assert_steps(classes[found.lane], start, found.path, passable | 1 << h)
        for h in GRID.hexes:
            kind = leg.why(h).kind
            assert (kind == NOTHING) == bool(leg.everywhere() >> h & 1)
            if kind == NO_WAY:
                assert h not in walk(lanes.open, start, GRID.all, 99)
            elif kind == TOO_FAR:
                assert all(h not in walk(classes[c], start, GRID.all, points + bonus[c]) for c in range(count))
            assert kind != CLOSED  # every hex is passable or one to stop in
            assert kind != STOPPED or enemies


def assert_steps(steps: Sides, start: Hex, path: tuple[Hex, ...], passable: int) -> None:
    h = start
    for n in path:
        assert steps[GRID.direction(h, n)] >> h & passable >> n & 1
        h = n


def test_only_some_steps() -> None:
    lanes, classes, _ = some_lanes(Random(1), 3)
    start = GRID.hexes[27]
    through = lanes.only_through(lanes.steps, start, 0b000101)
    assert LaneLeg(lanes, start, 1, GRID.all, 0, through).fronts[1:2] != LaneLeg(lanes, start, 1, GRID.all).fronts[1:2]
    none = LaneLeg(lanes, start, 5, GRID.all, 0, lanes.only_by((0,) * 6))
    assert (none.free, none.to(GRID.hexes[0])) == (0, None)
    assert none.why(start).kind != NOTHING
    east = LaneLeg(lanes, start, 5, GRID.all, 0, lanes.only_by((GRID.all, 0, 0, 0, 0, 0)))
    assert all(GRID.direction(start, h) == 0 or GRID.distance(start, h) > 1 for h in hexes_of(east.free))
    assert classes[0] != classes[2]
