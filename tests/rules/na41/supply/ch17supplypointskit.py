"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.table.state import State

from ..kit import (
    why,
)


def rule_of(s: State, text: str) -> str:
    reason = why(s, text)
    return reason.rule if reason else ""
