"""8.9 Advance after combat."""

from __future__ import annotations

from typing import Any

from sandtable.engine.contract import Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask, hexes_of
from sandtable.engine.texts.text import Said, Text
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Listed, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..paths.moves import off_limits
from ..table import steps, verbs
from ..table.ids import PHASES
from ..table.position import builders, enter, put, units_in
from ..table.ratings import mover
from ..table.stacking import room
from ..table.state import State
from ..table.steps import At
from ..table.surprises import meet
from .fight import Fight
from .reckoning import table
from .results import taking_part


def may_advance(s: State, fight: Fight) -> int:
    """8.93, 8.97 the victors who may go forward: those that took part and did not retreat, no orange circles."""
    board = s.board
    if units_in(s, fight.target, enemy(fight.side)) or fight.last_step_stood or fight.retreating[fight.side]:
        return 0
    units = taking_part(s, fight) & ~board.orange & ~fight.advanced & ~builders(s) & ~_markless(s)  # 11.23b
    leaders = s.on_map[fight.side] & board.leaders & ~fight.advanced
    return units | sum(1 << u for u in units_of(leaders) if fight.origins >> s.at[u] & 1)  # 12.41c


def _markless(s: State) -> int:
    """8.93b, 8.97b artillery supports without a marker: none but the armored one, with its red box, advances."""
    return s.board.artillery & ~s.board.red if s.edition > 4 else 0


def goals(s: State, u: int, target: Hex, most: int) -> Mask:
    """8.91, 8.94, 8.95, A51 where one unit may advance to: the defending hex, then any hex next to it."""
    board = s.board
    side, b = board.side[u], 1 << u
    closed = off_limits(s, u) | s.occ[enemy(side)]
    exits = s.ground.exits[mover(s, u)]
    near = 1 << target & exits[s.at[u]] & ~closed
    if board.leaders & b:
        near = 1 << target
    if not near:
        return 0
    found = near
    stopped = board.motorized & b and s.mines[enemy(side)] >> target & 1  # 11.32c
    if most > 1 and not s.disrupted & b and not stopped:  # 8.91d
        found |= exits[target] & ~closed
        if s.edition < 5:  # A51 back to where it came from, too
            found &= ~(1 << s.at[u])
    return sum(1 << h for h in hexes_of(found) if board.leaders & b or room(s, h, side, b))


def advances(s: State, f: At, now: None) -> list[tuple[int, int]]:
    fight: Fight = s.fight
    most = table(s, fight).advance
    return [(u, h) for u in units_of(may_advance(s, fight)) for h in hexes_of(goals(s, u, fight.target, most))]


def why_not_forward(s: State, f: At, now: None, args: Any) -> Reason | None:
    u, h = args
    fight: Fight = s.fight
    if not (taking_part(s, fight) | s.board.leaders) >> u & 1:
        return Reason("8.93a", Text("{unit} took no part in this combat", unit=u))
    if s.board.orange >> u & 1:
        return Reason("8.97a", Text("{unit} has an orange circle and does not advance", unit=u))
    if _markless(s) >> u & 1:
        return Reason("8.93b", Text("{unit} only supported the attack and does not advance", unit=u))
    if not may_advance(s, fight) >> u & 1:
        return _why_no_advance(s, fight, u)
    most = table(s, fight).advance
    if goals(s, u, fight.target, most) >> h & 1:
        return None
    side, target = s.board.side[u], fight.target
    text: Said = Text("{unit} cannot advance to {hex}", unit=u, hex=h)
    if h != target and not s.board.grid.adjacent(h, target):
        return Reason("8.91b", text)
    if h != target and most < 2:
        return Reason("8.91a", text)
    if h != target and s.disrupted >> u & 1:
        return Reason("8.91d", Text("{unit} is disrupted and advances 1 hex only", unit=u))
    if s.board.ground >> u & 1 and not s.occ[enemy(side)] >> h & 1 and not room(s, h, side, 1 << u):
        return Reason("8.95", Text("there is no room for {unit} in {hex}", unit=u, hex=h))
    return Reason("8.91b", text)


def _why_no_advance(s: State, fight: Fight, u: int) -> Reason:
    """8.9, 8.92, 8.96, 11.23b why somebody who took part does not go forward."""
    if units_in(s, fight.target, enemy(fight.side)) or fight.retreating[fight.side]:
        return Reason("8.9", Text("{hex} has not been won", hex=fight.target))
    if fight.last_step_stood:
        return Reason("8.96", Text("the last step in {hex} was lost to No Retreat", hex=fight.target))
    if builders(s) >> u & 1:
        return Reason("11.23b", Text("{unit} builds a strongpoint and stays", unit=u))
    return Reason("8.92a", Text("{unit} does not advance any more", unit=u))


def go_forward(s: State, u: int, target: Hex, h: Hex, rule: str) -> None:
    """8.94 the defending hex first, then the second one; EZOCs and costs do not count."""
    side = s.board.side[u]
    way = [target] if h == target else [target, h]
    emit(s, "advanced", rule, {"unit": u, "from": s.at[u], "to": h, "path": way})
    if s.board.leaders >> u & 1:
        put(s, u, h)
        return
    for step in way:
        enter(s, u, step)
        meet(s, side, step)
        approach(s, u, step)


def approach(s: State, u: int, h: Hex) -> None:
    """9.26 defending artillery outside defending hexes that an enemy combat unit comes next to has lost its support."""
    board = s.board
    if not board.combat >> u & 1:
        return
    near = board.grid.around(1 << h)
    for gun in units_of(s.on_map[enemy(board.side[u])] & board.artillery & ~s.fired):
        at = s.at[gun]
        if near >> at & 1 and at not in s.aims:
            s.fired |= 1 << gun
            emit(s, "silenced", "9.26a", {"unit": gun, "hex": at})


def advance(s: State, f: At, u: int, h: int) -> None:
    fight: Fight = s.fight
    fight.advanced |= 1 << u
    go_forward(s, u, fight.target, h, "8.9")


def end_advance(s: State, f: At) -> None:
    s.stack.pop()


class Advances(Phase[State, At, None]):
    """8.92 decided and made before the next combat; nobody has to advance."""

    at = At
    does = (
        Listed(verbs.ADVANCE, of=advances, reason=why_not_forward, take=advance),
        Once(verbs.END_ADVANCE, take=end_advance),
    )

    def now(self, s: State, f: At) -> None:
        return None

    def actor(self, s: State, f: At) -> int | None:
        side: int = s.fight.side
        return side if advances(s, f, None) else None

    def prompt(self, s: State, f: At) -> Prompt:
        title = Text("Advance after combat into {hex}", hex=s.fight.target)
        return Prompt(title, "Choose a unit and where it advances", ("8.9", "8.91a", "8.95"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {steps.ADVANCES: Advances()}
