"""`sandtable serve`: the server as a process, or several."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from dataclasses import fields, replace
from typing import Any

import uvicorn

from .door.heads import ShortHeads
from .notices.mail import MailError, mail_server
from .settings import PREFIX, Settings, SettingsError, static_folder
from .storage.migrate import migrate

FILES = 65536
"""Open files that a server may have, where the system lets it."""
APP = "sandtable.server.app:create_app"

DOOR: dict[str, Any] = {
    "access_log": False,
    "log_config": None,
    "server_header": False,
    "ws": "websockets-sansio",
    "ws_max_size": 65536,
    "ws_per_message_deflate": False,  # a frame is made once for all who see the same, not compressed for each of them
    "ws_ping_interval": 20,
    "http": ShortHeads,
    "proxy_headers": True,
    "lifespan": "on",
}
"""What the web server itself lets in and tells, wherever it runs."""


def serve(settings: Settings, host: str, port: int) -> int:
    """Serve until told to stop; prints the address first."""
    try:
        if settings.mail_url:
            mail_server(settings.mail_url)
    except MailError as error:
        raise SettingsError(f"{PREFIX}MAIL_URL: {error}") from error
    many_files()
    sock = listen(host, port)
    try:
        migrate(settings.database_url)
    except Exception as error:
        sock.close()
        raise SettingsError(f"the database cannot be used: {type(error).__name__}: {error}") from error
    tell_children(replace(settings, migrate=False))
    name = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host
    print(f"Sandtable is at http://{name}:{sock.getsockname()[1]}/ (Ctrl+C ends it)", flush=True)
    if not (static_folder(settings) / "index.html").is_file():
        print("The browser client is not built: make web", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        APP,
        factory=True,
        workers=settings.workers,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=65,
        **DOOR,
    )
    server = uvicorn.Server(config)
    if settings.workers > 1:
        from uvicorn.supervisors import Multiprocess

        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="sandtable-metrics-"))
        Multiprocess(config, sockets=[sock]).run()
        return 0
    server.run(sockets=[sock])
    return 0


def many_files() -> None:
    """Allow as many open files as this system does: every connection is one, and the usual 1,024 are soon gone."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise SettingsError(f"a port is a number from 0 to 65535, not {port}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's algorithm off on what is accepted here: 40 ms an answer.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(2048)  # who follows the printed address at once waits for the first answer, and is not refused
    except OSError as error:
        sock.close()
        raise SettingsError(f"port {port} of {host} cannot be used: {error.strerror}") from error
    return sock


def tell_children(settings: Settings) -> None:
    """Settings reach the worker processes through their environment."""
    for one in fields(Settings):
        value = getattr(settings, one.name)
        os.environ[PREFIX + one.name.upper()] = str(int(value) if isinstance(value, bool) else value)
