"""Levels of the computer: the planner's front in every game, and the search that weighs plans by playing them out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.contract import CHANCE, Game
from sandtable.engine.dice import QuickDice
from sandtable.engine.seats import seat_at
from sandtable.mechanics.planning import playout
from sandtable.players.levels import LAPSE, Easy
from sandtable.players.search import Searcher, Weighed, Work, planner_of

PLANNED = [name for name in registry.names() if registry.PLANNER in registry.get(name).info.players]


def at_a_plan(name: str, which: int = 0) -> tuple[Game[Any], Any, Any, int]:
    """A game at the moment at which a side makes a plan, and its planner."""
    game = registry.get(name)
    s = game.new(game.scenarios()[0].id)
    players = [planner_of(game)(game, Random(side)) for side in range(2)]
    dice = QuickDice(Random(5))
    while (who := game.to_act(s)) is not None:
        if who == CHANCE:
            game.apply(s, game.roll(s, dice).action)
            continue
        if players[who].opens(s, who):
            if not which:
                return game, s, players[who], who
            which -= 1
        game.apply(s, players[who].decide(s, who))
    raise AssertionError("no plan was ever made")


def test_levels_stand_beside_every_planner(toy: Any) -> None:
    for name in PLANNED:
        assert registry.player_names(registry.get(name)) == ["random", "easy", "planner", "strong", "patient"]
    assert registry.player_names(toy) == ["random", "first"]
    with pytest.raises(registry.UnknownName):
        registry.player(toy, "strong")


@pytest.mark.parametrize("name", PLANNED)
def test_a_plan_is_played_as_legal_actions(name: str) -> None:
    game, s, planner, side = at_a_plan(name)
    plans = planner.plans(s, side, 4)
    assert 1 <= len(plans) <= 4
    before = s.copy()
    actions = planner.play(plans[0], s, side)
    assert s.key() == before.key()  # a plan is thought out beside the table
    table, played = s.copy(), 0
    for action in actions:
        if game.to_act(table) != side:
            break
        if action in game.legal(table):  # what the game sees to by itself is left out when a plan is carried out
            game.apply(table, action)
            played += 1
    assert played >= min(4, len(actions))


@pytest.mark.parametrize("name", PLANNED)
def test_games_are_played_out_to_the_horizon(name: str) -> None:
    game, s, planner, side = at_a_plan(name)
    table, rng = s.copy(), Random(4)
    mark = planner.horizon(table, side)
    players = [planner.light(rng), planner.light(rng)]
    plan = planner.plans(table, side, 1)[0]
    game.apply(table, players[side].begin(plan, table, side))
    taken = playout(game, table, players, rng, mark)
    assert taken > 3
    assert mark(table) or game.to_act(table) is None
    assert planner.evaluate(table, side) == pytest.approx(-planner.evaluate(table, 1 - side), abs=60.0)


@pytest.mark.parametrize("name", PLANNED)
def test_the_same_seed_gives_the_same_choice_from_the_view_alone(name: str) -> None:
    game, s, _, side = at_a_plan(name, 1)
    view = game.view(s, side)
    other = game.imagine(view, Random(99))  # another table that looks the same from this seat
    chosen = set()
    for table in (s, other):
        player = Searcher(game, Random(7), Work(2, 0))
        action = player.choose(seat_at(game, table, side))
        assert action in game.legal(s)
        chosen.add(action)
    assert len(chosen) == 1


def test_a_planner_says_how_many_plans_are_weighed_for_each_that_are_asked_for() -> None:
    for name, asked in (("rommel", 8), ("kasserine", 8)):
        search = Searcher(registry.get(name), Random(1), Work(8, 1))
        search.front.plans = lambda s, side, k: k
        assert search.offered(None, 0) == asked


class Judge(Searcher):
    """Knows what every plan comes to, and counts how often it is asked."""

    def __init__(self, game: Game[Any], worth: list[float], playouts: int) -> None:
        super().__init__(game, Random(1), Work(len(worth), 1))
        self.worth = worth
        self.front.playouts = playouts
        self.asked: list[tuple[int, int]] = []

    def outcome(self, plan: Any, view: Any, side: int, seed: int) -> float:
        self.asked.append((plan, seed))
        return self.worth[plan] + Random(seed).gauss(0.0, 2.0)


def test_the_better_half_is_looked_at_longer_and_the_planners_own_plan_to_the_last() -> None:
    worth = [0.0, 1.0, 9.0, 2.0, 3.0, 1.0, 0.5, 2.5]
    judge = Judge(registry.get("rommel"), worth, 48)
    found = judge.weigh(list(range(8)), {}, 0)
    assert [one.plan for one in found[:2]] == [2, 0]
    assert [one.times for one in found] == [14, 14, 6, 6, 2, 2, 2, 2]
    assert len(judge.asked) == 48
    for plan in range(1, 8):  # the same tables as the planner's own plan
        mine = [seed for one, seed in judge.asked if one == plan]
        assert mine == [seed for one, seed in judge.asked if one == 0][: len(mine)]


def test_another_plan_has_to_be_better_by_the_margin() -> None:
    worth = [0.0, 1.0, 0.5, 0.8]
    for margin, best in ((0.0, 1), (0.9, 1), (1.1, 0)):
        judge = Judge(registry.get("rommel"), worth, 12)
        judge.front.margin = margin
        assert judge.weigh(list(range(4)), {}, 0)[0].plan == best


def test_another_plan_has_to_be_better_beyond_doubt() -> None:
    usual = Weighed("usual", 0, [1.0, 5.0, 3.0, 3.0])
    steady, lucky = Weighed("steady", 1, [2.0, 6.0, 4.0, 4.0]), Weighed("lucky", 2, [0.0, 4.0, 2.0, 10.5])
    assert steady.mean < lucky.mean
    assert steady.gain(usual) == pytest.approx(1.0)
    assert lucky.gain(usual) < 0.0
    assert Weighed("once", 3, [9.0]).gain(usual) == 0.0  # one table proves nothing


def test_the_easy_player_has_lapses() -> None:
    game, s, planner, side = at_a_plan("caucasus")
    easy = Easy(game, Random(3))
    usual = planner.light(Random(3)).decide(s, side)
    chosen = [Easy(game, Random(seed)).choose(seat_at(game, s, side)) for seed in range(60)]
    assert easy.choose(seat_at(game, s, side)) in game.legal(s)
    lapses = sum(action != usual for action in chosen)
    assert 0 < lapses < 60 * LAPSE * 4
