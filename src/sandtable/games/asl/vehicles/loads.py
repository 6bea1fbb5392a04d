"""D6, C10.1, D5.4 Who and what goes with a vehicle: Passengers, Riders, a Gun in tow; and a crew that leaves it.

All of it is done by a Stopped vehicle in its own move. Those who load or unload together pay once.
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.masks import units_of

from ..boards.costs import HALF
from ..boards.locations import Place, may_centre
from ..fire.crews import armor_leader, crewed, inert, recall_disarmed, told, vehicle_of
from ..fire.fate import afoot, crew_counter
from ..movement.points import allotment as marching
from ..movement.points import overfull
from ..table.captives import take_control
from ..table.counters import PORTEES
from ..table.hardware import MA
from ..table.ids import BENEATH, CREW, EXITED, GUN, MMC, ON_WIRE, SMC, SPARE, UNDER_SANGAR, UNUSED
from ..table.state import (
    State,
    all_men,
    all_vehicles,
    board,
    equivalents,
    forget,
    leave,
    men,
    passengers,
    put,
    settle,
    weapons_of,
)
from ..table.telling import emit
from .driving import Drive, DriverAt, can_go, crowded, drive_of, spend
from .points import allotment, half, quarter, towed_gun

LOADING, UNLOADING = 1, 2
MOST_GUNS, MOST_EQUIVALENTS = 2, 6
"""A5.1 the Guns, and the squad equivalents in halves, of a side in a Location."""


# D6.1 Room


def pp_of(s: State, u: int) -> int:
    """D6.1 the PP of a unit with what it carries."""
    chart = s.stage.pack.tables["passenger_pp"]
    kind = s.kind(u)
    own = int(chart["smc"]) if kind.kind in SMC else int(chart[("squad", "half_squad", "crew")[MMC.index(kind.kind)]])
    return own + sum(s.kind(w).pp for w in units_of(weapons_of(s, u)))


def load_of(s: State, u: int, riding: bool) -> int:
    """The PP that are in (or on) a vehicle now."""
    roster = s.stage.roster
    aboard = [one for one in passengers(s, u) if roster.men >> one & 1 and bool(s.riding >> one & 1) == riding]
    return sum(pp_of(s, one) for one in aboard)


def paces_left(s: State, u: int) -> int:
    """The MF that a unit still has in this MPh, in halves."""
    return marching(s, u, False) - s.paces.get(u, 0)


def moved_on(s: State, u: int) -> bool:
    """Whether a unit has no MF left to mount with; B27.3 nor to come out of what it lies beneath before."""
    return paces_left(s, u) < HALF * (2 if s.under[u] in BENEATH and s.edition > 6 else 1)


def on_wire(s: State, now: Drive) -> int:
    """B26.4, AMB-124 those who are on top of wire."""
    return sum(1 << u for u in units_of(beside_it(s, now)) if s.under[u] == ON_WIRE) if s.edition > 6 else 0


# Loading


def beside_it(s: State, now: Drive) -> int:
    """D6.1, F5.4252b Infantry of its side in its Location."""
    near = men(s, now.here, s.phasing)
    return sum(1 << u for u in units_of(near) if s.place[u] == afoot(s, now.unit))


def not_stopped(s: State, now: Drive) -> int:
    return ALL if now.going else 0


def load_price(s: State, u: int) -> int:
    """D6.1 a quarter of its MP; D15.1 mounting a motorcycle costs the Rider's MF alone."""
    return 0 if vehicle_of(s, u).move == "motorcycle" else quarter(s, u)


def quarter_dear(kind: int) -> Callable[[State, Drive], int]:
    def held(s: State, now: Drive) -> int:
        return ALL if now.left < load_price(s, now.unit) and now.move.loading != kind else 0

    return held


def no_room(riding: bool) -> Callable[[State, Drive, int], bool]:
    def ask(s: State, now: Drive, u: int) -> bool:
        chart = s.stage.pack.tables["passenger_pp"]
        most = int(chart["riders_max"]) if riding else now.kind.pp
        return load_of(s, now.unit, riding) + pp_of(s, u) > most

    return ask


def has_fired(s: State) -> int:
    """A3.2 those who have Prep Fired, with a Gun or Support Weapon too."""
    return s.fired | (s.served | s.handled if s.edition > 4 else 0)


