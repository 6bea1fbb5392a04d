"""5.2 Supply lines and supply roads as sets of hexes, worked out backwards from the sources."""

from __future__ import annotations

from sandtable.engine.hexes import Mask
from sandtable.mechanics.lines import Steps
from sandtable.mechanics.memory import Memory

from ..table.board import Board
from ..table.ground import Ground
from ..table.ids import DRY_GROUND

KEPT = 256  # answers that are remembered
STRETCH = 20  # supply roads are followed in stretches of about so many hexes


class Network:
    """Where supply can go in one column of the Terrain Effects Chart."""

    def __init__(self, board: Board, ground: Ground) -> None:
        grid, constants = board.grid, board.charts.constants
        self.all = grid.all
        self.roads = Steps(grid, board.terrain.roads, STRETCH)  # 5.22a, 5.22c; 5.26 in every weather
        self.country = Steps(grid, ground.supply_steps)  # 5.23
        self.first = Steps(grid, ground.supply_first)
        dry = ground.column == DRY_GROUND
        self.length: int = constants["supply_line_dry" if dry else "supply_line_rain_or_mud"]  # 5.2a, 5.2b
        self._known: Memory[tuple[Mask, Mask], Mask] = Memory(KEPT)

    def supplied(self, sources: Mask, open_: Mask) -> Mask:
        """5.2 where a line to a source may begin. While a side moves, little of what is open to it changes."""
        key = (sources & open_, open_)
        found = self._known.get(key)
        if found is None:
            found = self._known.keep(key, self.reach(self.supply_roads(*key), open_))
        return found

    def supply_roads(self, sources: Mask, open_: Mask) -> Mask:
        """5.22 the road hexes joined to a source that gives supply (5.33), of any length."""
        return self.roads.along(sources & open_, open_) | sources & open_

    def reach(self, roads: Mask, open_: Mask) -> Mask:
        """5.21 the hexes from which a line leads to a supply road: every hex after the first counts, the last too.

        A line passes open hexes alone; the hex in which it begins may be any. Mountains are passed along roads and
        trails (5.23a), but a unit that stands in one is not passing through it.
        """
        found = self.country.widen(roads, open_, self.length - 1)
        return found | self.first.back(found & open_)


def networks(board: Board) -> tuple[Network, ...]:
    """By column of the Terrain Effects Chart."""
    return tuple(Network(board, ground) for ground in board.grounds)
