"""No payload of a whole game tells a side what it may not know.

Two players, a spectator and a bystander play a whole game of the first real game over HTTP and WebSocket
and keep every answer. Afterwards the game is replayed, what was secret is worked out from the true state
after every entry, and every answer is searched for it.
"""

from __future__ import annotations

import json
import re
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable import registry
from sandtable.engine.log import read_log
from sandtable.engine.texts.text import unwire
from sandtable.server.table.live import LiveTable

from ..kit import Json, Person, Served

GAME = "rommel"
SIDES = ("axis", "commonwealth")


class Secrets:
    """What each viewer may not know after each entry of the log, from the state itself."""

    def __init__(self, save: str) -> None:
        log = read_log(save)
        self.game: Any = registry.get(GAME)
        self.board = self.game.board
        table = LiveTable.replay(log, self.game, to=0)
        assert isinstance(table, LiveTable)
        self.entries = log.entries
        self.units: list[tuple[frozenset[str], ...]] = [self.hidden_units(table.state)]
        self.options = [self.hidden_option(table.state)]
        self.hands = [self.hand_of(table.state)]
        self.mines = [self.hidden_mines(table.state)]
        self.told_of = table.told
        for entry in log.entries:
            table.feed(entry)
            self.units.append(self.hidden_units(table.state))
            self.options.append(self.hidden_option(table.state))
            self.hands.append(self.hand_of(table.state))
            self.mines.append(self.hidden_mines(table.state))
        rows = self.game.pack.units
        formations = {row["formation"] for row in rows.values()}
        names = {unit: row["name"] for unit, row in rows.items()}
        # Some blocks are called like the division of others: those are searched for by their ids alone.
        self.units_by_name = {
            name: unit
            for unit, name in names.items()
            if not any(name in other for other in formations | {n for u, n in names.items() if u != unit})
        }
        self.ids = set(names)

    def told(self, text: str) -> set[str]:
        """The units that a text tells of, by id or by name."""
        ids = self.ids & set(re.findall(r'"([A-Z]+-[^" ]+)"', text))
        return ids | {unit for name, unit in self.units_by_name.items() if name in text}

    def hidden_units(self, s: Any) -> tuple[frozenset[str], ...]:
        """By side: the ids of its blocks that stand with their back to the enemy, or are still to come."""
        from sandtable.games.rommel.table.ids import DEAD, UNUSED

        found: tuple[set[str], set[str]] = (set(), set())
        for u, at in enumerate(s.at):
            if at not in (DEAD, UNUSED) and not s.revealed >> u & 1 and s.ended is None:
                found[self.board.side[u]].add(self.board.units[u])
        return tuple(frozenset(side) for side in found)

    def hidden_option(self, s: Any) -> tuple[int, str] | None:
        """The option that lies face down: whose, and which."""
        from sandtable.games.rommel.table.ids import OPTIONS, PASS

        if s.option < 0 or s.option == PASS or s.ended is not None:
            return None
        return s.active, OPTIONS[s.option]

    def hand_of(self, s: Any) -> tuple[int, ...]:
        return (*s.real, *s.dummy)

    def hidden_mines(self, s: Any) -> tuple[frozenset[str], ...]:
        names = self.board.grid.names
        return tuple(
            frozenset(names[h] for h in range(len(names)) if s.mines[side] >> h & 1 and not s.mines_open >> h & 1)
            for side in (0, 1)
        )

    def foreign(self, viewer: int) -> list[int]:
        return [side for side in (0, 1) if side != viewer]


