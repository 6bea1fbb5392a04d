"""What a stranger may send: letters that a database cannot keep, marks that are none, floods of letters to others, and
requests for a table that is being removed; and that he is let in by a link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from sandtable.server.people.limits import Limits, Rate
from sandtable.server.storage import schema
from sandtable.server.storage.database import Database

from ..conftest import DATABASES, fresh_database
from ..kit import OWN, Person, Served, in_server, quick_settings, served

BOTH = {"red": "me", "blue": "me"}
NOTE = "\U0001d160"
"""One letter, which is written as three."""
WORDS = "\ufdfa"
"""One letter, which compares as eighteen."""


@pytest.fixture
def strict(toys: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr("sandtable.server.notices.queue.TELLS", Rate(5, 0.0001))
    monkeypatch.setattr("sandtable.server.notices.queue.TOLD", Rate(8, 0.0001))
    url = f"sqlite:///{tmp_path_factory.mktemp('strict') / 'x.db'}"
    with served(quick_settings(url, limits=True, notify_every=600.0)) as server:
        yield server


# Coming in


def test_a_link_of_another_site_leads_in(lone_server: Served) -> None:
    """From a letter read in the browser, or a chat: the page opens, and nothing else can be asked from there."""
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert httpx.get(lone_server.url + "/", headers=visit).status_code == 200
    assert httpx.get(lone_server.url + "/nothing/here", headers=visit).status_code == 404
    for path in ("/api/me", "/api/games", "/metrics"):
        assert httpx.get(lone_server.url + path, headers=visit).json()["code"] == "origin", path
    for other in ({"sec-fetch-mode": "no-cors"}, {"sec-fetch-dest": "iframe"}, {"sec-fetch-dest": "object"}):
        answer = httpx.get(lone_server.url + "/", headers=visit | other)
        assert answer.status_code == 403, other
    assert httpx.post(lone_server.url + "/", headers=visit | OWN).status_code in (403, 405)


def test_a_mark_that_is_none_is_no_fault(lone_server: Served) -> None:
    wish = {"name": "Nobody", "password": "correct horse"}
    for mark in (b"abc.\xe9", b"abc.%C3%A9", b"abc.%ED%A0%80", b"\xe9.abc", b".", b"a.b.c"):
        headers = [(b"x-sandtable", b"1"), (b"cookie", b"sandtable_device=" + mark)]
        assert httpx.post(f"{lone_server.url}/api/account/login", headers=headers, json=wish).status_code == 401, mark


# What a database cannot keep


def test_a_letter_that_is_none_finds_nothing(server: Served) -> None:
    ann = Person(server.url).register()
    for game in ("%00", "a%00b", "no-such-game"):
        assert ann.get(f"/api/games?list=open&game={game}") == []
    ann.get("/api/friends/link/%00", 404)
    ann.post("/api/friends", {"token": "\0"}, 404)
    ann.get("/api/people", 404, name="\0")


def test_long_names_are_refused_however_they_are_written(server: Served) -> None:
    ann, guest = Person(server.url).register(), server.guest()
    game = guest.create(seats=BOTH)["id"]
    for letter in (NOTE, WORDS):
        for name in (letter * 40, letter * 30):
            account = {"name": name, "password": "correct horse"}
            assert Person(server.url).post("/api/account/register", account, 422)["code"] == "name"
            assert Person(server.url).post("/api/account/guest", {"name": name}, 422)["code"] == "name"
            wish = {"game": "toy", "scenario": "line", "seats": {"red": "me"}, "kept": {"blue": name}}
            assert guest.post("/api/games", wish, 422)["code"] == "name"
            assert guest.post(f"/api/games/{game}/seats/blue", {"to": name}, 422)["code"] == "name"
    wish = {"game": "toy", "scenario": "line", "seats": BOTH, "name": NOTE * 100}
    assert guest.post("/api/games", wish, 422)["code"] == "name"
    assert guest.post(f"/api/games/{game}/rename", {"name": NOTE * 100}, 422)["code"] == "name"
    contest = {"name": NOTE * 80, "game": "toy", "scenario": "line", "form": "single", "pace": 3}
    assert ann.post("/api/contests", contest, 422)["code"] == "name"
    assert len(guest.post(f"/api/games/{game}/rename", {"name": "x" * 100}, 200)["name"]) == 100
    assert ann.post("/api/contests", contest | {"name": "é" * 80}, 201)["contest"]["name"] == "é" * 80
    longest = Person(server.url).register("界" * 38 + f"{Random().randrange(100):02}").me["name"]
    assert len(longest) == 40


# A table that is being removed


def together(*asked: tuple[httpx.Client, str, str, Any]) -> list[int]:
    """The statuses of requests that are sent at once."""
    with ThreadPoolExecutor(len(asked)) as pool:
        return [
            sent.result().status_code
            for sent in [pool.submit(client.request, method, path, json=body) for client, method, path, body in asked]
        ]


def browsers(person: Person, *servers: Served) -> list[httpx.Client]:
    """Windows of somebody's browser, connected."""
    cookies = dict(person.http.cookies)
    found = [httpx.Client(base_url=server.url, headers=OWN, cookies=cookies) for server in servers]
    for client in found:
        assert client.get("/api/me").status_code == 200
    return found


