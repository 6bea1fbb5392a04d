"""8.3d What a fight brings, in order: step losses, Determined Defence, retreat, advance; and 8.5a elimination."""

from __future__ import annotations

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.telling import emit

from ..table.frames import LossAt, RetreatAt, StepAt, TableAt, UnitAt
from ..table.ids import (
    A1_D1,
    A1_D2,
    AUTOMATIC,
    BRANDENBURG,
    COMBAT,
    F_ADVANCE,
    F_DEFENCE,
    F_LOSS,
    F_RESULT,
    F_RETREAT,
    F_TABLE,
    MOBILE,
    RESULTS,
    T_BRANDENBURG,
)
from ..table.state import Fight, State, clear_marks, eliminate, put, steps_left
from .defence import left
from .losses import losable

# Bits of s.flags (22.3, 22.4)
OWNER_CHOOSES_A1D1, OPPONENT_CHOOSES_A1D2 = 1 << 2, 1 << 3


def begin(s: State, fight: int, target: Hex, attackers: int) -> None:
    """Clear the table for a new fight."""
    defenders = s.here.get(target, 0) & s.board.of_side[enemy(s.active)] if target >= 0 else 0
    s.fight = Fight(kind=fight, target=target, attackers=attackers, defenders=defenders)


LOSSES, DEFENCE, RETREAT, ADVANCE, OVER, ELIMINATION = range(6)


class Result(Frame[State, StepAt]):
    """8.3d Step losses, Determined Defence, retreat, advance: which of them is next."""

    at = StepAt

    def run(self, s: State, f: StepAt) -> None:
        step = f.step
        s.stack[-1] = f._replace(step=step + 1)
        if step == LOSSES:
            lose_steps(s)
        elif step == DEFENCE:
            if _code(s)["dd"] and left(s):  # 10.4b
                s.stack.append(StepAt(F_DEFENCE, 0))
        elif step == RETREAT:
            hexes = _code(s)["retreat"]
            if hexes and not s.fight.held and left(s):
                s.fight.retreating = left(s)
                s.fight.origin = s.fight.target
                s.stack.append(RetreatAt(F_RETREAT, hexes, 0))
        elif step == ADVANCE:
            follow_up(s)
        elif step == OVER:
            s.stack.pop()
            finish(s)
        else:
            s.stack[-1] = f._replace(step=ADVANCE)
            wipe_out(s)


def _code(s: State) -> dict[str, int]:
    """10.1 what the result says, as the table has it."""
    code: dict[str, int] = s.board.pack.tables["crt"]["codes"][RESULTS[s.fight.result]]
    return code


def lose_steps(s: State) -> None:
    """10.1, 10.2a the step losses of a result, the attacker's first, each chosen by whom the result names."""
    of = s.board.pack.tables["crt"]["codes"][RESULTS[s.fight.result]]
    ours, theirs = list(of["attacker_loss_chosen_by"]), list(of["defender_loss_chosen_by"])
    if s.fight.result == A1_D1 and not s.flags & OWNER_CHOOSES_A1D1:  # 22.3 not in force: as in the example of play
        ours, theirs = ["defender"], ["attacker"]
    if s.fight.result == A1_D2 and not s.flags & OPPONENT_CHOOSES_A1D2:  # 22.4 not in force: 10.2a
        ours, theirs = ["attacker"], ["defender", "defender"]
    if of.get("attacker_spared_if_defender_loses") == steps_left(s, losable(s, left(s))):  # 10.1c
        ours = []
    who = {"attacker": s.active, "defender": enemy(s.active)}
    for name in reversed(theirs):
        s.stack.append(LossAt(F_LOSS, who[name], enemy(s.active), s.fight.result))
    for name in reversed(ours):
        s.stack.append(LossAt(F_LOSS, who[name], s.active, s.fight.result))


def wipe_out(s: State) -> None:
    """8.5a, 8.5b all defenders are eliminated without a die."""
    rule = "8.5b" if s.fight.kind == AUTOMATIC else "8.5a"
    for u in units_of(s.fight.defenders):
        s.fight.losses[1] += s.board.steps[u] - s.step[u]
        eliminate(s, u, rule)
    if s.fight.kind == AUTOMATIC:  # 8.5c, 8.5e
        marked = s.fight.attackers & ~s.fight.shifters
        s.marked |= marked
        s.claims[s.fight.target] = s.claims.get(s.fight.target, 0) | marked


def follow_up(s: State) -> None:
    """12.1 the attackers may advance if the hex is empty now; a mobile assault only tells so (13.1k, 13.1l)."""
    if s.occ[enemy(s.active)] >> s.fight.target & 1:
        return
    s.fight.vacated = s.fight.target
    if s.fight.kind == COMBAT:
        s.stack.append(UnitAt(F_ADVANCE, -1, 0))


def finish(s: State) -> None:
    """15.2b a Brandenburg unit that gave its shift and took no loss leaves, and the die says for how long."""
    for u in units_of(s.fight.shifters):
        if s.at[u] >= 0:
            clear_marks(s, u)
            emit(s, "withdrew", "15.2b", {"unit": u, "hex": s.at[u], "side": s.active, "box": BRANDENBURG})
            put(s, u, BRANDENBURG)
            s.stack.append(TableAt(F_TABLE, T_BRANDENBURG, 0))
    if s.fight.kind != MOBILE:  # after a mobile assault 13.1l still asks about it
        begin(s, COMBAT, -1, 0)


FRAMES: dict[int, Frame[State, StepAt]] = {F_RESULT: Result()}
