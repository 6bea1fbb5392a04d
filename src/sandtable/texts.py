"""Which texts players read, as they stand in the source: what a catalogue has to know.

`make texts` and the tests ask by `templates` and `names`, Babel by `extract` (see babel.cfg). The
standard library is all it needs.

Found are the strings in the calls of CALLS, in tables called `…LINES` or `…TITLES` or `…WORDS`, in `term("…")`, and
what the pack of a game names: units, scenarios, options.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sandtable.engine.packs import briefings, legend
from sandtable.engine.texts.catalogue import catalogue

ROOT = Path(__file__).parent
SERVER = ROOT / "server"
COMMON = ROOT / "text"
"""The catalogue of what all games say alike."""

CALLS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "Text": ((0, "template"),),
    "of": ((0, "template"),),
    "many": ((1, "one"), (2, "many")),
    "term": ((0, "text"),),
    "Bar": ((1, "text"),),
    "Need": ((1, "text"),),
    "Doubt": ((1, "text"),),
    "Only": ((2, "text"),),
    "Elsewhere": ((1, "text"),),
    "verb": ((1, "label"),),
    "Reason": ((1, "why"),),
    "Illegal": ((1, "why"),),
    "Prompt": ((0, "title"), (1, "text")),
    "Term": ((2, "text"),),
    "Outcome": ((1, "level"),),
    "Tally": ((1, "text"), (2, "value")),
    "Drm": ((2, "text"),),
    "Push": ((2, "text"),),
    "Piece": ((2, "text"),),
    "Case": ((3, "text"),),
    "Factor": ((2, "text"),),
    "Odds": ((0, "title"),),
    "Shift": ((2, "text"), (3, "note")),
    "Cell": ((2, "text"),),
    "Force": ((3, "text"),),
    "Option": ((1, "title"),),
    "Stand": ((3, "text"),),
    "times": ((2, "text"),),
    "seen_or_not": ((1, "seen"), (2, "hidden"), (3, "both")),
    "whether": ((1, "yes"), (2, "no")),
}
"""The calls whose arguments are read, by place and by name."""

REFUSALS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "Text": CALLS["Text"],
    "many": CALLS["many"],
    "ReasonText": ((1, "why"),),
    "Refused": ((2, "why"),),
    "forbidden": ((0, "why"),),
    "illegal": ((0, "why"),),
    "unusable": ((0, "why"),),
    "seated": ((2, "what"),),
}
"""The same for what the server says of requests and in notices: nothing else in its modules is for players."""

TABLES = ("LINES", "TITLES", "WORDS")
"""How tables end whose values are read."""

RULE = re.compile(r"[A-Z]?\d+(\.\d+)*[a-z]?")

KEYS = ("title", "note", "text", "subtitle", "detail", "label", "question", "legend", "summary")
"""The keys of dicts and the names of arguments whose strings are read: items of scenes, hints and overlays."""


def strings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings that an expression may give, wherever it chooses between them."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.lineno, node.value
    elif isinstance(node, ast.IfExp):
        yield from strings(node.body)
        yield from strings(node.orelse)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from strings(value)
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for value in node.elts:
            yield from strings(value)
    elif isinstance(node, ast.Subscript):
        yield from strings(node.value)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from strings(value)
    elif isinstance(node, ast.Lambda):
        yield from strings(node.body)
    elif isinstance(node, ast.Call) and _called(node) == "fromkeys":
        yield from strings(node.args[1])


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _assigned(node: ast.AST) -> tuple[str, ast.AST | None]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value
    return "", None


def called(node: ast.Call, calls: Mapping[str, tuple[tuple[int, str], ...]] = CALLS) -> Iterator[tuple[int, str]]:
    """The texts that a call is given."""
    for place, name in calls.get(_called(node), ()):
        if place < len(node.args):
            yield from strings(node.args[place])
        for word in node.keywords:
            if word.arg == name:
                yield from strings(word.value)


def refused(source: str) -> Iterator[tuple[int, str]]:
    """What a module of the server says of requests, with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from called(node, REFUSALS)


def said(source: str) -> Iterator[tuple[int, str]]:
    """Every text of a module, with its line."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from called(node)
            if _called(node) not in CALLS:
                for word in node.keywords:
                    if word.arg in KEYS:
                        yield from strings(word.value)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in KEYS:
                    yield from strings(value)
        else:
            name, table = _assigned(node)
            if table is not None and name.endswith(TABLES):
                yield from strings(table)


def is_words(text: str) -> bool:
    """Whether a text has anything to translate: a small letter outside its holes, and not of a rule's number."""
    if RULE.fullmatch(text):
        return False
    outside, depth = [], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if not depth and letter != "}":
            outside.append(letter)
    return any(letter.islower() for letter in outside)


