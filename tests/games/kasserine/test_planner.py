"""The computer player of Kasserine: legal, better than chance on either side, and sensible where it can be seen."""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.dice import QuickDice, derive_seed
from sandtable.engine.seats import seat_at
from sandtable.games.kasserine.planner import planner as planner_module
from sandtable.games.kasserine.planner.attacks import Attacking, stake
from sandtable.games.kasserine.planner.marches import Marching
from sandtable.games.kasserine.planner.outlook import Outlook
from sandtable.games.kasserine.planner.params import LIGHT, NORMAL, fancied
from sandtable.games.kasserine.planner.planner import Planner, end_of_turn, next_moves_of
from sandtable.games.kasserine.planner.prospects import sketch, weigh
from sandtable.games.kasserine.planner.worth import exit_value, stakes, step_points
from sandtable.games.kasserine.table import steps, verbs
from sandtable.games.kasserine.table.ids import ELIMINATED
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At, SideAt
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.planning import playout
from sandtable.players.match import play

from ...rules.kasserine.kit import ALLIED, AXIS, GAME, H, U, empty, place, start, units, works
from ..planners import decision, winner_against_chance

SCENARIOS = [one.id for one in GAME.scenarios()]


def decide(s: State, side: int) -> Action:
    """What the planner does at this very decision."""
    return decision(GAME, Planner, s, side)


def text(action: Action) -> str:
    return GAME.text(action)


def test_the_registry_knows_it() -> None:
    assert registry.player(GAME, "planner") is Planner
    assert "planner" in registry.player_names(GAME)


@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_it_plays_legal_actions_and_beats_chance(side: int) -> None:
    assert winner_against_chance(GAME, Planner, "s0_learning", side) == side


def test_two_planners_fight_a_learning_game_through_and_the_same_seed_gives_the_same_game() -> None:
    factory = registry.player(GAME, "planner")
    first, again = (play(GAME, "s0_learning", [factory, factory], derive_seed("valentine")) for _ in range(2))
    assert first.outcome is not None
    assert first.steps == again.steps


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_wins_every_scenario_against_chance_with_the_axis(scenario: str) -> None:
    assert winner_against_chance(GAME, Planner, scenario, AXIS) == AXIS


def test_every_decision_of_a_player_has_a_thought() -> None:
    """No step in which a player decides is left to chance."""
    dice = {
        steps.WEATHER, steps.COMMAND_ROLL, steps.REVEAL_MINE, steps.INTERDICTION_CHECK, steps.RAID_ROLL,
        steps.BOMB_CHECK, steps.BOMB_ROLL, steps.REACTION_CHECK, steps.COORDINATION, steps.COMBAT_ROLL,
        steps.BREAK_OUT_CHECK, steps.RECOVERY,
    }  # fmt: skip
    runs_itself = {steps.TURN, steps.WALK, steps.COMBAT_CHAIN, steps.OVERRUN_END}
    asked = set(range(len(GAME.frames))) - dice - runs_itself
    assert asked == set(Planner(GAME, Random(1)).handlers)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_view_is_as_good_as_the_table(scenario: str) -> None:
    """Everything lies open: it decides the same from its view and on the state, and looking changes nothing."""
    s = GAME.new(scenario)
    dice = QuickDice(Random(4))
    on_state = [Planner(GAME, Random(n), LIGHT) for n in (0, 1)]
    on_view = [Planner(GAME, Random(n), LIGHT) for n in (0, 1)]
    for _ in range(2000 if scenario == "s0_learning" else 120):  # one of them to its end
        who = GAME.to_act(s)
        if who is None:
            break
        if who == CHANCE:
            action = GAME.roll(s, dice).action
        else:
            before = s.key()
            action = on_state[who].decide(s, who)
            assert s.key() == before
            assert on_view[who].choose(seat_at(GAME, s, who)) == action
        GAME.apply(s, action)


# The front


