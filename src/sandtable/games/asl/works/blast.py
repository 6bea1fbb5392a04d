"""A22, A23 Flamethrowers and Demolition Charges: attacks on the IFT by one weapon alone, without a Fire Group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.locations import Place
from ..fire.attack import ResultAt, encircle, seen_firing
from ..fire.bursts import LIMIT, burdens, hands_taken
from ..fire.firepower import dummies_in
from ..fire.ift import FIRST_KIA, PIN_CHECK, RESULTS, ift
from ..fire.protection import Drm, tem_of
from ..fire.san import shot_at
from ..fire.sights import line, sees
from ..table import verbs
from ..table.ids import AFPH, F_BLAST_ROLL, F_CHARGES, F_HULL, F_RESULT, GONE, PFPH, PHASES
from ..table.state import State, equivalents, good_order, gun_of, men, on_map, put, vehicles
from ..table.telling import emit
from ..table.weather import grit
from ..table.works import spot
from .ruin import ruin, undermine

SET, THROWN, FLAME = range(3)


class BlastAt(NamedTuple):
    """One weapon attacks a hex: a charge that was set or is thrown, or a flamethrower."""

    frame: int
    weapon: int
    hex: int
    how: int


class HullAt(NamedTuple):
    """C7.346, A22.4 a vehicle that a charge or a flame meets; where it came from, and the DR of the attack. C11.4 or a
    Gun and its crew that a charge meets, by the Final DR."""

    frame: int
    vehicle: int
    origin: int
    how: int
    column: int
    original: int


class ChargesAt(NamedTuple):
    """A23.3 the charges that were set go off, one after the other."""

    frame: int


def victims(s: State, h: Hex, side: int) -> int:
    """All of a side whom a blast meets; A11.15 not those who are held in Melee."""
    return (men(s, h, side) & ~(s.melee if s.edition > 6 else 0)) | dummies_in(s, h, side)


def lone_guns(s: State, h: Hex, side: int) -> int:
    """C11.4 the Guns of a side that nobody mans."""
    found = s.here.get(h, 0) & s.stage.roster.guns & s.stage.roster.of_side[side] & ~s.mounted
    return sum(1 << g for g in units_of(found) if s.holder[g] < 0)


def gunners(s: State, f: BlastAt, units: int) -> int:
    """C11.4, AMB-69 those of some units against whom a charge is one against their Gun too."""
    if f.how == FLAME or s.edition < 5:
        return 0
    return sum(1 << u for u in units_of(units) if gun_of(s, u) >= 0)


def motors(s: State, f: BlastAt, side: int) -> int:
    """The enemy vehicles that a blast meets; F5.41e nobody throws a charge at one at the rim of a wadi."""
    found = vehicles(s, f.hex, 1 - side) & ~s.hip
    if f.how != THROWN:
        return found
    return sum(1 << u for u in units_of(found) if s.place[u] != Place.CREST)


def fp_of(s: State, f: BlastAt, concealed: bool) -> float:
    """A22.1, A23.3 30 FP, 24 FP; half at two hexes, and against the concealed; A7.2 a flame in Advancing Fire,
    or of one who is pinned."""
    fp, user = float(s.kind(f.weapon).fp), s.holder[f.weapon]
    if f.how == FLAME and s.stage.grid.distance(s.at[f.weapon], f.hex) > 1:
        fp /= 2
    if f.how == FLAME and user >= 0 and s.edition > 4:  # A7.2, A7.8
        fp /= (2 if s.phase == AFPH and not s.waits >> user & 1 else 1) * (2 if s.pinned >> user & 1 else 1)
    return fp / 2 if concealed else fp


def drms_of(s: State, f: BlastAt, u: int, own: bool = False) -> list[Drm]:
    """A22.1 a flamethrower minds no TEM, but what hampers its user (AMB-147); a charge does, +2 if it is thrown, +3 in
    all for the thrower's own hex; A5.12 an overstacked Location suffers more from both."""
    user = s.holder[f.weapon]
    crowd = _crowded(s, u) if s.edition > 6 else []
    if f.how == FLAME:
        hampered = burdens(s, 1 << user, s.stage.roster.side[user]) if user >= 0 and s.edition > 6 else []
        return [*(Drm(one.value, one.rule, one.text) for one in hampered), *crowd]
    found = crowd + tem_of(s, [spot(s, user)] if user >= 0 and s.at[user] != s.at[u] else [], u)
    if s.stage.field.terrain[s.at[u]] == "hammada":
        found.append(Drm(-1, "F3.4a", "hammada"))
    chart = s.stage.pack.tables["dc"]
    if own:
        found.append(Drm(int(chart["thrown_drm_vs_thrower"]), "A23.6", "the thrower's own Location"))
    elif f.how == THROWN:
        found.append(Drm(int(chart["thrown_drm_vs_target"]), "A23.6", "thrown"))
    return found


