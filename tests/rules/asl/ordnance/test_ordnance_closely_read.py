"""A7.7, A5.12, B26.4 what hampers gunners; Cases C1 and C2 in Motion; canister; charges at Guns; bursts at vehicles."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.combat.charges import kill
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.ordnance.aim import aiming_at, shot_of
from sandtable.games.asl.ordnance.laying import LAY
from sandtable.games.asl.ordnance.shells import Burst, residual
from sandtable.games.asl.ordnance.to_hit import INFANTRY, cases
from sandtable.games.asl.ordnance.to_kill import REAR, Strike, final
from sandtable.games.asl.ordnance.weapons import AP, APCR, HE
from sandtable.games.asl.table.hardware import MA
from sandtable.games.asl.table.ids import (
    ADVANCING,
    BOUNDING,
    F_CHARGES,
    F_END,
    F_FIRE,
    F_MOVES,
    FINAL,
    MPH,
    ON_WIRE,
    PREP,
)
from sandtable.games.asl.table.state import Shoot, settle
from sandtable.games.asl.turn.ending import EndAt
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.works.blast import ChargesAt

from ..kit import ground
from ..ordnancekit import armour, gun
from ..vehiclekit import ALLIED, AXIS, NNE, SSE, Desk, E, W, kinds
from .ordnanceshotskit import CREW, FOE_CREW, FOE_GUN, GUN, SQUAD, TANK, aimed, desk, panel

# C5.2 What hampers those who serve a weapon


def hampered(edition: int, how: str, gun: str, *words: str) -> Desk:
    """A Gun is laid, by a crew in this state."""
    d = desk(gun)
    d.s.edition = edition
    d.put(TANK, "R5", W)
    d.put(SQUAD, "R6")
    aimed(d, *words, gun=gun)
    if how == "ENC":
        d.s.encircled |= d.bit(CREW)
    elif how == "WIRE":
        d.s.under[d.unit(CREW)] = ON_WIRE
    else:
        for i in (1, 2, 3):  # a crew at its Gun counts as a squad: four in all
            d.put(f"ge_467#{i}", "N5")
    return d


@pytest.mark.rule("asl", "C5.2", "A7.7", "A5.12", "B26.4")
@pytest.mark.parametrize("how", ["ENC", "WIRE", "CROWD"])
def test_what_hampers_whoever_fires_hampers_his_gun(how: str) -> None:
    d = hampered(5, how, GUN, f"at-vehicle {TANK}", "load AP")
    assert panel(d)["cases"][how] == 1
    d = hampered(4, how, GUN, f"at-vehicle {TANK}", "load AP")
    assert how not in panel(d)["cases"]


@pytest.mark.rule("asl", "A5.12", "C5.2")
def test_each_squad_too_many_costs_a_gun_one_more() -> None:
    d = hampered(5, "CROWD", GUN, f"at-vehicle {TANK}", "load AP")
    d.put("ge_467#4", "N5")
    d.put("ge_467#5", "N5")
    assert panel(d)["cases"]["CROWD"] == 3


@pytest.mark.rule("asl", "C2.29", "A7.7", "A5.12", "B26.4")
@pytest.mark.parametrize("how", ["ENC", "WIRE", "CROWD"])
def test_it_hampers_rapid_fire_as_well(how: str) -> None:
    d = hampered(5, how, "ge_aa20#1", "at-rapid R6")
    assert panel(d)["title"] == "6 FP on the 6 column, DRM +1"
    d = hampered(4, how, "ge_aa20#1", "at-rapid R6")
    assert panel(d)["title"] == "6 FP on the 6 column, DRM 0"


@pytest.mark.rule("asl", "C2.29", "C3.2")
def test_a_gun_pays_for_its_turn_in_rapid_fire_too() -> None:
    for edition, drm in ((5, "+2"), (4, "0")):
        d = desk("ge_aa20#1", facing=SSE + 1)  # a mount all round: 1 for each of two vertices
        d.s.edition = edition
        d.put(SQUAD, "R5")
        aimed(d, "at-rapid R5", gun="ge_aa20#1")
        assert panel(d)["title"] == f"6 FP on the 6 column, DRM {drm}"


@pytest.mark.rule("asl", "C2.29", "C3.2")
@pytest.mark.parametrize(("facing", "drm"), [(E, "0"), (NNE, "+1"), (NNE - 1, "+2"), (SSE, "+1")])
def test_each_vertex_of_turn_costs_rapid_fire_one(facing: int, drm: str) -> None:
    d = desk("it_aa20#1", "it_126#1", facing=facing % 6)
    d.put(SQUAD, "R5")
    aimed(d, "at-rapid R5", gun="it_aa20#1")
    assert panel(d)["title"] == f"6 FP on the 6 column, DRM {drm}"


# Cases C1 and C2


def tank_shot(d: Desk, u: int, fire: int) -> dict[str, int]:
    target = d.unit("it_m13#1")
    shoot = Shoot(
        fire=fire, side=ALLIED, gun=1 << u, weapon=MA, type=0, hex=d.s.at[target], shell=1, target=1 << target
    )
    return {one.case: one.value for one in cases(shot_of(d.s, shoot, target))}


@pytest.mark.rule("asl", "C5.2", "D2.4", "A3.5")
@pytest.mark.parametrize(("halves", "case"), [(4, "C2"), (6, "C1"), (7, "")])
def test_in_motion_a_vehicle_aims_no_longer_in_its_advancing_fire_than_in_bounding_fire(halves: int, case: str) -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED)
    u = d.put("br_crus2#1", "N5", E, motion=True)
    d.put("it_m13#1", "R5", W)
    d.s.track[u] = ((d.hex("M5"), halves - 2), (d.hex("N5"), 2))
    found = tank_shot(d, u, ADVANCING)
    assert {one: value for one, value in found.items() if one in ("C1", "C2")} == ({case: int(case[1])} if case else {})
    d.s.edition = 4
    assert not {"C1", "C2"} & tank_shot(d, u, ADVANCING).keys()
    for edition, value in ((3, 2), (2, 0)):
        d.s.edition = edition
        assert tank_shot(d, u, PREP).get("B", 0) == value, "in Motion"
    d.s.edition = 5
    d.s.track = {}
    assert not {"C1", "C2"} & tank_shot(d, u, ADVANCING).keys(), "it has not moved in this MPh"
    assert not {"C1", "C2"} & tank_shot(d, u, PREP).keys()


@pytest.mark.rule("asl", "C5.2", "D3.3")
def test_what_a_bounding_vehicle_spent_in_the_bed_of_a_wadi_it_spent_out_of_sight() -> None:
    d = Desk("s08_totensonntag", phasing=ALLIED, field=ground({"M5": {"forms": {"wadi"}}}))
    u = d.put("br_crus2#1", "N5", E, motion=True)
    d.put("it_m13#1", "R5", W)
    d.s.track[u] = ((d.hex("M5"), 8), (d.hex("N5"), 2))
    assert tank_shot(d, u, BOUNDING)["C2"] == 2
    d.s.edition = 4
    assert "C2" not in tank_shot(d, u, BOUNDING)


@pytest.mark.rule("asl", "C5.2", "D3.3")
def test_a_target_in_the_bed_of_a_wadi_is_in_sight_from_where_it_is_seen() -> None:
    """From M5 and N5 the ground of P5 is seen; the bed only from O5, beside it."""
    d = Desk("s08_totensonntag", phasing=ALLIED, field=ground({"P5": {"forms": {"wadi"}}}))
    u = d.put("br_crus2#1", "O5", E, motion=True)
    target = d.put("it_m13#1", "P5", W)
    d.s.track[u] = ((d.hex("M5"), 4), (d.hex("N5"), 4), (d.hex("O5"), 2))
    assert not {"C1", "C2"} & tank_shot(d, u, BOUNDING).keys()
    d.s.place[target] = Place.IN
    assert tank_shot(d, u, BOUNDING)["C2"] == 2


# C8.3 Canister


def stuart(edition: int = 5, turret: int = E, **marks: bool) -> Desk:
    """A tank with canister at N5, about to fire it at a squad two hexes off."""
    d = Desk("s08_totensonntag", phasing=ALLIED)
    d.s.edition = edition
    u = d.put("br_crus2#1", "N5", E, turret=turret, exposed=True, **marks)
    d.s.type[u] = d.roster.type_of["us_m3a1"]
    d.put("ge_467#1", "P5")
    return d


def fired(d: Desk, fire: int = PREP) -> str:
    d.settle(FireAt(F_FIRE, ALLIED, fire))
    d.do("lay br_crus2#1", "at-infantry P5", "load CANISTER")
    return str(panel(d)["title"])


@pytest.mark.rule("asl", "C8.3", "A7.2", "A7.23", "D2.4", "A3.5")
def test_canister_is_halved_like_the_fire_of_a_machine_gun() -> None:
    assert fired(stuart()) == "12 FP on the 12 column, DRM 0"
    assert fired(stuart(), ADVANCING) == "6 FP on the 6 column, DRM 0"
    assert fired(stuart(motion=True)) == "6 FP on the 6 column, DRM 0"
    veiled = stuart()
    veiled.s.concealed |= veiled.bit("ge_467#1")
    assert fired(veiled) == "6 FP on the 6 column, DRM 0"
    assert fired(stuart(4), ADVANCING) == "12 FP on the 12 column, DRM 0"
    near = stuart()
    near.put("ge_467#1", "O5")
    near.settle(FireAt(F_FIRE, ALLIED, PREP))
    near.do("lay br_crus2#1", "at-infantry O5", "load CANISTER")
    assert panel(near)["title"] == "12 FP on the 12 column, DRM 0", "point blank is nothing to it"


@pytest.mark.rule("asl", "C8.3", "D3.5", "D5.34")
def test_canister_is_fired_with_the_turn_of_the_turret_and_by_its_crew() -> None:
    assert fired(stuart(turret=SSE)) == "12 FP on the 12 column, DRM +1"
    assert fired(stuart(shaken=True)) == "12 FP on the 12 column, DRM +1"
    assert fired(stuart(4, turret=SSE)) == "12 FP on the 12 column, DRM 0"


@pytest.mark.rule("asl", "C8.3", "A8.2")
def test_what_canister_leaves_is_of_its_final_column() -> None:
    for edition, left in ((5, 2), (4, 6)):
        d = stuart(edition, motion=True)
        d.s.phasing, d.s.phase = AXIS, MPH
        d.put("ge_467#1", "Q5")
        d.settle(MovesAt(F_MOVES))
        d.do("move ge_467#1", "to P5", "lay br_crus2#1", "at-infantry P5", "load CANISTER", "shoot")
        d.roll(2, 4)
        assert d.s.residual.get(d.hex("P5")) == left


# C11.4 Charges at Guns


def charged(edition: int = 5, crew: bool = True, settled: bool = True) -> Desk:
    """A charge of 30 FP goes off in M5, where a Gun stands."""
    d = Desk(field=ground(), phasing=AXIS)
    d.s.edition = edition
    d.put("ge_467#1", "M6")
    d.give("ge_dc#1", "ge_467#1")
    if crew:
        d.put(FOE_CREW, "M5")
    d.put(FOE_GUN, "M5", NNE)
    d.s.holder[d.unit(FOE_GUN)] = d.unit(FOE_CREW) if crew else -1
    d.s.charges = {d.unit("ge_dc#1"): d.hex("M5")}
    return d.settle(ChargesAt(F_CHARGES)) if settled else d


@pytest.mark.rule("asl", "C11.4", "A23.3")
def test_a_charge_destroys_or_stops_a_gun_with_its_crew() -> None:
    d = charged()
    d.roll(2, 3)
    assert (d.where(FOE_GUN), d.where(FOE_CREW)) == ("-2", "-2"), "1KIA"
    d = charged()
    d.roll(3, 3)
    assert d.where(FOE_GUN) == "M5", "K/4"
    assert d.has("jammed", FOE_GUN)
    assert d.where(FOE_CREW) == "-2", "a crew that is reduced is gone"
    d = charged()
    d.roll(6, 6)
    assert not d.has("jammed", FOE_GUN), "1MC: the crew alone"
    assert d.who == "chance"
    d = charged(4)
    d.roll(2, 3)
    assert d.where(FOE_GUN) == "M5"


@pytest.mark.rule("asl", "C11.4", "A23.3", "C11.2")
def test_where_a_gun_is_dug_in_a_charge_does_less() -> None:
    d = charged(settled=False)
    d.s.emplaced |= d.bit(FOE_GUN)
    d.settle(ChargesAt(F_CHARGES)).roll(2, 3)  # 5 and 2: a 4MC instead of a 1KIA
    assert d.where(FOE_GUN) == d.where(FOE_CREW) == "M5"
    assert not d.has("jammed", FOE_GUN)


@pytest.mark.rule("asl", "C11.4", "A23.3")
def test_a_charge_destroys_a_gun_that_nobody_mans() -> None:
    d = charged(crew=False)
    d.roll(2, 3)
    assert d.where(FOE_GUN) == "-2"
    d = charged(crew=False)
    d.roll(6, 6)
    assert d.where(FOE_GUN) == "M5"
    assert not d.has("jammed", FOE_GUN)


@pytest.mark.rule("asl", "C7.346", "A22.4", "C7.2")
@pytest.mark.parametrize(
    ("tank", "edition", "burns"), [("br_sherm2", 5, True), ("br_sherm2", 4, False), ("ge_pz3h", 5, False)]
)
def test_what_brews_up_easily_does_so_by_a_charge_too(tank: str, edition: int, burns: bool) -> None:
    """TK# 13: six is at most half of it, seven only if the half is rounded up."""
    d = Desk()
    d.s.edition = edition
    u = d.put(TANK, "M5", NNE)
    d.s.type[u] = d.roster.type_of[tank]
    kill(d.s, u, 13, 7, "C7.346")
    assert d.has("wreck", TANK)
    assert d.has("burning", TANK) == burns


