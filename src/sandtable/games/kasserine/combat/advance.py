"""8.9 Advance after combat."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.contract import Prompt
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Text
from sandtable.mechanics.bars import Bar, Bars, Doubt, Need, all_if
from sandtable.mechanics.masks import enemy, mask_of, units_of
from sandtable.mechanics.phases import Linked, Once, Phase
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

# 8.93, 8.96, 8.97 Who may advance


def _led(s: State) -> int:
    """12.41c the leaders in hexes from which the attack was made."""
    fight: Fight = s.fight
    leaders = s.on_map[fight.side] & s.board.leaders
    return mask_of(u for u in units_of(leaders) if fight.origins >> s.at[u] & 1)


def _lost(s: State) -> bool:
    """8.9, 8.91c whether the defending hex is still held, or the attackers retreat themselves."""
    fight: Fight = s.fight
    return bool(units_in(s, fight.target, enemy(fight.side)) or fight.retreating[fight.side])


VICTORS: Bars[State, object] = Bars(
    Need("8.93a", "{unit} took no part in this combat", lambda s, _: taking_part(s, s.fight) | _led(s)),
    Bar("8.97a", "{unit} has an orange circle and does not advance", lambda s, _: s.board.orange),
    Bar(
        "8.93b",  # A100 artillery supports without a marker: none but the armored one, with its red box (8.97b)
        "{unit} only supported the attack and does not advance",
        lambda s, _: s.board.artillery & ~s.board.red if s.edition > 4 else 0,
    ),
    Bar("8.9", lambda s, _, u: Text("{hex} has not been won", hex=s.fight.target), lambda s, _: all_if(_lost(s))),
    Bar(
        "8.96",
        lambda s, _, u: Text("the last step in {hex} was lost to No Retreat", hex=s.fight.target),
        lambda s, _: all_if(s.fight.last_step_stood),
    ),
    Bar("11.23b", "{unit} builds a strongpoint and stays", lambda s, _: builders(s)),
    Bar("8.92a", "{unit} does not advance any more", lambda s, _: s.fight.advanced),
)


# 8.91, 8.94, 8.95 How far


class Going(NamedTuple):
    """Who advances; the defending hex, if he can enter it; the hexes that he can enter from there."""

    unit: int
    first: Mask
    second: Mask


def going(s: State, u: int) -> Going:
    """8.94a, 8.94b the defending hex first; EZOCs and costs do not count, what is closed to him does."""
    target = s.fight.target
    free = ~(off_limits(s, u) | s.occ[enemy(s.board.side[u])])
    exits = s.ground.exits[mover(s, u)]
    leads = s.board.leaders >> u & 1
    return Going(u, 1 << target if leads else 1 << target & exits[s.at[u]] & free, exits[target] & free)


def _beyond(s: State, so: object) -> Mask:
    """Every hex but the defending one, if something is so."""
    target: Hex = s.fight.target
    return all_if(so) & ~(1 << target)


def _mined(s: State) -> int:
    """Whether the defending hex has an enemy minefield: 1 or 0."""
    fight: Fight = s.fight
    return s.mines[enemy(fight.side)] >> fight.target & 1


GOALS: Bars[State, Going] = Bars(
    Need(
        "8.91b",
        "{unit} cannot advance to {hex}",
        lambda s, _: 1 << s.fight.target | s.board.grid.around(1 << s.fight.target),
    ),
    Bar("8.91a", "{unit} cannot advance to {hex}", lambda s, _: _beyond(s, table(s, s.fight).advance < 2)),
    Bar(
        "8.91d",
        "{unit} is disrupted and advances 1 hex only",
        lambda s, going: _beyond(s, s.disrupted >> going.unit & 1),
    ),
    Bar(
        "11.32c",
        "{unit} stops at the minefield in the defending hex",
        lambda s, going: _beyond(s, s.board.motorized >> going.unit & _mined(s)),
    ),
    Need("8.91b", "{unit} cannot advance to {hex}", lambda s, going: going.first and going.first | going.second),
    Bar(
        "8.91b",  # A51 back to where he came from in games of older editions only
        "{unit} cannot advance to {hex}",
        lambda s, going: _beyond(s, s.edition < 5) & 1 << s.at[going.unit],
    ),
    Doubt(
        "8.95",
        "there is no room for {unit} in {hex}",
        lambda s, going, h: not (s.board.leaders >> going.unit & 1 or room(s, h, s.fight.side, 1 << going.unit)),
    ),
)


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


FORWARD: Linked[State, At, None] = Linked(
    verbs.ADVANCE,
    first=VICTORS,
    of=lambda s, _: s.on_map[s.fight.side],
    second=GOALS,
    to=lambda s, u: 1 << s.fight.target | s.board.grid.around(1 << s.fight.target),
    knows=going,
    take=advance,
)
"""8.9 who may advance, and where to."""


class Advances(Phase[State, At, None]):
    """8.92 decided and made before the next combat; nobody has to advance."""

    at = At
    does = (
        FORWARD,
        Once(verbs.END_ADVANCE, take=end_advance),
    )

    def now(self, s: State, f: At) -> None:
        return None

    def actor(self, s: State, f: At) -> int | None:
        side: int = s.fight.side
        return side if FORWARD.pairs(s, None) else None

    def prompt(self, s: State, f: At) -> Prompt:
        title = Text("Advance after combat into {hex}", hex=s.fight.target)
        return Prompt(title, "Choose a unit and where it advances", ("8.9", "8.91a", "8.95"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {steps.ADVANCES: Advances()}
