"""A11 Close Combat of Infantry.

In each Location held by both sides, each unit attacks once and is attacked once. Attacks are declared one at a time,
the phasing side's first; what they do is applied when both sides have rolled (A11.13), unless one side ambushed the
other (A11.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.phases import Each, Listed, Once, Phase

from ..boards.locations import Place
from ..fire.morale import bonus_of, lax, lose, reduce
from ..table import verbs
from ..table.captives import take_control
from ..table.ids import (
    F_AMBUSH,
    F_CC_PICK,
    F_COMBATS,
    F_MELEE,
    F_MELEE_ROLL,
    LEADER,
    MMC,
    ON_WIRE,
    PHASES,
    SMC,
)
from ..table.state import Melee, State, men, vehicles
from ..table.telling import emit
from .withdrawal import astray, crowded, go_away, ways_out


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


class PickAt(NamedTuple):
    """Who of those attacked together suffers."""

    frame: int
    candidates: int
    left: int
    highest: int
    chosen: int


class StrikeAt(NamedTuple):
    """The dice of one attack."""

    frame: int


ATTACKS, SLIPS = 2, 3
"""Steps of a Close Combat: before the attacks each side says who withdraws, after them who slips away (A11.22)."""
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
    """A11.11 inherent FP, SMC 1 each; who is pinned attacks with half of it."""
    return defence(s, u) / 2 if s.pinned >> u & 1 else defence(s, u)


def defence(s: State, u: int) -> Fraction:
    """A11.11 the same of one who is attacked."""
    return Fraction(1 if s.kind(u).kind in SMC else s.kind(u).fp)


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
        both = men(s, h, 0) | men(s, h, 1)
        hidden = s.concealed & both
        s.fight.veiled = hidden  # AMB-97 the stack is shown; what is under a "?" is still attacked at half strength
        s.concealed &= ~both
        s.hip &= ~both
        for u in units_of(hidden):
            emit(s, "revealed", "A11.19", {"unit": u, "hex": h, "side": s.stage.roster.side[u]}, final=True)
        terrain = s.stage.field.terrain[h] in s.stage.pack.tables["ambush"]["trigger_terrain"]
        came = bool(men(s, h, s.phasing) & ~s.melee) or s.edition < 3  # A11.4 Infantry has advanced into it
        if hidden or (terrain and came):
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
            if s.edition < 7:  # AMB-99 who withdraws says the phasing side first, whoever ambushes
                fight.side = fight.ambush
        side = fight.ambush
        emit(s, "ambush", "A11.4", {"hex": fight.hex, "dice": list(action[1:]), "winner": side}, final=True)

    def prompt(self, s: State, f: AmbushAt) -> Prompt:
        return Prompt("Is there an Ambush?", "", ("A11.4",), PHASES[s.phase])


def ambush_drm(s: State, h: Hex, side: int) -> int:
    chart = s.stage.pack.tables["ambush"]["drm"]
    units = men(s, h, side)
    leaders = [bonus_of(s, u) for u in units_of(leading(s, units & ~s.broken))]
    found = min(leaders, default=0)
    assert s.fight is not None
    if vehicles(s, h, side) and s.edition > 2:
        found += int(chart["vehicle"])
    if any(stealthy(s, u) for u in units_of(units)):
        found += int(chart["stealthy"])
    if any(lax(s, u) for u in units_of(units)):
        found += int(chart["lax"])
    for mask, key in ((s.fight.veiled, "concealed"), (s.cx, "cx"), (s.pinned, "pinned"), (s.broken, "broken")):
        found += int(chart[key]) if units & mask else 0
    return found


def leading(s: State, units: int) -> int:
    """A7.8 the leaders among some units whose modifier counts: not those who are pinned."""
    able = units & ~s.pinned if s.edition > 2 else units
    return sum(1 << u for u in units_of(able) if s.kind(u).kind == LEADER)


def stealthy(s: State, u: int) -> bool:
    """ANZAC and Gurkha MMC."""
    return s.kind(u).kind in MMC and (s.kind(u).nation == "anzac" or s.kind(u).id == "in_458")


# Who attacks whom


class Now(NamedTuple):
    fight: Melee
    free: int
    """Units of the side that declares which have not attacked."""
    open: int
    """Enemies that have not been attacked."""


def not_attacking(s: State, now: Now) -> int:
    return 0 if now.fight.step == ATTACKS else -1


JOIN: Bars[State, Now] = Bars(
    Bar("A11.2", "first say who withdraws", not_attacking),
    Need("A11.1", "{unit} cannot attack here now", lambda s, now: now.free),
    Bar("A11.1", "{unit} is part of this attack already", lambda s, now: now.fight.attackers),
    Bar("A11.16", "{unit} is broken", lambda s, now: s.broken),
    Bar("A11.2", "{unit} withdraws instead of attacking", lambda s, now: sum(1 << u for u in now.fight.leaving)),
)
STRIKE: Bars[State, Now] = Bars(
    Bar("A11.2", "first say who withdraws", not_attacking),
    Need("A11.1", "{unit} cannot be attacked here now", lambda s, now: now.open),
    Bar("A11.1", "{unit} is attacked in this attack already", lambda s, now: now.fight.foes),
    Bar("A11.1", "first say who attacks", lambda s, now: 0 if now.fight.attackers else -1),
)


def join(s: State, f: MeleeAt, u: int) -> None:
    assert s.fight is not None
    s.fight.attackers |= 1 << u


def against(s: State, f: MeleeAt, u: int) -> None:
    """A11.1 several are attacked as one, at the attacker's grouping."""
    assert s.fight is not None
    s.fight.foes |= 1 << u


