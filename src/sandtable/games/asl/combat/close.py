"""A11 Close Combat of Infantry.

In each Location held by both sides, each unit attacks once and is attacked once. Attacks are declared one at a time,
the phasing side's first; what they do is applied when both sides have rolled (A11.13), unless one side ambushed the
other (A11.4).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.dice import ColoredDice
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Once, Phase

from ..fire.morale import bonus_of, lose, reduce
from ..table import verbs
from ..table.ids import F_AMBUSH, F_COMBATS, F_MELEE, F_MELEE_ROLL, LEADER, PHASES, SMC
from ..table.state import Melee, State, men
from ..table.telling import emit


class CombatsAt(NamedTuple):
    """The Close Combat Phase: which Locations are left."""

    frame: int
    left: int


class AmbushAt(NamedTuple):
    """A11.4 both sides roll a dr."""

    frame: int


class MeleeAt(NamedTuple):
    """The Close Combat in hand."""

    frame: int


class StrikeAt(NamedTuple):
    """The dice of one attack."""

    frame: int


ODDS = ("<1-8", "1-8", "1-6", "1-4", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1", "6-1", "8-1", "10-1", ">10-1")
LIMITS = (
    Fraction(0),
    Fraction(1, 8),
    Fraction(1, 6),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(1),
    Fraction(3, 2),
    Fraction(2),
    Fraction(3),
    Fraction(4),
    Fraction(6),
    Fraction(8),
    Fraction(10),
)


def strength(s: State, u: int) -> Fraction:
    """A11.11 inherent FP, SMC 1 each; pinned halved."""
    fp = Fraction(1 if s.kind(u).kind in SMC else s.kind(u).fp)
    return fp / 2 if s.pinned >> u & 1 else fp


def ratio(attack: Fraction, defence: Fraction) -> int:
    """The highest odds not above the ratio, as a column."""
    if defence <= 0 or attack > 10 * defence:
        return len(ODDS) - 1
    return sum(1 for limit in LIMITS if limit <= attack / defence) - 1


def fighters(s: State, h: Hex, side: int) -> int:
    return men(s, h, side)


class Combats(Frame[State, CombatsAt]):
    """A3.8 one Location after the other."""

    at = CombatsAt

    def run(self, s: State, f: CombatsAt) -> None:
        held = [h for h in s.here if men(s, h, 0) and men(s, h, 1)]
        left = [h for h in sorted(held) if f.left >> h & 1]
        if not left:
            s.stack.pop()
            return
        h = left[0]
        s.stack[-1] = CombatsAt(F_COMBATS, f.left & ~(1 << h))
        s.fight = Melee(hex=h, side=s.phasing)
        s.stack.append(MeleeAt(F_MELEE))
        hidden = s.concealed & (men(s, h, 0) | men(s, h, 1))
        terrain = s.stage.field.terrain[h] in s.stage.pack.tables["ambush"]["trigger_terrain"]
        if hidden or terrain:
            s.stack.append(AmbushAt(F_AMBUSH))


class Ambush(ColoredDice[State, AmbushAt]):
    """A11.4 the side that rolls lower by 3 or more ambushes the other; the first die is the phasing side's."""

    at = AmbushAt

    def take(self, s: State, f: AmbushAt, action: Action) -> None:
        s.stack.pop()
        fight = s.fight
        assert fight is not None
        own = action[1] + ambush_drm(s, fight.hex, s.phasing)
        other = action[2] + ambush_drm(s, fight.hex, 1 - s.phasing)
        margin = int(s.stage.pack.tables["ambush"]["win_margin"])
        if abs(own - other) >= margin:
            fight.ambush = s.phasing if own < other else 1 - s.phasing
            fight.side = fight.ambush
        side = fight.ambush
        emit(s, "ambush", "A11.4", {"hex": fight.hex, "dice": list(action[1:]), "winner": side}, final=True)
        s.concealed &= ~(men(s, fight.hex, 0) | men(s, fight.hex, 1))

    def prompt(self, s: State, f: AmbushAt) -> Prompt:
        return Prompt("Is there an Ambush?", "", ("A11.4",), PHASES[s.phase])


