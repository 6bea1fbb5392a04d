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
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from . import __doc__ as about
from . import switches
from .points import ROOT, Point, chosen, rewritten
from .session import ENDLESS, Given, Session, Verdict, collected, from_the_start

NOTICED, SURVIVED, EQUIVALENT, UNCLEAR = "noticed", "survived", "equivalent", "unclear"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Results:
    """What is known of each breakage, in a file: a run that was stopped goes on where it was."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known = self._read()

    def _read(self) -> dict[str, dict[str, str]]:
        known: dict[str, dict[str, str]] = json.loads(self.file.read_text()) if self.file.exists() else {}
        return known

    def state(self, point: Point) -> str:
        return self.known.get(point.name, {}).get("state", "")

    def put(self, point: Point, state: str, by: str) -> None:
        self.known = self._read()  # a fork may have written meanwhile
        self.known[point.name] = {"state": state, "by": by, "at": f"{point.path.relative_to(ROOT)}:{point.line}"}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.known, indent=1, ensure_ascii=False) + "\n")


def no_breakages(game: str) -> dict[str, str]:
    """The breakages of a game that change nothing that a player can see, with the reason."""
    file = Path(__file__).parent / "equivalent" / f"{game}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


BESIDE = {"asl": [f"tests/games/asl/test_{name}.py" for name in ("vasl", "sight_tables", "veils", "reach")]}
"""Tests of modules beside the rules: boards that a player brings himself, what is kept of lines of sight, and whom
weapons reach, worked out for all hexes at once."""


def tests_of(game: str) -> list[str]:
    return [f"tests/rules/{game}", *BESIDE.get(game, ())]


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


def kept_in(points: Sequence[Point], tests: Sequence[str]) -> Path:
    """The file that holds which of these tests meet which of these breakages, of this code."""
    digest = sha256("\n".join([*(point.name for point in points), *tests]).encode())
    for path in sorted([*(ROOT / "src" / "sandtable").rglob("*.py"), *(ROOT / "tests" / "rules").rglob("*.py")]):
        digest.update(path.read_bytes())
    return Path(tempfile.gettempdir()) / f"mutants-{digest.hexdigest()[:24]}.json"


def quickly(
    points: Sequence[Point], wanted: Sequence[int], tests: Sequence[str], given: argparse.Namespace, results: Results
) -> list[int]:
    """Try these breakages in forks; gives those that must be tried from the start."""
    late: list[int] = []

    def work(session: Session) -> None:
        met = session.meet(kept_in(points, tests))
        until = time.monotonic() + given.minutes * 60
        if met.failed:
            session.faults += [f"{test} fails without any breakage" for test in met.failed]
            return
        seconds = sum(met.seconds)
        say(f"{len(session.items)} tests take {seconds:.0f} s; {len(met.early)} breakages are met before the first")
        quickest = sorted(wanted, key=met.cost)
        numbers = (k for k in quickest if time.monotonic() < until)
        for verdict in session.tried(met, points, numbers, Given(given.jobs, given.limit, given.patience)):
            if met.once(verdict.k) and not verdict.noticed:
                if given.patience:
                    told(points[verdict.k], Verdict(verdict.k, None, "in what is made once and kept"), results, True)
                else:
                    late.append(verdict.k)
            else:
                told(points[verdict.k], verdict, results, bool(given.tests))

    pid = os.getpid()
    switches.lay(points)
    faults = collected(tests, work)
    if os.getpid() != pid:
        os._exit(3)
    if faults:
        raise SystemExit("the tests cannot be run:\n  " + "\n  ".join(faults))
    return late


def told(point: Point, verdict: Verdict, results: Results, some: bool) -> None:
    """Keep and tell a verdict; if only some tests were asked, one that nobody noticed is what it was before."""
    state = UNCLEAR if verdict.noticed is None else NOTICED if verdict.noticed else SURVIVED
    if some and not verdict.noticed:
        state = results.state(point) or UNCLEAR
    results.put(point, state, verdict.by)
    if not verdict.noticed:
        say(f"{state}: {point} ({verdict.by})")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=300, help="how many breakages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="no new one after so long")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one breakage beyond what its tests take")
    parser.add_argument("--patience", type=float, default=0, help="give a breakage up after so many seconds of tests")
    parser.add_argument("--results", type=Path, help="where results are kept: build/mutants-<game>.json")
    parser.add_argument("--again", type=Path, help="try only the survivors of these results")
    parser.add_argument("--tests", nargs="+", help="only these tests: tests/rules/<game>")
    parser.add_argument("--only", default="", help="only breakages whose name holds this")
    parser.add_argument("--plainly", type=int, default=0, help="compare so many with the slow way that is beyond doubt")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    file = given.again or given.results or ROOT / "build" / f"mutants-{given.game}.json"
    results = Results(file)
    every, sample = chosen(given.game, given.count, given.seed)
    sound = no_breakages(given.game)
    for point in sample:
        if point.name in sound:
            results.put(point, EQUIVALENT, sound[point.name])
    wanted = (SURVIVED, UNCLEAR) if given.again else ("",) if given.patience else ("", UNCLEAR)
    numbers = [k for k, point in enumerate(sample) if results.state(point) in wanted and given.only in point.name]
    tests = given.tests or tests_of(given.game)
    if numbers:
        # The forks come from a process that imports the game; this one never does, so that others can begin afresh.
        for k in in_a_fork(lambda: quickly(sample, numbers, tests, given, results)):
            told(sample[k], from_the_start(sample, k, tests, given.limit + 600), results, bool(given.tests))
    results = Results(file)
    counts = Counter(results.state(point) or "not tried" for point in sample)
    say(f"{given.game}: {every:,} things to break; {', '.join(f'{n} {state}' for state, n in sorted(counts.items()))}")
    endless = sum(results.known.get(point.name, {}).get("by") == ENDLESS for point in sample)
    if endless:
        say(f"{endless} were noticed by a run that did not end in its time")
    tried = (NOTICED, SURVIVED, UNCLEAR) if given.tests else (NOTICED, SURVIVED)
    for point in [sample[k] for k in numbers if results.state(sample[k]) in tried][: given.plainly]:
        found = plainly(point, tests, 1200)
        agrees = "as it was" if found == (results.state(point) == NOTICED) else "NOT as it was"
        say(f"plainly {NOTICED if found else 'not noticed'}, {agrees}: {point}")
    return int(counts[SURVIVED] > 0)


def in_a_fork(run: Callable[[], list[int]]) -> list[int]:
    """What something gives that is done in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        child = os.fork()
        if not child:
            code = 1
            try:
                answer.write_text(json.dumps(run()))
                code = 0
            except SystemExit as error:
                say(str(error))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise SystemExit(1)
        numbers: list[int] = json.loads(answer.read_text())
        return numbers


if __name__ == "__main__":
    sys.exit(main())
