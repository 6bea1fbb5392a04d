"""The end of a game told as a whole: the reckoning, both sides over time, what had been hidden."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.table import Table
from sandtable.server.table import ending

from ..kit import Json, Person, Served, finish

BOTH = {"red": "me", "blue": "me"}


def brought(person: Person, folder: Path, game: str, scenario: str) -> Json:
    """A game that players of chance have ended, brought to the server as a save."""
    rng = Random(scenario)
    table: Table[Any] = Table.new(registry.get(game), scenario, seed=bytes(32))
    while table.to_act is not None:
        table.act(table.game.pick(table.state, rng.random))
    table.save(folder / "ended.jsonl")
    answer = person.http.post("/api/games/import", content=(folder / "ended.jsonl").read_bytes())
    assert answer.status_code == 201, answer.text
    found: Json = answer.json()
    return found


@pytest.mark.parametrize(
    ("game", "scenario"),
    [("rommel", "battleaxe"), ("caucasus", "tournament"), ("kasserine", "s0_learning"), ("asl", "s01_capuzzo_outpost")],
)
def test_the_end_is_told(server: Served, tmp_path: Path, game: str, scenario: str) -> None:
    ann = server.guest()
    record = brought(ann, tmp_path, game, scenario)
    found = ann.get(f"/api/games/{record['id']}/ending")
    decisive = [line for line in found["lines"] if line["decides"]]
    assert len(decisive) == 1
    assert (decisive[0]["winner"], decisive[0]["level"]) == (record["outcome"]["winner"], record["outcome"]["level"])
    course = found["course"]
    assert len(course) >= 3
    assert [part["n"] for part in course] == sorted({part["n"] for part in course})
    assert (course[0]["n"], course[-1]["n"]) == (0, record["length"])
    assert any(stat["id"] == "lost" for stat in course[-1]["stats"])
    moved = [sum(part["moves"][side] for part in course) for side in (0, 1)]
    assert all(moved)
    assert sum(moved) < record["length"]
    again = ann.get(f"/api/games/{record['id']}/ending")
    assert again == found
    asked = server.house.replays.asked
    ann.get(f"/api/games/{record['id']}/ending")
    assert server.house.replays.asked == asked, "an end is worked out once"


def test_what_was_hidden_is_told_at_the_end_alone(server: Served, tmp_path: Path) -> None:
    ann = server.guest()
    record = brought(ann, tmp_path, "rommel", "crusader")
    found = ann.get(f"/api/games/{record['id']}/ending")["hidden"]
    assert {item["side"] for item in found if item["kind"] == "counter"} == {"axis", "commonwealth"}
    assert all(item["hex"] for item in found if item["kind"] == "counter")
    running = ann.create("rommel", "crusader", seats={"axis": "me", "commonwealth": "me"})["id"]
    assert ann.get(f"/api/games/{running}/ending", 403)["code"] == "running"


def test_hidden_markers_are_told_by_their_names() -> None:
    table = registry.load_table(Path(__file__).parents[2] / "golden" / "rommel" / "v1-gazala.jsonl")
    found = [item for item in ending.hidden(table.game, table.state) if item.kind == "marker"]
    assert found
    assert {(item.title, item.value) for item in found} == {("secret minefield", "")}


def test_a_game_that_was_given_up_has_no_line_that_decides(server: Served) -> None:
    ann = server.guest()
    game = ann.create("kasserine", "s0_learning", seats={"axis": "me", "allied": "me"})["id"]
    ann.post(f"/api/games/{game}/resign", {"seat": "axis"})
    lines = ann.get(f"/api/games/{game}/ending")["lines"]
    assert lines
    assert not [line for line in lines if line["decides"]]


def test_a_game_without_a_reckoning_has_an_end_too(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    finish(ann, game)
    assert ann.get(f"/api/games/{game}/ending")["lines"] == []
