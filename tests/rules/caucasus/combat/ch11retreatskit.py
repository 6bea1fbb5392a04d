"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Event
from sandtable.games.caucasus.table.ids import (
    D1_B,
    DR,
    F_MOVES,
    F_RETREAT,
)
from sandtable.games.caucasus.table.state import State

from ..kit import H, board, empty, place, start, units, why

ORIGIN = "1728"

RIFLES = [name for name in board.units if name.startswith("SU-") and name.endswith("RD")]


def battlefield(*enemies: str, turn: int = 5) -> State:
    """A combat phase of the Axis; its divisions stand in these hexes. None: 1628 and 1629, north of the retreat."""
    s = empty("axis", turn, "axis_first_combat")
    for name, hex_ in zip(
        ("GE-13Pz", "GE-23Pz", "GE-73", "GE-125", "GE-198", "GE-9"), enemies or ("1628", "1629"), strict=False
    ):
        place(s, name, hex_)
    return s


def retreat(s: State, stack: str | Sequence[str], hexes_: int = 2, hex_: str = ORIGIN, result: int = DR) -> list[Event]:
    """These units (already placed) must retreat so many hexes."""
    names = [stack] if isinstance(stack, str) else list(stack)
    s.fight.target = s.fight.origin = H(hex_)
    s.fight.defenders = s.fight.retreating = units(*names)
    s.fight.result = result
    return start(s, (F_MOVES, 0), (F_RETREAT, hexes_, 0))


def routed(stack: str | Sequence[str], *enemies: str, hexes_: int = 2, shows: str = "full") -> State:
    s = battlefield(*enemies)
    place(s, stack, ORIGIN, shows=shows)
    s.events = retreat(s, stack, hexes_, result=DR if hexes_ == 2 else D1_B)
    return s


def forbidden(s: State, text: str) -> str:
    """The rule that forbids an action."""
    reason = why(s, text)
    assert reason is not None
    return reason.rule
