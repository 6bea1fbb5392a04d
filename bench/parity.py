"""Two source trees play the same games in step: whether everything is as it was, at every decision.

    python bench/parity.py OTHER/src --game na41 [--games 300] [--planner 20] [--seed 1] [--rows FILE] [--lead there]

A process for each tree. One leads: it chooses every action (at random out of the whole list, or by its planner) and
rolls the dice; the other follows the actions as text. At every decision they compare who decides, the list of actions,
the chances of dice and how they fall, the prompt, what has happened, what each side and a spectator see, and at the end
the outcome: first by digests alone, and word for word where those differ. In a game that hides nothing all see the
same: there the view of who decides is compared every time, and every eighth time all views. Where the versions of the
game differ, the newer tree plays by the rulings of the older version, as it does with an old save.

A difference that is meant stands in `parity.toml` beside this file: what the other tree says there, what this tree says
instead, and why. It is counted by its name; every other one is counted as different. Each game is a row of the file of
rows (JSON lines), and a file that has rows is gone on with.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parents[1] / "src"
NAMED = Path(__file__).with_suffix(".toml")
SHOWN = 6
"""Differences of one game that are written out in its row."""


# One tree


class Room:
    """One game, as one tree plays it."""

    def __init__(self, name: str) -> None:
        from sandtable import registry

        self.game = registry.get(name)
        self.texts: dict[Any, str] = {}
        self.looks = 0

    def about(self) -> dict[str, Any]:
        return {
            "version": self.game.version,
            "scenarios": [scenario.id for scenario in self.game.scenarios()],
            "options": [option.id for option in self.game.options()],
        }

    def text(self, action: Any) -> str:
        known = self.texts.get(action)
        if known is None:
            known = self.texts[action] = self.game.text(action)
        return known

    def moments(self, order: dict[str, Any], ask: dict[str, list[str]] | None = None) -> Iterator[dict[str, str]]:
        """Every moment of a game at which somebody decides, aspect by aspect, and its end. Where the order has no
        moves this tree leads, and adds them to it. `ask`: by number of the moment, the aspects that are wanted."""
        from sandtable.engine.contract import CHANCE
        from sandtable.engine.dice import FairDice, derive_seed

        game, leads = self.game, "moves" not in order
        name = f"parity/{order['seed']}/{order['policy']}/{order['number']}"
        rng, dice = Random(name), FairDice(derive_seed(name))
        state = game.new(order["scenario"], order["options"])
        events: Sequence[Any] = state.events
        choosers = self.choosers(order["policy"], name) if leads else []
        moves: list[str] = order.setdefault("moves", [])
        for number in range(10**6):
            who = game.to_act(state)
            moment = {"who": str(who)}
            wanted = None if ask is None else ask.get(str(number), [])
            roll = game.roll(state, dice) if who == CHANCE else None
            if wanted is None or wanted:
                moment |= self.aspects(state, who, events, roll, wanted)
            yield moment
            if who is None or (not leads and number >= len(moves)):
                return
            if not leads:
                action = game.parse(moves[number])
            elif roll is not None:
                action = roll.action
            elif choosers:
                from sandtable.engine.seats import seat_at

                action = choosers[who].choose(seat_at(game, state, who))
            else:
                actions = game.legal(state)
                action = actions[int(rng.random() * len(actions))]
            if leads:
                moves.append(self.text(action))
            events = game.apply(state, action)

    def choosers(self, policy: str, name: str) -> list[Any]:
        from sandtable import registry

        if policy == "random":
            return []
        make = registry.player(self.game, policy)
        return [make(self.game, Random(f"{name}/{side}")) for side in range(len(self.game.info.sides))]

    def aspects(
        self, state: Any, who: int | None, events: Sequence[Any], roll: Any, wanted: list[str] | None
    ) -> dict[str, str]:
        game = self.game
        found: dict[str, Any] = {}
        viewers = range(-1, len(game.info.sides))
        self.looks += wanted is None
        seers = viewers if not game.info.open or self.looks % 8 == 1 else (who if who is not None else -1,)
        if who is None:
            found["outcome"] = game.outcome(state)
        elif roll is not None:
            found["chances"] = [(self.text(action), str(chance)) for action, chance in game.chances(state)]
            found["roll"] = [self.text(roll.action), roll.faces]
        else:
            found["list"] = "\n".join([self.text(action) for action in game.legal(state)])
        prompt = game.prompt(state)
        found["prompt"] = [str(prompt.title), str(prompt.text), prompt.rules, str(prompt.phase)]
        told = [[game.event_json(event, side) for side in viewers] for event in events]
        found["events"] = told
        found["lines"] = [[seen and str(game.describe(seen)) for seen in one] for one in told]
        for side in seers if wanted is None else viewers:
            if wanted is None or f"view {side}" in wanted:
                found[f"view {side}"] = without(game.view(state, side), "version", "edition")
        return {key: value if isinstance(value, str) else dump(value) for key, value in found.items()}

    def answer(self, order: dict[str, Any]) -> dict[str, Any]:
        """A game by digests, or (with `ask`) word for word where it is asked for."""
        ask = order.pop("ask", None)
        self.looks = 0
        seen: list[dict[str, str]] = []
        error = ""
        try:
            for number, moment in enumerate(self.moments(order, ask)):
                if ask is None:
                    seen.append({key: digest(value) for key, value in moment.items()})
                elif str(number) in ask:
                    seen.append({key: moment.get(key, "") for key in ask[str(number)]})
        except Exception as trouble:  # whatever it is, the other tree should have it too
            error = f"{type(trouble).__name__}: {trouble}"
        return {"moves": order["moves"], "seen": seen, "error": error}


def without(view: dict[str, Any], *marks: str) -> dict[str, Any]:
    """A view without what differs by itself between two versions: which one it is, and by whose rulings it plays."""
    left = {key: value for key, value in view.items() if key not in marks}
    if "numbers" in left:
        left["numbers"] = {key: value for key, value in left["numbers"].items() if key not in marks}
    return left


def dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def digest(text: str) -> str:
    return text if len(text) < 12 else blake2b(text.encode(), digest_size=8).hexdigest()


def serve() -> None:
    """Answers orders, a line each."""
    rooms: dict[str, Room] = {}
    for line in sys.stdin:
        order = json.loads(line)
        room = rooms.setdefault(order["game"], Room(order["game"]))
        print(json.dumps(room.answer(order) if "number" in order else room.about()), flush=True)


# Two trees


class Tree:
    """A process that plays by the code of one tree."""

    def __init__(self, src: Path) -> None:
        self.src = src
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(src)},
        )

    def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process that plays by {self.src} has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Named(NamedTuple):
    """A difference that is meant: what stands there, what stands here instead, and why."""

    why: str
    there: re.Pattern[str]
    here: str


def named(game: str) -> dict[str, list[Named]]:
    """The differences of a game that are meant, by aspect."""
    found: dict[str, list[Named]] = {}
    if NAMED.exists():
        for row in tomllib.loads(NAMED.read_text(encoding="utf-8")).get("named", []):
            if row["game"] == game:
                for aspect in row["aspects"]:
                    found.setdefault(aspect, []).append(Named(row["why"], re.compile(row["there"]), row["here"]))
    return found


def explained(here: str, there: str, meant: Sequence[Named]) -> list[str] | None:
    """By which meant differences one text becomes the other; None if by none."""
    used = []
    for one in meant:
        changed = one.there.sub(one.here, there)
        if changed != there:
            used.append(one.why)
            there = changed
        if there == here:
            return used
    return None


def paths(here: Any, there: Any, where: str = "") -> Iterator[str]:
    """Where two values differ, and how."""
    if isinstance(here, dict) and isinstance(there, dict):
        for key in sorted(here.keys() | there.keys()):
            yield from paths(here.get(key, "-"), there.get(key, "-"), f"{where}.{key}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for number, (one, two) in enumerate(zip(here, there, strict=True)):
            yield from paths(one, two, f"{where}[{number}]")
    elif here != there:
        yield f"{where or '.'} here {dump(here)[:300]} there {dump(there)[:300]}"


def told(here: str, there: str) -> list[str]:
    """How two texts of one aspect differ, in a few words."""
    try:
        return list(paths(json.loads(here), json.loads(there)))[:SHOWN]
    except ValueError:
        one, two = here.split("\n"), there.split("\n")
        only = [f"+ {x}" for x in one if x not in set(two)] + [f"- {x}" for x in two if x not in set(one)]
        return only[:SHOWN] or ["the same in another order"]


class Pair:
    """Two trees and one game."""

    def __init__(self, game: str, there: Path, lead: str) -> None:
        self.game = game
        self.trees = {"here": Tree(HERE), "there": Tree(there)}
        self.lead, self.follow = (lead, "there" if lead == "here" else "here")
        self.about = {name: tree.ask({"game": game}) for name, tree in self.trees.items()}
        self.meant = named(game)

    def row(self, policy: str, number: int, seed: str) -> dict[str, Any]:
        """One game, compared: what was found."""
        known = self.about["there"]
        scenarios, rng = known["scenarios"], Random(f"{seed}/{number}")
        round_, turn = divmod(number, len(scenarios))
        options = {option: rng.random() < 0.5 for option in known["options"]} if round_ % 2 else {}
        order = {"game": self.game, "policy": policy, "number": number, "seed": seed, "scenario": scenarios[turn]}
        orders = {name: {**order, "options": {**options, **self.rulings(name)}} for name in self.trees}
        first = self.trees[self.lead].ask(orders[self.lead])
        moves = {"moves": first["moves"]}
        second = self.trees[self.follow].ask({**orders[self.follow], **moves})
        answers = {self.lead: first, self.follow: second}
        here, there = answers["here"], answers["there"]
        apart: dict[str, list[str]] = {}
        for at, (one, two) in enumerate(zip(here["seen"], there["seen"], strict=False)):
            differ = [key for key in sorted(one.keys() | two.keys()) if one.get(key) != two.get(key)]
            if differ:
                apart[str(at)] = differ
        row: dict[str, Any] = {
            **order,
            "options": options,
            "decisions": len(first["moves"]),
            "different": 0,
            "named": {},
            "shown": [],
        }
        if here["error"] != there["error"] or len(here["seen"]) != len(there["seen"]):
            row["different"] += 1
            row["shown"].append(f"parted after {len(here['seen'])} here, {len(there['seen'])} there")
            row["shown"].append(f"errors: here {here['error']!r}, there {there['error']!r}")
        elif here["error"]:
            row["error"] = here["error"]
        if apart:
            answers = {name: tree.ask({**orders[name], **moves, "ask": apart}) for name, tree in self.trees.items()}
            self.weigh(row, apart, answers)
        return row

    def rulings(self, name: str) -> dict[str, bool]:
        """The mark of the older version, for the tree that has the newer one."""
        versions = {tree: about["version"] for tree, about in self.about.items()}
        oldest = min(versions.values())
        return {f"rulings_of_{oldest}": True} if versions[name] > oldest else {}

    def weigh(self, row: dict[str, Any], apart: dict[str, list[str]], answers: dict[str, dict[str, Any]]) -> None:
        """Tells the differences that are meant from the others, and writes the first of those out."""
        meant: Counter[str] = Counter()
        moments = zip(apart.items(), answers["here"]["seen"], answers["there"]["seen"], strict=True)
        for (at, aspects), one, two in moments:
            other = False
            for aspect in aspects:
                why = explained(one[aspect], two[aspect], self.meant.get(aspect.split()[0], ()))
                if why is not None:
                    meant.update(why)
                    continue
                other = True
                if len(row["shown"]) < SHOWN:
                    row["shown"].append([int(at), aspect, *told(one[aspect], two[aspect])])
            row["different"] += other
        row["named"] = dict(meant)

    def end(self) -> None:
        for tree in self.trees.values():
            tree.end()


def done(file: Path | None) -> list[dict[str, Any]]:
    """The rows that a file has already, the last one of each game; a last line that was cut off is left out."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    if file is not None and file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            rows[row["game"], row["seed"], row["policy"], row["number"]] = row
    return list(rows.values())


