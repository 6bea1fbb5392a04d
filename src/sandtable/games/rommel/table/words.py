"""The names of the numbers in events and texts."""

from __future__ import annotations

from sandtable.engine.texts.text import term
from sandtable.engine.texts.words import Words

from .board import Board
from .ids import CARDS, CLASSES, DIRS, OPTIONS, SIDES

OPTION_LABELS = (term("Basic"), term("Offensive"), term("Assault"), term("Blitz"), term("Pass"))

SIDE_WORDS = ("east", "northeast", "northwest", "west", "southwest", "southeast", "-")


def make_words(board: Board) -> Words:
    """Names for numbers, by the key they stand under."""
    in_lists = [f"{board.hex_name(h)} ({board.grid.names[h]})" for h in range(board.size)]
    return board.words(
        SIDES,
        in_lists.__getitem__,
        tables={
            "defender": SIDES,
            "attacker": SIDES,
            "cls": CLASSES,
            "class": CLASSES,
            "card": CARDS,
            "via": DIRS,
            "option": OPTIONS,
            "fortress": board.fortress_names,
        },
        phrases={"via": SIDE_WORDS},
        labels={"option": OPTION_LABELS, "other": in_lists},
        unit_keys=("unit",),
        units_keys=("units",),
    )
