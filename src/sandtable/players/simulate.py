"""Many games between computer players, on as many processes as wanted."""

from __future__ import annotations

import gc
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandtable import registry
from sandtable.engine.dice import derive_seed
from sandtable.engine.log import write_log

from .match import LIMIT, Match, MatchError, play

ERRORS_FOLDER = "saves"
"""Where the saves of games that went wrong are kept if no folder is named: in the current folder."""

DRAW = "draw"


@dataclass(frozen=True)
class Series:
    """What is to be played."""

    game: str
    scenarios: tuple[str, ...]
    games: int
    seed: int | str
    players: tuple[str, ...]
    swap: bool = False
    """Players change sides from game to game."""
    options: tuple[tuple[str, bool], ...] = ()
    folder: str = ERRORS_FOLDER
    keep_all: bool = False
    limit: int = LIMIT
    target: str = ""
    """Where the registry finds the game, for processes that begin with a registry of their own."""

    def seats(self, number: int) -> list[int]:
        """Which player sits on each side in this game, by the player's place in `players`."""
        count = len(self.players)
        shift = number // len(self.scenarios) % count if self.swap else 0
        return [(side + shift) % count for side in range(count)]


Row = dict[str, Any]
"""What became of one game: its number and seed, who sat where, who won, by how much, and how long it took."""


@dataclass
class Tally:
    """What came of some games."""

    games: int = 0
    finished: int = 0
    errors: int = 0
    decisions: int = 0
    lengths: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    player_wins: Counter[str] = field(default_factory=Counter)
    by_scenario: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.finished += other.finished
        self.errors += other.errors
        self.decisions += other.decisions
        self.lengths += other.lengths
        self.wins += other.wins
        self.player_wins += other.player_wins
        for name, wins in other.by_scenario.items():
            self.by_scenario.setdefault(name, Counter()).update(wins)
        self.faults += other.faults
        self.rows += other.rows


def labels(players: Sequence[str]) -> list[str]:
    """A name for each player, told apart by number if two are of one kind."""
    if len(set(players)) == len(players):
        return list(players)
    return [f"{name} {number}" for number, name in enumerate(players, 1)]


def play_one(series: Series, number: int) -> Tally:
    """Play one game of a series; an error is counted, and the save that shows it kept."""
    game = registry.get(series.game)
    scenario = series.scenarios[number % len(series.scenarios)]
    seats = series.seats(number)
    sides = game.info.sides
    factories = [registry.player(game, series.players[seat]) for seat in seats]
    names = {side: series.players[seat] for side, seat in zip(sides, seats, strict=True)}
    tally = Tally(games=1)
    seed = derive_seed(f"{series.seed}/{number}")
    try:
        match = play(game, scenario, factories, seed, dict(series.options), names, series.limit)
    except MatchError as error:
        match = error.match
        tally.errors = 1
        saved, why = _keep(series, scenario, number, match, "error-")
        fault = {"game": number, "scenario": scenario, "error": str(error), "save": saved}
        tally.faults.append(fault if why is None else {**fault, "not_saved": why})
        tally.rows.append(_row(number, scenario, seed, names, match))
    else:
        tally.finished = 1
        tally.lengths = match.decisions
        winner = match.outcome.winner if match.outcome is not None else None
        name = DRAW if winner is None else sides[winner]
        tally.wins[name] += 1
        tally.by_scenario[scenario] = Counter({name: 1})
        tally.player_wins[DRAW if winner is None else labels(series.players)[seats[winner]]] += 1
        tally.rows.append(_row(number, scenario, seed, names, match))
        if series.keep_all:
            _keep(series, scenario, number, match, "")
    tally.decisions = match.decisions
    return tally


def _row(number: int, scenario: str, seed: bytes, seats: dict[str, str], match: Match) -> Row:
    end, sides = match.outcome, match.game.info.sides
    return {
        "game": number,
        "rules": match.game.id,
        "scenario": scenario,
        "seed": seed.hex(),
        "seats": seats,
        "winner": None if end is None or end.winner is None else sides[end.winner],
        "level": None if end is None else str(end.level),
        "points": None if end is None else end.points,
        "decisions": match.decisions,
        "error": match.error or None,
    }


def in_order(rows: Sequence[Row]) -> list[Row]:
    """The games by their numbers, however they came in."""
    return sorted(rows, key=lambda row: int(row["game"]))


Write = Callable[[Sequence[Row], str | Path], None]
"""How the games of a series become a file."""


def write_rows(rows: Sequence[Row], path: str | Path) -> None:
    """The games of a series as JSON Lines, in their order: the same on any number of processes."""
    lines = [json.dumps(row, ensure_ascii=False) for row in in_order(rows)]
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


KEPT = 20
"""The rows are written down again when there is one more for every so many that are: of a series that is killed, hardly
any are lost, and a long one does not write without end."""


