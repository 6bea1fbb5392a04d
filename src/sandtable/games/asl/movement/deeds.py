"""What a mover does besides walking: A24.1 SMOKE grenades, A12.152 Search, A23.3 setting a DC, B11.4 Climbing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import ColoredDice, OneDie
from sandtable.mechanics.masks import hexes_in, units_of

from ..boards.locations import Place, Spot, elevation
from ..boards.terrain import LEVEL
from ..fire.attack import reveal
from ..fire.morale import bonus_of, lax, lose
from ..fire.sights import clear
from ..table import verbs
from ..table.ids import (
    F_CLIMB_ROLL,
    F_GRENADE_ROLL,
    F_MINES,
    F_SEARCH_ROLL,
    GRENADE,
    LEADER,
    MMC,
    PHASES,
)
from ..table.state import State, equivalents, men, put, weapons_of
from ..table.telling import emit
from ..works.mines import MinesAt, find_dummies, mined
from .arrival import arrive, uncover
from .points import HALF, cost, landing, left
from .walking import MoverAt, Walk, known_foes, lose_cover, out, spend, spend_all, too_few, walk_of

# A24.1 SMOKE grenades

OWN_HEX, NEXT_HEX = HALF, 2 * HALF
UP_TO_CREST = 2 * HALF  # B20.9
SPENT_DIE = 6


class GrenadeAt(NamedTuple):
    """The dr of a SMOKE grenade; `uphill` when it has been thrown and must still reach a higher hex."""

    frame: int
    unit: int
    hex: int
    uphill: int


def thrower(s: State, now: Walk) -> int:
    """Who of the movers throws: the one with the highest smoke exponent that has not tried, -1 if there is none."""
    able = [u for u in units_of(now.move.movers & ~s.lobbed) if s.kind(u).smoke]
    return max(able, key=lambda u: s.kind(u).smoke, default=-1)


def in_reach(s: State, now: Walk) -> int:
    """A24.1 its own hex and those ADJACENT: Accessible and in LOS."""
    near = [h for h in hexes_in(s.stage.field.accessible(now.here)) if clear(s, now.start, landing(s, h))]
    return out(s, sum(1 << h for h in near) | 1 << now.here)


def grenade_price(s: State, now: Walk, g: int) -> int:
    return OWN_HEX if s.stage.into[g] == now.here else NEXT_HEX


def throwers(s: State, now: Walk) -> int:
    """Any hex, while somebody can throw: the others need not be looked at."""
    return 0 if now.move.ended or thrower(s, now) < 0 else ALL


GRENADES: Bars[State, Walk] = Bars(
    Need("A24.1", "a grenade reaches its own hex or an ADJACENT one", in_reach),
    Bar("A24.1", "none of them has SMOKE grenades left to try", lambda s, now: -1 if thrower(s, now) < 0 else 0),
    Bar("A4.15", "their move is over", lambda s, now: -1 if now.move.ended else 0),
    Doubt(
        "A24.1", "there are not enough MF left for it", lambda s, now, g: grenade_price(s, now, g) > now.left - now.kept
    ),
)


def lob(s: State, f: MoverAt, g: int) -> None:
    now = walk_of(s)
    u = thrower(s, now)
    s.lobbed |= 1 << u
    spend(s, grenade_price(s, now, g), False)
    s.stack.append(GrenadeAt(F_GRENADE_ROLL, u, s.stage.into[g], 0))


def steep(s: State, here: Spot, h: Hex) -> bool:
    """A24.1 one full level higher; F6.21 a hillock never is."""
    return elevation(s.stage.field, landing(s, h)) - elevation(s.stage.field, here) >= LEVEL


class GrenadeRoll(OneDie[State, GrenadeAt]):
    """A24.1 not above the exponent it makes SMOKE until the end of the MPh; a 6 ends the thrower's move."""

    at = GrenadeAt

    def take(self, s: State, f: GrenadeAt, action: Action) -> None:
        s.stack.pop()
        die, u = action[1], f.unit
        limit = int(s.stage.pack.tables["smoke"]["grenade_uphill_dr"]) if f.uphill else s.kind(u).smoke
        done = die <= limit and s.at[u] >= 0
        here = Spot(s.at[u], Place(s.place[u]))
        further = done and not f.uphill and f.hex != s.at[u] and steep(s, here, f.hex)
        emit(s, "grenade", "A24.1", {"unit": u, "hex": f.hex, "die": die, "passed": done}, final=True)
        if further:
            s.stack.append(f._replace(uphill=1))
        elif done:
            s.smoke[f.hex] = s.smoke.get(f.hex, 0) | 1 << 2 * GRENADE + s.phasing
        if die == SPENT_DIE and not f.uphill:
            spend_all(s)

    def prompt(self, s: State, f: GrenadeAt) -> Prompt:
        return Prompt(Text("{unit} throws a SMOKE grenade", unit=f.unit), "", ("A24.1",), PHASES[s.phase])


