"""3.2 Zones of control, and the control of hexes (3.12)."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask

from .state import State


def zone(s: State, side: int) -> Mask:
    """3.23 the hexes in this side's ZOC: around its combat units (3.21), for motorized ones over some steps only."""
    found = s.zones[side]
    if found < 0:
        grid, sides = s.board.grid, s.ground.motorized_zoc
        foot, motorized = s.foot_zoc[side], s.motor_zoc[side]
        found = 0
        for d in range(6):
            found |= grid.step(foot | motorized & sides[d], d)
        s.zones[side] = found
    return found


def settle_control(s: State) -> None:
    """3.12, A1 occupation wins; else an uncontested ZOC takes control and leaves it behind; contested hexes stay."""
    axis, allied = zone(s, 0), zone(s, 1)
    gained = axis & ~allied & ~s.occ[1] | s.occ[0]
    lost = allied & ~axis & ~s.occ[0] | s.occ[1]
    s.control = (s.control | gained) & ~lost


def controls(s: State, side: int, h: Hex) -> bool:
    """3.12 whether this side controls a hex."""
    return bool(s.control >> h & 1) == (side == 0)
