"""A10 Morale: checks, breaking, casualties, leaders' losses.

Every check is a roll of its own on the stack, so that whatever follows from it (a wound, a leader's loss and the
checks of those around him) is played out before the next.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import units_of

from ..boards.locations import Place
from ..table import verbs
from ..table.captives import free_from
from ..table.ids import (
    CHECKS,
    DEPLOY,
    F_CHECK,
    F_WOUND,
    INTERDICTION,
    LEADER,
    LLMC,
    LLTC,
    MC,
    MMC,
    PHASES,
    PROTECTIVE_MC,
    PTC,
    SMC,
    SPARE,
)
from ..table.state import State, despair, eliminate, good_order, gun_of, put, weapons_of
from ..table.telling import AS, INTO, emit
from .crews import company, crew_drm, recall, stun
from .san import shot_at

FIRE_CHECKS = (MC, LLMC, INTERDICTION, PROTECTIVE_MC)


class CheckAt(NamedTuple):
    """A check that a unit has to take, with its modifier."""

    frame: int
    unit: int
    kind: int
    modifier: int
    final: int = 0  # A8.31 the DR that has been rolled already, first and second die


class WoundAt(NamedTuple):
    """A17.1 whether a man dies of it."""

    frame: int
    unit: int


def morale(s: State, u: int) -> int:
    """The morale that counts now: wounded men have 1 less (A17.1)."""
    kind = s.kind(u)
    found = kind.broken_morale if s.broken >> u & 1 else kind.morale
    return found - (s.wounded >> u & 1) - (s.encircled >> u & 1)


def leader_here(s: State, u: int) -> int:
    """A10.7 the Good Order leader in the Location of a unit whose modifier helps it most, -1 if there is none."""
    found = good_order(s, company(s, u)) & ~(1 << u) & ~s.pinned
    if s.edition > 2:  # he takes his own first
        found &= ~sum(1 << f.unit for f in s.stack if isinstance(f, CheckAt) and f.unit != u)
    leaders = [one for one in units_of(found) if s.kind(one).kind == LEADER]
    return min(leaders, key=lambda one: (bonus_of(s, one), one), default=-1)


def inexperienced(s: State, u: int) -> bool:
    """A19.3 a green or conscript MMC without a Good Order leader in its Location."""
    if s.kind(u).grade not in ("green", "conscript"):
        return False
    near = good_order(s, company(s, u))
    return not any(s.kind(one).kind == LEADER for one in units_of(near))


def lax(s: State, u: int) -> bool:
    """A25.6 Italian conscripts are Lax."""
    chart = s.stage.pack.tables["nationality"].get(s.kind(u).nation, {})
    return s.kind(u).kind in MMC and s.kind(u).grade in chart.get("lax", ())


def bonus_of(s: State, u: int) -> int:
    return s.kind(u).leadership + (s.wounded >> u & 1)


def push_checks(s: State, targets: int, kind: int, modifier: int) -> None:
    """Every one of these takes a check; a leader takes his own first (A10.7)."""
    order = sorted(units_of(targets), key=lambda u: (s.kind(u).kind == LEADER, -u))
    s.stack += [CheckAt(F_CHECK, u, kind, modifier) for u in order]


class Check(ColoredDice[State, CheckAt]):
    """A10.1 one unit's check."""

    at = CheckAt

    def actor(self, s: State, f: CheckAt) -> int | None:
        if s.at[f.unit] < 0 or f.final or (f.kind in (PTC, LLTC) and s.broken >> f.unit & 1):
            return None
        return super().actor(s, f)

    def run(self, s: State, f: CheckAt) -> None:
        s.stack.pop()
        if f.final and s.at[f.unit] >= 0:
            judge(s, f, *divmod(f.final, 10))

    def take(self, s: State, f: CheckAt, action: Action) -> None:
        s.stack.pop()
        judge(s, f, action[1], action[2])

    def prompt(self, s: State, f: CheckAt) -> Prompt:
        return Prompt(Text("{unit} takes a check", unit=f.unit), "", ("A10.1",), PHASES[s.phase])


