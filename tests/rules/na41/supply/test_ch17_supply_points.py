"""17 ASUs and SPs. Attack supply and support are in test_ch08_combat.py and test_ch09_modifiers.py."""

from __future__ import annotations

import pytest

from sandtable.games.na41.game import GAME
from sandtable.games.na41.movement import rails
from sandtable.games.na41.movement.convoys import cost as shipping_points
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.supply.support import gun_actions, ranges_of_unit, supply_actions
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_MOVES, F_REFIT
from sandtable.games.na41.table.position import add_sp, combat_units_in, eliminate, zone
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn import replacements

from ..kit import (
    H,
    U,
    at,
    board,
    do,
    empty,
    mask,
    names,
    of_kind,
    place,
    start,
    supplies,
    texts,
    units,
)
from ..phasekit import END, over, supply_phase
from .ch17supplypointskit import rule_of

ASUS = {"GE_DAK", "GE_ARKO", "IT_X", "IT_XXI", "IT_XX", "IT_5A", "IT_24A"}


# 17.1 Artillery support units


@pytest.mark.rule("na41", "17.1.1a", "17.1.2a", "4.2c")
def test_artillery_groups_and_corps_hqs_are_asus() -> None:
    assert names(board.asus & board.of_side[AXIS]) == ASUS
    assert board.asus == board.hqs | board.artillery
    assert not board.asus & ~board.mech
    assert not board.asus & ~board.combat
    assert all(board.stacking[u] == 0 for u in range(len(board.units)) if board.asus >> u & 1)


@pytest.mark.rule("na41", "17.1.1b", "17.1.1c", "18.4")
def test_ready_asus_give_attack_supply_and_those_with_an_s_support() -> None:
    s = empty("axis", "combat")
    place(s, ["GE_DAK", "GE_ARKO", "GE_I5_5L"], "2240")
    hexes, attackers = mask("2240"), units("GE_I5_5L")
    assert {GAME.text(a) for a in supply_actions(s, hexes, attackers)} == {"supply-asu GE_DAK", "supply-asu GE_ARKO"}
    assert [GAME.text(a) for a in gun_actions(s, AXIS, hexes, attackers)] == ["artillery GE_ARKO"]
    s.depleted |= units("GE_DAK", "GE_ARKO")
    assert supply_actions(s, hexes, attackers) == gun_actions(s, AXIS, hexes, attackers) == []


@pytest.mark.rule("na41", "17.1.1e", "17.1.4a", "17.1.4b", "3.2g")
def test_depleted_asus_take_a_supply_point_in_the_supply_phase() -> None:
    s = empty("axis", "supply")
    place(s, ["GE_DAK", "IT_X"], "2011", depleted=True)
    place(s, "GE_ARKO", "2011")
    place(s, "IT_XXI", "2012", depleted=True)
    supplies(s, "axis", "2011", 2)
    supply_phase(s)
    assert texts(s) == ["ready GE_DAK", "ready IT_X", "end-supply"]
    events = do(s, "ready IT_X")
    assert of_kind(events, "ready")[0].data == {"unit": U("IT_X"), "hex": H("2011"), "side": AXIS}
    assert names(s.depleted) == {"GE_DAK", "IT_XXI"}
    assert s.sp[AXIS] == {H("2011"): 1}
    assert rule_of(s, "ready IT_X") == "17.1.4a"
    assert rule_of(s, "ready IT_XXI") == "17.1.4b"
    assert rule_of(s, "ready AL_XIII") == "17.1.4b"
    do(s, "ready GE_DAK")
    assert over(s)
    assert not s.sp[AXIS]
    assert all(board.steps_of[u] == 1 for u in range(len(board.units)) if board.asus >> u & 1)


@pytest.mark.rule("na41", "17.1.4b")
def test_the_refit_may_be_declined() -> None:
    s = empty("axis", "supply")
    place(s, "GE_DAK", "2011", depleted=True)
    supplies(s, "axis", "2011")
    supply_phase(s)
    do(s, "end-supply")
    assert over(s)
    assert names(s.depleted) == {"GE_DAK"}


@pytest.mark.rule("na41", "17.1.4b", "13.2.1d", "21.1.5b", "5.9.1i")
def test_only_in_good_order_and_not_under_transport_markers() -> None:
    s = empty("axis", "supply")
    place(s, "GE_DAK", "2011", depleted=True)
    place(s, "IT_X", "2011", depleted=True, disrupted=True)
    place(s, "IT_XX", "2011", depleted=True, routed=True)
    place(s, "IT_XXI", "2011", depleted=True)
    s.shipped |= units("IT_XXI")
    supplies(s, "axis", "2011", 3)
    start(s, END, (F_REFIT, AXIS))
    assert texts(s) == ["ready GE_DAK", "end-supply"]
    assert rule_of(s, "ready IT_X") == "13.2.1d"
    assert rule_of(s, "ready IT_XX") == "13.2.1d"
    assert rule_of(s, "ready IT_XXI") == "21.1.5b"
    s.sp_held[AXIS][H("2011")] = 3
    s.choices = None
    assert rule_of(s, "ready GE_DAK") == "17.1.4b"


