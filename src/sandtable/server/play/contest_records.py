"""Contests as they are shown: to whom, with which table, and who has won."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Row, select

from sandtable import registry

from ..house.house import House, clock, iso, rating_record
from ..people.accounts import Person
from ..people.pairing import Result, standings
from ..storage import schema
from ..wire.contests import (
    ContestDetail,
    ContestRecord,
    Entrant,
    MatchRecord,
    MeetingRecord,
    TableLine,
)
from .contests import Contest
from .progress import match, matches, points


async def records(house: House, found: list[Contest], person: Person | None) -> list[ContestRecord]:
    accounts = schema.accounts
    owners = {contest.row.owner_id for contest in found}
    async with house.database.read() as connection:
        wanted = select(accounts.c.id, accounts.c.name).where(accounts.c.id.in_(owners))
        names = {row.id: row.name for row in await connection.execute(wanted)}
    return [_record(one, person, names[one.row.owner_id]) for one in found if one.row.game in registry.GAMES]


def _record(contest: Contest, person: Person | None, organiser: str) -> ContestRecord:
    row = contest.row
    game = registry.get(row.game)
    scenario = next((one.title for one in game.scenarios() if one.id == row.scenario), row.scenario)
    yours = person is not None and person.id == row.owner_id
    entered = person is not None and person.id in contest.seeds
    return ContestRecord(
        id=row.id,
        name=row.name,
        game=row.game,
        title=game.info.title,
        scenario=row.scenario,
        scenario_title=scenario,
        form=row.form,
        rated=row.rated,
        pace=row.pace,
        at_once=row.at_once,
        open=row.open,
        status=row.status,
        round=row.round,
        rounds=row.rounds,
        players=len(contest.entrants),
        organiser=organiser,
        yours=yours,
        entered=entered,
        token=row.token if yours or entered else None,
        created=iso(row.created),
    )


async def detail(house: House, contest: Contest, person: Person | None) -> ContestDetail:
    """All of a contest: who takes part, every game, the table or the matches, and the winners at the end."""
    known = await house.ratings.of(contest.seeds, contest.row.game)
    me = person.id if person is not None else ""
    [shown] = await records(house, [contest], person)
    table = [] if contest.knockout else _table(contest)
    knocked = _matches(contest) if contest.knockout else []
    return ContestDetail(
        contest=shown,
        sides=list(registry.get(contest.row.game).info.side_titles),
        entrants=[
            Entrant(
                name=one.name,
                you=one.account_id == me,
                withdrawn=one.withdrawn,
                rating=rating_record(known.get((one.account_id, contest.row.game))),
            )
            for one in contest.entrants
        ],
        meetings=await _meetings(house, contest, me),
        table=table,
        matches=knocked,
        winners=_winners(contest, table, knocked),
    )


async def _meetings(house: House, contest: Contest, me: str) -> list[MeetingRecord]:
    games = schema.games
    ids = [one.game_id for one in contest.meetings if one.game_id is not None]
    wanted = select(games.c.id, games.c.status, games.c.pace, games.c.to_act, games.c.turn_since)
    async with house.database.read() as connection:
        found: Any = await connection.execute(wanted.where(games.c.id.in_(ids)))
        rows = {row.id: row for row in found}
    return [_meeting(contest, one, rows.get(one.game_id or ""), me) for one in contest.meetings]


def _meeting(contest: Contest, one: Row[Any], game: Row[Any] | None, me: str) -> MeetingRecord:
    running = game is not None and game.status == "running" and one.result is None
    now = clock(dict(game._mapping), time.time()) if running and game is not None else None
    return MeetingRecord(
        n=one.n,
        round=one.round,
        slot=one.slot,
        first=contest.name(one.first_id),
        second=None if one.second_id is None else contest.name(one.second_id),
        game_id=one.game_id,
        result=one.result,
        how=one.how,
        due=now.due if now else None,
        overdue=now.overdue if now else False,
        yours=me in (one.first_id, one.second_id),
    )


def _table(contest: Contest) -> list[TableLine]:
    results = []
    for one in contest.meetings:
        if one.result is None or one.second_id is None:
            continue
        got = points(one.result)
        both = (0.0, 0.0) if got is None else (got, 1 - got)
        results.append(Result(contest.seeds[one.first_id], contest.seeds[one.second_id], *both))
    return [
        TableLine(
            place=line.place,
            name=contest.entrants[line.player].name,
            withdrawn=contest.entrants[line.player].withdrawn,
            played=line.played,
            won=line.won,
            drawn=line.drawn,
            lost=line.lost,
            points=line.points,
            direct=line.direct,
            quality=line.quality,
        )
        for line in standings(len(contest.entrants), results)
    ]


def _matches(contest: Contest) -> list[MatchRecord]:
    found = []
    for number in range(1, contest.row.round + 1):
        for slot, played in sorted(matches(contest, number).items()):
            a, b, got, won = match(contest, played)
            if any(one.result is None for one in played):
                won = None
            mine = [one for one in got if one is not None]
            found.append(
                MatchRecord(
                    round=number,
                    slot=slot,
                    a=contest.name(a),
                    b=None if b is None else contest.name(b),
                    points_a=sum(mine),
                    points_b=sum(1 - one for one in mine),
                    winner=None if won is None else contest.name(won),
                )
            )
    return found


def _winners(contest: Contest, table: list[TableLine], knocked: list[MatchRecord]) -> list[str]:
    """Who came first, when it is over; nobody who has withdrawn."""
    if contest.row.status != "finished":
        return []
    if contest.knockout:
        last = knocked[-1].winner if knocked else None
        gone = {contest.name(account) for account in contest.gone}
        return [last] if last is not None and last not in gone else []
    return [line.name for line in table if line.place == 1 and not line.withdrawn]
