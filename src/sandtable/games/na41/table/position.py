"""The few questions that every chapter asks of the table, and the few ways in which the table changes.

Everything a rule changes about where a unit is, how strong it is or in which order goes through the functions
here, so that the derived masks (`occ`, `men`, `zocs`) and the zones of control are always true.
"""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import mask_of, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.shown.telling import emit

from .ids import ALLIED, ASIDE, AT_SEA, AXIS, ELIMINATED, POOL, REMNANT, RESERVE, SURRENDER_LEFT, WITHDRAWN
from .state import State

# Asking


def units_in(s: State, h: int, side: int) -> int:
    """The units of a side in a place, as a unit mask."""
    return s.here.get(h, 0) & s.board.of_side[side]


def combat_units_in(s: State, h: int, side: int) -> int:
    """The combat units of a side in a place."""
    return s.here.get(h, 0) & s.board.of_side[side] & s.board.combat


def good_order(s: State) -> int:
    """13.1.1 the units that are neither Disrupted nor in Full Retreat."""
    return ~(s.disrupted | s.routed)


def zone(s: State, side: int) -> Mask:
    """7.1 the hexes in this side's ZOC, limited ZOCs (7.3) included; none into or out of boxes (6.2b)."""
    found = s.zones[side]
    if found < 0:
        grid, source = s.board.grid, s.zocs[side]
        found = 0
        for d in range(6):
            found |= grid.step(source & s.board.open[d], d)
        s.zones[side] = found
    return found


def controls(s: State, side: int, h: int) -> bool:
    """16.3.5 whether this side controls a place; its own off-map boxes are always its own (6.1.2)."""
    if s.board.box_mask >> h & 1:
        return bool(s.board.own_boxes[side] >> h & 1)
    return bool(s.control >> h & 1) == (side == AXIS)


def controlled(s: State, side: int) -> Mask:
    """16.3.5 all hexes that this side controls."""
    return s.control if side == AXIS else s.board.controllable & ~s.control


def capacity(s: State, port: int) -> int:
    """21.3 the current capacity of a port; 21.4.4d a repair is of no use in the impulse in which it is made."""
    level = s.port_level[port]
    if s.repaired >> s.board.port_place[port] & 1:
        level = min(level + 1, len(s.board.port_track[port]) - 1)
    return s.board.port_track[port][level]


def supply_points(s: State, side: int, place: int) -> int:
    """17.2 usable SPs of a side in a place (those under transport markers are not)."""
    return s.sp[side].get(place, 0) - s.sp_held[side].get(place, 0)


_set = remembered()(mask_of)


def stores(s: State, side: int) -> Mask:
    """17.2 the places with SPs of a side, boxes among them."""
    return _set(tuple(s.sp[side]))


def dumps(s: State, side: int) -> Mask:
    """Those on the map: SPs are non-combat units (2.3.1b) like trucks."""
    return stores(s, side) & ~s.board.box_mask


def of_no_use(s: State) -> int:
    """21.1.5b the units under a naval transport marker: they serve no purpose. A rail marker bars less (5.9.1h)."""
    return s.shipped & ~s.railed


def desert_behind(s: State, units: int) -> int:
    """5.5b how many desert hexes in a row these units have entered last in this phase, at the worst."""
    return bool(s.sandy & units) + bool(s.parched & units)


# Changing


def touch(s: State) -> None:
    """The position has changed: forget what was worked out for it."""
    if s.memo:
        s.memo = {}


def touch_markers(s: State) -> None:
    """Markers have come or gone, such as slow the enemy (24, 18.7.5, 18.8), OOS markers, or what has been attacked in a
    phase: where units are and how supply runs stays."""
    memo = s.memo
    if memo:
        s.memo = {key: memo[key] for key in _WITHOUT_MARKERS if key in memo}


_WITHOUT_MARKERS = tuple(
    (what, side) for what in ("open_to", "full", "fed_by_port", "air_range") for side in (AXIS, ALLIED)
)


def recount(s: State, h: int) -> None:
    """Bring the derived masks of one place up to date."""
    recount_side(s, h, AXIS)
    recount_side(s, h, ALLIED)


def recount_side(s: State, h: int, side: int) -> None:
    """The same where units of this side alone have come, gone or changed."""
    board, b = s.board, 1 << h
    if board.box_mask & b:
        return
    own = s.here.get(h, 0) & board.of_side[side]
    fighting = own & board.combat
    if (own != 0) != (s.occ[side] & b != 0):
        s.occ[side] ^= b
    if (fighting != 0) != (s.men[side] & b != 0):
        s.men[side] ^= b
    if (fighting & ~s.routed != 0) != (s.zocs[side] & b != 0):
        s.zocs[side] ^= b
        s.zones[side] = -1


def put(s: State, u: int, h: int) -> None:
    """Put a unit into a place or a box, from wherever it is."""
    old, side = s.at[u], s.board.side[u]
    b = 1 << u
    s.at[u] = h
    if old >= 0:
        left = s.here[old] & ~b
        if left:
            s.here[old] = left
        else:
            del s.here[old]
        recount_side(s, old, side)
    if h >= 0:
        s.here[h] = s.here.get(h, 0) | b
        s.present |= b
        recount_side(s, h, side)
    else:
        s.present &= ~b
    if s.memo:  # `touch`
        s.memo = {}


