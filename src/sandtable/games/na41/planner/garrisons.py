"""Who has to stay in a place, or to come into it, so that it is not lost at once."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, hexes_in, units_of

from ..table.position import controls
from ..table.state import State
from .worth import cover, place_worth

AROUND = 7  # hexes within which an enemy counts
SHARE = 5.0  # attack points of the enemy nearby that one point of defence, with its cover, keeps off
RISK = 0.5  # how much of the worth of a place is lost that lies bare to the enemy


def firm(s: State, side: int, units: int, h: Hex) -> float:
    """How firmly some units would hold a hex."""
    board = s.board
    able = units & board.combat & ~board.asus & ~s.routed
    return sum(board.dfn[u][s.step[u]] for u in units_of(able)) * (1.0 + 0.3 * cover(s, h, side))


def threat(s: State, side: int, h: Hex) -> float:
    """The attack strength of the enemies around a hex."""
    board, foe = s.board, enemy(side)
    units = 0
    for x in hexes_in(s.men[foe] & board.grid.within(h, AROUND)):
        units |= s.here[x] & board.of_side[foe]
    return float(sum(board.att[u][s.step[u]] for u in units_of(units & ~s.routed)))


def want(s: State, side: int, h: Hex, units: int) -> float:
    """What a place that is held by these units alone stands to lose, in what it is worth."""
    if not s.board.controllable >> h & 1:
        return 0.0
    danger = threat(s, side, h)
    if not danger:
        return 0.0
    need = max(danger / SHARE, 1.0)
    return RISK * place_worth(s, h) * max(0.0, 1.0 - firm(s, side, units, h) / need)


def loss_of_leaving(s: State, side: int, units: int, here: Hex) -> float:
    """What it costs that some units leave a place."""
    if s.board.is_box(here) or not controls(s, side, here):
        return 0.0
    there = s.here.get(here, 0) & s.board.of_side[side]
    return want(s, side, here, there & ~units) - want(s, side, here, there)


def gain_of_coming(s: State, side: int, units: int, h: Hex) -> float:
    """What it brings that some units come into a place, which is theirs then."""
    there = s.here.get(h, 0) & s.board.of_side[side]
    return want(s, side, h, there) - want(s, side, h, there | units)
