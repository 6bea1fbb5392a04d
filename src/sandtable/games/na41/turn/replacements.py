"""19 Replacements: receipt from the pool, and their use in the owner's Initial Phase.

Where a unit returns follows from where the replacement is that it takes (19.4.1), so `replace` says everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.engine.contract import Action, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.telling import emit

from ..supply.resources import can_pay, spend
from ..supply.supply_lines import full, within
from ..table.ids import AXIS, B_HQ, B_TRUCK, ELIMINATED, NATIONS, POOL, RESERVE, SIDES, WITHDRAWN
from ..table.position import clear_marks, good_order, put, remnants_left, touch
from ..table.state import State
from ..table.verbs import V_REPLACE, V_RETURN
from ..table.zones import next_to_enemy

# 19.1.1c, 19.2.4 Receipt


def pool_for(s: State, side: int, code: int) -> list[int]:
    """19.2.4 the counters of the pool that a code of the turn track allows, one of each nationality."""
    row = s.board.pack.tables["replacement_code"][code]
    board = s.board
    found: dict[int, int] = {}
    for u in units_of(board.of_type[row["type"]] & board.of_side[side]):
        nation = board.nation[u]
        own = row["nations"] == ["own"] or NATIONS[nation] in row["nations"]
        if own and s.at[u] == POOL:
            found.setdefault(nation, u)
    return sorted(found.values())


def draw(s: State, u: int, code: int) -> None:
    """19.1.1c a replacement unit is put in its side's base; 19.2.5b on its heavy side if it came as one."""
    row = s.board.pack.tables["replacement_code"][code]
    side = s.board.side[u]
    b = 1 << u
    s.heavy = s.heavy | b if row["heavy"] else s.heavy & ~b
    s.step[u] = 0
    put(s, u, s.board.base[side])
    emit(s, "replacement", "19.1.1c", {"unit": u, "side": side, "hex": s.at[u], "heavy": row["heavy"]})


# 19.2.3 What is good for whom


def takers(s: State, r: int) -> int:
    """19.2.3, 19.2.5a, 19.3.2b the units, wherever they are, that could use this replacement."""
    board = s.board
    if board.types[r] == "replacement_tank":
        units = board.tanks
        if not s.heavy >> r & 1:
            units &= ~board.matildas
    else:
        units = board.infantry_types | board.recon | board.flak
    return units & board.of_nation[board.nation[r]] & board.of_side[board.side[r]] & ~board.remnant_counters


def offered(s: State, side: int) -> list[int]:
    """The replacements of a side in play; of several that are alike in one place only the first."""
    board = s.board
    found: dict[tuple[int, str, int, int], int] = {}
    for r in units_of(board.replacements & board.of_side[side] & s.present & ~s.shipped):
        found.setdefault((s.at[r], board.types[r], board.nation[r], s.heavy >> r & 1), r)
    return list(found.values())


def restorable(s: State, r: int) -> int:
    """19.3.1a, 19.3.2a, 16.4d the reduced units in play that may take this replacement now.

    In Good Order and in supply; in the same box (19.3.3 the Reserve and Withdrawn Boxes count as the Nile Delta), or
    with an overland path of at most five hexes to it.
    """
    board, place = s.board, s.at[r]
    side = board.side[r]
    units = takers(s, r) & reduced(s) & good_order(s) & ~(s.oos | s.restored | s.shipped)
    if place != board.delta:
        units &= s.present
    at, n = s.at, board.general["replacement_range_hexes"]
    close = -1 if board.box_mask >> place & 1 else board.grid.within(place, n)  # as the crow flies: only then a path
    found = 0
    for u in units_of(units):
        h = at[u]
        if h < 0:
            reached = place == board.delta and h in (RESERVE, WITHDRAWN)
        else:
            reached = bool(close >> h & 1) and bool(within(s, side, place, n) >> h & 1)
        if reached:
            found |= 1 << u
    return found


def reduced(s: State) -> int:
    """10.3 the units that have lost a step, wherever they are. The last answer is kept."""
    board, steps = s.board, bytes(s.step)
    if board.reduced[0] != steps:
        board.reduced = steps, sum([1 << u for u, step in enumerate(steps) if step])
    return board.reduced[1]


def eliminated(s: State) -> int:
    """10.3b the units of the Eliminated Box."""
    found: int | None = s.memo.get("eliminated")
    if found is None:
        found, last = 0, -1
        for _ in range(s.at.count(ELIMINATED)):
            last = s.at.index(ELIMINATED, last + 1)
            found |= 1 << last
        s.memo["eliminated"] = found
    return found


