"""Moves: once, in turn, legal, safe; undo; ends."""

from __future__ import annotations

from random import Random
from threading import Thread
from typing import Any

import pytest

from ..kit import Json, Person, Served, wait_for

BOTH = {"red": "me", "blue": "me"}


def test_a_move_is_answered_with_its_events_and_the_new_table(server: Served) -> None:
    ann = server.guest("Ann")
    game = ann.create(seats=BOTH)
    assert game["status"] == "running"
    assert game["to_act"] == "red"
    table = ann.table(game["id"], "red")
    assert table["seat"] == "red"
    assert [item["text"] for item in table["actions"]] == ["assign A 1", "assign A 2", "assign A 3"]
    assert table["prompt"] == {
        "title": "Assign a strength",
        "text": "Nobody else sees it.",
        "rules": ["1.2"],
        "phase": "setup",
    }
    answer = ann.move(game["id"], "red", table["actions"][1]["action"], table["length"])
    assert answer["length"] == 1
    assert answer["events"][0]["strength"] == 2
    assert answer["events"][0]["n"] == 1
    assert answer["events"][0]["by"] == "red"
    assert answer["events"][0]["text"] == "assigned A 2"
    assert answer["table"]["length"] == 1
    assert answer["table"]["can_undo"]
    assert answer["table"] == ann.table(game["id"], "red")


def test_a_repeated_key_gets_the_same_answer_and_moves_nothing(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    table = ann.table(game, "red")
    action = table["actions"][0]["action"]
    first = ann.move(game, "red", action, 0, key="k1")
    assert ann.move(game, "red", action, 0, key="k1") == first
    ann.move(game, "red", first["table"]["actions"][0]["action"], 1, key="k2")
    assert ann.move(game, "red", action, 0, key="k1") == first
    assert ann.record(game)["length"] == 2
    other = ann.move(game, "red", table["actions"][1]["action"], 0, key="k1", status=422)
    assert other["code"] == "key"


def test_stale_illegal_and_foreign_moves_change_nothing(server: Served) -> None:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {"seat": "blue"})
    action = ann.table(game, "red")["actions"][0]["action"]
    assert ann.move(game, "red", action, 7, status=409) == {
        "why": "the game has gone on: look at the table again",
        "code": "stale",
        "length": 0,
    }
    why = ann.move(game, "red", {"do": "assign", "block": "X", "strength": "1"}, 0, status=422)
    assert why["code"] == "illegal"
    assert why["rule"] == "1.2"
    gone = ann.move(game, "red", {"do": "assign", "block": "B", "strength": "1"}, 0, status=422)
    assert gone["rule"] == "1.3"
    assert ann.move(game, "red", {"do": "fly"}, 0, status=422)["code"] == "illegal"
    assert ann.move(game, "red", {"do": ["assign"]}, 0, status=422)["code"] == "illegal"
    assert ann.move(game, "red", {}, 0, status=422)["code"] == "illegal"
    assert bob.move(game, "red", action, 0, status=403)["code"] == "seat"
    assert bob.move(game, "blue", action, 0, status=403)["code"] == "turn"
    assert server.guest().move(game, "red", action, 0, status=403)["code"] == "seat"
    assert Person(server.url).move(game, "red", action, 0, status=401)["code"] == "account"
    assert ann.record(game)["length"] == 0


