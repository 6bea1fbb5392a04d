"""Fascines at Wadi Zigzaou: a Valentine makes an ordinary side of a wadi's cliff."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

from sandtable.games.asl.boards.battlefield import FASCINE
from sandtable.games.asl.boards.costs import Mover, entry_price
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.game import GAME

from ..kit import ground
from ..vehiclekit import ALLIED, Desk, W

TANK = "br_val2#1"


def desk(where: str = "N3", **marks: bool) -> Desk:
    """A Valentine IN the wadi of N3, whose cliff stands towards M3."""
    t = Desk("s06_wadi_zigzaou", "D3", ALLIED)
    u = t.put(TANK, where, W, **marks)
    t.s.place[u] = Place.IN if t.stage.field.has("wadi", t.hex(where)) else Place.GROUND
    return t.driving(TANK)


@pytest.mark.rule("asl", "F5.3a", "B11.4")
def test_a_fascine_makes_an_ordinary_side_of_a_cliff() -> None:
    t = desk()
    n3, m3 = t.hex("N3"), t.hex("M3")
    tank = Mover("tracked", 8)
    before = t.s.stage
    assert entry_price(before.field, tank, Spot(n3, Place.IN), Spot(m3)) is None
    assert not before.field.accessible(n3) >> m3 & 1
    told = t.do("fascine M3")
    assert [one.kind for one in told].count("fascine") == 1
    assert t.s.move is None  # its only action of the MPh
    assert t.has("moved", TANK)
    found = entry_price(t.s.stage.field, tank, Spot(n3, Place.IN), Spot(m3))
    assert found is not None
    assert found.points == 1 + 2  # Open Ground, and 2 MP up instead of 4
    back = entry_price(t.s.stage.field, tank, Spot(m3), Spot(n3, Place.IN))
    assert back is not None
    assert back.points == 3
    assert t.s.stage.field.accessible(n3) >> m3 & 1
    assert before.field.side("wadi_cliff", n3, before.grid.direction(n3, m3))  # other tables have other ground
    assert t.s.stage.sights is before.sights


@pytest.mark.rule("asl", "F5.3a", "B10.5")
@pytest.mark.parametrize("beyond", [{"level": 1}, {"forms": {"wadi"}}])
def test_a_fascine_spares_a_vehicle_two_mp_on_a_higher_bank_and_infantry_nothing(beyond: dict[str, Any]) -> None:
    found = []
    for laid in (False, True):
        field = ground({"M5": {"forms": {"wadi"}}, "M4": beyond})
        there = Place.IN if field.has("wadi", field.hex("D1.M4")) else Place.GROUND  # over the rim into another bed
        below, above = Spot(field.hex("D1.M5"), Place.IN), Spot(field.hex("D1.M4"), there)
        if laid:
            field.sides[FASCINE] = tuple(1 << below.hex if d == 0 else 0 for d in range(6))
        prices = [entry_price(field, mover, below, above) for mover in (Mover("tracked", 13), Mover("infantry"))]
        found.append([one.points for one in prices if one is not None])
    (tank, foot), eased = found
    assert eased == [tank - 2, foot]


@pytest.mark.rule("asl", "F5.3a")
def test_who_lays_a_fascine() -> None:
    assert desk().rule("fascine N4") == "F5.3a"  # no cliff there
    assert desk("Q5").rule("fascine P5") == "F5.3a"  # not IN a wadi
    moving = desk(motion=True)
    assert str(moving.why("fascine M3").why) == "it must have stopped, and do nothing else"
    late = desk()
    late.do("delay")
    assert str(late.why("fascine M3").why) == "it must have stopped, and do nothing else"
    once = desk("O2")
    once.do("fascine P1")
    once.s.moved = 0
    once.do(f"drive {TANK}")
    assert str(once.why("fascine P2").why) == "it carries no fascine"
    panzer = Desk("s06_wadi_zigzaou", "D3", 0)
    u = panzer.put("ge_pz3l#1", "N3", W)
    panzer.s.place[u] = Place.IN
    assert str(panzer.driving("ge_pz3l#1").why("fascine M3").why) == "it carries no fascine"


def test_a_laid_fascine_is_seen_copied_and_imagined() -> None:
    t = desk()
    t.do("fascine M3")
    again = GAME.imagine(GAME.view(t.s, 0), Random(1))
    assert again.fascines == t.s.fascines == t.s.copy().fascines
    assert again.stage is t.s.stage
    assert GAME.view(again, 0)["fascines"] == {"D3.N3": 1 << 5}
    assert pickle.loads(pickle.dumps(t.s)).stage is t.s.stage
    assert {"hex": "D3.N3", "kind": "fascine", "rule": "F5.3a"} in GAME.scene(GAME.view(t.s, 0))["markers"]
