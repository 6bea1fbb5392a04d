"""A5.1 How many men a Location holds, A20 prisoners and A26.1 control: whose men and whose ground."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place
from .ids import MMC, SMC
from .state import State, despair, drop, equivalents, good_order, men, put, weapons_of
from .telling import emit

HOLDS = 5  # A20.5 a guard holds so many times its own squad equivalents
FREED = {Place.CREST: Place.IN, Place.BYPASS: Place.GROUND}


def nation_of(s: State, u: int) -> str:
    """F.8a, AMB-191 the nation of a unit: British counters of a Free French side are Free French."""
    nation = s.kind(u).nation
    if nation != "british" or s.edition < 7:
        return nation
    side = str(s.stage.sides[s.stage.roster.side[u]]["nation"])
    return side if side == "free_french" else nation


def overfull(s: State, h: Hex, side: int, more: int = 0) -> bool:
    """A5.1 whether a side has more than 3 squad equivalents or 4 SMC in a Location, with those who would come."""
    here = men(s, h, side)
    if not here and not more & more - 1:
        return False  # one alone has room
    single = sum(1 for u in units_of(here | more) if s.kind(u).kind in SMC)
    coming = sum(s.kind(u).equivalents for u in units_of(more & ~here))  # A5.5 whoever comes has left his Gun
    return equivalents(s, here) + coming > 6 or single > 4


def room_for(s: State, guard: int, u: int) -> bool:
    """A20.5 whether a guard can hold one more prisoner."""
    held = sum(1 << one for one, by in s.guard.items() if by == guard)
    return equivalents(s, held | 1 << u) <= HOLDS * max(1, s.kind(guard).equivalents)


def capture(s: State, u: int, guard: int, rule: str) -> None:
    """A20.21, A20.6 a prisoner is moved to his captor, without his weapons, and counts as lost."""
    for w in units_of(weapons_of(s, u)):
        drop(s, w, s.at[u])
    side = s.stage.roster.side[u]
    s.lost_points[side] += s.kind(u).value
    s.captive |= 1 << u
    s.melee &= ~(1 << u)
    s.under[u] = 0
    s.guard[u] = guard
    put(s, u, s.at[guard])
    s.place[u] = s.place[guard]
    emit(s, "surrendered", rule, {"unit": u, "other": guard, "hex": s.at[u], "side": side})


def free_from(s: State, guard: int) -> None:
    """A20.5, AMB-98 the prisoners of a guard who breaks or is lost are free: broken, where they are."""
    for u in [one for one, by in s.guard.items() if by == guard]:
        del s.guard[u]
        side = s.stage.roster.side[u]
        s.captive &= ~(1 << u)
        s.lost_points[side] -= s.kind(u).value
        s.broken |= 1 << u
        if s.edition > 6:  # B20.9, A4.31 they are where their guard is, but not at a rim, nor beside an obstacle
            s.place[u], s.cafp[u] = FREED.get(Place(s.place[guard]), s.place[guard]), 0
        despair(s, 1 << u)
        emit(s, "freed", "A20.5", {"unit": u, "hex": s.at[u], "side": side})


def count_prisoners(s: State) -> None:
    """A20.6, A26.2 whoever is still held at the end counts double."""
    for u in s.guard:
        s.lost_points[s.stage.roster.side[u]] += s.kind(u).value


def take_control(s: State, h: Hex, side: int) -> None:
    """A26.1 a hex is controlled by the side whose Good Order MMC was in it last without an unbroken enemy MMC."""
    own = [u for u in units_of(good_order(s, men(s, h, side))) if s.kind(u).kind in MMC]
    foes = [u for u in units_of(men(s, h, 1 - side) & ~s.broken) if s.kind(u).kind in MMC]
    if not own or foes:
        return
    if side:
        s.control |= 1 << h
    else:
        s.control &= ~(1 << h)
