"""Who can be served by sources that serve a few each."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sandtable.mechanics.lines import Berths


def by_trying(claims: dict[int, int], room: dict[int, int], units: list[int]) -> bool:
    """Whether all find a place, by trying every way to place them."""
    choices = [[source for source in room if claims[u] >> source & 1] for u in units]
    return any(all(way.count(source) <= n for source, n in room.items()) for way in product(*choices))


@pytest.mark.parametrize("case", range(60))
def test_places_agree_with_trying_every_way(case: int) -> None:
    rng = Random(case)
    room = {source: rng.randrange(1, 3) for source in range(3)}
    claims = {u: rng.randrange(1, 8) for u in range(6)}
    chosen = rng.sample(range(6), rng.randrange(1, 5))
    berths = Berths(claims, room, sum(1 << u for u in chosen))
    assert berths.all_served == by_trying(claims, room, chosen)
    if not berths.all_served:
        return
    for u in set(claims) - set(chosen):
        assert berths.has_room(u) == by_trying(claims, room, [*chosen, u])
    for u in set(claims) - set(chosen):  # asking changes nothing
        assert berths.has_room(u) == by_trying(claims, room, [*chosen, u])
