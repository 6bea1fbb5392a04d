"""What can be laid over the map on demand: supply (5), zones of control (3.2), command range (12.14), artillery (9),
how well it is coordinated (8.4)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.scene import Overlay
from sandtable.engine.texts.text import term
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.showing import Overlays

from ..combat.coordination import fire_net, weather_terms
from ..paths.moves import move_leg
from ..supply.lines import supplied, supply_roads
from ..table.ids import ALLIED, ARTILLERY_CHECK, AXIS, SIDES
from ..table.ratings import rating
from ..table.state import State
from ..table.zones import zone

if TYPE_CHECKING:
    from ..game import Kasserine

TITLES = ("Axis", "Allied")
TEN = 10


def overlays(game: Kasserine, view: View) -> list[Overlay]:
    """Everything for both sides: nothing in this game is secret."""
    s = game.imagine(view, Random(0))
    own = SIDES.index(view["side"]) if view["side"] else AXIS
    out: list[Overlay] = []
    for side in (own, 1 - own):
        out += [supply(s, side), roads(s, side), zone_of_control(s, side), command(s, side), guns(s, side)]
        out.append(coordination(s, side))
    out.append(fire_nets(s))  # listed before there is one, so that it is at hand when an HQ is converted
    out.append(threat(s, 1 - own))
    out.append(_on(s).area(AXIS, "control", term("{side} control"), "3.12a", s.control))
    return out


def _on(s: State) -> Overlays:
    return Overlays(s.board.grid, SIDES, TITLES)


def supply(s: State, side: int) -> Overlay:
    """5.2 where a unit can trace a supply line now; cut off are the hexes of units that cannot."""
    reach = supplied(s, side)
    return {
        **_on(s).area(side, "supply", term("{side} supply"), "5.2a", reach),
        "cut": _on(s).names(s.occ[side] & ~reach),
    }


def roads(s: State, side: int) -> Overlay:
    """5.22 the supply roads."""
    return _on(s).area(side, "roads", term("{side} supply roads"), "5.22a", supply_roads(s, side))


def zone_of_control(s: State, side: int) -> Overlay:
    """3.23 the ZOC of a side."""
    return _on(s).area(side, "zoc", term("{side} zones of control"), "3.23a", zone(s, side))


def _around(s: State, units: int, reach: int) -> Mask:
    found = 0
    for u in units_of(units):
        found |= s.board.grid.within(s.at[u], reach)
    return found


def command(s: State, side: int) -> Overlay:
    """12.14 the hexes within command range of an HQ that has Command Points to spend."""
    able = s.on_map[side] & s.board.hqs & ~s.spent & ~s.disrupted & ~s.fire_net
    reach = _around(s, able, s.board.charts.constants["command_range"])
    return _on(s).area(side, "command", term("{side} command range"), "12.14a", reach)


def guns(s: State, side: int) -> Overlay:
    """9.13a the hexes that artillery can support, with its strength there."""
    points: dict[Hex, int] = {}
    for u in units_of(_firing(s, side)):
        for h in hexes_of(s.board.grid.within(s.at[u], s.board.range[u])):
            points[h] = points.get(h, 0) + s.board.support[u]
    names = s.board.grid.names
    return {
        **_on(s).area(side, "guns", term("{side} artillery"), "9.13a", sum(1 << h for h in points)),
        "numbers": {names[h]: str(n) for h, n in sorted(points.items())},
    }


def coordination(s: State, side: int) -> Overlay:
    """8.41a by hex the best chance, in ten, that guns of a side support a combat there in full: by the ER of the lead,
    with the weather and a Fire Net (12.31b), before Command Points."""
    board, names = s.board, s.board.grid.names
    weather = sum(item.value for item in weather_terms(s, side, ARTILLERY_CHECK))
    net = board.charts.row["fire_net"].drm[ARTILLERY_CHECK]
    best: dict[Hex, int] = {}
    for u in units_of(_firing(s, side)):
        er = rating(s, u)
        for h in hexes_of(board.grid.within(s.at[u], board.range[u])):
            faces = er - weather - (net if fire_net(s, u, h) >= 0 else 0)
            best[h] = max(best.get(h, 0), min(max(faces, 0), TEN))
    return {
        **_on(s).area(side, "coordination", term("{side} coordination of guns"), "8.41a", sum(1 << h for h in best)),
        "numbers": {names[h]: f"{n * TEN}%" for h, n in sorted(best.items())},
    }


def _firing(s: State, side: int) -> int:
    """9.13 the artillery of a side that can support a combat now."""
    return s.on_map[side] & s.board.artillery & ~s.fired & ~s.oos & ~s.disrupted


def fire_nets(s: State) -> Overlay:
    """12.31b the hexes for which a Fire Net helps."""
    reach = _around(s, s.fire_net & ~s.disrupted, s.board.charts.constants["command_range"])
    return _on(s).area(ALLIED, "fire_net", term("{side} Fire Net"), "12.31b", reach)


def threat(s: State, side: int) -> Overlay:
    """7.11a the hexes that a side could attack after its next movement, with the attack strength it could bring."""
    board = s.board
    points: dict[Hex, int] = {}
    for u in units_of(s.on_map[side] & board.combat):
        attack = board.attack[u][s.step[u]]
        if not attack:
            continue
        leg = move_leg(s, u, board.allowance(u, s.step[u]))
        for h in hexes_of(board.grid.around(leg.everywhere() | 1 << s.at[u]) & ~s.occ[side]):
            points[h] = points.get(h, 0) + attack
    return _on(s).threat(side, "7.11a", points)
