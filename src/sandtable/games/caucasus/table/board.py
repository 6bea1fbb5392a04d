"""What never changes during a game: the map in both seasons, the counters and the charts.

Sets of hexes are hex masks; features of hexsides and links are `Sides`, six masks by direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.hexes import NO_SIDES, Grid, Hex, Mask, Sides, either, hexes_of, steps_into, without
from sandtable.engine.packs import Pack, Row
from sandtable.mechanics.boards import PackBoard
from sandtable.mechanics.masks import where

from .ids import AXIS, CITIES, MAJOR_CITY, MINOR_CITY, REPLACEMENTS, SEAS, SIDES, SOVIET, SUPPORTS, TOWN

SUMMER, WINTER = 0, 1  # 2.31, 2.32: turns 1 to 9, turns 10 to 14
FIRST_WINTER_TURN = 10
FINISHED_RAILWAY_TURN = 8  # 2.33b
HALF = 2  # movement is counted in half points (7.5b)

_QUALITY = {"P": 0, "R": 1, "E": 2}
ARMOUR, CANCELS, NO_ARMOUR = "A", "C", ""  # 9.5: yellow attack box, yellow defence box, neither


class Ground:
    """The map of one season (2.31, 2.32): terrain as it counts, and what a hexside lets pass."""

    def __init__(self, board: Board, season: int) -> None:
        pack, grid = board.pack, board.grid
        self.board = board
        self.season = season
        terrain = dict(pack.terrain)
        seasonal = terrain.pop("seasonal_marsh", 0)
        turned = "marsh" if season == WINTER else "rough"
        terrain[turned] = terrain.get(turned, 0) | seasonal
        self.terrain: dict[str, Mask] = terrain
        self.desert: Mask = terrain["desert"]
        self.forest: Mask = terrain["forest"]
        self.marsh: Mask = terrain["marsh"]
        self.road_bound: Mask = self.having("mech_only_along_road")  # 7.6a
        self.sheltering: Mask = self.having("one_hex_retreat") | board.towns | board.cities  # 11.6a
        # 7.8d alpine hexes, the sea and what is out of play are entered by nobody
        self.land: Mask = grid.all & ~pack.impassable
        passes = pack.sides["pass"]
        if season == WINTER:  # 2.32a only the Krestovy Pass stays open
            passes = pack.sides_where(lambda e: e.kind == "pass" and e.name == "Krestovy Pass")
        self.passes: Sides = passes
        closed = either(*(pack.sides.get(k, NO_SIDES) for k in ("alpine", "lake", "sea", "pass")))
        closed = without(closed, passes)
        self.open: Sides = without(steps_into(grid, self.land, self.land), closed)
        """The hexes that somebody may leave in each direction: for movement, combat (A11), ZOC (6.4) and LOS."""
        # 2.35 rivers along marsh and major cities are ignored; along seasonal marsh the minor ones, in winter (2.31b)
        wet = self.having("rivers_ignored")
        dry = wet & ~seasonal | board.major_cities
        self.minor_rivers: Sides = _without_banks(grid, pack.sides["river_minor"], dry | wet)
        self.major_rivers: Sides = _without_banks(grid, pack.sides["river_major"], dry)
        self.rivers: Sides = either(self.minor_rivers, self.major_rivers)
        self.roads: Sides = _both(board.roads, self.open)
        self.bridges: Sides = _both(either(board.roads, board.railways), self.open)  # 7.1i
        self.steps: list[tuple[tuple[int, Hex], ...]] = [
            tuple((d, n) for d, n in grid.neighbours[h] if self.open[d] >> h & 1) for h in range(grid.size)
        ]
        self.around: list[Mask] = [sum(1 << n for _, n in steps) for steps in self.steps]
        """By hex, the hexes that it touches across an open hexside."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _ground, (self.board, self.season)

    def terrain_at(self, h: Hex) -> str:
        return next((name for name, hexes in self.terrain.items() if hexes >> h & 1), "out_of_play")

    def having(self, effect: str) -> Mask:
        """The hexes of natural terrain that has an effect, as the terrain chart says."""
        chart = self.board.pack.tables["terrain"]
        return sum(hexes for name, hexes in self.terrain.items() if chart[name].get(effect))