def returnable(s: State, r: int) -> int:
    """19.4 those of the units of the Eliminated Box that may come back with this replacement, where it is."""
    found = 0
    for u in units_of(takers(s, r) & eliminated(s)):
        if has_counter(s, u) and may_return_at(s, u, s.at[r]):
            found |= 1 << u
    return found


def has_counter(s: State, u: int) -> bool:
    """19.4.1c, 10.4.2b a three-step unit comes back as a remnant, if one is left."""
    return s.board.steps_of[u] < 3 or remnants_left(s, s.board.remnant[u]) > 0


def may_return_at(s: State, u: int, place: int) -> bool:
    """19.4.1a, 19.4.1b, 19.4.2a, 19.4.2b an own box, or a hex with a corps HQ in Good Order and full supply, of the
    unit's own nationality on the Axis side, and not next to an enemy combat unit."""
    board, side = s.board, s.board.side[u]
    if board.box_mask >> place & 1:
        return bool(board.own_boxes[side] >> place & 1)
    hqs = s.here.get(place, 0) & board.hqs & board.of_side[side] & good_order(s)
    if side == AXIS:
        hqs &= board.of_nation[board.nation[u]]
    return bool(hqs) and not next_to_enemy(s, side, place) and bool(full(s, side) >> place & 1)


# 19.1 Use


def actions(s: State) -> list[Action]:
    """19.1.1a, 19.1.2a everything that replacements and RPs can restore for the phasing player."""
    side = s.active
    found: list[Action] = [(V_RETURN, u) for u in buyable(s, side)]
    pairs = [(u, r) for r in offered(s, side) for u in units_of(restorable(s, r) | returnable(s, r))]
    found += [(V_REPLACE, u, r) for u, r in sorted(pairs)]
    return found


def buyable(s: State, side: int) -> Iterable[int]:
    """19.1.2a trucks and corps HQs of the Eliminated Box that an RP brings back; of trucks, which are alike, one.

    Captured trucks never lie there (19.1.2b), and artillery groups cannot be replaced (17.1.2f).
    """
    if not s.rp[side]:
        return []
    board = s.board
    away = [u for u in units_of((board.trucks | board.hqs) & board.of_side[side]) if s.at[u] == ELIMINATED]
    truck = next((u for u in away if board.trucks >> u & 1), -1)
    return [u for u in away if u == truck or board.hqs >> u & 1 if can_pay(s, side, resource_for(s, u))]


def resource_for(s: State, u: int) -> int:
    return B_TRUCK if s.board.trucks >> u & 1 else B_HQ


def bring_back(s: State, u: int) -> None:
    """19.1.2a, 19.4.2d a truck or corps HQ returns in the base, the HQ depleted (19.1.2c, 17.1.2e)."""
    side = s.board.side[u]
    spend(s, side, resource_for(s, u))
    s.step[u] = 0
    if s.board.hqs >> u & 1:
        s.depleted |= 1 << u
    put(s, u, s.board.base[side])
    s.refreshed |= 1 << u  # 19.5a
    emit(s, "returned", "19.4.2d", {"unit": u, "side": side, "hex": s.at[u], "shows": s.step[u]})


def replace(s: State, u: int, r: int) -> None:
    """19.1.1a, 19.3.1b a step is restored, or a unit returns at its lowest step; the replacement goes to the pool."""
    place = s.at[r]
    b = 1 << u
    clear_marks(s, r)  # 16.1c it comes anew without its markers
    put(s, r, POOL)  # 19.2.2a
    s.heavy &= ~(1 << r)
    s.refreshed |= b  # 19.5a
    s.restored |= b  # 19.3.2a
    if s.at[u] == ELIMINATED:
        s.step[u] = s.board.steps_of[u] - 1
        put(s, u, place)
        rule, kind = ("19.4.1a" if s.board.box_mask >> place & 1 else "19.4.1b"), "returned"
    else:
        s.step[u] -= 1  # 19.6a from the remnant to the parent's reduced side, or to full strength
        rule, kind = "19.3.1b", "restored"
    touch(s)
    where = s.at[u] if s.at[u] >= 0 else s.board.delta
    data = {"unit": u, "other": r, "side": s.board.side[u], "hex": where, "shows": s.step[u]}
    emit(s, kind, rule, data)


