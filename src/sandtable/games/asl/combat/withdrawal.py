"""A11.2 Who withdraws from a Close Combat: where to, and how he goes."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import hexes_in

from ..boards.locations import Place, crest_front
from ..fire.firepower import dummies_in
from ..table.captives import overfull, take_control
from ..table.ids import F_MINES, F_WITHDRAW
from ..table.state import Melee, State, men, put
from ..table.telling import emit
from ..works.mines import MinesAt, mined


class GoAt(NamedTuple):
    """A11.2 who withdraws goes, when the mines of the hex have had their say (B28.41)."""

    frame: int
    unit: int
    hex: int


def ways_out(s: State, fight: Melee) -> list[Hex]:
    """A11.2 Accessible Locations without an enemy."""
    near = [h for h in hexes_in(s.stage.field.accessible(fight.hex)) if h in s.stage.out]
    if s.edition > 2:  # A12.11 nobody can tell a dummy
        near = [h for h in near if not dummies_in(s, h, 1 - fight.side)]
    return [h for h in near if not men(s, h, 1 - fight.side) & ~s.hip]


def crowded(s: State, fight: Melee, u: int, h: Hex) -> bool:
    """A5.1 whether there is no room for one who withdraws, with those who go there already."""
    going = sum(1 << one for one, to in fight.leaving.items() if to == h)
    return s.edition > 5 and overfull(s, h, fight.side, going | 1 << u)


def astray(s: State, u: int, h: Hex) -> bool:
    """B20.9, AMB-90 whether it would leave a Crest otherwise than across its front."""
    if s.place[u] != Place.CREST or s.edition < 7:
        return False
    field = s.stage.field
    return field.grid.direction(s.at[u], h) not in crest_front(field, s.at[u], s.cafp[u])


def go_away(s: State, u: int, h: Hex) -> None:
    """It leaves the Melee; B28.41 mines attack whoever leaves their hex."""
    if s.edition < 6:
        depart(s, u, h)
        return
    s.stack.append(GoAt(F_WITHDRAW, u, h))
    if mined(s, s.at[u]):
        s.stack.append(MinesAt(F_MINES, s.at[u], 1 << u))


def depart(s: State, u: int, h: Hex) -> None:
    """It goes to another hex, if that is still free."""
    side = s.stage.roster.side[u]
    s.hip &= ~men(s, h, 1 - side)
    if men(s, h, 1 - side):
        return
    s.melee &= ~(1 << u)
    s.under[u] = 0
    put(s, u, h)
    s.place[u] = Place.IN if s.stage.field.has("wadi", h) else Place.GROUND
    emit(s, "withdrew", "A11.2", {"unit": u, "hex": h, "side": side})
    if s.edition > 4:
        take_control(s, h, side)
