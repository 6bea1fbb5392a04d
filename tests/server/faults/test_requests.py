"""Requests that once made the server say it was at fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sandtable.engine.log import CHANCE_NAME, Log, dump_log, read_log

from ..kit import Person, Served, finish, quick_settings, served

BOTH = {"red": "me", "blue": "me"}


@pytest.fixture(scope="module")
def built(toys: None, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a client to serve."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "index.html").write_text("<!doctype html>")
    url = f"sqlite:///{tmp_path_factory.mktemp('data') / 'x.db'}"
    with served(quick_settings(url, static=str(folder))) as server:
        yield server


@pytest.mark.parametrize(
    "name", ["a" * 255, "a" * 256, "a" * 299, "a/" * 140, "%ff", "%00", "a%00b", "%F0%9F%98%80" * 70]
)
def test_no_name_of_a_file_is_a_fault(built: Served, name: str) -> None:
    answer = Person(built.url).http.get(f"/{name}")
    assert answer.status_code in (400, 404), answer.text


def export(person: Person, game: str) -> Log:
    text = person.http.get(f"/api/games/{game}/export").text
    return read_log(text)


def bring(person: Person, log: Log) -> Any:
    return person.http.post("/api/games/import", content=dump_log(log).encode())


def test_a_save_with_an_unknown_option_is_refused_with_its_line(lone_server: Served) -> None:
    ann = lone_server.guest()
    log = export(ann, ann.create(seats=BOTH)["id"])
    answer = bring(ann, replace(log, header=replace(log.header, options={"no such option": True})))
    assert answer.status_code == 422
    assert answer.json() == {"why": "toy has no option 'no such option'", "code": "save", "line": 1}


def test_a_save_with_forged_dice_is_refused_with_its_line(lone_server: Served) -> None:
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    finish(ann, game)
    log = export(ann, game)
    at = next(n for n, entry in enumerate(log.entries) if entry.by == CHANCE_NAME)
    entry = log.entries[at]
    for forged in (
        entry._replace(faces=(entry.faces[0] % 6 + 1, *entry.faces[1:])),
        entry._replace(dice=entry.dice + 1),
    ):
        answer = bring(ann, replace(log, entries=(*log.entries[:at], forged, *log.entries[at + 1 :])))
        assert answer.status_code == 422
        assert answer.json()["line"] == at + 2
        assert answer.json()["why"].startswith("the seed gives ")
    assert bring(ann, log).status_code == 201


def test_a_branch_can_be_taken_home_and_brought_back(lone_server: Served) -> None:
    """Its first entries were rolled with the dice of the other game: the save says how many."""
    ann = lone_server.guest()
    game = ann.create(seats=BOTH)["id"]
    finish(ann, game)
    length = ann.record(game)["length"]
    branch = ann.post(f"/api/games/{game}/branch", {"at": length // 2}, 201)["id"]
    log = export(ann, branch)
    assert log.header.foreign == length // 2
    answer = bring(ann, log)
    assert answer.status_code == 201, answer.text
    again = answer.json()["id"]
    assert ann.get(f"/api/games/{again}/dice")["from_entry"] == length // 2
    assert export(ann, again).header.foreign == length // 2
    assert bring(ann, replace(log, header=replace(log.header, foreign=0))).status_code == 422
