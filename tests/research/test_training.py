"""The training example: two updates of it, where torch is installed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from sandtable import registry
from sandtable.engine.dice import derive_seed
from sandtable.players.match import play

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'sandtable[learning]'")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    sys.path.insert(0, str(EXAMPLES))
    yield import_module("train_gazala")
    sys.path.remove(str(EXAMPLES))


def test_two_updates_move_the_network_and_leave_a_player(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, curve, drawn = tmp_path / "gazala.pt", tmp_path / "curve.json", tmp_path / "curve.svg"
    words = ["--updates", "2", "--games", "2", "--final", "2", "--scenario", "battleaxe"]
    report = example.main([*words, "--weights", str(weights), "--curve", str(curve), "--picture", str(drawn)])
    assert [one["games"] for one in report["curve"]] == [2, 2]
    assert report["games"] == 4
    assert report["final"]["both"]["games"] == 2
    assert json.loads(curve.read_text())["curve"] == report["curve"]
    ElementTree.parse(drawn)
    torch.manual_seed(1)
    begun = example.Policy(registry.get("rommel")).state_dict()
    learnt = torch.load(weights, weights_only=True)
    assert any(not torch.equal(begun[name], learnt[name]) for name in begun)
    monkeypatch.setenv("GAZALA_WEIGHTS", str(weights))
    game = registry.get("rommel")
    match = play(game, "battleaxe", [example.Trained, registry.player(game, "random")], derive_seed(3))
    assert match.outcome is not None


def test_training_that_is_broken_off_leaves_what_was_learnt(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, curve = tmp_path / "gazala.pt", tmp_path / "curve.json"
    play_on, played = example.Seats.play, list[int]()

    def stopped(seats: Any, *words: Any) -> Any:
        if played:
            raise KeyboardInterrupt
        played.append(1)
        return play_on(seats, *words)

    monkeypatch.setattr(example.Seats, "play", stopped)
    with pytest.raises(KeyboardInterrupt):
        example.main(["--updates", "3", "--games", "2", "--weights", str(weights), "--curve", str(curve)])
    assert [one["games"] for one in json.loads(curve.read_text())["curve"]] == [2]
    assert weights.exists()


def test_what_was_not_forecast_is_credited_to_the_choices_before_it(example: Any) -> None:
    def choice(worth: float) -> Any:
        return example.Choice({}, 0, 0.0, worth)

    won = example.Episode(0, [choice(0.0), choice(0.0), choice(0.9)], [0.0, 0.0, 1.0])
    late, later, last = example.credits(won)
    assert last == pytest.approx(0.1)
    assert later == pytest.approx(0.9 + example.LOOK_AHEAD * 0.1)
    assert late == pytest.approx(example.LOOK_AHEAD * later)


def test_only_what_may_be_chosen_is_drawn(example: Any) -> None:
    game = registry.get("rommel")
    seat = example._Seat(example.Seats(game, "battleaxe", example.Policy(game), 1), 0)
    torch.manual_seed(2)
    logits, _ = example.Policy(game)(example.stacked([seat.asks()]))
    chances = torch.softmax(logits[0], 0).detach().double().numpy()
    rng = Random(1)
    drawn = {example._drawn(chances, rng.random()) for _ in range(200)} | {example._drawn(chances, 0.0)}
    assert drawn <= set(seat.desk.choices())
    assert len(drawn) > 1
