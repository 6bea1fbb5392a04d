"""17.1.4 ASUs that take a supply point to be ready again: in the Supply Phase and in the Movement Phase; 17.2.3d SPs
that their owner destroys."""

from __future__ import annotations

from typing import Any

from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Only
from sandtable.mechanics.shown.telling import emit

from ..table.position import add_sp, dumps, good_order, of_no_use, supply_points, touch
from ..table.state import State
from ..table.verbs import V_DESTROY_SP


def laden(s: State, side: int, place: int) -> int:
    """17.2.4 the MSUs of a side in a place whose SP can be spent; not under a transport marker (5.9.1i)."""
    return s.msu & s.here.get(place, 0) & s.board.of_side[side] & ~s.shipped


def stocked(s: State, side: int, place: int) -> bool:
    """Whether a side has an SP to spend in a place: on the ground, or on an MSU (17.2.4b)."""
    return supply_points(s, side, place) > 0 or laden(s, side, place) != 0


def take_sp(s: State, side: int, place: int) -> None:
    """17.2.2 one SP of a place is spent: from the ground first, then from an MSU, a truck again (17.2.4b)."""
    if supply_points(s, side, place) > 0:
        add_sp(s, side, place, -1)
        return
    load = laden(s, side, place)
    s.msu &= ~(load & -load)
    touch(s)


def depleted(s: State, side: int) -> int:
    """17.1.4b the depleted ASUs in Good Order (13.2.1d); of no use under a naval transport marker (21.1.5b)."""
    return s.depleted & s.board.asus & s.board.of_side[side] & good_order(s) & ~of_no_use(s) & s.present


def refittable(s: State, side: int) -> int:
    """17.1.4b those of them that are stacked with an SP."""
    at = s.at
    return sum([1 << u for u in units_of(depleted(s, side)) if stocked(s, side, at[u])])


def refit(s: State, u: int, msu: int = 0) -> None:
    """17.1.1e, 17.1.4b the ASU is flipped to ready and the SP is gone: that of this MSU (as a mask), or any."""
    side, place = s.board.side[u], s.at[u]
    if msu:
        s.msu &= ~msu  # 17.2.4b
    else:
        take_sp(s, side, place)
    s.depleted &= ~(1 << u)
    touch(s)
    emit(s, "ready", "17.1.4b", {"unit": u, "hex": place, "side": side})


# 17.2.3d Own destruction, at any time in the own player turn

DESTROY: Each[State, Any, Any] = Only(
    V_DESTROY_SP,
    "17.2.3d",
    "you have no supply point there that an enemy could take",
    lambda s, _: dumps(s, s.active),
    take=lambda s, f, place: destroy_sp(s, place),
)
"""17.2.3d `destroy-sp PLACE` for the hexes with own SPs; in a box no enemy ever comes for them (6.1.2b)."""


def destroy_sp(s: State, place: int) -> None:
    """17.2.3d a player destroys one of his own SPs, without a roll."""
    add_sp(s, s.active, place, -1)
    if place in s.sp_moved and s.sp[s.active].get(place, 0) < s.sp_moved.count(place):
        s.sp_moved.remove(place)
    emit(s, "sp_destroyed", "17.2.3d", {"hex": place, "side": s.active, "count": 1})
