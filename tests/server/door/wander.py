"""Requests made up one after the other, of what the answers so far have said: people who come, play, and meddle.

Each request is one of the API's own description, and each of its values is one of three: what an earlier answer held
under such a name (a game, a seat, a key, a length, a listed action), what the description allows, or something nasty.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from copy import deepcopy
from random import Random
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from ..kit import OWN, Json, Served, one_by_one

PEOPLE = 4
MOST_KEPT = 40
REMEMBERED, ALLOWED = 0.75, 0.93
"""Up to where in 0..1 a value is a remembered one, and one that is allowed; the rest is nasty."""

ALIKE = {
    "seat": ("side", "to_act"),
    "n": ("length", "n"),
    "at": ("length", "n"),
    "since": ("length", "n"),
    "to": ("name", "computer"),
    "a": ("hex", "at"),
    "b": ("hex", "at"),
}
"""Under which other names the values of a field are told."""

NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**31, 2**63, 2**64, 10**40, -(2**63) - 1),
    *("", " ", "\0", "a\0b", "\ufeff", "\u200b", "\u202e", "😀" * 30, "a" * 300, "%00", "..", "../..", "'", '"', "\\"),
    *("\U0001d160" * 40, "\ufdfa" * 40, "A\u0410" * 9, "\u0301" * 40, "%ED%A0%80"),
    *("null", "-0", "1e400", "NaN", [], {}, [[[[]]]], {"do": None}, {"do": {}}, {"": ""}, ["a"] * 50),
)

OFTEN = {"/undo": 3, "/api/games": 2, "/seats": 2, "/join": 2}
"""How much oftener than others an operation is called whose path ends so."""
SELDOM = ("/logout", "/guest", "/login", "/register", "/sessions", "/password", "/abandon", "/resign")
"""What ends a walk early: another account holds no seat."""


class Wanderer:
    """So many people, one memory."""

    def __init__(self, server: Served, seed: int) -> None:
        self.server = server
        self.rng = Random(seed)
        self.kept: defaultdict[str, deque[Any]] = defaultdict(lambda: deque(maxlen=MOST_KEPT))
        self.people = [httpx.Client(base_url=server.url, headers=OWN, timeout=60) for _ in range(PEOPLE)]
        self.api: Json = self.people[0].get("/api/schema/openapi.json").json()
        self.operations = [
            (method, path, one)
            for path, methods in self.api["paths"].items()
            for method, one in methods.items()
            if method in ("get", "post", "put", "delete")
        ]
        self.weights = [self._weight(path, method) for method, path, _ in self.operations]
        self.statuses: Counter[int] = Counter()
        self.taken = 0
        """Moves that were taken: the walk must get somewhere."""
        self.faults: list[str] = []
        self.tables: dict[tuple[int, str], Json] = {}
        """Whose turn it was to whom, where: by person and game."""
        self.seated: deque[tuple[int, str]] = deque(maxlen=MOST_KEPT)
        """Who has sat down where."""
        self.saves: deque[str] = deque(maxlen=5)
        self.pairs = [
            (game["id"], scenario["id"])
            for game in self.people[0].get("/api/catalogue").json()
            for scenario in game["scenarios"]
        ]

        for person in self.people[:2]:  # so that there is something to move
            self._send(person, "post", "/api/account/guest", json={})
            seats = {"red": "me", "blue": "me"}
            self._send(person, "post", "/api/games", json={"game": "toy", "scenario": "line", "seats": seats})
            self._send(person, "get", f"/api/games/{self.seated[-1][1]}/table")

    @staticmethod
    def _weight(path: str, method: str) -> float:
        if path.endswith(SELDOM):
            return 0.15
        return next((often for end, often in OFTEN.items() if end in path and method == "post"), 1.0)

    def ask(self) -> None:
        """One request of somebody."""
        person = self.rng.choice(self.people)
        if not person.cookies and self.rng.random() < 0.7:
            self._send(person, "post", "/api/account/guest", json={})
        luck = self.rng.random()
        if luck < 0.03:
            self._live(person)
            return
        if luck < 0.35:
            self._move()
            return
        method, path, one = self.rng.choices(self.operations, self.weights)[0]
        fields: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}}
        for field in one.get("parameters", ()):
            if field["in"] in fields and (field.get("required") or self.rng.random() < 0.5):
                fields[field["in"]][field["name"]] = self.value(field["name"], field["schema"])
        for name, value in fields["path"].items():
            path = path.replace(f"{{{name}}}", httpx.URL("", params={"x": str(value)}).query.decode()[2:] or "x")
        sent: dict[str, Any] = {"params": {name: _in_words(value) for name, value in fields["query"].items()}}
        content = one.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            sent["json"] = self.body(path, content["application/json"]["schema"])
        elif content:
            sent["content"] = self.save()
        self._send(person, method, path, **sent)

    def body(self, path: str, schema: Json) -> Any:
        """What is sent with a request; a new game is mostly one that there is."""
        wish = self.value("", schema)
        if not isinstance(wish, dict):
            return wish
        if path == "/api/games" and self.rng.random() < 0.9:
            pairs = [pair for pair in self.pairs if pair[0] == "toy"] if self.rng.random() < 0.8 else self.pairs
            wish["game"], wish["scenario"] = self.rng.choice(pairs)
            sides = ("red", "blue") if wish["game"] == "toy" else ()
            wish["seats"] = {side: self.rng.choice(("me", "me", "open", "invite", "random")) for side in sides}
            if self.rng.random() < 0.9:
                wish["options"] = {}
        return wish

    def save(self) -> bytes:
        """A save as it was exported, or with a few bytes changed or missing."""
        text = self.rng.choice(self.saves) if self.saves else '{"sandtable": 1}'
        if self.rng.random() < 0.5:
            at = self.rng.randrange(len(text) + 1)
            text = text[:at] + self.rng.choice(("", "x", '"', "}", "\n", "9", "\0")) + text[at + 1 :]
        if self.rng.random() < 0.2:
            text = text[: self.rng.randrange(len(text) + 1)]
        return text.encode("utf-8", "replace")

    def value(self, name: str, schema: Json) -> Any:
        """A value for a field: remembered, allowed, or nasty."""
        luck = self.rng.random()
        if luck < REMEMBERED and name:
            known = [value for other in (name, *ALIKE.get(name, ())) for value in self.kept[other]]
            if known:
                return self.rng.choice(known)
        if luck > ALLOWED:
            return deepcopy(self.rng.choice(NASTY))
        return self.allowed(name, schema)

    def allowed(self, name: str, schema: Json) -> Any:
        if "$ref" in schema:
            return self.allowed(name, self.api["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        for either in ("oneOf", "anyOf"):
            if either in schema:
                return self.allowed(name, self.rng.choice(schema[either]))
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type", "string")
        kind = self.rng.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            wanted = schema.get("required", ())
            fields = {
                field: self.value(field, one)
                for field, one in schema.get("properties", {}).items()
                if field in wanted or self.rng.random() < 0.5
            }
            extra = schema.get("additionalProperties")
            if isinstance(extra, dict) and self.rng.random() < 0.5:
                fields[str(self.value("seat", {}))] = self.value(name, extra)
            return fields
        if kind == "array":
            return [self.value(name, schema.get("items", {})) for _ in range(self.rng.randrange(3))]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", 0), schema.get("maximum", 2**31 - 1)
            return self.rng.choice((low, high, min(high, low + self.rng.randrange(30))))
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind == "null":
            return None
        long = min(schema.get("maxLength", 12), 60)
        letters = self.rng.choice(("abcdef", "abc 12-", "äßЖ日本語😀", "%&?#/;="))
        return "".join(self.rng.choices(letters, k=self.rng.randint(min(schema.get("minLength", 0), long), long)))

    def _send(self, person: httpx.Client, method: str, path: str, **sent: Any) -> None:
        try:
            answer = person.request(method, path, **sent)
        except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError, ValueError):
            return  # cannot be sent at all
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            request = answer.request
            self.faults.append(f"{request.method} {request.url} {request.content[:400]!r}: {answer.text[:400]}")
        if answer.status_code in (200, 201):
            parts = path.split("/")
            if parts[-1] in ("table", "moves", "undo"):
                found = answer.json()
                self.tables[self.people.index(person), parts[-2]] = found.get("table", found)
            if (path == "/api/games" and method == "post") or parts[-1] == "join":
                self.seated.append((self.people.index(person), answer.json()["id"]))
            self.taken += path.endswith("/moves")
            if path.endswith("/export"):
                self.saves.append(answer.text)
            elif "/json" in answer.headers.get("content-type", ""):
                self.remember(answer.json())

    def remember(self, answer: Any) -> None:
        if isinstance(answer, list):
            for one in answer[-8:]:
                self.remember(one)
        if not isinstance(answer, dict):
            return
        if "seats" in answer and "scenario_title" in answer:
            self.kept["game_id"].append(answer["id"])
        for name, value in answer.items():
            if isinstance(value, str | int) and value != "" and value not in self.kept[name]:
                self.kept[name].append(value)
            elif name == "action" and isinstance(value, dict):
                self.kept[name].append(value)
                for part, what in value.items():
                    self.kept[part].append(what)
            elif isinstance(value, dict | list):
                self.remember(value)

    def _move(self) -> None:
        """A move at a table that somebody has seen: listed there, nearly so, late, or once more under its key."""
        open_ones = [(*where, table) for where, table in self.tables.items() if table["actions"]]
        if not open_ones or self.rng.random() < 0.3:
            if self.seated:
                person, game = self.rng.choice(self.seated)
                self._send(self.people[person], "get", f"/api/games/{game}/table")
            return
        person, game, table = self.rng.choice(open_ones[-8:])
        wish = {"seat": table["to_act"], "length": table["length"], "key": str(self.rng.getrandbits(40))}
        wish["action"] = self.rng.choice(one_by_one(table["actions"]))["action"]
        luck = self.rng.random()
        if luck < 0.15:
            part = self.rng.choice([*wish["action"]])
            wish["action"] = wish["action"] | {part: self.value(part, {})}
        elif luck < 0.2:
            wish |= {"key": self.value("key", {}), "length": self.value("length", {"type": "integer"})}
        self._send(self.people[person], "post", f"/api/games/{game}/moves", json=wish)
        if luck > 0.9:
            self._send(self.people[person], "post", f"/api/games/{game}/moves", json=wish)

    def _live(self, person: httpx.Client) -> None:
        """A live connection with made-up wishes, for a moment."""
        game = self.value("game_id", {"type": "string"})
        wishes = {"seat": self.value("seat", {}), "since": self.value("since", {"type": "integer"})}
        url = httpx.URL(f"{self.server.url}/api/games/x/live", params={k: _in_words(v) for k, v in wishes.items()})
        address = str(url).replace("http", "ws", 1).replace("/x/", f"/{game}/" if str(game).isalnum() else "/-/")
        cookies = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
        code = 101
        try:
            with connect(address, additional_headers={"cookie": cookies}, open_timeout=20) as socket:
                socket.recv(timeout=5)
        except ConnectionClosed as closed:
            code = 500 if closed.rcvd is None or closed.rcvd.code == 1011 else 101
        except InvalidStatus as refused:
            code = refused.response.status_code
        except (TimeoutError, UnicodeError):
            pass
        self.statuses[code] += 1
        if code >= 500:
            self.faults.append(f"live {address}: {code}")


def _in_words(value: Any) -> str:
    return str(value).encode("utf-8", "replace").decode()


def wander(server: Served, requests: int, seed: int) -> Wanderer:
    """So many requests, one after the other; no answer may say that the server is at fault."""
    walk = Wanderer(server, seed)
    while walk.statuses.total() < requests:
        walk.ask()
    assert not walk.faults, f"{len(walk.faults)} faults\n" + "\n".join(walk.faults[:8])
    return walk
