"""What things are worth to the planner: units, places, and the way that is left to a goal."""

from __future__ import annotations

from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.paths.goals import costs_to

from ..combat.strengths import chart
from ..paths.chart import FOOT, VEHICLE
from ..paths.legs import tables
from ..table.board import SIXTHS
from ..table.ids import AXIS
from ..table.position import zone
from ..table.scenarios import script
from ..table.state import State
from ..turn.victory import held, supplied_airfields
from .clock import stake

OBJECTIVE = 20.0  # an objective or a victory airfield, in units of strength
PORT = 3.0  # any other port or airfield: supply runs through it
NOTHING = 0.5  # a hex that other scenarios ask for
CAPITAL = 40.0  # 26.1 the hex whose loss loses the game
OPENED = 24.0  # the same for who wants it and finds it bare
HINDERED = 3 * SIXTHS  # 7.2 what it costs to come into an enemy zone of control and out again
FAR = 9999
LASTING = (8, 4)  # the points ahead, if nothing changed, that are enough for the Axis, and too many for the Allies
BARE = 3.0


def step_worth(s: State, u: int) -> float:
    """What the loss of one step of a unit costs its owner."""
    board = s.board
    shows = s.step[u]
    now = 1.5 * board.att[u][shows] + 1.2 * board.dfn[u][shows] + (1.5 if board.mech >> u & 1 else 0.0)
    if board.asus >> u & 1:
        return 6.0
    if shows + 1 >= board.steps_of[u]:
        return now * 1.3
    return max(now - 1.5 * board.att[u][shows + 1] - 1.2 * board.dfn[u][shows + 1], 1.0)


def worth(s: State, units: int) -> float:
    """What some units are worth as they stand."""
    board = s.board
    total = 0.0
    for u in units_of(units):
        shows = s.step[u]
        total += 1.5 * board.att[u][shows] + 1.2 * board.dfn[u][shows] + (1.5 if board.mech >> u & 1 else 0.0)
    return total


def objectives(s: State) -> int:
    """S1.3, S2.3, S3.3 the hexes that decide the scenario."""
    rules = script(s)
    if rules.objectives is not None:
        return rules.objectives.hexes
    return rules.points.airfields if rules.points is not None else 0


def behind(s: State, side: int) -> bool:
    """Whether a side would lose if nobody took anything any more: it has to attack."""
    rules = script(s)
    if rules.objectives is not None:
        axis_wins = held(s, rules.objectives) >= rules.objectives.needed
    elif rules.points is not None:
        now = supplied_airfields(s, rules.points)
        points = s.vp + sum(now - index for index in rules.points.index[s.turn - 1 :])
        axis_wins = points > LASTING[side]  # S2.3 the Allies grow stronger every turn
    else:
        return False
    return axis_wins != (side == AXIS)


def capital(s: State, side: int) -> Hex:
    """26.1 the hex that a side must not lose."""
    return s.board.el_agheila if side == AXIS else s.board.alexandria


def place_worth(s: State, h: Hex) -> float:
    """What the control of a hex is worth."""
    board = s.board
    if h in (board.el_agheila, board.alexandria):
        return CAPITAL
    if not board.controllable >> h & 1:
        return 0.0
    value = OBJECTIVE * stake(s) if objectives(s) >> h & 1 else PORT if board.blocks_supply >> h & 1 else NOTHING
    return value + (4.0 if h == board.tobruk else 0.0)


def aims(s: State, side: int) -> dict[Hex, float]:
    """What a side wants to have or to keep: objectives, ports and airfields, its own capital, and the enemy's if it
    lies bare."""
    out: dict[Hex, float] = {}
    for h in hexes_in(s.board.controllable):
        out[h] = place_worth(s, h)
    out[capital(s, side)] = OBJECTIVE  # its garrison is seen to beforehand; not everybody has to run there
    theirs = capital(s, enemy(side))
    out[theirs] = BARE if s.men[enemy(side)] >> theirs & 1 else OPENED
    return out


def ways(s: State, goal: Hex, mech: bool) -> list[int]:
    """The points (sixths) it takes from every place to a goal, enemies left out; FAR where there is no way."""
    board = s.board
    key = ("planner ways", goal, mech)
    found: list[int] | None = board.kept.get(key)
    if found is None:
        kind = tables(s).kinds[VEHICLE if mech else FOOT]
        if board.is_box(goal):
            found = costs_to(kind.walk, dict.fromkeys(hexes_in(board.entry_hexes.get(goal, 0)), SIXTHS), FAR)
            found[goal] = 0
        else:
            found = costs_to(kind.walk, {goal: 0}, FAR)
        for box, entries in kind.leave.items():
            if box != goal:
                found[box] = min((cost + found[h] for cost, h in entries), default=FAR)
        board.kept[key] = found
    return found


def ways_around(s: State, side: int, goal: Hex, mech: bool) -> list[int]:
    """The same around the enemy: nobody goes through him, and his zones cost time."""
    board, foe = s.board, enemy(side)
    if board.is_box(goal):
        return ways(s, goal, mech)
    held, zoned = s.men[foe] & ~(1 << goal), zone(s, foe) & ~(1 << goal)
    walk = tables(s).kinds[VEHICLE if mech else FOOT].walk
    return costs_to(walk, {goal: 0}, FAR, closed=held, entering=((HINDERED, zoned),))


def distance(s: State, goal: Hex, mech: bool, h: int) -> float:
    """The same in movement points from one place."""
    return ways(s, goal, mech)[h] / SIXTHS


def cover(s: State, h: Hex, side: int) -> float:
    """How good a hex is to be attacked in."""
    of = chart(s.board)
    value = 3.0 if s.forts[side] >> h & 1 else 0.0
    value += 2.0 if of.doubling >> h & 1 else 0.0
    value += 1.0 * of.left.get(h, 0)
    return value + (0.5 if of.no_tank_shift >> h & 1 else 0.0)
