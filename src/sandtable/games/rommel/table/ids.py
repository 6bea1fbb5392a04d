"""The words of the game as numbers: sides, classes, options, boxes, verbs and frames."""

from __future__ import annotations

AXIS, COMMONWEALTH = 0, 1
SIDES = ("axis", "commonwealth")

ARMOUR, INFANTRY, ANTITANK, ARTILLERY = 0, 1, 2, 3
CLASSES = ("armour", "infantry", "antitank", "artillery")

BASIC, OFFENSIVE, ASSAULT, BLITZ, PASS = 0, 1, 2, 3, 4
OPTIONS = ("basic", "offensive", "assault", "blitz", "pass")

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

# Verbs of the players
(
    V_PLACE,  # place UNIT HEX                 3.0 free set-up
    V_ACCEPT,  # accept                        3.0 the rest as the scenario prints it
    V_CHALLENGE,  # challenge real|dummy       3.3b
    V_NO_CHALLENGE,
    V_ANSWER,  # answer real|dummy             3.3c
    V_NO_ANSWER,
    V_SUPPLY,  # supply UNIT                   13.3e fortress supply
    V_OASIS,  # oasis UNIT                     15.1c
    V_ASSIGNED,  # assigned                    no more fortress supply
    V_OPTION,  # option NAME DUMMIES           3.42, 4
    V_PASS,  # pass                            4.5
    V_GROUP,  # group HEX ROMMEL               5.1
    V_REGROUP,  # regroup HEX ROMMEL           5.2 the command point
    V_GATHER,  # gather HEX                    5.2c the destination of a regroup move
    V_MOVE,  # move UNIT                       5.1c pick the unit to move
    V_TO,  # to HEX VIA                        its destination, VIA the hexside it engages through
    V_EXIT,  # exit HEX                        17.1a leave the map from that edge hex
    V_JOIN,  # join UNIT VIA                   5.2e a unit of the regroup move goes to the destination
    V_ROUT,  # rout HEX                        11.4b resolve an overrun now
    V_END_MOVE,  # end-move                    this group or regroup move is over
    V_ABANDON,  # abandon                      5.3f the withdrawal shortens nothing: give it up
    V_END_MOVES,  # end-moves                  no more moves in this phase
    V_MARCH,  # march UNIT HEX VIA             6.4b declare a forced march
    V_MARCHES,  # marches                      6.4b all forced marches are declared
    V_PROBE,  # probe HEX                      10.41a
    V_NO_PROBE,  # no-probe HEX
    V_STAND,  # stand HEX                      8.2c
    V_AVOID,  # avoid HEX                      10.2
    V_FIGHT,  # fight HEX                      8.6e
    V_ASSAULT,  # assault HEX                  8.6f
    V_DECLARED,  # declared
    V_RESOLVE,  # resolve HEX                  9.0a
    V_FIRE,  # fire UNIT CLASS                 9.2b
    V_LOSE,  # lose UNIT                       9.5b one step of this unit
    V_ARRIVE,  # arrive UNIT                   M11 enter the battle in the base
    V_HOLD,  # hold UNIT                       M11
    V_REDEPLOY,  # redeploy UNIT               16.51
    V_SHIP,  # ship UNIT                       16.53
    V_PORT,  # port HEX                        16.53
    V_REFIT,  # refit UNIT                     16.52
    V_REBUILD,  # rebuild UNIT                 16.54 one step
    V_MINE,  # mine HEX                        16.55a
    V_LIFT,  # lift HEX HEX                    16.55b dismantle two minefields
    V_BUY,  # buy                              16.5 an extra supply card
    V_SPENT,  # spent                          16.5 no more spending
    V_GIVE,  # give real|dummy                 16.6a give up a card
    V_KEEP,  # keep                            16.6a give up no more
    # Verbs of chance
    V_ROLLED,  # rolled N                      one die or a sum of dice
    V_HITS,  # hits N                          number of hits of a throw
    V_DEALT,  # dealt N                        number of real cards among those dealt
) = range(50)

CARD_REAL, CARD_DUMMY = 0, 1
CARDS = ("real", "dummy")

# Frames: the sequence of play. The numbers behind each name are its arguments on the stack.
(
    F_SETUP,  # side, k                        3.0 free set-up, k units placed
    F_MONTH,  # step                           3.1 one month
    F_CHALLENGE,  #                            3.3
    F_ANSWER,  # card                          3.3c
    F_TURN,  # step                            3.4 one player turn of s.active
    F_OPTION,  #                               3.42
    F_SUPPLY_CHECK,  # side, moment, step      12.7
    F_FORTRESS,  # side, moment, fortress, left   13.3e who gets fortress supply
    F_OASIS,  # side, moment, hex              15.1c who gets oasis supply
    F_MOVES,  # made, blitz                    3.43 which move next
    F_GROUP,  # hex, rommel, withdrawal, begun   5.1
    F_GATHER,  # hex, rommel, withdrawal       5.2c
    F_REGROUP,  # hex, rommel, withdrawal, dest, begun   5.2
    F_DEST,  # unit, rommel, withdrawal        5.1 where to
    F_LEAVE,  # blitz                          10.4 partial retreats, after all other moves
    F_LEAVE_HEX,  # hex, step, kind of retreat 10.3, 10.4 one hex that units leave
    F_PROBE,  # hex, fought                    10.41
    F_MARCH,  # blitz, declared                6.4b declarations, then the dice
    F_MARCH_ROLL,  # unit                      6.4c
    F_ENGAGED,  # step                         12.5f, 14.2b after all movement of the phase
    F_AVOID,  # asked                          8.4, 10.2
    F_AVOIDING,  # hex, step                   10.2 one group avoids battle
    F_ROUT,  # hex, side, step, probe          11.3
    F_RETIRE,  # hex, side, asked              10.2, 11.3f where each retreating unit goes
    F_PURSUIT,  # hex, side, spare the fired   10.5 fire at s.retreating of that side
    F_PURSUIT_ROLL,  # hex, side, dice
    F_DECLARE,  # blitz, asked                 8.6e
    F_BATTLES,  # blitz                        9.0a
    F_ROUND,  # hex, step, probe               9.1 one combat round
    F_FIRE,  # hex, side, probe                9.2
    F_FIRE_ROLL,  # hex, side, unit, class, dice, halves a hit
    F_LOSSES,  # hex, side, class              9.5b, 10.5g who takes the hits
    F_BUILDUP,  # step, first player           16.0
    F_BUILDUP_DICE,  # side, Axis roll         16.3
    F_GIVE_UP,  # side                         16.6a
    F_PLAYER_BUILDUP,  # side, step            16.4 to 16.6
    F_EARLY,  # side, unit                     16.41
    F_ARRIVE,  # side, unit                    M11
    F_SPEND,  # side                           16.5
    F_REDEPLOY,  # side, unit                  16.51
    F_PORT,  # side, unit                      16.53
    F_RELAY,  # side                           16.55b lay the minefield won by lifting two
    F_DEAL,  # side, cards                     16.6b
    F_VICTORY,  #                              17.0
) = range(44)
