"""A game looked back at: the chance to win as it went, what the dice gave, and the decisions that cost most.

Positions are judged by games played on with light planners, from the table as it was: who analyses sees everything.
The work is counted and never timed, and drawn from one seed: the same save gives the same analysis anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import erf, exp, log, sqrt
from random import Random
from typing import Any, NamedTuple

from sandtable.engine.contract import CHANCE, SPECTATOR, Action, Event, Game
from sandtable.engine.table import Table
from sandtable.engine.texts.text import Said
from sandtable.mechanics.planning import playout

from .hints import lost_stat, steps_of
from .search import planner_of

PRIOR = 1.0
"""Even games that are counted beside those that were played on."""
SURE = 0.97
"""No chance is taken to be surer than that where a roll is weighed."""
SETTLING = 40
"""Actions at most until what the dice brought lies on the table: losses, retreats, advances."""
OUTCOMES = 12
"""Outcomes of one roll that are looked at one by one; where there are more, so many are drawn."""
TURNING = 5
"""Turning points that are told."""
TURNED = 0.15
"""The least change of the chance that is one."""
FORTUNES = 8
"""Rolls that are told."""
TOLD = 0.005
"""The least that one of them gave or took."""
FEWEST = 3
"""Games that are played on from a moment, however long they are."""
Z = 1.96


class Work(NamedTuple):
    """What an analysis may spend."""

    marks: int = 16
    """Moments at which the chance is asked for."""
    playouts: int = 8
    """Games played on from each of them."""
    actions: int = 60_000
    """Actions of all these games together: where a game is long, fewer are played on, though never fewer than three."""
    longest: int = 3_000
    """Actions after which a game is left as it stands, and counts as the planner judges it."""
    decisions: int = 4
    """Decisions that are compared with the computer's."""
    rolls: int = 400
    """Rolls that are weighed: the first of them, where there are more."""


class Point(NamedTuple):
    """A moment of the curve: the chance of the first side."""

    n: int
    """The entry of the log after which it is."""
    label: Said
    chance: float
    low: float
    high: float
    luck: float
    """What the dice have given the first side up to here, in chance."""
    lost: list[float]


class Turning(NamedTuple):
    """Between two moments of the curve: a great change."""

    start: int
    end: int
    before: float
    after: float
    luck: float
    """The part of it that the dice made."""


class Choice(NamedTuple):
    """A plan of a side that did worse than the computer's."""

    n: int
    side: int
    label: Said
    played: list[Said]
    preferred: list[Said]
    why: list[Said]
    cost: float
    """How much more chance the computer's plan gave the side."""
    margin: float
    """Within which the cost is to be taken, 19 times of 20."""


class Fortune(NamedTuple):
    """A roll, and what it gave the first side against what was to be expected."""

    n: int
    text: Said
    luck: float


@dataclass
class Analysis:
    """All that is told of a game."""

    points: list[Point] = field(default_factory=list)
    turning: list[Turning] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    fortunes: list[Fortune] = field(default_factory=list)
    luck: float = 0.0
    """What the dice gave the first side in all, in chance."""
    weighed: int = 0
    rolls: int = 0
    """Rolls that were weighed, of so many."""
    better: float | None = None
    """The share of games in which these rolls would have served the first side worse: no scale comes into it, so it
    means the same in every game. None where no roll could have fallen otherwise."""
    lost: Said = ""
    """What the losses count."""
    winner: int | None = None
    ended: bool = False


Progress = Callable[[int, int], None]


class _Mark(NamedTuple):
    """A moment at which a side made a plan."""

    place: int
    n: int
    side: int
    state: Any


def analyse(table: Table[Any], work: Work | None = None, seed: str = "1", progress: Progress | None = None) -> Analysis:
    """Look back at a game. `progress` is told how much is done, of how much."""
    return _Analyst(table, work or Work(), seed, progress).run()


def line_of(table: Table[Any]) -> list[tuple[int, int, Action]]:
    """The game as it went in the end: every action that was not taken back, with its entry and who took it."""
    names = {side: number for number, side in enumerate(table.header.sides)}
    live, _ = table.standing
    done = [(i + 1, table.entries[i]) for i in live]
    return [(n, names.get(one.by, CHANCE), table.game.parse(one.do)) for n, one in done]


