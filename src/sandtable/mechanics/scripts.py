"""What a game is started with: the script of a scenario, read once for a board, and its options as bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

from sandtable.engine.contract import Option

from .boards import PackBoard

B = TypeVar("B", bound=PackBoard)
T = TypeVar("T")


class Played(Protocol[B]):
    """A state that knows its scenario."""

    board: B
    scenario: str


def lasting(count: int, unit: str) -> str:
    """How long a scenario is, as the lobby says it: "1 turn", "3 months"."""
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def scripts(read: Callable[[B, str], T]) -> tuple[Callable[[Played[B]], T], Callable[[B, str], T]]:
    """How a game asks for the script of the scenario being played, and for that of any scenario, read once a board."""

    def script(s: Played[B]) -> T:
        found: T | None = s.board.scripts.get(s.scenario)
        return found if found is not None else script_of(s.board, s.scenario)

    def script_of(board: B, scenario: str) -> T:
        found: T | None = board.scripts.get(scenario)
        if found is None:
            if scenario not in board.pack.scenarios:
                raise ValueError(f"no scenario is called {scenario!r}; there are: {', '.join(board.pack.scenarios)}")
            found = board.scripts[scenario] = read(board, scenario)
        return found

    return script, script_of


def switches(
    options: Sequence[Option],
) -> tuple[Callable[[Mapping[str, bool]], int], Callable[[int], dict[str, bool]]]:
    """How the chosen options of a game become bits of its state's `flags`, in the order of the options, and names
    again."""
    return partial(_bits, options), partial(_names, options)


def _bits(options: Sequence[Option], chosen: Mapping[str, bool]) -> int:
    unknown = set(chosen) - {option.id for option in options}
    if unknown:
        known = ", ".join(option.id for option in options)
        raise ValueError(f"no option is called {', '.join(sorted(unknown))}; there are: {known}")
    return sum(1 << i for i, option in enumerate(options) if chosen.get(option.id, option.default))


def _names(options: Sequence[Option], flags: int) -> dict[str, bool]:
    return {option.id: bool(flags >> i & 1) for i, option in enumerate(options)}
