"""Something kept: one bounded memory with one way of forgetting, safe between threads, nothing mended in place."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from types import CodeType
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

KEPT = 1 << 14


class Memory(dict[K, V]):
    """A table of what has been worked out. When it is full, all of it is forgotten.

    Whoever reads it finds a value or nothing, whatever another thread does meanwhile; a value is never changed.
    """

    __slots__ = ("most",)

    def __init__(self, most: int = KEPT) -> None:
        self.most = most

    def keep(self, key: K, value: V) -> V:
        """Remember a value, and give it back."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value


def forget(function: Callable[..., Any]) -> None:
    """Forget all answers of a function that is `remembered`: for measuring it with nothing known from before."""
    function.cache_clear()  # type: ignore[attr-defined]


def remembered(most: int = KEPT) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function of hashable arguments whose last answers are kept: ``@remembered()``; asked by position alone."""

    def around(function: Callable[P, R]) -> Callable[P, R]:
        return cast("Callable[P, R]", lru_cache(maxsize=most)(function))

    return around


class Noting(Protocol):
    """A state with room for what was worked out about this very position; whoever changes it lays the memo aside."""

    memo: dict[Any, Any]


S = TypeVar("S", bound=Noting)


def noted(function: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A function of a state, and of hashable arguments by position, whose answers stand in its memo by its name."""
    name, nothing = function.__name__, object()

    @wraps(function)
    def asked(s: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (name, *args)
        found: Any = s.memo.get(key, nothing)
        if found is nothing:
            found = s.memo[key] = function(s, *args, **kwargs)
        return found  # type: ignore[no-any-return]

    return asked


def asked_once(function: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A function of a state, and of hashable arguments by position, that is worked out once for each question put to a
    position: its answers stand in the state's memo, which is there (not None) only while nobody changes the position.
    """
    name, nothing = f"{function.__module__}.{function.__name__}", object()
    code: CodeType = function.__code__
    plain = not function.__defaults__ and not code.co_kwonlyargcount

    def of_position(s: Any, /) -> R:
        memo: dict[Any, Any] | None = s.memo
        if memo is None:
            return function(s)  # type: ignore[call-arg]
        found: Any = memo.get(name, nothing)
        if found is nothing:
            found = memo[name] = function(s)  # type: ignore[call-arg]
        return found  # type: ignore[no-any-return]

    def of_one(s: Any, one: Any, /) -> R:
        memo: dict[Any, Any] | None = s.memo
        if memo is None:
            return function(s, one)  # type: ignore[call-arg]
        key = (name, one)
        found: Any = memo.get(key, nothing)
        if found is nothing:
            found = memo[key] = function(s, one)  # type: ignore[call-arg]
        return found  # type: ignore[no-any-return]

    def of_all(s: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        memo: dict[Any, Any] | None = s.memo
        if memo is None:
            return function(s, *args, **kwargs)
        key = (name, *args)
        found: Any = memo.get(key, nothing)
        if found is nothing:
            found = memo[key] = function(s, *args, **kwargs)
        return found  # type: ignore[no-any-return]

    # everybody asks all the time: what has no argument besides, or one, is looked up without a bundle of arguments
    asked: Any = {1: of_position, 2: of_one}.get(code.co_argcount, of_all) if plain else of_all
    return cast("Callable[Concatenate[Any, P], R]", wraps(function)(asked))


class Asking:
    """While questions are put to a position that nobody changes meanwhile: ``with Asking(s): …``. What is `asked_once`
    is worked out once; a memo that is there already serves."""

    __slots__ = ("began", "s")

    def __init__(self, s: Any) -> None:
        self.s = s

    def __enter__(self) -> None:
        self.began = self.s.memo is None
        if self.began:
            self.s.memo = {}

    def __exit__(self, *_: object) -> None:
        if self.began:
            self.s.memo = None
