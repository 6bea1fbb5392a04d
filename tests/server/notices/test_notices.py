"""Notifications and clocks, against a sink on this machine; nothing goes outside."""

from __future__ import annotations

import json
import re
import socketserver
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from random import Random
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sandtable import registry
from sandtable.server.notices import letters, queue, targets
from sandtable.server.notices.outside import Where
from sandtable.server.people.limits import Rate
from sandtable.server.table.away import digest
from sandtable.server.table.live import LiveTable

from ..kit import Person, Served, in_server, quick_settings, served, wait_for


class Sink:
    """A service that takes notices, or does not."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                sink.taken.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(sink.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def titles(self) -> list[str]:
        return [json.loads(body)["title"] for path, _, body in self.taken if path == "/hook"]


@pytest.fixture
def sink() -> Iterator[Sink]:
    made = Sink()
    yield made
    made.server.shutdown()


@pytest.fixture(scope="module")
def telling(toys: None, database_url: str) -> Iterator[Served]:
    changes = {
        "notify_private": True,
        "notify_delay": 0.0,
        "address": "https://table.example",
    }
    with served(quick_settings(database_url, **changes)) as running:
        yield running


def pair(server: Served, sink: Sink, **wishes: Any) -> tuple[Person, Person, str]:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    bob.put("/api/me/settings", {"notify_urls": [f"http://127.0.0.1:{sink.port}/hook"]})
    game = ann.create(seats={"red": "me", "blue": "open"}, name="Supper", **wishes)["id"]
    bob.post(f"/api/games/{game}/join", {})
    return ann, bob, game


def setup_red(ann: Person, game: str) -> None:
    for _ in range(3):
        ann.step(game, Random(1), "red")


def test_the_next_player_is_told(telling: Served, sink: Sink) -> None:
    ann, _, game = pair(telling, sink)
    setup_red(ann, game)
    wait_for(lambda: "Supper: it is your turn" in sink.titles())
    body = json.loads(sink.taken[-1][2])["message"]
    assert f"https://table.example/#/game/{game}" in body
    ann.post(f"/api/games/{game}/resign", {})
    wait_for(lambda: "Supper: the game is over" in sink.titles())


def test_who_is_there_or_does_not_want_it_is_not_told(telling: Served, sink: Sink) -> None:
    ann, bob, game = pair(telling, sink)
    with bob.live(game, "blue") as live:
        live.next()
        setup_red(ann, game)
        live.until(3)
        time.sleep(0.6)
    assert sink.titles() == []
    ann, bob, game = pair(telling, sink)
    bob.put(f"/api/games/{game}/settings", {"notify": False})
    assert not bob.record(game)["notify"]
    setup_red(ann, game)
    time.sleep(0.6)
    assert sink.titles() == []


@pytest.mark.parametrize("status", [503, 404, 302])
def test_what_fails_is_tried_again(telling: Served, sink: Sink, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """So is what leads elsewhere: nobody goes there."""
    monkeypatch.setattr(queue, "WAITS", (0.2, 0.2, 0.2))
    sink.status = status
    ann, _, game = pair(telling, sink)
    setup_red(ann, game)
    wait_for(lambda: len(sink.taken) >= 2)
    sink.status = 201
    before = len(sink.taken)
    wait_for(lambda: len(sink.taken) > before)
    time.sleep(0.6)
    assert len(sink.taken) == before + 1


class MailSink:
    """A mail server that takes every letter."""

    def __init__(self) -> None:
        self.letters: list[tuple[list[str], EmailMessage]] = []
        sink = self

        class Session(socketserver.StreamRequestHandler):
            def say(self, line: str) -> None:
                self.wfile.write(line.encode() + b"\r\n")

            def handle(self) -> None:
                self.say("220 sink")
                to: list[str] = []
                while line := self.rfile.readline().decode().strip():
                    word = line.split()[0].upper()
                    if word == "RCPT":
                        to.append(line.partition("<")[2].partition(">")[0])
                    elif word == "DATA":
                        self.say("354 go on")
                        text = b"".join(iter(self.rfile.readline, b".\r\n"))
                        letter = message_from_bytes(text, policy=policy.default)
                        assert isinstance(letter, EmailMessage)
                        sink.letters.append((to, letter))
                        to = []
                    elif word == "QUIT":
                        self.say("221 bye")
                        return
                    self.say("250 ok")

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def mail() -> Iterator[MailSink]:
    made = MailSink()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_players_with_an_address_get_letters(
    toys: None, mail: MailSink, sink: Sink, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """By the server's own account, which may be in its own network; nobody else's letters may."""
    url = f"sqlite:///{tmp_path_factory.mktemp('mail') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    with served(quick_settings(url, notify_delay=0.0, mail_url=own, address="https://table.example")) as server:
        ann, bob = server.guest("Ann"), server.guest("Bob")
        confirmed(bob, mail, "bob+war@players.example")
        mail.letters.clear()
        game = ann.create(seats={"red": "me", "blue": "open"}, name="Supper & more")["id"]
        bob.post(f"/api/games/{game}/join", {})
        setup_red(ann, game)
        to, letter = wait_for(lambda: mail.letters and mail.letters[-1], 20)
        assert to == ["bob+war@players.example"]
        assert letter["subject"] == "Supper & more: it is your turn"
        assert "table@sandtable.example" in letter["from"]
        body = letter.get_body()
        assert body is not None
        assert f"https://table.example/#/game/{game}" in body.get_content()
        assert len(mail.letters) == 1
        confirmed(ann, mail, "ann@players.example", notify=False)
        bob.post(f"/api/games/{game}/resign", {})
        time.sleep(1)
        assert len(mail.letters) == 2
        assert mail.letters[-1][1]["subject"] == CODE_TITLE


CODE_TITLE = "Your code for letters from Sandtable"


def confirmed(person: Person, mail: MailSink, email: str, **more: Any) -> str:
    """An address of somebody who reads what comes to it; the code."""
    before = len(mail.letters)
    person.put("/api/me/settings", {"email": email, **more})
    to, letter = wait_for(lambda: len(mail.letters) > before and mail.letters[-1], 20)
    assert (to, letter["subject"]) == ([email], CODE_TITLE)
    body = letter.get_body()
    assert body is not None
    code: str = body.get_content().split()[0]
    kept = person.put("/api/me/settings", {"email": email, "email_code": code, **more})["settings"]["email_code"]
    assert kept
    assert kept != code, "the code is good for a day, what is kept of it for ever"
    return code


def test_nobody_is_written_to_who_has_not_told_his_code(
    toys: None, mail: MailSink, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may give any address: one letter goes there, which nobody else has written, and few codes are sent."""
    url = f"sqlite:///{tmp_path_factory.mktemp('codes') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    monkeypatch.setattr("sandtable.server.notices.confirm.CODES", Rate(2, 0.0001))
    monkeypatch.setattr("sandtable.server.notices.confirm.GUESSES", Rate(4, 0.0001))
    with served(quick_settings(url, notify_delay=0.0, mail_url=own, limits=True)) as server:
        eve, mal = server.guest("Buy at evil.example"), server.guest()
        eve.put("/api/me/settings", {"email": "victim@players.example"})
        game = eve.create(seats={"red": "open", "blue": "me"}, name="Buy at evil.example")["id"]
        for _ in range(3):
            mal.post(f"/api/games/{game}/join", {})
            mal.post(f"/api/games/{game}/seats/red", {"to": "open"})
        [(to, letter)] = wait_for(lambda: list(mail.letters), 20)
        assert to == ["victim@players.example"]
        assert "evil" not in letter.as_string()
        eve.put("/api/me/settings", {"email": "victim@players.example", "theme": "dark"})
        time.sleep(1)
        assert len(mail.letters) == 1
        wrong = {"email": "victim@players.example", "email_code": "0"}
        assert [eve.http.put("/api/me/settings", json=wrong).status_code for _ in range(5)] == [422] * 4 + [429]
        eve.put("/api/me/settings", {"email": ""})
        again = [{"email": "victim@players.example"}, {"email": ""}, {"email": "Victim@players.example"}]
        assert [eve.http.put("/api/me/settings", json=wish).status_code for wish in again] == [200, 200, 429]
        assert mal.http.put("/api/me/settings", json={"email": "other@players.example"}).status_code == 429
        wait_for(lambda: len(mail.letters) == 2)


