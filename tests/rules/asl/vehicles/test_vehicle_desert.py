"""F5.426, F7.31e, F8.5, F8.51, A11.6, C10.2 What is left of vehicles in the desert, in play."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.combat.armour import ArmourAt
from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance import aim
from sandtable.games.asl.ordnance.bursts import underbelly
from sandtable.games.asl.table.ids import ALLIED, APH, AXIS, CCPH, F_ADVANCE, F_ARMOUR, F_FIRE, PREP, UNDER_SANGAR
from sandtable.games.asl.table.state import put
from sandtable.games.asl.table.works import spot
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.fires import FireAt

from ..kit import filled, ground, hill
from ..vehiclekit import NNE, Desk, E

TANK, FOE, STUART = "ge_pz3g#1", "br_457#1", "br_stu1#1"
WADI = {"Q5": {"forms": {"wadi"}}, "Q6": {"forms": {"wadi"}}}
BED = [("Q5", "Q6", "wadi", "Q5", "Q6")]


def at_the_rim(t: Desk, vertex: int = E) -> int:
    u = t.put(TANK, "Q5", vertex)
    t.s.place[u], t.s.cafp[u] = Place.CREST, vertex
    return u


@pytest.mark.rule("asl", "F5.426a", "F5.426b", "F5.426d")
def test_fire_from_the_rim() -> None:
    """EX-F5.426: in any direction at its own level, not a level below; but IN its own hex."""
    low = {**WADI, **hill(1, "Q5", "Q6", "R5", "R4", "P5", "P4", "Q4", "S5", "S4", "O5")}
    field = ground({name: {**low.get(name, {}), **({"forms": {"wadi"}} if name in WADI else {})} for name in low}, BED)
    t = Desk(field=field, phasing=AXIS)
    at_the_rim(t)
    t.put(FOE, "O5")
    t.put("br_457#2", "U4")
    t.settle(FireAt(F_FIRE, AXIS, PREP)).do("fire O5")
    assert f"coax {TANK}" in t.legal()
    t.do(f"coax {TANK}", "commit")
    t.roll(6, 5)
    while GAME.is_chance(t.s):
        t.roll(3, 3)
    down = Desk(field=field, phasing=AXIS)
    at_the_rim(down)
    down.put("br_457#2", "T5")
    down.put("ge_467#1", "S5")
    down.settle(FireAt(F_FIRE, AXIS, PREP)).do("fire T5")
    assert down.rule(f"coax {TANK}") in ("F5.426b", "A6.1")
    near = ground({name: facts for name, facts in low.items() if name not in ("S4", "S5")}, BED)
    down = Desk(field=near, phasing=AXIS)
    at_the_rim(down)
    foe = down.put("br_457#2", "S4")
    down.put("ge_467#1", "S5")
    assert down.stage.sights.sees(spot(down.s, down.unit(TANK)), spot(down.s, foe))
    down.settle(FireAt(F_FIRE, AXIS, PREP)).do("fire S4")
    assert down.rule(f"coax {TANK}") == "F5.426b"
    down.do("join ge_467#1")
    alone = Desk(field=near, phasing=AXIS)
    at_the_rim(alone)
    alone.put("br_457#2", "S4")
    alone.put("br_457#3", "O5")
    assert {"fire O5"} == {one for one in alone.settle(FireAt(F_FIRE, AXIS, PREP)).legal() if one.startswith("fire")}
    above = Desk(field=near)
    u = above.put(STUART, "Q5", E, exposed=True)
    above.s.place[u], above.s.cafp[u] = Place.CREST, E
    above.put("ge_467#1", "S4")
    above.settle(FireAt(F_FIRE, ALLIED, PREP)).do("fire S4")  # with the machine gun on the roof alone
    assert (above.rule(f"coax {STUART}"), f"anti-air {STUART}" in above.legal()) == ("F5.426b", True)
    own = Desk(field=near, phasing=AXIS)
    at_the_rim(own)
    own.s.place[own.put(FOE, "Q5")] = Place.IN
    own.settle(FireAt(F_FIRE, AXIS, PREP)).do("fire Q5")
    assert f"coax {TANK}" in own.legal()


@pytest.mark.rule("asl", "F5.426b", "F5.426d")
def test_a_gun_at_the_rim_fires_down_into_its_own_wadi_and_along_its_bed_alone() -> None:
    """EX-F5.426: IN its own hex and IN the next one along the bed; not IN a wadi hex beside it that is another's."""
    cells = {**WADI, "R5": {"forms": {"wadi"}}}
    t = Desk(field=ground(cells, BED), phasing=AXIS)
    u = at_the_rim(t)
    gun = aim.tube_of(t.s, u)
    assert gun is not None
    for name in ("Q5", "Q6", "R5"):
        assert t.stage.sights.sees(spot(t.s, u), Spot(t.hex(name), Place.IN))
    down = [aim.plunges(t.s, u, gun, Spot(t.hex(name), Place.IN)) for name in ("Q5", "Q6", "R5")]
    assert down == [False, False, True]
    assert not aim.plunges(t.s, u, gun, Spot(t.hex("S4")))