def ambush_drm(s: State, h: Hex, side: int) -> int:
    chart = s.stage.pack.tables["ambush"]["drm"]
    units = men(s, h, side)
    leaders = [bonus_of(s, u) for u in units_of(units & ~s.broken) if s.kind(u).kind == LEADER]
    found = min(leaders, default=0)
    for mask, key in ((s.concealed, "concealed"), (s.cx, "cx"), (s.pinned, "pinned"), (s.broken, "broken")):
        found += int(chart[key]) if units & mask else 0
    return found


# Who attacks whom


class Now(NamedTuple):
    fight: Melee
    free: int
    """Units of the side that declares which have not attacked."""
    open: int
    """Enemies that have not been attacked."""


JOIN: Bars[State, Now] = Bars(
    Need("A11.1", "{unit} cannot attack here now", lambda s, now: now.free),
    Bar("A11.1", "{unit} is part of this attack already", lambda s, now: now.fight.attackers),
    Bar("A11.16", "{unit} is broken", lambda s, now: s.broken),
)
STRIKE: Bars[State, Now] = Bars(
    Need("A11.1", "{unit} cannot be attacked here now", lambda s, now: now.open),
    Bar("A11.1", "first say who attacks", lambda s, now: 0 if now.fight.attackers else -1),
)


def join(s: State, f: MeleeAt, u: int) -> None:
    assert s.fight is not None
    s.fight.attackers |= 1 << u


def strike(s: State, f: MeleeAt, u: int) -> None:
    assert s.fight is not None
    s.fight.target = u
    s.stack.append(StrikeAt(F_MELEE_ROLL))


def drms(s: State, fight: Melee, target: int) -> list[tuple[int, str, str]]:
    """The DRM of table close_combat."""
    chart = s.stage.pack.tables["close_combat"]["drm"]
    found = []
    leaders = [u for u in units_of(fight.attackers) if s.kind(u).kind == LEADER]
    if leaders and fight.attackers.bit_count() > 1:
        best = min(bonus_of(s, u) for u in leaders)
        if best:
            found.append((best, "A11.1", term("leadership")))
    bit = 1 << target
    if fight.ambush >= 0:
        ours = fight.ambush == fight.side
        key = "ambusher_attacks" if ours else "attack_on_ambusher"
        found.append((int(chart[key]), "A11.4", term("Ambush")))
    if s.broken & bit:
        found.append((int(chart["vs_broken"]), "A11.16", term("the target is broken")))
    if s.cx & fight.attackers:
        found.append((int(chart["attacker_cx"]), "A4.51", term("an attacker is CX")))
    if s.cx & bit:
        found.append((int(chart["vs_cx"]), "A4.51", term("the target is CX")))
    return found


def odds_of(s: State, f: MeleeAt, action: Action) -> Odds | None:
    fight = s.fight
    if fight is None or not fight.attackers:
        return None
    target = action[1]
    attack = sum((strength(s, u) for u in units_of(fight.attackers)), Fraction(0))
    column = ratio(attack, strength(s, target))
    kill = int(s.stage.pack.tables["close_combat"]["kill_number"][column])
    found = drms(s, fight, target)
    drm = sum(value for value, _, _ in found)
    ways = [first + second + drm for first in range(1, 7) for second in range(1, 7)]
    dead = Fraction(sum(1 for one in ways if one < kill), 36)
    hurt = Fraction(sum(1 for one in ways if one == kill), 36)
    terms = [
        Term(f"{float(attack):g}", "A11.11", "attack"),
        Term(f"{float(strength(s, target)):g}", "A11.11", "defence"),
        *(Term(signed(value), rule, text) for value, rule, text in found),
    ]
    results = [(term("eliminated"), dead), (term("reduced"), hurt), (term("no effect"), 1 - dead - hurt)]
    title = Text("{odds}: eliminated below {kill}", odds=ODDS[column], kill=kill)
    return Odds(title, tuple(terms), tuple((word, chance) for word, chance in results if chance))


