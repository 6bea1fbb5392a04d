"""20 The campaign game, 21 the tournament scenario, 22 the optional rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine.contract import Option, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.packs import Pack

from .board import Board
from .state import State

OPTIONS: tuple[Option, ...] = ()

FRAMES: dict[int, Frame[State]] = {}


def option_bits(chosen: Mapping[str, bool]) -> int:
    return sum(1 << i for i, option in enumerate(OPTIONS) if chosen.get(option.id, option.default))


def option_names(flags: int) -> dict[str, bool]:
    return {option.id: bool(flags >> i & 1) for i, option in enumerate(OPTIONS)}


def listing(pack: Pack) -> Sequence[Scenario]:
    return []


def new_state(board: Board, scenario: str, options: Mapping[str, bool]) -> State:
    raise NotImplementedError
