"""What the tests of chapters 1, 5, 6 and 7 share: a movement phase to play in, and where a unit can go."""

from __future__ import annotations

from sandtable.games.rommel.sequence import PART_LEAVE, begin_phase
from sandtable.games.rommel.table.ids import F_MONTH, F_MOVES, F_TURN
from sandtable.games.rommel.table.state import State
from sandtable.games.rommel.table.steps import BLITZ_PARTS

from .kit import GAME, U, board, do, start, texts

AFTER_MOVES = ((F_MONTH, 3), (F_TURN, PART_LEAVE))
AFTER_BLITZ = ((F_MONTH, 3), (F_TURN, BLITZ_PARTS + PART_LEAVE))


def moving(s: State, blitz: bool = False) -> State:
    """Begin a movement phase of the Active side; the rest of the turn follows it."""
    begin_phase(s)
    start(s, *(AFTER_BLITZ if blitz else AFTER_MOVES), (F_MOVES, 0, int(blitz)))
    return s


def group(s: State, unit: str, rommel: int = 0) -> str:
    """The `group` action for the hex of a unit."""
    return f"group {board.grid.names[s.at[U(unit)]]} {rommel}"


def goes(s: State, unit: str, rommel: int = 0) -> set[str]:
    """Where a unit can go by a group move begun now: "0711", "0711 W" through a hexside, "exit 0901"."""
    c = s.copy()
    do(c, group(c, unit, rommel), f"move {unit}")
    return {t.removeprefix("to ").removesuffix(" -") for t in texts(c)}


def go(s: State, unit: str, to: str, rommel: int = 0) -> None:
    """A group move of one unit, `to` as in `goes`; the move is ended if that needs saying."""
    do(s, group(s, unit, rommel), f"move {unit}", f"to {to if ' ' in to else to + ' -'}")
    if "end-move" in texts(s):
        do(s, "end-move")


def hexes_in(where: set[str]) -> set[str]:
    """The hexes of `goes`, whatever the hexside."""
    return {w.split()[0] for w in where}


def to_act(s: State) -> int | None:
    return GAME.to_act(s)
