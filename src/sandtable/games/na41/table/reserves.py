"""S2.2 The Reserve Box: who waits in it, and when they are let go."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.shown.telling import emit

from .ids import ALLIED, RESERVE
from .position import put
from .scenarios import Release, script
from .state import State


def release(s: State) -> None:
    """S2.2c, S2.2d in the Preparation Phase: those whose turn has come, and who arrive after their hex was entered."""
    for group in script(s).releases:
        if s.turn >= group.turn or s.released >> group.hex & 1:
            let_go(s, group)


def entered(s: State, h: Hex) -> None:
    """S2.2c, S2.2d an Axis unit enters a hex: those who were waiting for that are released at once."""
    for group in script(s).releases:
        if group.hex == h and not s.released >> h & 1:
            s.released |= 1 << h
            let_go(s, group)


def let_go(s: State, group: Release) -> None:
    """S2.2e they are put in the Nile Delta."""
    for u in units_of(group.units):
        if s.at[u] == RESERVE:
            put(s, u, s.board.delta)
            emit(s, "released", group.rule, {"unit": u, "side": ALLIED, "hex": s.board.delta})
