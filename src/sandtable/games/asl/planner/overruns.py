"""D7 Overruns: whom it pays to drive over, and what that may cost the vehicle."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..fire.crews import vehicle_of
from ..fire.firepower import underfoot
from ..fire.ift import ift
from ..fire.sights import smoke_in
from ..table.ids import DUMMY, MMC, SQUAD, UNDER_SANGAR
from ..table.state import State, men, vehicles
from ..vehicles.overrun import overrun_fp
from .fires import VEILED_MORALE
from .gunnery import Range
from .outlook import Outlook, guns_of
from .worth import VEILED, share_lost, value

SQUAD_STRIKES, OTHERS_STRIKE = 0.11, 0.07
"""D7.2 what one squad, or a crew, takes of a vehicle that drives over it."""
POINT_BLANK = -2
"""What a gun gains against a vehicle in its own hex."""
SHELLED = 0.6
"""How likely a gun is turned and fired before it is overrun."""


def overrunnable(out: Outlook) -> dict[Hex, int]:
    """Hex -> the enemy Infantry, Guns and "?" in it, where no vehicle stands with them."""
    s, roster = out.s, out.s.stage.roster
    theirs = roster.of_side[1 - out.me] & ~(s.hip | s.captive | s.mounted)
    found = {}
    for h, pieces in s.here.items():
        there = pieces & theirs & (roster.men | roster.guns | roster.dummies)
        if there and not vehicles(s, h, 1 - out.me):
            found[h] = there
    return found


def trodden(out: Outlook, u: int, h: Hex, there: int) -> float:
    """What an Overrun is expected to cost those who lie in a hex, in victory points."""
    s, kind = out.s, vehicle_of(out.s, u)
    column = ift().column(overrun_fp(s, u) / 2)
    targets = there & ~s.stage.roster.guns
    count, found, hazy = max(1, targets.bit_count()), 0.0, smoke_in(s, h)
    for one in units_of(targets):
        if s.concealed >> one & 1:
            found += VEILED * share_lost(ift().column(overrun_fp(s, u) / 4), 0, VEILED_MORALE, count)
            continue
        who = s.kind(one)
        if who.kind == DUMMY:
            continue
        broken = bool(s.broken >> one & 1)
        drm = hazy + sum(part.value for part in underfoot(s, 1 << one, bool(hazy)))
        morale = who.broken_morale if broken else who.morale or VEILED_MORALE
        worth = value(s, one) * (1.5 if _wanted(out, one) else 1.0)
        found += worth * share_lost(column, drm, morale, count, broken)
    if kind.tracked and kind.armoured:  # F8.41b a Gun in a sangar is crushed with it
        for gun in units_of(there & s.stage.roster.guns):
            if s.under[gun] == UNDER_SANGAR:
                found += 0.5 * value(s, gun)
    return found


def _wanted(out: Outlook, u: int) -> bool:
    s = out.s
    return any(s.holder[g] == u for g in units_of(out.aims.prey)) or bool(out.aims.prey >> u & 1)


def struck(out: Outlook, u: int, h: Hex, vca: int) -> float:
    """The share of the vehicle that those whom it overruns may take."""
    s, left, reckoned = out.s, 1.0, Range(out.s)
    for one in units_of(men(s, h, 1 - out.me) & ~(s.hip | s.broken)):
        if s.kind(one).kind not in MMC:
            continue
        left *= 1 - (SQUAD_STRIKES if s.kind(one).kind == SQUAD or s.concealed >> one & 1 else OTHERS_STRIKE)
        if not s.concealed >> one & 1:
            for gun, tube in guns_of(s, one):
                left *= 1 - SHELLED * reckoned.share(gun, tube, s.at[u], u, h, vca, POINT_BLANK)
    return 1 - left


def overruns(s: State, u: int) -> bool:
    """Whether a vehicle is one to overrun with: armoured, and with something to fire."""
    kind = vehicle_of(s, u)
    return kind.armoured and not s.recalled >> u & 1 and overrun_fp(s, u) >= STRONG


STRONG = 8
"""Halves of FP below which it is not worth while."""
