"""What is read off surveys against a walk over every lawful sequence of steps, and against a search hex by hex."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import Grid, GridSpec, hexes_of, mask_of, numbered
from sandtable.mechanics.paths import swift
from sandtable.mechanics.paths.charts import Chart
from sandtable.mechanics.paths.detours import Detour
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.paths.plain import search
from sandtable.mechanics.paths.spreads import Spread
from sandtable.mechanics.paths.surveys import Surveyor

from .slow import GRID, Terms, random_chart, random_terms, slow, some

pytestmark = pytest.mark.usefixtures("kernel")

OFF_MAP = next(h for h in range(GRID.size) if not GRID.all >> h & 1)


@pytest.fixture(params=["compiled", "plain"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the compiled kernel, and without."""
    if request.param == "plain":
        monkeypatch.setattr(swift, "flood", None)
    elif swift.flood is None:
        pytest.skip("no kernel was compiled at install")


def surveyed(rng: Random, dry: int) -> Chart:
    chart = random_chart(rng, flags=False, dry=dry, prices=(-1, 1, 2, 2, 3, 6))
    chart.surveyor = Surveyor(chart)
    return chart


def some_terms(rng: Random, dry: int, off_map: bool) -> Terms:
    terms = random_terms(rng, 16)._replace(dry=dry)
    if off_map:
        starts = tuple((rng.randint(1, 4), 1 << h, dry >> h & 1) for h in rng.sample(GRID.hexes, 3))
        terms = terms._replace(start=OFF_MAP, starts=starts)
    if rng.random() < 0.3:
        terms = terms._replace(entering=(), leaving=())
    return terms


def leg_on(chart: Chart, terms: Terms, wider: Leg | None = None) -> Leg:
    return Leg(0, chart, *terms[:3], 0, *terms[3:7], starts=terms.starts, wider=wider)


@pytest.mark.parametrize("seed", range(40))
def test_a_leg_on_a_surveyed_chart_is_what_a_slow_walk_finds(seed: int) -> None:
    rng = Random(seed)
    dry = some(rng, rng.choice((0, 0.2, 0.5)))
    chart = surveyed(rng, dry)
    bare = Chart(GRID, lambda h, d, n: (chart.price[d][h], 0), dry)
    for number in range(5):
        terms = some_terms(rng, dry, number == 4)
        leg = leg_on(chart, terms)
        wanted = {h: cost for h, cost in slow(chart, terms).items() if h != terms.start}
        plain = search(bare, *terms[:7], terms.starts or ((0, 1 << terms.start, 0),), dry)
        for h in GRID.hexes:  # one by one, before everything is searched for
            way = leg.to(h)
            assert (way.cost if way is not None else None) == wanted.get(h)
            if way is not None:
                assert way.path == plain.path(h)
                assert leg.running(way.path)[-1] == way.cost
        possible = leg.possible()
        assert isinstance(leg.found, Spread)
        assert set(hexes_of(leg.everywhere())) == set(wanted)
        assert not leg.everywhere() & ~possible
        for points in range(terms.points + 1):
            assert leg.found.within(points) & ~(1 << terms.start) == sum(
                1 << h for h, c in wanted.items() if c <= points
            )
        for h, cost in wanted.items():
            assert (leg.found.cost(h), leg.found.path(h)) == (cost, plain.path(h))


def upside_down(there: bool) -> Grid:
    """A map whose hexes are not numbered as they lie: row by row from below, or here and there."""
    cells = [(r, c) for r in range(8, 0, -1) for c in range(1, 9)]
    if there:
        Random(3).shuffle(cells)
    return Grid(GridSpec("pointy", numbered("RRCC", cells)))


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_ways_are_the_same_however_the_hexes_are_numbered(seed: int, shuffled: bool) -> None:
    rng, grid = Random(seed), upside_down(shuffled)
    dry = mask_of(h for h in grid.hexes if rng.random() < 0.3)
    chart = Chart(grid, lambda h, d, n: (rng.choice((-1, 1, 2, 2)), 0), dry)
    chart.surveyor = Surveyor(chart)
    closed, stop, toll = (mask_of(h for h in grid.hexes if rng.random() < 0.1) for _ in range(3))
    for start in grid.hexes[::13]:
        leg = Leg(0, chart, start, 12, closed, 0, stop, leaving=((2, toll),))
        plain = search(chart, start, 12, closed, stop, ((2, toll),), (), True, ((0, 1 << start, 0),), dry)
        for h in hexes_of(leg.everywhere()):  # all at once, then one by one
            way = leg.to(h)
            assert way is not None
            assert (way.cost, way.path) == (plain.cost(h), plain.path(h))


