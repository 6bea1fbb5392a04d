"""Lines over railways and roads: stretches that a flood takes at one stride change nothing about what it finds."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import Grid, GridSpec, hexes_of, opposite
from sandtable.mechanics.lines import Steps


def net(rng: Random) -> tuple[Grid, list[int]]:
    """A grid of 12 by 12 with two-way roads over about half of its hexsides."""
    grid = Grid(GridSpec("pointy", tuple((f"{x:02}{y:02}", x, y) for y in range(12) for x in range(12))))
    sides = [0] * 6
    for h in grid.hexes:
        for d, n in grid.neighbours[h]:
            if n > h and rng.random() < 0.5:
                sides[d] |= 1 << h
                sides[opposite(d)] |= 1 << n
    return grid, sides


@pytest.mark.parametrize("length", [1, 4, 9, 200])
def test_stretches_change_nothing(length: int) -> None:
    rng = Random(length)
    for _ in range(20):
        grid, sides = net(rng)
        plain, cut = Steps(grid, tuple(sides)), Steps(grid, tuple(sides), stretch=length)
        for closed in (0, 1, 5, 20, 60):
            through = grid.all
            for h in rng.sample(hexes_of(grid.all), closed):
                through &= ~(1 << h)
            target = 1 << rng.choice(hexes_of(grid.all))
            assert cut.flood(target, through) == plain.flood(target, through)
            assert cut.along(target, through) == plain.along(target, through)


def test_one_way_roads_are_not_cut() -> None:
    grid, sides = net(Random(1))
    sides[0] &= sides[0] - 1
    with pytest.raises(ValueError, match="both ways"):
        Steps(grid, tuple(sides), stretch=4)
