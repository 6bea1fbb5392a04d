"""The tool that plays two trees in step: it finds what differs, knows what is meant, and goes on with its rows."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import sandtable

ROOT = Path(__file__).resolve().parents[1]
TREE = """
__path__ = [{real!r}]
__version__ = "0"
from sandtable.games.rommel.game import GAME
listed, prompt = GAME.legal, GAME.prompt
GAME.legal = lambda s: listed(s) if len(s.stack) % 2 else sorted(listed(s))[:1] + listed(s)[2:]
"""


@pytest.fixture(scope="module")
def parity() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("parity", ROOT / "bench" / "parity.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["parity"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["parity"]


def one_game(parity: ModuleType, there: Path, lead: str = "here") -> dict[str, Any]:
    pair = parity.Pair("rommel", there, lead)
    try:
        row: dict[str, Any] = pair.row("random", 2, "7")
    finally:
        pair.end()
    return row


def test_a_tree_is_as_itself(parity: ModuleType) -> None:
    row = one_game(parity, ROOT / "src")
    assert row["decisions"] > 50
    assert (row["different"], row["named"], row["shown"]) == (0, {}, [])


def test_an_action_that_one_tree_does_not_list_is_found(parity: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "sandtable").mkdir()
    (tmp_path / "sandtable" / "__init__.py").write_text(TREE.format(real=str(Path(sandtable.__file__).parent)))
    row = one_game(parity, tmp_path)
    assert row["different"] > 5
    at, aspect, *lines = row["shown"][0]
    assert (at >= 0, aspect) == (True, "list")
    assert [line[:2] for line in lines] == ["+ "]


def test_only_what_is_named_is_meant(parity: ModuleType) -> None:
    meant = parity.named("na41")["prompt"]
    was, now = '["Sail?", "-5 5 airfields; -1 Crete"]', '["Sail?", "-5 friendly airfields: 5; -1 Crete"]'
    assert len(parity.explained(now, was, meant)) == 1
    assert parity.explained(now.replace("Crete", "Malta"), was, meant) is None
    assert parity.explained(was.replace("Sail", "Go"), was, meant) is None


def test_it_says_where_views_differ(parity: ModuleType) -> None:
    here, there = {"units": [{"id": "a", "hex": "0101"}], "turn": 1}, {"units": [{"id": "a", "hex": "0102"}], "turn": 1}
    assert parity.told(json.dumps(here), json.dumps(there)) == ['.units[0].hex here "0101" there "0102"']


def test_rows_are_gone_on_with(parity: ModuleType, tmp_path: Path) -> None:
    rows = [{"game": "na41", "seed": "1", "policy": "random", "number": n, "different": n} for n in (0, 1, 1)]
    rows[2]["different"] = 0
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"game": "na4')
    assert [row["different"] for row in parity.done(file)] == [0, 0]
    assert parity.done(tmp_path / "none.jsonl") == []
