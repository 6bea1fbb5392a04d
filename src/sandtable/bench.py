"""What `sandtable bench` measures: kernels, random play, copies, legal lists and views, all in one run.

Speeds depend on the machine; ratios between two things measured in the same run hardly do, so the kernels
are given with their ratio to a plain reference.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from rich.table import Table as Grid
from rich.text import Text

from sandtable import registry
from sandtable.engine.contract import CHANCE, Action, Game
from sandtable.engine.dice import QuickDice, derive_seed
from sandtable.engine.seats import Seat
from sandtable.engine.table import Table
from sandtable.players.match import play, undisturbed
from sandtable.players.random_player import RandomPlayer

KERNELS = Path(__file__).resolve().parents[2] / "bench" / "kernels.py"
"""The kernels' own benchmark, in a checkout of the repository."""

KERNEL_PARTS = ("reference_per_s", "per_s", "ratio", "hexes")

ROUNDS = 5
ADDITIONS = 300_000


class Wanted(NamedTuple):
    """What is asked of a game: decisions a second out of complete lists, and microseconds."""

    decisions: int = 15_000
    copy_us: float = 10.0
    legal_p99_us: float = 2_000.0


WANTED = {"na41": Wanted(decisions=10_000), "asl": Wanted(decisions=5_000, copy_us=15.0, legal_p99_us=3_000.0)}
"""The games of which something else is asked than of the rest: long lists, eight phases of squads and tanks."""

THINKING_MS = 500.0
REPLAY_S = 2.0
SUPPLY = "supply of the whole map"
"""What games that have such a thing call it in their `benchmarks`."""
SUPPLY_US = 1_000.0
KERNEL = "waves_82x43_10pt"
"""The kernel that the project's aim is about: everywhere that a leg leads over three terrain costs on a large map."""
KERNEL_RATIO = 5.0

Tell = Callable[[str], None]


def measure(games: Sequence[str], quick: bool = False, tell: Tell | None = None) -> dict[str, Any]:
    """Everything, as one report."""
    say = tell if tell is not None else lambda text: None
    report: dict[str, Any] = {
        "machine": {
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        }
    }
    say("kernels")
    report["kernels"] = kernels(quick)
    report["games"] = {}
    for name in games:
        say(name)
        report["games"][name] = measure_game(registry.get(name), 0.4 if quick else 3.0)
    report["targets"] = targets(report)
    return report


