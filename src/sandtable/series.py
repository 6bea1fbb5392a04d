"""The command line's series of games between computer players: `simulate` and `tournament`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.table import Table as Grid

from sandtable import registry, reports
from sandtable.lookup import Failure
from sandtable.players import balance as counted
from sandtable.players.simulate import Row, Run, Write, run_series, write_rows
from sandtable.printing import Flag, Words, complain, out, print_json


def runner(on: str | None) -> Run:
    """Who plays a series: processes of this machine, or a Ray cluster."""
    if on is None:
        return run_series
    if on != "ray" and not on.startswith("ray://"):
        raise Failure(f"--on takes ray or ray://HOST:PORT, not {on!r}")
    try:
        from sandtable.research.cluster import run_on_ray
    except ImportError as error:
        raise Failure(f"--on ray needs more packages: pip install 'sandtable[ray]' ({error})") from error
    return partial(run_on_ray, address=on)


PARQUET = ".parquet"
"""How a file of rows ends that is no JSON Lines."""


def writer(rows: Path | None) -> Write:
    """How rows are written, by the name of their file; asked before anything is played."""
    if rows is not None and not rows.absolute().parent.is_dir():
        raise Failure(f"{rows}: there is no such folder to write rows into")
    if rows is None or rows.suffix != PARQUET:
        return write_rows
    try:
        from sandtable.research.parquet import write_parquet
    except ImportError as error:
        raise Failure(_no_parquet(rows, error)) from error
    return write_parquet


def _read_rows(path: Path) -> list[Row]:
    """The games of a file of rows, of either form."""
    if path.suffix != PARQUET:
        return counted.read_rows(path)
    try:
        from sandtable.research.parquet import read_parquet
    except ImportError as error:
        raise Failure(_no_parquet(path, error)) from error
    try:
        return read_parquet(path)
    except ValueError as error:  # pyarrow's own errors are of this kind
        raise Failure(f"{path}: these are no rows of a series ({error})") from error


def _no_parquet(path: Path, error: ImportError) -> str:
    return f"{path}: Parquet needs more packages: pip install 'sandtable[parquet]' ({error})"


def simulate(
    game: str,
    scenario: str | None = None,
    /,
    *,
    games: int = 100,
    seed: int = 1,
    players: str = "random,random",
    jobs: int = 1,
    save_dir: Path | None = None,
    swap: Flag = False,
    option: Words = None,
    rows: Path | None = None,
    on: str | None = None,
    json: Flag = False,
) -> int:
    """Games between computer players, counted.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    scenario
        One scenario; otherwise all in turn.
    games
        How many games.
    seed
        The same seed gives the same games.
    players
        One for each side, with a comma: planner,random.
    jobs
        How many processes.
    save_dir
        Save every game in this folder. Otherwise only those that went wrong are saved, in saves/.
    swap
        Let the players change sides from game to game.
    option
        An option of the game. May be repeated.
    rows
        A file for a row a game: JSON Lines, or Parquet if its name ends in .parquet.
    on
        ray, or ray://HOST:PORT: play them on a Ray cluster, on so many of its processes.
    json
        Print JSON.
    """
    from sandtable.players.simulate import simulate as run
    from sandtable.terminal.progress import progress_bar
    from sandtable.terminal.start import chosen_options

    rules = registry.get(game)
    for what, value in (("--games", games), ("--jobs", jobs)):
        if value < 1:
            raise Failure(f"{what} takes a number from 1, not {value}")
    names = [name.strip() for name in players.split(",") if name.strip()]
    if len(names) == 1:
        names *= len(rules.info.sides)
    if len(names) != len(rules.info.sides):
        sides = " and ".join(rules.info.sides)
        raise Failure(f"--players takes one player for {sides} each, not {len(names)} in all")
    wanted = [word for words in option or () for word in words.split(",") if word]
    with progress_bar(f"{game} {scenario or 'all scenarios'}", games) as told:
        report = run(
            game,
            scenario,
            games=games,
            seed=seed,
            players=names,
            jobs=jobs,
            save_dir=save_dir,
            swap=swap,
            options=chosen_options(rules, wanted),
            progress=told,
            rows=rows,
            run=runner(on),
            write=writer(rows),
        )
    if json:
        print_json(report)
    else:
        out().print(reports.simulated_grid(report))
    for fault in report.get("faults", ()):
        where = f"; see {fault['save']}" if fault.get("save") else ""
        complain(f"game {fault['game']} of {fault['scenario']} went wrong: {fault['error']}{where}")
    return 1 if report["errors"] else 0


def tournament(
    game: str,
    scenario: str | None = None,
    /,
    *,
    players: str = "planner,random",
    games: int = 20,
    seed: int = 1,
    jobs: int = 1,
    rows: Path | None = None,
    on: str | None = None,
    json: Flag = False,
) -> int:
    """Everybody against everybody, sides swapped from game to game: shares with their intervals, and Elo.

    Parameters
    ----------
    game
        Its name, as `sandtable games` lists it.
    scenario
        One scenario; otherwise all in turn.
    players
        Two or more, with commas: strong,planner or names of your own as module:Class.
    games
        How many games for each pair.
    seed
        The same seed gives the same games, on any number of processes.
    jobs
        How many processes.
    rows
        A file for a row a game: JSON Lines, or Parquet if its name ends in .parquet.
    on
        ray, or ray://HOST:PORT: play them on a Ray cluster, on so many of its processes.
    json
        Print JSON.
    """
    from sandtable.players.tournament import tournament as run
    from sandtable.terminal.progress import progress_bar

    names = [name.strip() for name in players.split(",") if name.strip()]
    for what, value in (("--games", games), ("--jobs", jobs)):
        if value < 1:
            raise Failure(f"{what} takes a number from 1, not {value}")
    if len(names) < 2 or len(set(names)) != len(names):
        raise Failure("--players takes two players or more, each named once")
    registry.get(game)
    pairs = len(names) * (len(names) - 1) // 2
    with progress_bar(f"{game} {scenario or 'all scenarios'}", games * pairs) as told:
        report = run(game, names, games, scenario, seed, jobs, rows, told, runner(on), writer(rows))
    if json:
        print_json(report)
    else:
        grid = Grid(box=None, pad_edge=False)
        for title in ("player", "games", "score", "Elo", "between"):
            grid.add_column(title, justify="left" if title == "player" else "right")
        for one in report["standings"]:
            between = f"{one['low']:+} to {one['high']:+}"
            grid.add_row(one["player"], str(one["games"]), f"{one['score']:g}", f"{one['elo']:+}", between)
        out().print(grid)
        for pair in report["pairs"]:
            first, second = pair["players"]
            share = "–" if pair["share"] is None else f"{pair['share']:.0%}"
            low, high = pair["between"]
            out().print(f"{first} against {second}: {share} of {pair['games']} ({low:.0%} to {high:.0%})")
    for fault in report["faults"]:
        complain(f"game {fault['game']} of {fault['scenario']} went wrong: {fault['error']}")
    return 1 if report["errors"] else 0


def balance(
    *rows: Path, add: Flag = False, data: Path | None = None, page: Path | None = None, json: Flag = False
) -> int:
    """How the sides of scenarios fare when both are played alike, counted from rows of simulate and tournament.

    Without rows, what was counted when this version was made.

    Parameters
    ----------
    rows
        Files that `--rows` has written.
    add
        Count them beside what was counted when this version was made; a game that is met again is not counted again.
    data
        Write the counts into this file, for the lobby.
    page
        Write them into this file, as a page of the documentation.
    json
        Print JSON.
    """
    try:
        before = counted.known() if add or not rows else ()
        found = counted.counts((row for path in rows for row in _read_rows(path)), before)
    except counted.BadRow as error:
        raise Failure(str(error)) from error
    if data is not None:
        data.write_text(counted.data_text(found), encoding="utf-8")
    if page is not None:
        page.write_text(counted.page(found), encoding="utf-8")
    if json:
        print_json([{**one._asdict(), "share": one.share, "between": one.between} for one in found])
        return 0
    grid = Grid("game", "scenario", "both sides", "games", "first side", "interval", box=None, pad_edge=False)
    for one in found:
        low, high = (round(100 * part) for part in one.between)
        share = f"{one.first} {round(100 * one.share)} %"
        grid.add_row(one.game, one.scenario, one.player, str(one.games), share, f"{low} to {high} %")
    out().print(grid if found else "No games have been counted.")
    return 0
