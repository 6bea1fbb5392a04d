"""Lessons: the list, beginning one, and what the coach says at the table."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from ..people.limits import CREATE
from ..play import lessons, lobby
from ..refusals import forbidden
from ..table.rooms import Room
from ..wire.games import GameRecord
from ..wire.lessons import LessonAgain, LessonInfo, LessonRead, LessonState
from .common import GameId, Here, Me, Somebody, documented

Game = Annotated[str, PathParameter(max_length=40, description="A game's id.")]
Name = Annotated[str, PathParameter(max_length=60, description="A lesson of the game.")]


@get("/api/lessons", summary="All lessons, and where you left them")
async def listed(house: Here, somebody: Somebody) -> list[LessonInfo]:
    return await lessons.listed(house, somebody)


@post("/api/lessons/{game:str}/{name:str}", summary="Begin a lesson, or take it up again")
async def begin(
    house: Here,
    me: Me,
    game: Game,
    name: Name,
    anew: Annotated[bool, QueryParameter(required=False, description="From its beginning.")] = False,
) -> GameRecord:
    await house.limits.count("create", me.id, CREATE)
    room = await lessons.begin(house, me, lobby.rules_named(game), name, anew)
    return await house.record(room, me)


def _learner(room: Room, me: Me) -> None:
    if not room.sides_of(me.id):
        forbidden("this is somebody else's lesson", "seat")


@get("/api/games/{game_id:str}/lesson", summary="What the coach says")
async def state(house: Here, me: Me, game_id: GameId) -> LessonState:
    room = await house.room(game_id, me)
    _learner(room, me)
    return await lessons.state(house, room)


@post("/api/games/{game_id:str}/lesson/read", summary="A step was read or looked at", status_code=200)
async def read(house: Here, me: Me, game_id: GameId, data: JSONBody[LessonRead]) -> LessonState:
    room = await house.room(game_id, me)
    _learner(room, me)
    await lessons.read(house, room, data.step)
    return await lessons.state(house, room)


@post("/api/games/{game_id:str}/lesson/again", summary="Begin a step again, at a table of its own")
async def again(house: Here, me: Me, game_id: GameId, data: JSONBody[LessonAgain]) -> GameRecord:
    room = await house.room(game_id, me)
    _learner(room, me)
    await house.limits.count("create", me.id, CREATE)
    return await house.record(await lessons.again(house, room, me, data.step), me)


router = Router("/", route_handlers=documented(listed, begin, state, read, again), tags=["lessons"])
