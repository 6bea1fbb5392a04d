"""Two source trees measured in turns: what the code in one of them does in a second, beside the other.

    python bench/against.py OTHER/src [--games rommel,na41] [--measures lists,views] [--rounds 5] [--seconds 1]

A process for each tree stays alive with all that it has learnt; in every round each of them does the same work for a
moment, one after the other. What counts is seconds of that process, and the best round of each: on a machine that is
shared, the ratio of these two holds when neither figure does. Ratios above 1 are in favour of this tree.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parents[1] / "src"
MEASURES = {
    "lists": "random decisions a second, each out of the complete list",
    "picked": "random decisions a second by `pick`",
    "planner": "the planner's decisions a second",
    "views": "views a second",
    "copies": "copies of a state a second",
    "replays": "decisions a second when a log is played again",
}


# One tree: asked for one measure after the other


class Bench:
    """A game, and what is measured of it: each a generator that yields after every small piece of work how much it
    was."""

    def __init__(self, name: str) -> None:
        from sandtable import registry

        self.game = registry.get(name)
        self.scenarios = [scenario.id for scenario in self.game.scenarios()]
        self.states: list[Any] = []
        self.works: dict[str, Iterator[int]] = {}

    def run(self, measure: str, seconds: float) -> float:
        """How much of this is done in a second of this process."""
        if measure not in self.works:
            self.works[measure] = getattr(self, measure)()
            next(self.works[measure])  # what it needs to begin with
        work, done, clock = self.works[measure], 0, time.process_time
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
        number = 0
        while True:
            for scenario in self.scenarios:
                for count, _ in enumerate(self.play(scenario, f"against/{scenario}/{number}", choose), 1):
                    if not count % piece:
                        yield piece
                    if count >= most:
                        break
            number += 1

    def sample(self) -> list[Any]:
        """Positions of random games."""
        if not self.states:
            for scenario in self.scenarios:
                states = self.play(scenario, f"against/{scenario}", self.listed)
                self.states += [state.copy() for count, state in enumerate(states) if count % 37 == 0][:60]
        return self.states

    def listed(self, state: Any, rng: Random) -> Any:
        actions = self.game.legal(state)
        return actions[int(rng.random() * len(actions))]

    def lists(self) -> Iterator[int]:
        return self.decide(self.listed, 50)

    def picked(self) -> Iterator[int]:
        return self.decide(lambda state, rng: self.game.pick(state, rng.random), 50)

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

        sides = len(self.game.info.sides)
        games = [play(self.game, x, [RandomPlayer] * sides, derive_seed(f"against/{x}")) for x in self.scenarios]
        logs = [(match.log(), match.decisions) for match in games]
        yield 0
        while True:
            for log, decisions in logs:
                Table.replay(log, self.game)
                yield decisions


def serve() -> None:
    """Answers questions, a line each."""
    benches: dict[str, Bench] = {}
    for line in sys.stdin:
        name, measure, seconds = json.loads(line)
        try:
            bench = benches.setdefault(name, Bench(name))
            if measure == "planner" and "planner" not in bench.game.info.players:
                raise LookupError("no planner")
            answer: Any = bench.run(measure, seconds)
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

    def ask(self, name: str, measure: str, seconds: float) -> float | str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, measure, seconds]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process that measures {name} has ended")
        answer: float | str = json.loads(line)
        return answer

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(other: Path, names: list[str], measures: list[str], rounds: int, seconds: float) -> None:
    """Prints a row for each game and measure: the best of this tree, of the other, and their ratio."""
    trees = [Tree(HERE), Tree(other)]
    print(f"{'':24}{'here':>12}{'there':>12}{'ratio':>8}")
    for name in names:
        for measure in measures:
            found: list[list[float]] = [[], []]
            for number in range(-1, rounds):  # the first one warms up
                for answers, tree in zip(found, trees, strict=True):
                    answer = tree.ask(name, measure, seconds)
                    if isinstance(answer, str):
                        answers.append(0.0)
                    elif number >= 0:
                        answers.append(answer)
            one, two = max(found[0]), max(found[1])
            ratio = f"{one / two:8.2f}" if one and two else f"{'-':>8}"
            print(f"{name + ' ' + measure:24}{one:12,.0f}{two:12,.0f}{ratio}", flush=True)
    for tree in trees:
        tree.end()


def main() -> None:
    parser = argparse.ArgumentParser(description="Two source trees measured in turns.")
    parser.add_argument("other", nargs="?", type=Path, help="the other tree: a folder that holds `sandtable`")
    parser.add_argument("--games", default="rommel,caucasus,na41,kasserine")
    parser.add_argument("--measures", default=",".join(MEASURES), help="; ".join(map(": ".join, MEASURES.items())))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measure in each round")
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
