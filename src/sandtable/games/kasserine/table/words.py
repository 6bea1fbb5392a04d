"""Names for numbers: in actions, events and sentences."""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, numbers
from sandtable.engine.texts.words import Words

from .board import Board
from .ids import ASSAULT, CHECKS, CRTS, PHASES, SHOWS, SIDES, WEATHERS
from .verbs import verb

SUPPLY_WORDS = ("in supply", "in Emergency Supply", "out of supply")
WEATHER_WORDS = ("dry", "cloudy", "rain", "lingering mud")
CHECK_WORDS = ("Artillery", "Ground", "Air")
CRT_WORDS = ("assault", "mobile")
SHOWN_WORDS = ("full strength", "reduced")
REACTION_WORDS = ("avoid combat", "reaction movement", "No Retreat")


def make_codec(board: Board) -> Codec:
    """The notation of actions."""
    hexes = tuple(board.grid.names[h] if board.grid.all >> h & 1 else "" for h in range(board.size))
    return verb.codec(
        {
            "unit": Kind("unit", board.units),
            "hex": Kind("hex", hexes),
            "entry": Kind("entry", board.entry_letters),
            "die": Kind("die", ("", *(str(face) for face in range(1, 11)))),
            "value": numbers("value", 3),
            "ratio": Kind("ratio", board.charts.crts[ASSAULT].columns),
        }
    )


def make_words(board: Board) -> Words:
    """The names that events and sentences use."""
    return board.words(
        SIDES,
        lambda h: f"{board.grid.names[h]} {board.names[h]}".strip(),
        tables={
            "phase": PHASES,
            "weather": WEATHERS,
            "check": CHECKS,
            "crt": CRTS,
            "shows": SHOWS,
            "supply": SUPPLY_WORDS,
            "kind": REACTION_WORDS,
            "entry": board.entry_letters,
            "ratio": board.charts.crts[ASSAULT].columns,
        },
        phrases={"weather": WEATHER_WORDS, "check": CHECK_WORDS, "crt": CRT_WORDS, "shows": SHOWN_WORDS},
    )