def _crowded(s: State, u: int) -> list[Drm]:
    """A5.12 what it costs to stand in an overstacked Location, as far as that is known."""
    crowd = equivalents(s, men(s, s.at[u], s.stage.roster.side[u]) & ~s.concealed) - LIMIT
    return [Drm(-((crowd + 1) // 2), "A5.12", "the targets are overstacked")] if crowd > 0 else []


class Part(NamedTuple):
    """Units whom a blast meets alike."""

    units: int
    drms: list[Drm]
    column: int


def parts(s: State, f: BlastAt) -> list[Part]:
    side = s.stage.roster.side[f.weapon]
    user = s.holder[f.weapon]
    side = s.stage.roster.side[user] if user >= 0 else side
    found: dict[tuple[int, ...], Part] = {}
    guns = lone_guns(s, f.hex, 1 - side) if f.how != FLAME and s.edition > 4 else 0
    groups = [(victims(s, f.hex, 1 - side) | guns, False)]
    if f.how == THROWN and s.at[f.weapon] != f.hex:
        groups.append((men(s, s.at[f.weapon], side) | men(s, s.at[f.weapon], 1 - side), True))
    elif f.how == THROWN and s.edition > 6:  # A23.6 into its own Location: its own side is in the thrower's
        groups.append((men(s, f.hex, side), True))
    for units, own in groups:
        for u in units_of(units):
            drms = drms_of(s, f, u, own)
            column = ift().column(fp_of(s, f, bool(s.concealed >> u & 1) and not own))
            key = (own, column, sum(one.value for one in drms))
            old = found.get(key)
            found[key] = Part(1 << u | (old.units if old else 0), drms, column)
    return [found[key] for key in sorted(found)]


class BlastRoll(ColoredDice[State, BlastAt]):
    """One DR for all whom it meets."""

    at = BlastAt

    def take(self, s: State, f: BlastAt, action: Action) -> None:
        s.stack.pop()
        original = action[1] + action[2]
        w, user = f.weapon, s.holder[f.weapon]
        side = s.stage.roster.side[user if user >= 0 else w]
        taken, guns = [], []
        for one in parts(s, f):
            drm = sum(mod.value for mod in one.drms)
            result = ift().result(one.column, original + drm)
            manning = gunners(s, f, one.units)
            taken.append((result, one.units & ~manning))
            guns += [HullAt(F_HULL, u, s.at[w], f.how, one.column, original + drm) for u in units_of(manning)]
            if s.edition > 2 and ift().result(one.column, 2 + drm) > PIN_CHECK:
                s.dm |= s.broken & one.units  # A10.62
            facts = {"unit": w, "hex": f.hex, "dice": list(action[1:]), "drm": drm, "result": RESULTS[result]}
            emit(s, "blast", "A22.1" if f.how == FLAME else "A23.3", {**facts, "side": side}, final=True)
            s.shot |= one.units
        column = ift().column(fp_of(s, f, False))
        hulls = [HullAt(F_HULL, u, s.at[w], f.how, column, original) for u in reversed(units_of(motors(s, f, side)))]
        if user >= 0 and s.edition > 2 and (f.how == FLAME or (f.how == THROWN and s.phase == PFPH)):
            s.served |= 1 << user  # A3.2, A7.35
            s.handled |= 1 << w if f.how == FLAME else 0
        if f.how == FLAME:
            s.fired |= 1 << w
            worn = grit(s) if s.edition > 5 else 0  # F11.732b
            if original >= s.kind(w).breakdown - worn:  # X#: it is removed after the attack
                remove(s, w)
        else:
            remove(s, w)
            worst = max((result for result, units in taken), default=0)
            ruin(s, f.hex, worst >= FIRST_KIA)
            for result, units in taken:
                undermine(s, f.hex, result, units & s.here.get(f.hex, 0))  # F7.42c
        if user >= 0:
            s.concealed &= ~seen_firing(s, side, 1 << user) if f.how == FLAME else -1
            s.hip &= ~(1 << user)
        if f.how == FLAME and user >= 0 and s.edition > 5:  # A7.7
            encircle(s, 1 << user, sum(units for _, units in taken))
        s.stack += [*hulls, *guns]
        s.stack += [ResultAt(F_RESULT, result, units) for result, units in reversed(taken)]
        shot_at(s, side, original, f.hex)

    def prompt(self, s: State, f: BlastAt) -> Prompt:
        return Prompt(Text("{unit} goes off", unit=f.weapon), "", ("A22.1", "A23.3"), PHASES[s.phase])


def remove(s: State, w: int) -> None:
    s.holder[w] = -1
    s.charges.pop(w, None)
    put(s, w, GONE)


class Charges(Frame[State, ChargesAt]):
    """A23.3 in the AFPh, if the placer is then unbroken and unpinned; otherwise it is his again."""

    at = ChargesAt

    def run(self, s: State, f: ChargesAt) -> None:
        if not s.charges:
            s.stack.pop()
            return
        w = min(s.charges)
        h = s.charges.pop(w)
        user = s.holder[w]
        if user < 0 or (s.broken | s.pinned) >> user & 1:
            return
        s.stack.append(BlastAt(F_BLAST_ROLL, w, h, SET))


# Who may throw or burn


def throws(s: State, side: int, h: Hex, w: int) -> Reason | None:
    """A23.6 into an ADJACENT Location or its own."""
    if s.kind(w).weapon != "DC":
        return Reason("A23.6", Text("{weapon} is not a Demolition Charge", weapon=w))
    fault = _idle(s, side, w)
    if fault is not None:
        return fault
    user = s.holder[w]
    near = s.stage.field.accessible(s.at[user]) | 1 << s.at[user]
    if not near >> h & 1 or not sees(s, user, h, victims(s, h, 1 - side) | vehicles(s, h, 1 - side)):
        return Reason("A23.6", "it is thrown into an ADJACENT Location or its own")
    return _nobody(s, BlastAt(F_BLAST_ROLL, w, h, THROWN), side)


def burns(s: State, side: int, h: Hex, w: int) -> Reason | None:
    """A22.1 at two hexes at the most."""
    if s.kind(w).weapon != "FT":
        return Reason("A22.1", Text("{weapon} is not a flamethrower", weapon=w))
    fault = _idle(s, side, w)
    if fault is not None:
        return fault
    user = s.holder[w]
    if s.stage.grid.distance(s.at[user], h) > int(s.stage.pack.tables["flamethrower"]["range_half"]):
        return Reason("A22.1", "a flamethrower reaches two hexes")
    if not line(s, user, h, victims(s, h, 1 - side) | vehicles(s, h, 1 - side)).clear:
        return Reason("A6.1", "there is no line of sight")
    return _nobody(s, BlastAt(F_BLAST_ROLL, w, h, FLAME), side)


def _nobody(s: State, f: BlastAt, side: int) -> Reason | None:
    foes = victims(s, f.hex, 1 - side) & ~s.hip
    if foes & ~s.melee or motors(s, f, side):
        return None
    if vehicles(s, f.hex, 1 - side) & ~s.hip:
        return Reason("F5.41e", "no charge is thrown at a vehicle at the rim of a wadi")
    return Reason("A7.4", "no enemy that can be attacked is there")


def _idle(s: State, side: int, w: int) -> Reason | None:
    user = s.holder[w]
    able = user >= 0 and s.stage.roster.side[user] == side and s.at[user] >= 0
    if not able or not good_order(s, 1 << user) or s.ti >> user & 1:
        return Reason("A7.35", Text("nobody who could use {weapon} has it", weapon=w))
    if (s.fired | s.spent_fire) >> w & 1 or w in s.charges:
        return Reason("A7.11", Text("{weapon} has been used", weapon=w))
    if s.kind(w).weapon == "FT" and hands_taken(s, w, 0, 0):
        return Reason("A7.35", Text("whoever has {weapon} has no hands left for it", weapon=w))
    return None


def blasts(s: State, side: int, thrown: bool) -> list[tuple[int, ...]]:
    """Every weapon and hex."""
    roster = s.stage.roster
    found: list[tuple[int, ...]] = []
    kind = "DC" if thrown else "FT"
    ask = throws if thrown else burns
    for w in units_of(roster.weapons & on_map(s)):
        if s.kind(w).weapon != kind or s.holder[w] < 0:
            continue
        near = s.stage.grid.within(s.at[w], 1 if thrown else 2) if _idle(s, side, w) is None else 0
        foes = roster.of_side[1 - side]
        held = [h for h in hexes_in(near) if s.here.get(h, 0) & foes]  # nowhere else is anybody to be attacked
        there = sum(1 << h for h in held if ask(s, side, h, w) is None)
        found += [(w, g) for g in hexes_in(s.stage.numbers(there))]
    return found


def why_blast(s: State, side: int, args: Sequence[int], thrown: bool) -> Reason | None:
    w, g = args
    h = s.stage.into[g]
    if h < 0:
        return Reason("A7.1", "it is not on the map")
    return (throws if thrown else burns)(s, side, h, w)


def odds(s: State, f: BlastAt) -> Odds | None:
    """The chance of every result against the most exposed."""
    found = parts(s, f)
    if not found:
        return None
    one = found[0]
    drm = sum(mod.value for mod in one.drms)
    chances: dict[str, Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            word = RESULTS[ift().result(one.column, first + second + drm)]
            chances[word] = chances.get(word, Fraction(0)) + Fraction(1, 36)
    terms = [Term(signed(mod.value), mod.rule, mod.text) for mod in one.drms]
    title = Text("{fp} FP, DRM {drm}", fp=f"{fp_of(s, f, False):g}", drm=signed(drm))
    return Odds(title, tuple(terms), tuple(sorted(chances.items(), key=lambda it: -RESULTS.index(it[0]))))


FRAMES: dict[int, Frame[State, Any]] = {F_BLAST_ROLL: BlastRoll(verbs.ROLLED), F_CHARGES: Charges()}
