"""Every rule number that the game gives to a player leads to a rule of the book."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sandtable.games.caucasus
from sandtable.engine.ledger import load_rulebook

FOLDER = Path(str(sandtable.games.caucasus.__file__)).parent
RULES = load_rulebook(FOLDER / "rulebook.md")
NUMBER = re.compile(r"\d{1,2}\.\d+[a-z]?")


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: str(path.relative_to(FOLDER)))
def test_rule_numbers_are_in_the_book(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    given = {word for word in words if NUMBER.fullmatch(word)}
    assert given <= RULES.keys(), sorted(given - RULES.keys())
