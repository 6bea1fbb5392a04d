"""5.1b, 5.1c, 5.8, 18.5 Who goes with the stack: who joins it or is left behind, trucks and their loads, Rommel."""

from __future__ import annotations

from sandtable.engine.frames import F
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need, all_if
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.telling import emit

from ..paths.legs import fresh_points, pinned, why_pinned
from ..paths.modes import Movers, movers
from ..retreat import displacement
from ..table.ids import AXIS, F_STACK, NATIONS
from ..table.position import add_sp
from ..table.state import State
from ..table.zones import full_zoc

# 5.1 Who may move


PINNED: Bars[State, object] = Bars(Bar("17.1.2c", lambda s, _, u: why_pinned(s, u), lambda s, _: pinned(s)))

MARKED = term("{unit} is under a transport marker and may not move in this impulse")

ABLE: Bars[State, object] = Bars(
    PINNED,
    Bar("8.9.1d", "{unit} made an Auto DS and may not move further", lambda s, _: s.auto),
    Bar("5.9.1c", MARKED, lambda s, _: s.shipped & s.railed),
    Bar("18.7.6b", MARKED, lambda s, _: s.shipped & s.flown),
    Bar("21.1.4b", MARKED, lambda s, _: s.shipped),
    Bar("5.1d", "{unit} has moved", lambda s, _: s.moved),
)
"""5.1 who may still move in this phase, whichever side he is of."""


def place_of(s: State) -> int:
    """Where the stack is."""
    return s.at[s.group.bit_length() - 1]


def movers_of(s: State) -> Movers:
    """The stack, for the bars."""
    return movers(s, s.group, s.loads, spent=s.spent, mode=s.mode, rommel=bool(s.stack_rommel))


def several(now: Movers) -> int:
    return now.group if now.group & now.group - 1 else 0


def stopped(s: State) -> bool:
    """7.2a whether the stack has come into an EZOC and goes no farther."""
    return s.spent >= 0 and bool(full_zoc(s, enemy(s.active)) >> place_of(s) & 1)


def others_here(s: State, now: Movers) -> int:
    """5.1b the other units of the hex."""
    return s.here[now.place] & s.board.of_side[s.active] & ~now.units


def _in_box(s: State, now: Movers, units: int) -> int:
    return units if s.board.box_mask >> now.place & 1 else 0


STOPPED_HERE: Bar[State, Movers] = Bar(
    "7.2a", "the stack has entered an enemy ZOC in {from} and stops", lambda s, now: all_if(stopped(s))
)

OF_THE_HEX: Bars[State, Movers] = Bars(
    Need(
        "5.1b",
        "{unit} is not one of your units in {from}",
        lambda s, now: s.here[now.place] & s.board.of_side[now.side],
    ),
    Bar("5.1b", "{unit} is in the stack already", lambda s, now: now.units),
)

OUT_OF_THE_BOX: Bars[State, Movers] = Bars(
    Bar(
        "6.3.4a",
        "{unit} must be in Good Order to leave an off-map box",
        lambda s, now: _in_box(s, now, s.disrupted | s.routed),
    ),
    Bar(
        "19.5b",
        "{unit} took a replacement and may not leave an off-map box",
        lambda s, now: _in_box(s, now, s.refreshed),
    ),
)

WITH_ROMMEL: Need[State, Movers] = Need(
    "18.5c", "{unit} may not go with Rommel's stack", lambda s, now: led_by_rommel(s) if now.rommel else ALL
)


# 5.1b, 5.1c Those who join it, and those who are left behind


JOINING: Bars[State, Movers] = Bars(
    OF_THE_HEX,
    Bar("5.1b", "the stack has begun its move: nobody joins it on the way", lambda s, now: all_if(now.spent >= 0)),
    ABLE,
    OUT_OF_THE_BOX,
    Bar(
        "6.3.4b",
        "{unit} leaves an off-map box only on a truck or by rail, air or naval transport",
        lambda s, now: _in_box(s, now, s.board.foot),
    ),
    WITH_ROMMEL,
)
"""5.1b the units of the hex that may join the stack before its first step."""

LEAVING: Bars[State, Movers] = Bars(
    STOPPED_HERE,
    Bar("5.1c", "units are left behind on the way: the stack has not moved yet", lambda s, now: all_if(now.spent < 0)),
    Need("5.1c", "{unit} is not one of several units in the stack", lambda s, now: several(now)),
)
"""5.1c whom the stack can leave behind."""


def join(s: State, f: F, u: int) -> None:
    s.group |= 1 << u
    displacement.check(s, 1 << u)  # 13.3.2e


def leave(s: State, f: F, u: int) -> None:
    """5.1c a unit is left behind, a truck with its load, and may not move further."""
    gone = 1 << u
    for v in units_of(s.loads):
        if s.carried[v] == u:
            gone |= 1 << v
    for v in units_of(gone):
        s.carried[v] = -1
    s.moved |= gone
    s.group &= ~gone
    s.loads &= ~gone
    if not s.group:
        finish(s)


def finish(s: State, f: F = ()) -> None:
    """5.1d the move is over."""
    for u in units_of(s.group | s.loads):
        s.carried[u] = -1
    s.moved |= s.group | s.loads
    s.group = s.loads = s.run = s.stack_rommel = 0
    s.spent = s.mode = s.start = -1
    s.stack.remove((F_STACK,))


# 5.8 Trucks and their loads


def empty_trucks(s: State) -> int:
    """5.8.1b, 5.8.2a the trucks of the stack that carry nothing: no unit, and no SP (17.2.4a)."""
    trucks = s.group & s.board.trucks & ~s.msu
    for u in units_of(s.loads):
        trucks &= ~(1 << s.carried[u])
    return trucks


