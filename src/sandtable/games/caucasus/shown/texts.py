"""Actions and events in the words of a calm staff officer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import Action
from sandtable.engine.words import count
from sandtable.mechanics.telling import SHARED_LINES, Line

from ..table.board import Board
from ..table.ids import (
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
from ..table.state import State

if TYPE_CHECKING:
    from ..game import Caucasus

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
    V_DROP: ((U,), "Give {0} up"),
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


def _points(mp: Any) -> str:
    return f" for {mp:g} MP" if mp else ""


def _fight(w: Mapping[str, Any]) -> str:
    kind = {"combat": "attacks", "mobile_assault": "storms", "automatic_elimination": "overwhelms"}[w["fight"]]
    shift = f", shifted {w['shift']:+d}" if w["shift"] else ""
    odds = f"{w['attack']} to {w['defence']} is {w['odds']}{shift}: {w['column']}"
    return f"{w['side']} {kind} {w['hex']} with {w['attackers']}. {odds}"


def _defence(w: Mapping[str, Any]) -> str:
    modified = f" {w['drm']:+d}" if w["drm"] else ""
    held = "holds" if w["holds"] else "fails"
    return f"Determined Defence at {w['hex']} led by {w['lead']}: rolled {w['die']}{modified}, it {held}"


def _supply(w: Mapping[str, Any]) -> str:
    parts = [f"{w['full']} in full supply"]
    if w["limited"]:
        parts.append(f"{len(w['limited'])} in limited supply")
    if w["out"]:
        parts.append(f"{len(w['out'])} out of supply")
    return f"{w['side']} supply: {', '.join(parts)}"


def _replacement(w: Mapping[str, Any]) -> str:
    got = TYPES[w["type"]]
    return f"{w['side']}: {got} is lost, three are held" if w["lost"] else f"{w['side']} receives {got}"


def _attrition(w: Mapping[str, Any]) -> str:
    modified = f" {w['drm']:+d}" if w["drm"] else ""
    return f"{w['unit']} is isolated: rolled {w['die']}{modified}, " + ("a step is lost" if w["lost"] else "no loss")


# Tables whose result is an arrival (15.2b, 4.2h, 4.2d) and the others
ROLLS_FOR = {"brandenburg": "the Brandenburg battalion", "eastern": "an Eastern unit", "alpini": "the Alpini Corps"}


def _table(w: Mapping[str, Any]) -> str:
    result = str(w["result"]).replace("_", " ")
    if w["table"] not in ROLLS_FOR:
        return f"{w['side']} rolls {w['die']} on the {w['table']} table: {result}"
    when = "this turn" if w["table"] == "alpini" else f"on turn {w['turn']}" if "turn" in w else ""
    outcome = f"it arrives {when}" if result == "arrives" else "it never arrives"
    return f"{w['side']} rolls {w['die']} for {ROLLS_FOR[w['table']]}: {outcome}"


def _marker(w: Mapping[str, Any]) -> str:
    return MARKERS[w["support"]]


def _check(w: Mapping[str, Any]) -> str:
    par = f", par {w['par']}" if w.get("par", -1) is not None and w.get("par", -1) >= 0 else ""
    return f"End of turn {w['turn']}: the Axis has {w['vp']} VP{par}"


BOX_WORDS = {
    "cadre": ", into the Cadre Box",
    "removed": ", out of the game",
    "returning": " and returns next turn",
}

LINES: dict[str, Line] = {
    **SHARED_LINES,
    "turn": lambda w: f"Turn {w['turn']}: {w['dates']}",
    "winter": lambda w: "Winter: passes closed but the Krestovy, seasonal marsh is marsh",
    "set_up": lambda w: f"{w['unit']} is set up at {w['hex']}",
    "arrived": lambda w: f"{w['unit']} arrives at {w['hex']}",
    "alpini_level": lambda w: "The Alpini Corps has come: the Axis needs 20 VP",
    "delayed": lambda w: f"{w['side']} waits with {w['units']}",
    "drew": lambda w: f"Drawn from the cup: {w['unit']}",
    "drew_none": lambda w: "Drawn from the cup: none",
    "lost": lambda w: f"No place for {w['unit']}: it goes to the Cadre Box",
    "called_up": lambda w: f"{w['unit']} is called up" + (" to the East Caspian box" if "box" in w else ""),
    "air": lambda w: f"{_marker(w)} " + ("joins" if w["available"] else "leaves"),
    "withdrawn": lambda w: f"{w['unit']} is withdrawn" + (": no replacement roll this turn" if w["penalty"] else ""),
    "eastern_formed": lambda w: "The Axis forms the Eastern units",
    "table": _table,
    "no_effect": lambda w: "No effect",
    "fleet": lambda w: f"The Black Sea Fleet is ready: {count(w['ready'], 'marker')}",
    "corps": lambda w: f"The 4th Guards Cavalry Corps forms at {w['hex']}",
    "replacement": _replacement,
    "rebuilt": lambda w: f"{w['unit']} is rebuilt at {w['hex']}: {w['shows']}",
    "merged": lambda w: f"{w['other']} is merged into {w['unit']} at {w['hex']}",
    "moved": lambda w: f"{w['unit']} moves from {w['from']} to {w['to']}{_points(w.get('mp'))}",
    "railed": lambda w: f"{w['unit']} goes by rail from {w['from']} to {w['to']}",
    "shipped": lambda w: f"{w['unit']} goes by sea from {w['from']} to {w['to']}",
    "air_cover": lambda w: f"{_marker(w)} covers {w['unit']}",
    "landed": lambda w: f"{w['unit']} lands at {w['to']}",
    "removed": lambda w: f"{w['unit']} leaves {w['hex']} and returns on turn {w['turn']}",
    "assault": lambda w: f"{w['unit']} makes ready to assault from {w['hex']}",
    "picked_up": lambda w: f"{w['unit']} joins the stack at {w['hex']}",
    "mobile_assault": lambda w: f"{w['units']} storm {w['hex']}",
    "entered": lambda w: f"{w['units']} enter {w['hex']}",
    "support": lambda w: f"{_marker(w)} supports the fight at {w['hex']}",
    "combat": _fight,
    "combat_result": lambda w: f"Rolled {w['die']} at {w['column']}: {w['result']}",
    "withdrew": lambda w: f"{w['unit']} slips away",
    "determined_defence": _defence,
    "eliminated": lambda w: f"{w['unit']} is eliminated{BOX_WORDS.get(w['box'], '')}",
    "one_hex_retreat": lambda w: f"{w['unit']} stops at {w['hex']}",
    "control": lambda w: f"{w['side']} takes {w['hex']}: {w['vp']} VP",
    "fleet_gone": lambda w: "Poti has fallen: the Black Sea Fleet is out of the game",
    "corps_gone": lambda w: "The 4th Guards Cavalry Corps is no more",
    "supply": _supply,
    "azov_ports": lambda w: "The Azov ports supply again" if w["open"] else "Temryuk is cut off: no Azov port supplies",
    "attrition": _attrition,
    "recovered": lambda w: f"{w['side']} recovers: {w['units']}",
    "victory_check": _check,
    "game_over": lambda w: f"{w['winner']} wins with {w['vp']} VP: {w['level']}",
}
