"""Series of games on a Ray cluster: the same games as on one machine, none lost and none counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ray

from sandtable.players.simulate import Series, Tally, _play_some

ADDRESS = "ray"
"""What a series is told to run on a cluster of this machine's own; `ray://HOST:PORT` is one that is there already."""
RETRIES = 20
"""How often some games are played again whose worker was lost."""
MOST = 10
"""Games that one task plays."""


def run_on_ray(series: Series, jobs: int, address: str = ADDRESS) -> Iterator[Tally]:
    """The tallies of all games, as they are finished. What a lost worker had in hand is played again elsewhere: the
    number of a game decides all of it, and each task is told once."""
    mine = not ray.is_initialized()
    if mine:
        where: dict[str, Any] = {"num_cpus": max(1, jobs)} if address == ADDRESS else {"address": address}
        ray.init(**where, include_dashboard=False, log_to_driver=False, configure_logging=False)
    task: Any = ray.remote(max_retries=RETRIES)(_play_some)
    size = max(1, min(MOST, series.games // (max(1, jobs) * 4)))
    try:
        waiting = [
            task.remote(series, range(start, min(start + size, series.games))) for start in range(0, series.games, size)
        ]
        while waiting:
            done, waiting = ray.wait(waiting, num_returns=1)
            yield ray.get(done[0])
    finally:
        if mine:
            ray.shutdown()
