"""The verbs of the game, each said once: its word, how a player would say it, and what it is done with.

Numbers go by the order, and trained networks know them: a new verb comes last.
"""

from __future__ import annotations

from sandtable.engine.actions import Codec, Kind, numbers
from sandtable.engine.texts.text import term
from sandtable.engine.texts.verbs import Verb, Vocabulary
from sandtable.engine.texts.words import Words

from .board import Board
from .ids import ASSETS, BOXES, EXTENDED, FIGHTS, MODES, NORMAL, RESOURCES, ROAD_BONUS, SHOWS, SIDES, TACTICAL

DICE = 7
MOST = 13
"""More than any number that is rolled or counted."""

verb = Vocabulary()

# 20 preparation
V_REMOVE = verb("remove", "{unit} leaves", unit="unit", role="listed ends")  # 20.2b, 20.3 which unit leaves
# 20.4.1 the new tank unit comes, the other goes
V_UPGRADE = verb("upgrade", "{unit} comes, {other} goes", unit="unit", other="unit", role="listed ends")
# 20.4.1c a freed step to this unit
V_GIVE = verb("give", "Give a freed step to {unit}", unit="unit", role="listed ends")
V_CONVERT = verb("convert", "Form {unit}", unit="unit", role="listed ends")  # 20.4.3 make this new unit
V_CHOOSE = verb("choose", "Take {unit}", unit="unit", role="listed ends")  # 19.2.4 which replacement counter is taken
V_PUT_OFF = verb("put-off", "Not this turn")  # 20.4.1f, 20.4.3b not now

# 23 resources
V_BUY = verb("buy", "{resource}", resource="resource", role="aside")  # 23.2
V_TAKE = verb("take", "Take {asset}", asset="asset")  # 18.7.1 which air support a purchase gives
V_BOMB = verb("bomb", "Bomb {hex}", hex="hex", role="listed")  # 21.4.3
# 19.1.2 a truck or corps HQ comes back for an RP
V_RETURN = verb("return", "Bring {unit} back", unit="unit", role="listed ends")
# 19.1.1 the first takes the second, a replacement
V_REPLACE = verb("replace", "{unit} takes {other}", unit="unit", other="unit", role="listed ends")
V_EVENT = verb("event", "Roll for the event", role="onward")  # 23.1a roll for it now
V_END_INITIAL = verb("end-initial", "End the Initial Phase", role="onward")

# 5, 6 movement
V_MOVE = verb("move", "Move {unit}", unit="unit")  # 5.1 this unit begins a move
# 5.1b it moves with the stack; 8.2 it takes part in the attack
V_JOIN = verb("join", "{unit} goes too", unit="unit", role="gathers")
V_LOAD = verb("load", "Load {unit} on the truck", unit="unit")  # 5.8.1 the truck picks it up
V_LOAD_SP = verb("load-sp", "Load a supply point: the truck becomes an MSU")  # 17.2.4a
V_UNLOAD_SP = verb("unload-sp", "Unload the supply point: the MSU becomes a truck")  # 17.2.4b
V_ROMMEL = verb("rommel", "Rommel leads them: 2 MP more")  # 18.5a +2 MPs for this stack, or a new roll
V_TO = verb(  # where the unit or stack goes; a retreat's next hex has mode normal
    "to",
    {
        NORMAL: "To {hex}",
        EXTENDED: "To {hex}, extended movement",
        TACTICAL: "To {hex}, tactical movement",
        ROAD_BONUS: "To {hex}, with the road bonus",
    },
    hex="hex",
    mode="mode",
    role="ends",
)
V_LEAVE = verb("leave", "Leave {unit} behind", unit="unit")  # 5.1c left behind by the stack
V_HALT = verb("halt", "End the move here", role="ends")  # the move is over
V_RAIL = verb("rail", "{unit} by rail to {hex}", unit="unit", hex="hex", role="aside")  # 5.9
# 5.9.1b
V_RAIL_SP = verb(
    "rail-sp", "A supply point by rail from {from} to {hex}", role="aside", **{"from": "hex", "hex": "hex"}
)
V_TRANSFER = verb("transfer", "Transfer {unit} to {hex}", unit="unit", hex="hex", role="aside")  # 5.8.4
V_FLY = verb("fly", "Fly {unit} to {hex}", unit="unit", hex="hex", role="aside")  # 18.7.6
V_CONVOY = verb("convoy", "Convoy from {from} to {to}", role="aside", **{"from": "port", "to": "port"})  # 21.1.1
V_SHIP = verb("ship", "Ship {unit}", unit="unit", role="gathers")  # it sails with the convoy
V_SHIP_SP = verb("ship-sp", "Ship a supply point")  # 21.2b
V_SAIL = verb("sail", "The convoy sails")  # that is the convoy
V_TO_BENGHAZI = verb("on", "{unit} goes on to Benghazi", unit="unit")  # 22.3.5d it goes on to Benghazi
V_SP_ON = verb("sp-on", "A supply point goes on to Benghazi")  # 22.3.5d so does an SP
V_CRUSH = verb("crush", "Shatter {hex} at once (Auto DS)", hex="hex", role="listed musters")  # 8.9 Auto DS
V_FORTIFY = verb("fortify", "Fortify {hex}", hex="hex", role="aside")  # 9.5.3
V_UNFORTIFY = verb("unfortify", "Give the fortification at {hex} up", hex="hex", role="aside")  # 9.5.7b
# 17.1.4b an ASU takes an SP
V_READY = verb("ready", "Refit {unit} with a supply point", unit="unit", role="aside listed ends")
V_DESTROY_SP = verb("destroy-sp", "Destroy an own supply point at {hex}", hex="hex", role="aside")  # 17.2.3d
V_SURRENDER = verb("surrender", "Surrender {unit}", unit="unit", role="aside ends")  # 12.5.3
V_FLEE = verb("flee", "Put {unit} into Full Retreat", unit="unit", role="aside ends")  # 13.3.4 voluntary Full Retreat
V_END_MOVES = verb("end-moves", "End movement", role="onward")
# 21.4.2
V_DEMOLISH = verb(
    "demolish",
    {**dict.fromkeys(range(DICE), "Demolish {port} with {dice} dice"), 1: "Demolish {port} with 1 die"},
    port="port",
    dice="dice",
)
V_REPAIR = verb("repair", "Repair {port}", port="port")  # 21.4.4
V_END_PORTS = verb("end-ports", "No more demolition or repair", role="onward")
V_DROP = verb("drop", "Eliminate {unit}", unit="unit", role="ends")  # 4.4.1c eliminated because the stack is too large

