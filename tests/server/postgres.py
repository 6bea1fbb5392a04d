"""A real PostgreSQL for the length of the tests, from the system's own binaries."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MISSING = "PostgreSQL is not installed: apt-get install postgresql"


def binaries() -> Path | None:
    """Where initdb and postgres lie: the newest version of Debian's, or whatever is in the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    other = shutil.which("initdb")
    return Path(other).resolve().parent if other else None


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def _as_user() -> list[str]:
    """PostgreSQL refuses to run as root: an ordinary user does it then."""
    if os.geteuid() != 0:
        return []
    name = next(user for user in ("postgres", "nobody") if _exists(user))
    return ["runuser", "-u", name, "--"]


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


@contextmanager
def cluster(durable: bool = False) -> Iterator[str]:
    """A server of its own in a folder of its own; gives its URL without a database's name."""
    folder = binaries()
    if folder is None:
        raise LookupError(MISSING)
    user = _as_user()
    home = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
    home.chmod(0o777)
    data, port = home / "data", free_port()
    initdb = [*user, folder / "initdb", "-D", data, "-U", "sandtable", "-A", "trust", "-E", "UTF8", "--no-sync"]
    try:
        subprocess.run([*initdb, "--locale=C.UTF-8"], check=True, capture_output=True, cwd=home)
        options = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 -c shared_buffers=32MB -c max_connections=80"
        if not durable:
            options += " -c fsync=off -c full_page_writes=off"
        control = [*user, folder / "pg_ctl", "-D", data, "-w", "-l", home / "log"]
        subprocess.run([*control, "-o", options, "start"], check=True, capture_output=True, cwd=home)
        try:
            yield f"postgresql://sandtable@127.0.0.1:{port}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True, cwd=home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def create_database(url: str, name: str) -> str:
    """A fresh database on the server; gives its URL."""
    import asyncio

    import asyncpg

    async def create() -> None:
        connection = await asyncpg.connect(f"{url}/postgres")
        await connection.execute(f'CREATE DATABASE "{name}"')
        await connection.close()

    asyncio.run(create())
    return f"{url}/{name}"
