"""The adapters for other libraries, by those libraries' own checkers; features and heads by what they promise."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from sandtable import registry
from sandtable.engine.contract import CHANCE
from sandtable.engine.dice import QuickDice
from sandtable.research.desk import Desk
from sandtable.research.features import GLOBALS, PLANES, UNITS, Reader
from sandtable.research.gym import SeatEnv
from sandtable.research.heads import Choosing, Heads
from sandtable.research.many import Tables
from sandtable.research.zoo import TableEnv

GAMES = registry.names()


def some_way_in(name: str, decisions: int = 40) -> tuple[Any, Any]:
    """A game at random, so far in that there is something on the map."""
    game, rng = registry.get(name), Random(5)
    s, dice = game.new(game.scenarios()[0].id), QuickDice(Random(6))
    while decisions:
        if game.to_act(s) == CHANCE:
            game.apply(s, game.roll(s, dice).action)
            continue
        game.apply(s, game.pick(s, rng.random))
        decisions -= 1
    while game.to_act(s) == CHANCE:
        game.apply(s, game.roll(s, dice).action)
    return game, s


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_can_be_put_together_and_nothing_else(name: str) -> None:
    game, s = some_way_in(name)
    heads, legal = Heads(game), [tuple(map(int, action)) for action in game.legal(s)]
    rng = Random(1)
    for action in rng.sample(legal, min(10, len(legal))):
        choosing = Choosing(heads, legal)
        for part in action[:-1]:
            assert choosing.choose(part) is None
        assert choosing.choose(action[-1]) == action
    choosing, found = Choosing(heads, legal), None
    while found is None:
        assert max(choosing.choices()) < heads.size
        found = choosing.choose(rng.choice(choosing.choices()))
    assert found in legal
    wrong = next(n for n in range(heads.size + 1) if n not in Choosing(heads, legal).choices())
    with pytest.raises(ValueError, match="is not among the choices for verb"):
        Choosing(heads, legal).choose(wrong)


def test_the_parts_of_north_africa_are_thousands_and_not_millions() -> None:
    game: Any = registry.get("na41")
    assert game.codec.size > 5_000_000
    assert Heads(game).size < 5_000


@pytest.mark.parametrize("name", GAMES)
def test_features_have_their_shapes_and_tell_what_the_view_tells(name: str) -> None:
    game, s = some_way_in(name)
    reader, side = Reader(game), game.to_act(s)
    assert side is not None
    view = game.view(s, side)
    planes, units, table = reader.features(view)
    assert planes.shape == (reader.hex_count, len(PLANES))
    assert units.shape == (reader.unit_count, len(UNITS))
    assert planes.dtype == units.dtype == table.dtype == np.float32
    assert np.isfinite(planes).all()
    own = game.info.sides[side]
    counters = [one for one in game.scene(view)["counters"] if one.get("hex") in reader.hexes]
    assert planes[:, 0].sum() == sum(one["side"] == own for one in counters)
    assert planes[:, 1].sum() == sum(one["side"] != own for one in counters)
    assert planes[:, 0].sum() > 0
    assert table[0] == side
    assert table[1] == 1
    assert 0 <= table[2] <= 1
    known = [stat["values"][side] for stat in game.scene(view)["stats"]]
    assert table[len(GLOBALS) :: 2][: len(known)].tolist() == pytest.approx([value / 100 for value in known])


def test_features_tell_nothing_that_is_hidden() -> None:
    game, s = some_way_in("rommel")
    side = game.to_act(s)
    assert side is not None
    other = game.redeal(s, side, Random(3))
    assert other.key() != s.key()
    for one, two in zip(
        Reader(game).features(game.view(s, side)), Reader(game).features(game.view(other, side)), strict=True
    ):
        assert (one == two).all()


@pytest.mark.parametrize("name", ["rommel", "caucasus"])
def test_gymnasium_finds_no_fault(name: str) -> None:
    scenario = {"rommel": "gazala", "caucasus": "tournament"}[name]
    env = SeatEnv(name, scenario, most=300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|not a flattened|unbounded|observation space).*")
        check_env(env, skip_render_check=True)


def test_a_whole_game_against_the_computer_ends_with_its_reward() -> None:
    env = SeatEnv("rommel", "battleaxe", "commonwealth")
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=3)
    over = cut = False
    reward = 0.0
    while not (over or cut):
        assert info["action_mask"].any()
        part = rng.choice(np.flatnonzero(info["action_mask"]))
        _, reward, over, cut, info = env.step(part)
    end = env.game.outcome(env.desk.state)
    assert over
    assert end is not None
    assert reward == (0.0 if end.winner is None else 1.0 if end.winner == 1 else -1.0)
    with pytest.raises(Exception, match="reset"):
        env.step(0)


def test_a_strict_seat_takes_no_other_number() -> None:
    env = SeatEnv("rommel", "battleaxe", strict=True)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="is not among the choices"):
        env.step(wrong)


def test_pettingzoo_finds_no_fault() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(TableEnv("rommel", "battleaxe", most=150), num_cycles=60)
        seed_test(lambda: TableEnv("rommel", "battleaxe", most=40), num_cycles=30)


def test_many_tables_play_the_same_games_as_one_by_one() -> None:
    def first_choices(tables: Tables, steps: int) -> list[tuple[int, list[float], int]]:
        ended: list[tuple[int, list[float], int]] = []
        rngs = [Random(i) for i in range(len(tables.desks))]
        for _ in range(steps):
            parts = [rng.choice(desk.choices()) for rng, desk in zip(rngs, tables.desks, strict=True)]
            ended += [tuple(one) for one in tables.step(parts)]  # type: ignore[misc]
        return ended

    one, other = (Tables("rommel", "battleaxe", 3, seed=4, most=60) for _ in range(2))
    found = first_choices(one, 260)
    assert found
    assert found == first_choices(other, 260)
    batch = one.observe()
    assert batch.masks.shape == (3, one.size)
    assert batch.observations["planes"].shape[0] == 3
    assert [desk.side for desk in one.desks] == batch.sides.tolist()
    with pytest.raises(ValueError, match="at least one game"):
        Tables("rommel", "battleaxe", 0)


def test_a_desk_deals_the_same_dice_for_the_same_seed() -> None:
    desk = Desk(registry.get("rommel"), "battleaxe")
    desk.deal(5)
    first = desk.state.key()
    desk.deal(6)
    assert desk.state.key() != first
    desk.deal(5)
    assert desk.state.key() == first