# The panel of a shot at an area


@pytest.mark.rule("asl", "C3.32", "A7.308")
def test_the_panel_of_a_shot_at_an_area_tells_what_becomes_of_a_vehicle_there() -> None:
    """75mm: 6 FP. A Matilda of AF 8 takes +1: a K on 2, and the row above it on 3; a truck has a Kill Number of 6."""
    d = desk("ge_at75#1")
    d.put("br_mat2#1", "R5", W)
    aimed(d, "at-area R5", "load HE", gun="ge_at75#1")
    found = panel(d)["chances"]
    hit = 1 - found["misses"] - found["malfunctions"]
    assert found["immobilized"] == hit * Fraction(3, 36)
    assert found["hits without effect"] == hit * Fraction(33, 36)
    d = desk("ge_at75#1")
    d.put("br_3ton#1", "R5", W)
    aimed(d, "at-area R5", "load HE", gun="ge_at75#1")
    found = panel(d)["chances"]
    hit = 1 - found["misses"] - found["malfunctions"]
    plain = hit - Fraction(1, 36)  # an Original 2 is a Critical Hit of 12 FP, with a Kill Number of 8
    assert found["burns"] == plain * Fraction(3, 36) + Fraction(1, 36) * Fraction(6, 36)
    assert found["immobilized"] == plain * Fraction(5, 36) + Fraction(1, 36) * Fraction(5, 36)


