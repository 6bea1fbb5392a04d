"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.supply import supply_lines
from sandtable.games.na41.table.state import State

from ..kit import (
    H,
    empty,
    place,
)

DEEP = "1622"


def full(s: State, side: int, hex_: str) -> bool:
    return bool(supply_lines.full(s, side) >> H(hex_) & 1)


def besieged(*garrison: str) -> State:
    """Tobruk with Axis units around it, and these Allied units in the port."""
    s = empty("allied", "supply")
    place(s, garrison, "3138")
    for unit, h in (("GE_I5_5L", "3136"), ("GE_II5_5L", "2936"), ("GE_MG8_5L", "2938"), ("GE_MG2_5L", "3040")):
        place(s, unit, h)
    return s
