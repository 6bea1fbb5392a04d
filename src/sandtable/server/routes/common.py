"""What the routes share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from gzip import compress
from typing import Annotated, Any, TypeVar

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter, SkipValidation
from litestar.response import Response

from ..door.security import whence, who
from ..house.house import House
from ..library.catalogue import Document
from ..people.accounts import Person
from ..people.limits import Asker
from ..refusals import Refused
from ..wire.common import Problem

T = TypeVar("T")

Here = NamedDependency[SkipValidation[House]]
Somebody = NamedDependency[SkipValidation[Person | None]]
"""Whoever asks; None without a session."""
Me = NamedDependency[SkipValidation[Person]]
"""Whoever asks; 401 without a session."""

Seat = Annotated[
    str | None,
    QueryParameter(name="seat", required=False, max_length=40, description="A side; empty for the public view."),
]
GameId = Annotated[str, PathParameter(max_length=40, description="A game of this server.")]
Side = Annotated[str, PathParameter(max_length=40, description="A side of the game.")]
Text = Annotated[str, QueryParameter(max_length=320, description="The action in its notation.")]


REFUSALS: dict[int, ResponseSpec] = {
    status: ResponseSpec(Problem, generate_examples=False, description=why)
    for status, why in (
        (400, "The request cannot be read."),
        (401, "No session."),
        (403, "Not allowed, or not from our own page."),
        (404, "There is none, or it is not for you to see."),
        (409, "The game has gone on; `length` says how far."),
        (413, "Too much."),
        (422, "Not legal, with the rule; or not usable, with the reason."),
        (429, "Too often."),
        (503, "Not now; `retry-after` says when to ask again."),
    )
}
"""What any request may be answered."""


def documented(*handlers: Any) -> list[Any]:
    """Route handlers that say in the schema how they may refuse."""
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler):
            handler.responses = {**REFUSALS, **(handler.responses or {})}
    return list(handlers)


def provide_house(state: State) -> House:
    house: House = state.house
    return house


async def provide_somebody(request: Request[Any, Any, Any], house: Here) -> Person | None:
    return await who(request, house)


async def provide_me(request: Request[Any, Any, Any], house: Here) -> Person:
    person = await who(request, house)
    if person is None:
        raise Refused(401, "account", "log in first, or play as a guest")
    return person


def asker(request: Request[Any, Any, Any], house: House, person: Person | None) -> Asker:
    return Asker(house.limits, person.id if person is not None else None, whence(request))


async def while_there(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Do something dear as long as the one who asked for it waits; who hangs up stops it."""
    job = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            raise Refused(499, "gone", "nobody waits for the answer any more")
        return job.result()
    finally:
        gone.cancel()
        if not job.done():
            job.cancel()
            await asyncio.wait({job})


async def _gone(request: Request[Any, Any, Any]) -> None:
    await request.body()
    while (await request.receive())["type"] != "http.disconnect":
        pass


def refused(_: ASGIConnection[Any, Any, Any, Any], error: Refused) -> Response[Problem]:
    return Response(error.problem, status_code=error.status, headers=error.headers)


LARGE = 4096
"""Bytes from which on an answer is sent compressed: a table says the same words of a hundred counters."""


def takes_gzip(request: Request[Any, Any, Any]) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def packed(request: Request[Any, Any, Any], body: bytes) -> Response[bytes]:
    """An answer in JSON, compressed where that saves something and the browser reads it."""
    headers = {"vary": "accept-encoding"}
    if len(body) > LARGE and takes_gzip(request):
        body = compress(body, 1, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status_code=200, headers=headers, media_type="application/json")


def cached(request: Request[Any, Any, Any], found: Document | None, seconds: int = 300) -> Response[bytes]:
    """A document that browsers may keep, or the news that it has not changed."""
    if found is None:
        raise Refused(404, "not_found", "there is none for this game")
    small = takes_gzip(request)
    etag = f'"{found.tag}-gz"' if small else f'"{found.tag}"'  # what is sent differs, so its strong tag does
    headers = {"etag": etag, "cache-control": f"public, max-age={seconds}", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers, media_type=found.kind)
    if small:
        headers["content-encoding"] = "gzip"
    return Response(found.packed if small else found.body, headers=headers, media_type=found.kind)
