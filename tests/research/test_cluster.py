"""Series on Ray: two workers, one of them killed in the middle, and the rows of one process."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from sandtable import registry
from sandtable.players.simulate import Series, Tally, run_series

ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'sandtable[ray]'")


def test_a_worker_that_is_killed_loses_nothing_and_counts_nothing_twice() -> None:
    from sandtable.research.cluster import run_on_ray

    series = Series("rommel", ("battleaxe",), 40, 3, ("random", "random"), target=registry.GAMES["rommel"])
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        pid: Any = ray.remote(lambda: os.getpid())
        victim = ray.get(pid.remote())
        total, killed = Tally(), False
        for tally in run_on_ray(series, 2):
            total.add(tally)
            if not killed:
                os.kill(victim, signal.SIGKILL)
                killed = True
    finally:
        ray.shutdown()
    alone = Tally()
    for tally in run_series(series, 1):
        alone.add(tally)
    assert total.games == 40

    def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return sorted(rows, key=lambda row: int(row["game"]))

    assert in_order(total.rows) == in_order(alone.rows)
