"""What entering a Location costs, by class of mover, with the rule of every part of it.

F.2 the Desert Terrain Chart, F2.21, F3.3, F4.3, F5.2, F6.3, F7.3, F7.511, F9.1, F13 and the core's B.2, B9.3, B10.4,
B10.5, B19.4, B20.9, A24.7, D2.14. Points are counted in halves of a MF or MP, because a road costs half a point and
woods half an allotment. `None` is a move that cannot be made at any cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.games.asl.boards.battlefield import FASCINE, Battlefield
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.boards.terrain import LEVEL
from sandtable.mechanics.memory import remembered

HALF = 2
"""Halves in a point."""

CLASSES = ("infantry", "cavalry", "tracked", "halftrack", "armoured_car", "motorcycle", "truck")
ON_FOOT = ("infantry", "cavalry")
"""Infantry, and Cavalry and Wagons: they pay MF."""

TRACK, ROAD = "track", "road"


@dataclass(frozen=True)
class Mover:
    """Who moves, and under what circumstances."""

    kind: str
    """One of CLASSES; a Wagon is cavalry."""
    allotment: int = 4
    """Printed MP or MF, for terrain that costs half or all of it."""
    buttoned_up: bool = False
    """A BU AFV."""
    wagon: bool = False
    towing: bool = False
    pushing: bool = False
    """C10.3 Infantry pushing a Gun."""
    bypass: bool = False
    """A4.31, D2.3 It passes the obstacle of the hex in Bypass."""
    reverse: int = 1
    """D2.2 The Reverse multiplier while it moves backwards."""


@dataclass(frozen=True)
class Weather:
    """What lies in the hex entered or in the air."""

    wet: bool = False
    """EC Wet or Mud."""
    smoke: int = 0
    """SMOKE, burning-wreck smoke and Vehicle Dust counters in the hex that cost a point (A24.7)."""
    vehicles: int = 0
    """Vehicles and wrecks in the hex (D2.14)."""
    dust: str = "none"


class Part(NamedTuple):
    """One part of a price, in halves."""

    rule: str
    what: str
    halves: int


class Price(NamedTuple):
    """What a move costs, in halves, and what it is made of."""

    halves: int
    parts: tuple[Part, ...]

    @property
    def points(self) -> float:
        return self.halves / HALF


@remembered(1 << 15)
def entry_price(
    field: Battlefield, mover: Mover, start: Spot, end: Spot, way: str = "", weather: Weather | None = None
) -> Price | None:
    """The price of going from one Location to an adjacent hex; `way` is "track" or "road" if it moves along one.

    From Bypass the obstacle's own hex is entered, or bypassed further, for what its ground costs.
    """
    weather = weather or Weather()
    if start.hex == end.hex:
        return offboard_price(field, mover, end, weather)
    d = field.grid.direction(start.hex, end.hex)
    if d < 0 or field.side("cliff", start.hex, d) or field.side("wadi_cliff", start.hex, d):
        return None  # B11.4: only by Climbing
    if mover.kind == "cavalry" and field.side("cactus", start.hex, d):
        return None  # F13.3b
    below = field.base[start.hex] < field.base[end.hex] and start.place != Place.IN
    terrain = _terrain(field, mover, end, way, weather, below)
    if terrain is None:
        return None
    parts = [*terrain, *_hexside(field, mover, start.hex, d)]
    foot = mover.kind in ON_FOOT
    # B20.9 Infantry pays for its Crest what it would pay to go IN, less one.
    rise = _rise(
        field, mover, start, end._replace(place=Place.IN) if foot and end.place == Place.CREST else end, d, way
    )
    if not foot:
        parts += rise.parts
    total = sum(part.halves for part in parts)
    crested = foot and end.place == Place.CREST
    if mover.pushing and crested:  # F5.43e what the Crest costs is doubled
        cut = min(HALF, total - HALF)
        parts.append(Part("B20.9", "crest", -cut))
        total -= cut
    if mover.pushing:
        parts.append(Part("C10.3", "push", total))
        total *= 2
    if mover.reverse > 1:
        parts.append(Part("D2.2", "reverse", total * (mover.reverse - 1)))  # AMB-45: no surcharge is multiplied
        total *= mover.reverse
    if way == TRACK and total > HALF:  # F9.1b, F9.1c
        saved = min(HALF, total - HALF)
        parts.append(Part("F9.1b", "track", -saved))
        total -= saved
    after = _surcharges(mover, weather, way)
    smoke = sum(part.halves for part in after if part.what == "smoke")
    if rise.doubled:  # B10.4, after the track and with SMOKE (B.2)
        parts.append(Part("B10.4", "uphill", total + smoke))
        total += total + smoke
    if foot:  # B10.5: what an abrupt change costs is not doubled
        parts += rise.parts
        total += sum(part.halves for part in rise.parts)
    if crested and not mover.pushing:
        cut = min(HALF, total - HALF)
        parts.append(Part("B20.9", "crest", -cut))
        total -= cut
    parts += after
    total += sum(part.halves for part in after)
    return Price(total, tuple(part for part in parts if part.halves))


@remembered()
def offboard_price(field: Battlefield, mover: Mover, end: Spot, weather: Weather, way: str = "") -> Price | None:
    """A2.5 What entering the map costs: the terrain of the edge hex, as if coming from an identical hex beyond it, and
    along its track or road (F9.1b)."""
    terrain = _terrain(field, mover, end, way, weather)
    if terrain is None:
        return None
    parts = [*terrain, *_surcharges(mover, weather, way)]
    whole = sum(part.halves for part in terrain) * mover.reverse
    if mover.reverse > 1:
        parts.append(Part("D2.2", "reverse", whole - whole // mover.reverse))
    if way == TRACK and whole > HALF:
        parts.append(Part("F9.1b", "track", -min(HALF, whole - HALF)))
    return Price(sum(part.halves for part in parts), tuple(part for part in parts if part.halves))


# ------------------------------------------------------------------------------- terrain


def _terrain(
    field: Battlefield, mover: Mover, end: Spot, way: str, weather: Weather, below: bool = False
) -> list[Part] | None:
    """The cost of the terrain entered (COT), with what sand and wadis add; `below`: from a lower hex, not out of a
    wadi (F12.51)."""
    chart: Mapping[str, Any] = field.pack.tables["movement"]
    costs, column = chart["cost"], CLASSES.index(mover.kind)
    if mover.bypass:  # A4.31 the hex's other terrain; D2.3 twice its Open Ground for each hexside
        row, *_ = _row(field, "open", end.hex, below)
        foot = mover.kind in ON_FOOT
        return [Part("A4.31" if foot else "D2.3", "bypass", round(HALF * costs[row][column] * (1 if foot else 2)))]
    word = field.terrain[end.hex]
    # F5.42e A vehicle that takes its Crest from outside pays for the hex without the wadi.
    inside = end.place == Place.IN or (end.place == Place.CREST and mover.kind in ON_FOOT)
    if way == ROAD and not inside:
        closed = "road_vehicle_bu_afv" if mover.buttoned_up else "road_vehicle"
        rate = chart["modifiers"]["road_infantry" if mover.kind in ON_FOOT else closed]
        return [Part("B.2", "road", round(HALF * rate))]
    parts: list[Part] = []
    sandy = word in ("sand", "sand_scrub")
    if sandy:
        extra = costs["sand_extra_wet_or_mud" if weather.wet else "sand_extra"][column]
        parts.append(Part("F7.3b" if weather.wet else "F7.3a", "sand", HALF * extra))
        word = "scrub" if word == "sand_scrub" else "open"
    bare = word == "open" and not sandy
    if inside:
        parts.append(Part("F5.2a", "wadi", HALF * costs["wadi_into_extra"][column]))
        if bare and mover.kind == "infantry":
            return parts  # B19.4: for Infantry the wadi stands for its Open Ground
    row, rule, times = _row(field, word, end.hex, below)
    cost = costs[row][column]
    if cost == "NA":
        return None
    if cost in ("half", "all"):
        parts.append(Part("B.2", word, mover.allotment * (1 if cost == "half" else HALF)))
    else:
        parts.append(Part(rule, word, round(HALF * cost * times)))
    if field.tags.get("extra_mf1", 0) >> end.hex & 1:
        parts.append(Part("F12.45", "tents", HALF))
    return parts


def _row(field: Battlefield, word: str, h: Hex, below: bool) -> tuple[str, str, int]:
    """The row of the chart for a terrain word, its rule, and how many times it is paid."""
    if word == "open":
        if field.plateau >> h & 1 and not field.has("wadi", h):
            return ("open_chapter_b" if below else "open_desert", "F12.51", 1)
        own = field.desert >> h & 1 and not field.chapter_b >> h & 1
        return ("open_desert", "F.2a", 1) if own else ("open_chapter_b", "F.2Aa", 1)
    special = {
        "scrub": ("scrub", "F2.21a", 1),
        "hammada": ("hammada", "F3.3", 1),
        "hammada_crag": ("crag", "F13.1b", 1),
        "broken_hex": ("broken_hex", "F13.1c", 1),
        "cactus_patch": ("orchard", "F13.4a", 3),
        "olive_grove": ("orchard", "F13.5a", 2),
    }
    return special.get(word, (word, "F.2b", 1))


def _hexside(field: Battlefield, mover: Mover, h: Hex, d: int) -> list[Part]:
    """Walls, hedges, dune crests, and the lip of a deir that is left."""
    parts = []
    for kind, rule in (("wall", "B9.3"), ("hedge", "B9.3"), ("dune_crest", "F7.511")):
        if field.side(kind, h, d):
            parts.append(Part(rule, kind, HALF))
    out = field.owns("lip", h, d) and field.mass[h] != field.mass[field.grid.neighbour(h, d)]
    if out and (mover.kind not in ON_FOOT or mover.wagon):  # F4.3b, AMB-04
        parts.append(Part("F4.3b", "lip", HALF))
    return parts


# ------------------------------------------------------------------------------- elevation


class Rise(NamedTuple):
    """What going up or down costs, and whether the last level doubles the cost (on foot)."""

    parts: list[Part]
    doubled: bool = False


def _rise(field: Battlefield, mover: Mover, start: Spot, end: Spot, d: int, way: str) -> Rise:
    """B10.4, B10.5, F5.2b, F5.2c, F6.3a."""
    foot = mover.kind in ON_FOOT
    here = field.level[start.hex] - (LEVEL if start.place == Place.IN else 0)
    ground = field.base[end.hex]
    bottom = ground - (LEVEL if end.place == Place.IN else 0)
    parts: list[Part] = []
    onto = field.level[end.hex] - field.base[end.hex]  # a hillock or its summit
    if onto and not foot and here < field.level[end.hex]:
        parts.append(Part("F6.3a", "hillock", HALF))
    # Through a wadi hexside it goes along the bed; through any other it passes the rim (F5.2b, F5.2c).
    bed = field.side("wadi", start.hex, d)
    over = ground if end.place == Place.IN and not bed else None
    # A scenario's fascine: leaving the wadi there costs a vehicle 2 MP, not 4.
    eased = start.place == Place.IN and FASCINE in field.sides and field.side(FASCINE, start.hex, d)
    if start.place == Place.IN and not bed:
        rim = field.level[start.hex]
        over = rim if over is None else max(rim, over)
    if over is None or (start.place == Place.IN and over <= max(bottom, here + LEVEL) and bottom > here):
        return _climb(parts, here, bottom, foot, way == ROAD or eased)
    up, down = max(0, over - here) // LEVEL, max(0, here - over) // LEVEL
    if up:
        saved = HALF * 2 if eased and not foot else 0
        parts.append(Part("B10.5", "abrupt rise", HALF * up * (2 if foot else 4) - saved))
    if down:
        parts.append(Part("B10.5", "abrupt descent", HALF * down * (1 if foot else 2)))
    return Rise(parts)


def _climb(parts: list[Part], here: int, there: int, foot: bool, eased: bool) -> Rise:
    """The last level normally, each level between at the price of an abrupt change."""
    levels = (there - here) // LEVEL if there > here else -((here - there) // LEVEL)
    if levels > 1:
        parts.append(Part("B10.5", "abrupt rise", HALF * (levels - 1) * (2 if foot else 4)))
    elif levels < -1:
        parts.append(Part("B10.5", "abrupt descent", HALF * (-levels - 1) * (1 if foot else 2)))
    if levels >= 1 and not foot:
        parts.append(Part("B10.5", "uphill", HALF * (2 if eased else 4)))
    return Rise(parts, levels >= 1 and foot)


# ------------------------------------------------------------------------------- surcharges


def _surcharges(mover: Mover, weather: Weather, way: str) -> list[Part]:
    """F9.1c What is paid after a track's discount."""
    foot = mover.kind in ON_FOOT
    parts = [Part("A24.7", "smoke", HALF * weather.smoke)]
    if not foot:
        parts.append(Part("D2.14", "vehicles", HALF * weather.vehicles * (2 if way == ROAD else 1)))
    if mover.towing:
        parts.append(Part("C10.1", "towing", HALF))
    dense = weather.dust in ("heavy", "very_heavy", "extremely_heavy")
    if dense and mover.kind != "infantry":
        parts.append(Part("F11.73c", "dust", HALF))
        if mover.buttoned_up and weather.dust != "heavy":
            parts.append(Part("F11.731b", "dust", HALF))
    return parts
