"""Accounts, seats, lists, chat, notes: who may do what."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest

from ..kit import Person, Served, in_server, wait_for

BOTH = {"red": "me", "blue": "me"}


# Accounts


def test_accounts_log_in_and_out(server: Served) -> None:
    name = f"Ann {uuid4().hex[:6]}"
    ann = Person(server.url).register(name)
    assert ann.get("/api/me")["name"] == name
    assert not ann.me["guest"]
    cookie = ann.http.post("/api/account/login", json={"name": name, "password": "correct horse"}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    ann.post("/api/account/logout")
    assert ann.get("/api/me", 401)["code"] == "account"
    other = Person(server.url)
    assert other.post("/api/account/login", {"name": name, "password": "wrong horse"}, 401)["code"] == "login"
    assert other.post("/api/account/login", {"name": "nobody", "password": "x" * 8}, 401)["code"] == "login"
    assert other.post("/api/account/login", {"name": name.upper(), "password": "correct horse"})["name"] == name
    taken = {"name": name.upper(), "password": "another one"}
    assert Person(server.url).post("/api/account/register", taken, 409)["code"] == "name_taken"
    assert Person(server.url).post("/api/account/register", {"name": "Open", "password": "x" * 8}, 422)
    assert Person(server.url).post("/api/account/register", {"name": "Bo", "password": "short"}, 400)


def test_an_old_session_is_dead_after_logging_out(server: Served) -> None:
    ann = Person(server.url).register()
    stolen = Person(server.url)
    stolen.http.cookies = ann.http.cookies
    token = ann.http.cookies["sandtable_session"]
    ann.post("/api/account/logout")
    stolen.http.cookies.set("sandtable_session", token)
    stolen.get("/api/me", 401)


def test_a_guest_who_registers_keeps_his_games(server: Served) -> None:
    ann = server.guest("Ann")
    assert ann.me["guest"]
    assert ann.post("/api/account/guest", {})["id"] == ann.me["id"]
    game = ann.create(seats=BOTH)["id"]
    before = ann.me["id"]
    ann.register()
    assert ann.me["id"] == before
    assert ann.record(game)["seats"][0]["you"]


def test_settings_are_kept(server: Served) -> None:
    ann = server.guest()
    wish = {"theme": "dark", "palette": "cvd", "language": "ja", "help": "brief", "client": {"zoom": 3}}
    ann.put("/api/me/settings", wish)
    settings = ann.get("/api/me")["settings"]
    assert settings["theme"] == "dark"
    assert settings["client"] == {"zoom": 3}
    assert ann.put("/api/me/settings", {"notify_urls": ["file:///etc/passwd"]}, 422)["code"] == "notify"
    for email in ("no address", "a@b..example", "a\0b@players.example", "a\u202eb@players.example", "a\x7f@b.example"):
        assert ann.put("/api/me/settings", {"email": email}, 422)["code"] == "notify"


# Seats


def test_an_invitation_gives_one_seat_once(server: Served) -> None:
    ann, bob, eve = server.guest("Ann"), server.guest("Bob"), server.guest("Eve")
    made = ann.create(seats={"red": "me", "blue": "invite"}, watch="players")
    game, token = made["id"], made["seats"][1]["invite"]
    assert made["status"] == "open"
    assert eve.get(f"/api/games/{game}", 404)["code"] == "not_found"
    assert eve.get(f"/api/games/{game}", 404, invite="wrong")["code"] == "not_found"
    shown = bob.get(f"/api/games/{game}", invite=token)
    assert "invite" not in shown["seats"][1]
    assert eve.post(f"/api/games/{game}/join", {"invite": "wrong"}, 404)
    assert bob.post(f"/api/games/{game}/join", {"invite": token, "seat": "red"}, 403)["code"] == "invite"
    joined = bob.post(f"/api/games/{game}/join", {"invite": token})
    assert joined["status"] == "running"
    assert joined["seats"][1]["holder"] == "Bob"
    assert eve.post(f"/api/games/{game}/join", {"invite": token}, 404)
    assert bob.post(f"/api/games/{game}/join", {"invite": token}, 403)["code"] == "invite"
    lines = ann.get(f"/api/games/{game}/chat")
    assert [(line["by"], line["system"], line["text"]) for line in lines] == [("Bob", True, "takes the seat of Blue")]


def test_seats_are_handed_over(server: Served) -> None:
    ann, bob = server.guest("Ann"), Person(server.url).register()
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    path = f"/api/games/{game}/seats"
    assert bob.post(f"{path}/red", {"to": "me"}, 403)["code"] == "seat"
    assert bob.post(f"{path}/green", {"to": "me"}, 422)["code"] == "seat"
    ann.post(f"{path}/red", {"to": bob.me["name"]})
    handed = bob.post(f"/api/games/{game}/join", {"seat": "red"})
    assert handed["seats"][0]["account"] == bob.me["id"]
    assert ann.table(game, "red", 403)["code"] == "seat"
    assert ann.post(f"{path}/red", {"to": "open"}, 403)["code"] == "seat"
    assert ann.post(f"{path}/blue", {"to": "\u200b"}, 422)["code"] == "account"
    taken = ann.post(f"{path}/blue", {"to": "me"})
    assert taken["status"] == "running"
    assert bob.post(f"{path}/red", {"to": "invite"})["seats"][0]["invite"]
    assert ann.record(game)["status"] == "open"


def test_a_seat_is_handed_over_in_mid_game(server: Served) -> None:
    """Who takes over sees what the side knows, and plays on; who gave it away sees and does nothing more."""
    ann, bob, eve = server.guest("Ann"), server.guest("Bob"), Person(server.url).register()
    game = ann.create(seats={"red": "me", "blue": "open"}, pace=3)["id"]
    bob.post(f"/api/games/{game}/join", {})
    for person, seat in ((ann, "red"), (bob, "blue")):
        for _ in range(3):
            person.step(game, Random(4), seat)
    path = f"/api/games/{game}"
    turn = ann.record(game)["to_act"]
    giver = ann if turn == "red" else bob
    known, shown = giver.get(f"{path}/events", seat=turn), giver.table(game, turn)
    assert [event for event in known if "strength" in event]
    assert not [event for event in eve.get(f"{path}/events") if "strength" in event]
    since = giver.record(game)["clock"]["since"]
    room = server.house.rooms._rooms[game]
    in_server(server, server.house.change(room, {"turn_since": room.row["turn_since"] - 86400, "reminded": 1}))
    giver.post(f"{path}/seats/{turn}", {"to": eve.me["name"]})
    eve.post(f"{path}/join", {"seat": turn})
    assert eve.get(f"{path}/events", seat=turn) == known
    assert eve.table(game, turn) == shown
    assert giver.table(game, turn, 403)["code"] == "seat"
    assert giver.move(game, turn, shown["actions"][0]["action"], shown["length"], status=403)["code"] == "seat"
    assert eve.record(game)["clock"]["since"] >= since  # whoever takes over has the whole time
    assert room.row["reminded"] == 0
    moved = eve.move(game, turn, shown["actions"][0]["action"], shown["length"])
    assert moved["length"] > shown["length"]


def test_a_rematch_is_for_those_who_played(server: Served) -> None:
    ann, eve = server.guest("Ann"), server.guest("Eve")
    game = ann.create(seats={"red": "me", "blue": "random"}, options={"long": True}, name="Supper", pace=2)["id"]
    path = f"/api/games/{game}/rematch"
    assert ann.post(path, None, 403)["code"] == "running"
    ann.post(f"/api/games/{game}/resign", {})
    assert eve.post(path, None, 403)["code"] == "seat"
    again = ann.post(path, None, 201)
    assert again["seats"][0]["account"] == ann.me["id"]
    assert again["seats"][1]["computer"] == "random"
    assert again["options"] == {"long": True}
    assert again["name"] == "Supper"
    assert again["clock"]["days"] == 2
    assert again["status"] == "running"
    assert again["commitment"] != ann.record(game)["commitment"]
    assert ann.post(path, None, 201)["id"] == again["id"]


def test_a_computer_takes_over_in_mid_game(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    for _ in range(2):
        ann.step(game, Random(1))
    ann.post(f"/api/games/{game}/seats/red", {"to": "random"})
    ann.post(f"/api/games/{game}/seats/blue", {"to": "first"})
    done = wait_for(lambda: (r := ann.record(game))["status"] == "finished" and r, 30)
    assert done["outcome"]["level"] in ("by count", "destroyed")
    assert [seat.get("computer") for seat in done["seats"]] == ["random", "first"]


def test_the_host_takes_a_seat_from_the_computer(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats={"red": "me", "blue": "random"})["id"]
    assert ann.post(f"/api/games/{game}/seats/blue", {"to": "me"})["seats"][1]["you"]


def test_bad_games_are_not_made(server: Served) -> None:
    ann = server.guest()

    def refused(code: str, **wish: object) -> None:
        data = {"game": "toy", "scenario": "line", **wish}
        assert ann.post("/api/games", data, 422)["code"] == code

    refused("game", game="chess")
    refused("scenario", scenario="square")
    refused("option", options={"fast": True})
    refused("seat", seats={"green": "me"})
    refused("seat", seats={"red": "planner"})
    assert ann.create(options={"long": True}, name="  A\u0000 long one ")["name"] == "A long one"
    assert ann.post("/api/games", {"game": "toy"}, 400)["code"] == "http_400"
    assert Person(server.url).post("/api/games", {"game": "toy", "scenario": "line"}, 401)["code"] == "account"


# Lists


def test_lists(server: Served) -> None:
    ann, bob = server.guest("Ann"), server.guest("Bob")

    def ids(person: Person, which: str) -> list[str]:
        return [record["id"] for record in person.get("/api/games", list=which)]

    alone = ann.create(seats=BOTH)["id"]
    free = ann.create(seats={"red": "open", "blue": "me"})["id"]
    hidden = ann.create(seats=BOTH, watch="players")["id"]
    assert set(ids(ann, "mine")) == {alone, free, hidden}
    assert set(ids(ann, "turn")) == {alone, hidden}
    assert free in ids(bob, "open")
    assert alone in ids(bob, "watch")
    assert hidden not in ids(bob, "watch")
    assert free not in ids(ann, "watch")
    assert ids(bob, "mine") == ids(bob, "finished") == []
    ann.post(f"/api/games/{alone}/resign", {})
    assert ids(ann, "finished") == [alone]
    assert alone not in ids(ann, "mine")
    assert Person(server.url).get("/api/games", list="mine") == []
    assert ann.get("/api/games", 400, list="other")
    assert ann.get("/api/games", list="mine", page=5) == []


def test_names_watching_and_removing(server: Served) -> None:
    ann, bob = server.guest(), server.guest()
    game = ann.create(seats=BOTH)["id"]
    assert ann.post(f"/api/games/{game}/rename", {"name": "Supper"})["name"] == "Supper"
    assert bob.post(f"/api/games/{game}/rename", {"name": "Lunch"}, 403)
    assert bob.table(game)["seat"] is None
    ann.put(f"/api/games/{game}/settings", {"watch": "players"})
    bob.table(game, status=404)
    assert bob.post(f"/api/games/{game}", method="DELETE", status=404)
    ann.post(f"/api/games/{game}", method="DELETE", status=204)
    ann.get(f"/api/games/{game}", 404)
    ann.get("/api/games/no-such-game", 404)


# Chat and notes


def test_chat_is_for_players_and_notes_are_private(server: Served) -> None:
    ann, bob, eve = server.guest("Ann"), server.guest("Bob"), server.guest("Eve")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    said = ann.post(f"/api/games/{game}/chat", {"text": "good luck\u0000"}, 201)
    assert [line["text"] for line in said] == ["good luck"]
    lines = bob.get(f"/api/games/{game}/chat")
    assert lines[-1]["by"] == "Ann"
    assert lines[-1]["sides"] == ["red"]
    assert not lines[-1]["you"]
    assert bob.get(f"/api/games/{game}/chat", since=lines[-1]["id"]) == []
    assert eve.get(f"/api/games/{game}/chat", 403)["code"] == "seat"
    assert eve.post(f"/api/games/{game}/chat", {"text": "hello"}, 403)
    ann.put(f"/api/games/{game}/notes", {"text": "attack at dawn"})
    assert ann.get(f"/api/games/{game}/notes")["text"] == "attack at dawn"
    assert bob.get(f"/api/games/{game}/notes")["text"] == ""
    ann.put(f"/api/games/{game}/notes", {"text": "or at dusk"})
    assert ann.get(f"/api/games/{game}/notes")["text"] == "or at dusk"


# Spectators


def test_spectators_see_the_public_view_only(server: Served) -> None:
    ann, eve = server.guest(), server.guest()
    game = ann.create(seats=BOTH)["id"]
    ann.move(game, "red", {"do": "assign", "block": "A", "strength": "3"}, 0)
    table = eve.table(game)
    assert table["seat"] is None
    assert table["actions"] == []
    assert table["prompt"]["title"] == "Assign a strength"
    assert table["prompt"]["text"] == ""
    assert not table["can_undo"]
    assert eve.table(game, "red", 403)["code"] == "seat"
    assert eve.table(game, "green", 403)["code"] == "seat"
    assert "strength" not in eve.get(f"/api/games/{game}/events")[0]
    assert ann.table(game, "spectator")["actions"] == []
    assert "strength" not in ann.get(f"/api/games/{game}/events", seat="blue")[0]
    assert Person(server.url).table(game)["length"] == 1


@pytest.mark.parametrize(
    "path", ["table", "events", "at/0", "dice", "overlays", "about?action=pass", "export", "notes"]
)
def test_hidden_games_do_not_exist_for_others(server: Served, path: str) -> None:
    ann, eve = server.guest(), server.guest()
    game = ann.create(seats=BOTH, watch="players")["id"]
    assert eve.get(f"/api/games/{game}/{path}", 404)["code"] == "not_found"
