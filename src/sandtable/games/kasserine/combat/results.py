"""8.7 Results: step losses with the lead first, armor lost on shaded cells, No Retreat; then who retreats (8.8)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Phase

from ..table import steps, verbs
from ..table.charts import Result
from ..table.ids import PHASES
from ..table.position import disrupt, eliminate, lose_step, steps_left, units_in
from ..table.ratings import rating
from ..table.state import State
from ..table.steps import LossAt, RetreatAt
from .fight import Fight, defenders
from .reckoning import armor_at_risk, stands, table

# Why a step is lost, by the number in LossAt.rule
RESULT, ARMOR, STAND, OVERRUN = range(4)
RULES = ("8.74a", "8.72b", "8.87ba", "6.67fa")


def taking_part(s: State, fight: Fight) -> int:
    """9.15b, A52 the attackers whom the result befalls: those that attack, and supporting artillery beside the hex."""
    grid = s.board.grid
    near = sum(1 << u for u in units_of(fight.guns[fight.side]) if grid.adjacent(s.at[u], fight.target))
    return sum(1 << u for u in units_of(fight.attackers | near) if s.at[u] >= 0)


def apply(s: State, fight: Fight, result: Result) -> None:
    """8.71 what the result demands; steps are settled next, then retreats."""
    side, other = fight.side, enemy(fight.side)
    mine, theirs = taking_part(s, fight), defenders(s, fight)
    if result.attacker_eliminated:  # 8.71c
        for u in units_of(mine):
            eliminate(s, u, "8.71c")
        return
    if result.defender_eliminated:  # 8.71d, 8.84c
        for u in units_of(units_in(s, fight.target, other)):
            eliminate(s, u, "8.71d")
    losses = [result.attacker_loss, result.defender_loss]
    short = (steps_left(s, mine) < losses[0], steps_left(s, theirs) < losses[1])
    if short[0]:  # 8.77, A46 the other side's loss is reduced by 1
        losses[1] = max(0, losses[1] - 1)
    if short[1]:
        losses[0] = max(0, losses[0] - 1)
    fight.owed[side], fight.owed[other] = losses
    if result.shaded and armor_at_risk(s, fight):  # 3.42ba, 3.42bb
        spared = result.attacker_loss and s.edition < 6  # A86 as it was ruled: 8.77 may leave none
        fight.owed[side] = max(fight.owed[side], int(not spared))
        fight.armor_owed = int(fight.owed[side] > 0)
    fight.stand_owed = int(stands(s, fight, result))
    if result.attacker_disrupted:  # 8.71g, A44
        disrupt(s, mine, "8.71g")
    if result.defender_disrupted:
        disrupt(s, theirs, "8.71g")
    if result.attacker_retreats:
        fight.retreating[side] = mine | (_leaders_with(s, mine) if s.edition > 3 else 0)
    if result.defender_retreats and not fight.no_retreat:
        fight.retreating[other] = s.here.get(fight.target, 0)


def _leaders_with(s: State, units: int) -> int:
    """12.41c leaders may retreat with a retreating stack."""
    found = 0
    for u in units_of(units):
        found |= s.here[s.at[u]] & s.board.leaders
    return found


# 8.74-8.76 losses


def settle_losses(s: State) -> None:
    """3.42b, 8.75 the lead unit first, armor first where a shaded cell demands it; the rest is the owner's choice."""
    fight: Fight = s.fight
    if fight.stand_owed:  # 8.87b after the losses of the result
        s.stack.append(LossAt(steps.LOSSES, enemy(fight.side), 1, STAND))
    for side in (enemy(fight.side), fight.side):
        if fight.owed[side]:
            s.stack.append(LossAt(steps.LOSSES, side, fight.owed[side], RESULT))


