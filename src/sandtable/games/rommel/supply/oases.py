"""15 Oases: Jalo, Jarabub and Siwa each keep one unit in them in supply."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.phases import Each, Elsewhere, Phase

from ..table import verbs
from ..table.board import units_of
from ..table.ids import BUILDUP, F_OASIS, INITIAL
from ..table.state import State, battles, emit, units_in
from ..table.steps import OasisAt
from .supply import unsupplied_units
from .supply_lines import cut_off_units

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
    return units & ~cut_off_units(s, side)


def assign(s: State, side: int, u: int) -> None:
    """15.1d Give a unit the supply of the oasis that it is in."""
    h = s.at[u]
    place = place_of(s, h)
    s.assigned[place] = s.assigned[place] & ~s.board.of_side[side] | 1 << u
    s.oasis_supply |= 1 << u
    emit(s, "oasis_supply", "15.1c", {"hex": h, "side": side}, side, {"unit": u})


class Oasis(NamedTuple):
    """An oasis whose supply is to be given, and to whom it may be."""

    side: int
    hex: Hex
    units: int


GIVEN: Bars[State, Oasis] = Bars(
    Need("15.1c", "{unit} is not yours", lambda s, now: s.board.of_side[now.side]),
    Need("15.1a", "{unit} is not in {hex}: nobody outside an oasis can draw on it", lambda s, now: s.here[now.hex]),
    Bar("12.5f", "{unit} is a raider, cut off from its friends in {hex}", lambda s, now: cut_off_units(s, now.side)),
    Need("15.1f", "{unit} is in supply without the oasis", lambda s, now: now.units),
)


def give(s: State, f: OasisAt, u: int) -> None:
    s.stack.pop()
    assign(s, f.side, u)


class OasisSupply(Phase[State, OasisAt, Oasis]):
    """15.1c Which unit in an oasis gets its supply; no question if there is but one."""

    at = OasisAt
    does = (
        Each(verbs.OASIS, bars=GIVEN, facts=lambda s, now: {"hex": now.hex}, take=give),
        Elsewhere("15.1c", "one of the units in the oasis must be given its supply", *verbs.all_but(verbs.OASIS)),
    )

    def actor(self, s: State, f: OasisAt) -> int | None:
        return f.side if candidates(s, f.side, f.moment, f.hex).bit_count() > 1 else None

    def run(self, s: State, f: OasisAt) -> None:
        s.stack.pop()
        for u in units_of(candidates(s, f.side, f.moment, f.hex)):
            assign(s, f.side, u)

    def now(self, s: State, f: OasisAt) -> Oasis:
        return Oasis(f.side, f.hex, candidates(s, f.side, f.moment, f.hex))

    def prompt(self, s: State, f: OasisAt) -> Prompt:
        rules = ("15.1c", "15.1b") if f.moment == INITIAL else ("15.1f", "15.1b")
        text = Text("{hex} keeps one of the units in it in supply, for this whole turn: choose which.", hex=f.hex)
        phase = "buildup" if f.moment == BUILDUP else "supply"
        return Prompt(Text("Oasis supply in {hex}", hex=f.hex), text, rules, phase)


FRAMES: dict[int, Frame[State, Any]] = {F_OASIS: OasisSupply()}