# D6.2


@pytest.mark.rule("asl", "D6.2", "C3.32")
def test_riders_get_off_when_an_area_is_shelled() -> None:
    for edition, off in ((5, True), (4, False)):
        d = desk("ge_at75#1")
        d.s.edition = edition
        d.put(TANK, "R5", W)
        d.board(SQUAD, TANK, rides=True)
        aimed(d, "at-area R5", "load HE", "shoot", gun="ge_at75#1")
        found = kinds(d.roll(5, 5))
        assert ("bailed_out" in found) == off


# What nothing else asks


@pytest.mark.rule("asl", "C7.1", "C7.3", "C7.32", "C7.31", "C3.7", "F3.4b")
def test_numbers_at_the_edges_of_their_tables() -> None:
    tank, truck, howitzer = armour("ge_pz3j"), armour("ge_opel"), gun("ge_art105")
    six_pounder = gun("br_at57")
    assert final(Strike(howitzer, HE, 10, tank, aspect=REAR)) == 10 + 1 - tank.hull_side, "the rear is weak to HE too"
    assert final(Strike(six_pounder, APCR, 2, tank)) == 20 + 1 - tank.hull_front, "57mm is small"
    assert final(Strike(six_pounder, AP, 10, truck, critical=True)) == 2 * 8
    assert final(Strike(howitzer, HE, 10, truck, critical=True)) == 2 * 16
    big = Burst(gun("ge_inf150"), HE, INFANTRY, terrain="hammada")
    assert residual(big) == 12, "there is no higher counter"