def extract(
    file: BinaryIO, keywords: Iterable[str], comment_tags: Iterable[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """What Babel asks a method of extraction for."""
    read = refused if SERVER in Path(getattr(file, "name", "")).resolve().parents else said
    for line, text in sorted(set(read(file.read().decode("utf-8")))):
        if is_words(text):
            yield line, "", text, []


def templates(folders: Iterable[Path], read: Callable[[str], Iterable[tuple[int, str]]] = said) -> set[str]:
    """Every text in the modules below some folders."""
    return {
        text
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        for _, text in read(path.read_text(encoding="utf-8"))
        if is_words(text)
    }


FORMATION = re.compile(r" |^[A-Z]\w{6,}")


def named(source: str) -> set[str]:
    """What a file of a pack names in words of its own: units, the dates of turns, a scenario with its note."""
    if "[[briefing]]" in source:
        return briefings.said(source)
    if re.search(r"^term = \[", source, re.MULTILINE):
        return {one for one in legend.said(tomllib.loads(source)) if is_words(one)}
    first = source.lstrip().partition("\n")[0]
    if "," in first and "=" not in first and not first.startswith("#"):
        rows = list(csv.DictReader(source.splitlines()))
        found = {row.get("name") or "" for row in rows}
        # A long formation is a name; a short one is how counters and data call it.
        found |= {row["formation"] for row in rows if FORMATION.search(row.get("formation") or "")}
    else:
        tables = tomllib.loads(source)
        head = tables.get("scenario", tables)
        found = {str(head[key]) for key in ("title", "note", "summary", "length") if head.get(key)}
        found |= {str(head["place"])} if "place" in head else set()
        was = [change.get("victory") for change in tables.get("before", {}).get("changes", ())]
        for victory in (tables.get("victory"), *was):
            found |= {str(victory["text"])} if isinstance(victory, dict) and "text" in victory else set()
        found |= {str(turn.get("dates", "")) for turn in tables.get("turn", ()) if isinstance(turn, dict)}
    return {name for name in found if is_words(name)}


LESSON_KEYS = ("title", "summary", "ending", "text", "otherwise", "say")
"""The keys of a lesson and its steps whose strings are read."""


def tidy(text: str) -> str:
    """A text over several lines of a file as one: what stands in the catalogue."""
    return " ".join(text.split())


def taught(source: str) -> set[str]:
    """What a lesson says (`lessons/form.py`)."""
    found: set[str] = set()
    waiting: list[Any] = [tomllib.loads(source)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            found |= {tidy(one[key]) for key in LESSON_KEYS if isinstance(one.get(key), str)}
            waiting += one.values()
    return {text for text in found if is_words(text)}


def extract_lessons(
    file: BinaryIO, keywords: Iterable[str], comment_tags: Iterable[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """The same for lessons, and for what is advised in each phase."""
    for text in sorted(taught(file.read().decode("utf-8"))):
        yield 1, "", text, []


def extract_names(
    file: BinaryIO, keywords: Iterable[str], comment_tags: Iterable[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """The same for the files of a pack."""
    for name in sorted(named(file.read().decode("utf-8"))):
        yield 1, "", name, []


NEAR = re.compile(r" [NS]?[EW]?\d$")


def hills(data: Path) -> set[str]:
    """Hexes with a name of their own, which no place gives them: by itself, or with the way from it to them."""

    def called(file: str) -> set[str]:
        path = data / file
        source = path.read_text(encoding="utf-8") if path.exists() else ""
        return {row.get("name") or "" for row in csv.DictReader(source.splitlines())}

    found = called("hexes.csv") - called("places.csv")
    return {name for name in found if is_words(name) and not NEAR.search(name)}


def names(folder: Path) -> set[str]:
    """What a game's pack names."""
    data = folder / "data"
    files = [
        *data.glob("units.csv"),
        *data.glob("tables.toml"),
        *data.glob("briefings.toml"),
        *data.glob("legend.toml"),
        *(data / "counters").glob("*.csv"),
        *(data / "scenarios").glob("*.toml"),
    ]
    found = {name for path in files for name in named(path.read_text(encoding="utf-8"))} | hills(data)
    lessons = [*(data / "lessons").glob("*.toml"), *data.glob("advice.toml")]
    return found.union(*(taught(path.read_text(encoding="utf-8")) for path in lessons))


def home(game: Any) -> Path:
    """The folder of a game."""
    source = sys.modules[type(game).__module__].__file__
    assert source is not None
    return Path(source).parent


def wanted(game: Any) -> set[str]:
    """All that the catalogue of a game has to know besides the common one."""
    return templates([home(game)]) | names(home(game))


def common() -> set[str]:
    """All that the common catalogue has to know: what engine, mechanics, players and server say for every game."""
    return templates([ROOT / "engine", ROOT / "mechanics", ROOT / "players"]) | templates([SERVER], refused)


def common_speech(language: str) -> dict[str, str]:
    """What all games say alike, in another language, and what the server says."""
    return catalogue(COMMON / f"{language}.po")


def speech(game: Any, language: str) -> dict[str, str]:
    """The texts of a game in another language: the common ones, and its own."""
    return common_speech(language) | catalogue(home(game) / "text" / f"{language}.po")
