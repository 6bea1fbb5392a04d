"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.rommel.table.ids import (
    F_AVOID,
    F_BATTLES,
    F_DECLARE,
    F_LEAVE,
    F_MOVES,
    F_OPTION,
    F_PURSUIT_ROLL,
)
from sandtable.games.rommel.table.state import State

from ..kit import U, battle, do, empty, place, start, texts

FRONT = "0724"  # El Alamein W1; the coast road leads east to 0725, 0726 and Alexandria


def attacked(*cw: str, axis: tuple[str, ...] = ("IT-ARI",), sides: tuple[str, ...] = ("W",)) -> State:
    """The Axis has attacked a Commonwealth group, which may now avoid battle."""
    s = empty("axis")
    place(s, [*axis, *cw], FRONT)
    battle(s, FRONT, "commonwealth", sides, revealed=False, attacked=True)
    return s


def avoiding(s: State) -> State:
    start(s, (F_OPTION,), (F_AVOID,))
    return s


def engaged(
    cw: tuple[str, ...],
    axis: tuple[str, ...] = ("IT-ARI",),
    option: str = "basic",
    hex_: str = FRONT,
    defender: str = "commonwealth",
    sides: tuple[str, ...] = ("W",),
) -> State:
    """An old battle in the turn of the Commonwealth, which may leave it by a move."""
    s = empty("commonwealth", option)
    place(s, [*axis, *cw], hex_)
    battle(s, hex_, defender, sides)
    start(s, (F_OPTION,), (F_BATTLES, 0), (F_DECLARE, 0), (F_LEAVE, 0), (F_MOVES, 0, 0))
    return s


def leave(s: State, plan: dict[str, str], hex_: str = FRONT) -> list[Event]:
    """Units leave by a group move; ends the move and all moves."""
    do(s, f"group {hex_} 0")
    for unit, to in plan.items():
        do(s, f"move {unit}", f"to {to} -")
    events = do(s, "end-move")
    if texts(s)[-1] == "end-moves":
        events += do(s, "end-moves")
    return events


def cv(s: State, unit: str) -> int:
    return s.cv[U(unit)]


def pursuit_dice(s: State) -> int:
    assert s.stack[-1][0] == F_PURSUIT_ROLL
    return s.stack[-1][3]
