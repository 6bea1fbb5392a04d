"""The computer player of North Africa '41: legal, and better than chance on either side."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.dice import QuickDice, derive_seed
from sandtable.engine.seats import seat_at
from sandtable.games.na41.planner.lifelines import cutters
from sandtable.games.na41.planner.moods import fancy
from sandtable.games.na41.planner.moves import Planning, make_plan
from sandtable.games.na41.planner.planner import Planner
from sandtable.games.na41.planner.worth import ways, ways_around
from sandtable.games.na41.supply.resources import slot
from sandtable.games.na41.table.ids import (
    AIR_TRANSPORT,
    ALLIED,
    AXIS,
    B_COMANDO,
    F_COMBAT,
    F_DELAY,
    F_INITIAL,
    F_LOSS,
    F_MOVES,
    F_PORTS,
    F_STACK,
    LRDG,
    NORMAL,
    STRAFING,
    TACTICAL,
)
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.verbs import (
    V_ATTACK,
    V_BUY,
    V_CONVOY,
    V_DELAY,
    V_DEMOLISH,
    V_DISENGAGE,
    V_DONE,
    V_END_COMBAT,
    V_END_PORTS,
    V_EVENT,
    V_FLY,
    V_LOAD_SP,
    V_LOSE,
    V_LRDG,
    V_STRAFE,
    V_TO,
)
from sandtable.games.na41.turn.delays import PLACE
from sandtable.players.match import play

from ...rules.na41.kit import GAME, H, U, controlled_by, do, empty, place, start, supplies, units
from ..planners import decision, winner_against_chance

PLACES = (
    "1604",
    *("Benina", "Benghazi", "Derna", "Martuba", "Tmimi", "El Adem", "Gambut", "Bardia"),
    *("Sidi Barrani", "Mersa Matruh", "Fuka", "Tobruk"),
)


def decide(s: State, side: int, seed: int = 1) -> Action:
    """What the planner does at this very decision."""
    return decision(GAME, Planner, s, side, seed)


def test_the_registry_knows_it() -> None:
    assert registry.player(GAME, "planner") is Planner


@pytest.mark.parametrize("scenario", ["s1_enter_rommel", "s2_campaign", "s3_crusader"])
@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_it_plays_legal_actions_and_beats_chance(scenario: str, side: int) -> None:
    assert winner_against_chance(GAME, Planner, scenario, side) == side


def test_two_planners_fight_a_scenario_through_with_all_optional_rules() -> None:
    factory = registry.player(GAME, "planner")
    options = {option.id: True for option in GAME.options()}
    match = play(GAME, "s1_enter_rommel", [factory, factory], derive_seed("two planners"), options)
    assert match.outcome is not None
    assert match.decisions > 300


def test_it_takes_an_airfield_that_lies_open_and_leaves_the_gate_guarded() -> None:
    s = empty("axis")
    place(s, ["GE_I5_5L", "IT_61"], "1604")
    place(s, ["GE_MG8_5L"], "3111")
    place(s, "BR_KDG", "1707")
    start(s, (F_MOVES,))
    orders = make_plan(s, AXIS).orders
    verb, to, _ = orders[U("GE_MG8_5L")]
    assert verb == V_TO
    assert to in (H("Benghazi"), H("Benina"))
    assert U("IT_61") not in orders


def test_it_attacks_at_good_odds_and_not_at_bad_ones() -> None:
    for who, whom, expected in (
        (["GE_I5_5L", "GE_II5_5L", "GE_MG8_5L"], "BR_THR", (V_ATTACK, H("1707"))),
        (["IT_8B"], "BR_5R", (V_END_COMBAT,)),
    ):
        s = empty("axis", phase="combat")
        place(s, who, "1606")
        place(s, whom, "1707")
        start(s, (F_COMBAT,))
        assert (V_ATTACK, H("1707")) in GAME.legal(s)
        assert decide(s, AXIS) == expected


def test_it_gives_its_cheapest_step_and_takes_the_dearest() -> None:
    for chooser, expected in ((AXIS, "IT_FAB"), (ALLIED, "GE_I5_5L")):
        s = empty("axis", phase="combat")
        place(s, ["GE_I5_5L", "IT_FAB"], "1606")
        place(s, "BR_5R", "1707")
        s.fight.target, s.fight.attackers, s.fight.defenders = H("1707"), units("GE_I5_5L", "IT_FAB"), units("BR_5R")
        start(s, (F_LOSS, chooser, AXIS, 0))
        assert decide(s, chooser) == (V_LOSE, U(expected))


def test_what_lies_in_italy_sails_for_tripoli_in_the_first_impulse() -> None:
    s = empty("axis", impulse=1)
    place(s, "GE_I5_5L", "1604")
    place(s, "GE_FL18", "italy")
    start(s, (F_MOVES,))
    ports = s.board.port_ids
    assert decide(s, AXIS) == (V_CONVOY, ports.index("italy"), ports.index("tripoli"))


def test_trucks_bring_supply_forward_from_tripoli() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "2011")
    place(s, "AX_TR1", "tripoli")
    supplies(s, "axis", "tripoli", 1)
    start(s, (F_MOVES,))
    do(s, "move AX_TR1")
    assert s.stack[-1] == GAME.framed((F_STACK,))
    assert decide(s, AXIS) == (V_LOAD_SP,)
    do(s, "load-sp")
    verb, to, _ = decide(s, AXIS)
    assert verb == V_TO
    assert s.board.grid.distance(to, H("2011")) <= 1


# What it does in telling positions


def test_it_lays_delay_markers_on_the_road_by_which_the_enemy_comes() -> None:
    s = empty("allied", phase="delay")
    place(s, ["GE_I5_5L", "GE_II5_5L"], "1707")
    place(s, "AU_20", "Benghazi")
    start(s, (F_DELAY, PLACE, 0))
    verb, _, h = decide(s, ALLIED)
    assert verb == V_DELAY
    assert sum(h_ >> h & 1 for h_ in s.board.highways)
    assert s.board.grid.distance(h, H("1707")) < s.board.grid.distance(H("Benghazi"), H("1707"))


def test_the_long_range_desert_group_and_strafing_go_there_too() -> None:
    for side, asset, verb in ((ALLIED, LRDG, V_LRDG), (ALLIED, STRAFING, V_STRAFE), (AXIS, STRAFING, V_STRAFE)):
        foe, friend = (["GE_I5_5L", "GE_II5_5L"], "BR_5R") if side == ALLIED else (["BR_5R", "BR_1R"], "GE_I5_5L")
        s = empty("allied" if side == ALLIED else "axis", phase="delay", turn=8)
        place(s, foe, "2011" if side == ALLIED else "Fuka")
        place(s, friend, "Benina" if side == ALLIED else "2854")
        place(s, "AL_XIII" if side == ALLIED else "GE_DAK", "Benina" if side == ALLIED else "2854")
        if side == AXIS:
            controlled_by(
                s, "axis", "Sidi Barrani", "Gambut", "Martuba", "Benina", "Benghazi", "Derna", "Tobruk", "Bardia"
            )
        s.assets[slot(side, asset)] = 1
        start(s, (F_DELAY, PLACE, 0))
        assert any(a[0] == verb for a in GAME.legal(s))
        assert decide(s, side)[0] == verb


def test_a_port_that_will_be_lost_is_blown_up_and_no_other() -> None:
    for attackers, where, expected in (
        (["GE_I5_5L", "GE_II5_5L", "GE_MG8_5L"], "3825", V_DEMOLISH),
        (["GE_AA3_5L"], "1707", V_END_PORTS),
    ):
        s = empty("allied")
        place(s, attackers, where)
        place(s, "BR_RNF", "Derna")
        start(s, (F_PORTS,))
        action = decide(s, ALLIED)
        assert action[0] == expected
        if expected == V_DEMOLISH:
            assert action[2] == max(a[2] for a in GAME.legal(s) if a[0] == V_DEMOLISH)


def test_men_are_flown_from_italy_to_the_front() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "3315")
    place(s, "GE_RI1", "italy")
    place(s, "BR_5R", "3520")
    controlled_by(s, "axis", "1604", "Benina", "Benghazi")
    s.assets[AIR_TRANSPORT] = 1
    start(s, (F_MOVES,))
    assert decide(s, AXIS) == (V_FLY, U("GE_RI1"), H("Benina"))


def besieged() -> State:
    """A brigade behind walls, with Germans and Italians before them."""
    s = empty("axis", scenario="s1_enter_rommel")
    place(s, "AU_24", "Derna", "reduced")
    place(s, "PO_CAR", "2478")
    s.forts[ALLIED] |= 1 << H("Derna")
    place(s, ["GE_I5_5L", "GE_104_15"], "3827")
    place(s, ["GE_115", "IT_7B", "IT_VII"], "3728")
    place(s, ["GE_DAK", "IT_X"], "3827")
    supplies(s, "axis", "3827", 4)
    controlled_by(s, "axis", *(name for name in PLACES if name != "Derna"))
    return s


def test_germans_and_italians_storm_a_fortress_together_under_comando_supremo() -> None:
    s = besieged()
    s.rp[AXIS] = 2
    start(s, (F_MOVES,))
    plan = make_plan(s, AXIS)
    assert plan.comando
    assert decide(s, AXIS) == (V_BUY, B_COMANDO)
    army = plan.attacks[H("Derna")]
    assert army & units("GE_I5_5L", "GE_104_15", "GE_115")
    assert army & units("IT_7B", "IT_VII")


def test_italians_do_not_run_against_walls_by_themselves() -> None:
    s = empty("axis", phase="combat")
    place(s, ["AU_24", "BR_22G"], "Derna")
    s.forts[ALLIED] |= 1 << H("Derna")
    place(s, ["IT_7B", "IT_VII"], "3728")
    start(s, (F_COMBAT,))
    assert (V_ATTACK, H("Derna")) in GAME.legal(s)
    assert decide(s, AXIS) == (V_END_COMBAT,)


def test_who_would_be_beaten_and_holds_nothing_slips_away() -> None:
    for foes, expected in ((["GE_I5_5L", "GE_II5_5L", "GE_MG8_5L"], V_DISENGAGE), (["IT_8B"], V_END_COMBAT)):
        s = empty("allied", phase="combat", disengagement=True)
        place(s, "BR_11H", "1707")
        place(s, foes, "1606")
        start(s, (F_COMBAT,))
        assert (V_DISENGAGE, U("BR_11H")) in GAME.legal(s)
        assert decide(s, ALLIED)[0] == expected


def test_it_rests_for_a_supply_point_when_there_is_nothing_to_do() -> None:
    s = empty("axis", scenario="s1_enter_rommel")
    place(s, ["AU_24", "BR_22G", "BR_7R"], "Tobruk")
    s.forts[ALLIED] |= 1 << H("Tobruk")
    place(s, ["GE_I5_5L", "GE_104_15"], "3035")
    place(s, "GE_DAK", "3035", depleted=True)
    place(s, "IT_61", "1604")
    controlled_by(s, "axis", *(name for name in PLACES if name != "Tobruk"))
    start(s, (F_MOVES,))
    plan = make_plan(s, AXIS)
    assert plan.pause
    assert not plan.attacks
    assert all(mode == TACTICAL for _, _, mode in plan.orders.values())


def test_a_truck_sets_nobody_down_where_there_is_no_room() -> None:
    s = empty("axis")
    place(s, ["GE_104_15", "GE_115", "GE_MG8_5L"], "2011")
    place(s, ["AX_TR1", "IT_61"], "tripoli")
    start(s, (F_MOVES,))
    do(s, "move AX_TR1")
    do(s, "load IT_61")
    verb, to, _ = decide(s, AXIS)
    assert verb == V_TO
    assert to != H("2011")


def cut_off() -> State:
    """Germans before Benghazi, Italians at the gate, and a straggler on the only road between them."""
    s = empty("axis", scenario="s2_campaign")
    place(s, ["GE_I5_5L", "GE_MG8_5L"], "2911")
    place(s, ["IT_8B", "IT_VII", "IT_61"], "1604")
    place(s, "BR_5R", "1606")
    return s


def test_who_cuts_the_line_of_supply_is_known_and_attacked_first() -> None:
    s = cut_off()
    place(s, "BR_RNF", "Benina")
    assert list(cutters(s, AXIS)) == [H("1606")]
    start(s, (F_MOVES,))
    assert H("1606") in make_plan(s, AXIS).attacks
    place(s, "BR_5R", "Tobruk")
    assert cutters(s, AXIS) == {}


def test_a_way_leads_around_the_enemy() -> None:
    s = cut_off()
    here, goal = H("1604"), H("2011")
    plain, around = ways(s, goal, True), ways_around(s, AXIS, goal, True)
    assert around[here] > plain[here]
    place(s, "BR_5R", "Tobruk")
    assert ways_around(s, AXIS, goal, True)[here] == plain[here]


def test_the_axis_leaves_no_tanks_in_a_place_that_matters_little() -> None:
    s = empty("axis", scenario="s2_campaign")
    place(s, ["GE_I5_5L", "GE_II5_5L", "IT_61"], "Derna")
    place(s, "IT_19", "1604")
    place(s, ["BR_5R", "BR_1R"], "Tmimi")
    controlled_by(s, "axis", "1604", "Derna", "Benghazi", "Benina", "Martuba")
    start(s, (F_MOVES,))
    work = Planning(s, AXIS)
    work.hold()
    assert work.free & units("GE_I5_5L", "GE_II5_5L") == units("GE_I5_5L", "GE_II5_5L")
    assert not work.free & units("IT_61")


def test_a_main_goal_is_not_dropped_for_a_trifle() -> None:
    """Halfway between two airfields the one it went for until now stays the goal."""
    s = empty("axis", scenario="s2_campaign")
    place(s, ["GE_I5_5L", "GE_MG8_5L"], "3223")
    place(s, "IT_19", "1604")
    start(s, (F_MOVES,))
    assert Planning(s, AXIS).main == H("Martuba")
    assert Planning(s, AXIS, H("Benina")).main == H("Benina")


def test_a_breakthrough_group_goes_nowhere_where_it_would_not_fit() -> None:
    for there, expected in (("IT_61", V_TO), ("GE_104_15", V_DONE)):
        s = empty("axis", phase="combat")
        place(s, ["GE_115", "GE_MG8_5L", "GE_MG2_5L"], "3113")
        place(s, there, "Benina")
        s.group = units("GE_115", "GE_MG8_5L", "GE_MG2_5L") if there == "GE_104_15" else units("GE_MG8_5L")
        step = (V_TO, H("Benina"), NORMAL)
        assert Planner(GAME, Random(1))._breakthrough(s, AXIS, [step, (V_DONE,)])[0] == expected


def test_trucks_fetch_supply_that_lies_behind_the_front() -> None:
    s = empty("axis")
    place(s, "GE_I5_5L", "1609")
    place(s, "AX_TR1", "1602")
    supplies(s, "axis", "1602", 1)
    start(s, (F_MOVES,))
    do(s, "move AX_TR1")
    assert decide(s, AXIS) == (V_LOAD_SP,)


def test_it_thinks_the_same_again() -> None:
    """Two of them from the same seed do the same."""
    said: list[list[Action]] = []
    for _ in range(2):
        s = GAME.new("s3_crusader")
        players = [Planner(GAME, Random(f"same {side}")) for side in (AXIS, ALLIED)]
        seats = [seat_at(GAME, s, i) for i in (0, 1)]
        rng = Random(8)
        said.append([])
        while (who := GAME.to_act(s)) is not None and len(said[-1]) < 130:
            if who == CHANCE:
                action = GAME.roll(s, partial(rng.randint, 1)).action
            else:
                action = players[who].choose(seats[who])
                said[-1].append(action)
            GAME.apply(s, action)
    assert said[0] == said[1]


def test_it_spends_before_the_event_only_what_it_could_not_keep() -> None:
    s = empty("allied", "initial", turn=10)
    for held, spends in ((4, True), (3, False)):
        s.rp[ALLIED] = held
        s.stack.clear()
        start(s, (F_MOVES,), (F_INITIAL, 1))
        assert (decide(s, ALLIED)[0] == V_BUY) == spends
        assert spends or decide(s, ALLIED) == (V_EVENT,)


def test_other_ideas_of_what_counts_lead_to_other_orders() -> None:
    """Drawn anew each time, and the same by the same seed; the usual plan comes first and stays what it was."""
    s = GAME.new("s1_enter_rommel")
    dice, players = QuickDice(Random(4)), [Planner(GAME, Random(n)) for n in (0, 1)]
    while s.turn < 2 or not players[ALLIED].opens(s, ALLIED):
        who = GAME.to_act(s)
        assert who is not None
        GAME.apply(s, GAME.roll(s, dice).action if who == CHANCE else players[who].decide(s, who))
    planned = [Planner(GAME, Random(seed)).plans(s, ALLIED, 12) for seed in (1, 1, 2)]
    orders = [[plan.orders for plan in plans] for plans in planned]
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][0] == orders[2][0] == Planner(GAME, Random(9)).plans(s, ALLIED, 1)[0].orders
    assert sum(bool(plan.params.whim) for plan in planned[0]) >= 3
    assert len({fancy(7, h) for h in range(40)}) == 40  # a whim has an opinion of each place
