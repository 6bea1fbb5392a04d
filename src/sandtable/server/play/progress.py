"""How a contest goes on by itself: games are made, results taken up, forfeits noted, rounds begun, the end found.

Everything is read from the database and written under its own condition, so that it can be done again after a crash,
or by two processes at once: what one has done the other finds done.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import Row, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable import registry
from sandtable.engine.contract import Outcome
from sandtable.engine.migrations import chosen
from sandtable.engine.texts.text import Text

from .. import metrics
from ..house.house import DAY, House
from ..people.accounts import Person
from ..people.pairing import winner
from ..refusals import Refused
from ..storage import outages, schema
from ..storage.database import is_outage
from ..table.replayer import begun
from . import contests, lobby, moves
from .contests import Contest, Drawn

log = logging.getLogger("sandtable.clubs")

SWEEP = 60.0
"""Seconds between two looks at all contests that are under way."""
GRACE = 2.0
"""After so many times the time for a turn a game is decided for the side that waits, without being asked."""
STEPS = 200
"""More than any contest takes at once."""


class Clubs:
    """What looks after the contests of a server."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._due: set[str] = set()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()

    async def open(self) -> None:
        self._task = asyncio.create_task(self._run(), name="clubs")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def wake(self, contest_id: str) -> None:
        """Something has happened in a contest."""
        self._due.add(contest_id)
        self._wake.set()

    async def _run(self) -> None:
        swept = 0.0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(SWEEP):
                    await self._wake.wait()
            self._wake.clear()
            try:
                due, self._due = self._due, set()
                if time.monotonic() - swept >= SWEEP:
                    swept = time.monotonic()
                    due |= await self._under_way()
                for contest_id in sorted(due):
                    await self.go_on(contest_id)
            except Exception as error:
                if is_outage(error):
                    outages.tell(error)
                    continue
                metrics.ERRORS.inc()
                log.exception("a contest did not go on")

    async def _under_way(self) -> set[str]:
        contests_ = schema.contests
        async with self.house.database.read() as connection:
            return set(
                (await connection.execute(select(contests_.c.id).where(contests_.c.status == "running"))).scalars()
            )

    async def go_on(self, contest_id: str) -> None:
        """Do all that there is to do in a contest now."""
        async with self._busy:
            for _ in range(STEPS):
                async with self.house.database.read() as connection:
                    contest = await contests.load(connection, contest_id)
                    games = {} if contest is None else await _games(connection, contest)
                if contest is None or contest.row.game not in registry.GAMES:
                    return
                try:
                    if not await _step(self.house, contest, games):
                        return
                except Refused as error:  # somebody else was faster: look again
                    if error.status != 409:
                        raise


async def _games(connection: AsyncConnection, contest: Contest) -> dict[str, Row[Any]]:
    games = schema.games
    ids = [one.game_id for one in contest.meetings if one.game_id is not None]
    wanted = select(games.c.id, games.c.status, games.c.outcome, games.c.to_act, games.c.turn_since, games.c.pace)
    rows: Any = await connection.execute(wanted.where(games.c.id.in_(ids)))
    return {row.id: row for row in rows}


async def _step(house: House, contest: Contest, games: dict[str, Row[Any]]) -> bool:
    """The next thing that is to be done; False if nothing is."""
    if contest.row.status != "running":
        return False
    for one in contest.meetings:
        game = games.get(one.game_id or "")
        if one.result is not None:
            if one.how == "settled" and game is not None and game.status in ("open", "running"):
                await _end(house, game.id, None)  # what was settled is not played on
                return True
        elif game is not None and game.status in ("finished", "abandoned"):
            return await _note(house, contest, one, _result(contest, game), _how(game))
        elif {one.first_id, one.second_id} & contest.gone:
            if game is None:
                return await _note(house, contest, one, _forfeited(contest, one), "forfeit")
            await _end(house, game.id, _given_up(contest, one))
            return True
        elif game is not None and (late := _late(contest, game)) is not None:
            await _end(house, game.id, Outcome(late, "on time"))
            return True
    waiting = [one for one in contest.meetings if one.round <= contest.row.round and one.result is None]
    for one in waiting:
        if one.game_id is None:
            await _make(house, contest, one)
            return True
    if waiting:
        return False
    return await (_next_matches if contest.knockout else _next_round)(house, contest)


# ------------------------------------------------------------------------------------------ one game


def _result(contest: Contest, game: Row[Any]) -> str:
    if game.status == "abandoned":
        return "none"
    won = msgspec.json.decode(game.outcome)["winner"]
    if won is None:
        return "draw"
    return "first" if won == registry.get(contest.row.game).info.sides[0] else "second"


def _how(game: Row[Any]) -> str:
    return "played" if game.status == "finished" else "abandoned"


def _forfeited(contest: Contest, one: Row[Any]) -> str:
    if {one.first_id, one.second_id} <= contest.gone:
        return "none"
    return "second" if one.first_id in contest.gone else "first"


def _given_up(contest: Contest, one: Row[Any]) -> Outcome | None:
    """The end of a game whose player has withdrawn; without a result if both have."""
    result = _forfeited(contest, one)
    return None if result == "none" else Outcome(0 if result == "first" else 1, "resignation")