def _at_movement(scenario: str = "s1_historical") -> State:
    s = GAME.new(scenario)
    playout(GAME, s, [Planner(GAME, Random(n), LIGHT) for n in (0, 1)], Random(5), until=next_moves_of(AXIS))
    return s


def test_its_plans_differ_and_can_be_played() -> None:
    s = _at_movement("s3_kasserine_pass")
    planner = Planner(GAME, Random(3), LIGHT)
    plans = planner.plans(s, AXIS, 4)
    assert 1 < len(plans) <= 4
    assert len({plan.groups for plan in plans}) == len(plans)
    for plan in plans:
        trial = s.copy()
        actions = planner.play(plan, s, AXIS)
        assert len(actions) > 1
        for action in actions:
            assert action in GAME.legal(trial)
            GAME.apply(trial, action)


def test_other_ideas_of_what_counts_lead_to_other_orders() -> None:
    """Drawn anew each time, and the same by the same seed; the usual plan comes first and stays what it was."""
    s = GAME.new("s0_learning")
    playout(GAME, s, [Planner(GAME, Random(n), LIGHT) for n in (0, 1)], Random(5), until=next_moves_of(ALLIED))
    planned = [Planner(GAME, Random(seed)).plans(s, ALLIED, 8) for seed in (1, 1, 2)]
    assert planned[0] == planned[1] != planned[2]
    for plans in planned:
        assert plans[0] == Planner(GAME, Random(9)).plans(s, ALLIED, 1)[0] == planned[0][0]
        assert sum(plan.name == "fancy" for plan in plans) >= 3
        assert len({plan.groups for plan in plans}) == len(plans)


def test_a_whim_is_another_idea_of_what_each_goal_is_worth() -> None:
    s = _at_movement()
    usual = {goal.hex: goal.value for goal in Outlook(s, AXIS, NORMAL).goals}
    whim = {goal.hex: goal.value for goal in Outlook(s, AXIS, fancied(NORMAL, Random(1))).goals}
    assert usual.keys() == whim.keys()
    shares = [whim[h] / usual[h] for h in usual]
    assert min(shares) < 1.0 < max(shares)
    assert len({round(share, 6) for share in shares}) == len(shares)


def test_a_game_is_played_out_to_a_mark_and_the_same_way_again() -> None:
    ends = []
    for _ in range(2):
        s = GAME.new("s0_learning")
        players = [Planner(GAME, Random(n), LIGHT) for n in (0, 1)]
        playout(GAME, s, players, Random(9), until=end_of_turn)
        assert s.turn == 1
        assert GAME.to_act(s) in (AXIS, ALLIED)
        ends.append(s.key())
    assert ends[0] == ends[1]


def test_what_it_judges_is_good_for_one_side_and_bad_for_the_other() -> None:
    s = GAME.new("s1_historical")
    planner = Planner(GAME, Random(3), LIGHT)
    before = planner.evaluate(s, AXIS), planner.evaluate(s, ALLIED)
    for u in units_of(s.here[H("5224")]):
        put(s, u, ELIMINATED)
    after = planner.evaluate(s, AXIS), planner.evaluate(s, ALLIED)
    assert after[0] > before[0]
    assert after[1] < before[1]


def test_the_work_is_counted_and_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("perf_counter", "monotonic", "time", "process_time"):
        monkeypatch.setattr(time, name, lambda: pytest.fail("the planner looks at a clock"))
    s = GAME.new("s0_learning")
    players = [Planner(GAME, Random(n), LIGHT) for n in (0, 1)]
    assert playout(GAME, s, players, Random(1), until=end_of_turn) > 0
    source = Path(planner_module.__file__).parent
    assert not [p.name for p in source.glob("*.py") if re.search(r"import time|from time|perf_counter", p.read_text())]


