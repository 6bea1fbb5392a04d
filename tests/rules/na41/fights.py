"""Fights for the rule tests: two stacks in flat desert, and what they are worth against each other.

The field is flat, without roads or slopes; a German and a Czech battalion face each other far away, so that the
Combat Phase goes on when the fight is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Event, Odds
from sandtable.games.na41.combat.effects import LOSSES
from sandtable.games.na41.combat.results import RESULTS, cell, column_cells
from sandtable.games.na41.combat.strengths import Reckoning, reckon
from sandtable.games.na41.table.ids import COMBAT, F_COMBAT, F_MOVES, F_RESULT, F_ROLL
from sandtable.games.na41.table.state import State
from sandtable.mechanics.fights.odds import rung_name

from .kit import GAME, H, do, empty, place, start, texts, units

FIELD = "1945"
WEST, EAST, NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST = "1944", "1946", "2044", "2045", "1844", "1845"
AXIS_WATCH, ALLIED_WATCH = "1503", "1504"

Names = str | Sequence[str]


def combat(active: str = "axis", turn: int = 7) -> State:
    """A Combat Phase with nothing in it but the two onlookers; nobody has air superiority on turn 7.

    Rommel has been used.
    """
    s = empty(active, "combat", turn=turn)
    s.rommel = 0
    place(s, "GE_OASIS", AXIS_WATCH)
    place(s, "CZ_11", ALLIED_WATCH)
    return s


def field(ours: Names, theirs: Names, active: str = "axis", turn: int = 7) -> State:
    """Our stack west of the field, theirs in it."""
    s = combat(active, turn)
    place(s, ours, WEST)
    place(s, theirs, FIELD)
    return s


def of(s: State, *attackers: str, hex_: str = FIELD, supplied: bool = True, fight: int = COMBAT) -> Reckoning:
    """The strengths and columns of an attack."""
    return reckon(s, fight, H(hex_), units(*attackers), supplied)


def shifts(found: Reckoning) -> dict[str, int]:
    """The shifts of a fight, by rule."""
    return {push.rule: push.value for push in found.pushes}


def begin(s: State) -> list[Event]:
    """The Combat Phase, with a Movement Phase under it."""
    return start(s, (F_MOVES,), (F_COMBAT,))


def attack(s: State, *joining: str, hex_: str = FIELD) -> list[Event]:
    """Attack a hex with these units; the declarations are next."""
    if not s.stack:
        begin(s)
    events = do(s, f"attack {hex_}")
    for name in joining:
        if f"join {name}" in texts(s):
            events += do(s, f"join {name}")
    if "commit" in texts(s):
        events += do(s, "commit")
    told = [event.data["attackers"] for event in events if event.kind == "combat"]
    fighting = sum(1 << u for u in told[0]) if told else s.fight.attackers
    assert fighting == units(*joining), "somebody else joined, or could not"
    return events


def decline(s: State) -> list[Event]:
    """Say no to every supply and support that is offered."""
    events: list[Event] = []
    while True:
        no = [text for text in texts(s) if text in ("no-supply", "no-artillery", "air none")]
        if not no:
            return events
        events += do(s, no[0])


def face_for(s: State, result: str) -> int:
    """The die that gives this result in the column of the fight under way."""
    for face, number in enumerate(column_cells(s.board, s.fight.column), 1):
        if RESULTS[number // 3] == result:
            return face
    raise AssertionError(f"{result} is not in the column {rung_name(s.fight.column)}")


def force(s: State, result: str) -> list[Event]:
    """Let the fight under way come to this result ("DR4 o": in orange) instead of rolling."""
    decline(s)
    assert s.stack[-1][0] == F_ROLL
    s.fight.die = 3
    s.fight.result = cell(result)
    s.stack[-1] = GAME.framed((F_RESULT, LOSSES))
    s.events = []
    s.choices = None
    GAME.settle(s)
    return s.events


def give_way(s: State) -> list[Event]:
    """The defenders do not stand, and retreat on the first way that is offered."""
    events: list[Event] = []
    while texts(s)[0].split()[0] in ("lead", "to", "halt") or "no-carry" in texts(s):
        choices = texts(s)
        first = next((text for text in ("yield", "no-carry", "halt") if text in choices), choices[0])
        events += do(s, first)
    return events


def panel(s: State, action: str) -> Odds:
    """The odds panel of a legal action."""
    found = GAME.odds(s, GAME.parse(action))
    assert found is not None
    return found
