"""10.2, 10.3 Step losses: whose choice they are, and on whom they may fall."""

from __future__ import annotations

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.picking import PickUnit

from ..table import verbs
from ..table.ids import F_LOSS, FULL, PHASES, REDUCED, SHOWS
from ..table.state import State, lose_step

# What costs a step, as F_LOSS names it: a result of the table (10.1), a Determined Defence (10.4), a retreat (11.2g)
LOSS_RULES = ("10.1b", "10.1c", "10.1d", "10.1e", "10.1f", "10.1g", "10.1h", "10.1i", "10.4j", "10.4k", "11.2g")
DD_LEAD_LOSS = LOSS_RULES.index("10.4j")
DD_BOTH_LOSE = LOSS_RULES.index("10.4k")
RETREAT_LOSS = LOSS_RULES.index("11.2g")


def taking_part(s: State, loser: int, rule: int) -> int:
    """10.1a whose loss it can be: the units of the fight that are left, or those that retreat (11.2g).

    An HQ that does not defend alone takes no loss, not even when all others are gone (15.1b).
    """
    if rule == RETREAT_LOSS:
        units = s.fight.retreating
    else:
        units = s.fight.attackers if loser == s.active else losable(s, s.fight.defenders)
    at = s.at
    return sum(1 << u for u in units_of(units) if at[u] >= 0)


def losable(s: State, units: int) -> int:
    """15.1a, 15.1b an HQ takes a loss only if there is nobody else."""
    return units & ~s.board.hq or units


def may_lose(s: State, units: int) -> int:
    """10.2b, A27 a full-strength unit (a one-step unit counts as one), else a reduced one, else a remnant."""
    by_side = [0, 0, 0]
    step = s.step
    for u in units_of(losable(s, units)):
        by_side[step[u]] |= 1 << u
    return by_side[FULL] or by_side[REDUCED] or by_side[2]


def take_loss(s: State, u: int, rule: int) -> None:
    """10.3a one step of this unit; the fight counts it."""
    s.fight.losses[0 if s.board.side[u] == s.active else 1] += 1
    lose_step(s, u, LOSS_RULES[rule])


class Loss(PickUnit[State]):
    """10.2a One step loss. Frame: who chooses, whose loss it is, what costs it (an index of LOSS_RULES)."""

    def candidates(self, s: State, f: F) -> int:
        return may_lose(s, taking_part(s, f[2], f[3]))

    def picked(self, s: State, f: F, u: int) -> None:
        take_loss(s, u, f[3])

    def prompt(self, s: State, f: F) -> Prompt:
        whose = "your" if f[1] == f[2] else "the enemy's"
        text = "Full-strength units first, then reduced ones, then remnants"
        return Prompt(
            f"Which of {whose} units loses a step?", text, (LOSS_RULES[f[3]], "10.2a", "10.2b"), PHASES[s.phase]
        )

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.LOSE:
            return None
        board = s.board
        u = action[1]
        name = board.unit_names[u]
        units = taking_part(s, f[2], f[3])
        if not units >> u & 1:
            return Reason("10.1a", f"{name} takes no part in this")
        if board.hq >> u & 1 and units & ~board.hq:
            return Reason("15.1a", f"{name} is an HQ: it loses a step only if it is alone")
        first = SHOWS[s.step[units_of(may_lose(s, units))[0]]]
        words = "full-strength or one-step" if first == SHOWS[FULL] else first
        return Reason("10.2b", f"{name} is {SHOWS[s.step[u]]}: the loss falls on a {words} unit first")


FRAMES: dict[int, Frame[State]] = {F_LOSS: Loss(verbs.LOSE)}
