"""Nobody can count what others do in secret: everything a viewer is told is numbered in his own count."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from sandtable import registry
from sandtable.engine.contract import SPECTATOR
from sandtable.engine.texts.text import unwire
from sandtable.server.table import looks
from sandtable.server.table.live import LiveTable
from sandtable.server.table.told import EVERYTHING, Headline, Told

from ..kit import Json, Live, Person, Served, in_server

SIDES = ("axis", "commonwealth")


def everything(person: Person, game: str, seat: str | None) -> list[str]:
    """All that can be asked about a game from a seat, as it comes over the wire."""
    where = {"seat": seat} if seat else {}
    path = f"/api/games/{game}"
    length = person.get(f"{path}/table", **where)["length"]
    questions = ["", "/table", "/events", "/news", "/overlays", "/dice", "/at/0", f"/at/{length}", f"/at/{length // 2}"]
    heard = []
    for question in questions:
        heard.append(person.http.get(f"{path}{question}", params=where if question else None).text)
    heard.append(person.http.get(f"{path}/at/{length + 1}", params=where).text)
    heard.append(person.http.get(f"{path}/at/{length}", params={**where, "counted": "public"}).text)
    for kind in ("mine", "watch"):
        heard += [json.dumps(one) for one in person.get("/api/games", list=kind) if one["id"] == game]
    if seat:
        wish = {"seat": seat, "length": 999999, "key": "x", "action": {"do": "pass"}}
        heard.append(person.http.post(f"{path}/moves", json=wish).text)
    return heard


def silent(live: Live) -> bool:
    try:
        live.socket.recv(timeout=0.3)
    except TimeoutError:
        return True
    return False


def secret_action(table: LiveTable, viewer: int, rng: Random) -> Any:
    """An action that the viewer must not notice, if there is one here that can be taken back."""
    tried = LiveTable.replay(table.log, table.game)
    assert isinstance(tried, LiveTable)
    side, before = tried.to_act, len(tried.entries)
    assert side is not None
    actions = tried.legal()
    rng.shuffle(actions)
    mark = tried.mark()
    for action in actions[:12]:
        events = tried.act(action)
        hidden = all(tried.game.event_json(event, viewer) is None for event in events)
        if hidden and tried.to_act == side and tried.can_undo(side) and len(tried.entries) == before + 1:
            return action
        tried.go_to(mark, table.entries)
    return None


@pytest.mark.parametrize(("seed", "asking"), [(3, False), (3, True)])
def test_what_is_done_in_secret_changes_nothing_for_the_others(lone_server: Served, seed: int, asking: bool) -> None:
    """A secret action, taken and taken back, leaves no trace in anything that the others can ask or hear.

    Also not while the other side asks to take something back: its question stands as it stood.
    """
    server = lone_server
    people = [server.guest("Ann"), server.guest("Bob")]
    eve = server.guest("Eve")
    game = people[0].create("rommel", "1941", seats={SIDES[0]: "me", SIDES[1]: "open"})["id"]
    people[1].post(f"/api/games/{game}/join", {})
    rng = Random(seed)
    verbs: set[str] = set()
    eve.table(game)
    table = server.house.rooms._rooms[game].table
    while len(verbs) < 4:
        turn = table.to_act
        assert turn is not None, verbs
        mover, other = people[turn], people[1 - turn]
        shown = mover.table(game, SIDES[turn])
        action = secret_action(table, 1 - turn, rng) if rng.random() < 0.3 else None
        if action is None or table.game.text(action).split()[0] in verbs:
            item = rng.choice(shown["actions"])["action"]
            mover.move(game, SIDES[turn], item, shown["length"])
            continue
        if asking:
            asked = other.http.post(f"/api/games/{game}/undo/ask", json={"seat": SIDES[1 - turn]})
            if asked.status_code != 200:
                mover.move(game, SIDES[turn], rng.choice(shown["actions"])["action"], shown["length"])
                continue
            assert other.table(game, SIDES[1 - turn])["undo_asked"]["by"] == SIDES[1 - turn]
        verbs.add(table.game.text(action).split()[0])
        room = server.house.rooms._rooms[game]
        in_server(server, server.house.change(room, {"updated": room.row["updated"] - 100}))
        viewers = [(other, SIDES[1 - turn]), (eve, None)]
        before = [everything(person, game, seat) for person, seat in viewers]
        entries = len(table.entries)
        with other.live(game, SIDES[1 - turn]) as hears, eve.live(game) as public:
            hears.next()
            public.next()
            moved = mover.move(game, SIDES[turn], table.game.action_json(action), shown["length"])
            assert moved["length"] == shown["length"] + 1
            assert [everything(person, game, seat) for person, seat in viewers] == before
            undone = mover.post(f"/api/games/{game}/undo", {"seat": SIDES[turn], "length": moved["length"]})
            assert undone["events"][-1]["entries"] == [moved["length"]]
            assert [everything(person, game, seat) for person, seat in viewers] == before
            assert silent(hears)
            assert silent(public)
        assert len(table.entries) == entries + 2


@pytest.mark.parametrize("name", ["toy", *registry.names()])
def test_who_notices_nothing_sees_nothing_change(toys: None, name: str) -> None:
    """As long as a viewer's count stays, so does all that he is shown; as soon as it rises, he is told why."""
    game = registry.get(name)
    unnoticed = 0
    for seed, scenario in enumerate(game.scenarios()[:3]):
        table = LiveTable.new(game, scenario.id, {}, seed=bytes([seed]) * 32)
        assert isinstance(table, LiveTable)
        rng = Random(seed)
        for _ in range(250):
            shown = {viewer: _shown(table, viewer) for viewer in table.told.viewers}
            table.act(rng.choice(table.legal()))
            if table.to_act is None:
                break
            for viewer, (length, was) in shown.items():
                now, sees = _shown(table, viewer)
                if now == length:
                    unnoticed += 1
                    assert sees == was
        events = table.events
        for viewer in table.told.viewers:
            for happened in events:
                if game.event_json(happened.event, viewer) is not None:
                    assert table.told.noticed(viewer, happened.n)
    if game.info.open:  # where nothing is hidden everything is noticed
        assert unnoticed == 0
    else:
        assert unnoticed > 50


