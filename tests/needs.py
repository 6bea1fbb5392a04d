"""What the tests need beside Python and Node: a browser, a PostgreSQL and a Redis.

Required packages carry all three and need no root. Where one of them does not run, root gets Debian's; anybody else is
told in one line what to install. Called by ``make test``, so that no test has to be left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .server import postgres, redis

ROOT = Path(__file__).resolve().parent.parent


class Need(NamedTuple):
    name: str
    debian: str
    where: Callable[[], str | None]


def browser() -> str | None:
    found = subprocess.run(["node", ROOT / "web/scripts/browser.mjs"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


NEEDS = (
    Need("Chromium", "chromium", browser),
    Need("PostgreSQL", "postgresql", lambda: str(postgres.binaries() or "") or None),
    Need("Redis", "redis-server", redis.binary),
)


def missing() -> list[Need]:
    return [need for need in NEEDS if need.where() is None]


def install(packages: list[str]) -> None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=False, env=quiet)
    wish = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    subprocess.run(wish, check=False, env=quiet, stdout=subprocess.DEVNULL)


def main() -> int:
    lacking = missing()
    if lacking and os.geteuid() == 0 and shutil.which("apt-get"):
        install([need.debian for need in lacking])
        lacking = missing()
    if not lacking:
        return 0
    names = " and ".join(need.name for need in lacking)
    packages = " ".join(need.debian for need in lacking)
    sys.stderr.write(f"the tests need {names}: install it (Debian and Ubuntu: sudo apt-get install {packages})\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
