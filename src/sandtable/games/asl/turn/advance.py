"""A3.7 The Advance Phase: Good Order Infantry goes one Location further, and into Close Combat."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Each, Listed, Once, Phase

from ..boards.locations import Place, Spot, crest_front, may_centre
from ..fire.attack import reveal, seen_firing
from ..fire.morale import CheckAt
from ..fire.protection import in_the_open
from ..movement.arrival import arrive
from ..movement.exits import edge_of, edges_of, leave_map
from ..movement.points import HALF, NEVER, allotment, cost, landing, overfull, thorny
from ..table import verbs
from ..table.captives import take_control
from ..table.ids import ABOVE, F_ADVANCE, F_CHECK, F_MINES, F_PAATC, ON_WIRE, PHASES, PTC
from ..table.state import State, all_men, gun_of, men, put, vehicles
from ..table.telling import tell
from ..table.works import has_wire, shelter_for, spot
from ..vehicles.loads import GET_OFF, LEAVE_BEHIND, get_off, leave_behind
from ..works.mines import MinesAt, mined

OFF_MAP = -1
"""Where who leaves the map goes."""


class AdvanceAt(NamedTuple):
    """The Advance Phase."""

    frame: int


WHO: Bars[State, object] = Bars(
    Need("A3.7", "{unit} is not one of the Infantry that advances now", lambda s, _: all_men(s, s.phasing)),
    Bar("A10.41", "{unit} is broken", lambda s, _: s.broken),
    Bar("A7.8", "{unit} is pinned", lambda s, _: s.pinned),
    Bar("A11.15", "{unit} is held in Melee", lambda s, _: s.melee),
    Bar("A3.7", "{unit} has advanced", lambda s, _: s.routed),
    Bar("A4.9", "{unit} is busy in this Player Turn", lambda s, _: s.ti),
    Bar("B26.4", "{unit} is on wire and gets off it in a Movement Phase alone", lambda s, _: entangled(s)),
)


def entangled(s: State) -> int:
    """B26.4 who is on top of wire."""
    if s.edition < 3 or ON_WIRE not in s.under:
        return 0
    return sum(1 << u for u in units_of(all_men(s, s.phasing)) if s.under[u] == ON_WIRE)


def exhausting(s: State, u: int, h: Hex, crest: bool = False) -> bool:
    """A4.72 whether entering it would take all its MF, and at least 4; F13.3a a cactus hedge always does."""
    if thorny(s, s.at[u], h):
        return True
    price = cost(s, spot(s, u), Spot(h, Place.CREST) if crest else landing(s, h), s.phasing)
    return 4 * HALF <= price < NEVER and price >= allotment(s, u, False)


def ways(s: State, f: AdvanceAt, now: object) -> list[tuple[int, int]]:
    out, kinds = s.stage.out, s.type
    found = []
    full: dict[tuple[int, Hex], bool] = {}  # where one of a type has room, all of them have
    for u in units_of(WHO.free(all_men(s, s.phasing), s, None)):
        if s.place[u] == Place.CREST and s.edition > 2:  # AMB-90 down into the bed
            found.append((u, out[s.at[u]]))
        for h in hexes_in(s.stage.field.accessible(s.at[u])):
            if h not in out or off_its_front(s, u, h):
                continue
            key = (kinds[u], h)
            if key not in full:
                full[key] = overfull(s, h, s.phasing, 1 << u)
            if not full[key] and not (s.cx >> u & 1 and exhausting(s, u, h)):
                found.append((u, out[h]))
    return sorted(found)


def why(s: State, f: AdvanceAt, now: object, args: Any) -> Reason | None:
    u, g = args
    reason = WHO.why(u, s, None, {"unit": u})
    if reason is not None:
        return reason
    h = s.stage.into[g]
    if h == s.at[u] and s.place[u] == Place.CREST and s.edition > 2:
        return None
    if h < 0 or not s.stage.field.accessible(s.at[u]) >> h & 1:
        return Reason("A3.7", Text("{unit} advances one Location, to one that is Accessible", unit=u))
    if off_its_front(s, u, h):
        return Reason("B20.9", "from the Crest they leave across its front, or go down first")
    if overfull(s, h, s.phasing, 1 << u):
        return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")
    if exhausting(s, u, h) and s.cx >> u & 1:
        return Reason("A4.72", Text("that would take all the strength of {unit}, and it is CX", unit=u))
    return None


def off_its_front(s: State, u: int, h: Hex) -> bool:
    """AMB-90 whether it would leave a Crest otherwise than across its front."""
    if s.place[u] != Place.CREST or s.edition < 3:
        return False
    field = s.stage.field
    return field.grid.direction(s.at[u], h) not in crest_front(field, s.at[u], s.cafp[u])


# B20.9 to the Crest


def crest_ways(s: State, f: AdvanceAt, now: object) -> list[tuple[int, ...]]:
    """Every unit that could advance to a Crest, with the hex and the middle of its front."""
    field, out = s.stage.field, s.stage.out
    if s.edition < 3 or not field.form["wadi"]:
        return []
    found: list[tuple[int, ...]] = []
    for u in units_of(WHO.free(all_men(s, s.phasing), s, None)):
        near = (field.accessible(s.at[u]) | 1 << s.at[u]) & field.form["wadi"]
        for h in hexes_in(near):
            found += [(u, out[h], d) for d in range(6) if h in out and why_crest(s, u, h, d) is None]
    return sorted(found)


def no_crest(s: State, f: AdvanceAt, now: object, args: Any) -> Reason | None:
    u, g, d = args
    reason = WHO.why(u, s, None, {"unit": u})
    if reason is not None:
        return reason
    h = s.stage.into[g]
    if s.edition < 3 or h < 0 or not (s.stage.field.accessible(s.at[u]) | 1 << s.at[u]) >> h & 1:
        return Reason("A3.7", Text("{unit} advances one Location, to one that is Accessible", unit=u))
    return why_crest(s, u, h, d)


def why_crest(s: State, u: int, h: Hex, d: int) -> Reason | None:
    """B20.9 from IN the wadi, or from outside across a hexside that is not the wadi's own."""
    field, here = s.stage.field, s.at[u]
    if not field.has("wadi", h):
        return Reason("B20.9", "there is no wadi")
    if not may_centre(field, h, d):
        return Reason("F5.4b", "no Crest front may be centred on that hexside")
    if s.under[u]:
        return Reason("F8.6a", "they must come out of cover first: Crest is not entered directly")
    if h == here:
        if gun_of(s, u) >= 0:
            return Reason("C2.1", "they man a Gun already")
        return None if s.place[u] == Place.IN else Reason("B20.9", "only who is IN the wadi climbs to its Crest")
    back = field.grid.direction(h, here)
    if s.place[u] != Place.GROUND or field.side("wadi", h, back):
        return Reason("B20.9", "from outside the Crest is taken across a hexside that is not the wadi's own")
    if back != d:
        return Reason("B20.9", "the front is the hexside that is crossed")
    if overfull(s, h, s.phasing, 1 << u):
        return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")
    if s.cx >> u & 1 and exhausting(s, u, h, True):
        return Reason("A4.72", Text("that would take all the strength of {unit}, and it is CX", unit=u))
    return None


