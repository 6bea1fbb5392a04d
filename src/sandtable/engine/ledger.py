"""The rule ledger: which rules a game has, and which of them a test holds to.

The rulebook of a game is Markdown. A chapter is a heading ``## 9 Combat``; a rule is a list item
``- [9.52a] Title: text`` in a chapter. List items under other headings (worked examples, data) are
not rules. A rule is *tested* if a test carries ``@pytest.mark.rule("rommel", "9.52a")``, *not
applicable* if ``not_applicable.toml`` beside the rulebook gives a reason, and *open* otherwise.

The same book in another language stands beside it, as ``rulebook.ja.md``, with the same rules under the same numbers.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

GAMES_FOLDER = Path(__file__).resolve().parent.parent / "games"

CHAPTER = re.compile(r"##\s+([A-Z]?\d+(?:\.\d+)*)\.?\s+(.+?)\s*$")
HEADING = re.compile(r"#{1,2}\s")
ITEM = re.compile(r"- \[([^\]\s]+)\]\s*(.*?)\s*$")
COLON = re.compile(": |：")

ENGLISH = "en"
"""The language of `rulebook.md`."""


class LedgerError(ValueError):
    """A fault in a rulebook, a list of rules that do not apply, or a test's marker."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule under the number that it has in its book; `after` is what follows it there, as Markdown: a table."""

    id: str
    title: str
    text: str
    chapter: str
    chapter_title: str
    line: int
    after: str = ""


def parse_rulebook(source: str, name: str = "rulebook.md") -> dict[str, Rule]:
    """The rules of a rulebook in its order, by id."""
    found: dict[str, tuple[int, str, str, list[str]]] = {}
    chapter = chapter_title = ""
    words: list[str] | None = None
    lines = source.splitlines()
    for number, line in enumerate(lines, 1):
        if HEADING.match(line):
            match = CHAPTER.match(line)
            chapter, chapter_title = (match[1], match[2]) if match else ("", "")
            words = None
        elif chapter and (item := ITEM.match(line)):
            if item[1] in found:
                first = found[item[1]][0]
                raise LedgerError(f"{name}:{number}: rule {item[1]} stands already in line {first}")
            words = [item[2]]
            found[item[1]] = (number, chapter, chapter_title, words)
        elif words is not None and line.startswith("  ") and line.strip():
            words.append(line.strip())
        else:
            words = None
    rules = {}
    for id, (number, chapter, chapter_title, words) in found.items():
        title, text = _split_title(" ".join(words))
        if not text:
            raise LedgerError(f"{name}:{number}: rule {id} has no text")
        rules[id] = Rule(id, title, text, chapter, chapter_title, number, _after(lines[number:]))
    if not rules:
        raise LedgerError(f"{name}:1: there are no rules here")
    return rules


def _split_title(words: str) -> tuple[str, str]:
    title, *text = COLON.split(words, maxsplit=1)
    return (title, text[0]) if text and len(title) <= 100 else ("", words)


def _after(lines: list[str]) -> str:
    """What follows a rule up to the next one or the next heading, without the further lines of the rule itself."""
    end = next((i for i, line in enumerate(lines) if HEADING.match(line) or ITEM.match(line)), len(lines))
    begin = next((i for i, line in enumerate(lines[:end]) if not line.startswith("  ")), end)
    return "\n".join(lines[begin:end]).strip()


def load_rulebook(path: Path) -> dict[str, Rule]:
    return parse_rulebook(path.read_text(encoding="utf-8"), path.name)


def load_not_applicable(path: Path, rules: dict[str, Rule]) -> dict[str, str]:
    """The rules that no program could enforce, with the reason of each."""
    if not path.exists():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise LedgerError(f"{path.name}: {error}") from error
    reasons = data.get("rules", {})
    if not isinstance(reasons, dict) or set(data) - {"rules"}:
        raise LedgerError(f"{path.name}: the file has one table, [rules]")
    for id, reason in reasons.items():
        if isinstance(reason, dict):
            raise LedgerError(f'{path.name}: write the id in quotes: "{id}.…" = "reason"')
        if id not in rules:
            raise LedgerError(f"{path.name}: there is no rule {id}")
        if not isinstance(reason, str) or not reason.strip():
            raise LedgerError(f"{path.name}: rule {id} needs a reason")
    return {str(id): str(reason) for id, reason in reasons.items()}


@dataclass(frozen=True)
class Book:
    """What the ledger knows of one game before any test is read."""

    game: str
    rules: dict[str, Rule]
    not_applicable: dict[str, str]
    source: str
    """The whole book, as Markdown."""
    language: str = ENGLISH
    """The language in which it is written: English where the one that was asked for has none."""


def book(game: str, folder: Path = GAMES_FOLDER, language: str = ENGLISH) -> Book | None:
    """The rulebook of a game in a language, in English if it has none in that one, or None if it has none yet."""
    path = folder / game / f"rulebook.{language}.md"
    if not path.exists():
        path, language = folder / game / "rulebook.md", ENGLISH
    if not path.exists():
        return None
    source = path.read_text(encoding="utf-8")
    rules = parse_rulebook(source, path.name)
    return Book(game, rules, load_not_applicable(path.with_name("not_applicable.toml"), rules), source, language)


def books(folder: Path = GAMES_FOLDER) -> dict[str, Book]:
    """The rulebooks of all games that have one."""
    found = {}
    for path in sorted(folder.glob("*/rulebook.md")):
        one = book(path.parent.name, folder)
        assert one is not None
        found[one.game] = one
    return found


# Markers in tests


