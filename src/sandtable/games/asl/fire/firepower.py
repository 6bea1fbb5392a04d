"""A7.2 What fire is worth: the FP of each unit and weapon, and every DRM of an attack, each with its rule.

All of it is reckoned as terms whose sum (or product) is the figure: the dice, the panel before them and the tests read
the same.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from sandtable.engine.contract import Odds, Term
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.odds import Force
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import asked_once

from ..boards.locations import Place, Spot, crest_front
from ..los.cover import entry_sides
from ..los.tables import GROUND
from ..los.veils import Stances
from ..los.visibility import negates_ffmo
from ..table.captives import nation_of
from ..table.counters import assault_fire, captured_use
from ..table.ids import (
    ADVANCING,
    FINAL,
    FIRST,
    HERO,
    LEADER,
    PREP,
    PROTECTIVE,
    SIDES,
    SUBSEQUENT,
    UNDER_SANGAR,
)
from ..table.state import Attack, State, all_vehicles, equivalents, men, on_map, vehicles, weapons_of
from ..table.weather import density, grit
from ..table.works import spot
from .air import AIR_WORDS, dlv
from .bursts import LIMIT, burdens, lane_drm, snap_drms
from .crews import crew_drm, prc_drm, soft_targets
from .ift import ift
from .morale import bonus_of, inexperienced, leader_here, morale
from .mounts import mg_share, mount_drms, mounts_of
from .protection import Drm, beneath, beside_armour, clustered, emplaced, ground_tem, gunshield, in_the_open, tem
from .sights import line, seen_by_all, smoke_in, stances, veiled

MINES_ATTACK, OVERRUN_ATTACK = 2, 3
"""What an attack that nobody fires is: 1 is Residual FP, 2 mines, 3 an Overrun (D7.1)."""
LIGHT = ("LMG", "BAZ", "PIAT", "DC", "FT")
"""F5.41b, F5.41c what may be fired from a Crest in any direction, outside its front as Area Fire."""
DICE = [(a, b) for a in range(1, 7) for b in range(1, 7)]


class Share(NamedTuple):
    """What one unit or weapon adds to an attack."""

    unit: int
    fp: float
    notes: tuple[tuple[str, str], ...]

    @property
    def rule(self) -> str:
        return self.notes[-1][0] if self.notes else "A7.1"

    def said(self, name: str) -> Text:
        """It as the panel has it."""
        if not self.notes:
            return Text("{name}", name=name)
        return Text("{name}: {notes}", name=name, notes=tuple(text for _, text in self.notes))


# Where and how far


def reach(s: State, w: int) -> int:
    """Normal Range of a unit or a weapon."""
    return s.kind(w).range


# FP


def share(s: State, attack: Attack, u: int, weapon: bool, halved: bool = False) -> Share:
    """A7.2 what one unit (or one weapon of it) adds, every factor that applies multiplied; `halved`: against those who
    are concealed (A7.23)."""
    kind = s.kind(u)
    user = s.holder[u] if weapon else u
    h = s.at[user]
    span = s.stage.grid.distance(h, attack.target)
    fp = float(kind.fp)
    notes: list[tuple[str, str]] = []

    def times(factor: float, rule: str, text: str) -> None:
        nonlocal fp
        fp *= factor
        notes.append((rule, text))

    if kind.weapon != "MTR":
        if span == 0:
            times(3, "A7.21", "same Location, tripled")
        elif span == 1:
            times(2, "A7.21", "point blank, doubled")
        elif span > kind.range:
            times(0.5, "A7.22", "long range, halved")
    if weapon and s.kind(user).kind in (LEADER, HERO):
        times(0.5, "A7.35", "one man at the gun, halved")
    if s.pinned >> user & 1:
        times(0.5, "A7.8", "pinned, halved")
    if s.mounted >> user & 1:
        times(0.5, "D6.22", "Mounted Fire, halved")
        if s.motion >> s.aboard[user] & 1 and s.edition > 4:
            times(0.5, "D2.4", "in Motion, halved")
    if attack.snap:
        times(0.5, "A8.15", "Snap Shot, halved")
    if attack.second >= 0:
        times(0.5, "A9.5", "Spraying Fire, halved")
    if span and clustered(s.stage.field, h):
        times(0.5, "F12.43b", "out of the cluster, halved")
    if s.place[user] == Place.CREST and span and not through_front(s, user, attack.target):
        times(0.5, "B20.9", "outside its Crest front, halved")
    if attack.fire == ADVANCING and not s.waits >> user & 1:
        times(0.5, "A3.5", "Advancing Fire, halved")
    elif attack.fire == SUBSEQUENT:
        times(0.5, "A8.3", "Subsequent First Fire, halved")
    elif attack.fire == PROTECTIVE:
        times(0.5, "A8.31", "Final Protective Fire, halved")
    elif attack.fire == FINAL and s.fired >> u & 1:
        times(0.5, "A8.4", "fired before, halved")
    if halved:
        times(0.5, "A7.23", "concealed, halved")
    if attack.fire == ADVANCING and not weapon and assault_fire(kind, s.stage.month) and span <= kind.range:
        fp = ceil(fp if s.edition > 2 else int(2 * fp) / 2) + 1.0  # FRU, after all halving
        notes.append(("A7.36", term("Assault Fire, one more")))
    return Share(u, fp, tuple(notes))


def through_front(s: State, u: int, target: Hex) -> bool:
    """B20.9 whether a line of fire leaves the hex of a Crest unit by its front."""
    h = s.at[u]
    sides = entry_sides(s.stage.sights.lines, Spot(target), spot(s, u))
    return all(d in crest_front(s.stage.field, h, s.cafp[u]) for d in sides)


def bound_to_front(s: State, w: int, target: Hex) -> bool:
    """F5.41b a Support Weapon that could not fire from the Crest of a gully fires through the Crest front alone."""
    return bound(s, w) and target != s.at[s.holder[w]] and not through_front(s, s.holder[w], target)


def bound(s: State, w: int) -> bool:
    """Whether it is such a weapon, at a Crest now."""
    user = s.holder[w]
    at_rim = user >= 0 and s.place[user] == Place.CREST and not s.mounted >> user & 1
    return at_rim and s.kind(w).weapon not in LIGHT


def shares(s: State, attack: Attack, halved: bool = False) -> list[Share]:
    """Everything that fires; `halved`: at those who are concealed."""
    own = [share(s, attack, u, False, halved) for u in units_of(attack.firers)]
    own += [share(s, attack, w, True, halved) for w in units_of(attack.weapons)]
    mounted = [Share(attack.vehicle, *mg_share(s, attack, attack.vehicle, mg)) for mg in mounts_of(attack.mgs)]
    return own + [one._replace(fp=one.fp / 2) if halved else one for one in mounted]


@asked_once
def soft(s: State, side: int) -> int:
    """A7.4, D5.31 all of a side whom small arms can be fired at, wherever they are."""
    roster = s.stage.roster
    found = roster.men & ~(s.captive | s.mounted) | roster.dummies | roster.guns & s.concealed & ~s.hip
    return found & roster.of_side[side] | soft_targets(s, all_vehicles(s, side))


@asked_once
def target_stances(s: State, hexes: Mask, side: int) -> Stances:
    """How those stand in these hexes whom a side can fire at; under a "?" there may be anything (A12.1)."""
    there = units_of(soft(s, 1 - side) & on_map(s))
    found = stances(s, sum([1 << u for u in there if hexes >> s.at[u] & 1]))
    known = 0
    for _, places in found:
        known |= places
    bare = sum([1 << h for h in hexes_of(hexes & ~known) if veiled(s, h, side)])
    if bare:
        ways = dict(found)
        ways[GROUND] = ways.get(GROUND, 0) | bare
        found = tuple(ways.items())
    return found


def in_location(s: State, attack: Attack) -> int:
    """A7.4 all enemies in the Location; in First Fire the movers alone (A8.1)."""
    side = 1 - attack.side
    found = s.here.get(attack.target, 0) & soft(s, side)
    if s.edition > 6 and attack.residual != OVERRUN_ATTACK:  # A11.15
        found &= ~s.melee
    if not attack.movers:
        return found
    motors = vehicles(s, attack.target, side) & attack.movers
    return found & attack.movers & ~(s.stage.roster.vehicles | s.mounted) | soft_targets(s, motors)


def targets(s: State, attack: Attack) -> int:
    """A7.4 whom one DR attacks: those in the Location whom all who fire see."""
    found = in_location(s, attack)
    return found if attack.snap else seen_by_all(s, users_of(s, attack), found)


class Cohort(NamedTuple):
    """Targets whom an attack meets alike: one DR, but a TEM and a column of their own (A7.4)."""

    units: int
    drms: list[Drm]
    concealed: bool
    hidden: bool = False
    """A12.3 not on the map as far as the enemy knows: nothing is told of it unless it is hit."""


def cohorts(s: State, attack: Attack) -> list[Cohort]:
    """The targets by what protects them, the most exposed first; those concealed apart."""
    found: dict[tuple[bool, int, bool, str], Cohort] = {}
    for u in units_of(targets(s, attack)):
        bit = 1 << u
        own = own_drms(s, attack, bit)
        concealed, hidden = bool(s.concealed & bit), bool(s.hip & bit)
        key = (hidden, sum(one.value for one in own), concealed, ",".join(one.rule for one in own))
        old = found.get(key)
        found[key] = Cohort(bit | (old.units if old else 0), own, concealed, hidden)
    return [found[key] for key in sorted(found)]


def dummies_in(s: State, h: Hex, side: int) -> int:
    roster = s.stage.roster
    return s.here.get(h, 0) & roster.dummies & roster.of_side[side]


def total(s: State, attack: Attack) -> float:
    return sum(one.fp for one in shares(s, attack))


def worth(s: State, attack: Attack, halved: bool) -> float:
    """A7.23, A7.36 the FP of an attack, or that against the concealed: what Assault Fire adds is not halved."""
    if not halved:
        return total(s, attack)
    if keeps_bonus(s, attack):
        return sum(one.fp for one in shares(s, attack, True))
    return total(s, attack) / 2


def keeps_bonus(s: State, attack: Attack) -> bool:
    """A7.36 whether an attack may have FP that are added after all halving."""
    return s.edition > 2 and attack.fire == ADVANCING and attack.vehicle < 0


# DRM


class Weight(NamedTuple):
    """What an attack meets in the most exposed of its targets."""

    halved: bool
    """A12.1, A7.23 they are under a "?"."""
    drms: list[Drm]
    """A7.5 every DRM."""


def weigh(s: State, attack: Attack) -> Weight:
    own = cohorts(s, attack)
    halved = bool(own) and own[0].concealed and not attack.residual
    return Weight(halved, [*(own[0].drms if own else own_drms(s, attack, 0)), *common_drms(s, attack)])


def drms(s: State, attack: Attack) -> list[Drm]:
    """A7.5 every DRM against the most exposed of the targets."""
    return weigh(s, attack).drms


def own_drms(s: State, attack: Attack, those: int) -> list[Drm]:
    """The DRM that depend on who is hit: TEM, movement, Hindrances."""
    if attack.residual == MINES_ATTACK:  # B28.41
        return []
    if attack.snap:  # F11.62b, F11.71b a DR on the IFT as others
        air = low_visibility(s, attack, those) if s.edition > 5 else []
        return [*snap_drms(s, list(units_of(users_of(s, attack))), those), *air]
    if attack.residual == OVERRUN_ATTACK:
        return trampled(s, attack, those)
    if attack.residual:  # A8.22 FFNAM, FFMO, and the TEM and SMOKE of the hex alone
        hazy = smoke_in(s, attack.target)
        air = [Drm(hazy, "A8.22", "SMOKE in the hex")] if hazy else []
        if attack.lane >= 0:  # A9.221 SMOKE does not reduce it, vehicles do
            air = lane_drm(s, attack.lane, attack.target)
        if aboard(s, those):
            return [*behind_armour(s, those), *air]
        return [*terrain(s, attack, those), *movement(s, attack, those), *air]
    if aboard(s, those):
        return [*behind_armour(s, those), *hindrances(s, attack, those)]
    own = [*terrain(s, attack, those), *movement(s, attack, those), *hindrances(s, attack, those)]
    if any(s.kind(w).weapon == "FT" for u in units_of(those & ~s.concealed) for w in units_of(weapons_of(s, u))):
        own.append(Drm(-1, "A22.1", "against the flamethrower"))
    for u in units_of(those):  # C11.5 they are protected alike
        shield = gunshield(s, [s.at[one] for one in units_of(users_of(s, attack))], u)
        return [*own, shield] if shield is not None else own
    return own


def trampled(s: State, attack: Attack, those: int) -> list[Drm]:
    """D7.1, AMB-145 against an Overrun: what protects, or FFMO; A24.21, F11.71b SMOKE and dust as in any attack there,
    which cancels FFMO if it is SMOKE (A24.8) or Heavy Dust (F11.73d)."""
    if s.edition < 5:
        return behind_armour(s, those) if aboard(s, those) else underfoot(s, those, False)
    hazy = screens(s, attack, those)
    dim = bool(hazy) or sandstorm(s)
    ground = behind_armour(s, those) if aboard(s, those) else underfoot(s, those, dim)
    return [*ground, *hazy, *low_visibility(s, attack, those)]


def underfoot(s: State, those: int, dim: bool) -> list[Drm]:
    """B27.3, F8.4a the best TEM of the hex or entrenchment, or FFMO where there is none and the air is not `dim`."""
    for u in units_of(those):
        best, ground = beneath(s, u, s.under[u] != UNDER_SANGAR), ground_tem(s, u)
        for other in (emplaced(s, u), beside_armour(s, u)) if s.edition > 4 else ():  # C11.2, D9.3
            if other is not None and other.value > (best.value if best is not None else 0):
                best = other
        if ground is not None and ground.value > (best.value if best is not None else 0):
            best = ground
        if best is not None:
            return [best]
        chart = s.stage.pack.tables["overrun"]["drm"]
        return [Drm(int(chart["ffmo"]), "D7.1", "in Open Ground")] if in_the_open(s, u) and not dim else []
    return []


def aboard(s: State, those: int) -> bool:
    """Whether these are a vehicle, its crew or its PRC."""
    return bool(those & (s.stage.roster.vehicles | s.mounted))


def behind_armour(s: State, those: int) -> list[Drm]:
    """D5.31, AMB-83 crews and PRC: +2 in an AFV, nothing in or on others; or the TEM of the hex if that is more."""
    found: list[Drm] = []
    for u in units_of(those):
        ground = ground_tem(s, u)
        plates = prc_drm(s, u)
        if found or not (plates or ground):
            continue
        if plates < 0:  # D15.1 what is against it adds to what protects it (B.5)
            found += [Drm(plates, "D15.1", "on a motorcycle"), *([ground] if ground is not None else [])]
        elif ground is not None and ground.value > plates:
            found.append(ground._replace(rule="D5.31"))
        else:
            found.append(Drm(plates, "D5.31", "behind armour"))
    return found


def common_drms(s: State, attack: Attack) -> list[Drm]:
    """Those that are the same for all targets."""
    if attack.residual == OVERRUN_ATTACK:
        drm = crew_drm(s, attack.by)
        return [Drm(drm, "D3.4", "the crew")] if drm else []
    if attack.residual:
        return []
    far = s.edition > 2  # A8.2 whatever hampers the firers arises outside the target hex
    found = [*leadership(s, attack), *(Drm(*one, far and one[0] > 0) for one in mount_drms(s, attack))]
    found += [Drm(one.value, one.rule, one.text, far) for one in burdens(s, users_of(s, attack), attack.side)]
    crowd = equivalents(s, men(s, attack.target, 1 - attack.side) & ~s.concealed) - LIMIT  # as far as it is known
    if crowd > 0:
        found.append(Drm(-((crowd + 1) // 2), "A5.12", "the targets are overstacked"))
    return found


def users_of(s: State, attack: Attack) -> int:
    """The units that fire, with their own FP or a weapon."""
    found = attack.firers | sum({1 << s.holder[w] for w in units_of(attack.weapons)})
    return found | (1 << attack.vehicle if attack.vehicle >= 0 else 0)


def eyes(s: State, attack: Attack) -> int:
    """Those whose lines of sight count: whoever fires, or the vehicle of an Overrun."""
    return 1 << attack.by if attack.residual == OVERRUN_ATTACK else users_of(s, attack)


def terrain(s: State, attack: Attack, those: int) -> list[Drm]:
    """The TEM of these targets, who are protected alike; against Residual FP that of the hex alone (A8.22)."""
    firers = 0 if attack.residual else users_of(s, attack)
    for u in units_of(those):
        return tem(s, firers, u)
    return []


def hindrances(s: State, attack: Attack, those: int) -> list[Drm]:
    """A6.7 the Hindrances of the most hindered line, and Low Visibility."""
    return screens(s, attack, those) + low_visibility(s, attack, those)


def screens(s: State, attack: Attack, those: int) -> list[Drm]:
    """A6.7 the normal Hindrances of the most hindered line: those that cancel FFMO (A4.6b)."""
    lines = [line(s, u, attack.target, those) for u in units_of(eyes(s, attack))]
    worst = max(lines, key=lambda one: one.hindrance, default=None)
    if worst is None:
        return []
    name = s.stage.field.name
    return [
        Drm(
            one.drm,
            one.rule,
            one.said(name(one.hex)),
            one.hex != attack.target and not (s.edition > 2 and one.dust),
        )
        for one in worst.hindrances
    ]


def low_visibility(s: State, attack: Attack, those: int) -> list[Drm]:
    """E3.1, F11.6 sun, haze and dust on the worst of the lines; they reduce no Residual FP and cancel no FFMO."""
    vehicle = aboard(s, those)
    users, there = units_of(eyes(s, attack)), Spot(attack.target)
    lines = [dlv(s, spot(s, u), there, vehicle, attack.dusty, attack.side) for u in users]
    worst = max(lines, key=lambda one: sum(each.drm for each in one), default=[])
    return [Drm(one.drm, one.rule, AIR_WORDS[one.kind]) for one in worst]


def movement(s: State, attack: Attack, those: int) -> list[Drm]:
    """A4.6 what a moving target gives: FFNAM, and FFMO in Open Ground with nothing in between; A4.62 hazards."""
    move = s.move
    if those & s.clears:
        return [Drm(-2, "A4.62", "clears wire or mines")]
    if move is None or not attack.movers or attack.fire not in (FIRST, SUBSEQUENT, PROTECTIVE):
        return []
    if move.hazardous:
        return [Drm(-2, "A4.62", "Hazardous Movement")]
    found = []
    if not move.assault:
        found.append(Drm(-1, "A4.6a", "moves, and not by Assault Movement"))
    hazy = bool(smoke_in(s, attack.target)) if attack.residual else bool(screens(s, attack, those))
    if open_ground(s, attack, those) and not hazy and not sandstorm(s):
        found.append(Drm(-1, "A4.6b", "moves in Open Ground"))
    return found


def sandstorm(s: State) -> bool:
    """F11.73d, F11.794b whether dust in the air cancels FFMO, for Residual FP and Fire Lanes too."""
    return s.edition > 4 and negates_ffmo(density(s))


def open_ground(s: State, attack: Attack, those: int) -> bool:
    """A4.6b, F2.2c no TEM protects the mover; scrub is Open Ground."""
    mover = those or attack.movers
    bare = in_the_open(s, units_of(mover)[0]) if mover else s.stage.field.kind(attack.target).ffmo
    return bare and not terrain(s, attack, those)


def firing_from(s: State, attack: Attack) -> set[Hex]:
    """The Locations of those who fire."""
    return {s.at[u] for u in units_of(attack.firers | attack.weapons)}


def directed(s: State, attack: Attack) -> bool:
    """A7.531 whether leaders direct an attack: one in every Location that fires, who may."""
    able = attack.leaders & ~stale(s, attack)
    return bool(able) and not firing_from(s, attack) - {s.at[u] for u in units_of(able)}


def stale(s: State, attack: Attack) -> int:
    """A7.531 leaders who have directed in this phase, but for those who direct nothing in this attack than weapons that
    kept their ROF under them."""
    found = s.directed
    for u in set(s.guided.values()):
        there = [w for w in units_of(attack.firers | attack.weapons) if s.at[w] == s.at[u]]
        if there and all(s.guided.get(w) == u for w in there):
            found &= ~(1 << u)
    return found


def leadership(s: State, attack: Attack) -> list[Drm]:
    """A7.531 a leader in every firing Location; the worst modifier applies."""
    if not directed(s, attack):
        return []
    worst = max(bonus(s, u) for u in units_of(attack.leaders))
    return [Drm(worst, "A7.531", "leadership", worst > 0 and s.edition > 2)] if worst else []


def bonus(s: State, u: int) -> int:
    """A leader's modifier; a wounded one's is worse by 1 (A17.1)."""
    return s.kind(u).leadership + (s.wounded >> u & 1)


def outside(found: list[Drm]) -> int:
    """The part of the DRM that arises outside the target hex (A8.2)."""
    return sum(one.value for one in found if one.outside)


def both_sides(s: State, attack: Attack, fp: float) -> tuple[int, tuple[Force, ...], str]:
    """For the panel of an attack: the morale of its targets as far as it is seen, who is on either side, and where."""
    names, place = s.stage.roster.names, s.stage.grid.names[attack.target]
    firing = units_of(users_of(s, attack) | attack.leaders)
    posts = tuple(dict.fromkeys(s.stage.grid.names[s.at[u]] for u in firing))
    met = units_of(targets(s, attack) & ~(s.concealed | s.hip))
    best = max((steadiness(s, u) for u in met), default=-1)
    against = str(max(morale(s, u) for u in met)) if met else "?"
    foes = tuple(names[u] for u in met)
    forces = (
        Force(SIDES[attack.side], tuple(names[u] for u in firing), f"{fp:g}", "FP", "A7.1", posts),
        Force(SIDES[1 - attack.side], foes, against, term("morale"), "A10.1", (place,)),
    )
    return best, forces, place


def steadiness(s: State, u: int) -> int:
    """A10.7 the morale of a unit with what a leader there, who is seen too, adds to it."""
    leader = leader_here(s, u)
    seen = leader >= 0 and not (s.concealed | s.hip) >> leader & 1
    return morale(s, u) - (bonus_of(s, leader) if seen else 0)


# A7.9 Cowering


def cower(s: State, attack: Attack, first: int, second: int) -> int:
    """A7.9 columns lost by cowering: doubles without a leader, but for those who never cower."""
    led = directed(s, attack) if s.edition > 1 else bool(attack.leaders)
    if first != second or led or attack.residual or attack.vehicle >= 0:
        return 0
    chart = s.stage.pack.tables["cowering"]
    users = attack.firers | sum({1 << s.holder[w] for w in units_of(attack.weapons)})
    timid = [u for u in units_of(users) if not _steady(s, u, chart)]
    if not timid:
        return 0
    return 2 if any(inexperienced(s, u) for u in timid) else 1


def _steady(s: State, u: int, chart: Any) -> bool:
    kind = s.kind(u)
    if kind.kind in (LEADER, HERO):
        return True
    return nation_of(s, u) in chart["exempt_nations"] and kind.grade in chart["exempt_classes"]


# What an attack leaves behind


def lowered(s: State, attack: Attack, w: int) -> int:
    """A8.32, A19.3, A21.1 by how much the B# of a weapon is lowered."""
    chart = s.stage.pack.tables["malfunction"]["b_reduction"]
    found = 0
    if attack.fire in (SUBSEQUENT, PROTECTIVE):
        found += int(chart["subsequent_first_fire" if attack.fire == SUBSEQUENT else "final_protective_fire"])
    if inexperienced(s, s.holder[w]):
        found += int(chart["inexperienced"])
    if captured_use(s.kind(w), nation_of(s, s.holder[w]), s.stage.month):
        found += int(chart["captured"])
    return found


