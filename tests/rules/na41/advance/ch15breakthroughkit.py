"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.table.state import State

from ..advancekit import (
    EAST,
    FAR_EAST,
    FIELD,
    FOE,
    GUNNERS,
    TANK,
    WEST,
    Stacks,
    group,
    to,
    won,
)

ITALIAN_TANK, BERSAGLIERI = "IT_VII", "IT_8B"


def fighting(result: str = "DR4", foes: Stacks | None = None, attackers: Stacks | None = None) -> State:
    """The tanks and gunners west of the field may break through, with an enemy two hexes east of it."""
    return won(
        attackers or {WEST: [TANK, GUNNERS]}, result, foes if foes is not None else {FAR_EAST: FOE}, grouping=True
    )


def beside_foe(result: str = "DR4", foes: Stacks | None = None) -> State:
    """The group has gone through the field and stands beside the enemy; two hexes are spent."""
    s = fighting(result, foes)
    group(s, TANK, GUNNERS)
    to(s, FIELD, EAST)
    return s
