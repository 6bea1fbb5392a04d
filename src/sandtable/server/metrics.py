"""What is counted, for Prometheus."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Counter("sandtable_requests", "Requests answered", ["method", "path", "status"])
SECONDS = Histogram("sandtable_request_seconds", "Time to answer", ["method", "path"], buckets=_FAST)
MOVES = Counter("sandtable_moves", "Moves taken", ["game", "by"])
REFUSED = Counter("sandtable_moves_refused", "Moves refused", ["why"])
COMMIT = Histogram("sandtable_commit_seconds", "Time of one commit", buckets=_FAST)
BATCH = Histogram("sandtable_commit_batch", "Writes in one commit", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 200))
LIVE = Gauge("sandtable_live_connections", "Open WebSockets", multiprocess_mode="livesum")
TABLES = Gauge("sandtable_tables", "Games kept in memory", multiprocess_mode="livesum")
LOADS = Counter("sandtable_table_loads", "Games rebuilt from their log")
THOUGHTS = Counter("sandtable_thoughts", "Decisions of computer players", ["player", "result"])
THINKING = Histogram("sandtable_thinking_seconds", "Time of a computer player's decision", buckets=_FAST)
NOTICES = Counter("sandtable_notices", "Notifications by what became of them", ["result"])
ERRORS = Counter("sandtable_errors", "Faults of the program")
OUTAGES = Counter("sandtable_database_outages", "Requests and turns that the database could not serve")
WRITABLE = Gauge("sandtable_database_writable", "Whether the last try to write succeeded", multiprocess_mode="livemin")


def report() -> bytes:
    """All of it in Prometheus' text form, of all workers together."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest()
