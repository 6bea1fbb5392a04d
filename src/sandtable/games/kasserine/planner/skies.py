"""The Joint Air Phase: who flies interdiction, who goes without supply, which hexes are bombed (10)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.contract import Action
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import enemy, units_of

from ..table import verbs
from ..table.ids import AXIS, RAIN
from ..table.position import units_in
from ..table.script import script
from ..table.state import State
from ..turn.air import AirAt, VictimAt, air_drm, waiting
from ..turn.bombing import bombers
from .params import Params
from .prospects import chance
from .worth import step_worth, worth

FRONT = 8  # hexes from the enemy within which a unit is in the battle
KEPT = 1  # interdictors kept back to hinder reactions


def from_the_enemy(s: State, u: int) -> int:
    """How far a unit is from the nearest enemy combat unit."""
    grid, foes = s.board.grid, s.fighting[enemy(s.board.side[u])]
    for n in range(1, 30):
        if grid.within(s.at[u], n) & foes:
            return n
    return 30


def interdict(s: State, side: int, legal: Sequence[Action]) -> Action:
    """10.33 fighters that bring little as close support fly interdiction; in Rain all are kept for the combats."""
    board = s.board
    end = (int(verbs.END_INTERDICTION),)
    if s.weather == RAIN:
        return end
    most = 4 if script(s).supply_interdiction else 1
    if s.flown_now[side] >= most:
        return end
    able = [a for a in legal if a[0] == verbs.INTERDICT]
    # close support and bombers are worth more where they are; a good pilot in a weak machine is what is wanted
    fit = [
        a
        for a in able
        if board.cas[a[1]] <= 1 and board.bombing[a[1]] <= 1 and chance(board.air_er[a[1]], air_drm(s, side)) >= 0.5
    ]
    spare = len([a for a in able if board.cas[a[1]]]) - s.flown_now[side]
    if not fit or spare <= (4 if side == AXIS else 3):
        return end
    return max(fit, key=lambda a: (board.air_er[a[1]], -board.cas[a[1]], -a[1]))


def raid(s: State, side: int, f: AirAt, legal: Sequence[Action]) -> Action:
    """10.36a against supply with all but one, who waits for an enemy that wants to slip away."""
    able = [a for a in legal if a[0] == verbs.RAID]
    left = len(able)
    total = waiting(s, side).bit_count()
    if not able or (left <= KEPT and total > 1):
        return (int(verbs.END_RAID),)
    return min(able, key=lambda a: (s.board.air_er[a[1]], a[1]))


def prey(s: State, u: int, p: Params) -> float:
    """What it is worth that an enemy unit is out of supply for a turn."""
    board = s.board
    near = from_the_enemy(s, u)
    if near > FRONT:
        return 0.01 * worth(s, 1 << u, p.strength)
    value = 0.5 * board.support[u] + 0.6 * board.attack[u][s.step[u]] + 0.2 * board.defense[u][s.step[u]]
    value += 0.8 * board.cp[u]
    return value * (1.0 if near <= 4 else 0.6)


def starve(s: State, legal: Sequence[Action], p: Params) -> Action:
    """10.37b the unit that is wanted most in this turn's fights."""
    return max(legal, key=lambda a: (prey(s, a[1], p), -a[1]))


def priority(s: State, f: VictimAt, legal: Sequence[Action], p: Params) -> Action:
    """10.38 two others go without instead, if they are not in the battle and the chosen one is."""
    others = sorted((prey(s, a[1], p), a[1]) for a in legal if a[0] == verbs.SPARE)
    bear = (int(verbs.BEAR),)
    if f.first >= 0:
        return (int(verbs.SPARE), others[0][1])
    if len(others) >= 2 and others[0][0] + others[1][0] < 0.8 * prey(s, f.chosen, p):
        return (int(verbs.SPARE), others[0][1])
    return bear


# 10.5


def _target_value(s: State, side: int, h: Hex, p: Params) -> float:
    """What it is worth to bomb a hex: units that matter, close to the own ones."""
    board = s.board
    other = enemy(side)
    units = units_in(s, h, other) & ~s.disrupted
    if not units:
        return 0.0
    near = min((from_the_enemy(s, u) for u in units_of(units)), default=30)
    if near > FRONT:
        return 0.0
    each = sorted((_hit_value(s, u, p) for u in units_of(units)), reverse=True)
    value = sum(each[:2]) * (1.3 if near <= 3 else 0.8)
    if board.hqs & units:
        value += 0.4
    return value


def _hit_value(s: State, u: int, p: Params) -> float:
    """What it is worth that a unit is disrupted."""
    board = s.board
    fights = board.attack[u][s.step[u]] + board.defense[u][s.step[u]] + board.support[u] + 2 * board.cp[u]
    return 0.15 * fights + 0.1 * step_worth(s, u, p.strength)


def bomb(s: State, side: int, legal: Sequence[Action], p: Params) -> Action:
    """10.51 the best target, while bombers are there that fly no close support."""
    end = (int(verbs.END_BOMBING),)
    if not _bombers(s, side, 0):
        return end
    targets = [(_target_value(s, side, a[1], p), -a[1], a) for a in legal if a[0] == verbs.BOMB]
    best = max(targets, default=(0.0, 0, end))
    return best[2] if best[0] > 0.3 else end


def _bombers(s: State, side: int, units: int) -> list[int]:
    """The Ready units that are better bombers than close support."""
    board = s.board
    return [u for u in units_of(bombers(s, side) & ~units) if board.bombing[u] > 2 * board.cas[u]]


def bomb_with(s: State, side: int, f: AirAt, legal: Sequence[Action]) -> Action:
    """10.54 one mission with up to two bombers: the best pilot leads."""
    board = s.board
    able = [a for a in legal if a[0] == verbs.BOMB_WITH]
    away = (int(verbs.BOMBS_AWAY),)
    real = set(_bombers(s, side, f.units))
    fit = [a for a in able if a[1] in real]
    total = sum(board.bombing[u] for u in units_of(f.units))
    if f.units and (not fit or total >= 7):
        return away
    return max(fit or able, key=lambda a: (board.air_er[a[1]], board.bombing[a[1]], -a[1]))


def hit(s: State, legal: Sequence[Action], p: Params) -> Action:
    """10.56a the unit that would do most."""
    return max(legal, key=lambda a: (_hit_value(s, a[1], p), -a[1]))
