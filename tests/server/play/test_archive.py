"""Replay, dice, saves and branches."""

from __future__ import annotations

import hmac
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import registry
from sandtable.engine.log import read_log
from sandtable.engine.table import Table, verify

from ..kit import Json, Person, Served

BOTH = {"red": "me", "blue": "me"}


def played(person: Person, game: str, steps: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(steps):
        if person.record(game)["to_act"] is None:
            return
        person.step(game, rng)


def pair(server: Served) -> tuple[Person, Person, str]:
    ann, bob = server.guest("Ann"), server.guest("Bob")
    game = ann.create(seats={"red": "me", "blue": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    for person, seat in ((ann, "red"), (bob, "blue")):
        for _ in range(3):
            person.step(game, Random(4), seat)
    return ann, bob, game


# Moments


def test_every_moment_is_as_it_was(server: Served) -> None:
    ann = server.guest()
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "me"})["id"]
    rng = Random(2)
    seen: dict[int, Json] = {}
    for _ in range(90):
        table = ann.table(game, "axis")
        seen[table["length"]] = table["scene"]
        ann.step(game, rng)
    order = list(seen)
    rng.shuffle(order)
    for n in [0, *order]:
        moment = ann.get(f"/api/games/{game}/at/{n}", seat="axis")
        assert moment["n"] == n
        assert all(event["n"] == n for event in moment["events"])
        if n in seen:
            assert moment["scene"] == seen[n]
    assert ann.get(f"/api/games/{game}/at/9999", 404)["code"] == "not_found"


def test_a_moment_is_seen_from_ones_own_seat(server: Served) -> None:
    ann, bob, game = pair(server)
    own = ann.get(f"/api/games/{game}/at/1", seat="red")
    assert "strength" in own["events"][0]
    other = bob.get(f"/api/games/{game}/at/1", seat="blue")
    assert "strength" not in other["events"][0]
    assert bob.get(f"/api/games/{game}/at/1", 403, seat="red")["code"] == "seat"
    bob.post(f"/api/games/{game}/resign", {})
    assert "strength" in bob.get(f"/api/games/{game}/at/1")["events"][0]


# Dice


def derived(seed: str, index: int, sides: int) -> int:
    """A die as the browser works it out."""
    number = int.from_bytes(hmac.digest(bytes.fromhex(seed), index.to_bytes(8, "big"), "sha256")[:8], "big")
    return number % sides + 1


def test_dice_can_be_checked_after_the_end(server: Served) -> None:
    ann = server.guest()
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "me"})["id"]
    played(ann, game, 120, 3)
    ann.post(f"/api/games/{game}/resign", {})
    dice = server.guest().get(f"/api/games/{game}/dice")
    assert sha256(bytes.fromhex(dice["seed"])).hexdigest() == dice["commitment"]
    assert dice["rolls"]
    index = 0
    for roll in dice["rolls"]:
        assert roll["index"] == index
        for die in roll["dice"]:
            assert die["index"] == index
            assert die["value"] == derived(dice["seed"], index, die["sides"])
            index += 1
    throws = [roll for roll in dice["rolls"] if {die["sides"] for die in roll["dice"]} == {6}]
    assert all(roll["faces"] == [die["value"] for die in roll["dice"]] for roll in throws)


def test_the_seed_is_a_secret_until_the_end(server: Served) -> None:
    ann, bob, game = pair(server)
    seed = server.house.rooms._rooms[game].row["seed"]
    for person, seat in ((ann, "red"), (bob, "blue"), (server.guest(), "")):
        dice = person.get(f"/api/games/{game}/dice", seat=seat)
        assert dice["seed"] is None
        assert dice["rolls"]
        for path in ("", "/table", "/events", "/at/3", "/news"):
            person.get(f"/api/games/{game}{path}", **({"seat": seat} if path else {}))
        assert not [text for text in person.heard if seed in text]


# Saves


