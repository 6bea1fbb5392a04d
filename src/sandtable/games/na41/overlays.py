"""What can be laid over the map on demand: supply of both sides (16.2), zones of control (7.1), control (16.3.5)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.hexes import Mask, hexes_of
from sandtable.engine.scene import Overlay

from .ids import ALLIED, AXIS, SIDES
from .lines import fed_by_port, full, source_limits
from .position import controlled, zone
from .state import State
from .support import air_range
from .zones import overlapping

if TYPE_CHECKING:
    from .game import NorthAfrica

TITLES = ("Axis", "Allied")


def overlays(game: NorthAfrica, view: View) -> list[Overlay]:
    """Everything for both sides: nothing in this game is secret."""
    s = game.imagine(view, Random(0))
    own = SIDES.index(view["side"]) if view["side"] else AXIS
    out: list[Overlay] = []
    for side in (own, 1 - own):
        out += [full_supply(s, side), port_supply(s, side), zone_of_control(s, side)]
    for side in (own, 1 - own):
        out += [overlapping_zones(s, side), range_of_aircraft(s, side)]
    out += [held(s, AXIS), held(s, ALLIED)]
    return out


def _names(s: State, m: Mask) -> list[str]:
    return [s.board.grid.names[h] for h in hexes_of(m & s.board.grid.all)]


def full_supply(s: State, side: int) -> Overlay:
    """16.2a where a unit would be in full supply now; cut off are the hexes of units that could be in none."""
    supplied = full(s, side)
    return {
        "id": f"supply_{SIDES[side]}",
        "title": f"{TITLES[side]} full supply",
        "rule": "16.2a",
        "hexes": _names(s, supplied),
        "cut": _names(s, s.occ[side] & ~supplied & ~fed_by_port(s, side)),
    }


def port_supply(s: State, side: int) -> Overlay:
    """16.2b where a unit could have port supply, and no better; the ports with how many units they supply (16.2c)."""
    return {
        "id": f"port_supply_{SIDES[side]}",
        "title": f"{TITLES[side]} port supply",
        "rule": "16.2b",
        "hexes": _names(s, fed_by_port(s, side) & ~full(s, side)),
        "numbers": {s.board.grid.names[h]: str(n) for h, n in source_limits(s, side).items()},
    }


def zone_of_control(s: State, side: int) -> Overlay:
    """7.1a the ZOC of a side, limited ZOCs included."""
    return {
        "id": f"zoc_{SIDES[side]}",
        "title": f"{TITLES[side]} zones of control",
        "rule": "7.1a",
        "hexes": _names(s, zone(s, side)),
    }


def overlapping_zones(s: State, side: int) -> Overlay:
    """7.4a the overlapping ZOCs of a side, through which the enemy neither retreats nor draws supply."""
    return {
        "id": f"overlapping_{SIDES[side]}",
        "title": f"{TITLES[side]} overlapping zones of control",
        "rule": "7.4a",
        "hexes": _names(s, overlapping(s, side)),
    }


def range_of_aircraft(s: State, side: int) -> Overlay:
    """18.7.3 the hexes in which a side can use its air support and strafing."""
    return {
        "id": f"air_{SIDES[side]}",
        "title": f"{TITLES[side]} air range",
        "rule": "18.7.3",
        "hexes": _names(s, air_range(s, side) & s.board.land),
    }


def held(s: State, side: int) -> Overlay:
    """16.3.5a the cities, ports, airfields and objectives that a side controls."""
    return {
        "id": f"control_{SIDES[side]}",
        "title": f"{TITLES[side]} control",
        "rule": "16.3.5a",
        "hexes": _names(s, controlled(s, side)),
    }
