"""Who is looking at a game right now, and how they hear that something has changed.

A notice holds no news, only that there is some: each connection then reads what its own seat may see.
Between processes notices travel through Litestar's channels, on PostgreSQL or Redis.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.redis import RedisChannelsPubSubBackend

from ..storage.database import plain_url

log = logging.getLogger("sandtable.hub")

CHANNEL = "sandtable"
CROWD = 20
"""Connections of one game that are told at once."""
PAUSE = 0.001
"""Seconds before the next of a crowd are told."""


class Watcher:
    """One connection that waits for news of one game."""

    def __init__(self, account_id: str | None, name: str = "") -> None:
        self.account_id = account_id
        self.name = name
        self.knows = -1
        """How far its own side has been told by the answers to its moves."""
        self.told = 0.0
        """When it was last told that there is news."""
        self.kinds: set[str] = set()
        self._wake = asyncio.Event()

    def tell(self, kind: str) -> None:
        self.kinds.add(kind)
        self.told = time.monotonic()
        self._wake.set()

    async def wait(self, timeout: float | None = None) -> set[str]:
        """The kinds of news since the last time; empty after the timeout."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._wake.wait()
        self._wake.clear()
        kinds, self.kinds = self.kinds, set()
        return kinds


class Hub:
    """The watchers of all games in this process, and the way to those in others."""

    def __init__(self, channels: ChannelsPlugin | None = None) -> None:
        self.origin = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._channels = channels
        self._crowds: dict[str, set[str]] = {}
        self._telling: dict[str, asyncio.Future[None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        if self._channels is not None:
            self._task = asyncio.create_task(self._listen(self._channels), name="channels")

    async def close(self) -> None:
        for telling in list(self._telling.values()):
            telling.cancel()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @asynccontextmanager
    async def watch(self, game_id: str, account_id: str | None, name: str = "") -> AsyncIterator[Watcher]:
        watcher = Watcher(account_id, name)
        self._watchers[game_id].add(watcher)
        try:
            yield watcher
        finally:
            self._watchers[game_id].discard(watcher)
            if not self._watchers[game_id]:
                del self._watchers[game_id]

    def present(self, game_id: str) -> set[str]:
        """The accounts that look at a game from this process."""
        return {w.account_id for w in self._watchers.get(game_id, ()) if w.account_id is not None}

    def look_again(self, account_id: str) -> None:
        """Have the connections of an account in this process look whether its sessions still stand."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                if watcher.account_id == account_id:
                    watcher.tell("session")

    def tell(self, game_id: str, kind: str = "events") -> None:
        """Something has changed: events, chat or game (its record)."""
        self._tell_here(game_id, kind)
        if self._channels is not None:
            message = {"from": self.origin, "game": game_id, "kind": kind}
            self._channels.publish(msgspec.json.encode(message).decode(), CHANNEL)

    def knows(self, game_id: str, name: str, account_id: str, length: int) -> None:
        """The answer to a move says it all: the live connection of its sender need not say it again."""
        for watcher in self._watchers.get(game_id, ()) if name else ():
            if watcher.name == name and watcher.account_id == account_id:
                watcher.knows = max(watcher.knows, length)

    def _tell_here(self, game_id: str, kind: str) -> None:
        """Tell few at once, and a crowd a few at a time: who plays elsewhere wants to be answered meanwhile."""
        watchers = self._watchers.get(game_id, ())
        if len(watchers) <= CROWD:
            for watcher in watchers:
                watcher.tell(kind)
            return
        self._crowds.setdefault(game_id, set()).add(kind)
        if game_id not in self._telling:
            self._telling[game_id] = asyncio.ensure_future(self._tell_crowd(game_id))

    async def _tell_crowd(self, game_id: str) -> None:
        try:
            while kinds := self._crowds.pop(game_id, None):
                for n, watcher in enumerate(list(self._watchers.get(game_id, ()))):
                    for kind in kinds:
                        watcher.tell(kind)
                    if n % CROWD == CROWD - 1:
                        await asyncio.sleep(PAUSE)
        finally:
            self._telling.pop(game_id, None)

    async def _listen(self, channels: ChannelsPlugin) -> None:
        async with channels.start_subscription(CHANNEL) as subscriber:
            async for message in subscriber.iter_events():
                with suppress(msgspec.MsgspecError, KeyError, TypeError):
                    data = msgspec.json.decode(message)
                    if data["from"] != self.origin:
                        self._tell_here(str(data["game"]), str(data["kind"]))


class PostgresChannels(AsyncPgChannelsBackend):
    """LISTEN and NOTIFY over kept connections, made anew when the database goes away for a while."""

    def __init__(self, dsn: str) -> None:
        super().__init__(dsn)
        self._dsn = dsn
        self._sender: Any = None
        self._watch: asyncio.Task[None] | None = None

    async def on_startup(self) -> None:
        await super().on_startup()
        self._watch = asyncio.create_task(self._keep(), name="postgresql listener")

    async def on_shutdown(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
        if self._sender is not None:
            with suppress(Exception):
                await self._sender.close()
        with suppress(Exception):
            await super().on_shutdown()

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        for attempt in (1, 2):
            try:
                if self._sender is None or self._sender.is_closed():
                    self._sender = await asyncpg.connect(dsn=self._dsn)
                for channel in channels:
                    await self._sender.execute("SELECT pg_notify($1, $2);", channel, data.decode())
                return
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                self._sender = None
                if attempt == 2:
                    log.warning("a notice was not sent", extra={"error": type(error).__name__})

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(2)
            if not self._listener_conn.is_closed():
                continue
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                async with self._listener_lock:
                    self._listener_conn = await asyncpg.connect(dsn=self._dsn)
                    for channel in self._subscribed_channels:
                        await self._listener_conn.add_listener(channel, self._listener)


def channels_plugin(url: str) -> ChannelsPlugin | None:
    """The way between processes, by the URL of the settings; none in a single process."""
    if url == "memory":
        return None
    backend: ChannelsBackend
    if url.startswith("redis"):
        from redis.asyncio import Redis

        backend = RedisChannelsPubSubBackend(redis=Redis.from_url(url))
    else:
        backend = PostgresChannels(plain_url(url))
    return ChannelsPlugin(
        backend, channels=[CHANNEL], subscriber_max_backlog=1000, subscriber_backlog_strategy="dropleft"
    )
