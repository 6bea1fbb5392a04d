"""Computer players in their processes, several server processes on one database, and the database's form."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from sandtable.server import app
from sandtable.server.people.limits import Limits, Rate
from sandtable.server.refusals import Refused
from sandtable.server.settings import SettingsError, channels_url, from_environment
from sandtable.server.storage.database import create_engine
from sandtable.server.storage.migrate import migrate
from sandtable.server.storage.schema import metadata
from tests.toygame import First

from ..conftest import DATABASES, fresh_database
from ..kit import Person, Served, quick_settings, served, wait_for


class Sleeper(First):
    """A computer player that never comes to a decision."""

    def choose(self, seat: object) -> tuple[int, ...]:
        import time

        time.sleep(60)
        raise AssertionError


class Liar(First):
    """A computer player that chooses what is not allowed."""

    def choose(self, seat: object) -> tuple[int, ...]:
        return (99, 99)


@pytest.fixture
def strange_players(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable import registry

    monkeypatch.setitem(registry.PLAYERS, "sleeper", "tests.server.running.test_workers:Sleeper")
    monkeypatch.setitem(registry.PLAYERS, "liar", "tests.server.running.test_workers:Liar")
    players = {"sleeper": "tests.server.running.test_workers:Sleeper", "liar": "tests.server.running.test_workers:Liar"}
    game = registry.get("toy")
    monkeypatch.setitem(game.info.players, "sleeper", players["sleeper"])  # type: ignore[arg-type]
    monkeypatch.setitem(game.info.players, "liar", players["liar"])  # type: ignore[arg-type]


def test_a_player_that_thinks_too_long_is_stopped(
    strange_players: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('brains') / 'x.db'}"
    with served(quick_settings(url, think_seconds=1.0)) as server:
        ann = server.guest()
        slow = ann.create(seats={"red": "sleeper", "blue": "me"})["id"]
        wait_for(lambda: ann.record(slow)["length"] >= 1, 30)
        wrong = ann.create(seats={"red": "liar", "blue": "me"})["id"]
        wait_for(lambda: ann.record(wrong)["to_act"] == "blue", 60)


def test_computers_go_on_after_a_restart(toys: None, database_url: str) -> None:
    with served(quick_settings(database_url, pause=0.3)) as server:
        ann = server.guest()
        token = ann.http.cookies["sandtable_session"]
        game = ann.create(seats={"red": "random", "blue": "random"})["id"]
        wait_for(lambda: ann.record(game)["length"] >= 2)
        before = ann.record(game)["length"]
    with served(quick_settings(database_url)) as server:
        ann = Person(server.url)
        ann.http.cookies.set("sandtable_session", token)
        assert ann.record(game)["length"] >= before
        wait_for(lambda: ann.record(game)["status"] == "finished", 60)


@pytest.fixture
def two_servers(
    toys: None, postgres_url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[list[Served]]:
    url = fresh_database(request, tmp_path, "postgresql")
    settings = quick_settings(url, channels="postgresql")
    with served(settings) as one, served(settings) as other:
        yield [one, other]


def test_two_processes_share_their_games_through_postgresql(two_servers: list[Served]) -> None:
    one, other = two_servers
    ann = one.guest("Ann")
    bob = other.guest("Bob")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    assert ann.record(game)["seats"][1]["holder"] == "Bob"
    with bob.live(game, "blue") as live:
        live.next()
        for _ in range(3):
            ann.step(game, Random(1), "red")
        events = live.until(3)
        assert [event["n"] for event in events] == [1, 2, 3]
        ann.post(f"/api/games/{game}/chat", {"text": "your turn"}, 201)
        assert live.next("chat")["chat"][-1]["text"] == "your turn"
    for _ in range(3):
        bob.step(game, Random(1), "blue")
    assert ann.record(game)["length"] >= 6
    turn = ann.record(game)["to_act"]
    mover, there, elsewhere = (ann, one, other) if turn == "red" else (bob, other, one)
    table = mover.table(game, turn)
    length, action = table["length"], table["actions"][0]["action"]
    after = mover.move(game, turn, action, length, key="same")["length"]
    again = Person(elsewhere.url)
    again.http.cookies = mover.http.cookies
    assert again.move(game, turn, action, length, key="same")["length"] == after
    assert again.move(game, turn, action, length, status=409)["code"] == "stale"
    assert there.url != elsewhere.url
    bob.post(f"/api/games/{game}/resign", {})
    assert ann.record(game)["status"] == "finished"


def test_two_processes_count_together(
    request: pytest.FixtureRequest, toys: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is refused by one is refused by the other; what every request counts is shared out."""
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN", Rate(10, 0.001))  # a slow machine earns no more
    settings = quick_settings(fresh_database(request, tmp_path, "postgresql"), channels="postgresql", limits=True)
    with served(settings) as one, served(settings) as other:

        def attempt(number: int) -> int:
            wish = {"name": "somebody", "password": "guess"}
            server = (one, other)[number % 2]
            return Person(server.url).http.post("/api/account/login", json=wish).status_code

        assert [attempt(number) for number in range(14)] == [401] * 10 + [429] * 4


