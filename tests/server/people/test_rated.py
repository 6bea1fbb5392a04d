"""Rated games: who may play one, what is refused in it, and that each is counted once, whatever happens."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from sandtable.server.people import ratings
from sandtable.server.storage import schema

from ..kit import Json, Person, Served, in_server


def rated_game(host: Person, guest: Person, **wishes: Any) -> str:
    """A rated game of two accounts, both seated; the host has red."""
    wish = {"seats": {"red": "me", "blue": "open"}, "rated": True, "pace": 3, **wishes}
    game: str = host.create(**wish)["id"]
    guest.post(f"/api/games/{game}/join", {})
    return game


def two(server: Served) -> tuple[Person, Person]:
    return Person(server.url).register(), Person(server.url).register()


def rows(server: Served, table: Any, **where: str) -> list[Json]:
    async def read() -> list[Json]:
        async with server.house.database.read() as connection:
            wanted = select(table)
            for name, value in where.items():
                wanted = wanted.where(table.c[name] == value)
            return [dict(row._mapping) for row in await connection.execute(wanted)]

    found: list[Json] = in_server(server, read())
    return found


def rating(person: Person, game: str) -> Json | None:
    """The rating that a seat of this person shows."""
    seat = next(seat for seat in person.record(game)["seats"] if seat.get("you"))
    found: Json | None = seat.get("rating")
    return found


# Who may


def test_a_rated_game_is_for_accounts_on_one_seat_each(server: Served) -> None:
    ann, bob, guest = *two(server), server.guest("Gus")
    seats = {"red": "me", "blue": "open"}
    assert guest.post("/api/games", new(seats), 403)["code"] == "rated"
    assert ann.post("/api/games", new({"red": "me", "blue": "me"}), 422)["code"] == "rated"
    assert ann.post("/api/games", new({"red": "me", "blue": "random"}), 422)["code"] == "rated"
    assert ann.post("/api/games", new(seats, pace=None), 422)["code"] == "rated"
    assert ann.post("/api/games", new({"red": "me"}, kept={"blue": ann.me["name"]}), 422)["code"] == "rated"
    made = ann.post("/api/games", new(seats), 201)
    path = f"/api/games/{made['id']}"
    assert made["rated"]
    assert not ann.create(seats=seats)["rated"], "friendly, if nothing is said"
    assert guest.post(f"{path}/join", {}, 403)["code"] == "rated"
    assert ann.post(f"{path}/join", {"seat": "blue"}, 403)["code"] == "rated"
    assert ann.post(f"{path}/seats/blue", {"to": "random"}, 403)["code"] == "rated"
    assert ann.post(f"{path}/seats/blue", {"to": "me"}, 403)["code"] == "rated"
    assert ann.post(f"{path}/seats/blue", {"to": ann.me["name"]}, 403)["code"] == "rated"
    assert bob.post(f"{path}/join", {})["status"] == "running"
    for to in ("open", "random", "invite", "somebody else"):
        assert bob.post(f"{path}/seats/blue", {"to": to}, 403)["code"] == "rated", "played by those who began it"


def new(seats: Json, **wishes: Any) -> Json:
    return {"game": "toy", "scenario": "line", "seats": seats, "rated": True, "pace": 3, **wishes}


def test_no_help_in_a_rated_game(server: Served) -> None:
    """No hint, no trying out, no save; taking back by agreement stays."""
    ann, bob = two(server)
    game = rated_game(ann, bob)
    path = f"/api/games/{game}"
    for _ in range(3):
        ann.step(game, Random(1), "red")
    assert ann.get(f"{path}/hint", 403)["code"] == "rated"
    assert ann.post(f"{path}/branch", {"at": 1}, 403)["code"] == "rated"
    ann.get(f"{path}/analysis", 403)
    ann.get(f"{path}/export", 403)
    assert ann.post(f"{path}/undo/ask", {"seat": "red"}, 200)["id"] == game
    assert bob.post(f"{path}/undo/answer", {"yes": True}, 200)["id"] == game
    bob.post(f"{path}/resign", {})
    assert ann.post(f"{path}/branch", {"at": 1}, 201)["analysis"], "when it is over, it may be tried out"


def test_a_rematch_puts_nobody_at_stake_who_has_not_sat_down(server: Served) -> None:
    ann, bob = two(server)
    game = rated_game(ann, bob)
    bob.post(f"/api/games/{game}/resign", {})
    again = ann.post(f"/api/games/{game}/rematch", {})
    assert (again["rated"], again["status"]) == (True, "open")
    assert [seat.get("account") for seat in again["seats"]] == [ann.me["id"], None]
    assert bob.post(f"/api/games/{again['id']}/join", {})["status"] == "running"


# Counting


def test_a_rated_game_counts_for_both_and_a_friendly_one_for_nobody(server: Served) -> None:
    ann, bob = two(server)
    friendly = rated_game(ann, bob, rated=False)
    bob.post(f"/api/games/{friendly}/resign", {})
    assert rating(ann, friendly) is None
    game = rated_game(ann, bob)
    bob.post(f"/api/games/{game}/resign", {})
    assert rating(ann, game) == {"rating": 1662, "deviation": 290, "games": 1}
    assert rating(bob, game) == {"rating": 1338, "deviation": 290, "games": 1}
    assert {row["score"] for row in rows(server, schema.scores, game_id=game)} == {0.0, 1.0}
    assert rows(server, schema.scores, game_id=friendly) == []


def test_a_game_that_its_rules_end_is_counted(server: Served) -> None:
    ann, bob = two(server)
    game = rated_game(ann, bob)
    rng = Random(3)
    while (turn := ann.record(game)["to_act"]) is not None:
        (ann if turn == "red" else bob).step(game, rng, turn)
    winner = ann.record(game)["outcome"]["winner"]
    scores = {row["side"]: row["score"] for row in rows(server, schema.scores, game_id=game)}
    wanted = {None: 0.5, "red": 1.0, "blue": 0.0}[winner]
    assert scores == {"red": wanted, "blue": 1 - wanted}


def test_a_draw_is_half(server: Served) -> None:
    from sandtable.engine.contract import Outcome
    from sandtable.server.play import moves

    ann, bob = two(server)
    game = rated_game(ann, bob)
    ann.table(game)

    async def draw() -> None:
        room = await server.house.rooms.get(game)
        async with room.lock:
            await moves.end(server.house, room, Outcome(None, "a draw"))

    in_server(server, draw())
    assert {row["score"] for row in rows(server, schema.scores, game_id=game)} == {0.5}
    assert rating(ann, game) == rating(bob, game) == {"rating": 1500, "deviation": 290, "games": 1}


def test_time_lost_is_a_game_lost(server: Served) -> None:
    ann, bob = two(server)
    game = rated_game(ann, bob)
    turn = ann.record(game)["to_act"]
    late, early = (ann, bob) if turn == "red" else (bob, ann)
    path = f"/api/games/{game}"
    assert early.post(f"{path}/claim", {}, 403)["code"] == "clock"
    room = server.house.rooms._rooms[game]
    in_server(server, server.house.change(room, {"turn_since": time.time() - 4 * 86400}))
    early.post(f"{path}/claim", {})
    assert (rating(early, game) or {})["rating"] == 1662
    assert (rating(late, game) or {})["rating"] == 1338


# Once, and from the games alone


def everything(server: Served) -> tuple[Any, Any]:
    def order(found: list[Json]) -> list[Json]:
        return sorted(found, key=lambda row: (row["account_id"], row.get("game_id", ""), row["game"]))

    return order(rows(server, schema.ratings)), order(rows(server, schema.scores))


def test_a_fault_in_the_middle_counts_nothing_and_the_next_time_once(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = two(server)
    game = rated_game(ann, bob)
    before = everything(server)

    def broken(table: Any) -> Any:
        if table is schema.ratings:
            raise RuntimeError("the power has failed")
        return insert(table)

    monkeypatch.setattr(ratings, "insert", broken)  # after the scores were written, before the ratings are
    assert bob.post(f"/api/games/{game}/resign", {})["status"] == "finished", "the game is over all the same"
    assert everything(server) == before
    monkeypatch.undo()
    assert in_server(server, server.house.ratings.count()) == 1
    assert in_server(server, server.house.ratings.count()) == 0
    assert len(rows(server, schema.scores, game_id=game)) == 2
    assert rating(ann, game) == {"rating": 1662, "deviation": 290, "games": 1}


def test_many_at_once_count_each_game_once(server: Served) -> None:
    ann, bob = two(server)
    games = [rated_game(ann, bob) for _ in range(4)]

    async def end() -> None:
        from sandtable.server.play import moves

        async def one(game: str) -> None:
            room = await server.house.rooms.get(game)
            person = await server.house.accounts.named(bob.me["name"])
            await moves.resign(server.house, room, person, None)

        await asyncio.gather(*(one(game) for game in games), *(server.house.ratings.count() for _ in range(4)))

    in_server(server, end())
    assert (rating(ann, games[0]) or {})["games"] == 4
    assert len(rows(server, schema.scores, account_id=ann.me["id"])) == 4


def test_ratings_can_be_worked_out_again_from_the_games(server: Served) -> None:
    ann, bob, eve = *two(server), Person(server.url).register()
    for host, guest, loser in ((ann, bob, ann), (bob, eve, eve), (eve, ann, ann), (ann, bob, bob)):
        game = rated_game(host, guest)
        loser.post(f"/api/games/{game}/resign", {})
    before = everything(server)

    async def lose() -> None:
        async def job(connection: Any) -> None:
            await connection.execute(delete(schema.ratings))
            await connection.execute(delete(schema.scores))

        await server.house.database.write(job)

    in_server(server, lose())
    assert in_server(server, server.house.ratings.count()) >= 4
    assert everything(server) == before
    in_server(server, server.house.ratings.recount())
    assert everything(server) == before


def test_a_game_that_is_counted_late_is_put_in_its_place(server: Served) -> None:
    """It ended before another that was counted first: everything after it is worked out anew."""
    ann, bob = two(server)
    late, first = rated_game(ann, bob), rated_game(ann, bob)
    bob.post(f"/api/games/{first}/resign", {})

    async def end() -> None:
        async def job(connection: Any) -> None:
            games = schema.games
            earlier = select(games.c.updated).where(games.c.id == first).scalar_subquery()
            outcome = '{"winner":"blue","level":"x","points":0,"rule":""}'
            done = update(games).where(games.c.id == late)
            await connection.execute(done.values(status="finished", outcome=outcome, updated=earlier - 60.0))

        await server.house.database.write(job)
        await server.house.ratings.count()

    in_server(server, end())
    mine = sorted(rows(server, schema.scores, account_id=ann.me["id"]), key=lambda row: row["at"])
    assert [(row["game_id"], row["score"]) for row in mine] == [(late, 0.0), (first, 1.0)]
    before = everything(server)
    in_server(server, server.house.ratings.recount())
    assert everything(server) == before