@contextmanager
def written(rows: Sequence[Row], path: str | Path | None, write: Write) -> Iterator[Callable[[], None]]:
    """The rows are written down at the end, also where the series is broken off, and from time to time before it, by
    what this gives: what was played is not lost. What is no file (a device, a pipe) is written to at the end alone: it
    must not be replaced by one."""
    known = 0
    replaced = path is not None and (Path(path).is_file() or not Path(path).exists())

    def note() -> None:
        nonlocal known
        if path is not None and replaced and len(rows) > known + known // KEPT:
            file = Path(path).resolve()
            whole = file.with_name(f"{file.name}.part")
            write(rows, whole)
            whole.replace(file)
            known = len(rows)

    try:
        yield note
    finally:
        if path is not None:
            write(rows, path)


def _keep(series: Series, scenario: str, number: int, match: Match, kind: str) -> tuple[str, str | None]:
    """Save a match; an error's save may itself be beyond saving, which must not end the series."""
    folder = Path(series.folder)
    path = folder / f"{kind}{series.game}-{scenario}-{series.seed}-{number}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_log(match.log(), path)
    except Exception as error:
        if not kind:
            raise
        return "", f"{type(error).__name__}: {error}"
    return str(path), None


def settle_down(series: Series) -> None:
    """Load the game, and tell the garbage collector that maps and charts are there to stay."""
    registry.get(series.game)
    gc.collect()
    gc.freeze()


def _play_some(series: Series, numbers: Sequence[int]) -> Tally:
    """Play some games of a series in a process of their own."""
    if series.target:
        registry.GAMES.setdefault(series.game, series.target)
    settle_down(series)
    tally = Tally()
    for number in numbers:
        tally.add(play_one(series, number))
    return tally


def run_series(series: Series, jobs: int) -> Iterator[Tally]:
    """The tallies of all games, as they are finished."""
    if jobs <= 1:
        settle_down(series)
        for number in range(series.games):
            yield play_one(series, number)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed

    size = max(1, min(20, series.games // (jobs * 4)))
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [
            pool.submit(_play_some, series, range(start, min(start + size, series.games)))
            for start in range(0, series.games, size)
        ]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


Run = Callable[[Series, int], Iterator[Tally]]
"""Who plays a series on so many processes."""


def simulate(
    game: str,
    scenario: str | None = None,
    games: int = 100,
    seed: int | str = 1,
    players: Sequence[str] = ("random", "random"),
    jobs: int = 1,
    save_dir: str | Path | None = None,
    swap: bool = False,
    options: dict[str, bool] | None = None,
    limit: int = LIMIT,
    progress: Callable[[int, int], None] | None = None,
    rows: str | Path | None = None,
    run: Run = run_series,
    write: Write = write_rows,
) -> dict[str, Any]:
    """Play a series and count. The same arguments give the same games, on any number of processes.

    Without a scenario the games go through all of them in turn. With `save_dir` every game is
    saved there; without it only games that went wrong are, in the folder `saves`. `progress` is
    called with the numbers of games done and to do. `rows` is a file for a row a game, and
    `write` its form. `run` plays them: here, or on a cluster.
    """
    rules = registry.get(game)
    if scenario is not None:
        registry.scenario(rules, scenario)
    for name in players:
        registry.player(rules, name)
    if len(players) != len(rules.info.sides):
        raise ValueError(f"{game} has {len(rules.info.sides)} sides, but {len(players)} players were named")
    series = Series(
        game=game,
        scenarios=(scenario,) if scenario is not None else tuple(one.id for one in rules.scenarios()),
        games=games,
        seed=seed,
        players=tuple(players),
        swap=swap,
        options=tuple((options or {}).items()),
        folder=str(save_dir if save_dir is not None else ERRORS_FOLDER),
        keep_all=save_dir is not None,
        limit=limit,
        target=registry.GAMES[game],
    )
    begin = time.perf_counter()
    total = Tally()
    with written(total.rows, rows, write) as note:
        for tally in run(series, jobs):
            total.add(tally)
            note()
            if progress is not None:
                progress(total.games, games)
    seconds = time.perf_counter() - begin
    return _result(series, scenario, rules.info.sides, total, seconds)


def _result(
    series: Series, scenario: str | None, sides: tuple[str, ...], total: Tally, seconds: float
) -> dict[str, Any]:
    """The report, in the keys that the command line prints."""
    faults = sorted(total.faults, key=lambda fault: int(fault["game"]))
    result: dict[str, Any] = {
        "game": series.game,
        "scenario": scenario if scenario is not None else "all",
        "games": total.games,
        "finished": total.finished,
        "errors": total.errors,
        "decisions": total.decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(total.decisions / seconds) if seconds else 0,
        "games_per_second": round(total.games / seconds, 2) if seconds else 0.0,
        "wins": {name: total.wins[name] for name in (*sides, DRAW)},
        "mean_length": round(total.lengths / total.finished, 1) if total.finished else 0.0,
    }
    if series.swap:
        result["player_wins"] = {name: total.player_wins[name] for name in (*labels(series.players), DRAW)}
    if scenario is None:
        result["by_scenario"] = {
            name: {who: total.by_scenario.get(name, Counter())[who] for who in (*sides, DRAW)}
            for name in series.scenarios
        }
    if faults:
        result["faults"] = faults
    return result
