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
CRAWL = verb("crawl", "Low Crawl to {hex}", hex="hex")
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
# Infantry and works
CREST = verb("crest", "Take the Crest of {hex} facing {facing}", hex="hex", facing="facing")
DESCEND = verb("descend", "Go down into the wadi")
DIVE = verb("dive", "Go beneath the entrenchment of {hex}", hex="hex")
THROUGH = verb("through", "Work through the wire")
# Chapter D: vehicles
DRIVE = verb("drive", "Drive {unit}", unit="unit")
START = verb("start", "Start")
REVERSE = verb("reverse", "Start in reverse")
STOP = verb("stop", "Stop")
TURN = verb("turn", "Turn to face {vertex}", vertex="vertex")
TURN_CAREFULLY = verb("turn-carefully", "Turn to face {vertex} with care, at double cost", vertex="vertex")
CAREFULLY = verb("carefully", "Go to {hex} with care, at double cost", hex="hex")
SLOWLY = verb("slowly", "Go to {hex} slowly, raising no dust", hex="hex")
DELAY = verb("delay", "Spend 1 MP waiting")
TURRET = verb("turret", "Turn the turret to {vertex}", vertex="vertex")
STRAIN = verb("strain", "Seek {count} MP more by straining the engine", count="face")
UNBOG = verb("unbog", "Try to get out of the bog")
OPEN_UP = verb("open-up", "{unit}: crew exposed", unit="unit", role="aside")
BUTTON_UP = verb("button-up", "{unit}: button up", unit="unit", role="aside")
BOW = verb("bow", "{unit} fires its bow MG", unit="unit", role="gathers")
COAX = verb("coax", "{unit} fires its coaxial MG", unit="unit", role="gathers")
ANTI_AIR = verb("anti-air", "{unit} fires its AAMG", unit="unit", role="gathers")
