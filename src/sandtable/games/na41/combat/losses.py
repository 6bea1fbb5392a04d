"""10.2 to 10.4 Step losses: whose choice they are, on whom they may fall, and the remnants of three-step units.

18.1 and 18.2 are here too: reconnaissance units that slip away, and what an 88mm Flak does to Allied tanks.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Forced, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..retreat.surrender import abandon, supplied
from ..table.frames import LossAt, RemnantAt
from ..table.ids import ALLIED, BREAKTHROUGH, COMBAT, F_LOSS, F_REMNANT, PHASES, REDUCED, REMNANT, SURRENDER_LEFT
from ..table.position import eliminate, lose_step, remnants_left
from ..table.state import State
from ..table.verbs import V_LOSE, V_NO_REMNANT, V_REMNANT
from . import results
from .results import code_of, defenders_left
from .strengths import fighting, within_limit

# What costs a step, as F_LOSS names it: a result of the table, then an index beyond
LOSS_RULES = (*results.RULES, "18.2b", "11.4.1d", "11.4.1e", "27.5.4d")
EXTRA_TANK, DD_LOSS, DD_PICKED, DISENGAGING = range(len(results.RULES), len(LOSS_RULES))


# 10.2.2 On whom a loss may fall


def taking_part(s: State, loser: int, kind: int) -> int:
    """10.1a the units of the fight that are left to lose a step.

    Not those that retreated onto friends in the hex earlier in this Combat Phase (12.3a).
    """
    if kind == DISENGAGING:
        units = s.group
    elif loser == s.active:
        units = s.fight.attackers
    else:
        units = defenders_left(s)
        if s.fight.kind == COMBAT:
            units &= ~s.sheltered
    at = s.at
    return sum([1 << u for u in units_of(units) if at[u] >= 0])


def may_lose(s: State, loser: int, kind: int) -> int:
    """10.2.2a those who gave strength to the fight; the others only when all of these are gone (10.2.2b, 8.6c)."""
    units = taking_part(s, loser, kind)
    if kind == EXTRA_TANK:
        return tanks_of(s, units)
    if loser == s.active:
        return units
    giving = units & ~s.routed & ~s.board.parenthesised
    if s.fight.kind == BREAKTHROUGH:
        giving = within_limit(s, s.fight.target, giving & ~s.crowd)
    return giving or units


def tanks_of(s: State, units: int) -> int:
    """18.2b, 18.2c the tank units in the combat, those in Full Retreat last; there may be none."""
    tanks = units & s.board.tanks
    return tanks & ~s.routed or tanks


def sheltering(s: State, f: LossAt) -> int:
    """12.3a the defenders that retreated onto friends in the hex earlier in this Combat Phase."""
    return s.sheltered & defenders_left(s) if f.loser != s.active and s.fight.kind == COMBAT else 0


def fallible(s: State, f: LossAt) -> int:
    return may_lose(s, f.loser, f.kind)


LATER = term("{unit} gave no strength to the combat: it comes after all the others")

LOSING: Bars[State, LossAt] = Bars(
    Bar("12.3a", "{unit} retreated into this hex and cannot be picked", sheltering),
    Need("10.1a", "{unit} takes no part in this", lambda s, f: taking_part(s, f.loser, f.kind)),
    Need(
        "18.2b",
        "{unit} is no tank unit that could be picked",
        lambda s, f: fallible(s, f) if f.kind == EXTRA_TANK else ALL,
    ),
    Bar("8.6c", LATER, lambda s, f: s.board.parenthesised & ~fallible(s, f)),
    Need("10.2.2b", LATER, fallible),
)
"""10.2.2 on whom a loss may fall."""


# 10.3, 10.4 A step is lost


def step_loss(s: State, u: int, rule: str, surrenders: bool = False) -> None:
    """10.3 one step of a unit, for whatever reason; 10.4 its owner is asked about the remnant of a three-step unit.

    `surrenders`: if this is its end it goes to the Surrender Box (12.5.2).
    """
    board = s.board
    if s.step[u] == REDUCED and board.steps_of[u] > REMNANT:
        if remnants_left(s, board.remnant[u]) > 0:
            s.stack.append(RemnantAt(F_REMNANT, u, int(surrenders)))
        else:
            eliminate(s, u, "10.4.2b", surrenders)
    elif s.step[u] + 1 >= board.steps_of[u]:
        eliminate(s, u, rule, surrenders)
    else:
        lose_step(s, u, rule)


def combat_loss(s: State, u: int, kind: int) -> None:
    """10.3, 12.5.1d one step in combat: the fight counts it, and a unit that dies out of supply surrenders."""
    board, step = s.board, s.step[u]
    s.losses[0 if board.side[u] == s.active else 1] += 1
    last = step + 1 >= board.steps_of[u] or step == REDUCED  # its last step, or the one before a remnant (10.4)
    step_loss(s, u, LOSS_RULES[kind], last and not supplied(s, u))


def picked(s: State, f: LossAt, u: int) -> None:
    s.stack.pop()
    combat_loss(s, u, f.kind)


class Loss(Forced[State, LossAt, LossAt]):
    """10.2 One step loss. Frame: who picks, whose loss it is, what costs it (an index of LOSS_RULES)."""

    at = LossAt
    does = (Each(V_LOSE, worked=fallible, bars=LOSING, take=picked),)

    def chooser(self, s: State, f: LossAt) -> int:
        return f.chooser

    def prompt(self, s: State, f: LossAt) -> Prompt:
        if f.kind == EXTRA_TANK:
            return Prompt("Which tank unit loses a step to the 88mm guns?", "", ("18.2b",), PHASES[s.phase])
        text = term("Units that gave strength to the combat first")
        rules = (LOSS_RULES[f.kind], "10.2.1b" if f.chooser != f.loser else "10.2.1a", "10.2.2a")
        mine, theirs = term("Which of your units loses a step?"), term("Which of the enemy's units loses a step?")
        return Prompt(mine if f.chooser == f.loser else theirs, text, rules, PHASES[s.phase])


def remain(s: State, f: RemnantAt) -> None:
    s.stack.pop()
    lose_step(s, f.unit, "10.4.1a")


def vanish(s: State, f: RemnantAt) -> None:
    """10.4.2a the third step goes too."""
    s.stack.pop()
    s.losses[0 if s.board.side[f.unit] == s.active else 1] += 1
    eliminate(s, f.unit, "10.4.2a", bool(f.surrenders))


class Remnant(Phase[State, RemnantAt, RemnantAt]):
    """10.4 The second loss of a three-step unit: a remnant takes its place, or it is gone. Frame: unit, surrenders."""

    at = RemnantAt
    does = (Once(V_REMNANT, take=remain), Once(V_NO_REMNANT, take=vanish))

    def actor(self, s: State, f: RemnantAt) -> int | None:
        return s.board.side[f.unit]

    def prompt(self, s: State, f: RemnantAt) -> Prompt:
        text = term("Without one the whole unit goes to the Eliminated Box")
        return Prompt(Text("A remnant for {unit}?", unit=f.unit), text, ("10.4.1a", "10.4.2a"), PHASES[s.phase])


# 10.1, 10.2 The losses of a result


def lose_steps(s: State) -> None:
    """10.1, 10.2 the losses of a result: the defender's first, then the attacker's (10.2.2e).

    The opponent picks on EX, DRX and DS (10.2.1b), otherwise the owner (10.2.1a). With an 88mm Flak in the combat an
    Allied tank unit loses a step besides, before the Axis loss is picked (18.2b, A22).
    """
    code, kind = code_of(s), results.result_of(s)
    us, them = s.active, enemy(s.active)
    frames: list[F] = []
    if code.defender_loss and not (code.recon_spared and only_recon(s)):
        frames.append(LossAt(F_LOSS, us if code.opponent_picks else them, them, kind))
    if code.attacker_loss:
        frames.append(LossAt(F_LOSS, them if code.opponent_picks else us, us, kind))
    if code.extra_tank and with_flak(s):
        late = them == ALLIED and s.edition < 2
        frames.insert(int(late), LossAt(F_LOSS, ALLIED, ALLIED, EXTRA_TANK))
    s.stack += reversed(frames)


def only_recon(s: State) -> bool:
    """18.1a, A46 whether the hex that is attacked holds reconnaissance units alone."""
    units = defenders_left(s)
    if units and not units & ~s.board.recon:
        emit(s, "loss_ignored", "18.1a", {"hex": s.fight.target, "side": enemy(s.active)})
        return True
    return False


def with_flak(s: State) -> bool:
    """18.2b whether an 88mm Flak takes part, on either side; not one that adds nothing to the defence: in Full Retreat
    (13.3.2f), just retreated into the hex (12.3a) or beyond the stacking limit (15.3b)."""
    return bool((s.fight.attackers | fighting(s, s.fight.target, s.fight.kind)) & s.board.flak)


def sweep(s: State) -> None:
    """10.2.2c, 8.7b the non-combat units of a hex whose defenders are all gone are eliminated or captured at once."""
    surrendered = any(s.at[u] == SURRENDER_LEFT for u in units_of(s.fight.defenders))
    abandon(s, enemy(s.active), s.fight.target, surrendered)


FRAMES: dict[int, Frame[State, Any]] = {F_LOSS: Loss(), F_REMNANT: Remnant()}
