"""How far it is to goals, past the enemy: compiled and plain, beside moves made one by one from every hex."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.mechanics.paths import swift
from sandtable.mechanics.paths.goals import costs_to

from .slow import GRID, random_chart, some

FAR = 60


@pytest.fixture(params=["compiled", "plain"])
def _kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "plain":
        monkeypatch.setattr(swift, "costs_to", None)
    elif swift.costs_to is None:
        pytest.skip("no kernel was compiled at install")


@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize("seed", range(12))
def test_every_hex_knows_how_far_it_is(seed: int) -> None:
    rng = Random(seed)
    chart = random_chart(rng, flags=False)
    goals = {h: rng.randint(0, 3) for h in rng.sample(list(GRID.hexes), 2)}
    closed = some(rng, 0.15)
    for h in goals:
        closed &= ~(1 << h)
    entering = ((2, some(rng, 0.2)), (3, some(rng, 0.2)))  # some hexes stand in both
    most = rng.choice((4, FAR))
    found = costs_to(chart, goals, FAR, most, closed, entering)
    least = dict.fromkeys(GRID.hexes, FAR) | goals
    for _ in GRID.hexes:  # as often as a way may be long
        for h in GRID.hexes:
            for n, _, price, _ in chart.steps[h]:
                toll = sum(points for points, hexes in entering if hexes >> n & 1)
                if least[n] <= most and not closed >> h & 1:
                    least[h] = min(least[h], least[n] + toll + price)
    assert found == [least.get(h, FAR) for h in range(GRID.size)]
    assert len(set(found)) > 3


@pytest.mark.usefixtures("_kernel")
def test_without_a_goal_everything_is_far() -> None:
    assert set(costs_to(random_chart(Random(1)), {}, 9)) == {9}
