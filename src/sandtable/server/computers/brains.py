"""Computer players: which games wait for them, and the processes in which they think."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec
from sqlalchemy import or_, select, update

from sandtable import registry
from sandtable.engine.contract import Action, Illegal
from sandtable.lessons import coach, form

from .. import metrics
from ..people.turns import Turns
from ..processes.helper import Helper
from ..refusals import Refused
from ..storage import outages, schema
from ..storage.database import is_gone, is_outage
from ..table.live import LiveTable
from ..table.rooms import Room
from ..wire.table import HintRecord
from .brain import Thought, Wish

if TYPE_CHECKING:
    from ..house.house import House

log = logging.getLogger("sandtable.brains")

LEASE = 60.0
"""Seconds for which one process of several has the computer's turn of a game, should it not give it back."""
AGAIN = 0.25
"""Seconds before a process that has to wait for another asks again."""
PATIENCE = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before a turn that failed is tried again, longer with every failure; the last of them from then on."""
LOOK_AFTER = 30.0
"""Seconds between two looks for games that wait for a computer and have none at work."""


async def choose(process: Helper, thought: Thought, seconds: float) -> Action | None:
    """The player's choice; None if it failed or took too long."""
    begin = time.perf_counter()
    try:
        message = msgspec.json.encode(thought, enc_hook=_number)
        answer: dict[str, Any] = msgspec.json.decode(await process.ask(message, seconds))
    except (TimeoutError, OSError, EOFError, msgspec.MsgspecError) as error:
        result = "timeout" if isinstance(error, TimeoutError) else "error"
        metrics.THOUGHTS.labels(thought.player, result).inc()
        log.warning("a computer player was stopped", extra={"player": thought.player, "why": result})
        return None
    metrics.THINKING.observe(time.perf_counter() - begin)
    if "action" not in answer:
        metrics.THOUGHTS.labels(thought.player, "error").inc()
        log.error("a computer player failed", extra={"player": thought.player, "error": answer.get("error")})
        return None
    metrics.THOUGHTS.labels(thought.player, "done").inc()
    return tuple(answer["action"])


def _number(value: Any) -> int:
    """Verbs are numbers that know their words: the number travels."""
    if isinstance(value, int):
        return int(value)
    raise NotImplementedError(f"{type(value).__name__} does not travel")


