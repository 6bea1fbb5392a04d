"""What things are worth to the planner: units, places, and the way that is left to a goal."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import Memory, remembered
from sandtable.mechanics.paths.goals import costs_to

from ..combat.strengths import chart_of
from ..paths.chart import FOOT, MECH
from ..paths.legs import tables
from ..table.board import Ground
from ..table.ids import AXIS
from ..table.state import State, controls

POINT = 9.0  # what a victory point is worth, in units of strength
PLACE = 2.0  # any other town or entry hex
KEPT, RETAKEN = 0.06, 0.3  # how much of Rostov counts for its owner on the march, and for who wants it back
FAR = 999


def step_worth(s: State, u: int) -> float:
    """What the loss of one step of a unit costs its owner."""
    board = s.board
    shows = s.step[u]
    attack, defence = board.att[u][shows], board.dfn[u][shows]
    now = 1.5 * attack + 1.2 * defence + (2.0 if board.mobile >> u & 1 else 0.0)
    if shows + 1 >= board.steps[u]:  # the last step: the unit is gone
        return now if board.cadre[u] else now * 1.3
    left = 1.5 * board.att[u][shows + 1] + 1.2 * board.dfn[u][shows + 1]
    return max(now - left, 1.0)


def worth(s: State, units: int) -> float:
    """What some units are worth as they stand."""
    board = s.board
    total = 0.0
    for u in units_of(units):
        shows = s.step[u]
        total += 1.5 * board.att[u][shows] + 1.2 * board.dfn[u][shows] + (2.0 if board.mobile >> u & 1 else 0.0)
    return total


def place_worth(s: State, h: Hex) -> float:
    """What the control of a hex is worth."""
    board = s.board
    value = board.vp.get(h, 0) * POINT
    if h == board.rostov:  # 19.3d
        value = 8 * POINT
    if not value and board.places >> h & 1:
        value = PLACE
    return value


def goals(s: State, side: int) -> dict[Hex, float]:
    """What a side wants: the victory hexes that it has not got, those that the Soviets could lose, and Rostov."""
    out: dict[Hex, float] = {}
    for h in s.board.vp:
        if side != AXIS or not controls(s, side, h):
            out[h] = place_worth(s, h)
    rostov = s.board.rostov
    if side != AXIS:
        out[rostov] = place_worth(s, rostov) * RETAKEN
    elif not s.zocs[AXIS] >> rostov & 1:
        out[rostov] = place_worth(s, rostov) * KEPT
    return out


def matters(s: State, h: Hex) -> bool:
    """Whether a hex must not be given away."""
    return h in s.board.vp or h == s.board.rostov


@remembered()
def roads(ground: Ground, mech: bool) -> Memory[Hex, list[int]]:
    """Goal -> the points that it takes from every hex, as far as they were asked for."""
    return Memory()


def ways(s: State, goal: Hex, mech: bool) -> list[int]:
    """The points it takes from every hex to a goal, enemies left out; FAR where there is no way."""
    known = roads(s.ground, mech)
    found = known.get(goal)
    if found is None:
        walk = tables(s).kinds[MECH if mech else FOOT].walk
        found = known.keep(goal, costs_to(walk, {goal: 0}, FAR))
    return found


def cover(s: State, h: Hex) -> float:
    """How good a hex is to be attacked in."""
    return covers(s.ground)[h]


@remembered()
def covers(ground: Ground) -> list[float]:
    """The same for every hex: its terrain, and the rivers around it."""
    rivers = [sum(1 for d in range(6) if ground.rivers[d] >> h & 1) for h in range(len(ground.around))]
    return [bonus + 0.35 * of for bonus, of in zip(chart_of(ground).bonus, rivers, strict=True)]
