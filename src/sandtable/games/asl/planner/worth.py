"""What pieces are worth to the planner, in victory points."""

from __future__ import annotations

from sandtable.mechanics.masks import units_of

from ..table.ids import CREW, GUN, HALF_SQUAD, HERO, LEADER, SQUAD, VEHICLE
from ..table.state import State, gun_of, passengers
from ..turn.victory import worth as points

VEILED = 1.4
"""A piece under a "?": it may be a squad, and it may be nothing."""
BROKEN = 0.6
MACHINE_GUN = 0.10
"""A point of a machine gun's FP, for whoever has it."""


def value(s: State, u: int) -> float:
    """What a piece is worth as it is now."""
    kind = s.kind(u)
    if kind.kind == SQUAD:
        found = 1.6 + 0.1 * kind.fp
    elif kind.kind in (HALF_SQUAD, CREW):
        found = 1.0 + 0.05 * kind.fp
        if kind.kind == CREW and (gun := gun_of(s, u)) >= 0:
            found += 0.7 * s.kind(gun).value
    elif kind.kind in (LEADER, HERO):
        found = 1.6 - 0.7 * kind.leadership
    elif kind.kind == VEHICLE:
        return float(points(s, u)) + sum(value(s, one) for one in passengers(s, u))
    elif kind.kind == GUN:
        return float(kind.value)
    else:
        return 0.3
    if kind.kind in (SQUAD, HALF_SQUAD):
        found += sum(MACHINE_GUN * s.kind(w).fp for w in units_of(s.stage.roster.weapons) if s.holder[w] == u)
    return found * BROKEN if s.broken >> u & 1 else found


def seen_value(s: State, u: int) -> float:
    """The same of an enemy: what lies under a "?" may be anything."""
    return VEILED if s.concealed >> u & 1 else value(s, u)
