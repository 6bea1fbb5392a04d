"""11 Disruption: who stands in the line of battle, and what happens to those left without one.

How a unit becomes disrupted and recovers is `state.disrupt` (11.0) and the supply checks (11.2);
what it cannot do any more (11.1) is said where it would be done. This module is 11.11 and 11.3.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex

from ..supply.victory import victory_at_once
from ..table.board import units_of
from ..table.ids import F_PURSUIT, F_RETIRE, F_ROUT
from ..table.state import State, emit, lose_step
from ..table.steps import PursuitAt, RetireAt, RoutAt


def battle_line(s: State, h: Hex, side: int) -> int:
    """The units that fight for a side in a hex, fire and take hits.

    Disrupted units lie behind the line (11.1c, 11.1d, 11.11b); so do, during a probe, the units
    about to leave in a partial retreat (10.4d).
    """
    return s.here[h] & s.board.of_side[side] & ~(s.disrupted | s.retreating)


def unprotected(s: State, h: Hex, side: int) -> int:
    """11.11a, 11.3a disrupted units in a battle hex without an undisrupted friend, as a unit mask."""
    b = 1 << h
    if s.firm[side] & b or not s.occ[1 - side] & b:
        return 0
    return s.here[h] & s.board.of_side[side]


def settle_base(s: State, h: Hex) -> None:
    """17.1c a fight for a base may have ended the game."""
    if (s.board.base_mask[0] | s.board.base_mask[1]) >> h & 1:
        victory_at_once(s)


# Steps of a rout (11.3c: at once, in this order, for all routing units)
LOSE, PURSUE, RETIRE, OVER = 0, 1, 2, 3


class Rout(Frame[State, RoutAt]):
    """11.3 Disrupted units that nobody protects rout out of their battle hex.

    Frame: hex, side, step, and 1 if the rout breaks out in the middle of a probe (A35).
    """

    at = RoutAt

    def run(self, s: State, f: RoutAt) -> None:
        h, side, step = f.hex, f.side, f.step
        probe = max(0, f.probe)
        if step == LOSE:
            units = unprotected(s, h, side)
            if not units:
                s.stack.pop()
                settle_base(s, h)  # whoever held it may have died leaving it
                return
            routed = units_of(units)
            emit(s, "routed", "11.3a", {"hex": h, "side": side, "count": len(routed)}, side, {"units": routed})
            s.retreating = units
            for u in sorted(routed, key=lambda u: s.cv[u] > s.board.step_cv[u]):  # the dead, who are known, first
                lose_step(s, u, "11.3d")
            s.stack[-1] = RoutAt(F_ROUT, h, side, PURSUE, probe)
        elif step == PURSUE:  # A35: all undisrupted enemies in the hex, in a probe those that have not fired
            s.stack[-1] = RoutAt(F_ROUT, h, side, RETIRE, probe)
            s.stack.append(PursuitAt(F_PURSUIT, h, side, probe))
        elif step == RETIRE:
            s.stack[-1] = RoutAt(F_ROUT, h, side, OVER, probe)
            s.stack.append(RetireAt(F_RETIRE, h, side))
        else:
            s.retreating = 0
            s.stack.pop()
            settle_base(s, h)


FRAMES: dict[int, Frame[State, Any]] = {F_ROUT: Rout()}