def _late(contest: Contest, game: Row[Any]) -> int | None:
    """The side that wins because the other has let its time pass twice over."""
    if game.status != "running" or game.pace is None or game.to_act is None:
        return None
    if time.time() - game.turn_since <= GRACE * game.pace * DAY:
        return None
    return 1 - registry.get(contest.row.game).info.sides.index(game.to_act)


async def _note(house: House, contest: Contest, one: Row[Any], result: str, how: str) -> bool:
    """Write down what came of a game, if nobody has."""
    meetings = schema.meetings
    mine = (meetings.c.contest_id == contest.row.id, meetings.c.n == one.n, meetings.c.result.is_(None))

    async def job(connection: AsyncConnection) -> None:
        await connection.execute(update(meetings).where(*mine).values(result=result, how=how))

    await house.database.write(job)
    return True


async def _end(house: House, game_id: str, outcome: Outcome | None) -> None:
    room = await house.rooms.get(game_id)
    async with room.lock:
        await house.rooms.refresh(room)
        if not room.ended:
            await moves.end(house, room, outcome)
    await house.notices.over(room)


async def _make(house: House, contest: Contest, one: Row[Any]) -> None:
    """Make the game of a meeting: both are seated, and the meeting knows it from the same moment on."""
    row = contest.row
    game = registry.get(row.game)
    table = lobby.begin(game, row.scenario, chosen(msgspec.json.decode(row.options)))
    seats = [
        {**lobby.EMPTY, "side": side, "account_id": account}
        for side, account in zip(game.info.sides, (one.first_id, one.second_id), strict=True)
    ]
    name = f"{row.name}, {one.round}" if row.rounds > 1 else row.name
    values = {"name": name, "watch": row.watch, "pace": row.pace, "rated": row.rated, "contest": row.id}
    meetings = schema.meetings
    mine = (meetings.c.contest_id == row.id, meetings.c.n == one.n)

    async def also(connection: AsyncConnection, game_id: str) -> None:
        free = (meetings.c.game_id.is_(None), meetings.c.result.is_(None))
        done = await connection.execute(update(meetings).where(*mine, *free).values(game_id=game_id))
        if done.rowcount != 1:
            raise Refused(409, "stale", "another process has made this game")

    host = Person(one.first_id, contest.name(one.first_id), False, "{}")
    await house.notices.begun(await lobby.store(house, host, begun(table), seats, values, also))


# ------------------------------------------------------------------------------------------ rounds


async def _go(house: House, contest: Contest, rows: list[dict[str, Any]], **values: Any) -> bool:
    """Take a contest a step further, with the meetings of that step; 409 if somebody else has."""

    async def job(connection: AsyncConnection) -> None:
        await contests.hold(connection, contest, updated=time.time(), **values)
        if rows:
            await connection.execute(insert(schema.meetings), rows)

    await house.database.write(job)
    if values.get("status") == "finished":
        for account in sorted({one.account_id for one in contest.entrants}):
            await house.notices.person(
                account, Text("{name}: it is over", name=contest.row.name), f"club/{contest.row.id}"
            )
    return True


async def _next_round(house: House, contest: Contest) -> bool:
    if contest.row.round < contest.row.rounds:
        return await _go(house, contest, [], round=contest.row.round + 1)
    return await _go(house, contest, [], status="finished")


def points(result: str | None) -> float | None:
    """What a game brought to who had the first side; None if it did not take place."""
    return {"first": 1.0, "second": 0.0, "draw": 0.5}.get(result or "")


def match(contest: Contest, played: list[Row[Any]]) -> tuple[str, str | None, list[float | None], str | None]:
    """A match of a knock-out: the better seed, the other, the points of the first in each game, and who goes on."""
    opening = played[0]
    if opening.second_id is None:
        return opening.first_id, None, [], opening.first_id
    a, b = sorted((opening.first_id, opening.second_id), key=contest.seeds.__getitem__)
    found: list[float | None] = []
    for one in played:
        got = points(one.result)
        found.append(got if got is None or one.first_id == a else 1 - got)
    if any(one.result is None for one in played):
        return a, b, found, None
    won = winner(contest.seeds[a], contest.seeds[b], found, decider=len(played) > 2)
    return a, b, found, None if won is None else (a if won == contest.seeds[a] else b)


def matches(contest: Contest, number: int) -> dict[int, list[Row[Any]]]:
    """The games of a round of a knock-out, by match."""
    found: dict[int, list[Row[Any]]] = {}
    for one in contest.meetings:
        if one.round == number:
            found.setdefault(one.slot, []).append(one)
    return found


async def _next_matches(house: House, contest: Contest) -> bool:
    number, last = contest.row.round, max(one.n for one in contest.meetings)
    level: list[Drawn] = []
    through: list[str] = []
    for slot, played in sorted(matches(contest, number).items()):
        a, b, _, won = match(contest, played)
        if won is not None:
            through.append(won)
        elif b is not None:  # one more game decides, with sides by lot
            level.append((number, slot, a, b) if secrets.randbelow(2) else (number, slot, b, a))
    if level:
        return await _go(house, contest, contests.meeting_rows(contest.row.id, last + 1, level))
    if len(through) == 1:
        return await _go(house, contest, [], status="finished")
    drawn = [
        leg
        for slot in range(len(through) // 2)
        for leg in contests.legs(number + 1, slot, through[2 * slot], through[2 * slot + 1])
    ]
    return await _go(house, contest, contests.meeting_rows(contest.row.id, last + 1, drawn), round=number + 1)
