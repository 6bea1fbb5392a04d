"""A10.5 The Rout Phase: broken units run from the enemy, the phasing side's first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.phases import Each, Elsewhere, Listed, Once, Phase

from ..boards.climate import desert_boards
from ..fire.air import interdict
from ..fire.crews import known_unbroken
from ..fire.morale import lose
from ..fire.sights import adjacent, sees
from ..movement.arrival import arrive
from ..movement.points import HALF, capacity, cost, landing, overfull, thorny, weight
from ..table import verbs
from ..table.captives import capture, room_for
from ..table.ids import (
    ABOVE,
    BENEATH,
    F_FLIGHT,
    F_MINES,
    F_ROUTER,
    F_ROUTS,
    F_SURRENDER,
    MMC,
    ON_WIRE,
    PHASES,
)
from ..table.state import State, all_men, drop, good_order, known_enemies, men, put, weapons_of
from ..table.telling import emit, tell
from ..table.works import shelter_for, shelters, spot
from ..works.mines import MinesAt, mined
from .flight import (
    RouterAt,
    above_ground,
    climb_out,
    must,
    near,
    onto_cover,
    open_hexes,
    pace,
    presses,
    refuges,
    threat,
    threatens,
    tunnels,
    ways,
)


class RoutsAt(NamedTuple):
    """The Rout Phase of one side."""

    frame: int
    side: int


class SurrenderAt(NamedTuple):
    """A25.61 whether an Italian unit that cannot rout gives itself up."""

    frame: int
    unit: int


RUNS, CRAWLS, BURROWS = range(3)


class FlightAt(NamedTuple):
    """B28.41 a router whom the mines of the hex that it leaves have attacked."""

    frame: int
    unit: int
    hex: int
    how: int
    """RUNS, CRAWLS or BURROWS."""


def stuck(s: State, u: int) -> bool:
    f = RouterAt(F_ROUTER, u, 0, 0, s.under[u] if s.edition > 4 else ABOVE)
    return not (crawls(s, f) if s.disrupted >> u & 1 and s.edition > 4 else ways(s, f))


def crawls(s: State, f: RouterAt) -> int:
    """A10.501, A10.52 where it may crawl: not to end ADJACENT to a Known unbroken enemy."""
    return ways(s, f) & ~near(s, s.stage.roster.side[f.unit])


def gives_up(s: State, u: int) -> bool:
    """A19.12 a Disrupted unit surrenders to an ADJACENT Good Order enemy MMC."""
    return bool(s.disrupted >> u & 1) and captor_of(s, u) >= 0


ROUT: Bars[State, RoutsAt] = Bars(
    Need("A10.5", "{unit} is not one of the Infantry that routs now", lambda s, f: all_men(s, f.side)),
    Need("A10.5", "{unit} is not broken", lambda s, f: s.broken),
    Bar("A11.15", "{unit} is held in Melee", lambda s, f: s.melee),
    Bar("A10.5", "{unit} has routed", lambda s, f: s.routed),
    Doubt(
        "A19.12",
        "{unit} is Disrupted and surrenders to the enemy beside it",
        lambda s, f, u: gives_up(s, u),
    ),
    Doubt("A10.5", "{unit} is neither DM nor made to rout", lambda s, f, u: not s.dm >> u & 1 and not must(s, u)),
    Doubt("A10.51", "there is no hex that {unit} may rout to", lambda s, f, u: stuck(s, u)),
)


def forced(s: State, f: RoutsAt) -> int:
    """Those who must rout and have not."""
    waiting = all_men(s, f.side) & s.broken & ~(s.melee | s.routed)
    return sum(1 << u for u in units_of(waiting) if must(s, u))


STAY: Bars[State, RoutsAt] = Bars(
    Need("A10.54", "{unit} need not rout", forced),
    Doubt("A10.5", "{unit} can rout, so it must", lambda s, f, u: not gives_up(s, u) and not stuck(s, u)),
)


def begin(s: State, f: RoutsAt, u: int) -> None:
    """A10.501 what it cannot carry is left; it comes out of its sangar."""
    s.routed |= 1 << u
    under, s.under[u] = s.under[u] if s.edition > 4 else ABOVE, ABOVE
    held = sorted(units_of(weapons_of(s, u)), key=lambda w: (weight(s, w), w))
    while held and sum(weight(s, w) for w in held) > capacity(s, u):
        drop(s, held.pop(), s.at[u])
    s.stack.append(RouterAt(F_ROUTER, u, 0, 1, under))


def fail(s: State, f: RoutsAt, u: int) -> None:
    """A10.54, A20.21, A25.61, F.1Cc a unit that must rout and cannot: it surrenders, is lost, or lies low."""
    s.routed |= 1 << u
    captor = captor_of(s, u)
    if captor >= 0:
        capture(s, u, captor, "A20.21")
        return
    kind = s.kind(u)
    chart = s.stage.pack.tables["nationality"].get(kind.nation, {})
    if chart.get("surrender") == "A25.61" and kind.kind in MMC and kind.grade not in chart["surrender_exempt_classes"]:
        s.stack.append(SurrenderAt(F_SURRENDER, u))
        return
    perish(s, u)


def plain_desert(s: State) -> bool:
    """F.1Cc by day, on desert boards alone, without Broken or Steppe Terrain."""
    sandy, boards = desert_boards(s.stage.field)
    return sandy == boards and not s.stage.field.alternates & {"broken", "steppe"} and not s.stage.night


def forces(s: State, e: int, u: int) -> bool:
    """F.1Cc whether it is this enemy who makes a unit rout."""
    if s.edition < 5:
        return sees(s, e, s.at[u], 1 << u)
    return presses(s, e, u) or (above_ground(s, u) and s.stage.field.kind(s.at[u]).ffmo and threatens(s, e, u))


def perish(s: State, u: int) -> None:
    """A10.54 it is lost; F.1Cc in the desert only an enemy within 6 hexes is the end of it."""
    side = s.stage.roster.side[u]
    if not plain_desert(s):
        lose(s, u, "A10.54")
        return
    limit = int(s.stage.pack.tables["rout"]["failure_to_rout_enemy_range_desert"])
    foes = [e for e in units_of(known_unbroken(s, side)) if forces(s, e, u)]
    if any(s.stage.grid.distance(s.at[e], s.at[u]) <= limit for e in foes):
        lose(s, u, "A10.54")
    else:
        emit(s, "lies_low", "F.1Cc", {"unit": u, "hex": s.at[u], "side": side})


def captor_of(s: State, u: int) -> int:
    """A20.21 an ADJACENT Good Order enemy MMC who can still hold him (A20.5)."""
    side = s.stage.roster.side[u]
    beside = s.stage.grid.within(s.at[u], 1)
    foes = good_order(s, all_men(s, 1 - side))
    if s.edition > 2:
        foes &= ~(s.concealed | s.hip)  # A12.1 who is not known takes nobody
    near = [e for e in units_of(foes) if beside >> s.at[e] & 1 and s.kind(e).kind in MMC]
    if s.edition > 3:
        near = [e for e in near if adjacent(s, spot(s, e), spot(s, u))]
    return next((e for e in near if room_for(s, e, u)), -1)


def not_done(s: State, f: RoutsAt) -> Reason | None:
    if forced(s, f):
        return Reason("A10.5", "some broken units must rout first")
    return None


def end(s: State, f: RoutsAt) -> None:
    s.stack.pop()


class Routs(Phase[State, RoutsAt, RoutsAt]):
    """A3.6"""

    at = RoutsAt
    does = (
        Each(verbs.ROUT, bars=ROUT, take=begin),
        Each(verbs.STAY, bars=STAY, take=fail),
        Once(verbs.END_ROUTS, take=end, shut=not_done),
    )

    def now(self, s: State, f: RoutsAt) -> RoutsAt:
        return f

    def actor(self, s: State, f: RoutsAt) -> int | None:
        choices = self.legal(s, f)
        if choices == [(int(verbs.END_ROUTS),)]:
            return None
        s.choices = choices
        return f.side

    def run(self, s: State, f: RoutsAt) -> None:
        end(s, f)

    def prompt(self, s: State, f: RoutsAt) -> Prompt:
        return Prompt("Rout Phase", "Broken units run from the enemy", ("A10.5",), PHASES[s.phase])


# One router


def open_ways(s: State, f: RouterAt) -> int:
    out = s.stage.out
    return sum(1 << out[h] for h in hexes_in(ways(s, f)) if h in out)


AWAY: Bars[State, RouterAt] = Bars(
    Need(
        "A10.51",
        "a rout goes hex by hex, away from the enemies that see it, for 6 MF, and never beside another enemy",
        open_ways,
    ),
)


def thorns(s: State, f: RouterAt) -> int:
    """F13.3a the hexes beyond a cactus hedge."""
    out, here = s.stage.out, s.at[f.unit]
    return sum(1 << out[n] for _, n in s.stage.grid.neighbours[here] if n in out and thorny(s, here, n))


TO: Bars[State, RouterAt] = Bars(
    AWAY,
    Bar("A19.12", "a Disrupted unit only crawls", lambda s, f: -1 if s.disrupted >> f.unit & 1 else 0),
    Bar("F13.3a", "a cactus hedge is crossed by a Minimum Move, a Low Crawl or an advance alone", thorns),
)


def beside_enemies(s: State, f: RouterAt) -> int:
    """A10.501 the hexes beside them."""
    out = s.stage.out
    return sum(1 << out[h] for h in hexes_in(ways(s, f) & ~crawls(s, f)) if h in out) if s.edition > 4 else 0


CRAWL: Bars[State, RouterAt] = Bars(
    AWAY,
    Bar("A10.52", "Low Crawl is instead of a rout: the unit has run already", lambda s, f: -1 if f.spent else 0),
    Bar("A10.501", "a rout may not end ADJACENT to a Known unbroken enemy", beside_enemies),
)


def run_to(s: State, f: RouterAt, g: int) -> None:
    flee(s, f, s.stage.into[g], RUNS)


def burrows(s: State, f: RouterAt, now: RouterAt) -> list[tuple[int, ...]]:
    """F8.6a from cover to cover, on the way that it has to go."""
    if s.disrupted >> f.unit & 1:
        return []
    toward = ways(s, f)
    return sorted((s.stage.out[h],) for h in tunnels(s, f) if h in s.stage.out and toward >> h & 1)


def no_burrow(s: State, f: RouterAt, now: RouterAt, args: Sequence[int]) -> Reason | None:
    if tuple(args) in burrows(s, f, now):
        return None
    return Reason("F8.6b", "only between a trench and a trench or sangar, or from below into one's own")


def burrow(s: State, f: RouterAt, g: int) -> None:
    flee(s, f, s.stage.into[g], BURROWS)


def flee(s: State, f: RouterAt, h: Hex, how: int) -> None:
    """B28.41 first the mines of the hex that it leaves attack it."""
    go = FlightAt(F_FLIGHT, f.unit, h, how)
    if s.edition > 2 and mined(s, s.at[f.unit]):
        s.stack += [go, MinesAt(F_MINES, s.at[f.unit], 1 << f.unit)]
    else:
        on(s, go)


class Flight(Frame[State, FlightAt]):
    """It goes on, if there is still anybody to go."""

    at = FlightAt

    def run(self, s: State, f: FlightAt) -> None:
        s.stack.pop()
        if s.at[f.unit] >= 0:
            on(s, f)


def on(s: State, go: FlightAt) -> None:
    f = s.stack[-1]
    assert isinstance(f, RouterAt)
    if go.how == CRAWLS:
        crawl(s, f, go.hex)
    else:
        run(s, f, go.hex, go.how == BURROWS)


def freed(s: State, u: int) -> None:
    """A7.7 who has left the Location is no longer Encircled."""
    s.encircled &= ~(1 << u) if s.edition > 5 else -1


def run(s: State, f: RouterAt, h: Hex, burrows: bool) -> None:
    """A10.53 in Open Ground in sight of an enemy able to fire it is interdicted; not beneath a trench or sangar."""
    u = f.unit
    here, side = s.at[u], s.stage.roster.side[u]
    out = climb_out(s, spot(s, u), h, f.under)
    under, spent = tunnels(s, f)[h] if burrows else (ABOVE, f.spent + out + cost(s, spot(s, u), landing(s, h), side))
    f, s.under[u] = f._replace(under=ABOVE), ABOVE
    hidden = men(s, h, 1 - side)
    if hidden:  # A12.3 nobody could know: it stays where it is
        s.hip &= ~hidden
        emit(s, "detected", "A12.3", {"hex": h, "side": side}, final=True)
        s.stack[-1] = f._replace(spent=spent)
        return
    put(s, u, h)
    freed(s, u)
    s.place[u], s.under[u] = landing(s, h).place, under
    emit(s, "routed", "A10.501", {"unit": u, "from": here, "to": h, "path": [h], "side": side})
    s.stack[-1] = f._replace(spent=spent, under=under)
    if under == ABOVE and threat(s, u, True):
        interdict(s, u)
    arrive(s, h, 1 << u)


def crawl_to(s: State, f: RouterAt, g: int) -> None:
    flee(s, f, s.stage.into[g], CRAWLS)


def crawl(s: State, f: RouterAt, h: Hex) -> None:
    """A10.52 one hex, no Interdiction, and it stays DM."""
    u = f.unit
    here, side = s.at[u], s.stage.roster.side[u]
    hidden = men(s, h, 1 - side)
    s.dm |= 1 << u
    if hidden:  # A12.3 it stays where it is
        s.hip &= ~hidden
        emit(s, "detected", "A12.3", {"hex": h, "side": side}, final=True)
        s.stack.pop()
        return
    put(s, u, h)
    freed(s, u)
    s.place[u], s.under[u] = landing(s, h).place, ABOVE
    emit(s, "crawled", "A10.52", {"unit": u, "from": here, "to": h, "side": s.stage.roster.side[u]})
    s.stack.pop()
    if s.edition > 2:
        arrive(s, h, 1 << u)


def too_near(s: State, f: RouterAt) -> Reason | None:
    if not f.spent:
        return Reason("A10.5", "it has to leave its hex")
    if near(s, s.stage.roster.side[f.unit]) >> s.at[f.unit] & 1 and ways(s, f):
        return Reason("A10.501", "a rout may not end ADJACENT to a Known unbroken enemy")
    if s.edition > 2 and overfull(s, s.at[f.unit], s.stage.roster.side[f.unit]) and ways(s, f):
        return Reason("A5.1", "at most 3 squad equivalents and 4 single men may stay in a Location")
    if s.edition > 4 and not refuges(s, f.unit) >> s.at[f.unit] & 1 and onto_cover(s, f, open_hexes(s, f)):
        return Reason("A10.51", "it can reach woods or a building in this phase, and must")
    return None


def stop(s: State, f: RouterAt) -> None:
    s.stack.pop()


def no_cover(s: State, f: RouterAt) -> Reason | None:
    """B27.3 whether it may go beneath an entrenchment of the hex that it has come to."""
    u = f.unit
    if s.edition < 7 or not shelters(s, s.at[u]):
        return Reason("B27.3", "there is no entrenchment here")
    if not f.spent:
        return Reason("A10.5", "it has to leave its hex")
    if s.under[u] in BENEATH:
        return Reason("B27.3", "they are beneath it already")
    if f.spent + HALF > pace(s, u):
        return Reason("A4.13", "there are not enough MF left for it")
    room_there = shelter_for(s, s.at[u], 1 << u, s.stage.roster.side[u])
    return None if room_there else Reason("B27.44", "there is no room left beneath it")


def take_cover(s: State, f: RouterAt) -> None:
    """B27.3 for 1 MF."""
    u = f.unit
    s.under[u] = shelter_for(s, s.at[u], 1 << u, s.stage.roster.side[u])
    s.stack[-1] = f._replace(spent=f.spent + HALF, under=s.under[u])
    tell(s, "took_cover", "B27.3", 1 << u, s.stage.roster.side[u], {"hex": s.at[u]})


class Router(Phase[State, RouterAt, RouterAt]):
    """A10.501 where it runs next."""

    at = RouterAt
    does = (
        Each(verbs.TO, bars=TO, take=run_to),
        Each(verbs.CRAWL, bars=CRAWL, take=crawl_to),
        Listed(verbs.DIVE, of=burrows, reason=no_burrow, take=burrow),
        Once(verbs.UNDER, take=take_cover, shut=no_cover),
        Once(verbs.HALT, take=stop, shut=too_near),
        Elsewhere("A10.501", "first finish this rout", verbs.ROUT, verbs.END_ROUTS),
    )

    def now(self, s: State, f: RouterAt) -> RouterAt:
        return f

    def actor(self, s: State, f: RouterAt) -> int | None:
        u = f.unit
        if s.at[u] < 0 or s.pinned >> u & 1 or s.under[u] == ON_WIRE:
            return None
        choices = self.legal(s, f)
        if not choices:
            return None
        s.choices = choices
        return s.stage.roster.side[u]

    def run(self, s: State, f: RouterAt) -> None:
        s.stack.pop()

    def prompt(self, s: State, f: RouterAt) -> Prompt:
        return Prompt(Text("{unit} routs", unit=f.unit), "", ("A10.501", "A10.52"), PHASES[s.phase])


class Surrender(OneDie[State, SurrenderAt]):
    """A25.61 to the nearest Known enemy MMC in LOS, on a dr of 4 or less."""

    at = SurrenderAt

    def take(self, s: State, f: SurrenderAt, action: Action) -> None:
        s.stack.pop()
        u, side = f.unit, s.stage.roster.side[f.unit]
        foes = [e for e in units_of(known_enemies(s, side)) if s.kind(e).kind in MMC and sees(s, e, s.at[u], 1 << u)]
        if s.edition > 3:  # A20.21, A20.5 he must be able to take a prisoner, and to hold him
            foes = [e for e in units_of(good_order(s, sum(1 << e for e in foes))) if room_for(s, e, u)]
        limit = int(s.stage.pack.tables["nationality"][s.kind(u).nation]["surrender_dr"])
        gives_up = action[1] <= limit and bool(foes)
        emit(s, "gives_up", "A25.61", {"unit": u, "hex": s.at[u], "die": action[1], "passed": gives_up}, final=True)
        if gives_up:
            capture(s, u, min(foes, key=lambda e: (s.stage.grid.distance(s.at[e], s.at[u]), e)), "A25.61")
        else:
            perish(s, u)

    def prompt(self, s: State, f: SurrenderAt) -> Prompt:
        return Prompt(Text("Does {unit} surrender?", unit=f.unit), "", ("A25.61",), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_ROUTS: Routs(),
    F_ROUTER: Router(),
    F_SURRENDER: Surrender(verbs.FELL),
    F_FLIGHT: Flight(),
}