def test_who_asks_of_a_table_that_is_being_removed_finds_none(server: Served) -> None:
    ann = server.guest()
    windows = browsers(ann, *[server] * 6)
    counts: Counter[int] = Counter()
    for _ in range(6):
        path = f"/api/games/{ann.create(seats=BOTH)['id']}"
        table = ann.get(f"{path}/table")
        wish = {"seat": table["to_act"], "length": table["length"], "key": "k", "action": table["actions"][0]["action"]}
        counts += Counter(
            together(
                (windows[0], "DELETE", path, None),
                (windows[1], "POST", f"{path}/chat", {"text": "here?"}),
                (windows[2], "PUT", f"{path}/notes", {"text": "one"}),
                (windows[3], "PUT", f"{path}/notes", {"text": "two"}),
                (windows[4], "PUT", f"{path}/settings", {"notify": False}),
                (windows[5], "POST", f"{path}/moves", wish),
            )
        )
    assert not [status for status in counts if status >= 500], counts
    assert counts[404] >= 6


@pytest.mark.parametrize("kind", DATABASES)
def test_what_two_processes_keep_at_once_is_kept(
    request: pytest.FixtureRequest, toys: None, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    """Notes and wishes have one row each: whoever comes second writes over it."""
    url = fresh_database(request, tmp_path_factory.mktemp("twice"), kind)
    with served(quick_settings(url)) as one, served(quick_settings(url)) as other:
        ann = one.guest()
        game = ann.create(seats=BOTH)["id"]
        notes, settings = f"/api/games/{game}/notes", f"/api/games/{game}/settings"
        windows = browsers(ann, *[one, other] * 3)
        for number in range(8):
            asks = [(window, "PUT", notes, {"text": f"note {number}"}) for window in windows]
            assert set(together(*asks)) == {200}
            assert set(together(*((window, "PUT", settings, {"notify": False}) for window in windows))) == {200}
        assert ann.get(notes)["text"] == "note 7"
        assert ann.record(game)["notify"] is False


# Letters to others


def queued(server: Served, person: Person) -> int:
    async def count() -> int:
        database: Database = server.house.database
        async with database.read() as connection:
            outbox = schema.outbox
            wanted = select(outbox.c.title).where(outbox.c.account_id == person.me["id"])
            return len((await connection.execute(wanted)).all())

    found: int = in_server(server, count())
    return found


@pytest.fixture
def unsent(strict: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A server whose queue is not worked off."""

    async def nothing(*_: Any) -> int:
        return 0

    monkeypatch.setattr(strict.house.notices, "send_some", nothing)
    return strict


def test_nobody_floods_somebody_with_invitations(unsent: Served) -> None:
    victim, eve = Person(unsent.url).register("Victim"), unsent.guest("Eve")
    game = eve.create(seats=BOTH)["id"]
    for _ in range(10):
        for to in ("Victim", "me"):
            assert eve.http.post(f"/api/games/{game}/seats/blue", json={"to": to}).status_code == 200
    assert queued(unsent, victim) == 5, "what one person has others told is counted"
    for _ in range(2):
        other = unsent.guest()
        for _ in range(5):
            other.create(seats={"red": "me"}, kept={"blue": "Victim"})
    assert queued(unsent, victim) == 8, "and so is what anybody is told by others"


def test_nobody_floods_who_sits_at_the_same_table(unsent: Served) -> None:
    ann, eve = unsent.guest("Ann"), unsent.guest("Eve")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    for _ in range(10):
        eve.post(f"/api/games/{game}/join", {})
        eve.post(f"/api/games/{game}/seats/blue", {"to": "open"})
    assert queued(unsent, ann) == 5
    bob, mal = unsent.guest(), unsent.guest()
    game = bob.create(seats={"red": "me", "blue": "open"})["id"]
    mal.post(f"/api/games/{game}/join", {})
    while bob.record(game)["to_act"] == "red":
        bob.step(game, Random(1), "red")
    before = queued(unsent, mal)
    for _ in range(20):
        bob.http.post(f"/api/games/{game}/undo/ask", json={"seat": "red"})
    assert 1 <= queued(unsent, mal) - before <= 5


def test_what_is_allowed_is_counted_as_what_is_refused() -> None:
    limits = Limits()
    rate = Rate(2, 0.001)
    assert [limits.allows("x", "ann", rate) for _ in range(3)] == [True, True, False]
    assert limits.allows("x", "bob", rate)
    assert all(Limits(on=False).allows("x", "ann", rate) for _ in range(5))
