"""How Alembic reaches the database: `sandtable.server.storage.migrate` gives it a connection."""

from __future__ import annotations

import asyncio
import os

from alembic import context
from sqlalchemy import Connection

from sandtable.server.storage.schema import metadata


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    context.run_migrations()


async def run_alone() -> None:
    """For a developer's `alembic revision --autogenerate`: the database of the environment."""
    from sandtable.server.storage.database import create_engine

    engine = create_engine(os.environ["SANDTABLE_DATABASE_URL"])
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    asyncio.run(run_alone())
