"""A4.11 How far Infantry goes: its Movement Factors, and what entering a hex costs."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..fire.group import inexperienced
from ..table.ids import SMC
from ..table.state import State, equivalents, men, weapons_of

HALF = 2  # MF are counted in halves
CARRY_MMC, CARRY_SMC = 3, 1  # A4.42


def allotment(s: State, u: int, led: bool) -> int:
    """A4.11, A4.42, A17.1 the MF of one unit, in halves."""
    kind = s.kind(u)
    chart = s.stage.pack.tables["movement"]["infantry_mf"]
    smc = kind.kind in SMC
    if smc:
        mf = 3 if s.wounded >> u & 1 else chart["smc"]
    else:
        mf = chart["mmc_inexperienced"] if inexperienced(s, u) else chart["mmc"]
        mf += chart["leader_bonus"] if led else 0
    load = sum(s.kind(w).pp for w in units_of(weapons_of(s, u)))
    over = load - (CARRY_SMC if smc else CARRY_MMC)
    return HALF * int(max(0, mf - max(0, over)))


def left(s: State) -> int:
    """MF that the movers still have: the slowest counts (A4.2)."""
    move = s.move
    assert move is not None
    slowest = min(allotment(s, u, bool(move.led)) for u in units_of(move.movers))
    return slowest + move.double - move.spent


def cost(s: State, a: Hex, b: Hex, side: int) -> int:
    """A4.13, B10.4, A5.12 what entering a hex costs, in halves."""
    field = s.stage.field
    chart = s.stage.pack.tables["movement"]["cost"]
    word = field.terrain[b]
    price = chart["open_desert" if word == "open" else word][0]
    points = round(HALF * price)
    if field.base[b] - field.base[a] >= 2:
        points *= 2
    over = equivalents(s, men(s, b, side)) - 6
    return int(points) + HALF * max(0, (over + 1) // 2)
