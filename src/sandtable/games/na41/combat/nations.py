"""8.4 Who may attack together; 4.4.1b and out of one hex, in an Auto DS."""

from __future__ import annotations

from itertools import combinations

from sandtable.engine.contract import Reason
from sandtable.engine.hexes import Mask
from sandtable.mechanics.masks import hexes_in, units_of

from ..supply.support import places_of
from ..table.ids import ALLIED, AXIS, COMANDO, NATIONS
from ..table.stacking import limit, points
from ..table.state import State

GERMAN, ITALIAN = NATIONS.index("german"), NATIONS.index("italian")


def together(s: State, units: int) -> bool:
    """8.4 whether these units may take part in one attack."""
    of, general = s.board.of_nation, s.board.general
    if s.active == AXIS:
        return not (units & of[GERMAN] and units & of[ITALIAN]) or comando(s)
    if (units & s.board.tanks).bit_count() > general["allied_attack_max_tank_units"]:  # 8.4.2c
        return False
    return len(nations(s, units)) <= int(general["allied_attack_max_nationalities"])  # 8.4.2b, A42


def comando(s: State) -> bool:
    """8.4.1 whether Comando Supremo is in effect in this impulse, or could be."""
    return bool(s.comando or s.assets[COMANDO])


def nations(s: State, units: int) -> list[int]:
    """The nationalities of some units."""
    return [n for n, mask in enumerate(s.board.of_nation) if mask & units]


def largest(s: State, joined: int, pool: int) -> list[int]:
    """8.4 the largest attacks that those who have joined could become. More units never make an attack worse."""
    everybody = joined | pool
    if together(s, everybody):
        return [everybody]
    of = s.board.of_nation
    if s.active == AXIS:
        return [m for n in (GERMAN, ITALIAN) if (m := everybody & of[n]) and not joined & ~m]
    general = s.board.general
    fixed = nations(s, joined)
    others = [n for n in nations(s, pool) if n not in fixed]
    spare = min(len(others), general["allied_attack_max_nationalities"] - len(fixed))
    found: list[int] = []
    for chosen in combinations(others, spare):
        units = everybody & sum(of[n] for n in (*fixed, *chosen))
        tanks = units & s.board.tanks
        room = general["allied_attack_max_tank_units"] - (tanks & joined).bit_count()
        free = units_of(tanks & ~joined)
        if len(free) <= room:
            found.append(units)
            continue
        rest = units & ~(tanks & ~joined)
        found += [rest | sum(1 << u for u in some) for some in combinations(free, room)]
    return found


def crowding(s: State, units: int) -> Mask:
    """4.4.1b, 8.9.1a the hexes out of which more of these units would make an Auto DS than may stack there: the limit
    holds at that moment, but not for those who have just retreated (12.1.4)."""
    if s.edition < 2:
        return 0
    units &= ~s.retreated
    most, found = limit(s), 0
    for h in hexes_in(places_of(s, units)):
        if points(s, s.here[h] & units) > most:
            found |= 1 << h
    return found


def stackable(s: State, joined: int, units: int) -> list[int]:
    """4.4.1b the largest forces among these units, with those who have joined, that keep the limit in each hex."""
    hexes = crowding(s, units)
    if not hexes:
        return [units]
    h = hexes.bit_length() - 1
    rest, here = units & ~s.here[h], units_of(units & s.here[h] & ~joined)
    fixed, found = units & s.here[h] & joined, list[int]()
    for count in range(len(here) - 1, -1, -1):
        for some in combinations(here, count):
            chosen = fixed | sum(1 << u for u in some)
            if not any(chosen & ~one == 0 for one in found) and not crowding(s, chosen):
                found.append(chosen)
    return [force for one in found for force in stackable(s, joined, rest | one)]


def apart(s: State, units: int) -> Reason:
    """8.4 why these units may not take part in one attack."""
    if s.active != ALLIED:
        return Reason("8.4.1a", "Germans and Italians attack together only with Comando Supremo")
    if (units & s.board.tanks).bit_count() > s.board.general["allied_attack_max_tank_units"]:
        return Reason("8.4.2c", "no more than three tank units take part in one Allied attack")
    return Reason("8.4.2b", "no more than two nationalities take part in one Allied attack")
