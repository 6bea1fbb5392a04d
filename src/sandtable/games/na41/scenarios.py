"""S1 Enter Rommel, S2 the campaign game, S3 Crusader, and 27 the optional rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine.contract import Option, Scenario
from sandtable.engine.frames import Frame
from sandtable.engine.packs import Pack

from .board import Board
from .state import State

OPTIONS: tuple[Option, ...] = (
    Option("truck_capture", "Trucks can be captured", "27.1"),
    Option("oasis_supply", "An oasis supplies one unit", "27.2"),
    Option("tag_along", "Units may tag along in advance and retreat", "27.3.1a"),
    Option("port_garrisons", "A port needs a garrison", "27.4"),
    Option("disengagement", "Units may disengage in the Combat Phase", "27.5.1"),
)

# The same as bits of `State.flags`
TRUCK_CAPTURE, OASIS_SUPPLY, TAG_ALONG, PORT_GARRISONS, DISENGAGEMENT = (1 << i for i in range(5))

FRAMES: dict[int, Frame[State]] = {}


def option_bits(chosen: Mapping[str, bool]) -> int:
    """The options of a game as bits of `State.flags`."""
    unknown = set(chosen) - {option.id for option in OPTIONS}
    if unknown:
        raise ValueError(f"no option is called {', '.join(sorted(unknown))}")
    return sum(1 << i for i, option in enumerate(OPTIONS) if chosen.get(option.id, option.default))


def option_names(flags: int) -> dict[str, bool]:
    return {option.id: bool(flags >> i & 1) for i, option in enumerate(OPTIONS)}


def listing(pack: Pack) -> Sequence[Scenario]:
    raise NotImplementedError


def new_state(board: Board, scenario: str, options: Mapping[str, bool]) -> State:
    raise NotImplementedError
