"""2.3, 7.6 to 7.8 The terrain effects chart: the ways in which units move, and what steps cost each of them.

Movement is counted in half points (board.HALF). The chart is read once for each season and kind of unit.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.paths.charts import FIRST, GO, HALTS, Chart

from ..table.board import HALF, Board, Ground

# 2.22, 7.6, 7.8, 15.5, 15.8: the ways in which units move
MECH, FOOT, MOUNTAIN, BICYCLE, MIXED = range(5)  # FOOT: cavalry too; MIXED: mechanised and cavalry in one stack


class Kind:
    """One way of moving on the map of one season: ordinary rates, and the road alone (7.5)."""

    __slots__ = ("half", "pace", "road", "road_hexes", "walk")

    def __init__(self, board: Board, ground: Ground, kind: int) -> None:
        effects = TerrainEffects(board, ground)
        self.half = 1 if kind == BICYCLE else HALF  # how many half points a point of `walk` is
        self.pace = 2 if kind in (MECH, BICYCLE) else 1  # hexes that a unit may come along a road for one MP
        if kind == MIXED:  # 7.1c a stack moves at the rate of its slowest unit
            self.walk = Chart(board.grid, effects.mixed)
        else:
            self.walk = Chart(board.grid, lambda h, d, n: effects.step(kind, h, d, n))
        self.road = Chart(board.grid, lambda h, d, n: effects.road_step(kind, h, d, n))
        self.road_hexes: Mask = sum(1 << h for h, to in enumerate(self.road.exits) if to)


class TerrainEffects:
    """2.3 the terrain effects chart, read step by step while the rates are made."""

    def __init__(self, board: Board, ground: Ground) -> None:
        tables = board.pack.tables
        self.ground = ground
        special = board.special_entries[0] | board.special_entries[1]
        self.natural = [
            # 4.1d entry hexes A to E are treated as clear terrain
            "clear" if special >> h & 1 else ground.terrain_at(h)
            for h in range(board.size)
        ]
        self.terrain: dict[str, list[int]] = {name: row["mp"] for name, row in tables["terrain"].items()}
        slow = ground.having("nonmech_stops_off_road")  # 7.8
        halts = (
            ground.having("mech_stops_off_road"),  # 7.6b
            slow,
            slow & ~ground.having("mountain_units_do_not_stop"),  # 15.5a
            slow,
        )
        self.halts: list[Mask] = [hexes & ~special for hexes in halts]  # by kind
        road = tables["artificial"]["road"]
        self.road_rate = {
            MECH: road["mp_mechanised"],
            FOOT: road["mp_non_mechanised"],
            MOUNTAIN: road["mp_non_mechanised"],
            BICYCLE: road["mp_bicycle_regiment"],  # 15.8
        }
        self.strategic = {**self.road_rate, MECH: road["mp_strategic_mechanised"]}  # 7.5b
        self.river = int(tables["hexside"]["river_minor"]["mp_unbridged"])
        self.major = int(tables["hexside"]["river_major"]["mp_unbridged"])
        self.mountain_pass = int(tables["hexside"]["pass"]["mp"])

    def step(self, kind: int, h: Hex, d: int, n: Hex) -> tuple[int, int]:
        """7.1b what one step costs in points of this kind, and whether it stops the unit or must be its first."""
        ground, scale = self.ground, HALF if kind == BICYCLE else 1
        if not ground.open[d] >> h & 1:  # 6.4, 7.8d, 2.32b
            return -1, GO
        extra = self.mountain_pass if ground.passes[d] >> h & 1 else 0
        if ground.roads[d] >> h & 1:  # 7.1h
            return round(scale * (self.road_rate[kind] + extra)), GO
        terrain = self.natural[n]
        points = self.terrain[terrain][0 if kind == MECH else 1]
        if points < 0:  # 7.6a
            return -1, GO
        flags = HALTS if self.halts[kind] >> n & 1 else GO
        if not ground.bridges[d] >> h & 1:
            if ground.major_rivers[d] >> h & 1:  # 7.7b, 7.7c
                return scale * (points + self.major + extra), flags | FIRST
            if ground.minor_rivers[d] >> h & 1:  # 7.7a
                extra += self.river
        return scale * (points + extra), flags

    def mixed(self, h: Hex, d: int, n: Hex) -> tuple[int, int]:
        """7.1c mechanised units and cavalry together."""
        (a, stops), (b, halts) = self.step(MECH, h, d, n), self.step(FOOT, h, d, n)
        return (-1 if a < 0 or b < 0 else max(a, b)), stops | halts

    def road_step(self, kind: int, h: Hex, d: int, n: Hex) -> tuple[int, int]:
        """7.5b, 7.5e in half points: a step along a road in strategic movement, with the +1 of a pass."""
        if kind == MIXED or not self.ground.roads[d] >> h & 1:
            return -1, GO
        extra = self.mountain_pass if self.ground.passes[d] >> h & 1 else 0
        return round(HALF * (self.strategic[kind] + extra)), GO


def kind_of(board: Board, u: int) -> int:
    """How a unit moves."""
    if board.mech >> u & 1:
        return MECH
    if u == board.bicycles:
        return BICYCLE
    return MOUNTAIN if board.mountain_units >> u & 1 else FOOT