# Why not


def why_not_return(s: State, u: int) -> Reason:
    """Why an RP does not bring this unit back."""
    board, name = s.board, s.board.unit_names[u]
    if board.side[u] != s.active:
        return Reason("19.1.2a", Text("{unit} is not yours", unit=name))
    if board.captured >> u & 1:
        return Reason("19.1.2b", "a captured truck cannot be replaced")
    if board.artillery >> u & 1:
        return Reason("17.1.2f", Text("{unit} is an artillery group: it cannot be replaced", unit=name))
    if not (board.trucks | board.hqs) >> u & 1:
        return Reason("19.1.1a", Text("{unit} takes a replacement unit, not an RP", unit=name))
    if s.at[u] != ELIMINATED:
        return Reason("19.1.2a", Text("{unit} is not in the Eliminated Box", unit=name))
    if not can_pay(s, s.active, resource_for(s, u)):
        return Reason("19.1.2a", "you have no resource point left")
    return Reason("19.1.2a", "another truck lies first in the Eliminated Box")


def why_not_replace(s: State, u: int, r: int) -> Reason:
    """Why this unit cannot take this replacement now."""
    board, name = s.board, s.board.unit_names[u]
    b, other = 1 << u, board.unit_names[r]
    if board.side[u] != s.active or board.side[r] != s.active:
        return Reason(
            "19.1.1b", Text("the {side} player uses his own replacements now", side=SIDES[s.active].capitalize())
        )
    if not board.replacements >> r & 1 or s.at[r] < 0:
        return Reason("19.1.1c", Text("{other} is no replacement in play", other=other))
    if s.shipped >> r & 1:
        return Reason("5.9.1i", Text("{other} is under a transport marker", other=other))
    if (board.trucks | board.asus) & b:
        return Reason("19.1.2a", Text("{unit} does not use replacements", unit=name))
    if board.nation[u] != board.nation[r]:
        return Reason("19.3.2b", Text("{other} is of another nationality than {unit}", other=other, unit=name))
    if board.remnant_counters & b:
        return Reason(
            "19.6b",
            Text("{unit} is on the Remnant Display: the unit for which it stands takes replacements", unit=name),
        )
    if not takers(s, r) & b:
        matilda = board.matildas & b and board.types[r] == "replacement_tank"
        rule = "19.2.5a" if matilda else "19.2.3a" if board.types[r] == "replacement_tank" else "19.2.3c"
        return Reason(rule, Text("{other} is of no use to {unit}", other=other, unit=name))
    if s.at[u] == ELIMINATED:
        if not has_counter(s, u):
            return Reason("19.4.1c", Text("no remnant is left for {unit}", unit=name))
        if next_to_enemy(s, s.active, s.at[r]):
            return Reason("19.4.2a", Text("{hex} is next to an enemy combat unit", hex=board.hex_name(s.at[r])))
        if not may_return_at(s, u, s.at[r]):
            hqs = s.here.get(s.at[r], 0) & board.hqs & good_order(s)
            if hqs and not hqs & board.of_nation[board.nation[u]] and s.active == AXIS:
                return Reason("19.4.2b", Text("{unit} returns only with a corps HQ of its own nationality", unit=name))
            return Reason(
                "19.4.1b",
                Text("{other} is neither in a box nor with a corps HQ in Good Order and full supply", other=other),
            )
        return Reason("19.1.1a", "another replacement of the same kind in that place is offered instead")
    if s.at[u] < 0 and s.at[u] not in (RESERVE, WITHDRAWN):
        return Reason("19.1.1a", Text("{unit} is neither in play nor in the Eliminated Box", unit=name))
    if not s.step[u]:
        return Reason("19.1.1a", Text("{unit} is at full strength", unit=name))
    if s.restored & b:
        return Reason("19.3.2a", Text("{unit} has taken its replacement of this Initial Phase", unit=name))
    if not good_order(s) & b:
        return Reason("13.2.1e", Text("{unit} is not in Good Order", unit=name))
    if s.oos & b:
        return Reason("16.4d", Text("{unit} is out of supply", unit=name))
    if restorable(s, r) & b:
        return Reason("19.3.1a", "another replacement of the same kind in that place is offered instead")
    return Reason(
        "19.3.1a", Text("no overland path of at most five hexes leads from {unit} to {other}", unit=name, other=other)
    )


FRAMES: dict[int, Frame[State, Any]] = {}