def done(s: State, f: MeleeAt) -> None:
    """This side declares no more; the other side, if it has not, is next; then the results count."""
    fight = s.fight
    assert fight is not None
    fight.attackers = 0
    first = s.phasing if fight.ambush < 0 else fight.ambush
    if fight.side == first:
        if fight.ambush >= 0:
            apply(s, fight)
        fight.side = 1 - first
        return
    apply(s, fight)
    close(s, fight)
    s.fight = None
    s.stack.pop()


def apply(s: State, fight: Melee) -> None:
    """A11.12, A11.13"""
    lost, hurt = fight.lost, fight.reduced & ~fight.lost
    fight.lost = fight.reduced = 0
    for u in units_of(hurt):
        if s.at[u] >= 0:
            reduce(s, u, "A11.12")
    for u in units_of(lost):
        if s.at[u] >= 0:
            lose(s, u, "A11.12")


def close(s: State, fight: Melee) -> None:
    """A11.15 survivors of both sides stay locked; A11.16 broken ones still there are lost."""
    h = fight.hex
    both = men(s, h, 0) and men(s, h, 1)
    if not both:
        s.melee &= ~(men(s, h, 0) | men(s, h, 1))
        return
    for u in units_of((men(s, h, 0) | men(s, h, 1)) & s.broken):
        lose(s, u, "A11.16")
    if men(s, h, 0) and men(s, h, 1):
        s.melee |= men(s, h, 0) | men(s, h, 1)
    else:
        s.melee &= ~(men(s, h, 0) | men(s, h, 1))


class MeleePhase(Phase[State, MeleeAt, Now]):
    """A11.1 who attacks whom, one attack at a time."""

    at = MeleeAt
    does = (
        Each(verbs.JOIN, bars=JOIN, take=join),
        Each(verbs.STRIKE, bars=STRIKE, take=strike, odds=odds_of),
        Once(verbs.END_COMBAT, take=done),
    )

    def now(self, s: State, f: MeleeAt) -> Now:
        fight = s.fight
        assert fight is not None
        own, other = men(s, fight.hex, fight.side), men(s, fight.hex, 1 - fight.side)
        return Now(fight, own & ~fight.struck, other & ~fight.hit)

    def actor(self, s: State, f: MeleeAt) -> int | None:
        fight = s.fight
        assert fight is not None
        now = self.now(s, f)
        able = now.free & ~s.broken
        return fight.side if able and now.open else None

    def run(self, s: State, f: MeleeAt) -> None:
        done(s, f)

    def prompt(self, s: State, f: MeleeAt) -> Prompt:
        assert s.fight is not None
        return Prompt(
            Text("Close Combat in {hex}", hex=s.stage.field.name(s.fight.hex)), "", ("A11.1", "A11.11"), PHASES[s.phase]
        )


class Strike(ColoredDice[State, StrikeAt]):
    """A11.12 below the Kill Number eliminates, equal reduces."""

    at = StrikeAt

    def take(self, s: State, f: StrikeAt, action: Action) -> None:
        s.stack.pop()
        fight = s.fight
        assert fight is not None
        target = fight.target
        attack = sum((strength(s, u) for u in units_of(fight.attackers)), Fraction(0))
        column = ratio(attack, strength(s, target))
        kill = int(s.stage.pack.tables["close_combat"]["kill_number"][column])
        final = action[1] + action[2] + sum(value for value, _, _ in drms(s, fight, target))
        facts = {"hex": fight.hex, "side": fight.side, "attackers": list(units_of(fight.attackers)), "unit": target}
        word = "eliminated" if final < kill else "reduced" if final == kill else "no effect"
        told = {**facts, "odds": ODDS[column], "dice": list(action[1:]), "final": final, "kill": kill, "result": word}
        emit(s, "close_combat", "A11.12", told, final=True)
        if final < kill:
            fight.lost |= 1 << target
        elif final == kill:
            fight.reduced |= 1 << target
        fight.struck |= fight.attackers
        fight.hit |= 1 << target
        fight.attackers = 0

    def prompt(self, s: State, f: StrikeAt) -> Prompt:
        return Prompt("The dice of Close Combat", "", ("A11.12",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_COMBATS: Combats(),
    F_AMBUSH: Ambush(verbs.ROLLED),
    F_MELEE: MeleePhase(),
    F_MELEE_ROLL: Strike(verbs.ROLLED),
}
