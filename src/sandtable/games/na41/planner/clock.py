"""How much time a side has left: what is saved for later is worth nothing when there is no later."""

from __future__ import annotations

from ..table.ids import AXIS
from ..table.scenarios import script
from ..table.state import State

DECISIVE = 5.0  # how much more an objective counts in the last player turn
SHORT = 6  # player turns from which on it matters that the end is near


def turns_left(s: State, side: int) -> int:
    """3.1g the player turns that a side still has, the one that is being played among them."""
    turns = s.board.turns
    found = sum(len(turns[turn]["impulses"]) for turn in range(s.turn + 1, script(s).last_turn + 1))
    done = s.active == AXIS and side != AXIS  # 3.2a the Allies go first
    now = s.impulse + 1 if done else s.impulse
    return found + sum(1 for impulse in turns[s.turn]["impulses"] if impulse >= now)


def later(s: State, side: int) -> float:
    """What saving is worth: 1 with much time left, 0 in the last player turn."""
    return min(1.0, max(0, turns_left(s, side) - 1) / SHORT)


def stake(s: State) -> float:
    """How much more an objective counts that is judged by who holds it at the end, the nearer that is."""
    if script(s).objectives is None:
        return 1.0
    left = turns_left(s, s.active)
    return 1.0 + DECISIVE * max(0.0, 1.0 - (left - 1) / SHORT)
