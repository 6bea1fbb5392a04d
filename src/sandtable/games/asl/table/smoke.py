"""A24 SMOKE on the map: how long it stays, how it drifts, what wind does to it."""

from __future__ import annotations

from sandtable.engine.hexes import Hex

from .ids import DISPERSED, FULL, GRENADE, WP, WP_DISPERSED
from .state import State
from .weather import MILD

THINNER = {FULL: DISPERSED, WP: WP_DISPERSED}
"""A24.4 what becomes of it; the rest is gone."""


def age(s: State, side: int) -> None:
    """A24.4 at the start of its owner's PFPh full SMOKE becomes dispersed, and dispersed SMOKE goes."""
    _thin(s, (side,))


def blow(s: State) -> None:
    """A24.4 Gusts or Heavy Wind do the same to all of it at once, and take grenade SMOKE away."""
    _thin(s, (0, 1))
    both = 3 << 2 * GRENADE
    s.smoke = {h: bits & ~both for h, bits in s.smoke.items() if bits & ~both}


def _thin(s: State, sides: tuple[int, ...]) -> None:
    left: dict[Hex, int] = {}
    for h, bits in s.smoke.items():
        for side in sides:
            old = [kind for kind in (FULL, DISPERSED, WP, WP_DISPERSED) if bits >> 2 * kind + side & 1]
            for kind in old:
                bits &= ~(1 << 2 * kind + side)
            for kind in old:
                if kind in THINNER:
                    bits |= 1 << 2 * THINNER[kind] + side
        if bits:
            left[h] = bits
    s.smoke = left


def clouded(s: State, h: Hex) -> int:
    """A24.7 whether SMOKE, the smoke of a fire or Vehicle Dust is in a hex: a point more to enter it."""
    return int(bool(h in s.trail.values() or s.here.get(h, 0) & s.burning or clouds(s).get(h, 0)))


def clouds(s: State) -> dict[Hex, int]:
    """A24.61 all SMOKE, with the dispersed SMOKE that drifts from each full one in a Mild Breeze."""
    if not s.smoke or s.wind != MILD or not s.toward:
        return s.smoke
    found = dict(s.smoke)
    for h, bits in s.smoke.items():
        n = s.stage.grid.neighbour(h, s.toward - 1)
        for kind, thin in THINNER.items():
            drifting = bits >> 2 * kind & 3
            if drifting and n >= 0:
                found[n] = found.get(n, 0) | drifting << 2 * thin
    return found
