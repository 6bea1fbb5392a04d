"""What a side may know, and a table set up from nothing but that.

Nothing in this game lies hidden: what the cup will give and how the dice fall is chance. A view holds the
whole table in names, and `imagine` sets it up again.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import CHANCE, Outcome, View
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.masks import units_of

from .board import Board
from .ids import BOXES, PHASES, SHOWS, SIDES, UNUSED
from .scenarios import option_bits, option_names
from .state import HEX_SETS, LISTS, NUMBERS, UNIT_SETS, State, put, vp

if TYPE_CHECKING:
    from .game import Caucasus

# Unit sets that a counter shows as marks; the rest belongs to the fight or the move under way.
MARKS = ("disrupted", "limited", "oos", "moved", "assault", "rebuilt", "marked", "pinned", "attacked", "retreated")

_BOX_NUMBERS = {name: number for number, name in BOXES.items()}


def look(game: Caucasus, s: State, side: int) -> View:
    """Everything that `side` may know: the whole table."""
    names = s.board.grid.names
    to_act = None if s.ended else "chance" if s.actor == CHANCE else SIDES[s.actor]
    marks = [(mark, getattr(s, mark)) for mark in MARKS]
    return {
        "game": "caucasus",
        "version": game.version,
        "scenario": s.scenario,
        "options": option_names(s.flags),
        "side": SIDES[side] if side >= 0 else None,
        "turn": s.turn,
        "phase": PHASES[s.phase],
        "active": SIDES[s.active],
        "to_act": to_act,
        "vp": vp(s),
        "outcome": _outcome(s),
        "units": [_unit(s, u, h, marks) for u, h in enumerate(s.at) if h != UNUSED],
        "control": [names[h] for h in hexes_of(s.control)],
        "claims": {names[h]: _ids(s, units) for h, units in sorted(s.claims.items())},
        "numbers": {name: getattr(s, name) for name in NUMBERS},
        "unit_sets": {name: _ids(s, getattr(s, name)) for name in UNIT_SETS if name not in MARKS},
        "hex_sets": {name: [names[h] for h in hexes_of(getattr(s, name))] for name in HEX_SETS if name != "control"},
        "replacements": list(s.replacements),
        "losses": list(s.losses),
        "frames": [list(f) for f in s.stack],
    }


def _ids(s: State, units: int) -> list[str]:
    return [s.board.units[u] for u in units_of(units)]


def _outcome(s: State) -> dict[str, Any] | None:
    if s.ended is None:
        return None
    winner = None if s.ended.winner is None else SIDES[s.ended.winner]
    return {"winner": winner, "level": s.ended.level, "points": s.ended.points, "rule": s.ended.rule}


def _unit(s: State, u: int, h: int, marks: list[tuple[str, int]]) -> dict[str, Any]:
    board = s.board
    out: dict[str, Any] = {"id": board.units[u], "side": SIDES[board.side[u]], "shows": SHOWS[s.step[u]]}
    if h >= 0:
        out["hex"] = board.grid.names[h]
    else:
        out["box"] = BOXES[h]
    if s.due[u]:
        out["due"] = s.due[u]
    found = [mark for mark, mask in marks if mask >> u & 1]
    if found:
        out["marks"] = found
    return out


def imagine(board: Board, view: View, rng: Random) -> State:
    """The table that this view shows. Nothing has to be guessed, so `rng` is not drawn from."""
    index = board.grid.index
    s = State(board, view["scenario"])
    for name in NUMBERS:
        setattr(s, name, view["numbers"][name])
    s.flags = option_bits(view["options"])
    s.ground = board.ground(s.turn)
    for unit in view["units"]:
        u = board.unit_index[unit["id"]]
        s.step[u] = SHOWS.index(unit["shows"])
        s.due[u] = unit.get("due", 0)
        put(s, u, index[unit["hex"]] if "hex" in unit else _BOX_NUMBERS[unit["box"]])
        for mark in unit.get("marks", ()):
            setattr(s, mark, getattr(s, mark) | 1 << u)
    s.corps = view["numbers"]["corps"]
    for name, ids in view["unit_sets"].items():
        setattr(s, name, sum(1 << board.unit_index[i] for i in ids))
    for name, hexes in {**view["hex_sets"], "control": view["control"]}.items():
        setattr(s, name, board.mask(hexes))
    s.claims = {index[n]: sum(1 << board.unit_index[i] for i in ids) for n, ids in view["claims"].items()}
    s.replacements = list(view["replacements"])
    s.losses = list(view["losses"])
    s.stack = [tuple(f) for f in view["frames"]]
    s.actor = CHANCE if view["to_act"] in ("chance", None) else SIDES.index(view["to_act"])
    if view["outcome"]:
        o = view["outcome"]
        s.ended = Outcome(None if o["winner"] is None else SIDES.index(o["winner"]), o["level"], o["points"], o["rule"])
    s.events = []
    return s


assert set(LISTS) == {"replacements", "due", "losses"}
