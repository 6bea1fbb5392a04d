"""The words for numbers: the codec of actions, and the names in events."""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.words import Words

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


def make_words(board: Board) -> Words:
    """Names for the numbers in events."""
    return Words(
        board.grid,
        board.units,
        sides=SIDES,
        unit_names=board.unit_names,
        hex_name=board.hex_name,
        tables={
            "defender": SIDES,
            "attacker": SIDES,
            "cls": CLASSES,
            "via": DIRS,
            "option": OPTIONS,
            "fortress": board.fortress_names,
        },
        unit_keys=("unit",),
        units_keys=("units",),
    )
