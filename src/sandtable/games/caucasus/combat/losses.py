"""10.2, 10.3 Step losses: whose choice they are, and on whom they may fall."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Forced

from ..table import verbs
from ..table.frames import LossAt
from ..table.ids import F_LOSS, FULL, PHASES, REDUCED
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


class Losing(NamedTuple):
    """Whose loss it can be, and on whom it falls first."""

    party: int
    first: int


def _another_first(s: State, now: Losing, u: int) -> Text:
    """10.2b a unit in the fight that is not the next to lose a step."""
    shows = s.step[units_of(now.first)[0]]
    if shows == FULL:
        sentence = term("{unit} is {shows}: the loss falls on a full-strength or one-step unit first")
        return Text(sentence, unit=u, shows=s.step[u])
    if shows == REDUCED:
        return Text("{unit} is {shows}: the loss falls on a reduced unit first", unit=u, shows=s.step[u])
    return Text("{unit} is {shows}: the loss falls on a remnant unit first", unit=u, shows=s.step[u])


LOSE: Bars[State, Losing] = Bars(
    Need("10.1a", "{unit} takes no part in this", lambda s, now: now.party),
    Bar(
        "15.1a",
        "{unit} is an HQ: it loses a step only if it is alone",
        lambda s, now: s.board.hq if now.party & ~s.board.hq else 0,
    ),
    Need("10.2b", _another_first, lambda s, now: now.first),
)


def _lose(s: State, f: LossAt, u: int) -> None:
    s.stack.pop()
    take_loss(s, u, f.rule)


class Loss(Forced[State, LossAt, Losing]):
    """10.2a One step loss; by itself where there is no choice."""

    at = LossAt
    does = (Each(verbs.LOSE, of=lambda s, now: now.first, bars=LOSE, take=_lose),)

    def now(self, s: State, f: LossAt) -> Losing:
        party = taking_part(s, f.loser, f.rule)
        return Losing(party, may_lose(s, party))

    def chooser(self, s: State, f: LossAt) -> int:
        return f.chooser

    def nothing(self, s: State, f: LossAt) -> None:
        s.stack.pop()

    def prompt(self, s: State, f: LossAt) -> Prompt:
        title = term("Which of the enemy's units loses a step?")
        if f.chooser == f.loser:
            title = term("Which of your units loses a step?")
        text = term("Full-strength units first, then reduced ones, then remnants")
        return Prompt(title, text, (LOSS_RULES[f.rule], "10.2a", "10.2b"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, LossAt]] = {F_LOSS: Loss()}
