"""D6, C10, D5.4 Passengers, Riders, towed Guns, and crews that leave their vehicle."""

from __future__ import annotations

import pytest

from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.table.ids import AXIS, F_MOVES, MPH

from .kit import ground
from .vehiclekit import NNE, Desk, event

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
    assert not again.has("limbered", "ge_aa88#1")
    assert again.s.vca[gun] == 3
    assert again.has("moved", "ge_aa88#1")
    assert again.rule("unhook ge_aa88#1") == "C10.1"


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
