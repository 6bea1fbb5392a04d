"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from ..kit import (
    H,
    board,
)

FOOT = "BR_1DLI"
TANK = "BR_3H"
RIFLES = "BR_THR"


def distance(a: str, b: str) -> int:
    return board.grid.distance(H(a), H(b))
