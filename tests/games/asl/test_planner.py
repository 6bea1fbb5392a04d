"""The computer player of ASL: legal, better than chance on either side, and sensible in plain positions."""

from __future__ import annotations

from random import Random

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.dice import QuickDice
from sandtable.engine.seats import seat_at
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.watch import WatchAt
from sandtable.games.asl.planner.drives import Node, Wheel, best_drive, goal_of
from sandtable.games.asl.planner.goals import READ, aims_of, nearness
from sandtable.games.asl.planner.marches import Draw, fear, standing
from sandtable.games.asl.planner.outlook import Outlook
from sandtable.games.asl.planner.params import LIGHT, Params
from sandtable.games.asl.planner.planner import Planner
from sandtable.games.asl.planner.support import call
from sandtable.games.asl.planner.ways import FAR
from sandtable.games.asl.planner.worth import share_lost
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.ids import (
    ALLIED,
    APH,
    AXIS,
    F_ADVANCE,
    F_MOVES,
    F_ROUTS,
    F_WATCH,
    GRENADE,
    MPH,
    PREP,
    RTPH,
    UNDER_FOXHOLE,
)
from sandtable.games.asl.table.stage import stage
from sandtable.games.asl.table.state import ACCESS, BATTERY, CONTACT, FFE_1, SHELLED, STAGE, State
from sandtable.games.asl.turn.advance import AdvanceAt
from sandtable.games.asl.turn.routs import RoutsAt
from sandtable.mechanics.masks import hexes_in, units_of

from ...rules.asl.infantrykit import (
    FOE,
    FOE2,
    HMG,
    LEADER,
    OTHER_LEADER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    desert,
    empty,
    firing,
    give,
    moving,
    settle,
)
from ...rules.asl.infantrykit import place as put_down
from ...rules.asl.kit import ground
from ...rules.asl.vehiclekit import NE, NNE, Desk, W
from ..planners import decision, winner_against_chance


def decide(s: State, side: int, seed: int = 1) -> Action:
    """What the planner does at this very decision."""
    return decision(GAME, Planner, s, side, seed)


def G(name: str) -> int:
    """A hex in the numbers of actions."""
    return stage("s01_capuzzo_outpost").out[H(name)]


def test_the_registry_knows_it() -> None:
    assert registry.player(GAME, "planner") is Planner


@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_it_plays_legal_actions_and_beats_chance(side: int) -> None:
    assert winner_against_chance(GAME, Planner, "s01_capuzzo_outpost", side) == side


def test_it_reads_every_victory_condition_of_every_scenario() -> None:
    for name, script in asl_pack().scenarios.items():
        goals = (*script["victory"]["at_end"], *script["victory"].get("immediate", ()))
        assert all(goal["type"] in READ for goal in goals)
        s = State(stage(name))
        attackers = [side for side in (AXIS, ALLIED) if aims_of(s, side).attacks]
        assert len(attackers) == 1


def test_nearness_to_victory_grows_with_the_posts_that_are_taken() -> None:
    s = GAME.new("s01_capuzzo_outpost")
    for _ in range(2):
        GAME.apply(s, (int(verbs.ACCEPT),))
    planner = Planner(GAME, Random(1))
    found = [(nearness(s), planner.evaluate(s, ALLIED))]
    for h in hexes_in(s.posts):
        s.control |= 1 << h
        found.append((nearness(s), planner.evaluate(s, ALLIED)))
    assert found == sorted(found)
    assert [round(near, 2) for near, _ in found] == [0.0, 0.33, 0.67, 1.0, 1.0]


def test_tables_are_judged_alike_whatever_way_is_tried() -> None:
    s = at_prep_fire("s01_capuzzo_outpost")
    side, planner = s.phasing, Planner(GAME, Random(1))
    usual = planner.evaluate(s, side)
    for way in planner.plans(s, side, 8):
        planner.begin(way, s, side)
        assert planner.evaluate(s, side) == usual


def test_a_few_men_are_led_in_several_ways_and_many_vehicles_in_one() -> None:
    few, many = at_prep_fire("s01_capuzzo_outpost"), at_prep_fire("s02_gabr_saleh")
    for s, ways in ((few, 4), (many, 1)):
        planner = Planner(GAME, Random(1), LIGHT)
        assert planner.opens(s, s.phasing)
        plans = planner.plans(s, s.phasing, 4)
        assert len(set(plans)) == ways
        assert {one.targets for one in plans} == {LIGHT.targets}