def _ground(board: Board, season: int) -> Ground:
    """The map of a season out of a pickle."""
    return board.grounds[season]


def _without_banks(grid: Grid, rivers: Sides, banks: Mask) -> Sides:
    """Rivers without their hexsides along these hexes."""
    return without(rivers, either(steps_into(grid, banks), (banks,) * 6))


def _both(a: Sides, b: Sides) -> Sides:
    return tuple(x & y for x, y in zip(a, b, strict=True))


class Board(PackBoard):
    """Map, counters and charts. Optional rules 22.1 and 22.2 change the counters, so a board is made for them."""

    def __init__(self, pack: Pack, mechanised_hq: bool = False, elite_tanks: bool = False) -> None:
        super().__init__(pack, SIDES, (mechanised_hq, elite_tanks))
        self._lay_out_map(pack)
        self._line_up_counters(pack, mechanised_hq, elite_tanks)
        self._read_charts(pack)
        self.beside: list[Mask] = [sum(1 << n for _, n in near) for near in self.grid.neighbours]  # open or not
        self.grounds: tuple[Ground, Ground] = (Ground(self, SUMMER), Ground(self, WINTER))

    def _lay_out_map(self, pack: Pack) -> None:
        """2.3: places, ports, railways, entry hexes."""
        grid, tables = self.grid, pack.tables
        self.towns: Mask = pack.tagged("town")
        self.minor_cities: Mask = pack.tagged("minor_city")
        self.major_cities: Mask = pack.tagged("major_city")
        self.cities: Mask = self.minor_cities | self.major_cities
        self.city: list[int] = [0] * grid.size
        for kind, mask in ((TOWN, self.towns), (MINOR_CITY, self.minor_cities), (MAJOR_CITY, self.major_cities)):
            for h in hexes_of(mask):
                self.city[h] = kind
        assert len(CITIES) == MAJOR_CITY + 1
        # 7.22, 14.3 railways by what they are good for
        self.roads: Sides = pack.links["road"]
        self.rails: Sides = pack.links["rail"]  # for rail movement and the armoured train (7.22q, 15.6e)
        self.supply_rails: Sides = pack.links["rail_supply_only"]  # 2.34
        self.unfinished_rails: Sides = pack.links["rail_unfinished"]  # 2.33
        self.railways: Sides = either(self.rails, self.supply_rails, self.unfinished_rails)
        # 4.1b entry hexes by letter
        self.entries: dict[str, tuple[Hex, ...]] = {
            letter: tuple(grid.index[n] for n in e["hexes"]) for letter, e in tables["entry"].items()
        }
        self.entry_masks: dict[str, Mask] = {e: sum(1 << h for h in hexes) for e, hexes in self.entries.items()}
        self.entry_side: dict[str, int] = {letter: SIDES.index(e["side"]) for letter, e in tables["entry"].items()}
        self.entry_hexes: tuple[Mask, Mask] = (0, 0)
        by_side = [0, 0]
        # 4.1d A to E: no enemy enters them or attacks into them
        reserved = [0, 0]
        for letter, e in tables["entry"].items():
            side, mask = SIDES.index(e["side"]), sum(1 << h for h in self.entries[letter])
            by_side[side] |= mask
            if e["special"]:
                reserved[side] |= mask
        self.entry_hexes = (by_side[0], by_side[1])
        self.special_entries: tuple[Mask, Mask] = (reserved[0], reserved[1])
        self.barred: tuple[Mask, Mask] = (reserved[1], reserved[0])  # by side: where it may never go
        # 2.37a what can be controlled
        self.places: Mask = self.towns | self.cities | by_side[0] | by_side[1]
        # ports: hex -> sea; large ones; those that never supply the Soviets (14.22e)
        self.port_sea: dict[Hex, int] = {grid.index[p["hex"]]: SEAS.index(p["sea"]) for p in tables["port"]}
        self.ports: Mask = sum(1 << h for h in self.port_sea)
        self.ports_of: tuple[Mask, ...] = tuple(
            sum(1 << h for h, sea in self.port_sea.items() if sea == i) for i in range(3)
        )
        self.large_ports: Mask = sum(1 << grid.index[p["hex"]] for p in tables["port"] if p["size"] == "large")
        self.no_soviet_supply: Mask = sum(1 << grid.index[p["hex"]] for p in tables["port"] if not p["soviet_supply"])
        self.black_coast: Mask = pack.tagged(tables["fleet"]["coast_tag"])  # 16.22
        self.fleet_base: Hex = grid.index[tables["fleet"]["base_hex"]]  # Poti
        self.temryuk: Hex = grid.index[tables["azov_supply"]["depends_on_hex"]]
        self.taman: Hex = self.entries["J"][0]
        self.rostov: Hex = grid.index[tables["victory"]["rostov_hex"]]
        link = tables["off_map_rail"]["ends"]
        self.off_map_rail: tuple[Hex, Hex] = (grid.index[link[0]], grid.index[link[1]])  # 7.22p
        self.tbilisi: Hex = self.off_map_rail[0]
        self.vp: dict[Hex, int] = {grid.index[v["hex"]]: v["value"] for v in tables["vp"]}  # 19.1
        self.zones: dict[str, tuple[Hex, ...]] = {
            name: tuple(grid.index[n] for n in hexes)
            for name, hexes in tables["start_zones"].items()
            if isinstance(hexes, list)
        }
        self.zone_names: tuple[str, ...] = tuple(self.zones)

    def _line_up_counters(self, pack: Pack, mechanised_hq: bool, elite_tanks: bool) -> None:
        """2.2: the counters by number; values by the side of the counter that shows (FULL, REDUCED, REMNANT)."""
        rows = list(pack.units.values())
        self.types: tuple[str, ...] = tuple(r["type"] for r in rows)
        self.steps: tuple[int, ...] = tuple(int(r["steps"]) for r in rows)  # 10.3b
        self.att: tuple[tuple[int, ...], ...] = tuple(_values(r, "att") for r in rows)
        self.att_sup: tuple[tuple[int, ...], ...] = tuple(_superscripts(r) for r in rows)  # 15.5b; else as att
        self.dfn: tuple[tuple[int, ...], ...] = tuple(_values(r, "def") for r in rows)
        self.ma: tuple[tuple[int, ...], ...] = tuple(_values(r, "ma") for r in rows)  # 0 for "S" and "R"
        raised = {r["id"] for r in rows if elite_tanks and "optional_22.2_elite" in r.parts("special")}
        self.tq_att: tuple[tuple[int, ...], ...] = tuple(_quality(r, "tq_att", r["id"] in raised) for r in rows)
        self.tq_def: tuple[tuple[int, ...], ...] = tuple(_quality(r, "tq_def", r["id"] in raised) for r in rows)
        self.armour: tuple[tuple[str, ...], ...] = tuple(_armour(r) for r in rows)
        self.armoured: int = where(any(shows) for shows in self.armour)  # with a yellow box on some side
        self.cadre: tuple[bool, ...] = tuple(r["eliminated_to"] == "cadre" for r in rows)  # A52
        self.starts_reduced: tuple[bool, ...] = tuple(r["triangle"] == "yes" for r in rows)  # 2.1d
        self.entry: tuple[str, ...] = tuple(r["entry"] for r in rows)  # "A" to "J", "EC"
        # 4.5, 17.2: the replacement that rebuilds it, -1 for none; "special" ones only by 4.5g
        self.rebuilt_by: tuple[int, ...] = tuple(
            REPLACEMENTS.index(r["replacement"]) if r["replacement"] in REPLACEMENTS else -1 for r in rows
        )
        kinds = {r["type"] for r in rows}
        self.of_type: dict[str, int] = {k: where(r["type"] == k for r in rows) for k in kinds}
        self.of_side: tuple[int, int] = (where(s == AXIS for s in self.side), where(s == SOVIET for s in self.side))
        now_mech = {r["id"] for r in rows if mechanised_hq and "optional_22.1_mechanised" in r.parts("special")}
        self.mech: int = where(r["class"] == "mech" or r["id"] in now_mech for r in rows)  # 2.22a
        self.cavalry: int = where(r["class"] == "cavalry" for r in rows)
        self.foot: int = where(r["class"] == "foot" and r["id"] not in now_mech for r in rows)  # 2.22b
        self.mobile: int = self.mech | self.cavalry
        self.white: int = where(r["white_box"] == "yes" for r in rows)  # 2.2e, 5.1b
        self.zoc: int = where(r["white_box"] != "yes" for r in rows)  # 6.2
        self.hq: int = self.of_type["hq"]
        self.mountain_units: int = self.of_type["mountain"]  # 15.5a
        self.guards: int = where(r["service"] == "Guards" for r in rows)
        self.german: int = where(r["nation"] == "German" for r in rows)
        self.naval: int = self.of_type["naval_infantry"]
        self.flotilla: int = self.unit_index["SU-Azov"]  # 15.3
        self.train: int = self.unit_index["SU-Train"]  # 15.6
        self.bicycles: int = self.unit_index["GE-4Bic"]  # 15.8
        self.security: int = self.unit_index[pack.tables["security_454"]["unit"]]  # 15.9
        self.brandenburg: int = self.unit_index[pack.tables["brandenburg_table"]["unit"]]  # 15.2
        self.divisions: int = where(r["merge"] == "division" for r in rows)  # 18.1
        self.brigades: int = where(r["merge"] == "brigade" for r in rows)
        self.special_movers: int = 1 << self.flotilla | 1 << self.train
        self.immobile: int = where(not any(ma) for ma in self.ma) & ~self.special_movers  # 7.1g
        # 15.1a HQs, and all others that have nothing to attack with: no assault marker is of use to them
        self.unarmed: int = where(not any(attack) for attack in self.att) | self.hq
        # those that have nothing to attack with on one side of their counters: unit, side
        self.disarmed: tuple[tuple[int, int], ...] = tuple(
            (u, shows) for u, of in enumerate(self.att) if any(of) for shows, value in enumerate(of) if not value
        )
        self.own_movers: int = self.special_movers | 1 << self.security  # 7.9, 15.9

    def _read_charts(self, pack: Pack) -> None:
        """The charts as the chapters use them; each chapter reads the rest from `pack.tables` itself."""
        t = pack.tables
        self.crt_columns: tuple[str, ...] = tuple(t["crt"]["columns"])
        self.crt: tuple[tuple[str, ...], ...] = tuple(tuple(t["crt"]["results"][c]) for c in self.crt_columns)
        self.turns: Mapping[int, Mapping[str, Any]] = {turn["number"]: turn for turn in t["turn"]}
        self.air_shift: tuple[int, ...] = tuple(a["shift"] for a in t["air"]) + (t["fleet"]["attack_shift"], 0)
        self.air_drm: tuple[int, ...] = tuple(a["dd_drm"] for a in t["air"]) + (t["fleet"]["dd_drm"], 0)
        self.air_side: tuple[int, ...] = tuple(SIDES.index(a["side"]) for a in t["air"]) + (SOVIET,)
        assert tuple(a["id"] for a in t["air"]) == SUPPORTS[:4]
        self.air_turns: tuple[frozenset[int], ...] = tuple(frozenset(a["available_turns"]) for a in t["air"])

    def ground(self, turn: int) -> Ground:
        """The map as it is on this turn."""
        return self.grounds[WINTER if turn >= FIRST_WINTER_TURN else SUMMER]


def _values(row: Row, name: str) -> tuple[int, ...]:
    cells = [row[name], row[f"red_{name}"], row[f"rem_{name}"]][: int(row["steps"])]
    return tuple(int(cell) if cell.isdigit() else 0 for cell in cells)


def _superscripts(row: Row) -> tuple[int, ...]:
    plain = _values(row, "att")
    raised = [row["att_sup"], row["red_att_sup"], ""]
    return tuple(int(sup) if sup else value for sup, value in zip(raised, plain, strict=False))


def _quality(row: Row, name: str, elite: bool) -> tuple[int, ...]:
    cells = [row[name], row[f"red_{name}"], row[f"rem_{name}"]][: int(row["steps"])]
    return tuple(2 if elite else _QUALITY[cell] for cell in cells)


def _armour(row: Row) -> tuple[str, ...]:
    return tuple([row["armour"], row["red_armour"], row["rem_armour"]][: int(row["steps"])])
