"""8.4 Who may attack together."""

from __future__ import annotations

from itertools import combinations

from sandtable.engine.contract import Reason
from sandtable.mechanics.masks import units_of

from ..table.ids import ALLIED, AXIS, COMANDO, NATIONS
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


def apart(s: State, units: int) -> Reason:
    """8.4 why these units may not take part in one attack."""
    if s.active != ALLIED:
        return Reason("8.4.1a", "Germans and Italians attack together only with Comando Supremo")
    if (units & s.board.tanks).bit_count() > s.board.general["allied_attack_max_tank_units"]:
        return Reason("8.4.2c", "no more than three tank units take part in one Allied attack")
    return Reason("8.4.2b", "no more than two nationalities take part in one Allied attack")
