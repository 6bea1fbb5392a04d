"""Putting counters somewhere and taking them away; markers and works on the map."""

from __future__ import annotations

from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, mask_of, units_of
from sandtable.mechanics.shown.telling import emit

from .ids import ALLIED, AXIS, ELIMINATED
from .state import State
from .zones import controls, settle_control

# Asking


def units_in(s: State, h: Hex, side: int) -> int:
    """The ground units of a side in a hex."""
    return s.here.get(h, 0) & s.board.of_side[side] & s.board.ground


def steps_left(s: State, units: int) -> int:
    """3.62 how many steps these units have to lose."""
    return sum(s.board.steps[u] - s.step[u] for u in units_of(units & s.board.ground))


def enemy_works(s: State, side: int) -> Mask:
    """5.23e the hexes with minefields or strongpoints of the other side."""
    other = enemy(side)
    return s.mines[other] | s.strongpoints[other]


def mine_value(s: State, h: Hex) -> int:
    """11.44, 11.45 the DRM of a minefield whose value is known."""
    if s.mines[AXIS] >> h & 1:
        return s.board.charts.axis_minefield
    if s.mines[ALLIED] >> h & 1 and not s.untried >> h & 1:
        return 2 if s.double >> h & 1 else 1
    return 0


def builders(s: State) -> int:
    """11.23b the units that build strongpoints: they stay."""
    return mask_of(s.builder.values())


# Changing


def put(s: State, u: int, h: int) -> None:
    """Put a unit into a hex or a box, from wherever it is."""
    board, here = s.board, s.here
    old = s.at[u]
    b = 1 << u
    side = board.side[u]
    s.at[u] = h
    if old >= 0:
        left = here[old] & ~b
        if left:
            here[old] = left
        else:
            del here[old]
        _take_stock(s, old, side, left, b)
        if s.builder.get(old) == u:  # 11.23ba
            stop_building(s, old, side)
    if h >= 0:
        now = here[h] = here.get(h, 0) | b
        s.on_map[side] |= b
        _take_stock(s, h, side, now, b)
    else:
        s.on_map[side] &= ~b
    if board.combat & b:
        s.zones[side] = -1
    if old < 0 or h < 0:
        s.waiting = {}
    if s.memo:
        s.memo = {}


def _take_stock(s: State, h: Hex, side: int, units: int, changed: int) -> None:
    """Which sets of hexes of a side one hex belongs to, by the units in it, when one has come or gone."""
    board, bit = s.board, 1 << h
    units &= board.of_side[side]
    for hexes, kind in (
        (s.occ, board.ground),
        (s.fighting, board.combat),
        (s.foot_zoc, board.foot_combat),
        (s.motor_zoc, board.motor_combat),
    ):
        if kind & changed and bool(units & kind) != bool(hexes[side] & bit):
            hexes[side] ^= bit


def forget(s: State) -> None:
    """Something about the position has changed: forget what was worked out for it."""
    if s.memo:
        s.memo = {}


def stop_building(s: State, h: Hex, side: int) -> None:
    """11.23ba the builder has gone or is disrupted: the marker is removed at once."""
    del s.builder[h]
    s.building[side] &= ~(1 << h)
    s.strong_left[side] += 1
    emit(s, "building_stopped", "11.23ba", {"hex": h, "side": side})


def enter(s: State, u: int, h: Hex) -> None:
    """A unit comes into a hex by movement, retreat or advance: control, strongpoints and leaders there change hands."""
    board = s.board
    put(s, u, h)
    if not board.ground >> u & 1:
        return
    side, bit = board.side[u], 1 << h
    other = enemy(side)
    if s.strongpoints[other] & bit:  # 11.15a, 11.15c
        s.strongpoints[other] &= ~bit
        s.strong_left[other] += 1
        emit(s, "strongpoint_lost", "11.15a", {"hex": h, "side": other})
    control(s)


def control(s: State) -> None:
    """3.12 settle who controls what, and tell of places that change hands."""
    before = s.control
    settle_control(s)
    changed = (before ^ s.control) & s.board.named
    while changed:
        low = changed & -changed
        h = low.bit_length() - 1
        emit(s, "control", "3.12a", {"hex": h, "side": AXIS if controls(s, AXIS, h) else ALLIED})
        changed ^= low


def clear_marks(s: State, u: int) -> None:
    """A unit that leaves the map leaves its markers behind."""
    b = ~(1 << u)
    s.disrupted &= b
    s.emergency &= b
    s.oos &= b
    s.fired &= b
    s.spent &= b
    s.fire_net &= b
    for h in [h for h, units in s.aims.items() if units & ~b]:
        s.aims[h] &= b
        if not s.aims[h]:
            del s.aims[h]


def eliminate(s: State, u: int, rule: str) -> None:
    """8.74c a unit is removed from play; its steps are counted as lost."""
    board, h = s.board, s.at[u]
    s.lost[board.nation[u]] += board.steps[u] - s.step[u]
    clear_marks(s, u)
    emit(s, "eliminated", rule, {"unit": u, "hex": h, "side": board.side[u]})
    put(s, u, ELIMINATED)
    control(s)


def lose_step(s: State, u: int, rule: str) -> None:
    """8.74a, 8.74aa a unit is turned to its reduced side or removed."""
    if s.step[u] + 1 >= s.board.steps[u]:
        eliminate(s, u, rule)
        return
    s.step[u] += 1
    s.lost[s.board.nation[u]] += 1
    forget(s)
    emit(s, "step_lost", rule, {"unit": u, "hex": s.at[u], "side": s.board.side[u], "shows": s.step[u]})


def disrupt(s: State, units: int, rule: str) -> None:
    """3.92, 3.94 put Disrupted markers on units; leaders are never disrupted (12.41ca)."""
    fresh = units & s.board.ground & ~s.disrupted
    s.disrupted |= fresh
    for u in units_of(fresh):
        emit(s, "disrupted", rule, {"unit": u, "hex": s.at[u]})
        if s.builder.get(s.at[u]) == u:  # 11.23ba
            stop_building(s, s.at[u], s.board.side[u])
    if fresh:
        forget(s)
