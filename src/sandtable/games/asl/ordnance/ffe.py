"""C1.51 Fire for Effect: every Location of its area is attacked in each PFPh and DFPh, and whoever enters it.

C1.8 Bombardment, which comes before play, stands at the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.pack import asl_pack
from ..fire.attack import ResultAt
from ..fire.bursts import LIMIT
from ..fire.crews import vehicle_of
from ..fire.ift import FIRST_K, FIRST_KIA, NO_EFFECT, PIN_CHECK, RESULTS, ift
from ..fire.protection import candidates
from ..fire.san import shot_at
from ..fire.sights import BLASTS, blast_area
from ..table import verbs
from ..table.counters import Type
from ..table.ids import F_FFE, F_FFE_ROLL, F_PICK, F_RESULT, MINES, PHASES, UNDER_SANGAR
from ..table.state import BATTERY, BLAST, CALIBER, State, equivalents, gun_of, men
from ..table.telling import emit
from ..table.works import works_in
from ..works.mines import shell
from ..works.ruin import ruin
from . import shells
from .aim import all_in
from .effects import caves_in, doom, prc_results, shake, soft_tem
from .to_hit import Term

CRITICAL = 2


class ShellingAt(NamedTuple):
    """C1.51 a side's FFE attacks these hexes one after the other."""

    frame: int
    side: int
    hexes: Mask


class ShellAt(NamedTuple):
    """The DR of an FFE in one hex, against all there or these `units` alone."""

    frame: int
    side: int
    hex: Hex
    units: int


class PickAt(NamedTuple):
    """C1.51, A.9 whom an Original 2 strikes."""

    frame: int
    side: int
    hex: Hex
    units: int
    candidates: int
    left: int
    highest: int
    chosen: int


def caliber_of(s: State, side: int) -> int:
    return s.oba[side * BATTERY + CALIBER]


def blast_of(s: State, side: int) -> str:
    return BLASTS[s.oba[side * BATTERY + BLAST]]


def column_of(s: State, side: int, h: Hex, critical: bool = False, direct_hit: bool = False) -> int:
    """C1.51, F7.4b the column of an FFE in a hex."""
    terrain = "open" if direct_hit else s.stage.field.terrain[h]
    ec = str(s.stage.script["conditions"]["ec"])
    return ift().column(shells.battery_fp(caliber_of(s, side), blast_of(s, side), terrain, ec, critical))


def tem_of(s: State, u: int) -> tuple[Term, ...]:
    """C1.51 the Indirect TEM of a unit under an FFE; F3.4a hammada is worse by 1."""
    best = max(candidates(s, [], u, indirect=True, shelling=True), key=lambda one: one.value, default=None)
    found = [] if best is None else [Term(best.value, best.rule, best.text)]
    if s.stage.field.terrain[s.at[u]] == "hammada":
        found.append(Term(-1, "F3.4a", "HE among stones"))
    return tuple(found)


def drm_of(s: State, u: int, critical: bool) -> int:
    values = [one.value for one in tem_of(s, u)]
    return sum(shells.critical_tem(value) for value in values) if critical else sum(values)


