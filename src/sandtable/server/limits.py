"""How often somebody may ask."""

from __future__ import annotations

import time
from typing import NamedTuple

from .refusals import Refused


class Rate(NamedTuple):
    """So many at once, and then so many a second."""

    burst: float
    per_second: float


LOGIN = Rate(10, 10 / 60)
"""Log-ins and registrations, by address; and log-ins by name."""
GUESTS = Rate(30, 30 / 60)
POST = Rate(120, 20)
"""Everything that changes something, by account."""
CREATE = Rate(40, 30 / 60)
CHAT = Rate(15, 0.5)
READ = Rate(400, 80)


class Limits:
    """Token buckets in memory, one for each kind and name."""

    MOST = 50000

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}

    def check(self, kind: str, who: str, rate: Rate) -> None:
        """Count one; refuse it if there were too many."""
        if not self.on:
            return
        now = time.monotonic()
        left, then = self._buckets.get((kind, who), (rate.burst, now))
        left = min(rate.burst, left + (now - then) * rate.per_second)
        if left < 1:
            wait = max(1, round((1 - left) / rate.per_second))
            self._buckets[kind, who] = (left, now)
            raise Refused(
                429, "too_many", f"too many requests: wait {wait} seconds", headers={"retry-after": str(wait)}
            )
        if len(self._buckets) > self.MOST:
            self._buckets.clear()
        self._buckets[kind, who] = (left - 1, now)
