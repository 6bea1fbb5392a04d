"""Whose computer thinks next: each in turn, by whose games they are; forty of one person hold up nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """One thing at a time; those who wait for it are let in one after the other, however often each of them waits."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By whom: the first of them is the next."""

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[None]:
        if self._busy:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(who, deque()).append(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():  # it was let in, and does not come
                    self._next()
                raise
        self._busy = True
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        while self._waiting:
            who, line = next(iter(self._waiting.items()))
            one = line.popleft()
            del self._waiting[who]
            if line:
                self._waiting[who] = line  # behind all others
            if not one.done():
                one.set_result(None)
                return
        self._busy = False
