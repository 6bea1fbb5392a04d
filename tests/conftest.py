"""The rule ledger's side of pytest: a marker that names a rule that does not exist fails the run."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from sandtable import registry
from sandtable.engine.ledger import Book, LedgerError, Mark, books, faults, scan_source

from .toygame import GAME, ToyGame

os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parents[1] / ".pytest_cache" / "home")  # not the user's own
os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parents[1] / ".pytest_cache" / "config")

WRONG = pytest.StashKey[str]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check every ``@pytest.mark.rule(game, *ids)`` against the rulebooks."""
    try:
        shelf = books()
        wrong = [line for item in items for line in marker_faults(item, shelf)]
    except LedgerError as error:
        raise pytest.UsageError(str(error)) from error
    if wrong and not hasattr(config, "workerinput"):
        raise pytest.UsageError("rule markers:\n  " + "\n  ".join(dict.fromkeys(wrong)))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A worker of pytest-xdist cannot refuse the run as a whole: there the test with the marker fails."""
    if WRONG in item.stash:
        pytest.fail(item.stash[WRONG], pytrace=False)


def marker_faults(item: pytest.Item, shelf: dict[str, Book]) -> list[str]:
    """What is wrong with the rule markers of one test."""
    wrong: list[str] = []
    for mark in item.iter_markers("rule"):
        if len(mark.args) < 2 or mark.kwargs or not all(isinstance(arg, str) for arg in mark.args):
            wrong.append(f'{item.nodeid}: write the marker as rule("game", "id", …)')
            continue
        game, *ids = mark.args
        wrong += faults([Mark(game, tuple(ids), item.nodeid, 0)], shelf)
        if item.get_closest_marker("skip") or item.get_closest_marker("xfail"):
            continue
        # `sandtable rules --coverage` reads the source only: it must find what pytest finds.
        unread = [id for id in ids if (game, id) not in rules_in(item.path)]
        wrong += [f"{item.nodeid}: the ledger cannot read its marker of rule {id}" for id in unread]
    if wrong:
        item.stash[WRONG] = "; ".join(wrong)
    return wrong


@cache
def rules_in(path: Path) -> frozenset[tuple[str, str]]:
    """The rules that the ledger finds in a test file without running it."""
    marks = scan_source(path.read_text(encoding="utf-8"), path.name)
    return frozenset((mark.game, id) for mark in marks for id in mark.ids)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyGame:
    """The toy game, known to the registry for the length of a test."""
    monkeypatch.setitem(registry.GAMES, "toy", "tests.toygame:GAME")
    monkeypatch.setitem(registry.GAMES, "broken", "tests.toygame:BROKEN")
    return GAME