def at_prep_fire(scenario: str) -> State:
    """A game at the first plan that a side makes."""
    s, dice = GAME.new(scenario), QuickDice(Random(3))
    players = [Planner(GAME, Random(side), LIGHT) for side in (AXIS, ALLIED)]
    while (who := GAME.to_act(s)) is not None:
        if who != CHANCE and s.turn == 2 and players[who].opens(s, who):
            return s
        GAME.apply(s, GAME.roll(s, dice).action if who == CHANCE else players[who].decide(s, who))
    raise AssertionError("no plan was ever made")


def test_an_attacker_wants_the_posts_and_a_defender_holds_them() -> None:
    s = GAME.new("s01_capuzzo_outpost")
    for _ in range(2):
        GAME.apply(s, (int(verbs.ACCEPT),))
    british, italian = aims_of(s, ALLIED), aims_of(s, AXIS)
    assert british.attacks
    assert not italian.attacks
    assert set(british.take) == set(italian.hold)
    assert len(british.take) == 4


def test_more_fire_and_better_dice_cost_more() -> None:
    weak, strong = share_lost(2, 0, 7, 1), share_lost(6, 0, 7, 1)
    assert 0 < weak < strong < 1
    assert share_lost(2, -2, 7, 1) > weak > share_lost(2, 2, 7, 1)
    assert share_lost(2, 0, 6, 1) > share_lost(2, 0, 9, 1)
    assert share_lost(-1, -3, 7, 1) == 0


def watched(where: str) -> State:
    """A British squad has just walked into a hex in the sight of an Italian squad with a HMG in O5."""
    s = empty(ALLIED)
    put_down(s, SQUAD, "L5")
    put_down(s, FOE, "O5")
    give(s, HMG, FOE)
    moving(s)
    GAME.apply(s, (int(verbs.MOVE), U(SQUAD)))
    GAME.apply(s, (int(verbs.TO), G(where)))
    assert s.stack[-1] == WatchAt(F_WATCH, 0)
    return s


def test_it_fires_at_who_walks_up_in_the_open() -> None:
    assert decide(watched("M6"), AXIS)[0] in (verbs.USE, verbs.JOIN)


def test_it_fires_where_it_promises_most() -> None:
    s = empty(ALLIED)
    put_down(s, [SQUAD, SQUAD2, LEADER], "M5")
    put_down(s, [FOE, FOE2], "N5")
    put_down(s, "it_346#3", "U5")
    firing(s, ALLIED, PREP)
    assert decide(s, ALLIED) == (verbs.FIRE, G("N5"))


def advancing(own: list[str], theirs: list[str]) -> State:
    s = empty(ALLIED)
    put_down(s, own, "M5")
    put_down(s, theirs, "N5")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    return settle(s)


def test_it_advances_into_close_combat_at_good_odds_and_not_at_bad_ones() -> None:
    good = advancing([SQUAD, SQUAD2, SQUAD3], [FOE])
    assert decide(good, ALLIED)[::2] == (verbs.ADVANCE, G("N5"))
    bad = advancing([SQUAD], [FOE, FOE2, "it_346#3"])
    action = decide(bad, ALLIED)
    assert action[::2] != (verbs.ADVANCE, G("N5"))


def test_a_defender_does_not_walk_into_the_open_before_the_enemy() -> None:
    s = empty(AXIS)
    put_down(s, FOE, "O5")
    put_down(s, [SQUAD, SQUAD2, SQUAD3], "L5")
    moving(s)
    assert (verbs.MOVE, U(FOE)) in GAME.legal(s)
    assert decide(s, AXIS) == (verbs.END_MOVES,)


def test_the_same_view_and_seed_give_the_same_choice() -> None:
    s = GAME.new("s01_capuzzo_outpost")
    for _ in range(2):
        GAME.apply(s, (int(verbs.ACCEPT),))
    while GAME.to_act(s) != ALLIED or s.stack[-1][0] == 0:
        GAME.apply(s, GAME.legal(s)[-1])
    other = GAME.imagine(GAME.view(s, ALLIED), Random(99))
    chosen = {Planner(GAME, Random(3)).choose(seat_at(GAME, table, ALLIED)) for table in (s, other)}
    assert len(chosen) == 1


