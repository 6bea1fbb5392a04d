"""The same seed gives the same games for every player of every game: on one process, on two, and on a busy machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sandtable import registry
from sandtable.players import levels
from sandtable.players.search import Searcher, Work, planner_of
from sandtable.players.simulate import simulate

from .test_search import PLANNED

LEVELS = ("easy", "planner", "strong", "patient")
SHORT = {
    "rommel": ("battleaxe", 10),
    "caucasus": ("tournament", 56),
    "na41": ("s1_enter_rommel", 8),
    "kasserine": ("s3_kasserine_pass", 5),
    "asl": ("s01_capuzzo_outpost", 30),
}
"""A scenario, and decisions after which a game of it is broken off: strong play has weighed plans by then."""
ONE_WAY: set[str] = set()
"""Games whose planner plays a phase in one way only: there is nothing to weigh."""


@contextmanager
def busy() -> Iterator[None]:
    """Somebody else wants the processor."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def games(name: str, player: str, folder: Path, jobs: int) -> dict[str, str]:
    """Two beginnings of games as they are saved: every decision and every die."""
    scenario, limit = SHORT[name]
    done = simulate(name, scenario, 2, 5, (player, player), jobs, limit=limit, save_dir=folder)
    assert done["games"] == 2
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("player", LEVELS)
@pytest.mark.parametrize("name", PLANNED)
def test_a_seed_gives_the_same_games_on_two_processes_of_a_busy_machine(
    name: str, player: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner_of(registry.get(name)), "playouts", 1)  # processes are forked, and know it
    monkeypatch.setattr(levels, "STRONG", Work(4, 1))
    monkeypatch.setattr(levels, "PATIENT", Work(4, 2))
    weighed, weigh = list[int](), Searcher.weigh

    def counted(search: Searcher, plans: Any, view: Any, side: int) -> Any:
        weighed.append(len(plans))
        return weigh(search, plans, view, side)

    monkeypatch.setattr(Searcher, "weigh", counted)
    alone = games(name, player, tmp_path / "alone", 1)
    assert bool(weighed) == (player in ("strong", "patient") and name not in ONE_WAY)
    with busy():
        shared = games(name, player, tmp_path / "shared", 2)
    assert len(alone) == 2
    assert alone == shared
    first, second = alone.values()
    assert first != second
