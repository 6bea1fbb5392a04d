"""The live connection: what it pushes, to whom, and how it resumes."""

from __future__ import annotations

from random import Random

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ..kit import Person, Served, wait_for

BOTH = {"red": "me", "blue": "me"}


def two_at(server: Served) -> tuple[Person, Person, str]:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    return ann, bob, game


def test_moves_are_pushed_to_each_as_he_may_see_them(server: Served) -> None:
    ann, bob, game = two_at(server)
    eve = server.guest()
    with ann.live(game, "red") as red, bob.live(game, "blue") as blue, eve.live(game) as public:
        for live in (red, blue, public):
            first = live.next()
            assert first["length"] == 0
            assert first["to_act"] == "red"
        ann.move(game, "red", {"do": "assign", "block": "A", "strength": "3"}, 0)
        seen = [live.next() for live in (red, blue, public)]
        assert [message["length"] for message in seen] == [1, 1, 1]
        assert seen[0]["events"][0]["strength"] == 3
        for message in seen[1:]:
            assert message["events"][0]["event"] == "assigned"
            assert "strength" not in message["events"][0]


def test_a_lost_connection_resumes_by_number(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    with ann.live(game, "red") as live:
        live.next()
        ann.step(game, Random(1))
        since = live.next()["length"]
    for _ in range(3):
        ann.step(game, Random(1))
    with ann.live(game, "red", since=since) as live:
        events = live.until(4)
        assert sorted({event["n"] for event in events}) == [2, 3, 4]
    with ann.live(game, "red", since=4) as live:
        assert live.next()["events"] == []


def test_chat_seats_and_the_end_are_pushed(server: Served) -> None:
    ann, bob, game = two_at(server)
    eve = server.guest()
    with ann.live(game, "red") as live, eve.live(game) as public:
        live.next()
        public.next()
        bob.post(f"/api/games/{game}/chat", {"text": "hello"}, 201)
        lines = live.next("chat")["chat"]
        assert lines[-1]["text"] == "hello"
        bob.post(f"/api/games/{game}/undo/ask", {}, 422)
        ann.post(f"/api/games/{game}/rename", {"name": "Renamed"})
        live.next("game")
        bob.post(f"/api/games/{game}/resign", {})
        wait_for(lambda: live.next("events")["status"] == "finished")
        assert not [text for text in eve.heard if "hello" in text]


def test_a_question_for_undo_is_pushed(server: Served) -> None:
    ann, bob, game = two_at(server)
    for person, seat in ((ann, "red"), (bob, "blue")):
        for _ in range(3):
            person.step(game, Random(2), seat)
    with bob.live(game, "blue", since=99) as live:
        live.next()
        ann.post(f"/api/games/{game}/undo/ask", {})
        assert live.next()["undo_asked"]["by"] == "red"
        bob.post(f"/api/games/{game}/undo/answer", {"yes": False})
        assert live.next()["undo_asked"] is None


@pytest.mark.parametrize("query", ["seat=red", "seat=green"])
def test_strangers_are_sent_away(server: Served, query: str) -> None:
    ann, eve = server.guest(), server.guest()
    game = ann.create(seats=BOTH)["id"]
    cookie = f"sandtable_session={eve.http.cookies['sandtable_session']}"
    url = f"ws://{server.address}/api/games/{game}/live?{query}"
    with pytest.raises(ConnectionClosed) as caught, connect(url, additional_headers={"cookie": cookie}) as socket:
        socket.recv(timeout=10)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4403


def test_other_sites_cannot_listen(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    cookie = f"sandtable_session={ann.http.cookies['sandtable_session']}"
    url = f"ws://{server.address}/api/games/{game}/live?seat=red"
    headers = {"cookie": cookie, "origin": "https://evil.example"}
    with pytest.raises(ConnectionClosed) as caught, connect(url, additional_headers=headers) as socket:
        socket.recv(timeout=10)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4403


def test_who_loses_his_seat_loses_his_view(server: Served) -> None:
    ann, bob, game = two_at(server)
    with bob.live(game, "blue") as live:
        live.next()
        bob.post(f"/api/games/{game}/seats/blue", {"to": "open"})
        with pytest.raises(ConnectionClosed):
            live.until(99)
    assert ann.record(game)["seats"][1]["open"]


def test_the_computer_is_seen_to_move(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats={"red": "random", "blue": "me"})["id"]
    with ann.live(game, "blue") as live:
        events = live.until(3)
        assert [event["by"] for event in events] == ["red"] * 3
        assert all("strength" not in event for event in events)
