"""Whether a newcomer wins: the first battle of each game, played by hints alone against the easy computer.

    python bench/first_battles.py [--games 10] [--seed 1] [--by hints|planner|nothing] [GAME ...]

Every decision is what the hint says at it, as the browser and the terminal ask for it. Games and answers follow from
the seed. `planner`: the same by the planner, which is quicker; `nothing`: by who always ends what can be ended.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

from sandtable import registry
from sandtable.engine.contract import Action, Game
from sandtable.engine.dice import derive_seed
from sandtable.engine.seats import seat_at
from sandtable.engine.table import Table
from sandtable.lessons.form import Battle, lessons
from sandtable.players.hints import advise, lately, moment_of

ENDS = ("pass", "end", "done", "none", "decline", "no", "accept", "declared", "marches", "halt", "hold")
"""How the words of verbs begin that end something."""


def by_hints(game: Game[Any], table: Table[Any], side: int) -> Action:
    moment = moment_of(game, table.state, side, lately(table))
    return advise(game, moment, f"{table.header.commitment} {len(table.entries) - len(moment.since)}").action


def by_nothing(game: Game[Any], table: Table[Any], side: int) -> Action:
    legal = table.legal()
    return next((one for start in ENDS for one in legal if game.text(one).startswith(start)), legal[0])


def battle(game: Game[Any], fought: Battle, seed: str, by: str) -> tuple[int | None, int]:
    """Who won, and how many decisions it took."""
    side = game.info.sides.index(fought.side)
    table = Table.new(game, fought.scenario, {}, seed=derive_seed(seed))
    easy = registry.player(game, "easy")(game, Random(f"{seed} easy"))
    planner = registry.player(game, "planner")(game, Random(f"{seed} planner"))
    decisions = 0
    while (who := table.to_act) is not None:
        if who != side:
            table.act(easy.choose(seat_at(game, table.state, who)), who)
            continue
        legal = table.legal()
        if len(legal) > 1:
            decisions += 1
        if len(legal) == 1:
            action = legal[0]
        elif by == "planner":
            action = planner.choose(seat_at(game, table.state, side))
        else:
            action = {"hints": by_hints, "nothing": by_nothing}[by](game, table, side)
        table.act(action, side)
    outcome = game.outcome(table.state)
    assert outcome is not None
    return outcome.winner, decisions


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="*", metavar="GAME", default=registry.names())
    asked.add_argument("--games", dest="count", type=int, default=10)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--by", choices=("hints", "planner", "nothing"), default="hints")
    wish = asked.parse_args()
    for name in wish.games:
        game = registry.get(name)
        for lesson in lessons(game).values():
            fought, won, all_decisions, began = lesson.battle, 0, [], time.perf_counter()
            for k in range(wish.count):
                winner, decisions = battle(game, fought, f"first battle {wish.seed + k}", wish.by)
                won += winner == game.info.sides.index(fought.side)
                all_decisions.append(decisions)
            took = (time.perf_counter() - began) / max(1, sum(all_decisions))
            last = wish.seed + wish.count - 1
            print(
                f"{name} {fought.scenario} as {fought.side}, by {wish.by}, seeds {wish.seed} to {last}: "
                f"won {won} of {wish.count}, decisions {min(all_decisions)} to {max(all_decisions)}, "
                f"{took * 1000:.0f} ms each with the other side's",
                flush=True,
            )


if __name__ == "__main__":
    main()