def report(rows: Sequence[dict[str, Any]]) -> None:
    """How many games and decisions, and what was different."""
    for policy in sorted({row["policy"] for row in rows}):
        some = [row for row in rows if row["policy"] == policy]
        meant = sum((Counter(row["named"]) for row in some), Counter[str]())
        print(
            f"{policy:8} {len(some)} games, {sum(row['decisions'] for row in some):,} decisions, "
            f"{sum(row['different'] for row in some):,} different in {sum(row['different'] > 0 for row in some)} games"
        )
        for why, many in meant.most_common():
            print(f"         {many:,} as meant: {why}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Two source trees play the same games in step.")
    parser.add_argument("other", nargs="?", type=Path, help="the other tree: a folder that holds `sandtable`")
    parser.add_argument("--game", default="rommel")
    parser.add_argument("--games", type=int, default=300, help="random games")
    parser.add_argument("--planner", type=int, default=20, help="games of the leading tree's planner")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rows", type=Path, help="a file for the rows; gone on with where it stops")
    parser.add_argument("--lead", choices=("here", "there"), default="there", help="which tree chooses")
    parser.add_argument("--again", action="store_true", help="those of the file once more that were different")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve()
        return
    if asked.other is None or not (asked.other / "sandtable").is_dir():
        parser.error("name a folder that holds another `sandtable`")
    wanted = [("random", number) for number in range(asked.games)]
    wanted += [("planner", number) for number in range(asked.planner)]
    rows = [row for row in done(asked.rows) if (row["game"], row["seed"]) == (asked.game, asked.seed)]
    if asked.again:
        rows = [row for row in rows if not row["different"]]
    have = {(row["policy"], row["number"]) for row in rows}
    pair = Pair(asked.game, asked.other.resolve(), asked.lead)
    for policy, number in wanted:
        if (policy, number) in have:
            continue
        row = pair.row(policy, number, asked.seed)
        rows.append(row)
        if asked.rows is not None:
            with asked.rows.open("a", encoding="utf-8") as out:
                out.write(dump(row) + "\n")
        for shown in row["shown"]:
            print(f"{policy} {number} ({row['scenario']}): {shown}", flush=True)
    pair.end()
    report(rows)


if __name__ == "__main__":
    main()