def strike(s: State, f: MeleeAt, u: int) -> None:
    assert s.fight is not None
    s.fight.foes |= 1 << u
    s.stack.append(StrikeAt(F_MELEE_ROLL))


# A11.2 Withdrawal


def leavers(s: State, fight: Melee) -> int:
    """Who of the side that declares may withdraw: those held in Melee, those who ambush, those broken; who slips."""
    own = men(s, fight.hex, fight.side)
    if fight.step == SLIPS:
        foes = men(s, fight.hex, 1 - fight.side) or s.edition < 6
        return own & fight.slips & ~fixed(s) if foes else 0
    able = own & (s.melee | s.broken) & ~s.pinned
    if fight.ambush == fight.side:
        able |= own & ~s.pinned
    return able & ~fixed(s) & ~sum(1 << u for u in fight.leaving)


def fixed(s: State) -> int:
    """A7.8 those who are pinned do not withdraw, not after the round either; B26.4, AMB-124 nor who is on top of wire,
    but for the broken, who rout."""
    if s.edition < 7:
        return 0
    return s.pinned | sum([1 << u for u in units_of(s.present & ~s.broken) if s.under[u] == ON_WIRE])


def withdrawals(s: State, f: MeleeAt, now: Now) -> list[tuple[int, ...]]:
    if now.fight.step == ATTACKS:
        return []
    every = [(u, h) for u in units_of(leavers(s, now.fight)) for h in ways_out(s, now.fight)]
    return sorted((u, s.stage.out[h]) for u, h in every if not (crowded(s, now.fight, u, h) or astray(s, u, h)))


def no_withdrawal(s: State, f: MeleeAt, now: Now, args: Sequence[int]) -> Reason | None:
    u, g = args
    if now.fight.step == ATTACKS:
        return Reason("A11.2", "it is too late: the attacks are being made")
    if not leavers(s, now.fight) >> u & 1:
        return Reason("A11.2", Text("{unit} may not withdraw now", unit=u))
    if s.stage.into[g] not in ways_out(s, now.fight):
        return Reason("A11.2", "one withdraws to an Accessible Location without enemies")
    if astray(s, u, s.stage.into[g]):
        return Reason("B20.9", "from the Crest they leave across its front, or go down first")
    if crowded(s, now.fight, u, s.stage.into[g]):
        return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")
    return None


def withdraw(s: State, f: MeleeAt, u: int, g: int) -> None:
    fight = s.fight
    assert fight is not None
    if fight.step == SLIPS:
        go_away(s, u, s.stage.into[g])
        fight.slips &= ~(1 << u)
    else:
        fight.leaving[u] = s.stage.into[g]


def stand(s: State, f: MeleeAt) -> None:
    """This side has nothing more to say of withdrawing."""
    fight = s.fight
    assert fight is not None
    if fight.step == SLIPS:
        fight.slips &= ~men(s, fight.hex, fight.side)
        return
    next_step(s, fight)


def not_withdrawing(s: State, now: Now) -> Reason | None:
    return Reason("A11.1", "the attacks are being made") if now.fight.step == ATTACKS else None


def next_step(s: State, fight: Melee) -> None:
    """A11.2 first the phasing side, then the other; then the attacks, an ambusher's first."""
    fight.step += 1
    if fight.step == 1:
        fight.side = 1 - s.phasing
    else:
        fight.side = s.phasing if fight.ambush < 0 else fight.ambush