# A12.152 Searching


class SearchAt(NamedTuple):
    """The dr of a Search; the hexes are taken clockwise from the first (AMB-92)."""

    frame: int
    first: int


def no_searchers(s: State, now: Walk) -> int:
    return -1 if not any(s.kind(u).kind in MMC for u in units_of(now.move.movers)) else 0


def searchers(s: State, now: Walk) -> int:
    """The same of a Search."""
    return 0 if now.move.ended or now.move.assault or now.left < HALF else ALL


SEARCH: Bars[State, Walk] = Bars(
    Need("A12.152", "an Accessible hex is searched", lambda s, now: out(s, s.stage.field.accessible(now.here))),
    Bar("A12.152", "only an MMC searches", no_searchers),
    Bar("A4.61", "Assault Movement leaves no MF for it", lambda s, now: -1 if now.move.assault else 0),
    Bar("A4.13", "it costs 1 MF, and none is left", lambda s, now: -1 if now.left < HALF or now.move.ended else 0),
)


def begin_search(s: State, f: MoverAt, g: int) -> None:
    assert s.move is not None
    spend(s, HALF, False)
    s.stack.append(SearchAt(F_SEARCH_ROLL, s.stage.into[g]))
    spend_all(s)
    s.ti |= s.move.movers  # A4.9


def search_drm(s: State, units: int) -> int:
    """A12.152 -1 for each half-squad beyond the first, leadership, +1 if CX or Lax."""
    leaders = [bonus_of(s, u) for u in units_of(units) if s.kind(u).kind == LEADER]
    drm = -max(0, equivalents(s, units) - 1) + min(leaders, default=0)
    return drm + bool(s.cx & units) + any(lax(s, u) for u in units_of(units))


class SearchRoll(OneDie[State, SearchAt]):
    """A12.152 so many of the hexes around stay unsearched; the others give up what is hidden in them."""

    at = SearchAt

    def take(self, s: State, f: SearchAt, action: Action) -> None:
        s.stack.pop()
        move = s.move
        assert move is not None
        able = sum(1 << u for u in units_of(move.movers) if s.at[u] >= 0) & ~s.broken
        if not able:
            return
        here = s.at[units_of(able)[0]]
        grid = s.stage.grid
        first = grid.direction(here, f.first)
        around = [grid.neighbour(here, (first + i) % 6) for i in range(6)]
        near = [h for h in around if h >= 0 and s.stage.field.accessible(here) >> h & 1]
        final = max(0, action[1] + search_drm(s, able))
        found = near[: max(0, len(near) - final)]
        facts = {"units": list(units_of(able)), "hexes": found, "die": action[1], "side": s.phasing, "hex": here}
        emit(s, "search", "A12.152", facts, final=True)
        for h in found:
            lay_bare(s, h)

    def prompt(self, s: State, f: SearchAt) -> Prompt:
        return Prompt("The Search", "", ("A12.152",), PHASES[s.phase])


def lay_bare(s: State, h: Hex) -> None:
    """Hidden units are placed under a "?", hidden works on the map; dummies come off (F.7Bb)."""
    roster = s.stage.roster
    theirs = s.here.get(h, 0) & roster.of_side[1 - s.phasing]
    uncover(s, theirs & roster.works)
    hidden = theirs & s.hip
    if hidden:
        s.hip &= ~hidden
        emit(s, "detected", "A12.152", {"hex": h, "side": s.phasing}, final=True)
    reveal(s, theirs & roster.dummies)
    find_dummies(s, h)


# A23.3 placing a Demolition Charge


