"""What meets whoever comes into a hex, in whichever phase: wire, mines, what was hidden (A12.33, B26.4, B28.41)."""

from __future__ import annotations

from typing import Any

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..boards.locations import Spot
from ..combat.withdrawal import GoAt, depart
from ..fire.air import murky
from ..fire.crews import dismay_beside
from ..fire.protection import claim
from ..fire.sights import clear
from ..table.ids import ABOVE, ENTRENCHMENTS, F_MINES, F_WITHDRAW, ON_WIRE
from ..table.state import State, good_order
from ..table.telling import emit
from ..table.works import has_wire, spot
from ..works.mines import MinesAt, find_dummies, mined

FAR = 16
NEAR = 6  # F11.601a


class Withdraw(Frame[State, GoAt]):
    """A11.2 who withdraws meets what meets whoever comes into a hex; he stays if mines have pinned him."""

    at = GoAt

    def run(self, s: State, f: GoAt) -> None:
        s.stack.pop()
        if s.at[f.unit] >= 0 and not s.pinned >> f.unit & 1:
            depart(s, f.unit, f.hex)
            if s.at[f.unit] == f.hex:
                s.encircled &= ~(1 << f.unit)  # A7.7
                arrive(s, f.hex, 1 << f.unit)


def arrive(s: State, h: Hex, units: int, fresh: bool = True) -> None:
    """Units have come into a hex: they stop on top of wire, and its mines attack them; not who was in it before, in
    Bypass (A4.31)."""
    roster = s.stage.roster
    side = roster.side[units_of(units)[0]]
    uncover(s, s.here.get(h, 0) & roster.works & s.hip & ~roster.of_side[side])
    if has_wire(s, h):
        for u in units_of(units):
            if s.under[u] == ABOVE:
                s.under[u] = ON_WIRE
    find_dummies(s, h)
    if fresh and mined(s, h):
        s.stack.append(MinesAt(F_MINES, h, units))
    for u in units_of(units & ~s.broken):
        claim(s, u)
    spy(s, units)
    dismay_beside(s)


def uncover(s: State, works: int) -> None:
    """Hidden works are placed on the map."""
    for w in units_of(works & s.hip):
        s.hip &= ~(1 << w)
        emit(s, "work_found", "A12.33", {"unit": w, "hex": s.at[w], "side": s.stage.roster.side[w]}, final=True)


def spy(s: State, units: int) -> None:
    """A12.33 hidden entrenchments are seen by Good Order enemies: within 16 hexes in Concealment Terrain, else at any
    range; mines and wire only by entry or Search."""
    roster = s.stage.roster
    able = units_of(good_order(s, units))
    if not able:
        return
    dug = sum(roster.of_kind[kind] for kind in ENTRENCHMENTS)
    for w in units_of(s.hip & dug & ~roster.of_side[roster.side[able[0]]]):
        h = s.at[w]
        veiled = s.stage.field.kind(h).concealment != "no"
        for u in able:
            limit = NEAR if murky(s, spot(s, u), Spot(h)) else FAR
            near = not veiled or s.stage.grid.distance(s.at[u], h) <= limit
            if near and clear(s, spot(s, u), Spot(h)):
                uncover(s, 1 << w)
                break


FRAMES: dict[int, Frame[State, Any]] = {F_WITHDRAW: Withdraw()}
