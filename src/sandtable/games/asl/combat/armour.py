"""A11.5, A11.62 Close Combat of Infantry and vehicles: the Infantry attacks first, then the vehicle with its MGs.

A unit that attacks a vehicle has made its attack of that CCPh (A11.1). Crest status counts for nothing here (F5.426f).
"""

from __future__ import annotations

from collections.abc import Iterator
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

from ..fire.crews import crew_drm, immobilize, inert, vehicle_of
from ..fire.fate import destroy
from ..fire.morale import lose, reduce
from ..fire.mounts import one_at_mg, one_man
from ..table import verbs
from ..table.hardware import AAMG, CMG
from ..table.ids import (
    CREW,
    F_ARMOUR,
    F_ARMOUR_PICK,
    F_ARMOUR_ROLL,
    F_GRAPPLE,
    F_GRAPPLE_ROLL,
    F_MOUNTED_ATTACK,
    HALF_SQUAD,
    MMC,
    PHASES,
    SMC,
    SQUAD,
)
from ..table.state import Melee, State, men, vehicles
from ..table.telling import emit, known_to
from .close import ODDS, ratio


class ArmourAt(NamedTuple):
    """A11.5 the Locations with Infantry and enemy vehicles that are left."""

    frame: int
    left: int


class GrappleAt(NamedTuple):
    """The Infantry of a side attacks the vehicles of a Location."""

    frame: int
    side: int


class GrappleRollAt(NamedTuple):
    """The dice of one attack on a vehicle."""

    frame: int
    units: int
    vehicle: int


class MountedAt(NamedTuple):
    """The vehicles of a side attack the Infantry of a Location."""

    frame: int
    side: int


class MountedRollAt(NamedTuple):
    """The dice of a vehicle's attack on those whom it named."""

    frame: int
    vehicle: int
    units: int


class PickAt(NamedTuple):
    """A11.12, A.9 which of them is Casualty Reduced."""

    frame: int
    candidates: int
    left: int
    highest: int
    chosen: int


# A11.5 The numbers


def ccv(s: State, units: int) -> int:
    """A11.5 the CCV of an attack: of its MMC, with 1 more for each SMC that joins; of SMC alone 2."""
    chart = s.stage.pack.tables["cc_vs_vehicle"]["ccv"]
    words = {SQUAD: "squad", HALF_SQUAD: "half_squad", CREW: "crew"}
    mmc = [u for u in units_of(units) if s.kind(u).kind in MMC]
    smc = units.bit_count() - len(mmc)
    if not mmc:
        return int(chart["smc"]) + (smc - 1) * int(chart["smc_joining"])
    return max(int(chart[words[s.kind(u).kind]]) for u in mmc) + smc * int(chart["smc_joining"])


def own_ccv(s: State, u: int) -> int:
    """A11.62 the CCV of one unit as its defence."""
    return ccv(s, 1 << u)


def usable(s: State, u: int, mg: int) -> bool:
    """Whether a vehicle's MG works and can be manned; fire in this Player Turn does not hinder it in CC."""
    kind = vehicle_of(s, u)
    if not kind.weapons & mg or (s.jam[u] | s.off[u]) & mg:
        return False
    if mg == CMG and s.edition > 6 and (one_man(s, u) or one_at_mg(s) >> u & 1):  # D1.3
        return False
    return mg != AAMG or kind.top != "CT" or bool(s.exposed >> u & 1)


def fp_in_combat(s: State, u: int) -> int:
    """A11.62 its CMG and AAMG FP; the bow MG never."""
    return sum(vehicle_of(s, u).fp(mg) for mg in (CMG, AAMG) if usable(s, u, mg))


def working_mg(s: State, u: int) -> bool:
    kind = vehicle_of(s, u)
    return any(kind.weapons & mg and not (s.jam[u] | s.off[u]) & mg for mg in (4, CMG, AAMG))


