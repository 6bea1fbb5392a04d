"""Scenarios whose data were corrected: games begun before go on with what they were begun with."""

from __future__ import annotations

import pytest

from sandtable.engine.migrations import RULINGS
from sandtable.games.asl.boards.pack import asl_pack
from sandtable.games.asl.game import EDITION, GAME
from sandtable.games.asl.table.counters import BEFORE
from sandtable.games.asl.table.stage import stage

CORRECTED = sorted(name for name, one in asl_pack().scenarios.items() if BEFORE in one)


def begun(scenario: str, version: int, **options: bool) -> str:
    marks = {} if version == EDITION else {f"{RULINGS}{version}": True}
    return GAME.new(scenario, {**options, **marks}).stage.scenario


@pytest.mark.parametrize("scenario", CORRECTED)
def test_older_games_keep_the_conditions_that_they_were_begun_with(scenario: str) -> None:
    assert begun(scenario, EDITION) == scenario
    assert begun(scenario, 3) == f"{scenario}+before"
    now, was = stage(scenario).script["victory"], stage(f"{scenario}+before").script["victory"]
    assert now["at_end"] != was["at_end"]
    assert now["text"] != was["text"]
    assert now["winner"] == was["winner"]


def test_turns_and_what_ended_a_game_at_once_are_kept_too() -> None:
    assert stage("s03_nibeiwa").turns == 11
    assert stage("s03_nibeiwa+before").turns == 8
    assert "immediate" not in stage("s09_snipe").script["victory"]
    assert stage("s09_snipe+before").script["victory"]["immediate"][0]["at_least"] == 95


def test_the_balance_is_laid_over_it() -> None:
    assert begun("s05_hafid_ridge", 2, balance_axis=True) == "s05_hafid_ridge+before+axis"
    assert begun("s01_capuzzo_outpost", 2, balance_axis=True) == "s01_capuzzo_outpost+axis"
