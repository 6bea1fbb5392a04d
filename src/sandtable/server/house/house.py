"""The house: everything that the requests of one process share, and who may see which table."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from sandtable import registry
from sandtable.engine.contract import SPECTATOR
from sandtable.engine.log import Entry

from .. import metrics
from ..people.accounts import Accounts, Person
from ..people.limits import Limits
from ..people.ratings import Known, Ratings, present
from ..refusals import forbidden, not_found, stale
from ..settings import Settings
from ..storage import schema
from ..storage.database import Append, Conflict, Database
from ..table import looks
from ..table.live import LiveTable, Question
from ..table.rooms import Room, Rooms, SeatRow, entry_row, outcome_from, outcome_text, remember_key
from ..table.told import EVERYTHING
from ..wire.games import ClockRecord, GameRecord, RatingRecord, SeatRecord
from .hub import Hub
from .replays import Replays

if TYPE_CHECKING:
    from ..computers.brains import Brains
    from ..notices.queue import Notices
    from ..play.progress import Clubs

GAME_ID = re.compile(r"[a-z0-9]{1,20}\Z")
DAY = 86400.0


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class House:
    """One process of the server."""

    brains: Brains
    notices: Notices
    clubs: Clubs

    def __init__(self, settings: Settings, database: Database, hub: Hub) -> None:
        self.settings = settings
        self.database = database
        self.hub = hub
        self.accounts = Accounts(database, settings)
        self.rooms = Rooms(database, settings.tables, settings.several)
        self.replays = Replays(settings)
        self.ratings = Ratings(database)
        self.limits = Limits(settings.limits, settings.workers, database if settings.several else None)

    # Coming in

    async def room(
        self, game_id: str, person: Person | None, invite: str | None = None, since: float | None = None
    ) -> Room:
        """The room of a game that this person may see; 404 otherwise, so that nothing is told of it.

        `since`: when it was last told that something has changed; if it has been looked at after that, it is new.
        """
        if not GAME_ID.match(game_id):
            not_found()
        room = await self.rooms.get(game_id)
        if self.settings.several and (since is None or room.refreshed <= since):
            async with room.lock:
                if since is None or room.refreshed <= since:
                    await self.rooms.refresh(room)
        if not may_see(room, person, invite):
            not_found()
        return room

    @asynccontextmanager
    async def table(self, room: Room) -> AsyncIterator[LiveTable]:
        """The table of a room, held still."""
        async with room.lock:
            yield await self.rooms.table(room)

    def viewer(self, room: Room, person: Person | None, seat: str | None) -> tuple[int, str | None]:
        """As whom this person looks at the table: the viewer, and the side if it is a seat of his."""
        own = room.sides_of(person.id if person else None)
        if seat in ("", "spectator"):
            return (EVERYTHING if room.ended else SPECTATOR), None
        if seat is None:
            turn = room.row["to_act"]
            seat = turn if turn in own else own[0] if own else None
        elif seat not in room.seats:
            forbidden("this game has no side of that name", "seat")
        elif seat not in own and not room.ended:
            forbidden("this seat is not yours", "seat")
        if room.ended:
            return EVERYTHING, seat if seat in own else None
        return (SPECTATOR, None) if seat is None else (room.side_number(seat), seat)

    def seat(self, room: Room, person: Person, seat: str | None) -> str:
        """The seat of this person that is meant: the one named, the one to decide, or the only one."""
        own = room.sides_of(person.id)
        if seat is not None:
            if seat not in own:
                forbidden("this seat is not yours", "seat")
            return seat
        if not own:
            forbidden("you hold no seat at this table", "seat")
        turn = room.row["to_act"]
        return turn if turn in own else own[0]

    # Writing

    async def commit(
        self,
        room: Room,
        table: LiveTable,
        since: int,
        person: Person | None = None,
        key: str | None = None,
        digest: str | None = None,
        answered: bool = False,
    ) -> None:
        """Write what the table has that the database has not, durably; then tell everybody.

        If it cannot be written, the table is forgotten: the database holds the truth.
        """
        now = time.time()
        entries: Sequence[Entry] = table.entries[since:]
        rows = [entry_row(room.id, n, entry, now) for n, entry in enumerate(entries, since + 1)]
        if key is not None and person is not None:
            rows[0] |= {"account_id": person.id, "key": key, "digest": digest, "upto": len(table.entries)}
        changes = self.moved(room, table, now, answered)
        told = self.notices.of_move(room, changes, person, table)
        try:
            await self.database.append(Append(room.id, room.row["revision"], rows, changes, told))
        except Conflict:
            self.rooms.drop_table(room)
            metrics.REFUSED.labels("conflict").inc()
            stale()
        except BaseException:
            self.rooms.drop_table(room)
            raise
        room.row |= changes
        room.row["revision"] += 1
        if key is not None and person is not None:
            remember_key(room, _Keyed(person.id, key, since + 1, len(table.entries), digest))  # type: ignore[arg-type]
        self.hub.tell(room.id)
        if told:
            self.notices.wake()
        await self.ended(room)

    async def ended(self, room: Room) -> None:
        """After a change of a game: if it is over, count what is to be counted."""
        if not room.ended:
            return
        if room.row["rated"]:
            await self.ratings.settle()
        if room.row["contest"]:
            self.clubs.wake(room.row["contest"])

    def moved(self, room: Room, table: LiveTable, now: float, answered: bool = False) -> dict[str, Any]:
        """The columns of a game's row after something was added to its log."""
        to_act = looks.side_name(table, table.to_act)
        turned = to_act != room.row["to_act"]
        status = room.row["status"]
        outcome = None
        if table.end is not None:
            outcome = outcome_text(table.end.outcome, table.header.sides)
            status = "finished" if table.end.outcome is not None else "abandoned"
        steps = table.length(SPECTATOR)
        return {
            "length": len(table.entries),
            "steps": steps,
            "to_act": to_act,
            "status": status,
            "outcome": outcome,
            "turn_since": now if turned else room.row["turn_since"],
            "reminded": 0 if turned else room.row["reminded"],
            # A question goes away with something that all notice: else it would tell of secret actions.
            "undo_asked": None if answered or steps != room.row["steps"] else room.row["undo_asked"],
            # When it was last updated would tell of secret actions too.
            "updated": now if steps != room.row["steps"] or table.end else room.row["updated"],
        }

    async def change(self, room: Room, values: dict[str, Any], kind: str = "game") -> None:
        """Change the row of a game; call it with the room's lock."""
        games = schema.games

        async def job(connection: Any) -> None:
            done = await connection.execute(
                games.update()
                .where(games.c.id == room.id, games.c.revision == room.row["revision"])
                .values(revision=games.c.revision + 1, **values)
            )
            if done.rowcount != 1:
                raise Conflict(room.id)

        try:
            await self.database.write(job)
        except Conflict:
            self.rooms.drop_table(room)
            await self.rooms.reload_seats(room)
            stale()
        room.row |= values
        room.row["revision"] += 1
        self.hub.tell(room.id, kind)

    # Records

    async def records(self, rooms: Iterable[Room], person: Person | None) -> list[GameRecord]:
        rooms = list(rooms)
        quiet = await self.quiet([room.id for room in rooms], person)
        rated = await self.ratings.of(account for room in rooms for account in room.people())
        return [record(room, person, room.id not in quiet, rated) for room in rooms]

    async def record(self, room: Room, person: Person | None) -> GameRecord:
        return (await self.records([room], person))[0]

    async def quiet(self, ids: Sequence[str], person: Person | None) -> set[str]:
        """The games of which this person does not want to be told."""
        if person is None or not ids:
            return set()
        wishes = schema.wishes
        wanted = select(wishes.c.game_id).where(
            wishes.c.account_id == person.id, wishes.c.game_id.in_(ids), wishes.c.notify.is_(False)
        )
        async with self.database.read() as connection:
            return set((await connection.execute(wanted)).scalars())


