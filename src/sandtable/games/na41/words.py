"""The words for numbers: the codec of actions, and events as a player reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.contract import Event

from .board import Board
from .ids import ASSETS, BOXES, FIGHTS, MODES, RESOURCES, SHOWS, SIDES


def make_codec(board: Board) -> Codec:
    """The verbs of ids.py, in that order."""
    units = Kind("unit", board.units)
    places = Kind("hex or box", board.grid.names)
    ports = Kind("port", board.port_ids)
    unit, other = ("unit", units), ("other", units)
    place, from_ = ("hex", places), ("from", places)
    asset = ("asset", Kind("asset", ASSETS))
    marker = ("marker", numbers("delay marker", 7))
    count = numbers("number", 13)
    return Codec(
        [
            Verb("remove", (unit,)),
            Verb("upgrade", (unit, other)),
            Verb("give", (unit,)),
            Verb("convert", (unit,)),
            Verb("choose", (unit,)),
            Verb("put-off"),
            Verb("buy", (("resource", Kind("resource", RESOURCES)),)),
            Verb("take", (asset,)),
            Verb("bomb", (place,)),
            Verb("return", (unit,)),
            Verb("replace", (unit, other)),
            Verb("end-initial"),
            Verb("move", (unit,)),
            Verb("join", (unit,)),
            Verb("load", (unit,)),
            Verb("load-sp"),
            Verb("unload-sp"),
            Verb("rommel"),
            Verb("to", (place, ("mode", Kind("way of moving", MODES)))),
            Verb("leave", (unit,)),
            Verb("halt"),
            Verb("rail", (unit, place)),
            Verb("rail-sp", (from_, place)),
            Verb("transfer", (unit, place)),
            Verb("fly", (unit, place)),
            Verb("convoy", (("from", ports), ("to", ports))),
            Verb("ship", (unit,)),
            Verb("ship-sp"),
            Verb("sail"),
            Verb("on", (unit,)),
            Verb("sp-on"),
            Verb("crush", (place,)),
            Verb("fortify", (place,)),
            Verb("unfortify", (place,)),
            Verb("ready", (unit,)),
            Verb("destroy-sp", (place,)),
            Verb("surrender", (unit,)),
            Verb("flee", (unit,)),
            Verb("end-moves"),
            Verb("demolish", (("port", ports), ("dice", numbers("number of dice", 7)))),
            Verb("repair", (("port", ports),)),
            Verb("end-ports"),
            Verb("drop", (unit,)),
            Verb("attack", (place,)),
            Verb("commit"),
            Verb("supply-sp", (place,)),
            Verb("supply-asu", (unit,)),
            Verb("no-supply"),
            Verb("artillery", (unit,)),
            Verb("artillery-sp", (unit,)),
            Verb("no-artillery"),
            Verb("air", (asset,)),
            Verb("reroll"),
            Verb("accept"),
            Verb("lose", (unit,)),
            Verb("remnant"),
            Verb("no-remnant"),
            Verb("lead", (unit,)),
            Verb("desperate", (unit,)),
            Verb("yield"),
            Verb("carry", (unit, other)),
            Verb("no-carry"),
            Verb("group", (unit,)),
            Verb("grouped"),
            Verb("advance", (unit, place)),
            Verb("storm", (place,)),
            Verb("done"),
            Verb("disengage", (unit,)),
            Verb("end-combat"),
            Verb("free-sp", (place,)),
            Verb("capture", (unit,)),
            Verb("no-capture"),
            Verb("feed", (unit,)),
            Verb("end-supply"),
            Verb("delay", (marker, place)),
            Verb("strafe", (place,)),
            Verb("lrdg", (place,)),
            Verb("take-back", (marker,)),
            Verb("end-delay"),
            Verb("pay-sp", (place,)),
            Verb("deplete", (unit,)),
            Verb("rolled", (("number", count),)),
            Verb("pair", (("first", numbers("die", 7)), ("second", numbers("die", 7)))),
            Verb("hits", (("number", count),)),
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
    if key in ("unit", "lead", "other", "truck"):
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
    if key == "asset":
        return ASSETS[value]
    if key == "resource":
        return RESOURCES[value]
    if key == "mode":
        return MODES[value]
    if key == "port":
        return board.port_ids[value]
    if key == "fight":
        return FIGHTS[value]
    return value


def place_name(board: Board, number: str) -> str:
    """A hex or box by its name on the map, for log lines."""
    h = board.grid.index.get(number, board.grid.boxes.get(number, -1))
    return board.hex_name(h) if h >= 0 else number


def unit_name(board: Board, ident: str) -> str:
    u = board.unit_index.get(ident)
    return board.unit_names[u] if u is not None else ident


def named(board: Board, seen: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an event in words for a sentence: unit and place names."""
    words: dict[str, Any] = dict(seen)
    for key, value in seen.items():
        if key in ("hex", "from", "to") and isinstance(value, str):
            words[key] = place_name(board, value)
        elif key in ("hexes", "path"):
            words[key] = ", ".join(place_name(board, v) for v in value)
        elif key in ("unit", "lead", "other", "truck"):
            words[key] = unit_name(board, value)
        elif key in ("units", "attackers", "defenders"):
            words[key] = ", ".join(unit_name(board, v) for v in value)
        elif key in ("side", "winner"):
            words[key] = str(value).capitalize()
    return words