@pytest.mark.rule("asl", "A9.21", "C5.6")
def test_intensive_fire_keeps_no_rof() -> None:
    d = desk()
    d.put(TANK, "R5", W)
    d.s.fired |= d.bit(GUN)
    aimed(d, f"at-vehicle {TANK}", "load AP", "shoot")
    assert "fires_again" not in kinds(d.roll(1, 3))


# C2.6


def unhooked(gun: str, truck: str, edition: int = 5) -> Desk:
    """A Gun is unhooked in its Movement Phase, and manned."""
    d = Desk("s08_totensonntag", phasing=AXIS, field=ground()).under(ec="Dry", vehicle_dust=False)
    d.s.edition = edition
    d.put(truck, "N5", W)
    d.board(gun, truck)
    d.s.limbered |= d.bit(gun)
    d.driving(truck).do(f"unhook {gun}", "halt")
    d.put(CREW, "N5")
    d.s.holder[d.unit(gun)] = d.unit(CREW)
    d.put(TANK, "R5", W)
    return d


def turn_ends(d: Desk) -> Desk:
    return d.settle(EndAt(F_END))


def barred(d: Desk, name: str, fire: int) -> str:
    u = d.unit(name)
    found = LAY.why(u, d.s, aiming_at(fire, AXIS), {"weapon": u})
    return found.rule if found else ""


