"""The house stands as it was drawn: imports point one way, and the rules need nothing but Python."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import sandtable

ROOT = Path(sandtable.__file__).parent
TESTS = Path(__file__).parents[1]
MOST_LINES = 600

MAY_IMPORT = {
    "engine": {"engine"},
    "mechanics": {"mechanics", "engine"},
    "games": {"games", "mechanics", "engine"},
    "players": {"players", "mechanics", "engine", "registry"},
    "registry": {"engine"},
}
"""What the rooms may use of the others. The rest (fuzz, cli, server, …) may use all of them but games."""

FLOORS = (
    "boards",
    "los",
    "table",
    "supply",
    "paths",
    "retreat",
    "fire",
    "works",
    "ordnance",
    "combat",
    "movement",
    "vehicles",
    "turn",
    "shown",
    "planner",
)
"""The floors of a game's room, the lowest first: a floor uses those before it. No game has all of them."""

MOST_MODULES = 14
"""Besides the folder's own `__init__`."""

WEB = Path(__file__).parents[2] / "web"
CLIENT = [
    path for part in ("src", "tests", "e2e") for path in (WEB / part).rglob("*") if path.suffix in (".ts", ".svelte")
]
"""The browser's client and its tests."""

STANDARD_LIBRARY_ONLY = {"engine", "mechanics", "games", "players", "lessons", "examples", "registry", "fuzz"}


