"""What can be asked of a leg: everywhere, to, draw, why."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.bars import Bar, Bars
from sandtable.mechanics.paths.charts import Chart
from sandtable.mechanics.paths.legs import (
    CLOSED,
    ENDS,
    NO_WAY,
    NOTHING,
    SHUT_OFF,
    STOPPED,
    TOO_DRY,
    TOO_FAR,
    Door,
    Hindrance,
    Leg,
    Mode,
)

from .slow import GRID, random_chart, random_terms, slow, some


def leg_of(rng: Random, number: int) -> tuple[Leg, dict[int, int], int]:
    """A leg, what a slow walk says of it, and the hexes in which it may not end."""
    dry = some(rng, 0.3) if number % 2 else 0
    chart = random_chart(rng, dry=dry)
    terms = random_terms(rng)._replace(dry=dry)
    ends = some(rng, 0.2)
    return Leg(0, chart, terms.start, terms.points, terms.closed, ends, *terms[3:7]), slow(chart, terms), ends


@pytest.mark.parametrize("seed", range(10))
def test_the_answers_agree(seed: int) -> None:
    rng = Random(seed)
    for number in range(4):
        leg, wanted, ends = leg_of(rng, number)
        places = {h: cost for h, cost in wanted.items() if h != leg.start and not ends >> h & 1}
        assert set(hexes_of(leg.everywhere())) == set(places)
        for h in GRID.hexes:
            way = leg.to(h)
            assert (way.cost if way is not None else None) == places.get(h)
            assert (leg.why(h).kind == NOTHING) == (h in places)
            if way is not None:
                assert leg.running(way.path)[-1] == way.cost


def test_a_shorter_leg_is_part_of_the_longer() -> None:
    leg, _, _ = leg_of(Random(5), 0)
    short = leg.shorter(1, leg.points - 2, 0)
    again = Leg(1, leg.chart, leg.start, leg.points - 2, leg.closed, 0, leg.stop, leg.leaving, leg.entering, False)
    again.setting_out = leg.setting_out
    assert short.found is leg.found
    assert short.everywhere() == again.everywhere()


def test_a_door_leads_off_the_map_from_the_cheapest_hex_beside_it() -> None:
    place = next(h for h in range(GRID.size) if not GRID.all >> h & 1)
    for seed in range(20):
        leg, wanted, _ = leg_of(Random(seed), seed)
        beside = some(Random(seed), 0.1)
        leg.door = Door(place, beside, 2)
        tolls = {h: next((toll for toll, mask in leg.leaving if mask >> h & 1), 0) for h in GRID.hexes}
        costs = [
            cost + 2 + tolls[h]
            for h, cost in wanted.items()
            if beside >> h & 1 and (not leg.stop >> h & 1 or h == leg.start)
        ]
        best = min([cost for cost in costs if cost <= leg.points], default=None)
        way = leg.to(place)
        assert (way.cost if way is not None else None) == best
        assert bool(leg.everywhere() >> place & 1) == (best is not None)
        if way is not None:
            assert way.path[-1] == place
            assert leg.running(way.path)[-1] == best


def row(*names: str) -> int:
    return sum(1 << GRID.index[name] for name in names)


def test_why_says_what_is_in_the_way() -> None:
    """Along the first row of the map, a step a point."""
    names = [f"01{c:02}" for c in range(1, 9)]
    first = row(*names)

    def price(h: int, d: int, n: int) -> tuple[int, int]:
        return (1 if first >> h & first >> n & 1 else -1), 0

    start, end = GRID.index["0101"], GRID.index["0106"]
    chart = Chart(GRID, price)
    assert Leg(0, chart, start, 5).why(end) == Hindrance(NOTHING, 5, 5)
    assert Leg(0, chart, start, 4).why(end) == Hindrance(TOO_FAR, 5, 4)
    assert Leg(0, chart, start, 5, closed=1 << end).why(end).kind == CLOSED
    assert Leg(0, chart, start, 5, ends=1 << end).why(end).kind == ENDS
    assert Leg(0, chart, start, 5, stop=row("0103")).why(end) == Hindrance(STOPPED, -1, 5)
    assert Leg(0, chart, start, 5, closed=row("0103")).why(end).kind == SHUT_OFF
    assert Leg(0, chart, start, 5).why(GRID.index["0201"]).kind == NO_WAY
    assert Leg(0, Chart(GRID, price, row("0102", "0103", "0104")), start, 5).why(end).kind == TOO_DRY
    assert Leg(0, chart, start, 5, leaving=((2, row("0102")),)).why(end) == Hindrance(TOO_FAR, 7, 5)


def test_a_mode_names_the_bar_that_shuts_a_hex_or_the_way_there() -> None:
    names = [f"01{c:02}" for c in range(1, 9)]
    first = row(*names)
    chart = Chart(GRID, lambda h, d, n: ((1 if first >> h & first >> n & 1 else -1), 0))
    held: Bars[SimpleNamespace, None] = Bars(
        Bar("1.1", "the enemy is in {hex}", lambda s, now: s.enemies),
        Bar("1.2", "{hex} is in a zone of control", lambda s, now: s.zones),
    )
    mode = Mode(0, "1", held, Bars(Bar("1.3", "nobody stays in {hex}", lambda s, now: s.swamp)))
    s = SimpleNamespace(enemies=row("0108"), zones=row("0103"), swamp=row("0102"))
    leg = Leg(0, chart, GRID.index["0101"], 9, closed=held.held(s, None), ends=mode.ends.held(s, None))

    def why(name: str) -> object:
        h = GRID.index[name]
        found = mode.why(h, leg, s, None, {"hex": name})
        return (found.rule, str(found.why)) if not isinstance(found, Hindrance) and found is not None else found

    assert why("0108") == ("1.1", "the enemy is in 0108")
    assert why("0102") == ("1.3", "nobody stays in 0102")
    found = why("0105")
    assert isinstance(found, Hindrance)
    assert found.kind == SHUT_OFF
    assert (closing := mode.shutting(GRID.index["0105"], leg, s, None)) is not None
    assert closing.rule == "1.2"
    leg = Leg(0, chart, GRID.index["0101"], 9)
    s = SimpleNamespace(enemies=0, zones=0, swamp=0)
    assert why("0105") is None


def test_the_minimum_move_reaches_its_hexes_for_all_points() -> None:
    for seed in range(10):
        leg, _, _ = leg_of(Random(seed), 0)
        beside = sum(1 << n for _, n in GRID.neighbours[leg.start]) & ~leg.closed
        slow_but_sure = Leg(0, leg.chart, leg.start, leg.points, leg.closed, 0, leg.stop, least=beside)
        plainly = Leg(0, leg.chart, leg.start, leg.points, leg.closed, 0, leg.stop)
        assert slow_but_sure.everywhere() == plainly.everywhere() | beside
        for h in hexes_of(beside & ~plainly.everywhere()):
            way = slow_but_sure.to(h)
            assert way is not None
            assert (way.cost, way.path) == (leg.points, [h])
            assert slow_but_sure.why(h).kind == NOTHING
            assert not slow_but_sure.goes_on(h)
        assert all(
            slow_but_sure.goes_on(h) == (not leg.stop >> h & 1 and not plainly.found.halts(h))
            for h in hexes_of(plainly.everywhere())
        )
