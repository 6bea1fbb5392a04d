"""The application: everything put together."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from litestar import Litestar
from litestar.connection import ASGIConnection, Request
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIType, Schema, Tag
from litestar.plugins import OpenAPISchemaPlugin
from litestar.response import Response
from litestar.types import ASGIApp
from litestar.typing import FieldDefinition

from . import metrics
from .computers.brains import Brains
from .door.security import Asked, Door, check_origin, set_up_logs
from .house.house import House
from .house.hub import Hub, channels_plugin
from .library import catalogue as library
from .notices.queue import Notices
from .play.progress import Clubs
from .refusals import Refused, no_game
from .routes import account, catalogue, common, contests, games, lessons, ops, people, table
from .settings import Settings, channels_url, from_environment
from .storage import outages
from .storage.alone import is_alone
from .storage.database import Database, is_gone, is_outage
from .wire.common import Problem

log = logging.getLogger("sandtable.server")

BODY_BYTES = 100_000
SWEEPS = (10_000, 20, 50)
"""When a process of the server looks for rubbish, by Python's three generations of it.

All that lives is looked through a hundred times less often than by default: with 200 tables in memory that takes a
third of a second, for which everybody waits.
"""


class FractionPlugin(OpenAPISchemaPlugin):
    """Chances travel as the fractions that they are."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        return value is Fraction

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        return Schema(type=OpenAPIType.STRING, pattern=r"^-?\d+(/\d+)?$")


def create_app(settings: Settings | None = None) -> ASGIApp:
    """The whole server as an ASGI application."""
    if settings is None:  # a process of its own
        settings = from_environment()
        gc.set_threshold(*SWEEPS)
    set_up_logs(settings.log_level)
    return Door(create_litestar(settings), settings.secure, settings.limits)


def create_litestar(settings: Settings) -> Litestar:
    channels = channels_plugin(channels_url(settings))

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        """From the first request to the last."""
        if settings.migrate:
            from .storage.migrate import migrate_async  # Alembic takes long to import

            await migrate_async(settings.database_url)
        database = Database(settings.database_url)
        house = House(settings, database, Hub(channels))
        house.brains = Brains(house)
        house.notices = Notices(house)
        house.clubs = Clubs(house)
        await database.open()
        await house.ratings.settle()  # games that had ended when the last process was
        if channels is not None:
            await channels.__aenter__()
        await house.hub.open()
        await house.notices.open()
        await house.clubs.open()
        app.state.house = house
        await house.brains.open()
        # Who is alone makes only what he asks for, and has no thread to make more in.
        warming = None if is_alone(settings.database_url) else asyncio.create_task(asyncio.to_thread(library.warm_up))
        try:
            yield
        finally:
            if warming is not None:
                warming.cancel()
            await house.clubs.close()
            await house.brains.close()
            await house.replays.close()
            await house.notices.close()
            await house.hub.close()
            if channels is not None:
                await channels.__aexit__(None, None, None)
            await database.close()

    return Litestar(
        route_handlers=[
            account.router,
            people.router,
            contests.router,
            catalogue.router,
            games.router,
            table.router,
            lessons.router,
            ops.router,
        ],
        dependencies={
            "house": Provide(common.provide_house, sync_to_thread=False),
            "somebody": Provide(common.provide_somebody),
            "me": Provide(common.provide_me),
        },
        before_request=_before,
        exception_handlers={
            Refused: common.refused,
            HTTPException: _http_error,
            Exception: _fault,
        },
        lifespan=[lifespan],
        plugins=[FractionPlugin()],
        request_class=Asked,
        request_max_body_size=BODY_BYTES,
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Sandtable",
            version=version("sandtable"),
            description="Board wargames with their complete rules. Requests that change something carry "
            "the header `x-sandtable: 1`; sessions are cookies.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            tags=[
                Tag("accounts"),
                Tag("people"),
                Tag("contests"),
                Tag("catalogue"),
                Tag("games"),
                Tag("table"),
                Tag("lessons"),
                Tag("operations"),
            ],
            use_handler_docstrings=True,
        ),
        state=State(),
    )


def _before(request: Request[Any, Any, Any]) -> None:
    check_origin(request.scope)


def _http_error(_: ASGIConnection[Any, Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Litestar's own refusals in the form of ours: what is wrong with a request, where it can be said."""
    extra = getattr(error, "extra", None)
    why = str(error.detail)
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        first = extra[0]
        why = f"{first.get('key', '')}: {first.get('message', '')}".strip(": ")
    if error.status_code >= 500:
        metrics.ERRORS.inc()
        log.error("fault", extra={"why": why}, exc_info=error)
        why = "this is a fault of the server"
    return Response(
        Problem(why[:500], f"http_{error.status_code}"),
        status_code=error.status_code,
        headers=getattr(error, "headers", None),
    )


def _fault(connection: ASGIConnection[Any, Any, Any, Any], error: Exception) -> Response[Problem]:
    if is_outage(error):
        outages.tell(error)
        why = "the database cannot be used right now: ask again in a few seconds, with the same key"
        return Response(Problem(why, "database"), status_code=503, headers={"retry-after": "5"})
    if is_gone(error) and "game_id" in connection.path_params:  # removed while it was asked for
        return common.refused(connection, no_game())
    metrics.ERRORS.inc()
    request = connection.scope["state"].get("request", "")
    log.error("fault", extra={"request": request, "path": connection.scope["path"][:200]}, exc_info=error)
    return Response(Problem(f"this is a fault of the server ({request})", "fault"), status_code=500)
