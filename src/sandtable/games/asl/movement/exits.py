"""A2.6 Units leave the map: from an edge hex, for 1 MF or MP, and do not return."""

from __future__ import annotations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.costs import HALF
from ..table.ids import BENEATH, EXITED, ON_WIRE, SIDES
from ..table.state import State, forget, passengers, put
from ..table.telling import tell
from .walking import Walk, too_few

EDGES = ("N", "E", "S", "W")


def edges_of(s: State, h: Hex) -> list[int]:
    """The edges of the playing area that a hex lies at, as indexes of EDGES: two at a corner."""
    return [i for i, edge in enumerate(EDGES) if s.stage.field.edges[edge] >> h & 1]


def edge_of(s: State, h: Hex, side: int) -> int:
    """The edge by which a side leaves a hex, -1 if it lies at none; AMB-180 at a corner the one by which it wins."""
    found = edges_of(s, h)
    victory = s.stage.script["victory"]
    goals = [one for one in (*victory.get("immediate", ()), *victory["at_end"]) if one["type"] == "exit"]
    wanted = {one["edge"] for one in goals if one["side"] == SIDES[side]} if s.edition > 6 else set()
    return next((i for i in found if EDGES[i] in wanted), found[0] if found else -1)


def edge_ahead(s: State, u: int, back: bool) -> int:
    """The edge that a vehicle would leave by: one of the two hexsides before it (behind it) leads off the map."""
    first = s.vca[u] + (3 if back else 0)
    if all(s.stage.grid.neighbour(s.at[u], d % 6) >= 0 for d in (first, first + 1)):
        return -1
    return edge_of(s, s.at[u], s.stage.roster.side[u])


def no_drive_off(s: State, u: int, going: bool, back: bool, left: int) -> Reason | None:
    if not going:
        return Reason("D2.1", "it must Start first")
    if edge_ahead(s, u, back) < 0:
        return Reason("A2.6", "it does not face the edge of the map")
    return None if left >= HALF else Reason("A2.6", "leaving the map costs 1 MP, and none is left")


def no_walk_off(s: State, now: Walk) -> Reason | None:
    if not edges_of(s, now.here):
        return Reason("A2.6", "they are not at the edge of the map")
    if now.under == ON_WIRE and s.edition > 6:
        return Reason("B26.4", "they are on wire and must get beneath it first")
    if now.under in BENEATH and s.edition > 6:
        return Reason("B27.3", "they must come out of the entrenchment first")
    return too_few(now, HALF)


def leave_map(s: State, units: int, edge: int) -> None:
    """They are gone; what they carry and who is aboard goes with them."""
    for u in units_of(units):
        tell(s, "exited", "A2.6", 1 << u, s.stage.roster.side[u], {"hex": s.at[u], "edge": EDGES[edge]})
        gone = [u, *passengers(s, u)]
        if s.edition > 5:  # A20.5 they go with their guard
            for one in [one for one, by in s.guard.items() if by in gone]:
                put(s, one, EXITED)
        for w in [w for w in s.stage.roster.armoury if s.holder[w] in gone]:
            s.holder[w] = -1
            put(s, w, EXITED)
        for one in reversed(gone):
            s.exits[one] = edge
            s.trail.pop(one, None)
            s.under[one] = 0
            put(s, one, EXITED)
            forget(s, one)