class _Keyed:
    """The columns of an entry's row that a key is remembered by."""

    def __init__(self, account_id: str, key: str, n: int, upto: int, digest: str | None) -> None:
        self.account_id, self.key, self.n, self.upto, self.digest = account_id, key, n, upto, digest


def may_see(room: Room, person: Person | None, invite: str | None = None) -> bool:
    """Players see their games; others those that anybody may watch, that have an open seat, or by invitation."""
    row = room.row
    if person is not None and (row["owner_id"] == person.id or room.sides_of(person.id)):
        return True
    if person is not None and any(seat.empty and seat.invited_by == person.id for seat in room.seats.values()):
        return True
    if person is not None and room.kept_for(person.key):
        return True
    if row["analysis"]:
        return False
    if row["watch"] == "anyone":
        return True
    if not room.ended and any(seat.open and seat.empty for seat in room.seats.values()):
        return True
    return bool(invite) and any(seat.invite == invite for seat in room.seats.values())


def undo_asked(room: Room) -> Question | None:
    """What a side asks to take back, as long as nothing has happened since that everybody noticed."""
    text = room.row["undo_asked"]
    if not text or room.ended:
        return None
    try:
        asked = msgspec.json.decode(text, type=Question)
    except msgspec.ValidationError:  # asked of an older version of this program
        return None
    return asked if asked.steps == room.row["steps"] else None


