"""7 Zones of control.

All masks are of the hexes that the ZOC of a side reaches; for a unit of the other side they are EZOCs. None leads
into or out of a box (6.2b), because boxes are beside nothing.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask, Sides, without
from sandtable.mechanics.masks import enemy

from .board import Board
from .position import zone
from .state import State


def _spread(board: Board, what: tuple[str, int], source: Mask, steps: Sides) -> Mask:
    """All hexes that these steps lead to from a set. The last answer is kept: most moves leave it as it is."""
    last: tuple[Mask, Mask] | None = board.kept.get(what)
    if last is not None and last[0] == source:
        return last[1]
    found = _stepped(board, source, steps)
    board.kept[what] = source, found
    return found


def _stepped(board: Board, source: Mask, steps: Sides) -> Mask:
    """The same, worked out."""
    found = 0
    for d in range(6):
        found |= board.grid.step(source & steps[d], d)
    return found


# 7.1, 7.2 Ordinary zones of control


def ezoc(s: State, side: int) -> Mask:
    """7.1a, 7.3d the hexes that are in a ZOC of this side's enemy, limited ones included."""
    return zone(s, 1 - side)


def full_zoc(s: State, side: int) -> Mask:
    """7.2a the hexes that a ZOC of this side reaches which is not limited: where the enemy must stop."""
    board, source = s.board, s.zocs[side]
    last = board.full_zoc[side]
    if last[0] != source:
        last = board.full_zoc[side] = source, _stepped(board, source, _level(board))
    forts = s.forts[1 - side]
    return last[1] & ~forts if forts else last[1]  # 7.3a, 9.5.2


# 7.3 Limited zones of control


def limited_zoc(s: State, side: int) -> Mask:
    """7.3a the hexes that only a limited ZOC of this side reaches: up an escarpment, or into a fortification."""
    return zone(s, side) & ~full_zoc(s, side)


def _level(board: Board) -> Sides:
    """The steps by which a ZOC goes on in full: not up across an escarpment."""
    found: Sides | None = board.kept.get("level")
    if found is None:
        found = board.kept["level"] = without(board.open, board.up_escarpment)
    return found


# 7.4 Overlapping zones of control


def overlapping(s: State, side: int) -> Mask:
    """7.4a, A45 the hexes that the ZOC of this side reaches from two hexes which are not beside each other.

    Friends who negate them (7.4c) are left to the rule that asks: see `overlapping_ezoc`.
    """
    board, source = s.board, s.zocs[side]
    last: tuple[Mask, Mask] | None = board.kept.get(("overlapping", side))
    if last is not None and last[0] == source:
        return last[1]
    step, open_ = board.grid.step, board.open
    a, b, c, d, e, f = [step(source & open_[x], x) for x in range(6)]
    # hexes around a hex are beside each other when their directions are; all others are not
    found = a & (c | d | e) | b & (d | e | f) | c & (e | f) | d & f
    board.kept["overlapping", side] = source, found
    return found


def overlapping_ezoc(s: State, side: int) -> Mask:
    """7.4b, 7.4c the overlapping EZOCs for a unit of this side: a friendly unit negates those of its hex."""
    return overlapping(s, enemy(side)) & ~s.occ[side]


# What several chapters ask


def beside(s: State, side: int) -> Mask:
    """The hexes beside a combat unit of this side, in whatever order it is; seas keep hexes apart."""
    return _spread(s.board, ("beside", side), s.men[side], s.board.open)


def next_to_enemy(s: State, side: int, h: Hex) -> bool:
    """Whether a place lies beside a combat unit of this side's enemy (one in Full Retreat too)."""
    return bool(beside(s, enemy(side)) >> h & 1)


def beside_any(s: State, side: int) -> Mask:
    """The hexes beside any unit of this side, non-combat units too."""
    return _spread(s.board, ("beside_any", side), s.occ[side], s.board.open)
