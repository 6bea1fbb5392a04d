"""S1 Enter Rommel, S2 the campaign game, S3 Crusader, and 27 the optional rules.

What the scenario files say, as static tables (`Script`), and the table as it is laid out at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandtable.engine.contract import Option, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.packs import Pack
from sandtable.mechanics.scripts import lasting, scripts, switches
from sandtable.mechanics.shown.telling import emit

from .board import Board
from .frames import GameTurnAt
from .ids import ASIDE, AXIS, F_GAME_TURN, FULL, POOL, REDUCED, RESERVE, SCHEDULED, SIDES
from .position import add_sp, put
from .state import State

OPTIONS: tuple[Option, ...] = (
    Option("truck_capture", "Trucks can be captured", "27.1a"),
    Option("oasis_supply", "An oasis supplies one unit", "27.2"),
    Option("tag_along", "Units may tag along in advance and retreat", "27.3.1a"),
    Option("port_garrisons", "A port needs a garrison", "27.4a"),
    Option("disengagement", "Units may disengage in the Combat Phase", "27.5.1"),
)

# 27.0 none of them is in force unless it is chosen. Their bits in `State.flags` stand in ids.py, in this order
option_bits, option_names = switches(OPTIONS)

FRAMES: dict[int, Frame[State, Any]] = {}


# S1 to S3 the scenario files


@dataclass(frozen=True)
class Departure:
    """20.2, 20.3 a unit that has to go, and when it returns if it was only withdrawn."""

    side: int
    unit: int
    likes: int  # 20.2b units of the same type, nationality and tank value (unit mask)
    returns: int  # 20.3a the turn of return, 0 for a removal


@dataclass(frozen=True)
class Conversion:
    """20.4.2 to 20.4.4 old units become new ones."""

    rule: str
    side: int
    from_turn: int
    old: tuple[int, ...]
    new: tuple[int, ...]
    pair: bool  # 20.4.3 two units stacked together; otherwise the one replaces the other wherever it is


@dataclass(frozen=True)
class Release:
    """S2.2c, S2.2d when reserves are let go."""

    rule: str
    units: int  # unit mask
    turn: int
    hex: Hex  # or when an Axis unit enters this hex


@dataclass(frozen=True)
class Automatic:
    """26.1 control of a hex, with a combat unit in full supply, after the Supply Phase of the enemy's player turn."""

    rule: str
    winner: int
    hex: Hex
    player_turn: int


@dataclass(frozen=True)
class Objectives:
    """S1.3, S3.3 hexes to control at the end."""

    rule: str
    hexes: Mask
    needed: int
    either_side: bool  # S3.3 the Allies need as many; S1.3 they win if the Axis has fewer


@dataclass(frozen=True)
class Points:
    """S2.3 victory points."""

    airfields: Mask
    index: tuple[int, ...]  # S2.3.1a by turn, turn 1 first
    sudden: int


@dataclass(frozen=True)
class Script:
    """The facts of one scenario that do not change in play."""

    id: str
    rule: str
    first_turn: int
    last_turn: int
    first_step: int  # S1.2b, S3.2a the player turn that opens the game, as a step of sequence.GameTurn
    malta: int
    rp: tuple[int, int]
    vp: int
    control: Mask
    port_level: tuple[int, ...]
    forts: tuple[Mask, Mask]
    setup: Mapping[int, tuple[int, int]]  # unit -> place, step
    depots: tuple[tuple[int, int, int], ...]  # side, place, SPs
    due: Mapping[int, int]  # unit -> turn of arrival
    to_reserve: int  # S2.2b unit mask: they arrive in the Reserve Box
    upgrades: int  # 20.4.1 unit mask: they arrive as upgrades
    replacements: Mapping[tuple[int, int], tuple[str, ...]]  # turn, side -> codes (19.1.1c)
    departures: Mapping[int, tuple[Departure, ...]]  # by turn
    conversions: tuple[Conversion, ...]
    releases: tuple[Release, ...]
    automatic: tuple[Automatic, ...]
    objectives: Objectives | None
    points: Points | None