def drms(s: State, fight: Melee, foes: int) -> list[tuple[int, str, str]]:
    """The DRM of table close_combat."""
    chart = s.stage.pack.tables["close_combat"]["drm"]
    found = []
    leaders = units_of(leading(s, fight.attackers))
    if leaders and fight.attackers.bit_count() > 1:
        best = min(bonus_of(s, u) for u in leaders)
        if best:
            found.append((best, "A11.1", term("leadership")))
    bit = foes
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
    if any(u in fight.leaving for u in units_of(foes)):
        found.append((int(chart["vs_withdrawing"]), "A11.2", term("the target withdraws")))
    return found + at_rims(s, fight.attackers, foes)


def at_rims(s: State, attackers: int, foes: int) -> list[tuple[int, str, str]]:
    """B20.9, AMB-148 who clings to the Crest fights badly: -2 against him, +2 by him, if the others are below."""
    here, there = _at(s, attackers, Place.CREST), _at(s, foes, Place.CREST)
    if s.edition < 5:
        mine, theirs = here == attackers and not there, there == foes and not here
        return [(-2, "B20.9", term("from the Crest"))] * mine + [(2, "B20.9", term("against the Crest"))] * theirs
    by, against = here and there != foes, there and here != attackers
    return [(2, "B20.9", term("from the Crest"))] * bool(by) + [(-2, "B20.9", term("against the Crest"))] * bool(
        against
    )


def _at(s: State, units: int, where: Place) -> int:
    return sum(1 << u for u in units_of(units) if s.place[u] == where)


def powers(s: State, fight: Melee, foes: int) -> tuple[Fraction, Fraction]:
    """A11.11, A11.19 the strength of an attack and of the defence; against the concealed it is halved."""
    attack = sum((strength(s, u) for u in units_of(fight.attackers)), Fraction(0))
    if foes & fight.veiled:
        attack /= 2
    worth = defence if s.edition > 2 else strength
    return attack, sum((worth(s, u) for u in units_of(foes)), Fraction(0))


def odds_of(s: State, f: MeleeAt, action: Action) -> Odds | None:
    fight = s.fight
    if fight is None or not fight.attackers:
        return None
    foes = fight.foes | 1 << action[1]
    attack, against = powers(s, fight, foes)
    column = ratio(attack, against)
    kill = int(s.stage.pack.tables["close_combat"]["kill_number"][column])
    found = drms(s, fight, foes)
    drm = sum(value for value, _, _ in found)
    ways = [first + second + drm for first in range(1, 7) for second in range(1, 7)]
    dead = Fraction(sum(1 for one in ways if one < kill), 36)
    hurt = Fraction(sum(1 for one in ways if one == kill), 36)
    terms = [
        Term(f"{float(attack):g}", "A11.11", "attack"),
        Term(f"{float(against):g}", "A11.11", "defence"),
        *(Term(signed(value), rule, text) for value, rule, text in found),
    ]
    results = [(term("eliminated"), dead), (term("reduced"), hurt), (term("no effect"), 1 - dead - hurt)]
    title = Text("{odds}: Kill Number {kill}, DRM {drm}", odds=ODDS[column], kill=kill, drm=signed(drm))
    return Odds(title, tuple(terms), tuple((word, chance) for word, chance in results if chance))


def still_withdrawing(s: State, now: Now) -> Reason | None:
    return None if now.fight.step == ATTACKS else Reason("A11.2", "first say who withdraws")


def done(s: State, f: MeleeAt) -> None:
    """This side declares no more; the other side, if it has not, is next; then the results count."""
    fight = s.fight
    assert fight is not None
    fight.attackers = fight.foes = 0
    if fight.step < ATTACKS:
        next_step(s, fight)
        return
    if fight.step == SLIPS:
        own = fight.slips & men(s, fight.hex, fight.side)
        fight.slips &= ~own
        fight.side = 1 - fight.side
        if not fight.slips & men(s, fight.hex, fight.side):
            finish(s, fight)
        return
    first = s.phasing if fight.ambush < 0 else fight.ambush
    if fight.side == first:
        if fight.ambush >= 0:
            apply(s, fight)
        fight.side = 1 - first
        return
    apply(s, fight)
    for u, h in sorted(fight.leaving.items()):
        if s.at[u] == fight.hex:
            go_away(s, u, h)
    fight.step, fight.side = SLIPS, s.phasing
    if not (men(s, fight.hex, 0) and men(s, fight.hex, 1)):
        fight.slips = 0
    if not fight.slips and s.edition < 6:  # else when all that follows from the blows is over: it is asked again
        finish(s, fight)


