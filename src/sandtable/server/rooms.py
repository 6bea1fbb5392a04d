"""A game in memory: its row, its seats and its table, rebuilt from the log whenever it is not there."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, delete, insert, select, update

from sandtable import registry
from sandtable.engine.contract import CHANCE, SPECTATOR, Action, Game, Outcome
from sandtable.engine.dice import Dice
from sandtable.engine.log import CHANCE_NAME, CONSENT, End, Entry, Header, Log
from sandtable.engine.migrations import migrate
from sandtable.engine.table import Table

from . import metrics, schema
from .database import Database
from .refusals import not_found
from .told import Headline, Told

ANALYSIS = "analysis"
AGAIN = 20
"""How often row and entries are read before they are said not to fit."""


class Imagined:
    """A game that begins where one side's view of another game was: the rest was drawn at random."""

    def __init__(self, game: Game[Any], view: dict[str, Any], seed: str) -> None:
        self._game = game
        self._view = view
        self._seed = seed

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> Any:
        return self._game.imagine(self._view, Random(self._seed))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class Turns:
    """Lets others have a turn now and then while much is being played again.

    Rules are only ever run in the thread of the event loop: games keep what they have worked out in places that all
    their tables share, and two threads in them at once have made legal moves illegal.
    """

    LONGEST = 0.008
    """Seconds at a stretch."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()

    async def pause(self) -> None:
        if time.perf_counter() - self._begun > self.LONGEST:
            await asyncio.sleep(0)
            self._begun = time.perf_counter()


class LiveTable(Table[Any]):
    """A table that can take up entries written elsewhere, go back to where it was, and knows who noticed what."""

    def __init__(self, game: Game[Any], header: Header, dice: Dice | None) -> None:
        super().__init__(game, header, dice)
        decider = game.to_act(self.state)
        self.told = Told(len(header.sides), self._headline(decider))
        self._deciders: list[int | None] = [decider]

    def feed(self, entry: Entry, name: str = "save") -> None:
        self._feed(entry, name)

    def close(self, log: Log) -> None:
        """Take over how a log ends, when all its entries have been taken up."""
        self._close(log)

    def length(self, viewer: int) -> int:
        """How far the game has come, in the viewer's own count."""
        return self.told.count(viewer, len(self.entries))

    def mark(self) -> Any:
        """Where the table is, to go back to. An undo plays on with a state from before: the mark keeps its own."""
        mark = self._mark()
        return mark._replace(before=[state.copy() for state in mark.before])

    def go_to(self, mark: Any, entries: Sequence[Entry]) -> None:
        """Go to a mark of these entries, before or after where the table is; it can be used again.

        Who noticed what of them stays known: it does not change.
        """
        self.entries[:] = entries[: mark.entries]
        super()._restore(
            mark._replace(
                state=mark.state.copy(),
                live=list(mark.live),
                before=[state.copy() for state in mark.before],
                events=list(mark.events),
            )
        )

    def _restore(self, mark: Any) -> None:
        super()._restore(mark)
        self.told.cut(mark.entries)
        del self._deciders[mark.entries + 1 :]

    def _take(self, who: int, action: Action, faces: tuple[int, ...] = ()) -> None:
        super()._take(who, action, faces)
        n = len(self.entries)
        brought = []
        for happened in reversed(self.events):
            if happened.n != n:
                break
            brought.append(happened.event)
        seen = (v for v in self.told.viewers if any(self.game.event_json(e, v) is not None for e in brought))
        self._count(n, who, seen)

    def _take_back(self, undo: Entry) -> None:
        super()._take_back(undo)
        n = len(self.entries)
        if undo.by == CONSENT:  # the sides have talked about it
            self._count(n, CHANCE, range(len(self.header.sides)), self.events[-1].event.data["entries"])
        else:
            self._count(n, self._names[undo.by], (), self.events[-1].event.data["entries"])

    def _count(self, n: int, who: int, seen: Iterable[int], gone: Sequence[int] = ()) -> None:
        """Count entry number `n`, by side `who`, of which these saw something, and which took back others."""
        if self.told.entries >= n:
            return
        now = self.game.to_act(self.state)
        decider = self._deciders[-1] if now == CHANCE else now
        viewers = self.told.viewers
        if decider != self._deciders[-1] or self.game.info.open:
            self.told.add(viewers, self._headline(now))
        else:
            had = (v for v in viewers if any(self.told.noticed(v, entry) for entry in gone))
            self.told.add({*seen, *had, *((who,) if who != CHANCE else ())}, self._headline(now))
        self._deciders.append(decider)

    def _headline(self, decider: int | None) -> Headline | None:
        if decider == CHANCE:
            return None
        if decider is None:
            return Headline("", "")
        prompt = self.game.prompt(self.state)
        return Headline(prompt.title, prompt.phase)

    def decisions_back_to(self, side: str, own: int) -> int:
        """How many decisions, whoever took them, go back to before the last `own` of a side; 0: never."""
        total = found = 0
        for index in reversed(self._live):
            by = self.entries[index].by
            if by == CHANCE_NAME:
                continue
            total += 1
            found += by == side
            if found == own:
                return total
        return 0

    def decisions_seen(self, viewer: int, decisions: int) -> int:
        """How many of the last so many decisions the viewer has noticed."""
        taken = [index + 1 for index in self._live if self.entries[index].by != CHANCE_NAME]
        return sum(self.told.noticed(viewer, n) for n in taken[-decisions:])


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
        self.thinking: asyncio.Task[None] | None = None

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
_SEATS = select(schema.seats, schema.accounts.c.name).join_from(
    schema.seats, schema.accounts, schema.seats.c.account_id == schema.accounts.c.id, isouter=True
)
_ENTRIES = select(schema.entries).order_by(schema.entries.c.n)


