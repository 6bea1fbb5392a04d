"""Names, sessions and seats: nobody is somebody else, is locked out, or sits where he has not sat down."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed

from sandtable.server.door import heads
from sandtable.server.people.limits import Rate

from ..kit import Person, Served, quick_settings, served


def login(server: Served, name: str, password: str, person: Person | None = None) -> int:
    who = person or Person(server.url)
    return who.http.post("/api/account/login", json={"name": name, "password": password}).status_code


@pytest.fixture
def strict(toys: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server where one name may be tried five times, and every address as often as it likes."""
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN", Rate(1000, 1))
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN_NAME", Rate(5, 0.001))
    url = f"sqlite:///{tmp_path_factory.mktemp('strict') / 'x.db'}"
    with served(quick_settings(url, limits=True)) as server:
        yield server


def test_a_name_is_counted_however_it_is_spelt(strict: Served) -> None:
    Person(strict.url).register("Ann Counted")
    spellings = [
        "Ann Counted",
        "ann  counted",
        " ANN COUNTED ",
        "Ann\u200b Counted",
        "ＡＮＮ Counted",
        "ann\u2003counted",
    ]
    assert [login(strict, name, "wrong horse") for name in spellings] == [401] * 5 + [429]


def test_a_stranger_does_not_lock_out_who_has_been_here(strict: Served) -> None:
    ann = Person(strict.url).register("Ann Away", "correct horse")
    ann.post("/api/account/logout")
    for _ in range(8):
        login(strict, "Ann Away", "wrong horse")
    assert login(strict, "Ann Away", "correct horse") == 429, "a stranger has to wait"
    assert login(strict, "Ann Away", "correct horse", ann) == 200, "her own browser need not"
    other = Person(strict.url)
    other.http.cookies.set("sandtable_device", ann.me["id"] + "." + "0" * 64)
    assert login(strict, "Ann Away", "correct horse", other) == 429, "a forged mark is none"


def test_a_guest_does_not_take_the_name_of_an_account(lone_server: Served) -> None:
    name = f"Rommel {uuid4().hex[:6]}"
    Person(lone_server.url).register(name)
    for spelling in (name, name.upper(), f" {name}\u200b", "computer"):
        answer = Person(lone_server.url).http.post("/api/account/guest", json={"name": spelling})
        assert answer.status_code == 409, spelling
        assert answer.json()["code"] == "name_taken"
    assert lone_server.guest("Somebody").me["guest"]


