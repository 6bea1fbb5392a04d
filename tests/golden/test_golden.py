"""Whole games between computer players, kept for ever: every one must replay to its recorded end, dice and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import registry
from sandtable.engine.log import read_log

SAVES = sorted(Path(__file__).parent.glob("*/*.jsonl"))


def test_there_are_games_to_replay() -> None:
    assert {path.parent.name for path in SAVES} == set(registry.names())


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kept_game_replays_to_its_end(path: Path) -> None:
    begun, now = read_log(path).header.version, registry.get(path.parent.name).version
    report = registry.verify_save(path)
    assert report.ok, report.problems
    assert report.notes == ([] if begun == now else [f"played under version {begun}, replayed under {now}"])
    table = registry.load_table(path)
    assert table.state.ended is not None
    assert registry.get(path.parent.name).invariants(table.state) == []  # type: ignore[attr-defined]
