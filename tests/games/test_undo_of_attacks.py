"""An attack chosen by mistake can be taken back alone, before any die or reveal: after a reload too."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from sandtable import registry
from sandtable.engine.flat import same
from sandtable.engine.table import Table

MUSTERS = {"caucasus": ("attack", "crush"), "na41": ("attack", "crush")}
"""The verbs that begin a fight and lead to the question who takes part."""


@pytest.mark.parametrize("name", MUSTERS)
def test_who_chose_an_attack_may_choose_again(name: str, tmp_path: Path) -> None:
    seen = 0
    for seed in range(8):
        seen += taken_back(name, seed, tmp_path / "game.log")
        if seen >= 3:
            break
    assert seen >= 3


def taken_back(name: str, seed: int, log: Path) -> int:
    """How many attacks of one random game were begun and taken back, as it stood and from its save."""
    game, rng = registry.get(name), Random(seed)
    table = Table.new(game, game.scenarios()[0].id, seed=bytes([seed] * 32))
    seen = 0
    for _ in range(900):
        side = table.to_act
        if side is None or seen == 3:
            break
        legal = table.legal()
        begin = [action for action in legal if game.text(action).split()[0] in MUSTERS[name]]
        if not begin:
            table.act(rng.choice(legal))
            continue
        before = table.state.copy()
        table.act(begin[0])
        if table.to_act != side:  # the other side, or dice, come at once
            continue
        seen += 1
        table.save(log)
        for one in (table, Table.load(log, registry.get)):
            assert one.can_undo(side)
            one.undo(side)
            assert same(one.state, before)
        table.act(rng.choice(legal))
    return seen