@pytest.mark.rule("na41", "17.2.4b")
def test_an_msu_is_a_truck_again_when_its_supply_point_is_spent() -> None:
    s = empty("axis", "supply")
    place(s, ["GE_DAK", "IT_X"], "2011", depleted=True)
    place(s, "AX_TR1", "2011", msu=True)
    supplies(s, "axis", "2011")
    supply_phase(s)
    do(s, "ready GE_DAK")
    assert names(s.msu) == {"AX_TR1"}  # what lies on the ground goes first
    do(s, "ready IT_X")
    assert not s.msu
    assert over(s)


@pytest.mark.rule("na41", "17.1.4b", "17.2.4b")
def test_in_the_movement_phase_an_msu_that_has_not_moved_serves_too() -> None:
    s = empty("axis")
    place(s, ["GE_DAK", "IT_X"], "2011", depleted=True)
    place(s, "AX_TR1", "2011", msu=True)
    place(s, "AX_TR2", "2012", msu=True)
    start(s, (F_MOVES,))
    do(s, "ready GE_DAK")
    assert names(s.msu) == {"AX_TR2"}
    assert rule_of(s, "ready IT_X") == "17.1.4b"
    do(s, "move AX_TR2", "to 2011 normal", "halt")
    assert rule_of(s, "ready IT_X") == "17.1.4b"  # this SP has moved
    supplies(s, "axis", "2011")
    s.choices = None
    do(s, "ready IT_X")
    assert names(s.msu) == {"AX_TR2"}
    assert not s.sp[AXIS]


@pytest.mark.rule("na41", "17.1.4b")
def test_in_the_movement_phase_an_asu_that_has_moved_takes_no_supply_point() -> None:
    s = empty("axis")
    place(s, "GE_DAK", "2012", depleted=True)
    supplies(s, "axis", "2011")
    supplies(s, "axis", "2012")
    start(s, (F_MOVES,))
    assert "ready GE_DAK" in texts(s)
    do(s, "move GE_DAK", "to 2011 tactical")
    assert rule_of(s, "ready GE_DAK") == "17.1.4b"


@pytest.mark.rule("na41", "17.1.4c")
def test_a_ready_asu_cannot_be_unloaded() -> None:
    s = empty("axis", "supply")
    place(s, "GE_DAK", "2011", depleted=True)
    place(s, "IT_X", "2011")
    supply_phase(s)
    assert over(s)
    assert names(s.depleted) == {"GE_DAK"}


@pytest.mark.rule("na41", "17.1.5", "16.4e")
def test_an_asu_out_of_supply_gives_what_its_ready_side_allows() -> None:
    s = empty("axis", "combat")
    place(s, ["GE_ARKO"], "2240", oos=True)
    place(s, "GE_I5_5L", "2240")
    hexes, attackers = mask("2240"), units("GE_I5_5L")
    assert [GAME.text(a) for a in supply_actions(s, hexes, attackers)] == ["supply-asu GE_ARKO"]
    assert [GAME.text(a) for a in gun_actions(s, AXIS, hexes, attackers)] == ["artillery GE_ARKO"]
    s.depleted |= units("GE_ARKO")
    assert gun_actions(s, AXIS, hexes, attackers) == []
    supplies(s, "axis", "2240")  # in supply the SP would do instead (17.1.3a)
    assert gun_actions(s, AXIS, hexes, attackers) == []
    s.oos = 0
    assert [GAME.text(a) for a in gun_actions(s, AXIS, hexes, attackers)] == ["artillery-sp GE_ARKO"]


@pytest.mark.rule("na41", "17.1.3b", "17.1.1f", "17.1.1d")
def test_an_asu_that_used_extended_movement_supports_and_with_sps_more_than_once() -> None:
    s = empty("axis", "combat")
    place(s, ["GE_ARKO", "GE_I5_5L"], "2240")
    s.extended |= units("GE_ARKO")
    s.moved |= units("GE_ARKO")
    supplies(s, "axis", "2240", 2)
    hexes, attackers = mask("2240"), units("GE_I5_5L")
    assert {GAME.text(a) for a in gun_actions(s, AXIS, hexes, attackers)} == {
        "artillery GE_ARKO",
        "artillery-sp GE_ARKO",
    }
    s.depleted |= units("GE_ARKO")
    add_sp(s, AXIS, H("2240"), -1)
    assert [GAME.text(a) for a in gun_actions(s, AXIS, hexes, attackers)] == ["artillery-sp GE_ARKO"]


@pytest.mark.rule("na41", "7.1c", "17.1.2a")
def test_asus_have_a_zoc() -> None:
    s = empty()
    place(s, "GE_DAK", "2240")
    assert zone(s, AXIS) >> H("2241") & 1


@pytest.mark.rule("na41", "17.1.2b")
def test_asus_move_like_other_mechanised_units() -> None:
    s = empty("axis", "movement")
    place(s, "IT_X", "2240")
    place(s, "AL_XIII", "nile_delta")
    modes = {GAME.text(a).split()[-1] for a in offers(s, "IT_X")}
    assert modes == {"normal", "extended", "tactical"}
    s.active = ALLIED
    assert rails.ride_actions(s, U("AL_XIII"))
    assert shipping_points(s, U("IT_X")) == 1


