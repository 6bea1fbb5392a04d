"""Looking back: the same each time, chances that are chances, luck that adds up to nothing over all outcomes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.cli import main
from sandtable.engine.contract import CHANCE
from sandtable.engine.log import read_log
from sandtable.engine.table import Table
from sandtable.players.analysis import (
    Analysis,
    Point,
    Work,
    _Analyst,
    _Mark,
    analyse,
    counted,
    line_of,
    logit,
    share,
    thinned,
    turning,
)

GOLDEN = Path(__file__).parents[1] / "golden"
SHORT = GOLDEN / "rommel" / "v1-battleaxe.jsonl"
QUICK = Work(marks=4, playouts=2, actions=2_000, longest=60, decisions=1, rolls=6)


def replayed(path: Path) -> Table[Any]:
    log = read_log(path)
    return Table.replay(log, registry.get(log.header.game))


@pytest.fixture(scope="module")
def found() -> Analysis:
    return analyse(replayed(SHORT), QUICK)


def test_the_curve_goes_from_the_first_plan_to_the_outcome(found: Analysis) -> None:
    table = replayed(SHORT)
    assert found.ended
    assert found.winner == 0
    assert [point.n for point in found.points] == sorted({point.n for point in found.points})
    assert len(found.points) == 5
    assert found.points[-1].n == len(table.entries)
    assert found.points[-1].chance == 1.0
    for point in found.points:
        assert 0.0 <= point.low <= point.chance <= point.high <= 1.0
        assert len(point.lost) == 2
    assert str(found.points[0].label) == "June 1941"
    assert str(found.lost) == "Blocks lost"
    assert found.points[-1].luck == pytest.approx(found.luck)


def test_the_same_save_gives_the_same_analysis(found: Analysis) -> None:
    told: list[tuple[int, int]] = []
    assert analyse(replayed(SHORT), QUICK, progress=lambda done, todo: told.append((done, todo))) == found
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize(
    "path", [SHORT, GOLDEN / "caucasus" / "v1-tournament.jsonl"], ids=lambda path: path.parent.name
)
def test_luck_is_nothing_in_the_mean_of_all_outcomes(path: Path) -> None:
    table = replayed(path)
    game = table.game
    analyst = _Analyst(table, QUICK, "1", None)
    state = game.new(table.header.scenario, table.header.options)
    asked = 0
    for _, who, action in line_of(table):
        if who == CHANCE and 1 < len(chances := list(game.chances(state))) <= 6:
            gifts = [(float(p), analyst.fortune(state, one, 0.5, "1")) for one, p in chances]
            weights = [(p, logit(0.5 + gift)) for p, gift in gifts]
            assert sum(p * weight for p, weight in weights) == pytest.approx(0.0, abs=1e-6)
            asked += 1
            if asked == 2:
                break
        game.apply(state, action)
    assert asked


def test_what_the_same_rolls_would_have_given_needs_no_scale() -> None:
    """Twice the scale is half the luck in chance, but as many games in which the dice were worse."""
    shares = set()
    for scale in (1.0, 2.0):
        table = replayed(SHORT)
        analyst = _Analyst(table, QUICK, "1", None)
        analyst.front.scale *= scale
        told = Analysis()
        analyst._luck([], [], told)
        assert told.better is not None
        assert 0.0 < told.better < 1.0
        shares.add(round(told.better, 9))
    assert len(shares) == 1


@pytest.mark.parametrize(("fell", "better"), [(0, 0.0), (1, 1.0)])
def test_a_roll_is_set_against_all_that_could_have_fallen(fell: int, better: float) -> None:
    """A die that could only be bad or good: by one deviation below or above what was to be expected."""
    analyst = _Analyst(replayed(SHORT), QUICK, "1", None)
    analyst.game = Coin()  # type: ignore[assignment]
    analyst._after = lambda s, action, seed: float(action[0])  # type: ignore[method-assign]
    gain, variance = analyst.rolled(None, (fell,), "1")
    assert gain == pytest.approx(better - 0.5)
    assert variance == pytest.approx(0.25)


class Coin:
    """Heads or tails."""

    def chances(self, s: Any) -> list[tuple[tuple[int, ...], Fraction]]:
        return [((face,), Fraction(1, 2)) for face in range(2)]


def test_what_was_taken_back_is_not_looked_back_at() -> None:
    game = registry.get("caucasus")
    table = Table.new(game, "tournament", seed=bytes(32))
    while game.to_act(table.state) is not None and len(table.legal()) == 1:
        table.act(table.legal()[0])
    before = line_of(table)
    side = game.to_act(table.state)
    assert side is not None
    table.act(table.legal()[0])
    assert line_of(table)[: len(before)] == before
    if table.can_undo(side):
        table.undo(side)
        assert line_of(table) == before
    assert len(table.entries) > len(before)


def test_turning_points_are_the_great_changes_in_order() -> None:
    def point(n: int, chance: float, luck: float = 0.0) -> Point:
        return Point(n, "", chance, chance, chance, luck, [])

    some = turning([point(1, 0.5), point(2, 0.55), point(3, 0.8, 0.2), point(4, 0.4, 0.1), point(5, 0.41)])
    assert [(one.start, one.end) for one in some] == [(2, 3), (3, 4)]
    assert some[0].luck == pytest.approx(0.2)
    assert some[1].luck == pytest.approx(-0.1)


def test_chances_are_counted_with_an_interval() -> None:
    sure, wide = counted([1.0] * 3)
    assert 0.8 < sure < 1.0
    assert wide > counted([1.0] * 30)[1]
    assert counted([0.0, 1.0])[0] == 0.5
    assert share(logit(0.3)) == pytest.approx(0.3)


def test_marks_are_thinned_evenly() -> None:
    marks = [_Mark(n, n, 0, None) for n in range(50)]
    some = thinned(marks, 5)
    assert [mark.n for mark in some] == [0, 12, 24, 37, 49]
    assert thinned(marks[:3], 5) == marks[:3]


def test_the_command_line_tells_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    quick = ["--marks", "2", "--playouts", "1", "--decisions", "1"]
    assert main(["analyse", str(SHORT), *quick]) == 0
    told = capsys.readouterr().out
    assert "The dice gave Axis" in told
    assert "of games the same rolls would have served Axis worse." in told
    assert "June 1941" in told
    assert main(["analyse", str(SHORT), "--marks", "1"]) == 1
    assert "--marks takes 2 or more, not 1" in capsys.readouterr().err
    assert main(["analyse", str(tmp_path / "none.jsonl")]) == 1
    assert "none.jsonl" in capsys.readouterr().err


def test_games_are_played_on_with_the_same_dice_for_both_plans() -> None:
    """Two plans are compared on equal terms: the same table played on twice with one seed comes to the same."""
    table = replayed(SHORT)
    analyst = _Analyst(table, QUICK, "1", None)
    state = table.game.new(table.header.scenario, table.header.options)
    for _, who, action in line_of(table):
        if who != CHANCE:
            break
        table.game.apply(state, action)
    seeds = [str(Random(i).random()) for i in range(3)]
    assert [analyst.played_on(state, seed) for seed in seeds] == [analyst.played_on(state, seed) for seed in seeds]
