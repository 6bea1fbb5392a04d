"""Rows of series as JSON Lines and as Parquet: the same games, and said before anything is played if they cannot be."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sandtable.cli import main
from sandtable.engine.contract import Action, Game
from sandtable.engine.seats import Seat
from sandtable.players import balance


class Last:
    """A player of one's own: it takes the last of its actions."""

    def __init__(self, game: Game[Any], rng: Any) -> None:
        self.game = game

    def choose(self, seat: Seat) -> Action:
        return seat.legal[-1]


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_a_player_of_ones_own_is_named_by_where_python_finds_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, name = tmp_path / "rows.jsonl", f"{__name__}:Last"
    words = [command, "rommel", "battleaxe", "--games", "2", "--players", f"random,{name}", "--rows", str(path)]
    assert main(words) == 0
    rows = rows_of(path)
    assert [row["game"] for row in rows] == [0, 1]
    assert all(sorted(row["seats"].values()) == ["random", name] for row in rows)
    assert main([command, "rommel", "--games", "1", "--players", "random,no.such:Player"]) == 1
    assert "no player is found at 'no.such:Player'" in capsys.readouterr().err


def test_parquet_holds_the_rows_of_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'sandtable[parquet]'")
    from sandtable.research.parquet import read_parquet

    lines, columns = tmp_path / "rows.jsonl", tmp_path / "rows.parquet"
    words = ["simulate", "rommel", "battleaxe", "--games", "3", "--seed", "4"]
    for path in (lines, columns):
        assert main([*words, "--rows", str(path)]) == 0
    assert read_parquet(columns) == balance.read_rows(lines)
    capsys.readouterr()
    told = []
    for path in (lines, columns):
        assert main(["balance", str(path), "--json"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    (tmp_path / "other.parquet").write_bytes(b"PAR1 is how it begins")
    assert main(["balance", str(tmp_path / "other.parquet")]) == 1
    assert "these are no rows of a series" in capsys.readouterr().err


def test_what_is_missing_is_said_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "sandtable.research.parquet", raising=False)
    path = tmp_path / "rows.parquet"
    for words in (["simulate", "rommel"], ["tournament", "rommel"]):
        assert main([*words, "--games", "100000", "--rows", str(path)]) == 1
        assert "pip install 'sandtable[parquet]'" in capsys.readouterr().err
        assert main([*words, "--games", "100000", "--rows", str(tmp_path / "none" / "rows.jsonl")]) == 1
        assert "there is no such folder" in capsys.readouterr().err
    path.write_bytes(b"")
    assert main(["balance", str(path)]) == 1
    assert "pip install 'sandtable[parquet]'" in capsys.readouterr().err
