"""Accounts, guests and sessions."""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac_new
from typing import Any

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable import registry

from ..refusals import Refused, unusable
from ..settings import Settings
from ..storage import schema
from ..storage.database import Database, is_conflict
from ..wire.people import Me, MySettings
from .names import checked, clean_name, fold, scripts, twins

COOKIE = "sandtable_session"
DEVICE = "sandtable_device"
"""The cookie of a browser that has been in an account: its log-ins are not counted with those of strangers."""
CACHE_SECONDS = 60.0
SHARED_CACHE_SECONDS = 5.0
"""How long a session is believed without asking the database; less where other processes may end it."""

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
RESERVED = {"open", "invite", "me", "chance", "consent", "spectator", "guest", "computer", "admin"}


def new_id(length: int = 10) -> str:
    """A short name for a thing, that nobody can guess from others."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


@dataclass(frozen=True)
class Person:
    """Who asks."""

    id: str
    name: str
    guest: bool
    settings: str

    @property
    def key(self) -> str | None:
        """By which others can invite this account; guests cannot be told apart by their names."""
        return None if self.guest else fold(clean_name(self.name))

    def me(self) -> Me:
        return Me(self.id, self.name, self.guest, settings_from(self.settings))


def settings_from(text: str) -> MySettings:
    try:
        return msgspec.json.decode(text, type=MySettings)
    except msgspec.MsgspecError:
        return MySettings()


def token_hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Accounts:
    """The people who play here."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database = database
        self.settings = settings
        self.hasher = PasswordHasher(time_cost=settings.hash_cost, memory_cost=settings.hash_memory, parallelism=1)
        self._hashing = ThreadPoolExecutor(2, "passwords")  # of their own: nothing else that is slow holds up a log-in
        self._known: dict[str, tuple[float, Person]] = {}
        self._seconds = SHARED_CACHE_SECONDS if settings.several else CACHE_SECONDS
        self._nobody = ""
        self._secret = ""

    # Sessions

    async def person(self, token: str | None) -> Person | None:
        """Who holds this session, or None."""
        if not token or len(token) > 100:
            return None
        key = token_hash(token)
        known = self._known.get(key)
        now = time.time()
        if known is not None and known[0] > now:
            return known[1]
        wanted = (
            select(schema.accounts)
            .join(schema.sessions, schema.sessions.c.account_id == schema.accounts.c.id)
            .where(schema.sessions.c.token == key, schema.sessions.c.expires > now)
        )
        async with self.database.read() as connection:
            row = (await connection.execute(wanted)).one_or_none()
        if row is None:
            self._known.pop(key, None)
            return None
        person = _person(row)
        if len(self._known) > 20000:
            self._known.clear()
        self._known[key] = (now + self._seconds, person)
        return person

    async def begin(self, account_id: str) -> str:
        """A new session; what the cookie is to hold."""
        token = secrets.token_urlsafe(32)
        now = time.time()
        expires = now + self.settings.session_days * 86400
        row = {"token": token_hash(token), "account_id": account_id, "created": now, "expires": expires}

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.sessions), [row])

        await self.database.write(job)
        return token

    async def end(self, token: str | None) -> None:
        if not token:
            return
        key = token_hash(token)
        self._known.pop(key, None)

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.sessions).where(schema.sessions.c.token == key))

        await self.database.write(job)

    async def end_all(self, account_id: str, but: str | None = None) -> None:
        """End every session of an account, but perhaps one."""
        kept = token_hash(but) if but else ""

        async def job(connection: AsyncConnection) -> None:
            sessions = schema.sessions
            mine = (sessions.c.account_id == account_id, sessions.c.token != kept)
            await connection.execute(delete(sessions).where(*mine))

        await self.database.write(job)
        self.forget(account_id)

    async def sweep(self) -> None:
        """Forget sessions that have run out."""

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.sessions).where(schema.sessions.c.expires < time.time()))

        await self.database.write(job)

    def forget(self, account_id: str) -> None:
        """Ask the database again who this is."""
        self._known = {key: known for key, known in self._known.items() if known[1].id != account_id}

    # Accounts

    async def guest(self, name: str = "") -> Person:
        """Somebody who just wants to play. Not under the name of somebody who has an account."""
        shown = checked(clean_name(name)) or f"Guest {secrets.randbelow(9000) + 1000}"
        await self._own(shown)
        if not fold(shown).startswith("guest ") and (fold(shown) in self._reserved() or await self.named(shown)):
            raise Refused(409, "name_taken", "somebody else has this name")
        return await self._add({"name": shown, "name_key": None, "password": None, "guest": True})

    async def _own(self, name: str) -> None:
        """Refuse a new name that looks like another: of mixed letters, or somebody's written in others."""
        if len(scripts(name)) > 1:
            unusable("a name is written in one kind of letters: these look like each other", "name")
        for twin in twins(name):
            if fold(twin) in self._reserved() or await self.named(twin):
                raise Refused(409, "name_taken", "somebody else has this name")

    def _reserved(self) -> set[str]:
        return RESERVED | {player for game in registry.names() for player in registry.player_names(registry.get(game))}

    async def register(self, name: str, password: str, guest: Person | None) -> Person:
        """A named account. A guest who registers keeps games and seats."""
        shown = checked(clean_name(name))
        key = fold(shown)
        if not shown:
            unusable("a name needs letters or numbers", "name")
        await self._own(shown)
        if key in self._reserved() or key.startswith("guest "):
            unusable("this name is kept for other uses", "name")
        hashed = await self._hash(password)
        values = {"name": shown, "name_key": key, "password": hashed, "guest": False}
        try:
            if guest is None or not guest.guest:
                return await self._add(values)

            async def job(connection: AsyncConnection) -> Row[Any]:
                me = schema.accounts.c.id == guest.id
                await connection.execute(update(schema.accounts).where(me).values(**values))
                return (await connection.execute(select(schema.accounts).where(me))).one()

            person = _person(await self.database.write(job))
        except Exception as error:
            if is_conflict(error):
                raise Refused(409, "name_taken", "somebody else has this name") from error
            raise
        self.forget(person.id)
        return person

    async def _add(self, values: dict[str, Any]) -> Person:
        row = {"id": new_id(12), "settings": "{}", "created": time.time(), **values}

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.accounts), [row])

        await self.database.write(job)
        return Person(row["id"], row["name"], row["guest"], row["settings"])

    async def login(self, name: str, password: str) -> Person | None:
        """The account with this name and password. Takes the same time whether the name exists or not."""
        wanted = select(schema.accounts).where(schema.accounts.c.name_key == fold(clean_name(name)))
        async with self.database.read() as connection:
            row = (await connection.execute(wanted)).one_or_none()
        if not self._nobody:
            self._nobody = await self._hash(secrets.token_hex())
        hashed = row.password if row is not None and row.password else self._nobody
        right = await self._verify(hashed, password)
        return _person(row) if right and row is not None and row.password else None

    async def change_password(self, person: Person, old: str, new: str) -> bool:
        """Give an account another password, if the old one is right."""
        accounts = schema.accounts
        async with self.database.read() as connection:
            wanted = select(accounts.c.password).where(accounts.c.id == person.id)
            hashed = (await connection.execute(wanted)).scalar_one_or_none()
        if not hashed or not await self._verify(hashed, old):
            return False
        fresh = await self._hash(new)

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(update(accounts).where(accounts.c.id == person.id).values(password=fresh))

        await self.database.write(job)
        return True

    # Browsers that have been here

    async def device(self, account_id: str) -> str:
        """What a browser keeps to show that it has been in an account."""
        return f"{account_id}.{await self._mark(account_id)}"

    async def knows(self, device: str | None, name: str) -> bool:
        """Whether a browser has been in the account of this name."""
        account_id, _, mark = (device or "").partition(".")
        if not mark or len(account_id) > 20 or not _same(mark, await self._mark(account_id)):
            return False
        person = await self.named(name)
        return person is not None and person.id == account_id

    async def _mark(self, account_id: str) -> str:
        if not self._secret:
            self._secret = await kept_secret(self.database, "devices")
        return hmac_new(self._secret.encode(), account_id.encode(), "sha256").hexdigest()

    async def named(self, name: str) -> Person | None:
        wanted = select(schema.accounts).where(schema.accounts.c.name_key == fold(clean_name(name)))
        async with self.database.read() as connection:
            row = (await connection.execute(wanted)).one_or_none()
        return None if row is None else _person(row)

    async def set(self, person: Person, settings: MySettings) -> Person:
        text = msgspec.json.encode(settings).decode()

        async def job(connection: AsyncConnection) -> None:
            me = schema.accounts.c.id == person.id
            await connection.execute(update(schema.accounts).where(me).values(settings=text))

        await self.database.write(job)
        self.forget(person.id)
        return Person(person.id, person.name, person.guest, text)

    async def _hash(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._hashing, self.hasher.hash, password)

    async def _verify(self, hashed: str, password: str) -> bool:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._hashing, self.hasher.verify, hashed, password)
        except (Argon2Error, InvalidHashError):
            return False


async def kept_secret(database: Database, name: str) -> str:
    """A secret of this server: made once, kept in its database."""
    meta = schema.meta
    wanted = select(meta.c.value).where(meta.c.key == name)
    for _ in range(2):
        async with database.read() as connection:
            found: str | None = (await connection.execute(wanted)).scalar_one_or_none()
        if found is not None:
            return found
        fresh = secrets.token_hex(32)

        async def job(connection: AsyncConnection, fresh: str = fresh) -> str:
            await connection.execute(insert(meta), [{"key": name, "value": fresh}])
            return fresh

        try:
            return await database.write(job)
        except Exception as error:
            if not is_conflict(error):
                raise
    raise RuntimeError(f"the secret {name} can be neither read nor made")


def _same(given: str, mark: str) -> bool:
    """Whether a mark is the right one, which takes as long to find out whatever is given."""
    return compare_digest(given.encode(errors="replace"), mark.encode())


def _person(row: Row[Any]) -> Person:
    return Person(row.id, row.name, row.guest, row.settings)