def clock(row: dict[str, Any], now: float | None = None) -> ClockRecord | None:
    if row["pace"] is None or row["to_act"] is None:
        return None
    due = row["turn_since"] + row["pace"] * DAY
    return ClockRecord(row["pace"], iso(row["turn_since"]), iso(due), (now or time.time()) > due)


def rating_record(known: Known | None) -> RatingRecord | None:
    if known is None:
        return None
    rating, deviation = present(known)
    return RatingRecord(round(rating), round(deviation), known.games)


def seat_record(room: Room, seat: SeatRow, title: str, person: Person | None, known: Known | None) -> SeatRecord:
    me = person.id if person else None
    you = me is not None and seat.account_id == me
    host = me is not None and (room.row["owner_id"] == me or me in room.people() or seat.invited_by == me)
    return SeatRecord(
        side=seat.side,
        title=title,
        holder=seat.name,
        account=seat.account_id,
        computer=seat.computer,
        you=you,
        guest=seat.guest,
        open=seat.empty and (seat.open or seat in room.kept_for(person.key if person else None)),
        for_you=seat in room.kept_for(person.key if person else None),
        kept_for=seat.kept_for if seat.empty and host else None,
        invite=seat.invite if seat.empty and host else None,
        rating=rating_record(known),
    )


def record(
    room: Room,
    person: Person | None,
    notify: bool = True,
    rated: Mapping[tuple[str, str], Known] = MappingProxyType({}),
) -> GameRecord:
    """A game as lists and headings show it; nothing of what lies on the table."""
    row = room.row
    game = registry.get(row["game"])
    scenario = next((s for s in game.scenarios() if s.id == row["scenario"]), None)
    titles = dict(zip(game.info.sides, game.info.side_titles, strict=True))
    sides = tuple(room.seats)
    own = room.sides_of(person.id if person else None)
    ended = room.ended
    return GameRecord(
        id=room.id,
        name=row["name"],
        game=row["game"],
        title=game.info.title,
        scenario=row["scenario"],
        scenario_title=scenario.title if scenario else row["scenario"],
        options=msgspec.json.decode(row["options"]),
        status=row["status"],
        seats=[
            seat_record(room, seat, titles[side], person, rated.get((seat.account_id or "", row["game"])))
            for side, seat in room.seats.items()
        ],
        owner=person is not None and row["owner_id"] == person.id,
        length=row["length"] if ended else row["steps"],
        to_act=None if ended else row["to_act"],
        your_turn=not ended and row["to_act"] in own,
        commitment=row["commitment"],
        seed=row["seed"] if ended else None,
        unsealed=row["unsealed"],
        clock=None if ended else clock(row),
        watch=row["watch"],
        analysis=row["analysis"],
        parent=row["parent"],
        branched_at=row["branched_at"],
        rematch=row["rematch"],
        notify=notify,
        created=iso(row["created"]),
        updated=iso(row["updated"]),
        outcome=looks.outcome(outcome_from(row["outcome"], sides), sides),
        lesson=row["lesson"],
        rated=row["rated"],
        contest=row["contest"],
    )
