"""The texts of a game that players read, as they stand in its source: `texts.py GAME…` prints them as JSON.

{game: {"prompts": […], "reasons": […], "terms": […], "units": […]}}, with {} for what varies, and the names of the
units as the pack has them. Only what stands in the call itself or in a variable of the same function is found; the
standard library is all it needs.
"""

from __future__ import annotations

import ast
import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

GAMES = Path(__file__).parents[2] / "src" / "sandtable" / "games"
# The call, the places of its arguments that are read, and their names
CALLS = {
    "Prompt": ("prompts", {0: "title", 1: "text"}),
    "Reason": ("reasons", {1: "why"}),
    "Term": ("terms", {2: "text"}),
    "Odds": ("terms", {0: "title"}),
}


def texts(node: ast.expr, names: dict[str, list[ast.expr]]) -> list[str]:
    """What an expression may say."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)]
    if isinstance(node, ast.IfExp):
        return texts(node.body, names) + texts(node.orelse, names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        ends = texts(node.right, names) or ["{}"]
        return [start + end for start in texts(node.left, names) or ["{}"] for end in ends]
    if isinstance(node, ast.Name):
        return [text for value in names.get(node.id, []) for text in texts(value, {})]
    return []


def assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def said(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = assigned(function)
        for node in ast.walk(function):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.id if isinstance(called, ast.Name) else ""
            if name not in CALLS or not isinstance(node, ast.Call):
                continue
            kind, wanted = CALLS[name]
            given = [(wanted.get(place), value) for place, value in enumerate(node.args)]
            given += [(word.arg, word.value) for word in node.keywords]
            for argument, value in given:
                if argument in wanted.values():
                    yield from ((kind, text) for text in texts(value, names))


def main(games: list[str]) -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for game in games:
        kinds: dict[str, set[str]] = {kind: set() for kind, _ in CALLS.values()}
        for file in sorted((GAMES / game).rglob("*.py")):
            for kind, text in said(ast.parse(file.read_text())):
                if any(letter.isalpha() for letter in text.replace("{}", "")):
                    kinds[kind].add(text)
        found[game] = {kind: sorted(lines) for kind, lines in kinds.items()}
        with (GAMES / game / "data" / "units.csv").open() as units:
            found[game]["units"] = sorted({row["name"] for row in csv.DictReader(units)})
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")


main(sys.argv[1:])
