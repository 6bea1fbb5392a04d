"""Coming back to a slow game: what has happened since one's last decision, and nothing that one may not know."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable import registry
from sandtable.engine.contract import SPECTATOR
from sandtable.engine.texts.text import say
from sandtable.server.table import looks
from sandtable.server.table.away import FIGHTS, LOSSES, MOST, TAKEN, away, digest
from sandtable.server.table.live import LiveTable

from ..kit import Person, Served


def both(server: Served, game: str, scenario: str, sides: tuple[str, str]) -> tuple[dict[str, Person], str]:
    """A game between two people."""
    ann, bob = server.guest("Ann"), server.guest("Bob")
    id_ = ann.create(game, scenario, seats={sides[0]: "me", sides[1]: "open"})["id"]
    bob.post(f"/api/games/{id_}/join", {})
    return dict(zip(sides, (ann, bob), strict=True)), id_


def played(people: dict[str, Person], game: str, rng: Random, steps: int) -> None:
    for _ in range(steps):
        side = next(iter(people.values())).record(game)["to_act"]
        if side is None:
            return
        people[side].step(game, rng, side)


def test_who_comes_back_is_told_what_has_happened(server: Served) -> None:
    people, game = both(server, "toy", "line", ("red", "blue"))
    for side, person in people.items():
        before = person.get(f"/api/games/{game}/away", seat=side)
        assert (before["steps"], before["lines"]) == (0, []), "where nobody has decided yet, nothing was missed"
    played(people, game, Random(4), 14)
    told = 0
    for side, person in people.items():
        found = person.get(f"/api/games/{game}/away", seat=side)
        later: list[Any] = person.get(f"/api/games/{game}/events", seat=side, since=found["since"])
        own = [event for event in person.get(f"/api/games/{game}/events", seat=side) if event["by"] == side]
        assert own
        assert not [event for event in later if event["by"] == side], "one's own last decision lies before it"
        assert found["since"] >= max(event["n"] for event in own)
        assert found["steps"] == len({event["n"] for event in later})
        told += found["steps"]
    assert told, "one of them has missed something"


def test_who_has_not_decided_yet_is_told_what_the_other_side_did() -> None:
    table = LiveTable.new(registry.get("caucasus"), "first_battle", {}, seed=bytes(32))
    assert [away(table, side, side).steps for side in (0, 1)] == [0, 0]
    rng = Random(1)
    while table.to_act == 0:
        table.act(rng.choice(table.legal()))
    found = away(table, 1, 1)
    assert found.since == 0
    assert found.steps == len({event["n"] for event in looks.events(table, 1, 0)}) > 0
    assert say(digest(table, 1)[0]).startswith("So far: ")
    assert away(table, 0, 0).steps == 0


def test_no_fight_is_left_out_and_no_preparation_is_one() -> None:
    """As many lines as there were fights and losses, up to what is told at all."""
    table: Any = LiveTable.new(registry.get("caucasus"), "tournament", {}, seed=bytes(32))
    rng, few = Random(2), 0
    while len(table.entries) < 400 and table.to_act is not None:
        table.act(table.game.pick(table.state, rng.random))
        found = away(table, 0, 0)
        events = [event for event in looks.events(table, 0, found.since) if event["by"] != "axis"]
        told = sum(event["event"] in FIGHTS | LOSSES | TAKEN for event in events)
        assert len(found.lines) == min(told, MOST)
        assert not [line for line in found.lines if say(line.text).find("ready to assault") > 0]
        few += 0 < found.fights < MOST
    assert few


def test_nobody_else_is_told(server: Served) -> None:
    eve = server.guest("Eve")
    _, game = both(server, "toy", "line", ("red", "blue"))
    assert eve.get(f"/api/games/{game}/away") is None
    assert eve.get(f"/api/games/{game}/away", 403, seat="red")["code"] == "seat"


def test_the_lines_of_a_hidden_game_are_those_that_the_seat_saw(server: Served) -> None:
    people, game = both(server, "rommel", "battleaxe", ("axis", "commonwealth"))
    played(people, game, Random(3), 24)
    for side, person in people.items():
        found = person.get(f"/api/games/{game}/away", seat=side)
        seen = [event["text"] for event in person.get(f"/api/games/{game}/events", seat=side)]
        assert all(line["text"] in seen for line in found["lines"])


def test_a_letter_says_what_everybody_may_know() -> None:
    rng = Random(8)
    table: Any = LiveTable.new(registry.get("rommel"), "crusader", {}, seed=bytes(32))
    letters: dict[int, list[str]] = {0: [], 1: []}
    for _ in range(250):
        if table.to_act is None:
            break
        table.act(table.game.pick(table.state, rng.random))
        for side in (0, 1):
            letters[side] = max(letters[side], [say(line) for line in digest(table, side)], key=len)
    public = {say(event["text"]) for event in looks.events(table, SPECTATOR)}
    for letter in letters.values():
        head, *lines = letter
        assert head.startswith("Since your last move: ")
        assert lines
        assert {line.removeprefix("- ") for line in lines} <= public
