"""Chapter 6: off-map boxes."""

from __future__ import annotations

import pytest

from sandtable.games.na41.paths.legs import box_beside
from sandtable.games.na41.supply.supply_lines import full
from sandtable.games.na41.table.ids import ALLIED, AXIS
from sandtable.games.na41.table.position import controls, zone

from ..kit import H, at, board, do, empty, place, supplies, texts
from ..marchkit import cost, goes, phase, refusal, verbs

rule = pytest.mark.rule


@rule("na41", "6.1.1a", "6.3.2c")
def test_units_in_italy_do_not_leave_by_land() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "AX_TR1", "IT_27"], "italy")
    place(s, "IT_28", "2050")
    phase(s)
    assert "move IT_28" in texts(s)
    assert refusal(s, "move GE_I5_5L") == "6.3.2c"
    assert refusal(s, "move AX_TR1") == "6.3.2c"  # 5.8.4 no special transfer either
    assert not any(goes(s, "GE_I5_5L", mode) for mode in ("normal", "extended", "tactical"))


@rule("na41", "6.3.2a", "6.3.3c", "7.2a")
def test_a_box_is_left_into_ezocs_where_there_is_nothing_else() -> None:
    s = empty()
    place(s, "GE_AA3_5L", "tripoli")
    entry = {f"{row}01" for row in range(10, 18)}
    for unit, where in zip(("BR_3H", "BR_5R", "BR_KDG", "BR_THR"), ("1102", "1302", "1502", "1702"), strict=True):
        place(s, unit, where)
    assert goes(s, "GE_AA3_5L") == entry, "it stops there"
    assert goes(s, "GE_AA3_5L", "extended") == set()  # 5.3b
    assert cost(s, "GE_AA3_5L", "1701") == 1 / 3
    phase(s)
    do(s, "move GE_AA3_5L", "to 1501 normal")
    assert at(s, "GE_AA3_5L") == "1501"


@rule("na41", "6.1.1b", "6.3.2a", "6.3.3a")
def test_axis_units_in_tripoli_move_onto_the_map_at_its_west_edge() -> None:
    s = empty()
    place(s, "GE_I5_5L", "tripoli")
    entry = {f"{row}01" for row in range(10, 18)}
    assert {h for h in goes(s, "GE_I5_5L", "tactical") if h.endswith("01")} <= entry
    assert "1701" in goes(s, "GE_I5_5L")
    assert "2180" not in goes(s, "GE_I5_5L")
    phase(s)
    do(s, "move GE_I5_5L", "to 1604 normal")
    assert at(s, "GE_I5_5L") == "1604"


@rule("na41", "6.1.2a", "6.1.2b")
def test_boxes_belong_to_one_side() -> None:
    s = empty()
    assert controls(s, AXIS, H("italy"))
    assert controls(s, AXIS, H("tripoli"))
    assert controls(s, ALLIED, H("nile_delta"))
    assert not controls(s, ALLIED, H("tripoli"))
    assert not controls(s, AXIS, H("nile_delta"))
    place(s, "GE_I5_5L", "2480")
    assert "nile_delta" not in goes(s, "GE_I5_5L") | goes(s, "GE_I5_5L", "tactical")
    phase(s)
    do(s, "move GE_I5_5L")
    assert refusal(s, "to nile_delta normal") == "6.1.2b"
    place(s, "BR_KDG", "1701")
    assert "tripoli" not in goes(s, "BR_KDG")
    assert box_beside(s, ALLIED, H("2480")) == H("nile_delta")
    assert box_beside(s, AXIS, H("2480")) == box_beside(s, ALLIED, H("1701")) == -1


@rule("na41", "6.1.3")
def test_the_bases() -> None:
    assert board.base == (H("italy"), H("nile_delta"))


