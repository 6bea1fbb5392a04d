"""18.5a Rommel: once in a game turn the die of an Axis attack or of an Axis determined defense is rolled again."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.phases import Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..supply.support import PAID
from ..table.frames import DDRollAt, RerollAt, ResultAt, RollAt
from ..table.ids import AXIS, F_DD_ROLL, F_REROLL, F_RESULT, F_ROLL, PHASES
from ..table.state import State
from ..table.verbs import V_ACCEPT, V_REROLL
from . import defence, results
from .declarations import help_of
from .effects import LOSSES
from .panel import fight_odds

ATTACK, STAND = 0, 1  # what F_REROLL is about


def stands(s: State, f: RerollAt) -> None:
    if f.what == ATTACK:
        s.stack[-1] = ResultAt(F_RESULT, LOSSES)
    else:
        s.stack.pop()


def again(s: State, f: RerollAt) -> None:
    """18.5d he is used for this turn."""
    s.rommel = 0
    emit(s, "rommel", "18.5a", {"side": AXIS, "hex": s.fight.target})
    s.stack[-1] = RollAt(F_ROLL, 1) if f.what == ATTACK else DDRollAt(F_DD_ROLL)


def another(s: State, f: RerollAt, action: Action) -> Odds:
    """What another roll would bring."""
    fight = s.fight
    if f.what == STAND:
        return defence.dd_odds(s, fight.lead, fight.dd_support, bool(s.stack[-2].desperate))
    title, paid = Text("Roll again against {hex}", hex=s.board.hex_name(fight.target)), fight.supplied == PAID
    return fight_odds(s, fight.kind, fight.target, fight.attackers, paid, help_of(s), title, rommel=False)


class Reroll(Phase[State, RerollAt, RerollAt]):
    """18.5a The roll stands, or is made again. Frame: ATTACK or STAND."""

    at = RerollAt
    does = (Once(V_REROLL, take=again, odds=another), Once(V_ACCEPT, take=stands))

    def actor(self, s: State, f: RerollAt) -> int | None:
        return AXIS if s.rommel else None

    def run(self, s: State, f: RerollAt) -> None:
        stands(s, f)

    def prompt(self, s: State, f: RerollAt) -> Prompt:
        what = (
            Text("The attack came to {cell_name}", cell_name=results.cell_name(s.fight.result))
            if f.what == ATTACK
            else Text("The defence rolled {die}", die=s.fight.die)
        )
        return Prompt("Use Rommel to roll again?", what, ("18.5a", "18.5d"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_REROLL: Reroll()}
