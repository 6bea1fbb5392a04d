"""14 Minefields: what they do in combat (14.2, 9.52) and when they are disclosed. Laying them is 16.55."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, hexes_of

from .ids import ARTILLERY
from .state import State, emit

FULL_HIT, HALF_HIT = 2, 1
"""What one hit is worth, counted in halves (A51)."""


def is_defending(s: State, h: Hex, side: int, probe: int) -> bool:
    """Whether a side is the Defender of the hex in a fight that the enemy starts.

    Only then do a minefield (14.2d, 14.2g) and a fortress (13.2a, 13.2b) help it. The Active player
    starts every fight but a probe (A23).
    """
    return bool(s.defends[side] >> h & 1) and (side == s.active) == bool(probe)


def has_double_defence(s: State, h: Hex, side: int, probe: int) -> bool:
    """14.2d, 9.52a the Defender in a minefield has double defence, whoever laid it (14.0b, A39)."""
    return bool(s.mines_open >> h & 1) and is_defending(s, h, side, probe)


def worth_of_hit(s: State, h: Hex, target: int, firing_class: int, probe: int) -> int:
    """9.52 what a hit on side `target` is worth in halves; artillery ignores minefields (9.52b, 14.2e)."""
    if firing_class != ARTILLERY and has_double_defence(s, h, target, probe):
        return HALF_HIT
    return FULL_HIT


def disclose(s: State) -> None:
    """14.2b, 14.2c secret minefields are disclosed at the end of the movement phase in which enemies entered.

    This is after the decision to avoid battle, and holds even if the occupant left (A38). A unit that
    came into a secret minefield outside a movement phase (a rout, the Buildup) sets it off at the end
    of the next one, since it is there. Where both sides have laid one in the same hex unknown to each
    other, passing through it discloses the Passive player's, as it is the Active player who moves.
    """
    if not (s.mines[0] or s.mines[1]):
        return
    active, passive, touched = s.active, 1 - s.active, s.mines_touched
    due = {
        passive: s.mines[passive] & (touched | s.occ[active]),
        active: s.mines[active] & (touched & ~s.mines[passive] | s.occ[passive]),
    }
    for owner, found in due.items():
        if not found:
            continue
        for h in hexes_of(found):
            rule = "14.2c" if s.occ[owner] >> h & 1 else "14.2b"
            emit(s, "disclosed", rule, {"hex": h, "side": owner}, final=True)
        s.mines[owner] &= ~found
        s.mines_open |= found
    s.mines_touched = 0
