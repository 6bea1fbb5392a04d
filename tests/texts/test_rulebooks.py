"""A rulebook in another language says the same: the same rules, tables, numbers and references, line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.engine.ledger import GAMES_FOLDER, book, parse_rulebook
from sandtable.engine.texts.catalogue import LANGUAGES

WITH = [
    (path.parent.name, language)
    for language in LANGUAGES
    for path in sorted(GAMES_FOLDER.glob(f"*/rulebook.{language}.md"))
]

REFERENCE = re.compile(r"(?<![\w.])(?:[A-Z]?\d+(?:\.\d+)+[a-z]{0,2}\d?|[A-Z]\d+)(?!\w)", re.ASCII)
"""9.52a, 12.23b1, S1.3, A43, and decimals, which are the same in both languages too."""
NUMBER = re.compile(r"(?:(?<![\w).])[+-])?\d+", re.ASCII)
WORD = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’]*")

SAID = {
    "2": "two second twice both double doubles doubled half halve halved halves halving pair either",
    "3": "three third thirds triple tripled",
    "4": "four fourth quarter",
    "5": "five fifth",
    "6": "six sixth",
    "7": "seven seventh",
    "8": "eight eighth",
    "9": "nine ninth",
    "10": "ten tenth",
    "11": "eleven eleventh",
    "12": "twelve twelfth",
    "20": "twenty",
}
"""The words that another language may write as a number; 1 stands for every "a" and "each"."""
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

NAMES = {
    "kasserine": {
        # formations and units as they stand on the counters
        *("Pz", "Cent", "Imp", "Gr", "Gds", "Const", "Army", "Rngr"),
        *("at", "td", "md", "SOURCES"),  # types and files of the data
    },
    "caucasus": {"dr", "drm", "md"},
    "na41": {"md", "mm", "Mk", "Arko"},
    "asl": {"dr", "drm", "mm", "cm", "core", "iii", "Kn", "SdKfz"},
}
"""Latin words with small letters that stand in the books of other languages: names on counters, codes, files."""


def units(source: str) -> list[str]:
    """The lines of a book, each rule with the further lines of its own, without the empty ones."""
    found: list[str] = []
    for line in source.splitlines():
        if line.startswith("  ") and line.strip() and found and not line.lstrip().startswith(("-", "|")):
            found[-1] += " " + line.strip()
        elif line.strip():
            found.append(line)
    return found


def kind(line: str) -> str:
    """What a line is: a heading with its number, a rule with its id, an item, a row with its columns, or words."""
    if line.startswith("#"):
        level, *words = line.split(maxsplit=2)
        return f"{level} {words[0]}" if words and re.match(r"[A-Z]?\d", words[0]) else level
    if rule := re.match(r"- \[([^\]\s]+)\]", line):
        return f"rule {rule[1]}"
    if item := re.match(r"\s*([-*]|\d+\.) ", line):
        return f"item {item[1]}"
    if line.lstrip().startswith("|"):
        return f"row of {len(cells(line))}"
    return "words"


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def references(text: str) -> set[str]:
    return set(REFERENCE.findall(text))


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(REFERENCE.sub(" ", text.replace("−", "-"))))


def allowed(english: str) -> set[str]:
    """The numbers that may stand in another language where English has words."""
    words = {word.lower() for word in WORD.findall(english)}
    found = {"1"} | {number for number, said in SAID.items() if words & set(said.split())}
    found |= {"2"} if re.search("more than onc?e", english) else set()
    return found | {str(n) for n, month in enumerate(MONTHS, 1) if month in english}


def plain(text: str) -> set[str]:
    """Numbers without their signs."""
    return {number.lstrip("+-") for number in numbers(text)}


def faults(english: str, other: str) -> list[str]:
    """In what a piece of text differs from its English: references, numbers."""
    found = []
    if references(english) != references(other):
        found.append(f"references {sorted(references(english) ^ references(other))}")
    if lost := numbers(english) - numbers(other):
        found.append(f"numbers lost {sorted(lost)}")
    if more := plain(other) - plain(english) - allowed(english):
        found.append(f"numbers added {sorted(more)}")
    return [f"{fault}: {other[:60]}" for fault in found]


def ascii_marks(text: str) -> str:
    """A cell with the commas, dashes and brackets of English."""
    return text.replace("。", ".").replace("、", ", ").replace("～", "-").replace("（", " (").replace("）", ")")


def is_code(cell: str) -> bool:
    """Whether a cell holds no words: a number, a sign, a result, a rule."""
    bare = re.sub(r"(?<![A-Za-z])[a-z](?![A-Za-z])|DRd|ARd", "", cell)
    return not re.search(r"[a-z]|[A-Z]{3}|VP|HQ", bare)


def test_numbers_and_references_are_told_apart() -> None:
    english = "On turns 4-9 add 1 (A43, 3.42ba/12.23b1); a DRM of -2, two units, 0.5 MP, in February."
    assert references(english) == {"A43", "3.42ba", "12.23b1", "0.5"}
    assert numbers(english) == {"4", "9", "1", "-2"}
    assert faults(english, "第4～9ターンは1を足す（A43、3.42ba、12.23b1）。DRM -2、2個部隊、0.5 MP、2月。") == []
    assert len(faults(english, "第4～9ターンは1を足す（A43、3.42b、12.23b1）。DRM +2、3個部隊、0.5 MP。")) == 3
    assert all(is_code(cell) for cell in ("A1/D1DRd*", "8.4a", "-", "P", "10+"))
    assert not is_code("by its marker")
    assert kind("| a | b |") == "row of 2"
    assert [kind("## 9 Combat"), kind("## Charts"), kind("- [9.5a] x"), kind("1. x")] == [
        "## 9",
        "##",
        "rule 9.5a",
        "item 1.",
    ]


def pages(game: str, language: str) -> tuple[list[str], list[str]]:
    english, other = book(game), book(game, language=language)
    assert english is not None
    assert other is not None
    assert other.language == language
    return units(english.source), units(other.source)


@pytest.mark.parametrize(("game", "language"), WITH)
def test_the_same_rules_stand_in_the_same_order(game: str, language: str) -> None:
    english, other = pages(game, language)
    for ours, theirs in zip(english, other, strict=False):
        assert kind(ours) == kind(theirs), f"{ours[:80]} / {theirs[:80]}"
    assert len(english) == len(other)
    one, two = book(game), book(game, language=language)
    assert one is not None
    assert two is not None
    assert list(one.rules) == list(two.rules)
    assert [id for id, rule in one.rules.items() if bool(rule.title) != bool(two.rules[id].title)] == []
    assert [id for id, rule in one.rules.items() if rule.chapter != two.rules[id].chapter] == []


@pytest.mark.parametrize(("game", "language"), WITH)
def test_numbers_and_references_are_the_same(game: str, language: str) -> None:
    found = []
    for ours, theirs in zip(*pages(game, language), strict=True):
        if not kind(ours).startswith("row"):
            found += faults(ours, theirs)
            continue
        for one, two in zip(cells(ours), cells(theirs), strict=True):
            if is_code(one):
                found += [] if one == ascii_marks(two) else [f"{one} is {two}: {theirs[:60]}"]
            else:
                found += [f"{fault} in {theirs[:60]}" for fault in faults(one, two)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "language"), WITH)
def test_nothing_is_left_in_english(game: str, language: str) -> None:
    names = NAMES.get(game, set()) | {"km", "ii"}
    found = []
    for line in pages(game, language)[1]:
        said = re.sub(r"`[^`]*`|DRd|ARd", " ", REFERENCE.sub(" ", line))
        words = {word for word in WORD.findall(said) if re.search(r"[a-zà-ÿ]{2}", word)}
        found += [f"{word}: {line[:60]}" for word in words - names]
        if not kind(line).startswith("row") and not re.search(r"[ぁ-んァ-ヶ一-龠]", line):
            found.append(f"no word of the language: {line[:60]}")
    assert not found, "\n".join(found)


def test_a_book_falls_back_to_english_and_says_so(tmp_path: Path) -> None:
    home = tmp_path / "toy"
    home.mkdir()
    (home / "rulebook.md").write_text("# Toy\n\nWords.\n\n## 1 Map\n\n- [1.1] Hexes: Six sides.\n", encoding="utf-8")
    english = book("toy", tmp_path, "ja")
    assert english is not None
    assert (english.language, english.rules["1.1"].title) == ("en", "Hexes")
    (home / "rulebook.ja.md").write_text("# 玩具\n\n序。\n\n## 1 マップ\n\n- [1.1] ヘックス：6辺。\n", encoding="utf-8")
    japanese = book("toy", tmp_path, "ja")
    assert japanese is not None
    assert (japanese.language, japanese.rules["1.1"].title, japanese.rules["1.1"].text) == ("ja", "ヘックス", "6辺。")
    assert parse_rulebook("## 1 M\n\n- [1.1] A: b：c\n")["1.1"].text == "b：c"
