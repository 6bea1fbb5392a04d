"""Telling the operator that the database cannot do its work: at once, and then once a minute as long as it lasts."""

from __future__ import annotations

import logging
import time

from .. import metrics
from .database import is_full

log = logging.getLogger("sandtable.database")

AGAIN = 60.0

_told = {"full": 0.0, "away": 0.0}


def tell(error: BaseException) -> None:
    """Count an outage, and say it in the log."""
    metrics.OUTAGES.inc()
    full = is_full(error)
    kind = "full" if full else "away"
    now = time.monotonic()
    if now < _told[kind]:
        return
    _told[kind] = now + AGAIN
    what = (
        "the disk of the database is full: no move can be kept until there is room"
        if full
        else ("the database cannot be used: moves are refused until it is back")
    )
    log.critical(what, extra={"error": f"{type(error).__name__}: {error}"[:500]})
