"""What blocks and cards are worth to the planner, in points of about one CV of infantry."""

from __future__ import annotations

from collections.abc import Iterable

from ..table.board import Board
from ..table.scenarios import script
from ..table.state import State

# A CV by class: armour, infantry, anti-tank, artillery.
CV_WORTH = (1.25, 1.0, 1.05, 1.3)

# A block that is still there, whatever its strength, by half a point of victory weight (17.2b).
BLOCK_WORTH = 1.15

# The last card in hand, the last but one, and so on: the first ones are what emergencies are met with.
CARD_WORTH = (2.3, 1.8, 1.5, 1.3, 1.15, 1.0, 0.9, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2, 0.12, 0.06, 0.03)

# How much of that is left with 0, 1, 2 … months to come after this one: nobody needs cards after the game.
CARD_FUTURE = (0.3, 0.7, 0.85, 1.0)


def unit_worth(board: Board, cv: int, u: int) -> float:
    """What a block of this strength is worth on the map, in supply and ready."""
    return cv * CV_WORTH[board.cls[u]] + BLOCK_WORTH * board.weight2[u]


def months_left(s: State) -> int:
    """Months that will follow the present one."""
    return max(0, script(s).last_month - s.month)


def card_price(s: State, side: int, cards: int) -> float:
    """What it costs to part with so many real cards now."""
    held = s.real[side]
    future = CARD_FUTURE[min(months_left(s), len(CARD_FUTURE) - 1)]
    full = max(0, held + script(s).cards(s.month + 1, side) * 2 // 3 - s.board.hand_limit)
    spent: Iterable[int] = range(held - 1, max(held - 1 - cards, -1), -1)
    worth = sum(CARD_WORTH[min(i, len(CARD_WORTH) - 1)] for i in spent)
    return worth * future if cards > full else 0.0
