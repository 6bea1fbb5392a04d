"""What is put into the enemy's way, kept from him, or taken out of his reach: delay markers, strafing, the LRDG,
demolition, disengagement."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, units_of

from ..supply import supply_lines
from ..table.position import capacity, controls
from ..table.state import State
from ..table.verbs import V_DELAY, V_DEMOLISH, V_DISENGAGE, V_END_DELAY, V_FLY, V_LRDG, V_STRAFE, V_TAKE_BACK
from ..turn.delays import markers
from .dangers import Dangers
from .worth import aims, distance, place_worth, ways, worth

AHEAD = 18  # hexes of the enemy's way that are looked at
FRESH = 2.0  # the traffic that a marker is worth placing for
LOST = 4.0  # the column on which a place is as good as lost
EXPOSED = 0.45  # the share of a stack's worth that it must fear for before it slips away
HELD = 8.0  # what is worth so much is not left


def roads(s: State, side: int) -> dict[Hex, float]:
    """The hexes that the enemy's mobile troops would march through to what they want, by strength."""
    board, foe = s.board, enemy(side)
    goals = {h: value for h, value in aims(s, foe).items() if not controls(s, foe, h)}
    found: dict[Hex, float] = {}
    for u in units_of(board.of_side[foe] & board.combat & board.mech & ~board.asus):
        h, att = s.at[u], board.att[u][s.step[u]]
        if h < 0 or board.is_box(h) or not att or not goals:
            continue
        goal = max(goals, key=lambda g: (goals[g] / (6.0 + distance(s, g, True, h)), -g))
        left = ways(s, goal, True)
        for step in range(AHEAD):
            near = [n for _, n in board.steps[h]]
            if h == goal or not near:
                break
            h = min(near, key=lambda n: (left[n], n))
            found[h] = found.get(h, 0.0) + att * (1.0 - 0.02 * step)
    return found


def obstruct(s: State, side: int, legal: Sequence[Action]) -> Action:
    """24.3, 18.7.5, 18.8 markers on the road on which most of the enemy would come; those of no use are taken back."""
    traffic = roads(s, side)
    for verb in (V_LRDG, V_STRAFE, V_DELAY):
        places = [(traffic.get(a[-1], 0.0), a) for a in legal if a[0] == verb]
        if places:
            weight, action = max(places)
            if weight > FRESH:
                return action
    if -1 not in markers(s, side):
        for action in legal:
            if action[0] == V_TAKE_BACK and not traffic.get(markers(s, side)[action[1] - 1]):
                return action
    return (V_END_DELAY,)


def demolish(s: State, side: int, legal: Sequence[Action]) -> Action | None:
    """21.4.2 a port that will be lost, and that nobody lives by, is blown up with all dice."""
    board = s.board
    found = [a for a in legal if a[0] == V_DEMOLISH]
    if not found:
        return None
    dangers = Dangers(s, side)
    full = supply_lines.full(s, side)
    for action in sorted(found, key=lambda a: (a[1], -a[2])):
        h = board.port_place[action[1]]
        held = s.here.get(h, 0) & board.of_side[side] & board.combat
        lived_by = held and not full >> h & 1
        if capacity(s, action[1]) and not lived_by and dangers.column(s, h, held) >= LOST:
            return action
    return None


def threatened(s: State, side: int, h: Hex) -> bool:
    """Whether a place is as good as lost."""
    held = s.here.get(h, 0) & s.board.of_side[side] & s.board.combat
    return Dangers(s, side).column(s, h, held) >= LOST


def fly(s: State, front: Hex, legal: Sequence[Action]) -> Action | None:
    """18.7.6 men from Italy to the airfield that lies nearest to the front."""
    flights = [a for a in legal if a[0] == V_FLY]
    if not flights:
        return None
    board = s.board
    fighters = board.combat
    return min(
        flights, key=lambda a: (distance(s, front, True, a[2]) if front >= 0 else 0.0, not fighters >> a[1] & 1, a)
    )


def slip_away(s: State, side: int, legal: Sequence[Action]) -> Action | None:
    """27.5 who stands beside the enemy, holds nothing that matters and would be beaten breaks off, if he well can."""
    board = s.board
    able = [a for a in legal if a[0] == V_DISENGAGE and board.combat >> a[1] & 1]
    if not able:
        return None
    dangers = Dangers(s, side)
    best, chosen = 0.0, None
    for action in able:
        u = action[1]
        h = s.at[u]
        units = s.here[h] & board.of_side[side] & board.combat
        likely = (board.mech >> u & 1) + (board.elite >> u & 1) - (board.low >> u & 1)
        share = dangers.share(s, h, units)
        if share < EXPOSED or likely < 1 or (controls(s, side, h) and place_worth(s, h) >= HELD):
            continue
        if worth(s, 1 << u) * share > best:
            best, chosen = worth(s, 1 << u) * share, action
    return chosen
