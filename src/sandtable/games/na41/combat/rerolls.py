"""18.5a Rommel: once in a game turn the die of an Axis attack or of an Axis determined defense is rolled again."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
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


class Reroll(Frame[State, RerollAt]):
    """18.5a The roll stands, or is made again. Frame: ATTACK or STAND."""

    at = RerollAt

    def actor(self, s: State, f: RerollAt) -> int | None:
        return AXIS if s.rommel else None

    def run(self, s: State, f: RerollAt) -> None:
        self.take(s, f, (V_ACCEPT,))

    def legal(self, s: State, f: RerollAt) -> list[Action]:
        return [(V_REROLL,), (V_ACCEPT,)]

    def take(self, s: State, f: RerollAt, action: Action) -> None:
        again = action[0] == V_REROLL
        if again:  # 18.5d
            s.rommel = 0
            emit(s, "rommel", "18.5a", {"side": AXIS, "hex": s.fight.target})
        if f.what == ATTACK:
            s.stack[-1] = RollAt(F_ROLL, 1) if again else ResultAt(F_RESULT, LOSSES)
        else:
            s.stack.pop()
            if again:
                s.stack.append(DDRollAt(F_DD_ROLL))

    def prompt(self, s: State, f: RerollAt) -> Prompt:
        what = (
            Text("The attack came to {cell_name}", cell_name=results.cell_name(s.fight.result))
            if f.what == ATTACK
            else Text("The defence rolled {die}", die=s.fight.die)
        )
        return Prompt("Use Rommel to roll again?", what, ("18.5a", "18.5d"), PHASES[s.phase])

    def odds(self, s: State, f: RerollAt, action: Action) -> Odds | None:
        """What another roll would bring."""
        if action[0] != V_REROLL:
            return None
        if f.what == STAND:
            return defence.dd_odds(s, s.fight.lead, s.fight.dd_support, bool(s.stack[-2].desperate))
        title = Text("Roll again against {hex}", hex=s.board.hex_name(s.fight.target))
        return fight_odds(
            s,
            s.fight.kind,
            s.fight.target,
            s.fight.attackers,
            s.fight.supplied == PAID,
            help_of(s),
            title,
            rommel=False,
        )


FRAMES: dict[int, Frame[State, Any]] = {F_REROLL: Reroll()}
