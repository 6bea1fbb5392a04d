"""The page before the first move: every scenario of every game has one, and its facts are the game's."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import registry, texts
from sandtable.engine.ledger import book
from sandtable.engine.packs import pack_of
from sandtable.engine.packs.briefings import briefings

SCENARIOS = [(name, scenario.id) for name in registry.names() for scenario in registry.get(name).scenarios()]


@pytest.mark.parametrize("name", registry.names())
def test_every_scenario_has_its_briefing(name: str) -> None:
    game: Any = registry.get(name)
    assert sorted(briefings(texts.home(game))) == sorted(scenario.id for scenario in game.scenarios())


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_a_briefing_is_whole(name: str, scenario: str) -> None:
    game: Any = registry.get(name)
    found = briefings(texts.home(game))[scenario]
    assert len(found.situation) > 60
    assert sorted(found.aims) == sorted(game.info.sides)
    assert all(len(aim) > 20 for aim in found.aims.values())
    shelf = book(name)
    assert shelf is not None
    assert [note.rule for note in found.special if note.rule not in shelf.rules] == []
    pack = pack_of(game, scenario)
    assert pack is not None
    assert found.arrows
    for arrow in found.arrows:
        assert arrow.side in game.info.sides
        assert len(arrow.path) >= 2
        assert [hex for hex in arrow.path if hex not in pack.grid.index] == []
