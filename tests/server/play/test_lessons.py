"""A lesson on the server: begun, left, taken up, answered, begun again, done."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import registry
from sandtable.lessons import form

from ..kit import Person, Served, wait_for

ALL = [(name, lesson) for name in registry.names() for lesson in form.lessons(registry.get(name))]


def coach(person: Person, game: str) -> Any:
    return person.get(f"/api/games/{game}/lesson")


def mine(person: Person, game: str) -> Any:
    """The table, when the learner decides."""
    return wait_for(lambda: (table := person.table(game))["actions"] and table, 60)


def do(person: Person, game: str, wanted: str) -> None:
    table = mine(person, game)
    item = next(one for one in table["actions"] if one["text"] == wanted)
    person.move(game, table["seat"], item["action"], table["length"])


def read_on(person: Person, game: str) -> Any:
    return person.post(f"/api/games/{game}/lesson/read", {"step": coach(person, game)["step"]})


def begin(person: Person, game: str, lesson: str, anew: bool = False) -> str:
    record = person.post(f"/api/lessons/{game}/{lesson}{'?anew=true' if anew else ''}", status=201)
    assert record["lesson"] == lesson
    return str(record["id"])


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_who_does_what_the_coach_asks_for_ends_a_lesson(server: Served, name: str, lesson: str) -> None:
    ann = server.guest()
    game = begin(ann, name, lesson)
    steps = 0
    for _ in range(200):
        said = coach(ann, game)
        if said["now"] is None:
            break
        if said["now"]["kind"] != "do":
            assert read_on(ann, game)["step"] == said["step"] + 1
            continue
        table = mine(ann, game)
        said = coach(ann, game)  # as it is when the other side has done
        assert said["now"]["rules"]
        assert said["answer"] == ""
        known = [one["text"] for one in table["actions"]]
        assert said["wanted"] or len(known) == 1 or not said["stuck"]
        do(ann, game, (said["wanted"] or known)[0])
        steps += 1
    assert said["now"] is None
    assert said["ending"]
    assert steps >= 3


def test_a_lesson_is_left_and_taken_up_and_answers_what_is_done_instead(server: Served) -> None:
    ann = server.guest()
    assert {one["yours"] for one in ann.get("/api/lessons")} == {None}
    game = begin(ann, "rommel", "first_turn")
    assert read_on(ann, game)["step"] == 1
    assert begin(ann, "rommel", "first_turn") == game
    left = next(one for one in ann.get("/api/lessons") if one["game"] == "rommel")
    assert (left["yours"], left["step"]) == (game, 1)
    do(ann, game, "option basic 0")
    do(ann, game, "group 0312 0")
    said = coach(ann, game)
    assert said["step"] == 2
    assert "Bir Habata" in said["answer"]
    assert said["stuck"]
    # Taken back, it is as if it had not been done; begun again, the dice are the same.
    ann.post(f"/api/games/{game}/undo")
    said = coach(ann, game)
    assert (said["answer"], said["stuck"], said["step"]) == ("", False, 2)
    do(ann, game, "end-moves")
    again = ann.post(f"/api/games/{game}/lesson/again", {"step": 2}, 201)["id"]
    assert again != game
    ann.get(f"/api/games/{game}", 404)
    assert coach(ann, again)["step"] == 2
    assert ann.record(again)["commitment"] == ann.record(begin(ann, "rommel", "first_turn"))["commitment"]
    assert [one["text"] for one in mine(ann, again)["actions"]][-1] == "end-moves"
    ann.post(f"/api/games/{again}/lesson/again", {"step": 9}, 422)
    anew = begin(ann, "rommel", "first_turn", anew=True)
    assert coach(ann, anew)["step"] == 0
    ann.get(f"/api/games/{again}", 404)


def test_a_lesson_is_its_learners_own(server: Served) -> None:
    ann, bob = server.guest(), server.guest()
    game = begin(ann, "rommel", "first_turn")
    bob.get(f"/api/games/{game}", 404)
    bob.get(f"/api/games/{game}/lesson", 404)
    assert {one["yours"] for one in bob.get("/api/lessons")} == {None}
    bob.post("/api/lessons/rommel/no-such-lesson", status=404)
    plain = ann.create("rommel", "gazala", seats={"axis": "me", "commonwealth": "me"})["id"]
    ann.get(f"/api/games/{plain}/lesson", 404)
