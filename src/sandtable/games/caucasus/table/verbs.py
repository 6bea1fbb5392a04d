"""The verbs of the game: what each is called, what it is done with, and what part it plays at the table."""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, numbers
from sandtable.engine.texts.text import term
from sandtable.engine.texts.verbs import Vocabulary
from sandtable.engine.texts.words import Words

from .board import Board
from .ids import BOXES, FIGHTS, REPLACEMENTS, SHOWS, SIDES, SUPPORTS

TYPES = (
    term("a German infantry replacement"),
    term("a German elite infantry replacement"),
    term("an Axis allies replacement"),
    term("a German mechanised replacement"),
    term("a Soviet infantry replacement"),
    term("a Soviet cavalry replacement"),
)
"""ids.REPLACEMENTS in words."""

MARKERS = (
    term("VIII Air Corps"),
    term("IV Air Corps"),
    term("4th Air Army"),
    term("5th Air Army"),
    term("Black Sea Fleet"),
    term("No support"),
)
"""ids.SUPPORTS in words."""

verb = Vocabulary()

# 20, 4: set-up and the Initial Phases; PLACE wherever a counter is laid into a hex
PLACE = verb("place", "Place {unit} at {hex}", unit="unit", hex="hex")
ACCEPT = verb("accept", "Accept the suggested set-up for the rest")  # 20.2a
DELAY = verb("delay", "No more arrivals this turn")  # 4.1g
TYPE = verb("type", "Take {type}", type="type")  # 4.5e, 4.6
CADRE = verb("cadre", "Bring {unit} out of the Cadre Box", unit="unit", role="ends")  # 4.5g
CORPS = verb("corps", "Place the 4th Guards Cavalry Corps at {hex}", hex="hex")  # 15.7a
NO_CORPS = verb("no-corps", "Keep the 4th Guards Cavalry Corps marker back")

# 7, 13, 15.1, 17, 18: the movement phases; TO is a retreat's next hex too
MOVE = verb("move", "Move {unit}", unit="unit")  # 7.1
TO = verb("to", "To {hex}", hex="hex")
CHARGE = verb("charge", "To {hex}, ready to assault", hex="hex")  # 7.3d
RAIL = verb("rail", "By rail to {hex}", hex="hex")  # 7.22i
SHIP = verb(  # 7.22d, 16.14
    "ship",
    {
        0: "By sea to {hex}",
        1: "By sea to {hex} with air cover",
        2: "By sea to {hex} with air cover at both ports",
    },
    hex="hex",
    air="air",
)
LAND = verb("land", "Land at {hex}", hex="hex")  # 16.23a
REMOVE = verb("remove", "Take {unit} off the map until next turn", unit="unit", role="aside ends")  # 15.1g
ASSAULT = verb("assault", "{unit} stands, ready to assault", unit="unit", role="ends")  # 7.3e
RAID = verb("raid", "A mobile stack with {unit}", unit="unit")  # 13.1
PICK = verb("pick", "Pick {unit} up", unit="unit")  # 13.1c
STORM = verb("storm", "Mobile assault on {hex}", hex="hex")  # 13.1e
ENTER = verb("enter", "Enter the cleared hex")  # 13.1l
STAY = verb("stay", "Stay outside")
READY = verb("ready", "Ready to assault")  # 13.1l, 7.3d
HALT = verb("halt", "Halt here")
REBUILD = verb("rebuild", "Rebuild {unit} with {type}", unit="unit", type="type", role="aside ends")  # 17.2a
MERGE = verb("merge", "Merge {other} into {unit}", unit="unit", other="unit", role="aside ends")  # 18.1
CRUSH = verb("crush", "Automatic elimination at {hex}", hex="hex", role="musters")  # 8.5b
END_MOVES = verb("end-moves", "End movement")

# 8 to 12: combat
ATTACK = verb("attack", "Attack {hex}", hex="hex", role="musters")  # 8.1a
JOIN = verb("join", "{unit} takes part", unit="unit", role="gathers")  # 8.2
SHIFT = verb("shift", "{unit} takes part for its shift", unit="unit")  # 15.2a
COMMIT = verb("commit", "Attack with these")  # 8.2
SUPPORT = verb("support", dict(enumerate(MARKERS)), marker="marker")  # 8.3b, 10.4g
END_ATTACKS = verb("end-attacks", "End combat")  # 8.1a
LOSE = verb("lose", "{unit} loses a step", unit="unit", role="ends")  # 10.2
LEAD = verb("lead", "Determined Defence led by {unit}", unit="unit", role="ends")  # 10.4d
YIELD = verb("yield", "Retreat")  # 10.4
ADVANCE = verb("advance", "{unit} advances to {hex}", unit="unit", hex="hex")  # 12.1
DONE = verb("done", "No more advance")
DROP = verb("drop", "Give {unit} up", unit="unit", role="ends")  # 5.2c
SUPPLY = verb("supply", "The port supplies {unit}", unit="unit", role="ends")  # 14.22c

# Chance
ROLLED = verb("rolled", "Rolled {number}", number="number", role="chance")
DREW = verb("drew", "Drew {unit}", unit="unit", role="chance")  # 4.4b
DREW_NONE = verb("drew-none", "Drew a None chit", role="chance")  # 4.4i


def make_codec(board: Board) -> Codec:
    """The notation of actions on this board."""
    return verb.codec(
        {
            "unit": Kind("unit", board.units),
            "hex": Kind("hex", board.grid.names),
            "type": Kind("replacement", REPLACEMENTS),
            "marker": Kind("support marker", SUPPORTS),
            "air": numbers("number of air markers", 3),
            "number": numbers("number", 7),
        }
    )


def make_words(board: Board) -> Words:
    """Names for the numbers in events and texts."""
    return board.words(
        SIDES,
        tables={"box": BOXES, "shows": SHOWS, "support": SUPPORTS, "type": REPLACEMENTS, "fight": FIGHTS},
        phrases={"type": TYPES, "support": MARKERS, "marker": MARKERS},
    )
