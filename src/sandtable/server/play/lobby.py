"""Before and around a game: creating, joining, seats, names, rematches, lists."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Select, and_, delete, exists, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable import registry
from sandtable.engine.contract import Game
from sandtable.engine.dice import secret_seed
from sandtable.engine.migrations import chosen
from sandtable.engine.texts.text import Text

from ..house.house import House, may_see
from ..library import catalogue
from ..people.accounts import Person, new_id
from ..people.glicko import MIDDLE
from ..people.names import checked, clean_name, fold
from ..people.ratings import present
from ..refusals import Refused, forbidden, unusable
from ..storage import schema
from ..storage.database import keep
from ..table.live import LiveTable
from ..table.replayer import Begun, begun
from ..table.rooms import Room, entry_row, outcome_text, seat_row
from ..wire.games import GameRecord, Join, NewGame, SeatWish

PAGE = 100
LONGEST_NAME = 100
"""Letters of a game's name."""
EMPTY = {"account_id": None, "computer": None, "invite": None, "invited_by": None, "open": False, "kept_for": None}


def rules_named(name: str) -> Game[Any]:
    try:
        return registry.get(name)
    except registry.UnknownName as error:
        unusable(str(error), "game")


def plain(text: str) -> str:
    """Text without what a database cannot keep."""
    return text.replace("\0", "")


# ------------------------------------------------------------------------------------------ creating


async def create(house: House, person: Person, wish: NewGame) -> Room:
    """A new game, with its dice committed to."""
    game = rules_named(wish.game)
    if wish.scenario not in [scenario.id for scenario in game.scenarios()]:
        unusable("this game has no scenario of that name", "scenario")
    known = {option.id for option in game.options()}
    if unknown := sorted(set(wish.options) - known):
        unusable(Text("this game has no option called {option}", option=unknown[0][:40]), "option")
    seats = _seats(game, person, wish.seats, wish.kept)
    if wish.rated:
        _may_be_rated(person, wish, seats)
    table = begin(game, wish.scenario, wish.options)
    name = checked(clean_name(wish.name), LONGEST_NAME) or _name(game, wish.scenario)
    values = {"name": name, "watch": wish.watch, "pace": wish.pace, "rated": wish.rated}
    room = await store(house, person, begun(table), seats, values)
    for side in wish.kept:
        told = await house.accounts.named(wish.kept[side])
        if told is not None:
            await house.notices.invited(room, person, told.id)
    return room


def _may_be_rated(person: Person, wish: NewGame, seats: list[dict[str, Any]]) -> None:
    """A rated game is for accounts, each on one seat, and has a clock, so that nobody can leave it for ever."""
    if person.guest:
        forbidden("a rated game is for accounts: register first", "rated")
    if any(seat["computer"] for seat in seats):
        unusable("a rated game is between people, not against the computer", "rated")
    if sum(seat["account_id"] == person.id or seat["kept_for"] == person.key for seat in seats) > 1:
        unusable("nobody plays a rated game against himself", "rated")
    if wish.pace is None:
        unusable("a rated game has a pace, in days per turn: who leaves it loses it on time", "rated")


def begin(game: Game[Any], scenario: str, options: Mapping[str, bool]) -> LiveTable:
    try:
        table = LiveTable.new(game, scenario, options, seed=secret_seed())
    except ValueError as error:
        unusable(Text("these options do not go together: {why}", why=str(error)), "option")
    assert isinstance(table, LiveTable)
    return table


def _name(game: Game[Any], scenario: str) -> str:
    return registry.scenario(game, scenario).title


def _seats(game: Game[Any], person: Person, wishes: Mapping[str, str], kept: Mapping[str, str]) -> list[dict[str, Any]]:
    if unknown := sorted({*wishes, *kept} - set(game.info.sides)):
        unusable(Text("this game has no side called {side}", side=unknown[0][:40]), "seat")
    if twice := sorted({*wishes} & {*kept}):
        unusable(Text("the seat of {side} is wished for twice", side=twice[0][:40]), "seat")
    return [
        _kept(side, kept[side], person) if side in kept else seat_values(game, side, wishes.get(side, "open"), person)
        for side in game.info.sides
    ]


