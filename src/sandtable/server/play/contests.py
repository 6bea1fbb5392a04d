"""Leagues and knock-outs of a club: making one, entering, leaving, starting, and settling what did not take place.

What follows from that (games, rounds, forfeits, the end) is done by `progress`, again and again, from what the database
says; a request only changes what somebody has decided.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import msgspec
from sqlalchemy import ColumnElement, Row, Select, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable.engine.texts.text import Text

from ..house.house import GAME_ID, House
from ..people.accounts import Person, new_id
from ..people.glicko import MIDDLE
from ..people.names import checked, clean_name
from ..people.pairing import bracket, round_robin
from ..people.ratings import present
from ..refusals import Refused, forbidden, unusable
from ..storage import schema
from ..storage.database import is_conflict
from ..wire.contests import NewContest, Verdict
from . import lobby

LEAGUE, KNOCKOUT = 16, 32
"""The most who take part in a league, and in a knock-out."""
MOST = 20
"""Contests that one account may have under way."""
PAGE = 100


@dataclass
class Contest:
    """A contest as the database has it."""

    row: Row[Any]
    entrants: Sequence[Row[Any]]
    """By seed, with name and whether they have withdrawn."""
    meetings: Sequence[Row[Any]]
    seeds: dict[str, int] = field(init=False)
    gone: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.seeds = {one.account_id: place for place, one in enumerate(self.entrants)}
        self.gone = {one.account_id for one in self.entrants if one.withdrawn}

    @property
    def knockout(self) -> bool:
        return bool(self.row.form == "knockout")

    def name(self, account_id: str) -> str:
        return str(self.entrants[self.seeds[account_id]].name)


def _fields(of: ColumnElement[bool]) -> Select[Any]:
    """Who takes part, in the order of the seeding, with names."""
    entrants, accounts = schema.entrants, schema.accounts
    return (
        select(entrants, accounts.c.name)
        .join(accounts, accounts.c.id == entrants.c.account_id)
        .where(of)
        .order_by(entrants.c.seed, entrants.c.entered, entrants.c.account_id)
    )


async def load(connection: AsyncConnection, contest_id: str) -> Contest | None:
    contests, entrants, meetings = schema.contests, schema.entrants, schema.meetings
    row = (await connection.execute(select(contests).where(contests.c.id == contest_id))).one_or_none()
    if row is None:
        return None
    people = _fields(entrants.c.contest_id == contest_id)
    played = select(meetings).where(meetings.c.contest_id == contest_id).order_by(meetings.c.n)
    return Contest(row, (await connection.execute(people)).all(), (await connection.execute(played)).all())


def may_see(contest: Contest, person: Person | None, token: str | None) -> bool:
    """Open ones are for everybody; others for those who take part, and for who has the link."""
    if contest.row.open or (token is not None and secrets.compare_digest(token.encode(), contest.row.token.encode())):
        return True
    return person is not None and (person.id == contest.row.owner_id or person.id in contest.seeds)


def _nowhere() -> NoReturn:
    raise Refused(404, "not_found", "this contest does not exist, or is not for you to see")


async def find(house: House, contest_id: str, person: Person | None, token: str | None = None) -> Contest:
    """A contest that this person may see; 404 otherwise, so that nothing is told of it."""
    if not GAME_ID.match(contest_id):
        _nowhere()
    async with house.database.read() as connection:
        found = await load(connection, contest_id)
    if found is None or not may_see(found, person, token):
        _nowhere()
    return found


async def listed(house: House, person: Person | None) -> list[Contest]:
    """The contests that this person takes part in or runs, and the open ones; the latest first, without their games."""
    contests, entrants = schema.contests, schema.entrants
    wanted: ColumnElement[bool] = contests.c.open.is_(True)
    if person is not None:
        mine = exists().where(entrants.c.contest_id == contests.c.id, entrants.c.account_id == person.id)
        wanted = or_(wanted, mine, contests.c.owner_id == person.id)
    latest = select(contests).where(wanted, contests.c.status != "cancelled")
    async with house.database.read() as connection:
        rows = (await connection.execute(latest.order_by(contests.c.updated.desc(), contests.c.id).limit(PAGE))).all()
        fields = _fields(entrants.c.contest_id.in_([row.id for row in rows]))
        people: dict[str, list[Row[Any]]] = {row.id: [] for row in rows}
        for one in await connection.execute(fields):
            people[one.contest_id].append(one)
    return [Contest(row, people[row.id], ()) for row in rows]


# ------------------------------------------------------------------------------------------ making one


def _account(person: Person) -> None:
    if person.guest:
        forbidden("leagues and tournaments are for accounts: register first", "account")


async def create(house: House, person: Person, wish: NewContest) -> str:
    """A new contest that gathers its players; whoever makes it runs it, and enters if he likes."""
    _account(person)
    game = lobby.rules_named(wish.game)
    if wish.scenario not in [scenario.id for scenario in game.scenarios()]:
        unusable("this game has no scenario of that name", "scenario")
    if unknown := sorted(set(wish.options) - {option.id for option in game.options()}):
        unusable(Text("this game has no option called {option}", option=unknown[0][:40]), "option")
    if len(game.info.sides) != 2:
        unusable("this is not a game of two sides", "game")
    lobby.begin(game, wish.scenario, wish.options)  # so that what cannot be played is refused now
    name = checked(clean_name(wish.name), lobby.LONGEST_NAME)
    if not name:
        unusable("a name needs letters or numbers", "name")
    now = time.time()
    row = {
        "id": new_id(),
        "revision": 0,
        "name": name,
        "owner_id": person.id,
        "game": game.id,
        "scenario": wish.scenario,
        "options": msgspec.json.encode(wish.options).decode(),
        "form": wish.form,
        "rated": wish.rated,
        "pace": wish.pace,
        "at_once": wish.at_once and wish.form != "knockout",
        "watch": wish.watch,
        "open": wish.open,
        "token": secrets.token_urlsafe(16),
        "status": "gathering",
        "round": 0,
        "rounds": 0,
        "created": now,
        "updated": now,
    }
    contests = schema.contests

    async def job(connection: AsyncConnection) -> None:
        going = (contests.c.owner_id == person.id, contests.c.status.in_(("gathering", "running")))
        count = select(func.count()).select_from(contests).where(*going)
        if (await connection.execute(count)).scalar_one() >= MOST:
            unusable(Text("nobody has more than {n} contests under way", n=MOST), "many")
        await connection.execute(insert(contests), [row])

    await house.database.write(job)
    return str(row["id"])


def _gathering(contest: Contest) -> None:
    if contest.row.status != "gathering":
        raise Refused(409, "started", "this contest has started")


def _organiser(contest: Contest, person: Person) -> None:
    if contest.row.owner_id != person.id:
        forbidden("only the organiser may do this", "organiser")


async def enter(house: House, contest: Contest, person: Person) -> None:
    """Take part. Who may see a contest may enter it, as long as it gathers."""
    _account(person)
    _gathering(contest)
    most = KNOCKOUT if contest.knockout else LEAGUE
    entrants = schema.entrants
    mine = entrants.c.contest_id == contest.row.id

    async def job(connection: AsyncConnection) -> None:
        await _still_gathering(connection, contest)
        count = select(func.count(), func.max(entrants.c.seed)).where(mine)
        there, last = (await connection.execute(count)).one()
        if there >= most:
            unusable(Text("no more than {n} take part", n=most), "full")
        row = {"contest_id": contest.row.id, "account_id": person.id, "withdrawn": False, "entered": time.time()}
        await connection.execute(insert(entrants), [row | {"seed": 0 if last is None else last + 1}])

    try:
        await house.database.write(job)
    except Exception as error:
        if not is_conflict(error):  # entered twice is entered once
            raise


async def _still_gathering(connection: AsyncConnection, contest: Contest) -> None:
    """Note that the field of a contest changes, whoever changed it before; 409 if it has started. Others wait."""
    contests = schema.contests
    mine = (contests.c.id == contest.row.id, contests.c.status == "gathering")
    values = {"revision": contests.c.revision + 1, "updated": time.time()}
    if (await connection.execute(update(contests).where(*mine).values(**values))).rowcount != 1:
        raise Refused(409, "started", "this contest has started")


async def hold(connection: AsyncConnection, contest: Contest, **values: Any) -> None:
    """Raise the revision of a contest as it was read; 409 if it has gone on meanwhile. Others wait."""
    contests = schema.contests
    done = await connection.execute(
        update(contests)
        .where(contests.c.id == contest.row.id, contests.c.revision == contest.row.revision)
        .values(revision=contests.c.revision + 1, **values)
    )
    if done.rowcount != 1:
        raise Refused(409, "stale", "the contest has gone on: look at it again")


async def leave(house: House, contest: Contest, account_id: str) -> None:
    """Leave before the start, or withdraw after it: what has not been played is then lost by forfeit."""
    entrants = schema.entrants
    mine = (entrants.c.contest_id == contest.row.id, entrants.c.account_id == account_id)
    if account_id not in contest.seeds:
        forbidden("this account does not take part", "entrant")
    if contest.row.status in ("finished", "cancelled"):
        raise Refused(409, "over", "this contest is over")

    async def job(connection: AsyncConnection) -> None:
        if contest.row.status == "gathering":
            await _still_gathering(connection, contest)
            await connection.execute(delete(entrants).where(*mine))
        else:
            await connection.execute(update(entrants).where(*mine).values(withdrawn=True))

    await house.database.write(job)


async def dismiss(house: House, contest: Contest, person: Person, name: str) -> None:
    """Take somebody out who should not take part, or does not come."""
    _organiser(contest, person)
    other = await house.accounts.named(name)
    if other is None:
        forbidden("this account does not take part", "entrant")
    await leave(house, contest, other.id)


async def cancel(house: House, contest: Contest, person: Person) -> None:
    """End a contest without a result; games that were begun go on as games of their own."""
    _organiser(contest, person)
    if contest.row.status in ("finished", "cancelled"):
        raise Refused(409, "over", "this contest is over")

    async def job(connection: AsyncConnection) -> None:
        await hold(connection, contest, status="cancelled", updated=time.time())

    await house.database.write(job)


# ------------------------------------------------------------------------------------------ the start


async def start(house: House, contest: Contest, person: Person) -> None:
    """Seed the players and write down who meets whom; the games are made by `progress`."""
    _organiser(contest, person)
    _gathering(contest)
    if len(contest.entrants) < 2:
        unusable("a contest needs two players at least", "players")
    order = await _seeding(house, contest)
    if contest.knockout:
        pairs = [
            (1, slot, order[a], None if b is None else order[b]) for slot, (a, b) in enumerate(bracket(len(order)))
        ]
        rounds = len(order).bit_length() - (len(order) & (len(order) - 1) == 0)
        rows = meeting_rows(contest.row.id, 1, [leg for pair in pairs for leg in legs(*pair)])
        now_played = 1
    else:
        schedule = round_robin(len(order), contest.row.form == "double")
        rounds = len(schedule)
        flat = [(n, 0, order[a], order[b]) for n, pairs in enumerate(schedule, 1) for a, b in pairs]
        rows = meeting_rows(contest.row.id, 1, flat)
        now_played = rounds if contest.row.at_once else 1
    entrants = schema.entrants

    async def job(connection: AsyncConnection) -> None:
        await hold(connection, contest, status="running", round=now_played, rounds=rounds, updated=time.time())
        for seed, account in enumerate(order):
            mine = (entrants.c.contest_id == contest.row.id, entrants.c.account_id == account)
            await connection.execute(update(entrants).where(*mine).values(seed=seed))
        await connection.execute(insert(schema.meetings), rows)

    await house.database.write(job)


async def _seeding(house: House, contest: Contest) -> list[str]:
    """The order of the players: in a knock-out by rating, who has none in the middle; else as they have entered."""
    entered = [one.account_id for one in contest.entrants]
    if not contest.knockout:
        return entered
    known = await house.ratings.of(entered, contest.row.game)
    ratings = {account: present(one)[0] for (account, _), one in known.items()}
    return sorted(entered, key=lambda account: (-ratings.get(account, MIDDLE), contest.seeds[account]))


Drawn = tuple[int, int, str, str | None]
"""Round, slot, who has the first side, who the second."""


def legs(number: int, slot: int, a: str, b: str | None) -> list[Drawn]:
    """The games of a match: two with sides swapped, or a bye."""
    return [(number, slot, a, None)] if b is None else [(number, slot, a, b), (number, slot, b, a)]


def meeting_rows(contest_id: str, first: int, drawn: Sequence[Drawn]) -> list[dict[str, Any]]:
    return [
        {
            "contest_id": contest_id,
            "n": n,
            "round": number,
            "slot": slot,
            "first_id": a,
            "second_id": b,
            "game_id": None,
            "result": "first" if b is None else None,
            "how": "bye" if b is None else "",
        }
        for n, (number, slot, a, b) in enumerate(drawn, first)
    ]


# ------------------------------------------------------------------------------------------ settling


async def settle(house: House, contest: Contest, person: Person, n: int, result: Verdict) -> None:
    """Say what counts for a game that did not take place, or stays unfinished. What was played to its end stands."""
    _organiser(contest, person)
    if contest.row.status != "running":
        raise Refused(409, "over", "this contest is not under way")
    found = next((one for one in contest.meetings if one.n == n), None)
    if found is None:
        raise Refused(404, "not_found", "the contest has no game of this number")
    if found.second_id is None or found.how in ("played", "bye"):
        forbidden("what was played stands as it was played", "played")
    if contest.knockout and found.round < contest.row.round:
        forbidden("the next round has begun", "round")
    meetings = schema.meetings

    async def job(connection: AsyncConnection) -> None:
        await hold(connection, contest)
        status = select(schema.games.c.status).where(schema.games.c.id == found.game_id)
        if (await connection.execute(status)).scalar_one_or_none() == "finished":
            forbidden("what was played stands as it was played", "played")
        mine = (meetings.c.contest_id == contest.row.id, meetings.c.n == n, meetings.c.how != "played")
        done = await connection.execute(update(meetings).where(*mine).values(result=result, how="settled"))
        if done.rowcount != 1:
            raise Refused(409, "stale", "the contest has gone on: look at it again")

    await house.database.write(job)
