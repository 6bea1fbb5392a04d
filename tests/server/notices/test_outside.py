"""No player has the server knock at doors of its own network, read its files, or go where it was not asked to."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from sqlalchemy import select

from sandtable.server.notices import outside, queue
from sandtable.server.notices.mail import MailError, mail_server
from sandtable.server.notices.outside import BadAddress, Outside, Refusal, Where, is_outside, where
from sandtable.server.notices.targets import Discord, Webhook, hook, target
from sandtable.server.people.lanes import Lanes, Late
from sandtable.server.storage import schema

from ..kit import Served, in_server, quick_settings, served, wait_for

INSIDE = [
    "discord://1234/token?template=http://127.0.0.1:8000/x.json",
    "discord://1234/token?template=/etc/passwd",
    "https://discord.com/api/webhooks/1234/token?template=/etc/passwd",
    "https://discord.com/login",
    "mailtos://user:pass@example.org?smtp=127.0.0.1",
    "mailto://127.0.0.1",
    "signals://127%2e0%2e0%2e1/1/2",
    "json://example.org/hook",
    "file:///etc/passwd",
    "http://example.org/hook",
    "https://127.0.0.1/hook",
    "https://127%2e0%2e0%2e1/hook",
    "https://[::1]/hook",
    "https://[::ffff:127.0.0.1]/hook",
    "https://2130706433/hook",
    "https://0x7f.1/hook",
    "https://localhost/hook",
    "https://user:password@example.org/hook",
    "https://example.org:22/hook",
    "https://example.org:99999/hook",
    "https://example.org/hook#part",
    "https://example.org/a b",
    "https://example.org/a\r\nx-header: 1",
    "https://example.org\\@127.0.0.1/",
    "https:///hook",
    "//example.org/hook",
    "example.org",
    "",
]


@pytest.mark.parametrize("url", INSIDE)
def test_only_plain_parts_of_a_public_address_are_taken(lone_server: Served, url: str) -> None:
    with pytest.raises(BadAddress):
        hook(url)
    refused = lone_server.guest().put("/api/me/settings", {"notify_urls": [url]}, 422)
    assert refused["code"] == "notify"


def test_what_is_taken_is_built_from_its_parts() -> None:
    assert hook("https://hooks.example.org:8443/a/b?c=d") == Webhook(Where("hooks.example.org", 8443, "/a/b?c=d"))
    assert hook("https://BÜCHER.example/x") == Webhook(Where("xn--bcher-kva.example", 443, "/x"))
    assert hook("https://discord.com/api/webhooks/12/a-b_c") == Discord("12", "a-b_c")
    assert Discord("12", "t").where == Where("discord.com", 443, "/api/webhooks/12/t")
    with pytest.raises(BadAddress):
        target("mail:bob@example.org\r\nBcc: all@example.org")


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("10.0.0.8", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("fec0::1", False),
        ("64:ff9b:1::7f00:1", False),
        ("::127.0.0.1", False),
        ("ff02::1", False),
        ("::ffff:10.0.0.8", False),
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::5db8:d70e", True),
        ("2002:7f00:1::", False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
    ],
)
def test_addresses_of_the_public_network(address: str, good: bool) -> None:
    from ipaddress import ip_address

    assert is_outside(ip_address(address)) == good


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names are looked up here: each question gets the next answer, the last one again and again."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        if not found:
            raise socket.gaierror("no such name")
        return [(socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(outside, "getaddrinfo", getaddrinfo)
    return asked


def connecting(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, str | None]]:
    """Whom a connection was opened to."""
    opened: list[tuple[str, int, str | None]] = []

    async def open_connection(host: str, port: int, server_hostname: str | None = None, **_: Any) -> Any:
        opened.append((host, port, server_hostname))
        raise ConnectionRefusedError

    monkeypatch.setattr(outside.asyncio, "open_connection", open_connection)
    return opened


def sent(url: str) -> None:
    async def go() -> None:
        way = Outside()
        try:
            await way.post(where(url), {}, b"{}")
        finally:
            way.close()

    asyncio.run(go())


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"], ["::ffff:169.254.169.254"], []],
)
def test_names_of_the_local_network_are_not_connected_to(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    """Also if only one of the addresses is inside, and if the name is not known: nothing is sent then."""
    resolving(monkeypatch, addresses)
    opened = connecting(monkeypatch)
    with pytest.raises(Refusal):
        sent("https://hooks.example.org/x")
    assert opened == []


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers otherwise when it is asked again (DNS rebinding) changes nothing."""
    asked = resolving(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    opened = connecting(monkeypatch)
    with pytest.raises(Refusal):
        sent("https://hooks.example.org/x")
    assert asked == ["hooks.example.org"]
    assert opened == [("93.184.215.14", 443, "hooks.example.org")]


class Elsewhere:
    """A service that sends everybody on to another door of this machine, and the door."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        this = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                this.asked.append(self.path)
                self.send_response(307 if self.path == "/hook" else 200)
                self.send_header("location", f"http://127.0.0.1:{this.server.server_port}/inside")
                self.send_header("content-length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    made = Elsewhere()
    yield made
    made.server.shutdown()


def test_redirects_are_not_followed(elsewhere: Elsewhere) -> None:
    async def go() -> int:
        way = Outside(private=True)
        return await way.post(where(f"http://127.0.0.1:{elsewhere.server.server_port}/hook", True), {}, b"{}")

    assert asyncio.run(go()) == 307
    assert elsewhere.asked == ["/hook"]


def outbox(server: Served) -> list[Any]:
    async def ask() -> list[Any]:
        async with server.house.database.read() as connection:
            return list((await connection.execute(select(schema.outbox))).all())

    found: list[Any] = in_server(server, ask())
    return found


def test_a_server_sends_nothing_into_its_own_network(
    toys: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a guest's settings to the queue: the name is good, its address is not."""
    url = f"sqlite:///{tmp_path_factory.mktemp('inside') / 'x.db'}"
    with served(quick_settings(url, notify_delay=0.0)) as server:
        opened = connecting(monkeypatch)
        resolving(monkeypatch, ["10.0.0.8"])
        ann, bob = server.guest("Ann"), server.guest("Bob")
        bob.put("/api/me/settings", {"notify_urls": ["https://inside.example.org/hook"]})
        endpoint = {"endpoint": "http://127.0.0.1/push", "keys": {"p256dh": "x", "auth": "y"}}
        assert bob.put("/api/me/settings", {"push": [endpoint]}, 422)["code"] == "notify"
        game = ann.create(seats={"red": "me", "blue": "open"})["id"]
        bob.post(f"/api/games/{game}/join", {})
        ann.post(f"/api/games/{game}/resign", {})
        wait_for(lambda: [row for row in outbox(server) if row.tries], 20)
        assert [row.error for row in outbox(server)] == ["Refusal"]
        assert opened == []


# Slow services


class Tarpit:
    """A service that takes everything and never answers."""

    def __init__(self) -> None:
        self.sock = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = self.sock.getsockname()[1]
        self.held: list[socket.socket] = []
        threading.Thread(target=self._hold, daemon=True).start()

    def _hold(self) -> None:
        while True:
            try:
                self.held.append(self.sock.accept()[0])
            except OSError:
                return

    def close(self) -> None:
        self.sock.close()
        for one in self.held:
            one.close()


@pytest.fixture
def tarpit() -> Iterator[Tarpit]:
    made = Tarpit()
    yield made
    made.close()


def test_slow_services_hold_up_neither_log_ins_nor_other_services(
    toys: None, tarpit: Tarpit, elsewhere: Elsewhere, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('slow') / 'x.db'}"
    with served(quick_settings(url, notify_delay=0.0, notify_private=True)) as server:
        ann, bob, eve = server.guest("Ann"), server.guest("Bob"), server.guest("Eve")
        eve.put("/api/me/settings", {"notify_urls": [f"http://127.0.0.1:{tarpit.port}/{n}" for n in range(5)]})
        bob.put("/api/me/settings", {"notify_urls": [f"http://localhost:{elsewhere.server.server_port}/bob"]})
        carl = server.guest()
        carl.register("Carl the Slow")
        for holder in [eve] * 12 + [bob]:
            game = ann.create(seats={"red": "me", "blue": "open"})["id"]
            holder.post(f"/api/games/{game}/join", {})
            ann.post(f"/api/games/{game}/resign", {})
        wait_for(lambda: len(tarpit.held) >= queue.ABREAST)
        begin = time.monotonic()
        carl.post("/api/account/login", {"name": "Carl the Slow", "password": "correct horse"})
        assert time.monotonic() - begin < 3
        wait_for(lambda: "/bob" in elsewhere.asked, 5)
        assert len(tarpit.held) == queue.ABREAST


def test_a_lane_has_an_end() -> None:
    """Who has as many notices wait as the lane holds gets no more into it; other lanes do not notice."""

    async def go() -> None:
        line = Lanes(queue.ABREAST, queue.WAITING, queue.TOGETHER)
        gate = asyncio.Event()

        async def slow() -> str:
            await gate.wait()
            return "slow"

        async def quick() -> str:
            return "quick"

        soon = time.time() + 60
        waiting = [asyncio.create_task(line.run("slow", slow, soon)) for _ in range(queue.WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Late):
            await line.run("slow", slow, soon)
        assert await line.run("quick", quick, soon) == "quick"
        with pytest.raises(Late):
            await line.run("quick", quick, time.time() - 1)
        gate.set()
        assert await asyncio.gather(*waiting) == ["slow"] * queue.WAITING
        assert line._lanes == {}

    asyncio.run(go())


# The operator's mail server


@pytest.mark.parametrize(
    "url",
    ["mailtos://a:b@example.org", "smtp://", "smtp://h?from=nobody", "smtp://h:x?from=a@b.example", "smtp://h?a=b"],
)
def test_a_mail_server_that_makes_no_sense_is_named_at_the_start(url: str) -> None:
    with pytest.raises(MailError):
        mail_server(url)


def test_a_mail_server_has_its_usual_ports() -> None:
    assert mail_server("smtp://mail.example?from=a@b.example").port == 587
    found = mail_server("smtps://me%40b.example:pass%20word@mail.example?from=Table+%3Ca@b.example%3E")
    assert (found.port, found.tls, found.user, found.password) == (465, True, "me@b.example", "pass word")
    assert found.sender == "Table <a@b.example>"


def test_addresses_of_old_kinds_leave_the_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Services that are not sent to any more must not keep their players from changing anything else."""
    from alembic import command

    from sandtable.server.storage.database import create_engine
    from sandtable.server.storage.migrate import config, migrate_async

    url = f"sqlite:///{tmp_path_factory.mktemp('old') / 'x.db'}"
    old = {"theme": "dark", "notify_urls": ["ntfys://topic", "discord://12/ab", "https://h.example/x", "discord://x"]}

    def to(connection: Any) -> None:
        made = config()
        made.attributes["connection"] = connection
        command.upgrade(made, "0003")

    async def go() -> Any:
        engine = create_engine(url)
        account = {"id": "a", "name": "Ann", "guest": True, "settings": json.dumps(old), "created": 0.0}
        async with engine.begin() as connection:
            await connection.run_sync(to)
            await connection.execute(schema.accounts.insert(), [account])
        await migrate_async(url)
        async with engine.begin() as connection:
            found = (await connection.execute(select(schema.accounts.c.settings))).scalar_one()
        await engine.dispose()
        return json.loads(found)

    assert asyncio.run(go()) == old | {"notify_urls": ["discord://12/ab", "https://h.example/x"]}
