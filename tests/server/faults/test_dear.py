"""Questions that need a whole game played again: kept, one at a time, elsewhere, and only while somebody waits."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest

from sandtable.engine.log import CHANCE_NAME
from sandtable.server.house.replays import Kept
from sandtable.server.people.limits import Rate
from sandtable.server.processes.helper import Helper

from ..kit import Person, Served, finish, in_server, quick_settings, served, wait_for

BOTH = {"red": "me", "blue": "me"}


@pytest.fixture
def server(toys: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(quick_settings(f"sqlite:///{tmp_path_factory.mktemp('dear') / 'x.db'}")) as running:
        yield running


def replays(server: Served) -> Any:
    return server.house.replays


def played(person: Person, moves: int = 25) -> str:
    game: str = person.create(seats=BOTH)["id"]
    rng = Random(3)
    for _ in range(moves):
        person.step(game, rng)
    return game


def test_dice_of_a_game_that_goes_on_are_told_without_playing_it_again(server: Served) -> None:
    ann = server.guest()
    game = played(ann)
    rolled = ann.get(f"/api/games/{game}/dice", seat="")["rolls"]
    assert rolled
    ann.post(f"/api/games/{game}/undo/ask", {"seat": ann.record(game)["to_act"], "decisions": 2}, 200)
    table = in_server(server, server.house.rooms.table(server.house.rooms._rooms[game]))
    entries = [entry for entry in table.entries if entry.by == CHANCE_NAME and not entry.undo]
    told = ann.get(f"/api/games/{game}/dice", seat="")
    assert [roll["faces"] for roll in told["rolls"]] == [list(entry.faces) for entry in entries]
    assert told["rolls"][: len(rolled)] == rolled, "what was taken back has been rolled all the same"
    assert told["seed"] is None
    assert replays(server).asked == 0


def ask_together(url: str, path: str, count: int) -> list[httpx.Response]:
    wide = httpx.Limits(max_connections=count)
    with httpx.Client(base_url=url, timeout=60, limits=wide) as client, ThreadPoolExecutor(count) as pool:
        return list(pool.map(lambda _: client.get(path), range(count)))


def test_dice_of_a_game_that_has_ended_are_worked_out_once(server: Served) -> None:
    ann = server.guest()
    game = played(ann, 5)
    finish(ann, game)
    answers = ask_together(server.url, f"/api/games/{game}/dice", 30)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert replays(server).asked == 1
    found = answers[0].json()
    assert found["seed"]
    assert all(roll["dice"] for roll in found["rolls"])


def test_old_answers_are_kept_and_worked_out_once(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    rng = Random(3)
    sent: list[tuple[dict[str, Any], str]] = []
    while len(sent) < 20:
        table = ann.table(game)
        wish = {"seat": table["to_act"], "length": table["length"], "key": uuid4().hex}
        wish["action"] = rng.choice(table["actions"])["action"]
        sent.append((wish, ann.http.post(f"/api/games/{game}/moves", json=wish).text))
    for wish, answer in sent:
        assert ann.http.post(f"/api/games/{game}/moves", json=wish).text == answer
    assert replays(server).asked == 0
    replays(server).kept = Kept()  # as after a restart
    wish, answer = sent[-1]  # the one that a client sends again which has had no answer
    assert ann.http.post(f"/api/games/{game}/moves", json=wish).text == answer
    assert replays(server).asked == 0
    with ThreadPoolExecutor(20) as pool:
        wish, answer = sent[4]
        found = list(pool.map(lambda _: ann.http.post(f"/api/games/{game}/moves", json=wish).text, range(20)))
    assert set(found) == {answer}
    assert replays(server).asked == 1
    for wish, answer in sent:
        assert ann.http.post(f"/api/games/{game}/moves", json=wish).text == answer
    assert replays(server).asked == len(sent) - 1


def test_what_is_kept_has_an_end() -> None:
    kept = Kept(1000)
    for n in range(100):
        kept.put((str(n),), b"x" * 100)
        kept.put((str(n),), b"y" * 100)
        assert kept.size <= 1000
    assert kept.get(("99",)) == b"y" * 100
    assert kept.get(("80",)) is None


class Slow:
    """A helper that never comes to an end, and notices when it is stopped."""

    def __init__(self) -> None:
        self.asked = self.stopped = 0

    async def ask(self, message: bytes, seconds: float) -> bytes:
        self.asked += 1
        try:
            await asyncio.sleep(3600)
        finally:
            self.stopped += 1
        return message

    async def stop(self) -> None:
        pass


def hang_up(server: Served, request: str) -> Any:
    """Send a request and do not wait for the answer."""
    sock = socket.create_connection(("127.0.0.1", int(server.address.split(":")[1])))
    sock.sendall(request.encode())
    return sock


def test_the_work_stops_when_the_last_who_asked_is_gone(server: Served) -> None:
    ann = server.guest()
    game = played(ann, 5)
    finish(ann, game)
    replays(server)._helper = slow = Slow()
    request = f"GET /api/games/{game}/dice HTTP/1.1\r\nHost: {server.address}\r\n\r\n"
    first, second = hang_up(server, request), hang_up(server, request)
    wait_for(lambda: [job.waiting for job in replays(server)._jobs.values()] == [2])
    assert slow.asked == 1
    first.close()
    wait_for(lambda: [job.waiting for job in replays(server)._jobs.values()] == [1])
    assert slow.stopped == 0
    second.close()
    wait_for(lambda: slow.stopped == 1)
    assert replays(server)._jobs == {}


def test_a_save_is_checked_elsewhere_and_left_when_its_sender_is_gone(server: Served) -> None:
    ann = server.guest()
    text = ann.http.get(f"/api/games/{played(ann)}/export").text
    replays(server)._helper = slow = Slow()
    cookie = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())
    head = f"POST /api/games/import HTTP/1.1\r\nHost: {server.address}\r\nx-sandtable: 1\r\ncookie: {cookie}\r\n"
    sock = hang_up(server, head + f"content-length: {len(text.encode())}\r\n\r\n{text}")
    wait_for(lambda: slow.asked == 1)
    begin = time.monotonic()
    ann.get("/api/me")
    assert time.monotonic() - begin < 2
    sock.close()
    wait_for(lambda: slow.stopped == 1)


def test_a_save_that_takes_too_long_is_refused(toys: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('long') / 'x.db'}"
    with served(quick_settings(url, replay_seconds=0.001)) as server:
        ann = server.guest()
        text = ann.http.get(f"/api/games/{played(ann)}/export").text
        answer = ann.http.post("/api/games/import", content=text.encode())
        assert answer.status_code == 422
        assert answer.json()["code"] == "save"
        assert "seconds to play again" in answer.json()["why"]


def test_games_are_played_again_for_each_place_in_turn(server: Served) -> None:
    """Twenty saves from one place hold up a question from another by one."""
    order: list[str] = []

    class Noting(Helper):
        async def ask(self, message: bytes, seconds: float, heard: Any = None) -> bytes:
            order.append(msgspec.json.decode(message)["text"])
            await asyncio.sleep(0.02)
            return b"{}"

    replays(server)._helper = Noting("none")

    async def ask() -> None:
        saves = [("here", f"here {n}") for n in range(6)] + [("there", "there"), ("yonder", "yonder")]
        await asyncio.gather(*(replays(server).save(text, who) for who, text in saves))

    in_server(server, ask())
    assert order == ["here 0", "here 1", "there", "yonder", "here 2", "here 3", "here 4", "here 5"]


def test_dear_questions_are_counted_by_themselves(
    toys: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandtable.server.people.limits.DEAR", Rate(2, 0.001))
    monkeypatch.setattr("sandtable.server.people.limits.DEAR_HERE", Rate(4, 0.001))
    monkeypatch.setattr("sandtable.server.routes.games.IMPORT", Rate(3, 0.001))
    url = f"sqlite:///{tmp_path_factory.mktemp('often') / 'x.db'}"
    with served(quick_settings(url, limits=True)) as server:
        ann = server.guest()
        ended = []
        for _ in range(6):
            game = played(ann, 3)
            ann.post(f"/api/games/{game}/abandon")
            ended.append(game)
        asked = [ann.http.get(f"/api/games/{game}/dice").status_code for game in ended]
        assert asked == [200, 200, 429, 429, 429, 429]
        assert ann.http.get(f"/api/games/{ended[0]}/dice").status_code == 200, "what is kept is not dear"
        others = [server.guest() for _ in range(3)]
        found = [
            one.http.get(f"/api/games/{game}/dice").status_code for one, game in zip(others, ended[2:], strict=False)
        ]
        assert found.count(200) == 2, "many guests at one address are one"
        refused = ann.http.get(f"/api/games/{ended[4]}/dice")
        assert int(refused.headers["retry-after"]) > 0


def test_no_lock_is_kept_for_a_game_that_does_not_exist(lone_server: Served) -> None:
    ann = lone_server.guest()
    for _ in range(30):
        ann.get(f"/api/games/{uuid4().hex[:10]}", 404)
    assert lone_server.house.rooms._loading == {}


def test_few_films_are_kept(lone_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking back at many games does not fill the memory; those let go are wound again."""
    monkeypatch.setattr("sandtable.server.table.rooms.FILMS", 3)
    ann = lone_server.guest()
    games = [played(ann, 4) for _ in range(6)]
    moments = [ann.get(f"/api/games/{game}/at/2", seat="red") for game in games]
    rooms = lone_server.house.rooms
    assert sum(rooms._rooms[game].film is not None for game in games) == 3
    assert ann.get(f"/api/games/{games[0]}/at/2", seat="red") == moments[0]


def test_a_long_film_has_few_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.engine.dice import derive_seed
    from sandtable.server.table import film
    from sandtable.server.table.live import LiveTable, Stage

    from ...toygame import GAME

    monkeypatch.setattr(film, "EVERY", 2)
    monkeypatch.setattr(film, "MOST_MARKS", 5)
    table = LiveTable.new(GAME, "line", seed=derive_seed("film"))
    rng = Random(1)
    while table.to_act is not None:
        table.act(rng.choice(table.legal()))

    async def go() -> None:
        reel = film.Film(table.header, GAME, table.entries, Stage())
        end = len(table.entries)
        forwards = [await reel.view_at(n, 0) for n in range(end)]
        assert len(reel._marks) <= 5
        assert [await reel.view_at(n, 0) for n in reversed(range(end))] == forwards[::-1]

    asyncio.run(go())
