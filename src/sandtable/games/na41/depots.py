"""17.1.4 ASUs that take a supply point to be ready again: in the Supply Phase and in the Movement Phase."""

from __future__ import annotations

from .board import units_of
from .position import add_sp, emit, good_order, supply_points, touch
from .state import State


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


def refittable(s: State, side: int) -> int:
    """17.1.4b the depleted ASUs in Good Order (13.2.1d) that are stacked with an SP; no use under a transport marker
    (21.1.5b)."""
    units = s.depleted & s.board.asus & s.board.of_side[side] & good_order(s) & ~s.shipped
    at = s.at
    return sum([1 << u for u in units_of(units) if at[u] >= 0 and stocked(s, side, at[u])])


def refit(s: State, u: int) -> None:
    """17.1.1e, 17.1.4b the ASU is flipped to ready and the SP is gone."""
    side, place = s.board.side[u], s.at[u]
    take_sp(s, side, place)
    s.depleted &= ~(1 << u)
    touch(s)
    emit(s, "ready", "17.1.4b", {"unit": u, "hex": place, "side": side})