READY: Bars[State, Drive] = Bars(
    Bar("D6.1", "the vehicle must be Stopped", not_stopped),
    Need("D6.1", "{unit} is not with the vehicle", beside_it),
    Bar("A10.41", "{unit} is broken", lambda s, now: s.broken),
    Bar("A7.8", "{unit} is pinned", lambda s, now: s.pinned),
    Bar("A11.15", "{unit} is held in Melee", lambda s, now: s.melee),
    Bar("A4.9", "{unit} is busy in this Player Turn", lambda s, now: s.ti if s.edition > 1 else 0),
    Bar("A3.2", "{unit} has fired in the Prep Fire Phase", lambda s, now: has_fired(s)),
    Bar("A7.25", "{unit} waits to fire and may not move", lambda s, now: s.waits if s.edition > 6 else 0),
    Bar("B26.4", "{unit} is on wire and must get beneath it first", lambda s, now: on_wire(s, now)),
    Bar("D6.1", "there are not enough MP left for it", quarter_dear(LOADING)),
    Doubt("D6.1", "{unit} has no MF left for it", lambda s, now, u: moved_on(s, u)),
)
EMBARK: Bars[State, Drive] = Bars(
    READY,
    Bar("D6.1", "it carries no Passengers", lambda s, now: 0 if now.kind.pp else ALL),
    Doubt("D6.1", "there is no room for {unit}", no_room(False)),
)
RIDE: Bars[State, Drive] = Bars(
    READY,
    Bar("D6.2", "only a fully-tracked closed-topped AFV is ridden", lambda s, now: 0 if ridden(now) else ALL),
    Doubt("D6.2", "there is no room for {unit}", no_room(True)),
)


def ridden(now: Drive) -> bool:
    return now.kind.tracked and now.kind.top == "CT"


def pay(s: State, kind: int, halves: int) -> None:
    """Those who do the same at the same time pay once."""
    move = s.move
    assert move is not None
    if move.loading != kind:
        spend(s, halves)
        move.loading = kind


def embark(s: State, f: DriverAt, u: int) -> None:
    mount(s, u, False)


def ride(s: State, f: DriverAt, u: int) -> None:
    mount(s, u, True)


def mount(s: State, u: int, rides: bool) -> None:
    move = s.move
    assert move is not None
    s.paces[u] = s.paces.get(u, 0) + HALF
    pay(s, LOADING, load_price(s, move.vehicle))
    s.hip &= ~(1 << u) if s.edition > 6 else -1  # A12.3
    board(s, u, move.vehicle, rides)
    s.place[u], s.cafp[u] = s.place[move.vehicle], s.cafp[move.vehicle]
    emit(s, "mounted", "D6.2" if rides else "D6.1", {**told(s, u), "other": move.vehicle})


# Unloading


def men_aboard(s: State, now: Drive) -> int:
    return sum(1 << u for u in passengers(s, now.unit) if s.stage.roster.men >> u & 1)


DISEMBARK: Bars[State, Drive] = Bars(
    Bar("D6.1", "the vehicle must be Stopped", not_stopped),
    Need("D6.1", "{unit} is not aboard", men_aboard),
    Bar("D6.1", "there are not enough MP left for it", quarter_dear(UNLOADING)),
    Bar("A3.2", "{unit} has fired in the Prep Fire Phase", lambda s, now: has_fired(s) if s.edition > 1 else 0),
    Bar("D6.1", "{unit} has mounted in this phase", lambda s, now: sum(1 << u for u in s.paces)),
    Doubt(
        "A5.1",
        "at most 3 squad equivalents and 4 single men may stay in a Location",
        lambda s, now, u: s.edition > 1 and overfull(s, now.here, s.phasing, 1 << u),
    ),
)