# What it wants


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_knows_what_every_scenario_is_about(scenario: str) -> None:
    about = stakes(GAME.new(scenario))
    wanted = {"s0_learning": "5224", "s4_first_battle": "5422"}  # Tebessa, in all others
    best = max(about.places, key=lambda h: about.places[h])
    assert best == H(wanted.get(scenario, "1012"))
    assert about.step[0] > about.step[2] > 0  # a German step is dearer than a US one
    assert bool(about.exits[AXIS]) == (scenario not in wanted)
    assert bool(about.exits[ALLIED]) == (scenario == "s2_campaign")  # 15.25e


def test_germans_leave_by_an_exit_where_that_scores() -> None:
    s = empty(turn=6)
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz"], "3902")
    place(s, "us_iic_ii_corps_hq", "0205")
    assert exit_value(s, U("ger_21pz_i_5_pz"), H("3901")) > exit_value(s, U("ita_cent_xiv_31"), H("3901")) > 0
    planner = Planner(GAME, Random(1))
    start(s, steps.MOVES)
    done = []
    for _ in range(4):
        action = planner.decide(s, AXIS)
        done.append(text(action))
        GAME.apply(s, action)
    assert "exit 3901" in done


def test_an_exit_that_is_guarded_draws_less() -> None:
    s = empty(turn=6)
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz"], "3912")
    place(s, "us_iic_ii_corps_hq", "0205")
    draws = []
    for guard in ([], ["br_1gds_3_gren"], ["br_1gds_2_cold", "br_1gds_3_welsh", "us_1ad_3_1_ar"]):
        place(s, guard, "3902")
        draws.append(next(goal.value for goal in Outlook(s, AXIS, NORMAL).goals if goal.hex == H("3901")))
    assert draws[0] > draws[1] > 2.0 * draws[2]


def test_posts_are_left_to_infantry_and_a_formation_goes_as_one() -> None:
    s = GAME.new("s2_campaign")
    out = Outlook(s, AXIS, NORMAL)
    assert {"10Pz", "21Pz"} <= set(out.main)
    held = [goal for goal in out.goals if goal.held]
    assert held
    assert not any(goal.hex in out.main.values() for goal in held)
    tanks = units_of(out.strikers & s.board.of_formation["10Pz"] & s.board.armor)
    chosen = [out.goal_for(u, s.at[u], 1.0) for u in tanks]
    assert all(goal is not None and not goal.held for goal in chosen)


def test_a_second_day_out_of_supply_is_worse_than_the_first() -> None:
    s = empty(turn=6)
    tank = U("ger_21pz_i_5_pz")
    place(s, "ger_21pz_i_5_pz", "2405")
    place(s, "us_iic_ii_corps_hq", "0205")
    out = Outlook(s, AXIS, NORMAL)
    fed = out.stand(tank, H("2405"), None, None)
    out.lines = 0  # nothing comes through any more
    first = out.stand(tank, H("2405"), None, None)
    s.emergency |= 1 << tank
    assert out.stand(tank, H("2405"), None, None) < first < fed


def test_steps_count_most_when_a_condition_is_nearly_met() -> None:
    s = GAME.new("s0_learning")
    s.turn = 1
    early = step_points(s)[2]
    s.turn = 3
    s.lost[2] = 3
    hopeless = step_points(s)[2]
    s.lost[2] = 12
    assert step_points(s)[2] > early > hopeless
    s.lost[2] = 30
    assert step_points(s)[2] < hopeless  # all that was asked for is done
    points = GAME.new("s1_historical")
    assert step_points(points) == stakes(points).step


def test_the_rest_of_a_phase_is_planned_after_an_overrun() -> None:
    s = empty()
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_i_104"], "5224")
    place(s, "us_34id_125_fa", "5022")
    start(s, steps.MOVES)
    planner = Planner(GAME, Random(1))
    assert planner.opens(s, AXIS)
    action = planner.begin(planner.plans(s, AXIS, 1)[0], s, AXIS)
    assert not planner.opens(s, AXIS)
    while action[0] != verbs.OVERRUN:
        GAME.apply(s, action)
        action = planner.decide(s, AXIS)
    planner.decide(s, AXIS)
    s.stack[:] = [At(steps.MOVES)]  # the overrun is over
    assert planner.opens(s, AXIS)


