"""3.3 Stacking by points."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from .position import units_in
from .state import State


def limit(s: State) -> int:
    """3.32a"""
    found: int = s.board.charts.constants["stacking_limit_sp"]
    return found


def points(s: State, units: int) -> int:
    """3.31 the stacking points of these units by the sides that show."""
    sp, step, found = s.board.sp, s.step, 0
    for u in units_of(units & s.board.ground):
        found += sp[u][step[u]]
    return found


def points_in(s: State, h: Hex, side: int) -> int:
    """The stacking points of a side in a hex."""
    return points(s, units_in(s, h, side))


def room(s: State, h: Hex, side: int, units: int) -> bool:
    """3.32a whether these units fit into a hex beside those of their side that are there."""
    return points(s, units_in(s, h, side) | units) <= limit(s)
