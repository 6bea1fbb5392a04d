"""13.3.2e Units in Full Retreat give way as soon as an enemy combat unit comes beside them, and at the end of their own
Movement Phase if they have stayed beside one (13.3.2c).

Whoever moves, advances or retreats asks `check` after each step; the frame that it puts on the stack is settled
before the mover goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.telling import emit

from ..table.frames import CarryAt, DisplaceAt, OverstackAt, PortsAt, RetreatUnitAt
from ..table.ids import F_CARRY, F_DISPLACE, F_OVERSTACK, F_PORTS, F_RETREAT_UNIT
from ..table.position import eliminate, units_in, zone
from ..table.state import State
from .surrender import abandon, free_trucks

DISPLACED = 5
"""The errand of a retreat (retreats.py): 2 hexes, or 1 to a friend who is not in Full Retreat."""

BEFORE_DISPLACEMENT = 2
"""The moment of F_CARRY."""


def lonely(s: State, side: int) -> Mask:
    """13.3.2e the hexes of this side that hold no combat unit but such in Full Retreat."""
    return s.men[side] & ~s.zocs[side]


def exposed(s: State, side: int) -> Mask:
    """13.3.2c those of them that have an enemy beside them.

    An enemy that is itself in Full Retreat drives nobody away: it keeps nothing but its movement (13.3.3).
    """
    found = lonely(s, side)
    return found & zone(s, enemy(side)) if found else 0


def check(s: State, units: int, path: Iterable[Hex] = ()) -> None:
    """13.3.2e these units have begun a move or ended a step (or have come along this path): who must go at once?

    Who stands beside other enemies stays where it is: they have not moved.
    """
    board, at = s.board, s.at
    units &= board.combat & ~s.routed
    if not units:
        return
    side = enemy(board.side[units.bit_length() - 1])
    if s.men[side] == s.zocs[side]:  # nobody is `lonely`
        return
    found = lonely(s, side)
    beside = 0
    for h in path or [at[u] for u in units_of(units)]:
        beside |= board.around[h]
    drive(s, side, found & beside)


def drive(s: State, side: int, hexes: Mask) -> None:
    """13.3.2e the units of these hexes retreat."""
    if hexes:
        s.displaced |= hexes
        s.stack.append(DisplaceAt(F_DISPLACE, side))


class Displace(Frame[State, DisplaceAt]):
    """13.3.2e One unit after the other leaves. Frame: side, and the hex whose trucks have been asked."""

    at = DisplaceAt

    def run(self, s: State, f: DisplaceAt) -> None:
        side = f.side
        found = s.displaced & lonely(s, side)
        if not found:
            s.displaced = 0
            s.stack.pop()
            return
        h = (found & -found).bit_length() - 1
        units = units_in(s, h, side) & s.board.combat
        on_foot = sum(1 << u for u in units_of(units & s.board.foot) if s.carried[u] < 0)
        if on_foot and f.asked != h and free_trucks(s, side, h):
            s.stack[-1] = DisplaceAt(F_DISPLACE, side, h)
            s.stack.append(CarryAt(F_CARRY, side, BEFORE_DISPLACEMENT, h))
        elif on_foot:
            for u in units_of(on_foot):  # 12.5.1a, 13.3.2g
                eliminate(s, u, "12.5.1a", surrenders=True)
            if on_foot == units:
                abandon(s, side, h, surrendered=True)
        else:
            u = units_of(units)[0]
            over = s.stack[-2:-1] in (
                [PortsAt(F_PORTS)],
                [OverstackAt(F_OVERSTACK, s.active)],
            )  # its own Movement Phase (movement.py)
            emit(s, "displaced", "13.3.2c" if over else "13.3.2e", {"unit": u, "hex": h, "side": side})
            s.stack.append(
                RetreatUnitAt(F_RETREAT_UNIT, s.carried[u] if s.carried[u] >= 0 else u, DISPLACED, 0, 0, (h,))
            )


FRAMES: dict[int, Frame[State, Any]] = {F_DISPLACE: Displace()}
