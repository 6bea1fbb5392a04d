"""Tables of the ten scenarios: set up as they propose, or emptied for a position built by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sandtable.engine.contract import Action
from sandtable.games.asl.boards.costs import offboard_price
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.counters import BALANCED, BEFORE
from sandtable.games.asl.table.ids import F_DUMMY_MINES, F_TURN, SPARE
from sandtable.games.asl.table.scenarios import TurnAt
from sandtable.games.asl.table.stage import stage
from sandtable.games.asl.table.state import State, put
from sandtable.mechanics.memory import forget

SCENARIOS = {name[:3]: name for name in stage("s01_capuzzo_outpost").pack.scenarios}


def opened(scenario: str) -> State:
    """A scenario with both sides set up as it proposes, in the first Rally Phase."""
    s = GAME.new(SCENARIOS[scenario], {})
    while True:
        if s.stack[-1][0] == F_DUMMY_MINES:  # F.7Bf
            GAME.apply(s, GAME.roll(s, lambda _: 1).action)
        elif any(action[0] == verbs.ACCEPT for action in GAME.legal(s)):
            GAME.apply(s, (verbs.ACCEPT,))
        else:
            return s


def bare(scenario: str, turn: int = 1, before: bool = False) -> State:
    """The map of a scenario without a piece on it; as it was `before` its data were corrected."""
    on = stage(SCENARIOS[scenario] + (f"{BALANCED}{BEFORE}" if before else ""))
    s = State(on)
    s.turn, s.phasing = turn, on.first
    for u in range(len(s.at)):
        s.at[u] = SPARE
    s.stack = [TurnAt(F_TURN, 0)]
    return s


def U(s: State, name: str) -> int:
    return s.stage.roster.index[name]


def H(s: State, name: str) -> int:
    return s.stage.field.hex(name)


def G(s: State, name: str) -> int:
    """A hex in the numbers of actions."""
    return s.stage.out[s.stage.field.hex(name)]


def lay(s: State, name: str, hex: str) -> int:
    u = U(s, name)
    put(s, u, H(s, hex))
    return u


@contextmanager
def covered(s: State, h: int, terrain: str) -> Iterator[None]:
    """A hex of the scenario's own map with another terrain, and what entering the map costs worked out anew."""
    field = s.stage.field
    field.terrain[h], old = terrain, field.terrain[h]
    forget(offboard_price)
    try:
        yield
    finally:
        field.terrain[h] = old
        forget(offboard_price)


def until(s: State, word: int) -> None:
    """Passes on, by the verbs that end a part of a turn, until something can be done."""
    turns = (verbs.END_RALLY, verbs.END_FIRE, verbs.HOLD, verbs.END_ROUTS, verbs.END_ADVANCE, verbs.END_MOVES)
    ends = (*turns, verbs.END_BORES, verbs.NO_CALL)
    for _ in range(200):
        if GAME.is_chance(s):  # the wind, say
            GAME.apply(s, GAME.roll(s, lambda sides: min(sides, 4)).action)
            continue
        legal = GAME.legal(s)
        if any(action[0] == word for action in legal):
            return
        GAME.apply(s, next(action for action in legal if action[0] in ends))
    raise AssertionError("it never came to that")


def refusal(s: State, *action: int) -> str:
    reason = GAME.why_not(s, tuple(action))
    return reason.rule if reason is not None else ""


def acts(s: State, word: int) -> list[Action]:
    return [action for action in GAME.legal(s) if action[0] == word]
