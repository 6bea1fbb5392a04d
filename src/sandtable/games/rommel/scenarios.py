"""18 The scenarios: what the scenario files say, as static tables, and the set-up of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.contract import Option
from sandtable.engine.frames import Frame

from .board import Board
from .ids import SIDES
from .state import State


@dataclass(frozen=True)
class Script:
    """The facts of one scenario that do not change in play (sequence.py and buildup.py read them)."""

    id: str
    first_month: int
    last_month: int
    buildup_in_first_month: bool
    first_player: int
    first_challenge_month: int
    rommel_move: bool
    dice_per_player: int
    months: tuple[str, ...]  # month names of the calendar, the first is month number 1
    due: Mapping[int, int] = field(default_factory=dict)  # unit -> month of arrival (16.4c)
    strength: Mapping[int, int] = field(default_factory=dict)  # unit -> CV at the start, where not its maximum
    blocks: tuple[int, ...] = ()  # all units of this scenario, on the map or still to come
    data: Mapping[str, Any] = field(default_factory=dict)  # the scenario file itself


def script_of(board: Board, scenario: str) -> Script:
    """The script of a scenario, read once per board."""
    found: Script | None = board.scripts.get(scenario)
    if found is None:
        data = board.pack.scenarios[scenario]
        due = {board.unit_index[u]: int(m) for m, names in data["reinforcements"].items() for u in names}
        due |= {board.unit_index[u]: int(data["last_month"]) + 1 for u in data["due_after_end"]["units"]}
        boxed = [u for box in data["boxes"].values() for u in box]
        blocks = {board.unit_index[u] for u in [*data["setup"], *boxed]} | set(due)
        found = board.scripts[scenario] = Script(
            id=scenario,
            first_month=data["first_month"],
            last_month=data["last_month"],
            buildup_in_first_month=data["buildup_in_first_month"],
            first_player=SIDES.index(data["first_player"]),
            first_challenge_month=data["first_challenge_month"],
            rommel_move=data["rommel_move"],
            dice_per_player=data["buildup_dice_per_player"],
            months=tuple(board.pack.tables["calendar"][data["calendar"]]["months"]),
            due=due,
            strength={board.unit_index[u]: cv for u, cv in data["strength"].items()},
            blocks=tuple(sorted(blocks)),
            data=data,
        )
    return found


def script(s: State) -> Script:
    return script_of(s.board, s.scenario)


OPTIONS: tuple[Option, ...] = (
    Option("infantry_tanks", "Infantry tanks are slow", "19.1b"),
    Option("eliminate_unsupplied_after_last_month", "Unsupplied units are lost after the last month", "A43"),
    Option("free_setup", "Free set-up in the deployment areas", "3.0"),
)


def option_bits(chosen: Mapping[str, bool]) -> int:
    """The options of a game as bits of `State.flags`."""
    return sum(1 << i for i, option in enumerate(OPTIONS) if chosen.get(option.id))


def option_names(flags: int) -> dict[str, bool]:
    """The options of a game by name."""
    return {option.id: bool(flags >> i & 1) for i, option in enumerate(OPTIONS)}


FRAMES: dict[int, Frame[State]] = {}
