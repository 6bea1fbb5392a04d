"""What players and dice do, each verb declared once. New verbs come last."""

from __future__ import annotations

from sandtable.engine.texts.verbs import Vocabulary

verb = Vocabulary()

PLACE = verb("place", "Set up {unit} in {hex}", unit="unit", hex="hex")
ACCEPT = verb("accept", "Set up the rest as the scenario proposes", role="onward")
# RPh
RALLY = verb("rally", "Rally {unit}", unit="unit")
REPAIR = verb("repair", "Repair {unit}", unit="unit")
RECOVER = verb("recover", "{unit} takes up {weapon}", unit="unit", weapon="weapon")
TRANSFER = verb("transfer", "Give {weapon} to {unit}", weapon="weapon", unit="unit", role="aside")
DEPLOY = verb("deploy", "Deploy {unit} into half-squads", unit="unit", role="aside")
RECOMBINE = verb("recombine", "Recombine {unit} and {other}", unit="unit", other="other", role="aside")
END_RALLY = verb("end-rally", "End of the Rally Phase", role="onward")
# fire
FIRE = verb("fire", "Fire at {hex}", hex="hex", role="musters")
JOIN = verb("join", "{unit} fires", unit="unit", role="gathers")
USE = verb("use", "{weapon} fires", weapon="weapon", role="gathers")
DIRECT = verb("direct", "{unit} directs the fire", unit="unit")
COMMIT = verb("commit", "Roll the dice", role="onward weighs")
HOLD = verb("hold", "Hold fire", role="onward")
END_FIRE = verb("end-fire", "No more fire", role="onward")
# MPh
MOVE = verb("move", "Move {unit}", unit="unit")
ALSO = verb("also", "{unit} moves along", unit="unit", role="gathers")
ASSAULT = verb("assault", "Assault Movement")
DOUBLE = verb("double-time", "Double Time")
TO = verb("to", "Go to {hex}", hex="hex")
UNDER = verb("under", "Go beneath the entrenchment")
OUT = verb("out", "Come out of the entrenchment")
TAKE = verb("take", "Take up {weapon}", weapon="weapon")
HALT = verb("halt", "End of this move", role="ends")
END_MOVES = verb("end-moves", "End of movement", role="onward")
# RtPh
ROUT = verb("rout", "{unit} routs", unit="unit")
CRAWL = verb("crawl", "Low Crawl to {hex}", hex="hex", role="aside")
STAY = verb("stay", "{unit} stays", unit="unit")
END_ROUTS = verb("end-routs", "End of the Rout Phase", role="onward")
# APh, CCPh
ADVANCE = verb("advance", "{unit} advances to {hex}", unit="unit", hex="hex")
END_ADVANCE = verb("end-advance", "End of the Advance Phase", role="onward")
STRIKE = verb("strike", "Attack {unit} in Close Combat", unit="unit")
END_COMBAT = verb("end-combat", "No more attacks here", role="onward")
# chance
ROLLED = verb("rolled", "{first} and {second}", role="chance", first="face", second="face")
FELL = verb("fell", "{first}", role="chance", first="face")
# ordnance
LAY = verb("lay", "Lay {weapon}", weapon="weapon", role="musters")
LAY_SECOND = verb("lay-second", "Lay the second gun of {weapon}", weapon="weapon", role="musters")
AT_VEHICLE = verb("at-vehicle", "At {unit}, as a vehicle", unit="unit")
AT_INFANTRY = verb("at-infantry", "At those in {hex}, as Infantry", hex="hex")
AT_AREA = verb("at-area", "At all of {hex}, as an area", hex="hex")
AT_IFE = verb("at-rapid", "At those in {hex}, in rapid fire", hex="hex")
SPOT = verb("spot", "Let {unit} spot for the mortar", unit="unit", role="aside")
LOAD = verb("load", "Load {shell}", shell="shell")
DELIBERATE = verb("deliberate", "Aim low, to immobilize", role="aside")
SHOOT = verb("shoot", "Fire", role="onward")
CONTACT = verb("contact", "Call the battery")
SPOT_ROUND = verb("spot-round", "A Spotting Round at {hex}", hex="hex")
EFFECT = verb("effect", "Fire for Effect at {hex}", hex="hex")
HARASS = verb("harass", "Harassing Fire at {hex}", hex="hex")
GO_ON = verb("go-on", "Go on firing", role="onward")
CEASE = verb("cease", "Cease fire of the battery")
NO_CALL = verb("no-call", "Do not call the battery now", role="onward")
PUSH = verb("push", "Push {weapon} to {hex}", weapon="weapon", hex="hex")
PUSH_IN = verb("push-in", "Push {weapon} into the sangar, or out of it", weapon="weapon")
BORE = verb("bore", "Bore-sight {weapon} on {hex}", weapon="weapon", hex="hex")
END_BORES = verb("end-bores", "No more bore sights", role="onward")
DREW = verb("drew", "{chit}", role="chance", chit="chit")
# Infantry and works
CREST = verb("crest", "Take the Crest of {hex} facing {facing}", hex="hex", facing="facing")
DESCEND = verb("descend", "Go down into the wadi")
DIVE = verb("dive", "Go beneath the entrenchment of {hex}", hex="hex")
THROUGH = verb("through", "Work through the wire")
LOB = verb("lob", "Throw a SMOKE grenade into {hex}", hex="hex", role="aside")
SEARCH = verb("search", "Search around, {hex} first", hex="hex", role="aside")
SET_CHARGE = verb("set-charge", "Set {weapon} against {hex}", weapon="weapon", hex="hex", role="aside")
CLIMB = verb("climb", "Climb to {hex}", hex="hex")
THROW = verb("throw", "Throw {weapon} into {hex}", weapon="weapon", hex="hex", role="aside")
BURN = verb("burn", "{weapon} at {hex}", weapon="weapon", hex="hex")
SPRAY = verb("spray", "Spray {hex} too", hex="hex")
LANE = verb("lane", "Lay a Fire Lane to {hex}", hex="hex")
WAIT = verb("wait", "{unit} waits to fire later", unit="unit", role="aside")
DIG = verb("dig", "{unit} digs in", unit="unit", role="aside")
CLEAR = verb("clear", "{unit} clears wire or mines", unit="unit", role="aside")
SNAP = verb("snap", "A Snap Shot at the hexside that was crossed", role="aside")
AGAINST = verb("against", "Attack {unit} in Close Combat as well", unit="unit", role="gathers")
WITHDRAW = verb("withdraw", "{unit} withdraws to {hex}", unit="unit", hex="hex")
STAND = verb("stand", "Nobody else withdraws", role="onward")
DISMANTLE = verb("dismantle", "Take {weapon} apart, or put it together", weapon="weapon", role="aside")
# Chapter D: vehicles
DRIVE = verb("drive", "Drive {unit}", unit="unit")
START = verb("start", "Start")
REVERSE = verb("reverse", "Start in reverse")
STOP = verb("stop", "Stop")
TURN = verb("turn", "Turn to face {vertex}", vertex="vertex")
TURN_CAREFULLY = verb(
    "turn-carefully", "Turn to face {vertex} with care, at double cost", vertex="vertex", role="aside"
)
CAREFULLY = verb("carefully", "Go to {hex} with care, at double cost", hex="hex", role="aside")
SLOWLY = verb("slowly", "Go to {hex} slowly, raising no dust", hex="hex", role="aside")
DELAY = verb("delay", "Spend 1 MP waiting")
TURRET = verb("turret", "Turn the turret to the {vertex}", vertex="vertex", role="aside")
STRAIN = verb("strain", "Seek {count} MP more by straining the engine", count="face")
UNBOG = verb("unbog", "Try to get out of the bog")
OPEN_UP = verb("open-up", "{unit}: crew exposed", unit="unit", role="aside")
BUTTON_UP = verb("button-up", "{unit}: button up", unit="unit", role="aside")
BOW = verb("bow", "{unit} fires its bow MG", unit="unit", role="gathers")
COAX = verb("coax", "{unit} fires its coaxial MG", unit="unit", role="gathers")
ANTI_AIR = verb("anti-air", "{unit} fires its AAMG", unit="unit", role="gathers")
RIM = verb("rim", "Drive to the rim of {hex}", hex="hex")
UP = verb("up", "Climb to the rim")
DOWN = verb("down", "Go down into the wadi")
EMBARK = verb("embark", "Take {unit} aboard", unit="unit")
RIDE = verb("ride", "Let {unit} ride on top", unit="unit")
DISEMBARK = verb("disembark", "Let {unit} get off", unit="unit")
HOOK = verb("hook", "Hook up {weapon}", weapon="weapon")
UNHOOK = verb("unhook", "Unhook {weapon}", weapon="weapon")
ABANDON = verb("abandon", "Abandon the vehicle")
# scenarios
POINT = verb("point", "{unit} points to the {vertex}", unit="unit", vertex="vertex", role="aside")
HIDE = verb("hide", "Set up {unit} hidden", unit="unit", role="aside")
ENTER = verb("enter", "{unit} enters by {hex}", unit="unit", hex="hex")
EXIT = verb("exit", "Leave the map")
EXIT_FROM = verb("exit-from", "{unit} leaves the map", unit="unit")
# Chapter D, more
GRAPPLE = verb("grapple", "{unit} attacks {other} in Close Combat", unit="unit", other="other")
NAME = verb("name", "Name {unit} as a target", unit="unit", role="gathers")
ENGAGE = verb("engage", "{unit} attacks those named", unit="unit")
OVERRUN = verb("overrun", "Overrun {hex}", hex="hex")
REACT = verb("react", "{unit} strikes back at the vehicle", unit="unit")
MEND = verb("mend", "{unit} repairs a weapon", unit="unit")
DISPENSE = verb("dispense", "Use the smoke dispenser")
SCREEN = verb("screen", "The crew throws smoke grenades")
ROUSE = verb("rouse", "{unit} tries to get into Motion, facing {vertex}", unit="unit", vertex="vertex")
# standing orders
HOLD_UNTIL = verb("hold-until", "Nothing until {until}", until="until", role="aside")
HOLD_ODDS = verb(
    "hold-odds", "Nothing until a Morale Check or worse has a chance of {share}", share="share", role="aside"
)
UNIT_HOLDS = verb("unit-holds", "{unit} holds its fire until {until}", unit="unit", until="until", role="aside")
REVOKE = verb("revoke", "Take back all standing orders", role="aside")
FASCINE = verb("fascine", "Lay the fascine towards {hex}", hex="hex", role="aside")
# what Chapter F adds
DECLINE = verb("decline", "{unit} sets up un-Emplaced", unit="unit", role="aside")
BYPASS = verb("bypass", "Bypass {hex} to its {vertex} corner", hex="hex", vertex="vertex", role="aside")
PUSH_CREST = verb(
    "push-crest", "Push {weapon} to the Crest of {hex} facing {facing}", weapon="weapon", hex="hex", facing="facing"
)
UNLOAD_GUN = verb("unload-gun", "Unload the Gun")
LOAD_GUN = verb("load-gun", "Load {weapon}", weapon="weapon")
# leaving vehicles that are not driven
ALIGHT = verb("alight", "Let those aboard {unit} get out", unit="unit", role="aside")
GET_OFF = verb("get-off", "{unit} gets off its vehicle", unit="unit", role="aside")
LEAVE_BEHIND = verb("leave-behind", "The crew abandons {unit}", unit="unit", role="aside")
ADVANCE_CREST = verb(
    "advance-crest",
    "{unit} advances to the Crest of {hex} facing {facing}",
    unit="unit",
    hex="hex",
    facing="facing",
    role="aside",
)
MEND_MOUNT = verb("mend-mount", "{unit} repairs its {armament}", unit="unit", armament="armament")
SET_CREST = verb("set-crest", "Set up {unit} at the Crest facing {facing}", unit="unit", facing="facing", role="aside")
