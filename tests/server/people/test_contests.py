"""Leagues and knock-outs of a club: they go on by themselves, with odd numbers, ties, and players who leave."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import select, update

from sandtable.server.storage import schema

from ..kit import Json, Person, Served, in_server, wait_for
from .test_rated import rows


def club(server: Served, number: int) -> list[Person]:
    return [Person(server.url).register() for _ in range(number)]


def new(form: str = "single", **wishes: Any) -> Json:
    return {"name": "Spring league", "game": "toy", "scenario": "line", "form": form, "pace": 3, **wishes}


def begun(people: list[Person], form: str = "single", **wishes: Any) -> str:
    """A contest of these people, the first of whom runs it; started."""
    contest: str = people[0].post("/api/contests", new(form, **wishes), 201)["contest"]["id"]
    for one in people:
        one.post(f"/api/contests/{contest}/enter", {}, 200)
    people[0].post(f"/api/contests/{contest}/start", {}, 200)
    return contest


def look(person: Person, contest: str) -> Json:
    found: Json = person.get(f"/api/contests/{contest}")
    return found


def play(server: Served, people: list[Person], contest: str, wins: Any) -> Json:
    """Play a contest to its end: `wins` says of each game who wins it, by who has the first side and the second."""
    by_name = {one.me["name"]: one for one in people}
    for _ in range(60):
        found = look(people[0], contest)
        if found["contest"]["status"] != "running":
            return found
        for one in found["meetings"]:
            if one["game_id"] is None or one["result"] is not None:
                continue
            first, second = by_name[one["first"]], by_name[one["second"]]
            won = wins(people.index(first), people.index(second))
            if won is None:
                draw(server, one["game_id"])
            else:
                (second if people[won] is first else first).post(f"/api/games/{one['game_id']}/resign", {}, 200)
        in_server(server, server.house.clubs.go_on(contest))
    raise AssertionError("the contest does not end")


def draw(server: Served, game: str) -> None:
    from sandtable.engine.contract import Outcome
    from sandtable.server.play import moves

    async def job() -> None:
        room = await server.house.rooms.get(game)
        async with room.lock:
            await moves.end(server.house, room, Outcome(None, "a draw"))

    in_server(server, job())


def better(a: int, b: int) -> int:
    return min(a, b)


# Leagues


def test_a_league_of_three_goes_from_round_to_round(server: Served) -> None:
    """An odd number: one rests in each round. The better seed wins every game."""
    people = club(server, 3)
    contest = begun(people, rated=True)
    found = look(people[1], contest)
    assert (found["contest"]["status"], found["contest"]["round"], found["contest"]["rounds"]) == ("running", 1, 3)
    [first] = [one for one in found["meetings"] if one["game_id"]]
    game = people[0].record(first["game_id"])
    assert (game["rated"], game["status"], game["contest"], game["name"]) == (
        True,
        "running",
        contest,
        "Spring league, 1",
    )
    assert [seat["holder"] for seat in game["seats"]] == [first["first"], first["second"]]
    assert game["clock"]["days"] == 3
    assert first["due"]
    done = play(server, people, contest, better)
    assert done["contest"]["status"] == "finished"
    assert [(line["place"], line["name"], line["points"]) for line in done["table"]] == [
        (place, people[place - 1].me["name"], 3.0 - place) for place in (1, 2, 3)
    ]
    assert done["winners"] == [people[0].me["name"]]
    assert {one["how"] for one in done["meetings"]} == {"played"}
    assert people[0].get("/api/people", name=people[0].me["name"])["ratings"][0]["games"] == 2


def test_a_double_round_robin_swaps_sides_and_can_be_made_at_once(server: Served) -> None:
    people = club(server, 3)
    contest = begun(people, "double", at_once=True)
    found = look(people[0], contest)
    assert len(found["meetings"]) == 6
    assert all(one["game_id"] for one in found["meetings"])
    assert len({(one["first"], one["second"]) for one in found["meetings"]}) == 6
    done = play(server, people, contest, lambda a, b: None)
    assert [line["points"] for line in done["table"]] == [2.0, 2.0, 2.0]
    assert [line["place"] for line in done["table"]] == [1, 1, 1]
    assert len(done["winners"]) == 3, "a place is shared where nothing tells them apart"


def test_who_leaves_forfeits_what_he_has_not_played(server: Served) -> None:
    people = club(server, 4)
    contest = begun(people)
    quitter = people[3]
    mine = next(one for one in look(quitter, contest)["meetings"] if one["yours"] and one["game_id"])
    quitter.post(f"/api/contests/{contest}/leave", {}, 204)
    found = look(people[0], contest)
    lost = [one for one in found["meetings"] if quitter.me["name"] in (one["first"], one["second"])]
    assert {one["how"] for one in lost} == {"played", "forfeit"}
    assert all(one["result"] == ("second" if one["first"] == quitter.me["name"] else "first") for one in lost)
    assert people[0].record(mine["game_id"])["outcome"]["level"] == "resignation"
    done = play(server, people, contest, better)
    assert done["table"][-1]["withdrawn"]
    assert done["winners"] == [people[0].me["name"]]
    assert quitter.post(f"/api/contests/{contest}/leave", {}, 409)["code"] == "over"


def test_when_all_leave_it_is_over_and_nobody_has_won(server: Served) -> None:
    for form in ("single", "knockout"):
        people = club(server, 3)
        contest = begun(people, form)
        for one in people:
            one.post(f"/api/contests/{contest}/leave", {}) if look(one, contest)["contest"][
                "status"
            ] == "running" else None
        found = look(people[0], contest)
        assert found["contest"]["status"] == "finished"
        assert people[0].me["name"] not in found["winners"]


def test_time_that_has_passed_twice_over_decides(server: Served) -> None:
    people = club(server, 2)
    contest = begun(people)
    [one] = look(people[0], contest)["meetings"]
    game = one["game_id"]
    to_act = people[0].record(game)["to_act"]
    room = server.house.rooms._rooms[game]
    for days, decided in ((4, False), (7, True)):
        in_server(server, server.house.change(room, {"turn_since": time.time() - days * 86400}))
        in_server(server, server.house.clubs.go_on(contest))
        assert look(people[0], contest)["meetings"][0]["overdue"] == (not decided)
        assert (people[0].record(game)["status"] == "finished") == decided
    assert look(people[0], contest)["meetings"][0]["result"] == ("second" if to_act == "red" else "first")


# Knock-outs


@pytest.mark.parametrize("number", [2, 3, 5])
def test_a_knock_out_has_byes_both_sides_and_one_winner(server: Served, number: int) -> None:
    people = club(server, number)
    contest = begun(people, "knockout")
    done = play(server, people, contest, better)
    assert done["winners"] == [people[0].me["name"]]
    byes = [one for one in done["meetings"] if one["how"] == "bye"]
    assert len(byes) == {2: 0, 3: 1, 5: 3}[number]
    assert done["matches"][-1]["points_a"] == 2.0
    played = [one for one in done["meetings"] if one["second"]]
    assert len(played) == 2 * (number - 1)
    assert {(one["second"], one["first"]) for one in played} == {(one["first"], one["second"]) for one in played}


def test_a_level_match_has_one_more_game_and_then_the_better_seed(server: Served) -> None:
    people = club(server, 2)
    contest = begun(people, "knockout")
    done = play(server, people, contest, lambda a, b: a)  # whoever has the first side wins
    assert len(done["meetings"]) == 3
    assert done["winners"] == [done["meetings"][2]["first"]]
    people = club(server, 2)
    done = play(server, people, begun(people, "knockout"), lambda a, b: None)
    assert (len(done["meetings"]), done["winners"]) == (3, [people[0].me["name"]])


def test_the_other_goes_on_when_somebody_leaves_a_knock_out(server: Served) -> None:
    people = club(server, 4)
    contest = begun(people, "knockout")
    people[0].post(f"/api/contests/{contest}/leave", {}, 204)
    done = play(server, people, contest, better)
    assert done["winners"] == [people[1].me["name"]]


def test_a_knock_out_is_seeded_by_rating(server: Served) -> None:
    from .test_rated import rated_game

    people = club(server, 3)
    people[0].post(f"/api/games/{rated_game(people[0], people[2])}/resign", {})
    contest = begun(people, "knockout")
    names = [one["name"] for one in look(people[0], contest)["entrants"]]
    assert names == [people[2].me["name"], people[1].me["name"], people[0].me["name"]]


# The organiser


def test_the_organiser_settles_what_did_not_take_place(server: Served) -> None:
    people = club(server, 3)
    contest = begun(people, rated=True)
    path = f"/api/contests/{contest}/settle"
    [one] = [one for one in look(people[0], contest)["meetings"] if one["game_id"]]
    assert people[1].post(path, {"n": one["n"], "result": "draw"}, 403)["code"] == "organiser"
    assert people[0].post(path, {"n": 99, "result": "draw"}, 404)["code"] == "not_found"
    people[0].post(path, {"n": one["n"], "result": "both"}, 400)
    settled = people[0].post(path, {"n": one["n"], "result": "first"}, 200)
    assert settled["contest"]["round"] == 2
    [shown] = [other for other in settled["meetings"] if other["n"] == one["n"]]
    assert (shown["result"], shown["how"]) == ("first", "settled")
    assert people[0].record(one["game_id"])["status"] == "abandoned", "and is not played on, nor rated"
    assert rows(server, schema.scores, game_id=one["game_id"]) == []
    again = people[0].post(path, {"n": one["n"], "result": "none"}, 200)
    assert [other["result"] for other in again["meetings"] if other["n"] == one["n"]] == ["none"], "a slip is mended"
    [now] = [other for other in again["meetings"] if other["game_id"] and other["result"] is None]
    loser = next(person for person in people if person.me["name"] == now["first"])
    loser.post(f"/api/games/{now['game_id']}/resign", {})
    assert people[0].post(path, {"n": now["n"], "result": "first"}, 403)["code"] == "played"


def test_who_may_what_in_a_contest(server: Served) -> None:
    ann, bob, eve, guest = *club(server, 3), server.guest()
    assert guest.post("/api/contests", new(), 403)["code"] == "account"
    Person(server.url).post("/api/contests", new(), 401)
    made = ann.post("/api/contests", new(open=False), 201)["contest"]
    path, token = f"/api/contests/{made['id']}", made["token"]
    assert made["yours"]
    assert not made["entered"]
    for stranger in (bob, guest, Person(server.url)):
        assert stranger.get(path, 404)["code"] == "not_found"
        assert made["id"] not in {one["id"] for one in stranger.get("/api/contests")}
    assert bob.post(f"{path}/enter", {}, 404)["code"] == "not_found"
    assert bob.post(f"{path}/enter", {"token": "wrong"}, 404)["code"] == "not_found"
    assert bob.get(path, token=token)["contest"]["token"] is None
    assert guest.post(f"{path}/enter", {"token": token}, 403)["code"] == "account"
    entered = bob.post(f"{path}/enter", {"token": token}, 200)
    assert bob.post(f"{path}/enter", {"token": token}, 200)["entrants"] == entered["entrants"], "twice is once"
    assert made["id"] in {one["id"] for one in bob.get("/api/contests")}
    for what, data in (("start", {}), ("cancel", {}), ("dismiss", {"name": bob.me["name"]})):
        assert bob.post(f"{path}/{what}", data, 403)["code"] == "organiser"
    assert ann.post(f"{path}/start", {}, 422)["code"] == "players"
    assert ann.post(f"{path}/dismiss", {"name": eve.me["name"]}, 403)["code"] == "entrant"
    assert ann.post(f"{path}/dismiss", {"name": bob.me["name"]}, 200)["entrants"] == []
    assert eve.post(f"{path}/leave", {}, 404)["code"] == "not_found"
    for one in (ann, bob):
        one.post(f"{path}/enter", {"token": token}, 200)
    ann.post(f"{path}/start", {}, 200)
    assert ann.post(f"{path}/start", {}, 409)["code"] == "started"
    assert eve.post(f"{path}/enter", {"token": token}, 409)["code"] == "started"
    [one] = look(ann, made["id"])["meetings"]
    side = next(seat["side"] for seat in ann.record(one["game_id"])["seats"] if seat.get("you"))
    assert ann.post(f"/api/games/{one['game_id']}/seats/{side}", {"to": "open"}, 403)["code"] == "contest"
    assert ann.post(f"{path}/cancel", {}, 200)["contest"]["status"] == "cancelled"
    assert ann.record(one["game_id"])["status"] == "running", "it goes on as a game of its own"
    assert ann.post(f"{path}/cancel", {}, 409)["code"] == "over"


def test_what_cannot_be_a_contest(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Person(server.url).register()
    for wish, code in (
        (new(game="nothing"), "game"),
        (new(scenario="nothing"), "scenario"),
        (new(options={"nothing": True}), "option"),
        (new(name="\u200b"), "name"),
    ):
        assert ann.post("/api/contests", wish, 422)["code"] == code
    for bad in (
        {"name": ""},
        {"name": "x" * 81},
        {"form": "ladder"},
        {"pace": 0},
        {"pace": 366},
        {"pace": None},
        {"x": 1},
    ):
        ann.post("/api/contests", new() | bad, 400)
    for path in ("x", "../x", "A" * 41, "%00"):
        assert ann.http.get(f"/api/contests/{path}").status_code in (400, 404)
    monkeypatch.setattr("sandtable.server.play.contests.LEAGUE", 1)
    monkeypatch.setattr("sandtable.server.play.contests.MOST", 1)
    contest = ann.post("/api/contests", new(), 201)["contest"]["id"]
    assert ann.post("/api/contests", new(), 422)["code"] == "many"
    ann.post(f"/api/contests/{contest}/enter", {}, 200)
    bob = Person(server.url).register()
    assert bob.post(f"/api/contests/{contest}/enter", {}, 422)["code"] == "full"


# By itself, and after a crash


def test_it_goes_on_by_itself(server: Served) -> None:
    people = club(server, 3)
    contest = begun(people)
    [one] = [one for one in look(people[0], contest)["meetings"] if one["game_id"]]
    loser = next(person for person in people if person.me["name"] == one["first"])
    loser.post(f"/api/games/{one['game_id']}/resign", {})
    wait_for(lambda: look(people[0], contest)["contest"]["round"] == 2)


def test_a_crash_in_the_middle_makes_no_game_twice(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the draw, and again while a game is made: nothing is half, and the next look goes on."""
    from sandtable.server.play import lobby
    from sandtable.server.play.progress import Clubs

    people = club(server, 4)
    contest = people[0].post("/api/contests", new(at_once=True), 201)["contest"]["id"]
    for one in people:
        one.post(f"/api/contests/{contest}/enter", {}, 200)

    async def gone(self: Clubs, contest_id: str) -> None:
        """The process ends here."""

    with monkeypatch.context() as patched:
        patched.setattr(Clubs, "go_on", gone)
        started = people[0].post(f"/api/contests/{contest}/start", {}, 200)
    assert [one["game_id"] for one in started["meetings"]] == [None] * 6

    class Killed(Exception):
        pass

    store: Any = lobby.store
    left = [2]

    async def dying(*given: Any) -> Any:
        *rest, also = given

        async def torn(connection: Any, game_id: str) -> None:
            await also(connection, game_id)
            left[0] -= 1
            if left[0] < 0:
                raise Killed

        return await store(*rest, torn)

    monkeypatch.setattr(lobby, "store", dying)
    with pytest.raises(Killed):
        in_server(server, server.house.clubs.go_on(contest))
    monkeypatch.undo()
    made = rows(server, schema.games, contest=contest)
    assert len(made) == 2
    for _ in range(2):
        in_server(server, server.house.clubs.go_on(contest))
    meetings = look(people[0], contest)["meetings"]
    games = {one["game_id"] for one in meetings}
    assert len(games) == 6
    assert games == {row["id"] for row in rows(server, schema.games, contest=contest)}


def test_a_result_is_taken_up_though_nobody_was_there_to_note_it(server: Served) -> None:
    people = club(server, 2)
    contest = begun(people)
    [one] = look(people[0], contest)["meetings"]

    async def end() -> None:
        async def job(connection: Any) -> None:
            games = schema.games
            outcome = '{"winner":"blue","level":"x","points":0,"rule":""}'
            mine = update(games).where(games.c.id == one["game_id"])
            await connection.execute(mine.values(status="finished", outcome=outcome))
            assert (await connection.execute(select(games.c.id).where(games.c.id == one["game_id"]))).one()

        await server.house.database.write(job)
        assert contest in await server.house.clubs._under_way()
        await server.house.clubs.go_on(contest)

    in_server(server, end())
    found = look(people[0], contest)
    assert (found["meetings"][0]["result"], found["contest"]["status"]) == ("second", "finished")
    assert found["winners"] == [one["second"]]
