"""The first battle after a lesson: short, and won by who plays as the hints do, but not by who does nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.dice import derive_seed
from sandtable.engine.seats import seat_at
from sandtable.engine.table import Table
from sandtable.lessons.form import lessons

GAMES = registry.names()
ENDS = ("pass", "end", "done", "none", "decline", "no", "accept", "declared", "marches", "halt", "hold")


def fought(name: str, seed: str, idle: bool) -> tuple[bool, int]:
    """Whether the learner wins the battle, by the planner or by ending all that can end, and how often he was asked."""
    game: Any = registry.get(name)
    [lesson] = lessons(game).values()
    battle = lesson.battle
    side = game.info.sides.index(battle.side)
    table = Table.new(game, battle.scenario, {}, seed=derive_seed(seed))
    players = [
        registry.player(game, "planner" if one == side else "easy")(game, Random(f"{seed} {one}")) for one in (0, 1)
    ]
    asked = 0
    while (who := table.to_act) is not None:
        action = None
        if who == side:
            legal = table.legal()
            asked += len(legal) > 1
            if idle:
                action = next((one for start in ENDS for one in legal if game.text(one).startswith(start)), legal[0])
        table.act(action or players[who].choose(seat_at(game, table.state, who)), who)
    outcome = game.outcome(table.state)
    assert outcome is not None
    assert outcome.rule
    return outcome.winner == side, asked


@pytest.mark.parametrize("name", GAMES)
def test_a_first_battle_is_won_in_few_decisions(name: str) -> None:
    won, asked = fought(name, "first battle 1", idle=False)
    assert won
    assert asked <= 100


@pytest.mark.parametrize("name", GAMES)
def test_it_is_not_won_by_doing_nothing(name: str) -> None:
    assert not fought(name, "first battle 1", idle=True)[0]
