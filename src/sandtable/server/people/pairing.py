"""Who meets whom in a league or a knock-out, and how those who took part stand: plain functions of numbers.

Players are numbers from 0 on, in the order in which they are seeded. A meeting names who plays the first side of the
game first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

Pair = tuple[int, int]
"""Who has the first side, and who the second."""
WIN, DRAW = 1.0, 0.5


# ------------------------------------------------------------------------------------------ leagues


def round_robin(players: int, double: bool = False) -> list[list[Pair]]:
    """Rounds in which everybody meets everybody once, or twice with sides swapped; of an odd number one rests a round.

    The circle method: one stays, the others go round.
    """
    if players < 2:
        return []
    size = players + players % 2
    circle = list(range(size))
    rounds: list[list[Pair]] = []
    for _ in range(size - 1):
        pairs = []
        for i in range(size // 2):
            a, b = circle[i], circle[size - 1 - i]
            if max(a, b) < players:
                pairs.append((a, b) if _is_first(a, b, players) else (b, a))
        rounds.append(pairs)
        circle.insert(1, circle.pop())
    return rounds + [[(b, a) for a, b in pairs] for pairs in rounds] if double else rounds


def _is_first(a: int, b: int, players: int) -> bool:
    """Whether `a` has the first side against `b`: nobody has one side two times more often than the other.

    An odd number stand in a ring, and each has the first side against those an odd way round; the last of an even
    number stands in the middle, and takes turns.
    """
    if players % 2:
        return (b - a) % players % 2 == 1
    last = players - 1
    if last in (a, b):
        return (min(a, b) % 2 == 0) == (a == last)
    return (b - a) % last % 2 == 1


def resting(players: int, pairs: Iterable[Pair]) -> list[int]:
    """Who has no meeting in a round."""
    busy = {one for pair in pairs for one in pair}
    return [player for player in range(players) if player not in busy]


@dataclass
class Line:
    """Where somebody stands in a league."""

    player: int
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    direct: float = 0.0
    """Points against those who have as many points."""
    quality: float = 0.0
    """Sonneborn-Berger: the points of those he has beaten, and half of those with whom he has drawn."""
    place: int = 1


class Result(NamedTuple):
    """What came of a meeting: the points of both. Without points for either it did not take place."""

    a: int
    b: int
    points_a: float
    points_b: float


def standings(players: int, results: Sequence[Result]) -> list[Line]:
    """The table of a league: points; then points among who are level, Sonneborn-Berger, wins; else a shared place."""
    lines = [Line(player) for player in range(players)]
    between: defaultdict[Pair, float] = defaultdict(float)
    for a, b, points_a, points_b in results:
        for one, other, points, against in ((a, b, points_a, points_b), (b, a, points_b, points_a)):
            line = lines[one]
            line.played += 1
            line.points += points
            line.won += points > against
            line.drawn += points == against > 0
            line.lost += points < against or points == against == 0
            between[one, other] += points
    for line in lines:
        line.quality = sum(share * lines[other].points for (one, other), share in between.items() if one == line.player)
    level: defaultdict[float, list[int]] = defaultdict(list)
    for line in lines:
        level[line.points].append(line.player)
    for line in lines:
        line.direct = sum(
            between[line.player, other] for other in level[line.points] if (line.player, other) in between
        )

    def order(line: Line) -> tuple[float, float, float, int]:
        return -line.points, -line.direct, -line.quality, -line.won

    lines.sort(key=lambda line: (order(line), line.player))
    place = 1
    for _, group in groupby(lines, order):
        same = list(group)
        for line in same:
            line.place = place
        place += len(same)
    return lines


# ------------------------------------------------------------------------------------------ knock-outs


def bracket(players: int) -> list[tuple[int, int | None]]:
    """The first round of a knock-out: the strongest meet the weakest, and byes go to the strongest.

    Slot k of the next round is for the winners of slots 2k and 2k + 1; the two strongest can meet only in the final.
    """
    size = 1
    while size < players:
        size *= 2
    order = [0]
    while len(order) < size:
        double = 2 * len(order)
        order = [seed for one in order for seed in (one, double - 1 - one)]
    pairs = [(order[i], order[i + 1]) for i in range(0, size, 2)] if size > 1 else []
    return [(min(a, b), max(a, b) if max(a, b) < players else None) for a, b in pairs]


def winner(a: int, b: int, legs: Sequence[float | None], decider: bool) -> int | None:
    """Who wins a match of which all games are over, by the points of `a` in each; None if it is level and goes on.

    Two games with sides swapped; if they leave both level, one more; if that is drawn too, the better seed goes on. A
    game that did not take place brings nobody anything.
    """
    mine = sum(points for points in legs if points is not None)
    theirs = sum(WIN - points for points in legs if points is not None)
    if mine != theirs:
        return a if mine > theirs else b
    return min(a, b) if decider else None
