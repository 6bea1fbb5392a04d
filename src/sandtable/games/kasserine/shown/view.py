"""What a side may know, and a table set up from nothing but that.

Nothing on the map lies hidden but the values of Untried minefields, and those nobody knows: they are drawn when they
are revealed (11.45). Standing orders for reactions are known to their owner alone. A view holds all the rest of the
table in names, and `imagine` sets it up again, with no orders of the other side.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import View
from sandtable.engine.flat import HEXES, NUMBER, ROW, TABLE, UNITS, Flat
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.orders import Order
from sandtable.mechanics.shown.viewing import counter_of, counter_shown, heading, ids_of, resume

from ..combat.fight import Fight
from ..table.board import Board
from ..table.ids import BOXES, PHASES, SHOWS, SIDES, UNUSED, WEATHERS
from ..table.position import put
from ..table.script import option_bits, option_names
from ..table.state import State
from ..turn.victory import net, score

if TYPE_CHECKING:
    from ..game import Kasserine

# Unit sets that a counter shows as marks; the rest belongs to the move under way
MARKS = ("disrupted", "emergency", "oos", "fired", "spent", "fire_net", "moved")
WORKS = ("strongpoints", "building", "mines", "exited_by")  # by side, sets of hexes
DECLARED = ("aims", "refugees")  # by hex, sets of units
SKIPPED = ("at", "step", "due", "stack", "orders", *WORKS)

_BOX_NUMBERS = {name: number for number, name in BOXES.items()}
_SAFE = 1 << 53


def look(game: Kasserine, s: State, side: int) -> View:
    """Everything that `side` may know: the whole table, and its own orders."""
    board, names = s.board, s.board.grid.names
    marks = [(mark, getattr(s, mark)) for mark in MARKS]
    return {
        **heading(game, s, side, PHASES, option_names),
        "weather": WEATHERS[s.weather],
        "net": net(s),
        "score": [[item.value, item.rule, str(item.text)] for item in score(s)],
        "units": [counter_shown(s, u, marks, SIDES, SHOWS, BOXES) for u, h in enumerate(s.at) if h != UNUSED],
        "works": {name: [_names(board, hexes) for hexes in getattr(s, name)] for name in WORKS},
        "declared": {
            name: {names[h]: ids_of(board, units) for h, units in sorted(getattr(s, name).items())} for name in DECLARED
        },
        **_fields(s),
        "fight": _fields(s.fight) if s.fight is not None else None,
        "orders": [list(one) for one in s.orders if one.side == side],
        "frames": [_coded(list(f)) for f in s.stack],
    }


def _fields(of: Any) -> dict[str, Any]:
    """The fields of a record by kind, in names."""
    state = isinstance(of, State)
    return {
        "numbers": {name: getattr(of, name) for name in of.names(NUMBER)},
        "unit_sets": {name: _coded(getattr(of, name)) for name in of.names(UNITS) if not state or name not in MARKS},
        "hex_sets": {name: _coded(getattr(of, name)) for name in of.names(HEXES)},
        "rows": {name: _coded(list(getattr(of, name))) for name in of.names(ROW) if not state or name not in SKIPPED},
        "tables": {
            name: [[key, _coded(value)] for key, value in sorted(getattr(of, name).items())]
            for name in of.names(TABLE)
            if not state or name not in DECLARED
        },
    }


def _names(board: Board, hexes: int) -> list[str]:
    return [board.grid.names[h] for h in hexes_of(hexes)]


def _coded(value: Any) -> Any:
    """Plain JSON values: sets of many bits as hexadecimal words, which no reader of JSON rounds."""
    if isinstance(value, list | tuple):
        return [_coded(one) for one in value]
    if isinstance(value, int) and not -_SAFE < value < _SAFE:
        return hex(value)
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(one) for one in value]
    return int(value, 16) if isinstance(value, str) else value


def imagine(game: Kasserine, view: View, rng: Random) -> State:
    """The table that this view shows. Nothing is guessed, so `rng` is not drawn from."""
    board = game.board
    index = board.grid.index
    s = State(board, scenario=view["scenario"])
    _fill(s, view)
    s.flags = option_bits(view["options"])
    for unit in view["units"]:
        put(s, *counter_of(s, unit, SHOWS, index, _BOX_NUMBERS))
    for name, sides in view["works"].items():
        setattr(s, name, [board.mask(hexes) for hexes in sides])
    for name, hexes in view["declared"].items():
        setattr(s, name, {index[n]: sum(1 << board.unit_index[i] for i in ids) for n, ids in hexes.items()})
    if view["fight"] is not None:
        s.fight = Fight(board)
        _fill(s.fight, view["fight"])
    s.orders = [Order(*one) for one in view["orders"]]
    resume(game, s, view, map(_decoded, view["frames"]))
    return s


def _fill(of: Flat, fields: dict[str, Any]) -> None:
    for kind in ("numbers", "unit_sets", "hex_sets"):
        for name, value in fields[kind].items():
            setattr(of, name, _decoded(value))
    for name, values in fields["rows"].items():
        setattr(of, name, _decoded(values))
    for name, pairs in fields["tables"].items():
        setattr(of, name, {key: _decoded(value) for key, value in pairs})
