"""12.1.3, 12.2 Why a unit does not retreat into a hex, or does not end its retreat."""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term

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
        return Reason(
            "12.2.1f",
            Text("{hex} does not lead into {from_hex} for {unit}", hex=board.hex_name(here), from_hex=place, unit=name),
        )
    if not grid.adjacent(here, h):
        return Reason(
            "12.1.1a",
            Text(
                "a retreat goes hex by hex, and {hex} is not beside {from_hex}",
                hex=place,
                from_hex=board.hex_name(here),
            ),
        )
    if h in path:
        return Reason("12.1.3b", Text("{unit} has been in {hex}: each hex is entered only once", unit=name, hex=place))
    if search.on_foot and len(path) - 1 >= WALK:
        return Reason("12.1.1c", Text("{unit} is on foot and retreats {n} hexes at most", unit=name, n=WALK))
    if len(path) - 1 >= search.most and not ground.zone >> here & 1:
        return Reason("12.1.1a", Text("{unit} has retreated as far as it has to", unit=name))
    if not legs.exits(s, u, here, search.carried) & b:
        return Reason(
            "12.2.1g",
            Text("{unit} could not move into {hex} in a Movement Phase: it would be eliminated", unit=name, hex=place),
        )
    if search.run >= 2 and board.desert & b:
        return Reason(
            "12.2.1g",
            Text("{hex} would be the third desert hex in a row: {unit} would be eliminated", hex=place, unit=name),
        )
    if ground.enemies & b:
        if s.men[1 - board.side[u]] & b:
            return Reason(
                "12.2.1b", Text("an enemy combat unit is in {hex}: {unit} would be eliminated", hex=place, unit=name)
            )
        return Reason(
            "13.3.2d" if routed else "5.8.3",
            Text("{unit} may not enter {hex}, which is the enemy's", unit=name, hex=place),
        )
    if ground.overlaps & b:
        return Reason(
            "12.2.1d", Text("{hex} is in an overlapping enemy ZOC: {unit} would be eliminated", hex=place, unit=name)
        )
    if ground.zone & b and routed:
        return Reason(
            "13.3.2c",
            Text("{hex} is in an enemy ZOC: {unit}, in Full Retreat, would be eliminated", hex=place, unit=name),
        )
    if ground.zone & b and errand == DISENGAGING:
        return Reason("27.5.4c", Text("{hex} is in an enemy ZOC, and no friendly unit is there", hex=place))
    if ground.zone & b and search.left <= 0:
        return Reason(
            "12.2.1c",
            Text(
                "{hex} would be the second enemy ZOC of this retreat: {unit} would be eliminated", hex=place, unit=name
            ),
        )
    return _by_priority(search, h)


def _by_priority(search: Search, h: Hex) -> Reason:
    """12.1.3 the hex would not kill the unit, but others are better."""
    board = search.s.board
    name, place = board.unit_names[search.u], board.hex_name(h)
    best = search.best()
    if best is None:
        return Reason("12.1.3c", Text("{unit} has no way on which it survives", unit=name))
    left, slack = best
    if search.ground.soft >> h & 1 and not search.through:
        return Reason("12.1.3h", Text("enemy non-combat units are in {hex}, and there is another way", hex=place))
    if h in search.options(left, slack):
        return Reason("12.1.3g", Text("{hex} leads to no hex in supply, and another way does", hex=place))
    if h in search.options(left, search.most):
        return Reason(
            "12.1.3f", Text("{hex} leads less far from the hex that {unit} held than another way", hex=place, unit=name)
        )
    if h in search.options(max(0, search.left), search.most):
        return Reason("12.1.3d", Text("enemy ZOCs can be avoided, and {hex} leads into one", hex=place))
    return Reason("12.1.3c", Text("from {hex} {unit} could not get far enough alive", hex=place, unit=name))


def why_no_halt(s: State, u: int, errand: int, path: tuple[Hex, ...]) -> Reason:
    """12.1.1a, 12.4 why a retreat does not end here."""
    search = Search(s, u, errand, path, 0, s.retreating)
    name, place, gone = s.board.unit_names[u], s.board.hex_name(path[-1]), len(path) - 1
    if gone == 0:
        return Reason("12.1.1a", Text("{unit} has not left its hex yet", unit=name))
    if search.ground.zone >> path[-1] & 1:
        return Reason("12.2.1e", Text("{unit} would end its retreat in an enemy ZOC and be eliminated", unit=name))
    if search.ends_here(search.spot(0)):
        return Reason("12.1.3g", Text("{unit} can go on to a hex in supply", unit=name))
    if errand == DISPLACED:
        return Reason(
            "13.3.2e",
            Text("{hex} is no port or fortification of yours, nor held by a friend in better order", hex=place),
        )
    one = term("{hex} is neither a port nor a fortification of yours: 1 hex to go")
    many = term("{hex} is neither a port nor a fortification of yours: {n} hexes to go")
    return Reason("12.4", Text.many(LENGTHS[errand][0], one, many, hex=place))
