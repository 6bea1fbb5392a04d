"""A7.2 What fire is worth: the FP of each unit and weapon, and every DRM of an attack, each with its rule.

All of it is reckoned as terms whose sum (or product) is the figure: the dice, the panel before them and the tests read
the same.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Said, Text
from sandtable.mechanics.masks import units_of

from ..boards.locations import Spot
from ..los.answer import Los
from ..los.cover import covers
from ..table.ids import ADVANCING, FINAL, FIRST, HERO, LEADER, PROTECTIVE, SUBSEQUENT, UNDER_SANGAR
from ..table.state import Attack, State, equivalents, men

LIMIT = 6  # A5.1 three squad equivalents, in halves


class Drm(NamedTuple):
    """A modifier of the dice."""

    value: int
    rule: str
    text: Said
    outside: bool = False  # it arises outside the target's hex, so it lowers Residual FP (A8.2)


class Share(NamedTuple):
    """What one unit or weapon adds to an attack."""

    unit: int
    fp: float
    notes: tuple[tuple[str, str], ...]


# Where and how far


def dug_in(s: State, u: int) -> bool:
    """Whether a unit is beneath a sangar: entrenched as far as sight goes (F8.1)."""
    return s.under[u] == UNDER_SANGAR


def spot(s: State, u: int) -> Spot:
    return Spot(s.at[u], dug_in=dug_in(s, u))


def target_spots(s: State, targets: int) -> list[Spot]:
    """The places in a hex where its units can be seen."""
    return sorted({spot(s, u) for u in units_of(targets)})


def line(s: State, u: int, h: Hex, targets: int) -> Los:
    """A6.1 the line of sight from a firer to a target hex: the best of those to the units in it."""
    mine = spot(s, u)
    lines = [s.stage.sights.look(mine, one) for one in target_spots(s, targets) or [Spot(h)]]
    clear = [one for one in lines if one.clear]
    return min(clear, key=lambda one: one.hindrance) if clear else lines[0]


def sees(s: State, u: int, h: Hex, targets: int) -> bool:
    mine = spot(s, u)
    return any(s.stage.sights.sees(mine, one) for one in target_spots(s, targets) or [Spot(h)])


def reach(s: State, w: int) -> int:
    """Normal Range of a unit or a weapon."""
    return s.kind(w).range


# FP


def share(s: State, attack: Attack, u: int, weapon: bool) -> Share:
    """A7.2 what one unit (or one weapon of it) adds, every factor that applies multiplied."""
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
    if attack.fire == ADVANCING:
        times(0.5, "A3.5", "Advancing Fire, halved")
    elif attack.fire == SUBSEQUENT:
        times(0.5, "A8.3", "Subsequent First Fire, halved")
    elif attack.fire == PROTECTIVE:
        times(0.5, "A8.31", "Final Protective Fire, halved")
    elif attack.fire == FINAL and s.fired >> u & 1:
        times(0.5, "A8.4", "fired before, halved")
    if attack.fire == ADVANCING and not weapon and kind.assault_fire and span <= kind.range:
        fp = float(-(-int(2 * fp) // 2)) + 1 if fp != int(fp) else fp + 1
        notes.append(("A7.36", "Assault Fire, one more"))
    return Share(u, fp, tuple(notes))


def shares(s: State, attack: Attack) -> list[Share]:
    """Everything that fires."""
    own = [share(s, attack, u, False) for u in units_of(attack.firers)]
    return own + [share(s, attack, w, True) for w in units_of(attack.weapons)]


def hidden_part(s: State, attack: Attack) -> int:
    """A7.4 the targets against whom the FP is halved because they are concealed."""
    return s.concealed & targets(s, attack)


def targets(s: State, attack: Attack) -> int:
    """A7.4 whom one DR attacks: all enemies in the Location; in First Fire the movers alone (A8.1)."""
    found = men(s, attack.target, 1 - attack.side) | dummies_in(s, attack.target, 1 - attack.side)
    return found & attack.movers if attack.movers else found


def dummies_in(s: State, h: Hex, side: int) -> int:
    roster = s.stage.roster
    return s.here.get(h, 0) & roster.dummies & roster.of_side[side]


def total(s: State, attack: Attack) -> float:
    return sum(one.fp for one in shares(s, attack))


# DRM


def drms(s: State, attack: Attack) -> list[Drm]:
    """A7.5 every DRM of a Fire Group; of what differs between its members the largest applies to all."""
    found = [*terrain(s, attack), *movement(s, attack), *hindrances(s, attack), *leadership(s, attack)]
    users = _users(s, attack)
    if s.cx & users:
        found.append(Drm(1, "A4.51", "a firer is CX"))
    over = max((equivalents(s, men(s, h, attack.side)) - LIMIT for h in {s.at[u] for u in units_of(users)}), default=0)
    if over > 0:
        found.append(Drm((over + 1) // 2, "A5.12", "the firers are overstacked"))
    crowd = equivalents(s, men(s, attack.target, 1 - attack.side)) - LIMIT
    if crowd > 0:
        found.append(Drm(-((crowd + 1) // 2), "A5.12", "the targets are overstacked"))
    return found


def _users(s: State, attack: Attack) -> int:
    """The units that fire, with their own FP or a weapon."""
    return attack.firers | sum({1 << s.holder[w] for w in units_of(attack.weapons)})


def terrain(s: State, attack: Attack) -> list[Drm]:
    """The best TEM of the target Location against the worst of the lines of fire. Beneath a sangar +1 (F8.4a)."""
    those = targets(s, attack)
    if those and not those & ~_under(s, those):
        return [Drm(1, "F8.4a", "beneath a sangar")]
    best: Drm | None = None
    kind = s.stage.field.kind(attack.target)
    if kind.tem_direct:
        best = Drm(kind.tem_direct, kind.rule or "B.1", Text("{terrain}", terrain=kind.id.replace("_", " ")))
    for u in units_of(_users(s, attack)):
        for one in covers(s.stage.sights.lines, spot(s, u), Spot(attack.target)):
            if one.tem > (best.value if best else 0):
                best = Drm(one.tem, one.rule, Text("{terrain}", terrain=one.kind.replace("_", " ")))
    return [best] if best else []


def _under(s: State, those: int) -> int:
    return sum(1 << u for u in units_of(those) if s.under[u] == UNDER_SANGAR)


def hindrances(s: State, attack: Attack) -> list[Drm]:
    """A6.7 the Hindrances of the most hindered line."""
    those = targets(s, attack)
    lines = [line(s, u, attack.target, those) for u in units_of(_users(s, attack))]
    worst = max(lines, key=lambda one: one.hindrance, default=None)
    if worst is None:
        return []
    name = s.stage.field.name
    return [
        Drm(one.drm, one.rule, Text("{what} in {where}", what=one.kind.replace("_", " "), where=name(one.hex)), True)
        for one in worst.hindrances
    ]


def movement(s: State, attack: Attack) -> list[Drm]:
    """A4.6 what a moving target gives: FFNAM, and FFMO in Open Ground with nothing in between."""
    move = s.move
    if move is None or not attack.movers or attack.fire not in (FIRST, SUBSEQUENT, PROTECTIVE):
        return []
    found = []
    if not move.assault:
        found.append(Drm(-1, "A4.6a", "moves, and not by Assault Movement"))
    if open_ground(s, attack) and not hindrances(s, attack):
        found.append(Drm(-1, "A4.6b", "moves in Open Ground"))
    return found


def open_ground(s: State, attack: Attack) -> bool:
    """A4.6b, F2.2c no TEM protects the mover; scrub is Open Ground."""
    return s.stage.field.kind(attack.target).ffmo and not terrain(s, attack)


def leadership(s: State, attack: Attack) -> list[Drm]:
    """A7.531 a leader in every firing Location; the worst modifier applies."""
    if not attack.leaders:
        return []
    worst = max(bonus(s, u) for u in units_of(attack.leaders))
    return [Drm(worst, "A7.531", "leadership")] if worst else []


def bonus(s: State, u: int) -> int:
    """A leader's modifier; a wounded one's is worse by 1 (A17.1)."""
    return s.kind(u).leadership + (s.wounded >> u & 1)


def outside(found: list[Drm]) -> int:
    """The part of the DRM that arises outside the target hex (A8.2)."""
    return sum(one.value for one in found if one.outside)
