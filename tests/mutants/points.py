"""What can be broken in a game's rule modules."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src" / "sandtable" / "games"
NO_RULES = {"shown", "planner", "text", "data"}
"""The floors of a game that hold no rules."""
LEFT_OUT = {"__init__.py", "ids.py", "verbs.py", "frames.py", "scenarios.py", "panel.py", "words.py", "telling.py"}

COMPARED: dict[type[ast.cmpop], tuple[str, type[ast.cmpop], str]] = {
    ast.Lt: ("<", ast.LtE, "<="),
    ast.LtE: ("<=", ast.Lt, "<"),
    ast.Gt: (">", ast.GtE, ">="),
    ast.GtE: (">=", ast.Gt, ">"),
    ast.Eq: ("==", ast.NotEq, "!="),
    ast.NotEq: ("!=", ast.Eq, "=="),
    ast.In: ("in", ast.NotIn, "not in"),
    ast.NotIn: ("not in", ast.In, "in"),
}
OPERATORS: dict[type[ast.operator], tuple[str, type[ast.operator], str]] = {
    ast.Add: ("+", ast.Sub, "-"),
    ast.Sub: ("-", ast.Add, "+"),
    ast.BitAnd: ("&", ast.BitOr, "|"),
    ast.BitOr: ("|", ast.BitAnd, "&"),
    ast.FloorDiv: ("//", ast.Mult, "*"),
}
CHAPTER = re.compile(r"\b([A-Z]?\d{1,2})\.\d")

Place = tuple[str, int, int, int, int]
"""A node of a module: its kind, and where it begins and ends."""


@dataclass(frozen=True)
class Point:
    """One thing that can be broken. Its `name` stays the same while other lines of the module come and go."""

    path: Path
    line: int
    place: Place
    part: int
    old: str
    new: str
    name: str
    chapters: frozenset[str]

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.name}"


def place(node: ast.expr) -> Place:
    return type(node).__name__, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def modules(game: str) -> list[Path]:
    """The rule modules of a game."""
    home = GAMES / game
    floors = sorted(path for path in home.iterdir() if path.is_dir() and path.name not in NO_RULES)
    return [path for floor in floors for path in sorted(floor.glob("*.py")) if path.name not in LEFT_OUT]


def points(path: Path) -> Iterator[Point]:
    """Everything in a module that can be broken."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    whole = frozenset(CHAPTER.findall(source))
    floor = f"{path.parent.name}/{path.name}"
    seen: Counter[str] = Counter()
    for top in ast.parse(source).body:
        chapters = frozenset(CHAPTER.findall("\n".join(lines[top.lineno - 1 : top.end_lineno]))) or whole
        for node, function in nodes(top, ()):
            for part, old, new in _changes(node):
                text = lines[node.lineno - 1].strip()
                name = " | ".join((floor, ".".join(function) or "-", text, f"{old} -> {new}"))
                seen[name] += 1
                if seen[name] > 1:
                    name = f"{name} | {seen[name]}"
                yield Point(path, node.lineno, place(node), part, old, new, name, chapters)


def nodes(node: ast.AST, function: tuple[str, ...]) -> Iterator[tuple[ast.expr, tuple[str, ...]]]:
    """The expressions of a statement that are worked out, with the functions around them."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.pattern | ast.JoinedStr):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = (*function, node.name)
    if isinstance(node, ast.expr):
        yield node, function
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):  # never worked out; and how much a memory holds
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _nobody(node, child):
                yield from nodes(child, function)


def _nobody(node: ast.AST, child: ast.AST) -> bool:
    """The empty set of a bar that does not hold now: number 0 in it is a hex or unit that nobody misses."""
    return (
        isinstance(node, ast.IfExp) and child is not node.test and isinstance(child, ast.Constant) and child.value == 0
    )


def _changes(node: ast.expr) -> Iterator[tuple[int, str, str]]:
    """How a node can be broken: which part of it, what stands there, what then stands there."""
    if isinstance(node, ast.Compare):
        for part, op in enumerate(node.ops):
            if type(op) in COMPARED:
                old, _, new = COMPARED[type(op)]
                yield part, old, new
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        old, _, new = OPERATORS[type(node.op)]
        yield 0, old, new
    elif isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield 0, old, new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield 0, "not" if isinstance(node.op, ast.Not) else "~", ""
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield 0, str(node.value), str(node.value + 1)


def broken(node: ast.expr, part: int) -> ast.expr:
    """The node as it then stands."""
    made: ast.expr
    if isinstance(node, ast.Compare):
        ops = [COMPARED[type(op)][1]() if at == part else op for at, op in enumerate(node.ops)]
        made = ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BinOp):
        made = ast.BinOp(node.left, OPERATORS[type(node.op)][1](), node.right)
    elif isinstance(node, ast.BoolOp):
        made = ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp):
        made = node.operand
    else:
        assert isinstance(node, ast.Constant)
        assert isinstance(node.value, int)
        made = ast.Constant(node.value + 1)
    return ast.copy_location(made, node)


def rewritten(point: Point) -> str:
    """The module's source with this breakage."""
    source = point.path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.expr) and place(node) == point.place:
            lines = source.encode().split(b"\n")
            _, first, start, last, end = point.place
            text = f"({ast.unparse(broken(node, point.part))})".encode()
            lines[first - 1 : last] = [lines[first - 1][:start] + text + lines[last - 1][end:]]
            return b"\n".join(lines).decode()
    raise LookupError(f"{point} is not in its module")


def chosen(game: str, count: int, seed: int) -> tuple[int, list[Point]]:
    """How many points there are, and so many of them: the same ones again as long as their lines stand."""
    every = [point for path in modules(game) for point in points(path)]
    order = sorted(every, key=lambda point: sha256(f"{seed} {point.name}".encode()).digest())
    return len(every), order[:count]
