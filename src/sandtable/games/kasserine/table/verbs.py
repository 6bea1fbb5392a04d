"""The verbs of the game, each declared once, numbered by their order; new ones come last."""

from __future__ import annotations

from sandtable.engine.texts.verbs import Vocabulary

verb = Vocabulary()

# dice and draws
ROLL = verb("roll", "Roll {die}", role="chance", die="die")
REVEAL = verb("reveal", "The minefield is worth {value}", role="chance", value="value")

# 6, 14 the movement phases
MOVE = verb("move", "Move {unit}", unit="unit")
TO = verb("to", "To {hex}", hex="hex")
EXIT = verb("exit", "Leave the map at {hex}", hex="hex")
STACK = verb("stack", "Overrun or move a stack with {unit}", role="aside", unit="unit")
JOIN = verb("join", "{unit} comes along", role="gathers", unit="unit")
OVERRUN = verb("overrun", "Overrun {hex}", role="ends", hex="hex")
HALT = verb("halt", "The stack stops here", role="ends")
CONVERT = verb("convert", "Convert {unit}", role="aside", unit="unit")
ENTER = verb("enter", "Bring {unit} on", unit="unit")
REROUTE = verb("reroute", "Send the group of {unit} to {entry}", role="aside", unit="unit", entry="entry")
END_MOVES = verb("end_moves", "End movement", role="onward")

# 7.1 declaration
DECLARE = verb("declare", "Attack {hex}", role="musters", hex="hex")
ATTACK_WITH = verb("attack_with", "Attack with {unit}", role="gathers", unit="unit")
DECLARED = verb("declared", "The attack is declared", role="ends weighs")
END_DECLARATIONS = verb("end_declarations", "No more attacks", role="onward")

# 7.2-7.4 reaction
AVOID = verb("avoid", "Avoid combat in {hex}", role="listed", hex="hex")
END_AVOIDING = verb("end_avoiding", "Avoid no more combats", role="onward weighs")
REACT = verb("react", "{unit} reacts", role="listed", unit="unit")
END_REACTIONS = verb("end_reactions", "No more reactions", role="onward weighs")
STAND = verb("stand", "No Retreat in {hex}", role="listed", hex="hex")
END_STANDS = verb("end_stands", "No more stands", role="onward weighs")
STAY = verb("stay", "Stay where it is", role="ends")

# 3.42, 12.2, 10.36b every check
LEAD = verb("lead", "{unit} leads", role="ends", unit="unit")
COMMAND = verb("command", "{unit} spends its Command Points", role="ends", unit="unit")
NO_COMMAND = verb("no_command", "Spend no Command Points")
HARASS = verb("harass", "Interdict it with {unit}", unit="unit")
LET_GO = verb("let_go", "Do not interdict it")

# 8 combat
FIGHT = verb("fight", "Resolve the combat in {hex}", hex="hex")
USE_ASSAULT = verb("use_assault", "Use the Assault CRT")
USE_MOBILE = verb("use_mobile", "Use the Mobile CRT")
FLY = verb("fly", "{unit} flies close support", role="gathers", unit="unit")
NO_MORE_PLANES = verb("no_more_planes", "No more air units", role="onward weighs")
FIRE = verb("fire", "{unit} supports", role="gathers", unit="unit")
NO_MORE_GUNS = verb("no_more_guns", "No more artillery", role="onward weighs")
SHIFT = verb("shift", "{unit} shifts the odds", unit="unit")
NO_SHIFT = verb("no_shift", "Save the shift")
LOSE = verb("lose", "{unit} loses a step", role="ends", unit="unit")
RETREAT = verb("retreat", "{unit} retreats to {hex}", unit="unit", hex="hex")
BREAK_OUT = verb("break_out", "The stack of {unit} breaks out to {hex}", unit="unit", hex="hex")
ADVANCE = verb("advance", "{unit} advances to {hex}", unit="unit", hex="hex")
END_ADVANCE = verb("end_advance", "Advance no further", role="ends")
GIVE_UP = verb("give_up", "Give up {unit}", role="ends", unit="unit")
FLEE = verb("flee", "Rommel goes to {hex}", hex="hex")

# 10 the Joint Air Phase
INTERDICT = verb("interdict", "{unit} flies interdiction", role="ends", unit="unit")
END_INTERDICTION = verb("end_interdiction", "No more interdiction", role="onward")
RAID = verb("raid", "{unit} attacks supply", role="gathers", unit="unit")
END_RAID = verb("end_raid", "No more against supply", role="onward weighs")
STARVE = verb("starve", "{unit} is out of supply", role="ends", unit="unit")
SPARE = verb("spare", "{unit} goes without instead", unit="unit")
BEAR = verb("bear", "Bear it", role="ends")
BOMB = verb("bomb", "Bomb {hex}", role="musters", hex="hex")
BOMB_WITH = verb("bomb_with", "{unit} bombs", role="gathers", unit="unit")
BOMBS_AWAY = verb("bombs_away", "No more bombers", role="ends")
END_BOMBING = verb("end_bombing", "No more bombing", role="onward")
HIT = verb("hit", "{unit} is disrupted", role="ends", unit="unit")

# 11 the Engineer Phase
BUILD = verb("build", "{unit} builds a strongpoint", unit="unit")
RAZE = verb("raze", "Remove the strongpoint in {hex}", role="aside", hex="hex")
LAY = verb("lay", "Lay a minefield in {hex}", role="aside", hex="hex")
END_ENGINEERS = verb("end_engineers", "End the Engineer Phase", role="onward")

# 7 standing orders for the Reaction Phase
PASS_PHASE = verb("pass_phase", "Pass for this phase", role="aside")
ORDERS = verb("orders", "Standing orders for reactions", role="aside")
ORDER_AVOID = verb(
    "order_avoid",
    "The stack of {unit} avoids combat at {ratio} or worse",
    role="aside ends",
    unit="unit",
    ratio="ratio",
)
ORDER_STAND = verb(
    "order_stand",
    "No Retreat with the stack of {unit} at {ratio} or worse",
    role="aside ends",
    unit="unit",
    ratio="ratio",
)
ORDER_PASS = verb("order_pass", "Pass until an attack has odds of {ratio} or worse", role="aside", ratio="ratio")
ORDER_PASS_ALL = verb("order_pass_all", "Pass until the orders are taken back", role="aside")
REVOKE = verb("revoke", "Take back all standing orders", role="aside")
END_ORDERS = verb("end_orders", "No new order", role="ends")

# 6.02 a stack on its way
DROP = verb("drop", "{unit} stays behind", role="aside", unit="unit")
