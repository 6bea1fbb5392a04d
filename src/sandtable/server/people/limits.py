"""How often somebody may ask."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from sandtable.engine.texts.text import Text

from ..refusals import Refused
from ..storage import schema
from ..storage.database import Database


class Rate(NamedTuple):
    """So many at once, and then so many a second."""

    burst: float
    per_second: float


LOGIN = Rate(10, 10 / 60)
"""Log-ins and registrations, by address."""
LOGIN_NAME = Rate(60, 60 / 600)
"""Log-ins by name, from browsers that have never been in that account: nobody locks out who has been."""
GUESTS = Rate(30, 30 / 60)
POST = Rate(120, 20)
"""Everything that changes something, by account."""
CREATE = Rate(40, 30 / 60)
CHAT = Rate(15, 0.5)
POST_HERE = Rate(600, 100)
"""The same by address: guests cost nothing to become."""
READ = Rate(400, 80)
READ_HERE = Rate(2000, 240)
LIVE, LIVE_HERE = 60, 400
"""Live connections that stand at a time, by account and by address."""
IMPORT = Rate(6, 6 / 600)
"""Saves that are brought: each is played again from its beginning."""
DEAR = Rate(12, 12 / 60)
"""Questions that need a whole game played again, by account."""
DEAR_HERE = Rate(40, 40 / 60)
"""The same by address: who makes himself many accounts is still one."""
ANALYSES = Rate(6, 6 / 600)
"""Games that are looked back at, by account: each takes a minute or two of a process."""
ANALYSES_HERE = Rate(20, 20 / 600)
"""The same by address."""
LOOKING, LOOKING_HERE = 2, 4
"""Of these, how many may be waited for at a time, by account and by address: nobody holds up all others for hours."""
MOMENTS = Rate(150, 20)
"""Moments of a game, by account: a slider is drawn quickly over many of them. What tells a long story counts so too."""
MOMENTS_HERE = Rate(600, 60)
"""The same by address."""
PROFILES = Rate(60, 2)
"""Profiles and personal links, by account and by address: nobody goes through all names."""
FRIENDS = Rate(30, 30 / 600)
"""Questions between friends, and new links."""


FORGOTTEN = 900.0
"""Seconds after which any bucket is full again."""


class Limits:
    """Token buckets, one for each kind and name.

    What is asked seldom and abused easily (log-ins, guests, new games, chat) is counted in the database if other
    processes serve from it too. What every request counts stays in memory, where each of several workers allows
    its part.
    """

    MOST = 50000

    def __init__(self, on: bool = True, workers: int = 1, shared: Database | None = None) -> None:
        self.on = on
        self.workers = workers
        self.shared = shared
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._held: Counter[tuple[str, str]] = Counter()

    def check(self, kind: str, who: str, rate: Rate) -> None:
        """Count one in this process; refuse it if there were too many."""
        rate = self._share(rate)
        left = self._take(kind, who, rate)
        if left < 1:
            raise too_many(left, rate)

    def allows(self, kind: str, who: str, rate: Rate) -> bool:
        """Count one in this process, of what is left out if there were too many."""
        return self._take(kind, who, self._share(rate)) >= 1

    def _share(self, rate: Rate) -> Rate:
        """What one of several processes allows."""
        return Rate(max(1.0, rate.burst / self.workers), rate.per_second / self.workers)

    def _take(self, kind: str, who: str, rate: Rate) -> float:
        """What was left before one was taken; less than one: nothing was."""
        if not self.on:
            return rate.burst
        now = time.monotonic()
        left, then = self._buckets.get((kind, who), (rate.burst, now))
        left = refilled(left, now - then, rate)
        if len(self._buckets) > self.MOST:
            self._buckets.clear()
        self._buckets[kind, who] = (left - 1 if left >= 1 else left, now)
        return left

    @contextmanager
    def held(self, kind: str, who: str, most: int, refusal: Refused) -> Iterator[None]:
        """Hold one of so many things that may stand at a time in this process; refuse it if there are too many."""
        if self.on and self._held[kind, who] >= most:
            raise refusal
        self._held[kind, who] += 1
        try:
            yield
        finally:
            self._held[kind, who] -= 1
            if not self._held[kind, who]:
                del self._held[kind, who]

    async def count(self, kind: str, who: str, rate: Rate) -> None:
        """Count one, for all processes together; refuse it if there were too many."""
        if not self.on:
            return
        if self.shared is None:
            self.check(kind, who, rate)
            return
        left = await self.shared.write(partial(_counted, kind, sha256(who.encode()).hexdigest()[:40], rate))
        if left < 1:
            raise too_many(left, rate)


@dataclass(frozen=True)
class Asker:
    """Who asks, as far as it counts."""

    limits: Limits
    account: str | None
    address: str

    async def dear(self) -> None:
        """Count a question that needs a whole game played again."""
        if self.account is not None:
            await self.limits.count("dear", self.account, DEAR)
        await self.limits.count("dear here", self.address, DEAR_HERE)

    async def analysis(self) -> None:
        """Count a game that is to be looked back at."""
        if self.account is not None:
            await self.limits.count("analysis", self.account, ANALYSES)
        await self.limits.count("analysis here", self.address, ANALYSES_HERE)

    def moment(self) -> None:
        if self.account is not None:
            self.limits.check("moment", self.account, MOMENTS)
        self.limits.check("moment here", self.address, MOMENTS_HERE)

    def live(self) -> ExitStack:
        """Hold a live connection, until what is given back is closed."""
        refusal = Refused(429, "too_many", "too many connections are open: close one")
        return self._held("live", LIVE, LIVE_HERE, refusal)

    def looking(self) -> ExitStack:
        """Hold a game that is looked back at, until what is given back is closed."""
        refusal = Refused(429, "too_many", "other games are being looked back at for you: wait for them")
        return self._held("looking", LOOKING, LOOKING_HERE, refusal)

    def _held(self, kind: str, most: int, most_here: int, refusal: Refused) -> ExitStack:
        with ExitStack() as stack:
            if self.account is not None:
                stack.enter_context(self.limits.held(kind, self.account, most, refusal))
            stack.enter_context(self.limits.held(f"{kind} here", self.address, most_here, refusal))
            return stack.pop_all()

    def profile(self) -> None:
        """Count a question after somebody by name or link."""
        if self.account is not None:
            self.limits.check("profile", self.account, PROFILES)
        self.limits.check("profile here", self.address, PROFILES)


async def _counted(kind: str, who: str, rate: Rate, connection: AsyncConnection) -> float:
    """What was left in a bucket of the database before one was taken; less than one: nothing was taken."""
    limits, now = schema.limits, time.time()
    await connection.execute(delete(limits).where(limits.c.at < now - FORGOTTEN))
    make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    fresh = make(limits).values(kind=kind, who=who, left=rate.burst, at=now)
    await connection.execute(fresh.on_conflict_do_nothing())
    mine = (limits.c.kind == kind, limits.c.who == who)
    row = (await connection.execute(select(limits.c.left, limits.c.at).where(*mine).with_for_update())).one()
    left = refilled(row.left, now - row.at, rate)
    await connection.execute(update(limits).where(*mine).values(left=left - 1 if left >= 1 else left, at=now))
    return left


def refilled(left: float, seconds: float, rate: Rate) -> float:
    return min(rate.burst, left + max(0.0, seconds) * rate.per_second)


def too_many(left: float, rate: Rate) -> Refused:
    wait = max(1, round((1 - left) / rate.per_second))
    why = Text.many(wait, "too many requests: wait a second", "too many requests: wait {n} seconds")
    return Refused(429, "too_many", why, headers={"retry-after": str(wait)})
