"""What pieces are worth to the planner in victory points, and what an attack on the IFT is expected to cost them."""

from __future__ import annotations

from functools import cache

from sandtable.mechanics.masks import units_of

from ..fire.ift import FIRST_K, FIRST_KIA, NO_EFFECT, PIN_CHECK, ift, killed, morale_modifier
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


DICE = [(n, (6 - abs(7 - n)) / 36) for n in range(2, 13)]
PIN, BREAK, REDUCED, LOST = 0.12, 0.5, 0.6, 1.0
"""What is lost with a unit that is pinned, broken, reduced to half, eliminated."""


@cache
def above(number: int) -> float:
    """The chance that two dice come to more than a number."""
    return sum(chance for roll, chance in DICE if roll > number)


@cache
def equal(number: int) -> float:
    return sum(chance for roll, chance in DICE if roll == number)


@cache
def check(morale: int, more: int, broken: bool) -> float:
    """A Morale Check: broken if it fails, pinned by the highest roll that passes; who is broken is reduced."""
    failed = above(morale - more)
    return failed * REDUCED if broken else failed * BREAK + equal(morale - more) * PIN


@cache
def taken(result: int, morale: int, count: int, broken: bool) -> float:
    """The share of one of `count` targets that a result of the IFT takes on average."""
    if result == NO_EFFECT:
        return 0.0
    if result == PIN_CHECK:
        return 0.0 if broken else above(morale) * PIN
    if result < FIRST_K:
        return check(morale, morale_modifier(result), broken)
    if result < FIRST_KIA:
        return REDUCED / count + (1 - 1 / count) * check(morale, morale_modifier(result), broken)
    dead = min(1.0, killed(result) / count)
    return dead * LOST + (1 - dead) * (REDUCED if broken else BREAK)


@cache
def share_lost(column: int, drm: int, morale: int, count: int, broken: bool = False) -> float:
    """The share of one of `count` targets that an attack on a column takes on average."""
    if column < 0:
        return 0.0
    return sum(chance * taken(ift().result(column, roll + drm), morale, count, broken) for roll, chance in DICE)


def on_column(fp: float, drm: int, morale: int = 7, count: int = 1) -> float:
    """The same by FP, against a plain squad unless told otherwise."""
    return share_lost(ift().column(fp), drm, morale, count)
