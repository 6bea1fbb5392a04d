"""Preparation and Initial Phases, convoys and ports played by hand, for the tests of chapters 19 to 23."""

from __future__ import annotations

from sandtable.engine.contract import Event
from sandtable.games.na41.table.ids import ELIMINATED, F_CONVOY, F_INITIAL, F_MOVES, F_PREPARATION, POOL, SCHEDULED
from sandtable.games.na41.table.position import put
from sandtable.games.na41.table.state import State
from sandtable.games.na41.turn.initial import RESTORE
from sandtable.games.na41.turn.preparation import STEPS

from .kit import U, board, do, empty, start, texts, why
from .phasekit import END


def prepared(turn: int) -> State:
    """An empty table of the campaign in a Preparation Phase, with full pools."""
    s = empty("allied", "preparation", turn=turn, impulse=1)
    fill_pools(s)
    return s


def fill_pools(s: State) -> None:
    for u in range(len(board.units)):
        if board.replacements >> u & 1:
            put(s, u, POOL)


def prepare(s: State, *steps: str) -> list[Event]:
    """Run these steps of the Preparation Phase (all of them if none is named), up to the first decision."""
    if not steps:
        return start(s, END, (F_PREPARATION, 0))
    s.stack = [END]
    s.events = []
    for step in STEPS:
        if step.__name__ in steps:
            step(s)
    return start(s)


def initial(s: State, step: int = RESTORE) -> list[Event]:
    """The Initial Phase of the active side, from a step on; by default where replacements are used."""
    return start(s, END, (F_INITIAL, step))


def moving(s: State) -> list[Event]:
    """The Movement Phase of the active side."""
    return start(s, END, (F_MOVES,))


def schedule(s: State, turn: int, *units: str) -> None:
    for name in units:
        put(s, U(name), SCHEDULED)
        s.due[U(name)] = turn


def dead(s: State, *units: str) -> None:
    """Units in the Eliminated Box, at their lowest step."""
    for name in units:
        u = U(name)
        put(s, u, ELIMINATED)
        s.step[u] = board.steps_of[u] - 1


def rule_of(s: State, text: str) -> str:
    reason = why(s, text)
    return reason.rule if reason else ""


def do_and_sail(s: State, *actions: str) -> list[Event]:
    """Play these; a convoy to which nothing can be added sails."""
    events: list[Event] = []
    for action in actions:
        events += do(s, action)
        if s.stack[-1][0] == F_CONVOY and texts(s) == ["sail"]:
            events += do(s, "sail")
    return events