def tread(s: State, units: int, h: Hex) -> None:
    """5.5b these units have entered a hex: how many desert hexes in a row that makes."""
    if s.board.desert >> h & 1:
        s.parched |= s.sandy & units
        s.sandy |= units
    else:
        s.sandy &= ~units
        s.parched &= ~units


def set_order(s: State, u: int, level: int) -> None:
    """13.1 Good Order (0), Disrupted (1) or Full Retreat (2)."""
    b = 1 << u
    s.disrupted = s.disrupted | b if level == 1 else s.disrupted & ~b
    s.routed = s.routed | b if level == 2 else s.routed & ~b
    if s.at[u] >= 0:
        recount(s, s.at[u])
    touch(s)


def order_of(s: State, u: int) -> int:
    """13.1 Good Order (0), Disrupted (1) or Full Retreat (2)."""
    return 2 if s.routed >> u & 1 else s.disrupted >> u & 1


def take_control(s: State, side: int, h: Hex) -> None:
    """16.3.5a whoever was last in a city, airfield or port controls it."""
    b = 1 << h
    if not s.board.controllable & b or controls(s, side, h):
        return
    s.control ^= b
    touch(s)
    emit(s, "control", "16.3.5a", {"hex": h, "side": side})


def add_sp(s: State, side: int, place: int, count: int) -> None:
    """Put SPs down (or, below 0, take them away)."""
    total = s.sp[side].get(place, 0) + count
    if total < 0:
        raise ValueError(f"there are no {-count} supply points to take")
    if total:
        s.sp[side][place] = total
    else:
        s.sp[side].pop(place, None)
    held = s.sp_held[side].get(place, 0)
    if held > total:
        if total:
            s.sp_held[side][place] = total
        else:
            s.sp_held[side].pop(place, None)
    touch(s)


def clear_marks(s: State, u: int) -> None:
    """A unit that leaves play leaves its markers behind."""
    b = ~(1 << u)
    s.disrupted &= b
    s.routed &= b
    s.oos &= b
    s.isolated &= b
    s.shipped &= b
    s.flown &= b
    s.railed &= b
    s.refreshed &= b
    s.msu &= b
    s.auto &= b
    s.sandy &= b
    s.parched &= b
    s.fed &= b
    s.group &= b
    s.loads &= b
    s.retreating &= b
    s.advancing &= b
    s.carried[u] = -1
    for h in [h for h, units in s.claims.items() if units & ~b]:
        s.claims[h] &= b
        if not s.claims[h]:
            del s.claims[h]


def eliminate(s: State, u: int, rule: str, surrenders: bool = False) -> None:
    """10.3b, 8.7e a unit goes to the Eliminated Box (a replacement to the pool), or surrenders (12.5.2)."""
    board = s.board
    h = s.at[u]
    if s.msu >> u & 1:  # 17.2.4a its SP is gone with it
        emit(s, "sp_destroyed", "17.2.4a", {"hex": h, "side": board.side[u], "count": 1})
    clear_marks(s, u)
    s.step[u] = board.steps_of[u] - 1  # 19.1.1a it comes back at its lowest step
    s.depleted = s.depleted | 1 << u if board.asus >> u & 1 else s.depleted
    if board.replacements >> u & 1:
        box = POOL
    elif board.captured >> u & 1:
        box = ASIDE  # 19.1.2b
    else:
        box = SURRENDER_LEFT if surrenders else ELIMINATED
    emit(
        s, "surrendered" if surrenders else "eliminated", rule, {"unit": u, "hex": h, "side": board.side[u], "box": box}
    )
    put(s, u, box)


def remnants_left(s: State, pool: str) -> int:
    """10.4.2b how many remnant counters of a pool lie on the display."""
    board = s.board
    used = sum(1 for u, name in enumerate(board.remnant) if name == pool and s.step[u] == REMNANT and shown(s, u))
    return board.remnant_count[pool] - used


def shown(s: State, u: int) -> bool:
    """19.6b whether a counter lies somewhere for the unit: on the map, in a box, at sea, in reserve or withdrawn."""
    return s.at[u] >= 0 or s.at[u] in (AT_SEA, RESERVE, WITHDRAWN)


def lose_step(s: State, u: int, rule: str) -> None:
    """10.3 a unit is flipped, becomes a remnant, or is eliminated. (10.4.2 is decided before.)"""
    if s.step[u] + 1 >= s.board.steps_of[u]:
        eliminate(s, u, rule)
        return
    s.step[u] += 1
    touch(s)
    emit(s, "step_lost", rule, {"unit": u, "hex": s.at[u], "side": s.board.side[u], "shows": s.step[u]})


def steps_left(s: State, units: int) -> int:
    """How many steps these units have to lose."""
    return sum(s.board.steps_of[u] - s.step[u] for u in units_of(units))
