"""The words for numbers: the codec of actions, and the names in events."""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.words import Words

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


def make_words(board: Board) -> Words:
    """Names for the numbers in events."""
    return Words(
        board.grid,
        board.units,
        sides=SIDES,
        unit_names=board.unit_names,
        hex_name=board.hex_name,
        tables={"box": BOXES, "shows": SHOWS, "support": SUPPORTS, "type": REPLACEMENTS, "fight": FIGHTS},
    )
