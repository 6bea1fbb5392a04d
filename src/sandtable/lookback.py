"""The command line's look back at a game: `analyse`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from sandtable.engine.log import read_log
from sandtable.engine.table import Table
from sandtable.lookup import Failure, find_game
from sandtable.players.analysis import Analysis, Work, analyse, analysis_json
from sandtable.players.hints import has_hints
from sandtable.printing import Flag, out, print_json

BARS = 20
"""Letters of a full bar."""


def look_back(
    save: Path,
    /,
    *,
    marks: int = 16,
    playouts: int = 8,
    decisions: int = 4,
    seed: int = 1,
    pack: Path | None = None,
    json: Flag = False,
) -> int:
    """Look back at a game: the chance to win as it went, what the dice gave, the decisions that cost most.

    Parameters
    ----------
    save
        The file.
    marks
        Moments at which the chance is asked for.
    playouts
        Games played on from each of them.
    decisions
        Decisions that are compared with the computer's.
    seed
        The same seed gives the same analysis.
    pack
        The folder of your own data that the game was played with.
    json
        Print JSON.
    """
    from sandtable.terminal.progress import progress_bar

    for name, value, least in (("marks", marks, 2), ("playouts", playouts, 1), ("decisions", decisions, 0)):
        if value < least:
            raise Failure(f"--{name} takes {least} or more, not {value}")
    log = read_log(save)
    game = find_game(log.header.game, pack)
    if not has_hints(game):
        raise Failure(f"{game.id} has no computer player that could look back at it")
    table = Table.replay(log, game)
    work = Work(marks=marks, playouts=playouts, decisions=decisions)
    with progress_bar("analysing", 1) as progress:
        found = analyse(table, work, str(seed), progress)
    if json:
        print_json(analysis_json(game, found, str))
        return 0
    titles = [str(title) for title in game.info.side_titles]
    for line in lines(found, titles):
        out().print(line)
    return 0


def percent(chance: float) -> str:
    return f"{round(100 * chance)} %"


def signed(chance: float) -> str:
    return f"{round(100 * chance):+d}"


def lines(found: Analysis, titles: list[str]) -> list[Any]:
    """What is printed of an analysis."""
    first, second = titles
    grid = Grid(box=None, pad_edge=False)
    for title, right in (("entry", True), ("", False), (first, True), ("", False), ("dice", True), ("lost", True)):
        grid.add_column(title, justify="right" if right else "left")
    for point in found.points:
        bar = "█" * round(BARS * point.chance)
        lost = " : ".join(f"{one:g}" for one in point.lost)
        grid.add_row(
            *(str(point.n), str(point.label), percent(point.chance), f"{bar:·<{BARS}}", signed(point.luck), lost)
        )
    told: list[Any] = [grid, Text()]
    if found.lost:
        told.append(Text(f"Lost: {found.lost} ({first} : {second}).", "dim"))
    told.append(Text(f"The dice gave {first} {signed(found.luck)} points of chance ({found.weighed} rolls weighed)."))
    if found.better is not None:
        told.append(Text(f"In {percent(found.better)} of games the same rolls would have served {first} worse."))
    for one in found.fortunes:
        told.append(Text(f"  {one.n}: {one.text} {signed(one.luck)}"))
    if found.turning:
        told.append(Text(f"The chance of {first} turned:", "bold"))
    for turn in found.turning:
        told.append(
            Text(
                f"  {turn.start} to {turn.end}: {percent(turn.before)} to {percent(turn.after)}, "
                f"the dice {signed(turn.luck)}"
            )
        )
    if found.choices:
        told.append(Text("Decisions that cost most:", "bold"))
    for choice in found.choices:
        head = f"  {choice.n}, {titles[choice.side]}, {choice.label}: {signed(-choice.cost)}"
        told.append(Text(f"{head} (give or take {round(100 * choice.margin)})"))
        told.append(Text(f"    played: {'; '.join(map(str, choice.played[:6]))}", "dim"))
        told.append(Text(f"    the computer: {'; '.join(map(str, choice.preferred[:6]))}"))
        told += [Text(f"      {said}.") for said in choice.why]
    return told
