"""What the command line prints of its results, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from sandtable import registry
from sandtable.engine.contract import Game
from sandtable.engine.ledger import Rule
from sandtable.engine.table import Report, Table


def games_json(games: Sequence[Game[Any]]) -> list[dict[str, Any]]:
    return [
        {
            "id": game.id,
            "title": game.info.title,
            "title_ja": game.info.title_ja,
            "version": game.version,
            "sides": list(game.info.sides),
            "scenarios": [scenario.id for scenario in game.scenarios()],
            "players": registry.player_names(game),
            "summary": game.info.summary,
        }
        for game in games
    ]


def games_grid(games: Sequence[Game[Any]]) -> Grid:
    grid = Grid("game", "title", "sides", "scenarios", "players", box=None, pad_edge=False)
    for game in games:
        grid.add_row(
            Text(game.id, "bold"),
            game.info.title,
            ", ".join(game.info.sides),
            str(len(game.scenarios())),
            ", ".join(["human", *registry.player_names(game)]),
        )
    return grid


def scenarios_json(game: Game[Any]) -> list[dict[str, Any]]:
    return [
        {"id": s.id, "title": s.title, "title_ja": s.title_ja, "length": s.length, "note": s.note}
        for s in game.scenarios()
    ]


def scenarios_grid(game: Game[Any]) -> Grid:
    grid = Grid("scenario", "title", "length", "note", box=None, pad_edge=False)
    for scenario in game.scenarios():
        grid.add_row(Text(scenario.id, "bold"), scenario.title, scenario.length, scenario.note)
    return grid


def options_grid(game: Game[Any]) -> Grid:
    grid = Grid("option", "title", "rule", box=None, pad_edge=False)
    for option in game.options():
        grid.add_row(Text(option.id, "bold"), option.title, option.rule)
    return grid


def rules_json(rules: Sequence[Rule]) -> list[dict[str, str]]:
    return [{"id": r.id, "title": r.title, "text": r.text, "chapter": r.chapter} for r in rules]


def coverage_grid(report: dict[str, dict[str, Any]]) -> Grid:
    grid = Grid("game", box=None, pad_edge=False)
    for title in ("rules", "tested", "not applicable", "open"):
        grid.add_column(title, justify="right")
    for name, counts in report.items():
        numbers = (counts["rules"], counts["tested"], counts["not_applicable"], len(counts["open"]))
        grid.add_row(name, *map(str, numbers))
    return grid


def checked_json(save: Path, report: Report) -> dict[str, Any]:
    return {
        "save": str(save),
        "ok": report.ok,
        "entries": report.actions,
        "rolls": report.rolls,
        "dice": report.dice,
        "problems": report.problems,
        "notes": report.notes,
    }


def outcome_json(table: Table[Any]) -> dict[str, Any] | None:
    outcome = table.end.outcome if table.end is not None else None
    if outcome is None:
        return None
    winner = None if outcome.winner is None else table.header.sides[outcome.winner]
    return {"winner": winner, "level": outcome.level, "points": outcome.points, "rule": outcome.rule}


def simulated_grid(report: dict[str, Any]) -> Grid:
    grid = Grid(show_header=False, box=None, pad_edge=False)
    grid.add_row("game", f"{report['game']}, {report['scenario']}")
    grid.add_row("games", f"{report['games']:,} played, {report['finished']:,} finished, {report['errors']} errors")
    for key in ("wins", "player_wins"):
        if key in report:
            grid.add_row(key.replace("_", " "), ", ".join(f"{who} {n:,}" for who, n in report[key].items()))
    grid.add_row("length", f"{report['mean_length']:,} decisions on average")
    grid.add_row(
        "speed",
        f"{report['decisions_per_second']:,} decisions/s, {report['games_per_second']:,} games/s, "
        f"{report['seconds']} s in all",
    )
    return grid