def test_workers_share_out_what_every_request_counts() -> None:
    halves = [Limits(True, workers=2) for _ in range(2)]
    taken = 0
    for half in halves:
        for _ in range(20):
            try:
                half.check("post", "ann", Rate(10, 0.001))
            except Refused:
                continue
            taken += 1
    assert taken == 10


# The database


@pytest.mark.parametrize("kind", DATABASES)
def test_the_migrations_make_what_the_program_uses(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    url = fresh_database(request, tmp_path, kind)
    migrate(url)
    migrate(url)

    def compared(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async def check() -> list[object]:
        engine = create_engine(url, reads=True)
        async with engine.connect() as connection:
            found = await connection.run_sync(compared)
        await engine.dispose()
        return found

    assert asyncio.run(check()) == []


def test_sqlite_commits_are_durable(lone_server: Served) -> None:
    async def pragmas() -> tuple[str, int]:
        async with lone_server.house.database.engine.connect() as connection:
            mode = (await connection.exec_driver_sql("PRAGMA journal_mode")).scalar_one()
            synchronous = (await connection.exec_driver_sql("PRAGMA synchronous")).scalar_one()
            return mode, synchronous

    loop = lone_server.house.database._task.get_loop()
    assert asyncio.run_coroutine_threadsafe(pragmas(), loop).result(10) == ("wal", 2)


# Settings


def test_settings_are_read_and_checked() -> None:
    given = {"SANDTABLE_DATABASE_URL": "postgresql://x/y", "SANDTABLE_WORKERS": "3", "SANDTABLE_SECURE": "yes"}
    settings = from_environment(given)
    assert settings.several
    assert settings.secure
    assert channels_url(settings) == "postgresql://x/y"
    assert channels_url(from_environment({"SANDTABLE_CHANNELS": "redis://r"})) == "redis://r"
    for wrong in (
        {"SANDTABLE_WORKERS": "two"},
        {"SANDTABLE_WORKERS": "0"},
        {"SANDTABLE_WORKERS": "2"},
        {"SANDTABLE_METRICS": "some"},
        {"SANDTABLE_CHANNELS": "pigeons"},
    ):
        with pytest.raises(SettingsError):
            from_environment({"SANDTABLE_DATABASE_URL": "sqlite:///x", **wrong})


def test_a_process_of_the_server_seldom_looks_through_all_that_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody waits for it every few seconds; whoever puts the application into a process of his own decides."""
    told: list[tuple[int, ...]] = []
    monkeypatch.setattr(app.gc, "set_threshold", lambda *numbers: told.append(numbers))
    monkeypatch.setenv("SANDTABLE_DATABASE_URL", f"sqlite:///{tmp_path / 'x.db'}")
    app.create_app(quick_settings(f"sqlite:///{tmp_path / 'x.db'}"))
    assert told == []
    app.create_app()
    assert told == [app.SWEEPS]
