"""The treks of North Africa '41 against a plain search, hex by hex."""

from __future__ import annotations

import heapq
from random import Random

import pytest

from sandtable.games.na41.game import GAME
from sandtable.games.na41.routes import FOOT, FOOT_VEHICLE, MECH, VEHICLE, Tables
from sandtable.games.na41.treks import Tolls, trek
from sandtable.mechanics.marching import Rates

board = GAME.board
TABLES = Tables(board)
LAND = [h for h in board.grid.hexes if board.land >> h & 1]


def due(tolls: Tolls, h: int) -> int:
    return next((toll for toll, mask in tolls if mask >> h & 1), 0)


def plain(
    rates: Rates, start: int, run: int, points: int, barred: int, stop: int, leaving: Tolls, entering: Tolls
) -> dict[int, int]:
    """The fewest points to every hex, by Dijkstra over hexes and runs of desert hexes."""
    best: dict[tuple[int, int], int] = {}
    queue = [(0, start, run)]
    while queue:
        spent, h, r = heapq.heappop(queue)
        if (h, r) in best:
            continue
        best[h, r] = spent
        if spent and stop >> h & 1:
            continue
        for d, n in board.grid.neighbours[h]:
            price = rates.price[d][h]
            longer = r + 1 if board.desert >> n & 1 else 0
            if price <= 0 or barred >> n & 1 or longer > 2:
                continue
            total = spent + price + due(leaving, h) + due(entering, n)
            if total <= points:
                heapq.heappush(queue, (total, n, longer))
    found: dict[int, int] = {}
    for (h, _), spent in best.items():
        found[h] = min(spent, found.get(h, spent))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_treks_find_what_a_plain_search_finds(seed: int) -> None:
    rng = Random(seed)
    rates = TABLES.kinds[rng.choice((FOOT, MECH, VEHICLE, FOOT_VEHICLE))].walk
    start = rng.choice(LAND)
    near = [h for h in LAND if board.grid.distance(h, start) < 12]

    def some(count: int) -> int:
        return sum({1 << rng.choice(near) for _ in range(count)}) & ~(1 << start)

    points, run = rng.choice((18, 30, 36, 48, 60)), rng.choice((0, 0, 0, 1, 2)) if board.desert >> start & 1 else 0
    held = 1 << start if rng.random() < 0.4 else 0  # it may start where it would have to stop
    barred, stop = some(8), some(12) | held
    full = some(12) | held
    leaving = ((12, full), (6, some(12) & ~full))
    slow = some(5)
    entering = ((6, slow), (18, some(5) & ~slow))
    found = trek(rates, board.desert, start, [(0, 1 << start, run)], points, barred, stop, leaving, entering)
    expected = plain(rates, start, run, points, barred, stop, leaving, entering)
    assert {h: found.cost(h) for h in board.grid.hexes if found.hexes >> h & 1} == expected
    assert found.within(points // 2) == sum(1 << h for h, spent in expected.items() if spent <= points // 2)
    for h in expected:
        if h == start:
            continue
        path = found.path(h)
        assert path[-1] == h
        assert found.running(path)[-1] == expected[h]
        behind = run
        for place in path:
            behind = behind + 1 if board.desert >> place & 1 else 0
            assert behind <= 2
            assert not barred >> place & 1
        assert not any(stop >> place & 1 for place in path[:-1])
