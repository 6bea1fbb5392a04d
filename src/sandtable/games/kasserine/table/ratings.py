"""3.4 Efficiency ratings, 3.93 and 5.14 what disruption and want of supply do to ER and MA."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Said
from sandtable.mechanics.masks import units_of

from .ground import HALF
from .ids import ALPINE, B4_MOTORIZED, C4_MOTORIZED, FOOT, MOTORIZED, ROAD_BOUND
from .script import script
from .state import State

MINIMUM = 1  # 3.44
FULL_EXPLOITATION = 1  # 16.1, bit of State.flags


class Drm(NamedTuple):
    """A modifier with its rule: to a rating, to a roll."""

    value: int
    rule: str
    text: Said


def rating_terms(s: State, u: int) -> list[Drm]:
    """3.41 the ER of a unit at this moment, item by item."""
    board, b = s.board, 1 << u
    if board.air & b:
        return [Drm(board.air_er[u], "10.11", "air unit")]
    if board.hqs & b:
        terms = [Drm(s.board.charts.constants["lone_hq_er"], "12.12c", "HQ alone")]
    else:
        terms = [Drm(board.er[u][s.step[u]], "3.41a", "printed")]
    if s.oos & b:
        terms.append(Drm(board.charts.constants["oos_er"], "5.14c", "out of supply"))
    if s.disrupted & b:
        terms.append(Drm(board.charts.constants["disrupted_er"], "3.93b", "disrupted"))
    if s.patton_felt and board.us & b and s.at[board.patton] >= 0:
        terms.append(Drm(board.charts.constants["patton_er"], "12.43b", "Patton"))
    return terms


def rating(s: State, u: int, more: int = 0) -> int:
    """3.41, 3.44 the ER, never below 1."""
    return max(MINIMUM, sum(term.value for term in rating_terms(s, u)) + more)


def attack_rating_terms(s: State, u: int, target: Hex) -> list[Drm]:
    """13.11 mountain units that attack a mountain hex are better by two, artillery excepted."""
    board = s.board
    terms = rating_terms(s, u)
    if board.mountain & ~board.artillery & 1 << u and board.terrain.mountain >> target & 1:
        terms.append(Drm(board.charts.constants["mountain_attack_er"], "13.11", "mountain unit against a mountain hex"))
    return terms


def attack_rating(s: State, u: int, target: Hex) -> int:
    """The ER of an attacker."""
    return max(MINIMUM, sum(term.value for term in attack_rating_terms(s, u, target)))


def surprise(s: State, u: int, check: str) -> list[Drm]:
    """15.13a what a scenario takes from an ER for a check of this kind."""
    return [
        Drm(ban.value, ban.rule, "surprise")
        for ban in script(s).bans
        if ban.kind == "er_modifier"
        and ban.units >> u & 1
        and check in ban.checks
        and ban.first <= s.turn <= ban.last
        and s.phase in ban.phases
    ]


def leads(s: State, units: int) -> int:
    """3.42, 12.12 who of these may lead: everybody with an ER; HQs only where there is nobody else."""
    units &= s.board.ground
    return units & ~s.board.hqs or units


def allowance(s: State, u: int) -> int:
    """6.11, 6.12b, 3.93a, 5.14a the MA in half points for the phase being played."""
    b = 1 << u
    if s.fire_net & b:  # 12.35
        return 0
    points = s.board.ma[u][s.step[u]] * HALF
    parts = 1
    if (s.disrupted | s.oos) & b:
        parts = 2
    if s.phase in (B4_MOTORIZED, C4_MOTORIZED) and not s.flags & FULL_EXPLOITATION:
        parts *= 2
    return points // parts  # all costs are whole half points


def stack_allowance(s: State, units: int) -> int:
    """6.02 a stack moves with its smallest MA."""
    return min(allowance(s, u) for u in units_of(units))


def mover(s: State, u: int) -> int:
    """6.31 by which costs a unit moves."""
    board, b = s.board, 1 << u
    if s.tigers_bound and board.tigers & b:
        return ROAD_BOUND
    if (board.motorized | board.leaders) & b:
        return MOTORIZED
    return ALPINE if board.mountain & b else FOOT