class OnAt(NamedTuple):
    """A11.6 a unit that has to pass its PAATC advances unless it is pinned by it."""

    frame: int
    unit: int
    hex: int
    crest: int = -1
    """B20.9 the middle of the front that it takes, -1 if it goes to no Crest."""
    mines: int = 0
    """B28.41 whether the mines of its hex have still to attack it, now that it goes."""


def feared(s: State, h: Hex) -> bool:
    """A11.6 whether an unconcealed enemy AFV is there."""
    there = vehicles(s, h, 1 - s.phasing) & ~s.concealed
    return any((made := s.kind(v).vehicle) is not None and made.armoured for v in units_of(there))


def go(s: State, f: AdvanceAt, u: int, g: int, d: int = -1) -> None:
    """A11.6 whoever would advance upon an AFV takes a NTC first, and is pinned where it is if it fails."""
    h, here = s.stage.into[g], s.at[u]
    if h == here:
        within(s, u, d)
        return
    leaves_mines = s.edition > 2 and mined(s, here)  # B28.41
    if not feared(s, h) and not leaves_mines:
        advance_to(s, u, h, d)
        return
    s.routed |= 1 << u
    checked = feared(s, h)
    s.stack.append(OnAt(F_PAATC, u, h, d, int(leaves_mines and checked and s.edition > 6)))
    if leaves_mines and not (checked and s.edition > 6):
        s.stack.append(MinesAt(F_MINES, here, 1 << u))
    if checked:
        s.stack.append(CheckAt(F_CHECK, u, PTC, 0))


