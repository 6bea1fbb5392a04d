"""D2.1 The MP of a vehicle, and what each thing that it does costs; in halves of a MP, as everywhere."""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.masks import hexes_in, units_of
from sandtable.mechanics.memory import asked_once

from ..boards.climate import desert_mud, vehicle_dust_possible
from ..boards.costs import HALF, ROAD, TRACK, Mover, Part, Price, Weather, entry_price
from ..boards.locations import Place, Spot
from ..fire.crews import vehicle_of
from ..table.ids import SANGAR, TRENCH, WIRE
from ..table.smoke import clouded
from ..table.state import State, passengers, points_of
from ..table.weather import climate, density
from ..table.works import works_in

ROUGH = ("woods", "building_stone", "tomb", "rubble")
"""D2.1 where each vertex of VCA change costs double."""


# What the air and the ground are like


def wet(s: State) -> bool:
    """EC Wet or Mud."""
    return climate(s).ec in ("Wet", "Mud")


def mud(s: State) -> bool:
    """F11.8a Desert Mud."""
    return desert_mud(climate(s), s.stage.field)


def in_mud(s: State) -> bool:
    """D8.23, F11.8a whether Mud is in effect, by EC or weather."""
    now = climate(s)
    return now.ec == "Mud" or "Mud" in now.weather


def dust(s: State) -> str:
    """The density of dust in the air."""
    return density(s)


def raises_dust(s: State) -> bool:
    """F11.74a, F11.74b whether vehicles leave dust behind them now."""
    now = climate(s)
    asked = bool(s.stage.script["conditions"].get("vehicle_dust", False))
    return asked and vehicle_dust_possible(now, s.stage.field) and not (now.heavy_wind or now.gusts)


# MP


def allotment(s: State, u: int) -> int:
    """The printed MP, in halves."""
    return HALF * vehicle_of(s, u).mp


