"""A4.2 A move in hand: where it stands, what it may still spend, and what every expenditure brings about (A8.1)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.locations import Spot
from ..fire.attack import reveal
from ..fire.crews import onlookers
from ..fire.protection import in_the_open
from ..fire.sights import sees
from ..table.ids import F_RESIDUAL, F_WATCH
from ..table.state import Move, State, all_men, good_order, men
from ..table.works import spot
from .points import HALF, left
from .watch import ResidualAt, WatchAt

FAR = 16  # A12.14


class MoverAt(NamedTuple):
    """The move in hand."""

    frame: int


class Walk(NamedTuple):
    """What the list of a mover goes by."""

    move: Move
    here: Hex
    left: int
    stack: int
    """Those who stand together with the movers and may move along."""
    start: Spot
    under: int
    kept: int
    """A4.61 halves of a MF that Assault Movement must leave unspent."""


def walk_of(s: State) -> Walk:
    move = s.move
    assert move is not None
    u = units_of(move.movers)[0]
    here = s.at[u]
    alike = (s.under[u], s.place[u], s.cafp[u])
    together = 0
    if not move.spent:
        near = units_of(men(s, here, s.phasing))
        together = sum(1 << one for one in near if (s.under[one], s.place[one], s.cafp[one]) == alike)
    return Walk(move, here, left(s), together, spot(s, u), s.under[u], int(move.assault and s.edition > 2))


def out(s: State, mask: Mask) -> int:
    """A set of hexes in the numbers of actions."""
    numbers = s.stage.out
    return sum(1 << numbers[h] for h in hexes_in(mask) if h in numbers)


def known_foes(s: State, now: Walk) -> int:
    """A4.14 hexes with Known enemy Infantry."""
    roster = s.stage.roster
    foes = roster.of_side[1 - s.phasing] & roster.men & ~s.concealed & ~s.captive
    if s.edition > 2:
        foes &= ~s.mounted  # they are no Infantry
    return out(s, sum(1 << h for h, units in s.here.items() if units & foes))


def spend(s: State, halves: int, entered: bool, hazardous: bool = False) -> None:
    """A8.1 MF are spent: Residual FP attacks, then the other side may fire; A4.62 `hazardous`: who pushes or climbs."""
    move = s.move
    assert move is not None
    if s.edition > 6:
        move.hazardous = int(hazardous)
    move.spent += halves
    if entered:
        move.here = 0
        s.shots = {}
        s.faced = 0
    move.here += halves
    move.crossing = int(entered)
    s.stack.append(WatchAt(F_WATCH, 1))
    s.stack.append(ResidualAt(F_RESIDUAL))
    if not entered and s.edition > 2 and move.movers & s.concealed:
        lose_cover(s)


def spend_all(s: State) -> None:
    """Nothing is left: the move ends where it is."""
    assert s.move is not None
    s.move.spent += max(0, left(s))
    s.move.ended = 1


def too_few(now: Walk, halves: int) -> Reason | None:
    """A4.13 what every act but a step asks: the MF for it."""
    if now.left >= halves + now.kept and not now.move.ended:
        return None
    if now.kept and now.left >= halves and not now.move.ended:
        return Reason("A4.61", "Assault Movement must leave some MF unspent")
    return Reason("A4.13", "there are not enough MF left for it")


def lose_cover(s: State) -> None:
    """A12.14b moving other than by Assault Movement, or into Open Ground, in sight of the enemy takes the "?" off."""
    move = s.move
    assert move is not None
    foes = onlookers(s, 1 - s.phasing) if s.edition > 2 else good_order(s, all_men(s, 1 - s.phasing)) & ~s.hip
    for u in units_of(move.movers & s.concealed):
        h = s.at[u]
        if move.assault and not in_the_open(s, u):
            continue
        if any(s.stage.grid.distance(s.at[e], h) <= FAR and sees(s, e, h, 1 << u) for e in units_of(foes)):
            reveal(s, 1 << u, "A12.14b")


__all__ = [
    "FAR",
    "HALF",
    "MoverAt",
    "Walk",
    "known_foes",
    "lose_cover",
    "out",
    "spend",
    "spend_all",
    "too_few",
    "walk_of",
]
