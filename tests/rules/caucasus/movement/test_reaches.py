"""A reach that was kept is the reach that would be worked out now, wherever enemies have come or gone since."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest

from sandtable.engine.hexes import Hex, Mask
from sandtable.games.caucasus.game import GAME
from sandtable.games.caucasus.paths import legs
from sandtable.games.caucasus.paths.legs import BY_ROAD, Reach, Road, Tables, reachable, tables
from sandtable.games.caucasus.table.ids import F_MOVES
from sandtable.games.caucasus.table.state import State, on_map, put
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import Memory
from sandtable.mechanics.paths.charts import Chart
from sandtable.mechanics.paths.legs import Leg

from ..kit import H, U, empty, place


def forgetful(s: State) -> Tables:
    """The same tables with nothing kept in them."""
    t = copy(tables(s))
    t.free, t.close, t.roads, t.blocked_roads, t.recent = Memory(), Memory(), Memory(), Memory(), Memory()
    return t


def road_anew(t: Tables, chart: Chart, h: Hex, points: int, closed: Mask, bonus: int, half: int) -> Road:
    return Road(Leg(BY_ROAD.number, chart, h, points, closed), bonus, half)


def anew(s: State, u: int, second: int) -> Reach:
    """The reach from scratch."""
    fresh = forgetful(s)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(legs, "_tables", lambda ground: fresh)
        patch.setattr(legs, "_kept", legs._reach)
        patch.setattr(legs, "_road", road_anew)
        return reachable(s, u, second)


def assert_same(s: State, u: int, second: int) -> None:
    found, wanted = reachable(s, u, second), anew(s, u, second)
    assert (found.hexes, found.ma) == (wanted.hexes, wanted.ma)
    assert [found.within(points) for points in range(8)] == [wanted.within(points) for points in range(8)]
    for h in hexes_in(found.hexes):
        assert found.way(h) == wanted.way(h)


@pytest.mark.parametrize(("scenario", "seed"), [("campaign", 1), ("campaign", 2), ("tournament", 3), ("tournament", 4)])
def test_reaches_in_play_are_those_of_the_position(scenario: str, seed: int) -> None:
    s, rng = GAME.new(scenario), Random(seed)
    seen = 0
    while GAME.to_act(s) is not None and seen < 120:
        if GAME.is_chance(s):
            action = GAME.roll(s, lambda faces: rng.randint(1, faces)).action
        else:
            offered = GAME.legal(s)
            if s.stack[-1][0] == F_MOVES:
                seen += 1
                for u in rng.sample(units_of(on_map(s, s.active)), 3):
                    assert_same(s, u, s.second)
            action = rng.choice(offered)
        GAME.apply(s, action)
    assert seen == 120


MOVERS = ("GE-13Pz", "GE-73", "GE-1Mtn", "GE-4Bic", "GE-17A-HQ")
FOES = ("SU-216RD", "SU-157RD", "SU-BlackSea-HQ", "SU-North-HQ")  # HQs block a hex without a ZOC


@pytest.mark.parametrize("seed", range(3))
def test_reaches_from_the_same_hex_follow_what_changes_around_it(seed: int) -> None:
    """Enemies with and without a ZOC come and go around units that stand still, and so do supply and disruption."""
    rng = Random(seed)
    s = empty()
    grid = s.board.grid
    for name in MOVERS:
        place(s, name, "1234")
    for name in FOES:
        place(s, name, "2616")
    for _ in range(120):
        where = H(rng.choice(("1234", "1333")))
        movers = [U(name) for name in rng.sample(MOVERS, 2)]
        around = [
            h for h in hexes_in(grid.within(where, rng.choice((2, 3, 9)))) if h != where and s.ground.land >> h & 1
        ]
        for u in movers:
            put(s, u, where)
        for name in FOES:
            if rng.random() < 0.4:
                put(s, U(name), rng.choice(around) if rng.random() < 0.7 else H("2616"))
            elif s.at[U(name)] == where:
                put(s, U(name), H("2616"))
        if rng.random() < 0.3:
            s.disrupted, s.oos, s.rebuilt = (1 << rng.choice(movers) if rng.random() < 0.3 else 0 for _ in range(3))
        for u in movers:
            assert_same(s, u, rng.randint(0, 1))


def test_who_stands_in_a_hex_decides_about_the_zone_around_it() -> None:
    """An HQ and a division in its place block the same hex; only the division has a ZOC."""
    s = empty()
    place(s, "GE-73", "1234")
    place(s, "SU-216RD", "2616")
    place(s, "SU-North-HQ", "1333")
    without = reachable(s, U("GE-73"), 0).hexes
    put(s, U("SU-216RD"), H("1333"))
    put(s, U("SU-North-HQ"), H("2616"))
    assert reachable(s, U("GE-73"), 0).hexes != without
    assert_same(s, U("GE-73"), 0)


def test_more_reaches_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "KEPT", 3)
    monkeypatch.setattr(legs, "RECENT", 2)
    s = empty()
    place(s, ["GE-13Pz", "GE-73"], "1234")
    place(s, "SU-216RD", "1333")
    for h in ("1234", "1236", "1334", "1434", "1134", "1234"):
        for u in (U("GE-13Pz"), U("GE-73")):
            put(s, u, H(h))
            for second in (0, 1):
                assert_same(s, u, second)
