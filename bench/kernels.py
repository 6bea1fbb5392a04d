"""How fast the hex kernels are, beside a heap and a queue that do the same hex by hex.

Kernel and reference run in turns in the same process and the best round of each counts, so that the ratio
holds on a busy machine too. `python bench/kernels.py` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from sandtable.engine.hexes import Grid, GridSpec, Hex, Sides, hexes_of, mask_of, numbered, sides_from_pairs
from sandtable.engine.reach import Costs, flood, open_steps, reach, terrain_classes
from sandtable.engine.reference import adjacency, heap_reach, queue_flood

ROUNDS = 25
STARTS = 40


def best_rates(kernel: Callable[[], object], reference: Callable[[], object], n: int) -> tuple[float, float]:
    """Operations a second of both, each call being n of them."""
    times = [1e9, 1e9]
    for _ in range(ROUNDS):
        for which, call in enumerate((kernel, reference)):
            began = perf_counter()
            call()
            times[which] = min(times[which], perf_counter() - began)
    return n / times[0], n / times[1]


def rectangle(rows: int, columns: int) -> Grid:
    return Grid(GridSpec("pointy", numbered("RRCC", [(r, c) for r in range(rows) for c in range(columns)])))


def rommel_shape() -> Grid:
    """265 hexes in ten rows of 27 and 26."""
    cells = [(r, c) for r in range(1, 11) for c in range(1, 28 if r % 2 else 27)]
    return Grid(GridSpec("pointy", numbered("RRCC", cells)))


def some_sides(grid: Grid, rng: Random, share: float) -> Sides:
    pairs = [(h, n) for h in grid.hexes for d, n in grid.neighbours[h] if d < 3 and rng.random() < share]
    return sides_from_pairs(grid, pairs)


def measure_reach(grid: Grid, points: int, with_sides: bool) -> tuple[float, float, float]:
    """(kernel, heap, hexes reached on average): three terrain costs, with rivers and roads if wanted."""
    rng = Random(5)
    kinds = {h: rng.choices((1, 2, 3), (6, 3, 2))[0] for h in grid.hexes}
    classes = terrain_classes(
        grid,
        {cost: mask_of(h for h in grid.hexes if kinds[h] == cost) for cost in (1, 2, 3)},
        extra=[(1, some_sides(grid, rng, 0.08))] if with_sides else (),
        links=[(1, some_sides(grid, rng, 0.06))] if with_sides else (),
    )
    stop = mask_of(h for h in grid.hexes if rng.random() < 0.03)
    stops = set(hexes_of(stop))
    costs, steps = Costs(grid, classes), adjacency(grid, classes)
    starts = rng.sample(grid.hexes, STARTS)
    reached = [reach(grid, h, points, costs, stop).hexes for h in starts]
    assert reached == [mask_of(heap_reach(steps, (h,), points, stops)) for h in starts]
    kernel, heap = best_rates(
        lambda: [reach(grid, h, points, costs, stop) for h in starts],
        lambda: [heap_reach(steps, (h,), points, stops) for h in starts],
        STARTS,
    )
    return kernel, heap, sum(m.bit_count() for m in reached) / STARTS


def measure_flood(grid: Grid) -> tuple[float, float, float]:
    """(kernel, queue, hexes flooded on average): a sixth of the hexes and some sides are shut."""
    rng = Random(6)
    shut = mask_of(h for h in grid.hexes if rng.random() < 1 / 6)
    open_ = open_steps(grid, grid.all & ~shut, some_sides(grid, rng, 0.05))
    steps = adjacency(grid, [(1, open_)])
    starts: list[Hex] = rng.sample(hexes_of(grid.all & ~shut), 4)
    flooded = [flood(grid, 1 << h, open_) for h in starts]
    assert flooded == [mask_of(queue_flood(steps, (h,))) for h in starts]
    kernel, queue = best_rates(
        lambda: [flood(grid, 1 << h, open_) for h in starts],
        lambda: [queue_flood(steps, (h,)) for h in starts],
        len(starts),
    )
    return kernel, queue, sum(m.bit_count() for m in flooded) / len(starts)


def run() -> dict[str, float]:
    """For each case: operations a second of kernel and reference, their ratio, and the hexes reached."""
    large, small = rectangle(43, 82), rommel_shape()
    cases = {
        "reach_82x43_10pt_terrain": measure_reach(large, 10, False),
        "reach_82x43_10pt_sides": measure_reach(large, 10, True),
        "reach_265_6pt_terrain": measure_reach(small, 6, False),
        "reach_265_6pt_sides": measure_reach(small, 6, True),
        "reach_265_10pt_terrain": measure_reach(small, 10, False),
        "flood_82x43": measure_flood(large),
        "flood_265": measure_flood(small),
    }
    result: dict[str, float] = {}
    for name, (kernel, reference, hexes) in cases.items():
        result[f"{name}_per_s"] = round(kernel, 1)
        result[f"{name}_reference_per_s"] = round(reference, 1)
        result[f"{name}_ratio"] = round(kernel / reference, 2)
        result[f"{name}_hexes"] = round(hexes, 1)
    return result


if __name__ == "__main__":
    for key, value in run().items():
        print(f"{key:42} {value:>12,.1f}")
