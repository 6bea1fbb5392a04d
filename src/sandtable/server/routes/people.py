"""Profiles and friends."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from ..people.limits import FRIENDS
from ..play import friends, profiles
from ..wire.profiles import FriendLink, FriendName, Friends, FriendWish, LinkOwner, LinkWish, Profile
from .common import Here, Me, Somebody, asker, documented

Name = Annotated[str, QueryParameter(name="name", max_length=60, description="The name of an account.")]
Token = Annotated[str, PathParameter(max_length=64, description="What a personal link ends with.")]


@get("/people", summary="A profile")
async def profile(request: Request[Any, Any, Any], house: Here, somebody: Somebody, name: Name) -> Profile:
    """Games, results and ratings of an account, as far as you may see them. Guests have none."""
    asker(request, house, somebody).profile()
    return await profiles.profile(house, somebody, name)


@get("/friends", summary="My friends")
async def listed(house: Here, me: Me) -> Friends:
    return await friends.listed(house, me)


@post("/friends/link", summary="My personal link", status_code=200)
async def link(house: Here, me: Me, data: JSONBody[LinkWish | None] = None) -> FriendLink:
    """Who opens it can ask to be a friend. Renewed, the old one is not good any more."""
    await house.limits.count("friends", me.id, FRIENDS)
    return FriendLink(await friends.link(house, me, data.renew if data else False))


@get("/friends/link/{token:str}", summary="Whose link this is")
async def owner(request: Request[Any, Any, Any], house: Here, me: Me, token: Token) -> LinkOwner:
    asker(request, house, me).profile()
    return await friends.owner(house, me, token)


@post("/friends", summary="Ask the owner of a link to be a friend", status_code=200)
async def ask(house: Here, me: Me, data: JSONBody[FriendWish]) -> Friends:
    await house.limits.count("friends", me.id, FRIENDS)
    await friends.ask(house, me, data.token)
    return await friends.listed(house, me)


@post("/friends/agree", summary="Say yes to somebody who asks", status_code=200)
async def agree(house: Here, me: Me, data: JSONBody[FriendName]) -> Friends:
    await house.limits.count("friends", me.id, FRIENDS)
    await friends.agree(house, me, data.name)
    return await friends.listed(house, me)


@post("/friends/part", summary="Be friends no more", status_code=200)
async def part(house: Here, me: Me, data: JSONBody[FriendName]) -> Friends:
    """Also refuses who asks, and takes back what was asked."""
    await friends.part(house, me, data.name)
    return await friends.listed(house, me)


router = Router("/api", route_handlers=documented(profile, listed, link, owner, ask, agree, part), tags=["people"])
