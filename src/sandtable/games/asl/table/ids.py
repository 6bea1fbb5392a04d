"""The words of the game as numbers: sides, phases, kinds of counters, boxes and frames."""

from __future__ import annotations

from itertools import count

AXIS, ALLIED = 0, 1
SIDES = ("axis", "allied")

# A3 the eight phases of a Player Turn
RPH, PFPH, MPH, DFPH, AFPH, RTPH, APH, CCPH = range(8)
PHASES = ("rally", "prep_fire", "movement", "defensive_fire", "advancing_fire", "rout", "advance", "close_combat")

# What a counter is
SQUAD, HALF_SQUAD, CREW, LEADER, HERO, WEAPON, DUMMY, SANGAR, GUN, VEHICLE, ARMOR_LEADER = range(11)
FOXHOLE, TRENCH, WIRE, MINES_AP, MINES_AT, MINES_DUMMY = range(11, 17)
KINDS = (
    *("squad", "half_squad", "crew", "leader", "hero", "weapon", "dummy", "sangar"),
    *("gun", "vehicle", "armor_leader"),
    *("foxhole", "trench", "wire", "known_minefield_ap", "known_minefield_at", "dummy_minefield"),
)
ENTRENCHMENTS = (SANGAR, FOXHOLE, TRENCH)
MINES = (MINES_AP, MINES_AT, MINES_DUMMY)
WORKS = (*ENTRENCHMENTS, WIRE, *MINES)
MMC = (SQUAD, HALF_SQUAD, CREW)
SMC = (LEADER, HERO)

# Where a piece is when it is in no hex
UNUSED = -1  # not in this scenario
GONE = -2  # eliminated
SPARE = -3  # a counter in the box: what becomes of a squad that deploys
EXITED = -4
OFFMAP = -6  # due to enter, or off the map for the whole game
BOXES = {UNUSED: "unused", GONE: "eliminated", SPARE: "spare", EXITED: "exited", OFFMAP: "off_map"}

# Under (or, of wire, on) what a unit lies in its hex
ABOVE, UNDER_SANGAR, UNDER_FOXHOLE, UNDER_TRENCH, ON_WIRE = range(5)
BENEATH = (UNDER_SANGAR, UNDER_FOXHOLE, UNDER_TRENCH)

# A24 kinds of SMOKE; a hex notes a bit for each kind and side
GRENADE, FULL, DISPERSED, WP, WP_DISPERSED = range(5)
SMOKES = ("grenade", "ordnance_smoke", "ordnance_smoke_dispersed", "wp", "wp_dispersed")

# How a Fire Group fires: at which moment, so by which of the rules
PREP, FIRST, SUBSEQUENT, PROTECTIVE, FINAL, ADVANCING, BOUNDING = range(7)
FIRES = ("prep", "first", "subsequent", "protective", "final", "advancing", "bounding")

# What a roll is for
MC, PTC, LLMC, LLTC, INTERDICTION, PROTECTIVE_MC, DEPLOY = range(7)
CHECKS = ("mc", "ptc", "llmc", "lltc", "interdiction", "protective", "deploy")

# Frames: the sequence of play
(
    F_SETUP,
    F_TURN,
    F_RALLY,
    F_RALLY_ROLL,
    F_REPAIR_ROLL,
    F_RECOVER_ROLL,
    F_FIRE,
    F_GROUP,
    F_ATTACK_ROLL,
    F_RESULT,
    F_SELECT,
    F_CHECK,
    F_WOUND,
    F_MOVES,
    F_MOVER,
    F_WATCH,
    F_RESIDUAL,
    F_ROUTS,
    F_ROUTER,
    F_SURRENDER,
    F_ADVANCE,
    F_COMBATS,
    F_AMBUSH,
    F_MELEE,
    F_MELEE_ROLL,
    F_CONCEAL,
    F_END,
) = range(27)
_frames = count(27)  # those of the chapters: each block takes the next numbers
# Chapter D
F_SURVIVAL, F_DRIVER, F_HAZARD, F_RELIABILITY, F_ESB, F_REMOVAL = (next(_frames) for _ in range(6))
F_ARMOUR, F_GRAPPLE, F_GRAPPLE_ROLL, F_MOUNTED_ATTACK, F_ARMOUR_ROLL, F_ARMOUR_PICK = (next(_frames) for _ in range(6))
F_OVERRUN, F_REACTION, F_MISHAP = (next(_frames) for _ in range(3))
F_SHOCK, F_MEND, F_DISPENSE, F_LOB, F_ROUSE = (next(_frames) for _ in range(5))
F_AT_DIE, F_AT_MINES, F_PRESS, F_WIRE_CRUSH, F_ONWARD, F_LONE = (next(_frames) for _ in range(6))
F_PAATC = next(_frames)
# Infantry and works
F_ENTER, F_WIRE_ROLL, F_MINES, F_GRENADE_ROLL, F_SEARCH_ROLL, F_CLIMB_ROLL = (next(_frames) for _ in range(6))
F_BLAST_ROLL, F_CHARGES, F_SNIPER, F_SNIPED, F_SNIPER_WOUND = (next(_frames) for _ in range(5))
F_DIG_ROLL, F_CLEARING, F_CLEAR_ROLL, F_CC_PICK, F_DUMMY_MINES = (next(_frames) for _ in range(5))
# weather
F_WIND, F_WIND_TURN, F_DUST_DIE = (next(_frames) for _ in range(3))
# ordnance
(
    F_SHOT,
    F_RELOAD,
    F_TO_HIT,
    F_IMPROBABLE,
    F_STRUCK,
    F_BURST,
    F_TO_KILL,
    F_OBA,
    F_CONTACT,
    F_CHIT,
    F_ACCURACY,
    F_ERROR,
    F_FFE,
    F_FFE_ROLL,
    F_PICK,
    F_SHELLS,
    F_PUSH,
    F_BORE,
    F_COLLAPSE,
) = (next(_frames) for _ in range(19))
# charges against vehicles, Mud
F_HULL, F_CHARGE_KILL, F_MUD = (next(_frames) for _ in range(3))
# those who leave vehicles that stand for good
F_PARKED = next(_frames)
# a router that leaves a mined hex
F_FLIGHT = next(_frames)
# whether the skirts of a tank keep its tracks whole
F_SKIRTS = next(_frames)
# one who withdraws from Close Combat
F_WITHDRAW = next(_frames)

# D8, F3.31, F7.31 which hazard a vehicle rolls for
HAMMADA, SAND_BOG, BOG = range(3)
HAZARDS = ("hammada", "sand", "bog")
