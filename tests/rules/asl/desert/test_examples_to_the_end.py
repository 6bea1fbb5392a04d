"""Worked examples played to their last number: whole moves, with what they leave behind."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.costs import Mover
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.table.ids import AXIS, DISPERSED, F_MOVES, MPH
from sandtable.games.asl.table.state import board

from ..boards.test_costs import CAR, TANK, board25, price
from ..kit import filled, ground
from ..vehiclekit import NNE, Desk, E

rule = partial(pytest.mark.rule, "asl")

GUN, CREW = "ge_at50#1", "ge_228#1"


@rule("F.2a", "F.2b", "F.2Aa", "D2.3")
def test_ex_f_2_1_the_whole_way_of_the_armoured_car_costs_34_mp() -> None:
    """EX-F.2-1: orchard 3, Open Ground 1, INTO the wadi 5, out of it 7, two vertices 2, Bypass 2, orchard out of the
    wadi 7, a vertex 1, Bypass over Chapter B Open Ground 6."""
    field = board25(M4={"terrain": "orchard"}, M6={"forms": {"wadi"}}, N7={"terrain": "orchard"})
    field.chapter_b |= sum(1 << field.hex(f"D1.{name}") for name in ("M7", "O6"))
    past = Mover("armoured_car", 34, bypass=True)
    way = [
        price(field, CAR, "N4", "M4"),
        price(field, CAR, "M4", "M5"),
        price(field, CAR, "M5", "M6 in"),
        price(field, CAR, "M6 in", "M7"),
        2,
        price(field, past, "M7", "N6"),
        price(field, CAR, "M6 in", "N6"),
        1,
        price(field, past, "N5", "O6"),
    ]
    assert way[:6] == [3, 1, 5, 7, 2, 2]
    grove = ground({"M6": {"forms": {"wadi"}}, "M7": {"terrain": "orchard"}})
    way[6] = price(grove, CAR, "M6 in", "M7")
    assert way[6:] == [7, 1, 6]
    assert sum(one for one in way if one is not None) == 34


@rule("F.2a", "F.2b")
def test_ex_f_2_2_half_a_movement_point_is_left_to_the_tank() -> None:
    """EX-F.2-2: Start 1, INTO the wadi 3, INTO the next with woods 8.5 of 13."""
    bed = ground({"M6": {"forms": {"wadi"}}, "M7": {"forms": {"wadi"}, "terrain": "woods"}}, [("M6", "M7", "wadi")])
    found = [price(bed, TANK, "M5", "M6 in"), price(bed, TANK, "M6 in", "M7 in")]
    assert found == [3, 8.5]
    assert TANK.allotment - 1 - sum(one for one in found if one is not None) == 0.5


@rule("F9.1b", "C10.3")
@pytest.mark.parametrize(("track", "mf"), [(False, 4), (True, 3)])
def test_ex_f9_2_a_gun_is_pushed_into_sand_for_3_mf_along_a_track_and_3_is_the_drm(track: bool, mf: int) -> None:
    """EX-F9.2: not for 4; the MF spent are the Manhandling DRM."""
    field = ground(filled("sand", "N4"))
    if track:
        there, back = (1 << field.hex(f"D1.{name}") for name in ("N5", "N4"))
        field.tracks = (there, 0, 0, back, 0, 0)
    t = Desk("s08_totensonntag", phasing=AXIS, field=field)
    t.put(CREW, "N5")
    t.put(GUN, "N5", E)
    t.s.holder[t.unit(GUN)] = t.unit(CREW)
    t.s.phase = MPH
    t.settle(MovesAt(F_MOVES)).do(f"move {CREW}")
    odds = GAME.odds(t.s, GAME.parse(f"push {GUN} D1.N4"))
    assert odds is not None
    assert [term.value for term in odds.terms if str(term.text) == "MF spent"] == [f"+{mf}"]
    t.do(f"push {GUN} N4")
    t.roll(1, 1)
    assert t.s.move is not None
    assert t.s.move.spent == 2 * mf


@rule("F11.74a", "F11.74b")
def test_ex_f11_74_1_dust_behind_a_vehicle_that_enters_smoke_for_2_mp_and_none_if_it_tows() -> None:
    """EX-F11.74-1: 1 of Open Ground and 1 of SMOKE; a Gun in tow makes it 3."""
    for tows in (False, True):
        t = Desk(field=ground()).under(vehicle_dust=True, ec="Dry")
        truck = t.put("br_3ton#1", "Q6", NNE)
        if tows:
            gun = t.put("br_at57#1", "Q6", NNE)
            board(t.s, gun, truck)
            t.s.limbered |= 1 << gun
        t.s.smoke[t.hex("Q4")] = 1 << 2 * DISPERSED
        t.driving("br_3ton#1").do("start", "to Q5")
        assert not t.s.trail
        left = t.left
        t.do("to Q4")
        assert left - t.left == (3 if tows else 2)
        assert t.s.trail == ({} if tows else {truck: t.hex("Q5")})
