"""Glicko-2: the worked example of its paper, and what must hold of any rating."""

from __future__ import annotations

from math import isfinite
from random import Random

import pytest

from sandtable.server.people.glicko import MIDDLE, UNSURE, Met, Rating, rated, waited
from sandtable.server.people.ratings import Known, Played, counted, counts, results, score_of

WEEK = 7 * 86400.0


def test_the_worked_example_of_the_paper() -> None:
    """Glickman, "Example of the Glicko-2 system": one win and two losses in a period."""
    met = [Met(Rating(1400, 30), 1), Met(Rating(1550, 100), 0), Met(Rating(1700, 300), 0)]
    new = rated(Rating(1500, 200, 0.06), met)
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)
    assert rated(Rating(1500, 200, 0.06), met[::-1]) == pytest.approx(new)


def test_time_alone_makes_less_sure() -> None:
    """Step 6 of the paper: a period without a game."""
    own = Rating(1700, 80, 0.06)
    later = rated(own, [])
    assert later == waited(own, 1.0)
    assert later.rating == own.rating
    assert later.deviation == pytest.approx((80**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert waited(own, 0.0).deviation == pytest.approx(80)
    assert waited(own, 1e9).deviation == UNSURE


def test_a_win_lifts_and_a_loss_lowers_and_a_draw_is_between() -> None:
    own, other = Rating(1600, 90), Rating(1550, 120)
    won, drawn, lost = (rated(own, [Met(other, score)]).rating for score in (1, 0.5, 0))
    assert lost < drawn < own.rating < won
    assert rated(own, [Met(other, 1)]).deviation < waited(own, 1.0).deviation


def test_an_upset_makes_restless() -> None:
    """Who loses twenty times to somebody far weaker does not play steadily: the other way of step 5."""
    own = Rating(2200, 40, 0.06)
    new = rated(own, [Met(Rating(1200, 40), 0)] * 20)
    assert new.volatility > own.volatility
    assert new.rating < own.rating


def test_any_numbers_give_a_rating() -> None:
    rng = Random(4)
    for _ in range(400):
        own = Rating(rng.uniform(0, 3500), rng.uniform(20, 350), rng.uniform(0.02, 0.2))
        met = [
            Met(Rating(rng.uniform(0, 3500), rng.uniform(20, 350)), rng.choice((0, 0.5, 1)))
            for _ in range(rng.randint(1, 30))
        ]
        new = rated(own, met, rng.uniform(0, 60))
        assert all(isfinite(value) for value in new)
        assert 0 < new.deviation <= UNSURE
        assert 0 < new.volatility < 1


# Games of this server


def game(winner: str | None, *sides: str, at: float = WEEK) -> Played:
    return Played("g", "toy", at, tuple((side, side.upper()) for side in sides), winner)


def test_two_sides_meet_once() -> None:
    assert results(game("a", "a", "b")) == {"A": [("B", 1.0)], "B": [("A", 0.0)]}
    assert results(game(None, "a", "b")) == {"A": [("B", 0.5)], "B": [("A", 0.5)]}
    after = counted({}, game("a", "a", "b"))
    assert after["A"].rating.rating - MIDDLE == pytest.approx(MIDDLE - after["B"].rating.rating)
    assert after["A"].games == after["B"].games == 1
    assert after["A"].rating.rating == pytest.approx(1662.3, abs=0.1)


def test_more_than_two_sides_are_compared_by_sides() -> None:
    """The winner has beaten each of the others, who were not compared with each other; a draw is of all with all."""
    three = results(game("b", "a", "b", "c"))
    assert three == {"A": [("B", 0.0)], "B": [("A", 1.0), ("C", 1.0)], "C": [("B", 0.0)]}
    assert results(game(None, "a", "b", "c"))["C"] == [("A", 0.5), ("B", 0.5)]
    after = counted({}, game("b", "a", "b", "c"))
    assert after["B"].rating.rating > MIDDLE > after["A"].rating.rating == pytest.approx(after["C"].rating.rating)
    assert [score_of(game("b", "a", "b", "c"), who) for who in "ABC"] == [0, 1, 0]


def test_the_time_since_the_last_game_counts() -> None:
    before = {"A": Known(Rating(1500, 60), 9, 0.0), "B": Known(Rating(1500, 60), 9, 0.0)}
    soon = counted(before, game("a", "a", "b", at=60.0))
    late = counted(before, game("a", "a", "b", at=100 * WEEK))
    assert late["A"].rating.rating > soon["A"].rating.rating
    assert late["A"].rating.deviation > soon["A"].rating.deviation
    assert (late["A"].games, late["A"].at) == (10, 100 * WEEK)


def test_what_is_not_counted() -> None:
    assert counts(game("a", "a", "b"), "decisive")
    assert counts(game(None, "a", "b"), "a draw")
    assert not counts(game("a", "a"), "decisive"), "alone at the table"
    assert not counts(Played("g", "toy", 0, (("a", "A"), ("b", "A")), "a"), "decisive"), "against himself"
    assert not counts(game(None, "a", "b", "c"), "resignation"), "one of three gave up, and nobody has won"
    assert not counts(game("c", "a", "b"), "decisive"), "a computer has won"