def grapple_drms(s: State, units: int, v: int) -> Iterator[tuple[int, str, str]]:
    """The DRM of table cc_vs_vehicle."""
    chart = s.stage.pack.tables["cc_vs_vehicle"]["drm"]
    kind, bit = vehicle_of(s, v), 1 << v
    if kind.top == "UN":
        yield int(chart["unarmored"]), "A11.5", term("unarmoured")
    elif kind.top == "OT":
        yield int(chart["open_topped_or_partially_armored"]), "A11.5", term("open-topped")
    elif s.exposed & bit:
        yield int(chart["ct_crew_exposed"]), "A11.5", term("crew exposed")
    if (s.immobile | s.bogged) & bit:
        yield int(chart["immobile"]), "A11.5", term("immobile")
    if not working_mg(s, v) or inert(s) & bit:
        yield int(chart["no_functioning_mg"]), "A11.5", term("no functioning MG")
    if s.motion & bit:
        yield int(chart["motion_or_nonstopped"]), "A11.5", term("in Motion")
    escort = men(s, s.at[v], s.stage.roster.side[v]) & ~s.broken
    kinds = {s.kind(u).kind for u in units_of(escort)}
    if SQUAD in kinds:
        yield int(chart["escort_squad"]), "A11.5", term("escorted by a squad")
    elif HALF_SQUAD in kinds or CREW in kinds:
        yield int(chart["escort_half_squad"]), "A11.5", term("escorted by a half-squad")
    if s.cx & units:
        yield int(chart["attacker_cx"]), "A4.51", term("an attacker is CX")


# The sequence


def clashes(s: State, h: Hex) -> bool:
    """Whether Infantry of one side and vehicles of the other are there."""
    return any(men(s, h, side) & ~s.broken and vehicles(s, h, 1 - side) for side in range(2))


def show(s: State, fight: Melee, side: int) -> None:
    """AMB-97 what lies under a "?" is shown to the vehicles that can attack it, and still attacked at half strength;
    who is hidden stays so (A12.3)."""
    shown = s.concealed & men(s, fight.hex, side) & ~s.hip
    if not fighters(s, fight, 1 - side) or not shown:
        return
    fight.veiled |= shown
    s.concealed &= ~shown
    for u in units_of(shown):
        emit(s, "revealed", "A11.19", {"unit": u, "hex": fight.hex, "side": side}, final=True)


class Armour(Frame[State, ArmourAt]):
    """A11.5 one Location after the other: Infantry, phasing side first, then the vehicles."""

    at = ArmourAt

    def run(self, s: State, f: ArmourAt) -> None:
        left = [h for h in sorted(s.here) if f.left >> h & 1 and clashes(s, h)]
        if not left:
            s.stack.pop()
            s.fight = None
            return
        h = left[0]
        s.stack[-1] = ArmourAt(F_ARMOUR, f.left & ~(1 << h))
        s.fight = Melee(hex=h)
        for side in range(2) if s.edition > 4 else ():
            show(s, s.fight, side)
        own, other = s.phasing, 1 - s.phasing
        s.stack += [
            MountedAt(F_MOUNTED_ATTACK, other),
            MountedAt(F_MOUNTED_ATTACK, own),
            GrappleAt(F_GRAPPLE, other),
            GrappleAt(F_GRAPPLE, own),
        ]


class Now(NamedTuple):
    fight: Melee
    free: int
    """Units of the side that may still attack."""
    foes: int
    """Enemy vehicles (or Infantry) there."""


def grapplers(s: State, fight: Melee, side: int) -> Now:
    able = men(s, fight.hex, side) & ~(s.broken | s.clinched)
    return Now(fight, able, vehicles(s, fight.hex, 1 - side))


JOIN: Bars[State, Now] = Bars(
    Need("A11.5", "{unit} cannot attack a vehicle here", lambda s, now: now.free),
    Need("A11.5", "only a leader or hero joins another's attack", lambda s, now: _single(s, now.free)),
    Bar("A11.5", "{unit} has joined already", lambda s, now: now.fight.attackers),
)


