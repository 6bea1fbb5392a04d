"""5.1-5.3 Who is in supply: lines to supply roads, past the enemy as he stands now."""

from __future__ import annotations

from sandtable.engine.hexes import Mask
from sandtable.mechanics.masks import enemy

from ..table.ids import ALLIED
from ..table.position import enemy_works
from ..table.script import script
from ..table.state import State
from ..table.zones import zone
from .network import Network, networks


def network(s: State) -> Network:
    """The network of the map in this weather."""
    kept = s.board.kept
    if "networks" not in kept:
        kept["networks"] = networks(s.board)
    found: Network = kept["networks"][s.ground.column]
    return found


def sources(s: State, side: int) -> Mask:
    """5.31, 5.32 the sources of a side; an Allied one by which Axis units have exited is lost (5.35)."""
    lost = s.exited_by[enemy(side)] if side == ALLIED or s.edition < 4 else 0
    return script(s).sources[side] & ~lost


def closed(s: State, side: int, friends: Mask) -> Mask:
    """5.24, 5.25, 5.33 where neither road nor line passes: enemies, their works, their ZOCs without a friend."""
    other = enemy(side)
    return s.occ[other] | enemy_works(s, side) | zone(s, other) & ~friends


def supplied(s: State, side: int, friends: Mask = -1) -> Mask:
    """5.2 the hexes from which a unit of this side can trace a supply line.

    `friends` are the hexes whose combat units keep EZOCs open, if not all that now stand.
    """
    other = enemy(side)
    ezoc, now = zone(s, other), friends < 0
    held = (s.fighting[side] if now else friends) & ezoc
    works, gone = (s.mines[other], s.strongpoints[other]), s.exited_by[other]
    hangs_on = (s.weather, s.occ[other], ezoc, works, gone, held)
    known, found = s.lines[side]
    if known != hangs_on:
        open_ = script(s).area & ~closed(s, side, held)
        found = network(s).supplied(sources(s, side), open_)
        if now:
            s.lines[side] = (hangs_on, found)
    return found


def supply_roads(s: State, side: int) -> Mask:
    """5.22 the road hexes that are supply roads of a side now."""
    return network(s).supply_roads(sources(s, side), script(s).area & ~closed(s, side, s.fighting[side]))


def supply_of_the_map(s: State) -> tuple[Mask, Mask]:
    """The supply of both sides worked out anew: what `sandtable bench` measures."""
    net = network(s)
    one, two = (script(s).area & ~closed(s, side, s.fighting[side]) for side in (0, 1))
    return (
        net.reach(net.supply_roads(sources(s, 0), one), one),
        net.reach(net.supply_roads(sources(s, 1), two), two),
    )