# What a person would laugh at


def played_until(scenario: str, frame: int, side: int) -> State:
    """A game between two planners, up to the first decision of a side at a step."""
    s = GAME.new(scenario)
    players = [Planner(GAME, Random(i)) for i in (0, 1)]
    seats = [seat_at(GAME, s, i) for i in (0, 1)]
    rng = Random(5)
    while s.stack[-1][0] != frame or GAME.to_act(s) != side:
        who = GAME.to_act(s)
        assert who is not None
        action = GAME.roll(s, lambda n: rng.randint(1, n)).action if who == CHANCE else players[who].choose(seats[who])
        GAME.apply(s, action)
    return s


def test_guns_that_may_hide_are_hidden_and_their_crews_stay_with_them() -> None:
    s = played_until("s10_bir_hakeim", F_MOVES, ALLIED)
    guns = s.stage.roster.guns & s.stage.roster.of_side[ALLIED]
    on_map = [g for g in units_of(guns) if s.at[g] >= 0]
    assert sum(1 for g in on_map if s.hip >> g & 1) >= 5
    seat, planner = seat_at(GAME, s, ALLIED), Planner(GAME, Random(1))
    crews = {s.holder[g] for g in on_map}
    assert crews & {a[1] for a in GAME.legal(s) if a[0] == verbs.MOVE}
    while s.stack[-1][0] == F_MOVES:
        action = planner.choose(seat)
        assert action[0] != verbs.MOVE or action[1] not in crews
        GAME.apply(s, action)
        while s.stack[-1][0] != F_MOVES and s.phase == MPH:
            who = GAME.to_act(s)
            GAME.apply(
                s, GAME.roll(s, lambda n: 1).action if who == CHANCE else Planner(GAME, Random(2)).decide(s, who)
            )


def test_a_set_up_is_not_the_same_every_time() -> None:
    found = set()
    for seed in range(4):
        s = GAME.new("s10_bir_hakeim")
        planner = Planner(GAME, Random(seed))
        seat = seat_at(GAME, s, ALLIED)
        while (who := GAME.to_act(s)) in (ALLIED, CHANCE):
            GAME.apply(s, GAME.roll(s, lambda n: 1).action if who == CHANCE else planner.choose(seat))
        guns = units_of(s.stage.roster.guns & s.stage.roster.of_side[ALLIED])
        found.add(tuple(s.at[g] for g in guns))
    assert len(found) > 1


def test_smoke_in_between_makes_a_hex_safer() -> None:
    s = empty(ALLIED)
    put_down(s, FOE, "O5")
    give(s, HMG, FOE)
    bare = Outlook(s, ALLIED, Params())
    s.smoke = {H("N5"): 1 << 2 * GRENADE + ALLIED}
    veiled = Outlook(s, ALLIED, Params())
    assert 0 < veiled.risk(H("M6"), 0, True) < bare.risk(H("M6"), 0, True)


