"""Series of games: counted right, the same on any number of processes, errors kept and survived."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandtable import registry
from sandtable.players.simulate import Series, labels, simulate
from tests.toygame import ToyGame

KEYS = [
    "game", "scenario", "games", "finished", "errors", "decisions", "seconds", "decisions_per_second",
    "games_per_second", "wins", "mean_length",
]  # fmt: skip


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: ToyGame) -> None:
    """Saves of errors fall into the current folder."""
    monkeypatch.chdir(tmp_path)


def counted(result: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in result.items() if "second" not in key}


def test_the_report() -> None:
    result = simulate("toy", "close", games=40, seed=3)
    assert list(result) == KEYS
    assert json.loads(json.dumps(result)) == result
    assert (result["game"], result["scenario"]) == ("toy", "close")
    assert (result["games"], result["finished"], result["errors"]) == (40, 40, 0)
    assert list(result["wins"]) == ["red", "blue", "draw"]
    assert sum(result["wins"].values()) == 40
    assert all(result["wins"].values())
    assert result["mean_length"] == round(result["decisions"] / 40, 1)
    assert result["decisions_per_second"] > 0
    assert not Path("saves").exists()


def test_the_same_arguments_give_the_same_games_on_any_number_of_processes() -> None:
    one = simulate("toy", games=50, seed=3, swap=True)
    assert counted(simulate("toy", games=50, seed=3, swap=True, jobs=2)) == counted(one)
    assert counted(simulate("toy", games=50, seed=4, swap=True)) != counted(one)


def test_all_scenarios_in_turn() -> None:
    result = simulate("toy", games=21)
    assert result["scenario"] == "all"
    assert {name: sum(wins.values()) for name, wins in result["by_scenario"].items()} == {
        "line": 11,
        "close": 10,
    }


def test_players_and_sides_change_over() -> None:
    """Seats change from game to game, so that every player has every side in every scenario equally often."""
    series = Series("toy", ("line", "close"), 8, 1, ("first", "random"), swap=True)
    assert [series.seats(n) for n in range(6)] == [[0, 1], [0, 1], [1, 0], [1, 0], [0, 1], [0, 1]]
    fixed = Series("toy", ("line",), 8, 1, ("first", "random"))
    assert [fixed.seats(n) for n in range(3)] == [[0, 1]] * 3
    result = simulate("toy", "close", games=40, players=("first", "random"), swap=True)
    assert list(result["player_wins"]) == ["first", "random", "draw"]
    assert sum(result["player_wins"].values()) == 40
    assert result["player_wins"]["draw"] == result["wins"]["draw"]
    assert labels(["random", "random"]) == ["random 1", "random 2"]


def test_wins_go_to_the_player_who_won() -> None:
    result = simulate("toy", "close", games=20, players=("first", "random"), swap=True, save_dir="all")
    wins = {"first": 0, "random": 0, "draw": 0}
    for path in Path("all").iterdir():
        table = registry.load_table(path)
        outcome = table.game.outcome(table.state)
        assert outcome is not None
        winner = outcome.winner
        wins["draw" if winner is None else table.header.players[table.header.sides[winner]]] += 1
    assert wins == result["player_wins"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_saves_verify(jobs: int) -> None:
    simulate("toy", games=12, jobs=jobs, save_dir="all", seed=9)
    saves = sorted(Path("all").iterdir())
    assert len(saves) == 12
    assert saves[0].name == "toy-close-9-1.jsonl"
    for path in saves:
        report = registry.verify_save(path)
        assert report.ok, report.problems
        assert not report.notes


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_are_counted_and_kept_and_the_run_goes_on(jobs: int) -> None:
    result = simulate("broken", games=30, jobs=jobs)
    assert result["errors"] > 3
    assert result["finished"] > 3
    assert result["errors"] + result["finished"] == result["games"] == 30
    assert sum(result["wins"].values()) == result["finished"]
    assert len(result["faults"]) == result["errors"]
    for fault in result["faults"]:
        assert fault["error"] == "ZeroDivisionError: the third turn"
        report = registry.verify_save(fault["save"])
        assert "ZeroDivisionError: the third turn" in report.problems[0]
    assert len(list(Path("saves").iterdir())) == result["errors"]


def test_an_error_that_cannot_even_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("saves").write_text("a file where the folder should be")
    result = simulate("broken", games=30)
    assert result["errors"] > 3
    assert result["finished"] > 3
    assert all("not_saved" in fault for fault in result["faults"])


def test_endless_games_are_errors() -> None:
    result = simulate("toy", "line", games=3, limit=10)
    assert (result["errors"], result["finished"], result["mean_length"]) == (3, 0, 0.0)
    assert result["decisions"] > 0


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    simulate("toy", games=5, progress=lambda done, all_: told.append((done, all_)))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_options_are_used() -> None:
    short = simulate("toy", "line", games=20)["mean_length"]
    assert simulate("toy", "line", games=20, options={"long": True})["mean_length"] > short + 5


def test_wrong_names_are_told_before_anything_is_played() -> None:
    with pytest.raises(registry.UnknownName, match="did you mean toy"):
        simulate("tooy")
    with pytest.raises(registry.UnknownName, match="did you mean close"):
        simulate("toy", "clos")
    with pytest.raises(registry.UnknownName, match="did you mean random"):
        simulate("toy", players=("random", "randon"))
    with pytest.raises(ValueError, match="toy has 2 sides, but 1 players were named"):
        simulate("toy", players=("random",))
