"""Leagues and knock-outs of a club."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from ..house.house import House
from ..people.accounts import Person
from ..people.limits import CREATE
from ..play import contest_records, contests
from ..wire.contests import ContestDetail, ContestRecord, ContestToken, Dismissal, NewContest, Settlement
from .common import Here, Me, Somebody, documented

ContestId = Annotated[str, PathParameter(max_length=40, description="A league or tournament of this server.")]
Token = Annotated[str | None, QueryParameter(name="token", required=False, max_length=64)]


async def _shown(house: House, contest_id: str, person: Person | None, token: str | None = None) -> ContestDetail:
    contest = await contests.find(house, contest_id, person, token)
    return await contest_records.detail(house, contest, person)


@get("/", summary="Leagues and tournaments: mine, and the open ones")
async def listed(house: Here, somebody: Somebody) -> list[ContestRecord]:
    return await contest_records.records(house, await contests.listed(house, somebody), somebody)


@post("/", summary="Make a league or a tournament")
async def create(house: Here, me: Me, data: JSONBody[NewContest]) -> ContestDetail:
    """It gathers players until whoever made it starts it."""
    await house.limits.count("create", me.id, CREATE)
    return await _shown(house, await contests.create(house, me, data), me)


@get("/{contest_id:str}", summary="All of a league or tournament")
async def contest(house: Here, somebody: Somebody, contest_id: ContestId, token: Token = None) -> ContestDetail:
    return await _shown(house, contest_id, somebody, token)


@post("/{contest_id:str}/enter", summary="Take part", status_code=200)
async def enter(
    house: Here, me: Me, contest_id: ContestId, data: JSONBody[ContestToken | None] = None
) -> ContestDetail:
    token = data.token if data else None
    await contests.enter(house, await contests.find(house, contest_id, me, token), me)
    return await _shown(house, contest_id, me)


@post("/{contest_id:str}/leave", summary="Leave, or withdraw after the start", status_code=204)
async def leave(house: Here, me: Me, contest_id: ContestId) -> None:
    """After the start, whatever has not been played is lost by forfeit."""
    await contests.leave(house, await contests.find(house, contest_id, me), me.id)
    await house.clubs.go_on(contest_id)


@post("/{contest_id:str}/dismiss", summary="Take somebody out", status_code=200)
async def dismiss(house: Here, me: Me, contest_id: ContestId, data: JSONBody[Dismissal]) -> ContestDetail:
    await contests.dismiss(house, await contests.find(house, contest_id, me), me, data.name)
    await house.clubs.go_on(contest_id)
    return await _shown(house, contest_id, me)


@post("/{contest_id:str}/start", summary="Start it", status_code=200)
async def start(house: Here, me: Me, contest_id: ContestId) -> ContestDetail:
    """The games of the first round are made, or all of them."""
    await contests.start(house, await contests.find(house, contest_id, me), me)
    await house.clubs.go_on(contest_id)
    return await _shown(house, contest_id, me)


@post("/{contest_id:str}/settle", summary="Settle a game that did not take place", status_code=200)
async def settle(house: Here, me: Me, contest_id: ContestId, data: JSONBody[Settlement]) -> ContestDetail:
    await contests.settle(house, await contests.find(house, contest_id, me), me, data.n, data.result)
    await house.clubs.go_on(contest_id)
    return await _shown(house, contest_id, me)


@post("/{contest_id:str}/cancel", summary="End it without a result", status_code=200)
async def cancel(house: Here, me: Me, contest_id: ContestId) -> ContestDetail:
    """Games that were begun go on as games of their own."""
    await contests.cancel(house, await contests.find(house, contest_id, me), me)
    return await _shown(house, contest_id, me)


router = Router(
    "/api/contests",
    route_handlers=documented(listed, create, contest, enter, leave, dismiss, start, settle, cancel),
    tags=["contests"],
)
