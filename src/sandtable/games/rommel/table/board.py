"""What never changes during a game: the map, the blocks and the charts, as flat tables and masks."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.packs import Pack
from sandtable.mechanics.boards import PackBoard
from sandtable.mechanics.memory import remembered

from .ids import CLASSES, GRADES, NO_ROAD, SIDES

Sides = tuple[Mask, ...]
"""Six masks: the hexes that have a feature on their side in each direction."""

NO_SIDES: Sides = (0,) * 6


class Board(PackBoard):
    """The map, blocks and charts of Rommel in the Desert (chapters 1 and 2 and the charts)."""

    def __init__(self, pack: Pack, infantry_tanks: bool = False) -> None:
        super().__init__(pack, SIDES, (infantry_tanks,))
        self._lay_out_map(pack)
        self._line_up_blocks(pack, infantry_tanks)
        self._read_charts(pack)

    def _lay_out_map(self, pack: Pack) -> None:
        """Chapter 1: hexsides, roads, bases, fortresses, oases."""
        grid = self.grid
        tables = pack.tables
        self.land: Mask = pack.terrain["land"]
        # 1.5 roads, by grade and direction
        self.roads: tuple[Sides, ...] = tuple(pack.links.get(kind, NO_SIDES) for kind in GRADES[:3])
        # A1: mountain only by road; ridge and marsh by a gorge or a road; sea sides never
        rough = {k: pack.sides.get(k, NO_SIDES) for k in ("mountain", "ridge", "marsh", "sea")}
        gorge = pack.sides_where(lambda edge: edge.row.yes("gorge"))
        open_: list[Mask] = []
        narrow: list[Mask] = []
        for d in range(6):
            both = self.land & grid.step(self.land, (d + 3) % 6)
            road = self.roads[0][d] | self.roads[1][d] | self.roads[2][d]
            blocked = rough["sea"][d] | rough["mountain"][d] & ~road
            pass_needed = rough["ridge"][d] | rough["marsh"][d]
            blocked |= pass_needed & ~(gorge[d] | road)
            open_.append(both & ~blocked)
            narrow.append(both & ~blocked & (pass_needed | rough["mountain"][d]))
        self.open: Sides = tuple(open_)  # hexes that may be left in each direction
        self.narrow: Sides = tuple(narrow)  # 7.1c: only one unit may engage through these
        # Roads count only where the hexside can be crossed at all
        self.roads = tuple(tuple(r[d] & open_[d] for d in range(6)) for r in self.roads)
        coast, track, trail = self.roads
        self.track_or_better: Sides = tuple(coast[d] | track[d] for d in range(6))
        self.any_road: Sides = tuple(coast[d] | track[d] | trail[d] for d in range(6))
        self.coast_hexes: Mask = coast[0] | coast[1] | coast[2] | coast[3] | coast[4] | coast[5]
        self.steps: list[tuple[tuple[int, Hex], ...]] = [
            tuple((d, n) for d, n in grid.neighbours[h] if open_[d] >> h & 1) for h in range(grid.size)
        ]
        # by hex and direction the best road across the hexside
        self.grade: list[tuple[int, ...]] = [
            tuple(next((g for g, road in enumerate(self.roads) if road[d] >> h & 1), NO_ROAD) for d in range(6))
            for h in range(grid.size)
        ]
        self.base: tuple[Hex, Hex] = (grid.index[tables["bases"]["axis"]], grid.index[tables["bases"]["commonwealth"]])
        self.base_mask: tuple[Mask, Mask] = (1 << self.base[0], 1 << self.base[1])
        self.fortress_names: tuple[str, ...] = tuple(k for k in tables["fortresses"] if k != "source")
        forts = [tables["fortresses"][k] for k in self.fortress_names]
        self.fortresses: tuple[Hex, ...] = tuple(grid.index[f["hex"]] for f in forts)
        self.fortress_mask: Mask = sum(1 << h for h in self.fortresses)
        self.siege_ring: tuple[Mask, ...] = tuple(grid.within(h, 1) for h in self.fortresses)  # 13.5a
        # 13.3c, 13.3d: capacity by fortress and side
        self.capacity: tuple[tuple[int, int], ...] = tuple((f["axis_capacity"], f["capacity"]) for f in forts)
        # 13.4d: bonus cards by fortress and capturing side
        self.bonus: tuple[tuple[int, int], ...] = tuple((f["bonus_to_axis"], f["bonus_to_commonwealth"]) for f in forts)
        self.tobruk: Hex = self.fortresses[self.fortress_names.index("Tobruk")]
        self.oases: tuple[Hex, ...] = tuple(grid.index[o["hex"]] for k, o in tables["oases"].items() if k != "source")
        self.oasis_mask: Mask = sum(1 << h for h in self.oases)
        ports = (self.fortress_mask | self.base_mask[0], self.fortress_mask | self.base_mask[1])
        self.ports: tuple[Mask, Mask] = ports
        # 5.3g: distance in hexes from each base
        self.base_distance: tuple[list[int], list[int]] = (self._far(self.base[0]), self._far(self.base[1]))
        bend = tables["withdrawal_exception"]["hexes"]
        self.bend: tuple[Hex, Hex] = (grid.index[bend[0]], grid.index[bend[1]])
        edges = tables["map_exit"]
        # 17.1a: the edge by which each side leaves: Axis in the east, Commonwealth in the west
        self.exits: tuple[Mask, Mask] = (
            sum(1 << grid.index[h] for h in edges["east_edge_hexes"]),
            sum(1 << grid.index[h] for h in edges["west_edge_hexes"]),
        )
        self.exit_road: dict[Hex, int] = {grid.index[r["hex"]]: GRADES.index(r["kind"]) for r in edges["road_off_map"]}
        # the edge hexes that a way by coast road, by track or better, by any road, or anywhere goes on from
        self.exits_by: tuple[Mask, ...] = tuple(
            sum(1 << h for h, grade in self.exit_road.items() if grade <= c) for c in range(3)
        ) + (self.exits[0] | self.exits[1],)

    def _far(self, base: Hex) -> list[int]:
        """The distance of every hex from a base."""
        far = [99] * self.grid.size
        for h in self.grid.hexes:
            far[h] = self.grid.distance(h, base)
        return far

    def _line_up_blocks(self, pack: Pack, infantry_tanks: bool) -> None:
        """Chapter 2: the blocks, by number."""
        rows = list(pack.units.values())
        self.unit_types: tuple[str, ...] = tuple(r["type"] for r in rows)
        self.unit_sizes: tuple[str, ...] = tuple(r["size"] for r in rows)
        self.nation: tuple[str, ...] = tuple(r["nation"] for r in rows)
        self.cls: tuple[int, ...] = tuple(CLASSES.index(r["class"]) for r in rows)
        speeds = [int(r["speed"]) for r in rows]
        if infantry_tanks:  # 19.1b
            speeds = [int(r["optional_speed"] or sp) for r, sp in zip(rows, speeds, strict=True)]
        self.speed: tuple[int, ...] = tuple(speeds)
        self.step_cv: tuple[int, ...] = tuple(int(r["step_cv"]) for r in rows)  # 2.3a, 2.4b
        self.max_cv: tuple[int, ...] = tuple(int(r["cv_max"]) for r in rows)
        # 17.2b in halves: a German unit counts three, any other two
        self.weight2: tuple[int, ...] = tuple(round(float(r["victory_weight"]) * 2) for r in rows)
        self.rebuild_cost: tuple[int, ...] = tuple(
            int(pack.tables["costs"]["replacement_per_cv"][r["type"]]) * int(r["step_cv"]) for r in rows
        )
        self.of_side: tuple[int, int] = (0, 0)
        masks = [0, 0]
        classes = [0, 0, 0, 0]
        for u, side in enumerate(self.side):
            masks[side] |= 1 << u
            classes[self.cls[u]] |= 1 << u
        self.of_side = (masks[0], masks[1])
        self.of_class: tuple[int, ...] = tuple(classes)
        self.elite: int = sum(1 << u for u, step in enumerate(self.step_cv) if step == 2)

    def _read_charts(self, pack: Pack) -> None:
        """The charts: fire, costs, deck."""
        t = pack.tables
        codes = {code: faces for code, faces in t["fire_codes"].items() if code != "source"}
        # 9.4: how many faces of a die hit, by firing and target class
        self.fire: tuple[tuple[int, ...], ...] = tuple(
            tuple(len(codes[code]) for code in t["fire_table"][cls]) for cls in CLASSES
        )
        self.bonus_hexes: tuple[int, ...] = tuple(t["roads"][g]["movement_bonus"] for g in GRADES)  # 6.2a
        self.supply_range: tuple[int, ...] = tuple(
            0 if t["roads"][g].get("supply_unlimited") else int(t["roads"][g]["supply_range"]) for g in GRADES
        )
        self.option_cost: tuple[int, ...] = tuple(
            t["turn_options"][o]["real_cards"] for o in ("basic", "offensive", "assault", "blitz", "pass")
        )
        self.redeploy_hexes = int(t["buildup"]["redeployment_base_hexes"])  # 16.51b
        self.mine_cost = int(t["costs"]["minefield"])
        self.card_cost = int(t["costs"]["extra_supply_card"])
        self.saved_limit = int(t["costs"]["saved_points_limit"])
        # 16.53b to 16.53e by side the cost of a voyage by the number of besieged ports on its way; None: not allowed
        rows = [t["costs"]["sea_per_unit"][row] for row in ("none_besieged", "one_besieged", "both_besieged")]
        self.fares: tuple[tuple[int | None, ...], ...] = tuple(tuple(row.get(side) for row in rows) for side in SIDES)
        self.hand_limit = int(t["supply_deck"]["hand_limit"])
        self.deck: tuple[int, int] = (int(t["supply_deck"]["real"]), int(t["supply_deck"]["dummy"]))


# The same stacks of units are asked for again and again, in one turn and from turn to turn: these lists are made
# once and kept, as long as there is room for them.


WORD = 32


@remembered(1 << 16)
def units_of(mask: int) -> tuple[int, ...]:
    """The unit numbers of a unit mask, ascending."""
    found = _units_in_word(mask & 0xFFFFFFFF, 0)
    first = WORD
    while mask := mask >> WORD:
        found += _units_in_word(mask & 0xFFFFFFFF, first)
        first += WORD
    return found


@remembered(1 << 14)
def _units_in_word(word: int, first: int) -> tuple[int, ...]:
    """From one mask to the next most words stay what they are."""
    out: list[int] = []
    while word:
        low = word & -word
        out.append(first + low.bit_length() - 1)
        word ^= low
    return tuple(out)
