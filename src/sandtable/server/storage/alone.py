"""A database for where there are no threads: Python's own SQLite driver, called directly.

It is used by a page that is its own server (`sandtable.offline`) and asked for by the URL `sqlite+pysqlite:///FILE`.
Each statement is done before anybody else has a turn; it offers what the rest of the server asks of an engine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import make_url

T = TypeVar("T")

DRIVER = "sqlite+pysqlite"

committed: list[Callable[[], None]] = []
"""Who is told after each commit."""


def is_alone(url: str) -> bool:
    return make_url(url).drivername == DRIVER


class AloneConnection:
    """A connection whose statements are done when they are asked for."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.dialect = connection.dialect

    async def execute(self, *asked: Any) -> Any:
        return self._connection.execute(*asked)

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        return work(self._connection)


class AloneEngine:
    """An engine of one process that is alone with its file."""

    def __init__(self, url: str, **options: Any) -> None:
        self.sync_engine = create_engine(url, **options)
        event.listen(self.sync_engine, "connect", _pragmas)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AloneConnection]:
        with self.sync_engine.connect() as connection:
            yield AloneConnection(connection)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AloneConnection]:
        with self.sync_engine.begin() as connection:
            yield AloneConnection(connection)
        for tell in committed:
            tell()

    async def dispose(self) -> None:
        self.sync_engine.dispose()


def _pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=MEMORY", "foreign_keys=ON", "busy_timeout=15000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
