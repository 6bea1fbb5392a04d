"""5.7 The terrain effects chart: the ways in which units move, and what steps cost each of them.

Movement is counted in sixths of a point (board.SIXTHS). The chart is read once for each kind of unit.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.paths.charts import GO, Chart
from sandtable.mechanics.paths.surveys import Surveyor

from ..table.board import SIXTHS, Board

# 2.3.3a, 9.6 the ways in which units move: on foot, mechanised, and mechanised with the limits of vehicles; a stack
# goes at the rate of its slowest (5.1b), so there are two that mix
FOOT, MECH, VEHICLE, FOOT_MECH, FOOT_VEHICLE = range(5)


class Kind:
    """One way of moving: what steps cost, and what it costs to come out of a box."""

    __slots__ = ("hexes", "leave", "walk")

    def __init__(self, board: Board, kind: int, twin: Kind | None = None) -> None:
        effects = TerrainEffects(board)
        self.walk = Chart(board.grid, lambda h, d, n: (effects.slowest(kind, h, d, n), GO), board.desert)  # 5.5b
        units = board.vehicles if kind == VEHICLE else board.mech if kind == MECH else board.foot
        usual = max(board.ma[u][0] for u in units_of(units)) * SIXTHS
        if kind in (MECH, VEHICLE):
            usual += int(board.general["extended_move_mp"]) * SIXTHS
        self.walk.surveyor = Surveyor(self.walk, usual, twin.walk.surveyor if twin is not None else None)
        self.hexes = self.walk.by_hexes()  # 5.4a
        for ways in self.hexes.ways:
            ways.sort()  # of two ways, the one by the hex that comes first on the map
        # 6.3.3c out of a box: the cost of the first hex, by road if there is one
        self.leave: dict[int, tuple[tuple[int, Hex], ...]] = {
            box: tuple(
                (cost, h)
                for h in hexes_in(entry)
                if (cost := effects.entry(kind, h, board.entry_road.get((box, h), ""))) > 0
            )
            for box, entry in board.entry_hexes.items()
        }


class TerrainEffects:
    """The terrain effects chart, read step by step while the charts are made."""

    def __init__(self, board: Board) -> None:
        tec = board.pack.tables["tec"]
        self.board = board
        self.ground = [(board.pack.terrain[row["terrain"]], _rates(row, "{}_sixths")) for row in tec["hex"]]
        sides = {row["kind"]: row for row in tec["hexside"]}
        self.sides = [
            (board.escarpments, _rates(sides["escarpment"], "{}_extra_sixths")),  # 5.7a, 5.7b
            (board.ridges, _rates(sides["ridge"], "{}_extra_sixths")),
            (board.perimeter, _rates(sides["tobruk_perimeter"], "{}_extra_sixths")),
        ]
        self.roads = {row["kind"]: _rates(row, "{}_sixths") for row in tec["road"] if "mech_sixths" in row}

    def slowest(self, kind: int, h: Hex, d: int, n: Hex) -> int:
        """5.1b what a step costs a stack: what it costs the slowest of its units."""
        if kind <= VEHICLE:
            return self.step(kind, h, d, n)
        costs = self.step(FOOT, h, d, n), self.step(MECH if kind == FOOT_MECH else VEHICLE, h, d, n)
        return -1 if min(costs) < 0 else max(costs)

    def step(self, kind: int, h: Hex, d: int, n: Hex) -> int:
        """5.1a, 5.2.1a, 5.7 what one step costs in sixths; -1 if it is not allowed."""
        board = self.board
        if not board.open[d] >> h & 1:
            return -1
        if board.highways[d] >> h & 1:  # 5.2.1a, 5.7c a road crosses hexsides at its own rate
            return self.roads["highway"][kind]
        if board.tracks[d] >> h & 1:
            return self.roads["track"][kind]
        cost = self.entry(kind, n, "")
        for sides, extra in self.sides:
            if sides[d] >> h & 1:
                if cost < 0 or extra[kind] < 0:
                    return -1
                cost += extra[kind]
        return cost

    def entry(self, kind: int, n: Hex, road: str) -> int:
        """What it costs to enter a hex, hexsides aside."""
        if kind > VEHICLE:
            return max(self.entry(FOOT, n, road), self.entry(MECH, n, road))
        if road in ("highway", "track"):
            return self.roads[road][kind]
        return next((rates[kind] for mask, rates in self.ground if mask >> n & 1), -1)

    def road_step(self, h: Hex, d: int, highway: bool) -> int:
        """5.2.2 a step on foot along the highway, or along any road."""
        board = self.board
        if not (board.highways[d] if highway else board.roads[d]) & board.open[d] & 1 << h:
            return -1
        return self.roads["highway" if board.highways[d] >> h & 1 else "track"][FOOT]


def _rates(row: dict[str, int], name: str) -> tuple[int, int, int]:
    """A row of the chart for feet, mechanised units and vehicle units."""
    mech = row[name.format("mech")]
    return row[name.format("foot")], mech, row.get(name.format("vehicle"), mech)


def roads(board: Board, highway: bool) -> Chart:
    """5.2.2 the chart of the road bonus: along the highway alone, or along any road."""
    effects = TerrainEffects(board)
    chart = Chart(board.grid, lambda h, d, n: (effects.road_step(h, d, highway), GO), board.desert)
    chart.surveyor = Surveyor(chart)
    return chart


def kind_of(board: Board, u: int) -> int:
    """2.3.3a, 2.3.3e how a unit moves; trucks are no vehicle units (A15)."""
    if board.foot >> u & 1:
        return FOOT
    return VEHICLE if board.vehicles >> u & 1 else MECH
