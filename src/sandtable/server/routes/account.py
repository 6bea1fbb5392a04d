"""Accounts, guests, sessions and settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Request, Router, get, post, put
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.response import Response

from ..door.security import whence
from ..house.house import House
from ..notices import push
from ..people.accounts import COOKIE, DEVICE, Person
from ..people.limits import GUESTS, LOGIN, LOGIN_NAME
from ..people.names import clean_name, fold
from ..refusals import Refused
from ..wire.people import Credentials, GuestWish, Login, Me, MySettings, PasswordWish, PushKey
from . import common
from .common import Here, Somebody, documented

YEAR = 365 * 86400


def _cookie(request: Request[Any, Any, Any], house: House, token: str) -> Cookie:
    secure = house.settings.secure or request.scope.get("scheme") == "https"
    age = house.settings.session_days * 86400 if token else 0
    return Cookie(COOKIE, value=token, max_age=age, path="/", httponly=True, samesite="lax", secure=secure)


async def _welcome(request: Request[Any, Any, Any], house: House, person: Person) -> Response[Me]:
    """Begin a session, and end the one before it."""
    await house.accounts.end(request.cookies.get(COOKIE))
    token = await house.accounts.begin(person.id)
    cookies = [_cookie(request, house, token)]
    if not person.guest:
        device = _cookie(request, house, await house.accounts.device(person.id))
        cookies.append(replace(device, key=DEVICE, max_age=YEAR))
    return Response(person.me(), cookies=cookies)


@post("/account/register", summary="Make an account")
async def register(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, data: JSONBody[Credentials]
) -> Response[Me]:
    """A guest who registers keeps his games."""
    await house.limits.count("login", whence(request), LOGIN)
    person = await house.accounts.register(data.name, data.password, somebody)
    return await _welcome(request, house, person)


@post("/account/login", status_code=200, summary="Log in")
async def login(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, data: JSONBody[Login]
) -> Response[Me]:
    await house.limits.count("login", whence(request), LOGIN)
    if not await house.accounts.knows(request.cookies.get(DEVICE), data.name):
        await house.limits.count("login name", fold(clean_name(data.name)), LOGIN_NAME)
    person = await house.accounts.login(data.name, data.password)
    if person is None:
        raise Refused(401, "login", "name or password is wrong")
    return await _welcome(request, house, person)


@post("/account/logout", status_code=200, summary="Log out")
async def logout(request: Request[Any, Any, Any], house: Here, somebody: Somebody) -> Response[None]:
    await house.accounts.end(request.cookies.get(COOKIE))
    if somebody is not None:
        house.hub.look_again(somebody.id)
    return Response(None, cookies=[_cookie(request, house, "")])


@post("/account/logout/everywhere", status_code=200, summary="End all my sessions")
async def logout_everywhere(request: Request[Any, Any, Any], house: Here, me: common.Me) -> Response[None]:
    """In every browser, this one too; live connections end with their sessions."""
    await house.accounts.end_all(me.id)
    house.hub.look_again(me.id)
    return Response(None, cookies=[_cookie(request, house, "")])


@post("/account/password", status_code=200, summary="Change my password")
async def change_password(
    request: Request[Any, Any, Any], house: Here, me: common.Me, data: JSONBody[PasswordWish]
) -> Me:
    """Ends every other session of the account."""
    await house.limits.count("login", whence(request), LOGIN)
    await house.limits.count("password", me.id, LOGIN)
    if not await house.accounts.change_password(me, data.old, data.new):
        raise Refused(403, "password", "the old password is wrong")
    await house.accounts.end_all(me.id, but=request.cookies.get(COOKIE))
    house.hub.look_again(me.id)
    return me.me()


@post("/account/guest", summary="Play without an account")
async def guest(
    request: Request[Any, Any, Any], house: Here, somebody: Somebody, data: JSONBody[GuestWish | None] = None
) -> Response[Me]:
    """Who already has a session keeps it."""
    if somebody is not None:
        return Response(somebody.me())
    await house.limits.count("guest", whence(request), GUESTS)
    person = await house.accounts.guest(data.name if data else "")
    return await _welcome(request, house, person)


@get("/me", summary="Who I am")
async def me(me: common.Me) -> Me:
    return me.me()


@put("/me/settings", summary="Change my settings")
async def change_settings(
    request: Request[Any, Any, Any], house: Here, me: common.Me, data: JSONBody[MySettings]
) -> Me:
    """A code is sent to a new e-mail address; letters come when it is told as `email_code`."""
    house.notices.check(data)
    kept = await house.notices.confirm(me, data, whence(request))
    return (await house.accounts.set(me, kept)).me()


@get("/push/key", summary="The key for web push")
async def push_key(house: Here) -> PushKey:
    return PushKey((await push.keys(house.database)).public)


router = Router(
    "/api",
    route_handlers=documented(
        register, login, logout, logout_everywhere, change_password, guest, me, change_settings, push_key
    ),
    tags=["accounts"],
)
