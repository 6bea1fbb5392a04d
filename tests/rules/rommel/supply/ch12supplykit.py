"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.contract import Event
from sandtable.games.rommel.supply.supply import (
    supplied_units,
)
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_OPTION,
    F_SUPPLY_CHECK,
)
from sandtable.games.rommel.table.state import State

from ..kit import U, board, do, empty, start, texts

CW, AX = COMMONWEALTH, AXIS


def desert(active: str = "commonwealth") -> State:
    """An empty map on which no fortress can help the Active side."""
    s = empty(active)
    s.fort_owner = [1 - s.active] * 3
    return s


def fed(s: State, unit: str) -> bool:
    """Whether a unit is in supply at this moment."""
    return bool(supplied_units(s, board.side[U(unit)]) >> U(unit) & 1)


def check(s: State, moment: int, side: int | None = None) -> list[Event]:
    """One supply check, and back to the option of the Active player."""
    return start(s, (F_OPTION,), (F_SUPPLY_CHECK, s.active if side is None else side, moment, 0))


def finish(s: State, goal: Callable[[], bool]) -> None:
    """End every step as soon as it can be ended, until the goal is reached."""
    for _ in range(12):
        if goal():
            return
        do(s, next(t for t in ("end-move", "end-moves", "marches", "declared") if t in texts(s)))
    raise AssertionError(texts(s))


def seen(events: list[Event], kind: str) -> list[dict[str, object]]:
    return [dict(e.data) for e in events if e.kind == kind]
