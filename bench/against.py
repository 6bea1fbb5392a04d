"""Two source trees measured in turns: what the code in one of them does in a second, beside the other.

    python bench/against.py OTHER/src [--games rommel,na41] [--measures lists,views] [--rounds 9] [--seconds 0.5]

A process for each tree stays alive with all that it has learnt; in every round both do the same work for a moment, in
the scenarios that both have, one after the other, in turns. What counts is seconds of that process. The figures are
those of the best round of each, the ratio is the median of those of the rounds: on a machine that is shared it holds
when no figure does. Ratios above 1 are in favour of this tree.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parents[1] / "src"
MEASURES = {
    "lists": "random decisions a second, each out of the complete list",
    "planner": "the planner's decisions a second",
    "views": "views a second",
    "copies": "copies of a state a second",
    "replays": "decisions a second when a log is played again",
}


# One tree: asked for one measure after the other


class Bench:
    """A game, and what is measured of it: each a generator that yields after every small piece of work how much it
    was."""

    def __init__(self, name: str, scenarios: Sequence[str] = ()) -> None:
        from sandtable import registry

        self.game = registry.get(name)
        self.scenarios = [
            scenario.id for scenario in self.game.scenarios() if not scenarios or scenario.id in scenarios
        ]
        self.states: list[Any] = []
        self.round = 0
        self.logs: list[tuple[Any, int]] = []

    def run(self, measure: str, seconds: float, number: int) -> float:
        """How much of this is done in a second of this process. The same number is the same work."""
        self.round = number
        work: Iterator[int] = getattr(self, measure)()
        next(work)  # what it needs to begin with
        done, clock = 0, time.process_time
        gc.collect()
        begin = clock()
        while (spent := clock() - begin) < seconds:
            done += next(work)
        return done / spent

    def play(self, scenario: str, seed: str, choose: Callable[[Any, Random], Any]) -> Iterator[Any]:
        """One game; every state in which a player has decided."""
        from sandtable.engine.contract import CHANCE
        from sandtable.engine.dice import QuickDice

        game, rng = self.game, Random(seed)
        state, dice = game.new(scenario, {}), QuickDice(rng)
        while (who := game.to_act(state)) is not None:
            if who == CHANCE:
                game.apply(state, game.roll(state, dice).action)
                continue
            game.apply(state, choose(state, rng))
            yield state

    def decide(self, choose: Callable[[Any, Random], Any], piece: int, most: int = 1 << 30) -> Iterator[int]:
        """Games of all scenarios in turn, at most so many decisions of each."""
        yield 0
        for number in count():
            scenario = self.scenarios[(self.round + number) % len(self.scenarios)]
            for decisions, _ in enumerate(self.play(scenario, f"against/{self.round}/{number}", choose), 1):
                if not decisions % piece:
                    yield piece
                if decisions >= most:
                    break

    def sample(self) -> list[Any]:
        """Positions of random games."""
        if not self.states:
            for scenario in self.scenarios:
                states = self.play(scenario, f"against/{scenario}", self.listed)
                self.states += [state.copy() for number, state in enumerate(states) if number % 37 == 0][:60]
        return self.states

    def listed(self, state: Any, rng: Random) -> Any:
        actions = self.game.legal(state)
        return actions[int(rng.random() * len(actions))]

    def lists(self) -> Iterator[int]:
        return self.decide(self.listed, 50)

    def planner(self) -> Iterator[int]:
        from sandtable import registry
        from sandtable.engine.seats import seat_at

        game = self.game
        factory = registry.player(game, "planner")
        players: dict[int, Any] = {}

        def choose(state: Any, rng: Random) -> Any:
            side = game.to_act(state)
            assert side is not None
            if side not in players:
                players[side] = factory(game, Random(side))
            return players[side].choose(seat_at(game, state, side))

        return self.decide(choose, 5, 150)

    def views(self) -> Iterator[int]:
        states = self.sample()
        yield 0
        while True:
            for state in states:
                self.game.view(state, 0)
                yield 1

    def copies(self) -> Iterator[int]:
        states = self.sample()
        yield 0
        while True:
            for state in states:
                for _ in range(20):
                    state.copy()
                yield 20

    def replays(self) -> Iterator[int]:
        from sandtable.engine.dice import derive_seed
        from sandtable.engine.table import Table
        from sandtable.players.match import play
        from sandtable.players.random_player import RandomPlayer

        if not self.logs:
            players = [RandomPlayer] * len(self.game.info.sides)
            games = [play(self.game, x, players, derive_seed(f"against/{x}")) for x in self.scenarios]
            self.logs = [(match.log(), match.decisions) for match in games]
        yield 0
        while True:
            for log, decisions in self.logs:
                Table.replay(log, self.game)
                yield decisions


def serve() -> None:
    """Answers questions, a line each."""
    benches: dict[str, Bench] = {}
    for line in sys.stdin:
        name, *work = json.loads(line)
        if not work:
            print(json.dumps(Bench(name).scenarios), flush=True)
            continue
        measure, seconds, number, scenarios = work
        try:
            bench = benches.setdefault(name, Bench(name, scenarios))
            if measure == "planner" and "planner" not in bench.game.info.players:
                raise LookupError("no planner")
            answer: Any = bench.run(measure, seconds, number)
        except LookupError as error:
            answer = f"{error}"
        print(json.dumps(answer), flush=True)


# Two trees


class Tree:
    """A process that runs the code of one tree."""

    def __init__(self, src: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(src)},
        )

    def ask(self, *question: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process that measures {question[0]} has ended")
        return json.loads(line)

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(other: Path, names: list[str], measures: list[str], rounds: int, seconds: float) -> None:
    """Prints a row for each game and measure: the best of this tree, of the other, and their ratio."""
    trees = [Tree(HERE), Tree(other)]
    print(f"{'':24}{'here':>12}{'there':>12}{'ratio':>8}")
    for name in names:
        here, there = (tree.ask(name) for tree in trees)
        both = [scenario for scenario in here if scenario in there]
        for measure in measures:
            found: list[list[float]] = [[], []]
            for number in range(-1, rounds):  # the first one warms up
                answers = [tree.ask(name, measure, seconds, number, both) for tree in trees]
                if number >= 0:
                    for one, answer in zip(found, answers, strict=True):
                        one.append(0.0 if isinstance(answer, str) else answer)
            best, other_best = (max(one) for one in found)
            ratios = [one / two for one, two in zip(*found, strict=True) if one and two]
            ratio = f"{statistics.median(ratios):8.2f}" if ratios else f"{'-':>8}"
            print(f"{name + ' ' + measure:24}{best:12,.0f}{other_best:12,.0f}{ratio}", flush=True)
    for tree in trees:
        tree.end()


def main() -> None:
    parser = argparse.ArgumentParser(description="Two source trees measured in turns.")
    parser.add_argument("other", nargs="?", type=Path, help="the other tree: a folder that holds `sandtable`")
    parser.add_argument("--games", default="rommel,caucasus,na41,kasserine")
    parser.add_argument("--measures", default=",".join(MEASURES), help="; ".join(map(": ".join, MEASURES.items())))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measure in each round")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve()
        return
    if asked.other is None or not (asked.other / "sandtable").is_dir():
        parser.error("name a folder that holds another `sandtable`")
    measures = asked.measures.split(",")
    unknown = set(measures) - set(MEASURES)
    if unknown:
        parser.error(f"there is no measure {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
    compare(asked.other.resolve(), asked.games.split(","), measures, asked.rounds, asked.seconds)


if __name__ == "__main__":
    main()
