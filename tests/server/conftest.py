"""Servers on both databases for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from uuid import uuid4

import pytest

from sandtable import registry
from sandtable.engine.dice import derive_seed
from sandtable.server.play import archive, lobby

from . import postgres
from .kit import Served, quick_settings, served

DATABASES = ["sqlite", "postgresql"]


@pytest.fixture(autouse=True)
def known_dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice of a test fall the same in every run: no test may depend on luck."""
    numbers = count()

    def seed() -> bytes:
        return derive_seed(f"{request.node.nodeid} {next(numbers)}")

    monkeypatch.setattr(lobby, "secret_seed", seed)
    monkeypatch.setattr(archive, "secret_seed", seed)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL of this test process."""
    with postgres.cluster() as url:
        yield url


@pytest.fixture(scope="module")
def toys() -> Iterator[None]:
    """The toy game in the registry, as in the tests of the engine, for the length of a module."""
    before = dict(registry.GAMES)
    registry.GAMES["toy"] = "tests.toygame:GAME"
    yield
    registry.GAMES.clear()
    registry.GAMES.update(before)


@pytest.fixture(scope="module", params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A fresh database: SQLite, then PostgreSQL."""
    return fresh_database(request, tmp_path_factory.mktemp("data"), request.param)


def fresh_database(request: pytest.FixtureRequest, folder: Path, kind: str) -> str:
    if kind == "sqlite":
        return f"sqlite:///{folder / 'sandtable.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return postgres.create_database(url, f"t{uuid4().hex[:12]}")


@pytest.fixture(scope="module")
def server(toys: None, database_url: str) -> Iterator[Served]:
    """A running server on each database."""
    with served(quick_settings(database_url, notify_private=True)) as running:
        yield running


@pytest.fixture(scope="module")
def lone_server(toys: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server on SQLite alone, for what has nothing to do with the database."""
    url = f"sqlite:///{tmp_path_factory.mktemp('data') / 'sandtable.db'}"
    with served(quick_settings(url)) as running:
        yield running