def _kept(side: str, name: str, person: Person) -> dict[str, Any]:
    """The row of a seat that is kept for an account. Whether somebody has that name is not told."""
    shown = checked(clean_name(name))
    if not shown:
        unusable("a name needs letters or numbers", "account")
    return {**EMPTY, "side": side, "invited_by": person.id, "kept_for": fold(shown)}


def seat_values(game: Game[Any], side: str, wish: str, person: Person | None) -> dict[str, Any]:
    """The row of a seat by who is to hold it: me, open, invite or a computer player."""
    row: dict[str, Any] = {"side": side, **EMPTY}
    me = person.id if person is not None else None
    if wish == "me" and person is not None:
        row["account_id"] = person.id
    elif wish == "open":
        row |= {"open": True, "invite": secrets.token_urlsafe(16), "invited_by": me}
    elif wish == "invite":
        row |= {"invite": secrets.token_urlsafe(16), "invited_by": me}
    elif wish in catalogue.players(game):
        row["computer"] = wish
    else:
        players = catalogue.players(game)
        unusable(Text("a seat is for me, open, invite, or one of {players}", players=players), "seat")
    return row


async def store(
    house: House,
    person: Person,
    table: Begun,
    seats: list[dict[str, Any]],
    values: Mapping[str, Any],
    also: Callable[[AsyncConnection, str], Awaitable[None]] | None = None,
) -> Room:
    """Write a new game with whatever its log already holds, and in the same moment what else goes with it."""
    now = time.time()
    header = table.header
    game_id = new_id()
    empty = any(seat["account_id"] is None and seat["computer"] is None for seat in seats)
    status = "open" if empty else "running"
    outcome = None
    if table.end is not None:
        status = "finished" if table.end.outcome is not None else "abandoned"
        outcome = outcome_text(table.end.outcome, header.sides)
    row = {
        "id": game_id,
        "revision": 1,
        "owner_id": person.id,
        "game": header.game,
        "version": header.version,
        "scenario": header.scenario,
        "options": msgspec.json.encode(dict(header.options)).decode(),
        "seed": header.seed,
        "commitment": header.commitment,
        "status": status,
        "length": len(table.entries),
        "steps": table.steps,
        "to_act": table.to_act,
        "outcome": outcome,
        "watch": "anyone",
        "pace": None,
        "turn_since": now,
        "reminded": 0,
        "undo_asked": None,
        "analysis": False,
        "base": None,
        "parent": None,
        "branched_at": None,
        "rematch": None,
        "unsealed": False,
        "lesson": None,
        "coached": None,
        "rated": False,
        "contest": None,
        "created": now,
        "updated": now,
        **values,
    }
    rows = [entry_row(game_id, n, entry, now) for n, entry in enumerate(table.entries, 1)]

    async def job(connection: AsyncConnection) -> None:
        await connection.execute(insert(schema.games), [row])
        await connection.execute(insert(schema.seats), [{"game_id": game_id, **seat} for seat in seats])
        if rows:
            await connection.execute(insert(schema.entries), rows)
        if also is not None:
            await also(connection, game_id)

    await house.database.write(job)
    room = await house.rooms.get(game_id)
    house.brains.kick(room)
    return room