def _single(s: State, units: int) -> int:
    return sum(1 << u for u in units_of(units) if s.kind(u).kind in SMC)


def join(s: State, f: GrappleAt, u: int) -> None:
    assert s.fight is not None
    s.fight.attackers |= 1 << u


def attacks(s: State, f: GrappleAt, now: Now) -> list[tuple[int, int]]:
    """Who can attack which vehicle: a MMC, with those who joined it, or a SMC by himself."""
    able = now.free & ~now.fight.attackers
    if now.fight.attackers:
        able &= ~_single(s, able)
    return [(u, v) for u in units_of(able) for v in units_of(now.foes)]


def why_not(s: State, f: GrappleAt, now: Now, args: Any) -> Reason | None:
    u, v = args
    if not now.foes >> v & 1:
        return Reason("A11.5", Text("{unit} is no enemy vehicle here", unit=v))
    if (u, v) in attacks(s, f, now):
        return None
    return Reason("A11.5", Text("{unit} cannot attack a vehicle here now", unit=u))


def grapple(s: State, f: GrappleAt, u: int, v: int) -> None:
    assert s.fight is not None
    units = s.fight.attackers | 1 << u
    s.fight.attackers = 0
    s.clinched |= units
    s.concealed &= ~units
    s.fight.veiled &= ~units  # A11.19
    s.stack.append(GrappleRollAt(F_GRAPPLE_ROLL, units, v))


def grapple_odds(s: State, f: GrappleAt, action: Action) -> Odds | None:
    assert s.fight is not None
    return odds_against(known_to(s, f.side), s.fight.attackers | 1 << action[1], action[2])  # A12.3


