"""Floods, oversized and foreign requests on the wire, and what a real server's log says of all of it."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import insert
from websockets.exceptions import ConnectionClosed

from sandtable.server.door.security import JsonLines
from sandtable.server.people.limits import Rate
from sandtable.server.storage import schema

from ..kit import OWN, Person, Served, in_server, own_environment, quick_settings, served

BOTH = {"red": "me", "blue": "me"}
UNSAFE = ("post", "put", "delete", "patch")


# Other sites


def test_every_request_that_changes_something_needs_our_own_header(lone_server: Served) -> None:
    ann = lone_server.guest()
    paths = ann.http.get("/api/schema/openapi.json").json()["paths"]
    asked = 0
    for path, operations in paths.items():
        for method in operations:
            if method not in UNSAFE:
                continue
            url = re.sub(r"\{.*?\}", "x", lone_server.url + path)
            answer = httpx.request(method, url, json={}, cookies=dict(ann.http.cookies))
            assert (answer.status_code, answer.json()["code"]) == (403, "csrf"), (method, path)
            headers = {**OWN, "origin": "https://evil.example"}
            answer = httpx.request(method, url, json={}, cookies=dict(ann.http.cookies), headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "origin"), (method, path)
            asked += 1
    assert asked >= 18
    assert ann.get("/api/me")["id"] == ann.me["id"]


def test_a_form_or_plain_text_of_another_site_is_not_read(lone_server: Served) -> None:
    """What a page can send without asking us first: no own header, and a type that is no JSON."""
    ann = lone_server.guest()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        body = b'{"game": "toy", "scenario": "line"}'
        headers = {"content-type": kind}
        url = f"{lone_server.url}/api/games"
        answer = httpx.post(url, content=body, headers=headers, cookies=dict(ann.http.cookies))
        assert answer.status_code == 403, kind
    assert ann.get("/api/games", list="mine") == []


def test_no_other_site_is_let_in_by_preflight(lone_server: Served) -> None:
    headers = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    answer = httpx.options(f"{lone_server.url}/api/games", headers=headers)
    assert not [name for name in answer.headers if name.startswith("access-control")]


# Sizes


def test_a_body_without_a_length_is_cut_off(lone_server: Served) -> None:
    """Chunked, so that nothing but counting tells how long it is."""
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    sent = 0

    def flood() -> Iterator[bytes]:
        nonlocal sent
        yield b'{"text": "'
        for _ in range(400):
            sent += 100_000
            yield b"x" * 100_000

    try:
        answer = ann.http.put(f"/api/games/{game}/notes", content=flood())
        assert answer.status_code == 413
    except httpx.TransportError:
        assert sent < 40_000_000  # the server hung up
    assert ann.get(f"/api/games/{game}/notes")["text"] == ""


def test_text_has_its_limits(lone_server: Served) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    path = f"/api/games/{game}"
    ann.post(f"{path}/chat", {"text": "x" * 2001}, 400)
    ann.put(f"{path}/notes", {"text": "x" * 20001}, 400)
    ann.post(f"{path}/rename", {"name": "x" * 101}, 400)
    ann.post("/api/games", {"game": "toy", "scenario": "line", "name": "x" * 101}, 400)
    Person(lone_server.url).post("/api/account/register", {"name": "x" * 41, "password": "y" * 8}, 400)
    Person(lone_server.url).post("/api/account/register", {"name": "x", "password": "y" * 201}, 400)
    ann.put("/api/me/settings", {"notify_urls": ["discord://x/y"] * 6}, 400)
    ann.get(f"{path}/about", 400, action="x" * 400)


HEAD = b"GET /health HTTP/1.1\r\nhost: x\r\n"


@pytest.mark.parametrize("start", [HEAD + b"x-long: ", HEAD + b"x-y: z\r\n" * 3000, b"GET /health?"])
def test_endless_headers_are_cut_off(lone_server: Served, start: bytes) -> None:
    host, port = lone_server.address.split(":")
    with socket.create_connection((host, int(port)), timeout=10) as sock, pytest.raises(ConnectionError):
        _send_on(sock, start)


def _send_on(sock: socket.socket, start: bytes) -> None:
    sock.sendall(start)
    for _ in range(5000):
        sock.sendall(b"a" * 10_000)


def test_long_bodies_and_many_requests_are_not_taken_for_long_heads(lone_server: Served) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    for _ in range(4):
        ann.put(f"/api/games/{game}/notes", {"text": "x" * 19000 + "é" * 900})
    assert len(ann.get(f"/api/games/{game}/notes")["text"]) == 19900
    refused = ann.http.post("/api/games/import", content=b"x" * 3_000_000)
    assert refused.status_code == 422


def test_a_live_connection_takes_no_long_messages(lone_server: Served) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    with ann.live(game, "red") as live:
        live.next()
        live.socket.send("hello")  # is read and dropped
        live.socket.send("x" * 100_000)
        with pytest.raises(ConnectionClosed) as caught:
            live.next()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


def test_refusals_have_the_headers_too(lone_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    answers = [
        ann.http.put(f"/api/games/{game}/notes", content=b"x" * 300_000),
        ann.http.patch(f"/api/games/{game}"),
        httpx.post(f"{lone_server.url}/api/games", json={}),
        ann.http.post("/api/games", content=b"{"),
    ]
    monkeypatch.setattr("sandtable.server.table.looks.table_state", broken)
    answers.append(ann.http.get(f"/api/games/{game}/table"))
    assert [answer.status_code for answer in answers] == [413, 405, 403, 400, 500]
    for answer in answers:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"


# Floods


@pytest.fixture
def strict(toys: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server with limits that are reached soon, and then for long."""
    few = Rate(4, 0.001)
    for where in ("door.security.POST", "routes.games.CREATE", "routes.games.CHAT"):
        monkeypatch.setattr(f"sandtable.server.{where}", few if where != "door.security.POST" else Rate(12, 0.001))
    monkeypatch.setattr("sandtable.server.door.security.READ", Rate(30, 0.001))
    monkeypatch.setattr("sandtable.server.routes.account.GUESTS", few)
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN", Rate(10, 0.001))
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN_NAME", Rate(10, 0.001))
    with served(quick_settings(f"sqlite:///{tmp_path / 'x.db'}", limits=True)) as server:
        yield server