def quarter(s: State, u: int) -> int:
    """D6.1, D7.1 one quarter of the allotment (FRU), in halves."""
    return HALF * -(-vehicle_of(s, u).mp // 4)


def overrun_share(s: State, h: Hex) -> int:
    """F11.74h what an Overrun costs besides entering the hex has nothing to do with dust."""
    move = s.move
    return quarter(s, move.vehicle) if move is not None and move.overran == h and s.edition > 6 else 0


def half(s: State, u: int) -> int:
    """C10.1 half of the allotment, in halves."""
    return vehicle_of(s, u).mp


def left(s: State) -> int:
    """The MP that the vehicle in hand still has, in halves."""
    move = s.move
    assert move is not None
    return move.allowed - move.spent


def start_cost(s: State) -> int:
    return HALF * int(s.stage.pack.tables["vehicle_movement"]["start"])


def stop_cost(s: State) -> int:
    return HALF * int(s.stage.pack.tables["vehicle_movement"]["stop"])


# Entering a hex


def towed_gun(s: State, u: int) -> int:
    """C10.1 the Gun in tow, -1 if there is none."""
    guns = s.stage.roster.guns
    return next((one for one in passengers(s, u) if guns >> one & 1), -1)


def buttoned_up(s: State, u: int) -> bool:
    """D5.3 a closed-topped AFV whose crew is not CE."""
    return vehicle_of(s, u).top == "CT" and not s.exposed >> u & 1


def mover(s: State, u: int, back: bool, bypass: bool = False) -> Mover:
    kind = vehicle_of(s, u)
    return Mover(
        kind.move,
        kind.mp,
        buttoned_up=buttoned_up(s, u),
        towing=towed_gun(s, u) >= 0,
        reverse=kind.reverse if back else 1,
        bypass=bypass,
    )


def way_of(s: State, a: Hex, d: int) -> str:
    """F9.1, F9.3 whether it goes along a track or a road."""
    field = s.stage.field
    if field.roads[d] >> a & 1:
        return ROAD
    return TRACK if field.tracks[d] >> a & 1 else ""


def way_in(s: State, h: Hex) -> str:
    """AMB-155 the track or road along which one comes on in an edge hex: one that ends there goes on."""
    field = s.stage.field
    for word, sides in ((ROAD, field.roads), (TRACK, field.tracks)):
        if s.edition > 5 and sum(side >> h & 1 for side in sides) == 1:
            return word
    return ""


def in_the_way(s: State, u: int, a: Hex, h: Hex, place: Place) -> int:
    """D2.14, F5.425 vehicles and wrecks that cost 1 MP each: those in its Location, and those at a rim it crosses."""
    field = s.stage.field
    others = s.here.get(h, 0) & s.stage.roster.vehicles & ~(1 << u)
    found = 0 if place == Place.CREST else sum(1 for one in units_of(others) if s.place[one] == place)
    d = field.grid.direction(a, h)
    if d < 0:
        return found
    for x, side in ((a, d), (h, (d + 3) % 6)):  # F5.425b a Crest vehicle whose CAFP lies at the hexside crossed
        at_rim = s.here.get(x, 0) & s.stage.roster.vehicles & ~(1 << u)
        for one in units_of(at_rim):
            if s.place[one] == Place.CREST and side in (s.cafp[one], (s.cafp[one] + 1) % 6):
                found += 1
    return found


def place_in(s: State, h: Hex) -> Place:
    """Where a vehicle that enters a hex is: IN a wadi, unless it takes its Crest."""
    return Place.IN if s.stage.field.has("wadi", h) else Place.GROUND


@asked_once
def price(s: State, u: int, h: Hex, back: bool, place: Place | None = None) -> Price | None:
    """What it costs this vehicle to enter an adjacent hex; None if it cannot be entered at any cost."""
    a = s.at[u]
    end = place_in(s, h) if place is None else place
    d = s.stage.field.grid.direction(a, h)
    if d < 0 and a != h:
        return None
    start = Place(s.place[u])
    if start == Place.CREST:  # F5.422b no extra cost for leaving the wadi
        start = Place.GROUND
    kind = vehicle_of(s, u)
    if not kind.tracked and works_in(s, h, TRENCH):  # B27.5
        return None
    told, shut, tows = s.stage.told, buttoned_up(s, u), towed_gun(s, u) >= 0
    smoky = clouded(s, h)
    others = in_the_way(s, u, a, h, end)
    key = ("drives", s.type[u], shut, tows, back, a, start, h, end, smoky, others, dust(s))
    if key in told:
        found: Price | None = told[key]
    else:
        found = told[key] = entry_price(
            s.stage.field,
            mover(s, u, back, end == Place.BYPASS),
            Spot(a, start),
            Spot(h, end),
            way_of(s, a, d) if a != h and end != Place.BYPASS else "",
            Weather(wet=wet(s), smoke=smoky, vehicles=others, dust=dust(s)),
        )
    if found is not None and connected_sangar(s, h):  # F8.5, AMB-61
        own = base_cost(found) if s.edition < 3 else cost_of_terrain(found)
        found = Price(found.halves + own, (*found.parts, Part("F8.5", "sangar and trench", own)))
    if found is None or not works_in(s, h, WIRE):
        return found
    chart = s.stage.pack.tables["movement"]["modifiers"]
    part = Part("B26.4", "wire", HALF * int(chart["wire_tracked" if kind.tracked else "wire_wheeled"]))
    return Price(found.halves + part.halves, (*found.parts, part))


def why_closed(s: State, u: int, h: Hex) -> Reason:
    """Which ground bars a vehicle of its class from an adjacent hex."""
    here, field = s.at[u], s.stage.field
    d = field.grid.direction(here, h)
    if not vehicle_of(s, u).tracked and works_in(s, h, TRENCH):
        return Reason("B27.5", "wheeled and halftrack vehicles may not enter a trench")
    if d >= 0 and (field.side("cliff", here, d) or field.side("wadi_cliff", here, d)):
        return Reason("B11.4", "no vehicle crosses a cliff")
    word = field.terrain[h]
    rule = {"building_stone": "B23.3", "tomb": "F12.44a", "hammada_crag": "F13.1b"}.get(word, "F.2b")
    return Reason(rule, Text("no vehicle of its class can enter {terrain}", terrain=word.replace("_", " ")))


def connected_sangar(s: State, h: Hex) -> bool:
    """F8.5, F8.6c whether a sangar is there to which a trench is Accessible."""
    if not works_in(s, h, SANGAR):
        return False
    near = s.stage.field.accessible(h)
    return any(works_in(s, n, TRENCH) for n in hexes_in(near))


def base_cost(found: Price) -> int:
    """F3.31e, AMB-02, AMB-44 the part of a price that is doubled: without towing, SMOKE and weather."""
    apart = ("towing", "dust", "smoke")
    return found.halves - sum(part.halves for part in found.parts if part.what in apart)


BESIDES = (
    "towing", "dust", "smoke", "vehicles", "reverse", "track", "uphill", "abrupt rise", "abrupt descent", "hillock",
    "wall", "hedge", "dune_crest", "lip",
)  # fmt: skip
"""Parts of a price that are not the terrain of the hex entered."""


def cost_of_terrain(found: Price) -> int:
    """F8.5, AMB-61 the COT alone."""
    return sum(part.halves for part in found.parts if part.what not in BESIDES)


def turn_cost(s: State, u: int) -> int:
    """D2.1 a vertex of VCA change."""
    chart = s.stage.pack.tables["vehicle_movement"]
    rough = s.stage.field.terrain[s.at[u]] in ROUGH and s.place[u] != Place.BYPASS
    return HALF * int(chart["vca_change_woods_building_rubble" if rough else "vca_change_per_hexspine"])


def shows_belly(s: State, u: int, here: Hex, h: Hex) -> int:
    """D4.3, F5.422c, F7.515, F8.51a a fully-tracked AFV that crosses a wall, hedge or dune crest, leaves a wadi or
    Overruns a sangar: the hexside of the hex entered, + 1."""
    field, kind = s.stage.field, vehicle_of(s, u)
    d = field.grid.direction(here, h)
    if d < 0 or not kind.tracked or not kind.armoured:
        return 0
    over = any(field.side(word, here, d) for word in ("wall", "hedge", "dune_crest"))
    out = s.place[u] in (Place.IN, Place.CREST) and not field.side("wadi", here, d)
    crushed = s.move is not None and s.move.overran == h and bool(works_in(s, h, SANGAR))
    return (d + 3) % 6 + 1 if over or out or crushed else 0


# D5.341 Recall: a vehicle makes for the nearest friendly edge


EDGES = {"N": "north", "S": "south", "E": "east", "W": "west"}


def friendly_edges(s: State, side: int) -> list[str]:
    """AMB-101 the edges by which its side enters; for a side that only sets up, the one opposite the enemy's."""
    own = _entries(s, side)
    if own:
        return own
    opposite = {"N": "S", "S": "N", "E": "W", "W": "E"}
    return [opposite[one] for one in _entries(s, 1 - side)] or ["N" if side == 0 else "S"]


def _entries(s: State, side: int) -> list[str]:
    found = [str(group["edge"]["edge"]) for group in s.stage.sides[side]["group"] if "edge" in group]
    return sorted({one for one in found if one in EDGES})


def distance_home(s: State, h: Hex, side: int) -> int:
    """Hexes to the nearest friendly edge."""
    edges = s.stage.field.edges
    homes = [x for edge in friendly_edges(s, side) for x in hexes_in(edges[edge])]
    return min((s.stage.grid.distance(h, x) for x in homes), default=0)


def astray(s: State, u: int, here: Hex, there: Hex) -> bool:
    """Whether a Recalled vehicle would go away from home."""
    if not s.recalled >> u & 1:
        return False
    side = s.stage.roster.side[u]
    return distance_home(s, there, side) > distance_home(s, here, side)


def points_at_end(s: State) -> None:
    """D5.341 what is Recalled and still on the map counts as eliminated at game end."""
    for u, h in enumerate(s.at):
        if h >= 0 and s.recalled >> u & 1 and not s.wreck >> u & 1:
            s.lost_points[s.stage.roster.side[u]] += points_of(s, u)
