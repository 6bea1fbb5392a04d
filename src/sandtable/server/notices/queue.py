"""Notifications: queued with the move that causes them, sent by web push, e-mail and webhooks, tried again.

Nothing in a notice is secret: it says that it is somebody's turn, and where. Addresses are like passwords: none is
ever logged.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable.engine.texts.text import Said, Text

from .. import metrics
from ..house.house import DAY
from ..people.accounts import Person, settings_from
from ..people.lanes import Lanes, Late
from ..people.limits import Rate
from ..refusals import unusable
from ..storage import outages, schema
from ..storage.database import is_outage
from ..table.away import digest
from ..table.live import LiveTable
from ..table.rooms import Room
from ..wire.people import MySettings
from . import letters, mail, push
from .confirm import Codes
from .mail import mail_server
from .outside import BadAddress, Outside, Refusal, where
from .targets import MAIL, PUSH, Browser, Discord, Letter, Target, hook, lane, target

if TYPE_CHECKING:
    from ..house.house import House

log = logging.getLogger("sandtable.notices")

WAITS = (60.0, 300.0, 1800.0, 7200.0, 28800.0)
"""Seconds before each further try."""
TAKEN = 120.0
"""Seconds for which one process has a notice in hand."""
REMIND = (0.5, 0.9, 1.0)
"""After which part of the time for a turn its player is reminded; the last tells both sides that it is over."""
BATCH = 100
"""Notices that are taken from the queue at once."""
ABREAST, WAITING, TOGETHER = 4, 100, 32
"""Deliveries to one target at a time, that may wait for it, and at a time in all: eight targets have to be slow before
a ninth waits."""
IN_HAND = 1000
"""Notices that may be on their way at once."""

TELLS, TOLD = Rate(20, 20 / 600), Rate(30, 30 / 3600)
"""Notices that one person causes to others by sitting down, standing up, inviting and asking; and those that anybody is
told of what others do so: guests cost nothing to become. What is left out stands in his lists all the same."""

CODE = "code"
"""The kind of notice that goes to an address that has not been confirmed, and to nothing else."""
TURN = "turn"
"""The kind of notice that is dropped if it is not true any more when it is sent."""


def _news(account_id: str, title: Said, body: Sequence[Said]) -> dict[str, Any]:
    """A row of the queue: something to tell somebody at once, of no game."""
    return {
        "account_id": account_id,
        "game_id": None,
        "kind": "news",
        "title": letters.kept([title]),
        "body": letters.kept(body),
        "left": None,
        "tries": 0,
        "due": time.time(),
        "taken_until": 0.0,
        "error": None,
    }


def _scenario(room: Room) -> str:
    return next((one.title for one in room.game.scenarios() if one.id == room.row["scenario"]), room.row["scenario"])


class Notices:
    """What people are told when they are not at the table."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.outside = Outside(house.settings.notify_private)
        self.mail = mail_server(house.settings.mail_url) if house.settings.mail_url else None
        self._codes = Codes(house.database, house.limits)
        self._letters = ThreadPoolExecutor(ABREAST, "letters")
        self._lanes = Lanes(ABREAST, WAITING, TOGETHER)
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._on_their_way: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._task = asyncio.create_task(self._run(), name="notices")

    async def close(self) -> None:
        tasks = [*self._on_their_way, *([self._task] if self._task is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.outside.close()
        self._letters.shutdown(wait=False, cancel_futures=True)

    def wake(self) -> None:
        self._wake.set()

    # What is told

    def of_move(
        self, room: Room, changes: Mapping[str, Any], mover: Person | None, table: LiveTable
    ) -> list[dict[str, Any]]:
        """Rows for the queue that go into the database with a move: it is your turn, or it is over."""
        if changes["status"] in ("finished", "abandoned"):
            return self._to_all(room, Text("{name}: the game is over", name=room.row["name"]), mover)
        if changes["to_act"] == room.row["to_act"]:
            return []
        seat = room.seats.get(changes["to_act"] or "")
        if seat is None or seat.account_id is None:
            return []
        if (mover is not None and seat.account_id == mover.id) or self._here(room, seat.account_id):
            return []
        told = digest(table, room.side_number(seat.side))
        title = Text("{name}: it is your turn", name=room.row["name"])
        return [self._row(seat.account_id, room, title, TURN, told)]

    def _here(self, room: Room, account_id: str) -> bool:
        return account_id in self.house.hub.present(room.id)

    def _to_all(self, room: Room, title: Said, but: Person | None) -> list[dict[str, Any]]:
        people = room.people() - ({but.id} if but else set())
        return [self._row(one, room, title) for one in sorted(people) if not self._here(room, one)]

    def _row(
        self, account_id: str, room: Room, title: Said, kind: str = "news", told: Sequence[Said] = ()
    ) -> dict[str, Any]:
        address = self.house.settings.address.rstrip("/")
        body: list[Said] = [Text("{game}: {scenario}", game=room.game.info.title, scenario=_scenario(room))]
        if address:
            body.append(f"{address}/#/game/{room.id}")
        body += told
        due = time.time() + (self.house.settings.notify_delay if kind == TURN else 0.0)
        return _news(account_id, title, body) | {"game_id": room.id, "kind": kind, "due": due}

    async def _queue(self, rows: list[dict[str, Any]], by: Person | None = None) -> None:
        """`by`: whoever has others told so by what costs nothing, and could do it all day."""
        if by is not None:
            rows = [row for row in rows if self._may_tell(by, row["account_id"])]
        if not rows:
            return

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.outbox), rows)

        await self.house.database.write(job)
        self.wake()

    def _may_tell(self, by: Person, account_id: str) -> bool:
        limits = self.house.limits
        return limits.allows("tells", by.id, TELLS) and limits.allows("told", account_id, TOLD)

    async def ended(self, room: Room, by: Person) -> None:
        await self._queue(self._to_all(room, Text("{name}: the game is over", name=room.row["name"]), by))

    async def seated(self, room: Room, by: Person, what: str) -> None:
        """`what`: a template that knows the game and the person."""
        await self._queue(self._to_all(room, Text(what, name=room.row["name"], person=by.name), by), by)

    async def over(self, room: Room) -> None:
        await self._queue(self._to_all(room, Text("{name}: the game is over", name=room.row["name"]), None))

    async def begun(self, room: Room) -> None:
        """A game that was made for those who sit at it, in a league or a tournament."""
        await self._queue(self._to_all(room, Text("{name}: the game begins", name=room.row["name"]), None))

    async def invited(self, room: Room, by: Person, account_id: str) -> None:
        title = Text("{name}: {person} keeps a seat for you", name=room.row["name"], person=by.name)
        await self._queue([self._row(account_id, room, title)], by)

    async def person(self, account_id: str, title: Said, where: str = "friends", by: Person | None = None) -> None:
        """Tell somebody of something that is no game's: of other people, or of his club."""
        address = self.house.settings.address.rstrip("/")
        await self._queue([_news(account_id, title, [f"{address}/#/{where}" if address else "Sandtable"])], by)

    async def undo_asked(self, room: Room, by: Person) -> None:
        title = Text("{name}: {person} asks to take something back", name=room.row["name"], person=by.name)
        await self._queue(self._to_all(room, title, by), by)

    # The queue

    async def _run(self) -> None:
        swept = 0.0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.house.settings.notify_every):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self.remind()
                while await self.send_some():
                    pass
                if time.time() - swept > 3600:
                    swept = time.time()
                    await self.house.accounts.sweep()
            except Exception as error:
                if is_outage(error):
                    outages.tell(error)
                    continue
                metrics.ERRORS.inc()
                log.exception("the queue of notices failed")

    async def send_some(self) -> int:
        """Send off what is due; returns how many notices were taken in hand. Nobody waits for the services."""
        room = min(BATCH, IN_HAND - len(self._on_their_way))
        rows = await self._take(room) if room > 0 else []
        if rows:
            targets = await self._targets(rows)
            for row in rows:
                task = asyncio.create_task(self._send_off(row, targets[row.id]), name=f"notice {row.id}")
                self._on_their_way.add(task)
                task.add_done_callback(self._on_their_way.discard)
        return len(rows)

    async def _take(self, most: int) -> list[Row[Any]]:
        """Notices that are due, taken so that no other process sends them too."""
        outbox = schema.outbox
        now = time.time()
        due = (outbox.c.due <= now, outbox.c.taken_until < now)
        async with self.house.database.read() as connection:
            if (await connection.execute(select(outbox.c.id).where(*due).limit(1))).first() is None:
                return []

        async def job(connection: AsyncConnection) -> list[Row[Any]]:
            wanted = select(outbox).where(*due).order_by(outbox.c.id).limit(most)
            if not self.house.database.sqlite:
                wanted = wanted.with_for_update(skip_locked=True)
            rows = list((await connection.execute(wanted)).all())
            taken = update(outbox).where(outbox.c.id.in_([row.id for row in rows]))
            await connection.execute(taken.values(taken_until=now + TAKEN))
            return rows

        return await self.house.database.write(job)

    async def _send_off(self, row: Row[Any], targets: list[str]) -> None:
        """Send one notice to all its targets, and settle it."""
        until = time.time() + TAKEN / 2
        try:
            left = await asyncio.gather(*(self._send(row, target, until) for target in targets))
            errors = {target: error for target, error in zip(targets, left, strict=True) if error}
            await self._settle(row, errors)
        except Exception:  # it stays in the queue, and is taken in hand again
            metrics.ERRORS.inc()
            log.exception("a notice was not settled", extra={"notice": row.id})

    async def _send(self, row: Row[Any], text: str, until: float) -> str:
        """Send one notice to one target; what went wrong, if it should be tried again."""
        try:
            found = target(text, self.outside.private)
        except (BadAddress, LookupError, TypeError, msgspec.MsgspecError):
            metrics.NOTICES.labels("unknown").inc()  # of a kind that is not sent to any more
            return ""
        try:
            gone = await self._lanes.run(lane(found), lambda: self._deliver(found, row), until)
            metrics.NOTICES.labels("gone" if gone else "sent").inc()
            if gone and isinstance(found, Browser):
                await self._unsubscribe(row.account_id, found.endpoint)
        except Exception as fault:  # a service may fail in any way it likes
            metrics.NOTICES.labels("late" if isinstance(fault, Late) else "failed").inc()
            log.warning("a notice was not sent", extra={"notice": row.id, "error": type(fault).__name__})
            return type(fault).__name__
        return ""

    async def _settle(self, row: Row[Any], errors: Mapping[str, str]) -> None:
        """Take a notice that is done from the queue, or put it back if it has to be tried again."""
        outbox = schema.outbox
        mine = outbox.c.id == row.id
        again = bool(errors) and row.tries < len(WAITS)
        if errors and not again:
            metrics.NOTICES.labels("given_up").inc()

        async def job(connection: AsyncConnection) -> None:
            if not again:
                await connection.execute(delete(outbox).where(mine))
                return
            values = {
                "left": msgspec.json.encode(list(errors)).decode(),
                "tries": row.tries + 1,
                "due": time.time() + WAITS[row.tries],
                "taken_until": 0.0,
                "error": " ".join(sorted(set(errors.values()))),
            }
            await connection.execute(update(outbox).where(mine).values(**values))

        await self.house.database.write(job)

    async def _targets(self, rows: list[Row[Any]]) -> dict[int, list[str]]:
        """Where each of these is to go: where its account wants to be told, if of this game at all."""
        accounts, wishes, games, seats = schema.accounts, schema.wishes, schema.games, schema.seats
        people = {row.account_id for row in rows}
        tables = {row.game_id for row in rows}
        async with self.house.database.read() as connection:
            wanted = select(accounts.c.id, accounts.c.settings).where(accounts.c.id.in_(people))
            texts = {row.id: row.settings for row in await connection.execute(wanted)}
            quiet = select(wishes.c.account_id, wishes.c.game_id).where(
                wishes.c.account_id.in_(people), wishes.c.game_id.in_(tables), wishes.c.notify.is_(False)
            )
            silent = {tuple(row) for row in await connection.execute(quiet)}
            turns = (
                select(seats.c.account_id, games.c.id)
                .join(games, (games.c.id == seats.c.game_id) & (games.c.to_act == seats.c.side))
                .where(games.c.id.in_(tables), games.c.status.in_(("open", "running")))
            )
            to_act = {tuple(row) for row in await connection.execute(turns)}
        found: dict[int, list[str]] = {}
        for row in rows:
            where = (row.account_id, row.game_id)
            settings = settings_from(texts.get(row.account_id, "{}"))
            if row.kind == CODE:
                found[row.id] = msgspec.json.decode(row.left)
            elif not settings.notify or where in silent or (row.kind == TURN and where not in to_act):
                found[row.id] = []
            elif row.left is not None:
                found[row.id] = msgspec.json.decode(row.left)
            else:
                found[row.id] = await self._addresses(row.account_id, settings)
        return found

    async def _addresses(self, account_id: str, settings: MySettings) -> list[str]:
        targets = list(settings.notify_urls)
        if self.mail is not None and await self._codes.told(account_id, settings):
            targets.append(MAIL + settings.email)
        return targets + [PUSH + msgspec.json.encode(one).decode() for one in settings.push]

    async def _deliver(self, found: Target, row: Row[Any]) -> bool:
        """Send to one target. True if it does not exist any more; raises if it should be tried again."""
        game_id = row.game_id
        title, body = await self._worded(row)
        link = f"/#/game/{game_id}" if game_id else "/"
        if isinstance(found, Letter):
            if self.mail is not None:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._letters, mail.send, self.mail, found.to, title, body)
            return False
        headers = {"Content-Type": "application/json"}
        if isinstance(found, Browser):
            keys = await push.keys(self.house.database)
            news = {"title": title, "body": body, "url": link, "tag": game_id}
            headers, data = push.sealed(found, news, keys, self.house.settings.contact)
        elif isinstance(found, Discord):
            said = {"content": f"{title}\n{body}"[:2000], "allowed_mentions": {"parse": []}}
            data = msgspec.json.encode(said)
        else:
            data = msgspec.json.encode({"title": title, "message": body, "game": game_id})
        status = await self.outside.post(found.where, headers, data)
        if status in push.GONE and isinstance(found, Browser):
            return True
        if not 200 <= status < 300:
            raise Refusal("the service did not take it")
        return False

    async def _worded(self, row: Row[Any]) -> tuple[str, str]:
        """Title and body of a notice, in the language of whoever gets it."""
        accounts, games = schema.accounts, schema.games
        async with self.house.database.read() as connection:
            wanted = select(accounts.c.settings).where(accounts.c.id == row.account_id)
            language = settings_from((await connection.execute(wanted)).scalar_one_or_none() or "{}").language
            which = select(games.c.game).where(games.c.id == row.game_id)
            game = (await connection.execute(which)).scalar_one_or_none() if row.game_id else None
        return letters.told(row.title, language, game), letters.told(row.body, language, game)

    async def _unsubscribe(self, account_id: str, endpoint: str) -> None:
        """Forget a browser that has unsubscribed."""
        accounts = schema.accounts

        async def job(connection: AsyncConnection) -> None:
            me = accounts.c.id == account_id
            text = (await connection.execute(select(accounts.c.settings).where(me))).scalar_one()
            settings = settings_from(text)
            settings.push = [one for one in settings.push if one.endpoint != endpoint]
            new = msgspec.json.encode(settings).decode()
            await connection.execute(update(accounts).where(me).values(settings=new))

        await self.house.database.write(job)
        self.house.accounts.forget(account_id)

    # Clocks

    async def remind(self, now: float | None = None) -> int:
        """Remind those whose time for a turn runs out; returns how many games were looked after."""
        now = time.time() if now is None else now
        games = schema.games
        passed = now - games.c.turn_since
        wanted = select(games.c.id).where(
            games.c.status == "running",
            games.c.pace.is_not(None),
            games.c.to_act.is_not(None),
            games.c.reminded < len(REMIND),
            passed > games.c.pace * DAY * REMIND[0],
        )
        async with self.house.database.read() as connection:
            ids = list((await connection.execute(wanted)).scalars())
        for game_id in ids:
            room = await self.house.rooms.get(game_id)
            async with room.lock:
                await self.house.rooms.refresh(room)
                await self._remind(room, now)
        return len(ids)

    async def _remind(self, room: Room, now: float) -> None:
        row = room.row
        if room.ended or row["pace"] is None or row["to_act"] is None:
            return
        part = (now - row["turn_since"]) / (row["pace"] * DAY)
        stage = sum(part > limit for limit in REMIND)
        if stage <= row["reminded"]:
            return
        holder = room.seats[row["to_act"]].account_id
        told: list[dict[str, Any]] = []
        if stage == len(REMIND):
            told = self._to_all(room, Text("{name}: the time for this turn is over", name=row["name"]), None)
        elif holder is not None:
            hours = round((row["pace"] * DAY + row["turn_since"] - now) / 3600)
            title = Text.many(
                hours, "{name}: an hour left for your turn", "{name}: {n} hours left for your turn", name=row["name"]
            )
            told = [self._row(holder, room, title, TURN)]
        await self.house.change(room, {"reminded": stage})
        await self._queue(told)

    # What may be set

    async def confirm(self, me: Person, wish: MySettings, where: str) -> MySettings:
        """Have somebody show that he reads the letters to the address that he gives; what is to be kept."""
        if self.mail is None:
            return wish

        async def send(code: str) -> None:
            here = self.house.settings.address or Text("a server of Sandtable")
            body = (
                Text("{code} is the code for this address at {here}. It is good for a day.", code=code, here=here),
                Text("If you did not ask for it: no other letter will come."),
            )
            row = _news(me.id, Text("Your code for letters from Sandtable"), body)
            left = msgspec.json.encode([MAIL + wish.email]).decode()
            await self._queue([row | {"kind": CODE, "left": left}])

        return await self._codes.ask(me, wish, where, send)

    def check(self, settings: MySettings) -> None:
        """Refuse targets that this server does not send to."""
        private = self.outside.private
        try:
            for url in settings.notify_urls:
                hook(url, private)
            for one in settings.push:
                where(one.endpoint, private)
        except BadAddress as error:
            unusable(str(error), "notify")
        if settings.email and not mail.is_address(settings.email):
            unusable("this is not an e-mail address", "notify")
