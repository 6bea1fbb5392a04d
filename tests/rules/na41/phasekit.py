"""Single phases played to their end, for the tests of supply, delay and attrition."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.na41.table.ids import F_ATTRITION, F_CAPTURE_ROLL, F_DELAY, F_SUPPLY
from sandtable.games.na41.table.state import State

from .kit import start

END = (F_ATTRITION, 0, 0)
"""A decision of chance that lies under the phase: when it is reached, the phase is over."""


def supply_phase(s: State) -> list[Event]:
    """Begin the Supply Phase of the active side."""
    return start(s, END, (F_SUPPLY, 0))


def delay_phase(s: State) -> list[Event]:
    """Begin the Delay Phase of the active side."""
    return start(s, END, (F_DELAY, 0, 0))


def over(s: State) -> bool:
    """Whether the phase has come to its end."""
    return s.stack == [END]


def capturing(s: State) -> bool:
    """Whether dice for captured SPs are to be rolled."""
    return s.stack[-1][0] == F_CAPTURE_ROLL
