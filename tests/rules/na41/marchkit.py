"""Short words for the tests of chapters 4 to 7: the Movement Phase, and where a unit can go in it."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.na41.paths.reaches import Reach, reach
from sandtable.games.na41.table.ids import F_MOVES, MODES
from sandtable.games.na41.table.state import State

from .kit import GAME, H, hexes, start, texts, units, why

__all__ = ["cost", "goes", "phase", "reached", "refusal", "verbs", "way"]


def phase(s: State) -> list[Event]:
    """The Movement Phase of the active side begins."""
    return start(s, (F_MOVES,))


def reached(s: State, unit: str, *others: str) -> Reach:
    """Where a unit or stack can go that has not yet moved."""
    return reach(s, units(unit, *others))


def goes(s: State, unit: str, mode: str = "normal", *others: str) -> set[str]:
    """Where a unit or stack can go in this mode, by the numbers of hexes and names of boxes."""
    return hexes(reached(s, unit, *others).masks[MODES.index(mode)])


def cost(s: State, unit: str, hex_: str, mode: str = "normal") -> float:
    """What a unit spends on the way there in MPs, or in hexes of tactical movement; -1 if it is out of reach."""
    spent = reached(s, unit).way(H(hex_), MODES.index(mode))[0]
    return spent if mode == "tactical" or spent < 0 else spent / 6


def way(s: State, unit: str, hex_: str, mode: str = "normal") -> list[str]:
    """The places that a unit enters on its way there."""
    path = reached(s, unit).way(H(hex_), MODES.index(mode))[1]
    return [GAME.board.grid.names[h] for h in path]


def verbs(s: State) -> set[str]:
    """What can be done now, places left out."""
    return {text.split()[0] for text in texts(s)}


def refusal(s: State, text: str) -> str:
    """The rule that forbids an action; empty if it is allowed."""
    reason = why(s, text)
    return "" if reason is None else reason.rule