def judge(s: State, f: CheckAt, first: int, second: int) -> None:
    """A10.1 it passes if the Final DR is not above its morale."""
    if s.stage.roster.vehicles >> f.unit & 1:
        judge_crew(s, f, first, second)
        return
    u, need = f.unit, morale(s, f.unit)
    helper = leader_here(s, u) if f.kind not in (INTERDICTION,) else -1
    helps = helper >= 0 and (s.kind(u).kind != LEADER or s.edition > 2)
    bonus = bonus_of(s, helper) if helps else 0
    final = first + second + f.modifier + bonus
    doomed = first + second == 12 and f.kind in FIRE_CHECKS and s.edition > 4  # A10.31 whatever his morale
    passed = final <= need and not doomed
    facts = {"unit": u, "hex": s.at[u], "check": CHECKS[f.kind], "dice": [first, second], "final": final}
    emit(s, "check", "A10.1", {**facts, "morale": need, "passed": passed}, final=True)
    if f.kind in FIRE_CHECKS and not f.final:
        shot_at(s, s.stage.roster.side[u], first + second, s.at[u])
    if f.kind == DEPLOY:
        if passed:
            deploy(s, u)
        return
    if f.kind in (PTC, LLTC):
        if not passed:
            pin(s, u, "A7.305" if f.kind == PTC else "A10.2")
        return
    if f.kind == INTERDICTION:  # A10.53
        if first + second == 12:
            lose(s, u, "A10.53")
        elif not passed:
            reduce(s, u, "A10.53")
        elif final == need:
            pin(s, u, "A10.53", routs=s.edition > 2)
        return
    if passed:
        if final == need and f.kind == MC:
            pin(s, u, "A7.81")
        return
    fail(s, u, final - need, first + second == 12)


def judge_crew(s: State, f: CheckAt, first: int, second: int) -> None:
    """D5.34 an exposed crew that fails a MC is stunned; an Original 12 Recalls it (AMB-80). A PTC is nothing."""
    u, need = f.unit, s.kind(f.unit).morale
    final = first + second + f.modifier + crew_drm(s, u)
    passed = final <= need
    facts = {"unit": u, "hex": s.at[u], "check": CHECKS[f.kind], "dice": [first, second], "final": final}
    emit(s, "check", "D5.34", {**facts, "morale": need, "passed": passed}, final=True)
    if f.kind in FIRE_CHECKS and s.edition > 3:
        shot_at(s, s.stage.roster.side[u], first + second, s.at[u])
    if passed or f.kind not in FIRE_CHECKS:
        return
    stun(s, u, "D5.34")
    if first + second == 12:
        recall(s, u, "D5.34")


def fail(s: State, u: int, by: int, twelve: bool) -> None:
    """A10.4, A10.31, A19.1 a unit has failed a Morale Check."""
    if s.broken >> u & 1:
        if twelve:
            lose(s, u, "A10.31")
        else:
            reduce(s, u, "A10.4")
        return
    weaken(s, u, by)
    break_(s, u, "A10.4")
    if twelve:
        reduce(s, u, "A10.31")


def weaken(s: State, u: int, by: int) -> None:
    """A19.1 a unit that fails by more than the ELR of its side is worse from now on, or Disrupted."""
    side = s.stage.roster.side[u]
    if by <= s.stage.elr[side] or s.kind(u).kind not in MMC:
        return
    worse = s.kind(u).elr_to
    if worse:
        was, s.type[u] = s.type[u], s.stage.roster.type_of[worse]
        emit(s, "replaced", "A19.1", {"unit": u, "hex": s.at[u], "side": side, AS: {u: was}, INTO: s.type[u]})
    else:
        s.disrupted |= 1 << u
        emit(s, "disrupted", "A19.12", {"unit": u, "hex": s.at[u], "side": side})


def break_(s: State, u: int, rule: str) -> None:
    """A10.4 an unbroken unit is broken and DM; a leader's break shakes those around him (A10.2)."""
    bit = 1 << u
    if s.broken & bit:
        return
    s.broken |= bit
    despair(s, bit)
    s.pinned &= ~bit
    s.concealed &= ~bit
    s.walled &= ~bit  # B9.32
    free_from(s, u)
    if s.aim and s.edition > 6:  # C6.5
        for w in (gun_of(s, u), *units_of(weapons_of(s, u))):
            s.aim.pop(w, None)
    if s.place[u] == Place.CREST and not (s.mounted >> u & 1 and s.edition > 6):
        s.place[u] = Place.IN  # B20.9; F5.426a who is aboard stays in his vehicle
    emit(s, "broke", rule, {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]})
    if s.kind(u).kind == LEADER:
        leader_loss(s, u, LLTC)


