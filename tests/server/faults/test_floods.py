"""Who asks for very much at once waits for himself: others are answered, and the memory of the server stays small."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from sandtable.server.door import security
from sandtable.server.door.security import network
from sandtable.server.house.house import House
from sandtable.server.people.limits import Rate
from sandtable.server.people.turns import Turns

from ..kit import OWN, Person, Served, finish, quick_settings, served, wait_for

BOTH = {"red": "me", "blue": "me"}


@pytest.fixture
def server(toys: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with its limits."""
    with served(quick_settings(f"sqlite:///{tmp_path_factory.mktemp('flood') / 'x.db'}", limits=True)) as running:
        yield running


def ask(server: Served, path: str, host: str) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", headers={**OWN, "x-forwarded-for": host}, timeout=60)


def test_few_questions_from_one_place_are_answered_at_a_time(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    inside: list[str] = []
    most = 0
    go_on = False
    really = House.record

    async def slow(self: House, *args: Any) -> Any:
        nonlocal most
        inside.append("")
        most = max(most, len(inside))
        while not go_on:
            await asyncio.sleep(0.01)
        inside.pop()
        return await really(self, *args)

    monkeypatch.setattr(House, "record", slow)
    monkeypatch.setattr(security, "WAITING", 20)
    server.app.lanes.waiting = 20
    path = f"/api/games/{game}"
    with ThreadPoolExecutor(40) as pool:
        found = [pool.submit(ask, server, path, f"2001:db8:1:2::{n}") for n in range(1, 31)]
        wait_for(lambda: sum(one.done() for one in found) == 10)
        assert {one.result().status_code for one in found if one.done()} == {429}, "no more than so many may wait"
        refused = next(one.result() for one in found if one.done())
        assert refused.json()["code"] == "too_many"
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["x-frame-options"] == "DENY"
        assert len(inside) == security.ABREAST
        begin = time.monotonic()
        assert ask(server, "/api/games?list=watch", "2001:db8:1:3::1").status_code == 200, "somebody else is answered"
        assert time.monotonic() - begin < 5
        assert ask(server, "/api/games/none/dice", "2001:db8:1:2::1").status_code == 404, "what others work out is not"
        go_on = True
        assert sorted(one.result().status_code for one in found) == [200] * 20 + [429] * 10
    assert most == security.ABREAST
    assert server.app.lanes._lanes == {}


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_who_has_one_address_of_ipv6_has_them_all(host: str, counted: str) -> None:
    assert network(host) == counted


def test_a_network_is_counted_as_one(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN", Rate(4, 0.001))

    def login(host: str) -> int:
        body = {"name": "x", "password": "y"}
        headers = {**OWN, "x-forwarded-for": host}
        return httpx.post(f"{server.url}/api/account/login", json=body, headers=headers).status_code

    assert [login(f"2001:db8:1:2::{n}") for n in range(1, 7)] == [401] * 4 + [429] * 2
    assert login("2001:db8:1:3::1") == 401


def test_many_guests_of_one_place_are_one(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "READ_HERE", Rate(20, 0.001))
    monkeypatch.setattr(security, "POST_HERE", Rate(12, 0.001))
    people = [server.guest() for _ in range(6)]
    read = [people[n % 6].http.get("/api/me").status_code for n in range(24)]
    assert read == [200] * 20 + [429] * 4
    sent = [people[n % 6].http.post("/api/games/none/undo", json={}).status_code for n in range(8)]
    assert sent == [404] * 6 + [429] * 2, "becoming one has counted as well"


def long_game(person: Person) -> str:
    game: str = person.create(seats=BOTH)["id"]
    rng = Random(3)
    for _ in range(25):
        person.step(game, rng)
    return game


def test_long_stories_are_counted(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.routes.table.LONG", 10)
    monkeypatch.setattr("sandtable.server.people.limits.MOMENTS", Rate(8, 0.001))
    monkeypatch.setattr("sandtable.server.people.limits.MOMENTS_HERE", Rate(10, 0.001))
    ann = server.guest()
    game = long_game(ann)
    length = ann.table(game)["length"]
    path = f"/api/games/{game}"
    for question in ("events", "news", "away", "export"):
        assert ann.http.get(f"{path}/{question}").status_code == 200
    with ann.live(game) as live:
        live.next()
    for _ in range(20):
        ann.get(f"{path}/events", since=length - 5)
        ann.get(f"{path}/news", since=length - 5)
    assert [ann.http.get(f"{path}/events").status_code for _ in range(5)] == [200] * 3 + [429] * 2
    assert ann.http.get(f"{path}/export").status_code == 429
    with pytest.raises(ConnectionClosed) as caught, ann.live(game) as live:
        live.next()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4429
    others = [server.guest() for _ in range(3)]
    assert [other.http.get(f"{path}/events").status_code for other in others] == [200, 200, 429]


def test_few_long_stories_are_kept(lone_server: Served) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    finish(ann, game)
    said = {since: ann.get(f"/api/games/{game}/news", since=since) for since in range(12)}
    kept = lone_server.house.rooms._rooms[game].news[1]
    assert sum(not one.short for one in kept.values()) == 2
    assert all(ann.get(f"/api/games/{game}/news", since=since) == said[since] for since in said)
    assert not any(hasattr(one, "message") for one in kept.values()), "what is kept is a text"


def test_live_connections_have_an_end(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.people.limits.LIVE", 2)
    monkeypatch.setattr("sandtable.server.people.limits.LIVE_HERE", 3)
    ann, bob = server.guest(), server.guest()
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    with ExitStack() as stack:
        for person in (ann, ann, bob):
            stack.enter_context(person.live(game)).next()
        for person in (ann, bob):
            with pytest.raises(ConnectionClosed) as caught, person.live(game) as live:
                live.next()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 4429
    wait_for(lambda: not server.house.limits._held)
    with ann.live(game) as live:
        live.next()


def test_computers_think_in_turn_for_those_whose_games_they_are() -> None:
    """Forty games of one hold up the game of another by one thought."""
    order: list[str] = []
    gate = asyncio.Event()

    async def think(turns: Turns, who: str) -> None:
        async with turns.of(who):
            order.append(who)
            await gate.wait()

    async def go() -> None:
        turns = Turns()
        thoughts = [asyncio.create_task(think(turns, "eve")) for _ in range(6)]
        await asyncio.sleep(0)
        thoughts += [asyncio.create_task(think(turns, who)) for who in ("ann", "bob", "ann")]
        given_up = asyncio.create_task(think(turns, "ann"))
        await asyncio.sleep(0)
        given_up.cancel()
        gate.set()
        await asyncio.gather(*thoughts)
        assert not turns._waiting
        await think(turns, "ann")

    asyncio.run(go())
    assert order == ["eve", "eve", "ann", "bob", "eve", "ann", "eve", "eve", "eve", "ann"]


def test_who_was_let_in_and_does_not_come_lets_the_next_in() -> None:
    async def go() -> list[str]:
        turns, order = Turns(), []

        async def think(who: str) -> None:
            async with turns.of(who):
                order.append(who)

        async with turns.of("eve"):
            ann, bob = asyncio.create_task(think("ann")), asyncio.create_task(think("bob"))
            await asyncio.sleep(0)
        ann.cancel()
        await asyncio.wait({ann, bob}, timeout=5)
        return order

    assert asyncio.run(go()) == ["bob"]
