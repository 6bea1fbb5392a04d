"""What is built on the ground: sangars, foxholes and trenches with the room beneath them, wire and minefields."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Memory, asked_once, remembered

from ..boards.locations import Place, Spot
from .ids import (
    BENEATH,
    ENTRENCHMENTS,
    FOXHOLE,
    MINES,
    SANGAR,
    TRENCH,
    UNDER_FOXHOLE,
    UNDER_SANGAR,
    UNDER_TRENCH,
    WIRE,
)
from .state import State, equivalents, gun_of, on_map

SHELTER = {SANGAR: UNDER_SANGAR, FOXHOLE: UNDER_FOXHOLE, TRENCH: UNDER_TRENCH}
WORK = {under: kind for kind, under in SHELTER.items()}
NO_DIGGING = ("building_stone", "tomb", "crag", "hammada_crag")
"""B27.11 terrain that is too hard to dig in."""
PLACES = tuple(Place)
BYPASS = int(Place.BYPASS)
SANDS = ("sand", "sand_scrub")


def works_in(s: State, h: Hex, *kinds: int) -> int:
    """The works of these kinds in a hex."""
    roster, found = s.stage.roster, 0
    for kind in kinds:
        found |= roster.of_kind[kind]
    return found & s.here.get(h, 0)


def has_sangar(s: State, h: Hex) -> bool:
    return bool(works_in(s, h, SANGAR))


def has_wire(s: State, h: Hex) -> bool:
    return bool(works_in(s, h, WIRE))


def mines_in(s: State, h: Hex) -> int:
    """Minefields and what looks like one."""
    return works_in(s, h, *MINES)


def entrenched(s: State, u: int) -> bool:
    """Whether a unit is beneath a foxhole, a trench or a sangar."""
    return s.under[u] in BENEATH


def dug_in(s: State, u: int) -> bool:
    """Entrenched, or with an Emplaced Gun (C11.2)."""
    if s.under[u] in BENEATH:
        return True
    there = s.emplaced & s.here.get(s.at[u], 0)
    return bool(there) and (g := gun_of(s, u)) >= 0 and bool(there >> g & 1)


_DUG = bytes(49 if under in BENEATH else 48 for under in range(256))
_INSIDE = bytes(49 if place == Place.IN else 48 for place in range(256))
_ASIDE = bytes(49 if place > Place.CREST else 48 for place in range(256))
"""For each value of a row the digit of a set."""


@asked_once
def postures(s: State) -> tuple[int, int, int]:
    """All who are dug in, all who are IN a wadi, and those who are seen at a spot of their own: as `dug_in` and `place`
    say of one."""
    dug, manned = _those(bytes(s.under), _DUG), 0
    guns = s.stage.roster.guns
    if s.emplaced:
        dug |= s.emplaced & guns
        for g in units_of(guns & on_map(s)):
            user = s.holder[g]
            if user >= 0 and s.at[user] == s.at[g] and not manned >> user & 1:
                manned |= 1 << user
                dug |= (s.emplaced >> g & 1) << user
    place = bytes(s.place)
    return dug, _those(place, _INSIDE), _those(place, _ASIDE)


@remembered(1 << 10)
def _those(row: bytes, digits: bytes) -> int:
    """The pieces whose number in a row has the digit 1."""
    return int(row.translate(digits)[::-1], 2)


_SPOTS: Memory[int, Spot] = Memory()
_PLACE, _HEX = 1, 4
"""The bits of a spot below its place, and below its hex; the lowest is for those who are dug in."""


def spot(s: State, u: int) -> Spot:
    """Where a unit is, as far as sight goes."""
    memo = s.memo
    if memo is not None:
        found: Spot | None = memo.get(u)  # the pieces themselves are the keys: everybody asks for this
        if found is not None:
            return found
    place, h = s.place[u], s.at[u]
    dug = s.under[u] in BENEATH or bool(s.emplaced and s.emplaced & s.here.get(h, 0) and dug_in(s, u))
    if place == BYPASS:
        found = Spot(h, Place.BYPASS, bool(dug), s.cafp[u])
    else:
        key = h << _HEX | place << _PLACE | dug
        found = _SPOTS.get(key)
        if found is None:
            found = _SPOTS.keep(key, Spot(h, PLACES[place], bool(dug)))
    if memo is not None:
        memo[u] = found
    return found


@remembered()
def bare(h: Hex) -> Spot:
    """The ground of a hex."""
    return Spot(h)


def standing(s: State, u: int) -> Spot:
    """The same if it were not dug in: whoever is sees no more."""
    return spot(s, u)._replace(dug_in=False)


def shelters(s: State, h: Hex) -> list[int]:
    """What one can lie beneath in a hex, the best protection first."""
    found = [SHELTER[kind] for kind in (TRENCH, FOXHOLE, SANGAR) if works_in(s, h, kind)]
    return found


def room(s: State, h: Hex, under: int, side: int) -> int:
    """B27.44, F8.3a, F8.3c halves of squad equivalents that still fit beneath: a sangar's for both sides together."""
    roster = s.stage.roster
    here = s.here.get(h, 0) & roster.men
    if under != UNDER_SANGAR:
        here &= roster.of_side[side]
    beneath = sum(1 << u for u in units_of(here) if s.under[u] == under)
    if under == UNDER_SANGAR and any(s.under[g] == under for g in units_of(s.here.get(h, 0) & roster.guns)):
        return 1 - sum(s.kind(u).equivalents for u in units_of(beneath))  # F8.3b with a Gun one half-squad or crew
    return capacity(s, h, under) - equivalents(s, beneath)


def capacity(s: State, h: Hex, under: int) -> int:
    """B27.44 what an entrenchment shelters, in halves of squad equivalents."""
    here = works_in(s, h, WORK[under])
    if under == UNDER_FOXHOLE:
        return 2 * sum(max(1, s.strength[w]) for w in units_of(here))
    chart = s.stage.pack.tables["fortifications"]
    word = "trench" if under == UNDER_TRENCH else "sangar"
    return 2 * int(chart[word]["capacity_squads"]) if here else 0


def shelter_for(s: State, h: Hex, units: int, side: int) -> int:
    """The best entrenchment that has room for these units; ABOVE if there is none."""
    size = equivalents(s, units)
    return next((under for under in shelters(s, h) if room(s, h, under, side) >= size), 0)


def forbidden(s: State, kind: int, h: Hex) -> str:
    """The rule that forbids a work of this kind in a hex, or ""."""
    word = s.stage.field.terrain[h]
    if kind in (SANGAR, TRENCH) and word in SANDS:
        return "F7.42a"
    if kind == SANGAR and has_sangar(s, h):
        return "F8.2b"
    if kind in MINES and works_in(s, h, kind):
        return "F.7Ad"
    if kind in ENTRENCHMENTS and word in NO_DIGGING:
        return "B27.11"
    return ""
