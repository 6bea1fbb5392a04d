"""The small numbers of the game by name: sides, classes, weather, phases, boxes."""

from __future__ import annotations

AXIS, ALLIED = 0, 1
SIDES = ("axis", "allied")

GERMAN, ITALIAN, US, BRITISH, FRENCH = range(5)
NATIONS = ("German", "Italian", "US", "British", "French")

# 2.23, 3.14 movement classes by how the MA is printed
RED, ORANGE, PLAIN = range(3)
CLASSES = ("red", "orange", "plain")

# 2.25, 2.26, 8.54a, 9.4, 11.22 groups of types
ARTILLERY_TYPES = ("artillery", "armored_artillery", "rocket_artillery")
GUN_TYPES = ("at", "td", "aa", "heavy_aa")

# 3.71b, 3.74 the weather of a turn; Lingering Mud is the Cloudy turn after Rain
DRY, CLOUDY, RAIN, MUD = range(4)
WEATHERS = ("dry", "cloudy", "rain", "lingering_mud")

# 6.41 the columns of the Terrain Effects Chart that a weather uses
DRY_GROUND, RAIN_GROUND, MUD_GROUND = range(3)
GROUND_OF = (DRY_GROUND, DRY_GROUND, RAIN_GROUND, MUD_GROUND)

# 6.31 who pays what: motorized units (red box, orange circle), others, mountain units (13.12), Tigers on roads (13.22)
MOTORIZED, FOOT, ALPINE, ROAD_BOUND = range(4)

# 3.62, 3.63 the side of a counter that shows
FULL, REDUCED = 0, 1
SHOWS = ("full strength", "reduced")

# 2.14 boxes: where counters are that stand in no hex
UNUSED, TO_COME, ELIMINATED, EXITED, WITHDRAWN, READY, FLOWN, INTERDICTION = range(-1, -9, -1)
BOXES = {
    UNUSED: "unused",
    TO_COME: "to_come",
    ELIMINATED: "eliminated",
    EXITED: "exited",
    WITHDRAWN: "withdrawn",
    READY: "ready",
    FLOWN: "flown",
    INTERDICTION: "interdiction",
}

# 4.2 the sequence of play
PHASES = (
    "weather",
    "reinforcements",
    "supply_determination",
    "air_readiness",
    "joint_air",
    "axis_movement",
    "allied_reaction",
    "axis_combat",
    "axis_motorized_movement",
    "allied_movement",
    "axis_reaction",
    "allied_combat",
    "allied_motorized_movement",
    "engineer",
    "reorganization",
    "victory_determination",
    "turn_record",
)
(
    A1_WEATHER,
    A2_REINFORCEMENTS,
    A3_SUPPLY,
    A4_AIR_READINESS,
    A5_JOINT_AIR,
    B1_MOVEMENT,
    B2_REACTION,
    B3_COMBAT,
    B4_MOTORIZED,
    C1_MOVEMENT,
    C2_REACTION,
    C3_COMBAT,
    C4_MOTORIZED,
    D1_ENGINEER,
    D2_REORGANIZATION,
    D3_VICTORY,
    D4_TURN_RECORD,
) = range(17)
PHASE_CODES = ("A1", "A2", "A3", "A4", "A5", "B1", "B2", "B3", "B4", "C1", "C2", "C3", "C4", "D1", "D2", "D3", "D4")

# 8.32 the two Combat Results Tables
ASSAULT, MOBILE = 0, 1
CRTS = ("assault", "mobile")

# 8.4, 10.2 what a coordination check is for
ARTILLERY_CHECK, GROUND_CHECK, AIR_CHECK = range(3)
CHECKS = ("artillery", "ground", "air")