def seat_row(row: Row[Any]) -> SeatRow:
    return SeatRow(row.side, row.account_id, row.name, row.computer, row.invite, row.invited_by, row.open)


class Rooms:
    """The games in memory. One that has not been used for long is let go: its log is in the database."""

    def __init__(self, database: Database, most: int, several: bool) -> None:
        self.database = database
        self.most = most
        self.several = several
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}

    async def get(self, game_id: str) -> Room:
        """The room of a game; 404 if there is none."""
        room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            return room
        async with self._loading.setdefault(game_id, asyncio.Lock()):
            room = self._rooms.get(game_id)
            if room is None:
                room = await self._load(game_id)
                self._rooms[game_id] = room
                self._make_room()
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
        room.table = await replayed(log, rules)

    async def _migrated(self, room: Room, log: Log, version: int) -> Log:
        """A game begun under an older version of its rules: its log is rewritten once and for all."""
        changed = replace(migrate(log, version), migrated_from=None)
        steps = (await replayed(changed, room.rules)).length(SPECTATOR)
        rows = [entry_row(room.id, n, entry, room.row["updated"]) for n, entry in enumerate(changed.entries, 1)]

        async def rewrite(connection: Any) -> None:
            await connection.execute(delete(schema.entries).where(schema.entries.c.game_id == room.id))
            if rows:
                await connection.execute(insert(schema.entries), rows)
            await connection.execute(
                update(schema.games)
                .where(schema.games.c.id == room.id)
                .values(version=version, length=len(rows), steps=steps, revision=schema.games.c.revision + 1)
            )

        await self.database.write(rewrite)
        await self.reload_seats(room)
        return changed


async def replayed(log: Log, rules: Game[Any], to: int | None = None) -> LiveTable:
    """The table after the first `to` entries of a log (all of them, if not given)."""
    log = migrate(log, rules.version)
    to = len(log.entries) if to is None else to
    table = LiveTable.replay(log, rules, to=0)
    assert isinstance(table, LiveTable)
    turns = Turns()
    for entry in log.entries[:to]:
        table.feed(entry, log.name)
        await turns.pause()
    if to >= len(log.entries):
        table.close(log)
    return table


def remember_key(room: Room, row: Row[Any]) -> None:
    if row.key is not None:
        room.keys[row.account_id, row.key] = Key(row.n, row.upto, row.digest)
