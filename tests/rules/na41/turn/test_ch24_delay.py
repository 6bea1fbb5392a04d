"""24 Delay markers; 18.7.5 strafing and 18.8 the LRDG, which are placed and removed with them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.game import GAME
from sandtable.games.na41.supply.resources import buy, purchases
from sandtable.games.na41.table.ids import ALLIED, AXIS, B_STRAFING, LRDG, STRAFING
from sandtable.games.na41.table.position import touch
from sandtable.games.na41.table.state import State

from ..kit import H, Illegal, board, controlled_by, do, empty, kinds, mask, of_kind, place, roll, supplies, texts, why
from ..phasekit import delay_phase, over

FAR = "2230"
"""A hex of the desert with nothing near it."""


def axis_delay() -> State:
    return empty("axis", "delay")


def rule_of(s: State, text: str) -> str:
    reason = why(s, text)
    return reason.rule if reason else ""


def offered(s: State, verb: str) -> set[str]:
    return {text.split()[-1] for text in texts(s) if text.split()[0] == verb}


# 24.3.1 Placement


@pytest.mark.rule("na41", "24.1a", "24.3.1a", "3.2h")
def test_markers_of_the_display_are_placed() -> None:
    s = axis_delay()
    delay_phase(s)
    events = do(s, f"delay 1 {FAR}")
    assert s.delay_axis[0] == H(FAR)
    assert of_kind(events, "delay_placed")[0].data == {"marker": 1, "hex": H(FAR), "side": AXIS}
    assert s.delay_allied == [-1] * 6
    assert rule_of(s, "delay 1 2240") == "24.3.1a"  # a marker on the map may not be moved
    assert rule_of(s, "delay 3 2240") == "24.3.1a"
    do(s, "delay 2 2240")
    assert s.delay_axis[:3] == [H(FAR), H("2240"), -1]


@pytest.mark.rule("na41", "24.1b")
def test_two_markers_in_each_phase_and_no_price() -> None:
    s = axis_delay()
    delay_phase(s)
    do(s, f"delay 1 {FAR}", "delay 2 2240")
    assert GAME.is_chance(s)  # nothing more can be placed: the dice follow
    assert s.rp == [0, 0]
    roll(s, 5, 6)
    do(s, "end-delay")
    s.stack.clear()
    delay_phase(s)
    do(s, "delay 3 2250")
    assert rule_of(s, "delay 4 2230") == "24.3.1c"


@pytest.mark.rule("na41", "24.3.1b")
def test_not_on_or_beside_anything_of_the_enemy() -> None:
    s = axis_delay()
    place(s, "BR_2R", "2230")
    place(s, "AL_TR1", "2240")
    supplies(s, "allied", "2250")
    s.forts[ALLIED] = mask("2220")
    s.building[ALLIED] = mask("2057")
    place(s, "GE_I5_5L", "2225")
    touch(s)
    delay_phase(s)
    free = offered(s, "delay")
    for h in ("2230", "2240", "2250", "2220", "2057"):
        around = {h} | {board.grid.names[n] for _, n in board.grid.neighbours[H(h)]}
        assert not free & around
    assert {"2228", "2232", "2225"} <= free
    assert rule_of(s, "delay 1 2231") == "24.3.1b"


@pytest.mark.rule("na41", "24.3.1c")
def test_not_on_or_beside_another_friendly_marker() -> None:
    s = axis_delay()
    s.delay_allied[0] = H("2240")
    delay_phase(s)
    do(s, f"delay 1 {FAR}")
    free = offered(s, "delay")
    assert not free & {"2230", "2229", "2231"}
    assert {"2228", "2232", "2240"} <= free
    assert rule_of(s, "delay 2 2231") == "24.3.1c"


@pytest.mark.rule("na41", "24.3.1d")
def test_not_in_an_enemy_port_or_airfield() -> None:
    s = axis_delay()
    controlled_by(s, "axis", "2851")
    delay_phase(s)
    free = offered(s, "delay")
    assert "2851" in free
    assert not free & {"3138", "2365"}
    assert {"3037", "2366", "2937"} <= free
    assert rule_of(s, "delay 1 3138") == "24.3.1d"
    assert rule_of(s, "delay 1 4040") == "24.3.1a"  # sea


# 24.3.2 to 24.3.4 Removal


@pytest.mark.rule("na41", "24.3.2")
def test_ex_24_3_2() -> None:
    """EX-24.3.2 dice 2 and 3: own markers 2 and 3 go back to the display."""
    s = axis_delay()
    s.delay_axis[:4] = [H("2230"), H("2240"), H("2250"), H("2260")]
    s.delay_allied[:4] = [H("2030"), H("2040"), H("2050"), H("2060")]
    delay_phase(s)
    do(s, "end-delay")
    assert dict(GAME.chances(s))[GAME.parse("pair 2 3")] == Fraction(1, 18)
    assert dict(GAME.chances(s))[GAME.parse("pair 2 2")] == Fraction(1, 36)
    assert sum(chance for _, chance in GAME.chances(s)) == 1
    events = roll(s, 3, 2)
    assert s.delay_axis == [H("2230"), -1, -1, H("2260"), -1, -1]
    assert -1 not in s.delay_allied[:4]
    assert [e.data["marker"] for e in of_kind(events, "delay_removed")] == [2, 3]


@pytest.mark.rule("na41", "24.3.2")
def test_numbers_that_are_not_on_the_map_remove_nothing() -> None:
    s = axis_delay()
    s.delay_axis[0] = H("2230")
    delay_phase(s)
    do(s, "end-delay")
    events = roll(s, 4, 4)
    assert s.delay_axis[0] == H("2230")
    assert "delay_removed" not in kinds(events)
    s = axis_delay()
    delay_phase(s)
    do(s, "end-delay")
    assert over(s)  # no marker on the map, nothing to roll for


@pytest.mark.rule("na41", "24.3.3")
def test_markers_are_taken_back_after_the_dice_only() -> None:
    s = axis_delay()
    s.delay_axis[:3] = [H("2230"), H("2240"), H("2250")]
    s.delay_allied[0] = H("2030")
    delay_phase(s)
    assert not offered(s, "take-back")
    assert rule_of(s, "take-back 1") == "24.3.3"
    do(s, "end-delay")
    roll(s, 1, 6)
    assert texts(s) == ["take-back 2", "take-back 3", "end-delay"]
    assert rule_of(s, "take-back 1") == "24.3.3"
    assert rule_of(s, "delay 4 2260") == "24.3.2"
    do(s, "take-back 3")
    assert s.delay_axis[:3] == [-1, H("2240"), -1]
    do(s, "end-delay")
    assert over(s)
    assert s.delay_axis[1] == H("2240")


@pytest.mark.rule("na41", "24.3.4")
def test_markers_under_enemy_units_go_in_every_delay_phase() -> None:
    s = axis_delay()
    s.delay_axis[:3] = [H("2230"), H("2240"), H("2250")]
    s.delay_allied[:3] = [H("2030"), H("2040"), H("2050")]
    supplies(s, "axis", "2050")
    place(s, "AL_TR1", "2230")
    place(s, "BR_2R", "2240")
    place(s, "GE_I5_5L", "2250")
    place(s, "AX_TR1", "2030")
    delay_phase(s)
    do(s, "end-delay")
    roll(s, 6, 6)
    assert s.delay_axis[:3] == [H("2230"), H("2240"), H("2250")]  # not before the end
    events = do(s, "end-delay")
    assert s.delay_axis[:3] == [-1, -1, H("2250")]
    assert s.delay_allied[:3] == [-1, H("2040"), -1]
    assert {e.rule for e in of_kind(events, "delay_removed")} == {"24.3.4"}


# 18.7.5 Strafing


def flying(side: str = "axis") -> State:
    """A side with an airfield in full supply and two strafing markers."""
    s = empty(side, "delay")
    if side == "axis":
        controlled_by(s, "axis", "3212", "3211")
        s.assets[STRAFING] = 2
    else:
        s.assets[9] = 2
    return s


@pytest.mark.rule("na41", "18.7.5b", "18.7.3", "24.3.5")
def test_strafing_is_placed_in_air_range_one_a_hex() -> None:
    s = flying()
    delay_phase(s)
    free = offered(s, "strafe")
    assert free == {
        n for n in board.grid.index if board.land >> H(n) & 1 and board.grid.distance(H(n), H("3212")) <= 16
    }
    do(s, "strafe 2717")
    assert s.strafing == [mask("2717"), 0]
    assert s.assets[STRAFING] == 1
    assert "2717" not in offered(s, "strafe")
    assert rule_of(s, "strafe 2717") == "18.7.5b"
    assert rule_of(s, "strafe 2660") == "18.7.3"
    assert rule_of(s, "strafe 2709") == "18.7.5b"  # the sea
    do(s, "strafe 2718")
    assert not offered(s, "strafe")
    assert rule_of(s, "strafe 2720") == "18.7.1a"


@pytest.mark.rule("na41", "18.7.5b")
def test_strafing_and_friendly_delay_markers_keep_apart() -> None:
    s = flying()
    s.delay_axis[0] = H("2717")
    s.delay_allied[0] = H("2720")
    delay_phase(s)
    assert "2717" not in offered(s, "strafe")
    assert "2720" in offered(s, "strafe")
    assert rule_of(s, "strafe 2717") == "18.7.5b"
    do(s, "strafe 2720")
    assert "2720" not in offered(s, "delay")
    assert rule_of(s, "delay 2 2720") == "18.7.5b"


@pytest.mark.rule("na41", "18.7.5d")
def test_strafing_lasts_until_the_next_own_delay_phase() -> None:
    s = flying()
    s.strafing = [mask("2717"), mask("2720")]
    s.active = ALLIED
    delay_phase(s)
    assert s.strafing == [mask("2717"), 0]
    s.stack.clear()
    s.active = AXIS
    events = delay_phase(s)
    assert s.strafing == [0, 0]
    assert of_kind(events, "strafing_over")[0].data["hexes"] == [H("2717")]
    do(s, "strafe 2717")  # placed before the dice
    s.delay_axis[0] = H("2230")
    do(s, "end-delay")
    roll(s, 1, 2)
    assert s.strafing[AXIS] == mask("2717")


@pytest.mark.rule("na41", "18.7.5a", "18.6b")
def test_a_purchase_gives_two_markers_but_not_against_air_superiority() -> None:
    turns = {str(board.turns[turn]["air_superiority"]): turn for turn in board.turns}
    for holder, sold in (("axis", True), ("allied", False), ("contested", True)):
        s = empty("axis", "movement", turn=turns[holder])
        s.rp[AXIS] = 4
        assert (purchases(s) >> B_STRAFING & 1) == sold
        if sold:
            buy(s, B_STRAFING)
            assert s.assets[STRAFING] == 2


@pytest.mark.rule("na41", "18.7.5b")
def test_each_side_uses_its_own_strafing_markers() -> None:
    s = flying("allied")
    delay_phase(s)
    do(s, "strafe 2851")
    assert s.strafing == [0, mask("2851")]
    assert s.assets[9] == 1


# 18.8 Long Range Desert Group


@pytest.mark.rule("na41", "18.8b", "18.8d", "24.3.5")
def test_the_lrdg_goes_anywhere_but_near_the_enemy_for_one_impulse() -> None:
    s = empty("allied", "delay")
    s.assets[LRDG] = 1
    place(s, "GE_I5_5L", "2230")
    place(s, "AX_TR1", "2240")
    supplies(s, "axis", "2250")  # a non-combat unit too (2.3.1b)
    delay_phase(s)
    free = offered(s, "lrdg")
    assert not free & {"2230", "2231", "2330", "2240", "2241", "2250", "2251"}
    assert {"2232", "1604"} <= free
    assert rule_of(s, "lrdg 2231") == "18.8b"
    do(s, "lrdg 1604")
    assert s.lrdg == mask("1604")
    assert s.assets[LRDG] == 0
    assert rule_of(s, "lrdg 1605") == "18.8a"
    do(s, "end-delay")
    assert over(s)
    s.stack.clear()
    s.active = AXIS
    delay_phase(s)
    assert s.lrdg
    s.stack.clear()
    s.active = ALLIED
    delay_phase(s)
    assert not s.lrdg


@pytest.mark.rule("na41", "18.8a")
def test_the_axis_has_no_lrdg() -> None:
    s = axis_delay()
    s.assets[LRDG] = 1
    delay_phase(s)
    assert not offered(s, "lrdg")
    with pytest.raises(Illegal, match="no LRDG marker"):
        do(s, "lrdg 2230")


@pytest.mark.rule("na41", "24.3.1a")
def test_legal_actions_are_sorted_and_unique() -> None:
    s = flying("allied")
    s.assets[LRDG] = 1
    s.delay_allied[0] = H("2230")
    delay_phase(s)
    legal = GAME.legal(s)
    assert legal == sorted(set(legal))
    assert len(legal) > 3000