class _Analyst:
    def __init__(self, table: Table[Any], work: Work, seed: str, progress: Progress | None) -> None:
        self.table, self.work, self.seed, self.progress = table, work, seed, progress
        self.game: Game[Any] = table.game
        self.line = line_of(table)
        self.front: Any = planner_of(self.game)(self.game, Random(seed))
        self.playouts = work.playouts
        self.done = 0
        self.todo = 1

    def run(self) -> Analysis:
        game, work = self.game, self.work
        marks, states = self._walk()
        some = thinned(marks, work.marks)
        rolls = [place for place, (_, who, _) in enumerate(self.line) if who == CHANCE]
        self.todo = len(some) + len(rolls[: work.rolls]) // 8 + 3 * work.decisions
        found = Analysis(weighed=min(len(rolls), work.rolls), rolls=len(rolls))
        stat = lost_stat(game, states[0])
        found.lost = "" if stat is None else stat["title"]
        outcome = game.outcome(states[1])
        ended = outcome or (self.table.end.outcome if self.table.end is not None else None)
        found.ended, found.winner = ended is not None, None if ended is None else ended.winner
        length = self._play(states[0].copy(), Random(self.seed))
        fair = 2 * work.actions // max(1, length * max(1, len(some)))
        self.playouts = min(work.playouts, max(FEWEST, fair))
        judged = [self.chance(mark.state, mark.place) for mark in some]
        luck = self._luck(some, judged, found)
        for mark, chance in zip(some, judged, strict=True):
            found.points.append(self._point(mark.n, mark.state, chance, luck(mark.place)))
        last = len(self.line)
        if outcome is not None:
            result = 0.5 if outcome.winner is None else float(outcome.winner == 0)
            found.points.append(self._point(self.line[-1][0], states[1], (result, 0.0), luck(last)))
        elif self.line:
            found.points.append(self._point(self.line[-1][0], states[1], self.chance(states[1], last), luck(last)))
        found.luck = luck(last)
        found.turning = turning(found.points)
        found.choices = self._choices(some, judged, found)
        self._tell(self.todo)
        return found

    # The game once more

    def _walk(self) -> tuple[list[_Mark], tuple[Any, Any]]:
        """The moments at which plans were made; the first table and the last."""
        game = self.game
        state = game.new(self.table.header.scenario, self.table.header.options)
        first, marks, last = state.copy(), list[_Mark](), (-1, "")
        before = 0
        for place, (n, who, action) in enumerate(self.line):
            if who != CHANCE:
                here = (who, game.prompt(state).phase)
                if here != last and self.front.opens(state, who):
                    marks.append(_Mark(place, before, who, state.copy()))
                last = here
            game.apply(state, action)
            before = n
        return marks, (first, state)

    # Chances

    def chance(self, s: Any, place: int) -> tuple[float, float]:
        """The first side's chance at a table, and half the width of its interval."""
        wins = [self.played_on(s, f"{self.seed} {place} {i}") for i in range(self.playouts)]
        self._tell()
        return counted(wins)

    def played_on(self, s: Any, seed: str) -> float:
        """What one game comes to for the first side that is played on from a table."""
        rng, table = Random(seed), s.copy()
        self._play(table, rng)
        return self.judged(table)

    def _play(self, table: Any, rng: Random) -> int:
        players = [self.front.light(rng) for _ in self.game.info.sides]
        return playout(self.game, table, players, rng, most=self.work.longest)

    def judged(self, s: Any) -> float:
        """The first side's chance at a table where it is left."""
        end = self.game.outcome(s)
        if end is not None:
            return 0.5 if end.winner is None else float(end.winner == 0)
        return share(self.worth(s))

    def worth(self, s: Any) -> float:
        """A table for the first side, on the scale on which chances are weighed."""
        return float(self.front.evaluate(s, 0)) / float(self.front.scale)

    def _point(self, n: int, s: Any, chance: tuple[float, float], luck: float) -> Point:
        stat = lost_stat(self.game, s)
        lost = [] if stat is None else [float(value or 0.0) for value in stat["values"]]
        title = self.game.scene(self.game.view(s, 0)).get("title", "")
        value, half = chance
        return Point(n, title, value, max(0.0, value - half), min(1.0, value + half), luck, lost)

    # Luck

    def _luck(
        self, marks: Sequence[_Mark], judged: Sequence[tuple[float, float]], found: Analysis
    ) -> Callable[[int], float]:
        """What each roll gave against its expectation; says what all of them gave up to a place of the line."""
        game = self.game
        state = game.new(self.table.header.scenario, self.table.header.options)
        sums = [0.0]
        fortunes: list[Fortune] = []
        gained = spread = 0.0
        weighed, at = 0, 0
        for place, (n, who, action) in enumerate(self.line):
            gift = 0.0
            if who == CHANCE and weighed < self.work.rolls:
                weighed += 1
                while at + 1 < len(marks) and marks[at + 1].place <= place:
                    at += 1
                near = judged[at][0] if judged else 0.5
                gain, variance = self.rolled(state, action, f"{self.seed} roll {place}")
                gained, spread = gained + gain, spread + variance
                gift = given(gain, near)
                if weighed % 8 == 0:
                    self._tell()
            events = game.apply(state, action)
            if abs(gift) >= TOLD:
                fortunes.append(Fortune(n, self._told(events), gift))
            sums.append(sums[-1] + gift)
        fortunes.sort(key=lambda one: (-abs(one.luck), one.n))
        found.fortunes = sorted(fortunes[:FORTUNES])
        found.better = (1.0 + erf(gained / sqrt(2.0 * spread))) / 2.0 if spread else None
        return lambda place: sums[place]

    def fortune(self, s: Any, fell: Action, near: float, seed: str) -> float:
        """What a roll gave the first side against its expectation, near a given chance."""
        return given(self.rolled(s, fell, seed)[0], near)

    def rolled(self, s: Any, fell: Action, seed: str) -> tuple[float, float]:
        """What a roll gave the first side against its expectation, in the planner's scale, and how much such a roll
        varies: the mean of the squares over all that could have fallen."""
        chances = list(self.game.chances(s))
        if len(chances) < 2:
            return 0.0, 0.0
        if len(chances) > OUTCOMES:
            drawn = Random(seed).choices([one for one, _ in chances], [float(p) for _, p in chances], k=OUTCOMES)
            chances = [(one, Fraction(1, OUTCOMES)) for one in drawn]
        known: dict[Action, float] = {}

        def worth(action: Action) -> float:
            if action not in known:
                known[action] = self._after(s, action, seed)
            return known[action]

        mean = sum(float(p) * worth(action) for action, p in chances)
        variance = sum(float(p) * (worth(action) - mean) ** 2 for action, p in chances)
        return worth(tuple(fell)) - mean, variance

    def _after(self, s: Any, action: Action, seed: str) -> float:
        """A table after a roll, in the planner's scale, when what it brought has been carried out."""
        table = s.copy()
        self.game.apply(table, action)
        rng = Random(seed)
        players = [self.front.light(rng) for _ in self.game.info.sides]
        for _ in range(SETTLING):
            who = self.game.to_act(table)
            if who is None or who == CHANCE or players[who].opens(table, who):
                break
            self.game.apply(table, players[who].decide(table, who))
        return self.worth(table)

    def _told(self, events: Sequence[Event]) -> Said:
        """What a roll brought, in the words of the log."""
        for event in events:
            seen = self.game.event_json(event, event.owner if event.owner >= 0 else SPECTATOR)
            if seen is not None and (said := self.game.describe(seen)):
                return said
        return ""

    # Decisions

    def _choices(self, marks: Sequence[_Mark], judged: Sequence[tuple[float, float]], found: Analysis) -> list[Choice]:
        """The plans after which a side's chance fell most, luck apart, beside those that the computer would make."""
        falls = []
        for i, mark in enumerate(marks):
            point, after = found.points[i], found.points[i + 1] if i + 1 < len(found.points) else None
            if after is None:
                continue
            change = (after.chance - after.luck) - (point.chance - point.luck)
            falls.append((change if mark.side == 0 else -change, i))
        told = [self._compare(marks[i]) for _, i in sorted(falls)[: self.work.decisions]]
        return sorted((one for one in told if one is not None), key=lambda one: -one.cost)

    def _compare(self, mark: _Mark) -> Choice | None:
        """A side's plan beside the computer's from the same table, up to the first die or the other side's decision."""
        game, side = self.game, mark.side
        rng = Random(f"{self.seed} plan {mark.place}")
        front = planner_of(game)(game, rng)
        plans = front.plans(mark.state, side, 1)
        if not plans:
            self._tell(3)
            return None
        why = [self._named(said, mark.state) for said in front.aims(plans[0], mark.state, side)]
        own = self._orders(mark)
        better = mark.state.copy()
        actions = [front.begin(plans[0], better, side)]
        game.apply(better, actions[0])
        phase = game.prompt(better).phase
        while game.to_act(better) == side and game.prompt(better).phase == phase:
            actions.append(front.decide(better, side))
            game.apply(better, actions[-1])
        played = mark.state.copy()
        for action in own:
            game.apply(played, action)
        self._tell()
        pairs = []
        for i in range(2 * self.playouts):
            seed = f"{self.seed} {mark.place} choice {i}"
            pairs.append(self.played_on(better, seed) - self.played_on(played, seed))
        self._tell(2)
        sign = 1.0 if side == 0 else -1.0
        cost = sign * sum(pairs) / len(pairs)
        spread = sqrt(sum((one - sign * cost) ** 2 for one in pairs) / max(1, len(pairs) - 1) / len(pairs))
        label = game.scene(game.view(mark.state, 0)).get("title", "")
        done, preferred = (steps_of(game, mark.state, acts) for acts in (own, actions))
        return Choice(mark.n, side, label, done, preferred, why, cost, Z * spread) if cost > 0 else None

    def _orders(self, mark: _Mark) -> list[Action]:
        """What the side did at a moment, up to the first die, the other side's decision, or the end of the phase."""
        game, table, found = self.game, mark.state.copy(), list[Action]()
        phase: str | None = None
        for _, who, action in self.line[mark.place :]:
            if who != mark.side or (phase is not None and game.prompt(table).phase != phase):
                break
            found.append(action)
            game.apply(table, action)
            if phase is None and game.to_act(table) == mark.side:
                phase = game.prompt(table).phase
        return found

    def _named(self, said: Said, s: Any) -> Said:
        game: Any = self.game
        named: Said = game.named(said, s)
        return named

    def _tell(self, steps: int = 1) -> None:
        self.done = min(self.todo, self.done + steps)
        if self.progress is not None:
            self.progress(self.done, self.todo)


