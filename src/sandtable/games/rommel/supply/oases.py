"""15 Oases: Jalo, Jarabub and Siwa each keep one unit in them in supply."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex

from ..table import verbs
from ..table.board import units_of
from ..table.ids import BUILDUP, F_OASIS, INITIAL
from ..table.state import State, battles, emit, units_in
from ..table.steps import OasisAt
from .supply import unsupplied_units
from .supply_lines import is_cut_off

__all__ = ["FRAMES"]


def place_of(s: State, h: Hex) -> int:
    """The place of an oasis in `s.assigned`, after the fortresses."""
    return len(s.board.fortresses) + s.board.oases.index(h)


def candidates(s: State, side: int, moment: int, h: Hex) -> int:
    """15.1b, 15.1c, 15.1f, 15.1g The units that the oasis may be given to, as a unit mask.

    Only units in it, in a battle only the Defender's; raiders cut off there get nothing (12.5f). In the
    initial check any unit present must take it, even one with a line of its own (15.1e). Later it is for
    a unit without supply, if it has not been given out in this turn to a unit that is still alive (15.1d).
    """
    if s.assigned[place_of(s, h)] & s.oasis_supply & s.board.of_side[side]:
        return 0
    if battles(s) & ~s.defends[side] & 1 << h:
        return 0
    units = units_in(s, h, side)
    if moment != INITIAL:
        units &= unsupplied_units(s, side) & ~s.fort_supply
    return sum(1 << u for u in units_of(units) if not is_cut_off(s, u))


def assign(s: State, side: int, u: int) -> None:
    """15.1d Give a unit the supply of the oasis that it is in."""
    h = s.at[u]
    place = place_of(s, h)
    s.assigned[place] = s.assigned[place] & ~s.board.of_side[side] | 1 << u
    s.oasis_supply |= 1 << u
    emit(s, "oasis_supply", "15.1c", {"hex": h, "side": side}, side, {"unit": u})


class OasisSupply(Frame[State, OasisAt]):
    """15.1c Which unit in an oasis gets its supply; no question if there is but one."""

    at = OasisAt

    def actor(self, s: State, f: OasisAt) -> int | None:
        _, side, moment, h = f
        return side if candidates(s, side, moment, h).bit_count() > 1 else None

    def run(self, s: State, f: OasisAt) -> None:
        _, side, moment, h = f
        s.stack.pop()
        for u in units_of(candidates(s, side, moment, h)):
            assign(s, side, u)

    def legal(self, s: State, f: OasisAt) -> list[Action]:
        _, side, moment, h = f
        return [(verbs.OASIS, u) for u in units_of(candidates(s, side, moment, h))]

    def take(self, s: State, f: OasisAt, action: Action) -> None:
        s.stack.pop()
        assign(s, f.side, action[1])

    def prompt(self, s: State, f: OasisAt) -> Prompt:
        _, _, moment, h = f
        name = s.board.hex_name(h)
        rules = ("15.1c", "15.1b") if moment == INITIAL else ("15.1f", "15.1b")
        text = f"{name} keeps one of the units in it in supply, for this whole turn: choose which."
        return Prompt(f"Oasis supply in {name}", text, rules, "buildup" if moment == BUILDUP else "supply")

    def why_not(self, s: State, f: OasisAt, action: Action) -> Reason | None:
        _, side, _, h = f
        if action[0] != verbs.OASIS:
            return Reason("15.1c", "one of the units in the oasis must be given its supply")
        board = s.board
        u = action[1]
        unit, name = board.unit_names[u], board.hex_name(h)
        if board.side[u] != side:
            return Reason("15.1c", f"{unit} is not yours")
        if s.at[u] != h:
            return Reason("15.1a", f"{unit} is not in {name}: nobody outside an oasis can draw on it")
        if is_cut_off(s, u):
            return Reason("12.5f", f"{unit} is a raider, cut off from its friends in {name}")
        return Reason("15.1f", f"{unit} is in supply without the oasis")


FRAMES: dict[int, Frame[State, Any]] = {F_OASIS: OasisSupply()}
