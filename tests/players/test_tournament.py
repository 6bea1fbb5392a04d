"""Tournaments: everybody against everybody, the same games on any number of processes, ratings that make sense."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sandtable import registry
from sandtable.cli import main
from sandtable.players.simulate import KEPT, simulate
from sandtable.players.tournament import interval, ratings, standings, tournament
from tests.toygame import ToyGame


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: ToyGame) -> None:
    monkeypatch.chdir(tmp_path)


def test_everybody_meets_everybody_on_both_sides() -> None:
    found = tournament("toy", ["random", "first", "tests.toygame:Last"], 8, rows="rows.jsonl")
    assert [pair["players"] for pair in found["pairs"]] == [
        ["random", "first"], ["random", "tests.toygame:Last"], ["first", "tests.toygame:Last"],
    ]  # fmt: skip
    assert found["games"] == 24
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    assert [row["game"] for row in rows] == list(range(24))
    assert len({row["seed"] for row in rows}) == 24
    first = [row["seats"]["red"] for row in rows[:8]]
    assert sorted(first) == ["first"] * 4 + ["random"] * 4
    assert sum(one["score"] for one in found["standings"]) == 24
    assert sum(one["elo"] for one in found["standings"]) == pytest.approx(0, abs=2)


def test_the_same_games_on_any_number_of_processes() -> None:
    one = tournament("toy", ["random", "first"], 30, rows="one.jsonl")
    assert tournament("toy", ["random", "first"], 30, jobs=2, rows="two.jsonl") == one
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()


def broken_off(done: int, games: int) -> None:
    if done == 3:
        raise KeyboardInterrupt


def test_what_was_played_is_written_where_a_series_is_broken_off() -> None:
    simulate("toy", games=8, seed=9, rows="whole.jsonl")
    with pytest.raises(KeyboardInterrupt):
        simulate("toy", games=8, seed=9, rows="part.jsonl", progress=broken_off)
    assert Path("part.jsonl").read_text().splitlines() == Path("whole.jsonl").read_text().splitlines()[:3]
    tournament("toy", ["random", "first"], 8, rows="whole.jsonl")
    with pytest.raises(KeyboardInterrupt):
        tournament("toy", ["random", "first"], 8, rows="part.jsonl", progress=broken_off)
    assert Path("part.jsonl").read_text().splitlines() == Path("whole.jsonl").read_text().splitlines()[:3]


@pytest.mark.parametrize("series", [simulate, partial(tournament, players=["random", "first"])])
def test_what_was_played_stands_there_while_a_series_goes_on(series: Any) -> None:
    found: list[int] = []

    def look(done: int, of: int) -> None:
        rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
        assert [row["error"] for row in rows] == [None] * len(rows)
        found.append(done - len(rows))

    series("toy", games=60, seed=9, rows="rows.jsonl", progress=look)
    assert len(found) == 60
    assert max(found) <= 60 // KEPT
    assert min(found) == 0
    assert not Path("rows.jsonl.part").exists()


def test_rows_of_a_series_can_be_played_again() -> None:
    simulate("toy", games=5, seed=9, rows="rows.jsonl")
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    assert [row["game"] for row in rows] == [0, 1, 2, 3, 4]
    assert all(row["decisions"] > 0 and row["error"] is None for row in rows)


def test_ratings_follow_the_results() -> None:
    results = [(0, 1, 1.0)] * 30 + [(0, 1, 0.0)] * 10
    one, other = ratings(2, results)
    assert one - other == pytest.approx(186, abs=12)  # three to one is 191 points; the games beforehand draw it in
    first, second = standings(["a", "b"], results)
    assert (first.player, first.games, first.score) == ("a", 40, 30.0)
    assert first.low < first.elo < first.high
    assert second.elo == pytest.approx(-first.elo)
    assert ratings(2, [(0, 1, 1.0)] * 5)[0] < 400  # who has won everything still gets a number


def test_intervals() -> None:
    low, high = interval(33, 40)
    assert (round(low, 2), round(high, 2)) == (0.68, 0.91)
    assert interval(0, 0) == (0.0, 1.0)


def test_bad_wishes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--players", "random"], ["--players", "random,random"], ["--players", "random,no.where:Nobody"]):
        assert main(["tournament", "toy", *words]) != 0
        assert capsys.readouterr().err.startswith("sandtable: ")
    with pytest.raises(LookupError, match="no player is found at"):
        registry.player(registry.get("toy"), "sandtable.nothing:Here")


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "toy", "--players", "random,first", "--games", "4", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 4
    assert main(["tournament", "toy", "--players", "random,first", "--games", "4"]) == 0
    assert "random against first" in capsys.readouterr().out
