"""A process in which whole games are played again: to tell their dice, an old answer, or whether a save is good."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from sandtable import registry
from sandtable.engine.contract import SPECTATOR, Game
from sandtable.engine.log import End, Entry, Header, Log, SaveError, read_log
from sandtable.engine.migrations import migrate

from ..processes.helper import answer_all
from ..wire.ending import Ending
from ..wire.table import Moved, RollRecord
from . import looks
from .ending import ending
from .film import every_roll
from .live import Imagined, LiveTable, replayed

T = TypeVar("T")

MOST_ENTRIES = 100_000


class Played(msgspec.Struct):
    """A game and its log, as it is told to the process."""

    game: str
    target: str
    """Where the game is found, for games that only this server's registry knows."""
    header: Header
    entries: list[Entry]
    end: End | None = None
    base: str | None = None
    """What an analysis begins with: one side's view, and the seed of the rest."""

    def rules(self) -> Game[Any]:
        registry.GAMES.setdefault(self.game, self.target)
        game: Game[Any] = registry.get(self.game)
        if not self.base:
            return game
        base = msgspec.json.decode(self.base)
        imagined: Any = Imagined(game, base["view"], base["seed"])
        return imagined  # type: ignore[no-any-return]


class AskDice(msgspec.Struct, tag="dice"):
    """Every roll of a game that has ended, die by die; up to entry `foreign` the seed was another."""

    played: Played
    foreign: int


class AskAnswer(msgspec.Struct, tag="answer"):
    """What a move was answered that brought the entries from `n` to `upto`."""

    played: Played
    viewer: int
    seat: str
    status: str
    n: int
    upto: int


class AskSave(msgspec.Struct, tag="save"):
    """Whether the text of a save is a game, and how far it has come."""

    text: str
    games: dict[str, str]


class AskEnding(msgspec.Struct, tag="ending"):
    """A game that has ended, told as a whole."""

    played: Played


Question = AskDice | AskAnswer | AskSave | AskEnding


class Begun(msgspec.Struct):
    """A game with what has been played of it, as it can be written into the database."""

    header: Header
    entries: list[Entry]
    end: End | None
    to_act: str | None
    steps: int
    """The length as spectators count it."""


def begun(table: LiveTable) -> Begun:
    entries, to_act = list(table.entries), looks.side_name(table, table.to_act)
    return Begun(table.header, entries, table.end, to_act, table.length(SPECTATOR))


class BadSave(msgspec.Struct):
    """A save that is no game: where, and why."""

    line: int
    why: str


class SaveAnswer(msgspec.Struct):
    begun: Begun | None = None
    bad: BadSave | None = None


async def dice(asked: AskDice) -> list[RollRecord]:
    played = asked.played
    return await every_roll(played.header, played.rules(), played.entries, asked.foreign)


async def old_answer(asked: AskAnswer) -> Moved:
    played = asked.played
    end = played.end if asked.upto == len(played.entries) else None
    then = await replayed(Log(played.header, tuple(played.entries), end), played.rules(), to=asked.upto)
    status = "running" if then.end is None and asked.status in ("finished", "abandoned") else asked.status
    return looks.moved(then, asked.viewer, asked.n - 1, asked.seat, status)


async def the_end(asked: AskEnding) -> Ending:
    played = asked.played
    return await ending(Log(played.header, tuple(played.entries), played.end), played.rules())


async def save(asked: AskSave) -> SaveAnswer:
    for name, target in asked.games.items():
        registry.GAMES.setdefault(name, target)
    try:
        return SaveAnswer(begun=begun(await _taken_up(asked.text)))
    except SaveError as error:
        return SaveAnswer(bad=BadSave(error.line, error.why))
    except registry.UnknownName as error:
        return SaveAnswer(bad=BadSave(1, str(error)))


async def _taken_up(text: str) -> LiveTable:
    """The table of a save; SaveError with line and reason if it is damaged or not of a game here."""
    log = read_log(text if text.lstrip().startswith("{") else "{\n" + text, name="save")
    game = registry.get(log.header.game)
    if len(log.entries) > MOST_ENTRIES:
        raise SaveError(MOST_ENTRIES, "the game is too long for this server")
    if log.end is not None and log.end.seed and not log.header.seed:
        log = replace(log, header=replace(log.header, seed=log.end.seed))
    if not log.header.seed and log.end is None:
        raise SaveError(1, "the save is sealed: without its seed the game cannot go on here")
    log = migrate(log, game.version)
    table = await replayed(log, game, check=True)
    if table.end is None and table.dice is not None:
        table.roll_on()
    table.entries[:] = [entry._replace(line=0) for entry in table.entries]
    return table


def alone(work: Coroutine[Any, Any, T]) -> T:
    """Do this to its end: nobody else wants a turn here, and no loop of events is needed to give one."""
    while True:
        try:
            work.send(None)
        except StopIteration as done:
            found: T = done.value
            return found


def answered(message: bytes) -> bytes:
    asked = msgspec.json.decode(message, type=Question)
    answer: Any
    if isinstance(asked, AskDice):
        answer = alone(dice(asked))
    elif isinstance(asked, AskAnswer):
        answer = alone(old_answer(asked))
    elif isinstance(asked, AskEnding):
        answer = alone(the_end(asked))
    else:
        answer = alone(save(asked))
    return msgspec.json.encode(answer)


def answerer() -> Callable[[bytes], bytes]:
    return answered


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(5)  # who plays now goes before who looks back
    answer_all(answered)
