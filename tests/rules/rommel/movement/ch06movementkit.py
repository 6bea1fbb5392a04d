"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.rommel.table.state import State

from ..kit import board, why

grid = board.grid


def reason(s: State, text: str) -> str:
    found = why(s, text)
    assert found is not None, f"{text} is legal"
    return found.rule
