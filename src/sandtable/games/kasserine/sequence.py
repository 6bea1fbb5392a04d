"""4.2 The sequence of play, readable next to the outline in the rulebook.

A Strategic: weather, reinforcements, supply determination, air readiness, joint air phase
B Axis Operations: movement, Allied reaction, combat, motorized movement
C Allied Operations: the same with sides changed
D Reorganization: engineers, reorganization, victory, turn record
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.frames import Frame
from sandtable.mechanics.shown.telling import emit

from .supply.determination import determine as determine_supply
from .table import steps
from .table.ids import (
    A1_WEATHER,
    A2_REINFORCEMENTS,
    A3_SUPPLY,
    A4_AIR_READINESS,
    A5_JOINT_AIR,
    ALLIED,
    AXIS,
    B1_MOVEMENT,
    B2_REACTION,
    B3_COMBAT,
    B4_MOTORIZED,
    C1_MOVEMENT,
    C2_REACTION,
    C3_COMBAT,
    C4_MOTORIZED,
    D1_ENGINEER,
    D2_REORGANIZATION,
    D3_VICTORY,
    D4_TURN_RECORD,
)
from .table.position import forget
from .table.state import State
from .table.steps import At, SideAt, StageAt, UnitAt
from .turn import air, reorganization, standing, victory, weather
from .turn.air import AirAt


def _push(s: State, *frames: tuple[Any, ...]) -> None:
    """These steps one after the other: the first is played first."""
    s.stack.extend(reversed(frames))


def begin(s: State) -> None:
    """4.14 play begins with the Weather Phase of the first turn."""
    s.stack.append(StageAt(steps.TURN))


def _weather(s: State) -> None:
    s.turn += 1
    s.active = AXIS
    s.converted = s.arrived = 0
    emit(s, "turn", "4.2a", {"turn": s.turn, "date": s.board.charts.dates[s.turn]})
    _push(s, At(steps.WEATHER), At(steps.COMMAND_ROLL))


def _reinforcements(s: State) -> None:
    weather.reinforcements(s)


def _supply(s: State) -> None:
    determine_supply(s)


def _air_readiness(s: State) -> None:
    air.readiness(s)


def _joint_air(s: State) -> None:
    """10.32, 10.37a, 10.51 interdiction, supply interdiction and bombing, the Axis first in each."""
    _push(
        s,
        SideAt(steps.INTERDICTION_PLACING, AXIS),
        SideAt(steps.INTERDICTION_PLACING, ALLIED),
        AirAt(steps.RAIDS, AXIS),
        AirAt(steps.RAIDS, ALLIED),
        SideAt(steps.BOMBING, AXIS),
        SideAt(steps.BOMBING, ALLIED),
    )


def _movement(side: int) -> Callable[[State], None]:
    def phase(s: State) -> None:
        """6.11, 7.1 movement with overruns, then the declarations."""
        s.active = side
        s.moved = 0
        s.rommel_overran = 0
        s.column.clear()
        _push(s, At(steps.MOVES), At(steps.DECLARATIONS))

    return phase


def _reaction(s: State) -> None:
    """7.2-7.4 of the other side."""
    s.tried = s.reacted = s.avoided = s.stood = s.no_retreat = 0
    if s.aims:
        _push(s, At(steps.AVOIDING), At(steps.REACTIONS), At(steps.STANDS))


def _combat(s: State) -> None:
    standing.phase_over(s)
    s.rommel_fought = s.harmon_fought = 0
    s.refugees.clear()
    if s.at[s.board.patton] >= 0:  # 12.43b
        s.patton_felt = 1
        forget(s)
    _push(s, At(steps.COMBATS))


def _motorized(s: State) -> None:
    """4.2f, 12.23ba, 12.23ca at the end of the Combat Phase Fired units and spent HQs are turned back."""
    s.fired = s.spent = s.attacked = 0
    s.no_retreat = 0
    s.moved = 0
    _push(s, At(steps.MOVES))


def _engineer(s: State) -> None:
    reorganization.open_engineers(s)
    _push(s, SideAt(steps.ENGINEERS, AXIS), SideAt(steps.ENGINEERS, ALLIED))


def _reorganization(s: State) -> None:
    reorganization.interdiction_home(s)
    _push(s, UnitAt(steps.RECOVERY, 0))


def _victory(s: State) -> None:
    s.penalty += victory.turn_penalty(s)
    s.ended = victory.determine(s)
    if s.ended is not None:
        told = {"winner": -1 if s.ended.winner is None else s.ended.winner, "level": s.ended.level}
        emit(s, "game_over", s.ended.rule, {**told, "points": s.ended.points})


def _turn_record(s: State) -> None:
    s.stack[-1] = StageAt(steps.TURN)


SEQUENCE: tuple[tuple[int, Callable[[State], None]], ...] = (
    (A1_WEATHER, _weather),
    (A2_REINFORCEMENTS, _reinforcements),
    (A3_SUPPLY, _supply),
    (A4_AIR_READINESS, _air_readiness),
    (A5_JOINT_AIR, _joint_air),
    (B1_MOVEMENT, _movement(AXIS)),
    (B2_REACTION, _reaction),
    (B3_COMBAT, _combat),
    (B4_MOTORIZED, _motorized),
    (C1_MOVEMENT, _movement(ALLIED)),
    (C2_REACTION, _reaction),
    (C3_COMBAT, _combat),
    (C4_MOTORIZED, _motorized),
    (D1_ENGINEER, _engineer),
    (D2_REORGANIZATION, _reorganization),
    (D3_VICTORY, _victory),
    (D4_TURN_RECORD, _turn_record),
)


class Turn(Frame[State, StageAt]):
    """4.2 one phase after the other; at the end of each the stacking limit is judged (3.32b)."""

    at = StageAt

    def run(self, s: State, f: StageAt) -> None:
        phase, play = SEQUENCE[f.stage]
        if reorganization.crowded(s) and any(reorganization.overstacked(s, side) for side in (AXIS, ALLIED)):
            _push(s, SideAt(steps.OVERSTACK, AXIS), SideAt(steps.OVERSTACK, ALLIED))
            return
        s.phase = phase
        forget(s)
        s.stack[-1] = StageAt(f.frame, f.stage + 1)
        emit(s, "phase", "4.2a", {"phase": phase})
        play(s)


FRAMES: dict[int, Frame[State, Any]] = {steps.TURN: Turn()}