class Import(NamedTuple):
    """One import: from which module, of which, and where; `checking` ones are for type checkers only."""

    module: str
    target: str
    line: int
    checking: bool


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = ["sandtable", *path.relative_to(root).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports_of(name: str, source: str, package: bool, known: set[str]) -> Iterator[Import]:
    """All imports of a module, wherever in it they stand, as whole module names."""
    tree = ast.parse(source)
    checking: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            checking |= {id(inner) for child in node.body for inner in ast.walk(child)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(name, alias.name, node.lineno, id(node) in checking)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = name.split(".")
                up = up[: len(up) - node.level + package]
                base = ".".join([*up, base] if base else up)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield Import(name, inner if inner in known else base, node.lineno, id(node) in checking)


def all_imports() -> list[Import]:
    known = set(MODULES)
    return [
        one
        for name, path in MODULES.items()
        for one in imports_of(name, path.read_text(encoding="utf-8"), path.name == "__init__.py", known)
    ]


IMPORTS = all_imports()


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def wrong_rooms(imports: list[Import]) -> list[str]:
    """The imports that point the wrong way."""
    wrong = []
    for one in imports:
        if not one.target.startswith("sandtable."):
            continue
        mine, theirs = room(one.module), room(one.target)
        allowed = MAY_IMPORT.get(mine)
        bad = theirs == "games" and mine != "games" if allowed is None else theirs not in allowed
        if mine == theirs == "games":
            bad = one.module.split(".")[2:3] != one.target.split(".")[2:3]
        if bad:
            wrong.append(f"{one.module}:{one.line} imports {one.target}")
    return wrong


def wrong_floors(imports: list[Import]) -> list[str]:
    """Imports within a game's room that go from a lower floor up to a higher one."""
    wrong = []
    for one in imports:
        mine, theirs = one.module.split("."), one.target.split(".")
        if mine[1:2] != ["games"] or mine[:3] != theirs[:3] or len(mine) < 5:
            continue
        above = len(theirs) < 5 or FLOORS.index(theirs[3]) > FLOORS.index(mine[3])
        if above and not one.checking:
            wrong.append(f"{one.module}:{one.line} imports {one.target}")
    return wrong


def foreign(imports: list[Import]) -> list[str]:
    """Imports of what is neither Python's nor ours, in rooms that need Python alone."""
    return [
        f"{one.module}:{one.line} imports {one.target}"
        for one in imports
        if room(one.module) in STANDARD_LIBRARY_ONLY
        and not one.checking
        and one.target.split(".")[0] not in {*sys.stdlib_module_names, "sandtable"}
    ]


def cycles(imports: list[Import]) -> list[str]:
    """Modules that import each other in a ring (imports for type checkers alone do no harm)."""
    graph: dict[str, set[str]] = {}
    for one in imports:
        if one.target in MODULES and not one.checking and one.target != one.module:
            graph.setdefault(one.module, set()).add(one.target)
    found: list[str] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            found.append(" → ".join([*path[path.index(name) :], name]))
        elif name not in done:
            for other in sorted(graph.get(name, ())):
                visit(other, [*path, name])
            done.add(name)

    for name in sorted(graph):
        visit(name, [])
    return found


def test_imports_point_one_way() -> None:
    assert not wrong_rooms(IMPORTS)


def test_floors_stand_on_those_below() -> None:
    assert not wrong_floors(IMPORTS)


def crowded(paths: Iterable[Path]) -> dict[Path, int]:
    """The folders that hold too many of these modules."""
    folders = Counter(path.parent for path in paths if path.name != "__init__.py")
    return {folder: n for folder, n in folders.items() if n > MOST_MODULES}


def test_folders_can_be_taken_in_at_a_glance() -> None:
    assert crowded([*MODULES.values(), *TESTS.rglob("*.py"), *CLIENT]) == {}


def test_tests_are_short() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in TESTS.rglob("*.py")}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def test_a_crowded_folder_is_seen() -> None:
    full = [Path("folder", f"module_{n}.py") for n in range(MOST_MODULES)]
    assert crowded([*full, Path("folder", "__init__.py")]) == {}
    assert crowded([*full, Path("folder", "another.py")]) == {Path("folder"): MOST_MODULES + 1}


def test_rules_and_players_need_python_alone() -> None:
    assert not foreign(IMPORTS)


def test_no_modules_import_each_other() -> None:
    assert not cycles(IMPORTS)


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_short(name: str) -> None:
    lines = len(MODULES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{name} has {lines} lines"


# The checks themselves can fail


@pytest.mark.parametrize(
    ("module", "line", "fault"),
    [
        ("sandtable.engine.log", "from sandtable.games.rommel import game", True),
        ("sandtable.engine.log", "from sandtable.mechanics import zones", True),
        ("sandtable.engine.log", "def f():\n    import sandtable.registry", True),
        ("sandtable.engine.log", "from .dice import Dice", False),
        ("sandtable.mechanics.zones", "from ..engine import hexes", False),
        ("sandtable.mechanics.zones", "from ..games.rommel import game", True),
        ("sandtable.games.rommel.game", "from ..caucasus import game", True),
        ("sandtable.games.rommel.game", "from sandtable.games.caucasus.game import GAME", True),
        ("sandtable.games.rommel.game", "from . import view", False),
        ("sandtable.games.rommel.game", "from sandtable.mechanics import zones", False),
        ("sandtable.games.rommel.planner.planner", "from sandtable.players.base import Seat", True),
        ("sandtable.players.match", "from sandtable.games.rommel import game", True),
        ("sandtable.players.match", "from sandtable.cli import main", True),
        ("sandtable.cli", "from sandtable.games.rommel import game", True),
        ("sandtable.cli", "from sandtable import registry", False),
        ("sandtable.server.app", "from sandtable.games import rommel", True),
        ("sandtable.registry", "from sandtable.games.rommel.game import GAME", True),
    ],
)
def test_wrong_ways_are_seen(module: str, line: str, fault: bool) -> None:
    known = {*MODULES, "sandtable.mechanics.zones", "sandtable.games.caucasus.game"}
    found = list(imports_of(module, line, package=False, known=known))
    assert found
    assert bool(wrong_rooms(found)) == fault


@pytest.mark.parametrize(
    ("module", "line", "fault"),
    [
        ("sandtable.games.rommel.combat.combat", "from ..movement import moves", True),
        ("sandtable.games.rommel.combat.combat", "from ..movement.moves import Group", True),
        ("sandtable.games.rommel.combat.combat", "from .. import sequence", True),
        ("sandtable.games.rommel.combat.combat", "from ..supply import oases", False),
        ("sandtable.games.rommel.combat.combat", "from . import battles", False),
        ("sandtable.games.rommel.game", "from .planner import planner", False),
    ],
)
def test_stairs_that_lead_up_are_seen(module: str, line: str, fault: bool) -> None:
    found = list(imports_of(module, line, package=False, known=set(MODULES)))
    assert bool(wrong_floors(found)) == fault


def test_foreign_imports_and_rings_are_seen() -> None:
    known = set(MODULES)
    assert foreign(list(imports_of("sandtable.engine.log", "import numpy.random", False, known)))
    assert foreign(list(imports_of("sandtable.fuzz", "def f():\n    from rich import print", False, known)))
    assert not foreign(list(imports_of("sandtable.cli", "import rich", False, known)))
    ring = list(imports_of("sandtable.engine.contract", "from .table import Table", False, known))
    assert len(cycles([*IMPORTS, *ring])) > len(cycles(IMPORTS))
    typing = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .table import Table"
    harmless = list(imports_of("sandtable.engine.contract", typing, False, known))
    assert cycles([*IMPORTS, *harmless]) == cycles(IMPORTS)


# The floors of the server

SERVER_FLOORS: tuple[tuple[str, ...], ...] = (
    ("settings", "metrics", "wire"),
    ("refusals", "processes"),
    ("storage", "library"),
    ("people",),
    ("table",),
    ("house",),
    ("notices", "computers"),
    ("play",),
    ("door",),
    ("routes",),
    ("app",),
    ("run", "openapi"),
)
"""The server from the ground up: a floor uses itself and those under it, never one beside it or above."""


def server_floor(module: str) -> int | None:
    parts = module.split(".")
    if parts[1:2] != ["server"] or len(parts) < 3:
        return None
    return next((height for height, floor in enumerate(SERVER_FLOORS) if parts[2] in floor), len(SERVER_FLOORS))


def wrong_server_floors(imports: list[Import]) -> list[str]:
    """Imports that point up, or across to a room of the same floor (those for type checkers alone do no harm)."""
    wrong = []
    for one in imports:
        mine, theirs = server_floor(one.module), server_floor(one.target)
        if mine is None or theirs is None or one.checking or one.module.split(".")[2] == one.target.split(".")[2]:
            continue
        if theirs >= mine:
            wrong.append(f"{one.module}:{one.line} imports {one.target}")
    return wrong


def test_imports_of_the_server_point_down() -> None:
    assert not wrong_server_floors(IMPORTS)
    known = {name for floor in SERVER_FLOORS for name in floor}
    assert {name.split(".")[2] for name in MODULES if server_floor(name) is not None} == known


@pytest.mark.parametrize(
    ("module", "line", "fault"),
    [
        ("sandtable.server.people.accounts", "from ..table.rooms import Room", True),
        ("sandtable.server.notices.queue", "from ..computers import brains", True),
        ("sandtable.server.storage.database", "from ..people.accounts import Person", True),
        ("sandtable.server.routes.table", "from ..play import moves", False),
        ("sandtable.server.table.film", "from . import looks", False),
    ],
)
def test_wrong_ways_in_the_server_are_seen(module: str, line: str, fault: bool) -> None:
    found = list(imports_of(module, line, package=False, known=set(MODULES)))
    assert found
    assert bool(wrong_server_floors(found)) == fault
