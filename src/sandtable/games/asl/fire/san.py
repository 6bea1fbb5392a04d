"""A14.1 When a Sniper is woken."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex

from ..table.ids import F_SNIPER
from ..table.state import State


class SniperAt(NamedTuple):
    """The Sniper dr of a side against the other near a hex."""

    frame: int
    side: int
    hex: int


def shot_at(s: State, side: int, original: int, h: Hex, depth: int = -1) -> None:
    """A14.1, AMB-130 a fire or MC DR of a side: if it equals the other's SAN, that one makes a Sniper dr; at this depth
    of the stack, where the shot is to be played out before."""
    san = s.stage.san[1 - side]
    if san and original == san and h >= 0:
        s.stack.insert(len(s.stack) if depth < 0 else depth, SniperAt(F_SNIPER, 1 - side, h))
