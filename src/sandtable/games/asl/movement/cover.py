"""B20, B26, B27, F8 What a mover does with the ground it stands on: entrenchments, the Crest of a wadi, wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.locations import Place, Spot, crest_front, elevation, may_centre
from ..fire.morale import deploy
from ..table import verbs
from ..table.ids import ABOVE, BENEATH, F_WIRE_ROLL, ON_WIRE, PHASES, SPARE, SQUAD, UNDER_SANGAR, UNDER_TRENCH
from ..table.state import State, equivalents, gun_of, men
from ..table.telling import emit, tell
from ..table.works import WORK, room, shelter_for, shelters, works_in
from .points import HALF, cost, landing, left, thorny
from .walking import MoverAt, Walk, spend, spend_all, too_few, walk_of

UP_TO_CREST = 2 * HALF  # B20.9
DOWN_FROM_CREST = HALF  # AMB-90
LINKED = (UNDER_TRENCH, UNDER_SANGAR)


def _spare(now: Walk) -> int:
    """A4.61 what had to be left before a fraction of a MF was enough."""
    return HALF if now.move.assault and not now.kept else 0


# B27.3, F8.1 going beneath and coming out


def no_cover(s: State, now: Walk) -> Reason | None:
    if not shelters(s, now.here):
        return Reason("B27.3", "there is no entrenchment here")
    if now.under in BENEATH:
        return Reason("B27.3", "they are beneath it already")
    if now.under == ON_WIRE:
        return Reason("B26.4", "they are on the wire")
    if not shelter_for(s, now.here, now.move.movers, s.phasing) and not to_the_gun(s, now):
        sangar = shelters(s, now.here) == [UNDER_SANGAR]
        return Reason("F8.3a" if sangar else "B27.44", "there is no room left beneath it")
    return too_few(now, HALF)


def to_the_gun(s: State, now: Walk) -> bool:
    """F8.3d whether a squad would Deploy to send half of it to the Gun in a sangar."""
    u, roster = units_of(now.move.movers)[0], s.stage.roster
    if now.move.movers != 1 << u or s.kind(u).kind != SQUAD or not s.kind(u).half:
        return False
    guns = s.here.get(now.here, 0) & roster.guns & roster.of_side[s.phasing]
    box = [i for i in units_of(roster.spare & roster.of_side[s.phasing]) if s.at[i] == SPARE]
    sheltered = any(s.under[g] == UNDER_SANGAR for g in units_of(guns))
    return sheltered and bool(box) and room(s, now.here, UNDER_SANGAR, s.phasing) == 1


def beneath(s: State, f: MoverAt) -> None:
    """B27.3 1 MF to go beneath it; F8.3d a squad that goes to a Gun in a sangar Deploys, whoever it is."""
    move = s.move
    assert move is not None
    now = walk_of(s)
    h = s.at[units_of(move.movers)[0]]
    under = shelter_for(s, h, move.movers, s.phasing)
    if not under and to_the_gun(s, now):
        u = units_of(move.movers)[0]
        before = s.here[h]
        deploy(s, u)
        s.moved |= s.here[h] & ~before
        under = UNDER_SANGAR
    for u in units_of(move.movers):
        s.under[u] = under
    s.walled &= ~move.movers if s.edition > 4 else -1  # AMB-100
    tell(s, "took_cover", "B27.3", move.movers, s.phasing, {"hex": h})
    spend(s, HALF, False)


def not_beneath(s: State, now: Walk) -> Reason | None:
    if now.under not in BENEATH:
        return Reason("B27.3", "they lie beneath no entrenchment")
    return too_few(now, HALF)


def come_out(s: State, f: MoverAt) -> None:
    move = s.move
    assert move is not None
    for u in units_of(move.movers):
        s.under[u] = ABOVE
    tell(s, "came_out", "B27.3", move.movers, s.phasing, {"hex": s.at[units_of(move.movers)[0]]})
    spend(s, HALF, False)


def straight_down(s: State, now: Walk, end: Spot) -> bool:
    """F8.6a from a trench or sangar Infantry goes directly into an Accessible lower Location."""
    return now.under in LINKED and elevation(s.stage.field, end) < elevation(s.stage.field, now.start)


# B27.5, F8.6 from cover to cover


def dives(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    """The hexes with an entrenchment that the movers may go beneath directly."""
    if now.move.ended:
        return []
    numbers = s.stage.out
    near = [h for h in hexes_in(s.stage.field.accessible(now.here)) if h in numbers]
    return sorted((numbers[h],) for h in near if why_dive(s, now, h) is None)


def linked(s: State, now: Walk, h: Hex) -> list[int]:
    """What the movers may go beneath directly."""
    return joined(s, now.start, now.under, h, s.phasing)


def joined(s: State, start: Spot, under: int, h: Hex, side: int) -> list[int]:
    """The same for one of a side who lies so: F8.6c from a trench a trench or sangar, from a sangar a trench; F8.6b
    from below whatever is their side's, or in a hex that it Controls."""
    if under not in (ABOVE, *LINKED) and s.edition > 6:  # B27.3, B26.4 out of the foxhole, or off the wire, first
        return []
    kinds = [kind for kind in shelters(s, h) if kind in LINKED]
    upward = elevation(s.stage.field, landing(s, h)) > elevation(s.stage.field, start)
    own = works_in(s, h, *(WORK[kind] for kind in kinds)) & s.stage.roster.of_side[side] or held_by(s, h, side)
    if under == UNDER_TRENCH or (upward and own and start.place != Place.CREST):
        return kinds
    return [kind for kind in kinds if under == UNDER_SANGAR and kind == UNDER_TRENCH]


