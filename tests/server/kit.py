"""A running server in this process, and people who use it over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from sandtable.server.app import create_app
from sandtable.server.run import DOOR, listen
from sandtable.server.settings import Settings

OWN = {"x-sandtable": "1"}
Json = dict[str, Any]


def quick_settings(url: str, **changes: Any) -> Settings:
    """Settings for tests: cheap passwords, no rate limits, few processes."""
    settings = Settings(
        database_url=url,
        limits=False,
        hash_cost=1,
        hash_memory=64,
        brains=1,
        log_level="error",
        notify_every=0.2,
    )
    return replace(settings, **changes)


class Served:
    """A server in a thread."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sock = listen("127.0.0.1", 0)
        self.address = f"127.0.0.1:{self.sock.getsockname()[1]}"
        self.url = f"http://{self.address}"
        self.app: Any = create_app(settings)
        self.server = uvicorn.Server(uvicorn.Config(self.app, loop="asyncio", **DOOR))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.sock]}, daemon=True)

    def start(self) -> None:
        self.thread.start()
        deadline = time.monotonic() + 20
        while not self.server.started:
            if time.monotonic() > deadline or not self.thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.01)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(120)  # what a loaded machine needs to end the processes of a server
        assert not self.thread.is_alive()

    @property
    def house(self) -> Any:
        return self.app.app.state.house

    def guest(self, name: str = "") -> Person:
        return Person(self.url).guest(name)


@contextmanager
def served(settings: Settings) -> Iterator[Served]:
    server = Served(settings)
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)  # server and client are threads of one process: let them take turns quickly
    server.start()
    try:
        yield server
    finally:
        server.stop()
        sys.setswitchinterval(before)


def one_by_one(rows: list[Json]) -> list[Json]:
    """The actions of a table one by one, as a client reads them."""
    found = []
    for row in rows:
        args, said = row.get("args", {}), row.get("said", [])
        many = max([1, *(len(values) for values in args.values() if isinstance(values, list))])
        for i in range(many):
            given = {name: values[i] if isinstance(values, list) else values for name, values in args.items()}
            item = {"action": {"do": row["do"], **given}, "text": " ".join([row["do"], *given.values()])}
            if "labels" in row:
                item["label"] = row["labels"][said[i] if said else 0]
            found.append(item)
    return found


class Person:
    """Somebody with a browser. Keeps every answer he was given."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, headers=OWN, timeout=120)
        self.heard: list[str] = []
        self.http.event_hooks["response"] = [self._hear]
        self.me: Json = {}

    def _hear(self, response: httpx.Response) -> None:
        response.read()
        self.heard.append(response.text)

    def guest(self, name: str = "") -> Person:
        self.me = self.post("/api/account/guest", {"name": name})
        return self

    def register(self, name: str | None = None, password: str = "correct horse") -> Person:
        name = name or f"user {uuid4().hex[:8]}"
        self.me = self.post("/api/account/register", {"name": name, "password": password})
        return self

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.http.get(path, params=query or None)
        return self._checked(answer, status)

    def post(self, path: str, data: Any = None, status: int | None = None, method: str = "POST") -> Any:
        answer = self.http.request(method, path, json={} if data is None else data)
        return self._checked(answer, status)

    def put(self, path: str, data: Any, status: int = 200) -> Any:
        return self.post(path, data, status, "PUT")

    def _checked(self, answer: httpx.Response, status: int | None) -> Any:
        good = answer.status_code in (200, 201, 204) if status is None else answer.status_code == status
        assert good, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:500]}"
        kind = answer.headers.get("content-type", "")
        found = answer.json() if answer.content and "/json" in kind else answer.text
        for table in (found, found.get("table")) if isinstance(found, dict) else ():
            if isinstance(table, dict) and "to_act" in table and "actions" in table:
                table["actions"] = one_by_one(table["actions"])
        return found

    # Games

    def create(self, game: str = "toy", scenario: str = "line", **wishes: Any) -> Json:
        made: Json = self.post("/api/games", {"game": game, "scenario": scenario, **wishes}, 201)
        return made

    def record(self, game_id: str) -> Json:
        found: Json = self.get(f"/api/games/{game_id}")
        return found

    def table(self, game_id: str, seat: str | None = None, status: int = 200) -> Json:
        query = {} if seat is None else {"seat": seat}
        found: Json = self.get(f"/api/games/{game_id}/table", status, **query)
        return found

    def move(
        self,
        game_id: str,
        seat: str,
        action: Json,
        length: int,
        key: str | None = None,
        status: int = 200,
    ) -> Json:
        wish = {"seat": seat, "length": length, "key": key or uuid4().hex, "action": action}
        moved: Json = self.post(f"/api/games/{game_id}/moves", wish, status)
        return moved

    def step(self, game_id: str, rng: Random, seat: str | None = None) -> Json:
        """Take any legal action of the seat that decides."""
        table = self.table(game_id, seat)
        action = rng.choice(table["actions"])["action"]
        return self.move(game_id, table["to_act"], action, table["length"])

    @contextmanager
    def live(self, game_id: str, seat: str | None = None, since: int = 0) -> Iterator[Live]:
        query = f"?since={since}" + ("" if seat is None else f"&seat={seat}")
        url = f"{self.url.replace('http', 'ws', 1)}/api/games/{game_id}/live{query}"
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        with connect(url, additional_headers={"cookie": cookies}, open_timeout=20, max_queue=None) as socket:
            yield Live(socket, self.heard)


class Live:
    """A live connection, read message by message."""

    def __init__(self, socket: ClientConnection, heard: list[str]) -> None:
        self.socket = socket
        self.heard = heard

    def next(self, kind: str = "events", timeout: float = 10) -> Json:
        """The next message of a kind; others are passed over."""
        while True:
            text = self.socket.recv(timeout=timeout)
            assert isinstance(text, str)
            self.heard.append(text)
            message: Json = json.loads(text)
            if message["kind"] == kind:
                return message

    def until(self, length: int, timeout: float = 10) -> list[Json]:
        """All events up to a length of the log."""
        events: list[Json] = []
        deadline = time.monotonic() + timeout
        while True:
            message = self.next(timeout=max(0.1, deadline - time.monotonic()))
            events += message.get("events", [])
            if message["length"] >= length:
                return events


def wait_for(condition: Any, seconds: float = 10) -> Any:
    """The first true value of the condition."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def in_server(server: Served, coroutine: Any) -> Any:
    """Run something in the server's own loop."""
    loop = server.house.database._task.get_loop()
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result(20)


def own_environment(url: str, **more: str) -> dict[str, str]:
    """The environment of a server in a process of its own."""
    given = {key: value for key, value in os.environ.items() if not key.startswith("SANDTABLE_")}
    return given | {"SANDTABLE_DATABASE_URL": url, "SANDTABLE_LIMITS": "no"} | more


def finish(person: Person, game_id: str, seed: int = 1) -> None:
    """Play a game of which somebody holds all seats to its end."""
    rng = Random(seed)
    while person.record(game_id)["to_act"] is not None:
        person.step(game_id, rng)
