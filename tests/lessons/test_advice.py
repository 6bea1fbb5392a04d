"""Every question of every game says what it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import registry, texts
from sandtable.engine.packs.faults import PackError
from sandtable.engine.table import Table
from sandtable.lessons import advice


@pytest.mark.parametrize("name", registry.names())
def test_every_step_that_asks_has_advice_and_no_other(name: str) -> None:
    game = registry.get(name)
    told = advice.read_advice(game, texts.home(game) / "data" / "advice.toml")
    assert set(told) == {step.__name__ for step in advice.steps(game) if advice.asks(step)}
    for text in told.values():
        assert text.endswith("."), text
        assert len(text) <= 170, text


@pytest.mark.parametrize("name", registry.names())
def test_whoever_decides_is_advised(name: str) -> None:
    game = registry.get(name)
    table = Table.new(game, game.scenarios()[0].id, {}, seed=bytes(32))
    for _ in range(40):
        assert advice.advice(game, table.state)
        table.act(table.legal()[-1])


def test_a_fault_says_where_and_why(tmp_path: Path) -> None:
    path = tmp_path / "advice.toml"
    for text, line, fault in (
        ('[[advice]]\nstep = "Dance"\ntext = "Do."\n', 2, "no step 'Dance'"),
        ('[[advice]]\nstep = "Moves"\n', 1, "a step and a text"),
        ('[[advice]]\nstep = "Moves"\ntext = "A."\n[[advice]]\nstep = "Moves"\ntext = "B."\n', 5, "already"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(PackError, match=fault) as error:
            advice.read_advice(registry.get("rommel"), path)
        assert error.value.line == line