@rule("na41", "6.2b")
def test_no_zoc_into_or_out_of_a_box() -> None:
    s = empty()
    place(s, "GE_I5_5L", "tripoli")
    place(s, "BR_22G", "1701")
    assert zone(s, AXIS) == 0
    assert not zone(s, ALLIED) >> H("tripoli") & 1
    assert "1601" in goes(s, "GE_I5_5L")
    assert cost(s, "GE_I5_5L", "1501", "tactical") == 1


@rule("na41", "6.2c")
def test_units_in_a_box_are_in_supply() -> None:
    s = empty()
    for side, boxes in ((AXIS, ("italy", "tripoli")), (ALLIED, ("nile_delta",))):
        for box in boxes:
            assert full(s, side) >> H(box) & 1


@rule("na41", "6.2d")
def test_units_may_stay_in_a_box() -> None:
    s = empty()
    place(s, "GE_I5_5L", "tripoli")
    phase(s)
    assert texts(s) == ["move GE_I5_5L", "end-moves"]


@rule("na41", "6.3.1")
def test_a_unit_that_enters_a_box_stops() -> None:
    s = empty()
    place(s, ["GE_I5_5L", "GE_AA3_5L"], "1602")
    phase(s)
    do(s, "move GE_AA3_5L", "join GE_I5_5L", "to tripoli normal")
    assert at(s, "GE_I5_5L") == "tripoli"
    assert verbs(s) == {"end-moves"}
    assert refusal(s, "move GE_AA3_5L") == "5.1d"


@rule("na41", "6.3.2b")
def test_ways_out_of_the_nile_delta() -> None:
    s = empty("allied")
    place(s, ["BR_3H", "BR_22G"], "nile_delta")
    phase(s)
    do(s, "move BR_3H")
    assert {"to 2480 normal", "rail BR_3H 2660"} <= set(texts(s))
    do(s, "to 2480 normal", "move BR_22G")
    assert "rail BR_22G 2478" in texts(s)


@rule("na41", "6.3.3b")
def test_entering_a_box_costs_one_mp_or_one_hex() -> None:
    s = empty()
    place(s, "IT_FAB", "1601")
    assert cost(s, "IT_FAB", "tripoli") == 1
    assert cost(s, "IT_FAB", "tripoli", "tactical") == 1
    place(s, "IT_FAB", "1702")
    assert cost(s, "IT_FAB", "tripoli") == pytest.approx(1 + 1 / 3)
    place(s, "BR_22G", "1803" if board.land >> H("1803") & 1 else "1602")
    place(s, "IT_FAB", "1601")  # 7.2c, beside the enemy
    assert cost(s, "IT_FAB", "tripoli") == 3


@rule("na41", "6.3.3b")
def test_the_last_mp_may_not_be_missing() -> None:
    s = empty()
    place(s, "IT_27", "1401")
    assert cost(s, "IT_27", "tripoli") == 1
    place(s, "IT_27", "1403")
    assert cost(s, "IT_27", "tripoli") == 3
    place(s, "IT_27", "1404")
    assert "tripoli" not in goes(s, "IT_27")


@rule("na41", "6.3.3b", "7.2a")
def test_an_ezoc_on_the_way_keeps_a_unit_out_of_a_box() -> None:
    s = empty()
    place(s, "IT_FAB", "1702")
    assert {"tripoli", "1701"} <= goes(s, "IT_FAB") & goes(s, "IT_FAB", "tactical")
    place(s, "BR_22G", "1601")
    for mode in ("normal", "extended", "tactical"):
        assert "tripoli" not in goes(s, "IT_FAB", mode)
    assert "1701" in goes(s, "IT_FAB")


