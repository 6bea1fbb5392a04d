"""D2.5, D8, D14.2 Engines, bogs and Platoons: what breakages of the code had left unnoticed."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.asl.combat.armour import grapple_drms
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import ALLIED, AXIS, F_PARKED, F_WIRE_CRUSH
from sandtable.games.asl.table.state import Move, board, put
from sandtable.games.asl.vehicles.company import mates
from sandtable.games.asl.vehicles.driver import DriverAt
from sandtable.games.asl.vehicles.fields import WireCrushAt
from sandtable.games.asl.vehicles.risks import bog_cases

from ..kit import ground
from ..vehiclekit import NNE, Desk

PANZER = "ge_pz3g#1"


@pytest.mark.rule("asl", "D8.3")
def test_getting_out_of_a_bog_costs_twice_the_product_without_full_tracks() -> None:
    for name, spent in (("br_cara#1", 2), ("br_3ton#1", 4), ("ge_spw2511#1", 4)):
        t = Desk("s08_totensonntag", phasing=AXIS if name.startswith("ge") else ALLIED, field=ground())
        t.put(name, "Q5", NNE, bogged=True)
        t.driving(name)
        whole = t.left
        t.do("unbog")
        if name == "br_cara#1":  # D14.2 it is alone and has no radio
            t.roll(1, 1)
        t.roll(1, 2)
        assert whole - t.left == spent, name
        assert not t.has("bogged", name)


@pytest.mark.rule("asl", "D8.2")
def test_what_makes_a_truck_bog_more_easily_than_others() -> None:
    t = Desk("s08_totensonntag", field=ground({"Q4": {"terrain": "vineyard"}})).under(ec="Dry")
    h = t.hex("Q5")
    for name, cases in (
        ("br_3ton#1", ["ground_pressure_normal", "not_fully_tracked", "truck_type"]),
        ("ge_spw2511#1", ["not_fully_tracked"]),
        ("br_crus2#1", ["ground_pressure_normal"]),
    ):
        u = t.put(name, "Q4", NNE)
        assert bog_cases(t.s, u, h) == cases


@pytest.mark.rule("asl", "D14.2")
def test_a_platoon_begins_within_two_hexes() -> None:
    t = Desk("s08_totensonntag", field=ground())
    u, near, far = t.put("br_cara#1", "Q5", NNE), t.put("br_cara#2", "Q3", NNE), t.put("br_cara#3", "Q8", NNE)
    assert mates(t.s, Move(movers=1 << u, vehicle=u, came=t.s.at[u], hex=t.s.at[u])) == 1 << near
    t.put("br_cara#3", "Q7", NNE)
    assert mates(t.s, Move(movers=1 << u, vehicle=u, came=t.s.at[u], hex=t.s.at[u])) == 1 << near | 1 << far


@pytest.mark.rule("asl", "D2.5")
def test_an_engine_is_strained_when_the_mp_have_run_out() -> None:
    t = Desk("s08_totensonntag", phasing=AXIS, field=ground()).under(ec="Dry", vehicle_dust=False, date="1942-06-01")
    t.put(PANZER, "Q5", NNE, motion=True)
    t.driving(PANZER)
    assert t.s.move is not None
    for left, allowed in ((2, False), (1, True), (0, True)):
        t.s.move.spent = t.s.move.allowed - left
        t.s.choices = None
        assert ("strain 1" in t.legal()) == allowed


@pytest.mark.rule("asl", "A11.5")
def test_a_bogged_tank_is_as_easy_to_fight_as_an_immobilized_one() -> None:
    for mark, drm in (("bogged", True), ("immobile", True), ("moved", False)):
        t = Desk("s08_totensonntag", phasing=AXIS, field=ground())
        u = t.put(PANZER, "Q5", NNE, **{mark: True})
        t.put("br_457#1", "Q5")
        found = [(value, str(text)) for value, _, text in grapple_drms(t.s, t.bit("br_457#1"), u)]
        assert ((-1, "immobile") in found) == drm, mark


@pytest.mark.rule("asl", "D14.2")
def test_a_platoon_has_three_at_most() -> None:
    t = Desk("s03_nibeiwa", phasing=AXIS, field=ground()).under(date="1942-06-01", vehicle_dust=False)
    tanks = [f"it_m13#{n}" for n in (1, 2, 3, 4)]
    for name, where in zip(tanks, ("Q5", "R5", "P5", "Q6"), strict=True):
        t.put(name, where, NNE, motion=True)
    t.driving(tanks[0]).do(f"also {tanks[1]}")
    assert f"also {tanks[3]}" in t.legal()
    t.do(f"also {tanks[2]}")
    assert not any(one.startswith("also") for one in t.legal())


@pytest.mark.rule("asl", "C7.6", "B26.4")
def test_who_stands_in_the_first_hex_of_the_map_is_on_the_map() -> None:
    t = Desk("s08_totensonntag", phasing=AXIS, field=ground())
    u, riders = t.put(PANZER, "Q5", NNE), t.put("ge_467#1", "Q5")
    put(t.s, u, 0)
    put(t.s, riders, 0)
    board(t.s, riders, u, True)
    assert GAME.frames[F_WIRE_CRUSH].actor(t.s, WireCrushAt(F_WIRE_CRUSH, u)) == CHANCE
    t.s.immobile |= 1 << u
    t.s.move = Move(movers=1 << u, vehicle=u, came=0, hex=0)
    assert GAME.frames[F_PARKED].actor(t.s, DriverAt(F_PARKED)) == AXIS
