"""Coming back to a slow game: what has happened since one's last decision, and nothing that one may not know."""

from __future__ import annotations

from random import Random
from typing import Any

from ..kit import Person, Served


def decided(person: Person, game: str, seat: str, rng: Random, steps: int) -> int:
    """Decisions of one seat as long as it has them."""
    for n in range(steps):
        if person.record(game)["to_act"] != seat:
            return n
        person.step(game, rng, seat)
    return steps


def test_who_comes_back_is_told_what_has_happened(server: Served) -> None:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create("kasserine", "s0_learning", seats={"axis": "me", "allied": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    rng = Random(5)
    before = bob.get(f"/api/games/{game}/away", seat="allied")
    assert (before["steps"], before["lines"]) == (0, []), "who has not decided yet has missed nothing"
    people = {"axis": ann, "allied": bob}
    for _ in range(50):
        side = ann.record(game)["to_act"]
        if side is None:
            break
        people[side].step(game, rng, side)
    last = max(event["n"] for event in bob.get(f"/api/games/{game}/events", seat="allied") if event["by"] == "allied")
    decided(ann, game, "axis", rng, 8)
    found = bob.get(f"/api/games/{game}/away", seat="allied")
    learned: list[Any] = bob.get(f"/api/games/{game}/events", seat="allied", since=found["since"])
    assert found["since"] >= last - 1
    assert found["steps"] == len({event["n"] for event in learned if event["by"] != "allied"})
    texts = [event["text"] for event in learned]
    assert all(line["text"] in texts for line in found["lines"])


def test_nobody_else_is_told(server: Served) -> None:
    ann, eve = server.guest("Ann"), server.guest("Eve")
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "random"})["id"]
    assert eve.get(f"/api/games/{game}/away") is None
    assert eve.get(f"/api/games/{game}/away", 403, seat="axis")["code"] == "seat"


def test_the_lines_of_a_hidden_game_are_those_that_the_seat_saw(server: Served) -> None:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    people, rng = {"axis": ann, "commonwealth": bob}, Random(3)
    for _ in range(24):
        side = ann.record(game)["to_act"]
        if side is None:
            break
        people[side].step(game, rng, side)
    for side, person in people.items():
        found = person.get(f"/api/games/{game}/away", seat=side)
        seen = [event["text"] for event in person.get(f"/api/games/{game}/events", seat=side)]
        assert all(line["text"] in seen for line in found["lines"])
