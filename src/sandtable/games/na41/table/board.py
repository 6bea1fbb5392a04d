"""What never changes during a game: the map, the counters and the charts.

Sets of places (hexes and off-map boxes) are masks; features of hexsides and links are `Sides`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.hexes import NO_SIDES, Hex, Mask, Sides, either, hexes_of, steps_into, touching, without
from sandtable.engine.packs import Pack, Row
from sandtable.mechanics.boards import PackBoard
from sandtable.mechanics.masks import where

from .ids import ALLIED, AXIS, ITALY, NATIONS, NILE_DELTA, SIDES, TRIPOLI

SIXTHS = 6  # movement is counted in sixths of a point (highway 1/3, track 1/2)

_QUALITY = {"low": 0, "normal": 1, "elite": 2, "parent": 1}

INFANTRY_TYPES = frozenset(
    ("infantry", "machine_gun", "mot_infantry", "mot_machine_gun", "mot_airborne", "motorcycle")
)  # 2.3.3d
VEHICLES = frozenset(("tank", "flak88", "recon"))  # 2.3.3e, A15
SILHOUETTES = frozenset(("tank", "flak88"))  # 2.3.3f
NON_COMBAT = frozenset(("truck", "replacement_inf", "replacement_tank"))  # 2.3.1b


class Board(PackBoard):
    """Map, counters and charts."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack, SIDES)
        self.kept: dict[Any, Any] = {}  # what the chapters have worked out once for all
        self.full_zoc: list[tuple[Mask, Mask]] = [(0, 0), (0, 0)]  # by side: the last answer of zones.py
        self._lay_out_map(pack)
        self._line_up_counters(pack)
        self._read_charts(pack)

    def having(self, has: Callable[[Mapping[str, Any]], object]) -> Mask:
        """The hexes of the kinds of terrain of which something is so in the terrain effects chart."""
        return sum(self.pack.terrain[row["terrain"]] for row in self.pack.tables["tec"]["hex"] if has(row))

    def _lay_out_map(self, pack: Pack) -> None:
        """2.2: terrain, hexsides, roads, places."""
        grid, tables = self.grid, pack.tables
        self.italy: int = grid.boxes[ITALY]
        self.tripoli: int = grid.boxes[TRIPOLI]
        self.delta: int = grid.boxes[NILE_DELTA]
        for box, name in ((self.italy, "Italy"), (self.tripoli, "Tripoli"), (self.delta, "Nile Delta")):
            self.names[box] = name
        self.base: tuple[int, int] = (self.italy, self.delta)  # 6.1.3
        self.box_mask: Mask = 1 << self.italy | 1 << self.tripoli | 1 << self.delta
        self.own_boxes: tuple[Mask, Mask] = (1 << self.italy | 1 << self.tripoli, 1 << self.delta)  # 6.1.2
        self.jebel: Mask = pack.terrain["jebel"]
        self.city: Mask = pack.terrain["city"]
        self.land: Mask = grid.all & ~pack.impassable
        self.desert: Mask = self.having(lambda row: row["max_consecutive_hexes"])  # 5.5b
        self.hard: Mask = self.having(lambda row: row["supply_hexes"] > 1)  # 16.3.2b
        self.trackless: Mask = self.land & self.having(lambda row: row["supply_hexes"] < 0)  # 16.3.2c
        self.towns: Mask = pack.tagged("town")
        self.landmarks: Mask = pack.tagged("landmark")
        self.oases: Mask = pack.tagged("oasis")
        self.groundworks: Mask = pack.tagged("groundworks")  # 9.5.5
        self.inside_tobruk: Mask = pack.tagged("tobruk_inside")
        self.airfields: Mask = pack.tagged("airfield")
        self.open: Sides = without(steps_into(grid, self.land, self.land), pack.sides.get("all_sea", NO_SIDES))
        """The hexes that somebody may leave in each direction: for ZOC and combat; escarpments are another matter."""
        self.escarpments: Sides = pack.sides["escarpment"]
        self.ridges: Sides = pack.sides["ridge"]
        self.perimeter: Sides = pack.sides["tobruk_perimeter"]
        self.up_escarpment: Sides = pack.rises["escarpment"]  # a step in this direction goes up
        self.up_ridge: Sides = pack.rises["ridge"]
        self.into_perimeter: Sides = pack.rises["tobruk_perimeter"]  # a step in this direction goes inside
        self.highways: Sides = pack.links["highway"]
        self.tracks: Sides = pack.links["track"]
        self.roads: Sides = either(self.highways, self.tracks)
        # where no mechanised unit comes: by road alone (chart)
        self.bog: Mask = self.having(lambda row: row["mech_by_road_only"]) & ~touching(self.roads)
        self.railway: Sides = pack.links["railway"]  # 5.9.1
        self.railway_extension: Sides = pack.links["railway_ext"]  # 5.9.2, from turn 17
        self.steps: list[tuple[tuple[int, Hex], ...]] = [
            tuple((d, n) for d, n in grid.neighbours[h] if self.open[d] >> h & 1)
            if h not in grid.boxes.values()
            else ()
            for h in range(grid.size)
        ]
        self.around: list[Mask] = [sum(1 << n for _, n in steps) for steps in self.steps]
        # 6.3.3 where the edge boxes adjoin the map, and the roads and railway that lead out of them
        entry = {b["id"]: b for b in tables["box"] if b.get("entry_hexes")}
        self.entry_hexes: dict[int, Mask] = {
            grid.boxes[name]: self.mask(box["entry_hexes"]) for name, box in entry.items()
        }
        self.entry_road: dict[tuple[int, Hex], str] = {
            (grid.boxes[name], grid.index[r["hex"]]): r["kind"]
            for name, box in entry.items()
            for r in box["road_entries"]
        }
        # ports by id, in the order of tables.toml: place, capacities, AST column
        ports = tables["port"]
        self.port_ids: tuple[str, ...] = tuple(p["id"] for p in ports)
        self.port_names: tuple[str, ...] = tuple(name.replace("_", " ").title() for name in self.port_ids)
        self.port_place: tuple[int, ...] = tuple(self.place(p["hex"]) for p in ports)
        self.port_at: dict[int, int] = {place: i for i, place in enumerate(self.port_place)}
        self.port_track: tuple[tuple[int, ...], ...] = tuple(tuple(p["track"]) for p in ports)
        self.port_damageable: tuple[bool, ...] = tuple(p["damageable"] for p in ports)
        self.ports: Mask = sum(1 << place for place in self.port_place if place not in grid.boxes.values())
        # 16.3.5 what can be controlled; objective hexes are kept in the same way
        self.objective_hexes: Mask = self.mask(o["hex"] for o in tables["objective_hex"])
        self.controllable: Mask = self.ports | self.airfields | self.city | self.objective_hexes
        self.controllable_hexes = frozenset(hexes_of(self.controllable))
        self.blocks_supply: Mask = self.ports | self.airfields | self.city  # 16.3.2i, A50
        self.alexandria: Hex = grid.index["2478"]
        self.el_agheila: Hex = grid.index["1604"]
        self.tobruk: Hex = grid.index["3138"]
        self.sectors: tuple[str, ...] = tuple(tables["supply_attrition"]["sectors_west_to_east"])
        self.sector: tuple[Mask, ...] = tuple(pack.tagged(f"sector:{name}") for name in self.sectors)

    def _line_up_counters(self, pack: Pack) -> None:
        """2.3: the counters by number; values by the side of the counter that shows."""
        rows = list(pack.units.values())
        remnants: dict[str, Row] = {}
        self.remnant_count: dict[str, int] = {}  # 10.4 remnant counters by pool
        for row in rows:
            pool = next((m.partition(":")[2] for m in row.parts("marks") if m.startswith("remnant:")), "")
            if pool:
                remnants.setdefault(pool, row)
                self.remnant_count[pool] = self.remnant_count.get(pool, 0) + 1
        self.types: tuple[str, ...] = tuple(r["type"] for r in rows)
        self.nation: tuple[int, ...] = tuple(NATIONS.index(n) if (n := r["nation"]) in NATIONS else -1 for r in rows)
        self.formation: tuple[str, ...] = tuple(r["formation"] for r in rows)
        self.steps_of: tuple[int, ...] = tuple(int(r["steps"]) for r in rows)
        self.remnant: tuple[str, ...] = tuple(r["remnant"] for r in rows)  # the pool of its third step
        self.att: tuple[tuple[int, ...], ...] = tuple(_values(r, "attack", remnants) for r in rows)
        self.dfn: tuple[tuple[int, ...], ...] = tuple(_values(r, "defence", remnants) for r in rows)
        self.ma: tuple[tuple[int, ...], ...] = tuple(_values(r, "ma", remnants) for r in rows)
        self.tank_value: tuple[int, ...] = tuple(int(r["tank_value"] or 0) for r in rows)
        self.tq: tuple[int, ...] = tuple(_QUALITY[r["tq"]] for r in rows)
        self.stacking: tuple[int, ...] = tuple(int(r["stacking"]) for r in rows)
        self.asu_range: tuple[int, ...] = tuple(int(r["asu_range"] or 0) for r in rows)
        kinds = {r["type"] for r in rows}
        self.of_type: dict[str, int] = {k: where(r["type"] == k for r in rows) for k in kinds}
        self.of_side: tuple[int, int] = (where(s == AXIS for s in self.side), where(s == ALLIED for s in self.side))
        self.of_nation: tuple[int, ...] = tuple(where(n == i for n in self.nation) for i in range(len(NATIONS)))
        self.mech: int = where(r["mech"] == "yes" for r in rows)
        self.foot: int = where(r["mech"] != "yes" for r in rows)
        self.combat: int = where(r["type"] not in NON_COMBAT for r in rows)  # 2.3.1a
        self.infantry_types: int = where(r["type"] in INFANTRY_TYPES for r in rows)
        self.vehicles: int = where(r["type"] in VEHICLES for r in rows)
        self.silhouettes: int = where(r["type"] in SILHOUETTES for r in rows)
        self.tanks: int = self.of_type["tank"]
        self.flak: int = self.of_type["flak88"]
        self.recon: int = self.of_type["recon"]
        self.hqs: int = self.of_type["asu_hq"]
        self.artillery: int = self.of_type["asu_artillery"]
        self.asus: int = self.hqs | self.artillery
        self.support_asus: int = where(r["asu_s"] == "yes" for r in rows)  # the "S" of 17.1.1c
        self.trucks: int = self.of_type["truck"]
        self.replacements: int = self.of_type["replacement_inf"] | self.of_type["replacement_tank"]
        self.matildas: int = _marked(rows, "matilda")
        self.parenthesised: int = where(r["paren_def"] == "yes" for r in rows)  # 8.6
        self.captured: int = _marked(rows, "captured")  # 27.1
        self.elite: int = where(r["tq"] == "elite" for r in rows)
        self.low: int = where(r["tq"] == "low" for r in rows)
        self.remnant_counters: int = where("remnant:" in r["marks"] for r in rows)
        self.tobruk_asu: int = next(u for u, r in enumerate(rows) if "immobile" in r.parts("marks"))

    def _read_charts(self, pack: Pack) -> None:
        """The charts as the chapters use them; each chapter reads the rest from `pack.tables` itself."""
        t = pack.tables
        self.general: Mapping[str, Any] = t["general"]
        self.crt_columns: tuple[str, ...] = tuple(t["crt"]["columns"])
        self.crt_rows: tuple[tuple[str, ...], ...] = tuple(tuple(t["crt"]["rows"][str(n)]) for n in range(1, 7))
        self.turns: Mapping[int, Mapping[str, Any]] = {turn["turn"]: turn for turn in t["turn"]}

    def place(self, text: str) -> int:
        """A hex number, or a box as the pack writes it: box:tripoli."""
        if text.startswith("box:"):
            return self.grid.boxes.get(text.removeprefix("box:"), -1)
        return self.grid.index[text]

    def hex_label(self, h: int) -> str:
        """The name in a list of actions: Tobruk (3138), 2432, or Nile Delta."""
        number, known = self.grid.names[h], self.names[h]
        return f"{known} ({number})" if known and number.isdigit() else known or number

    def is_box(self, place: int) -> bool:
        return bool(self.box_mask >> place & 1)


def _marked(rows: list[Row], mark: str) -> int:
    return where(mark in r.parts("marks") for r in rows)


def _values(row: Row, name: str, remnants: Mapping[str, Row]) -> tuple[int, ...]:
    """Front, back, and the remnant's value for a three-step unit."""
    out = [int(row[name])]
    if int(row["steps"]) > 1:
        out.append(int(row[f"r_{name}"]))
    if int(row["steps"]) > 2:
        out.append(int(remnants[row["remnant"]][name]))
    return tuple(out)
