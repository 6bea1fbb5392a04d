"""Bringing a database to the form that this program needs, with Alembic."""

from __future__ import annotations

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from .database import create_engine, is_sqlite

FOLDER = Path(__file__).parent / "migrations"
LOCK = 7_263_451
"""PostgreSQL's advisory lock, so that several processes that start together do not do it twice."""


def config() -> Config:
    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    return made


def upgrade(connection: Connection) -> None:
    made = config()
    made.attributes["connection"] = connection
    command.upgrade(made, "head")


async def migrate_async(url: str) -> None:
    """Create or change the tables, whole or not at all."""
    engine = create_engine(url)
    try:
        async with engine.begin() as connection:
            if not is_sqlite(url):
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            await connection.run_sync(upgrade)
    finally:
        await engine.dispose()


def migrate(url: str) -> None:
    asyncio.run(migrate_async(url))
