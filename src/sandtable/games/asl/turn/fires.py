"""A3.2, A3.4, A3.5 The fire phases: Prep Fire, Defensive Fire and Advancing Fire.

They differ in who fires and by which rule; the Fire Group is put together in fire/attack.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.phases import Each, Elsewhere, Listed, Once, Phase

from ..fire.group import GroupAt, enemies_at, enemy_hexes, in_reach
from ..ordnance.aim import Aiming, aiming_at, armed
from ..ordnance.laying import LAY, LAY_SECOND
from ..ordnance.laying import begin as begin_shot
from ..table import verbs
from ..table.hardware import SA
from ..table.ids import ADVANCING, F_BLAST_ROLL, F_FIRE, F_GROUP, FINAL, PHASES, PREP
from ..table.state import Attack, State
from ..table.telling import known_to
from ..vehicles.moves import OPENS, SHUTS, button_up, hatches, open_up
from ..works.blast import FLAME, THROWN, BlastAt, blasts, odds, why_blast
from .labour import (
    CLEAR,
    DIG,
    DISMANTLE,
    WAIT,
    FireAt,
    begin_clear,
    begin_dig,
    clearers,
    dismantle,
    in_prep,
    unfired_weapons,
    wait,
)

TITLES = {PREP: "Prep Fire Phase", FINAL: "Defensive Fire Phase", ADVANCING: "Advancing Fire Phase"}
RULES = {PREP: "A3.2", FINAL: "A3.4", ADVANCING: "A3.5"}


TARGETS: Bars[State, FireAt] = Bars(
    Need("A7.4", "no enemy that can be fired at is there", lambda s, f: enemy_hexes(s, f.side)),
    Need(
        "A7.1",
        "nobody who could fire sees it within range",
        lambda s, f: s.stage.numbers(in_reach(s, f.fire, f.side, enemies_at(s, f.side))),
    ),
)


# D5.3 hatches at the start of the DFPh


def may_open(s: State, f: FireAt) -> int:
    """D5.3 the closed-topped AFV of the side that does not move, before it fires."""
    return hatches(s, f.side) if f.fire == FINAL and not f.begun and s.edition > 1 else 0


AT_START: Need[State, FireAt] = Need(
    "D5.3", "hatches are opened and shut at the start of the Movement Phase or the Defensive Fire Phase", may_open
)
OPEN_UP: Bars[State, FireAt] = Bars(AT_START, OPENS)
BUTTON_UP: Bars[State, FireAt] = Bars(AT_START, SHUTS)


def go_on(s: State) -> None:
    """The side fires: it is no longer the start of the phase."""
    f = s.stack[-1]
    if isinstance(f, FireAt) and f.fire == FINAL and s.edition > 1:
        s.stack[-1] = f._replace(begun=1)


def begin(s: State, f: FireAt, g: int) -> None:
    go_on(s)
    s.attack = Attack(fire=f.fire, side=f.side, target=s.stage.into[g])
    s.stack.append(GroupAt(F_GROUP))


def aiming(f: FireAt) -> Aiming:
    return aiming_at(f.fire, f.side)


def guns(s: State, f: FireAt) -> int:
    return armed(s, aiming(f))


def second_guns(s: State, f: FireAt) -> int:
    return armed(s, aiming(f), SA)


def lay(s: State, f: FireAt, u: int) -> None:
    go_on(s)
    begin_shot(s, aiming(f), u)


def lay_second(s: State, f: FireAt, u: int) -> None:
    go_on(s)
    begin_shot(s, aiming(f), u, SA)


def end(s: State, f: FireAt) -> None:
    s.stack.pop()


# A22, A23 flamethrowers and thrown charges


def _throws(s: State, f: FireAt, now: FireAt) -> list[tuple[int, ...]]:
    return blasts(s, f.side, True)


def _no_throw(s: State, f: FireAt, now: FireAt, args: Sequence[int]) -> Reason | None:
    return why_blast(s, f.side, args, True)


def _throw_odds(s: State, f: FireAt, action: Action) -> Odds | None:
    return odds(known_to(s, f.side), BlastAt(F_BLAST_ROLL, action[1], s.stage.into[action[2]], THROWN))


def throw(s: State, f: FireAt, w: int, g: int) -> None:
    go_on(s)
    s.stack.append(BlastAt(F_BLAST_ROLL, w, s.stage.into[g], THROWN))


def _burns(s: State, f: FireAt, now: FireAt) -> list[tuple[int, ...]]:
    return blasts(s, f.side, False)


def _no_burn(s: State, f: FireAt, now: FireAt, args: Sequence[int]) -> Reason | None:
    return why_blast(s, f.side, args, False)


def _burn_odds(s: State, f: FireAt, action: Action) -> Odds | None:
    return odds(known_to(s, f.side), BlastAt(F_BLAST_ROLL, action[1], s.stage.into[action[2]], FLAME))


def burn(s: State, f: FireAt, w: int, g: int) -> None:
    go_on(s)
    s.stack.append(BlastAt(F_BLAST_ROLL, w, s.stage.into[g], FLAME))


class Fire(Phase[State, FireAt, FireAt]):
    """One attack after the other."""

    at = FireAt
    does = (
        Each(verbs.FIRE, bars=TARGETS, take=begin),
        Each(verbs.LAY, of=guns, bars=LAY.asked_of(aiming), take=lay),
        Each(verbs.LAY_SECOND, of=second_guns, bars=LAY_SECOND.asked_of(aiming), take=lay_second),
        Once(verbs.END_FIRE, take=end),
        Each(verbs.OPEN_UP, of=may_open, bars=OPEN_UP, take=open_up),
        Each(verbs.BUTTON_UP, of=may_open, bars=BUTTON_UP, take=button_up),
        Listed(verbs.THROW, of=_throws, reason=_no_throw, take=throw, odds=_throw_odds),
        Listed(verbs.BURN, of=_burns, reason=_no_burn, take=burn, odds=_burn_odds),
        Each(verbs.WAIT, of=in_prep, bars=WAIT, take=wait),
        Each(verbs.DIG, of=in_prep, bars=DIG, take=begin_dig),
        Each(verbs.CLEAR, of=clearers, bars=CLEAR, take=begin_clear),
        Each(verbs.DISMANTLE, of=unfired_weapons, bars=DISMANTLE, take=dismantle),
        Elsewhere("A7.1", "first say at which hex", verbs.JOIN, verbs.USE, verbs.DIRECT, verbs.COMMIT),
    )

    def now(self, s: State, f: FireAt) -> FireAt:
        return f

    def actor(self, s: State, f: FireAt) -> int | None:
        if s.concealed & s.stage.roster.of_side[f.side]:
            return f.side  # A12.1 a pause must not betray what lies hidden
        choices = self.legal(s, f)
        if len(choices) == 1:
            return None
        s.choices = choices
        return f.side

    def run(self, s: State, f: FireAt) -> None:
        end(s, f)

    def prompt(self, s: State, f: FireAt) -> Prompt:
        return Prompt(TITLES[f.fire], "Which hex is fired at?", (RULES[f.fire], "A7.1"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_FIRE: Fire()}
