"""The words for numbers: the codec of actions, and the names in events."""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.words import Words

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
            Verb("event"),
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
            Verb("sit-out", (unit,)),
            Verb("rolled", (("number", count),)),
            Verb("pair", (("first", numbers("die", 7)), ("second", numbers("die", 7)))),
            Verb("hits", (("number", count),)),
        ]
    )


def make_words(board: Board) -> Words:
    """Names for the numbers in events."""
    return Words(
        board.grid,
        board.units,
        sides=SIDES,
        unit_names=board.unit_names,
        hex_name=board.hex_name,
        tables={
            "box": BOXES,
            "shows": SHOWS,
            "asset": ASSETS,
            "resource": RESOURCES,
            "mode": MODES,
            "port": board.port_ids,
            "fight": FIGHTS,
        },
        unit_keys=("unit", "lead", "other", "truck"),
    )