def test_a_tank_overruns_infantry_in_the_open() -> None:
    t = Desk(field=ground(), phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put("ge_pz3g#1", "Q6", NNE, motion=True)
    t.put("br_457#1", "Q4", broken=True)
    out = Outlook(t.s, AXIS, Params())
    drive = best_drive(out, t.unit("ge_pz3g#1"))
    assert drive.deeds[-1][0] == verbs.OVERRUN


def in_the_open(*broken: str) -> State:
    """Broken men in the open, five hexes before two machine guns that see all around."""
    s = desert()
    put_down(s, broken, "M5")
    put_down(s, [FOE, FOE2], "R5")
    give(s, HMG, FOE)
    give(s, "it_mmg#1", FOE2)
    s.broken |= sum(1 << U(name) for name in broken)
    s.dm |= s.broken
    return s


def test_who_would_be_shot_down_running_crawls() -> None:
    s = in_the_open(SQUAD)
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    settle(s)
    assert decide(s, ALLIED) == (verbs.ROUT, U(SQUAD))
    GAME.apply(s, (int(verbs.ROUT), U(SQUAD)))
    assert {a[0] for a in GAME.legal(s)} >= {verbs.TO, verbs.CRAWL}
    assert decide(s, ALLIED)[0] == verbs.CRAWL


def test_a_leader_takes_no_ground_but_rallies_his_men() -> None:
    s = desert()
    put_down(s, [SQUAD, LEADER], "M5")
    put_down(s, SQUAD2, "O5")
    put_down(s, FOE, "U5")
    s.broken, s.posts, s.turn = 1 << U(SQUAD), 1 << H("U5"), s.stage.turns
    draw = Draw(tuple(s.stage.grid.distance(h, H("U5")) * 2 for h in range(s.stage.grid.size)), 1.0, H("U5"))
    out = Outlook(s, ALLIED, Params())
    assert fear(out, U(LEADER), draw) > 2 * fear(out, U(SQUAD2), draw)
    assert standing(out, U(LEADER), H("M5"), draw) > standing(out, U(LEADER), H("O5"), draw)


def test_an_attacker_comes_nearer_in_the_advance_phase() -> None:
    s = empty(ALLIED)
    put_down(s, SQUAD, "M5")
    put_down(s, FOE, "U5")
    s.posts = 1 << H("U5")
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    settle(s)
    action = decide(s, ALLIED)
    assert action[0] == verbs.ADVANCE
    grid = s.stage.grid
    assert grid.distance(s.stage.into[action[2]], H("U5")) < grid.distance(H("M5"), H("U5"))


def test_a_defender_does_not_leave_his_foxhole_in_the_advance_phase_for_a_better_shot() -> None:
    goes = []
    for under in (0, UNDER_FOXHOLE):
        s = empty(AXIS)
        put_down(s, FOE, "O5", under)
        put_down(s, LEADER, "J5")
        assert s.stage.grid.distance(H("O5"), H("J5")) == s.kind(U(FOE)).range + 1
        s.phase = APH
        s.stack.append(AdvanceAt(F_ADVANCE))
        goes.append(decide(settle(s), AXIS)[0])
    assert goes == [verbs.ADVANCE, verbs.END_ADVANCE]


def test_who_stands_alone_has_less_to_fear_than_a_crowd() -> None:
    s = empty(ALLIED)
    put_down(s, [SQUAD, SQUAD2, SQUAD3], "M5")
    put_down(s, FOE, "O5")
    give(s, HMG, FOE)
    crowded = standing(Outlook(s, ALLIED, Params()), U(SQUAD), H("M5"), None)
    free = standing(Outlook(s, ALLIED, Params(crowd=0.0)), U(SQUAD), H("M5"), None)
    assert crowded < free


def test_those_who_go_forward_together_fear_less() -> None:
    s = empty(ALLIED)
    put_down(s, SQUAD, "M5")
    put_down(s, FOE, "U5")
    s.posts = 1 << H("U5")
    draw = Draw(tuple(s.stage.grid.distance(h, H("U5")) * 2 for h in range(s.stage.grid.size)), 1.0, H("U5"))
    alone = fear(Outlook(s, ALLIED, Params()), U(SQUAD), draw)
    put_down(s, [SQUAD2, SQUAD3], "M6")
    assert fear(Outlook(s, ALLIED, Params()), U(SQUAD), draw) < alone


def test_all_of_what_must_be_on_the_ground_is_lacking_at_first() -> None:
    s = GAME.new("s06_wadi_zigzaou")
    aims = aims_of(s, ALLIED)
    assert aims.lack == 1
    assert aims.ground


def before_the_guns(*tanks: str) -> Desk:
    """Italian tanks before a Gun of the Free French that everybody sees."""
    t = Desk("s10_bir_hakeim", phasing=AXIS)
    t.put("ff_art75#1", "X5", W)
    t.put("br_228#1", "X5")
    t.s.holder[t.unit("ff_art75#1")] = t.unit("br_228#1")
    for number, name in enumerate(tanks, start=4):
        t.put(name, f"M{number}", NNE)
    return t


def wheel(t: Desk, name: str) -> Wheel:
    u = t.unit(name)
    return Wheel(Outlook(t.s, AXIS, Params()), u, 2 * t.s.kind(u).vehicle.mp)  # type: ignore[union-attr]


def test_tanks_that_attack_together_share_the_shots() -> None:
    alone = wheel(before_the_guns("it_m14#1"), "it_m14#1")
    both = wheel(before_the_guns("it_m14#1", "it_m14#2", "it_m14#3"), "it_m14#1")
    assert both.shared > alone.shared == 1
    assert both.volleys < alone.volleys


def test_a_tank_fears_a_gun_less_where_it_moves_than_where_it_stands() -> None:
    found = wheel(before_the_guns("it_m14#1"), "it_m14#1")
    near = Node(found.s.stage.grid.neighbour(found.start.hex, NE), found.start.vca)
    assert 0 < found.passing(near) < found.danger(near) < found.danger(found.start)


def test_who_has_to_leave_by_an_edge_wants_to_be_there() -> None:
    found = wheel(before_the_guns("it_m14#1"), "it_m14#1")
    edge = Node(before_the_guns().hex("GG5"), NNE)
    short = Node(before_the_guns().hex("FF5"), NNE)
    assert found.standing(edge) - found.standing(short) > found.pull(edge.hex) - found.pull(short.hex)


def test_a_lorry_that_is_late_fears_more_than_a_tank_that_is() -> None:
    t = before_the_guns("it_m14#1")
    t.put("it_autom#1", "M7", NNE)
    t.s.turn = t.s.stage.turns
    t.board("it_447#1", "it_autom#1")
    lorry, tank = wheel(t, "it_autom#1"), wheel(t, "it_m14#1")
    assert lorry.fear / lorry.worth > 2 * tank.fear / tank.worth


def test_what_cannot_enter_a_building_comes_up_beside_it() -> None:
    t = Desk("s07_sidi_bou_zid", prefix="D1", phasing=ALLIED)
    t.put("us_m3ht#1", "K5", NNE)
    out = Outlook(t.s, ALLIED, Params())
    t.board("us_666#1", "us_m3ht#1")
    goal = goal_of(out, t.unit("us_m3ht#1"))
    assert goal is not None
    assert goal.far[t.hex("T5")] < goal.far[t.hex("K5")] < FAR
    beside = {t.s.stage.grid.distance(h, g) for g in out.aims.take for h, far in enumerate(goal.far) if not far}
    assert min(beside) <= 1


def test_who_has_arrived_takes_no_more_risks() -> None:
    t = Desk("s05_hafid_ridge", prefix="D4", phasing=ALLIED)
    t.put("br_a13#1", "D1.P5", NNE)
    t.put("br_a13#2", "D4.P5", NNE)
    t.s.turn = t.s.stage.turns - 1
    out = Outlook(t.s, ALLIED, Params())
    out.aims.take = dict.fromkeys(hexes_in(out.aims.ground), 0.5)  # as when both 88s are gone
    on, off = (Wheel(out, t.unit(name), 20) for name in ("br_a13#2", "br_a13#1"))
    assert on.fear / on.worth > 2 * off.fear / off.worth


def test_the_last_who_must_be_there_are_not_thrown_away() -> None:
    t = Desk("s06_wadi_zigzaou", prefix="D3", phasing=ALLIED)
    t.put("br_val2#1", "P5", NNE)
    last = aims_of(t.s, ALLIED).care
    for number in (2, 3, 4, 5):
        t.put(f"br_val2#{number}", f"P{number}", NNE)
    assert last > aims_of(t.s, ALLIED).care


def test_who_has_time_waits_for_those_who_are_still_to_come() -> None:
    s = GAME.new("s08_totensonntag")
    s.turn = 1
    press = (0.1, 0.2, 0.3)
    early = Outlook(s, AXIS, Params())
    assert early.awaited > 0.4
    assert early.pressed(press, 5) > 2 * press[2] * 0.9
    assert early.pressed(press, 0) == press[0]
    s.turn = 2  # everybody is there
    assert Outlook(s, AXIS, Params()).pressed(press, 5) == press[2]


def test_tanks_stay_off_the_map_before_the_guns_until_the_others_come() -> None:
    s = played_until("s08_totensonntag", F_MOVES, AXIS)
    assert s.turn == 1
    assert {a[0] for a in GAME.legal(s)} >= {verbs.ENTER, verbs.END_MOVES}
    assert decide(s, AXIS)[0] == verbs.END_MOVES
    s.turn = 2
    assert decide(settle(s), AXIS)[0] == verbs.ENTER


def test_one_leader_goes_to_broken_men_not_all() -> None:
    s = desert()
    put_down(s, SQUAD, "M5")
    put_down(s, FOE, "Y5")
    s.broken = 1 << U(SQUAD)
    put_down(s, LEADER, "O5")
    before = standing(Outlook(s, ALLIED, Params()), U(LEADER), H("M5"), None)
    put_down(s, OTHER_LEADER, "M5")
    assert standing(Outlook(s, ALLIED, Params()), U(LEADER), H("M5"), None) < before


def test_losses_count_more_where_points_are_compared() -> None:
    assert aims_of(GAME.new("s08_totensonntag"), AXIS).care > aims_of(GAME.new("s06_wadi_zigzaou"), ALLIED).care


def under_a_barrage(where: str, *tanks: str) -> Desk:
    """American tanks before the village, with their own shells falling around a hex of it."""
    t = Desk("s07_sidi_bou_zid", prefix="D6", phasing=ALLIED)
    for number, name in enumerate(tanks, start=4):
        t.put(name, f"J{number}", NNE)
    facts = ((ACCESS, 1), (CONTACT, 1), (STAGE, FFE_1), (SHELLED, t.hex(where)))
    for what, value in facts:
        t.s.oba[ALLIED * BATTERY + what] = value
    return t


def test_nobody_goes_through_falling_shells_unless_he_has_to() -> None:
    t = under_a_barrage("M5", "us_m4#1")
    out, struck = Outlook(t.s, ALLIED, Params()), t.hex("M5")
    found = Wheel(out, t.unit("us_m4#1"), 28)
    ways = {node.hex: risk for node, (_, _, risk) in found.reach().items()}
    assert ways[struck] > 0.1
    assert ways[t.hex("M8")] == 0  # there is a way around
    assert found.danger(Node(struck, NNE)) > 0.1
    cover = out.cover(struck)
    assert out.blasted(struck, cover) > 0
    assert out.passing(struck, cover) == pytest.approx(out.blasted(struck, cover))
    assert out.risk(struck, cover, False) > out.blasted(struck, cover)


def test_a_battery_ceases_where_its_own_men_come() -> None:
    t = under_a_barrage("M5")
    t.put("ge_468#1", "M5")
    offered: list[Action] = [(int(verbs.GO_ON),), (int(verbs.CEASE),)]
    assert call(Outlook(t.s, ALLIED, Params()), offered) == offered[0]
    t.put("us_m4#1", "N5", NNE)
    assert call(Outlook(t.s, ALLIED, Params()), offered) == offered[1]


def test_tanks_support_from_afar_those_who_set_men_down_beside_the_houses() -> None:
    t = Desk("s07_sidi_bou_zid", prefix="D1", phasing=ALLIED)
    t.put("us_m4#1", "K5", NNE)
    t.put("us_m3ht#1", "K6", NNE)
    t.board("us_666#1", "us_m3ht#1")
    out, near = Outlook(t.s, ALLIED, Params()), []
    for name in ("us_m4#1", "us_m3ht#1"):
        goal = goal_of(out, t.unit(name))
        assert goal is not None
        there = [h for h, far in enumerate(goal.far) if not far]
        near.append(max(min(t.s.stage.grid.distance(h, g) for g in out.aims.take) for h in there))
    assert near[0] > near[1] == 1


def test_an_aim_that_is_acquired_is_feared_more() -> None:
    t = before_the_guns("it_m14#1")
    found = wheel(t, "it_m14#1")
    before = found.danger(found.start)
    t.s.aim[t.unit("ff_art75#1")] = (t.unit("it_m14#1"), -1, 2)
    assert wheel(t, "it_m14#1").danger(found.start) > before


def test_a_shot_counts_little_for_who_cannot_stop_for_it() -> None:
    found = wheel(before_the_guns("it_smv40#1"), "it_smv40#1")
    found.out.aims.edge = -1
    assert found.bursts(found.start) > 0  # its HE reaches the Gun from here
    assert found.standing(found.start, halts=False) < found.standing(found.start)


def test_who_reaches_the_edge_with_a_mp_left_leaves_at_once() -> None:
    t = Desk("s10_bir_hakeim", phasing=AXIS)
    t.put("it_m14#1", "DD5", NNE)
    u = t.unit("it_m14#1")
    out = Outlook(t.s, AXIS, Params())
    drive = best_drive(out, u, 22)
    found = Wheel(out, u, 22)
    assert found.off(drive.end, found.reach()[drive.end][0])
    assert drive.deeds == found.reach()[drive.end][1]  # it does not stop there
