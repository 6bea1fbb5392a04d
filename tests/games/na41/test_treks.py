"""The treks of North Africa '41 against a plain search, hex by hex."""

from __future__ import annotations

import heapq
from random import Random

import pytest

from sandtable.engine.dice import QuickDice
from sandtable.engine.hexes import hexes_of
from sandtable.games.na41.game import GAME
from sandtable.games.na41.paths import legs
from sandtable.games.na41.paths.chart import FOOT, FOOT_VEHICLE, MECH, VEHICLE
from sandtable.games.na41.paths.courses import Course
from sandtable.games.na41.paths.detours import Detour
from sandtable.games.na41.paths.legs import BESIDE_ENEMY, UNMOVED, Reach, Tables, reach, tables
from sandtable.games.na41.paths.surveys import Survey
from sandtable.games.na41.paths.treks import Starts, Tolls, Trek, trek
from sandtable.games.na41.table.ids import F_MOVES
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.zones import ezoc
from sandtable.mechanics.paths.charts import Chart as Rates

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


@pytest.mark.parametrize("seed", range(240))
def test_courses_read_off_a_survey_are_treks(seed: int) -> None:
    """Places, costs and ways, with enemies, zones and markers strewn about, and out of boxes too."""
    rng = Random(seed)
    kind = rng.choice((FOOT, MECH, MECH, VEHICLE, FOOT_VEHICLE))
    grounds = [TABLES.kinds[kind].ground] * 3 + [TABLES.roads, TABLES.highways]
    start = rng.choice(LAND)
    starts: Starts = [(0, 1 << start, 0)]
    middle = start
    ground = rng.choice(grounds)
    if rng.random() < 0.15:
        ground, start = TABLES.kinds[MECH].ground, rng.choice((board.tripoli, board.delta))
        leave = TABLES.kinds[MECH].leave[start]
        starts = [(cost, 1 << n, board.desert >> n & 1) for cost, n in leave]
        middle = leave[0][1]
    near = [h for h in LAND if board.grid.distance(h, middle) < rng.choice((6, 12, 20))]

    def some(*counts: int) -> int:
        return sum({1 << rng.choice(near) for _ in range(rng.choice(counts))}) & ~(1 << start)

    points = rng.choice((0, 6, 18, 30, 36, 48, 54, 66))
    held = 1 << start if rng.random() < 0.3 and board.land >> start & 1 else 0
    barred, stop, limited = some(0, 3, 8, 20), some(0, 6, 12, 25) | held, some(0, 0, 8)
    leaving = tuple((toll, mask) for toll, mask in ((12, stop), (6, limited & ~stop)) if mask)
    slow = some(0, 0, 5)
    entering = tuple((toll, mask) for toll, mask in ((6, slow), (18, some(0, 0, 5) & ~slow)) if mask)
    survey = ground.survey(start, starts, points + 18)
    before = Course(survey, points + 18, barred | stop | limited, stop, leaving, entering) if seed % 2 else None
    found = Course(survey, points, barred, stop, leaving, entering, before)
    rates = survey.ground.rates
    expected = trek(rates, board.desert, start, starts, points, barred, stop, leaving, entering)
    assert found.hexes == expected.hexes
    for some_points in (0, points // 2, points):
        assert found.within(some_points) == expected.within(some_points)
    for h in LAND:
        assert found.cost(h) == expected.cost(h)
        assert found.path(h) == expected.path(h)


@pytest.mark.parametrize("seed", range(120))
def test_a_detour_to_one_hex_is_the_way_of_a_trek(seed: int) -> None:
    """Cost and way to every hex, with enemies, zones and markers strewn about, and out of boxes too."""
    rng = Random(seed)
    kind = rng.choice((FOOT, MECH, MECH, FOOT_VEHICLE))
    ground = rng.choice([TABLES.kinds[kind].ground] * 4 + [TABLES.roads])
    start = rng.choice(LAND)
    starts: Starts = [(0, 1 << start, 0)]
    middle = start
    if seed % 6 == 0:
        ground, start = TABLES.kinds[MECH].ground, rng.choice((board.tripoli, board.delta))
        leave = TABLES.kinds[MECH].leave[start]
        starts = [(cost, 1 << n, board.desert >> n & 1) for cost, n in leave]
        middle = leave[0][1]
    near = [h for h in LAND if board.grid.distance(h, middle) < rng.choice((4, 8, 14))]

    def some(*counts: int) -> int:
        return sum({1 << rng.choice(near) for _ in range(rng.choice(counts))}) & ~(1 << start)

    points = rng.choice((6, 18, 30, 36, 54))
    barred, stop, limited = some(3, 8, 20), some(0, 6, 12, 25), some(0, 8, 20)
    leaving = tuple((toll, mask) for toll, mask in ((12, stop), (6, limited & ~stop)) if mask)
    slow = some(0, 5)
    entering = tuple((toll, mask) for toll, mask in ((6, slow), (18, some(0, 5) & ~slow)) if mask)
    survey = ground.survey(start, starts, points)
    expected = trek(survey.ground.rates, board.desert, start, starts, points, barred, stop, leaving, entering)
    for h in hexes_of(survey.hexes & ~barred & ~(1 << start)):
        found = Detour(survey, h, points, barred, stop, leaving, entering)
        assert found.cost == expected.cost(h)
        assert found.path == expected.path(h)
        walked = survey.back(h, barred | stop | limited | sum(mask for _, mask in entering))
        if walked is not None and not due(entering, h) and walked[0] <= points:
            assert walked == (found.cost, found.path)


def test_vehicles_share_the_surveys_of_mechanised_units_only_where_all_places_cost_the_same() -> None:
    mech, vehicle = TABLES.kinds[MECH], TABLES.kinds[VEHICLE]
    shared = {"survey": 0, "costs": 0, "nothing": 0}
    for start in LAND[::3]:
        starts = [(0, 1 << start, 0)]
        survey = vehicle.ground.survey(start, starts, 36)
        assert survey.costs == vehicle.ground.explore(start, starts, survey.points)[0]
        other = mech.ground.survey(start, starts, 36)
        shared["survey" if survey is other else "costs" if survey.costs is other.costs else "nothing"] += 1
        assert survey is not other or not survey.hexes & vehicle.ground.other
    assert min(shared.values()) > 5


@pytest.mark.parametrize("kind", [FOOT, MECH, VEHICLE, FOOT_VEHICLE])
def test_surveys_know_what_treks_find(kind: int) -> None:
    ground = TABLES.kinds[kind].ground
    for start in (*LAND[::9], board.tripoli, board.delta):
        starts = legs.starts_from(board, TABLES, kind, start)
        expected = trek(ground.rates, board.desert, start, starts, 54)
        survey = Survey(ground, start, starts, 54)
        a = b = 0
        for points in range(55):
            a |= expected.layers[0][points] | expected.layers[1][points] & ~(1 << start)
            b |= expected.layers[2][points] & ~(1 << start)
            assert survey.within(points) == (a, b)
            assert survey.by(points) == a | b
            assert sorted(survey.order[: survey.counts[points]]) == hexes_of(a | b)


class Plainly(Course):
    """No course, but the trek that it should be."""

    def __new__(  # type: ignore[misc]
        cls, survey: Survey, points: int, barred: int, stop: int, leaving: Tolls, entering: Tolls, before: object
    ) -> Trek:
        rates, start = survey.ground.rates, survey.start
        return trek(rates, board.desert, start, survey.starts, points, barred, stop, leaving, entering)


def anew(s: State, u: int, spent: int, monkeypatch: pytest.MonkeyPatch) -> Reach:
    """The reach of a unit with nothing kept from before, neither of the board nor of the position, by plain treks."""
    c = s.copy()
    c.zones = [-1, -1]
    fresh = {"routes": TABLES} | {key: kept for key, kept in board.kept.items() if isinstance(key, str)}
    TABLES.around.clear()
    TABLES.free.clear()
    with monkeypatch.context() as patch:
        patch.setattr(legs, "Course", Plainly)
        patch.setattr(board, "kept", fresh | {"routes": TABLES})
        return reach(c, 1 << u, spent=spent)


@pytest.mark.parametrize("scenario", [scenario.id for scenario in GAME.scenarios()])
def test_what_is_kept_about_moves_is_what_is_worked_out_anew(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(scenario)
    asked = met = 0
    while asked < 200:
        s = GAME.new(scenario)
        dice = QuickDice(Random(asked))
        while GAME.to_act(s) is not None:
            if GAME.is_chance(s):
                GAME.apply(s, GAME.roll(s, dice).action)
                continue
            if s.stack[-1][0] == F_MOVES and rng.random() < 0.15:
                own = [u for u, h in enumerate(s.at) if h >= 0 and board.side[u] == s.active]
                for u in rng.sample(own, 2):
                    spent = rng.choice((UNMOVED, UNMOVED, BESIDE_ENEMY, 6))
                    kept, plain = reach(s, 1 << u, spent=spent), anew(s, u, spent, monkeypatch)
                    assert kept.masks == plain.masks
                    assert kept.actions(tables(s)) == plain.actions(TABLES)
                    for _, h, mode in rng.sample(plain.actions(TABLES), min(8, len(plain.actions(TABLES)))):
                        assert kept.way(h, mode) == plain.way(h, mode)
                    asked += 1
                    met += bool(kept.hexes & ezoc(s, s.active))
            GAME.apply(s, rng.choice(GAME.legal(s)))
    assert met > asked // 10
