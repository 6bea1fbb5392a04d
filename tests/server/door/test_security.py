"""What the door keeps out: other sites, floods, malformed and oversized requests; and what it tells nobody."""

from __future__ import annotations

import json
import logging
from typing import Any

import httpx
import pytest

from sandtable import registry
from sandtable.engine.ledger import GAMES_FOLDER, books
from sandtable.server.door.security import JsonLines
from sandtable.server.people.limits import LOGIN, Limits, Rate
from sandtable.server.refusals import Refused

from ..kit import OWN, Person, Served, quick_settings, served

BOTH = {"red": "me", "blue": "me"}


@pytest.fixture
def ann(lone_server: Served) -> Person:
    return lone_server.guest("Ann")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "csrf"),
        ({**OWN, "origin": "https://evil.example"}, "origin"),
        ({**OWN, "origin": "null"}, "origin"),
        ({**OWN, "sec-fetch-site": "cross-site"}, "origin"),
        ({**OWN, "sec-fetch-site": "same-site"}, "origin"),
    ],
)
def test_other_sites_change_nothing(lone_server: Served, ann: Person, headers: dict[str, str], code: str) -> None:
    cookies = dict(ann.http.cookies)
    data = {"game": "toy", "scenario": "line"}
    answer = httpx.post(f"{lone_server.url}/api/games", json=data, headers=headers, cookies=cookies)
    assert answer.status_code == 403
    assert answer.json()["code"] == code
    own = {**OWN, "origin": lone_server.url, "sec-fetch-site": "same-origin"}
    assert httpx.post(f"{lone_server.url}/api/games", json=data, headers=own, cookies=cookies).status_code == 201


def test_every_answer_has_its_headers(lone_server: Served, ann: Person) -> None:
    for path in ("/", "/health", "/api/me", "/api/games/none", "/nothing/here", "/api/nothing"):
        headers = ann.http.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"], path
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
    assert ann.http.get("/api/me").headers["cache-control"] == "no-store"


def test_cookies_are_secure_behind_tls(toys: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('tls') / 'x.db'}"
    with served(quick_settings(url, secure=True)) as server:
        answer = httpx.post(f"{server.url}/api/account/guest", json={}, headers=OWN)
        assert "Secure" in answer.headers["set-cookie"]
        assert "strict-transport-security" in answer.headers


MANY = {str(number): number for number in range(500)}
MALFORMED: list[tuple[str, Any]] = [
    ("not JSON", b"{"),
    ("not UTF-8", b'{"seat": "\xff"}'),
    ("empty", b""),
    ("an array", b"[]"),
    ("null", b"null"),
    ("a deep one", b"[" * 20000),
    ("wrong types", b'{"seat": 1, "length": "x", "key": [], "action": 3}'),
    ("a negative length", b'{"seat": "red", "length": -1, "key": "k", "action": {}}'),
    ("a huge length", b'{"seat": "red", "length": 99999999999999999999, "key": "k", "action": {}}'),
    ("a long key", b'{"seat": "red", "length": 0, "key": "' + b"k" * 100 + b'", "action": {}}'),
    ("a key with a zero", b'{"seat": "red", "length": 0, "key": "\\u0000", "action": {}}'),
    ("half a character", b'{"seat": "\\ud800", "length": 0, "key": "k", "action": {}}'),
    ("unknown fields", b'{"seat": "red", "length": 0, "key": "k", "action": {}, "more": 1}'),
    ("nested arguments", b'{"seat": "red", "length": 0, "key": "k", "action": {"do": {"a": [1]}}}'),
    ("a long word", b'{"seat": "red", "length": 0, "key": "k", "action": {"do": "' + b"x" * 9000 + b'"}}'),
    ("many words", json.dumps({"seat": "red", "length": 0, "key": "k", "action": MANY}).encode()),
    ("a number that is none", b'{"seat": "red", "length": NaN, "key": "k", "action": {}}'),
]


