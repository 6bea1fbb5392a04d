"""Leagues and knock-outs on paper: everybody meets everybody, sides are even, and every field has a winner."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sandtable.server.people.pairing import Result, bracket, resting, round_robin, standings, winner

FIELDS = range(2, 17)


@pytest.mark.parametrize("players", FIELDS)
def test_everybody_meets_everybody_once(players: int) -> None:
    rounds = round_robin(players)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == {frozenset((a, b)): 1 for a in range(players) for b in range(a)}
    assert len(rounds) == players - 1 + players % 2
    for pairs in rounds:
        assert len({one for pair in pairs for one in pair}) == 2 * len(pairs), "nobody twice in a round"
        assert len(resting(players, pairs)) == players % 2
    firsts = Counter(a for pairs in rounds for a, _ in pairs)
    assert all(abs(2 * firsts[player] - (players - 1)) <= 1 for player in range(players)), "sides are even"


@pytest.mark.parametrize("players", FIELDS)
def test_twice_means_with_both_sides(players: int) -> None:
    met = Counter(pair for pairs in round_robin(players, double=True) for pair in pairs)
    assert met == {(a, b): 1 for a in range(players) for b in range(players) if a != b}


def test_nobody_meets_himself() -> None:
    assert round_robin(0) == round_robin(1) == []
    assert bracket(1) == []


def test_a_table_is_ordered_by_points_then_by_what_the_level_did_to_each_other() -> None:
    beaten = [Result(0, 1, 1, 0), Result(1, 2, 1, 0), Result(0, 3, 0, 1), Result(1, 3, 1, 0), Result(2, 3, 1, 0)]
    lines = standings(4, [*beaten, Result(0, 2, 1, 0)])
    assert [(line.player, line.points, line.direct, line.place) for line in lines] == [
        (0, 2.0, 1.0, 1),
        (1, 2.0, 0.0, 2),
        (2, 1.0, 1.0, 3),
        (3, 1.0, 0.0, 4),
    ]


def test_sonneborn_berger_tells_whom_one_has_beaten() -> None:
    """0 and 1 have drawn with each other; 0 has beaten who came before the one that 1 has beaten."""
    results = [Result(0, 1, 0.5, 0.5), Result(0, 2, 1, 0), Result(1, 3, 1, 0), Result(2, 3, 1, 0)]
    first, second = standings(4, results)[:2]
    assert (first.player, first.points, first.direct, first.quality) == (0, 1.5, 0.5, 1.75)
    assert (second.player, second.points, second.direct, second.quality) == (1, 1.5, 0.5, 0.75)


def test_who_is_level_in_everything_shares_the_place() -> None:
    ring = [Result(0, 1, 1, 0), Result(1, 2, 1, 0), Result(2, 0, 1, 0)]
    assert [line.place for line in standings(3, ring)] == [1, 1, 1]
    assert [line.place for line in standings(4, ring)] == [1, 1, 1, 4]
    assert [line.place for line in standings(3, [])] == [1, 1, 1]


def test_a_game_that_did_not_take_place_brings_nothing() -> None:
    [a, b] = standings(2, [Result(0, 1, 0, 0)])
    assert (a.points, a.lost, b.points, b.lost) == (0, 1, 0, 1)


def test_points_are_shared_out() -> None:
    rng = Random(2)
    for players in FIELDS:
        results = [
            Result(a, b, x, 1 - x)
            for pairs in round_robin(players)
            for a, b in pairs
            for x in [rng.choice((0, 0.5, 1))]
        ]
        lines = standings(players, results)
        assert sum(line.points for line in lines) == len(results)
        assert all(line.won + line.drawn + line.lost == line.played == players - 1 for line in lines)
        assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)


@pytest.mark.parametrize("players", range(2, 34))
def test_a_knock_out_has_byes_for_the_best_and_one_winner(players: int) -> None:
    pairs = bracket(players)
    byes = [a for a, b in pairs if b is None]
    assert set(byes) == set(range(len(byes))), "byes go to the best"
    assert {one for pair in pairs for one in pair if one is not None} == set(range(players))
    # The better seed wins every match: the two best meet in the final, and nobody is left over.
    field = [a for a, _ in pairs]
    while len(field) > 1:
        if len(field) == 2:
            assert sorted(field) == [0, 1]
        field = [min(field[i], field[i + 1]) for i in range(0, len(field), 2)]
    assert field == [0]


@pytest.mark.parametrize(
    ("legs", "decider", "wins"),
    [
        ([1.0, 1.0], False, 4),
        ([1.0, 0.5], False, 4),
        ([0.0, 0.5], False, 7),
        ([1.0, 0.0], False, None),
        ([0.5, 0.5], False, None),
        ([1.0, 0.0, 0.0], True, 7),
        ([1.0, 0.0, 0.5], True, 4),
        ([None, None], False, None),
        ([None, 0.0], False, 7),
        ([None, None, None], True, 4),
    ],
)
def test_a_match_is_two_games_and_perhaps_one_more(legs: list[float | None], decider: bool, wins: int | None) -> None:
    assert winner(4, 7, legs, decider) == wins
    mirrored = [None if points is None else 1 - points for points in legs]
    assert winner(7, 4, mirrored, decider) == wins
