"""Friends: two accounts that have both said so. One opens the other's personal link and asks; the other agrees."""

from __future__ import annotations

import re
import secrets
import time

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable.engine.texts.text import Text

from ..house.house import House, iso
from ..people.accounts import Person
from ..refusals import Refused, forbidden, unusable
from ..storage import schema
from ..storage.database import is_conflict
from ..wire.profiles import Friend, Friends, LinkOwner, Standing

MOST = 200
"""People whom one may have asked or agreed to."""


def _account(person: Person) -> None:
    if person.guest:
        forbidden("friends are for accounts: register first", "account")


def _wish(of: str, to: str) -> ColumnElement[bool]:
    friends = schema.friends
    return and_(friends.c.account_id == of, friends.c.friend_id == to)


# ------------------------------------------------------------------------------------------ who is one


async def standing(house: House, somebody: Person | None, other: str) -> Standing:
    """What is between this person and an account."""
    if somebody is None or somebody.id == other:
        return ""
    friends = schema.friends
    wanted = select(friends.c.account_id).where(or_(_wish(somebody.id, other), _wish(other, somebody.id)))
    async with house.database.read() as connection:
        said = set((await connection.execute(wanted)).scalars())
    if said == {somebody.id, other}:
        return "friend"
    return "asked" if said == {somebody.id} else "asks" if said else ""


async def listed(house: House, person: Person) -> Friends:
    """All friends, by name, and who asks whom."""
    friends, accounts = schema.friends, schema.accounts
    mine = (
        select(accounts.c.id, accounts.c.name, friends.c.at)
        .join(accounts, accounts.c.id == friends.c.friend_id)
        .where(friends.c.account_id == person.id)
    )
    theirs = (
        select(accounts.c.id, accounts.c.name, friends.c.at)
        .join(accounts, accounts.c.id == friends.c.account_id)
        .where(friends.c.friend_id == person.id)
    )
    async with house.database.read() as connection:
        to = {row.id: row for row in await connection.execute(mine)}
        by = {row.id: row for row in await connection.execute(theirs)}

    def told(ids: set[str]) -> list[Friend]:
        found = [
            Friend((to.get(one) or by[one]).name, iso(max(row[one].at for row in (to, by) if one in row)))
            for one in ids
        ]
        return sorted(found, key=lambda friend: friend.name.casefold())

    return Friends(told(set(to) & set(by)), told(set(by) - set(to)), told(set(to) - set(by)))


async def names(house: House, account_id: str) -> list[str]:
    """The names of an account's friends."""
    friends, accounts = schema.friends, schema.accounts
    back = friends.alias()
    wanted = (
        select(accounts.c.name)
        .join(friends, accounts.c.id == friends.c.friend_id)
        .join(back, and_(back.c.account_id == friends.c.friend_id, back.c.friend_id == friends.c.account_id))
        .where(friends.c.account_id == account_id)
    )
    async with house.database.read() as connection:
        return sorted((await connection.execute(wanted)).scalars(), key=str.casefold)


# ------------------------------------------------------------------------------------------ the link


async def link(house: House, person: Person, renew: bool) -> str:
    """The personal link of an account: made when it is first wanted; another one if it is renewed."""
    _account(person)
    links = schema.friend_links
    mine = links.c.account_id == person.id
    fresh = secrets.token_urlsafe(16)

    async def job(connection: AsyncConnection) -> str:
        if renew:
            await connection.execute(delete(links).where(mine))
        else:
            known: str | None = (await connection.execute(select(links.c.token).where(mine))).scalar_one_or_none()
            if known is not None:
                return known
        row = {"account_id": person.id, "token": fresh, "created": time.time()}
        await connection.execute(insert(links), [row])
        return fresh

    try:
        return await house.database.write(job)
    except Exception as error:  # asked for twice at once, of two processes
        if not is_conflict(error):
            raise
        raise Refused(409, "stale", "the link has just been made: ask again") from error


TOKEN = re.compile(r"[A-Za-z0-9_-]+\Z")


async def _owner(house: House, token: str) -> Person:
    links, accounts = schema.friend_links, schema.accounts
    wanted = select(accounts.c.name).join(links, links.c.account_id == accounts.c.id).where(links.c.token == token)
    name = None
    if TOKEN.match(token):  # a database does not know every letter
        async with house.database.read() as connection:
            name = (await connection.execute(wanted)).scalar_one_or_none()
    found = None if name is None else await house.accounts.named(name)
    if found is None:
        raise Refused(404, "not_found", "this link is not good any more")
    return found


async def owner(house: House, person: Person, token: str) -> LinkOwner:
    """Whose link this is."""
    found = await _owner(house, token)
    return LinkOwner(found.name, await standing(house, person, found.id), found.id == person.id)


async def ask(house: House, person: Person, token: str) -> None:
    """Ask the owner of a link to be a friend; who was asked by him agrees by that."""
    _account(person)
    other = await _owner(house, token)
    if other.id == person.id:
        unusable("this is your own link: send it to a friend", "self")
    before = await standing(house, person, other.id)
    if before in ("friend", "asked"):
        return
    await _say(house, person, other)
    told = (
        Text("{person} agrees", person=person.name)
        if before
        else Text("{person} asks to be a friend", person=person.name)
    )
    await house.notices.person(other.id, told, by=person)


async def agree(house: House, person: Person, name: str) -> None:
    """Say yes to somebody who has asked."""
    _account(person)
    other = await house.accounts.named(name)
    if other is None or await standing(house, person, other.id) not in ("asks", "friend"):
        raise Refused(404, "not_found", "this account has not asked you")
    if await standing(house, person, other.id) == "asks":
        await _say(house, person, other)
        await house.notices.person(other.id, Text("{person} agrees to be a friend", person=person.name), by=person)


async def _say(house: House, person: Person, other: Person) -> None:
    friends = schema.friends

    async def job(connection: AsyncConnection) -> None:
        count = select(func.count()).select_from(friends).where(friends.c.account_id == person.id)
        if (await connection.execute(count)).scalar_one() >= MOST:
            unusable(Text("nobody has more than {n} friends here", n=MOST), "many")
        row = {"account_id": person.id, "friend_id": other.id, "at": time.time()}
        await connection.execute(insert(friends), [row])

    try:
        await house.database.write(job)
    except Exception as error:
        if not is_conflict(error):  # said twice is said once
            raise


async def part(house: House, person: Person, name: str) -> None:
    """Be friends no more, refuse who asks, or take back what was asked: nothing is left between the two."""
    other = await house.accounts.named(name)
    if other is None or not await standing(house, person, other.id):
        raise Refused(404, "not_found", "there is nothing between you and this account")

    async def job(connection: AsyncConnection) -> None:
        between = or_(_wish(person.id, other.id), _wish(other.id, person.id))
        await connection.execute(delete(schema.friends).where(between))

    await house.database.write(job)
