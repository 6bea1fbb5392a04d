"""Movement phases for the tests: what a unit is offered, what a move costs and how it goes."""

from __future__ import annotations

from sandtable.engine.scene import Hint
from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import F_MOVES, F_UNIT
from sandtable.games.caucasus.table.state import State

from .kit import GAME, at, start, texts, why

__all__ = ["cost", "goes", "hint", "moving", "phase", "refusal", "verbs"]


def phase(s: State) -> State:
    """Begin the movement phase that the state is in; another one lies below, so that play can come back."""
    begin_moves(s)
    if not s.stack:
        s.stack.append(GAME.framed((F_MOVES, 0)))
    start(s, (F_MOVES, s.second))
    return s


def moving(s: State, unit: str) -> State:
    """A copy of the table on which this unit has been picked to move (its phase is begun if it was not)."""
    c = s.copy()
    c.events = []
    if not c.stack:
        phase(c)
    GAME.apply(c, GAME.parse(f"move {unit}"))
    return c


def goes(s: State, unit: str, verb: str = "to") -> set[str]:
    """Where a unit can go, as hex numbers: empty if it cannot be picked at all."""
    c = s.copy()
    c.events = []
    if not c.stack:
        phase(c)
    if f"move {unit}" not in texts(c):
        return set()
    GAME.apply(c, GAME.parse(f"move {unit}"))
    if not c.stack or c.stack[-1][0] != F_UNIT:  # there was one way only, and it was taken
        return {at(c, unit)} if verb == "to" else set()
    return {a.split()[1] for a in texts(c) if a.split()[0] == verb}


def hint(s: State, unit: str, hex_: str, verb: str = "to") -> Hint:
    """What the table shows of a move before it is made."""
    c = moving(s, unit)
    found = GAME.hint(c, GAME.parse(f"{verb} {hex_}"))
    assert found is not None
    return found


def cost(s: State, unit: str, hex_: str) -> str:
    """The MPs of a move, as a player reads them."""
    return hint(s, unit, hex_)["cost"]


def verbs(s: State) -> set[str]:
    """The verbs that are offered now."""
    return {a.split()[0] for a in texts(s)}


def refusal(s: State, text: str) -> str:
    """The rule by which an action is refused; "" if it is not."""
    reason = why(s, text)
    return reason.rule if reason else ""