def why_dive(s: State, now: Walk, h: Hex) -> Reason | None:
    if not any(under in LINKED for under in shelters(s, h)):
        return Reason("F8.6c", "there is neither a trench nor a sangar to go beneath")
    end, kinds = landing(s, h), linked(s, now, h)
    if not kinds:
        return Reason("F8.6b", "only between a trench and a trench or sangar, or from below into one's own")
    if men(s, h, 1 - s.phasing) & ~s.concealed:
        return Reason("A4.14", "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase")
    if thorny(s, now.here, h):
        return Reason("F13.3a", "a cactus hedge is crossed by a Minimum Move, a Low Crawl or an advance alone")
    if not any(room(s, h, under, s.phasing) >= equivalents(s, now.move.movers) for under in kinds):
        return Reason("F8.6e", "it is full")
    if now.move.assault and now.move.entered:
        return Reason("A4.61", "Assault Movement enters one Location only")
    return too_few(now, cost(s, now.start, end, s.phasing) + _spare(now))


def held_by(s: State, h: Hex, side: int) -> bool:
    """Whether a side controls a hex."""
    return bool(s.control >> h & 1) == bool(side)


def no_dive(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    h = s.stage.into[args[0]]
    if h < 0 or not s.stage.field.accessible(now.here) >> h & 1:
        return Reason("F8.6c", "it is not Accessible from here")
    return too_few(now, 0) or why_dive(s, now, h)


def dive_to(s: State, h: Hex) -> int:
    """What they come to lie beneath."""
    now = walk_of(s)
    size = equivalents(s, now.move.movers)
    return next(u for u in linked(s, now, h) if room(s, h, u, s.phasing) >= size)


# B20.9 the Crest


def crests(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    """Every hex and hexside at which the movers may take Crest status."""
    numbers, found = s.stage.out, []
    for h in [now.here, *hexes_in(s.stage.field.accessible(now.here))]:
        if h in numbers and s.stage.field.has("wadi", h):
            found += [(numbers[h], d) for d in range(6) if why_crest(s, now, h, d) is None]
    return sorted(found)


def why_crest(s: State, now: Walk, h: Hex, d: int) -> Reason | None:
    field = s.stage.field
    if not may_centre(field, h, d):
        return Reason("F5.4b", "no Crest front may be centred on that hexside")
    if now.under:
        return Reason("F8.6a", "they must come out of cover first: Crest is not entered directly")
    if h == now.here:
        if now.start.place != Place.IN:
            return Reason("B20.9", "only who is IN the wadi climbs to its Crest")
        return too_few(now, UP_TO_CREST + _spare(now))
    back = field.grid.direction(h, now.here)
    if now.start.place != Place.GROUND or field.side("wadi", h, back):
        return Reason("B20.9", "from outside the Crest is taken across a hexside that is not the wadi's own")
    if back != d:
        return Reason("B20.9", "the front is the hexside that is crossed")
    if thorny(s, now.here, h):
        return Reason("F13.3a", "a cactus hedge is crossed by a Minimum Move, a Low Crawl or an advance alone")
    if men(s, h, 1 - s.phasing) & ~s.concealed:
        return Reason("A4.14", "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase")
    if now.move.assault and now.move.entered:
        return Reason("A4.61", "Assault Movement enters one Location only")
    return too_few(now, cost(s, now.start, Spot(h, Place.CREST), s.phasing) + _spare(now))


def no_crest(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    g, d = args
    h = s.stage.into[g]
    if h < 0 or not (s.stage.field.accessible(now.here) | 1 << now.here) >> h & 1:
        return Reason("B20.9", "it is not Accessible from here")
    if not s.stage.field.has("wadi", h):
        return Reason("B20.9", "there is no wadi")
    return too_few(now, 0) or why_crest(s, now, h, d)


def take_crest(s: State, d: int, units: int) -> None:
    """B20.9; F5.43a the Gun that they man is at the rim with them, and stays there (F5.43b)."""
    for u in units_of(units):
        for one in {u, gun_of(s, u)} - {-1}:
            s.place[one] = Place.CREST
            s.cafp[one] = d
            s.emplaced &= ~(1 << one)  # C11.2, F5.43f


def climb_crest(s: State, d: int) -> None:
    """B20.9 from IN the wadi for 2 MF."""
    move = s.move
    assert move is not None
    take_crest(s, d, move.movers)
    s.walled &= ~move.movers if s.edition > 4 else -1  # AMB-100
    tell(s, "took_crest", "B20.9", move.movers, s.phasing, {"hex": s.at[units_of(move.movers)[0]]})
    spend(s, UP_TO_CREST, False)


def no_descent(s: State, now: Walk) -> Reason | None:
    if now.start.place != Place.CREST:
        return Reason("B20.9", "they have no Crest status")
    return too_few(now, DOWN_FROM_CREST)


def descend(s: State, f: MoverAt) -> None:
    """AMB-90 from the Crest IN the same wadi hex for 1 MF."""
    move = s.move
    assert move is not None
    for u in units_of(move.movers):
        s.place[u] = Place.IN
    tell(s, "went_down", "B20.9", move.movers, s.phasing, {"hex": s.at[units_of(move.movers)[0]]})
    spend(s, DOWN_FROM_CREST, False)


def leaves_crest_wrongly(s: State, now: Walk, h: Hex) -> bool:
    """B20.9 from the Crest one leaves across the front; elsewhere one has to go IN first."""
    if now.start.place != Place.CREST:
        return False
    field = s.stage.field
    return field.grid.direction(now.here, h) not in crest_front(field, now.here, s.cafp[units_of(now.move.movers)[0]])


# B26.4 wire


class WireAt(NamedTuple):
    """The dr of MF that it takes to get beneath the wire."""

    frame: int


def no_wire(s: State, now: Walk) -> Reason | None:
    if now.under != ON_WIRE:
        return Reason("B26.4", "they are not on wire")
    if now.move.spent:
        return Reason("B26.4", "they stopped on the wire: it takes a later Movement Phase")
    return too_few(now, HALF)


def cross_wire(s: State, f: MoverAt) -> None:
    s.stack.append(WireAt(F_WIRE_ROLL))


class WireRoll(OneDie[State, WireAt]):
    """B26.4, AMB-54 the die is the cost; if it is more than they have, they spend everything and stay on top."""

    at = WireAt

    def take(self, s: State, f: WireAt, action: Action) -> None:
        s.stack.pop()
        move = s.move
        assert move is not None
        halves = HALF * action[1]
        through = halves <= left(s)
        facts = {"units": list(units_of(move.movers)), "die": action[1], "passed": through}
        emit(s, "wire", "B26.4", {**facts, "hex": move.hex, "side": s.phasing}, final=True)
        if not through:
            spend_all(s)
            spend(s, 0, False)
            return
        for u in units_of(move.movers):
            s.under[u] = ABOVE
        spend(s, halves, False)

    def prompt(self, s: State, f: WireAt) -> Prompt:
        return Prompt(Text("What the wire costs"), "", ("B26.4",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_WIRE_ROLL: WireRoll(verbs.FELL)}