def charges_of(s: State, now: Walk) -> list[int]:
    """The DC of those who move that are not placed yet."""
    held = [w for u in units_of(now.move.movers) for w in units_of(weapons_of(s, u))]
    return [w for w in held if s.kind(w).weapon == "DC" and w not in s.charges]


def at_rim(s: State, h: Hex) -> bool:
    """F5.41d whether a charge against a hex would be one against a Crest vehicle: only such enemies are there."""
    foes = enemies_in(s, h)
    return bool(foes) and all(s.stage.roster.vehicles >> u & 1 and s.place[u] == Place.CREST for u in units_of(foes))


def enemies_in(s: State, h: Hex) -> int:
    roster = s.stage.roster
    return s.here.get(h, 0) & roster.of_side[1 - s.phasing] & ~(s.hip | s.wreck | s.mounted) & ~roster.weapons


def set_price(s: State, now: Walk, h: Hex) -> int:
    """A23.3 the entry cost of the Location; F5.41d against a Crest vehicle the MF of gaining that Crest."""
    if not at_rim(s, h):
        return cost(s, now.start, landing(s, h), s.phasing)
    if h == now.here:
        return UP_TO_CREST
    d = s.stage.field.grid.direction(now.here, h)
    if now.start.place == Place.GROUND and not s.stage.field.side("wadi", now.here, d):
        return cost(s, now.start, Spot(h, Place.CREST), s.phasing)
    return cost(s, now.start, landing(s, h), s.phasing) + UP_TO_CREST


def charge_hexes(s: State, now: Walk) -> int:
    """A23.3 the hexes that a charge can be placed in: Accessible ones; F5.41d from IN a wadi its own rim."""
    near = s.stage.field.accessible(now.here)
    return near | 1 << now.here if now.start.place == Place.IN and at_rim(s, now.here) else near


def settings(s: State, f: MoverAt, now: Walk) -> list[tuple[int, ...]]:
    held = charges_of(s, now)
    if not held:
        return []
    numbers = s.stage.out
    near = [h for h in hexes_in(charge_hexes(s, now)) if h in numbers]
    return sorted((w, numbers[h]) for w in held for h in near if no_setting(s, f, now, (w, numbers[h])) is None)


def no_setting(s: State, f: MoverAt, now: Walk, args: Sequence[int]) -> Reason | None:
    w, g = args
    h = s.stage.into[g]
    if w not in charges_of(s, now):
        return Reason("A23.3", Text("none of them has {weapon} to place", weapon=w))
    if h < 0 or not charge_hexes(s, now) >> h & 1:
        return Reason("A23.3", "a DC is placed against an ADJACENT Location")
    there = Spot(h, Place.CREST) if at_rim(s, h) else landing(s, h)
    if h != now.here and not clear(s, now.start, there):
        return Reason("A23.3", "a DC is placed against an ADJACENT Location")
    if not enemies_in(s, h):
        return Reason("A23.3", "there is no enemy to place it against")
    return too_few(now, set_price(s, now, h))


def set_charge(s: State, f: MoverAt, w: int, g: int) -> None:
    """A23.3 it costs the MF of the target Location and goes off in the Advancing Fire Phase."""
    now, h = walk_of(s), s.stage.into[g]
    price = set_price(s, now, h)
    s.charges[w] = h
    emit(s, "charge_set", "A23.3", {"unit": w, "hex": h, "side": s.phasing})
    spend(s, price, False)


# B11.4 Climbing


class ClimbAt(NamedTuple):
    """The DR of a climb of one level."""

    frame: int
    hex: int
    made: int = 0
    """B28.41 it has succeeded, and the mines of the hex that they leave have had their say."""


def cliffs(s: State, now: Walk) -> int:
    """The hexes across a cliff."""
    field = s.stage.field
    sides = [(d, n) for d, n in field.grid.neighbours[now.here] if not field.accessible(now.here) >> n & 1]
    return out(s, sum(1 << n for _, n in sides))


def fresh(s: State, now: Walk) -> int:
    """The same of a climb."""
    return 0 if now.move.ended or now.move.spent or now.under else ALL


