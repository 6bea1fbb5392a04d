"""Whole games between computer players, kept for ever: every one must replay to its recorded end, dice and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import registry

SAVES = sorted(Path(__file__).parent.glob("*/*.jsonl"))


def test_there_are_games_to_replay() -> None:
    assert {path.parent.name for path in SAVES} == set(registry.names())


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kept_game_replays_to_its_end(path: Path) -> None:
    report = registry.verify_save(path)
    assert report.ok, report.problems
    assert not report.notes
    table = registry.load_table(path)
    assert table.state.ended is not None
    assert registry.get(path.parent.name).invariants(table.state) == []  # type: ignore[attr-defined]
