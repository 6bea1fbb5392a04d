"""6.01 A move is walked: control changes along the way (3.12), and what lies in a hex meets those who enter it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.telling import emit
from sandtable.mechanics.walk import Walk, WalkAt, walking

from ..table import steps
from ..table.position import enter
from ..table.state import State
from ..table.surprises import meet, notable
from ..table.zones import zone


def set_out(s: State, units: int, path: Sequence[Hex], cost: int, rule: str = "6.01") -> None:
    """Units go along a path together. Hexes in which nothing happens are passed at once."""
    board = s.board
    first = units_of(units)[0]
    side = board.side[first]
    told = {"units": list(units_of(units)), "from": s.at[first], "to": path[-1], "path": list(path), "cost": cost / 2}
    emit(s, "moved", rule, told)
    passed: Mask = 0
    for h in path[:-1]:
        passed |= 1 << h
    if units & board.ground and passed:
        _pass(s, side, units, passed)
    stops = notable(s, side) if units & board.ground else 0
    way = [h for h in path[:-1] if stops >> h & 1]
    s.stack.append(walking(steps.WALK, units, (*way, path[-1])))


def _pass(s: State, side: int, units: int, passed: Mask) -> None:
    """3.12 control of the hexes passed, and of those into which a ZOC reached from them."""
    board, grid = s.board, s.board.grid
    theirs = zone(s, enemy(side)) | s.occ[enemy(side)]
    gained = 0
    if units & board.foot_combat:
        gained = grid.around(passed)
    elif units & board.combat:
        for d in range(6):
            gained |= grid.step(passed & s.ground.motorized_zoc[d], d)
    gained = gained & ~theirs | passed
    if side == 0:
        s.control |= gained
    else:
        s.control &= ~gained


class Going(Walk[State]):
    """The walk itself; `who` is a set of units."""

    def enter(self, s: State, f: WalkAt, h: int) -> bool:
        for u in units_of(f.who):
            enter(s, u, h)
        if f.who & s.board.ground:
            meet(s, s.board.side[units_of(f.who)[0]], h)
        return True


FRAMES: dict[int, Frame[State, WalkAt]] = {steps.WALK: Going()}
