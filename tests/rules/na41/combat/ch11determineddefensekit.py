"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.table.ids import (
    F_DD_SUPPORT,
)
from sandtable.games.na41.table.state import State

from ..kit import do, roll

RING = {"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"}


def rolled(s: State, lead: str, face: int) -> State:
    """This unit leads without support, and the die falls so."""
    do(s, f"lead {lead}")
    if s.stack[-1][0] == F_DD_SUPPORT:
        do(s, "air none")
    roll(s, face)
    return s
