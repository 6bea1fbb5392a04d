"""The Terrain Effects Chart laid on the map (6.3, 6.4): what every step costs whom in dry weather, in Rain and in mud.

Movement is counted in half points (primary roads cost half a point).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.hexes import Grid, Hex, Mask, Sides, either, steps_into, without
from sandtable.engine.packs import Pack

from .ids import ALPINE, DRY_GROUND, FOOT, MOTORIZED, MUD_GROUND, RAIN_GROUND, ROAD_BOUND

HALF = 2  # half points in a movement point
PROHIBITED = -1

BASE = ("clear", "rough", "hill", "mountain", "marsh")


class Terrain:
    """The map sheet: terrain of hexes, hexsides and links."""

    def __init__(self, pack: Pack) -> None:
        self.grid: Grid = pack.grid
        self.base: dict[str, Mask] = {name: pack.terrain.get(name, 0) for name in BASE}
        self.hill: Mask = self.base["hill"]
        self.mountain: Mask = self.base["mountain"]
        self.marsh: Mask = self.base["marsh"]
        self.woods: Mask = pack.tagged("woods") | pack.tagged("orchard")  # 6.34c
        self.villages: Mask = pack.tagged("village")
        self.towns: Mask = pack.tagged("town")
        self.wadis: Sides = pack.sides["wadi"]
        self.escarpments: Sides = pack.sides["escarpment"]
        self.primary: Sides = pack.links["primary"]
        self.secondary: Sides = pack.links["secondary"]
        self.roads: Sides = either(self.primary, self.secondary)
        self.trails: Sides = without(pack.links["trail"], self.roads)
        self.unbridged: Sides = without(self.wadis, self.roads)  # 6.35a
        self.road_hexes: Mask = 0
        for m in self.roads:
            self.road_hexes |= m

    def at(self, h: Hex) -> str:
        """The base terrain of a hex (2.13)."""
        return next(name for name, mask in self.base.items() if mask >> h & 1)


class Ground:
    """The map in one column of the chart: dry, Rain, or the mud after it (6.41, 3.74)."""

    def __init__(self, terrain: Terrain, tec: Mapping[str, Any], column: int) -> None:
        grid = terrain.grid
        self.terrain = terrain
        self.column = column
        wet = column != DRY_GROUND
        names = ("mot_rain", "foot_rain") if wet else ("mot_dry", "foot_dry")
        self._hex = {who: {n: _points(tec["hex"][n][key]) for n in BASE} for who, key in enumerate(names)}
        self._woods = tuple(_points(tec["hex"]["woods"][key]) for key in names)
        self._wadi = tuple(_points(tec["hexside"]["wadi"][key]) for key in names)
        self._escarpment = tuple(_points(tec["hexside"]["escarpment"][key]) for key in names)
        road = ("mot_rain", "foot_rain") if column == RAIN_GROUND else ("mot_dry", "foot_dry")  # 3.74c
        self._primary = tuple(_points(tec["road"]["primary"][key]) for key in road)
        self._secondary = tuple(_points(tec["road"]["secondary"][key]) for key in road)
        self._trail = tuple(_points(tec["road"]["trail"][key.replace("rain", "dry")]) for key in road)
        self._trail_wadi = tuple(_points(tec["hexside"]["wadi"][key]) for key in ("mot_dry", "foot_dry"))
        # 3.73d, 6.42 in Rain there are no trails
        self.trails: Sides = (0,) * 6 if column == RAIN_GROUND else terrain.trails
        self.links: Sides = either(terrain.roads, self.trails)
        everywhere = steps_into(grid, grid.all)
        into_mountain = without(steps_into(grid, terrain.mountain), self.links)
        closed_wadis = without(terrain.wadis, self.links) if wet else (0,) * 6  # 6.35aa, 3.73b
        closed_marsh = without(steps_into(grid, terrain.marsh), self.links) if wet else (0,) * 6  # 6.38
        self.motorized_zoc: Sides = without(everywhere, terrain.escarpments, into_mountain, closed_wadis, closed_marsh)
        """3.23b-3.23d the steps over which a motorized unit's ZOC extends."""
        out_of_mountain = without(tuple(terrain.mountain for _ in range(6)), self.links)
        # 5.23 a supply line goes over these steps; the first of them may leave a mountain hex as it likes
        supply_wadis = {
            DRY_GROUND: (0,) * 6,
            RAIN_GROUND: terrain.unbridged,  # 5.23c
            MUD_GROUND: without(terrain.unbridged, self.trails),  # 5.23d
        }[column]
        self.supply_first: Sides = without(everywhere, terrain.escarpments, into_mountain, supply_wadis)
        self.supply_steps: Sides = without(self.supply_first, out_of_mountain)
        self.exits: tuple[list[Mask], ...] = tuple([0] * grid.size for _ in range(4))
        """By kind of mover and hex: where one step leads that is not prohibited."""
        for kind, exits in enumerate(self.exits):
            for h in grid.hexes:
                for d, n in grid.neighbours[h]:
                    if self.step(kind, h, d, n)[0] != PROHIBITED:
                        exits[h] |= 1 << n
        self.easy: Mask = grid.all
        """Hexes that everybody can enter from every side, Tigers bound to roads excepted."""
        for exits in (self.exits[MOTORIZED], self.exits[FOOT], self.exits[ALPINE]):
            for h in grid.hexes:
                for _, n in grid.neighbours[h]:
                    if not exits[h] >> n & 1:
                        self.easy &= ~(1 << n)
        self.stranded: Mask = terrain.mountain & ~terrain.road_hexes if column == RAIN_GROUND else 0
        """6.44 hexes in which Rain has caught a motorized unit: their trails are gone."""

    def step(self, kind: int, h: Hex, d: int, n: Hex) -> tuple[int, bool]:
        """6.3 the half points of a step and whether it ends the move; PROHIBITED if it cannot be made."""
        terrain, bit = self.terrain, 1 << h
        who = 0 if kind in (MOTORIZED, ROAD_BOUND) else 1
        if terrain.primary[d] & bit:  # 6.32 the road cost stands for hex and hexside
            return self._primary[who], False
        if terrain.secondary[d] & bit:
            return self._secondary[who], False
        if kind == ROAD_BOUND:  # 13.22a
            return PROHIBITED, False
        stops = kind != ALPINE and bool(terrain.mountain >> n & 1)  # 6.33b, 13.12
        if self.trails[d] & bit:  # 6.32a the wadi is paid besides
            return self._trail[who] + (self._trail_wadi[who] if terrain.wadis[d] & bit else 0), stops
        if kind == MOTORIZED and terrain.mountain & bit:  # 6.33a
            return PROHIBITED, False
        cost = self._hex[who][terrain.at(n)]
        if cost == PROHIBITED:
            return PROHIBITED, False
        if terrain.woods >> n & 1:  # 6.34a
            cost += self._woods[who]
        for sides, price in ((terrain.wadis, self._wadi[who]), (terrain.escarpments, self._escarpment[who])):
            if sides[d] & bit:  # 6.35
                if price == PROHIBITED:
                    return PROHIBITED, False
                cost += price
        return cost, stops

    def escapes(self, h: Hex) -> Mask:
        """6.44 where a motorized unit caught in such a hex may go, by spending its whole MA."""
        found = 0
        if self.stranded >> h & 1:
            for d, n in self.terrain.grid.neighbours[h]:
                bit = 1 << h
                closed = self.terrain.escarpments[d] & bit or self.terrain.unbridged[d] & bit
                if not closed and self._hex[0][self.terrain.at(n)] != PROHIBITED:
                    found |= 1 << n
        return found


def _points(value: Any) -> int:
    """A cell of the chart in half points: 0.5, "+2", "P"."""
    if value == "P":
        return PROHIBITED
    return round(float(value) * HALF)


KINDS = (MOTORIZED, FOOT, ALPINE, ROAD_BOUND)
