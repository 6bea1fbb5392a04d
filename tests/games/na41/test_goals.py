"""What the computer player of North Africa '41 goes for, what it fears for, and what it does when time runs out."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.contract import Action
from sandtable.engine.seats import seat_at
from sandtable.games.na41.movement.rails import ride_actions
from sandtable.games.na41.planner.clock import stake, turns_left
from sandtable.games.na41.planner.fights import supply_price
from sandtable.games.na41.planner.garrisons import gain_of_coming, loss_of_leaving
from sandtable.games.na41.planner.goals import Fears, nearer_to_the_enemy, tries
from sandtable.games.na41.planner.lifelines import cutters
from sandtable.games.na41.planner.moves import Planning, make_plan
from sandtable.games.na41.planner.planner import Planner
from sandtable.games.na41.planner.worth import aims, behind
from sandtable.games.na41.table.ids import ALLIED, AXIS, F_CONVOY, F_MOVES, NORMAL
from sandtable.games.na41.table.verbs import V_DONE, V_END_MOVES, V_RAIL, V_SAIL, V_SHIP, V_TO

from ...rules.na41.kit import GAME, H, U, board, controlled_by, empty, place, start, supplies, units

FORCE = [(U(name), 7.0) for name in ("GE_I5_5L", "GE_II5_5L")] + [(U("GE_MG8_5L"), 4.0)]


@pytest.mark.parametrize(
    ("scenario", "turn", "impulse", "active", "left"),
    [
        ("s1_enter_rommel", 1, 3, "axis", (19, 18)),
        ("s1_enter_rommel", 7, 3, "allied", (1, 1)),
        ("s2_campaign", 8, 1, "allied", (31, 31)),  # 3.1g five summer turns of two impulses, seven of three
        ("s3_crusader", 19, 3, "axis", (1, 0)),
    ],
)
def test_it_knows_how_many_player_turns_are_left(
    scenario: str, turn: int, impulse: int, active: str, left: tuple[int, int]
) -> None:
    s = empty(active, scenario=scenario, turn=turn, impulse=impulse)
    assert (turns_left(s, AXIS), turns_left(s, ALLIED)) == left


def test_supply_is_worth_nothing_in_the_last_player_turn_and_objectives_most() -> None:
    first, last = empty("allied", scenario="s3_crusader", turn=17, impulse=1), empty("allied", scenario="s3_crusader")
    last.turn, last.impulse = 19, 3
    for s in (first, last):
        supplies(s, "allied", "Tobruk", 2)
    assert supply_price(first) > 0.0
    assert supply_price(last) == 0.0
    assert stake(last) > stake(first) == 1.0
    assert stake(empty("axis", turn=19, impulse=3)) == 1.0  # S2.3 airfields count every turn


def test_nobody_waits_for_a_supply_point_that_he_could_not_use_any_more() -> None:
    for turn, impulse, expected in ((4, 2, True), (7, 3, False)):
        s = empty("axis", scenario="s1_enter_rommel", turn=turn, impulse=impulse)
        place(s, ["AU_24", "BR_22G", "BR_7R"], "Tobruk")
        s.forts[ALLIED] |= 1 << H("Tobruk")
        place(s, ["GE_I5_5L", "GE_104_15"], "3035")
        place(s, "GE_DAK", "3035", depleted=True)
        place(s, "IT_61", "1604")
        place(s, "PO_CAR", "2478")
        every = ("1604", "Benina", "Benghazi", "Derna", "Martuba", "Tmimi", "El Adem", "Gambut", "Bardia")
        controlled_by(s, "axis", *every, "Sidi Barrani", "Mersa Matruh", "Fuka")
        start(s, (F_MOVES,))
        assert make_plan(s, AXIS).pause == expected


def test_a_fortress_takes_longer_than_an_outpost_and_an_empty_place_no_fight() -> None:
    s = empty("axis", scenario="s1_enter_rommel")
    assert tries(s, AXIS, H("Martuba"), FORCE) == 0.0
    place(s, "BR_THR", "Martuba")
    outpost = tries(s, AXIS, H("Martuba"), FORCE)
    place(s, "AU_24", "Martuba")
    s.forts[ALLIED] |= 1 << H("Martuba")
    assert tries(s, AXIS, H("Martuba"), FORCE) > outpost > 0.0


def test_it_goes_past_a_fortress_that_would_hold_it_up() -> None:
    """Benghazi lies before it, Martuba two marches away: walls and two brigades make the difference."""
    for garrison, goal in (("BR_RNF", "Benghazi"), (["AU_20", "AU_26", "BR_5R"], "Martuba")):
        s = empty("axis", scenario="s1_enter_rommel")
        place(s, ["GE_I5_5L", "GE_II5_5L", "GE_MG8_5L"], "3111")
        place(s, "IT_61", "1604")
        place(s, garrison, "Benghazi")
        if goal == "Martuba":
            s.forts[ALLIED] |= 1 << H("Benghazi")
        place(s, "BR_THR", "Martuba")
        place(s, "PO_CAR", "2478")
        every = ("1604", "Benina", "Derna", "Tmimi", "El Adem", "Gambut", "Bardia", "Tobruk")
        controlled_by(s, "axis", *every, "Sidi Barrani", "Mersa Matruh", "Fuka")
        start(s, (F_MOVES,))
        assert Planning(s, AXIS).main == H(goal)


def test_who_trusts_his_front_fears_only_those_who_can_come() -> None:
    s = empty("allied", scenario="s3_crusader", turn=17, impulse=1)
    place(s, ["GE_I5_21", "GE_II5_21"], "2850")
    place(s, ["NZ_4", "NZ_5"], "2851")
    places = [H("Fuka"), H("Sidi Barrani")]
    bold, careful = Fears(s, ALLIED, places, blocked=True), Fears(s, ALLIED, places, blocked=False)
    assert bold.soon[H("Fuka")] < careful.soon[H("Fuka")]
    assert bold.threat(H("Sidi Barrani"), 9.0) == careful.threat(H("Sidi Barrani"), 9.0) == 16.0


def test_a_garrison_that_lives_by_its_port_is_not_cut_off() -> None:
    """16.2b the besiegers of Tobruk cut nobody off while ships come in."""
    s = empty("allied", scenario="s3_crusader", turn=17, impulse=1)
    place(s, ["PO_CAR", "CZ_11"], "Tobruk")
    for name, where in (("GE_155", "2938"), ("IT_61", "3036"), ("IT_62", "3039"), ("GE_I5_21", "3040")):
        place(s, name, where)
    controlled_by(s, "axis", "1604", "Gambut", "El Adem", "Bardia", "Martuba", "Derna", "Tmimi")
    assert cutters(s, ALLIED) == {}
    controlled_by(s, "axis", "Tobruk")
    assert H("3040") in cutters(s, ALLIED)


def test_the_last_unit_in_a_threatened_place_is_missed_and_others_are_not() -> None:
    s = empty("allied", scenario="s3_crusader", turn=17, impulse=1)
    place(s, ["BR_14", "BR_16"], "El Adem")
    place(s, ["GE_I5_21", "GE_104_21"], "2836")
    controlled_by(s, "axis", "1604", "Gambut", "Martuba", "Tmimi")
    here = H("El Adem")
    assert loss_of_leaving(s, ALLIED, units("BR_14", "BR_16"), here) > 0.0
    assert loss_of_leaving(s, ALLIED, units("BR_14"), here) == 0.0
    assert gain_of_coming(s, ALLIED, units("BR_14"), here) == 0.0
    place(s, ["BR_14", "BR_16"], "3037")
    assert gain_of_coming(s, ALLIED, units("BR_14"), here) > 0.0
    assert loss_of_leaving(s, ALLIED, units("BR_14"), H("3037")) == 0.0


def test_a_breakthrough_group_does_not_leave_an_objective_bare_to_the_enemy() -> None:
    for foes, expected in (("2835", V_DONE), ("2011", V_TO)):
        s = empty("allied", phase="combat", scenario="s3_crusader", turn=17, impulse=1)
        place(s, ["BR_1R", "BR_4CLY"], "El Adem")
        place(s, ["GE_I5_21", "GE_104_21", "GE_115"], foes)
        controlled_by(s, "axis", "1604", "Gambut", "Martuba", "Tmimi")
        s.group = units("BR_1R", "BR_4CLY")
        step = (V_TO, H("2936"), NORMAL)
        assert Planner(GAME, Random(1))._breakthrough(s, ALLIED, [step, (V_DONE,)])[0] == expected


def test_the_enemys_gate_is_gone_for_when_it_lies_open() -> None:
    """26.1 a gate that is held is no goal worth running for."""
    for side, gate, guard in ((ALLIED, "1604", "IT_61"), (AXIS, "2478", "PO_CAR")):
        s = empty("allied" if side == ALLIED else "axis")
        open_ = aims(s, side)[H(gate)]
        place(s, guard, gate)
        assert aims(s, side)[H(gate)] < open_ / 4


def test_the_axis_is_not_content_with_a_small_lead_in_the_campaign() -> None:
    """S2.3 the Allies grow stronger every turn: a few points at half-time are not enough."""
    s = empty("axis", turn=10)
    controlled_by(s, "axis", "1604", "Benina", "Martuba", "Gambut")
    s.vp = 1
    assert behind(s, AXIS)
    s.vp = 11
    assert not behind(s, AXIS)
    assert behind(s, ALLIED)


def test_headquarters_keep_behind_their_own_troops() -> None:
    """Before Gambut, out of reach of those who walk, an HQ would be safe, and alone."""
    s = empty("allied", turn=8)
    place(s, ["NZ_4", "NZ_5"], "Sidi Barrani")
    place(s, ["IT_61", "IT_62"], "Gambut")
    place(s, "IT_19", "1604")
    place(s, "AL_XIII", "2750")
    place(s, "PO_CAR", "2478")
    controlled_by(s, "axis", "1604", "Benina", "Martuba", "Gambut", "Derna", "Benghazi")
    theirs = nearer_to_the_enemy(s, ALLIED)
    assert theirs >> H("2942") & 1
    assert not theirs >> H("2752") & 1
    start(s, (F_MOVES,))
    work = Planning(s, ALLIED)
    assert work.all[U("AL_XIII")] & theirs
    work.others()
    assert not nearer_to_the_enemy(work.s, ALLIED) >> work.s.at[U("AL_XIII")] & 1


def test_the_garrison_of_alexandria_does_not_go_by_rail() -> None:
    s = empty("allied", turn=12)
    place(s, "PO_CAR", "2478")
    place(s, "BR_5R", "2850")
    place(s, "GE_I5_5L", "Bardia")
    controlled_by(s, "axis", "1604", "Benina", "Martuba", "Gambut", "Bardia", "Derna", "Benghazi")
    start(s, (F_MOVES,))
    assert any(a[0] == V_RAIL for a in ride_actions(s, U("PO_CAR")))
    planner, seat = Planner(GAME, Random(1)), seat_at(GAME, s, ALLIED)
    while (action := planner.choose(seat))[0] != V_END_MOVES:
        GAME.apply(s, action)
    assert s.at[U("PO_CAR")] == H("2478")
    assert s.at[U("BR_5R")] != H("2850")


def test_the_last_man_does_not_sail_from_alexandria() -> None:
    """26.1.1 whoever holds it last holds the game."""
    for there, expected in ((["BR_22G"], V_SAIL), (["BR_22G", "AU_18"], V_SHIP)):
        s = empty("allied", turn=12)
        place(s, there, "2478")
        place(s, "AL_TOB", "Tobruk")
        s.convoy_from, s.convoy_to = board.port_at[H("2478")], board.port_at[H("Tobruk")]
        start(s, (F_CONVOY,))
        legal: list[Action] = [*((V_SHIP, U(name)) for name in there), (V_SAIL,)]
        action = Planner(GAME, Random(1))._load(s, ALLIED, legal)
        assert action[0] == expected