@pytest.mark.parametrize("body", [body for _, body in MALFORMED], ids=[name for name, _ in MALFORMED])
def test_malformed_moves_are_refused(ann: Person, body: bytes) -> None:
    game = ann.create(seats=BOTH)["id"]
    headers = {"content-type": "application/json"}
    answer = ann.http.post(f"/api/games/{game}/moves", content=body, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["why"]
    assert ann.record(game)["length"] == 0


def test_huge_bodies_are_refused(ann: Person) -> None:
    game = ann.create(seats=BOTH)["id"]
    body = b'{"text": "' + b"x" * 300_000 + b'"}'
    answer = ann.http.put(f"/api/games/{game}/notes", content=body)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/%00",
        "/api/games/..%2f..%2fetc",
        "/api/games/" + "a" * 3000,
        "/api/games/x'%20OR%201=1",
        "/api/catalogue/%2e%2e/map.svg",
        "/api/catalogue/rommel/map.svg?palette=../x",
        "/..%2f..%2f..%2fetc/passwd",
        "/assets/%00",
        "/static/../../schema.py",
    ],
)
def test_odd_paths_are_not_found(ann: Person, path: str) -> None:
    assert ann.http.get(path).status_code in (400, 404)


# Limits


def test_too_many_logins_have_to_wait() -> None:
    limits = Limits()
    for _ in range(int(LOGIN.burst)):
        limits.check("login", "1.2.3.4", LOGIN)
    with pytest.raises(Refused) as caught:
        limits.check("login", "1.2.3.4", LOGIN)
    assert caught.value.status == 429
    limits.check("login", "5.6.7.8", LOGIN)
    limits.check("fast", "x", Rate(1, 1000))