@rule("na41", "6.3.3c")
def test_leaving_a_box_costs_the_first_hex_by_road_if_there_is_one() -> None:
    s = empty()
    place(s, "GE_I5_5L", "tripoli")
    assert cost(s, "GE_I5_5L", "1701") == pytest.approx(1 / 3)
    assert cost(s, "GE_I5_5L", "1601") == 1
    assert cost(s, "GE_I5_5L", "1301") == 2  # desert
    assert cost(s, "GE_I5_5L", "1602") == pytest.approx(1)  # along the highway
    place(s, "BR_3H", "nile_delta")
    assert cost(s, "BR_3H", "1680") == pytest.approx(1 / 2)  # a track
    assert cost(s, "BR_3H", "2180") == 1  # a railway is no road


@rule("na41", "6.3.3d")
def test_no_return_into_a_box() -> None:
    s = empty()
    place(s, ["AX_TR1"], "tripoli")
    place(s, "IT_27", "1601")
    phase(s)
    do(s, "move AX_TR1", "to 1601 normal", "load IT_27")
    assert "to tripoli normal" not in texts(s)
    assert refusal(s, "to tripoli normal") == "6.3.3d"
    assert "to 1602 normal" in texts(s)


@rule("na41", "6.3.4a", "13.2.1a", "13.3.2d")
@pytest.mark.parametrize("state", ["disrupted", "routed"])
def test_a_unit_must_be_in_good_order_to_leave_a_box(state: str) -> None:
    s = empty()
    place(s, "GE_I5_5L", "tripoli", **{state: True})  # type: ignore[arg-type]
    place(s, "AX_TR1", "tripoli")
    phase(s)
    assert refusal(s, "move GE_I5_5L") == "6.3.4a"
    do(s, "move AX_TR1")
    assert refusal(s, "load GE_I5_5L") == "6.3.4a"


@rule("na41", "6.3.4b")
def test_units_on_foot_and_supply_points_leave_a_box_on_trucks() -> None:
    s = empty()
    place(s, ["IT_27", "AX_TR1", "AX_TR2"], "tripoli")
    supplies(s, "axis", "tripoli", 1)
    phase(s)
    assert refusal(s, "move IT_27") == "6.3.4b"
    do(s, "move AX_TR1")
    assert refusal(s, "join IT_27") == "6.3.4b"
    do(s, "load IT_27", "to 1604 normal")
    assert at(s, "IT_27") == at(s, "AX_TR1") == "1604"
    do(s, "move AX_TR2", "load-sp", "to 1603 normal")
    assert at(s, "AX_TR2") == "1603"
    assert not s.sp[AXIS]


@rule("na41", "6.3.4b", "5.9.1b")
def test_units_on_foot_leave_the_delta_by_rail() -> None:
    s = empty("allied")
    place(s, ["BR_22G", "BR_16"], "nile_delta")
    phase(s)
    assert {"move BR_22G", "move BR_16"} <= set(texts(s))
    do(s, "move BR_16")
    assert "to" not in verbs(s)
    assert refusal(s, "to 2480 normal") == "6.3.4b"
    do(s, "rail BR_16 2660")
    assert not [text for text in texts(s) if text.startswith("move")]
    assert refusal(s, "move BR_22G") == "6.3.4b"


@rule("na41", "19.5b")
def test_a_unit_under_a_replacement_marker_stays_in_its_box() -> None:
    s = empty()
    place(s, "GE_I5_5L", "tripoli")
    s.refreshed = s.here[H("tripoli")]
    phase(s)
    assert refusal(s, "move GE_I5_5L") == "19.5b"


@rule("na41", "5.6", "6.3.3a")
def test_the_map_is_left_only_into_a_friendly_box() -> None:
    s = empty("allied")
    place(s, "BR_3H", "1001")
    everywhere = goes(s, "BR_3H") | goes(s, "BR_3H", "extended") | goes(s, "BR_3H", "tactical")
    assert not everywhere & {"tripoli", "italy", "nile_delta"}
    place(s, "BR_3H", "2480")
    assert "nile_delta" in goes(s, "BR_3H")
    phase(s)
    do(s, "move BR_3H")
    assert refusal(s, "to 2578 normal") == "5.6"