def test_a_save_goes_out_and_comes_back(server: Served) -> None:
    ann, bob, game = pair(server)
    refused = bob.get(f"/api/games/{game}/export", 403)
    assert refused["code"] == "running"
    ann.post(f"/api/games/{game}/resign", {})
    save = server.guest().get(f"/api/games/{game}/export")
    log = read_log(save)
    assert verify(log, registry.get("toy")).ok
    assert log.header.players == {"red": "Ann", "blue": "Bob"}
    eve = server.guest("Eve")
    back = eve.http.post("/api/games/import", content=save).json()
    assert back["status"] == "finished"
    assert back["commitment"] == eve.record(game)["commitment"]
    assert back["outcome"]["level"] == "resignation"
    assert eve.get(f"/api/games/{back['id']}/events") == eve.get(f"/api/games/{game}/events")


def test_a_game_that_goes_on_can_be_taken_home_and_brought_back(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    played(ann, game, 8)
    save = ann.get(f"/api/games/{game}/export")
    assert ann.record(game)["unsealed"]
    back = ann.http.post("/api/games/import", content=save).json()
    assert back["status"] == "running"
    assert back["unsealed"]
    assert back["length"] == ann.record(game)["length"]
    table, again = ann.table(game), ann.table(back["id"])
    assert table == again
    played(ann, back["id"], 200)
    assert ann.record(back["id"])["status"] == "finished"


def test_saves_of_server_and_command_line_are_the_same(server: Served, tmp_path: Path) -> None:
    """A game begun at the terminal goes on here, and one of ours at the terminal; a sealed one does not."""
    rules = registry.get("rommel")
    table = Table.new(rules, "battleaxe", seed=bytes(32))
    rng = Random(7)
    for _ in range(60):
        table.act(rng.choice(table.legal()))
    table.save(tmp_path / "ours.jsonl")
    table.save(tmp_path / "sealed.jsonl", sealed=True)
    ann = server.guest()
    back = ann.http.post("/api/games/import", content=(tmp_path / "ours.jsonl").read_bytes())
    assert back.status_code == 201
    game = back.json()["id"]
    side = table.side_name(table.to_act or 0)
    assert ann.record(game)["to_act"] == side
    assert [item["text"] for item in ann.table(game, side)["actions"]] == [rules.text(a) for a in table.legal()]
    sealed = ann.http.post("/api/games/import", content=(tmp_path / "sealed.jsonl").read_bytes())
    assert (sealed.status_code, sealed.json()["code"]) == (422, "save")
    played(ann, game, 20)
    (tmp_path / "theirs.jsonl").write_text(ann.get(f"/api/games/{game}/export"))
    again = Table.load(tmp_path / "theirs.jsonl", registry.get)
    assert len(again.entries) >= len(table.entries) + 20
    assert again.side_name(again.to_act or 0) == ann.record(game)["to_act"]
    command = [sys.executable, "-m", "sandtable.cli", "verify", str(tmp_path / "theirs.jsonl")]
    assert subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def test_damaged_saves_are_refused_with_line_and_reason(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    played(ann, game, 5)
    save = ann.get(f"/api/games/{game}/export")
    lines = save.splitlines(keepends=True)

    def refused(text: str | bytes) -> Any:
        answer = ann.http.post("/api/games/import", content=text)
        assert answer.status_code == 422, answer.text
        return answer.json()

    assert refused("".join([*lines[:3], *lines[4:]]))["line"] == 4
    assert "checksum" in refused(save.replace("assign A", "assign B", 1))["why"]
    assert refused("".join(lines[:-1]))["why"] == "the save is cut short: its closing line is missing"
    assert refused("")["code"] == "save"
    assert refused("hello")["line"] == 1
    assert refused(b"\xff\xfe{")["line"] == 1
    assert refused('{"format": 1}\n')["line"] == 1
    assert refused(save.replace("\n", "\u0000\n", 2))["code"] == "save"
    assert refused("[" * 5000)["code"] == "save"
    count = len(ann.get("/api/games", list="mine"))
    assert count == 1


def test_huge_saves_are_refused(server: Served) -> None:
    ann = server.guest()
    answer = ann.http.post("/api/games/import", content=b"x" * 9_000_000)
    assert answer.status_code == 413


# Branches


def test_a_branch_of_ones_own_game_goes_on_from_there(server: Served) -> None:
    ann, eve = server.guest(), server.guest()
    game = ann.create(seats=BOTH)["id"]
    played(ann, game, 9)
    branch = ann.post(f"/api/games/{game}/branch", {"at": 7}, 201)
    assert branch["analysis"]
    assert branch["parent"] == game
    assert branch["branched_at"] == 7
    assert branch["length"] >= 7
    assert branch["commitment"] != ann.record(game)["commitment"]
    old = ann.get(f"/api/games/{game}/at/7", seat="red")["scene"]
    assert ann.get(f"/api/games/{branch['id']}/at/7", seat="red")["scene"] == old
    played(ann, branch["id"], 100)
    assert ann.record(branch["id"])["status"] == "finished"
    assert ann.record(game)["status"] == "running"
    eve.get(f"/api/games/{branch['id']}", 404)
    dice = ann.get(f"/api/games/{branch['id']}/dice")
    assert dice["from_entry"] == 7
    for roll in dice["rolls"]:
        for die in roll["dice"]:
            assert die["value"] == derived(dice["seed"], die["index"], die["sides"])


@pytest.mark.parametrize("game_name", ["toy", "rommel"])
def test_a_branch_of_a_game_in_progress_knows_only_ones_own_side(server: Served, game_name: str) -> None:
    ann, bob = server.guest(), server.guest()
    rules = registry.get(game_name)
    one, other = rules.info.sides
    scenario = rules.scenarios()[0].id
    game = ann.create(game_name, scenario, seats={one: "me", other: "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    for _ in range(12):
        turn = ann.record(game)["to_act"]
        (ann if turn == one else bob).step(game, Random(5), turn)
    at = ann.table(game, one)["length"]
    branch = ann.post(f"/api/games/{game}/branch", {"at": at, "seat": one}, 201)
    assert all(seat["you"] for seat in branch["seats"])
    assert branch["length"] == 0
    assert branch["branched_at"] == at
    before = ann.get(f"/api/games/{game}/at/{at}", seat=one)
    after = ann.get(f"/api/games/{branch['id']}/at/0", seat=one)
    assert after["scene"] == before["scene"]
    assert after["to_act"] == before["to_act"]
    played(ann, branch["id"], 20)
    assert ann.record(branch["id"])["length"] >= 4
    assert ann.get(f"/api/games/{branch['id']}/export", 403)["code"] == "analysis"
    again = ann.post(f"/api/games/{branch['id']}/branch", {"at": 4, "seat": one}, 201)
    assert ann.table(again["id"], one)["length"] >= 4
    eve = server.guest()
    watching = eve.post(f"/api/games/{game}/branch", {"at": eve.table(game)["length"]}, 201)
    assert watching["analysis"]


def test_undone_entries_are_part_of_the_past(server: Served) -> None:
    ann = server.guest()
    game = ann.create(seats=BOTH)["id"]
    ann.move(game, "red", {"do": "assign", "block": "A", "strength": "1"}, 0)
    ann.post(f"/api/games/{game}/undo", {})
    ann.move(game, "red", {"do": "assign", "block": "A", "strength": "2"}, 2)
    kinds = [ann.get(f"/api/games/{game}/at/{n}", seat="red")["events"][0]["event"] for n in (1, 2, 3)]
    assert kinds == ["assigned", "undo", "assigned"]
    ann.post(f"/api/games/{game}/resign", {})
    assert [entry.undo for entry in read_log(ann.get(f"/api/games/{game}/export")).entries] == [0, 1, 0]