def test_limits_are_answered_with_429(
    toys: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandtable.server.routes.account.LOGIN", Rate(10, 0.001))  # a slow machine earns no more
    monkeypatch.setattr("sandtable.server.routes.games.CHAT", Rate(15, 0.001))
    url = f"sqlite:///{tmp_path_factory.mktemp('limits') / 'x.db'}"
    with served(quick_settings(url, limits=True)) as server:
        ann = Person(server.url)
        statuses = []
        for _ in range(14):
            answer = ann.http.post("/api/account/login", json={"name": "x", "password": "y"})
            statuses.append(answer.status_code)
        assert statuses[0] == 401
        assert statuses[-1] == 429
        assert int(answer.headers["retry-after"]) >= 1
        bob = server.guest()
        game = bob.create(seats=BOTH)["id"]
        said = [bob.http.post(f"/api/games/{game}/chat", json={"text": "x"}).status_code for _ in range(20)]
        assert said[0] == 201
        assert said[-1] == 429


# Logs, health, metrics


def test_logs_are_json_and_hold_no_secrets(lone_server: Served, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("sandtable")
    before = logger.level
    logger.setLevel(logging.INFO)
    try:
        with caplog.at_level(logging.INFO, logger="sandtable"):
            ann = Person(lone_server.url).register("Logged", "a secret password")
            made = ann.create(seats={"red": "me", "blue": "invite"})
            ann.get(f"/api/games/{made['id']}", invite=made["seats"][1]["invite"])
            ann.put(f"/api/games/{made['id']}/notes", {"text": "attack at dawn"})
    finally:
        logger.setLevel(before)
    lines = [JsonLines().format(record) for record in caplog.records]
    requests = [json.loads(line) for line in lines if json.loads(line)["message"] == "request"]
    assert {"method", "path", "status", "ms", "account", "request"} <= set(requests[-1])
    assert requests[-1]["account"] == ann.me["id"]
    text = "\n".join(lines)
    for secret in ("a secret password", ann.http.cookies["sandtable_session"], made["seats"][1]["invite"], "dawn"):
        assert secret not in text


def test_a_fault_is_told_without_its_inside(lone_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("the inside")

    monkeypatch.setattr("sandtable.server.table.looks.table_state", broken)
    answer = ann.http.get(f"/api/games/{game}/table")
    assert answer.status_code == 500
    assert answer.json()["code"] == "fault"
    assert "inside" not in answer.text


def test_health_metrics_and_the_page(lone_server: Served, ann: Person) -> None:
    assert ann.get("/health")["status"] == "ok"
    game = ann.create(seats=BOTH)["id"]
    ann.move(game, "red", {"do": "assign", "block": "A", "strength": "1"}, 0)
    text = ann.http.get("/metrics").text
    assert 'sandtable_moves_total{by="person",game="toy"}' in text
    assert 'sandtable_requests_total{method="POST",path="/api/games/{game_id}/moves",status="200"}' in text
    assert game not in text
    page = ann.http.get("/")
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"]


def test_the_built_client_is_served(toys: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("static")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><p>built")
    (folder / "assets" / "app.js").write_text("let a = 1")
    (folder / "assets" / "app.js.br").write_bytes(b"packed")
    url = f"sqlite:///{folder / 'x.db'}"
    with served(quick_settings(url, static=str(folder))) as server:
        client = httpx.Client(base_url=server.url, headers={"accept-encoding": "gzip"})
        page = client.get("/")
        assert "built" in page.text
        assert page.headers["cache-control"] == "no-cache"
        again = client.get("/", headers={"if-none-match": page.headers["etag"]})
        assert again.status_code == 304
        script = client.get("/assets/app.js")
        assert script.text == "let a = 1"
        assert "immutable" in script.headers["cache-control"]
        assert "javascript" in script.headers["content-type"]
        with client.stream("GET", "/assets/app.js", headers={"accept-encoding": "br"}) as packed:
            assert packed.headers["content-encoding"] == "br"
            assert b"".join(packed.iter_raw()) == b"packed"
        assert client.get("/assets/none.js").status_code == 404


# The catalogue


def test_the_catalogue_is_kept_by_browsers(ann: Person) -> None:
    names = [game["id"] for game in ann.get("/api/catalogue")]
    assert names == [*(name for name in registry.names() if name != "toy"), "toy"]
    detail = ann.get("/api/catalogue/rommel")
    assert detail["players"][0] == "planner"
    assert detail["grid"]["orientation"] in ("pointy", "flat")
    assert len(detail["grid"]["hexes"]) > 200
    assert detail["units"]
    assert {"word": "pass", "args": []} in detail["verbs"]
    for path in ("", "/rommel", "/rommel/rulebook", "/rommel/map.svg?palette=dark"):
        answer = ann.http.get(f"/api/catalogue{path}")
        assert answer.status_code == 200
        tag = answer.headers["etag"]
        assert ann.http.get(f"/api/catalogue{path}", headers={"if-none-match": tag}).status_code == 304
        plain = ann.http.get(f"/api/catalogue{path}", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert (plain.content, plain.headers["etag"] == tag) == (answer.content, False)
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"] == "accept-encoding"
        assert int(answer.headers["content-length"]) < 0.6 * len(plain.content)
    svg = ann.http.get("/api/catalogue/rommel/map.svg?palette=cvd")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.text.startswith("<svg")
    book = ann.get("/api/catalogue/rommel/rulebook")
    assert book["language"] == "en"
    assert ann.http.get("/api/catalogue/rommel/rulebook?language=xx").status_code == 404
    for name in books():
        has = (GAMES_FOLDER / name / "rulebook.ja.md").exists()
        assert ann.get(f"/api/catalogue/{name}/rulebook?language=ja")["language"] == ("ja" if has else "en")
    assert len(book["chapters"]) > 10
    assert book["chapters"][0]["rules"][0]["text"]
    assert book["preface"].startswith("The complete rules")
    book = ann.get("/api/catalogue/caucasus/rulebook")
    below = {rule["id"]: rule["after"] for chapter in book["chapters"] for rule in chapter["rules"] if rule["after"]}
    assert list(below) == ["2.22b", "2.23", "3.0e", "9.7b"]
    assert below["3.0e"].startswith("| Step |")
    assert [part["title"] for part in book["appendices"]] == ["Charts and tables", "Worked examples", "Rulings"]
    assert ann.http.get("/api/catalogue/toy/map.svg").status_code == 404
    assert ann.http.get("/api/catalogue/chess").status_code == 404
    assert ann.get("/api/catalogue/toy")["grid"] is None