@pytest.mark.rule("asl", "F5.42j", "F5.424a")
def test_sight_is_traced_to_the_centre_of_the_hex() -> None:
    t = Desk(field=ground(WADI, BED))
    u = at_the_rim(t)
    assert spot(t.s, u).vertex == -1


@pytest.mark.rule("asl", "F5.426e")
def test_a_vehicle_at_the_rim_can_be_overrun() -> None:
    t = Desk(field=ground(WADI, BED), phasing=ALLIED).under(vehicle_dust=False)
    truck = t.put("ge_opel#1", "Q5", E)
    t.s.place[truck], t.s.cafp[truck] = Place.CREST, E
    crew = t.put("ge_467#1", "Q5")
    t.s.place[crew] = Place.CREST
    t.put(STUART, "Q4", 3, motion=True)
    t.driving(STUART)
    assert "overrun Q5" in t.legal()


@pytest.mark.rule("asl", "F5.426f")
def test_the_rim_counts_for_nothing_in_close_combat() -> None:
    t = Desk(field=ground(WADI, BED), phasing=ALLIED)
    at_the_rim(t)
    squad = t.put(FOE, "Q5")
    t.s.place[squad] = Place.IN
    t.s.phase = CCPH
    t.settle(ArmourAt(F_ARMOUR, 1 << t.hex("Q5")))
    assert f"grapple {FOE} {TANK}" in t.legal()


@pytest.mark.rule("asl", "F7.31e")
def test_each_vertex_turned_in_sand_is_tried() -> None:
    t = Desk(field=ground(filled("sand", "Q5"))).under(vehicle_dust=False, ec="Dry")
    t.put(STUART, "Q5", NNE, motion=True)
    t.driving(STUART)
    for vertex in ("e", "sse"):
        t.do(f"turn {vertex}")
        assert t.who == "chance"
        t.roll(1, 1)


def work(t: Desk, kind: str, where: str) -> int:
    found = next(u for u, name in enumerate(t.roster.names) if f"_{kind}#" in name and t.s.at[u] < 0)
    put(t.s, found, t.hex(where))
    return found


@pytest.mark.rule("asl", "F8.5")
def test_a_sangar_costs_nothing_unless_a_trench_joins_it() -> None:
    for joined, price in ((False, 1), (True, 2)):
        t = Desk(field=ground()).under(vehicle_dust=False)
        t.put(STUART, "Q5", NNE, motion=True)
        work(t, "sangar", "Q4")
        if joined:
            work(t, "trench", "Q3")
        t.driving(STUART)
        before = t.left
        t.do("to Q4")
        assert before - t.left == price


@pytest.mark.rule("asl", "F8.51a", "F8.51b", "F8.51c")
def test_the_belly_over_a_sangar() -> None:
    t = Desk(field=ground(), phasing=ALLIED).under(vehicle_dust=False)
    t.put(STUART, "Q5", NNE, motion=True)
    gun, crew = t.put("ge_at37#1", "Q4"), t.put("ge_228#1", "Q4")
    t.s.holder[gun] = crew
    work(t, "sangar", "Q4")
    t.s.under[gun] = t.s.under[crew] = UNDER_SANGAR
    t.driving(STUART).do("overrun Q4")
    u = t.unit(STUART)
    assert t.who == "axis"
    assert underbelly(t.s, gun, u)
    t.do("hold")
    while GAME.is_chance(t.s):
        t.roll(6, 5)
    assert not underbelly(t.s, crew, u)


@pytest.mark.rule("asl", "A11.6")
def test_advancing_upon_a_tank_takes_a_task_check() -> None:
    for dice, goes in (((3, 3), True), ((5, 5), False)):
        t = Desk(field=ground(), phasing=ALLIED)
        t.put(TANK, "Q4", NNE)
        t.put(FOE, "Q5")
        t.s.phase = APH
        t.settle(AdvanceAt(F_ADVANCE)).do(f"advance {FOE} Q4")
        t.roll(*dice)
        assert t.where(FOE) == ("Q4" if goes else "Q5")
        assert t.has("pinned", FOE) != goes
    truck = Desk(field=ground(), phasing=ALLIED)
    truck.put("ge_opel#1", "Q4", NNE)
    truck.put(FOE, "Q5")
    truck.s.phase = APH
    truck.settle(AdvanceAt(F_ADVANCE)).do(f"advance {FOE} Q4")
    assert truck.where(FOE) == "Q4"
