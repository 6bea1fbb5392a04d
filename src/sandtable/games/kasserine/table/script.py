"""4.1, 15, 16 What a scenario says: forces, arrivals, bans, victory; the options, and the table as it is set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Option, Scenario
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.packs import Pack
from sandtable.mechanics.masks import where
from sandtable.mechanics.scripts import scripts, switches

from .board import Board
from .ids import ALLIED, AXIS, NATIONS, PHASE_CODES, READY, SIDES, TO_COME, WEATHERS
from .position import put
from .state import State
from .zones import settle_control

MOVEMENT, REACTION, AVOIDING = "movement", "reaction_movement", "avoid_combat"


class Group(NamedTuple):
    """14.1 reinforcements that come together."""

    turn: int
    side: int
    letter: str  # entry letter, "" for those placed at a hex
    units: tuple[int, ...]
    at: Hex = -1  # placed at or near this hex instead, if it is theirs
    within: int = 0
    otherwise: str = ""  # the letter at which they come if it is not; "" waits
    leader: int = -1  # 15.13c this leader may be placed with one of `hosts` instead
    hosts: int = 0


class Ban(NamedTuple):
    """A special rule of the scenario that forbids something to some units for some turns (15.13, 15.23, 15.33)."""

    rule: str
    kind: str
    units: int
    hexes: Mask
    first: int  # turn
    last: int
    last_phase: int  # on the last turn, up to this phase
    phases: frozenset[int]  # only in these; empty for all
    checks: tuple[str, ...]  # for er_modifier
    value: int


class Pool(NamedTuple):
    """11.1, 11.42b the works that a side may have."""

    strongpoints: int
    mines: int  # that may still be laid
    mines_a_turn: int


class Script:
    """One scenario."""

    def __init__(self, board: Board, name: str) -> None:
        data = board.pack.scenarios[name]
        grid = board.grid
        self.id = name
        self.data = data
        self.title: str = data["title"]
        self.rule: str = data["rule"]
        self.first: int = data["first_turn"]
        self.last: int = data["last_turn"]
        self.weather: int = WEATHERS.index(data["weather_first_turn"])  # 4.14
        self.always: int = WEATHERS.index(data["weather_fixed"]) if "weather_fixed" in data else -1
        self.historical: bool = data.get("historical_weather", True)  # 3.71d
        self.weather_before: int = WEATHERS.index(data.get("previous_turn_weather", "dry"))  # 15.33a
        self.tigers_bound: bool = data.get("tigers_road_bound", False)
        limits = data.get("map_limits")
        self.area: Mask = _area(board, limits) if limits else grid.all  # 15.05
        self.outside: Mask = grid.all & ~self.area
        supply = data.get("supply")
        self.sources: tuple[Mask, ...] = tuple(board.mask(supply[side]) for side in SIDES) if supply else board.sources
        gone = set(data.get("excluded_rules", ()))
        self.supply_interdiction = "10.37" not in gone
        self.bombing = "10.5" not in gone
        exits = "14.3" not in gone
        allied_exits = board.exits[1] if exits and "allied_exit_hexes" in data["victory"] else 0  # A75, 15.25e
        self.exits: tuple[Mask, ...] = (board.exits[0] if exits else 0, allied_exits)
        self.setup: list[tuple[int, Hex]] = [
            (board.unit_index[u], grid.index[place["hex"]])
            for key in ("setup_axis", "setup_allied")
            for place in data[key]
            for u in place["units"]
        ]
        self.ready: list[int] = [board.unit_index[u] for box in data["boxes"] for u in box["units"]]
        self.works: list[tuple[str, int, Mask]] = [
            (work["kind"], SIDES.index(work["side"]), board.mask(work["hexes"])) for work in data["works"]
        ]
        self.groups: tuple[Group, ...] = tuple(_group(board, item) for item in data["reinforcements"])
        self.withdrawals: list[tuple[int, int]] = [
            (item["turn"], board.unit_index[u]) for item in data.get("withdrawals", ()) for u in item["units"]
        ]
        self.air_comes: list[tuple[int, int]] = _air(board, data, "add")
        self.air_goes: list[tuple[int, int]] = _air(board, data, "remove")
        self.pools: tuple[Pool, ...] = tuple(
            Pool(p["strongpoints_total"], p["minefields_to_lay"], p["minefields_per_turn"])
            for p in (data["pools"][side] for side in SIDES)
        )
        self.axis_control: Mask = board.mask(data["control_at_start"]["axis_hexes"])
        self.bans: tuple[Ban, ...] = tuple(_ban(board, item) for item in data.get("restriction", ()))
        self.bans_of: dict[str, tuple[Ban, ...]] = {
            kind: tuple(ban for ban in self.bans if ban.kind == kind) for kind in {ban.kind for ban in self.bans}
        }
        self.victory: Mapping[str, Any] = data["victory"]
        when = board.charts.early_air
        self.early_air: range = (
            range(when["first_turn"], when["last_turn"] + 1) if name in when["scenarios"] else range(0)
        )
        command = board.pack.tables["options"]["variable_command"]  # 16.3
        self.command_turn: int = command["turn"] if command["scenario"] == name else 0
        self.command_faces: tuple[int, ...] = tuple(command["on"])
        self.command_ban: str = command["ends_restriction"]

    def judged_by(self, name: str, edition: int) -> list[Mapping[str, Any]]:
        """The rows of one of the victory tables by which games of an edition are judged: levels corrected after play
        hold for games that were begun by them."""
        rows = self.victory.get(name, ())
        return [x for x in rows if x.get("from_edition", 1) <= edition <= x.get("to_edition", edition)]


def _area(board: Board, limits: Mapping[str, int]) -> Mask:
    """The hexes of some columns and rows."""
    columns = range(limits.get("col_min", 1), limits.get("col_max", 99) + 1)
    rows = range(limits.get("row_min", 1), limits.get("row_max", 99) + 1)
    return sum(1 << h for h in board.grid.hexes if board.column_of[h] in columns and board.row_of[h] in rows)


def _group(board: Board, item: Mapping[str, Any]) -> Group:
    units = tuple(board.unit_index[u] for u in item["units"])
    side = SIDES.index(item["side"])
    placement = item.get("placement")
    leader, hosts = -1, 0
    if "leader_placement" in item:
        placing = item["leader_placement"]
        leader = board.unit_index[placing["unit"]]
        formations = placing.get("with_formations")
        hosts = sum(board.of_formation[f] for f in formations) if formations else board.of_side[side] & board.ground
    if placement is None:
        return Group(item["turn"], side, item["entry"], units, leader=leader, hosts=hosts)
    otherwise = placement["otherwise"].removeprefix("entry ") if placement["otherwise"] != "delayed" else ""
    return Group(item["turn"], side, "", units, board.grid.index[placement["hex"]], placement["within"], otherwise)


def _air(board: Board, data: Mapping[str, Any], key: str) -> list[tuple[int, int]]:
    return [(item["turn"], board.unit_index[u]) for item in data["air_schedule"] for u in item[key]]


def _ban(board: Board, item: Mapping[str, Any]) -> Ban:
    units = -1
    if "side" in item:
        units = board.of_side[SIDES.index(item["side"])]
    if "formations" in item:
        units = where(f in item["formations"] for f in board.formation)
    hexes = board.mask(item["hexes"]) if "hexes" in item else 0
    if "area" in item:
        hexes = _area(board, item["area"])
    last = item.get("last_phase")
    phases = [item["phase"]] if "phase" in item else item.get("phases", [])
    return Ban(
        item["rule"],
        item["kind"],
        units,
        hexes,
        item["first_turn"],
        item["last_turn"],
        PHASE_CODES.index(last) if last else len(PHASE_CODES),
        frozenset(PHASE_CODES.index(p) for p in phases),
        tuple(item.get("checks", ())),
        item.get("value", 0),
    )


script, script_of = scripts(Script)

assert len(NATIONS) == 5


OPTIONS = (
    Option("full_exploitation", "Full MA in the Motorized Movement Phase", "16.1"),
    Option("green_troops", "Green troops: US units that fail badly in the first days are disrupted", "16.2"),
    Option("variable_command", "Variable command: divided command may end early (Scenario 1)", "16.3"),
    Option("historical_weather", "Historical weather", "3.71d"),
    Option("no_retreat_always_costs", "No Retreat costs a step even if the result calls for no retreat", "8.76"),
)
FULL_EXPLOITATION, GREEN_TROOPS, VARIABLE_COMMAND, HISTORICAL_WEATHER, NO_RETREAT_ALWAYS = (1 << i for i in range(5))

option_bits, option_names = switches(OPTIONS)


def listing(pack: Pack) -> Sequence[Scenario]:
    """The scenarios as the lobby lists them."""
    return [
        Scenario(
            name,
            data["title"],
            data.get("title_ja", ""),
            data["length"],
            data["summary"],
        )
        for name, data in pack.scenarios.items()
    ]


def new_state(board: Board, scenario: str, chosen: Mapping[str, bool]) -> State:
    """4.12, 4.13 everything in its place before the first turn."""
    play = script_of(board, scenario)
    s = State(board, scenario=scenario)
    s.flags = option_bits(chosen)
    s.turn = play.first - 1
    s.weather = play.weather_before
    s.tigers_bound = int(play.tigers_bound)
    for u, h in play.setup:
        put(s, u, h)
    for u in play.ready:
        put(s, u, READY)
    for number, group in enumerate(play.groups):
        for u in group.units:
            put(s, u, TO_COME)
            s.due[u] = group.turn
            s.group[u] = number
            s.gate[u] = board.entry_letters.index(group.letter) if group.letter else -1
    for turn, u in play.air_comes:
        put(s, u, TO_COME)
        s.due[u] = turn
    for side in (AXIS, ALLIED):
        pool = play.pools[side]
        s.strong_left[side] = pool.strongpoints
        s.mines_left[side] = pool.mines
    for kind, side, hexes in play.works:
        if kind == "strongpoint":
            s.strongpoints[side] |= hexes
            s.strong_left[side] -= hexes.bit_count()
        else:
            s.mines[side] |= hexes
            if side == ALLIED:  # 11.45c drawn and laid Untried
                s.untried |= hexes
    s.control = play.axis_control  # 4.15
    settle_control(s)
    return s
