"""Playing whole games again: in a process of its own, one at a time a room, kept, and only while somebody waits."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import msgspec

from sandtable import registry
from sandtable.engine.texts.text import Text

from ..people.turns import Turns
from ..processes.helper import Helper
from ..refusals import Refused
from ..settings import Settings
from ..table.analyst import AskAnalysis
from ..table.live import LiveTable
from ..table.replayer import AskAnswer, AskDice, AskEnding, AskSave, Played, Question, SaveAnswer
from ..table.rooms import Room

log = logging.getLogger("sandtable.replays")

MODULE = "sandtable.server.table.replayer"
ANALYST = "sandtable.server.table.analyst"
MOST_ANALYSES = 8
"""Games that wait to be looked back at, in one process; who comes then is asked to come again."""
KEPT_BYTES = 32_000_000
"""Bytes of answers that are kept in one process."""


class Kept:
    """Answers that do not change any more, by what they answer; the ones asked for least lately are let go."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self.most = most
        self.size = 0
        self._found: OrderedDict[tuple[str, ...], bytes] = OrderedDict()

    def get(self, key: tuple[str, ...]) -> bytes | None:
        found = self._found.get(key)
        if found is not None:
            self._found.move_to_end(key)
        return found

    def put(self, key: tuple[str, ...], answer: bytes) -> None:
        self.size += len(answer) - len(self._found.pop(key, b""))
        self._found[key] = answer
        while self.size > self.most and self._found:
            self.size -= len(self._found.popitem(last=False)[1])


@dataclass
class _Job:
    task: asyncio.Task[bytes]
    waiting: int = 0


class Replays:
    """The way to the process that plays games again: for those who ask in turn, by where they are."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.seconds = settings.replay_seconds
        self.kept = Kept()
        self.asked = 0
        """How many games were played again."""
        self._helper, self._analyst = Helper(MODULE), Helper(ANALYST)
        self._turns = Turns()
        self.progress: dict[tuple[str, ...], tuple[int, int]] = {}
        """How far the analyses are that are under way."""
        self._jobs: dict[tuple[str, ...], _Job] = {}

    async def close(self) -> None:
        for job in list(self._jobs.values()):
            job.task.cancel()
        await asyncio.gather(*(job.task for job in self._jobs.values()), return_exceptions=True)
        await self._helper.stop()
        await self._analyst.stop()

    async def dice(self, room: Room, table: LiveTable, foreign: int, who: str) -> bytes:
        """Every roll of a game that has ended."""

        async def ask() -> bytes:
            return await self._ask(AskDice(played(room, table), foreign), who)

        return await self._once(("dice", room.id), room, ask)

    async def ending(self, room: Room, table: LiveTable, who: str) -> bytes:
        """A game that has ended, told as a whole."""

        async def ask() -> bytes:
            return await self._ask(AskEnding(played(room, table)), who, self.settings.ending_seconds)

        return await self._once(("ending", room.id), room, ask)

    async def answer(
        self, room: Room, table: LiveTable, key: tuple[str, str], asked: dict[str, Any], who: str
    ) -> bytes:
        """What a move was answered when it was taken."""

        async def ask() -> bytes:
            return await self._ask(AskAnswer(played(room, table), status=room.row["status"], **asked), who)

        return await self._once(("answer", room.id, *key), room, ask)

    async def analysis(self, room: Room, table: LiveTable) -> bytes:
        """A game looked back at, as JSON: one game at a time in this process, and each only once."""
        key = analysis_key(room, table)
        if key not in self._jobs and len(self.progress) >= MOST_ANALYSES and self.kept.get(key) is None:
            raise Refused(503, "busy", "other games are being looked back at", headers={"retry-after": "60"})
        message = msgspec.json.encode(AskAnalysis(played(room, table), self.settings.analysis_playouts))

        def heard(data: bytes) -> None:
            done, todo = msgspec.json.decode(data)
            self.progress[key] = (done, todo)

        async def ask() -> bytes:
            self.progress[key] = (0, 1)
            self.asked += 1
            try:
                return await self._analyst.ask(message, self.settings.analysis_seconds, heard)
            except (TimeoutError, OSError, EOFError) as error:
                log.warning("a game was not looked back at", extra={"why": type(error).__name__})
                raise Refused(
                    503, "busy", "the game could not be looked back at in time", headers={"retry-after": "60"}
                ) from error
            finally:
                self.progress.pop(key, None)

        return await self._once(key, None, ask)

    async def save(self, text: str, who: str) -> SaveAnswer:
        """Whether a save is a game here."""
        try:
            found = await self._ask(AskSave(text, dict(registry.GAMES)), who)
        except Refused as error:
            why = Text("the game takes longer than {n} seconds to play again", n=round(self.seconds))
            raise Refused(422, "save", why) from error
        return msgspec.json.decode(found, type=SaveAnswer)

    async def _once(self, key: tuple[str, ...], room: Room | None, ask: Callable[[], Awaitable[bytes]]) -> bytes:
        """Whoever asks the same at the same time waits for the same answer; when nobody waits, nobody works."""
        kept = self.kept.get(key)
        if kept is not None:
            return kept
        job = self._jobs.get(key)
        if job is None or job.task.cancelling():
            job = self._jobs[key] = _Job(asyncio.create_task(self._work(key, room, ask), name=f"replay {key[1]}"))
        job.waiting += 1
        try:
            return await asyncio.shield(job.task)
        finally:
            job.waiting -= 1
            if not job.waiting and not job.task.done():
                job.task.cancel()
            if job.task.done() and self._jobs.get(key) is job:
                del self._jobs[key]

    async def _work(self, key: tuple[str, ...], room: Room | None, ask: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            async with nullcontext() if room is None else room.replaying:
                answer = await ask()
            self.kept.put(key, answer)
            return answer
        finally:
            job = self._jobs.get(key)
            if job is not None and job.task is asyncio.current_task():
                del self._jobs[key]

    async def _ask(self, question: Question, who: str, seconds: float | None = None) -> bytes:
        self.asked += 1
        try:
            async with self._turns.of(who):
                longest = self.seconds if seconds is None else seconds
                return await self._helper.ask(msgspec.json.encode(question), longest)
        except (TimeoutError, OSError, EOFError) as error:
            log.warning("a game was not played again", extra={"why": type(error).__name__})
            raise Refused(
                503, "busy", "the game could not be played again in time", headers={"retry-after": "30"}
            ) from error


def played(room: Room, table: LiveTable) -> Played:
    """A game for the process: its log as it is now."""
    game = room.row["game"]
    return Played(game, registry.GAMES[game], table.header, list(table.entries), table.end, room.row["base"] or None)


def analysis_key(room: Room, table: LiveTable) -> tuple[str, ...]:
    """What an analysis is kept under: a game that goes on is another one with every move."""
    return ("analysis", room.id, str(len(table.entries)), str(table.end is not None))
