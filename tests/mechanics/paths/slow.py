"""Every lawful sequence of steps, tried one by one: what all kernels are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from sandtable.engine.hexes import Grid, GridSpec, Hex, Mask, numbered
from sandtable.mechanics.paths.charts import FIRST, GO, HALTS, Chart, Starts, Tolls, due

GRID = Grid(GridSpec("pointy", numbered("RRCC", product(range(1, 9), range(1, 9)))))


class Terms(NamedTuple):
    """A move, as kernels are asked for it."""

    start: Hex
    points: int
    closed: Mask = 0
    stop: Mask = 0
    leaving: Tolls = ()
    entering: Tolls = ()
    setting_out: bool = True
    starts: Starts = ()
    dry: Mask = 0
    run: int = 0
    chain: Mask = 0


def some(rng: Random, share: float, grid: Grid = GRID) -> Mask:
    """Some hexes of the map."""
    return sum(1 << h for h in grid.hexes if rng.random() < share)


def random_chart(rng: Random, flags: bool = True, dry: Mask = 0, prices: Sequence[int] = (-1, 1, 1, 2, 3)) -> Chart:
    """Steps of a few points; some are impossible, and with flags some end the move and some must be the first."""
    table: dict[tuple[Hex, int], tuple[int, int]] = {}
    for h in GRID.hexes:
        for d, _ in GRID.neighbours[h]:
            flag = rng.choice((GO, GO, GO, HALTS)) | rng.choice((0, 0, 0, 0, FIRST)) if flags else GO
            table[h, d] = (rng.choice(prices), flag)
    return Chart(GRID, lambda h, d, n: table[h, d], dry)


def random_terms(rng: Random, points: int = 8, tolls: bool = True) -> Terms:
    """Enemies, zones and markers anywhere."""
    start = rng.choice(GRID.hexes)
    first, second = some(rng, 0.15), some(rng, 0.15)
    return Terms(
        start,
        rng.randint(0, points),
        some(rng, 0.12) & ~(1 << start),
        some(rng, 0.1),
        ((2, first), (1, second & ~first)),
        ((3, some(rng, 0.08)),) if tolls else (),
        rng.random() < 0.7,
    )


def slow(chart: Chart, terms: Terms) -> dict[Hex, int]:
    """The fewest points to every hex, by trying everything."""
    best: dict[Hex, int] = {}
    begin = terms.starts or ((0, 1 << terms.start, terms.run),)
    todo = [(h, spent, run) for spent, hexes, run in begin for h in GRID.hexes if hexes >> h & 1]
    todo = [(h, spent + (due(terms.entering, h) if spent else 0), run) for h, spent, run in todo]
    todo = [
        (h, spent, run) for h, spent, run in todo if spent <= terms.points and not (spent and terms.closed >> h & 1)
    ]
    seen: set[tuple[Hex, int, int]] = set()
    while todo:
        h, spent, run = todo.pop()
        if (h, spent, run) in seen:
            continue
        seen.add((h, spent, run))
        best[h] = min(best.get(h, spent), spent)
        first = h == terms.start and not spent
        if terms.stop >> h & 1 and not first:
            continue
        for n, _, price, flags in chart.steps[h]:
            if terms.closed >> n & 1 or (flags & FIRST and not (first and terms.setting_out)):
                continue
            if terms.chain >> h & 1 and terms.chain >> n & 1:
                continue
            after = run + 1 if terms.dry >> n & 1 else 0
            total = spent + due(terms.leaving, h) + price + due(terms.entering, n)
            if total > terms.points or after > 2:
                continue
            best[n] = min(best.get(n, total), total)
            if not flags & HALTS:
                todo.append((n, total, after))
    return best


def assert_lawful(chart: Chart, terms: Terms, path: Sequence[Hex], cost: int, end: Hex) -> None:
    """A way that may be gone, leads there and costs what was said."""
    assert (path[-1] if path else terms.start) == end
    spent, h, run = 0, terms.start, terms.run
    for i, n in enumerate(path):
        if not i and terms.starts:
            spent, run = next((points, run) for points, hexes, run in terms.starts if hexes >> n & 1)
            spent += due(terms.entering, n)
        else:
            price, flags = next((price, flags) for to, _, price, flags in chart.steps[h] if to == n)
            assert not flags & FIRST or (i == 0 and terms.setting_out)
            assert n == path[-1] or not flags & HALTS
            spent += price + due(terms.leaving, h) + due(terms.entering, n)
            run = run + 1 if terms.dry >> n & 1 else 0
            assert not (terms.chain >> h & 1 and terms.chain >> n & 1)
        assert not terms.closed >> n & 1
        assert run <= 2
        assert n == path[-1] or not terms.stop >> n & 1
        h = n
    assert spent == cost