# Fights


def test_a_prospect_grows_with_the_attackers_and_shrinks_with_the_ground() -> None:
    s = empty()
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_i_104"], "5223")
    place(s, "us_34id_1_168", "5224")
    alone = weigh(s, sketch(s, AXIS, H("5224"), units("ger_21pz_i_104")), 1.0, NORMAL)
    both = weigh(s, sketch(s, AXIS, H("5224"), units("ger_21pz_i_104", "ger_21pz_i_5_pz")), 1.0, NORMAL)
    assert both.value > alone.value
    assert both.clears > alone.clears
    works(s, ALLIED, "strongpoint", "5224")
    dug_in = weigh(s, sketch(s, AXIS, H("5224"), units("ger_21pz_i_104", "ger_21pz_i_5_pz")), 1.0, NORMAL)
    assert dug_in.value < both.value


def test_it_masses_against_a_weak_hex_and_declares_what_it_planned() -> None:
    s = empty()
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz", "ger_21pz_i_104"], "5223")
    place(s, "ger_21pz_21_pz_hq", "5323")
    place(s, "us_34id_1_168", "5224")
    start(s, At(steps.DECLARATIONS))
    planner = Planner(GAME, Random(1))
    done = []
    while s.stack[-1][0] in (steps.DECLARATIONS, steps.DECLARING) and GAME.to_act(s) == AXIS:
        action = planner.decide(s, AXIS)
        done.append(text(action))
        GAME.apply(s, action)
    assert done[0] == "declare 5224"
    assert {"attack_with ger_21pz_i_5_pz", "attack_with ger_21pz_i_104"} <= set(done)


def test_it_attacks_nobody_who_is_too_strong() -> None:
    s = empty(phase="allied_movement")
    place(s, "fr_const_i_3_rta", "5223")
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz", "ger_21pz_i_104"], "5224")
    start(s, At(steps.DECLARATIONS))
    assert decide(s, ALLIED) == (int(verbs.END_DECLARATIONS),)


def test_guns_are_planned_with_an_attack_and_never_too_many_for_a_hex() -> None:
    s = _at_movement("s3_kasserine_pass")
    work = Marching(s, AXIS, GAME.legal(s), NORMAL)
    work.plan()
    assert any(attack.guns for attack in work.attacks)
    from sandtable.games.kasserine.turn.reorganization import overstacked

    assert not overstacked(work.s, AXIS)


def test_a_lone_battery_is_overrun() -> None:
    s = empty()
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_i_104"], "5224")
    place(s, "us_34id_125_fa", "5022")
    start(s, steps.MOVES)
    planner = Planner(GAME, Random(1))
    done = []
    while GAME.to_act(s) == AXIS and len(done) < 6:
        action = planner.decide(s, AXIS)
        done.append(text(action).split()[0])
        GAME.apply(s, action)
        if done[-1] == "overrun":
            break
    assert done[-1] == "overrun"


def test_losses_fall_on_the_cheapest_step() -> None:
    s = empty()
    place(s, ["ger_21pz_i_5_pz", "ita_cent_xiv_5b"], "5323")
    from sandtable.games.kasserine.planner.battle import lose

    legal = [(int(verbs.LOSE), U("ger_21pz_i_5_pz")), (int(verbs.LOSE), U("ita_cent_xiv_5b"))]
    assert lose(s, legal, NORMAL)[1] == U("ita_cent_xiv_5b")


# Reactions


def _attacked(target: str, defenders: list[str], attackers: list[str], origin: str) -> State:
    s = empty(phase="allied_reaction")
    s.active = AXIS
    place(s, defenders, target)
    place(s, attackers, origin)
    s.aims[H(target)] = units(*attackers)
    return s


