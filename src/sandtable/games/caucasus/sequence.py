"""3 The sequence of play.

A game turn is the Axis player turn, the Soviet player turn and the Victory Determination Phase (3.0a),
in the order of the table at the end of chapter 3 and no other.
"""

from __future__ import annotations

from sandtable.engine.frames import Frame
from sandtable.mechanics.shown.telling import emit

from .movement.phase import begin_moves
from .table.board import FIRST_WINTER_TURN
from .table.frames import PhaseAt, SideAt, StepAt
from .table.ids import AXIS, CADRE, F_COMBAT, F_INITIAL, F_MOVES, F_SUPPLY, F_TURN, F_VICTORY, PHASES, RETURNING, SOVIET
from .table.state import State, clear_marks, put, touch

# The steps of F_TURN after the first, in order: phase, side, second impulse.
STEPS: tuple[tuple[str, int, int], ...] = (
    ("axis_initial", AXIS, 0),
    ("axis_first_movement", AXIS, 0),
    ("axis_first_combat", AXIS, 0),
    ("soviet_second_movement", SOVIET, 1),
    ("soviet_second_combat", SOVIET, 1),
    ("axis_second_movement", AXIS, 1),
    ("axis_second_combat", AXIS, 1),
    ("axis_supply", AXIS, 0),
    ("soviet_initial", SOVIET, 0),
    ("soviet_first_movement", SOVIET, 0),
    ("soviet_first_combat", SOVIET, 0),
    ("soviet_supply", SOVIET, 0),
    ("victory", AXIS, 0),
)


class Turn(Frame[State, StepAt]):
    """3.0a One game turn: step 0 begins it, then the phases of STEPS."""

    at = StepAt

    def run(self, s: State, f: StepAt) -> None:
        step = f.step
        if step == 0:
            begin_turn(s)
            s.stack[-1] = f._replace(step=1)
            return
        if step > 1 and STEPS[step - 2][0].endswith("_combat"):
            end_combat(s)
        name, side, second = STEPS[step - 1]
        s.stack[-1] = f._replace(step=step + 1)
        if second and s.bad:  # 3.0c, 4.8c no Second Impulses in bad weather
            return
        s.phase = PHASES.index(name)
        s.active = side
        s.second = second
        emit(s, "phase", "3.0a", {"phase": name, "side": side})
        if name.endswith("_initial"):
            s.stack.append(SideAt(F_INITIAL, side, 0))
        elif name.endswith("_movement"):
            ready_air(s)
            begin_moves(s)
            s.stack.append(PhaseAt(F_MOVES, second))
        elif name.endswith("_combat"):
            begin_combat(s)
            s.stack.append(PhaseAt(F_COMBAT, second))
        elif name.endswith("_supply"):
            s.stack.append(SideAt(F_SUPPLY, side, 0))
        else:
            s.stack[-1] = f._replace(step=0)  # 3.0e unless the game ends here
            s.stack.append((F_VICTORY,))


def begin_turn(s: State) -> None:
    """3.0e the turn marker advances; on turn 10 winter comes (2.31, 2.32)."""
    s.turn += 1
    s.bad = 0
    s.no_roll = 0
    s.ground = s.board.ground(s.turn)
    s.zones = [-1, -1]
    touch(s)
    emit(s, "turn", "3.0e", {"turn": s.turn, "dates": s.board.turns[s.turn]["dates"]})
    if s.turn == FIRST_WINTER_TURN:
        drown(s)


def drown(s: State) -> None:
    """2.31c a mechanised unit in a seasonal marsh hex that turns into marsh goes to the Cadre Box.

    An HQ (mechanised by option 22.1) returns as after any other elimination (15.1f).
    """
    seasonal = s.board.pack.terrain.get("seasonal_marsh", 0)
    emit(s, "winter", "2.32a", {})
    for u, h in enumerate(s.at):
        if h >= 0 and seasonal >> h & 1 and s.board.mech >> u & 1:
            box = RETURNING if s.board.hq >> u & 1 else CADRE
            clear_marks(s, u)
            s.step[u] = s.board.steps[u] - 1
            emit(s, "eliminated", "2.31c", {"unit": u, "hex": h, "side": s.board.side[u], "box": box})
            put(s, u, box)


def ready_air(s: State) -> None:
    """3.0d, 16.11c at the start of each impulse the air markers of both sides are turned to Ready."""
    s.air_used = 0


def begin_combat(s: State) -> None:
    """8.1b a combat phase begins: nobody has attacked, been attacked or retreated in it."""
    s.attacked = s.defended = s.retreated = 0


def end_combat(s: State) -> None:
    """The markers of the impulse come off: assault (7.3), automatic elimination (8.5), replacements (17.2i)."""
    s.assault = s.marked = s.rebuilt = 0
    s.claims = {}
    s.attacked = s.defended = s.retreated = 0


FRAMES: dict[int, Frame[State, StepAt]] = {F_TURN: Turn()}
