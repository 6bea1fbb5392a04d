"""Notifications: queued with the move that causes them, sent through Apprise and web push, tried again.

Nothing in a notice is secret: it says that it is somebody's turn, and where.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import msgspec
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .. import metrics
from ..house.house import DAY
from ..people.accounts import Person, settings_from
from ..refusals import unusable
from ..storage import schema
from ..table.rooms import Room
from ..wire.people import MySettings
from . import push

if TYPE_CHECKING:
    from ..house.house import House

log = logging.getLogger("sandtable.notices")

WAITS = (60.0, 300.0, 1800.0, 7200.0, 28800.0)
"""Seconds before each further try."""
TAKEN = 120.0
"""Seconds for which one process has a notice in hand."""
REMIND = (0.5, 0.9, 1.0)
"""After which part of the time for a turn its player is reminded; the last tells both sides that it is over."""
SECONDS = 20.0
"""How long a service may take."""

TURN = "turn"
"""The kind of notice that is dropped if it is not true any more when it is sent."""

EMAIL = re.compile(r"[^\s@<>\"',;:/?#&%]+@[^\s@<>\"',;:/?#&%]+\.[^\s@<>\"',;:/?#&%]+\Z")


class Notices:
    """What people are told when they are not at the table."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._task = asyncio.create_task(self._run(), name="notices")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def wake(self) -> None:
        self._wake.set()

    # What is told

    def of_move(self, room: Room, changes: Mapping[str, Any], mover: Person | None) -> list[dict[str, Any]]:
        """Rows for the queue that go into the database with a move: it is your turn, or it is over."""
        if changes["status"] in ("finished", "abandoned"):
            return self._to_all(room, f"{room.row['name']}: the game is over", mover)
        if changes["to_act"] == room.row["to_act"]:
            return []
        seat = room.seats.get(changes["to_act"] or "")
        if seat is None or seat.account_id is None:
            return []
        if (mover is not None and seat.account_id == mover.id) or self._here(room, seat.account_id):
            return []
        return [self._row(seat.account_id, room, f"{room.row['name']}: it is your turn", TURN)]

    def _here(self, room: Room, account_id: str) -> bool:
        return account_id in self.house.hub.present(room.id)

    def _to_all(self, room: Room, title: str, but: Person | None) -> list[dict[str, Any]]:
        people = room.people() - ({but.id} if but else set())
        return [self._row(one, room, title) for one in sorted(people) if not self._here(room, one)]

    def _row(self, account_id: str, room: Room, title: str, kind: str = "news") -> dict[str, Any]:
        address = self.house.settings.address.rstrip("/")
        body = f"{room.game.info.title}, {room.row['scenario']}."
        if address:
            body += f" {address}/#/game/{room.id}"
        return {
            "account_id": account_id,
            "game_id": room.id,
            "kind": kind,
            "title": title,
            "body": body,
            "left": None,
            "tries": 0,
            "due": time.time() + (self.house.settings.notify_delay if kind == TURN else 0.0),
            "taken_until": 0.0,
            "error": None,
        }

    async def _queue(self, rows: list[dict[str, Any]]) -> None:
        if not rows:
            return

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.outbox), rows)

        await self.house.database.write(job)
        self.wake()

    async def ended(self, room: Room, by: Person) -> None:
        await self._queue(self._to_all(room, f"{room.row['name']}: the game is over", by))

    async def seated(self, room: Room, by: Person, what: str) -> None:
        await self._queue(self._to_all(room, f"{room.row['name']}: {by.name} {what}", by))

    async def undo_asked(self, room: Room, by: Person) -> None:
        title = f"{room.row['name']}: {by.name} asks to take something back"
        await self._queue(self._to_all(room, title, by))

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
            except Exception:
                metrics.ERRORS.inc()
                log.exception("the queue of notices failed")

    async def send_some(self, most: int = 100) -> int:
        """Send what is due; returns how many notices were taken in hand."""
        rows = await self._take(most)
        if rows:
            targets = await self._targets(rows)
            done = await asyncio.gather(*(self._send(row, targets[row.id]) for row in rows))
            await self._settle([item for item in done if item is not None], [row.id for row in rows])
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

    async def _send(self, row: Row[Any], targets: list[str]) -> tuple[Row[Any], list[str], str] | None:
        """Send one notice; the targets that have to be tried again, if there are any."""
        failed: list[str] = []
        error = ""
        for target in targets:
            try:
                gone = await self._deliver(target, row.title, row.body, row.game_id)
                metrics.NOTICES.labels("gone" if gone else "sent").inc()
                if gone:
                    await self._unsubscribe(row.account_id, target)
            except Exception as fault:  # a service may fail in any way it likes
                error = type(fault).__name__
                failed.append(target)
                metrics.NOTICES.labels("failed").inc()
                log.warning("a notice was not sent", extra={"notice": row.id, "error": error})
        if failed and row.tries >= len(WAITS):
            metrics.NOTICES.labels("given_up").inc()
            return None
        return (row, failed, error) if failed else None

    async def _settle(self, again: list[tuple[Row[Any], list[str], str]], ids: list[int]) -> None:
        """Take what is done from the queue, and put back what has to be tried again."""
        outbox = schema.outbox
        later = {row.id for row, _, _ in again}

        async def job(connection: AsyncConnection) -> None:
            done = [number for number in ids if number not in later]
            await connection.execute(delete(outbox).where(outbox.c.id.in_(done)))
            for row, failed, error in again:
                values = {
                    "left": msgspec.json.encode(failed).decode(),
                    "tries": row.tries + 1,
                    "due": time.time() + WAITS[row.tries],
                    "taken_until": 0.0,
                    "error": error,
                }
                await connection.execute(update(outbox).where(outbox.c.id == row.id).values(**values))

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
            if not settings.notify or where in silent or (row.kind == TURN and where not in to_act):
                found[row.id] = []
            elif row.left is not None:
                found[row.id] = msgspec.json.decode(row.left)
            else:
                found[row.id] = self._addresses(settings)
        return found

    def _addresses(self, settings: MySettings) -> list[str]:
        targets = list(settings.notify_urls)
        if settings.email and self.house.settings.mail_url:
            joint = "&" if "?" in self.house.settings.mail_url else "?"
            targets.append(f"{self.house.settings.mail_url}{joint}to={quote(settings.email)}")
        return targets + [f"push:{msgspec.json.encode(one).decode()}" for one in settings.push]

    async def _deliver(self, target: str, title: str, body: str, game_id: str | None) -> bool:
        """Send to one target. True if it does not exist any more; raises if it should be tried again."""
        async with asyncio.timeout(SECONDS + 5):
            if target.startswith("push:"):
                where = msgspec.json.decode(target[5:])
                await self._check_host(where["endpoint"])
                keys = await push.keys(self.house.database)
                link = f"/#/game/{game_id}" if game_id else "/"
                news = {"title": title, "body": body, "url": link, "tag": game_id}
                return await asyncio.to_thread(push.send, where, news, keys, self.house.settings.contact)
            if not target.startswith(self.house.settings.mail_url or "\0"):
                await self._check_host(target)
            await asyncio.to_thread(_apprise, target, title, body)
            return False

    async def _check_host(self, url: str) -> None:
        if not self.house.settings.notify_private:
            await asyncio.to_thread(refuse_private, urlsplit(url).hostname or "")

    async def _unsubscribe(self, account_id: str, target: str) -> None:
        """Forget a browser that has unsubscribed."""
        endpoint = msgspec.json.decode(target[5:])["endpoint"]
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
            told = self._to_all(room, f"{row['name']}: the time for this turn is over", None)
        elif holder is not None:
            hours = round((row["pace"] * DAY + row["turn_since"] - now) / 3600)
            told = [self._row(holder, room, f"{row['name']}: {hours} hours left for your turn", TURN)]
        await self.house.change(room, {"reminded": stage})
        await self._queue(told)

    # What may be set

    async def check(self, settings: MySettings) -> None:
        """Refuse targets that this server does not send to."""
        allowed = {scheme.strip() for scheme in self.house.settings.notify_schemes.split(",")}
        for url in settings.notify_urls:
            scheme = url.partition("://")[0].lower()
            if "://" not in url or scheme not in allowed:
                unusable(f"this server does not send to {scheme[:20]!r}", "notify")
            if not await asyncio.to_thread(_is_service, url):
                unusable(f"this is not an address of {scheme!r} as Apprise knows them", "notify")
        if settings.email and not EMAIL.match(settings.email):
            unusable("this is not an e-mail address", "notify")
        for one in settings.push:
            if not one.endpoint.startswith("https://") and not self.house.settings.notify_private:
                unusable("web push goes to https addresses", "notify")


def refuse_private(host: str) -> None:
    """Refuse to send to addresses inside the local network. A name that is no host is the service's own."""
    try:
        found = socket.getaddrinfo(host, None)
    except (OSError, UnicodeError):
        return
    for *_, address in found:
        if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_global:
            raise PermissionError("not to the local network")


def _is_service(url: str) -> bool:
    import apprise

    try:
        return apprise.Apprise.instantiate(url) is not None
    except Exception:  # Apprise's parsers were not made for hostile addresses
        return False


def _apprise(url: str, title: str, body: str) -> None:
    import apprise

    sender = apprise.Apprise()
    if not sender.add(url):
        raise ValueError("not an address that Apprise knows")
    if not sender.notify(title=title, body=body):
        raise ConnectionError("the service did not take it")
