"""The breakages of `make mutants`: found, laid into code asleep, and awake one at a time."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from .mutants import switches
from .mutants.points import ROOT, Point, chosen, points, rewritten

SOURCE = '''
def answer(a: int, b: int, c: int = 5) -> list[object]:
    """9.1 Everything that can be broken."""
    return [a < b, a + b, a & b, a // 2, a in (b, c), not a, ~a, a == b and b, a == b or c == 5, 1 <= a < b]
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "combat" / "odds.py"
    path.parent.mkdir()
    path.write_text(SOURCE)
    for name, function in switches.ASKED.items():
        monkeypatch.setattr("builtins." + name, function, raising=False)
    monkeypatch.setattr(switches, "pairs", [])
    monkeypatch.setattr(switches, "met", set())
    monkeypatch.setattr(switches, "awake", -1)
    monkeypatch.setattr("tests.mutants.points.ROOT", tmp_path)
    return path


def answers(code: Any, *args: int) -> object:
    room: dict[str, Any] = {}
    exec(code, room)
    try:
        return room["answer"](*args)
    except Exception as error:
        return type(error)


def laid(path: Path, found: list[Point]) -> Any:
    for point in found:
        pair = (switches.FUNCTIONS.get(point.old), switches.FUNCTIONS.get(point.new))
        switches.pairs.append(pair if all(pair) else (switches.nothing, switches.nothing))  # type: ignore[arg-type]
    laying = switches.Finder(found).layings[str(path)]
    return compile(laying.visit(ast.parse(path.read_text())), str(path), "exec")


def test_each_breakage_awake_does_what_the_changed_source_does(module: Path) -> None:
    found = list(points(module))
    code = laid(module, found)
    assert len(found) == 18
    for args in ((2, 3), (3, 3), (0, 1), (5, 4)):
        sound = answers(compile(SOURCE, "sound", "exec"), *args)
        switches.wake(-1)
        assert answers(code, *args) == sound, "asleep nothing is broken"
        for k, point in enumerate(found):
            switches.wake(k)
            assert answers(code, *args) == answers(compile(rewritten(point), "broken", "exec"), *args), point.name


def test_a_breakage_that_makes_a_difference_is_met(module: Path) -> None:
    """Which tests are run is read from this: a difference that is not met would never be tried."""
    found = list(points(module))
    code = laid(module, found)
    for args in ((2, 3), (3, 3), (0, 1), (5, 4), (5, 5)):
        sound = answers(compile(SOURCE, "sound", "exec"), *args)
        switches.wake(-1)
        switches.met.clear()
        answers(code, *args)
        met = set(switches.met)
        for k, point in enumerate(found):
            if answers(compile(rewritten(point), "broken", "exec"), *args) != sound:
                assert k in met, point.name
    switches.met.clear()
    answers(code, 2, 3)
    less = next(k for k, point in enumerate(found) if point.old == "<")
    assert less not in switches.met, "2 < 3 and 2 <= 3 are the same"


def test_a_breakage_keeps_its_name_when_other_lines_come_and_go(module: Path) -> None:
    names = [point.name for point in points(module)]
    assert len(set(names)) == len(names)
    module.write_text("LATER = 7\n" + SOURCE)
    assert [point.name for point in points(module)][1:] == names


def test_a_seed_chooses_the_same_breakages_again() -> None:
    every, sample = chosen("rommel", 5, 1)
    assert every > 1000
    assert sample == chosen("rommel", 5, 1)[1]
    assert sample != chosen("rommel", 5, 2)[1]
    assert all(point.path.is_relative_to(ROOT) for point in sample)
