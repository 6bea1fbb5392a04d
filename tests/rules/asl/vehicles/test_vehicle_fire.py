"""D3, D5, D6.22, A7.308 The machine guns of vehicles, and small arms against vehicles and those aboard."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Odds
from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.fire.group import now_of
from sandtable.games.asl.fire.mounts import behind_cover
from sandtable.games.asl.fire.sights import clear, look
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.hardware import BMG, CMG, MA
from sandtable.games.asl.table.ids import ADVANCING, ALLIED, AXIS, F_FIRE, PFPH, PREP
from sandtable.games.asl.table.state import Attack
from sandtable.games.asl.table.works import spot
from sandtable.games.asl.turn.fires import FireAt

from ..kit import ground, hillock
from ..vehiclekit import NNE, SSW, Desk, event, kinds

FLAT = ground()
TANK, FOE, CARRIER, TRUCK = "ge_pz3g#1", "br_457#1", "br_cara#1", "br_3ton#1"
"""A PzKpfw IIIG: bow MG 3, coaxial MG 5, no AAMG. Q5 looks north to Q1, south to Q9."""


def firing(t: Desk, side: int = AXIS, fire: int = PREP) -> Desk:
    return t.settle(FireAt(F_FIRE, side, fire))


def desk(facing: int = NNE, target: str = "Q3", field: Battlefield | None = None, **marks: bool) -> Desk:
    t = Desk(field=field or FLAT, phasing=AXIS)
    t.put(TANK, "Q5", facing, **marks)
    t.put(FOE, target)
    return t


def panel(t: Desk) -> Odds:
    found = GAME.odds(t.s, GAME.parse("commit"))
    assert found is not None
    return found


def terms(t: Desk) -> set[tuple[str, str]]:
    return {(one.value, one.rule) for one in panel(t).terms}


@pytest.mark.rule("asl", "D3.5")
def test_bow_and_coaxial_fire_together_and_with_nobody_else() -> None:
    t = firing(desk())
    t.put("ge_467#1", "Q4")
    t.settle()
    t.do("fire Q3", f"bow {TANK}", f"coax {TANK}")
    assert t.rule("join ge_467#1") == "D3.5"
    assert t.rule(f"bow {TANK}") == "A7.1"
    assert t.rule(f"anti-air {TANK}") == "D3.5"
    events = t.do("commit")
    assert event(events, "attack")["fp"] == 8
    t.roll(3, 4)
    assert t.s.used[t.unit(TANK)] == BMG | CMG
    assert t.has("fired", TANK)
    other = firing(desk())
    other.put("ge_467#1", "Q4")
    other.settle()
    other.do("fire Q3", "join ge_467#1")
    assert other.rule(f"coax {TANK}") == "D3.5"


@pytest.mark.rule("asl", "D3.5")
def test_the_bow_gun_bears_on_the_vca_alone_and_the_turret_turns() -> None:
    t = firing(desk(facing=SSW))
    t.do("fire Q3")
    assert t.rule(f"bow {TANK}") == "D3.5"
    t.do(f"coax {TANK}")
    assert ("+3", "D3.5") in terms(t) or ("+2", "D3.5") in terms(t)
    before = t.s.tca[t.unit(TANK)]
    t.do("commit")
    t.roll(3, 4)
    assert t.s.tca[t.unit(TANK)] != before
    assert t.s.vca[t.unit(TANK)] == SSW


@pytest.mark.rule("asl", "D3.5", "A7.22")
def test_ranges_of_vehicular_machine_guns() -> None:
    """The bow MG reaches 8 hexes, the coaxial MG 12; to twice that halved."""
    field = ground()
    for target, bow, coax in (("C5", 1.5, 2.5), ("H5", 1.5, 5.0), ("I5", 3.0, 5.0)):
        t = Desk(field=field, phasing=AXIS)
        t.put(TANK, "Q5", 4)
        t.put(FOE, target)
        firing(t)
        t.do(f"fire {target}", f"coax {TANK}")
        assert ("2.5" if coax == 2.5 else "5", "A7.22" if coax == 2.5 else "A7.1") in terms(t), target
        t.do(f"bow {TANK}")
        assert (f"{bow:g}", "A7.22" if bow == 1.5 else "A7.1") in terms(t), target
    t = Desk(field=field, phasing=AXIS)
    t.put(TANK, "FF5", 4)
    t.put(FOE, "O5")
    firing(t).do("fire O5")
    assert t.rule(f"bow {TANK}") == "D3.5"


@pytest.mark.rule("asl", "D5.3", "D3.5")
def test_the_aamg_needs_an_open_hatch_and_fires_all_round() -> None:
    t = Desk("s07_sidi_bou_zid", field=FLAT, phasing=ALLIED)
    t.put("us_m4#1", "Q5", NNE)
    t.put("ge_467#1", "Q7")
    t.put("ge_467#2", "Q3")
    firing(t, ALLIED).do("fire Q7")
    assert t.rule("anti-air us_m4#1") == "D5.3"
    t = Desk("s07_sidi_bou_zid", field=FLAT, phasing=ALLIED)
    t.put("us_m4#1", "Q5", NNE, exposed=True)
    t.put("ge_467#1", "Q7")
    firing(t, ALLIED).do("fire Q7", "anti-air us_m4#1")
    assert event(t.do("commit"), "attack")["fp"] == 4


@pytest.mark.rule("asl", "D1.3")
def test_a_one_man_turret_does_not_fire_with_its_man_in_the_hatch() -> None:
    t = Desk("s02_gabr_saleh", field=FLAT, phasing=AXIS)
    t.put("ge_pz2f#1", "Q5", NNE, exposed=True)
    t.put("ge_pz2f#2", "R5", NNE)
    t.put("br_stu1#1", "Q3", exposed=True)
    firing(t).do("fire Q3")
    assert t.rule("coax ge_pz2f#1") == "D1.3"
    assert "coax ge_pz2f#2" in t.legal()


@pytest.mark.rule("asl", "D1.3")
def test_nor_is_the_gun_of_a_one_man_turret_laid() -> None:
    for edition, rule in ((2, "D1.3"), (1, "")):
        t = Desk("s02_gabr_saleh", field=FLAT, phasing=AXIS)
        t.s.edition = edition
        t.put("ge_pz2f#1", "Q5", NNE, exposed=True)
        t.put("ge_pz2f#2", "R5", NNE)
        t.put("br_stu1#1", "Q3", exposed=True)
        firing(t)
        assert "lay ge_pz2f#2" in t.legal()
        assert ("lay ge_pz2f#1" in t.legal()) == (not rule)
        if rule:
            assert t.rule("lay ge_pz2f#1") == rule


@pytest.mark.rule("asl", "D3.5")
def test_a_hull_down_tank_does_not_fire_its_bow_gun() -> None:
    t = desk(field=ground(hillock("1", "Q4")))
    firing(t).do("fire Q3")
    assert t.rule(f"bow {TANK}") == "D3.5"
    assert f"coax {TANK}" in t.legal()


@pytest.mark.rule("asl", "D2.4", "A3.5")
def test_motion_and_advancing_fire_halve_machine_guns() -> None:
    t = desk(motion=True)
    firing(t).do("fire Q3", f"coax {TANK}")
    assert ("2.5", "D2.4") in terms(t)
    t = desk()
    firing(t, AXIS, ADVANCING).do("fire Q3", f"coax {TANK}")
    assert ("2.5", "A3.5") in terms(t)


@pytest.mark.rule("asl", "D3.5", "A9.7")
def test_a_machine_gun_fires_once_and_may_break_down() -> None:
    t = desk()
    firing(t).do("fire Q3", f"coax {TANK}", "commit")
    events = t.roll(6, 6)
    assert "jammed_mount" in kinds(events)
    assert t.s.jam[t.unit(TANK)] == CMG
    t.do("fire Q3")
    assert t.rule(f"coax {TANK}") == "A9.7"
    t.do(f"bow {TANK}", "commit")
    t.roll(4, 3)
    assert not any(one.startswith("fire") for one in t.legal())


@pytest.mark.rule("asl", "D1.8", "A9.2")
def test_a_machine_gun_that_is_the_main_armament_has_its_rate_of_fire() -> None:
    t = Desk(field=FLAT, phasing=ALLIED)
    t.put(CARRIER, "Q5", NNE)
    t.put("ge_467#1", "Q3")
    firing(t, ALLIED).do("fire Q3", f"bow {CARRIER}", "commit")
    assert "rate_of_fire" in kinds(t.roll(1, 5))
    assert not t.s.used[t.unit(CARRIER)]
    while GAME.is_chance(t.s):
        t.roll(3, 4)
    t.do("fire Q3", f"bow {CARRIER}", "commit")
    t.roll(2, 5)
    assert t.s.used[t.unit(CARRIER)] == BMG | MA


@pytest.mark.rule("asl", "D3.4", "D5.34")
def test_an_armor_leader_and_a_shaken_crew_count() -> None:
    t = desk()
    t.board("ge_arm_8m1#1", TANK)
    firing(t).do("fire Q3", f"coax {TANK}")
    assert ("-1", "D3.4") in terms(t) or ("−1", "D3.4") in terms(t)
    t = desk(shaken=True)
    firing(t).do("fire Q3", f"coax {TANK}")
    assert ("+1", "D3.4") in terms(t)


@pytest.mark.rule("asl", "D5.341", "D5.34", "C7.42")
def test_who_does_not_fire() -> None:
    for mark, rule in (("recalled", "D5.341"), ("stunned", "D5.34"), ("shocked", "D5.34"), ("abandoned", "D5.34")):
        t = desk(**{mark: True})
        t.put("ge_467#1", "Q4")
        firing(t).do("fire Q3")
        assert t.rule(f"coax {TANK}") == rule


# D3.3 Bounding First Fire


@pytest.mark.rule("asl", "D3.3")
def test_bounding_first_fire_halves_and_uses_up_the_guns() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put(TANK, "Q6", NNE)
    t.put("ge_pz3g#2", "R6", NNE)
    t.put(FOE, "Q3")
    t.driving(TANK)
    assert t.rule("fire Q3") == "D3.3"
    t.do("start")
    if t.who == "allied":
        t.do("hold")
    t.do("fire Q3")
    assert t.rule("bow ge_pz3g#2") == "D3.3"
    t.do(f"bow {TANK}", f"coax {TANK}")
    assert ("2.5", "D3.3") in terms(t)
    t.do("commit")
    t.roll(6, 5)
    assert t.s.used[t.unit(TANK)] == BMG | CMG
    assert "fire Q3" not in t.legal()
    assert "to Q5" in t.legal()


# A7.308, D5.31


@pytest.mark.rule("asl", "A7.308")
def test_small_arms_against_a_truck() -> None:
    """4 FP at three hexes: the Kill Number of the 4 column is 5: a 4 destroys, a 5 immobilizes, a 2 burns."""
    for dice, mark in (((1, 3), "wreck"), ((2, 3), "immobile"), ((1, 1), "burning")):
        t = Desk(field=FLAT, phasing=AXIS)
        t.put("ge_467#1", "Q5")
        t.put(TRUCK, "Q2")
        firing(t).do("fire Q2", "join ge_467#1", "commit")
        t.roll(*dice)
        assert t.has(mark, TRUCK), dice
        assert t.has("wreck", TRUCK) == (mark != "immobile")
    t = Desk(field=FLAT, phasing=AXIS)
    t.put("ge_467#1", "Q5")
    t.put(TRUCK, "Q2")
    firing(t).do("fire Q2", "join ge_467#1", "commit")
    t.roll(3, 3)
    assert not t.has("immobile", TRUCK)


@pytest.mark.rule("asl", "A7.308", "D5.31", "D5.6")
def test_passengers_of_a_truck_suffer_the_result_or_its_end() -> None:
    t = Desk(field=FLAT, phasing=AXIS)
    t.put("ge_467#1", "Q5")
    t.put(TRUCK, "Q2")
    squad = t.board(FOE, TRUCK)
    firing(t).do("fire Q2", "join ge_467#1", "commit")
    t.roll(3, 4)  # PTC on the 4 column
    assert t.who == "chance"
    t.roll(6, 6)
    assert t.s.pinned >> squad & 1
    t = Desk(field=FLAT, phasing=AXIS)
    t.put("ge_467#1", "Q5")
    t.put(TRUCK, "Q2")
    squad = t.board(FOE, TRUCK)
    firing(t).do("fire Q2", "join ge_467#1", "commit")
    events = t.roll(2, 1)
    assert "destroyed" in kinds(events)
    assert "survival" in kinds(t.roll(1, 1))
    assert t.s.broken >> squad & 1
    assert t.s.phase != PFPH or not GAME.is_chance(t.s), "nothing more is rolled for it"


@pytest.mark.rule("asl", "D5.31", "A7.4")
def test_a_buttoned_up_tank_is_no_target_and_an_exposed_crew_has_two_more() -> None:
    t = Desk(field=FLAT, phasing=ALLIED)
    t.put(FOE, "Q5")
    t.put(TANK, "Q3")
    firing(t, ALLIED)
    assert not [one for one in t.legal() if one.startswith("fire")], "nothing to fire at"
    t = Desk(field=FLAT, phasing=ALLIED)
    t.put(FOE, "Q5")
    t.put(TANK, "Q3", exposed=True)
    firing(t, ALLIED).do("fire Q3", f"join {FOE}")
    assert ("+2", "D5.31") in terms(t)
    t.do("commit")
    t.roll(1, 1)  # 4 on the 4 column: 1MC
    t.roll(4, 4)
    assert t.has("stunned", TANK)
    assert not t.has("recalled", TANK)


@pytest.mark.rule("asl", "D5.34", "D5.31")
def test_a_kill_against_an_exposed_crew_recalls_it() -> None:
    t = Desk(field=FLAT, phasing=ALLIED)
    for name in ("br_457#1", "br_457#2", "br_457#3", "br_ldr_8m1#1"):
        t.put(name, "Q4")
    t.put(TANK, "Q3", exposed=True)
    firing(t, ALLIED).do("fire Q3", "join br_457#1", "join br_457#2", "join br_457#3", "commit")
    t.roll(1, 2)  # 24 FP, 5: K/4
    t.roll(6)  # the Sniper that a 3 wakes finds nobody
    assert t.has("stunned", TANK)
    assert t.has("recalled", TANK)


@pytest.mark.rule("asl", "A8.1", "D5.31", "A8.22")
def test_defensive_first_fire_at_a_moving_vehicle() -> None:
    t = Desk(field=FLAT, phasing=ALLIED).under(vehicle_dust=False)
    t.put("br_stu1#1", "Q5", NNE, motion=True)
    t.put(TRUCK, "R6", NNE, motion=True)
    t.put("ge_467#1", "Q1")
    t.driving("br_stu1#1").do("to Q4")
    assert t.who == "allied", "nobody can hurt it, nobody is asked"
    t.s.residual[t.hex("Q3")] = 4
    t.do("to Q3", "halt")
    t.do(f"drive {TRUCK}", "to R5")
    assert t.who == "axis"
    t.do("join ge_467#1", "commit")
    t.roll(1, 2)  # the tank in between hinders by 1
    assert t.has("wreck", TRUCK)
    assert t.s.move is None


# D6.22


@pytest.mark.rule("asl", "D6.22")
def test_mounted_fire_is_halved_and_by_one_of_them() -> None:
    t = Desk(field=FLAT, phasing=ALLIED)
    t.put(TRUCK, "Q5", NNE)
    t.board("br_457#1", TRUCK)
    t.board("br_457#2", TRUCK)
    t.put("ge_467#1", "Q3")
    firing(t, ALLIED).do("fire Q3", "join br_457#1")
    assert ("2", "D6.22") in terms(t)
    assert t.rule("join br_457#2") == "D6.22"


@pytest.mark.rule("asl", "D6.22", "D2.4", "A7.2")
def test_passengers_in_motion_fire_at_a_quarter() -> None:
    for moves, edition, fp in ((False, 5, "2"), (True, 5, "1"), (True, 4, "2")):
        t = Desk(field=ground(), phasing=ALLIED)
        t.s.edition = edition
        t.put(TRUCK, "Q5", NNE, **({"motion": True} if moves else {}))
        t.board("br_457#1", TRUCK)
        t.put("ge_467#1", "Q3")
        t.settle(FireAt(F_FIRE, ALLIED, PREP)).do("fire Q3", "join br_457#1")
        assert any(value == fp for value, _ in terms(t))
        assert (("1", "D2.4") in terms(t)) == (moves and edition > 4)


@pytest.mark.rule("asl", "D3.5", "B9.32")
def test_a_wall_that_the_enemy_holds_does_not_stop_a_bow_mg() -> None:
    walls = ground({}, [("Q5", "Q4", "wall")])
    for held, edition, stopped in ((False, 5, True), (True, 5, False), (True, 4, True)):
        t = Desk(field=walls, phasing=AXIS)
        t.s.edition = edition
        t.put(TANK, "Q5", NNE)
        t.put(FOE, "Q4")
        t.s.walled = t.bit(FOE) if held else 0
        t.s.attack = Attack(fire=PREP, side=AXIS, target=t.hex("Q4"))
        assert behind_cover(t.s, now_of(t.s), t.unit(TANK)) == stopped


# D9.4, D10.1, F11.74d What hinders sight


@pytest.mark.rule("asl", "D9.4", "F5.424b")
def test_vehicles_and_wrecks_hinder_sight() -> None:
    t = Desk(field=FLAT)
    a, b = t.put("br_457#1", "Q5"), t.put("ge_467#1", "Q1")
    assert look(t.s, spot(t.s, a), spot(t.s, b)).hindrance == 0
    tank = t.put(TANK, "Q3")
    assert look(t.s, spot(t.s, a), spot(t.s, b)).hindrance == 1
    t.put(TRUCK, "Q2")
    assert look(t.s, spot(t.s, a), spot(t.s, b)).hindrance == 1, "a truck hides nothing"
    t.s.place[tank] = 2
    assert look(t.s, spot(t.s, a), spot(t.s, b)).hindrance == 0


@pytest.mark.rule("asl", "D10.1")
def test_a_burning_wreck_smokes_by_the_wind() -> None:
    for wind, drm in (("No Wind", 3), ("Mild Breeze", 3), ("Heavy Wind", 1)):
        t = Desk(field=FLAT).under(wind_force=wind)
        a, b = t.put("br_457#1", "Q5"), t.put("ge_467#1", "Q1")
        t.put(TANK, "Q3", wreck=True, burning=True)
        assert look(t.s, spot(t.s, a), spot(t.s, b)).hindrance == drm, wind


@pytest.mark.rule("asl", "F11.74d")
def test_vehicle_dust_hinders_as_dispersed_smoke() -> None:
    t = Desk(field=FLAT)
    a, b = t.put("br_457#1", "Q5"), t.put("ge_467#1", "Q1")
    for n, h in enumerate(("Q2", "Q3", "Q4"), 1):
        t.s.trail[n] = t.hex(h)
        found = look(t.s, spot(t.s, a), spot(t.s, b))
        assert found.hindrance == 2 * n if n < 3 else not found.clear
    assert not clear(t.s, spot(t.s, a), spot(t.s, b))
