"""F5.42, D2.3 The rim of a wadi and the corners of an obstacle: where a vehicle stands beside the middle of a hex.

Fascines besides (a scenario's SSR to F5.3a, B11.4): a tank that carries one makes an ordinary side of a wadi's cliff.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import units_of

from ..boards.bypass import Leg, legs, names
from ..boards.costs import CLASSES, HALF
from ..boards.locations import Place, crest_vertices
from ..movement.bypass import open_leg
from ..table.state import State
from ..table.telling import emit, tell
from ..table.weather import DENSE
from .driving import AHEAD, ESCORTED, Drive, DriverAt, at_rim, drive_of, go, heading, minimum_move, settle_in, spend
from .points import astray, buttoned_up, dust, in_the_way, price, stop_cost


def rim_vertex(s: State, now: Drive, outside: bool) -> int:
    """F5.42i its Crest CAFP: the front vertex forward from IN or in reverse from outside, the rear one otherwise."""
    front = now.back if outside else not now.back
    return (s.vca[now.unit] + (0 if front else 3)) % 6


def free_vertex(s: State, u: int, h: Hex, vertex: int) -> bool:
    """F5.421, F5.425c whether a vehicle may stand at this vertex of a wadi hex."""
    others = s.here.get(h, 0) & s.stage.roster.vehicles & ~(1 << u)
    taken = {s.cafp[one] for one in units_of(others) if s.place[one] == Place.CREST}
    return vertex in crest_vertices(s.stage.field, h) and vertex not in taken


# From outside


def rim_cost(s: State, now: Drive, h: Hex) -> int:
    found = price(s, now.unit, h, now.back, Place.CREST)
    return 9999 if found is None else found.halves


def not_a_rim(s: State, now: Drive, g: int) -> bool:
    """F5.42d across a hexside that is neither a wadi's nor a wadi cliff's."""
    h, field = s.stage.into[g], s.stage.field
    d = field.grid.direction(now.here, h)
    return not field.has("wadi", h) or field.side("wadi", now.here, d) or field.side("wadi_cliff", now.here, d)


RIM: Bars[State, Drive] = Bars(
    AHEAD,
    ESCORTED,
    Bar("F5.422e", "from one Crest it does not go straight to another", at_rim),
    Doubt("F5.42d", "there is no rim of a wadi across that hexside", not_a_rim),
    Doubt(
        "F5.421a",
        "no vehicle can stand at that vertex of the rim",
        lambda s, now, g: not free_vertex(s, now.unit, s.stage.into[g], rim_vertex(s, now, True)),
    ),
    Doubt(
        "F5.42e",
        "with the Stop it costs more MP than are left",
        lambda s, now, g: rim_cost(s, now, s.stage.into[g]) + stop_cost(s) > now.left,
    ),
)


def take_rim(s: State, f: DriverAt, g: int) -> None:
    """F5.42d it drives up to the rim without going IN; F5.4251 the ground is tried, for it pays the hex's COT."""
    now, h = drive_of(s), s.stage.into[g]
    vertex = rim_vertex(s, now, True)
    now.move.rim = vertex + 1
    go(s, h, rim_cost(s, now, h), place=Place.CREST, vertex=vertex)


# From IN the wadi


def climb_cost(s: State, now: Drive) -> int:
    """F5.42b, F5.42c 4 MP for the elevation, times the Reverse multiplier in reverse."""
    chart = s.stage.pack.tables["movement"]["modifiers"]
    return HALF * int(chart["wadi_crest_from_inside_vehicle"]) * (now.kind.reverse if now.back else 1)


def climb(s: State, f: DriverAt) -> None:
    """F5.42b, F5.42c up to the rim, then the Stop; F5.42h a Minimum Move includes it."""
    now = drive_of(s)
    vertex = rim_vertex(s, now, False)
    minimum = climb_cost(s, now) + stop_cost(s) > now.left
    now.move.rim = vertex + 1
    if minimum:
        now.move.minimum = 1
    settle_in(s, now.unit, now.here, Place.CREST, vertex)
    tell(s, "took_rim", "F5.42b", 1 << now.unit, s.phasing, {"hex": now.here})
    spend(s, now.left - stop_cost(s) if minimum else climb_cost(s, now))


def no_climb(s: State, now: Drive) -> Reason | None:
    if s.place[now.unit] != Place.IN:
        return Reason("F5.42b", "it is not IN a wadi")
    if not now.going:
        return Reason("D2.1", "it must Start first")
    if now.move.escort and s.edition > 6:  # AMB-106
        return Reason("D9.31", "the Infantry that goes with it cannot keep pace")
    if not free_vertex(s, now.unit, now.here, rim_vertex(s, now, False)):
        return Reason("F5.421a", "no vehicle can stand at that vertex of the rim")
    if climb_cost(s, now) + stop_cost(s) > now.left and not minimum_move(s, now):
        return Reason("F5.42b", "with the Stop it costs more MP than are left")
    return None


# Down again


def down_cost(s: State, now: Drive) -> int:
    """F5.422d the wadi's own cost, with what SMOKE and dust add; in reverse multiplied."""
    chart = s.stage.pack.tables["movement"]["cost"]["wadi_into_extra"]
    own = HALF * int(chart[CLASSES.index(now.kind.move)]) * (now.kind.reverse if now.back else 1)
    clouds = now.here in s.trail.values() or bool(s.here.get(now.here, 0) & s.burning) or now.here in s.smoke
    thick = dust(s) in ("heavy", "very_heavy", "extremely_heavy")
    more = 0
    if s.edition > 2:  # F5.425a, F11.731b
        more = HALF * in_the_way(s, now.unit, now.here, now.here, Place.IN)
        more += HALF if dust(s) in DENSE and buttoned_up(s, now.unit) else 0
    return own + (HALF if clouds else 0) + (HALF if thick else 0) + more