@pytest.mark.parametrize("seed", range(40))
def test_a_leg_that_follows_a_wider_one_is_the_same_as_by_itself(seed: int) -> None:
    rng = Random(seed)
    dry = some(rng, rng.choice((0, 0.3)))
    chart = surveyed(rng, dry)
    for number in range(6):
        terms = some_terms(rng, dry, number == 5)
        if number % 2:
            terms = terms._replace(leaving=((2, terms.stop),))
        zones = terms.stop
        for _, mask in terms.leaving:
            zones |= mask
        wider = leg_on(chart, terms._replace(points=terms.points + rng.randint(0, 5), closed=terms.closed | zones))
        found, alone = leg_on(chart, terms, wider), leg_on(chart, terms)
        assert found.everywhere() == alone.everywhere()
        for points in range(terms.points + 1):
            assert found.found.within(points) == alone.found.within(points)


@pytest.mark.parametrize("seed", range(20))
def test_a_detour_is_the_way_of_a_search(seed: int) -> None:
    rng = Random(seed)
    dry = some(rng, 0.3)
    chart = surveyed(rng, dry)
    assert chart.surveyor is not None
    for _ in range(4):
        terms = some_terms(rng, dry, False)._replace(points=12)
        terms = terms._replace(leaving=tuple((toll, mask & ~(1 << terms.start)) for toll, mask in terms.leaving))
        plain = search(chart, *terms[:7], ((0, 1 << terms.start, 0),), dry)
        survey = chart.surveyor.survey(terms.start, ((0, 1 << terms.start, 0),), 12)
        for h in hexes_of(survey.hexes & ~(terms.closed | 1 << terms.start)):
            found = Detour(survey, h, 12, *terms[2:6])
            assert (found.cost, found.path) == (plain.cost(h), plain.path(h))


@pytest.mark.parametrize("seed", range(10))
def test_surveys_know_every_place(seed: int) -> None:
    rng = Random(seed)
    dry = some(rng, 0.4)
    chart = surveyed(rng, dry)
    assert chart.surveyor is not None
    for start in GRID.hexes[::9]:
        survey = chart.surveyor.survey(start, ((0, 1 << start, 0),), 14)
        assert survey is chart.surveyor.survey(start, ((0, 1 << start, 0),), 9)
        for points in range(15):
            wanted = slow(chart, Terms(start, points, dry=dry))
            a, b = survey.within(points)
            assert survey.by(points) == a | b == sum(1 << h for h in wanted)


@pytest.mark.parametrize("seed", range(10))
def test_twins_share_what_is_the_same(seed: int) -> None:
    """A chart on which few steps cost more, or cannot be made, than on its twin."""
    rng = Random(seed)
    twin = surveyed(rng, some(rng, 0.2))
    dearer = {(h, d) for h in GRID.hexes for d in range(6) if rng.random() < 0.01}
    chart = Chart(
        GRID,
        lambda h, d, n: (rng.choice((-1, twin.price[d][h] + 1)) if (h, d) in dearer else twin.price[d][h], 0),
        twin.dry,
    )
    chart.surveyor = Surveyor(chart, 0, twin.surveyor)
    alone = Chart(GRID, lambda h, d, n: (chart.price[d][h], 0), twin.dry)
    for start in GRID.hexes[::5]:
        terms = Terms(start, 10, dry=twin.dry)
        found, plain = leg_on(chart, terms), search(alone, *terms[:7], ((0, 1 << start, 0),), twin.dry)
        assert found.everywhere() == plain.hexes & ~(1 << start)
        for h in hexes_of(found.everywhere()):
            way = found.to(h)
            assert way is not None
            assert (way.cost, way.path) == (plain.cost(h), plain.path(h))