async def rematch(house: House, room: Room, person: Person, swap: bool) -> Room:
    """The same again, with the same people; asked twice, it is the same new game."""
    async with room.lock:
        if not room.ended:
            forbidden("the game is not over", "running")
        if not room.sides_of(person.id):
            forbidden("you hold no seat at this table", "seat")
        if room.row["rematch"]:
            return await house.rooms.get(room.row["rematch"])
        game, row = room.game, room.row
        sides = list(room.seats)
        holders = [room.seats[side] for side in sides]
        if swap:
            holders = holders[1:] + holders[:1]
        seats = []
        for side, holder in zip(sides, holders, strict=True):
            wish = holder.computer or ("me" if holder.account_id else "invite")
            values = seat_values(game, side, wish, person)
            if row["rated"] and holder.account_id != person.id and holder.name:
                values = _kept(side, holder.name, person)  # nobody's rating is at stake who has not sat down
            elif values["account_id"] is not None:
                values["account_id"] = holder.account_id
            seats.append(values)
        table = begin(game, row["scenario"], chosen(msgspec.json.decode(row["options"])))
        values = {name: row[name] for name in ("name", "watch", "pace", "rated")} | {"parent": room.id}
        new = await store(house, person, begun(table), seats, values)
        await house.change(room, {"rematch": new.id})
    await house.notices.seated(new, person, "{name}: {person} begins a rematch")
    for seat in new.seats.values():
        if seat.kept_for and (told := await house.accounts.named(seat.kept_for)) is not None:
            await house.notices.invited(new, person, told.id)
    return new


# ------------------------------------------------------------------------------------------ seats


async def join(house: House, room: Room, person: Person, wish: Join) -> None:
    """Sit down on an open seat, or on the one of an invitation."""
    async with room.lock:
        await house.rooms.refresh(room)
        if room.ended:
            raise Refused(409, "over", "the game is over", length=room.row["length"])
        if wish.invite is not None:
            seat = next((s for s in room.seats.values() if s.invite == wish.invite and s.empty), None)
            if seat is None:
                forbidden("this invitation is not good any more", "invite")
            if wish.seat is not None and wish.seat != seat.side:
                forbidden("this invitation is for another seat", "invite")
        elif wish.seat is not None:
            seat = room.seats.get(wish.seat)
            if seat is None:
                unusable("this game has no side of that name", "seat")
            if not (seat.open and seat.empty) and seat not in room.kept_for(person.key):
                forbidden("this seat is not open", "seat")
        else:
            free = (s for s in room.seats.values() if s.open and s.empty)
            seat = next(iter(room.kept_for(person.key)), None) or next(free, None)
            if seat is None:
                forbidden("no seat is open", "seat")
        if room.row["rated"] and person.guest:
            forbidden("a rated game is for accounts: register first", "rated")
        if room.row["rated"] and room.sides_of(person.id):
            forbidden("nobody plays a rated game against himself", "rated")
        await _seat(house, room, person, seat.side, {"account_id": person.id}, "takes the seat of")
    await house.notices.seated(room, person, "{name}: {person} has joined")


async def give(house: House, room: Room, person: Person, side: str, wish: SeatWish) -> None:
    """Hand a seat over: to nobody, an invitation, a computer player, or another account."""
    game = room.game
    if side not in room.seats:
        unusable("this game has no side of that name", "seat")
    told: Person | None = None
    async with room.lock:
        await house.rooms.refresh(room)
        seat = room.seats[side]
        mine = seat.account_id == person.id
        host = seat.account_id is None and person.id in (room.row["owner_id"], seat.invited_by)
        if not mine and not host:
            forbidden("this seat is not yours to give", "seat")
        if room.ended:
            raise Refused(409, "over", "the game is over", length=room.row["length"])
        if room.row["contest"]:
            forbidden("a game of a league or tournament is played by those who were drawn for it", "contest")
        if room.row["rated"]:
            _stays_rated(room, person, wish.to)
        if wish.to in ("me", "open", "invite", *catalogue.players(game)):
            values = seat_values(game, side, wish.to, person)
            words = f"gives to {wish.to}, the computer," if values["computer"] else "frees"
            words = "takes" if wish.to == "me" else words
        else:
            values = _kept(side, wish.to, person)
            # Nobody is seated who does not sit down himself.
            told = await house.accounts.named(wish.to)
            words = f"keeps for {clean_name(wish.to)}"
        await _seat(house, room, person, side, values, f"{words} the seat of")
        house.brains.forget(room.id, side)
    house.brains.kick(room)
    if told is not None:
        await house.notices.invited(room, person, told.id)