def losers(s: State, f: LossAt) -> int:
    """The units of which one loses the next step."""
    fight: Fight = s.fight
    side = f.side
    attacking = side == fight.side
    units = taking_part(s, fight) if attacking else defenders(s, fight)
    if f.rule == OVERRUN:  # 6.67fa any unit of the stack
        return units
    if f.rule == STAND:  # 8.87ba
        lead = fight.lead[side]
        if units >> lead & 1:
            return 1 << lead
        best = max((rating(s, u) for u in units_of(units & ~s.board.hqs)), default=0)
        return sum(1 << u for u in units_of(units & ~s.board.hqs) if rating(s, u) == best) or units
    if attacking and fight.armor_owed and units & s.board.armor:  # 8.72b
        return units & s.board.armor
    lead = fight.lead[side]
    if f.first and units >> lead & 1:  # 8.75
        return 1 << lead
    return units


LOSE: Bars[State, LossAt] = Bars(Need("8.75", lambda s, f, u: why_spared(s, f, u), losers))


def why_spared(s: State, f: LossAt, u: int) -> Reason:
    """8.72b, 8.75, 8.87ba who has to lose this step instead."""
    fight: Fight = s.fight
    attacking = f.side == fight.side
    units = taking_part(s, fight) if attacking else defenders(s, fight)
    if units >> u & 1 and f.rule == RESULT:
        if attacking and fight.armor_owed:
            return Reason("8.72b", "this step is lost by an armor unit")
        return Reason("8.75", "the lead unit takes the first loss")
    if units >> u & 1 and f.rule == STAND:
        return Reason("8.87ba", "the lead unit, or the best ER, loses the step that No Retreat costs")
    return Reason(RULES[f.rule], Text("{unit} does not lose this step", unit=u))


def lose(s: State, f: LossAt, u: int) -> None:
    """8.74 a step is lost."""
    fight: Fight = s.fight
    rule = ARMOR if f.side == fight.side and fight.armor_owed and f.rule == RESULT else f.rule
    if f.owed > 1:
        s.stack[-1] = f._replace(owed=f.owed - 1, first=0)
    else:
        s.stack.pop()
    if rule == ARMOR:
        fight.armor_owed = 0
    lose_step(s, u, RULES[rule])
    if f.rule == STAND and not defenders(s, fight):  # 8.87bb
        fight.last_step_stood = 1


class Losses(Phase[State, LossAt, LossAt]):
    """8.74 the owner chooses who loses a step where the rules leave him a choice."""

    at = LossAt
    does = (Each(verbs.LOSE, of=losers, bars=LOSE, take=lose),)

    def actor(self, s: State, f: LossAt) -> int | None:
        found = losers(s, f)
        return f.side if found & (found - 1) else None

    def run(self, s: State, f: LossAt) -> None:
        found = losers(s, f)
        if found:
            lose(s, f, units_of(found)[0])
        else:
            s.stack.pop()  # 8.74c nothing is left to lose

    def prompt(self, s: State, f: LossAt) -> Prompt:
        title = Text.many(f.owed, "Lose a step", "Lose {n} steps")
        return Prompt(title, "Choose the unit that loses a step", (RULES[f.rule],), PHASES[s.phase])


# 8.8


def settle_retreats(s: State) -> None:
    """8.8b, 8.8c, 6.67c who goes back, how far, and who moves them."""
    fight: Fight = s.fight
    least, most = table(s, fight).retreat
    for side in (fight.side, enemy(fight.side)):
        units = sum(1 << u for u in units_of(fight.retreating[side]) if s.at[u] >= 0)
        if units:
            decider = fight.side if fight.overrun else side
            s.stack.append(RetreatAt(steps.RETREATS, decider, units, fight.target, least, most, 0, fight.overrun))


def finish(s: State) -> None:
    """9.25 artillery that was in the defending hex is turned to its Fired side; the No Retreat marker goes."""
    fight: Fight = s.fight
    s.fired |= sum(1 << u for u in units_of(fight.fled_guns) if s.at[u] >= 0)
    s.no_retreat &= ~(1 << fight.target)
    if fight.green and s.at[fight.lead[fight.side]] >= 0:  # 16.2
        disrupt(s, 1 << fight.lead[fight.side], "16.2")


FRAMES: dict[int, Frame[State, Any]] = {steps.LOSSES: Losses()}
