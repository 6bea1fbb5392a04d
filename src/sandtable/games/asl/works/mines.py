"""B28, F.7 Minefields: they attack whoever enters or leaves their hex; what looks like one may be a dummy."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..fire.firepower import MINES_ATTACK
from ..fire.group import RollAt
from ..fire.ift import ift
from ..table.ids import F_ATTACK_ROLL, F_MINES, FIRST, GONE, MINES, MINES_AP, MINES_DUMMY
from ..table.state import Attack, State, put
from ..table.telling import emit
from ..table.works import works_in


class MinesAt(NamedTuple):
    """Units that enter or leave a hex: its mines attack them once (B28.41)."""

    frame: int
    hex: int
    units: int


def mined(s: State, h: Hex) -> bool:
    """Whether men would be attacked by mines there."""
    return any(s.strength[w] for w in units_of(works_in(s, h, MINES_AP)))


def find_dummies(s: State, h: Hex) -> None:
    """F.7Bb a dummy minefield is announced and removed when anybody enters."""
    for w in units_of(works_in(s, h, MINES_DUMMY)):
        s.hip &= ~(1 << w)
        emit(s, "dummy_minefield", "F.7Bb", {"hex": h, "side": s.stage.roster.side[w]}, final=True)
        put(s, w, GONE)


def weaken(s: State, w: int) -> None:
    """B28.7, B28.62 a minefield loses one step of strength; without any it is gone."""
    steps = [0, *s.stage.pack.tables["mines"]["ap_strengths"]]
    if s.kind(w).kind == MINES_AP:
        s.strength[w] = max(step for step in steps if step < max(1, s.strength[w]))
    else:
        s.strength[w] = max(0, s.strength[w] - 1)
    if not s.strength[w]:
        put(s, w, GONE)


def shell(s: State, h: Hex, killed: bool) -> None:
    """B28.62, F.7f, F.7Bc a Concentration FFE or bomb: an Original KIA removes the minefields of its hex, a K lowers
    them a step; a dummy is never affected, and one whose mines are gone is a dummy as long as nobody knew better."""
    for w in units_of(works_in(s, h, *MINES) & ~s.stage.roster.of_kind[MINES_DUMMY]):
        if killed:
            s.strength[w] = 0
        else:
            weaken(s, w)
        if not s.strength[w]:
            put(s, w, GONE if s.read >> w & 1 else h)


class Mines(Frame[State, MinesAt]):
    """B28.41 an attack on the column of its A-P factors without any DRM."""

    at = MinesAt

    def run(self, s: State, f: MinesAt) -> None:
        s.stack.pop()
        alive = sum(1 << u for u in units_of(f.units) if s.at[u] >= 0)
        fields = [w for w in units_of(works_in(s, f.hex, MINES_AP)) if s.strength[w]]
        if not alive or not fields:
            return
        w = fields[0]
        s.hip &= ~(1 << w)  # F.7Ca
        s.read |= 1 << w  # F.7d
        side = s.stage.roster.side[units_of(alive)[0]]
        fp = s.strength[w]
        emit(s, "mines", "B28.41", {"hex": f.hex, "fp": fp, "side": side})
        column = ift().column(fp)
        s.attack = Attack(fire=FIRST, side=1 - side, target=f.hex, movers=alive, residual=MINES_ATTACK, column=column)
        s.stack.append(RollAt(F_ATTACK_ROLL))


FRAMES: dict[int, Frame[State, Any]] = {F_MINES: Mines()}
