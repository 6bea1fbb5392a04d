"""12 Supply: the state of units, and the supply checks. How lines run is in supply_lines.py, 12.6 in networks.py.

The initial and the final check concern the Active player's units, the Buildup check those of both sides.
A check goes in this order: units in oases (15.1), fortress supply (13.3), then the markers and what they
bring. One frame `(F_SUPPLY_CHECK, side, moment, step)` does one check; at the Buildup it does both sides,
whatever its side says, because all units are judged together before any is eliminated (12.7k).
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import hexes_in

from ..table.board import units_of
from ..table.ids import AXIS, BUILDUP, COMMONWEALTH, F_FORTRESS, F_OASIS, F_ROUT, F_SUPPLY_CHECK, FINAL, INITIAL
from ..table.state import State, battles, disrupt, eliminate, emit, recover
from ..table.steps import FortressAt, OasisAt, RoutAt, SupplyCheckAt
from .networks import FAR, Network, network
from .supply_lines import coast_of_base, cut_off_units, is_cut_off, trace

__all__ = [
    "FAR",
    "FRAMES",
    "Network",
    "is_cut_off",
    "is_isolated",
    "network",
    "oasis_drawers",
    "source_of",
    "supplied_units",
    "trace",
    "unsupplied_units",
]

# 12.0 and 12.1 The state of units


def on_map(s: State, side: int) -> int:
    """The units of a side that stand in a hex, as a unit mask."""
    return s.placed & s.board.of_side[side]


def units_in_hexes(s: State, side: int, hexes: Mask) -> int:
    """The units of a side in these hexes."""
    units = 0
    for h in hexes_in(s.occ[side] & hexes):
        units |= s.here[h]
    return units & s.board.of_side[side]


def unsupplied_units(s: State, side: int) -> int:
    """12.1a The units of a side on the map that have no supply line at this moment."""
    out = units_in_hexes(s, side, ~trace(s, side)) | cut_off_units(s, side)
    own = s.board.of_side[side]
    bound = s.fort_supply & own
    if bound:  # 13.3i they must use the fortress, whether the base is within reach or not
        for f, h in enumerate(s.board.fortresses):
            drawing = s.assigned[f] & bound
            if drawing and s.fort_owner[f] == side:
                fed = units_in_hexes(s, side, trace(s, side, h)) & drawing & ~cut_off_units(s, side)
                bound &= ~fed
                out &= ~fed
        out |= bound & on_map(s, side)
    return out & ~oasis_drawers(s, side)


def supplied_units(s: State, side: int) -> int:
    """12.0b The units of a side on the map that are in supply at this moment."""
    return on_map(s, side) & ~unsupplied_units(s, side)


def oasis_drawers(s: State, side: int) -> int:
    """15.1b, 15.1g The units of a side that an oasis keeps in supply, as long as they are in it."""
    given = s.oasis_supply & s.board.of_side[side]
    if not given:
        return 0
    attacked = battles(s) & ~s.defends[side]
    fed = 0
    for i, h in enumerate(s.board.oases):
        if not attacked >> h & 1:
            fed |= s.assigned[len(s.board.fortresses) + i] & s.here[h]
    return fed & given


def is_isolated(s: State, f: int) -> bool:
    """13.3a Whether no overland supply line runs from this fortress to the base of its owner."""
    return not trace(s, s.fort_owner[f]) >> s.board.fortresses[f] & 1


def source_of(s: State, u: int) -> Hex:
    """13.3i, 13.3j The hex to which a unit's supply line runs: its base, or the fortress that feeds it.

    The assignment binds through the owner's own turn. In the enemy turn after it a unit still draws on the
    fortress while this is cut off and within reach; once the way to the base is open again, that is its line.
    """
    side = s.board.side[u]
    bit = 1 << u
    if s.fort_supply & bit:
        for f, h in enumerate(s.board.fortresses):
            if s.assigned[f] & bit:
                feeds = s.fort_owner[f] == side and is_isolated(s, f) and trace(s, side, h) >> s.at[u] & 1
                if feeds or s.active == side:
                    return h
    return s.board.base[side]


# 12.7 Supply checks


class SupplyCheck(Frame[State, SupplyCheckAt]):
    """12.7 One supply check: first who gets oasis and fortress supply, then what the check does."""

    at = SupplyCheckAt

    def run(self, s: State, f: SupplyCheckAt) -> None:
        _, side, moment, step = f
        if step == 0:
            asked = len(s.stack)
            s.stack[-1] = SupplyCheckAt(F_SUPPLY_CHECK, side, moment, 1)
            for each in (COMMONWEALTH, AXIS) if moment == BUILDUP else (side,):
                if moment != FINAL:
                    forget_assignments(s, each)
                ask_assignments(s, each, moment)
            if len(s.stack) > asked:
                return
        s.stack.pop()
        if moment == INITIAL:
            initial_check(s, side)
        elif moment == FINAL:
            final_check(s, side)
        else:
            buildup_check(s)


def forget_assignments(s: State, side: int) -> None:
    """13.3i, 15.1d An assignment holds until the owner's next check that gives supply out anew."""
    keep = ~s.board.of_side[side]
    s.fort_supply &= keep
    s.oasis_supply &= keep
    for place, units in enumerate(s.assigned):
        if units:
            s.assigned[place] = units & keep