def test_two_moves_at_once_are_one_move(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    action = ann.table(game, "red")["actions"][0]["action"]
    statuses: list[int] = []

    def try_it(number: int) -> None:
        person = Person(server.url)
        person.http.cookies = ann.http.cookies
        wish = {"seat": "red", "length": 0, "key": f"k{number}", "action": action}
        statuses.append(person.http.post(f"/api/games/{game}/moves", json=wish).status_code)

    threads = [Thread(target=try_it, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * 7
    assert ann.record(game)["length"] == 1


def play_out(person: Person, game: str, seed: int) -> Json:
    rng = Random(seed)
    table = person.table(game)
    while table["to_act"] is not None:
        action = rng.choice(table["actions"])["action"]
        person.move(game, table["to_act"], action, table["length"])
        table = person.table(game)
    return table


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_ends_and_reveals_its_seed(server: Served, seed: int) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    commitment = ann.record(game)["commitment"]
    assert ann.record(game)["seed"] is None
    table = play_out(ann, game, seed)
    assert table["outcome"]["level"] in ("by count", "destroyed")
    assert table["actions"] == []
    record = ann.record(game)
    assert record["status"] == "finished"
    assert record["to_act"] is None
    assert record["outcome"] == table["outcome"]
    from hashlib import sha256

    assert sha256(bytes.fromhex(record["seed"])).hexdigest() == commitment
    assert ann.move(game, "red", {"do": "pass"}, table["length"], status=409)["code"] == "over"


def test_why_odds_and_overlays(server: Served) -> None:
    ann, bob = server.guest(), server.guest()
    game = ann.create(scenario="close", seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    path = f"/api/games/{game}"
    nothing = {"reason": None, "hint": None, "odds": None}
    assert ann.get(f"{path}/about", seat="red", action="assign A 1") == nothing
    refused = ann.get(f"{path}/about", seat="red", action="assign B 1")
    assert refused["reason"]["rule"] == "1.3"
    assert refused["odds"] is None
    theirs = bob.get(f"{path}/about", seat="blue", action="assign X 1")
    turn = {"template": "it is not your turn: {side} decides", "facts": {"side": "Red"}}
    assert theirs["reason"]["why"] == turn
    assert theirs["hint"] is theirs["odds"] is None
    assert ann.get(f"{path}/about", 422, seat="red", action="nonsense")["code"] == "illegal"
    assert ann.get(f"{path}/overlays", seat="red") == []
    rng = Random(3)
    for person, seat in ((ann, "red"), (bob, "blue")):
        for _ in range(3):
            person.step(game, rng, seat)
    odds = None
    while odds is None:
        turn = ann.record(game)["to_act"]
        if turn is None:
            pytest.fail("no battle came about")
        person = ann if turn == "red" else bob
        table = person.table(game, turn)
        attack = next((item for item in table["actions"] if item["action"]["do"] == "attack"), None)
        if attack is not None:
            odds = person.get(f"{path}/about", seat=turn, action=attack["text"])["odds"]
        person.step(game, rng, turn)
    assert odds["title"] == "Battle"
    assert odds["terms"][0]["rule"] == "2.5"


# Undo


def test_undo_of_ones_own_decision_stays_in_the_log(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    ann.move(game, "red", {"do": "assign", "block": "A", "strength": "1"}, 0)
    answer = ann.post(f"/api/games/{game}/undo", {"seat": "red", "length": 1, "key": "u1"})
    assert answer["length"] == 2
    assert answer["events"] == [
        {
            "event": "undo",
            "rule": "",
            "by": "red",
            "entries": [1],
            "n": 2,
            "public": 2,
            "text": answer["events"][0]["text"],
        }
    ]
    assert ann.post(f"/api/games/{game}/undo", {"seat": "red", "length": 1, "key": "u1"}) == answer
    assert not answer["table"]["can_undo"]
    assert ann.post(f"/api/games/{game}/undo", {}, 422)["code"] == "illegal"
    assert [event["event"] for event in ann.get(f"/api/games/{game}/events", seat="red")] == ["undo"]


def setup_both(ann: Person, bob: Person, game: str) -> None:
    for person, seat, blocks in ((ann, "red", "ABC"), (bob, "blue", "XYZ")):
        for strength, block in enumerate(blocks, 1):
            length = person.table(game, seat)["length"]
            person.move(game, seat, {"do": "assign", "block": block, "strength": str(strength)}, length)


def test_undo_beyond_that_by_asking(server: Served) -> None:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create(seats={"red": "me", "blue": "invite"})
    token = game["seats"][1]["invite"]
    game = game["id"]
    bob.post(f"/api/games/{game}/join", {"invite": token})
    setup_both(ann, bob, game)
    length = ann.record(game)["length"]
    path = f"/api/games/{game}/undo"
    ann.post(f"{path}/ask", {"decisions": 1})
    asked = bob.table(game, "blue")["undo_asked"]
    assert asked == {"by": "red", "decisions": 4, "length": length}
    assert ann.post(f"{path}/answer", {"yes": True}, 403)["code"] == "seat"
    bob.post(f"{path}/answer", {"yes": False})
    assert ann.table(game, "red")["undo_asked"] is None
    assert ann.record(game)["length"] == length
    assert bob.post(f"{path}/answer", {"yes": True}, 409)["code"] == "stale"
    ann.post(f"{path}/ask", {"decisions": 2})
    bob.post(f"{path}/answer", {"yes": True})
    table = ann.table(game, "red")
    assert table["length"] == length + 1
    assert table["to_act"] == "red"
    assert len(table["actions"]) == 2
    assert ann.post(f"{path}/ask", {"decisions": 9}, 422)["code"] == "illegal"
    kinds = [event["event"] for event in ann.get(f"/api/games/{game}/events", seat="red")]
    assert kinds == ["assigned", "undo"]


def test_a_question_ends_when_the_game_goes_on(server: Served) -> None:
    ann, bob = server.guest(), server.guest()
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    setup_both(ann, bob, game)
    ann.post(f"/api/games/{game}/undo/ask", {})
    public = ann.record(game)["length"]
    while ann.record(game)["length"] == public:  # until something happens that everybody notices
        turn = ann.record(game)["to_act"]
        assert ann.table(game, "red")["undo_asked"]["by"] == "red"
        (ann if turn == "red" else bob).step(game, Random(1), turn)
    assert ann.table(game, "red")["undo_asked"] is None
    assert bob.post(f"/api/games/{game}/undo/answer", {"yes": True}, 409)


def test_computers_agree_to_undo(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats={"red": "me", "blue": "random"})["id"]
    for block in "ABC":
        length = ann.table(game, "red")["length"]
        ann.move(game, "red", {"do": "assign", "block": block, "strength": str("ABC".index(block) + 1)}, length)
    wait_for(lambda: ann.record(game)["to_act"] == "red" or ann.record(game)["length"] > 6)
    wait_for(lambda: ann.record(game)["to_act"] == "red")
    ann.post(f"/api/games/{game}/undo/ask", {"decisions": 1})
    events = ann.get(f"/api/games/{game}/events", seat="red")
    assert events[-1]["event"] == "undo"
    assert ann.record(game)["to_act"] == "red"


# Ends


def test_resigning_tells_everything(server: Served) -> None:
    ann, bob, eve = server.guest(), server.guest(), server.guest()
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    setup_both(ann, bob, game)
    assert eve.post(f"/api/games/{game}/resign", {}, 403)["code"] == "seat"
    hidden = bob.get(f"/api/games/{game}/events", seat="blue")
    assert not [event for event in hidden if event.get("block") == "A" and "strength" in event]
    record = bob.post(f"/api/games/{game}/resign", {"seat": "blue"})
    assert record["outcome"] == {"winner": "red", "level": "resignation", "points": 0, "rule": ""}
    shown = eve.get(f"/api/games/{game}/events")
    assert {event["block"] for event in shown if "strength" in event} == set("ABCXYZ")
    assert ann.post(f"/api/games/{game}/resign", {}, 409)["code"] == "over"
    again: Any = ann.post(f"/api/games/{game}/rematch?swap=true", None, 201)
    assert again["id"] == bob.post(f"/api/games/{game}/rematch", None, 201)["id"]
    assert [seat["account"] for seat in again["seats"]] == [bob.me["id"], ann.me["id"]]
    assert ann.record(game)["rematch"] == again["id"]


def test_abandoning_is_for_those_who_play_alone(server: Served) -> None:
    ann, bob = server.guest(), server.guest()
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    assert ann.post(f"/api/games/{game}/abandon", {}, 403)["code"] == "others"
    alone = ann.create(seats=BOTH)["id"]
    assert bob.post(f"/api/games/{alone}/abandon", {}, 403)["code"] == "seat"
    assert ann.post(f"/api/games/{alone}/abandon")["status"] == "abandoned"
    assert ann.table(alone)["prompt"]["title"] == "The game was abandoned"
