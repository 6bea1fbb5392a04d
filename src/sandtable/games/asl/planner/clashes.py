"""Close Combat: whether to advance into it, and who attacks whom."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..combat.close import ratio, strength
from ..table.ids import MMC
from ..table.state import State, good_order, men
from .damage import DICE
from .outlook import Outlook
from .worth import VEILED, seen_value, value

VEILED_STRENGTH = Fraction(2)


def felled(s: State, attack: Fraction, defence: Fraction, drm: int = 0) -> float:
    """The share of the defenders that one attack in Close Combat takes."""
    kill = int(s.stage.pack.tables["close_combat"]["kill_number"][ratio(attack, defence)])
    found = 0.0
    for roll, chance in DICE:
        if roll + drm < kill:
            found += chance
        elif roll + drm == kill:
            found += 0.5 * chance
    return found


def power(s: State, units: int, me: int) -> Fraction:
    """The strength of some units in Close Combat, those under the enemy's "?" as squads or nothing."""
    total = Fraction(0)
    for u in units_of(units):
        veiled = s.concealed >> u & 1 and s.stage.roster.side[u] != me
        total += VEILED_STRENGTH if veiled else strength(s, u)
    return total


def promise(out: Outlook, h: Hex, own: int) -> float:
    """What a round of Close Combat in a hex promises if these units of ours fight there."""
    s = out.s
    theirs = men(s, h, 1 - out.me) & ~s.hip
    theirs |= s.here.get(h, 0) & s.stage.roster.dummies & s.stage.roster.of_side[1 - out.me]
    mine = own | (good_order(s, men(s, h, out.me)))
    attack, defence = power(s, mine, out.me), power(s, theirs, out.me)
    able = good_order(s, theirs)
    helpless = theirs & ~able
    worth = sum(VEILED if s.concealed >> u & 1 else seen_value(s, u) for u in units_of(theirs))
    kill = felled(s, attack, max(defence, Fraction(1, 2)), -2 if helpless == theirs else 0)
    lost = felled(s, power(s, able, out.me), max(attack, Fraction(1, 2))) if able else 0.0
    own_worth = sum(value(s, u) for u in units_of(mine))
    prize = out.params.goal * max(out.aims.take.get(h, 0.0), out.aims.hold.get(h, 0.0))
    late = 1.6 if s.turn >= s.stage.turns - 1 else 1.0
    return kill * (worth + prize * late) - lost * own_worth


def comrades(s: State, h: Hex, side: int, units: list[int]) -> int:
    """Those of some units who stand beside a hex: as many as find room there."""
    found, room = 0, 6 - sum(s.kind(u).equivalents for u in units_of(men(s, h, side)))
    for u in sorted(units, key=lambda one: (-strength(s, one), one)):
        size = s.kind(u).equivalents
        if s.stage.grid.distance(s.at[u], h) == 1 and size <= room and (size or found):
            found |= 1 << u
            room -= size
    return found


def mmc(s: State, units: int) -> int:
    return sum(1 << u for u in units_of(units) if s.kind(u).kind in MMC)
