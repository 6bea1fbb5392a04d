"""F8.41, F7.42 What high explosive does to entrenchments."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.mechanics.masks import units_of

from ..fire.ift import FIRST_K, FIRST_KIA
from ..table.ids import ABOVE, F_COLLAPSE, FOXHOLE, GONE, SANGAR, SQUAD, UNDER_FOXHOLE, UNDER_SANGAR
from ..table.state import State, put
from ..table.telling import emit
from ..table.works import SANDS, capacity, works_in


def ruin(s: State, h: Hex, killed: bool) -> None:
    """F8.41a a Final KIA by HE of 70mm or more, a CH, a DC or an OVR removes the sangar; F8.41c survivors are above."""
    if not killed:
        return
    for w in units_of(works_in(s, h, SANGAR)):
        put(s, w, GONE)
        emit(s, "work_gone", "F8.41a", {"unit": w, "hex": h, "side": s.stage.roster.side[w]})
        bare(s, h, UNDER_SANGAR)


def bare(s: State, h: Hex, under: int) -> None:
    """F8.41c, F7.42e those beneath lose its protection."""
    for u in units_of(s.here.get(h, 0)):
        if s.under[u] == under:
            s.under[u] = ABOVE


def collapse(s: State, h: Hex, lost: int, picked: int, killed: bool) -> None:
    """F7.42c, AMB-36 a foxhole in sand shrinks by the whole squad equivalents (`lost`, in halves) that HE of 70mm or
    more, a DC or a bomb eliminated in it: by a KIA, or by a K that picked more than one."""
    if s.stage.field.terrain[h] not in SANDS or not (killed or picked > 1):
        return
    squads = lost // 2
    for w in units_of(works_in(s, h, FOXHOLE)):
        if squads <= 0:
            return
        gone = min(squads, s.strength[w])
        squads -= gone
        s.strength[w] -= gone
        if not s.strength[w]:
            put(s, w, GONE)
            emit(s, "work_gone", "F7.42e", {"unit": w, "hex": h, "side": s.stage.roster.side[w]})
    if not works_in(s, h, FOXHOLE) or not capacity(s, h, UNDER_FOXHOLE):
        bare(s, h, UNDER_FOXHOLE)


class CollapseAt(NamedTuple):
    """F7.42c foxholes in sand after HE of 70mm or more, or a DC: who lay in them before, squads and smaller units."""

    frame: int
    hex: Hex
    units: int
    candidates: int
    killed: int


def undermine(s: State, h: Hex, result: int, hit: int) -> None:
    """F7.42c when the results of such an attack are taken, a foxhole in sand may have shrunk."""
    beneath = sum(1 << u for u in units_of(hit & s.stage.roster.men) if s.under[u] == UNDER_FOXHOLE)
    if not beneath or result < FIRST_K or s.stage.field.terrain[h] not in SANDS:
        return
    squads = sum(1 << u for u in units_of(beneath) if s.kind(u).kind == SQUAD)
    s.stack.append(CollapseAt(F_COLLAPSE, h, squads, beneath & ~squads, int(result >= FIRST_KIA)))


class Collapse(Frame[State, CollapseAt]):
    """F7.42c, F7.42d"""

    at = CollapseAt

    def run(self, s: State, f: CollapseAt) -> None:
        s.stack.pop()
        lost = [2 if s.at[u] < 0 else 1 if s.kind(u).kind != SQUAD else 0 for u in units_of(f.units)]
        lost += [s.kind(u).equivalents if s.at[u] < 0 else 0 for u in units_of(f.candidates)]
        collapse(s, f.hex, sum(lost), sum(1 for one in lost if one), bool(f.killed))


FRAMES: dict[int, Frame[State, Any]] = {F_COLLAPSE: Collapse()}
