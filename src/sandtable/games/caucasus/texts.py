"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Action

from .board import Board
from .ids import (
    REPLACEMENTS,
    SUPPORTS,
    V_ACCEPT,
    V_ADVANCE,
    V_ASSAULT,
    V_ATTACK,
    V_CADRE,
    V_CHARGE,
    V_COMMIT,
    V_CORPS,
    V_CRUSH,
    V_DELAY,
    V_DONE,
    V_DREW,
    V_DREW_NONE,
    V_DROP,
    V_END_ATTACKS,
    V_END_MOVES,
    V_ENTER,
    V_HALT,
    V_JOIN,
    V_LAND,
    V_LEAD,
    V_LOSE,
    V_MERGE,
    V_MOVE,
    V_NO_CORPS,
    V_PICK,
    V_PLACE,
    V_RAID,
    V_RAIL,
    V_READY,
    V_REBUILD,
    V_REMOVE,
    V_ROLLED,
    V_SHIFT,
    V_SHIP,
    V_STAY,
    V_STORM,
    V_SUPPLY,
    V_SUPPORT,
    V_TO,
    V_TYPE,
    V_YIELD,
)
from .state import State
from .words import named

if TYPE_CHECKING:
    from .game import Caucasus

U, H, R = "unit", "hex", "replacement"

# Verb -> what its arguments are, and the sentence
LABELS: dict[int, tuple[tuple[str, ...], str]] = {
    V_PLACE: ((U, H), "Place {0} at {1}"),
    V_ACCEPT: ((), "Accept the suggested set-up for the rest"),
    V_DELAY: ((), "No more arrivals this turn"),
    V_TYPE: ((R,), "Take {0}"),
    V_CADRE: ((U,), "Bring {0} out of the Cadre Box"),
    V_CORPS: ((H,), "Place the 4th Guards Cavalry Corps at {0}"),
    V_NO_CORPS: ((), "Keep the 4th Guards Cavalry Corps marker back"),
    V_MOVE: ((U,), "Move {0}"),
    V_TO: ((H,), "To {0}"),
    V_CHARGE: ((H,), "To {0}, ready to assault"),
    V_RAIL: ((H,), "By rail to {0}"),
    V_SHIP: ((H, "air"), "By sea to {0}{1}"),
    V_LAND: ((H,), "Land at {0}"),
    V_REMOVE: ((U,), "Take {0} off the map until next turn"),
    V_ASSAULT: ((U,), "{0} stands, ready to assault"),
    V_RAID: ((U,), "A mobile stack with {0}"),
    V_PICK: ((U,), "Pick {0} up"),
    V_STORM: ((H,), "Mobile assault on {0}"),
    V_ENTER: ((), "Enter the cleared hex"),
    V_STAY: ((), "Stay outside"),
    V_READY: ((), "Ready to assault"),
    V_HALT: ((), "Halt here"),
    V_REBUILD: ((U, R), "Rebuild {0} with {1}"),
    V_MERGE: ((U, U), "Merge {1} into {0}"),
    V_CRUSH: ((H,), "Automatic elimination at {0}"),
    V_END_MOVES: ((), "End movement"),
    V_ATTACK: ((H,), "Attack {0}"),
    V_JOIN: ((U,), "{0} takes part"),
    V_SHIFT: ((U,), "{0} takes part for its shift"),
    V_COMMIT: ((), "Attack with these"),
    V_SUPPORT: (("marker",), "{0}"),
    V_END_ATTACKS: ((), "End combat"),
    V_LOSE: ((U,), "{0} loses a step"),
    V_LEAD: ((U,), "Determined Defence led by {0}"),
    V_YIELD: ((), "Retreat"),
    V_ADVANCE: ((U, H), "{0} advances to {1}"),
    V_DONE: ((), "No more advance"),
    V_DROP: ((U,), "Give {0} up: too many in the hex"),
    V_SUPPLY: ((U,), "The port supplies {0}"),
    V_ROLLED: (("number",), "Rolled {0}"),
    V_DREW: ((U,), "Drew {0}"),
    V_DREW_NONE: ((), "Drew a None chit"),
}

MARKERS = {
    "AX-VIII": "VIII Air Corps",
    "AX-IV": "IV Air Corps",
    "SU-4VA": "4th Air Army",
    "SU-5VA": "5th Air Army",
    "SU-BSF": "Black Sea Fleet",
    "none": "No support",
}

TYPES = {
    "german_regular_infantry": "a German infantry replacement",
    "german_elite_infantry": "a German elite infantry replacement",
    "axis_allies": "an Axis allies replacement",
    "german_mechanised": "a German mechanised replacement",
    "soviet_infantry": "a Soviet infantry replacement",
    "soviet_cavalry": "a Soviet cavalry replacement",
}


def label(game: Caucasus, s: State, action: Action) -> str:
    """An action as a player would say it."""
    kinds, sentence = LABELS[action[0]]
    return sentence.format(*(_argument(s.board, k, v) for k, v in zip(kinds, action[1:], strict=True)))


def _argument(board: Board, kind: str, value: int) -> str:
    if kind == U:
        return board.unit_names[value]
    if kind == H:
        return hex_words(board, value)
    if kind == R:
        return TYPES[REPLACEMENTS[value]]
    if kind == "marker":
        return MARKERS[SUPPORTS[value]]
    if kind == "air":
        return f" with {'air cover' if value == 1 else 'air cover at both ports'}" if value else ""
    return str(value)


def hex_words(board: Board, h: int) -> str:
    """A hex as a player names it: Maikop (2333), or 1432."""
    number = board.grid.names[h]
    return f"{board.names[h]} ({number})" if board.names[h] else number


Line = Callable[[Mapping[str, Any]], str]

LINES: dict[str, Line] = {
    "turn": lambda w: f"Turn {w['turn']}: {w['dates']}",
    "phase": lambda w: str(w["phase"]).replace("_", " ").capitalize(),
    "winter": lambda w: "Winter: passes closed but the Krestovy, seasonal marsh is marsh",
    "control": lambda w: f"{w['side']} takes {w['hex']}: {w['vp']} VP",
    "fleet_gone": lambda w: "Poti has fallen: the Black Sea Fleet is out of the game",
    "corps_gone": lambda w: "The 4th Guards Cavalry Corps is no more",
    "eliminated": lambda w: f"{w['unit']} is eliminated" + (" and returns" if w.get("box") == "returning" else ""),
    "step_lost": lambda w: f"{w['unit']} loses a step: {w['shows']}",
}


def describe(board: Board, seen: Mapping[str, Any]) -> str:
    """One log line for an event."""
    return LINES[seen["event"]](named(board, seen))
