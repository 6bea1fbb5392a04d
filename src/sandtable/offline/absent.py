"""Packages of the server that a browser has no use for, or does not have.

They are for PostgreSQL, Redis, passwords, web push, threads, and writing new migrations. Modules of the server import
them at their top; here they find a name that stands for each thing. Whoever uses one is told that it is not here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

ROOTS = frozenset({"argon2", "asyncpg", "cryptography", "greenlet", "http_ece", "mako", "py_vapid", "redis", "yaml"})


class NotHere(Exception):
    """Something of a package that is absent. It is an exception, so that it can be caught like those of the package."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(f"{type(self).__name__} is not part of the table without a server")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{self}: {name} cannot be used")


class AbsentModule(ModuleType):
    """A module in which anything that is asked for is a class that is not here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = type(name, (NotHere,), {"__module__": self.__name__})
        setattr(self, name, found)
        return found


class Absent(MetaPathFinder, Loader):
    """Finds the absent packages, and everything in them."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in ROOTS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def stand_in() -> None:
    """Let the absent packages be imported from now on, where they are not installed."""
    if not any(isinstance(finder, Absent) for finder in sys.meta_path):
        sys.meta_path.append(Absent())  # last: what is installed is found before
