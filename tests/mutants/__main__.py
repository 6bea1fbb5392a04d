"""The command line of the breakages."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import __doc__ as about
from . import switches
from .points import ROOT, Point, chosen, rewritten
from .session import Session, Verdict, collected, from_the_start

NOTICED, SURVIVED, EQUIVALENT = "noticed", "survived", "equivalent"
NOBODY_KNOWS: dict[str, Any] = {}


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Results:
    """What is known of each breakage, in a file: a run that was stopped goes on where it was."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known: dict[str, dict[str, str]] = json.loads(file.read_text()) if file.exists() else {}

    def state(self, point: Point) -> str:
        return self.known.get(point.name, NOBODY_KNOWS).get("state", "")

    def put(self, point: Point, state: str, by: str) -> None:
        self.known[point.name] = {"state": state, "by": by, "at": f"{point.path.relative_to(ROOT)}:{point.line}"}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.known, indent=1, ensure_ascii=False) + "\n")


def no_breakages(game: str) -> dict[str, str]:
    """The breakages of a game that change nothing that a player can see, with the reason."""
    file = Path(__file__).parent / "equivalent" / f"{game}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def tests_of(game: str) -> list[str]:
    return [f"tests/rules/{game}"]


def plainly(point: Point, tests: Sequence[str], limit: float) -> bool:
    """Whether pytest fails on a copy of the source with this breakage written into it: slow, and beyond doubt."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__", "static", "*.pyc"))
        (source / point.path.relative_to(ROOT / "src")).write_text(rewritten(point), encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", *tests]
        try:
            run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return True
        return run.returncode != 0


def quickly(points: Sequence[Point], tests: Sequence[str], given: argparse.Namespace, results: Results) -> list[int]:
    """Try breakages in forks; gives those that must be tried from the start."""
    late: list[int] = []
    until = time.monotonic() + given.minutes * 60

    def work(session: Session) -> None:
        met = session.meet()
        if met.failed:
            raise SystemExit("these tests fail without any breakage:\n  " + "\n  ".join(met.failed))
        seconds = sum(met.seconds)
        say(f"{len(session.items)} tests take {seconds:.0f} s; {len(met.early)} breakages are met before the first")
        numbers = (k for k in range(len(points)) if time.monotonic() < until)
        for verdict in session.tried(met, numbers, given.jobs, given.limit):
            if verdict.k in met.early and not verdict.noticed:
                late.append(verdict.k)
            else:
                told(points[verdict.k], verdict, results)

    pid = os.getpid()
    switches.lay(points)
    faults = collected(tests, work)
    if os.getpid() != pid:
        os._exit(3)
    if faults:
        raise SystemExit("the tests cannot be run:\n  " + "\n  ".join(faults))
    return late


def told(point: Point, verdict: Verdict, results: Results) -> None:
    results.put(point, NOTICED if verdict.noticed else SURVIVED, verdict.by)
    if not verdict.noticed:
        say(f"survived: {point} ({verdict.by})")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=300, help="how many breakages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="no new one after so long")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one breakage beyond what its tests take")
    parser.add_argument("--results", type=Path, help="where results are kept: build/mutants-<game>.json")
    parser.add_argument("--again", type=Path, help="try only the survivors of these results")
    parser.add_argument("--tests", nargs="+", help="only these tests: tests/rules/<game>")
    parser.add_argument("--only", help="only breakages whose name holds this")
    parser.add_argument("--plainly", type=int, default=0, help="compare so many with the slow way that is beyond doubt")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    file = given.again or given.results or ROOT / "build" / f"mutants-{given.game}.json"
    results = Results(file)
    every, sample = chosen(given.game, given.count, given.seed)
    if given.only:
        sample = [point for point in chosen(given.game, every, given.seed)[1] if given.only in point.name]
    sound = no_breakages(given.game)
    for point in sample:
        if point.name in sound:
            results.put(point, EQUIVALENT, sound[point.name])
    wanted = (SURVIVED,) if given.again else ("",)
    open_ones = [point for point in sample if results.state(point) in wanted]
    tests = given.tests or tests_of(given.game)
    if open_ones:
        # The forks come from a process that imports the game; this one never does, so that others can begin afresh.
        late_ones = in_a_fork(open_ones, tests, given, results)
        for k in late_ones:
            told(open_ones[k], from_the_start(open_ones, k, tests, given.limit + 600), results)
    counts = Counter(results.state(point) or "not tried" for point in sample)
    say(f"{given.game}: {every:,} things to break; {', '.join(f'{n} {state}' for state, n in sorted(counts.items()))}")
    for point in [point for point in sample if results.state(point) in (NOTICED, SURVIVED)][: given.plainly]:
        found = plainly(point, tests, 1200)
        agrees = "as it was" if found == (results.state(point) == NOTICED) else "NOT as it was"
        say(f"plainly {NOTICED if found else SURVIVED}, {agrees}: {point}")
    return int(counts[SURVIVED] > 0)


def in_a_fork(points: Sequence[Point], tests: Sequence[str], given: argparse.Namespace, results: Results) -> list[int]:
    """The quick way in a process of its own, which writes the results; gives those to be tried from the start."""
    with tempfile.TemporaryDirectory() as folder:
        late = Path(folder) / "late.json"
        child = os.fork()
        if not child:
            code = 1
            try:
                late.write_text(json.dumps(quickly(points, tests, given, results)))
                code = 0
            except SystemExit as error:
                say(str(error))
            finally:
                os._exit(code)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise SystemExit(1)
        results.known = Results(results.file).known
        numbers: list[int] = json.loads(late.read_text())
        return numbers


if __name__ == "__main__":
    sys.exit(main())
