"""12.1.3, 12.2 Why a unit does not retreat into a hex, or does not end its retreat."""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.engine.words import count

from ..paths import legs
from ..table.state import State
from .displacement import DISPLACED
from .search import DISENGAGING, LENGTHS, WALK, Search, riders


def why_not_there(s: State, u: int, errand: int, zones: int, path: tuple[Hex, ...], h: Hex) -> Reason:
    """The first guideline of 12.1.3 that speaks against this hex as the next one."""
    board, grid, here = s.board, s.board.grid, path[-1]
    name, place = board.unit_names[u], board.hex_name(h)
    search = Search(s, u, errand, path, zones, s.retreating)
    ground, b = search.ground, 1 << h
    routed = bool(riders(s, u) & s.routed)
    if board.box_mask & b:
        return Reason("12.2.1f", f"{board.hex_name(here)} does not lead into {place} for {name}")
    if not grid.adjacent(here, h):
        return Reason("12.1.1a", f"a retreat goes hex by hex, and {place} is not beside {board.hex_name(here)}")
    if h in path:
        return Reason("12.1.3b", f"{name} has been in {place}: each hex is entered only once")
    if search.on_foot and len(path) - 1 >= WALK:
        return Reason("12.1.1c", f"{name} is on foot and retreats {WALK} hexes at most")
    if len(path) - 1 >= search.most and not ground.zone >> here & 1:
        return Reason("12.1.1a", f"{name} has retreated as far as it has to")
    if not legs.exits(s, u, here, search.carried) & b:
        return Reason("12.2.1g", f"{name} could not move into {place} in a Movement Phase: it would be eliminated")
    if search.run >= 2 and board.desert & b:
        return Reason("12.2.1g", f"{place} would be the third desert hex in a row: {name} would be eliminated")
    if ground.enemies & b:
        if s.men[1 - board.side[u]] & b:
            return Reason("12.2.1b", f"an enemy combat unit is in {place}: {name} would be eliminated")
        return Reason("13.3.2d" if routed else "5.8.3", f"{name} may not enter {place}, which is the enemy's")
    if ground.overlaps & b:
        return Reason("12.2.1d", f"{place} is in an overlapping enemy ZOC: {name} would be eliminated")
    if ground.zone & b and routed:
        return Reason("13.3.2c", f"{place} is in an enemy ZOC: {name}, in Full Retreat, would be eliminated")
    if ground.zone & b and errand == DISENGAGING:
        return Reason("27.5.4c", f"{place} is in an enemy ZOC, and no friendly unit is there")
    if ground.zone & b and search.left <= 0:
        return Reason("12.2.1c", f"{place} would be the second enemy ZOC of this retreat: {name} would be eliminated")
    return _by_priority(search, h)


def _by_priority(search: Search, h: Hex) -> Reason:
    """12.1.3 the hex would not kill the unit, but others are better."""
    board = search.s.board
    name, place = board.unit_names[search.u], board.hex_name(h)
    best = search.best()
    if best is None:
        return Reason("12.1.3c", f"{name} has no way on which it survives")
    left, slack = best
    if search.ground.soft >> h & 1 and not search.through:
        return Reason("12.1.3h", f"enemy non-combat units are in {place}, and there is another way")
    if h in search.options(left, slack):
        return Reason("12.1.3g", f"{place} leads to no hex in supply, and another way does")
    if h in search.options(left, search.most):
        return Reason("12.1.3f", f"{place} leads less far from the hex that {name} held than another way")
    if h in search.options(max(0, search.left), search.most):
        return Reason("12.1.3d", f"enemy ZOCs can be avoided, and {place} leads into one")
    return Reason("12.1.3c", f"from {place} {name} could not get far enough alive")


def why_no_halt(s: State, u: int, errand: int, path: tuple[Hex, ...]) -> Reason:
    """12.1.1a, 12.4 why a retreat does not end here."""
    search = Search(s, u, errand, path, 0, s.retreating)
    name, place, gone = s.board.unit_names[u], s.board.hex_name(path[-1]), len(path) - 1
    if gone == 0:
        return Reason("12.1.1a", f"{name} has not left its hex yet")
    if search.ground.zone >> path[-1] & 1:
        return Reason("12.2.1e", f"{name} would end its retreat in an enemy ZOC and be eliminated")
    if search.ends_here(search.spot(0)):
        return Reason("12.1.3g", f"{name} can go on to a hex in supply")
    if errand == DISPLACED:
        return Reason("13.3.2e", f"{place} is no port or fortification of yours, nor held by a friend in better order")
    to_go = count(LENGTHS[errand][0], "hex", "hexes")
    return Reason("12.4", f"{place} is neither a port nor a fortification of yours: {to_go} to go")
