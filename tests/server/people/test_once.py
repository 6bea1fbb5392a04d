"""A rated game is counted once though the server dies at its end; and databases of older forms keep what they hold."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic import command
from sqlalchemy import Connection, text

from sandtable.server.people.ratings import Ratings
from sandtable.server.storage.database import create_engine
from sandtable.server.storage.migrate import config, migrate

from ..conftest import DATABASES, fresh_database
from ..crash import GAME, SCENARIO, SIDES, Killed
from ..kit import OWN, Person, quick_settings, served
from .test_rated import rated_game, rating, two


@pytest.mark.usefixtures("toys")
def test_a_game_that_ended_with_the_server_is_counted_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = quick_settings(f"sqlite:///{tmp_path / 'x.db'}")

    async def gone(self: Ratings) -> None:
        """The process ends before it can count."""

    with served(settings) as server:
        ann, bob = two(server)
        game = rated_game(ann, bob)
        with monkeypatch.context() as patched:
            patched.setattr(Ratings, "settle", gone)
            bob.post(f"/api/games/{game}/resign", {})
        assert rating(ann, game) is None
        cookies = dict(ann.http.cookies)
    for _ in range(2):
        with served(settings) as again:
            ann = Person(again.url)
            ann.http.cookies.update(cookies)
            assert rating(ann, game) == {"rating": 1662, "deviation": 290, "games": 1}


def test_kill_while_a_rated_game_ends(tmp_path: Path) -> None:
    """SIGKILL with the resignation on its way: it has counted or not happened, and never twice."""
    server = Killed(f"sqlite:///{tmp_path / 'x.db'}", quick=True)
    server.start()
    ann, bob = (httpx.Client(base_url=server.url, headers=OWN, timeout=60) for _ in range(2))
    for name, person in (("Ann", ann), ("Bob", bob)):
        person.post("/api/account/register", json={"name": name, "password": "correct horse"}).raise_for_status()
    games = []
    for n in range(2):
        seats = {SIDES[0]: "me", SIDES[1]: "open"}
        wish = {"game": GAME, "scenario": SCENARIO, "seats": seats, "rated": True, "pace": 3}
        games.append(ann.post("/api/games", json=wish).raise_for_status().json()["id"])
        bob.post(f"/api/games/{games[n]}/join", json={}).raise_for_status()
        with suppress(httpx.TransportError):  # it is on its way
            bob.post(f"/api/games/{games[n]}/resign", json={}, timeout=httpx.Timeout(60, read=0.01 * (n + 1)))
        server.kill()
        server.start()
    ended = [ann.get(f"/api/games/{game}").json()["status"] == "finished" for game in games]
    seat = ann.get(f"/api/games/{games[0]}").json()["seats"][0]
    assert seat.get("rating", {"games": 0})["games"] == sum(ended)
    server.kill()


# Older forms of the database


def at(revision: str, connection: Connection) -> None:
    made = config()
    made.attributes["connection"] = connection
    command.upgrade(made, revision)


OLD = (
    "INSERT INTO accounts (id, name, name_key, guest, settings, created) VALUES ('a', 'Ann', 'ann', FALSE, '{}', 1)",
    "INSERT INTO games (id, revision, name, owner_id, game, version, scenario, options, seed, commitment, status,"
    " length, steps, watch, turn_since, reminded, analysis, unsealed, created, updated) VALUES ('g', 3, 'Old', 'a',"
    " 'toy', 1, 'line', '{}', 's', 'c', 'finished', 2, 2, 'anyone', 1, 0, FALSE, FALSE, 1, 2)",
    "INSERT INTO seats (game_id, side, account_id, open) VALUES ('g', 'red', 'a', FALSE)",
    "INSERT INTO entries (game_id, n, by, do, faces, dice, undo, at) VALUES ('g', 1, 'red', 'pass', '[]', 0, 0, 1)",
)


@pytest.mark.parametrize("kind", DATABASES)
def test_a_database_from_before_ratings_keeps_its_games(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    url = fresh_database(request, tmp_path, kind)
    quoted = [one.replace(" by,", ' "by",').replace(" do,", ' "do",') for one in OLD]

    async def fill() -> None:
        engine = create_engine(url)
        async with engine.begin() as connection:
            await connection.run_sync(lambda sync: at("0006", sync))
            for line in quoted:
                await connection.execute(text(line))
        await engine.dispose()

    async def look() -> list[Any]:
        engine = create_engine(url)
        async with engine.begin() as connection:
            wanted = (
                "SELECT games.name, rated, revision, seats.account_id, entries.at FROM games "
                "JOIN seats ON seats.game_id = games.id JOIN entries ON entries.game_id = games.id"
            )
            found: list[Any] = [tuple(row) for row in await connection.execute(text(wanted))]
            found += [(await connection.execute(text("SELECT count(*) FROM ratings"))).scalar_one()]
        await engine.dispose()
        return found

    asyncio.run(fill())
    migrate(url)
    assert asyncio.run(look()) == [("Old", False, 3, "a", 1.0), 0]
