"""What keeps an army going: its way to the base, who cuts it, and who could."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, hexes_in

from ..supply import supply_lines
from ..table.ids import AXIS
from ..table.state import State
from .worth import FAR, ways, worth

LONG = 120  # hexes of a way that are looked at
CUT = 0.35  # how much of the worth of the units behind it a stack counts that cuts them off
MOST_CUT = 40.0


def base_of(s: State, side: int) -> int:
    """6.1.3 where everything comes from by land."""
    return s.board.tripoli if side == AXIS else s.board.delta


def way_home(s: State, side: int, h: Hex) -> list[Hex]:
    """The hexes of the shortest way from a hex to the base, enemies left out."""
    board = s.board
    left = ways(s, base_of(s, side), True)
    found: list[Hex] = []
    for _ in range(LONG):
        if board.entry_hexes.get(base_of(s, side), 0) >> h & 1 or left[h] >= FAR:
            break
        h = min((n for _, n in board.steps[h]), key=lambda n: (left[n], n))
        found.append(h)
    return found


def cutters(s: State, side: int) -> dict[Hex, float]:
    """The enemy stacks that stand on or beside the way home of units without supply, and how much that hurts."""
    board, foe = s.board, enemy(side)
    fed = supply_lines.full(s, side) | supply_lines.fed_by_port(s, side)
    hungry: dict[Hex, float] = {}
    for h in hexes_in(s.men[side] & ~fed):
        hungry[h] = worth(s, s.here[h] & board.of_side[side] & board.combat)
    found: dict[Hex, float] = {}
    for h, hurt in hungry.items():
        way: Mask = 0
        for x in way_home(s, side, h):
            way |= 1 << x
        beside = board.grid.dilate(way & ~s.occ[side]) | way
        for x in hexes_in(s.zocs[foe] & beside):
            found[x] = found.get(x, 0.0) + CUT * hurt
    return {h: min(value, MOST_CUT) for h, value in found.items()}
