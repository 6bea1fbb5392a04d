"""The words of the game as numbers: sides, qualities, boxes, markers and frames."""

from __future__ import annotations

from sandtable.engine.texts.text import term

AXIS, SOVIET = 0, 1
SIDES = ("axis", "soviet")

POOR, REGULAR, ELITE = 0, 1, 2  # 2.24 troop quality
QUALITIES = ("poor", "regular", "elite")

FULL, REDUCED, REMNANT = 0, 1, 2  # 10.3 the side of the counter that shows; the remnant is a counter of its own
SHOWS = (term("full"), term("reduced"), term("remnant"))

AZOV, BLACK, CASPIAN = 0, 1, 2
SEAS = ("azov", "black", "caspian")

TOWN, MINOR_CITY, MAJOR_CITY = 1, 2, 3
CITIES = ("", "town", "minor_city", "major_city")

# Where a unit is when it is not in a hex.
CADRE = -1  # 10.3a the Cadre Box: can be rebuilt
REMOVED = -2  # out of play for good
TRACK = -3  # on the turn track: arrives on turn s.due[u] (4.1a)
WAITING = -4  # due, but delayed or blocked: may be placed in any of its Initial Phases (4.1f, 4.1g)
CUP = -5  # 4.4a the random reinforcement cup
EAST_CASPIAN = -6  # 4.3b
NAVAL_BOX = -7  # 4.7b naval brigades
LEND_LEASE = -8  # 4.7e
TURKISH_FRONT = -9  # 4.7f
BLUECHER = -10  # 4.2f
ALPINI = -11  # 4.2d
EASTERN = -12  # 4.2g
BRANDENBURG = -13  # 15.2e off map until its first roll
RETURNING = -14  # 15.1f an HQ that comes back in its owner's next Initial Phase
DRAWN = -15  # 4.4b drawn from the cup, being placed
UNUSED = -16  # not in this scenario
BOXES = {
    CADRE: "cadre",
    REMOVED: "removed",
    TRACK: "turn_track",
    WAITING: "waiting",
    CUP: "cup",
    EAST_CASPIAN: "east_caspian",
    NAVAL_BOX: "naval_brigades",
    LEND_LEASE: "lend_lease",
    TURKISH_FRONT: "turkish_front",
    BLUECHER: "bluecher_ii",
    ALPINI: "alpini",
    EASTERN: "eastern",
    BRANDENBURG: "brandenburg",
    RETURNING: "returning",
    DRAWN: "drawn",
    UNUSED: "unused",
}

# Support markers (16): the four air markers in the order of tables.toml, then the fleet.
VIII_AIR, IV_AIR, AIR_4, AIR_5, FLEET, NO_SUPPORT = 0, 1, 2, 3, 4, 5
SUPPORTS = ("AX-VIII", "AX-IV", "SU-4VA", "SU-5VA", "SU-BSF", "none")

# 4.5, 4.7: what a replacement is good for, in the order of the replacement track
R_INFANTRY, R_ELITE, R_ALLIES, R_MECHANISED, R_SOVIET_INFANTRY, R_SOVIET_CAVALRY = range(6)
REPLACEMENTS = (
    "german_regular_infantry",
    "german_elite_infantry",
    "axis_allies",
    "german_mechanised",
    "soviet_infantry",
    "soviet_cavalry",
)

# The 4th Guards Cavalry Corps marker (15.7) when it is not in a hex
CORPS_BOX = -1
CORPS_GONE = -2

# 13, 8.5: what kind of fight is going on
COMBAT, MOBILE, AUTOMATIC = 0, 1, 2
FIGHTS = ("combat", "mobile_assault", "automatic_elimination")

# 10.1 the results of the combat results table, in the order of the book: s.fight.result is one of them
D1_B, A1_D2, D1, DR, A1_D1, EX, A1_DR, A1 = range(8)
RESULTS = ("D1-B", "A1/D2", "D1", "DR", "A1/D1", "EX", "A1/DR", "A1")

# Phases, as the phase track names them
PHASES = (
    "setup",
    "axis_initial",
    "axis_first_movement",
    "axis_first_combat",
    "soviet_second_movement",
    "soviet_second_combat",
    "axis_second_movement",
    "axis_second_combat",
    "axis_supply",
    "soviet_initial",
    "soviet_first_movement",
    "soviet_first_combat",
    "soviet_supply",
    "victory",
)

# Frames: the sequence of play. The numbers behind each name are its arguments on the stack.
(
    F_SETUP,  # zone                           20.2a free set-up of one army
    F_TURN,  # step                            3.0 one game turn
    # chapter 4 and what belongs to the Initial Phases
    F_INITIAL,  # side, step                   A.1, B.1
    F_ARRIVE,  # side                          4.1 reinforcements onto their entry hexes
    F_DRAW,  # drawn                           4.4b chance
    F_RANDOM,  # placed at Tbilisi             4.4c place what was drawn
    F_TABLE,  # table, argument                4.5 to 4.8, 15.2b one die on one of the tables
    F_TYPE,  # types as bits, specials as bits 4.5e, 4.6 choose a replacement
    F_EVENT,  # unit, hexes by box             4.7 where the event's unit arrives
    F_CORPS,  #                                15.7a
    # chapters 5, 7, 13, 17, 18
    F_MOVES,  # second                         7.1, 7.3
    F_UNIT,  # unit, second                    7.1 where this unit goes
    F_RAID,  # flags, hex where it began        13.1 the stack in s.raid
    F_ENTER,  # target, fought                  13.1l
    F_OVERSTACK,  # side, moment               5.2c
    # chapters 8 to 10
    F_CRUSH,  #                                8.5b who takes part (s.fight.target)
    F_COMBAT,  # second                        8.1 which hex next
    F_ATTACK,  #                               8.2 who attacks s.fight.target
    F_SUPPORT,  #                              8.3b
    F_COMBAT_ROLL,  #                          8.3c
    F_RESULT,  # step                          8.3d
    F_LOSS,  # chooser, loser, rule            10.2 one step of the loser's units in the fight
    F_DEFENCE,  # step                         10.4 Determined Defence
    F_DD_SUPPORT,  #                           10.4g
    F_DD_ROLL,  #                              10.4
    # chapters 11, 12
    F_RETREAT,  # hexes, step                  11.1 the units in s.fight.retreating leave s.fight.target
    F_RETREAT_UNIT,  # unit, hexes, gone       11.1b its next hex
    F_ADVANCE,  # unit, gone                   12.1
    F_CLAIM,  #                                8.5e advance of marked units
    # chapter 14
    F_SUPPLY,  # side, step                    A.5, B.3
    F_PORT,  # side, hex                       14.22c
    F_ATTRITION,  # unit                       14.6d
    F_VICTORY,  #                              19
    F_WALK,  # units, way, entered, errand      7.1 on the way
) = range(34)

# F_TABLE's tables
(T_REPLACEMENT, T_EVENT, T_WEATHER, T_ALPINI, T_EASTERN, T_BRANDENBURG) = range(6)
TABLES = ("replacement", "event", "weather", "alpini", "eastern", "brandenburg")

# F_OVERSTACK's moments (5.2b)
AFTER_MOVES, AFTER_STORM, AFTER_RETREAT, AFTER_ADVANCE = range(4)
