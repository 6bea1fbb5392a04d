"""The server under load: many games at once, moving at random.

    python bench/server_load.py                      200 games of every pace below, on SQLite
    python bench/server_load.py --url postgresql://…  on a database of your own
    python bench/server_load.py --watchers 1000 --rate 100   the goal: 100 moves a second before 1,000 watchers
    python bench/server_load.py --postgres --workers 2 --thinking 10 --games 20 --pauses 2 --seconds 60
                                                     the goal: ten games against strong go on, and nobody else waits
    python bench/server_load.py --json

Every game has two players with a session and a connection each. A *paced* run lets each game move after
a random pause (of an exponential distribution, as people are), which shows how long a move takes for
those who play; a run *flat out* moves again at once, which shows how many moves the server can take. Watchers hold
live connections open, shared out over the games (or all to one of them), and hear of every move; each pace is then
run without them first, so that the report can say what one message to one of them costs.
With `--thinking N` somebody opens N more games against a level of the computer (`--level`) and answers its moves at
once and at random, so that it always thinks in some of them; what is measured is the requests of the others.
Server and players share the machine, and whatever else runs on it counts too: the report says how much that
was before it began. The aim is a p95 under 50 ms for those who play, on two cores that have nothing else to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec

AIM_MS = 50.0


class Row(msgspec.Struct):
    """The actions of one verb that may be taken: each argument's value in all of them, or in each."""

    do: str
    args: dict[str, str | list[str]] = {}

    @property
    def many(self) -> int:
        return max([1, *(len(values) for values in self.args.values() if isinstance(values, list))])


def any_action(rows: list[Row], rng: Random) -> dict[str, Any]:
    """One of these actions, each with the same chance."""
    [row] = rng.choices(rows, [row.many for row in rows])
    i = rng.randrange(row.many)
    return {"do": row.do} | {name: one[i] if isinstance(one, list) else one for name, one in row.args.items()}


class State(msgspec.Struct):
    """What a player needs of a table."""

    length: int
    to_act: str | None
    actions: list[Row]


class Answer(msgspec.Struct):
    """The answer to a move."""

    table: State


