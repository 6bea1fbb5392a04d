"""Analyses: of games that are over, or all one's own; worked out once, for those who have a session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from ..kit import OWN, Person, Served, quick_settings, served, wait_for

GOLDEN = Path(__file__).parents[2] / "golden" / "rommel" / "v1-battleaxe.jsonl"
HOT_SEAT = {"axis": "me", "commonwealth": "me"}


@pytest.fixture(scope="module")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that looks back quickly, and counts who asks."""
    url = f"sqlite:///{tmp_path_factory.mktemp('data') / 'sandtable.db'}"
    with served(quick_settings(url, limits=True, analysis_playouts=1)) as running:
        yield running


@pytest.fixture
def made_up(looking: Served, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nothing is worked out: the rooms that were asked for."""
    asked: list[str] = []

    async def analysis(room: Any, table: Any) -> bytes:
        asked.append(room.id)
        return b"{}"

    monkeypatch.setattr(looking.house.replays, "analysis", analysis)
    return asked


def lines(person: Person, game: str, **wishes: Any) -> list[dict[str, Any]]:
    person.http.timeout = 300
    answer = person.http.get(f"/api/games/{game}/analysis", params=wishes)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines() if line]


def test_a_game_that_is_over_is_looked_back_at_once(looking: Served) -> None:
    ann = looking.guest("Ann")
    game = ann.http.post("/api/games/import", content=GOLDEN.read_bytes()).json()["id"]
    before = looking.house.replays.asked
    assert lines(ann, game, done=True) == [], "nothing is worked out for a page that would only show it"
    told = lines(ann, game)
    found = told[-1]["analysis"]
    assert all("todo" in line for line in told[:-1])
    assert found["winner"] == "axis"
    assert found["points"][-1]["chance"] == 1.0
    assert len(found["points"]) > 3
    assert lines(ann, game)[-1]["analysis"] == found
    assert lines(ann, game, done=True)[-1] == {"analysis": found}
    assert looking.house.replays.asked == before + 1
    assert not looking.house.replays.progress


def test_a_page_that_would_only_show_it_is_never_refused(looking: Served) -> None:
    """A game that was given up before its first move has nothing to look back at."""
    ann = looking.guest("Ann")
    game = ann.create("kasserine", "s0_learning", seats={"axis": "me", "allied": "me"})["id"]
    ann.post(f"/api/games/{game}/resign", {"seat": "axis"})
    assert lines(ann, game, done=True) == []
    assert ann.get(f"/api/games/{game}/analysis", 403)["code"] == "analysis"


def test_a_game_that_goes_on_is_looked_back_at_by_who_holds_all_seats(looking: Served, made_up: list[str]) -> None:
    ann, bob = looking.guest("Ann"), looking.guest("Bob")
    game = ann.create("rommel", "battleaxe", seats=HOT_SEAT)["id"]
    assert lines(ann, game)[-1] == {"analysis": {}}
    assert made_up == [game]
    assert bob.get(f"/api/games/{game}/analysis", 403)["code"] == "running"
    against = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "random"})["id"]
    assert ann.get(f"/api/games/{against}/analysis", 403)["code"] == "running"


def test_nobody_is_helped_against_people_by_way_of_a_branch(looking: Served, made_up: list[str]) -> None:
    ann, bob = looking.guest("Ann"), looking.guest("Bob")
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {"seat": "commonwealth"})
    length = ann.table(game, "axis")["length"]
    branch = ann.post(f"/api/games/{game}/branch", {"at": length, "seat": "axis"})["id"]
    ann.step(branch, Random(1))
    assert ann.get(f"/api/games/{branch}/analysis", 403)["code"] == "people"
    ann.post(f"/api/games/{branch}/abandon")
    assert ann.get(f"/api/games/{branch}/analysis", 403)["code"] == "people"
    bob.post(f"/api/games/{game}/resign", {"seat": "commonwealth"})
    assert lines(ann, branch)[-1] == {"analysis": {}}
    assert lines(bob, game)[-1] == {"analysis": {}}


def test_who_has_no_session_makes_no_work(looking: Served, made_up: list[str]) -> None:
    ann = looking.guest("Ann")
    game = ann.create("rommel", "battleaxe", seats={"axis": "me", "commonwealth": "random"})["id"]
    ann.post(f"/api/games/{game}/resign", {"seat": "axis"})
    anonymous = httpx.get(f"{looking.url}/api/games/{game}/analysis", headers=OWN, timeout=30)
    assert anonymous.status_code == 401
    assert not made_up
    assert lines(ann, game)[-1] == {"analysis": {}}


@contextmanager
def waiting(person: Person, path: str) -> Iterator[None]:
    """Somebody who reads the first line of an answer, and waits for more."""
    with httpx.stream("GET", person.url + path, cookies=dict(person.http.cookies), timeout=10) as answer:
        lines = answer.iter_lines()
        next(lines)
        yield


def test_nobody_holds_up_all_others(looking: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are looked back at for one person, and for one place, at a time; they are free again when he is gone."""
    monkeypatch.setattr("sandtable.server.people.limits.LOOKING_HERE", 3)

    async def for_ever(*_: Any) -> bytes:
        await asyncio.sleep(600)
        raise AssertionError

    monkeypatch.setattr(looking.house.replays, "analysis", for_ever)
    ann, bob, rng = looking.guest("Ann"), looking.guest("Bob"), Random(1)

    def ask(person: Person) -> str:
        game = person.create("rommel", "battleaxe", seats=HOT_SEAT)["id"]
        person.step(game, rng)
        return f"/api/games/{game}/analysis"

    def last(person: Person) -> dict[str, Any]:
        person.http.timeout = 20
        found: dict[str, Any] = json.loads(person.http.get(ask(person)).text.splitlines()[-1])
        return found

    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(waiting(ann, ask(ann)))
        assert last(ann)["problem"]["code"] == "too_many"
        stack.enter_context(waiting(bob, ask(bob)))
        assert last(bob)["problem"]["code"] == "too_many", "who is another guest from there is no other"
    wait_for(lambda: not looking.house.limits._held)


def test_nobody_asks_for_many(looking: Served, made_up: list[str]) -> None:
    ann, rng = looking.guest("Ann"), Random(1)
    game = ann.create("rommel", "battleaxe", seats=HOT_SEAT)["id"]
    for _ in range(6):
        assert lines(ann, game)[-1] == {"analysis": {}}
        ann.step(game, rng)
    refused = ann.get(f"/api/games/{game}/analysis", 429)
    assert refused["code"] == "too_many"
    assert len(made_up) == 6
