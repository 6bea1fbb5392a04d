"""Profiles: somebody's games, results and ratings, as far as the one who asks may see them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import and_, exists, or_, select

from sandtable import registry

from ..house.house import House, iso, may_see
from ..people import ratings
from ..people.accounts import Person
from ..refusals import Refused
from ..storage import schema
from ..table.rooms import Room, outcome_from, seat_row
from ..wire.profiles import CurvePoint, GameRating, Profile, SideResult
from . import friends

LATEST = 20
"""Games that a profile lists."""
MOST = 1000
"""Games that results are counted from, the latest."""
POINTS = 100
"""Of a curve."""


async def profile(house: House, somebody: Person | None, name: str) -> Profile:
    """The profile of an account; guests have none."""
    found = await house.accounts.named(name)
    if found is None or found.guest:
        raise Refused(404, "not_found", "there is no account of this name")
    you = somebody is not None and somebody.id == found.id
    standing = await friends.standing(house, somebody, found.id)
    seen = [room for room in await _rooms(house, found.id) if may_see(room, somebody)]
    others = await friends.names(house, found.id) if you or standing == "friend" else None
    return Profile(
        name=found.name,
        since=iso(await _created(house, found.id)),
        you=you,
        friend=standing,
        ratings=await _ratings(house, found.id),
        results=_results(seen, found.id),
        games=await house.records(seen[:LATEST], somebody),
        friends=others,
    )


async def _created(house: House, account_id: str) -> float:
    accounts = schema.accounts
    async with house.database.read() as connection:
        wanted = select(accounts.c.created).where(accounts.c.id == account_id)
        return float((await connection.execute(wanted)).scalar_one())


async def _rooms(house: House, account_id: str) -> list[Room]:
    """The latest games of an account with other people: no analyses, no lessons, nothing played alone."""
    games, seats, accounts = schema.games, schema.seats, schema.accounts
    mine = exists().where(seats.c.game_id == games.c.id, seats.c.account_id == account_id)
    theirs = exists().where(
        seats.c.game_id == games.c.id, seats.c.account_id.is_not(None), seats.c.account_id != account_id
    )
    shown = or_(games.c.status == "running", games.c.status == "finished")
    wanted = (
        select(games)
        .where(and_(mine, theirs, shown, games.c.analysis.is_(False), games.c.lesson.is_(None)))
        .order_by(games.c.updated.desc(), games.c.id)
        .limit(MOST)
    )
    async with house.database.read() as connection:
        rows = [row for row in await connection.execute(wanted) if row.game in registry.GAMES]
        sat = (
            select(seats, accounts.c.name, accounts.c.guest)
            .join_from(seats, accounts, seats.c.account_id == accounts.c.id, isouter=True)
            .where(seats.c.game_id.in_([row.id for row in rows]))
        )
        found: dict[str, list[Any]] = {}
        for seat in await connection.execute(sat):
            found.setdefault(seat.game_id, []).append(seat_row(seat))
    return [Room(row, found[row.id]) for row in rows if row.id in found]


def _results(rooms: list[Room], account_id: str) -> list[SideResult]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for room in rooms:
        sides = tuple(room.seats)
        outcome = outcome_from(room.row["outcome"], sides) if room.row["status"] == "finished" else None
        if outcome is None:
            continue
        for side in room.sides_of(account_id):
            what = "drawn" if outcome.winner is None else "won" if sides[outcome.winner] == side else "lost"
            counts[room.row["game"], side, what] += 1
            counts[room.row["game"], side, "rated"] += bool(room.row["rated"])
    found = []
    for name in registry.names():
        game = registry.get(name)
        for side, title in zip(game.info.sides, game.info.side_titles, strict=True):
            won, drawn, lost, rated = (counts[name, side, what] for what in ("won", "drawn", "lost", "rated"))
            if won + drawn + lost:
                found.append(SideResult(name, game.info.title, side, title, won, drawn, lost, rated))
    return found


async def _ratings(house: House, account_id: str) -> list[GameRating]:
    known = await house.ratings.of([account_id])
    found = []
    async with house.database.read() as connection:
        for name in registry.names():
            one = known.get((account_id, name))
            if one is None:
                continue
            points = await ratings.curve(connection, account_id, name, POINTS)
            rating, deviation = ratings.present(one)
            found.append(
                GameRating(
                    game=name,
                    title=registry.get(name).info.title,
                    rating=round(rating),
                    deviation=round(deviation),
                    games=one.games,
                    curve=[CurvePoint(iso(point.at), round(point.rating), round(point.deviation)) for point in points],
                )
            )
    return found
