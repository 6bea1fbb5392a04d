"""What is built on the ground: sangars, and who has room beneath them."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from .ids import UNDER_SANGAR
from .state import State, equivalents


def has_sangar(s: State, h: Hex) -> bool:
    return bool(s.here.get(h, 0) & s.stage.roster.sangars)


def room_under(s: State, h: Hex) -> int:
    """F8.3a, F8.3c halves of squad equivalents that still fit beneath the sangar of a hex, both sides together."""
    beneath = sum(1 << u for u in units_of(s.here.get(h, 0)) if s.under[u] == UNDER_SANGAR)
    return 2 - equivalents(s, beneath)
