"""Several legs from one place."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.mechanics.paths.forks import Fork
from sandtable.mechanics.paths.legs import Leg
from sandtable.mechanics.paths.surveys import Surveyor

from .slow import GRID, random_chart, random_terms


def some_legs(rng: Random, survey: bool) -> list[Leg]:
    """Two legs of one mode and one of another, on charts of their own."""
    terms = random_terms(rng, 6)
    legs = []
    for mode, points in ((3, terms.points), (3, terms.points + 1), (1, terms.points + 3)):
        chart = random_chart(rng, flags=False)
        if survey:
            chart.surveyor = Surveyor(chart)
        legs.append(Leg(mode, chart, terms.start, points, terms.closed, 0, *terms[3:7]))
    return legs


@pytest.mark.parametrize("survey", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_each_place_is_for_the_first_that_leads_there(seed: int, survey: bool) -> None:
    legs = some_legs(Random(seed), survey)
    first, second, last = legs
    fork, listed = Fork(legs), Fork(legs)
    masks = listed.everywhere()
    assert masks == {
        3: first.everywhere() | second.everywhere(),
        1: last.everywhere() & ~(first.everywhere() | second.everywhere()),
    }
    assert not (masks[3] | masks[1]) & ~Fork(some_legs(Random(seed), survey)).possible()
    for h in GRID.hexes:
        for one in (fork, listed):
            found = one.to(h)
            ways = [(leg, way) for leg in legs if (way := leg.to(h)) is not None]
            if not ways:
                assert found is None
                continue
            best = min((way.cost for leg, way in ways if leg.mode == ways[0][0].mode), default=-1)
            assert found is not None
            assert (found[0].mode, found[1].cost) == (ways[0][0].mode, best)
