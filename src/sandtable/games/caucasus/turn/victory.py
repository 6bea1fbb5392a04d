"""19 Victory, and 21.2, 21.3 that of the tournament scenario: checked only in the Victory Determination Phase."""

from __future__ import annotations

from sandtable.engine.contract import Outcome
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import term
from sandtable.mechanics.shown.telling import emit

from ..table.ids import AXIS, F_VICTORY
from ..table.scenarios import Condition, script
from ..table.state import State, controls, vp


def par(s: State) -> int:
    """19.3a the victory points that the Axis must have by this turn; -1 before turn 6."""
    found: int = s.board.turns[s.turn]["par"]
    return found


def needed(s: State, condition: Condition) -> int:
    """19.2a, 21.2 the points that win; more if the Alpini Corps has entered play (4.2e)."""
    return condition.with_alpini if s.alpini_came else condition.value


BY_PAR = ("vp_at_least_par_plus", "vp_below_par")  # 19.3b, 19.3c


def holds(s: State, condition: Condition) -> bool:
    """Whether a condition of the scenario is met on this turn."""
    if s.turn < condition.from_turn:
        return False
    kind = condition.kind
    if kind in BY_PAR and s.turn == script(s).last_turn:  # 3.0e nothing is sudden any more: 19.2 or 21.2 decides
        return False
    if kind == "controls":  # 19.3d, A46
        return controls(s, condition.side, condition.hex)
    if kind == "vp_at_least_par_plus":  # 19.3b
        return vp(s) >= par(s) + condition.value
    if kind == "vp_below_par":  # 19.3c
        return vp(s) < par(s)
    if kind == "vp_at_least":  # 19.2a, 21.2, A45 only on the last turn
        return vp(s) >= needed(s, condition)
    if kind == "otherwise":  # 19.2b, 21.3
        return True
    raise ValueError(f"no rule says what the victory condition {kind!r} means")


# The level of victory, and the rule that gives it in the campaign and in the tournament.
LEVELS = {
    "controls": (term("sudden death: Rostov"), "19.3d", "19.3d"),
    "vp_at_least_par_plus": (term("sudden death"), "19.3b", "19.3b"),
    "vp_below_par": (term("sudden death: below par"), "19.3c", "21.3"),
    "vp_at_least": (term("victory"), "19.2a", "21.2"),
    "otherwise": (term("victory"), "19.2b", "21.3"),
}


class Victory(Frame[State]):
    """19.3e, 3.0e the conditions of the scenario in their order; if none is met, play continues."""

    def run(self, s: State, f: F) -> None:
        s.stack.pop()
        for condition in script(s).conditions:
            if holds(s, condition):
                level, campaign, tournament = LEVELS[condition.kind]
                rule = tournament if s.scenario == "tournament" else campaign
                s.ended = Outcome(condition.winner, level, vp(s), rule)
                facts = {"winner": condition.winner, "level": level, "vp": vp(s), "turn": s.turn}
                emit(s, "game_over", rule, facts, final=True)
                return
        emit(s, "victory_check", "19.3e", {"side": AXIS, "vp": vp(s), "par": par(s), "turn": s.turn})


FRAMES: dict[int, Frame[State]] = {F_VICTORY: Victory()}
