"""Guns and vehicles of all scenarios: their counters, what lies on the table of them, and who may know it."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.game import GAME
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table.hardware import AAMG, BMG, CMG, MA, UNLIMITED, shells
from sandtable.games.asl.table.ids import ALLIED, AXIS, GONE, SPARE, UNUSED, VEHICLE
from sandtable.games.asl.table.stage import roster, stage
from sandtable.games.asl.table.state import (
    State,
    all_vehicles,
    board,
    eliminate,
    make_wreck,
    men,
    mobile,
    passengers,
    put,
    vehicles,
)

STAGE = stage("s05_hafid_ridge")
ROSTER = STAGE.roster
TANK, TRUCK, SQUAD, LMG, LEADER = "br_a9#1", "br_3ton#1", "br_457#1", "br_lmg#1", "br_arm_9m1#1"
GUN, CREW, PANZER = "ge_aa88#1", "ge_228#1", "ge_pz3g#1"


def U(name: str) -> int:
    return ROSTER.index[name]


def empty() -> State:
    s = State(STAGE)
    s.turn, s.phasing = 1, ALLIED
    for u in range(len(s.at)):
        s.at[u] = SPARE
    return s


def place(s: State, name: str, hex: str) -> int:
    u = U(name)
    put(s, u, STAGE.field.hex(hex))
    return u


def test_every_counter_of_every_scenario_is_a_piece() -> None:
    pieces = roster()
    for name, scenario in asl_pack().scenarios.items():
        for side in scenario["side"]:
            counts: dict[str, int] = {}
            for group in side["group"]:
                for unit in group["units"]:
                    counts[unit["id"]] = counts.get(unit["id"], 0) + int(unit["n"])
            for id, n in counts.items():
                assert f"{id}#{n}" in pieces.index, (name, id)


def test_a_stage_stands_for_every_scenario() -> None:
    for name in asl_pack().scenarios:
        assert stage(name).roster is roster()


@pytest.mark.rule("asl", "D1.3", "D1.8", "D5.1")
def test_the_values_of_a_vehicle() -> None:
    types = {one.id: one for one in ROSTER.types}
    tank = types["ge_pz3l"]
    kind = tank.vehicle
    assert tank.kind == VEHICLE
    assert kind is not None
    assert (kind.mp, kind.move, kind.turret, kind.top) == (13, "tracked", "T", "CT")
    assert (kind.hull_front, kind.hull_side, kind.turret_front, kind.turret_side) == (8, 3, 8, 3)
    assert (kind.caliber, kind.length, kind.tk_key) == (50, "L", "50L")
    assert kind.weapons == MA | BMG | CMG
    assert kind.fp(BMG) == 3
    assert kind.fp(CMG) == 5
    assert (kind.smoke, kind.smoke_number, kind.reverse, tank.morale, kind.inherent) == ("sD", 7, 4, 8, "crew")
    assert kind.aerial == 1  # two steps below 3
    carrier = types["br_carb"].vehicle
    assert carrier is not None
    assert carrier.main_mg == BMG
    assert carrier.fp(MA) == 2
    halftrack = types["ge_spw2511"].vehicle
    assert halftrack is not None
    assert halftrack.main_mg == AAMG
    assert halftrack.aerial == 0
    truck = types["br_3ton"].vehicle
    assert truck is not None
    assert not truck.armoured
    assert truck.british_made
    assert truck.weapons == 0


@pytest.mark.rule("asl", "F.3b", "F.3c", "F.3Aa", "F.3Ab", "F.3Ac", "F.3d")
def test_desert_victory_points_of_hardware() -> None:
    """EX-F.3, EX-F.3A"""
    types = {one.id: one for one in ROSTER.types}
    expected = {"ge_at37": 3, "ge_aa88": 6, "ge_pz4f2": 8, "ge_sdk7": 2, "ge_sdk71": 6}
    assert {id: types[id].value for id in expected} == expected
    without = {"ge_spw2507": (5, 2), "br_portee": (4, 1)}
    for id, (whole, bare) in without.items():
        kind = types[id].vehicle
        assert kind is not None
        assert (kind.dvp, kind.dvp_without_ma) == (whole, bare)
    for id in ("br_c3in", "br_c2in", "br_port57"):
        kind = types[id].vehicle
        assert kind is not None
        assert kind.dvp == kind.dvp_without_ma
    for row in (*asl_pack().counters["guns"].values(), *asl_pack().counters["vehicles"].values()):
        assert types[row["id"]].value == -(-int(row["bpv"]) // 10), row["id"]


@pytest.mark.rule("asl", "C8.3")
def test_codes_of_ammunition() -> None:
    first, second, third = shells("APCR:5@1942-01..1942-12;HE:0@..1943-01;SMOKE:U#sa")
    assert (first.type, first.number, first.weapon) == ("APCR", 5, "ma")
    assert first.holds("1942-06")
    assert not first.holds("1943-01")
    assert not first.holds("1941-12")
    assert second.number == 0
    assert second.holds("1940-01")
    assert not second.holds("1943-02")
    assert (third.number, third.weapon) == (UNLIMITED, "sa")


def test_who_is_aboard_goes_with_the_vehicle() -> None:
    s = empty()
    truck, squad, lmg = place(s, TRUCK, "D1.Q5"), place(s, SQUAD, "D1.Q5"), place(s, LMG, "D1.Q5")
    s.holder[lmg] = squad
    board(s, squad, truck)
    put(s, truck, STAGE.field.hex("D1.Q6"))
    assert s.at[squad] == s.at[lmg] == s.at[truck] == STAGE.field.hex("D1.Q6")
    assert passengers(s, truck) == [squad]
    assert not men(s, s.at[truck], ALLIED), "a Passenger is no Infantry in the hex"
    assert not faults(s)


def test_a_crew_that_goes_leaves_its_gun() -> None:
    s = empty()
    gun, crew = place(s, GUN, "D4.S3"), place(s, CREW, "D4.S3")
    s.holder[gun] = crew
    put(s, crew, STAGE.field.hex("D4.S4"))
    assert s.at[gun] == STAGE.field.hex("D4.S3")
    assert s.holder[gun] == -1


@pytest.mark.rule("asl", "A26.21")
def test_a_vehicle_that_is_eliminated_scores_its_desert_points() -> None:
    s = empty()
    tank, leader = place(s, TANK, "D1.Q5"), place(s, LEADER, "D1.Q5")
    board(s, leader, tank)
    s.motion |= 1 << tank
    assert vehicles(s, s.at[tank], ALLIED) == all_vehicles(s, ALLIED) == mobile(s, 1 << tank) == 1 << tank
    make_wreck(s, tank, True)
    assert s.at[tank] >= 0
    assert s.wreck >> tank & 1
    assert s.burning >> tank & 1
    assert not s.motion
    assert not vehicles(s, s.at[tank], ALLIED)
    assert not all_vehicles(s, ALLIED)
    assert s.lost_points[ALLIED] == s.kind(tank).value == 4
    eliminate(s, leader)
    assert not faults(s)


def test_what_is_wrong_with_hardware_is_found() -> None:
    s = empty()
    tank = place(s, TANK, "D1.Q5")
    assert not faults(s)
    s.burning |= 1 << tank
    s.jam[tank] = AAMG
    s.backing |= 1 << tank
    s.vca[tank] = 7
    assert len(faults(s)) == 4


def test_hardware_in_views() -> None:
    s = empty()
    tank, panzer = place(s, TANK, "D1.Q5"), place(s, PANZER, "D4.S3")
    gun, crew = place(s, GUN, "D4.S4"), place(s, CREW, "D4.S4")
    s.holder[gun] = crew
    s.vca[tank], s.tca[tank], s.jam[tank], s.motion = 3, 4, MA, 1 << tank
    s.aim[gun] = (tank, s.at[tank], 2)
    s.track[tank] = ((s.at[tank], 4),)
    s.trail[tank] = STAGE.field.hex("D1.Q6")
    for script in STAGE.sides:  # the rest of the scenario's forces is gone
        for unit in (one for group in script["group"] for one in group["units"]):
            for name in (name for name in ROSTER.names if name.startswith(f"{unit['id']}#")):
                s.at[U(name)] = GONE if s.at[U(name)] == UNUSED else s.at[U(name)]
    for side in (AXIS, ALLIED):
        view = GAME.view(s, side)
        again = GAME.imagine(view, Random(1))
        assert GAME.view(again, side) == view
        assert (again.vca[tank], again.tca[tank], again.jam[tank], again.at[panzer]) == (3, 4, MA, s.at[panzer])
        assert again.motion == s.motion
        assert again.aim == s.aim
        assert again.track == s.track
        assert again.trail == s.trail
    s.concealed |= 1 << gun | 1 << crew
    seen = GAME.view(s, ALLIED)
    assert "ge_aa88#1" not in str(seen)
    assert seen["hidden"] == {"D4.S4": 2}
    assert GAME.view(GAME.imagine(seen, Random(2)), ALLIED) == seen
