"""Random breakages of a game's rules: which of them no test notices.

    python -m tests.mutants caucasus --count 300 --minutes 60 --jobs 2 --seed 1

Each breakage changes one thing in one rule module (a comparison, an operator, a number, an `and`, a `not`) in a copy of
the source. The tests of the chapters that the broken function names are run first, then, unless `--quick`, all rule
tests of the game. A breakage that survives is either no breakage at all (say why) or a test that is missing.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from random import Random

ROOT = Path(__file__).parent.parent
FLOORS = ("table", "supply", "paths", "retreat", "combat", "movement", "turn", "los", "fire", "vehicles")
"""The floors of a game that hold rules."""
LEFT_OUT = {"ids.py", "verbs.py", "frames.py", "scenarios.py", "panel.py"}

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (" in ", " not in "),
    ast.NotIn: (" not in ", " in "),
}
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.FloorDiv: ("//", "*"),
}
CHAPTER = re.compile(r"\b(\d{1,2})\.\d")
MARKED = re.compile(r"""rule\("(\w+)"((?:, "[^"]+")+)""")


@dataclass(frozen=True)
class Mutant:
    """One breakage: a part of a line is replaced."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str
    chapters: frozenset[str]

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.old.strip()!r} became {self.new.strip()!r}"


def points(path: Path) -> Iterator[Mutant]:
    """Everything in a module that can be broken."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    tree = ast.parse(source)
    whole = frozenset(CHAPTER.findall(source))
    for top in tree.body:
        if isinstance(top, ast.Import | ast.ImportFrom):
            continue
        text = ast.get_source_segment(source, top) or ""
        chapters = frozenset(CHAPTER.findall(text)) or whole
        nobody = {  # the empty set of a bar that does not hold now: number 0 in it is a hex or unit that nobody misses
            id(part)
            for node in ast.walk(top)
            if isinstance(node, ast.IfExp)
            for part in (node.body, node.orelse)
            if isinstance(part, ast.Constant) and part.value == 0
        }
        for node in ast.walk(top):
            if id(node) not in nobody:
                yield from _of(path, lines, node, chapters)


def _of(path: Path, lines: list[str], node: ast.AST, chapters: frozenset[str]) -> Iterator[Mutant]:
    def between(before: ast.expr, after: ast.expr, old: str, new: str) -> Iterator[Mutant]:
        if before.end_lineno == after.lineno and before.end_col_offset is not None:
            text = _bytes(lines[after.lineno - 1])[before.end_col_offset : after.col_offset].decode()
            if text.count(old) == 1:
                at = before.end_col_offset + text.index(old)
                yield Mutant(path, after.lineno, at, at + len(old), old, new, chapters)

    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield from between(node.left, node.comparators[0], *COMPARED[type(node.ops[0])])
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield from between(node.left, node.right, *OPERATORS[type(node.op)])
    elif isinstance(node, ast.BoolOp) and len(node.values) == 2:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield from between(node.values[0], node.values[1], f" {old} ", f" {new} ")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        length = 4 if isinstance(node.op, ast.Not) else 1
        old = _bytes(lines[node.lineno - 1])[node.col_offset : node.col_offset + length].decode()
        yield Mutant(path, node.lineno, node.col_offset, node.col_offset + length, old, "", chapters)
    elif isinstance(node, ast.Constant) and type(node.value) is int and node.end_col_offset is not None:
        old = str(node.value)
        if node.lineno == node.end_lineno and node.end_col_offset - node.col_offset == len(old):
            new = str(node.value + 1)
            yield Mutant(path, node.lineno, node.col_offset, node.end_col_offset, old, new, chapters)


def _bytes(line: str) -> bytes:
    return line.encode("utf-8")


def modules(game: str) -> list[Path]:
    """The rule modules of a game."""
    home = ROOT / "src" / "sandtable" / "games" / game
    found = [path for floor in FLOORS for path in sorted((home / floor).glob("*.py")) if path.name not in LEFT_OUT]
    return [path for path in found if path.name != "__init__.py"]


def tests_of(game: str, chapters: frozenset[str]) -> list[str]:
    """The test files with rules of these chapters."""
    found = []
    for path in sorted((ROOT / "tests" / "rules" / game).glob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        rules = " ".join(rules for name, rules in MARKED.findall(source) if name == game)
        if set(CHAPTER.findall(rules.replace('"', " "))) & chapters:
            found.append(str(path.relative_to(ROOT)))
    return found


def copied(folder: Path) -> Path:
    """The source in a folder of its own."""
    target = folder / "src"
    shutil.copytree(ROOT / "src", target, ignore=shutil.ignore_patterns("__pycache__", "static", "*.pyc"))
    return target


def noticed(source: Path, mutant: Mutant, tests: list[str], limit: float) -> bool:
    """Whether tests fail with this breakage; one that never ends is noticed too."""
    path = source / mutant.path.relative_to(ROOT / "src")
    sound = path.read_bytes()
    lines = sound.split(b"\n")
    line = lines[mutant.line - 1]
    lines[mutant.line - 1] = line[: mutant.start] + mutant.new.encode() + line[mutant.end :]
    path.write_bytes(b"\n".join(lines))
    env = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    try:
        run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=limit, check=False)
        return run.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_bytes(sound)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=60, help="how many breakages")
    parser.add_argument("--minutes", type=float, default=30, help="no new one after so long")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=300, help="seconds for one run of tests")
    parser.add_argument("--quick", action="store_true", help="only the tests of the chapters concerned")
    given = parser.parse_args()
    every = [mutant for path in modules(given.game) for mutant in points(path)]
    chosen = Random(given.seed).sample(every, min(given.count, len(every)))
    until = time.monotonic() + given.minutes * 60
    all_tests = [f"tests/rules/{given.game}"]
    free: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder:
        for job in range(given.jobs):
            free.put(copied(Path(folder) / str(job)))

        def tried(mutant: Mutant) -> bool | None:
            if time.monotonic() > until:
                return None
            source = free.get()
            try:
                near = tests_of(given.game, mutant.chapters) or all_tests
                found = noticed(source, mutant, near, given.limit)
                if not found and not given.quick and near != all_tests:
                    found = noticed(source, mutant, all_tests, given.limit)
            finally:
                free.put(source)
            if not found:
                say(f"survived: {mutant}")
            return found

        with ThreadPoolExecutor(given.jobs) as pool:
            results = list(pool.map(tried, chosen))
    done = [result for result in results if result is not None]
    survived = done.count(False)
    broken = f"{len(every):,} things to break; {len(done)} broken, {survived} not noticed"
    say(f"{given.game}: {broken} (seed {given.seed})")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
