"""How the sides of a scenario fare when both are played alike: counted from the rows of `simulate` and `tournament`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sandtable import registry

from .simulate import DRAW
from .tournament import interval

DATA = Path(__file__).with_name("balance.json")
"""What was counted when this version was made."""
SEED = 8
"""So many signs of a seed tell one game from another."""
SHOWN = 20
"""Games at least that are told in a lobby."""
ONE_SIDED = 0.7
"""The share of the games above which a scenario is called one-sided."""
LEVELS = ("patient", "strong", "planner", "easy", "random")
"""Whose games tell most of a scenario, the best players first."""


class Count(NamedTuple):
    """The games of one scenario between two of a kind."""

    game: str
    scenario: str
    player: str
    games: int
    wins: dict[str, int]
    """By side, and draws."""
    seeds: str = ""
    """How the seeds of these games begin, as far as they are known: a game that is met again is not counted again."""

    @property
    def first(self) -> str:
        return registry.get(self.game).info.sides[0]

    @property
    def share(self) -> float:
        """What the first side scored of a game: a draw is half."""
        return (self.wins.get(self.first, 0) + self.wins.get(DRAW, 0) / 2) / max(1, self.games)

    @property
    def between(self) -> tuple[float, float]:
        """Where the true share lies, 19 times of 20."""
        return interval(self.share * self.games, self.games)


class BadRow(ValueError):
    """A line that is no game: its text says file, line and why."""


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The games of a file of rows."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            missing = {"rules", "scenario", "seed", "seats", "winner", "error"} - set(row)
        except (ValueError, TypeError) as error:
            raise BadRow(f"{path}:{number}: this is no row of a series ({error})") from error
        if missing:
            raise BadRow(f"{path}:{number}: the row does not say {', '.join(sorted(missing))}")
        found.append(row)
    return found


def counts(rows: Iterable[dict[str, Any]], before: Iterable[Count] = ()) -> list[Count]:
    """The games in which both sides were played alike, counted beside those counted before; one that is there twice
    counts once."""
    wins: dict[tuple[str, str, str], Counter[str]] = {}
    seeds: dict[tuple[str, str, str], dict[str, None]] = {}
    for one in before:
        wins[one[:3]] = Counter(one.wins)
        seeds[one[:3]] = dict.fromkeys(one.seeds.split())
    for row in rows:
        players = set(row["seats"].values())
        if row["error"] or len(players) != 1:
            continue
        key = (row["rules"], row["scenario"], players.pop())
        seed = str(row["seed"])[:SEED]
        if seed not in seeds.setdefault(key, {}):
            seeds[key][seed] = None
            wins.setdefault(key, Counter())[row["winner"] or DRAW] += 1
    return sorted(
        Count(*key, count.total(), dict(sorted(count.items())), " ".join(seeds[key])) for key, count in wins.items()
    )


@cache
def known() -> tuple[Count, ...]:
    """What was counted when this version was made."""
    return tuple(Count(**one) for one in json.loads(DATA.read_text(encoding="utf-8")))


def told(game: str, scenario: str) -> Count | None:
    """The count that tells most of a scenario, if there were enough games."""
    some = [one for one in known() if (one.game, one.scenario) == (game, scenario) and one.games >= SHOWN]
    return min(some, key=lambda one: LEVELS.index(one.player) if one.player in LEVELS else 99, default=None)


def data_text(found: Sequence[Count]) -> str:
    """The counts as the file holds them."""
    lines = [json.dumps(one._asdict(), ensure_ascii=False) for one in found]
    return "[" + "".join(f"\n  {line}," for line in lines).rstrip(",") + ("\n]\n" if lines else "]\n")


def page(found: Sequence[Count]) -> str:
    """The counts as a page of the documentation."""
    lines = [
        "# Balance",
        "",
        "How the first side fares when both sides are played by the same computer player. A draw counts half; the",
        "interval is that of 19 in 20 (Wilson). Made from the rows of `sandtable simulate` by `sandtable balance`:",
        "nothing stands here that was not played, and every game can be played again from its seed.",
        "",
    ]
    if not found:
        return "\n".join([*lines, "No games have been counted yet.", ""])
    lines += [
        "| game | scenario | both sides | games | first side | wins | interval |",
        "|---|---|---|---|---|---|---|",
    ]
    leaning = []
    for one in found:
        rules = registry.get(one.game)
        title = registry.scenario(rules, one.scenario).title
        low, high = (round(100 * part) for part in one.between)
        wins = f"{round(100 * one.share)} %"
        lines.append(
            f"| {rules.info.title} | {title} | `{one.player}` | {one.games} | {rules.info.side_titles[0]} | {wins} | "
            f"{low} to {high} % |"
        )
        if max(one.share, 1 - one.share) > ONE_SIDED:
            side = rules.info.side_titles[one.share < 0.5]
            most = round(100 * max(one.share, 1 - one.share))
            leaning.append(f"- {rules.info.title}, {title}: {side}, {most} % between `{one.player}` and `{one.player}`")
    if leaning:
        lines += ["", f"One side scored more than {round(100 * ONE_SIDED)} % in:", "", *leaning]
    return "\n".join([*lines, ""])
