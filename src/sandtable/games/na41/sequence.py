"""3 The sequence of play.

A game turn is Preparation, three action impulses (two in summer), Supply Attrition and Victory Points (3.1); an
impulse is an Allied player turn and an Axis player turn of six phases each (3.2).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.frames import Frame
from sandtable.mechanics.shown.telling import emit

from .table.frames import (
    AttritionAt,
    CombatAt,
    DelayAt,
    GameTurnAt,
    InitialAt,
    MovesAt,
    PlayerTurnAt,
    PreparationAt,
    RecoveryAt,
    SupplyAt,
    VictoryAt,
)
from .table.ids import (
    ALLIED,
    AXIS,
    F_ATTRITION,
    F_COMBAT,
    F_DELAY,
    F_GAME_TURN,
    F_INITIAL,
    F_MOVES,
    F_PLAYER_TURN,
    F_PREPARATION,
    F_RECOVERY,
    F_SUPPLY,
    F_VICTORY,
    PHASES,
)
from .table.position import touch
from .table.state import State

# 3.1a the steps of a game turn: what comes, and for whom
PREPARATION, IMPULSES, ATTRITION, POINTS, OVER = 0, 1, 7, 8, 9
PHASE_FRAMES = (
    InitialAt(F_INITIAL, 0),
    MovesAt(F_MOVES),
    CombatAt(F_COMBAT),
    RecoveryAt(F_RECOVERY, 0),
    SupplyAt(F_SUPPLY, 0),
    DelayAt(F_DELAY, 0, 0),
)


class GameTurn(Frame[State, GameTurnAt]):
    """3.1a One game turn. Steps 1 to 6 are the player turns: impulse 1 Allied, impulse 1 Axis, impulse 2 Allied, …"""

    at = GameTurnAt

    def run(self, s: State, f: GameTurnAt) -> None:
        step = f.step
        s.stack[-1] = GameTurnAt(F_GAME_TURN, step + 1)
        if step == PREPARATION:
            s.turn += 1
            touch(s)
            emit(s, "turn", "3.1a", {"turn": s.turn, "date": s.board.turns[s.turn]["date"]})
            enter_phase(s, "preparation")
            s.stack.append(PreparationAt(F_PREPARATION, 0))
        elif step < ATTRITION:
            impulse, side = 1 + (step - 1) // 2, ALLIED if step % 2 else AXIS
            if impulse not in s.board.turns[s.turn]["impulses"]:  # 3.1g no second impulse in summer
                return
            s.impulse = impulse
            s.active = side
            s.comando = 0  # 8.4.1c it lasts one impulse
            emit(s, "player_turn", "3.2a", {"side": side, "impulse": impulse})
            s.stack.append(PlayerTurnAt(F_PLAYER_TURN, 0))
        elif step == ATTRITION:
            enter_phase(s, "supply_attrition")
            s.stack.append(AttritionAt(F_ATTRITION, ALLIED, 0))
            s.stack.append(AttritionAt(F_ATTRITION, AXIS, 0))
        elif step == POINTS:
            enter_phase(s, "victory_points")
            s.stack.append(VictoryAt(F_VICTORY, 1))
        else:
            s.stack[-1] = GameTurnAt(F_GAME_TURN, PREPARATION)


class PlayerTurn(Frame[State, PlayerTurnAt]):
    """3.2a One player turn: six phases in order; automatic victory is tested after the Supply Phase (26.1)."""

    at = PlayerTurnAt

    def run(self, s: State, f: PlayerTurnAt) -> None:
        step = f.step
        if step == len(PHASE_FRAMES):
            s.stack.pop()
            return
        s.stack[-1] = PlayerTurnAt(F_PLAYER_TURN, step + 1)
        if step == 5:
            s.stack.append(VictoryAt(F_VICTORY, 0))
            s.stack.insert(len(s.stack) - 1, PHASE_FRAMES[step])
            enter_phase(s, "delay")
            return
        enter_phase(s, PHASES[1 + step])
        s.stack.append(PHASE_FRAMES[step])


def enter_phase(s: State, name: str) -> None:
    s.phase = PHASES.index(name)
    emit(s, "phase", "3.1a", {"phase": name, "side": s.active})


FRAMES: dict[int, Frame[State, Any]] = {F_GAME_TURN: GameTurn(), F_PLAYER_TURN: PlayerTurn()}
