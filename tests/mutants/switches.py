"""Breakages laid into the code when it is imported, all asleep but one, or all.

Where a breakage is, the code asks here. A comparison or sum gives both its sound and its broken answer; if they differ,
or if that cannot be known, the breakage is noted as met.
"""

from __future__ import annotations

import ast
import builtins
import copy
import operator
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .points import Place, Point, broken, place

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
    "+": operator.add,
    "-": operator.sub,
    "&": operator.and_,
    "|": operator.or_,
    "//": operator.floordiv,
    "*": operator.mul,
}

awake = -1
"""The breakage that is in force; none: -1."""
met: set[int] = set()
"""The breakages that would have made a difference."""
pairs: list[tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = []
"""Of each breakage of an operator: the sound one and the broken one."""


def nothing(a: Any, b: Any) -> Any:
    raise AssertionError("no breakage of an operator")


def both(k: int, a: Any, b: Any) -> Any:
    """An operator with two operands."""
    sound, other = pairs[k]
    if awake >= 0:
        return other(a, b) if k == awake else sound(a, b)
    answer = sound(a, b)
    if k not in met:
        try:
            same = other(a, b) == answer
        except Exception:
            same = False
        if not same:
            met.add(k)
    return answer


def broken_now(k: int) -> bool:
    """Whether the broken branch is to be taken; where it stands it makes a difference, for all that is known."""
    met.add(k)
    return k == awake


def awake_now(k: int) -> bool:
    """Whether the broken branch is to be taken."""
    return k == awake


def true(k: int, value: Any) -> Any:
    """One of the terms of an `and`: if all are True, an `or` would be too."""
    if value is not True:
        met.add(k)
    return value


def false(k: int, value: Any) -> Any:
    """One of the terms of an `or`: if all are False, an `and` would be too."""
    if value is not False:
        met.add(k)
    return value


ASKED = {
    "__both__": both,
    "__broken__": broken_now,
    "__awake__": awake_now,
    "__true__": true,
    "__false__": false,
}


class Laying(ast.NodeTransformer):
    """Lays the breakages into a module."""

    def __init__(self, at: dict[Place, list[int]], all_points: Sequence[Point]) -> None:
        self.at = at
        self.points = all_points

    def visit(self, node: ast.AST) -> Any:
        numbers = self.at.get(place(node), ()) if isinstance(node, ast.expr) else ()
        sound: Any = self.generic_visit(node)
        for k in numbers:
            sound = self._laid(sound, node, k)
        return sound

    def _laid(self, sound: Any, node: ast.AST, k: int) -> Any:
        point = self.points[k]
        if isinstance(sound, ast.BinOp):
            made = _call("__both__", k, sound.left, sound.right)
        elif isinstance(sound, ast.Compare) and len(sound.ops) == 1:
            made = _call("__both__", k, sound.left, sound.comparators[0])
        elif isinstance(sound, ast.BoolOp):
            other = broken(copy.deepcopy(sound), point.part)
            asked = "__true__" if isinstance(sound.op, ast.And) else "__false__"
            values = [_call(asked, k, value) for value in sound.values]
            made = ast.IfExp(_call("__awake__", k), other, ast.BoolOp(sound.op, values))
        elif isinstance(sound, ast.IfExp):  # a second breakage of the same chain of comparisons
            kept = sound
            while isinstance(kept.orelse, ast.IfExp):
                kept = kept.orelse
            other = broken(copy.deepcopy(kept.orelse), point.part)
            kept.orelse = ast.IfExp(_call("__broken__", k), other, kept.orelse)
            made = sound
        else:
            made = ast.IfExp(_call("__broken__", k), broken(copy.deepcopy(sound), point.part), sound)
        return ast.fix_missing_locations(ast.copy_location(made, node))


def _call(name: str, k: int, *values: ast.expr) -> Any:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(k), *values], [])


class Loader(SourceFileLoader):
    """Imports a module with its breakages; no compiled file is read or written."""

    laying: Laying

    def get_code(self, fullname: str) -> CodeType:
        tree = self.laying.visit(ast.parse(Path(self.path).read_bytes(), self.path))
        return compile(tree, self.path, "exec", dont_inherit=True)


class Finder(MetaPathFinder):
    """Finds the modules that are to be imported with breakages."""

    def __init__(self, chosen: Sequence[Point]) -> None:
        self.layings: dict[str, Laying] = {}
        for k, point in enumerate(chosen):
            laying = self.layings.setdefault(str(point.path), Laying({}, chosen))
            laying.at.setdefault(point.place, []).append(k)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("sandtable.games."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self.layings:
            return None
        spec.loader = Loader(fullname, spec.origin)
        spec.loader.laying = self.layings[spec.origin]
        return spec


def lay(chosen: Sequence[Point], one: int = -1) -> None:
    """From now on modules are imported with these breakages; one of them may be in force from the start."""
    global awake
    awake = one
    for point in chosen:
        pair = (FUNCTIONS[point.old], FUNCTIONS[point.new]) if point.new in FUNCTIONS else (nothing, nothing)
        pairs.append(pair)
    for name, function in ASKED.items():
        setattr(builtins, name, function)
    sys.meta_path.insert(0, Finder(chosen))


def wake(k: int) -> None:
    """Put one breakage in force."""
    global awake
    awake = k