def leader_loss(s: State, u: int, kind: int) -> None:
    """A10.2 each unit of equal or lower morale takes a check with his modifier reversed."""
    own = s.kind(u).morale
    near = company(s, u) & ~(1 << u)
    if s.edition > 6:  # A17.1, A7.7 what he and they have now
        own = own - (s.wounded >> u & 1) - (s.encircled >> u & 1)
        shaken = sum(1 << one for one in units_of(near) if morale(s, one) <= own)
    else:
        shaken = sum(1 << one for one in units_of(near) if s.kind(one).morale <= own)
    if kind == LLTC:
        shaken &= ~s.broken
    push_checks(s, shaken, kind, -bonus_of(s, u))


def pin(s: State, u: int, rule: str, routs: bool = False) -> None:
    """A7.8; of those who are broken only one who routs, by Interdiction (A10.53)."""
    bit = 1 << u
    if (s.broken & bit and not routs) or s.pinned & bit:
        return
    s.pinned |= bit
    emit(s, "pinned", rule, {"unit": u, "hex": s.at[u], "side": s.stage.roster.side[u]})


def reduce(s: State, u: int, rule: str) -> None:
    """A7.306 Casualty Reduction: a squad becomes a half-squad, a half-squad or crew is lost, a single man wounded."""
    kind = s.kind(u)
    if kind.kind in SMC:
        s.stack.append(WoundAt(F_WOUND, u))
        return
    if not kind.half:
        lose(s, u, rule)
        return
    was, s.type[u] = s.type[u], s.stage.roster.type_of[kind.half]
    side = s.stage.roster.side[u]
    s.lost_points[side] += kind.value - s.kind(u).value
    emit(s, "reduced", rule, {"unit": u, "hex": s.at[u], "side": side, AS: {u: was}, INTO: s.type[u]})


def lose(s: State, u: int, rule: str) -> None:
    """A unit is eliminated; the loss of a leader is felt (A10.2)."""
    h, side = s.at[u], s.stage.roster.side[u]
    s.concealed &= ~(1 << u) if s.edition > 6 else -1  # who is eliminated is shown
    s.hip &= ~(1 << u) if s.edition > 6 else -1
    emit(s, "eliminated", rule, {"unit": u, "hex": h, "side": side})
    if s.kind(u).kind == LEADER:
        leader_loss(s, u, LLMC)
    free_from(s, u)
    eliminate(s, u)


class Wound(OneDie[State, WoundAt]):
    """A17.1 a man is hit: 5 and 6 kill him, a wounded one a 4 too."""

    at = WoundAt

    def take(self, s: State, f: WoundAt, action: Action) -> None:
        s.stack.pop()
        u, bit = f.unit, 1 << f.unit
        if s.at[u] < 0:
            return
        dead = action[1] >= (4 if s.wounded & bit else 5)
        emit(s, "wounded", "A17.1", {"unit": u, "hex": s.at[u], "die": action[1], "dead": dead}, final=True)
        if dead:
            lose(s, u, "A17.1")
        else:
            s.wounded |= bit

    def prompt(self, s: State, f: WoundAt) -> Prompt:
        return Prompt(Text("{unit} is hit", unit=f.unit), "", ("A17.1",), PHASES[s.phase])


ALIKE = ("concealed", "cx", "pinned", "encircled", "walled", "moved", "fired", "served", "spent_fire", "shot", "ti")
"""The markers that both half-squads of a squad keep."""


def deploy(s: State, u: int) -> None:
    """A1.31 a squad becomes two half-squads; the second is a counter out of the box."""
    roster, side = s.stage.roster, s.stage.roster.side[u]
    half = roster.type_of[s.kind(u).half]
    spare = next(i for i in units_of(roster.spare & roster.of_side[side]) if s.at[i] == SPARE)
    was, s.type[u], s.type[spare] = s.type[u], half, half
    s.under[spare] = s.under[u]
    put(s, spare, s.at[u])
    if s.edition > 2:
        s.place[spare], s.cafp[spare] = s.place[u], s.cafp[u]
        for name in ALIKE:
            marks = getattr(s, name)
            setattr(s, name, marks | (marks >> u & 1) << spare)
    elif s.concealed >> u & 1:
        s.concealed |= 1 << spare
    facts = {"unit": u, "other": spare, "hex": s.at[u], "side": side, AS: {u: was}, INTO: half}
    emit(s, "deployed", "A1.31", facts)


FRAMES: dict[int, Frame[State, Any]] = {F_CHECK: Check(verbs.ROLLED), F_WOUND: Wound(verbs.FELL)}