@pytest.mark.rule("asl", "C2.6", "C10.2")
def test_an_aa_gun_that_is_unhooked_fires_from_its_next_prep_fire_phase_on() -> None:
    assert barred(unhooked("ge_aa88#1", "ge_sdk7#1"), "ge_aa88#1", ADVANCING) == "C2.6"
    assert barred(turn_ends(unhooked("ge_aa88#1", "ge_sdk7#1")), "ge_aa88#1", FINAL) == "C2.6", "the enemy's turn"
    assert barred(turn_ends(turn_ends(unhooked("ge_aa88#1", "ge_sdk7#1"))), "ge_aa88#1", PREP) == ""
    assert barred(turn_ends(unhooked("ge_aa88#1", "ge_sdk7#1", 4)), "ge_aa88#1", FINAL) == ""
    assert barred(unhooked(GUN, "ge_sdk7#1"), GUN, ADVANCING) == "", "an AT Gun is set up quickly"


@pytest.mark.rule("asl", "C2.6", "C10.3")
def test_a_gun_that_is_not_for_aircraft_settles_at_once() -> None:
    d = desk("ge_aa20#1")
    for name, waits in (("ge_aa20#1", True), ("ge_at50#1", False)):
        settle(d.s, d.unit(name))
        assert d.has("settling", name) == waits
