"""`sandtable serve --workers 2`: real processes on one database, which hear of each other through channels."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from .. import redis
from ..conftest import fresh_database
from ..kit import Live, Person, own_environment, wait_for

SOON = 30.0
"""Seconds; a connection that hears nothing looks for itself only after three times as many."""
SIDES = ("axis", "commonwealth")


class Workers:
    """A server of two worker processes behind one port."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def pids(self) -> list[int]:
        """The processes that answer: the children that hold the listening socket."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        listening = _inode(self.port, 0)
        return [int(child) for child in children if listening in _sockets(int(child))]

    def behind(self, local: socket.socket) -> int:
        """The process at the other end of a connection."""
        inode = wait_for(lambda: _inode(self.port, local.getsockname()[1]))
        return int(wait_for(lambda: next((pid for pid in self.pids() if inode in _sockets(pid)), 0)))

    def person(self, pid: int, like: Person | None = None) -> Person:
        """Somebody whose connection is answered by this worker."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            person = Person(self.url)
            if like is not None:
                person.http.cookies, person.me = like.http.cookies, like.me
            answer = person.http.get("/health")
            if self.behind(answer.extensions["network_stream"].get_extra_info("socket")) == pid:
                return person
            person.http.close()
        raise AssertionError("no connection came to that worker")

    @contextmanager
    def live(self, person: Person, game: str, seat: str, pid: int) -> Iterator[Live]:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with person.live(game, seat) as live:
                if self.behind(live.socket.socket) == pid:
                    yield live
                    return
        raise AssertionError("no connection came to that worker")


def _inode(port: int, other: int) -> str:
    """The server's own socket of a connection to its port, or with 0 the one that listens."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        ports = [int(field.split(":")[1], 16) for field in fields[1:3]]
        if ports == [port, other]:
            return fields[9]
    return ""


def _sockets(pid: int) -> set[str]:
    found = set()
    for fd in Path(f"/proc/{pid}/fd").glob("*"):
        try:
            found.add(os.readlink(fd).removeprefix("socket:[").removesuffix("]"))
        except OSError:
            continue
    return found


@contextmanager
def workers(url: str, channels: str) -> Iterator[Workers]:
    env = own_environment(url, SANDTABLE_LOG_LEVEL="warning", SANDTABLE_BRAINS="1", SANDTABLE_CHANNELS=channels)
    command = [sys.executable, "-m", "sandtable.cli", "serve", "--port", "0", "--workers", "2"]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("localhost:")[1].split("/")[0])
        server = Workers(process, port)
        wait_for(lambda: len(server.pids()) == 2, 30)
        for pid in server.pids():
            server.person(pid).get("/health")
        yield server
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module", params=["postgresql", "redis", "redis, the games on SQLite"])
def two(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    kind: str = request.param
    if not Path("/proc/net/tcp").exists():
        pytest.skip("which process answers is read from /proc")
    folder = tmp_path_factory.mktemp("workers")
    url = fresh_database(request, folder, "sqlite" if kind.endswith("SQLite") else "postgresql")
    if kind == "postgresql":
        with workers(url, "") as server:
            yield server
        return
    with redis.running() as channels, workers(url, channels) as server:
        yield server


def test_players_on_two_workers_see_each_other_move(two: Workers) -> None:
    here, there = two.pids()
    ann = two.person(here).guest("Ann")
    bob = two.person(there).guest("Bob")
    game = ann.create("rommel", "battleaxe", seats={SIDES[0]: "me", SIDES[1]: "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    rng = Random(2)
    with two.live(ann, game, SIDES[0], here) as red, two.live(bob, game, SIDES[1], there) as blue:
        red.next()
        blue.next()
        seen = {0: 0, 1: 0}
        for _ in range(300):
            turn = ann.record(game)["to_act"]
            if min(seen.values()) >= 5:
                break
            mover = SIDES.index(turn)
            person, listener = ((ann, blue), (bob, red))[mover]
            other = ((bob, SIDES[1]), (ann, SIDES[0]))[mover]
            before = other[0].table(game, other[1])["length"]
            person.step(game, rng, turn)
            after = other[0].table(game, other[1])["length"]
            if after > before:
                listener.until(after, SOON)
                seen[1 - mover] += 1
        assert min(seen.values()) >= 5, seen
        ann.post(f"/api/games/{game}/chat", {"text": "well played"}, 201)
        assert blue.next("chat", SOON)["chat"][-1]["text"] == "well played"
        bob.post(f"/api/games/{game}/resign", {})
        while red.next(timeout=SOON)["status"] != "finished":
            pass


def test_a_move_sent_to_both_workers_is_taken_once(two: Workers) -> None:
    here, there = two.pids()
    ann = two.person(here).guest("Ann")
    again = two.person(there, like=ann)
    game = ann.create("rommel", "battleaxe", seats={SIDES[0]: "me", SIDES[1]: "me"})["id"]
    for number in range(6):
        table = ann.table(game)
        action, seat = table["actions"][0]["action"], table["to_act"]
        wish = {"seat": seat, "length": table["length"], "key": f"k{number}", "action": action}
        first = ann.post(f"/api/games/{game}/moves", wish, 200)
        assert again.post(f"/api/games/{game}/moves", wish, 200) == first
        assert again.post(f"/api/games/{game}/moves", wish | {"key": "other"}, 409)["code"] == "stale"


def test_the_computer_answers_whichever_worker_was_asked(two: Workers) -> None:
    """Each turn of the computer may come up in another process than the last; and one of them is killed."""
    here, there = two.pids()
    ann = two.person(here).guest("Ann")
    hands = [ann, two.person(there, like=ann)]
    game = ann.create("rommel", "battleaxe", seats={SIDES[0]: "me", SIDES[1]: "random"})["id"]
    rng = Random(3)
    turns = 0
    for step in range(400):
        if turns >= 8:
            break
        wait_for(lambda: ann.record(game)["to_act"] in (SIDES[0], None), 20)
        hand = hands[step % 2]
        moved = hand.step(game, rng, SIDES[0])
        turns += moved["table"]["to_act"] == SIDES[1]
    assert turns >= 8
    os.kill(there, signal.SIGKILL)
    fresh = wait_for(lambda: next((pid for pid in two.pids() if pid not in (here, there)), 0), 30)
    late = two.person(fresh, like=ann)
    wait_for(lambda: late.record(game)["to_act"] in (SIDES[0], None), 90)
    late.step(game, rng, SIDES[0])
