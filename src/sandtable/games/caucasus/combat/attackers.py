"""8.1 Who may attack."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import hexes_in

from ..table.state import State, zone


def powerless(s: State) -> int:
    """15.1a, 2.2a the units that have nothing to attack with: HQs, and those whose attack strength is 0."""
    step, found = s.step, s.board.unarmed
    for u, shows in s.board.disarmed:
        if step[u] == shows:
            found |= 1 << u
    return found


MAY_ATTACK: Bars[State, object] = Bars(
    Bar("15.1a", "{unit} is an HQ and cannot attack", lambda s, _: s.board.hq),
    Bar("2.2a", "{unit} has no attack strength", lambda s, _: powerless(s)),
    Bar("8.1b", "{unit} has attacked in this phase", lambda s, _: s.attacked),
    Bar("8.5c", "{unit} took part in an automatic elimination", lambda s, _: s.marked),
    Bar("17.2i", "{unit} got a replacement and cannot attack in this phase", lambda s, _: s.rebuilt),
    Need(  # A14 the Azov Flotilla and the armoured train need none (15.3b, 15.6c)
        "7.3f",
        "{unit} has no assault marker",
        lambda s, _: s.assault | s.board.special_movers if s.second else ALL,
    ),
)
"""8.1b, 8.1e which of the active side's units may take part in an attack now."""


def may_attack(s: State) -> int:
    """8.1b, 8.1e the units of the active side that are free to take part in an attack now."""
    return MAY_ATTACK.free(s.board.of_side[s.active], s, None)


def units_beside(s: State, target: Hex) -> int:
    """8.1a, 8.2a the active side's units beside a hex, across hexsides that can be crossed (A11)."""
    here = s.here
    units = 0
    for h in hexes_in(s.ground.around[target] & s.occ[s.active]):
        units |= here[h]
    return units


def hexes_beside(s: State) -> Mask:
    """The hexes that the active side's units touch: its ZOC, and the surroundings of those that have none (6.2)."""
    found = zone(s, s.active)
    for h in hexes_in(s.occ[s.active] & ~s.zocs[s.active]):
        found |= s.ground.around[h]
    return found
