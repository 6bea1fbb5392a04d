"""A game in memory: its row, its seats and its table, rebuilt from the log whenever it is not there."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, delete, insert, select, update

from sandtable import registry
from sandtable.engine.contract import SPECTATOR, Game, Outcome
from sandtable.engine.log import End, Entry, Header, Log
from sandtable.engine.migrations import migrate

from .. import metrics
from ..refusals import not_found
from ..storage import schema
from ..storage.database import Database
from .live import Imagined, LiveTable, Stage, replayed

FILMS = 16
"""Games that can be looked back at quickly, in one process."""
AGAIN = 20
"""How often row and entries are read before they are said not to fit."""


class Key(NamedTuple):
    """A move that was taken under a key: from which entry to which, and what was asked."""

    n: int
    upto: int
    digest: str


@dataclass
class SeatRow:
    """Who holds a side."""

    side: str
    account_id: str | None
    name: str | None
    computer: str | None
    invite: str | None
    invited_by: str | None
    open: bool
    kept_for: str | None = None
    guest: bool = False

    @property
    def empty(self) -> bool:
        return self.account_id is None and self.computer is None


class Room:
    """One game: what the database says of it, and the table."""

    def __init__(self, row: Row[Any], seats: Sequence[SeatRow]) -> None:
        self.id: str = row.id
        self.row: dict[str, Any] = dict(row._mapping)
        self.seats: dict[str, SeatRow] = {}
        self.seat_all(seats)
        self.lock = asyncio.Lock()
        self.table: LiveTable | None = None
        self.keys: dict[tuple[str, str], Key] = {}
        self.film: Any = None
        self.news: tuple[int, dict[tuple[int, int], Any]] = (-1, {})
        """What live connections are told, by viewer and what he knows: made once at each revision of the row."""
        self.refreshed = 0.0
        """When it was last looked what other processes have changed."""
        self.replaying = asyncio.Lock()
        """Held while the game is played again from its beginning elsewhere: one such question at a time."""
        self.thinking: asyncio.Task[None] | None = None

    def kept_for(self, key: str | None) -> list[SeatRow]:
        """The empty seats that are kept for the account of this folded name."""
        return [seat for seat in self.seats.values() if key is not None and seat.empty and seat.kept_for == key]

    def seat_all(self, seats: Sequence[SeatRow]) -> None:
        """Set the seats, in the order of the sides."""
        order = registry.get(self.row["game"]).info.sides
        found = {seat.side: seat for seat in seats}
        self.seats = {side: found[side] for side in order}

    @property
    def game(self) -> Game[Any]:
        return registry.get(self.row["game"])

    @property
    def rules(self) -> Game[Any]:
        """The game as the table plays it: an analysis may begin in the middle."""
        if not self.row["base"]:
            return self.game
        base = msgspec.json.decode(self.row["base"])
        imagined: Any = Imagined(self.game, base["view"], base["seed"])
        return imagined  # type: ignore[no-any-return]

    @property
    def ended(self) -> bool:
        return self.row["status"] in ("finished", "abandoned")

    def sides_of(self, account_id: str | None) -> list[str]:
        if account_id is None:
            return []
        return [side for side, seat in self.seats.items() if seat.account_id == account_id]

    def people(self) -> set[str]:
        return {seat.account_id for seat in self.seats.values() if seat.account_id is not None}

    def side_number(self, side: str) -> int:
        return list(self.seats).index(side)

    def header(self) -> Header:
        row = self.row
        return Header(
            game=row["game"],
            version=row["version"],
            scenario=row["scenario"],
            sides=tuple(self.seats),
            options=msgspec.json.decode(row["options"]),
            commitment=row["commitment"],
            seed=row["seed"],
            players={side: seat.name or seat.computer or "" for side, seat in self.seats.items()},
        )

    def end(self) -> End | None:
        if not self.ended:
            return None
        return End(outcome_from(self.row["outcome"], tuple(self.seats)), self.row["seed"])


def outcome_text(outcome: Outcome | None, sides: Sequence[str]) -> str | None:
    """An outcome as it is stored."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else sides[outcome.winner]
    data = {"winner": winner, "level": outcome.level, "points": outcome.points, "rule": outcome.rule}
    return msgspec.json.encode(data).decode()


def outcome_from(text: str | None, sides: Sequence[str]) -> Outcome | None:
    if text is None:
        return None
    data = msgspec.json.decode(text)
    winner = None if data["winner"] is None else list(sides).index(data["winner"])
    return Outcome(winner, data["level"], data["points"], data["rule"])


def entry_row(game_id: str, n: int, entry: Entry, at: float) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "n": n,
        "by": entry.by,
        "do": entry.do,
        "faces": msgspec.json.encode(entry.faces).decode(),
        "dice": entry.dice,
        "undo": entry.undo,
        "at": at,
        "account_id": None,
        "key": None,
        "digest": None,
        "upto": None,
    }


def entry_from(row: Row[Any]) -> Entry:
    return Entry(row.by, row.do, tuple(msgspec.json.decode(row.faces)), row.dice, row.undo)


_GAME = select(schema.games)
_REVISION = select(schema.games.c.revision)
_SEATS = select(schema.seats, schema.accounts.c.name, schema.accounts.c.guest).join_from(
    schema.seats, schema.accounts, schema.seats.c.account_id == schema.accounts.c.id, isouter=True
)
_ENTRIES = select(schema.entries).order_by(schema.entries.c.n)


def seat_row(row: Row[Any]) -> SeatRow:
    held = (row.side, row.account_id, row.name, row.computer, row.invite, row.invited_by, row.open)
    return SeatRow(*held, row.kept_for, bool(row.guest))


