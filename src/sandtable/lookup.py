"""Finding things by the names that users type, and failures that are said in one line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sandtable import registry
from sandtable.engine.contract import SPECTATOR, Game
from sandtable.engine.packs import config_overrides


class Failure(Exception):
    """Its text is what the user reads."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a wrong name: the nearest right ones, or all."""
    words = list(dict.fromkeys(known))
    near = get_close_matches(name.lower(), words, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else f"; there are: {', '.join(words)}"


def find_game(name: str, pack: Path | None = None) -> Game[Any]:
    """A game, with the player's own folder of data (and the one given) laid over its pack."""
    game = registry.get(name)
    if pack is not None and not pack.is_dir():
        raise Failure(f"{pack} is not a folder")
    own = config_overrides(name)
    overrides = [folder for folder in (own, pack) if folder is not None]
    if not overrides:
        return game
    make: Any = type(game)
    changed: Game[Any] = make(overrides=overrides)
    return changed


def find_side(game: Game[Any], name: str) -> int:
    """A side by its own name, or as `axis` and `allied`; `none` is somebody who holds no seat."""
    known = {"axis": 0, "allied": 1, **{side: i for i, side in enumerate(game.info.sides)}, "none": SPECTATOR}
    if name.lower() not in known:
        raise Failure(f"{game.id} has no side {name!r}{did_you_mean(name, known)}")
    return known[name.lower()]