class Browser:
    """One player's connection: HTTP/1.1, kept open."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.cookie = ""
        self.requests = 0

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        data = b"" if body is None else msgspec.json.encode(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nx-sandtable: 1\r\n"
            f"content-type: application/json\r\ncontent-length: {len(data)}\r\ncookie: {self.cookie}\r\n\r\n"
        )
        self.writer.write(head.encode() + data)
        try:
            top = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):  # an idle connection was closed: a new one
            await self.open()
            self.writer.write(head.encode() + data)
            top = await self.reader.readuntil(b"\r\n\r\n")
        lines = top.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        self.requests += 1
        return int(lines[0].split()[1]), await self.reader.readexactly(int(headers["content-length"]))


class Thinking:
    """Games of one person against the computer, answered at once: they keep its processes at work."""

    def __init__(self, host: str, port: int, wish: dict[str, Any]) -> None:
        self.host, self.port, self.wish = host, port, wish
        self.side = next(side for side, who in wish["seats"].items() if who == "me")
        self.tasks: list[asyncio.Task[None]] = []
        self.turns = 0
        self.decisions = 0

    async def begin(self, games: int) -> None:
        self.tasks = [asyncio.create_task(self._play(number)) for number in range(games)]
        deadline = time.perf_counter() + 60
        while self.turns < games and time.perf_counter() < deadline:  # until each has answered a first time
            self.told()
            await asyncio.sleep(0.1)

    def told(self) -> None:
        """What went wrong in one of them."""
        for task in self.tasks:
            if task.done() and (error := task.exception()) is not None:
                raise error

    async def _play(self, number: int) -> None:
        me, rng, key = Browser(self.host, self.port), Random(f"thinking {number}"), 0
        await me.open()
        await me.ask("POST", "/api/account/guest", {})
        while True:
            status, body = await me.ask("POST", "/api/games", self.wish)
            assert status == 201, body
            game, length = json.loads(body)["id"], 0
            while True:
                status, body = await me.ask("GET", f"/api/games/{game}/table?seat={self.side}")
                assert status == 200, body
                table = msgspec.json.decode(body, type=State)
                self.decisions += max(0, table.length - length)
                length = table.length
                if table.to_act is None:
                    break
                if table.to_act != self.side:  # a look now and then, as a page without a live connection has it
                    await asyncio.sleep(1.0)
                    continue
                key += 1
                self.turns += 1
                action = any_action(table.actions, rng)
                move = {"seat": self.side, "length": table.length, "key": f"t{key}", "action": action}
                await me.ask("POST", f"/api/games/{game}/moves", move)

    async def end(self) -> None:
        self.told()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@dataclass
class Tally:
    """What was measured."""

    moves: list[float] = field(default_factory=list)
    requests: int = 0
    finished: int = 0
    refused: int = 0
    seconds: float = 0.0

    def report(self) -> dict[str, Any]:
        times = sorted(self.moves)

        def part(share: float) -> float:
            return round(times[min(len(times) - 1, int(share * len(times)))] * 1000, 1) if times else 0.0

        return {
            "moves": len(times),
            "moves_per_second": round(len(times) / self.seconds, 1),
            "requests_per_second": round(self.requests / self.seconds, 1),
            "p50_ms": part(0.5),
            "p95_ms": part(0.95),
            "p99_ms": part(0.99),
            "max_ms": round(times[-1] * 1000, 1) if times else 0.0,
            "refused": self.refused,
            "games_finished": self.finished,
        }


class Match:
    """One game and its two players."""

    def __init__(self, host: str, port: int, number: int, wish: dict[str, Any]) -> None:
        self.players = [Browser(host, port), Browser(host, port)]
        self.rng = Random(number)
        self.wish = wish
        self.keys = 0

    async def sit_down(self) -> None:
        for player in self.players:
            await player.open()
            await player.ask("POST", "/api/account/guest", {})
        await self.begin()

    async def begin(self) -> None:
        one, other = self.players
        status, body = await one.ask("POST", "/api/games", self.wish)
        assert status == 201, body
        record = json.loads(body)
        self.id = record["id"]
        self.sides = [seat["side"] for seat in record["seats"]]
        status, body = await other.ask("POST", f"/api/games/{self.id}/join", {"seat": self.sides[1]})
        assert status == 200, body
        await self.look(record["to_act"])

    async def look(self, side: str) -> None:
        player = self.players[self.sides.index(side)]
        status, body = await player.ask("GET", f"/api/games/{self.id}/table?seat={side}")
        assert status == 200, body
        self.table = msgspec.json.decode(body, type=State)

    async def move(self, tally: Tally) -> None:
        side = self.table.to_act
        if side is None:
            tally.finished += 1
            await self.begin()
            return
        self.keys += 1
        wish = {
            "seat": side,
            "length": self.table.length,
            "key": f"k{self.keys}",
            "action": any_action(self.table.actions, self.rng),
            "brief": True,
        }
        player = self.players[self.sides.index(side)]
        begin = time.perf_counter()
        status, body = await player.ask("POST", f"/api/games/{self.id}/moves", wish)
        tally.moves.append(time.perf_counter() - begin)
        if status != 200:
            tally.refused += 1
            await self.look(side)
            return
        self.table = msgspec.json.decode(body, type=Answer).table
        if self.table.to_act not in (None, side):
            await self.look(self.table.to_act)

    async def play(self, pause: float, until: float, tally: Tally) -> None:
        due = time.perf_counter()
        while True:
            if pause:  # after the last was due, not after it was answered: a slow server is not spared
                due += self.rng.expovariate(1 / pause)
                await asyncio.sleep(max(0.0, min(until, due) - time.perf_counter()))
            if time.perf_counter() >= until:
                return
            await self.move(tally)


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far, where the system tells."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


class Watchers:
    """Those who only look: each holds a live connection open."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.heard = 0
        self.bytes = 0
        self.tasks: list[asyncio.Task[None]] = []

    async def come(self, games: list[str]) -> None:
        for start in range(0, len(games), 50):
            opened = await asyncio.gather(*(self._open(game) for game in games[start : start + 50]))
            self.tasks += [asyncio.create_task(self._listen(reader)) for reader, _ in opened]
            self._kept = [*getattr(self, "_kept", []), *(writer for _, writer in opened)]

    async def _open(self, game: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A WebSocket by hand: what is heard is counted, not read, so that the machine measures the server.

        It offers to have messages compressed, as browsers do.
        """
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(
            f"GET /api/games/{game}/live?seat= HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nupgrade: websocket\r\n"
            "connection: Upgrade\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-extensions: permessage-deflate; client_max_window_bits\r\n"
            "sec-websocket-key: c2FuZHRhYmxlIGJlbmNoIQ==\r\n\r\n".encode()
        )
        top = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in top, top
        return reader, writer

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, size = await reader.readexactly(2)
                if size >= 126:
                    size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
                await reader.readexactly(size)
                self.heard += kind & 15 == 1
                self.bytes += size


async def run(
    host: str,
    port: int,
    pid: int,
    wish: dict[str, Any],
    games: int,
    pauses: list[float],
    seconds: float,
    watchers: int = 0,
    one: bool = False,
    thinking: int = 0,
    against: dict[str, Any] | None = None,
) -> Any:
    matches = [Match(host, port, number, wish) for number in range(games)]
    begin = time.perf_counter()
    for start in range(0, games, 20):
        await asyncio.gather(*(match.sit_down() for match in matches[start : start + 20]))
    report: dict[str, Any] = {"games": games, "watchers": watchers, "watched": "one" if one else "all"}
    report |= {"set_up_seconds": round(time.perf_counter() - begin, 1), "runs": []}
    thinkers = Thinking(host, port, against) if thinking and against is not None else None
    if thinkers is not None:
        await thinkers.begin(thinking)
    crowd = Watchers(host, port)
    alone = [await pace(pid, matches, pause, seconds, crowd) for pause in pauses] if watchers else []
    await crowd.come([matches[0 if one else n % games].id for n in range(watchers)])
    for n, pause in enumerate(pauses):
        found = await pace(pid, matches, pause, seconds, crowd)
        if alone:
            more = (found["server_cpu_ms"] - alone[n]["server_cpu_ms"]) * found["moves"]
            found |= {"p95_ms_unwatched": alone[n]["p95_ms"], "server_cpu_ms_unwatched": alone[n]["server_cpu_ms"]}
            found["server_cpu_us_heard"] = round(1000 * more / max(1, found["heard"]))
        if thinkers is not None:
            found["thinking_entries"], thinkers.decisions = thinkers.decisions, 0
        report["runs"].append(found)
    if thinkers is not None:
        await thinkers.end()
    return report


async def pace(pid: int, matches: list[Match], pause: float, seconds: float, crowd: Watchers) -> dict[str, Any]:
    """What is measured while all games move at one pace."""
    tally = Tally()
    for match in matches:
        for player in match.players:
            player.requests = 0
    cpu, crowd.heard, crowd.bytes = cpu_seconds(pid), 0, 0
    begin = time.perf_counter()
    await asyncio.gather(*(match.play(pause, begin + seconds, tally) for match in matches))
    tally.seconds = time.perf_counter() - begin
    tally.requests = sum(player.requests for match in matches for player in match.players)
    cost = (cpu_seconds(pid) - cpu) * 1000 / max(1, len(tally.moves))
    return {
        "pause_seconds": round(pause, 3),
        **tally.report(),
        "server_cpu_ms": round(cost, 2),
        "heard": crowd.heard,
        "heard_bytes": crowd.bytes,
    }


@contextmanager
def server(url: str, workers: int) -> Iterator[tuple[str, int, int]]:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "sandtable.cli", "serve", "--port", "0", "--database-url", url]
    command += ["--workers", str(workers)]
    env = os.environ | {"SANDTABLE_LIMITS": "no", "SANDTABLE_LOG_LEVEL": "warning"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        port = int(line.split("localhost:")[1].split("/")[0])
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                asyncio.run(_healthy(port))
                break
            except OSError:
                time.sleep(0.1)
        yield "127.0.0.1", port, process.pid
    finally:
        process.terminate()
        process.wait(20)


async def _healthy(port: int) -> None:
    browser = Browser("127.0.0.1", port)
    await browser.open()
    await browser.ask("GET", "/health")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="", help="the database; SQLite in a temporary folder if not given")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each run")
    parser.add_argument("--pauses", default="4,2,0", help="mean seconds between the moves of a game; 0: flat out")
    parser.add_argument("--rate", type=float, default=0.0, help="moves a second of all games together, for --pauses")
    parser.add_argument("--game", default="rommel")
    parser.add_argument("--scenario", default="1941")
    parser.add_argument("--watchers", type=int, default=0, help="live connections that look on")
    parser.add_argument("--one", action="store_true", help="all of them look at one game")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL for the run, as the tests have it")
    parser.add_argument("--thinking", type=int, default=0, help="further games in which the computer thinks")
    parser.add_argument("--level", default="strong", help="how strong it plays there")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    wish = {"game": given.game, "scenario": given.scenario, "seats": {}}
    from sandtable import registry

    sides = registry.get(given.game).info.sides
    wish["seats"] = {sides[0]: "me", sides[1]: "open"}
    against = {**wish, "seats": {sides[0]: "me", sides[1]: given.level}}
    pauses = [given.games / given.rate] if given.rate else [float(text) for text in given.pauses.split(",")]
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = given.url or f"sqlite:///{folder}/load.db"
        if given.postgres:
            url = _postgres(stack)
        with server(url, given.workers) as (host, port, pid):
            found = run(
                host,
                port,
                pid,
                wish,
                given.games,
                pauses,
                given.seconds,
                given.watchers,
                given.one,
                given.thinking,
                against,
            )
            report = asyncio.run(found)
    report["database"] = url.partition(":")[0]
    report["game"] = given.game
    report |= {"workers": given.workers, "cores": os.cpu_count(), "load_before": round(busy, 2), "aim_p95_ms": AIM_MS}
    if given.json:
        print(json.dumps(report, indent=2))
        return
    print(
        f"{report['games']} games of {report['game']} on {report['database']}, two players each, "
        f"{report['watchers']} watchers of {report['watched']} "
        f"({report['cores']} cores, load {report['load_before']} before it began):"
    )
    for one in report["runs"]:
        pace = f"a move every {one['pause_seconds']:g} s" if one["pause_seconds"] else "flat out"
        print(
            f"  {pace:>22}: {one['moves_per_second']:>6} moves/s, {one['requests_per_second']:>6} requests/s, "
            f"a move takes p50 {one['p50_ms']} ms, p95 {one['p95_ms']} ms, p99 {one['p99_ms']} ms, "
            f"at most {one['max_ms']} ms; {one['refused']} refused; {one['server_cpu_ms']} ms of processor a move; "
            f"watchers heard {one['heard']} times"
            + (f", at {one['server_cpu_us_heard']} µs of processor each" if "server_cpu_us_heard" in one else "")
            + (f"; the computer's games went on by {one['thinking_entries']}" if "thinking_entries" in one else "")
            + _aim(one)
        )


def _postgres(stack: ExitStack) -> str:
    """The database that the tests have."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.server.postgres import cluster, create_database

    return create_database(stack.enter_context(cluster()), "load")


def _aim(one: dict[str, Any]) -> str:
    if not one["pause_seconds"]:
        return ""
    return f"; p95 under {AIM_MS:g} ms: {'yes' if one['p95_ms'] < AIM_MS else 'no'}"


if __name__ == "__main__":
    main()