def offers(s: State, unit: str) -> list[tuple[int, ...]]:
    """Where a unit can go in the Movement Phase."""
    s.stack.clear()
    start(s, (F_MOVES,))
    do(s, f"move {unit}")
    return [a for a in GAME.legal(s) if GAME.text(a).startswith("to ")]


@pytest.mark.rule("na41", "17.1.2e", "17.1.2f", "18.3c", "19.1.2c")
def test_corps_hqs_come_back_depleted_and_artillery_groups_never() -> None:
    s = empty("axis", "initial")
    for unit in ("IT_X", "IT_5A"):
        place(s, unit, "2240")
        eliminate(s, U(unit), "10.3b")
    s.rp[AXIS] = 2
    assert replacements.BOUGHT.free(replacements.eliminated(s), s, None) == units("IT_X")
    replacements.bring_back(s, U("IT_X"))
    assert at(s, "IT_X") == "italy"
    assert names(s.depleted & ~units("IT_5A")) == {"IT_X"}


@pytest.mark.rule("na41", "17.1.2g", "18.3a")
def test_corps_hqs_are_where_units_return() -> None:
    s = empty("axis", "initial")
    place(s, "IT_X", "2011")
    place(s, "IT_5A", "2012")
    place(s, "IT_16", "2011")
    eliminate(s, U("IT_16"), "10.3b")
    assert replacements.may_return_at(s, U("IT_16"), H("2011"))
    assert not replacements.may_return_at(s, U("IT_16"), H("2012"))


# 17.2 Supply points


@pytest.mark.rule("na41", "17.2.1b", "17.2.1c")
def test_ex_17_2_1() -> None:
    """EX-17.2.1 counters do not matter, only how many SPs there are."""
    s = empty()
    supplies(s, "axis", "2240", 2)
    other = empty()
    supplies(other, "axis", "2240")
    supplies(other, "axis", "2240")
    assert s.sp == other.sp
    supplies(s, "axis", "2240", 98)
    assert s.sp[AXIS][H("2240")] == 100
    with pytest.raises(ValueError, match="no 101 supply points"):
        add_sp(s, AXIS, H("2240"), -101)


@pytest.mark.rule("na41", "17.2.1d", "8.7a")
def test_supply_points_are_no_combat_units() -> None:
    s = empty()
    supplies(s, "axis", "2240", 3)
    assert not combat_units_in(s, H("2240"), AXIS)
    assert not s.occ[AXIS]
    assert not zone(s, AXIS)


@pytest.mark.rule("na41", "17.2.1f")
def test_supply_points_move_on_trucks_alone() -> None:
    s = empty("axis", "movement")
    supplies(s, "axis", "2240", 2)
    place(s, ["GE_AA3_5L", "AX_TR1"], "2240")
    start(s, (F_MOVES,))
    do(s, "move GE_AA3_5L")
    assert rule_of(s, "load-sp") == "17.2.1f"
    do(s, "to 2242 normal")
    assert s.sp[AXIS] == {H("2240"): 2}
    do(s, "move AX_TR1", "load-sp", "to 2242 normal")
    assert s.sp[AXIS] == {H("2240"): 1}
    assert names(s.msu) == {"AX_TR1"}


@pytest.mark.rule("na41", "17.2.4c", "17.3")
def test_an_msu_has_range_five() -> None:
    s = empty("axis", "combat")
    place(s, "AX_TR1", "2240", msu=True)
    assert [n for _, n, _ in ranges_of_unit(s, U("AX_TR1"))] == [5]
    place(s, "GE_I5_5L", "2245")
    assert supply_actions(s, mask("2245"), units("GE_I5_5L"))
    place(s, "GE_II5_5L", "2246")
    assert not supply_actions(s, mask("2246"), units("GE_II5_5L"))


@pytest.mark.rule("na41", "17.2.1e", "17.3")
def test_ex_17_3() -> None:
    """EX-17.3 one attacking unit in range of the SP is enough."""
    s = empty("axis", "combat")
    supplies(s, "axis", "2240")
    place(s, "GE_I5_5L", "2243")
    place(s, ["GE_MG2_5L", "GE_MG8_5L"], "2244")
    place(s, "BR_2R", "2143")
    attackers = units("GE_I5_5L", "GE_MG2_5L", "GE_MG8_5L")
    assert [GAME.text(a) for a in supply_actions(s, mask("2243", "2244"), attackers)] == ["supply-sp 2240"]
    assert not supply_actions(s, mask("2244"), attackers)


@pytest.mark.rule("na41", "17.3", "16.3.2b")
def test_ranges_count_rough_hexes_twice() -> None:
    s = empty()
    assert not supply_lines.within(s, AXIS, H("2721"), 3) >> H("2719") & 1
    assert supply_lines.within(s, AXIS, H("2721"), 4) >> H("2719") & 1
