"""The database: SQLite in WAL mode or PostgreSQL, and one writer that commits many moves at once.

A move is acknowledged after its commit. SQLite runs with ``synchronous=FULL``, so that a commit
survives not only the end of the process but a power cut. Waiting for the disk is shared: whatever
has arrived while one commit was on its way goes into the next one together.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, perf_counter, time
from typing import Any, TypeVar, cast

import asyncpg
from sqlalchemy import Connection, Table, bindparam, event, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from .. import metrics
from . import schema
from .alone import AloneEngine, is_alone

T = TypeVar("T")

Row = Mapping[str, Any]
Job = Callable[[AsyncConnection], Awaitable[Any]]

BATCH = 200
"""The most that goes into one commit."""
PROBE_EVERY = 2.0
PROBE_SECONDS = 5.0
"""How often, and how long, it is tried whether something can be written."""


def async_url(url: str) -> str:
    """The URL with the driver that is used here."""
    parsed = make_url(url)
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    if parsed.drivername in drivers:
        parsed = parsed.set(drivername=drivers[parsed.drivername])
    return parsed.render_as_string(hide_password=False)


def plain_url(url: str) -> str:
    """The URL without a driver, as PostgreSQL's own libraries read it."""
    parsed = make_url(url)
    return parsed.set(drivername=parsed.drivername.split("+")[0]).render_as_string(hide_password=False)


