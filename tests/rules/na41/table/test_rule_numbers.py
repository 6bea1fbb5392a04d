"""Every rule number that the game gives to a player leads to a rule of the book."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sandtable.games.na41
from sandtable.engine.ledger import load_rulebook

FOLDER = Path(str(sandtable.games.na41.__file__)).parent
RULES = load_rulebook(FOLDER / "rulebook.md")
BOOK = (FOLDER / "rulebook.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?:S[1-3](?:\.\d+){1,2}|\d{1,2}\.\d+(?:\.\d+)?)[a-z]?")
RULING = re.compile(r"\bA(\d{1,2})\b")
MODULES = sorted(FOLDER.rglob("*.py"))


def leads(number: str) -> bool:
    """A rule, or a heading such as 18.8 whose rules are 18.8a and so on: the drawer opens at the first of them."""
    return number in RULES or any(re.fullmatch(rf"{re.escape(number)}(?:[a-z]|\..+)", rule) for rule in RULES)


def words(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_rule_numbers_are_in_the_book(path: Path) -> None:
    given = {word for word in words(path) if NUMBER.fullmatch(word)}
    assert given <= RULES.keys(), sorted(given - RULES.keys())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_rule_numbers_in_sentences_are_in_the_book(path: Path) -> None:
    """Docstrings and notes name rules, or headings of rules."""
    text = "\n".join(words(path))
    given = set(re.findall(rf"(?<![\w.:/])({NUMBER.pattern})(?![\w:/%]|\.\d)", text))
    assert not (missing := sorted(number for number in given if not leads(number))), missing


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_rulings_are_in_the_book(path: Path) -> None:
    given = set(RULING.findall(path.read_text(encoding="utf-8")))
    codes = {"1", "9", "13"}  # results of the CRT and British tanks: A1, A9, A13
    assert not (missing := sorted(n for n in given - codes if f"\n| A{n} |" not in BOOK)), missing


def test_charts_name_rules_of_the_book() -> None:
    """What resource points buy is told with its rule."""
    given = set(re.findall(r'^rule = "([^"]+)"', (FOLDER / "data" / "tables.toml").read_text(encoding="utf-8"), re.M))
    assert len(given) > 10
    assert given <= RULES.keys(), sorted(given - RULES.keys())


def test_scenarios_name_rules_of_the_book() -> None:
    for path in (FOLDER / "data" / "scenarios").iterdir():
        given = set(re.findall(r'^rule = "([^"]+)"', path.read_text(encoding="utf-8"), re.M)) - {"S1", "S2", "S3"}
        assert not (missing := sorted(number for number in given if not leads(number))), missing