async def decline(house: House, room: Room, person: Person) -> None:
    """Say no to a seat that is kept for oneself: it is an invitation again, for whoever is given its link."""
    async with room.lock:
        await house.rooms.refresh(room)
        kept = room.kept_for(person.key)
        if room.ended or not kept:
            forbidden("no seat is kept for you here", "seat")
        for seat in kept:
            values = {**EMPTY, "invite": secrets.token_urlsafe(16), "invited_by": seat.invited_by}
            await _seat(house, room, person, seat.side, values, "declines the seat of")
    await house.notices.seated(room, person, "{name}: {person} declines")


def _stays_rated(room: Room, person: Person, to: str) -> None:
    """A rated game is played to its end by those who began it, and by nobody against himself."""
    if room.row["status"] == "running":
        forbidden("a rated game is played by those who began it: resign instead", "rated")
    if to in catalogue.players(room.game):
        forbidden("a rated game is between people, not against the computer", "rated")
    if room.sides_of(person.id) and (to == "me" or fold(clean_name(to)) == person.key):
        forbidden("nobody plays a rated game against himself", "rated")


async def _seat(house: House, room: Room, person: Person, side: str, values: Mapping[str, Any], words: str) -> None:
    """Write who holds a side, and say so in the chat, so that no change of hands is secret."""
    row: dict[str, Any] = {**EMPTY, **values}
    row.pop("side", None)
    after = {name: (seat.account_id or seat.computer) for name, seat in room.seats.items()}
    after[side] = row["account_id"] or row["computer"]
    status = "running" if all(after.values()) else "open"
    now = time.time()
    title = dict(zip(room.seats, room.game.info.side_titles, strict=True))[side]
    line = {
        "game_id": room.id,
        "account_id": person.id,
        "text": f"{words} {title}",
        "at": now,
        "system": True,
    }
    clock = {"turn_since": now, "reminded": 0} if side == room.row["to_act"] else {}

    async def job(connection: AsyncConnection) -> None:
        seats, games = schema.seats, schema.games
        was = room.seats[side]
        done = await connection.execute(
            update(seats)
            .where(
                seats.c.game_id == room.id,
                seats.c.side == side,
                seats.c.account_id.is_not_distinct_from(was.account_id),
                seats.c.computer.is_not_distinct_from(was.computer),
            )
            .values(**row)
        )
        if done.rowcount != 1:
            raise Refused(409, "stale", "somebody else was faster")
        await connection.execute(
            update(games)
            .where(games.c.id == room.id)
            .values(status=status, updated=now, revision=games.c.revision + 1, **clock)
        )
        await connection.execute(insert(schema.chat), [line])

    try:
        await house.database.write(job)
    finally:
        await house.rooms.reload_seats(room)
    house.hub.tell(room.id, "game")
    house.hub.tell(room.id, "chat")


async def rename(house: House, room: Room, person: Person, name: str) -> None:
    async with room.lock:
        await house.rooms.refresh(room)
        if room.row["owner_id"] != person.id:
            forbidden("only who began the game names it")
        shown = checked(clean_name(name), LONGEST_NAME)
        if not shown:
            unusable("a name needs letters or numbers", "name")
        await house.change(room, {"name": shown})


async def remove(house: House, room: Room, person: Person) -> None:
    """Delete a game that is nobody else's."""
    async with room.lock:
        if room.row["owner_id"] != person.id:
            forbidden("only who began a game removes it")
        if room.people() - {person.id}:
            forbidden("others sit at this table", "others")

        async def job(connection: AsyncConnection) -> None:
            for table in (schema.entries, schema.seats, schema.chat, schema.notes, schema.wishes, schema.outbox):
                await connection.execute(delete(table).where(table.c.game_id == room.id))
            await connection.execute(delete(schema.games).where(schema.games.c.id == room.id))

        await house.database.write(job)
        house.rooms.forget(room.id)
    house.hub.tell(room.id, "game")


# ------------------------------------------------------------------------------------------ lists


