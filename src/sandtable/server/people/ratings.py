"""Ratings: worked out from the rated games that have ended, each counted once, in the order in which they ended.

They are a function of those games alone. A game ends in one transaction and is counted in another: if the server is
killed between them, it finds the game at its next start, and what was not committed was not counted. Should a game come
to be counted after one that ended later (two processes, a moment apart), all of its kind are counted anew.

A game is one period of Glicko-2, as long as the time since a player's last one. Sides are compared, not people: the
winner's side has met each other side and beaten it; where nobody has won, each has drawn with each. So a game of three
sides is two games for who wins it and one for the others.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, delete, exists, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from .. import metrics
from ..storage import outages, schema
from ..storage.database import Database, is_outage
from . import glicko
from .glicko import Met, Rating

log = logging.getLogger("sandtable.ratings")

PERIOD = 7 * 86400.0
"""Seconds of a period: a week without a game makes a rating as much less sure as a period does."""
LOCK = 7_263_452
"""PostgreSQL's advisory lock: one process counts at a time."""
NOT_PLAYED = ("resignation",)
"""Ends that say nothing of who was stronger where nobody has won: one of many sides gave up."""


class Known(NamedTuple):
    """A rating, how many games it is from, and when the last of them ended."""

    rating: Rating
    games: int
    at: float


class Played(NamedTuple):
    """A rated game that has ended: who sat where, and which side has won."""

    id: str
    game: str
    at: float
    seats: tuple[tuple[str, str], ...]
    """Side and account, in the order of their names: the sum is the same on every database."""
    winner: str | None


def results(played: Played) -> dict[str, list[tuple[str, float]]]:
    """By account: against whom it has played, and with what result."""
    found: dict[str, list[tuple[str, float]]] = {account: [] for _, account in played.seats}
    for side, one in played.seats:
        for other_side, other in played.seats:
            if side == other_side or (played.winner is not None and played.winner not in (side, other_side)):
                continue
            score = 0.5 if played.winner is None else float(side == played.winner)
            found[one].append((other, score))
    return found


def now_known(known: Known | None, at: float) -> Rating:
    """A rating as sure as it is at a time."""
    return Rating() if known is None else glicko.waited(known.rating, (at - known.at) / PERIOD)


def counted(known: Mapping[str, Known], played: Played) -> dict[str, Known]:
    """The ratings after a game of those who played it."""
    before = {account: now_known(known.get(account), played.at) for _, account in played.seats}
    after = {}
    for account, met in results(played).items():
        old = known.get(account)
        own, passed = (Rating(), 0.0) if old is None else (old.rating, (played.at - old.at) / PERIOD)
        new = glicko.rated(own, [Met(before[other], score) for other, score in met], passed)
        after[account] = Known(new, (old.games if old else 0) + 1, played.at)
    return after


def score_of(played: Played, account: str) -> float:
    """What a game brought to one who played it: 1, ½ or 0."""
    side = next(side for side, one in played.seats if one == account)
    return 0.5 if played.winner is None else float(side == played.winner)


