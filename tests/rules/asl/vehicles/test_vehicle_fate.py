"""D5, D10 What becomes of vehicles and of those aboard."""

from __future__ import annotations

import pytest

from sandtable.games.asl.fire import crews
from sandtable.games.asl.fire.fate import SurvivalAt, destroy
from sandtable.games.asl.fire.morale import CheckAt
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table.ids import ALLIED, AXIS, EXITED, F_CHECK, GONE, MC, PTC

from ..vehiclekit import Desk, kinds

TANK, TRUCK, SQUAD, LEADER = "br_a9#1", "br_3ton#1", "br_457#1", "br_arm_9m1#1"


@pytest.mark.rule("asl", "D5.6", "D5.1", "D10.1", "F.3e")
def test_a_crew_survives_on_its_number_or_less() -> None:
    """An A9 has CS 4: a DR of 4 saves the crew, which stands broken beside the wreck; a 5 loses it and 2 VP."""
    t = Desk()
    tank = t.put(TANK, "Q5")
    destroy(t.s, tank, "C7.2")
    t.settle()
    number = crews.vehicle_of(t.s, tank).cs
    assert t.has("wreck", TANK)
    assert not t.has("burning", TANK)
    events = t.roll(number - 2, 2)
    assert "crew_out" in kinds(events)
    crew = next(u for u in range(len(t.s.at)) if t.roster.spare >> u & 1 and t.s.at[u] >= 0)
    assert t.s.kind(crew).id == "br_127"
    assert t.s.broken >> crew & 1
    assert t.s.lost_points[ALLIED] == 4

    t = Desk()
    destroy(t.s, t.put(TANK, "Q5"), "C7.2")
    t.settle()
    assert "crew_lost" in kinds(t.roll(number - 1, 2))
    assert t.s.lost_points[ALLIED] == 4 + 2


@pytest.mark.rule("asl", "D5.6")
def test_fire_and_an_immobile_vehicle_change_the_odds_of_survival() -> None:
    """+2 in a burning wreck, -1 if it was immobilized before."""
    for burns, stuck, saves in ((True, False, 3), (False, True, 6), (True, True, 4), (False, False, 5)):
        for dice, word in (((saves - 1, 1), "crew_out"), ((saves - 1, 2), "crew_lost")):
            t = Desk()
            tank = t.put("ge_pz3g#1", "Q5")
            if stuck:
                crews.immobilize(t.s, tank, "C7.6")
            destroy(t.s, tank, "C7.2", burns)
            t.settle()
            assert t.has("burning", "ge_pz3g#1") == burns
            found = {"crew_out", "crew_lost"} & set(kinds(t.roll(*dice)))
            assert found == {word}, (burns, stuck, dice)


@pytest.mark.rule("asl", "D5.6", "D5.7")
def test_passengers_of_a_truck_roll_for_themselves_and_its_driver_does_not() -> None:
    t = Desk()
    truck = t.put(TRUCK, "Q5")
    squad, other = t.board(SQUAD, TRUCK), t.board("br_457#2", TRUCK)
    destroy(t.s, truck, "C7.31")
    t.settle()
    t.roll(6, 6)  # the last put on the stack rolls first
    t.roll(1, 1)
    assert t.s.at[other] == GONE
    assert t.s.at[squad] == t.s.at[truck]
    assert t.s.broken >> squad & 1
    assert not t.s.mounted
    assert t.s.lost_points[ALLIED] == t.s.kind(truck).value + 2


@pytest.mark.rule("asl", "D3.4")
def test_an_armor_leader_dies_with_the_crew() -> None:
    for dice, where in (((6, 6), GONE), ((1, 1), EXITED)):
        t = Desk()
        tank = t.put(TANK, "Q5")
        leader = t.board(LEADER, TANK)
        destroy(t.s, tank, "C7.2")
        t.settle()
        t.roll(*dice)
        assert t.s.at[leader] == where


