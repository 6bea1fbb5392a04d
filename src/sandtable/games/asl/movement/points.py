"""A4.11 How far Infantry goes: its Movement Factors, and what entering a hex costs."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import remembered

from ..boards.costs import HALF, ROAD, TRACK, Mover, Part, Price, Weather, entry_price
from ..boards.locations import Place, Spot
from ..fire.morale import inexperienced
from ..table.captives import overfull
from ..table.ids import SMC
from ..table.smoke import clouded, clouds
from ..table.state import State, equivalents, men, weapons_of
from ..table.works import bare

NEVER = 999
CARRY_MMC, CARRY_SMC = 3, 1  # A4.42


def allotment(s: State, u: int, led: bool) -> int:
    """A4.11, A4.42, A17.1 the MF of one unit, in halves."""
    kind = s.kind(u)
    chart = s.stage.pack.tables["movement"]["infantry_mf"]
    smc = kind.kind in SMC
    if smc:
        mf = 3 if s.wounded >> u & 1 else chart["smc"]
    else:
        mf = chart["mmc_inexperienced"] if inexperienced(s, u) else chart["mmc"]
        mf += chart["leader_bonus"] if led else 0
    load = sum(weight(s, w) for w in units_of(weapons_of(s, u)))
    over = load - capacity(s, u)
    return HALF * int(max(0, mf - max(0, over)))


def capacity(s: State, u: int) -> int:
    """A4.42 the PP that a unit carries without losing MF (its IPC)."""
    return CARRY_SMC if s.kind(u).kind in SMC else CARRY_MMC


def weight(s: State, w: int) -> int:
    """A9.8 the PP of a weapon, dismantled or not."""
    return s.kind(w).dismantled if s.apart >> w & 1 else s.kind(w).pp


def left(s: State) -> int:
    """MF that the movers still have: the slowest counts (A4.2)."""
    move = s.move
    assert move is not None
    slowest = min(allotment(s, u, bool(move.led)) for u in units_of(move.movers))
    return slowest + move.double - move.spent


def way_of(s: State, a: Hex, b: Hex) -> str:
    """F9.1b, F9.3b whether the hexside between two hexes is crossed along a track or a road."""
    field = s.stage.field
    d = field.grid.direction(a, b)
    if d < 0:
        return ""
    if field.roads[d] >> a & 1:
        return ROAD
    return TRACK if field.tracks[d] >> a & 1 else ""


def thorny(s: State, a: Hex, b: Hex) -> bool:
    """F13.3a whether a cactus hedge stands between two hexes."""
    d = s.stage.field.grid.direction(a, b)
    return d >= 0 and s.stage.field.side("cactus", a, d)


def landing(s: State, h: Hex) -> Spot:
    """B19.4 where one who enters a hex comes to stand: IN a wadi, otherwise on the ground."""
    return bottom(h) if s.stage.field.form["wadi"] >> h & 1 else bare(h)


@remembered()
def bottom(h: Hex) -> Spot:
    """The bed of a wadi."""
    return Spot(h, Place.IN)


def price(s: State, start: Spot, end: Spot, side: int, pushing: bool = False) -> Price | None:
    """A4.13, F.2a, B10.4, B10.5, B19.4, B20.9, A24.7 what Infantry pays to enter a Location; None if it cannot."""
    if pushing and thorny(s, start.hex, end.hex):
        return None
    smoke = clouded(s, end.hex) if s.edition > 2 else min(1, clouds(s).get(end.hex, 0))
    told, key = s.stage.told, ("on foot", start, end, smoke, pushing)
    if key in told:
        found: Price | None = told[key]
    else:
        found = told[key] = _entry(s, start, end, smoke, pushing)
    if found is None:
        return None
    more = []
    if start.place == Place.CREST and end.hex != start.hex and s.edition > 4:  # AMB-43, AMB-90
        more.append(Part("B20.9", "crest", HALF * (1 + pushing)))
    over = equivalents(s, men(s, end.hex, side)) - 6
    if over > 0:
        more.append(Part("A5.12", "overstacked", HALF * ((over + 1) // 2)))
    return Price(found.halves + sum(part.halves for part in more), (*found.parts, *more)) if more else found


def _entry(s: State, start: Spot, end: Spot, smoke: int, pushing: bool) -> Price | None:
    """What the ground costs them."""
    weather = Weather(wet=str(s.stage.script["conditions"]["ec"]) in ("Wet", "Mud"), smoke=smoke)
    if start.place == Place.CREST and end.place == Place.IN:
        start = start._replace(place=Place.IN)
    mover = Mover("infantry", pushing=pushing, bypass=end.place == Place.BYPASS)
    return entry_price(s.stage.field, mover, start, end, way_of(s, start.hex, end.hex), weather)


def cost(s: State, start: Spot, end: Spot, side: int) -> int:
    """The same in halves of a MF; more than anybody has where it cannot be entered."""
    found = price(s, start, end, side)
    return NEVER if found is None else found.halves


__all__ = ["HALF", "NEVER", "allotment", "capacity", "cost", "landing", "left", "overfull", "price", "thorny", "way_of"]
