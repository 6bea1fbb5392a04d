"""D6, C10, D5.4 Passengers, Riders, towed Guns, and crews that leave their vehicle."""

from __future__ import annotations

import pytest

from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.table.ids import APH, AXIS, F_ADVANCE, F_FIRE, F_MOVES, FINAL, MPH, PREP
from sandtable.games.asl.table.state import equivalents
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.fires import FireAt

from ..kit import ground
from ..vehiclekit import NNE, Desk, event

FLAT = ground()
TRUCK, SQUAD, SECOND, LEADER, LMG = "br_3ton#1", "br_457#1", "br_457#2", "br_ldr_8m1#1", "br_lmg#1"


def desk(*units: str, vehicle: str = TRUCK, phasing: int = 1, **marks: bool) -> Desk:
    t = Desk(field=FLAT, phasing=phasing).under(date="1942-06-01", vehicle_dust=False)
    t.put(vehicle, "Q5", NNE, **marks)
    for name in units:
        t.put(name, "Q5")
    return t.driving(vehicle)


@pytest.mark.rule("asl", "D6.1")
def test_loading_takes_a_quarter_of_the_mp_once_for_all() -> None:
    t = desk(SQUAD, SECOND)
    whole = t.left
    t.do(f"embark {SQUAD}")
    spent = whole - t.left
    assert spent == -(-whole // 4)
    t.do(f"embark {SECOND}")
    assert whole - t.left == spent
    assert t.s.paces[t.unit(SQUAD)] == 2
    t.do("start", "to Q4")
    assert t.where(SQUAD) == t.where(SECOND) == "Q4"
    assert t.rule(f"disembark {SQUAD}") == "D6.1"


@pytest.mark.rule("asl", "D6.1")
def test_only_a_stopped_vehicle_loads_and_only_as_much_as_it_holds() -> None:
    t = desk(SQUAD, motion=True)
    assert t.rule(f"embark {SQUAD}") == "D6.1"
    t = desk(SQUAD, SECOND, "br_457#3", LEADER)
    room = t.s.kind(t.unit(TRUCK)).vehicle.pp  # type: ignore[union-attr]
    t.give(LMG, SQUAD)
    t.settle()
    t.do(f"embark {SQUAD}", f"embark {SECOND}")
    assert room < 31
    assert t.rule("embark br_457#3") == "D6.1"
    t.do(f"embark {LEADER}")
    far = desk(vehicle="br_stu1#1")
    far.put(SQUAD, "Q6")
    far.settle()
    assert far.rule(f"embark {SQUAD}") == "D6.1"


@pytest.mark.rule("asl", "D6.1", "A4.11")
def test_who_has_walked_mounts_with_what_is_left() -> None:
    t = Desk(field=FLAT).under(vehicle_dust=False)
    t.put(TRUCK, "Q5", NNE)
    t.put(SQUAD, "Q8")
    t.put(SECOND, "Q9")
    t.s.phase = MPH
    t.settle(MovesAt(F_MOVES))
    t.do(f"move {SQUAD}", "to Q7", "to Q6", "to Q5", "halt")
    t.do(f"move {SECOND}", "to Q8", "to Q7", "to Q6", "to Q5", "halt")
    t.do(f"drive {TRUCK}", f"embark {SQUAD}")
    assert t.rule(f"embark {SECOND}") == "D6.1"


@pytest.mark.rule("asl", "D6.1")
def test_unloading_costs_its_share_of_the_phase() -> None:
    t = Desk(field=FLAT).under(vehicle_dust=False)
    t.put(TRUCK, "Q9", NNE, motion=True)
    t.board(SQUAD, TRUCK)
    t.driving(TRUCK).do("to Q8", "stop")
    before = t.left
    t.do(f"disembark {SQUAD}")
    assert before - t.left == -(-t.s.kind(t.unit(TRUCK)).vehicle.mp // 4)  # type: ignore[union-attr]
    assert not t.s.mounted
    share = t.s.paces[t.unit(SQUAD)]
    assert 2 <= share <= 4
    t.do("halt", f"move {SQUAD}")
    assert t.s.move is not None
    assert t.s.move.spent == share
    late = Desk(field=FLAT).under(vehicle_dust=False)
    late.put(TRUCK, "Q9", NNE, motion=True)
    late.board(SQUAD, TRUCK)
    late.driving(TRUCK)
    while late.left > 9:
        late.do("delay")
    late.do("stop", f"disembark {SQUAD}", "halt")
    assert late.s.paces[late.unit(SQUAD)] >= 6


@pytest.mark.rule("asl", "D6.2")
def test_riders_mount_tanks_alone_and_fourteen_pp_of_them() -> None:
    t = desk(SQUAD, SECOND, "br_247#1", vehicle="br_stu1#1")
    assert t.rule(f"embark {SQUAD}") == "D6.1"
    t.do(f"ride {SQUAD}")
    assert t.s.riding == t.bit(SQUAD)
    assert t.rule(f"ride {SECOND}") == "D6.2"
    assert t.rule("ride br_247#1") == "D6.2"
    truck = desk(SQUAD)
    assert truck.rule(f"ride {SQUAD}") == "D6.2"


@pytest.mark.rule("asl", "C10.1")
def test_towing() -> None:
    """A SdKfz 7 (tow 2) hooks an 88 (M# 3) for half its MP; each hex costs one more."""
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put("ge_sdk7#1", "Q5", NNE)
    gun = t.put("ge_aa88#1", "Q5", emplaced=True)
    t.put("ge_228#1", "Q5")
    t.s.holder[gun] = t.unit("ge_228#1")
    t.driving("ge_sdk7#1")
    whole = t.left
    t.do("embark ge_228#1")
    t.do("hook ge_aa88#1")
    assert t.has("limbered", "ge_aa88#1")
    assert not t.has("emplaced", "ge_aa88#1")
    assert t.s.holder[gun] == -1
    left = t.left
    assert left == whole / 2 - -(-whole // 4)
    t.do("start", "to Q4")
    assert t.left == left - 3
    assert t.where("ge_aa88#1") == "Q4"
    again = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    again.put("ge_sdk7#1", "Q5", NNE)
    again.board("ge_aa88#1", "ge_sdk7#1")
    again.s.limbered |= again.bit("ge_aa88#1")
    again.driving("ge_sdk7#1").do("unhook ge_aa88#1")
    assert again.has("limbered", "ge_aa88#1"), "AMB-182 on its wheels until it is set up"
    assert again.s.vca[gun] == 3
    assert again.has("moved", "ge_aa88#1")
    assert again.rule("unhook ge_aa88#1") == "C10.1"
    quick = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    quick.put("ge_sdk7#1", "Q5", NNE)
    quick.board("ge_at50#1", "ge_sdk7#1")
    quick.s.limbered |= quick.bit("ge_at50#1")
    quick.driving("ge_sdk7#1").do("unhook ge_at50#1")
    assert not quick.has("limbered", "ge_at50#1")


@pytest.mark.rule("asl", "C10.1", "F8.52b")
def test_what_cannot_be_towed() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put("ge_opel#1", "Q5", NNE)
    t.put("ge_aa88#1", "Q5")
    sheltered = t.put("ge_at37#1", "Q5")
    t.s.under[sheltered] = 1
    t.driving("ge_opel#1")
    assert t.rule("hook ge_aa88#1") == "C10.1"
    assert t.rule("hook ge_at37#1") == "F8.52b"
    t.s.under[sheltered] = 0
    t.settle()
    t.do("hook ge_at37#1")


@pytest.mark.rule("asl", "D5.4", "D5.1", "D5.7")
def test_a_crew_abandons_its_tank() -> None:
    t = desk(vehicle="br_stu1#1", motion=True)
    assert t.rule("abandon") == "D5.4"
    t.do("stop")
    crew = event(t.do("abandon"), "crew_out")["other"]
    assert t.s.at[crew] == t.hex("Q5")
    assert not t.s.broken >> crew & 1
    assert t.has("abandoned", "br_stu1#1")
    assert t.s.lost_points == [0, 0]
    truck = desk()
    assert truck.rule("abandon") == "D5.7"


STUART = "br_stu1#1"


def parked(*aboard: str, vehicle: str = STUART, **marks: bool) -> Desk:
    """A vehicle in the Movement Phase before anybody moves."""
    t = Desk(field=FLAT).under(date="1942-06-01", vehicle_dust=False)
    t.put(vehicle, "Q5", NNE, **marks)
    for name in aboard:
        t.board(name, vehicle)
    t.s.phase = MPH
    return t


@pytest.mark.rule("asl", "A5.1", "D5.4")
def test_a_vehicle_is_not_abandoned_beside_another_while_it_can_go_on() -> None:
    """AMB-87"""
    for edition, held in ((2, True), (1, False)):
        t = Desk(field=FLAT).under(date="1942-06-01", vehicle_dust=False)
        t.s.edition = edition
        t.put(STUART, "Q5", NNE)
        t.put("br_stu1#2", "Q5", NNE)
        t.driving(STUART)
        assert ("abandon" not in t.legal()) == held
        if held:
            assert t.rule("abandon") == "A5.1"
    alone = Desk(field=FLAT).under(date="1942-06-01", vehicle_dust=False)
    alone.put(STUART, "Q5", NNE, bogged=True)
    alone.put("br_stu1#2", "Q5", NNE)
    alone.driving(STUART)
    assert "abandon" in alone.legal()  # it cannot go on


@pytest.mark.rule("asl", "A5.1", "D5.4", "D6.1")
def test_nobody_gets_out_where_there_is_no_room() -> None:
    three = (SQUAD, SECOND, "br_457#3")
    t = desk(*three, vehicle=STUART)
    assert t.rule("abandon") == "A5.1"
    first = desk(*three, vehicle=STUART)
    first.s.edition, first.s.choices = 1, None
    assert "abandon" in first.legal()
    truck = parked("br_457#4", vehicle=TRUCK)
    for name in three:
        truck.put(name, "Q5")
    truck.settle(MovesAt(F_MOVES))
    truck.do(f"drive {TRUCK}")
    assert truck.rule("disembark br_457#4") == "A5.1"


@pytest.mark.rule("asl", "A4.9", "D6.1", "D9.31")
def test_whoever_is_busy_neither_mounts_nor_goes_with_a_tank() -> None:
    t = parked(vehicle=TRUCK)
    t.put(SQUAD, "Q5", ti=True)
    t.settle(MovesAt(F_MOVES))
    t.do(f"drive {TRUCK}")
    assert t.rule(f"embark {SQUAD}") == "A4.9"
    tank = parked()
    tank.put(SQUAD, "Q5", ti=True)
    tank.settle(MovesAt(F_MOVES))
    tank.do(f"drive {STUART}")
    assert tank.rule(f"also {SQUAD}") == "D9.31"


@pytest.mark.rule("asl", "A3.2", "D6.1")
def test_a_passenger_who_has_prep_fired_stays_aboard() -> None:
    t = parked(SQUAD, vehicle=TRUCK)
    t.s.fired |= t.bit(SQUAD)
    t.settle(MovesAt(F_MOVES))
    t.do(f"drive {TRUCK}")
    assert t.rule(f"disembark {SQUAD}") == "A3.2"


@pytest.mark.rule("asl", "C7.6", "D5.4")
def test_those_aboard_an_immobilized_vehicle_get_out() -> None:
    t = parked(immobile=True)
    t.settle(MovesAt(F_MOVES))
    assert t.rule(f"drive {STUART}") == "C7.6"
    t.do(f"alight {STUART}")
    assert {"abandon", "halt"} <= t.legal()
    crew = event(t.do("abandon"), "crew_out")["other"]
    assert t.s.at[crew] == t.hex("Q5")
    assert t.has("abandoned", STUART)
    assert t.s.move is None
    truck = parked(SQUAD, vehicle=TRUCK, immobile=True)
    truck.settle(MovesAt(F_MOVES))
    truck.do(f"alight {TRUCK}", f"disembark {SQUAD}")
    assert not truck.has("mounted", SQUAD)
    assert truck.s.paces[truck.unit(SQUAD)] >= 2
    stunned = parked(immobile=True, stunned=True)
    stunned.settle(MovesAt(F_MOVES))
    assert stunned.rule(f"alight {STUART}") == "D5.4"
    able = parked()
    able.settle(MovesAt(F_MOVES))
    assert able.rule(f"alight {STUART}") == "D5.4"
    first = parked(immobile=True)
    first.s.edition = 1
    first.settle(MovesAt(F_MOVES))
    assert f"alight {STUART}" not in first.legal()


@pytest.mark.rule("asl", "D5.4", "A3.7")
def test_crews_and_passengers_leave_in_the_advance_phase() -> None:
    t = parked(SQUAD, vehicle=TRUCK)
    t.put(STUART, "R6", NNE)
    t.put("br_stu1#2", "S6", NNE, motion=True)
    t.s.phase = APH
    t.settle(AdvanceAt(F_ADVANCE))
    assert t.rule("leave-behind br_stu1#2") == "D5.4"
    t.do(f"get-off {SQUAD}")
    assert not t.has("mounted", SQUAD)
    assert t.rule(f"advance {SQUAD} Q4") == "A3.7"  # that was its advance
    crew = event(t.do(f"leave-behind {STUART}"), "crew_out")["other"]
    assert t.s.at[crew] == t.hex("R6")
    assert t.s.routed >> crew & 1
    assert t.has("abandoned", STUART)
    pinned = parked(SQUAD, vehicle=TRUCK)
    pinned.s.pinned |= pinned.bit(SQUAD)
    pinned.s.phase = APH
    pinned.settle(AdvanceAt(F_ADVANCE))
    assert pinned.rule(f"get-off {SQUAD}") == "A7.8"
    full = parked("br_457#4", vehicle=TRUCK)
    for name in (SQUAD, SECOND, "br_457#3"):
        full.put(name, "Q5")
    full.put(STUART, "R6", NNE)
    for name in ("br_457#5", "br_457#6", "br_457#7"):
        full.put(name, "R6")
    full.s.phase = APH
    full.settle(AdvanceAt(F_ADVANCE))
    assert full.rule("get-off br_457#4") == "A5.1"
    assert full.rule(f"leave-behind {STUART}") == "A5.1"


@pytest.mark.rule("asl", "A5.1", "C10.1")
def test_a_third_gun_is_not_unhooked() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put("ge_sdk7#1", "Q5", NNE)
    t.put("ge_at37#1", "Q5")
    t.board("ge_aa88#1", "ge_sdk7#1")
    t.s.limbered |= t.bit("ge_aa88#1")
    t.driving("ge_sdk7#1")
    assert "unhook ge_aa88#1" in t.legal()
    t.put("ge_at50#1", "Q5")
    t.settle()
    assert t.rule("unhook ge_aa88#1") == "A5.1"


@pytest.mark.rule("asl", "A5.5")
def test_a_crew_at_its_gun_counts_as_a_squad() -> None:
    t = Desk(field=FLAT, phasing=AXIS)
    t.put("ge_228#1", "Q5")
    t.put("ge_at50#1", "Q5")
    assert equivalents(t.s, t.bit("ge_228#1")) == 1
    t.s.holder[t.unit("ge_at50#1")] = t.unit("ge_228#1")
    assert equivalents(t.s, t.bit("ge_228#1")) == 2
    t.s.edition = 1
    assert equivalents(t.s, t.bit("ge_228#1")) == 1


@pytest.mark.rule("asl", "D5.3")
def test_hatches_are_opened_and_shut_at_the_start_of_the_defensive_fire_phase() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put(STUART, "Q5", NNE)
    t.put("br_stu1#2", "T5", NNE)
    t.put("ge_467#1", "Q3")
    t.settle(FireAt(F_FIRE, 1, FINAL))
    t.do(f"open-up {STUART}")
    assert t.has("exposed", STUART)
    assert t.rule(f"button-up {STUART}") == "D5.3"  # once a phase
    assert "open-up br_stu1#2" in t.legal()
    t.do("fire Q3", f"bow {STUART}", "commit")
    t.roll(6, 5)
    assert t.rule("open-up br_stu1#2") == "D5.3"  # it is no longer the start
    for fire, edition in ((PREP, 2), (FINAL, 1)):
        other = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
        other.s.edition = edition
        other.put(STUART, "Q5", NNE)
        other.put("ge_467#1", "Q3")
        other.settle(FireAt(F_FIRE, 1, fire))
        assert f"open-up {STUART}" not in other.legal()


@pytest.mark.rule("asl", "D6.22")
def test_a_passenger_fires_ordnance_from_a_vehicle_that_is_not_in_motion() -> None:
    rifle = "br_atr#1"
    for motion, edition, rule in ((False, 2, ""), (True, 2, "C2.1"), (False, 1, "C2.1")):
        t = parked(SQUAD, SECOND, vehicle=TRUCK)
        t.s.edition = edition
        t.s.motion |= t.bit(TRUCK) if motion else 0
        t.give(rifle, SQUAD)
        t.put("ge_pz3g#1", "Q1")
        t.put("ge_467#1", "Q2")
        t.put("br_457#3", "R5")
        t.settle(FireAt(F_FIRE, 1, PREP))
        if rule:
            assert t.rule(f"lay {rifle}") == rule
        else:
            assert f"lay {rifle}" in t.legal()
            t.s.served |= t.bit(SECOND)
            t.settle()
            assert t.rule(f"lay {rifle}") == "C2.1"  # one unit or weapon of a vehicle
