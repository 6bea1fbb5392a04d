"""15.1 Headquarters: places of arrival, return of eliminated ones, voluntary removal."""

from __future__ import annotations

from typing import Any

from sandtable.engine.hexes import Mask
from sandtable.mechanics.bars import Bars, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import Memory
from sandtable.mechanics.shown.telling import emit

from ..table.ids import RETURNING
from ..table.state import State, clear_marks, controlled, put, zone
from .supply_lines import connected_rail, entry_sources

# Where units from boxes arrive


def supplied_hqs(s: State, side: int) -> Mask:
    """15.1c, A55 the hexes of HQs in full supply by the last Supply Phase; a newly arrived one counts as such.

    Units must be placed before the HQ moves, so one that has moved in this phase is no arrival hex any more.
    """
    found = 0
    for u in units_of(s.board.hq & s.on_map[side] & ~(s.limited | s.oos | s.moved)):
        found |= 1 << s.at[u]
    return found


def connected_cities(s: State, side: int, cities: Mask) -> Mask:
    """The friendly-controlled of these cities that are on a connected rail hex now (14.3g, A55).

    By the letter of 14.3g (A38) own units change nothing, so while they move the last answer is kept.
    """
    foe = enemy(side)
    key = (s.ground, side, zone(s, foe), s.occ[foe], s.control, s.turn)
    found = _CONNECTED.get(key)
    if found is None:
        found = _CONNECTED.keep(key, connected_rail(s, side))
    return cities & controlled(s, side) & found


_CONNECTED: Memory[tuple[Any, ...], Mask] = Memory(1_000)


def arrival_hexes(s: State, side: int) -> Mask:
    """15.1c, 15.2b, 17.2b a fully supplied HQ, or a friendly-controlled major city on a connected rail hex."""
    return supplied_hqs(s, side) | connected_cities(s, side, s.board.major_cities)


def return_hexes(s: State, side: int) -> Mask:
    """15.1f a friendly-controlled major city on a connected rail hex, or a friendly-controlled entry hex."""
    return connected_cities(s, side, s.board.major_cities) | entry_sources(s, side)


# 15.1f Return


def returning(s: State, side: int) -> list[int]:
    """15.1f, 15.1g the HQs of a side that come back in this Initial Phase."""
    own = s.board.hq & s.board.of_side[side]
    return [u for u in units_of(own) if s.at[u] == RETURNING and s.due[u] <= s.turn]


# 15.1g Voluntary removal


REMOVE: Bars[State, object] = Bars(  # supply and isolation do not matter
    Need("15.1g", "only an HQ may be taken off the map; {unit} is none", lambda s, _: s.board.hq),
    Need("15.1g", "{unit} may be removed in a movement phase of its own side", lambda s, _: s.board.of_side[s.active]),
    Need("15.1g", "{unit} is not on the map", lambda s, _: s.on_map[s.active]),
)


def remove(s: State, u: int) -> None:
    """15.1g the HQ leaves the map; it comes back in its owner's Initial Phase of the next turn (15.1f)."""
    h = s.at[u]
    clear_marks(s, u)
    put(s, u, RETURNING)
    s.due[u] = s.turn + 1
    emit(s, "removed", "15.1g", {"unit": u, "hex": h, "side": s.board.side[u], "turn": s.due[u]})
