"""Accounts, guests, sessions and settings."""

from __future__ import annotations

from typing import Any

from litestar import Request, Router, get, post, put
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.response import Response

from ..door.security import address
from ..house.house import House
from ..notices import push
from ..people.accounts import COOKIE, Person
from ..people.limits import GUESTS, LOGIN
from ..refusals import Refused
from ..wire.people import Credentials, GuestWish, Login, Me, MySettings, PushKey
from . import common
from .common import Here, Somebody, documented


def _cookie(request: Request[Any, Any, Any], house: House, token: str) -> Cookie:
    secure = house.settings.secure or request.scope.get("scheme") == "https"
    age = house.settings.session_days * 86400 if token else 0
    return Cookie(COOKIE, value=token, max_age=age, path="/", httponly=True, samesite="lax", secure=secure)


async def _welcome(request: Request[Any, Any, Any], house: House, person: Person) -> Response[Me]:
    """Begin a session, and end the one before it."""
    await house.accounts.end(request.cookies.get(COOKIE))
    token = await house.accounts.begin(person.id)
    return Response(person.me(), cookies=[_cookie(request, house, token)])


@post("/account/register", summary="Make an account")
async def register(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, data: JSONBody[Credentials]
) -> Response[Me]:
    """A guest who registers keeps his games."""
    await house.limits.count("login", address(request), LOGIN)
    person = await house.accounts.register(data.name, data.password, somebody)
    return await _welcome(request, house, person)


@post("/account/login", status_code=200, summary="Log in")
async def login(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, data: JSONBody[Login]
) -> Response[Me]:
    await house.limits.count("login", address(request), LOGIN)
    await house.limits.count("login name", data.name.casefold(), LOGIN)
    person = await house.accounts.login(data.name, data.password)
    if person is None:
        raise Refused(401, "login", "name or password is wrong")
    return await _welcome(request, house, person)


@post("/account/logout", status_code=200, summary="Log out")
async def logout(request: Request[Any, Any, Any], house: Here, somebody: Somebody) -> Response[None]:
    await house.accounts.end(request.cookies.get(COOKIE))
    return Response(None, cookies=[_cookie(request, house, "")])


@post("/account/guest", summary="Play without an account")
async def guest(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, data: JSONBody[GuestWish | None] = None
) -> Response[Me]:
    """Who already has a session keeps it."""
    if somebody is not None:
        return Response(somebody.me())
    await house.limits.count("guest", address(request), GUESTS)
    person = await house.accounts.guest(data.name if data else "")
    return await _welcome(request, house, person)


@get("/me", summary="Who I am")
async def me(me: common.Me) -> Me:
    return me.me()


@put("/me/settings", summary="Change my settings")
async def change_settings(house: Here, me: common.Me, data: JSONBody[MySettings]) -> Me:
    house.notices.check(data)
    return (await house.accounts.set(me, data)).me()


@get("/push/key", summary="The key for web push")
async def push_key(house: Here) -> PushKey:
    return PushKey((await push.keys(house.database)).public)


router = Router(
    "/api",
    route_handlers=documented(register, login, logout, guest, me, change_settings, push_key),
    tags=["accounts"],
)