def odds_against(s: State, units: int, v: int) -> Odds:
    """The CCV, every DRM, and the chance of each result."""
    need, found = ccv(s, units), list(grapple_drms(s, units, v))
    drm = sum(value for value, _, _ in found)
    chances: dict[str, Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            word = outcome(need, first + second + drm)
            chances[word] = chances.get(word, Fraction(0)) + Fraction(1, 36)
    terms = [Term(str(need), "A11.5", "CCV"), *(Term(signed(value), rule, text) for value, rule, text in found)]
    order = [(word, chances[word]) for word in OUTCOMES if word in chances]
    return Odds(Text("CCV {ccv}, DRM {drm}", ccv=need, drm=signed(drm)), tuple(terms), tuple(order))


OUTCOMES = ("burning", "destroyed", "immobilized", "no effect")


def outcome(need: int, final: int) -> str:
    """A11.51"""
    if 2 * final <= need:
        return "burning"
    return "destroyed" if final < need else "immobilized" if final == need else "no effect"


def stop_grapple(s: State, f: GrappleAt) -> None:
    assert s.fight is not None
    s.fight.attackers = 0
    s.stack.pop()


class Grapple(Phase[State, GrappleAt, Now]):
    """A11.5 each unit may attack one vehicle."""

    at = GrappleAt
    does = (
        Each(verbs.JOIN, bars=JOIN, take=join),
        Listed(verbs.GRAPPLE, of=attacks, reason=why_not, take=grapple, odds=grapple_odds),
        Once(verbs.END_COMBAT, take=stop_grapple),
    )

    def now(self, s: State, f: GrappleAt) -> Now:
        assert s.fight is not None
        return grapplers(s, s.fight, f.side)

    def actor(self, s: State, f: GrappleAt) -> int | None:
        now = self.now(s, f)
        return f.side if now.free and now.foes else None

    def run(self, s: State, f: GrappleAt) -> None:
        stop_grapple(s, f)

    def prompt(self, s: State, f: GrappleAt) -> Prompt:
        assert s.fight is not None
        name = s.stage.field.name(s.fight.hex)
        return Prompt(Text("Close Combat with vehicles in {hex}", hex=name), "", ("A11.5",), PHASES[s.phase])


class GrappleRoll(ColoredDice[State, GrappleRollAt]):
    """A11.51 below the CCV destroys, at half of it or less burns, equal immobilizes."""

    at = GrappleRollAt

    def actor(self, s: State, f: GrappleRollAt) -> int | None:
        gone = s.wreck >> f.vehicle & 1 or s.at[f.vehicle] < 0
        return None if gone else super().actor(s, f)

    def run(self, s: State, f: GrappleRollAt) -> None:
        s.stack.pop()

    def take(self, s: State, f: GrappleRollAt, action: Action) -> None:
        s.stack.pop()
        v, need = f.vehicle, ccv(s, f.units)
        final = action[1] + action[2] + sum(value for value, _, _ in grapple_drms(s, f.units, v))
        word = outcome(need, final)
        facts = {"hex": s.at[v], "attackers": list(units_of(f.units)), "unit": v, "dice": list(action[1:])}
        emit(s, "grapple", "A11.51", {**facts, "final": final, "number": need, "result": word}, final=True)
        if word == "immobilized":
            immobilize(s, v, "A11.51")
        elif word != "no effect":
            destroy(s, v, "A11.51", word == "burning")

    def prompt(self, s: State, f: GrappleRollAt) -> Prompt:
        return Prompt(Text("The attack on {unit}", unit=f.vehicle), "", ("A11.5", "A11.51"), PHASES[s.phase])


# A11.62 The vehicle's turn


def fighters(s: State, fight: Melee, side: int) -> int:
    """Vehicles of a side that have not attacked and have MGs to do it with."""
    able = vehicles(s, fight.hex, side) & ~(inert(s) | fight.struck)
    return sum(1 << v for v in units_of(able) if fp_in_combat(s, v))


class Aim(NamedTuple):
    fight: Melee
    side: int
    foes: int


NAME: Bars[State, Aim] = Bars(
    Need("A11.62", "{unit} is no enemy Infantry here", lambda s, now: now.foes),
    Bar("A11.62", "{unit} is named already", lambda s, now: now.fight.hit),
)
ENGAGE: Bars[State, Aim] = Bars(
    Need("A11.62", "{unit} has no MG to attack with here", lambda s, now: fighters(s, now.fight, now.side)),
    Bar("A11.62", "first name whom it attacks", lambda s, now: 0 if now.fight.hit else -1),
)


def name(s: State, f: MountedAt, u: int) -> None:
    assert s.fight is not None
    s.fight.hit |= 1 << u


def engage(s: State, f: MountedAt, v: int) -> None:
    assert s.fight is not None
    units = s.fight.hit
    s.fight.hit = 0
    s.fight.struck |= 1 << v
    s.stack.append(MountedRollAt(F_ARMOUR_ROLL, v, units))


def mounted_drms(s: State, v: int, units: int) -> list[tuple[int, str, str]]:
    """D3.4, D5.34 its crew; A11.16, A4.51 against the broken and those who are CX."""
    chart = s.stage.pack.tables["close_combat"]["drm"]
    found = [(crew_drm(s, v), "D3.4", term("the crew"))]
    if s.edition > 3:
        if s.broken & units:
            found.append((int(chart["vs_broken"]), "A11.16", term("the target is broken")))
        if s.cx & units:
            found.append((int(chart["vs_cx"]), "A4.51", term("the target is CX")))
    return [one for one in found if one[0]]


def mounted_column(s: State, v: int, units: int) -> int:
    defence, attack = sum((Fraction(own_ccv(s, u)) for u in units_of(units)), Fraction(0)), Fraction(fp_in_combat(s, v))
    if s.fight is not None and s.fight.veiled & units:  # A11.19
        attack /= 2
    return ratio(attack, defence)


def stop_mounted(s: State, f: MountedAt) -> None:
    assert s.fight is not None
    s.fight.hit = 0
    s.stack.pop()


class Mounted(Phase[State, MountedAt, Aim]):
    """A11.62 a vehicle names Infantry units and attacks them together."""

    at = MountedAt
    does = (
        Each(verbs.NAME, bars=NAME, take=name),
        Each(verbs.ENGAGE, bars=ENGAGE, take=engage),
        Once(verbs.END_COMBAT, take=stop_mounted),
    )

    def now(self, s: State, f: MountedAt) -> Aim:
        assert s.fight is not None
        foes = men(s, s.fight.hex, 1 - f.side)
        return Aim(s.fight, f.side, foes & ~s.hip if s.edition > 4 else foes)  # A12.3

    def actor(self, s: State, f: MountedAt) -> int | None:
        now = self.now(s, f)
        return f.side if now.foes and fighters(s, now.fight, f.side) else None

    def run(self, s: State, f: MountedAt) -> None:
        stop_mounted(s, f)

    def prompt(self, s: State, f: MountedAt) -> Prompt:
        assert s.fight is not None
        name_ = s.stage.field.name(s.fight.hex)
        return Prompt(Text("The vehicles' Close Combat in {hex}", hex=name_), "", ("A11.62",), PHASES[s.phase])


class MountedRoll(ColoredDice[State, MountedRollAt]):
    """A11.12 below the Kill Number eliminates those named, equal reduces one of them."""

    at = MountedRollAt

    def take(self, s: State, f: MountedRollAt, action: Action) -> None:
        s.stack.pop()
        column = mounted_column(s, f.vehicle, f.units)
        kill = int(s.stage.pack.tables["close_combat"]["kill_number"][column])
        final = action[1] + action[2] + sum(value for value, _, _ in mounted_drms(s, f.vehicle, f.units))
        word = "eliminated" if final < kill else "reduced" if final == kill else "no effect"
        facts = {"hex": s.at[f.vehicle], "attackers": [f.vehicle], "units": list(units_of(f.units))}
        told = {**facts, "odds": ODDS[column], "dice": list(action[1:]), "final": final, "kill": kill, "result": word}
        emit(s, "mounted_attack", "A11.62", told, final=True)
        if final < kill:
            for u in units_of(f.units):
                lose(s, u, "A11.62")
        elif final == kill:
            s.stack.append(PickAt(F_ARMOUR_PICK, f.units, f.units, 0, 0))

    def prompt(self, s: State, f: MountedRollAt) -> Prompt:
        return Prompt(Text("The attack of {unit}", unit=f.vehicle), "", ("A11.62",), PHASES[s.phase])


class Pick(OneDie[State, PickAt]):
    """A.9 one dr for each; the highest is reduced, all who tie."""

    at = PickAt

    def actor(self, s: State, f: PickAt) -> int | None:
        single = not f.candidates & (f.candidates - 1)
        return super().actor(s, f) if f.left and not single else None

    def run(self, s: State, f: PickAt) -> None:
        s.stack.pop()
        for u in units_of(f.chosen or f.candidates):
            if s.at[u] >= 0:
                reduce(s, u, "A11.62")

    def take(self, s: State, f: PickAt, action: Action) -> None:
        die, u = action[1], units_of(f.left)[0]
        bit = 1 << u
        chosen = bit if die > f.highest else f.chosen | bit if die == f.highest else f.chosen
        emit(s, "selection", "A.9", {"unit": u, "hex": s.at[u], "die": die}, final=True)
        s.stack[-1] = f._replace(left=f.left ^ bit, highest=max(die, f.highest), chosen=chosen)

    def prompt(self, s: State, f: PickAt) -> Prompt:
        return Prompt("Random Selection", "", ("A.9",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_ARMOUR: Armour(),
    F_GRAPPLE: Grapple(),
    F_GRAPPLE_ROLL: GrappleRoll(verbs.ROLLED),
    F_MOUNTED_ATTACK: Mounted(),
    F_ARMOUR_ROLL: MountedRoll(verbs.ROLLED),
    F_ARMOUR_PICK: Pick(verbs.FELL),
}
