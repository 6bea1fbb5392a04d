"""D5.341 A Recalled vehicle makes for the nearest friendly edge."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import hexes_in

from ..table.state import State

EDGES = {"N": "north", "S": "south", "E": "east", "W": "west"}


def friendly_edges(s: State, side: int) -> list[str]:
    """AMB-90 the edges by which its side enters; for a side that only sets up, the one opposite the enemy's."""
    own = _entries(s, side)
    if own:
        return own
    opposite = {"N": "S", "S": "N", "E": "W", "W": "E"}
    return [opposite[one] for one in _entries(s, 1 - side)] or ["N" if side == 0 else "S"]


def _entries(s: State, side: int) -> list[str]:
    found = [str(group["edge"]["edge"]) for group in s.stage.sides[side]["group"] if "edge" in group]
    return sorted({one for one in found if one in EDGES})


def distance_home(s: State, h: Hex, side: int) -> int:
    """Hexes to the nearest friendly edge."""
    edges = s.stage.field.edges
    homes = [x for edge in friendly_edges(s, side) for x in hexes_in(edges[edge])]
    return min((s.stage.grid.distance(h, x) for x in homes), default=0)


def astray(s: State, u: int, here: Hex, there: Hex) -> bool:
    """Whether a Recalled vehicle would go away from home."""
    if not s.recalled >> u & 1:
        return False
    side = s.stage.roster.side[u]
    return distance_home(s, there, side) > distance_home(s, here, side)


def points_at_end(s: State) -> None:
    """D5.341 what is Recalled and still on the map counts as eliminated at game end."""
    for u, h in enumerate(s.at):
        if h >= 0 and s.recalled >> u & 1 and not s.wreck >> u & 1:
            s.lost_points[s.stage.roster.side[u]] += s.kind(u).value