class Mark(NamedTuple):
    """One ``pytest.mark.rule(game, *ids)`` found in a test file."""

    game: str
    ids: tuple[str, ...]
    file: str
    line: int


def scan_tests(folder: Path) -> list[Mark]:
    """Every rule marker that a test carries, read from the source without running it."""
    marks: list[Mark] = []
    for path in sorted([*folder.rglob("test_*.py"), *folder.rglob("*_test.py")]):
        marks += scan_source(path.read_text(encoding="utf-8"), path.relative_to(folder).as_posix())
    return marks


def scan_source(source: str, name: str) -> list[Mark]:
    """The rule markers of one test file: of its functions, classes, parameters and of the whole file.

    Tests that are always skipped or expected to fail hold to no rule, and are not counted.
    """
    tree = ast.parse(source, name)
    scanner = _Scanner(name, tree)
    own: list[Mark] = []
    has_tests = scanner.body(tree.body, own)
    for node in tree.body:
        if has_tests and _assigns(node, "pytestmark"):
            own += scanner.marks_in(_value(node))
    return own


class _Scanner:
    """Finds markers in one file."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self.aliases: dict[str, tuple[ast.expr, ...]] = {}
        for node in tree.body:
            # rule = pytest.mark.rule, or rule = partial(pytest.mark.rule, "rommel")
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value: ast.expr = node.value
                given: tuple[ast.expr, ...] = ()
                if isinstance(value, ast.Call) and _dotted(value.func).endswith("partial") and value.args:
                    given = tuple(value.args[1:])
                    value = value.args[0]
                if _dotted(value).endswith("mark.rule"):
                    self.aliases[node.targets[0].id] = given

    def body(self, nodes: Iterable[ast.stmt], marks: list[Mark]) -> bool:
        """Read the tests of a file or class; whether there are any."""
        found = False
        for node in nodes:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                inner: list[Mark] = []
                if not self.body(node.body, inner) or _skipped(node.decorator_list):
                    continue
                found = True
                marks += inner
                for decorator in node.decorator_list:
                    marks += self.marks_in(decorator)
                for statement in node.body:
                    if _assigns(statement, "pytestmark"):
                        marks += self.marks_in(_value(statement))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                if _skipped(node.decorator_list):
                    continue
                found = True
                for decorator in node.decorator_list:
                    marks += self.marks_in(decorator)
        return found

    def marks_in(self, node: ast.AST | None) -> Iterator[Mark]:
        """The markers in an expression, whether plain, in a list or in ``pytest.param(..., marks=…)``."""
        for call in ast.walk(node) if node is not None else ():
            if not isinstance(call, ast.Call):
                continue
            if isinstance(call.func, ast.Name) and call.func.id in self.aliases:
                args = [*self.aliases[call.func.id], *call.args]
            elif _dotted(call.func).endswith("mark.rule"):
                args = list(call.args)
            elif _dotted(call.func).endswith("param") and _skipped([k.value for k in call.keywords]):
                raise LedgerError(f"{self.name}:{call.lineno}: a skipped parameter cannot carry a rule")
            else:
                continue
            plain = [arg.value for arg in args if isinstance(arg, ast.Constant)]
            words = [word for word in plain if isinstance(word, str)]
            if len(words) != len(args) or len(words) < 2 or call.keywords:
                raise LedgerError(
                    f'{self.name}:{call.lineno}: write the marker as rule("game", "id", …), in plain strings'
                )
            yield Mark(words[0], tuple(words[1:]), self.name, call.lineno)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def _skipped(decorators: Iterable[ast.expr]) -> bool:
    for decorator in decorators:
        for node in [decorator.func if isinstance(decorator, ast.Call) else decorator]:
            if _dotted(node).endswith(("mark.skip", "mark.xfail")):
                return True
    return False


def _assigns(node: ast.stmt, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _value(node: ast.stmt) -> ast.expr | None:
    return node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None


# Coverage


def faults(marks: Iterable[Mark], shelf: dict[str, Book]) -> list[str]:
    """What is wrong with markers: unknown games, unknown rules, rules declared not applicable."""
    wrong = []
    for mark in marks:
        where = f"{mark.file}:{mark.line}" if mark.line else mark.file
        one = shelf.get(mark.game)
        if one is None:
            wrong.append(f"{where}: no game with a rulebook is called {mark.game!r}")
            continue
        for id in mark.ids:
            if id not in one.rules:
                wrong.append(f"{where}: {mark.game} has no rule {id!r}")
            elif id in one.not_applicable:
                wrong.append(f"{where}: rule {id} of {mark.game} is tested, but listed as not applicable")
    return wrong


def coverage(tests: Path, folder: Path = GAMES_FOLDER) -> dict[str, dict[str, Any]]:
    """For every game: how many rules it has, how many are tested or not applicable, and which are open."""
    if not tests.is_dir():
        raise LedgerError("the tests are not here: coverage is counted in a checkout of the repository")
    shelf = books(folder)
    marks = scan_tests(tests)
    wrong = faults(marks, shelf)
    if wrong:
        raise LedgerError(wrong[0])
    report = {}
    for game, one in shelf.items():
        tested = {id for mark in marks if mark.game == game for id in mark.ids}
        report[game] = {
            "rules": len(one.rules),
            "tested": len(tested),
            "not_applicable": len(one.not_applicable),
            "open": [id for id in one.rules if id not in tested and id not in one.not_applicable],
        }
    return report


def tests_folder() -> Path | None:
    """The tests of the checkout that this code runs from, or None if it was installed without them."""
    folder = GAMES_FOLDER.parents[2] / "tests"
    return folder if folder.is_dir() else None
