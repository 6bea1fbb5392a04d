"""Balance: counted from rows, each game once, of those in which both sides were played alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandtable.cli import main
from sandtable.players import balance
from sandtable.players.simulate import simulate

DOCS = Path(__file__).parents[2] / "docs"


def row(
    seed: int, winner: str | None, players: tuple[str, str] = ("planner", "planner"), error: str | None = None
) -> Any:
    seats = dict(zip(("axis", "soviet"), players, strict=True))
    known = {"rules": "caucasus", "scenario": "tournament", "seed": f"{seed}", "seats": seats}
    return {"game": seed, **known, "winner": winner, "error": error}


ROWS = [
    *(row(seed, "axis" if seed < 6 else "soviet") for seed in range(20)),
    row(20, None),
    row(3, "axis"),  # the same game again
    row(30, "axis", ("strong", "planner")),
    row(31, "axis", error="stuck"),
]


def test_games_are_counted_once_and_only_between_equals() -> None:
    (one,) = balance.counts(ROWS)
    assert (one.game, one.scenario, one.player, one.games) == ("caucasus", "tournament", "planner", 21)
    assert one.wins == {"axis": 6, "draw": 1, "soviet": 14}
    assert one.share == pytest.approx(6.5 / 21)
    low, high = one.between
    assert 0.1 < low < one.share < high < 0.6


def test_the_lobby_is_told_of_the_best_players_if_there_are_enough_games(monkeypatch: pytest.MonkeyPatch) -> None:
    some = balance.Count("caucasus", "tournament", "planner", 20, {"axis": 9, "soviet": 11})
    few = some._replace(player="patient", games=19)
    better = some._replace(player="strong")
    monkeypatch.setattr(balance, "known", lambda: (some, few, better))
    assert balance.told("caucasus", "tournament") == better
    assert balance.told("caucasus", "campaign") is None


def test_data_and_page_say_what_was_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, data, page = tmp_path / "rows.jsonl", tmp_path / "balance.json", tmp_path / "balance.md"
    rows.write_text("".join(json.dumps(one) + "\n" for one in ROWS))
    assert main(["balance", str(rows), "--data", str(data), "--page", str(page)]) == 0
    assert "axis 31 %" in capsys.readouterr().out
    assert [balance.Count(**one) for one in json.loads(data.read_text())] == balance.counts(ROWS)
    assert "| `planner` | 21 | Axis | 31 % | 15 to 52 % |" in page.read_text()
    assert json.loads(balance.data_text([])) == []


def test_the_page_says_where_one_side_wins_most_games() -> None:
    even = balance.Count("caucasus", "tournament", "planner", 20, {"axis": 6, "soviet": 14})
    leaning = even._replace(scenario="campaign", wins={"axis": 3, "soviet": 17})
    assert "One side" not in balance.page([even])
    told = balance.page([even, leaning]).partition("One side scored more than 70 % in:")[2]
    assert told.split()
    assert told.count("\n- ") == 1
    assert "Soviet, 85 % between `planner` and `planner`" in told


def test_a_later_series_adds_to_what_was_counted_and_counts_no_game_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, data = tmp_path / "rows.jsonl", tmp_path / "balance.json"
    (before,) = balance.counts(ROWS)
    monkeypatch.setattr(balance, "known", lambda: (before,))
    rows.write_text("".join(json.dumps(one) + "\n" for one in [*ROWS, row(40, "axis"), row(41, None)]))
    assert main(["balance", str(rows), "--add", "--data", str(data)]) == 0
    (one,) = (balance.Count(**one) for one in json.loads(data.read_text()))
    assert (one.games, one.wins) == (23, {"axis": 7, "draw": 2, "soviet": 14})
    assert balance.counts(ROWS, [one]) == [one]
    assert balance.counts([], [one._replace(seeds="")]) == [one._replace(seeds="")]
    capsys.readouterr()


def test_rows_of_a_series_can_be_counted(tmp_path: Path) -> None:
    simulate("rommel", "battleaxe", games=2, rows=tmp_path / "rows.jsonl")
    (one,) = balance.counts(balance.read_rows(tmp_path / "rows.jsonl"))
    assert (one.game, one.player, one.games) == ("rommel", "random", 2)


def test_a_line_that_is_no_row_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(ROWS[0]) + "\n{}\n")
    assert main(["balance", str(bad)]) == 1
    assert "bad.jsonl:2: the row does not say error, rules" in capsys.readouterr().err
    bad.write_text("nonsense\n")
    assert main(["balance", str(bad)]) == 1
    assert "bad.jsonl:1: this is no row" in capsys.readouterr().err


def test_the_page_of_the_documentation_is_that_of_the_data() -> None:
    assert (DOCS / "balance.md").read_text(encoding="utf-8") == balance.page(balance.known())
