"""What happens to a hex that a unit enters: 8.7 overrun, 17.2.3 captured supply points, 16.3.5 control, 9.5.7 forts.

`enter` is called by whoever brings a unit into a hex, by movement, advance or retreat, for every hex on the way.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.shown.telling import emit

from . import reserves
from .frames import CaptureRollAt
from .ids import AXIS, F_CAPTURE_ROLL, PHASES
from .position import add_sp, combat_units_in, eliminate, take_control, touch, units_in
from .state import State
from .verbs import V_ROLLED


def enter(s: State, side: int, h: Hex, retreat: bool = False) -> None:
    """A unit of this side comes into a hex. It goes on at once, whatever it finds there (8.7c, 17.2.3c).

    May put F_CAPTURE_ROLL on the stack, so the caller's own frame has to be settled before.
    """
    board = s.board
    if board.box_mask >> h & 1:
        return
    foe = enemy(side)
    overrun(s, foe, h)
    found = s.sp[foe].get(h, 0)
    if found:
        if retreat:  # 12.1.3h whoever only flees through destroys what is there
            add_sp(s, foe, h, -found)
            emit(s, "sp_destroyed", "12.1.3h", {"hex": h, "side": foe, "count": found})
        else:
            s.stack.append(CaptureRollAt(F_CAPTURE_ROLL, h, found, side))
    take_control(s, side, h)
    clear_fortification(s, foe, h)
    if side == AXIS and board.controllable >> h & 1:
        reserves.entered(s, h)  # S2.2c, S2.2d


def matters(s: State, side: int, path: list[Hex]) -> list[Hex]:
    """Those of these hexes in which a unit of this side could change something by entering them."""
    foe = 1 - side
    board, points = s.board, s.sp[foe]
    found = s.occ[foe] ^ s.men[foe] | s.forts[foe] | s.building[foe]  # nobody goes to where combat units are (5.1e)
    if not found and board.controllable_hexes.isdisjoint(path) and points.keys().isdisjoint(path):
        return []
    found |= board.controllable
    return [h for h in path if found >> h & 1 or h in points]


def overrun(s: State, loser: int, h: Hex) -> None:
    """8.7b, 10.2.2c non-combat units with no combat unit to protect them are eliminated; 8.7e replacements go back to
    the pool. SPs that lie there are captured or destroyed by whoever enters (17.2.3)."""
    if combat_units_in(s, h, loser):
        return
    for u in units_of(units_in(s, h, loser)):
        eliminate(s, u, "8.7b")


def clear_fortification(s: State, loser: int, h: Hex) -> None:
    """9.5.7a a fortification, finished or not, is removed when an enemy unit enters its hex."""
    b = 1 << h
    if (s.forts[loser] | s.building[loser]) & b:
        s.forts[loser] &= ~b
        s.building[loser] &= ~b
        touch(s)
        emit(s, "fortification_removed", "9.5.7a", {"hex": h, "side": loser})


class CaptureRoll(OneDie[State, CaptureRollAt]):
    """17.2.3a One die for each SP found: captured or destroyed. Frame: place, SPs left to roll for, captor."""

    at = CaptureRollAt

    def take(self, s: State, f: CaptureRollAt, action: Action) -> None:
        h, count, side = f.place, f.points, f.side
        if count > 1:
            s.stack[-1] = CaptureRollAt(F_CAPTURE_ROLL, h, count - 1, side)
        else:
            s.stack.pop()
        die = action[1]
        add_sp(s, enemy(side), h, -1)
        if die in s.board.pack.tables["sp_capture"]["captured"]:
            add_sp(s, side, h, 1)  # 17.2.3b
            emit(s, "sp_captured", "17.2.3b", {"hex": h, "side": side, "die": die}, final=True)
        else:
            emit(s, "sp_destroyed", "17.2.3a", {"hex": h, "side": enemy(side), "count": 1, "die": die}, final=True)

    def prompt(self, s: State, f: CaptureRollAt) -> Prompt:
        h, count = f.place, f.points
        text = Text(
            "{hex}: {count} to roll for; 3 to 6 captured, 1 or 2 destroyed", hex=s.board.hex_name(h), count=count
        )
        return Prompt("Are the supply points captured?", text, ("17.2.3a", "17.2.3b"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {F_CAPTURE_ROLL: CaptureRoll(V_ROLLED)}
