"""How victory is reckoned, line by line: the lines are the game's own, and their sums are its points."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.contract import Tally, verdict
from sandtable.engine.ledger import book
from sandtable.engine.texts.text import HOLE, say

SCENARIOS = [(name, scenario.id) for name in registry.names() for scenario in registry.get(name).scenarios()]

SHORT = {
    "rommel": ("1940", "battleaxe", "crusader", "gazala", "pursuit"),
    "caucasus": ("campaign", "tournament"),
    "na41": ("s1_enter_rommel", "s2_campaign", "s3_crusader"),
    "kasserine": ("s0_learning", "s1_historical", "s2_campaign", "s3_kasserine_pass"),
    "asl": ("s01_capuzzo_outpost",),
}
"""Scenarios that players of chance end soon enough to do it here."""


def every(lines: Any) -> Iterator[Tally]:
    for line in lines:
        yield line
        yield from every(line.parts)


def facts_hold(lines: Any) -> None:
    """Sums are sums, what asks for several things has all of them, and every fact has its place."""
    for line in every(lines):
        assert line.rule, line
        if line.parts and line.points is not None:
            assert line.points == sum(part.points or 0 for part in line.parts), line
        if line.parts and line.met:
            assert all(part.met for part in line.parts), line
        for said in (line.text, line.value):
            assert not HOLE.search(say(said)), said
        assert say(line.text), line


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_every_scenario_says_how_victory_stands_from_the_start(name: str, scenario: str) -> None:
    game: Any = registry.get(name)
    s = game.new(scenario, {})
    lines = game.reckoning(s)
    facts_hold(lines)
    ends = [line.ends for line in lines if line.ends is not None]
    assert {end.winner for end in ends} >= {0, 1}, "each side has a way to win"
    assert all(end.rule and end.level for end in ends)
    shelf = book(name)
    assert shelf is not None
    assert {line.rule for line in every(lines)} <= set(shelf.rules), "every line names a rule of the book"


def played_out(game: Any, scenario: str, seed: str) -> Any:
    random = Random(seed)
    s = game.new(scenario, {})
    while game.to_act(s) is not None:
        if game.is_chance(s):
            game.apply(s, game.roll(s, lambda sides: random.randint(1, sides)).action)
        else:
            game.apply(s, game.pick(s, random.random))
    return s


@pytest.mark.parametrize(("name", "scenario"), [(name, one) for name, ids in SHORT.items() for one in ids])
def test_the_line_that_decides_is_the_outcome(name: str, scenario: str) -> None:
    game: Any = registry.get(name)
    s = played_out(game, scenario, f"reckoned {scenario}")
    facts_hold(game.reckoning(s))
    assert verdict(game.reckoning(s)) == game.outcome(s)
