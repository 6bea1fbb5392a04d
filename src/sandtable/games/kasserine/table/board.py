"""What never changes during a game: the map in every weather, the counters and the charts (2)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.hexes import Hex, Mask, Sides
from sandtable.engine.packs import Pack, Row
from sandtable.mechanics.boards import PackBoard
from sandtable.mechanics.masks import where

from .charts import Charts
from .ground import HALF, Ground, Terrain
from .ids import (
    ALLIED,
    ARTILLERY_TYPES,
    AXIS,
    CLASSES,
    DRY_GROUND,
    GUN_TYPES,
    MUD_GROUND,
    NATIONS,
    ORANGE,
    PLAIN,
    RAIN_GROUND,
    RED,
    SIDES,
    US,
)

Pair = tuple[int, int]
"""A value by the side of the counter that shows: FULL, REDUCED."""


class Board(PackBoard):
    """Map, counters and charts."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack, SIDES)
        self.terrain = Terrain(pack)
        tec = pack.tables["tec"]
        self.grounds: tuple[Ground, ...] = tuple(
            Ground(self.terrain, tec, column) for column in (DRY_GROUND, RAIN_GROUND, MUD_GROUND)
        )
        self.charts = Charts(pack.tables)
        self.kept: dict[str, Any] = {}  # what the floors above have worked out of the map
        self._lay_out_map(pack)
        self._line_up_counters(pack)

    def _lay_out_map(self, pack: Pack) -> None:
        """Combat effects of terrain (8.22, 8.32a, 6.62b), sources and entries (5.3, 14.21)."""
        terrain, tec, grid = self.terrain, pack.tables["tec"], self.grid
        masks = {**terrain.base, "woods": terrain.woods, "village": terrain.villages, "town": terrain.towns}
        self.terrain_drm: list[int] = [0] * self.size  # 8.22a the best of the hex
        self.assault_forced: Mask = 0  # 8.32a
        no_overrun: Mask = 0  # 6.62b
        for name, mask in masks.items():
            row = tec["hex"][name]
            if row["assault_forced"]:
                self.assault_forced |= mask
            if not row["overrun"]:
                no_overrun |= mask
        for h in grid.hexes:
            self.terrain_drm[h] = max(tec["hex"][name]["drm"] for name, mask in masks.items() if mask >> h & 1)
        self.overrunnable: Mask = grid.all & ~no_overrun
        self.wadi_drm: int = tec["hexside"]["wadi"]["drm"]  # 8.22c
        self.escarpment_drm: int = tec["hexside"]["escarpment"]["drm"]
        entries = pack.tables["entry_alternatives"]["hexes"]
        self.entries: dict[str, Hex] = {letter: grid.index[number] for letter, number in entries.items()}  # 14.21
        self.entry_letters: tuple[str, ...] = tuple(self.entries)
        sources = pack.tables["supply_source"]
        self.sources: tuple[Mask, ...] = tuple(
            sum(1 << grid.index[x["hex"]] for x in sources if x["side"] == side) for side in SIDES
        )  # 5.31, 5.32
        self.exits: tuple[Mask, ...] = (
            sum(1 << grid.index[x["hex"]] for x in sources if x.get("axis_exit")),  # 14.32
            sum(1 << grid.index[x["hex"]] for x in sources if x.get("allied_exit")),  # 14.33
        )
        self.named: Mask = sum(1 << h for h in grid.hexes if self.names[h])
        self.edge: Mask = sum(1 << h for h in grid.hexes if len(grid.neighbours[h]) < 6)  # 2.12
        self.column_of: list[int] = [0] * self.size
        self.row_of: list[int] = [0] * self.size
        for number, h in grid.index.items():
            self.column_of[h], self.row_of[h] = int(number[:2]), int(number[2:])

    def _line_up_counters(self, pack: Pack) -> None:
        """2.21-2.26 the counters by number; values by the side that shows."""
        rows = list(pack.units.values())
        count = len(rows)
        self.count = count
        self.types: tuple[str, ...] = tuple(r["type"] for r in rows)
        self.nation: tuple[int, ...] = tuple(NATIONS.index(r["nation"]) for r in rows)
        self.formation: tuple[str, ...] = tuple(r["formation"] for r in rows)  # 3.81
        self.steps: tuple[int, ...] = tuple(int(r["steps"]) for r in rows)  # 3.62
        self.attack: tuple[Pair, ...] = tuple(_pair(r, "attack") for r in rows)
        self.toothless: int = where(min(pair) == 0 for pair in self.attack)  # without attack strength on a side
        self.defense: tuple[Pair, ...] = tuple(_pair(r, "defense") for r in rows)
        self.er: tuple[Pair, ...] = tuple(_pair(r, "er") for r in rows)  # 3.41a; 0 for HQs (12.12a)
        self.ma: tuple[Pair, ...] = tuple(_pair(r, "ma") for r in rows)
        self.sp: tuple[Pair, ...] = tuple(_pair(r, "sp") for r in rows)  # 3.31
        self.largest: int = max(map(max, self.sp))
        self.support: tuple[int, ...] = tuple(_number(r, "support") for r in rows)
        self.range: tuple[int, ...] = tuple(_number(r, "range") for r in rows)
        self.cp: tuple[int, ...] = tuple(_number(r, "cp") for r in rows)  # 12.21
        self.air_er: tuple[int, ...] = tuple(_number(r, "air_er") for r in rows)  # 10.11
        self.cas: tuple[int, ...] = tuple(_number(r, "cas") for r in rows)
        self.bombing: tuple[int, ...] = tuple(_number(r, "bombing") for r in rows)
        self.mover: tuple[int, ...] = tuple(_class(r) for r in rows)
        kinds = set(self.types)
        self.of_type: dict[str, int] = {k: where(t == k for t in self.types) for k in kinds}
        self.of_side: tuple[int, ...] = tuple(where(s == side for s in self.side) for side in (AXIS, ALLIED))
        self.of_nation: tuple[int, ...] = tuple(where(n == i for n in self.nation) for i in range(len(NATIONS)))
        self.of_formation: dict[str, int] = {
            name: where(f == name for f in self.formation) for name in dict.fromkeys(self.formation)
        }
        self.air: int = self.of_type["air"]
        self.leaders: int = self.of_type["leader"]
        self.hqs: int = self.of_type["hq"]
        self.artillery: int = sum(self.of_type[t] for t in ARTILLERY_TYPES)  # 2.25
        self.ground: int = (1 << count) - 1 & ~self.air & ~self.leaders  # ground units that stack and fight
        self.combat: int = self.ground & ~self.hqs & ~self.artillery  # 2.24
        self.red: int = where(m == RED for m in self.mover) & ~self.air & ~self.leaders  # 3.14
        self.orange: int = where(m == ORANGE for m in self.mover) & ~self.air & ~self.leaders
        self.motorized: int = self.red | self.orange
        self.plain: int = self.ground & ~self.motorized
        self.foot_combat: int = self.combat & self.plain  # 3.21 by whether 3.23c binds its ZOC
        self.motor_combat: int = self.combat & self.motorized
        self.armor: int = where(r["attack_red"] == "1" for r in rows)  # 2.22
        self.red_defense: int = where(r["defense_red"] == "1" for r in rows)
        self.tigers: int = where(r["tiger"] == "1" for r in rows)  # 13.2
        self.mountain: int = where(r["mountain"] == "1" for r in rows)  # 13.1
        self.anti_tank: int = where(r["at_function"] == "full" for r in rows)  # 9.41a, 9.42
        self.guns: int = sum(self.of_type.get(t, 0) for t in GUN_TYPES)
        self.builders: int = where(r["builder"] == "1" for r in rows)  # 11.22
        self.arms_i: int = where(r["combined_arms_group"] == "i" for r in rows)  # 8.54a
        self.arms_ii: int = where(r["combined_arms_group"] == "ii" for r in rows)
        self.fire_net: int = where(r["fire_net"] == "1" for r in rows)  # 12.36
        self.army: int = self.of_formation.get("Army", 0)  # 3.82 white units
        # 6.15a who may leave supply of his own will: Germans, recon, armored cars, non-motorized units
        self.roamers: int = (
            self.of_nation[0] | self.of_type["recon"] | self.of_type["armored_car"] | self.plain | self.leaders
        )
        self.us: int = self.of_nation[US]
        self.rommel: int = self.unit_index[pack.tables["leaders"]["rommel"]["id"]]
        self.harmon: int = self.unit_index[pack.tables["leaders"]["harmon"]["id"]]
        self.patton: int = self.unit_index[pack.tables["leaders"]["patton"]["id"]]

    def allowance(self, u: int, step: int) -> int:
        """The printed MA in half points."""
        return self.ma[u][step] * HALF


def _number(row: Row, column: str) -> int:
    return int(row[column] or 0)


def _pair(row: Row, column: str) -> Pair:
    full = _number(row, column)
    return full, int(row["r_" + column]) if row["r_" + column] else full


def _class(row: Row) -> int:
    return CLASSES.index(row["ma_class"]) if row["ma_class"] else PLAIN


__all__ = ["Board", "Ground", "Sides", "Terrain"]
