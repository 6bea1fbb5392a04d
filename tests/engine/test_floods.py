"""Floods against a queue, on random maps."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.floods import adjacency, flood, layers, open_steps, queue_flood
from sandtable.engine.hexes import (
    Grid,
    GridSpec,
    Hex,
    Mask,
    hexes_of,
    mask_of,
    sides_from_pairs,
    steps_into,
)

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
        steps = adjacency(grid, open_, barred)
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
    found = queue_flood(adjacency(grid, open_), hexes_of(start))
    assert max(found.values()) > 150
    assert flood(grid, start, open_) == mask_of(found) == grid.all & ~wall
    assert layers(grid, start, open_) == by_steps(found)


def test_boxes_reach_nothing() -> None:
    cells = tuple((f"{r}/{c}", r, c) for r in range(4) for c in range(4))
    for orientation in ORIENTATIONS:
        grid = Grid(GridSpec(orientation, cells, boxes=("Malta", "Tripoli")))
        open_ = open_steps(grid, grid.all)
        for box in grid.boxes.values():
            assert flood(grid, 1 << box, open_) == 1 << box
            assert layers(grid, 1 << box, open_) == [1 << box]
        assert flood(grid, 1 << grid.hexes[0], open_) == grid.all
