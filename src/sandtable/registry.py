"""Which games there are, by name. Everything outside `games` reaches a game through here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, cast

from .engine.contract import Game, Scenario
from .engine.seats import PlayerFactory
from .engine.table import Report, Table, verify_file

GAMES: dict[str, str] = {
    "rommel": "sandtable.games.rommel.game:GAME",
    "caucasus": "sandtable.games.caucasus.game:GAME",
    "na41": "sandtable.games.na41.game:GAME",
    "kasserine": "sandtable.games.kasserine.game:GAME",
    "asl": "sandtable.games.asl.game:GAME",
}
"""Where each game is found: module and name. A game is imported when it is first asked for."""

PLAYERS: dict[str, str] = {
    "random": "sandtable.players.random_player:RandomPlayer",
}
"""The players that play every game. A game names its own in `info.players`."""

LEVELS: dict[str, str] = {
    "easy": "sandtable.players.levels:Easy",
    "strong": "sandtable.players.levels:strong",
    "patient": "sandtable.players.levels:patient",
}
"""What is built on a game's planner, for every game that has one; the planner itself is the level between."""

PLANNER = "planner"


IMPORTERS: dict[str, tuple[str, str]] = {
    "vasl": ("asl", "sandtable.games.asl.boards.vasl:import_vasl"),
}
"""What reads boards of other programs into a folder of the player's own: the game, and where it is found."""


class UnknownName(LookupError):
    """Nothing is called that; says what is."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        self.near = tuple(_near(name, self.known))
        if self.near:
            hint = f"did you mean {' or '.join(self.near)}?"
        else:
            hint = f"there are: {', '.join(self.known)}"
        super().__init__(f"no {what} is called {name!r}; {hint}")

    def __str__(self) -> str:
        return str(self.args[0])


def _near(name: str, known: tuple[str, ...]) -> list[str]:
    lower = {word.lower(): word for word in known}
    close = get_close_matches(name.lower(), lower, n=3, cutoff=0.5)
    begin = [word for word in lower if name and word.startswith(name.lower()) and word not in close]
    return [lower[word] for word in (*begin, *close)][:3]


def _find(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def names() -> list[str]:
    """The games, in order."""
    return list(GAMES)


def get(name: str) -> Game[Any]:
    """The game of that name."""
    target = GAMES.get(name)
    if target is None:
        raise UnknownName("game", name, GAMES)
    return cast(Game[Any], _find(target))


def scenario(game: Game[Any], name: str) -> Scenario:
    """The game's scenario of that name."""
    known = {one.id: one for one in game.scenarios()}
    if name not in known:
        raise UnknownName(f"scenario of {game.id}", name, known)
    return known[name]


def player_names(game: Game[Any]) -> list[str]:
    """The computer players that play this game, the weakest first; those of its own that no level knows come last."""
    own = [name for name in game.info.players if name not in PLAYERS and name != PLANNER]
    if PLANNER not in game.info.players:
        return [*PLAYERS, *own]
    easy, *stronger = LEVELS
    return [*PLAYERS, easy, PLANNER, *stronger, *own]


def player(game: Game[Any], name: str) -> PlayerFactory:
    """The computer player of that name for this game, to be called with the game and a random generator.

    A player of one's own is named by where Python finds it: ``module:Class``.
    """
    target = game.info.players.get(name) or PLAYERS.get(name)
    if target is None and ":" in name:
        return _own_player(name)
    if target is None and PLANNER in game.info.players:
        target = LEVELS.get(name)
    if target is None:
        raise UnknownName(f"player of {game.id}", name, player_names(game))
    return cast(PlayerFactory, _find(target))


def _own_player(target: str) -> PlayerFactory:
    module, _, name = target.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(f"no player is found at {target!r}: {error}") from error
    if not callable(found):
        raise LookupError(f"{target!r} is not a player: it cannot be called with a game and a random generator")
    return cast(PlayerFactory, found)


def importer(name: str) -> tuple[str, Callable[..., Any]]:
    """The game that an importer is for, and the importer: to be called with file, folder and words."""
    if name not in IMPORTERS:
        raise UnknownName("importer", name, IMPORTERS)
    game, target = IMPORTERS[name]
    return game, cast(Callable[..., Any], _find(target))


def load_table(path: str | os.PathLike[str], recover: bool = False) -> Table[Any]:
    """Take up a saved game of any game."""
    return Table.load(path, get, recover)


def verify_save(path: str | os.PathLike[str]) -> Report:
    """Check a save of any game: its chain, its actions, its dice and its outcome."""
    return verify_file(path, get)
