"""The words of the game as numbers: sides, states, boxes, movement modes and frames."""

from __future__ import annotations

from sandtable.engine.texts.text import term

AXIS, ALLIED = 0, 1
SIDES = ("axis", "allied")

LOW, NORMAL_TQ, ELITE = 0, 1, 2  # 2.3.2d troop quality
QUALITIES = ("low", "normal", "elite")

FULL, REDUCED, REMNANT = 0, 1, 2  # 2.3.5 the side of the counter that shows; the remnant stands in for its parent
SHOWS = (term("full"), term("reduced"), term("remnant"))

# Off-map boxes that hold units in play are places of the grid (6.1); their names there
ITALY, TRIPOLI, NILE_DELTA = "italy", "tripoli", "nile_delta"

# Where a unit is when it is in no place.
ELIMINATED = -1  # 8.7e the Eliminated Box of its side
REMOVED = -2  # 20.2 left the game
SURRENDER_LEFT = -3  # 12.5.2
SURRENDER_RIGHT = -4
RESERVE = -5  # S2.2
WITHDRAWN = -6  # 20.3
POOL = -7  # 2.2.3 the Replacement Pool
SCHEDULED = -8  # a reinforcement still to come; s.due[u] is its turn
AT_SEA = -9  # 21.1.1b in a convoy that is being resolved
ASIDE = -10  # counters not in play yet: conversions, captured trucks, remnants
UNUSED = -11  # not in this scenario
BOXES = {
    ELIMINATED: "eliminated",
    REMOVED: "removed",
    SURRENDER_LEFT: "surrender_left",
    SURRENDER_RIGHT: "surrender_right",
    RESERVE: "reserve",
    WITHDRAWN: "withdrawn",
    POOL: "replacement_pool",
    SCHEDULED: "scheduled",
    AT_SEA: "at_sea",
    ASIDE: "aside",
    UNUSED: "unused",
}

NATIONS = (
    "german",
    "italian",
    "british",
    "indian",
    "new_zealand",
    "south_african",
    "australian",
    "polish",
    "czech",
    "axis",
    "allied",
)

# 5 ways of moving on land
NORMAL, EXTENDED, TACTICAL, ROAD_BONUS = 0, 1, 2, 3
MODES = ("normal", "extended", "tactical", "road")

# 18.7, 23.2 assets that are kept on the display
AIR_GERMAN, AIR_ITALIAN, AIR_ALLIED, STRAFING, LRDG, AIR_TRANSPORT, COMANDO, COASTAL, NO_ASSET = range(9)
ASSETS = (
    "air_support_german",
    "air_support_italian",
    "air_support_allied",
    "strafing",
    "lrdg",
    "air_transport",
    "comando_supremo",
    "coastal_convoy",
    "none",
)

# 23.2.2 what RPs buy
(
    B_FORTIFICATION,
    B_TRUCK,
    B_HQ,
    B_REPAIR,
    B_AIR_SUPPORT,
    B_STRAFING,
    B_BOMBING,
    B_COMANDO,
    B_BENGHAZI,
    B_AIR_TRANSPORT,
    B_U_BOATS,
    B_COASTAL,
    B_LRDG,
    B_MALTA,
) = range(14)
RESOURCES = (
    "fortification",
    "replace_truck",
    "replace_hq",
    "repair_port",
    "air_support",
    "strafing",
    "bombing_raid",
    "comando_supremo",
    "benghazi_convoy",
    "air_transport",
    "u_boats",
    "coastal_convoy",
    "lrdg",
    "malta_reinforcement",
)

# Phases of a player turn and the parts of a game turn around them
PHASES = (
    "preparation",
    "initial",
    "movement",
    "combat",
    "recovery",
    "supply",
    "delay",
    "supply_attrition",
    "victory_points",
)

# 27 the optional rules, as bits of `State.flags`
TRUCK_CAPTURE, OASIS_SUPPLY, TAG_ALONG, PORT_GARRISONS, DISENGAGEMENT = (1 << i for i in range(5))