def is_sqlite(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


def create_engine(url: str, reads: bool = False) -> AsyncEngine:
    """An engine for writing, or one for single statements that only read, which need no transaction.

    For SQLite with the settings that make a commit durable.
    """
    if is_alone(url):
        return cast(AsyncEngine, AloneEngine(url, hide_parameters=True))
    url = async_url(url)
    options: dict[str, Any] = {"pool_size": 8, "max_overflow": 8} if reads else {"pool_size": 2}
    options["hide_parameters"] = True  # what a statement that failed was about (seeds, sessions) is not for the log
    if reads:
        options |= {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    if not is_sqlite(url):
        return create_async_engine(url, pool_pre_ping=True, **options)
    name = make_url(url).database
    if name and name != ":memory:":
        Path(name).parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url, **options)
    event.listen(engine.sync_engine, "connect", _pragmas)
    if not reads:
        event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _pragmas(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin`, not by the driver
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=15000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


@dataclass
class Append:
    """Entries to add to a game's log, what changes in its row, and whom to tell."""

    game_id: str
    revision: int
    """The revision of the game's row that this follows."""
    rows: Sequence[Row]
    changes: Row
    """Every column of `MOVED`."""
    outbox: Sequence[Row] = ()


MOVED = ("length", "steps", "to_act", "status", "outcome", "turn_since", "reminded", "undo_asked", "updated")

_UPDATE = (
    update(schema.games)
    .where(schema.games.c.id == bindparam("which"), schema.games.c.revision == bindparam("after"))
    .values(revision=schema.games.c.revision + 1, **{name: bindparam(f"new_{name}") for name in MOVED})
)


class Conflict(Exception):
    """Another process has added to this log first."""


@dataclass
class _Waiting:
    work: Append | Job
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Database:
    """Reads as many as there are; writes one after the other, together where they can be."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = create_engine(url)
        self.reader = create_engine(url, reads=True)
        self.sqlite = is_sqlite(url)
        self._waiting: list[_Waiting] = []
        self._probed = (0.0, "ok")
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._task = asyncio.create_task(self._write_on(), name="database writer")

    async def close(self) -> None:
        if self._task is not None:
            while self._waiting:
                await asyncio.sleep(0.01)
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        await self.engine.dispose()
        await self.reader.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        async with self.reader.connect() as connection:
            yield connection

    async def write(self, job: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do something in a transaction of the writer; it is committed when this returns."""
        result: T = await self._submit(job)
        return result

    async def probe(self) -> str:
        """Whether something can be written now: ok, full, or unwritable. Asked often, it is tried now and then."""
        now = monotonic()
        if now < self._probed[0]:
            return self._probed[1]
        found = "ok"
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self.write(_beat)
        except TimeoutError:
            found = "unwritable"
        except Exception as error:
            found = "full" if is_full(error) else "unwritable"
        metrics.WRITABLE.set(found == "ok")
        self._probed = (monotonic() + PROBE_EVERY, found)
        return found

    async def append(self, work: Append) -> None:
        """Add to a log. Raises Conflict if one of the numbers is taken."""
        await self._submit(work)

    async def _submit(self, work: Append | Job) -> Any:
        item = _Waiting(work)
        self._waiting.append(item)
        self._wake.set()
        return await item.done

    async def _write_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
                begin = perf_counter()
                await self._commit(batch)
                metrics.COMMIT.observe(perf_counter() - begin)
                metrics.BATCH.observe(len(batch))

    async def _commit(self, batch: list[_Waiting]) -> None:
        if len(batch) > 1:
            try:
                results = await self._together(batch)
            except Exception as error:
                if is_outage(error):
                    for item in batch:
                        _fail(item, error)
                    return
                # One of them spoils the rest: each gets a transaction of its own.
                for item in batch:
                    await self._commit([item])
                return
        else:
            try:
                results = await self._together(batch)
            except Exception as error:
                _fail(batch[0], error)
                return
        for item, result in zip(batch, results, strict=True):
            if not item.done.done():
                item.done.set_result(result)

    async def _together(self, batch: list[_Waiting]) -> list[Any]:
        appends = [item.work for item in batch if isinstance(item.work, Append)]
        results: list[Any] = []
        async with self.engine.begin() as connection:
            if appends:
                await self._append_all(connection, appends)
            for item in batch:
                results.append(None if isinstance(item.work, Append) else await item.work(connection))
        return results

    async def _append_all(self, connection: AsyncConnection, appends: list[Append]) -> None:
        rows = [row for one in appends for row in one.rows]
        await connection.execute(insert(schema.entries), rows)
        values = [
            {
                "which": one.game_id,
                "after": one.revision,
                **{f"new_{name}": one.changes[name] for name in MOVED},
            }
            for one in appends
        ]
        if self.sqlite:
            changed = (await connection.execute(_UPDATE, values)).rowcount
        else:  # asyncpg does not count the rows of many statements
            changed = sum([(await connection.execute(_UPDATE, value)).rowcount for value in values])
        if changed != len(values):
            raise Conflict(appends[0].game_id)
        told = [row for one in appends for row in one.outbox]
        if told:
            await connection.execute(insert(schema.outbox), told)


async def keep(connection: AsyncConnection, table: Table, row: Row) -> None:
    """Write a row in the place of the one with the same primary key, if there is one."""
    make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    given = make(table).values(row)
    key = [column.name for column in table.primary_key]
    fresh = {name: value for name, value in row.items() if name not in key}
    await connection.execute(given.on_conflict_do_update(index_elements=key, set_=fresh))


async def _beat(connection: AsyncConnection) -> None:
    """A small write, as any move is one."""
    meta = schema.meta
    mine, value = meta.c.key == "health", str(time())
    if not (await connection.execute(update(meta).where(mine).values(value=value))).rowcount:
        await connection.execute(insert(meta), [{"key": "health", "value": value}])


def _fail(item: _Waiting, error: Exception) -> None:
    if item.done.done():
        return
    if isinstance(item.work, Append) and not isinstance(error, Conflict) and is_conflict(error):
        item.done.set_exception(Conflict(item.work.game_id))
    else:
        item.done.set_exception(error)


_FULL = ("disk is full", "diskfull", "no space left", "53100")
_AWAY = (
    *("disk i/o error", "database is locked", "unable to open database", "readonly database", "closed in the middle"),
    *("connection is closed", "connection was closed", "connection refused", "not currently accepting connections"),
)
_STATES = ("08", "53", "57P", "58")
"""The classes of PostgreSQL's errors that are not about what was asked: connection, resources, operator, system."""


def is_outage(error: BaseException) -> bool:
    """Whether the database cannot do its work right now, whatever it is asked."""
    if isinstance(error, PoolTimeout):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    cause = _cause(error)
    if isinstance(error, DBAPIError) and isinstance(cause, OSError | TimeoutError):
        return True
    if isinstance(cause, OSError | asyncpg.InterfaceError) and not isinstance(error, DBAPIError):
        return isinstance(cause, ConnectionError | asyncpg.InterfaceError | TimeoutError)
    state = str(getattr(cause, "sqlstate", "") or "")
    text = f"{type(cause).__name__} {cause}".lower()
    return state.startswith(_STATES) or is_full(error) or any(words in text for words in _AWAY)


def is_full(error: BaseException) -> bool:
    """Whether there is no room left to write."""
    cause = _cause(error)
    text = f"{type(cause).__name__} {cause} {getattr(cause, 'sqlstate', '')}".lower()
    return any(words in text for words in _FULL)


def _cause(error: BaseException) -> BaseException:
    """What the driver itself said."""
    found = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return getattr(found, "__cause__", None) or found if isinstance(error, DBAPIError) else found


def is_gone(error: Exception) -> bool:
    """Whether what was to be written belongs to something that was removed a moment ago."""
    if not isinstance(error, DBAPIError):
        return False
    text = f"{type(error.orig).__name__} {error.orig}"
    return "FOREIGN KEY constraint" in text or "ForeignKeyViolation" in text


def is_conflict(error: Exception) -> bool:
    """Whether a unique key was already taken."""
    if not isinstance(error, DBAPIError):
        return False
    text = f"{type(error.orig).__name__} {error.orig}"
    return "UNIQUE constraint" in text or "UniqueViolation" in text
