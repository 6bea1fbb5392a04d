"""19 Replacements: receipt from the pool, and their use in the owner's Initial Phase.

Where a unit returns follows from where the replacement is that it takes (19.4.1), so `replace` says everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of, where
from sandtable.mechanics.memory import noted, remembered
from sandtable.mechanics.phases import Deed, Each, Linked
from sandtable.mechanics.shown.telling import emit

from ..supply.resources import can_pay, spend
from ..supply.supply_lines import full, within
from ..table.ids import AXIS, B_HQ, B_TRUCK, ELIMINATED, NATIONS, POOL, RESERVE, WITHDRAWN
from ..table.position import clear_marks, good_order, put, remnants_left, touch
from ..table.state import State
from ..table.verbs import V_REPLACE, V_RETURN
from ..table.zones import next_to_enemy

# 19.1.1c, 19.2.4 Receipt


def pool_for(s: State, side: int, code: int) -> int:
    """19.2.4 the counters of the pool that a code of the turn track allows, one of each nationality."""
    row = s.board.pack.tables["replacement_code"][code]
    board = s.board
    found: dict[int, int] = {}
    for u in units_of(board.of_type[row["type"]] & board.of_side[side]):
        nation = board.nation[u]
        own = row["nations"] == ["own"] or NATIONS[nation] in row["nations"]
        if own and s.at[u] == POOL:
            found.setdefault(nation, 1 << u)
    return sum(found.values())


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


def offered(s: State, side: int) -> int:
    """The replacements of a side in play; of several that are alike in one place only the first."""
    board = s.board
    found: dict[tuple[int, str, int, int], int] = {}
    for r in units_of(board.replacements & board.of_side[side] & s.present & ~s.shipped):
        found.setdefault((s.at[r], board.types[r], board.nation[r], s.heavy >> r & 1), 1 << r)
    return sum(found.values())


@remembered()
def _reduced(steps: bytes) -> int:
    return where(step > 0 for step in steps)


def reduced(s: State) -> int:
    """10.3 the units that have lost a step, wherever they are."""
    return _reduced(bytes(s.step))


@noted
def lying_in(s: State, box: int) -> int:
    """The units of a box off the map."""
    found, last = 0, -1
    for _ in range(s.at.count(box)):
        last = s.at.index(box, last + 1)
        found |= 1 << last
    return found


def eliminated(s: State) -> int:
    """10.3b the units of the Eliminated Box."""
    return lying_in(s, ELIMINATED)


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


def _wrong_kind(s: State, r: int, u: int) -> Reason:
    """19.2.3 a replacement is of no use to a unit."""
    tank = s.board.types[r] == "replacement_tank"
    rule = "19.2.5a" if tank and s.board.matildas >> u & 1 else "19.2.3a" if tank else "19.2.3c"
    return Reason(rule, Text("{other} is of no use to {unit}", other=r, unit=u))


def _back(s: State, r: int, barred: Callable[[State, int], bool]) -> int:
    """The eliminated units, if something keeps them from returning where the replacement is."""
    return eliminated(s) if eliminated(s) and barred(s, r) else 0


def _foreign_hq(s: State, r: int) -> bool:
    """19.4.2b whether the corps HQs with it are of another nationality, on the Axis side."""
    hqs = s.here.get(s.at[r], 0) & s.board.hqs & good_order(s)
    boxed = s.board.box_mask >> s.at[r] & 1
    return bool(s.board.side[r] == AXIS and not boxed and hqs and not hqs & s.board.of_nation[s.board.nation[r]])


def _out_of_reach(s: State, r: int, u: int) -> bool:
    """19.3.1a not in the same box (19.3.3 the Reserve and Withdrawn Boxes count as the Nile Delta), nor with a
    path of at most five hexes to it."""
    board, h, place = s.board, s.at[u], s.at[r]
    if h < 0:
        return place != board.delta
    n = board.general["replacement_range_hexes"]
    if not board.box_mask >> place & 1 and not board.grid.within(place, n) >> h & 1:
        return True  # as the crow flies: only then a path
    return not within(s, board.side[r], place, n) >> h & 1


IN_PLAY: Bars[State, object] = Bars(
    Need(
        "19.1.1b",
        lambda s, _, r: Text("the {side} player uses his own replacements now", side=s.active),
        lambda s, _: s.board.of_side[s.active],
    ),
    Need("19.1.1c", "{other} is no replacement in play", lambda s, _: s.board.replacements & s.present),
    Bar("5.9.1i", "{other} is under a transport marker", lambda s, _: s.shipped),
    Need(
        "19.1.1a",
        "another replacement of the same kind in that place is offered instead",
        lambda s, _: offered(s, s.active),
    ),
)
"""19.1.1b which replacement is used."""

TAKERS: Bars[State, int] = Bars(
    Need(
        "19.1.1b",
        lambda s, r, u: Text("the {side} player uses his own replacements now", side=s.board.side[r]),
        lambda s, r: s.board.of_side[s.board.side[r]],
    ),
    Bar("19.1.2a", "{unit} does not use replacements", lambda s, _: s.board.trucks | s.board.asus),
    Need("19.3.2b", "{other} is of another nationality than {unit}", lambda s, r: s.board.of_nation[s.board.nation[r]]),
    Bar(
        "19.6b",
        "{unit} is on the Remnant Display: the unit for which it stands takes replacements",
        lambda s, _: s.board.remnant_counters,
    ),
    Need("19.2.3a", _wrong_kind, takers),
    # 19.4 the Eliminated Box
    Bar(
        "19.4.2a",
        lambda s, r, u: Text("{hex} is next to an enemy combat unit", hex=s.at[r]),
        lambda s, r: _back(s, r, lambda s, r: next_to_enemy(s, s.board.side[r], s.at[r])),
    ),
    Bar("19.4.2b", "{unit} returns only with a corps HQ of its own nationality", lambda s, r: _back(s, r, _foreign_hq)),
    Bar(
        "19.4.1b",
        "{other} is neither in a box nor with a corps HQ in Good Order and full supply",
        lambda s, r: _back(s, r, lambda s, r: not may_return_at(s, r, s.at[r])),
    ),
    Doubt(
        "19.4.1c", "no remnant is left for {unit}", lambda s, _, u: not has_counter(s, u), lambda s, _: eliminated(s)
    ),
    # 19.3 in play
    Need(
        "19.1.1a",
        "{unit} is neither in play nor in the Eliminated Box",
        lambda s, _: s.present | eliminated(s) | lying_in(s, RESERVE) | lying_in(s, WITHDRAWN),
    ),
    Need("19.1.1a", "{unit} is at full strength", lambda s, _: reduced(s) | eliminated(s)),
    Bar("19.3.2a", "{unit} has taken its replacement of this Initial Phase", lambda s, _: s.restored & ~eliminated(s)),
    Need("13.2.1e", "{unit} is not in Good Order", lambda s, _: good_order(s) | eliminated(s)),
    Bar("16.4d", "{unit} is out of supply", lambda s, _: s.oos & ~eliminated(s)),
    Bar("5.9.1i", "{unit} is under a transport marker", lambda s, _: s.shipped & ~eliminated(s)),
    Doubt(
        "19.3.1a",
        "no overland path of at most five hexes leads from {unit} to {other}",
        _out_of_reach,
        lambda s, _: ~eliminated(s),
    ),
)
"""19.3, 19.4 who takes it: a reduced unit in reach, or one that comes back from the Eliminated Box where it is."""

BOUGHT: Bars[State, object] = Bars(
    Need("19.1.2a", "{unit} is not yours", lambda s, _: s.board.of_side[s.active]),
    Bar("19.1.2b", "a captured truck cannot be replaced", lambda s, _: s.board.captured),
    Bar("17.1.2f", "{unit} is an artillery group: it cannot be replaced", lambda s, _: s.board.artillery),
    Need("19.1.1a", "{unit} takes a replacement unit, not an RP", lambda s, _: s.board.trucks | s.board.hqs),
    Need("19.1.2a", "{unit} is not in the Eliminated Box", lambda s, _: eliminated(s)),
    Doubt("19.1.2a", "you have no resource point left", lambda s, _, u: not can_pay(s, s.active, resource_for(s, u))),
    Need("19.1.2a", "another truck lies first in the Eliminated Box", lambda s, _: ~s.board.trucks | _first_truck(s)),
)
"""19.1.2a trucks and corps HQs of the Eliminated Box that an RP brings back; of trucks, which are alike, one."""


def _first_truck(s: State) -> int:
    away = eliminated(s) & s.board.trucks & s.board.of_side[s.active]
    return away & -away


USE: tuple[Deed[State, Any, Any], ...] = (
    Each(
        V_RETURN,
        of=lambda s, _: eliminated(s) if s.rp[s.active] else 0,
        bars=BOUGHT,
        take=lambda s, f, u: bring_back(s, u),
    ),
    Linked(
        V_REPLACE,
        first=IN_PLAY,
        of=lambda s, _: s.board.replacements & s.present,
        second=TAKERS,
        to=lambda s, r: takers(s, r) & (reduced(s) | eliminated(s)),
        turned=True,
        take=lambda s, f, u, r: replace(s, u, r),
    ),
)
"""19.1.1a, 19.1.2a what replacements and RPs can restore for the phasing player."""


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


FRAMES: dict[int, Frame[State, Any]] = {}
