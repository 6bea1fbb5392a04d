"""Profiles: what everybody may know of an account, and what nobody else learns."""

from __future__ import annotations

import json
from uuid import uuid4

from ..kit import Json, Person, Served
from .test_rated import rated_game, two


def profile(viewer: Person, name: str) -> Json:
    found: Json = viewer.get("/api/people", name=name)
    return found


def test_a_profile_tells_games_results_and_ratings(server: Served) -> None:
    ann, bob = two(server)
    won, lost = rated_game(ann, bob), rated_game(bob, ann)
    bob.post(f"/api/games/{won}/resign", {})
    ann.post(f"/api/games/{lost}/resign", {})
    running = rated_game(ann, bob, rated=False, pace=None)
    found = profile(Person(server.url), ann.me["name"].upper())
    assert (found["name"], found["you"], found["friend"], found["friends"]) == (ann.me["name"], False, "", None)
    assert [one["id"] for one in found["games"]] == [running, lost, won]
    assert [(one["side"], one["won"], one["drawn"], one["lost"], one["rated"]) for one in found["results"]] == [
        ("red", 1, 0, 0, 1),
        ("blue", 0, 0, 1, 1),
    ]
    [rating] = found["ratings"]
    assert (rating["game"], rating["games"], len(rating["curve"])) == ("toy", 2, 2)
    assert rating["curve"][0]["rating"] == 1662
    assert rating["curve"][-1]["rating"] == rating["rating"] < 1662
    assert rating["deviation"] < 290
    mine = profile(ann, ann.me["name"])
    assert (mine["you"], mine["friends"]) == (True, [])


def test_a_guest_has_no_profile_and_is_on_no_list(server: Served) -> None:
    name = f"Gus {uuid4().hex[:6]}"
    guest, ann = server.guest(name), Person(server.url).register()
    game = guest.create(seats={"red": "me", "blue": "open"})["id"]
    ann.post(f"/api/games/{game}/join", {})
    guest.post(f"/api/games/{game}/resign", {})
    assert ann.get("/api/people", 404, name=name)["code"] == "not_found"
    assert all("rating" not in seat for seat in ann.record(game)["seats"])
    assert profile(ann, ann.me["name"])["ratings"] == []
    assert profile(ann, ann.me["name"])["results"][0]["won"] == 1, "a friendly game against a guest is still a game"


def test_private_games_stay_private(server: Served) -> None:
    ann, bob, eve = *two(server), Person(server.url).register()
    made = ann.create(seats={"red": "me", "blue": "invite"}, watch="players", name="Behind closed doors")
    bob.post(f"/api/games/{made['id']}/join", {"invite": made["seats"][1]["invite"]})
    bob.post(f"/api/games/{made['id']}/resign", {})
    alone = ann.create(seats={"red": "me", "blue": "me"}, name="By myself")["id"]
    ann.post(f"/api/games/{alone}/resign", {"seat": "red"})
    for stranger in (eve, Person(server.url), server.guest()):
        found = profile(stranger, ann.me["name"])
        assert (found["games"], found["results"]) == ([], [])
    for player in (ann, bob):
        assert [one["id"] for one in profile(player, ann.me["name"])["games"]] == [made["id"]]


def test_addresses_and_settings_are_nobodys_business(server: Served) -> None:
    ann = Person(server.url).register()
    ann.put("/api/me/settings", {"email": "ann@example.org", "notify_urls": ["https://hook.example.org/secret"]})
    for viewer in (ann, Person(server.url).register()):
        text = json.dumps(profile(viewer, ann.me["name"]))
        assert "example.org" not in text
        assert ann.me["id"] not in text


def test_names_that_are_no_names(server: Served) -> None:
    ann = Person(server.url).register()
    for name in ("nobody of this name", "../..", "a/b", "%2e", "\u200b", "'; drop table accounts"):
        assert ann.get("/api/people", 404, name=name)["code"] == "not_found"
    ann.get("/api/people", 400, name="x" * 61)
    ann.get("/api/people", 400)
    odd = f"a/b? {uuid4().hex[:6]}"
    Person(server.url).register(odd)
    assert profile(ann, odd)["name"] == odd
