"""Guns that nobody has seen yet: where they could stand, and what they would do to a vehicle that they see.

The order of battle lies open (A2.1): who attacks knows how many Guns the enemy has, and where they may be set up.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Mask
from sandtable.mechanics.masks import hexes_in, units_of

from ..ordnance.aim import tube_of
from ..ordnance.weapons import Tube
from ..table.forces import Force, force_of
from ..table.scenarios import hides
from ..table.state import State


class Lurker(NamedTuple):
    """Guns of one kind that are still to be found, and the hexes in which they could be."""

    gun: int
    """One of them: the others are like it."""
    tube: Tube
    many: int
    where: Mask
    among: int
    """How many hexes that are."""


def lair(s: State, force: Force) -> Mask:
    """A12.3 the Concealment Terrain in which the Guns of a force may be hidden. The ground does not change."""
    told, key = s.stage.told, ("lair", force.side, force.id)
    if key not in told:
        told[key] = sum(1 << h for h in hexes_in(force.area) if hides(s, h)) if force.hides else 0
    found: Mask = told[key]
    return found


def lurkers(s: State, me: int) -> list[Lurker]:
    """The enemy's Guns that are hidden or under a "?" somewhere. Where that is the table may say, but it is not asked:
    each may be under any "?" where its force set up, or in any Concealment Terrain there."""
    roster = s.stage.roster
    unseen = roster.guns & roster.of_side[1 - me] & s.concealed & ~s.mounted
    if not unseen:
        return []
    veiled = held = 0
    theirs, ours = roster.of_side[1 - me] & s.concealed & ~s.hip, roster.of_side[me] & (roster.men | roster.vehicles)
    for h, pieces in s.here.items():
        veiled |= 1 << h if pieces & theirs else 0
        held |= 1 << h if pieces & ours else 0
    kinds: dict[tuple[str, int], list[int]] = {}
    for g in units_of(unseen):
        force = force_of(s.stage.scenario, g)
        if force is not None and force.when == "setup" and s.at[g] >= 0:
            kinds.setdefault((force.id, s.type[g]), []).append(g)
    found = []
    for guns in kinds.values():
        force, tube = force_of(s.stage.scenario, guns[0]), tube_of(s, guns[0])
        assert force is not None
        where = (force.area & veiled | lair(s, force)) & ~held
        if where and tube is not None and tube.tk_key:
            found.append(Lurker(guns[0], tube, len(guns), where, where.bit_count()))
    return found