def crowding(s: State, u: int) -> int:
    """A5.12 what it costs the units of an overstacked Location."""
    crowd = equivalents(s, men(s, s.at[u], s.stage.roster.side[u])) - LIMIT
    return -((crowd + 1) // 2) if crowd > 0 else 0


def under_fire(s: State, h: Hex, only: int) -> int:
    """Infantry, Guns and dummies of both sides; those who man a Gun stand for it."""
    found = all_in(s, h)
    found &= ~sum(1 << g for g in units_of(found & s.stage.roster.guns) if s.holder[g] >= 0)
    return found & only if only else found


def motors(s: State, h: Hex, only: int) -> int:
    found = s.here.get(h, 0) & s.stage.roster.vehicles & ~s.wreck
    return found & only if only else found


class Shelling(Frame[State, ShellingAt]):
    """C1.51 hex by hex."""

    at = ShellingAt

    def run(self, s: State, f: ShellingAt) -> None:
        s.stack.pop()
        for h in hexes_in(f.hexes):
            if under_fire(s, h, 0) | motors(s, h, 0) | works_in(s, h, *MINES):
                later = f.hexes & ~((2 << h) - 1)
                s.stack += [ShellingAt(F_FFE, f.side, later), ShellAt(F_FFE_ROLL, f.side, h, 0)]
                return


class ShellRoll(ColoredDice[State, ShellAt]):
    """C1.51 one DR for each Location; an Original 2 is a Critical Hit on one unit."""

    at = ShellAt

    def take(self, s: State, f: ShellAt, action: Action) -> None:
        s.stack.pop()
        depth = len(s.stack)
        there = under_fire(s, f.hex, f.units) | (motors(s, f.hex, f.units) if s.edition > 2 else 0)
        if action[1] + action[2] == CRITICAL and there:
            s.stack.append(PickAt(F_PICK, f.side, f.hex, f.units, there, there, 0, 0))
        else:
            strike(s, f.side, f.hex, f.units, action[1], action[2], 0)
        if s.edition > 3:  # A14.1
            shot_at(s, f.side, action[1] + action[2], f.hex, depth)

    def prompt(self, s: State, f: ShellAt) -> Prompt:
        return Prompt(Text("Shells fall in {hex}", hex=s.stage.field.name(f.hex)), "", ("C1.51",), PHASES[s.phase])


class Pick(OneDie[State, PickAt]):
    """A.9 Random Selection."""

    at = PickAt

    def actor(self, s: State, f: PickAt) -> int | None:
        return super().actor(s, f) if f.left and f.candidates & (f.candidates - 1) else None

    def run(self, s: State, f: PickAt) -> None:
        s.stack.pop()
        strike(s, f.side, f.hex, f.units, 1, 1, f.chosen or f.candidates)

    def take(self, s: State, f: PickAt, action: Action) -> None:
        die, bit = action[1], f.left & -f.left
        chosen = bit if die > f.highest else f.chosen | bit if die == f.highest else f.chosen
        s.stack[-1] = f._replace(left=f.left ^ bit, highest=max(die, f.highest), chosen=chosen)

    def prompt(self, s: State, f: PickAt) -> Prompt:
        return Prompt("Random Selection", "", ("A.9", "C1.51"), PHASES[s.phase])


def strike(s: State, side: int, h: Hex, only: int, first: int, second: int, struck: int) -> None:
    """C1.51 the results in one Location: `struck` by a Critical Hit, the others by the plain column."""
    original = first + second
    plain, direct = column_of(s, side, h), column_of(s, side, h, direct_hit=True)
    groups: dict[int, int] = {}
    doomed: list[tuple[int, int]] = []
    fallen = False
    for u in units_of(under_fire(s, h, only)):
        hit = bool(struck >> u & 1)
        drm = drm_of(s, u, hit) + (crowding(s, u) if s.edition > 3 else 0)
        column = column_of(s, side, h, critical=True) if hit else plain
        result = ift().result(column, original + drm)
        fallen |= s.under[u] == UNDER_SANGAR and shells.sangar_falls(caliber_of(s, side), result, hit, True)
        fate = shells.gun_struck(ift().result(column if hit else direct, original + drm))
        if gun_of(s, u) >= 0 and fate != shells.NEAR_MISS:
            doomed.append((u, fate))
        elif result != NO_EFFECT:
            groups[result] = groups.get(result, 0) | 1 << u
        if ift().result(column, 2 + drm) > PIN_CHECK:
            s.dm |= s.broken & 1 << u  # A10.62
        s.shot |= 1 << u
    best = max(groups, default=NO_EFFECT)
    facts = {"hex": h, "dice": [first, second], "result": RESULTS[best], "side": side}
    emit(s, "shelling", "C1.51", facts, final=True)
    caves_in(s, h, caliber_of(s, side), best, under_fire(s, h, only))
    s.stack += [ResultAt(F_RESULT, result, units) for result, units in sorted(groups.items())]
    for u in units_of(motors(s, h, only)):
        hit = bool(struck >> u & 1)
        ground = soft_tem(s, u, True, True, hit)
        column = column_of(s, side, h, critical=True) if hit else plain
        hard = s.edition > 2 and not hit and vehicle_of(s, u).armoured  # F7.4b sand muffles nothing for armour
        if not shake(s, u, direct if hard else column, first, second, "C1.51", ground):
            found = prc_results(s, u, column, original, ground)
            s.stack += [ResultAt(F_RESULT, result, units) for result, units in found]
    for u, fate in doomed:
        veiled = s.concealed & 1 << u if s.edition < 5 else 0  # A12.14c
        doom(s, u, fate)
        s.concealed |= veiled if s.at[u] >= 0 else 0
    ruin(s, h, fallen)
    bare = ift().result(plain, original)  # B28.62 the Original DR
    if not only and blast_of(s, side) == "concentration" and bare >= FIRST_K:
        shell(s, h, bare >= FIRST_KIA)


def shell_all(s: State) -> None:
    """C1.51 the FFE of both sides attack in this phase."""
    for side in range(2):
        area = blast_area(s, side)
        if area:
            s.stack.append(ShellingAt(F_FFE, side, area))


def shell_movers(s: State, movers: int) -> None:
    """C1.51 those who have just entered a hex of an FFE are attacked in it, once for each entry."""
    for u in units_of(movers):
        if s.shelled.get(u, -1) not in (-1, s.at[u]):
            del s.shelled[u]
    for side in range(2):
        area = blast_area(s, side)
        new = sum(1 << u for u in units_of(movers) if s.at[u] >= 0 and area >> s.at[u] & 1 and u not in s.shelled)
        if new:
            h = s.at[units_of(new)[0]]
            s.stack.append(ShellAt(F_FFE_ROLL, side, h, new))
            s.shelled.update(dict.fromkeys(units_of(new), h))


# C1.8 Bombardment


def spared_rows(dice: tuple[int, ...]) -> set[int]:
    """C1.8 the rows of hexes that six dr spare, the last three with 6 more."""
    added = asl_pack().tables["bombardment"]["spared_added"]
    return {die + more for die, more in zip(dice, added, strict=True)}


def bombardment_drm(terrain: str, ec: str, tem: int) -> list[Term]:
    """C1.8, F3.4a, F7.4d, F7.4e the DRM of a Bombardment MC: TEM as a negative one (hammada counts -1), sand -2."""
    chart = asl_pack().tables["bombardment"]
    found = [Term(int(chart["personnel_mc"]), "C1.8", "Bombardment")]
    whole = tem - (1 if terrain == "hammada" else 0)
    if whole:
        found.append(Term(-whole, "C1.8", "TEM against Bombardment"))
    if terrain in shells.SAND and ec not in shells.WET:
        found.append(Term(int(chart["sand_drm"]), "F7.4d", "sand"))
    return found


def bombarded(failed_by: int) -> str:
    """C1.8 what becomes of a vehicle or of equipment that fails its check by so much."""
    return "" if failed_by <= 0 else "stopped" if failed_by == 1 else "eliminated"


def bombardment_morale(kind: Type) -> int:
    """C1.8 the morale of a vehicle under Bombardment, by its armour."""
    chart = asl_pack().tables["bombardment"]["vehicle_morale"]
    made = kind.vehicle
    assert made is not None
    if not made.armoured:
        return int(chart["unarmored"])
    return int(chart["open_topped_or_light" if made.top == "OT" or "light" in made.group else "other_afv"])


FRAMES: dict[int, Frame[State, Any]] = {
    F_FFE: Shelling(),
    F_FFE_ROLL: ShellRoll(verbs.ROLLED),
    F_PICK: Pick(verbs.FELL),
}
