"""Floods and reach against the heap and the queue, on random maps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest

from sandtable.engine.hexes import (
    NO_SIDES,
    Grid,
    GridSpec,
    Hex,
    Mask,
    Sides,
    hexes_of,
    mask_of,
    opposite,
    sides_from_pairs,
    steps_into,
)
from sandtable.engine.reach import (
    Costs,
    Reach,
    classes_by,
    dearer,
    flood,
    layers,
    open_steps,
    reach,
    reach_from,
    terrain_classes,
)
from sandtable.engine.reference import adjacency, heap_reach, queue_flood

ORIENTATIONS = ("pointy", "flat")


def make_grid(orientation: str, rows: int, columns: int, keep: float = 1.0, seed: int = 0) -> Grid:
    rng = Random(seed)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    kept = [cell for cell in cells if rng.random() < keep] or cells[:1]
    numbered = tuple((f"{r}/{c}", r, c) for r, c in kept)
    return Grid(GridSpec(orientation, numbered, rng.choice(("odd", "even"))))


def random_grid(rng: Random) -> Grid:
    return make_grid(
        rng.choice(ORIENTATIONS),
        rng.randint(1, 9),
        rng.randint(1, 11),
        rng.choice((1.0, 1.0, 0.9, 0.6)),
        rng.randrange(1 << 30),
    )


def some(rng: Random, grid: Grid, *shares: float) -> Mask:
    share = rng.choice(shares)
    return mask_of(h for h in grid.hexes if rng.random() < share)


def random_pairs(rng: Random, grid: Grid, share: float) -> list[tuple[Hex, Hex]]:
    return [(h, n) for h in grid.hexes for d, n in grid.neighbours[h] if d < 3 and rng.random() < share]


# ------------------------------------------------------------------------------------- floods


def by_steps(found: dict[Hex, int]) -> list[Mask]:
    return [mask_of(h for h, n in found.items() if n == away) for away in range(max(found.values()) + 1)]


@pytest.mark.parametrize("seed", range(10))
def test_flood_and_layers(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        grid = random_grid(rng)
        # one-way steps at random, sloppily reaching over the edge of the map
        open_ = [some(rng, grid, 1.0, 0.8, 0.4) for _ in range(6)]
        barred = some(rng, grid, 0.0, 0.0, 0.2)
        start = mask_of(rng.sample(grid.hexes, min(len(grid.hexes), rng.choice((1, 1, 3)))))
        steps = adjacency(grid, [(1, open_)], barred)
        found = queue_flood(steps, hexes_of(start))
        assert flood(grid, start, open_, barred) == mask_of(found)
        assert layers(grid, start, open_, barred=barred) == by_steps(found)
        limit = rng.randint(0, 6)
        near = queue_flood(steps, hexes_of(start), limit)
        assert layers(grid, start, open_, limit, barred) == by_steps(near)


def test_a_barred_start_may_be_left_but_not_entered_again() -> None:
    grid = make_grid("pointy", 3, 3)
    a, b = grid.index["0/0"], grid.index["0/2"]
    wall = mask_of(grid.index[f"{r}/1"] for r in range(3))
    open_ = open_steps(grid, grid.all)
    assert flood(grid, 1 << a | 1 << b, open_, wall) == grid.all & ~wall
    middle = 1 << grid.index["1/1"]
    assert flood(grid, middle, open_, wall) == grid.all & ~wall | middle
    assert flood(grid, 0, open_) == 0


@pytest.mark.parametrize("seed", range(4))
def test_open_steps(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        grid = random_grid(rng)
        enter, leave = some(rng, grid, 0.5), some(rng, grid, 0.5)
        pairs = random_pairs(rng, grid, 0.3)
        closed = sides_from_pairs(grid, pairs)
        shut = {frozenset(pair) for pair in pairs}
        open_ = open_steps(grid, enter, closed, leave)
        for h in grid.hexes:
            for d in range(6):
                n = grid.neighbour(h, d)
                may = n >= 0 and enter >> n & leave >> h & 1 and frozenset((h, n)) not in shut
                assert open_[d] >> h & 1 == bool(may)
        assert open_steps(grid, enter) == steps_into(grid, enter)


def test_flood_round_a_long_wall() -> None:
    """A maze, where the way is far longer than the map is wide."""
    grid = make_grid("flat", 21, 21)
    walls = [(r, c) for c in range(1, 21, 2) for r in range(21) if r != (20 if c % 4 == 3 else 0)]
    wall = mask_of(grid.index[f"{r}/{c}"] for r, c in walls)
    start = 1 << grid.index["20/0"]
    open_ = open_steps(grid, grid.all & ~wall)
    found = queue_flood(adjacency(grid, [(1, open_)]), hexes_of(start))
    assert max(found.values()) > 150
    assert flood(grid, start, open_) == mask_of(found) == grid.all & ~wall
    assert layers(grid, start, open_) == by_steps(found)


# -------------------------------------------------------------------------------------- reach


@dataclass
class Case:
    """A random map with costs and everything that bears on a move."""

    grid: Grid
    classes: list[tuple[int, Sides]]
    points: int
    stop: Mask
    barred: Mask
    leaving: tuple[int, Mask]
    entering: tuple[int, Mask]
    apart: Mask


def random_classes(rng: Random, grid: Grid) -> list[tuple[int, Sides]]:
    """Terrain alone, terrain with a few odd sides, with many, or a price for each step at random."""
    kind = rng.randrange(4)
    price = {h: rng.choice((0, 1, 1, 1, 2, 2, 3, 5)) for h in grid.hexes}
    odd = (0.0, 0.02, 0.25, 1.0)[kind]
    return classes_by(grid, lambda h, d, n: rng.randint(0, 6) if rng.random() < odd else price[n])


def random_case(rng: Random, grid: Grid, limits: bool) -> Case:
    def toll() -> tuple[int, Mask]:
        return (rng.randint(1, 3), some(rng, grid, 0.1, 0.4)) if limits and rng.random() < 0.5 else (0, 0)

    return Case(
        grid,
        random_classes(rng, grid),
        rng.randint(0, 12),
        some(rng, grid, 0.0, 0.15),
        some(rng, grid, 0.0, 0.1),
        toll(),
        toll(),
        some(rng, grid, 0.1, 0.4) if limits and rng.random() < 0.5 else 0,
    )


def check(case: Case, found: Reach, starts: list[Hex]) -> None:
    """The reach is what the heap finds, and its paths are real and cost what they should."""
    grid = case.grid
    steps = adjacency(grid, case.classes, case.barred, case.leaving, case.entering, case.apart)
    stops = set(hexes_of(case.stop))
    best = heap_reach(steps, starts, case.points, stops)
    assert found.hexes == mask_of(best)
    assert len(found.layers) == case.points + 1
    for spent, layer in enumerate(found.layers):
        assert layer == mask_of(h for h, cost in best.items() if cost == spent)
    for h in grid.hexes:
        assert (h in found) == (h in best)
        assert found.cost(h) == best.get(h, -1)
        path = found.path(h)
        if h not in best:
            assert path == []
            continue
        assert path[0] in starts
        assert path[-1] == h
        assert sum(dict(steps[a])[b] for a, b in pairwise(path)) == best[h]
        assert not stops.intersection(path[1:-1])
        for a, b, c in zip(path, path[1:], path[2:], strict=False):  # a bend only where straight on is dearer
            straight = grid.neighbour(b, opposite(grid.direction(b, c)))
            if straight != a and straight in best and (straight in starts or straight not in stops):
                assert best[straight] + dict(steps[straight]).get(b, 99) > best[b]


@pytest.mark.parametrize("limits", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_reach(seed: int, limits: bool) -> None:
    rng = Random(seed)
    for _ in range(60):
        case = random_case(rng, random_grid(rng), limits)
        costs = Costs(case.grid, case.classes)
        others = case.stop, case.barred, case.leaving, case.entering, case.apart
        start = rng.choice(case.grid.hexes)
        found = reach(case.grid, start, case.points, costs, *others)
        check(case, found, [start])
        bare = reach(case.grid, start, case.points, case.classes, *others)
        assert bare.layers == found.layers
        starts = rng.sample(case.grid.hexes, min(len(case.grid.hexes), 3))
        check(case, reach_from(case.grid, mask_of(starts), case.points, costs, *others), starts)


def odd_sides(rng: Random, grid: Grid, price: dict[Hex, int], share: float) -> list[tuple[int, Sides]]:
    return classes_by(grid, lambda h, d, n: 4 if rng.random() < share else price[n])


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_reach_on_a_large_map(orientation: str) -> None:
    """Large enough for a few odd sides to be a small share, so that every branch of the kernel is taken."""
    grid = make_grid(orientation, 43, 82)
    rng = Random(orientation)
    ways = set()
    for odd in (0.0, 0.003, 0.2):
        price = {h: rng.choice((1, 2, 3)) for h in grid.hexes}
        classes = odd_sides(rng, grid, price, odd)
        costs = Costs(grid, classes)
        ways.add((bool(costs.plain), bool(costs.sided), costs.dense))
        for start in rng.sample(grid.hexes, 3):
            zone = some(rng, grid, 0.05)
            case = Case(grid, classes, 12, some(rng, grid, 0.05), 0, (2, zone), (0, 0), zone)
            found = reach(grid, start, 12, costs, case.stop, leaving=case.leaving, apart=zone)
            check(case, found, [start])
    assert ways >= {(True, False, False), (True, True, False), (False, True, True)}


def test_the_start_may_always_be_left() -> None:
    grid = make_grid("pointy", 5, 5)
    start = grid.index["2/2"]
    costs = Costs(grid, terrain_classes(grid, {1: grid.all}))
    everywhere = reach(grid, start, 9, costs, stop=grid.all)
    assert everywhere.hexes == grid.within(start, 1)
    assert reach(grid, start, 9, costs, barred=grid.all).hexes == 1 << start
    assert reach(grid, start, 3, costs, leaving=(2, grid.all)).hexes == grid.within(start, 1)
    assert reach(grid, start, 3, costs, entering=(2, grid.all)).hexes == grid.within(start, 1)
    assert reach(grid, start, 9, costs, apart=grid.all).hexes == 1 << start
    assert reach(grid, start, 9, costs, apart=grid.all & ~(1 << start)).hexes == grid.within(start, 1)
    assert reach(grid, start, -1, costs).hexes == 1 << start
    assert reach(grid, start, 5, []).hexes == 1 << start


def test_boxes_reach_nothing() -> None:
    cells = tuple((f"{r}/{c}", r, c) for r in range(4) for c in range(4))
    for orientation in ORIENTATIONS:
        grid = Grid(GridSpec(orientation, cells, boxes=("Malta", "Tripoli")))
        costs = Costs(grid, terrain_classes(grid, {1: grid.all}))
        open_ = open_steps(grid, grid.all)
        for box in grid.boxes.values():
            found = reach(grid, box, 6, costs)
            assert found.hexes == 1 << box
            assert found.path(box) == [box]
            assert flood(grid, 1 << box, open_) == 1 << box
            assert layers(grid, 1 << box, open_) == [1 << box]
        assert flood(grid, 1 << grid.hexes[0], open_) == grid.all
        assert reach(grid, grid.hexes[-1], 99, costs).hexes == grid.all


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_paths_go_straight_where_they_can_and_are_always_the_same(orientation: str) -> None:
    grid = make_grid(orientation, 15, 15)
    start = grid.index["7/7"]
    costs = Costs(grid, terrain_classes(grid, {2: grid.all}))
    found = reach(grid, start, 12, costs)
    for d in range(6):
        assert found.path(grid.ray(start, d, 5)) == [grid.ray(start, d, n) for n in range(6)]
    for h in grid.hexes:
        path = found.path(h)
        assert path == reach(grid, start, 12, costs).path(h)
        ways = [grid.direction(a, b) for a, b in pairwise(path)]
        assert sum(a != b for a, b in pairwise(ways)) <= 1  # on open ground, at most one bend
    assert found.path(start) == [start]


# -------------------------------------------------------------------------------------- costs


@pytest.mark.parametrize("seed", range(6))
def test_terrain_classes(seed: int) -> None:
    """Terrain entered, plus sides crossed, not across closed sides; links override all of that."""
    rng = Random(seed)
    for _ in range(20):
        grid = random_grid(rng)
        kinds = {h: rng.choice((0, 1, 2, 4)) for h in grid.hexes}
        terrain = {cost: mask_of(h for h, kind in kinds.items() if kind == cost) for cost in (1, 2, 4)}
        minor, major, cliffs, roads, tracks = (
            {frozenset(pair) for pair in random_pairs(rng, grid, 0.25)} for _ in range(5)
        )

        def sides(pairs: set[frozenset[Hex]], grid: Grid = grid) -> Sides:
            return sides_from_pairs(grid, [(min(pair), max(pair)) for pair in pairs])

        classes = terrain_classes(
            grid,
            terrain,
            extra=[(1, sides(minor)), (2, sides(major))],
            closed=sides(cliffs),
            links=[(3, sides(tracks)), (1, sides(roads))],
        )
        costs = Costs(grid, classes)
        assert [cost for cost, _ in classes] == sorted({cost for cost, _ in classes})
        for h in grid.hexes:
            for d, n in grid.neighbours[h]:
                side = frozenset((h, n))
                if side in roads:
                    price = 1
                elif side in tracks:
                    price = 3
                elif side in cliffs or not kinds[n]:
                    price = -1
                else:
                    price = kinds[n] + (side in minor) + 2 * (side in major)
                assert costs.price(h, d) == price


def test_dearer_steps() -> None:
    grid = make_grid("flat", 6, 6)
    zone = grid.within(grid.index["3/3"], 1)
    classes = terrain_classes(grid, {1: zone, 2: grid.all & ~zone})
    costs = Costs(grid, dearer(classes, 1, steps_into(grid, zone)))
    for h in grid.hexes:
        assert {costs.price(h, d) for d, _ in grid.neighbours[h]} == {2}
    out = Costs(grid, dearer(classes, 3, [zone] * 6))
    for h in grid.hexes:
        for d, n in grid.neighbours[h]:
            assert out.price(h, d) == (1 if zone >> n & 1 else 2) + 3 * (zone >> h & 1)


def test_the_lower_of_two_costs_counts() -> None:
    grid = make_grid("pointy", 4, 4)
    everything = steps_into(grid, grid.all)
    costs = Costs(grid, [(3, everything), (1, NO_SIDES), (2, everything)])
    assert [cost for cost, _ in costs.classes] == [2]
    sloppy = Costs(grid, [(2, (grid.all,) * 6)])  # steps over the edge of the map are no steps
    assert sloppy.classes == costs.classes
    for h in grid.hexes:
        for d in range(6):
            assert costs.price(h, d) == (2 if grid.neighbour(h, d) >= 0 else -1)


@pytest.mark.parametrize("cost", [0, -1])
def test_steps_cost_at_least_a_point(cost: int) -> None:
    grid = make_grid("pointy", 2, 2)
    with pytest.raises(ValueError, match="whole points from 1"):
        Costs(grid, [(cost, steps_into(grid, grid.all))])
