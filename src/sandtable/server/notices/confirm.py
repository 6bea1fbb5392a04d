"""That an e-mail address is read by whoever gives it: a code is written to it, and nothing else before he has told it.

Without it anybody could have this server write to whom he likes, as often as he makes something happen.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from hmac import new as hmac_new

from msgspec.structs import replace

from ..people.accounts import Person, kept_secret, settings_from
from ..people.limits import Limits, Rate
from ..refusals import unusable
from ..storage.database import Database
from ..wire.people import MySettings

CODES = Rate(3, 3 / 3600)
"""Codes that are sent: by account, by where it is, and by the address that they go to."""
GUESSES = Rate(10, 10 / 600)
"""Codes that are told: by account, and by where it is."""


DAY = 86400
OLD = 30
"""Days for which a code that is good no more is told from a wrong one."""


class Codes:
    """The codes of one server. None is kept: each follows from the account, the address, the day, and a secret."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits
        self._secret = ""

    async def of(self, account_id: str, email: str, day: int | None = None) -> str:
        """What is written to an address of an account on a day; without one, what is kept once it has been told."""
        if not self._secret:
            self._secret = await kept_secret(self._database, "letters")
        whose = f"{account_id} {email}" if day is None else f"{account_id} {email} {day}"
        mark = hmac_new(self._secret.encode(), whose.encode(), "sha256").digest()
        return f"{int.from_bytes(mark[:8], 'big') % 10**8:08}"

    async def told(self, account_id: str, settings: MySettings) -> bool:
        """Whether an account has told the code that was written to its address."""
        if not settings.email or not settings.email_code:
            return False
        return _same(settings.email_code, await self.of(account_id, settings.email))

    async def _age(self, me: Person, wish: MySettings) -> int | None:
        """How many days ago, by their numbers, this code was sent; none if it is no code of this address."""
        today = int(time.time() // DAY)
        for age in range(OLD):
            if _same(wish.email_code, await self.of(me.id, wish.email, today - age)):
                return age
        return None

    async def ask(self, me: Person, wish: MySettings, where: str, send: Callable[[str], Awaitable[None]]) -> MySettings:
        """Have a code sent to an address that is new here; refuse a code that is another, or too old. What is to be
        kept: who has told his code needs it no more."""
        had = settings_from(me.settings)
        if not wish.email or (wish.email, wish.email_code) == (had.email, had.email_code):
            return wish
        if wish.email_code:
            for kind, who in (("code told", me.id), ("code told here", where)):
                await self._limits.count(kind, who, GUESSES)
            age = await self._age(me, wish)
            if age is None:
                unusable("this is not the code that was sent to this address", "code")
            if age > 1:
                await self._send(me, wish, where, send)
                unusable("this code was good for a day: another has been sent to this address", "code")
            return replace(wish, email_code=await self.of(me.id, wish.email))
        if wish.email != had.email:
            await self._send(me, wish, where, send)
        return wish

    async def _send(self, me: Person, wish: MySettings, where: str, send: Callable[[str], Awaitable[None]]) -> None:
        for kind, who in (("code", me.id), ("code here", where), ("code to", _box(wish.email))):
            await self._limits.count(kind, who, CODES)
        await send(await self.of(me.id, wish.email, int(time.time() // DAY)))


def _same(one: str, other: str) -> bool:
    return compare_digest(one.strip().encode(errors="replace"), other.encode())


def _box(email: str) -> str:
    """Whose letters come to an address: most servers put what is sent to ann+else into the box of ann."""
    name, _, host = email.casefold().rpartition("@")
    return f"{name.partition('+')[0]}@{host}"
