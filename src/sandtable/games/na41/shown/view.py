"""What a side may know, and a table set up from nothing but that.

Nothing in this game lies hidden; only the dice are unknown. A view holds the whole table in names, and
`imagine` sets it up again.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import View
from sandtable.engine.flat import HEXES, NUMBER, ROW, UNITS
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.shown.viewing import counter_of, counter_shown, heading, ids_of, resume

from ..table.frames import numbers
from ..table.ids import BOXES, PHASES, SHOWS, SIDES, UNUSED
from ..table.position import put, recount
from ..table.scenarios import option_bits, option_names
from ..table.state import PAIR, Fight, State

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

# Shown in a way of their own: who decides, the frames, and what belongs to each unit
APART = ("actor", "stack", "at", "step", "due", "carried")
NUMBERS = tuple(name for name in State.names(NUMBER) if name not in APART)
UNIT_SETS = tuple(name for name in State.names(UNITS) if name not in MARKS)
ROWS = tuple(name for name in State.names(ROW) if name not in APART)

# The fight in hand stands among the numbers and the sets of units
FIGHT_NUMBERS = {"fight" if name == "kind" else name: name for name in Fight.names(NUMBER)}
FIGHT_UNITS = Fight.names(UNITS)

_BOX_NUMBERS = {name: number for number, name in BOXES.items()}


def look(game: NorthAfrica, s: State, side: int) -> View:
    """Everything that `side` may know: the whole table."""
    names = s.board.grid.names
    marks = [(mark, getattr(s, mark)) for mark in MARKS]
    return {
        **heading(game, s, side, PHASES, option_names),
        "impulse": s.impulse,
        "units": [_unit(s, u, marks) for u, h in enumerate(s.at) if h != UNUSED],
        "supply_points": [{names[p]: n for p, n in sorted(points.items())} for points in s.sp],
        "supply_points_held": [{names[p]: n for p, n in sorted(points.items())} for points in s.sp_held],
        "fortifications": [[names[h] for h in hexes_of(mask)] for mask in s.forts],
        "building": [[names[h] for h in hexes_of(mask)] for mask in s.building],
        "strafing": [[names[h] for h in hexes_of(mask)] for mask in s.strafing],
        "lrdg": [names[h] for h in hexes_of(s.lrdg)],
        "claims": {names[h]: ids_of(s.board, units) for h, units in sorted(s.claims.items())},
        "numbers": {
            **{name: getattr(s, name) for name in NUMBERS},
            **{shown: getattr(s.fight, name) for shown, name in FIGHT_NUMBERS.items()},
        },
        "unit_sets": {
            **{name: ids_of(s.board, getattr(s, name)) for name in UNIT_SETS},
            **{name: ids_of(s.board, getattr(s.fight, name)) for name in FIGHT_UNITS},
        },
        "place_sets": {name: [names[h] for h in hexes_of(getattr(s, name))] for name in State.names(HEXES)},
        "lists": {
            **{name: [list(v) if isinstance(v, tuple) else v for v in getattr(s, name)] for name in ROWS},
            "fights": [[getattr(fight, name) for name in Fight.fields] for fight in s.waiting],
        },
        "pairs": {name: list(getattr(s, name)) for name in State.names(PAIR)},
        "frames": [numbers(f) for f in s.stack],
    }


def _unit(s: State, u: int, marks: list[tuple[str, int]]) -> dict[str, Any]:
    out = counter_shown(s, u, marks, SIDES, SHOWS, BOXES)
    if s.carried[u] >= 0:
        out["truck"] = s.board.units[s.carried[u]]
    return out


def imagine(game: NorthAfrica, view: View, rng: Random) -> State:
    """The table that this view shows. Nothing has to be guessed, so `rng` is not drawn from."""
    board = game.board
    place = {**board.grid.index, **board.grid.boxes}
    s = State(board, scenario=view["scenario"])
    for name, value in view["numbers"].items():
        if name in FIGHT_NUMBERS:
            setattr(s.fight, FIGHT_NUMBERS[name], value)
        else:
            setattr(s, name, value)
    s.flags = option_bits(view["options"])
    for unit in view["units"]:
        u, h = counter_of(s, unit, SHOWS, place, _BOX_NUMBERS)
        s.carried[u] = board.unit_index[unit["truck"]] if "truck" in unit else -1
        put(s, u, h)
    for name, ids in view["unit_sets"].items():
        setattr(s.fight if name in FIGHT_UNITS else s, name, sum(1 << board.unit_index[i] for i in ids))
    for name, hexes in view["place_sets"].items():
        setattr(s, name, sum(1 << place[h] for h in hexes))
    for name in ROWS:
        setattr(s, name, [tuple(v) if isinstance(v, list) else v for v in view["lists"][name]])
    s.waiting = [Fight(**dict(zip(Fight.fields, values, strict=True))) for values in view["lists"]["fights"]]
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
    resume(game, s, view, view["frames"])
    return s