@pytest.mark.parametrize(
    "twin",
    [
        "Ann\u3164 Twin",
        "Ann\ufe0f Twin",
        "A\u034fnn Twin",
        "Ann\u2800 Twin",
        "\u0301Ann Twin",
        "Ann \U000e0101Twin",
        "\u202eAnn Twin",
    ],
)
def test_nobody_takes_a_name_that_looks_the_same(lone_server: Served, twin: str) -> None:
    Person(lone_server.url).http.post("/api/account/register", json={"name": "Ann Twin", "password": "correct horse"})
    stranger = Person(lone_server.url)
    for way in ("guest", "register"):
        body = {"name": twin} | ({"password": "correct horse"} if way == "register" else {})
        answer = stranger.http.post(f"/api/account/{way}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "name_taken"), way


def test_letters_of_other_scripts_make_no_twins(lone_server: Served) -> None:
    for name in ("Pop Co", "Рое"):  # Latin, Cyrillic
        Person(lone_server.url).register(name)
    for twin, code in (("Рор Со", "name_taken"), ("Poe", "name_taken"), ("Pоp Co", "name"), ("ΡoΡ", "name")):
        for way in ("guest", "register"):
            body = {"name": twin} | ({"password": "correct horse"} if way == "register" else {})
            answer = Person(lone_server.url).http.post(f"/api/account/{way}", json=body)
            assert answer.json().get("code") == code, (twin, way)
    for twin in ("Pɑp Co", "ᴘop Co", "Ꮲop Co", "Ⲣop Co", "Pop Cօ", "ꓑop Co"):  # phonetics, and scripts seldom seen
        answer = Person(lone_server.url).http.post("/api/account/guest", json={"name": twin})
        assert answer.json().get("code") == "name", twin
    Person(lone_server.url).register("King Tiger")
    answer = Person(lone_server.url).http.post("/api/account/guest", json={"name": "Kıng Tıger"})
    assert answer.json().get("code") == "name_taken"
    for name in ("Işık", "Իվան", "Tokyo東京々ー", "Иван Грозный", "Ελένη", "ドゴール", "José", "नमस्ते"):
        assert lone_server.guest(name).me["name"] == name


def test_accents_do_not_climb_over_the_line_above(lone_server: Served) -> None:
    assert lone_server.guest("Zo" + "\u0301" * 20 + "e").me["name"] == "Z\u00f3" + "\u0301" * 3 + "e"


def test_guests_carry_a_mark(lone_server: Served) -> None:
    guest, bob = lone_server.guest("Marked"), Person(lone_server.url).register()
    game = guest.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    seats = bob.record(game)["seats"]
    assert [seat.get("guest", False) for seat in seats] == [True, False]
    for person in (guest, bob):
        person.post(f"/api/games/{game}/chat", {"text": "hello"}, 201)
    lines = [line for line in bob.get(f"/api/games/{game}/chat") if not line["system"]]
    assert [line["guest"] for line in lines] == [True, False]
    listed = [one for one in bob.get("/api/games", list="mine") if one["id"] == game]
    assert [seat.get("guest", False) for seat in listed[0]["seats"]] == [True, False]


def test_nobody_is_seated_who_does_not_sit_down(lone_server: Served) -> None:
    ann, bob, eve = lone_server.guest("Ann"), Person(lone_server.url).register(), Person(lone_server.url).register()
    game = ann.create(seats={"red": "me", "blue": "me"}, watch="players")["id"]
    path = f"/api/games/{game}"
    kept = ann.post(f"{path}/seats/blue", {"to": bob.me["name"].upper()})
    assert kept["status"] == "open"
    assert kept["seats"][1].get("account") is None
    assert kept["seats"][1]["kept_for"] == bob.me["name"].lower()
    assert [one for one in bob.get("/api/games", list="mine") if one["id"] == game] == []
    assert [one["id"] for one in bob.get("/api/games", list="open") if one["id"] == game] == [game]
    assert bob.record(game)["seats"][1]["open"]
    assert "kept_for" not in bob.record(game)["seats"][1]
    eve.get(path, 404)
    assert [one for one in eve.get("/api/games", list="open") if one["id"] == game] == []
    eve.post(f"{path}/join", {"seat": "blue"}, 404)
    joined = bob.post(f"{path}/join", {})
    assert joined["status"] == "running"
    assert joined["seats"][1]["you"]


def test_names_cannot_be_found_out_by_giving_seats_away(lone_server: Served) -> None:
    ann, bob = lone_server.guest("Ann"), Person(lone_server.url).register()
    answers = []
    for name in (bob.me["name"], "no such person"):
        game = ann.create(seats={"red": "me", "blue": "me"}, name="x")
        given = ann.post(f"/api/games/{game['id']}/seats/blue", {"to": name})
        said = ann.get(f"/api/games/{game['id']}/chat")
        shown = repr([given["seats"], given["status"], [line["text"] for line in said]])
        answers.append(shown.replace(name.lower(), "…").replace(name, "…"))
        back = ann.post(f"/api/games/{game['id']}/seats/blue", {"to": "me"})
        assert back["seats"][1]["you"], "what is kept for nobody can be taken back"
    assert answers[0] == answers[1]


# Sessions


def test_a_live_connection_ends_with_its_session(lone_server: Served) -> None:
    ann = lone_server.guest()
    game = ann.create(seats={"red": "me", "blue": "me"}, watch="players")["id"]
    with ann.live(game, "red") as live:
        live.next()
        ann.post("/api/account/logout")
        with pytest.raises(ConnectionClosed) as closed:
            live.next(timeout=5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


def test_all_sessions_end_at_once(lone_server: Served) -> None:
    name = f"Ann {uuid4().hex[:6]}"
    ann, elsewhere = Person(lone_server.url).register(name), Person(lone_server.url)
    elsewhere.post("/api/account/login", {"name": name, "password": "correct horse"})
    game = ann.create(seats={"red": "me", "blue": "me"}, watch="players")["id"]
    with elsewhere.live(game, "red") as live:
        live.next()
        ann.post("/api/account/logout/everywhere")
        with pytest.raises(ConnectionClosed):
            live.next(timeout=5)
    ann.get("/api/me", 401)
    elsewhere.get("/api/me", 401)


def test_another_password_ends_the_other_sessions(lone_server: Served) -> None:
    name = f"Ann {uuid4().hex[:6]}"
    ann, elsewhere = Person(lone_server.url).register(name), Person(lone_server.url)
    elsewhere.post("/api/account/login", {"name": name, "password": "correct horse"})
    wrong = ann.post("/api/account/password", {"old": "wrong horse", "new": "battery staple"}, 403)
    assert wrong["code"] == "password"
    elsewhere.get("/api/me")
    assert ann.post("/api/account/password", {"old": "correct horse", "new": "battery staple"}, 200)["name"] == name
    ann.get("/api/me")
    elsewhere.get("/api/me", 401)
    assert login(lone_server, name, "correct horse") == 401
    assert login(lone_server, name, "battery staple") == 200
    ann.post("/api/account/password", {"old": "battery staple", "new": "short"}, 400)
    guest = lone_server.guest()
    assert guest.post("/api/account/password", {"old": "", "new": "battery staple"}, 403)["code"] == "password"


# Half a request


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/account/guest HTTP/1.1\r\nHost: x\r\nx-sandtable: 1\r\ncontent-length: 500\r\n\r\n{",
    ],
)
def test_half_a_request_is_not_waited_for(lone_server: Served, monkeypatch: pytest.MonkeyPatch, half: bytes) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.4)
    monkeypatch.setattr(heads, "BODY_SECONDS", 0.4)
    with socket.create_connection(("127.0.0.1", int(lone_server.address.split(":")[1]))) as sock:
        sock.settimeout(8)
        sock.sendall(half)
        begin = time.monotonic()
        while sock.recv(4096):
            pass
        assert time.monotonic() - begin < 6


def test_a_whole_request_takes_its_time(lone_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent bit by bit but in time is served, again and again over one connection; so is a WebSocket."""
    monkeypatch.setattr(heads, "HEAD_SECONDS", 1.5)
    monkeypatch.setattr(heads, "BODY_SECONDS", 1.5)
    with socket.create_connection(("127.0.0.1", int(lone_server.address.split(":")[1]))) as sock:
        sock.settimeout(8)
        for _ in range(2):
            for part in (b"GET /health HTT", b"P/1.1\r\nHost: x\r", b"\n\r\n"):
                sock.sendall(part)
                time.sleep(0.1)
            assert sock.recv(65536).startswith(b"HTTP/1.1 200")
            time.sleep(1.7)  # between two requests it may stand idle
    ann = lone_server.guest()
    game = ann.create(seats={"red": "me", "blue": "me"})["id"]
    with ann.live(game, "red") as live:
        live.next()
        time.sleep(1.8)
        table = ann.table(game, "red")
        ann.move(game, "red", table["actions"][0]["action"], table["length"])
        live.next(timeout=5)