# 8 to 15 combat
V_ATTACK = verb("attack", "Attack {hex}", hex="hex", role="musters")
V_COMMIT = verb("commit", "These attack")  # 8.2 that is everybody
# 8.5.1b attack supply by an SP there
V_SUPPLY_SP = verb("supply-sp", "Attack supply: spend a supply point at {hex}", hex="hex", role="listed ends")
# 8.5.1b by this ASU
V_SUPPLY_ASU = verb("supply-asu", "Attack supply: deplete {unit}", unit="unit", role="listed ends")
V_NO_SUPPLY = verb("no-supply", "Without attack supply")
# 9.4 artillery (or 11.3 DD) support by this ASU
V_ARTILLERY = verb("artillery", "{unit} fires in support and is depleted", unit="unit", role="listed ends")
# 9.4.1c the same, paid by an SP stacked with it
V_ARTILLERY_SP = verb("artillery-sp", "{unit} fires in support, with a supply point", unit="unit", role="listed ends")
V_NO_ARTILLERY = verb("no-artillery", "No artillery support")
V_AIR = verb("air", "{asset}", asset="asset")  # 18.7.4 air support ("air none" for none)
V_REROLL = verb("reroll", "Rommel: roll again")  # 18.5a with Rommel
V_ACCEPT = verb("accept", "Let the roll stand")  # the roll stands
V_LOSE = verb("lose", "{unit} loses a step", unit="unit", role="listed ends")  # 10.2 this unit loses a step
V_REMNANT = verb("remnant", "A remnant stays")  # 10.4.1 a remnant takes its place
V_NO_REMNANT = verb("no-remnant", "No remnant")  # 10.4.2
V_LEAD = verb("lead", "Determined defense led by {unit}", unit="unit", role="listed ends")  # 11.2.3
# 11.5.3 it leads a desperate defense of a port
V_DESPERATE = verb("desperate", "Desperate defense led by {unit}", unit="unit", role="listed ends")
V_YIELD = verb("yield", "Retreat")  # no determined defense
# 12.1.5b, 5.8.2c the first, a truck, carries the second
V_CARRY = verb("carry", "{unit} carries {other}", unit="unit", other="unit", role="ends")
V_NO_CARRY = verb("no-carry", "Carry nobody else")
# 15.2.2 it belongs to the breakthrough group
V_GROUP = verb("group", "{unit} is in the breakthrough group", unit="unit", role="gathers")
V_GROUPED = verb("grouped", "That is the group")  # that is the group (or there is none)
V_ADVANCE = verb("advance", "{unit} advances to {hex}", unit="unit", hex="hex")  # 14 one hex
V_STORM = verb("storm", "Breakthrough combat against {hex}", hex="hex", role="listed")  # 15.2 a breakthrough combat
V_DONE = verb("done", "Done")
V_DISENGAGE = verb("disengage", "{unit} disengages", unit="unit", role="aside ends")  # 27.5
V_END_COMBAT = verb("end-combat", "End combat", role="onward")
V_FREE_SP = verb("free-sp", "The free supply point to {hex}", hex="hex", role="listed ends")  # 17.4b
V_CAPTURE = verb("capture", "Take {unit}", unit="unit", role="listed ends")  # 27.1a a captured truck is taken
V_NO_CAPTURE = verb("no-capture", "Take no truck")

