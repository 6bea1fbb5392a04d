"""Everybody against everybody, sides swapped: who wins how often, and what that makes of their strength."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import log10, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sandtable import registry

from .simulate import Row, Run, Series, Tally, Write, in_order, run_series, write_rows, written

RESAMPLED = 200
"""How often the games are drawn anew for the interval of a rating."""
NINETY_FIVE = 1.96


class Standing(NamedTuple):
    """One player of a tournament."""

    player: str
    games: int
    score: float
    """Wins, and half a win for a draw."""
    elo: float
    """The mean of all players is 0."""
    low: float
    high: float


def interval(score: float, games: int) -> tuple[float, float]:
    """Where the true share of wins lies, 19 times of 20 (Wilson)."""
    if not games:
        return 0.0, 1.0
    share, z = score / games, NINETY_FIVE
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


Result = tuple[int, int, float]
"""Two players by their places, and what the first scored: 1, ½ or 0."""


def ratings(count: int, results: Sequence[Result]) -> list[float]:
    """Elo by greatest likelihood (Bradley and Terry), with one drawn game of each with everybody beforehand, so that
    who has won everything still gets a number."""
    scored = [[0.5] * count for _ in range(count)]
    for one, other, score in results:
        scored[one][other] += score
        scored[other][one] += 1.0 - score
    strength = [1.0] * count
    for _ in range(500):
        before = strength
        strength = []
        for i in range(count):
            others = [j for j in range(count) if j != i]
            won = sum(scored[i][j] for j in others)
            met = sum((scored[i][j] + scored[j][i]) / (before[i] + before[j]) for j in others)
            strength.append(won / met)
        mean = sum(log10(one) for one in strength) / count
        strength = [one / 10**mean for one in strength]
        if max(abs(new - old) for new, old in zip(strength, before, strict=True)) < 1e-9:
            break
    return [400.0 * log10(one) for one in strength]


def standings(players: Sequence[str], results: Sequence[Result], seed: int | str = 1) -> list[Standing]:
    """The players by rating, the best first; intervals by drawing the games anew."""
    count, rng = len(players), Random(f"{seed}")
    elo = ratings(count, results)
    drawn = [ratings(count, rng.choices(results, k=len(results))) for _ in range(RESAMPLED)] if results else [elo]
    found = []
    for i, name in enumerate(players):
        mine = [score if one == i else 1.0 - score for one, other, score in results if i in (one, other)]
        spread = sorted(one[i] for one in drawn)
        low, high = spread[int(0.025 * len(spread))], spread[min(len(spread) - 1, int(0.975 * len(spread)))]
        found.append(Standing(name, len(mine), sum(mine), elo[i], min(low, elo[i]), max(high, elo[i])))
    return sorted(found, key=lambda one: (-one.elo, one.player))


def tournament(
    game: str,
    players: Sequence[str],
    games: int,
    scenario: str | None = None,
    seed: int | str = 1,
    jobs: int = 1,
    rows: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    run: Run = run_series,
    write: Write = write_rows,
) -> dict[str, Any]:
    """`games` games of each pair, each with either side equally often. The same arguments give the same games on any
    number of processes; a game that went wrong counts for nobody, and is told."""
    rules = registry.get(game)
    if len(rules.info.sides) != 2:
        raise ValueError(f"a tournament is for games of two sides; {game} has {len(rules.info.sides)}")
    if len(set(players)) != len(players) or len(players) < 2:
        raise ValueError("a tournament takes two players or more, each named once")
    for name in players:
        registry.player(rules, name)
    if scenario is not None:
        registry.scenario(rules, scenario)
    scenarios = (scenario,) if scenario is not None else tuple(one.id for one in rules.scenarios())
    pairs = list(combinations(range(len(players)), 2))
    every: list[Row] = []
    results: list[Result] = []
    faults: list[dict[str, Any]] = []
    table: list[dict[str, Any]] = []
    with written(every, rows, write) as note:
        for place, (one, other) in enumerate(pairs):
            pair = (players[one], players[other])
            series = Series(
                game, scenarios, games, f"{seed} {pair[0]} {pair[1]}", pair, True, target=registry.GAMES[game]
            )
            total = Tally()
            for tally in run(series, jobs):
                total.add(tally)
                every += [{**row, "game": int(row["game"]) + place * games} for row in tally.rows]
                note()
                if progress is not None:
                    progress(place * games + total.games, games * len(pairs))
            scores = [_score(row, pair[0]) for row in in_order(total.rows)]
            played = [score for score in scores if score is not None]
            results += [(one, other, score) for score in played]
            faults += total.faults
            low, high = interval(sum(played), len(played))
            table.append(
                {
                    "players": list(pair),
                    "games": len(played),
                    "score": [sum(played), len(played) - sum(played)],
                    "share": round(sum(played) / len(played), 4) if played else None,
                    "between": [round(low, 4), round(high, 4)],
                }
            )
    return {
        "game": game,
        "scenario": scenario or "all",
        "games": len(every),
        "errors": len(faults),
        "standings": [
            {**one._asdict(), "elo": round(one.elo), "low": round(one.low), "high": round(one.high)}
            for one in standings(players, results, seed)
        ],
        "pairs": table,
        "faults": faults,
    }


def _score(row: Row, player: str) -> float | None:
    """What a player scored in a game; None if the game went wrong."""
    if row["error"]:
        return None
    return 0.5 if row["winner"] is None else float(row["seats"][row["winner"]] == player)
