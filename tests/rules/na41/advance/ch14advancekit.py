"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.table.state import State

from ..advancekit import (
    march,
    steps,
)


def reach(s: State, unit: str, *hexes: str) -> int:
    """How many of these hexes a unit enters until it is not offered the next."""
    for gone, h in enumerate(hexes):
        if h not in steps(s, unit):
            return gone
        march(s, unit, h)
    return len(hexes)