def test_no_box_is_filled_with_codes_from_many_places(
    toys: None, mail: MailSink, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By many accounts in many places, under all the names that one box has."""
    url = f"sqlite:///{tmp_path_factory.mktemp('codes') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    monkeypatch.setattr("sandtable.server.notices.confirm.CODES", Rate(2, 0.0001))
    with served(quick_settings(url, mail_url=own, limits=True)) as server:
        names = ("victim", "Victim+1", "VICTIM+2")
        sent = [
            server.guest().http.put(
                "/api/me/settings",
                json={"email": f"{name}@players.example"},
                headers={"x-forwarded-for": f"203.0.113.{number}"},
            )
            for number, name in enumerate(names)
        ]
        assert [answer.status_code for answer in sent] == [200, 200, 429]


def test_codes_are_not_guessed_by_many_accounts_of_one_place(
    toys: None, mail: MailSink, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('codes') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    monkeypatch.setattr("sandtable.server.notices.confirm.GUESSES", Rate(4, 0.0001))
    with served(quick_settings(url, mail_url=own, limits=True)) as server:
        guess = {"email": "victim@players.example", "email_code": "00000000"}
        people = [server.guest() for _ in range(3)]
        told = [one.http.put("/api/me/settings", json=guess).status_code for one in people for _ in range(2)]
        assert told == [422] * 4 + [429] * 2


def test_a_code_is_good_for_one_account_and_one_address(
    toys: None, mail: MailSink, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('codes') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    with served(quick_settings(url, mail_url=own)) as server:
        ann, bob = server.guest("Ann"), server.guest("Bob")
        code = confirmed(ann, mail, "ann@players.example")
        ann.put("/api/me/settings", {"email": "ann@players.example", "email_code": code, "theme": "dark"})
        for person, email in ((ann, "other@players.example"), (bob, "ann@players.example")):
            assert person.put("/api/me/settings", {"email": email, "email_code": code}, 422)["code"] == "code"
        assert ann.get("/api/me")["settings"]["email"] == "ann@players.example"


def test_a_code_is_good_for_a_day_and_then_another_comes(
    toys: None, mail: MailSink, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('codes') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    with served(quick_settings(url, mail_url=own)) as server:
        ann = server.guest("Ann")
        ann.put("/api/me/settings", {"email": "ann@players.example"})
        _, letter = wait_for(lambda: mail.letters and mail.letters[-1], 20)
        assert "It is good for a day." in letter.get_content()
        me, today = ann.get("/api/me")["id"], int(time.time() // 86400)
        codes = server.house.notices._codes
        of = [in_server(server, codes.of(me, "ann@players.example", today - age)) for age in range(3)]
        assert letter.get_content().split()[0] in of[:2]
        refused = ann.put("/api/me/settings", {"email": "ann@players.example", "email_code": of[2]}, 422)
        assert refused["why"] == "this code was good for a day: another has been sent to this address"
        _, again = wait_for(lambda: len(mail.letters) > 1 and mail.letters[-1], 20)
        code = again.get_content().split()[0]
        kept = ann.put("/api/me/settings", {"email": "ann@players.example", "email_code": code})["settings"]
        # What is kept is no code that could be told for another account, and no code confirms it again.
        assert kept["email_code"] not in of
        assert ann.put("/api/me/settings", kept)["settings"] == kept
        ann.put("/api/me/settings", {"email": ""})
        told = {"email": "ann@players.example", "email_code": kept["email_code"]}
        assert ann.put("/api/me/settings", told, 422)["code"] == "code"


def test_a_letter_is_in_the_language_of_whoever_gets_it(
    toys: None, mail: MailSink, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('ja') / 'x.db'}"
    own = f"smtp://127.0.0.1:{mail.port}?from=table@sandtable.example"
    with served(quick_settings(url, notify_delay=0.0, mail_url=own, address="https://table.example")) as server:
        ann, bob = server.guest("Ann"), server.guest("花子")
        bob.put("/api/me/settings", {"email": "hanako@players.example", "language": "ja"})
        _, letter = wait_for(lambda: mail.letters and mail.letters[-1], 20)
        assert letter["subject"] == "Sandtableからのメールの確認コード"
        assert "1日のあいだ有効です" in letter.get_content()
        code = letter.get_content().split()[0]
        bob.put("/api/me/settings", {"email": "hanako@players.example", "email_code": code, "language": "ja"})
        game = ann.create("caucasus", "first_battle", seats={"axis": "me", "soviet": "open"})["id"]
        bob.post(f"/api/games/{game}/join", {})
        rng = Random(3)
        while ann.record(game)["to_act"] == "axis":
            ann.step(game, rng, "axis")
        _, letter = wait_for(lambda: len(mail.letters) > 1 and mail.letters[-1], 20)
        assert letter["subject"] == "はじめての戦闘：サリスクへの道：あなたの番です"
        first, link, head, *lines = letter.get_content().splitlines()
        assert first == "コーカサス・キャンペーン: はじめての戦闘：サリスクへの道"
        assert link == f"https://table.example/#/game/{game}"
        assert head.startswith("これまでに：")
        assert not [line for line in lines if re.search("[a-z]{4}", line)]


@pytest.mark.parametrize("game", ["asl", "caucasus", "kasserine", "na41", "rommel"])
def test_what_happened_is_told_in_japanese(game: str) -> None:
    """As the letter tells it: names of places and units too."""
    one: Any = registry.get(game)
    table: Any = LiveTable.new(one, one.scenarios()[0].id, {}, seed=bytes(32))
    rng = Random(5)
    left: set[str] = set()
    for n in range(600):
        if table.to_act is None:
            break
        table.act(table.game.pick(table.state, rng.random))
        if n % 5:
            continue
        for side in (0, 1):
            text = letters.told(letters.kept(digest(table, side)), "ja", game)
            left |= {
                line for line in text.splitlines() if re.search("[a-z]{4}", line) and not re.search("[ぁ-ん]", line)
            }
    assert left == set()


def test_what_an_older_version_has_queued_is_told_as_it_stands() -> None:
    for text in ("Supper: it is your turn", "Toy, line. https://table.example/#/game/1", '"quoted": over', "[1]: over"):
        assert letters.told(text, "ja", None) == text


@pytest.mark.parametrize(
    "begins", ["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/", "discord://"]
)
def test_discord_is_told(telling: Served, sink: Sink, monkeypatch: pytest.MonkeyPatch, begins: str) -> None:
    """A sink stands in for discord.com."""
    monkeypatch.setattr(targets, "DISCORD", Where("127.0.0.1", sink.port, "/webhooks", tls=False))
    ann, bob = telling.guest("Ann"), telling.guest("Bob")
    bob.put("/api/me/settings", {"notify_urls": [f"{begins}1234567890/{'a' * 40}"]})
    game = ann.create(seats={"red": "me", "blue": "open"}, name="Supper @everyone")["id"]
    bob.post(f"/api/games/{game}/join", {})
    setup_red(ann, game)
    path, headers, body = wait_for(lambda: sink.taken and sink.taken[-1], 20)
    assert path == f"/webhooks/1234567890/{'a' * 40}"
    assert headers["content-type"] == "application/json"
    said = json.loads(body)
    assert said["content"].startswith("Supper @everyone: it is your turn\n")
    assert game in said["content"]
    assert said["allowed_mentions"] == {"parse": []}


def test_each_game_can_be_set_by_itself(telling: Served, sink: Sink) -> None:
    ann, bob, quiet = pair(telling, sink)
    loud = ann.create(seats={"red": "me", "blue": "open"}, name="Lunch")["id"]
    bob.post(f"/api/games/{loud}/join", {})
    bob.put(f"/api/games/{quiet}/settings", {"notify": False})
    setup_red(ann, quiet)
    setup_red(ann, loud)
    wait_for(lambda: "Lunch: it is your turn" in sink.titles())
    time.sleep(0.6)
    assert sink.titles() == ["Lunch: it is your turn"]


def test_a_turn_that_is_over_is_not_told(toys: None, sink: Sink, tmp_path_factory: pytest.TempPathFactory) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('late') / 'x.db'}"
    changes = {"notify_private": True, "notify_delay": 4.0}
    with served(quick_settings(url, **changes)) as server:
        ann, bob, game = pair(server, sink)
        setup_red(ann, game)
        rng = Random(1)
        while bob.record(game)["to_act"] == "blue":  # after the set-up the dice may give him the first turn too
            bob.step(game, rng, "blue")
        assert bob.record(game)["to_act"] == "red"
        time.sleep(5)
        assert sink.titles() == []


BROWSER = ec.generate_private_key(ec.SECP256R1())
"""The key with which a browser reads what is pushed to it."""


def subscription(sink: Sink) -> dict[str, Any]:
    point = BROWSER.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": urlsafe_b64encode(point).decode().rstrip("="), "auth": urlsafe_b64encode(b"0" * 16).decode()}
    return {"endpoint": f"http://127.0.0.1:{sink.port}/push", "keys": keys}


def test_web_push(telling: Served, sink: Sink) -> None:
    ann, bob, game = pair(telling, sink)
    assert len(bob.get("/api/push/key")["key"]) == 87
    bob.put("/api/me/settings", {"push": [subscription(sink)]})
    setup_red(ann, game)
    path, headers, body = wait_for(lambda: sink.taken and sink.taken[-1])
    assert path == "/push"
    assert headers["content-encoding"] == "aes128gcm"
    token, _, key = headers["authorization"].removeprefix("vapid t=").partition(",k=")
    assert key == bob.get("/api/push/key")["key"]
    claims = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == f"http://127.0.0.1:{sink.port}"
    assert b"turn" not in body
    news = json.loads(http_ece.decrypt(body, private_key=BROWSER, auth_secret=b"0" * 16, version="aes128gcm"))
    assert news["title"] == "Supper: it is your turn"
    assert news["url"] == f"/#/game/{game}"
    sink.status = 410
    bob.step(game, Random(1), "blue")
    ann.post(f"/api/games/{game}/resign", {})
    wait_for(lambda: bob.get("/api/me")["settings"]["push"] == [])


def test_clocks_remind_and_run_out(telling: Served, sink: Sink) -> None:
    ann, bob, game = pair(telling, sink, pace=2)
    setup_red(ann, game)
    wait_for(lambda: sink.titles() == ["Supper: it is your turn"])
    clock = bob.record(game)["clock"]
    assert clock["days"] == 2
    assert not clock["overdue"]
    assert ann.post(f"/api/games/{game}/claim", {}, 403)["code"] == "clock"
    day = 86400
    in_server(telling, telling.house.notices.remind(time.time() + 1.2 * day))
    wait_for(lambda: "Supper: 19 hours left for your turn" in sink.titles())
    in_server(telling, telling.house.notices.remind(time.time() + 1.3 * day))
    in_server(telling, telling.house.notices.remind(time.time() + 2.1 * day))
    wait_for(lambda: "Supper: the time for this turn is over" in sink.titles())
    assert len(sink.titles()) == 3
    room = telling.house.rooms._rooms[game]
    in_server(telling, telling.house.change(room, {"turn_since": time.time() - 3 * day}))
    assert ann.record(game)["clock"]["overdue"]
    assert bob.post(f"/api/games/{game}/claim", {}, 403)["code"] == "clock"
    assert ann.post(f"/api/games/{game}/claim")["outcome"]["level"] == "on time"
