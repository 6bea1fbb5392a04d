"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.caucasus.table.ids import (
    F_MOVES,
    F_SUPPLY,
    SOVIET,
)
from sandtable.games.caucasus.table.state import State, touch

from ..kit import (
    board,
    empty,
    start,
)


def map_of(side: str, turn: int = 5) -> State:
    return empty(side, turn, f"{side}_supply")


def only_e(turn: int = 5) -> State:
    """A Soviet Supply Phase in which every place is Axis but the entry hexes E, in the north-east."""
    s = map_of("soviet", turn)
    s.control = board.places & ~board.special_entries[SOVIET]
    touch(s)
    return s


def phase(s: State) -> list[Event]:
    """The Supply Phase of the active side."""
    return start(s, (F_MOVES, 0), (F_SUPPLY, s.active, 0))