# 16, 24, 25
V_FEED = verb("feed", "The port supplies {unit}", unit="unit", role="ends")  # 16.2d a port supplies it
V_END_SUPPLY = verb("end-supply", "End the Supply Phase", role="onward")
V_DELAY = verb("delay", "Delay marker {marker} at {hex}", marker="marker", hex="hex")  # 24.3.1
V_STRAFE = verb("strafe", "Strafe {hex}", hex="hex")  # 18.7.5
V_LRDG = verb("lrdg", "LRDG at {hex}", hex="hex")  # 18.8
V_TAKE_BACK = verb("take-back", "Take delay marker {marker} back", marker="marker")  # 24.3.3
V_END_DELAY = verb("end-delay", "End the Delay Phase", role="onward")
V_PAY_SP = verb("pay-sp", "Give up a supply point at {hex}", hex="hex", role="listed ends")  # 25.1.1c
V_DEPLETE = verb("deplete", "Deplete {unit}", unit="unit", role="listed")  # 25.1.1c
# 15.3b beyond the stacking limit it adds nothing to the defence
V_SIT_OUT = verb("sit-out", "{unit} adds nothing to the defence", unit="unit", role="ends")

# Verbs of chance
V_ROLLED = verb("rolled", "Rolled {number}", number="number", role="chance")  # one die, or two added
# 24.3.2 two dice that are read singly
V_PAIR = verb("pair", "Rolled {first} and {second}", first="die", second="die", role="chance")
# several dice that are counted
V_HITS = verb("hits", {**dict.fromkeys(range(MOST), "{number} hits"), 1: "1 hit"}, number="number", role="chance")


ASSET_WORDS = {
    "air_support_german": term("German air support"),
    "air_support_italian": term("Italian air support"),
    "air_support_allied": term("Allied air support"),
    "strafing": term("strafing"),
    "lrdg": term("the LRDG"),
    "air_transport": term("air transport"),
    "comando_supremo": term("Comando Supremo"),
    "coastal_convoy": term("a second coastal convoy"),
    "bombing_raid": term("a bombing raid"),
    "none": term("No air support"),
}
"""ids.ASSETS in words, and what an event of chance can bring besides (23.1)."""

RESOURCE_WORDS = (
    term("fortification"),
    term("replace truck"),
    term("replace hq"),
    term("repair port"),
    term("air support"),
    term("strafing"),
    term("bombing raid"),
    term("comando supremo"),
    term("benghazi convoy"),
    term("air transport"),
    term("u boats"),
    term("coastal convoy"),
    term("lrdg"),
    term("malta reinforcement"),
)
"""ids.RESOURCES in words."""


HALF_WORDS = (
    "March I",
    "March II",
    "April I",
    "April II",
    "May I",
    "May II",
    "June I",
    "June II",
    "July I",
    "July II",
    "August I",
    "August II",
    "September I",
    "September II",
    "October I",
    "October II",
    "November I",
    "November II",
    "December I",
    "December II",
)
"""3.1 the half months of the turn track."""


def month_said(half: str) -> str:
    """A half month by its name."""
    return HALF_WORDS[HALF_WORDS.index(half)] if half in HALF_WORDS else half


def all_but(*verbs: Verb) -> tuple[Verb, ...]:
    """All other verbs: what has to wait while these are asked for."""
    return tuple(one for one in verb if one not in verbs)


def make_codec(board: Board) -> Codec:
    """The notation of actions on this board."""
    return verb.codec(
        {
            "unit": Kind("unit", board.units),
            "hex": Kind("hex or box", board.grid.names),
            "port": Kind("port", board.port_ids),
            "asset": Kind("asset", ASSETS),
            "resource": Kind("resource", RESOURCES),
            "mode": Kind("way of moving", MODES),
            "marker": numbers("delay marker", 7),
            "dice": numbers("number of dice", DICE),
            "die": numbers("die", 7),
            "number": numbers("number", MOST),
        }
    )


def make_words(board: Board) -> Words:
    """Names for the numbers in events and texts."""
    return board.words(
        SIDES,
        tables={
            "box": BOXES,
            "shows": SHOWS,
            "asset": ASSETS,
            "resource": RESOURCES,
            "mode": MODES,
            "port": board.port_ids,
            "fight": FIGHTS,
        },
        phrases={
            "asset": [ASSET_WORDS[asset] for asset in ASSETS],
            "resource": RESOURCE_WORDS,
            "port": board.port_names,
        },
        unit_keys=("unit", "lead", "other", "truck"),
    )
