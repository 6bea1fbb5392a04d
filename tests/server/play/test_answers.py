"""One click, one answer: what a move's answer says is not said again, and what is dear to know is asked by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import msgspec
import pytest
from websockets.sync.client import connect

from sandtable import registry
from sandtable.games.na41.table.verbs import V_DELAY
from sandtable.server.house import hub
from sandtable.server.routes import table as routes
from sandtable.server.table import looks
from sandtable.server.table.live import LiveTable

from ..kit import Live, Person, Served, one_by_one


@contextmanager
def named(person: Person, game: str, seat: str, name: str) -> Iterator[Live]:
    """A live connection with a name of its own."""
    url = f"{person.url.replace('http', 'ws', 1)}/api/games/{game}/live?{urlencode({'seat': seat, 'name': name})}"
    cookies = "; ".join(f"{key}={value}" for key, value in person.http.cookies.items())
    with connect(url, additional_headers={"cookie": cookies}, open_timeout=20, max_queue=None) as socket:
        yield Live(socket, person.heard)


def move(person: Person, game: str, seat: str, rng: Random, live: str | None) -> dict[str, Any]:
    table = person.table(game, seat)
    action = rng.choice(table["actions"])["action"]
    wish = {"seat": seat, "length": table["length"], "key": uuid4().hex, "action": action, "live": live}
    moved: dict[str, Any] = person.post(f"/api/games/{game}/moves", wish, 200)
    return moved


def silent(live: Live, seconds: float = 0.4) -> bool:
    try:
        live.socket.recv(timeout=seconds)
    except TimeoutError:
        return True
    return False


def test_the_senders_own_connection_says_nothing_again(lone_server: Served) -> None:
    ann, bob = lone_server.guest("Ann"), lone_server.guest("Bob")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    rng = Random(2)
    with named(ann, game, "red", "first") as own, named(ann, game, "red", "second") as tab:
        own.next()
        tab.next()
        moved = move(ann, game, "red", rng, "first")
        assert tab.next()["length"] == moved["length"], "another tab of hers has to be told"
        assert silent(own)
        undone = ann.post(
            f"/api/games/{game}/undo", {"seat": "red", "length": moved["length"], "key": "u", "live": "first"}
        )
        assert tab.next()["length"] == undone["length"]
        assert silent(own)
        for _ in range(3):
            moved = move(ann, game, "red", rng, "first")
        assert ann.record(game)["to_act"] == "blue"
        theirs = move(bob, game, "blue", rng, None)
        assert theirs["length"]
        while ann.table(game, "red")["length"] == moved["length"]:
            move(bob, game, "blue", rng, None)
        heard = own.next()
        assert heard["length"] > moved["length"]
        assert heard["events"], "what the others do is told whole"
        assert min(event["n"] for event in heard["events"]) > moved["length"]


def test_hints_come_when_they_are_asked_for(lone_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of actions holds none; they are asked for one by one, or all in a word each."""
    ann = lone_server.guest()
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "me"})["id"]
    rules = lone_server.house.rooms._rooms[game].game
    rng = Random(5)
    asked: list[Any] = []
    plain = type(rules).hint

    def counted(self: Any, state: Any, action: Any) -> Any:
        asked.append(action)
        return plain(self, state, action)

    monkeypatch.setattr(type(rules), "hint", counted)
    for _ in range(300):
        turn = ann.record(game)["to_act"]
        table = ann.table(game, turn)
        assert asked == []
        assert all(set(item) <= {"action", "text", "label"} for item in table["actions"])
        to = [item for item in table["actions"] if item["action"]["do"] == "to"]
        if to and table["prompt"]["phase"] == "movement":
            break
        ann.move(game, turn, rng.choice(table["actions"])["action"], table["length"])
    about = ann.get(f"/api/games/{game}/about", seat=turn, action=to[0]["text"])
    assert about["reason"] is None
    assert about["hint"]["path"]
    assert len(asked) == 1
    costs = {one["action"]: one for one in ann.get(f"/api/games/{game}/costs", seat=turn)}
    assert set(costs) <= {item["text"] for item in table["actions"]}
    assert costs[to[0]["text"]]["cost"] == about["hint"]["cost"]
    other = "axis" if turn == "commonwealth" else "commonwealth"
    assert ann.get(f"/api/games/{game}/costs", seat=other) == []