def _listed(kind: str, me: str | None, key: str | None) -> Select[Any]:
    games, seats = schema.games, schema.seats
    mine = exists().where(seats.c.game_id == games.c.id, seats.c.account_id == me)
    running = games.c.status.in_(("open", "running"))
    if kind == "turn":
        turn = exists().where(seats.c.game_id == games.c.id, seats.c.account_id == me, seats.c.side == games.c.to_act)
        condition = and_(running, turn)
    elif kind == "open":
        free = exists().where(
            seats.c.game_id == games.c.id,
            seats.c.open.is_(True) if key is None else or_(seats.c.open.is_(True), seats.c.kept_for == key),
            seats.c.account_id.is_(None),
            seats.c.computer.is_(None),
        )
        condition = and_(running, free, games.c.analysis.is_(False))
    elif kind == "finished":
        condition = and_(~running, or_(mine, games.c.owner_id == me))
    elif kind == "watch":
        condition = and_(games.c.status == "running", games.c.watch == "anyone", games.c.analysis.is_(False), ~mine)
    else:
        condition = and_(running, or_(mine, games.c.owner_id == me))
    return select(games).where(condition).order_by(games.c.updated.desc(), games.c.id)


class Sieve(NamedTuple):
    """Which games of a list are wanted."""

    game: str | None = None
    pace: int | None = None
    """At most so many days per turn; 0 for live play alone."""
    rated: bool | None = None
    within: int | None = None
    """How far the ratings of those who sit there may be from one's own; who has none is taken to be in the middle."""

    def conditions(self) -> list[ColumnElement[bool]]:
        games = schema.games
        found: list[ColumnElement[bool]] = []
        if self.game is not None:
            found.append(games.c.game == self.game)
        if self.pace is not None:
            found.append(games.c.pace.is_(None) if self.pace == 0 else games.c.pace <= self.pace)
        if self.rated is not None:
            found.append(games.c.rated.is_(self.rated))
        return found


async def near(house: House, person: Person | None, records: list[GameRecord], within: int) -> list[GameRecord]:
    """The games whose players are about as strong as this person is in them."""
    known = await house.ratings.of([person.id]) if person is not None else {}
    own = {game: present(one)[0] for (_, game), one in known.items()}

    def far(record: GameRecord) -> float:
        mine = own.get(record.game, MIDDLE)
        sat = [seat for seat in record.seats if seat.account is not None and not seat.you]
        return max((abs(mine - (seat.rating.rating if seat.rating else MIDDLE)) for seat in sat), default=0.0)

    return [record for record in records if far(record) <= within]


async def listed(house: House, person: Person | None, kind: str, page: int, sieve: Sieve) -> list[GameRecord]:
    """A page of the games of one list."""
    if person is None and kind in ("mine", "turn", "finished"):
        return []
    if sieve.game is not None and sieve.game not in registry.GAMES:
        return []
    wanted = _listed(kind, person.id if person else None, person.key if person else None)
    wanted = wanted.where(*sieve.conditions()).limit(PAGE).offset(page * PAGE)
    seats = schema.seats
    async with house.database.read() as connection:
        rows = (await connection.execute(wanted)).all()
        rows = [row for row in rows if row.game in registry.GAMES]
        names = schema.accounts
        sat = (
            select(seats, names.c.name, names.c.guest)
            .join_from(seats, names, seats.c.account_id == names.c.id, isouter=True)
            .where(seats.c.game_id.in_([row.id for row in rows]))
        )
        found: dict[str, list[Any]] = {}
        for seat in await connection.execute(sat):
            found.setdefault(seat.game_id, []).append(seat_row(seat))
    rooms = [Room(row, found.get(row.id, [])) for row in rows]
    records = await house.records([room for room in rooms if may_see(room, person)], person)
    return records if sieve.within is None else await near(house, person, records, sieve.within)


async def tell_me(house: House, room: Room, person: Person, notify: bool) -> None:
    """Switch the notifications of one game on or off."""
    row = {"game_id": room.id, "account_id": person.id, "notify": notify}
    await house.database.write(partial(keep, table=schema.wishes, row=row))
