"""17 ASUs and SPs. Attack supply and support are in test_ch08_combat.py and test_ch09_modifiers.py: captured supply."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sandtable.games.na41.combat import advance
from sandtable.games.na41.game import GAME
from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.supply.support import covered, fire, gun_actions, spend, supply_actions
from sandtable.games.na41.table import captures
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_COMBAT, F_FREE_SP, F_MOVES
from sandtable.games.na41.table.position import eliminate
from sandtable.games.na41.table.state import State

from ..kit import (
    H,
    U,
    at,
    do,
    empty,
    kinds,
    mask,
    names,
    of_kind,
    place,
    roll,
    start,
    supplies,
    texts,
    units,
)
from ..phasekit import END, capturing, delay_phase, over, supply_phase
from .ch17supplypointskit import rule_of

# 17.2.3 Capture


def dump(count: int = 1) -> State:
    """Allied SPs alone in a hex of the desert."""
    s = empty("axis", "movement")
    supplies(s, "allied", "2240", count)
    place(s, "GE_I5_5L", "2240")
    start(s, END)
    captures.enter(s, AXIS, H("2240"))
    s.choices = None
    GAME.settle(s)
    return s


@pytest.mark.rule("na41", "17.2.3a", "17.2.3b", "8.7d")
@pytest.mark.parametrize(("face", "captured"), [(1, False), (2, False), (3, True), (6, True)])
def test_one_die_decides_whether_a_supply_point_is_captured(face: int, captured: bool) -> None:
    s = dump()
    assert GAME.is_chance(s)
    assert dict(GAME.chances(s))[GAME.parse("rolled 3")] == Fraction(1, 6)
    events = roll(s, face)
    assert not s.sp[ALLIED]
    assert s.sp[AXIS] == ({H("2240"): 1} if captured else {})
    assert kinds(events) == ["sp_captured" if captured else "sp_destroyed"]
    assert s.stack == [END]


@pytest.mark.rule("na41", "17.2.3a")
def test_each_supply_point_has_its_own_die() -> None:
    s = dump(3)
    roll(s, 2, 5)
    assert capturing(s)
    roll(s, 3)
    assert s.stack == [END]
    assert s.sp == [{H("2240"): 2}, {}]


@pytest.mark.rule("na41", "17.2.3a", "8.7c", "17.2.3c")
def test_nothing_is_captured_where_nothing_is_and_the_unit_goes_on() -> None:
    s = empty("axis", "movement")
    supplies(s, "axis", "2240")
    captures.enter(s, AXIS, H("2240"))
    assert not s.stack
    assert s.sp[AXIS] == {H("2240"): 1}
    s = dump()
    assert s.spent == 0
    assert not s.moved


@pytest.mark.rule("na41", "17.2.3c", "8.7c")
def test_captures_cost_no_movement() -> None:
    s = empty("axis", "movement")
    place(s, "GE_AA3_5L", "2238")
    supplies(s, "allied", "2239")
    start(s, (F_MOVES,))
    do(s, "move GE_AA3_5L")
    assert "to 2244 normal" in texts(s)  # six hexes of flat ground, the second of them with the SP
    do(s, "to 2244 normal")
    assert capturing(s)
    roll(s, 6)
    assert at(s, "GE_AA3_5L") == "2244"
    assert s.sp == [{H("2239"): 1}, {}]
    s = empty("axis", "movement")
    place(s, "GE_AA3_5L", "2238")
    supplies(s, "allied", "2239")
    start(s, (F_MOVES,))
    do(s, "move GE_AA3_5L", "to 2239 normal")  # it stops to see what comes of it
    roll(s, 1)
    assert "to 2244 normal" in texts(s)


@pytest.mark.rule("na41", "17.2.3a", "17.2.3c")
def test_supply_points_are_rolled_for_hex_by_hex_as_they_are_found() -> None:
    """In games of version 1 all dice came at the end of the way, the last hex first."""
    for edition in (1, 2):
        s = empty("axis", "movement")
        s.edition = edition
        place(s, "GE_AA3_5L", "2238")
        for hex_ in ("2239", "2241"):
            supplies(s, "allied", hex_)
        start(s, (F_MOVES,))
        do(s, "move GE_AA3_5L", "to 2244 normal")
        assert capturing(s)
        assert at(s, "GE_AA3_5L") == ("2244" if edition == 1 else "2239")
        view = GAME.view(s, AXIS)
        assert GAME.imagine(view, Random(1)).stack == s.stack
        roll(s, 6)
        assert s.sp[AXIS] == {H("2241" if edition == 1 else "2239"): 1}
        assert at(s, "GE_AA3_5L") == ("2244" if edition == 1 else "2241")
        roll(s, 1)
        assert s.sp == [{H("2241" if edition == 1 else "2239"): 1}, {}]
        assert at(s, "GE_AA3_5L") == "2244"
        assert s.moved == units("GE_AA3_5L")


@pytest.mark.rule("na41", "8.7b", "8.7e", "19.2.1b", "2.3.1b")
def test_non_combat_units_alone_are_overrun() -> None:
    s = empty("axis", "movement")
    place(s, ["AL_TR1", "AL_TR2", "BR_RI1"], "2240")
    s.msu |= units("AL_TR2")
    captures.enter(s, AXIS, H("2240"))
    assert at(s, "AL_TR1") == at(s, "AL_TR2") == "eliminated"
    assert at(s, "BR_RI1") == "replacement_pool"
    assert not s.msu
    s = empty("axis", "movement")
    place(s, ["AL_TR1", "BR_2R"], "2240")
    captures.enter(s, AXIS, H("2240"))
    assert at(s, "AL_TR1") == "2240"


@pytest.mark.rule("na41", "12.1.3h")
def test_whoever_retreats_through_destroys_without_a_die() -> None:
    s = empty("axis", "combat")
    place(s, "AL_TR1", "2240")
    supplies(s, "allied", "2240", 2)
    captures.enter(s, AXIS, H("2240"), retreat=True)
    assert s.sp == [{}, {}]
    assert at(s, "AL_TR1") == "eliminated"
    assert not s.stack


@pytest.mark.rule("na41", "9.5.7a")
def test_enemy_fortifications_are_removed_and_own_ones_stay() -> None:
    s = empty("axis", "movement")
    s.forts = [mask("2240"), mask("2241", "2245")]
    s.building = [0, mask("2242")]
    for h in ("2240", "2241", "2242", "2243"):
        captures.enter(s, AXIS, H(h))
    assert s.forts == [mask("2240"), mask("2245")]
    assert s.building == [0, 0]


@pytest.mark.rule("na41", "S2.2c", "S2.2d")
def test_the_axis_is_remembered_in_the_places_that_it_entered() -> None:
    s = empty("axis", "movement")
    captures.enter(s, ALLIED, H("2660"))
    captures.enter(s, AXIS, H("2851"))
    captures.enter(s, AXIS, H("tripoli"))
    assert s.released == mask("2851")


@pytest.mark.rule("na41", "17.2.1g", "14.1a")
def test_supply_points_do_not_advance() -> None:
    """The winner advances out of a hex with an SP; without a truck it stays."""
    s = empty("axis", "combat")
    supplies(s, "axis", "2240")
    place(s, "GE_I5_5L", "2240")
    s.fight.target = s.fight.vacated = H("2241")
    s.allowance = 2
    s.fight.attackers = s.advancing = units("GE_I5_5L")
    advance.go(s, (U("GE_I5_5L"),), H("2241"), "14.1a")
    assert at(s, "GE_I5_5L") == "2241"
    assert s.sp[AXIS] == {H("2240"): 1}


# 17.4 The free supply point


@pytest.mark.rule("na41", "17.4a", "17.4b")
def test_whoever_neither_attacks_nor_marches_gets_a_supply_point() -> None:
    s = empty("axis", "combat")
    place(s, "IT_X", "2011")
    place(s, "IT_XX", "1622")  # out of supply
    place(s, "IT_5A", "2012")
    start(s, END, (F_FREE_SP,))
    assert texts(s) == sorted(("free-sp 2011", "free-sp italy", "free-sp tripoli"), key=lambda t: H(t.split()[1]))
    assert rule_of(s, "free-sp 1622") == "17.4b"
    do(s, "free-sp 2011")
    assert s.sp[AXIS] == {H("2011"): 1}
    for field in ("attacked_at_all", "moved_at_all"):
        s = empty("axis", "combat")
        setattr(s, field, 1)
        start(s, END, (F_FREE_SP,))
        assert over(s)
        assert not s.sp[AXIS]


@pytest.mark.rule("na41", "17.4b")
def test_port_supply_of_the_hq_will_not_do() -> None:
    s = empty("allied", "combat")
    place(s, "AL_XIII", "3138")
    for unit, h in (("GE_I5_5L", "3136"), ("GE_II5_5L", "2936"), ("GE_MG8_5L", "2938"), ("GE_MG2_5L", "3040")):
        place(s, unit, h)
    assert supply_lines.fed_by_port(s, ALLIED) & ~supply_lines.full(s, ALLIED) & mask("3138")
    start(s, END, (F_FREE_SP,))
    assert over(s)
    assert s.sp[ALLIED] == {H("nile_delta"): 1}


@pytest.mark.rule("na41", "17.4a")
@pytest.mark.parametrize(("mode", "free"), [("tactical", 1), ("normal", 0)])
def test_only_tactical_movement_leaves_the_free_supply_point(mode: str, free: int) -> None:
    s = empty("axis")
    place(s, "GE_AA33", "2240")
    start(s, END, (F_MOVES,))
    do(s, "move GE_AA33", f"to 2241 {mode}", "end-moves")
    s.stack.append(GAME.framed((F_FREE_SP,)))
    s.choices = None
    GAME.settle(s)
    assert ("free-sp tripoli" in texts(s)) == free


# 17.2.3d, 17.2.4 Destroyed by their owner, spent and lost on wheels


@pytest.mark.rule("na41", "17.2.3d")
def test_own_sps_are_destroyed_while_others_fight_and_at_the_end_of_the_turn() -> None:
    s = empty("axis", "combat")
    place(s, "GE_I5_5L", "2240")
    place(s, "BR_1R", "2241")
    supplies(s, "axis", "2243", 2)
    supplies(s, "axis", "tripoli")
    start(s, END, (F_COMBAT,))
    assert rule_of(s, "destroy-sp 2244") == "17.2.3d"
    do(s, "destroy-sp 2243")
    assert s.sp[AXIS] == {H("2243"): 1, H("tripoli"): 1}
    s = empty("axis", "delay")
    supplies(s, "axis", "2243", 2)
    delay_phase(s)
    assert rule_of(s, "destroy-sp 2244") == "17.2.3d"
    events = do(s, "destroy-sp 2243", "destroy-sp 2243")
    assert [event.rule for event in of_kind(events, "sp_destroyed")] == ["17.2.3d", "17.2.3d"]
    assert s.sp[AXIS] == {}


@pytest.mark.rule("na41", "17.2.3d")
def test_it_is_asked_even_if_no_marker_can_be_placed_but_not_after_the_dice() -> None:
    s = empty("axis", "delay")
    s.delay_axis = [H(h) for h in ("1410", "1415", "1420", "1425", "1430", "1435")]
    supplies(s, "axis", "2243")
    delay_phase(s)
    assert texts(s) == ["destroy-sp 2243", "end-delay"]
    do(s, "end-delay")
    roll(s, 1, 2)
    assert rule_of(s, "destroy-sp 2243") == "3.2h"


@pytest.mark.rule("na41", "17.1.1d", "17.2.4b")
def test_the_sp_of_an_msu_pays_for_the_guns_of_an_asu_in_its_hex() -> None:
    s = empty("axis", "combat")
    place(s, ["GE_ARKO", "GE_I5_5L"], "2240")
    place(s, "AX_TR1", "2240", msu=True)
    s.depleted |= units("GE_ARKO")
    found = gun_actions(s, AXIS, mask("2240"), units("GE_I5_5L"))
    assert [GAME.text(a) for a in found] == ["artillery-sp GE_ARKO"]
    fire(s, found[0], "9.4.1c")
    assert s.msu == 0
    assert gun_actions(s, AXIS, mask("2240"), units("GE_I5_5L")) == []


@pytest.mark.rule("na41", "17.2.1e", "8.5.2a", "8.5.1c")
def test_the_sp_of_an_msu_has_the_range_of_the_asu_it_is_stacked_with() -> None:
    def far(unit: str, *asus: str, **marks: bool) -> tuple[State, list[str]]:
        s = empty("axis", "combat")
        place(s, "AX_TR1", "2240", msu=True)
        place(s, asus, "2240", depleted=True, **marks)
        place(s, unit, "2246")  # six hexes away
        return s, [GAME.text(a) for a in supply_actions(s, mask("2246"), units(unit))]

    assert far("GE_I5_5L")[1] == []  # 17.2.4c five alone
    s, found = far("GE_I5_5L", "GE_DAK")
    assert found == ["supply-asu AX_TR1"]
    spend(s, GAME.parse("supply-asu AX_TR1"))
    assert s.msu == 0
    assert covered(s, mask("2246"), units("GE_I5_5L"))  # for the rest of the phase
    assert not covered(s, mask("2246"), units("IT_27"))
    assert far("IT_27", "GE_DAK")[1] == []  # the DAK serves Germans
    assert far("GE_I5_5L", "GE_DAK", disrupted=True)[1] == []
    assert far("GE_I5_5L", "GE_ARKO")[1] == []  # its four are fewer than the five


@pytest.mark.rule("na41", "17.2.4a")
def test_the_sp_of_an_msu_is_gone_with_it() -> None:
    s = empty("axis", "movement")
    place(s, "AX_TR1", "2240", msu=True)
    eliminate(s, U("AX_TR1"), "8.7b")
    assert [event.data["count"] for event in of_kind(s.events, "sp_destroyed")] == [1]
    s.events = []
    place(s, "AX_TR2", "2240")
    eliminate(s, U("AX_TR2"), "8.7b")
    assert kinds(s.events) == ["eliminated"]


@pytest.mark.rule("na41", "17.2.2", "17.2.4b", "21.1.5b")
def test_one_msu_of_those_at_hand_gives_its_sp() -> None:
    s = empty("axis", "supply")
    place(s, "GE_DAK", "2011", depleted=True)
    place(s, ["AX_TR1", "AX_TR2", "AX_TR3"], "2011", msu=True)
    s.shipped = units("AX_TR1")  # just landed: of no use
    supply_phase(s)
    do(s, "ready GE_DAK")
    assert names(s.msu) == {"AX_TR1", "AX_TR3"}
    s = empty("axis", "supply")
    place(s, "GE_DAK", "2011", depleted=True)
    place(s, "AX_TR1", "2011", msu=True)
    s.shipped = units("AX_TR1")
    supply_phase(s)
    assert over(s)


@pytest.mark.rule("na41", "9.5.7a")
def test_no_fortification_is_removed_where_there_is_none() -> None:
    s = empty("axis", "movement")
    s.forts = [0, mask("2245")]
    captures.enter(s, AXIS, H("2240"))
    assert not of_kind(s.events, "fortification_removed")
