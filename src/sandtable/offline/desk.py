"""The server at a desk of one: its application is asked directly, by the page that runs it.

What a browser and a web server do between a page and the application is done here: requests and live connections come
as calls, and the session's cookie is kept. The application is the same, with its rooms, its rules and its answers; it
keeps its games in a file that whoever calls stores away.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sqlalchemy import create_engine, inspect, text

from sandtable.server.app import create_app
from sandtable.server.settings import Settings
from sandtable.server.storage import schema
from sandtable.server.storage.alone import DRIVER

HOST = ("localhost", 80)
DATABASE = "sandtable.db"
COOKIES = "cookies.json"

Answered = Callable[[int, dict[str, str]], None]
Took = Callable[[bytes], None]


def settings_for(folder: Path) -> Settings:
    """One person on one machine, whose browser is slower at Python than a server is."""
    return Settings(
        database_url=f"{DRIVER}:///{folder / DATABASE}",
        migrate=False,  # `prepare` does it
        limits=False,
        brains=1,
        tables=8,
        think_seconds=900.0,
        replay_seconds=900.0,
        ending_seconds=900.0,
        analysis_seconds=7200.0,
        notify_every=3600.0,
        log_level="warning",
    )


def prepare(url: str) -> None:
    """Make the tables, or bring them up to date. Alembic takes long to import: it is, when something has changed."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            old = inspect(connection).has_table("alembic_version")
            at = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if old else None
        if at is None:
            with engine.begin() as connection:
                schema.metadata.create_all(connection)
                connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
                connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": newest()})
        elif at != newest():
            from sandtable.server.storage.migrate import upgrade

            with engine.begin() as connection:
                upgrade(connection)
    finally:
        engine.dispose()


def newest() -> str:
    """The migration that the tables of this program have come to: the last by its file's name."""
    folder = Path(schema.__file__).parent / "migrations" / "versions"
    last = max(folder.glob("[0-9]*.py"), key=lambda path: path.name)
    return next(
        line.split('"')[1] for line in last.read_text(encoding="utf-8").splitlines() if line.startswith("revision")
    )


class Desk:
    """The application, open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = settings_for(folder)
        prepare(settings.database_url)
        self._app: Any = create_app(settings)
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._life: asyncio.Task[None] | None = None
        jar = folder / COOKIES
        self._cookies: dict[str, str] = json.loads(jar.read_text()) if jar.exists() else {}

    async def open(self) -> None:
        """Let the application begin; what is wrong with it is raised here."""
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._life = asyncio.ensure_future(self._app(scope, self._said.get, self._heard.put))
        await self._said.put({"type": "lifespan.startup"})
        answer = await self._heard.get()
        if answer["type"] != "lifespan.startup.complete":
            raise RuntimeError(answer.get("message", "the table could not be set up"))

    async def close(self) -> None:
        if self._life is not None:
            await self._said.put({"type": "lifespan.shutdown"})
            await self._heard.get()
            await self._life

    # Requests

    async def ask(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes,
        answered: Answered,
        took: Took,
        gone: asyncio.Event | None = None,
    ) -> None:
        """Put a request. `answered` hears status and headers, `took` what comes, piece by piece; then this returns."""
        asked = False
        ended = gone or asyncio.Event()

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": body, "more_body": False}
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                told = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in message["headers"]]
                self._keep([value for name, value in told if name == "set-cookie"])
                answered(message["status"], {name: value for name, value in told if name != "set-cookie"})
            elif message.get("body"):
                took(message["body"])

        await self._app(self._scope("http", target, headers) | {"method": method}, receive, send)

    def _scope(self, kind: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
        path, _, query = target.partition("?")
        sent = {"host": HOST[0], **{name.lower(): value for name, value in headers.items()}}
        if self._cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "path": unquote(path),
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent.items()],
            "client": HOST,
            "server": HOST,
            "state": {},
        }

    def _keep(self, cookies: list[str]) -> None:
        for one in cookies:
            for name, morsel in SimpleCookie(one).items():
                if morsel["max-age"] == "0":
                    self._cookies.pop(name, None)
                else:
                    self._cookies[name] = morsel.value
        if cookies:
            (self.folder / COOKIES).write_text(json.dumps(self._cookies))

    # Live connections

    async def live(self, target: str, heard: Callable[[str], None], gone: asyncio.Event) -> int:
        """Hold a live connection until `gone` is set or the application ends it; `heard` hears every message.

        Returns the code with which it was closed.
        """
        code = 1000
        come: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        await come.put({"type": "websocket.connect"})

        async def send(message: dict[str, Any]) -> None:
            nonlocal code
            if message["type"] == "websocket.send":
                heard(message.get("text") or message["bytes"].decode())
            elif message["type"] == "websocket.close":
                code = message.get("code", 1000)
                await come.put({"type": "websocket.disconnect", "code": code})

        scope = self._scope("websocket", target, {}) | {"subprotocols": [], "extensions": {}}
        held = asyncio.ensure_future(self._app(scope, come.get, send))
        left = asyncio.ensure_future(gone.wait())
        await asyncio.wait({held, left}, return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        if not held.done():
            await come.put({"type": "websocket.disconnect", "code": code})
            with suppress(Exception):
                await held
        return code
