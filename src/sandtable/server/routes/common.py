"""What the routes share."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.params import Dependency, PathParameter, QueryParameter
from litestar.response import Response

from ..accounts import Person
from ..catalogue import Document
from ..house import House
from ..refusals import Refused
from ..security import who
from ..wire import Problem

Here = Annotated[House, Dependency(skip_validation=True)]
Somebody = Annotated[Person | None, Dependency(skip_validation=True)]
"""Whoever asks; None without a session."""
Me = Annotated[Person, Dependency(skip_validation=True)]
"""Whoever asks; 401 without a session."""

Seat = Annotated[
    str | None,
    QueryParameter(name="seat", required=False, max_length=40, description="A side; empty for the public view."),
]
GameId = Annotated[str, PathParameter(max_length=40, description="A game of this server.")]
Side = Annotated[str, PathParameter(max_length=40, description="A side of the game.")]
Text = Annotated[str, QueryParameter(max_length=320, description="The action in its notation.")]


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


def refused(_: ASGIConnection[Any, Any, Any, Any], error: Refused) -> Response[Problem]:
    return Response(error.problem, status_code=error.status, headers=error.headers)


def cached(request: Request[Any, Any, Any], found: Document | None, seconds: int = 300) -> Response[bytes]:
    """A document that browsers may keep, or the news that it has not changed."""
    if found is None:
        raise Refused(404, "not_found", "there is none for this game")
    headers = {"etag": found.etag, "cache-control": f"public, max-age={seconds}"}
    if request.headers.get("if-none-match") == found.etag:
        return Response(b"", status_code=304, headers=headers, media_type=found.kind)
    return Response(found.body, headers=headers, media_type=found.kind)
