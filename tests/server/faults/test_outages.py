"""A full disk, and a PostgreSQL that goes away for a while: nothing is lost, and all goes on by itself."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError, OperationalError

from sandtable.server.door.security import JsonLines
from sandtable.server.storage import outages

from ..conftest import DATABASES, fresh_database
from ..kit import Served, in_server, quick_settings, served, wait_for


@pytest.fixture(params=DATABASES)
def server(toys: None, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = fresh_database(request, tmp_path_factory.mktemp("outage"), request.param)
    with served(quick_settings(url, pause=0.02)) as running:
        yield running


@contextmanager
def outage(server: Served) -> Iterator[None]:
    """SQLite: no commit finds room on the disk. PostgreSQL: every connection is cut, and no new one let in."""
    outages._told.update(full=0.0, away=0.0)
    begin, end = (_fill, _empty) if server.house.database.sqlite else (_shut, _open)
    begin(server)
    try:
        yield
    finally:
        end(server)


def _no_room(_: Any) -> None:
    raise OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))


def _fill(server: Served) -> None:
    event.listen(server.house.database.engine.sync_engine, "commit", _no_room)


def _empty(server: Served) -> None:
    event.remove(server.house.database.engine.sync_engine, "commit", _no_room)


def _elsewhere(server: Served, *statements: str) -> None:
    import asyncpg

    url, _, name = server.settings.database_url.rpartition("/")

    async def go() -> None:
        connection = await asyncpg.connect(f"{url}/postgres")
        for statement in statements:
            await connection.execute(statement.format(name=name))
        await connection.close()

    asyncio.run(go())


def _shut(server: Served) -> None:
    _elsewhere(
        server,
        'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
    )


def _open(server: Served) -> None:
    _elsewhere(server, 'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def test_a_computer_goes_on_when_the_database_is_back(server: Served) -> None:
    """In one process, without a restart, within seconds."""
    ann = server.guest()
    game = ann.create(seats={"red": "random", "blue": "random"})["id"]
    room = in_server(server, server.house.rooms.get(game))
    wait_for(lambda: room.row["length"] > 3)
    with outage(server):
        time.sleep(1.0)
        stood = room.row["length"]
        time.sleep(0.7)
        assert room.row["length"] == stood
    began = time.monotonic()
    wait_for(lambda: room.row["length"] > stood or room.ended, 15)
    assert time.monotonic() - began < 15


def test_players_are_asked_to_wait_and_lose_nothing(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    ann = server.guest()
    game = ann.create(seats={"red": "me", "blue": "me"})["id"]
    rng = Random(1)
    for _ in range(4):
        ann.step(game, rng)
    table = ann.table(game)
    wish = {"seat": table["to_act"], "length": table["length"], "key": "once"}
    wish["action"] = table["actions"][0]["action"]
    assert ann.get("/health")["database"] == "ok"
    with outage(server):
        answer = ann.http.post(f"/api/games/{game}/moves", json=wish)
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] == "database"
        assert int(answer.headers["retry-after"]) > 0
        health = wait_for(lambda: (found := ann.http.get("/health")).status_code == 503 and found, 10)
        assert health.json()["database"] == ("full" if server.house.database.sqlite else "unreachable")
        assert int(health.headers["retry-after"]) > 0
    wait_for(lambda: ann.http.get("/health").status_code == 200, 15)
    wait_for(lambda: ann.http.post(f"/api/games/{game}/moves", json=wish).status_code == 200, 15)
    assert ann.http.post(f"/api/games/{game}/moves", json=wish).status_code == 200
    after = ann.get(f"/api/games/{game}/export")
    entries = [line for line in after.splitlines() if '"n":' in line or '"n": ' in line]
    assert len(entries) == server.house.rooms._rooms[game].row["length"]
    said = [record for record in caplog.records if record.levelname == "CRITICAL"]
    assert len(said) == 1, "once, not once a request"
    line = JsonLines().format(said[0])
    assert ("full" in line) == server.house.database.sqlite


def test_faults_of_the_program_are_not_called_outages() -> None:
    from sandtable.server.storage.database import is_full, is_outage

    assert not is_outage(ValueError("connection"))
    assert not is_outage(IntegrityError("insert", {}, Exception("UNIQUE constraint failed")))
    assert not is_outage(OperationalError("select", {}, Exception("no such column: x")))
    full = OperationalError("insert", {}, Exception("database or disk is full"))
    assert is_outage(full)
    assert is_full(full)
    assert is_outage(OperationalError("select", {}, Exception("disk I/O error")))
    assert is_outage(ConnectionRefusedError())
    assert not is_full(ConnectionRefusedError())
