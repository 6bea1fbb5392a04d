"""Friends by link, and challenges: both agree, and nobody is bound who has not said yes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable.server.notices import letters
from sandtable.server.notices.queue import Notices
from sandtable.server.people.limits import Rate
from sandtable.server.play import friends

from ..kit import Json, Person, Served, quick_settings, served
from .test_rated import rated_game, two


def link(person: Person, renew: bool = False) -> str:
    token: str = person.post("/api/friends/link", {"renew": renew}, 200)["token"]
    return token


def names(found: Json) -> list[list[str]]:
    return [[one["name"] for one in found[kind]] for kind in ("friends", "asking", "asked")]


def befriend(a: Person, b: Person) -> None:
    b.post("/api/friends", {"token": link(a)}, 200)
    a.post("/api/friends/agree", {"name": b.me["name"]}, 200)


def test_friends_are_two_who_agree(server: Served) -> None:
    ann, bob = two(server)
    token = link(ann)
    assert link(ann) == token, "it stays the same"
    assert bob.get(f"/api/friends/link/{token}") == {"name": ann.me["name"], "friend": "", "you": False}
    assert names(bob.post("/api/friends", {"token": token}, 200)) == [[], [], [ann.me["name"]]]
    assert names(bob.post("/api/friends", {"token": token}, 200)) == [[], [], [ann.me["name"]]], "asked twice"
    assert names(ann.get("/api/friends")) == [[], [bob.me["name"]], []]
    assert ann.get("/api/people", name=bob.me["name"])["friend"] == "asks"
    assert bob.get("/api/people", name=ann.me["name"])["friends"] is None, "to ask is not to be one"
    assert names(ann.post("/api/friends/agree", {"name": bob.me["name"].upper()}, 200)) == [[bob.me["name"]], [], []]
    assert names(bob.get("/api/friends")) == [[ann.me["name"]], [], []]
    assert bob.get("/api/people", name=ann.me["name"])["friends"] == [bob.me["name"]]
    assert names(bob.post("/api/friends/part", {"name": ann.me["name"]}, 200)) == [[], [], []]
    assert names(ann.get("/api/friends")) == [[], [], []]


def test_two_links_opened_crosswise_make_friends(server: Served) -> None:
    ann, bob = two(server)
    bob.post("/api/friends", {"token": link(ann)}, 200)
    assert names(ann.post("/api/friends", {"token": link(bob)}, 200)) == [[bob.me["name"]], [], []]


def test_a_question_can_be_refused_and_taken_back(server: Served) -> None:
    ann, bob = two(server)
    bob.post("/api/friends", {"token": link(ann)}, 200)
    ann.post("/api/friends/part", {"name": bob.me["name"]}, 200)
    assert names(bob.get("/api/friends")) == [[], [], []]
    bob.post("/api/friends", {"token": link(ann)}, 200)
    bob.post("/api/friends/part", {"name": ann.me["name"]}, 200)
    assert ann.post("/api/friends/agree", {"name": bob.me["name"]}, 404)["code"] == "not_found"


def test_a_renewed_link_ends_the_old_one(server: Served) -> None:
    ann, bob = two(server)
    old = link(ann)
    fresh = link(ann, renew=True)
    assert fresh != old
    assert bob.get(f"/api/friends/link/{old}", 404)["code"] == "not_found"
    assert bob.post("/api/friends", {"token": old}, 404)["code"] == "not_found"
    bob.post("/api/friends", {"token": fresh}, 200)


def test_nobody_is_asked_without_his_link(server: Served) -> None:
    ann, bob, guest = *two(server), server.guest()
    for name in (ann.me["name"], "nobody", bob.me["name"]):
        assert bob.post("/api/friends/agree", {"name": name}, 404)["code"] == "not_found"
        assert bob.post("/api/friends/part", {"name": name}, 404)["code"] == "not_found"
    assert ann.post("/api/friends", {"token": link(ann)}, 422)["code"] == "self"
    assert guest.post("/api/friends/link", {}, 403)["code"] == "account"
    assert guest.post("/api/friends", {"token": link(ann)}, 403)["code"] == "account"
    Person(server.url).get("/api/friends", 401)
    Person(server.url).get(f"/api/friends/link/{link(ann)}", 401)
    ann.post("/api/friends", {"token": "x" * 65}, 400)
    ann.post("/api/friends", {}, 400)
    ann.get("/api/friends/link/nothing", 404)


def test_friends_have_an_end(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends, "MOST", 1)
    ann, bob, eve = *two(server), Person(server.url).register()
    befriend(ann, bob)
    assert ann.post("/api/friends", {"token": link(eve)}, 422)["code"] == "many"


@pytest.fixture
def strict(toys: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr("sandtable.server.routes.people.FRIENDS", Rate(3, 0.001))
    monkeypatch.setattr("sandtable.server.people.limits.PROFILES", Rate(4, 0.001))
    with served(quick_settings(f"sqlite:///{tmp_path_factory.mktemp('strict') / 'x.db'}", limits=True)) as server:
        yield server


def test_questions_and_profiles_are_counted(strict: Served) -> None:
    ann, bob = two(strict)
    assert [ann.http.post("/api/friends/link", json={}).status_code for _ in range(4)] == [200, 200, 200, 429]
    asked = [bob.http.get("/api/people", params={"name": ann.me["name"]}).status_code for _ in range(5)]
    assert asked == [200, 200, 200, 200, 429]


# Challenges


def test_a_challenge_is_taken_or_declined(server: Served) -> None:
    ann, bob, eve = *two(server), Person(server.url).register()
    wish: Json = {
        "seats": {"red": "me"},
        "kept": {"blue": bob.me["name"]},
        "rated": True,
        "pace": 7,
        "watch": "players",
    }
    first, second = (ann.create(**wish)["id"] for _ in range(2))
    assert {one["id"] for one in bob.get("/api/games", list="open")} >= {first, second}
    assert not {one["id"] for one in eve.get("/api/games", list="open")} & {first, second}
    assert [seat.get("for_you", False) for seat in bob.record(first)["seats"]] == [False, True]
    assert [seat.get("for_you", False) for seat in ann.record(first)["seats"]] == [False, False]
    eve.post(f"/api/games/{first}/decline", {}, 404)
    assert ann.post(f"/api/games/{first}/decline", {}, 403)["code"] == "seat"
    bob.post(f"/api/games/{first}/decline", {}, 204)
    assert first not in {one["id"] for one in bob.get("/api/games", list="open")}
    assert ann.record(first)["seats"][1]["invite"], "its seat can be given to somebody else"
    assert bob.post(f"/api/games/{second}/join", {})["status"] == "running"
    bob.post(f"/api/games/{second}/decline", {}, 403)
    assert ann.post("/api/games", {**new(), "kept": {"green": "x"}}, 422)["code"] == "seat"
    assert ann.post("/api/games", {**new(), "kept": {"red": "x"}}, 422)["code"] == "seat"
    assert ann.post("/api/games", {**new(), "kept": {"blue": "\u200b"}}, 422)["code"] == "account"


def new() -> Json:
    return {"game": "toy", "scenario": "line", "seats": {"red": "me"}}


def test_open_challenges_are_sieved_by_game_pace_and_rating(server: Served) -> None:
    ann, bob, eve = *two(server), Person(server.url).register()
    bob.post(f"/api/games/{rated_game(ann, bob)}/resign", {})  # 1662 and 1338
    seats = {"red": "me", "blue": "open"}
    live = ann.create(seats=seats)["id"]
    slow = ann.create(seats=seats, pace=7, rated=True)["id"]
    mild = bob.create(seats=seats, pace=3)["id"]
    ours = {live: "live", slow: "slow", mild: "mild"}

    def found(person: Person, **sieve: object) -> set[str]:
        return {ours[one["id"]] for one in person.get("/api/games", list="open", **sieve) if one["id"] in ours}

    assert found(eve) == {"live", "slow", "mild"}
    assert found(eve, game="toy") == {"live", "slow", "mild"}
    assert found(eve, game="nothing") == set()
    assert found(eve, pace=0) == {"live"}
    assert found(eve, pace=3) == {"mild"}
    assert found(eve, pace=365) == {"mild", "slow"}
    assert found(eve, rated=True) == {"slow"}
    assert found(eve, rated=False) == {"live", "mild"}
    assert found(eve, within=100) == set(), "who has no rating is in the middle"
    assert found(eve, within=170) == {"live", "slow", "mild"}
    assert found(ann, within=100) == {"live", "slow"}, "his own"
    [shown] = [one for one in eve.get("/api/games", list="open") if one["id"] == slow]
    assert shown["seats"][0]["rating"] == {"rating": 1662, "deviation": 290, "games": 1}
    assert shown["rated"]
    nonsense: tuple[Json, ...] = (
        {"pace": -1},
        {"pace": 400},
        {"within": -1},
        {"within": "x"},
        {"rated": "perhaps"},
        {"game": "x" * 41},
    )
    for bad in nonsense:
        eve.get("/api/games", 400, list="open", **bad)


def test_people_are_told(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []

    async def note(self: Notices, rows: list[Json], by: object = None) -> None:
        told.extend((row["account_id"], row["title"]) for row in rows)

    monkeypatch.setattr(Notices, "_queue", note)
    ann, bob = two(server)
    befriend(ann, bob)
    wish: Json = {"seats": {"red": "me"}, "kept": {"blue": bob.me["name"]}, "name": "Duel"}
    game = ann.create(**wish)["id"]
    bob.post(f"/api/games/{game}/decline", {}, 204)
    assert [(account, letters.told(title, "en", None)) for account, title in told] == [
        (ann.me["id"], f"{bob.me['name']} asks to be a friend"),
        (bob.me["id"], f"{ann.me['name']} agrees to be a friend"),
        (bob.me["id"], f"Duel: {ann.me['name']} keeps a seat for you"),
        (ann.me["id"], f"Duel: {bob.me['name']} declines"),
    ]
