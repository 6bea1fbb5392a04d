"""The rule ledger's side of pytest: a marker that names a rule that does not exist fails the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import registry
from sandtable.engine.ledger import LedgerError, Mark, books, faults, scan_source

from .toygame import GAME, ToyGame


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Check every ``@pytest.mark.rule(game, *ids)`` against the rulebooks."""
    try:
        shelf = books()
    except LedgerError as error:
        raise pytest.UsageError(str(error)) from error
    wrong: dict[str, None] = {}
    read: dict[Path, set[tuple[str, str]]] = {}
    for item in items:
        for mark in item.iter_markers("rule"):
            if len(mark.args) < 2 or mark.kwargs or not all(isinstance(arg, str) for arg in mark.args):
                wrong[f'{item.nodeid}: write the marker as rule("game", "id", …)'] = None
                continue
            game, *ids = mark.args
            wrong.update(dict.fromkeys(faults([Mark(game, tuple(ids), item.nodeid, 0)], shelf)))
            if item.get_closest_marker("skip") or item.get_closest_marker("xfail"):
                continue
            # `sandtable rules --coverage` reads the source only: it must find what pytest finds.
            if item.path not in read:
                try:
                    marks = scan_source(item.path.read_text(encoding="utf-8"), item.path.name)
                except LedgerError as error:
                    raise pytest.UsageError(str(error)) from error
                read[item.path] = {(mark.game, id) for mark in marks for id in mark.ids}
            for id in ids:
                if (game, id) not in read[item.path]:
                    wrong[f"{item.nodeid}: the ledger cannot read its marker of rule {id}"] = None
    if wrong:
        raise pytest.UsageError("rule markers:\n  " + "\n  ".join(wrong))


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyGame:
    """The toy game, known to the registry for the length of a test."""
    monkeypatch.setitem(registry.GAMES, "toy", "tests.toygame:GAME")
    monkeypatch.setitem(registry.GAMES, "broken", "tests.toygame:BROKEN")
    return GAME