def _read(board: Board, scenario: str) -> Script:
    data = board.pack.scenarios[scenario]
    head, state = data["scenario"], data["state"]
    index = board.unit_index
    first = head["first_turn_play"]["player_turns"][0]
    arrivals = [*data.get("reinforcement", ()), *data.get("upgrade", ())]
    return Script(
        id=scenario,
        rule=head["rule"],
        first_turn=head["first_turn"],
        last_turn=head["last_turn"],
        first_step=player_turn_step(first["impulse"], SIDES.index(first["side"])),
        malta=state["malta_box"],
        rp=(state["rp_axis"], state["rp_allied"]),
        vp=state["vp"],
        control=board.mask(number for number, side in state["control"].items() if side == "axis"),
        port_level=tuple(
            track.index(state["port_capacity"].get(name, track[0]))
            for name, track in zip(board.port_ids, board.port_track, strict=True)
        ),
        forts=_forts(board, data),
        setup={index[row["unit"]]: _set_up(board, row) for row in data["setup"]},
        depots=tuple((SIDES.index(row["side"]), board.place(row["at"]), row["count"]) for row in data["supply_points"]),
        due={index[name]: row["turn"] for row in arrivals for name in row["units"]},
        to_reserve=_units(board, (n for row in arrivals if row["to"] == "box:reserve" for n in row["units"])),
        upgrades=_units(board, (n for row in data.get("upgrade", ()) for n in row["units"])),
        replacements={
            (row["turn"], SIDES.index(row["side"])): tuple(row["units"]) for row in data.get("replacement", ())
        },
        departures=_departures(board, data),
        conversions=tuple(_conversion(board, row) for row in data.get("conversion", ())),
        releases=tuple(
            Release(rule, _units(board, row["units"]), row["turn"], board.grid.index[row["or_axis_enters"]])
            for rule, row in zip(("S2.2c", "S2.2d"), data["special"].get("reserve_release", ()), strict=False)
        ),
        automatic=tuple(
            Automatic(
                f"26.1.{i}",
                SIDES.index(row["winner"]),
                board.grid.index[row["hex"]],
                SIDES.index(row["in_player_turn"]),
            )
            for i, row in enumerate(data["automatic_victory"]["condition"], 1)
        ),
        objectives=_objectives(board, head["rule"], data["victory"]),
        points=_points(board, data["victory"]),
    )


script, script_of = scripts(_read)
"""The script of the scenario being played (of a state), and of a scenario (of a board and its name)."""


def player_turn_step(impulse: int, side: int) -> int:
    """The step of sequence.GameTurn at which this player turn begins."""
    return 2 * impulse - 1 + (side == AXIS)


def _units(board: Board, names: Any) -> int:
    return sum(1 << board.unit_index[name] for name in names)


def _forts(board: Board, data: Mapping[str, Any]) -> tuple[Mask, Mask]:
    rows = data.get("fortification", ())
    axis, allied = (board.mask(row["at"] for row in rows if row["side"] == side) for side in SIDES)
    return axis, allied


STATES = {"full": FULL, "ready": FULL, "truck": FULL, "reduced": REDUCED}
"""The states in which a unit can be set up, and the side of the counter that shows."""


def _set_up(board: Board, row: Mapping[str, Any]) -> tuple[int, int]:
    if row["state"] not in STATES:
        raise ValueError(f"{row['unit']}: no unit is set up as {row['state']!r}, but as {', '.join(STATES)}")
    return board.place(row["at"]), STATES[row["state"]]


def _departures(board: Board, data: Mapping[str, Any]) -> dict[int, tuple[Departure, ...]]:
    """20.2b any unit of the same type, nationality and tank value will do."""
    out: dict[int, tuple[Departure, ...]] = {}
    for row in (*data.get("removal", ()), *data.get("withdrawal", ())):
        u = board.unit_index[row["unit"]]
        likes = board.of_type[board.types[u]] & board.of_nation[board.nation[u]] & ~board.remnant_counters
        if board.tanks >> u & 1:
            likes &= sum(1 << v for v, value in enumerate(board.tank_value) if value == board.tank_value[u])
        departure = Departure(SIDES.index(row["side"]), u, likes, row.get("returns_turn", 0))
        out[row["turn"]] = (*out.get(row["turn"], ()), departure)
    return out


