"""How fast the kernels are that moves and floods run on, beside plain ones that do the same hex by hex.

Kernel and reference run in turns in the same process and the best round of each counts, so that the ratio
holds on a busy machine too. `python bench/kernels.py` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from sandtable.engine.floods import adjacency, flood, open_steps, queue_flood
from sandtable.engine.hexes import Grid, GridSpec, Hex, Sides, hexes_of, mask_of, numbered, sides_from_pairs
from sandtable.mechanics.paths.charts import GO, Chart
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.paths.surveys import Surveyor

ROUNDS = 25
STARTS = 40


def best_rates(kernel: Callable[[], object], reference: Callable[[], object], n: int) -> tuple[float, float]:
    """Operations a second of both, each call being n of them."""
    times = [1e9, 1e9]
    for _ in range(ROUNDS):
        for which, call in enumerate((kernel, reference)):
            began = process_time()
            call()
            times[which] = min(times[which], process_time() - began)
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


def some_chart(grid: Grid, rng: Random, scale: int) -> Chart:
    """Three terrain costs, rivers, and roads at a third of the cost."""
    kinds = {h: rng.choices((1, 2, 3), (6, 3, 2))[0] for h in grid.hexes}
    rivers, roads = some_sides(grid, rng, 0.08), some_sides(grid, rng, 0.06)

    def price(h: Hex, d: int, n: Hex) -> tuple[int, int]:
        points = scale if roads[d] >> h & 1 else 3 * scale * (kinds[n] + (rivers[d] >> h & 1))
        return max(points // 3, 1), GO

    return Chart(grid, price)


def measure_legs(grid: Grid, points: int, surveyed: bool) -> tuple[float, float, float]:
    """(kernel, hex by hex, hexes reached on average): everywhere that legs lead among enemies and their zones."""
    rng = Random(5)
    chart = some_chart(grid, rng, 3 if surveyed else 1)
    enemies = mask_of(h for h in grid.hexes if rng.random() < 0.01)
    zones = grid.dilate(enemies) & ~enemies
    tolls = ((2, zones),)
    starts = rng.sample(hexes_of(grid.all & ~enemies), STARTS)
    if surveyed:
        chart.surveyor = Surveyor(chart)

    def legs() -> list[Leg]:
        return [Leg(0, chart, h, points, enemies, 0, zones, tolls) for h in starts]

    def by_hexes() -> list[int]:
        return [leg._plain(points, enemies, zones, 0, True).hexes & ~(1 << leg.start) for leg in legs()]

    def everywhere() -> list[int]:
        if chart.surveyor is not None:
            for survey in chart.surveyor.surveys.values():
                survey.kept = ()
        return [leg.everywhere() for leg in legs()]

    reached = everywhere()
    assert reached == by_hexes()
    kernel, plain = best_rates(everywhere, by_hexes, STARTS)
    return kernel, plain, sum(m.bit_count() for m in reached) / STARTS


def measure_flood(grid: Grid) -> tuple[float, float, float]:
    """(kernel, queue, hexes flooded on average): a sixth of the hexes and some sides are shut."""
    rng = Random(6)
    shut = mask_of(h for h in grid.hexes if rng.random() < 1 / 6)
    open_ = open_steps(grid, grid.all & ~shut, some_sides(grid, rng, 0.05))
    steps = adjacency(grid, open_)
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
        "waves_82x43_10pt": measure_legs(large, 10, False),
        "waves_265_6pt": measure_legs(small, 6, False),
        "surveys_82x43_36pt": measure_legs(large, 36, True),
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