def keeps_rof(s: State, attack: Attack, w: int, first: int, cowers: int) -> bool:
    """A9.2, A9.21 whether a weapon that has not broken down may fire again, by the coloured die."""
    if cowers or attack.second >= 0 or attack.lane >= 0 or s.pinned >> s.holder[w] & 1:
        return False
    waiting = attack.fire == ADVANCING and s.waits >> s.holder[w] & 1  # A7.25
    return first <= s.kind(w).rof and (attack.fire in (PREP, FIRST, FINAL) or bool(waiting))


def lasting_fp(s: State, attack: Attack) -> float:
    """A8.2, A7.23 the FP whose column leaves Residual FP: halved if all whom it attacks are concealed."""
    met = cohorts(s, attack) if s.edition > 5 else []
    return worth(s, attack, bool(met) and all(one.concealed for one in met))


def lasting(s: State, attack: Attack, found: list[Drm]) -> tuple[Odds, ...]:
    """For the panel of an attack: the Residual FP that it leaves, which weapons fire again and which break down."""
    names, chances = s.stage.roster.types, []
    for w in units_of(attack.weapons):
        number = s.kind(w).breakdown - lowered(s, attack, w) - grit(s)
        again = [a + b < number and keeps_rof(s, attack, w, a, cower(s, attack, a, b)) for a, b in DICE]
        name = names[s.type[w]].name
        chances.append((Text("{unit} may fire again", unit=name), Fraction(sum(again), len(DICE))))
        chances.append((Text("{unit} malfunctions", unit=name), Fraction(sum(a + b >= number for a, b in DICE), 36)))
    left = 0
    if attack.fire in (FIRST, SUBSEQUENT, PROTECTIVE) and not attack.snap:
        left = ift().residual_of(ift().column(lasting_fp(s, attack)), max(0, outside(found)))
    terms = (Term(str(left), "A8.2", "Residual FP"),) if left else ()
    results = tuple(one for one in chances if one[1])
    return (Odds("What stays", terms, results),) if terms or results else ()
