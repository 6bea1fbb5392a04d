"""4.1, 15, 16 The scenarios and options, and the table as it is set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine.contract import Option, Scenario
from sandtable.engine.packs import Pack
from sandtable.mechanics.scripts import switches

from .board import Board
from .ids import ALLIED, AXIS, READY, TO_COME
from .position import put
from .script import script_of
from .state import State
from .zones import settle_control

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
