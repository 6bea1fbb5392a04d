"""Killing the server while it is played on, and looking whether anything was lost or done twice.

python -m tests.server.crash --kills 1000                          on SQLite
python -m tests.server.crash --kills 1000 --database postgresql    on a PostgreSQL of its own
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx

from sandtable import registry
from sandtable.engine.log import read_log
from sandtable.engine.table import verify
from sandtable.server.table.live import LiveTable

from .kit import OWN, Json, one_by_one, own_environment
from .postgres import cluster, create_database

GAME, SCENARIO = "rommel", "1941"
SIDES = ("axis", "commonwealth")
ROUND = 25
"""Kills before new games are begun: at random they end after some hundred moves."""
PATIENCE = 240
"""Seconds that a loaded machine is given to start a server, or to play a few moves."""


def steady_port() -> int:
    """A free port that no outgoing connection is given while the server is down: those come from 32768 on."""
    for port in Random().sample(range(20000, 32000), 200):
        with socket.socket() as sock, suppress(OSError):
            sock.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


def serve_forked(env: dict[str, str], port: int) -> None:
    """The body of a server process that was forked from one that had loaded everything."""
    os.environ.update(env)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (for the length of the process)
    from sandtable.server.run import serve
    from sandtable.server.settings import SettingsError, from_environment

    while True:
        try:
            serve(from_environment(), "127.0.0.1", port)
        except SettingsError:  # the process that was killed has not quite let go of the port
            time.sleep(0.02)


class Killed:
    """A server in a process of its own that is killed and started again.

    `quick` forks it from a process that has loaded everything; otherwise it is the command line's own.
    """

    def __init__(self, url: str, quick: bool) -> None:
        self.quick = quick
        self.forks = multiprocessing.get_context("forkserver")
        if quick:
            self.forks.set_forkserver_preload(["sandtable.server.app", "sandtable.games.rommel.game", __name__])
        self.port = steady_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = url
        self.pid = 0
        self.wait: Callable[[], object] = lambda: None
        self.ended: Callable[[], int | None] = lambda: None
        self.kills = 0
        self.http = httpx.Client(base_url=self.url, timeout=10)
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115 (for the length of the games)

    def start(self) -> None:
        command = [sys.executable, "-m", "sandtable.cli", "serve", "--port", str(self.port)]
        env = own_environment(self.database, SANDTABLE_LOG_LEVEL="error", SANDTABLE_BRAINS="1")
        if self.quick:
            given = {key: value for key, value in env.items() if key.startswith("SANDTABLE_")}
            forked = self.forks.Process(target=serve_forked, args=(given, self.port), daemon=True)
            forked.start()
            assert forked.pid is not None
            self.pid, self.wait, self.ended = forked.pid, forked.join, lambda: forked.exitcode
        else:
            started = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=self.log)
            self.pid, self.wait, self.ended = started.pid, started.wait, started.poll
        deadline = time.monotonic() + PATIENCE
        while True:
            assert self.ended() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server did not answer"
            try:
                if self.http.get("/health").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)

    def said(self) -> str:
        """The last that the server has written."""
        self.log.seek(0)
        return self.log.read()[-6000:]

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.wait()
        self.kills += 1


class Player(threading.Thread):
    """Plays one game at random, holding on to its key whenever an answer does not come."""

    def __init__(self, server: Killed, number: int, computer: bool) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.computer = computer
        self.rng = Random(number)
        self.over = threading.Event()
        self.taken: list[tuple[int, str, str, int]] = []
        """Acknowledged: length before, side, action, length after (in the count of that side)."""
        self.repeated = 0
        self.fault = ""
        self.http = httpx.Client(base_url=server.url, headers=OWN, timeout=20)
        self.game = ""

    def sit_down(self) -> None:
        self.http.post("/api/account/guest", json={}).raise_for_status()
        seats = {SIDES[0]: "me", SIDES[1]: "random" if self.computer else "me"}
        made = self.http.post("/api/games", json={"game": GAME, "scenario": SCENARIO, "seats": seats})
        made.raise_for_status()
        self.game = made.json()["id"]

    def ask(self, method: str, path: str, body: Json | None = None) -> httpx.Response:
        """Ask until there is an answer: the same question, with the same key."""
        first = True
        while True:
            try:
                answer = self.http.request(method, f"/api/games/{self.game}{path}", json=body)
                if answer.status_code < 500:
                    return answer
                raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text}")
            except httpx.TransportError:
                self.repeated += first and method == "POST"
                first = False
                time.sleep(0.05)

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self.step()
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"

    def step(self) -> None:
        table = self.ask("GET", "/table").json()
        side = table["to_act"]
        if side is None:
            self.over.set()
            return
        if self.computer and side == SIDES[1]:
            time.sleep(0.01)
            return
        item = self.rng.choice(one_by_one(table["actions"]))
        key = f"{len(self.taken)}-{self.rng.getrandbits(32)}"
        wish = {"seat": side, "length": table["length"], "key": key, "action": item["action"]}
        answer = self.ask("POST", "/moves", wish)
        assert answer.status_code == 200, answer.text
        self.taken.append((table["length"], side, item["text"], answer.json()["length"]))

    def check(self) -> int:
        """Every acknowledged move is in the log once, in its place, and nothing else of this player is."""
        record: Any = self.ask("GET", "").json()
        if record["status"] not in ("finished", "abandoned"):
            self.ask("POST", "/resign", {"seat": SIDES[0]})
        log = read_log(self.ask("GET", "/export").text)
        report = verify(log, registry.get(GAME))
        assert report.ok, report.problems
        own = SIDES[:1] if self.computer else SIDES
        table = LiveTable.replay(log, registry.get(GAME))
        assert isinstance(table, LiveTable)
        told = table.told
        played = [
            (told.count(SIDES.index(entry.by), n), entry.by, entry.do)
            for n, entry in enumerate(log.entries)
            if entry.by in own
        ]
        assert [(length, by, do) for length, by, do, _ in self.taken] == played
        for (_, side, _, after), (before, again, _, _) in zip(self.taken, self.taken[1:], strict=False):
            assert before == after or self.computer or side != again
        return len(self.taken)


def kill_while_playing(
    url: str,
    kills: int,
    players: int,
    seed: int,
    quick: bool = False,
    between: tuple[int, int] = (5, 20),
    computer: bool = True,
) -> dict[str, int]:
    """Kill the server at random moments while games are played, one of them with a computer; returns what came of it.

    A moment is a number of moves after the last kill and a little more, so that a slow machine plays as much.
    """
    rng = Random(seed)
    server = Killed(url, quick)
    server.start()
    people = [Player(server, seed * 100 + number, computer=computer and number == 0) for number in range(players)]
    for player in people:
        player.sit_down()
        player.start()
    for _ in range(kills):
        enough = sum(len(player.taken) for player in people) + rng.randint(*between)
        deadline = time.monotonic() + PATIENCE
        while sum(len(player.taken) for player in people) < enough and not any(player.fault for player in people):
            assert time.monotonic() < deadline, "the games did not go on"
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.03))
        server.kill()
        server.start()
        faults = [player.fault for player in people if player.fault]
        assert not faults, f"{faults}\n{server.said()}"
    before = [len(player.taken) for player in people]
    deadline = time.monotonic() + PATIENCE
    while not all(len(p.taken) >= n + 3 or p.over.is_set() or p.fault for p, n in zip(people, before, strict=True)):
        assert time.monotonic() < deadline, "a game did not go on"
        time.sleep(0.05)
    for player in people:
        player.over.set()
    for player in people:
        player.join(PATIENCE)
        assert not player.fault, player.fault
    moves = sum(player.check() for player in people)
    server.kill()
    return {"kills": kills, "moves": moves, "repeated": sum(player.repeated for player in people)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--between", default="5,20", help="moves between two kills, the fewest and the most")
    parser.add_argument(
        "--people", action="store_true", help="no game against a computer, which has to start again too"
    )
    given = parser.parse_args()
    fewest, most = map(int, given.between.split(","))
    total = {"kills": 0, "moves": 0, "repeated": 0}
    with ExitStack() as stack:
        if given.database == "sqlite":
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            url = f"sqlite:///{Path(folder) / 'sandtable.db'}"
        else:
            url = create_database(stack.enter_context(cluster()), "crash")
        while total["kills"] < given.kills:
            kills = min(ROUND, given.kills - total["kills"])
            seed, computer = given.seed + total["kills"], not given.people
            done = kill_while_playing(url, kills, given.players, seed, True, (fewest, most), computer)
            total = {name: total[name] + done[name] for name in total}
            sys.stdout.write(f"{given.database}: {total}, none lost, none doubled\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
