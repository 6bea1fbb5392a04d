"""What a side may know, and a table set up from nothing but that.

Nothing in this game lies hidden: what the cup will give and how the dice fall is chance. A view holds the
whole table in names, and `imagine` sets it up again.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.flat import HEXES, NUMBER, UNITS
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.shown.viewing import counter_of, counter_shown, heading, ids_of, resume

from ..table.ids import BOXES, PHASES, SHOWS, SIDES, UNUSED
from ..table.scenarios import option_bits, option_names
from ..table.state import Fight, State, put, vp

if TYPE_CHECKING:
    from ..game import Caucasus

# Unit sets that a counter shows as marks; the rest belongs to the fight or the move under way.
MARKS = ("disrupted", "limited", "oos", "moved", "assault", "rebuilt", "marked", "pinned", "attacked", "retreated")

_BOX_NUMBERS = {name: number for number, name in BOXES.items()}


def look(game: Caucasus, s: State, side: int) -> View:
    """Everything that `side` may know: the whole table."""
    names = s.board.grid.names
    marks = [(mark, getattr(s, mark)) for mark in MARKS]
    return {
        **heading(game, s, side, PHASES, option_names),
        "vp": vp(s),
        "units": [counter_shown(s, u, marks, SIDES, SHOWS, BOXES) for u, h in enumerate(s.at) if h != UNUSED],
        "control": [names[h] for h in hexes_of(s.control)],
        "claims": {names[h]: ids_of(s.board, units) for h, units in sorted(s.claims.items())},
        "numbers": {
            **{name: getattr(s, name) for name in State.names(NUMBER)},
            **{"fight" if name == "kind" else name: getattr(s.fight, name) for name in Fight.names(NUMBER)},
        },
        "unit_sets": {
            name: ids_of(s.board, getattr(of, name))
            for of in (s, s.fight)
            for name in of.names(UNITS)
            if name not in MARKS
        },
        "hex_sets": {
            name: [names[h] for h in hexes_of(getattr(s, name))] for name in State.names(HEXES) if name != "control"
        },
        "replacements": list(s.replacements),
        "losses": list(s.fight.losses),
        "frames": [list(f) for f in s.stack],
    }


def imagine(game: Caucasus, view: View, rng: Random) -> State:
    """The table that this view shows. Nothing has to be guessed, so `rng` is not drawn from."""
    board = game.board_for(view["options"])
    index = board.grid.index
    s = State(board, scenario=view["scenario"])
    fight = s.fight
    for name, value in view["numbers"].items():
        if name == "fight":
            fight.kind = value
        else:
            setattr(fight if name in Fight.fields else s, name, value)
    s.flags = option_bits(view["options"])
    s.ground = board.ground(s.turn)
    for unit in view["units"]:
        put(s, *counter_of(s, unit, SHOWS, index, _BOX_NUMBERS))
    s.corps = view["numbers"]["corps"]
    for name, ids in view["unit_sets"].items():
        setattr(fight if name in Fight.fields else s, name, sum(1 << board.unit_index[i] for i in ids))
    for name, hexes in {**view["hex_sets"], "control": view["control"]}.items():
        setattr(s, name, board.mask(hexes))
    s.claims = {index[n]: sum(1 << board.unit_index[i] for i in ids) for n, ids in view["claims"].items()}
    s.replacements = list(view["replacements"])
    fight.losses = list(view["losses"])
    resume(game, s, view, view["frames"])
    return s