def test_what_many_are_told_is_made_once(lone_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """All who watch from the same side and know as much get the same message, encoded once."""
    made: list[int] = []

    def encoded(message: Any) -> bytes:
        made.append(message.length)
        return msgspec.json.encode(message)

    class Json:
        encode = staticmethod(encoded)

    class Spec:
        json = Json
        structs = msgspec.structs

    ann = lone_server.guest()
    game = ann.create(seats={"red": "me", "blue": "me"})["id"]
    rng = Random(1)
    for _ in range(6):
        ann.step(game, rng)
    crowd = 2 * hub.CROWD + 5
    with ExitStack() as stack:
        lives = [stack.enter_context(Person(lone_server.url).live(game, "")) for _ in range(crowd)]
        first = [live.next() for live in lives]
        assert len({message["length"] for message in first}) == 1
        # Each of them offers to have its messages compressed, which would be done for each by itself.
        assert [live.socket.protocol.extensions for live in lives] == [[]] * crowd
        monkeypatch.setattr(routes, "msgspec", Spec)
        before = ann.record(game)["length"]
        while ann.record(game)["length"] == before:
            ann.step(game, rng)
        after = ann.record(game)["length"]
        told = [live.next() for live in lives]
        assert {message["length"] for message in told} == {after}
        assert len({str(message) for message in told}) == 1
        assert made.count(after) == 1


def test_a_large_answer_is_sent_small_to_who_reads_it_so(server: Served) -> None:
    """The table of North Africa: a hundred kilobytes of the same words."""
    ann = server.guest("Ann")
    game = ann.create(game="na41", scenario="s3_crusader", seats={"axis": "me", "allied": "me"})["id"]
    path = f"/api/games/{game}/table?seat=allied"
    small = ann.http.get(path, headers={"accept-encoding": "gzip"})
    plain = ann.http.get(path, headers={"accept-encoding": "identity"})
    assert small.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert small.json() == plain.json()
    assert int(small.headers["content-length"]) < 20_000 < int(plain.headers["content-length"])
    action = one_by_one(small.json()["actions"])[0]["action"]
    wish = {"seat": "allied", "length": small.json()["length"], "key": uuid4().hex, "action": action}
    moved = ann.http.post(f"/api/games/{game}/moves", json=wish, headers={"accept-encoding": "gzip"})
    assert moved.headers["content-encoding"] == "gzip"
    assert moved.json()["table"]["length"] == moved.json()["length"]
    laid = ann.http.get(f"/api/games/{game}/overlays?seat=allied", headers={"accept-encoding": "gzip"})
    assert laid.headers["content-encoding"] == "gzip"
    assert {"id", "title"} <= laid.json()[0].keys()


def whole(moved: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The scene after a move, of what is new in it and of the scene before."""
    scene = dict(moved["table"]["scene"])
    for part, places in moved["kept"].items():
        fresh = iter(scene.get(part, ()))
        old = before[part]
        scene[part] = old if places is None else [next(fresh) if place < 0 else old[place] for place in places]
    return scene


@pytest.mark.parametrize(("game", "scenario"), [("rommel", "battleaxe"), ("na41", "s1_enter_rommel")])
def test_a_brief_answer_leaves_out_what_the_sender_has(server: Served, game: str, scenario: str) -> None:
    ann, rng = server.guest("Ann"), Random(3)
    sides = [seat["side"] for seat in ann.record(ann.create(game, scenario)["id"])["seats"]]
    played = ann.create(game, scenario, seats=dict.fromkeys(sides, "me"))["id"]
    kept = 0
    for _ in range(40):
        seat = ann.record(played)["to_act"]
        if seat is None:
            break
        table = ann.table(played, seat)
        wish = {"seat": seat, "length": table["length"], "action": rng.choice(table["actions"])["action"]}
        key = uuid4().hex
        moved = ann.post(f"/api/games/{played}/moves", {**wish, "key": key, "brief": True}, 200)
        after = ann.table(played, seat)
        assert whole(moved, table["scene"]) == after["scene"]
        for places in moved["kept"].values():  # counters that look alike are still several
            told = [place for place in places or () if place >= 0]
            assert len(told) == len(set(told))
        assert {**moved["table"], "scene": {}} == {**after, "scene": {}}
        kept += len(moved["kept"])
        if after["can_undo"] and rng.random() < 0.4:
            undone = ann.post(
                f"/api/games/{played}/undo",
                {"seat": seat, "length": after["length"], "key": uuid4().hex, "brief": True},
            )
            assert whole(undone, after["scene"]) == ann.table(played, seat)["scene"]
    assert kept > 10


def test_no_click_in_north_africa_brings_a_long_answer() -> None:
    """Under 60 kilobytes before they are packed: every answer to a move, and every list of actions; where thousands of
    hexes can take a marker too."""
    game, rng = registry.get("na41"), Random(8)
    longest = most = 0
    for scenario in ("s1_enter_rommel", "s2_campaign"):
        table = LiveTable.new(game, scenario)
        for _ in range(150):
            who, since = table.to_act, len(table.entries)
            assert who is not None
            before, legal = looks.scene(game, table.state, who), table.legal()
            verbs = sorted({action[0] for action in legal})
            verb = V_DELAY if V_DELAY in verbs else rng.choice(verbs)
            table.act(rng.choice([action for action in legal if action[0] == verb]), who)
            moved = looks.moved(table, who, since, "", "playing", None, before)
            longest = max(longest, len(msgspec.json.encode(moved)))
            most = max(most, len(table.legal()) if table.to_act is not None else 0)
            if table.to_act is not None:
                assert len(msgspec.json.encode(looks.actions(table, table.to_act))) < 60_000
    assert longest < 60_000
    assert most > 2_000
