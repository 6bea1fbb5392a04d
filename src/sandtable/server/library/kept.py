"""What is made once and kept: when the project is built, or at the first wish where that was not done.

Each thing stands under a fingerprint of all that it was made from, so that what is kept is never old.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from platformdirs import user_cache_path

import sandtable
from sandtable import registry

log = logging.getLogger("sandtable.kept")

BUILT = Path(__file__).resolve().parents[1] / "maps"
"""Where `make` lays it."""

READ = (".py", ".toml", ".csv")
"""The files that a game is made of; its rulebook and its translations are served by themselves."""


class Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...


def take(name: str, make: Callable[[], str]) -> str:
    """What is kept under this name, or made now and kept."""
    for folder in (BUILT, _own()):
        file = folder / name
        if file.exists():
            return file.read_text(encoding="utf-8")
    return keep(_own(), name, make())


def keep(folder: Path, name: str, made: str) -> str:
    """Lay it aside; where nothing may be written it is made again the next time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f".{name}"
        aside.write_text(made, encoding="utf-8")
        aside.replace(folder / name)
    except OSError as error:
        log.info("%s was not kept: %s", name, error)
    return made


def clear(folder: Path, pattern: str, wanted: Iterable[str]) -> None:
    """Take away what has become old."""
    for path in folder.glob(pattern):
        if path.name not in wanted:
            path.unlink()


def _own() -> Path:
    return user_cache_path("sandtable") / "maps"


def sources(games: Iterable[str]) -> str:
    """The fingerprint of these games as they stand in their files; none of them is imported for it."""
    home = Path(sandtable.__file__).parent
    found = sha256()
    for path in (home / "registry.py", home / "engine", home / "mechanics", home / "server" / "library"):
        _add(found, path)
    _add(found, home / "server" / "wire" / "library.py")
    for name in games:
        found.update(name.encode())
        _add(found, _home_of(name))
    return found.hexdigest()[:16]


def _home_of(game: str) -> Path:
    """The folder of a game, or its file where it is one module."""
    module = registry.GAMES[game].partition(":")[0]
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"no module {module} is found for the game {game}")
    path = Path(spec.origin)
    return path.parent if path.name == "game.py" else path


def _add(found: Digest, path: Path) -> None:
    for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if one.suffix in READ:
            found.update(str(one.relative_to(path.parent)).encode())
            found.update(one.read_bytes())
