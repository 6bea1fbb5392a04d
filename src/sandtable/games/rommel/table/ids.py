"""The words of the game as numbers: sides, classes, options, boxes and frames."""

from __future__ import annotations

from sandtable.engine.texts.text import term

AXIS, COMMONWEALTH = 0, 1
SIDES = ("axis", "commonwealth")

ARMOUR, INFANTRY, ANTITANK, ARTILLERY = 0, 1, 2, 3
CLASSES = (term("armour"), term("infantry"), term("antitank"), term("artillery"))

BASIC, OFFENSIVE, ASSAULT, BLITZ, PASS = 0, 1, 2, 3, 4
OPTIONS = (term("basic"), term("offensive"), term("assault"), term("blitz"), term("pass"))

COAST, TRACK, TRAIL, NO_ROAD = 0, 1, 2, 3
GRADES = ("coast_road", "track", "trail", "none")

# Where a block is when it is not in a hex.
POOL = -1  # a reinforcement still to come (16.4)
DEAD = -2  # eliminated for good (2.3d)
REFIT = -3  # laid beside its base for a month (16.52)
HELD = -4  # to be placed at the base: held back from a battle there (M11), or early (16.41)
EXITED = -5  # left by the enemy map edge (17.1a)
UNUSED = -6  # not in this scenario
BOXES = {POOL: "pool", DEAD: "dead", REFIT: "refit", HELD: "held", EXITED: "exited", UNUSED: "unused"}

NO_DIR = 6  # "no hexside": a move that enters no battle
DIRS = ("E", "NE", "NW", "W", "SW", "SE", "-")

# Moments of a supply check (12.7)
INITIAL, FINAL, BUILDUP = 0, 1, 2

CARD_REAL, CARD_DUMMY = 0, 1
CARDS = (term("real"), term("dummy"))

# Frames: the sequence of play. What lies on the stack with each is in steps.py.
(
    F_SETUP,  # 3.0 free set-up
    F_MONTH,  # 3.1 one month
    F_CHALLENGE,  # 3.3
    F_ANSWER,  # 3.3c
    F_TURN,  # 3.4 one player turn of s.active
    F_OPTION,  # 3.42
    F_SUPPLY_CHECK,  # 12.7
    F_FORTRESS,  # 13.3e who gets fortress supply
    F_OASIS,  # 15.1c who gets oasis supply
    F_MOVES,  # 3.43 which move next
    F_GROUP,  # 5.1
    F_GATHER,  # 5.2c
    F_REGROUP,  # 5.2
    F_DEST,  # 5.1 where to
    F_LEAVE,  # 10.4 partial retreats, after all other moves
    F_LEAVE_HEX,  # 10.3, 10.4 one hex that units leave
    F_PROBE,  # 10.41
    F_MARCH,  # 6.4b declarations, then the dice
    F_MARCH_ROLL,  # 6.4c
    F_ENGAGED,  # 12.5f, 14.2b after all movement of the phase
    F_AVOID,  # 8.4, 10.2
    F_AVOIDING,  # 10.2 one group avoids battle
    F_ROUT,  # 11.3
    F_RETIRE,  # 10.2, 11.3f where each retreating unit goes
    F_PURSUIT,  # 10.5 fire at s.retreating of that side
    F_PURSUIT_ROLL,  # 10.5f
    F_DECLARE,  # 8.6e
    F_BATTLES,  # 9.0a
    F_ROUND,  # 9.1 one combat round
    F_FIRE,  # 9.2
    F_FIRE_ROLL,  # 9.4
    F_LOSSES,  # 9.5b, 10.5g who takes the hits
    F_BUILDUP,  # 16.0
    F_BUILDUP_DICE,  # 16.3
    F_GIVE_UP,  # 16.6a
    F_PLAYER_BUILDUP,  # 16.4 to 16.6
    F_EARLY,  # 16.41
    F_ARRIVE,  # M11
    F_SPEND,  # 16.5
    F_REDEPLOY,  # 16.51
    F_PORT,  # 16.53
    F_RELAY,  # 16.55b lay the minefield won by lifting two
    F_DEAL,  # 16.6b
    F_VICTORY,  # 17.0
    F_GOING,  # 6.0 a unit on its way
    F_GOING_OFF,  # 17.1a on its way off the map
    F_RETIRING,  # 10.2, 11.3f on its way back
) = range(47)
