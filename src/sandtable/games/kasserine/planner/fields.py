"""How far it is: movement points to a hex from everywhere, with nobody in the way, or past the enemy as he stands."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.paths.goals import costs_to

from ..paths.moves import chart
from ..table.ids import FOOT, MOTORIZED, ROAD_BOUND
from ..table.state import State
from ..table.zones import zone

FAR = 999
MOST = 400  # half points: farther is far enough
FIGHT = 14  # half points that an enemy in the way costs
WATCHED = 2  # and his ZOC (6.21a)

Field = list[int]
"""Hex -> half points from there to a goal."""


def far(s: State, kind: int, goal: Hex) -> Field:
    """From everywhere to a goal with nobody in the way, in this weather; worked out once."""
    kind = MOTORIZED if kind in (MOTORIZED, ROAD_BOUND) else FOOT
    key = f"planner far {s.ground.column} {kind} {goal}"
    kept = s.board.kept
    found: Field | None = kept.get(key)
    if found is None:
        found = kept[key] = costs_to(chart(s, kind), {goal: 0}, FAR, MOST)
    return found


def past(s: State, side: int, kind: int, goal: Hex) -> Field:
    """The same past the enemy: his hexes have to be fought for, his ZOCs cost more."""
    kind = MOTORIZED if kind in (MOTORIZED, ROAD_BOUND) else FOOT
    other = enemy(side)
    # what it costs to enter a hex besides the ground is paid by all who come through it
    tolls = ((FIGHT, s.occ[other]), (WATCHED, zone(s, other) | s.mines[other]))
    return costs_to(chart(s, kind), {goal: 0}, FAR, MOST, 0, tolls)
