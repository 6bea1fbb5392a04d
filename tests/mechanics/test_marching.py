"""Marches against a slow walk over every lawful sequence of steps."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sandtable.engine.hexes import Grid, GridSpec, hexes_of, numbered
from sandtable.mechanics.marching import FIRST, GO, HALTS, Rates, march
from sandtable.mechanics.offers import Offers

GRID = Grid(GridSpec("pointy", numbered("RRCC", product(range(1, 9), range(1, 9)))))


def random_rates(rng: Random) -> tuple[Rates, dict[tuple[int, int], tuple[int, int]]]:
    """Steps of 1 to 3 points; some end the move, some must be the first, some are impossible."""
    table: dict[tuple[int, int], tuple[int, int]] = {}
    for h in GRID.hexes:
        for d, _ in GRID.neighbours[h]:
            flags = rng.choice((GO, GO, GO, HALTS)) | rng.choice((0, 0, 0, 0, FIRST))
            table[h, d] = (rng.choice((-1, 1, 1, 2, 3)), flags)
    return Rates(GRID, lambda h, d, n: table[h, d]), table


def slow(
    table: dict[tuple[int, int], tuple[int, int]],
    start: int,
    points: int,
    barred: int,
    toll: int,
    tolled: int,
    stop: int,
    setting_out: bool,
) -> dict[int, int]:
    """The fewest points to every hex, by trying everything."""
    best: dict[int, int] = {start: 0}
    todo = [(start, 0, True)]
    seen: set[tuple[int, int, bool]] = set()
    while todo:
        h, spent, first = todo.pop()
        if (h, spent, first) in seen:
            continue
        seen.add((h, spent, first))
        for d, n in GRID.neighbours[h]:
            price, flags = table[h, d]
            if price <= 0 or barred >> n & 1 or (flags & FIRST and not (first and setting_out)):
                continue
            after = spent + price + (toll if tolled >> h & 1 else 0)
            if after > points:
                continue
            best[n] = min(best.get(n, after), after)
            if not flags & HALTS and not stop >> n & 1:
                todo.append((n, after, False))
    return best


@pytest.mark.parametrize("seed", range(12))
def test_a_march_reaches_what_a_slow_walk_reaches_for_the_same_points(seed: int) -> None:
    rng = Random(seed)
    rates, table = random_rates(rng)
    for _ in range(8):
        start = rng.choice(GRID.hexes)
        barred = sum(1 << h for h in GRID.hexes if h != start and rng.random() < 0.15)
        tolled = sum(1 << h for h in GRID.hexes if rng.random() < 0.25)
        stop = sum(1 << h for h in GRID.hexes if rng.random() < 0.1)
        points, toll, out = rng.randint(0, 8), rng.choice((0, 2)), rng.random() < 0.7
        found = march(rates, start, points, barred, toll, tolled, stop, out)
        wanted = slow(table, start, points, barred, toll, tolled, stop, out)
        assert {h: found.cost(h) for h in hexes_of(found.hexes)} == wanted
        for h in wanted:
            walk(table, start, found.path(h), wanted[h], toll, tolled, stop, out, h)


def walk(
    table: dict[tuple[int, int], tuple[int, int]],
    start: int,
    path: list[int],
    cost: int,
    toll: int,
    tolled: int,
    stop: int,
    out: bool,
    end: int,
) -> None:
    """The path is lawful and costs what was said."""
    assert (path[-1] if path else start) == end
    spent, h = 0, start
    for i, n in enumerate(path):
        price, flags = table[h, GRID.direction(h, n)]
        assert price > 0
        assert not flags & FIRST or (i == 0 and out)
        assert n == end or not (flags & HALTS or stop >> n & 1)
        spent += price + (toll if tolled >> h & 1 else 0)
        h = n
    assert spent == cost


def test_by_hexes_every_step_costs_one_and_keeps_its_flags() -> None:
    rates, table = random_rates(Random(3))
    flat = rates.by_hexes()
    assert flat is rates.by_hexes()
    plain = {key: (1 if price > 0 else -1, flags) for key, (price, flags) in table.items()}
    for start in GRID.hexes[::7]:
        found = march(flat, start, 3)
        assert {h: found.cost(h) for h in hexes_of(found.hexes)} == slow(plain, start, 3, 0, 0, 0, 0, True)


def test_offers_are_the_members_in_order() -> None:
    offers = Offers(7, 100)
    rng = Random(1)
    for _ in range(50):
        members = rng.getrandbits(100)
        assert offers(members) == [(7, i) for i in range(100) if members >> i & 1]
    assert offers(0) == []