def statuses(many: int, ask: Any) -> list[int]:
    return [ask().status_code for _ in range(many)]


def test_posting_creating_talking_and_reading_have_their_limits(strict: Served) -> None:
    ann, bob = strict.guest(), strict.guest()
    made = statuses(5, lambda: ann.http.post("/api/games", json={"game": "toy", "scenario": "line", "seats": BOTH}))
    assert made == [201] * 4 + [429]
    game = ann.get("/api/games", list="mine")[0]["id"]
    chat = f"/api/games/{game}/chat"
    assert statuses(5, lambda: ann.http.post(chat, json={"text": "x"})) == [201] * 4 + [429]
    wish = {"seat": "red", "length": 7, "key": "k", "action": {"do": "pass"}}
    posts = statuses(4, lambda: ann.http.post(f"/api/games/{game}/moves", json=wish))
    assert posts[0] == 409
    assert posts[-1] == 429
    assert statuses(32, lambda: ann.http.get("/api/me"))[-1] == 429
    assert bob.http.get("/api/me").status_code == 200  # everybody has his own
    answer = ann.http.get("/api/me")
    assert answer.json()["code"] == "too_many"
    assert int(answer.headers["retry-after"]) >= 1
    with pytest.raises(ConnectionClosed) as caught, ann.live(game, "red") as live:
        live.next()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4429
    guests = statuses(3, lambda: httpx.post(f"{strict.url}/api/account/guest", json={}, headers=OWN))
    assert guests == [201, 201, 429]


def test_one_name_cannot_be_tried_from_many_addresses(strict: Served) -> None:
    def attempt(number: int) -> int:
        headers = {**OWN, "x-forwarded-for": f"203.0.113.{number}"}
        body = {"name": "Victim", "password": f"guess {number}"}
        return httpx.post(f"{strict.url}/api/account/login", json=body, headers=headers).status_code

    tried = [attempt(number) for number in range(12)]
    assert tried[:10] == [401] * 10
    assert tried[-1] == 429


# The log


