"""What a side may know, and a table set up from nothing but that.

Nothing in this game lies hidden; only the dice are unknown. A view holds the whole table in names, and
`imagine` sets it up again.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import View
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.viewing import actor_of, actor_shown, counter_shown, ids_of, outcome_of, outcome_shown

from ..table.board import Board
from ..table.ids import BOXES, PHASES, SHOWS, SIDES, UNUSED
from ..table.position import put, recount
from ..table.scenarios import option_bits, option_names
from ..table.state import LISTS, NUMBERS, PAIRS, PLACE_SETS, UNIT_SETS, State

if TYPE_CHECKING:
    from ..game import NorthAfrica

# Unit sets that a counter shows as marks; the rest belongs to the fight or the move under way.
MARKS = (
    "disrupted",
    "routed",
    "oos",
    "isolated",
    "depleted",
    "shipped",
    "refreshed",
    "msu",
    "auto",
    "moved",
    "extended",
    "attacked",
    "retreated",
    "fed",
)

# Assets are bit sets of the fight, not units
NOT_UNITS = ("air_att", "air_def")
PLAIN_LISTS = tuple(name for name in LISTS if name not in ("due", "carried"))

_BOX_NUMBERS = {name: number for number, name in BOXES.items()}


def look(game: NorthAfrica, s: State, side: int) -> View:
    """Everything that `side` may know: the whole table."""
    names = s.board.grid.names
    marks = [(mark, getattr(s, mark)) for mark in MARKS]
    return {
        "game": "na41",
        "version": game.version,
        "scenario": s.scenario,
        "options": option_names(s.flags),
        "side": SIDES[side] if side >= 0 else None,
        "turn": s.turn,
        "impulse": s.impulse,
        "phase": PHASES[s.phase],
        "active": SIDES[s.active],
        "to_act": actor_shown(s, SIDES),
        "outcome": outcome_shown(s, SIDES),
        "units": [_unit(s, u, marks) for u, h in enumerate(s.at) if h != UNUSED],
        "supply_points": [{names[p]: n for p, n in sorted(points.items())} for points in s.sp],
        "supply_points_held": [{names[p]: n for p, n in sorted(points.items())} for points in s.sp_held],
        "fortifications": [[names[h] for h in hexes_of(mask)] for mask in s.forts],
        "building": [[names[h] for h in hexes_of(mask)] for mask in s.building],
        "strafing": [[names[h] for h in hexes_of(mask)] for mask in s.strafing],
        "lrdg": [names[h] for h in hexes_of(s.lrdg)],
        "claims": {names[h]: ids_of(s.board, units) for h, units in sorted(s.claims.items())},
        "numbers": {name: getattr(s, name) for name in (*NUMBERS, *NOT_UNITS)},
        "unit_sets": {n: ids_of(s.board, getattr(s, n)) for n in UNIT_SETS if n not in MARKS and n not in NOT_UNITS},
        "place_sets": {name: [names[h] for h in hexes_of(getattr(s, name))] for name in PLACE_SETS},
        "lists": {name: [list(v) if isinstance(v, tuple) else v for v in getattr(s, name)] for name in PLAIN_LISTS},
        "pairs": {name: list(getattr(s, name)) for name in PAIRS},
        "frames": [list(f) for f in s.stack],
    }


def _unit(s: State, u: int, marks: list[tuple[str, int]]) -> dict[str, Any]:
    out = counter_shown(s, u, marks, SIDES, SHOWS, BOXES)
    if s.carried[u] >= 0:
        out["truck"] = s.board.units[s.carried[u]]
    return out


def imagine(board: Board, view: View, rng: Random) -> State:
    """The table that this view shows. Nothing has to be guessed, so `rng` is not drawn from."""
    place = {**board.grid.index, **board.grid.boxes}
    s = State(board, view["scenario"])
    for name, value in view["numbers"].items():
        setattr(s, name, value)
    s.flags = option_bits(view["options"])
    for unit in view["units"]:
        u = board.unit_index[unit["id"]]
        s.step[u] = SHOWS.index(unit["shows"])
        s.due[u] = unit.get("due", 0)
        s.carried[u] = board.unit_index[unit["truck"]] if "truck" in unit else -1
        for mark in unit.get("marks", ()):
            setattr(s, mark, getattr(s, mark) | 1 << u)
        put(s, u, place[unit["hex"]] if "hex" in unit else _BOX_NUMBERS[unit["box"]])
    for name, ids in view["unit_sets"].items():
        setattr(s, name, sum(1 << board.unit_index[i] for i in ids))
    for name, hexes in view["place_sets"].items():
        setattr(s, name, sum(1 << place[h] for h in hexes))
    for name, values in view["lists"].items():
        setattr(s, name, [tuple(v) if isinstance(v, list) else v for v in values])
    for name, values in view["pairs"].items():
        setattr(s, name, list(values))
    s.sp = [{place[p]: n for p, n in points.items()} for points in view["supply_points"]]
    s.sp_held = [{place[p]: n for p, n in points.items()} for points in view["supply_points_held"]]
    s.forts = [board.mask(hexes) for hexes in view["fortifications"]]
    s.building = [board.mask(hexes) for hexes in view["building"]]
    s.strafing = [board.mask(hexes) for hexes in view["strafing"]]
    s.lrdg = board.mask(view["lrdg"])
    s.claims = {place[n]: sum(1 << board.unit_index[i] for i in ids) for n, ids in view["claims"].items()}
    for h in list(s.here):
        recount(s, h)
    s.stack = [tuple(f) for f in view["frames"]]
    s.actor = actor_of(view["to_act"], SIDES)
    s.ended = outcome_of(view["outcome"], SIDES)
    s.events = []
    return s
