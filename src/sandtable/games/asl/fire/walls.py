"""B9.32 Wall Advantage: who holds the walls and hedges of a hex."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.crests import crest_front
from ..boards.locations import Place, elevation
from ..table.state import State, all_men, men
from ..table.works import spot


def sides_of(s: State, u: int) -> list[int]:
    """The wall and hedge hexsides over which a unit may claim; F10.3c not those that stand above it."""
    field, h = s.stage.field, s.at[u]
    level = elevation(field, spot(s, u))
    found = []
    for d, n in field.grid.neighbours[h]:
        if not (field.side("wall", h, d) or field.side("hedge", h, d)) or level < max(field.base[h], field.base[n]):
            continue
        if s.place[u] == Place.CREST and d not in crest_front(field, h, s.cafp[u]):  # F10.3d
            continue
        found.append(d)
    return found


def taken(s: State, h: Hex, side: int, sides: list[int]) -> bool:
    """Whether an enemy across one of these hexsides holds it."""
    return any(s.walled & men(s, s.stage.grid.neighbour(h, d), 1 - side) for d in sides)


def claim(s: State, u: int) -> None:
    """B9.32, AMB-100 an unbroken unit that is not concealed claims Wall Advantage as soon as it may."""
    sides = [] if s.concealed >> u & 1 else sides_of(s, u)
    if sides and not taken(s, s.at[u], s.stage.roster.side[u], sides):
        s.walled |= 1 << u


def claim_walls(s: State) -> None:
    """At the start of a phase: those who hold it keep it, then the side that waits, then the side that moves."""
    field = s.stage.field
    if not any(field.sides["wall"]) and not any(field.sides["hedge"]):
        return
    s.walled &= ~(s.broken | s.captive | s.mounted)
    for side in (1 - s.phasing, s.phasing):
        for u in units_of(all_men(s, side) & ~(s.broken | s.walled)):
            claim(s, u)