def test_a_failed_statement_is_logged_without_its_values(
    lone_server: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = lone_server.guest()
    row = {"token": "a session nobody may know", "account_id": "nobody", "created": 0.0, "expires": 0.0}

    async def fails(*_: Any) -> None:
        async def job(connection: Any) -> None:
            await connection.execute(insert(schema.sessions), [row])

        await lone_server.house.database.write(job)

    monkeypatch.setattr(lone_server.house, "record", fails)
    game = ann.http.post("/api/games", json={"game": "toy", "scenario": "line"})
    assert game.status_code == 500
    logged = "\n".join(JsonLines().format(record) for record in caplog.records)
    assert "IntegrityError" in logged
    assert row["token"] not in logged + game.text


def test_addresses_that_are_like_passwords_are_not_logged(
    lone_server: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = lone_server.guest()
    for scheme in ("https", "discord", "mailtos", "ntfy", "http", ""):
        for rest in ("hush-hush", "hush-hush/", "hush-hush@", "a/hush-hush/b?x=%zz", ""):
            answer = ann.http.put("/api/me/settings", json={"notify_urls": [f"{scheme}://{rest}"]})
            assert answer.status_code in (200, 422)
            assert "hush" not in answer.text or answer.status_code == 200
    notices = lone_server.house.notices
    row = SimpleNamespace(id=1, account_id="ann", game_id=None, title="title", body="body")
    for url in ("https://hush-hush.invalid/hush", "https://localhost.invalid:8443/hush"):
        assert in_server(lone_server, notices._send(row, url, time.time() + 60)) == "Refusal"
    assert "hush" not in "\n".join(JsonLines().format(record) for record in caplog.records)


def test_a_whole_server_tells_no_secrets(tmp_path: Path) -> None:
    """Everything that a process writes at its most talkative, searched for what was secret in it."""
    env = own_environment(f"sqlite:///{tmp_path / 'x.db'}", SANDTABLE_LOG_LEVEL="debug", SANDTABLE_BRAINS="1")
    env |= {"SANDTABLE_MAIL_URL": "smtp://mailer:hush-mail@127.0.0.1:9?from=a@b.example"}
    log = tmp_path / "log"
    with log.open("w") as file:
        command = [sys.executable, "-m", "sandtable.cli", "serve", "--port", "0"]
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=file, text=True)
        try:
            assert process.stdout is not None
            port = process.stdout.readline().split("localhost:")[1].split("/")[0]
            url = f"http://127.0.0.1:{port}"
            ann = Person(url).register("Ann Logged", "hush-password")
            settings = {"email": "hush@mail.example", "notify_urls": ["discord://12345/hush-hook"]}
            ann.put("/api/me/settings", settings)
            made = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "invite"}, watch="players")
            game = made["id"]
            invite = made["seats"][1]["invite"]
            bob = Person(url).guest("Bob")
            bob.get(f"/api/games/{game}", invite=invite)
            bob.get(f"/api/games/{game}", 404, invite="hush-wrong")
            bob.post(f"/api/games/{game}/join", {"invite": invite})
            bob.http.post("/api/account/login", json={"name": "Ann Logged", "password": "hush-guess"})
            ann.put(f"/api/games/{game}/notes", {"text": "hush-notes"})
            ann.post(f"/api/games/{game}/chat", {"text": "hush-chat"}, 201)
            ann.http.post(f"/api/games/{game}/moves", content=b'{"seat": "hush-body"')
            ann.http.post("/api/games/import", content=b"hush-save")
            rng = Random(1)
            for _ in range(20):
                turn = ann.record(game)["to_act"]
                person = ann if turn == "axis" else bob
                with person.live(game, turn) as live:
                    live.next()
                person.step(game, rng, turn)
            ann.post(f"/api/games/{game}/resign", {})
            seed = ann.record(game)["seed"]
        finally:
            process.terminate()
            process.wait(20)
    text = log.read_text()
    assert len([line for line in text.splitlines() if json.loads(line)["message"] == "request"]) > 50
    sessions = [person.http.cookies["sandtable_session"] for person in (ann, bob)]
    for secret in (*sessions, invite, seed, "hush"):
        assert secret not in text


def test_a_database_that_cannot_be_reached_is_named_without_its_password(tmp_path: Path) -> None:
    env = own_environment("postgresql://sandtable:hush-hush@127.0.0.1:9/none")
    command = [sys.executable, "-m", "sandtable.cli", "serve", "--port", "0"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "the database cannot be used" in done.stderr
    assert "hush" not in done.stdout + done.stderr