def thinned(marks: Sequence[_Mark], most: int) -> list[_Mark]:
    """At most so many of them, spread evenly, the first and the last among them."""
    if len(marks) <= most:
        return list(marks)
    last = len(marks) - 1
    return [marks[round(i * last / (most - 1))] for i in range(most)] if most > 1 else [marks[0]]


def share(x: float) -> float:
    """A number on the planner's scale as a chance."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, x))))


def logit(chance: float) -> float:
    """A chance on that scale, no surer than `SURE`: one that is nothing or everything would not move."""
    kept = max(1.0 - SURE, min(SURE, chance))
    return log(kept / (1.0 - kept))


def given(gain: float, near: float) -> float:
    """What a gain on that scale is in chance, near a given one."""
    return share(logit(near) + gain) - share(logit(near)) if gain else 0.0


def counted(wins: Sequence[float]) -> tuple[float, float]:
    """The chance by games played on, and half the width of its interval, 19 times of 20."""
    count = len(wins) + PRIOR
    mean = (sum(wins) + PRIOR / 2) / count
    return mean, Z * sqrt(mean * (1.0 - mean) / count)


def turning(points: Sequence[Point]) -> list[Turning]:
    """The greatest changes from one moment of the curve to the next, in order."""
    found = [
        Turning(one.n, other.n, one.chance, other.chance, other.luck - one.luck) for one, other in pairwise(points)
    ]
    found = [one for one in found if abs(one.after - one.before) >= TURNED]
    found.sort(key=lambda one: (-abs(one.after - one.before), one.start))
    return sorted(found[:TURNING])


def analysis_json(game: Game[Any], found: Analysis, said: Callable[[Said], Any]) -> dict[str, Any]:
    """An analysis as plain values; `said` is how a text travels."""
    sides = game.info.sides
    winner = found.winner

    def texts(many: Sequence[Said]) -> list[Any]:
        return [said(one) for one in many]

    return {
        "game": game.id,
        "sides": list(sides),
        "ended": found.ended,
        "winner": None if winner is None else sides[winner],
        "points": [{**one._asdict(), "label": said(one.label)} for one in found.points],
        "turning": [one._asdict() for one in found.turning],
        "choices": [
            {
                **one._asdict(),
                "side": sides[one.side],
                "label": said(one.label),
                "played": texts(one.played),
                "preferred": texts(one.preferred),
                "why": texts(one.why),
            }
            for one in found.choices
        ],
        "fortunes": [{**one._asdict(), "text": said(one.text)} for one in found.fortunes],
        "luck": found.luck,
        "weighed": found.weighed,
        "rolls": found.rolls,
        "lost": said(found.lost),
        "better": found.better,
    }