def finish(s: State, fight: Melee) -> None:
    """The Close Combat of this Location is over."""
    both = men(s, fight.hex, 0) and men(s, fight.hex, 1)
    if both and s.edition > 5 and (men(s, fight.hex, 0) | men(s, fight.hex, 1)) & s.broken:
        close(s, fight)  # A10.2 whom the loss of a leader breaks goes the same way, when he has taken his check
        return
    close(s, fight)
    for side in range(2):
        take_control(s, fight.hex, side)
    s.fight = None
    s.stack.remove(MeleeAt(F_MELEE))  # A10.2, A17.1 what the loss of a leader or a wound asks for may lie above it


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
        Each(verbs.AGAINST, bars=STRIKE, take=against),
        Each(verbs.STRIKE, bars=STRIKE, take=strike, odds=odds_of),
        Once(verbs.END_COMBAT, take=done, shut=still_withdrawing),
        Listed(verbs.WITHDRAW, of=withdrawals, reason=no_withdrawal, take=withdraw),
        Once(verbs.STAND, take=stand, shut=not_withdrawing),
    )

    def now(self, s: State, f: MeleeAt) -> Now:
        fight = s.fight
        assert fight is not None
        own, other = men(s, fight.hex, fight.side), men(s, fight.hex, 1 - fight.side)
        return Now(fight, own & ~(fight.struck | s.clinched), other & ~fight.hit)

    def actor(self, s: State, f: MeleeAt) -> int | None:
        fight = s.fight
        assert fight is not None
        now = self.now(s, f)
        if fight.step != ATTACKS:
            return fight.side if withdrawals(s, f, now) else None
        able = now.free & ~(s.broken | sum(1 << u for u in fight.leaving))
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
        foes, original = fight.foes, action[1] + action[2]
        column = ratio(*powers(s, fight, foes))
        kill = int(s.stage.pack.tables["close_combat"]["kill_number"][column])
        final = original + sum(value for value, _, _ in drms(s, fight, foes))
        names = list(units_of(foes))
        facts = {"hex": fight.hex, "side": fight.side, "attackers": list(units_of(fight.attackers)), "units": names}
        word = "eliminated" if final < kill else "reduced" if final == kill else "no effect"
        told = {**facts, "odds": ODDS[column], "dice": list(action[1:]), "final": final, "kill": kill, "result": word}
        emit(s, "close_combat", "A11.12", told, final=True)
        if final < kill:
            fight.lost |= foes
        elif final == kill:
            s.stack.append(PickAt(F_CC_PICK, foes, foes, 0, 0))
        if original == 2:  # A11.22
            fight.slips |= fight.attackers
        elif original == 12:
            fight.slips |= foes
        fight.struck |= fight.attackers
        fight.veiled &= ~fight.attackers  # A11.19
        fight.hit |= foes
        fight.attackers = fight.foes = 0

    def prompt(self, s: State, f: StrikeAt) -> Prompt:
        return Prompt("The dice of Close Combat", "", ("A11.12",), PHASES[s.phase])


class Pick(OneDie[State, PickAt]):
    """A11.12 one of those attacked is Casualty Reduced, by Random Selection (A.9)."""

    at = PickAt

    def actor(self, s: State, f: PickAt) -> int | None:
        return super().actor(s, f) if f.left and f.candidates & (f.candidates - 1) else None

    def run(self, s: State, f: PickAt) -> None:
        s.stack.pop()
        assert s.fight is not None
        s.fight.reduced |= f.chosen or f.candidates

    def take(self, s: State, f: PickAt, action: Action) -> None:
        die, u = action[1], units_of(f.left)[0]
        bit = 1 << u
        chosen = bit if die > f.highest else f.chosen | bit if die == f.highest else f.chosen
        emit(s, "selection", "A.9", {"unit": u, "hex": s.at[u], "die": die}, final=True)
        s.stack[-1] = f._replace(left=f.left ^ bit, highest=max(die, f.highest), chosen=chosen)

    def prompt(self, s: State, f: PickAt) -> Prompt:
        return Prompt("Random Selection", "", ("A.9", "A11.12"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_CC_PICK: Pick(verbs.FELL),
    F_COMBATS: Combats(),
    F_AMBUSH: Ambush(verbs.ROLLED),
    F_MELEE: MeleePhase(),
    F_MELEE_ROLL: Strike(verbs.ROLLED),
}
