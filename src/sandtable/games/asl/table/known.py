"""The table as one side knows it: what odds and announcements are worked out from, so that they tell nothing more."""

from __future__ import annotations

from sandtable.mechanics.masks import units_of

from .ids import GONE
from .state import State, put


def known_to(s: State, side: int) -> State:
    """A12.1, A12.3 the same table without what a side does not know of the enemy: who is hidden is not there, and of
    those under a "?" nobody can say who mans a Gun, nor whether it is Emplaced."""
    roster = s.stage.roster
    foes = roster.of_side[1 - side]
    veiled = (s.concealed | s.hip) & foes
    if not veiled & (roster.guns | s.hip):
        return s
    known = s.copy()
    known.emplaced &= ~veiled
    for gun in units_of(roster.guns & veiled):
        known.holder[gun] = -1
    for u in units_of(s.hip & foes):
        put(known, u, GONE)
    return known


def uncover(s: State) -> int:
    """A12.3 whoever has lost his "?" is hidden no longer; works are hidden without one. Who it is."""
    found = s.hip & ~(s.concealed | s.stage.roster.works)
    s.hip &= ~found
    return found
