"""8.3 Each player names a lead unit; the attacker chooses the CRT; leaders shift the odds (8.55, 12.4)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..table import steps, verbs
from ..table.ids import ALLIED, ASSAULT, AXIS, B3_COMBAT, MOBILE, PHASES
from ..table.ratings import leads
from ..table.state import State
from ..table.steps import At, SideAt
from .fight import Fight, defenders
from .reckoning import leader_near, mobile_allowed
from .showing import outlook


def lead_candidates(s: State, side: int) -> int:
    """3.42, 8.84b the units of which one leads: attackers, or those who defend the hex."""
    fight: Fight = s.fight
    return leads(s, fight.attackers if side == fight.side else defenders(s, fight))


LEAD: Bars[State, int] = Bars(
    Need("3.42", "{unit} takes no part in this combat", lambda s, side: _involved(s, side)),
    Bar("8.84b", "{unit} only fled into the hex and cannot lead", lambda s, side: s.fight.refugees),
    Need("12.12a", "{unit} is a headquarters and leads only where it is alone", lead_candidates),
)


def _involved(s: State, side: int) -> int:
    fight: Fight = s.fight
    return fight.attackers if side == fight.side else s.here.get(fight.target, 0) & s.board.ground


def choose_lead(s: State, f: SideAt, u: int) -> None:
    s.stack.pop()
    s.fight.lead[f.side] = u
    emit(s, "leads", "8.31a", {"unit": u, "hex": s.fight.target})


class Leads(Phase[State, SideAt, int]):
    """8.31a the owner chooses, and need not choose the best (3.42a)."""

    at = SideAt
    does = (Each(verbs.LEAD, of=lead_candidates, bars=LEAD, take=choose_lead),)

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def actor(self, s: State, f: SideAt) -> int | None:
        found = lead_candidates(s, f.side)
        return f.side if found & (found - 1) else None

    def run(self, s: State, f: SideAt) -> None:
        choose_lead(s, f, units_of(lead_candidates(s, f.side))[0])

    def prompt(self, s: State, f: SideAt) -> Prompt:
        title = Text("Choose the lead unit for the combat in {hex}", hex=s.fight.target)
        text = term("Its ER counts for coordination and against the enemy's; it takes the first loss")
        return Prompt(title, text, ("8.31a", "3.42"), PHASES[s.phase])


# 8.32


def use_assault(s: State, f: At) -> None:
    s.stack.pop()
    s.fight.crt = ASSAULT


def use_mobile(s: State, f: At) -> None:
    s.stack.pop()
    s.fight.crt = MOBILE


def _mobile_shut(s: State, now: None) -> Reason | None:
    rule = mobile_allowed(s, s.fight)
    return Reason(rule, "the Assault CRT must be used here") if rule else None


def _crt_odds(s: State, f: At, action: Action) -> Odds | None:
    trial = s.fight.copy()
    trial.crt = MOBILE if action[0] == verbs.USE_MOBILE else ASSAULT
    return outlook(s, trial)


class CrtChoice(Phase[State, At, None]):
    """8.32 the attacker chooses where both tables are allowed."""

    at = At
    does = (
        Once(verbs.USE_ASSAULT, take=use_assault, odds=_crt_odds),
        Once(verbs.USE_MOBILE, take=use_mobile, shut=_mobile_shut, odds=_crt_odds),
    )

    def now(self, s: State, f: At) -> None:
        return None

    def actor(self, s: State, f: At) -> int | None:
        side: int = s.fight.side
        return None if mobile_allowed(s, s.fight) else side

    def run(self, s: State, f: At) -> None:
        use_assault(s, f)

    def prompt(self, s: State, f: At) -> Prompt:
        text = term("Assault: retreats of 1 or 2 hexes, advance of 1. Mobile: retreats and advances of 2")
        return Prompt("Choose the Combat Results Table", text, ("8.32", "8.8", "8.91a"), PHASES[s.phase])


# 8.55


def shifter(s: State, side: int) -> int:
    """8.55, 12.42, 12.43a the leader who may shift this fight for a side, -1 for none."""
    fight: Fight = s.fight
    board = s.board
    if side == AXIS and fight.side == AXIS and leader_near(s, board.rommel, fight, inside=False):
        if fight.overrun:  # 12.42a, A40 in the Movement Phase, not in the Motorized Movement Phase
            free = not s.rommel_overran and s.phase < B3_COMBAT
        else:
            free = not s.rommel_fought
        return board.rommel if free else -1
    if side == ALLIED and fight.side == AXIS and not fight.overrun and not s.harmon_fought:
        return board.harmon if leader_near(s, board.harmon, fight, inside=True) else -1
    return -1


SHIFT: Bars[State, int] = Bars(
    Need("8.55a", lambda s, side, u: why_unshifted(s, u), lambda s, side: 1 << max(shifter(s, side), 0)),
)


def why_unshifted(s: State, u: int) -> Reason:
    """8.55, 12.4 why this unit does not shift the odds."""
    rule = {s.board.rommel: "8.55a", s.board.harmon: "12.43a", s.board.patton: "12.43ba"}.get(u, "8.53")
    return Reason(rule, Text("{unit} cannot shift this combat", unit=u))


def shift(s: State, f: SideAt, u: int) -> None:
    s.stack.pop()
    fight: Fight = s.fight
    if u == s.board.rommel:
        fight.rommel = 1
        if fight.overrun:
            s.rommel_overran = 1
        else:
            s.rommel_fought = 1
    else:
        fight.harmon = 1
        s.harmon_fought = 1
    rule = "8.55b" if fight.harmon else "12.42a" if fight.overrun else "8.55a"
    emit(s, "shifted", rule, {"unit": u, "hex": fight.target})


def no_shift(s: State, f: SideAt) -> None:
    s.stack.pop()


class Shifts(Phase[State, SideAt, int]):
    """8.55 one combat a phase: the leader's player decides which."""

    at = SideAt
    does = (
        Each(verbs.SHIFT, of=lambda s, side: 1 << max(shifter(s, side), 0), bars=SHIFT, take=shift),
        Once(verbs.NO_SHIFT, take=no_shift),
    )

    def now(self, s: State, f: SideAt) -> int:
        return f.side

    def actor(self, s: State, f: SideAt) -> int | None:
        return f.side if shifter(s, f.side) >= 0 else None

    def prompt(self, s: State, f: SideAt) -> Prompt:
        title = Text("Does {unit} shift the odds here?", unit=shifter(s, f.side))
        rules = ("8.55b", "12.43a") if f.side == ALLIED else ("12.42a",) if s.fight.overrun else ("8.55a", "12.42b")
        return Prompt(title, "One combat in each phase", rules, PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    steps.LEADS: Leads(),
    steps.CRT_CHOICE: CrtChoice(),
    steps.SHIFTS: Shifts(),
}