@pytest.mark.rule("asl", "D5.34", "D3.4")
def test_an_exposed_crew_that_fails_a_check_is_stunned() -> None:
    t = Desk()
    tank = t.put(TANK, "Q5", exposed=True, motion=True)
    t.settle(CheckAt(F_CHECK, tank, MC, 0))
    t.roll(4, 5)
    assert t.has("stunned", TANK)
    assert t.has("shaken", TANK)
    assert not t.has("exposed", TANK)
    assert not t.has("motion", TANK)
    assert not t.has("recalled", TANK)
    t.settle(CheckAt(F_CHECK, tank, MC, 0))
    t.roll(4, 4)  # 8, and 1 more because it was stunned before
    assert t.has("recalled", TANK)


@pytest.mark.rule("asl", "D5.34")
def test_a_crew_with_an_armor_leader_checks_with_his_modifier() -> None:
    t = Desk()
    tank = t.put(TANK, "Q5", exposed=True)
    t.board(LEADER, TANK)
    t.settle(CheckAt(F_CHECK, tank, MC, 0))
    t.roll(4, 5)  # 9 - 1
    assert not t.has("stunned", TANK)
    t.settle(CheckAt(F_CHECK, tank, PTC, 0))
    t.roll(6, 6)
    assert not t.has("stunned", TANK)


@pytest.mark.rule("asl", "D5.34")
def test_stun_lasts_through_the_next_enemy_player_turn() -> None:
    for stunned_in, turns in ((ALLIED, 2), (AXIS, 3)):
        t = Desk(phasing=stunned_in)
        crews.stun(t.s, t.put(TANK, "Q5"), "D5.34")
        for n in range(1, turns + 1):
            assert t.has("stunned", TANK), (stunned_in, n)
            crews.wake(t.s)
            t.s.phasing = 1 - t.s.phasing
        assert not t.has("stunned", TANK)
        assert t.has("shaken", TANK)


@pytest.mark.rule("asl", "D5.31")
def test_who_is_exposed() -> None:
    t = Desk()
    tank, truck = t.put(TANK, "Q5"), t.put(TRUCK, "Q6")
    squad = t.board(SQUAD, TRUCK)
    both = 1 << tank | 1 << truck
    assert crews.soft_targets(t.s, both) == 1 << truck | 1 << squad
    t.s.exposed |= 1 << tank
    assert crews.soft_targets(t.s, both) == 1 << truck | 1 << squad | 1 << tank
    assert crews.prc_drm(t.s, tank) == 2
    assert crews.prc_drm(t.s, squad) == 0
    carrier = t.put("br_cara#1", "Q7")
    assert crews.soft_targets(t.s, 1 << carrier) == 1 << carrier
    assert crews.prc_drm(t.s, carrier) == 2


@pytest.mark.rule("asl", "C7.42", "C7.6")
def test_shock_and_immobilization_stop_a_vehicle() -> None:
    t = Desk()
    tank = t.put(TANK, "Q5", exposed=True, motion=True)
    crews.shock(t.s, tank, "C7.2")
    assert t.has("shocked", TANK)
    assert not t.has("exposed", TANK)
    assert not t.has("motion", TANK)
    crews.immobilize(t.s, tank, "C7.2")
    assert t.has("immobile", TANK)
    assert crews.inert(t.s) >> tank & 1


@pytest.mark.rule("asl", "D5.6", "A10.31")
def test_who_has_died_of_his_leaders_loss_does_not_roll_for_his_life() -> None:
    """Versions 1-4 rolled for him; he could be eliminated twice, or be broken and nowhere."""
    for edition in (5, 4):
        t = Desk()
        t.s.edition = edition
        t.put(TRUCK, "Q5")
        squad, leader = t.board("br_228#1", TRUCK), t.board("br_ldr_8m1#1", TRUCK)
        t.s.broken |= 1 << squad
        assert squad < leader, "the last put on the stack rolls first"
        destroy(t.s, t.unit(TRUCK), "C7.31")
        t.settle()
        t.roll(6, 6)  # the leader is lost
        before = t.s.lost_points[ALLIED]
        t.roll(6, 6)  # and the crew fails its check
        assert t.s.at[squad] == GONE
        rolls = any(isinstance(one, SurvivalAt) for one in t.s.stack)
        assert rolls == (edition == 4)
        if rolls:
            t.roll(1, 1)
            assert not faults(t.s)
        else:
            assert t.s.lost_points[ALLIED] == before + t.s.kind(squad).value