def test_it_slips_away_from_a_fight_that_it_must_lose() -> None:
    strong = ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz", "ger_21pz_i_104"]
    s = _attacked("5022", ["us_1ad_81_rcn"], strong, "5123")
    start(s, At(steps.AVOIDING))
    assert decide(s, ALLIED) == (int(verbs.AVOID), H("5022"))
    weak = _attacked("5022", ["us_1ad_3_1_ar", "us_1ad_1_6_air"], ["ger_21pz_580_aa"], "5123")
    start(weak, At(steps.AVOIDING))
    assert decide(weak, ALLIED) == (int(verbs.END_AVOIDING),)


def test_it_comes_to_help_a_hex_that_counts() -> None:
    strong = ["ger_21pz_i_5_pz", "ger_21pz_i_104"]
    s = _attacked("4119", ["us_34id_1_168"], strong, "4219")
    place(s, "us_1ad_2_1_ar", "4018")
    s.phase = 6
    start(s, At(steps.REACTIONS))
    assert decide(s, ALLIED) == (int(verbs.REACT), U("us_1ad_2_1_ar"))


# The air and the engineers


def test_a_unit_in_the_battle_is_spared_at_the_cost_of_two_in_the_rear() -> None:
    from sandtable.games.kasserine.turn.air import VictimAt

    s = empty(phase="joint_air")
    place(s, "ger_21pz_i_5_pz", "5223")
    place(s, ["ita_imp_i_l", "ita_imp_l_brig_hq"], "6840")
    place(s, "us_1ad_3_1_ar", "5123")
    start(s, VictimAt(steps.PRIORITY, AXIS, 0, U("ger_21pz_i_5_pz")))
    assert decide(s, AXIS)[0] == verbs.SPARE
    alone = empty(phase="joint_air")
    place(alone, ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz", "ger_21pz_i_155"], "5223")
    place(alone, "us_1ad_3_1_ar", "5123")
    start(alone, VictimAt(steps.PRIORITY, AXIS, 0, U("ger_21pz_i_155")))
    assert decide(alone, AXIS) == (int(verbs.BEAR),)


def test_mines_go_under_those_who_hold_what_is_threatened() -> None:
    s = empty(phase="engineer")
    place(s, "us_34id_1_168", "4119")
    place(s, "us_34id_2_168", "1012")
    place(s, ["ger_21pz_i_5_pz", "ger_21pz_ii_5_pz", "ger_21pz_i_104"], "4521")
    start(s, SideAt(steps.ENGINEERS, ALLIED))
    assert decide(s, ALLIED) == (int(verbs.LAY), H("4119"))


def test_the_allies_stand_in_the_way_and_the_guns_behind_them() -> None:
    s = GAME.new("s3_kasserine_pass")
    out = Outlook(s, ALLIED, NORMAL)
    assert out.block.get(H("2918"), 0.0) > 0.0  # the pass is in Rommel's way
    gun = U("us_1id_33_fa")
    alone, covered = out.stand(gun, H("3019"), None, None), out.stand(gun, H("2708"), None, None)
    assert covered > alone


def test_what_lies_behind_a_hex_counts_for_attacking_it() -> None:
    s = GAME.new("s1_historical")
    out = Outlook(s, AXIS, NORMAL)
    assert stake(out, H("4119")) > stake(out, H("4319")) > stake(out, H("5601"))


def test_units_that_build_attack_nobody() -> None:
    s = empty()
    place(s, "ger_21pz_i_104", "5223")
    place(s, "us_34id_125_fa", "5224")
    s.builder[H("5223")] = U("ger_21pz_i_104")
    s.building[AXIS] |= 1 << H("5223")
    out = Outlook(s.copy(), AXIS, NORMAL)
    assert Attacking(out, {}, units("ger_21pz_i_104")).best(H("5224")) is None