class Rooms:
    """The games in memory. One that has not been used for long is let go: its log is in the database."""

    def __init__(self, database: Database, most: int, several: bool) -> None:
        self.database = database
        self.most = most
        self.several = several
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._filmed: OrderedDict[str, None] = OrderedDict()
        self.stage = Stage()

    async def get(self, game_id: str) -> Room:
        """The room of a game; 404 if there is none."""
        room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            return room
        try:
            async with self._loading.setdefault(game_id, asyncio.Lock()):
                room = self._rooms.get(game_id)
                if room is None:
                    room = self._rooms.setdefault(game_id, await self._load(game_id))
                    self._make_room()
        finally:
            self._loading.pop(game_id, None)
        return room

    def forget(self, game_id: str) -> None:
        self._rooms.pop(game_id, None)
        metrics.TABLES.set(len(self._rooms))

    def _make_room(self) -> None:
        for game_id, room in list(self._rooms.items()):
            if len(self._rooms) <= self.most:
                break
            if not room.lock.locked() and (room.thinking is None or room.thinking.done()):
                del self._rooms[game_id]
        metrics.TABLES.set(len(self._rooms))

    async def _load(self, game_id: str) -> Room:
        async with self.database.read() as connection:
            row = (await connection.execute(_GAME.where(schema.games.c.id == game_id))).one_or_none()
            if row is None or row.game not in registry.GAMES:
                not_found()
            found = (await connection.execute(_SEATS.where(schema.seats.c.game_id == game_id))).all()
            if not found:  # deleted since
                not_found()
            return Room(row, [seat_row(seat) for seat in found])

    async def refresh(self, room: Room) -> None:
        """Take up what other processes have changed. Call it with the room's lock."""
        if not self.several:
            return
        room.refreshed = time.monotonic()
        async with self.database.read() as connection:
            wanted = _REVISION.where(schema.games.c.id == room.id)
            revision = (await connection.execute(wanted)).scalar_one_or_none()
            if revision is None:
                self.forget(room.id)
                not_found()
            if revision == room.row["revision"]:
                return
            await self._reload(room)

    async def _reload(self, room: Room) -> None:
        await self.reload_seats(room)
        if room.table is None:
            return
        have = len(room.table.entries)
        for row in await self._entries(room, have):
            room.table.feed(entry_from(row))
            remember_key(room, row)
        if room.ended:
            room.table.end = room.end()

    async def _entries(self, room: Room, have: int) -> Sequence[Row[Any]]:
        """The entries after the first `have`, and the row read again until it is the one that goes with them.

        Another process may add to the log after the row was read: a row that says the game goes on, with entries
        that end it, is no game.
        """
        wanted = _ENTRIES.where(schema.entries.c.game_id == room.id, schema.entries.c.n > have)
        for _ in range(AGAIN):
            async with self.database.read() as connection:
                rows = (await connection.execute(wanted)).all()
            if have + len(rows) == room.row["length"]:
                return rows
            await self.reload_seats(room)
        raise RuntimeError(f"game {room.id} says it has {room.row['length']} entries, and has {have + len(rows)}")

    async def reload_seats(self, room: Room) -> None:
        """Read row and seats again after a change of them."""
        fresh = await self._load(room.id)
        room.row, room.seats = fresh.row, fresh.seats

    def filmed(self, room: Room) -> None:
        """A game is looked back at: of those that were not for longest, the film is let go."""
        self._filmed[room.id] = None
        self._filmed.move_to_end(room.id)
        while len(self._filmed) > FILMS:
            other = self._rooms.get(self._filmed.popitem(last=False)[0])
            if other is not None:
                other.film = None

    def drop_table(self, room: Room) -> None:
        """Forget a table that may not be what the database holds."""
        room.table = None
        room.film = None
        room.keys = {}

    async def table(self, room: Room) -> LiveTable:
        """The table, as the database has it. Call it with the room's lock."""
        if room.table is not None:
            await self.refresh(room)
        if room.table is None:
            await self._set_up(room)
        assert room.table is not None
        return room.table

    async def _set_up(self, room: Room) -> None:
        await self.reload_seats(room)
        rows = await self._entries(room, 0)
        metrics.LOADS.inc()
        log = Log(room.header(), tuple(entry_from(row) for row in rows), room.end(), name=room.id)
        rules = room.rules
        if log.header.version != rules.version:
            log = await self._migrated(room, log, rules.version)
        room.keys = {}
        for row in rows:
            remember_key(room, row)
        room.table = await replayed(log, rules, stage=self.stage)

    async def _migrated(self, room: Room, log: Log, version: int) -> Log:
        """A game begun under an older version of its rules: its log is rewritten once and for all."""
        changed = replace(migrate(log, version), migrated_from=None)
        steps = (await replayed(changed, room.rules, stage=self.stage)).length(SPECTATOR)
        rows = [entry_row(room.id, n, entry, room.row["updated"]) for n, entry in enumerate(changed.entries, 1)]

        async def rewrite(connection: Any) -> None:
            await connection.execute(delete(schema.entries).where(schema.entries.c.game_id == room.id))
            if rows:
                await connection.execute(insert(schema.entries), rows)
            await connection.execute(
                update(schema.games)
                .where(schema.games.c.id == room.id)
                .values(
                    version=version,
                    options=msgspec.json.encode(dict(changed.header.options)).decode(),
                    length=len(rows),
                    steps=steps,
                    revision=schema.games.c.revision + 1,
                )
            )

        await self.database.write(rewrite)
        await self.reload_seats(room)
        return changed


def remember_key(room: Room, row: Row[Any]) -> None:
    if row.key is not None:
        room.keys[row.account_id, row.key] = Key(row.n, row.upto, row.digest)
