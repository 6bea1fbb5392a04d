"""F11.74 Vehicle Dust: one counter a vehicle, in the hex that it left last."""

from __future__ import annotations

from sandtable.engine.hexes import Hex

from ..boards.costs import HALF
from ..table.state import State
from ..table.telling import emit
from .points import raises_dust

LIGHT = 2 * HALF
"""F11.74a, AMB-32 entering a hex for this or less at once raises dust."""


def raised_by(s: State, u: int, halves: int, here: Hex, there: Hex) -> bool:
    """F11.74a, F11.74b whether entering the next hex for so many MP would leave dust in this one."""
    move = s.move
    if move is None or not raises_dust(s):
        return False
    d = s.stage.field.grid.direction(here, there)
    paved = s.edition > 2 and d >= 0 and s.stage.field.roads[d] >> here & 1
    return halves <= LIGHT and not move.started and not move.escort and not paved


def follow(s: State, u: int, here: Hex, there: Hex, halves: int) -> None:
    """F11.74a, F11.74c the old counter goes as the vehicle leaves its hex, a new one may come: then that alone is told;
    D2.3 along one hexside after another of the same hex it leaves none."""
    if here == there and s.edition > 5:
        if s.move is not None and not s.move.spent:
            clear(s, u)
        return
    raised = raised_by(s, u, halves, here, there)
    if raised and s.edition > 5:
        s.trail.pop(u, None)
    clear(s, u)
    if raised:
        s.trail[u] = here
        emit(s, "dust", "F11.74a", {"unit": u, "hex": here, "side": s.stage.roster.side[u]})


def clear(s: State, u: int) -> None:
    if s.trail.pop(u, -1) >= 0:
        emit(s, "dust_settles", "F11.74c", {"unit": u, "side": s.stage.roster.side[u]})


def settle_motion(s: State, u: int) -> None:
    """F11.74c the dust of a vehicle that began its MPh in Motion goes as soon as it spends any MP."""
    clear(s, u)


def settle_stopped(s: State) -> None:
    """F11.74c, F11.74f at the start of a PFPh: the dust of own vehicles that are not in Motion, or destroyed, goes."""
    own = s.stage.roster.of_side[s.phasing]
    for u in [u for u in sorted(s.trail) if own >> u & 1 and not s.motion >> u & 1]:
        clear(s, u)
