"""How far it is: movement points to a hex from everywhere, with nobody in the way, or past the enemy as he stands."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.paths.charts import Chart

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
        found = kept[key] = spread(chart(s, kind), goal)
    return found


def past(s: State, side: int, kind: int, goal: Hex) -> Field:
    """The same past the enemy: his hexes have to be fought for, his ZOCs cost more."""
    kind = MOTORIZED if kind in (MOTORIZED, ROAD_BOUND) else FOOT
    other = enemy(side)
    return spread(chart(s, kind), goal, s.occ[other], zone(s, other) | s.mines[other])


def spread(steps: Chart, goal: Hex, dear: Mask = 0, watched: Mask = 0) -> Field:
    """Backwards from a goal, cheapest first."""
    ways = steps.ways
    found = [FAR] * len(ways)
    # what it costs to enter a hex besides the ground is paid by all who come through it
    more = [0] * len(ways)
    for mask, toll in ((dear, FIGHT), (watched, WATCHED)):
        for h in hexes_of(mask):
            more[h] += toll
    found[goal] = 0
    rings: list[list[Hex]] = [[] for _ in range(MOST + 1)]
    rings[0].append(goal)
    for points, ring in enumerate(rings):
        for h in ring:
            if found[h] != points:
                continue
            so_far = points + more[h]
            for n, _, price, _ in ways[h]:
                total = so_far + price
                if total < found[n]:
                    found[n] = total
                    if total <= MOST:
                        rings[total].append(n)
    return found