CLIMB: Bars[State, Walk] = Bars(
    Need("B11.4", "there is no cliff to climb", cliffs),
    Bar(
        "A4.14",
        "Infantry may not enter a hex of Known enemy Infantry in the Movement Phase",
        lambda s, now: known_foes(s, now) if s.edition > 6 else 0,
    ),
    Bar("B11.4", "a climb takes all MF", lambda s, now: -1 if now.move.spent or now.move.ended else 0),
    Bar("B11.4", "they lie in cover", lambda s, now: -1 if now.under else 0),
)


def begin_climb(s: State, f: MoverAt, g: int) -> None:
    """A4.62 it is Hazardous Movement, fired at before the dice fall."""
    assert s.move is not None
    s.move.hazardous = 1
    s.stack.append(ClimbAt(F_CLIMB_ROLL, s.stage.into[g]))
    halves = max(HALF, left(s))
    s.move.ended = 1
    spend(s, halves, False, True)


class ClimbRoll(ColoredDice[State, ClimbAt]):
    """B11.4 up to 9 one level, 10 and 11 nothing, 12 a fall to death."""

    at = ClimbAt

    def actor(self, s: State, f: ClimbAt) -> int | None:
        return None if f.made else super().actor(s, f)

    def run(self, s: State, f: ClimbAt) -> None:
        s.stack.pop()
        for u in units_of(climbers(s)):
            climb(s, u, f.hex)

    def take(self, s: State, f: ClimbAt, action: Action) -> None:
        s.stack.pop()
        able = climbers(s)
        original = action[1] + action[2]
        facts = {"units": list(units_of(able)), "hex": f.hex, "dice": list(action[1:]), "passed": original <= 9}
        emit(s, "climb", "B11.4", {**facts, "side": s.phasing}, final=True)
        here = s.at[units_of(able)[0]] if able else -1
        if original <= 9 and s.edition > 6 and able and mined(s, here) and tops(s, units_of(able)[0], f.hex):
            s.stack += [f._replace(made=1), MinesAt(F_MINES, here, able)]
            return
        for u in units_of(able):
            if original == 12:
                lose(s, u, "B11.4")
            elif original <= 9:
                climb(s, u, f.hex)

    def prompt(self, s: State, f: ClimbAt) -> Prompt:
        return Prompt("The climb", "", ("B11.4",), PHASES[s.phase])


def climbers(s: State) -> int:
    """Those of the movers who are able to climb."""
    assert s.move is not None
    return sum(1 << u for u in units_of(s.move.movers) if s.at[u] >= 0) & ~(s.broken | s.pinned)


def tops(s: State, u: int, h: Hex) -> bool:
    """F5.3b whether one level more is the height of the hex beyond."""
    here, field = Spot(s.at[u], Place(s.place[u])), s.stage.field
    return s.climbs.get(u, 0) + LEVEL >= abs(elevation(field, landing(s, h)) - elevation(field, here))


def climb(s: State, u: int, h: Hex) -> None:
    """F5.3b level by level; whoever has reached the height of the hex beyond is in it."""
    if not tops(s, u, h):
        s.climbs[u] = s.climbs.get(u, 0) + LEVEL
        return
    s.climbs.pop(u, None)
    side, roster = s.stage.roster.side[u], s.stage.roster
    if s.edition > 6:  # A12.11, A12.15 as whoever enters
        reveal(s, s.here.get(h, 0) & roster.dummies & roster.of_side[1 - side])
    foes = men(s, h, 1 - side)
    if foes:
        if foes & s.hip and s.edition > 6:
            s.hip &= ~foes
            emit(s, "detected", "A12.15", {"hex": h, "units": [u], "side": side}, final=True)
        return
    put(s, u, h)
    s.place[u] = landing(s, h).place
    if s.edition > 5:  # A7.7, B9.32; B26.4, B28.41 what meets whoever comes
        s.encircled &= ~(1 << u)
        s.walled &= ~(1 << u)
        arrive(s, h, 1 << u)
    if s.edition > 6:  # A12.14b
        lose_cover(s)


FRAMES: dict[int, Frame[State, Any]] = {
    F_GRENADE_ROLL: GrenadeRoll(verbs.FELL),
    F_SEARCH_ROLL: SearchRoll(verbs.FELL),
    F_CLIMB_ROLL: ClimbRoll(verbs.ROLLED),
}
