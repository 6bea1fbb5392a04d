"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.table.state import State

from ..fights import (
    field,
)

# 8.5 Attack supply


def armour() -> State:
    """Tanks of value 3 with a strength of 11 against infantry: everything that attack supply gives."""
    return field(["GE_I5_5L", "GE_155"], "NZ_6")
