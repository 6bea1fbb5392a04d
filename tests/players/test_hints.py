"""Hints: legal, the same each time, in words, and from the view of the side that asks alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import registry, texts
from sandtable.engine.contract import CHANCE, Game
from sandtable.engine.dice import QuickDice, derive_seed
from sandtable.engine.table import Table
from sandtable.engine.texts.text import Text, say
from sandtable.players import hints, levels, search
from sandtable.players.hints import SHOWN, _verdict, advise, has_hints, lately, moment_of
from sandtable.players.search import Weighed, planner_of

from .test_search import PLANNED, at_a_plan


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few playouts do here."""
    for name in PLANNED:
        monkeypatch.setattr(planner_of(registry.get(name)), "playouts", 4)


AFTER = {"rommel": 6, "caucasus": 4, "na41": 4, "kasserine": 3, "asl": 2}
"""Plans that are passed by first, so that there is something to say."""


@pytest.mark.parametrize("name", PLANNED)
def test_a_hint_is_legal_and_says_why_in_words(name: str) -> None:
    game, s, _, side = at_a_plan(name, AFTER[name])
    found = advise(game, moment_of(game, s, side), "1")
    assert found.action in game.legal(s)
    assert str(found.label)
    assert found.why
    assert len(found.steps) <= SHOWN
    known = texts.speech(game, "ja")
    for said in found.why:
        assert "{" not in str(said)
        template = said.template if isinstance(said, Text) else said
        assert template in known
        assert say(said, known.get) != str(said)


@pytest.mark.parametrize("name", PLANNED)
def test_the_same_moment_gives_the_same_hint(name: str) -> None:
    game, s, _, side = at_a_plan(name, 1)
    moment = moment_of(game, s, side)
    before = s.key()
    one, other = advise(game, moment, "7"), advise(game, moment, "7")
    assert one == other
    assert s.key() == before


def test_a_hint_reads_the_view_alone() -> None:
    """What is hidden may be dealt anew: the hint stays the same."""
    game, s, _, side = at_a_plan("rommel", 6)
    other = game.redeal(s, side, Random(5))
    assert other.key() != s.key()
    assert advise(game, moment_of(game, s, side), "1") == advise(game, moment_of(game, other, side), "1")


def test_a_hint_says_whether_its_plan_did_best_or_none_did_surely_better() -> None:
    usual, other = Weighed("usual", 0, [1.0, 2.0]), Weighed("other", 1, [0.0, 3.5])
    assert "did best of 2 plans" in str(_verdict([other, usual]))
    assert "No other of 2 plans" in str(_verdict([usual, other]))


def in_hand(name: str) -> tuple[Game[Any], Any, Any, int, tuple[int, ...]]:
    """A table on which a side has taken a unit in hand as its plan has it, and the table before that."""
    game, s, _, side = at_a_plan(name, 2)
    found = advise(game, moment_of(game, s, side), "3")
    after = s.copy()
    game.apply(after, found.action)
    return game, s, after, side, found.action


def test_a_unit_in_hand_goes_where_the_plan_of_the_phase_sends_it() -> None:
    game, before, s, side, action = in_hand("caucasus")
    assert game.to_act(s) == side
    moment = moment_of(game, s, side, [(before, action)])
    assert moment.opened is not None
    told = advise(game, moment_of(game, before, side), "3")
    found = advise(game, moment, "3")
    assert found.action in game.legal(s)
    first = told.steps[0]
    assert isinstance(first, Text)
    assert found.label == first.facts["what"]


def test_who_has_gone_his_own_way_is_not_told_of_another_plan() -> None:
    game, s, _, side = at_a_plan("rommel", 6)
    option = next(a for a in game.legal(s) if game.text(a).startswith("option basic"))
    after = s.copy()
    game.apply(after, option)
    moment = moment_of(game, after, side, [(s, option)])
    assert moment.opened is not None
    assert list(moment.since) == [option]
    planned = advise(game, moment_of(game, s, side), "3")
    if planned.action[:2] != option[:2]:
        found = advise(game, moment, "3")
        assert not any(str(said) in {str(one) for one in planned.why} for said in found.why)


@pytest.mark.parametrize("name", PLANNED)
def test_every_kind_of_decision_has_a_hint(name: str) -> None:
    game = registry.get(name)
    rng = Random(4)
    s = game.new(game.scenarios()[0].id)
    players = [planner_of(game)(game, rng).light(rng) for _ in game.info.sides]
    dice, seen = QuickDice(rng), set[int]()
    for _ in range(150):
        who = game.to_act(s)
        if who is None:
            break
        if who == CHANCE:
            game.apply(s, game.roll(s, dice).action)
            continue
        kind = s.stack[-1][0]
        if kind not in seen and len(seen) < 3 and len(game.legal(s)) > 1 and not players[who].opens(s, who):
            seen.add(kind)
            assert advise(game, moment_of(game, s, who), "2").action in game.legal(s)
        game.apply(s, players[who].decide(s, who))
    assert seen


@pytest.mark.parametrize("name", PLANNED)
def test_a_hint_spends_about_half_of_what_strong_play_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: so many playouts, and none of them longer than a hint may wait for."""
    game, s, planner, side = at_a_plan(name, AFTER[name])
    monkeypatch.undo()
    asked: list[int] = []

    def counted(game: Any, s: Any, players: Any, rng: Any, until: Any = None, most: int = 20_000) -> int:
        asked.append(most)
        return 0

    for module in (search, hints):
        monkeypatch.setattr(module, "playout", counted)
    plans = len(planner.plans(s, side, levels.HINT.plans))
    advise(game, moment_of(game, s, side), "1")
    least = 2 * plans + hints.FEW  # every plan is tried once in a round, and the best of them has its mean
    assert 0 < len(asked) <= max(least, planner.playouts // 2 + hints.FEW)
    assert set(asked) == {levels.HINT.longest}


def test_a_game_without_a_planner_has_none(toy: Any) -> None:
    assert not has_hints(toy)


def test_a_plan_is_hinted_to_its_end_though_its_first_step_cannot_be_taken_back() -> None:
    """Rommel: the option tells the enemy what is paid, and the moves that it was paid for come after it."""
    game = registry.get("rommel")
    table = Table.new(game, "first_battle", {}, seed=derive_seed("first battle 1"))
    aims = []
    while table.to_act == 0 and not aims[1:] and len(table.entries) < 12:
        moment = moment_of(game, table.state, 0, lately(table))
        found = advise(game, moment, f"plan {len(table.entries) - len(moment.since)}")
        aims.append([said for said in map(str, found.why) if said.startswith("It attacks")])
        table.act(found.action, 0)
    assert aims[0]
    assert aims[1] == aims[0]


def test_what_belongs_to_one_plan_ends_with_dice_and_with_the_other_side() -> None:
    game = registry.get("rommel")
    table = Table.new(game, "first_battle", {}, seed=derive_seed("x"))
    assert lately(table) == []  # the cards were dealt
    table.act(game.parse("option basic 0"))
    [(before, action)] = lately(table)
    assert game.text(action) == "option basic 0"
    assert before.key() == Table.new(game, "first_battle", {}, seed=derive_seed("x")).state.key()
    table.act(game.parse("end-moves"))
    while table.to_act == 0:
        table.act(table.legal()[0])
    table.act(table.legal()[0])
    assert {table.entries[i].by for _, i in table.unbroken()} <= {"commonwealth"}