class Search:
    """Looks through everything that one viewer was told."""

    def __init__(self, secrets: Secrets, viewer: int) -> None:
        self.secrets = secrets
        self.viewer = viewer
        self.foreign = secrets.foreign(viewer)
        self.entry = partial(secrets.told_of.entry, viewer)
        """The entry of the log that a number in this viewer's count stands for."""
        self.scenes = self.events = self.rolls = 0

    def entry_noticed(self, count: int) -> int:
        """The entry with which the viewer's count became this."""
        return next(
            n for n in range(1, len(self.secrets.entries) + 1) if self.secrets.told_of.count(self.viewer, n) == count
        )

    def payload(self, data: Any, at: int) -> None:
        """An answer that was given after `at` entries (or says itself, in the viewer's count, after how many)."""
        if isinstance(data, dict):
            if "scene" in data or "events" in data:
                at = self.entry(data.get("n", data.get("length")))
            rest = dict(data)
            for event in rest.pop("events", []):
                self.event(event)
            if "scene" in rest:
                self.scene(rest.pop("scene"), at)
            if "table" in rest:
                self.payload(rest.pop("table"), at)
            for roll in rest.pop("rolls", []):
                self.roll(roll)
            self.text(rest, at)
        elif isinstance(data, list) and data and isinstance(data[0], dict) and "event" in data[0]:
            for event in data:
                self.event(event)
        else:
            self.text(data, at)

    def text(self, data: Any, at: int) -> None:
        text = json.dumps(data, ensure_ascii=False)
        named = self.secrets.told(text)
        for side in self.foreign:
            told = named & self.secrets.units[at][side]
            assert not told, f"viewer {self.viewer} at {at} was told of {told}: {text[:300]}"

    def scene(self, scene: Json, at: int) -> None:
        self.scenes += 1
        self.text(scene, at)
        for counter in scene["counters"]:
            if counter["hidden"]:
                assert set(counter) <= {"side", "hex", "box", "hidden", "marks"}, counter
        for hand in scene["hands"]:
            owner = SIDES.index(hand["side"])
            assert owner == self.viewer or "cards" not in hand, f"viewer {self.viewer} at {at} sees {hand}"
        option = self.secrets.options[at]
        if option is not None and option[0] != self.viewer:
            assert not [note for note in scene["notes"] if "option" in str(unwire(note)).lower()], scene["notes"]
        own = self.secrets.mines[at][self.viewer] if self.viewer >= 0 else frozenset()
        for marker in scene["markers"]:
            if "mine" in marker["kind"]:
                hidden = frozenset().union(*(self.secrets.mines[at][side] for side in self.foreign))
                assert marker["hex"] not in hidden - own, f"viewer {self.viewer} at {at} sees {marker}"
            if marker["kind"] == "secret_minefield":
                assert marker["hex"] in own
        strength = next(stat for stat in scene["stats"] if stat["id"] == "strength")["values"]
        for side in self.foreign:
            standing = [c for c in scene["counters"] if c["side"] == SIDES[side] and "hex" in c]
            assert strength[side] is None or all(not counter["hidden"] for counter in standing)

    def event(self, event: Json) -> None:
        """What an event tells must be open before or after the entry that brought it."""
        self.events += 1
        n = self.entry_noticed(event["n"])
        text = json.dumps(event, ensure_ascii=False)
        named = self.secrets.told(text)
        for side in self.foreign:
            told = named & self.secrets.units[n - 1][side] & self.secrets.units[n][side]
            # A block that is turned up and back again within one entry was turned up for all to see.
            turned = event["event"] in self.secrets.game.reveals
            assert not told or turned, f"viewer {self.viewer}: {text}"
            if event["event"] in ("dealt", "cards_played", "card_bought", "card_given_up") and (
                event.get("side") == SIDES[side]
            ):
                assert not {"real", "dummy", "card", "option"} & set(event), text
            if event["event"] in ("mine_laid", "mines_lifted", "rebuilt", "held", "placed", "early_check"):
                assert event.get("side") != SIDES[side], text
        # What falls in the open stays open, whatever secrets follow from it.
        assert "faces" in event or event["event"] not in ("fired", "pursuit_fire", "buildup_roll"), text
        if "faces" in event:
            assert event["event"] not in ("step_lost", "eliminated", "battle_over", "month", "arrived"), text
            self.roll(event)

    def roll(self, roll: Json) -> None:
        """Dice are open; cards dealt to the other side are not."""
        self.rolls += 1
        n = self.entry_noticed(roll["n"])
        entry = self.secrets.entries[n - 1]
        before, after = self.secrets.hands[n - 1], self.secrets.hands[n]
        for side in self.foreign:
            changed = (before[side], before[side + 2]) != (after[side], after[side + 2])
            assert not (changed and entry.do.startswith("dealt")), f"viewer {self.viewer} saw {roll}"