class Ratings:
    """The ratings of this server."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._counting = asyncio.Lock()

    async def settle(self) -> None:
        """Count what has ended; what cannot be counted now is counted later."""
        try:
            await self.count()
        except Exception as error:
            if is_outage(error):
                outages.tell(error)
                return
            metrics.ERRORS.inc()
            log.exception("rated games were not counted")

    async def count(self) -> int:
        """Count the rated games that have ended and are not counted yet; returns how many there were."""
        async with self._counting:
            async with self.database.read() as connection:
                if not await _uncounted(connection, 1):
                    return 0
            # Not with the writer's transactions, so that nobody who waits for this holds what it needs.
            async with self.database.engine.begin() as connection:
                await _alone(connection)
                new = await _uncounted(connection)
                for game in sorted({one.game for one in new}):
                    await _add(connection, game, [one for one in new if one.game == game])
                return len(new)

    async def recount(self) -> None:
        """Work out every rating again from the games."""
        async with self._counting, self.database.engine.begin() as connection:
            await _alone(connection)
            games = schema.games
            kinds = select(games.c.game).where(games.c.rated.is_(True)).distinct()
            for game in sorted((await connection.execute(kinds)).scalars()):
                await _all_again(connection, game)

    async def of(self, accounts: Iterable[str], game: str | None = None) -> dict[tuple[str, str], Known]:
        """By account and game: how these people are rated."""
        wanted = _ratings(game).where(schema.ratings.c.account_id.in_(set(accounts)))
        async with self.database.read() as connection:
            return {(row.account_id, row.game): _known(row) for row in await connection.execute(wanted)}


async def _alone(connection: AsyncConnection) -> None:
    if connection.dialect.name != "sqlite":  # which has one writer anyhow
        await connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))


def _ratings(game: str | None) -> Any:
    ratings = schema.ratings
    return select(ratings) if game is None else select(ratings).where(ratings.c.game == game)


def _known(row: Row[Any]) -> Known:
    return Known(Rating(row.rating, row.deviation, row.volatility), row.games, row.at)


async def _uncounted(connection: AsyncConnection, most: int | None = None) -> list[Played]:
    scores, games = schema.scores, schema.games
    there = exists().where(scores.c.game_id == games.c.id)
    return await _played(connection, [~there], most)


async def _played(connection: AsyncConnection, conditions: Sequence[Any], most: int | None = None) -> list[Played]:
    """Rated games that have ended, in the order in which they did: those that two or more accounts have played."""
    games, seats, accounts = schema.games, schema.seats, schema.accounts
    ended = (games.c.rated.is_(True), games.c.status == "finished", *conditions)
    wanted = select(games.c.id, games.c.game, games.c.updated, games.c.outcome).where(*ended)
    rows = (await connection.execute(wanted.order_by(games.c.updated, games.c.id))).all()
    found = []
    for row in rows:
        sat = (
            select(seats.c.side, seats.c.account_id)
            .join(accounts, accounts.c.id == seats.c.account_id)
            .where(seats.c.game_id == row.id, accounts.c.guest.is_(False))
            .order_by(seats.c.side)
        )
        people = tuple((seat.side, seat.account_id) for seat in await connection.execute(sat))
        outcome = msgspec.json.decode(row.outcome or "{}")
        winner = outcome.get("winner")
        one = Played(row.id, row.game, row.updated, people, winner)
        if not counts(one, outcome.get("level", "")):
            continue
        found.append(one)
        if most is not None and len(found) >= most:
            break
    return found


def counts(played: Played, level: str) -> bool:
    """Whether a game says who is stronger: two people or more, each on a side of his own, and a winner or a draw."""
    accounts = {account for _, account in played.seats}
    if len(accounts) < 2 or len(accounts) != len(played.seats):
        return False
    if played.winner is None:
        return level not in NOT_PLAYED
    return played.winner in {side for side, _ in played.seats}


async def _add(connection: AsyncConnection, game: str, new: Sequence[Played]) -> None:
    """Count games of one kind after those that were counted before."""
    scores = schema.scores
    last = (await connection.execute(select(func.max(scores.c.at)).where(scores.c.game == game))).scalar_one()
    if last is not None and new[0].at <= last:
        await _all_again(connection, game)
        return
    people = {account for one in new for _, account in one.seats}
    wanted = _ratings(game).where(schema.ratings.c.account_id.in_(people))
    known = {row.account_id: _known(row) for row in await connection.execute(wanted)}
    await _write(connection, game, known, new)


async def _all_again(connection: AsyncConnection, game: str) -> None:
    for table in (schema.scores, schema.ratings):
        await connection.execute(delete(table).where(table.c.game == game))
    await _write(connection, game, {}, await _played(connection, [schema.games.c.game == game]))


async def _write(connection: AsyncConnection, game: str, known: dict[str, Known], played: Sequence[Played]) -> None:
    """Count games one after the other, and write down what each brought, and where everybody stands."""
    rows = []
    for one in played:
        after = counted(known, one)
        known |= after
        for side, account in one.seats:
            new = after[account].rating
            rows.append(
                {
                    "game_id": one.id,
                    "account_id": account,
                    "game": game,
                    "side": side,
                    "score": score_of(one, account),
                    "at": one.at,
                    **new._asdict(),
                }
            )
    people = {row["account_id"] for row in rows}
    if not people:
        return
    await connection.execute(insert(schema.scores), rows)
    ratings = schema.ratings
    await connection.execute(delete(ratings).where(ratings.c.game == game, ratings.c.account_id.in_(people)))
    standing = [
        {"account_id": account, "game": game, "games": one.games, "at": one.at, **one.rating._asdict()}
        for account, one in sorted(known.items())
        if account in people
    ]
    await connection.execute(insert(ratings), standing)


async def curve(connection: AsyncConnection, account: str, game: str, most: int) -> list[Row[Any]]:
    """How a rating has gone, game by game: the last so many."""
    scores = schema.scores
    wanted = (
        select(scores.c.game_id, scores.c.at, scores.c.rating, scores.c.deviation)
        .where(scores.c.account_id == account, scores.c.game == game)
        .order_by(scores.c.at.desc(), scores.c.game_id.desc())
        .limit(most)
    )
    return list(reversed((await connection.execute(wanted)).all()))


def present(known: Known) -> tuple[float, float]:
    """Rating and deviation as they are now."""
    now = now_known(known, time.time())
    return now.rating, now.deviation
