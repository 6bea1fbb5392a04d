"""Chapter 6: zones of control."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.supply.supply_lines import full
from sandtable.games.caucasus.table.ids import AXIS, F_MOVES, F_RETREAT, SOVIET
from sandtable.games.caucasus.table.state import State, put, zone

from ..kit import H, U, board, controlled_by, do, empty, hexes, place, start, texts, units
from ..movekit import cost, goes, hint, phase, refusal

rule = pytest.mark.rule


@rule("caucasus", "6.1a")
def test_the_six_hexes_around_a_unit_are_its_zone() -> None:
    s = empty()
    place(s, "SU-4RD", "1635")
    assert hexes(zone(s, SOVIET)) == {"1634", "1636", "1534", "1535", "1734", "1735"}
    assert zone(s, AXIS) == 0


@rule("caucasus", "6.1b")
def test_zones_are_not_cumulative() -> None:
    s = empty()
    place(s, "GE-13Pz", "1535")
    place(s, "SU-4RD", "1635")
    assert cost(s, "GE-13Pz", "1435") == "4"  # 1, 1 for the river, 2 for leaving EZOC
    place(s, ["SU-74RD", "SU-77RD"], "1635")
    place(s, "SU-176RD", "1636")
    assert cost(s, "GE-13Pz", "1435") == "4"


@rule("caucasus", "6.1c")
def test_friendly_units_and_zones_do_not_cancel_an_enemy_zone() -> None:
    s = empty()
    place(s, ["GE-13Pz", "GE-73"], "1535")
    place(s, "GE-125", "1534")
    place(s, "SU-4RD", "1635")
    assert hexes(zone(s, SOVIET)) >= {"1535", "1534"}
    assert cost(s, "GE-13Pz", "1536") == "3"


@rule("caucasus", "6.2", "2.2e")
def test_units_with_a_white_square_have_no_zone() -> None:
    for name, side in (
        ("SU-98AT", SOVIET),
        ("SU-North-HQ", SOVIET),
        ("SU-PG-Tuapse", SOVIET),
        ("SU-Train", SOVIET),
        ("GE-210StG", AXIS),
        ("GE-7Flak", AXIS),
        ("GE-Brand", AXIS),
        ("GE-17A-HQ", AXIS),
    ):
        s = empty()
        place(s, name, "1635")
        assert zone(s, side) == 0, name
    for name in ("SU-Azov", "SU-NKVD-Grozny", "SU-2TB", "SU-83NB"):
        s = empty()
        place(s, name, "1635")
        assert zone(s, SOVIET).bit_count() == 6, name


@rule("caucasus", "6.3a", "6.3b")
def test_leaving_a_zone_costs_two_more_entering_nothing() -> None:
    s = empty()
    place(s, "GE-13Pz", "1535")
    assert cost(s, "GE-13Pz", "1536") == "1"
    place(s, "SU-4RD", "1635")
    assert cost(s, "GE-13Pz", "1536") == "3"
    put(s, board.unit_index["GE-13Pz"], H("1537"))
    assert cost(s, "GE-13Pz", "1536") == "1"  # 1536 is out of the zone, 1636 is in it
    assert cost(s, "GE-13Pz", "1636") == "2"


@rule("caucasus", "6.3c")
def test_a_unit_need_not_stop_in_a_zone_and_may_go_from_zone_to_zone() -> None:
    s = empty()
    place(s, "GE-13Pz", "1534")
    place(s, "SU-4RD", "1635")
    place(s, "SU-74RD", "1434")
    assert {"1534", "1535"} <= hexes(zone(s, SOVIET))
    assert "1536" not in hexes(zone(s, SOVIET))
    assert hint(s, "GE-13Pz", "1536")["path"] == ["1535", "1536"]


@rule("caucasus", "6.3a", "6.3c")
def test_x_6_3_six_mps_pass_through_two_enemy_zones() -> None:
    s = empty()
    place(s, "GE-13Pz", "1534")
    place(s, "SU-4RD", "1635")
    place(s, "SU-74RD", "1434")
    # both 1534 and 1535 are in EZOC; it begins in one, goes to the next and leaves that: 3 + 3
    assert cost(s, "GE-13Pz", "1535") == "3"
    assert cost(s, "GE-13Pz", "1536") == "6"
    far = goes(s, "GE-13Pz")
    assert "1537" in far  # extended movement
    # a third zone hex in a row would take 9
    place(s, "SU-77RD", "1437")
    assert "1537" not in goes(s, "GE-13Pz")


@rule("caucasus", "6.4a")
def test_zones_cross_rivers_and_open_passes() -> None:
    s = empty()
    place(s, "SU-4RD", "1233")
    assert "1133" in hexes(zone(s, SOVIET))  # across the Don
    place(s, "SU-74RD", "2829")
    assert "2929" in hexes(zone(s, SOVIET))  # over the Klukhor Pass


@rule("caucasus", "6.4b")
def test_zones_do_not_cross_alpine_hexsides_but_open_passes() -> None:
    s = empty()
    place(s, "SU-4RD", "3122")
    assert hexes(zone(s, SOVIET)) == {"3022", "3023", "3121", "3123"}  # not 3222 and 3223
    s = empty()
    place(s, "SU-4RD", "3222")
    assert "3121" in hexes(zone(s, SOVIET))  # Krestovy
    assert "3122" not in hexes(zone(s, SOVIET))
    s = empty(turn=10)
    place(s, "SU-4RD", "2829")
    assert "2929" not in hexes(zone(s, SOVIET))  # closed from turn 10
    place(s, "SU-74RD", "3222")
    assert "3121" in hexes(zone(s, SOVIET))


@rule("caucasus", "6.4c")
def test_zones_do_not_cross_lake_or_sea_hexsides() -> None:
    s = empty()
    place(s, "SU-4RD", "1427")
    assert "1527" not in hexes(zone(s, SOVIET))  # Lake Manych
    assert "1526" in hexes(zone(s, SOVIET))
    s = empty()
    place(s, "SU-4RD", "1136")
    assert "1236" not in hexes(zone(s, SOVIET))  # across the gulf of Taganrog


@rule("caucasus", "6.5a", "7.22l")
def test_rail_movement_neither_starts_in_nor_enters_a_zone() -> None:
    s = empty()
    controlled_by(s, "axis", "1332", "1430", "1435", "1634", "1733")
    place(s, "GE-73", "1134")
    assert {"1333", "1332", "1331", "1435", "1733"} <= goes(s, "GE-73", "rail")
    place(s, "SU-4RD", "1233")  # zone over 1234 and 1333: the line to Mechetinskaya and the one to Bataisk are cut
    assert not goes(s, "GE-73", "rail") & {"1234", "1333", "1332", "1331", "1435"}
    assert {"1235", "1335"} <= goes(s, "GE-73", "rail")
    s = empty()
    place(s, "GE-73", "1135")
    assert "1134" in goes(s, "GE-73", "rail")
    place(s, "SU-4RD", "1236")  # it starts in EZOC
    assert goes(s, "GE-73", "rail") == set()
    phase(s)
    do(s, "move GE-73")
    assert refusal(s, "rail 1134") == "7.22l"


@rule("caucasus", "6.5c")
def test_supply_does_not_run_through_an_empty_hex_in_a_zone() -> None:
    s = empty()
    place(s, "GE-73", "1531")
    assert full(s, AXIS) >> H("1531") & 1
    for name, hex_ in (("SU-4RD", "1432"), ("SU-74RD", "1431"), ("SU-77RD", "1631"), ("SU-176RD", "1632")):
        place(s, name, hex_)
    assert not full(s, AXIS) >> H("1531") & 1  # every hex beside it is enemy or in EZOC and empty
    place(s, ["GE-125"], "1532")  # a friendly unit keeps the way open
    place(s, ["GE-198"], "1533")
    assert full(s, AXIS) >> H("1531") & 1


def pressed(friend: bool) -> State:
    """A Soviet division that has to retreat from 1144, with an enemy zone in every hex around it."""
    s = empty(phase="axis_first_combat")
    place(s, "SU-4RD", "1144")
    for name, hex_ in (("GE-73", "1143"), ("GE-125", "1246"), ("GE-198", "1046")):
        place(s, name, hex_)
    if friend:
        place(s, "SU-74RD", "1245")
    s.fight.target = s.fight.origin = H("1144")
    s.fight.retreating = s.fight.defenders = units("SU-4RD")
    s.fight.attackers = units("GE-73")
    start(s, (F_MOVES, 0), (F_RETREAT, 2, 0))
    while s.stack[-1][0] != F_MOVES:
        do(s, texts(s)[0])
    return s


@rule("caucasus", "6.5b")
def test_a_retreat_into_an_empty_hex_in_a_zone_costs_a_step() -> None:
    s = pressed(friend=False)
    assert s.step[U("SU-4RD")] == 1
    s = pressed(friend=True)  # a friendly unit was there: no loss
    assert s.step[U("SU-4RD")] == 0
    assert s.at[U("SU-4RD")] != H("1144")
