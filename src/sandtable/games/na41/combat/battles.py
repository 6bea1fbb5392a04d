"""3.2e The Combat Phase: attacks and disengagements in any order, then the advances of Auto DS, then the free SP."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.text import Text
from sandtable.mechanics.picking import Choose

from ..supply import depots, forts, resources
from ..table.frames import CombatAt, OverstackAt
from ..table.ids import COMBAT, F_ATTACK, F_AUTO_ADVANCE, F_COMBAT, F_FREE_SP, F_OVERSTACK, PHASES
from ..table.position import touch_markers
from ..table.state import State
from ..table.verbs import V_ATTACK, V_BUY, V_DESTROY_SP, V_DISENGAGE, V_END_COMBAT, V_UNFORTIFY
from . import disengagement
from .combat import AGAINST, declaring, strongest, targets
from .effects import begin
from .panel import fight_odds


def clean_slate(s: State) -> None:
    """8.1c, 8.5.1c, 12.3 what counts within one Combat Phase only."""
    s.attacked = s.defended = s.retreated = s.sheltered = 0
    s.supplies = []
    s.sandy = s.parched = 0  # 5.5b
    begin(s, COMBAT, -1, 0)
    touch_markers(s)


class CombatPhase(Choose[State, CombatAt]):
    """8.1 The Combat Phase. Frame: 1 when it is under way.

    A phase in which nobody can attack or disengage is passed over.
    """

    at = CombatAt

    def actor(self, s: State, f: CombatAt) -> int | None:
        if not f.under_way:
            return None
        return super().actor(s, f)

    def run(self, s: State, f: CombatAt) -> None:
        if not f.under_way:
            clean_slate(s)
            s.stack[-1] = CombatAt(F_COMBAT, 1)
        else:
            self.end(s)

    def end(self, s: State) -> None:
        """3.2e, 8.9.2a marked units advance when all is fought; 4.4.1b the stacking limit; 17.4 the free SP."""
        s.stack[-1] = (F_FREE_SP,)
        s.stack.append(OverstackAt(F_OVERSTACK, s.active))
        if s.claims:
            s.stack.append((F_AUTO_ADVANCE,))

    def legal(self, s: State, f: CombatAt) -> list[Action]:
        found: list[Action] = [(V_ATTACK, h) for h in targets(s, COMBAT)]
        found += disengagement.actions(s)
        if found:  # 23.2.1a RPs can be spent while there is something to fight about
            anytime = forts.removals(s) + depots.destructions(s)  # 9.5.7b, 17.2.3d
            found = resources.purchases(s, "combat") + anytime + found
        found.append((V_END_COMBAT,))
        return found

    def take(self, s: State, f: CombatAt, action: Action) -> None:
        if action[0] == V_ATTACK:
            begin(s, COMBAT, action[1], 0)
            s.stack.append((F_ATTACK,))
        elif action[0] == V_DISENGAGE:
            disengagement.begin(s, action[1])
        elif action[0] == V_BUY:
            resources.buy(s, action[1])
        elif action[0] == V_DESTROY_SP:
            depots.destroy_sp(s, action[1])
        elif action[0] == V_UNFORTIFY:
            forts.take(s, action)
        else:
            self.end(s)

    def prompt(self, s: State, f: CombatAt) -> Prompt:
        text = "Attacks are voluntary, in any order"
        return Prompt("Attack which hex?", text, ("8.1a", "8.1b", "8.1f"), PHASES[s.phase])

    def why_not(self, s: State, f: CombatAt, action: Action) -> Reason | None:
        if action[0] == V_DISENGAGE:
            return disengagement.why_not(s, action[1])
        if action[0] == V_BUY:
            return resources.why_not_buy(s, action[1], PHASES[s.phase])
        if action[0] == V_DESTROY_SP:
            return depots.WHY_NOT_DESTROYED
        if action[0] == V_UNFORTIFY:
            return forts.why_not(s, action)
        return (
            AGAINST[COMBAT].why(action[1], s, declaring(s, COMBAT), {"hex": action[1]})
            if action[0] == V_ATTACK
            else None
        )

    def odds(self, s: State, f: CombatAt, action: Action) -> Odds | None:
        """What everybody together could do."""
        if action[0] != V_ATTACK:
            return None
        h = action[1]
        units = strongest(s, COMBAT, h, targets(s, COMBAT)[h])
        return fight_odds(
            s, COMBAT, h, units, title=Text("Attack {hex} with everybody in reach", hex=s.board.hex_name(h))
        )


FRAMES: dict[int, Frame[State, Any]] = {F_COMBAT: CombatPhase()}
