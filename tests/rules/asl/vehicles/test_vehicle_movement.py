"""D2 How vehicles move."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.table.ids import AXIS

from ..kit import filled, ground
from ..vehiclekit import NNE, Desk, E, event, kinds

TANK, TRUCK, PANZER, OPEL = "br_stu1#1", "br_3ton#1", "ge_pz3g#1", "ge_opel#1"
FLAT = ground()
"""Q5 has Q4 to the north, R4 to the north-east, R5 to the south-east, Q6 to the south, P5 and P4 to the west."""


def desk(
    vehicle: str = TANK, where: str = "Q5", facing: int = NNE, field: Battlefield | None = None, **marks: bool
) -> Desk:
    t = Desk(field=field or FLAT, phasing=AXIS if vehicle.startswith(("ge_", "it_")) else 1)
    t.under(date="1942-06-01", vehicle_dust=False)
    t.put(vehicle, where, facing, **marks)
    return t.driving(vehicle)


@pytest.mark.rule("asl", "D2.1")
def test_a_stopped_vehicle_starts_moves_and_stops() -> None:
    t = desk()
    whole = t.left
    assert t.rule("to Q4") == "D2.1"
    assert t.rule("turn e") == "D2.1"
    assert t.rule("stop") == "D2.1"
    t.do("start")
    assert t.left == whole - 1
    assert t.rule("start") == "D2.1"
    t.do("to Q4")
    assert t.left == whole - 2
    t.do("stop")
    assert t.left == whole - 3
    assert not t.has("motion", TANK)
    t.do("halt")
    assert sum(halves for _, halves in t.s.track[t.unit(TANK)]) == 2 * 3, "what is left is not spent"
    assert t.where(TANK) == "Q4"
    assert t.has("moved", TANK)
    assert t.s.move is None
    assert t.rule(f"drive {TANK}") == "A3.3"


@pytest.mark.rule("asl", "D2.4", "D2.1")
def test_who_does_not_stop_spends_everything_and_is_in_motion() -> None:
    t = desk()
    t.do("start", "to Q4", "halt")
    assert t.has("motion", TANK)
    whole = 2 * t.s.kind(t.unit(TANK)).vehicle.mp  # type: ignore[union-attr]
    assert sum(halves for _, halves in t.s.track[t.unit(TANK)]) == whole
    again = desk(motion=True)
    assert "to Q4" in again.legal()
    assert again.rule("start") == "D2.1"


@pytest.mark.rule("asl", "D2.11", "D3.11")
def test_it_enters_the_two_hexes_of_its_facing() -> None:
    t = desk()
    t.do("start")
    assert {one for one in t.legal() if one.startswith("to ")} == {"to Q4", "to R4"}
    assert t.rule("to Q6") == "D2.11"
    t.do("turn e")
    assert {one for one in t.legal() if one.startswith("to ")} == {"to R4", "to R5"}
    back = desk()
    back.do("reverse")
    assert {one for one in back.legal() if one.startswith("to ")} == {"to Q6", "to P5"}


@pytest.mark.rule("asl", "D2.1")
def test_each_vertex_of_facing_costs_one_and_takes_the_turret_along() -> None:
    t = desk(turret=False)
    t.s.tca[t.unit(TANK)] = 4
    t.do("start")
    before = t.left
    assert t.rule("turn sse") == "D2.1"
    t.do("turn e")
    assert t.left == before - 1
    assert t.s.vca[t.unit(TANK)] == E
    assert t.s.tca[t.unit(TANK)] == 5
    woods = desk(field=ground(filled("woods", "Q5")))
    woods.do("start")
    before = woods.left
    woods.do("turn e")
    assert woods.left == before - 2


@pytest.mark.rule("asl", "D2.2", "F.11a", "F.11b", "D2.24")
def test_reverse_multiplies_the_terrain_and_may_end_in_motion() -> None:
    t = desk()
    t.do("reverse")
    before = t.left
    t.do("to Q6")
    assert t.left == before - 4
    t.do("halt")
    assert t.has("motion", TANK)
    assert t.has("backing", TANK)
    on = desk(motion=True, backing=True)
    assert on.rule("start") == "D2.1"
    assert "to Q6" in on.legal()
    assert on.rule("to Q4") == "D2.11"
    on.do("stop", "start")
    assert not on.has("backing", TANK)
    assert "to Q4" in on.legal()


@pytest.mark.rule("asl", "D2.2")
def test_no_reverse_while_towing() -> None:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01")
    t.put("ge_sdk7#1", "Q5")
    t.board("ge_aa88#1", "ge_sdk7#1")
    t.driving("ge_sdk7#1")
    assert t.rule("reverse") == "D2.2"


@pytest.mark.rule("asl", "D2.13")
def test_a_minimum_move_spends_everything_for_one_hex() -> None:
    t = desk(TRUCK, field=ground(filled("woods", "Q4")))
    t.do("start")
    whole = t.left
    assert whole < 2 * 15
    events = t.do("to Q4")
    assert event(events, "moved")["units"]
    assert next(one.rule for one in events if one.kind == "moved") == "D2.13"
    t.roll(1, 1)  # woods are a Bog hex
    assert t.where(TRUCK) == "Q4"
    assert t.s.move is None
    assert t.has("motion", TRUCK)


@pytest.mark.rule("asl", "D2.13")
def test_no_minimum_move_once_more_than_a_start_is_spent() -> None:
    t = desk(TRUCK, "Q6", field=ground(filled("woods", "Q4")))
    t.do("start", "to Q5")
    assert t.rule("to Q4") == "D2.1"


@pytest.mark.rule("asl", "D2.17")
def test_delay_spends_a_point_in_place() -> None:
    t = desk()
    t.do("delay")
    assert t.s.track[t.unit(TANK)] == ((t.hex("Q5"), 2),)
    while "delay" in t.legal():
        t.do("delay")
    assert t.left == 0
    assert t.rule("delay") == "D2.17"
    assert t.rule("start") == "D2.1"


@pytest.mark.rule("asl", "D2.14")
def test_vehicles_and_wrecks_cost_one_more_each() -> None:
    t = Desk(field=FLAT).under(vehicle_dust=False)
    t.put(TANK, "Q5")
    t.put("br_stu1#2", "Q4")
    t.put("br_stu1#3", "Q4", wreck=True)
    t.driving(TANK).do("start")
    before = t.left
    t.do("to Q4")
    assert t.left == before - 3


@pytest.mark.rule("asl", "A5.1")
def test_a_location_holds_one_vehicle_at_the_end() -> None:
    t = Desk(field=FLAT).under(vehicle_dust=False)
    t.put(TANK, "Q5")
    t.put("br_stu1#2", "Q4")
    t.driving(TANK).do("start", "to Q4")
    assert t.rule("halt") == "A5.1"
    t.do("to Q3")
    assert "halt" in t.legal()


@pytest.mark.rule("asl", "D2.5")
def test_esb_seeks_up_to_a_quarter_more() -> None:
    """A German tank of 13 MP: up to 3; DRM +2 for the nation and +1 for each MP sought."""
    t = desk(PANZER)
    t.do("start")
    assert t.rule("strain 1") == "D2.5"
    while t.left:
        t.do("delay")
    assert {one for one in t.legal() if one.startswith("strain")} == {"strain 1", "strain 2", "strain 3"}
    t.do("strain 3")
    t.roll(3, 3)  # 6 + 2 + 3 = 11
    assert t.left == 3
    assert t.rule("strain 1") == "D2.5"
    t = desk(PANZER)
    t.do("start")
    while t.left:
        t.do("delay")
    t.do("strain 3")
    t.roll(3, 4)
    assert t.has("immobile", PANZER)
    assert t.s.move is None
    for dice, holds in (((1, 6), False), ((6, 1), False), ((1, 5), True), ((5, 1), True)):  # both dice count
        t = desk(PANZER)
        t.do("start")
        while t.left:
            t.do("delay")
        t.do("strain 3")
        t.roll(*dice)
        assert t.has("immobile", PANZER) != holds, dice


@pytest.mark.rule("asl", "D2.5")
def test_only_tracked_vehicles_strain_and_american_ones_do_it_best() -> None:
    from sandtable.games.asl.vehicles.risks import strain_drm

    t = desk(TRUCK)
    t.do("start")
    while t.left:
        t.do("delay")
    assert t.rule("strain 1") == "D2.5"
    found = {
        name: strain_drm(t.s, t.unit(name), 1) for name in ("br_stu1#1", "br_val2#1", "it_m13#1", "us_m4#1", PANZER)
    }
    assert found == {"br_stu1#1": 1, "br_val2#1": 3, "it_m13#1": 4, "us_m4#1": 1, PANZER: 3}


@pytest.mark.rule("asl", "D2.51", "F.4a", "F.4b", "F.4c")
def test_mechanical_reliability_at_each_start() -> None:
    for date, vehicle, asked in (
        ("1941-06-15", PANZER, True),
        ("1941-09-30", OPEL, True),
        ("1941-10-01", PANZER, False),
        ("1941-06-15", TANK, False),
        ("1942-06-01", "it_m13#1", True),
        ("1942-06-01", "br_a13#1", True),
    ):
        t = Desk(field=FLAT, phasing=vehicle.startswith("br_")).under(date=date, vehicle_dust=False)
        t.put(vehicle, "Q5")
        t.driving(vehicle)
        t.do("start")
        assert (t.who == "chance") == asked, (date, vehicle)
        if asked:
            t.roll(6, 6)
            assert t.has("immobile", vehicle)
            assert t.s.move is None
            again = Desk(field=FLAT, phasing=vehicle.startswith("br_")).under(date=date, vehicle_dust=False)
            again.put(vehicle, "Q5")
            again.driving(vehicle).do("start")
            again.roll(6, 5)
            assert not again.has("immobile", vehicle)


@pytest.mark.rule("asl", "D5.3")
def test_hatches_are_opened_and_shut_at_the_start_of_the_phase() -> None:
    t = Desk(field=FLAT)
    t.put(TANK, "Q5")
    t.put("br_cara#1", "Q7")
    t.s.phase = 2
    from sandtable.games.asl.movement.infantry import MovesAt
    from sandtable.games.asl.table.ids import F_MOVES

    t.settle(MovesAt(F_MOVES))
    assert t.rule(f"button-up {TANK}") == "D5.3"
    assert t.rule("open-up br_cara#1") == "D5.3"
    t.do(f"open-up {TANK}")
    assert t.has("exposed", TANK)
    assert t.rule(f"button-up {TANK}") == "D5.3"


@pytest.mark.rule("asl", "D3.11", "D1.3")
def test_a_turret_turns_freely_once_between_expenditures() -> None:
    t = desk()
    t.do("turret sse")
    assert t.rule("turret w") == "D3.11"
    t.do("start")
    assert "turret w" in t.legal()
    assert t.s.vca[t.unit(TANK)] == NNE
    bow = desk(OPEL)
    assert bow.rule("turret w") == "D1.3"


@pytest.mark.rule("asl", "A4.15", "C7.6", "C7.42", "D5.34", "D5.4")
def test_who_cannot_drive() -> None:
    for mark, rule in (
        ("immobile", "C7.6"),
        ("shocked", "C7.42"),
        ("stunned", "D5.34"),
        ("abandoned", "D5.4"),
        ("fired", "A3.2"),
    ):
        t = Desk(field=FLAT)
        t.put(TANK, "Q5", **{mark: True})
        t.put("br_stu1#2", "Q7")
        t.driving("br_stu1#2").do("halt")
        assert t.rule(f"drive {TANK}") == rule


@pytest.mark.rule("asl", "D2.1")
def test_a_scenario_may_hold_vehicles_back() -> None:
    t = Desk("s03_nibeiwa", phasing=AXIS, field=FLAT)
    t.put("it_m11#1", "Q5")
    t.driving("it_m11#1")
    assert t.rule("start") == "D2.1"
    t.s.turn = 2
    t.settle()
    t.do("start")


def test_events_of_a_move_in_order() -> None:
    t = desk()
    assert kinds(t.do("start", "to Q4", "stop", "halt"))[:3] == ["started", "moved", "stopped"]