def droppable(s: State) -> int:
    """17.2.4b the MSUs of the stack that may put their SP down: before the first step, or as the end of their move;
    not what they picked up in this move (5.8.2a)."""
    found = s.group & s.msu
    for u in units_of(found):
        if s.carried[u] == u:
            found &= ~(1 << u)
    return found


LOADED = term("every truck of the stack has its load")

LOADING: Bars[State, Movers] = Bars(
    STOPPED_HERE,
    OF_THE_HEX,
    Bar("5.8.1b", "there is no truck in the stack", lambda s, now: all_if(not now.group & s.board.trucks)),
    Need(
        "5.8.1b",
        "a truck carries one combat unit, one replacement or one SP, not {unit}",
        lambda s, _: s.board.combat | s.board.replacements & s.board.foot,  # 19.2.1c
    ),
    Bar("5.8.1e", "{unit} has already moved and may not be picked up", lambda s, _: s.moved),
    ABLE,
    OUT_OF_THE_BOX,
    WITH_ROMMEL,
    Bar("5.8.2a", LOADED, lambda s, _: all_if(not empty_trucks(s))),
)
"""5.8.1b, 5.8.1e what an empty truck of the stack may pick up."""

NO_TRUCK: Bar[State, Movers] = Bar(
    "17.2.1f", "only a truck carries supply points", lambda s, now: all_if(not now.group & s.board.trucks)
)

LOADING_SP: Bars[State, Movers] = Bars(
    NO_TRUCK,
    Bar("5.8.2a", LOADED, lambda s, _: all_if(not empty_trucks(s))),
    Bar("17.2.4a", "there is no supply point in {from}", lambda s, now: all_if(not s.sp[now.side].get(now.place, 0))),
    Bar(
        "5.8.1e",
        "the supply points there have moved in this phase or are under a transport marker",
        lambda s, now: all_if(fresh_points(s, now.side, now.place) <= 0),
    ),
)

UNLOADING_SP: Bars[State, Movers] = Bars(
    NO_TRUCK,
    Bar("17.2.4b", "no truck of the stack has a supply point", lambda s, now: all_if(not now.group & s.msu)),
    Bar(
        "5.8.2a",
        "a truck stays with what it has picked up for the rest of the phase",
        lambda s, _: all_if(not droppable(s)),
    ),
)


def load(s: State, f: F, u: int) -> None:
    """5.8.1d a truck picks a unit up, for no MPs."""
    truck = units_of(empty_trucks(s))[0]
    s.carried[u] = truck
    s.loads |= 1 << u
    emit(s, "loaded", "5.8.1d", {"unit": u, "truck": truck, "hex": s.at[u], "side": s.active})
    displacement.check(s, 1 << u)  # 13.3.2e its own move begins here


def load_sp(s: State, f: F) -> None:
    """17.2.4a a truck picks an SP up and is an MSU. `carried` of the truck itself: it did so in this move."""
    truck = units_of(empty_trucks(s))[0]
    h = place_of(s)
    add_sp(s, s.active, h, -1)
    s.msu |= 1 << truck
    s.carried[truck] = truck
    emit(s, "sp_loaded", "17.2.4a", {"truck": truck, "hex": h, "side": s.active})


def unload_sp(s: State, f: F) -> None:
    """17.2.4b the SP is dropped and the MSU a truck again; after a step that ends the truck's move."""
    truck = units_of(droppable(s))[0]
    h = place_of(s)
    s.msu &= ~(1 << truck)
    add_sp(s, s.active, h, 1)
    emit(s, "sp_unloaded", "17.2.4b", {"truck": truck, "hex": h, "side": s.active})
    if s.spent >= 0:
        s.sp_moved.append(h)
        leave(s, f, truck)


# 18.5 Rommel


GERMAN = NATIONS.index("german")


def led_by_rommel(s: State) -> int:
    """18.5a, 18.5c whom Rommel can hurry on: Germans, and trucks, MSUs and replacements of theirs; nobody under a
    replacement, Disrupted or OOS marker."""
    board = s.board
    return (board.of_nation[GERMAN] | board.of_side[AXIS] & board.trucks) & ~(s.refreshed | s.disrupted | s.oos)


ROMMEL: Bars[State, Movers] = Bars(
    Bar("18.5a", "Rommel is on the other side", lambda s, now: all_if(now.side != AXIS)),
    Bar("18.5d", "the Rommel marker was used in this game turn", lambda s, _: all_if(not s.rommel)),
    Bar(
        "18.5b",
        "the stack stays with Rommel for its whole move: he joins it before it sets out",
        lambda s, now: all_if(now.spent >= 0 or now.rommel),
    ),
    Bar("18.5a", "he hurries on mechanised stacks alone", lambda s, now: all_if(now.group & s.board.foot)),
    Bar(
        "18.5c",
        "not units under replacement, Disrupted or out of supply markers",
        lambda s, now: all_if(now.units & (s.refreshed | s.disrupted | s.oos)),
    ),
    Bar("18.5a", "he hurries on German units alone", lambda s, now: all_if(now.units & ~led_by_rommel(s))),
)
"""18.5a one mechanised stack of German units, once a game turn, before its first step."""


def follow_rommel(s: State, f: F) -> None:
    s.rommel, s.stack_rommel = 0, 1
    emit(s, "rommel", "18.5a", {"units": list(units_of(s.group | s.loads)), "hex": place_of(s), "side": AXIS})
