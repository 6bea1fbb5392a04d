"""Deliveries side by side, so that a slow service holds up what goes to itself and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

ABREAST = 4
"""Deliveries to one target at a time."""
WAITING = 100
"""Deliveries that may wait for one target."""
TOGETHER = 32
"""Deliveries at a time in all: eight targets have to be slow before a ninth waits."""


class Late(Exception):
    """Too many wait for this target, or it did not come to its turn in time."""


@dataclass
class _Lane:
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(ABREAST))
    inside: int = 0


class Lanes:
    """One lane for each target that something goes to right now."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}
        self._all = asyncio.Semaphore(TOGETHER)

    async def run(self, name: str, job: Callable[[], Awaitable[T]], until: float) -> T:
        """Do a job when its lane is free; Late if that is after `until`, or the lane is full."""
        lane = self._lanes.setdefault(name, _Lane())
        if lane.inside >= WAITING:
            raise Late("too many notices wait for this target")
        lane.inside += 1
        try:
            async with lane.gate, self._all:
                if time.time() > until:
                    raise Late("the target is too slow")
                return await job()
        finally:
            lane.inside -= 1
            if not lane.inside:
                self._lanes.pop(name, None)