class Brains:
    """Plays the computer's seats of all games of this process."""

    def __init__(self, house: House) -> None:
        self.house = house
        count = house.settings.brains or os.cpu_count() or 1
        self._processes = [Helper("sandtable.server.computers.brain") for _ in range(count)]
        self._turns = [Turns() for _ in range(count)]
        self._chairs: dict[tuple[str, str], int] = {}
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Go on with what waits for a computer; where there are other processes, look after theirs too."""
        await self.resume()
        self._task = asyncio.create_task(self._look_after(), name="computers that wait")

    async def _look_after(self) -> None:
        """A process that was killed in its computer's turn may never come back."""
        while True:
            await asyncio.sleep(LEASE if self.house.settings.several else LOOK_AFTER)
            try:
                await self.resume()
            except Exception as error:
                if is_outage(error):
                    outages.tell(error)
                    continue
                metrics.ERRORS.inc()
                log.exception("the games that wait for a computer were not found")

    async def close(self) -> None:
        self._closing = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        tasks = [room.thinking for room in list(self.house.rooms._rooms.values()) if room.thinking is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(process.stop() for process in self._processes))

    def kick(self, room: Room) -> None:
        """Let the computer play on, if it is its turn and it does not already."""
        if self._closing or room.ended or self.player(room) is None:
            return
        if room.thinking is None or room.thinking.done():
            room.thinking = asyncio.create_task(self._play(room), name=f"computer {room.id}")

    def player(self, room: Room) -> str | None:
        """The computer player that has to decide, if one has."""
        seat = room.seats.get(room.row["to_act"] or "")
        return seat.computer if seat is not None else None

    def forget(self, game_id: str, side: str) -> None:
        """A new player comes to this seat: it does not go on with the plans of the old one."""
        self._chairs[game_id, side] = self._chairs.get((game_id, side), 0) + 1

    async def resume(self) -> None:
        """Go on with every game in which it is a computer's turn."""
        games, seats = schema.games, schema.seats
        wanted = (
            select(games.c.id)
            .join(seats, (seats.c.game_id == games.c.id) & (seats.c.side == games.c.to_act))
            .where(games.c.status.in_(("open", "running")), seats.c.computer.is_not(None))
        )
        async with self.house.database.read() as connection:
            ids = list((await connection.execute(wanted)).scalars())
        for game_id in ids:
            with suppress(Refused):
                self.kick(await self.house.rooms.get(game_id))

    async def _play(self, room: Room) -> None:
        """The computer's turns of a game, until it is somebody else's. What fails is tried again."""
        failed = 0
        while not self._closing:
            try:
                if await self._played_on(room):
                    return
                failed = 0
            except Refused as error:
                if error.status != 409:
                    log.info("a computer's turn was broken off", extra={"game": room.id, "why": error.problem.code})
                    return
                await asyncio.sleep(AGAIN)  # another process was faster: look again
            except Exception as error:
                if is_gone(error):
                    return  # the game was removed meanwhile
                if is_outage(error):
                    outages.tell(error)
                else:
                    metrics.ERRORS.inc()
                    log.exception("a computer's turn failed", extra={"game": room.id})
                    if failed >= len(PATIENCE):
                        return  # a fault of the program does not mend itself
                await asyncio.sleep(PATIENCE[min(failed, len(PATIENCE) - 1)])
                failed += 1

    async def _played_on(self, room: Room) -> bool:
        """One step of a computer's turn. True when there is nothing more for it to do."""
        if not await self._leased(room):
            await asyncio.sleep(AGAIN)
            return not await self._waits(room)
        if not await self._decide(room):
            await self._release(room)
            return True
        if self.house.settings.pause:
            await asyncio.sleep(self.house.settings.pause)
        return False

    async def _leased(self, room: Room) -> bool:
        """Whether this process has the computer's turn; always, if it is alone."""
        if not self.house.settings.several:
            return True
        games = schema.games
        now = time.time()
        mine = self.house.hub.origin

        async def job(connection: Any) -> bool:
            free = or_(games.c.lease.is_(None), games.c.lease == mine, games.c.lease_until < now)
            done = await connection.execute(
                update(games).where(games.c.id == room.id, free).values(lease=mine, lease_until=now + LEASE)
            )
            return bool(done.rowcount)

        return await self.house.database.write(job)

    async def _release(self, room: Room) -> None:
        """Give the computer's turns of a game back: the next may come up in another process."""
        if not self.house.settings.several:
            return
        games = schema.games

        async def job(connection: Any) -> None:
            mine = (games.c.id == room.id, games.c.lease == self.house.hub.origin)
            await connection.execute(update(games).where(*mine).values(lease=None, lease_until=None))

        await self.house.database.write(job)

    async def _waits(self, room: Room) -> bool:
        """Whether the game still waits for a computer, while another process has its turn."""
        async with room.lock:
            await self.house.rooms.refresh(room)
            return not room.ended and self.player(room) is not None

    async def _decide(self, room: Room) -> bool:
        """One decision. False when it is somebody else's turn."""
        async with self.house.table(room) as table:
            name = None if table.end is not None else self.player(room)
            if name is None:
                return False
            length = len(table.entries)
            thought = self._thought(room, table, name)
        action = await self._choose(room, thought)
        async with self.house.table(room) as table:
            if len(table.entries) != length or self.player(room) != name or table.end is not None:
                return True  # something was taken back, or the seat was given to somebody: look again
            try:
                table.act(action, thought.side)
            except Illegal:
                table.act(secrets.choice(thought.legal), thought.side)
            await asyncio.shield(asyncio.ensure_future(self.house.commit(room, table, length)))
        metrics.MOVES.labels(room.row["game"], name).inc()
        return True

    def _thought(self, room: Room, table: LiveTable, player: str) -> Thought:
        game, side = table.game, table.to_act
        assert side is not None
        prompt = game.prompt(table.state)
        name = table.side_name(side)
        return Thought(
            chair=f"{room.id} {name} {player} {self._chairs.get((room.id, name), 0)}",
            game=game.id,
            target=registry.GAMES[game.id],
            player=player,
            side=side,
            legal=list(table.legal()),
            prompt=(str(prompt.title), str(prompt.text), list(prompt.rules), prompt.phase),
            view=game.view(table.state, side),
            seed=None if (lesson := self._lesson(room)) is None else coach.seeded(lesson),
        )

    def _lesson(self, room: Room) -> form.Lesson | None:
        """The lesson that is taught at this table."""
        return form.lessons(room.game).get(room.row["lesson"]) if room.row["lesson"] else None

    @asynccontextmanager
    async def _process(self, room: Room) -> AsyncIterator[Helper]:
        """The process that thinks for a table, when it is the turn of whose game it is."""
        number = crc32(room.id.encode()) % len(self._processes)
        async with self._turns[number].of(room.row["owner_id"]):
            yield self._processes[number]

    async def hint(self, room: Room, wish: Wish) -> HintRecord:
        """What a computer would do at somebody's decision; 503 if it takes too long."""
        try:
            message = msgspec.json.encode(wish, enc_hook=_number)
            async with self._process(room) as process:
                answer = msgspec.json.decode(await process.ask(message, self.house.settings.think_seconds))
        except (TimeoutError, OSError, EOFError) as error:
            metrics.THOUGHTS.labels("hint", "timeout" if isinstance(error, TimeoutError) else "error").inc()
            raise Refused(503, "busy", "the computer found no hint in time", headers={"retry-after": "30"}) from error
        metrics.THOUGHTS.labels("hint", "done" if "hint" in answer else "error").inc()
        if "hint" not in answer:
            raise RuntimeError(f"no hint for {room.row['game']}: {answer.get('error')}")
        return msgspec.convert(answer["hint"], HintRecord)

    async def _choose(self, room: Room, thought: Thought) -> Action:
        """The player's choice; any legal action, if it has none.

        It is asked even where there is no choice: a player that carries out a plan counts its steps.
        """
        lesson = self._lesson(room)
        if lesson is not None and (wish := coach.wish(room.game, lesson.theirs, thought.legal)) is not None:
            return wish
        async with self._process(room) as process:
            action = await choose(process, thought, self.house.settings.think_seconds)
        return action if action is not None else secrets.choice(thought.legal)
