"""What the tests of one chapter share: the positions that they set up and what they ask."""

from __future__ import annotations

from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.table.ids import (
    COMBAT,
)
from sandtable.games.na41.table.state import State

from .. import advancekit

TANK, RIFLES = "BR_3H", "BR_THR"


def no_attack(s: State, h: int) -> str:
    """The rule against attacking a hex now."""
    reason = rules.AGAINST[COMBAT].why(h, s, rules.declaring(s, COMBAT), {"hex": h})
    return "" if reason is None else reason.rule


# 9.5.6c, 19.5d, 15.2.8b Breakthroughs


def beside_foe() -> State:
    """A breakthrough group that has come beside an enemy."""
    s = advancekit.won(
        {advancekit.WEST: [advancekit.TANK, advancekit.GUNNERS]},
        foes={advancekit.FAR_EAST: advancekit.FOE},
        grouping=True,
    )
    advancekit.group(s, advancekit.TANK, advancekit.GUNNERS)
    advancekit.to(s, advancekit.FIELD, advancekit.EAST)
    return s
