"""The rulebook on the terminal: chapters, single rules, whole sections."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from sandtable.engine.ledger import ENGLISH, Book, Rule, book
from sandtable.engine.texts.catalogue import LANGUAGES

from .palette import ACCENT_TEXT

ENGLISH_ONLY = {"ja": "このゲームのルールブックは英語版だけです。"}
"""What a reader of another language is told above a book that is not written in it."""


def reader_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the reader's terminal is set to, where there are rulebooks in it, or English."""
    said = next((value for key in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(key))), "")
    language = re.split("[_.@]", said)[0].lower()
    return language if language in LANGUAGES else ENGLISH


def notices(shelf: Book, language: str) -> list[Text]:
    """What is said above a book that is in another language than the one asked for."""
    return [] if shelf.language == language else [Text(ENGLISH_ONLY[language], "dim")]


class NoSuchRule(LookupError):
    """A rule number that the book does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


def find_rules(rules: Mapping[str, Rule], wanted: str) -> list[Rule]:
    """A rule by its number; by "9.5" all rules under it; by "9" the chapter."""
    wanted = wanted.strip().rstrip(".")
    if wanted in rules:
        exact = [rules[wanted]]
        return exact + [r for r in rules.values() if r.id != wanted and is_under(r.id, wanted)]
    found = [r for r in rules.values() if r.chapter == wanted or is_under(r.id, wanted)]
    if not found:
        chapters = {r.chapter for r in rules.values()}
        near = get_close_matches(wanted, [*rules, *chapters], n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "the chapters are listed without a number"
        raise NoSuchRule(f"no rule is numbered {wanted!r}; {hint}")
    return found


def is_under(id: str, head: str) -> bool:
    """Whether 9.52a stands under 9.52, 9.5 and 9: longer, and not another number."""
    if not id.startswith(head) or id == head:
        return False
    rest = id[len(head) :]
    if "." not in head:  # a whole chapter: 9 has 9.1, not 91
        return rest.startswith(".")
    return re.match(r"\d+(\D|$)|\D", rest) is not None


def chapter_lines(rules: Mapping[str, Rule], language: str = ENGLISH) -> list[Text]:
    """The chapters of a book with the number of their rules."""
    counts: dict[tuple[str, str], int] = {}
    for rule in rules.values():
        key = (rule.chapter, rule.chapter_title)
        counts[key] = counts.get(key, 0) + 1
    width = max(len(chapter) for chapter, _ in counts)
    lines = []
    for (chapter, title), count in counts.items():
        line = Text(f"{chapter:>{width}}", ACCENT_TEXT)
        line.append(f"  {title}", "default")
        said = f"{count}項" if language == "ja" else f"{count} rules" if count > 1 else "1 rule"
        line.append(f"  {said}", "dim")
        lines.append(line)
    return lines


def rule_lines(rule: Rule, language: str = ENGLISH) -> list[RenderableType]:
    """A rule, and what stands after it in the book: its tables and notes."""
    line = Text(rule.id, f"bold {ACCENT_TEXT}")
    if rule.title:
        line.append(f" {rule.title}{'。' if language == 'ja' else '.'}", "default bold")
    line.append(f" {rule.text}", "default not bold")
    return [line, Markdown(rule.after)] if rule.after else [line]


def show_rules(console: Console, game: str, ids: Sequence[str], language: str | None = None) -> None:
    """Print rules by number; a wrong number is named, and the rest printed."""
    language = language or reader_language()
    known: Book | None = book(game, language=language)
    if known is None:
        console.print(Text("This game has no rulebook here.", "dim"))
        return
    for notice in notices(known, language):
        console.print(notice)
    for wanted in ids:
        try:
            for rule in find_rules(known.rules, wanted):
                console.print(*rule_lines(rule, known.language), sep="\n")
        except NoSuchRule as error:
            console.print(Text(f"{error}", "dim"))
