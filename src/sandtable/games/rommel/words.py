"""The words for numbers: the codec of actions, and events as a player reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.contract import Event

from .board import Board
from .ids import CARDS, CLASSES, DIRS, OPTIONS, SIDES


def make_codec(board: Board) -> Codec:
    """The verbs of ids.py, in that order."""
    unit = Kind("unit", board.units)
    hex_ = Kind("hex", board.grid.names)
    via = Kind("hexside", DIRS)
    card = Kind("card", CARDS)
    flag = numbers("yes or no (1 or 0)", 2)
    count = numbers("number", 200)
    return Codec(
        [
            Verb("place", (("unit", unit), ("hex", hex_))),
            Verb("accept"),
            Verb("challenge", (("card", card),)),
            Verb("no-challenge"),
            Verb("answer", (("card", card),)),
            Verb("no-answer"),
            Verb("supply", (("unit", unit),)),
            Verb("oasis", (("unit", unit),)),
            Verb("assigned"),
            Verb("option", (("option", Kind("turn option", OPTIONS[:4])), ("dummies", numbers("number", 17)))),
            Verb("pass"),
            Verb("group", (("hex", hex_), ("rommel", flag))),
            Verb("regroup", (("hex", hex_), ("rommel", flag))),
            Verb("gather", (("hex", hex_),)),
            Verb("move", (("unit", unit),)),
            Verb("to", (("hex", hex_), ("via", via))),
            Verb("exit", (("hex", hex_),)),
            Verb("join", (("unit", unit), ("via", via))),
            Verb("rout", (("hex", hex_),)),
            Verb("end-move"),
            Verb("abandon"),
            Verb("end-moves"),
            Verb("march", (("unit", unit), ("hex", hex_), ("via", via))),
            Verb("marches"),
            Verb("probe", (("hex", hex_),)),
            Verb("no-probe", (("hex", hex_),)),
            Verb("stand", (("hex", hex_),)),
            Verb("avoid", (("hex", hex_),)),
            Verb("fight", (("hex", hex_),)),
            Verb("assault", (("hex", hex_),)),
            Verb("declared"),
            Verb("resolve", (("hex", hex_),)),
            Verb("fire", (("unit", unit), ("class", Kind("class", CLASSES)))),
            Verb("lose", (("unit", unit),)),
            Verb("arrive", (("unit", unit),)),
            Verb("hold", (("unit", unit),)),
            Verb("redeploy", (("unit", unit),)),
            Verb("ship", (("unit", unit),)),
            Verb("port", (("hex", hex_),)),
            Verb("refit", (("unit", unit),)),
            Verb("rebuild", (("unit", unit),)),
            Verb("mine", (("hex", hex_),)),
            Verb("lift", (("hex", hex_), ("other", hex_))),
            Verb("buy"),
            Verb("spent"),
            Verb("give", (("card", card),)),
            Verb("keep"),
            Verb("rolled", (("number", count),)),
            Verb("hits", (("number", count),)),
            Verb("dealt", (("number", count),)),
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
    if key == "unit":
        return board.units[value]
    if key == "units":
        return [board.units[u] for u in value]
    if key in ("hex", "from", "to"):
        return board.grid.names[value] if value >= 0 else "off map"
    if key in ("hexes", "path"):
        return [board.grid.names[h] for h in value]
    if key in ("side", "winner", "defender", "attacker"):
        return SIDES[value] if value >= 0 else ""
    if key == "cls":
        return CLASSES[value]
    if key == "via":
        return DIRS[value]
    if key == "option":
        return OPTIONS[value] if value >= 0 else ""
    if key == "fortress":
        return board.fortress_names[value]
    return value


def place_name(board: Board, number: str) -> str:
    """A hex by its book name, for log lines."""
    h = board.grid.index.get(number)
    return board.hex_name(h) if h is not None else number


def unit_name(board: Board, ident: str) -> str:
    u = board.unit_index.get(ident)
    return board.unit_names[u] if u is not None else ident


def named(board: Board, seen: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an event in words for a sentence: unit and hex names, numbers of things."""
    words: dict[str, Any] = dict(seen)
    for key, value in seen.items():
        if key in ("hex", "from", "to") and isinstance(value, str):
            words[key] = place_name(board, value)
        elif key == "hexes":
            words[key] = ", ".join(place_name(board, v) for v in value)
        elif key == "unit":
            words[key] = unit_name(board, value)
        elif key == "units":
            words[key] = ", ".join(unit_name(board, v) for v in value)
        elif key in ("side", "winner"):
            words[key] = str(value).capitalize()
    return words
