"""3.2e The Combat Phase: attacks and disengagements in any order, then the advances of Auto DS, then the free SP."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.phases import Each, Once, Phase

from ..supply import depots, forts, resources
from ..table.frames import CombatAt, OverstackAt
from ..table.ids import COMBAT, F_ATTACK, F_AUTO_ADVANCE, F_COMBAT, F_FREE_SP, F_OVERSTACK, PHASES
from ..table.position import touch_markers
from ..table.state import State
from ..table.verbs import V_ATTACK, V_DISENGAGE, V_END_COMBAT
from . import disengagement
from .combat import AGAINST, free_units, strongest, targets
from .effects import begin
from .panel import fight_odds


def clean_slate(s: State) -> None:
    """8.1c, 8.5.1c, 12.3 what counts within one Combat Phase only."""
    s.attacked = s.defended = s.retreated = s.sheltered = 0
    s.supplies = []
    s.sandy = s.parched = 0  # 5.5b
    begin(s, COMBAT, -1, 0)
    touch_markers(s)


class Battles(NamedTuple):
    """What the phase needs to know once: as for declaring an attack, and whom it could be about."""

    kind: int
    free: int
    known: dict[tuple[int, ...], int]
    targets: Mask
    away: int

    @property
    def idle(self) -> bool:
        """23.2.1a, 9.5.7b, 17.2.3d what may be done at any time is done while there is something to fight about."""
        return not self.targets and not self.away


def attack(s: State, f: CombatAt, h: int) -> None:
    begin(s, COMBAT, h, 0)
    s.stack.append((F_ATTACK,))


def disengage(s: State, f: CombatAt, u: int) -> None:
    disengagement.begin(s, u)


def over(s: State, f: CombatAt) -> None:
    """3.2e, 8.9.2a marked units advance when all is fought; 4.4.1b the stacking limit; 17.4 the free SP."""
    s.stack[-1] = (F_FREE_SP,)
    s.stack.append(OverstackAt(F_OVERSTACK, s.active))
    if s.claims:
        s.stack.append((F_AUTO_ADVANCE,))


def attack_odds(s: State, f: CombatAt, action: Action) -> Odds | None:
    """What everybody together could do."""
    h = action[1]
    units = strongest(s, COMBAT, h, targets(s, COMBAT)[h])
    return fight_odds(s, COMBAT, h, units, title=Text("Attack {hex} with everybody in reach", hex=s.board.hex_name(h)))


class CombatPhase(Phase[State, CombatAt, Battles]):
    """8.1 The Combat Phase. Frame: 1 when it is under way.

    A phase in which nobody can attack or disengage is passed over.
    """

    at = CombatAt
    does = (
        Each(V_ATTACK, worked=lambda s, now: now.targets, bars=AGAINST[COMBAT], take=attack, odds=attack_odds),
        Each(V_DISENGAGE, worked=lambda s, now: now.away, bars=disengagement.ROLLING, take=disengage),
        resources.BUY,
        forts.UNFORTIFY,
        depots.DESTROY,
        Once(V_END_COMBAT, take=over),
    )

    def now(self, s: State, f: CombatAt) -> Battles:
        found = targets(s, COMBAT)
        return Battles(COMBAT, free_units(s), {}, sum(1 << h for h in found), disengagement.candidates(s))

    def actor(self, s: State, f: CombatAt) -> int | None:
        return None if not f.under_way or self.now(s, f).idle else s.active

    def run(self, s: State, f: CombatAt) -> None:
        if not f.under_way:
            clean_slate(s)
            s.stack[-1] = CombatAt(F_COMBAT, 1)
        else:
            over(s, f)

    def prompt(self, s: State, f: CombatAt) -> Prompt:
        text = term("Attacks are voluntary, in any order")
        return Prompt("Attack which hex?", text, ("8.1a", "8.1b", "8.1f"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_COMBAT: CombatPhase()}
