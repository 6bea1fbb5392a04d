"""What can be laid over the map on demand: zones of control (6.1), supply (14.3), control (2.37), threats (8.1)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.hexes import Hex, hexes_of
from sandtable.engine.scene import Overlay
from sandtable.engine.texts.text import term
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.showing import Overlays

from ..paths.legs import reachable, strolls
from ..supply.supply_lines import connected_rail, full, limited, line
from ..table.ids import AXIS, SIDES, SOVIET
from ..table.state import State, controlled, on_map, zone

if TYPE_CHECKING:
    from ..game import Caucasus

TITLES = (term("Axis"), term("Soviet"))


def overlays(game: Caucasus, view: View) -> list[Overlay]:
    """Everything for both sides: nothing in this game is secret."""
    s = game.imagine(view, Random(0))
    own = SIDES.index(view["side"]) if view["side"] else AXIS
    out: list[Overlay] = []
    for side in (own, 1 - own):
        out += [full_supply(s, side), limited_supply(s, side), zone_of_control(s, side)]
    out += [rails(s, side) for side in (own, 1 - own)]
    out.append(threat(s, 1 - own))
    out.append(held(s, AXIS))
    out.append(held(s, SOVIET))
    return out


def _on(s: State) -> Overlays:
    return Overlays(s.board.grid, SIDES, TITLES)


def full_supply(s: State, side: int) -> Overlay:
    """14.1c where a unit would be in full supply now, with the lines of those that are; cut off are the hexes of units
    that would be in none."""
    reach, supplied = limited(s, side), full(s, side)
    names = s.board.grid.names
    lines = [line(s, side, h) for h in hexes_of(s.occ[side] & supplied)]
    cut = 0
    for u in units_of(on_map(s, side)):
        cut |= 1 << s.at[u]
    return {
        **_on(s).area(side, "supply", term("{side} full supply"), "14.1c", supplied),
        "paths": [[names[h] for h in path] for path in lines if len(path) > 1],
        "cut": _on(s).names(cut & ~reach),
    }


def limited_supply(s: State, side: int) -> Overlay:
    """14.1d where a unit would be in limited supply, and no better."""
    return _on(s).area(side, "limited", term("{side} limited supply"), "14.1d", limited(s, side) & ~full(s, side))


def zone_of_control(s: State, side: int) -> Overlay:
    """6.1a the ZOC of a side."""
    return _on(s).area(side, "zoc", term("{side} zones of control"), "6.1a", zone(s, side))


def threat(s: State, side: int) -> Overlay:
    """8.1a the hexes that a side could attack after its next First Movement Phase, with the attack points that its
    units could bring up, before anything is halved. Extended and strategic movement do not end beside an enemy (7.21a,
    7.5b)."""
    board, ground = s.board, s.ground
    closed = board.special_entries[1 - side] | s.occ[side]
    points: dict[Hex, int] = {}
    for u in units_of(on_map(s, side) & ~s.disrupted):
        attack = board.att[u][s.step[u]]
        if not attack or u in (board.flotilla, board.train):
            continue
        ends = reachable(s, u, 0).hexes if s.oos >> u & 1 else strolls(s, u, board.ma[u][s.step[u]])
        attacked = 0
        for h in hexes_of(ends | 1 << s.at[u]):
            for d, n in board.grid.neighbours[h]:
                if ground.open[d] >> h & 1:  # A11
                    attacked |= 1 << n
        for h in hexes_of(attacked & ~closed):
            points[h] = points.get(h, 0) + attack
    return _on(s).threat(side, "8.1a", points)


def rails(s: State, side: int) -> Overlay:
    """14.3g the connected rail hexes of a side."""
    return _on(s).area(side, "rail", term("{side} connected railways"), "14.3g", connected_rail(s, side))


def held(s: State, side: int) -> Overlay:
    """2.37a the towns, cities and entry hexes that a side controls, with the victory points they hold (19.1)."""
    places = controlled(s, side)
    worth = {s.board.grid.names[h]: str(value) for h, value in s.board.vp.items() if places >> h & 1}
    return {
        **_on(s).area(side, "control", term("{side} control"), "2.37a", places),
        "numbers": worth,
    }
