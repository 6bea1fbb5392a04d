"""What a player is told before the first move of a scenario: `data/briefings.toml` of each game."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """A special rule of a scenario in a sentence."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way that a side may mean to go: hexes from its beginning to its head."""

    side: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Briefing:
    """The page before the first move. How victory is reckoned is not said here: the game's own lines say it."""

    scenario: str
    situation: str
    aims: dict[str, str]
    special: tuple[Note, ...]
    arrows: tuple[Arrow, ...]
    balance: str = ""


@cache
def briefings(folder: Path) -> dict[str, Briefing]:
    """The briefings of a game in a folder, by scenario; none if it has no such file."""
    path = folder / "data" / "briefings.toml"
    if not path.exists():
        return {}
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["briefing"]
    return {row["scenario"]: _read(row) for row in rows}


def _read(row: dict[str, Any]) -> Briefing:
    return Briefing(
        scenario=row["scenario"],
        situation=row["situation"],
        aims=dict(row["aims"]),
        special=tuple(Note(one["rule"], one["text"]) for one in row.get("special", ())),
        arrows=tuple(Arrow(one["side"], tuple(one["path"])) for one in row.get("arrows", ())),
        balance=row.get("balance", ""),
    )


def said(source: str) -> set[str]:
    """What the file of a game's briefings says, for the catalogues."""
    found: set[str] = set()
    for row in tomllib.loads(source)["briefing"]:
        found |= {row["situation"], *row["aims"].values(), row.get("balance", "")}
        found |= {one["text"] for one in row.get("special", ())}
    return found - {""}
