"""The tests of a game, collected once; which of them meet which breakages, and whether they notice them."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from . import switches
from .points import Point

GIVEN_UP = 5
ENDLESS = "the run did not end in its time"
MEMORY = 4 << 30
"""More than this no run may take: a breakage can make a list without end."""


@dataclass
class Given:
    """How hard to try."""

    jobs: int
    limit: float  # seconds for one breakage beyond four times what its tests take
    patience: float  # seconds of tests after which it is given up (0: never)


@dataclass
class Met:
    """What one run of all tests showed."""

    tests: dict[int, list[int]] = field(default_factory=dict)  # breakage -> tests that meet it
    seconds: list[float] = field(default_factory=list)  # of each test
    failed: list[str] = field(default_factory=list)
    early: set[int] = field(default_factory=set)  # breakages met before any test

    def once(self, k: int) -> bool:
        """Whether it may be in something that is made once and kept, so that only the first that asks meets it."""
        return k in self.early or len(self.tests.get(k, ())) == 1

    def cost(self, k: int) -> float:
        """How long the tests of a breakage take that nobody notices."""
        return sum(self.seconds[test] for test in self.tests.get(k, ()))


@dataclass
class Verdict:
    """Whether a breakage was noticed (None: nobody has had the patience), and by what."""

    k: int
    noticed: bool | None
    by: str


class Session:
    """Plugin of pytest that runs the tests in its own way."""

    def __init__(self, work: Callable[[Session], None]) -> None:
        self.work = work
        self.items: list[pytest.Item] = []
        self.faults: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.faults.append(f"{report.nodeid}: {report.longreprtext.splitlines()[-1]}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = session.items
        if not self.faults:
            self.work(self)
        return True

    def meet(self, told: Path) -> Met:
        """Run all tests once with all breakages asleep; in a fork, so that nothing is remembered afterwards.

        What was met is kept in a file, which spares the run as long as neither code nor tests change.
        """
        early = set(switches.met)
        if not told.exists():
            child = fork(lambda: self._meet(told), 0)
            os.waitpid(child, 0)
            if not told.exists():
                raise RuntimeError("the run of all tests died")
        tests, seconds, failed = json.loads(told.read_text())
        if failed:
            told.unlink()
        return Met({int(k): at for k, at in tests.items()}, seconds, failed, early)

    def _meet(self, told: Path) -> int:
        memories = list(filled_by_tests())
        tests: dict[int, list[int]] = {}
        seconds: list[float] = []
        failed: list[str] = []
        for at, item in enumerate(self.items):
            switches.met.clear()
            begun = time.process_time()
            if not passes(item, self.items[at + 1] if at + 1 < len(self.items) else None):
                failed.append(item.nodeid)
            seconds.append(time.process_time() - begun)
            for k in switches.met:
                tests.setdefault(k, []).append(at)
            for memory in memories:
                memory()
        told.write_text(json.dumps([tests, seconds, failed]))
        return 0

    def first_failure(self, order: Sequence[int], told: Path, patience: float = 0) -> int:
        """Run these tests until one fails, and tell which, or until it has taken too long."""
        begun = time.process_time()
        for at, test in enumerate(order):
            if patience and time.process_time() - begun > patience:
                return GIVEN_UP
            following = self.items[order[at + 1]] if at + 1 < len(order) else None
            if not passes(self.items[test], following):
                told.write_text(self.items[test].nodeid)
                return 1
        return 0

    def tried(self, met: Met, points: Sequence[Point], numbers: Iterable[int], given: Given) -> Iterator[Verdict]:
        """Each of these breakages in a fork of its own: tests of its chapters first, quick ones before slow."""
        gc.collect()
        gc.freeze()
        near = Near(self.items)
        with tempfile.TemporaryDirectory() as folder:
            running: dict[int, int] = {}
            for k in numbers:
                chapters = points[k].chapters
                order = sorted(met.tests.get(k, ()), key=lambda test: (not near(test, chapters), met.seconds[test]))
                if not order:
                    yield Verdict(k, False, "no test meets it")
                    continue
                told = Path(folder) / str(k)
                seconds = given.limit + 4 * min(met.cost(k), given.patience or met.cost(k))
                running[fork(self._waking(k, order, told, given.patience), seconds)] = k
                while len(running) >= given.jobs:
                    yield self._ended(running, folder)
            while running:
                yield self._ended(running, folder)

    def _waking(self, k: int, order: Sequence[int], told: Path, patience: float) -> Callable[[], int]:
        def run() -> int:
            switches.wake(k)
            return self.first_failure(order, told, patience)

        return run

    def _ended(self, running: dict[int, int], folder: str) -> Verdict:
        child, status = os.wait()
        k = running.pop(child)
        told = Path(folder) / str(k)
        code = os.waitstatus_to_exitcode(status)
        if code in (0, GIVEN_UP):
            passed = "all tests that meet it pass" if code == 0 else "the first of the tests that meet it pass"
            return Verdict(k, None if code else False, passed)
        return Verdict(k, True, told.read_text() if told.exists() else died(code))


def died(code: int) -> str:
    """How a run ended that named no failing test: a test that never ends is noticed by whoever waits for it."""
    return ENDLESS if -code in (signal.SIGXCPU, signal.SIGKILL) else "the run died"


def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def filled_by_tests() -> Iterator[Callable[[], object]]:
    """How to empty each memory that is empty before the first test: else only the first that asks meets the code."""
    from sandtable.mechanics.memory import Memory

    for thing in gc.get_objects():
        if isinstance(thing, _lru_cache_wrapper):
            if thing.cache_info().currsize == 0:
                yield thing.cache_clear
        elif isinstance(thing, Memory) and not thing:
            yield thing.clear


def fork(run: Callable[[], int], seconds: float) -> int:
    """Run something in a fork, silently, within so many seconds of processor time (0: as many as it takes)."""
    child = os.fork()
    if child:
        return child
    code = 3
    with contextlib.suppress(BaseException):
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        bounded(seconds)
        code = run()
    os._exit(code)


def bounded(seconds: float) -> None:
    """No more processor time than this from now on, and no more memory than a test can need."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    if seconds:
        most = int(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def collected(tests: Sequence[str], work: Callable[[Session], None]) -> list[str]:
    """Collect tests, and do something with them; gives what went wrong."""
    session = Session(work)
    options = [
        "-o",
        "addopts=",
        "-s",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:terminal",
        "-p",
        "no:xdist",
    ]
    code = pytest.main([*options, *tests], plugins=[session])
    if not session.faults and code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return [f"pytest ended with {code!r}"]
    return session.faults


def from_the_start(chosen: Sequence[Point], k: int, tests: Sequence[str], limit: float) -> Verdict:
    """Import the game with a breakage in force, and run all tests, those of the chapters concerned first."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told"

        def run() -> int:
            switches.lay([chosen[k]], 0)
            code = [1]

            def work(session: Session) -> None:
                near = Near(session.items)
                order = sorted(range(len(session.items)), key=lambda test: not near(test, chosen[k].chapters))
                code[0] = session.first_failure(order, told)

            faults = collected(tests, work)
            if faults:
                told.write_text(faults[0])
            return int(code[0] or bool(faults))

        child = fork(run, limit)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == 0:
            return Verdict(k, False, "all tests pass, with the breakage in force from the start")
        return Verdict(k, True, told.read_text() if told.exists() else died(code))


class Near:
    """Which tests are marked with a rule of some chapters."""

    def __init__(self, items: Sequence[pytest.Item]) -> None:
        self.chapters = [
            {str(rule).partition(".")[0] for mark in item.iter_markers("rule") for rule in mark.args[1:]}
            for item in items
        ]

    def __call__(self, test: int, chapters: frozenset[str]) -> bool:
        return not chapters.isdisjoint(self.chapters[test])
