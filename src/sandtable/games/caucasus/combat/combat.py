"""8 Combat: who attacks whom, at what odds, and what becomes of it.

Three kinds of fight pass through here (s.fight.kind): attacks in a combat phase, mobile assaults (13), and
automatic eliminations in the First Movement Phase (8.5b). One fight at a time (8.1d).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.fights.odds import column_name, fight_told, rung
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.phases import Each, Forced, Listed, Once, Phase, Ways
from sandtable.mechanics.shown.telling import emit

from ..table import verbs
from ..table.frames import PhaseAt, StepAt
from ..table.ids import (
    AUTOMATIC,
    COMBAT,
    F_ATTACK,
    F_COMBAT,
    F_COMBAT_ROLL,
    F_CRUSH,
    F_RESULT,
    F_SUPPORT,
    MOBILE,
    NO_SUPPORT,
    PHASES,
    RESULTS,
)
from ..table.state import State
from . import advance, support
from .attackers import MAY_ATTACK, hexes_beside, may_attack, powerless, units_beside
from .effects import ELIMINATION, LOSSES, begin
from .lookout import look
from .losses import LOSS_RULES
from .panel import fight_odds
from .strengths import HIGHEST, LOWEST, attack_total, defence_total, reckon, shifts
from .support import MARKER, Helping

NEEDED = {COMBAT: LOWEST, MOBILE: LOWEST, AUTOMATIC: HIGHEST + 1}
"""8.4a, 8.5b the lowest column at which a fight is fought at all."""
ENOUGH = {COMBAT: HIGHEST + 1, MOBILE: HIGHEST, AUTOMATIC: HIGHEST + 1}
"""The column at which more shifts bring nothing (8.5, 13.1j)."""


# 8.1 Whom they may attack


def targets(s: State, fight: int) -> dict[Hex, int]:
    """8.1 the hexes that could be attacked now at the odds that are needed (8.4a, 8.5b), with all who could join in.

    Never the enemy's own entry hexes (4.1d), nor a hex whose units have all been attacked in this phase (8.1b).
    """
    key = ("targets", fight, s.phase, s.attacked, s.defended, s.marked, s.rebuilt, s.assault, s.air_used, s.fleet_ready)
    found: dict[Hex, int] | None = s.memo.get(key)
    if found is None:
        found = {}
        free = may_attack(s)
        beside = look(s).weak if fight == AUTOMATIC else hexes_beside(s)
        for h in hexes_in(ATTACKABLE.free(beside, s, None)):
            units = units_beside(s, h) & free
            if units and can_reach(s, fight, h, 0, 0, units):
                found[h] = units
        s.memo[key] = found
    return found


def _spent(s: State) -> Mask:
    """8.1b the hexes whose units have all been attacked in this phase."""
    if not s.defended:
        return 0
    return sum(1 << h for h in hexes_in(s.occ[enemy(s.active)]) if not s.here[h] & ~s.defended)


ATTACKABLE: Bars[State, object] = Bars(
    Need("8.1a", "there is no enemy in {hex}", lambda s, _: s.occ[enemy(s.active)]),
    Bar(
        "4.1d",
        "{hex} is an entry hex of the enemy: nobody attacks into it",
        lambda s, _: s.board.barred[s.active],
    ),
    Bar("8.1b", "the units in {hex} have been attacked in this phase", lambda s, _: _spent(s)),
)


def why_no_attack(s: State, _: object, target: Hex) -> Reason:
    """8.1, 8.4 why a hex with enemies cannot be attacked: nobody is beside it, nobody is free, or the odds."""
    near = units_beside(s, target) & ~powerless(s)
    if not near:
        return Reason("8.1a", Text("none of your units that could attack stands beside {hex}", hex=target))
    free = near & may_attack(s)
    if not free:
        u = units_of(near)[0]
        reason = MAY_ATTACK.why(u, s, None, {"unit": u})
        assert reason is not None
        return reason
    best = reckon(s, COMBAT, target, free).column + support.best_shift(s, COMBAT, target, free)
    sentence = term("the best odds against {hex} are {column}, and 1:2 is the least allowed")
    return Reason("8.4a", Text(sentence, hex=target, column=column_name(best)))


def _targets(s: State) -> Mask:
    return sum(1 << h for h in targets(s, COMBAT))


ATTACK: Bars[State, object] = Bars(ATTACKABLE, Need("8.4a", why_no_attack, lambda s, _: _targets(s)))


LEFT_SHIFTS = 2
"""9.5b, 9.6b no attack is shifted further to the left."""


def can_reach(s: State, fight: int, target: Hex, joined: int, shifters: int, pool: int) -> bool:
    """Whether the fight comes to the column it needs if everybody joins who can and the best marker is used.

    More units never make it worse; the Brandenburg unit, while it is free, comes as what is better (15.2a).
    """
    need = NEEDED[fight]
    everybody = joined | pool
    base = rung(attack_total(s, target, everybody & ~shifters), defence_total(s, target, fight))
    if base - LEFT_SHIFTS >= need:
        return True
    column = base + sum([push[0] for push in shifts(s, fight, target, everybody, shifters, NO_SUPPORT)])
    if column >= need:
        return True
    need -= support.best_shift(s, fight, target, everybody)
    if column >= need:
        return True
    free = pool & ~joined & 1 << s.board.brandenburg
    return bool(free) and reckon(s, fight, target, everybody, shifters | free).column >= need


def _attack(s: State, f: PhaseAt, h: Hex) -> None:
    begin(s, COMBAT, h, 0)
    s.stack.append((F_ATTACK,))


def attack_odds(s: State, f: PhaseAt, action: Action) -> Odds:
    """What everybody together could do, without support if that will do."""
    h = action[1]
    units = targets(s, COMBAT)[h]
    title = Text("Attack {hex} with everybody in reach", hex=s.board.hex_name(h))
    return fight_odds(s, COMBAT, h, units, marker=likely_marker(s, COMBAT, h, units), title=title)


class Combat(Phase[State, PhaseAt, None]):
    """8.1 A combat phase: attacks in any order, until the player has enough.

    A phase in which nobody can attack and no marked unit can advance (8.5e) is passed over.
    """

    at = PhaseAt
    does = (
        Ways(verbs.ATTACK, of=lambda s, _: _targets(s), bars=ATTACK, take=_attack, odds=attack_odds),
        Once(verbs.END_ATTACKS, take=advance.leave),
        Listed(
            verbs.ADVANCE,
            of=lambda s, f, _: advance.claim_moves(s) if s.claims else (),
            reason=lambda s, f, _, pair: advance.why_no_claim(s, pair),
            take=lambda s, f, u, h: advance.take_claim(s, u, h),
            hint=lambda s, f, action: advance.way_shown(s, action),
        ),
    )

    def now(self, s: State, f: PhaseAt) -> None:
        return None

    def actor(self, s: State, f: PhaseAt) -> int | None:
        if targets(s, COMBAT) or (s.claims and advance.claim_moves(s)):
            return s.active
        return None

    def prompt(self, s: State, f: PhaseAt) -> Prompt:
        text = (
            term("Only units with assault markers attack") if f.second else term("Attacks are voluntary, in any order")
        )
        rules = ("8.1a", "7.3f") if f.second else ("8.1a", "8.1d")
        return Prompt("Attack which hex?", text, (*rules, "8.5e") if s.claims else rules, PHASES[s.phase])


# 8.2 Who takes part


class Gathering(NamedTuple):
    """Who could still join, and whether that is asked any more."""

    pool: int
    needless: bool  # 8.5c an automatic elimination takes only those who are needed


def gathering(s: State) -> Gathering:
    fight = s.fight
    pool = units_beside(s, fight.target) & may_attack(s) & ~fight.attackers
    needless = (
        fight.kind == AUTOMATIC and reckon(s, AUTOMATIC, fight.target, fight.attackers, fight.shifters).column > HIGHEST
    )
    return Gathering(pool, needless)


def _hopeless(s: State, now: Gathering, u: int, shifters: int) -> bool:
    """15.2a whether the attack cannot come to its odds any more if this unit is used like that."""
    fight = s.fight
    return not can_reach(s, fight.kind, fight.target, fight.attackers | 1 << u, shifters, now.pool)


def _brandenburg(s: State, now: Gathering) -> int:
    return 1 << s.board.brandenburg


CAN_JOIN: Bars[State, Gathering] = Bars(
    Need(
        "8.1a",
        "{unit} is not beside {hex}",
        lambda s, now: units_beside(s, s.fight.target) & s.board.of_side[s.active],
    ),
    MAY_ATTACK,
    Bar("8.5c", "{unit} is not needed for 10:1", lambda s, now: ALL if now.needless else 0),
)
YOURS: Bars[State, Gathering] = Bars(
    Need("8.1a", "{unit} is not yours", lambda s, now: s.board.of_side[s.active]),
    Bar("8.2b", "{unit} takes part already", lambda s, now: s.fight.attackers),
)


def _used_like_that(s: State, now: Gathering, u: int) -> Reason:
    if s.fight.kind == AUTOMATIC:
        return Reason("8.5c", Text("{unit} is not needed for 10:1", unit=u))
    return Reason("8.4a", Text("with {unit} used like that the attack could not come to 1:2", unit=u))


JOIN: Bars[State, Gathering] = Bars(
    YOURS,
    CAN_JOIN,
    Doubt("8.4a", _used_like_that, lambda s, now, u: _hopeless(s, now, u, s.fight.shifters), about=_brandenburg),
)
SHIFT: Bars[State, Gathering] = Bars(
    YOURS,
    Need("15.2a", "only the Brandenburg unit can be used for a shift", _brandenburg),
    CAN_JOIN,
    Doubt("8.4a", _used_like_that, lambda s, now, u: _hopeless(s, now, u, 1 << u)),
)


def _about_target(s: State, now: object) -> Mapping[str, Fact]:
    return {"hex": s.fight.target}


def _join(s: State, f: F, u: int) -> None:
    s.fight.attackers |= 1 << u


def _shift(s: State, f: F, u: int) -> None:
    s.fight.attackers |= 1 << u
    s.fight.shifters |= 1 << u


def _commit(s: State, f: F) -> None:
    s.stack[-1] = (F_SUPPORT,)


def not_enough(s: State, now: object) -> Reason | None:
    """8.4a, 8.5b whether those who have joined cannot attack, with the best marker they could have."""
    fight = s.fight
    column = reckon(s, fight.kind, fight.target, fight.attackers, fight.shifters).column
    column += support.best_shift(s, fight.kind, fight.target, fight.attackers)
    if column >= NEEDED[fight.kind] and fight.attackers & ~fight.shifters:
        return None
    if fight.kind == AUTOMATIC:
        return Reason("8.5b", Text("{column} at best so far; 10:1 is needed", column=column_name(column)))
    sentence = term("{column} at best so far, and 1:2 is the least allowed")
    return Reason("8.4a", Text(sentence, column=column_name(column)))


def gather_odds(s: State, f: F, action: Action) -> Odds:
    """The fight with those who have joined, and with this one."""
    fight = s.fight
    attackers, shifters = fight.attackers, fight.shifters
    if action[0] != verbs.COMMIT:
        attackers |= 1 << action[1]
        shifters |= 1 << action[1] if action[0] == verbs.SHIFT else 0
    marker = likely_marker(s, fight.kind, fight.target, attackers, shifters)
    return fight_odds(s, fight.kind, fight.target, attackers, shifters, marker)


class Gather(Phase[State, F, Gathering]):
    """8.2 Unit by unit, who takes part in an attack on s.fight.target, or in an automatic elimination (8.5b)."""

    does = (
        Each(
            verbs.JOIN,
            of=lambda s, now: now.pool,
            bars=JOIN,
            facts=_about_target,
            take=_join,
            odds=gather_odds,
        ),
        Each(
            verbs.SHIFT,
            of=lambda s, now: now.pool & 1 << s.board.brandenburg,
            bars=SHIFT,
            facts=_about_target,
            take=_shift,
            odds=gather_odds,
        ),
        Once(verbs.COMMIT, take=_commit, shut=not_enough, odds=gather_odds),
    )

    def now(self, s: State, f: F) -> Gathering:
        return gathering(s)

    def actor(self, s: State, f: F) -> int | None:
        """There is nobody else, and without it no attack: a unit that is alone joins by itself."""
        pool = gathering(s).pool
        if not pool or pool & (pool - 1) or not_enough(s, None) is None:
            return s.active
        return s.active if len(self.legal(s, f)) > 1 else None

    def run(self, s: State, f: F) -> None:
        self.take(s, f, self.legal(s, f)[0])

    def prompt(self, s: State, f: F) -> Prompt:
        fight = s.fight
        automatic = fight.kind == AUTOMATIC
        text: str | Text = (
            term("From any adjacent hexes; 10:1 is needed") if automatic else term("From any adjacent hexes")
        )
        if fight.attackers:
            of = reckon(s, fight.kind, fight.target, fight.attackers, fight.shifters)
            facts: dict[str, Fact] = {"attack": of.attack, "defence": of.defence, "column": column_name(of.column)}
            if automatic:
                text = Text("{attack} against {defence}, {column} with shifts so far; 10:1 is needed", **facts)
            else:
                text = Text("{attack} against {defence}, {column} with shifts so far", **facts)
        if automatic:
            title = Text("Who takes part against {hex}?", hex=fight.target)
            return Prompt(title, text, ("8.5b", "8.5c"), PHASES[s.phase])
        return Prompt(Text("Who attacks {hex}?", hex=fight.target), text, ("8.2a", "8.2d", "8.4a"), PHASES[s.phase])


def likely_marker(s: State, fight: int, target: Hex, attackers: int, shifters: int = 0) -> int:
    """The marker to show before one is chosen: none, unless the fight cannot be had without."""
    if reckon(s, fight, target, attackers, shifters).column >= NEEDED[fight]:
        return NO_SUPPORT
    shift = s.board.air_shift
    return max(support.for_attack(s, fight, target, attackers), key=lambda m: shift[m], default=NO_SUPPORT)


# 8.3 Procedure


class Supporting(NamedTuple):
    """8.3b What a marker would bring."""

    side: int
    kind: int
    hexes: Mask  # of those who take part
    target: Hex
    column: int  # without one


def _too_little(s: State, now: Supporting) -> int:
    """8.4a, 8.5b the markers with which the odds would not do."""
    need, gives = NEEDED[now.kind], s.board.air_shift
    return sum(1 << marker for marker in range(NO_SUPPORT + 1) if now.column + gives[marker] < need)


ATTACK_MARKER: Bars[State, Supporting] = Bars(
    MARKER,
    Bar(  # 8.5, 13.1j more columns bring nothing
        "8.4c",
        "the last column is reached without a marker",
        lambda s, now: ~(1 << NO_SUPPORT) if now.column >= ENOUGH[now.kind] else 0,
    ),
    Bar(
        "8.5b",
        "the odds would stay below 10:1",
        lambda s, now: _too_little(s, now) if now.kind == AUTOMATIC else 0,
    ),
    Bar("8.4a", "the odds would stay below 1:2", _too_little),
)

LATE_SHIFT: Bars[State, Supporting] = Bars(
    Need("15.2a", "only the Brandenburg unit can be used for a shift", lambda s, now: 1 << s.board.brandenburg),
    Need("8.1a", "{unit} takes no part", lambda s, now: s.fight.attackers),
    Bar("15.2a", "{unit} is used for its shift already", lambda s, now: s.fight.shifters),
    Bar(
        "15.2a",
        "who fights and who gives a shift has been settled",
        lambda s, now: ALL if now.kind != MOBILE else 0,
    ),
    Bar(
        "15.2a",
        "{unit} fights alone",
        lambda s, now: s.fight.attackers if not s.fight.attackers & (s.fight.attackers - 1) else 0,
    ),
    Bar(
        "8.4c",
        "the last column is reached without a marker",
        lambda s, now: ALL if now.column >= ENOUGH[now.kind] else 0,
    ),
    Doubt("8.4a", "the odds would stay below 1:2", lambda s, now, u: not _shift_will_do(s, u)),
)


def _shift_will_do(s: State, u: int) -> bool:
    fight = s.fight
    column = reckon(s, MOBILE, fight.target, fight.attackers, 1 << u).column
    return column + support.best_shift(s, MOBILE, fight.target, fight.attackers) >= NEEDED[MOBILE]


def _support(s: State, f: F, marker: int) -> None:
    s.fight.support = marker
    support.use(s, marker, s.active, "8.3b")
    join_battle(s)


def _late_shift(s: State, f: F, u: int) -> None:
    s.fight.shifters |= 1 << u


def _marker_facts(s: State, now: Helping) -> Mapping[str, Fact]:
    return {"hex": now.target, "turn": s.turn}


def support_odds(s: State, f: F, action: Action) -> Odds:
    fight = s.fight
    return fight_odds(s, fight.kind, fight.target, fight.attackers, fight.shifters, action[1], choosing=True)


def late_shift_odds(s: State, f: F, action: Action) -> Odds:
    fight = s.fight
    shifters = fight.shifters | 1 << action[1]
    marker = likely_marker(s, fight.kind, fight.target, fight.attackers, shifters)
    return fight_odds(s, fight.kind, fight.target, fight.attackers, shifters, marker)


class Support(Forced[State, F, Supporting]):
    """8.3b, A23 One support marker for the attack, or none. Passed over if there is nothing to choose.

    In a mobile assault the Brandenburg unit may still be used for its shift (15.2a).
    """

    does = (
        Each(
            verbs.SHIFT,
            of=lambda s, now: s.fight.attackers & 1 << s.board.brandenburg,
            bars=LATE_SHIFT,
            take=_late_shift,
            odds=late_shift_odds,
        ),
        Each(verbs.SUPPORT, bars=ATTACK_MARKER, facts=_marker_facts, take=_support, odds=support_odds),
    )

    def now(self, s: State, f: F) -> Supporting:
        fight = s.fight
        column = reckon(s, fight.kind, fight.target, fight.attackers, fight.shifters).column
        return Supporting(s.active, fight.kind, support.places_of(s, fight.attackers), fight.target, column)

    def chooser(self, s: State, f: F) -> int:
        return s.active

    def prompt(self, s: State, f: F) -> Prompt:
        now = self.now(s, f)
        text = Text("{column} against {hex} without", column=column_name(now.column), hex=now.target)
        return Prompt("Support for the attack?", text, ("8.3b", "16.12a"), PHASES[s.phase])


def join_battle(s: State) -> None:
    """8.3c the shifts are applied; the die is next, or automatic elimination (8.4b)."""
    of = reckon(s, s.fight.kind, s.fight.target, s.fight.attackers, s.fight.shifters, s.fight.support)
    s.fight.odds_att, s.fight.odds_def, s.fight.base_column = of.attack, of.defence, of.base
    s.fight.column = min(of.column, HIGHEST if s.fight.kind == MOBILE else HIGHEST + 1)  # 13.1j
    if s.fight.kind == COMBAT:  # 8.1b
        s.attacked |= s.fight.attackers
        s.defended |= s.fight.defenders
    read = of.column if s.fight.kind != MOBILE else s.fight.column
    data = {**fight_told(s.fight, s.fight.kind, s.active, of, read), "support": s.fight.support}
    emit(s, "combat", {COMBAT: "8.3c", MOBILE: "13.1e", AUTOMATIC: "8.5b"}[s.fight.kind], data)
    s.stack[-1] = StepAt(F_RESULT, ELIMINATION) if s.fight.column > HIGHEST else (F_COMBAT_ROLL,)


class CombatRoll(OneDie[State]):
    """8.3c The die on the combat results table."""

    def take(self, s: State, f: F, action: Action) -> None:
        code = s.board.crt[s.fight.column][action[1] - 1]
        s.fight.result = RESULTS.index(code)
        data = {
            "hex": s.fight.target,
            "side": s.active,
            "die": action[1],
            "column": column_name(s.fight.column),
            "result": code,
        }
        emit(s, "combat_result", LOSS_RULES[s.fight.result], data, final=True)
        s.stack[-1] = StepAt(F_RESULT, LOSSES)

    def prompt(self, s: State, f: F) -> Prompt:
        fight = s.fight
        column = column_name(fight.column)
        facts: dict[str, Fact] = {"hex": fight.target, "column": column}
        title = Text("Mobile assault on {hex} at {column}", **facts)
        if fight.kind != MOBILE:
            title = Text("Attack on {hex} at {column}", **facts)
        sentence = term("{attack} to {defence}, {column} after shifts")
        text = Text(sentence, attack=fight.odds_att, defence=fight.odds_def, column=column)
        return Prompt(title, text, ("8.3c", "8.4c"), PHASES[s.phase])


# 8.5b Automatic elimination in the First Movement Phase


def why_too_weak(s: State, _: object, target: Hex) -> Text:
    """8.5b the units beside a hex do not come to 10:1."""
    near = units_beside(s, target) & may_attack(s)
    best = reckon(s, AUTOMATIC, target, near).column + support.best_shift(s, AUTOMATIC, target, near)
    sentence = term("the units beside {hex} come to {column} at best; 10:1 is needed")
    return Text(sentence, hex=target, column=column_name(best))


CRUSH: Bars[State, object] = Bars(
    Bar(
        "8.5b",
        "automatic elimination in movement is for the First Movement Phase only",
        lambda s, _: ALL if s.second else 0,
    ),
    Need("8.5b", "there is no enemy in {hex}", lambda s, _: s.occ[enemy(s.active)]),
    Bar(
        "4.1d",
        "{hex} is an entry hex of the enemy: nobody attacks into it",
        lambda s, _: s.board.barred[s.active],
    ),
    Doubt(
        "8.5b",
        "none of your units that could attack stands beside {hex}",
        lambda s, _, h: not units_beside(s, h) & may_attack(s),
    ),
    Doubt("8.5b", why_too_weak, lambda s, _, h: h not in targets(s, AUTOMATIC)),
)
"""8.5b the hexes that units beside them could clear at 10:1."""


def begin_crush(s: State, target: Hex) -> None:
    begin(s, AUTOMATIC, target, 0)
    s.stack.append((F_CRUSH,))


def crush_odds(s: State, target: Hex) -> Odds:
    """The calculation with everybody beside the hex and the best marker, if it is needed."""
    units = targets(s, AUTOMATIC)[target]
    marker = likely_marker(s, AUTOMATIC, target, units)
    return fight_odds(s, AUTOMATIC, target, units, 0, marker, Text("Clear {hex} at 10:1", hex=s.board.hex_name(target)))


# 13 What mobile assaults need


def can_storm(s: State, target: Hex, units: int) -> bool:
    """8.4a, 13.1h whether a stack beside a hex can come to 1:2 against it."""
    if not s.occ[enemy(s.active)] >> target & 1 or s.board.barred[s.active] >> target & 1:
        return False
    units = units & ~powerless(s)
    return bool(units) and can_reach(s, MOBILE, target, 0, 0, units)


def storm_odds(s: State, target: Hex, units: int) -> Odds:
    """The calculation of a mobile assault by a stack, without support if that will do."""
    units = units & ~powerless(s)
    marker = likely_marker(s, MOBILE, target, units)
    return fight_odds(
        s, MOBILE, target, units, 0, marker, Text("Mobile assault on {hex}", hex=s.board.hex_name(target))
    )


def begin_fight(s: State, fight: int, target: Hex, attackers: int) -> None:
    """Start a fight whose attackers are known: a mobile assault. Who has no attack strength takes no part."""
    begin(s, fight, target, attackers & ~powerless(s))
    s.stack.append((F_SUPPORT,))


FRAMES: dict[int, Frame[State, Any]] = {
    F_COMBAT: Combat(),
    F_ATTACK: Gather(),
    F_CRUSH: Gather(),
    F_SUPPORT: Support(),
    F_COMBAT_ROLL: CombatRoll(verbs.ROLLED),
}
