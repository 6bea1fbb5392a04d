"""The kernels that need no survey against a walk over every lawful sequence of steps."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.paths.plain import search
from sandtable.mechanics.paths.waves import Waves, wave

from .slow import GRID, assert_lawful, random_chart, random_terms, slow, some


@pytest.mark.parametrize("seed", range(12))
def test_a_wave_reaches_what_a_slow_walk_reaches_for_the_same_points(seed: int) -> None:
    rng = Random(seed)
    chart = random_chart(rng)
    for number in range(10):
        terms = random_terms(rng, tolls=number % 2 == 0)._replace(chain=some(rng, 0.4) if number % 3 == 0 else 0)
        found = wave(chart, *terms[:7], terms.chain)
        wanted = slow(chart, terms)
        assert {h: found.cost(h) for h in hexes_of(found.hexes)} == wanted
        for points in range(terms.points + 1):
            assert found.within(points) == sum(1 << h for h, cost in wanted.items() if cost <= points)
        for h, cost in wanted.items():
            assert_lawful(chart, terms, found.path(h), cost, h)


@pytest.mark.parametrize("seed", range(12))
def test_hex_by_hex_is_the_same_dry_ground_and_other_starts_included(seed: int) -> None:
    rng = Random(seed)
    for number in range(8):
        dry = some(rng, 0.4)
        chart = random_chart(rng, flags=number % 2 == 0, dry=dry)
        terms = random_terms(rng)._replace(dry=dry, run=rng.choice((0, 0, 1, 2)), chain=some(rng, number % 2 * 0.3))
        starts = ((0, 1 << terms.start, terms.run),)
        if number % 3 == 2:  # a place off the map
            near = rng.sample(GRID.hexes, 2)
            starts = tuple((i + 1, 1 << h, dry >> h & 1) for i, h in enumerate(near))
            terms = terms._replace(
                start=next(h for h in range(GRID.size) if not GRID.all >> h & 1), starts=starts, run=0
            )
        found = search(chart, *terms[:7], starts, dry, terms.chain)
        wanted = slow(chart, terms)
        assert {h: found.cost(h) for h in hexes_of(found.hexes)} == wanted
        assert found.within(3) == sum(1 << h for h, cost in wanted.items() if cost <= 3)
        for h, cost in wanted.items():
            if h != terms.start:
                assert_lawful(chart, terms, found.path(h), cost, h)


@pytest.mark.parametrize("seed", range(6))
def test_both_go_the_same_way(seed: int) -> None:
    rng = Random(100 + seed)
    chart = random_chart(rng)
    for _ in range(6):
        terms = random_terms(rng)
        one, other = wave(chart, *terms[:7]), search(chart, *terms[:7], ((0, 1 << terms.start, 0),), 0)
        for h in hexes_of(one.hexes):
            assert one.path(h) == other.path(h)
            assert one.halts(h) == other.halts(h)


@pytest.mark.parametrize("seed", range(12))
def test_a_wave_that_is_kept_is_the_one_that_would_be_searched_for(seed: int) -> None:
    rng = Random(seed)
    chart = random_chart(rng)
    kept = Waves(chart)
    known = [random_terms(rng)._replace(chain=some(rng, 0.4) if number % 3 == 0 else 0) for number in range(12)]
    for number in range(60):
        terms = rng.choice(known)._replace(points=rng.randint(-1, 8))
        if number % 2:  # far away something else is in the way, or nothing is anywhere
            near = GRID.within(terms.start, 2)
            other = rng.choice(known)
            terms = terms._replace(
                closed=terms.closed & near | other.closed & ~near, stop=terms.stop & near, entering=(), leaving=()
            )
        found, wanted = kept(*terms[:7], terms.chain), wave(chart, *terms[:7], terms.chain)
        assert found.hexes == wanted.hexes
        for points in range(-1, 9):
            assert found.within(points) == wanted.within(points)
        for h in GRID.hexes:
            assert (found.cost(h), found.halts(h), found.path(h)) == (wanted.cost(h), wanted.halts(h), wanted.path(h))


def test_by_hexes_every_step_costs_one_and_keeps_its_flags() -> None:
    chart = random_chart(Random(3))
    flat = chart.by_hexes()
    assert flat is chart.by_hexes()
    for h in GRID.hexes:
        assert flat.steps[h] == [(n, d, 1, flags) for n, d, _, flags in chart.steps[h]]
