"""Just after a start: many tables are played again at once, while everybody asks for theirs."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.engine.log import Log, dump_log, read_log
from sandtable.engine.table import Table

from ..kit import Json, Person, Served, quick_settings, served

GOLDEN = Path(__file__).parents[2] / "golden" / "rommel"


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The threads in which anything is played."""
    seen: set[int] = set()
    feed, take = Table._feed, Table._take

    def fed(self: Table[Any], *given: Any) -> None:
        seen.add(threading.get_ident())
        feed(self, *given)

    def taken(self: Table[Any], *given: Any) -> None:
        seen.add(threading.get_ident())
        take(self, *given)

    monkeypatch.setattr(Table, "_feed", fed)
    monkeypatch.setattr(Table, "_take", taken)
    return seen


def brought(person: Person) -> list[str]:
    """Games of some length, all seats this person's."""
    games = []
    for save in sorted(GOLDEN.glob("*.jsonl")):
        log = read_log(save.read_text())
        assert log.end is not None
        text = dump_log(Log(replace(log.header, seed=log.end.seed), log.entries[:120]))
        made = person.http.post("/api/games/import", content=text, headers={"content-type": "application/x-ndjson"})
        assert made.status_code == 201, made.text
        games.append(made.json()["id"])
    return games


def test_tables_are_played_again_while_all_ask_for_them(tmp_path: Path, threads: set[int]) -> None:
    """Rules keep what they worked out where all tables share it: two threads in them made legal moves illegal."""
    settings = quick_settings(f"sqlite:///{tmp_path / 'x.db'}")
    with served(settings) as server:
        ann = server.guest("Ann")
        games = brought(ann) * 3
        before = {game: ann.table(game) for game in games}
        moments = {game: ann.get(f"/api/games/{game}/at/40") for game in games}
        dice = {game: ann.get(f"/api/games/{game}/dice") for game in games}
        cookies = dict(ann.http.cookies)
        loop = {server.thread.ident}
    assert threads == loop
    threads.clear()
    with served(settings) as again:  # all tables have to be set up anew

        def ask(game: str) -> tuple[Json, Json, Json]:
            person = Person(again.url)
            person.http.cookies.update(cookies)
            found = person.table(game)
            return found, person.get(f"/api/games/{game}/at/40"), person.get(f"/api/games/{game}/dice")

        with ThreadPoolExecutor(len(games)) as pool:
            for game, (table, moment, rolls) in zip(games, pool.map(ask, games), strict=True):
                assert table == before[game]
                assert moment == moments[game]
                assert rolls == dice[game]
        play_on(again, cookies, games[1])
        assert threads == {again.thread.ident}


def play_on(server: Served, cookies: dict[str, str], game: str) -> None:
    """A move, the same move again, a branch and a save: whatever plays something again."""
    person = Person(server.url)
    person.http.cookies.update(cookies)
    table = person.table(game, person.record(game)["to_act"])
    action = Random(1).choice(table["actions"])["action"]
    wish = {"seat": table["to_act"], "length": table["length"], "key": "once", "action": action}
    first = person.post(f"/api/games/{game}/moves", wish)
    assert person.post(f"/api/games/{game}/moves", wish) == first
    person.post(f"/api/games/{game}/branch", {"at": 30}, 201)
    save = person.http.get(f"/api/games/{game}/export").text
    made = person.http.post("/api/games/import", content=save, headers={"content-type": "application/x-ndjson"})
    assert made.status_code == 201


def test_a_game_of_an_older_version_goes_on_as_it_was_ruled(tmp_path: Path) -> None:
    """Its mark stands in the database from then on, and goes with its save."""
    settings = quick_settings(f"sqlite:///{tmp_path / 'x.db'}")
    with served(settings) as server:
        ann = server.guest("Ann")
        game = ann.post(
            "/api/games", {"game": "na41", "scenario": "s1_enter_rommel", "seats": {"axis": "me", "allied": "me"}}, 201
        )["id"]
        cookies = dict(ann.http.cookies)
    with closing(sqlite3.connect(tmp_path / "x.db")) as database:
        database.execute("update games set version = 1")
        database.commit()
    for _ in range(2):  # brought up to date once, and found so the second time
        with served(settings) as again:
            ann = Person(again.url)
            ann.http.cookies.update(cookies)
            assert ann.table(game)["actions"]
            save = read_log(ann.http.get(f"/api/games/{game}/export").text)
            assert (save.header.version, dict(save.header.options)) == (2, {"rulings_of_1": True})