def ask_assignments(s: State, side: int, moment: int) -> None:
    """15.1c, 13.3e Put the questions on the stack: oases come first, then fortresses, in the map's order."""
    board = s.board
    held = 0
    for f, owner in enumerate(s.fort_owner):
        if owner == side:
            held |= 1 << board.fortresses[f]
    if held & ~coast_of_base(s, side) and held & ~(within := trace(s, side)):
        for f in range(len(board.fortresses) - 1, -1, -1):
            if s.fort_owner[f] == side and not within >> board.fortresses[f] & 1:  # 13.3a it is isolated
                capacity = board.capacity[f][side]
                left = capacity - (s.assigned[f] & board.of_side[side]).bit_count()
                s.stack.append(FortressAt(F_FORTRESS, side, moment, f, left))
    if s.occ[side] & board.oasis_mask:
        for h in reversed(board.oases):
            if s.occ[side] >> h & 1:
                s.stack.append(OasisAt(F_OASIS, side, moment, h))


def initial_check(s: State, side: int) -> None:
    """12.7a, 12.7b, 12.7d Markers on and off, then recovery from disruption."""
    own = s.board.of_side[side]
    out = unsupplied_units(s, side)
    lift_markers(s, side, out, "12.7b")
    marked = out & ~s.unsupplied
    s.unsupplied |= out
    tell(s, "unsupplied", "12.7b", side, marked)
    # 11.2b to 11.2d: not in battle, in supply, disrupted through a whole enemy turn
    recover_units(s, side, s.disrupted & own & ~out & ~s.fresh, "12.7d")
    s.fresh &= ~own  # by the next initial check they will have been


def final_check(s: State, side: int) -> None:
    """12.7e to 12.7h Markers off; who still carries one is disrupted, and routs if nobody protects him.

    A15: a unit that lost its line only during the turn carries no marker and suffers nothing.
    12.7i, A49: only the state now counts, not what it was in between.
    """
    if not (s.unsupplied | s.raiders) & s.board.of_side[side]:
        return  # nobody carries a marker
    out = unsupplied_units(s, side)
    lift_markers(s, side, out, "12.7f")
    shaken = out & s.unsupplied & ~s.disrupted
    for u in units_of(shaken):
        disrupt(s, u)
    tell(s, "disrupted", "12.7g", side, shaken)
    rout_unprotected(s, side, shaken)


def buildup_check(s: State) -> None:
    """12.7j to 12.7l, 16.2 Networks are fixed, unsupplied units eliminated, the others recover."""
    s.nets = [supply_network(s, AXIS), supply_network(s, COMMONWEALTH)]
    outs = [unsupplied_units(s, AXIS), unsupplied_units(s, COMMONWEALTH)]  # all are judged before any dies
    for side in (AXIS, COMMONWEALTH):
        lift_markers(s, side, outs[side], "12.7l")
        for u in units_of(outs[side]):
            eliminate(s, u, "12.7k")
    for side in (AXIS, COMMONWEALTH):
        recover_units(s, side, s.disrupted & s.board.of_side[side], "12.7l")
        rout_unprotected(s, side, s.disrupted & s.board.of_side[side])


def supply_network(s: State, side: int) -> Mask:
    """12.6a, 12.7j All lines of a side, and its base; A27: a fortress that feeds units is its own part."""
    net = network(s, side).lines | 1 << s.board.base[side]
    for f, h in enumerate(s.board.fortresses):
        if s.assigned[f] & s.fort_supply & s.board.of_side[side]:
            net |= network(s, side, h).lines | 1 << h
    return net


def lift_markers(s: State, side: int, out: int, rule: str) -> None:
    """12.7b, 12.7f, 12.7l Out-of-supply markers are taken off units in supply, a raider's second one too."""
    freed = s.unsupplied & s.board.of_side[side] & ~out
    if freed:
        s.unsupplied &= ~freed
        tell(s, "resupplied", rule, side, freed)
    s.raiders &= out | ~s.board.of_side[side]


def recover_units(s: State, side: int, units: int, rule: str) -> None:
    """11.2b, 11.11b Units recover unless they are in a battle hex."""
    fighting = battles(s)
    ready = 0
    for u in units_of(units):
        h = s.at[u]
        if h >= 0 and not fighting >> h & 1:
            recover(s, u)
            ready |= 1 << u
    tell(s, "recovered", rule, side, ready)


def rout_unprotected(s: State, side: int, units: int) -> None:
    """12.7h, 11.11a Disrupted units alone with enemies in their hex rout at once."""
    fighting = battles(s) & ~s.firm[side]
    if fighting:
        for h in reversed(hexes_in(fighting)):
            if s.here[h] & units:
                s.stack.append(RoutAt(F_ROUT, h, side, 0))


def tell(s: State, kind: str, rule: str, side: int, units: int) -> None:
    """One event for each hex, in the order of the hexes: everybody sees how many blocks, their owner which."""
    by_hex: dict[Hex, list[int]] = {}
    for u in units_of(units):
        by_hex.setdefault(s.at[u], []).append(u)
    for h, there in sorted(by_hex.items()):
        emit(s, kind, rule, {"hex": h, "side": side, "count": len(there)}, side, {"units": there})


FRAMES: dict[int, Frame[State, Any]] = {F_SUPPLY_CHECK: SupplyCheck()}
