"""The verbs of the game, each said once: its word, how a player would say it, and what it is done with.

Numbers go by the order, and trained networks know them: a new verb comes last.
"""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, numbers
from sandtable.engine.texts.verbs import Verb, Vocabulary

from .board import Board
from .ids import CARDS, CLASSES, DIRS, NO_DIR, OPTIONS

MOST = 200
"""More than any number of dice, hits or cards."""
DUMMIES = 17
SIDES_OF_A_HEX = range(NO_DIR)

verb = Vocabulary()

# 3 The sequence of play
PLACE = verb("place", "Place {unit} at {hex}", unit="unit", hex="hex")  # 3.0 free set-up
ACCEPT = verb("accept", "Accept the printed set-up for the rest")  # 3.0
CHALLENGE = verb("challenge", "Challenge with a {card} card", card="card")  # 3.3b
NO_CHALLENGE = verb("no-challenge", "Do not challenge")
ANSWER = verb("answer", "Answer with a {card} card", card="card")  # 3.3c
NO_ANSWER = verb("no-answer", "Do not answer")
SUPPLY = verb("supply", "Fortress supply for {unit}", unit="unit", role="ends")  # 13.3e
OASIS = verb("oasis", "Oasis supply for {unit}", unit="unit", role="ends")  # 15.1c
ASSIGNED = verb("assigned", "Assign no more")  # 13.3l
# 4 The turn option
OPTION = verb(
    "option",
    {
        **dict.fromkeys(range(DUMMIES), "{option} with {dummies} dummies"),
        0: "{option}",
        1: "{option} with a dummy",
    },
    option="option",
    dummies="dummies",
)
PASS = verb("pass", "Pass")  # 4.5
# 5 and 6 Moves
GROUP = verb(
    "group",
    {0: "Move the group at {hex}", 1: "Move the group at {hex}, led by Rommel"},
    hex="hex",
    rommel="flag",
)  # 5.1
REGROUP = verb(
    "regroup",
    {0: "Regroup around {hex}", 1: "Regroup around {hex}, led by Rommel"},
    hex="hex",
    rommel="flag",
)  # 5.2 the command point
GATHER = verb("gather", "Gather at {hex}", hex="hex")  # 5.2c the destination of a regroup move
MOVE = verb("move", "Move {unit}", unit="unit")  # 5.1c pick the unit to move
TO = verb(
    "to",
    {**dict.fromkeys(SIDES_OF_A_HEX, "To {hex} by the {via} side"), NO_DIR: "To {hex}"},
    hex="hex",
    via="via",
)  # its destination, and the hexside it engages through
EXIT = verb("exit", "Leave the map at {hex}", hex="hex")  # 17.1a
JOIN = verb(
    "join",
    {**dict.fromkeys(SIDES_OF_A_HEX, "{unit} joins by the {via} side"), NO_DIR: "{unit} joins"},
    unit="unit",
    via="via",
)  # 5.2e a unit of the regroup move goes to the destination
ROUT = verb("rout", "Rout the disrupted enemy at {hex} now", hex="hex")  # 11.4b resolve an overrun now
END_MOVE = verb("end-move", "End this move")  # this group or regroup move is over
ABANDON = verb("abandon", "Give the withdrawal up")  # 5.3f it shortens nothing
END_MOVES = verb("end-moves", "End movement")  # no more moves in this phase
MARCH = verb(
    "march",
    {
        **dict.fromkeys(SIDES_OF_A_HEX, "Forced march of {unit} to {hex} by the {via} side"),
        NO_DIR: "Forced march of {unit} to {hex}",
    },
    unit="unit",
    hex="hex",
    via="via",
)  # 6.4b
MARCHES = verb("marches", "No more forced marches")  # 6.4b all are declared
# 8 to 10 Battles and retreats
PROBE = verb("probe", "Probe at {hex}", hex="hex")  # 10.41a
NO_PROBE = verb("no-probe", "Let them go from {hex}", hex="hex")
STAND = verb("stand", "Stand at {hex}", hex="hex")  # 8.2c
AVOID = verb("avoid", "Avoid battle at {hex}", hex="hex")  # 10.2
FIGHT = verb("fight", "Fight at {hex}", hex="hex")  # 8.6e
ASSAULT = verb("assault", "Assault at {hex}", hex="hex")  # 8.6f
DECLARED = verb("declared", "Battles declared")
RESOLVE = verb("resolve", "Resolve the battle at {hex}", hex="hex")  # 9.0a
FIRE = verb("fire", "{unit} fires at {class}", unit="unit", **{"class": "class"})  # 9.2b
LOSE = verb("lose", "{unit} loses a step", unit="unit", role="ends")  # 9.5b
# 16 The Buildup
ARRIVE = verb("arrive", "{unit} enters the battle in the base", unit="unit", role="ends")  # M11
HOLD = verb("hold", "Hold {unit} back", unit="unit", role="ends")  # M11
REDEPLOY = verb("redeploy", "Redeploy {unit}", unit="unit", role="ends")  # 16.51
SHIP = verb("ship", "Ship {unit}", unit="unit")  # 16.53
PORT = verb("port", "To the port of {hex}", hex="hex")  # 16.53
REFIT = verb("refit", "Send {unit} to refit", unit="unit", role="ends")  # 16.52
REBUILD = verb("rebuild", "Rebuild a step of {unit}", unit="unit", role="ends")  # 16.54
MINE = verb("mine", "Lay a minefield at {hex}", hex="hex")  # 16.55a
LIFT = verb("lift", "Lift the minefields at {hex} and {other}", hex="hex", other="hex")  # 16.55b dismantle two
BUY = verb("buy", "Buy an extra supply card")  # 16.5
SPENT = verb("spent", "Spend no more")  # 16.5
GIVE = verb("give", "Give up a {card} card", card="card")  # 16.6a
KEEP = verb("keep", "Keep the rest")  # 16.6a
# Dice and draws
ROLLED = verb("rolled", "Rolled {number}", number="count", role="chance")  # one die or a sum of dice
HITS = verb(
    "hits", {**dict.fromkeys(range(MOST), "{number} hits"), 1: "{number} hit"}, number="count", role="chance"
)  # 9.4
DEALT = verb(
    "dealt",
    {**dict.fromkeys(range(MOST), "{number} real cards"), 1: "{number} real card"},
    number="count",
    role="chance",
)  # 16.6b the real cards among those dealt


def all_but(*these: Verb) -> list[Verb]:
    """Every verb but these: what belongs to another moment."""
    return [one for one in verb if one not in these]


def codec(board: Board) -> Codec:
    """The notation of actions, with the names of what they are done with."""
    return verb.codec(
        {
            "unit": Kind("unit", board.units),
            "hex": Kind("hex", board.grid.names),
            "via": Kind("hexside", DIRS),
            "card": Kind("card", CARDS),
            "class": Kind("class", CLASSES),
            "option": Kind("turn option", OPTIONS[:4]),
            "dummies": numbers("number", DUMMIES),
            "flag": numbers("yes or no (1 or 0)", 2),
            "count": numbers("number", MOST),
        }
    )
