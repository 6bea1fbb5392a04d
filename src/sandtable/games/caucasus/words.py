"""The words for numbers: the codec of actions, and events as a player reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.contract import Event

from .board import Board
from .ids import BOXES, FIGHTS, REPLACEMENTS, SHOWS, SIDES, SUPPORTS


def make_codec(board: Board) -> Codec:
    """The verbs of ids.py, in that order."""
    unit = ("unit", Kind("unit", board.units))
    hex_ = ("hex", Kind("hex", board.grid.names))
    type_ = ("type", Kind("replacement", REPLACEMENTS))
    marker = ("marker", Kind("support marker", SUPPORTS))
    return Codec(
        [
            Verb("place", (unit, hex_)),
            Verb("accept"),
            Verb("delay"),
            Verb("type", (type_,)),
            Verb("cadre", (unit,)),
            Verb("corps", (hex_,)),
            Verb("no-corps"),
            Verb("move", (unit,)),
            Verb("to", (hex_,)),
            Verb("charge", (hex_,)),
            Verb("rail", (hex_,)),
            Verb("ship", (hex_, ("air", numbers("number of air markers", 3)))),
            Verb("land", (hex_,)),
            Verb("remove", (unit,)),
            Verb("assault", (unit,)),
            Verb("raid", (unit,)),
            Verb("pick", (unit,)),
            Verb("storm", (hex_,)),
            Verb("enter"),
            Verb("stay"),
            Verb("ready"),
            Verb("halt"),
            Verb("rebuild", (unit, type_)),
            Verb("merge", (unit, ("other", unit[1]))),
            Verb("crush", (hex_,)),
            Verb("end-moves"),
            Verb("attack", (hex_,)),
            Verb("join", (unit,)),
            Verb("shift", (unit,)),
            Verb("commit"),
            Verb("support", (marker,)),
            Verb("end-attacks"),
            Verb("lose", (unit,)),
            Verb("lead", (unit,)),
            Verb("yield"),
            Verb("advance", (unit, hex_)),
            Verb("done"),
            Verb("drop", (unit,)),
            Verb("supply", (unit,)),
            Verb("rolled", (("number", numbers("number", 7)),)),
            Verb("drew", (unit,)),
            Verb("drew-none"),
        ]
    )


def event_words(board: Board, event: Event, side: int) -> dict[str, Any] | None:
    """An event as one side sees it, names for numbers; None if it sees nothing of it."""
    seen = event.seen_by(side)
    if seen is None:
        return None
    out: dict[str, Any] = {"event": event.kind, "rule": event.rule}
    for key, value in seen.items():
        out[key] = _word(board, key, value)
    return out


def _word(board: Board, key: str, value: Any) -> Any:
    """The name of a number, by the key it stands under."""
    if value is None:
        return None
    if key in ("unit", "lead", "other"):
        return board.units[value] if value >= 0 else ""
    if key in ("units", "attackers", "defenders"):
        return [board.units[u] for u in value]
    if key in ("hex", "from", "to"):
        return board.grid.names[value] if value >= 0 else "off map"
    if key in ("hexes", "path"):
        return [board.grid.names[h] for h in value]
    if key in ("side", "winner"):
        return SIDES[value] if value >= 0 else ""
    if key == "box":
        return BOXES[value]
    if key == "shows":
        return SHOWS[value]
    if key == "support":
        return SUPPORTS[value]
    if key == "type":
        return REPLACEMENTS[value]
    if key == "fight":
        return FIGHTS[value]
    return value


def place_name(board: Board, number: str) -> str:
    """A hex by its name on the map, for log lines."""
    h = board.grid.index.get(number)
    return board.hex_name(h) if h is not None else number


def unit_name(board: Board, ident: str) -> str:
    u = board.unit_index.get(ident)
    return board.unit_names[u] if u is not None else ident


def named(board: Board, seen: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an event in words for a sentence: unit and hex names."""
    words: dict[str, Any] = dict(seen)
    for key, value in seen.items():
        if key in ("hex", "from", "to") and isinstance(value, str):
            words[key] = place_name(board, value)
        elif key in ("hexes", "path"):
            words[key] = ", ".join(place_name(board, v) for v in value)
        elif key in ("unit", "lead", "other"):
            words[key] = unit_name(board, value)
        elif key in ("units", "attackers", "defenders"):
            words[key] = ", ".join(unit_name(board, v) for v in value)
        elif key in ("side", "winner"):
            words[key] = str(value).capitalize()
    return words