class On(Frame[State, OnAt]):
    """A11.6"""

    at = OnAt

    def run(self, s: State, f: OnAt) -> None:
        s.stack.pop()
        u = f.unit
        if s.at[u] < 0 or (s.pinned | s.broken) >> u & 1:
            return
        if f.mines:  # whom the tank has pinned does not leave, and meets none
            s.stack += [f._replace(mines=0), MinesAt(F_MINES, s.at[u], 1 << u)]
        elif f.hex < 0:
            leave_map(s, 1 << u, edge_of(s, s.at[u], s.phasing))
        else:
            advance_to(s, u, f.hex, f.crest)


def within(s: State, u: int, d: int) -> None:
    """B20.9 in its own wadi hex, up to the Crest or down from it (AMB-90)."""
    s.place[u], s.cafp[u] = (Place.CREST, d) if d >= 0 else (Place.IN, 0)
    s.routed |= 1 << u
    s.moved |= 1 << u if s.edition > 5 else 0  # A12.12, AMB-152
    s.encircled &= ~(1 << u)
    tell(s, "took_crest" if d >= 0 else "went_down", "B20.9", 1 << u, s.phasing, {"hex": s.at[u]})


def advance_to(s: State, u: int, h: Hex, d: int = -1) -> None:
    """A4.72 no MF are spent; A12.14 a unit that meets the enemy is seen, and sees."""
    here = s.at[u]
    if exhausting(s, u, h, d >= 0):
        s.cx |= 1 << u
    put(s, u, h)
    s.under[u], s.place[u] = ABOVE, Place.CREST if d >= 0 else landing(s, h).place
    s.cafp[u] = max(0, d)
    s.walled &= ~(1 << u)
    s.encircled &= ~(1 << u)
    s.routed |= 1 << u
    s.moved |= 1 << u if s.edition > 4 else 0  # A12.12
    tell(s, "advanced_to", "A3.7", 1 << u, s.phasing, {"from": here, "to": h})
    foes = men(s, h, 1 - s.phasing)
    s.hip &= ~(foes | 1 << u)  # A12.3
    if s.edition > 2 and s.concealed >> u & 1 and in_the_open(s, u) and seen_firing(s, s.phasing, 1 << u):
        reveal(s, 1 << u, "A12.14b")  # it has entered Open Ground
    dummies = s.here.get(h, 0) & s.stage.roster.dummies & s.stage.roster.of_side[1 - s.phasing]
    if dummies:
        reveal(s, dummies)
    if not foes:
        if not has_wire(s, h) and d < 0:
            s.under[u] = shelter_for(s, h, 1 << u, s.phasing)
        take_control(s, h, s.phasing)
    arrive(s, h, 1 << u)


def at_edge(s: State, _: object) -> int:
    return sum(1 << u for u in units_of(all_men(s, s.phasing)) if edges_of(s, s.at[u]))


OFF: Bars[State, object] = Bars(WHO, Need("A2.6", "{unit} is not at the edge of the map", at_edge))


def go_off(s: State, f: AdvanceAt, u: int) -> None:
    """A2.6; B28.41 the mines of its hex attack whoever leaves it."""
    if s.edition > 6 and mined(s, s.at[u]):
        s.routed |= 1 << u
        s.stack.append(OnAt(F_PAATC, u, OFF_MAP, mines=1))
    else:
        leave_map(s, 1 << u, edge_of(s, s.at[u], s.phasing))


def end(s: State, f: AdvanceAt) -> None:
    s.routed = 0
    s.stack.pop()


class Advance(Phase[State, AdvanceAt, object]):
    """A3.7"""

    at = AdvanceAt
    does = (
        Listed(verbs.ADVANCE, of=ways, reason=why, take=go),
        Listed(verbs.ADVANCE_CREST, of=crest_ways, reason=no_crest, take=go),
        Each(verbs.EXIT_FROM, bars=OFF, take=go_off),
        Each(verbs.GET_OFF, bars=GET_OFF, take=get_off),
        Each(verbs.LEAVE_BEHIND, bars=LEAVE_BEHIND, take=leave_behind),
        Once(verbs.END_ADVANCE, take=end),
    )

    def now(self, s: State, f: AdvanceAt) -> object:
        return None

    def actor(self, s: State, f: AdvanceAt) -> int | None:
        return s.phasing

    def prompt(self, s: State, f: AdvanceAt) -> Prompt:
        return Prompt("Advance Phase", "Each unit may advance one hex", ("A3.7", "A11.1"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_ADVANCE: Advance(), F_PAATC: On()}
