"""Hints: for those who play against the computer or against themselves, and for nobody else."""

from __future__ import annotations

from random import Random

from ..kit import Person, Served, wait_for

SMALL = ("asl", "s01_capuzzo_outpost")


def patient(server: Served, name: str) -> Person:
    """Somebody who waits as long as a computer on a busy machine takes."""
    person = server.guest(name)
    person.http.timeout = 180
    return person


def test_a_hint_against_the_computer_is_a_legal_action_with_reasons(lone_server: Served) -> None:
    ann = patient(lone_server, "Ann")
    game = ann.create(*SMALL, seats={"axis": "planner", "allied": "me"})["id"]
    rng = Random(1)
    wait_for(lambda: ann.record(game)["to_act"] == "allied", 120)
    table = ann.table(game, "allied")
    found = ann.get(f"/api/games/{game}/hint", seat="allied")
    assert found["text"] in {item["text"] for item in table["actions"]}
    assert found["label"]
    assert found["more"] >= 0
    assert found == ann.get(f"/api/games/{game}/hint")  # asked again at the same moment
    ann.step(game, rng, "allied")


def test_a_hint_in_hot_seat_is_for_the_side_that_decides(lone_server: Served) -> None:
    ann = patient(lone_server, "Ann")
    game = ann.create(*SMALL, seats={"axis": "me", "allied": "me"})["id"]
    turn = ann.record(game)["to_act"]
    other = "allied" if turn == "axis" else "axis"
    found = ann.get(f"/api/games/{game}/hint", seat=turn)
    assert found["text"] in {item["text"] for item in ann.table(game, turn)["actions"]}
    assert ann.get(f"/api/games/{game}/hint", 403, seat=other)["code"] == "turn"


def test_no_hint_in_a_game_against_people(lone_server: Served) -> None:
    ann, bob = patient(lone_server, "Ann"), patient(lone_server, "Bob")
    game = ann.create(*SMALL, seats={"axis": "me", "allied": "open"})["id"]
    early = ann.get(f"/api/games/{game}/hint", 403, seat="axis")
    assert early["code"] == "people"  # somebody may still sit down
    bob.post(f"/api/games/{game}/join", {"seat": "allied"})
    for person, seat in ((ann, "axis"), (bob, "allied")):
        refused = person.get(f"/api/games/{game}/hint", 403, seat=seat)
        assert refused["code"] == "people"
        assert refused["why"] == "the computer helps nobody against other people"
    # nor by way of a branch of it that is one's own
    length = ann.table(game, "axis")["length"]
    branch = ann.post(f"/api/games/{game}/branch", {"at": length, "seat": "axis"})["id"]
    refused = ann.get(f"/api/games/{branch}/hint", 403)
    assert refused["code"] == "people"
    again = ann.post(f"/api/games/{branch}/branch", {"at": 0})["id"]
    assert ann.get(f"/api/games/{again}/hint", 403)["code"] == "people"
    ann.post(f"/api/games/{game}/resign", {"seat": "axis"})
    assert "text" in ann.get(f"/api/games/{branch}/hint")  # the game is over: it helps nobody any more


def test_strangers_and_games_without_a_planner_get_no_hint(lone_server: Served) -> None:
    ann, bob = patient(lone_server, "Ann"), patient(lone_server, "Bob")
    game = ann.create(seats={"red": "me", "blue": "me"}, watch="anyone")["id"]
    assert ann.get(f"/api/games/{game}/hint", 403)["code"] == "hint"
    assert bob.get(f"/api/games/{game}/hint", 403)["code"] == "seat"