@pytest.mark.parametrize(("scenario", "seed"), [("crusader", 5)])
def test_no_payload_of_a_whole_game_tells_a_secret(lone_server: Served, scenario: str, seed: int) -> None:
    server = lone_server
    people = {0: server.guest("Ann"), 1: server.guest("Bob"), -1: server.guest("Eve")}
    ann, bob, eve = people[0], people[1], people[-1]
    game = ann.create(GAME, scenario, seats={"axis": "me", "commonwealth": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    told: dict[int, list[tuple[int, Any]]] = {0: [], 1: [], -1: []}
    rng = Random(seed)
    path = f"/api/games/{game}"
    with ann.live(game, SIDES[0]) as red, bob.live(game, SIDES[1]) as blue, eve.live(game) as public:
        lives = {0: red, 1: blue, -1: public}
        for viewer, live in lives.items():
            told[viewer].append((0, live.next()))
        log = server.house.rooms._rooms[game].table.entries
        turn, step = ann.record(game)["to_act"], 0
        while turn is not None:
            step += 1
            mover = SIDES.index(turn)
            table = people[mover].table(game, turn)
            told[mover].append((len(log), table))
            action = rng.choice(table["actions"])
            if step % 20 == 0:
                _look_around(people, told, path, len(log), step, action["text"])
            moved = people[mover].move(game, turn, action["action"], table["length"])
            turn = moved["table"]["to_act"]
            if turn is not None:
                told[mover].append((len(log), moved))
                if step % 4 == 0 and moved["table"]["can_undo"]:
                    told[mover].append((len(log) + 1, people[mover].post(f"{path}/undo", {})))
                    turn = people[mover].record(game)["to_act"]
        record = ann.record(game)
        assert record["status"] == "finished"
        for viewer, live in lives.items():
            # The last message comes after the end, when everything is told; those before it count.
            while (message := live.next())["status"] != "finished":
                told[viewer].append((0, message))
    secrets = Secrets(ann.get(f"{path}/export"))
    assert len(secrets.entries) == len(log) == record["length"]
    assert any(entry.by == "chance" for entry in secrets.entries)
    for viewer, heard in told.items():
        search = Search(secrets, viewer)
        for at, payload in heard:
            search.payload(payload, at)
        assert search.scenes > 20
        assert search.events > 100
        assert search.rolls > 5
    _the_search_can_fail(secrets, told)


def _look_around(
    people: dict[int, Person], told: dict[int, list[tuple[int, Any]]], path: str, length: int, step: int, text: str
) -> None:
    """Everything else that can be asked of a table, by everybody."""
    for viewer, person in people.items():
        seat = {"seat": SIDES[viewer]} if viewer >= 0 else {}
        table = person.get(f"{path}/table", **seat)
        told[viewer].append((length, table))
        far = table["length"]
        questions = ["overlays", "news", f"events?since={max(0, far - 20)}", f"at/{far // 2}", f"at/{far}"]
        for question in questions:
            name, _, query = question.partition("?")
            more = dict(part.split("=") for part in query.split("&") if part)
            told[viewer].append((length, person.get(f"{path}/{name}", **seat, **more)))
        for name in ("why", "odds"):
            answer = person.http.get(f"{path}/{name}", params={**seat, "action": text})
            told[viewer].append((length, answer.json()))
        if step % 60 == 0:
            told[viewer].append((length, person.get(f"{path}/events", **seat)))
            told[viewer].append((length, person.get(f"{path}/dice", **seat)))


def _the_search_can_fail(secrets: Secrets, told: dict[int, list[tuple[int, Any]]]) -> None:
    """What one side was told would be found if the other had been told it."""
    for mine, theirs in ((0, 1), (1, 0)):
        scenes = [(at, data) for at, data in told[mine] if isinstance(data, dict) and "scene" in data]
        search = Search(secrets, theirs)
        with pytest.raises(AssertionError):
            search.payload([data["scene"] for _, data in scenes], scenes[0][0])


def test_a_scene_does_not_depend_on_what_its_viewer_cannot_know(lone_server: Served) -> None:
    """The same answer would be given if everything hidden from the viewer were dealt anew."""
    ann, bob = lone_server.guest(), lone_server.guest()
    game = ann.create(GAME, "battleaxe", seats={"axis": "me", "commonwealth": "open"})["id"]
    bob.post(f"/api/games/{game}/join", {})
    rules = registry.get(GAME)
    rng = Random(8)
    people = {"axis": ann, "commonwealth": bob}
    for step in range(60):
        turn = ann.record(game)["to_act"]
        people[turn].step(game, rng, turn)
        if step % 10 == 0:
            state = lone_server.house.rooms._rooms[game].table.state
            for number, side in enumerate(SIDES):
                dealt = rules.redeal(state, number, Random(step))
                scene = msgspec.json.decode(msgspec.json.encode(rules.scene(rules.view(dealt, number))))
                assert people[side].table(game, side)["scene"] == scene
