"""What can be laid over the map on demand: supply of both sides, where the enemy could strike, control.

All of it follows from what stands where, which both sides see, so a table imagined from a view gives the
same answer as the real one.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.hexes import Mask, hexes_of, mask_of
from sandtable.engine.scene import Overlay
from sandtable.engine.texts.text import Text

from ..paths.reach import Reach
from ..supply.supply import supply_network, unsupplied_units
from ..table.board import units_of
from ..table.ids import SIDES
from ..table.state import State
from .scene import TITLES

if TYPE_CHECKING:
    from ..game import Rommel

STRIKE_SPEED = 3
"""The speed that the enemy's blocks are credited with: armour and mechanised infantry (M2)."""


def overlays(game: Rommel, view: View) -> list[Overlay]:
    """The overlays for the side whose view this is; a spectator gets both sides' supply."""
    s = game.imagine(view, Random(0))
    own = SIDES.index(view["side"]) if view["side"] else None
    out = [supply(s, side, own) for side in ((0, 1) if own is None else (own, 1 - own))]
    if own is not None:
        out.append(threat(s, 1 - own))
    return out


def supply(s: State, side: int, own: int | None) -> Overlay:
    """12.6 The supply network of a side, and where its units are cut off."""
    cut: Mask = mask_of(s.at[u] for u in units_of(unsupplied_units(s, side)))
    names = s.board.grid.names
    return {
        "id": "supply" if side == own or own is None else "enemy_supply",
        "title": Text("{side} supply network", side=TITLES[side]),
        "rule": "12.6a",
        "hexes": [names[h] for h in hexes_of(supply_network(s, side))],
        "cut": [names[h] for h in hexes_of(cut)],
    }


def threat(s: State, side: int) -> Overlay:
    """6.2 Where armour of a side could be after its next move, along roads too; its blocks are hidden."""
    board = s.board
    enemies = s.occ[1 - side]
    free = board.land & ~enemies
    reached: Mask = 0
    for h in hexes_of(s.firm[side] & ~enemies):
        way = Reach(board, h, STRIKE_SPEED, free, enemies)
        reached |= way.free | way.engaged
    names = board.grid.names
    return {
        "id": "threat",
        "title": Text("Within reach of {side} armour (speed {speed})", side=TITLES[side], speed=STRIKE_SPEED),
        "rule": "6.2a",
        "hexes": [names[h] for h in hexes_of(reached)],
    }
