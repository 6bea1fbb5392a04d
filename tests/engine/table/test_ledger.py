"""The rule ledger: rulebooks, rules that do not apply, markers in tests, and coverage."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable.engine import ledger
from sandtable.engine.ledger import (
    LedgerError,
    Mark,
    Rule,
    book,
    books,
    coverage,
    faults,
    load_not_applicable,
    parse_rulebook,
    scan_source,
    scan_tests,
)

BOOK = """# A game

Some words. - [0.0] not an item.

## 1 The map

- [1.0] Seating: North and south.
- [1.1a] Hexes and hexsides: The map: hexes.
  It goes on here,
  and here.

| a | table |

## S2 Scenario: Later

### A part

- [S2.1] Length: Two turns.
- [S2.2] Only text without a title
- plain item

## Worked examples

- [E1] Not a rule: at all.
"""

HERE = Path(__file__).parents[2]


def folder(tmp_path: Path, text: str = BOOK, reasons: str | None = None) -> Path:
    games = tmp_path / "games"
    (games / "toy").mkdir(parents=True, exist_ok=True)
    (games / "empty").mkdir(exist_ok=True)
    (games / "toy" / "rulebook.md").write_text(text)
    if reasons is not None:
        (games / "toy" / "not_applicable.toml").write_text(reasons)
    return games


# Rulebooks


def test_a_rulebook_is_read() -> None:
    rules = parse_rulebook(BOOK)
    assert list(rules) == ["1.0", "1.1a", "S2.1", "S2.2"]
    assert rules["1.0"] == Rule("1.0", "Seating", "North and south.", "1", "The map", 7)
    assert rules["1.1a"].text == "The map: hexes. It goes on here, and here."
    assert rules["1.1a"].title == "Hexes and hexsides"
    assert (rules["S2.1"].chapter, rules["S2.1"].chapter_title) == ("S2", "Scenario: Later")
    assert (rules["S2.2"].title, rules["S2.2"].text) == ("", "Only text without a title")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("## 1 A\n- [1.1] A: b\n\n## 2 B\n- [1.1] C: d\n", "r.md:5: rule 1.1 stands already in line 2"),
        ("## 1 A\n- [1.1]\n", "r.md:2: rule 1.1 has no text"),
        ("# Nothing\n- [1.1] A: b\n", "r.md:1: there are no rules here"),
    ],
)
def test_faults_of_a_rulebook(text: str, why: str) -> None:
    with pytest.raises(LedgerError) as caught:
        parse_rulebook(text, "r.md")
    assert str(caught.value) == why


def test_the_rulebooks_of_the_games_are_sound() -> None:
    for game, one in books().items():
        assert one.rules, game
        assert len(one.not_applicable) <= 0.08 * len(one.rules), f"{game}: too much is not applicable"
        for rule in one.rules.values():
            assert rule.title, f"{game}: rule {rule.id} has no title"
            assert rule.chapter_title


def test_games_without_a_rulebook_are_not_listed(tmp_path: Path) -> None:
    games = folder(tmp_path)
    assert list(books(games)) == ["toy"]
    assert book("empty", games) is None
    assert book("toy", games) is not None


# Rules that do not apply


def test_reasons_are_read(tmp_path: Path) -> None:
    path = tmp_path / "not_applicable.toml"
    assert load_not_applicable(path, parse_rulebook(BOOK)) == {}
    path.write_text('[rules]\n"1.0" = "the computer has no seats"\n')
    assert load_not_applicable(path, parse_rulebook(BOOK)) == {"1.0": "the computer has no seats"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[rules]\n"9.9" = "x"\n', "there is no rule 9.9"),
        ('[rules]\n"1.0" = " "\n', "rule 1.0 needs a reason"),
        ('[rules]\n"1.0" = 3\n', "rule 1.0 needs a reason"),
        ("[rules]\n1.0 = 'x'\n", "write the id in quotes"),
        ('["rule"]\n"1.0" = "x"\n', "one table"),
        ("[rules\n", "not_applicable.toml: "),
        ('[rules]\n"1.0" = "x"\n"1.0" = "y"\n', "not_applicable.toml: "),
    ],
)
def test_faults_of_the_reasons(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "not_applicable.toml"
    path.write_text(text)
    with pytest.raises(LedgerError, match=why):
        load_not_applicable(path, parse_rulebook(BOOK))


# Markers


def ids(source: str) -> list[str]:
    return sorted(id for mark in scan_source("import pytest\n" + source, "test_x.py") for id in mark.ids)


def test_markers_are_found_wherever_pytest_takes_them() -> None:
    assert ids('@pytest.mark.rule("toy", "1.0", "1.1a")\ndef test_a(): ...') == ["1.0", "1.1a"]
    assert ids('@pytest.mark.rule("toy", "1")\n@pytest.mark.rule("toy", "2")\nasync def test_a(): ...') == [
        "1",
        "2",
    ]
    assert ids('@pytest.mark.rule("toy", "1")\nclass TestA:\n    def test_a(self): ...') == ["1"]
    assert ids('class TestA:\n    @pytest.mark.rule("toy", "1")\n    def test_a(self): ...') == ["1"]
    assert ids('class TestA:\n    pytestmark = pytest.mark.rule("toy", "1")\n    def test_a(self): ...') == ["1"]
    assert ids('pytestmark = pytest.mark.rule("toy", "1")\ndef test_a(): ...') == ["1"]
    assert ids('pytestmark = [pytest.mark.rule("toy", "1"), pytest.mark.slow]\ndef test_a(): ...') == ["1"]
    one = 'pytest.param(1, marks=pytest.mark.rule("toy", "1"))'
    params = f'[{one}, pytest.param(2, marks=[pytest.mark.rule("toy", "2")])]'
    assert ids(f'@pytest.mark.parametrize("x", {params})\ndef test_a(x): ...') == ["1", "2"]
    assert ids('rule = pytest.mark.rule\n@rule("toy", "1")\ndef test_a(): ...') == ["1"]
    assert ids('rule = partial(pytest.mark.rule, "toy")\n@rule("1")\ndef test_a(): ...') == ["1"]
    assert ids('from pytest import mark\n@mark.rule("toy", "1")\ndef test_a(): ...') == ["1"]


def test_markers_that_hold_to_nothing_are_not_counted() -> None:
    assert ids('@pytest.mark.rule("toy", "1")\ndef helper(): ...') == []
    assert ids('@pytest.mark.rule("toy", "1")\nclass Helper:\n    def test_a(self): ...') == []
    assert ids('@pytest.mark.rule("toy", "1")\nclass TestA:\n    def helper(self): ...') == []
    assert ids('pytestmark = pytest.mark.rule("toy", "1")\ndef helper(): ...') == []
    assert ids('@pytest.mark.skip\n@pytest.mark.rule("toy", "1")\ndef test_a(): ...') == []
    assert ids('@pytest.mark.rule("toy", "1")\n@pytest.mark.xfail(reason="x")\ndef test_a(): ...') == []
    assert ids('@pytest.mark.skip\n@pytest.mark.rule("toy", "1")\nclass TestA:\n    def test_a(self): ...') == []
    assert ids('# @pytest.mark.rule("toy", "1")\ndef test_a(): ...') == []
    assert ids("@pytest.mark.slow\ndef test_a(): ...") == []


@pytest.mark.parametrize("call", ['rule("toy")', "rule()", 'rule("toy", X)', 'rule("toy", *X)', 'rule("toy", id="1")'])
def test_markers_must_be_plain(call: str) -> None:
    with pytest.raises(LedgerError, match=r"test_x.py:2: write the marker as"):
        ids(f"@pytest.mark.{call}\ndef test_a(): ...")


def test_faults_of_markers(tmp_path: Path) -> None:
    shelf = books(folder(tmp_path, reasons='[rules]\n"1.0" = "x"\n'))
    wrong = faults(
        [Mark("toy", ("1.1a",), "t", 1), Mark("toy", ("1.0", "7.7"), "t", 2), Mark("ludo", ("1",), "t", 3)],
        shelf,
    )
    assert wrong == [
        "t:2: rule 1.0 of toy is tested, but listed as not applicable",
        "t:2: toy has no rule '7.7'",
        "t:3: no game with a rulebook is called 'ludo'",
    ]


# Coverage


def test_coverage_counts(tmp_path: Path) -> None:
    games = folder(tmp_path, reasons='[rules]\n"1.0" = "x"\n')
    tests = tmp_path / "tests"
    (tests / "deep").mkdir(parents=True)
    (tests / "deep" / "test_a.py").write_text('import pytest\n@pytest.mark.rule("toy", "1.1a")\ndef test_a(): ...\n')
    (tests / "b_test.py").write_text('import pytest\n@pytest.mark.rule("toy", "1.1a", "S2.2")\ndef test_a(): ...\n')
    (tests / "helper.py").write_text('import pytest\n@pytest.mark.rule("toy", "S2.1")\ndef test_a(): ...\n')
    assert coverage(tests, games) == {"toy": {"rules": 4, "tested": 2, "not_applicable": 1, "open": ["S2.1"]}}
    assert {mark.file for mark in scan_tests(tests)} == {"deep/test_a.py", "b_test.py"}
    (tests / "test_c.py").write_text('import pytest\n@pytest.mark.rule("toy", "1.0")\ndef test_a(): ...\n')
    with pytest.raises(LedgerError, match=r"test_c.py:2: rule 1.0 of toy is tested, but listed as not applicable"):
        coverage(tests, games)
    with pytest.raises(LedgerError, match="the tests are not here"):
        coverage(tmp_path / "nowhere", games)


def test_the_tests_of_this_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert ledger.tests_folder() == HERE
    coverage(HERE)
    monkeypatch.setattr(ledger, "GAMES_FOLDER", tmp_path / "lib" / "site-packages" / "sandtable" / "games")
    assert ledger.tests_folder() is None


# The conftest


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('@pytest.mark.rule("rommel", "9.0a")\ndef test_a(): ...', ""),
        ('@pytest.mark.rule("rommel", "99.9z")\ndef test_a(): ...', "rommel has no rule '99.9z'"),
        (
            '@pytest.mark.rule("romel", "9.0a")\ndef test_a(): ...',
            "no game with a rulebook is called 'romel'",
        ),
        ('@pytest.mark.rule("rommel")\ndef test_a(): ...', "write the marker as"),
        (
            'R = pytest.mark.rule("rommel", "9.0a")\n@R\ndef test_a(): ...',
            "cannot read its marker of rule 9.0a",
        ),
        ('@pytest.mark.skip\n@pytest.mark.rule("rommel", "9.0a")\ndef test_a(): ...', ""),
    ],
)
def test_a_wrong_marker_fails_the_run(source: str, why: str, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("__init__.py", "conftest.py", "toygame.py"):
        shutil.copy(HERE / name, tests / name)
    (tests / "test_it.py").write_text(f"import pytest\n{source}\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  rule: the rule\n")
    for workers in ([], ["-n", "1"]) if "R =" in source else ([],):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *workers, str(tests)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert (run.returncode == 0) == (not why), run.stdout + run.stderr
        assert why in run.stdout + run.stderr
        assert "INTERNALERROR" not in run.stdout


def test_what_follows_a_rule_belongs_to_it() -> None:
    table = "| a | b |\n|---|---|"
    source = f"## 1 The map\n- [1.0] Seating: North\n  and south.\n\n{table}\n\n- [1.1] More: no.\n## Notes\n| c |\n"
    rules = parse_rulebook(source)
    assert rules["1.0"].text == "North and south."
    assert rules["1.0"].after == table
    assert rules["1.1"].after == ""