def disembark(s: State, f: DriverAt, u: int) -> None:
    """D6.1, AMB-85 1 MF, but no less than the share of the phase that the vehicle has used."""
    move = s.move
    assert move is not None
    pay(s, UNLOADING, load_price(s, move.vehicle))
    own = marching(s, u, False)
    share = -(-own * move.spent // max(1, allotment(s, move.vehicle)))
    s.paces[u] = max(HALF, min(own, share))
    set_down(s, u, move.vehicle)
    if moved_on(s, u):
        s.moved |= 1 << u
    emit(s, "dismounted", "D6.1", {**told(s, u), "other": move.vehicle})


def front_beside(s: State, vehicle: int) -> int:
    """F5.4252a the hexside on which the Crest front of those beside a Crest vehicle is centred."""
    v, h = s.cafp[vehicle], s.at[vehicle]
    return next((d for d in (v, (v + 1) % 6) if may_centre(s.stage.field, h, d)), v)


def set_down(s: State, u: int, vehicle: int) -> None:
    """A unit is beside its vehicle; F5.4252a from a Crest vehicle it is at the Crest on the same side."""
    leave(s, u)
    if s.edition > 6:
        recall_disarmed(s, vehicle)
    s.place[u], s.cafp[u] = afoot(s, vehicle), 0
    if s.place[vehicle] == Place.CREST:
        s.cafp[u] = front_beside(s, vehicle)
    if s.edition > 4:
        take_control(s, s.at[u], s.stage.roster.side[u])  # A26.1


# C10.1 Towing


def guns_here(s: State, now: Drive) -> int:
    roster = s.stage.roster
    found = s.here.get(now.here, 0) & roster.guns & roster.of_side[s.phasing] & ~s.mounted
    return sum(1 << g for g in units_of(found) if s.place[g] == afoot(s, now.unit))


def too_heavy(s: State, now: Drive, g: int) -> bool:
    gun = s.kind(g).gun
    return gun is None or now.kind.tow < 0 or now.kind.tow > gun.manhandling


HOOK: Bars[State, Drive] = Bars(
    Bar("C10.1", "the vehicle must be Stopped", not_stopped),
    Need("C10.1", "{weapon} is no Gun of this side here", guns_here),
    Bar("A3.2", "{weapon} has fired in the Prep Fire Phase", lambda s, now: has_fired(s) if s.edition > 4 else 0),
    Bar("C10.1", "it tows a Gun already", lambda s, now: ALL if towed_gun(s, now.unit) >= 0 else 0),
    Bar("C10.1", "that takes half of its MP", lambda s, now: ALL if now.left < half(s, now.unit) else 0),
    Bar(
        "F8.52b",
        "{weapon} must be pushed out of the sangar first",
        lambda s, now: sum(1 << g for g in units_of(guns_here(s, now)) if s.under[g] == UNDER_SANGAR),
    ),
    Doubt("C10.1", "it cannot tow {weapon}", too_heavy),
)


def too_many_guns(s: State, h: Hex) -> bool:
    """A5.1 whether two Guns of the phasing side stand in a Location already."""
    roster = s.stage.roster
    standing = s.here.get(h, 0) & roster.guns & roster.of_side[s.phasing] & ~s.mounted
    return s.edition > 1 and standing.bit_count() >= MOST_GUNS


UNHOOK: Bars[State, Drive] = Bars(
    Bar("C10.1", "the vehicle must be Stopped", not_stopped),
    Bar("A5.1", "at most 2 Guns may stay in a Location", lambda s, now: all_if(too_many_guns(s, now.here))),
    Need(
        "C10.1",
        "it does not tow {weapon}",
        lambda s, now: sum(1 << g for g in passengers(s, now.unit) if s.kind(g).kind == GUN),
    ),
    Bar("C10.1", "that takes half of its MP", lambda s, now: ALL if now.left < half(s, now.unit) else 0),
)


def hook(s: State, f: DriverAt, g: int) -> None:
    move = s.move
    assert move is not None
    spend(s, half(s, move.vehicle))
    s.holder[g] = -1
    s.emplaced &= ~(1 << g)
    s.limbered |= 1 << g
    s.aim.pop(g, None)
    board(s, g, move.vehicle)
    if s.edition > 6:  # A12.3, F2.3a what is moved, and no longer Emplaced, is seen
        s.hip &= ~(1 << g)
        s.concealed &= ~(1 << g)
    emit(s, "hooked", "C10.1", {**told(s, g), "other": move.vehicle})


def unhook(s: State, f: DriverAt, g: int) -> None:
    """C10.1 the Gun stands behind its vehicle, its CA to the rear; it has moved (C10.2)."""
    move = s.move
    assert move is not None
    spend(s, half(s, move.vehicle))
    leave(s, g)
    s.place[g] = afoot(s, move.vehicle)
    s.limbered &= ~(1 << g)
    s.moved |= 1 << g
    settle(s, g)
    s.vca[g] = (s.vca[move.vehicle] + 3) % 6
    if s.place[g] == Place.CREST and s.edition > 6:  # F5.43a, F5.43g on its vehicle's side, its CA across the rim
        s.cafp[g], s.vca[g] = front_beside(s, move.vehicle), s.cafp[move.vehicle]
    emit(s, "unhooked", "C10.1", {**told(s, g), "other": move.vehicle})


# D5.4 Abandoning


def abandon(s: State, f: DriverAt) -> None:
    """D5.4 the crew gets out; the vehicle stands abandoned."""
    move = s.move
    assert move is not None
    crew_leaves(s, move.vehicle)


def crew_leaves(s: State, u: int) -> None:
    """D5.4 the crew is a counter of its own beside its vehicle."""
    emit(s, "left_vehicle", "D5.4", told(s, u))
    crew = crew_counter(s, u)
    if crew >= 0:
        s.moved |= 1 << crew
        set_down(s, crew, u)
    s.abandoned |= 1 << u
    s.exposed &= ~(1 << u)
    leader = armor_leader(s, u) if s.edition > 6 else -1
    if leader >= 0:  # AMB-81 he is out of the battle with them
        leave(s, leader)
        put(s, leader, EXITED)


def leavers(s: State, u: int) -> bool:
    """D5.4 whether anybody could leave a vehicle: men aboard, or a crew that can act."""
    men_inside = any(s.stage.roster.men >> one & 1 for one in passengers(s, u))
    return men_inside or (crewed(s, u) and not inert(s) >> u & 1)


def parked(s: State, _: object) -> int:
    """C7.6, D5.4 Stopped vehicles of the phasing side that nobody can drive, and that somebody could leave."""
    if s.edition < 2:
        return 0
    held = all_vehicles(s, s.phasing) & (s.immobile | inert(s)) & ~s.motion
    return sum(1 << u for u in units_of(held) if leavers(s, u))


ALIGHT: Bars[State, object] = Bars(
    Need("D5.4", "{unit} is no vehicle that cannot be driven and that somebody could leave", parked),
    Bar("A3.3", "{unit} has moved", lambda s, _: s.moved),
)


# In the Advance Phase


def aboard_still(s: State, _: object) -> int:
    """D5.4 men of the phasing side in or on vehicles that are Stopped."""
    roster = s.stage.roster
    found = s.mounted & roster.men & roster.of_side[s.phasing]
    return sum(1 << u for u in units_of(found) if s.at[u] >= 0 and not s.motion >> s.aboard[u] & 1)


GET_OFF: Bars[State, object] = Bars(
    Need("D5.4", "{unit} is not aboard a Stopped vehicle", lambda s, _: aboard_still(s, _) if s.edition > 1 else 0),
    Bar("A10.41", "{unit} is broken", lambda s, _: s.broken),
    Bar("A7.8", "{unit} is pinned", lambda s, _: s.pinned),
    Doubt(
        "A5.1",
        "at most 3 squad equivalents and 4 single men may stay in a Location",
        lambda s, _, u: overfull(s, s.at[u], s.phasing, 1 << u),
    ),
)


def get_off(s: State, f: object, u: int) -> None:
    """D5.4 that is its advance."""
    vehicle = s.aboard[u]
    set_down(s, u, vehicle)
    s.routed |= 1 << u
    s.moved |= 1 << u if s.edition > 6 else 0  # A12.12, AMB-152
    emit(s, "dismounted", "D5.4", {**told(s, u), "other": vehicle})


def manned(s: State, _: object) -> int:
    """D5.4 Stopped vehicles of the phasing side whose crew can act."""
    if s.edition < 2:
        return 0
    found = all_vehicles(s, s.phasing) & ~(s.motion | inert(s))
    return sum(1 << u for u in units_of(found) if crewed(s, u))


LEAVE_BEHIND: Bars[State, object] = Bars(
    Need("D5.4", "{unit} is no Stopped vehicle with a crew that can act", manned),
    Doubt(
        "A5.1",
        "at most 3 squad equivalents and 4 single men may stay in a Location",
        lambda s, _, u: no_way_out(s, u) is not None,
    ),
)


def leave_behind(s: State, f: object, u: int) -> None:
    """D5.4 in the Advance Phase."""
    before = all_men(s, s.phasing)
    crew_leaves(s, u)
    s.routed |= all_men(s, s.phasing) & ~before


def no_abandon(s: State, now: Drive) -> Reason | None:
    if now.going:
        return Reason("D5.4", "the vehicle must be Stopped")
    if not crewed(s, now.unit):
        return Reason("D5.7", "it has no crew of its own")
    if inert(s) >> now.unit & 1:
        return Reason("D5.34", "the crew can do nothing now")
    if s.edition > 1 and crowded(s, now) and can_go(s, now):  # AMB-87
        return Reason("A5.1", "a Location holds one vehicle of a side at the end of the phase, and it can still go on")
    return no_way_out(s, now.unit)


def no_way_out(s: State, u: int) -> Reason | None:
    """A5.1, AMB-87 why the crew of a vehicle cannot get out where it stands."""
    there = equivalents(s, men(s, s.at[u], s.stage.roster.side[u]))
    if s.edition > 1 and there >= MOST_EQUIVALENTS:  # a crew is half a squad
        return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")
    return None


# C10.5 Portees


def no_unload(s: State, now: Drive) -> Reason | None:
    """C10.5 it takes a Stopped vehicle's whole MPh."""
    if s.kind(now.unit).id not in PORTEES:
        return Reason("C10.5", "it is no portee")
    if s.unloaded >> now.unit & 1:
        return Reason("C10.5", "its Gun has been unloaded")
    if now.going or now.move.spent:
        return Reason("C10.5", "unloading or loading a Gun takes a Stopped vehicle's whole Movement Phase")
    if not crewed(s, now.unit):
        return Reason("D5.4", "there is no crew to do it")
    if too_many_guns(s, now.here):
        return Reason("A5.1", "at most 2 Guns may stay in a Location")
    if spare_gun(s, now.unit) < 0 or not any(s.at[i] == SPARE for i in spares(s, now.unit)):
        return Reason("C10.5", "there is no counter left for the Gun or its crew")
    return None


def spares(s: State, u: int) -> tuple[int, ...]:
    roster = s.stage.roster
    return units_of(roster.spare & roster.of_side[roster.side[u]])


def spare_gun(s: State, u: int) -> int:
    """A Gun counter of the portee's kind that is not in play, -1 if there is none."""
    roster, wanted = s.stage.roster, PORTEES[s.kind(u).id]
    guns = units_of(roster.guns & roster.of_side[roster.side[u]])
    return next((g for g in guns if s.at[g] in (UNUSED, SPARE) and s.kind(g).id == wanted), -1)


def unload_gun(s: State, f: DriverAt) -> None:
    """C10.5 Gun and truck are separate counters; its crew mans the Gun (D5.1), which points to the truck's rear."""
    now = drive_of(s)
    u = now.unit
    gun, crew = spare_gun(s, u), crew_counter(s, u)
    put(s, gun, now.here)
    s.place[gun] = afoot(s, u)
    s.holder[gun] = crew
    s.vca[gun] = s.tca[gun] = (s.vca[u] + 3) % 6
    s.jammed |= 1 << gun if s.jam[u] & MA else 0
    s.empty[gun], s.empty[u] = s.empty[u], 0
    s.jam[u] &= ~MA
    s.off[u] |= MA
    s.aim.pop(u, None)
    s.unloaded |= 1 << u
    s.moved |= 1 << gun | 1 << crew
    emit(s, "gun_unloaded", "C10.5", {**told(s, gun), "other": u})
    now.move.over = 1
    spend(s, now.left)


def loadable(s: State, now: Drive) -> int:
    """C10.5 Guns of its kind in its Location that their crew mans, not in a sangar."""
    wanted = PORTEES.get(s.kind(now.unit).id, "")
    found = guns_here(s, now)
    return sum(
        1 << g
        for g in units_of(found)
        if s.kind(g).id == wanted
        and s.under[g] != UNDER_SANGAR
        and s.holder[g] >= 0
        and s.kind(s.holder[g]).kind == CREW
    )


LOAD_GUN: Bars[State, Drive] = Bars(
    Bar("C10.5", "it is no portee without its Gun", lambda s, now: 0 if s.unloaded >> now.unit & 1 else ALL),
    Bar(
        "C10.5",
        "unloading or loading a Gun takes a Stopped vehicle's whole Movement Phase",
        lambda s, now: ALL if now.going or now.move.spent else 0,
    ),
    Need("C10.5", "{weapon} is no Gun of its own here with a crew, or it lies in a sangar", loadable),
    Doubt(
        "A10.41",
        "the crew of {weapon} is broken, pinned or has moved",
        lambda s, now, g: bool((s.broken | s.pinned | s.moved | s.fired | has_fired(s)) >> s.holder[g] & 1),
    ),
)


def load_gun(s: State, f: DriverAt, g: int) -> None:
    """C10.5 the Gun is the MA of its truck again, and its crew Inherent."""
    now = drive_of(s)
    u, crew = now.unit, s.holder[g]
    emit(s, "gun_loaded", "C10.5", {**told(s, g), "other": u})
    s.jam[u] |= MA if s.jammed >> g & 1 else 0
    s.off[u] &= ~MA
    s.empty[u], s.empty[g] = s.empty[g], 0
    s.unloaded &= ~(1 << u)
    s.jammed &= ~(1 << g)
    s.holder[g] = -1
    for one in (g, crew):
        forget(s, one)
        put(s, one, SPARE)
    now.move.over = 1
    spend(s, now.left)