def _conversion(board: Board, row: Mapping[str, Any]) -> Conversion:
    index = board.unit_index
    return Conversion(
        rule=row["rule"],
        side=SIDES.index(row["side"]),
        from_turn=row["from_turn"],
        old=tuple(index[name] for name in row["old"]),
        new=tuple(index[name] for name in row["new"]),
        pair=row["mode"] == "pair",
    )


def _objectives(board: Board, rule: str, victory: Mapping[str, Any]) -> Objectives | None:
    if victory["kind"] != "objectives":
        return None
    return Objectives(
        rule=f"{rule}.3",
        hexes=board.mask(row["hex"] for row in victory["objective"]),
        needed=victory["axis_wins_with"] if "axis_wins_with" in victory else victory["wins_with"],
        either_side=bool(victory.get("either_side", False)),
    )


def _points(board: Board, victory: Mapping[str, Any]) -> Points | None:
    if victory["kind"] != "victory_points":
        return None
    return Points(
        airfields=board.mask(victory["airfield_hexes"]),
        index=tuple(victory["vp_index_by_turn"]),
        sudden=victory["sudden_axis"],
    )


def listing(pack: Pack) -> Sequence[Scenario]:
    """The scenarios as the lobby lists them."""
    return [
        Scenario(
            id=key,
            title=head["title"],
            title_ja=head["title_ja"],
            length=lasting(head["last_turn"] - head["first_turn"] + 1, "turn"),
            note=f"{head['first_date']} to {head['last_date']}. {_goal(data['victory'])}",
        )
        for key, data in pack.scenarios.items()
        for head in (data["scenario"],)
    ]


def _goal(victory: Mapping[str, Any]) -> str:
    if victory["kind"] == "victory_points":
        return f"Airfields count every turn; {victory['sudden_axis']} points win at once."
    if "axis_wins_with" in victory:
        return f"The Axis needs {victory['axis_wins_with']} of {victory['of']} objectives at the end."
    return f"Whoever holds {victory['wins_with']} of {victory['of']} objectives at the end wins."


def new_state(board: Board, scenario: str, options: Mapping[str, bool]) -> State:
    """S1.1, S2.1, S3.1 the table as the scenario lays it out; play opens with the first player turn."""
    play = script_of(board, scenario)
    s = State(board, scenario=scenario)
    s.flags = option_bits(options)
    s.turn = play.first_turn  # S1.2b, S3.2a without its Preparation Phase
    s.malta = play.malta
    s.rp, s.vp = list(play.rp), play.vp
    s.control = s.control_before = play.control
    s.port_level = list(play.port_level)
    s.forts = list(play.forts)
    for u, (place, step) in play.setup.items():
        s.step[u] = step
        put(s, u, place)
    for u, turn in play.due.items():
        put(s, u, SCHEDULED)
        s.due[u] = turn
    for conversion in play.conversions:
        for u in conversion.new:
            put(s, u, ASIDE)
    for u in range(len(board.units)):
        if board.replacements >> u & 1:
            put(s, u, POOL)  # S1.1i
        elif (board.captured | board.remnant_counters) >> u & 1:
            put(s, u, ASIDE)
    for side, place, count in play.depots:
        add_sp(s, side, place, count)
    emit(s, "turn", "3.1a", {"turn": s.turn, "date": board.turns[s.turn]["date"]})
    s.stack = [GameTurnAt(F_GAME_TURN, play.first_step)]
    return s


def arrival_box(s: State, u: int) -> int:
    """20.1a, S2.2b where a reinforcement is put: the base of its side, or the Reserve Box."""
    return RESERVE if script(s).to_reserve >> u & 1 else s.board.base[s.board.side[u]]