def kernels(quick: bool = False) -> dict[str, dict[str, float]]:
    """The hex kernels against plain references; nothing where their benchmark is not installed."""
    if not KERNELS.is_file():
        return {}
    spec = importlib.util.spec_from_file_location("sandtable_bench_kernels", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if quick:
        module.ROUNDS = 3
    flat: dict[str, float] = module.run()
    found: dict[str, dict[str, float]] = {}
    for key, value in flat.items():
        for part in KERNEL_PARTS:
            if key.endswith(f"_{part}"):
                found.setdefault(key.removesuffix(f"_{part}"), {})[part] = value
                break
    return found


def measure_game(game: Game[Any], seconds: float) -> dict[str, Any]:
    """Random play of every scenario for that long each, then the parts of it one by one."""
    prepare: Callable[[str], None] = getattr(game, "prepare", lambda scenario: None)
    for scenario in game.scenarios():
        prepare(scenario.id)  # what is made once for a map, and kept
    gc.collect()
    gc.freeze()  # as simulate does: maps and charts are there to stay
    found = pace(game, seconds)
    states, legal = sample(game, seconds)
    report: dict[str, Any] = {
        **found,
        "copy_us": round(median_us(lambda s: s.copy(), states), 2),
        "legal_us": legal,
        "view_us": round(median_us(lambda s: game.view(s, 0), states), 1),
    }
    report["replay"] = replaying(game)
    report["players"] = {name: thinking(game, name) for name in game.info.players}
    extra = getattr(game, "benchmarks", None)
    if extra is not None:
        report["benchmarks"] = {name: round(median_us(run, states), 2) for name, run in extra().items()}
    return report


def thinking(game: Game[Any], name: str) -> dict[str, float]:
    """How long a computer player thinks about a decision, over a game against its like."""
    times: list[float] = []
    factory = registry.player(game, name)

    class Timed:
        def __init__(self, game: Game[Any], rng: Random) -> None:
            self.player = factory(game, rng)

        def choose(self, seat: Seat) -> Action:
            begin = time.perf_counter()
            action = self.player.choose(seat)
            times.append((time.perf_counter() - begin) * 1000)
            return action

    shortest = min(game.scenarios(), key=lambda scenario: (len(scenario.length), scenario.length))
    play(game, shortest.id, [Timed] * len(game.info.sides), derive_seed("bench/thinking"))
    times.sort()
    return {
        "decisions": len(times),
        "mean_ms": round(statistics.fmean(times), 2),
        "p99_ms": round(times[len(times) * 99 // 100], 1),
        "max_ms": round(times[-1], 1),
    }


def replaying(game: Game[Any]) -> dict[str, Any]:
    """How long it takes to play the log of a random game of the longest scenario again, in seconds of this process."""
    longest = max(game.scenarios(), key=lambda scenario: (len(scenario.length), scenario.length))
    match = play(game, longest.id, [RandomPlayer] * len(game.info.sides), derive_seed("bench/replay"))
    log = match.log()
    begin = time.process_time()
    Table.replay(log, game)
    return {
        "scenario": longest.id,
        "decisions": match.decisions,
        "seconds": round(time.process_time() - begin, 3),
    }


def pace(game: Game[Any], seconds: float) -> dict[str, Any]:
    """Random play of every scenario for that long each, in rounds, after a third of it to warm up: what a game works
    out once for its map (where each hex leads, say) is there in a long run.

    A machine that is shared runs at half its pace for minutes. So the pace is that of the best round, all rounds are
    given, and each with a plain loop timed beside it: how many additions a decision takes depends on the machine least.
    """
    scenarios = [scenario.id for scenario in game.scenarios()]
    for scenario in scenarios:
        listed_play(game, scenario, seconds / 3, "warm")
    rounds: list[dict[str, Any]] = []
    for number in range(ROUNDS):
        addition = addition_ns()
        plays = [listed_play(game, scenario, seconds / ROUNDS, str(number)) for scenario in scenarios]
        addition = min(addition, addition_ns())
        decisions, spent = (sum(one[what] for one in plays) for what in ("decisions", "seconds"))
        rounds.append(
            {"plays": plays, "pace": round(decisions / spent), "additions": spent / decisions * 1e9 / addition}
        )
    found: dict[str, dict[str, Any]] = {}
    for i, scenario in enumerate(scenarios):
        games, decisions, spent = (
            sum(one["plays"][i][what] for one in rounds) for what in ("games", "decisions", "seconds")
        )
        best = max(one["plays"][i]["decisions"] / one["plays"][i]["seconds"] for one in rounds)
        found[scenario] = {
            "games": games,
            "decisions": decisions,
            "seconds": round(spent, 3),
            "decisions_per_second": round(best),
        }
    return {
        "decisions_per_second": max(one["pace"] for one in rounds),
        "rounds": [one["pace"] for one in rounds],
        "additions_per_decision": round(statistics.median(one["additions"] for one in rounds)),
        "scenarios": found,
    }


def addition_ns() -> float:
    """How long an addition in a plain loop takes now, in nanoseconds of this process."""
    begin, total = time.process_time_ns(), 0
    for number in range(ADDITIONS):
        total += number
    return (time.process_time_ns() - begin) / ADDITIONS


def listed_play(game: Game[Any], scenario: str, seconds: float, name: str) -> dict[str, Any]:
    """Random games until the time is over, each choice made out of the complete list of what is legal: what people,
    planners and search ask for. A choice of a player is a decision, dice are not. The time is that of this process,
    which looks for garbage as seldom as it does in matches."""
    games = decisions = 0
    begin = time.process_time()
    with undisturbed():
        while (spent := time.process_time() - begin) < seconds or not games:
            rng = Random(f"bench/{scenario}/{name}/{games}")
            state, dice, random = game.new(scenario, {}), QuickDice(rng), rng.random
            while (who := game.to_act(state)) is not None:
                if who == CHANCE:
                    game.apply(state, game.roll(state, dice).action)
                    continue
                legal = game.legal(state)
                game.apply(state, legal[int(random() * len(legal))])
                decisions += 1
            games += 1
    return {"games": games, "decisions": decisions, "seconds": spent}


def sample(game: Game[Any], seconds: float) -> tuple[list[Any], dict[str, float]]:
    """Positions from random games of all scenarios, and the time that each legal list took."""
    rng = Random(1)
    clock = time.process_time_ns
    times: list[int] = []
    states: list[Any] = []
    ids = [scenario.id for scenario in game.scenarios()]
    begin = time.perf_counter()
    number = 0
    while number < len(ids) or time.perf_counter() - begin < seconds:
        state = game.new(ids[number % len(ids)], {})
        dice = QuickDice(Random(number))
        step = 0
        while (who := game.to_act(state)) is not None:
            if who == CHANCE:
                game.apply(state, game.roll(state, dice).action)
                continue
            start = clock()
            legal = game.legal(state)
            times.append(clock() - start)
            step += 1
            if step % 37 == 0 and len(states) < 400:
                states.append(state.copy())
            game.apply(state, legal[int(rng.random() * len(legal))])
        number += 1
    times.sort()
    return states or [game.new(ids[0], {})], {
        "p50": round(times[len(times) // 2] / 1000, 1),
        "p99": round(times[len(times) * 99 // 100] / 1000, 1),
        "max": round(times[-1] / 1000, 1),
        "lists": len(times),
    }


def median_us(run: Callable[[Any], Any], states: Iterable[Any], repeat: int = 7) -> float:
    """The median over positions of the best of several runs, in microseconds."""
    clock = time.process_time_ns
    found = []
    for state in states:
        best = None
        for _ in range(repeat):
            start = clock()
            run(state)
            spent = clock() - start
            best = spent if best is None or spent < best else best
        found.append((best or 0) / 1000)
    return statistics.median(found)


def targets(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What the project asks of itself, and whether this run met it."""
    rows: list[tuple[str, float, str, float]] = []
    for name, one in report["games"].items():
        wanted = WANTED.get(name, Wanted())
        pace_of = f"{name}: decisions a second with complete lists, best round"
        rows.append((pace_of, one["decisions_per_second"], ">=", wanted.decisions))
        rows.append((f"{name}: state copy, µs", one["copy_us"], "<", wanted.copy_us))
        rows.append((f"{name}: legal list p99, µs", one["legal_us"]["p99"], "<", wanted.legal_p99_us))
        rows.append(
            (f"{name}: replay of a game of {one['replay']['scenario']}, s", one["replay"]["seconds"], "<", REPLAY_S)
        )
        if SUPPLY in one.get("benchmarks", {}):
            rows.append((f"{name}: {SUPPLY}, µs", one["benchmarks"][SUPPLY], "<", SUPPLY_US))
        for player, thought in one["players"].items():
            rows.append((f"{name}: {player}, slowest decision, ms", thought["max_ms"], "<", THINKING_MS))
    if KERNEL in report["kernels"]:
        rows.append((f"{KERNEL}: times the reference", report["kernels"][KERNEL]["ratio"], ">=", KERNEL_RATIO))
    return [
        {"name": name, "value": value, "limit": f"{sign} {limit:g}", "met": met(value, sign, limit)}
        for name, value, sign, limit in rows
    ]


def met(value: float, sign: str, limit: float) -> bool:
    return value >= limit if sign == ">=" else value < limit


def report_grid(report: dict[str, Any]) -> Grid:
    """The report for reading."""
    grid = Grid("", "", "", box=None, pad_edge=False)
    machine = report["machine"]
    grid.add_row(
        "machine",
        f"{machine['implementation']} {machine['python']}, {machine['processor']}, {machine['cores']} cores",
    )
    for name, one in report["kernels"].items():
        grid.add_row(
            f"kernel {name}",
            f"{one['per_s']:,.0f} a second, {one['hexes']:.0f} hexes each",
            f"{one['ratio']:.1f} times the reference",
        )
    for name, one in report["games"].items():
        for scenario, speed in one["scenarios"].items():
            grid.add_row(
                f"{name} {scenario}",
                f"{speed['decisions_per_second']:,} decisions a second",
                f"{speed['games']} games, {speed['decisions']:,} decisions",
            )
        rounds = ", ".join(f"{pace:,}" for pace in one["rounds"])
        grid.add_row(
            f"{name} with complete lists",
            f"{one['decisions_per_second']:,} decisions a second",
            f"best of these rounds: {rounds}",
        )
        grid.add_row(
            f"{name} decision", f"{one['additions_per_decision']:,} additions", "in a plain loop, median of rounds"
        )
        grid.add_row(f"{name} copy", f"{one['copy_us']} µs")
        legal = one["legal_us"]
        grid.add_row(f"{name} legal", f"p50 {legal['p50']} µs, p99 {legal['p99']} µs", f"{legal['lists']:,} lists")
        grid.add_row(f"{name} view", f"{one['view_us']} µs")
        replay = one["replay"]
        grid.add_row(
            f"{name} replay", f"{replay['seconds']} s", f"{replay['scenario']}, {replay['decisions']:,} decisions"
        )
        for player, thought in one["players"].items():
            grid.add_row(
                f"{name} {player}",
                f"mean {thought['mean_ms']} ms, p99 {thought['p99_ms']} ms, max {thought['max_ms']} ms",
                f"{thought['decisions']} decisions",
            )
        for what, spent in one.get("benchmarks", {}).items():
            grid.add_row(f"{name} {what}", f"{spent} µs")
    for target in report["targets"]:
        word = Text("met", "green") if target["met"] else Text("missed", "bold red")
        grid.add_row(target["name"], f"{target['value']:,} (wanted {target['limit']})", word)
    return grid