def _shown(table: LiveTable, viewer: int) -> tuple[int, Json]:
    state = looks.table_state(table, viewer, None, "running")
    told = looks.events(table, viewer, max(0, state.length - 5))
    return state.length, {"scene": state.scene, "prompt": state.prompt, "to_act": state.to_act, "events": told}


# Numbers that are sent back


def two_at_rommel(server: Served, steps: int) -> tuple[list[Person], str]:
    people = [server.guest("Ann"), server.guest("Bob")]
    game = people[0].create("rommel", "battleaxe", seats={SIDES[0]: "me", SIDES[1]: "open"})["id"]
    people[1].post(f"/api/games/{game}/join", {})
    rng = Random(6)
    for _ in range(steps):
        turn = people[0].record(game)["to_act"]
        people[SIDES.index(turn)].step(game, rng, turn)
    return people, game


def test_each_resumes_and_looks_back_in_his_own_count(server: Served) -> None:
    people, game = two_at_rommel(server, 120)
    eve = server.guest()
    lengths = []
    for person, seat in ((people[0], SIDES[0]), (people[1], SIDES[1]), (eve, None)):
        where = {"seat": seat} if seat else {}
        path = f"/api/games/{game}"
        table = person.table(game, seat)
        lengths.append(table["length"])
        events = person.get(f"{path}/events", **where)
        numbers = [event["n"] for event in events]
        assert numbers == sorted(numbers)
        assert numbers[-1] <= table["length"]
        since = numbers[len(numbers) // 2]
        later = [event for event in events if event["n"] > since]
        assert person.get(f"{path}/events", since=since, **where) == later
        with person.live(game, seat, since=since) as live:
            first = live.next()
            assert first["events"] == later
            assert first["length"] == table["length"]
        moment = person.get(f"{path}/at/{since}", **where)
        assert moment["n"] == since
        assert moment["events"] == [event for event in events if event["n"] == since]
        assert person.get(f"{path}/at/{table['length']}", **where)["scene"] == table["scene"]
        assert person.get(f"{path}/at/{table['length'] + 1}", 404, **where)["length"] == table["length"]
    log = len(server.house.rooms._rooms[game].table.entries)
    assert all(length < log for length in lengths)
    assert len(set(lengths)) > 1


def said(event: Json) -> str:
    """The line of an event, in words."""
    return str(unwire(event["text"]))


def test_a_public_number_means_the_same_moment_to_everybody(server: Served) -> None:
    people, game = two_at_rommel(server, 120)
    path = f"/api/games/{game}"
    public = people[0].table(game, SIDES[0])["public"]
    assert public == people[1].table(game, SIDES[1])["public"] == server.guest().table(game)["length"]
    common = [(event["n"], said(event)) for event in server.guest().get(f"{path}/events")]
    for side in (0, 1):
        own = people[side].get(f"{path}/events", seat=SIDES[side])
        assert {(event["public"], said(event)) for event in own} >= {
            (n, text) for n, text in common if text in {said(event) for event in own}
        }
        assert max(event["public"] for event in own) <= public
    middle = public // 2
    seen = [people[side].get(f"{path}/at/{middle}", seat=SIDES[side], counted="public") for side in (0, 1)]
    assert [moment["public"] for moment in seen] == [middle, middle]
    assert seen[0]["scene"]["title"] == seen[1]["scene"]["title"]
    again = people[0].get(f"{path}/at/{seen[0]['n']}", seat=SIDES[0])
    assert again == seen[0]
    noted = seen[0]["n"]
    assert people[0].get(f"{path}/at/{noted}", status=403, counted=SIDES[0])["code"] == "counted"
    people[0].post(f"{path}/resign", {"seat": SIDES[0]})
    found = people[0].get(f"{path}/at/{noted}", counted=SIDES[0])  # what was noted in one's own count
    assert found["n"] == server.house.rooms._rooms[game].table.told.entry(0, noted)
    after = people[1].get(f"{path}/at/{middle}", counted="public")
    assert after["public"] == middle
    assert after["n"] > middle
    assert after["prompt"]["title"]
    table = server.house.rooms._rooms[game].table
    assert after["n"] == table.told.entry(SPECTATOR, middle)


def test_a_move_names_the_count_of_its_own_seat(server: Served) -> None:
    people, game = two_at_rommel(server, 120)
    rng = Random(7)
    for _ in range(200):  # until the two counts happen to differ
        turn = people[0].record(game)["to_act"]
        mover, other = people[SIDES.index(turn)], people[1 - SIDES.index(turn)]
        table = mover.table(game, turn)
        foreign = other.table(game, SIDES[1 - SIDES.index(turn)])["length"]
        log = len(server.house.rooms._rooms[game].table.entries)
        if foreign != table["length"] != log:
            break
        mover.step(game, rng, turn)
    assert foreign != table["length"] != log
    action = table["actions"][0]["action"]
    assert mover.move(game, turn, action, log, status=409)["length"] == table["length"]
    assert mover.move(game, turn, action, foreign, status=409)["code"] == "stale"
    mover.move(game, turn, action, table["length"])


def test_the_end_tells_everything_in_the_numbers_of_the_log(server: Served) -> None:
    people, game = two_at_rommel(server, 120)
    ann, bob = people
    with bob.live(game, SIDES[1]) as live:
        before = live.next()
        known = bob.get(f"/api/games/{game}/events", seat=SIDES[1])
        ann.post(f"/api/games/{game}/resign", {"seat": SIDES[0]})
        while (message := live.next())["status"] != "finished":
            pass
    log = len(server.house.rooms._rooms[game].table.entries)
    assert before["length"] < message["length"] == bob.table(game)["length"] == ann.record(game)["length"] == log
    assert bob.get(f"/api/games/{game}/events") == ann.get(f"/api/games/{game}/events")
    events = bob.get(f"/api/games/{game}/events")
    assert len(events) > len(known)
    assert known[-1]["n"] < events[-1]["n"] <= log


def test_a_question_for_undo_counts_what_was_noticed(server: Served) -> None:
    """Bob asks for one decision back; Ann has done things since that he does not know of."""
    people, game = two_at_rommel(server, 0)
    rng = Random(6)
    people[0].table(game)
    table = server.house.rooms._rooms[game].table
    for _ in range(400):
        turn = table.to_act
        other = 1 - turn
        since = table.decision_back(SIDES[other], 1)
        back = len(table.decisions_since(since)) if since else 0
        if back and table.decisions_seen(other, since) < back - 1 and table.decisions_seen(turn, since) == back:
            break
        people[turn].step(game, rng, SIDES[turn])
    else:
        pytest.fail("nothing secret came about")
    path = f"/api/games/{game}"
    people[other].post(f"{path}/undo/ask", {"seat": SIDES[other]})
    asked = [people[side].table(game, SIDES[side]) for side in (0, 1)]
    assert asked[turn]["undo_asked"]["decisions"] == back
    assert asked[other]["undo_asked"]["decisions"] == table.decisions_seen(other, since)
    assert [one["undo_asked"]["length"] for one in asked] == [one["length"] for one in asked]
    people[turn].post(f"{path}/undo/answer", {"seat": SIDES[turn], "yes": True})
    events = [people[side].get(f"{path}/events", seat=SIDES[side])[-1] for side in (0, 1)]
    assert [event["event"] for event in events] == ["undo", "undo"]
    assert len(events[other]["entries"]) < len(events[turn]["entries"])
    assert max(events[other]["entries"]) < events[other]["n"]


def test_a_live_connection_stays_with_its_seat(server: Served) -> None:
    """Who plays both sides without naming one is not thrown from one count into the other."""
    ann = server.guest()
    game = ann.create(seats={"red": "me", "blue": "me"})["id"]
    with ann.live(game) as live:
        assert live.next()["length"] == 0
        for _ in range(8):
            ann.step(game, Random(1))
        numbers = [event["n"] for event in live.until(ann.table(game, "red")["length"])]
    assert numbers == [event["n"] for event in ann.get(f"/api/games/{game}/events", seat="red")]
    with pytest.raises(ConnectionClosed), ann.live(game, "green") as live:
        live.next()


# The count itself


def test_counts() -> None:
    first = Headline("one", "a")
    told = Told(2, first)
    told.add([0], Headline("two", "a"))
    told.add([], None)
    told.add([0, 1, SPECTATOR], Headline("three", "a"))
    told.add([1], Headline("four", "b"))
    assert [told.count(0, n) for n in range(5)] == [0, 1, 1, 2, 2]
    assert [told.count(1, n) for n in range(5)] == [0, 0, 0, 1, 2]
    assert [told.count(SPECTATOR, n) for n in range(5)] == [0, 0, 0, 1, 1]
    assert [told.count(EVERYTHING, n) for n in range(5)] == [0, 1, 2, 3, 4]
    assert [told.entry(0, count) for count in (0, 1, 2, 9)] == [0, 1, 4, 4]
    assert [told.entry(1, count) for count in (0, 1, 2)] == [1, 3, 4]
    assert [told.entry(EVERYTHING, count) for count in (2, 9)] == [2, 4]
    assert [told.noticed(1, n) for n in (1, 2, 3, 4)] == [False, False, True, True]
    assert told.headline(1, 2) == first
    assert told.headline(0, 4) == Headline("three", "a")
    assert told.headline(1, 4) == Headline("four", "b")
    told.cut(3)
    assert told.entries == 3
    told.add([], None)
    assert told.count(1, 4) == 1
