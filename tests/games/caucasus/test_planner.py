"""The computer player of The Caucasus Campaign: legal, and better than chance on either side."""

from __future__ import annotations

from random import Random

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action
from sandtable.engine.dice import QuickDice, derive_seed
from sandtable.games.caucasus.planner.moves import make_plan
from sandtable.games.caucasus.planner.planner import Planner
from sandtable.games.caucasus.table import verbs
from sandtable.games.caucasus.table.ids import AXIS, F_COMBAT, F_DEFENCE, F_LOSS, F_MOVES, SOVIET
from sandtable.games.caucasus.table.state import State, vp
from sandtable.mechanics.masks import units_of
from sandtable.players.match import play

from ...rules.caucasus.kit import GAME, H, U, controlled_by, empty, place, start, units
from ..planners import decision, winner_against_chance


def decide(s: State, side: int, seed: int = 1) -> Action:
    """What the planner does at this very decision."""
    return decision(GAME, Planner, s, side, seed)


def test_the_registry_knows_it() -> None:
    assert registry.player(GAME, "planner") is Planner


@pytest.mark.parametrize("scenario", ["campaign", "tournament"])
@pytest.mark.parametrize("side", [AXIS, SOVIET])
def test_it_plays_legal_actions_and_beats_chance(scenario: str, side: int) -> None:
    assert winner_against_chance(GAME, Planner, scenario, side) == side


def test_two_planners_fight_a_campaign_through() -> None:
    factory = registry.player(GAME, "planner")
    match = play(GAME, "campaign", [factory, factory], derive_seed("two planners 3"))
    assert match.outcome is not None
    assert match.decisions > 500


def test_it_marches_on_an_open_victory_hex() -> None:
    s = empty("axis", turn=3)
    place(s, "GE-13Pz", "1436")
    place(s, "GE-17A-HQ", "1134")
    start(s, (F_MOVES, 0))
    verb, to = make_plan(s, AXIS, 0).orders[U("GE-13Pz")]
    assert verb == verbs.TO
    assert to in s.board.vp  # a road lies open to one, or to another


def left_alone(s: State, attackers: int) -> list[str]:
    """The headquarters of the side to act where the enemy can come, with nobody who stays."""
    board, side = s.board, s.active
    guards = board.of_side[side] & board.zoc & ~attackers
    foes = [u for u in units_of(board.of_side[1 - side]) if s.at[u] >= 0 and board.att[u][s.step[u]]]
    found = []
    for u in units_of(board.of_side[side] & board.hq):
        reach = (1 + board.ma[foe][s.step[foe]] * 2 // 3 - board.grid.distance(s.at[foe], s.at[u]) for foe in foes)
        if s.at[u] >= 0 and not s.here[s.at[u]] & guards and max(reach) >= 0:
            found.append(board.units[u])
    return found


def test_headquarters_are_not_left_alone_where_the_enemy_can_come() -> None:
    """15.1a Their two points are no defence: whoever rode round the front ate them, or met them when their stack had
    advanced."""
    s, dice = GAME.new("tournament"), QuickDice(Random(1))
    planners = [Planner(GAME, Random(side)) for side in (AXIS, SOVIET)]
    looked: set[tuple[int, int, bool]] = set()
    while s.turn < 3:
        who = GAME.to_act(s)
        phase = (s.turn, s.active, bool(s.second))
        if s.turn == 2 and s.stack[-1][0] == F_COMBAT and phase not in looked:
            looked.add(phase)
            assert left_alone(s, sum(planners[s.active]._plan.attacks.values())) == []
        GAME.apply(s, GAME.roll(s, dice).action if who == CHANCE else planners[who].decide(s, who))
    assert len(looked) >= 3


def test_it_attacks_at_good_odds_and_not_at_bad_ones() -> None:
    s = empty("axis", phase="axis_first_combat")
    place(s, ["GE-13Pz", "GE-23Pz"], "1333")
    place(s, "SU-68RB", "1433")
    start(s, (F_COMBAT, 0))
    assert decide(s, AXIS) == (verbs.ATTACK, H("1433"))
    s = empty("axis", phase="axis_first_combat")
    place(s, "GE-73", "1333")
    place(s, "SU-10GRC", "1433")
    start(s, (F_COMBAT, 0))
    assert (verbs.ATTACK, H("1433")) in GAME.legal(s)
    assert decide(s, AXIS) == (verbs.END_ATTACKS,)


def test_it_keeps_rostov_when_the_enemy_is_near() -> None:
    s = empty("axis", turn=3)
    place(s, "GE-73", "1134")
    place(s, ["SU-10GRC", "SU-11GRC"], "1332")
    start(s, (F_MOVES, 0))
    assert U("GE-73") not in make_plan(s, AXIS, 0).orders


def test_it_gives_its_cheapest_step_and_takes_the_dearest() -> None:
    for chooser, expected in ((AXIS, "GE-73"), (SOVIET, "GE-13Pz")):
        s = empty("axis", phase="axis_first_combat")
        place(s, ["GE-13Pz", "GE-73"], "1333")
        place(s, "SU-68RB", "1433")
        s.fight.target, s.fight.attackers, s.fight.defenders = H("1433"), units("GE-13Pz", "GE-73"), units("SU-68RB")
        start(s, (F_LOSS, chooser, AXIS, 0))
        assert decide(s, chooser) == (verbs.LOSE, U(expected))


def test_it_stands_where_there_is_no_way_out() -> None:
    s = empty("axis", phase="axis_first_combat")
    controlled_by(s, "soviet", "2818")
    place(s, "SU-10GRC", "2818")
    place(s, ["GE-13Pz"], "2718")
    s.fight.target, s.fight.attackers, s.fight.defenders, s.fight.result = (
        H("2818"),
        units("GE-13Pz"),
        units("SU-10GRC"),
        3,
    )
    start(s, (F_DEFENCE, 0))
    assert GAME.to_act(s) == SOVIET
    assert decide(s, SOVIET)[0] == verbs.LEAD


def test_points_are_counted_from_control() -> None:
    s = empty("axis")
    assert vp(s) == 0
    controlled_by(s, "axis", "2333")
    assert vp(s) == 2