def down(s: State, f: DriverAt) -> None:
    now = drive_of(s)
    minimum = down_cost(s, now) > now.left
    settle_in(s, now.unit, now.here, Place.IN)
    tell(s, "left_rim", "F5.422d", 1 << now.unit, s.phasing, {"hex": now.here})
    spend(s, now.left if minimum else down_cost(s, now))
    if minimum:  # F5.422f
        now.move.minimum = now.move.over = 1


def no_down(s: State, now: Drive) -> Reason | None:
    u = now.unit
    if s.place[u] != Place.CREST:
        return Reason("F5.422d", "it is not at the rim of a wadi")
    if not now.going:
        return Reason("D2.1", "it must Start first")
    front = s.cafp[u] == s.vca[u]
    if front != now.back:
        return Reason("F5.422d", "it goes down in the direction away from its rim")
    if down_cost(s, now) > now.left and not minimum_move(s, now):
        return Reason("D2.1", "it costs more MP than are left")
    return None


# D2.3 Vehicular Bypass: along the hexside that lies straight before a vehicle, from corner to corner


def before_it(s: State, now: Drive) -> list[Leg]:
    """The hexsides that it can go along: of the hexes on both sides of the line that it faces."""
    field, way = s.stage.field, heading(s, now)
    place = s.place[now.unit]
    if place == Place.BYPASS:
        corner = names(field, now.here, s.cafp[now.unit])
    elif place == Place.GROUND:
        corner = [one for one in names(field, now.here, way) if one.hex != now.here]
    else:
        return []
    found = [leg for one in corner for leg in legs(field, one.hex, one.vertex) if leg.heading == way]
    return [leg for leg in found if open_leg(s, leg)]


def skirts(s: State, f: DriverAt, now: Drive) -> list[tuple[int, ...]]:
    if not now.going or now.move.escort:
        return []
    out = s.stage.out
    found = [leg for leg in before_it(s, now) if leg.hex in out and why_skirt(s, now, leg) is None]
    return sorted({(out[leg.hex], leg.to) for leg in found})


def why_skirt(s: State, now: Drive, leg: Leg) -> Reason | None:
    if not now.going:
        return Reason("D2.1", "it must Start first")
    if now.move.escort:
        return Reason("D9.31", "the Infantry that goes with it cannot keep pace")
    if astray(s, now.unit, now.here, leg.hex):
        return Reason("D5.341", "a Recalled vehicle goes toward its own edge of the map")
    found = price(s, now.unit, leg.hex, now.back, Place.BYPASS)
    if found is None:
        return Reason("D2.3", "no vehicle like this can go there")
    return None if found.halves <= now.left else Reason("D2.1", "there are not enough MP left for it")


def no_skirt(s: State, f: DriverAt, now: Drive, args: Sequence[int]) -> Reason | None:
    g, vertex = args
    h = s.stage.into[g]
    leg = next((one for one in before_it(s, now) if (one.hex, one.to) == (h, vertex)), None)
    if leg is None:
        return Reason("D2.3", "a vehicle bypasses along the hexside straight before it, past an obstacle beside it")
    return why_skirt(s, now, leg)


def skirt(s: State, f: DriverAt, g: int, vertex: int) -> None:
    """D2.3 twice the Open Ground cost for each hexside; it is at the corner, in the hex that it bypasses."""
    move = s.move
    assert move is not None
    h = s.stage.into[g]
    found = price(s, move.vehicle, h, bool(s.backing >> move.vehicle & 1), Place.BYPASS)
    assert found is not None
    go(s, h, found.halves, place=Place.BYPASS, vertex=vertex)


def carries(s: State, u: int) -> bool:
    """Whether the scenario gives this vehicle a fascine that it has not laid."""
    effects = [one.get("effect", {}) for one in s.stage.script.get("ssr", ())]
    given = any(one.get("kind") == "fascine" and s.kind(u).id in one["units"] for one in effects)
    return given and not s.unladen >> u & 1


def cliffs(s: State, now: Drive) -> int:
    """The hexes across the cliffs of the wadi that it is IN, in the numbers of actions."""
    field, found = s.stage.field, 0
    for d, n in field.grid.neighbours[now.here]:
        if field.side("wadi_cliff", now.here, d) and n in s.stage.out:
            found |= 1 << s.stage.out[n]
    return found


FASCINE: Bars[State, Drive] = Bars(
    Bar("F5.3a", "it carries no fascine", lambda s, now: 0 if carries(s, now.unit) else ALL),
    Bar("F5.3a", "it must be IN a wadi for it", lambda s, now: 0 if s.place[now.unit] == Place.IN else ALL),
    Bar("F5.3a", "it must have stopped, and do nothing else", lambda s, now: ALL if now.going or now.move.spent else 0),
    Need("F5.3a", "no cliff of the wadi lies towards {hex}", cliffs),
)


def lay_fascine(s: State, f: DriverAt, g: int) -> None:
    """Its only action of the MPh: all its MP are spent with it, and the cliff is an ordinary side of the wadi."""
    now, h = drive_of(s), s.stage.into[g]
    d = s.stage.grid.direction(now.here, h)
    s.fascines = {**s.fascines, now.here: s.fascines.get(now.here, 0) | 1 << d}
    s.stage = s.stage.bridged(s.fascines)
    s.unladen |= 1 << now.unit
    now.move.over = 1
    emit(s, "fascine", "F5.3a", {"unit": now.unit, "hex": h, "side": s.phasing})
    spend(s, now.left)