# 8, 8.9, 15: what kind of fight is going on
COMBAT, AUTO_DS, BREAKTHROUGH = 0, 1, 2
FIGHTS = ("combat", "auto_ds", "breakthrough")

# Frames: the sequence of play. The numbers behind each name are its arguments on the stack.
(
    F_GAME_TURN,  # step                       3.1
    F_PLAYER_TURN,  # step                     3.2 of s.active
    F_PREPARATION,  # step                     3.1b to 3.1f
    F_REMOVAL,  # side, index                  20.2, 20.3
    F_UPGRADE,  # index                        20.4.1
    F_FREED,  # steps, tank value              20.4.1c
    F_CONVERT,  # index                        20.4.3
    F_CHOOSE_REPLACEMENT,  # side, code        19.2.4
    F_MALTA,  #                                22.3.3 chance
    F_INITIAL,  # step                         3.2b
    F_EVENT,  #                                23.1 chance
    F_FORT_ROLL,  # hex                        9.5.4 chance
    F_TAKE_ASSET,  #                           which air support marker
    F_BOMB,  #                                 21.4.3 target
    F_BOMB_ROLL,  # place                      chance
    F_MOVES,  #                                5
    F_STACK,  #                                5.1 the stack in s.group goes on
    F_CAPTURE_ROLL,  # place, count            17.2.3 chance
    F_CONVOY,  #                               21.1 what sails
    F_AST,  # leg                              22.2 chance
    F_SINKING,  # result, index                22.2.4 chance
    F_SPLIT,  #                                22.3.5d who goes on to Benghazi
    F_CRUSH,  #                                8.9 who takes part
    F_PORTS,  #                                21.4 demolition and repair
    F_DEMOLITION,  # port, dice                chance
    F_DISPLACE,  # side                        13.3.2e Full Retreat units next to the enemy
    F_OVERSTACK,  # side                       4.4.1c
    F_COMBAT,  #                               8
    F_ATTACK,  #                               8.2 who attacks
    F_ATTACK_SUPPLY,  #                        8.5
    F_SUPPORT,  # side, step                   9.4, 18.7.4
    F_ROLL,  #                                 8.3d chance
    F_REROLL,  # what                          18.5a
    F_RESULT,  # step                          10
    F_LOSS,  # chooser, loser, kind            10.2
    F_REMNANT,  # unit                         10.4.2
    F_DEFENCE,  # tried, as nations            11
    F_DD_SUPPORT,  # desperate                 11.3
    F_DD_ROLL,  # desperate, die               11.2.1g chance; once it has fallen 18.5a
    F_RETREAT,  # hexes, step                  12
    F_CARRY,  # side, moment, hex              12.1.5b, 5.8.2c trucks and loads
    F_RETREAT_UNIT,  # unit, hexes, zones, gone, path from its hex on, companions and where each joined
    F_CAPTURE,  # hex, MSU                     27.1
    F_GROUP,  #                                15.2.1a
    F_BREAKTHROUGH,  # left                    15.2
    F_CROWD,  # side                           15.3b who adds nothing to the defence
    F_ADVANCE,  # left                         14
    F_AUTO_ADVANCE,  #                         8.9.2
    F_DISENGAGE,  # step                       27.5
    F_FREE_SP,  #                              17.4
    F_RECOVERY,  # step                        13.4
    F_RALLY,  # unit                           13.5 chance
    F_SUPPLY,  # step                          16
    F_PORT_SUPPLY,  # port                     16.2d
    F_ISOLATION,  # unit                       16.5 chance
    F_REFIT,  #                                17.1.4
    F_DELAY,  # step                           24
    F_DELAY_ROLL,  #                           chance
    F_ATTRITION,  # side, step                 25
    F_ATTRITION_LOSS,  # side, sector
    F_VICTORY,  # when                         26, S1.3, S2.3, S3.3
    F_WALK,  # way, entered, errand            5.1a the stack in s.group on its way
) = range(62)
