"""Work side by side, so that what goes to or comes from one place holds up what has to do with it and nothing else."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


class Late(Exception):
    """Too many wait in this lane, or the job did not come to its turn in time."""


@dataclass
class _Lane:
    gate: asyncio.Semaphore
    inside: int = 0


class Lanes:
    """One lane for each place that something goes to or comes from right now.

    So many jobs of a lane are done at a time, so many more may wait, and so many are done at a time of all lanes.
    """

    def __init__(self, abreast: int, waiting: int, together: int | None = None) -> None:
        self.abreast = abreast
        self.waiting = waiting
        self._lanes: dict[str, _Lane] = {}
        self._all = nullcontext() if together is None else asyncio.Semaphore(together)

    async def run(self, name: str, job: Callable[[], Awaitable[T]], until: float = math.inf) -> T:
        """Do a job when its lane is free; Late if that is after `until`, or the lane is full."""
        lane = self._lanes.setdefault(name, _Lane(asyncio.Semaphore(self.abreast)))
        if lane.inside >= self.waiting:
            raise Late("too many wait for this")
        lane.inside += 1
        try:
            async with lane.gate, self._all:
                if time.time() > until:
                    raise Late("it is too slow")
                return await job()
        finally:
            lane.inside -= 1
            if not lane.inside:
                self._lanes.pop(name, None)
